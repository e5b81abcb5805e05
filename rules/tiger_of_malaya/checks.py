"""What a careful owner would check: what cannot be right, whatever copy was typed in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

from rules.kit.data import Data
from rules.kit.hexes import Grid, ends
from rules.kit.tables import read_odds
from rules.tiger_of_malaya.rows import (
    ARRIVAL,
    BOMBARD,
    BOMBARD_LINE,
    CHIT,
    COMBAT,
    CROSSING,
    DESTROYED,
    DRAFT,
    ELIMINATED,
    GAME,
    GRID,
    GROUND,
    GROUP,
    HEX,
    LINE,
    NAME,
    ODDS,
    POOL,
    RATE,
    REGION,
    SCENARIO,
    SETUP,
    TEMPLATE,
    TERRAIN,
    TURN,
    UNIT,
    WATER,
    WEATHER,
    Costs,
)

GROUNDS = ("fertile", "town", "jungle-1", "jungle-2", "jungle-3", "jungle-4", "swamp")
MOVERS = ("foot", "jungle", "motorized", "mechanized")


def checks(tables: Data) -> Iterator[str]:
    """Everything that is wrong, in words. The first faults may hide later ones."""
    shape = tuple(_check_grid(tables))
    yield from shape
    if not shape:
        yield from _check_map(tables)
        yield from _check_charts(tables)
        yield from _check_units(tables)
        yield from _check_scenarios(tables)


def _check_grid(tables: Data) -> Iterator[str]:
    """A row of letters for each row of hexes, as long as there are columns."""
    row = tables.only(GRID)
    if row.first_column > row.last_column or row.first_row > row.last_row:
        yield "the grid ends before it begins"
        return
    rows = {terrain.id: terrain.cells for terrain in tables[TERRAIN]}
    wide = row.last_column - row.first_column + 1
    for number in range(row.first_row, row.last_row + 1):
        cells = rows.pop(f"{number:02}", None)
        if cells is None:
            yield f"there is no terrain for row {number:02}"
        elif len(cells) != wide:
            yield f"row {number:02} has {len(cells)} letters, the grid {wide} columns"
    yield from (f"there is terrain for row {id}, which the grid does not have" for id in rows)


# --- the map ---


def _check_map(tables: Data) -> Iterator[str]:
    """Roads run through neighbouring land, water along hexsides; what is named lies on the map."""
    grid = tables.only(GRID).grid()
    sea = _sea(tables, grid)
    yield from _off(grid, "the table of hexes", [row.id for row in tables[HEX]])
    yield from _off(grid, "the table of names", [row.id for row in tables[NAME]])
    for region in tables[REGION]:
        yield from _off(grid, region.id, region.hexes)
    for line in tables[LINE]:
        faults = list(_off(grid, line.id, line.hexes))
        yield from faults
        if not faults:
            yield from (f"{line.id}: {hex} is in the sea" for hex in line.hexes if hex in sea)
            for a, b in pairwise(line.hexes):
                if not grid.adjacent(a, b):
                    yield f"{line.id}: {a} and {b} are not neighbours"
    for water in tables[WATER]:
        yield from (f"{water.id}: {name} is no hexside" for name in water.sides if not grid.is_side(name))
    yield from _check_oceans(tables, grid, sea)


def _sea(tables: Data, grid: Grid) -> frozenset[str]:
    first = grid.columns[0]
    rows = {terrain.id: terrain.cells for terrain in tables[TERRAIN]}
    changed = {row.id: row.letter for row in tables[HEX]}
    return frozenset(hex for hex in grid.hexes if changed.get(hex, rows[hex[2:]][int(hex[:2]) - first]) == ".")


def _check_oceans(tables: Data, grid: Grid, sea: frozenset[str]) -> Iterator[str]:
    """Roads cross the sea on the causeway only; bridges that are down are bridges."""
    causeway = tables.only(GAME).causeway
    oceans = {name for water in tables[WATER] if water.kind == "ocean" for name in water.sides}
    rivers = {name for water in tables[WATER] if water.kind == "river" for name in water.sides}
    roads = {f"{min(a, b)}/{max(a, b)}" for line in tables[LINE] for a, b in pairwise(line.hexes)}
    for name in sorted(oceans):
        if grid.is_side(name) and any(hex in sea for hex in ends(name)):
            yield f"{name} lies in the sea: ocean hexsides part two land hexes"
    for name in sorted(oceans & roads - {causeway}):
        yield f"a road crosses the ocean hexside {name}, which is no causeway"
    if causeway in roads and causeway not in oceans:
        yield f"the causeway {causeway} crosses no ocean hexside"
    for row in tables[DESTROYED]:
        if row.id not in (rivers & roads) - oceans:
            yield f"{row.id} is destroyed at the start and no bridge"


def _off(grid: Grid, what: str, hexes: Iterable[str]) -> Iterator[str]:
    return (f"{what}: {hex} is not on the map" for hex in hexes if hex not in grid)


# --- charts ---


def _check_charts(tables: Data) -> Iterator[str]:
    """Every line is there, heads rise, rows have a result for every head."""
    lines = {line.id for line in tables[ODDS]}
    costs: list[tuple[str, Costs]] = [(row.id, row) for row in tables[GROUND]]
    costs += [(row.id, row) for row in tables[RATE]] + [(row.id, row) for row in tables[CROSSING]]
    for id, cost in costs:
        yield from (f"{id}: {mover} is no column of the chart" for mover in cost.closed if mover not in MOVERS)
    for ground in tables[GROUND]:
        if ground.odds not in lines:
            yield f"{ground.id}: there is no line {ground.odds} of odds"
        for mover in MOVERS:
            if (getattr(ground, mover) == 0) != (mover in ground.closed):
                yield f"{ground.id}: {mover} pays nothing and is not closed, or both pays and is closed"
    for what, needed, have in (
        ("ground", GROUNDS, {row.id for row in tables[GROUND]}),
        ("rate", ("road", "rail"), {row.id for row in tables[RATE]}),
        ("crossing", ("stream", "bridge", "river", "causeway"), {row.id for row in tables[CROSSING]}),
        ("chit", ("full", "jungle", "choice", "move", "attack", "half"), {row.id for row in tables[CHIT]}),
    ):
        yield from (f"the table {what} has no {id}" for id in needed if id not in have)
    wide = {len(row.results) for row in tables[COMBAT]}
    for line in tables[ODDS]:
        try:
            heads = [read_odds(head) for head in line.heads]
        except ValueError as bad:
            yield f"line {line.id}: {bad}"
            continue
        if heads != sorted(set(heads)):
            yield f"line {line.id}: odds rise from column to column"
        if {len(heads)} != wide:
            yield f"line {line.id} has {len(heads)} columns, the results have {_listed(wide)}"
    wide = {len(row.losses) for row in tables[BOMBARD]}
    for row in tables[BOMBARD_LINE]:
        if list(row.heads) != sorted(set(row.heads)):
            yield f"bombardment of {row.id} points: strengths rise from column to column"
        if {len(row.heads)} != wide:
            yield f"bombardment of {row.id} points has {len(row.heads)} columns, the losses have {_listed(wide)}"
    if 1 not in {row.id for row in tables[BOMBARD_LINE]}:
        yield "no line of the Bombardment Table begins at one point"
    for name, dice, rows in (
        ("combat", range(1, 7), [row.id for row in tables[COMBAT]]),
        ("bombardment", range(2, 13), [row.id for row in tables[BOMBARD]]),
        ("weather", range(1, 7), [row.id for row in tables[WEATHER]]),
    ):
        yield from (f"{name} has no line for a {die}" for die in dice if die not in rows)


def _listed(numbers: Iterable[int]) -> str:
    return ", ".join(str(number) for number in sorted(numbers))


# --- units ---


def _check_units(tables: Data) -> Iterator[str]:
    """Every unit has its kind, weaker kinds and companies exist, guns have all their numbers."""
    templates = {template.id: template for template in tables[TEMPLATE]}
    pools = {pool.id: pool for pool in tables[POOL]}
    for template in templates.values():
        points = [level.points for level in template.levels]
        if points != sorted(points, reverse=True):
            yield f"{template.id}: stacking points fall from face to face"
        if template.weaker and template.weaker not in templates:
            yield f"{template.id}: there is no {template.weaker} to become"
        if template.pool and (template.pool not in pools or not template.companies):
            yield f"{template.id}: there are no companies {template.pool} to break down into"
        numbers = (template.offence, template.defence, template.range, template.recovery)
        if template.is_gun != all(numbers) or template.is_gun != any(numbers):
            yield f"{template.id}: artillery has support, range and recovery, and nothing else has"
        if (template.kind == "tank") != bool(template.tank):
            yield f"{template.id}: tanks have a circled number, and nothing else has"
        if (template.kind == "steamer") != (template.transport == "steamer"):
            yield f"{template.id}: only a steamer goes by water"
    for pool in pools.values():
        if pool.template not in templates:
            yield f"{pool.id}: there is no kind of unit {pool.template}"
    for unit in tables[UNIT]:
        kind = templates.get(unit.template)
        if kind is None:
            yield f"{unit.id}: there is no kind of unit {unit.template}"
        elif unit.reduced and len(kind.levels) < 2:
            yield f"{unit.id} begins reduced and has one face"
        elif unit.jungle and kind.transport != "foot":
            yield f"{unit.id} is jungle-capable and does not go on foot"
        if (unit.nation == "japanese") != (unit.side == "japan"):
            yield f"{unit.id} is {unit.nation} and fights for {unit.side}"
        if any(unit.id.rstrip("0123456789") == pool and unit.id != pool for pool in pools):
            yield f"{unit.id} is called like a company"


# --- scenarios ---


def _check_scenarios(tables: Data) -> Iterator[str]:
    """Cards, arrivals and conditions name units, hexes and scenarios that exist; nobody comes twice."""
    grid = tables.only(GRID).grid()
    sea = _sea(tables, grid)
    units = {unit.id: unit for unit in tables[UNIT]}
    scenarios = {row.id: row for row in tables[SCENARIO]}
    regions = {region.id for region in tables[REGION]}
    groups = {group.id: group for group in tables[GROUP]}
    turns = {turn.id for turn in tables[TURN]}
    for setup in tables[SETUP]:
        where = f"card {setup.card}: {setup.unit} in {setup.hex}"
        if setup.unit not in units:
            yield f"{where}: there is no such unit"
        elif setup.hex not in grid or (setup.hex in sea and units[setup.unit].template != "steamer"):
            yield f"{where}: there is no such land"
    for arrival in tables[ARRIVAL]:
        yield from (f"{arrival.id}: there is no scenario {id}" for id in arrival.scenarios if id not in scenarios)
        yield from _off(grid, arrival.id, [arrival.hex])
        for id in arrival.units:
            if id not in units:
                yield f"{arrival.id}: there is no unit {id}"
            elif units[id].side != arrival.side:
                yield f"{arrival.id}: {id} is of the other side"
        for id in (arrival.group, arrival.needs):
            if id and id not in groups:
                yield f"{arrival.id}: there is no group {id}"
    for group in groups.values():
        yield from _off(grid, group.id, group.hexes)
        if group.region and group.region not in regions:
            yield f"{group.id}: there is no region {group.region}"
        if group.after and group.after not in groups:
            yield f"{group.id}: there is no group {group.after}"
    for named in (*(row.scenarios for row in tables[DRAFT]), *(row.scenarios for row in tables[ELIMINATED])):
        yield from (f"replacements: there is no scenario {id}" for id in named if id not in scenarios)
    for gone in tables[ELIMINATED]:
        if gone.unit not in units:
            yield f"there is no unit {gone.unit} to be rebuilt"
    for row in scenarios.values():
        yield from _off(grid, row.id, (*row.objectives, *row.road))
        yield from (f"{row.id}: the turn track has no turn {n}" for n in range(1, row.last_turn + 1) if n not in turns)
        yield from _check_opening(tables, row.id)
        coming = [setup.unit for setup in tables[SETUP] if setup.card == row.card]
        coming += [id for arrival in tables[ARRIVAL] if row.id in arrival.scenarios for id in arrival.units]
        coming += [gone.unit for gone in tables[ELIMINATED] if row.id in gone.scenarios]
        yield from (f"{row.id}: {id} comes twice" for id, times in Counter(coming).items() if times > 1)


def _check_opening(tables: Data, id: str) -> Iterator[str]:
    """The chits of the first turn are of a kind, and there are as many as the weather wants."""
    row = next(row for row in tables[SCENARIO] if row.id == id)
    game = tables.only(GAME)
    mix = {chit.id: chit for chit in tables[CHIT]}
    for word in (*row.played, *row.japan, *row.allies):
        if word not in mix:
            yield f"{id}: there is no chit {word}"
    for have, fewer, whose in (
        (len(row.japan) + len(row.played[1:2]), game.japanese_fewer, "Japanese"),
        (len(row.allies) + len(row.played[:1]), game.allied_fewer, "Allied"),
    ):
        if row.played and have != max(game.least_chits, row.weather - fewer):
            yield f"{id}: {have} {whose} chits in the first turn"
