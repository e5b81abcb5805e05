"""The fold of a log: every line checked in order, dice derived, every move judged by the rules (FORMAT.md, checks).

`Fold` is the pure core: it holds what the protocol must remember and the engine's state, and `take`s one event at a
time. `verify` runs a whole file through it and says a verdict. Nothing here writes, and nothing is cached between runs.
"""

from __future__ import annotations

import copy
import hashlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, Final

from pbem import auditing, beacon, canon, chance, charter, dice, keys, kinds, orders, record, saying, sealed
from pbem.api import (
    Act,
    Ask,
    Disclose,
    Engine,
    Illegal,
    Known,
    Note,
    OpenSlots,
    Outcome,
    Owes,
    Roll,
    Slot,
    Start,
    Step,
    silent,
)
from pbem.auditing import Asked, Obligation, Questions
from pbem.chance import Batch, Chain, PrivateRoll
from pbem.errors import Incomplete, Refused
from pbem.record import Event

PLAYED: Final = frozenset(kinds.KINDS)
"""The core kinds that this release plays; the others are reserved by the format and refused as `E_KIND`."""

Listener = Callable[[int, Note], None]
"""Hears the story: the seq of the event and the note."""


Past = Callable[[int], Iterable[Event]]
"""Gives the events 1 to k of the game once more, for what must be folded again."""


@dataclass(slots=True)
class Earlier:
    """What an undo brings back: the rules' state and what goes with it, as they were after an event.

    `alive` are the epochs that were not void: an undo to an event that is void itself brings its seals to life again.
    """

    state: Any
    agreed: str
    windows: list[kinds.Window]
    open_now: set[Slot]
    alive: set[tuple[str, int]]
    core_due: list[Ask]
    labels: Counter[str]
    obligations: list[Obligation]


@dataclass(frozen=True, slots=True)
class Ruleset:
    """An engine with the set-up a charter names; `under` finds those of amended terms (`Incomplete` where missing)."""

    engine: Engine
    start: Start
    under: Callable[[Mapping[str, Any]], Ruleset] | None = None


Sections = dict[str, tuple[tuple[str, ...], bytes]]
"""The sections of the position before, each with its digest: most say the same again."""


