"""The fold of a log: every line checked in order, dice derived, every move judged by the rules (FORMAT.md, checks).

`Fold` is the pure core: it holds what the protocol must remember and the engine's state, and `take`s one event at a
time. `verify` runs a whole file through it and says a verdict. Nothing here writes, and nothing is cached between runs.
"""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import ValidationError

from pbem import canon, charter, dice, keys, record
from pbem.api import (
    NOTHING_KNOWN,
    Ask,
    Engine,
    Illegal,
    Note,
    OpenSlots,
    Order,
    Ordered,
    Outcome,
    Owes,
    Resigned,
    Roll,
    Rolled,
    Start,
    Step,
    silent,
)
from pbem.errors import Refused
from pbem.record import Event

MAX_CHANCE: Final = 10_000
"""Chance nodes one batch may reach; an engine that wants more has a loop."""

CORE_WORDS: Final[Mapping[str, str]] = {
    "core/note": "{seat} writes: {text}",
    "core/resign": "{seat} gives up",
    "core/agree": "all seats agree: {result}",
}
"""Sentences for what the core tells, in the form of an engine's words."""

Listener = Callable[[int, Note], None]
"""Hears the story: the seq of the event and the note."""

PLAYED: Final = frozenset({"handover", "resolve", "note", "carry", "resign", "agree"})
"""The core kinds that this release plays; the others are reserved by the format and refused as `E_KIND`."""


@dataclass(slots=True)
class Batch:
    """Dice asked for: what the seed is made of. `seed` is None until it is resolved."""

    number: int
    requester: str
    request: str
    contributors: tuple[str, ...]
    links: dict[str, bytes]
    slip_keys: dict[str, bytes]
    seed: bytes | None = None


@dataclass(slots=True)
class Chain:
    """A seat's dice chain in force: its check, and the batch before its link 1."""

    check: dice.ChainCheck
    base: int = 0

    def accept(self, batch: int, link: str) -> bytes:
        """The link for a batch, checked down to the highest one known (`E_LINK`)."""
        value = bytes.fromhex(link)
        self.check.accept(batch - self.base, value)
        return value


@dataclass(slots=True)
class SaidLine:
    """A statement that stands as a line of its own."""

    says: record.Statement
    raw: bytes
    line: int


@dataclass(frozen=True, slots=True)
class Ruleset:
    """An engine with the set-up a charter names."""

    engine: Engine
    start: Start


def state_digest(position: Mapping[str, Sequence[str]]) -> str:
    """The digest of a position: named sections of sorted lines (FORMAT.md, state)."""
    parts: list[str | bytes] = []
    for name in sorted(position):
        parts.append(name)
        parts.append(hashlib.sha256("\n".join(position[name]).encode()).digest())
    return canon.H("pbem/v1/state", *parts).hex()


class Ids:
    """Which id stands at which seq: 32 bytes an event."""

    def __init__(self) -> None:
        self._ids = bytearray()
        self._seats = array("B")

    def __len__(self) -> int:
        return len(self._seats)

    def add(self, event_id: str, seat: int) -> None:
        self._ids += bytes.fromhex(event_id)
        self._seats.append(seat)

    def id(self, seq: int) -> str:
        return self._ids[32 * (seq - 1) : 32 * seq].hex()

    def seat(self, seq: int) -> int:
        return self._seats[seq - 1]

    def find(self, event_id: str) -> int:
        """The seq of an id; 0 if it is not in the chain."""
        want = bytes.fromhex(event_id)
        at = self._ids.find(want)
        while at >= 0 and at % 32:
            at = self._ids.find(want, at + 1)
        return at // 32 + 1 if at >= 0 else 0


