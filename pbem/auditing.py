"""The audit: acts that hung on a closed slot when they were judged are judged again with everything known.

`refuse` is a function of position, seat, act and known. What a slot holds never changes once it is known, for it is
checked against its hash; so an act that was judged without missing any slot would be judged alike with all of them.
Only the others are asked again, each in the position that it was asked in, which is kept for that.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from pbem.api import Act, Engine, Illegal, Known, Owes, Slot
from pbem.errors import Refused

if TYPE_CHECKING:
    from pbem.replay import Fold

MOST_KEPT: Final = 500
"""Positions kept for the audit; where more acts hang on closed slots, the game is folded again instead."""


class Asked(Mapping[Slot, Any]):
    """What is known, as `refuse` is asked with it. `lacked`: it looked for more than that."""

    __slots__ = ("_known", "lacked")

    def __init__(self, known: Known) -> None:
        self._known = known
        self.lacked = False

    def __getitem__(self, slot: Slot) -> Any:
        if slot in self._known:
            return self._known[slot]
        self.lacked = True
        raise KeyError(slot)

    def get(self, slot: Slot, default: Any = None) -> Any:
        if slot in self._known:
            return self._known[slot]
        self.lacked = True
        return default

    def __contains__(self, slot: object) -> bool:
        if slot in self._known:
            return True
        self.lacked = True
        return False

    def __iter__(self) -> Iterator[Slot]:
        self.lacked = True
        return iter(self._known)

    def __len__(self) -> int:
        self.lacked = True
        return len(self._known)


@dataclass(frozen=True, slots=True)
class Obligation:
    """A fact accepted unproven: at which event, by whom, what is to be shown, and when."""

    seq: int
    seat: str
    fact: str
    due: str


@dataclass(frozen=True, slots=True)
class Question:
    """An act whose answer may hang on what was not known: who did it at which event, in which position.

    `code` is what its refusal bears.
    """

    seq: int
    seat: str
    act: Act
    code: str
    engine: Engine
    state: Any


@dataclass(slots=True)
class Questions:
    """What the audit asks again. `overfull` where there was more than is kept."""

    kept: list[Question] = field(default_factory=list)
    overfull: bool = False

    def add(self, fold: Fold, seq: int, seat: str, act: Act, code: str) -> None:
        """Keep an act with the fold's position as it is now."""
        if len(self.kept) < MOST_KEPT:
            self.kept.append(Question(seq, seat, act, code, fold.engine, copy.deepcopy(fold.state)))
        else:
            self.kept, self.overfull = [], True

    def copied(self) -> Questions:
        """For a fold of its own; positions that are kept never change."""
        return Questions(list(self.kept), self.overfull)


def refused(code: str, verdict: Illegal, seq: int) -> Refused:
    """The rules' refusal of an act at an event."""
    return Refused(code, verdict.why, verdict.hint, event=seq, ids=verdict.ids)


def settle(fold: Fold) -> None:
    """After the last disclosure: nothing may stay owed. Raises the refusal of an act that was against the rules."""
    if fold.audit is not None or not fold.obligations:
        return
    if fold.questions.overfull:
        fold.obligations = fold.replica(fold.seq, dict(fold.known)).obligations
        return
    owed = []
    for asked in fold.questions.kept:
        verdict = asked.engine.refuse(asked.state, asked.seat, asked.act, fold.known)
        if isinstance(verdict, Illegal):
            raise refused(asked.code, verdict, asked.seq)
        if isinstance(verdict, Owes) and not void(asked.seq, fold.went_back, fold.seq):
            owed.append(Obligation(asked.seq, asked.seat, verdict.fact, verdict.due))
    fold.obligations = owed


def void(seq: int, went_back: Sequence[tuple[int, int]], head: int) -> bool:
    """Whether an event was undone for good; what an undo goes back to was perhaps undone itself, and lives again."""
    place = head
    for undo, to in reversed(went_back):
        if undo <= place:
            if to < seq < undo:
                return True
            place = to
    return False
