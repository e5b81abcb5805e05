"""Random games, random faults: two copies stay equal or one shows a refusal, and nothing else is ever raised."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from builder import Match, key, responder, sign_line
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem import canon, charter, keys, record, verify
from pbem.errors import Incomplete, Refused
from pbem.replay import Ruleset

GAMES: list[dict[str, Any]] = [
    {"options": {"turns": "2"}},
    {"options": {"turns": "2", "rolls": "3", "first": "chance", "after": "same"}, "responds": ("blue",)},
    {"policy": "open", "options": {"turns": "2", "after": "same"}},
    {"seats": ("red",), "policy": "open", "options": {"turns": "2"}},
    {"seats": ("red", "blue", "green"), "witness": True, "options": {"turns": "1"}},
]
WORDS = {"VALID", "VALID SO FAR", "INVALID", "INCOMPLETE", "FORK", "DIVERGED"}
SETTINGS = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@cache
def game(number: int, seed: int) -> Match:
    """A random legal game; read only from then on."""
    match = Match(**GAMES[number], setup=f"{number}{seed}" * 32)  # no two of them are one game
    match.play(random.Random(seed), 30)
    return match


matches = st.builds(game, st.integers(0, len(GAMES) - 1), st.integers(0, 3))


def judged(match: Match, data: bytes, workers: int = 0) -> verify.Verdict:
    """A verdict, whatever the file: with the rules, and it must not raise without them either."""
    verdict = match.verdict(data, workers=workers)
    assert verdict.word in WORDS
    assert verdict.line().isprintable()
    assert len(verdict.line()) < 2000

    def missing(_: charter.Game) -> Ruleset:
        raise Incomplete("edition 1 of duel")

    blind = verify.verify(io.BytesIO(data), missing, workers=0)
    assert blind.word in WORDS - {"VALID", "VALID SO FAR", "DIVERGED"}
    return verdict


def is_the_game_so_far(match: Match, verdict: verify.Verdict) -> bool:
    """What was folded of a file is a beginning of the true game."""
    return verdict.seq <= len(match.events) and verdict.head in {
        match.game.id if verdict.seq == 0 else match.events[verdict.seq - 1].id,
        "",
    }


# --- what mail and disks do ---


def flip(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]


def cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data))]


def lose(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data))
    return data[:start] + data[start + rng.randrange(1, 200) :]


def insert(data: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(data))
    return data[:at] + rng.randbytes(rng.randrange(1, 20)) + data[at:]


def by_line(change: Callable[[list[bytes], random.Random], None]) -> Callable[[bytes, random.Random], bytes]:
    def fault(data: bytes, rng: random.Random) -> bytes:
        lines = data.splitlines(keepends=True)
        change(lines, rng)
        return b"".join(lines)

    return fault


def swap(lines: list[bytes], rng: random.Random) -> None:
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[a], lines[b] = lines[b], lines[a]


def double(lines: list[bytes], rng: random.Random) -> None:
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))


def drop(lines: list[bytes], rng: random.Random) -> None:
    del lines[rng.randrange(len(lines))]


def mix(lines: list[bytes], rng: random.Random) -> None:
    other = game(rng.randrange(len(GAMES)), rng.randrange(4)).file().splitlines(keepends=True)
    lines[rng.randrange(len(lines))] = rng.choice(other)


FAULTS = [flip, cut, lose, insert, by_line(swap), by_line(double), by_line(drop), by_line(mix)]


@given(
    matches, st.lists(st.sampled_from(FAULTS), min_size=1, max_size=3), st.integers(0, 2**32), st.sampled_from([0, 2])
)
@SETTINGS
def test_damage_is_seen(match: Match, faults: list[Any], seed: int, workers: int) -> None:
    """A damaged file is a beginning of the same game, or its reader is told."""
    rng = random.Random(seed)
    whole = match.file()
    data = whole
    for fault in faults:
        data = fault(data, rng) if data else data
    verdict = judged(match, data, workers)
    if data == whole:
        return
    if verdict.word.startswith("VALID") and verdict.game == match.game.id:
        assert whole.startswith(data)  # cut at the end of a line: a valid shorter log
    if verdict.game == match.game.id:
        assert is_the_game_so_far(match, verdict)


# --- what the players themselves may try: everything signed anew, with every key there is ---

KEYS = [key("red"), key("blue"), key("green"), key("witness"), responder("blue")]
SPACES = [keys.EVENT] * 6 + [keys.SLIP, keys.STATEMENT]
junk: st.SearchStrategy[Any] = st.one_of(
    st.integers(-2, 70),
    st.sampled_from([0, 1, 2**53 - 1, True, False]),
    st.sampled_from(["", "red", "blue", "green", "black", "dice", "ask", "draw", "none", "u1", "0" * 64, "f" * 128]),
    st.just([]),
    st.just({}),
    st.lists(st.sampled_from(["dice", "ask", "react", 1, {}]), max_size=3),
)
FIELDS = [
    "count",
    "state",
    "owed",
    "next",
    "batch",
    "link",
    "slips",
    "consents",
    "result",
    "unit",
    "to",
    "target",
    "points",
    "loud",
    "plan",
    "text",
    "at",
    "boxes",
    "opens",
    "seals",
    "said",
    "beacon",
]
KINDS = ["move", "attack", "lose", "salute", "end", "note", "resign", "surrender", *sorted(record.CORE_KINDS)]


@st.composite
def edits(draw: st.DrawFn) -> tuple[str, Any]:
    what = draw(st.sampled_from(["body", "body", "body", "drop", "kind", "seat", "seq", "prev", "game", "nothing"]))
    if what == "body":
        return draw(st.sampled_from(FIELDS)), draw(junk)
    value = {
        "drop": st.sampled_from(FIELDS),
        "kind": st.sampled_from(KINDS),
        "seat": st.sampled_from(["red", "blue", "green", "witness", "black"]),
        "seq": st.integers(1, 40),
        "prev": st.sampled_from(["0" * 64, "f" * 64]),
        "game": st.just("0" * 64),
        "nothing": st.none(),
    }[what]
    return "*" + what, draw(value)


def edited(line: bytes, changes: list[tuple[str, Any]], by: keys.SigningKey, space: str) -> bytes:
    doc = canon.decode(line[:-1].split(b" ", 2)[2])
    doc["body"] = dict(doc["body"])
    for name, value in changes:
        if name == "*drop":
            doc["body"].pop(value, None)
        elif name.startswith("*"):
            if name != "*nothing":
                doc[name[1:]] = value
        else:
            doc["body"][name] = value
    return sign_line(by, canon.encode(doc), space)


@given(
    matches,
    st.integers(0, 100),
    st.lists(edits(), min_size=1, max_size=3),
    st.sampled_from(KEYS),
    st.sampled_from(SPACES),
    st.booleans(),
)
@settings(parent=SETTINGS, max_examples=150)
def test_signed_edits_are_refused_or_another_game(
    match: Match, at: int, changes: list[tuple[str, Any]], by: keys.SigningKey, space: str, honest: bool
) -> None:
    """One event signed anew: both copies come to the same head, or the reader of the edit is told."""
    number = at % len(match.events)
    true = match.events[number]
    line = edited(true.line(), changes, key(true.seat) if honest else by, keys.EVENT if honest else space)
    fold = match.refold(number)
    before = (fold.seq, fold.head)
    try:
        taken = fold.take(fold.read(line))
    except Refused as refused:
        assert (fold.seq, fold.head) == before
        verdict = judged(match, match.file(number) + line)
        assert verdict.code == refused.code  # noqa: PT017
        assert (verdict.seq, verdict.head) == before
        return
    if not taken:
        return
    head = fold.head
    other = judged(match, match.file(number) + line)
    assert (other.seq, other.head) == (number + 1, head)
    if head != true.id:  # an alternative that the rules allow: beside the true one it is a fork
        verdict = judged(match, match.file(number + 1) + line)
        assert verdict.word == "FORK"
        assert verdict.detail == true.seat


@given(matches, st.integers(0, 100), st.sampled_from(KINDS), st.dictionaries(st.sampled_from(FIELDS), junk, max_size=5))
@settings(parent=SETTINGS, max_examples=200)
def test_any_body_of_the_holder_is_taken_or_refused(match: Match, at: int, kind: str, body: dict[str, Any]) -> None:
    number = at % (len(match.events) + 1)
    fold = match.refold(number)
    seat = fold.holder or "red"
    doc = {
        "body": body,
        "game": match.game.id,
        "kind": kind,
        "prev": fold.head,
        "seat": seat,
        "seq": number + 1,
        "v": 1,
    }
    line = sign_line(key(seat), canon.encode(doc))
    try:
        fold.take(fold.read(line))
    except Refused:
        return
    assert fold.seq == number + 1
    assert judged(match, match.file(number) + line).head == fold.head


@given(matches, st.data())
@settings(parent=SETTINGS, max_examples=30)
def test_two_machines_with_lost_and_doubled_mail_agree(match: Match, data: st.DataObject) -> None:
    """Packets come late, twice and in any order: each copy is a beginning of the game; in the end they are equal."""
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    copies = [match.fresh(), match.fresh()]
    for _ in range(60):
        fold = rng.choice(copies)
        event = rng.choice(match.events)
        try:
            fold.take(fold.read(event.line()))
        except Refused as refused:
            assert refused.code == "E_GAP"  # noqa: PT017
        assert fold.head in {match.game.id, *(one.id for one in match.events)}
    for fold in copies:
        for event in match.events:
            fold.take(event)
    assert copies[0].head == copies[1].head == match.fold.head
    assert copies[0].digest() == copies[1].digest()


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_every_event_changed_in_every_field(number: int) -> None:
    """Each field of each body of a game, replaced by each kind of junk and signed by its owner."""
    match = game(number, 1)
    values: list[Any] = [0, 1, 2**53 - 1, True, "", "red", "0" * 64, [], {}, [[]], [{}], {"a": {}}]
    rng = random.Random(number)
    for at, event in enumerate(match.events[:12]):
        for field in event.body:
            for value in rng.sample(values, 4):
                fold = match.refold(at)
                change = [(field, value)]
                try:
                    fold.take(fold.read(edited(event.line(), change, key(event.seat), keys.EVENT)))
                except Refused as refused:
                    assert refused.event == at + 1  # noqa: PT017
