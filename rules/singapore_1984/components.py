"""Maps, charts and counters in the form in which the rules ask them.

`load` reads the tables (an owner's corrected copy over ours) and holds them to `checks` and `printed`; `rows` says what
a row is. `board` builds a `Board`, once for the same tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from pbem.errors import Trouble
from rules.kit import data, tables
from rules.kit.data import Data
from rules.kit.hexes import Grid, Hex, Side, ends, side
from rules.singapore_1984.board import PLAIN, Board, Edge
from rules.singapore_1984.checks import checks
from rules.singapore_1984.rows import (
    AWARD,
    DIFFERENTIALS,
    GAME,
    GRID,
    GROUND,
    HEX,
    INTERCEPTION,
    LEVEL,
    LINE,
    MARKER,
    NAME,
    OUTCOMES,
    PLACE,
    RATE,
    REGION,
    SHEETS,
    STRIKE,
    TERRAIN,
    TURN,
    UNIT,
    WATER,
    WORKS,
    Mode,
)

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["board", "load"]


def load(edition: int = 1, folder: Path | None = None) -> Data:
    """The tables of an edition. Raises `Trouble` naming file and row, or the first check that fails."""
    found = data.load(__file__, SHEETS, edition, folder)
    for fault in checks(found):
        raise Trouble(f"the game cannot be played: {fault}", "compare the tables with your copy")
    if not found.only(GAME).excerpt:
        from rules.singapore_1984.printed import check_printed

        for fault in check_printed(found):
            raise Trouble(f"the data are not what is printed: {fault}", "compare the tables with your copy")
    return found


# --- building it ---


def maps_of(found: Data) -> tuple[Mapping[str, Grid], Mapping[Hex, str]]:
    """The grids, and the letter of every hex of both maps."""
    grids: dict[str, Grid] = {row.id: row.grid() for row in found[GRID]}
    cells = {row.id: row.cells for row in found[TERRAIN]}
    letters: dict[Hex, str] = {}
    for grid in grids.values():
        for hex in grid.hexes:
            bare = hex.removeprefix(grid.prefix)
            letters[hex] = cells[f"{grid.prefix}{bare[2:]}"][int(bare[:2]) - grid.columns[0]]
    return grids, {**letters, **{changed.id: changed.letter for changed in found[HEX]}}


def edges_of(found: Data) -> Mapping[tuple[Hex, Hex], Edge]:
    """Every hexside that carries something, from both of its hexes."""
    edges: dict[Side, Edge] = {}
    for water in found[WATER]:
        for name in water.sides:
            edge = edges.get(name, PLAIN)
            edges[name] = edge._replace(river=True) if water.kind == "river" else edge._replace(closed=True)
    for works in found[WORKS]:
        for name in works.sides:
            edge = edges.get(name, PLAIN)
            edges[name] = edge._replace(prepared=True) if works.kind == "prepared" else edge._replace(fortified=True)
    for line in found[LINE]:
        for a, b in pairwise(line.hexes):
            edge = edges.get(side(a, b), PLAIN)
            edges[side(a, b)] = edge._replace(road=True) if line.way == "road" else edge._replace(rail=True)
    return dict(_both_ways(edges))


def _both_ways(edges: Mapping[Side, Edge]) -> Iterator[tuple[tuple[Hex, Hex], Edge]]:
    for name, edge in edges.items():
        a, b = ends(name)
        yield (a, b), edge
        yield (b, a), edge


@lru_cache(maxsize=8)
def board(found: Data) -> Board:
    """What the game is played with, the same object for the same tables."""
    grids, letters = maps_of(found)
    modes: tuple[Mode, ...] = ("maneuver", "assault")
    return Board(
        game=found.only(GAME),
        grids=grids,
        letters=letters,
        names={name.id: name.name for name in found[NAME]},
        places={place.id: place for place in found[PLACE]},
        ways={line.id: (line.way, line.hexes) for line in found[LINE]},
        edges=edges_of(found),
        regions={region.id: region.hexes for region in found[REGION]},
        grounds={ground.id: ground for ground in found[GROUND]},
        rates={rate.id: rate.cost for rate in found[RATE]},
        differentials={row.id: row.spans for row in found[DIFFERENTIALS]},
        outcomes={
            mode: tables.Chart({row.die: row.results for row in found[OUTCOMES] if row.mode == mode}) for mode in modes
        },
        interception={row.id: frozenset(row.dice) for row in found[INTERCEPTION]},
        strikes={
            chart: {row.die: row.effect for row in found[STRIKE] if row.chart == chart}
            for chart in ("forcez", "transport")
        },
        dates={turn.id: turn.begins for turn in found[TURN]},
        base={turn.id: turn.base for turn in found[TURN]},
        air={turn.id: turn.air for turn in found[TURN]},
        units={unit.id: unit for unit in found[UNIT]},
        awards={award.id: award.points for award in found[AWARD]},
        levels=found[LEVEL],
        counters={marker.id: marker.count for marker in found[MARKER]},
    )
