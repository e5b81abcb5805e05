"""How many points a hex holds when an impulse ends. [5.0]"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.api import Illegal
from rules.kit.hexes import Hex
from rules.tiger_of_malaya.places import places
from rules.tiger_of_malaya.state import State, of, points, stack


def crowded(s: State) -> dict[Hex, int]:
    """Hexes in which the active side has too many points at the end of an impulse in which it moved."""  # [5.0.E, R23]
    if "moved" not in s.facts and not any(piece.marks & {"moved", "entered"} for _, piece in of(s, s.active)):
        return {}
    found = {}  # [5.0.A, 5.0.C]: a truck has no points
    for hex, weight in places(s).own(s.active).weights():
        over = weight - s.board.limit(hex) if s.board.is_land(hex) else 0
        if over > 0 and not any(s.pieces[id].fresh for id in stack(s, hex)):
            found[hex] = over
    return found


def refuse_discard(s: State, seat: str, units: Sequence[str]) -> Illegal | None:
    """Units of a crowded hex, as few as will do."""  # [5.0.F, R24]
    over = crowded(s)
    hexes = {s.pieces[id].at for id in units if id in s.pieces}
    if len(set(units)) != len(units) or len(hexes) != 1 or not hexes <= set(over):
        return Illegal(
            "no hex with too many units is meant", ("5.0.F",), f"too many in: {' '.join(sorted(over)) or '-'}"
        )
    hex = next(iter(hexes))
    weights = sorted((points(s, id) for id in stack(s, hex)), reverse=True)
    fewest = next(n for n in range(1, len(weights) + 1) if sum(weights[:n]) >= over[hex])
    if len(units) != fewest or sum(points(s, id) for id in units) < over[hex]:
        return Illegal(f"{hex} has {over[hex]} points too many", ("5.0.F", "R24"), f"name {fewest} units")
    return None
