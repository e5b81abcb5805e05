"""Phases 4 and 5: which guns support which battles. [8.3.4, 8.3.5, 11]"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Illegal, Note, Tell
from rules.field_command.campaign import supply
from rules.field_command.campaign.orders import Fire
from rules.field_command.campaign.state import Barrage, Unit, War, attacked, family, fields_of_battle, foes, name
from rules.field_command.rows import Army


def targets(w: War, army: Army) -> tuple[str, ...]:
    """Where an army's guns may fire: its own battles of this turn. [R48]"""
    return tuple(id for id in fields_of_battle(w) if w.army == army or w.control[id] == army)


def defenders(w: War) -> tuple[Army, ...]:
    """The armies that are attacked and have a gun that can fire, in turn order. [8.3.5.1]"""
    return tuple(army for army in w.board.order if foes(army, w.army) and any(True for _ in possible(w, army)))


def possible(w: War, army: Army) -> Iterator[tuple[Unit, str]]:
    """Guns with the sectors at which they may fire now."""
    aims = targets(w, army)
    if aims:
        for unit in w.units.values():
            if unit.army == army and family(w, unit) == "artillery" and not unit.mark:
                reach = w.board.charts.reach(unit.origin, unit.kind).range
                for aim in aims:
                    far = w.board.distance(unit.where, aim) if unit.where in w.board.places else None
                    if far is not None and far <= reach and refuse_gun(w, army, unit, aim, aims) is None:
                        yield unit, aim


def refuse(w: War, army: Army, order: Fire) -> Illegal | None:
    """An own gun that has done nothing, in a calm place, at a battle of its army in range, paid for."""
    unit = w.units.get(order.unit)
    if unit is None or unit.army != army:
        return Illegal(f"{order.unit} is not yours", ("11.2.6",))
    return refuse_gun(w, army, unit, order.place, targets(w, army))


def refuse_gun(w: War, army: Army, unit: Unit, place: str, aims: tuple[str, ...]) -> Illegal | None:
    """The same for one gun and one sector; `aims` are the army's `targets`."""
    if family(w, unit) != "artillery":
        return Illegal(f"{unit.id} is no artillery", ("11.1.1",))
    if unit.where not in w.board.places:
        return Illegal(f"{unit.id} is not on the map", ("8.3.4.1",))
    if place in w.board.axes:
        return Illegal("nobody fires into an Axis", ("11.1.4",))
    # [11.2.1-ex, 11.2.2-ex]: marks go with each army's turn
    if unit.mark == "moved":
        return Illegal(f"{unit.id} has moved", ("11.2.1", "8.3.4.1"))
    if unit.mark == "fired":
        return Illegal(f"{unit.id} fires once in a turn", ("11.2.2",))
    if unit.where in w.contested or unit.where in attacked(w):
        return Illegal(f"{unit.id} defends its own sector", ("11.2.3", "R47"))
    if unit.mark:
        return Illegal(f"{unit.id} has fought this turn", ("11.2.1", "R47"))
    if place not in aims:
        own = ", ".join(name(w, id) for id in aims) or "none"
        clause = "8.3.5.1" if army != w.army else "11.2.5"
        return Illegal(f"you fight no battle in {name(w, place)} this turn", (clause, "R48"), f"your battles: {own}")
    # [11.1.3, 6.3.2, 11.1.4-ex]: sea zones are no sectors
    far, reach = w.board.distance(unit.where, place), w.board.charts.reach(unit.origin, unit.kind).range
    if far is None or not 1 <= far <= reach:
        return Illegal(f"{name(w, place)} is out of range of {unit.id}, which is {reach}", ("11.1.2",))
    return supply.refuse(w, army, unit.where, "8.3.4.2" if army == w.army else "8.3.5.2")


def fire(w: War, order: Fire, tell: Tell) -> None:
    """The gun is bound to that battle, and paid for. [14.2.1.b]"""
    unit = w.units[order.unit]
    unit.mark = "fired"
    w.barrages = (*w.barrages, Barrage(unit.id, order.place))
    clause = "8.3.4.1" if unit.army == w.army else "8.3.5.1"
    tell(Note("gun.fires", {"unit": unit.id, "sector": name(w, order.place)}, (clause,)))
    supply.pay(w, unit.army, tell, f"{unit.id} at {name(w, order.place)}", "14.2.1.b")
