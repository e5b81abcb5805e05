"""What a seat can order, one line each."""

from __future__ import annotations

from typing import ClassVar

from pbem.api import Many, Order
from rules.kit.orders import Reader, WrittenOrder
from rules.tiger_of_malaya.standing import STANDING, DropStanding
from rules.tiger_of_malaya.written import TigerOrder


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
ORDERS += (*STANDING, DropStanding)
READER = Reader(ORDERS)


def read(text: str) -> tuple[Order, ...]:
    """Every order that a text can mean. Raises `Unreadable`."""
    return READER.read(text)
