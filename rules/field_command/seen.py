"""What one reader may see of a position: filled from state and known slots, drawn and told by `picture`.

Places are ids of sectors and Axes, and "off_map", "repair" and "pool" for what waits off the map.
Bonuses and results of a round are halves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from rules.field_command.components import Board, Charts
from rules.field_command.rows import Army, Kind

Condition = Literal["", "airborne", "fatigued", "spent", "suppressed", "eliminated", "withdrawn", "captured"]


@dataclass(frozen=True, slots=True)
class Stand:
    """A unit and where it is; `army` is who has it now, `spent` one that has had its one action or mission."""

    id: str
    army: Army
    kind: Kind
    where: str
    condition: Condition = ""


@dataclass(frozen=True, slots=True)
class Moved:
    """A way that was gone in the last turn, the first place left behind; `fire` goes straight to its target."""

    army: Army
    places: tuple[str, ...]
    how: Literal["move", "attack", "retreat", "fire", "fly"] = "move"


@dataclass(frozen=True, slots=True)
class Fighter:
    """A unit of a battle. `dice` are what it rolls now, `used` its attacks, `place` where it is on the Combat Board."""

    id: str
    army: Army
    kind: Kind
    dice: tuple[int, ...]
    used: int = 0
    condition: Condition = ""


@dataclass(frozen=True, slots=True)
class Rolls:
    """The last dice: what they were for, faces on either side, and the result in words."""

    title: str
    attack: tuple[int, ...]
    defence: tuple[int, ...]
    words: str


@dataclass(frozen=True, slots=True)
class Battle:
    """The Combat Board: lines with the point first, what flies and what strikes, and what has left the lines.

    `bonus` is the defender's, in halves; `paired`: whether the attacker's second unit supports the first.
    `step` says in words what is waited for.
    """

    charts: Charts
    title: str
    attacker: Army
    defender: Army
    step: str
    bonus: int = 0
    tactic: str = ""
    paired: bool = False
    rounds: int = 0
    face_off: int = 0
    attack_line: tuple[Fighter, ...] = ()
    defence_line: tuple[Fighter, ...] = ()
    attack_air: tuple[Fighter, ...] = ()
    defence_air: tuple[Fighter, ...] = ()
    attack_strikes: tuple[Fighter, ...] = ()
    defence_strikes: tuple[Fighter, ...] = ()
    gone: tuple[Fighter, ...] = ()
    rolls: tuple[Rolls, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    result: str = ""


class Sign(NamedTuple):
    """What a card in force changes on the map: a road that is cut, mere water that is bridged, a sector nobody enters.

    `places` are the two sectors of a border, or the one sector.
    """

    does: Literal["cut", "bridged", "shut"]
    places: tuple[str, ...]
    told: str


@dataclass(frozen=True, slots=True)
class Seen:
    """A campaign as one reader sees it; `reader` is empty for the public.

    `step` says in words what is waited for; `army` is the active one.
    `supplies` holds only what the reader may know, `hand` the reader's cards, `hands` how many each army has.
    """

    board: Board
    period: int
    army: Army
    step: str
    reader: str = ""
    control: Mapping[str, Army] = field(default_factory=dict)
    contested: frozenset[str] = frozenset()
    units: tuple[Stand, ...] = ()
    moves: tuple[Moved, ...] = ()
    supplies: Mapping[Army, int] = field(default_factory=dict)
    hand: tuple[str, ...] = ()
    hands: Mapping[Army, int] = field(default_factory=dict)
    events: tuple[str, ...] = ()
    signs: tuple[Sign, ...] = ()
    battles: tuple[Battle, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    result: str = ""

    def at(self, place: str) -> tuple[Stand, ...]:
        """The units of a place: the controlling army first, then by type and number."""
        kinds = list(self.board.charts.kinds)
        holder = self.control.get(place, "")
        there = [unit for unit in self.units if unit.where == place]
        return tuple(sorted(there, key=lambda u: (u.army != holder, u.army, kinds.index(u.kind), _number(u.id))))


def _number(id: str) -> int:
    """The running number at the end of a unit's name."""
    return int(id.rpartition("-")[2] or 0)
