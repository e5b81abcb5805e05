"""The charter: what all seats agreed to before the first move, and how they came to agree (FORMAT.md, charter).

draft (proposer) + entries (joiners) = charter; every seat seals it; its hash is the game id.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import Field, StringConstraints

from pbem import beacon, canon, dice, keys
from pbem.api import Many
from pbem.errors import Refused
from pbem.record import Hash, Positive, SeatId, Sig, Strict, bare_line, parse, split_line

MIN_LINKS: Final = 64
MAX_LINKS: Final = 65536
DEFAULT_LINKS: Final = 4096
NOT_SEATS: Final = frozenset({"witness", "beacon", "draw", "none"})
"""Words that mean something else where a seat may stand: dice contributors, results of an agreed end."""
WITNESS: Final = "witness"
Policy = Literal["sealed", "open", "beacon"]

MAX_NAME: Final = 80
Name = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME)]
Identifier = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]


class Rules(Strict):
    """The rules played: engine id, edition in decimal, digest of the rulings in force."""

    id: Identifier
    version: Annotated[str, StringConstraints(pattern=r"^[0-9][0-9.]{0,15}$")]
    digest: Hash


class Entry(Strict):
    """What one player brings: key, chain anchor and length, a nonce; name, responder key and box key if wanted."""

    seat: SeatId
    key: Hash
    anchor: Hash
    links: Positive
    nonce: Hash
    name: Name | None = None
    responder: Hash | None = None
    box: Hash | None = None


class Witness(Strict):
    """A third person whose chain is a contributor and who may cosign heads."""

    key: Hash
    nonce: Hash
    anchor: Hash | None = None
    links: Positive | None = None
    name: Name | None = None
    responder: Hash | None = None


class BeaconKey(Strict):
    """An accepted beacon chain."""

    chain: Hash
    key: str


class BeaconStart(Strict):
    """The round that starts a registered solitaire game."""

    chain: Hash
    round: Positive


class Dice(Strict):
    """How chance is made."""

    policy: str
    contributors: Literal["all_others", "teams"]
    expand: Literal["hmac-sha256-64"]
    beacon: BeaconKey | None = None
    start: BeaconStart | None = None


class Clock(Strict):
    """Days for an answer, reminders before a claim. Words between players: no verdict depends on it."""

    days: Annotated[int, Field(ge=1, le=3650)]
    reminders: Annotated[int, Field(ge=0, le=100)]


class Charter(Strict):
    """The agreement. `raw` bytes are what is hashed and sealed, see `Game`."""

    v: Literal[1]
    kind: Literal["charter"]
    setup: Hash
    rules: Rules
    data: Hash
    scenario: Identifier
    options: dict[str, str]
    seats: Annotated[Many[Entry], Field(min_length=1, max_length=6)]
    dice: Dice
    tables: Many[Annotated[Many[str], Field(min_length=2, max_length=2)]] | None = None
    witness: Witness | None = None
    clock: Clock | None = None
    teams: Many[Annotated[Many[SeatId], Field(min_length=1)]] | None = None
    previous: Hash | None = None


class SealLine(Strict):
    """A `seal` line: one seat's signature under the charter."""

    seat: SeatId
    sig: Sig


@dataclass(frozen=True, slots=True)
class Game:
    """A checked charter with its bytes and id."""

    raw: bytes
    id: str
    charter: Charter

    @property
    def seats(self) -> tuple[str, ...]:
        """Seat names in charter order."""
        return tuple(entry.seat for entry in self.charter.seats)

    def entry(self, seat: str) -> Entry:
        return next(entry for entry in self.charter.seats if entry.seat == seat)

    def sealers(self) -> tuple[str, ...]:
        """Who seals, in the order of the seal lines: the seats, then the witness."""
        return self.seats + ((WITNESS,) if self.charter.witness else ())

    def key_of(self, seat: str) -> str:
        """The key a seat (or the witness) was admitted with."""
        if seat == WITNESS and self.charter.witness:
            return self.charter.witness.key
        return self.entry(seat).key

    def slip_key(self, seat: str) -> str:
        """The key that signs the slips of a seat (or the witness) at first: its responder's, else its own."""
        entry = self.charter.witness if seat == WITNESS else self.entry(seat)
        return entry.responder or entry.key if entry is not None else ""

    def line(self) -> bytes:
        return b"charter " + self.raw + b"\n"


