"""Phase 3: ground units move, attack, and go from Axis to Axis. [8.3.3, 9]"""

from __future__ import annotations

from pbem.api import Illegal, Note, Tell
from rules.field_command.campaign import cards_effects, control, supply
from rules.field_command.campaign.orders import Drive, Move, Shift
from rules.field_command.campaign.state import (
    Entry,
    Unit,
    War,
    ally_inside,
    enemies,
    family,
    foes,
    full,
    ground,
    is_ground,
    name,
)
from rules.field_command.combat import FIXED
from rules.field_command.rows import Mode


def _own(w: War, id: str) -> Illegal | None:
    """Why this unit may not move at all."""
    unit = w.units.get(id)
    if unit is None or unit.army != w.army:
        return Illegal(f"{id} is not yours to move now", ("11.2.6",))
    if not is_ground(w, unit):
        return Illegal(f"{id} is an aircraft", ("8.3.2",), "fly")
    if unit.kind in FIXED:
        return Illegal(f"{id} never moves", ("9.1.1",))
    if unit.where not in w.board.sectors and unit.where not in w.board.axes:
        return Illegal(f"{id} is not on the map", ("8.3.3",))
    if w.step == "fire":
        return Illegal("units move before barrages are declared", ("8.3.3.3",))
    if unit.mark:
        return Illegal(f"{id} has moved", ("9.1.2",))
    return None


def way(w: War, order: Move | Drive) -> tuple[str, ...]:
    """The places after the start; the start may be written too."""
    start = w.units[order.unit].where
    return order.way[1:] if len(order.way) > 1 and order.way[0] == start else order.way


def refuse(w: War, order: Move | Drive) -> Illegal | None:
    """Every step by the Movement Chart and by what is met. [9.1 to 9.4, R43]"""
    why = _own(w, order.unit)
    if why:
        return why
    unit, mode = w.units[order.unit], mode_of(order)
    places = way(w, order)
    reach = w.board.charts.reach(unit.origin, unit.kind)
    limit = (reach.on_road if mode == "on-road" else reach.off_road) + cards_effects.further(w, unit, mode)
    if len(places) > limit:
        return Illegal(f"{unit.id} goes {limit} {mode} at most", ("9.1.3",))
    # [9.3.1]: contested or not
    at = unit.where
    if mode == "on-road" and (at not in w.board.sectors or not w.board.sectors[at].road):
        return Illegal(f"no road starts in {name(w, at)}", ("9.1.5",))
    for n, to in enumerate(places):
        last = n == len(places) - 1
        why = _step(w, unit, at, to, mode, last=last, water=reach.water)
        if why is None:
            why = _enter(w, unit, at, to, last=last)
        if why:
            return why
        at = to
    return _price(w, unit, places)


def passed(w: War, unit: Unit, places: tuple[str, ...]) -> int:
    """How many enemy-occupied sectors lie on the way, which only a card allows."""
    return sum(enemies(w, place, unit.army) for place in places[:-1])


def _price(w: War, unit: Unit, places: tuple[str, ...]) -> Illegal | None:
    """Whether all can be paid: enemy-occupied sectors that are entered, and what a card wants beside. [14.2.1.a]"""
    through = passed(w, unit, places)
    if through > cards_effects.passes(w, unit):
        return Illegal("the enemy stops a move", ("9.3.2",))
    price = through + enemies(w, places[-1], unit.army)
    if price:
        # [14.3.5, 14.3.6]: where the move starts, when it is ordered
        why = supply.refuse(w, unit.army, unit.where, "8.3.3.2", price)
        if why:
            return why
    return _boats(w, unit, price)


def _boats(w: War, unit: Unit, price: int) -> Illegal | None:
    """Whether an Axis may be left."""
    more = cards_effects.boats(w, unit)
    if more and w.supplies[unit.army] < more + price:
        return Illegal(f"no unit leaves an Axis before {more} supplies are paid", ("15.3.1",))
    return None


def mode_of(order: Move | Drive) -> Mode:
    """The mode of an order. [9.1.2]"""
    return "on-road" if isinstance(order, Drive) else "off-road"


def _step(w: War, unit: Unit, at: str, to: str, mode: Mode, *, last: bool, water: bool) -> Illegal | None:
    """Whether the border can be crossed so."""
    if to in w.board.axes:
        return Illegal("nobody enters or attacks an Axis", ("6.4.2.a", "9.4.2"))
    step = cards_effects.passage(w, at, to) if to in w.board.sectors else None
    if step is None:
        near = ", ".join(name(w, one.to) for one in w.board.neighbours(at))
        return Illegal(f"{name(w, to)} is no neighbour of {name(w, at)}", ("9.1.4",), f"next to it: {near}")
    if mode == "on-road":
        # [9.2.3]: bridges carry every type, and do not end a move
        return None if step.road else Illegal(f"no road leads from {name(w, at)} to {name(w, to)}", ("9.1.5",))
    if not step.water:
        return None
    # [6.4.2, 6.4.2.b]: out of an Axis everybody crosses
    if at not in w.board.axes and not water and not cards_effects.bridged(w, unit.army, at, to):
        return Illegal(f"{unit.id} cannot cross water off-road", ("9.2.2", "9.4.5"))
    if not last:
        return Illegal("who crosses water off-road ends the move there", ("9.2.2", "R44"))
    return None


