"""Hex geometry against counting by hand, brute force and high-school trigonometry."""

from __future__ import annotations

from itertools import pairwise
from math import hypot
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.kit.hexes import DIRECTIONS, OPPOSITE, Direction, Grid, ends, scaled, side
from rules.kit.search import reach

GRID = Grid((1, 36), (1, 53), "even")
SMALL = Grid((50, 59), (1, 20), "even")
HEXES = st.sampled_from(GRID.hexes)


# --- neighbours ---


@pytest.mark.parametrize(
    ("hex", "around"),
    [
        ("5010", {"5009", "5011", "5110", "5111"}),  # an even column stands lower; the map ends in the west
        ("5110", {"5109", "5111", "5009", "5010", "5209", "5210"}),
        ("5001", {"5002", "5101", "5102"}),
        ("5920", {"5919", "5819", "5820"}),
    ],
)
def test_neighbours(hex: str, around: set[str]) -> None:
    assert set(SMALL.neighbours(hex)) == around


def test_the_other_stagger_is_the_mirror_image() -> None:
    odd = Grid((50, 59), (1, 20), "odd")
    assert set(odd.neighbours("5510")) == {"5509", "5511", "5410", "5411", "5610", "5611"}
    assert set(odd.neighbours("5410")) == {"5409", "5411", "5309", "5310", "5509", "5510"}


def test_neighbours_go_clockwise_from_the_north() -> None:
    assert GRID.neighbours("0925") == ("0924", "1024", "1025", "0926", "0825", "0824")
    assert [GRID.direction("0925", there) for there in GRID.neighbours("0925")] == list(DIRECTIONS)


@given(HEXES, st.sampled_from(DIRECTIONS))
def test_a_step_there_and_back(hex: str, way: Direction) -> None:
    there = GRID.step(hex, way)
    if there is None:
        assert GRID.on_edge(hex)
        return
    assert GRID.step(there, OPPOSITE[way]) == hex
    assert GRID.direction(hex, there) == way
    assert GRID.adjacent(hex, there)
    assert GRID.adjacent(there, hex)


def test_every_hexside_is_counted_once() -> None:
    # 36 columns of 52 inner hexsides; between two columns every hex but one at the end has two
    assert len({name for hex in GRID.hexes for name in GRID.sides(hex)}) == 36 * 52 + 35 * (2 * 53 - 1)


def test_what_is_on_the_map() -> None:
    assert len(GRID.hexes) == 36 * 53
    assert "0501" in GRID
    assert "0500" not in GRID
    assert GRID.direction("0501", "0503") is None
    assert GRID.direction("0501", "0501") is None


@pytest.mark.parametrize(("columns", "rows"), [((0, 100), (1, 2)), ((5, 4), (1, 2)), ((1, 2), (-1, 3))])
def test_a_grid_of_two_digits(columns: tuple[int, int], rows: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="run from"):
        Grid(columns, rows, "even")


# --- distance ---


@pytest.mark.parametrize(
    ("a", "b", "steps"),
    [
        ("0748", "0748", 0),
        ("0925", "0825", 1),
        ("0501", "0550", 49),
        ("0101", "3601", 35),  # 35 columns allow for 17 rows on the way
        ("0101", "3653", 35 + 52 - 17),
        ("5005", "5009", 4),
    ],
)
def test_distance(a: str, b: str, steps: int) -> None:
    grid = SMALL if a.startswith("5") else GRID
    assert grid.distance(a, b) == grid.distance(b, a) == steps


def test_distance_is_the_number_of_steps() -> None:
    for start in ("0101", "1020", "1120", "3653"):
        found = reach([start], lambda hex: ((there, 1) for there in GRID.neighbours(hex)))
        assert all(GRID.distance(start, hex) == found[hex].cost for hex in GRID.hexes)


@given(HEXES, st.integers(0, 6))
def test_rings_make_the_range(hex: str, far: int) -> None:
    near = GRID.within(hex, far)
    assert sorted(near) == sorted(other for n in range(far + 1) for other in GRID.ring(hex, n))
    assert sorted(near) == sorted(other for other in GRID.hexes if GRID.distance(hex, other) <= far)
    if not any(GRID.on_edge(other) for other in near):
        assert len(near) == 1 + 3 * far * (far + 1)


