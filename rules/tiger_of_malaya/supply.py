"""Supply: from the edge of the map to headquarters, and from headquarters to units. [7.0 to 7.4]"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from heapq import heappop, heappush

from rules.kit.hexes import Hex
from rules.kit.search import reach
from rules.tiger_of_malaya.components import Edge
from rules.tiger_of_malaya.state import ALLIES, JAPAN, State, foe, intact, of
from rules.tiger_of_malaya.zones import open_side, zone


class Lines:
    """The paths of one side as its units stand now."""

    def __init__(self, s: State, side: str) -> None:
        self.s, self.side = s, side
        enemies = frozenset(piece.at for _, piece in of(s, foe(side)))
        friends = {piece.at for _, piece in of(s, side)}
        # [7.1.A, 7.1.D, 7.2.C, 7.3.A, R33]
        self.shut = enemies | (zone(s, foe(side)) - friends)
        """Hexes that a path cannot enter: an enemy, or an enemy zone and no friend, be it a truck."""

    def beside(self, hex: Hex) -> Iterator[tuple[Hex, Edge]]:
        """Hexes from which a path may come here."""  # [R33]
        for there, edge in self.s.board.land_beside(hex):
            if there not in self.shut and (not edge.water or open_side(self.s.destroyed, hex, there, edge, True)):
                yield there, edge

    def count(self, there: Hex, hex: Hex, edge: Edge) -> int:
        """What `there` counts on a path that leaves it towards `hex`."""  # [7.1.C, R32]
        if self.side == JAPAN or intact(self.s.destroyed, there, hex, edge):
            return 1
        return self.s.board.supply_count(there)

    def far(self, starts: list[Hex], limit: int | None) -> dict[Hex, int]:
        """How long the path from every hex to the nearest of these is: its own hex counts, the last does not."""
        # [R31]

        def before(hex: Hex) -> Iterator[tuple[Hex, int]]:
            return ((there, self.count(there, hex, edge)) for there, edge in self.beside(hex))

        # [7.1.B, 7.2.B]
        return {hex: found.cost for hex, found in reach(starts, before, limit).items()}

    def linked(self, hexes: Iterable[Hex]) -> frozenset[Hex]:
        """Those of these hexes where a headquarters would be in supply."""
        link = self._to_the_edge if self.side == JAPAN else self._to_a_terminal
        return frozenset(hex for hex in dict.fromkeys(hexes) if link(hex))

    def _to_the_edge(self, hex: Hex) -> bool:
        """A path of any length to a hex of the northern edge that Japan holds; on the east coast none is needed."""
        # [7.2.D/1, 7.2.D/2, R35]
        board = self.s.board
        if board.has("east-coast", hex):
            return True
        ends = {end for end in board.region("north-edge") if end in self.s.held and end not in self.shut}
        seen, todo = {hex}, [(hex[2:], hex)]  # the northernmost first
        while todo:
            _, here = heappop(todo)
            if here in ends:
                return True
            for there, _ in self.beside(here):
                if there not in seen:
                    seen.add(there)
                    heappush(todo, (there[2:], there))
        return False

    def _to_a_terminal(self, hex: Hex) -> bool:
        """Six hexes at most, one stretch of road among them for nothing."""  # [7.1.E/2, 7.1.E/3, R34]
        limit, rest = self.s.board.game.hq_path, self._rest
        spent, todo = {hex: 0}, [(0, hex)]
        while todo:
            cost, here = heappop(todo)
            if cost + rest.get(here, limit + 1) <= limit:
                return True
            if cost > spent[here]:
                continue
            for there, edge in self.beside(here):
                more = cost + self.count(here, there, edge)
                if more <= limit and more < spent.get(there, limit + 1):
                    spent[there] = more
                    heappush(todo, (more, there))
        return False

    @cached_property
    def _rest(self) -> dict[Hex, int]:
        """What is left to count to a terminal: across country, or first along the road that leads so near to one."""
        limit, down = self.s.board.game.hq_path, self.s.destroyed
        ends = [end for end in self.s.board.region("terminals") if end not in self.shut]
        found = {**self.far(ends, limit), **dict.fromkeys(ends, 0)}
        along: set[Hex] = set()
        for start in sorted(found, key=lambda hex: (found[hex], hex)):
            todo = [] if start in along else [start]
            while todo:
                here = todo.pop()
                for there, edge in self.s.board.road_beside(here):
                    if there not in along and there not in self.shut and intact(down, here, there, edge):
                        along.add(there)
                        found[there] = min(found.get(there, limit), found[start])
                        todo.append(there)
        return found


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
        lines = Lines(s, side)
        hqs = [piece for id, piece in todo if s.board.kind(id) == "headquarters"]
        linked = lines.linked(piece.at for piece in hqs)
        for piece in hqs:
            piece.supplied = piece.at in linked  # [7.3.A, 11.2]
        # [7.1.A, 7.1.E/1, 7.2.A, 7.3.B]
        reached = lines.far(supplied_hqs(s, side), s.board.game.unit_path)
        for id, piece in todo:
            if s.board.kind(id) != "headquarters":
                piece.supplied = piece.at in reached


def traced(s: State, side: str) -> dict[str, bool]:
    """Who would be in supply if all were judged now, headquarters by where they stand."""  # [R18]
    lines = Lines(s, side)
    linked = lines.linked(piece.at for id, piece in of(s, side) if s.board.kind(id) == "headquarters")
    reached = lines.far(sorted(linked), s.board.game.unit_path)
    return {id: piece.at in (linked if s.board.kind(id) == "headquarters" else reached) for id, piece in of(s, side)}
