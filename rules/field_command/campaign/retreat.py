"""Where suppressed and withdrawn units go: one sector, at once. [12.3, 13.1.4]"""

from __future__ import annotations

from pbem.api import Illegal, Note, Tell
from rules.field_command import plans
from rules.field_command.campaign import cards_effects, control
from rules.field_command.campaign.orders import Retreat
from rules.field_command.campaign.state import (
    OUT,
    Leaving,
    War,
    ally_inside,
    attacked,
    count,
    foes,
    full,
    name,
)


def illegal(w: War, one: Leaving, to: str) -> Illegal | None:
    """Why a unit may not go there."""
    unit, sector = w.units[one.unit], w.sector
    where = name(w, to)
    # [12.3.1, 12.3.1.1.a, 12.3.1.2, 12.3.3]: one neighbouring own sector, and nothing is paid
    if to == sector:
        return Illegal(f"{one.unit} must leave the sector", ("12.3.1.1",))
    if to in w.board.axes:
        # [6.4.2.c]
        near = to in w.board.activated and sector in w.board.landings(to)
        if unit.army != "J" or not near:
            return Illegal(f"{where} is no way out of {name(w, sector)}", ("12.3.1.2.a", "6.4.2.a"))
    else:
        step = w.board.step(sector, to) if to in w.board.sectors else None
        if step is None:
            return Illegal(f"{where} is no neighbour of {name(w, sector)}", ("12.3.1.2.a",))
        if to in w.contested or to in attacked(w):
            return Illegal(f"{where} is contested", ("12.3.1.2.b",))
        if foes(w.control[to], unit.army):
            return Illegal(f"{where} is in enemy hands", ("12.3.1.2.c",))
        if ally_inside(w, to, unit.army):
            return Illegal(f"an allied unit is in {where}", ("12.3.1.2.d", "R81"))
        if full(w, to, unit.army):
            return Illegal(f"{where} is full", ("6.2.3", "R28"))
        if one.role == "defence" and step.water:
            return Illegal("a defender does not cross water", ("12.3.5", "R31"))
        shut = cards_effects.closed(w, to, unit.army)
        if shut is not None:
            return shut
    # [12.3.6.2, 12.3.6.2-ex]: then water is no hindrance
    if one.role == "attack" and to not in fresh(w):
        return Illegal(f"nobody came from {where} this turn", ("12.3.6.1", "R30"))
    return None


def fresh(w: War) -> tuple[str, ...]:
    """Where attackers of this battle came from this turn. [12.3.6.1, R29]"""
    return tuple(dict.fromkeys(entry.out for entry in w.entries if entry.into == w.sector))


def exits(w: War, one: Leaving) -> tuple[str, ...]:
    """Where a unit may go, by name."""
    near = [step.to for step in w.board.neighbours(w.sector)]
    near += [axis for axis in w.board.axes_at(w.sector) if axis in w.board.activated]
    return tuple(sorted((to for to in near if illegal(w, one, to) is None), key=lambda to: name(w, to)))


def refuse(w: War, order: Retreat) -> Illegal | None:
    """The unit that is asked for, to a sector that is open to it."""
    one = w.leaving[0]
    if order.unit != one.unit:
        return Illegal(f"it is asked where {one.unit} goes", ("12.3.1.1", "R52"))
    why = illegal(w, one, order.place)
    if why is None:
        return None
    return Illegal(why.why, why.ids, f"open to {one.unit}: {', '.join(name(w, to) for to in exits(w, one))}")


def go(w: War, to: str, tell: Tell) -> None:
    """The first unit that leaves goes there; an empty sector of an ally becomes its army's. [12.3.1.1.b]"""
    # [12.3.2]: each its own way
    one, w.leaving = w.leaving[0], w.leaving[1:]
    unit = w.units[one.unit]
    unit.where = to
    tell(Note("unit.retreats", {"unit": unit.id, "place": name(w, to)}, ("12.3.1.1",)))
    # [12.3.1.1.b]
    control.settle(w, to, tell)


def go_by_themselves(w: War, tell: Tell) -> None:
    """Units without a choice, and those that a plan sends."""
    while w.leaving:
        one = w.leaving[0]
        there = exits(w, one)
        if not there:
            w.leaving = w.leaving[1:]
            w.units[one.unit].where = OUT
            tell(Note("unit.trapped", {"unit": one.unit}, ("12.3.1.3",)))
            continue
        to = there[0] if len(there) == 1 else planned(w, one, there)
        if not to:
            return
        go(w, to, tell)


def planned(w: War, one: Leaving, there: tuple[str, ...]) -> str:
    """What the plan of the unit's side says; the one with most room unless it says otherwise; "" asks its owner."""
    f = w.fight
    if f is None or not plans.planned(f, one.role, "retreat"):
        return ""
    for to in plans.exits(f, one.role):
        if to in there:
            return to
    army = w.units[one.unit].army
    return min(there, key=lambda to: (to not in w.board.axes, count(w, to, army), name(w, to)))
