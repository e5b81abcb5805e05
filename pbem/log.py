"""Game files on disk: read as a stream, appended to atomically, locked against a second process.

A file is never changed in place: the new content is written beside it, synced, and moved over the old one.
So a crash leaves the old file or the new one, and a torn tail can only come from outside (a copy, a mail, a disk).
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from pbem import canon
from pbem.errors import Incomplete, Refused, Trouble

SUFFIX: Final = ".pbem"
LONGEST: Final = canon.MAX_BYTES + 256
"""Bytes of the longest line worth reading: a document of the greatest size, its word and its signature."""


def lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Numbered lines of a file, each with its LF, however long the file is.

    Raises `Refused(E_SIZE)` for a line no event can have, `Incomplete` for a tail that is torn or zero-filled.
    """
    number = 0
    while line := _next(stream):
        number += 1
        if line.endswith(b"\n"):
            yield number, line
        elif len(line) >= LONGEST and line.strip(b"\0"):
            raise Refused("E_SIZE", f"line {number} is longer than any event", "is this a game file?")
        else:
            raise torn(number, line)


def _next(stream: IO[bytes]) -> bytes:
    try:
        return stream.readline(LONGEST)
    except OSError as error:
        raise Trouble(f"the file cannot be read: {why(error)}", "copy it from the other player or a backup") from None


def torn(number: int, tail: bytes) -> Incomplete:
    """What to say of a last line without an end."""
    what = "zeros" if not tail.strip(b"\0") else "a cut line"
    return Incomplete(
        f"line {number} is {what}: the file was damaged or copied before it was complete",
        "`pbem verify FILE --repair COPY` writes the sound lines to a new file; the other player has the rest",
    )


def open_for_reading(path: Path) -> IO[bytes]:
    """Open a game file; a missing one or a folder is `Trouble`."""
    try:
        return path.open("rb")
    except IsADirectoryError:
        raise Trouble(f"{path} is a folder, not a game file") from None
    except OSError as error:
        raise Trouble(f"{path}: {why(error)}", "give the path of a .pbem file") from None


def why(error: OSError) -> str:
    """The system's own reason, in lower case."""
    return (error.strerror or str(error)).lower()


def write_atomic(path: Path, data: bytes, *, private: bool = False) -> None:
    """Put `data` at `path`, all of it or nothing: written beside it, synced, renamed.

    `private` files can be read by their owner only. Raises `Trouble` (full disk, read-only folder); the old file stays.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", suffix=".tmp", dir=path.parent)
    except OSError as error:
        raise Trouble(f"{path.parent}: {why(error)}", "nothing was changed") from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(_mode(path, private))
        Path(name).replace(path)
    except OSError as error:
        with suppress(OSError):
            Path(name).unlink(missing_ok=True)
        raise Trouble(f"{path}: {why(error)}", "nothing was changed; make room or close other programs") from None
    sync_folder(path.parent)


def _mode(path: Path, private: bool) -> int:
    """A file that is there keeps its mode; a new private one is the owner's alone."""
    if private:
        return 0o600
    return path.stat().st_mode & 0o777 if path.exists() else 0o644


def sync_folder(folder: Path) -> None:
    """Make a rename durable, where the system knows how."""
    if os.name == "nt":
        return
    with suppress(OSError):  # some folders cannot be read or synced; the rename itself is done
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def create(path: Path, data: bytes) -> None:
    """Write a new game file; one that is there already is never overwritten."""
    if path.exists():
        raise Trouble(f"{path} exists already", "choose another name, or remove it yourself")
    write_atomic(path, data)


def append(path: Path, data: bytes) -> None:
    """Add lines to a game file, durably: afterwards it holds all of them or none."""
    with open_for_reading(path) as stream:
        old = stream.read()
    write_atomic(path, old + data)


@dataclass(frozen=True, slots=True)
class Repaired:
    """The sound beginning of a damaged file: its lines, and where the damage starts."""

    data: bytes
    lines: int
    lost_bytes: int


def sound_lines(path: Path) -> Repaired:
    """Every complete line of a file with a torn tail."""
    kept = bytearray()
    count = 0
    with open_for_reading(path) as stream:
        try:
            for _, line in lines(stream):
                kept += line
                count += 1
        except (Incomplete, Refused):
            pass
        stream.seek(0, os.SEEK_END)
        size = stream.tell()
    return Repaired(bytes(kept), count, size - len(kept))


class Busy(Trouble):
    """Another process of this program works on the game."""


@contextmanager
def lock(path: Path) -> Iterator[None]:
    """Keep other processes of this program away from one game. Raises `Trouble` at once if one is at work.

    The system drops the lock when its process ends, however it ends.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        stream = path.open("a+b")
    except OSError as error:
        raise Trouble(f"{path}: {why(error)}") from None
    with stream:
        if not _try_lock(stream):
            raise Busy("another pbem is working on this game", "wait until it is done, then try again")
        try:
            yield
        finally:
            _unlock(stream)


if os.name == "nt":  # pragma: no cover - the other branch is the one tested here
    import msvcrt

    def _try_lock(stream: IO[bytes]) -> bool:
        stream.seek(0)
        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            return False
        return True

    def _unlock(stream: IO[bytes]) -> None:
        stream.seek(0)
        msvcrt.locking(stream.fileno(), msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined,unused-ignore]

else:
    import fcntl

    def _try_lock(stream: IO[bytes]) -> bool:
        try:
            fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def _unlock(stream: IO[bytes]) -> None:
        fcntl.flock(stream.fileno(), fcntl.LOCK_UN)