def state_digest(position: Mapping[str, Sequence[str]], before: Sections | None = None) -> str:
    """The digest of a position: named sections of sorted lines (FORMAT.md, state)."""
    parts: list[str | bytes] = []
    before = {} if before is None else before
    for name in sorted(position):
        lines = tuple(position[name])
        if name not in before or before[name][0] != lines:
            before[name] = lines, hashlib.sha256("\n".join(lines).encode()).digest()
        parts += (name, before[name][1])
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
    `audit` is what everybody knows after the last disclosure: with it every act is judged once more.
    A `rehearsal` tries an act before the consents to it are in: it is never the fold of a file.
    """

    game: charter.Game
    rules: Ruleset | None = None
    listener: Listener | None = None
    past: Past | None = None
    audit: Known | None = None
    healed: tuple[tuple[int, int], ...] = ()
    checked: bool = False
    rehearsal: bool = False

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
    said: list[saying.SaidLine] = field(default_factory=list)
    obligations: list[Obligation] = field(default_factory=list)
    questions: Questions = field(default_factory=Questions)
    windows: list[kinds.Window] = field(default_factory=list)
    waived: set[tuple[str, str]] = field(default_factory=set)
    core_due: list[Ask] = field(default_factory=list)
    private: dict[str, PrivateRoll] = field(default_factory=dict)
    draws: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    barrier: int = 0
    went_back: list[tuple[int, int]] = field(default_factory=list)
    kept: dict[int, Earlier] | None = None
    carried: set[bytes] = field(default_factory=set)
    start_value: bytes | None = None
    rounds_named: frozenset[int] = frozenset()
    rounds_by_event: tuple[tuple[int, int], ...] = ()
    latest_round: int = 0
    rounds_unchecked: int = 0

    def __post_init__(self) -> None:
        game = self.game
        self.head = game.id
        self.seats = game.seats
        self.in_game = list(game.seats)
        self.policy = game.charter.dice.policy
        self.solitaire = len(game.seats) == 1
        self.open_pair = self.policy == "open" and not self.solitaire
        self.keys = {seat: keys.VerifyKey(bytes.fromhex(game.key_of(seat))) for seat in game.sealers()}
        self.slip_keys = {seat: keys.VerifyKey(bytes.fromhex(game.slip_key(seat))) for seat in game.sealers()}
        self.chains = {
            seat: Chain(check) for seat in game.sealers() if (check := charter.chain_of(game, seat)) is not None
        }
        self.ids = Ids()
        self.sections: Sections = {}
        self.last_of = dict.fromkeys(game.seats, 0)
        self.handed = dict.fromkeys(game.seats, 0)
        self.labels: Counter[str] = Counter()
        self.raw_game = bytes.fromhex(game.id)
        self.slots = sealed.Slots(self.raw_game)
        self.known: dict[Slot, Any] = {}
        self.boxes: list[tuple[str, str, str]] = []
        self.frozen: Ruleset | None = None
        self.first_rules = self.rules
        self.unjudged: Incomplete | None = None
        self.lost_ids: set[str] = set()
        self.dropped: set[str] = set()
        self.on_their_word: tuple[str, ...] = ()
        self.era = dict.fromkeys(game.seats, 0)
        self.chain_no = dict.fromkeys(game.sealers(), 1)
        self.players = {entry.seat: entry.name or entry.seat for entry in game.charter.seats}
        self.box_keys = {entry.seat: entry.box for entry in game.charter.seats}
        self.used_keys = {key.raw.hex() for key in (*self.keys.values(), *self.slip_keys.values())}
        self.used_anchors = {chain.check.value.hex() for chain in self.chains.values()}
        self.key_changes = 0
        whole = canon.decode(game.raw)
        self.terms = {name: whole[name] for name in ("rules", "data", "tables", "options", "clock") if name in whole}
        self.said_before: set[bytes] = set()
        if self.rules is not None:
            self.state = self.rules.engine.setup(self.rules.start)
            self.look()
            self.holder = self._first_holder()

    # What is asked --------------------------------------------------------------------------------------------

    @property
    def engine(self) -> Engine:
        if self.rules is None:
            raise AssertionError("this fold has no rules")
        return self.rules.engine

    def look(self) -> None:
        """Ask what the position waits for: the core's own due seals first, the engine's asks, at the end the audit."""
        if self.rules is None:
            return
        asks = () if self.agreed else tuple(self.engine.pending(self.state))
        self.asks = (*self.core_due, *(asks or self._disclosures()))

    def _disclosures(self) -> tuple[Ask, ...]:
        """The names that must be disclosed, the holder's first, then in charter order."""
        if not self.slots.names:
            return ()
        seats = sorted(self.seats, key=lambda seat: seat != self.holder)
        return tuple(
            Ask(seat, "disclose", "", client=Disclose(name))
            for seat in seats
            if seat not in self.dropped
            for name in self.slots.closed(seat)
        )

    def engine_waits(self) -> bool:
        """The rules still ask something: the game is not over."""
        return not self.agreed and bool(self.asks) and not self.auditing()

    def auditing(self) -> bool:
        first = self.asks[0] if self.asks else None
        return isinstance(first, Ask) and isinstance(first.client, Disclose)

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

    def dice_late(self) -> bool:
        """Under open dice: the roll that comes first falls in the next period, and orders may be given before it."""
        return bool(self.asks) and isinstance(self.asks[0], Roll) and chance.late(self, self.asks[0])

    def outcome(self) -> Outcome | None:
        """The result, by agreement or by the rules; None while the game goes on."""
        if self.agreed:
            words = {"draw": "a draw by agreement", "none": "ended without a result by agreement"}
            winner = "" if self.agreed in words else self.agreed
            return Outcome(winner, words.get(self.agreed, f"{self.agreed} wins by agreement"))
        return None if self.rules is None else self.engine.outcome(self.state)

    def digest(self) -> str:
        """The state digest that a handover written now carries."""
        return state_digest(self.engine.position(self.state), self.sections)

    def owed(self) -> tuple[str, ...]:
        """What the receiver of a handover written now owes: `react`, `dice`, `ask`, or nothing."""
        if self.windows:
            return ("react",)
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
        if self.policy == beacon.NAME:
            return ()
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
            self._freeze(event.seq)
            self._place(event)
            self._act(event)
        except Refused as error:
            if error.event is None:
                error.event = event.seq
            raise
        self.seq, self.head = event.seq, event.id
        self.ids.add(event.id, self.seats.index(event.seat))
        self.last_of[event.seat] = event.seq
        if self.kept is not None and event.seq in self.kept:
            self.kept[event.seq] = self.now()
        return True

    def _again(self, event: Event) -> None:
        if self.ids.id(event.seq) == event.id:
            return
        if self.seats[self.ids.seat(event.seq)] == event.seat:
            given_up = "a heal gave that event up, by consent of all: the letter is history"
            hint = given_up if event.id in self.lost_ids else ""
            raise Refused("E_FORK", f"{event.seat} signed two different events {event.seq}", hint)
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
        if event.seat != self.holder and not self._stands_in(event):
            raise Refused("E_BATON", f"{self.holder} holds the baton, not {event.seat}")

    def _stands_in(self, event: Event) -> bool:
        """Whether this is the one event that the first other seat writes for a holder who has vanished."""
        first = next((seat for seat in self.in_game if seat != self.holder), "")
        names_holder = event.kind in ("replace", "drop") and event.body.get("seat") == self.holder
        return names_holder and event.seat == first

    def _freeze(self, seq: int) -> None:
        """Events between the place a heal goes back to and the heal are not judged by the rules."""
        inside = any(to < seq < at for to, at in self.healed)
        if inside and self.rules is not None:
            self.frozen, self.rules = self.rules, None
        elif not inside and self.frozen is not None:
            self.rules, self.frozen = self.frozen, None
            self.look()

    def set_back(self, to: int) -> None:
        """What a heal restores."""
        kinds.set_back(self, to, healing=True)

    def new_chain(self, seat: str, number: int, check: dice.ChainCheck) -> None:
        """A seat's next dice chain; an open batch keeps the one it was asked with."""
        self.chain_no = {**self.chain_no, seat: number}
        self.chains = {**self.chains, seat: Chain(check, self.requested)}

    def _act(self, event: Event) -> None:
        if not self.since_handover and event.kind != "react":
            self.pass_windows(event.seat)
        model = record.BODIES.get(event.kind)
        if model is None:
            orders.order(self, event)
        elif event.kind not in PLAYED:
            raise Refused("E_KIND", f"this release does not play {event.kind!r} events")
        else:
            body = record.parse(model, event.body)
            self.keep_boxes(event, body.boxes or ())
            kinds.KINDS[event.kind](self, event, body)
        chance.settle(self, event.seq)
        if event.kind != "handover":
            self.since_handover += 1

    def keep_boxes(self, event: Event, boxes: Sequence[record.Box]) -> None:
        """Sealed boxes of an event, for whom they are meant."""
        for box in boxes:
            if box.to not in self.seats or box.to == event.seat:
                raise Refused("E_FIELDS", f"field boxes: {box.to} is no other seat of this game")
            self.boxes.append((event.seat, box.to, box.data))

    def tell(self, seq: int) -> Callable[[Note], None]:
        listener = self.listener
        if listener is None:
            return silent
        return lambda note: listener(seq, note)

    def step(self, seq: int, step: Step) -> None:
        """Let the rules take one step."""
        if self.rules is None:
            return
        self.engine.apply(self.state, step, self.tell(seq))
        self.look()

    def judge(self, event: Event, act: Act, code: str = "E_RULE") -> None:
        """Ask the rules whether the writer may do this, by what everybody knows; the unproven is an obligation."""
        known = Asked(self.known if self.audit is None else self.audit)
        verdict = self.engine.refuse(self.state, event.seat, act, known)
        if isinstance(verdict, Illegal):
            raise auditing.refused(code, verdict, event.seq)
        if known.lacked and not self.checked:
            self.questions.add(self, event.seq, event.seat, act, code)
        if isinstance(verdict, Owes):
            self.obligations.append(Obligation(event.seq, event.seat, verdict.fact, verdict.due))

    def enter(self, slot: Slot, content: Any, *, live: bool = True) -> None:
        """A slot's content became public; private dice made from it become public with it."""
        if live:
            self.slots.enter(slot, content)
        self.known[slot] = content
        for label, private in self.private.items():
            if private.slot == slot:
                self.known[label] = chance.private_values(self, label, content)

    def pass_windows(self, seat: str) -> None:
        """The owner of windows begins his packet otherwise than by a reaction: they stay lapsed."""
        self.windows = [window for window in self.windows if window.seat != seat]

    def due_opening(self, seat: str) -> tuple[Slot, ...]:
        """The slots this seat must open now; empty when none are due."""
        first = self.asks[0] if self.asks else None
        if isinstance(first, Ask) and first.seat == seat and isinstance(first.client, OpenSlots):
            return first.client.slots
        return ()

    def batch_runs(self) -> bool:
        """Dice were asked for and are not all out: nobody may choose."""
        return self.batch is not None and (self.batch.seed is None or self.waits_for_chance())

    def free_choice(self) -> None:
        """A free choice closes the batch; under `open` with two seats the period goes on whatever is chosen in it."""
        if not self.open_pair:
            self.batch = None

    # Folding again ------------------------------------------------------------------------------------------

    def fork(self, listener: Listener | None = None) -> Fold:
        """A copy to try things on; this fold stays as it is."""
        other = copy.copy(self)
        other.listener = listener
        other.state = copy.deepcopy(self.state)
        other.batch = copy.deepcopy(self.batch)
        other.slots = copy.deepcopy(self.slots)
        other.chains = copy.deepcopy(self.chains)
        other.ids = copy.deepcopy(self.ids)
        other.questions = self.questions.copied()
        for name in ("last_of", "handed", "labels", "known", "private", "carried", "waived"):
            setattr(other, name, copy.copy(getattr(self, name)))
        for name in ("used_keys", "used_anchors", "lost_ids", "dropped"):
            setattr(other, name, set(getattr(self, name)))
        for name in ("in_game", "said", "obligations", "windows", "core_due", "draws", "boxes", "went_back"):
            setattr(other, name, list(getattr(self, name)))
        return other

    def replica(self, to: int, audit: Known | None = None) -> Fold:
        """The game folded again up to an event; with `audit`, judged by what everybody knows now.

        What the first pass checked of the same bytes, signatures of slips and consents and position digests, stands.
        """
        if self.past is None:
            raise AssertionError("this fold was not given its past")
        again = Fold(self.game, self.first_rules, past=self.past, audit=audit, healed=self.healed, checked=True)
        again.keep({place for seq, place in self.went_back if seq <= to})
        for event in self.past(to):
            again.take(event)
        if to and again.head != self.ids.id(to):
            raise Refused("E_PREV", "the file has changed while it was read", "read it again")
        return again

    def keep(self, places: Set[int]) -> None:
        """Remember the positions after these events, 0 for the beginning: a later undo goes back to them."""
        self.kept = dict.fromkeys(places, self.now())  # each is written anew when the fold comes to it

    def now(self) -> Earlier:
        """What an undo to the present event brings back."""
        kept = Earlier(
            self.state,
            self.agreed,
            self.windows,
            self.slots.open_now,
            self.slots.alive(),
            self.core_due,
            self.labels,
            self.obligations,
        )
        return copy.deepcopy(kept)

    def earlier(self, to: int) -> Earlier:
        """The same of an earlier event. A game folded again has kept it: else each undo would double the work."""
        return copy.deepcopy(self.kept[to]) if self.kept is not None else self.replica(to).now()
