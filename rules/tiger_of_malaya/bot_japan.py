"""How the bot marches for Japan: by the way of least cost towards its goals, round what bars it, within supply."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from pbem.api import Order
from rules.kit.hexes import Hex, ends
from rules.kit.search import reach, way
from rules.tiger_of_malaya import boats, bot_aims, costs, menus, sea, works
from rules.tiger_of_malaya.bot_aims import FAR, Eye, bold
from rules.tiger_of_malaya.bot_battle import PRICE, guns_near, worth
from rules.tiger_of_malaya.orders import Cross, Enter, Move, Repair, Steam
from rules.tiger_of_malaya.state import (
    JAPAN,
    Battle,
    State,
    holder,
    is_gun,
    level,
    of,
    points,
    stack,
)

LEASH = 8
"""How far from a headquarters a unit goes: supply ends at five, and the headquarters follows."""
COVER = 2
"""How far behind infantry weak units march near the enemy."""
ALONE = 5
"""How far from the enemy they march without."""
HELP = 8
"""How far engineers go to a bridge that is down."""


class Front(Eye):
    """What Japan looks at."""

    def covered(self, hex: Hex, far: Mapping[Hex, int]) -> bool:
        """Whether a weak unit is safe there: with infantry, behind it, or far from the enemy."""
        if hex in self.friends:
            return True
        if self.near(hex) < 2:
            return False
        distance, here = self.board.grid.distance, far.get(hex, FAR)
        ahead = any(distance(one, hex) <= COVER and far.get(one, FAR) < here for one in self.friends)
        return ahead or self.near(hex) > ALONE


def orders(s: State) -> Iterator[Order]:
    """Orders of the movement step worth giving, the best first: arrivals where there is room, boats, marches."""
    eye = Front(s, JAPAN)
    for id, piece in of(s, JAPAN):  # who has come in goes on before the next comes
        if "entered" in piece.marks and piece.left:
            yield from march(eye, id)
    for entry in sorted(menus.enters(s, JAPAN), key=lambda one: not bold_arrival(s, one)):
        there = sum(points(s, id) for id in stack(s, entry.hex))
        if there + s.board.level(entry.unit, s.board.first(entry.unit)).points <= s.board.limit(entry.hex):
            yield entry
    yield from crossings(eye)
    yield from steaming(eye)
    able = [id for id, _ in of(s, JAPAN) if bot_aims.can_go(s, id)]
    rank = {id: (order_of(s, id), eye.march_of(id).get(s.pieces[id].at, FAR), id) for id in able}
    for id in sorted(able, key=rank.__getitem__):
        if "entered" not in s.pieces[id].marks:
            yield from march(eye, id)


def bold_arrival(s: State, entry: Enter) -> bool:
    """Whether infantry comes in: it clears the road for the others."""
    return s.board.kind(entry.unit) == "infantry"


def order_of(s: State, id: str) -> int:
    """Infantry goes first, guns behind it, headquarters last."""
    return 2 if s.board.kind(id) == "headquarters" else int(is_gun(s, id) or not bold(s, id))


# --- marches ---


def march(eye: Front, id: str) -> Iterator[Move]:
    """The best move of a unit, if there is one that is better than to stay."""
    s, kind = eye.s, eye.s.board.kind(id)
    if kind == "headquarters":
        yield from lead(eye, id)
    elif is_gun(s, id) and s.pieces[id].available and eye.reaches(id, eye.touched):
        return
    elif kind == "engineer" and (goal := bridge_for(eye, id)):
        yield from towards(eye, id, eye.way("foot", bot_aims.plain(goal)), lambda hex: eye.near(hex) > 1)
    elif bold(s, id) and not pinned(eye, id):
        yield from towards(eye, id, eye.march_of(id), lambda hex: eye.led(hex, LEASH))
    elif not bold(s, id):
        far = eye.march_of(id)
        yield from towards(eye, id, far, lambda hex: eye.covered(hex, far))


def towards(eye: Front, id: str, far: Mapping[Hex, int], fits: Callable[[Hex], bool]) -> Iterator[Move]:
    """Moves to hexes that lie nearer, the nearest first, with room there."""
    s, at = eye.s, eye.s.pieces[id].at
    here = far.get(at, FAR)
    if all(far.get(there, FAR) >= here for there in s.board.grid.neighbours(at)):
        return
    ways = costs.reachable(s, id)
    better = [hex for hex in ways if far.get(hex, FAR) < here and eye.room(hex, (id,)) and fits(hex)]
    for hex in sorted(better, key=lambda hex: (far[hex], hex))[:3]:
        yield Move(units=(id,), path=ways[hex])


def pinned(eye: Front, id: str) -> bool:
    """Whether an enemy beside it can be attacked with what stands near: then it stays and waits for the others."""
    s, at = eye.s, eye.s.pieces[id].at
    return any(hex in eye.foes and promising(s, hex) for hex in s.board.grid.neighbours(at))


def promising(s: State, hex: Hex) -> bool:
    """Whether an attack with everybody nearby would be worth its price."""
    distance = s.board.grid.distance
    near = [id for id, piece in of(s, JAPAN) if level(s, id).attack and distance(piece.at, hex) <= bot_aims.NEAR]
    beside = tuple(id for id in near if s.board.grid.adjacent(s.pieces[id].at, hex))
    if not beside:
        return False
    more = sum(level(s, id).attack for id in near) - sum(level(s, id).attack for id in beside)
    battle = Battle(hex, JAPAN, beside)
    support = guns_near(s, JAPAN, hex)
    return worth(s, battle, support, ()) + more >= PRICE[JAPAN]


def lead(eye: Front, id: str) -> Iterator[Move]:
    """A headquarters goes where the most of those stand near whom no other supplies."""
    s, distance = eye.s, eye.s.board.grid.distance
    lone, far = eye.lonely(id), eye.way("foot", eye.goals)

    def care(hex: Hex) -> tuple[int, int]:
        return -sum(weight for at, weight in lone if distance(at, hex) <= bot_aims.CLOSE), far.get(hex, FAR)

    ways = costs.reachable(s, id)
    safe = [hex for hex in ways if eye.room(hex, (id,)) and (hex in eye.friends or eye.near(hex) > 1)]
    here = care(s.pieces[id].at)
    for hex in sorted(safe, key=lambda hex: (care(hex), hex))[:2]:
        if care(hex) < here:
            yield Move(units=(id,), path=ways[hex])


# --- bridges, boats, steamers ---


def bridge_for(eye: Front, id: str) -> tuple[Hex, ...]:
    """The hexes at bridges that are down, Japan's on both sides and not far from these engineers."""
    s, at = eye.s, eye.s.pieces[id].at
    found = []
    for name in sorted(s.destroyed):
        if all(holder(s, hex) == JAPAN and eye.near(hex) > 1 for hex in ends(name)):
            found += [hex for hex in ends(name) if s.board.grid.distance(at, hex) <= HELP]
    return tuple(found)


