"""Ways of retreat: which hexes, in which order of preference, and what a stack loses that has none. [9.53 to 9.59]"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from rules.kit.hexes import Hex
from rules.singapore_1984 import movement, stacking, supply
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import CW, JP, SINGAPORE, State, foe
from rules.singapore_1984.zones import zone


class Ways(NamedTuple):
    """The ways a unit may choose from, how many hexes they lack, and whether a friend must make room at their end."""

    paths: tuple[tuple[Hex, ...], ...]
    missing: int
    crowded: bool = False


def ways(s: State, unit: str, hexes: int, party: Iterable[str]) -> Ways:
    """How a unit can retreat so many hexes; `party` are the units of the same retreat. [9.53, R39, R40, R41]

    Whole ways come first, then whole ways that end where a friend must make room, then the longest part of one.
    """
    key = ("ways", unit, hexes, frozenset(party))
    found: Ways | None = s.seen.both.get(key)
    if found is None:
        found = s.seen.both[key] = _ways(s, unit, hexes, key[-1])
    return found


def _ways(s: State, unit: str, hexes: int, party: frozenset[str]) -> Ways:
    if crosses(s, unit):  # [9.59b, R43]: one hex satisfies any number
        direct = ((SINGAPORE,),)
        whole = _best(s, unit, [p for p in _paths(s, unit, hexes, party) if _ends(s, unit, p)])
        return Ways(tuple(dict.fromkeys(direct + whole)), 0)
    found = list(_paths(s, unit, hexes, party))
    whole = _best(s, unit, [path for path in found if _ends(s, unit, path)])
    if whole:
        return Ways(whole, 0)
    roomy = {end for end in {path[-1] for path in found} if _can_make_room(s, unit, end, party)}
    crowded = _best(s, unit, [path for path in found if path[-1] in roomy])
    if crowded:
        return Ways(crowded, 0, True)
    for fewer in range(hexes - 1, 0, -1):  # [9.53d]
        part = _best(s, unit, [path for path in _paths(s, unit, fewer, party) if _ends(s, unit, path)])
        if part:
            return Ways(part, hexes - fewer)
    return Ways((), hexes)


def crosses(s: State, unit: str) -> bool:
    """Whether a Commonwealth unit may go over to Singapore from where it stands, whatever is asked. [9.59b]"""
    return s.side(unit) == CW and s.board.has("facing", s.pieces[unit].at) and not s.assault


def _ends(s: State, unit: str, path: tuple[Hex, ...]) -> bool:
    """Whether it may end there without a crowd. [9.57a]"""
    return stacking.room(s, path[-1], unit)


def _can_make_room(s: State, unit: str, hex: Hex, party: frozenset[str]) -> bool:
    """Whether one friend there has a way of its own of one hex, or could have one. [9.57b, 9.57c, R41]"""
    return any(able for _, able in _makes_room(s, s.side(unit), (hex,), party))


def crowds(s: State, side: Player, ends: Iterable[Hex], party: Iterable[str]) -> tuple[Hex, ...]:
    """Where friends may be displaced so that room comes to be in one of these hexes.

    Where nobody in a hex can go, friends in the hexes to which one of them would go make room in turn. [9.57b]
    """
    return tuple(hex for hex, _ in _makes_room(s, side, ends, frozenset(party)))


def _makes_room(s: State, side: Player, ends: Iterable[Hex], party: frozenset[str]) -> Iterator[tuple[Hex, bool]]:
    """The same hexes, each with whether a friend there can go. [9.57b]"""
    found = list(dict.fromkeys(ends))
    for hex in found:
        friends = [id for id in s.at(hex, side) if id not in party]
        able = any(displaced(s, friend, party) for friend in friends)
        yield hex, able
        if not able:
            further = [path[0] for friend in friends for path in _best(s, friend, _aside(s, friend, party))]
            found += [there for there in dict.fromkeys(further) if there not in found]


def displaced(s: State, unit: str, party: Iterable[str]) -> tuple[Hex, ...]:
    """The hexes a unit may be displaced to: one hex, by the rules of retreat; it is part of that retreat. [R40, R41]"""
    key = ("displaced", unit, frozenset(party))
    found: tuple[Hex, ...] | None = s.seen.both.get(key)
    if found is None:
        ways = _best(s, unit, [path for path in _aside(s, unit, key[-1]) if _ends(s, unit, path)])
        found = s.seen.both[key] = tuple(path[0] for path in ways)
    return found


def _aside(s: State, unit: str, party: frozenset[str]) -> list[tuple[Hex, ...]]:
    """Every way of one hex, full or not."""
    return list(_paths(s, unit, 1, party | {unit}))


def _paths(s: State, unit: str, hexes: int, party: frozenset[str]) -> Iterator[tuple[Hex, ...]]:
    """Every way of this length that breaks no rule, wherever it leads. [9.54, 9.55, 9.56]"""
    side, start = s.side(unit), s.pieces[unit].at
    watched, enemies, entries = zone(s, foe(side)), s.occupied(foe(side)), enter_from(s, unit)

    def shut(hex: Hex) -> bool:
        """An enemy is there, or his zone and no friend but those of this retreat. [9.54, R40]"""
        return hex in enemies or (hex in watched and party.issuperset(s.at(hex, side)))

    def go(path: tuple[Hex, ...]) -> Iterator[tuple[Hex, ...]]:
        if len(path) == hexes + 1:
            if stops(s, unit, path[-1]):
                yield path[1:]
            return
        here = path[-1]
        exit = leaves(s, here, side)
        if exit is not None and not shut(exit):
            yield (*path[1:], exit)  # [11.56]: off the inset, and no farther
        for there in entries(here):  # [9.55]
            if there not in path and not shut(there):  # [9.54, 9.56]
                yield from go((*path, there))

    yield from go((start,))


def leaves(s: State, hex: Hex, side: Player) -> Hex | None:
    """The large-map hex to which a Japanese unit may fall back from the shore of the inset. [11.56]"""
    if side != JP or not hex.startswith("i"):
        return None
    return next((large for large in s.board.region("facing") if s.board.has(f"from-{large}", hex)), None)


def stops(s: State, unit: str, hex: Hex) -> bool:
    """Whether the unit may end a retreat or an advance there: armor not on the Causeway. [11.44b]"""
    return movement.refuse_end(s, unit, hex) is None


def enter_from(s: State, unit: str) -> Callable[[Hex], Iterator[Hex]]:
    """From a hex to those that the unit could enter by normal movement, with its whole allowance. [9.55, 9.63]"""
    board, side, most = s.board, s.side(unit), s.allowance(unit)
    armor, river = board.units[unit].arm == "armor", s.rivers(side)
    island = SINGAPORE if side == JP or s.assault else ""  # [R22, 11.0k]

    def entries(here: Hex) -> Iterator[Hex]:
        for there, points, linked, wet in board.exits(here, side):
            if (points + river if wet else points) > most or there == island or (armor and not linked):
                continue
            if not board.is_strait(there) and movement.refuse_water(s, unit, there) is None:  # [11.43c, 11.44a]
                yield there

    return entries


def _best(s: State, unit: str, found: list[tuple[Hex, ...]]) -> tuple[tuple[Hex, ...], ...]:
    """The ways that keep the order of preference toward one of the sources. [9.53a, 9.53b, 9.53c, R39]

    At each step a hex nearer to the source, else one as near, else farther; among these the cheapest. To leave the
    inset is as good as any other step. [11.56, R90]
    """
    if len(found) < 2:
        return tuple(found)
    start, side = s.pieces[unit].at, s.side(unit)
    best: dict[tuple[Hex, ...], None] = {}
    for source in sorted(_sources(s, side, start)):
        ranked = [(_rank(s, side, start, path, source), path) for path in found]
        for n in range(max(len(rank) for rank, _ in ranked)):
            least = min((rank[n] for rank, _ in ranked if len(rank) > n), default=None)  # [9.53c]
            ranked = [(rank, path) for rank, path in ranked if len(rank) <= n or rank[n] == least]
        best.update((path, None) for _, path in ranked)
    return tuple(best) or tuple(found)


def _sources(s: State, side: Player, hex: Hex) -> frozenset[Hex]:
    inset = hex.startswith("i")
    return supply.sources(s, side, inset)


def _rank(s: State, side: Player, start: Hex, path: tuple[Hex, ...], source: Hex) -> tuple[tuple[int, int], ...]:
    rank, here, cost, distance = [], start, s.cost, s.board.distance
    for there in path:
        if there[0] != source[0] and "i" in (there[0], source[0]):  # off the inset
            break
        before, after = distance(here, source), distance(there, source)
        rank.append(((after > before) - (after < before), cost(here, there, side) or 0))
        here = there
    return tuple(rank)
