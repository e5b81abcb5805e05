"""What drawings of hex maps share: lines and outlines along hexsides, parts of a grid, hexes on paper, text."""

from __future__ import annotations

import pytest

from rules.kit import outlines
from rules.kit.hexes import Grid
from rules.kit.sheets import Frame, burst, disc, lattice, parts, star

GRID = Grid((1, 12), (1, 12), "even")


# --- outlines ---


def test_the_outline_of_a_hex_is_its_corners() -> None:
    path = outlines.outline(GRID, ["0505"])
    assert set(path) == set(GRID.corners("0505"))
    assert path[0] == path[-1]
    assert abs(outlines.doubled_area(path)) == 12


def test_a_ring_has_no_hole() -> None:
    ring = outlines.outline(GRID, GRID.ring("0606", 2))
    full = outlines.outline(GRID, GRID.within("0606", 2))
    assert set(ring) == set(full)
    assert abs(outlines.doubled_area(full)) == 12 * 19


def test_hexsides_are_joined_to_lines() -> None:
    sides = ["0505/0605", "0505/0604", "0504/0604", "0909/0910"]
    found = outlines.along(GRID, sides)
    assert sorted(len(path) for path in found) == [2, 4]
    fork = outlines.along(GRID, ["0505/0605", "0505/0604", "0604/0605"])  # three meet in one corner
    assert [len(path) for path in fork] == [2, 2, 2]


def test_middles_smooth_a_line() -> None:
    assert outlines.smoothed(((0, 0), (2, 0), (3, 1))) == (((0, 0), 1), ((2, 0), 2), ((5, 1), 2), ((3, 1), 1))
    assert outlines.smoothed(((0, 0), (2, 0))) == (((0, 0), 1), ((2, 0), 1))


# --- sheets ---


def test_a_frame_holds_its_hexes() -> None:
    frame = Frame(GRID, (3, 7, 2, 6), 0.5)
    width, height = frame.size()
    assert len(frame.hexes) == 25
    for hex in frame.hexes:
        for x, y in (frame.spot(corner) for corner in GRID.corners(hex)):
            assert 0.5 - 1e-9 <= x <= width - 0.5 + 1e-9
            assert 0.5 - 1e-9 <= y <= height - 0.5 + 1e-9
    assert len(frozenset(frame.around(1))) == 49


def test_a_turned_frame_has_the_west_at_the_left() -> None:
    # a quarter turn clockwise: columns run downward, rows from right to left
    frame = Frame(GRID, (1, 12, 1, 12), 0, turned=True)
    (x, y), (u, v) = frame.middle("0501"), frame.middle("0509")
    assert u < x
    assert v == y
    assert frame.middle("0901")[1] > y
    assert frame.size() == tuple(reversed(Frame(GRID, (1, 12, 1, 12), 0).size()))


@pytest.mark.parametrize("prefix", ["", "i"])
def test_parts_are_where_something_happens(prefix: str) -> None:
    grid = Grid((1, 30), (1, 30), "even", prefix)

    def found(*hexes: str, most: int = 4) -> tuple[tuple[int, int, int, int], ...]:
        return parts(grid, [prefix + hex for hex in hexes], most=most, least=7, widest=12, together=3)

    assert found() == ()
    assert found("0101") == ((1, 7, 1, 7),)  # kept on the map
    assert found("1510", "1512") == ((12, 18, 8, 14),)
    assert found("0505", "2525", "2526") == ((22, 28, 23, 29), (2, 8, 2, 8))  # the busier first
    assert found("0505", "2525", "2526", most=1) == ((22, 28, 23, 29),)
    assert len(found(*(f"{column:02}15" for column in range(3, 28)))) > 1  # a wide front is parted


def test_a_part_as_text() -> None:
    lines = list(lattice(GRID, (1, 3, 1, 2), 4, lambda hex: hex))
    assert lines == ["    01  02  03", "01  0101    0301", "        0201", "02  0102    0302", "        0202"]


def test_a_wide_cell_shifts_nothing() -> None:
    lines = list(lattice(GRID, (1, 3, 1, 1), 3, lambda hex: "J10*" if hex == "0101" else hex[:2]))
    assert lines == ["    01 02 03", "01  J10*  03", "       02"]
    assert list(lattice(GRID, (2, 3, 1, 1), 3, lambda hex: hex[:2])) == ["    02 03", "01     03", "    02"]


def test_shapes_keep_their_distance() -> None:
    for shape, points, inner in ((disc((0, 0), 2), 12, 1.0), (star((0, 0), 2), 10, 0.42), (burst((0, 0), 2), 24, 0.74)):
        assert len(shape) == points
        far = [(x * x + y * y) ** 0.5 for x, y in shape]
        assert max(far) == pytest.approx(2)
        assert min(far) == pytest.approx(2 * inner)
