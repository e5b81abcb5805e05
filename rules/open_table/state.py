"""The position: who acts, which dice are still to fall, the public numbers, and the latest of the story."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from pbem.api import Outcome, Roll

LATEST = 20
"""So many fallen rolls, and so many moves and records, stay in view; the log has all of them."""

A_WARGAME = "a wargame"
NO_LIMIT = "none"


class Throw(NamedTuple):
    """Dice ordered and not yet fallen: by whom, in which turn, what for, and what chance is asked."""

    seat: str
    turn: int
    purpose: str
    roll: Roll


class Fallen(NamedTuple):
    """Dice on the table."""

    throw: Throw
    label: str
    faces: tuple[int, ...]


class Said(NamedTuple):
    """A move or record, as it was written."""

    seat: str
    turn: int
    what: str
    text: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """The options in force: the wargame's title, how the turn goes round, how many turns were agreed (0: no number)."""

    game: str
    declared: bool
    snake: bool
    turns: int

    @classmethod
    def of(cls, options: Mapping[str, str]) -> Agreement:
        turns = options.get("turns", NO_LIMIT)
        return cls(
            game=options.get("game", A_WARGAME),
            declared=options.get("order") == "declared",
            snake=options.get("snake") == "yes",
            turns=0 if turns == NO_LIMIT else int(turns),
        )


@dataclass(slots=True)
class State:
    """One position. `seats` in charter order, `out` those who left.

    `fallen` and `said` are for the picture alone: this turn and the last one, and no more than `LATEST` of each.
    """

    seats: tuple[str, ...]
    agreed: Agreement
    to_act: str
    turn: int = 1
    out: set[str] = field(default_factory=set)
    waiting: list[Throw] = field(default_factory=list)
    tallies: dict[str, int] = field(default_factory=dict)
    orders: int = 0
    rolls: int = 0
    outcome: Outcome | None = None
    fallen: list[Fallen] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)

    def __deepcopy__(self, memo: object) -> State:
        """A copy of its own; what the lists hold never changes."""
        return replace(
            self,
            out=set(self.out),
            waiting=list(self.waiting),
            tallies=dict(self.tallies),
            fallen=list(self.fallen),
            said=list(self.said),
        )

    def in_play(self) -> list[str]:
        """The seats that have not left, in charter order."""
        return [seat for seat in self.seats if seat not in self.out]
