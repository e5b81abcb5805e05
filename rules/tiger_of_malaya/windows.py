"""Which parts of the map deserve a sheet of their own: where battles are, moves end, enemies stand near each other."""

from __future__ import annotations

from functools import lru_cache

from rules.kit.hexes import Grid, Hex
from rules.kit.sheets import Window, parts
from rules.tiger_of_malaya.seen import Seen

SHEETS = 4
WIDEST = 18
LEAST = 11
NEAR = 2
"""Enemies at this distance are something to show."""
TOGETHER = 5
"""Things at this distance belong on one sheet."""


def windows(s: Seen) -> tuple[Window, ...]:
    """The parts worth a sheet of their own: battles, moves, enemies near each other; the busiest first."""
    return _parts(s.board.grid, _hot(s))


@lru_cache(maxsize=64)
def _parts(grid: Grid, hot: frozenset[Hex]) -> tuple[Window, ...]:
    return parts(grid, hot, most=SHEETS, least=LEAST, widest=WIDEST, together=TOGETHER)


@lru_cache(maxsize=8192)
def _near(grid: Grid, hex: Hex) -> frozenset[Hex]:
    return frozenset(grid.within(hex, NEAR))


def _hot(s: Seen) -> frozenset[Hex]:
    hot = {hex for hex in s.looks if hex in s.board.grid}
    for battle in s.battles:
        hot.update((battle.hex, *battle.origins))
    for moved in s.moves:
        hot.update((moved.hexes[0], moved.hexes[-1]))
    for side, other in (("japan", "allies"), ("allies", "japan")):
        foes = {hex for hex, stack in s.pieces.items() if stack and stack[0].side == other}
        mine = (hex for hex, stack in s.pieces.items() if stack and stack[0].side == side)
        hot.update(hex for hex in mine if not foes.isdisjoint(_near(s.board.grid, hex)))
    return frozenset(hot)
