"""Builds games with fixed keys and chains, and forges what an attacker would write."""

from __future__ import annotations

import hashlib
import io
import random
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from duel import Duel

from pbem import canon, charter, dice, keys, record, verify
from pbem.api import Ask, Start
from pbem.author import Author
from pbem.errors import Incomplete, Refused
from pbem.record import Event, Signed, Slip
from pbem.replay import Fold, Ruleset

SETUP = "11" * 32
LINKS = 64
SCENARIO = {1: "alone", 2: "duel", 3: "melee"}
KEY = {"red": 0x01, "blue": 0x02, "green": 0x21, "witness": 0x31}
CHAIN_END = {"red": 0x03, "blue": 0x04, "green": 0x22, "witness": 0x32}
RESPONDER = {"red": 0x41, "blue": 0x42, "green": 0x43, "witness": 0x44}
NONCE = {"red": "c", "blue": "d", "green": "e", "witness": "f"}


@cache
def key_of_byte(byte: int) -> keys.SigningKey:
    return keys.SigningKey.from_seed(bytes([byte]) * 32)


def key(seat: str) -> keys.SigningKey:
    return key_of_byte(KEY[seat])


def responder(seat: str) -> keys.SigningKey:
    return key_of_byte(RESPONDER[seat])


@cache
def chain(seat: str, setup: str = SETUP, links: int = LINKS) -> list[bytes]:
    """x_0 .. x_N of a seat's first chain."""
    return dice.chain(dice.chain_id(bytes.fromhex(setup), seat, 1), bytes([CHAIN_END[seat]]) * 32, links)


def entry(seat: str, *, setup: str = SETUP, responds: bool = False, **more: Any) -> canon.Doc:
    """A seat's part of a charter."""
    doc = {
        "seat": seat,
        "key": key(seat).public.hex(),
        "anchor": chain(seat, setup)[0].hex(),
        "links": LINKS,
        "nonce": NONCE[seat] * 64,
    }
    if responds:
        doc["responder"] = responder(seat).public.hex()
    return doc | more


def charter_doc(
    seats: Iterable[str] = ("red", "blue"),
    policy: str = "sealed",
    *,
    options: Mapping[str, str] | None = None,
    responds: Iterable[str] = (),
    witness: bool = False,
    contributors: str = "all_others",
    setup: str = SETUP,
    **more: Any,
) -> canon.Doc:
    """A charter of the game of these tests."""
    names = tuple(seats)
    doc: canon.Doc = {
        "v": 1,
        "kind": "charter",
        "setup": setup,
        "rules": {"id": "duel", "version": "1", "digest": "a" * 64},
        "data": "b" * 64,
        "scenario": SCENARIO.get(len(names), "duel"),
        "options": dict(options or {}),
        "seats": [entry(seat, setup=setup, responds=seat in responds) for seat in names],
        "dice": {"policy": policy, "contributors": contributors, "expand": "hmac-sha256-64"},
    }
    if witness:
        doc["witness"] = {k: v for k, v in entry("witness", setup=setup).items() if k != "seat"}
    return doc | more


def rules_for(game: charter.Game, drift: str = "") -> Ruleset:
    """The rules of these tests; others are not installed here."""
    if game.charter.rules.id != "duel":
        raise Incomplete(f"edition {game.charter.rules.version} of {game.charter.rules.id}")
    start = Start(game.charter.scenario, game.charter.options, game.seats, 1, None)
    return Ruleset(Duel(drift), start)


