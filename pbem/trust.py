"""What a solitaire log is worth: the level that the file itself, and receipts beside it, bear out (protocol, 3.9).

A level is never claimed, it is found: by the charter's start round, by the game it names before it, by who released
the dice, and, where a beacon's rounds make them, by receipts that somebody else dated before each round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final

from pbem import beacon
from pbem.record import Receipt
from pbem.replay import Fold

NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {"S0": "S0 diary", "S1": "S1 registered", "S2": "S2 numbered", "S3": "S3 witnessed"}
)

CHOSEN: Final = "beacon dice: nobody could choose them"
BEACON: Final = f"{CHOSEN}; that a request was on its way before its round is the receiver's word"


@dataclass(frozen=True, slots=True)
class Level:
    """`name` is S0 to S3, `words` what is said of this file."""

    name: str
    words: str

    @property
    def title(self) -> str:
        return NAMES[self.name]


def level(fold: Fold, receipts: Iterable[Receipt] = ()) -> Level | None:
    """The level of a solitaire game; None where there are other players.

    `receipts` are a witness' receipts whose signatures were checked; only beacon dice need them.
    """
    if not fold.solitaire:
        return None
    if fold.policy == "sealed":
        return Level("S3", "trust S3, witnessed: every batch was released by the witness, after the decision")
    if fold.policy == beacon.NAME:
        return _by_rounds(fold, list(receipts))
    return _by_start(fold)


def _by_start(fold: Fold) -> Level:
    start, previous = fold.game.charter.dice.start, fold.game.charter.previous
    if start is None:
        words = "trust S0, a diary: legal for its dice, which its player could have foreseen or replayed"
        more = "; it names a game before it, which says nothing without a start round" if previous else ""
        return Level("S0", words + more)
    if fold.start_value is None:
        return Level("S0", f"trust S0 so far, a diary: no dice have fallen, round {start.round} is to start them")
    net = beacon.network(start.chain)
    begun = (
        f"dice begin with round {start.round} of {net.name}, published {when(net.time(start.round))};"
        " not chosen if others knew this charter before that, but foreseen"
    )
    if previous is None:
        return Level("S1", f"trust S1, registered: {begun}")
    return Level("S2", f"trust S2, numbered: follows game {previous[:16]}; {begun}")


def _by_rounds(fold: Fold, receipts: list[Receipt]) -> Level:
    late = late_rounds(fold, receipts)
    if not fold.rounds_by_event:
        return Level("S0", "trust S0 so far, a diary: no dice have fallen")
    if not late:
        return Level("S3", "trust S3, witnessed: the witness had every request before the round that it names")
    return Level(
        "S0",
        f"trust S0, a diary: {len(late)} of {len(fold.rounds_by_event)} requests are not known to have been"
        " in the witness' hands before their rounds were public",
    )


def by_beacon(fold: Fold, receipts: Iterable[Receipt] = ()) -> str:
    """What beacon dice between several players are worth, with receipts of the others or of a witness beside them."""
    dated = list(receipts)
    late, asked = late_rounds(fold, dated), len(fold.rounds_by_event)
    if not asked or not dated:
        return BEACON
    return f"{CHOSEN}; that somebody else had {asked - len(late)} of {asked} requests before their rounds is receipted"


def late_rounds(fold: Fold, receipts: Iterable[Receipt]) -> list[int]:
    """The rounds of which no receipt says that somebody else had their request before they were public."""
    dated = list(receipts)
    return [number for seq, number in fold.rounds_by_event if not _seen_before(fold, seq, number, dated)]


def _seen_before(fold: Fold, seq: int, number: int, receipts: list[Receipt]) -> bool:
    """Whether somebody else had an event, or a later one of this chain, before a round was public."""
    pinned = fold.game.charter.dice.beacon
    public = beacon.network(pinned.chain).time(number) if pinned is not None else 0
    asker = fold.seats[fold.ids.seat(seq)]
    return any(
        seq <= one.seq <= fold.seq and fold.ids.id(one.seq) == one.head and one.at < public and one.seat != asker
        for one in receipts
    )


def when(time: int) -> str:
    """A moment, in words."""
    return f"{datetime.fromtimestamp(time, UTC):%Y-%m-%d %H:%M:%S} UTC"
