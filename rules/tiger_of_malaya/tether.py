"""What binds Allied units to their supply when they move. [4.4]"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pbem.api import Illegal
from rules.kit.hexes import Hex
from rules.tiger_of_malaya import garrison, supply
from rules.tiger_of_malaya.costs import SPENT, acts, reachable
from rules.tiger_of_malaya.orders import Move
from rules.tiger_of_malaya.state import ALLIES, State, level, of, put


def refuse_leave(s: State, order: Move) -> Illegal | None:
    """What binds the Allies whatever they move by: supply, and the garrison of the island. [4.4.A, 4.4.B, 12.1.A]"""
    return garrison.refuse_leave(s, order.units, order.path[-1]) or refuse_supply(s, order)


def refuse_supply(s: State, order: Move) -> Illegal | None:
    """Allied units keep their supply, or come nearer to it."""  # [4.4.A, 4.4.B, R18, R19]
    if s.active != ALLIES or supply.immune(s, ALLIES):
        return None
    watched = [id for id, piece in of(s, ALLIES) if "moved" in piece.marks or id in order.units]
    watched = [id for id in watched if "linked" in s.pieces[id].marks and not roams(s, id)]
    if not watched and not any(bound(s, id) for id in order.units):
        return None
    then = after(s, order, [*watched, *order.units])
    for id in watched:
        if id not in then and (id in order.units or supply.traced(s, ALLIES)(id)):
            return Illegal(f"{id} would end out of supply", ("4.4.A",), "headquarters go first")
    for id in order.units:
        if bound(s, id) and id not in then:
            far, piece = distance(s), s.pieces[id]
            began = far(piece.start)
            if far(order.path[-1]) >= began and (far(piece.at) < began or nearer(s, id) is not None):
                return Illegal(f"{id} must come nearer to supply", ("4.4.B",))
    return None


def after(s: State, order: Move, units: Iterable[str]) -> frozenset[str]:
    """Which of these units would be in supply when the order is done."""
    before = {id: s.pieces[id].at for id in order.units}
    for id in order.units:
        put(s, id, order.path[-1])
    served = supply.traced(s, ALLIES)
    found = frozenset(id for id in units if served(id))
    for id, hex in before.items():
        put(s, id, hex)
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


def distance(s: State) -> Callable[[Hex], int]:
    """How far a hex is from a headquarters in supply; where no path leads, as the crow flies."""  # [R19]
    hqs = supply.supplied_hqs(s, ALLIES)
    paths = supply.lines(s, ALLIES).paths(hqs)

    def far(hex: Hex) -> int:
        if not hqs or hex not in s.board.grid or not s.board.is_land(hex):
            return FAR
        path = paths.leaving(hex)
        return path if path is not None else FAR // 2 + (s.board.grid.nearest(hex, hqs) or 0)

    return far


def nearer(s: State, unit: str) -> Move | None:
    """The legal march that brings a unit nearest to supply, nearer than where it began."""  # [R19]
    far = distance(s)
    began = far(s.pieces[unit].start)
    ways = sorted((far(hex), hex, path) for hex, path in reachable(s, unit).items())
    marches = (Move(units=(unit,), path=path) for left, _, path in ways if left < began)
    return next((march for march in marches if refuse_leave(s, march) is None), None)
