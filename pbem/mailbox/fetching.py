"""Letters arrive: from an IMAP server, a folder, Maildir or mbox, or a download folder where files are still growing.

What was seen is noted, in the application folder, after it was dealt with: a crash in between only means that a letter
is seen twice, and a letter twice changes nothing. Nothing is changed where the letters lie, unless settings say so.
"""

from __future__ import annotations

import hashlib
import imaplib
import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from pbem import log, mail
from pbem.errors import Trouble
from pbem.mail import MAX_LETTER, Letter
from pbem.mailbox import advice
from pbem.mailbox.credentials import Credential, credential
from pbem.mailbox.sending import tls
from pbem.mailbox.settings import Account, Server, missing

TIMEOUT: Final = 60
BATCH: Final = 25
BATCH_BYTES: Final = 8 * 2**20
REMEMBERED: Final = 20_000
PARTIAL: Final = (".part", ".partial", ".crdownload", ".download", ".tmp", ".opdownload", ".filepart")
QUIET: Final = 2.0
"""Seconds for which a file must not have grown before it counts as complete."""

_UID = re.compile(rb"\bUID ([0-9]{1,10})\b")
_SIZE = re.compile(rb"\bRFC822\.SIZE ([0-9]{1,12})\b")


class Seen:
    """What of one source was dealt with."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            doc = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError):
            doc = {}  # it is only a memory: without it letters are looked at again
        self.doc: dict[str, Any] = doc if isinstance(doc, dict) else {}
        self.changed = False

    def entries(self) -> dict[str, list[int]]:
        """Files by name, with size and time."""
        found = self.doc.setdefault("files", {})
        return found if isinstance(found, dict) else {}

    def known(self, raw: bytes) -> bool:
        """Whether these very bytes were dealt with before."""
        return _digest(raw) in self._letters()

    def note(self, raw: bytes) -> None:
        self._letters()[_digest(raw)] = 1
        self.changed = True

    def _letters(self) -> dict[str, int]:
        found: dict[str, int] = self.doc.setdefault("letters", {})
        while len(found) > REMEMBERED:
            del found[next(iter(found))]
        return found

    def save(self) -> None:
        if self.changed:
            log.write_atomic(self.path, json.dumps(self.doc).encode() + b"\n", private=True)
            self.changed = False


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()[:24]


Took = Callable[[bytes], bool]
"""Whether a letter, by its bytes, belonged to a game and was understood: only such ones are moved or deleted."""


def fetch(account: Account, folder: Path, now: int, took: Took = lambda raw: False) -> Iterator[Letter]:
    """The letters of an account that were not dealt with yet; `folder` holds the memory.

    A letter counts as dealt with when the next one is asked for. Raises `Trouble` where the source cannot be reached.
    """
    lacking = missing(account)
    if lacking:
        raise Trouble(f"account {account.name} lacks {', '.join(lacking)}", f"`pbem mail set {lacking[0]}=...`")
    if account.receives == "imap":
        yield from _imap(account, folder, now, took)
    elif account.receives in ("folder", "download"):
        path = Path(account.get("receive_path")).expanduser()
        seen = Seen(folder / f"{_digest(str(path.absolute()).encode())}.json")
        try:
            yield from _files(path, seen, waits=account.receives == "download")
        finally:
            seen.save()


# Files -----------------------------------------------------------------------------------------------------------


def _files(path: Path, seen: Seen, *, waits: bool) -> Iterator[Letter]:
    if not path.exists():
        raise Trouble(f"{path}: no such file or folder", "`pbem mail set receive_path=...`")
    before, now = seen.entries(), {}
    for one in _candidates(path):
        try:
            mark = _mark(one)
            name = str(one)
            if before.get(name) == mark:
                now[name] = mark
                continue
            if waits and not settled(one):
                yield Letter(name, b"", GROWING)
                continue
        except OSError as error:
            yield Letter(str(one), b"", log.why(error))
            continue
        for letter in mail.letters(one):
            if letter.trouble or not seen.known(letter.raw):
                yield letter
                if not letter.trouble:
                    seen.note(letter.raw)
        now[name] = mark
    if now != before:
        seen.doc["files"] = now
        seen.changed = True


GROWING: Final = "it is still growing or half loaded: left for the next time"


def _candidates(path: Path) -> Iterator[Path]:
    """Files to look at: a Maildir's, a folder's with its subfolders, one level; or the file itself."""
    if not path.is_dir():
        yield path
        return
    boxes = [path / "new", path / "cur"]
    folders = boxes if all(box.is_dir() for box in boxes) else [path, *_below(path)]
    for folder in folders:
        with suppress(OSError):
            yield from sorted(one for one in folder.iterdir() if not one.name.startswith(".") and one.is_file())


def _below(path: Path) -> list[Path]:
    with suppress(OSError):
        return sorted(one for one in path.iterdir() if one.is_dir() and not one.name.startswith("."))
    return []


def _mark(path: Path) -> list[int]:
    found = path.stat()
    return [found.st_size, found.st_mtime_ns]


def settled(path: Path, patience: float = 3 * QUIET) -> bool:
    """Whether a file is complete: no program's name for a half one, and as large as a moment ago."""
    if path.suffix.lower() in PARTIAL or any(path.with_name(path.name + end).exists() for end in PARTIAL):
        return False
    until = time.monotonic() + patience
    mark = _mark(path)
    while time.time() - mark[1] / 1e9 < QUIET or mark[0] == 0:
        if time.monotonic() > until:
            return False
        time.sleep(0.1)
        again = _mark(path)
        if again == mark and time.time() - again[1] / 1e9 >= QUIET:
            return mark[0] > 0
        mark = again
    return True


