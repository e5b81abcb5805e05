"""Zones of control. [8.0]"""

from __future__ import annotations

from functools import lru_cache

from rules.kit.hexes import Hex
from rules.singapore_1984.board import Board
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import SINGAPORE, State

NO_ZONE = frozenset({"3IG"})
"""Infantry that has none. [8.0GRa]"""


def has_zone(s: State, unit: str) -> bool:
    """Infantry in supply and ashore; not security units, armor, 3IG. [8.0GRa, 8.0GRd, 8.35]"""
    piece = s.pieces[unit]
    # [8.0GRa, 8.0GRd, 8.35]
    return s.board.units[unit].arm == "infantry" and unit not in NO_ZONE and not piece.oos and not s.at_sea(unit)


def zone(s: State, side: Player) -> frozenset[Hex]:
    """Every hex that a zone of the side covers. It crosses closed hexsides too. [8.0GRa, R11]"""
    key = ("zone", s.on("13.21"))
    seen = s.seen.of(side)
    found: frozenset[Hex] | None = seen.get(key)
    if found is None:
        centres = {(s.pieces[id].at, ground(s, id)) for id in s.on_map(side) if has_zone(s, id)}
        found = seen[key] = frozenset([there for hex, as_ in centres for there in covered(s.board, hex, as_)])
    return found


def ground(s: State, unit: str) -> Player:
    """Whose ground the zone of a unit covers: that of Japan for trained units that began on the map. [13.21]"""
    return "jp" if s.on("13.21") and s.board.units[unit].start else s.side(unit)


@lru_cache(maxsize=4096)
def covered(board: Board, hex: Hex, side: Player) -> tuple[Hex, ...]:
    """The neighbours that the zone of infantry in a hex covers: terrain and the island decide. [8.3]"""
    return tuple(there for there in board.neighbours(hex) if _reaches(board, hex, there, side))


def _reaches(board: Board, a: Hex, b: Hex, side: Player) -> bool:
    if SINGAPORE in (a, b) and (board.has("facing", a) or board.has("facing", b)):  # [8.34]
        return False
    return board.zone(b, side)  # [8.31, 8.32, 8.33]


def open_zone(s: State, side: Player) -> frozenset[Hex]:
    """The zone that retreats and supply of the other side must shun: none where a friend of his stands. [8.23]"""
    other: Player = "cw" if side == "jp" else "jp"
    return zone(s, side) - s.occupied(other)  # [8.23]
