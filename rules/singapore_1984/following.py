"""After the result: who advances, who is ashore, who goes back. [9.6, 9.7, 11.26]"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Illegal, Note, Tell
from rules.kit.hexes import Hex
from rules.singapore_1984 import movement, retreat, stacking, victory, works
from rules.singapore_1984.orders import Advance, Beach, Return
from rules.singapore_1984.rows import Result
from rules.singapore_1984.state import DEAD, JP, OFF, Battle, State, foe

LANDS: frozenset[Result] = frozenset({"D1", "D2", "D3", "EX", "AX", "DE"})
"""Results that can bring a landing ashore. [9.72b]"""


def advances(s: State, b: Battle) -> Iterator[tuple[str, Hex]]:
    """Who may follow into which hexes: along one path of retreat, as far as it is empty. [9.61, R46]"""
    enemies = s.occupied(foe(s.active))
    for id in b.attack.units if b.paths else ():
        piece = s.pieces[id]
        if piece.at == DEAD or id in b.gone or id in b.advanced or s.board.units[id].arm == "security":  # [9.65]
            continue
        if s.at_sea(id) and b.result not in LANDS:  # [9.72b]
            continue
        seen, entries = set[Hex](), retreat.enter_from(s, id)
        for path in b.paths:
            here = piece.at
            for there in path:
                if there in enemies or there not in entries(here):
                    break
                if there not in seen and retreat.stops(s, id, there):
                    seen.add(there)
                    yield id, there
                here = there


def refuse_advance(s: State, b: Battle, order: Advance) -> Illegal | None:
    """Along the path, by terrain that the unit could enter."""
    found = list(advances(s, b))
    if (order.unit, order.hex) in found:
        return None
    row = s.board.units.get(order.unit)
    if order.unit not in b.attack.units or row is None:
        return Illegal(f"{order.unit} took no part in this attack", ("9.61b",))
    if row.arm == "security":
        return Illegal("security units do not advance", ("9.65",))
    if order.unit in b.gone:
        return Illegal(f"{order.unit} has retreated", ("9.4d",))
    if row.arm == "armor" and any(order.hex in path for path in b.paths):
        return Illegal("no road or railroad leads there", ("9.63", "9.23"))
    open_ = ", ".join(f"advance {unit} {hex}" for unit, hex in found[:6])
    return Illegal(f"{order.hex} is not on the path of retreat", ("9.61a", "9.62a"), open_)


def advance(s: State, b: Battle, order: Advance, tell: Tell) -> None:
    """It follows, and a landing is ashore. [9.61b, 9.72b]"""
    piece = s.pieces[order.unit]
    route = next(
        path[: path.index(order.hex) + 1]
        for path in b.paths
        if order.hex in path and path[0] in s.board.neighbours(piece.at)
    )
    tell(Note("advances", {"unit": order.unit, "hex": order.hex}, ("9.61b",)))
    movement.enter(s, order.unit, route, tell)
    s.change(order.unit, origin="", port="")
    b.advanced = (*b.advanced, order.unit)  # [9.62b]


def beachhead(s: State, b: Battle) -> tuple[str, ...]:
    """Units before a fortified beach that the defender did not leave though he should have. [11.26a]"""
    if b.result not in ("D1", "D2", "D3") or not any(s.held(hex, foe(s.active)) for hex in b.attack.hexes):  # [11.26a]
        return ()
    return tuple(
        id
        for id in b.attack.units
        if s.at_sea(id)
        and s.pieces[id].at.startswith("i")
        and any(works.fortified(s, s.pieces[id].at, hex) for hex in b.attack.hexes)
    )


def beach(s: State, b: Battle, order: Beach, tell: Tell) -> None:
    """They stay and must attack again, or each loses a step and goes back where its owner says. [11.26b, 11.26c]"""
    if order.what == "withdraw":
        for id in beachhead(s, b):
            victory.lose_step(s, id, tell, "11.26b")
    b.stages = (f"ashore {order.what}", *b.stages[1:])


def going_back(s: State, b: Battle) -> list[str]:
    """The units at sea that do not stay before a beachhead. [9.72d, 11.26c, R29]"""
    # [11.26c]: who stays at sea must attack again [9.11b]
    stay = beachhead(s, b) if b.stages[0] == "ashore stay" else ()
    return [id for id in b.attack.units if s.at_sea(id) and id not in stay]


def refuse_return(s: State, b: Battle, order: Return) -> Illegal | None:
    """To the port it came from, or off the map. [9.72d, R72]"""
    piece = s.pieces.get(order.unit)
    if piece is None or order.unit not in going_back(s, b):
        return Illegal(f"{order.unit} is not at sea", ("9.72d",))
    if order.port in returns(s, order.unit):
        return None
    return Illegal(
        f"{order.unit} came from {piece.origin}", ("9.72d", "R72"), f"to {' or '.join(returns(s, order.unit))}"
    )


def returns(s: State, unit: str) -> tuple[str, ...]:
    """Where a unit goes whose landing failed: its port while Japanese and with room, or off the map. [9.72d, R72]"""
    piece = s.pieces[unit]
    places = s.board.places
    found: list[str] = []
    if piece.origin != "off" and s.control.get(piece.origin) == JP and stacking.room(s, piece.origin, unit):
        found.append(piece.origin)
    west = piece.origin in places and places[piece.origin].coast == "w"
    if west and not found:
        found = [
            hex
            for hex in sorted(s.board.ports)
            if places[hex].coast == "w" and s.control.get(hex) == JP and stacking.room(s, hex, unit)
        ]
    if not west:
        found.append("off")  # [9.59f]: never from the West Coast
    return tuple(found)


def go_back(s: State, unit: str, port: str) -> None:
    """A unit whose landing failed is in its port again, or off the map."""
    if port == "off":
        s.change(unit, at=OFF, back=s.turn + 1, origin="", port="")
    else:
        s.change(unit, at=port, origin="", port="")


def send_back(s: State, units: list[str], tell: Tell) -> None:
    """Without a choice: off the map where it came from there, else to the first haven; none is the end of it. [R29]"""
    for id in units:
        open_ = returns(s, id)
        if open_:
            go_back(s, id, "off" if s.pieces[id].origin == "off" else open_[0])
        else:
            victory.kill(s, id, tell, "R72")
