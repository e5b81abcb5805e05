"""Map, counters, cards and set-ups as data, and a careful owner's checks.

`load` reads the tables (an owner's corrected copy over ours), `checks` lists what cannot be right in them,
`check_printed` where ours differ from what the rulebook prints.
`board` is what one game is played with, in the form in which the rules ask it: scenario and options are applied.

    board = components.board(start.components, start.scenario, start.options)

    board.space("K04").terrain              "pier"; also .half .brown .coastal .north_coast .objective .name
    board.space("K04").kinds                all its kinds of ground; "pier" in board.space("K04").kinds
    board.links("K04")                      (Link(to="K01", way="road"), ...) sorted by `to`
    board.way("K04", "K16")                 "path", "road", or "" where no link is
    board.takes_marker("K04")               whether a Japanese control marker can lie here (13.0-b2)
    board.spaces_of("pier", "kowloon")      ("K04", "K07", "K08", "K17"), one half or both
    board.brown, board.objectives, board.batteries, board.north_coast, board.hq        ids, sorted
    board.bonus["pier"], board.space_bonus("K04")   9.2 without markers; board.bonus["fortified"]
    board.boxes["L6"].space, .south
    board.units["228-3"].front, .back, .seat, .formation, .battalion, .brigade, .machine_gun, .activation
    board.leaders["Doi"].value, .replacement; board.dummies["DM-1"].brigade
    board.cards["JA1"].name, .kind, .green; board.plays["JA1"]      every use: Play(use, do, amount, ...)
    board.play("JS1", "action")             its row for one use, or None
    board.deck("japan")                         card ids, one for each copy without the mark: ("JA1", "JA1", ...)
    board.deck("japan", marked=True)            those with the mark of the Fall of Kowloon
    board.game.card_allowance               the numbers of data/game.toml, see `Game`
    board.halves["battery"]                 points in halves: reservoir battery hq destroyed unit leader objective
    board.setup.british_draw                the numbers of the scenario, see `Scenario`
    board.deployment                        the ready-made set-up: piece -> space ("fort-1" to "fort-6" are markers)

Seats are "japan" and "british". What `do`, `requires`, `trigger` and `attach` can say stands in `Play`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, NamedTuple

from pydantic import Field

from pbem.api import Many, Option
from pbem.errors import Trouble
from rules.kit import data
from rules.kit.data import Data, Row, Sheet

if TYPE_CHECKING:
    from pathlib import Path

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


# --- rows ---


class Space(Row):
    """A space: its half, its ground, and what else is printed on it. `at`: thousandths of a degree east and north."""

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
    at: Place

    @property
    def kinds(self) -> frozenset[Terrain]:
        """All kinds of ground on the space."""
        return frozenset((self.terrain, *self.also))

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
    at: Place


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

MAP_OPTIONS = (
    Option(
        "opt_kowloon_objective",
        ("kowloon-point", "golden-hill", "kowloon-city"),
        "kowloon-point",
        "which space of Kowloon is an objective",
        "2.35",
    ),
    Option(
        "opt_island_objectives",
        ("victoria-gap", "victoria-stanley"),
        "victoria-gap",
        "objectives of the Island: Victoria and Wong Nai Chung Gap, or Victoria and Stanley",
        "2.35",
    ),
    Option(
        "opt_fourth_battery",
        ("belchers", "pinewood", "jubilee"),
        "belchers",
        "which is the fourth black battery of the Island",
        "2.32a",
    ),
    Option(
        "opt_kowloon_reservoir",
        ("kowloon", "shing-mun"),
        "kowloon",
        "the reservoir of Kowloon: its own space, or under the Shing Mun Redoubt",
        "2.33a",
    ),
    Option(
        "opt_island_reservoir",
        ("pok-fu-lam", "wong-nai-chung"),
        "pok-fu-lam",
        "the third reservoir of the Island",
        "2.33a",
    ),
)
"""Readings of the map that are as likely as ours; other values than the default have rows in data/alternatives.toml."""

HQ_OPTION = Option("r1", ("2", "3", "4"), "3", "defence bonus of the HQ space, which our copy does not show", "R1")


def load(edition: int = 1, folder: Path | None = None) -> Data:
    """The tables of an edition. Raises `Trouble` naming file and row, or the first check that fails."""
    tables = data.load(__file__, SHEETS, edition, folder)
    for fault in checks(tables):
        raise Trouble(f"the game cannot be played: {fault}", "compare the tables with your copy")
    return tables


# --- what a careful owner would check ---


def checks(tables: Data) -> Iterator[str]:
    """What cannot be right, whatever copy was typed in."""
    yield from _check_map(tables)
    yield from _check_cards(tables)
    yield from _check_setups(tables)
    yield from _check_changes(tables)


def _check_map(tables: Data) -> Iterator[str]:
    """Links join different spaces once, every space has one, boxes lead to the Island's coast, every bonus is there."""
    spaces = {space.id: space for space in tables[SPACE]}
    drawn: Counter[frozenset[str]] = Counter()
    for link in tables[LINK]:
        for end in (link.a, link.b):
            if end not in spaces:
                yield f"the link {link.a}-{link.b} ends nowhere: there is no space {end}"
        if link.a == link.b:
            yield f"the link {link.a}-{link.b} joins a space with itself"
        drawn[frozenset((link.a, link.b))] += 1
    for ends, count in drawn.items():
        if count > 1:
            yield f"the link {'-'.join(sorted(ends))} is drawn {count} times"
    linked = {end for ends in drawn for end in ends}
    for id in sorted(set(spaces) - linked):
        yield f"{id} has no link"
    for link in tables[LINK]:
        if link.a in spaces and link.b in spaces and spaces[link.a].half != spaces[link.b].half:
            yield f"the link {link.a}-{link.b} crosses the harbour [7.3-b1]"
    for box in tables[BOX]:
        space = spaces.get(box.space)
        if space is None:
            yield f"box {box.id} leads nowhere: there is no space {box.space}"
        elif space.half != "island" or not space.coastal:
            yield f"box {box.id} leads to {box.space}, which is no coast of the Island"
    for space in spaces.values():
        if space.north_coast and not (space.coastal and space.half == "island"):
            yield f"{space.id} is on the north coast, but no coastal space of the Island"
        if space.brown and space.half != "kowloon":
            yield f"{space.id} is brown, but not at the top of the map"
    if sum("hq" in space.kinds for space in spaces.values()) != 1:
        yield "the map has one HQ space"
    bonus = {row.kind for row in tables[BONUS]}
    for kind in sorted({kind for space in spaces.values() for kind in space.kinds} | {"clear", "fortified"}):
        if kind not in bonus:
            yield f"there is no defence bonus for {kind}"


