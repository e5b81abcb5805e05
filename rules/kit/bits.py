"""Sets of hexes as whole numbers, one bit a hex: a search that spreads over a whole map takes a few steps a ring.

    bits = bits_of(grid)
    some = bits.of(["0512", "0513"])
    bits.across(some, bits.sides)               the hexes beside them
    bits.across(some, roads)                    those to which a road leads, with roads = bits.over([("0512", "0612")])
    bits.hexes(some)                            ("0512", "0513")

Union, intersection and difference are `a | b`, `a & b` and `a & ~b`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache

from rules.kit.hexes import Grid, Hex

Hexes = int
"""A set of hexes."""
Sides = tuple[tuple[int, Hexes], ...]
"""Ways over hexsides: how far the bit of the hex beyond is away, and the hexes from which it is so."""


class Bits:
    """The bits of one grid: column by column, with a bit between the columns that no hex has."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        rows = grid.rows[1] - grid.rows[0] + 1
        self.place = {hex: number + number // rows for number, hex in enumerate(grid.hexes)}
        self._order = {place: hex for hex, place in self.place.items()}
        self._high = rows + 1

    def of(self, hexes: Iterable[Hex]) -> Hexes:
        """These hexes."""
        found = 0
        for hex in hexes:
            found |= 1 << self.place[hex]
        return found

    def hexes(self, some: Hexes) -> tuple[Hex, ...]:
        """The hexes of a set, column by column."""
        found, text = [], f"{some:b}"[::-1]
        place = text.find("1")
        while place >= 0:
            found.append(self._order[place])
            place = text.find("1", place + 1)
        return tuple(found)

    def over(self, ways: Iterable[tuple[Hex, Hex]]) -> Sides:
        """Ways from hexes to their neighbours, each in this direction only."""
        found: dict[int, Hexes] = {}
        for a, b in ways:
            by = self.place[b] - self.place[a]
            found[by] = found.get(by, 0) | 1 << self.place[a]
        return tuple(found.items())

    @cached_property
    def sides(self) -> Sides:
        """All hexsides, both ways."""
        high, column = self._high, (1 << self._high - 1) - 1
        whole = dict.fromkeys((False, True), 0)
        for number in range(self.grid.columns[1] - self.grid.columns[0] + 1):
            whole[self.grid.lowered(self.grid.columns[0] + number)] |= column << number * high
        everywhere = whole[False] | whole[True]
        found: dict[int, Hexes] = {}
        for low, some in whole.items():
            for by in (-1, 1, high, high + 1 if low else high - 1, -high, 1 - high if low else -high - 1):
                found[by] = found.get(by, 0) | some & (everywhere >> by if by > 0 else everywhere << -by)
        return tuple(found.items())

    @staticmethod
    def but(sides: Sides, gone: Sides) -> Sides:
        """Those sides without these."""
        less = dict(gone)
        return tuple((by, some & ~less.get(by, 0)) for by, some in sides)

    @staticmethod
    def across(some: Hexes, sides: Sides) -> Hexes:
        """The hexes to which these sides lead from some."""
        found = 0
        for by, able in sides:
            found |= (some & able) << by if by > 0 else (some & able) >> -by
        return found


@lru_cache(maxsize=16)
def bits_of(grid: Grid) -> Bits:
    """The bits of a grid, laid out once."""
    return Bits(grid)
