"""Supply lines, and what becomes of those who have none. [10.0]"""

from __future__ import annotations

from pbem.api import NOTHING_KNOWN, Known
from rules.glory_recalled import control
from rules.glory_recalled.sea import piers
from rules.glory_recalled.state import (
    BRITISH,
    JAPAN,
    State,
    is_closed,
    seat_of,
    stands,
    unit_of,
)


def sources(s: State, seat: str) -> frozenset[str]:
    """Where supply comes from: British HQ and piers; Japanese brown spaces, beachheads, piers. [10.0-b2, 10.0-b3]"""
    if seat == BRITISH:
        hq = s.board.hq
        own = (hq,) if control.holds(s, BRITISH, hq) and hq not in stands(s, JAPAN) else ()
        return frozenset((*piers(s, seat), *own))  # [10.0-b2]
    brown = set(s.board.brown) - stands(s, BRITISH)
    return frozenset((*piers(s, seat), *s.beachheads, *brown))  # [10.0-b3]


def shut(s: State, seat: str, known: Known, *, closed: bool) -> set[str]:
    """The spaces closed to the supply of a seat. [R24]: by units and Japanese markers, not by leaders or dummies.

    `closed` says whether counters count of which nobody here knows what they are.
    """
    seats = s.board.seats
    if seat == BRITISH:
        markers = {space for space, holder in s.control.items() if holder == JAPAN and s.board.takes_marker(space)}
        return markers | {one.at for id, one in s.counters.items() if seats[id] == JAPAN}
    return {
        one.at
        for id, one in s.counters.items()
        if seats[id] == BRITISH and (unit_of(s, id, known) is not None or (closed and is_closed(id, known)))
    }


def supplied(s: State, seat: str, space: str, known: Known = NOTHING_KNOWN, *, closed: bool = False) -> bool:
    """Whether a line leads from a space to a source. [10.0-b1]"""
    return space not in s.board.spaces or space in reached(s, seat, known, closed=closed)  # [R25]


def reached(s: State, seat: str, known: Known = NOTHING_KNOWN, *, closed: bool = False) -> frozenset[str]:
    """The spaces from which a line leads to a source: lines go both ways, so the sources spread."""
    barred = shut(s, seat, known, closed=closed)
    todo = [space for space in sources(s, seat) if space not in barred]
    found, near = set(todo), s.board.near
    while todo:
        new = set().union(*[near[space] for space in todo]) - found - barred
        found |= new
        todo = list(new)
    return frozenset(found)


def cut_off(s: State, seat: str, *, closed: bool = False) -> tuple[str, ...]:
    """Counters and leaders of a seat without a line."""
    everybody = {**{id: one.at for id, one in s.counters.items()}, **{name: one.at for name, one in s.leaders.items()}}
    places = {space for id, space in everybody.items() if seat_of(s, id) == seat and space in s.board.spaces}
    dry = places - reached(s, seat, closed=closed)
    return tuple(sorted(id for id, space in everybody.items() if space in dry and seat_of(s, id) == seat))


def doubtful(s: State) -> bool:
    """Whether closed British counters, if they are units, cut off somebody who is not cut off by what is seen."""
    if not any(map(is_closed, s.counters)):
        return False
    most = cut_off(s, JAPAN, closed=True)
    return bool(most) and most != cut_off(s, JAPAN)
