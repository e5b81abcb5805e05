"""The orders of a battle, in the words that may be typed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field

from pbem.api import Many, Order
from pbem.errors import Unreadable
from rules.field_command import rule
from rules.kit.orders import BREAK, Choice, Reader, SlotType, Words, WrittenOrder, usage_line

SIGNS = ("Elite", "Inf", "Vol", "Tank", "ArmCar", "Carrier", "FGun", "Fix6", "Fix9", "Fix15", "Ftr", "Bmb")
_UNIT = re.compile(rf"[JAB]-({'|'.join(SIGNS)})-[1-9][0-9]?\Z")
_TYPED = re.compile(rf"(?:([jab])-)?({'|'.join(SIGNS).lower()})-([1-9][0-9]?)\Z")
_SHOWN = {sign.casefold(): sign for sign in SIGNS}


def _a_unit(id: str) -> str:
    if not _UNIT.match(id):
        raise ValueError("no unit is called so")
    return id


def _a_rule(text: str) -> str:
    if str(rule.parse(text)) != text:
        raise ValueError("not the way in which this rule is written")
    return text


Unit = Annotated[str, AfterValidator(_a_unit)]
RuleWords = Annotated[str, AfterValidator(_a_rule)]
MAX_RULES = 40


class UnitName:
    """A unit by army, type and number; the army may be left out in what one's own seat types."""

    about = "such as J-Inf-3, your own also as Inf-3"
    near = SIGNS

    def read(self, words: Words, i: int) -> Iterator[tuple[str, int]]:
        if i < len(words):
            found = _TYPED.match(words.folded[i])
            if found and found[1]:
                yield f"{found[1].upper()}-{_SHOWN[found[2]]}-{found[3]}", i + 1

    def show(self, value: str) -> str:
        return value


class RuleText:
    """A rule of a plan, up to a semicolon or the end of the line."""

    about = "such as `air best`, `tactic flank when foe.point is vehicle`, `strike 1`, `keep 1`, `ask die`, `default`"
    near = rule.FIRST_WORDS

    def read(self, words: Words, i: int) -> Iterator[tuple[str, int]]:
        end = i
        while end < len(words) and words[end] not in (";", BREAK):
            end += 1
        try:
            yield str(rule.parse(" ".join(words[i:end]))), end + (end < len(words) and words[end] == ";")
        except ValueError:
            return

    def show(self, value: str) -> str:
        return f"{value};"


UNITS: dict[str, SlotType] = {"UNIT": UnitName()}


class Deploy(WrittenOrder):
    """The order of a line, its point first; units that are not named follow in roster order."""

    kind: ClassVar[str] = "deploy"
    usage: ClassVar[str] = "line {UNIT:units}"
    about: ClassVar[str] = "the order of your line, front first; who is not named follows"
    slots = UNITS
    also: ClassVar[tuple[str, ...]] = ("order {UNIT:units}", "deploy {UNIT:units}")

    units: Many[Unit] = Field(min_length=1, max_length=40)


class Plan(WrittenOrder):
    """What the battle does for a seat without asking; without rules the seat is asked every time."""

    kind: ClassVar[str] = "plan"
    usage: ClassVar[str] = "plan {RULE:rules}"
    about: ClassVar[str] = "rules that answer for you, each up to a semicolon; `no plan`: you are asked"
    slots: ClassVar[dict[str, SlotType]] = {"RULE": RuleText()}
    also: ClassVar[tuple[str, ...]] = ("no plan", "plan : {RULE:rules}", "plan RULE:rules ... END")

    rules: Many[RuleWords] = Field(default=(), max_length=MAX_RULES)

    def __str__(self) -> str:
        return super().__str__() if self.rules else "no plan"


class Pick(WrittenOrder):
    """The aircraft of an air round."""

    kind: ClassVar[str] = "pick"
    usage: ClassVar[str] = "air UNIT"
    about: ClassVar[str] = "the aircraft that fights this air round"
    slots = UNITS

    unit: Unit


class Assault(WrittenOrder):
    """General Assault."""

    kind: ClassVar[str] = "assault"
    usage: ClassVar[str] = "assault"
    about: ClassVar[str] = "General Assault: point against point"


class Concentrate(WrittenOrder):
    """Force Concentration."""

    kind: ClassVar[str] = "concentrate"
    usage: ClassVar[str] = "concentrate"
    about: ClassVar[str] = "Force Concentration: the second unit lends a die"


