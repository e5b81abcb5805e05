"""The runner of case files: a case that holds says nothing, and every kind of expectation can fail."""

from __future__ import annotations

import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from toy import Toy

from pbem import cases, registry
from pbem.cases import Case, Result
from pbem.errors import Trouble

ENGINE = Toy()
HEAD = {"game": "toy", "id": "x", "clauses": ["1"], "gist": "."}


def failures(text: str) -> list[str]:
    """What the runner says of one case."""
    return cases.run(Case.model_validate({**HEAD, **tomllib.loads(text)}), ENGINE)


# --- expectations: each holds, and its twin fails ---

HELD_AND_FAILED = {
    "refused": (
        'play = ["red: take 4"]\nexpect.refused = "1"',
        'play = ["red: take 3"]\nexpect.refused = "1"',
        'expected "red: take 3" to be refused by 1, met: accepted',
    ),
    "refused by another clause": (
        'play = ["red: take 4"]\nexpect.refused = ["1", "R1"]',
        'play = ["red: take 4"]\nexpect.refused = ["1", "2"]',
        "expected refusal by 1, 2, met 1, R1: take one to 3",
    ),
    "refused too early": (
        'play = ["red: take 1", "red: take 1"]\nexpect.refused = "3"',
        'play = ["red: take 4", "blue: take 4"]\nexpect.refused = "1"',
        'expected "red: take 4" to be accepted, met: refused by 1, R1: take one to 3',
    ),
    "accepted": (
        'play = ["red: take 3"]\nexpect.pending = ["blue: take"]',
        'play = ["red: take 4"]\nexpect.pending = ["red: take"]',
        'expected "red: take 4" to be accepted, met: refused by 1, R1: take one to 3',
    ),
    "unreadable": (
        'play = ["red: steal 4"]\nexpect.refused = "unreadable"',
        'play = ["red: steal 4"]\nexpect.refused = "1"',
        'expected refusal by 1, met unreadable: cannot read "steal 4"',
    ),
    "set": (
        'play = ["red: take 3"]\nexpect.set.heap = ["4"]',
        'play = ["red: take 3"]\nexpect.set.heap = ["5"]',
        "expected heap: 5; met: 4",
    ),
    "set, unknown section": (
        'play = ["red: take 3"]\nexpect.set.turn = ["won -", "seat blue", "chance -"]',
        'play = ["red: take 3"]\nexpect.set.pile = ["4"]',
        "expected a section pile, met only heap, turn",
    ),
    "has": (
        'play = ["red: take 3"]\nexpect.has.turn = ["seat blue"]',
        'play = ["red: take 3"]\nexpect.has.turn = ["seat red"]',
        'expected "seat red" in turn, met: chance -; seat blue; won -',
    ),
    "lacks": (
        'play = ["red: take 3"]\nexpect.lacks.turn = ["seat red"]',
        'play = ["red: take 3"]\nexpect.lacks.turn = ["seat blue"]',
        'expected no "seat blue" in turn, met it',
    ),
    "notes": (
        'play = ["red: take 3", "blue: take 1"]\nexpect.notes = ["took seat=red number=3", "took seat=blue"]',
        'play = ["red: take 3", "blue: take 1"]\nexpect.notes = ["took seat=blue", "took seat=red"]',
        'expected the note "took seat=red" (in this order), met: took seat=red number=3; took seat=blue number=1',
    ),
    "pending": (
        'play = ["red: gamble"]\nexpect.pending = ["dice luck"]',
        'play = ["red: gamble"]\nexpect.pending = ["blue: take"]',
        "expected pending: blue: take; met dice luck",
    ),
    "pending at the end": (
        'given.set.heap = ["1"]\nplay = ["red: take 1"]\nexpect.pending = []',
        'given.set.heap = ["2"]\nplay = ["red: take 1"]\nexpect.pending = []',
        "expected pending: the end of the game; met blue: take",
    ),
    "outcome": (
        'given.set.heap = ["1"]\nplay = ["red: take 1"]\nexpect.outcome = "red [4]"',
        'given.set.heap = ["1"]\nplay = ["red: take 1"]\nexpect.outcome = "blue"',
        "expected outcome: blue; met: red [4]",
    ),
    "outcome, clause": (
        'given.set.heap = ["1"]\nplay = ["red: take 1"]\nexpect.outcome = "red"',
        'given.set.heap = ["1"]\nplay = ["red: take 1"]\nexpect.outcome = "red [5]"',
        "expected outcome: red [5]; met: red [4]",
    ),
    "outcome, none yet": (
        'play = ["red: take 1"]\nexpect.outcome = "goes on"',
        'play = ["red: take 1"]\nexpect.outcome = "nobody"',
        "expected outcome: nobody; met: goes on",
    ),
    "resignation": (
        'play = ["resign red"]\nexpect.outcome = "blue"',
        'play = ["resign blue"]\nexpect.outcome = "blue"',
        "expected outcome: blue; met: red [4]",
    ),
    "offers": (
        'given.set.heap = ["2"]\nexpect.offers = ["red: take 2", "red: gamble"]',
        'given.set.heap = ["2"]\nexpect.offers = ["red: take 3"]',
        'expected "take 3" to be offered to red, met: take 1; take 2; gamble by dice',
    ),
    "not offered": (
        'given.set.heap = ["2"]\nexpect.not_offered = ["red: take 3"]',
        'given.set.heap = ["2"]\nexpect.not_offered = ["red: take 2"]',
        'expected "take 2" not to be offered to red, met: take 1; take 2; gamble by dice',
    ),
    "offers, unreadable": (
        'expect.not_offered = ["blue: take 1"]',
        'expect.offers = ["red: steal"]',
        'cannot read "steal"',
    ),
    "dice": (
        'given.kit = "small-heap"\nplay = ["red: gamble", "dice luck: 1 1"]\nexpect.set.heap = ["1"]',
        'given.kit = "small-heap"\nplay = ["red: gamble", "dice luck: 1 1"]\nexpect.set.heap = ["0"]',
        "expected heap: 0; met: 1",
    ),
    "draw": (
        'play = ["red: gamble by draw", "draw weather: rain"]\nexpect.set.heap = [\'3\']',
        "play = [\"red: gamble by draw\", \"draw weather: 'strong wind'\"]\nexpect.set.heap = ['3']",
        "expected heap: 3; met: 0",
    ),
    "shuffle": (
        'play = ["red: gamble by shuffle", "shuffle mix: 2 0 1"]\nexpect.set.heap = ["4"]',
        'play = ["red: gamble by shuffle", "shuffle mix: 1 0 2"]\nexpect.set.heap = ["4"]',
        "expected heap: 4; met: 5",
    ),
    "options": (
        'given.options.opt_greedy = "yes"\nplay = ["red: take 7"]\nexpect.outcome = "red"',
        'given.options.opt_greedy = "no"\nplay = ["red: take 7"]\nexpect.outcome = "red"',
        'expected "red: take 7" to be accepted, met: refused by 1, R1: take one to 3',
    ),
    "scenario and edition": (
        'given.scenario = "seven"\ngiven.edition = 1\nexpect.set.heap = ["7"]',
        'given.scenario = "seven"\ngiven.edition = 1\nexpect.set.heap = ["8"]',
        "expected heap: 8; met: 7",
    ),
}


