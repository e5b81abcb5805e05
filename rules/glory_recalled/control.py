"""Who holds the places that count, and the points that change hands with them. [2.3, 4.1, 13.0]"""

from __future__ import annotations

from pbem.api import Note, Tell
from rules.glory_recalled.state import BRITISH, JAPAN, State, Told, foe, points_text, seat_of


def special(s: State, space: str) -> bool:
    """Whether a space has a controller: pier, battery, reservoir, HQ, objective. [R26]"""
    return space in s.board.special


def holds(s: State, seat: str, space: str) -> bool:
    """Whether a seat controls a place. [3.11c]: all of it is British until somebody takes it."""
    return special(s, space) and s.control.get(space, BRITISH) == seat


def worth(s: State, space: str) -> int:
    """Halves that a place is worth to Japan."""
    one = s.board.space(space)
    if s.board.setup.fall == "never" and one.half == "island":
        return 0  # [17.2-b12, 17.1-b2b]: the short scenario of Kowloon scores nothing on the island
    points = s.board.halves["reservoir"] if "reservoir" in one.kinds else 0  # [2.33a, 4.1-J1]
    if (one.battery and space not in s.destroyed) or "hq" in one.kinds:  # [2.32b, 4.1-J2, 2.32g]
        points += s.board.halves["battery" if one.battery else "hq"]
    return points


def score(s: State, seat: str, halves: int, stem: str, told: Told, clauses: tuple[str, ...], tell: Tell) -> None:
    """Points for a seat, told with the reason."""
    s.points[seat] += halves  # [2.2c]
    tell(Note(stem, {**told, "points": points_text(abs(halves)), "side": side(seat)}, clauses))


def side(seat: str) -> str:
    """A seat in words."""
    return "Japan" if seat == JAPAN else "the British"


def take(s: State, seat: str, space: str, tell: Tell) -> None:
    """A combat unit of a seat enters a space: markers go, control and points change. [R26, R60]"""
    if seat == BRITISH and space in s.beachheads:
        s.beachheads.discard(space)  # [14.1-b12]
        tell(Note("beachhead.gone", {"place": s.board.name(space)}, ("14.1-b12",)))
    if not special(s, space) or holds(s, seat, space):
        return
    if space in s.destroyed and not _more_than_battery(s, space):
        return  # [2.32g]
    if seat == JAPAN:
        s.control[space] = JAPAN
    else:
        s.control.pop(space, None)  # [13.0-b3, 7.3-b3]: a marker that lay there is gone
    points = worth(s, space)
    told: Told = {"place": s.board.name(space), "side": side(seat)}
    if not points:
        tell(Note("control", told, ("R26",)))
    else:  # [2.32c, 2.33b]: both ways
        change = points if seat == JAPAN else -points
        score(s, JAPAN, change, "control.points" if seat == JAPAN else "control.lost", told, ("R26", "R60"), tell)


def _more_than_battery(s: State, space: str) -> bool:
    one = s.board.space(space)
    return one.objective or not one.kinds.isdisjoint({"pier", "reservoir", "hq"})


def entered(s: State, id: str, path: tuple[str, ...], tell: Tell) -> None:
    """A counter comes through these spaces; only a unit that is known as one changes control. [11.0-b10, R26]"""
    if id not in s.board.units:
        return  # [11.0-b10, 12.0-b1]
    seat = seat_of(s, id)
    for space in path:
        if seat == JAPAN and s.board.space(space).half == "island":
            s.landed = True  # [2.32e]
        take(s, seat, space, tell)


def changes(s: State, seat: str, path: tuple[str, ...]) -> bool:
    """Whether a unit of the seat on this path would change something by entering."""
    return any(
        (special(s, one) and not holds(s, seat, one)) or (seat == BRITISH and one in s.beachheads) for one in path
    )


def batteries(s: State, seat: str) -> tuple[str, ...]:
    """The batteries that a seat controls and that still stand."""
    return tuple(one for one in s.board.batteries if one not in s.destroyed and holds(s, seat, one))


def batteries_lost(s: State) -> int:
    """Batteries that are destroyed or Japanese. [R48]"""
    return len(s.destroyed) + len(batteries(s, JAPAN))


def destroy(s: State, space: str, tell: Tell, *, points: bool = True) -> None:
    """A British battery is destroyed. [2.32b, 4.1-J3, 2.32f]"""
    s.destroyed.add(space)
    told: Told = {"place": s.board.name(space)}
    if not points:
        tell(Note("battery.gone", told, ("17.2-b8",)))
        return
    if s.board.setup.fall == "never" and s.board.space(space).half == "island":
        tell(Note("battery.gone", told, ("17.1-b2b",)))
        return
    score(s, JAPAN, s.board.halves["destroyed"], "battery.destroyed", told, ("4.1-J3", "2.32b"), tell)


def eliminate(s: State, id: str, tell: Tell, factor: int = 1) -> None:
    """A unit leaves the game: half a point for the other side, double if it surrenders. [4.1-J4, 4.1-B2]"""
    seat = seat_of(s, id)
    at = s.counters.pop(id).at
    told: Told = {"unit": id, "place": s.board.name(at)}
    stem, clauses = ("unit.eliminated", ("4.1-J4",) if seat == BRITISH else ("4.1-B2",))
    if factor > 1:
        stem, clauses = "unit.surrenders", ("10.0-b5",)
    score(s, foe(seat), s.board.halves["unit"] * factor, stem, told, clauses, tell)
