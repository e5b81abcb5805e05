"""Supply: from the edge of the map to headquarters, and from headquarters to units. [7.0 to 7.4]"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property, lru_cache
from heapq import heappop, heappush
from itertools import chain

from rules.kit.asked import Asked
from rules.kit.hexes import Hex, Side
from rules.tiger_of_malaya.components import Board
from rules.tiger_of_malaya.hexsides import WHOLE, beside, intact, open_side
from rules.tiger_of_malaya.places import places
from rules.tiger_of_malaya.state import ALLIES, JAPAN, State, foe, of

Steps = tuple[tuple[int, list[Hex]], ...]
"""Hexes from which a path may come, by what it counts there."""


@lru_cache(maxsize=32)
def land(board: Board, side: str, destroyed: frozenset[Side]) -> Mapping[Hex, Steps]:
    """From where a supply path may come to each hex, and what it counts for leaving there."""

    def steps(hex: Hex) -> Steps:
        found: dict[int, list[Hex]] = {}
        for there, edge in board.land_beside(hex):  # [R33]
            if not edge.water or open_side(destroyed, hex, there, edge, True):
                # [7.1.C, R32]
                short = side == JAPAN or intact(destroyed, there, hex, edge)
                found.setdefault(1 if short else board.supply_count(there), []).append(there)
        return tuple(found.items())

    if not destroyed:
        return Asked(steps)
    whole, near = land(board, side, WHOLE), beside(destroyed)
    return Asked(lambda hex: steps(hex) if hex in near else whole[hex])


@lru_cache(maxsize=32)
def roads(board: Board, destroyed: frozenset[Side]) -> Mapping[Hex, tuple[Hex, ...]]:
    """Where road or railroad leads from each hex."""

    def steps(hex: Hex) -> tuple[Hex, ...]:
        near = board.land_beside(hex) if hex in board.network else ()
        return tuple(there for there, edge in near if intact(destroyed, hex, there, edge))

    if not destroyed:
        return Asked(steps)
    whole, near = roads(board, WHOLE), beside(destroyed)
    return Asked(lambda hex: steps(hex) if hex in near else whole[hex])


class Paths:
    """How long the path from every hex to the nearest of some is: its own hex counts, the last does not.

    They are followed ring by ring, and only as far as somebody asks.
    """  # [R31, 7.1.B, 7.2.B]

    def __init__(self, land: Mapping[Hex, Steps], shut: frozenset[Hex], starts: Iterable[Hex]) -> None:
        self._land, self._shut = land, shut
        self._found: dict[Hex, int] = {}
        self._cost, self._rings = 0, defaultdict[int, set[Hex]](set, {0: set(starts)})

    def _follow(self) -> None:
        land, cost, rings = self._land, self._cost, self._rings
        ring = rings.pop(cost, set()).difference(self._found).difference(self._shut if cost else ())
        self._found.update(dict.fromkeys(ring, cost))
        for hex in ring:
            for more, hexes in land[hex]:
                rings[cost + more].update(hexes)
        self._cost += cost not in rings

    def length(self, hex: Hex, limit: int | None = None) -> int | None:
        """How long it is; None where there is none of at most `limit`."""
        while hex not in self._found and self._rings and (limit is None or self._cost <= limit):
            self._follow()
        found = self._found.get(hex)
        return found if found is None or limit is None or found <= limit else None

    def within(self, limit: int) -> Mapping[Hex, int]:
        """All that are not longer."""
        while self._rings and self._cost <= limit:
            self._follow()
        return {hex: cost for hex, cost in self._found.items() if cost <= limit}


class Lines:
    """The paths of one side where some hexes are shut and some bridges down."""

    def __init__(self, board: Board, side: str, shut: frozenset[Hex], destroyed: frozenset[Side]) -> None:
        self.board, self.side, self.shut = board, side, shut
        self.land, self.roads = land(board, side, destroyed), roads(board, destroyed)
        self._paths: dict[frozenset[Hex], Paths] = {}
        self._linked: dict[Hex, bool] = {}

    def paths(self, starts: Iterable[Hex]) -> Paths:
        """The paths to these hexes."""
        key = frozenset(starts)
        if key not in self._paths:
            self._paths[key] = Paths(self.land, self.shut, key)
        return self._paths[key]

    def linked(self, hexes: Iterable[Hex], held: Collection[Hex]) -> frozenset[Hex]:
        """Those of these hexes where a headquarters would be in supply; `held` is the land of Japan."""
        if self.side == JAPAN:
            edge = frozenset(end for end in self.board.region("north-edge") if end in held and end not in self.shut)
            return frozenset(hex for hex in dict.fromkeys(hexes) if self._to_the_edge(hex, edge))
        return frozenset(hex for hex in dict.fromkeys(hexes) if self._to_a_terminal(hex))

    def _to_the_edge(self, hex: Hex, edge: frozenset[Hex]) -> bool:
        """A path of any length to a hex of the northern edge that Japan holds; on the east coast none is needed."""
        # [7.2.D/1, 7.2.D/2, R35]
        if self.board.has("east-coast", hex):
            return True
        seen, todo = {hex}, [(hex[2:], hex)]  # the northernmost first
        while todo:
            _, here = heappop(todo)
            if here in edge:
                return True
            for _, hexes in self.land[here]:
                for there in hexes:
                    if there not in seen and there not in self.shut:
                        seen.add(there)
                        heappush(todo, (there[2:], there))
        return False

    def _to_a_terminal(self, hex: Hex) -> bool:
        if hex not in self._linked:
            self._linked[hex] = self._find_terminal(hex)
        return self._linked[hex]

    def _find_terminal(self, hex: Hex) -> bool:
        """Six hexes at most, one stretch of road among them for nothing."""  # [7.1.E/2, 7.1.E/3, R34]
        limit, rest = self.board.game.hq_path, self._rest
        spent, todo = {hex: 0}, [(0, hex)]
        while todo:
            cost, here = heappop(todo)
            if cost + rest.get(here, limit + 1) <= limit:
                return True
            if cost > spent[here]:
                continue
            for there in chain.from_iterable(hexes for _, hexes in self.land[here]):
                if there in self.shut:
                    continue
                more = cost + (1 if there in self.roads[here] else self.board.supply_count(here))
                if more <= limit and more < spent.get(there, limit + 1):
                    spent[there] = more
                    heappush(todo, (more, there))
        return False

    @cached_property
    def _rest(self) -> Mapping[Hex, int]:
        """What is left to count to a terminal: across country, or first along the road that leads so near to one."""
        limit, shut, roads = self.board.game.hq_path, self.shut, self.roads
        terminals = [end for end in self.board.region("terminals") if end not in shut]
        found = {**self.paths(terminals).within(limit), **dict.fromkeys(terminals, 0)}
        along: set[Hex] = set()
        for start in sorted(found, key=lambda hex: (found[hex], hex)):
            todo = [] if start in along else [start]
            while todo:
                for there in roads[todo.pop()]:
                    if there not in along and there not in shut:
                        along.add(there)
                        found[there] = min(found.get(there, limit), found[start])
                        todo.append(there)
        return found


known = lru_cache(maxsize=64)(Lines)


def lines(s: State, side: str) -> Lines:
    """The paths of a side as the units stand now: an enemy shuts a hex, and so does his zone
    where no friend is, be it a truck.
    """
    # [7.1.A, 7.1.D, 7.2.C, 7.3.A, R33]
    now = places(s)
    return known(s.board, side, now.anybody(foe(side)) | (now.zone(foe(side)) - now.anybody(side)), s.destroyed)


def supplied_hqs(s: State, side: str) -> list[Hex]:
    """Where headquarters of a side stand that are in supply by their flag."""
    return [piece.at for id, piece in of(s, side) if piece.supplied and s.board.kind(id) == "headquarters"]


def immune(s: State, side: str) -> bool:
    """The Allies are in supply in the first turns whatever happens."""  # [14.1.2.A, R36]
    return side == ALLIES and s.turn <= s.board.scenario.supplied_turns  # [14.1.2.A, 14.2.2.A, 14.3.2.A, 14.4.2.A]


def judge(s: State, *, afresh: bool) -> None:
    """Headquarters, then all others; `afresh` at the start of a turn, else only who is out. [3.1.2, 7.0, R30]"""
    for side in (JAPAN, ALLIES):
        # [7.0.A, 7.0.B, 7.0.C, 3.1.2, R30]
        todo = [(id, piece) for id, piece in of(s, side) if afresh or not piece.supplied]
        todo = [(id, piece) for id, piece in todo if s.board.is_land(piece.at)]  # [11.6.D, R37]
        if not todo:
            continue
        if immune(s, side):
            for _, piece in todo:
                piece.supplied = True
            continue
        net = lines(s, side)
        hqs = [piece for id, piece in todo if s.board.kind(id) == "headquarters"]
        linked = net.linked((piece.at for piece in hqs), s.held)
        for piece in hqs:
            piece.supplied = piece.at in linked  # [7.3.A, 11.2]
        # [7.1.A, 7.1.E/1, 7.2.A, 7.3.B]
        paths, limit = net.paths(supplied_hqs(s, side)), s.board.game.unit_path
        for id, piece in todo:
            if s.board.kind(id) != "headquarters":
                piece.supplied = paths.length(piece.at, limit) is not None


def traced(s: State, side: str) -> Callable[[str], bool]:
    """Who would be in supply if all were judged now, headquarters by where they stand."""  # [R18]
    net = lines(s, side)
    linked = net.linked((piece.at for id, piece in of(s, side) if s.board.kind(id) == "headquarters"), s.held)
    paths, limit = net.paths(linked), s.board.game.unit_path

    def served(unit: str) -> bool:
        hex = s.pieces[unit].at
        return hex in linked if s.board.kind(unit) == "headquarters" else paths.length(hex, limit) is not None

    return served
