"""Luck: probabilities counted by hand, and what is heard of recorded games."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest
from computers import CHECKOUT, Computer

from pbem import luck, plots, stats

GAMES = CHECKOUT / "games"
MALAYA = GAMES / "malaya-won.pbem"


@pytest.mark.parametrize(
    ("dice", "total", "less", "more"),
    [
        ({6: 3}, 5, Fraction(10, 216), Fraction(212, 216)),  # 111 112x3 113x3 122x3; all but 111 and 112x3
        ({6: 2}, 7, Fraction(21, 36), Fraction(21, 36)),  # 1+2+3+4+5+6 of either side
        ({6: 1, 10: 1}, 2, Fraction(1, 60), Fraction(1)),
        ({6: 1, 10: 1}, 15, Fraction(59, 60), Fraction(3, 60)),  # above: 6+10; 15 or more: 5+10, 6+9, 6+10
        ({10: 1}, 10, Fraction(1), Fraction(1, 10)),
    ],
)
def test_totals_by_hand(dice: dict[int, int], total: int, less: Fraction, more: Fraction) -> None:
    tails = luck.of_total(dice, total)
    assert (tails.less, tails.more, tails.exact) == (less, more, True)


def test_ways_of_three_dice() -> None:
    """A table of dice books: 3 to 18 on three dice."""
    assert luck.totals({6: 3}) == [1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1]


def test_simulation_agrees_with_the_count(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = {6: 70, 10: 3}
    exact = luck.of_total(dice, 250)
    monkeypatch.setattr(luck, "LARGEST", 0)
    guess = luck.of_total(dice, 250)
    assert guess == luck.of_total(dice, 250)  # the seed is the question
    assert guess.low is not None
    assert guess.high is not None
    assert guess.low[0] <= exact.less <= guess.high[0]
    assert guess.low[1] <= exact.more <= guess.high[1]


def test_hits_with_chances_of_their_own() -> None:
    chances = [Fraction(1, 2), Fraction(1, 3)]  # none 1/3, one 1/2, both 1/6
    assert [luck.of_hits(chances, hits).less for hits in (0, 1, 2)] == [Fraction(1, 3), Fraction(5, 6), 1]
    assert [luck.of_hits(chances, hits).more for hits in (0, 1, 2)] == [1, Fraction(2, 3), Fraction(1, 6)]


def test_chi_square_by_hand_and_from_tables() -> None:
    assert luck.chi_square([10, 0]) == 10  # 5*5/5 twice
    assert luck.chi_square([4, 4, 4]) == 0
    assert luck.chi_square([]) == 0
    for freedom, square in ((1, 3.841459), (2, 5.991465), (3, 7.814728), (5, 11.070498), (9, 16.918978)):
        assert luck.chi_square_tail(square, freedom) == pytest.approx(0.05, abs=1e-6)
    assert luck.chi_square_tail(3, 2) == pytest.approx(math.exp(-1.5))


def test_few_dice_are_compared_by_simulation() -> None:
    """Two dice with two sides: they agree half the time, so 1 is the answer to (1, 1) and a half to (2, 0)."""
    assert luck.uniform(2, Counter({1: 1, 2: 1})).p == 1
    few = luck.uniform(2, Counter({1: 2}))
    assert few.few
    assert few.low < 0.5 < few.high
    assert not luck.uniform(2, Counter({1: 6, 2: 4})).few


# --- heard of games ---


def test_every_die_of_the_story_is_counted(tmp_path: Path) -> None:
    """The story names the die of each battle: the table has as many, and their mean."""
    you = Computer(tmp_path)
    words = " ".join(you.run("show", MALAYA, "--annotated").out.split())
    dice = [int(face) for face in re.findall(r"\bdie (\d)", words)]
    doc = you.run("stats", MALAYA, "--json").json()
    (row,) = doc["rolls"]
    assert (row["seat"], row["clause"], row["dice"], row["rolls"]) == ("allies", "BC-3.3.5", "d6", len(dice))
    assert row["mean"] == round(sum(dice) / len(dice), 2)
    assert row["expected"] == 3.5
    assert doc["faces"][0]["faces"] == [dice.count(face) for face in range(1, 7)]
    assert doc["answers"] == {}


def test_results_are_what_the_rules_make_of_every_die() -> None:
    """Each throw of a battle in Malaya has six ways; the one that fell is among them."""
    heard = stats.listen(MALAYA)
    for throw in heard.throws:
        assert all(chance.denominator in (1, 2, 3, 6) for chance in throw.chances.values())
        assert all(throw.chances[stem] > 0 for stem in throw.told)
    for row in stats.by_result(heard):
        assert 0 <= row["came"] <= row["rolls"]
        assert row["or_less"] + row["or_more"] >= 1


def test_strength_turn_by_turn() -> None:
    """The last place is the end of the game: the sums of what its position lists."""
    heard = stats.listen(MALAYA)
    turns = [turn for turn, _ in heard.strength]
    assert turns == [*(f"T{number}" for number in range(1, len(turns))), "end"]
    assert heard.fold is not None
    position = heard.fold.engine.position(heard.fold.state)
    for side in ("allied", "japanese"):
        assert heard.strength[-1][1][side] == sum(int(line.split()[-1]) for line in position[side])
    assert heard.strength[-1][1]["allied"] < heard.strength[0][1]["allied"]


def test_listening_changes_nothing() -> None:
    with_ear = stats.listen(MALAYA).fold
    assert with_ear is not None
    assert with_ear.closed
    assert [one.label for one in stats.listen(MALAYA, ask=False).throws] == [
        one.label for one in stats.listen(MALAYA).throws
    ]


def test_undone_dice_fell_but_stand_no_more() -> None:
    heard = stats.listen(MALAYA)
    assert heard.fold is not None
    before = len(stats.standing(heard))
    first = heard.throws[0].seq
    heard.fold.went_back = [(first + 1, first - 1)]
    gone = sum(one.seq == first for one in heard.throws)
    assert len(stats.standing(heard)) == before - gone
    assert sum(row["dice"] for row in stats.faces([heard])) == before


def test_answer_times_are_those_of_the_handovers() -> None:
    waits = stats.answers(stats.listen(GAMES / "open-table-duel.pbem"))
    assert set(waits) <= {"red", "blue"}
    for one in waits.values():
        assert 0 <= one["median"] <= one["longest"]


def test_a_folder_with_a_file_that_is_none(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "a.pbem").write_bytes(MALAYA.read_bytes())
    (folder / "b.pbem").write_bytes((GAMES / "malaya-lost.pbem").read_bytes())
    (folder / "c.pbem").write_bytes(b"junk\n")
    you = Computer(tmp_path / "you")
    doc = json.loads(you.run("stats", folder, "--json").out)
    alone = [you.run("stats", folder / name, "--json").json()["faces"][0]["faces"] for name in ("a.pbem", "b.pbem")]
    assert doc["faces"][0]["faces"] == [a + b for a, b in zip(*alone, strict=True)]
    assert (doc["games"], [Path(one["file"]).name for one in doc["skipped"]]) == (2, ["c.pbem"])
    assert "left out: " in you.run("stats", folder).out


def test_the_page(tmp_path: Path) -> None:
    you = Computer(tmp_path)
    assert you.run("stats", MALAYA, "--html", "luck.html").status == 0
    page = you.path("luck.html").read_text("utf-8")
    assert "<td>BC-3.3.5</td>" in page
    assert "Answers: not in this log." in page
    assert "<script" not in page


def test_plots_name_their_lines_and_differ_by_dash_and_mark() -> None:
    svg = plots.lines("Strength <x>", ["T1", "T2"], {"red": [3, Fraction(5, 2)], "blue": [0, 7]})
    root = ElementTree.fromstring(svg)
    words = [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"Strength <x>", "red 2 1/2", "blue 7", "T1", "T2"} <= set(words)
    dashes = [one.get("stroke-dasharray") for one in root if one.get("stroke-width") == "2"]
    assert len(set(dashes)) == 2
