"""Steamers: ways by river and sea, what they carry, where they go when an enemy comes. [11.6]"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pbem.api import Ask, Illegal, Note, Tell
from rules.kit.hexes import Hex
from rules.tiger_of_malaya import costs, movement
from rules.tiger_of_malaya.orders import Displace, Steam
from rules.tiger_of_malaya.places import places
from rules.tiger_of_malaya.state import State, foe, holder, is_gun, mover, of, points, put, remove, stack
from rules.tiger_of_malaya.zones import zone


def sails(s: State, a: Hex, b: Hex) -> bool:
    """Whether a steamer gets from a hex to the next: by sea, strait or along a river hexside. [11.6.A, 11.6.B]"""
    if not s.board.grid.adjacent(a, b):
        return False
    return not (s.board.is_land(a) and s.board.is_land(b)) or s.board.edge(a, b).water in ("river", "ocean")


def enemies(s: State, side: str) -> frozenset[Hex]:
    """Where any enemy stands."""
    return places(s).anybody(foe(side))


def cost(s: State, side: str, path: Sequence[Hex]) -> int:
    """A point a hex, zones as for any other unit. [11.6.1.A, 11.6.1.C, R14]"""
    zones, game = zone(s, foe(side)), s.board.game
    into = sum(game.zone_in for hex in path[1:] if hex in zones)
    out = sum(game.zone_out for hex in path[:-1] if hex in zones)
    return game.steamer_cost * (len(path) - 1) + into + out


def refuse_steam(s: State, seat: str, order: Steam) -> Illegal | None:
    """Steamers and cargo that lie in one hex and have not moved, one way, room for all. [11.6, 11.6.1, R21]"""
    path, everyone = order.path, (*order.units, *order.cargo)
    if len(set(everyone)) != len(everyone):
        return Illegal("somebody is named twice", ("11.6.1.A",))
    for id in order.units:
        if id not in s.pieces or s.board.kind(id) != "steamer" or not costs.acts(s, id):
            return Illegal(f"{id} is no steamer that may act", ("11.6.A", "3.3.1"))
    for id in everyone:
        piece = s.pieces.get(id)
        if piece is None or s.board.side(id) != seat or piece.at != path[0] or piece.start != path[0]:
            return Illegal(f"{id} did not begin the impulse in {path[0]}", ("11.6.1.B",))
        if piece.marks & {"moved", "entered", "replaced", "tried"}:
            return Illegal(f"{id} has moved, arrived or done other work", ("11.6.1.B", "R21"))
    wrong = refuse_stranded(s, order)
    if wrong is not None:
        return wrong
    wrong = refuse_load(s, order) or refuse_way(s, seat, order)
    if wrong is not None:
        return wrong
    spent, most = cost(s, seat, path), min(costs.allowance(s, id) for id in order.units)
    if spent > most:
        return Illegal(f"the way costs {spent}, the steamers have {most}", ("4.0.D", "11.6.1.C"))
    return refuse_landing(s, seat, order) if order.cargo else None


def load(s: State, id: str) -> int:
    """The room a unit takes: a point each, a gun that of two steamers. [11.6.1.A]"""
    return 2 if is_gun(s, id) else points(s, id)


def refuse_stranded(s: State, order: Steam) -> Illegal | None:
    """At sea nobody stays behind without a steamer."""
    if s.board.is_land(order.path[0]):
        return None
    rest = [id for id in stack(s, order.path[0]) if id not in (*order.units, *order.cargo)]
    room = sum(s.board.kind(id) == "steamer" for id in rest) * s.board.game.steamer_points
    aboard = [id for id in rest if s.board.kind(id) != "steamer"]
    if sum(load(s, id) for id in aboard) > room:
        return Illegal(f"{aboard[0]} is aboard and goes along", ("11.6.1.B",))
    return None


def refuse_load(s: State, order: Steam) -> Illegal | None:
    """A point a steamer; two of them for a gun. [11.6.1.A]"""
    room = len(order.units) * s.board.game.steamer_points
    for id in order.cargo:
        if s.board.kind(id) in ("steamer", "truck", "coastal-artillery") or not points(s, id):
            ids = ("11.1.3",) if s.board.kind(id) == "coastal-artillery" else ("11.6.1.A",)
            return Illegal(f"{id} does not go aboard", ids)
        room -= load(s, id)
    return Illegal("a steamer carries one point, two of them a gun", ("11.6.1.A",)) if room < 0 else None


def refuse_way(s: State, seat: str, order: Steam) -> Illegal | None:
    """Every hexside is wet, no hex holds an enemy or is closed. [11.6.A, 11.6.B, 14.1.2.B]"""
    path = order.path
    if len(path) < 2:
        return Illegal("a way has two hexes at least", ("11.6.A",))
    for a, b in pairwise(path):
        if b not in s.board.grid:
            return Illegal(f"{b} is off the map", ("4.7",))
        if not sails(s, a, b):
            return Illegal(f"no water leads from {a} to {b}", ("11.6.A", "11.6.B"))
        if b in enemies(s, seat):
            return Illegal(f"{b} holds an enemy", ("11.6.A", "4.2"))
        shut = costs.refuse_barred(s, order.units[0], b)
        if shut is not None:
            return shut
    return None


def refuse_landing(s: State, seat: str, order: Steam) -> Illegal | None:
    """Own hexes, and enemy ones near units that stand ashore. [11.6.1.D, R80]"""
    hex = order.path[-1]
    if not s.board.is_land(hex):
        return None
    for id in order.cargo:
        if s.board.cost(hex, mover(s, id)) is None and hex not in s.board.network:
            return Illegal(f"{hex} is closed to {id}", ("4.0.B/1",))
    ashore = [piece.at for id, piece in of(s, seat) if id not in order.cargo and points(s, id)]
    near = any(s.board.is_land(at) and s.board.grid.distance(at, hex) <= s.board.game.landing_distance for at in ashore)
    if holder(s, hex) == seat or near:
        return None
    return Illegal(f"{hex} is not yours, and none of your units is within two hexes", ("11.6.1.D", "R80"))


def steam(s: State, order: Steam, tell: Tell) -> None:
    """They go and stop together; guns are unavailable. [11.6.1.B, R21, R22]"""
    movement.go(s, (*order.units, *order.cargo), order.path, tell)
    for id in (*order.units, *order.cargo):
        s.pieces[id].left = 0
        s.pieces[id].mark("carried")
    told = {"units": ", ".join(order.units), "cargo": ", ".join(order.cargo) or "nobody"}
    tell(Note("steamed", {**told, "path": "-".join(order.path)}, ("11.6.1.B",)))


def offers(s: State, seat: str) -> Iterator[Steam]:
    """The next hexes of every steamer, empty and with one point aboard."""
    for id, piece in of(s, seat):
        if s.board.kind(id) == "steamer" and "moved" not in piece.marks:
            small = [one for one in stack(s, piece.at) if points(s, one) == 1 and not is_gun(s, one)]
            for hex in s.board.grid.neighbours(piece.at):
                if sails(s, piece.at, hex):
                    yield Steam(units=(id,), path=(piece.at, hex))
                    yield from (Steam(units=(id,), cargo=(one,), path=(piece.at, hex)) for one in small[:1])


# --- an enemy comes ---


def pending(s: State) -> Ask:
    """Its owner says where it goes."""
    return Ask(s.board.side(s.adrift[0].split()[0]), "displace", "11.6.2.A")


def refuges(s: State) -> list[Hex]:
    """Where the steamer may go: farther from the enemy if it can, out of zones. [11.6.2.A, 11.6.2.B, R79]"""
    id, intruder = s.adrift[0].split()
    side, here = s.board.side(id), s.pieces[id].at
    shut, distance = enemies(s, side) | zone(s, foe(side)), s.board.grid.distance
    near = [hex for hex in s.board.grid.neighbours(here) if sails(s, here, hex) and hex not in shut]
    near = [hex for hex in near if not costs.barred(s, id, hex)]
    return [hex for hex in near if distance(hex, intruder) > distance(here, intruder)] or near


def refuse_displace(s: State, order: Displace) -> Illegal | None:
    """One of the hexes where it could go."""
    id, found = s.adrift[0].split()[0], refuges(s)
    if order.unit != id or order.hex not in found:
        return Illegal(f"{id} goes to one of {', '.join(found)}", ("11.6.2.A", "R79"))
    return None


def displace(s: State, hex: Hex, tell: Tell) -> None:
    """It lies there now, or is lost where there is no such hex. [11.6.2.A, 11.6.2.B]"""
    id = s.adrift[0].split()[0]
    s.adrift = s.adrift[1:]
    if hex:
        put(s, id, hex)
        tell(Note("displaced", {"unit": id, "hex": hex}, ("11.6.2.A",)))
    else:
        remove(s, id)
        tell(Note("eliminated", {"unit": id}, ("11.6.2.B",)))


def settle_adrift(s: State, tell: Tell) -> bool:
    """What needs no choice; False where the owner is asked."""
    found = refuges(s)
    if len(found) > 1:
        return False
    displace(s, found[0] if found else "", tell)
    return True
