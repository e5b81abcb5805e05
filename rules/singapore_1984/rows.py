"""The tables of data/ as models: what a hex, a place, a chart or a unit is made of.

Lists of hexes, hexsides and results are written as one text with blanks between the words.
Columns that no rule reads stand in `talk` and enter no digest.
"""

from __future__ import annotations

import re
from typing import Annotated, ClassVar, Literal, NamedTuple

from pydantic import BeforeValidator, Field

from rules.kit.data import Row, Sheet
from rules.kit.hexes import Grid
from rules.kit.hexmap import LineRow, Name, Numbers, Region, Way, Words, measured, split

Player = Literal["jp", "cw"]
Ground = Literal["mixed", "plantation", "jungle", "mountain", "swamp", "town", "city", "island", "strait", "causeway"]
Barrier = Literal["river", "closed"]
Works = Literal["prepared", "fortified"]
Coast = Literal["e", "w", ""]
Arm = Literal["infantry", "security", "armor"]
Size = Literal["II", "III", "X"]
Mode = Literal["maneuver", "assault"]
Result = Literal["AE", "A3", "A2", "A1", "AX", "BR", "EX", "D1", "D2", "D3", "DE"]
Effect = Literal["eliminated", "step-returns", "step-lands", "returns", "none"]
Count = Annotated[int, Field(ge=0, le=999)]
Whole = Annotated[int, Field(ge=-999, le=999)]

LETTERS: dict[str, Ground | Literal[""]] = {
    ".": "",
    "x": "mixed",
    "p": "plantation",
    "j": "jungle",
    "M": "mountain",
    "S": "swamp",
    "T": "town",
    "C": "city",
    "I": "island",
    "w": "strait",
    "c": "causeway",
    "-": "",
}
"""What the letters of a row of hexes stand for: `.` is sea, `-` closed to everything (Pulau Ubin)."""

RESULTS: tuple[Result, ...] = ("AE", "A3", "A2", "A1", "AX", "BR", "EX", "D1", "D2", "D3", "DE")


class Face(NamedTuple):
    """One face of a counter: attack strength, defense strength, movement allowance. [2.3b]"""

    attack: int
    defense: int
    allowance: int

    def __str__(self) -> str:
        return f"{self.attack}-{self.defense}-{self.allowance}"


class Span(NamedTuple):
    """The differentials of a column, both ends among them."""

    low: int
    high: int


def _spans(text: object) -> object:
    """Columns such as `-6..-5 -4 6..8`; a column that a line does not have is left out at the end."""
    words = split(text)
    if not isinstance(words, tuple) or not all(isinstance(word, str) for word in words):
        return words
    found = []
    for word in words:
        match = re.fullmatch(r"(-?[0-9]{1,2})(?:\.\.(-?[0-9]{1,2}))?", word)
        if match is None:
            raise ValueError(f"{word} is no column such as -4 or 6..8")
        low = int(match[1])
        found.append(Span(low, int(match[2]) if match[2] else low))
    return tuple(found)


def _faces(text: object) -> object:
    """Faces such as `8-6-6 3-4-6`, the full one first."""
    if not isinstance(text, str):
        return text
    found = []
    for word in text.split():
        match = re.fullmatch(r"([0-9]{1,2})-([0-9]{1,2})-([0-9]{1,2})", word)
        if match is None:
            raise ValueError(f"{word} is no face such as 8-6-6")
        found.append(Face(*map(int, match.groups())))
    return tuple(found)


Results = Annotated[tuple[Result, ...], BeforeValidator(split)]
Spans = Annotated[tuple[Span, ...], BeforeValidator(_spans)]
Faces = Annotated[tuple[Face, ...], BeforeValidator(_faces)]


# --- the numbers of the rulebook ---


class Game(Row):
    """The numbers that the rules name, in the order of the rulebook; data/game.toml says where each comes from.

    `excerpt` marks a small set for cases: it is held to no printed fact.
    """

    key: ClassVar[tuple[str, ...]] = ()

    excerpt: bool = False
    last_turn: Count
    pulses: Count
    # sea movement
    east_infantry: Count
    east_armor: Count
    west_units: Count
    west_delay: Count
    withdrawals: Count
    # interception; dice of at least so much
    forcez_lost: Count
    forcez_lost_failed: Count
    forcez_air: Count
    shipping_lost: Count
    shipping_lost_fought: Count
    # stacking
    stacking: Count
    strait_stacking: Count
    island_factor: Count
    # combat
    top_differential: Whole
    armor: Whole
    surrounded: Whole
    unsupplied: Whole
    amphibious: Whole
    amphibious_trained: Whole
    fortified: Whole
    strait: Whole
    amphibious_factor: Count
    # air
    air_at_base: Count
    air_range: Count
    air_north: Count
    # supply
    attrition: Count
    attrition_jungle: Count
    attrition_mountain: Count
    island_pulses: Count
    capitulation: Count
    # sea hexes of the inset
    island_east: Count
    island_west: Count
    # options
    dalforce: Count
    river_engineers: Count
    air_added_jp: Count
    air_added_jp_from: Count
    air_added_cw: Count
    base_allowance: Count


# --- the maps ---


