"""The orders of the Allied player, in the words that may be typed."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator

from pbem.api import Many, Order
from pbem.errors import Unreadable
from rules.battle_card_malaya.components import NAMES, Choice
from rules.kit.orders import Choice as OneOf
from rules.kit.orders import Names, Reader, SlotType, WrittenOrder


def _a_space(id: str) -> str:
    if id not in NAMES:
        raise ValueError("no space of the card")
    return id


Space = Annotated[str, AfterValidator(_a_space)]

SPACES: dict[str, SlotType] = {"LOCATION": Names({name: id for id, name in NAMES.items()}, prefixes=True)}


class NoWithdrawal(WrittenOrder):
    """Step 1 without a withdrawal."""

    kind: ClassVar[str] = "no_withdrawal"
    usage: ClassVar[str] = "no withdrawal"
    about: ClassVar[str] = "step 1: every unit stays"
    also: ClassVar[tuple[str, ...]] = ("stay", "withdraw nobody", "withdraw none")


class Withdraw(WrittenOrder):
    """Step 1: a unit leaves `location`; `to` only where it has more than one way."""

    kind: ClassVar[str] = "withdraw"
    usage: ClassVar[str] = "withdraw LOCATION [to LOCATION:to]"
    about: ClassVar[str] = "step 1: one unit beside a Japanese one goes a space towards Singapore"
    slots = SPACES
    also: ClassVar[tuple[str, ...]] = ("withdraw from LOCATION [to LOCATION:to]",)

    location: Space
    to: Space | None = None


class Counterattack(WrittenOrder):
    """Step 3: the unit attacks."""

    kind: ClassVar[str] = "counterattack"
    usage: ClassVar[str] = "counterattack LOCATION"
    about: ClassVar[str] = "step 3: fight there to hurt the Japanese"
    slots = SPACES
    also: ClassVar[tuple[str, ...]] = ("counterattack in LOCATION", "attack [in] LOCATION", "LOCATION : counterattack")
    choice: ClassVar[Choice] = "counterattack"

    location: Space


class Defend(WrittenOrder):
    """Step 3: the unit holds."""

    kind: ClassVar[str] = "defend"
    usage: ClassVar[str] = "defend LOCATION"
    about: ClassVar[str] = "step 3: fight there to lose less"
    slots = SPACES
    also: ClassVar[tuple[str, ...]] = ("defend in LOCATION", "hold LOCATION", "LOCATION : defend")
    choice: ClassVar[Choice] = "defend"

    location: Space


class OrderOfBattles(WrittenOrder):
    """Step 3: where to fight first."""

    kind: ClassVar[str] = "order_of_battles"
    usage: ClassVar[str] = "order {LOCATION:locations}"
    about: ClassVar[str] = "step 3, before the last choice: fight in this order; otherwise Trunk road first"
    slots = SPACES

    locations: Many[Space]


class Air(WrittenOrder):
    """Step 4: which Japanese unit loses a point."""

    kind: ClassVar[str] = "air"
    usage: ClassVar[str] = "air TARGET"
    about: ClassVar[str] = "step 4, while Kuantan is held: one Japanese unit loses a point"
    slots: ClassVar[dict[str, SlotType]] = {
        "TARGET": OneOf("trunk", "eastern", "weakest", about="trunk, eastern or weakest (level: trunk)")
    }
    also: ClassVar[tuple[str, ...]] = ("air support on [the] TARGET", "air on [the] TARGET", "bomb [the] TARGET")

    target: Literal["trunk", "eastern", "weakest"]


ORDERS = (NoWithdrawal, Withdraw, Counterattack, Defend, OrderOfBattles, Air)
READER = Reader(ORDERS)


def read(text: str) -> tuple[Order, ...]:
    """The orders that a text can mean. Raises `Unreadable`; orders to the Japanese are refused by their own clause."""
    try:
        return READER.read(text)
    except Unreadable as bad:
        if {"advance", "march", "japanese"} & set(text.casefold().split()):
            raise Unreadable(  # [BC-3.2.1]
                "the Japanese units advance by rule and take no orders", bad.hint, ids=("BC-3.2.1",)
            ) from None
        raise
