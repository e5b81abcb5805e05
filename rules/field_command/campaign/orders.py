"""The orders of a campaign, beside those of its battles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, ClassVar

from pydantic import Field

from pbem.api import Many
from rules.field_command.components import OFF_MAP
from rules.field_command.orders import MAX_RULES, UNITS, RuleText, RuleWords, Unit, UnitName
from rules.field_command.rows import Role
from rules.kit.orders import Choice, SlotType, Words, WrittenOrder

PLACE_ID = r"^[a-z][a-z0-9_]{1,39}$"
Place = Annotated[str, Field(pattern=PLACE_ID)]


class PlaceName:
    """A sector or Axis by name; `reading` has made one word of each."""

    about = "a sector or Axis, such as Bukit Timah, Axis C"
    near: tuple[str, ...] = ()

    def read(self, words: Words, i: int) -> Iterator[tuple[str, int]]:
        if i < len(words) and re.match(PLACE_ID, words[i]):
            yield words[i], i + 1

    def show(self, value: str) -> str:
        return "off map" if value == OFF_MAP else value.replace("_", " ").title()


SLOTS: dict[str, SlotType] = {**UNITS, "UNIT": UnitName(), "PLACE": PlaceName()}


class Land(WrittenOrder):
    """Phase 1: an aircraft lands."""

    kind: ClassVar[str] = "land"
    usage: ClassVar[str] = "land UNIT at PLACE"
    about: ClassVar[str] = "phase 1: the airfield of an aircraft that must land; `off map` is the Japanese one"
    slots = SLOTS
    also: ClassVar[tuple[str, ...]] = ("land UNIT PLACE",)

    unit: Unit
    place: Place


class Fly(WrittenOrder):
    """Phase 2: a ready aircraft flies to a sector."""

    kind: ClassVar[str] = "fly"
    usage: ClassVar[str] = "fly UNIT to PLACE"
    about: ClassVar[str] = "phase 2: a ready aircraft flies to any sector"
    slots = SLOTS
    also: ClassVar[tuple[str, ...]] = ("fly UNIT PLACE",)

    unit: Unit
    place: Place


class Move(WrittenOrder):
    """Phase 3: a unit moves off-road."""

    kind: ClassVar[str] = "move"
    usage: ClassVar[str] = "move UNIT to {PLACE:way}"
    about: ClassVar[str] = "phase 3: off-road, sector by sector; an enemy at the end is attacked"
    slots = SLOTS
    also: ClassVar[tuple[str, ...]] = ("move UNIT {PLACE:way}", "attack UNIT {PLACE:way}")

    unit: Unit
    way: Many[Place] = Field(min_length=1, max_length=8)


class Drive(WrittenOrder):
    """Phase 3: a unit moves on-road."""

    kind: ClassVar[str] = "drive"
    usage: ClassVar[str] = "drive UNIT to {PLACE:way}"
    about: ClassVar[str] = "phase 3: on-road, sector by sector; bridges may be crossed"
    slots = SLOTS
    also: ClassVar[tuple[str, ...]] = ("drive UNIT {PLACE:way}",)

    unit: Unit
    way: Many[Place] = Field(min_length=1, max_length=8)


class Shift(WrittenOrder):
    """Phase 3: a unit goes from Axis to Axis."""

    kind: ClassVar[str] = "shift"
    usage: ClassVar[str] = "shift UNIT to PLACE"
    about: ClassVar[str] = "phase 3: from an Axis to another one of the same coast"
    slots = SLOTS
    also: ClassVar[tuple[str, ...]] = ("shift UNIT PLACE",)

    unit: Unit
    place: Place


class Fire(WrittenOrder):
    """Phases 4 and 5: a gun supports a battle."""

    kind: ClassVar[str] = "fire"
    usage: ClassVar[str] = "fire UNIT at PLACE"
    about: ClassVar[str] = "phases 4 and 5: a gun strikes in the battle of another sector"
    slots = SLOTS
    also: ClassVar[tuple[str, ...]] = ("fire UNIT PLACE", "cover UNIT PLACE", "cover UNIT at PLACE")

    unit: Unit
    place: Place


class Done(WrittenOrder):
    """The Planning Stage, or the own defensive barrages, are complete."""

    kind: ClassVar[str] = "done"
    usage: ClassVar[str] = "done"
    about: ClassVar[str] = "no more orders in this stage"


class Battle(WrittenOrder):
    """Phase 7: which battle is fought next."""

    kind: ClassVar[str] = "battle"
    usage: ClassVar[str] = "battle PLACE"
    about: ClassVar[str] = "phase 7: the battle that is fought next"
    slots = SLOTS
    also: ClassVar[tuple[str, ...]] = ("battles PLACE",)

    place: Place


class Retreat(WrittenOrder):
    """Where a suppressed or withdrawn unit goes."""

    kind: ClassVar[str] = "retreat"
    usage: ClassVar[str] = "retreat UNIT to PLACE"
    about: ClassVar[str] = "the sector to which a suppressed or withdrawn unit goes"
    slots = SLOTS
    also: ClassVar[tuple[str, ...]] = ("retreat UNIT PLACE",)

    unit: Unit
    place: Place


class StandingPlan(WrittenOrder):
    """A plan for every battle to come in a role, or for those in one sector."""

    kind: ClassVar[str] = "standing"
    usage: ClassVar[str] = "standing ROLE [in PLACE] : {RULE:rules}"
    about: ClassVar[str] = "line and plan of all your battles to come, in clear; `no standing attack`: none any more"
    slots: ClassVar[dict[str, SlotType]] = {**SLOTS, "ROLE": Choice("attack", "defence"), "RULE": RuleText()}
    also: ClassVar[tuple[str, ...]] = (
        "no standing ROLE [in PLACE]",
        "standing ROLE [in PLACE] {RULE:rules}",
        "standing ROLE [in PLACE] plan {RULE:rules}",
    )

    role: Role
    place: Place | None = None
    rules: Many[RuleWords] = Field(default=(), max_length=MAX_RULES)

    def __str__(self) -> str:
        where = f" in {SLOTS['PLACE'].show(self.place)}" if self.place else ""
        return super().__str__() if self.rules else f"no standing {self.role}{where}"


ORDERS = (Land, Fly, Move, Drive, Shift, Fire, Done, Battle, Retreat, StandingPlan)
