"""Field Command by mail: two and three machines that exchange letters, from the invitation to the end."""

from __future__ import annotations

from pathlib import Path

import pytest
from computers import seated
from correspondents import fixed, lean, play, players, verdict

RULES = "field-command"
LETTERS = 400
PATIENCE = 12


@pytest.fixture(autouse=True)
def _same_game(monkeypatch: pytest.MonkeyPatch) -> None:
    lean(monkeypatch)
    fixed(monkeypatch, 1942)


@pytest.mark.parametrize(
    ("scenario", "seats"),
    [
        ("company", ("japan", "britain")),
        ("battalion", ("australia", "japan")),
        ("regiment", ("britain", "japan")),
    ],
)
def test_a_battle_by_mail(tmp_path: Path, scenario: str, seats: tuple[str, str]) -> None:
    match = seated(tmp_path, RULES, seats, "--scenario", scenario)
    play(match, players(match), LETTERS)
    assert verdict(match).startswith("VALID, ")
    assert match[seats[0]].table("g.pbem").fold.outcome() is not None


def test_a_campaign_for_two_by_mail(tmp_path: Path) -> None:
    """To its very end: with standing plans on both sides a turn is a letter, battles and all."""
    seats = ("japan", "allies")
    match = seated(tmp_path, RULES, seats, "--scenario", "campaign-two", "--dice", "open")
    done = play(match, players(match, RULES), LETTERS)
    assert verdict(match).startswith("VALID, ")
    fold = match["japan"].table("g.pbem").fold
    assert fold.outcome() is not None
    assert done.letters <= 2 * fold.state.turn


def test_a_campaign_for_three_by_mail(tmp_path: Path) -> None:
    """Under sealed dice, where each roll takes an answer from both others; Japan gives up in the end."""
    seats = ("japan", "australia", "britain")
    match = seated(tmp_path, RULES, seats, "--scenario", "campaign")
    play(
        match,
        players(match, RULES),
        LETTERS,
        gives_up=lambda player, _, done: player.seat == "japan" and done.letters > PATIENCE,
    )
    assert verdict(match).startswith("VALID, ")
    outcome = match["britain"].table("g.pbem").fold.outcome()
    assert outcome is not None
    assert outcome.winners == ("australia", "britain")
