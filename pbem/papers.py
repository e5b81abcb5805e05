"""Detached lines that matter while the game stands where it does: slips and statements, kept beside the file."""

from __future__ import annotations

import contextlib
import copy
from typing import TYPE_CHECKING

from pbem import (
    batches,
    keys,
    log,
    record,
    saying,
)
from pbem.errors import Refused
from pbem.record import Signed, Slip

if TYPE_CHECKING:
    from pbem.table import Table


def live(table: Table, line: str) -> bool:
    """Whether a detached line still matters; `Refused` where it is forged."""
    raw = line.encode() + b"\n"
    if line.startswith("slip "):
        return live_slip(table, record.read_slip(raw))
    said = record.read_statement(raw)
    if not check_said_key(table, said):
        return False
    if isinstance(said.says, record.AskHead):
        return False  # those have a place of their own
    if isinstance(said.says, record.ResignStatement):
        return _may_carry(table, said)
    if isinstance(said.says, record.AboutStatement):
        return said.says.about == table.fold.head
    return isinstance(said.says, record.ConsentStatement) and _may_be_used(table, said.says)


def check_said_key(table: Table, said: Signed[record.Statement]) -> bool:
    """Whether the key its seat has now signed a statement of this game; `Refused` where no key of it ever did."""
    if said.says.game != table.fold.game.id:
        raise Refused("E_GAME")
    key = table.fold.keys.get(said.says.seat)
    if key is None:
        raise Refused("E_SIG", f"no seat {said.says.seat} in this game")
    try:
        key.check(keys.STATEMENT, said.raw, said.sig)
    except Refused:
        if _by_former_key(table, said):
            return False
        raise
    return True


def _by_former_key(table: Table, said: Signed[record.Statement]) -> bool:
    """A key that some seat had before has signed it: history, no forgery."""
    for raw in table.fold.used_keys if table.fold.key_changes else ():
        with contextlib.suppress(Refused):
            keys.VerifyKey(bytes.fromhex(raw)).check(keys.STATEMENT, said.raw, said.sig)
            return True
    return False


def _may_be_used(table: Table, says: record.ConsentStatement) -> bool:
    """A consent fits the next event; one to a heal may fit a branch that is not on this machine yet."""
    fold = table.fold
    if says.of == "heal":
        overtaken = fold.seq >= says.seq and (says.seq == 1 or fold.ids.id(says.seq - 1) == says.prev)
        return not overtaken
    return says.seq == fold.seq + 1 and says.prev == fold.head


def _may_carry(table: Table, said: Signed[record.Statement]) -> bool:
    """A resignation holds, whatever the holder has signed meanwhile, until its author writes again or is out."""
    try:
        saying.check_said(table.fold, said.says, said.raw, said.sig)
    except Refused:
        return False
    return said.says.seat in table.fold.in_game and bool(table.fold.asks)


def live_slip(table: Table, slip: Signed[Slip]) -> bool:
    """Whether a slip serves the batch that waits; `Refused` where it is forged or answers another request."""
    batch = table.fold.batch
    if slip.says.game != table.fold.game.id:
        raise Refused("E_GAME")
    if batch is None or batch.seed is not None or slip.says.batch != batch.number:
        return False
    if slip.says.seat not in batch.contributors or slip.says.seat == batch.requester:
        raise Refused("E_CONTRIB", f"{slip.says.seat} releases nothing for batch {batch.number}")
    if slip.says.request != batch.request:
        raise Refused("E_SLIP", f"the slip of {slip.says.seat} answers another request of batch {batch.number}")
    batches.check_slip(table.fold, batch, slip.says.seat, slip.says.link, slip.sig)
    copy.copy(table.fold.chains[slip.says.seat].check).accept(
        batch.number - table.fold.chains[slip.says.seat].base, bytes.fromhex(slip.says.link)
    )
    return True


def say(table: Table, signed: Signed[record.Statement]) -> None:
    """Keep a statement of a local seat: it is mailed while it is live."""
    line = signed.line().decode().rstrip("\n")
    kept = [one for one in table.room.papers() if live(table, one)]
    if line not in kept:
        table.room.set_papers([*kept, line])


def said(table: Table) -> list[Signed[record.Statement]]:
    """Live statements that came or were made here, beside the file or as lines of it."""
    lines = [line for line in table.room.papers() if line.startswith("said ") and live(table, line)]
    lines += [line for line in _said_lines(table) if line not in lines and live(table, line)]
    return [record.read_statement(line.encode() + b"\n") for line in lines]


def _said_lines(table: Table) -> list[str]:
    """The statements that stand in the game file."""
    if not table.fold.said:
        return []
    with log.open_for_reading(table.path) as stream:
        return [line.decode().rstrip("\n") for _, line in log.lines(stream) if line.startswith(b"said ")]


def add_said_line(table: Table, signed: Signed[record.Statement]) -> None:
    """Put a resignation or claim into the game file as a line of its own, if it is not there yet."""
    if signed.line().decode().rstrip("\n") in _said_lines(table):
        return
    saying.take_said(table.fold, signed.line())
    log.append(table.path, signed.line())
