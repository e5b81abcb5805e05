"""The position before the first event. [14.1, R91]"""

from __future__ import annotations

from pbem.api import Start
from rules.tiger_of_malaya import components, supply
from rules.tiger_of_malaya.state import ALLIES, JAPAN, Piece, State
from rules.tiger_of_malaya.zones import settle


def begin(start: Start) -> State:
    """Units on their hexes, the first turn as it stands, one aircraft to be drawn. [14.1.1, 14.1.2]"""
    board = components.board(start.components, start.scenario)
    row = board.scenario
    s = State(board, dict(start.options), impulses=row.weather, number=len(row.played) - 1)
    for unit, hex in sorted(board.setup.items()):  # [3.0.A/1]
        s.pieces[unit] = Piece(hex, board.first(unit))
    s.lost = frozenset(board.eliminated)  # [14.3.2.G, 14.4.2.G]
    # [14.1.2.E, 14.2.2.C, 14.3.2.C, 14.3.2.D, 14.4.2.D, 14.4.2.E]
    s.held = board.start_control | {hex for hex in board.region("north-edge") if board.is_land(hex)}  # [R105]
    s.destroyed = board.destroyed
    s.cup = tuple(
        f"{side}-{kind}-{number}"
        for side, kinds in ((ALLIES, row.allies), (JAPAN, row.japan))
        for number, kind in enumerate(kinds, 1)
    )
    s.drawn = tuple(f"{ALLIES}-{kind}" for kind in row.played[:-1])
    s.planes = dict.fromkeys(sorted(board.aircraft), "home")
    s.phase, s.slot = "planes", str(row.opening_aircraft)  # [14.1.2.D, 14.2.2.B, 14.3.2.B, 14.4.2.B]
    s.due = tuple(id for arrival in board.arrivals if arrival.turn == 1 for id in arrival.units)
    settle(s)
    supply.judge(s, afresh=True)
    return s
