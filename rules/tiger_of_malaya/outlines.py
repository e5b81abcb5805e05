"""The ground and the coasts of this map as shapes, measured once."""

from __future__ import annotations

from functools import lru_cache

from rules.kit.hexes import Hex, Side
from rules.kit.outlines import Path, along, patches, shore
from rules.tiger_of_malaya.components import Board


@lru_cache(maxsize=16)
def _shore(board: Board) -> tuple[tuple[Hex, Side], ...]:
    return tuple(shore(board.grid, board.land, board.is_land))


def coasts(board: Board, window: frozenset[Hex]) -> tuple[Path, ...]:
    """The lines between the land of a window and the sea."""
    return along(board.grid, (name for hex, name in _shore(board) if hex in window))


@lru_cache(maxsize=16)
def grounds(board: Board) -> tuple[tuple[str, Path, frozenset[Hex]], ...]:
    """The ground in patches of one letter, see `patches`."""
    return patches(board.grid, board.letters)
