"""A game event by event: what was done, what was told, which dice fell, and what may be seen after it.

The file is judged first. Then it is folded once more, and of all positions only the present one is held.
In a game whose secrets are all disclosed every hand lies open from the beginning; else only what was public then.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any, Final

from pbem import log, orders, record, verify
from pbem.api import Grid, Known, Note, Rolled, Step, View
from pbem.errors import Incomplete, PbemError, Refused
from pbem.kinds import CORE_WORDS
from pbem.record import Event
from pbem.replay import Fold
from pbem.report import clean, sentence
from pbem.ruleset import rules_for

KINDS: Final[Mapping[str, str]] = {
    "order": "orders",
    "dice": "dice",
    "note": "notes by players",
    "seal": "seals and openings",
    "baton": "handovers",
    "other": "acts by consent",
}
"""What events are sorted by, and its words."""

_CORE: Final[Mapping[str, str]] = {
    "resolve": "dice",
    "note": "note",
    "handover": "baton",
    "play_on": "baton",
    "waive": "baton",
    "seal": "seal",
    "open": "seal",
    "disclose": "seal",
    "react": "order",
    "resign": "order",
}


@dataclass(frozen=True, slots=True)
class Die:
    """Dice that fell: their label, what was rolled and what came in words, and the batch whose seed made them."""

    label: str
    rolled: str
    came: str
    batch: int


@dataclass(frozen=True, slots=True)
class Moment:
    """One event and what it did. `said` is the order as a player types it, or the act in words.

    `moved` is whether the rules took a step: else the position is what it was.
    """

    event: Event
    kind: str
    said: str
    story: tuple[Note, ...]
    dice: tuple[Die, ...]
    moved: bool

    @property
    def anchors(self) -> tuple[str, ...]:
        """The bookmarks that begin here."""
        return tuple(dict.fromkeys(note.anchor for note in self.story if note.anchor))


@dataclass
class Watched(Fold):
    """A fold that remembers the steps its rules took since they were last asked for."""

    steps: list[Step] = field(default_factory=list)

    def step(self, seq: int, step: Step) -> None:
        self.steps.append(step)
        Fold.step(self, seq, step)


class Game:
    """A game file, judged, and ready to be gone through from its beginning."""

    def __init__(self, path: Path, components: Path | None = None, content: bytes | None = None) -> None:
        """From the file at a path, or from its content where this machine has no such file."""
        self.path = path

        def reopen() -> IO[bytes]:
            return log.open_for_reading(path) if content is None else io.BytesIO(content)

        with reopen() as stream:
            reading = verify.read(stream, lambda game: rules_for(game, components), workers=2)
        if reading.fold is None or reading.unjudged is not None:
            raise reading.stopped or reading.unjudged or Refused("E_LINE", event=0)
        if reading.fold.seq == 0 and reading.stopped is not None:
            raise reading.stopped
        self.end: Fold = reading.fold
        self.verdict = verify.judge(reading)
        self._past = verify.past(reopen)
        self.open_hands = (
            reading.stopped is None
            and self.end.closed
            and bool(self.end.slots.names)
            and not any(self.end.slots.closed(seat) for seat in self.end.seats)
        )
        self.words = {**CORE_WORDS, **self._rules.engine.words}
        self.now = self._fresh()

    @property
    def _rules(self) -> Any:
        rules = self.end.rules or self.end.frozen
        if rules is None:
            raise Incomplete("rules: they are not here")
        return rules

    @property
    def engine(self) -> Any:
        return self._rules.engine

    @property
    def scenario(self) -> Any:
        start = self._rules.start
        return next(one for one in self.engine.scenarios() if one.id == start.scenario)

    def _fresh(self) -> Watched:
        fold = Watched(self.end.game, self._rules, past=self._past, healed=self.end.healed, checked=True)
        fold.keep({place for _, place in self.end.went_back})
        return fold

    def moments(self) -> Iterator[Moment]:
        """Event by event; `now` stands after the one that was given last."""
        self.now = fold = self._fresh()
        told = list[Note]()
        fold.listener = lambda _, note: told.append(note)
        for event in self._past(self.end.seq):
            told.clear()
            fold.steps.clear()
            said, before = self._said(fold, event), fold.state
            fold.take(event)
            kind = _CORE.get(event.kind, "other" if event.kind in record.BODIES else "order")
            moved = bool(fold.steps) or fold.state is not before
            yield Moment(event, kind, said, tuple(told), tuple(self._dice(fold)), moved)

    def _known(self, fold: Fold) -> Known:
        return self.end.known if self.open_hands else fold.known

    def _said(self, fold: Fold, event: Event) -> str:
        """The order as it may be typed, hidden things by name where they may be known; an act of the core in words."""
        if event.kind in record.BODIES:
            return _act(event)
        fields = {name: value for name, value in event.body.items() if name not in record.CORE_FIELDS}
        with suppress(PbemError):
            if fold.rules is not None:
                known = self._known(fold)
                opened = {one["slot"]: one["content"] for one in event.body.get("opens", ()) if "content" in one}
                order = orders.order_of(fold, event.kind, fields)
                return clean(
                    fold.engine.phrase(fold.state, event.seat, order, {**known, **opened} if opened else known)
                )
        return clean(event.kind)

    def _dice(self, fold: Watched) -> Iterator[Die]:
        number = fold.batch.number if fold.batch is not None else fold.requested
        for step in fold.steps:
            if isinstance(step, Rolled):
                known = self._known(fold).get(step.label) if step.values is None else step.values
                came = "only its player knows" if known is None else " ".join(str(one) for one in known)
                yield Die(clean(step.label), rolled(step), clean(came), number)

    def view(self) -> View:
        """What may be seen now: by everybody, or with all hands open."""
        fold = self.now
        if not self.open_hands:
            view: View = self.engine.picture(fold.state, "", fold.known)
            return view
        return _together([(seat, self.engine.picture(fold.state, seat, self.end.known)) for seat in fold.seats])

    def told(self, note: Note) -> str:
        """A note in the engine's words, with its clauses."""
        clauses = f" [{', '.join(clean(clause) for clause in note.clauses)}]" if note.clauses else ""
        return sentence(note, self.words) + clauses


