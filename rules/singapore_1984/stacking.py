"""Stacking. [7.0]"""

from __future__ import annotations

from rules.kit.hexes import Hex
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import SINGAPORE, State


def limit(hex: Hex) -> bool:
    """Whether a hex has a limit at all: Singapore Island on the large map has none. [7.23]"""
    return hex != SINGAPORE


def over(s: State, side: Player) -> tuple[Hex, ...]:
    """The hexes where a side stands too thick. [7.0GR, 7.21]"""
    seen = s.seen.of(side)
    found: tuple[Hex, ...] | None = seen.get("over")
    if found is None:
        found = seen["over"] = tuple(hex for hex in sorted(s.occupied(side)) if limit(hex) and too_full(s, hex))
    return found


def too_full(s: State, hex: Hex) -> bool:
    """More stacking points than a hex holds; in the strait more than six units. [7.0GR, 11.42a]"""
    if s.board.is_strait(hex):
        return len(s.at(hex)) > s.board.game.strait_stacking  # [11.42a]
    return s.stack(hex) > s.board.game.stacking  # [11.45b, 7.3]


def room(s: State, hex: Hex, unit: str) -> bool:
    """Whether a unit that comes to stay there keeps the limit. [5.52b, 9.57a]"""
    piece = s.pieces[unit]
    if s.board.is_strait(hex):
        return len({*s.at(hex), unit}) <= s.board.game.strait_stacking
    factor = s.board.game.island_factor if hex.startswith("i") else 1
    more = factor * s.board.points(unit, piece.reduced) if piece.at != hex else 0
    return not limit(hex) or s.stack(hex) + more <= s.board.game.stacking


def guards_astray(s: State) -> tuple[str, ...]:
    """Imperial Guards that share a hex with other Japanese infantry where units move now. [7.22, 5.32, 13.9, R21]"""
    if s.on("13.9"):
        return ()
    units = s.board.units
    here = [id for id in s.on_map("jp") if s.on_inset(id) == bool(s.pulse)]  # [11.0i]
    others = {s.pieces[id].at for id in here if units[id].arm == "infantry" and not units[id].guard}
    return tuple(id for id in here if units[id].guard and s.pieces[id].at in others)  # [5.32]
