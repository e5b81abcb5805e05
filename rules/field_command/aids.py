"""Combat cards in force: what they change in the rounds and strikes of one battle. [15.3.1, 4.1.4]

`Aid.units` is, by what the card does: the infantry that has had its better round, the guns that may strike again, the
attackers that came out of an Axis, the disguised point.
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.api import Note, Roll, Tell
from rules.field_command.rows import Card, Role
from rules.field_command.state import Aid, Fight, How, Shot, aids, point


def change(f: Fight, old: Aid, new: Aid) -> None:
    """The same card, used up a little."""
    f.aids = tuple(new if aid == old else aid for aid in f.aids)


# --- rounds ---


def bonus(f: Fight, role: Role, unit: str) -> int:
    """What cards add to the highest die of a point unit, in halves; all effects add up. [15.3.3]"""
    found = sum(card.amount for _, card in (*aids(f, "battle_bonus", role), *aids(f, "all_or_nothing", role)))
    if f.charts.family(f.units[unit].kind) == "infantry":
        found += sum(card.amount for aid, card in aids(f, "infantry_bonus", role) if unit not in aid.units)
    return found


def edge(f: Fight) -> int:
    """What the defending point has more than the attacking one beside their dice, in halves."""
    return f.bonus + bonus(f, "defence", point(f, "defence")) - bonus(f, "attack", point(f, "attack"))


def fought(f: Fight, role: Role, unit: str) -> None:
    """Infantry has had its first round."""
    if f.charts.family(f.units[unit].kind) == "infantry":
        for aid, _ in tuple(aids(f, "infantry_bonus", role)):
            if unit not in aid.units:
                change(f, aid, aid._replace(units=(*aid.units, unit)))


def result(f: Fight, role: Role, how: How) -> How:
    """A charge that fails is the end of its units."""
    return "eliminated" if any(True for _ in aids(f, "all_or_nothing", role)) else how


def spared(f: Fight, role: Role, unit: str, how: How, tell: Tell) -> bool:
    """Whether a suppression does not count, and the unit stays on the line."""
    if how != "suppressed":
        return False
    for aid, card in aids(f, "ignore_suppression", role):
        if aid.left:
            change(f, aid, aid._replace(left=aid.left - 1))
            tell(Note("card.spared", {"unit": unit, "card": card.name}, ("15.3.1",)))
            return True
    return False


# --- fire on the water ---


def in_the_fire(f: Fight, units: Iterable[str]) -> tuple[str, ...]:
    """Attackers that came out of an Axis while a card sets the water on fire."""
    came = {unit for aid, _ in aids(f, "axis_fire", "defence") for unit in aid.units}
    return tuple(unit for unit in units if unit in came)


def fire(f: Fight) -> Card:
    """The card that sets the water on fire."""
    return next(card for _, card in aids(f, "axis_fire", "defence"))


def waits(f: Fight) -> Roll:
    """A die for each of them."""
    return Roll(f"{f.name}/fire/{f.rounds}", "15.3.1", dice=fire(f).dice[:1] * len(in_the_fire(f, f.burning)))


def burnt(f: Fight, faces: tuple[int, ...], label: str, tell: Tell) -> dict[str, How]:
    """What becomes of the units that have lost the round."""
    card, rolled = fire(f), dict(zip(in_the_fire(f, f.burning), faces, strict=True))
    for unit, face in rolled.items():
        did = "eliminated" if face >= card.success else "suppressed"
        tell(Note("card.fire", {"unit": unit, "die": face, "result": did}, ("15.3.1",), label))
    return {unit: "eliminated" if rolled.get(unit, 0) >= card.success else "suppressed" for unit in f.burning}


# --- strikes ---


def second_strikes(f: Fight, role: Role, shots: Iterable[Shot]) -> None:
    """A gun that may strike twice is ready again. [5.1.2 gives way to 15.3.1]"""
    for shot in shots:
        for aid, _ in tuple(aids(f, "second_strike", role)):
            if aid.left and shot.unit in aid.units:
                change(f, aid, aid._replace(left=aid.left - 1))
                f.strikes[role] = [*f.strikes[role], shot.unit]


def repeated(f: Fight, role: Role, missed: Iterable[Shot], tell: Tell) -> tuple[Shot, ...]:
    """Strikes of field guns that missed and are rolled again, at once, as long as their target stands. [R97]"""
    found: tuple[Shot, ...] = ()
    for aid, card in tuple(aids(f, "repeat_strike", role)):
        able = [shot for shot in missed if f.units[shot.unit].kind == "field" and shot not in found]
        again = tuple(able[: aid.left])
        change(f, aid, aid._replace(left=aid.left - len(again)))
        found = (*found, *again)
        if again:
            told = {"units": ", ".join(shot.unit for shot in again), "card": card.name}
            tell(Note("card.again", told, ("15.3.1",)))
    return found
