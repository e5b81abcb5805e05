"""Map, charts, units and scenarios in the form in which the rules ask them.

`load` reads the tables (an owner's corrected copy over ours) and holds them to `checks` and `printed`; `rows` says what
a row is. `board` is what one scenario is played with; it is built once and never changes.

    board = components.board(start.components, "muar")

    board.grid.neighbours("0925"), .distance, .within, .line       geometry, see rules.kit.hexes
    board.grounds("0749")                 ("fertile", "town"); () in the sea
    board.cost("0512", "foot")            2; None where closed: the worst ground of the hex, without roads
    board.rates["road"].cost("motorized") 1;  board.crossings["stream"].cost("foot")  1
    board.edge("0845", "0946").water      "", "stream", "river" or "ocean"; also .road .rail .bridge .causeway
    board.land_beside("0845")             ((neighbour, edge), ...), the sea apart
    board.limit(hex), .line(hex), .halves_artillery(hex), .recovery(hex), .supply_count(hex)
    board.is_land(hex), .is_town(hex), .is_jungle(hex), .is_slow(hex), .coastal(hex)
    board.region("island"), "east-coast", "north-edge", "terminals", "port", "airfields"; board.has("island", hex)
    board.bridges                         hexsides with a river below a road or railroad
    board.units["2/30A"].side, .nation, .template, .jungle, .reduced, .roams
    board.kind("2/30A"), .side(id), .nation(id), .jungle(id), .mover(id)       of companies too
    board.levels("2/30A"), .level(id, 0).attack, .first(id), .steps(id, level)
    board.result("B", step, die)      combat; None below the least odds, see rules.kit.tables
    board.bombardment(points, strength, roll)                steps lost; None below the least strength
    board.impulses[die], board.chits["japan"], board.aircraft["A1"], board.dates[1]
    board.company_ids("jc")               ("jc1", ... "jc18")
    board.setup, board.arrivals, board.drafts, board.eliminated, board.destroyed, board.groups
    board.start_control                   the land that Japan holds at the start
    board.game.zone_points                numbers of data/game.toml, see `rows.Game`

Sides are "japan" and "allies". Odds are steps of the ladder of `rules.kit.tables`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, NamedTuple

from pbem.errors import Trouble
from rules.kit import data
from rules.kit.asked import Asked
from rules.kit.bits import Hexes, bits_of
from rules.kit.data import Data
from rules.kit.hexes import Grid, Hex, Side, ends, side
from rules.kit.hexmap import Way
from rules.kit.tables import Chart, column, read_odds
from rules.tiger_of_malaya.checks import checks
from rules.tiger_of_malaya.rows import (
    AIRCRAFT,
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
    JUNGLE,
    LETTERS,
    LINE,
    NAME,
    ODDS,
    POOL,
    RATE,
    REGION,
    SCENARIO,
    SETUP,
    SHEETS,
    SLOW,
    TEMPLATE,
    TERRAIN,
    TURN,
    UNIT,
    WATER,
    WEATHER,
    Aircraft,
    Arrival,
    ChitKind,
    Costs,
    Draft,
    Game,
    Ground,
    Group,
    Kind,
    Level,
    Mover,
    Nation,
    Player,
    Pool,
    Scenario,
    Template,
    Terrain,
    Unit,
    WaterKind,
)

if TYPE_CHECKING:
    from pathlib import Path

MOVERS: tuple[Mover, ...] = ("foot", "jungle", "motorized", "mechanized")

__all__ = ["Board", "Edge", "board", "load"]


def load(edition: int = 1, folder: Path | None = None) -> Data:
    """The tables of an edition. Raises `Trouble` naming file and row, or the first check that an owner's copy fails."""
    tables = data.load(__file__, SHEETS, edition, folder)
    if folder is None:  # tests hold our own to both
        return tables
    for fault in checks(tables):
        raise Trouble(f"the game cannot be played: {fault}", "compare the tables with your copy")
    if not tables.only(GAME).excerpt:
        from rules.tiger_of_malaya.printed import check_printed

        for fault in check_printed(tables):
            raise Trouble(f"the data are not what is printed: {fault}", "compare the tables with your copy")
    return tables