def game_id(raw: bytes) -> str:
    """SHA-256 of the tagged canonical charter, in hex."""
    return hashlib.sha256(b"pbem/v1/charter\0" + raw).hexdigest()


def read_charter(line: bytes) -> Game:
    """The charter of a `charter` line, with every check that needs no rules engine (FORMAT.md, charter checks)."""
    if not line.startswith(b"charter "):
        raise Refused("E_LINE", "the first line is not a charter", "a game file starts with `charter {...}`", event=0)
    try:
        return make_game(canon.decode(bare_line(b"charter", line)))
    except Refused as error:
        error.event = 0
        raise


def make_game(doc: Mapping[str, Any]) -> Game:
    """A charter document as a checked game."""
    charter = parse(Charter, doc)
    check(charter)
    raw = canon.encode(dict(doc))
    return Game(raw, game_id(raw), charter)


def check(charter: Charter) -> None:
    """Every rule of a charter that needs no engine: seats, keys, anchors, links, teams, policy."""
    seats = [entry.seat for entry in charter.seats]
    if len(set(seats)) != len(seats) or NOT_SEATS & set(seats):
        raise Refused("E_CHARTER", "seat names must differ, and none may be witness, beacon, draw or none")
    _check_keys(charter)
    _check_chains(charter)
    if charter.teams is not None and sorted(seat for team in charter.teams for seat in team) != sorted(seats):
        raise Refused("E_CHARTER", "every seat must stand in exactly one team")
    _check_policy(charter)


def _check_keys(charter: Charter) -> None:
    holders: list[Entry | Witness] = [*charter.seats, *([charter.witness] if charter.witness else [])]
    public = [key for one in holders for key in (one.key, one.responder) if key is not None]
    for key in public:
        keys.admit(bytes.fromhex(key))
    if len(set(public)) != len(public):
        raise Refused("E_SAMEKEY", hint="every seat needs a key of its own, also when one person plays them all")


def _check_chains(charter: Charter) -> None:
    holders: list[Entry | Witness] = [*charter.seats, *([charter.witness] if charter.witness else [])]
    anchors = [one.anchor for one in holders if one.anchor is not None]
    if len(set(anchors)) != len(anchors):
        raise Refused("E_SAMEANCHOR")
    for one in holders:
        if (one.anchor is None) != (one.links is None):
            raise Refused("E_CHARTER", "a witness gives both an anchor and a number of links, or neither")
        if one.links is not None and not MIN_LINKS <= one.links <= MAX_LINKS:
            raise Refused("E_CHARTER", f"links must be between {MIN_LINKS} and {MAX_LINKS}")


def _check_policy(charter: Charter) -> None:
    policy, seats = charter.dice.policy, len(charter.seats)
    by_teams = charter.dice.contributors == "teams"
    if by_teams and charter.teams is None:
        raise Refused("E_CHARTER", "contributors are teams, and no teams are named")
    _check_beacon(charter)
    chained_witness = charter.witness is not None and charter.witness.anchor is not None
    if policy == "sealed":
        if (len(charter.teams or ()) if by_teams else seats) + chained_witness < 2:
            raise Refused("E_POLICY", "sealed dice need two contributors", "play `open`, or name a witness")
    elif policy == "open":
        if seats > 2:
            raise Refused(
                "E_POLICY", "open dice are for one or two seats", "play `sealed`, with responders if you like"
            )
    elif policy != "beacon":
        raise Refused("E_POLICY", f"no dice policy {policy!r}", "policies are sealed, open and beacon")


