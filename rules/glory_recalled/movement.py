"""Moving along roads and paths. [7.0]

A path is judged space by space and paid link by link; where counters may stop is a matter of stacking.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise

from pbem.api import Illegal, Known, Note, Owes, Tell
from rules.glory_recalled import control
from rules.glory_recalled.stacking import overstacked
from rules.glory_recalled.state import BRITISH, State, foe, holder_of, is_closed, leader_at, seat_of, trace, unit_of


def at(s: State, id: str) -> str:
    """Where a counter or leader is; "" when it is not in the game."""
    if id in s.leaders:
        return s.leaders[id].at
    return s.counters[id].at if id in s.counters else ""


def cost(s: State, a: str, b: str, *, cheap: bool = False) -> int | None:
    """Movement points of a link; None where there is none. [R61]: spaces have no cost of their own."""
    way = s.board.way(a, b)
    if not way:
        return None
    if way == "road" and not demolished(s, a, b):  # [7.2-b1, R64]
        return s.board.game.road_cost
    if cheap:
        return 1
    return s.board.game.rain_path_cost if "heavy_rain" in s.effects else s.board.game.path_cost  # [7.2-b2, R41]


def demolished(s: State, a: str, b: str) -> bool:
    """Whether a road is cut for this turn."""
    return f"demolitions:{min(a, b)}-{max(a, b)}" in s.effects


def length(s: State, path: Sequence[str], *, cheap: bool = False) -> int:
    """What a legal path costs."""
    return sum(cost(s, a, b, cheap=cheap) or 0 for a, b in pairwise(path))


def allowance(s: State, id: str, *, march: bool = False, forced: bool = False) -> int:
    """Movement points of a counter. [7.1]"""
    game = s.board.game
    if id in s.board.leaders:
        return game.leader_allowance  # [7.1-b3]
    if march and not forced:
        return game.march_allowance  # [7.1-b2]: disrupted or not [R8]
    return game.disrupted_allowance if s.counters[id].disrupted else game.card_allowance  # [7.1-b1, 9.7-b2]


def refuse_path(s: State, id: str, path: Sequence[str]) -> Illegal | None:
    """What is wrong with the spaces of a path, stacking and cost aside."""
    here, seat = at(s, id), seat_of(s, id)
    if path[0] != here:
        return Illegal(f"{id} is in {here}, not in {path[0]}", ("7.2-b1",), "a path begins where the unit stands")
    for a, b in pairwise(path):
        if b not in s.board.spaces:
            return Illegal(f"{b} is not on the map", ("7.3-b6",))
        if s.board.way(a, b) == "":
            return _no_link(s, a, b)
        if holder_of(s, b) == foe(seat):  # [7.3-b4, 7.3-b5]: markers and friends are no obstacle
            return Illegal(f"{s.board.name(b)} is held by the enemy", ("7.3-b2",), "attack it, or go round it")
        other = leader_at(s, b, seat)
        if id in s.board.leaders and other not in (None, id):
            return Illegal(f"{other} is in {s.board.name(b)}", ("11.0-b1",))
    return None


def _no_link(s: State, a: str, b: str) -> Illegal:
    if s.board.space(a).half != s.board.space(b).half:
        return Illegal(f"the sea is between {s.board.name(a)} and {s.board.name(b)}", ("7.3-b1",))
    hint = f"from {a}: {', '.join(s.board.adjacent(a))}"
    return Illegal(f"no road or path joins {s.board.name(a)} and {s.board.name(b)}", ("7.2-b1", "7.2-b2"), hint)


def refuse_moves(
    s: State,
    seat: str,
    moves: Mapping[str, Sequence[str]],
    left: Mapping[str, int],
    known: Known,
    *,
    cheap: bool,
    why: str,
) -> Illegal | Owes | None:
    """Counters each along its own path: spaces, cost against the points left, control, and where they stop. [7.3-b5]

    `why` is the clause of the allowance.
    """
    for id, path in moves.items():
        wrong = refuse_path(s, id, path)
        if wrong is not None:
            return wrong
        if length(s, path, cheap=cheap) > left[id]:
            clause = "7.1-b3" if id in s.board.leaders else why
            need = length(s, path, cheap=cheap)
            return Illegal(f"{id} has {left[id]} MP left, that path costs {need}", (clause,))
    closed = _takes_closed(s, seat, moves, known)
    if closed is not None:
        return closed
    return overstacked(s, seat, {id: path[-1] for id, path in moves.items()}, known)


def _takes_closed(s: State, seat: str, moves: Mapping[str, Sequence[str]], known: Known) -> Illegal | None:
    """Closed counters change no control: one unit among them is opened with the order. [13.0-b3]"""
    for path in moves.values():
        going = [id for id in moves if tuple(moves[id]) == tuple(path) and id not in s.leaders]
        if seat == BRITISH and going and control.changes(s, seat, tuple(path[1:])):
            if any(unit_of(s, id, known) is not None for id in going) or not any(is_closed(id, known) for id in going):
                continue
            return Illegal("only a unit that is shown takes a place from the enemy", ("13.0-b3", "R26"))
    return None


def to_open(s: State, seat: str, moves: Mapping[str, Sequence[str]], known: Known) -> tuple[str, ...]:
    """The closed counters that moves must show: one unit of each group that takes a place. [13.0-b3]"""
    found: list[str] = []
    for path in moves.values():
        going = [id for id in moves if tuple(moves[id]) == tuple(path) and id not in s.leaders]
        if seat != BRITISH or not control.changes(s, seat, tuple(path[1:])):
            continue
        if any(not is_closed(id, {}) and unit_of(s, id) is not None for id in going):
            continue
        found += [id for id in going if is_closed(id, {}) and unit_of(s, id, known) is not None][:1]
    return tuple(dict.fromkeys(found))


def go(s: State, moves: Mapping[str, Sequence[str]], tell: Tell) -> None:
    """They go, and take what they enter."""
    for id, path in moves.items():
        place(s, id, path[-1])
        control.entered(s, id, tuple(path[1:]), tell)
    for path in dict.fromkeys(tuple(path) for path in moves.values()):
        who = [id for id in moves if tuple(moves[id]) == path]
        trace(s, seat_of(s, who[0]), "move", path)
        told = {"units": listed(s, who), "from": s.board.name(path[0]), "to": s.board.name(path[-1])}
        tell(Note("moves", told, ("7.2-b1",)))


def place(s: State, id: str, space: str) -> None:
    """Put a counter or leader somewhere."""
    (s.leaders if id in s.leaders else s.counters)[id].at = space


def listed(s: State, ids: Sequence[str]) -> str:
    """Counters in words; closed ones by their number only."""
    names = [id for id in ids if "/" not in id]
    closed = len(ids) - len(names)
    if closed:
        names.append("a closed counter" if closed == 1 else f"{closed} closed counters")
    return ", ".join(names)


def reach(s: State, id: str, points: int, *, cheap: bool = False) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Every space that a counter can come to, with cost and path: for menus and bots."""
    start, seat = at(s, id), seat_of(s, id)
    best: dict[str, tuple[int, tuple[str, ...]]] = {}
    heap: list[tuple[int, tuple[str, ...]]] = [(0, (start,))]
    while heap:
        spent, path = heappop(heap)
        if path[-1] in best:
            continue
        best[path[-1]] = (spent, path)
        for link in s.board.links(path[-1]):
            step = cost(s, path[-1], link.to, cheap=cheap) or 0
            if link.to in best or spent + step > points or holder_of(s, link.to) == foe(seat):
                continue
            if id in s.leaders and leader_at(s, link.to, seat) not in (None, id):
                continue
            heappush(heap, (spent + step, (*path, link.to)))
    return best