def _check_cards(tables: Data) -> Iterator[str]:
    """Every card has a use or lies face-down only; uses fit kind, seat and colour of the card."""
    cards = {card.id: card for card in tables[CARD]}
    formations = {unit.formation: unit.seat for unit in tables[UNIT]}
    for card in cards.values():
        if card.marked > card.copies:
            yield f"{card.id}: {card.marked} of {card.copies} copies cannot carry the mark"
        if card.green != any(play.card == card.id and play.use == "react" for play in tables[PLAY]):
            yield f"{card.id}: green cards react, and no others do [14.0-b5]"
    for play in tables[PLAY]:
        owner = cards.get(play.card)
        if owner is None:
            yield f"there is no card {play.card} to play"
            continue
        where = f"{play.card} as {play.use}"
        if (play.use == "react") != bool(play.trigger):
            yield f"{where}: reactions have a trigger, and nothing else has"
        if (play.use == "combat") != bool(play.step):
            yield f"{where}: cards of a combat count in a step, and no others do"
        for formation in play.formations:
            if formations.get(formation, owner.seat) != owner.seat:
                yield f"{where}: {formation} is on the other side"
        for id in play.bars:
            if id not in cards:
                yield f"{where}: there is no card {id} to bar"
    game = tables.only(GAME)
    for seat, id in (("japan", game.fall_japanese_card), ("british", game.fall_british_card)):
        if id not in cards or cards[id].seat != seat:
            yield f"the Fall of Kowloon gives {seat} a card {id}, which its deck does not have"


