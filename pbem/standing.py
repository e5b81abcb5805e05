"""How the mail of a game stands: what each seat has, what was mailed, what is late, what is missing. In words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from pbem import addresses, appeals, charter, correspondence, notices, papers, record
from pbem.correspondence import DAY, REFUSED, SENT, UNSURE, WAITING, Mailed, Post
from pbem.home import Room
from pbem.replay import Fold
from pbem.table import Table


def lines(room: Room, fold: Fold, now: int) -> Iterator[str]:
    """How the mail of a game stands, seat by seat, in words."""
    mails, book = correspondence.load(room), addresses.book(room)
    local = room.seats()
    for seat in fold.seats:
        if seat in local:
            continue
        mailed = mails.seats.get(seat, Mailed())
        has = max(mailed.has, fold.last_of[seat])
        words = [f"{seat} <{book[seat]}>" if seat in book else f"{seat}: no address known", f"has event {has}"]
        if mailed.state:
            last = f" {_when(mailed.times[-1])}" if mailed.times else ""
            again = f", again {_when(mailed.next)}" if mailed.next > now else ""
            words.append(f"letter up to event {mailed.upto} {mailed.state}{last}{again}")
        if mailed.state in (WAITING, UNSURE, REFUSED):
            words.append(mailed.said)
        away = away_until(room, seat, now)
        if away:
            words.append(f"away until {away}")
        yield "; ".join(words)
    lacking = correspondence.gaps(room, fold.seq)
    if lacking:
        yield f"missing here: events {lacking}; later ones are held; `pbem request FILE` asks for them"


def _when(at: int) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"


@dataclass(frozen=True, slots=True)
class Late:
    """A debt under the charter's clock: whose, since when, how many days of it he was there, and when a claim is due.

    Days of an absence that was made known do not count.
    """

    debtor: str
    owes: int
    days: int
    away: int
    agreed: int
    due: int

    def __str__(self) -> str:
        absent = f", and {self.away} more away" if self.away else ""
        return f"{self.debtor} has owed event {self.owes} for {self.days} days{absent}; {self.agreed} are agreed"


def late(table: Table, mails: Post, now: int) -> Late | None:
    """What another owes by the charter's clock; None where it has none, or a claim says it already.

    The debt counts from the handover, by the clock of whoever handed over, and not before our own letter about it left;
    a claim is not due before the agreed reminders have left too.
    """
    fold, owe = table.fold, appeals.debtors(table)
    clock = record.parse(charter.Clock, fold.terms["clock"]) if fold.terms.get("clock") else None
    if clock is None or not table.seat or not owe:
        return None
    if table.seat not in fold.in_game or _claimed(table):
        return None
    debtor = owe[0]
    mailed = mails.seats.get(debtor, Mailed())
    ours = mailed.times[-mailed.left :][0] if mailed.state == SENT and mailed.left and mailed.times else 0
    since = max(min(fold.handed_at, now), ours)
    if not since:
        return None
    gone = notices.absences(table.room, debtor)
    passed = (_date(now) - _date(since)).days
    away = sum(is_away(gone, _date(since) + timedelta(days=one)) for one in range(1, passed + 1))
    due, there = since, 0
    for one in range(1, clock.days + 2 + notices.LONGEST_ABSENCE):
        there += not is_away(gone, _date(since) + timedelta(days=one))
        if there > clock.days:
            due = since + one * DAY
            break
    else:
        return None
    if ours and mailed.left <= clock.reminders and mailed.next:
        due = max(due, mailed.next + DAY)
    return Late(debtor, fold.seq + 1, passed - away, away, clock.days, due)


def _claimed(table: Table) -> bool:
    """Whether a claim of ours about this very debt stands."""
    ours = (one.says for one in papers.said(table) if one.says.seat in table.local)
    return any(isinstance(says, record.ClaimStatement) for says in ours)


def is_away(gone: Sequence[tuple[date, date]], one: date) -> bool:
    return any(first <= one <= last for first, last in gone)


def away_until(room: Room, seat: str, now: int) -> str:
    """The last day of an absence of a seat that goes on now, or nothing."""
    today = _date(now)
    return max((str(last) for first, last in notices.absences(room, seat) if first <= today <= last), default="")


def _date(at: int) -> date:
    return datetime.fromtimestamp(at, UTC).date()


def day(now: int) -> str:
    """The day, as it is written in the address book."""
    return f"{datetime.fromtimestamp(now, UTC):%Y-%m-%d}"