class MapGrid(Row):
    """The numbering of one map; `low` columns stand half a hex lower, `prefix` stands before the numbers. [R1]"""

    id: Literal["large", "inset"]
    prefix: Literal["", "i"]
    first_column: Count
    last_column: Count
    first_row: Count
    last_row: Count
    low: Literal["even", "odd"]

    def grid(self) -> Grid:
        """The hexes. ValueError where it ends before it begins."""
        columns, rows = (self.first_column, self.last_column), (self.first_row, self.last_row)
        return measured(columns, rows, self.low, self.prefix)


class TerrainRow(Row):
    """One row of hexes, a letter of `LETTERS` each, from the first column on; rows of the inset begin with `i`."""

    id: str = Field(pattern=r"^i?[0-9]{2}$")
    cells: str = Field(pattern=r"^[.xpjMSTCIwc-]+$")


class Changed(Row):
    """One hex that differs from its row: where an owner's copy lays right what we have wrong."""

    id: str
    letter: str = Field(pattern=r"^[.xpjMSTCIwc-]$")


class Place(Row):
    """A hex with a port, an airfield or both; on the large map it has a control marker. [3.0f, 5.7]"""

    talk: ClassVar[frozenset[str]] = frozenset({"name"})

    id: str
    name: str = Field(min_length=1)
    port: bool
    airfield: bool
    coast: Coast


class Water(Row):
    """A river along hexsides, or hexsides that are all sea and closed. [5.25, 5.28]"""

    id: str
    kind: Barrier
    sides: Words


class WorksRow(Row):
    """A prepared or fortified line along hexsides. [9.22, 9.35]"""

    id: str
    kind: Works
    sides: Words


# --- charts ---


class GroundRow(Row):
    """A line of the Terrain Effects Chart. [5.6]

    Movement points by side, 0 where the side never enters by this cost; the row of the combat table; whether the
    zone of infantry of each side enters.
    """

    id: Ground
    cw: Count
    jp: Count
    row: Count
    cw_zone: bool
    jp_zone: bool


class Rate(Row):
    """What a step along a road or railroad costs instead of the ground. [5.22a]"""

    id: Way
    cost: Count


class Differentials(Row):
    """The differentials of the columns for the grounds of one row, from column `first` on. [9.4a]"""

    id: Count
    spans: Spans


class Outcomes(Row):
    """Results of one mode for one modified die, column 1 first. [9.4a]"""

    key: ClassVar[tuple[str, ...]] = ("mode", "die")

    mode: Mode
    die: Count
    results: Results


class Interception(Row):
    """The dice that intercept a landing at, or a departure from, a port. [6.5, 13.6a]"""

    id: str
    dice: Numbers


class Strike(Row):
    """What an interception does to the unit, by die: `forcez`, or `transport` (submarines too). [6.6, 11.3]"""

    key: ClassVar[tuple[str, ...]] = ("chart", "die")

    chart: Literal["forcez", "transport"]
    die: Count
    effect: Effect


class Turn(Row):
    """A box of the Turn Record Track. [9.83, 12.0PRb]"""

    talk: ClassVar[frozenset[str]] = frozenset({"begins"})

    id: Count
    begins: str
    base: Count
    air: Count


# --- units ---


class Unit(Row):
    """A counter: faces, arm, size, stacking points, where it starts or when it may enter, boxed or not. [2.3b]"""

    talk: ClassVar[frozenset[str]] = frozenset({"name"})

    id: str = Field(pattern=r"^[0-9A-Z]+(/[0-9]+)?$")
    name: str = ""
    side: Player
    arm: Arm
    size: Size
    faces: Faces = Field(min_length=2, max_length=2)
    points: Count
    guard: bool = False
    start: str = ""
    turn: Count = 0
    boxed: bool = False


class Marker(Row):
    """How many markers of a kind there are."""

    id: str
    count: Count


# --- victory ---


class Award(Row):
    """Victory points for an event or a listed option. [12.4]"""

    id: str
    points: Whole


class Level(Row):
    """A level of victory: the least total, whether Singapore must have fallen. [12.11]"""

    id: str
    winner: Player
    least: Whole
    captured: bool


GAME = Sheet("game", Game)
GRID = Sheet("grid", MapGrid)
TERRAIN = Sheet("terrain", TerrainRow)
HEX = Sheet("hex", Changed)
NAME = Sheet("name", Name)
PLACE = Sheet("place", Place)
LINE = Sheet("line", LineRow)
WATER = Sheet("water", Water)
WORKS = Sheet("works", WorksRow)
REGION = Sheet("region", Region)
GROUND = Sheet("ground", GroundRow)
RATE = Sheet("rate", Rate)
DIFFERENTIALS = Sheet("differentials", Differentials)
OUTCOMES = Sheet("outcomes", Outcomes)
INTERCEPTION = Sheet("interception", Interception)
STRIKE = Sheet("strike", Strike)
TURN = Sheet("turn", Turn)
UNIT = Sheet("unit", Unit)
MARKER = Sheet("marker", Marker)
AWARD = Sheet("award", Award)
LEVEL = Sheet("level", Level)

SHEETS = (
    *(GAME, GRID, TERRAIN, HEX, NAME, PLACE, LINE, WATER, WORKS, REGION),
    *(GROUND, RATE, DIFFERENTIALS, OUTCOMES, INTERCEPTION, STRIKE, TURN, UNIT, MARKER, AWARD, LEVEL),
)
