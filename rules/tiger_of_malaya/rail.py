"""Rail movement of the Allies. [4.5]"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Illegal, Note, Tell
from rules.kit.hexes import Hex
from rules.kit.search import reach, way
from rules.tiger_of_malaya import movement, tether
from rules.tiger_of_malaya.hexsides import intact
from rules.tiger_of_malaya.orders import Move, Rail
from rules.tiger_of_malaya.state import ALLIES, JAPAN, State, holder, is_gun, of, points
from rules.tiger_of_malaya.zones import zone


def line(s: State, hex: Hex) -> dict[Hex, tuple[Hex, ...]]:
    """Where the railroad leads from a hex, over hexes of the Allies out of enemy zones. [4.5.A, 4.5.B, R17]"""
    enemy = zone(s, JAPAN)

    def steps(at: Hex) -> Iterator[tuple[Hex, int]]:
        for there, edge in s.board.land_beside(at):
            open_hex = holder(s, there) == ALLIES and there not in enemy
            if edge.rail and open_hex and intact(s.destroyed, at, there, edge):
                yield there, 1

    if holder(s, hex) != ALLIES or hex in enemy:
        return {}
    found = reach([hex], steps)
    return {there: way(found, there) for there in found}


def refuse_rail(s: State, seat: str, order: Rail) -> Illegal | None:
    """Three points or one artillery unit in an impulse, from line to line. [4.5]"""
    if seat != ALLIES:
        return Illegal("Japan has no rail movement", ("4.5.C",))
    if s.chit != "full":
        return Illegal("trains run in a FULL impulse", ("4.5.A",))
    if len(set(order.units)) != len(order.units):
        return Illegal("a unit is named twice", ("4.5.A",))
    for id in order.units:
        piece = s.pieces.get(id)
        if piece is None or s.board.side(id) != seat or not points(s, id):
            return Illegal(f"{id} is nobody who goes by rail", ("4.5.A", "R17"))
        if s.board.kind(id) == "coastal-artillery":
            return Illegal(f"{id} is coastal artillery and never moves", ("11.1.3",))
        if piece.marks & {"moved", "entered", "replaced", "tried"}:
            return Illegal(f"{id} has moved, arrived or done other work", ("4.5.B", "10.1.1.C", "10.2.1.C", "R17"))
        if order.to not in line(s, piece.at):
            return Illegal(f"no train goes from {piece.at} to {order.to}", ("4.5.A", "4.5.B"))
    riders = [*order.units, *(id for id, piece in of(s, ALLIES) if "railed" in piece.marks)]
    guns = [id for id in riders if is_gun(s, id)]
    if (guns and len(riders) > 1) or (not guns and sum(points(s, id) for id in riders) > s.board.game.rail_points):
        return Illegal("three points or one artillery unit ride in an impulse", ("4.5.A",))
    for id in order.units:
        path = line(s, s.pieces[id].at)[order.to]
        if len(path) < 2:
            return Illegal(f"{id} stands there already", ("4.5.B",))
        wrong = tether.refuse_leave(s, Move(units=(id,), path=path))
        if wrong is not None:
            return wrong
    return None


def ride(s: State, order: Rail, tell: Tell) -> None:
    """The whole move of the units. [4.5.B, 4.6, R17, R22]"""
    for id in order.units:
        path = line(s, s.pieces[id].at)[order.to]
        movement.go(s, (id,), path, tell)
        s.pieces[id].left = 0
        s.pieces[id].mark("railed")
        tell(Note("railed", {"unit": id, "from": path[0], "to": order.to}, ("4.5.A",)))


def offers(s: State, seat: str) -> Iterator[Rail]:
    """A few rides: every unit to the ends of its line."""
    if seat != ALLIES or s.chit != "full":
        return
    for id, piece in of(s, seat):
        if "moved" not in piece.marks and points(s, id):
            ends = line(s, piece.at)
            yield from (Rail(units=(id,), to=hex) for hex in sorted({min(ends), max(ends)} if ends else ()))
