"""The tables of data/ as models: what a hex, a chart, a unit or an arrival is made of.

Lists of hexes, hexsides, units and results are written as one text with blanks between the words.
Columns that no rule reads stand in `talk` and enter no digest.
"""

from __future__ import annotations

import re
from typing import Annotated, ClassVar, Literal, NamedTuple

from pydantic import BeforeValidator, Field

from rules.kit.data import Row, Sheet
from rules.kit.hexes import Grid
from rules.kit.hexmap import LineRow, Name, Numbers, Region, Way, Words, measured, split

Player = Literal["japan", "allies"]
Terrain = Literal["fertile", "town", "jungle-1", "jungle-2", "jungle-3", "jungle-4", "swamp"]
Mover = Literal["foot", "jungle", "motorized", "mechanized"]
"""The columns of the Terrain Effects Chart; `jungle` is the bracketed one."""
Transport = Literal["foot", "motorized", "mechanized", "steamer"]
WaterKind = Literal["stream", "river", "ocean"]
Crossed = Literal["stream", "bridge", "river", "causeway"]
"""What a step may cost on top; `river` is one without an intact bridge."""
ChitKind = Literal["full", "jungle", "choice", "move", "attack", "half"]
Nation = Literal["japanese", "australian", "british", "gurkha", "indian", "malayan", "princely", "straits"]
Kind = Literal[
    "infantry",
    "cavalry",
    "engineer",
    "headquarters",
    "machine-gun",
    "mortar",
    "mountain-artillery",
    "coastal-artillery",
    "heavy-boats",
    "light-boats",
    "anti-tank",
    "artillery",
    "recon",
    "truck",
    "tank",
    "steamer",
]
Victory = Literal["road", "towns", "surrender"]
Count = Annotated[int, Field(ge=0, le=99)]

GUNS: frozenset[Kind] = frozenset({"mortar", "mountain-artillery", "coastal-artillery", "artillery"})
"""The kinds with support values. [2.2.B/1]"""

LETTERS: dict[str, tuple[Terrain, ...]] = {
    ".": (),
    "f": ("fertile",),
    "t": ("town",),
    "c": ("fertile", "town"),
    "1": ("jungle-1",),
    "2": ("jungle-2",),
    "3": ("jungle-3",),
    "4": ("jungle-4",),
    "s": ("swamp",),
    "v": ("town", "jungle-1"),
    "w": ("fertile", "swamp"),
}
"""What the letters of a row of hexes stand for; sea is no ground at all. Our map has of the mixed ones only `c`."""
JUNGLE = frozenset(letter for letter, kinds in LETTERS.items() if any(kind.startswith("jungle") for kind in kinds))
SLOW = JUNGLE | {letter for letter, kinds in LETTERS.items() if "swamp" in kinds}


class Level(NamedTuple):
    """One face of a counter: attack, defence, movement allowance, stacking points."""

    attack: int
    defence: int
    allowance: int
    points: int

    def __str__(self) -> str:
        front = f"{self.attack}" if self.attack == self.defence else f"{self.attack}-{self.defence}"
        return f"{front}-{self.allowance}"


def _pairs(text: object) -> object:
    """Results such as `1/3` and `2/-`: losses of the attacker, result for the defender."""
    words = split(text)
    if not isinstance(words, tuple) or not all(isinstance(word, str) for word in words):
        return words
    found = []
    for word in words:
        match = re.fullmatch(r"(-|[0-9])/(-|[0-9])", word)
        if match is None:
            raise ValueError(f"{word} is no result such as 1/3 or 2/-")
        found.append(tuple(0 if loss == "-" else int(loss) for loss in match.groups()))
    return tuple(found)


def _levels(text: object) -> object:
    """Faces such as `8-7-9(3) 5-4-9(2)`: attack, defence, allowance, points in brackets; the strongest first."""
    if not isinstance(text, str):
        return text
    found = []
    for word in text.split():
        match = re.fullmatch(r"([0-9]+)-([0-9]+)-([0-9]+)\(([0-9]+)\)", word)
        if match is None:
            raise ValueError(f"{word} is no face such as 8-7-9(3)")
        found.append(Level(*map(int, match.groups())))
    return tuple(found)


Pairs = Annotated[tuple[tuple[int, int], ...], BeforeValidator(_pairs)]
Levels = Annotated[tuple[Level, ...], BeforeValidator(_levels)]


# --- the numbers of the rulebook ---


