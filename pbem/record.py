"""What stands in a line: events, statements, slips, receipts, and the bodies of the core kinds (FORMAT.md).

A line is `word <signature, 128 hex> <canonical JSON>` and one LF. The bytes as stored are what is signed and hashed.
Everything here is pure: no files, no game.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from pbem import canon, keys
from pbem.api import Many
from pbem.errors import Refused

SEAT_FORM: Final = r"[a-z][a-z0-9_]{0,15}"
_SEAT = re.compile(SEAT_FORM + r"\Z")
_HEX64 = re.compile(r"[0-9a-f]{64}\Z")
_SIG = re.compile(rb"[0-9a-f]{128}\Z")

Hash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Sig = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{128}$")]
SeatId = Annotated[str, StringConstraints(pattern=f"^{SEAT_FORM}$")]
Seconds = Annotated[int, Field(ge=0, le=canon.MAX_INT)]
Positive = Annotated[int, Field(ge=1, le=canon.MAX_INT)]
Natural = Annotated[int, Field(ge=0, le=canon.MAX_INT)]
HexData = Annotated[str, StringConstraints(pattern=r"^([0-9a-f]{2})+$")]
_STRICT = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)  # most are never met in one run


class Strict(BaseModel):
    """A part of a signed document: every field typed, none unknown, nothing converted."""

    model_config = _STRICT


M = TypeVar("M", bound=Strict)
S_co = TypeVar("S_co", bound=Strict, covariant=True)


def parse(model: type[M], doc: Mapping[str, Any]) -> M:
    """The document as a model; a field missing, unknown or of another type is `E_FIELDS`, named."""
    try:
        return model.model_validate(doc)
    except ValidationError as error:
        raise Refused("E_FIELDS", explain(error)) from None


def explain(error: ValidationError) -> str:
    """The first fault pydantic met, in words, without the input."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"][:4]) or "document"
    return f"field {place}: {first['msg'].lower()}"


# Bodies of the core kinds ----------------------------------------------------------------------------------------


class Box(Strict):
    """A sealed box to another seat's X25519 key, kept so that it can be audited."""

    data: HexData
    to: SeatId


class Body(Strict):
    """The body of an event of a core kind. `boxes` may stand in every kind.

    What may be absent is never written as an empty list: one meaning has one spelling.
    """

    boxes: Annotated[Many[Box], Field(min_length=1)] | None = None


class Consent(Strict):
    """Another seat's signature under one act at one place."""

    seat: SeatId
    sig: Sig


class Beacon(Strict):
    """A named future round of a public beacon."""

    chain: Hash
    round: Positive


class BeaconRound(Strict):
    """The published signature of a round."""

    round: Positive
    sig: HexData


class SlipItem(Strict):
    """A released link inside a `resolve`, with the signature of its slip."""

    link: Hash
    seat: SeatId
    sig: Sig


class Item(Strict):
    """An opening: the slot and its preimage. A slot alone takes the default the charter offers."""

    slot: str
    content: str | dict[str, Any] | None = None
    salt: Hash | None = None


class Handover(Body):
    """Passes the baton and closes a packet."""

    count: Positive
    state: Hash
    owed: Many[Literal["react", "dice", "ask"]]
    next: SeatId | None = None
    batch: Positive | None = None
    link: Hash | None = None
    beacon: Beacon | None = None
    at: Seconds | None = None


class Resolve(Body):
    """The evidence for the seed of a batch: slips, the writer's own link, or a beacon round."""

    batch: Positive
    slips: Many[SlipItem] | None = None
    link: Hash | None = None
    beacon: BeaconRound | None = None


class Seal(Body):
    """Publishes slots 0, 1, ... of an epoch, or one secret choice."""

    what: Literal["choice", "deck", "purse", "private"]
    name: str
    hashes: Many[Hash]
    epoch: Positive | None = None
    replaces: Annotated[Many[str], Field(min_length=1)] | None = Field(default=None, alias="from")


class Open(Body):
    """Opens slots."""

    items: Many[Item]


class Disclose(Body):
    """Audit of one name: the secret and the contents of the slots never opened."""

    name: str
    secret: Hash
    contents: Many[str]


class NoteText(Body):
    """Free text."""

    text: Annotated[str, StringConstraints(min_length=1, max_length=4000)]


