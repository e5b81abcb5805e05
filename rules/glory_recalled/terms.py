"""How things are called in reports: dates, points, pieces, ground."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from rules.glory_recalled.components import Board
from rules.glory_recalled.rows import Space, Terrain
from rules.glory_recalled.seen import Piece, Seen

SEATS: Mapping[str, str] = {"japan": "Japanese", "british": "British"}
GROUND: Mapping[Terrain, str] = {
    "clear": "clear",
    "urban": "urban",
    "pier": "pier",
    "gdl": "Line",
    "battery": "battery",
    "heavy_battery": "grey battery",
    "reservoir": "reservoir",
    "hq": "HQ",
}
LAST_OF_DECEMBER = 31
PIECES = 4096
"""So many pieces and stacks are kept in words: from one report to the next most of them are the same."""


def date(turn: int) -> str:
    """The day of a box of the date track: box 10 is December 10. [3.2d]"""
    if turn <= LAST_OF_DECEMBER:
        return f"{turn} December 1941"
    return f"{turn - LAST_OF_DECEMBER} January 1942"


def points(halves: int) -> str:
    """Victory points, which are counted in halves."""
    whole, half = divmod(abs(halves), 2)
    number = f"{whole or ''}\u00bd" if half else str(whole)
    return f"-{number}" if halves < 0 else number


def place(board: Board, id: str) -> str:
    """A space or landing box by code and name; what lies off the map in words."""
    away = {"reserve": "the reserve", "aside": "the landing force"}
    if id in board.boxes:
        return f"landing box {id} {board.boxes[id].name}"
    return f"{id} {board.spaces[id].name}" if id in board.spaces else away.get(id, id)


def ground(space: Space) -> str:
    """What a space is, in words: all its kinds of ground and what else is printed on it."""
    kinds = [GROUND[space.terrain], *(GROUND[kind] for kind in space.also)]
    if space.brown:
        kinds.append("start")
    if space.objective:
        kinds.append("objective")
    if space.coastal and "pier" not in kinds:
        kinds.append("coast")
    return ", ".join(kinds)


def bonus(s: Seen, id: str) -> int:
    """The defence bonus of a space as it is now. [9.2]"""
    if id in s.forts:
        return s.board.bonus["fortified"]
    return s.board.bonus["clear"] if id in s.destroyed else s.board.space_bonus(id)


@lru_cache(PIECES)
def conditions(piece: Piece) -> tuple[str, ...]:
    """What is the matter with a piece, in words."""
    said = {
        "disrupted": piece.disrupted,
        "spent": piece.spent,
        "out of supply": piece.unsupplied,
        "replacement": piece.replacement,
    }
    return tuple(word for word, true in said.items() if true)


def full(piece: Piece) -> str:
    """A piece in a sentence: "Japanese 228-3, strength 4, spent"."""
    seat = SEATS[piece.seat]
    if piece.what == "hidden":
        words = [f"{seat} counter, hidden"]
    elif piece.what == "dummy":
        words = [f"{seat} dummy {piece.name}"]
    elif piece.what == "leader":
        words = [f"{seat} leader {piece.name}, leadership {piece.strength}"]
    else:
        words = [f"{seat} {piece.name}, strength {piece.strength}"]
    return ", ".join((*words, *conditions(piece)))


def brief(piece: Piece) -> str:
    """A piece in a table: `228-3 4 DS`; the letters are the first ones of its conditions."""
    letters = "".join(word[0].upper() for word in conditions(piece))
    number = "" if piece.strength is None else f"+{piece.strength}" if piece.what == "leader" else str(piece.strength)
    name = "?" if piece.what == "hidden" else piece.name
    return " ".join(word for word in (name, number, letters) if word)


@lru_cache(PIECES)
def briefly(pieces: tuple[Piece, ...]) -> str:
    """Pieces in a table, hidden ones counted: `? x3, Wallis +2`."""
    hidden = [piece for piece in pieces if piece.what == "hidden" and not conditions(piece)]
    said = [f"? x{len(hidden)}" if len(hidden) > 1 else "?"] if hidden else []
    return ", ".join((*said, *(brief(piece) for piece in pieces if piece not in hidden)))


def markers(s: Seen, id: str) -> Iterator[str]:
    """Markers on a space, in words."""
    if id in s.forts:
        yield "Fortified"
    if id in s.destroyed:
        yield "destroyed"
    if id in s.beachheads:
        yield "Beachhead"
    if id in s.markers:
        yield "Japan control"