class Game(Row):
    """The numbers that the rules name, in the order of the rulebook; data/game.toml says where each comes from.

    `excerpt` marks a small set for cases: it is held to no printed fact.
    """

    key: ClassVar[tuple[str, ...]] = ()

    excerpt: bool = False
    causeway: str
    # chits
    least_chits: Count
    japanese_fewer: Count
    allied_fewer: Count
    permission: Count
    # rail, zones of control
    rail_points: Count
    zone_points: Count
    zone_in_light: Count
    zone_in: Count
    zone_out_jungle: Count
    zone_out: Count
    # supply
    unit_path: Count
    hq_path: Count
    unsupplied_defence: Count
    unsupplied_allowance: Count
    # combat
    attack_charge: Count
    attack_support: Count
    defence_support: Count
    tanks_defending: Count
    four_hexes: Count
    shift_four_hexes: Count
    loss_cap: Literal["none", "half_up"]
    slow_advance: Count
    # replacements
    draft_distance: Count
    draft_weaker: Count
    # air
    seized_turns: Count
    # steamers, trucks, boats
    steamer_points: Count
    steamer_cost: Count
    landing_distance: Count
    truck_bonus: Count
    truck_most: Count
    truck_points: Count
    boat_factor: Count
    # special rules
    evasion: Count
    evasion_hexes: Count
    fort_points: Count
    fort_factor: Count
    fort_engineers: Count
    forts: Count
    demolition_points: Count
    demolition: Count
    demolition_engineers: Count
    causeway_penalty: Count
    repair: Count
    oil: Count
    # optional rules
    row_of_impulses: Count
    straits_defence: Count
    ammunition: Count
    # surrender
    surrender_hex: str
    surrender_distance: Count
    surrender_from: Count
    surrender_less: Count


# --- the map ---


class MapGrid(Row):
    """The numbering of the hexes; `low` columns stand half a hex lower. [R100]"""

    key: ClassVar[tuple[str, ...]] = ()

    first_column: Count
    last_column: Count
    first_row: Count
    last_row: Count
    low: Literal["even", "odd"]

    def grid(self) -> Grid:
        """The hexes. ValueError where it ends before it begins."""
        return measured((self.first_column, self.last_column), (self.first_row, self.last_row), self.low)


class TerrainRow(Row):
    """One row of hexes, a letter of `LETTERS` each, from the first column on."""

    id: str = Field(pattern=r"^[0-9]{2}$")
    cells: str = Field(pattern=r"^[.ftc1234svw]+$")


class Changed(Row):
    """One hex that differs from its row: where an owner's copy lays right what we have wrong."""

    id: str
    letter: str = Field(pattern=r"^[.ftc1234svw]$")


class Water(Row):
    """A river, stream or strait along hexsides."""

    id: str
    kind: WaterKind
    sides: Words


# --- charts ---


class Costs(Row):
    """Movement points by column of the chart; `closed` are the columns for which it is forbidden."""

    foot: Count
    jungle: Count
    motorized: Count
    mechanized: Count
    closed: Words = ()

    def cost(self, mover: Mover) -> int | None:
        """What it costs; None where it is closed."""
        return None if mover in self.closed else int(getattr(self, mover))


class Ground(Costs):
    """A line of the Terrain Effects Chart.

    `limit` is in stacking points, `odds` one of the lines of odds, `recovery` is added to the die of artillery,
    `supply` is how many hexes it counts for Allied supply.
    """

    id: Terrain
    limit: Count
    odds: str
    halves_artillery: bool
    recovery: Count = 0
    supply: Count = 1


class Rate(Costs):
    """What a step along a road or railroad costs instead of the ground."""

    id: Way


class Crossing(Costs):
    """What a step over this hexside costs on top."""

    id: Crossed


class OddsLine(Row):
    """The odds at the head of each column, for the ground that names this line; lines come from open to close."""

    id: str
    heads: Words


class Combat(Row):
    """A line of the Combat Results Table, by die."""

    id: int = Field(ge=1, le=6)
    results: Pairs


class BombardLine(Row):
    """Least strengths at the head of each column, for targets of at least `id` stacking points."""

    id: int = Field(ge=1, le=99)
    heads: Numbers


class Bombard(Row):
    """A line of the Bombardment Table, by the sum of two dice: steps lost."""

    id: int = Field(ge=2, le=12)
    losses: Numbers


class Weather(Row):
    """How many impulses a turn has, by die."""

    id: int = Field(ge=1, le=6)
    impulses: int = Field(ge=4, le=7)


class Chit(Row):
    """How many chits of a kind each side has."""

    id: ChitKind
    japan: Count
    allies: Count


class Aircraft(Row):
    """A Japanese aircraft: odds it adds, hexes it reaches, strength with which it bombards."""

    talk: ClassVar[frozenset[str]] = frozenset({"name"})

    id: str
    modifier: int = Field(ge=1, le=2)
    range: Count
    strength: Count
    name: str = ""


class Turn(Row):
    """A box of the turn track."""

    talk: ClassVar[frozenset[str]] = frozenset({"dates"})

    id: int = Field(ge=1, le=99)
    dates: str = Field(min_length=1)


# --- units ---


class Template(Row):
    """A line of the Strength Reductions Chart, with what else is printed on such counters.

    `tank` is the circled number, `offence`, `defence`, `range` and `recovery` belong to artillery.
    `pool` and `companies`: what a full battalion breaks down into. `weaker`: what bad drafts make of it.
    """

    id: str
    kind: Kind
    transport: Transport
    levels: Levels = Field(min_length=1, max_length=3)
    tank: Count = 0
    offence: Count = 0
    defence: Count = 0
    range: Count = 0
    recovery: Count = 0
    pool: str = ""
    companies: Count = 0
    weaker: str = ""

    @property
    def is_gun(self) -> bool:
        """Whether it supports instead of attacking."""
        return self.kind in GUNS


