"""The card as data: spaces and roads, start strengths, reinforcements, result tables, and a careful owner's checks.

`load` reads the tables (an owner's corrected copy over ours), `checks` lists what cannot be right in them,
`card` is the one printing that a scenario plays on, in the form in which the rules ask it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, get_args

from pydantic import Field

from pbem.api import Many
from pbem.errors import Trouble
from rules.kit import data
from rules.kit.data import Data, Row, Sheet

if TYPE_CHECKING:
    from pathlib import Path

Road = Literal["trunk", "eastern"]
Choice = Literal["counterattack", "defend"]
Advantage = Literal["decisive", "japanese", "even", "allied"]
CHOICES: tuple[Choice, ...] = ("counterattack", "defend")
Strength = Annotated[int, Field(ge=1, le=6)]
Count = Annotated[int, Field(ge=0, le=11)]
Loss = Annotated[int, Field(ge=0, le=6)]
Losses = Annotated[tuple[Loss, Loss], Field(strict=False)]

ROADS: dict[Road, str] = {"trunk": "Trunk", "eastern": "Eastern"}
STARTS: Mapping[Road, str] = {"trunk": "jitra", "eastern": "kota_bharu"}  # [BC-3.2.3, BC-3.2.2]
NAMES: Mapping[str, str] = {  # [BC-2.1]
    "jitra": "Jitra",
    "kota_bharu": "Kota Bharu",
    "kampar": "Kampar",
    "kuantan": "Kuantan",
    "endau": "Endau",
    "kuala_lumpur": "Kuala Lumpur",
    "kluang": "Kluang",
    "singapore": "Singapore",  # [BC-2.3]
}


# --- rows ---


class Space(Row):
    """A Location, or Singapore: the neighbour towards Singapore, and other Allied ways where the map forks (R6)."""

    talk: ClassVar[frozenset[str]] = frozenset({"name", "road", "xy"})

    id: str
    name: str
    next: str = ""
    also: Many[str] = ()
    road: Literal["trunk", "eastern", "both", ""] = ""
    xy: Annotated[tuple[int, int], Field(strict=False)]


class Setup(Row):
    """What a Location shows: Allied start strength (0: no unit) and reinforcement number (0: no symbol)."""

    key: ClassVar[tuple[str, ...]] = ("scenario", "space")

    scenario: str
    space: str
    allied: Annotated[int, Field(ge=0, le=6)]
    reinforce: Annotated[int, Field(ge=0, le=6)]


class Japanese(Row):
    """A Japanese unit: its road, where it starts and how strong."""

    key: ClassVar[tuple[str, ...]] = ("scenario", "road")

    scenario: str
    road: Road
    space: str
    strength: Strength


class ResultRow(Row):
    """A row of a Combat Results Table: Allied loss and Japanese loss for die 1 to 6."""

    key: ClassVar[tuple[str, ...]] = ("choice", "advantage")

    choice: Choice
    advantage: Advantage
    losses: Annotated[tuple[Losses, Losses, Losses, Losses, Losses, Losses], Field(strict=False)]


class Game(Row):
    """The numbers and marked places of the rulebook."""

    key: ClassVar[tuple[str, ...]] = ()

    allied_dice: Count
    japanese_dice: Count
    turn_dice: Count
    rolled_dice: Count
    strength_cap: Strength
    turns: Strength
    decisive_ratio: Annotated[int, Field(ge=2, le=6)]
    win_strength: Strength
    goal: str
    must_hold: str
    air_base: str


GAME = Sheet("game", Game)
SPACE = Sheet("space", Space)
SETUP = Sheet("setup", Setup)
JAPANESE = Sheet("japanese", Japanese)
RESULT = Sheet("result", ResultRow)
SHEETS = (GAME, SPACE, SETUP, JAPANESE, RESULT)


def load(edition: int = 1, folder: Path | None = None) -> Data:
    """The tables of an edition. Raises `Trouble` naming file and row, or the first check that fails."""
    tables = data.load(__file__, SHEETS, edition, folder)
    for fault in checks(tables):
        raise Trouble(f"the card cannot be played: {fault}", "compare the tables with your copy")
    return tables


# --- what a careful owner would check ---


def checks(tables: Data) -> Iterator[str]:
    """What cannot be right, whatever card was typed in."""
    yield from _check_roads(tables)
    yield from _check_setups(tables)
    yield from _check_results(tables)


def _check_roads(tables: Data) -> Iterator[str]:
    """Every way leads to Singapore, and none in a circle."""
    game = tables.only(GAME)
    spaces = {space.id: space for space in tables[SPACE]}
    for id in sorted({game.goal, game.must_hold, game.air_base} - set(spaces)):
        yield f"there is no space {id}"
    for space in spaces.values():
        if space.id not in NAMES:
            yield f"the rulebook knows no {space.id}"
        if (space.id == game.goal) != (not space.next):
            yield f"{space.id}: every Location has a next space, and only {game.goal} has none"
        for to in (*space.also, *([space.next] if space.next else [])):
            if to not in spaces:
                yield f"{space.id}: there is no space {to} to go to"
        if _in_circles(spaces, space.id):
            yield f"{space.id}: its roads run in a circle"


def _in_circles(spaces: Mapping[str, Space], start: str) -> bool:
    """Whether some way from here comes back."""
    seen: set[str] = set()
    todo = [start]
    while todo:
        space = spaces.get(todo.pop())
        for to in (space.next, *space.also) if space else ():
            if to == start:
                return True
            if to not in seen:
                seen.add(to)
                todo.append(to)
    return False


def _check_setups(tables: Data) -> Iterator[str]:
    """Every scenario sets up both Japanese units and no more Allied ones than there are dice. [BC-1.1, BC-1.2, R2]"""
    game = tables.only(GAME)
    locations = {space.id for space in tables[SPACE] if space.id != game.goal}
    for scenario in sorted({row.scenario for row in tables[SETUP]} | {row.scenario for row in tables[JAPANESE]}):
        rows = [row for row in tables[SETUP] if row.scenario == scenario]
        units = [row for row in tables[JAPANESE] if row.scenario == scenario]
        for id in sorted({row.space for row in rows} ^ locations):
            yield f"{scenario}: {id} needs one row of set-up, and a Location to go with it"
        if sum(row.allied > 0 for row in rows) > game.allied_dice:
            yield f"{scenario}: more Allied units than {game.allied_dice} dice"
        if len(units) != game.japanese_dice:
            yield f"{scenario}: {len(units)} Japanese units, {game.japanese_dice} dice"
        if len({unit.space for unit in units} & locations) != len(units):
            yield f"{scenario}: the Japanese start in Locations of their own"
        for strength in (*(row.allied for row in rows), *(unit.strength for unit in units)):
            if strength > game.strength_cap:
                yield f"{scenario}: a strength of {strength} is more than {game.strength_cap}"


def _check_results(tables: Data) -> Iterator[str]:
    """Both tables have a row for every advantage, level strength included. [BC-3.3.5, R11]"""
    found = {(row.choice, row.advantage) for row in tables[RESULT]}
    for choice in CHOICES:
        for advantage in get_args(Advantage):
            if (choice, advantage) not in found:
                yield f"the {choice} table has no row for {advantage}"


def check_printed(tables: Data) -> Iterator[str]:
    """Where our own data differ from what the rulebook prints; small sets for cases need not pass this."""
    game = tables.only(GAME)
    if game.allied_dice + game.japanese_dice + game.turn_dice + game.rolled_dice != 11:  # [BC-1.0, BC-1.3, BC-1.4]
        yield "the game has eleven dice"
    if {space.id: space.name for space in tables[SPACE]} != NAMES:
        yield "the spaces are the seven Locations and Singapore"
    for unit in tables[JAPANESE]:
        if unit.space != STARTS[unit.road]:
            yield f"{unit.scenario}: the unit of the {ROADS[unit.road]} road starts in {NAMES[STARTS[unit.road]]}"
    for road in STARTS:
        way = _road(tables, STARTS[road])
        if way[-1] != game.goal:
            yield f"the {ROADS[road]} road does not reach {game.goal}"
    if game.must_hold not in _road(tables, STARTS["eastern"]) + _road(tables, STARTS["trunk"]):
        yield f"no Japanese unit can reach {game.must_hold}"  # [BC-4.3]


def _road(tables: Data, start: str) -> tuple[str, ...]:
    """The spaces of a road, from a start."""
    following = {space.id: space.next for space in tables[SPACE]}
    way = [start]
    while following[way[-1]]:
        way.append(following[way[-1]])
    return tuple(way)


# --- one printing, as the rules ask it ---


@dataclass(frozen=True, slots=True)
class Card:
    """The card of one scenario."""

    spaces: Mapping[str, Space]
    allied: Mapping[str, int]
    japanese: Mapping[Road, tuple[str, int]]
    reinforcements: Mapping[str, int]
    results: Mapping[tuple[str, str], tuple[tuple[int, int], ...]]
    cap: int
    turns: int
    decisive_ratio: int
    win_strength: int
    goal: str
    must_hold: str
    air_base: str

    def name(self, space: str) -> str:
        """The printed name; the id of a space that this card does not have."""
        return self.spaces[space].name if space in self.spaces else space

    def next(self, space: str) -> str:
        """The neighbour towards Singapore."""
        return self.spaces[space].next

    def ways(self, space: str) -> tuple[str, ...]:
        """All Allied neighbours towards Singapore, the road's first."""
        return (self.spaces[space].next, *self.spaces[space].also)


def card(tables: Data, scenario: str) -> Card:
    """The card that the scenario plays on. Raises `Trouble` where the data have no such set-up."""
    game = tables.only(GAME)
    setup = [row for row in tables[SETUP] if row.scenario == scenario]
    if not setup:
        raise Trouble(f"the data have no set-up for {scenario}", "see [[setup]] in data/")
    units = {row.road: (row.space, row.strength) for row in tables[JAPANESE] if row.scenario == scenario}
    return Card(
        spaces={space.id: space for space in tables[SPACE]},
        allied={row.space: row.allied for row in setup if row.allied},
        japanese={road: units[road] for road in ROADS if road in units},
        reinforcements={row.space: row.reinforce for row in setup},
        results={(row.choice, row.advantage): row.losses for row in tables[RESULT]},
        cap=game.strength_cap,
        turns=game.turns,
        decisive_ratio=game.decisive_ratio,
        win_strength=game.win_strength,
        goal=game.goal,
        must_hold=game.must_hold,
        air_base=game.air_base,
    )
