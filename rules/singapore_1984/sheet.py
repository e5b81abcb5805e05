"""The maps in plain text, in lines of at most 78 columns: a letter for every hex, the stacks with their points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from textwrap import wrap

from rules.kit.hexes import Hex
from rules.kit.sheets import Window, lattice
from rules.singapore_1984 import terms
from rules.singapore_1984.board import Board
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import State

KEY = (
    "x mixed, p plantation, j jungle, M mountain, S swamp, T town or port, C city,",
    "I Singapore, . sea; = road, : railroad only; + a port or airfield that Japan",
    "holds, - one that the Commonwealth holds. Stacks with stacking points: J6",
    "Japanese, C3 Commonwealth, * one of its units is out of supply.",
)
ISLAND_KEY = (
    *KEY,
    "w strait, c the Causeway. The north is above: columns run down, rows from",
    "right to left; i2105 is in line 21 below 05. + and - are control of land.",
)
ROOM = 3
HELD: Mapping[Player, str] = {"jp": "+", "cw": "-"}


def large(s: State, window: Window, stacks: bool = False) -> tuple[str, ...]:
    """A part of the large map, two lines a row, the lower columns in the second; then who stands there, if asked."""
    lines = [*KEY, "Even columns stand half a hex lower.", ""]
    taken = s.occupied("jp") | s.occupied("cw")
    lines += lattice(s.board.grids["large"], window, ROOM, lambda hex: cell(s, hex) if hex in taken else _empty(s, hex))
    return (*lines, "", *standing(s, window)) if stacks else tuple(lines)


def island(s: State) -> tuple[str, ...]:
    """The inset with the north above, a column of hexes in a line."""
    grid = s.board.grids["inset"]
    (left, right), (top, bottom) = grid.columns, grid.rows
    rows = range(bottom, top - 1, -1)
    lines = [*ISLAND_KEY, "", "        " + "".join(f"{row:02}".ljust(2 * ROOM) for row in rows).rstrip()]
    for column in range(left, right + 1):
        shift = " " * (0 if (column % 2 == 0) == (grid.low == "even") else ROOM)
        cells = "".join(cell(s, grid.id(column, row)).ljust(2 * ROOM) for row in rows)
        lines.append(f"{column:02}    {shift}{cells}".rstrip())
    return tuple(lines)


def cell(s: State, hex: Hex) -> str:
    """A hex in a few signs."""
    units = s.at(hex)
    if not units:
        return _empty(s, hex)
    cut_off = any(s.pieces[unit].oos for unit in units)
    return f"{s.side(units[0])[0].upper()}{s.stack(hex)}{'*' if cut_off else ''}"


def _empty(s: State, hex: Hex) -> str:
    """A hex where nobody stands."""
    bare = _bare(s.board, hex)
    return bare + HELD[s.control[hex]] if hex in s.control else bare


@lru_cache(maxsize=4096)
def _bare(board: Board, hex: Hex) -> str:
    """A hex as it is printed."""
    ways = set(terms.ways(board, hex))
    return board.letters[hex] + ("=" if "road" in ways else ":" if "railroad" in ways else "")


def standing(s: State, window: Window) -> Iterator[str]:
    """Who stands in a part of the large map, a hex a line."""
    left, right, top, bottom = window
    for hex, units in terms.stacks(s).items():
        if not hex.startswith("i") and left <= int(hex[:2]) <= right and top <= int(hex[2:]) <= bottom:
            said = ", ".join(terms.brief(s, unit) for unit in units)
            side = terms.SIDES[s.side(units[0])]
            yield from wrap(f"{s.board.name(hex)}, {side}: {said}", 78, subsequent_indent="    ")
