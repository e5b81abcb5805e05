"""Phases 1 and 2: aircraft land, refuel, and fly out again. [8.3.1, 8.3.2, 10]"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Illegal, Note, Tell
from rules.field_command.campaign import cards_effects, control
from rules.field_command.campaign.orders import Fly, Land
from rules.field_command.campaign.state import OUT, REPAIR, STEPS, Unit, War, ally_inside, foes, is_ground, name
from rules.field_command.components import OFF_MAP
from rules.field_command.rows import Army


def owing(w: War) -> tuple[Unit, ...]:
    """The active army's aircraft that must land: those in the air, and those in the Repair Box."""
    if w.step != "land":
        return ()
    return tuple(unit for unit in w.units.values() if unit.army == w.army and (unit.air or unit.where == REPAIR))


def landable(w: War, army: Army, place: str) -> Illegal | None:
    """Why an army may not land there."""
    if place == OFF_MAP:
        return None if army == "J" else Illegal("the off-map airfield is Japanese", ("10.1.1",))
    if place not in w.board.airfields:
        return Illegal(f"{name(w, place)} has no airfield", ("10.1.1",))
    if foes(w.control[place], army):
        return Illegal(f"the airfield of {name(w, place)} is in enemy hands", ("10.6.1",))
    if ally_inside(w, place, army):
        return Illegal(f"an allied unit is in {name(w, place)}", ("10.6.2",))
    return cards_effects.closed(w, place, army)


def fields(w: War, army: Army) -> list[str]:
    """Where an army can land: calm own airfields, off the map, own contested ones, empty ones of an ally."""
    there = [id for id in (*w.board.airfields, OFF_MAP) if landable(w, army, id) is None]

    def last(id: str) -> int:
        return 1 if id == OFF_MAP else 3 if w.control[id] != army else 2 if id in w.contested else 0

    return sorted(there, key=last)


def refuse_landing(w: War, order: Land) -> Illegal | None:
    """An aircraft that must land, at an airfield that is open to it."""
    unit = w.units.get(order.unit)
    if unit is None or unit.army != w.army:
        return Illegal(f"{order.unit} is not yours", ("11.2.6",))
    if unit not in owing(w):
        return Illegal(f"{order.unit} does not land now", ("10.1.1", "8.3.1"))
    why = landable(w, w.army, order.place)
    if why is None:
        return None
    open_to_it = ", ".join(name(w, id) for id in fields(w, w.army)) or "none"
    return Illegal(why.why, why.ids, f"airfields: {open_to_it}")


def land(w: War, unit: Unit, place: str, tell: Tell) -> None:
    """It refuels, and does not fly this turn; an ally's empty airfield changes hands. [10.1.1, R17]"""
    unit.where, unit.air, unit.mark = place, False, "landed"
    tell(Note("air.landed", {"unit": unit.id, "place": name(w, place)}, ("8.3.1", "10.1.1")))
    if place in w.control:
        control.take(w, place, unit.army, tell)


def land_all(w: War, tell: Tell) -> None:
    """Whoever has not landed does so by itself; without an airfield it is lost."""
    for unit in owing(w):
        there = fields(w, w.army)
        if there:
            land(w, unit, there[0], tell)
        else:
            unit.where, unit.air = OUT, False
            tell(Note("air.no_field", {"unit": unit.id}, ("8.3.1", "10.1.1")))


def ready(w: War) -> Iterator[Unit]:
    """The active army's aircraft that may fly."""
    # [10.2.2, 10.2.2-ex]: nobody must
    for unit in w.units.values():
        grounded = unit.where == OFF_MAP or unit.where in w.board.sectors
        if unit.army == w.army and not is_ground(w, unit) and grounded and not unit.air and not unit.mark:
            yield unit


def refuse_flight(w: War, order: Fly) -> Illegal | None:
    """A ready aircraft, to any sector without an ally. [10.2.1, R50]"""
    return refuse(w, order.unit, order.place)


def refuse(w: War, id: str, place: str) -> Illegal | None:
    """The same for a unit and a sector by name."""
    unit = w.units.get(id)
    if unit is None or unit.army != w.army:
        return Illegal(f"{id} is not yours", ("11.2.6",))
    if is_ground(w, unit):
        return Illegal(f"{id} does not fly", ("8.3.2",))
    if STEPS.index(w.step) > STEPS.index("fly"):
        return Illegal("aircraft fly before ground units move", ("8.3.2",))
    # [10.4.1-ex]
    if unit.mark == "landed" or unit in owing(w):
        return Illegal(f"{id} refuels or is repaired this turn", ("8.3.2", "10.4.1"))
    if unit.air:
        return Illegal(f"{id} has flown", ("10.3.1",))
    if unit.where in (OUT, "pool"):
        return Illegal(f"{id} is not in play", ("8.3.2",))
    if place not in w.board.sectors:
        return Illegal("aircraft fly to sectors", ("R50", "8.3.2"))
    if ally_inside(w, place, w.army):
        return Illegal(f"an allied unit is in {name(w, place)}", ("6.6.3", "R50"))
    return cards_effects.grounded(w) or cards_effects.closed(w, place, w.army)


def fly(w: War, order: Fly, tell: Tell) -> None:
    """It is over the sector, whoever holds that. [6.6.6]"""
    take_off(w, order.unit, order.place, tell)


def take_off(w: War, id: str, place: str, tell: Tell) -> None:
    """The same for a unit and a sector by name."""
    unit = w.units[id]
    # [10.2.3, 14.2.2.a]: for nothing
    unit.where, unit.air = place, True
    tell(Note("air.flown", {"unit": unit.id, "place": name(w, place)}, ("8.3.2", "10.2.1")))
