"""Sets of hexes as bits say what the grid says."""

from __future__ import annotations

import random

import pytest

from rules.kit.bits import bits_of
from rules.kit.hexes import Grid

GRIDS = [
    Grid((1, 36), (1, 53), "even"),
    Grid((4, 7), (3, 9), "odd"),
    Grid((5, 5), (1, 1), "even"),
    Grid((0, 3), (10, 14), "odd", prefix="i"),
]


@pytest.mark.parametrize("grid", GRIDS)
def test_ways_lead_to_the_hexes_that_the_grid_names(grid: Grid) -> None:
    bits, rng = bits_of(grid), random.Random(1)
    for _ in range(20):
        some = set(rng.sample(grid.hexes, rng.randint(0, len(grid.hexes))))
        ways = {(a, b) for a in grid.hexes for b in grid.neighbours(a) if rng.random() < 0.3}
        start = bits.of(some)
        assert set(bits.hexes(start)) == some
        beside = {(a, b) for a in some for b in grid.neighbours(a)}
        assert set(bits.hexes(bits.across(start, bits.sides))) == {b for _, b in beside}
        assert set(bits.hexes(bits.across(start, bits.over(ways)))) == {b for _, b in beside & ways}
        others = bits.but(bits.sides, bits.over(ways))
        assert set(bits.hexes(bits.across(start, others))) == {b for _, b in beside - ways}
