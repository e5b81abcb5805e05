"""Standing orders: answers that a seat gives in advance, openly; `triggers` carries them out. [R107]

Each begins with `standing`; the rest says what is done when the question comes.
"""

from __future__ import annotations

from typing import ClassVar

from pbem.api import Many
from rules.tiger_of_malaya.written import TigerOrder


class StandingOrder(TigerOrder):
    """An order that is kept until its moment comes, and after it."""


class StandingLosses(StandingOrder):
    kind: ClassVar[str] = "standing_losses"
    usage: ClassVar[str] = "standing losses [of WHAT] [first {UNIT:first}]"
    about: ClassVar[str] = "steps are lost by these units first, then by those with the fewest points"

    what: str | None = None
    first: Many[str] = ()


class StandingStand(StandingOrder):
    kind: ClassVar[str] = "standing_stand"
    usage: ClassVar[str] = "standing stand [in HEX] [up to STEPS]"
    about: ClassVar[str] = "the rest of a result is taken in steps, where it is no more than that"

    hex: str | None = None
    steps: int | None = None


class StandingRetreat(StandingOrder):
    kind: ClassVar[str] = "standing_retreat"
    usage: ClassVar[str] = "standing retreat [in HEX] [to {HEX:to}]"
    about: ClassVar[str] = "the rest of a result is taken in hexes, over these where they are open"

    hex: str | None = None
    to: Many[str] = ()


class StandingSupport(StandingOrder):
    kind: ClassVar[str] = "standing_support"
    usage: ClassVar[str] = "standing support [in HEX] [with {UNIT:units}]"
    about: ClassVar[str] = "guns help what is attacked, these or all, as far as it counts"

    hex: str | None = None
    units: Many[str] = ()


class StandingNoSupport(StandingOrder):
    kind: ClassVar[str] = "standing_no_support"
    usage: ClassVar[str] = "standing no support"
    about: ClassVar[str] = "no gun helps in defence"


class StandingEvade(StandingOrder):
    kind: ClassVar[str] = "standing_evade"
    usage: ClassVar[str] = "standing evade with {UNIT:units} [to {HEX:to}]"
    about: ClassVar[str] = "these units try to retreat before an attack, over these hexes where they are open"

    units: Many[str]
    to: Many[str] = ()


class StandingNoEvasion(StandingOrder):
    kind: ClassVar[str] = "standing_no_evasion"
    usage: ClassVar[str] = "standing no evasion"
    about: ClassVar[str] = "nobody retreats before an attack"


class StandingHold(StandingOrder):
    kind: ClassVar[str] = "standing_hold"
    usage: ClassVar[str] = "standing hold [in HEX] [with {UNIT:units}]"
    about: ClassVar[str] = "who defends a hex with more points than may: these first, then those that defend best"

    hex: str | None = None
    units: Many[str] = ()


class StandingDisplace(StandingOrder):
    kind: ClassVar[str] = "standing_displace"
    usage: ClassVar[str] = "standing displace [UNIT] [to {HEX:to}]"
    about: ClassVar[str] = "a steamer, this or any, goes away from an enemy to the first of these that is open"

    unit: str | None = None
    to: Many[str] = ()


class StandingGarrison(StandingOrder):
    kind: ClassVar[str] = "standing_garrison"
    usage: ClassVar[str] = "standing garrison [with {UNIT:units}] [to {HEX:to}]"
    about: ClassVar[str] = "Japan makes up the garrison with these first, in these hexes as far as there is room"

    units: Many[str] = ()
    to: Many[str] = ()


class StandingNoGarrison(StandingOrder):
    kind: ClassVar[str] = "standing_no_garrison"
    usage: ClassVar[str] = "standing no garrison"
    about: ClassVar[str] = "Japan leaves the garrison as it is"


class DropStanding(TigerOrder):
    kind: ClassVar[str] = "drop_standing"
    usage: ClassVar[str] = "drop standing [NUMBER]"
    about: ClassVar[str] = "this standing order of yours, by its number in the report, or all of them"

    number: int | None = None


STANDING: tuple[type[StandingOrder], ...] = (
    *(StandingLosses, StandingStand, StandingRetreat),
    *(StandingSupport, StandingNoSupport, StandingEvade, StandingNoEvasion, StandingHold),
    *(StandingDisplace, StandingGarrison, StandingNoGarrison),
)
