"""Orders in a mail to oneself: between two marker lines, under comment lines, above any signature or disclaimer.

The first marker names the game and the position it was written for. Only a mail report to oneself holds the word that
lets orders be signed without being looked at; all others become a draft.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from typing import Final

from pbem import log, mail
from pbem.errors import Trouble, WrongUse
from pbem.home import Room
from pbem.script import Line

MAX_LINES: Final = 500

_DASHES = r"[=\u2550]{2,10}"
_BLANK = "[ \t\u00a0]"
_QUOTES = re.compile(rf"^(?:{_BLANK}*[>|])+{_BLANK}?")
_BEGIN = re.compile(
    rf"{_DASHES}{_BLANK}*pbem{_BLANK}+orders{_BLANK}+([0-9a-f]{{8}}){_BLANK}+([0-9a-f]{{8}})"
    rf"(?:{_BLANK}+([0-9a-f]{{16}}))?{_BLANK}*{_DASHES}",
    re.IGNORECASE,
)
_END = re.compile(rf"{_DASHES}{_BLANK}*end{_BLANK}+of{_BLANK}+orders{_BLANK}*{_DASHES}", re.IGNORECASE)
_COMMENT = ("#", "//", ";")


@dataclass(frozen=True)
class Block:
    """The orders of one block: for which game and position, with which word, and the lines."""

    game: str
    head: str
    word: str
    lines: tuple[Line, ...]
    whole: bool


def template(game: str, head: str, word: str = "") -> str:
    """The two marker lines, to be put into a report."""
    named = f"{game[:8]} {head[:8]}" + (f" {word}" if word else "")
    return f"== pbem orders {named} ==\n# one order a line\n== end of orders ==\n"


def blocks(letter: mail.Letter) -> list[Block]:
    """The blocks of orders in a letter; of two for one position the first that holds any."""
    if b"orders" not in letter.raw.lower() and b"base64" not in letter.raw.lower():
        return []
    found: dict[tuple[str, str], Block] = {}
    for text in mail.texts(letter):
        for block in _in_text(text):
            place = (block.game, block.head)
            if place not in found or (block.lines and not found[place].lines):
                found[place] = block
    return [block for block in found.values() if block.lines]


def _in_text(text: str) -> list[Block]:
    found: list[Block] = []
    lines = [_QUOTES.sub("", line).strip(" \t\u00a0") for line in text.splitlines()]
    begin: re.Match[str] | None = None
    inside: list[Line] = []
    for line in lines:
        opened = _BEGIN.search(line)
        if opened is not None or (begin is not None and _END.search(line)):
            if begin is not None:
                found.append(_block(begin, inside, whole=opened is None))
            begin, inside = opened, []
        elif begin is not None and line and not line.startswith(_COMMENT) and len(inside) < MAX_LINES:
            inside.append(Line(len(inside) + 1, line.replace("\u00a0", " ")))
    if begin is not None:
        found.append(_block(begin, inside, whole=False))
    return found


def _block(begin: re.Match[str], lines: list[Line], *, whole: bool) -> Block:
    return Block(begin[1].lower(), begin[2].lower(), (begin[3] or "").lower(), tuple(lines), whole)


def word(room: Room, head: str) -> str:
    """The word that a report to oneself holds for one position. Only this machine can know it."""
    path = room.path / "orders.key"
    if not path.exists():
        log.write_atomic(path, secrets.token_bytes(32), private=True)
    try:
        return hmac.new(path.read_bytes(), head.encode(), hashlib.sha256).hexdigest()[:16]
    except OSError as error:
        raise Trouble(f"{path}: {log.why(error)}") from None


def check(block: Block, room: Room, head: str) -> bool:
    """Whether the block may be signed; `WrongUse` where it is cut, or for another position."""
    if not block.whole:
        raise WrongUse("the orders have no end line", "put `== end of orders ==` under the last one and send it again")
    if block.head != head[:8]:
        raise WrongUse(
            f"the orders were written for the position {block.head}; the game stands at {head[:8]} now",
            "answer the newest report",
        )
    return bool(block.word) and hmac.compare_digest(block.word, word(room, head))
