"""Files that only a heal opens again: another branch put in the place of what it gives up."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from pbem import (
    log,
    record,
    verify,
)
from pbem.errors import Refused
from pbem.home import Room
from pbem.ruleset import Folders, rules_for


def mend(path: Path, lines: Sequence[bytes], components: Folders = None) -> bool:
    """Put events with a `heal` into a game file, also in place of what stands there: whether that was possible.

    Every event of the file that is not in the other branch must be given up by name, and the whole must be sound.
    """
    events = [record.read_event(line) for line in lines]
    if not any(event.kind == "heal" for event in events):
        return False
    head, own = [], []
    with log.open_for_reading(path) as stream:
        for _, line in log.lines(stream):
            if line.startswith(b"pbem1 "):
                own.append(line)
            elif not line.startswith(b"said "):
                head.append(line)
    data = b"".join([*head, *own[: events[0].seq - 1], *lines])
    reading = verify.read(io.BytesIO(data), lambda game: rules_for(game, components))
    fold, sound = reading.fold, reading.stopped is None and reading.unjudged is None
    if fold is None or not sound:
        return False
    ids = [record.read_event(line).id for line in own]
    gone = [one for seq, one in enumerate(ids, 1) if seq > fold.seq or one != fold.ids.id(seq)]
    if not set(gone) <= fold.lost_ids:
        return False
    log.write_atomic(path, data)  # the pin comes after it: what it names is given up in this very file
    return True


def mend_refused(path: Path, room: Room, lines: Sequence[bytes], components: Path | None) -> None:
    """A file that the rules of this release refuse cannot be opened: a letter with a heal mends it before that."""
    if any(b'"kind":"heal"' in line for line in lines):
        with room.lock():
            folders = [*([components] if components else []), *room.components()]
            with log.open_for_reading(path) as stream:
                reading = verify.read(stream, lambda game: rules_for(game, folders))
            stopped = reading.stopped
            if isinstance(stopped, Refused) and stopped.code not in verify.CHAIN_CODES:
                mend(path, lines, folders)
