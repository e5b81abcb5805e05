"""The words of orders: units, hexes, paths, bridges, and the base of every order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar

from rules.kit.orders import Choice, Names, Number, SlotType, Words, WrittenOrder

KINDS = {"JUNGLE-CAPABLE": "JUNGLE", **{word: word for word in ("FULL", "CHOICE", "MOVE", "ATTACK", "HALF")}}
"""The chits as they are printed, and in short."""


class Token:
    """A word of a form of its own: the id of a unit, a hex, a bridge."""

    def __init__(self, form: str, about: str, *, upper: bool = False) -> None:
        self.form, self.about, self.upper = re.compile(form, re.IGNORECASE), about, upper

    def read(self, words: Words, i: int) -> Iterator[tuple[str, int]]:
        """The word as it is typed."""
        if i < len(words) and self.form.fullmatch(words[i]):
            yield words[i], i + 1

    def show(self, value: str) -> str:
        """The same."""
        return value


class Joined:
    """Words joined by a sign: units by `+`, hexes by `-`."""

    def __init__(self, form: str, sign: str, about: str) -> None:
        self.form, self.sign, self.about = re.compile(form), sign, about

    def read(self, words: Words, i: int) -> Iterator[tuple[tuple[str, ...], int]]:
        """All of them."""
        if i < len(words) and self.form.fullmatch(words[i]):
            yield tuple(words[i].split(self.sign)), i + 1

    def show(self, value: tuple[str, ...]) -> str:
        """Joined again."""
        return self.sign.join(value)


UNIT = r"(?!(?:air|at|boats|carries|for|from|to|with|in|of|first)\b)[A-Za-z0-9][A-Za-z0-9/-]{0,15}"
HEX = r"[0-9]{4}"


class TigerOrder(WrittenOrder):
    """An order of this game."""

    slots: ClassVar[Mapping[str, SlotType]] = {
        "CHIT": Names(KINDS, about=f"a chit: {', '.join(KINDS.values())}"),
        "UNIT": Token(UNIT, "a unit such as I/4G"),
        "UNITS": Joined(rf"{UNIT}(\+{UNIT}){{0,15}}", "+", "units such as I/4G+G-Eng-a"),
        "HEX": Token(HEX, "a hex such as 0413"),
        "PATH": Joined(rf"{HEX}(-{HEX}){{0,39}}", "-", "hexes such as 0410-0411, the first where it stands"),
        "BRIDGE": Token(rf"{HEX}/{HEX}", "a bridge such as 0412/0413"),
        "PLANE": Token(r"A[0-9]", "an aircraft such as A1"),
        "HOW": Choice("attack", "move"),
        "WHAT": Choice("attack", "defence", "bombardment", "retreat", about="what the steps are lost in"),
        "NUMBER": Number(1, 99),
        "STEPS": Number(1, 99),
    }
