"""Step 2, Japanese advance: units with nobody before them march on, by rule and without a choice."""

from __future__ import annotations

from pbem.api import Note, Tell
from rules.battle_card_malaya import victory
from rules.battle_card_malaya.components import ROADS, Road
from rules.battle_card_malaya.state import Move, State, Told, Unit, road_of

ROAD_CLAUSE = {
    "trunk": "BC-3.2.3",  # [BC-3.2.3] the unit that starts in Jitra
    "eastern": "BC-3.2.2",  # [BC-3.2.2] the unit that starts in Kota Bharu
}


def advance(s: State, tell: Tell) -> None:
    """Both Japanese units, the Trunk road's first."""
    if all(next_location(s, unit.at) is None for unit in s.japanese.values()):
        return
    tell(Note("advance", {"turn": s.turn}, ("BC-3.2.1",), anchor=f"T{s.turn}.advance"))
    for road in tuple(s.japanese):
        march(s, road, tell)


def march(s: State, road: Road, tell: Tell) -> None:
    """Along the road towards Singapore until a Location with an Allied unit. [BC-3.2.1]"""
    spaces = [s.japanese[road].at]
    while s.result is None and (to := next_location(s, s.japanese[road].at)) is not None:
        enter(s, road, to, tell)
        spaces.append(to)
    if len(spaces) > 1:
        s.moved += (Move(road, tuple(spaces)),)


def next_location(s: State, at: str) -> str | None:
    """Where a Japanese unit goes from here, or None where it halts."""
    if at in s.allied:
        return None
    to = s.card.next(at)
    if to == s.card.goal:  # [BC-2.3, R8]
        return None
    if road_of(s, to) is not None:  # [R9, BC-2.2]
        return None
    return to


def enter(s: State, road: Road, to: str, tell: Tell) -> None:
    """One space further, with the reinforcements printed there. [BC-3.2.4]"""
    at, before = s.japanese[road]
    strength = min(before + s.card.reinforcements[to], s.card.cap)  # [R7]: passed spaces too, capped each time
    s.japanese[road] = Unit(to, strength)
    told: Told = {"road": ROADS[road], "from": s.card.name(at), "to": s.card.name(to), "strength": strength}
    tell(Note("advance.enters", told, ("BC-3.2.1", ROAD_CLAUSE[road])))
    if strength > before:
        tell(Note("advance.reinforced", told | {"before": before}, ("BC-3.2.4", "R7")))
    victory.judge_endau(s, tell)
