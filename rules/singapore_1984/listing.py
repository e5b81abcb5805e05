"""The orders of the optional rules [13.0], and standing orders."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from pbem.api import Many
from rules.kit.hexes import Direction
from rules.kit.orders import Choice, Number
from rules.singapore_1984.written import AIR_ITEM, ITEMS, LISTED, HexId, ItemId, SingaporeOrder, UnitId, slots

Listed = Annotated[str, Field(pattern=rf"^(?:{LISTED})$")]


class Listing(SingaporeOrder):
    kind: ClassVar[str] = "options"
    usage: ClassVar[str] = "options SIDE [{LISTED:listed}]"
    about: ClassVar[str] = "what you buy of chapter 13, in secret: units, rules such as 13.4, air points 13.8/4-3"
    slots = slots(SIDE=Choice("jp", "cw"))

    side: Literal["jp", "cw"]
    listed: Many[Listed] = Field(default=(), max_length=30)

    def contents(self) -> tuple[str, ...]:
        """One content for each slot of the side."""
        return contents_of(self.side, self.listed)


def contents_of(side: str, listed: Iterable[str]) -> tuple[str, ...]:
    """`yes`, `no`, or air points and the turn from which they come, `4-3`. A rule lists all of its parts."""
    listed = tuple(listed)
    air = next((found[1] for one in listed if (found := AIR_ITEM.fullmatch(one))), "no")
    return tuple(
        air if item in ("13.81", "13.82") else "yes" if item in listed or (_part(item) in listed) else "no"
        for item in ITEMS["jp" if side == "jp" else "cw"]
    )


def _part(item: str) -> str:
    return item[:4] if len(item) == 5 and item.startswith("13.") else item


class Use(SingaporeOrder):
    kind: ClassVar[str] = "use"
    usage: ClassVar[str] = "use ITEM"
    about: ClassVar[str] = "show that you listed an option; it acts from now on"

    item: ItemId


class Subs(SingaporeOrder):
    kind: ClassVar[str] = "subs"
    usage: ClassVar[str] = "subs WHERE HEX:port"
    about: ClassVar[str] = "submarines go after a unit that sails on the West Coast (option 13.6)"
    slots = slots(WHERE=Choice("landing", "leaving"))

    where: Literal["landing", "leaving"]
    port: HexId


class Fort(SingaporeOrder):
    kind: ClassVar[str] = "fort"
    usage: ClassVar[str] = "fort HEX sides SIDES"
    about: ClassVar[str] = "a fortification marker on three hexsides, such as n+ne+se (option 13.44)"

    hex: HexId
    sides: Annotated[Many[Direction], Field(min_length=1, max_length=6)]


class Unfort(SingaporeOrder):
    kind: ClassVar[str] = "unfort"
    usage: ClassVar[str] = "unfort HEX"
    about: ClassVar[str] = "a fortification marker is taken up at the end of the turn"

    hex: HexId


class Superiority(SingaporeOrder):
    kind: ClassVar[str] = "airsup"
    usage: ClassVar[str] = "airsup AIR"
    about: ClassVar[str] = "air points for air superiority; the Commonwealth must match them"
    slots = slots(AIR=Number(0, 99))

    air: Annotated[int, Field(ge=0, le=99)]


class Evacuation(SingaporeOrder):
    kind: ClassVar[str] = "airevac"
    usage: ClassVar[str] = "airevac AIR"
    about: ClassVar[str] = "so many Commonwealth air points leave for good"
    slots = slots(AIR=Number(0, 99))

    air: Annotated[int, Field(ge=0, le=99)]


class StandingDefence(SingaporeOrder):
    kind: ClassVar[str] = "standing_defence"
    usage: ClassVar[str] = "standing defence none"
    about: ClassVar[str] = "no air points for hexes that are attacked"


class StandingLoss(SingaporeOrder):
    kind: ClassVar[str] = "standing_loss"
    usage: ClassVar[str] = "standing loss [first UNITS:first]"
    about: ClassVar[str] = "steps are lost by these units first, then by the one whose step is worth least"

    first: Many[UnitId] = Field(default=(), max_length=60)


class StandingIntercept(SingaporeOrder):
    kind: ClassVar[str] = "standing_intercept"
    usage: ClassVar[str] = "standing intercept at HEXES:ports"
    about: ClassVar[str] = "Force Z goes after a unit at these ports, submarines too once 13.6 is shown; others pass"

    ports: Annotated[Many[HexId], Field(min_length=1, max_length=30)]


class StandingNoIntercept(SingaporeOrder):
    kind: ClassVar[str] = "standing_no_intercept"
    usage: ClassVar[str] = "standing intercept none"
    about: ClassVar[str] = "whoever sails is let pass"


class StandingRetreat(SingaporeOrder):
    kind: ClassVar[str] = "standing_retreat"
    usage: ClassVar[str] = "standing retreat any"
    about: ClassVar[str] = "the first of the ways that the rules prefer, while nobody has to make room"


class DropStanding(SingaporeOrder):
    kind: ClassVar[str] = "drop_standing"
    usage: ClassVar[str] = "drop standing"
    about: ClassVar[str] = "your standing orders are forgotten"


OPTIONAL: tuple[type[SingaporeOrder], ...] = (Listing, Use, Subs, Fort, Unfort, Superiority, Evacuation)
STANDING: tuple[type[SingaporeOrder], ...] = (
    *(StandingDefence, StandingIntercept, StandingNoIntercept, StandingLoss, StandingRetreat),
    DropStanding,
)
