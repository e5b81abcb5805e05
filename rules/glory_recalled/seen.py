"""What one reader may see of a position: filled from state and known slots, drawn and told by `picture`.

Places are ids of spaces and landing boxes, and "reserve" and "aside" for what waits off the map.
Seats are "japan" and "british", points are halves, cards are ids of data/cards.toml.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rules.glory_recalled.components import Board

What = Literal["unit", "leader", "dummy", "hidden"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A counter: `hidden` where the reader may not look under it.

    `name` is what orders call it: the id of a unit, leader or dummy, the slot of a hidden one.
    `strength` is what it counts now, ground and cards apart: CS, leadership; None where that is not known.
    """

    seat: str
    what: What
    name: str
    strength: int | None = None
    disrupted: bool = False
    spent: bool = False
    unsupplied: bool = False
    replacement: bool = False


@dataclass(frozen=True, slots=True)
class Moved:
    """A way that was gone in the last action of either side: the spaces touched, the first one left behind."""

    seat: str
    spaces: tuple[str, ...]
    how: Literal["move", "attack", "retreat"] = "move"


@dataclass(frozen=True, slots=True)
class Combat:
    """A combat under way: each line says what counts, for the attacker and for the defender (None: nothing).

    `space` is the target; `stage` says in words what is waited for ("cards are chosen").
    """

    space: str
    attacker: str
    stage: str
    lines: tuple[tuple[str, int | None, int | None], ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """A position as one seat sees it; `reader` is empty for the public.

    `step` says in words what the game is at ("action phase, round 3").
    `control` has the holder of every pier, battery, reservoir, objective and the HQ.
    `markers` are the spaces with a Japanese control marker.
    `hand` are the reader's cards, `hands`, `decks`, `discards` and `aside` how many cards there are by seat.
    `effects` are lasting events in words ("Heavy Rain: minor paths cost 3 MP").
    `standing` are standing orders by seat, as they were given. `facts` are further lines for the head of the report.
    """

    board: Board
    turn: int
    step: str
    reader: str = ""
    pieces: Mapping[str, tuple[Piece, ...]] = field(default_factory=dict)
    forts: frozenset[str] = frozenset()
    beachheads: frozenset[str] = frozenset()
    destroyed: frozenset[str] = frozenset()
    markers: frozenset[str] = frozenset()
    control: Mapping[str, str] = field(default_factory=dict)
    points: Mapping[str, int] = field(default_factory=dict)
    hand: tuple[str, ...] = ()
    hands: Mapping[str, int] = field(default_factory=dict)
    decks: Mapping[str, int] = field(default_factory=dict)
    discards: Mapping[str, int] = field(default_factory=dict)
    aside: Mapping[str, int] = field(default_factory=dict)
    fallen: bool = False
    landed: bool = False
    effects: tuple[str, ...] = ()
    moves: tuple[Moved, ...] = ()
    standing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    combats: tuple[Combat, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    result: str = ""

    def at(self, place: str) -> tuple[Piece, ...]:
        """The pieces of a place, those that fight first."""
        pieces = self.pieces.get(place, ())
        if len(pieces) < 2:
            return pieces
        return tuple(sorted(pieces, key=lambda piece: (piece.what == "leader", piece.name)))
