"""Movement on land, by rail, and what entering a hex does. [5.0]"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from pbem.api import Illegal, Note, Tell
from rules.kit.hexes import Hex
from rules.kit.search import Reached, reach, trace
from rules.singapore_1984 import air
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import AWAY, CW, JP, KUALA, NORTH, OFF, PENANG, POOL, SINGAPORE, State, foe
from rules.singapore_1984.zones import zone


def refuse_mover(s: State, unit: str) -> Illegal | None:
    """A unit of the phasing player on the map that has not moved yet."""
    if unit not in s.pieces:
        return Illegal(f"{unit} is not in this game", ("5.16",))
    piece = s.pieces[unit]
    if s.side(unit) != s.active:
        return Illegal(f"{unit} is not yours", ("5.1",))
    if piece.at in AWAY:
        how = f"sea {unit} from off to PORT" if s.side(unit) == JP else "reinforcements are placed before movement"
        return Illegal(f"{unit} is not on the map", ("5.0PR",), how if piece.at in (POOL, OFF) else "")
    if piece.moved or s.at_sea(unit):
        return Illegal(f"{unit} has moved in this phase", ("5.16",))
    return s.refuse_idle(unit)


def refuse_step(s: State, unit: str, a: Hex, b: Hex, enemies: frozenset[Hex]) -> Illegal | None:
    """One step, whatever it costs and whoever watches; `enemies` are the hexes that an enemy holds."""
    board, side = s.board, s.side(unit)
    if b not in board.neighbours(a):
        return Illegal(f"{a} and {b} do not touch", ("5.0PR",))
    edge = board.edge(a, b)
    if edge.closed:
        return Illegal(f"all of the hexside between {a} and {b} is sea", ("5.28b",))
    if b in enemies:
        return Illegal(f"an enemy is in {b}", ("5.13",))
    if b == SINGAPORE and side == JP:
        return Illegal("Singapore Island is taken on the inset only", ("R22", "11.0a"))
    if b == SINGAPORE and s.assault:
        return Illegal("after the first assault pulse nobody walks into 1826", ("11.0k",))
    wet = refuse_water(s, unit, b)
    if wet is not None:
        return wet
    if board.units[unit].arm == "armor" and not (edge.road or edge.rail):
        ways = ", ".join(board.linked.get(a, ())) or "nowhere"
        return Illegal(f"no road or railroad leads from {a} to {b}", ("5.23",), f"from {a} they lead to {ways}")
    if s.cost(a, b, side) is None:
        return Illegal(f"{b} is no land that {unit} may enter", ("5.21",))
    return None


def refuse_water(s: State, unit: str, b: Hex) -> Illegal | None:
    """What the strait and the Causeway forbid. [11.41, 11.44a]"""
    armor = s.board.units[unit].arm == "armor"
    if s.board.is_strait(b) and (armor or s.side(unit) == CW):
        ids = ("11.41b",) if armor else ("11.41a",)
        return Illegal(f"{unit} does not enter the strait", ids)
    if not armor or s.board.ground(b) != "causeway":
        return None
    if any(s.control.get(end) != s.side(unit) for end in s.board.region("causeway-ends")):
        return Illegal("the Causeway is shut to armor until both its ends are friendly", ("11.44a",))
    return None


def refuse_end(s: State, unit: str, hex: Hex) -> Illegal | None:
    """Where a unit may not stop. [11.44b]"""
    if s.board.units[unit].arm == "armor" and s.board.ground(hex) == "causeway":
        return Illegal("armor does not stop on the Causeway", ("11.44b",))
    return None


def refuse_walk(s: State, unit: str, path: Sequence[Hex], allowance: int, start: Hex = "") -> Illegal | None:
    """A march, from where the unit stands or from `start`: every step, the zones, the points. [5.14, 8.11, 8.12]"""
    watched, enemies = zone(s, foe(s.side(unit))), s.occupied(foe(s.side(unit)))
    start, spent = start or s.pieces[unit].at, 0
    # [5.31a, 5.33, 8.21, 11.45a] need nothing: friends and their zones hinder nobody
    steps = list(pairwise((start, *path)))
    for n, (a, b) in enumerate(steps):
        wrong = refuse_step(s, unit, a, b, enemies) or (refuse_end(s, unit, b) if n == len(steps) - 1 else None)
        if wrong is not None:
            return wrong
        if a in watched and b in watched:
            return Illegal(f"{a} and {b} are both in an enemy zone", ("8.12",))
        if n and a in watched:
            return Illegal(f"{unit} stops in {a}, which is in an enemy zone", ("8.11",))
        spent += s.cost(a, b, s.side(unit)) or 0
        if spent > allowance:
            why = ("5.26",) if n == 0 else ("5.14",)
            return Illegal(f"{'-'.join(path[: n + 1])} costs {spent} movement points of {allowance}", why)
    return None


def walkable(s: State, unit: str, allowance: int) -> dict[Hex, Reached[Hex]]:
    """Every hex that the unit can march to, with the cheapest way."""
    side = s.side(unit)
    watched, enemies = zone(s, foe(side)), s.occupied(foe(side))

    def steps(a: Hex) -> Iterator[tuple[Hex, int]]:
        here = a in watched
        for b in s.board.neighbours(a):
            if b in enemies or (here and b in watched):
                continue
            cost = s.cost(a, b, side)
            if cost is not None and refuse_step(s, unit, a, b, enemies) is None:
                yield b, cost

    return reach([s.pieces[unit].at], steps, limit=allowance, stops=watched.__contains__)


# --- rail ---


def refuse_rail(s: State, unit: str, path: Sequence[Hex]) -> Illegal | None:
    """Rail Movement: one unit a turn, along one line that hangs on the side's own end of it. [5.4]"""
    side, start = s.side(unit), s.pieces[unit].at
    if s.used.get(f"rail-{side}"):
        return Illegal("one unit a turn goes by rail", ("5.41",))
    if not any(edge.rail for _, edge in s.board.beside(start)):
        return Illegal(f"{unit} does not begin on a railroad", ("5.43a",))
    watched, enemies = zone(s, foe(side)), s.occupied(foe(side))
    for n, (a, b) in enumerate(pairwise((start, *path))):
        if b not in s.board.neighbours(a) or not s.board.edge(a, b).rail:
            return Illegal(f"no railroad runs from {a} to {b}", ("5.43a",))
        wrong = refuse_step(s, unit, a, b, enemies)
        if wrong is not None:
            return wrong
        if a in watched and b in watched:
            return Illegal(f"{a} and {b} are both in an enemy zone", ("8.12", "R18"))
        if n and a in watched:
            # [5.43c]: the hex where it begins may be watched
            return Illegal(f"{unit} leaves the train in {a}, which is in an enemy zone", ("5.43b", "8.11"))
    if side == JP and any(s.through.get(hex) != JP for hex in (start, *path)):  # [5.45c]
        return Illegal("Japan uses only rails that a unit of its own was the last to pass", ("5.45b", "R76"))
    if not rail_open(s, side, start):
        ids = ("5.44", "R17") if side == CW else ("5.45a", "R17")
        return Illegal(f"no free railroad leads from {start} to {SINGAPORE if side == CW else NORTH}", ids)
    return None


