"""Odds, differentials and columns from arithmetic."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.kit.tables import Chart, column, differential, odds, read_odds, say_odds, shift

POINTS = st.integers(1, 400)


@pytest.mark.parametrize(
    ("attack", "defence", "said"),
    [
        (16, 4, "4:1"),
        (15, 4, "3:1"),
        (39, 8, "4:1"),  # 19.5 against 4, in halves
        (4, 4, "1:1"),
        (7, 4, "1:1"),
        (8, 4, "2:1"),
        (3, 4, "1:2"),
        (2, 4, "1:2"),
        (5, 11, "1:3"),
        (2, 6, "1:3"),
        (2, 7, "1:4"),
        (1, 100, "1:100"),
    ],
)
def test_odds(attack: int, defence: int, said: str) -> None:
    assert say_odds(odds(attack, defence)) == said


@given(POINTS, POINTS)
def test_odds_round_for_the_defender(attack: int, defence: int) -> None:
    step = odds(attack, defence)
    ratio = Fraction(attack, defence)
    least = Fraction(step + 1) if step >= 0 else Fraction(1, 1 - step)
    more = Fraction(step + 2) if step >= -1 else Fraction(1, -step)
    assert least <= ratio
    assert ratio < more or (step == -1 and ratio < 1)
    assert odds(2 * attack, 2 * defence) == step


@given(st.integers(-50, 50))
def test_read_and_say_are_inverse(step: int) -> None:
    assert read_odds(say_odds(step)) == step


@pytest.mark.parametrize("text", ["", "3", "3:2", "0:1", "1:0", "01:1", "2:2", "-1:1", "3:1+", "a:1"])
def test_what_are_no_odds(text: str) -> None:
    with pytest.raises(ValueError, match="no odds"):
        read_odds(text)


@pytest.mark.parametrize(("attack", "defence"), [(0, 4), (4, 0), (-1, 4)])
def test_nobody_there(attack: int, defence: int) -> None:
    with pytest.raises(ValueError, match="no odds"):
        odds(attack, defence)


def test_shifts_of_odds_are_additions() -> None:
    assert say_odds(odds(39, 8) + 2) == "6:1"
    assert say_odds(read_odds("1:1") - 1) == "1:2"
    assert say_odds(read_odds("1:2") + 3) == "3:1"


@pytest.mark.parametrize(
    ("attack", "defence", "unit", "difference"),
    [(7, 4, 1, 3), (4, 7, 1, -3), (7, 8, 2, -1), (9, 8, 2, 0), (10, 8, 2, 1), (8, 8, 2, 0)],
)
def test_differentials(attack: int, defence: int, unit: int, difference: int) -> None:
    assert differential(attack, defence, unit) == difference


@pytest.mark.parametrize(("value", "place"), [(3, None), (4, 0), (5, 0), (7, 1), (8, 2), (11, 2), (12, 3), (99, 3)])
def test_columns(value: int, place: int | None) -> None:
    assert column((4, 6, 8, 12), value) == place


@pytest.mark.parametrize(("by", "place"), [(0, 2), (1, 3), (9, 3), (-2, 0), (-9, 0)])
def test_shifts_stay_in_the_table(by: int, place: int) -> None:
    assert shift(2, by, (4, 6, 8, 12)) == place


def test_a_chart() -> None:
    chart = Chart({2: ("a", "b"), 3: ("c", "d"), 4: ("e", "f")})
    assert chart.width == 2
    assert chart.at(3, 1) == "d"
    assert chart.at(1, 0) == "a"  # a roll modified beyond the rows
    assert chart.at(9, 1) == "f"
    for wrong in (-1, 2):
        with pytest.raises(IndexError, match="of 2"):
            chart.at(3, wrong)


@pytest.mark.parametrize("rows", [{}, {1: ("a",), 3: ("b",)}, {1: ("a",), 2: ("b", "c")}, {1: (), 2: ()}])
def test_a_chart_without_gaps(rows: dict[int, tuple[str, ...]]) -> None:
    with pytest.raises(ValueError, match="chart"):
        Chart(rows)
