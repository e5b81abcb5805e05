"""How strong the sides are, for the curves of `pbem stats`: by public facts, so what lies closed is only counted."""

from __future__ import annotations

from collections.abc import Mapping

from rules.glory_recalled import combat
from rules.glory_recalled.state import BRITISH, JAPAN, State, is_slot, seat_of

UNSEEN = "unseen counters"
"""Closed British counters, of which some are dummies: a number of counters, not a strength."""


def on_map(s: State) -> Mapping[str, int]:
    """The combat strength of all open units on the map as it is now [2.2a, 9.7-b3], and how much lies closed."""
    found = {JAPAN: 0, BRITISH: 0, UNSEEN: 0}
    for id, one in s.counters.items():
        if one.at not in s.board.spaces and one.at not in s.board.boxes:
            continue  # [3.2c] a reserve fights when an event brings it
        if is_slot(id):
            found[UNSEEN] += 1
        elif id in s.board.units:
            found[seat_of(s, id)] += combat.strength(s, id, defending=False)
    return found
