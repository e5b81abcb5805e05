"""Which hexsides can be crossed. [6.0.A, 11.8.1, 12.6]"""

from __future__ import annotations

from functools import lru_cache

from rules.kit.bits import Sides, bits_of
from rules.kit.hexes import Hex, Side, ends
from rules.tiger_of_malaya.components import Board, Edge

WHOLE: frozenset[Side] = frozenset()
"""No bridge is down: what is so far from all that are is the same, whatever happens to them."""


def beside(destroyed: frozenset[Side]) -> frozenset[Hex]:
    """The hexes on both sides of these hexsides."""
    return frozenset(hex for name in destroyed for hex in ends(name))


def intact(destroyed: frozenset[Side], a: Hex, b: Hex, edge: Edge) -> bool:
    """Whether road or railroad may be used over this hexside: it carries one, and no bridge of it is down."""
    if not (edge.road or edge.rail):
        return False
    return not destroyed or (f"{a}/{b}" if a < b else f"{b}/{a}") not in destroyed


def open_side(destroyed: frozenset[Side], a: Hex, b: Hex, edge: Edge, on_foot: bool) -> bool:
    """Whether a hexside can be crossed in normal movement, whatever lies beyond."""  # [6.0.A, R29, 11.8.1.B, 9.3.6.A]
    if edge.water == "ocean":  # [9.3.6.D]
        return edge.causeway and intact(destroyed, a, b, edge)
    return edge.water != "river" or on_foot or intact(destroyed, a, b, edge)


@lru_cache(maxsize=64)
def passable(board: Board, destroyed: frozenset[Side], *, on_foot: bool) -> Sides:
    """All hexsides that are open so, both ways."""
    bits = bits_of(board.grid)
    if not destroyed:
        near, sides = list(board.edges.items()), bits.sides
    else:
        near = [(way, board.edge(*way)) for name in destroyed for way in (ends(name), ends(name)[::-1])]
        sides = passable(board, WHOLE, on_foot=on_foot)
    wet = [(way, edge) for way, edge in near if edge.water]
    return bits.but(sides, bits.over(way for way, edge in wet if not open_side(destroyed, *way, edge, on_foot)))
