"""The tables of data/ as models: what a sector, a unit, a chart, a card or a scenario is made of.

Columns that no rule reads stand in `talk` and enter no digest. Bonuses are halves: 1 is +½, 2 is +1.
Armies are "J", "A" and "B"; dice are lists of sides, the largest first.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from pbem.api import Many
from rules.kit.data import Row, Sheet

Army = Literal["J", "A", "B"]
Side = Literal["J", "CW"]
Role = Literal["attack", "defence"]
Mode = Literal["off-road", "on-road"]
Way = Literal["road", "open", "water", "bridge"]
Kind = Literal[
    "elite",
    "infantry",
    "volunteer",
    "tank",
    "armoured_car",
    "carrier",
    "field",
    "fixed_6",
    "fixed_9",
    "fixed_15",
    "fighter",
    "bomber",
]
Family = Literal["infantry", "vehicle", "artillery", "aircraft"]
Level = Literal["victory", "decisive", "total"]
CardType = Literal["event", "deployment", "combat", "supply", "negation"]
Target = Literal["self", "opponent", "all", "battle", "combat unit", "strike unit", "sector", "border", "card"]
Need = Literal[
    "attacking",
    "defending",
    "attacked from an axis",
    "night",
    "took a sector this turn",
    "room in an own sector",
]
Lasts = Literal["", "this turn", "full turn", "next turn"]
Do = Literal[
    "battle_bonus",
    "infantry_bonus",
    "axis_fire",
    "cut_road",
    "longer_drive",
    "place_volunteer",
    "gain_supply",
    "ignore_suppression",
    "second_strike",
    "no_flights",
    "cancel",
    "third_attack",
    "drop_die",
    "pass_enemy",
    "repeat_strike",
    "close_sector",
    "all_or_nothing",
    "bridge",
    "hold_boats",
    "lose_supply",
]
Sides = Literal[4, 6, 8, 10, 12]
Face = Annotated[int, Field(ge=1, le=13)]
Halves = Annotated[int, Field(ge=0, le=6)]
Count = Annotated[int, Field(ge=0, le=60)]
Point = Annotated[tuple[int, int], Field(strict=False)]


# --- the Mapboard ---


class Sector(Row):
    """A named space of the map. `loss`: the dice of its supply point, none without one; `gun`: its emplacement."""

    talk: ClassVar[frozenset[str]] = frozenset({"name", "code", "at"})

    id: str
    name: str
    code: str = ""
    owner: Army
    road: bool
    objective: bool = False
    airfield: bool = False
    gun: Kind | Literal[""] = ""
    loss: Many[Sides] = ()
    at: Point = (0, 0)


class Outline(Row):
    """The outline of a sector on the drawing; neighbours share a stretch of it."""

    talk: ClassVar[frozenset[str]] = frozenset({"shape"})

    id: str
    shape: Many[Point]


class Border(Row):
    """Two neighbouring sectors and what lies between them. `bonus` is for the defender on either side."""

    key: ClassVar[tuple[str, ...]] = ("a", "b")

    a: str
    b: str
    way: Way
    bonus: Halves = 0


class FortifiedLine(Row):
    """A fortified line: a bonus for `into` against attacks out of `out` in these modes, none the other way. [6.7.2]"""

    key: ClassVar[tuple[str, ...]] = ("out", "into")
    talk: ClassVar[frozenset[str]] = frozenset({"name"})

    out: str
    into: str
    bonus: Halves
    modes: Many[Mode]
    name: str


class Axis(Row):
    """An axis of attack off the map. Which are activated follows from the set-up. [6.4.3]"""

    talk: ClassVar[frozenset[str]] = frozenset({"name", "at"})

    id: str
    name: str
    group: Literal["land", "sea"]
    at: Point = (0, 0)


class Landing(Row):
    """A sector that an Axis borders, over water, crossed only outward."""

    key: ClassVar[tuple[str, ...]] = ("axis", "sector")

    axis: str
    sector: str
    bonus: Halves


# --- units and charts ---


class KindRow(Row):
    """A type of unit: the basic type it belongs to, what it is called; `short` stands on counters."""

    talk: ClassVar[frozenset[str]] = frozenset({"short", "name", "plural"})

    id: Kind
    sign: str
    short: str = ""
    family: Family
    name: str
    plural: str


class Strength(Row):
    """Unit Strength Chart: the dice of an army's type in each role, and in the air. None: no such role. [3.1.2]"""

    key: ClassVar[tuple[str, ...]] = ("army", "kind")

    army: Army
    kind: Kind
    attack: Many[Sides] = ()
    defence: Many[Sides] = ()
    air: Many[Sides] = ()


class Strike(Row):
    """Direct Strike Chart of a role: the lowest faces of the d12 that suppress and that eliminate. [5.2.1]"""

    key: ClassVar[tuple[str, ...]] = ("role", "army", "kind")

    role: Role
    army: Army
    kind: Kind
    suppress: Face
    eliminate: Face


