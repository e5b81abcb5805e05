"""What was mailed to whom, when it is due again, and which packets wait for others: `post.json` and `held/` of a game.

Delivery is never in the way of the game: all of this can be lost, and letters are only mailed once more.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Final

from pbem import charter, log, packet
from pbem.errors import Refused
from pbem.home import Room

HOUR: Final = 3600
DAY: Final = 24 * HOUR
AGAIN_DAYS: Final = 3
REMINDERS: Final = 5
PER_DAY: Final = 12
"""Letters to one seat in 24 hours, whatever happens."""
PAUSE: Final = 6 * HOUR
"""Between two letters with the same content, unless somebody asks for one."""
FIRST_TRY: Final = 5 * 60
KEPT_TIMES: Final = 40
WAITING: Final = "waiting"
SENT: Final = "sent"
UNSURE: Final = "unsure"
REFUSED: Final = "refused"
BY_HAND: Final = "by hand"


@dataclass
class Mailed:
    """The last letter to a seat, and what is known of its answer.

    `mark` tells what of ours stood in it; `upto` is its last event; `state` one of `WAITING`, `SENT`, `UNSURE`,
    `REFUSED` for good, `BY_HAND` given to the player, or empty; `tries` counts failures to leave, `left` how often
    the same content left. `wants` is the head of a seat that has shown that it lacks something, `pressing` that it
    asked in words; `heard` is when a letter of the seat came last, `has` the event it then had; `noticed` tells which
    notices of ours have left.
    """

    mark: str = ""
    letter: str = ""
    upto: int = 0
    state: str = ""
    said: str = ""
    tries: int = 0
    left: int = 0
    next: int = 0
    wants: str = ""
    pressing: bool = False
    heard: int = 0
    has: int = 0
    noticed: str = ""
    times: list[int] = field(default_factory=list)

    def sent(self, now: int) -> None:
        self.times = [*self.times, now][-KEPT_TIMES:]

    def today(self, now: int) -> int:
        """Letters of the last 24 hours."""
        return sum(1 for one in self.times if now - DAY < one <= now)


@dataclass
class Post:
    """The correspondence of one game.

    `stamp` is what its files looked like when all was done, `signed` whether finished drafts were signed then, `due`
    the next date (0: none), `late` when a claim falls due (0: never), `told` when that was said last; `requested` says
    when a missing stretch is asked for again; `reported` is the head of the last report to oneself, `orders` the marks
    of the order mails that were read.
    """

    seats: dict[str, Mailed] = field(default_factory=dict)
    stamp: list[int] = field(default_factory=list)
    signed: bool = False
    due: int = 0
    late: int = 0
    told: int = 0
    requested: dict[str, int] = field(default_factory=dict)
    reported: str = ""
    orders: list[str] = field(default_factory=list)

    def seat(self, seat: str) -> Mailed:
        return self.seats.setdefault(seat, Mailed())


def load(room: Room) -> Post:
    """The correspondence as kept; an empty one where the file is damaged or not there."""
    try:
        doc = json.loads((room.path / "post.json").read_bytes())
        names = {one.name for one in fields(Mailed)}
        seats = {
            seat: Mailed(**{key: entry[key] for key in names & set(entry)}) for seat, entry in doc["seats"].items()
        }
        return Post(seats, **{one.name: doc[one.name] for one in fields(Post) if one.name != "seats"})
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Post()


def save(room: Room, post: Post) -> None:
    data = json.dumps(asdict(post), indent=1, sort_keys=True).encode() + b"\n"
    path = room.path / "post.json"
    if not path.exists() or path.read_bytes() != data:
        log.write_atomic(path, data, private=True)


def stamp(room: Room) -> list[int]:
    """What changes whenever the game or its book does: sizes and times of the files that matter."""
    marks: list[int] = []
    where = room.where()
    kept = ("pin.json", "papers.json", "addresses.json", "notices.json", "acts.json", "../../mail.toml")
    drafts = sorted(room.path.glob("seat-*/draft.json"))
    for path in (*([where] if where is not None else []), *(room.path / name for name in kept), *drafts):
        try:
            found = path.stat()
            marks += [found.st_size, found.st_mtime_ns]
        except OSError:
            marks += [0, 0]
    return marks


def due_again(mailed: Mailed, clock: charter.Clock | None, again_days: int) -> int:
    """When an unanswered letter leaves once more; 0 for never again.

    With a clock in the charter its reminders are spread over its days; after those, or without a clock, pauses double.
    """
    if not mailed.times or mailed.left < 1:
        return 0
    last, more = mailed.times[-1], mailed.left - 1
    if clock is not None:
        if mailed.left <= clock.reminders:
            return last + clock.days * DAY // (clock.reminders + 1)
        again_days, more = clock.days, mailed.left - clock.reminders - 1
    return last + (again_days * DAY << more) if more < REMINDERS else 0


def retry_after(tries: int) -> int:
    """Seconds until a letter that could not leave is tried again: minutes first, a day at most."""
    return min(FIRST_TRY << min(tries, 12), DAY)


# Held packets ----------------------------------------------------------------------------------------------------


def hold(room: Room, data: bytes, raw: bytes = b"") -> Path:
    """Keep a packet that cannot be used yet, and the mail it came in, until what it waits for is there."""
    path = room.path / "held" / f"{_name(data)}{packet.SUFFIX}"
    if not path.exists():
        log.write_atomic(path, data, private=True)
    if raw and not path.with_suffix(".eml").exists():
        log.write_atomic(path.with_suffix(".eml"), raw, private=True)
    return path


def let_go(room: Room, data: bytes) -> None:
    """A held packet was understood."""
    path = room.path / "held" / f"{_name(data)}{packet.SUFFIX}"
    for one in (path, path.with_suffix(".eml")):
        one.unlink(missing_ok=True)


def held(room: Room) -> Iterator[tuple[bytes, packet.Packet]]:
    """Packets that wait, those with the earliest events first."""
    found = []
    place = room.path / "held"
    for path in sorted(place.glob(f"*{packet.SUFFIX}")) if place.is_dir() else ():
        try:
            data = path.read_bytes()
            found.append((data, packet.read(data)))
        except (OSError, Refused):
            continue
    found.sort(key=lambda one: one[1].first or 0)
    yield from found


def gaps(room: Room, seq: int) -> str:
    """Which events are missing before those held, in words: `10 to 11`; empty where nothing is."""
    words: list[str] = []
    have = seq
    for _, content in held(room):
        first, last = content.first, content.last
        if first is None or last is None or last <= have:
            continue
        if first > have + 1:
            words.append(f"{have + 1}" if first == have + 2 else f"{have + 1} to {first - 1}")
        have = last
    return ", ".join(words)


def _name(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


FROM_STRANGERS: Final = 64 * 2**20
"""Bytes that the application folder keeps of mail about games that are not played here, and of invitations."""


def full(folder: Path) -> bool:
    """Whether a folder for mail of strangers holds all that it may: anybody can send more."""
    try:
        return sum(path.stat().st_size for path in folder.iterdir()) >= FROM_STRANGERS
    except OSError:
        return False


def keep_refused(root: Path, data: bytes, suffix: str, why: str) -> Path:
    """Refused things are evidence: kept in the application folder, with the reason beside them."""
    path = root / "refused" / f"{_name(data)}{suffix}"
    if not path.exists():
        log.write_atomic(path, data, private=True)
        log.write_atomic(path.with_suffix(".txt"), why.encode("utf-8", "replace") + b"\n", private=True)
    return path
