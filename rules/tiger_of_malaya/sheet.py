"""The map in plain text: a letter for every hex and the stacks with their points, in lines of at most 78 columns."""

from __future__ import annotations

from functools import lru_cache
from textwrap import wrap

from rules.kit.hexes import Hex
from rules.kit.sheets import Window, lattice
from rules.tiger_of_malaya import terms
from rules.tiger_of_malaya.components import Board
from rules.tiger_of_malaya.seen import Piece, Seen, ranked

KEY = (
    "Ground: 1-4 jungle by level, f fertile, t town, c city, s swamp, . sea.",
    "Stacks with stacking points: J9 Japanese, A6 Allied; j, a: carriers only.",
)
DETAIL_KEY = (
    *KEY,
    "* stack out of supply, # fort, + control by Japan, = road, : railroad only.",
    "Even columns stand half a hex lower.",
)


def _mixed(board: Board) -> tuple[str, ...]:
    """What two more letters mean, on an owner's map that has them."""
    return ("v town in jungle, w fertile ground and swamp.",) if set(board.letters.values()) & set("vw") else ()


def whole(s: Seen) -> tuple[str, ...]:
    """Every hex in two columns of text, a row of hexes in a line."""
    (left, _), (top, _) = s.board.grid.columns, s.board.grid.rows
    heads, rows = _empty(s.board)
    cells: dict[int, list[str]] = {}
    for hex, stack in s.pieces.items():
        row = int(hex[-2:]) - top
        cells.setdefault(row, list(rows[row]))[int(hex[-4:-2]) - left] = _small(stack)
    said = (f"{top + n:02}  {''.join(cells.get(n, row))}".rstrip() for n, row in enumerate(rows))
    return (*KEY, *_mixed(s.board), "", heads, *said)


@lru_cache(maxsize=16)
def _empty(board: Board) -> tuple[str, tuple[tuple[str, ...], ...]]:
    """The head of the columns, and the cells of every row where nobody stands."""
    (left, right), (top, bottom) = board.grid.columns, board.grid.rows
    heads = "    " + "".join(f"{column:02}" if column % 2 else "  " for column in range(left, right + 1))
    rows = (
        tuple(f"{board.letters[board.grid.id(n, row)]} " for n in range(left, right + 1))
        for row in range(top, bottom + 1)
    )
    return heads.rstrip(), tuple(rows)


def _small(stack: tuple[Piece, ...]) -> str:
    """A stack in two signs."""
    who, points = stack[0].side[0], sum(piece.face.points for piece in stack)
    return f"{who.upper()}{min(points, 9)}" if points else f"{who} "


def detail(s: Seen, window: Window) -> tuple[str, ...]:
    """A part in four columns a hex, two lines a row, the lower columns in the second; then who stands there."""
    cells = _cells(s.board, window, s.held, frozenset(s.forts))
    taken = {hex: _large(hex in s.forts, stack) for hex, stack in s.pieces.items() if hex in cells}
    lines = lattice(s.board.grid, window, 4, lambda hex: taken.get(hex) or cells[hex])
    stood = (line for hex in sorted(taken) for line in _stood(s.board, hex, s.pieces[hex]))
    return (*DETAIL_KEY, *_mixed(s.board), "", *lines, "", *stood)


@lru_cache(maxsize=32)
def _cells(board: Board, window: Window, held: frozenset[Hex], forts: frozenset[Hex]) -> dict[Hex, str]:
    """Every hex of a part in up to four signs, as far as nobody stands there."""
    left, right, top, bottom = window
    hexes = (board.grid.id(column, row) for column in range(left, right + 1) for row in range(top, bottom + 1))
    return {hex: _ground(board, hex) + ("+" if hex in held else "") + ("#" if hex in forts else "") for hex in hexes}


@lru_cache(maxsize=8192)
def _ground(board: Board, hex: Hex) -> str:
    edges = [board.edge(hex, there) for there in board.grid.neighbours(hex)]
    way = "=" if any(edge.road for edge in edges) else ":" if any(edge.rail for edge in edges) else ""
    return f"{board.letters[hex]}{way}"


def _large(fort: bool, stack: tuple[Piece, ...]) -> str:
    """A stack in up to four signs."""
    points = sum(piece.face.points for piece in stack)
    mark = "*" if any(not piece.supplied for piece in stack) else "#" if fort else ""
    return f"{stack[0].side[0].upper()}{points}{mark}" if points else f"{stack[0].side[0]}{mark}"


@lru_cache(maxsize=4096)
def _stood(board: Board, hex: Hex, pieces: tuple[Piece, ...]) -> tuple[str, ...]:
    """Who stands in a hex."""
    said = ", ".join(terms.brief(piece) for piece in ranked(pieces))
    return tuple(wrap(f"{board.name(hex)}, {terms.SIDES[pieces[0].side]}: {said}", 78, subsequent_indent="    "))
