"""What a reader may see of a position."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Grid, Known, View
from rules.singapore_1984.state import AWAY, PLAYERS, State
from rules.singapore_1984.victory import outcome

SIDES = {"jp": "Japan", "cw": "Commonwealth"}


def view(s: State, seat: str, known: Known) -> View:
    """Headline, facts and tables."""
    result = outcome(s)
    head = result.words if result is not None else f"{SIDES[s.active]}, {s.phase}"
    pulse = f", pulse {s.pulse}" if s.pulse else ""
    return View(f"Turn {s.turn} ({s.board.dates[s.turn]}){pulse}: {head}", tuple(facts(s)), tuple(grids(s)))


def facts(s: State) -> Iterator[tuple[str, str]]:
    """Points, Force Z, shipping."""
    yield "points", str(s.points)
    yield "Force Z", s.forcez
    yield "shipping of Penang", s.shipping


def grids(s: State) -> Iterator[Grid]:
    """Who stands where, and what comes."""
    for side in PLAYERS:
        rows = tuple(
            (s.board.name(piece.at) if piece.at not in AWAY else piece.at, id, str(s.face(id)))
            for id, piece in s.pieces.items()
            if s.side(id) == side
        )
        yield Grid(SIDES[side], ("where", "unit", "strength"), rows)
