"""How much a space holds. Markers and dummies do not count, so with closed counters only the owner knows. [8.0]"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.api import Illegal, Known, Owes
from rules.glory_recalled.state import JAPAN, State, counters_at, is_closed, leader_at, unit_of


def capacity(s: State, seat: str, space: str) -> int:
    """Units that a space holds: two, on an own beachhead eight. [8.0-b1, 8.0-b3]"""
    if space in s.board.boxes:
        return s.board.game.box_units
    return s.board.game.beachhead_units if seat == JAPAN and space in s.beachheads else s.board.game.space_units


def room(s: State, seat: str, space: str, known: Known, leaving: Iterable[str] = ()) -> tuple[int, int]:
    """Units that still fit: at least, and at most if the closed counters are dummies as far as they can be."""
    here = [id for id in counters_at(s, space, seat) if id not in leaving]
    units = sum(unit_of(s, id, known) is not None for id in here)
    closed = sum(is_closed(id, known) for id in here)
    free = capacity(s, seat, space)
    return free - units - closed, free - units - max(closed - 1, 0)


def full(s: State, seat: str, space: str, known: Known, leaving: Iterable[str] = ()) -> bool:
    """Whether no unit fits any more, as far as is known."""
    return room(s, seat, space, known, leaving)[0] <= 0


def overstacked(
    s: State, seat: str, arriving: Mapping[str, str], known: Known, clause: str = "8.0-b1"
) -> Illegal | Owes | None:
    """Whether counters (by the space where each ends) break the limit of a space, or may do so behind closed ones."""
    owes: Owes | None = None
    for space in sorted(set(arriving.values())):
        coming = [id for id, to in arriving.items() if to == space]
        verdict = _space(s, seat, space, coming, arriving, known, clause)
        if isinstance(verdict, Illegal):
            return verdict
        owes = verdict or owes
    return owes


def _space(
    s: State, seat: str, space: str, coming: list[str], moving: Mapping[str, str], known: Known, clause: str
) -> Illegal | Owes | None:
    leaders = [id for id in coming if id in s.board.leaders]
    there = leader_at(s, space, seat)
    if leaders and len(leaders) + (there is not None and there not in moving) > s.board.game.space_leaders:
        return Illegal(f"{s.board.name(space)} would have two leaders", ("11.0-b1", clause))
    counters = [id for id in coming if id not in s.board.leaders]
    here = [*(id for id in counters_at(s, space, seat) if id not in moving), *counters]
    return crowd(s, seat, space, here, known, clause) if counters else None


def crowd(
    s: State, seat: str, space: str, here: Iterable[str], known: Known, clause: str = "8.0-b1"
) -> Illegal | Owes | None:
    """Whether these counters may stand together in a space."""
    here = list(here)
    units = sum(unit_of(s, id, known) is not None for id in here)
    closed = sum(is_closed(id, known) for id in here)
    dummies = len(here) - units - closed
    limit = capacity(s, seat, space)  # [13.0-b1]: control markers are no counters here
    if units + max(0, closed - max(0, 1 - dummies)) > limit:
        ids = ("8.0-b3",) if limit > s.board.game.space_units else (clause, "8.0-b1")
        return Illegal(f"{s.board.name(space)} holds {limit} units", tuple(dict.fromkeys(ids)))
    if dummies > 1:
        return Illegal(f"{s.board.name(space)} would have two dummies", ("8.0-b2", "12.0-b1"))
    if closed and (units + closed > limit or dummies + closed > 1):
        return Owes(f"{s.board.name(space)} holds {limit} units at most and one dummy")
    return None
