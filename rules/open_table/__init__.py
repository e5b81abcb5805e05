"""The open table: any wargame that has no engine of its own (dice for a stated purpose, cards, the story, whose turn).

Reading order: turns, rolls, story; then what is hidden: holdings, decks, piles, hands, chits, choices, private,
standing, and hidden, which joins them; then typed (names and slots) and table, which is the engine.
"""

from rules.open_table.table import OpenTable

ENGINE = OpenTable()

__all__ = ["ENGINE"]
