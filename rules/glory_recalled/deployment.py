"""Placing counters, leaders and Fortified markers in set-up, all in one order. [3.11, 3.12, 3.2]"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence, Set
from functools import lru_cache

from pbem.api import Illegal, Known, Note, Owes, Tell
from rules.glory_recalled import control
from rules.glory_recalled.components import Board
from rules.glory_recalled.control import side
from rules.glory_recalled.orders import Deploy
from rules.glory_recalled.stacking import crowd
from rules.glory_recalled.state import BRITISH, JAPAN, Chief, Counter, State, is_slot, name_of


def refuse_deploy(s: State, seat: str, order: Deploy, known: Known) -> Illegal | Owes | None:
    """Everything placed once, where it may stand, within stacking. [3.11d, 3.12c, 3.2a, 3.2b]"""
    at: dict[str, list[str]] = {}
    for space, *items in order.placings:
        at.setdefault(space, []).extend(items)
    every = [item for items in at.values() for item in items if item != "fort"]
    owes: Owes | None = None
    own = frozenset(pieces(s, seat))
    for space, items in at.items():
        for item in items:
            wrong = _refuse_place(s, seat, item, space, own)
            if wrong is not None:
                return wrong
        verdict = _refuse_stack(s, seat, space, items, known)
        if isinstance(verdict, Illegal):
            return verdict
        owes = verdict or owes
    wrong = _refuse_count(s, seat, every)
    if wrong is not None:
        return wrong
    return (_refuse_forts(s, at) if seat == BRITISH else _refuse_force(s, at)) or owes


def pieces(s: State, seat: str) -> tuple[str, ...]:
    """What a side places: its counters, by slot, and leaders."""
    brigades = {"division"} if seat == JAPAN else set(s.board.setup.brigades)
    leaders = [id for id, leader in s.board.leaders.items() if leader.brigade in brigades]
    units = s.unplaced if seat == BRITISH else tuple(id for id, u in s.board.units.items() if u.brigade == "division")
    return (*units, *leaders)


def brigade(s: State, item: str) -> str:
    """The brigade of a counter: of a closed one by the name of its slot."""
    if is_slot(item):
        return item.split("/", 1)[0].split("-", 1)[1]
    board = s.board
    if item in board.units:
        return board.units[item].brigade
    return board.leaders[item].brigade if item in board.leaders else board.dummies[item].brigade


def where(s: State, item: str) -> tuple[str, ...]:
    """The spaces where a counter or leader may be placed. [3.11d, 3.12c, 17.2-b2, 17.2-b6, 17.3-n1]"""
    return _places(s.board, brigade(s, item))


@lru_cache(64)
def _places(board: Board, of: str) -> tuple[str, ...]:
    mate = next((id for id, unit in board.units.items() if unit.brigade == of), None)
    return board.may_stand(mate) if mate is not None else ()


def _refuse_place(s: State, seat: str, item: str, space: str, own: Set[str]) -> Illegal | None:
    if item == "fort":
        return (
            None
            if seat == BRITISH and space in s.board.spaces
            else Illegal("no Fortified marker goes there", ("3.11b",))
        )
    if item in s.board.units and s.board.units[item].brigade == "reserve":
        return Illegal(f"{item} waits for an event card", ("3.2c",))
    if item not in own:
        return Illegal(f"{item} is not yours to place", ("3.11a", "3.12a", "3.2a"))
    if space == "aside" and seat == JAPAN and s.board.setup.landing_force:
        return None
    if space not in s.board.spaces:
        return Illegal(f"{space} is not on the map", ("3.2a" if seat == JAPAN else "3.11d",))
    if space not in where(s, item):
        if seat == JAPAN:
            return Illegal(
                f"{item} may not begin in {space}",
                ("3.2a",) if s.board.setup.japanese_place == "brown" else ("17.2-b6",),
            )
        clause = {"mainland": "3.11d", "island": "3.12c"}[brigade(s, item)]
        more = ("17.3-n1",) if s.board.setup.landing_force else ("17.2-b2",) if s.board.setup.fall == "past" else ()
        return Illegal(f"{item} may not begin in {space}", (clause, *more))
    return None


def _refuse_stack(s: State, seat: str, space: str, items: Sequence[str], known: Known) -> Illegal | Owes | None:
    """Two units, one leader with them, one dummy and one marker. [8.0-b1, 8.0-b2]"""
    leaders = [item for item in items if item in s.board.leaders]
    counters = [item for item in items if item not in s.board.leaders and item != "fort"]
    if space == "aside":
        return None
    if len(leaders) > 1:
        return Illegal(
            f"{space} would have two leaders", ("3.2b", "8.0-b1") if seat == JAPAN else ("8.0-b1", "11.0-b1")
        )
    if seat == JAPAN and leaders and not counters:
        return Illegal(f"{leaders[0]} begins with a combat unit", ("3.2b",))
    if items.count("fort") > 1:
        return Illegal(f"{space} would have two Fortified markers", ("8.0-b2",))
    if not counters:
        return None
    return crowd(s, seat, space, counters, known, "3.2a" if seat == JAPAN else "8.0-b1")


def _refuse_count(s: State, seat: str, every: Sequence[str]) -> Illegal | None:
    clause = ("3.11a", "3.12a") if seat == BRITISH else ("3.2a", "3.2b")
    twice = [item for item, count in Tally(every).items() if count > 1]
    if twice:
        return Illegal(f"{twice[0]} is placed twice", clause)
    left = [item for item in pieces(s, seat) if item not in every]
    if left:
        return Illegal(f"{len(left)} pieces are not placed, {left[0]} among them", clause)
    return None


def _refuse_forts(s: State, at: dict[str, list[str]]) -> Illegal | None:
    """Every space of the Line occupied, four markers on it; one in the HQ, one inland on the Island. [3.11e, 3.12d]"""
    forts, setup = [space for space, items in at.items() if "fort" in items], s.board.setup
    if setup.forts.get("line"):
        for space in s.board.line:
            if not any(item != "fort" and item not in s.board.leaders for item in at.get(space, ())):
                return Illegal(f"{space} of the Gin Drinker's Line is empty", ("3.11e", "PA-d"))
        due = min(setup.forts["line"], len(s.board.line))
        if sum(space in s.board.line for space in forts) != due:
            return Illegal(f"{due} spaces of the Line get a Fortified marker", ("3.11e", "3.11b"))
    if setup.forts.get("hq") and s.board.hq not in forts:
        return Illegal("the HQ space gets a Fortified marker", ("3.12d",))
    rest = [space for space in forts if space not in s.board.line and space != s.board.hq]
    inland = [space for space in rest if s.board.space(space).half == "island" and not s.board.space(space).coastal]
    if len(rest) != setup.forts.get("island", 0) or rest != inland:
        return Illegal("one more marker goes to an inland space of the Island", ("3.12d",))
    return None


def _refuse_force(s: State, at: dict[str, list[str]]) -> Illegal | None:
    """The landing force of the free set-up: twelve units and a leader. [17.3-n4a]"""
    force = at.get("aside", [])
    leaders = [item for item in force if item in s.board.leaders]
    if len(force) - len(leaders) > s.board.game.landing_force or len(leaders) > 1:
        return Illegal(f"at most {s.board.game.landing_force} units and a leader are set aside", ("17.3-n4a",))
    return None


def deploy(s: State, seat: str, order: Deploy, tell: Tell) -> None:
    """They stand. [3.11f]"""
    for space, *items in order.placings:
        for item in items:
            if item == "fort":
                s.forts.add(space)
            elif item in s.board.leaders:
                s.leaders[item] = Chief(space)
            else:
                s.counters[item] = Counter(space)
                control.entered(s, item, (space,) if space in s.board.spaces else (), tell)
    if seat == BRITISH:
        s.unplaced = ()
    tell(Note("setup.deployed", {"side": side(seat), "spaces": len(order.placings)}, ("3.11f", "3.2e")))


def ready_made(s: State, seat: str, known: Known) -> Deploy:
    """The set-up of the data; what it lacks goes where there is room."""
    at: dict[str, list[str]] = {}
    for item in pieces(s, seat):
        name = name_of(s, item, known)
        space = s.board.deployment.get(name)
        if space is None or space not in where(s, item):
            space = _free(s, seat, item, at, known)
        at.setdefault(space, []).append(item)
    if seat == BRITISH:
        _add_forts(s, at)
    return Deploy(placings=tuple((space, *items) for space, items in sorted(at.items())))


def _free(s: State, seat: str, item: str, at: dict[str, list[str]], known: Known) -> str:
    for space in sorted(where(s, item), key=lambda one: len(at.get(one, ()))):
        if not isinstance(_refuse_stack(s, seat, space, [*at.get(space, ()), item], known), Illegal):
            return space
    raise AssertionError(f"no room for {item}")


def _add_forts(s: State, at: dict[str, list[str]]) -> None:
    told = [space for piece, space in s.board.deployment.items() if piece.startswith("fort-")]
    line = [space for space in told if space in s.board.line] or list(s.board.line)
    inland = [
        space for space in s.board.spaces_in("island") if not s.board.space(space).coastal and space != s.board.hq
    ]
    other = [space for space in told if space in inland] or inland
    forts = s.board.setup.forts
    chosen = line[: min(forts.get("line", 0), len(s.board.line))]
    chosen += [s.board.hq] * forts.get("hq", 0) + other[: forts.get("island", 0)]
    for space in chosen:
        at.setdefault(space, []).append("fort")
