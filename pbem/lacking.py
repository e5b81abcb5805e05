"""What a seat may lack of a game, and what of it was signed here: the questions that decide whether a letter leaves."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from pbem import agreement, charter, log, ordermail, record
from pbem.errors import PbemError
from pbem.home import Room
from pbem.packet import Packet
from pbem.replay import Fold
from pbem.table import Table


def debtors(fold: Fold) -> set[str]:
    """Seats without which the game does not go on: the holder, and whoever owes a slip."""
    if fold.closed or not fold.holder:
        return set()
    batch = fold.batch
    if batch is not None and batch.seed is None and not fold.open_pair:
        return {fold.holder, *(seat for seat in batch.contributors if seat != batch.requester)}
    return {fold.holder}


def seats_of(start: agreement.Beginning) -> list[str]:
    """All seats of a game that has not begun, and the witness if it has one."""
    if start.game is not None:
        return list(start.game.sealers())
    if start.draft is None:
        return []
    doc = start.draft.doc
    return [*(seat["seat"] for seat in doc["seats"]), *([charter.WITNESS] if "witness" in doc else [])]


def own_lines(table: Table, content: Packet, since: int) -> list[bytes]:
    """The lines of a packet that were signed here: what a receiver may be waiting for."""
    mine = here(table)
    own = [line for line in content.events if record.read_event(line).seat in mine]
    own += [line for line in content.of("slip") if record.read_slip(line).says.seat in mine]
    own += [line for line in content.of("said") if record.read_statement(line).says.seat in mine]
    own += [line for line in content.of("receipt") if record.read_receipt(line).says.seat in mine]
    if since == 0:
        own += [line for line in content.of("seal") if _sealed_by(line) in mine]
    return own


def here(table: Table) -> set[str]:
    """Seats played on this machine, and the witness if it is here."""
    return {*table.local, *table.room.seats()}


def since_for(table: Table, seat: str) -> int:
    """The event after which a seat may lack something: its own last one, or where it said that it stands."""
    healed = max((seq for seq, note in table.story if note.stem == "core/heal"), default=0)
    last = table.fold.last_of.get(seat, table.acknowledged())
    given = table.room.desk().given.get(seat)
    if given is not None:
        last = min(last, int(given["since"]))
    return last if last >= healed else 0


def content_for(table: Table, since: int) -> Packet:
    """The packet for a seat; of a game whose end on one branch was agreed to, nothing of that branch."""
    return table.packet(None if table.gives_up() else since)


def receipts_of(table: Table, seat: str) -> list[int]:
    """The events a seat has signed for having, as far as they are in the chain here."""
    told = [record.read_receipt(line.encode() + b"\n").says for line in table.room.desk().got.get(seat, ())]
    return [says.seq for says in told if table.fold.ids.find(says.head) == says.seq]


def asked(table: Table) -> list[str]:
    """Seats that owe this restored machine an answer."""
    asking = table.room.asking()
    return [seat for seat in table.fold.in_game if asking is not None and seat not in asking.receipts]


_SEAL_SEAT = re.compile(rb'"seat":"([a-z0-9_-]{1,32})"')


def _sealed_by(line: bytes) -> str:
    found = _SEAL_SEAT.search(line)
    return found[1].decode() if found else ""


def mark_of(lines: Sequence[bytes]) -> str:
    """What tells one content of a letter from another; empty for none."""
    return hashlib.sha256(b"".join(lines)).hexdigest()[:16] if lines else ""


def mere_duty(table: Table) -> bool:
    """The baton is here only to be passed on: nothing was decided since it came, and nothing is to be decided."""
    fold, holder = table.fold, table.fold.holder
    if fold.windows or fold.solitaire or table.drafted(holder) or not table.may_hand_over(holder):
        return False
    written = table.packet(fold.seq - fold.since_handover).events if fold.since_handover else ()
    return all(record.read_event(line).kind in WITHOUT_THOUGHT for line in written)


WITHOUT_THOUGHT: Final = frozenset({"resolve", "seal", "open", "disclose", "rechain"})
"""Events that a client writes by itself. What it claims by itself is left to the player to send."""


def seq_of(fold: Fold, head: str) -> int | None:
    """The number of an event by its id; 0 for the game's own id, None for one that is not in this chain."""
    if head == fold.game.id:
        return 0
    return fold.ids.find(head) or None


def answered(table: Table, block: ordermail.Block) -> str:
    """The position that a block of orders may be for: the last one, or the last handover of another seat."""
    fold = table.fold
    for seq in range(fold.seq, 0, -1):
        if fold.ids.id(seq)[:8] == block.head and not block.word:
            return fold.ids.id(seq)
        if fold.seats[fold.ids.seat(seq)] not in table.local:
            break
    return fold.head


def clock_of(room: Room) -> charter.Clock | None:
    """The days that the charter of a game agrees on, if it does."""
    path = room.where()
    if path is None:
        return None
    with suppress(PbemError), log.open_for_reading(path) as stream:
        first = stream.readline(log.LONGEST + 1)
        if first.startswith(b"charter "):
            return charter.read_charter(first).charter.clock
    return None
