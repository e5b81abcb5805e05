"""Are the dice even? And would these tests notice if they were not?

Each `check_...` rolls with what `pbem.dice` offers and asserts; the power checks at the end put a wrong part
into that module and demand that the same check fails.
All seeds are fixed: a threshold decides only which fixed seeds are good enough when the algorithm changes on purpose.
"""

import hashlib
import itertools
import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar
from unittest.mock import patch

import pytest

from pbem import dice

Outcome = TypeVar("Outcome", bound=Hashable)

SIDES = (2, 3, 4, 6, 8, 10, 12, 20, 36, 50, 100)
FEW = 1e-6  # a single p closer than this to 0 or 1 is no luck [5.2]
# A prime: were it even, some seed would split a coin into exact halves, and p = 1 would be luck.
VALUES_PER_SEED = 2003
GAME = bytes.fromhex("b89a36702384101035c33add85beeed0492b3a18852fd1949af61f76614dae0f")
SETUP = bytes.fromhex("11" * 32)


# --- the mathematics of the tests ---


def chi2_sf(x: float, freedom: int) -> float:
    """How often chi-square with so many degrees of freedom is above `x`: the regularised upper incomplete gamma."""
    a, x = freedom / 2, x / 2
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        for k in itertools.count(1):
            term *= x / (a + k)
            total += term
            if term < total * 1e-15:
                return 1 - scale * total
    # Continued fraction after Lentz.
    b = x + 1 - a
    c, d = 1e300, 1 / b
    h = d
    for k in itertools.count(1):
        b += 2
        d = 1 / (b - k * (k - a) * d)
        c = b - k * (k - a) / c
        h *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return scale * h


def kolmogorov_p(ps: Iterable[float]) -> float:
    """How often values drawn evenly from 0..1 lie as far from even as `ps` do (Kolmogorov and Smirnov, Stephens' n)."""
    ordered = sorted(ps)
    n = len(ordered)
    gap = max(max((i + 1) / n - p, p - i / n) for i, p in enumerate(ordered))
    t = gap * (math.sqrt(n) + 0.12 + 0.11 / math.sqrt(n))
    if t < 0.2:
        return 1.0
    return min(1.0, 2 * sum((1 if k % 2 else -1) * math.exp(-2 * (k * t) ** 2) for k in range(1, 101)))


def chi_square_p(counts: Mapping[Outcome, int], odds: Mapping[Outcome, float]) -> float:
    """The p of `counts` against `odds` (weights of all outcomes possible); an impossible outcome fails outright."""
    strange = set(counts) - set(odds)
    assert not strange, f"outcomes that cannot be: {strange}"
    total, weight = sum(counts.values()), sum(odds.values())
    x = 0.0
    for outcome, share in odds.items():
        expected = total * share / weight
        if expected < 5:
            raise ValueError(f"{total} rolls are too few for this table")
        x += (counts.get(outcome, 0) - expected) ** 2 / expected
    return chi2_sf(x, len(odds) - 1)


def even_p(outcomes: Iterable[Outcome], possible: Iterable[Outcome]) -> float:
    return chi_square_p(Counter(outcomes), dict.fromkeys(possible, 1))


def plausible(p: float) -> bool:
    return FEW < p < 1 - FEW


# Upper points of the printed chi-square tables: freedom, p, x.
CHI_SQUARE_TABLE = [
    (1, 0.05, 3.841),
    (1, 0.01, 6.635),
    (2, 0.05, 5.991),
    (5, 0.95, 1.145),
    (5, 0.05, 11.070),
    (5, 0.001, 20.515),
    (10, 0.95, 3.940),
    (10, 0.05, 18.307),
    (10, 0.01, 23.209),
    (19, 0.05, 30.144),
    (30, 0.01, 50.892),
    (35, 0.05, 49.802),
    (100, 0.05, 124.342),
]


@pytest.mark.parametrize(("freedom", "p", "x"), CHI_SQUARE_TABLE)
def test_chi_square_is_that_of_the_tables(freedom: int, p: float, x: float) -> None:
    assert chi2_sf(x, freedom) == pytest.approx(p, rel=2e-3)


