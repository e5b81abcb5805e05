"""Writing events: what a seat signs, checked by the same fold that everybody else will run.

Pure: the caller makes the bytes durable before anything is shown or mailed.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pbem import keys, record
from pbem.api import Ask, Engine, Order, Roll, Rolled
from pbem.errors import Incomplete
from pbem.record import Event, Signed, Slip
from pbem.replay import MAX_CHANCE, Batch, Fold

TRIALS: Final = 12
"""How often chance is tried out to guess who decides next."""


@dataclass
class Author:
    """A seat at its fold. `link` gives x_n of the seat's chain for batch n. `written` are the events signed so far."""

    fold: Fold
    seat: str
    key: keys.SigningKey
    link: Callable[[int], bytes]
    written: list[Event] = field(default_factory=list)

    def write(self, kind: str, body: Mapping[str, Any]) -> Event:
        """Sign one event and fold it; a refusal leaves nothing signed that anybody will see."""
        fold = self.fold
        event = record.write_event(
            self.key, game=fold.game.id, seq=fold.seq + 1, prev=fold.head, seat=self.seat, kind=kind, body=body
        )
        fold.take(event)
        self.written.append(event)
        return event

    def order(self, order: Order) -> Event:
        return self.write(order.kind, order.body())

    def note(self, text: str) -> Event:
        return self.write("note", {"text": text})

    def resolve(self, slips: Iterable[Signed[Slip]] = ()) -> Event:
        """Let the dice fall: with the own link under `open`, with slips under `sealed`.

        Raises `Incomplete` while a slip is missing.
        """
        fold = self.fold
        if fold.policy == "open":
            number = fold.requested + 1 if fold.solitaire else _batch(fold).number
            return self.write("resolve", {"batch": number, "link": self.link(number).hex()})
        batch = _batch(fold)
        held = {slip.says.seat: slip for slip in slips if slip.says.request == batch.request}
        if self.seat != batch.requester:
            held[self.seat] = self.slip()
        missing = [name for name in batch.contributors if name != batch.requester and name not in held]
        if missing:
            raise Incomplete(f"slips of {', '.join(missing)}", "they come when those seats run `pbem receive`")
        items = [
            {"link": held[name].says.link, "seat": name, "sig": held[name].sig.hex()}
            for name in batch.contributors
            if name != batch.requester
        ]
        return self.write("resolve", {"batch": batch.number, "slips": items})

    def slip(self) -> Signed[Slip]:
        """This seat's release for the open batch. The caller keeps one per batch, for ever."""
        batch = _batch(self.fold)
        link = self.link(batch.number).hex()
        doc = record.slip_doc(
            batch=batch.number, game=self.fold.game.id, link=link, request=batch.request, seat=self.seat
        )
        return record.write_slip(self.key, doc)

    def handover(self, at: int | None = None) -> Event:
        """Pass the baton to whom the position says, asking for dice where they are due."""
        fold = self.fold
        body: dict[str, Any] = {"count": fold.since_handover + 1, "state": fold.digest(), "owed": list(fold.owed())}
        following = next_seat(fold)
        if following is not None:
            body["next"] = following
        if (fold.open_pair and fold.asks) or body["owed"] == ["dice"]:
            body["batch"] = fold.requested + 1
            body["link"] = self.link(fold.requested + 1).hex()
        if at is not None:
            body["at"] = at
        return self.write("handover", body)

    def consent(self, kind: str, body: Mapping[str, Any], prev: str, seq: int) -> Signed[record.Statement]:
        """This seat's agreement to another seat's act at one place."""
        doc = record.consent_doc(game=self.fold.game.id, seat=self.seat, of=kind, body=body, prev=prev, seq=seq)
        return record.write_statement(self.key, doc)

    def statement(self, kind: str, **fields: Any) -> Signed[record.Statement]:
        """A statement about the present head."""
        doc = {"about": self.fold.head, "game": self.fold.game.id, "kind": kind, "seat": self.seat, "v": 1, **fields}
        return record.write_statement(self.key, doc)


def _batch(fold: Fold) -> Batch:
    if fold.batch is None or fold.batch.seed is not None:
        raise Incomplete("a request for dice", "no batch waits to be resolved")
    return fold.batch


def next_seat(fold: Fold) -> str | None:
    """To whom a handover written now passes the baton; None when the game is over."""
    if not fold.asks:
        return None
    if fold.open_pair:
        return fold.other(fold.holder)
    if fold.needs_request():
        return likely_next(fold)
    first = fold.asks[0]
    return first.seat if isinstance(first, Ask) else fold.holder


def likely_next(fold: Fold) -> str:
    """Who should see the dice first: a seat that the rules may ask before the requester decides again.

    Chance is tried out on copies of the position. Only a saving of mails hangs on it, never the dice.
    """
    rng = random.Random(0)
    for _ in range(TRIALS):
        seat = _asked_after_chance(fold.engine, copy.deepcopy(fold.state), rng)
        if seat is not None and seat != fold.holder and seat in fold.in_game:
            return seat
    return fold.holder


def _asked_after_chance(engine: Engine, state: Any, rng: random.Random) -> str | None:
    for _ in range(MAX_CHANCE):
        asks = engine.pending(state)
        if not asks:
            return None
        first = asks[0]
        if isinstance(first, Ask):
            return first.seat
        engine.apply(state, Rolled(f"{first.stem}#0", first, trial_values(first, rng)))
    return None


def trial_values(roll: Roll, rng: random.Random) -> tuple[Any, ...]:
    """Made-up values of a roll, for trying out only."""
    if roll.dice:
        return tuple(rng.randint(1, sides) for sides in roll.dice)
    if roll.draw:
        return tuple(rng.sample(roll.pool, roll.draw))
    order = list(range(roll.shuffle))
    rng.shuffle(order)
    return tuple(order)


def lines_of(events: Sequence[Event]) -> bytes:
    """Events as they stand in a file."""
    return b"".join(event.line() for event in events)
