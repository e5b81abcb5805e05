"""Which parts of the map deserve a sheet of their own: where battles are, moves end, enemies stand near each other."""

from __future__ import annotations

from collections.abc import Sequence

from rules.kit.hexes import Hex
from rules.kit.search import groups
from rules.tiger_of_malaya.seen import Seen

Window = tuple[int, int, int, int]
"""Columns from, to; rows from, to."""

SHEETS = 4
WIDEST = 18
LEAST = 11
NEAR = 2
"""Enemies at this distance are something to show."""
TOGETHER = 5
"""Things at this distance belong on one sheet."""


def windows(s: Seen) -> tuple[Window, ...]:
    """The parts worth a sheet of their own: battles, moves, enemies near each other; the busiest first."""
    hot = _hot(s)
    grid = s.board.grid
    clusters: list[frozenset[Hex]] = list(
        groups(sorted(hot), lambda hex: (other for other in hot if grid.distance(hex, other) <= TOGETHER))
    )
    found: dict[Window, int] = {}
    while clusters:
        cluster = sorted(clusters.pop())
        window = _around(s, cluster)
        left, right, top, bottom = window
        if max(right - left, bottom - top) >= WIDEST and len(cluster) > 1:
            by_row = bottom - top > right - left
            cluster.sort(key=(lambda hex: hex[2:]) if by_row else (lambda hex: hex[:2]))
            clusters += [frozenset(cluster[: len(cluster) // 2]), frozenset(cluster[len(cluster) // 2 :])]
        else:
            found[window] = len(cluster)
    return tuple(sorted(found, key=lambda window: (-found[window], window))[:SHEETS])


def _hot(s: Seen) -> frozenset[Hex]:
    hot = {hex for hex in s.looks if hex in s.board.grid}
    for battle in s.battles:
        hot.update((battle.hex, *battle.origins))
    for moved in s.moves:
        hot.update((moved.hexes[0], moved.hexes[-1]))
    sides = {hex: stack[0].side for hex, stack in s.pieces.items() if stack}
    for hex, side in sides.items():
        if any(sides.get(there, side) != side for there in s.board.grid.within(hex, NEAR)):
            hot.add(hex)
    return frozenset(hot)


def _around(s: Seen, hexes: Sequence[Hex]) -> Window:
    """A window around hexes with two hexes of margin, not too small, kept on the map."""
    grid = s.board.grid
    left, right = _span([int(hex[:2]) for hex in hexes], grid.columns)
    top, bottom = _span([int(hex[2:]) for hex in hexes], grid.rows)
    return left, right, top, bottom


def _span(values: Sequence[int], bounds: tuple[int, int]) -> tuple[int, int]:
    first, last = min(values) - 2, max(values) + 2
    lacking = max(0, LEAST - (last - first + 1))
    first, last = first - lacking // 2, last + (lacking + 1) // 2
    shift = max(0, bounds[0] - first) - max(0, last - bounds[1])
    return max(first + shift, bounds[0]), min(last + shift, bounds[1])
