"""Menus, chance orders and a plain bot: it marches on the objectives, attacks where the odds are good."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from typing import TYPE_CHECKING

from pbem.api import Ask, Known, Order
from rules.tiger_of_malaya import air, combat, movement, sequence, turn, works
from rules.tiger_of_malaya.odds import reckon
from rules.tiger_of_malaya.orders import (
    Advance,
    Attack,
    Bombard,
    Chits,
    Defend,
    Discard,
    Done,
    Enter,
    Evade,
    Harass,
    Move,
    Play,
    Probe,
    Recall,
    Retreat,
    Stand,
    Support,
)
from rules.tiger_of_malaya.retreat import advances
from rules.tiger_of_malaya.state import ALLIES, JAPAN, State, foe, is_gun, level, of, points, stack

if TYPE_CHECKING:
    import random

BEST = ("full", "choice", "attack", "move", "half")
GOOD = 2
"""Steps of the ladder of odds from which the bot attacks: 3:1."""


def offers(s: State, seat: str, known: Known) -> Iterator[Order]:
    """Orders that are accepted now."""
    asked = [one for one in sequence.pending(s) if isinstance(one, Ask) and one.seat == seat and one.client is None]
    if not asked:
        return
    for order in candidates(s, seat, asked[0].what):
        if sequence.refuse(s, seat, order, known) is None:
            yield order


def candidates(s: State, seat: str, what: str) -> Iterator[Order]:
    """Orders worth trying at a question."""
    match what:
        case "choose_chits":
            yield Chits(chits=hand(s, seat, BEST))
            yield Chits(chits=hand(s, seat, BEST[::-1]))
        case "play_to":
            yield from (Play(how=how) for how in ("move", "attack"))
        case "support":
            pairs = combat.possible(s, seat)
            yield Support()
            yield from (Support(units=(id,), hexes=(hex,)) for id, hex in pairs)
        case "react":
            yield Done()
            yield from (Defend(hex=hex, units=(id,)) for id, hex in combat.possible(s, seat))
            yield from (Evade(unit=id, path=path) for id, path in combat.evaders(s, seat))
        case "lose":
            yield from combat.some_losses(s, s.losses[0])
        case "stand_or_retreat":
            yield Stand()
            able = combat.goers(s, s.battles[0])
            yield Retreat(units=tuple(able), paths=tuple(paths[0] for paths in able.values()))
        case "advance":
            yield Done()
            yield from (Advance(unit=id, path=path) for id, path in advances(s, s.battles[0]))
        case _:
            yield from act(s, seat, what)


def act(s: State, seat: str, step: str) -> Iterator[Order]:
    """The steps of an impulse."""
    yield Done()
    pressed = movement.duty(s) if step == "move" else None
    if pressed is not None and (way := movement.nearer(s, pressed)) is not None:
        yield way
    if step == "finish":
        yield from islice(_discards(s), 20)
    yield from works.offers(s, seat, step)
    if seat == JAPAN:
        if air.over(s):
            yield Recall(plane=air.over(s))
        elif step == "prepare":
            hexes = sorted({piece.at for _, piece in of(s, ALLIES)})
            yield from islice((Harass(hex=hex, plane=plane) for plane in air.ready(s) for hex in hexes), 4)
    if step == "move":
        yield from enters(s, seat)
        duty = movement.duty(s) if seat == ALLIES else None
        if duty is not None:
            yield movement.nearer(s, duty) or Done()
        for id, _ in of(s, seat):
            for path in islice(spread(s, id), 1):
                yield Move(units=(id,), path=path)
    if step == "bombard":
        yield from bombards(s, seat)
    if step == "declare":
        for order in attacks(s, seat):
            yield order
            yield Probe(hex=order.hex, units=order.units)


def _discards(s: State) -> Iterator[Discard]:
    """The few units that must go from a hex that is too full, those that defend least first."""
    for hex, over in sorted(movement.crowded(s).items()):
        units = sorted((id for id in stack(s, hex) if points(s, id)), key=lambda id: (level(s, id).defence, id))
        for count in range(1, len(units) + 1):
            found = [few for few in combinations(units, count) if sum(points(s, id) for id in few) >= over]
            yield from (Discard(units=few) for few in found)
            if found:
                break


def enters(s: State, seat: str) -> Iterator[Enter]:
    """Reinforcements that are due, each at every gate."""
    for id, arrival in movement.arrivals(s):
        if s.board.side(id) == seat:
            yield from (Enter(unit=id, hex=hex) for hex in movement.gates(s, arrival.hex, seat))


def spread(s: State, unit: str) -> Iterator[tuple[str, ...]]:
    """Ways of a unit: the farthest first."""
    if s.pieces[unit].left or "moved" not in s.pieces[unit].marks:
        ways = movement.reachable(s, unit)
        yield from sorted(ways.values(), key=lambda path: (-len(path), path))


def hand(s: State, seat: str, order: tuple[str, ...]) -> tuple[str, ...]:
    """Chits in this order of liking, the jungle one among those of the Allies."""
    mix = s.board.chits[JAPAN if seat == JAPAN else ALLIES]
    every = [kind.upper() for kind in order for _ in range(mix.get(kind, 0))]  # type: ignore[call-overload]
    need = ["JUNGLE"] if seat == ALLIES else []
    return tuple([*need, *every][: turn.chits(s, seat)])


def bombards(s: State, seat: str) -> Iterator[Bombard]:
    """Every hex with all that reaches it, or with guns alone."""
    for hex in sorted({piece.at for _, piece in of(s, foe(seat))}):
        guns = tuple(id for id, _ in of(s, seat) if is_gun(s, id) and combat.refuse_fire(s, seat, id, hex) is None)
        planes = tuple(plane for plane in air.ready(s) if seat == JAPAN and air.in_range(s, plane, hex))
        if guns or planes:
            yield Bombard(hex=hex, units=(*guns, *planes))


def attacks(s: State, seat: str) -> Iterator[Attack]:
    """Every enemy hex with all units beside it that may attack it, fewer where they are too many."""
    taken = {b.hex for b in s.battles}
    for hex in sorted({piece.at for id, piece in of(s, foe(seat)) if points(s, id)} - taken):
        near = [id for there in s.board.grid.neighbours(hex) for id in stack(s, there) if s.board.side(id) == seat]
        units = [id for id in near if combat.refuse_attacker(s, id, hex) is None]
        room: dict[str, int] = {}
        kept = []
        for id in units:
            at = s.pieces[id].at
            room.setdefault(at, min(s.board.limit(at), s.board.limit(hex)))
            if points(s, id) <= room[at]:
                room[at] -= points(s, id)
                kept.append(id)
        if kept:
            yield Attack(hex=hex, units=tuple(kept))


def sample(s: State, ask: Ask, known: Known, rng: random.Random) -> Order:
    """Any offer, over more often than not once a step drags on."""
    found = list(islice(offers(s, ask.seat, known), 60))
    done = [order for order in found if isinstance(order, Done)]
    if done and rng.randrange(10) < 3:
        return done[0]
    return rng.choice(found)


# --- the bot ---


def advise(s: State, ask: Ask, known: Known) -> Order:
    """A sensible answer: chits that fight, the way to the objective, attacks at 3:1 and better."""
    seat = ask.seat
    match ask.what:
        case "play_to":
            wanted = Play(how="attack" if any(True for _ in _worthy(s, seat)) else "move")
            return wanted if sequence.refuse(s, seat, wanted, known) is None else Play(how="move")
        case "support":
            return _support(s, seat)
        case "stand_or_retreat":
            return next(order for order in reversed(list(offers(s, seat, known))))
        case "react":
            return next((order for order in offers(s, seat, known) if isinstance(order, Defend)), Done())
        case "advance":
            return next((order for order in offers(s, seat, known) if isinstance(order, Advance)), Done())
        case "move":
            return _march(s, seat, known)
        case "declare":
            return next(_worthy(s, seat), Done())
        case "prepare":
            useful = (order for order in works.offers(s, seat, "prepare") if type(order).__name__ == "Recover")
            return next((order for order in useful if sequence.refuse(s, seat, order, known) is None), Done())
        case "bombard":
            return next((order for order in bombards(s, seat) if combat.refuse_bombard(s, seat, order) is None), Done())
        case "finish":
            return next(_discards(s), Done())
    return next(offers(s, seat, known))


def _worthy(s: State, seat: str) -> Iterator[Attack]:
    for order in attacks(s, seat):
        if combat.refuse_attack(s, seat, order) is None and reckon(s, combat.made(s, order), (), ()).step >= GOOD:
            yield order


def _support(s: State, seat: str) -> Support:
    """All guns, each to the first battle it reaches."""
    chosen: dict[str, str] = {}
    for id, hex in combat.possible(s, seat):
        chosen.setdefault(id, hex)
    return Support(units=tuple(chosen), hexes=tuple(chosen.values()))


def _march(s: State, seat: str, known: Known) -> Order:
    """Reinforcements, then every unit once towards the objectives, without crowding."""
    for entry in enters(s, seat):
        if sequence.refuse(s, seat, entry, known) is None:
            return entry
    goals = [*s.board.scenario.objectives, *s.board.scenario.road]
    near = s.board.grid.nearest
    for id, piece in of(s, seat):
        if "moved" in piece.marks or (seat == ALLIES and piece.supplied) or is_gun(s, id):
            continue
        ways = movement.reachable(s, id)
        here = near(piece.at, goals) or 0
        for hex, path in sorted(ways.items(), key=lambda one: (near(one[0], goals) or 0, one[0])):
            full = sum(points(s, other) for other in stack(s, hex)) + points(s, id) > s.board.limit(hex)
            order = Move(units=(id,), path=path)
            if not full and (near(hex, goals) or 0) < here and sequence.refuse(s, seat, order, known) is None:
                return order
    duty = movement.duty(s) if seat == ALLIES else None
    if duty is not None:
        return movement.nearer(s, duty) or Done()
    return Done()