class Flank(WrittenOrder):
    """Flanking Manoeuvre."""

    kind: ClassVar[str] = "flank"
    usage: ClassVar[str] = "flank"
    about: ClassVar[str] = "Flanking Manoeuvre: the defender drops a die"


class Strike(WrittenOrder):
    """Which strike units strike now, and at what; without any nobody does."""

    kind: ClassVar[str] = "strike"
    usage: ClassVar[str] = "strike [point {UNIT:point}] [support {UNIT:support}]"
    about: ClassVar[str] = "these units strike the enemy's point, these his support; `hold fire`: nobody"
    slots = UNITS
    also: ClassVar[tuple[str, ...]] = (
        "strike {UNIT:point}",
        "strike {UNIT:point} at point",
        "strike {UNIT:support} at support",
        "strike {UNIT:point} at point , {UNIT:support} at support",
        "hold fire",
        "strike none",
    )

    point: Many[Unit] = Field(default=(), max_length=20)
    support: Many[Unit] = Field(default=(), max_length=20)

    def __str__(self) -> str:
        return super().__str__() if self.point or self.support else "hold fire"


DIE: dict[str, SlotType] = {"DIE": Choice("d4", "d6", "d8", "d10", "d12")}
SidesWord = Annotated[str, Field(pattern=r"^d(4|6|8|10|12)$")]


class Add(WrittenOrder):
    """The die that the support lends."""

    kind: ClassVar[str] = "add_die"
    usage: ClassVar[str] = "add DIE"
    about: ClassVar[str] = "Force Concentration: the die of the support that is rolled too"
    slots = DIE

    die: SidesWord


class Drop(WrittenOrder):
    """The die that a flanked defender gives up."""

    kind: ClassVar[str] = "drop_die"
    usage: ClassVar[str] = "drop DIE"
    about: ClassVar[str] = "flanked: the die of your point that is not rolled"
    slots = DIE

    die: SidesWord


class Withdraw(WrittenOrder):
    """All ground units leave the battle."""

    kind: ClassVar[str] = "leave_battle"
    usage: ClassVar[str] = "withdraw"
    about: ClassVar[str] = "all your ground units leave the battle and the sector"


class WithdrawAir(WrittenOrder):
    """All aircraft leave the battle."""

    kind: ClassVar[str] = "leave_air"
    usage: ClassVar[str] = "air withdraw"
    about: ClassVar[str] = "all your aircraft leave the battle for the Repair Box"
    also: ClassVar[tuple[str, ...]] = ("withdraw air",)


class Stay(WrittenOrder):
    """Nobody leaves here."""

    kind: ClassVar[str] = "stay"
    usage: ClassVar[str] = "stay"
    about: ClassVar[str] = "nobody withdraws now"


BATTLE_ORDERS = (Deploy, Plan, Pick, Assault, Concentrate, Flank, Strike, Add, Drop)
ORDERS = (*BATTLE_ORDERS, Withdraw, WithdrawAir, Stay)


FORMS: Mapping[str, tuple[type[WrittenOrder], ...]] = {
    "deploy": (Deploy,),
    "plan": (Plan,),
    "pick_aircraft": (Pick,),
    "choose_tactic": (Assault, Concentrate, Flank),
    "declare_strikes": (Strike,),
    "choose_die": (Add, Drop),
    "withdraw": (Stay, Withdraw, WithdrawAir),
}
"""What answers each question."""


class AskedReader(Reader):
    """Reads orders; a hint for what begins like no order names those that are asked for."""

    def __init__(
        self, classes: Iterable[type[WrittenOrder]], forms: Mapping[str, tuple[type[WrittenOrder], ...]]
    ) -> None:
        super().__init__(classes)
        self.forms = forms
        self.begins = {usage.split()[0] for cls in self.classes for usage in (cls.usage, *cls.also)}

    def read(self, text: str, asked: Iterable[str] = ()) -> tuple[Order, ...]:
        if text.strip().casefold() == "strike":
            raise Unreadable("strike with what?", f"you may write: {usage_line(Strike)}; hold fire")
        try:
            return super().read(text)
        except Unreadable:
            fitting = [cls for what in asked for cls in self.forms.get(what, ())]
            begin = " ".join(text.casefold().split()[:1])
            if fitting and begin and begin not in self.begins:
                return Reader(fitting).read(text)
            raise


READER = AskedReader(ORDERS, FORMS)


def read(text: str, army: str, asked: Iterable[str] = ()) -> tuple[Order, ...]:
    """The orders that a text can mean; units without an army are the seat's own. Raises `Unreadable`."""
    return READER.read(rule.with_army(text, army), asked)
