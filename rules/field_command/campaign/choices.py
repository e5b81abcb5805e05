"""What an army may order on the map, for menus, random games and the bot."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Order
from rules.field_command.campaign import flights, guns
from rules.field_command.campaign.orders import Drive, Fire, Fly, Land, Move, Shift
from rules.field_command.campaign.state import Unit, War, enemies, fields_of_battle, flying, is_ground
from rules.field_command.combat import FIXED
from rules.field_command.rows import Army


def of(w: War, army: Army) -> Iterator[Order]:
    """Candidates; some may be refused."""
    if w.phase == "cover":
        yield from (Fire(unit=unit.id, place=place) for unit, place in guns.possible(w, army))
        return
    if w.step == "land":
        for unit in flights.owing(w):
            yield from (Land(unit=unit.id, place=place) for place in flights.fields(w, army))
    if w.step in ("land", "fly"):
        for unit in flights.ready(w):
            yield from (Fly(unit=unit.id, place=place) for place in worth_flying_to(w))
    if w.step != "fire":
        for unit in movers(w, army):
            yield from ways(w, unit)
    yield from (Fire(unit=unit.id, place=place) for unit, place in guns.possible(w, army))


def worth_flying_to(w: War) -> tuple[str, ...]:
    """Sectors with a battle or with enemy aircraft in the air."""
    battles = {*fields_of_battle(w), *w.contested}
    return tuple(
        id
        for id in w.board.sectors
        if id in battles or any(flying(w, id, army) for army in w.board.order if (army == "J") != (w.army == "J"))
    )


def movers(w: War, army: Army) -> Iterator[Unit]:
    """Ground units that can still move."""
    for unit in w.units.values():
        able = unit.army == army and is_ground(w, unit) and not unit.mark and unit.kind not in FIXED
        if able and unit.where in w.board.places:
            yield unit


def ways(w: War, unit: Unit) -> Iterator[Order]:
    """One step off-road, two on-road, another Axis."""
    for step in w.board.neighbours(unit.where):
        yield Move(unit=unit.id, way=(step.to,))
        if step.road and unit.where in w.board.sectors:
            yield Drive(unit=unit.id, way=(step.to,))
            if not enemies(w, step.to, unit.army):
                for more in w.board.neighbours(step.to):
                    if more.road and more.to != unit.where:
                        yield Drive(unit=unit.id, way=(step.to, more.to))
    if unit.where in w.board.axes:
        yield from (Shift(unit=unit.id, place=axis) for axis in w.board.activated if axis != unit.where)