def _enter(w: War, unit: Unit, at: str, to: str, *, last: bool) -> Illegal | None:
    """Whether the sector may be entered, and whether one may stop in it."""
    where = name(w, to)
    shut = cards_effects.closed(w, to, unit.army)
    if shut is not None:
        return shut
    # [11.4.1]: a fixed gun alone is an enemy too
    if enemies(w, to, unit.army):
        if not last and cards_effects.passes(w, unit):
            return None
        if not last:
            return Illegal(f"the enemy in {where} stops the move", ("9.3.2",))
        if ally_inside(w, to, unit.army):
            return Illegal(f"an ally fights in {where}", ("6.6.3", "9.3.4"))
        why = _against(w, unit, at, to)
        if why:
            return why
    elif last and ally_inside(w, to, unit.army):
        return Illegal(f"an allied unit is in {where}", ("9.3.4", "6.6.3"))
    if last and to != unit.where and full(w, to, unit.army):
        return Illegal(f"{where} is full", ("6.2.3",))
    return None


def _against(w: War, unit: Unit, at: str, to: str) -> Illegal | None:
    """An attack, or a reinforcement of a fight that goes on. [9.3.5, 11.3]"""
    gun = family(w, unit) == "artillery"
    inside = any(one is not unit for one in ground(w, to, unit.army))
    if to in w.contested and inside:
        if gun and w.control[to] != unit.army:
            return Illegal("artillery joins a battle only as defender", ("11.3.2", "R76"))
        return None
    if gun:
        return Illegal("artillery cannot attack", ("11.3.1",))
    if at in w.contested:
        return Illegal(f"no attack starts in {name(w, at)}, which is contested", ("9.3.5", "R37"))
    return None


def move(w: War, order: Move | Drive, tell: Tell) -> None:
    """The unit goes its way: empty enemy sectors change hands, an enemy at the end is attacked."""
    unit, places, mode = w.units[order.unit], way(w, order), mode_of(order)
    start = unit.where
    entering = enemies(w, places[-1], unit.army)
    cards_effects.pay_boats(w, unit, tell)
    for place in places[:-1]:
        if enemies(w, place, unit.army):
            supply.pay(w, unit.army, tell, f"{unit.id} through {name(w, place)}", "14.2.1.a")
            cards_effects.has_passed(w, unit)
    if entering:
        supply.pay(w, unit.army, tell, f"{unit.id} into {name(w, places[-1])}", "14.2.1.a")
    said = {"unit": unit.id, "start": name(w, start), "way": ", ".join(name(w, one) for one in places), "mode": mode}
    tell(Note("unit.attacks" if entering else "unit.moves", said, ("8.3.3.1", "9.3.2" if entering else "9.1.3")))
    unit.mark = "moved"
    unit.where = places[-1]
    control.settle(w, start, tell)
    for place in places[:-1]:
        if foes(w.control[place], unit.army) and not enemies(w, place, unit.army):  # [6.6.5, 9.3.3]; no ally's
            control.take(w, place, unit.army, tell)
    if w.ended:
        return
    if entering:
        # [9.3.7]
        out = (start, *places)[-2]
        w.entries = (*w.entries, Entry(unit.id, out, places[-1], mode))
    else:
        # [14.2.2, 14.2.2.c, 6.6.4-ex1]: an empty sector costs nothing
        control.settle(w, places[-1], tell)


def refuse_shift(w: War, order: Shift) -> Illegal | None:
    """From an Axis to an activated one of the same group. [9.4]"""
    why = _own(w, order.unit)
    if why:
        return why
    # [6.4.2.d]
    start = w.units[order.unit].where
    if start not in w.board.axes:
        return Illegal(f"{order.unit} is in no Axis", ("6.4.2.a",))
    if order.place not in w.board.axes:
        return Illegal(f"{name(w, order.place)} is no Axis", ("9.4.3",), "move")
    # [6.4.3]
    if order.place not in w.board.activated:
        return Illegal(f"{name(w, order.place)} is not activated", ("6.4.4", "9.4.1"))
    if w.board.axes[order.place].group != w.board.axes[start].group:
        return Illegal("land and sea Axes do not mix", ("9.4.4",))
    if order.place == start:
        return Illegal(f"{order.unit} is there", ("9.4.3",))
    return _boats(w, w.units[order.unit], 0)


def shift(w: War, order: Shift, tell: Tell) -> None:
    """It ends its move there, and pays nothing. [9.4.3, R44]"""
    unit = w.units[order.unit]
    cards_effects.pay_boats(w, unit, tell)
    said = {"unit": unit.id, "start": name(w, unit.where), "way": name(w, order.place), "mode": "from Axis to Axis"}
    tell(Note("unit.moves", said, ("9.4.3",)))
    unit.where, unit.mark = order.place, "moved"
