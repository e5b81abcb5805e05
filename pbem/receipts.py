"""Receipts: what another seat has, on its word; and a restored machine that asks for them before it signs again.

A receipt never changes the game. Whoever finds himself restored, or says so, asks every other seat with a fresh nonce
and only reads until each has answered with its head, which must then be in the chain here (protocol, 2.6).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem import canon, charter, keys, record
from pbem.errors import Refused
from pbem.record import Receipt, Signed
from pbem.replay import Fold


@dataclass
class Asking:
    """This machine's open question: the nonce, the statement that asks, why, and the receipts that answer it."""

    nonce: str
    ask: str
    why: str
    receipts: dict[str, str] = field(default_factory=dict)


@dataclass
class Desk:
    """What lies here of receipts: questions of others by seat, the answers given, and the last receipt of each seat.

    An answer is kept with the seq from which its letter carries events on. `cosigned` is the witness' latest.
    """

    asked: dict[str, str] = field(default_factory=dict)
    given: dict[str, dict[str, Any]] = field(default_factory=dict)
    got: dict[str, list[str]] = field(default_factory=dict)
    cosigned: str = ""


def new_question(fold: Fold, key: keys.SigningKey, seat: str, why: str) -> Asking:
    """Ask every other seat what it has."""
    nonce = secrets.token_hex(32)
    doc = {"about": fold.head, "game": fold.game.id, "kind": "ask_head", "nonce": nonce, "seat": seat, "v": 1}
    return Asking(nonce, text(record.write_statement(key, doc)), why)


def text(signed: Signed[Any]) -> str:
    return signed.line().decode().rstrip("\n")


def namespace(seat: str) -> str:
    """A receipt of the witness is a cosignature."""
    return keys.WITNESS if seat == charter.WITNESS else keys.RECEIPT


def write(
    fold: Fold, key: keys.SigningKey, seat: str, at: int, nonce: str = "", slip: Mapping[str, Any] | None = None
) -> Signed[Receipt]:
    """A seat's receipt for the head here."""
    doc: canon.Doc = {"at": at, "game": fold.game.id, "head": fold.head, "seat": seat, "seq": fold.seq}
    if nonce:
        doc["nonce"] = nonce
        if slip is not None:
            doc["slip"] = dict(slip)
    raw = canon.encode(doc)
    return Signed("receipt", raw, key.sign(namespace(seat), raw), record.parse(Receipt, doc))


def read(fold: Fold, line: str) -> Signed[Receipt]:
    """A receipt of this game, signed by the key its seat has (`E_GAME`, `E_SIG`)."""
    signed = record.read_receipt(line.encode() + b"\n")
    says = signed.says
    if says.game != fold.game.id:
        raise Refused("E_GAME", "a receipt of another game")
    if says.seat not in fold.keys:
        raise Refused("E_SIG", f"no seat {says.seat} in this game")
    fold.keys[says.seat].check(namespace(says.seat), signed.raw, signed.sig)
    return signed


def in_chain(fold: Fold, says: Receipt) -> bool:
    """Whether the head of a receipt is one of this chain, at its number."""
    if says.seq == 0:
        return says.head == fold.game.id
    return says.seq <= fold.seq and fold.ids.id(says.seq) == says.head


def take(fold: Fold, desk: Desk, asking: Asking | None, local: Iterable[str], lines: Iterable[str]) -> list[str]:
    """Take in receipts: what they say beyond the game itself, in words. Forged or foreign ones are ignored."""
    remarks: list[str] = []
    for line in lines:
        try:
            says = read(fold, line).says
        except Refused:
            continue
        if says.seat in local:
            continue
        remarks += _contradictions(fold, desk, line, says)
        if line not in desk.got.setdefault(says.seat, []):
            desk.got[says.seat] = [*desk.got[says.seat], line][-2:]
        if asking is not None and says.nonce == asking.nonce:
            asking.receipts[says.seat] = line
    return remarks


def _contradictions(fold: Fold, desk: Desk, line: str, says: Receipt) -> list[str]:
    """Two receipts of one seat for one number that name two heads, or one that contradicts the chain here."""
    for other in desk.got.get(says.seat, []):
        old = record.read_receipt(other.encode() + b"\n").says
        if old.seq == says.seq and old.head != says.head:
            return [f"{says.seat} has receipted two different heads of event {says.seq}: both are kept as evidence"]
    if says.seq > fold.seq:
        return [f"{says.seat} has event {says.seq}, head {says.head[:16]}; here the game stands at event {fold.seq}"]
    if not in_chain(fold, says):
        return [f"{says.seat} has another event {says.seq} than this file: compare the two"]
    return []


def due(fold: Fold, asking: Asking, local: Iterable[str]) -> list[str]:
    """Seats that have not answered, and those whose head is not here yet, in words."""
    lacks = []
    for seat in fold.in_game:
        if seat in local:
            continue
        line = asking.receipts.get(seat)
        if line is None:
            lacks.append(f"receipt of {seat}")
            continue
        says = record.read_receipt(line.encode() + b"\n").says
        if not in_chain(fold, says):
            lacks.append(f"events up to {says.seq}, which {seat} has")
    return lacks