class PlayOn(Body):
    """Lets a window lapse."""


class OrderParts(Body):
    """What the core may find beside the fields of an order: openings before it, seals with it."""

    opens: Annotated[Many[Item], Field(min_length=1)] | None = None
    seals: Annotated[Many[Seal], Field(min_length=1)] | None = None


class React(Body):
    """A reaction to an earlier `play_on`."""

    at: Positive
    order: str
    fields: dict[str, Any]
    opens: Annotated[Many[Item], Field(min_length=1)] | None = None
    seals: Annotated[Many[Seal], Field(min_length=1)] | None = None


class Waive(Body):
    """Lets a kind of window lapse by itself, or not."""

    window: str
    on: bool


class Said(Strict):
    """A statement with its signature."""

    sig: Sig
    statement: dict[str, Any]


class Carry(Body):
    """Takes another seat's statement into the chain."""

    said: Said
    consents: Many[Consent] | None = None


class Resign(Body):
    """The writer gives up."""


class Agree(Body):
    """Ends the game by consent: `draw`, `none` or the winning seat."""

    result: SeatId
    consents: Many[Consent]


class Undo(Body):
    """Sets the engine state back to that after an event."""

    to: Natural
    consents: Many[Consent]


class Heal(Body):
    """Repairs a fork or divergence."""

    to: Natural
    burn: Natural
    lost: Many[Hash]
    consents: Many[Consent]


class Amend(Body):
    """Changes the charter."""

    old: dict[str, Any]
    new: dict[str, Any]
    consents: Many[Consent]


class Rekey(Body):
    """The writer's next key."""

    new: Hash
    proof: Sig
    responder: Hash | None = None
    consents: Many[Consent]


class Transfer(Body):
    """A successor takes a seat."""

    seat: SeatId
    key: Hash
    proof: Sig
    name: str | None = None
    responder: Hash | None = None
    box: Hash | None = None
    consents: Many[Consent]


class Replace(Transfer):
    """A vanished player's seat is taken."""

    anchor: Hash
    links: Positive
    lost: Many[str]


class Rechain(Body):
    """The writer's next dice chain."""

    anchor: Hash
    links: Positive
    consents: Many[Consent] | None = None


class Drop(Body):
    """A vanished seat leaves."""

    seat: SeatId
    consents: Many[Consent]


BODIES: Final[Mapping[str, type[Body]]] = {
    "handover": Handover,
    "resolve": Resolve,
    "seal": Seal,
    "open": Open,
    "disclose": Disclose,
    "note": NoteText,
    "play_on": PlayOn,
    "react": React,
    "waive": Waive,
    "carry": Carry,
    "resign": Resign,
    "agree": Agree,
    "undo": Undo,
    "heal": Heal,
    "amend": Amend,
    "rekey": Rekey,
    "transfer": Transfer,
    "replace": Replace,
    "rechain": Rechain,
    "drop": Drop,
}
CORE_KINDS: Final = frozenset(BODIES)
CORE_FIELDS: Final = frozenset({"opens", "seals", "boxes", "consents"})
"""Fields of event bodies that belong to the core: no order may have one of that name."""


# Events ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Event:
    """One signed event. `raw` are its canonical bytes, `sig` the signature's 64 bytes, `id` the event id in hex."""

    raw: bytes
    sig: bytes
    id: str
    game: str
    seq: int
    prev: str
    seat: str
    kind: str
    body: dict[str, Any]

    def line(self) -> bytes:
        """The event as it stands in a file."""
        return b"pbem1 " + self.sig.hex().encode() + b" " + self.raw + b"\n"


_ENVELOPE = {"v", "game", "seq", "prev", "seat", "kind", "body"}
_KIND = re.compile(r"[a-z][a-z0-9_]{0,31}\Z")
_ID_TAG = b"pbem/v1/event\0"


def event_id(raw: bytes) -> str:
    """The id of an event's canonical bytes, in hex; the signature is not part of it."""
    return hashlib.sha256(_ID_TAG + raw).hexdigest()