class Edge(NamedTuple):
    """What a hexside carries."""

    water: WaterKind | Literal[""] = ""
    road: bool = False
    rail: bool = False
    causeway: bool = False

    @property
    def bridge(self) -> bool:
        """A road or railroad over a river: it can be destroyed."""  # [12.6.P1]
        return self.water == "river" and (self.road or self.rail)


PLAIN = Edge()


class Lie(NamedTuple):
    """What the chart says of a hex that may have two kinds of ground."""

    costs: Mapping[Mover, int | None]
    limit: int
    line: str
    halves_artillery: bool
    recovery: int
    supply: int


@dataclass(frozen=True, eq=False)
class Board:
    """Map, charts, units and one scenario. It never changes: a copy of a state shares it."""

    game: Game
    scenario: Scenario
    grid: Grid
    letters: Mapping[Hex, str]
    names: Mapping[Hex, str]
    ways: Mapping[str, tuple[Way, tuple[Hex, ...]]]
    edges: Mapping[tuple[Hex, Hex], Edge]
    regions: Mapping[str, tuple[Hex, ...]]
    ground: Mapping[Terrain, Ground]
    rates: Mapping[Way, Costs]
    crossings: Mapping[str, Costs]
    odds_lines: Mapping[str, tuple[int, ...]]
    combat: Chart[tuple[int, int]]
    bombard_lines: Mapping[int, tuple[int, ...]]
    bombard: Chart[int]
    impulses: Mapping[int, int]
    chits: Mapping[Player, Mapping[ChitKind, int]]
    aircraft: Mapping[str, Aircraft]
    dates: Mapping[int, str]
    templates: Mapping[str, Template]
    pools: Mapping[str, Pool]
    units: Mapping[str, Unit]
    setup: Mapping[str, Hex]
    arrivals: tuple[Arrival, ...]
    groups: Mapping[str, Group]
    drafts: tuple[Draft, ...]
    eliminated: Mapping[str, int]
    destroyed: frozenset[Side]

    def __deepcopy__(self, _: object) -> Board:
        return self

    # --- hexes ---

    def grounds(self, hex: Hex) -> tuple[Terrain, ...]:
        """The kinds of ground of a hex; none in the sea."""
        return LETTERS[self.letters[hex]]

    def is_land(self, hex: Hex) -> bool:
        """Whether a unit on foot could stand there."""
        return self.letters[hex] != "."

    def is_town(self, hex: Hex) -> bool:
        """A town, the city included."""
        return "town" in self.grounds(hex)

    def is_jungle(self, hex: Hex) -> bool:
        """Jungle of any level, be it a part of the hex only."""
        return self.letters[hex] in JUNGLE

    def is_slow(self, hex: Hex) -> bool:
        """Jungle or swamp: an advance ends in the attacked hex."""  # [9.5.H]
        return self.letters[hex] in SLOW

    @cached_property
    def land(self) -> tuple[Hex, ...]:
        """Every land hex, column by column."""
        return tuple(hex for hex, letter in self.letters.items() if letter != ".")

    @cached_property
    def ashore(self) -> Hexes:
        """The same as bits."""
        return bits_of(self.grid).of(self.land)

    def coastal(self, hex: Hex) -> bool:
        """Land beside the sea, or with the strait on one of its hexsides."""
        return self.is_land(hex) and any(
            not self.is_land(there) or self.edge(hex, there).water == "ocean" for there in self.grid.neighbours(hex)
        )

    def region(self, name: str) -> tuple[Hex, ...]:
        """Hexes that a rule names together, in the order of the table; none where the table is not there."""
        return self.regions.get(name, ())

    @cached_property
    def _inside(self) -> Mapping[str, frozenset[Hex]]:
        return {name: frozenset(hexes) for name, hexes in self.regions.items()}

    def has(self, name: str, hex: Hex) -> bool:
        """Whether the hex belongs to a region."""
        return hex in self._inside.get(name, ())

    def name(self, hex: Hex) -> str:
        """The hex with what is written there: `0523 Batu Pahat`."""
        return f"{hex} {self.names[hex]}" if hex in self.names else hex

    # --- hexsides ---

    def edge(self, a: Hex, b: Hex) -> Edge:
        """What the hexside between two neighbours carries."""
        return self.edges.get((a, b), PLAIN)

    @cached_property
    def bridges(self) -> tuple[Side, ...]:
        """Every bridge, by name."""
        return tuple(sorted(side(a, b) for (a, b), edge in self.edges.items() if a < b and edge.bridge))

    @cached_property
    def network(self) -> frozenset[Hex]:
        """The hexes on a road or railroad."""
        return frozenset(hex for _, hexes in self.ways.values() for hex in hexes)

    @cached_property
    def _land_beside(self) -> Mapping[str, tuple[tuple[Hex, Edge], ...]]:
        neighbours, edge, letters = self.grid.neighbours, self.edges.get, self.letters

        marked = {hex for hex, _ in self.edges}

        def near(hex: Hex) -> tuple[tuple[Hex, Edge], ...]:
            ashore = [there for there in neighbours(hex) if letters[there] != "."]
            return tuple([(there, edge((hex, there), PLAIN) if hex in marked else PLAIN) for there in ashore])

        return Asked(near)

    def land_beside(self, hex: Hex) -> tuple[tuple[Hex, Edge], ...]:
        """The land next to a hex, each with the hexside to it."""
        return self._land_beside[hex]

    # --- the Terrain Effects Chart ---

    @cached_property
    def _lies(self) -> Mapping[str, Lie]:
        return {letter: self._lie([self.ground[kind] for kind in kinds]) for letter, kinds in LETTERS.items() if kinds}

    def _lie(self, grounds: list[Ground]) -> Lie:
        lines = list(self.odds_lines)
        costs: dict[Mover, int | None] = {}
        for mover in MOVERS:
            each = [ground.cost(mover) for ground in grounds]
            costs[mover] = None if None in each else max(cost for cost in each if cost is not None)
        return Lie(
            costs,
            min(ground.limit for ground in grounds),
            max((ground.odds for ground in grounds), key=lines.index),
            any(ground.halves_artillery for ground in grounds),
            max(ground.recovery for ground in grounds),
            max(ground.supply for ground in grounds),
        )

    def cost(self, hex: Hex, mover: Mover) -> int | None:
        """The movement points of the least favourable ground; None where it is closed, as the sea is."""  # [4.0.B/2]
        return self.ground_cost(self.letters[hex], mover)

    def ground_cost(self, letter: str, mover: Mover) -> int | None:
        """The same by the letter of the ground."""
        return None if letter == "." else self._lies[letter].costs[mover]

    def limit(self, hex: Hex) -> int:
        """The stacking points that a land hex holds."""  # [5.0.A]
        return self._lies[self.letters[hex]].limit

    def line(self, hex: Hex) -> str:
        """The line of odds for an attack on the hex: that of the ground that defends best."""  # [9.0.G, R103]
        return self._lies[self.letters[hex]].line

    def halves_artillery(self, hex: Hex) -> bool:
        """Whether support and bombardment against the hex are halved."""  # [9.2.F, R40]
        return self._lies[self.letters[hex]].halves_artillery

    def recovery(self, hex: Hex) -> int:
        """What the hex adds to the die of artillery that recovers there."""  # [11.1.2.C.2]
        return self._lies[self.letters[hex]].recovery

    def supply_count(self, hex: Hex) -> int:
        """How many hexes it counts in an Allied path, roads apart."""  # [7.1.C]
        return self._lies[self.letters[hex]].supply

    # --- the tables ---

    def result(self, line: str, step: int, die: int) -> tuple[int, int] | None:
        """Losses of the attacker and result for the defender; None below the lowest odds."""  # [9.3.E, 9.3.1.B]
        place = column(self.odds_lines[line], step)
        return None if place is None else self.combat.at(die, place)

    def bombard_heads(self, points: int) -> tuple[int, ...]:
        """The strengths at the head of the columns, against so many stacking points."""
        return self.bombard_lines[max(least for least in self.bombard_lines if least <= max(points, 1))]

    def bombardment(self, points: int, strength: int, roll: int) -> int | None:
        """The steps that a target loses; None below the lowest strength. [8.2.C/1, 8.2.C/2]

        Strength in whole points: a half is dropped.
        """
        place = column(self.bombard_heads(points), strength)
        return None if place is None else self.bombard.at(roll, place)

    # --- units ---

    def _pool(self, unit: str) -> Pool:
        """The pool of a company: `jc` of `jc7`."""
        return self.pools[unit.rstrip("0123456789")]

    @cached_property
    def _every(self) -> Mapping[str, Unit | Pool]:
        """Every unit and every company of a pool."""
        companies = {id: pool for name, pool in self.pools.items() for id in self.company_ids(name)}
        return {**self.units, **companies}

    @cached_property
    def _templates(self) -> Mapping[str, Template]:
        return {id: self.templates[one.template] for id, one in self._every.items()}

    @cached_property
    def sides(self) -> Mapping[str, Player]:
        """Whose every unit and company is."""
        return {id: one.side for id, one in self._every.items()}

    def side(self, unit: str) -> Player:
        """Whose unit or company it is."""
        return self.sides[unit]

    def nation(self, unit: str) -> Nation:
        """The nation of a unit or company."""
        return self._every[unit].nation

    def template(self, unit: str) -> Template:
        """What is printed on the counters of a unit or company."""
        return self._templates[unit]

    @cached_property
    def guns(self) -> frozenset[str]:
        """All artillery."""
        return frozenset(id for id, template in self._templates.items() if template.is_gun)

    @cached_property
    def hqs(self) -> frozenset[str]:
        """All headquarters."""
        return frozenset(id for id, template in self._templates.items() if template.kind == "headquarters")

    def kind(self, unit: str) -> Kind:
        """The arm of a unit."""
        return self._templates[unit].kind

    def jungle(self, unit: str, inherited: bool = False) -> bool:
        """Whether it is jungle-capable; `inherited` is what the battalion of a company was."""
        if unit in self.units:
            return self.units[unit].jungle
        pool = self._pool(unit)
        return pool.jungle == "always" or (pool.jungle == "inherited" and inherited)

    def mover(self, unit: str, inherited: bool = False) -> Mover | None:
        """Its column of the chart; None for a steamer. `inherited`: see `jungle`."""
        return self._movers[unit, inherited]

    @cached_property
    def _movers(self) -> Mapping[tuple[str, bool], Mover | None]:
        def mover(key: tuple[str, bool]) -> Mover | None:
            transport = self.template(key[0]).transport
            if transport == "steamer":
                return None
            return "jungle" if self.jungle(*key) else transport  # [12.3.A]

        return Asked(mover)

    def levels(self, unit: str) -> tuple[Level, ...]:
        """All faces of a unit, the strongest first."""
        return self.template(unit).levels

    def level(self, unit: str, level: int, *, weak: bool = False) -> Level:
        """One face: 0 is full strength. `weak`: that of its replacement battalion."""  # [10.2.2.D]
        template = self._templates[unit]
        return (self.templates[template.weaker] if weak else template).levels[level]

    @cached_property
    def _walks(self) -> Mapping[str, bool]:
        return {
            id: self.mover(id) in ("foot", "jungle") and self.kind(id) != "coastal-artillery"  # [11.1.3]
            for id in self._every
        }

    def walks(self, unit: str) -> bool:
        """Whether it could cross a river on foot."""
        return self._walks[unit]

    def first(self, unit: str) -> int:
        """The level at which it begins."""  # [2.1:Steps/2]
        return int(unit in self.units and self.units[unit].reduced)

    def steps(self, unit: str, level: int) -> int:
        """How many steps it can lose at this level: one for each face that is left."""  # [R57]
        return len(self.template(unit).levels) - level

    def company_ids(self, pool: str) -> tuple[str, ...]:
        """The names of the companies of a pool."""
        return tuple(f"{pool}{n}" for n in range(1, self.pools[pool].count + 1))

    # --- the scenario ---

    def draft(self, turn: int) -> tuple[Draft, ...]:
        """The replacements given at the start of a turn."""
        return tuple(draft for draft in self.drafts if draft.turn == turn)

    @cached_property
    def start_control(self) -> frozenset[Hex]:
        """The land that Japan holds at the start: where its units stand and beside them, not where Allies stand."""
        stands: dict[Player, set[Hex]] = {"japan": set(), "allies": set()}
        for unit, hex in self.setup.items():
            stands[self.units[unit].side].add(hex)
        near = {there for hex in stands["japan"] for there in (hex, *self.grid.neighbours(hex))}
        return frozenset(hex for hex in near - stands["allies"] if self.is_land(hex))


