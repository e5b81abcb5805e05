"""What a step costs, what a unit may spend, and where it gets with that. [4.0, 4.1, 4.3, 6.0]"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from pbem.api import Illegal
from rules.kit.asked import Asked
from rules.kit.hexes import Hex, Side
from rules.kit.search import reach, way
from rules.tiger_of_malaya.components import Board, Edge
from rules.tiger_of_malaya.hexsides import WHOLE, beside, intact
from rules.tiger_of_malaya.rows import Mover
from rules.tiger_of_malaya.state import (
    ALLIES,
    JAPAN,
    State,
    can_jungle,
    foe,
    level,
    mover,
    occupied,
    option,
)
from rules.tiger_of_malaya.zones import zone

SPENT = frozenset({"railed", "ferries", "carried"})
LIGHT = ("jungle", "motorized", "mechanized")


def road_cost(board: Board, how: Mover, edge: Edge) -> int | None:
    """A step by road or railroad that is whole; None where there is none."""  # [4.1.A, 4.1.B, 4.1.C, 11.8.1.A]
    rates = [board.rates[way].cost(how) for way, there in (("road", edge.road), ("rail", edge.rail)) if there]  # type: ignore[index]
    open_rates = [rate for rate in rates if rate is not None]
    if not open_rates:
        return None
    if edge.causeway:
        more = board.crossings["causeway"].cost(how)
    elif edge.water:
        # [11.8.1.A]
        more = board.crossings["bridge" if edge.water == "river" else "stream"].cost(how)
    else:
        more = 0
    return None if more is None else min(open_rates) + more


def land_cost(board: Board, how: Mover, letter: str, edge: Edge) -> int | None:
    """A step across country, by the letter of the ground; None where it is closed. [4.0.B, 4.0.C, R15]"""
    ground = board.ground_cost(letter, how)
    if ground is None or edge.water == "ocean":
        return None
    more = board.crossings[edge.water].cost(how) if edge.water else 0
    return None if more is None else ground + more


@lru_cache(maxsize=32)
def _prices(board: Board, how: Mover) -> Mapping[tuple[str, Edge, bool], int | None]:
    """What a step costs by the ground, what the hexside carries, and whether its road or railroad is whole."""

    def price(step: tuple[str, Edge, bool]) -> int | None:
        letter, edge, whole = step
        ways = land_cost(board, how, letter, edge), road_cost(board, how, edge) if whole else None
        return min((cost for cost in ways if cost is not None), default=None)

    return Asked(price)


@lru_cache(maxsize=64)
def charges(board: Board, how: Mover, destroyed: frozenset[Side] = WHOLE) -> Mapping[Hex, Mapping[Hex, int]]:
    """What every step costs that can be made, the cheaper of road and country."""  # [4.0.B/2]

    prices, letters = _prices(board, how), board.letters

    def steps(a: Hex) -> Mapping[Hex, int]:
        found: dict[Hex, int] = {}
        for b, edge in board.land_beside(a) if board.is_land(a) else ():
            cost = prices[letters[b], edge, intact(destroyed, a, b, edge)]
            if cost is not None:
                found[b] = cost
        return found

    if not destroyed:
        return Asked(steps)
    whole, near = charges(board, how), beside(destroyed)
    return Asked(lambda a: steps(a) if a in near else whole[a])


def entry_cost(s: State, unit: str, a: Hex, b: Hex) -> int | None:
    """What a step costs, zones apart, an aircraft that harasses counted in."""  # [4.0.B/2, 11.4.3.B/1, R78]
    if barred(s, unit, b):
        return None
    cost = charges(s.board, mover(s, unit), s.destroyed)[a].get(b)
    return None if cost is None else cost + harassed(s, unit, b)


def harassed(s: State, unit: str, hex: Hex) -> int:
    """What the harassing aircraft adds for an Allied unit."""
    if s.board.side(unit) == JAPAN:
        return 0
    return sum(s.board.aircraft[plane].modifier for plane, does in s.planes.items() if does == f"over:{hex}")


def barred(s: State, unit: str, hex: Hex) -> bool:
    """A hex of the column that the first scenario closes."""  # [14.1.2.B, 14.1.2.C, R92]
    row = s.board.scenario
    if not row.closed_column or int(hex[:2]) != row.closed_column:
        return False
    return s.board.side(unit) == JAPAN or (int(hex[2:]) < row.open_row and option(s, "r92") != "open")


def fares(s: State, unit: str, zones: frozenset[Hex]) -> Callable[[Hex, Hex], int | None]:
    """What a step of a unit costs in movement, enemy zones of control counted in; None where it cannot be made."""
    # [4.0.C, 6.0.C, 6.0.D, 6.0.F, R13]; [6.0.E] needs nothing: a zone stops nobody
    how, game = mover(s, unit), s.board.game
    into = game.zone_in_light if how in LIGHT else game.zone_in
    out = game.zone_out_jungle if how == "jungle" else game.zone_out
    table, column = charges(s.board, how, s.destroyed), f"{s.board.scenario.closed_column:02}"
    over = any(does.startswith("over:") for does in s.planes.values())

    def fare(a: Hex, b: Hex) -> int | None:
        plain = not over and b[:2] != column
        cost = table[a].get(b) if plain else entry_cost(s, unit, a, b)
        return None if cost is None else cost + into * (b in zones) + out * (a in zones)

    return fare


def allowance(s: State, unit: str, printed: int | None = None) -> int:
    """The points a unit may spend in this impulse, or would with another allowance printed. [4.0.D, 7.4.4, R7]"""
    piece, game = s.pieces[unit], s.board.game
    most = level(s, unit).allowance if printed is None else printed
    if not piece.supplied and (s.board.side(unit) == ALLIES or mover(s, unit) in ("motorized", "mechanized")):
        most -= game.unsupplied_allowance
    if s.chit == "half":
        most = (most + 1) // 2
    if "replaced" in piece.marks:
        return 0  # [10.2.1.C]
    if "tried" in piece.marks:
        most //= 2
    return max(most, 0)  # [2.1:MovementAllowance, 3.3.5.A, 4.0.D, 7.4.4.A, 7.4.4.B, 12.6.1.C]


def acts(s: State, unit: str) -> bool:
    """Whether it is a unit of the active side that this chit lets act. [3.3.1, R8]"""
    return s.board.side(unit) == s.active and (s.chit != "jungle" or can_jungle(s, unit))


def refuse_barred(s: State, unit: str, hex: Hex) -> Illegal | None:
    """A hex that the first scenario closes."""
    if not barred(s, unit, hex):
        return None
    ids = ("14.1.2.B",) if s.board.side(unit) == JAPAN else ("14.1.2.C",)
    return Illegal(f"{hex} is closed in this scenario", ids)


def path_cost(s: State, unit: str, path: Sequence[Hex], zones: frozenset[Hex]) -> int | Illegal:
    """What the steps cost together, or why one of them is closed."""
    enemies, spent = occupied(s, foe(s.board.side(unit))), 0
    if len(path) < 2:
        return Illegal("a way has two hexes at least", ("4.0.B/1",))
    fare = fares(s, unit, zones)
    for a, b in pairwise(path):
        cost = None if b in enemies or a not in s.board.grid else fare(a, b)
        if cost is None:
            return closed(s, unit, a, b)
        spent += cost
    return spent


def closed(s: State, unit: str, a: Hex, b: Hex) -> Illegal:
    """Why a step cannot be made whatever it costs."""
    if b not in s.board.grid or a not in s.board.grid:
        return Illegal(f"{b} is off the map", ("4.7",))
    if not s.board.grid.adjacent(a, b):
        return Illegal(f"{a} and {b} are not neighbours", ("4.0.B/1",))
    if b in occupied(s, foe(s.board.side(unit))):
        return Illegal(f"{b} holds an enemy", ("4.2",))
    edge, shut = s.board.edge(a, b), refuse_barred(s, unit, b)
    if shut is not None:
        return shut
    if edge.water == "ocean":
        return Illegal("nobody walks over the sea", ("11.8.B", "9.3.6.A"))
    if edge.water == "river" and s.board.cost(b, mover(s, unit)) is not None:
        return Illegal(f"{unit} needs a bridge", ("11.8.1.B",))
    return Illegal(f"{b} is closed to {unit}", ("4.0.B/1",))


def reachable(s: State, unit: str) -> dict[Hex, tuple[Hex, ...]]:
    """Where a unit may go and by which way, the guaranteed hex among them."""
    piece, side = s.pieces[unit], s.board.side(unit)
    still = s.board.kind(unit) in ("coastal-artillery", "steamer") or bool(piece.marks & {*SPENT, "replaced"})
    if not acts(s, unit) or still or (side == ALLIES and "entered" in piece.marks):
        return {}
    zones, enemies = zone(s, foe(side)), occupied(s, foe(side))

    table, fare = charges(s.board, mover(s, unit), s.destroyed), fares(s, unit, zones)

    def steps(hex: Hex) -> Iterator[tuple[Hex, int]]:
        for there in table[hex]:
            if there not in enemies:
                cost = fare(hex, there)
                if cost is not None:
                    yield there, cost

    found = reach([piece.at], steps, piece.left)
    ways = {hex: way(found, hex) for hex in found if hex != piece.at}
    if "moved" not in piece.marks and s.chit != "half" and level(s, unit).allowance:
        for there, _ in steps(piece.at):
            ways.setdefault(there, (piece.at, there))
    return ways
