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


class Base(TigerOrder):
    kind: ClassVar[str] = "base"
    usage: ClassVar[str] = "base PLANE [at HEX]"
    about: ClassVar[str] = "an aircraft goes to an airfield, or off the map"

    plane: str
    hex: str | None = None


class Break(TigerOrder):
    kind: ClassVar[str] = "break"
    usage: ClassVar[str] = "break UNIT"
    about: ClassVar[str] = "a full battalion breaks down into companies"

    unit: str


class Replace(TigerOrder):
    kind: ClassVar[str] = "restore"
    usage: ClassVar[str] = "restore UNIT"
    also: ClassVar[tuple[str, ...]] = ("replace UNIT",)
    about: ClassVar[str] = "infantry gets a step back from the replacements"

    unit: str


class Rebuild(TigerOrder):
    kind: ClassVar[str] = "rebuild"
    usage: ClassVar[str] = "rebuild UNIT at HEX"
    about: ClassVar[str] = "an eliminated battalion comes back to a headquarters"

    unit: str
    hex: str


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


class Rail(TigerOrder):
    kind: ClassVar[str] = "rail"
    usage: ClassVar[str] = "rail UNITS to HEX:to"
    about: ClassVar[str] = "the Allies send three points or a gun by rail"

    units: Many[str]
    to: str


class Steam(TigerOrder):
    kind: ClassVar[str] = "steam"
    usage: ClassVar[str] = "steam UNITS [carries UNITS:cargo] PATH"
    about: ClassVar[str] = "steamers go by river and sea, with what they carry"

    units: Many[str]
    path: Many[str]
    cargo: Many[str] = ()


class Truck(TigerOrder):
    kind: ClassVar[str] = "truck"
    usage: ClassVar[str] = "truck UNIT carries UNITS:cargo PATH"
    about: ClassVar[str] = "a truck takes units along; an empty one moves like any unit"

    unit: str
    cargo: Many[str]
    path: Many[str]


class Cross(TigerOrder):
    kind: ClassVar[str] = "cross"
    usage: ClassVar[str] = "cross UNITS with UNIT:boats PATH"
    about: ClassVar[str] = "boats take units over water; name the boats among the units if they go along"

    units: Many[str]
    boats: str
    path: Many[str]


class Displace(TigerOrder):
    kind: ClassVar[str] = "displace"
    usage: ClassVar[str] = "displace UNIT to HEX"
    about: ClassVar[str] = "a steamer that an enemy has met goes away"

    unit: str
    hex: str


class Garrison(TigerOrder):
    kind: ClassVar[str] = "garrison"
    usage: ClassVar[str] = "garrison {UNIT:units to HEX:hexes}"
    about: ClassVar[str] = "Japan sends Allied units to the island to make up its garrison"

    units: Many[str]
    hexes: Many[str]


class Bombard(TigerOrder):
    kind: ClassVar[str] = "bombard"
    usage: ClassVar[str] = "bombard HEX with {UNIT:units}"
    about: ClassVar[str] = "artillery, aircraft and machine guns fire at a hex"

    hex: str
    units: Many[str]


class Attack(TigerOrder):
    kind: ClassVar[str] = "attack"
    usage: ClassVar[str] = "attack HEX with {UNIT:units} [air PLANE:air] [boats UNITS:boats for UNITS:ferried]"
    about: ClassVar[str] = "units attack a hex beside them"

    hex: str
    units: Many[str]
    air: str | None = None
    boats: Many[str] = ()
    ferried: Many[str] = ()


class Probe(TigerOrder):
    kind: ClassVar[str] = "probe"
    usage: ClassVar[str] = "probe HEX with {UNIT:units} [air PLANE:air] [boats UNITS:boats for UNITS:ferried]"
    about: ClassVar[str] = "an attack with half the result and no advance"

    hex: str
    units: Many[str]
    air: str | None = None
    boats: Many[str] = ()
    ferried: Many[str] = ()


class Support(TigerOrder):  # [11.1.1.B]: sealed
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


class Hold(TigerOrder):
    kind: ClassVar[str] = "hold"
    usage: ClassVar[str] = "hold HEX with {UNIT:units}"
    about: ClassVar[str] = "who defends a hex with more points than may; else those that defend best"

    hex: str
    units: Many[str]


class Arrange(TigerOrder):
    kind: ClassVar[str] = "order"
    usage: ClassVar[str] = "order {HEX:hexes}"
    about: ClassVar[str] = "the order in which your battles are fought"

    hexes: Many[str]


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


class Reform(TigerOrder):
    kind: ClassVar[str] = "reform"
    usage: ClassVar[str] = "reform UNIT from {UNIT:companies}"
    about: ClassVar[str] = "companies that stand together are a battalion again"

    unit: str
    companies: Many[str]


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
    *(Chits, Play, Base, Harass, Recall, Break, Replace, Rebuild, Blow, Recover),
    *(Enter, Move, Rail, Truck, Steam, Cross, Displace, Garrison),
    *(Bombard, Attack, Probe, Arrange, Support, Defend, Hold, Evade, Lose, Stand, Retreat, Advance),
    *(Fort, Repair, Reform, Discard, Done),
    *STANDING,
    DropStanding,
)
READER = Reader(ORDERS)


def read(text: str) -> tuple[Order, ...]:
    """Every order that a text can mean. Raises `Unreadable`."""
    return READER.read(text)