class Reach(Row):
    """Movement and Firing Range Charts: sectors by mode, whether it crosses water off-road, range. [9.1.3, 11.1.1]"""

    key: ClassVar[tuple[str, ...]] = ("army", "kind")

    army: Army
    kind: Kind
    off_road: Count
    on_road: Count
    water: bool
    range: Count


# --- scenarios ---


class Campaign(Row):
    """A campaign: armies in turn order, how many periods, and when the first one is."""

    talk: ClassVar[frozenset[str]] = frozenset({"title"})

    id: str
    title: str
    order: Many[Army]
    periods: Count
    first_day: Count
    first_night: bool


class Stock(Row):
    """What an army starts with and gets: supplies by period from 1 on, cards, and its hand limit."""

    key: ClassVar[tuple[str, ...]] = ("campaign", "army")

    campaign: str
    army: Army
    supplies: Count
    collect: Many[Count]
    hand: Count


class Deal(Row):
    """Cards dealt from a deck: at the start, then each time; `at_end_of` is the army whose turn ends with it."""

    key: ClassVar[tuple[str, ...]] = ("campaign", "deck")

    campaign: str
    deck: Side
    start: Count
    draw: Count
    at_end_of: Army


class Place(Row):
    """A unit of a campaign: where it starts, or comes to in the period `due`. `where`: sector, Axis, `off_map`."""

    key: ClassVar[tuple[str, ...]] = ("campaign", "unit")

    campaign: str
    unit: str
    army: Army
    kind: Kind
    where: str
    due: Count = 0


class Goal(Row):
    """A level of victory: objectives and supply points of the own side, units of the own army; `by` a period."""

    key: ClassVar[tuple[str, ...]] = ("campaign", "army", "level")

    campaign: str
    army: Army
    level: Level
    objectives: Count = 0
    supply_points: Count = 0
    units: Count = 0
    by: Count
    at_end: bool


class BoardRow(Row):
    """A Combat Board scenario: who attacks and defends, kinds on the line and beside it, a bonus if there is one."""

    talk: ClassVar[frozenset[str]] = frozenset({"title"})

    id: str
    title: str
    attacker: Army
    defender: Army
    attack_line: Many[Kind]
    defence_line: Many[Kind]
    attack_strikes: Many[Kind] = ()
    defence_strikes: Many[Kind] = ()
    bonus: Halves = 0


# --- cards ---


class Card(Row):
    """A Situation Card: who may play it, on what, what it needs, how long it lasts, and what it does.

    `army`: the only army that may play it; empty, any that holds it. `amount` is what `do` adds, takes or allows
    (halves where it is a bonus); `count` how many units, guns or cards; `dice` are rolled, `success` the least face.
    `cancels`: the types of card that a Negation is for; `named`: one that it cancels without a die.
    `sector`: where it counts.
    """

    talk: ClassVar[frozenset[str]] = frozenset({"name", "text"})

    id: str
    deck: Side
    name: str
    type: CardType
    copies: Annotated[int, Field(ge=1, le=20)]
    target: Target
    do: Do
    army: Army | Literal[""] = ""
    requires: Many[Need] = ()
    lasts: Lasts = ""
    cost: Count = 0
    mission: bool = False
    amount: Count = 0
    count: Count = 0
    dice: Many[Sides] = ()
    success: Count = 0
    cancels: Many[CardType] = ()
    named: str = ""
    sector: str = ""
    text: str


# --- numbers of the rulebook ---


class Game(Row):
    """The numbers of the rulebook."""

    key: ClassVar[tuple[str, ...]] = ()

    attacks: Count
    eliminate_margin: Count
    flanked_single: Count
    strike_die: Sides
    stacking: Count
    deck: Count
    entry_cost: Count
    strike_cost: Count


GAME = Sheet("game", Game)
SECTOR = Sheet("sector", Sector)
OUTLINE = Sheet("outline", Outline)
BORDER = Sheet("border", Border)
LINE = Sheet("line", FortifiedLine)
AXIS = Sheet("axis", Axis)
LANDING = Sheet("landing", Landing)
KIND = Sheet("kind", KindRow)
STRENGTH = Sheet("strength", Strength)
STRIKE = Sheet("strike", Strike)
REACH = Sheet("reach", Reach)
CAMPAIGN = Sheet("campaign", Campaign)
STOCK = Sheet("stock", Stock)
DEAL = Sheet("deal", Deal)
PLACE = Sheet("place", Place)
GOAL = Sheet("goal", Goal)
BOARD = Sheet("board", BoardRow)
CARD = Sheet("card", Card)
SHEETS = (
    *(GAME, SECTOR, OUTLINE, BORDER, LINE, AXIS, LANDING),
    *(KIND, STRENGTH, STRIKE, REACH),
    *(CAMPAIGN, STOCK, DEAL, PLACE, GOAL, BOARD, CARD),
)
