"""Recorded games: every file in games/ says today what it said when it was recorded (games/expected.toml)."""

from __future__ import annotations

import io
import tomllib
from pathlib import Path

import pytest

from pbem import charter, log, verify
from pbem.api import Note
from pbem.cli import run
from pbem.errors import Incomplete
from pbem.replay import Ruleset
from pbem.ruleset import rules_for

GAMES = Path(__file__).resolve().parent.parent / "games"
EXPECTED = tomllib.loads((GAMES / "expected.toml").read_text("utf-8"))
BIG = 200
"""Events from which on fewer places are tried: each costs a verification up to there."""


def test_every_recorded_game_is_expected() -> None:
    assert {path.stem for path in GAMES.glob(f"*{log.SUFFIX}")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_recorded_game_is_still_what_it_was(name: str) -> None:
    expected = EXPECTED[name]
    with log.open_for_reading(GAMES / f"{name}{log.SUFFIX}") as stream:
        verdict = verify.verify(stream, rules_for)
    assert verdict.line() == expected["verdict"]
    assert (verdict.seq, verdict.head) == (expected["events"], expected["head"])
    assert verdict.outcome is not None
    assert verdict.outcome.winner == expected["winner"]


def nobody_has(game: charter.Game) -> Ruleset:
    raise Incomplete("edition 9 of another game", "install the release the game was started with")


@pytest.mark.parametrize("name", EXPECTED)
def test_without_its_rules_a_recorded_game_is_incomplete_and_accuses_nobody(name: str) -> None:
    with log.open_for_reading(GAMES / f"{name}{log.SUFFIX}") as stream:
        verdict = verify.verify(stream, nobody_has)
    assert verdict.word == "INCOMPLETE"
    assert verdict.detail.startswith("edition 9 of another game; signatures, chain, dice and seals VALID up to event")
    assert (verdict.seq, verdict.head) == (EXPECTED[name]["events"], EXPECTED[name]["head"])


@pytest.mark.parametrize("name", EXPECTED)
def test_a_recorded_game_tells_the_same_story_by_threads_or_without(name: str) -> None:
    data = (GAMES / f"{name}{log.SUFFIX}").read_bytes()
    stories: list[list[tuple[int, Note]]] = []
    for workers in (0, 2):
        story: list[tuple[int, Note]] = []
        reading = verify.read(
            io.BytesIO(data),
            rules_for,
            workers=workers,
            listener=lambda seq, note, story=story: story.append((seq, note)),  # type: ignore[misc]
        )
        assert reading.stopped is None
        stories.append(story)
    assert stories[0] == stories[1]
    assert stories[0]


@pytest.mark.parametrize("name", EXPECTED)
def test_a_changed_byte_anywhere_is_found(name: str) -> None:
    data = (GAMES / f"{name}{log.SUFFIX}").read_bytes()
    lines = data.splitlines(keepends=True)
    places = 6 if EXPECTED[name]["events"] < BIG else 2
    for number in range(0, len(lines), max(1, len(lines) // places)):
        changed = bytearray(lines[number])
        changed[len(changed) // 2] ^= 1
        forged = b"".join(lines[:number]) + bytes(changed) + b"".join(lines[number + 1 :])
        assert verify.verify(io.BytesIO(forged), rules_for, workers=0).word == "INVALID"


def test_the_folder_is_verified_as_a_reader_would(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(GAMES), "--finished", "--jobs", "1"]) == 0
    said = capsys.readouterr().out.splitlines()
    games, table = said[: len(EXPECTED)], said[len(EXPECTED) :]
    assert all(": VALID, " in line for line in games)
    assert table[0] == f"{len(EXPECTED)} files"
    assert [line.split() for line in table[1:]] == [["VALID", str(len(EXPECTED))]]


def test_seats_are_the_only_names() -> None:
    for path in GAMES.glob(f"*{log.SUFFIX}"):
        charter = path.read_bytes().splitlines()[0]
        assert b'"name":' not in charter