def _check_beacon(charter: Charter) -> None:
    """A chain this release knows, with its key, where rounds make dice or start a registered solitaire game."""
    made, named, start = charter.dice.policy == "beacon", charter.dice.beacon, charter.dice.start
    if (made or start is not None) != (named is not None):
        raise Refused("E_POLICY", "a beacon chain with its key goes with beacon dice and with a start round")
    if made and charter.dice.contributors == "teams":
        raise Refused("E_POLICY", "under beacon dice no team contributes")
    if start is not None and (made or charter.dice.policy != "open" or len(charter.seats) > 1):
        raise Refused("E_POLICY", "a start round is for a solitaire game under open dice")
    if named is not None and beacon.network(named.chain).key != named.key:
        raise Refused("E_BEACON", f"that is not the key of beacon chain {named.chain[:16]}")
    if start is not None and named is not None and start.chain != named.chain:
        raise Refused("E_BEACON", "the start round is of another chain than the one whose key is named")


def seal(key: keys.SigningKey, game: Game, seat: str) -> bytes:
    """A seat's `seal` line."""
    sig = key.sign(keys.CHARTER, game.raw).hex()
    return b"seal " + canon.encode({"seat": seat, "sig": sig}) + b"\n"


def read_seal(line: bytes, game: Game) -> str:
    """The seat of a valid `seal` line (`E_LINE`, `E_SIG`)."""
    try:
        says = parse(SealLine, canon.decode(bare_line(b"seal", line)))
        if says.seat not in game.sealers():
            raise Refused("E_CHARTER", f"{says.seat} is no seat of this game")
        keys.VerifyKey(bytes.fromhex(game.key_of(says.seat))).check(keys.CHARTER, game.raw, bytes.fromhex(says.sig))
    except Refused as error:
        error.event = 0
        raise
    return says.seat


# Draft and entries -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Draft:
    """A proposal: the charter with the proposer's own entry and the bare seats of the others."""

    raw: bytes
    doc: canon.Doc

    @property
    def id(self) -> str:
        """The hash of the draft, which entries name."""
        return canon.H("pbem/v1/draft", self.raw).hex()

    def line(self) -> bytes:
        return b"draft " + self.raw + b"\n"

    def open_seats(self) -> tuple[str, ...]:
        """Seats that still wait for an entry; the witness last."""
        seats = tuple(seat["seat"] for seat in self.doc["seats"] if set(seat) == {"seat"})
        return seats + ((WITNESS,) if self.doc.get("witness") == {} else ())


class EntryAnswer(Strict):
    """An `entry` line: what a joiner brings, for one draft."""

    draft: Hash
    entry: dict[str, Any]
    v: Literal[1]


def make_draft(doc: Mapping[str, Any]) -> Draft:
    """A draft document, checked as far as it goes (`E_FIELDS`, `E_CHARTER`, `E_POLICY`, `E_WEAKKEY`)."""
    try:
        if doc.get("kind") != "draft" or not isinstance(doc.get("seats"), list):
            raise Refused("E_FIELDS", "not a draft")
        for seat in doc["seats"]:
            if not isinstance(seat, dict) or not isinstance(seat.get("seat"), str):
                raise Refused("E_FIELDS", "field seats: not a list of seats")
        check(parse(Charter, _filled(doc)))
    except Refused as error:
        error.event = 0
        raise
    return Draft(canon.encode(dict(doc)), dict(doc))


def rehearsed(draft: Draft) -> Game:
    """A draft as the charter it could become, with throw-away entries: for looking only, never sealed."""
    return make_game(_filled(draft.doc))


def _filled(doc: Mapping[str, Any]) -> canon.Doc:
    """A draft with its empty places filled by throw-away entries: what is refused then is the draft's own fault."""
    trial = dict(doc, kind="charter")
    trial["seats"] = [
        _stand_in(seat, number) if set(seat) == {"seat"} else seat for number, seat in enumerate(doc["seats"])
    ]
    if trial.get("witness") == {}:
        trial["witness"] = _stand_in({}, len(doc["seats"]))
    return trial


def _stand_in(seat: Mapping[str, Any], number: int) -> canon.Doc:
    fresh = canon.H("pbem/v1/stand-in", number)
    key = keys.SigningKey.from_seed(fresh).public.hex()
    return {**seat, "key": key, "anchor": fresh.hex(), "links": MIN_LINKS, "nonce": fresh.hex()}