def rail_open(s: State, side: Player, start: Hex) -> bool:
    """Whether a free railroad leads to the side's own end; a friend does not cancel a zone here. [R17]"""
    enemy = foe(side)
    barred = s.occupied(enemy) | zone(s, enemy)
    end = SINGAPORE if side == CW else NORTH

    def along(hex: Hex) -> Iterator[Hex]:
        return (there for there, edge in s.board.beside(hex) if edge.rail)

    def passes(hex: Hex) -> bool:
        return hex not in barred and (side == CW or s.through.get(hex) == JP)

    return trace(start, lambda hex: hex == end, along, passes) is not None


# --- entering ---


def enter(s: State, unit: str, path: Sequence[Hex], tell: Tell, **marks: bool) -> None:
    """The unit goes through these hexes and stays in the last, marked; markers turn. [5.7, R15, R82]"""
    side = s.side(unit)
    for hex in path:
        s.through[hex] = side
        if s.control.get(hex, side) != side:
            s.control[hex] = side
            s.captured[hex] = s.turn
            tell(Note("taken", {"unit": unit, "place": s.board.name(hex)}, ("5.7",)))
        if hex == KUALA and side == JP and s.slots and not s.kuala:
            s.kuala = "left"  # [13.7b]
        if hex in s.board.airfields and side == JP and air.homeless(s):
            air.capture(s, tell)
        if hex == PENANG and side == JP and s.shipping == "unresolved":
            s.shipping, s.penang_turn = "roll", s.turn  # [6.23a, R62]
    if path:
        s.change(unit, at=path[-1], **marks)
