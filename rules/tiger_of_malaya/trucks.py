"""Trucks and what they carry. [11.7]"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Illegal, Note, Tell
from rules.tiger_of_malaya import costs, movement, tether
from rules.tiger_of_malaya.orders import Move, Truck
from rules.tiger_of_malaya.state import State, foe, is_gun, level, of, points, stack
from rules.tiger_of_malaya.zones import zone


def refuse_truck(s: State, seat: str, order: Truck) -> Illegal | None:
    """Truck and cargo began together and have not moved; one gun or three points on foot. [11.7, R21]"""
    truck, path = order.unit, order.path
    if truck not in s.pieces or s.board.kind(truck) != "truck" or not costs.acts(s, truck):
        return Illegal(f"{truck} is no truck that may act", ("11.7.A", "3.3.1"))
    if len({truck, *order.cargo}) != len(order.cargo) + 1:
        return Illegal("somebody is named twice", ("11.7.D",))
    for id in (truck, *order.cargo):
        piece = s.pieces.get(id)
        if piece is None or s.board.side(id) != seat or piece.at != path[0] or piece.start != path[0]:
            return Illegal(f"{id} did not begin the impulse in {path[0]}", ("11.7.E",))
        if piece.marks & {"moved", "entered", "replaced", "tried"}:
            return Illegal(f"{id} has moved, arrived or done other work", ("11.7.E", "R21"))
    for id in order.cargo:
        if s.board.kind(id) == "coastal-artillery":
            return Illegal(f"{id} is coastal artillery and never moves", ("11.1.3",))
        if s.board.template(id).transport != "foot":
            return Illegal(f"{id} has wheels or tracks of its own", ("11.7.A",))
    guns = [id for id in order.cargo if is_gun(s, id)]
    load = sum(points(s, id) for id in order.cargo)
    if (guns and len(order.cargo) > 1) or (not guns and load > s.board.game.truck_points):
        return Illegal("a truck carries one gun, or three points of others", ("11.7.D",))
    spent = costs.path_cost(s, truck, path, zone(s, foe(seat)))
    if isinstance(spent, Illegal):
        return spent
    most = costs.allowance(s, truck, speed(s, order))
    if spent > most and (len(path) > 2 or s.chit == "half"):  # [4.3.B, R11]
        return Illegal(f"{truck} has {most} movement points, this costs {spent}", ("4.0.D", "11.7.C"))
    return tether.refuse_leave(s, Move(units=(truck, *order.cargo), path=path))


def speed(s: State, order: Truck) -> int:
    """The allowance of a truck: with a gun two more than the gun has, at most eight. [11.7.B, 11.7.C]"""
    guns = [level(s, id).allowance for id in order.cargo if is_gun(s, id)]
    game = s.board.game
    return min(game.truck_most, game.truck_bonus + guns[0]) if guns else level(s, order.unit).allowance


def drive(s: State, order: Truck, tell: Tell) -> None:
    """They go and stop together; a gun is unavailable. [11.7.E, R21, R22]"""
    movement.go(s, (order.unit, *order.cargo), order.path, tell)
    for id in (order.unit, *order.cargo):
        s.pieces[id].left = 0
        s.pieces[id].mark("carried")
    told = {"units": f"{order.unit} with {', '.join(order.cargo)}", "from": order.path[0]}
    tell(Note("moved", {**told, "to": "-".join(order.path[1:])}, ("11.7.E",)))


def offers(s: State, seat: str) -> Iterator[Truck]:
    """Every truck with one unit of its hex, to the farthest hex that the truck reaches alone."""
    for id, piece in of(s, seat):
        if s.board.kind(id) == "truck" and "moved" not in piece.marks and costs.acts(s, id):
            ways = costs.reachable(s, id)
            far = sorted(ways.values(), key=lambda path: (len(path), path))
            for other in stack(s, piece.at):
                if points(s, other) and s.board.template(other).transport == "foot":
                    yield from (Truck(unit=id, cargo=(other,), path=path) for path in far[-1:])
