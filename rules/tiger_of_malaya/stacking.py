"""How many points a hex holds when an impulse ends. [5.0]"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.api import Illegal
from rules.kit.hexes import Hex
from rules.tiger_of_malaya.places import places
from rules.tiger_of_malaya.state import State, foe, level, of, option, points, stack


def crowded(s: State, side: str = "") -> dict[Hex, int]:
    """Hexes in which a side, the active one, has too many points when an impulse ends in which that one moved."""
    # [5.0.E, R23]
    side = side or s.active
    if "moved" not in s.facts and not any(piece.marks & {"moved", "entered"} for _, piece in of(s, s.active)):
        return {}
    found = {}  # [5.0.A, 5.0.C]: a truck has no points
    for hex, weight in places(s).own(side).weights():
        over = weight - s.board.limit(hex) if s.board.is_land(hex) else 0
        if over > 0 and not any(s.pieces[id].fresh for id in stack(s, hex)):
            found[hex] = over
    return found


def others(s: State) -> dict[Hex, int]:
    """Such hexes of the other side, where they are counted too."""  # [R23]
    return crowded(s, foe(s.active)) if option(s, "r23") == "both" else {}


def fewest(s: State, hex: Hex, over: int) -> tuple[str, ...]:
    """The greatest units of a hex, as few as rid it of so many points; of equals those that defend least."""  # [R24]
    found: tuple[str, ...] = ()
    for id in sorted(stack(s, hex), key=lambda id: (-points(s, id), level(s, id).defence, id)):
        if sum(points(s, one) for one in found) < over:
            found = (*found, id)
    return found


def refuse_discard(s: State, seat: str, units: Sequence[str]) -> Illegal | None:
    """Units of a crowded hex, as few as will do."""  # [5.0.F, R24]
    over = crowded(s, seat)
    hexes = {s.pieces[id].at for id in units if id in s.pieces}
    if len(set(units)) != len(units) or len(hexes) != 1 or not hexes <= set(over):
        return Illegal(
            "no hex with too many units is meant", ("5.0.F",), f"too many in: {' '.join(sorted(over)) or '-'}"
        )
    hex = next(iter(hexes))
    few = len(fewest(s, hex, over[hex]))
    if len(units) != few or sum(points(s, id) for id in units) < over[hex]:
        return Illegal(f"{hex} has {over[hex]} points too many", ("5.0.F", "R24"), f"name {few} units")
    return None
