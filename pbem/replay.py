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

from pydantic import ValidationError

from pbem import beacon, canon, charter, dice, keys, kinds, record, sealed
from pbem.api import (
    Act,
    Ask,
    Commit,
    Disclose,
    Engine,
    Illegal,
    Known,
    Lapsed,
    Note,
    OpenSlots,
    Order,
    Ordered,
    Outcome,
    Owes,
    Roll,
    Rolled,
    Slot,
    Start,
    Step,
    silent,
)
from pbem.errors import Incomplete, Refused
from pbem.record import Event

MAX_CHANCE: Final = 10_000
"""Chance nodes one batch may reach; an engine that wants more has a loop."""

CORE_WORDS: Final[Mapping[str, str]] = {
    "core/note": "{seat} writes: {text}",
    "core/resign": "{seat} gives up",
    "core/agree": "all seats agree: {result}",
    "core/disclose": "{seat} discloses {name}: {count} slots never opened",
    "core/play_on": "the window {window} passes, {seat} plays on",
    "core/react": "{seat} reacts at event {at}; what came after it is void",
    "core/waive": "{seat} waives the window {window}",
    "core/ask_again": "{seat} wants to be asked at the window {window}",
    "core/undo": "by consent of all everything after event {to} is undone",
    "core/rekey": "{seat} has a new key",
    "core/transfer": "{seat} is played by a successor: {name}",
    "core/replace": "the vanished player of {seat} is replaced: {name}",
    "core/drop": "the vanished seat {seat} has left",
    "core/rechain": "{seat} has a new dice chain",
    "core/amend": "by consent of all changed: {what}",
    "core/heal": "by consent of all the game is healed: everything after event {to} is void",
}
"""Sentences for what the core tells, in the form of an engine's words."""

PLAYED: Final = frozenset({"handover", "resolve", *kinds.KINDS})
"""The core kinds that this release plays; the others are reserved by the format and refused as `E_KIND`."""

Listener = Callable[[int, Note], None]
"""Hears the story: the seq of the event and the note."""


@dataclass(slots=True)
class Batch:
    """Dice asked for: what the seed is made of. `seed` is None until it is resolved; `round` a beacon's, else 0."""

    number: int
    requester: str
    request: str
    contributors: tuple[str, ...]
    links: dict[str, bytes]
    slip_keys: dict[str, keys.VerifyKey]
    chains: dict[str, Chain]
    seq: int
    seed: bytes | None = None
    round: int = 0


@dataclass(frozen=True, slots=True)
class Obligation:
    """A fact accepted unproven: at which event, by whom, what is to be shown, and when."""

    seq: int
    seat: str
    fact: str
    due: str


@dataclass(frozen=True, slots=True)
class PrivateRoll:
    """Dice that one seat alone knows: the slot of the value that makes them, the seed of their batch, their event."""

    seat: str
    roll: Roll
    slot: Slot
    seed: bytes
    seq: int = 0


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
    """An engine with the set-up a charter names; `under` finds those of amended terms (`Incomplete` where missing)."""

    engine: Engine
    start: Start
    under: Callable[[Mapping[str, Any]], Ruleset] | None = None


