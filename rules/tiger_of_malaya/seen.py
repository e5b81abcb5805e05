"""What one reader may see of a position: filled from state and known slots, drawn and told by `picture`.

Places are ids of hexes, bridges names of hexsides. Sides are "japan" and "allies".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rules.tiger_of_malaya.components import Board
from rules.tiger_of_malaya.rows import GUNS, ChitKind, Kind, Level, Nation, Player


@dataclass(frozen=True, slots=True)
class Piece:
    """A unit as it stands: `face` is the level that shows.

    `available` is None for all but artillery. `marks` are further words about it ("broken down", "moved").
    """

    side: Player
    name: str
    kind: Kind
    nation: Nation
    face: Level
    supplied: bool = True
    available: bool | None = None
    marks: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return hash(self.name)  # quick: what was made of a stack is found by its pieces

    @property
    def fights(self) -> bool:
        """Whether it takes part in battles as more than a gun or a carrier."""
        return self.kind not in GUNS and bool(self.face.points)


@dataclass(frozen=True, slots=True)
class Moved:
    """A way that was gone in the last impulse: the hexes touched, the first one left behind."""

    side: Player
    hexes: tuple[str, ...]
    how: Literal["move", "retreat", "advance"] = "move"


@dataclass(frozen=True, slots=True)
class Battle:
    """A battle that is declared or fought: where from, and in words at what odds and how it stands."""

    hex: str
    attacker: Player
    origins: tuple[str, ...]
    odds: str = ""
    stage: str = ""
    probe: bool = False


@dataclass(frozen=True, slots=True)
class Plane:
    """An aircraft: `where` it is in words, `hex` where it harasses or stands on an airfield, "" off the map."""

    name: str
    where: str
    hex: str = ""


@dataclass(frozen=True, slots=True)
class Due:
    """Reinforcements that may come now or later: `turn` they are due, `hex` where they enter, `why` they wait."""

    turn: int
    side: Player
    hex: str
    units: tuple[str, ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """A position as one seat sees it; `reader` is empty for the public.

    `step` says in words what the game is at ("impulse 3 of 6, FULL: movement").
    `held` is the land that Japan controls. `destroyed` are bridges and the causeway.
    `drawn` are the chits of this turn in order, `left` how many are in the container, `chosen` the reader's own.
    `looks` are hexes that the detailed sheets should show beside those where something happens.
    """

    board: Board
    turn: int
    step: str
    reader: str = ""
    impulses: int = 0
    pieces: Mapping[str, tuple[Piece, ...]] = field(default_factory=dict)
    held: frozenset[str] = frozenset()
    destroyed: frozenset[str] = frozenset()
    forts: Mapping[str, Player] = field(default_factory=dict)
    drawn: tuple[tuple[Player, ChitKind], ...] = ()
    left: Mapping[Player, int] = field(default_factory=dict)
    chosen: tuple[ChitKind, ...] = ()
    battles: tuple[Battle, ...] = ()
    moves: tuple[Moved, ...] = ()
    planes: tuple[Plane, ...] = ()
    due: tuple[Due, ...] = ()
    drafts: Mapping[Nation, int] = field(default_factory=dict)
    looks: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    result: str = ""

    def at(self, hex: str) -> tuple[Piece, ...]:
        """The pieces of a hex, those that fight first, the strongest before."""
        return ranked(self.pieces.get(hex, ()))

    def points(self, hex: str) -> int:
        """The stacking points of a hex."""
        return sum(piece.face.points for piece in self.pieces.get(hex, ()))

    def holder(self, hex: str) -> Player:
        """Who controls a land hex."""
        return "japan" if hex in self.held else "allies"


def ranked(stack: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The pieces of a hex, those that fight first, the strongest before."""
    return tuple(sorted(stack, key=_rank)) if len(stack) > 1 else stack


def _rank(piece: Piece) -> tuple[bool, bool, int, str]:
    """Fighters before guns, guns before carriers; then by defence and name."""
    return (not piece.fights, not piece.face.points, -piece.face.defence - piece.face.attack, piece.name)


def opening(board: Board, step: str = "set up") -> Seen:
    """A scenario as it is set up, with nothing chosen or drawn."""
    pieces: dict[str, list[Piece]] = {}
    for id, hex in board.setup.items():
        unit, template = board.units[id], board.template(id)
        available = True if template.is_gun else None
        face = board.level(id, board.first(id))
        pieces.setdefault(hex, []).append(Piece(unit.side, id, template.kind, unit.nation, face, True, available))
    return Seen(
        board=board,
        turn=1,
        step=step,
        impulses=board.scenario.weather,
        pieces={hex: tuple(stack) for hex, stack in pieces.items()},
        held=board.start_control,
        destroyed=board.destroyed,
    )
