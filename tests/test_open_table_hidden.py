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