# IMAP ------------------------------------------------------------------------------------------------------------


@contextmanager
def imap(account: Account) -> Iterator[imaplib.IMAP4]:
    """A connection, logged in (`Trouble` with the server's own words)."""
    server = account.server("imap")
    key = credential(account, server.user)
    connection = _connected(server, account)
    try:
        _log_in(connection, key)
        yield connection
    finally:
        with suppress(imaplib.IMAP4.error, OSError):
            connection.logout()
        with suppress(OSError):
            connection.shutdown()


def _connected(server: Server, account: Account) -> imaplib.IMAP4:
    context = tls(account)
    try:
        if server.security == "tls":
            return imaplib.IMAP4_SSL(server.host, server.port, ssl_context=context, timeout=TIMEOUT)
        with ExitStack() as unless_all_is_well:
            connection = imaplib.IMAP4(server.host, server.port, timeout=TIMEOUT)
            unless_all_is_well.callback(connection.shutdown)
            if server.security == "starttls":
                connection.starttls(ssl_context=context)
            unless_all_is_well.pop_all()
        return connection
    except imaplib.IMAP4.error as error:
        words = advice.said(error)
        hint = "check port and security: 993 goes with tls, 143 with starttls"
        raise Trouble(f"{server.host} port {server.port} says: {words}", hint) from None
    except (OSError, ValueError) as error:
        raise advice.unreachable(server.host, server.port, server.security, error) from None


def _log_in(connection: imaplib.IMAP4, key: Credential) -> None:
    try:
        if key.token:
            connection.authenticate("XOAUTH2", lambda challenge: b"" if challenge else key.xoauth2().encode())
        elif key.secret.isascii() and key.user.isascii():
            connection.login(key.user, key.secret)
        else:
            plain = f"\0{key.user}\0{key.secret}".encode()
            connection.authenticate("PLAIN", lambda _: plain)
    except (imaplib.IMAP4.error, OSError) as error:
        words = key.hide(advice.said(_words(error)))
        raise Trouble(f"the server refuses the login of {key.user}: {words}", advice.about(f"login {words}")) from None


def _words(error: Exception) -> object:
    return error.args[0] if error.args else error


def folder_of(connection: imaplib.IMAP4, account: Account, *, readonly: bool) -> int:
    """Open the account's folder; its UIDVALIDITY."""
    name = account.get("imap_folder", "INBOX")
    try:
        status, answer = connection.select(_quoted(name), readonly=readonly)
    except imaplib.IMAP4.error as error:
        status, answer = "NO", [str(error).encode()]
    if status != "OK":
        words = advice.said(answer)
        raise Trouble(f"folder {name}: {words}", advice.about(words))
    valid = connection.response("UIDVALIDITY")[1]
    return int(valid[0]) if valid and valid[0] and valid[0].isdigit() else 0


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _imap(account: Account, folder: Path, now: int, took: Took) -> Iterator[Letter]:
    server, box = account.server("imap"), account.get("imap_folder", "INBOX")
    mark = _digest(f"{server.host}:{server.port} {server.user} {box}".encode())
    seen = Seen(folder / f"{mark}.json")
    after = account.get("imap_after", "keep")
    try:
        with imap(account) as connection:
            valid = folder_of(connection, account, readonly=after == "keep")
            if seen.doc.get("validity") != valid:
                seen.doc |= {"validity": valid, "uid": 0}
                seen.changed = True
            for uid, letter in _new_mail(connection, seen, account, now):
                yield letter
                if after != "keep" and letter.raw and took(letter.raw):
                    _put_away(connection, uid, after)
                seen.doc["uid"] = max(uid, seen.doc["uid"])
                seen.changed = True
    except imaplib.IMAP4.error as error:
        raise Trouble(f"{server.host} says: {advice.said(_words(error))}", "try again later") from None
    except OSError as error:
        raise advice.unreachable(server.host, server.port, server.security, error) from None
    finally:
        seen.save()


