"""Zones of control, and who controls a hex. [6.0, 2.1:Control]"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from functools import lru_cache

from rules.kit.hexes import Hex
from rules.tiger_of_malaya.components import Board, Edge
from rules.tiger_of_malaya.state import ALLIES, JAPAN, State, intact, points

FOOT = ("foot", "jungle")


def open_side(destroyed: frozenset[str], a: Hex, b: Hex, edge: Edge, on_foot: bool) -> bool:
    """Whether a hexside can be crossed in normal movement, whatever lies beyond."""  # [6.0.A, R29, 11.8.1.B, 9.3.6.A]
    if edge.water == "ocean":  # [9.3.6.D]
        return edge.causeway and intact(destroyed, a, b, edge)
    return edge.water != "river" or on_foot or intact(destroyed, a, b, edge)


def zone(s: State, side: str) -> frozenset[Hex]:
    """The hexes in the zones of a side: those around every stack of three points or more."""  # [6.0.A, 6.0.B]
    return _around(s, standing(s)[side == ALLIES])


Stand = dict[Hex, tuple[int, bool]]
"""By hex the points of a side, and whether some of them could cross a river on foot."""


def standing(s: State) -> tuple[Stand, Stand]:
    """Where units with points stand, of Japan and of the Allies, on land."""
    found: tuple[Stand, Stand] = ({}, {})
    board, weak = s.board, s.weak
    for id, piece in s.pieces.items():
        weight = points(s, id) if id in weak else board.level(id, piece.level).points
        if weight and board.is_land(piece.at):
            own = found[board.side(id) == ALLIES]
            before, walks = own.get(piece.at, (0, False))
            crosses = board.mover(id) in FOOT and board.kind(id) != "coastal-artillery"  # [11.1.3]
            own[piece.at] = (before + weight, walks or crosses)
    return found


def _around(s: State, stand: Stand) -> frozenset[Hex]:
    least = s.board.game.zone_points  # supplied or not [7.4.5]
    strong = frozenset((hex, walks) for hex, (weight, walks) in stand.items() if weight >= least)
    return _zone(s.board, s.destroyed, strong)


@lru_cache(maxsize=1024)
def _zone(board: Board, destroyed: frozenset[str], strong: frozenset[tuple[Hex, bool]]) -> frozenset[Hex]:
    return frozenset(
        there
        for hex, walks in strong
        for there, edge in board.land_beside(hex)
        if not edge.water or open_side(destroyed, hex, there, edge, walks)
    )


def settle(s: State) -> None:
    """Control after a step: units hold their hex, an empty hex goes to whoever alone has it in a zone."""  # [R27, R28]
    japan, allies = standing(s)
    ours, theirs = _around(s, japan), _around(s, allies)
    gained = (ours - theirs - allies.keys()) | japan.keys()
    gone = (theirs - ours - japan.keys()) | allies.keys()
    if not gained <= s.held or gone & s.held:
        s.held = (s.held | gained) - gone
    fields(s, allies)
    for hex in [hex for hex, side in s.forts.items() if hex in (allies if side == JAPAN else japan)]:
        del s.forts[hex]  # [12.5.D, R16]


def walk(s: State, units: Iterable[str], path: Sequence[Hex]) -> None:
    """These go together, control follows hex by hex."""  # [R27]
    for hex in path[1:]:
        for unit in units:
            s.pieces[unit].at = hex
        settle(s)


def fields(s: State, allies: Container[Hex]) -> None:
    """Since when Japan holds each airfield; aircraft on one that an Allied unit enters are gone. [11.4.4.D, R76]"""
    for hex in s.board.region("airfields"):
        if hex not in s.held:
            s.fields.pop(hex, None)
        else:
            s.fields.setdefault(hex, s.turn)
        if hex in allies:  # [11.4.4.D]
            for plane in [plane for plane, base in s.bases.items() if base == hex]:
                del s.bases[plane]
                if s.planes[plane] == "ready":
                    s.planes[plane] = "gone"
