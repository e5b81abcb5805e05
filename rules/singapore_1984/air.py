"""Air points: where they are based, how far they reach, what is used up. [9.8]"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.kit.hexes import Hex
from rules.singapore_1984 import supply
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import JP, SINGAPORE, State

NORTH_BASE = "north"


def left(s: State, side: Player) -> int:
    """Air points of a side that are not used up this turn; the Commonwealth has none. [9.8GRb, 9.83, 9.84]"""
    return s.board.air[s.turn] - s.used.get("air-jp", 0) if side == JP else 0


def bases(s: State, side: Player) -> tuple[Hex, ...]:
    """Airfields that may be used: held since before this turn, and in supply. [9.82a, 9.82b, R35]"""
    lines = supply.Lines(s, side)
    allowance = s.board.game.base_allowance
    return tuple(
        hex
        for hex in s.board.markers
        if hex in s.board.airfields
        and s.control[hex] == side
        and s.captured.get(hex, 0) < s.turn
        and lines.reaches(hex, allowance)
    )


def allot(s: State, side: Player, hexes: Sequence[Hex], points: int) -> dict[str, int] | None:
    """From which bases so many points come, the nearest first; None where they do not reach or are not there.

    [9.81, R34, R36] What exceeds six for each airfield flies from beyond the north edge.
    """
    if points > left(s, side):
        return None
    found: dict[str, int] = {}
    for _, base, room in sorted(_near(s, side, [SINGAPORE if hex.startswith("i") else hex for hex in hexes])):
        take = min(room, points - sum(found.values()))
        if take > 0:
            found[base] = take
    return found if sum(found.values()) == points else None


def _near(s: State, side: Player, hexes: Sequence[Hex]) -> Iterator[tuple[int, str, int]]:
    """Distance, base and room of every base in range."""
    game, usable = s.board.game, bases(s, side)
    for base in usable:
        far = max(s.board.distance(base, hex) for hex in hexes)
        if far <= game.air_range:
            yield far, base, game.air_at_base - s.used.get(f"air@{base}", 0)
    far = max(int(hex[2:]) for hex in hexes) + game.air_north - 1  # [R34]
    if far <= game.air_range:
        beyond = s.board.air[s.turn] - game.air_at_base * len(usable)
        yield far, NORTH_BASE, max(0, beyond) - s.used.get(f"air@{NORTH_BASE}", 0)


def spend(s: State, found: dict[str, int]) -> None:
    """They are used for this turn."""
    for base, points in found.items():
        s.used[f"air@{base}"] = s.used.get(f"air@{base}", 0) + points
        s.used["air-jp"] = s.used.get("air-jp", 0) + points
