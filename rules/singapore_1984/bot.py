"""A player that looks one order ahead: goes toward the enemy and his ports, attacks where the table is kind.

`offers` lists what may be ordered; of marches the places within reach, of attacks one hex at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pbem.api import Ask, Order
from rules.kit.hexes import Hex
from rules.kit.search import way
from rules.singapore_1984 import (
    air,
    combat,
    crowding,
    falling_back,
    fighting,
    following,
    judging,
    losses,
    movement,
    reinforcement,
    retreat,
    sea,
    sequence,
    stacking,
)
from rules.singapore_1984.orders import (
    AirZ,
    Ashore,
    Assault,
    Attack,
    Beach,
    Declare,
    Defend,
    Deploy,
    Displace,
    End,
    Hold,
    Intercept,
    Land,
    Lose,
    Move,
    NoIntercept,
    Place,
    Reduce,
    Remove,
    Resolve,
    Retreat,
    Return,
    Sea,
    Sealand,
    Stand,
    Transfer,
    Withdraw,
)
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import CW, JP, SINGAPORE, State, foe

if TYPE_CHECKING:
    import random


def offers(s: State, seat: str) -> Iterator[Order]:
    """Orders that may be given now, each of them legal."""
    for ask in sequence.pending(s):
        if isinstance(ask, Ask) and ask.seat == seat:
            for order in OFFERS[ask.what](s):
                if judging.refuse(s, seat, order) is None:
                    yield order


def _declare(s: State) -> Iterator[Order]:
    yield Declare()
    yield End()


def _deploy(s: State) -> Iterator[Order]:
    side: Player = "cw" if s.step == "deploy-cw" else "jp"
    hexes = s.board.region("island") if side == CW else _shores(s)
    for unit in s.on_map(side):
        yield from (Deploy(unit=unit, hex=hex) for hex in hexes)
    if side == JP:
        yield End()


def _shores(s: State) -> tuple[Hex, ...]:
    return tuple(hex for large in s.board.region("facing") for hex in s.board.region(f"from-{large}"))


def _beach(s: State) -> Iterator[Order]:
    yield Beach(what="stay")
    yield Beach(what="withdraw")


def _reinforce(s: State) -> Iterator[Order]:
    entries = s.board.region("north-edge") if s.active == JP else (SINGAPORE, "i2105")
    if s.pulse and s.active == JP:
        for unit in s.on_map(JP):
            yield from (Transfer(unit=unit, hex=hex) for hex in _shores(s))
            if sea.coast(s, s.pieces[unit].at):
                at = s.pieces[unit].at
                yield from (Sealand(unit=unit, origin=at, hex=hex) for hex in s.board.region("landing-sea"))
    for unit in reinforcement.arrivals(s):
        yield from (Place(unit=unit, hex=hex) for hex in entries)
    yield End()


def _move(s: State) -> Iterator[Order]:
    for unit in s.on_map(s.active):
        piece = s.pieces[unit]
        if s.at_sea(unit) and s.pulse:
            yield from (Ashore(unit=unit, hex=hex) for hex in s.board.neighbours(piece.at))
        if piece.moved or s.at_sea(unit):
            continue
        found = movement.walkable(s, unit, s.face(unit).allowance)
        yield from (Move(unit=unit, path=way(found, hex)[1:]) for hex in found if hex != piece.at)
        if s.active == CW and sea.coast(s, piece.at):
            yield Withdraw(unit=unit, port=piece.at)
    if s.active == JP and not s.pulse:
        yield from _sail(s)
    yield End()


def _sail(s: State) -> Iterator[Order]:
    ports = sorted(hex for hex in s.board.ports if s.board.places[hex].coast)
    for unit in s.pieces:
        if s.side(unit) != JP or s.pieces[unit].moved:
            continue
        at = s.pieces[unit].at
        origin = "off" if at in ("pool", "off") else at
        if origin != "off" and origin not in ports:
            continue
        for port in ports:
            yield Sea(unit=unit, origin=origin, port=port)
            yield Land(unit=unit, origin=origin, port=port)
            for hex in s.board.neighbours(port):
                yield Assault(unit=unit, origin=origin, port=port, at=hex)


def _crowd(s: State) -> Iterator[Order]:
    side = crowding.crowd(s)
    for hex in stacking.over(s, side) if side else ():
        for unit in s.at(hex, side):
            yield Reduce(unit=unit)
            yield Remove(unit=unit)


def _attack(s: State) -> Iterator[Order]:
    yield from attacks(s)
    yield End()


def attacks(s: State) -> Iterator[Attack]:
    """For each enemy hex all that may attack it, alone and with the air points that help."""
    for hex in sorted(s.occupied(foe(s.active))):
        able = [
            id
            for near in s.board.neighbours(hex)
            for id in s.at(near, s.active)
            if combat.refuse_attack(s, (hex,), (id,), 99) is None
        ]
        if able:
            yield Attack(hexes=(hex,), units=tuple(able))
            points = air.left(s, s.active)
            for some in sorted({points, min(points, 3)} - {0}):
                yield Attack(hexes=(hex,), units=tuple(able), air=some)


def _defend(s: State) -> Iterator[Order]:
    for attack in s.attacks:
        yield Defend(hex=attack.hexes[0], air=min(3, max(1, air.left(s, foe(s.active)))))
    yield End()


def _resolve(s: State) -> Iterator[Order]:
    for attack in s.attacks:
        yield Resolve(hex=attack.hexes[0])
        if fighting.free_mode(s, attack):
            yield Resolve(hex=attack.hexes[0], mode="assault")


def _retreat(s: State) -> Iterator[Order]:
    b = s.battle
    if b is None:
        return
    unit = next(id for id in b.units if s.pieces[id].at == b.hex)
    for one in b.units:
        if s.pieces[one].at == b.hex:
            found = retreat.ways(s, one, int(b.stages[0].split()[2]), falling_back.party(s, b))
            yield from (Retreat(unit=one, path=path) for path in found.paths)
            if found.crowded:
                yield from (
                    Displace(unit=friend, hex=hex)
                    for path in found.paths
                    for friend in s.at(path[-1], s.side(unit))
                    for hex in retreat.displaced(s, friend, falling_back.party(s, b))
                )
                yield Stand(unit=one)
    yield from falling_back.evacuations(s, b)


def _lose(s: State) -> Iterator[Order]:
    return (Lose(unit=unit) for unit in losses.losers(s, s.battle)) if s.battle else iter(())


def _advance(s: State) -> Iterator[Order]:
    if s.battle:
        yield from following.advances(s, s.battle)
    yield Hold()


def _return(s: State) -> Iterator[Order]:
    for unit in s.battle.attack.units if s.battle else ():
        if s.at_sea(unit):
            yield from (Return(unit=unit, port=port) for port in following.returns(s, unit))


def _intercept(s: State) -> Iterator[Order]:
    yield NoIntercept()
    yield from (Intercept(where=where, port=port) for where, port in sea.chances(s))  # type: ignore[arg-type]


def _airz(s: State) -> Iterator[Order]:
    yield AirZ(use="no")
    yield AirZ(use="yes")


OFFERS = {
    "declare": _declare,
    "deploy": _deploy,
    "beach": _beach,
    "reinforce": _reinforce,
    "move": _move,
    "crowd": _crowd,
    "attack": _attack,
    "defend": _defend,
    "resolve": _resolve,
    "retreat": _retreat,
    "lose": _lose,
    "advance": _advance,
    "return": _return,
    "intercept": _intercept,
    "airz": _airz,
}


def sample(s: State, ask: Ask, rng: random.Random) -> Order:
    """Mostly a sensible order, sometimes any."""
    found = list(offers(s, ask.seat))
    ends = [order for order in found if isinstance(order, End | Hold)]
    if ask.what == "deploy" and not found:
        return End()
    if ends and rng.randrange(8) == 0:
        return ends[0]
    if ask.what == "move":
        return _march(s, found, rng)
    if ask.what == "attack":
        return next((o for o in found if isinstance(o, Attack) and _kind(s, o)), End())
    return rng.choice(found)


def _kind(s: State, order: Attack) -> bool:
    """Whether the column is one of the better half, or a landing has no choice."""
    column = combat.column(s, order.hexes, order.units, order.air or 0, 0)
    return (column is not None and column >= 6) or any(s.at_sea(id) for id in order.units)


def _march(s: State, found: list[Order], rng: random.Random) -> Order:
    """Japan toward Singapore and the enemy, the Commonwealth back toward it when threatened."""
    moves = [order for order in found if not isinstance(order, End)]
    if not moves:
        return End()
    some = rng.sample(moves, min(12, len(moves)))
    return min(some, key=lambda order: _far(s, order))


def _far(s: State, order: Order) -> int:
    end: Hex = SINGAPORE
    if isinstance(order, Move):
        start, there = s.pieces[order.unit].at, order.path[-1]
        if start.startswith("i"):
            end = "i2004"
        gain = s.board.distance(start, end) - s.board.distance(there, end)
        return -gain if s.active == JP else abs(gain)
    return 0 if isinstance(order, Sea | Land | Assault) else 9