def test_the_nearest() -> None:
    assert GRID.nearest("0748", ("0744", "0751", "0101")) == 3
    assert GRID.nearest("0748", ()) is None


# --- hexsides and corners ---


def test_names_of_hexsides() -> None:
    assert side("0925", "0825") == side("0825", "0925") == "0825/0925"
    assert ends("0825/0925") == ("0825", "0925")
    assert GRID.is_side("0825/0925")
    for wrong in ("0925/0825", "0825/1025", "0825", "0825/", "9925/9926"):
        assert not GRID.is_side(wrong)


@given(HEXES)
def test_a_hexside_ends_where_three_hexes_meet(hex: str) -> None:
    for there in GRID.neighbours(hex):
        shared = set(GRID.corners(hex)) & set(GRID.corners(there))
        assert set(GRID.edge(side(hex, there))) == shared
        for flank in GRID.flanks(side(hex, there)):
            assert len(shared & set(GRID.corners(flank))) == 1
        assert len(GRID.flanks(side(hex, there))) == 2 or GRID.on_edge(hex)


def test_what_has_no_hexside() -> None:
    with pytest.raises(ValueError, match="0501 and 0503 are not neighbours"):
        GRID.edge("0501/0503")


@given(HEXES)
def test_a_drawing_has_regular_hexes(hex: str) -> None:
    middle = scaled(GRID.spots[hex], 6.0)
    corners = [scaled(corner, 6.0) for corner in GRID.corners(hex)]
    radius = 6.0 / 3**0.5
    for corner, following in pairwise([*corners, corners[0]]):
        assert hypot(corner[0] - middle[0], corner[1] - middle[1]) == pytest.approx(radius)
        assert hypot(corner[0] - following[0], corner[1] - following[1]) == pytest.approx(radius)
    for there in GRID.neighbours(hex):
        other = scaled(GRID.spots[there], 6.0)
        assert hypot(other[0] - middle[0], other[1] - middle[1]) == pytest.approx(6.0)


# --- lines ---


@pytest.mark.parametrize(
    ("a", "b", "hexes"),
    [
        ("0505", "0505", (("0505",),)),
        ("0501", "0504", (("0501",), ("0502",), ("0503",), ("0504",))),
        ("0505", "0605", (("0505",), ("0605",))),
        ("0505", "0705", (("0505",), ("0604", "0605"), ("0705",))),
        ("0505", "0606", (("0505",), ("0506", "0605"), ("0606",))),
        ("0101", "0301", (("0101",), ("0201",), ("0301",))),  # the other hex of the hexside is off the map
    ],
)
def test_lines(a: str, b: str, hexes: tuple[tuple[str, ...], ...]) -> None:
    assert GRID.line(a, b) == hexes
    assert GRID.line(b, a) == tuple(reversed(hexes))


@settings(max_examples=40)
@given(st.sampled_from(GRID.within("1825", 8)), st.sampled_from(GRID.within("1825", 8)))
def test_a_line_goes_where_its_points_lie(a: str, b: str) -> None:
    (x, y), (u, v) = scaled(GRID.spots[a]), scaled(GRID.spots[b])
    near = {hex: scaled(GRID.spots[hex]) for hex in GRID.within("1825", 10)}
    touched = set()
    for n in range(121):
        p, q = x + (u - x) * n / 120, y + (v - y) * n / 120
        far = {hex: hypot(p - r, q - s) for hex, (r, s) in near.items()}
        least = min(far.values())
        closest = [hex for hex, length in far.items() if length < least + 1e-9]
        if len(closest) == 1:
            touched.add(closest[0])
    found = {hex for hexes in GRID.line(a, b) for hex in hexes if len(hexes) == 1}
    assert touched <= found
    for hex in found - touched:  # clipped at a corner, between two points
        assert min(GRID.distance(hex, other) for other in touched) == 1


def test_building_the_map_is_quick() -> None:
    begun = perf_counter()
    grid = Grid((1, 36), (1, 53), "even")
    assert len(grid.neighbours("1825")) == 6
    assert perf_counter() - begun < 0.1
