"""Acts that wait for consent, in letters: whoever makes one mails it with his next letter, and others pass it on.

An act is a proposal and no event: it stands in letters and in the application folder, never in a game file, and it
decides nothing before all have agreed. One that was made for another place of the game has lapsed, and is dropped.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from pbem import log, remedy
from pbem.errors import PbemError, Refused
from pbem.home import Room
from pbem.remedy import Act
from pbem.table import Table

FILE: Final = "acts.json"
MOST: Final = 8
"""Acts that are kept for a game, the newest."""

_BLOCK: Final = re.compile(r"== pbem act ==([A-Za-z0-9+/=\s>|]{1,200000}?)== end of act ==")
_WIDTH: Final = 64


@dataclass(frozen=True, slots=True)
class Waiting:
    """An act as it is kept: `own` if it was made on this machine."""

    act: Act
    file: bytes
    own: bool


# What is kept ----------------------------------------------------------------------------------------------------


def live(table: Table) -> list[Waiting]:
    """The acts that fit the game as it stands, the oldest first."""
    return [one for one in _kept(table.room) if _fits(table, one.act)]


def _fits(table: Table, act: Act) -> bool:
    try:
        remedy.check(table, act)
    except PbemError:
        return False
    return True


def keep(table: Table, act: Act, file: bytes, *, own: bool) -> None:
    """Keep an act for the letters of this game; those that have lapsed go."""
    rest = [one for one in live(table) if one.file != file]
    kept = [*rest, Waiting(act, file, own)][-MOST:]
    doc = {"acts": [{"act": one.file.decode(), "own": one.own} for one in kept]}
    log.write_atomic(table.room.path / FILE, json.dumps(doc, indent=1).encode() + b"\n", private=True)


def own(table: Table) -> list[bytes]:
    """Those that were made here: news for whoever has not had them."""
    return [one.file for one in live(table) if one.own]


def _kept(room: Room) -> Iterator[Waiting]:
    try:
        doc = json.loads((room.path / FILE).read_bytes())
        entries = [(str(one["act"]).encode(), one["own"] is True) for one in doc["acts"]]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return  # they come again with other letters
    for file, own_ in entries:
        try:
            yield Waiting(remedy.read(file), file, own_)
        except PbemError:
            continue


# In letters ------------------------------------------------------------------------------------------------------


def text(table: Table) -> str:
    """What a letter says of them, in words and as blocks; empty where nothing waits."""
    lines: list[str] = []
    for one in live(table):
        data = base64.b64encode(one.file).decode()
        folded = [data[at : at + _WIDTH] for at in range(0, len(data), _WIDTH)]
        lines.append(f"Waits for the consent of {_whose(table, one.act)}: take the letter in, `pbem consent FILE`.")
        lines += [*(f"  {line}" for line in remedy.words(table, one.act)), "== pbem act ==", *folded]
        lines += ["== end of act ==", ""]
    return "\n".join(lines)


def standing(table: Table) -> Iterator[str]:
    """How each act stands here, in words: who has to agree still, or who writes it."""
    file = table.path.name
    for one in live(table):
        act = one.act
        agreed = remedy.given(table, act)
        missing = [seat for seat in remedy.parties(table.fold, act) if seat not in agreed]
        if set(missing) & {*table.local, *table.room.seats()}:
            yield f"waits for your consent: {act.name}; `pbem consent {file}` says what it means"
        elif missing:
            yield f"waits for the consent of {', '.join(missing)}: {act.name}"
        elif act.by in table.local:
            yield f"all have agreed to {act.name}: `pbem consent {file}` writes it"
        else:
            yield f"all have agreed to {act.name}: {act.by} writes it"


def _whose(table: Table, act: Act) -> str:
    return ", ".join(remedy.parties(table.fold, act)) or act.by


def take(table: Table, texts: Iterable[str]) -> list[str]:
    """Take in the acts in the texts of a letter: what is new, in words. Those that do not fit the game are told."""
    said: list[str] = []
    known = {one.file for one in _kept(table.room)}
    for one in texts:
        for block in _BLOCK.findall(one)[:MOST]:
            try:
                file = base64.b64decode(re.sub(r"[\s>|]", "", block), validate=True)
                act = remedy.read(file)
                if file in known or act.game != table.fold.game.id:
                    continue
                known.add(file)
                remedy.check(table, act)
            except (ValueError, binascii.Error):
                continue
            except Refused as error:
                said.append(f"an act came with it that does not fit the game as it stands here: {error}")
                continue
            except PbemError:
                continue
            keep(table, act, file, own=False)
            said += [f"waits for the consent of {_whose(table, act)}: {line}" for line in remedy.words(table, act)[:1]]
            said.append(f"`pbem consent {table.path.name}` says what it means, and agrees")
    return said
