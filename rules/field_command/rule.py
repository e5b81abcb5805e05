"""One line of a battle plan: what to do, and when.

    air J-Ftr-1 J-Bmb-1                     pick the first of these that still flies; also `air best`, `air worst`
    tactic flank when foe.point is vehicle and mine.line >= 3
    add largest                             also smallest, d4 to d12; likewise `drop`
    strike all when foe.point is vehicle    also none, a number, units; `at support`
    keep 1 when foe.line > 1                strike units held back, before `strike` counts
    ask tactic when foe.line = 1            be asked after all: air, tactic, strike or die
    default                                 nothing special: do the usual

In a campaign also:

    retreat mandai axis_c                   where suppressed and withdrawn units go, the first that is open
    withdraw when mine.line = 1 and foe.line >= 4
    withdraw air at round when mine.air = 1    at one checkpoint only: start, air, face, chosen, declared, struck, round
    ask leave when foe.line = 1             be asked whether to withdraw; `ask retreat`: where a unit goes

In a standing plan also:

    line tank elite J-Inf-3                 types or units, front first; then the strongest
    cover all                               guns that support a defence: also none, a number for each battle, units
    reserve 4                               supplies that guns do not touch
    ask line                                be asked for the order of the line; `ask battle`: which battle is next

Conditions are joined by `and`, all must hold; an alternative is a line of its own. Of several lines that fit the first
counts, and `ask` comes before all others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

NUMBERS = (
    *("mine.line", "foe.line", "mine.strikes", "foe.strikes", "mine.air", "foe.air", "mine.left", "declared"),
    *("round", "face", "airround", "win", "lose", "kill", "die"),
)
"""What can be compared with a number; win, lose, kill and die are per cent of a round of point against point."""
NAMES = ("mine.point", "mine.next", "foe.point", "foe.next", "foe.tactic", "mine.tactic")
"""What can be something."""
WORDS = (
    *("infantry", "vehicle", "elite", "volunteer", "tank", "armcar", "carrier", "artillery"),
    *("assault", "concentrate", "flank", "nobody"),
)
"""What it can be: a basic type, a type of unit, a tactic."""
OPERATORS = ("<=", ">=", "<>", "=", "<", ">")
NODES = ("air", "tactic", "strike", "die", "leave", "retreat")
STANDING = (("ask", "line"), ("ask", "battle"))
"""What only a standing plan may ask for."""
STOPS = ("start", "air", "face", "chosen", "declared", "struck", "round")
TACTICS = ("assault", "concentrate", "flank")
SIDES = ("d4", "d6", "d8", "d10", "d12")
FIRST_WORDS = (
    *("air", "tactic", "add", "drop", "strike", "keep", "retreat", "withdraw", "ask", "default"),
    *("line", "cover", "reserve"),
)
TYPES = ("infantry", "vehicle", "artillery", "elite", "volunteer", "tank", "armcar", "carrier")
"""What a line can be ordered by."""
MAX_CONDITIONS = 6
_UNIT = re.compile(r"[jab]-(elite|inf|vol|tank|armcar|carrier|fgun|fix6|fix9|fix15|ftr|bmb)-[1-9][0-9]?\Z")
_BARE = re.compile(r"(?<![\w-])(elite|inf|vol|tank|armcar|carrier|fgun|fix6|fix9|fix15|ftr|bmb)-[1-9][0-9]?\b", re.I)
_PLACE = re.compile(r"[a-z][a-z0-9_]{1,39}\Z")
_NUMBER = re.compile(r"(0|[1-9][0-9]?|100)\Z")
_SHOWN = {
    name.casefold(): name
    for name in ("Elite", "Inf", "Vol", "Tank", "ArmCar", "Carrier", "FGun", "Fix6", "Fix9", "Fix15", "Ftr", "Bmb")
}


def with_army(text: str, army: str) -> str:
    """The text with an army before every unit that is called without one."""
    return _BARE.sub(lambda found: f"{army}-{found[0]}", text)


@dataclass(frozen=True, slots=True)
class Condition:
    """`foe.line >= 3`, `foe.point is vehicle`."""

    name: str
    operator: str
    value: str

    def __str__(self) -> str:
        return f"{self.name} {self.operator} {self.value}"


@dataclass(frozen=True, slots=True)
class Rule:
    """A line of a plan: the first word, those after it, and the conditions. `str` is what `parse` reads."""

    do: str
    what: tuple[str, ...]
    at: str
    when: tuple[Condition, ...]

    def __str__(self) -> str:
        said = " ".join((self.do, *self.what))
        if self.at != "point":
            said += f" at {self.at}"
        return said + (f" when {' and '.join(map(str, self.when))}" if self.when else "")


@lru_cache(maxsize=4096)
def parse(text: str) -> Rule:
    """A line as a rule. Raises ValueError that says what is wrong."""
    spaced = re.sub(r"(<=|>=|<>|(?<![<>])=|<(?![>=])|(?<!<)>(?!=))", r" \1 ", text.replace(",", " "))
    words = spaced.casefold().split()
    if not words or words[0] not in FIRST_WORDS:
        raise ValueError(f"a line of a plan begins with one of: {', '.join(FIRST_WORDS)}")
    cut = words.index("when") if "when" in words else len(words)
    if words[0] in ("cover", "reserve") and cut < len(words):
        raise ValueError(f"{words[0]} stands without conditions")
    when = _conditions(words[cut + 1 :]) if cut < len(words) else ()
    do, what, at = words[0], words[1:cut], "point"
    if do == "strike" and what[-2:] in (["at", "support"], ["at", "point"]):
        at, what = what[-1], what[:-2]
    if do == "withdraw":
        if len(what) > 1 and what[-2] == "at" and what[-1] in STOPS:
            at, what = what[-1], what[:-2]
        if what not in ([], ["air"]):
            raise ValueError("withdraw is followed by air, at and a checkpoint, or when")
        return Rule(do, tuple(what), at, when)
    return Rule(do, _arguments(do, what), at, when)


def _arguments(do: str, what: list[str]) -> tuple[str, ...]:
    single: dict[str, tuple[str, ...]] = {
        "tactic": TACTICS,
        "add": ("largest", "smallest", *SIDES),
        "drop": ("smallest", "largest", *SIDES),
        "ask": (*NODES, *(word for _, word in STANDING)),
    }
    if do == "default":
        if what:
            raise ValueError("default stands alone")
        return ()
    if not what or len(what) > 20:
        raise ValueError(f"{do} what?")
    if do in single:
        if len(what) != 1 or what[0] not in single[do]:
            raise ValueError(f"{do} is followed by one of: {', '.join(single[do])}")
        return tuple(what)
    counted = do in ("strike", "cover") and len(what) == 1 and _NUMBER.match(what[0])
    if do in ("keep", "reserve") or counted:
        if len(what) != 1 or not _NUMBER.match(what[0]):
            raise ValueError(f"{do} a number of {'supplies' if do == 'reserve' else 'strike units'}")
        return tuple(what)
    alone = ("best", "worst") if do == "air" else ("all", "none")
    if len(what) == 1 and what[0] in alone:
        return tuple(what)
    if do == "retreat":
        if not all(_PLACE.match(word) for word in what):
            raise ValueError("retreat is followed by sectors")
        return tuple(what)
    return tuple(word if do == "line" and word in TYPES else _unit(word) for word in what)


def _unit(word: str) -> str:
    if not _UNIT.match(word):
        raise ValueError(f"{word} is no unit")
    army, sign, number = word.split("-")
    return f"{army.upper()}-{_SHOWN[sign]}-{number}"


def _conditions(words: list[str]) -> tuple[Condition, ...]:
    found = []
    while words:
        part, words = words[:3], words[3:]
        if len(part) < 3:
            raise ValueError("a condition is a name, a comparison and a value")
        name, operator, value = part
        if (name in NUMBERS and operator in OPERATORS and _NUMBER.match(value)) or (
            name in NAMES and operator == "is" and value in WORDS
        ):
            found.append(Condition(name, operator, value))
        else:
            raise ValueError(f"{' '.join(part)} is no condition")
        if words and words.pop(0) != "and":
            raise ValueError("conditions are joined by and")
        if len(found) > MAX_CONDITIONS:
            raise ValueError(f"at most {MAX_CONDITIONS} conditions")
    if not found:
        raise ValueError("when what?")
    return tuple(found)
