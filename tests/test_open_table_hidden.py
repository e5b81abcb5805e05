"""Hidden things at the open table, with real keys: whole games, liars, and two computers that mail."""

from __future__ import annotations

from pathlib import Path

import pytest
from board import Board
from computers import duel

from pbem.errors import OrderRefused

# --- two computers ---


def test_a_draft_names_cards_as_their_owner_does(tmp_path: Path) -> None:
    match = duel(tmp_path)
    red = match["red"]
    match.turn("red", "deck events: Ambush x2, Rain", "seal events", "draw 1 from events", "pass")
    match.turn("blue", "pass")
    (card,) = {row[0] for row in hand(match["red"].table("g.pbem"))}
    said = red.do("order", "g.pbem", f"play {card.lower()} as event")
    assert said.out == f"1 play {card} as event\n"
    assert red.do("order", "g.pbem", "--show").out == f"1 play {card} as event\n"


def hand(table: object) -> tuple[tuple[str, ...], ...]:
    from rules.open_table import ENGINE

    view = ENGINE.picture(table.fold.state, table.seat, table.known(table.seat))  # type: ignore[attr-defined]
    return next(grid.rows for grid in view.grids if grid.title == "Your hand")


def test_texts_are_sealed_and_opened_by_short_commands(tmp_path: Path) -> None:
    match = duel(tmp_path)
    red, blue = match["red"], match["blue"]
    assert red.do("seal", "g.pbem", "plan", "3rd", "Bn", "to", "0504").out == "1 secret plan: 3rd Bn to 0504\n"
    match.turn("red", "pass")
    for shown in (blue.do("show", "g.pbem").out, (blue.folder / "g.pbem").read_text("utf-8")):
        assert "secret#1" in shown
        assert "3rd Bn" not in shown
    assert "plan: 3rd Bn to 0504" in red.do("show", "g.pbem").out
    match.turn("blue", "pass")
    assert red.do("open", "g.pbem", "plan").out == "1 open plan\n"
    match.turn("red", "pass")
    assert "red opens secret#1, plan: 3rd Bn to 0504" in blue.do("show", "g.pbem").out
    match.agree()


# --- undo ---


def test_values_of_undone_private_rolls_are_sealed_anew() -> None:
    """No value makes two rolls, and the table never runs out of values that it counts on."""
    board = Board()
    board.turn("red", "roll d6 privately for first", "pass")
    board.turn("blue", "pass")
    here = board.fold.seq
    nineteen = [f"roll d6 privately for search {number}" for number in range(19)]
    board.turn("red", *nineteen, "pass")
    board.undo(here)
    assert board.grid("Private rolls") == (("private#1", "1", "red", "d6", "first", "?"),)
    board.turn("red", *nineteen, "pass")
    used = [roll.slot for roll in board.fold.private.values()]
    assert len(used) == len(set(used)) == 39
    board.turn("blue", "pass")
    board.turn("red", "reveal private#25", "roll d6 privately for the next list", "pass")
    board.end("blue")
    assert board.verdict().line() == "VALID, red wins, the last at the table"
