"""How the bot moves: reinforcements, voyages, marches, the crossing to the island. [5.0, 6.0, 11.0]"""

from __future__ import annotations

from pbem.api import Order
from rules.kit.hexes import Hex
from rules.kit.search import way
from rules.singapore_1984 import bot_land, judging, movement, reinforcement, sea
from rules.singapore_1984.board import Board
from rules.singapore_1984.orders import Ashore, Deploy, End, Land, Move, Place, Sea, Transfer
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import AWAY, CW, JP, SINGAPORE, State, foe
from rules.singapore_1984.zones import zone

FIRST_ASHORE = "56/18"
"""The regiment that lands in the first turn."""
FAR, EVEN = 8, 3
"""Movement points that a voyage saves; faces of a die."""
ODDS, ALONE = 3, 30
"""Strength more than an enemy's that dares into the strait, and what it is worth not to go there with less."""
NEAR = 3
"""Hexes within which an enemy is a threat."""
NORTH_EDGE = ("0101", "0201", "0101", "0301")
"""The railhead first, until a Japanese unit was there: it is the source of supply."""


def reinforce(s: State, side: Player) -> Order:
    """By land, where it does not come by sea; in a pulse over to the inset."""
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
                if bot_land.fits(s, unit, hex) and judging.refuse(s, JP, order) is None:
                    return order
    return None


def deploy(s: State, side: Player) -> Order:
    """As the assault begins: the Commonwealth along the water, Japan where it is emptiest."""
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
                if bot_land.fits(s, unit, hex) and judging.refuse(s, JP, order) is None:
                    return order
    return None


def _sail(s: State, unit: str) -> Order | None:
    """By sea down the East Coast, to a port that nobody holds, where that saves a turn's march or more.

    While Force Z is about, only where it meets a convoy half of the time at most.
    """
    board, at = s.board, s.pieces[unit].at
    far = bot_land.field(board, JP, bot_land.OPPOSITE)
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
        if sea.coast(s, port) == "e" and bot_land.fits(s, unit, port) and sea.refuse_sailing(s, order) is None:
            return order
    return None


def march(s: State, side: Player) -> Order:
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
        goal = bot_land.goal_of(s, unit, side)
        value = _japan if side == JP else _commonwealth
        stay = value(s, unit, piece.at, goal, watched, enemies)
        found = movement.walkable(s, unit, s.allowance(unit))
        best, most = piece.at, stay if bot_land.fits(s, unit, piece.at) else stay - 500
        for hex in found:
            if hex != piece.at and movement.refuse_end(s, unit, hex) is None and bot_land.fits(s, unit, hex):
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
        if judging.refuse(s, JP, order) is None and bot_land.fits(s, unit, hex):
            return order
    return None


def _japan(s: State, unit: str, hex: Hex, goal: Hex, watched: frozenset[Hex], enemies: frozenset[Hex]) -> int:
    """Nearer to the goal along roads, and beside an enemy."""
    far = bot_land.field(s.board, JP, goal).get(hex, 99)
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
    return worth - (0 if hex in bot_land.net(s.board) or beside or hex == goal else 24)


def _commonwealth(s: State, unit: str, hex: Hex, goal: Hex, watched: frozenset[Hex], enemies: frozenset[Hex]) -> int:
    """Where it is while nobody is near; else back, as far as it takes, into good ground and company."""
    home = bot_land.field(s.board, CW, goal).get(hex, 99)
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
    road = 0 if hex in bot_land.net(s.board) else 16
    return here - 3 * danger - home // 2 - road - (30 if hex in watched else 0)
