"""How likely dice were: exact where it can be counted, else by a seeded simulation with its interval.

Nothing here judges: a probability is told from both sides, and what was to be expected beside it.
Sources: sums by convolution; Pearson's chi-square against equal faces, its tail in closed form for whole degrees of
freedom (Abramowitz and Stegun, 26.4.4 and 26.4.5); Wilson's interval of a share.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import Final

from pbem.simulate import wilson

LARGEST: Final = 4_000_000
"""Steps of an exact convolution, dice times totals; beyond it is simulated."""
TRIES: Final = 20_000
BLOCK: Final = 50


@dataclass(frozen=True, slots=True)
class Tails:
    """The probability of this much or less, and of this much or more. `low` and `high` are the ends of 95 percent
    intervals where it was simulated, as pairs (of less, of more); None where it is exact."""

    less: Fraction
    more: Fraction
    low: tuple[float, float] | None = None
    high: tuple[float, float] | None = None

    @property
    def exact(self) -> bool:
        return self.low is None


def totals(dice: Mapping[int, int]) -> list[int]:
    """In how many ways each total falls, from the lowest (a one on each die) up; `dice`: how many by sides."""
    ways = [1]
    for sides, number in sorted(dice.items()):
        for _ in range(number):
            sums = list(accumulate(ways))
            high = len(ways) + sides - 1
            ways = [(sums[min(at, len(sums) - 1)] - (sums[at - sides] if at >= sides else 0)) for at in range(high)]
    return ways


def of_total(dice: Mapping[int, int], total: int) -> Tails:
    """The tails of a total of these dice."""
    number = sum(dice.values())
    spread = sum((sides - 1) * count for sides, count in dice.items())
    at = total - number
    if number * (spread + 1) > LARGEST:
        return _simulated(dice, total)
    ways = totals(dice)
    whole = math.prod(sides**count for sides, count in dice.items())
    return Tails(Fraction(sum(ways[: max(0, at + 1)]), whole), Fraction(sum(ways[max(0, at) :]), whole))


def _simulated(dice: Mapping[int, int], total: int) -> Tails:
    """By chance with a fixed seed: totals of blocks of dice are drawn from their exact distribution."""
    rng = random.Random(f"{sorted(dice.items())} {total}")
    blocks = []
    for sides, count in sorted(dice.items()):
        for size, times in ((BLOCK, count // BLOCK), (count % BLOCK, 1)):
            if size and times:
                blocks.append((list(accumulate(totals({sides: size}))), size, times))
    less = more = 0
    for _ in range(TRIES):
        met = 0
        for sums, size, times in blocks:
            met += times * size + sum(bisect_left(sums, rng.randint(1, sums[-1])) for _ in range(times))
        less += met <= total
        more += met >= total
    (a, b), (c, d) = wilson(less, TRIES), wilson(more, TRIES)
    return Tails(Fraction(less, TRIES), Fraction(more, TRIES), (a, c), (b, d))


def of_hits(chances: Iterable[Fraction], hits: int) -> Tails:
    """The tails of a number of hits, each with a chance of its own (Poisson's binomial distribution), exactly."""
    ways, whole = [1], 1
    for chance in chances:
        yes, no = chance.numerator, chance.denominator - chance.numerator
        ways = [a * no + b * yes for a, b in zip([*ways, 0], [0, *ways], strict=True)]
        whole *= chance.denominator
    return Tails(Fraction(sum(ways[: hits + 1]), whole), Fraction(sum(ways[max(hits, 0) :]), whole))


# Against equal faces ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Uniform:
    """All faces of one size of die: how often each fell, Pearson's chi-square, and how often fair dice differ as much.

    `few`: less than five of a face are expected, where the closed form is only rough; `p` then comes from a seeded
    simulation, and `low` and `high` are its interval.
    """

    sides: int
    counts: tuple[int, ...]
    square: Fraction
    p: float
    few: bool = False
    low: float = 0
    high: float = 0


def uniform(sides: int, faces: Counter[int]) -> Uniform:
    """Faces from 1 to `sides` against the uniform distribution."""
    counts = tuple(faces[face] for face in range(1, sides + 1))
    number = sum(counts)
    square = chi_square(counts)
    if sides == 1 or number >= 5 * sides:
        return Uniform(sides, counts, square, chi_square_tail(float(square), sides - 1))
    rng = random.Random(f"{sides} {number}")
    tries = max(200, min(TRIES, 400_000 // max(1, number)))
    hits = 0
    for _ in range(tries):
        met = Counter(rng.choices(range(1, sides + 1), k=number))
        hits += chi_square([met[face] for face in range(1, sides + 1)]) >= square
    low, high = wilson(hits, tries)
    return Uniform(sides, counts, square, hits / tries, True, low, high)


def chi_square(counts: Sequence[int]) -> Fraction:
    """Pearson's sum against equal numbers: (found - expected) squared, by expected."""
    number, sides = sum(counts), len(counts)
    return Fraction(sides * sum(count * count for count in counts), number) - number if number else Fraction(0)


def chi_square_tail(square: float, freedom: int) -> float:
    """The probability of a chi-square of this much or more, for whole degrees of freedom."""
    if freedom < 1 or square <= 0:
        return 1.0
    half = square / 2
    if freedom % 2 == 0:
        term, whole = math.exp(-half), 0.0
        for step in range(freedom // 2):
            whole += term
            term *= half / (step + 1)
        return min(1.0, whole)
    whole, term = math.erfc(math.sqrt(half)), math.sqrt(2 * square / math.pi) * math.exp(-half)
    for step in range(3, freedom + 2, 2):
        whole += term
        term *= square / step
    return min(1.0, whole)
