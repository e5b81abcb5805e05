"""Points and levels of victory. [12.0]"""

from __future__ import annotations

from pbem.api import Note, Outcome, Tell
from rules.singapore_1984.rows import Level
from rules.singapore_1984.state import DEAD, State


def rate(s: State, unit: str) -> int:
    """Points for each strength point of a unit: for Japan's account, so less than 0 for its own. [12.4-cw, 12.4-jp]

    Losses of optional units count like any other; what they cost is counted when they are shown. [12.4-inc, R86]
    """
    row = s.board.units[unit]
    if row.guard:
        return s.board.awards["jp-guard"]
    return s.board.awards[f"{row.side}-{'armor' if row.arm == 'armor' else 'infantry'}"]


def worth(s: State, unit: str) -> int:
    """What the loss of the unit as it stands scores. [12.21b, R61]"""
    return rate(s, unit) * s.board.worth(unit, s.pieces[unit].reduced)  # [12.21b]


def score(s: State, cause: str, points: int) -> None:
    """Points for Japan, with what they are for."""
    s.points += points  # [12.21a]
    s.account[cause] = s.account.get(cause, 0) + points


def lose_step(s: State, unit: str, tell: Tell, clause: str) -> None:
    """A unit is reduced, or eliminated where it was reduced; the strength that goes scores. [9.52a, 12.21a, R61]"""
    before = worth(s, unit)
    if s.pieces[unit].reduced:
        kill(s, unit, tell, clause)
        return
    s.change(unit, reduced=True)  # [9.52a]
    score(s, f"losses-{s.side(unit)}", before - worth(s, unit))
    tell(Note("reduced", {"unit": unit}, (clause,)))


def kill(s: State, unit: str, tell: Tell, clause: str) -> None:
    """A unit is eliminated for good. [9.52b, 12.21a]"""
    score(s, f"losses-{s.side(unit)}", worth(s, unit))
    s.change(unit, at=DEAD, origin="", port="")
    tell(Note("eliminated", {"unit": unit}, (clause,)))


def level(s: State, captured: bool) -> Level:
    """The level for the points there are. [12.11, 12.12b, R60]"""
    levels = s.board.levels
    open_ = [one for one in levels if captured or not one.captured]
    return next((one for one in open_ if s.points >= one.least), open_[-1])  # [12.11]: the last has no floor


LEVELS = {
    "jp-decisive": "Japanese decisive victory",
    "jp-substantive": "Japanese substantive victory",
    "jp-marginal": "Japanese marginal victory",
    "cw-marginal": "Commonwealth marginal victory",
    "cw-substantive": "Commonwealth substantive victory",
    "cw-decisive": "Commonwealth decisive victory",
    "resigned": "the other side gave up",
}


def outcome(s: State) -> Outcome | None:
    """The result in words. [12.11]"""
    if s.result is None:
        return None
    winner, level, clause = s.result
    points = "" if level == "resigned" else f", {s.points} points"
    return Outcome(winner, f"{LEVELS[level]}{points}", (clause,))
