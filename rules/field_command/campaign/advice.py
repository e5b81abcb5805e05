"""Who plays for an absent army: a bot (`general` moves for it, plans fight for it), and random answers for tests."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

from pbem.api import Ask, Known, Order
from rules.field_command import bot
from rules.field_command.campaign import cards_menu, general, retreat, turn
from rules.field_command.campaign.orders import Battle, Done, Retreat
from rules.field_command.campaign.state import War, count
from rules.field_command.orders import Plan, Stay
from rules.field_command.rows import Role

if TYPE_CHECKING:
    import random

PLANS = {
    "attack": ("tactic flank when mine.line >= 4", "tactic concentrate when mine.line >= 2", "strike 1", "air best"),
    "defence": ("strike 1", "air best", "drop smallest"),
}


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


def advise(w: War, ask: Ask, known: Known) -> Order:
    """The answer to what this seat is asked."""
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
    for order in (*_played(w, ask.seat, known), *general.wishes(w, army)):
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
