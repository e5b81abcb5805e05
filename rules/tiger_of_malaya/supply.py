"""Supply: from the edge of the map to headquarters, and from headquarters to units. [7.0 to 7.4]

Hexes are sets of bits here (see `rules.kit.bits`): paths spread over the map ring by ring.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rules.kit.bits import Bits, Hexes, Sides, bits_of
from rules.kit.hexes import Hex, Side, ends
from rules.tiger_of_malaya.components import Board
from rules.tiger_of_malaya.hexsides import passable
from rules.tiger_of_malaya.places import places
from rules.tiger_of_malaya.state import ALLIES, JAPAN, State, foe, of


@dataclass(frozen=True, eq=False)
class Land:
    """Where supply paths of a side can lead: over which hexsides, along which roads, and what a hex counts off them."""

    bits: Bits
    open: Sides
    roads: Sides
    counts: tuple[tuple[int, Hexes], ...]

    def before(self, some: Hexes) -> Iterable[tuple[int, Hexes]]:
        """From where a path comes to these hexes, by what it counts there."""  # [7.1.C, R32]
        across, near = self.bits.across, self.bits.across(some, self.open)
        if self.roads:
            yield 1, across(some, self.roads)
        for count, hexes in self.counts:
            yield count, near & hexes

    def after(self, some: Hexes) -> Iterable[tuple[int, Hexes]]:
        """Where a path leads from these hexes, by what it counts here."""
        across = self.bits.across
        if self.roads:
            yield 1, across(some, self.roads)
        for count, hexes in self.counts:
            yield count, across(some & hexes, self.open)


@lru_cache(maxsize=32)
def land(board: Board, side: str, destroyed: frozenset[Side]) -> Land:
    """The map as the bridges stand; for Japan every hex counts one."""  # [7.1.C, 7.2.B, R32, R33]
    bits, roads = bits_of(board.grid), _roads(board)
    down = bits.over(way for name in destroyed for way in (ends(name), ends(name)[::-1]))
    return Land(
        bits,
        passable(board, destroyed, on_foot=True),
        () if side == JAPAN else bits.but(roads, down),
        ((1, board.ashore),) if side == JAPAN else counts(board),
    )


@lru_cache(maxsize=16)
def _roads(board: Board) -> Sides:
    return bits_of(board.grid).over(way for way, edge in board.edges.items() if edge.road or edge.rail)


@lru_cache(maxsize=16)
def counts(board: Board) -> tuple[tuple[int, Hexes], ...]:
    """The land by what it counts in an Allied path off the roads."""
    found: dict[int, list[Hex]] = {}
    for hex in board.land:
        found.setdefault(board.supply_count(hex), []).append(hex)
    return tuple((count, bits_of(board.grid).of(hexes)) for count, hexes in found.items())


class Paths:
    """How long the path from every hex to the nearest of some is: its own hex counts, the last does not.

    They are followed ring by ring, and only as far as somebody asks: `rings[n]` are the hexes at a distance of n.
    """  # [R31, 7.1.B, 7.2.B]

    def __init__(self, land: Land, shut: Hexes, starts: Hexes) -> None:
        self._land, self._shut = land, shut & ~starts
        self._found = 0
        self._todo = {0: starts}
        self.rings: list[Hexes] = []

    def _follow(self) -> None:
        cost, ring = len(self.rings), 0
        while now := self._todo.pop(cost, 0) & ~self._found & ~self._shut:
            self._found |= now
            ring |= now
            for more, hexes in self._land.before(now):
                if hexes:
                    self._todo[cost + more] = self._todo.get(cost + more, 0) | hexes
        self.rings.append(ring)

    def within(self, limit: int) -> list[Hexes]:
        """The rings up to a length."""
        while len(self.rings) <= limit and self._todo:
            self._follow()
        return self.rings[: limit + 1]

    def length(self, hex: Hex) -> int | None:
        """How long the path is; None where there is none."""
        bit = self._land.bits.of((hex,))
        while not self._found & bit and self._todo:
            self._follow()
        return next((length for length, ring in enumerate(self.rings) if ring & bit), None)

    def leaving(self, hex: Hex) -> int | None:
        """The same for a unit in a hex that a zone shuts to others: its own hex is not shut to it."""  # [R33]
        if (length := self.length(hex)) is not None:
            return length
        near = self._land.after(self._land.bits.of((hex,)))
        ways = [length + more for more, hexes in near for length, ring in enumerate(self.rings) if ring & hexes]
        return min(ways, default=None)

    def reach(self, hex: Hex, limit: int) -> bool:
        """Whether a path is not longer than that."""
        bit = self._land.bits.of((hex,))
        while not self._found & bit and len(self.rings) <= limit and self._todo:
            self._follow()
        if len(self.rings) <= limit + 1:
            return bool(self._found & bit)
        return any(ring & bit for ring in self.rings[: limit + 1])


class Lines:
    """The paths of one side where some hexes are shut and some bridges down."""

    def __init__(self, board: Board, side: str, shut: Hexes, destroyed: frozenset[Side]) -> None:
        self.board, self.side, self.shut = board, side, shut
        self.land = land(board, side, destroyed)
        self._paths: dict[Hexes, Paths] = {}
        self._linked: dict[Hex, bool] = {}

    def paths(self, starts: Iterable[Hex]) -> Paths:
        """The paths to these hexes."""
        some = self.land.bits.of(starts)
        if some not in self._paths:
            self._paths[some] = Paths(self.land, self.shut, some)
        return self._paths[some]

    def linked(self, hexes: Iterable[Hex], held: Collection[Hex]) -> frozenset[Hex]:
        """Those of these hexes where a headquarters would be in supply; `held` is the land of Japan."""
        if self.side == JAPAN:
            ends = self.land.bits.of(end for end in self.board.region("north-edge") if end in held) & ~self.shut
            return frozenset(hex for hex in hexes if self._to_the_edge(hex, ends))
        return frozenset(hex for hex in hexes if self._to_a_terminal(hex))

    def _to_the_edge(self, hex: Hex, ends: Hexes) -> bool:
        """A path of any length to a hex of the northern edge that Japan holds; on the east coast none is needed."""
        # [7.2.D/1, 7.2.D/2, R35]
        if self.board.has("east-coast", hex):
            return True
        bits, land, ring = self.land.bits, self.land, self.land.bits.of((hex,))
        seen = ring
        while ring and not seen & ends:
            ring = bits.across(ring, land.open) & self.board.ashore & ~self.shut & ~seen
            seen |= ring
        return bool(seen & ends)

    def _to_a_terminal(self, hex: Hex) -> bool:
        if hex not in self._linked:
            self._linked[hex] = self._find_terminal(hex)
        return self._linked[hex]

    def _find_terminal(self, hex: Hex) -> bool:
        """Six hexes at most, one stretch of road among them for nothing."""  # [7.1.E/2, 7.1.E/3, R34]
        limit, seen = self.board.game.hq_path, 0
        todo = {0: self.land.bits.of((hex,))}
        for cost in range(limit + 1):
            while ring := todo.pop(cost, 0) & ~seen:
                if any(ring & rest for rest in self._rest[: limit + 1 - cost]):
                    return True
                seen |= ring
                for more, hexes in self.land.after(ring):
                    todo[cost + more] = todo.get(cost + more, 0) | hexes & self.board.ashore & ~self.shut
        return False

    @cached_property
    def _rest(self) -> list[Hexes]:
        """By what is left to count to a terminal: across country, or first along the road that leads so near to one."""
        bits, along = self.land.bits, 0
        terminals = bits.of(self.board.region("terminals")) & ~self.shut
        found = []
        for ring in Paths(self.land, self.shut, terminals).within(self.board.game.hq_path):
            now = ring
            while now := bits.across(now, self.land.roads) & ~along & ~self.shut:
                along |= now
                ring |= now
            found.append(ring)
        return found


known = lru_cache(maxsize=64)(Lines)


def lines(s: State, side: str) -> Lines:
    """The paths of a side as the units stand now: an enemy shuts a hex, and so does his zone
    where no friend is, be it a truck.
    """
    # [7.1.A, 7.1.D, 7.2.C, 7.3.A, R33]
    now = places(s)
    ours, theirs = now.own(side), now.own(foe(side))
    return known(s.board, side, theirs.stands | (theirs.covers & ~ours.stands), s.destroyed)


def supplied_hqs(s: State, side: str) -> list[Hex]:
    """Where headquarters of a side stand that are in supply by their flag; at sea they supply nobody."""  # [R33]
    hqs = (piece for id, piece in of(s, side) if piece.supplied and id in s.board.hqs)
    return [piece.at for piece in hqs if s.board.is_land(piece.at)]


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
        hqs = [piece for id, piece in todo if id in s.board.hqs]
        linked = net.linked((piece.at for piece in hqs), s.held)
        for piece in hqs:
            piece.supplied = piece.at in linked  # [7.3.A, 11.2]
        # [7.1.A, 7.1.E/1, 7.2.A, 7.3.B]
        paths, limit = net.paths(supplied_hqs(s, side)), s.board.game.unit_path
        for id, piece in todo:
            if id not in s.board.hqs:
                piece.supplied = paths.reach(piece.at, limit)


def traced(s: State, side: str) -> Callable[[str], bool]:
    """Who would be in supply if all were judged now, headquarters by where they stand."""  # [R18]
    net = lines(s, side)
    linked = net.linked((piece.at for id, piece in of(s, side) if id in s.board.hqs), s.held)
    paths, limit = net.paths(linked), s.board.game.unit_path

    def served(unit: str) -> bool:
        hex = s.pieces[unit].at
        return hex in linked if unit in s.board.hqs else paths.reach(hex, limit)

    return served
