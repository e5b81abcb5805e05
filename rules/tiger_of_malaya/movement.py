"""Marches: who may go, and what happens on the way. [4.0]"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.api import Illegal, Note, Tell
from rules.kit.hexes import Hex
from rules.tiger_of_malaya.costs import SPENT, acts, allowance, path_cost
from rules.tiger_of_malaya.orders import Move
from rules.tiger_of_malaya.overrun import overrun
from rules.tiger_of_malaya.state import ALLIES, State, foe, is_gun, level, of
from rules.tiger_of_malaya.tether import bound, nearer, refuse_leave
from rules.tiger_of_malaya.zones import walk, zone


def ready(s: State) -> None:
    """The movement step opens: allowances are known."""  # [4.0.A]
    for id, piece in of(s, s.active):
        piece.left = allowance(s, id) if acts(s, id) else 0
        if acts(s, id):
            piece.fresh = False if "entered" not in piece.marks else piece.fresh  # [R69]


def refuse_move(s: State, seat: str, order: Move) -> Illegal | None:
    """Each unit pays for itself; the path begins where they stand."""  # [4.0.B/1]
    if len(set(order.units)) != len(order.units):
        return Illegal("a unit is named twice", ("4.0.B/1",))
    for unit in order.units:
        wrong = refuse_unit(s, seat, unit, order.path)
        if wrong is not None:
            return wrong
    return refuse_leave(s, order)


def refuse_unit(s: State, seat: str, unit: str, path: Sequence[Hex]) -> Illegal | None:
    """Why a unit cannot go this way."""
    piece = s.pieces.get(unit)
    if piece is None or s.board.side(unit) != seat:
        return Illegal(f"{unit} is no unit of yours on the map", ("2.2.P1",))
    if not acts(s, unit):
        return Illegal(f"{unit} is not jungle-capable", ("3.3.1",))
    if s.board.kind(unit) == "coastal-artillery":
        return Illegal(f"{unit} is coastal artillery and never moves", ("11.1.3",))
    if s.board.kind(unit) == "steamer":
        return Illegal(f"{unit} goes by water", ("11.6.A",), f"steam {unit} {'-'.join(path)}")
    if "entered" in piece.marks and seat == ALLIES:
        return Illegal(f"{unit} has arrived in this impulse", ("10.1.1.C",))
    if "replaced" in piece.marks:
        return Illegal(f"{unit} has had replacements", ("10.2.1.C",))
    if piece.marks & SPENT:
        return Illegal(f"{unit} has made its move", ("4.5.B", "11.8.1.C", "11.8.1.E", "R21"))
    if path[0] != piece.at:
        return Illegal(f"{unit} stands in {piece.at}", ("4.0.B/1",), f"begin with {piece.at}")
    spent = path_cost(s, unit, path, zone(s, foe(seat)))
    if isinstance(spent, Illegal):
        return spent
    if spent <= piece.left:
        return None
    whole = "moved" not in piece.marks and len(path) == 2 and s.chit != "half" and level(s, unit).allowance
    if whole:  # [4.3.B, R11]
        return None
    ids = ("4.3.A", "4.0.D") if s.chit == "half" and len(path) == 2 else ("4.0.D",)
    return Illegal(f"{unit} has {piece.left} movement points, this costs {spent}", ids)


def duty(s: State) -> str | None:
    """An Allied unit that must move nearer to supply before movement ends."""  # [4.4.B]
    for id, piece in of(s, ALLIES):
        if "moved" not in piece.marks and bound(s, id) and nearer(s, id) is not None:
            return id
    return None


def move(s: State, order: Move, tell: Tell) -> None:
    """One goes after the other, and each pays for itself. [4.0.B/1]"""
    zones = zone(s, foe(s.active))
    for unit in order.units:
        spent = path_cost(s, unit, order.path, zones)
        assert isinstance(spent, int)
        s.pieces[unit].left = max(s.pieces[unit].left - spent, 0)
    for unit in order.units:
        go(s, (unit,), order.path, tell)
    told = {"units": ", ".join(order.units), "from": order.path[0], "to": "-".join(order.path[1:])}
    tell(Note("moved", told, ("4.0.B/1",)))


def go(s: State, units: Sequence[str], path: Sequence[Hex], tell: Tell) -> None:
    """Step by step: control follows; guns are unavailable, enemy trucks and steamers give way. [4.6, R16, R27]"""
    for unit in units:
        s.pieces[unit].mark("moved")
        if is_gun(s, unit):
            s.pieces[unit].available = False  # [4.6, 11.1.1.C/1]
    walk(s, units, path)
    overrun(s, s.board.side(units[0]), path[1:], tell)