def read_draft(line: bytes) -> Draft:
    """The draft of a `draft` line."""
    return make_draft(canon.decode(bare_line(b"draft", line)))


def write_entry(key: keys.SigningKey, draft: Draft, entry: Mapping[str, Any]) -> bytes:
    """A joiner's `entry` line, signed by the key it brings."""
    raw = canon.encode({"draft": draft.id, "entry": dict(entry), "v": 1})
    return b"entry " + key.sign(keys.ENTRY, raw).hex().encode() + b" " + raw + b"\n"


def read_entry(line: bytes, draft: Draft) -> canon.Doc:
    """The entry of an `entry` line: for this draft (`E_DRAFT`), an open seat, signed by its own admissible key."""
    sig, raw = split_line(b"entry", line)
    says = parse(EntryAnswer, canon.decode(raw))
    if says.draft != draft.id:
        raise Refused("E_DRAFT", "the entry answers another draft", event=0)
    entry = says.entry
    if "seat" in entry:
        key = parse(Entry, entry).key
        if entry["seat"] not in draft.open_seats() or entry["seat"] == WITNESS:
            raise Refused("E_DRAFT", f"seat {entry['seat']} is not open in this draft", event=0)
    else:
        key = parse(Witness, entry).key
        if WITNESS not in draft.open_seats():
            raise Refused("E_DRAFT", "this draft asks for no witness", event=0)
    keys.admit(bytes.fromhex(key))
    keys.VerifyKey(bytes.fromhex(key)).check(keys.ENTRY, raw, sig)
    return entry


def merge(draft: Draft, entries: Sequence[Mapping[str, Any]]) -> Game:
    """Draft plus entries: the only charter a client seals."""
    brought = {entry.get("seat", WITNESS): dict(entry) for entry in entries}
    doc = dict(draft.doc, kind="charter")
    doc["seats"] = [brought.get(seat["seat"], seat) if set(seat) == {"seat"} else seat for seat in draft.doc["seats"]]
    if draft.doc.get("witness") == {}:
        doc["witness"] = brought.get(WITNESS, {})
    return make_game(doc)


def same_agreement(game: Game, draft: Draft) -> None:
    """Refuse a charter that is not the draft plus entries (`E_DRAFT`), naming the field that differs."""
    want, have = draft.doc, canon.decode(game.raw)
    for name in sorted((want.keys() | have.keys()) - {"kind", "seats", "witness"}):
        if want.get(name) != have.get(name):
            shown = f"{name}: draft {_short(want.get(name))}, charter {_short(have.get(name))}"
            raise Refused("E_DRAFT", f"the charter differs from the draft in {shown}", event=0)
    if [seat["seat"] for seat in want["seats"]] != [seat["seat"] for seat in have["seats"]]:
        raise Refused("E_DRAFT", "the charter differs from the draft in its seats", event=0)
    for asked, given in zip(want["seats"], have["seats"], strict=True):
        if set(asked) != {"seat"} and asked != given:
            raise Refused("E_DRAFT", f"the charter differs from the draft in the entry of {asked['seat']}", event=0)
    asked, given = want.get("witness"), have.get("witness")
    if (asked is None) != (given is None) or (asked and asked != given):
        raise Refused("E_DRAFT", "the charter differs from the draft in the witness", event=0)


def _short(value: Any) -> str:
    text = "nothing" if value is None else canon.encode({"x": value}).decode()[5:-1]
    return text if len(text) <= 60 else text[:57] + "..."


def chain_of(game: Game, seat: str) -> dice.ChainCheck | None:
    """The first dice chain of a seat or the witness, at its anchor; None for a witness without one."""
    one: Entry | Witness | None = game.charter.witness if seat == WITNESS else game.entry(seat)
    if one is None or one.anchor is None or one.links is None:
        return None
    chain_id = dice.chain_id(bytes.fromhex(game.charter.setup), seat, 1)
    return dice.ChainCheck(chain_id, one.links, bytes.fromhex(one.anchor))
