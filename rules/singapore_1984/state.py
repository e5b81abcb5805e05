"""What the rules remember between two orders.

Hexes of the inset begin with `i`. A piece that stands on no map is in the `pool` (not yet entered), `off` the map (it
may come back), `dead`, or, where options are sealed, `sealed` and perhaps `out` of the game.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

from pbem.api import Illegal
from rules.kit.hexes import Hex
from rules.singapore_1984.board import Board
from rules.singapore_1984.rows import Face, Player

Phase = Literal["reinforce", "move", "combat", "over"]

JP: Final = "jp"
CW: Final = "cw"
PLAYERS: tuple[Player, ...] = ("jp", "cw")
POOL, OFF, DEAD, SEALED, OUT = "pool", "off", "dead", "sealed", "out"
"""Where a unit is that stands on no map; `sealed`: optional, and nobody has shown whether it was listed. [13.1c]"""
AWAY = frozenset({POOL, OFF, DEAD, SEALED, OUT})
SINGAPORE: Final = "1826"
PENANG: Final = "0109"
KUALA: Final = "0719"
KEPPEL: Final = "i2105"
"""Where the Commonwealth lands once the assault has begun. [5.54b, 11.13a]"""
NORTH: Final = "0101"
"""Where the railroad from Siam comes in: source of Japanese supply. [10.32, 5.45a]"""


class Piece(NamedTuple):
    """A unit: where it is, whether reduced, whether it was out of supply when last asked, what it did in this phase.

    `moved`: has used its move (or landed for good). `late`: came into its hex by a retreat of this phase. [9.58]
    `origin`, `port`: of a unit that waits at sea to assault a port. [6.14] `back`: the first turn it may return.
    """

    at: str  # [2.1c]
    reduced: bool = False
    oos: bool = False
    moved: bool = False
    late: bool = False
    origin: str = ""
    port: str = ""
    back: int = 0

    def __deepcopy__(self, _: object) -> Piece:
        return self


@dataclass(slots=True)
class Attack:
    """One declared attack: the hexes, the units, air points of both sides, how it stands."""

    hexes: tuple[Hex, ...]
    units: tuple[str, ...]
    air: int = 0
    defence_air: int = 0


@dataclass(slots=True)
class Battle:
    """The attack under way and what is still owed of its result.

    `stages` are done one after the other: `retreat jp 2`, `lose jp 13` (strength), `landing 2`, `advance`.
    Within a retreat: `units` have still to go; `stood` are those of the stack in `hex` that cannot, `missing` the most
    hexes that one of them lacks, `steps` what the stack has still to lose; `sailing` stopped short in a port to be
    evacuated from it, by `short` hexes. `paths` are the ways of retreat, from the
    hex that was attacked on; `gone` those who retreated, `aside` those who made room, `advanced` those who followed.
    """

    attack: Attack
    mode: Literal["maneuver", "assault", ""] = ""
    column: int = 0
    modifier: int = 0
    die: int = 0
    result: str = ""
    defence: int = 0
    stages: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    hex: str = ""
    stood: tuple[str, ...] = ()
    missing: int = 0
    steps: int = 0
    sailing: tuple[str, ...] = ()
    short: int = 0
    paths: tuple[tuple[Hex, ...], ...] = ()
    gone: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    advanced: tuple[str, ...] = ()


class Sail(NamedTuple):
    """A sea move that was ordered and may be intercepted: unit, ports (`off` for none), the march, where it waits."""

    unit: str
    origin: str
    port: str
    how: Literal["sea", "land", "assault"]
    then: tuple[Hex, ...] = ()
    at: str = ""
    step: str = ""


class Seen:
    """What was found out about where units stand: for a side until one of its units changes, for both until any does.

    A copy of the state begins with nothing.
    """

    __slots__ = ("both", "cw", "jp")

    def __init__(self) -> None:
        self.jp: dict[Hashable, Any] = {}
        self.cw: dict[Hashable, Any] = {}
        self.both: dict[Hashable, Any] = {}

    def of(self, side: Player) -> dict[Hashable, Any]:
        """What is known of one side."""
        return self.jp if side == "jp" else self.cw

    def __deepcopy__(self, _: object) -> Seen:
        return Seen()


@dataclass(slots=True)
class State:
    """The game; `position` writes all of it down, but for what was `seen`, which follows from the rest.

    Units are changed by `change` alone, so that nothing is remembered of where they stood.
    """

    board: Board
    options: Mapping[str, str]
    pieces: dict[str, Piece] = field(default_factory=dict)
    turn: int = 1  # [3.0e]
    active: Player = "jp"
    phase: Phase = "reinforce"
    step: str = "dawn"
    control: dict[Hex, Player] = field(default_factory=dict)
    at_start: dict[Hex, Player] = field(default_factory=dict)
    captured: dict[Hex, int] = field(default_factory=dict)
    through: dict[Hex, Player] = field(default_factory=dict)
    points: int = 0
    account: dict[str, int] = field(default_factory=dict)
    used: dict[str, int] = field(default_factory=dict)
    passed: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    assault: int = 0
    pulse: int = 0
    acted: tuple[str, ...] = ()
    forcez: Literal["alive", "destroyed", "withdrawn"] = "alive"
    shipping: Literal["unresolved", "roll", "intact", "destroyed"] = "unresolved"
    penang_fought: bool = False
    penang_turn: int = 0
    sail: Sail | None = None
    unrolled: tuple[str, ...] = ()
    attacks: list[Attack] = field(default_factory=list)
    battle: Battle | None = None
    ending: Literal["", "taken", "held"] = ""
    result: tuple[str, str, str] | None = None
    # the optional rules: what is sealed in which slot, what was opened, and what came of it
    slots: dict[str, str] = field(default_factory=dict)
    opened: dict[str, str] = field(default_factory=dict)
    fresh: str = ""
    matador: Literal["", "now", "done"] = ""
    kuala: Literal["", "fought", "left"] = ""
    added: dict[str, int] = field(default_factory=dict)
    flown: int = 0
    forts: dict[Hex, tuple[str, ...]] = field(default_factory=dict)
    standing: dict[str, tuple[str, ...]] = field(default_factory=dict)
    seen: Seen = field(default_factory=Seen, compare=False, repr=False)

    def change(self, unit: str, **to: Any) -> None:
        """A unit moves, loses strength, or is marked."""
        self.pieces[unit] = self.pieces[unit]._replace(**to)
        if "at" in to or "reduced" in to or "oos" in to:
            self.seen.of(self.side(unit)).clear()
            self.seen.both.clear()

    def unmark(self) -> None:
        """What units did in this phase is over."""
        for unit, piece in self.pieces.items():
            if piece.moved or piece.late:
                self.pieces[unit] = piece._replace(moved=False, late=False)

    def forget(self) -> None:
        """Something else has changed on which lines of supply and ways of retreat rest."""
        self.seen.both.clear()

    # --- the optional rules ---

    def on(self, item: str) -> bool:
        """Whether an optional rule acts: its slot was opened, and it was listed. [13.0b]"""
        return self.opened.get(item) == "yes"

    def allowance(self, unit: str) -> int:
        """Movement points of a unit; Dalforce takes two from Japan's on the large map. [2.3h, 13.7a, R57]"""
        points = self.face(unit).allowance  # [2.3h, 13.7a]
        slowed = self.on("13.7") and self.kuala != "left" and self.side(unit) == JP and not self.on_inset(unit)
        return points - self.board.game.dalforce if slowed else points

    def cost(self, a: Hex, b: Hex, side: Player) -> int | None:
        """The movement points of a step to a neighbour; None where there is none. [5.25, 13.43, R56]"""
        points = self.board.step(a, b, side)
        more = self.rivers(side) if self.opened else 0
        return points + more if points is not None and more and self.board.edge(a, b).river else points

    def rivers(self, side: Player) -> int:
        """What a river costs more than the map says. [13.43, R56]"""
        return self.board.game.river_engineers if side == JP and self.on("13.43") else 0

    # --- who stands where ---

    def side(self, unit: str) -> Player:
        """Whose unit."""
        return self.board.units[unit].side

    def face(self, unit: str) -> Face:
        """The face that is up."""
        return self.board.units[unit].faces[int(self.pieces[unit].reduced)]

    def _stands(self, side: Player) -> Mapping[Hex, tuple[str, ...]]:
        """The units of a side by the hex of a map where they stand, in the order of the counters."""
        seen = self.seen.of(side)
        found: dict[Hex, tuple[str, ...]] | None = seen.get("stands")
        if found is None:
            found = seen["stands"] = {}
            pieces = self.pieces
            for id in self.board.army[side]:
                at = pieces[id].at if id in pieces else DEAD
                if at not in AWAY:
                    found[at] = (*found[at], id) if at in found else (id,)
        return found

    def on_map(self, side: Player | None = None) -> tuple[str, ...]:
        """The units on either map, at sea too, in the order of the counters."""
        if side is None:
            return tuple(id for id, piece in self.pieces.items() if piece.at not in AWAY)
        seen = self.seen.of(side)
        found: tuple[str, ...] | None = seen.get("on_map")
        if found is None:
            found = tuple([id for id in self.board.army[side] if id in self.pieces and self.pieces[id].at not in AWAY])
            seen["on_map"] = found
        return found

    def at(self, hex: Hex, side: Player | None = None) -> tuple[str, ...]:
        """The units in a hex of a map, in the order of the counters; without a side Japan's first."""
        if side is None:
            return self.at(hex, "jp") + self.at(hex, "cw")
        return self._stands(side).get(hex, ())

    def held(self, hex: Hex, side: Player) -> bool:
        """Whether a unit of the side stands there."""
        return hex in self._stands(side)

    def occupied(self, side: Player) -> frozenset[Hex]:
        """The hexes where a unit of the side stands."""
        seen = self.seen.of(side)
        found: frozenset[Hex] | None = seen.get("occupied")
        if found is None:
            found = seen["occupied"] = frozenset(self._stands(side))
        return found

    def stack(self, hex: Hex) -> int:
        """Stacking points in a hex; on the inset they count double. [7.11, 11.51]"""
        return self.load("jp").get(hex, 0) + self.load("cw").get(hex, 0)

    def load(self, side: Player) -> Mapping[Hex, int]:
        """The stacking points of a side by the hex of a map where it stands. [7.11, 11.51]"""
        seen = self.seen.of(side)
        found: dict[Hex, int] | None = seen.get("load")
        if found is None:
            board, pieces, inset = self.board, self.pieces, self.board.game.island_factor
            found = seen["load"] = {}
            for hex, units in self._stands(side).items():
                points = sum([board.points(id, pieces[id].reduced) for id in units])
                found[hex] = points * inset if hex[0] == "i" else points
        return found

    def at_sea(self, unit: str) -> bool:
        """Whether it waits in a sea hex to assault. [9.71]"""
        return self.board.letters.get(self.pieces[unit].at) == "."  # [9.71]

    def on_inset(self, unit: str) -> bool:
        """Whether it stands on the inset."""
        return self.pieces[unit].at.startswith("i")

    def acts(self, unit: str) -> bool:
        """Whether it takes part now: those of the inset in pulses, others in the normal part. [11.0g, 11.0i, R54]"""
        return self.on_inset(unit) if self.pulse else not self.on_inset(unit) and unit not in self.acted

    def refuse_idle(self, unit: str) -> Illegal | None:
        """Why it takes no part now."""
        if self.on_inset(unit) != bool(self.pulse):
            return Illegal("pulses are for the inset, the rest of the turn for the large map", ("11.0i",))
        if not self.acts(unit):
            return Illegal(f"{unit} has acted in the pulses of this turn", ("11.0g", "R54"))
        return None

    def reset_turn(self) -> None:
        """What is counted by the turn begins anew; what the Commonwealth did before the first counts for it. [R71]"""
        self.used, self.passed, self.closed, self.acted = {}, (), (), ()

    def look_at_ports(self) -> None:
        """Whose ports they are as the turn begins. [6.0PRd, R23]"""
        self.at_start = dict(self.control)


def foe(side: Player) -> Player:
    """The other side."""
    return "cw" if side == "jp" else "jp"


def begin(board: Board, options: Mapping[str, str], secret: bool = False) -> State:
    """The set-up: the historical one, or with options that both seats seal first. [3.0b, 3.0d]"""
    s = State(board, options)
    s.step = "list-jp" if secret else "dawn"
    for unit in board.units.values():
        if unit.boxed:  # [3.0i, 3.0k, 13.1a]
            if secret:
                s.pieces[unit.id] = Piece(SEALED)
            continue
        s.pieces[unit.id] = Piece(unit.start or POOL)  # [3.0h, 3.0j, 3.0l]
        if unit.start:
            s.through[unit.start] = unit.side  # [R15]
    for hex in board.markers:
        s.control[hex] = "cw"  # [3.0f]
    for hex in SIAM:
        if hex in s.control:
            s.control[hex], s.through[hex] = "jp", "jp"  # [3.0g, R15]
    s.look_at_ports()
    return s


SIAM = ("0302", "0602")
"""Singora and Patani. [3.0g]"""
