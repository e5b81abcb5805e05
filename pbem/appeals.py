"""What a seat says to all or asks of them: ends by agreement, undoing, resigning, claims."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem import (
    canon,
    clock,
    papers,
    record,
    restored,
)
from pbem.author import Author
from pbem.errors import Refused, WrongUse
from pbem.home import Passphrase

if TYPE_CHECKING:
    from pbem.table import Table


def offer(table: Table, result: str, passphrase: Passphrase | None = None) -> None:
    """Offer an end by agreement; whoever does not hold the baton consents to it with the offer."""
    if result not in ("draw", "none", *table.fold.in_game):
        raise WrongUse(f"no result {result[:40]!r}", f"draw, none, or a seat: {', '.join(table.fold.in_game)}")
    table.need_in_play()
    _ask_for(table, "agree", {"result": result}, table.author(passphrase), "offer", result=result)


def ask_undo(table: Table, to: int, passphrase: Passphrase | None = None) -> None:
    """Ask to set the game back to the position after an event; likewise."""
    if not 0 <= to < table.fold.seq:
        raise WrongUse(f"event {to} is not behind us", f"name one from 0 to {table.fold.seq - 1}")
    if to < table.fold.barrier:
        raise Refused("E_UNDO", f"event {table.fold.barrier} cannot be undone, nor anything before it")
    _ask_for(table, "undo", {"to": to}, table.author(passphrase), "ask_undo", to=to)


def _ask_for(table: Table, kind: str, body: dict[str, Any], author: Author, how: str, **fields: Any) -> None:
    papers.say(table, author.statement(how, seq=table.fold.seq + 1, **fields))
    if table.fold.holder != author.seat:
        papers.say(table, author.consent(kind, body, table.fold.head, table.fold.seq + 1))


def asked(table: Table) -> tuple[str, dict[str, Any]] | None:
    """The act that is asked for at this point of the game: its kind and body without consents."""
    for one in reversed(papers.said(table)):
        if isinstance(one.says, record.Offer):
            return "agree", {"result": one.says.result}
        if isinstance(one.says, record.AskUndo):
            return "undo", {"to": one.says.to}
    return None


def dice_since(table: Table, to: int) -> bool:
    """Dice have been seen after an event: an undo of them means new ones."""
    return any(seq > to and note.label for seq, note in table.story)


def resign(table: Table, passphrase: Passphrase | None = None) -> None:
    """Give up: an event for the holder, who hands over if he may; a statement and a line in the file for others."""
    table.need_in_play()
    author = table.author(passphrase)
    if table.fold.holder != author.seat:
        papers.add_said_line(table, author.statement("resign"))
        return
    author.write("resign", {})
    if table.may_hand_over(author.seat):
        author.handover(clock.now())
    table.store(author)


def debtors(table: Table) -> list[str]:
    """Who elsewhere owes something by the log: the holder, and whoever has not released a link for the dice."""
    fold = table.fold
    if fold.closed or not fold.asks:
        return []
    owe, batch = [fold.holder], fold.batch
    if batch is not None and batch.seed is None and fold.policy != "open":
        slips = (*table.own_slips(), *(slip for slip in table.slips() if papers.live_slip(table, slip)))
        released = {slip.says.seat for slip in slips}
        owe += [name for name in batch.contributors if name not in (batch.requester, fold.holder, *released)]
    return [name for name in owe if name not in table.local]


def claim(table: Table, days: int, passphrase: Passphrase | None = None, *, against: str = "") -> str:
    """Say who owes the next event, or a slip that it needs, as a line in the file: the debtor."""
    table.need_in_play()
    author = table.author(passphrase)
    owe = debtors(table)
    if not owe:
        raise WrongUse("nobody else owes anything: the next event is your own to write")
    if against and against not in owe:
        raise WrongUse(f"{against[:40]!r} owes nothing", f"what is owed is owed by {', '.join(owe)}")
    debtor = against or owe[0]
    papers.add_said_line(table, author.statement("claim", debtor=debtor, owes=table.fold.seq + 1, days=days))
    return debtor


def carry(table: Table, passphrase: Passphrase | None = None) -> bool:
    """Take another seat's live resignation into the chain, where it acts; the holder's client does so by itself."""
    held = table.fold.holder
    dice_out = table.fold.batch is not None and len(table.fold.seats) > 2
    if held not in table.local or restored.read_only(table) or dice_out:
        return False
    for one in papers.said(table):
        if isinstance(one.says, record.ResignStatement) and one.says.seat != held and table.fold.asks:
            lines = table.drafted(held)
            author = table.author(passphrase, held)
            statement = canon.decode(one.raw)
            author.write("carry", {"said": {"sig": one.sig.hex(), "statement": statement}})
            if table.may_hand_over(held):
                author.handover(clock.now())
            table.store(author)
            table.draft_again(lines, held)
            return True
    return False
