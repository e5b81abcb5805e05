"""What binds Allied units to their supply when they move. [4.4]"""

from __future__ import annotations

from pbem.api import Illegal
from rules.kit.hexes import Hex
from rules.tiger_of_malaya import garrison, supply
from rules.tiger_of_malaya.costs import SPENT, acts, reachable
from rules.tiger_of_malaya.orders import Move
from rules.tiger_of_malaya.state import (
    ALLIES,
    State,
    level,
    of,
)
from rules.tiger_of_malaya.supply import Lines


def refuse_leave(s: State, order: Move) -> Illegal | None:
    """What binds the Allies whatever they move by: supply, and the garrison of the island. [4.4.A, 4.4.B, 12.1.A]"""
    return garrison.refuse_leave(s, order.units, order.path[-1]) or refuse_supply(s, order)


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
            far, piece = distances(s), s.pieces[id]
            began = far.get(piece.start, FAR)
            if far.get(order.path[-1], FAR) >= began and (far.get(piece.at, FAR) < began or nearer(s, id) is not None):
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
    """The legal march that brings a unit nearest to supply, nearer than where it began."""  # [R19]
    far = distances(s)
    began = far.get(s.pieces[unit].start, FAR)
    ways = sorted(reachable(s, unit).items(), key=lambda one: (far.get(one[0], FAR), one[0]))
    marches = (Move(units=(unit,), path=path) for hex, path in ways if far.get(hex, FAR) < began)
    return next((march for march in marches if refuse_leave(s, march) is None), None)
