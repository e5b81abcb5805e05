"""What becomes of a hex that holds too many at the end of a phase. [7.21, R19, R67]"""

from __future__ import annotations

from pbem.api import Illegal
from rules.singapore_1984 import stacking
from rules.singapore_1984.orders import Reduce, Remove
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import State, foe


def crowd(s: State) -> Player | None:
    """The side that stands too thick somewhere, the phasing one first."""
    return next((side for side in (s.active, foe(s.active)) if stacking.over(s, side)), None)  # [5.31b, 11.42b]


def refuse_crowd(s: State, order: Reduce | Remove) -> Illegal | None:
    """A unit of a hex that is too full. [7.21]"""
    side = crowd(s)
    hexes = stacking.over(s, side) if side else ()
    if order.unit not in s.pieces or s.pieces[order.unit].at not in hexes or s.side(order.unit) != side:
        return Illegal(f"{order.unit} is in no hex that is too full", ("7.21",), f"too full: {', '.join(hexes)}")
    if isinstance(order, Reduce) and s.pieces[order.unit].reduced:
        return Illegal(f"{order.unit} is reduced already", ("7.21",), f"remove {order.unit}")
    if isinstance(order, Reduce) and not _helps(s, order.unit):
        return Illegal(f"{order.unit} takes as much room reduced", ("7.12", "7.21"), f"remove {order.unit}")
    return None


def _helps(s: State, unit: str) -> bool:
    """Whether there is more room once the unit is reduced: not for armor, nor in the strait. [7.12, 11.42a]"""
    strait = s.board.is_strait(s.pieces[unit].at)
    return not strait and s.board.points(unit, reduced=True) < s.board.points(unit)
