"""Leaders: their worth in combat, what becomes of them when their troops are gone. [11.0]"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from pbem.api import Ask, Illegal, Note, Order, Roll, Tell
from rules.glory_recalled import control
from rules.glory_recalled.frames import Combat, Homeless
from rules.glory_recalled.orders import PlaceLeader
from rules.glory_recalled.state import State, Told, foe, leader_at, seat_of


def value(s: State, name: str) -> int:
    """What he adds in combat. [11.0-b3, 2.2b]"""
    leader = s.board.leaders[name]
    return leader.replacement if s.leaders[name].replacement else leader.value


def near(s: State, name: str, space: str) -> bool:
    """Whether a space is no more than one link from a leader. [R6, 11.0-b9]"""
    here = s.leaders[name].at
    return here == space or (here in s.board.spaces and space in s.board.adjacent(here))


# --- casualties ---


def check(s: State, name: str) -> Roll:
    """A die for a leader whose troops were all eliminated."""
    return Roll(f"t{s.turn}/r{s.round}/leader/{name}", "11.0-b5", dice=(6,))


def fall_or_live(s: State, name: str, die: int, overkill: int, label: str, tell: Tell) -> None:
    """Killed on 1 or less, the overkill subtracted. [11.0-b5, R52]"""
    told: Told = {"leader": name, "die": die, "overkill": overkill}
    if die - overkill <= 1:
        tell(Note("leader.hit", told, ("11.0-b5",), label))
        kill(s, name, tell)
    else:
        tell(Note("leader.escapes", told, ("11.0-b6",), label))
        find_troops(s, name, tell)


def kill(s: State, name: str, tell: Tell) -> None:
    """Two points; a man is replaced, a replacement is gone. [11.0-b7, 11.0-b8, 4.1-J5, 4.1-B3]"""
    chief, seat = s.leaders[name], seat_of(s, name)
    clause = "11.0-b8" if chief.replacement else "11.0-b7"
    points = ("4.1-B3",) if seat == "japan" else ("4.1-J5",)
    control.score(s, foe(seat), s.board.halves["leader"], "leader.killed", {"leader": name}, (clause, *points), tell)
    if chief.replacement:
        del s.leaders[name]
        return
    chief.replacement = True
    find_troops(s, name, tell)


def find_troops(s: State, name: str, tell: Tell) -> None:
    """To the nearest friends; where several are as near, the owner says which. [R53]"""
    open_to = nearest(s, name)
    if not open_to:
        del s.leaders[name]
        tell(Note("leader.alone", {"leader": name}, ("R53",)))
    elif len(open_to) == 1:
        join(s, name, open_to[0], tell)
    else:
        s.frames.append(Homeless("+".join(open_to), name))


def join(s: State, name: str, space: str, tell: Tell) -> None:
    """He is with troops again."""
    s.leaders[name].at = space
    tell(Note("leader.joins", {"leader": name, "place": s.board.name(space)}, ("11.0-b6",)))


def nearest(s: State, name: str) -> tuple[str, ...]:
    """The spaces with friendly counters and no other leader, fewest links away; any of them where none is reached."""
    seat, start = seat_of(s, name), s.leaders[name].at
    friends = {
        one.at
        for id, one in s.counters.items()
        if one.at in s.board.spaces and seat_of(s, id) == seat and leader_at(s, one.at, seat) in (None, name)
    }
    if start not in s.board.spaces:  # from a landing box: from where it leads
        start = s.board.boxes[start].space if start in s.board.boxes else ""
    seen, layer = {start}, deque([start] if start else [])
    while layer:
        found = sorted(space for space in layer if space in friends)
        if found:
            return tuple(found)
        after = {to for space in layer for to in s.board.adjacent(space) if to not in seen}
        seen |= after
        layer = deque(sorted(after))
    return tuple(sorted(friends))


def waits(s: State, f: Homeless) -> tuple[Ask, ...]:
    """His owner picks the place. [11.0-b6]"""
    return (Ask(seat_of(s, f.leader), "place_leader", "11.0-b6"),)


def refuse(s: State, f: Homeless, order: PlaceLeader) -> Illegal | None:
    """One of the nearest."""
    open_to = choices(s, f)
    if order.leader != f.leader or order.space not in open_to:
        return Illegal(
            "a leader joins the nearest of his own troops",
            ("11.0-b6", "R53"),
            f"open to {f.leader}: {', '.join(open_to)}",
        )
    return None


def choices(s: State, f: Homeless) -> tuple[str, ...]:
    """Where he may go: `step` holds the spaces."""
    return tuple(f.step.split("+"))


def offers(s: State, f: Homeless) -> Iterator[Order]:
    for space in choices(s, f):
        yield PlaceLeader(leader=f.leader, space=space)


def in_combat(s: State, f: Combat, seat: str) -> tuple[str, ...]:
    """The leaders of a side who count in a combat: those named by the attacker; a defender even if spent. [R9]"""
    if seat == f.seat:
        return f.leaders
    name = leader_at(s, f.space, seat)
    return () if name is None else (name,)