class Match:
    """One game with all its secrets, folded as it is written."""

    def __init__(self, doc: canon.Doc | None = None, **kwargs: Any) -> None:
        self.game = charter.make_game(doc if doc is not None else charter_doc(**kwargs))
        self.seals = [charter.seal(key(seat), self.game, seat) for seat in self.game.sealers()]
        self.events: list[Event] = []
        self.fold = self.fresh()

    def fresh(self) -> Fold:
        """A fold before event 1."""
        return Fold(self.game, rules_for(self.game), past=lambda to: iter(self.events[:to]))

    def refold(self, upto: int | None = None) -> Fold:
        """A new fold with the events written so far."""
        fold = self.fresh()
        for event in self.events[:upto]:
            assert fold.take(fold.read(event.line()))
        return fold

    # Writing by the rules

    def author(self, seat: str = "", fold: Fold | None = None) -> Author:
        fold = fold or self.fold
        seat = seat or fold.holder
        return Author(fold, seat, key(seat), lambda n: chain(seat, self.game.charter.setup)[n])

    def keep(self, event: Event) -> Event:
        self.events.append(event)
        return event

    def write(self, kind: str, body: Mapping[str, Any] | None = None) -> Event:
        """The holder's next event."""
        return self.keep(self.author().write(kind, body or {}))

    def order(self, kind: str, **fields: Any) -> Event:
        return self.write(kind, fields)

    def handover(self) -> Event:
        return self.keep(self.author().handover())

    def slip(self, seat: str) -> Signed[Slip]:
        """A seat's slip for the batch that waits, signed by its responder if it has one."""
        author = self.author(seat)
        if self.releaser(seat) is not key(seat):
            author.key = self.releaser(seat)
        return author.slip()

    def releaser(self, seat: str) -> keys.SigningKey:
        one: Any = self.game.charter.witness if seat == charter.WITNESS else self.game.entry(seat)
        return responder(seat) if one.responder else key(seat)

    def slips(self) -> list[Signed[Slip]]:
        """All slips that the waiting batch needs."""
        assert self.fold.batch is not None
        return [self.slip(seat) for seat in self.fold.batch.contributors if seat != self.fold.batch.requester]

    def resolve(self) -> Event:
        """Let the dice fall, with everybody's slips under `sealed`."""
        if self.fold.policy == "open":
            return self.keep(self.author().resolve())
        return self.write("resolve", self.resolve_body(self.slips()))

    def resolve_body(self, slips: Iterable[Signed[Slip]]) -> canon.Doc:
        assert self.fold.batch is not None
        items = [{"link": slip.says.link, "seat": slip.says.seat, "sig": slip.sig.hex()} for slip in slips]
        return {"batch": self.fold.batch.number, "slips": items}

    def agree(self, result: str) -> Event:
        return self.write("agree", self.with_consents("agree", {"result": result}))

    def with_consents(self, kind: str, body: canon.Doc, seats: Iterable[str] | None = None, **place: Any) -> canon.Doc:
        """A body with the consents of the other seats, for the holder's next event unless `place` says otherwise."""
        prev, seq = place.get("prev", self.fold.head), place.get("seq", self.fold.seq + 1)
        wanted = sorted(seat for seat in self.fold.in_game if seat != self.fold.holder) if seats is None else seats
        consents = [
            {"seat": seat, "sig": self.author(seat).consent(kind, body, prev, seq).sig.hex()} for seat in wanted
        ]
        return {**body, "consents": consents}

    def play(self, rng: random.Random, events: int) -> None:
        """Random legal events of honest clients, until the game is over or there are that many."""
        while len(self.events) < events and not self.fold.closed:
            self.step(rng)

    def step(self, rng: random.Random) -> None:
        fold = self.fold
        first = fold.asks[0] if fold.asks else None
        if rng.random() < 0.1 and not (fold.open_pair and not isinstance(first, Ask)) and fold.seq:
            self.write("note", {"text": f"note {fold.seq}"})
        elif first is None or (fold.open_pair and fold.seq == 0):
            self.handover()
        elif not isinstance(first, Ask):
            self._let_chance_speak()
        elif first.seat == fold.holder:
            order = fold.engine.sample(fold.state, first, {}, rng)
            self.write(order.kind, order.body())
        else:
            self.handover()

    def _let_chance_speak(self) -> None:
        fold = self.fold
        alone = fold.solitaire and fold.policy == "open"
        waits = fold.batch is not None and fold.batch.seed is None
        if alone or waits:
            self.resolve()
        else:
            self.handover()

    # Files

    def head(self) -> bytes:
        """Charter and seals."""
        return self.game.line() + b"".join(self.seals)

    def lines(self) -> list[bytes]:
        return [event.line() for event in self.events]

    def file(self, upto: int | None = None) -> bytes:
        return self.head() + b"".join(self.lines()[:upto])

    def verdict(self, data: bytes | None = None, *, workers: int = 0, drift: str = "") -> verify.Verdict:
        stream = io.BytesIO(self.file() if data is None else data)
        return verify.verify(stream, lambda game: rules_for(game, drift), workers=workers)

    # Forging

    def doc(self, kind: str, body: Any, **fields: Any) -> canon.Doc:
        """The next event of the holder as a document, with any field replaced."""
        fold = self.fold
        seat = fields.get("seat", fold.holder)
        plain = {"body": body, "game": self.game.id, "kind": kind, "prev": fold.head, "seat": seat, "seq": fold.seq + 1}
        return {**plain, "v": 1, **fields}

    def forge(self, kind: str, body: Any, *, by: str = "", namespace: str = keys.EVENT, **fields: Any) -> bytes:
        """A well signed line that says whatever is wanted."""
        doc = self.doc(kind, body, **fields)
        return sign_line(key(by or doc["seat"]), canon.encode(doc), namespace)

    def handover_body(self, **fields: Any) -> canon.Doc:
        """What an honest handover would say now, with fields replaced (None: left out)."""
        fold = self.refold()
        body = self.author(fold=fold).handover().body | fields
        return {k: v for k, v in body.items() if v is not None}

    def refusal(self, line: bytes) -> Refused:
        """The refusal that a line meets after the events so far; the file up to there stays what it was."""
        fold = self.refold()
        try:
            fold.take(fold.read(line))
        except Refused as error:
            self._same_in_a_file(line, error)
            return error
        raise AssertionError("the line was not refused")

    def _same_in_a_file(self, line: bytes, error: Refused) -> None:
        verdict = self.verdict(self.file() + line)
        assert verdict.code == error.code
        assert verdict.head == self.fold.head
        assert self.refold().digest() == self.fold.digest()

    def code(self, kind: str, body: Any, **fields: Any) -> str:
        """The code by which the next event of the holder is refused."""
        return self.refusal(self.forge(kind, body, **fields)).code


def sign_line(by: keys.SigningKey, raw: bytes, namespace: str = keys.EVENT, word: bytes = b"pbem1") -> bytes:
    """Any bytes as a signed line."""
    return word + b" " + by.sign(namespace, raw).hex().encode() + b" " + raw + b"\n"


def resigned_line(line: bytes, by: keys.SigningKey, change: Mapping[str, Any]) -> bytes:
    """An event line with fields replaced and signed anew."""
    return sign_line(by, canon.encode(canon.decode(line.split(b" ", 2)[2][:-1]) | change))


def duel(**kwargs: Any) -> Match:
    """Two seats under sealed dice; red has attacked, blue is asked afterwards, the dice are requested (3 events)."""
    match = Match(**kwargs)
    match.order("move", unit="u1", to=5)
    match.order("attack", target="blue")
    match.handover()
    return match


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def event_of(line: bytes) -> Event:
    return record.read_event(line)
