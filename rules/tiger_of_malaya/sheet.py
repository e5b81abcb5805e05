"""The map in plain text: a letter for every hex and the stacks with their points, in lines of at most 78 columns."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from rules.kit.sheets import Window, lattice
from rules.tiger_of_malaya import terms
from rules.tiger_of_malaya.seen import Seen

KEY = (
    "Ground: 1-4 jungle by level, f fertile, t town, c city, s swamp, . sea.",
    "Stacks with stacking points: J9 Japanese, A6 Allied; j, a: carriers only.",
)
DETAIL_KEY = (
    *KEY,
    "* stack out of supply, # fort, + control by Japan, = road, : railroad only.",
    "Even columns stand half a hex lower.",
)


def _mixed(s: Seen) -> tuple[str, ...]:
    """What two more letters mean, on an owner's map that has them."""
    return ("v town in jungle, w fertile ground and swamp.",) if set(s.board.letters.values()) & set("vw") else ()


def whole(s: Seen) -> tuple[str, ...]:
    """Every hex in two columns of text, a row of hexes in a line."""
    (left, right), (top, bottom) = s.board.grid.columns, s.board.grid.rows
    heads = "    " + "".join(f"{column:02}" if column % 2 else "  " for column in range(left, right + 1))
    lines = [*KEY, *_mixed(s), "", heads.rstrip()]
    for row in range(top, bottom + 1):
        cells = (_small(s, s.board.grid.id(column, row)) for column in range(left, right + 1))
        lines.append(f"{row:02}  {''.join(cells)}".rstrip())
    return tuple(lines)


def _small(s: Seen, hex: str) -> str:
    """A hex in two signs."""
    if hex in s.pieces:
        who, points = s.pieces[hex][0].side[0], s.points(hex)
        return f"{who.upper()}{min(points, 9)}" if points else who
    return f"{s.board.letters[hex]} "


def detail(s: Seen, window: Window) -> tuple[str, ...]:
    """A part in four columns a hex, two lines a row, the lower columns in the second; then who stands there."""
    lines = [*DETAIL_KEY, *_mixed(s), "", *lattice(s.board.grid, window, 4, lambda hex: _large(s, hex))]
    lines += ["", *_stacks(s, window)]
    return tuple(lines)


def _large(s: Seen, hex: str) -> str:
    """A hex in up to four signs."""
    mark = "#" if hex in s.forts else ""
    if hex in s.pieces:
        stack = s.pieces[hex]
        points = s.points(hex)
        mark = "*" if any(not piece.supplied for piece in stack) else mark
        return f"{stack[0].side[0].upper()}{points}{mark}" if points else f"{stack[0].side[0]}{mark}"
    edges = [s.board.edge(hex, there) for there in s.board.grid.neighbours(hex)]
    way = "=" if any(edge.road for edge in edges) else ":" if any(edge.rail for edge in edges) else ""
    return f"{s.board.letters[hex]}{way}{'+' if hex in s.held else ''}{mark}"


def _stacks(s: Seen, window: Window) -> Iterator[str]:
    """Who stands in the window, a hex a line."""
    left, right, top, bottom = window
    for hex in sorted(s.pieces):
        if left <= int(hex[:2]) <= right and top <= int(hex[2:]) <= bottom:
            said = ", ".join(terms.brief(piece) for piece in s.at(hex))
            side = terms.SIDES[s.pieces[hex][0].side]
            yield from wrap(f"{s.board.name(hex)}, {side}: {said}", 78, subsequent_indent="    ")
