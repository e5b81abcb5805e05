"""The open table: any wargame that has no engine of its own (dice for a stated purpose, the story, whose turn it is).

Reading order: turns, rolls, story; then table, which is the engine.
"""

from rules.open_table.table import OpenTable

ENGINE = OpenTable()

__all__ = ["ENGINE"]
