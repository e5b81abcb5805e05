"""The long statistics of the dice, as a Markdown table for docs/dice.md.

    PYTHONPATH=. python bench/dice_statistics.py [--jobs N] [--quick]

Every die over 200 seeds of 60,000 values, the other tables of the test suite at ten times its size,
and six tests after NIST SP 800-22 rev. 1a on 10,000,000 bits, three times over.
Seeds are fixed: the same program prints the same numbers.
Such tests catch a wrong wire; that nobody can foretell the dice rests on the hashes, not on statistics.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import test_dice_statistics as checks

from pbem import dice

BITS = 10_000_000
# A prime near 60,000, for the reason given beside VALUES_PER_SEED.
VALUES = 60_013
SEEDS = 200


# --- six tests of NIST SP 800-22 rev. 1a; `bits` is a text of 0 and 1 ---


def igamc(a: float, x: float) -> float:
    """NIST's name for the regularised upper incomplete gamma."""
    return checks.chi2_sf(2 * x, round(2 * a))


def normal(x: float) -> float:
    return math.erfc(-x / math.sqrt(2)) / 2


def monobit(bits: str) -> float:
    """2.1: as many ones as zeros."""
    n = len(bits)
    return math.erfc(abs(2 * bits.count("1") - n) / math.sqrt(2 * n))


def block_frequency(bits: str, m: int) -> float:
    """2.2: and so in every block of `m`."""
    blocks = len(bits) // m
    x = 4 * m * sum((bits.count("1", i * m, (i + 1) * m) / m - 0.5) ** 2 for i in range(blocks))
    return igamc(blocks / 2, x / 2)


def runs(bits: str) -> float:
    """2.3: neither too many changes nor too few."""
    n = len(bits)
    ones = bits.count("1") / n
    # Every change is one "01" or one "10"; neither overlaps itself.
    changes = bits.count("01") + bits.count("10") + 1
    even = 2 * ones * (1 - ones)
    return math.erfc(abs(changes - n * even) / (math.sqrt(2 * n) * even))


# 2.4.4 and 3.4: the odds of the longest run of ones, by size of block: shortest class, odds.
LONGEST_RUN = {
    8: (1, (0.2148, 0.3672, 0.2305, 0.1875)),
    10_000: (10, (0.0882, 0.2092, 0.2483, 0.1933, 0.1208, 0.0675, 0.0727)),
}