class Pool(Row):
    """Companies for breakdown: so many counters of a template. `jungle` says whether they are jungle-capable."""

    id: str = Field(pattern=r"^[a-z]+$")
    side: Player
    nation: Nation
    template: str
    count: Count
    jungle: Literal["always", "never", "inherited"]


class Unit(Row):
    """A unit. `reduced` ones begin at their second level, `jungle` ones are jungle-capable.

    `roams`: it need not stay in supply. [4.4.A]
    """

    talk: ClassVar[frozenset[str]] = frozenset({"formation"})

    id: str = Field(pattern=r"^[A-Za-z0-9/-]+$")
    side: Player
    nation: Nation
    template: str
    jungle: bool = False
    reduced: bool = False
    roams: bool = False
    formation: str = ""


# --- scenarios ---


class Setup(Row):
    """Where a unit begins, by set-up card."""

    key: ClassVar[tuple[str, ...]] = ("card", "unit")

    card: str
    unit: str
    hex: str


class Arrival(Row):
    """Reinforcements. `group` names what may be diverted, `needs` the group that must be on the map before."""

    id: str
    scenarios: Words
    turn: int = Field(ge=1, le=99)
    side: Player
    hex: str
    units: Words
    group: str = ""
    needs: str = ""


class Group(Row):
    """Reinforcements that a secret die decides on: when, who must hold what, which group must have been granted."""

    id: str
    turn: int = Field(ge=1, le=99)
    hexes: Words = ()
    region: str = ""
    after: str = ""


class Draft(Row):
    """Replacements that a side is given at the start of a turn."""

    id: str
    scenarios: Words
    turn: int = Field(ge=1, le=99)
    nation: Nation
    count: Count


class Eliminated(Row):
    """A unit that begins eliminated and may be rebuilt from a turn on."""

    key: ClassVar[tuple[str, ...]] = ("unit",)

    unit: str
    scenarios: Words
    turn: int = Field(ge=1, le=99)


class Destroyed(Row):
    """A bridge that is down when the game begins."""

    id: str


class Scenario(Row):
    """A scenario: its length, how its first turn stands, how it is won.

    `played` are the chits of the first turn that are out, the last of them now; `japan` and `allies` the chits left in
    the container. `garrison` points must stay on the island; `group_die` or more diverts a group of `Group`.
    `closed_column` is barred to Japan, and to the Allies north of `open_row`. Victory "road": one of `objectives` and a
    hex of `road`; "towns": `towns` of `objectives`, with `even` a draw; "surrender": before the turn `deadline`.
    """

    talk: ClassVar[frozenset[str]] = frozenset({"title"})

    id: str
    number: int = Field(ge=1, le=9)
    card: str
    last_turn: int = Field(ge=1, le=99)
    weather: int = Field(ge=4, le=7)
    played: Words
    japan: Words
    allies: Words
    opening_aircraft: Count
    aircraft_less: Count
    supplied_turns: Count
    victory: Victory
    closed_column: Count = 0
    open_row: Count = 0
    objectives: Words = ()
    road: Words = ()
    towns: Count = 0
    even: Count = 0
    deadline: Count = 0
    garrison: Count = 0
    group_die: Count = 0
    title: str = ""


GAME = Sheet("game", Game)
GRID = Sheet("grid", MapGrid)
TERRAIN = Sheet("terrain", TerrainRow)
HEX = Sheet("hex", Changed)
NAME = Sheet("name", Name)
LINE = Sheet("line", LineRow)
WATER = Sheet("water", Water)
REGION = Sheet("region", Region)
GROUND = Sheet("ground", Ground)
RATE = Sheet("rate", Rate)
CROSSING = Sheet("crossing", Crossing)
ODDS = Sheet("odds", OddsLine)
COMBAT = Sheet("combat", Combat)
BOMBARD_LINE = Sheet("bombard_line", BombardLine)
BOMBARD = Sheet("bombard", Bombard)
WEATHER = Sheet("weather", Weather)
CHIT = Sheet("chit", Chit)
AIRCRAFT = Sheet("aircraft", Aircraft)
TURN = Sheet("turn", Turn)
TEMPLATE = Sheet("template", Template)
POOL = Sheet("pool", Pool)
UNIT = Sheet("unit", Unit)
SETUP = Sheet("setup", Setup)
ARRIVAL = Sheet("arrival", Arrival)
GROUP = Sheet("group", Group)
DRAFT = Sheet("draft", Draft)
ELIMINATED = Sheet("eliminated", Eliminated)
DESTROYED = Sheet("destroyed", Destroyed)
SCENARIO = Sheet("scenario", Scenario)

SHEETS = (
    *(GAME, GRID, TERRAIN, HEX, NAME, LINE, WATER, REGION),
    *(GROUND, RATE, CROSSING, ODDS, COMBAT, BOMBARD_LINE, BOMBARD, WEATHER, CHIT, AIRCRAFT, TURN),
    *(TEMPLATE, POOL, UNIT),
    *(SETUP, ARRIVAL, GROUP, DRAFT, ELIMINATED, DESTROYED, SCENARIO),
)
