"""How the parts of an order are written: names, counters joined by `+`, paths, set-up lines, fates of units."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

from pydantic import AfterValidator, Field

from rules.kit.orders import BREAK, Choice, Number, SlotType, Words, WrittenOrder

_TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9/#._'-]{0,79}\Z")


def _token(text: str) -> str:
    if not _TOKEN.match(text):
        raise ValueError("not a name")
    return text


JOINTS = frozenset(
    {
        *("with", "to", "take", "using", "at", "box", "road", "leaders", "second", "paying", "aside"),
        *("in", "on", "if", "unless", "first"),
    }
)
"""Words of usages, which are no names."""

Token = Annotated[str, AfterValidator(_token)]
Stack = Annotated[tuple[Token, ...], Field(strict=False, min_length=1)]


class Name:
    """The id of a space, card, counter or leader; names in quotes have become ids before."""

    def __init__(self, about: str) -> None:
        self.about = about

    def read(self, words: Words, i: int) -> Iterator[tuple[str, int]]:
        if i < len(words) and _TOKEN.match(words[i]) and words.folded[i] not in JOINTS:
            yield words[i], i + 1

    def show(self, value: str) -> str:
        return value


class Joined:
    """Ids joined by one sign: counters by `+`, the spaces of a path by `-`."""

    def __init__(self, sign: str, least: int, about: str) -> None:
        self.sign, self.least, self.about = sign, least, about

    def read(self, words: Words, i: int) -> Iterator[tuple[tuple[str, ...], int]]:
        if i < len(words):
            parts = tuple(words[i].split(self.sign))
            if words.folded[i] not in JOINTS and len(parts) >= self.least and all(_TOKEN.match(part) for part in parts):
                yield parts, i + 1

    def show(self, value: Iterable[str]) -> str:
        return self.sign.join(value)


class Placing:
    """One line of a set-up: a space and what stands in it."""

    about = "a space and what stands there: G03: 2RS-A DM-1 fort"

    def read(self, words: Words, i: int) -> Iterator[tuple[tuple[str, ...], int]]:
        end = i
        while (
            end < len(words) and words[end] not in (BREAK, ";") and (end < i + 2 or words[end + 1 : end + 2] != [":"])
        ):
            end += 1
        parts = [part for word in words[i:end] if word not in (":", ",") for part in word.split("+")]
        if len(parts) > 1 and words.folded[i] != "end" and all(_TOKEN.match(part) for part in parts):
            yield tuple(parts), end

    def show(self, value: tuple[str, ...]) -> str:
        return f"{value[0]}: {' '.join(value[1:])}"


class FateType:
    """What becomes of one counter: `2RS-A disrupt retreat K02`."""

    about = "a unit and its fate: disrupt, retreat SPACE, disrupt retreat SPACE, stay, disrupt stay, eliminate"

    def read(self, words: Words, i: int) -> Iterator[tuple[tuple[str, ...], int]]:
        if i >= len(words) or not _TOKEN.match(words[i]):
            return
        found, at = [words[i]], i + 1
        if at < len(words) and words[at] == ":":
            at += 1
        while at < len(words) and words.folded[at] in ("disrupt", "retreat", "stay", "eliminate"):
            found.append(words.folded[at])
            at += 1
            if found[-1] == "retreat":
                if at >= len(words) or not _TOKEN.match(words[at]):
                    return
                found.append(words[at])
                at += 1
        if len(found) > 1:
            yield tuple(found), at

    def show(self, value: tuple[str, ...]) -> str:
        return " ".join(value)


def _fate(value: tuple[str, ...]) -> tuple[str, ...]:
    deed = tuple("SPACE" if i and value[i - 1] == "retreat" else word for i, word in enumerate(value))[1:]
    if deed not in FATES:
        raise ValueError("disrupt, retreat SPACE, both, stay, disrupt stay, or eliminate")
    return value


FATES = (
    ("disrupt",),
    ("retreat", "SPACE"),
    ("disrupt", "retreat", "SPACE"),
    ("stay",),
    ("disrupt", "stay"),
    ("eliminate",),
)


Fate = Annotated[tuple[Token, ...], Field(strict=False, min_length=2, max_length=4), AfterValidator(_fate)]


SLOTS: Mapping[str, SlotType] = {
    "SPACE": Name('a space: K04 or "Sham Shui Po"'),
    "CARD": Name('a card of your hand: JA1, "228th Offensive", or its slot'),
    "LEADER": Name("a leader: Doi"),
    "STACK": Joined("+", 1, "counters, joined by +: 228-1+228-2"),
    "PATH": Joined("-", 2, "spaces from the first to the last: N01-G01-K03"),
    "ROAD": Joined("-", 2, "the two ends of a road: K01-K04"),
    "BOX": Name("a landing box: L3"),
    "PLACING": Placing(),
    "FATE": FateType(),
    "TRIGGER": Choice("activation", "sea_transport", "amphibious", "bombard_air"),
    "WAY": Choice("retreat", "disrupt"),
    "NUMBER": Number(1, 99),
}


class GloryOrder(WrittenOrder):
    """An order of this game."""

    slots = SLOTS
