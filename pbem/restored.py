"""After a restore, and for the witness: questions to the others what they have, and receipts as answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem import (
    charter,
    clock,
    papers,
    receipts,
    record,
)
from pbem.errors import Incomplete
from pbem.home import Passphrase
from pbem.packet import Packet

if TYPE_CHECKING:
    from pbem.table import Table


def read_only(table: Table) -> str:
    """Why nothing is signed on this machine at present; empty where it may sign."""
    if not (table.local or table.room.seats() or table.room.chains()):
        return ""
    asking = table.room.asking()
    if asking is not None:
        lacks = receipts.due(table.fold, asking, table.local)
        return f"{asking.why}; missing: {', '.join(lacks)}" if lacks else ""
    number = table.room.pin().installation
    if number and number != table.home.installation():
        return "the application folder was restored, copied or moved, so what it says of signed events may be old"
    return ""


def need_to_sign(table: Table) -> None:
    """`Incomplete` while this machine may only read."""
    why = read_only(table)
    if why:
        asked = table.room.asking() is not None
        hint = f"`pbem send {table.path.name}` mails the question" if asked else "`pbem resume FILE` asks the others"
        raise Incomplete(f"receipts: {why}", hint)


def resume(table: Table, why: str, passphrase: Passphrase | None = None) -> None:
    """Ask every other seat what it has, and only read until all have answered."""
    seat = table.need_seat()
    if table.room.asking() is None:
        key = table.home.key(table.key_name(seat), passphrase)
        table.room.set_asking(receipts.new_question(table.fold, key, seat, why))
    resumed(table)


def resumed(table: Table) -> None:
    """Go on where all have answered and their heads are here: their marks of slips count as given."""
    asking = table.room.asking()
    if asking is None or receipts.due(table.fold, asking, table.local):
        return
    pin = table.room.pin()
    asker = record.read_statement(asking.ask.encode() + b"\n").says.seat
    for line in asking.receipts.values():
        slip = record.read_receipt(line.encode() + b"\n").says.slip
        if slip is not None:
            given = pin.slips.setdefault(asker, {})
            given.setdefault(str(slip.batch), {"request": slip.request, "line": ""})
    pin.seq, pin.head = table.fold.seq, table.fold.head
    pin.signed = {seat: max(table.fold.last_of[seat], pin.signed.get(seat, 0)) for seat in table.local}
    pin.installation = table.home.installation(new=True)
    table.room.set_pin(pin)
    table.room.set_asking(None)


def asked_heads(table: Table) -> list[str]:
    """Seats elsewhere that ask what is here and have written nothing since they were answered."""
    desk = table.room.desk()
    return [seat for seat in desk.asked if seat not in table.local]


def take(table: Table, packet: Packet) -> list[str]:
    """Keep receipts and questions for them; what they tell, in words."""
    desk, asking = table.room.desk(), table.room.asking()
    lines = [line.decode().rstrip("\n") for line in packet.of("receipt")]
    remarks = receipts.take(table.fold, desk, asking, table.local, lines)
    for raw in packet.of("said"):
        said = record.read_statement(raw)
        if isinstance(said.says, record.AskHead) and said.says.seat not in table.local:
            papers.check_said_key(table, said)
            desk.asked[said.says.seat] = receipts.text(said)
    table.room.set_desk(desk)
    if asking is not None:
        table.room.set_asking(asking)
        resumed(table)
    return remarks


def answer_heads(table: Table, passphrase: Passphrase | None = None) -> bool:
    """Answer who asks what is here, with receipts of all seats on this machine: whether there is a new answer."""
    desk, fresh = table.room.desk(), False
    for seat, line in list(desk.asked.items()):
        says = record.read_statement(line.encode() + b"\n").says
        given = desk.given.get(seat, {})
        if given and table.fold.last_of.get(seat, 0) > given["seq"]:
            desk.asked.pop(seat)  # it writes again, so it has what it asked for
            desk.given.pop(seat)
            continue
        if not isinstance(says, record.AskHead) or (given.get("nonce"), given.get("head")) == (
            says.nonce,
            table.fold.head,
        ):
            continue
        about = table.fold.ids.find(says.about) if says.about != table.fold.game.id else 0
        mine = [
            receipts.write(
                table.fold,
                table.home.key(table.key_name(own), passphrase),
                own,
                clock.now(),
                says.nonce,
                _slip_of(table, seat),
            )
            for own in table.local
        ]
        told = {"nonce": says.nonce, "head": table.fold.head, "seq": table.fold.seq, "since": about}
        desk.given[seat] = {**told, "lines": [receipts.text(one) for one in mine]}
        fresh = fresh or bool(mine)
    table.room.set_desk(desk)
    return fresh


def _slip_of(table: Table, seat: str) -> dict[str, Any] | None:
    """The last batch for which the slip of a seat is here, and the request it answers."""
    for held in table.slips():
        if held.says.seat == seat:
            return {"batch": held.says.batch, "request": held.says.request}
    requests: dict[int, str] = {}
    found: dict[str, Any] | None = None
    for event in table.fold.past(table.fold.seq) if table.fold.past is not None else ():
        batch = event.body.get("batch")
        if event.kind == "handover" and isinstance(batch, int):
            requests[batch] = event.id
        gave = event.kind == "resolve" and any(one["seat"] == seat for one in event.body.get("slips", ()))
        if gave and batch in requests:
            found = {"batch": batch, "request": requests[batch]}
    return found


def cosign(table: Table, passphrase: Passphrase | None = None) -> None:
    """The witness dates the head: a receipt under its own namespace, once for each head."""
    if charter.WITNESS not in table.room.seats() or read_only(table) or not table.fold.seq:
        return
    desk, key = table.room.desk(), table.key_here(charter.WITNESS)
    old = record.read_receipt(desk.cosigned.encode() + b"\n").says.head if desk.cosigned else ""
    if key is not None and old != table.fold.head:
        signed = receipts.write(table.fold, table.home.key(key, passphrase), charter.WITNESS, clock.now())
        desk.cosigned = receipts.text(signed)
        table.room.set_desk(desk)


def receipt_lines(table: Table) -> list[bytes]:
    """This machine's question, and its answers to others'."""
    asking = table.room.asking()
    lines = [asking.ask] if asking is not None else []
    desk = table.room.desk()
    for one in desk.given.values():
        lines += one["lines"]
    if desk.cosigned and record.read_receipt(desk.cosigned.encode() + b"\n").says.head == table.fold.head:
        lines.append(desk.cosigned)
    return [line.encode() + b"\n" for line in lines]
