"""What binds Allied units to their supply when they move. [4.4]"""

from __future__ import annotations

from pbem.api import Illegal
from rules.kit.hexes import Hex
from rules.tiger_of_malaya import supply
from rules.tiger_of_malaya.costs import SPENT, acts, reachable
from rules.tiger_of_malaya.orders import Move
from rules.tiger_of_malaya.state import (
    ALLIES,
    State,
    level,
    of,
    points,
)
from rules.tiger_of_malaya.supply import Lines


def refuse_supply(s: State, order: Move) -> Illegal | None:
    """Allied units keep their supply, or come nearer to it."""  # [4.4.A, 4.4.B, R18, R19]
    if s.active != ALLIES or supply.immune(s, ALLIES):
        return None
    watched = [id for id, piece in of(s, ALLIES) if "linked" in piece.marks and not roams(s, id)]
    watched = [id for id in watched if id in order.units or "moved" in s.pieces[id].marks]
    if not watched and not any(bound(s, id) for id in order.units):
        return None
    then = after(s, order)
    for id in watched:
        if not then[id] and (id in order.units or supply.traced(s, ALLIES)[id]):
            return Illegal(f"{id} would end out of supply", ("4.4.A",), "headquarters go first")
    for id in order.units:
        if bound(s, id) and not then[id]:
            far = distances(s)
            if far.get(order.path[-1], FAR) >= far.get(order.path[0], FAR) and nearer(s, id) is not None:
                return Illegal(f"{id} must come nearer to supply", ("4.4.B",))
    return None


def after(s: State, order: Move) -> dict[str, bool]:
    """Who would be in supply when the order is done."""
    before = {id: s.pieces[id].at for id in order.units}
    for id in order.units:
        s.pieces[id].at = order.path[-1]
    found = supply.traced(s, ALLIES)
    for id, hex in before.items():
        s.pieces[id].at = hex
    return found


FAR = 10_000


def roams(s: State, unit: str) -> bool:
    """The Independent Company."""
    return unit in s.board.units and s.board.units[unit].roams


def bound(s: State, unit: str) -> bool:
    """An Allied unit that must seek supply."""  # [4.4.B, 4.4.C, R20]
    piece = s.pieces[unit]
    return (
        s.active == ALLIES
        and s.chit != "choice"
        and not piece.supplied
        and not roams(s, unit)
        and acts(s, unit)
        and level(s, unit).allowance > 0
        and points(s, unit) > 0
        and not piece.marks & SPENT
        and "entered" not in piece.marks
        and not supply.immune(s, ALLIES)
    )


def distances(s: State) -> dict[Hex, int]:
    """How far every hex is from a headquarters in supply."""  # [R19]
    hqs = supply.supplied_hqs(s, ALLIES)
    far = Lines(s, ALLIES).far(hqs, None)
    if not hqs:
        return {}
    return {hex: far.get(hex, FAR // 2 + (s.board.grid.nearest(hex, hqs) or 0)) for hex in s.board.land}


def nearer(s: State, unit: str) -> Move | None:
    """A move that brings a unit nearer to supply."""  # [R19]
    far = distances(s)
    here = far.get(s.pieces[unit].at, FAR)
    ways = sorted(reachable(s, unit).items(), key=lambda one: (far.get(one[0], FAR), one[0]))
    for hex, path in ways:
        if far.get(hex, FAR) < here:
            return Move(units=(unit,), path=path)
    return None