def split_line(word: bytes, line: bytes) -> tuple[bytes, bytes]:
    """Signature and JSON bytes of a line `word <sig> <json>` LF. Anything else is `E_LINE`."""
    start = len(word) + 1
    end = start + 128
    if line[:start] != word + b" " or not line.endswith(b"\n") or line[end : end + 1] != b" ":
        raise Refused("E_LINE")
    sig = line[start:end]
    raw = line[end + 1 : -1]
    if not _SIG.match(sig):
        raise Refused("E_LINE")
    return bytes.fromhex(sig.decode()), braced(raw)


def bare_line(word: bytes, line: bytes) -> bytes:
    """JSON bytes of a line `word <json>` LF. Anything else is `E_LINE`."""
    if not line.startswith(word + b" ") or not line.endswith(b"\n"):
        raise Refused("E_LINE")
    return braced(line[len(word) + 1 : -1])


def braced(raw: bytes) -> bytes:
    """The same bytes, if they begin and end as an object does (`E_LINE`)."""
    if raw[:1] == b"{" and raw[-1:] == b"}":
        return raw
    if raw.endswith(b"\r"):
        hint = "the file has Windows line ends: a mail or editor converted it; take the attachment as it came"
        raise Refused("E_LINE", hint=hint)
    raise Refused("E_LINE")


def read_event(line: bytes) -> Event:
    """The event of a line, checked for form only (`E_LINE`, the codes of `canon.decode`, `E_FIELDS`)."""
    sig, raw = split_line(b"pbem1", line)
    return event_of(canon.decode(raw), raw, sig)


def read_again(line: bytes) -> Event:
    """The event of a line whose form was checked before; only for folding the same file once more."""
    sig, raw = split_line(b"pbem1", line)
    return event_of(json.loads(raw), raw, sig)


def event_of(doc: dict[str, Any], raw: bytes, sig: bytes) -> Event:
    """The event of a decoded document: exactly the envelope's fields (`E_FIELDS`)."""
    if doc.keys() != _ENVELOPE:
        odd = sorted(doc.keys() ^ _ENVELOPE)[0]
        raise Refused("E_FIELDS", f"field {odd} of the envelope is missing or unknown")
    seq, seat, kind, body = doc["seq"], doc["seat"], doc["kind"], doc["body"]
    version = doc["v"]
    if type(version) is not int or version != 1:
        raise Refused("E_FIELDS", "field v: not 1")
    if type(seq) is not int or seq < 1:
        raise Refused("E_FIELDS", "field seq: not a positive integer")
    for name in ("game", "prev"):
        if not isinstance(doc[name], str) or not _HEX64.match(doc[name]):
            raise Refused("E_FIELDS", f"field {name}: not 64 hex digits")
    if not isinstance(seat, str) or not _SEAT.match(seat):
        raise Refused("E_FIELDS", "field seat: not a seat name")
    if not isinstance(kind, str) or not _KIND.match(kind):
        raise Refused("E_FIELDS", "field kind: not a kind")
    if not isinstance(body, dict):
        raise Refused("E_FIELDS", "field body: not an object")
    return Event(raw, sig, event_id(raw), doc["game"], seq, doc["prev"], seat, kind, body)


def write_event(
    key: keys.SigningKey, *, game: str, seq: int, prev: str, seat: str, kind: str, body: Mapping[str, Any]
) -> Event:
    """Sign one event."""
    doc = {"body": dict(body), "game": game, "kind": kind, "prev": prev, "seat": seat, "seq": seq, "v": 1}
    raw = canon.encode(doc)
    return event_of(doc, raw, key.sign(keys.EVENT, raw))


# Statements ------------------------------------------------------------------------------------------------------


class Statement(Strict):
    """What a seat says without the baton. `about` is the last event it knows (before event 1 the game id)."""

    game: Hash
    kind: str
    seat: SeatId
    v: Literal[1]


class AboutStatement(Statement):
    about: Hash


class ConsentStatement(Statement):
    """Agreement to one act at one place; goes into the `consents` of the event it fits."""

    kind: Literal["consent"]
    act: Hash
    of: str
    prev: Hash
    seq: Positive


class AskUndo(AboutStatement):
    """Asks for an `undo`."""

    kind: Literal["ask_undo"]
    to: Natural
    seq: Positive


class Offer(AboutStatement):
    """Asks for an `agree`."""

    kind: Literal["offer"]
    result: SeatId
    seq: Positive


class AskHead(AboutStatement):
    """Wants a receipt."""

    kind: Literal["ask_head"]
    nonce: Hash


