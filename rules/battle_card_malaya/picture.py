"""What the player sees: headline, facts, tables, and the card as a map and as plain text."""

from __future__ import annotations

from pbem.api import View
from rules.battle_card_malaya.state import State


def view(s: State) -> View:
    """The card at this moment."""
    return View(f"Turn {s.turn} of {s.card.turns}")
