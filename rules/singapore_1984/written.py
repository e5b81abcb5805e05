"""The parts of an order as they are typed: units, hexes, stacks and paths."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field

from rules.kit.orders import SlotType, Words, WrittenOrder
from rules.singapore_1984.rows import Player

MOST = 60
"""So many units or hexes one order names at most."""
UNIT = r"[0-9A-Z]{1,12}(?:/[0-9]{1,3})?"
HEX = r"i?[0-9]{4}"

JP_UNITS = ("113/56", "148/56", "146/56", "AR7")
CW_UNITS = ("16AUS", "17AUS", "21AUS", "25AUS", "46IND", "3BR", "7HUS", "2RTR")
ITEMS: Mapping[Player, tuple[str, ...]] = {
    "jp": (*JP_UNITS, "13.81", "13.9"),
    "cw": (
        *(*CW_UNITS, "13.21", "13.22", "13.3", "13.41", "13.42", "13.43", "13.44"),
        *("13.5", "13.6", "13.7", "13.82"),
    ),
}
"""What each side may list, in the order of its slots: optional counters, rules and parts of rules. [13.0c]"""
AIR_ITEM = re.compile(r"13\.8/([1-9]-[1-9][0-9]?)")
LISTED = rf"{UNIT}|13\.[2-79]|13\.2[12]|13\.4[1-4]|{AIR_ITEM.pattern}"
ITEM = rf"{UNIT}|13\.[35679]|13\.2[12]|13\.4[1-4]|13\.8[12]"

ItemId = Annotated[str, Field(pattern=rf"^(?:{ITEM})$")]
BASE = rf"(?:{HEX}|north)=[1-9][0-9]?"
"""Air points from a base; `north` is beyond the edge of the map."""

BaseId = Annotated[str, Field(pattern=rf"^{BASE}$")]
UnitId = Annotated[str, Field(pattern=rf"^{UNIT}$")]
HexId = Annotated[str, Field(pattern=rf"^{HEX}$")]
PortId = Annotated[str, Field(pattern=rf"^(?:{HEX}|off)$")]


class _One:
    """One word of a form, brought into the spelling that the data use."""

    def __init__(self, form: str, about: str) -> None:
        self.form, self.about = re.compile(form, re.IGNORECASE), about

    def read(self, words: Words, i: int) -> Iterator[tuple[str, int]]:
        if i < len(words) and self.form.fullmatch(words[i]):
            yield self.spelt(words[i]), i + 1

    def spelt(self, word: str) -> str:
        """As it is written in the log."""
        return word

    def show(self, value: str) -> str:
        return value


class UnitSlot(_One):
    """A unit: `22AUS`, `11/5`, `4IG` or `4/IG`, `AR1`. [2.3l]"""

    def __init__(self) -> None:
        super().__init__(rf"{UNIT}|[0-9]/IG", "a unit, such as 22AUS, 11/5, 4IG or AR1")

    def spelt(self, word: str) -> str:
        word = word.upper()
        return word.replace("/", "") if word.endswith("/IG") else word


class HexSlot(_One):
    """A hex; those of the inset begin with i."""

    def __init__(self) -> None:
        super().__init__(HEX, "a hex, such as 0719 or i2105")

    def spelt(self, word: str) -> str:
        return word.lower()


class PortSlot(_One):
    """A hex, or `off` for off the map."""

    def __init__(self) -> None:
        super().__init__(rf"{HEX}|off", "a port, or off")

    def spelt(self, word: str) -> str:
        return word.lower()


class ItemSlot(_One):
    """An optional unit or a rule; what may be listed has air points in one word."""

    def spelt(self, word: str) -> str:
        return word.upper()


class BaseSlot(_One):
    """A base and how many air points come from it."""

    def spelt(self, word: str) -> str:
        return word.lower()


class WaySlot(_One):
    """A side of a hex."""

    def spelt(self, word: str) -> str:
        return word.lower()


class _Joined:
    """Several of one slot in one word, joined by a sign."""

    def __init__(self, one: _One, sign: str, about: str) -> None:
        self.one, self.sign, self.about = one, sign, about

    def read(self, words: Words, i: int) -> Iterator[tuple[tuple[str, ...], int]]:
        if i >= len(words):
            return
        parts = words[i].split(self.sign)
        if len(parts) <= MOST and all(self.one.form.fullmatch(part) for part in parts):
            yield tuple(self.one.spelt(part) for part in parts), i + 1

    def show(self, value: tuple[str, ...]) -> str:
        return self.sign.join(value)


SLOTS: Mapping[str, SlotType] = {
    "UNIT": UnitSlot(),
    "HEX": HexSlot(),
    "PORT": PortSlot(),
    "ITEM": ItemSlot(ITEM, "an option as it is shown, such as 16AUS, 13.41 or 13.82"),
    "LISTED": ItemSlot(LISTED, "an option as it is listed, such as 16AUS, 13.4 or 13.8/4-3 (4 air points from turn 3)"),
    "UNITS": _Joined(UnitSlot(), "+", "units, such as 16AUS+22AUS"),
    "HEXES": _Joined(HexSlot(), "+", "hexes, such as 0810+0811"),
    "BASES": _Joined(BaseSlot(BASE, "a base with its air points"), "+", "bases, such as 1106=6+north=2"),
    "SIDES": _Joined(WaySlot("n|ne|se|s|sw|nw", "a side of a hex"), "+", "sides of the hex, such as n+ne+se"),
    "PATH": _Joined(HexSlot(), "-", "the hexes entered, such as 1215-1216"),
}


def slots(**more: Any) -> Mapping[str, SlotType]:
    """The slots of this game and some of an order's own."""
    return {**SLOTS, **more}


class SingaporeOrder(WrittenOrder):
    """An order of this game."""

    slots = SLOTS
