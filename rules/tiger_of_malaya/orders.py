"""What a seat can order, one line each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar

from pbem.api import Many, Order
from rules.kit.orders import Choice, Reader, SlotType, Words, WrittenOrder

KINDS = ("FULL", "JUNGLE", "CHOICE", "MOVE", "ATTACK", "HALF")


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


UNIT = r"(?!(?:air|to|with)\b)[A-Za-z0-9][A-Za-z0-9/-]{0,15}"
HEX = r"[0-9]{4}"


class TigerOrder(WrittenOrder):
    """An order of this game."""

    slots: ClassVar[Mapping[str, SlotType]] = {
        "CHIT": Choice(*KINDS, about=f"a chit: {', '.join(KINDS)}"),
        "UNIT": Token(UNIT, "a unit such as I/4G"),
        "UNITS": Joined(rf"{UNIT}(\+{UNIT}){{0,15}}", "+", "units such as I/4G+G-Eng-a"),
        "HEX": Token(HEX, "a hex such as 0413"),
        "PATH": Joined(rf"{HEX}(-{HEX}){{0,39}}", "-", "hexes such as 0410-0411, the first where it stands"),
        "BRIDGE": Token(rf"{HEX}/{HEX}", "a bridge such as 0412/0413"),
        "PLANE": Token(r"A[0-9]", "an aircraft such as A1"),
        "HOW": Choice("attack", "move"),
    }


class Chits(TigerOrder):
    kind: ClassVar[str] = "chits"
    usage: ClassVar[str] = "chits {CHIT:chits}"
    about: ClassVar[str] = "the chits that you put into the cup"

    chits: Many[str]

    def contents(self) -> tuple[str, ...]:
        """The slots of the purse."""
        return tuple(chit.casefold() for chit in self.chits)


class Play(TigerOrder):
    kind: ClassVar[str] = "play"
    usage: ClassVar[str] = "play to HOW"
    also: ClassVar[tuple[str, ...]] = ("choose HOW", "half HOW")
    about: ClassVar[str] = "what a CHOICE or HALF chit is used for"

    how: str


class Harass(TigerOrder):
    kind: ClassVar[str] = "harass"
    usage: ClassVar[str] = "harass HEX with PLANE"
    about: ClassVar[str] = "an aircraft makes a hex dearer for the Allies"

    hex: str
    plane: str


class Recall(TigerOrder):
    kind: ClassVar[str] = "recall"
    usage: ClassVar[str] = "recall PLANE"
    about: ClassVar[str] = "the harassing aircraft goes home"

    plane: str


class Blow(TigerOrder):
    kind: ClassVar[str] = "blow"
    usage: ClassVar[str] = "blow BRIDGE with {UNIT:units}"
    about: ClassVar[str] = "try to destroy a bridge"

    bridge: str
    units: Many[str]


class Recover(TigerOrder):
    kind: ClassVar[str] = "recover"
    usage: ClassVar[str] = "recover {UNIT:units}"
    about: ClassVar[str] = "unavailable artillery tries to be available again"

    units: Many[str]


class Enter(TigerOrder):
    kind: ClassVar[str] = "enter"
    usage: ClassVar[str] = "enter UNIT at HEX"
    about: ClassVar[str] = "a reinforcement arrives"

    unit: str
    hex: str


class Move(TigerOrder):
    kind: ClassVar[str] = "move"
    usage: ClassVar[str] = "move UNITS PATH"
    about: ClassVar[str] = "units that stand together go the same way"

    units: Many[str]
    path: Many[str]


class Bombard(TigerOrder):
    kind: ClassVar[str] = "bombard"
    usage: ClassVar[str] = "bombard HEX with {UNIT:units}"
    about: ClassVar[str] = "artillery, aircraft and machine guns fire at a hex"

    hex: str
    units: Many[str]


class Attack(TigerOrder):
    kind: ClassVar[str] = "attack"
    usage: ClassVar[str] = "attack HEX with {UNIT:units} [air PLANE:air]"
    about: ClassVar[str] = "units attack a hex beside them"

    hex: str
    units: Many[str]
    air: str | None = None


class Probe(TigerOrder):
    kind: ClassVar[str] = "probe"
    usage: ClassVar[str] = "probe HEX with {UNIT:units} [air PLANE:air]"
    about: ClassVar[str] = "an attack with half the result and no advance"

    hex: str
    units: Many[str]
    air: str | None = None


class Support(TigerOrder):
    kind: ClassVar[str] = "support"
    usage: ClassVar[str] = "support [{UNIT:units to HEX:hexes}]"
    also: ClassVar[tuple[str, ...]] = ("support none",)
    about: ClassVar[str] = "which gun helps which attack; sealed"

    units: Many[str] = ()
    hexes: Many[str] = ()


class Defend(TigerOrder):
    kind: ClassVar[str] = "defend"
    usage: ClassVar[str] = "defend HEX with {UNIT:units}"
    about: ClassVar[str] = "guns help a hex that is attacked"

    hex: str
    units: Many[str]


class Evade(TigerOrder):
    kind: ClassVar[str] = "evade"
    usage: ClassVar[str] = "evade UNIT PATH"
    about: ClassVar[str] = "a jungle-capable unit tries to retreat before the attack"

    unit: str
    path: Many[str]


class Lose(TigerOrder):
    kind: ClassVar[str] = "lose"
    usage: ClassVar[str] = "lose {UNIT:units}"
    also: ClassVar[tuple[str, ...]] = ("losses {UNIT:units}",)
    about: ClassVar[str] = "which units lose a step; name one twice for two steps"

    units: Many[str]


class Stand(TigerOrder):
    kind: ClassVar[str] = "stand"
    usage: ClassVar[str] = "stand"
    about: ClassVar[str] = "the rest of the result is taken in steps"


class Retreat(TigerOrder):
    kind: ClassVar[str] = "retreat"
    usage: ClassVar[str] = "retreat [{UNIT:units PATH:paths}]"
    about: ClassVar[str] = "every defender that can goes back by its own way"

    units: Many[str] = ()
    paths: Many[Many[str]] = ()


class Advance(TigerOrder):
    kind: ClassVar[str] = "advance"
    usage: ClassVar[str] = "advance UNIT PATH"
    about: ClassVar[str] = "an attacker follows into the empty hex"

    unit: str
    path: Many[str]


class Fort(TigerOrder):
    kind: ClassVar[str] = "fort"
    usage: ClassVar[str] = "fort HEX"
    about: ClassVar[str] = "build a fort"

    hex: str


class Repair(TigerOrder):
    kind: ClassVar[str] = "repair"
    usage: ClassVar[str] = "repair BRIDGE with {UNIT:units}"
    about: ClassVar[str] = "engineers try to repair a bridge"

    bridge: str
    units: Many[str]


class Discard(TigerOrder):
    kind: ClassVar[str] = "discard"
    usage: ClassVar[str] = "discard {UNIT:units}"
    about: ClassVar[str] = "units beyond the stacking limit are eliminated"

    units: Many[str]


class Done(TigerOrder):
    kind: ClassVar[str] = "done"
    usage: ClassVar[str] = "done"
    also: ClassVar[tuple[str, ...]] = ("pass", "end movement", "end impulse", "end bombardment", "advance none")
    about: ClassVar[str] = "this step is over"


ORDERS: tuple[type[WrittenOrder], ...] = (
    *(Chits, Play, Harass, Recall, Blow, Recover, Enter, Move, Bombard, Attack, Probe, Support, Defend, Evade),
    *(Lose, Stand, Retreat, Advance, Fort, Repair, Discard, Done),
)
READER = Reader(ORDERS)


def read(text: str) -> tuple[Order, ...]:
    """Every order that a text can mean. Raises `Unreadable`."""
    return READER.read(text)
