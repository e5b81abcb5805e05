"""Map, charts, cards and set-ups of a game, in the form in which the rules ask them.

`load` reads the tables (an owner's corrected copy over ours) and holds them to `checks`; `rows` says what a row is,
`printed` compares our data with the rulebook and the publisher's errata.

A single battle is played with `muster`, a campaign with `board`; both have the charts:

    charts.kinds["elite"].name, .family, .sign
    charts.dice("J", "elite", "attack")     (8, 6): highest counts; () where the chart has no such row
    charts.air("J", "fighter")              the one air strength, in either role [R14]
    charts.strike("attack", "A", "field", 11)    "miss", "suppressed" or "eliminated" for a face of the d12
    charts.reach("J", "tank").off_road, .on_road, .water, .range
    charts.family("carrier")                "vehicle"; words for orders: infantry vehicle artillery aircraft

    fight = components.muster(tables, "regiment")
    fight.attacker, fight.defender, fight.bonus, fight.charts
    fight.attack_line, .defence_line, .attack_strikes, .defence_strikes     units, in roster order
    fight.units["J-Tank-1"].army, .kind

    board = components.board(tables, "impregnable_fortress")
    board.places                            sectors, then activated Axes
    board.sectors["kranji"].owner, .road, .objective, .airfield, .gun, .loss
    board.name("kranji"), board.name("axis_c")
    board.neighbours("kranji")              steps to its neighbours; none into an Axis, but out of one: "axis_c"
    board.step("hougang", "paya_lebar")     Step(to, way, water, road, ...), None where the two are no neighbours
    board.bonus("hougang", "paya_lebar", "on-road")     halves, 0 for none [6.7]
    board.distance("tengah", "buloh")       in sectors by the shortest way, None into an Axis [R46]
    board.axes["axis_b"].group; board.landings("axis_b"); board.activated
    board.objectives, board.airfields, board.supply_points, board.emplacements
    board.units["A-Fix6-1"].army, .kind, .where, .due
    board.collect("J", 5), board.stock("A").supplies, board.date(5), board.night(5), board.periods, board.order
    board.goals["B"]                        its levels, the highest first
    board.deck("CW")                        card ids, one a copy; board.cards["leaflets"].type, .do, ...
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from pbem.errors import Trouble
from rules.field_command.checks import checks
from rules.field_command.rows import (
    AXIS,
    BOARD,
    BORDER,
    CAMPAIGN,
    CARD,
    DEAL,
    GAME,
    GOAL,
    KIND,
    LANDING,
    LINE,
    OUTLINE,
    PLACE,
    REACH,
    SECTOR,
    SHEETS,
    STOCK,
    STRENGTH,
    STRIKE,
    Army,
    Axis,
    BoardRow,
    Campaign,
    Card,
    Deal,
    Family,
    Game,
    Goal,
    Kind,
    KindRow,
    Landing,
    Mode,
    Place,
    Point,
    Reach,
    Role,
    Sector,
    Side,
    Stock,
    Strength,
    Strike,
    Way,
)
from rules.kit import data
from rules.kit.data import Data
from rules.kit.search import trace

if TYPE_CHECKING:
    from pathlib import Path

Result = Literal["miss", "suppressed", "eliminated"]

OFF_MAP = "off_map"
ARMIES: Mapping[Army, str] = {"J": "Japanese", "A": "Australian", "B": "British"}
LEVELS = ("total", "decisive", "victory")
"""The highest first. [16.1.2]"""


def load(edition: int = 1, folder: Path | None = None) -> Data:
    """The tables of an edition. Raises `Trouble` naming file and row, or the first check that fails."""
    tables = data.load(__file__, SHEETS, edition, folder)
    for fault in checks(tables):
        raise Trouble(f"the game cannot be played: {fault}", "compare the tables with your copy")
    return tables


def side(army: Army) -> Side:
    """The side of an army."""
    return "J" if army == "J" else "CW"


@cache
def allies(army: Army) -> tuple[Army, ...]:
    """The other armies of the side."""
    return tuple(other for other in ARMIES if other != army and side(other) == side(army))


# --- charts ---


@dataclass(frozen=True)
class Charts:
    """The printed charts."""

    game: Game
    kinds: Mapping[Kind, KindRow]
    strengths: Mapping[tuple[Army, Kind], Strength]
    strikes: Mapping[tuple[Role, Army, Kind], Strike]
    reaches: Mapping[tuple[Army, Kind], Reach]

    @cached_property
    def aircraft(self) -> frozenset[Kind]:
        """The types that are no ground units. [2.2.a]"""
        return frozenset(kind for kind, row in self.kinds.items() if row.family == "aircraft")

    def family(self, kind: Kind) -> Family:
        """The basic type: infantry, vehicle, artillery or aircraft. [2.1]"""
        return self.kinds[kind].family

    def dice(self, army: Army, kind: Kind, role: Role) -> tuple[int, ...]:
        """The strength of a type in a role, largest die first; () where its chart has no row. [3.1.2]"""
        # [BR-1]
        row = self.strengths.get((army, kind))
        return () if row is None else row.attack if role == "attack" else row.defence

    def air(self, army: Army, kind: Kind) -> tuple[int, ...]:
        """The air strength of an aircraft, in either role. [R14]"""
        row = self.strengths.get((army, kind))
        return row.air if row else ()

    def strike(self, role: Role, army: Army, kind: Kind, face: int) -> Result:
        """What a face of the d12 does. A chart that lacks the row lends it from that of the other role. [R74]"""
        other: Role = "defence" if role == "attack" else "attack"
        row = self.strikes.get((role, army, kind)) or self.strikes[other, army, kind]
        return "eliminated" if face >= row.eliminate else "suppressed" if face >= row.suppress else "miss"

    def reach(self, army: Army, kind: Kind) -> Reach:
        """Movement and range of a type."""
        return self.reaches[army, kind]


def charts(tables: Data) -> Charts:
    """The charts of an edition."""
    return Charts(
        game=tables.only(GAME),
        kinds={row.id: row for row in tables[KIND]},
        strengths={(row.army, row.kind): row for row in tables[STRENGTH]},
        strikes={(row.role, row.army, row.kind): row for row in tables[STRIKE]},
        reaches={(row.army, row.kind): row for row in tables[REACH]},
    )


# --- single battles ---


class Piece(NamedTuple):
    """A unit of a battle. `origin` is the army whose charts a captured gun uses, None for its own. [R74]"""

    id: str
    army: Army
    kind: Kind
    origin: Army | None = None

    @property
    def colour(self) -> Army:
        """The army whose charts it uses."""
        return self.origin or self.army


@dataclass(frozen=True)
class Muster:
    """A Combat Board scenario: who fights whom, with what. Units are named by army, kind and running number."""

    row: BoardRow
    charts: Charts
    units: Mapping[str, Piece]
    attack_line: tuple[str, ...]
    defence_line: tuple[str, ...]
    attack_strikes: tuple[str, ...]
    defence_strikes: tuple[str, ...]

    @property
    def attacker(self) -> Army:
        """The army that attacks."""
        return self.row.attacker

    @property
    def defender(self) -> Army:
        """The army that defends."""
        return self.row.defender

    @property
    def bonus(self) -> int:
        """The defence bonus of the chart, in halves."""
        return self.row.bonus


def muster(tables: Data, scenario: str) -> Muster:
    """What a single battle is played with. Raises `Trouble` where the data have no such scenario."""
    row = next((row for row in tables[BOARD] if row.id == scenario), None)
    if row is None:
        raise Trouble(f"the data have no battle named {scenario}", "see [[board]] in data/")
    own = charts(tables)
    units: dict[str, Piece] = {}

    def named(army: Army, kinds: Iterable[Kind]) -> tuple[str, ...]:
        ids = []
        for kind in kinds:
            number = 1 + sum(piece.army == army and piece.kind == kind for piece in units.values())
            id = f"{army}-{own.kinds[kind].sign}-{number}"
            units[id] = Piece(id, army, kind)
            ids.append(id)
        return tuple(ids)

    return Muster(
        row=row,
        charts=own,
        units=units,
        attack_line=named(row.attacker, row.attack_line),
        defence_line=named(row.defender, row.defence_line),
        attack_strikes=named(row.attacker, row.attack_strikes),
        defence_strikes=named(row.defender, row.defence_strikes),
    )


# --- the Mapboard ---


class Step(NamedTuple):
    """One step on the map: where it leads, what lies between, the bonus of whoever defends there, in halves."""

    to: str
    way: Way
    bonus: int

    @property
    def water(self) -> bool:
        """Whether it crosses water, by a bridge or without."""
        return self.way in ("water", "bridge")

    @property
    def road(self) -> bool:
        """Whether a road crosses the border."""
        return self.way in ("road", "bridge")


@dataclass(frozen=True)
class Board:
    """Map, charts, units and cards of one campaign."""

    campaign: Campaign
    charts: Charts
    sectors: Mapping[str, Sector]
    outlines: Mapping[str, tuple[Point, ...]]
    steps: Mapping[str, tuple[Step, ...]]
    lines: Mapping[tuple[str, str, Mode], int]
    line_names: Mapping[tuple[str, str], str]
    axes: Mapping[str, Axis]
    units: Mapping[str, Place]
    stocks: Mapping[Army, Stock]
    deals: Mapping[Side, Deal]
    goals: Mapping[Army, tuple[Goal, ...]]
    cards: Mapping[str, Card]

    # --- map ---

    def name(self, id: str) -> str:
        """A sector, Axis or the off-map airfield by name."""
        if id in self.sectors:
            return self.sectors[id].name
        return self.axes[id].name if id in self.axes else "off-map airfield" if id == OFF_MAP else id

    @cached_property
    def places(self) -> tuple[str, ...]:
        """Where ground units can be: the sectors, then the activated Axes."""
        return (*self.sectors, *self.activated)

    @cached_property
    def activated(self) -> tuple[str, ...]:
        """The Axes that hold a unit when the game starts; the others do not exist. [6.4.3, 6.4.4]"""
        held = {unit.where for unit in self.units.values() if not unit.due}
        return tuple(id for id in self.axes if id in held)

    def neighbours(self, place: str) -> tuple[Step, ...]:
        """The steps out of a sector or Axis, by name of where they lead; none leads into an Axis. [6.4.2.a]"""
        return self.steps[place]

    def step(self, out: str, into: str) -> Step | None:
        """The step between two places; None where they are no neighbours that way."""
        return self._steps.get((out, into))

    @cached_property
    def _steps(self) -> Mapping[tuple[str, str], Step]:
        return {(out, step.to): step for out, steps in self.steps.items() for step in reversed(steps)}

    def landings(self, axis: str) -> tuple[str, ...]:
        """The sectors that an Axis borders."""
        return tuple(step.to for step in self.steps[axis])

    def axes_at(self, sector: str) -> tuple[str, ...]:
        """The Axes that border a sector, activated or not."""
        return self._axes_at[sector]

    @cached_property
    def _axes_at(self) -> Mapping[str, tuple[str, ...]]:
        return {id: tuple(axis for axis in self.axes if self.step(axis, id) is not None) for id in self.steps}

    def bonus(self, out: str, into: str, mode: Mode) -> int:
        """What the defender adds against this direction and mode, in halves. [6.7.1, 6.7.2, R90]"""
        step = self.step(out, into)
        if step is None:
            raise KeyError(f"{out} and {into} are no neighbours")
        return step.bonus + self.lines.get((out, into, mode), 0)

    def distance(self, a: str, b: str) -> int | None:
        """How far it is from a to b, counted in sectors; None where no way leads there. [11.1.2, R46]"""
        if (a, b) not in self._far:
            found = trace(a, lambda place: place == b, lambda place: (step.to for step in self.steps[place]))
            self._far[a, b] = None if found is None else len(found) - 1
        return self._far[a, b]

    @cached_property
    def _far(self) -> dict[tuple[str, str], int | None]:
        """Distances that have been asked for."""
        return {}

    @cached_property
    def objectives(self) -> tuple[str, ...]:
        """The sectors with a gold star. [6.5.3]"""
        return tuple(id for id, sector in self.sectors.items() if sector.objective)

    @cached_property
    def airfields(self) -> tuple[str, ...]:
        """The sectors with an airfield. [6.5.2]"""
        return tuple(id for id, sector in self.sectors.items() if sector.airfield)

    @cached_property
    def supply_points(self) -> tuple[str, ...]:
        """The sectors with a crate. [6.5.5]"""
        return tuple(id for id, sector in self.sectors.items() if sector.loss)

    @cached_property
    def emplacements(self) -> Mapping[str, Kind]:
        """The sectors with an emplacement, and the gun that belongs there. [6.5.4]"""
        return {id: sector.gun for id, sector in self.sectors.items() if sector.gun}

    # --- time, supplies, victory ---

    @cached_property
    def order(self) -> tuple[Army, ...]:
        """The armies in turn order. [OP-C.4]"""
        return self.campaign.order

    @property
    def periods(self) -> int:
        """The number of periods."""
        return self.campaign.periods

    def night(self, period: int) -> bool:
        """Whether a period is a night. [R72]"""
        return (period % 2 == 1) == self.campaign.first_night

    def date(self, period: int) -> str:
        """A period in words. [7.1.3]"""
        day = self.campaign.first_day + (period - (not self.campaign.first_night)) // 2
        return f"{day} Feb {'Night' if self.night(period) else 'Day'}"

    def stock(self, army: Army) -> Stock:
        """What an army starts with and may hold."""
        return self.stocks[army]

    def collect(self, army: Army, period: int) -> int:
        """The supplies of an army in a period. [8.5.2]"""
        return self.stocks[army].collect[period - 1]

    def due(self, army: Army, period: int) -> tuple[str, ...]:
        """The units that an army receives in a period. [8.5.1]"""
        return tuple(id for id, unit in self.units.items() if unit.army == army and unit.due == period)

    def deck(self, of: Side) -> tuple[str, ...]:
        """The ids of a deck, one a copy."""
        return tuple(card.id for card in self.cards.values() if card.deck == of for _ in range(card.copies))


def board(tables: Data, scenario: str) -> Board:
    """What a campaign is played with. Raises `Trouble` where the data have no such campaign."""
    campaign = next((row for row in tables[CAMPAIGN] if row.id == scenario), None)
    if campaign is None:
        raise Trouble(f"the data have no campaign named {scenario}", "see [[campaign]] in data/")
    goals: dict[Army, tuple[Goal, ...]] = {}
    for army in campaign.order:
        own = [goal for goal in tables[GOAL] if goal.campaign == scenario and goal.army == army]
        goals[army] = tuple(sorted(own, key=lambda goal: LEVELS.index(goal.level)))
    return Board(
        campaign=campaign,
        charts=charts(tables),
        sectors={sector.id: sector for sector in tables[SECTOR]},
        outlines={row.id: row.shape for row in tables[OUTLINE]},
        steps=_steps(tables),
        lines={(line.out, line.into, mode): line.bonus for line in tables[LINE] for mode in line.modes},
        line_names={(line.out, line.into): line.name for line in tables[LINE]},
        axes={axis.id: axis for axis in tables[AXIS]},
        units={unit.unit: unit for unit in tables[PLACE] if unit.campaign == scenario},
        stocks={stock.army: stock for stock in tables[STOCK] if stock.campaign == scenario},
        deals={deal.deck: deal for deal in tables[DEAL] if deal.campaign == scenario},
        goals=goals,
        cards={card.id: card for card in tables[CARD]},
    )


def _steps(tables: Data) -> Mapping[str, tuple[Step, ...]]:
    """The steps out of every sector and Axis."""
    found: dict[str, list[Step]] = {sector.id: [] for sector in tables[SECTOR]}
    found |= {axis.id: [] for axis in tables[AXIS]}
    for border in tables[BORDER]:
        found[border.a].append(Step(border.b, border.way, border.bonus))
        found[border.b].append(Step(border.a, border.way, border.bonus))
    for landing in tables[LANDING]:
        found[landing.axis].append(_landing(landing))
    return {id: tuple(sorted(steps)) for id, steps in found.items()}


def _landing(landing: Landing) -> Step:
    return Step(landing.sector, "water", landing.bonus)
