"""Verdicts: their words, their status, and that workers do not change them."""

from __future__ import annotations

import io
import random
import sys
import threading
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
from builder import Match, charter_doc, duel, entry, key, resigned_line, rules_for

from pbem import charter, verify
from pbem.errors import Incomplete, Refused, Trouble
from pbem.replay import Ruleset

VECTORS = Path(__file__).parent / "vectors"
LOGS = [case["file"] for case in tomllib.loads((VECTORS / "index.toml").read_text())["log"]]


def finished(**kwargs: Any) -> Match:
    match = Match(options={"turns": "1"}, **kwargs)
    match.play(random.Random(3), 200)
    assert match.fold.closed
    return match


# --- words ---


def test_valid() -> None:
    verdict = finished().verdict()
    assert (verdict.word, verdict.status) == ("VALID", 0)
    assert verdict.line().startswith("VALID, ")
    assert "dice" not in verdict.line()


def test_valid_so_far_names_the_head() -> None:
    match = duel()
    verdict = match.verdict()
    assert verdict.line() == f"VALID SO FAR up to event 3, head {match.fold.head}"
    assert verdict.status == 0
    assert Match().verdict().line() == f"VALID SO FAR up to event 0, head {Match().game.id}"


def test_over_but_not_handed_over_is_valid_so_far() -> None:
    match = Match(options={"turns": "1"})
    match.order("end")
    match.handover()
    match.order("end")
    assert match.verdict().line().startswith("VALID SO FAR up to event 3")
    assert match.verdict().line().endswith(", red wins")


def test_trust_levels() -> None:
    assert "open dice" in finished(policy="open").verdict().line()
    assert "trust S0" in finished(seats=("red",), policy="open").verdict().line()
    assert "trust S3" in finished(seats=("red",), witness=True).verdict().line()


def test_fork_diverged_invalid() -> None:
    match = duel()
    fork = resigned_line(match.lines()[0], key("red"), {"body": {"unit": "u2", "to": 7}})
    verdict = match.verdict(match.file() + fork)
    assert (verdict.line(), verdict.status, verdict.seq) == ("FORK by red at event 1", 1, 3)
    verdict = match.verdict(drift="later")
    assert verdict.line().startswith("DIVERGED at event 3: position digest ")
    assert (verdict.status, verdict.seq) == (1, 2)
    assert "nobody is accused" in verdict.hint
    verdict = match.verdict(match.file() + match.forge("note", {"text": "x"}, seat="red"))
    assert verdict.line() == "INVALID at event 4: E_BATON blue holds the baton, not red"


@pytest.mark.parametrize(
    ("cut", "line"),
    [
        (0, "INCOMPLETE: charter: the file is empty"),
        (100, "INCOMPLETE: charter (line 1 is a cut line"),
        ("charter", "INCOMPLETE: seals of red, blue"),
        ("seal", "INCOMPLETE: seals of blue"),
        ("seal+9", "INCOMPLETE: seals of blue (line 3 is a cut line"),
        (-1, "INCOMPLETE: events after 2 (line 6 is a cut line"),
    ],
)
def test_incomplete(cut: Any, line: str) -> None:
    match = duel()
    charter_end = len(match.game.line())
    ends = {
        "charter": charter_end,
        "seal": charter_end + len(match.seals[0]),
        "seal+9": charter_end + len(match.seals[0]) + 9,
    }
    verdict = match.verdict(match.file()[: ends.get(cut, cut)])
    assert verdict.line().startswith(line)
    assert verdict.status == 3


def test_incomplete_edition() -> None:
    game = charter.make_game(charter_doc() | {"rules": {"id": "chess", "version": "7", "digest": "a" * 64}})
    seals = b"".join(charter.seal(key(seat), game, seat) for seat in game.seats)
    verdict = verify.verify(io.BytesIO(game.line() + seals), rules_for)
    start = "INCOMPLETE: edition 7 of chess; signatures, chain, dice and seals VALID up to event 0, head "
    assert (verdict.line(), verdict.status) == (start + game.id, 3)


def test_data_for_scripts() -> None:
    match = duel()
    data = match.verdict(match.file() + match.forge("lose", {"points": 3}, seat="blue")).data()
    assert data["verdict"] == "INVALID"
    assert (data["status"], data["code"], data["event"], data["seq"]) == (1, "E_BATCH", 4, 3)
    assert data["game"] == match.game.id
    assert data["line"].startswith("INVALID at event 4: E_BATCH")
    assert finished().verdict().data()["outcome"].keys() == {"winner", "winners", "words"}


def test_rules_may_refuse_a_charter() -> None:
    def refuse(game: charter.Game) -> Ruleset:
        raise Refused("E_CHARTER", "no scenario of that name")

    verdict = verify.verify(io.BytesIO(duel().file()), refuse)
    assert verdict.line() == "INVALID at event 0: E_CHARTER no scenario of that name"