@pytest.mark.parametrize("x", [0.01, 0.5, 1.0, 3.0, 10.0, 50.0, 200.0])
def test_chi_square_in_closed_forms(x: float) -> None:
    assert chi2_sf(x, 1) == pytest.approx(math.erfc(math.sqrt(x / 2)), rel=1e-9, abs=1e-15)
    assert chi2_sf(x, 2) == pytest.approx(math.exp(-x / 2), rel=1e-9)
    assert chi2_sf(x, 4) == pytest.approx(math.exp(-x / 2) * (1 + x / 2), rel=1e-9)
    assert chi2_sf(x, 6) == pytest.approx(math.exp(-x / 2) * (1 + x / 2 + x * x / 8), rel=1e-9)


def test_kolmogorov_is_that_of_the_tables() -> None:
    """Critical distances for 100 values: 0.134 at 5 %, 0.161 at 1 %."""
    even = [(i + 0.5) / 100 for i in range(100)]
    assert kolmogorov_p(even) > 0.999
    for gap, p in ((0.134, 0.05), (0.161, 0.01)):
        moved = [min(1.0, x + gap - 0.005) for x in even]
        assert kolmogorov_p(moved) == pytest.approx(p, rel=0.1)


# --- what is rolled ---


def seeds(purpose: str, count: int) -> list[bytes]:
    return [hashlib.sha256(f"{purpose} {i}".encode()).digest() for i in range(count)]


def stream(purpose: str, count: int, n: int) -> list[int]:
    """`count` values 0..n-1: of one seed, the dice 0, 1, ... of one label."""
    (seed,) = seeds(purpose, 1)
    return [dice.uniform(seed, f"{purpose}#1/{i}", n) for i in range(count)]


def groups(values: Sequence[int], size: int) -> list[tuple[int, ...]]:
    return list(zip(*(values[i::size] for i in range(size)), strict=True))


def tallies(sides: Iterable[int], all_seeds: Iterable[bytes], values: int) -> dict[int, list[list[int]]]:
    """Per die and seed, how often each face fell. All dice of a seed share its words, which are computed once."""
    labels = [f"t1/even#1/{i}" for i in range(values)]
    counted: dict[int, list[list[int]]] = {n: [] for n in sides}
    for seed in all_seeds:
        with patch.object(dice, "word", lru_cache(maxsize=None)(dice.word)):
            for n, per_seed in counted.items():
                faces = Counter(dice.uniform(seed, label, n) for label in labels)
                per_seed.append([faces[face] for face in range(n)])
    return counted


def even_dice_ps(per_seed: Sequence[Sequence[int]]) -> tuple[list[float], float, float]:
    """Of one die: p for every seed, how even these p are, and p of all seeds together."""
    singles = [chi_square_p(dict(enumerate(counts)), dict.fromkeys(range(len(counts)), 1)) for counts in per_seed]
    together = [sum(column) for column in zip(*per_seed, strict=True)]
    pooled = chi_square_p(dict(enumerate(together)), dict.fromkeys(range(len(together)), 1))
    return singles, kolmogorov_p(singles), pooled


# --- the checks: each a list of p by name, or an assertion ---


