"""What never changes on the maps, from back to front: ground, waters, ways, names, the turn track."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from pbem.api import Area, Arrow, Counter, Label, Line, Mark
from rules.kit import outlines
from rules.kit.hexes import Hex, side
from rules.kit.sheets import Frame, Point, Window
from rules.singapore_1984 import supply
from rules.singapore_1984.board import Board

MARGIN = 0.35
WHOLE_MARGIN = 0.7
STYLES: Mapping[str, str] = {
    ".": "sea",
    "x": "mixed",
    "p": "plantation",
    "j": "woods",
    "M": "mountain",
    "S": "swamp",
    "T": "town",
    "C": "city",
    "I": "city",
    "w": "strait",
    "c": "strait",
    "-": "closed",
}


SEAS: tuple[tuple[str, Hex], ...] = (("STRAITS OF MALACCA", "0222"), ("SOUTH CHINA SEA", "1813"))
TRACK = (14, 20, 1, 7)
"""The columns and rows of the sea where the turn track stands."""
ACROSS = 7
"""Boxes of the track side by side."""
SHIP: tuple[Point, ...] = (
    *((-0.14, 0.0), (-0.02, 0.0), (-0.02, -0.18), (0.1, -0.05), (0.02, -0.04), (0.02, 0.0)),
    *((0.14, 0.0), (0.08, 0.1), (-0.08, 0.1)),
)
"""The shape of a port."""
WING: tuple[Point, ...] = (
    *((0.0, -0.16), (0.03, -0.06), (0.16, 0.03), (0.16, 0.07), (0.03, 0.03), (0.02, 0.1), (0.07, 0.14), (0.07, 0.17)),
    (0.0, 0.15),
)
PLANE: tuple[Point, ...] = (*WING, *((-x, y) for x, y in reversed(WING[1:-1])))
"""The shape of an airfield."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Sheet(Frame):
    """A part of one of the two maps; `kind` is `whole`, `part` or `island`."""

    board: Board
    kind: str

    @cached_property
    def below(self) -> tuple[Mark, ...]:
        """Ground, water and roads, as they are printed."""
        width, height = self.size()
        paper = Area(((0, 0), (width, 0), (width, height), (0, height)), "margin")
        return (paper, *_ground(self), *_net(self), *_waters(self), *_works(self), *_ways(self))

    @cached_property
    def above(self) -> tuple[Mark, ...]:
        """What is written and marked upon them."""
        return (*_numbers(self), *_places(self), *_names(self), *_track(self))

    @cached_property
    def shown(self) -> frozenset[str]:
        """Signs of the legend that are printed on it; ground that only looks in over the frame is left out."""
        grounds = {f"area:{style}" for style in STYLES.values()}
        here = {f"area:{STYLES[self.board.letters[hex]]}" for hex in self.hexes}
        return frozenset(signs_of((*self.below, *self.above)) - grounds | here)

    @cached_property
    def title(self) -> str:
        """Its name, or its first and last place."""
        return _title(self)


@lru_cache(maxsize=128)
def sheet_of(board: Board, window: Window, kind: str) -> Sheet:
    """A sheet, once for each part: what is printed on it is kept."""
    inset = kind == "island"
    grid = board.grids["inset" if inset else "large"]
    margin = WHOLE_MARGIN if kind == "whole" else MARGIN
    return Sheet(grid=grid, window=window, margin=margin, turned=inset, board=board, kind=kind)


def _title(sheet: Sheet) -> str:
    if sheet.kind != "part":
        return "Singapore Island" if sheet.kind == "island" else "Malaya"
    board = sheet.board
    named = sorted((hex[2:], hex) for hex in sheet.hexes if hex in board.places) or sorted(
        (hex[2:], hex) for hex in sheet.hexes if hex in board.names
    )
    names = [board.places[hex].name if hex in board.places else board.names[hex] for _, hex in named]
    if not names:
        return f"Columns {sheet.window[0]:02}-{sheet.window[1]:02}"
    return " - ".join(dict.fromkeys((names[0], names[-1])))


