"""Who controls a sector: decided anew after every change of ground units. [6.6]"""

from __future__ import annotations

from pbem.api import Note, Tell
from rules.field_command.campaign import cards_effects, victory
from rules.field_command.campaign.state import OUT, Loss, War, foes, ground, is_ground, name
from rules.field_command.components import side
from rules.field_command.rows import Army
from rules.field_command.terms import ADJECTIVES


def settle(w: War, place: str, tell: Tell) -> None:
    """A sector with ground units of one side only is not contested, and is that army's. [6.6.4, R38]"""
    if place not in w.board.sectors:
        return
    # [6.6.6, 10.6.3]: aircraft do not count
    armies = {unit.army for unit in ground(w, place)}
    if len({side(army) for army in armies}) > 1:
        return
    if place in w.contested:
        w.contested.discard(place)
        w.directions = {one for one in w.directions if one.sector != place}  # [R27]
        tell(Note("sector.calm", {"sector": name(w, place)}, ("6.6.2", "R38")))
    if len(armies) == 1:
        take(w, place, armies.pop(), tell)


def take(w: War, place: str, army: Army, tell: Tell) -> None:
    """An army controls a sector; with it come supply points, and enemy aircraft on the ground are lost."""
    before = w.control[place]
    if before == army:
        return
    w.control[place] = army
    said = {"army": ADJECTIVES[army], "sector": name(w, place)}
    tell(Note("sector.taken", said, ("6.6.4",)))
    if not foes(before, army):
        return  # [14.1.4, R36]: nothing passes between allies
    if army == w.army:
        cards_effects.taken(w)
    for unit in w.units.values():
        if unit.where == place and unit.army == before and not unit.air and not is_ground(w, unit):
            unit.where = OUT
            # [10.6.4, 10.6.5]: it defends nothing, and only a ground unit gets here
            tell(Note("unit.caught", {"unit": unit.id, "sector": name(w, place)}, ("10.6.6", "R18")))
    if w.board.sectors[place].loss and w.with_supplies:
        w.losses = (*w.losses, Loss(place, before, army))
    victory.changed(w, tell)
