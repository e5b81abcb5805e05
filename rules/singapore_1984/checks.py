"""What a careful owner would check: what cannot be right, whatever copy was typed in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

from rules.kit.data import Data
from rules.kit.hexes import Grid
from rules.singapore_1984.rows import (
    AWARD,
    DIFFERENTIALS,
    GAME,
    GRID,
    GROUND,
    HEX,
    INTERCEPTION,
    LETTERS,
    LEVEL,
    LINE,
    NAME,
    OUTCOMES,
    PLACE,
    RATE,
    REGION,
    STRIKE,
    TERRAIN,
    TURN,
    UNIT,
    WATER,
    WORKS,
)

COLUMNS = 11
DICE = range(1, 9)
AWARDS = (
    *("cw-infantry", "cw-armor", "jp-infantry", "jp-armor", "jp-guard", "penang", "forcez", "prince-of-wales"),
    *("singapore-held", "boxed-cw-infantry", "boxed-cw-armor", "boxed-jp-infantry", "boxed-jp-armor"),
    *("air-cw", "air-jp", "air-captured", "13.2", "13.3", "13.4", "13.5", "13.6", "13.7", "13.9"),
)
REGIONS = (
    *("north-edge", "facing", "compulsory-assault", "island", "from-1726", "from-1825", "from-1926", "barred"),
    *("landing-sea", "landing", "city", "causeway-ends"),
)


def checks(tables: Data) -> Iterator[str]:
    """Everything that is wrong, in words. The first faults may hide later ones."""
    shape = tuple(_check_grids(tables))
    yield from shape
    if not shape:
        yield from _check_maps(tables)
        yield from _check_charts(tables)
        yield from _check_units(tables)


def _check_grids(tables: Data) -> Iterator[str]:
    """Two maps; a row of letters for each row of hexes, as long as there are columns."""
    if {row.id: row.prefix for row in tables[GRID]} != {"large": "", "inset": "i"}:
        yield "there are two maps, large and inset"
        return
    rows = {terrain.id: terrain.cells for terrain in tables[TERRAIN]}
    for row in tables[GRID]:
        if row.first_column > row.last_column or row.first_row > row.last_row:
            yield f"the grid {row.id} ends before it begins"
            return
        wide = row.last_column - row.first_column + 1
        for number in range(row.first_row, row.last_row + 1):
            id = f"{row.prefix}{number:02}"
            cells = rows.pop(id, None)
            if cells is None:
                yield f"there is no terrain for row {id}"
            elif len(cells) != wide:
                yield f"row {id} has {len(cells)} letters, the grid {wide} columns"
    yield from (f"there is terrain for row {id}, which no grid has" for id in rows)


# --- the maps ---


def _check_maps(tables: Data) -> Iterator[str]:
    """Roads run through neighbouring land, rivers along hexsides; what is named lies on a map."""
    grids = _grids(tables)
    letters = _letters(tables, grids)
    yield from _off(letters, "the table of hexes", [row.id for row in tables[HEX]])
    yield from _off(letters, "the table of names", [row.id for row in tables[NAME]])
    places = [row.id for row in tables[PLACE]]
    yield from _off(letters, "the table of places", places)
    yield from (f"{hex} has a port or airfield and no land" for hex in places if letters.get(hex) in (".", "w", "-"))
    yield from (f"{row.id} has neither port nor airfield" for row in tables[PLACE] if not (row.port or row.airfield))
    for region in tables[REGION]:
        yield from _off(letters, region.id, region.hexes)
    yield from (f"there is no region {id}" for id in REGIONS if id not in {region.id for region in tables[REGION]})
    for line in tables[LINE]:
        faults = list(_off(letters, line.id, line.hexes))
        yield from faults
        if not faults:
            yield from (f"{line.id}: {hex} is no land" for hex in line.hexes if letters[hex] in (".", "w", "-"))
            for a, b in pairwise(line.hexes):
                if b not in _grid(grids, a).neighbours(a):
                    yield f"{line.id}: {a} and {b} are not neighbours"
    sides = {row.id: row.sides for row in tables[WATER]} | {row.id: row.sides for row in tables[WORKS]}
    for id, names in sides.items():
        yield from (f"{id}: {name} is no hexside" for name in names if not _grid(grids, name).is_side(name))


def _grids(tables: Data) -> Mapping[str, Grid]:
    """The grids by what stands before their numbers."""
    return {row.prefix: row.grid() for row in tables[GRID]}


def _grid(grids: Mapping[str, Grid], hex: str) -> Grid:
    return grids["i" if hex.startswith("i") else ""]


def _letters(tables: Data, grids: Mapping[str, Grid]) -> Mapping[str, str]:
    cells = {terrain.id: terrain.cells for terrain in tables[TERRAIN]}
    found = {}
    for prefix, grid in grids.items():
        for hex in grid.hexes:
            bare = hex.removeprefix(prefix)
            found[hex] = cells[prefix + bare[2:]][int(bare[:2]) - grid.columns[0]]
    return {**found, **{row.id: row.letter for row in tables[HEX]}}


def _off(letters: Mapping[str, str], what: str, hexes: Iterable[str]) -> Iterator[str]:
    return (f"{what}: {hex} is not on a map" for hex in hexes if hex not in letters)


# --- charts ---


def _check_charts(tables: Data) -> Iterator[str]:
    """Every ground has a row that exists, columns rise without gaps, tables have a row for every die."""
    grounds = {row.id: row for row in tables[GROUND]}
    lines = {row.id for row in tables[DIFFERENTIALS]}
    yield from (f"there is no ground {name}" for name in LETTERS.values() if name and name not in grounds)
    yield from (f"{row.id} names row {row.row}, which is none" for row in grounds.values() if row.row not in lines)
    yield from (f"there is no rate for a {way}" for way in ("road", "rail") if way not in {r.id for r in tables[RATE]})
    for row in tables[DIFFERENTIALS]:
        if not row.spans or len(row.spans) > COLUMNS:
            yield f"row {row.id} has {len(row.spans)} columns: 1 to {COLUMNS}"
        yield from (f"row {row.id}: {span.low}..{span.high} runs back" for span in row.spans if span.low > span.high)
        for a, b in pairwise(row.spans):
            if b.low != a.high + 1:
                yield f"row {row.id}: {b.low} does not follow {a.high}"
        if row.spans and row.spans[-1].high != tables.only(GAME).top_differential:
            yield f"row {row.id} ends at {row.spans[-1].high}, not at {tables.only(GAME).top_differential}"
    for mode in ("maneuver", "assault"):
        rows = {row.die: row.results for row in tables[OUTCOMES] if row.mode == mode}
        yield from (f"the {mode} table has no row {die}" for die in DICE if die not in rows)
        yield from (f"the {mode} table has a row {die}" for die in rows if die not in DICE)
        for die, results in rows.items():
            if len(results) != COLUMNS:
                yield f"row {die} of the {mode} table has {len(results)} results: {COLUMNS}"
    for chart in ("forcez", "transport"):
        dice = sorted(row.die for row in tables[STRIKE] if row.chart == chart)
        if dice != list(range(1, 7)):
            yield f"the {chart} table has rows {dice}, not one for each die"
    ports = {row.id for row in tables[PLACE] if row.port and row.coast}
    intercepted = {row.id for row in tables[INTERCEPTION]}
    yield from (f"{hex} is a port without a row of interception" for hex in sorted(ports - intercepted))
    yield from (f"{hex} has a row of interception and no port" for hex in sorted(intercepted - ports))
    for port in tables[INTERCEPTION]:
        yield from (f"{port.id}: no die shows {die}" for die in port.dice if not 1 <= die <= 6)
    turns = sorted(row.id for row in tables[TURN])
    if turns != list(range(1, tables.only(GAME).last_turn + 1)):
        yield f"the track has the turns {turns}"
    awards = {row.id for row in tables[AWARD]}
    yield from (f"there are no points for {id}" for id in AWARDS if id not in awards)
    if not tables[LEVEL]:
        yield "there are no levels of victory"


# --- units ---


def _check_units(tables: Data) -> Iterator[str]:
    """A unit begins on the map or enters on a turn; starting stacks hold."""
    game = tables.only(GAME)
    grids = _grids(tables)
    letters = _letters(tables, grids)
    stacks: Counter[str] = Counter()
    for unit in tables[UNIT]:
        if bool(unit.start) == bool(unit.turn):
            yield f"{unit.id} begins in a hex or enters on a turn, one of the two"
        if unit.start and letters.get(unit.start, ".") in ".w-":
            yield f"{unit.id} begins in {unit.start}, which is no land"
        if unit.turn > game.last_turn:
            yield f"{unit.id} enters on turn {unit.turn} of {game.last_turn}"
        full, half = unit.faces
        if half.attack > full.attack or half.defense > full.defense:
            yield f"{unit.id} is stronger on its reduced face"
        if unit.start:
            stacks[unit.start] += unit.points
    free = "1826"  # [7.23]
    yield from (
        f"{hex} begins with {n} stacking points" for hex, n in stacks.items() if n > game.stacking and hex != free
    )