# --- building it ---


def map_of(tables: Data) -> tuple[Grid, Mapping[Hex, str]]:
    """The grid and the letter of every hex."""
    row = tables.only(GRID)
    grid = row.grid()
    rows = {terrain.id: terrain.cells for terrain in tables[TERRAIN]}
    letters = {hex: rows[hex[2:]][int(hex[:2]) - row.first_column] for hex in grid.hexes}
    return grid, {**letters, **{changed.id: changed.letter for changed in tables[HEX]}}


def edges_of(tables: Data) -> Mapping[tuple[Hex, Hex], Edge]:
    """Every hexside that carries something, from both of its hexes. An ocean hides a river, a river a stream."""
    found: dict[Side, Edge] = {}
    rank = ("", "stream", "river", "ocean")
    for water in tables[WATER]:
        for name in water.sides:
            if rank.index(found.get(name, PLAIN).water) < rank.index(water.kind):
                found[name] = Edge(water.kind)
    for line in tables[LINE]:
        for a, b in pairwise(line.hexes):
            edge = found.get(side(a, b), PLAIN)
            road, rail = edge.road or line.way == "road", edge.rail or line.way == "rail"
            found[side(a, b)] = Edge(edge.water, road, rail)
    causeway = tables.only(GAME).causeway
    if causeway in found:
        found[causeway] = found[causeway]._replace(causeway=True)
    return dict(_both_ways(found))