@pytest.mark.parametrize("held", [held for held, _, _ in HELD_AND_FAILED.values()], ids=HELD_AND_FAILED)
def test_a_case_that_holds(held: str) -> None:
    assert failures(held) == []


@pytest.mark.parametrize(("failed", "told"), [twin[1:] for twin in HELD_AND_FAILED.values()], ids=HELD_AND_FAILED)
def test_its_twin_fails(failed: str, told: str) -> None:
    assert told in failures(failed)


# --- play that cannot be ---


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('play = ["red: gamble"]', "met chance that no line of play scripts: dice luck"),
        ('play = ["red: gamble", "blue: take 1"]', "play line 2: expected blue: take 1, met chance that no line"),
        ('play = ["dice luck: 1 1"]', "play line 1: expected dice luck to be asked for, met red: take"),
        ('play = ["red: gamble", "dice bad: 1 1"]', "play line 2: expected dice bad to be asked for, met dice luck"),
        ('play = ["red: gamble", "draw luck: 1"]', "expected draw luck to be asked for, met dice luck"),
        ('play = ["red: gamble", "dice luck: 7 1"]', "expected faces of d6 d6 for dice luck, met 7 1"),
        ('play = ["red: gamble", "dice luck: 1"]', "expected faces of d6 d6 for dice luck, met 1"),
        ('play = ["red: gamble", "dice luck: six"]', "expected whole numbers for dice luck, met six"),
        ('play = ["red: gamble by draw", "draw weather: sun"]', "to name 1 of: rain, strong wind; met sun"),
        ('play = ["red: gamble by draw", "draw weather: rain rain"]', "to name 1 of: rain, strong wind"),
        ('play = ["red: gamble by shuffle", "shuffle mix: 1 2 3"]', "to put 0 to 2 in an order, met 1 2 3"),
        ('play = ["green: take 1"]', "play line 1: expected a seat (red, blue), met green"),
        ('play = ["resign green"]', "play line 1: expected a seat (red, blue), met green"),
        ('given.set.heap = ["1"]\nplay = ["red: take 1", "blue: take 1"]', "met the end of the game"),
        ('given.scenario = "nine"', "toy has no scenario nine (scenarios: seven)"),
        ("given.edition = 2", "toy has no edition 2"),
        ('given.options.opt_greedy = "maybe"', "option opt_greedy is not 'maybe' (one of: no, yes)"),
        ('given.options.fast = "yes"', "scenario seven has no option fast (options: opt_greedy)"),
        ('given.kit = "large"', "toy has no kit large (kits: small-heap)"),
        ('given.set.heap = ["many"]', "heap: 'many' is no number of sticks"),
        ('expect.outcome = "Red wins"', 'expected outcome "Red wins" is none'),
    ],
)
def test_what_cannot_be_played_is_told(text: str, told: str) -> None:
    met = failures(text if "expect." in text else f'{text}\nexpect.outcome = "goes on"')
    assert len([line for line in met if told in line]) == 1, met


