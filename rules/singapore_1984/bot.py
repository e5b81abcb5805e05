"""A player of some sense: Japan marches on Singapore and attacks where the table is kind, the Commonwealth stands while
it can and goes back along the road before it must. It looks one order ahead and plans nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from pbem.api import Ask, Known, Order
from rules.kit.hexes import Hex
from rules.kit.search import reach, way
from rules.singapore_1984 import (
    air,
    combat,
    declaration,
    falling_back,
    judging,
    losses,
    menus,
    movement,
    reinforcement,
    sea,
    stacking,
    victory,
)
from rules.singapore_1984.components import Board
from rules.singapore_1984.listing import Listing, Superiority, Use
from rules.singapore_1984.orders import (
    Advance,
    AirZ,
    Ashore,
    Attack,
    Declare,
    Defend,
    Deploy,
    End,
    Evacuate,
    Hold,
    Intercept,
    Land,
    Lose,
    Move,
    NoIntercept,
    Place,
    Retreat,
    Sea,
    Transfer,
)
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import AWAY, CW, JP, PENANG, SINGAPORE, State, foe
from rules.singapore_1984.written import ITEMS
from rules.singapore_1984.zones import zone

if TYPE_CHECKING:
    import random

CITY: Hex = "i2004"
OPPOSITE: Hex = "1825"
"""Johore Bahru, where Japan can go at most. [R22]"""
BRAVE = 6
"""The column, from 0, from which an attack is made."""
STORM = 5
"""The same on the island, where time presses."""
ENOUGH, LATE, FEW = 10, 13, 5
"""So many Japanese units before the island begin the assault; from a turn on, few will do."""
FIRST_ASHORE = "56/18"
"""The regiment that lands in the first turn."""
FAR, EVEN = 8, 3
"""Movement points that a voyage saves; faces of a die."""
ODDS, ALONE = 3, 30
"""Strength more than an enemy's that dares into the strait, and what it is worth not to go there with less."""
NEAR = 3
"""Hexes within which an enemy is a threat."""


def sample(s: State, ask: Ask, known: Known, rng: random.Random) -> Order:
    """Mostly what is on the menu; the end of a phase now and then, so that games go on."""
    if ask.what == "options":
        side: Player = "jp" if ask.seat == JP else "cw"
        chosen = tuple(item for item in menus.BOUGHT[side] if rng.randrange(5) < 3)
        return Listing(side=side, listed=chosen)
    found = list(menus.offers(s, ask.seat, known))
    ends = [order for order in found if isinstance(order, End | Hold)]
    if ends and (len(found) == 1 or rng.randrange(8) == 0):
        return ends[0]
    if ask.what in ("attack", "move") and rng.randrange(2):
        return advise(s, ask, known, rng)
    return rng.choice(found)


def advise(s: State, ask: Ask, known: Known, rng: random.Random) -> Order:
    """The order that looks best; the first of the menu where nothing is better."""
    side: Player = "jp" if ask.seat == JP else "cw"
    order = _answer(s, ask.what, side, known, rng)
    if order is not None and judging.refuse(s, ask.seat, order) is None:
        return order
    return next(iter(menus.offers(s, ask.seat, known)))


