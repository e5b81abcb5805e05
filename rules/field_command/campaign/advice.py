"""Who plays for an absent army: a bot that goes for the objectives or holds them, and random answers for tests."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from pbem.api import Ask, Known, Order
from rules.field_command import bot
from rules.field_command.campaign import cards_menu, choices, guns, retreat, turn
from rules.field_command.campaign.orders import Battle, Done, Drive, Fire, Move, Retreat
from rules.field_command.campaign.state import (
    Unit,
    War,
    count,
    enemies,
    family,
    foes,
    full,
    ground,
)
from rules.field_command.orders import Plan, Stay
from rules.field_command.rows import Army, Role
from rules.kit.search import trace

if TYPE_CHECKING:
    import random

PLANS = {
    "attack": ("tactic flank when mine.line >= 4", "tactic concentrate when mine.line >= 2", "strike 1", "air best"),
    "defence": ("strike 1", "air best", "drop smallest"),
}
ODDS = 2
"""So much more than the defender is worth must stand ready to attack him."""


def sample(w: War, ask: Ask, known: Known, rng: random.Random) -> Order:
    """A legal answer at random: mostly an end to a stage, so that games do not grow too long."""
    if ask.what in ("plan_turn", "cover") and rng.random() < Fraction(1, 4):
        return Done()
    if ask.what == "plan":
        return (
            Plan(rules=PLANS["defence" if w.fight and w.fight.node == "plan_defence" else "attack"])
            if rng.random() < Fraction(9, 10)
            else Plan()
        )
    if ask.what == "withdraw" and rng.random() < Fraction(3, 4):
        return Stay()
    there = list(turn.offers(w, ask.seat, known))
    return rng.choice(there)


def advise(w: War, ask: Ask, known: Known) -> Order | None:
    """The answer to what this seat is asked; None lets a window pass."""
    if w.cards and (what := cards_menu.asked(w, ask.seat)):
        return cards_menu.advise(w, ask.seat, what, known)
    if ask.what == "retreat":
        return _retreat(w)
    if ask.what == "next_battle":
        return Battle(place=w.battles[0])
    if w.fight:
        if ask.what == "plan":
            role: Role = "defence" if w.fight.node == "plan_defence" else "attack"
            return Plan(rules=PLANS[role])
        return Stay() if ask.what == "withdraw" else bot.advise(w.fight, ask.seat)
    army = turn.speaks_for(w, ask.seat)
    if army is None:
        return Done()
    for order in (*_played(w, ask.seat, known), *_wishes(w, army)):
        if turn.refuse(w, ask.seat, order, known) is None:
            return order
    return Done()


def _played(w: War, seat: str, known: Known) -> Iterable[Order]:
    """Cards come before moves."""
    return cards_menu.planned(w, seat, known) if w.cards and w.phase == "planning" else ()


def _retreat(w: War) -> Order:
    one = w.leaving[0]
    there = retreat.exits(w, one)
    army = w.units[one.unit].army
    return Retreat(unit=one.unit, place=min(there, key=lambda place: (count(w, place, army), place)))


def _wishes(w: War, army: Army) -> Iterable[Order]:
    """What it would like to do next, best first."""
    if w.phase == "planning" and w.step != "fire":
        yield from _moves(w, army)
    for unit, place in guns.possible(w, army):
        if sum(one.sector == place for one in w.barrages) < 2:
            yield Fire(unit=unit.id, place=place)


def _moves(w: War, army: Army) -> Iterable[Order]:
    """Attack where it pays, go on towards the goal, garrison what must be held."""
    for unit in choices.movers(w, army):
        if unit.where in w.contested:
            continue
        if army == "J":
            yield from _forward(w, unit)
        elif _idle(w, unit):
            yield from _home(w, unit)


def worth(w: War, place: str, *, of: Army, enemy: bool) -> int:
    """How many dice stand there, of an army or of its enemies."""
    role: Role = "defence" if enemy else "attack"
    return sum(
        len(w.board.charts.dice(unit.origin, unit.kind, role))
        for unit in ground(w, place)
        if foes(unit.army, of) == enemy
    )


def _forward(w: War, unit: Unit) -> Iterable[Order]:
    goal = _way(w, unit, [id for id in w.board.objectives if foes(w.control[id], unit.army)])
    if goal is None or len(goal) < 2:
        return
    to = goal[1]
    if not enemies(w, to, unit.army):
        if family(w, unit) != "artillery" or not full(w, to, unit.army):
            yield Move(unit=unit.id, way=(to,))
            yield Drive(unit=unit.id, way=(to,))
        return
    mine = worth(w, to, of=unit.army, enemy=False)
    near = sum(
        len(w.board.charts.dice(one.origin, one.kind, "attack"))
        for step in w.board.neighbours(to)
        for one in ground(w, step.to, unit.army)
        if not one.mark and step.to not in w.contested
    ) + sum(
        len(w.board.charts.dice(one.origin, one.kind, "attack"))
        for axis in w.board.axes_at(to)
        for one in ground(w, axis, unit.army)
        if not one.mark
    )
    if mine + near >= ODDS * worth(w, to, of=unit.army, enemy=True) or mine:
        yield Move(unit=unit.id, way=(to,))
        yield Drive(unit=unit.id, way=(to,))


def _way(w: War, unit: Unit, goals: list[str]) -> tuple[str, ...] | None:
    water = w.board.charts.reach(unit.origin, unit.kind).water

    def steps(at: str) -> Iterable[str]:
        for step in w.board.neighbours(at):
            if water or step.road or not step.water or at in w.board.axes:
                yield step.to

    return trace(unit.where, lambda at: at in goals, steps) if goals else None


def _idle(w: War, unit: Unit) -> bool:
    """Whether a Commonwealth unit stands where nobody comes: no Japanese next door, no objective under it."""
    if unit.where in w.board.objectives and count(w, unit.where, unit.army) <= 4:
        return False
    return family(w, unit) != "artillery"


def _home(w: War, unit: Unit) -> Iterable[Order]:
    """Towards an objective, one step; those in the front line stay in it while others are behind them."""
    front = any(w.control.get(step.to) == "J" for step in w.board.neighbours(unit.where))
    if front:
        return
    goals = [id for id in w.board.objectives if w.control[id] != "J" and not full(w, id, unit.army)]
    goal = _way(w, unit, goals)
    if goal and len(goal) > 1 and not enemies(w, goal[1], unit.army):
        yield Move(unit=unit.id, way=(goal[1],))
        yield Drive(unit=unit.id, way=(goal[1],))