def test_a_disk_that_fails_is_trouble_not_a_verdict() -> None:
    match = duel()

    class Failing(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            line = super().readline(size)
            if line.startswith(b"pbem1"):
                raise OSError(5, "Input/output error")
            return line

    for workers in (0, 2):
        with pytest.raises(Trouble):
            verify.verify(Failing(match.file()), rules_for, workers=workers)


@pytest.mark.parametrize("tail", [b"torn", b"\0" * 300, b"x" * 70_000])
def test_a_tail_behind_a_refusal_changes_nothing(tail: bytes) -> None:
    """The search for a heal behind the refused event meets the tail and must not stumble over it."""
    match = Match()
    data = match.file() + match.forge("move", {"unit": "u1", "to": 10})
    assert match.verdict(data + tail) == match.verdict(data)
    assert match.verdict(data + tail, workers=2).line() == "INVALID at event 1: E_RULE [2] no such hex"


# --- workers ---


@pytest.mark.parametrize("file", LOGS, ids=lambda file: Path(file).stem)
def test_workers_give_the_same_verdict(file: str) -> None:
    data = (VECTORS / file).read_bytes()
    verdicts = [verify.verify(io.BytesIO(data), rules_for, workers=workers) for workers in (0, 1, 2)]
    assert verdicts[0] == verdicts[1] == verdicts[2]


def long_game(notes: int) -> Match:
    match = Match()
    for number in range(notes):
        match.write("note", {"text": f"note {number}"})
    return match


def test_chunks_ahead_of_the_fold_change_nothing() -> None:
    """More lines than chunks may be ahead; a fault first, in the middle, at the end; a tail torn behind it."""
    count = verify.CHUNK * 2 + 7
    match = long_game(count)
    lines = match.lines()
    head = match.head()
    for at in (0, verify.CHUNK - 1, verify.CHUNK, count // 2, count - 1):
        broken = lines.copy()
        broken[at] = broken[at].replace(b"note ", b"lote ")
        for tail in (b"torn", b"x" * 70_000):
            data = head + b"".join(broken) + tail
            verdicts = [match.verdict(data, workers=workers) for workers in (0, 2)]
            assert verdicts[0] == verdicts[1]
            assert (verdicts[0].code, verdicts[0].event) == ("E_SIG", at + 1)
    torn = [match.verdict(head + b"".join(lines) + b"torn", workers=workers) for workers in (0, 2)]
    assert torn[0] == torn[1]
    assert torn[0].detail.startswith(f"events after {count} (")


def test_workers_end_with_the_reading() -> None:
    match = long_game(verify.CHUNK * 2)
    interval = sys.getswitchinterval()
    for data in (match.file(), match.file() + b"x\n", match.file().replace(b"note 3", b"note E")):
        match.verdict(data, workers=2)
        assert sys.getswitchinterval() == interval
        assert not [thread for thread in threading.enumerate() if thread.name.startswith("pbem-check")]


def test_progress_and_until() -> None:
    match = long_game(verify.CHUNK + 5)
    seen: list[int] = []
    data = match.file()
    verify.verify(io.BytesIO(data), rules_for, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == len(data)
    reading = verify.read(io.BytesIO(data), rules_for, until=10)
    assert reading.fold is not None
    assert (reading.fold.seq, reading.fold.head) == (10, match.events[9].id)
    assert reading.stopped is None


# --- hostile files ---


@pytest.mark.parametrize(
    "junk",
    [
        b"\0" * 1000,
        b"\xff" * 1000 + b"\n",
        b"charter {}\n",
        b"charter \n",
        b"charter " + b"{" * 60_000 + b"\n",
        b'charter {"a":' + b"9" * 6000 + b"}\n",
        b"pbem1 " + b"0" * 128 + b" {}\n",
        b"seal {}\n",
        b"\n" * 1000,
        b"said " + b"0" * 128 + b" {}\n",
        b"<html></html>\n",
    ],
)
def test_other_files_get_a_verdict(junk: bytes) -> None:
    for data in (junk, duel().head() + junk, duel().file() + junk):
        for workers in (0, 2):
            verdict = duel().verdict(data, workers=workers)
            assert verdict.word in {"INVALID", "INCOMPLETE"}
            assert "\n" not in verdict.line()
            assert verdict.line().isprintable()


def test_many_said_lines_cost_little() -> None:
    match = duel()
    author = match.author("red")
    lines = [author.statement("claim", debtor="blue", owes=4, days=days).line() for days in range(2000)]
    start = time.perf_counter()
    verdict = match.verdict(match.file() + b"".join(lines))
    assert time.perf_counter() - start < 3
    assert verdict.word == "VALID SO FAR"
    assert len(verdict.remarks) == 2000


def test_charter_with_wrong_seats_for_its_rules_is_the_rules_matter() -> None:
    game = charter.make_game(charter_doc() | {"seats": [entry("red"), entry("blue")], "scenario": "melee"})
    with pytest.raises(Incomplete):
        rules_for(charter.make_game(charter_doc() | {"rules": {"id": "x", "version": "1", "digest": "a" * 64}}))
    assert rules_for(game).start.scenario == "melee"
