"""Ways out of a battle and into an empty hex. [9.4, 9.5]"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pbem.api import Illegal
from rules.kit.hexes import Hex
from rules.tiger_of_malaya.boats import HEAVY, WHEELS, wet
from rules.tiger_of_malaya.costs import barred, entry_cost
from rules.tiger_of_malaya.orders import Retreat
from rules.tiger_of_malaya.state import Battle, State, foe, is_gun, mover, occupied, option, points, stack, weight
from rules.tiger_of_malaya.zones import zone

Path = tuple[Hex, ...]


def ways(s: State, unit: str, b: Battle, length: int, *, evading: bool = False) -> list[Path]:
    """The legal ways of this many hexes: away from the attackers if possible, out of zones if possible. [9.4, R59]

    `evading` before a battle no way through a zone or into an attacked hex is legal. [12.3.B.2, R64]
    """
    if "landed" in s.pieces[unit].marks:  # over water already in this impulse [11.8.5.B]
        return []
    side = s.board.side(unit)
    enemies, zones = occupied(s, foe(side)), zone(s, foe(side))
    closed = enemies | zones | {battle.hex for battle in s.battles} if evading else enemies
    start = s.pieces[unit].at
    found = list(_ways(s, unit, b.origins, closed, (start,), length, away=True))
    if not found:
        found = list(_ways(s, unit, b.origins, closed, (start,), length, away=False))
    if evading:  # always two hexes, so never by boat
        return [path for path in found if len(path) == length + 1]
    free = [path for path in found if not zones.intersection(path[1:])]
    return free or found


def _ways(
    s: State, unit: str, origins: Sequence[Hex], closed: frozenset[Hex], path: Path, left: int, *, away: bool
) -> Iterator[Path]:
    if not left:
        yield path
        return
    # [9.3.5.D, 11.8.5.A, 11.8.5.F, R54]: what is closed to march is closed here, on foot a river is not
    here = path[-1]
    nearest = s.board.grid.nearest
    for there in s.board.grid.neighbours(here):
        if there in closed or there in path:
            continue
        if away and (nearest(there, origins) or 0) <= (nearest(here, origins) or 0):
            continue
        if afloat(s, unit, here, there):
            if len(path) == 1 and ferry(s, unit, here, there):  # [11.8.5.B]: over water it ends at once
                yield (here, there)
            continue
        if entry_cost(s, unit, here, there) is None:
            continue
        yield from _ways(s, unit, origins, closed, (*path, there), left - 1, away=away)


def afloat(s: State, unit: str, here: Hex, there: Hex) -> bool:
    """Whether a unit retreats or advances over a hexside with heavy boats alone: wheels and tracks over a river without
    a bridge, everybody over the strait without the causeway.
    """  # [9.3.5.D, 9.3.6.E, 11.8.5.F, 11.8.6.F, R54]
    edge = s.board.edge(here, there)
    everybody = edge.water == "ocean" or option(s, "r54") == "all"
    return wet(s, here, there) and (everybody or mover(s, unit) in WHEELS)


def ferry(s: State, unit: str, here: Hex, there: Hex) -> list[str]:
    """The heavy boats that could take a unit out of its hex over water."""  # [11.8.5.A, 11.8.5.D, 9.3.6.E]
    board = s.board
    ground = board.is_land(there) and (board.cost(there, mover(s, unit)) is not None or there in board.network)
    if not ground or not wet(s, here, there):
        return []
    side = board.side(unit)
    return [id for id in stack(s, here) if board.kind(id) == HEAVY and board.side(id) == side]


def refuse_boats(s: State, b: Battle, order: Retreat) -> Illegal | None:
    """Who goes over water goes with heavy boats, as many as the far hex holds. [11.8.5.C, 11.8.5.E]"""
    ways_of = dict(zip(order.units, order.paths, strict=True))
    for id, path in ways_of.items():
        if not afloat(s, id, path[0], path[1]):
            continue
        if not any(tuple(ways_of.get(boats, ())) == tuple(path) for boats in ferry(s, id, path[0], path[1])):
            return Illegal(f"the boats go with {id}", ("11.8.5.C",))
        more = sum(points(s, one) for one, way in ways_of.items() if way[-1] == path[-1])
        if weight(s, path[-1]) + more > s.board.limit(path[-1]):
            return Illegal(f"{path[-1]} holds {s.board.limit(path[-1])} points", ("11.8.5.E",))
    return None


def refuse_way(s: State, unit: str, b: Battle, path: Sequence[Hex], length: int) -> Illegal | None:
    """Why a unit cannot retreat so."""
    legal = ways(s, unit, b, length)
    if tuple(path) in legal:
        return None
    hint = f"open to {unit}: {', '.join('-'.join(one) for one in legal[:4])}" if legal else ""
    if len(path) > 1 and afloat(s, unit, path[0], path[1]):
        return Illegal(f"{unit} cannot cross without heavy boats", ("11.8.5.A", "9.3.5.D"), hint)
    if len(path) != length + 1:
        return Illegal(f"{unit} retreats {length} hexes", ("9.3.2.D.2", "R58"), hint)
    if zone(s, b.side).intersection(path[1:]):
        return Illegal(f"{unit} has a way that enters no enemy zone", ("9.4.D", "9.4.C"), hint)
    return Illegal(f"{unit} cannot go that way", ("9.4.C", "4.2", "R59"), hint)


def refuse_advance(s: State, unit: str, b: Battle, path: Sequence[Hex]) -> Illegal | None:
    """Why an attacker cannot follow by this way. [9.5, R62]"""
    piece = s.pieces.get(unit)
    # [11.8.6.D/1, 11.8.6.D/2, 11.8.6.F]: heavy boats may go along, on foot a river is no bar
    if piece is None or unit not in (*b.units, *_heavy(s, b)) or is_gun(s, unit):
        return Illegal(f"{unit} did not attack {b.hex}", ("9.5.C",))
    if "advanced" in piece.marks or piece.at != path[0]:
        return Illegal(f"{unit} stands in {piece.at} or has advanced", ("9.5.A",))
    if len(path) < 2 or path[1] != b.hex:
        return Illegal(f"the first hex of an advance is {b.hex}", ("9.5.D",))
    if len(path) - 1 > b.length:
        ids = ("9.5.H",) if s.board.is_slow(b.hex) else ("9.5.B", "9.5.F")
        return Illegal(f"the advance is {b.length} hexes at most", ids)
    # [11.8.6.A, 11.8.6.D/2, 11.8.6.F]: the same
    enemies, zones = occupied(s, foe(b.side)), zone(s, foe(b.side))
    for number, (a, there) in enumerate(pairwise(path)):
        if there not in s.board.grid or not s.board.grid.adjacent(a, there) or there in enemies:
            return Illegal(f"{there} cannot be entered", ("9.5.G", "4.2"))
        if afloat(s, unit, a, there):
            wrong = refuse_landing(s, unit, b, path, first=not number)
            if wrong is not None:
                return wrong
        elif entry_cost(s, unit, a, there) is None:
            return Illegal(f"{there} is closed to {unit}", ("9.5.G",))
        if number and a in zones:
            return Illegal(f"{unit} stops in {a}, in an enemy zone", ("9.5.E",))
    if weight(s, path[-1]) + points(s, unit) > s.board.limit(path[-1]):
        return Illegal(f"{path[-1]} is full", ("9.5.I", "11.8.6.D/3", "11.8.6.E"))
    return None


def _heavy(s: State, b: Battle) -> list[str]:
    """The heavy boats of an attack that live."""
    return [id for id in b.boats if id in s.pieces and s.board.kind(id) == HEAVY]


def refuse_landing(s: State, unit: str, b: Battle, path: Sequence[Hex], *, first: bool) -> Illegal | None:
    """Over water with heavy boats of their hex that live, and only if unmoved; there they stop. [11.8.6, 9.3.6.E]"""
    piece, hex = s.pieces[unit], path[1]
    if not first or barred(s, unit, hex) or s.board.cost(hex, mover(s, unit)) is None:
        return Illegal(f"{hex if first else path[-1]} is closed to {unit}", ("9.5.G", "11.8.6.A", "9.3.6.E"))
    beside = [id for id in stack(s, path[0]) if s.board.kind(id) == HEAVY]
    if not beside and not any(s.pieces[id].at == hex for id in _heavy(s, b)):
        return Illegal(f"no heavy boats are with {unit}", ("11.8.6.B", "11.8.6.A", "9.3.6.E"))
    if s.chit == "full" and "moved" in piece.marks:
        return Illegal(f"{unit} had moved before it attacked", ("11.8.6.A", "9.3.6.E"))
    if len(path) > 2:
        return Illegal(f"{unit} stops on the far side", ("11.8.6.C",))
    return None


def advances(s: State, b: Battle) -> Iterator[tuple[str, Path]]:
    """Every way by which an attacker may follow."""
    for unit in dict.fromkeys((*b.units, *b.boats)):
        if unit not in s.pieces:
            continue
        todo: list[Path] = [(s.pieces[unit].at, b.hex)]
        while todo:
            path = todo.pop()
            if refuse_advance(s, unit, b, path) is None:
                yield unit, path
            if len(path) <= b.length:
                todo += [(*path, there) for there in s.board.grid.neighbours(path[-1]) if there not in path]
