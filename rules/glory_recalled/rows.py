"""The tables of data/ as models: what a space, a unit, a card or a scenario is made of.

Columns that no rule reads stand in `talk` and enter no digest. What a card can do stands in `Play`.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from pbem.api import Many
from rules.kit.data import Row, Sheet

Seat = Literal["japan", "british"]
Half = Literal["kowloon", "island"]
Way = Literal["road", "path"]
Terrain = Literal["clear", "urban", "pier", "gdl", "battery", "heavy_battery", "reservoir", "hq"]
Bonuses = Literal["clear", "urban", "pier", "gdl", "battery", "heavy_battery", "reservoir", "hq", "fortified"]
Brigade = Literal["mainland", "island"]
Kind = Literal[
    "formation",
    "amphibious",
    "transport",
    "counter",
    "gunboat",
    "event",
    "artillery",
    "air",
    "naval",
    "armor",
    "engineer",
    "anti-tank",
    "anti-air",
]
Use = Literal["action", "combat", "event", "react"]
Do = Literal[
    "activate",
    "land",
    "transport",
    "bombard",
    "counter_attack",
    "shell",
    "add",
    "add_enemy",
    "cancel",
    "engineers",
    "banzai",
    "night_attack",
    "last_stand",
    "commit_reserve",
    "fifth_columnists",
    "infiltration",
    "demand",
    "forced_march",
    "heavy_rain",
    "sniper",
    "dig_in",
    "loyalists",
    "rally",
    "stop_bombardment",
    "demolitions",
    "searchlights",
    "torpedo",
]
Need = Literal[
    "attacking",
    "defending",
    "landing",
    "no_landing",
    "coastal",
    "inland",
    "island",
    "main_by_road",
    "road_space",
    "outmatched",
    "leader_near",
    "no_fort",
    "unspent_unit",
    "in_supply",
]
Trigger = Literal["activation", "amphibious", "sea_transport", "bombard_air"]
Count = Annotated[int, Field(ge=0, le=60)]
Signed = Annotated[int, Field(ge=-9, le=9)]
Place = Annotated[tuple[int, int], Field(strict=False)]

SUPPORT: frozenset[Kind] = frozenset({"artillery", "air", "naval", "armor", "engineer", "anti-tank", "anti-air"})
"""The kinds of combat support. [9.4-b3]"""


@cache
def _kinds(terrain: Terrain, also: tuple[Terrain, ...]) -> frozenset[Terrain]:
    return frozenset((terrain, *also))


class Space(Row):
    """A space: its half, its ground, and what else is printed on it. `at`: see coast.py."""

    talk: ClassVar[frozenset[str]] = frozenset({"name", "region", "at"})

    id: str
    name: str
    region: Literal["north", "line", "kowloon", "island"]
    half: Half
    terrain: Terrain
    also: Many[Terrain] = ()
    brown: bool = False
    coastal: bool = False
    north_coast: bool = False
    objective: bool = False
    at: Place = (0, 0)

    @property
    def kinds(self) -> frozenset[Terrain]:
        """All kinds of ground on the space."""
        return _kinds(self.terrain, self.also)

    @property
    def battery(self) -> bool:
        """Whether a battery is printed here, black or grey."""
        return not self.kinds.isdisjoint({"battery", "heavy_battery"})


class LinkRow(Row):
    """A link, drawn once, that goes both ways."""

    key: ClassVar[tuple[str, ...]] = ("a", "b")

    a: str
    b: str
    way: Way


class Box(Row):
    """A landing box and the space it leads to. `south`: only after a roll, and without artillery. [2.31c, 14.1-b8]"""

    talk: ClassVar[frozenset[str]] = frozenset({"name", "at"})

    id: str
    name: str
    space: str
    south: bool = False
    at: Place = (0, 0)


class Bonus(Row):
    """The defence bonus of a kind of ground. [9.2]"""

    key: ClassVar[tuple[str, ...]] = ("kind",)

    kind: Bonuses
    amount: Annotated[int, Field(ge=0, le=9)]


class Unit(Row):
    """A company: strength in front and, disrupted, on the back. `activation` event: only event cards move it."""

    talk: ClassVar[frozenset[str]] = frozenset({"name"})

    id: str
    seat: Seat
    formation: str
    battalion: str
    brigade: Literal["mainland", "island", "division", "reserve"]
    front: Annotated[int, Field(ge=0, le=9)]
    back: Annotated[int, Field(ge=0, le=9)]
    machine_gun: bool = False
    activation: Literal["any", "event"] = "any"
    name: str


class Leader(Row):
    """A leader: leadership of the man and of his replacement."""

    id: str
    seat: Seat
    brigade: Literal["mainland", "island", "division"]
    value: Annotated[int, Field(ge=0, le=9)]
    replacement: Annotated[int, Field(ge=0, le=9)]


class Dummy(Row):
    """A British dummy."""

    id: str
    brigade: Brigade


class Card(Row):
    """A card of a deck: how many copies, how many of them with the mark of the Fall of Kowloon."""

    talk: ClassVar[frozenset[str]] = frozenset({"name"})

    id: str
    seat: Seat
    name: str
    copies: Annotated[int, Field(ge=1, le=20)]
    marked: Annotated[int, Field(ge=0, le=20)] = 0
    kind: Kind
    green: bool = False


class Play(Row):
    """One use of a card.

    `use`: it is the action, stands in the sealed list of a combat, is an event, or a reaction to `trigger`.
    `do` with its numbers:

    | do | means |
    |---|---|
    | activate | the `formations` move and attack |
    | land | an amphibious assault |
    | transport | `count` units and `other` leaders by sea |
    | bombard | die >= `success` destroys a British battery; a grey one always, or once troops have `landed` |
    | counter_attack | `count` stacks on the Island move and attack, +`amount` for each attack |
    | shell | `amount` hits on one stack |
    | add | `amount` for the own side; `other`, where not 0, once five batteries are lost |
    | add_enemy | `amount` for the enemy's attack |
    | cancel | the enemy's `cancels` (die >= `success` where not 0); nothing there and defending: `amount` |
    | engineers | no Fortified bonus for the target; no marker there: `amount` |
    | banzai | own total of 9.1-n2 lower by `amount`: own units die, a die of `other` sides of hits |
    | night_attack | `cancels` of both sides, and `amount` |
    | last_stand | all defenders eliminated: half a die, 1 to `amount`, of more hits for the attacker |
    | commit_reserve | place `count` units of `formations`, then activate these |
    | fifth_columnists | `count` spaces: dummies removed, units shown |
    | infiltration | paths cost `amount` for the next activated stack |
    | demand | J points + die > B points: `amount` random cards, else `other` |
    | forced_march | allowance `amount`, disrupted `other`, for the next march |
    | heavy_rain | paths cost `amount`, no card of `cancels` is played |
    | sniper | die >= `success`, alone >= `other`; the leader within `count` links |
    | dig_in | `count` Fortified marker |
    | loyalists | draw `amount`; cards of `bars` are not played |
    | rally | `count` units |
    | stop_bombardment, torpedo | die >= `success`; torpedo: `count` units disrupted |
    | demolitions | `count` major road is a path |
    | searchlights | `amount` for the first wave of `count` box |

    `step`: when it counts in a combat: 1 cancels, 2 adds and subtracts, 3 Banzai Charge. `text`: the card in words.
    """

    key: ClassVar[tuple[str, ...]] = ("card", "use")
    talk: ClassVar[frozenset[str]] = frozenset({"text"})

    card: str
    use: Use
    do: Do
    amount: Signed = 0
    other: Signed = 0
    count: Annotated[int, Field(ge=0, le=9)] = 0
    success: Annotated[int, Field(ge=0, le=6)] = 0
    formations: Many[str] = ()
    cancels: Many[Kind] = ()
    bars: Many[str] = ()
    requires: Many[Need] = ()
    trigger: Many[Trigger] = ()
    attach: Literal["", "stack", "march"] = ""
    until: Literal["", "round", "turn"] = ""
    grey: Literal["", "landed", "always"] = ""
    step: Annotated[int, Field(ge=0, le=3)] = 0
    text: str


class Game(Row):
    """The numbers of the rulebook."""

    key: ClassVar[tuple[str, ...]] = ()

    british_goal: Count
    reservoir_points: Count
    battery_points: Count
    hq_points: Count
    destroyed_points: Count
    leader_points: Count
    unit_halves: Count
    objective_points: Count
    surrender_factor: Count
    japanese_draw: Count
    british_draw: Count
    japanese_limit: Count
    british_limit: Count
    card_allowance: Count
    disrupted_allowance: Count
    march_allowance: Count
    leader_allowance: Count
    road_cost: Count
    path_cost: Count
    rain_path_cost: Count
    attack_cost: Count
    space_units: Count
    box_units: Count
    beachhead_units: Count
    space_leaders: Count
    main_units: Count
    secondary_units: Count
    machine_gun_bonus: Count
    unsupplied_penalty: Count
    fresh_hits: Count
    disrupted_hits: Count
    artillery_batteries: Count
    artillery_reduced: Count
    reach: Count
    rally_units: Count
    boxes: Count
    waves: Count
    wave_units: Count
    fall_rally_units: Count
    fall_hits_per_battery: Count
    fall_japanese_draw: Count
    fall_british_draw: Count
    fall_japanese_card: str
    fall_british_card: str
    kowloon_margin: Count
    landing_force: Count
    forts: Count


class Scenario(Row):
    """What a scenario starts with.

    `british_place` says for each brigade where it may be placed; `dummies` are the brigades whose dummies are used,
    all of `brigades` where empty. `fall`: whether the Fall of Kowloon is to come, past, or not part of it.
    `to_kowloon`: None for any number.
    """

    id: str
    start: Count
    brigades: Many[Brigade]
    british_place: dict[Brigade, Literal["kowloon", "island", "anywhere"]]
    british_points: Count = 0
    british_take: Many[str]
    british_draw: Count
    british_back: Count
    british_back_to: Literal["deck", "discard"]
    british_disrupts: bool = False
    japanese_place: Literal["brown", "kowloon"]
    japanese_points: Count = 0
    japanese_take: Many[str]
    japanese_draw: Count
    japanese_extra: Count = 0
    japanese_back: Count
    japanese_back_to: Literal["deck", "discard"]
    japanese_removes: Count = 0
    japanese_destroys: Count = 0
    landing_force: bool = False
    marked: bool
    dummies: Many[Brigade] = ()
    forts: dict[Literal["line", "hq", "island"], Count]
    to_kowloon: Count | None = None
    fall: Literal["to come", "past", "never"]


class Deploy(Row):
    """A piece of a ready-made set-up."""

    key: ClassVar[tuple[str, ...]] = ("scenario", "piece")

    scenario: str
    piece: str
    space: str


class Change(Row):
    """What one value of a map option changes on a space: only the columns given."""

    key: ClassVar[tuple[str, ...]] = ("option", "value", "space")
    talk: ClassVar[frozenset[str]] = frozenset({"name"})

    option: str
    value: str
    space: str
    terrain: Terrain | None = None
    also: Many[Terrain] | None = None
    objective: bool | None = None
    name: str | None = None


GAME = Sheet("game", Game)
SPACE = Sheet("space", Space)
LINK = Sheet("link", LinkRow)
BOX = Sheet("box", Box)
BONUS = Sheet("bonus", Bonus)
UNIT = Sheet("unit", Unit)
LEADER = Sheet("leader", Leader)
DUMMY = Sheet("dummy", Dummy)
CARD = Sheet("card", Card)
PLAY = Sheet("play", Play)
SCENARIO = Sheet("scenario", Scenario)
DEPLOY = Sheet("deploy", Deploy)
CHANGE = Sheet("change", Change)
SHEETS = (GAME, SPACE, LINK, BOX, BONUS, UNIT, LEADER, DUMMY, CARD, PLAY, SCENARIO, DEPLOY, CHANGE)