def rolled(step: Rolled) -> str:
    """What chance was asked for, in words."""
    roll = step.roll
    if roll.dice:
        runs = re.finditer(r"(\d+)(?: \1)*(?!\d)", " ".join(map(str, roll.dice)))
        return " + ".join(f"{len(run[0].split())}d{run[1]}" for run in runs)
    if roll.draw:
        return f"{roll.draw} drawn from {len(roll.pool)}"
    return f"{roll.shuffle} shuffled"


def _act(event: Event) -> str:
    """An act of the core in words."""
    body = event.body
    words: Mapping[str, Callable[[], str]] = {
        "handover": lambda: f"passes the baton to {body['next']}" if body.get("next") else "closes the game",
        "resolve": lambda: f"lets the dice of batch {body['batch']} fall",
        "seal": lambda: f"seals {body['name']}",
        "open": lambda: f"opens {', '.join(item['slot'] for item in body['items'])}",
        "disclose": lambda: f"discloses {body['name']}",
        "note": lambda: f"writes: {body['text']}",
        "play_on": lambda: "lets the window pass",
        "react": lambda: f"reacts at event {body['at']}: {body['order']}",
        "resign": lambda: "gives up",
    }
    return clean(words.get(event.kind, lambda: event.kind.replace("_", " "))())


def _together(views: Sequence[tuple[str, View]]) -> View:
    """All seats' views as one: what all see alike once, what one alone sees with his seat; the first one's map."""
    (_, first), *_ = views
    facts: list[tuple[str, str]] = []
    grids: list[Grid] = []
    for seat, view in views:
        others = [other for _, other in views if other is not view]
        for name, value in view.facts:
            fact = (name if all((name, value) in other.facts for other in others) else f"{name} ({seat})", value)
            if fact not in facts:
                facts.append(fact)
        for grid in view.grids:
            mine = (
                grid if all(grid in other.grids for other in others) else replace(grid, title=f"{grid.title} ({seat})")
            )
            if mine not in grids:
                grids.append(mine)
    return replace(first, facts=tuple(facts), grids=tuple(grids))
