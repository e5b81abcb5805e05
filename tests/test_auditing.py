"""The audit asks again what hung on a closed slot, and nothing else: the same answers as folding the game again."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from board import Board

from pbem import auditing, log, verify
from pbem.auditing import Asked
from pbem.errors import Refused
from pbem.ruleset import rules_for
from rules.open_table.card_orders import Deny

GAMES = Path(__file__).resolve().parent.parent / "games"
HIDDEN = ("field-cards", "glory-free", "glory-island", "glory-kowloon", "glory-standard")
KNOWN = {"red-deck/1/0": "Rain", "red-deck/1/1": "Fog"}


@pytest.mark.parametrize(
    "look",
    [
        lambda known: known["red-deck/1/0"],
        lambda known: known.get("red-deck/1/1"),
        lambda known: "red-deck/1/0" in known,
    ],
)
def test_who_asks_for_what_is_known_lacks_nothing(look: Callable[[Any], Any]) -> None:
    known = Asked(KNOWN)
    assert look(known) == look(KNOWN)
    assert not known.lacked


@pytest.mark.parametrize(
    "look",
    [
        lambda known: known.get("red-deck/1/2"),
        lambda known: known.get("red-deck/1/2", "?"),
        lambda known: "red-deck/1/2" in known,
        list,
        len,
        bool,
        dict,
        lambda known: {**known, "a": 1},
        lambda known: sorted(known.items()),
        lambda known: "Fog" in known.values(),
        lambda known: known == {},
    ],
)
def test_who_asks_for_more_or_for_all_lacks_something(look: Callable[[Any], Any]) -> None:
    known = Asked(KNOWN)
    assert look(known) == look(KNOWN)
    assert known.lacked


def test_what_is_missing_is_missing() -> None:
    known = Asked(KNOWN)
    with pytest.raises(KeyError):
        known["red-deck/1/2"]
    assert known.lacked


@pytest.mark.parametrize("name", HIDDEN)
def test_a_recorded_game_folded_again_with_everything_known_says_the_same(name: str) -> None:
    with log.open_for_reading(GAMES / f"{name}{log.SUFFIX}") as stream:
        fold = verify.read(io.BytesIO(stream.read()), rules_for, workers=0).fold
    assert fold is not None
    assert fold.closed
    assert fold.questions.kept
    assert not fold.questions.overfull
    assert fold.obligations == fold.replica(fold.seq, dict(fold.known)).obligations == []


def lied() -> tuple[Board, int]:
    """Red denies a card of its own hand by an altered program; the number of that event."""
    board = Board()
    board.turn("red", "deck events: Rain, Fog x2", "seal events", "draw 1 from events", "pass")
    board.turn("blue", "pass")
    lie = board.author().order(Deny(card=board.hand("red")[0]))
    board.turn("red", "pass")
    return board, lie.seq


@pytest.mark.parametrize("most", [0, 1, auditing.MOST_KEPT])
def test_a_lie_is_found_whether_positions_were_kept_or_not(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing, "MOST_KEPT", most)
    board, lie = lied()
    assert board.fold.questions.overfull == (most == 0)
    with pytest.raises(Refused, match="E_RULE") as convicted:
        board.end("blue")
    assert (convicted.value.event, convicted.value.ids) == (lie, ("OT-6.14",))


@pytest.mark.parametrize("most", [0, auditing.MOST_KEPT])
def test_a_lie_that_was_undone_is_a_lie(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What never happened in the game was signed all the same."""
    monkeypatch.setattr(auditing, "MOST_KEPT", most)
    board, lie = lied()
    board.undo(lie - 1)
    assert not board.fold.obligations
    board.turn("red", f"deny {({'Rain', 'Fog'} - set(board.hand('red'))).pop()}", "pass")
    assert [one.seq > lie for one in board.fold.obligations] == [True]
    with pytest.raises(Refused, match="E_RULE") as convicted:
        board.end("blue")
    assert convicted.value.event == lie


@pytest.mark.parametrize(
    ("went_back", "void"),
    [
        ([], ()),
        ([(6, 3)], (4, 5)),
        ([(6, 3), (8, 5)], (6, 7)),  # event 5 was void, and lives again with what was before it
        ([(6, 3), (9, 7)], (4, 5, 8)),
        ([(6, 3), (9, 2)], (3, 4, 5, 6, 7, 8)),
    ],
)
def test_what_is_void_at_last(went_back: list[tuple[int, int]], void: tuple[int, ...]) -> None:
    assert tuple(seq for seq in range(1, 10) if auditing.void(seq, went_back, 9)) == void