def _check_setups(tables: Data) -> Iterator[str]:
    """Cards and pieces of every set-up exist, and the ready-made set-ups stack."""
    cards = {card.id: card for card in tables[CARD]}
    spaces = {space.id for space in tables[SPACE]}
    units = {unit.id for unit in tables[UNIT]}
    leaders = {leader.id for leader in tables[LEADER]}
    game = tables.only(GAME)
    scenarios = {row.id for row in tables[SCENARIO]}
    for row in tables[SCENARIO]:
        for seat, take in (("japan", row.japanese_take), ("british", row.british_take)):
            for id in take:
                if id not in cards or cards[id].seat != seat:
                    yield f"{row.id}: {seat} takes a card {id}, which its deck does not have"
        if set(row.british_place) != set(row.brigades):
            yield f"{row.id}: every brigade has a place, and no other"
    for scenario in sorted({piece.scenario for piece in tables[DEPLOY]}):
        rows = [piece for piece in tables[DEPLOY] if piece.scenario == scenario]
        if scenario not in scenarios:
            yield f"there is no scenario {scenario} to deploy for"
        for piece in rows:
            if piece.space not in spaces:
                yield f"{scenario}: {piece.piece} stands on {piece.space}, which is no space"
        for pieces, most, what in ((units, game.space_units, "units"), (leaders, game.space_leaders, "leaders")):
            crowd = Counter(piece.space for piece in rows if piece.piece in pieces)
            for space, count in sorted(crowd.items()):
                if count > most:
                    yield f"{scenario}: {count} {what} on {space}, at most {most} [8.0-b1]"


def _check_changes(tables: Data) -> Iterator[str]:
    """Changes belong to a value of an option, and touch spaces that are there."""
    spaces = {space.id for space in tables[SPACE]}
    values = {(option.name, value) for option in MAP_OPTIONS for value in option.values if value != option.default}
    for change in tables[CHANGE]:
        if (change.option, change.value) not in values:
            yield f"{change.option} has no other value {change.value}"
        if change.space not in spaces:
            yield f"{change.option} {change.value}: there is no space {change.space}"


FORMATIONS: Mapping[str, int] = {
    **{"228": 12, "229": 12, "230": 12, "66": 4},  # [17.3-n4a, 3.2c]
    **{"2RS": 4, "Raj": 4, "Pun": 4, "HKCR": 1},  # [3.11a]
    **{"1M": 5, "WG": 4, "RR": 4, "HKVDC": 7, "Hugh": 1},  # [3.12a]
}
MACHINE_GUNS = frozenset({"1M-A", "1M-B", "1M-C", "1M-D", "1M-Z", "HKCR-1", "HKVDC-3"})  # [9.2-b6]
PRINTED_BONUS: Mapping[str, int] = {
    **{"clear": 2, "reservoir": 2, "urban": 3, "pier": 3, "gdl": 3},  # [9.2-b1, 9.2-b2]
    **{"battery": 4, "heavy_battery": 4, "fortified": 5},  # [9.2-b3, 9.2-b4]
}


def check_printed(tables: Data) -> Iterator[str]:
    """Where our own data differ from what the rulebook prints; small sets for cases need not pass this."""
    for option in ({}, *({o.name: v} for o in MAP_OPTIONS for v in o.values)):
        said = "".join(f" ({name} {value})" for name, value in option.items())
        for fault in _printed_map(board(tables, "standard", option)):
            yield fault + said
    yield from _printed_counters(tables)
    yield from _printed_cards(tables)
    for row in tables[SCENARIO]:
        yield from _printed_deployment(board(tables, row.id, {}))


def _printed_map(b: Board) -> Iterator[str]:
    """Counts of the map, each half in one piece."""
    counts: tuple[tuple[Terrain, Half, int, str], ...] = (
        ("pier", "kowloon", 4, "2.31a"),
        ("pier", "island", 3, "2.31a"),
        ("battery", "kowloon", 2, "2.32a"),
        ("reservoir", "kowloon", 1, "2.33a"),
        ("reservoir", "island", 3, "2.33a"),
        ("hq", "island", 1, "3.12d"),
    )
    for kind, half, count, clause in counts:
        if len(b.spaces_of(kind, half)) != count:
            yield f"{half} has {len(b.spaces_of(kind, half))} of {count} spaces of the kind {kind} [{clause}]"
    batteries = [id for id in b.batteries if b.space(id).half == "island"]
    if len(batteries) != 9:  # [2.32a]
        yield f"the Island has {len(batteries)} of nine batteries [2.32a]"
    for name in ("Aberdeen", "Stanley"):  # [2.31c]
        if not any(b.space(box.space).name == name and box.south for box in b.boxes.values()):
            yield f"{name} has no box in the south [2.31c]"
    if len(b.brown) * b.game.space_units < sum(unit.brigade == "division" for unit in b.units.values()):
        yield "the brown spaces cannot hold the three regiments [3.2a]"
    if len(b.objectives) != 3:  # 8 x 2 + 3 x 1 = 19 [17.2-b4]
        yield f"{len(b.objectives)} objectives, three explain the 19 points of the Island scenario [17.2-b4]"
    for start in (b.brown[0], b.hq):
        half = b.space(start).half
        if b.connected(start) != frozenset(b.spaces_in(half)):
            yield f"{half} is not in one piece"
    kowloon = sum(b.halves["reservoir"] if "reservoir" in b.space(id).kinds else 0 for id in b.spaces_in("kowloon"))
    kowloon += b.halves["battery"] * len([id for id in b.batteries if b.space(id).half == "kowloon"])
    if kowloon != 22:  # [17.2-b9]
        yield f"all of Kowloon is worth {kowloon} half points, not 22 [17.2-b9]"
    for ground, amount in PRINTED_BONUS.items():
        if b.bonus.get(ground) != amount:
            yield f"the bonus of {ground} is {b.bonus.get(ground)}, not {amount} [9.2]"


