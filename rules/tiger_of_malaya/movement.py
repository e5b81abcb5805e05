"""Movement and stacking. [4.0, 5.0, 10.1]"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from pbem.api import Illegal, Note, Tell
from rules.kit.hexes import Hex
from rules.kit.hexes import side as hexside
from rules.kit.search import reach, way
from rules.tiger_of_malaya import garrison, supply
from rules.tiger_of_malaya.components import Board, Edge
from rules.tiger_of_malaya.orders import Move
from rules.tiger_of_malaya.overrun import overrun
from rules.tiger_of_malaya.rows import Mover
from rules.tiger_of_malaya.state import (
    ALLIES,
    JAPAN,
    State,
    can_jungle,
    foe,
    is_gun,
    level,
    mover,
    occupied,
    of,
    points,
    stacks,
)
from rules.tiger_of_malaya.supply import Lines
from rules.tiger_of_malaya.zones import settle, zone

CLOSED = (None, None)
SPENT = frozenset({"railed", "ferries", "carried"})
LIGHT = ("jungle", "motorized", "mechanized")

# --- what a step costs ---


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


def land_cost(board: Board, how: Mover, b: Hex, edge: Edge) -> int | None:
    """A step across country; None where it is closed. [4.0.B, 4.0.C, R15]"""
    ground = board.cost(b, how)
    if ground is None or edge.water == "ocean":
        return None
    more = board.crossings[edge.water].cost(how) if edge.water else 0
    return None if more is None else ground + more


@lru_cache(maxsize=32)
def charges(board: Board, how: Mover) -> Mapping[Hex, Mapping[Hex, tuple[int | None, int | None]]]:
    """What every step costs, the cheaper of road and country, and what it costs with the bridge down."""  # [4.0.B/2]
    found: dict[Hex, dict[Hex, tuple[int | None, int | None]]] = {}
    for a in board.land:
        steps = found.setdefault(a, {})
        for b, edge in board.beside(a):
            road, land = road_cost(board, how, edge), land_cost(board, how, b, edge)
            if road is not None or land is not None:
                steps[b] = (min(cost for cost in (road, land) if cost is not None), land)
    return found


def entry_cost(s: State, unit: str, a: Hex, b: Hex) -> int | None:
    """What a step costs, zones apart, an aircraft that harasses counted in."""  # [4.0.B/2, 11.4.3.B/1, R78]
    if barred(s, unit, b):
        return None
    whole, down = charges(s.board, mover(s, unit)).get(a, {}).get(b, CLOSED)
    cost = down if s.destroyed and hexside(a, b) in s.destroyed else whole
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
    return s.board.side(unit) == JAPAN or int(hex[2:]) < row.open_row


def step_cost(s: State, unit: str, a: Hex, b: Hex, zones: frozenset[Hex]) -> int | None:
    """What a step costs in movement, zones of control counted in."""  # [4.0.C, 6.0.C, 6.0.D, 6.0.F, R13]
    cost = entry_cost(s, unit, a, b)
    if cost is None:
        return None
    how, game = mover(s, unit), s.board.game  # [6.0.E] needs nothing: a zone stops nobody
    if b in zones:
        cost += game.zone_in_light if how in LIGHT else game.zone_in
    if a in zones:
        cost += game.zone_out_jungle if how == "jungle" else game.zone_out
    return cost


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


def ready(s: State) -> None:
    """The movement step opens: allowances are known."""  # [4.0.A]
    for id, piece in of(s, s.active):
        piece.left = allowance(s, id) if acts(s, id) else 0
        if acts(s, id):
            piece.fresh = False if "entered" not in piece.marks else piece.fresh  # [R69]


# --- marches ---


def refuse_move(s: State, seat: str, order: Move) -> Illegal | None:
    """Each unit pays for itself; the path begins where they stand."""  # [4.0.B/1]
    if len(set(order.units)) != len(order.units):
        return Illegal("a unit is named twice", ("4.0.B/1",))
    for unit in order.units:
        wrong = refuse_unit(s, seat, unit, order.path)
        if wrong is not None:
            return wrong
    return refuse_leave(s, order)


def refuse_leave(s: State, order: Move) -> Illegal | None:
    """What binds the Allies whatever they move by: supply, and the garrison of the island. [4.4.A, 4.4.B, 12.1.A]"""
    return garrison.refuse_leave(s, order.units, order.path[-1]) or refuse_supply(s, order)


def refuse_barred(s: State, unit: str, hex: Hex) -> Illegal | None:
    """A hex that the first scenario closes."""
    if not barred(s, unit, hex):
        return None
    ids = ("14.1.2.B",) if s.board.side(unit) == JAPAN else ("14.1.2.C",)
    return Illegal(f"{hex} is closed in this scenario", ids)


def refuse_unit(s: State, seat: str, unit: str, path: Sequence[Hex]) -> Illegal | None:
    """Why a unit cannot go this way."""
    piece = s.pieces.get(unit)
    if piece is None or s.board.side(unit) != seat:
        return Illegal(f"{unit} is no unit of yours on the map", ("2.2.P1",))
    if not acts(s, unit):
        return Illegal(f"{unit} is not jungle-capable", ("3.3.1",))
    if s.board.kind(unit) == "coastal-artillery":
        return Illegal(f"{unit} is coastal artillery and never moves", ("11.1.3",))
    if s.board.kind(unit) == "steamer":
        return Illegal(f"{unit} goes by water", ("11.6.A",), f"steam {unit} {'-'.join(path)}")
    if "entered" in piece.marks and seat == ALLIES:
        return Illegal(f"{unit} has arrived in this impulse", ("10.1.1.C",))
    if "replaced" in piece.marks:
        return Illegal(f"{unit} has had replacements", ("10.2.1.C",))
    if piece.marks & SPENT:
        return Illegal(f"{unit} has made its move", ("4.5.B", "11.8.1.C", "11.8.1.E", "R21"))
    if path[0] != piece.at:
        return Illegal(f"{unit} stands in {piece.at}", ("4.0.B/1",), f"begin with {piece.at}")
    spent = path_cost(s, unit, path, zone(s, foe(seat)))
    if isinstance(spent, Illegal):
        return spent
    if spent <= piece.left:
        return None
    whole = "moved" not in piece.marks and len(path) == 2 and s.chit != "half" and level(s, unit).allowance
    if whole:  # [4.3.B, R11]
        return None
    ids = ("4.3.A", "4.0.D") if s.chit == "half" and len(path) == 2 else ("4.0.D",)
    return Illegal(f"{unit} has {piece.left} movement points, this costs {spent}", ids)


def path_cost(s: State, unit: str, path: Sequence[Hex], zones: frozenset[Hex]) -> int | Illegal:
    """What the steps cost together, or why one of them is closed."""
    enemies, spent = occupied(s, foe(s.board.side(unit))), 0
    if len(path) < 2:
        return Illegal("a way has two hexes at least", ("4.0.B/1",))
    for a, b in pairwise(path):
        if b not in s.board.grid or a not in s.board.grid:
            return Illegal(f"{b} is off the map", ("4.7",))
        if not s.board.grid.adjacent(a, b):
            return Illegal(f"{a} and {b} are not neighbours", ("4.0.B/1",))
        if b in enemies:
            return Illegal(f"{b} holds an enemy", ("4.2",))
        cost = step_cost(s, unit, a, b, zones)
        if cost is None:
            return closed(s, unit, b, s.board.edge(a, b))
        spent += cost
    return spent


def closed(s: State, unit: str, b: Hex, edge: Edge) -> Illegal:
    """Why a step cannot be made whatever it costs."""
    shut = refuse_barred(s, unit, b)
    if shut is not None:
        return shut
    if edge.water == "ocean":
        return Illegal("nobody walks over the sea", ("11.8.B", "9.3.6.A"))
    if edge.water == "river" and s.board.cost(b, mover(s, unit)) is not None:
        return Illegal(f"{unit} needs a bridge", ("11.8.1.B",))
    return Illegal(f"{b} is closed to {unit}", ("4.0.B/1",))


def refuse_supply(s: State, order: Move) -> Illegal | None:
    """Allied units keep their supply, or come nearer to it."""  # [4.4.A, 4.4.B, R18, R19]
    if s.active != ALLIES or supply.immune(s, ALLIES):
        return None
    watched = [id for id, piece in of(s, ALLIES) if "linked" in piece.marks and not roams(s, id)]
    watched = [id for id in watched if id in order.units or "moved" in s.pieces[id].marks]
    if not watched and not any(bound(s, id) for id in order.units):
        return None
    then = after(s, order)
    for id in watched:
        if not then[id] and (id in order.units or supply.traced(s, ALLIES)[id]):
            return Illegal(f"{id} would end out of supply", ("4.4.A",), "headquarters go first")
    for id in order.units:
        if bound(s, id) and not then[id]:
            far = distances(s)
            if far.get(order.path[-1], FAR) >= far.get(order.path[0], FAR) and nearer(s, id) is not None:
                return Illegal(f"{id} must come nearer to supply", ("4.4.B",))
    return None


def after(s: State, order: Move) -> dict[str, bool]:
    """Who would be in supply when the order is done."""
    before = {id: s.pieces[id].at for id in order.units}
    for id in order.units:
        s.pieces[id].at = order.path[-1]
    found = supply.traced(s, ALLIES)
    for id, hex in before.items():
        s.pieces[id].at = hex
    return found


FAR = 10_000


def roams(s: State, unit: str) -> bool:
    """The Independent Company."""
    return unit in s.board.units and s.board.units[unit].roams


def bound(s: State, unit: str) -> bool:
    """An Allied unit that must seek supply."""  # [4.4.B, 4.4.C, R20]
    piece = s.pieces[unit]
    return (
        s.active == ALLIES
        and s.chit != "choice"
        and not piece.supplied
        and not roams(s, unit)
        and acts(s, unit)
        and level(s, unit).allowance > 0
        and points(s, unit) > 0
        and not piece.marks & SPENT
        and "entered" not in piece.marks
        and not supply.immune(s, ALLIES)
    )


def distances(s: State) -> dict[Hex, int]:
    """How far every hex is from a headquarters in supply."""  # [R19]
    hqs = supply.supplied_hqs(s, ALLIES)
    far = Lines(s, ALLIES).far(hqs, None)
    if not hqs:
        return {}
    return {hex: far.get(hex, FAR // 2 + (s.board.grid.nearest(hex, hqs) or 0)) for hex in s.board.land}


def reachable(s: State, unit: str) -> dict[Hex, tuple[Hex, ...]]:
    """Where a unit may go and by which way, the guaranteed hex among them."""
    piece, side = s.pieces[unit], s.board.side(unit)
    still = s.board.kind(unit) in ("coastal-artillery", "steamer") or bool(piece.marks & {*SPENT, "replaced"})
    if not acts(s, unit) or still or (side == ALLIES and "entered" in piece.marks):
        return {}
    zones, enemies = zone(s, foe(side)), occupied(s, foe(side))

    table = charges(s.board, mover(s, unit))

    def steps(hex: Hex) -> Iterator[tuple[Hex, int]]:
        for there in table.get(hex, ()):
            if there not in enemies:
                cost = step_cost(s, unit, hex, there, zones)
                if cost is not None:
                    yield there, cost

    found = reach([piece.at], steps, piece.left)
    ways = {hex: way(found, hex) for hex in found if hex != piece.at}
    if "moved" not in piece.marks and s.chit != "half" and level(s, unit).allowance:
        for there, _ in steps(piece.at):
            ways.setdefault(there, (piece.at, there))
    return ways


def nearer(s: State, unit: str) -> Move | None:
    """A move that brings a unit nearer to supply."""  # [R19]
    far = distances(s)
    here = far.get(s.pieces[unit].at, FAR)
    ways = sorted(reachable(s, unit).items(), key=lambda one: (far.get(one[0], FAR), one[0]))
    for hex, path in ways:
        if far.get(hex, FAR) < here:
            return Move(units=(unit,), path=path)
    return None


def duty(s: State) -> str | None:
    """An Allied unit that must move nearer to supply before movement ends."""  # [4.4.B]
    for id, piece in of(s, ALLIES):
        if "moved" not in piece.marks and bound(s, id):
            move = nearer(s, id)
            if move is not None and refuse_move(s, ALLIES, move) is None:
                return id
    return None


def move(s: State, order: Move, tell: Tell) -> None:
    """Each pays for itself. [4.0.B/1]"""
    zones = zone(s, foe(s.active))
    for unit in order.units:
        spent = path_cost(s, unit, order.path, zones)
        assert isinstance(spent, int)
        s.pieces[unit].left = max(s.pieces[unit].left - spent, 0)
    go(s, tuple(order.units), order.path, tell)
    told = {"units": ", ".join(order.units), "from": order.path[0], "to": "-".join(order.path[1:])}
    tell(Note("moved", told, ("4.0.B/1",)))


def go(s: State, units: Sequence[str], path: Sequence[Hex], tell: Tell) -> None:
    """Step by step: control follows; guns are unavailable, enemy trucks and steamers give way. [4.6, R16, R27]"""
    for unit in units:
        s.pieces[unit].mark("moved")
        if is_gun(s, unit):
            s.pieces[unit].available = False  # [4.6, 11.1.1.C/1]
    for hex in path[1:]:
        for unit in units:
            s.pieces[unit].at = hex
        settle(s)
    if any(points(s, unit) for unit in units):
        overrun(s, s.board.side(units[0]), path[1:], tell)


# --- stacking ---


def crowded(s: State) -> dict[Hex, int]:
    """Hexes in which the active side has too many points at the end of an impulse in which it moved."""  # [5.0.E, R23]
    if not any("moved" in piece.marks or "entered" in piece.marks for _, piece in of(s, s.active)):
        return {}
    found = {}  # [5.0.A, 5.0.C]: a truck has no points
    for hex, units in stacks(s).items():
        if s.board.is_land(hex) and s.board.side(units[0]) == s.active and not any(s.pieces[id].fresh for id in units):
            over = sum(points(s, id) for id in units) - s.board.limit(hex)
            if over > 0:
                found[hex] = over
    return found


def refuse_discard(s: State, seat: str, units: Sequence[str]) -> Illegal | None:
    """Units of a crowded hex, as few as will do."""  # [5.0.F, R24]
    over = crowded(s)
    hexes = {s.pieces[id].at for id in units if id in s.pieces}
    if len(set(units)) != len(units) or len(hexes) != 1 or not hexes <= set(over):
        return Illegal(
            "no hex with too many units is meant", ("5.0.F",), f"too many in: {' '.join(sorted(over)) or '-'}"
        )
    hex = next(iter(hexes))
    weights = sorted((points(s, id) for id, piece in s.pieces.items() if piece.at == hex), reverse=True)
    fewest = next(n for n in range(1, len(weights) + 1) if sum(weights[:n]) >= over[hex])
    if len(units) != fewest or sum(points(s, id) for id in units) < over[hex]:
        return Illegal(f"{hex} has {over[hex]} points too many", ("5.0.F", "R24"), f"name {fewest} units")
    return None
