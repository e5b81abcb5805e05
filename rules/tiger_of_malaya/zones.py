"""Zones of control, and who controls a hex. [6.0, 2.1:Control]"""

from __future__ import annotations

from rules.kit.hexes import Hex
from rules.tiger_of_malaya.components import Edge
from rules.tiger_of_malaya.state import ALLIES, JAPAN, SEATS, State, foe, intact, mover, points, stacks

FOOT = ("foot", "jungle")


def open_side(s: State, a: Hex, b: Hex, edge: Edge, on_foot: bool) -> bool:
    """Whether a hexside can be crossed in normal movement, whatever lies beyond."""  # [6.0.A, R29, 11.8.1.B, 9.3.6.A]
    if edge.water == "ocean":
        return edge.causeway and intact(s, a, b, edge)
    return edge.water != "river" or on_foot or intact(s, a, b, edge)


def zone(s: State, side: str) -> frozenset[Hex]:
    """The hexes in the zones of a side: those around every stack of three points or more."""  # [6.0.A, 6.0.B]
    found: set[Hex] = set()
    for hex, units in stacks(s).items():
        if s.board.side(units[0]) != side or sum(points(s, id) for id in units) < s.board.game.zone_points:
            continue
        # [7.4.5] needs nothing: supply is not asked
        on_foot = any(points(s, id) and mover(s, id) in FOOT for id in units)
        for there, edge in s.board.beside(hex):
            if s.board.is_land(there) and (not edge.water or open_side(s, hex, there, edge, on_foot)):
                found.add(there)
    return frozenset(found)


def settle(s: State) -> None:
    """Control after a step: units hold their hex, an empty hex goes to whoever alone has it in a zone."""  # [R27, R28]
    stand = {hex: s.board.side(units[0]) for hex, units in stacks(s).items() if any(points(s, id) for id in units)}
    ours, theirs = (zone(s, side) for side in SEATS)
    gained = {hex for hex in ours - theirs if hex not in stand} | {hex for hex in stand if stand[hex] == JAPAN}
    gone = {hex for hex in theirs - ours if hex not in stand} | {hex for hex in stand if stand[hex] == ALLIES}
    if not gained <= s.held or gone & s.held:
        s.held = (s.held | gained) - gone
    for hex in [hex for hex, side in s.forts.items() if stand.get(hex) == foe(side)]:
        del s.forts[hex]  # [12.5.D, R16]