def _printed_counters(tables: Data) -> Iterator[str]:
    """Counts of units, leaders, dummies and markers; who has machine guns."""
    if dict(Counter(unit.formation for unit in tables[UNIT])) != dict(FORMATIONS):
        yield "the formations do not have their printed numbers [3.11a, 3.12a, 3.2c]"
    if {unit.id for unit in tables[UNIT] if unit.machine_gun} != MACHINE_GUNS:
        yield "machine guns are 1M, HKCR 1 and HKVDC 3 [9.2-b6]"
    for unit in tables[UNIT]:
        if (unit.activation == "event") != (unit.formation == "66"):
            yield f"{unit.id}: only Regiment 66 waits for an event [3.2c]"
        if unit.back >= unit.front:
            yield f"{unit.id} is not weaker on its back [9.7-b3]"
    if Counter((leader.seat, leader.brigade) for leader in tables[LEADER]) != Counter(
        {("japan", "division"): 3, ("british", "mainland"): 1, ("british", "island"): 2}
    ):
        yield "there are three Japanese leaders, Wallis, Lawson and Paterson [3.11a, 3.12a, 3.2b]"
    if Counter(dummy.brigade for dummy in tables[DUMMY]) != Counter({"mainland": 4, "island": 6}):
        yield "there are four dummies for the mainland and six for the Island [3.11b, 3.12b]"


def _printed_cards(tables: Data) -> Iterator[str]:
    """A hundred cards in two decks, all support kinds, enough to deal every set-up."""
    for seat in ("japan", "british"):
        cards = [card for card in tables[CARD] if card.seat == seat]
        if sum(card.copies for card in cards) != 50:  # [2.0]
            yield f"{seat} has {sum(card.copies for card in cards)} cards, not 50 [2.0]"
        if sum(card.marked for card in cards) != 12:
            yield f"{seat} has {sum(card.marked for card in cards)} marked cards, not 12"
    if {card.kind for card in tables[CARD]} & SUPPORT != SUPPORT:
        yield "some kind of support has no card [9.4-b3]"
    played = {play.card for play in tables[PLAY]}
    for card in tables[CARD]:
        if card.id not in played:
            yield f"{card.id} has no use but face-down"
    for row in tables[SCENARIO]:
        for seat, take, draw in (
            ("japan", row.japanese_take, row.japanese_draw + row.japanese_extra),
            ("british", row.british_take, row.british_draw),
        ):
            cards = [card for card in tables[CARD] if card.seat == seat]
            there = sum(card.copies if row.marked else card.copies - card.marked for card in cards)
            if there < len(take) + draw:
                yield f"{row.id}: {seat} has {there} cards to deal {len(take) + draw} from"


def _printed_deployment(b: Board) -> Iterator[str]:
    """The ready-made set-up uses every piece of the scenario, on spaces where it may stand."""
    pieces = set(b.deployed_pieces())
    for piece in sorted(pieces ^ set(b.deployment)):
        yield f"{b.setup.id}: {piece} is missing in the ready-made set-up, or too much"
    for piece, id in b.deployment.items():
        if id not in b.may_stand(piece):
            yield f"{b.setup.id}: {piece} may not be placed on {id}"
    if b.setup.forts.get("line"):
        held = {id for piece, id in b.deployment.items() if piece in b.units or piece in b.dummies}
        for id in b.line:
            if id not in held:
                yield f"{b.setup.id}: nobody stands on {id} of the Line [3.11e]"


# --- one game's components, as the rules ask them ---


class Link(NamedTuple):
    """Where a link leads, and whether it is a major road or a minor path."""

    to: str
    way: Way


