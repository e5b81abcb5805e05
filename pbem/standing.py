"""How the mail of a game stands: what each seat has, what was mailed, what is late, what is missing. In words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from pbem import addresses, correspondence
from pbem.correspondence import DAY, REFUSED, UNSURE, WAITING, Mailed, Post
from pbem.home import Room
from pbem.replay import Fold


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
        away = addresses.away(room).get(seat, "")
        if away >= day(now):
            words.append(f"away until {away}")
        yield "; ".join(words)
    lacking = correspondence.gaps(room, fold.seq)
    if lacking:
        yield f"missing here: events {lacking}; later ones are held; `pbem request FILE` asks for them"


def _when(at: int) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"


def late(fold: Fold, mails: Post, local: Sequence[str], now: int) -> str:
    """Who has let the agreed days pass, in words; nothing where the charter has no clock."""
    clock, holder = fold.game.charter.clock, fold.holder
    mailed = mails.seats.get(holder)
    if clock is None or fold.closed or not holder or holder in local or mailed is None or not mailed.times:
        return ""
    since = max(mailed.times[-mailed.left :][0] if mailed.left else mailed.times[-1], 0)
    days = (now - since) // DAY
    if days <= clock.days:
        return ""
    owed = f"{holder} has owed event {fold.seq + 1} for {days} days; {clock.days} are agreed"
    return f"{owed}: `pbem claim FILE --days {days}`"


def day(now: int) -> str:
    """The day, as it is written in the address book."""
    return f"{datetime.fromtimestamp(now, UTC):%Y-%m-%d}"
