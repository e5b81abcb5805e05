"""The orders, in the words that may be typed. Units as printed, `i` before a hex of the inset, `-` joins a path."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from pbem.api import Many
from rules.kit.orders import Choice, Number, Reader, WrittenOrder
from rules.singapore_1984.listing import OPTIONAL, STANDING
from rules.singapore_1984.written import BaseId, HexId, PortId, SingaporeOrder, UnitId, slots

Air = Annotated[int, Field(ge=1, le=99)]
Hexes = Annotated[Many[HexId], Field(min_length=1, max_length=60)]
Units = Annotated[Many[UnitId], Field(min_length=1, max_length=60)]


class End(SingaporeOrder):
    kind: ClassVar[str] = "end"
    usage: ClassVar[str] = "end"
    about: ClassVar[str] = "this phase is over"


# --- reinforcement, movement ---


class Place(SingaporeOrder):
    kind: ClassVar[str] = "place"
    usage: ClassVar[str] = "place UNIT HEX"
    about: ClassVar[str] = "a reinforcement enters"

    unit: UnitId
    hex: HexId


class Move(SingaporeOrder):
    kind: ClassVar[str] = "move"
    usage: ClassVar[str] = "move UNIT PATH"
    about: ClassVar[str] = "a unit marches through these hexes"

    unit: UnitId
    path: Hexes


class Rail(SingaporeOrder):
    kind: ClassVar[str] = "rail"
    usage: ClassVar[str] = "rail UNIT PATH"
    about: ClassVar[str] = "a unit goes by train, one a turn"

    unit: UnitId
    path: Hexes


class Sea(SingaporeOrder):
    kind: ClassVar[str] = "sea"
    usage: ClassVar[str] = "sea UNIT from PORT:origin to PORT [then PATH:then]"
    about: ClassVar[str] = "a Japanese unit sails to a port that was Japan's when the turn began, or off the map"

    unit: UnitId
    origin: PortId
    port: PortId
    then: Many[HexId] = Field(default=(), max_length=60)


class Land(SingaporeOrder):
    kind: ClassVar[str] = "land"
    usage: ClassVar[str] = "land UNIT from PORT:origin to HEX:port"
    about: ClassVar[str] = "a Japanese unit lands at an empty enemy port"

    unit: UnitId
    origin: PortId
    port: HexId


class Assault(SingaporeOrder):
    kind: ClassVar[str] = "assault"
    usage: ClassVar[str] = "assault UNIT from PORT:origin to HEX:port at HEX:at"
    about: ClassVar[str] = "a Japanese unit waits in a sea hex and assaults the port in this turn's combat"

    unit: UnitId
    origin: PortId
    port: HexId
    at: HexId


class Withdraw(SingaporeOrder):
    kind: ClassVar[str] = "withdraw"
    usage: ClassVar[str] = "withdraw UNIT from HEX:port [then PATH:then]"
    about: ClassVar[str] = "a Commonwealth unit sails to Singapore, one from each coast"

    unit: UnitId
    port: HexId
    then: Many[HexId] = Field(default=(), max_length=60)


class Intercept(SingaporeOrder):
    kind: ClassVar[str] = "intercept"
    usage: ClassVar[str] = "intercept WHERE HEX:port"
    about: ClassVar[str] = "Force Z goes after the unit that sails, at one of its two ports"
    slots = slots(WHERE=Choice("landing", "leaving"))

    where: Literal["landing", "leaving"]
    port: HexId


class NoIntercept(SingaporeOrder):
    kind: ClassVar[str] = "no_intercept"
    usage: ClassVar[str] = "no intercept"
    about: ClassVar[str] = "let it sail; both ports are passed for this turn"


class AirZ(SingaporeOrder):
    kind: ClassVar[str] = "airz"
    usage: ClassVar[str] = "airz USE"
    about: ClassVar[str] = "whether eight air points go for Force Z"
    slots = slots(USE=Choice("yes", "no"))

    use: Literal["yes", "no"]


class Reduce(SingaporeOrder):
    kind: ClassVar[str] = "reduce"
    usage: ClassVar[str] = "reduce UNIT"
    about: ClassVar[str] = "an overstacked unit loses a step"

    unit: UnitId


class Remove(SingaporeOrder):
    kind: ClassVar[str] = "remove"
    usage: ClassVar[str] = "remove UNIT"
    about: ClassVar[str] = "an overstacked unit is eliminated"

    unit: UnitId


# --- combat ---


class Declare(SingaporeOrder):
    kind: ClassVar[str] = "declare"
    usage: ClassVar[str] = "declare assault"
    about: ClassVar[str] = "the assault on Singapore Island begins"


class Deploy(SingaporeOrder):
    kind: ClassVar[str] = "deploy"
    usage: ClassVar[str] = "deploy UNIT HEX"
    about: ClassVar[str] = "a unit is placed on the inset as the assault begins"

    unit: UnitId
    hex: HexId


class Transfer(SingaporeOrder):
    kind: ClassVar[str] = "cross"
    usage: ClassVar[str] = "cross UNIT HEX"
    also: ClassVar[tuple[str, ...]] = ("transfer UNIT HEX",)
    about: ClassVar[str] = "a Japanese unit goes from the large map to the shore of the inset"

    unit: UnitId
    hex: HexId


class Sealand(SingaporeOrder):
    kind: ClassVar[str] = "sealand"
    usage: ClassVar[str] = "sealand UNIT from HEX:origin at HEX"
    about: ClassVar[str] = "a Japanese unit sails from a port into a sea hex off the island"

    unit: UnitId
    origin: HexId
    hex: HexId


class Ashore(SingaporeOrder):
    kind: ClassVar[str] = "ashore"
    usage: ClassVar[str] = "ashore UNIT HEX"
    about: ClassVar[str] = "a unit off the island goes onto an empty beach"

    unit: UnitId
    hex: HexId


class Beach(SingaporeOrder):
    kind: ClassVar[str] = "beach"
    usage: ClassVar[str] = "beach WHAT"
    about: ClassVar[str] = "a narrow beachhead: stay off it, or withdraw reduced"
    slots = slots(WHAT=Choice("stay", "withdraw"))

    what: Literal["stay", "withdraw"]


class Attack(SingaporeOrder):
    kind: ClassVar[str] = "attack"
    usage: ClassVar[str] = "attack HEXES from UNITS [air AIR] [base BASES]"  # [9.85, 9.8GRa]
    about: ClassVar[str] = "declare an attack, with air points"
    slots = slots(AIR=Number(1, 99))

    hexes: Hexes
    units: Units
    air: Air | None = None
    bases: Annotated[Many[BaseId], Field(max_length=30)] = ()


class Defend(SingaporeOrder):
    kind: ClassVar[str] = "defend"
    usage: ClassVar[str] = "defend HEX air AIR [base BASES]"
    about: ClassVar[str] = "air points for a hex that is attacked"
    slots = slots(AIR=Number(1, 99))

    hex: HexId
    air: Air
    bases: Annotated[Many[BaseId], Field(max_length=30)] = ()


class Resolve(SingaporeOrder):
    kind: ClassVar[str] = "fight"
    usage: ClassVar[str] = "fight HEX [mode MODE]"
    also: ClassVar[tuple[str, ...]] = ("resolve HEX [mode MODE]",)
    about: ClassVar[str] = "fight this attack next; the mode may be chosen for a landing"
    slots = slots(MODE=Choice("maneuver", "assault"))

    hex: HexId
    mode: Literal["maneuver", "assault"] | None = None


class Retreat(SingaporeOrder):
    kind: ClassVar[str] = "retreat"
    usage: ClassVar[str] = "retreat UNIT PATH"
    about: ClassVar[str] = "the way a unit retreats"

    unit: UnitId
    path: Hexes


class Displace(SingaporeOrder):
    kind: ClassVar[str] = "displace"
    usage: ClassVar[str] = "displace UNIT HEX"
    about: ClassVar[str] = "a friend makes room for a retreat"

    unit: UnitId
    hex: HexId


class Stand(SingaporeOrder):
    kind: ClassVar[str] = "stand"
    usage: ClassVar[str] = "stand UNIT"
    about: ClassVar[str] = "a unit that has no way of retreat stays; its stack loses steps"

    unit: UnitId


class Evacuate(SingaporeOrder):
    kind: ClassVar[str] = "evacuate"
    usage: ClassVar[str] = "evacuate UNIT to PORT"
    about: ClassVar[str] = "instead of a retreat: a full unit in a port sails away reduced, once a turn"

    unit: UnitId
    port: PortId


class Lose(SingaporeOrder):
    kind: ClassVar[str] = "lose"
    usage: ClassVar[str] = "lose UNIT"
    about: ClassVar[str] = "a unit takes one step of the losses"

    unit: UnitId


class Advance(SingaporeOrder):
    kind: ClassVar[str] = "advance"
    usage: ClassVar[str] = "advance UNIT HEX"
    about: ClassVar[str] = "a victorious unit follows, into this hex of the path of retreat"

    unit: UnitId
    hex: HexId


class Hold(SingaporeOrder):
    kind: ClassVar[str] = "hold"
    usage: ClassVar[str] = "hold"
    about: ClassVar[str] = "nobody else advances"


class Return(SingaporeOrder):
    kind: ClassVar[str] = "return"
    usage: ClassVar[str] = "return UNIT to PORT"
    about: ClassVar[str] = "a unit whose landing failed goes back"

    unit: UnitId
    port: PortId


ORDERS: tuple[type[WrittenOrder], ...] = (
    *(End, Place, Move, Rail, Sea, Land, Assault, Withdraw, Intercept, NoIntercept, AirZ, Reduce, Remove),
    *(Attack, Defend, Resolve, Retreat, Displace, Stand, Evacuate, Lose, Advance, Hold, Return),
    *(Declare, Deploy, Transfer, Sealand, Ashore, Beach),
    *OPTIONAL,
    *STANDING,
)
READER = Reader(ORDERS)


@lru_cache(maxsize=64)
def reader(kinds: tuple[str, ...]) -> Reader:
    """Reads every order; those of these kinds are named first where one cannot be read."""
    return Reader(sorted(ORDERS, key=lambda one: one.kind not in kinds))
