"""The lie of the land as the bot sees it: how far, along which roads, who has room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from rules.kit.hexes import Hex
from rules.kit.search import reach
from rules.singapore_1984 import stacking
from rules.singapore_1984.board import Board
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import CW, JP, PENANG, SINGAPORE, State

CITY: Hex = "i2004"
OPPOSITE: Hex = "1825"
"""Johore Bahru, where Japan can go at most. [R22]"""


@lru_cache(maxsize=64)
def field(board: Board, side: Player, goal: Hex) -> Mapping[Hex, int]:
    """Movement points from every hex to a goal, as if nobody stood in the way."""

    def back(hex: Hex) -> Iterator[tuple[Hex, int]]:
        for there in board.neighbours(hex):
            cost = board.step(there, hex, side) if board.is_land(hex) or board.is_strait(hex) else None
            if cost is not None:
                yield there, cost

    return {hex: found.cost for hex, found in reach([goal], back).items()}


@lru_cache(maxsize=4)
def net(board: Board) -> frozenset[Hex]:
    """The hexes on a road or railroad."""
    return frozenset(hex for hex in board.letters if any(edge.road or edge.rail for _, edge in board.beside(hex)))


def goal_of(s: State, unit: str, side: Player) -> Hex:
    """Penang for one Japanese regiment while it is not taken; else Singapore, or the city on the inset."""
    if s.pieces[unit].at.startswith("i"):
        return CITY
    if side == JP and unit == "42/5" and s.control.get(PENANG) == CW and s.turn < 12:
        return PENANG
    return SINGAPORE if side == CW else OPPOSITE


def before_the_island(s: State) -> int:
    """Japanese units with supply in the hexes that face Singapore."""
    return sum(not s.pieces[id].oos for hex in s.board.region("facing") for id in s.at(hex, JP))


def fits(s: State, unit: str, hex: Hex) -> bool:
    """Whether it may end there: room, and no guards with other infantry."""
    if hex != s.pieces[unit].at and not stacking.room(s, hex, unit):
        return False
    row = s.board.units[unit]
    if row.side != JP or row.arm != "infantry" or s.on("13.9"):
        return True
    return all(
        s.board.units[id].arm != "infantry" or s.board.units[id].guard == row.guard for id in s.at(hex) if id != unit
    )


def far(s: State, unit: str, hex: Hex) -> int:
    """How far a hex is from the goal of a unit."""
    side = s.side(unit)
    return field(s.board, side, goal_of(s, unit, side)).get(hex, 99)
