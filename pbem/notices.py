"""Notices: what a player lets the others of a game know beside it, his mail address and when he is away.

A notice is signed by its seat, stands in letters and in the application folder, never in a game file, and decides
nothing about the game. Whoever has one passes it on with his own letters: the signature is the consent to that.
Only the newest of each seat counts.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Annotated, Any, Final, Literal

from pydantic import Field

from pbem import addresses, canon, keys, log, mail, record
from pbem.api import Many
from pbem.author import Author
from pbem.errors import PbemError, Refused, WrongUse
from pbem.home import Room
from pbem.record import Hash, SeatId, Seconds, Strict
from pbem.replay import Fold

FILE: Final = "notices.json"
LONGEST_ABSENCE: Final = 366
"""Days. A longer one would be a way to owe nothing to anybody."""

MARK: Final = b"pbem notice"
_BLOCK: Final = re.compile(r"== pbem notice ==([A-Za-z0-9+/=\s>|]{1,4000}?)== end of notice ==")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_WIDTH: Final = 64


class Notice(Strict):
    """`at` is seconds since 1970 by its author's clock; `away` the first and the last day of an absence."""

    v: Literal[1]
    kind: Literal["notice"]
    game: Hash
    seat: SeatId
    at: Seconds
    address: str | None = None
    away: Annotated[Many[str], Field(min_length=2, max_length=2)] | None = None


def write(author: Author, room: Room, now: int, **changes: object) -> Notice:
    """Sign a seat's notice: its last one with these changes, None removes one. It leaves with the next letter."""
    old = kept(room).get(author.seat)
    last = old.model_dump(exclude_none=True) if old is not None else {}
    doc: canon.Doc = {
        **last,
        **changes,
        "v": 1,
        "kind": "notice",
        "game": author.fold.game.id,
        "seat": author.seat,
        "at": max(now, old.at + 1 if old is not None else 0),
    }
    doc = {name: list(value) if isinstance(value, tuple) else value for name, value in doc.items() if value is not None}
    notice = _sound(doc)
    raw = canon.encode(doc)
    _keep(room, author.seat, f"{author.key.sign(keys.NOTICE, raw).hex()} {raw.decode()}")
    return notice


def _sound(doc: Any) -> Notice:
    """A notice with a usable address and real days (`WrongUse`)."""
    try:
        notice = record.parse(Notice, doc)
    except Refused as error:
        raise WrongUse(error.what) from None
    if notice.address is not None and mail.address(notice.address)[1] != notice.address:
        raise WrongUse("a notice holds a bare mail address", "write it as red@example.org")
    if notice.away is not None:
        first, last = (day(one) for one in notice.away)
        if not first <= last <= first + timedelta(days=LONGEST_ABSENCE):
            raise WrongUse(f"an absence ends after it begins, and within {LONGEST_ABSENCE} days")
    return notice


def day(text: str) -> date:
    """`2027-08-15` as a day (`WrongUse`)."""
    try:
        if not _DAY.fullmatch(text):
            raise ValueError
        return date.fromisoformat(text)
    except ValueError:
        raise WrongUse(f"{text[:20]!r} is no day", "write it as 2027-08-15") from None


# In letters ------------------------------------------------------------------------------------------------------


def text(room: Room) -> str:
    """What a letter says of them, in words and as blocks; empty where there is nothing to say."""
    lines: list[str] = []
    for seat, one in sorted(_lines(room).items()):
        notice = _read(one)
        if notice is None:
            continue
        data = base64.b64encode(one.encode()).decode()
        folded = [data[at : at + _WIDTH] for at in range(0, len(data), _WIDTH)]
        lines += [*_words(seat, notice), "== pbem notice ==", *folded, "== end of notice ==", ""]
    return "\n".join(lines)


def _words(seat: str, notice: Notice) -> list[str]:
    said = [f"{seat} is mailed at {notice.address}."] if notice.address else []
    if notice.away:
        said.append(f"{seat} is away from {notice.away[0]} to {notice.away[1]}.")
    return said or [f"{seat} is there."]


def take(fold: Fold, room: Room, texts: Iterable[str]) -> list[str]:
    """Take in the notices in the texts of a letter: what is new, in words. Forged, foreign and old ones are ignored."""
    said: list[str] = []
    for one in texts:
        for block in _BLOCK.findall(one)[: 2 * len(fold.keys)]:
            said += _take(fold, room, re.sub(r"[\s>|]", "", block))
    return said


def _take(fold: Fold, room: Room, block: str) -> list[str]:
    try:
        line = base64.b64decode(block, validate=True).decode("utf-8")
        sig, _, raw = line.partition(" ")
        doc = canon.decode(raw.encode())
        notice = _sound(doc)
        if notice.game != fold.game.id or notice.seat not in fold.keys or notice.seat in room.seats():
            return []
        fold.keys[notice.seat].check(keys.NOTICE, raw.encode(), bytes.fromhex(sig))
    except (PbemError, ValueError, binascii.Error):
        return []
    old = kept(room).get(notice.seat)
    if old is not None and old.at >= notice.at:
        return []
    _keep(room, notice.seat, line)
    return [*_news(room, notice, old)]


def _news(room: Room, notice: Notice, old: Notice | None) -> Iterable[str]:
    if notice.address and notice.address != (old.address if old is not None else None):
        known = addresses.book(room).get(notice.seat, "")
        if addresses.learn(room, notice.seat, notice.address):
            yield f"{notice.seat} is mailed at {notice.address}; noted in the address book of this game"
        elif known and known.lower() != notice.address.lower():
            yield f"{notice.seat} would be mailed at {notice.address}, and is mailed at {known}"
    if notice.away and notice.away != (old.away if old is not None else None):
        yield f"{notice.seat} is away from {notice.away[0]} to {notice.away[1]}"


# What is kept ----------------------------------------------------------------------------------------------------


def kept(room: Room) -> dict[str, Notice]:
    """The newest notice of each seat."""
    found = ((seat, _read(line)) for seat, line in _lines(room).items())
    return {seat: notice for seat, notice in found if notice is not None}


def own(room: Room) -> list[bytes]:
    """Those written here."""
    return [line.encode() for seat, line in sorted(_lines(room).items()) if seat in room.seats()]


def absences(room: Room, seat: str) -> list[tuple[date, date]]:
    """First and last days on which a seat is away: by its own notice, or as somebody noted it here."""
    found: list[tuple[date, date]] = []
    notice = kept(room).get(seat)
    if notice is not None and notice.away is not None:
        found.append((day(notice.away[0]), day(notice.away[1])))
    noted = addresses.away(room).get(seat, "")
    if _DAY.fullmatch(noted):
        found.append((date.min, day(noted)))
    return found


def _read(line: str) -> Notice | None:
    try:
        return _sound(canon.decode(line.partition(" ")[2].encode()))
    except PbemError:
        return None


def _lines(room: Room) -> dict[str, str]:
    try:
        doc = json.loads((room.path / FILE).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}  # they come again with other letters
    return {seat: line for seat, line in doc.items() if isinstance(line, str)} if isinstance(doc, dict) else {}


def _keep(room: Room, seat: str, line: str) -> None:
    doc = {**_lines(room), seat: line}
    log.write_atomic(room.path / FILE, json.dumps(doc, indent=1, sort_keys=True).encode() + b"\n", private=True)