def _both_ways(found: Mapping[Side, Edge]) -> Iterator[tuple[tuple[Hex, Hex], Edge]]:
    for name, edge in found.items():
        a, b = ends(name)
        yield (a, b), edge
        yield (b, a), edge


@lru_cache(maxsize=16)
def board(tables: Data, scenario: str) -> Board:
    """What a scenario is played with, the same object for the same tables.

    Raises `Trouble` where the data have none of that name.
    """
    row = next((row for row in tables[SCENARIO] if row.id == scenario), None)
    if row is None:
        raise Trouble(f"the data have no scenario {scenario}", "see [[scenario]] in data/setups.toml")
    grid, letters = map_of(tables)
    return Board(
        game=tables.only(GAME),
        scenario=row,
        grid=grid,
        letters=letters,
        names={name.id: name.name for name in tables[NAME]},
        ways={line.id: (line.way, line.hexes) for line in tables[LINE]},
        edges=edges_of(tables),
        regions={region.id: region.hexes for region in tables[REGION]},
        ground={ground.id: ground for ground in tables[GROUND]},
        rates={rate.id: rate for rate in tables[RATE]},
        crossings={crossing.id: crossing for crossing in tables[CROSSING]},
        odds_lines={line.id: tuple(map(read_odds, line.heads)) for line in tables[ODDS]},
        combat=Chart({line.id: line.results for line in tables[COMBAT]}),
        bombard_lines={line.id: line.heads for line in tables[BOMBARD_LINE]},
        bombard=Chart({line.id: line.losses for line in tables[BOMBARD]}),
        impulses={weather.id: weather.impulses for weather in tables[WEATHER]},
        chits={
            "japan": {chit.id: chit.japan for chit in tables[CHIT]},
            "allies": {chit.id: chit.allies for chit in tables[CHIT]},
        },
        aircraft={aircraft.id: aircraft for aircraft in tables[AIRCRAFT]},
        dates={turn.id: turn.dates for turn in tables[TURN]},
        templates={template.id: template for template in tables[TEMPLATE]},
        pools={pool.id: pool for pool in tables[POOL]},
        units={unit.id: unit for unit in tables[UNIT]},
        setup={setup.unit: setup.hex for setup in tables[SETUP] if setup.card == row.card},
        arrivals=tuple(arrival for arrival in tables[ARRIVAL] if row.id in arrival.scenarios),
        groups={group.id: group for group in tables[GROUP]} if row.group_die else {},
        drafts=tuple(draft for draft in tables[DRAFT] if row.id in draft.scenarios),
        eliminated={gone.unit: gone.turn for gone in tables[ELIMINATED] if row.id in gone.scenarios},
        destroyed=frozenset(gone.id for gone in tables[DESTROYED]),
    )
