"""The state of a campaign, and questions that every chapter asks of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

from rules.field_command.components import Board, allies, side
from rules.field_command.rows import Army, Family, Kind, Mode, Role
from rules.field_command.state import Fight

if TYPE_CHECKING:
    from rules.field_command.campaign.cards import Cards

Phase = Literal["planning", "cover", "battles", "supply", "draw", "discard", "over"]
"""What an army's turn waits for: its Planning Stage, defensive barrages, battles; with Situation Cards also supply
cards, drawing and discarding; the rest goes by itself."""

Step = Literal["land", "fly", "move", "fire"]
"""Phases 1 to 4 within the Planning Stage; an order of a later one ends those before it."""
STEPS: tuple[Step, ...] = ("land", "fly", "move", "fire")

Mark = Literal["", "moved", "fired", "defended", "landed", "mission"]
"""What a unit has done in this army's turn; for aircraft, that it has just landed or flies a special mission."""

REPAIR, POOL, OUT, HELD = "repair", "pool", "out", "held"
"""Places off the map: the Repair Box, units to come, units that are lost, guns silenced in a battle that goes on."""


class Unit:
    """A unit: who has it, whose charts it uses, where it is, whether it is in the air, what it has done."""

    __slots__ = ("air", "army", "id", "kind", "mark", "origin", "where")

    def __init__(self, id: str, army: Army, kind: Kind, origin: Army, where: str) -> None:
        self.id = id
        self.army = army
        self.kind = kind
        self.origin = origin
        self.where = where
        self.air = False
        self.mark: Mark = ""

    def copy(self) -> Unit:
        """The same unit in another state."""
        new = Unit.__new__(Unit)
        new.id, new.army, new.kind, new.origin = self.id, self.army, self.kind, self.origin
        new.where, new.air, new.mark = self.where, self.air, self.mark
        return new

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unit) and all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]


class Entry(NamedTuple):
    """A ground unit that came into a sector with enemy ground units this turn."""

    unit: str
    out: str
    into: str
    mode: Mode


class Direction(NamedTuple):
    """A way by which attackers came into a contested sector, remembered while it is contested. [R27]"""

    sector: str
    out: str
    mode: Mode


class Barrage(NamedTuple):
    """A gun that fires into a sector this turn."""

    gun: str
    sector: str


class Loss(NamedTuple):
    """A supply point that was lost, and by whom to whom. [14.4.1]"""

    sector: str
    loser: Army
    captor: Army


class Leaving(NamedTuple):
    """A unit that must leave the sector of the battle, and in which role it fought."""

    unit: str
    role: Role


class Held(NamedTuple):
    """An army that may win at the start of its next turn: since which army turn. [R63]"""

    army: Army
    since: int


class Standing(NamedTuple):
    """A plan for every battle of a seat in a role, or for those in one sector; `place` is "any" or a sector. [R99]"""

    seat: str
    role: Role
    place: str
    rules: tuple[str, ...]


class Ended(NamedTuple):
    """How the campaign ended: the armies that have won, and by which clause."""

    armies: tuple[Army, ...]
    clause: str


class War:
    """A campaign.

    `turn` counts army turns from 1 [7.1.1]; `covering` are armies that may still declare defensive barrages;
    `battles` what is still to be fought, `sector` where `fight` is; `done` how many of its losses are carried out.
    `cards` is None without Situation Cards.
    """

    __slots__ = (
        *("barrages", "battles", "board", "contested", "control", "covering", "directions", "done", "ended", "entries"),
        *("fight", "leaving", "losses", "marks", "options", "phase", "seats", "sector", "standing", "step", "supplies"),
        *("cards", "turn", "units"),
    )

    def __init__(self, board: Board, seats: Mapping[Army, str], options: Mapping[str, str]) -> None:
        self.board = board
        self.seats = seats
        self.options = options
        self.turn = 1
        self.phase: Phase = "planning"
        self.step: Step = "land"
        self.units: dict[str, Unit] = {}
        self.control: dict[str, Army] = {}
        self.contested: set[str] = set()
        self.entries: tuple[Entry, ...] = ()
        self.directions: set[Direction] = set()
        self.barrages: tuple[Barrage, ...] = ()
        self.supplies: dict[Army, int] = {}
        self.losses: tuple[Loss, ...] = ()
        self.covering: tuple[Army, ...] = ()
        self.battles: tuple[str, ...] = ()
        self.sector = ""
        self.fight: Fight | None = None
        self.done = 0
        self.leaving: tuple[Leaving, ...] = ()
        self.marks: tuple[Held, ...] = ()
        self.standing: tuple[Standing, ...] = ()
        self.ended: Ended | None = None
        self.cards: Cards | None = None

    def copy(self) -> War:
        """Another campaign that can be played on by itself."""
        new = War(self.board, self.seats, self.options)
        for name in self.__slots__:
            setattr(new, name, getattr(self, name))
        new.units = {id: unit.copy() for id, unit in self.units.items()}
        new.control, new.supplies = dict(self.control), dict(self.supplies)
        new.contested, new.directions = set(self.contested), set(self.directions)
        new.fight = self.fight.copy() if self.fight else None
        new.cards = self.cards.copy() if self.cards else None
        return new

    def __deepcopy__(self, _: object) -> War:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, War) and all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]

    # --- time and seats ---

    @property
    def period(self) -> int:
        """The period of the calendar, from 1. [7.1.3]"""
        # [7.2.1, OP-C.8]
        return (self.turn - 1) // len(self.board.order) + 1

    @property
    def army(self) -> Army:
        """The army whose turn it is."""
        return self.board.order[(self.turn - 1) % len(self.board.order)]

    @property
    def with_supplies(self) -> bool:
        """Whether supplies are used. [8.2.2]"""
        return self.options["supplies"] == "yes"

    def armies_of(self, seat: str) -> tuple[Army, ...]:
        """The armies that a seat plays."""
        return tuple(army for army in self.board.order if self.seats[army] == seat)


