"""Supply lines, and what becomes of those who have none. [10.0]"""

from __future__ import annotations

from pbem.api import NOTHING_KNOWN, Known
from rules.glory_recalled import control
from rules.glory_recalled.sea import piers
from rules.glory_recalled.state import (
    BRITISH,
    JAPAN,
    State,
    counters_at,
    foe,
    holder_of,
    is_closed,
    marked,
    seat_of,
    unit_of,
)


def sources(s: State, seat: str) -> frozenset[str]:
    """Where supply comes from: British HQ and piers; Japanese brown spaces, beachheads, piers. [10.0-b2, 10.0-b3]"""
    if seat == BRITISH:
        hq = s.board.hq
        own = (hq,) if control.holds(s, BRITISH, hq) and holder_of(s, hq) != JAPAN else ()
        return frozenset((*piers(s, seat), *own))  # [10.0-b2]
    brown = (space for space in s.board.brown if holder_of(s, space) != BRITISH)
    return frozenset((*piers(s, seat), *s.beachheads, *brown))  # [10.0-b3]


def blocks(s: State, seat: str, space: str, known: Known, *, closed: bool) -> bool:
    """Whether a space is closed to the supply of a seat. [R24]: units and Japanese markers, not leaders or dummies.

    `closed` says whether counters count of which nobody here knows what they are.
    """
    if seat == BRITISH:
        return bool(counters_at(s, space, JAPAN)) or marked(s, space)
    return any(
        unit_of(s, id, known) is not None or (closed and is_closed(id, known))
        for id in counters_at(s, space, foe(seat))
    )


def supplied(s: State, seat: str, space: str, known: Known = NOTHING_KNOWN, *, closed: bool = False) -> bool:
    """Whether a line leads from a space to a source. [10.0-b1]"""
    return space not in s.board.spaces or space in reached(s, seat, known, closed=closed)  # [R25]


def reached(s: State, seat: str, known: Known = NOTHING_KNOWN, *, closed: bool = False) -> frozenset[str]:
    """The spaces from which a line leads to a source: lines go both ways, so the sources spread."""
    shut = {space for space in _held(s, foe(seat)) if blocks(s, seat, space, known, closed=closed)}
    todo = [space for space in sources(s, seat) if space not in shut]
    found = set(todo)
    while todo:
        new = [to for to in s.board.adjacent(todo.pop()) if to not in found and to not in shut]
        found.update(new)
        todo += new
    return frozenset(found)


def _held(s: State, seat: str) -> set[str]:
    """Where a seat has counters or control: nothing else can close a space to its enemy."""
    return {one.at for id, one in s.counters.items() if seat_of(s, id) == seat} | {
        space for space, holder in s.control.items() if holder == seat
    }


def cut_off(s: State, seat: str, *, closed: bool = False) -> tuple[str, ...]:
    """Counters and leaders of a seat without a line."""
    everybody = {**{id: one.at for id, one in s.counters.items()}, **{name: one.at for name, one in s.leaders.items()}}
    places = {space for id, space in everybody.items() if seat_of(s, id) == seat and space in s.board.spaces}
    dry = places - reached(s, seat, closed=closed)
    return tuple(sorted(id for id, space in everybody.items() if space in dry and seat_of(s, id) == seat))


def doubtful(s: State) -> bool:
    """Whether closed British counters, if they are units, cut off somebody who is not cut off by what is seen."""
    return cut_off(s, JAPAN, closed=True) != cut_off(s, JAPAN)
