"""Supply: from the edge of the map to headquarters, and from headquarters to units. [7.0 to 7.4]"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from heapq import heappop, heappush

from rules.kit.asked import Asked
from rules.kit.hexes import Hex, Side
from rules.tiger_of_malaya.components import Board
from rules.tiger_of_malaya.hexsides import intact, open_side
from rules.tiger_of_malaya.places import places
from rules.tiger_of_malaya.state import ALLIES, JAPAN, State, foe, of

Steps = tuple[tuple[Hex, int], ...]


@lru_cache(maxsize=32)
def land(board: Board, side: str, destroyed: frozenset[Side]) -> Mapping[Hex, Steps]:
    """From where a supply path may come to each hex, and what it counts for leaving there."""

    def steps(hex: Hex) -> Iterator[tuple[Hex, int]]:
        for there, edge in board.land_beside(hex):  # [R33]
            if not edge.water or open_side(destroyed, hex, there, edge, True):
                # [7.1.C, R32]
                short = side == JAPAN or intact(destroyed, there, hex, edge)
                yield there, 1 if short else board.supply_count(there)

    return Asked(lambda hex: tuple(steps(hex)))


@lru_cache(maxsize=32)
def roads(board: Board, destroyed: frozenset[Side]) -> Mapping[Hex, tuple[Hex, ...]]:
    """Where road or railroad leads from each hex."""
    return Asked(lambda hex: tuple(there for there, edge in board.beside(hex) if intact(destroyed, hex, there, edge)))


class Lines:
    """The paths of one side where some hexes are shut and some bridges down."""

    def __init__(self, board: Board, side: str, shut: frozenset[Hex], destroyed: frozenset[Side]) -> None:
        self.board, self.side, self.shut = board, side, shut
        self.land, self.roads = land(board, side, destroyed), roads(board, destroyed)
        self._far: dict[tuple[tuple[Hex, ...], int | None], Mapping[Hex, int]] = {}
        self._linked: dict[Hex, bool] = {}

    def far(self, starts: Iterable[Hex], limit: int | None = None) -> Mapping[Hex, int]:
        """How long the path from every hex to the nearest of these is: its own hex counts, the last does not."""
        # [R31]
        key = tuple(starts), limit
        if key not in self._far:
            self._far[key] = self._reach(*key)
        return self._far[key]

    def _reach(self, starts: tuple[Hex, ...], limit: int | None) -> dict[Hex, int]:
        """Ring by ring."""  # [7.1.B, 7.2.B]
        land, shut, found = self.land, self.shut, dict[Hex, int]()
        rings: list[list[Hex]] = [list(starts)]
        for cost, ring in enumerate(rings):
            for hex in ring:
                if hex in found:
                    continue
                found[hex] = cost
                for there, more in land[hex]:
                    if there not in found and there not in shut and (limit is None or cost + more <= limit):
                        while len(rings) <= cost + more:
                            rings.append([])
                        rings[cost + more].append(there)
        return found

    def linked(self, hexes: Iterable[Hex], held: Collection[Hex]) -> frozenset[Hex]:
        """Those of these hexes where a headquarters would be in supply; `held` is the land of Japan."""
        if self.side == JAPAN:
            ends = frozenset(end for end in self.board.region("north-edge") if end in held and end not in self.shut)
            return frozenset(hex for hex in dict.fromkeys(hexes) if self._to_the_edge(hex, ends))
        return frozenset(hex for hex in dict.fromkeys(hexes) if self._to_a_terminal(hex))

    def _to_the_edge(self, hex: Hex, ends: frozenset[Hex]) -> bool:
        """A path of any length to a hex of the northern edge that Japan holds; on the east coast none is needed."""
        # [7.2.D/1, 7.2.D/2, R35]
        if self.board.has("east-coast", hex):
            return True
        seen, todo = {hex}, [(hex[2:], hex)]  # the northernmost first
        while todo:
            _, here = heappop(todo)
            if here in ends:
                return True
            for there, _ in self.land[here]:
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
            for there, _ in self.land[here]:
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
        ends = [end for end in self.board.region("terminals") if end not in shut]
        found = {**self.far(ends, limit), **dict.fromkeys(ends, 0)}
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
    return [piece.at for id, piece in of(s, side) if s.board.kind(id) == "headquarters" and piece.supplied]


def immune(s: State, side: str) -> bool:
    """The Allies are in supply in the first turns whatever happens."""  # [14.1.2.A, R36]
    return side == ALLIES and s.turn <= s.board.scenario.supplied_turns  # [14.1.2.A, 14.2.2.A, 14.3.2.A, 14.4.2.A]


def judge(s: State, *, afresh: bool) -> None:
    """Headquarters, then all others; `afresh` at the start of a turn, else only who is out. [3.1.2, 7.0, R30]"""
    for side in (JAPAN, ALLIES):
        # [7.0.A, 7.0.B, 7.0.C, 3.1.2, R30]
        ashore = ((id, piece) for id, piece in of(s, side) if s.board.is_land(piece.at))  # [11.6.D, R37]
        todo = [(id, piece) for id, piece in ashore if afresh or not piece.supplied]
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
        reached = net.far(supplied_hqs(s, side), s.board.game.unit_path)
        for id, piece in todo:
            if s.board.kind(id) != "headquarters":
                piece.supplied = piece.at in reached


def traced(s: State, side: str) -> Callable[[str], bool]:
    """Who would be in supply if all were judged now, headquarters by where they stand."""  # [R18]
    net = lines(s, side)
    linked = net.linked((piece.at for id, piece in of(s, side) if s.board.kind(id) == "headquarters"), s.held)
    reached = net.far(sorted(linked), s.board.game.unit_path)

    def served(unit: str) -> bool:
        return s.pieces[unit].at in (linked if s.board.kind(unit) == "headquarters" else reached)

    return served
