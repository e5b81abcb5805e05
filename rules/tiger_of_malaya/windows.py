"""Which parts of the map deserve a sheet of their own: where battles are, moves end, enemies stand near each other."""

from __future__ import annotations

from rules.kit.hexes import Hex
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
    return parts(s.board.grid, _hot(s), most=SHEETS, least=LEAST, widest=WIDEST, together=TOGETHER)


def _hot(s: Seen) -> frozenset[Hex]:
    hot = {hex for hex in s.looks if hex in s.board.grid}
    for battle in s.battles:
        hot.update((battle.hex, *battle.origins))
    for moved in s.moves:
        hot.update((moved.hexes[0], moved.hexes[-1]))
    sides = {hex: stack[0].side for hex, stack in s.pieces.items() if stack}
    for hex, side in sides.items():
        if any(sides.get(there, side) != side for there in s.board.grid.within(hex, NEAR)):
            hot.add(hex)
    return frozenset(hot)
