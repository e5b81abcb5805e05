"""Shapes along hexsides, in lattice points (see rules.kit.hexes): coasts and rivers as lines, ground as outlines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from rules.kit.hexes import DIRECTIONS, Grid, Hex, Side, Spot, side
from rules.kit.search import groups

Path = tuple[Spot, ...]
Piece = tuple[Spot, Spot]


def chains(pieces: Iterable[Piece]) -> tuple[Path, ...]:
    """Pieces that meet, joined to lines; a closed one ends where it begins. Lines end where three pieces meet."""
    left: dict[Piece, None] = dict.fromkeys((a, b) if a < b else (b, a) for a, b in pieces)
    meeting: dict[Spot, list[Piece]] = {}
    for a, b in left:
        meeting.setdefault(a, []).append((a, b))
        meeting.setdefault(b, []).append((a, b))
    ends = [spot for spot in sorted(meeting) if len(meeting[spot]) != 2]
    found = []
    for start in (*ends, *sorted(meeting)):
        while True:
            path = _walk(start, meeting, left)
            if len(path) < 2:
                break
            found.append(path)
    return tuple(found)


def _walk(start: Spot, meeting: Mapping[Spot, list[Piece]], left: dict[Piece, None]) -> Path:
    path = [start]
    while True:
        piece = next((piece for piece in meeting[path[-1]] if piece in left), None)
        if piece is None:
            return tuple(path)
        del left[piece]
        path.append(piece[1] if piece[0] == path[-1] else piece[0])
        if len(meeting[path[-1]]) != 2:
            return tuple(path)


def along(grid: Grid, sides: Iterable[Side]) -> tuple[Path, ...]:
    """Hexsides as lines."""
    return chains(grid.edge(name) for name in sides)


def shore(grid: Grid, land: Iterable[Hex], is_land: Callable[[Hex], bool]) -> Iterator[tuple[Hex, Side]]:
    """Every hexside between land and water, with its land."""
    for hex in land:
        yield from ((hex, side(hex, there)) for there in grid.neighbours(hex) if not is_land(there))


@lru_cache(maxsize=64)
def edge_of(grid: Grid, hexes: frozenset[Hex]) -> Path:
    """The outer edge of a window, see `outline`."""
    return outline(grid, hexes)


def outline(grid: Grid, hexes: Iterable[Hex]) -> Path:
    """The outer edge of hexes that hang together; holes are not cut out."""
    inside = frozenset(hexes)
    pieces = []
    for hex in inside:
        corners = grid.corners(hex)
        for n, way in enumerate(DIRECTIONS):
            if grid.step(hex, way) not in inside:
                pieces.append((corners[n], corners[(n + 1) % 6]))
    return max(chains(pieces), key=lambda path: abs(doubled_area(path)))


def doubled_area(path: Path) -> int:
    """Twice the area inside a closed line."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(path, (*path[1:], path[0]), strict=True))


def patches(grid: Grid, letters: Mapping[Hex, str]) -> tuple[tuple[str, Path, frozenset[Hex]], ...]:
    """The map in patches of one letter, the largest first, so that a patch in another's hole is painted over it."""
    found = []
    for letter in dict.fromkeys(letters.values()):
        alike = [hex for hex, other in letters.items() if other == letter]
        for group in groups(alike, grid.neighbours):
            found.append((letter, outline(grid, group), group))
    return tuple(sorted(found, key=lambda patch: (-abs(doubled_area(patch[1])), patch[1])))


def clipped(grid: Grid, hexes: frozenset[Hex], window: frozenset[Hex]) -> tuple[Path, ...]:
    """The outlines of the parts of a patch inside a window."""
    return tuple(outline(grid, group) for group in groups(sorted(hexes & window), grid.neighbours))


def smoothed(path: Path) -> tuple[tuple[Spot, int], ...]:
    """The middles of a line's pieces instead of its corners, with its own ends: points and what to divide them by."""
    if len(path) < 3 or path[0] == path[-1]:
        return tuple((spot, 1) for spot in path)
    middles = [((a[0] + b[0], a[1] + b[1]), 2) for a, b in pairwise(path)]
    return ((path[0], 1), *middles, (path[-1], 1))