def repairs(s: State) -> Iterator[Repair]:
    """All engineers of a hex at a bridge that is down."""
    return (order for order in works.offers(s, JAPAN, "finish") if isinstance(order, Repair))


def crossings(eye: Front) -> Iterator[Cross]:
    """With boats over the strait, and over rivers for those who cannot walk, where that leads nearer."""
    s = eye.s
    for boat, piece in of(s, JAPAN):
        if s.board.kind(boat) not in boats.BOATS or piece.marks & {"moved"} or not s.board.is_land(piece.at):
            continue
        for hex in s.board.grid.neighbours(piece.at):
            if not s.board.is_land(hex) or not boats.wet(s, piece.at, hex):
                continue
            able = [id for id in stack(s, piece.at) if id != boat and not s.pieces[id].marks & {"moved"}]
            able = [id for id in able if gains(eye, id, hex) and boats.lifts(s, boat, id)]
            if s.board.edge(piece.at, hex).water == "river":
                able = [id for id in able if costs.entry_cost(s, id, piece.at, hex) is None]
            able.sort(key=lambda id: (not bold(s, id), -level(s, id).attack, id))
            yield from (Cross(units=(id,), boats=boat, path=(piece.at, hex)) for id in able)


def gains(eye: Front, id: str, hex: Hex) -> bool:
    """Whether a unit is nearer to the goals there."""
    far = eye.march_of(id)
    return far.get(hex, FAR) < far.get(eye.s.pieces[id].at, FAR)


LANDING = ("engineer", "infantry")
"""Who lands from a steamer."""
HOOK = 6
"""How much nearer a landing must bring a unit than it stands."""


def steaming(eye: Front) -> Iterator[Steam]:
    """A steamer lands a small unit along the coast where that saves it a long way; empty it follows the front."""
    s = eye.s
    for id, piece in of(s, JAPAN):
        if s.board.kind(id) != "steamer" or "moved" in piece.marks or s.active != JAPAN:
            continue
        most = costs.allowance(s, id)
        found = reach([piece.at], partial(lanes, s, sea.enemies(s, JAPAN)), most)
        small = [one for one, _ in of(s, JAPAN) if sea.load(s, one) == 1 and s.board.kind(one) in LANDING]
        loads = [one for one in small if s.pieces[one].at == piece.at == s.pieces[one].start]
        for one in loads:
            far = eye.march_of(one)
            here = far.get(piece.at, FAR)
            shores = [hex for hex in found if s.board.is_land(hex) and eye.room(hex, (one,)) and eye.near(hex) > 1]
            for hex in sorted(shores, key=lambda hex: (far.get(hex, FAR), hex))[:4]:
                if far.get(hex, FAR) + HOOK <= here:
                    yield Steam(units=(id,), cargo=(one,), path=way(found, hex))
        if not loads and all(s.board.grid.distance(s.pieces[one].at, piece.at) > 1 for one in small):
            met = [s.pieces[one].at for one in small if s.pieces[one].at in found]
            yield from (Steam(units=(id,), path=way(found, hex)) for hex in sorted(met)[:1])


def lanes(s: State, closed: frozenset[Hex], hex: Hex) -> Iterator[tuple[Hex, int]]:
    """Where a steamer gets from a hex."""
    for there in s.board.grid.neighbours(hex):
        if there not in closed and sea.sails(s, hex, there):
            yield there, s.board.game.steamer_cost
