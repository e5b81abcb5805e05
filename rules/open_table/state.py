"""The position: who acts, which dice are still to fall, the public numbers, and the latest of the story."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from pbem.api import Outcome, Roll
from rules.open_table.holdings import Holdings

LATEST = 20
"""So many fallen rolls, and so many moves and records, stay in view; the log has all of them."""

A_WARGAME = "a wargame"
NO_LIMIT = "none"
NO_TEAMS = "none"


class Throw(NamedTuple):
    """Dice ordered and not yet fallen: by whom, in which turn, what for, and what chance is asked.

    Of a draw the roll has no pool yet: it is the zone of the deck when the draw comes; what is drawn goes to zone `to`.
    """

    seat: str
    turn: int
    purpose: str
    roll: Roll
    deck: str = ""
    zone: str = ""
    to: str = ""


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
    """The options in force: the wargame's title, how the turn goes round, how many turns were agreed (0: no number).

    `teams` are the seats that play together, as many groups as there are.
    """

    game: str
    declared: bool
    snake: bool
    turns: int
    teams: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def of(cls, options: Mapping[str, str]) -> Agreement:
        turns = options.get("turns", NO_LIMIT)
        return cls(
            game=options.get("game", A_WARGAME),
            declared=options.get("order") == "declared",
            snake=options.get("snake") == "yes",
            turns=0 if turns == NO_LIMIT else int(turns),
            teams=teams_of(options.get("teams", NO_TEAMS)),
        )

    def team(self, seat: str) -> tuple[str, ...]:
        """The seat, then those that play with it."""
        team = next((team for team in self.teams if seat in team), (seat,))
        return (seat, *(one for one in team if one != seat))


def teams_of(text: str) -> tuple[tuple[str, ...], ...]:
    """`red+green blue` as groups of seats."""
    return () if text == NO_TEAMS else tuple(tuple(team.split("+")) for team in text.split())


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
    held: Holdings = field(default_factory=Holdings)

    def __deepcopy__(self, memo: object) -> State:
        """A copy of its own; what the lists hold never changes."""
        return replace(
            self,
            out=set(self.out),
            waiting=list(self.waiting),
            tallies=dict(self.tallies),
            fallen=list(self.fallen),
            said=list(self.said),
            held=self.held.__deepcopy__(memo),
        )

    def in_play(self) -> list[str]:
        """The seats that have not left, in charter order."""
        return [seat for seat in self.seats if seat not in self.out]
