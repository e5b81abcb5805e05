"""Reinforcements that enter by land or in Singapore. [5.5]"""

from __future__ import annotations

from pbem.api import Illegal
from rules.singapore_1984 import sea, stacking
from rules.singapore_1984.orders import Place
from rules.singapore_1984.state import CW, JP, KEPPEL, OFF, POOL, SEALED, SINGAPORE, State, foe
from rules.singapore_1984.zones import zone


def refuse_place(s: State, order: Place) -> Illegal | None:
    """A reinforcement at one of the side's entries. [5.52, 5.53, 5.54a]"""
    if order.unit not in s.pieces:
        return Illegal(f"{order.unit} is not in this game", ("3.0k", "5.51a"))
    if s.side(order.unit) != s.active:
        return Illegal(f"{order.unit} is not yours", ("5.52a",))
    wrong = sea.refuse_due(s, order.unit)
    if wrong is not None:
        return wrong
    if s.active == JP and s.pulse:
        return Illegal("Japan's reinforcements enter in the normal part of the turn", ("11.0i",))
    entries = s.board.region("north-edge") if s.active == JP else (SINGAPORE,)
    if s.active == CW and s.assault:
        entries = (KEPPEL,)
    if order.hex not in entries:
        ids = ("5.53",) if s.active == JP else ("5.54b", "11.12a") if s.assault else ("5.54a",)
        return Illegal(f"reinforcements enter at {', '.join(entries)}", ids)
    if s.assault and s.active == CW and order.hex in zone(s, JP):
        return Illegal(f"{order.hex} is in an enemy zone", ("11.12b",))
    if s.held(order.hex, foe(s.active)):
        return Illegal(f"an enemy is in {order.hex}", ("5.52c",))
    if not stacking.room(s, order.hex, order.unit):
        return Illegal(f"{order.hex} holds no more units", ("5.52b",))
    return None


def may_come(s: State) -> bool:
    """Whether the phasing player has a unit that may enter by land, or a sealed one that might."""
    if arrivals(s):
        return True
    army, units = s.board.army[s.active], s.board.units
    return any(s.pieces[id].at == SEALED and 0 < units[id].turn <= s.turn for id in army if id in s.pieces)


def arrivals(s: State) -> tuple[str, ...]:
    """The units that the phasing player may bring in by land now."""
    waiting = [id for id in s.board.army[s.active] if id in s.pieces and s.pieces[id].at in (POOL, OFF)]
    return tuple(id for id in waiting if s.turn >= sea.due(s, id))
