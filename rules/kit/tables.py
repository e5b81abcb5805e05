"""Combat tables: odds and differentials that round for the defender, columns by their heads, shifts that stay inside.

Odds are steps on a ladder, so that a shift is an addition:

    step   -2    -1    0    1    2
    odds   1:3   1:2   1:1  2:1  3:1

    odds(39, 8)                 3: 39 halves against 8 are 4:1 with the fraction dropped
    say_odds(3 + 2)             "6:1"; `read_odds` is the inverse
    column((-2, -1, 0, 1), 4)   3: the last head that is not above the value; None below the first
    shift(3, 2, heads)          a column moved, at most to the end of the table
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


def odds(attack: int, defence: int) -> int:
    """Attack against defence as a step of the ladder, fractions dropped in favour of the defender.

    Both in the same unit (halves, say). ValueError where either is not above 0.
    """
    if attack <= 0 or defence <= 0:
        raise ValueError(f"{attack} against {defence} are no odds")
    return attack // defence - 1 if attack >= defence else 1 + -defence // attack


def say_odds(step: int) -> str:
    """A step of the ladder in words: `3:1`, `1:2`."""
    return f"{step + 1}:1" if step >= 0 else f"1:{1 - step}"


def read_odds(text: str) -> int:
    """The step that `say_odds` says so. ValueError for anything else."""
    attack, _, defence = text.partition(":")
    if attack.isdecimal() and defence.isdecimal() and "1" in (attack, defence):
        step = odds(int(attack), int(defence)) if int(attack) and int(defence) else 0
        if say_odds(step) == text:
            return step
    raise ValueError(f"{text} are no odds: one side is 1, as in 3:1 or 1:2")


def differential(attack: int, defence: int, unit: int = 1) -> int:
    """Attack less defence in whole points, fractions dropped in favour of the defender: 3½ less 4 is -1.

    `unit` is how many of the given numbers make a point: 2 where they are halves.
    """
    return (attack - defence) // unit


def column(heads: Sequence[int], value: int) -> int | None:
    """The column of a value, counted from 0: the last whose head is not above it. None below the first head.

    Heads rise. A value above the last head uses the last column.
    """
    place = bisect_right(heads, value) - 1
    return place if place >= 0 else None


def shift(column: int, by: int, heads: Sequence[object]) -> int:
    """A column moved to the right (or left, by less than 0), kept inside the table."""
    return clamp(column + by, 0, len(heads) - 1)


def clamp(value: int, least: int, most: int) -> int:
    """The value, or the bound that it passes."""
    return min(max(value, least), most)


@dataclass(frozen=True, slots=True)
class Chart(Generic[T]):
    """Results by die (or sum of dice) and column. Rows have one length, dice follow each other without a gap."""

    rows: Mapping[int, tuple[T, ...]]

    def __post_init__(self) -> None:
        dice = sorted(self.rows)
        if not dice or dice != list(range(dice[0], dice[-1] + 1)):
            raise ValueError(f"a chart has a row for every die, this one for {dice}")
        if len({len(row) for row in self.rows.values()}) != 1 or not self.rows[dice[0]]:
            raise ValueError("every row of a chart has the same columns")

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[min(self.rows)])

    def at(self, roll: int, column: int) -> T:
        """The result; a modified roll outside the rows takes the nearest row. IndexError for a column that is none."""
        if not 0 <= column < self.width:
            raise IndexError(f"column {column} of {self.width}")
        return self.rows[clamp(roll, min(self.rows), max(self.rows))][column]
