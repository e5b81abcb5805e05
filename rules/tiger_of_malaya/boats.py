"""Boat engineers: crossings by water, attacks over it, and what they cost. [11.8]"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Illegal, Note, Tell
from rules.kit.hexes import Hex
from rules.tiger_of_malaya import costs, movement
from rules.tiger_of_malaya.hexsides import open_side
from rules.tiger_of_malaya.orders import Attack, Cross, Probe
from rules.tiger_of_malaya.state import State, foe, mover, occupied, of, option, points, stack, weight

HEAVY = "heavy-boats"
BOATS = ("heavy-boats", "light-boats")
WHEELS = ("motorized", "mechanized")


def wet(s: State, a: Hex, b: Hex) -> bool:
    """A river or the strait between two hexes, and no bridge or causeway that is whole."""
    return not open_side(s.destroyed, a, b, s.board.edge(a, b), on_foot=False)


# [11.8.4]: boats are motorized, which stands in the data
def lifts(s: State, boats: str, unit: str) -> bool:
    """Light boats help foot alone, heavy ones everybody; boats help themselves. [11.8.A, 11.8.1.B, R81]"""
    # [11.8.A, R81]
    return unit == boats or s.board.kind(boats) == HEAVY or mover(s, unit) not in WHEELS


def refuse_cross(s: State, seat: str, order: Cross) -> Illegal | None:
    """One hex over water for units that began the impulse with the boats. [11.8.1, R81]"""
    boats, path = order.boats, order.path
    if boats not in s.pieces or s.board.side(boats) != seat or s.board.kind(boats) not in BOATS:
        return Illegal(f"{boats} are no boats of yours", ("11.8.A",))
    if not costs.acts(s, boats) or "moved" in s.pieces[boats].marks or s.pieces[boats].at != path[0]:
        return Illegal(f"{boats} have moved or stand elsewhere", ("11.8.1.E", "11.8.1.B"))
    if s.chit == "half":
        return Illegal("a crossing takes a whole allowance", ("11.8.1.C",))
    if len(path) != 2 or path[1] not in s.board.grid or not s.board.grid.adjacent(*path):
        return Illegal("a crossing is one hex", ("11.8.1.C",))
    if not wet(s, *path):
        return Illegal(f"there is no water to cross from {path[0]} to {path[1]}", ("11.8.1.B",))
    if len(set(order.units)) != len(order.units):
        return Illegal("somebody is named twice", ("11.8.1.F",))
    for id in order.units:
        wrong = refuse_passenger(s, seat, id, order)
        if wrong is not None:
            return wrong
    if path[1] in occupied(s, foe(seat)):
        return Illegal(f"{path[1]} holds an enemy", ("4.2",))
    if weight(s, path[1]) + sum(points(s, id) for id in order.units) > s.board.limit(path[1]):
        return Illegal(f"{path[1]} holds {s.board.limit(path[1])} points", ("11.8.1.D", "11.8.1.F"))
    most = s.board.game.boat_factor * points(s, boats)
    if option(s, "r81") == "points" and len(taken(s, boats)) + sum(id != boats for id in order.units) > most:
        return Illegal(f"{boats} take {most} units over", ("11.8.2.A", "R81"))
    return None


def taken(s: State, boats: str) -> list[str]:
    """The units that boats took over water in this impulse."""
    return [fact for fact in s.facts if fact.startswith(f"took:{boats}:")]


def refuse_passenger(s: State, seat: str, id: str, order: Cross) -> Illegal | None:
    """Who may be taken over."""
    piece, (here, there) = s.pieces.get(id), order.path
    if piece is None or s.board.side(id) != seat or not costs.acts(s, id) or piece.at != here:
        return Illegal(f"{id} does not stand in {here}", ("11.8.1.B",))
    if piece.start != here or piece.marks & {"moved", "entered", "replaced", "tried"}:
        return Illegal(f"{id} did not begin the impulse with the boats, or has moved", ("11.8.1.B", "11.8.1.C"))
    if not lifts(s, order.boats, id):
        return Illegal(f"{id} needs heavy boats", ("11.8.1.B",))
    if s.board.cost(there, mover(s, id)) is None and there not in s.board.network:
        return Illegal(f"{there} is closed to {id}", ("4.0.B/1",))
    return costs.refuse_barred(s, id, there)


def cross(s: State, order: Cross, tell: Tell) -> None:
    """They stop on the far side; boats that helped make no other move. [11.8.1.C, 11.8.1.D, 11.8.1.E]"""
    movement.go(s, tuple(order.units), order.path, tell)  # [11.8.1.C]
    for id in order.units:
        s.pieces[id].left = 0
        s.pieces[id].mark("carried")
        if option(s, "r81") == "points" and id != order.boats:
            s.facts |= {f"took:{order.boats}:{id}"}
    s.pieces[order.boats].left = 0
    s.pieces[order.boats].mark("ferries")
    told = {"units": ", ".join(order.units), "from": order.path[0], "to": order.path[1], "boats": order.boats}
    tell(Note("crossed", told, ("11.8.1.C",)))


def offers(s: State, seat: str) -> Iterator[Cross]:
    """Every crossing for one unit, with and without the boats."""
    for boats, piece in of(s, seat):
        if s.board.kind(boats) in BOATS and not piece.marks & {"moved"}:
            for hex in s.board.grid.neighbours(piece.at):
                if s.board.is_land(hex) and wet(s, piece.at, hex):
                    for id in stack(s, piece.at):
                        yield Cross(units=(id,), boats=boats, path=(piece.at, hex))


# --- attacks ---


def refuse_attack(s: State, order: Attack | Probe) -> Illegal | None:
    """Boats of the hex of those they take, for two units each point. [11.8.2, R55]"""
    for id in order.boats:
        piece = s.pieces.get(id)
        if piece is None or not costs.acts(s, id) or s.board.kind(id) not in BOATS:
            return Illegal(f"{id} are no boats of yours", ("11.8.2.A", "11.8.2.B"))
        if "ferries" in piece.marks:
            return Illegal(f"{id} have helped already", ("11.8.1.E", "11.8.2.C"))
    for id in order.ferried:
        if id not in order.units:
            return Illegal(f"{id} does not attack", ("11.8.2.C",))
        if not helpers(s, order, id):
            return Illegal(f"no boats that could take {id} are named in its hex", ("11.8.2.C", "11.8.2.A"))
        if s.board.edge(s.pieces[id].at, order.hex).water not in ("river", "ocean"):
            return Illegal(f"{id} attacks over no water", ("11.8.2.A", "11.8.2.B"))
    for hex in {s.pieces[id].at for id in order.ferried}:
        here = [id for id in order.ferried if s.pieces[id].at == hex and id not in order.boats]
        factor = s.board.game.boat_factor
        heavy = factor * sum(
            points(s, id) for id in order.boats if s.pieces[id].at == hex and s.board.kind(id) == HEAVY
        )
        light = factor * sum(
            points(s, id) for id in order.boats if s.pieces[id].at == hex and s.board.kind(id) != HEAVY
        )
        wheels = sum(mover(s, id) in WHEELS for id in here)
        if wheels > heavy or len(here) > heavy + light:
            return Illegal(
                f"the boats in {hex} take {heavy + light} units, {heavy} of any kind", ("11.8.2.A", "11.8.2.B")
            )
    return None


def helpers(s: State, order: Attack | Probe, unit: str) -> list[str]:
    """The boats that can take a unit: in its hex and of the right kind."""
    at = s.pieces[unit].at
    return [id for id in order.boats if id in s.pieces and s.pieces[id].at == at and lifts(s, id, unit)]


def helped(s: State, order: Attack | Probe, unit: str) -> bool:
    """Whether boats take a unit to the enemy: those named, or its own."""
    return s.board.kind(unit) in BOATS or (unit in order.ferried and bool(helpers(s, order, unit)))