def test_a_line_with_several_legal_meanings_is_told() -> None:
    class Doubt(Toy):
        def read(self, s: Any, seat: str, text: str, known: Any) -> Any:
            return (*super().read(s, seat, "take 1", known), *super().read(s, seat, "take 2", known))

    case = Case.model_validate({**HEAD, "play": ["red: take"], "expect": {"outcome": "goes on"}})
    assert cases.run(case, Doubt()) == ["play line 1: met several legal meanings of 'take': take 1; take 2"]


# --- files ---


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


GOOD = """
game = "toy"
[[case]]
id = "1-a"
clauses = ["1"]
gist = "Three may go."
play = ["red: take 3"]
expect.set.heap = ["4"]
"""


def test_a_file(tmp_path: Path) -> None:
    (case,) = cases.load(write(tmp_path / "a.toml", GOOD))
    assert (case.game, case.id, case.clauses) == ("toy", "1-a", ["1"])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[case]", "expected"),
        ("", "no game, or no case"),
        ('game = "toy"', "no game, or no case"),
        (GOOD.replace('game = "toy"', 'game = "toy"\nsize = 3'), "size is not known here"),
        (GOOD.replace("clauses", "clause"), "case 1-a: clauses: field required"),
        (GOOD.replace("expect.set.heap", "expect.sets.heap"), "case 1-a: expect.sets: extra inputs"),
        (GOOD.replace('expect.set.heap = ["4"]', ""), "case 1-a: expect: field required"),
        (GOOD.replace('expect.set.heap = ["4"]', "expect = {}"), "case 1-a: expect: a case expects something"),
        (GOOD.replace("red: take 3", "take three"), "case 1-a: 'take three' is no line of play"),
        (GOOD.replace("red: take 3", "draw x: 'y"), 'case 1-a: "\'y": a quote is not closed'),
        (GOOD + 'expect.notes = "took by=\'red"\n', 'case 1-a: expect: "took by=\'red": a quote is not closed'),
        (GOOD + "expect.notes = ''\n", "case 1-a: expect: a note begins with its stem"),
        (
            GOOD.replace("expect.", 'expect.refused = "1"\nplay = []\nexpect.').replace('play = ["red: take 3"]', ""),
            "last",
        ),
        (GOOD + 'given.known = { red = "a" }', "case 1-a: given.known.red: input should be a valid dictionary"),
        (GOOD + "given.hidden = {}", "case 1-a: given.hidden: extra inputs"),
        (GOOD + 'given.kit = "../../etc"', "case 1-a: given.kit: string should match"),
        (GOOD + GOOD.replace('game = "toy"', ""), "case 1-a stands here twice"),
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, text: str, told: str) -> None:
    path = write(tmp_path / "a.toml", text)
    with pytest.raises(Trouble) as bad:
        cases.load(path)
    assert str(bad.value).lower().startswith(f"{path}: ".lower())
    assert told in str(bad.value).lower() or told in str(bad.value)


def test_folders_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    points = (EntryPoint("toy", "test_cases:ENGINE", "pbem.rules"),)
    monkeypatch.setattr(registry, "entry_points", lambda group, name="": points if name in ("", "toy") else ())
    registry._load.cache_clear()
    (tmp_path / "deep").mkdir()
    good = write(tmp_path / "deep" / "good.toml", GOOD)
    bad = write(tmp_path / "bad.toml", GOOD.replace('["4"]', '["5"]'))
    lost = write(tmp_path / "lost.toml", GOOD.replace("toy", "chess"))
    results = list(cases.run_paths([tmp_path, good, tmp_path / "nowhere.toml"]))
    assert [result.ok for result in results] == [False, True, False, True, False]
    assert [line for result in results for line in result.lines()] == [
        f"{bad}: 1-a: expected heap: 5; met: 4",
        f"{lost}: no rules are named 'chess'",
        f"{tmp_path / 'nowhere.toml'}: no such file or directory",
    ]
    assert isinstance(results[0], Result)