def check_exact() -> None:
    """A proof, not a sample: of all 256 words of 8 bits, every value gets equally many, and as many as possible."""
    for n in range(1, 257):
        found = Counter(dice.accept(word, n, 8) for word in range(256))
        left_over = found.pop(None, 0)
        assert found == dict.fromkeys(range(n), 256 // n)
        assert left_over == 256 % n


def check_even_dice(counted: Mapping[int, Sequence[Sequence[int]]]) -> None:
    for n, per_seed in counted.items():
        singles, spread, pooled = even_dice_ps(per_seed)
        assert all(map(plausible, singles)), f"d{n}: p from {min(singles)} to {max(singles)}"
        assert spread > 1e-4, f"d{n}: the p of {len(singles)} seeds are not even: {spread}"
        assert plausible(pooled), f"d{n}: {pooled} for all seeds together"


def check_narrow_dice() -> None:
    """The loop of `uniform` with words of 8 bits, where what is left over is no rarity."""
    word = dice.word
    with (
        patch.object(dice, "WORD_BITS", 8),
        patch.object(dice, "word", lambda seed, label, attempt: word(seed, label, attempt) >> 56),
    ):
        check_even_dice(tallies((6, 20, 100), seeds("narrow", 100), VALUES_PER_SEED))


def serial_ps(count: int) -> dict[str, float]:
    d6, d20, d10 = stream("t1/d6", count, 6), stream("t1/d20", count, 20), stream("t1/d10", count, 10)
    up, down = runs(stream("t1/wide", count, 2**32))
    gaps = Counter(min(gap, 30) for gap in distances(d10, 0))
    return {
        "pairs of d6": even_p(groups(d6[: count // 2 * 2], 2), itertools.product(range(6), repeat=2)),
        "triples of d6": even_p(groups(d6[: count // 3 * 3], 3), itertools.product(range(6), repeat=3)),
        "pairs of d20": even_p(groups(d20[: count // 2 * 2], 2), itertools.product(range(20), repeat=2)),
        "runs up": chi_square_p(up, RUN_ODDS),
        "runs down": chi_square_p(down, RUN_ODDS),
        "gaps between ones of a d10": chi_square_p(gaps, GAP_ODDS),
    }


# A run is ended by the first value that breaks it, and that value is left out: so the runs are independent.
RUN_ODDS = {r: 1 / math.factorial(r) - 1 / math.factorial(r + 1) for r in range(1, 6)} | {6: 1 / math.factorial(6)}
GAP_ODDS = {gap: 0.1 * 0.9**gap for gap in range(30)} | {30: 0.9**30}


def runs(values: Sequence[int]) -> tuple[Counter[int], Counter[int]]:
    """How long values rise, and how long they fall; 6 stands for 6 and more."""
    up: Counter[int] = Counter()
    down: Counter[int] = Counter()
    for lengths, sign in ((up, 1), (down, -1)):
        at = 0
        while at < len(values) - 20:
            length = 1
            while sign * (values[at + length] - values[at + length - 1]) > 0:
                length += 1
            lengths[min(length, 6)] += 1
            at += length + 1
    return up, down


def distances(values: Iterable[int], wanted: int) -> list[int]:
    """How many other values lie between one `wanted` and the next."""
    places = [i for i, value in enumerate(values) if value == wanted]
    return [later - earlier - 1 for earlier, later in itertools.pairwise(places)]


# Of 6**5 = 7,776 throws of five dice, by how often the faces stand in one: Knuth's poker test.
POKER_ODDS = {
    (5,): 6,
    (4, 1): 150,
    (3, 2): 300,
    (3, 1, 1): 1200,
    (2, 2, 1): 1800,
    (2, 1, 1, 1): 3600,
    (1, 1, 1, 1, 1): 720,
}
SUM_ODDS = {total: 6 - abs(7 - total) for total in range(2, 13)}


def throw_ps(count: int) -> dict[str, float]:
    """Throws under one label each, as a game asks for them."""
    (seed,) = seeds("throws", 1)
    two = [dice.roll(seed, dice.label("t1/two", k), (6, 6)) for k in range(1, count + 1)]
    five = [dice.roll(seed, dice.label("t1/five", k), (6,) * 5) for k in range(1, count + 1)]
    hands = Counter(tuple(sorted(Counter(throw).values(), reverse=True)) for throw in five)
    return {
        "sums of 2d6": chi_square_p(Counter(map(sum, two)), SUM_ODDS),
        "2d6 in order": even_p(two, itertools.product(range(1, 7), repeat=2)),
        "poker with 5d6": chi_square_p(hands, POKER_ODDS),
    }


def order_ps(count: int) -> dict[str, float]:
    (seed,) = seeds("orders", 1)

    def shuffles(n: int, count: int) -> list[tuple[int, ...]]:
        return [dice.shuffle(seed, dice.label(f"t1/cup{n}", k), n) for k in range(1, count + 1)]

    packs = shuffles(50, count // 6)
    pairs = [dice.draw(seed, dice.label("t1/draw", k), 2, range(8)) for k in range(1, count + 1)]
    return {
        "all 24 orders of 4": even_p(shuffles(4, count), itertools.permutations(range(4))),
        "all 120 orders of 5": even_p(shuffles(5, count), itertools.permutations(range(5))),
        "place of the first card in 50": even_p((pack.index(0) for pack in packs), range(50)),
        "place of the last card in 50": even_p((pack.index(49) for pack in packs), range(50)),
        "draws of 2 from 8": even_p(pairs, itertools.permutations(range(8), 2)),
    }


def label_ps(count: int) -> dict[str, float]:
    """Two dice that could be mistaken for each other, as one throw of 2d6: 36 outcomes, all equally likely."""
    twins = {
        "die 1 and die 11": ("t1/x#1/1", "t1/x#1/11"),
        "use 1 and use 11": ("t1/x#1/0", "t1/x#11/0"),
        "use 1 and use 2": ("t1/x#1/0", "t1/x#2/0"),
        "turn 1 and turn 11": ("t1/x#1/0", "t11/x#1/0"),
    }
    all_seeds = batch_seeds(red=links("red", count), blue=links("blue", count))
    both = list(itertools.product(range(6), repeat=2))
    found = {
        name: even_p(((dice.uniform(seed, one, 6), dice.uniform(seed, two, 6)) for seed in all_seeds), both)
        for name, (one, two) in twins.items()
    }
    in_order = [dice.uniform(seed, "t1/x#1/0", 6) for seed in all_seeds]
    return found | {
        "batch n and n+1": even_p([*groups(in_order[: count // 2 * 2], 2)], both),
        "one die over all batches": even_p(in_order, range(6)),
    }


def links(seat: str, count: int, secret: int = 1) -> list[bytes]:
    """x_1 .. of a chain with so many links."""
    return dice.chain(dice.chain_id(SETUP, seat, 1), bytes([secret]) * 32, count)[1:]


def batch_seeds(**links_by_seat: Sequence[bytes]) -> list[bytes]:
    """The seeds of batches 1, 2, ..."""
    batches = zip(*links_by_seat.values(), strict=True)
    return [dice.batch_seed(GAME, n, dict(zip(links_by_seat, x, strict=True))) for n, x in enumerate(batches, 1)]


def cheat_ps(count: int) -> dict[str, float]:
    """One contributor is honest, the other does what it can within the rules."""

    def faces(all_seeds: Iterable[bytes]) -> float:
        return even_p((dice.uniform(seed, "t1/x#1/0", 6) for seed in all_seeds), range(6))

    constant = [bytes(32)] * count
    honest_red, honest_blue = links("red", count), links("blue", count)
    # Blue, who has seen red's anchor, tries 16 chains and takes the one whose anchor is nearest to it.
    red_anchor = dice.anchor(dice.chain_id(SETUP, "red", 1), bytes([1]) * 32, count)
    chosen = min(
        (dice.chain(dice.chain_id(SETUP, "blue", 1), bytes([secret]) * 32, count) for secret in range(16)),
        key=lambda values: abs(int.from_bytes(values[0], "big") - int.from_bytes(red_anchor, "big")),
    )
    return {
        "red constant": faces(batch_seeds(red=constant, blue=honest_blue)),
        "blue constant": faces(batch_seeds(red=honest_red, blue=constant)),
        "blue's chain chosen after red's anchor": faces(batch_seeds(red=honest_red, blue=chosen[1:])),
        "three seats, two constant": faces(batch_seeds(red=constant, blue=honest_blue, green=constant)),
    }


def sixes_of_a_picker(g: int, count: int) -> float:
    """How often a contributor gets its six who may take any of `g` of its links: what the index rule forbids."""
    honest, own = links("red", count), links("blue", count + g)
    sixes = 0
    for n in range(1, count + 1):
        tries = (dice.batch_seed(GAME, n, {"red": honest[n - 1], "blue": own[n - 1 + i]}) for i in range(g))
        sixes += any(dice.roll(seed, "t1/x#1", (6,)) == (6,) for seed in tries)
    return sixes / count


def check(ps: Mapping[str, float]) -> None:
    strange = {name: p for name, p in ps.items() if not plausible(p)}
    assert not strange


# --- the dice as they are ---

SERIAL, THROWS, ORDERS, LABELS, CHEATS = 60_000, 15_000, 12_000, 6_000, 20_000


def test_no_value_has_more_words_than_another() -> None:
    check_exact()


def test_dice_are_even_over_many_seeds() -> None:
    check_even_dice(tallies(SIDES, seeds("even", 200), VALUES_PER_SEED))


def test_dice_from_narrow_words_are_even() -> None:
    check_narrow_dice()


def test_one_die_tells_nothing_of_the_next() -> None:
    check(serial_ps(SERIAL))


def test_throws_of_several_dice() -> None:
    check(throw_ps(THROWS))


def test_orders_and_draws_are_even() -> None:
    check(order_ps(ORDERS))


def test_labels_and_batches_are_independent() -> None:
    check(label_ps(LABELS))


def test_other_rolls_never_change_a_die() -> None:
    (seed,) = seeds("order of resolution", 1)
    labels = [dice.label(f"t1/combat/{hex_:04}", k) for hex_ in range(100) for k in (1, 2)]
    alone = {label: dice.roll(seed, label, (6, 6)) for label in labels[::7]}
    backwards = {label: dice.roll(seed, label, (6, 6)) for label in reversed(labels)}
    assert all(backwards[label] == throw for label, throw in alone.items())
    assert dice.roll(seed, labels[0], (6, 6, 10))[:2] == dice.roll(seed, labels[0], (6, 6))


def test_a_cheat_within_the_rules_moves_nothing() -> None:
    check(cheat_ps(CHEATS))


@pytest.mark.parametrize(("g", "sixes"), [(1, 0.17), (2, 0.31), (8, 0.77), (64, 1.00)])
def test_a_choice_among_links_would_move_the_dice(g: int, sixes: float) -> None:
    assert sixes_of_a_picker(g, 4000) == pytest.approx(sixes, abs=0.03)


# --- power: with a wrong part in it, the same check fails ---

accept, word, uniform, batch_seed = dice.accept, dice.word, dice.uniform, dice.batch_seed


def without_rejection(word: int, n: int, bits: int) -> int:
    return word % n


def byte_modulo(word: int, n: int, bits: int) -> int:
    return (word >> (bits - 8)) % n


def one_too_few_left_over(word: int, n: int, bits: int) -> int | None:
    return word % n if word <= (1 << bits) // n * n else None


def scaled(word: int, n: int, bits: int) -> int:
    """The multiply-and-shift of a float: as biased as modulo, elsewhere."""
    return (word * n) >> bits


@pytest.mark.parametrize("wrong", [without_rejection, byte_modulo, one_too_few_left_over, scaled])
def test_exactness_notices(wrong: Callable[[int, int, int], int | None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dice, "accept", wrong)
    with pytest.raises(AssertionError):
        check_exact()


@pytest.mark.parametrize("n", [6, 20, 100])
def test_even_dice_notice_a_byte_modulo_n(n: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A d6 from bytes is off by 1.6 % at most: a matter of several 100,000 rolls [5.2]."""
    monkeypatch.setattr(dice, "accept", byte_modulo)
    rolls = 300 if n == 6 else 30
    with pytest.raises(AssertionError):
        check_even_dice(tallies((n,), seeds("even", rolls), VALUES_PER_SEED))


@pytest.mark.parametrize("wrong", [without_rejection, scaled])
def test_narrow_dice_notice_dropped_rejection(
    wrong: Callable[[int, int, int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dice, "accept", wrong)
    with pytest.raises(AssertionError):
        check_narrow_dice()


def test_narrow_dice_notice_an_ignored_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same word at every attempt, a word left over stays so."""
    monkeypatch.setattr(dice, "word", lambda seed, label, attempt: word(seed, label, 0))
    with pytest.raises(RuntimeError):
        check_narrow_dice()


LABELS_IGNORED: dict[str, Callable[[str], str]] = {
    "label": lambda label: "",
    "stem": lambda label: label.partition("#")[2],
    "use": lambda label: label.partition("#")[0] + label.rpartition("/")[2],
    "die": lambda label: label.rpartition("/")[0],
    "second digit of the die": lambda label: label.rpartition("/")[0] + "/" + label.rpartition("/")[2][:1],
    "second digit of the use": lambda label: label.partition("#")[0] + label.partition("#")[2][:1],
    "second digit of the turn": lambda label: label.replace("t11/", "t1/"),
}


@pytest.mark.parametrize("ignored", LABELS_IGNORED)
def test_labels_notice_what_is_ignored_of_them(ignored: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = LABELS_IGNORED[ignored]
    monkeypatch.setattr(dice, "word", lambda seed, label, attempt: word(seed, kept(label), attempt))
    with pytest.raises(AssertionError):
        check(label_ps(2000))


@pytest.mark.parametrize("ignored", ["label", "use", "die"])
def test_throws_notice_what_is_ignored_of_labels(ignored: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = LABELS_IGNORED[ignored]
    monkeypatch.setattr(dice, "word", lambda seed, label, attempt: word(seed, kept(label), attempt))
    with pytest.raises(AssertionError):
        check(throw_ps(8000))


def test_even_dice_notice_an_ignored_label(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dice, "word", lambda seed, label, attempt: word(seed, "", attempt))
    with pytest.raises(AssertionError):
        check_even_dice(tallies((6,), seeds("even", 3), VALUES_PER_SEED))


def test_serial_notices_a_die_that_leans_on_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every tenth die repeats the one before: each value remains even, the order does not."""

    def repeats(seed: bytes, label: str, n: int) -> int:
        head, _, i = label.rpartition("/")
        return uniform(seed, f"{head}/{int(i) - 1}" if i.endswith("5") else label, n)

    monkeypatch.setattr(dice, "uniform", repeats)
    ps = serial_ps(20_000)
    assert [name for name, p in ps.items() if plausible(p)] in ([], ["gaps between ones of a d10"])


@pytest.mark.parametrize("seat", ["red", "blue"])
def test_cheats_notice_a_contributor_left_out(seat: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def left_out(game: bytes, n: int, links: Mapping[str, bytes]) -> bytes:
        return batch_seed(game, 0, {name: link for name, link in links.items() if name != seat})

    monkeypatch.setattr(dice, "batch_seed", left_out)
    with pytest.raises(AssertionError):
        check(cheat_ps(2000))


def fisher_yates(choices: Callable[[int, int], int]) -> Callable[[bytes, str, int], tuple[int, ...]]:
    """A shuffle that takes place i from `choices(i, n)` others; right would be i + 1."""

    def shuffle(seed: bytes, label: str, n: int) -> tuple[int, ...]:
        order = list(range(n))
        for i in range(n - 1, 0, -1):
            j = uniform(seed, f"{label}/{i}", choices(i, n))
            order[i], order[j] = order[j], order[i]
        return tuple(order)

    return shuffle


@pytest.mark.parametrize("choices", [lambda i, n: i, lambda i, n: n], ids=["never itself", "from all"])
def test_orders_notice_a_wrong_shuffle(choices: Callable[[int, int], int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dice, "shuffle", fisher_yates(choices))
    with pytest.raises(AssertionError):
        check(order_ps(3000))


def test_the_right_shuffle_passes_in_the_same_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dice, "shuffle", fisher_yates(lambda i, n: i + 1))
    check(order_ps(3000))


def test_orders_notice_a_draw_that_puts_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def puts_back(seed: bytes, label: str, k: int, items: Sequence[int]) -> tuple[int, ...]:
        return tuple(items[uniform(seed, f"{label}/{i}", len(items))] for i in range(k))

    monkeypatch.setattr(dice, "draw", puts_back)
    with pytest.raises(AssertionError):
        check(order_ps(3000))
