"""Both maps, charts and counters as the rules ask for them. Hexes of the inset have an `i` before their number.

    board = components.board(components.load())

    board.grid("i2105"), .neighbours("1826"), .distance("0719", "1826")     on the map of the hex
    board.ground("0719")                  "city"; "" in the sea and where it is closed
    board.is_sea("1206"), .is_land("1206"), .is_strait("i1605")
    board.cost("0719", "cw")              2; None where the side never enters: the ground, without road and river
    board.edge("0205", "0305")            .road .rail .river .closed .prepared .fortified
    board.step("0205", "0305", "cw")      movement points of a step by road, rail or ground; None where there is none
    board.beside("0205")                  ((neighbour, edge), ...), sea among them
    board.row("0719")                     5, the row of the combat table
    board.column(5, -1)                   0; None below the first column; above +12 counts as +12
    board.result("assault", 8, 3)         "EX"
    board.zone("0411", "jp")              whether the zone of that side's infantry enters the ground
    board.ports, board.airfields, board.places["1616"].coast, board.markers
    board.region("landing"), board.has("landing", "i2105")
    board.units["22AUS"].faces[0].attack, .levels
    board.points("16AUS", reduced=True)   stacking points
    board.worth("16AUS"), .worth("16AUS", reduced=True)      attack and defense together
    board.base[10], board.air[1], board.dates[1], board.awards["penang"]
    board.intercepts("1616", 4), board.strike("forcez", 3)

Sides are "jp" and "cw".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rules.kit import tables
from rules.kit.hexes import Grid, Hex
from rules.kit.hexmap import Way
from rules.singapore_1984.rows import (
    LETTERS,
    Effect,
    Game,
    Ground,
    GroundRow,
    Level,
    Mode,
    Place,
    Player,
    Result,
    Span,
    Unit,
)


class Edge(NamedTuple):
    """What a hexside carries."""

    road: bool = False
    rail: bool = False
    river: bool = False
    closed: bool = False
    prepared: bool = False
    fortified: bool = False


PLAIN = Edge()


class Exit(NamedTuple):
    """A step to a neighbour: its movement points, whether a road or railroad leads there, whether over a river."""

    hex: Hex
    points: int
    linked: bool
    river: bool


@dataclass(frozen=True, eq=False)
class Board:
    """Both maps, charts and counters. It never changes: a copy of a state shares it."""

    game: Game
    grids: Mapping[str, Grid]
    letters: Mapping[Hex, str]
    names: Mapping[Hex, str]
    places: Mapping[Hex, Place]
    ways: Mapping[str, tuple[Way, tuple[Hex, ...]]]
    edges: Mapping[tuple[Hex, Hex], Edge]
    regions: Mapping[str, tuple[Hex, ...]]
    grounds: Mapping[Ground, GroundRow]
    rates: Mapping[Way, int]
    differentials: Mapping[int, tuple[Span, ...]]
    outcomes: Mapping[Mode, tables.Chart[Result]]
    interception: Mapping[Hex, frozenset[int]]
    strikes: Mapping[str, Mapping[int, Effect]]
    dates: Mapping[int, str]
    base: Mapping[int, int]
    air: Mapping[int, int]
    units: Mapping[str, Unit]
    awards: Mapping[str, int]
    levels: tuple[Level, ...]
    counters: Mapping[str, int]

    def __deepcopy__(self, _: object) -> Board:
        return self

    # --- hexes ---

    def grid(self, hex: Hex) -> Grid:
        """The map that the hex lies on."""
        return self.grids["inset" if hex.startswith("i") else "large"]

    def neighbours(self, hex: Hex) -> tuple[Hex, ...]:
        """The hexes beside it on its map, clockwise from the north."""
        return self._around[hex]

    @cached_property
    def _around(self) -> Mapping[Hex, tuple[Hex, ...]]:
        return {hex: grid.neighbours(hex) for grid in self.grids.values() for hex in grid.hexes}

    def distance(self, a: Hex, b: Hex) -> int:
        """Steps between two hexes of one map. KeyError where they lie on different ones."""
        return self.grid(a).distance(a, b)

    def ground(self, hex: Hex) -> Ground | str:
        """The ground of a hex; "" in the sea and on Pulau Ubin."""
        return LETTERS[self.letters[hex]]

    def is_sea(self, hex: Hex) -> bool:
        """All sea; the strait is none."""
        return self.letters[hex] == "."

    def is_strait(self, hex: Hex) -> bool:
        """All water between island and mainland, the Causeway not among it. [11.41a]"""
        return self.letters[hex] == "w"

    def is_land(self, hex: Hex) -> bool:
        """Ground to stand on, the Causeway among it."""
        return self.letters[hex] not in ".w-"  # [5.24b]

    @cached_property
    def everywhere(self) -> frozenset[Hex]:
        """Every hex of both maps."""
        return frozenset(self.letters)

    @cached_property
    def land(self) -> tuple[Hex, ...]:
        """Every land hex of both maps."""
        return tuple(hex for hex in self.letters if self.is_land(hex))

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
        """The hex with what is written there: `1616 Kuantan`."""
        text = self.places[hex].name if hex in self.places else self.names.get(hex, "")
        return f"{hex} {text}" if text else hex

    @cached_property
    def ports(self) -> frozenset[Hex]:
        """Every port, of both maps."""
        return frozenset(place.id for place in self.places.values() if place.port)

    @cached_property
    def airfields(self) -> frozenset[Hex]:
        """Every airfield, of both maps."""
        return frozenset(place.id for place in self.places.values() if place.airfield)

    @cached_property
    def markers(self) -> tuple[Hex, ...]:
        """The hexes of the large map that have a control marker. [3.0f]"""
        return tuple(sorted(hex for hex in self.places if not hex.startswith("i")))

    @cached_property
    def army(self) -> Mapping[Player, tuple[str, ...]]:
        """The units of each side, in the order of the counters."""
        sides: tuple[Player, ...] = ("jp", "cw")
        return {player: tuple(id for id, unit in self.units.items() if unit.side == player) for player in sides}

    # --- hexsides ---

    def edge(self, a: Hex, b: Hex) -> Edge:
        """What the hexside between two neighbours carries."""
        return self.edges.get((a, b), PLAIN)

    def beside(self, hex: Hex) -> tuple[tuple[Hex, Edge], ...]:
        """The neighbours of a hex, sea among them, each with the hexside to it."""
        return tuple([(there, self.edge(hex, there)) for there in self.neighbours(hex)])

    def exits(self, hex: Hex, player: Player) -> tuple[Exit, ...]:
        """The steps that lead out of a hex, clockwise from the north."""
        known = self._exits
        if (hex, player) not in known:
            found = []
            for there in self._around[hex]:
                points, edge = self.step(hex, there, player), self.edge(hex, there)
                if points is not None:
                    found.append(Exit(there, points, edge.road or edge.rail, edge.river))
            known[hex, player] = tuple(found)
        return known[hex, player]

    @cached_property
    def _exits(self) -> dict[tuple[Hex, Player], tuple[Exit, ...]]:
        return {}

    @cached_property
    def linked(self) -> Mapping[Hex, tuple[Hex, ...]]:
        """By hex, the neighbours to which a road or a railroad leads, clockwise from the north."""
        led = {pair for pair, edge in self.edges.items() if edge.road or edge.rail}
        from_ = {a for a, _ in led}
        return {a: tuple(b for b in self.neighbours(a) if (a, b) in led) for a in self.letters if a in from_}

    def cost(self, hex: Hex, player: Player) -> int | None:
        """The movement points of the ground alone; None in the sea and where the side never enters."""
        return self._costs[player][hex]

    @cached_property
    def _costs(self) -> Mapping[Player, Mapping[Hex, int | None]]:
        grounds: Mapping[str, GroundRow] = {row.id: row for row in self.grounds.values()}
        rows = {letter: grounds.get(LETTERS[letter]) for letter in set(self.letters.values())}
        return {
            "jp": {hex: (row.jp or None) if (row := rows[letter]) else None for hex, letter in self.letters.items()},
            "cw": {hex: (row.cw or None) if (row := rows[letter]) else None for hex, letter in self.letters.items()},
        }

    def step(self, a: Hex, b: Hex, player: Player) -> int | None:
        """The movement points of a step to a neighbour: road, railroad, or ground and river. None where there is none.

        [5.12, 5.22a, 5.25, 5.28b]
        """
        edge, ground = self.edges.get((a, b), PLAIN), self._costs[player][b]
        if edge.closed or ground is None:
            return None
        if edge.road:
            return self.rates["road"]  # [5.22a, 5.12, 2.3h]
        if edge.rail:
            return self.rates["rail"]  # [5.22b]
        return ground + int(edge.river)  # [5.25, 5.24c]

    # --- the tables ---

    def row(self, hex: Hex) -> int:
        """The row of the combat table for a defender in the hex; at sea that of the strait. [9.21]"""
        ground = self.ground(hex)
        return self.grounds[ground].row if ground else 1  # type: ignore[index]

    def column(self, row: int, differential: int) -> int | None:
        """The column, counted from 0; None below the lowest. Above the top counts as the top. [9.18a, 9.18b]"""
        heads = tuple(span.low for span in self.differentials[row])
        return tables.column(heads, min(differential, self.game.top_differential))  # [9.18a, 9.4c]

    def result(self, mode: Mode, die: int, column: int) -> Result:
        """The result of a modified die; below 1 is 1, above 8 is 8. [9.31b]"""
        return self.outcomes[mode].at(die, column)  # [9.31b, 9.4b, 9.0GRb]

    def zone(self, hex: Hex, player: Player) -> bool:
        """Whether the zone of the side's infantry enters the hex; it does enter the sea. [8.0GRc, 8.31, 8.32]"""
        ground = self.ground(hex)
        if not ground:
            return self.is_sea(hex)  # [8.0GRc]
        row = self.grounds[ground]  # type: ignore[index]
        return row.cw_zone if player == "cw" else row.jp_zone

    def intercepts(self, port: Hex, die: int) -> bool:
        """Whether this die intercepts at this port. [6.44]"""
        return die in self.interception.get(port, frozenset())

    def strike(self, chart: str, die: int) -> Effect:
        """What `forcez` or `transport` does to the unit. [6.45a, 11.24b]"""
        return self.strikes[chart][die]

    # --- units ---

    def points(self, unit: str, reduced: bool = False) -> int:
        """Stacking points on the large map: reduced infantry counts half, rounded up. [7.11, 7.12]"""
        row = self.units[unit]
        return -(-row.points // 2) if reduced and row.arm != "armor" else row.points  # [7.12, 2.3j]

    def worth(self, unit: str, reduced: bool = False) -> int:
        """Attack and defense together. [2.3g, 12.21b]"""
        face = self.units[unit].faces[int(reduced)]
        return face.attack + face.defense  # [2.3g]