def _new_mail(connection: imaplib.IMAP4, seen: Seen, account: Account, now: int) -> Iterator[tuple[int, Letter]]:
    """Mails with a number above the last one seen, oldest first; the first time those of the last days."""
    last = int(seen.doc["uid"])
    since = datetime.fromtimestamp(now, UTC) - timedelta(days=account.number("imap_days", 30))
    wanted = ("UID", f"{last + 1}:*") if last else ("SINCE", _imap_date(since))
    found = _ok(connection.uid("SEARCH", *wanted))
    uids = sorted({int(uid) for part in found if isinstance(part, bytes) for uid in part.split() if uid.isdigit()})
    uids = [uid for uid in uids if uid > last]
    sizes = _sizes(connection, uids)
    for batch in _batches(uids, sizes):
        if sizes.get(batch[0], 0) > MAX_LETTER:
            over = f"larger than {MAX_LETTER // 2**20} MiB: not fetched; save the attachment by itself"
            yield batch[0], Letter(f"mail {batch[0]}", b"", over)
            continue
        bodies = _bodies(connection, batch)
        for uid in batch:
            if uid in bodies:
                yield uid, Letter(f"mail {uid}", bodies[uid])


_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _imap_date(day: datetime) -> str:
    """`05-Feb-2025`, in English whatever language this machine speaks [RFC 9051]."""
    return f"{day.day:02}-{_MONTHS[day.month - 1]}-{day.year}"


def _sizes(connection: imaplib.IMAP4, uids: Sequence[int]) -> dict[int, int]:
    sizes: dict[int, int] = {}
    for at in range(0, len(uids), 500):
        for part in _ok(connection.uid("FETCH", _set(uids[at : at + 500]), "(UID RFC822.SIZE)")):
            if isinstance(part, bytes) and (uid := _UID.search(part)) and (size := _SIZE.search(part)):
                sizes[int(uid[1])] = int(size[1])
    return sizes


def _batches(uids: Sequence[int], sizes: dict[int, int]) -> Iterator[list[int]]:
    """So many mails at a time as are neither too many nor too much; a huge one by itself."""
    batch: list[int] = []
    total = 0
    for uid in uids:
        size = sizes.get(uid, 0)
        if batch and (len(batch) >= BATCH or total + size > BATCH_BYTES):
            yield batch
            batch, total = [], 0
        batch.append(uid)
        total += size
    if batch:
        yield batch


def _bodies(connection: imaplib.IMAP4, uids: Sequence[int]) -> dict[int, bytes]:
    """Mails by number, without marking them as read."""
    bodies: dict[int, bytes] = {}
    answer = _ok(connection.uid("FETCH", _set(uids), "(UID BODY.PEEK[])"))
    for place, part in enumerate(answer):
        if isinstance(part, tuple) and len(part) == 2:
            tail = answer[place + 1] if place + 1 < len(answer) else b""
            uid = _UID.search(part[0]) or (_UID.search(tail) if isinstance(tail, bytes) else None)
            if uid:
                bodies[int(uid[1])] = part[1]
    return bodies


def _put_away(connection: imaplib.IMAP4, uid: int, after: str) -> None:
    """Delete a letter that was taken in, or move it, as the player wishes. Trouble here loses nothing."""
    with suppress(imaplib.IMAP4.error):
        if after != "delete":
            status, _ = connection.uid("COPY", str(uid), _quoted(after))
            if status != "OK":
                return
        connection.uid("STORE", str(uid), "+FLAGS.SILENT", "(\\Deleted)")
        offers = b" ".join(one for one in connection.capability()[1] if isinstance(one, bytes))
        if b"UIDPLUS" in offers.upper().split():  # else the next program that tidies up removes it
            connection.uid("EXPUNGE", str(uid))


def _set(uids: Sequence[int]) -> str:
    return ",".join(map(str, uids))


def _ok(answer: tuple[str, list[Any]]) -> list[Any]:
    status, data = answer
    if status != "OK":
        raise imaplib.IMAP4.error(advice.said(data))
    return data