@dataclass(frozen=True)
class Board:
    """Map, counters and cards of one game: its scenario chosen, its options applied."""

    game: Game
    setup: Scenario
    spaces: Mapping[str, Space]
    linked: Mapping[str, tuple[Link, ...]]
    boxes: Mapping[str, Box]
    bonus: Mapping[str, int]
    units: Mapping[str, Unit]
    leaders: Mapping[str, Leader]
    dummies: Mapping[str, Dummy]
    cards: Mapping[str, Card]
    plays: Mapping[str, tuple[Play, ...]]
    deployment: Mapping[str, str]

    # --- map ---

    def space(self, id: str) -> Space:
        """A space by id."""
        return self.spaces[id]

    def name(self, id: str) -> str:
        """The name of a space, unit, leader, card or landing box; else the id."""
        for things in (self.spaces, self.units, self.cards, self.boxes):
            if id in things:
                return things[id].name
        return id

    def links(self, space: str) -> tuple[Link, ...]:
        """The links of a space, by the id they lead to."""
        return self.linked[space]

    def way(self, a: str, b: str) -> Way | Literal[""]:
        """How two spaces are linked; "" where they are not."""
        return next((link.way for link in self.linked[a] if link.to == b), "")

    def adjacent(self, space: str) -> tuple[str, ...]:
        """The spaces one link away."""
        return tuple(link.to for link in self.linked[space])

    def on_road(self, space: str) -> bool:
        """Whether a major road touches it."""
        return any(link.way == "road" for link in self.linked[space])

    def takes_marker(self, space: str) -> bool:
        """Whether the Japanese leave a control marker here: piers and batteries. [13.0-b2]"""
        return self.spaces[space].battery or "pier" in self.spaces[space].kinds

    def connected(self, start: str) -> frozenset[str]:
        """All spaces that links lead to from here."""
        found = {start}
        todo = [start]
        while todo:
            new = [to for to in self.adjacent(todo.pop()) if to not in found]
            found.update(new)
            todo += new
        return frozenset(found)

    def spaces_in(self, half: Half) -> tuple[str, ...]:
        """All spaces of a half."""
        return tuple(id for id, space in self.spaces.items() if space.half == half)

    def spaces_of(self, kind: Terrain, half: Half | None = None) -> tuple[str, ...]:
        """The spaces with this kind of ground, in one half or both."""
        return tuple(id for id, s in self.spaces.items() if kind in s.kinds and half in (None, s.half))

    def space_bonus(self, space: str) -> int:
        """The defence bonus of the ground, the highest of its kinds. [R22]"""
        return max(self.bonus[kind] for kind in self.spaces[space].kinds)

    @cached_property
    def brown(self) -> tuple[str, ...]:
        """The spaces at the top of the map."""
        return tuple(id for id, space in self.spaces.items() if space.brown)

    @cached_property
    def line(self) -> tuple[str, ...]:
        """The spaces of the Gin Drinker's Line."""
        return self.spaces_of("gdl")

    @cached_property
    def objectives(self) -> tuple[str, ...]:
        """The red spaces."""
        return tuple(id for id, space in self.spaces.items() if space.objective)

    @cached_property
    def batteries(self) -> tuple[str, ...]:
        """The battery spaces, black and grey."""
        return tuple(id for id, space in self.spaces.items() if space.battery)

    @cached_property
    def north_coast(self) -> tuple[str, ...]:
        """The north coast of the Island. [17.2-b3]"""
        return tuple(id for id, space in self.spaces.items() if space.north_coast)

    @cached_property
    def hq(self) -> str:
        """The HQ space."""
        return self.spaces_of("hq")[0]

    # --- counters ---

    def seat(self, piece: str) -> Seat:
        """Whose unit, leader or dummy it is; markers are British."""
        if piece in self.units:
            return self.units[piece].seat
        return self.leaders[piece].seat if piece in self.leaders else "british"

    def formation(self, *names: str) -> tuple[str, ...]:
        """The units of these formations."""
        return tuple(id for id, unit in self.units.items() if unit.formation in names)

    def deployed_pieces(self) -> tuple[str, ...]:
        """What the scenario puts on the map: units, leaders, dummies, Fortified markers `fort-1` and on.

        Regiment 66 waits off the map. [3.2c]
        """
        brigades = {"division", *self.setup.brigades}
        dummies = self.setup.dummies or self.setup.brigades
        first = 1 if self.setup.forts.get("line") else 5
        return (
            *(id for id, unit in self.units.items() if unit.brigade in brigades),
            *(id for id, leader in self.leaders.items() if leader.brigade in brigades),
            *(id for id, dummy in self.dummies.items() if dummy.brigade in dummies),
            *(f"fort-{n}" for n in range(first, first + sum(self.setup.forts.values()))),
        )

    def may_stand(self, piece: str) -> tuple[str, ...]:
        """Where the set-up may place a piece. `fort-1` to `fort-4` belong to the Line, `fort-5` to the HQ space."""
        if piece.startswith("fort-"):
            number = int(piece.removeprefix("fort-"))
            inland = tuple(id for id in self.spaces_in("island") if not self.spaces[id].coastal)
            return self.line if number <= 4 else (self.hq,) if number == 5 else inland
        brigade = self._brigade(piece)
        where = self.setup.japanese_place if brigade == "division" else self.setup.british_place[brigade]  # type: ignore[index]
        if where == "brown":
            return self.brown  # [3.2a]
        inside = tuple(self.spaces) if where == "anywhere" else self.spaces_in(where)
        return inside if brigade == "division" else tuple(id for id in inside if not self.spaces[id].brown)  # [3.11d]

    def _brigade(self, piece: str) -> str:
        things: Mapping[str, Unit | Leader | Dummy] = {**self.units, **self.leaders, **self.dummies}
        return things[piece].brigade

    # --- cards ---

    def play(self, card: str, use: Use) -> Play | None:
        """What the card does in this use; None where it has no such use."""
        return next((play for play in self.plays[card] if play.use == use), None)

    def deck(self, seat: Seat, *, marked: bool = False) -> tuple[str, ...]:
        """The ids of a deck, one a copy: the copies without the mark of the Fall of Kowloon, or those with it."""
        cards = [card for card in self.cards.values() if card.seat == seat]
        return tuple(card.id for card in cards for _ in range(card.marked if marked else card.copies - card.marked))

    # --- points ---

    @cached_property
    def halves(self) -> Mapping[str, int]:
        """Victory points in halves."""
        game = self.game
        return {
            "reservoir": 2 * game.reservoir_points,
            "battery": 2 * game.battery_points,
            "hq": 2 * game.hq_points,
            "destroyed": 2 * game.destroyed_points,
            "leader": 2 * game.leader_points,
            "objective": 2 * game.objective_points,
            "unit": game.unit_halves,
        }