def begin(board: Board, seats: Mapping[Army, str], options: Mapping[str, str]) -> War:
    """Everybody stands as the Deployment Orders say, with the supplies of the start. [8.2.1, 8.2.2, 8.2.4]"""
    w = War(board, seats, options)
    for row in board.units.values():
        # [OP-C.1, OP-C.3, 8.2.4]
        w.units[row.unit] = Unit(row.unit, row.army, row.kind, row.army, POOL if row.due else row.where)
    # [6.6.1]: every sector has one, none is neutral
    w.control = {id: sector.owner for id, sector in board.sectors.items()}
    # [OP-C.2]
    w.supplies = {army: board.stock(army).supplies for army in board.order}
    return w


# --- questions ---


def family(w: War, unit: Unit) -> Family:
    """The basic type of a unit. [2.1]"""
    return w.board.charts.family(unit.kind)


def is_ground(w: War, unit: Unit) -> bool:
    """Whether it is a ground unit. [2.2.a]"""
    return unit.kind not in w.board.charts.aircraft


def foes(a: Army, b: Army) -> bool:
    """Whether two armies are enemies."""
    return side(a) != side(b)


def ground(w: War, place: str, army: Army | None = None) -> Iterator[Unit]:
    """The ground units of a place, of one army or of all."""
    aircraft = w.board.charts.aircraft
    there = [unit for unit in w.units.values() if unit.where == place and unit.kind not in aircraft]
    return iter(there if army is None else [unit for unit in there if unit.army == army])


def enemies(w: War, place: str, army: Army) -> bool:
    """Whether an enemy ground unit is there."""
    return any(foes(unit.army, army) for unit in ground(w, place))


def ally_inside(w: War, place: str, army: Army) -> bool:
    """Whether a unit of an ally is there, on the ground or in the air. [6.6.3]"""
    friends = allies(army)
    return any(unit.army in friends for unit in [unit for unit in w.units.values() if unit.where == place])


def flying(w: War, place: str, army: Army) -> tuple[Unit, ...]:
    """The airborne aircraft of an army over a sector."""
    return tuple([unit for unit in w.units.values() if unit.air and unit.where == place and unit.army == army])


def count(w: War, place: str, army: Army) -> int:
    """The ground units of an army in a place."""
    return len(list(ground(w, place, army)))


def full(w: War, place: str, army: Army) -> bool:
    """Whether no further ground unit of the army may stop there; an Axis is never full. [6.2.3, 6.4.2.e]"""
    # [6.4.2.e]
    return place in w.board.sectors and count(w, place, army) >= w.board.charts.game.stacking


def attacked(w: War) -> tuple[str, ...]:
    """Uncontested sectors that were attacked this turn."""
    return tuple(dict.fromkeys(one.into for one in w.entries if one.into not in w.contested))


def attacks(w: War, sector: str, army: Army) -> bool:
    """Whether the army attacks in this sector, which it does not control. [4.1.3]"""
    return foes(w.control[sector], army) and any(True for _ in ground(w, sector, army))


def fields_of_battle(w: War) -> tuple[str, ...]:
    """Where the active army will fight as attacker this turn. [8.4.2.1]"""
    there = {*w.contested, *attacked(w)}
    if not there:
        return ()
    return tuple(id for id in w.board.sectors if id in there and attacks(w, id, w.army))


def name(w: War, place: str) -> str:
    """A place by name."""
    return "the Repair Box" if place == REPAIR else w.board.name(place)


def in_play(unit: Unit) -> bool:
    """Whether a unit is in play, wherever it is."""
    return unit.where not in (OUT, POOL)


def has_airfield(w: War, army: Army) -> bool:
    """Whether an army has an airfield to go to. [12.3.7]"""
    return army == "J" or any(w.control[id] == army for id in w.board.airfields)
