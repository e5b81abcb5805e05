"""The story of a game as text that can be proved line by line: event number, id, what, by which clause.

What players chatted is left out, and what they took back; both stand in the file all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.account import Story
from pbem.kinds import CORE_WORDS
from pbem.replay import Fold
from pbem.report import clean, sentence, wrap

ID: Final = 12
"""Hex digits of an event's id that a line shows: enough to find one event of any game."""


def undone(fold: Fold, seq: int) -> bool:
    """Whether the event is void: a later one went back before it."""
    return any(place < seq < at for at, place in fold.went_back)


def lines(fold: Fold, story: Story, file: str = "GAME.pbem") -> Iterator[str]:
    """The story, each sentence with its proof, after a head that says how to check one."""
    engine = fold.engine
    words = {**CORE_WORDS, **engine.words}
    yield clean(f"{engine.title}, {fold.game.charter.scenario}; {', '.join(fold.players[seat] for seat in fold.seats)}")
    yield f"game {fold.game.id}"
    yield f"head {fold.head}, event {fold.seq}"
    yield "Each line: event, beginning of its id, who signed it, what happened [by which clause]."
    yield wrap(f"To check one with OpenSSH alone: pbem export-sig {clean(file)} EVENT")
    yield ""
    broad = max(len(seat) for seat in fold.seats)
    for seq, note in story:
        if note.stem == "core/note" or undone(fold, seq):
            continue
        if note.anchor and "." not in note.anchor:
            yield f"-- {clean(note.anchor)} --"
        by = (
            f"{seq:5d} {fold.ids.id(seq)[:ID]} {fold.seats[fold.ids.seat(seq)]:<{broad}}  "
            if seq
            else f"{'setup':>5}  "
        )
        clauses = f" [{', '.join(clean(clause) for clause in note.clauses)}]" if note.clauses else ""
        dice = f" (dice {clean(note.label)})" if note.label else ""
        yield wrap(f"{sentence(note, words)}{clauses}{dice}", by, " " * 6, room=100)
    outcome = fold.outcome()
    if outcome is not None:
        by = f" [{', '.join(outcome.clauses)}]" if outcome.clauses else ""
        yield wrap(f"Result: {clean(outcome.words)}{by}")
