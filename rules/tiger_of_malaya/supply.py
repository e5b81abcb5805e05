"""Supply: from the edge of the map to headquarters, and from headquarters to units. [7.0 to 7.4]"""

from __future__ import annotations

from collections.abc import Iterator

from rules.kit.hexes import Hex
from rules.kit.search import reach
from rules.tiger_of_malaya.components import Edge
from rules.tiger_of_malaya.state import ALLIES, JAPAN, State, foe, intact, occupied, of
from rules.tiger_of_malaya.zones import open_side, zone

BEFORE, ALONG, AFTER = range(3)
"""Where a path of a headquarters is: before, on and after the stretch of road that costs nothing."""


class Lines:
    """The paths of one side as its units stand now."""

    def __init__(self, s: State, side: str) -> None:
        self.s, self.side = s, side
        enemies = frozenset(piece.at for _, piece in of(s, foe(side)))
        # [7.1.A, 7.1.D, 7.2.C, 7.3.A, R33]
        self.shut = enemies | (zone(s, foe(side)) - occupied(s, side))
        """Hexes that a path cannot enter: an enemy, or an enemy zone and no friend."""

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

    def linked(self) -> frozenset[Hex]:
        """Where a headquarters would be in supply. [7.1.E/2, 7.1.E/3, 7.2.D]"""
        board = self.s.board
        if self.side == JAPAN:  # [7.2.D/1, 7.2.D/2, R35]
            ends = [hex for hex in board.region("north-edge") if hex in self.s.held and hex not in self.shut]
            return frozenset(self.far(ends, None)) | frozenset(board.region("east-coast"))
        starts = [(hex, BEFORE) for hex in board.region("terminals") if hex not in self.shut]

        def before(node: tuple[Hex, int]) -> Iterator[tuple[tuple[Hex, int], int]]:
            hex, stage = node
            for there, edge in self.beside(hex):
                yield (there, AFTER if stage == ALONG else stage), self.count(there, hex, edge)
                if stage != AFTER and intact(self.s.destroyed, there, hex, edge):
                    yield (there, ALONG), 0  # [7.1.E/3, R34]

        return frozenset(hex for hex, _ in reach(starts, before, board.game.hq_path))  # [7.1.E/2]


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
        linked = lines.linked()
        for id, piece in todo:
            if s.board.kind(id) == "headquarters":
                piece.supplied = piece.at in linked  # [7.3.A, 11.2]
        # [7.1.A, 7.1.E/1, 7.2.A, 7.3.B]
        reached = lines.far(supplied_hqs(s, side), s.board.game.unit_path)
        for id, piece in todo:
            if s.board.kind(id) != "headquarters":
                piece.supplied = piece.at in reached


def traced(s: State, side: str) -> dict[str, bool]:
    """Who would be in supply if all were judged now, headquarters by where they stand."""  # [R18]
    lines = Lines(s, side)
    linked = lines.linked()
    hqs = [piece.at for id, piece in of(s, side) if s.board.kind(id) == "headquarters" and piece.at in linked]
    reached = lines.far(hqs, s.board.game.unit_path)
    return {id: piece.at in (linked if s.board.kind(id) == "headquarters" else reached) for id, piece in of(s, side)}
