"""A fork proof: two events, or two slips, that one seat's key signed where it may sign one, for a stranger to check.

It holds the charter with its seals, the key changes in between, and the two lines; no game knowledge is needed.

    PBEM-FORK 1
    charter {...}
    seal {...}            one of every seat
    pbem1 ...             key changes up to the place, in order
    fork pbem1 ...        the two lines, or `fork slip ...`
    fork pbem1 ...
    sum <SHA-256 of all bytes before>
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from pbem import canon, changes, charter, keys, record
from pbem.errors import Refused
from pbem.record import Event

MAGIC: Final = b"PBEM-FORK 1\n"
SUFFIX: Final = ".fork"
MAX_BYTES: Final = 4 * 1024 * 1024
KEY_CHANGES: Final = ("rekey", "transfer", "replace", "carry")


@dataclass(frozen=True, slots=True)
class Fork:
    """What a proof shows: which seat signed two different events, and where."""

    game: str
    seat: str
    seq: int
    ids: tuple[str, str]
    batch: int = 0
    events: tuple[Event, ...] = field(default=(), repr=False)

    def line(self) -> str:
        """The proof in one line."""
        if not self.events:
            ids = f"{self.ids[0][:16]} and {self.ids[1][:16]}"
            return f"FORK by {self.seat}: two slips of dice batch {self.batch} under one key, for the requests {ids}"
        what = f"two requests of dice batch {self.batch}" if self.batch else f"two different events {self.seq}"
        return f"FORK by {self.seat}: {what} under one key, {self.ids[0][:16]} and {self.ids[1][:16]}"


def conflict(a: Event, b: Event) -> bool:
    """Whether two events of one game prove a fork: one seat, and one number or one dice batch, but two ids."""
    if a.id == b.id or a.seat != b.seat or a.game != b.game:
        return False
    batch = a.body.get("batch")
    both_request = a.kind == b.kind == "handover" and isinstance(batch, int) and batch == b.body.get("batch")
    return a.seq == b.seq or both_request


def twice_released(a: record.Signed[record.Slip], b: record.Signed[record.Slip]) -> bool:
    """Whether two slips prove that a seat released one batch twice: to two requests, or two links."""
    one, two = a.says, b.says
    return a.raw != b.raw and (one.game, one.seat, one.batch) == (two.game, two.seat, two.batch)


def write(game: charter.Game, seals: Sequence[bytes], changes_before: Iterable[bytes], a: bytes, b: bytes) -> bytes:
    """The proof file of two conflicting event lines. Refuses what `read` would refuse."""
    body = MAGIC + game.line() + b"".join(seals) + b"".join(changes_before) + b"fork " + a + b"fork " + b
    data = body + b"sum " + hashlib.sha256(body).hexdigest().encode() + b"\n"
    read(data)
    return data


@dataclass(slots=True)
class _Keys:
    """The keys in force, followed through key changes."""

    game: charter.Game
    now: dict[str, keys.VerifyKey] = field(default_factory=dict)
    slips: dict[str, keys.VerifyKey] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.now = {seat: keys.VerifyKey(bytes.fromhex(self.game.key_of(seat))) for seat in self.game.seats}
        self.slips = {seat: keys.VerifyKey(bytes.fromhex(self.game.slip_key(seat))) for seat in self.game.sealers()}
        self.used = {key.raw.hex() for key in self.now.values()}

    def check(self, event: Event) -> None:
        """An event of this game, signed by the key its seat has now."""
        if event.game != self.game.id:
            raise Refused("E_GAME", event=event.seq)
        if event.seat not in self.now:
            raise Refused("E_SIG", f"no seat {event.seat} in this game", event=event.seq)
        self.now[event.seat].check(keys.EVENT, event.raw, event.sig)

    def follow(self, event: Event) -> None:
        """Take one key change: signed, consented by every seat that had to, the new key proved."""
        self.check(event)
        seat, new, proof, without = self._change(event)
        responder = event.body.get("responder")
        self._consents(event, {event.seat, without})
        keys.admit(bytes.fromhex(new))
        if new in self.used:
            raise Refused("E_REKEY", "a key that some seat had before", event=event.seq)
        doc = changes.proof_doc(game=self.game.id, seat=seat, old=self.now[seat].raw.hex(), new=new)
        try:
            keys.VerifyKey(bytes.fromhex(new)).check(keys.REKEY, doc, bytes.fromhex(proof))
        except Refused:
            raise Refused("E_REKEY", "the new key does not sign for this seat", event=event.seq) from None
        self.used.add(new)
        own = self.slips[seat].raw == self.now[seat].raw
        self.now[seat] = keys.VerifyKey(bytes.fromhex(new))
        if isinstance(responder, str):
            keys.admit(bytes.fromhex(responder))
            self.slips[seat] = keys.VerifyKey(bytes.fromhex(responder))
        elif own or event.kind in ("transfer", "replace"):
            self.slips[seat] = self.now[seat]

    def check_slip(self, slip: record.Signed[record.Slip]) -> None:
        """A slip of this game, signed by the key that releases for its seat now."""
        if slip.says.game != self.game.id:
            raise Refused("E_GAME")
        if slip.says.seat not in self.slips:
            raise Refused("E_SLIP", f"{slip.says.seat} releases no dice in this game")
        self.slips[slip.says.seat].check(keys.SLIP, slip.raw, slip.sig)

    def _change(self, event: Event) -> tuple[str, str, str, str]:
        """Seat, new key, its proof, and the seat that does not consent."""
        if event.kind == "rekey":
            body = record.parse(record.Rekey, event.body)
            return event.seat, body.new, body.proof, ""
        if event.kind in ("transfer", "replace"):
            model = record.Transfer if event.kind == "transfer" else record.Replace
            taken = record.parse(model, event.body)
            return taken.seat, taken.key, taken.proof, taken.seat if event.kind == "replace" else ""
        if event.kind == "carry":
            said = record.parse(record.Carry, event.body).said
            says = record.statement_of(said.statement)
            if isinstance(says, record.RekeyStatement) and says.seat in self.now:
                self.now[says.seat].check(keys.STATEMENT, canon.encode(said.statement), bytes.fromhex(said.sig))
                return says.seat, says.new, says.proof, says.seat
        raise Refused("E_KIND", f"{event.kind} changes no key", event=event.seq)

    def _consents(self, event: Event, without: set[str]) -> None:
        consents = [record.parse(record.Consent, one) for one in event.body.get("consents", ())]
        if not set(self.game.seats) - without <= {one.seat for one in consents}:
            raise Refused("E_CONSENT", "a seat did not consent to the key change", event=event.seq)
        for one in consents:
            if one.seat not in self.now:
                continue
            doc = record.consent_doc(
                game=self.game.id, seat=one.seat, of=event.kind, body=event.body, prev=event.prev, seq=event.seq
            )
            try:
                self.now[one.seat].check(keys.STATEMENT, canon.encode(doc), bytes.fromhex(one.sig))
            except Refused:
                what = f"the consent of {one.seat} is for something else"
                raise Refused("E_CONSENT", what, event=event.seq) from None


def read(data: bytes) -> Fork:
    """Check a proof file. Refuses everything that proves nothing: one line twice, another seat, an unsealed charter."""
    lines = _lines(data)
    game = charter.read_charter(lines[0])
    due = list(game.sealers())
    rest = lines[1:]
    while due:
        if not rest or charter.read_seal(rest[0], game) != due[0]:
            raise Refused("E_UNSEALED", f"the seal of {due[0]} is missing", event=0)
        due.pop(0)
        rest = rest[1:]
    *between, first, second = rest
    now = _Keys(game)
    for line in between:
        now.follow(record.read_event(line))
    if first.startswith(b"fork slip ") and second.startswith(b"fork slip "):
        return _two_slips(now, *(record.read_slip(line.removeprefix(b"fork ")) for line in (first, second)))
    a, b = (record.read_event(line.removeprefix(b"fork ")) for line in (first, second))
    now.check(a)
    now.check(b)
    if not conflict(a, b):
        hint = "one seat, one number or dice batch, two different events"
        raise Refused("E_FORK", "the two lines prove no fork", hint)
    batch = a.body.get("batch", 0) if a.seq != b.seq else 0
    return Fork(game.id, a.seat, a.seq, (a.id, b.id), batch, (a, b))


def _two_slips(now: _Keys, a: record.Signed[record.Slip], b: record.Signed[record.Slip]) -> Fork:
    now.check_slip(a)
    now.check_slip(b)
    if not twice_released(a, b):
        raise Refused("E_FORK", "the two slips prove nothing", "one seat, one dice batch, two different slips")
    return Fork(a.says.game, a.says.seat, 0, (a.says.request, b.says.request), a.says.batch)


def of_files(game: charter.Game, seals: Sequence[bytes], common: Iterable[bytes], a: bytes, b: bytes) -> bytes:
    """The proof from two files that part: key changes are picked from the lines they have in common."""
    picked = [line for line in common if _changes_key(line)]
    return write(game, seals, picked, a, b)


def _changes_key(line: bytes) -> bool:
    if not line.startswith(b"pbem1 ") or not any(f'"kind":"{kind}"'.encode() in line for kind in KEY_CHANGES):
        return False
    event = record.read_event(line)
    said = event.body.get("said")
    resigned = isinstance(said, dict) and said.get("statement", {}).get("kind") != "rekey"
    return event.kind in KEY_CHANGES and not (event.kind == "carry" and resigned)


def _lines(data: bytes) -> list[bytes]:
    """The lines between the magic and the sum; the last two are the fork's."""
    if len(data) > MAX_BYTES or not data.startswith(MAGIC):
        raise Refused("E_PACKET", "this is no fork proof", "it starts with `PBEM-FORK 1`")
    body, _, last = data.rstrip(b"\n").rpartition(b"\n")
    body += b"\n"
    if last != b"sum " + hashlib.sha256(body).hexdigest().encode():
        raise Refused("E_PACKET", "the checksum does not fit: the proof was damaged on its way")
    lines = body.splitlines(keepends=True)[1:]
    if len(lines) < 4 or not all(line.startswith(b"fork ") for line in lines[-2:]):
        raise Refused("E_PACKET", "the proof lacks its two lines")
    return lines