def board(tables: Data, scenario: str, options: Mapping[str, str]) -> Board:
    """What this scenario is played with. Raises `Trouble` where the data have no such set-up."""
    setup = next((row for row in tables[SCENARIO] if row.id == scenario), None)
    if setup is None:
        raise Trouble(f"the data have no set-up for {scenario}", "see [[scenario]] in data/")
    spaces = {space.id: space for space in tables[SPACE]}
    for change in tables[CHANGE]:
        if options.get(change.option) == change.value:
            given = change.model_dump(include={"terrain", "also", "objective", "name"}, exclude_none=True)
            spaces[change.space] = spaces[change.space].model_copy(update=given)
    bonus: dict[str, int] = {row.kind: row.amount for row in tables[BONUS]}
    if options.get(HQ_OPTION.name, HQ_OPTION.default) != HQ_OPTION.default:
        bonus["hq"] = int(options[HQ_OPTION.name])  # [R1]
    return Board(
        game=tables.only(GAME),
        setup=setup,
        spaces=spaces,
        linked=_linked(spaces, tables[LINK]),
        boxes={box.id: box for box in tables[BOX]},
        bonus=bonus,
        units={unit.id: unit for unit in tables[UNIT]},
        leaders={leader.id: leader for leader in tables[LEADER]},
        dummies={dummy.id: dummy for dummy in tables[DUMMY]},
        cards={card.id: card for card in tables[CARD]},
        plays={card.id: tuple(p for p in tables[PLAY] if p.card == card.id) for card in tables[CARD]},
        deployment={row.piece: row.space for row in tables[DEPLOY] if row.scenario == scenario},
    )


def _linked(spaces: Iterable[str], links: Iterable[LinkRow]) -> Mapping[str, tuple[Link, ...]]:
    """The links of every space, both ways."""
    found: dict[str, list[Link]] = {id: [] for id in spaces}
    for link in links:
        found[link.a].append(Link(link.b, link.way))
        found[link.b].append(Link(link.a, link.way))
    return {id: tuple(sorted(ends)) for id, ends in found.items()}
