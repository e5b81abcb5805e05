"""What seats say beside the chain: consents to an act, statements, and the lines of a file that are statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pbem import canon, charter, keys, record
from pbem.errors import Refused
from pbem.record import Event

if TYPE_CHECKING:
    from pbem.replay import Fold


@dataclass(slots=True)
class SaidLine:
    """A statement that stands as a line of its own."""

    says: record.Statement
    raw: bytes
    line: int


def check_consents(
    fold: Fold, event: Event, consents: Sequence[record.Consent], *, without: str = "", witness: bool = False
) -> None:
    """One consent of every other seat in the game, for this act at this place (`E_CONSENT`).

    `without` is the seat that cannot consent, having vanished or signed a statement; `witness`: his too, if any.
    """
    if fold.rehearsal:
        return
    wanted = [seat for seat in fold.in_game if seat not in (event.seat, without)]
    if witness and charter.WITNESS in fold.keys:
        wanted.append(charter.WITNESS)
    wanted.sort()
    if [consent.seat for consent in consents] != wanted:
        raise Refused("E_CONSENT", f"consents due: {', '.join(wanted) or 'none'}")
    for consent in consents:
        check_consent(
            fold,
            consent.seat,
            bytes.fromhex(consent.sig),
            kind=event.kind,
            body=event.body,
            prev=event.prev,
            seq=event.seq,
        )


def check_consent(
    fold: Fold, seat: str, sig: bytes, *, kind: str, body: Mapping[str, Any], prev: str, seq: int
) -> None:
    """One seat's consent to one act at one place (`E_CONSENT`)."""
    if fold.checked:
        return
    doc = record.consent_doc(game=fold.game.id, seat=seat, of=kind, body=body, prev=prev, seq=seq)
    try:
        fold.keys[seat].check(keys.STATEMENT, canon.encode(doc), sig)
    except Refused:
        raise Refused("E_CONSENT", f"the consent of {seat} is not for this act at this place") from None


def check_said(fold: Fold, says: record.Statement, raw: bytes, sig: bytes) -> None:
    """A statement by a seat of this game about the chain as its author knows it (`E_GAME`, `E_SIG`, `E_SAID`)."""
    if says.game != fold.game.id:
        raise Refused("E_GAME")
    if says.seat not in fold.last_of:
        raise Refused("E_SIG", f"no seat {says.seat} in this game")
    fold.keys[says.seat].check(keys.STATEMENT, raw, sig)
    if isinstance(says, record.AboutStatement):
        about = 0 if says.about == fold.game.id else fold.ids.find(says.about)
        if about == 0 and says.about != fold.game.id:
            raise Refused("E_SAID", "it speaks of an event that is not in the chain")
        if fold.last_of[says.seat] > about:
            raise Refused("E_SAID", f"{says.seat} has written events since")


def take_said(fold: Fold, line: bytes, number: int = 0) -> None:
    """A `said` line of the file: a resignation or claim outside the chain."""
    signed = record.read_statement(line)
    if signed.says.kind not in record.SAID_LINES:
        raise Refused("E_LINE", f"a statement of kind {signed.says.kind!r} is no line of a game file")
    if signed.raw in fold.said_before:
        raise Refused("E_LINE", "the same statement twice")
    check_said(fold, signed.says, signed.raw, signed.sig)
    if isinstance(signed.says, record.ClaimStatement) and signed.says.debtor not in fold.keys:
        raise Refused("E_SAID", f"no seat {signed.says.debtor} in this game")
    fold.said_before.add(signed.raw)
    fold.said.append(SaidLine(signed.says, signed.raw, number))


def live_said(fold: Fold) -> list[record.Statement]:
    """Statements about the present head: later events make them history."""
    return [
        one.says for one in fold.said if isinstance(one.says, record.AboutStatement) and one.says.about == fold.head
    ]
