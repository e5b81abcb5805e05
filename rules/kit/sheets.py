"""What maps of hexes have in common when they are drawn: parts of a grid, where a hex lies on paper, simple shapes.

A hex is one map unit high. What stands on a sheet and how it looks is each game's own affair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import cos, pi, sin

from rules.kit.hexes import Grid, Hex, Spot, scaled
from rules.kit.search import groups

Point = tuple[float, float]
Window = tuple[int, int, int, int]
"""Columns from, to; rows from, to."""


@dataclass(frozen=True)
class Frame:
    """A part of a grid on paper: what is left around it, and whether it is turned a quarter clockwise."""

    grid: Grid
    window: Window
    margin: float
    turned: bool = False

    def spot(self, spot: Spot, parts: int = 1) -> Point:
        """A lattice point in units of the sheet; `parts` of it, where it is a sum of several."""
        x, y = self._laid(spot)
        left, top = self.corner
        return x / parts - left, y / parts - top

    def _laid(self, spot: Spot) -> Point:
        x, y = scaled(spot)
        return (-y, x) if self.turned else (x, y)

    def middle(self, hex: Hex) -> Point:
        """The middle of a hex."""
        return self.spot(self.grid.spots[hex])

    @cached_property
    def _ends(self) -> tuple[Point, Point]:
        """The least and the greatest point of its hexes."""
        left, right, top, bottom = self.window
        a, b = self._laid((3 * left - 2, 2 * top - 1)), self._laid((3 * right + 2, 2 * bottom + 2))
        return (min(a[0], b[0]), min(a[1], b[1])), (max(a[0], b[0]), max(a[1], b[1]))

    @cached_property
    def corner(self) -> Point:
        """The upper left corner, measured from the middle of a hex 0000."""
        x, y = self._ends[0]
        return x - self.margin, y - self.margin

    def size(self) -> Point:
        """Width and height."""
        (x, y), (u, v) = self._ends
        return u - x + 2 * self.margin, v - y + 2 * self.margin

    @cached_property
    def hexes(self) -> frozenset[Hex]:
        """The hexes of the window."""
        return frozenset(self.around(0))

    def around(self, more: int) -> Iterator[Hex]:
        """The hexes of the window and so many more on every side, as far as the grid goes."""
        left, right, top, bottom = self.window
        (first, last), (upper, lower) = self.grid.columns, self.grid.rows
        for column in range(max(left - more, first), min(right + more, last) + 1):
            for row in range(max(top - more, upper), min(bottom + more, lower) + 1):
                yield self.grid.id(column, row)


def parts(grid: Grid, hot: Iterable[Hex], most: int, least: int, widest: int, together: int) -> tuple[Window, ...]:
    """Up to `most` windows around the hexes where something happens, the busiest first.

    Hexes at a distance of at most `together` belong on one sheet, as long as it stays below `widest`; none is smaller
    than `least`.
    """
    spots = sorted(set(hot))
    clusters: list[frozenset[Hex]] = list(
        groups(spots, lambda hex: (other for other in spots if grid.distance(hex, other) <= together))
    )
    found: dict[Window, int] = {}
    while clusters:
        cluster = sorted(clusters.pop(), key=lambda hex: grid.spots[hex])
        places = [_place(grid, hex) for hex in cluster]
        left, right = _span([column for column, _ in places], grid.columns, least)
        top, bottom = _span([row for _, row in places], grid.rows, least)
        if max(right - left, bottom - top) >= widest and len(cluster) > 1:
            by = int(bottom - top > right - left)
            cluster.sort(key=lambda hex: _place(grid, hex)[by])
            clusters += [frozenset(cluster[: len(cluster) // 2]), frozenset(cluster[len(cluster) // 2 :])]
        else:
            found[left, right, top, bottom] = len(cluster)
    return tuple(sorted(found, key=lambda window: (-found[window], window))[:most])


def _place(grid: Grid, hex: Hex) -> tuple[int, int]:
    """Column and row."""
    x, y = grid.spots[hex]
    return x // 3, y // 2


def _span(values: list[int], bounds: tuple[int, int], least: int) -> tuple[int, int]:
    """From two before the first to two behind the last, not too small, kept on the map."""
    first, last = min(values) - 2, max(values) + 2
    lacking = max(0, least - (last - first + 1))
    first, last = first - lacking // 2, last + (lacking + 1) // 2
    shift = max(0, bounds[0] - first) - max(0, last - bounds[1])
    return max(first + shift, bounds[0]), min(last + shift, bounds[1])


def lattice(grid: Grid, window: Window, room: int, cell: Callable[[Hex], str]) -> Iterator[str]:
    """A part as text: a head of columns, then two lines a row, the lower columns in the second.

    A hex takes `room` signs, and has as many again to the right of it, where its neighbour stands in the other line.
    """
    left, right, _, _ = window
    yield ("    " + "".join(f"{column:02}".ljust(room) for column in range(left, right + 1))).rstrip()
    wide = 2 * room
    for label, hexes in _lines(grid, window, room):
        yield f"{label}{''.join([cell(hex).ljust(wide) for hex in hexes])}".rstrip()


@lru_cache(maxsize=128)
def _lines(grid: Grid, window: Window, room: int) -> tuple[tuple[str, tuple[Hex, ...]], ...]:
    """The lines of a part as text: how each begins, and its hexes."""
    left, right, top, bottom = window
    lines = []
    for row in range(top, bottom + 1):
        for lower in (False, True):
            first = left if ((left % 2 == 0) == (grid.low == "even")) == lower else left + 1
            label = "" if lower else f"{row:02}"
            hexes = tuple(grid.id(n, row) for n in range(first, right + 1, 2))
            lines.append((f"{label:<4}{' ' * (room * (first - left))}", hexes))
    return tuple(lines)


# --- shapes ---


def disc(middle: Point, radius: float, corners: int = 12) -> tuple[Point, ...]:
    """A circle by its corners."""
    turns = [2 * pi * n / corners for n in range(corners)]
    return tuple((middle[0] + radius * cos(turn), middle[1] + radius * sin(turn)) for turn in turns)


def star(middle: Point, radius: float) -> tuple[Point, ...]:
    """A star with five points."""
    return _spiked(middle, radius, 5, 0.42, -pi / 2)


def burst(middle: Point, radius: float) -> tuple[Point, ...]:
    """A battle: a star with twelve."""
    return _spiked(middle, radius, 12, 0.74, 0)


def _spiked(middle: Point, radius: float, points: int, inner: float, start: float) -> tuple[Point, ...]:
    spokes = [(pi * n / points + start, radius if n % 2 == 0 else inner * radius) for n in range(2 * points)]
    return tuple((middle[0] + r * cos(turn), middle[1] + r * sin(turn)) for turn, r in spokes)