def values_of(roll: Roll, seed: bytes, label: str) -> tuple[Any, ...]:
    """What chance says: faces, drawn items in order, or a permutation."""
    if roll.dice:
        return dice.roll(seed, label, roll.dice)
    if roll.draw:
        return dice.draw(seed, label, roll.draw, roll.pool)
    return dice.shuffle(seed, label, roll.shuffle)


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
    said: list[SaidLine] = field(default_factory=list)
    obligations: list[Obligation] = field(default_factory=list)
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
        self.last_of = dict.fromkeys(game.seats, 0)
        self.handed = dict.fromkeys(game.seats, 0)
        self.labels: Counter[str] = Counter()
        self._raw_game = bytes.fromhex(game.id)
        self.slots = sealed.Slots(self._raw_game)
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
        self._said_before: set[bytes] = set()
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
        return not self.agreed and bool(self.asks) and not self._auditing()

    def _auditing(self) -> bool:
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
            self._order(event)
        elif event.kind not in PLAYED:
            raise Refused("E_KIND", f"this release does not play {event.kind!r} events")
        else:
            body = record.parse(model, event.body)
            self._keep_boxes(event, body.boxes or ())
            acts: Mapping[str, Callable[[Any, Any], None]] = {"handover": self._handover, "resolve": self._resolve}
            if event.kind in acts:
                acts[event.kind](event, body)
            else:
                kinds.KINDS[event.kind](self, event, body)
        self._settle(event.seq)
        if event.kind != "handover":
            self.since_handover += 1

    def _keep_boxes(self, event: Event, boxes: Sequence[record.Box]) -> None:
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
        verdict = self.engine.refuse(self.state, event.seat, act, self.known if self.audit is None else self.audit)
        if isinstance(verdict, Illegal):
            raise Refused(code, verdict.why, verdict.hint, ids=verdict.ids)
        if isinstance(verdict, Owes):
            self.obligations.append(Obligation(event.seq, event.seat, verdict.fact, verdict.due))

    def enter(self, slot: Slot, content: Any, *, live: bool = True) -> None:
        """A slot's content became public; private dice made from it become public with it."""
        if live:
            self.slots.enter(slot, content)
        self.known[slot] = content
        for label, private in self.private.items():
            if private.slot == slot:
                self.known[label] = self.private_values(label, content)

    def private_values(self, label: str, value: str) -> tuple[Any, ...]:
        """The result of a private roll, from its value."""
        private = self.private[label]
        seed = dice.private_seed(self._raw_game, label, bytes.fromhex(value), private.seed)
        return values_of(private.roll, seed, label)

    # Checks that several kinds share ------------------------------------------------------------------------

    def dice_first(self, event: Event) -> None:
        """Under open dice with two seats: event 1 is a bare handover, and due dice fall before anything else.

        Behind an unanswered window they wait, and the packet ends.
        """
        if not self.open_pair:
            return
        if event.seq == 1 and event.kind != "handover":
            raise Refused("E_BATCH", "under open dice event 1 is a bare handover, for its link")
        first = self.asks[0] if self.asks else None
        due = isinstance(first, Roll) and self.batch is not None and not self.windows and not self._late(first)
        if event.kind not in ("resolve", "react") and due:
            raise Refused("E_BATCH", "dice come first", "resolve the batch of this period")

    def check_batch(self, event: Event) -> None:
        """Nobody chooses between the request of dice and the last roll they feed (`E_BATCH`)."""
        if not self.open_pair and self.batch_runs():
            raise Refused("E_BATCH", "dice were asked for and are not all out", "nothing can be chosen until they are")

    def check_nothing_due(self, event: Event) -> None:
        """What the core asks ahead of everything is done first (`E_DUE`)."""
        if not self.core_due:
            return
        first = self.core_due[0]
        commit = first.client
        if isinstance(commit, Commit) and (event.kind, event.seat) == ("seal", first.seat):
            wanted = (f"{first.seat}-{commit.name}", list(commit.replaces))
            if (event.body.get("name"), event.body.get("from")) == wanted:
                return
        what = f"seal {first.seat}-{commit.name} anew" if isinstance(commit, Commit) else "make a new dice chain"
        raise Refused("E_DUE", f"{first.seat} must {what} first, since an undo or another player came")

    def check_may_choose(self, event: Event) -> None:
        """A free choice is possible now: no dice under way, nothing due first."""
        self.check_batch(event)
        self.check_nothing_due(event)

    def pass_windows(self, seat: str) -> None:
        """The owner of windows begins his packet otherwise than by a reaction: they stay lapsed."""
        self.windows = [window for window in self.windows if window.seat != seat]

    def check_no_window(self) -> None:
        """Nothing is learned or ended behind an unanswered window (`E_WINDOW`)."""
        if self.windows:
            window = self.windows[0]
            raise Refused(
                "E_WINDOW",
                f"{window.seat} has not answered the window of event {window.seq} yet",
                "hand over first: `pbem send FILE`; this comes when it is answered",
            )

    def due_opening(self, seat: str) -> tuple[Slot, ...]:
        """The slots this seat must open now; empty when none are due."""
        first = self.asks[0] if self.asks else None
        if isinstance(first, Ask) and first.seat == seat and isinstance(first.client, OpenSlots):
            return first.client.slots
        return ()

    def check_in_play(self, seat: str) -> None:
        """The game goes on, with this seat in it (`E_RULE`)."""
        if self.rules is not None and not self.engine_waits():
            raise Refused("E_RULE", "the game is over already")
        if seat not in self.in_game:
            raise Refused("E_RULE", f"{seat} has left already")

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

    def audit_all(self) -> None:
        """After the last disclosure: every act judged again with everything known; nothing may stay owed.

        Raises `Refused(E_RULE)` at the event that was against the rules.
        """
        if self.audit is not None or not self.obligations:
            return
        self.obligations = self.replica(self.seq, dict(self.known)).obligations

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
        core = event.body.keys() & record.CORE_FIELDS
        if not core:
            self._plain_order(event, event.kind, event.body)
            return
        if "consents" in core:
            raise Refused("E_FIELDS", "field consents: not in an order")
        parts = record.parse(record.OrderParts, {name: event.body[name] for name in core})
        self._keep_boxes(event, parts.boxes or ())
        fields = {name: value for name, value in event.body.items() if name not in core}
        self._plain_order(event, event.kind, fields, parts.opens or (), parts.seals or ())

    def _plain_order(
        self,
        event: Event,
        kind: str,
        fields: Mapping[str, Any],
        opens: Sequence[record.Item] = (),
        seals: Sequence[record.Seal] = (),
    ) -> None:
        if self.rules is None:
            self.dice_first(event)
            self.free_choice()
            self.open_and_seal(event, opens, seals)
            return
        order = self.order_of(kind, fields)
        if opens:
            self.check_no_window()
        self.dice_first(event)
        self.check_may_choose(event)
        self.check_in_play(event.seat)
        self.obey(event, order, opens, seals)

    def obey(
        self,
        event: Event,
        order: Order,
        opens: Sequence[record.Item],
        seals: Sequence[record.Seal],
    ) -> None:
        """Openings and seals of an order, then the order: judged and applied."""
        first = self.asks[0] if self.asks else None
        if isinstance(first, Ask) and first.seat == event.seat and first.sealed == order.kind:
            raise Refused("E_RULE", f"{order.kind} is sealed here, not said in clear", ids=(first.clause,))
        self.open_and_seal(event, opens, seals)
        self.judge(event, order)
        self.free_choice()
        self.step(event.seq, Ordered(event.seat, order))

    def open_and_seal(self, event: Event, opens: Sequence[record.Item], seals: Sequence[record.Seal]) -> None:
        """What an order carries with it: openings first, then seals."""
        if opens:
            kinds.unseal(self, event, opens)
        for seal in seals:
            kinds.publish(self, event, seal)

    # Dice -----------------------------------------------------------------------------------------------------

    def _settle(self, seq: int) -> None:
        """Go on without anybody's choice: chance whose seed is known, windows that their owner waived."""
        if self.rules is None:
            return
        for _ in range(MAX_CHANCE):
            first = self.asks[0] if self.asks else None
            if isinstance(first, Roll):
                seed = self.batch.seed if self.batch is not None else None
                if seed is None or self._late(first):
                    return
                self.step(seq, self._rolled(seq, first, seed))
            elif first is not None and first.window and (first.seat, first.window) in self.waived:
                self.step(seq, Lapsed(first.seat, first))
            else:
                return
        raise AssertionError(f"{self.engine.id} goes on without end")

    def dice_late(self) -> bool:
        """Under open dice: the roll that comes first falls in the next period, and orders may be given before it."""
        return bool(self.asks) and isinstance(self.asks[0], Roll) and self._late(self.asks[0])

    def _late(self, roll: Roll) -> bool:
        """Under open dice: what is drawn from was sealed in this period, so the roll falls in the next one."""
        if not self.open_pair or not self.slots.names:
            return False
        begun = max(self.handed.values())
        slots = [item for item in roll.pool if "/" in item]
        if roll.audience:
            slots.append(self._private_slot(roll.audience))
        return any(self.slots.of(slot)[1].seq > begun for slot in slots)

    def _rolled(self, seq: int, roll: Roll, seed: bytes) -> Rolled:
        dice.check_stem(roll.stem)
        self.labels[roll.stem] += 1
        label = dice.label(roll.stem, self.labels[roll.stem])
        if roll.audience:
            slot = self._private_slot(roll.audience)
            self.private[label] = PrivateRoll(roll.audience, roll, slot, seed, seq)
            return Rolled(label, roll, None, slot)
        if roll.draw and self.slots.names and any("/" in item for item in roll.pool):
            self.draws.append((seq, roll.pool))
        return Rolled(label, roll, values_of(roll, seed, label))

    def _private_slot(self, seat: str) -> Slot:
        """The slot of a seat's next private roll: the first value that has made none yet."""
        used = {private.slot for private in self.private.values()}
        for sealing in self.slots.names.values():
            if sealing.what == "private" and sealing.seat == seat:
                gone = used | sealing.replaced()
                for slot, _, _ in sealing.slots():
                    if slot not in gone:
                        return slot
        raise Refused("E_RULE", f"{seat} has no sealed value left for a private roll")

    def _handover(self, event: Event, body: record.Handover) -> None:
        self.dice_first(event)
        if self.windows and body.batch is not None and not self.open_pair:
            self.check_no_window()
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
        if self._auditing():
            self.look()

    def _check_handover(self, event: Event, body: record.Handover) -> None:
        if not self.open_pair and self.batch is not None and self.batch.seed is None:
            raise Refused("E_BATCH", f"batch {self.batch.number} is not resolved yet")
        state = body.state if self.checked else self.digest()
        if body.state != state:
            raise Refused("E_STATE", f"position digest {body.state[:16]}, here {state[:16]}")
        self._check_owed(body)
        if self.windows:
            if body.next != self.windows[0].seat:
                raise Refused("E_NEXT", f"{self.windows[0].seat} must answer a window first")
            return
        self._check_next(event, body)

    def _check_owed(self, body: record.Handover) -> None:
        if body.count != self.since_handover + 1:
            raise Refused("E_OWED", f"count is {body.count}, events in the packet are {self.since_handover + 1}")
        owed = self.owed()
        if body.owed != owed:
            raise Refused("E_OWED", f"owed is {list(body.owed)}, the position owes {list(owed)}")
        wants = bool(self.asks) if self.open_pair else owed == ("dice",)
        what, given = ("beacon round", body.beacon) if self.policy == beacon.NAME else ("link", body.link)
        if (given is not None) != wants or (body.batch is not None) != wants:
            raise Refused("E_OWED", f"batch and {what} must {'' if wants else 'not '}be there")

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
        by_beacon = self.policy == beacon.NAME
        if (body.link if by_beacon else body.beacon) is not None:
            raise Refused("E_OWED", "links and beacon rounds go with their own dice policy")
        if (body.batch is None) != (body.link is None and body.beacon is None):
            raise Refused("E_OWED", "batch and link, or batch and beacon round, go together")
        if body.batch is None:
            if self.open_pair:
                self.batch = None
            return
        if body.batch != self.requested + 1:
            raise Refused("E_BATCH", f"the next batch is {self.requested + 1}, not {body.batch}")
        if body.beacon is not None:
            self._name_round(event, body.batch, body.beacon, body.at)
        elif body.link is not None:
            self._ask_slips(event, body.batch, body.link)

    def _name_round(self, event: Event, number: int, named: record.Beacon, at: int | None) -> None:
        """A batch that waits for a beacon: its round is new, and future by all that the log can tell."""
        pinned = self.game.charter.dice.beacon
        if pinned is None or named.chain != pinned.chain:
            raise Refused("E_BEACON", f"the charter does not name beacon chain {named.chain[:16]}")
        if named.round in self.rounds_named:
            raise Refused("E_BEACON", f"round {named.round} was named before")
        if named.round <= self.latest_round:
            raise Refused("E_BEACON", f"round {named.round} was public already: round {self.latest_round} stands here")
        if at is None or beacon.network(named.chain).time(named.round) <= at:
            when = "no time is given" if at is None else f"its writer's clock showed {at}"
            raise Refused("E_BEACON", f"round {named.round} was not in the future: {when}")
        self.rounds_named |= {named.round}
        self.rounds_by_event = (*self.rounds_by_event, (event.seq, named.round))
        self.requested = number
        self.batch = Batch(number, event.seat, event.id, (), {}, {}, {}, event.seq, round=named.round)

    def _ask_slips(self, event: Event, number: int, link: str) -> None:
        value = self.chains[event.seat].accept(number, link)
        self.requested = number
        contributors = self.contributors(event.seat)
        slip_keys = {name: self.slip_keys[name] for name in contributors}
        links = {event.seat: value}
        self.batch = Batch(number, event.seat, event.id, contributors, links, slip_keys, dict(self.chains), event.seq)

    def _resolve(self, event: Event, body: record.Resolve) -> None:
        self.check_no_window()
        self.dice_first(event)
        batch = self._alone(event, body) if self.solitaire and self.policy == "open" else self._asked_batch(body)
        if self.policy == beacon.NAME:
            batch.seed = self._by_round(body, batch)
            return
        if self.policy == "open":
            self._own_link(event, body, batch)
        else:
            self._slips(body, batch)
        batch.seed = dice.batch_seed(self._raw_game, batch.number, batch.links)

    def _by_round(self, body: record.Resolve, batch: Batch) -> bytes:
        """The seed of a batch from the round that its request named, and no other."""
        pinned = self.game.charter.dice.beacon
        if body.beacon is None or body.link is not None or body.slips is not None or pinned is None:
            raise Refused("E_OWED", "under beacon dice a resolve carries the round that was named and nothing else")
        if body.beacon.round != batch.round:
            raise Refused("E_BEACON", f"round {batch.round} was named for batch {batch.number}")
        value = self._round(pinned.chain, body.beacon)
        return beacon.seed(self._raw_game, batch.number, pinned.chain, batch.round, value)

    def _round(self, chain: str, given: record.BeaconRound) -> bytes:
        """The value of a round, checked where this machine can; else it is counted, and no verdict is good."""
        net, evidence = beacon.network(chain), bytes.fromhex(given.sig)
        value = beacon.signature(net, evidence)
        if beacon.available() and not self.checked:
            beacon.check(net, given.round, evidence)
        elif not beacon.available():
            self.rounds_unchecked += 1
        self.latest_round = max(self.latest_round, given.round)
        return value

    def _start(self, body: record.Resolve) -> None:
        """A registered solitaire game: the first `resolve` brings the value of the round that the charter names."""
        start = self.game.charter.dice.start
        if start is None or self.start_value is not None:
            if body.beacon is not None:
                raise Refused("E_OWED", "a beacon round stands in the first resolve of a registered game only")
            return
        if body.beacon is None:
            raise Refused("E_OWED", f"the first resolve brings round {start.round}, which the charter names")
        if body.beacon.round != start.round:
            raise Refused("E_BEACON", f"the charter names round {start.round}")
        self.start_value = self._round(start.chain, body.beacon)

    def _alone(self, event: Event, body: record.Resolve) -> Batch:
        """Solitaire: the resolve is the request."""
        if self.rules is not None and not self.needs_request():
            raise Refused("E_BATCH", "no dice are due")
        if body.batch != self.requested + 1:
            raise Refused("E_BATCH", f"the next batch is {self.requested + 1}, not {body.batch}")
        self.requested = body.batch
        self.batch = Batch(body.batch, event.seat, event.id, (event.seat,), {}, {}, dict(self.chains), event.seq)
        return self.batch

    def _asked_batch(self, body: record.Resolve) -> Batch:
        batch = self.batch
        if batch is None or batch.seed is not None:
            raise Refused("E_BATCH", "no batch waits to be resolved")
        if body.batch != batch.number:
            raise Refused("E_BATCH", f"batch {batch.number} waits to be resolved, not {body.batch}")
        first = self.asks[0] if self.asks else None
        if self.open_pair and self.rules is not None:
            if not isinstance(first, Roll):
                raise Refused("E_BATCH", "no dice are due")
            if self._late(first):
                raise Refused("E_LATECOMMIT", "what is drawn from was sealed in this period", "hand over first")
        return batch

    def _own_link(self, event: Event, body: record.Resolve, batch: Batch) -> None:
        if body.link is None or body.slips is not None:
            raise Refused("E_OWED", "under open dice a resolve carries the writer's link and nothing else")
        self._start(body)
        if self.start_value is not None:
            batch.links[beacon.NAME] = self.start_value
        batch.links[event.seat] = batch.chains[event.seat].accept(batch.number, body.link)

    def _slips(self, body: record.Resolve, batch: Batch) -> None:
        if body.slips is None or body.link is not None or body.beacon is not None:
            raise Refused("E_OWED", "under sealed dice a resolve carries slips and nothing else")
        given = [slip.seat for slip in body.slips]
        wanted = [name for name in batch.contributors if name != batch.requester]
        if len(set(given)) != len(given):
            raise Refused("E_SLIP", "two slips of one seat")
        if given != wanted:
            raise Refused("E_CONTRIB", f"slips of {', '.join(given) or 'nobody'}, due are those of {', '.join(wanted)}")
        for slip in body.slips:
            self.check_slip(batch, slip.seat, slip.link, bytes.fromhex(slip.sig))
            batch.links[slip.seat] = batch.chains[slip.seat].accept(batch.number, slip.link)

    def check_slip(self, batch: Batch, seat: str, link: str, sig: bytes) -> None:
        """A slip's signature, by the key that was in force at the request (`E_SLIP`)."""
        if self.checked:
            return
        doc = record.slip_doc(batch=batch.number, game=self.game.id, link=link, request=batch.request, seat=seat)
        try:
            batch.slip_keys[seat].check(keys.SLIP, canon.encode(doc), sig)
        except Refused:
            raise Refused("E_SLIP", f"the slip of {seat} does not fit the request of batch {batch.number}") from None

    # Consents and statements ------------------------------------------------------------------------------------

    def check_consents(
        self, event: Event, consents: Sequence[record.Consent], *, without: str = "", witness: bool = False
    ) -> None:
        """One consent of every other seat in the game, for this act at this place (`E_CONSENT`).

        `without` is the seat that cannot consent, having vanished or signed a statement; `witness`: his too, if any.
        """
        if self.rehearsal:
            return
        wanted = [seat for seat in self.in_game if seat not in (event.seat, without)]
        if witness and charter.WITNESS in self.keys:
            wanted.append(charter.WITNESS)
        wanted.sort()
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
        if self.checked:
            return
        doc = record.consent_doc(game=self.game.id, seat=seat, of=kind, body=body, prev=prev, seq=seq)
        try:
            self.keys[seat].check(keys.STATEMENT, canon.encode(doc), sig)
        except Refused:
            raise Refused("E_CONSENT", f"the consent of {seat} is not for this act at this place") from None

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
        if isinstance(signed.says, record.ClaimStatement) and signed.says.debtor not in self.keys:
            raise Refused("E_SAID", f"no seat {signed.says.debtor} in this game")
        self._said_before.add(signed.raw)
        self.said.append(SaidLine(signed.says, signed.raw, number))

    def live_said(self) -> list[record.Statement]:
        """Statements about the present head: later events make them history."""
        return [
            one.says for one in self.said if isinstance(one.says, record.AboutStatement) and one.says.about == self.head
        ]
