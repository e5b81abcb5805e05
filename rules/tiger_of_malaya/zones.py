"""Zones of control, and who controls a hex. [6.0, 2.1:Control]"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from rules.kit.hexes import Hex
from rules.tiger_of_malaya.components import Board, Edge
from rules.tiger_of_malaya.rows import Player
from rules.tiger_of_malaya.state import ALLIES, JAPAN, SEATS, State, foe, intact, of, points, stacks

FOOT = ("foot", "jungle")


def open_side(destroyed: frozenset[str], a: Hex, b: Hex, edge: Edge, on_foot: bool) -> bool:
    """Whether a hexside can be crossed in normal movement, whatever lies beyond."""  # [6.0.A, R29, 11.8.1.B, 9.3.6.A]
    if edge.water == "ocean":  # [9.3.6.D]
        return edge.causeway and intact(destroyed, a, b, edge)
    return edge.water != "river" or on_foot or intact(destroyed, a, b, edge)


def zone(s: State, side: str) -> frozenset[Hex]:
    """The hexes in the zones of a side: those around every stack of three points or more."""  # [6.0.A, 6.0.B]
    stand = tuple((id, piece.at, points(s, id)) for id, piece in of(s, side))
    return _zone(s.board, s.destroyed, stand)


@lru_cache(maxsize=1024)
def _zone(board: Board, destroyed: frozenset[str], stand: tuple[tuple[str, Hex, int], ...]) -> frozenset[Hex]:
    weights, walkers = Counter[Hex](), set[Hex]()
    for id, hex, weight in stand:
        weights[hex] += weight
        if weight and board.mover(id) in FOOT:
            walkers.add(hex)
    found: set[Hex] = set()
    for hex, weight in weights.items():
        if weight >= board.game.zone_points and board.is_land(hex):  # [6.0.B], supplied or not [7.4.5]
            for there, edge in board.beside(hex):
                if board.is_land(there) and open_side(destroyed, hex, there, edge, hex in walkers):
                    found.add(there)
    return frozenset(found)


def settle(s: State) -> None:
    """Control after a step: units hold their hex, an empty hex goes to whoever alone has it in a zone."""  # [R27, R28]
    stand = {
        hex: s.board.side(units[0])
        for hex, units in stacks(s).items()
        if s.board.is_land(hex) and any(points(s, id) for id in units)
    }
    ours, theirs = (zone(s, side) for side in SEATS)
    gained = {hex for hex in ours - theirs if hex not in stand} | {hex for hex in stand if stand[hex] == JAPAN}
    gone = {hex for hex in theirs - ours if hex not in stand} | {hex for hex in stand if stand[hex] == ALLIES}
    if not gained <= s.held or gone & s.held:
        s.held = (s.held | gained) - gone
    fields(s, stand)
    for hex in [hex for hex, side in s.forts.items() if stand.get(hex) == foe(side)]:
        del s.forts[hex]  # [12.5.D, R16]


def fields(s: State, stand: Mapping[Hex, Player]) -> None:
    """Since when Japan holds each airfield; aircraft on one that an Allied unit enters are gone. [11.4.4.D, R76]"""
    for hex in s.board.region("airfields"):
        if hex not in s.held:
            s.fields.pop(hex, None)
        else:
            s.fields.setdefault(hex, s.turn)
        if stand.get(hex) == ALLIES:
            for plane in [plane for plane, base in s.bases.items() if base == hex]:
                del s.bases[plane]
                if s.planes[plane] in ("ready", "home"):
                    s.planes[plane] = "gone"
