"""Chance orders, and a plain bot: it marches on the objectives, attacks where the odds are good, holds what it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING

from pbem.api import Ask, Known, Order
from rules.kit.hexes import Hex
from rules.kit.search import reach
from rules.tiger_of_malaya import (
    air,
    attack,
    boats,
    costs,
    drafts,
    menus,
    movement,
    reaction,
    sequence,
    tether,
    works,
)
from rules.tiger_of_malaya.components import Board
from rules.tiger_of_malaya.odds import reckon
from rules.tiger_of_malaya.orders import Advance, Attack, Base, Defend, Done, Move, Play, Recover, Support
from rules.tiger_of_malaya.state import ALLIES, JAPAN, State, foe, is_gun, level, occupied, of, points, stack, weight

if TYPE_CHECKING:
    import random

GOOD = 2
"""Steps of the ladder of odds from which the bot attacks: 3:1."""


def sample(s: State, ask: Ask, known: Known, rng: random.Random) -> Order:
    """Any offer, over more often than not once a step drags on."""
    if rng.randrange(10) < 3 and sequence.refuse(s, ask.seat, Done(), known) is None:
        return Done()
    if ask.what == "move":
        own = [id for id, _ in of(s, ask.seat)]
        for id in rng.sample(own, min(6, len(own))):
            for march in menus.marches(s, id):
                if sequence.refuse(s, ask.seat, march, known) is None:
                    return march
    return rng.choice(list(islice(menus.offers(s, ask.seat, known), 30)))


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
            return next(order for order in reversed(list(menus.offers(s, seat, known))))
        case "react":
            return next((order for order in menus.offers(s, seat, known) if isinstance(order, Defend)), Done())
        case "advance":
            return next((order for order in menus.offers(s, seat, known) if isinstance(order, Advance)), Done())
        case "move":
            return _march(s, seat, known)
        case "declare":
            return next(_worthy(s, seat), Done())
        case "prepare":
            recover = (order for order in works.offers(s, seat, "prepare") if isinstance(order, Recover))
            useful = chain(drafts.offers(s, seat), recover)
            return next((order for order in useful if sequence.refuse(s, seat, order, known) is None), Done())
        case "bombard":
            fire = menus.bombards(s, seat)
            return next((order for order in fire if sequence.refuse(s, seat, order, known) is None), Done())
        case "base_aircraft":
            homeless = (Base(plane=plane, hex=hex) for plane, hex in air.bases(s) if plane not in s.bases)
            return next(homeless, Done())
        case "garrison":
            found = list(islice(menus.offers(s, seat, known), 2))
            return found[-1]
        case "finish":
            return next(menus.discards(s, seat), Done())
    return next(menus.offers(s, seat, known))


def _worthy(s: State, seat: str) -> Iterator[Attack]:
    for order in menus.attacks(s, seat):
        if attack.refuse_attack(s, seat, order) is None and reckon(s, attack.made(s, order), (), ()).step >= GOOD:
            yield order


def _support(s: State, seat: str) -> Support:
    """All guns, each to the first battle it reaches."""
    chosen: dict[str, str] = {}
    for id, hex in reaction.possible(s, seat):
        chosen.setdefault(id, hex)
    return Support(units=tuple(chosen), hexes=tuple(chosen.values()))


def _march(s: State, seat: str, known: Known) -> Order:
    """Reinforcements, then Japan towards its goals, Allied units out of danger or back to supply."""
    for entry in menus.enters(s, seat):
        if sequence.refuse(s, seat, entry, known) is None:
            return entry
    duty = movement.duty(s) if seat == ALLIES else None
    if duty is not None:
        return tether.nearer(s, duty) or Done()
    for id in _movers(s, seat):
        field = _field(s, seat, id)
        here = field.get(s.pieces[id].at, FAR)
        ways = costs.reachable(s, id)
        for hex, path in sorted(ways.items(), key=lambda one: (field.get(one[0], FAR), one[0])):
            if field.get(hex, FAR) >= here:
                break
            order = Move(units=(id,), path=path)
            room = s.board.limit(hex) - weight(s, hex)
            if points(s, id) <= room and sequence.refuse(s, seat, order, known) is None:
                return order
    return next((order for order in _crossings(s, seat) if sequence.refuse(s, seat, order, known) is None), Done())


FAR = 10_000


def _movers(s: State, seat: str) -> Iterator[str]:
    """Units worth moving: Japanese not next to an enemy, Allied ones that are badly outnumbered."""
    foes = occupied(s, foe(seat))
    for id, piece in of(s, seat):
        fixed = piece.marks & {"moved", "entered", "replaced"} or not s.board.is_land(piece.at)
        if fixed or s.board.kind(id) in ("steamer", "truck", "coastal-artillery"):
            continue
        touching = not foes.isdisjoint(s.board.grid.neighbours(piece.at))
        if seat == JAPAN and not touching:
            yield id
        if seat == ALLIES and piece.supplied and _threat(s, piece.at) > DANGER * _hold(s, piece.at):
            yield id


DANGER = 3
"""So many times stronger an enemy must be nearby that an Allied unit goes back."""


def _threat(s: State, hex: Hex) -> int:
    """The attack strength of the Japanese within two hexes."""
    near = s.board.grid.distance
    return sum(level(s, id).attack for id, piece in of(s, JAPAN) if near(piece.at, hex) <= 2)


def _hold(s: State, hex: Hex) -> int:
    """The defence strength of a stack."""
    return sum(level(s, id).defence for id in stack(s, hex))


def _field(s: State, seat: str, unit: str) -> Mapping[Hex, int]:
    """How far every hex is from where a side wants to be."""
    row, home = s.board.scenario, s.board.game.surrender_hex
    goals: tuple[Hex, ...]
    if seat == ALLIES:
        goals = (home,)
    elif is_gun(s, unit) or s.board.kind(unit) == "headquarters":  # behind the others
        goals = tuple(sorted({piece.at for id, piece in of(s, JAPAN) if level(s, id).attack}))
    else:
        left = [hex for hex in (*row.objectives, *row.road) if hex not in s.held]
        goals = tuple(left) or (home,)
    return _distances(s.board, tuple(hex for hex in goals if hex in s.board.grid))


@lru_cache(maxsize=64)
def _distances(board: Board, goals: tuple[Hex, ...]) -> Mapping[Hex, int]:
    """The cost on foot from every hex to the nearest goal, the strait open as it is for boats."""
    table = costs.charges(board, "foot")

    def steps(hex: Hex) -> Iterator[tuple[Hex, int]]:
        for there, _ in board.land_beside(hex):
            yield there, table[there].get(hex, STRAIT)

    return {hex: found.cost for hex, found in reach(goals, steps).items()}


STRAIT = 12
"""What the bot takes a hexside for that nobody can walk over."""


def _crossings(s: State, seat: str) -> Iterator[Order]:
    """Over the strait, where that leads nearer."""
    if seat == JAPAN:
        for order in boats.offers(s, seat):
            field = _field(s, seat, order.units[0])
            over_sea = s.board.edge(order.path[0], order.path[1]).water == "ocean"
            if over_sea and field.get(order.path[1], FAR) < field.get(order.path[0], FAR):
                yield order
