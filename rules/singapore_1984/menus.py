"""Orders for a menu: of marches the places within reach, of attacks one hex at a time. Each of them is legal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from itertools import combinations

from pbem.api import Ask, Known, Order
from rules.kit.hexes import Direction, Hex
from rules.kit.search import way
from rules.singapore_1984 import (
    air,
    combat,
    crowding,
    falling_back,
    fighting,
    following,
    interception,
    island,
    judging,
    losses,
    movement,
    reinforcement,
    retreat,
    sea,
    sequence,
    stacking,
    works,
)
from rules.singapore_1984.listing import Evacuation, Fort, Listing, Subs, Superiority, Unfort, Use
from rules.singapore_1984.orders import (
    Advance,
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
from rules.singapore_1984.state import CW, JP, POOL, SINGAPORE, Sail, State, foe
from rules.singapore_1984.written import ITEMS


def offers(s: State, seat: str, known: Known) -> Iterator[Order]:
    """Orders that may be given now, each of them legal."""
    side: Player = "jp" if seat == JP else "cw"
    for ask in sequence.pending(s):
        if isinstance(ask, Ask) and ask.seat == seat and ask.client is None:
            if ask.what == "options":
                yield Listing(side=side)
                yield Listing(side=side, listed=BOUGHT[side])
                return
            hand = frozenset(listed(s, side, known))
            then = mustered(s, hand)
            for order in OFFERS[ask.what](then):
                if isinstance(order, Move) or judging.refuse(then, seat, order) is None:
                    yield order
            if isinstance(s.sail, Sail) and "13.6" in hand | opened(s):
                for where, port in interception.chances(s):
                    if sea.coast(s, port) == "w":
                        yield Subs(where=where, port=port)
            yield from (Use(item=item) for item in ITEMS[side] if item in hand and useful(s, item))


def opened(s: State) -> frozenset[str]:
    """What was shown to be listed."""
    return frozenset(item for item, content in s.opened.items() if content != "no")


def listed(s: State, side: Player, known: Known) -> Iterator[str]:
    """What the side listed and has not shown."""
    for item in ITEMS[side]:
        slot = s.slots.get(item)
        if slot is not None and item not in s.opened and known.get(slot, "no") != "no":
            yield item


def useful(s: State, item: str) -> bool:
    """Whether showing it does something now; units are shown as they enter, but for one that begins on the map."""
    if item in s.board.units:
        return bool(s.step == "muster" and s.board.units[item].start)
    return item != "13.3" or s.step == "muster"


def mustered(s: State, hand: frozenset[str]) -> State:
    """The state as the owner of these sealed units may think of it: those that are due wait to enter."""
    due = [id for id in hand if id in s.pieces and 0 < s.board.units[id].turn <= s.turn]
    if not due or s.step not in ("reinforce", "move") or s.battle is not None or s.sail is not None:
        return s
    then = deepcopy(s)
    for id in due:
        then.change(id, at=POOL)
    return then


FACING: tuple[tuple[Direction, ...], ...] = (("n", "ne", "nw"), ("n", "ne", "se"))
"""Sides that are fortified, toward the north."""
BOUGHT: Mapping[Player, tuple[str, ...]] = {
    "jp": ("113/56", "AR7", "13.8/2-3"),
    "cw": ("16AUS", "3BR", "13.4", "13.5", "13.6", "13.7", "13.8/2-2"),
}
"""A list that shows every kind of option."""


def _declare(s: State) -> Iterator[Order]:
    yield Declare()
    yield End()


def _deploy(s: State) -> Iterator[Order]:
    side: Player = "cw" if s.step == "deploy-cw" else "jp"
    hexes = s.board.region("island") if side == CW else _shores(s)
    for unit in s.on_map(side):
        yield from (Deploy(unit=unit, hex=hex) for hex in hexes)
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
    if works.may_build(s) and s.on("13.44"):
        for hex in sorted(s.occupied(CW)):
            yield from (Fort(hex=hex, sides=sides) for sides in FACING)
    yield End()


def _move(s: State) -> Iterator[Order]:
    for unit in s.on_map(s.active):
        piece = s.pieces[unit]
        if s.at_sea(unit) and s.pulse:
            yield from (Ashore(unit=unit, hex=hex) for hex in s.board.neighbours(piece.at))
        if piece.moved or s.at_sea(unit) or not s.acts(unit):
            continue
        found = movement.walkable(s, unit, s.allowance(unit))
        for hex in found:
            if hex != piece.at and movement.refuse_end(s, unit, hex) is None:
                yield Move(unit=unit, path=way(found, hex)[1:])
        if s.active == CW and sea.coast(s, piece.at):
            yield Withdraw(unit=unit, port=piece.at)
    if s.active == JP and not s.pulse:
        yield from _sail(s)
    yield End()


def _sail(s: State) -> Iterator[Order]:
    ports = sorted(hex for hex in s.board.ports if s.board.places[hex].coast)
    held = s.occupied(CW)
    for unit in s.pieces:
        if s.side(unit) != JP or s.pieces[unit].moved or s.pieces[unit].at in ("dead", "out", "sealed"):
            continue
        at = s.pieces[unit].at
        origin = "off" if at in ("pool", "off") else at
        if origin != "off" and origin not in ports:
            continue
        for port in ports:
            if s.control[port] == JP:
                yield Sea(unit=unit, origin=origin, port=port)
            elif port in held:
                for hex in s.board.neighbours(port):
                    if s.board.is_sea(hex):
                        yield Assault(unit=unit, origin=origin, port=port, at=hex)
            else:
                yield Land(unit=unit, origin=origin, port=port)


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
    for unit in s.on_map(JP) if s.active == JP else ():
        near = sorted(island.beside_strait(s, unit))
        for number in range(2, len(near) + 1):
            yield from (Attack(hexes=hexes, units=(unit,)) for hexes in combinations(near, number))


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
    party = falling_back.party(s, b)
    for one in b.units:
        if s.pieces[one].at == b.hex:
            found = retreat.ways(s, one, falling_back.hexes_due(b), party)
            yield from (Retreat(unit=one, path=path) for path in (*found.paths, *falling_back.landfalls(s, b, one)))
            if found.crowded:
                yield from (
                    Displace(unit=friend, hex=hex)
                    for full in retreat.crowds(s, s.side(one), [path[-1] for path in found.paths], party)
                    for friend in s.at(full, s.side(one))
                    for hex in retreat.displaced(s, friend, party)
                )
            if found.crowded or not found.paths:
                yield Stand(unit=one)
    yield from falling_back.evacuations(s, b)
    yield from (Stand(unit=one) for one in falling_back.ashore(s, b)[:1])


def _lose(s: State) -> Iterator[Order]:
    return (Lose(unit=unit) for unit in losses.losers(s, s.battle)) if s.battle else iter(())


def _advance(s: State) -> Iterator[Order]:
    if s.battle:
        yield from (Advance(unit=unit, hex=hex) for unit, hex in following.advances(s, s.battle))
    yield Hold()


def _return(s: State) -> Iterator[Order]:
    for unit in following.going_back(s, s.battle) if s.battle else ():
        yield from (Return(unit=unit, port=port) for port in following.returns(s, unit))


def _intercept(s: State) -> Iterator[Order]:
    yield NoIntercept()
    yield from (Intercept(where=where, port=port) for where, port in interception.chances(s))


def _airz(s: State) -> Iterator[Order]:
    yield AirZ(use="no")
    yield AirZ(use="yes")


def _muster(s: State) -> Iterator[Order]:
    yield End()


def _airsup(s: State) -> Iterator[Order]:
    yield from (Superiority(air=points) for points in sorted({0, min(air.left(s, JP), air.left(s, CW))}))


def _airevac(s: State) -> Iterator[Order]:
    yield from (Evacuation(air=points) for points in sorted({0, air.left(s, CW)}))


def _record(s: State) -> Iterator[Order]:
    yield from (Unfort(hex=hex) for hex in sorted(s.forts))
    yield End()


OFFERS = {
    "muster": _muster,
    "airsup": _airsup,
    "airevac": _airevac,
    "record": _record,
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