@dataclass
class Fold:
    """One game, folded up to its head.

    Without `rules` the chain, signatures, links and slips are checked and nothing else is judged.
    After a refusal the fold may be half changed and must be dropped: whoever takes untrusted events makes a new one.
    """

    game: charter.Game
    rules: Ruleset | None = None
    listener: Listener | None = None

    seq: int = 0
    head: str = ""
    holder: str = ""
    closed: bool = False
    requested: int = 0
    batch: Batch | None = None
    since_handover: int = 0
    handed_at: int = 0
    agreed: str = ""
    asks: tuple[Ask | Roll, ...] = ()
    state: Any = None
    said: list[SaidLine] = field(default_factory=list)
    owed_facts: list[str] = field(default_factory=list)
    carried: set[bytes] = field(default_factory=set)

    def __post_init__(self) -> None:
        game = self.game
        self.head = game.id
        self.seats = game.seats
        self.in_game = list(game.seats)
        self.policy = game.charter.dice.policy
        self.solitaire = len(game.seats) == 1
        self.open_pair = self.policy == "open" and not self.solitaire
        self.keys = {seat: keys.VerifyKey(bytes.fromhex(game.key_of(seat))) for seat in game.sealers()}
        self.slip_keys = {seat: bytes.fromhex(_slip_key(game, seat)) for seat in game.sealers()}
        self.chains = {
            seat: Chain(check) for seat in game.sealers() if (check := charter.chain_of(game, seat)) is not None
        }
        self.ids = Ids()
        self.last_of = dict.fromkeys(game.seats, 0)
        self.handed = dict.fromkeys(game.seats, 0)
        self.labels: Counter[str] = Counter()
        self._raw_game = bytes.fromhex(game.id)
        self._said_before: set[bytes] = set()
        if self.rules is not None:
            self.state = self.rules.engine.setup(self.rules.start)
            self._look()
            self.holder = self._first_holder()

    # What is asked --------------------------------------------------------------------------------------------

    @property
    def engine(self) -> Engine:
        if self.rules is None:
            raise AssertionError("this fold has no rules")
        return self.rules.engine

    def _look(self) -> None:
        """Ask the engine what the position waits for; after an agreed end nothing."""
        self.asks = () if self.agreed else self.engine.pending(self.state)

    def _first_holder(self) -> str:
        """Whose ask is first; the first seat if chance comes first; under `open` the seat not moving first."""
        first = self.asks[0] if self.asks else None
        mover = first.seat if isinstance(first, Ask) else self.seats[0]
        if self.open_pair:
            return next(seat for seat in self.seats if seat != mover)
        return mover

    def waits_for_chance(self) -> bool:
        """A roll is pending and everything asked before it is an opening that needs no thought."""
        for ask in self.asks:
            if isinstance(ask, Roll):
                return True
            if not isinstance(ask.client, OpenSlots):
                return False
        return False

    def needs_request(self) -> bool:
        """The holder must ask for dice before the game goes on."""
        return self.waits_for_chance() and self.batch is None

    def outcome(self) -> Outcome | None:
        """The result, by agreement or by the rules; None while the game goes on."""
        if self.agreed:
            words = {"draw": "a draw by agreement", "none": "ended without a result by agreement"}
            winner = "" if self.agreed in words else self.agreed
            return Outcome(winner, words.get(self.agreed, f"{self.agreed} wins by agreement"))
        return None if self.rules is None else self.engine.outcome(self.state)

    def digest(self) -> str:
        """The state digest that a handover written now carries."""
        return state_digest(self.engine.position(self.state))

    def owed(self) -> tuple[str, ...]:
        """What the receiver of a handover written now owes: `dice`, `ask`, or nothing."""
        if not self.asks:
            return ()
        if self.open_pair:
            return ("dice",) if isinstance(self.asks[0], Roll) else ("ask",)
        return ("dice",) if self.needs_request() else ("ask",)

    def contributors(self, requester: str) -> tuple[str, ...]:
        """Whose links make the next seed; dictated by the charter, never by a message."""
        if self.game.charter.dice.contributors == "teams" and self.game.charter.teams:
            others = [team for team in self.game.charter.teams if requester not in team]
            firsts = (next((seat for seat in team if seat in self.in_game), "") for team in others)
            names = {requester, *filter(None, firsts)}
        else:
            names = {requester, *self.in_game}
        if charter.WITNESS in self.chains:
            names.add(charter.WITNESS)
        return tuple(sorted(names))

    def other(self, seat: str) -> str:
        """The other seat of a two-seat game."""
        return next(one for one in self.seats if one != seat)

    # Events ---------------------------------------------------------------------------------------------------

    def read(self, line: bytes) -> Event:
        """The event of a line, with its form, game and signature checked; the fold is not changed."""
        event = record.read_event(line)
        self.check_signature(event)
        return event

    def check_signature(self, event: Event) -> None:
        """`E_GAME` and `E_SIG`."""
        if event.game != self.game.id:
            raise Refused("E_GAME", event=event.seq)
        key = self.keys.get(event.seat)
        if key is None or event.seat not in self.last_of:
            raise Refused("E_SIG", f"no seat {event.seat} in this game", event=event.seq)
        try:
            key.check(keys.EVENT, event.raw, event.sig)
        except Refused as error:
            error.event = event.seq
            raise

    def take(self, event: Event) -> bool:
        """Check an event whose signature is checked, and apply it. False: it was already known."""
        try:
            if event.seq <= self.seq:
                self._again(event)
                return False
            self._place(event)
            self._act(event)
        except Refused as error:
            if error.event is None:
                error.event = event.seq
            raise
        self.seq, self.head = event.seq, event.id
        self.ids.add(event.id, self.seats.index(event.seat))
        self.last_of[event.seat] = event.seq
        return True

    def _again(self, event: Event) -> None:
        if self.ids.id(event.seq) == event.id:
            return
        if self.seats[self.ids.seat(event.seq)] == event.seat:
            raise Refused("E_FORK", f"{event.seat} signed two different events {event.seq}")
        raise Refused("E_BATON", f"event {event.seq} is by {self.seats[self.ids.seat(event.seq)]}, not by {event.seat}")

    def _place(self, event: Event) -> None:
        if event.seq > self.seq + 1:
            missing = str(self.seq + 1) if event.seq == self.seq + 2 else f"{self.seq + 1} to {event.seq - 1}"
            raise Refused("E_GAP", f"missing before it: {missing}", "ask the sender for the missing events")
        if event.prev != self.head:
            raise Refused("E_PREV")
        if self.closed:
            raise Refused("E_BATON", "the game is over and nobody holds the baton")
        if self.rules is None and not self.holder:
            self.holder = event.seat
        if event.seat != self.holder:
            raise Refused("E_BATON", f"{self.holder} holds the baton, not {event.seat}")

    def _act(self, event: Event) -> None:
        model = record.BODIES.get(event.kind)
        if model is None:
            self._order(event)
        elif event.kind not in PLAYED:
            raise Refused("E_KIND", f"this release does not play {event.kind!r} events")
        else:
            body = record.parse(model, event.body)
            if body.boxes is not None:
                raise Refused("E_FIELDS", "field boxes: this release plays no hidden information")
            getattr(self, "_" + event.kind)(event, body)
        if event.kind != "handover":
            self.since_handover += 1

    def tell(self, seq: int) -> Callable[[Note], None]:
        listener = self.listener
        if listener is None:
            return silent
        return lambda note: listener(seq, note)

    def _step(self, seq: int, step: Step) -> None:
        self.engine.apply(self.state, step, self.tell(seq))
        self._look()

    # Orders ---------------------------------------------------------------------------------------------------

    def order_of(self, kind: str, body: Mapping[str, Any]) -> Order:
        """The order of an event's kind and body (`E_KIND`, `E_FIELDS`)."""
        model = self.engine.orders.get(kind)
        if model is None:
            raise Refused("E_KIND", f"no order {kind!r} in {self.engine.id}")
        try:
            order = model.model_validate(body)
        except ValidationError as error:
            raise Refused("E_FIELDS", record.explain(error)) from None
        if order.body() != body:
            raise Refused("E_FIELDS", "the body is not the one way to write this order")
        return order

    def _order(self, event: Event) -> None:
        if self.rules is None:
            self._dice_first(event)
            self._free_choice()
            return
        order = self.order_of(event.kind, event.body)
        self._dice_first(event)
        if not self.open_pair and self._batch_runs():
            raise Refused("E_BATCH", "dice were asked for and are not all out", "nothing can be chosen until they are")
        self._check_in_play(event.seat)
        verdict = self.engine.refuse(self.state, event.seat, order, NOTHING_KNOWN)
        if isinstance(verdict, Illegal):
            raise Refused("E_RULE", verdict.why, verdict.hint, ids=verdict.ids)
        if isinstance(verdict, Owes):
            self.owed_facts.append(verdict.fact)
        self._free_choice()
        self._step(event.seq, Ordered(event.seat, order))
        self._chance(event.seq)

    def _dice_first(self, event: Event) -> None:
        """Under open dice with two seats: event 1 is a bare handover, and due dice fall before anything else."""
        if not self.open_pair:
            return
        if event.seq == 1 and event.kind != "handover":
            raise Refused("E_BATCH", "under open dice event 1 is a bare handover, for its link")
        if event.kind != "resolve" and self.batch is not None and self.asks and isinstance(self.asks[0], Roll):
            raise Refused("E_BATCH", "dice come first", "resolve the batch of this period")

    def _check_in_play(self, seat: str) -> None:
        """The game goes on, with this seat in it (`E_RULE`)."""
        if self.rules is not None and not self.asks:
            raise Refused("E_RULE", "the game is over already")
        if seat not in self.in_game:
            raise Refused("E_RULE", f"{seat} has left already")

    def _batch_runs(self) -> bool:
        """Dice were asked for and are not all out: nobody may choose."""
        return self.batch is not None and (self.batch.seed is None or self.waits_for_chance())

    def _free_choice(self) -> None:
        """A free choice closes the batch; under `open` with two seats the period goes on whatever is chosen in it."""
        if not self.open_pair:
            self.batch = None

    # Dice -----------------------------------------------------------------------------------------------------

    def _chance(self, seq: int) -> None:
        """Let chance speak as long as it is asked first and its seed is known."""
        seed = self.batch.seed if self.batch is not None else None
        if seed is None or self.rules is None:
            return
        for _ in range(MAX_CHANCE):
            if not self.asks or not isinstance(self.asks[0], Roll):
                return
            self._step(seq, self._rolled(self.asks[0], seed))
        raise AssertionError(f"{self.engine.id} asks for chance without end")

    def _rolled(self, roll: Roll, seed: bytes) -> Rolled:
        dice.check_stem(roll.stem)
        self.labels[roll.stem] += 1
        label = dice.label(roll.stem, self.labels[roll.stem])
        values: tuple[Any, ...]
        if roll.dice:
            values = dice.roll(seed, label, roll.dice)
        elif roll.draw:
            values = dice.draw(seed, label, roll.draw, roll.pool)
        else:
            values = dice.shuffle(seed, label, roll.shuffle)
        return Rolled(label, roll, values)

    def _handover(self, event: Event, body: record.Handover) -> None:
        self._dice_first(event)
        if self.rules is not None:
            self._check_handover(event, body)
        elif body.count != self.since_handover + 1:
            raise Refused("E_OWED", f"count is {body.count}, events in the packet are {self.since_handover + 1}")
        if body.next is not None and self.solitaire and self.policy == "open":
            raise Refused("E_NEXT", "a solitaire game under open dice has one handover, when it is over")
        self._request(event, body)
        self.since_handover = 0
        self.handed[event.seat] = event.seq
        self.handed_at = body.at or 0
        if body.next is None:
            self.closed, self.holder = True, ""
        else:
            self.holder = body.next

    def _check_handover(self, event: Event, body: record.Handover) -> None:
        if not self.open_pair and self.batch is not None and self.batch.seed is None:
            raise Refused("E_BATCH", f"batch {self.batch.number} is not resolved yet")
        state = self.digest()
        if body.state != state:
            raise Refused("E_STATE", f"position digest {body.state[:16]}, here {state[:16]}")
        self._check_owed(body)
        self._check_next(event, body)

    def _check_owed(self, body: record.Handover) -> None:
        if body.count != self.since_handover + 1:
            raise Refused("E_OWED", f"count is {body.count}, events in the packet are {self.since_handover + 1}")
        owed = self.owed()
        if body.owed != owed:
            raise Refused("E_OWED", f"owed is {list(body.owed)}, the position owes {list(owed)}")
        wants_link = bool(self.asks) if self.open_pair else owed == ("dice",)
        if (body.link is not None) != wants_link or (body.batch is not None) != wants_link:
            raise Refused(
                "E_OWED", "batch and link must be there" if wants_link else "batch and link must not be there"
            )
        if body.beacon is not None:
            raise Refused("E_OWED", "a beacon round goes with the policy beacon only")

    def _check_next(self, event: Event, body: record.Handover) -> None:
        if not self.asks:
            if body.next is not None:
                raise Refused("E_NEXT", "nothing is owed, so nobody is next")
            return
        if body.next is None:
            raise Refused("E_NEXT", "somebody must be next: the game is not over")
        if self.open_pair:
            if body.next == event.seat:
                raise Refused("E_NEXT", "under open dice the baton goes to the other seat")
        elif body.owed == ("dice",):
            if body.next not in self.in_game:
                raise Refused("E_NEXT", f"{body.next} is not in the game")
            return
        first = self.asks[0]
        asked = first.seat if isinstance(first, Ask) else body.next
        if asked == event.seat:
            raise Refused("E_NEXT", f"{event.seat} is asked first and may not hand over")
        if body.next != asked:
            raise Refused("E_NEXT", f"{asked} is asked next, not {body.next}")

    def _request(self, event: Event, body: record.Handover) -> None:
        if (body.batch is None) != (body.link is None):
            raise Refused("E_OWED", "batch and link go together")
        if body.batch is None or body.link is None:
            if self.open_pair:
                self.batch = None
            return
        if body.batch != self.requested + 1:
            raise Refused("E_BATCH", f"the next batch is {self.requested + 1}, not {body.batch}")
        value = self.chains[event.seat].accept(body.batch, body.link)
        self.requested = body.batch
        contributors = self.contributors(event.seat)
        slip_keys = {name: self.slip_keys[name] for name in contributors}
        self.batch = Batch(body.batch, event.seat, event.id, contributors, {event.seat: value}, slip_keys)

    def _resolve(self, event: Event, body: record.Resolve) -> None:
        self._dice_first(event)
        if body.beacon is not None:
            raise Refused("E_OWED", "a beacon round goes with the policy beacon only")
        batch = self._alone(event, body) if self.solitaire and self.policy == "open" else self._asked_batch(body)
        if self.policy == "open":
            self._own_link(event, body, batch)
        else:
            self._slips(body, batch)
        batch.seed = dice.batch_seed(self._raw_game, batch.number, batch.links)
        self._chance(event.seq)

    def _alone(self, event: Event, body: record.Resolve) -> Batch:
        """Solitaire: the resolve is the request."""
        if self.rules is not None and not self.needs_request():
            raise Refused("E_BATCH", "no dice are due")
        if body.batch != self.requested + 1:
            raise Refused("E_BATCH", f"the next batch is {self.requested + 1}, not {body.batch}")
        self.requested = body.batch
        self.batch = Batch(body.batch, event.seat, event.id, (event.seat,), {}, {})
        return self.batch

    def _asked_batch(self, body: record.Resolve) -> Batch:
        batch = self.batch
        if batch is None or batch.seed is not None:
            raise Refused("E_BATCH", "no batch waits to be resolved")
        if body.batch != batch.number:
            raise Refused("E_BATCH", f"batch {batch.number} waits to be resolved, not {body.batch}")
        if self.open_pair and self.rules is not None and not (self.asks and isinstance(self.asks[0], Roll)):
            raise Refused("E_BATCH", "no dice are due")
        return batch

    def _own_link(self, event: Event, body: record.Resolve, batch: Batch) -> None:
        if body.link is None or body.slips is not None:
            raise Refused("E_OWED", "under open dice a resolve carries the writer's link and nothing else")
        batch.links[event.seat] = self.chains[event.seat].accept(batch.number, body.link)

    def _slips(self, body: record.Resolve, batch: Batch) -> None:
        if body.slips is None or body.link is not None:
            raise Refused("E_OWED", "under sealed dice a resolve carries slips and nothing else")
        given = [slip.seat for slip in body.slips]
        wanted = [name for name in batch.contributors if name != batch.requester]
        if len(set(given)) != len(given):
            raise Refused("E_SLIP", "two slips of one seat")
        if given != wanted:
            raise Refused("E_CONTRIB", f"slips of {', '.join(given) or 'nobody'}, due are those of {', '.join(wanted)}")
        for slip in body.slips:
            self.check_slip(batch, slip.seat, slip.link, bytes.fromhex(slip.sig))
            batch.links[slip.seat] = self.chains[slip.seat].accept(batch.number, slip.link)

    def check_slip(self, batch: Batch, seat: str, link: str, sig: bytes) -> None:
        """A slip's signature, by the key that was in force at the request (`E_SLIP`)."""
        doc = record.slip_doc(batch=batch.number, game=self.game.id, link=link, request=batch.request, seat=seat)
        try:
            keys.VerifyKey(batch.slip_keys[seat]).check(keys.SLIP, canon.encode(doc), sig)
        except Refused:
            raise Refused("E_SLIP", f"the slip of {seat} does not fit the request of batch {batch.number}") from None

    # The other core kinds -------------------------------------------------------------------------------------

    def _note(self, event: Event, body: record.NoteText) -> None:
        self._dice_first(event)
        self.tell(event.seq)(Note("core/note", {"seat": event.seat, "text": body.text}))

    def _resign(self, event: Event, body: record.Resign) -> None:
        self._check_leaving(event)
        self._leave(event.seq, event.seat)

    def _check_leaving(self, event: Event) -> None:
        """With three seats or more nobody leaves while dice are out: it could change them (`E_BATCH`)."""
        self._dice_first(event)
        if len(self.seats) > 2 and self._batch_runs():
            raise Refused("E_BATCH", "dice were asked for and are not all out", "resign when they are")

    def _leave(self, seq: int, seat: str) -> None:
        """A seat gives up: the rules say what that means."""
        self._check_in_play(seat)
        self._free_choice()
        self.in_game.remove(seat)
        self.tell(seq)(Note("core/resign", {"seat": seat}))
        if self.rules is not None:
            self._step(seq, Resigned(seat))
            self._chance(seq)

    def _agree(self, event: Event, body: record.Agree) -> None:
        if body.result not in ("draw", "none", *self.in_game):
            raise Refused("E_FIELDS", "field result: draw, none or a seat in the game")
        self.check_consents(event, body.consents)
        self._dice_first(event)
        if self.rules is not None and not self.asks:
            raise Refused("E_RULE", "the game is over already")
        self.batch = None
        self.agreed = body.result
        self.tell(event.seq)(Note("core/agree", {"result": body.result}))
        if self.rules is not None:
            self._look()

    def check_consents(self, event: Event, consents: Sequence[record.Consent]) -> None:
        """One consent of every other seat in the game, for this act at this place (`E_CONSENT`)."""
        wanted = sorted(seat for seat in self.in_game if seat != event.seat)
        if [consent.seat for consent in consents] != wanted:
            raise Refused("E_CONSENT", f"consents due: {', '.join(wanted) or 'none'}")
        for consent in consents:
            self.check_consent(
                consent.seat,
                bytes.fromhex(consent.sig),
                kind=event.kind,
                body=event.body,
                prev=event.prev,
                seq=event.seq,
            )

    def check_consent(self, seat: str, sig: bytes, *, kind: str, body: Mapping[str, Any], prev: str, seq: int) -> None:
        """One seat's consent to one act at one place (`E_CONSENT`)."""
        doc = record.consent_doc(game=self.game.id, seat=seat, of=kind, body=body, prev=prev, seq=seq)
        try:
            self.keys[seat].check(keys.STATEMENT, canon.encode(doc), sig)
        except Refused:
            raise Refused("E_CONSENT", f"the consent of {seat} is not for this act at this place") from None

    def _carry(self, event: Event, body: record.Carry) -> None:
        says = record.statement_of(body.said.statement)
        raw = canon.encode(body.said.statement)
        if body.consents is not None:
            raise Refused("E_CONSENT", "carrying a resignation needs no consents")
        self._check_leaving(event)
        if not isinstance(says, record.ResignStatement):
            raise Refused("E_SAID", f"a statement of kind {says.kind!r} cannot be carried")
        self.check_said(says, raw, bytes.fromhex(body.said.sig))
        if says.seat == event.seat or raw in self.carried:
            raise Refused("E_SAID", "carried already" if raw in self.carried else "the writer resigns by an event")
        self._leave(event.seq, says.seat)
        self.carried.add(raw)

    def check_said(self, says: record.Statement, raw: bytes, sig: bytes) -> None:
        """A statement by a seat of this game about the chain as its author knows it (`E_GAME`, `E_SIG`, `E_SAID`)."""
        if says.game != self.game.id:
            raise Refused("E_GAME")
        if says.seat not in self.last_of:
            raise Refused("E_SIG", f"no seat {says.seat} in this game")
        self.keys[says.seat].check(keys.STATEMENT, raw, sig)
        if isinstance(says, record.AboutStatement):
            about = 0 if says.about == self.game.id else self.ids.find(says.about)
            if about == 0 and says.about != self.game.id:
                raise Refused("E_SAID", "it speaks of an event that is not in the chain")
            if self.last_of[says.seat] > about:
                raise Refused("E_SAID", f"{says.seat} has written events since")

    def take_said(self, line: bytes, number: int = 0) -> None:
        """A `said` line of the file: a resignation or claim outside the chain."""
        signed = record.read_statement(line)
        if signed.says.kind not in record.SAID_LINES:
            raise Refused("E_LINE", f"a statement of kind {signed.says.kind!r} is no line of a game file")
        if signed.raw in self._said_before:
            raise Refused("E_LINE", "the same statement twice")
        self.check_said(signed.says, signed.raw, signed.sig)
        if isinstance(signed.says, record.ClaimStatement) and signed.says.debtor not in self.seats:
            raise Refused("E_SAID", f"no seat {signed.says.debtor} in this game")
        self._said_before.add(signed.raw)
        self.said.append(SaidLine(signed.says, signed.raw, number))

    def live_said(self) -> list[record.Statement]:
        """Statements about the present head: later events make them history."""
        return [
            one.says for one in self.said if isinstance(one.says, record.AboutStatement) and one.says.about == self.head
        ]


def _slip_key(game: charter.Game, seat: str) -> str:
    if seat == charter.WITNESS and game.charter.witness:
        return game.charter.witness.responder or game.charter.witness.key
    entry = game.entry(seat)
    return entry.responder or entry.key