class ResignStatement(AboutStatement):
    """Gives up without the baton."""

    kind: Literal["resign"]


class ClaimStatement(AboutStatement):
    """Says that a debtor has let the game rest for so many days."""

    kind: Literal["claim"]
    debtor: SeatId
    owes: Positive
    days: Natural


class RekeyStatement(AboutStatement):
    """Announces the next key of a seat."""

    kind: Literal["rekey"]
    old: Hash
    new: Hash
    proof: Sig


STATEMENTS: Final[Mapping[str, type[Statement]]] = {
    "consent": ConsentStatement,
    "ask_undo": AskUndo,
    "offer": Offer,
    "ask_head": AskHead,
    "resign": ResignStatement,
    "claim": ClaimStatement,
    "rekey": RekeyStatement,
}
SAID_LINES: Final = frozenset({"resign", "claim"})
"""Kinds of statement that may stand as a line of their own in a game file."""


@dataclass(frozen=True, slots=True)
class Signed(Generic[S_co]):
    """A detached signed document with its bytes."""

    word: str
    raw: bytes
    sig: bytes
    says: S_co

    def line(self) -> bytes:
        return self.word.encode() + b" " + self.sig.hex().encode() + b" " + self.raw + b"\n"


def statement_of(doc: Mapping[str, Any]) -> Statement:
    """The statement of a decoded document (`E_FIELDS`)."""
    model = STATEMENTS.get(doc.get("kind", "") if isinstance(doc.get("kind"), str) else "")
    if model is None:
        raise Refused("E_FIELDS", "field kind: no statement of that kind exists")
    return parse(model, doc)


def read_statement(line: bytes) -> Signed[Statement]:
    """A `said` line, checked for form only."""
    sig, raw = split_line(b"said", line)
    return Signed("said", raw, sig, statement_of(canon.decode(raw)))


def write_statement(key: keys.SigningKey, doc: Mapping[str, Any]) -> Signed[Statement]:
    """Sign a statement."""
    says = statement_of(doc)
    raw = canon.encode(dict(doc))
    return Signed("said", raw, key.sign(keys.STATEMENT, raw), says)


def act_hash(body: Mapping[str, Any]) -> str:
    """What a consent agrees to: SHA-256 of the canonical body without its consents."""
    return hashlib.sha256(canon.encode({k: v for k, v in body.items() if k != "consents"})).hexdigest()


def consent_doc(*, game: str, seat: str, of: str, body: Mapping[str, Any], prev: str, seq: int) -> canon.Doc:
    """The statement by which `seat` consents to an event of kind `of` with that body at that place."""
    act = act_hash(body)
    return {"act": act, "game": game, "kind": "consent", "of": of, "prev": prev, "seat": seat, "seq": seq, "v": 1}


# Slips and receipts ----------------------------------------------------------------------------------------------


class Slip(Strict):
    """The release of one link, for one request."""

    batch: Positive
    game: Hash
    link: Hash
    request: Hash
    seat: SeatId


class SlipAsked(Strict):
    """The last batch for which the writer of a receipt holds the asker's slip."""

    batch: Positive
    request: Hash


class Receipt(Strict):
    """A dated acknowledgement of a head."""

    at: Seconds
    game: Hash
    head: Hash
    seat: SeatId
    seq: Natural
    nonce: Hash | None = None
    slip: SlipAsked | None = None


def slip_doc(*, batch: int, game: str, link: str, request: str, seat: str) -> canon.Doc:
    return {"batch": batch, "game": game, "link": link, "request": request, "seat": seat}


def read_slip(line: bytes) -> Signed[Slip]:
    """A `slip` line, checked for form only."""
    sig, raw = split_line(b"slip", line)
    return Signed("slip", raw, sig, parse(Slip, canon.decode(raw)))


def write_slip(key: keys.SigningKey, doc: canon.Doc) -> Signed[Slip]:
    """Sign a slip."""
    raw = canon.encode(doc)
    return Signed("slip", raw, key.sign(keys.SLIP, raw), parse(Slip, doc))


def read_receipt(line: bytes) -> Signed[Receipt]:
    """A `receipt` line, checked for form only."""
    sig, raw = split_line(b"receipt", line)
    return Signed("receipt", raw, sig, parse(Receipt, canon.decode(raw)))