def _inside(sheet: Sheet) -> frozenset[Hex]:
    """The hexes that are drawn: on a part some more, so that nothing ends at the frame."""
    return frozenset(sheet.around(2)) if sheet.kind == "part" else sheet.hexes


@lru_cache(maxsize=8)
def _patches(board: Board, name: str) -> tuple[tuple[str, outlines.Path, frozenset[Hex]], ...]:
    grid = board.grids[name]
    return outlines.patches(grid, {hex: STYLES[board.letters[hex]] for hex in grid.hexes})


def _ground(sheet: Sheet) -> Iterator[Mark]:
    """Sea and land in patches; a few hexes are not drawn at all."""
    inside = _inside(sheet)
    for style, _, hexes in _patches(sheet.board, "inset" if sheet.kind == "island" else "large"):
        if not hexes.isdisjoint(inside):
            for path in outlines.clipped(sheet.grid, hexes, inside):
                yield Area(tuple(map(sheet.spot, path[:-1])), style)


def _net(sheet: Sheet) -> Iterator[Mark]:
    """The net of hexes: one for the template to repeat; on the island every hex, and one as a measure."""
    if sheet.turned:
        upright = Frame(sheet.grid, sheet.window, sheet.margin)
        yield Area(tuple(map(upright.spot, sheet.grid.corners(sheet.grid.hexes[0]))), "hex-tile")
        for hex in sheet.grid.hexes:
            yield Area(tuple(map(sheet.spot, sheet.grid.corners(hex))), "hex")
        return
    left, _, top, _ = sheet.window
    yield Area(tuple(map(sheet.spot, sheet.grid.corners(sheet.grid.id(left, top)))), "hex-tile")
    yield Area(tuple(map(sheet.spot, outlines.edge_of(sheet.grid, _inside(sheet))[:-1])), "hex-net")


def along(sheet: Sheet, sides: Iterable[str], style: str, name: str = "") -> Iterator[Line]:
    for path in outlines.along(sheet.grid, sides):
        yield Line(tuple(map(sheet.spot, path)), style, name)


def _waters(sheet: Sheet) -> Iterator[Mark]:
    """Coasts and rivers along their hexsides, and the hexsides that are closed."""
    board, inside = sheet.board, _inside(sheet)
    land = [hex for hex in sheet.grid.hexes if hex in inside and board.is_land(hex)]
    yield from along(sheet, (name for _, name in outlines.shore(sheet.grid, land, board.is_land)), "coast")
    for barrier, style, name in (("river", "river", "river"), ("closed", "shut", "all sea: no passage [5.28b]")):
        sides = (side(a, b) for (a, b), edge in board.edges.items() if a < b and a in inside and getattr(edge, barrier))
        yield from along(sheet, sides, style, name)


def _works(sheet: Sheet) -> Iterator[Mark]:
    """Prepared and fortified lines."""
    inside = _inside(sheet)
    for kind in ("prepared", "fortified"):
        edges = sheet.board.edges.items()
        sides = (side(a, b) for (a, b), edge in edges if a < b and a in inside and getattr(edge, kind))
        yield from along(sheet, sides, kind, f"{kind} line")


def _ways(sheet: Sheet) -> Iterator[Mark]:
    """Roads, then railroads over them."""
    inside = _inside(sheet)
    for way in ("road", "rail"):
        for kind, hexes in sheet.board.ways.values():
            run: list[Hex] = []
            for hex in (*hexes, "") if kind == way else ():
                if hex in inside:
                    run.append(hex)
                    continue
                if len(run) > 1:
                    yield Line(tuple(map(sheet.middle, run)), way)
                run = []


def _numbers(sheet: Sheet) -> Iterator[Mark]:
    """The number of every hex that is not far out at sea."""
    board = sheet.board
    for hex in sorted(sheet.hexes):
        if sheet.kind != "whole" or board.is_land(hex) or any(map(board.is_land, board.neighbours(hex))):
            x, y = sheet.middle(hex)
            yield Label(x, y - (0.23 if sheet.turned else 0.33), hex, "hex", 0.16)


