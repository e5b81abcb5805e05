"""Numbered hex maps: hexes in columns, every other column half a hex lower, ids such as `0512` (column, then row).

    grid = Grid(columns=(1, 36), rows=(1, 53), low="even")
    grid.neighbours("0925")              ("0924", "1024", "1025", "0926", "0825", "0824"), clockwise from the north
    grid.step("0925", "sw")              "0825"; None off the map
    grid.distance("0925", "0825")        1
    grid.within("0748", 4)               all hexes at distance 0 to 4
    grid.line("0501", "0504")            (("0501",), ("0502",), ...): two hexes where it runs between them
    side("0926", "0825")                 "0825/0926", the name of a hexside; `ends` is the inverse

Places are points of a lattice of whole numbers, so that nothing here needs a float: the middle of a hex is three
columns of points from the next, its corners lie at (2, 0), (1, 1), (-1, 1) and so on. `scaled` makes drawings of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Literal

from rules.kit.asked import Asked

Hex = str
Side = str
Spot = tuple[int, int]
Direction = Literal["n", "ne", "se", "s", "sw", "nw"]

DIRECTIONS: tuple[Direction, ...] = ("n", "ne", "se", "s", "sw", "nw")
"""Clockwise from the north."""

OPPOSITE: Mapping[Direction, Direction] = {"n": "s", "ne": "sw", "se": "nw", "s": "n", "sw": "ne", "nw": "se"}

_TO_MIDDLE: Mapping[Direction, Spot] = {
    **{"n": (0, -2), "ne": (3, -1), "se": (3, 1), "s": (0, 2), "sw": (-3, 1), "nw": (-3, -1)},
}
_CORNERS: tuple[Spot, ...] = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))
"""Clockwise from the north-west, so that the corners n and n + 1 are the ends of the hexside in direction n."""

ACROSS = 1 / sqrt(12)
DOWN = 1 / 2
"""One lattice point right and down, measured in hexes (from one hexside to the opposite one)."""


def side(a: Hex, b: Hex) -> Side:
    """The name of the hexside between two neighbours, the same from both."""
    return f"{a}/{b}" if a < b else f"{b}/{a}"


def ends(name: Side) -> tuple[Hex, Hex]:
    """The two hexes of a hexside."""
    a, _, b = name.partition("/")
    return a, b


def scaled(spot: Spot, hexes: float = 1.0) -> tuple[float, float]:
    """A lattice point in units of a drawing in which a hex is `hexes` units high."""
    return spot[0] * ACROSS * hexes, spot[1] * DOWN * hexes


@dataclass(frozen=True)
class Grid:
    """A rectangle of hexes: first and last column and row, and which columns stand half a hex lower.

    `prefix` stands before every id, where a game has a second map whose numbers the first has too (`i2105`).
    """

    columns: tuple[int, int]
    rows: tuple[int, int]
    low: Literal["even", "odd"]
    prefix: str = ""

    def __post_init__(self) -> None:
        for name, (first, last) in (("columns", self.columns), ("rows", self.rows)):
            if not 0 <= first <= last <= 99:
                raise ValueError(f"{name} run from {first} to {last}: two digits each, the first not above the last")

    def id(self, column: int, row: int) -> Hex:
        """The id of a hex, on the map or not."""
        return f"{self.prefix}{column:02}{row:02}"

    @cached_property
    def hexes(self) -> tuple[Hex, ...]:
        """Every hex, column by column."""
        return tuple(self.spots)

    @cached_property
    def spots(self) -> Mapping[Hex, Spot]:
        """The middle of every hex as a lattice point."""
        (left, right), (top, bottom) = self.columns, self.rows
        return {
            self.id(column, row): (3 * column, 2 * row + self.lowered(column))
            for column in range(left, right + 1)
            for row in range(top, bottom + 1)
        }

    @cached_property
    def _at(self) -> Mapping[Spot, Hex]:
        return {spot: hex for hex, spot in self.spots.items()}

    @cached_property
    def _around(self) -> Mapping[Hex, tuple[Hex, ...]]:
        at, spots, ways = self._at, self.spots, tuple(_TO_MIDDLE.values())

        def near(hex: Hex) -> tuple[Hex, ...]:
            x, y = spots[hex]
            return tuple([at[x + dx, y + dy] for dx, dy in ways if (x + dx, y + dy) in at])

        return Asked(near)

    def lowered(self, column: int) -> bool:
        """Whether a column stands half a hex lower."""
        return (column % 2 == 0) == (self.low == "even")

    def __contains__(self, hex: object) -> bool:
        return hex in self.spots

    # --- neighbours ---

    def neighbours(self, hex: Hex) -> tuple[Hex, ...]:
        """The hexes beside it that are on the map, clockwise from the north."""
        return self._around[hex]

    def step(self, hex: Hex, direction: Direction) -> Hex | None:
        """The hex beside it in a direction; None off the map."""
        (x, y), (dx, dy) = self.spots[hex], _TO_MIDDLE[direction]
        return self._at.get((x + dx, y + dy))

    def direction(self, a: Hex, b: Hex) -> Direction | None:
        """The direction from a hex to its neighbour; None where they are not neighbours."""
        (x, y), (u, v) = self.spots[a], self.spots[b]
        return next((way for way, shift in _TO_MIDDLE.items() if shift == (u - x, v - y)), None)

    def adjacent(self, a: Hex, b: Hex) -> bool:
        """Whether two hexes share a hexside."""
        return b in self._around[a]

    def on_edge(self, hex: Hex) -> bool:
        """Whether a neighbour is missing."""
        return len(self._around[hex]) < 6

    # --- distance and range ---

    def distance(self, a: Hex, b: Hex) -> int:
        """Steps from one hex to the other, whatever lies between."""
        (x, y), (u, v) = self.spots[a], self.spots[b]
        across, down = abs(x - u) // 3, abs(y - v)
        return across + max(0, (down - across) // 2)

    def within(self, hex: Hex, reach: int) -> tuple[Hex, ...]:
        """The hexes at a distance of at most `reach`, itself first in its column; column by column."""
        return tuple(self._near(hex, reach))

    def ring(self, hex: Hex, reach: int) -> tuple[Hex, ...]:
        """The hexes at exactly this distance, column by column."""
        return tuple(other for other in self._near(hex, reach) if self.distance(hex, other) == reach)

    def _near(self, hex: Hex, reach: int) -> Iterator[Hex]:
        x, y = self.spots[hex]
        for across in range(-reach, reach + 1):
            high = 2 * reach - abs(across)
            for down in range(-high, high + 1, 2):
                spot = (x + 3 * across, y + down)
                if spot in self._at:
                    yield self._at[spot]

    def nearest(self, hex: Hex, others: Iterable[Hex]) -> int | None:
        """The distance to the nearest of these hexes; None where there are none."""
        return min((self.distance(hex, other) for other in others), default=None)

    # --- hexsides and corners ---

    def sides(self, hex: Hex) -> tuple[Side, ...]:
        """The hexsides that it shares with its neighbours, clockwise from the north."""
        return tuple(side(hex, other) for other in self._around[hex])

    def is_side(self, name: Side) -> bool:
        """Whether this names a hexside of the map, the lower id first."""
        a, b = ends(name)
        return a < b and a in self.spots and b in self.spots and self.adjacent(a, b)

    def flanks(self, name: Side) -> tuple[Hex, ...]:
        """The hexes that touch an end of a hexside and do not share it; two, fewer at the edge of the map."""
        a, b = ends(name)
        return tuple(hex for hex in self._around[a] if hex in self._around[b])

    def corners(self, hex: Hex) -> tuple[Spot, ...]:
        """The six corners as lattice points, clockwise from the north-west; neighbours have the same points."""
        x, y = self.spots[hex]
        return tuple((x + dx, y + dy) for dx, dy in _CORNERS)

    def edge(self, name: Side) -> tuple[Spot, Spot]:
        """The two ends of a hexside as lattice points. ValueError where it is none."""
        a, b = ends(name)
        way = self.direction(a, b)
        if way is None:
            raise ValueError(f"{a} and {b} are not neighbours")
        corners, n = self.corners(a), DIRECTIONS.index(way)
        return corners[n], corners[(n + 1) % 6]

    # --- lines ---

    def line(self, a: Hex, b: Hex) -> tuple[tuple[Hex, ...], ...]:
        """The hexes on the straight line from middle to middle, in order, both ends among them.

        Where the line runs along a hexside both of its hexes stand together. Touching a corner does not count.
        """
        (x, y), (u, v) = self.spots[a], self.spots[b]
        dx, dy = u - x, v - y
        whole = dx * dx + 3 * dy * dy  # lattice points are taller than wide
        found: dict[int, list[Hex]] = {}
        for hex in self._near(a, self.distance(a, b)):
            p, q = self.spots[hex]
            along = (p - x) * dx + 3 * (q - y) * dy
            if 0 <= along <= whole and self._crosses(hex, (x, y), (dx, dy)):
                found.setdefault(along, []).append(hex)
        return tuple(tuple(found[along]) for along in sorted(found))

    def _crosses(self, hex: Hex, start: Spot, way: Spot) -> bool:
        """Whether the line through `start` runs through the hex or along one of its sides."""
        if way == (0, 0):
            return True
        signs = [(p - start[0]) * way[1] - (q - start[1]) * way[0] for p, q in self.corners(hex)]
        return (min(signs) < 0 < max(signs)) or signs.count(0) == 2
