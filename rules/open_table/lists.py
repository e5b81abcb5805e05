"""Lists that players write: `Ambush x2, Supply` for a deck, `hill 5, river 3` for chits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from pbem.canon import check_text
from pbem.errors import Refused

MAX_CARD = 40  # [OT-6.1]
_COPIES = re.compile(r"(.*\S)\s+[xX]\s?([0-9]{1,3})")
_NUMBER = re.compile(r"(.*\S)\s+([0-9]{1,4})")


class BadList(ValueError):
    """What is wrong with a list, in words."""


def cards(text: str) -> list[str]:
    """The cards of a list, every copy. Raises `BadList`."""
    return _all(text, _COPIES)


def chits(text: str) -> list[str]:
    """The area of every chit of a list. Raises `BadList`."""
    return _all(text, _NUMBER)


def _all(text: str, many: re.Pattern[str]) -> list[str]:
    found: list[str] = []
    for part in text.split(","):
        words = " ".join(part.split())
        several = many.fullmatch(words)
        name, copies = (several[1], int(several[2])) if several else (words, 1)
        fault = wrong_name(name)
        if fault or not copies:
            raise BadList(fault or f"no copy of {name}")
        found += [name] * copies
    return found


def wrong_name(name: str) -> str:
    """What is wrong with the name of a card or area; empty: nothing."""
    if not name:
        return "a name is empty"
    if len(name) > MAX_CARD:
        return f"{name[:MAX_CARD]}... has {len(name)} characters: at most {MAX_CARD}"
    if "/" in name or "," in name:
        return f"{name} has a / or comma in it"
    try:
        check_text(name)
    except Refused as bad:
        return f"{name}: {bad.what}"
    return ""


def counted(names: Iterable[str]) -> str:
    """`Ambush x2, Supply`, in alphabetical order."""
    return ", ".join(name if number == 1 else f"{name} x{number}" for name, number in sorted(Counter(names).items()))


def near_key(name: str) -> str:
    """How names are compared: in any case, however many blanks are between words."""
    return " ".join(name.split()).casefold()