def _answer(s: State, what: str, side: Player, known: Known, rng: random.Random) -> Order | None:
    match what:
        case "options":
            return Listing(side=side, listed=rng.choice((menus.BOUGHT[side], menus.BOUGHT[side][:2], ())))
        case "muster":
            return next((Use(item=item) for item in menus.listed(s, side, known) if item not in AT_NEED), End())
        case "declare":
            return Declare() if _before_the_island(s) >= (ENOUGH if s.turn < LATE else FEW) else End()
        case "deploy":
            return _deploy(s, side)
        case "reinforce":
            return _reinforce(s, side)
        case "move":
            return _march(s, side)
        case "attack":
            return _attack(s, side)
        case "defend":
            return _defend(s, side)
        case "retreat" | "lose" | "advance":
            return _in_battle(s, what, side, known)
        case "intercept":
            found = [o for o in menus.offers(s, CW, known) if isinstance(o, Intercept)]
            return max(found, key=lambda o: len(s.board.interception.get(o.port, ())), default=NoIntercept())
        case "airz":
            return AirZ(use="yes")
        case "airsup":
            return Superiority(air=min(air.left(s, CW), air.left(s, JP) // 2))
    return None


AT_NEED = frozenset({*ITEMS["cw"][:5], "7HUS", "2RTR", "13.6", "13.44"})
"""What is shown by the order that needs it."""


# --- the lie of the land ---


@lru_cache(maxsize=64)
def field(board: Board, side: Player, goal: Hex) -> Mapping[Hex, int]:
    """Movement points from every hex to a goal, as if nobody stood in the way."""

    def back(hex: Hex) -> Iterator[tuple[Hex, int]]:
        for there in board.neighbours(hex):
            cost = board.step(there, hex, side) if board.is_land(hex) or board.is_strait(hex) else None
            if cost is not None:
                yield there, cost

    return {hex: found.cost for hex, found in reach([goal], back).items()}


@lru_cache(maxsize=4)
def net(board: Board) -> frozenset[Hex]:
    """The hexes on a road or railroad."""
    return frozenset(hex for hex in board.letters if any(edge.road or edge.rail for _, edge in board.beside(hex)))


def _goal(s: State, unit: str, side: Player) -> Hex:
    """Penang for one Japanese regiment while it is not taken; else Singapore, or the city on the inset."""
    if s.pieces[unit].at.startswith("i"):
        return CITY
    if side == JP and unit == "42/5" and s.control.get(PENANG) == CW and s.turn < 12:
        return PENANG
    return SINGAPORE if side == CW else OPPOSITE


def _before_the_island(s: State) -> int:
    return sum(not s.pieces[id].oos for hex in s.board.region("facing") for id in s.at(hex, JP))


# --- reinforcement ---

NORTH_EDGE = ("0101", "0201", "0101", "0301")
"""The railhead first, until a Japanese unit was there: it is the source of supply."""


def _reinforce(s: State, side: Player) -> Order:
    if s.pulse and side == JP:
        return _cross(s) or End()
    entries = NORTH_EDGE[s.through.get("0101") == JP :] if side == JP else (SINGAPORE, "i2105")
    for unit in reinforcement.arrivals(s):
        if side == JP and _sail(s, unit) is not None:
            continue  # it comes by sea
        for hex in entries:
            order = Place(unit=unit, hex=hex)
            if judging.refuse(s, side, order) is None:
                return order
    return End()


def _cross(s: State) -> Order | None:
    """Onto the shore of the inset, where it is emptiest."""
    for large in s.board.region("facing"):
        for unit in s.at(large, JP):
            shores = sorted(s.board.region(f"from-{large}"), key=lambda hex: (s.stack(hex), hex))
            for hex in shores:
                order = Transfer(unit=unit, hex=hex)
                if _fits(s, unit, hex) and judging.refuse(s, JP, order) is None:
                    return order
    return None


def _deploy(s: State, side: Player) -> Order:
    if side == JP:
        return _cross_now(s) or End()
    unit = next(id for id in s.on_map(CW) if s.pieces[id].at == SINGAPORE)
    shore = sorted(s.board.region("island"), key=lambda hex: (s.stack(hex) // 6, -_wet(s.board, hex), hex))
    return next(order for hex in shore if judging.refuse(s, CW, order := Deploy(unit=unit, hex=hex)) is None)


def _wet(board: Board, hex: Hex) -> int:
    """How many sides of a hex of the island face the mainland over the strait."""
    return sum(board.is_strait(there) or board.ground(there) == "causeway" for there in board.neighbours(hex))


def _cross_now(s: State) -> Order | None:
    for large in s.board.region("facing"):
        for unit in s.at(large, JP):
            for hex in sorted(s.board.region(f"from-{large}"), key=lambda hex: (s.stack(hex), hex)):
                order = Deploy(unit=unit, hex=hex)
                if _fits(s, unit, hex) and judging.refuse(s, JP, order) is None:
                    return order
    return None


# --- movement ---


def _sail(s: State, unit: str) -> Order | None:
    """By sea down the East Coast, to a port that nobody holds, where that saves a turn's march or more.

    While Force Z is about, only where it meets a convoy half of the time at most.
    """
    board, at = s.board, s.pieces[unit].at
    far = field(board, JP, OPPOSITE)
    origin = "off" if at in AWAY else at
    if s.turn == 1 and unit != FIRST_ASHORE:
        return None
    risky = s.forcez == "alive" and not s.used.get("forcez")
    here = far["0101"] if origin == "off" else far.get(at, 0)
    ports = sorted(board.ports, key=lambda port: (far.get(port, 99), port))
    for port in ports:
        if here - far.get(port, 99) < FAR or (risky and len(board.interception.get(port, ())) > EVEN):
            continue
        kind = Sea if s.control.get(port) == JP else Land
        order = kind(unit=unit, origin=origin, port=port)
        if sea.coast(s, port) == "e" and _fits(s, unit, port) and sea.refuse_sailing(s, order) is None:
            return order
    return None


def _fits(s: State, unit: str, hex: Hex) -> bool:
    """Whether it may end there: room, and no guards with other infantry."""
    if hex != s.pieces[unit].at and not stacking.room(s, hex, unit):
        return False
    row = s.board.units[unit]
    if row.side != JP or row.arm != "infantry" or s.on("13.9"):
        return True
    return all(
        s.board.units[id].arm != "infantry" or s.board.units[id].guard == row.guard for id in s.at(hex) if id != unit
    )


def _march(s: State, side: Player) -> Order:
    """The first unit for which another hex is better than its own."""
    watched = zone(s, foe(side))
    enemies = s.occupied(foe(side))
    if side == JP and not s.pulse:
        army = sorted(s.board.army[JP], key=lambda id: (s.board.worth(id), id))  # the cheapest meets Force Z
        order = next((o for id in army if id in s.pieces and (o := _sail(s, id)) is not None), None)
        if order is not None:
            return order
    for unit in s.on_map(side):
        piece = s.pieces[unit]
        if piece.moved or not s.acts(unit):
            continue
        if s.at_sea(unit):
            order = _ashore(s, unit)
            if order is not None:
                return order
            continue
        if side == CW and piece.at == SINGAPORE:
            continue
        goal = _goal(s, unit, side)
        value = _japan if side == JP else _commonwealth
        stay = value(s, unit, piece.at, goal, watched, enemies)
        found = movement.walkable(s, unit, s.allowance(unit))
        best, most = piece.at, stay if _fits(s, unit, piece.at) else stay - 500
        for hex in found:
            if hex != piece.at and movement.refuse_end(s, unit, hex) is None and _fits(s, unit, hex):
                worth = value(s, unit, hex, goal, watched, enemies)
                if worth > most:
                    best, most = hex, worth
        if best != piece.at:
            return Move(unit=unit, path=way(found, best)[1:])
    return End()


def _ashore(s: State, unit: str) -> Order | None:
    if not s.pulse:
        return None
    for hex in s.board.neighbours(s.pieces[unit].at):
        order = Ashore(unit=unit, hex=hex)
        if judging.refuse(s, JP, order) is None and _fits(s, unit, hex):
            return order
    return None


def _japan(s: State, unit: str, hex: Hex, goal: Hex, watched: frozenset[Hex], enemies: frozenset[Hex]) -> int:
    """Nearer to the goal along roads, and beside an enemy."""
    far = field(s.board, JP, goal).get(hex, 99)
    beside = sum(there in enemies for there in s.board.neighbours(hex))
    worth = -4 * far + 6 * bool(beside)
    if s.board.is_strait(hex):  # who stands there must attack [11.43a]
        ours = sum(s.face(id).attack for id in (*(id for id in s.at(hex, JP) if id != unit), unit))
        theirs = max(
            (sum(s.face(id).defense for id in s.at(there, CW)) for there in s.board.neighbours(hex)), default=0
        )
        return worth - 3 * max(0, beside - 2) - (ALONE if ours < theirs + ODDS else 0)
    if hex.startswith("i"):
        return worth + (4 if s.board.has("island", hex) else 0)
    return worth - (0 if hex in net(s.board) or beside or hex == goal else 24)


def _commonwealth(s: State, unit: str, hex: Hex, goal: Hex, watched: frozenset[Hex], enemies: frozenset[Hex]) -> int:
    """Where it is while nobody is near; else back, as far as it takes, into good ground and company."""
    home = field(s.board, CW, goal).get(hex, 99)
    if hex == SINGAPORE:
        threat = 0
    else:
        threat = sum(
            s.face(id).attack
            for id in s.on_map(JP)
            if s.pieces[id].at.startswith("i") == hex.startswith("i") and s.board.distance(s.pieces[id].at, hex) <= NEAR
        )
    friends = sum(s.face(id).defense for id in s.at(hex, CW) if id != unit) + s.face(unit).defense
    danger = max(0, threat - friends - s.board.row(hex))
    here = 6 if hex == s.pieces[unit].at else 0
    if hex.startswith("i"):
        held = 8 if s.board.has("city", hex) and friends < 16 else 0
        return here + held - 2 * home - (12 if hex in watched and s.pieces[unit].at != hex else 0)
    road = 0 if hex in net(s.board) else 16
    return here - 3 * danger - home // 2 - road - (30 if hex in watched else 0)


# --- combat ---


def _attack(s: State, side: Player) -> Order:
    """The attack with the best column, with air points where they lift it; what must be fought first."""
    open_ = [attack for attack in menus.attacks(s) if not attack.air and _worth_it(s, attack, side)]
    share = -(-air.left(s, side) // max(1, len(open_)))
    found = [(column, with_air) for attack in open_ for column, with_air in _with_air(s, attack, side, share)]
    if found:
        return max(found, key=lambda one: (one[0], -(one[1].air or 0)))[1]
    if side == JP and declaration.refuse_no_attack(s) is not None:
        order = next((o for o in menus.attacks(s) if judging.refuse(s, side, o) is None), None)
        return order or End()
    return End()


def _worth_it(s: State, attack: Attack, side: Player) -> bool:
    """Whether it leads anywhere: on the island Japan fights on the way to the city, and where it must."""
    hexes, units = tuple(attack.hexes), tuple(attack.units)
    bound = any(s.at_sea(id) for id in units)
    return bound or side == CW or not hexes[0].startswith("i") or _on_the_way(s, hexes[0], units)


def _with_air(s: State, attack: Attack, side: Player, most: int) -> Iterator[tuple[int, Attack]]:
    """The attack with as many air points as lift it a column, as far as it is kind enough then, and the column."""
    hexes, units = tuple(attack.hexes), tuple(attack.units)
    island = hexes[0].startswith("i")
    die = sum(m.value for m in combat.modifiers(s, hexes, units))
    least = (STORM if island else BRAVE) + int(side == CW)
    bound, highest = any(s.at_sea(id) for id in units), -1
    for points in range(most + 1):
        column = combat.column(s, hexes, units, points, 0)
        if column is None or column <= highest or not (bound or column + die >= least):
            continue
        with_air = attack.model_copy(update={"air": points or None})
        if judging.refuse(s, side, with_air) is None:
            highest = column
            yield column + die, with_air


def _on_the_way(s: State, hex: Hex, units: tuple[str, ...]) -> bool:
    """Whether a hex of the island lies nearer to the city than its attackers: other fights cost too much."""
    far = field(s.board, JP, CITY)
    return far.get(hex, 99) < min(far.get(s.pieces[id].at, 99) for id in units)


def _defend(s: State, side: Player) -> Order:
    """Everything that is left, where it is needed most."""
    points = air.left(s, side)
    for attack in sorted(s.attacks, key=lambda a: -(combat.column(s, a.hexes, a.units, a.air, a.defence_air) or 0)):
        order = Defend(hex=attack.hexes[0], air=max(1, min(points, 4)))
        if attack.defence_air == 0 and judging.refuse(s, side, order) is None:
            return order
    return End()


def _price(s: State, unit: str) -> int:
    """What a step costs in thousandths of a point for each point of strength that it makes good."""
    b, reduced = s.battle, s.pieces[unit].reduced
    rest = 0 if reduced else s.board.worth(unit, reduced=True)
    points = abs(victory.rate(s, unit)) * (s.board.worth(unit, reduced) - rest)
    counts = losses.step_value(s, b, unit) if b is not None and b.stages[0].startswith("lose") else 1
    return 1000 * points // max(1, min(counts, b.steps if b is not None else 1))


def _in_battle(s: State, what: str, side: Player, known: Known) -> Order | None:
    """The way back nearest home, the step that is worth least, the farthest advance of Japan."""
    found = list(menus.offers(s, side, known))
    if what == "lose":
        return min((o for o in found if isinstance(o, Lose)), key=lambda o: (_price(s, o.unit), o.unit))
    if what == "advance":
        steps = [o for o in found if isinstance(o, Advance)]
        if side == CW or not steps:
            return Hold()
        fit = [o for o in steps if _fits(s, o.unit, o.hex)]
        return min(fit, key=lambda o: field(s.board, JP, _goal(s, o.unit, JP)).get(o.hex, 99), default=Hold())
    ways = [o for o in found if isinstance(o, Retreat) and not _stops_short(s, o)]
    if ways:
        return min(ways, key=lambda o: field(s.board, side, _goal(s, o.unit, side)).get(o.path[-1], 99))
    return next((o for o in found if not isinstance(o, Evacuate)), None)


def _stops_short(s: State, order: Retreat) -> bool:
    """Whether it would sail away reduced though it could go the whole way."""
    return s.battle is not None and tuple(order.path) in falling_back.landfalls(s, s.battle, order.unit)