def _places(sheet: Sheet) -> Iterator[Mark]:
    """Ports and airfields, and where supply comes from."""
    board = sheet.board
    for place in board.places.values():
        if place.id in sheet.hexes:
            x, y = sheet.middle(place.id)
            if place.port:
                a, b = x - 0.37, y + 0.2
                yield Area(tuple((a + dx, b + dy) for dx, dy in SHIP), "ship", f"{board.name(place.id)}: port")
            if place.airfield:
                a, b = x - 0.37, y - 0.1
                yield Area(tuple((a + dx, b + dy) for dx, dy in PLANE), "plane", f"{board.name(place.id)}: airfield")
    for hex in (*board.region("north-edge"), "1826", supply.RESERVOIRS):
        if hex in sheet.hexes:
            x, y = sheet.middle(hex)
            yield Area(((x, y + 0.24), (x + 0.1, y + 0.42), (x - 0.1, y + 0.42)), "source", f"{hex}: source of supply")


def _names(sheet: Sheet) -> Iterator[Mark]:
    """Names below their hexes, and those of the seas."""
    board = sheet.board
    if sheet.kind == "whole":
        for words, hex in SEAS:
            if hex in sheet.hexes and board.is_sea(hex):
                x, y = sheet.middle(hex)
                for n, word in enumerate(words.split()):
                    yield Label(x, y + 0.6 * n, word, "sea", 0.4)
    towns = {place.id: place.name for place in board.places.values()}
    for hex, name in {**board.names, **towns}.items():
        if hex in sheet.hexes:
            x, y = sheet.middle(hex)
            town = hex in towns or board.ground(hex) in ("town", "city")
            size = (0.17 if town else 0.15) if sheet.turned else (0.22 if town else 0.19)
            yield Label(x, y + (0.47 if sheet.turned else 0.5), name, "place" if town else "village", size)


def track_at(sheet: Sheet) -> Point | None:
    """The upper left corner of the turn track; None where there is no sea for it."""
    left, right, top, bottom = TRACK
    grid, board = sheet.grid, sheet.board
    sea = (grid.id(column, row) for column in range(left, right + 1) for row in range(top, bottom + 1))
    if sheet.kind != "whole" or not all(hex in grid and board.is_sea(hex) for hex in sea):
        return None
    x, y = sheet.middle(grid.id(left, top))
    return x - 0.25, y + 0.25


BOX: Point = (0.84, 1.1)
"""Width and height of a box of the track."""


def turn_box(corner: Point, turn: int) -> tuple[Point, ...]:
    """A box of the track."""
    x, y = corner[0] + BOX[0] * ((turn - 1) % ACROSS), corner[1] + BOX[1] * ((turn - 1) // ACROSS)
    w, h = BOX
    return (x, y), (x + w, y), (x + w, y + h), (x, y + h)


def _track(sheet: Sheet) -> Iterator[Mark]:
    """Turn, points for the fall of Singapore, Japanese air points."""
    corner = track_at(sheet)
    if corner is None:
        return
    board = sheet.board
    yield Label(corner[0], corner[1] - 0.2, "Turn, points for Singapore, Japanese air points", "village", 0.22, "start")
    for turn, base in board.base.items():
        box = turn_box(corner, turn)
        yield Area(box, "box", f"turn {turn}, {board.dates[turn]}: {base} points, {board.air[turn]} air points")
    for turn, base in board.base.items():
        (x, y), *_ = turn_box(corner, turn)
        yield Label(x + BOX[0] / 2, y + 0.42, str(turn), "turn", 0.38)
        yield Label(x + BOX[0] / 2, y + 0.7, f"{base} pts", "hex", 0.22)
        yield Label(x + BOX[0] / 2, y + 0.96, f"{board.air[turn]} air", "hex", 0.22)


def signs_of(marks: Iterable[Mark]) -> set[str]:
    """Signs of the legend that are among marks."""
    shown: set[str] = set()
    for mark in marks:
        if isinstance(mark, Counter):
            shown.update((f"counter:{mark.side}", *mark.marks))
        elif isinstance(mark, Area | Line | Arrow):
            shown.add(f"{type(mark).__name__.lower()}:{mark.style}")
    return shown