def longest_run(bits: str, m: int) -> float:
    """2.4: the longest run of ones in blocks of `m`."""
    least, odds = LONGEST_RUN[m]
    classes: Counter[int] = Counter()
    for i in range(len(bits) // m):
        longest = max(map(len, bits[i * m : (i + 1) * m].split("0")))
        classes[min(max(longest - least, 0), len(odds) - 1)] += 1
    blocks = len(bits) // m
    x = sum((classes[c] - blocks * p) ** 2 / (blocks * p) for c, p in enumerate(odds))
    return igamc((len(odds) - 1) / 2, x / 2)


def serial(bits: str, m: int) -> tuple[float, float]:
    """2.11: all patterns of `m` bits, overlapping, equally often; two p."""
    n = len(bits)
    ring = bits + bits[: m - 1]
    counts = Counter(ring[i : i + m] for i in range(n))

    def psi_square(length: int) -> float:
        if length <= 0:
            return 0.0
        shorter: Counter[str] = Counter()
        for pattern, count in counts.items():
            shorter[pattern[:length]] += count
        return (1 << length) / n * sum(count * count for count in shorter.values()) - n

    psi = [psi_square(m), psi_square(m - 1), psi_square(m - 2)]
    first = psi[0] - psi[1]
    second = psi[0] - 2 * psi[1] + psi[2]
    return igamc(2 ** (m - 2), first / 2), igamc(2 ** (m - 3), second / 2)


def cumulative_sums(bits: str, backward: bool = False) -> float:
    """2.13: a walk of one step up or down per bit strays neither too far nor too little."""
    n = len(bits)
    walk = list(itertools.accumulate(1 if bit == "1" else -1 for bit in (reversed(bits) if backward else bits)))
    z = max(map(abs, walk))
    root = math.sqrt(n)
    p = 1.0
    for k in range(int((-n / z + 1) / 4), int((n / z - 1) / 4) + 1):
        p -= normal((4 * k + 1) * z / root) - normal((4 * k - 1) * z / root)
    for k in range(int((-n / z - 3) / 4), int((n / z - 1) / 4) + 1):
        p += normal((4 * k + 3) * z / root) - normal((4 * k + 1) * z / root)
    return p


def check_examples() -> None:
    """The worked examples of SP 800-22, so that a fault of these tests is not taken for one of the dice."""
    longest = (
        "11001100000101010110110001001100111000000000001001001101010100010001001111010110"
        "100000001101011111001100111001101101100010110010"
    )
    first, second = serial("0011011101", 3)
    examples = [
        (monobit("1011010101"), 0.527089),
        (block_frequency("0110011010", 3), 0.801252),
        (runs("1001101011"), 0.147232),
        (longest_run(longest, 8), 0.180609),
        (first, 0.808792),
        (second, 0.670320),
        (cumulative_sums("1011010111"), 0.4116588),
    ]
    for found, printed in examples:
        if abs(found - printed) > 2e-4:
            raise SystemExit(f"a test is wrong: {found} where SP 800-22 prints {printed}")


def bits_of(source: str, count: int) -> str:
    (seed,) = checks.seeds(f"nist {source}", 1)
    if source == "coin":
        return "".join("01"[dice.uniform(seed, f"t1/coin#1/{i}", 2)] for i in range(count))
    if source == "wide":
        return "".join(f"{dice.uniform(seed, f't1/wide#1/{i}', 2**32):032b}" for i in range(count // 32))
    # One word of each of many batches: a wire crossed in the seeds shows here.
    links = {seat: checks.links(seat, count // 64) for seat in ("red", "blue")}
    return "".join(f"{dice.word(seed, 't1/x#1/0', 0):064b}" for seed in checks.batch_seeds(**links))


SOURCES = {
    "wide": "values 0..2^32-1 under one label",
    "coin": "a coin, each bit a die of its own",
    "batches": "one word from each of many batches",
}


# --- jobs: each returns rows of name, size, p ---

Row = tuple[str, str, str]


def nist_rows(source: str, count: int) -> list[Row]:
    bits = bits_of(source, count)
    serial_ps = serial(bits, 16)
    ps = {
        "monobit": monobit(bits),
        "block frequency (125,000)": block_frequency(bits, 125_000),
        "runs": runs(bits),
        "longest run (10,000)": longest_run(bits, 10_000),
        "serial (16), first": serial_ps[0],
        "serial (16), second": serial_ps[1],
        "cumulative sums, forward": cumulative_sums(bits),
        "cumulative sums, backward": cumulative_sums(bits, backward=True),
    }
    return [(f"{name}: {SOURCES[source]}", f"{len(bits):,} bits", f"{p:.4f}") for name, p in ps.items()]


def die_counts(first: int, last: int, values: int) -> dict[int, list[list[int]]]:
    return checks.tallies(checks.SIDES, checks.seeds("even", last)[first:], values)


def table_rows(table: str, count: int) -> list[Row]:
    tables: dict[str, Callable[[int], Mapping[str, float]]] = {
        "serial": checks.serial_ps,
        "throws": checks.throw_ps,
        "orders": checks.order_ps,
        "labels": checks.label_ps,
        "cheats": checks.cheat_ps,
    }
    return [(name, f"{count:,}", f"{p:.4f}") for name, p in tables[table](count).items()]


def picker_rows(count: int) -> list[Row]:
    shares = {g: checks.sixes_of_a_picker(g, count) for g in (1, 2, 8, 64)}
    return [(f"share of sixes if {g} links may be tried", f"{count:,}", f"{share:.4f}") for g, share in shares.items()]


def main() -> None:
    parser = argparse.ArgumentParser(description="long statistics of the dice, as Markdown")
    parser.add_argument("--jobs", type=int, default=1, help="processes to use")
    parser.add_argument("--quick", action="store_true", help="a twentieth of everything, to try the program")
    args = parser.parse_args()
    share = 20 if args.quick else 1
    began = time.perf_counter()
    check_examples()
    checks.check_exact()

    with ProcessPoolExecutor(args.jobs) as pool:
        step = 10
        values = VALUES if share == 1 else checks.VALUES_PER_SEED
        counted = [pool.submit(die_counts, at, at + step, values) for at in range(0, SEEDS, step)]
        long = {"serial": 600_000, "throws": 150_000, "orders": 120_000, "labels": 60_000, "cheats": 200_000}
        if share > 1:
            long = {"serial": 60_000, "throws": 15_000, "orders": 12_000, "labels": 6_000, "cheats": 20_000}
        tables = [pool.submit(table_rows, table, count) for table, count in long.items()]
        tables.append(pool.submit(picker_rows, 40_000 // share))
        nist = [pool.submit(nist_rows, source, BITS // share) for source in SOURCES]

        per_die: dict[int, list[list[int]]] = {n: [] for n in checks.SIDES}
        for part in counted:
            for n, per_seed in part.result().items():
                per_die[n] += per_seed

        print(f"| die | seeds x values | lowest p | highest p | evenness of the {SEEDS} p | all together |")
        print("|---|---|---|---|---|---|")
        for n, per_seed in per_die.items():
            singles, spread, pooled = checks.even_dice_ps(per_seed)
            print(
                f"| d{n} | {len(per_seed)} x {values:,} | {min(singles):.5f} | {max(singles):.5f} "
                f"| {spread:.4f} | {pooled:.4f} |"
            )
        for title, futures in (("table", tables), ("SP 800-22", nist)):
            print(f"\n| {title} | size | p |\n|---|---|---|")
            for future in futures:
                for row in future.result():
                    print("| " + " | ".join(row) + " |")
    print(f"\n{time.perf_counter() - began:.0f} seconds, {args.jobs} processes.", file=sys.stderr)


if __name__ == "__main__":
    main()
