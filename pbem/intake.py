"""Letters taken in: all of a packet or nothing, checked as any log, made durable before it is answered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pbem import (
    beacon,
    canon,
    clock,
    papers,
    record,
    restored,
    trust,
)
from pbem.errors import Incomplete, Refused
from pbem.packet import Packet
from pbem.record import Event

if TYPE_CHECKING:
    from pbem.table import Table


@dataclass(slots=True)
class Received:
    """What a packet brought."""

    events: int = 0
    papers: int = 0
    remarks: list[str] = field(default_factory=list)


def _leaves(event: Event) -> bool:
    """A holder gave his own seat away: his key signs nothing more, so the packet ends without a handover."""
    return event.kind == "transfer" and event.body.get("seat") == event.seat


def receive(table: Table, packet: Packet, *, late: bool = False) -> Received:
    """Take in a packet of this game, all of it or nothing.

    `late`: the player lets a request pass whose beacon round was public when the letter came.
    Raises `Refused` (the packet is kept as evidence by the caller), `Incomplete` where lines are missing.
    """
    _same_charter(table, packet)
    before = table.fold.seq
    try:
        _take_events(table, packet, late=late)
    except Refused:
        if not table.mend(packet.events):
            raise
    kept = _take_papers(table, packet)
    return Received(max(0, table.fold.seq - before), kept, restored.take(table, packet))


def _take_events(table: Table, packet: Packet, *, late: bool = False) -> None:
    try:
        new = table.unsaved
        for line in packet.of("pbem1"):
            event = _read(table, line)
            if table.fold.take(event):
                new.append(event)
                if not late and table.local:
                    _in_time(table, event)
        whole = not table.fold.since_handover or table.fold.solitaire or table.fold.closed
        if new and not whole and not _leaves(new[-1]):
            raise Incomplete(f"events after {table.fold.seq}", "the packet is cut: ask the sender to send it again")
        if table.fold.unjudged is not None:
            raise table.fold.unjudged
        table.check_pin()
    except (Refused, Incomplete):
        table.reload()
        raise
    table.commit(new)
    new.clear()


def _in_time(table: Table, event: Event) -> None:
    """A beacon round must not be out when the letter that names it comes (`E_BEACON`): this clock is the word."""
    pinned = table.fold.game.charter.dice.beacon
    if event.kind != "handover" or "beacon" not in event.body or pinned is None:
        return
    number = int(event.body["beacon"]["round"])
    public = beacon.network(pinned.chain).time(number)
    if clock.now() >= public:
        raise Refused(
            "E_BEACON",
            f"round {number} was public since {trust.when(public)} when this letter came",
            "its sender may have known the dice; talk about it. `pbem receive LETTER --late` lets it pass",
            event=event.seq,
        )


def _read(table: Table, line: bytes) -> Event:
    """The event of a line; one that stands here already may bear a key that its seat had before."""
    try:
        return table.fold.read(line)
    except Refused as error:
        event = record.read_event(line) if error.code == "E_SIG" and table.fold.key_changes else None
        if event is None or event.seq > table.fold.seq or table.fold.ids.id(event.seq) != event.id:
            raise
        return event


def _same_charter(table: Table, packet: Packet) -> None:
    """Charters, and entries of the draft, must be those that were sealed here (`E_DRAFT`)."""
    hint = "two answers came to one invitation: whoever sent this letter has to be told that the seat is taken"
    for line in packet.of("charter"):
        if line != table.fold.game.line():
            raise Refused("E_DRAFT", "the letter is about another charter than the one sealed here", hint, event=0)
    for line in packet.of("entry"):
        entry = canon.decode(line.split(b" ", 2)[2].rstrip(b"\n")).get("entry")
        if entry not in canon.decode(table.fold.game.raw)["seats"]:
            raise Refused("E_DRAFT", "the entry in this letter is not in the charter sealed here", hint, event=0)


def _take_papers(table: Table, packet: Packet) -> int:
    """Keep slips and statements that fit the present position; others are history."""
    before = table.room.papers()
    kept = [line for line in before if papers.live(table, line)]
    fresh = 0
    for raw in (*packet.of("slip"), *packet.of("said")):
        line = raw.decode().rstrip("\n")
        if line not in kept and papers.live(table, line):
            kept.append(line)
            fresh += 1
    if kept != before:
        table.room.set_papers(kept)
    for line in kept:
        _enter(table, line)
    return fresh


def _enter(table: Table, line: str) -> None:
    """A resignation or claim goes into the file too, unless the holder is here to carry or answer it."""
    if line.startswith("said ") and table.fold.holder not in table.local:
        signed = record.read_statement(line.encode() + b"\n")
        if signed.says.kind in record.SAID_LINES:
            papers.add_said_line(table, signed)
