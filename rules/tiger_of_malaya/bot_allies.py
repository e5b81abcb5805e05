"""How the bot marches for the Allies: back by stacks before they are lost, the reserve to where the line holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise

from pbem.api import Order
from rules.kit.hexes import Hex, ends
from rules.tiger_of_malaya import bot_aims, costs, garrison, menus, movement, rail, tether, works
from rules.tiger_of_malaya.bot_aims import FAR, NEAR, Eye, home
from rules.tiger_of_malaya.orders import Blow, Fort, Move, Rail, Truck
from rules.tiger_of_malaya.state import ALLIES, JAPAN, State, is_gun, level, of, points

CONTACT = 4
"""Within so many hexes of the enemy a stack is at the front."""
ALARM = 14
"""Within so many hexes of the enemy a place that matters is manned."""
FULL = 6
"""Points with which such a place is manned."""
SPARE = 12
"""Points on the island beyond its garrison that stay there."""
CUT = 3
"""By so many movement points an enemy behind a stack is nearer to Singapore."""
LED = 5
"""So near to a headquarters the reserve goes: there is supply."""
TRAIN = 3
"""By so many movement points a train must get nearer than a march."""


class Line(Eye):
    """What the Allies look at."""

    @cached_property
    def ways_out(self) -> frozenset[Hex]:
        """The hexes that one may go back to: no enemy there, nor his zone alone."""
        own = {piece.at for id, piece in of(self.s, ALLIES) if points(self.s, id)}
        return frozenset(hex for hex in self.board.land if hex not in self.foes and hex not in self.zone - own)

    @cached_property
    def pursuers(self) -> tuple[Hex, ...]:
        """Where strong Japanese units stand."""
        return tuple(sorted({piece.at for id, piece in of(self.s, JAPAN) if bot_aims.bold(self.s, id)}))

    def in_danger(self, hex: Hex) -> bool:
        """Whether those who stand there would be beaten or cut off: too weak, an enemy behind them, or hemmed in."""
        if self.near(hex) > CONTACT or not self.board.is_land(hex):
            return False
        if self.near(hex) <= NEAR and not self.holds(hex):
            return True
        last = hex in self.objectives and self.s.turn >= self.board.scenario.last_turn - 1
        return not last and not self.board.has("island", hex) and (self.hemmed(hex) or self.behind(hex))

    def hemmed(self, hex: Hex) -> bool:
        """Whether at most one way out is left."""
        return sum(there in self.ways_out for there in self.board.grid.neighbours(hex)) < 2

    def behind(self, hex: Hex) -> bool:
        """Whether a strong enemy stands nearer to Singapore."""
        far, distance = home(self.board), self.board.grid.distance
        here = far.get(hex, FAR) - CUT
        return any(distance(at, hex) <= CONTACT and far.get(at, FAR) < here for at in self.pursuers)

    @cached_property
    def shore(self) -> tuple[Hex, ...]:
        """The hexes of the island on the strait, where it has a garrison."""
        board = self.board
        island = board.region("island") if board.scenario.garrison else ()
        return tuple(hex for hex in island if any(_strait(self, hex, there) for there in board.grid.neighbours(hex)))

    @cached_property
    def posts(self) -> tuple[Hex, ...]:
        """Where more are wanted: stacks in contact that hold, places that matter, the shore of the island."""
        found = []
        for hex in self.own:
            if self.board.is_land(hex) and self.near(hex) <= CONTACT and self.weight(hex) + 2 <= self.board.limit(hex):
                found += [] if self.in_danger(hex) else [hex]
        thin = [hex for hex in (*self.places, *self.shore) if hex not in self.s.held]
        thin = [hex for hex in thin if self.near(hex) <= ALARM and self.weight(hex) < FULL and hex not in found]
        return (*found, *thin, *self.prey)

    @cached_property
    def places(self) -> tuple[Hex, ...]:
        """What must be manned: towns and road of the scenario; in the campaign the causeway and what leads to it."""
        gates = [hex for group in self.board.groups.values() for hex in group.hexes]
        causeway = ends(self.board.game.causeway) if self.board.scenario.garrison else ()
        return tuple(dict.fromkeys((*self.objectives, *causeway, *gates)))

    @cached_property
    def prey(self) -> tuple[Hex, ...]:
        """Enemies so weak that the Allies around them could beat them."""
        distance, own = self.board.grid.distance, self.strengths(ALLIES)
        found = []
        for hex in sorted(self.foes):
            near = sum(strength for at, strength in own if distance(at, hex) <= bot_aims.AROUND)
            there = sum(level(self.s, id).defence for id in self.stack(hex))
            if near and near >= self.margin(hex) * there:
                found.append(hex)
        return tuple(found)

    @cached_property
    def watch(self) -> frozenset[Hex]:
        """The stack that is nearest to each strong enemy: it waits for him where it is."""
        distance = self.board.grid.distance
        own = sorted(self.friends)
        return frozenset(min(own, key=lambda at: (distance(at, foe), at)) for foe in self.pursuers if own)


def _strait(eye: Line, hex: Hex, there: Hex) -> bool:
    """Whether only the strait lies between a hex of the island and this one."""
    board = eye.board
    return board.is_land(there) and not board.has("island", there) and board.edge(hex, there).water == "ocean"


def orders(s: State) -> Iterator[Order]:
    """Orders of the movement step worth giving: arrivals, supply, stacks in danger, the reserve."""
    yield from menus.enters(s, ALLIES)
    duty = movement.duty(s)
    if duty is not None and (move := tether.nearer(s, duty)) is not None:
        yield move
    eye = Line(s, ALLIES)
    for hex in sorted(eye.own, key=lambda hex: (eye.near(hex), hex)):
        units = tuple(id for id in eye.stack(hex) if bot_aims.can_go(s, id))
        if units and eye.in_danger(hex):
            yield from fall_back(eye, hex, units)
    yield from spread(eye)
    for id in eye.hqs:
        if bot_aims.can_go(s, id):
            yield from lead(eye, id)
    yield from reserve(eye)


# --- falling back ---


def fall_back(eye: Line, hex: Hex, units: tuple[str, ...]) -> Iterator[Move]:
    """The whole stack to the nearest place on the way home where it stands, else its parts as far as they get."""
    slow = min(units, key=lambda id: (eye.s.pieces[id].left, id))
    yield from _back(eye, hex, units, costs.reachable(eye.s, slow))
    for id in sorted(units, key=lambda id: (not is_gun(eye.s, id), id)):
        yield from _back(eye, hex, (id,), costs.reachable(eye.s, id))


def _back(eye: Line, hex: Hex, units: tuple[str, ...], ways: Mapping[Hex, tuple[Hex, ...]]) -> Iterator[Move]:
    far = home(eye.board)
    here = far.get(hex, FAR)

    def liking(to: Hex) -> tuple[bool, bool, int, Hex]:
        stands = eye.holds(to, units) and eye.near(to) > 1 and not eye.behind(to)
        return to in eye.zone, not stands, -far.get(to, FAR) if stands else far.get(to, FAR), to

    able = [to for to in ways if far.get(to, FAR) < here and eye.room(to, units)]
    for to in sorted(able, key=liking)[:4]:
        yield Move(units=units, path=ways[to])


def spread(eye: Line) -> Iterator[Move]:
    """Out of a hex that is too full to the nearest with room; who has just landed does not count."""
    s = eye.s
    for hex in eye.own:
        full = s.board.is_land(hex) and eye.weight(hex) > s.board.limit(hex)
        if not full or any(s.pieces[id].fresh for id in eye.stack(hex)):
            continue
        for id in sorted(eye.stack(hex), key=lambda id: (-points(s, id), id)):
            if points(s, id) and bot_aims.can_go(s, id):
                ways = costs.reachable(s, id)
                fit = [to for to in ways if eye.room(to, (id,)) and to not in eye.zone]
                nearest = sorted(fit, key=lambda to: (s.board.grid.distance(to, hex), to))
                yield from (Move(units=(id,), path=ways[to]) for to in nearest[:2])


# --- the reserve ---


def lead(eye: Line, id: str) -> Iterator[Move]:
    """A headquarters that hardly anybody needs goes by road to where many are without one."""
    s, distance = eye.s, eye.board.grid.distance
    lone = eye.lonely(id)

    def care(hex: Hex) -> int:
        return sum(weight for at, weight in lone if distance(at, hex) <= bot_aims.CLOSE)

    here = care(s.pieces[id].at)
    if here >= FULL or sum(weight for _, weight in lone) < here + FULL:
        return
    crowd = tuple(sorted({at for at, _ in lone if care(at) >= here + FULL}))
    far = eye.way("foot", bot_aims.plain(crowd))
    ways = costs.reachable(s, id)
    nearer = [hex for hex in ways if far.get(hex, FAR) < far.get(s.pieces[id].at, FAR) and hex in eye.board.network]
    safe = [hex for hex in nearer if eye.room(hex, (id,)) and eye.near(hex) > NEAR]
    for hex in sorted(safe, key=lambda hex: (far[hex], hex))[:2]:
        yield Move(units=(id,), path=ways[hex])


def free(eye: Line, id: str) -> bool:
    """A unit of the reserve: fit to fight, away from the enemy, not at a place that needs it, not of the garrison."""
    s, at, board = eye.s, eye.s.pieces[id].at, eye.board
    if not bot_aims.can_go(s, id) or eye.near(at) <= CONTACT:
        return False
    if not is_gun(s, id) and (level(s, id).attack < 2 or board.kind(id) == "headquarters"):
        return False
    if board.has("island", at) and at not in eye.places:
        alarm = any(eye.near(hex) <= ALARM for hex in eye.shore)
        return alarm or garrison.strength(s) - points(s, id) >= board.scenario.garrison + SPARE
    if at in eye.watch:
        return False
    return at not in eye.places or eye.weight(at) - points(s, id) >= FULL


def reserve(eye: Line) -> Iterator[Move | Rail | Truck]:
    """Towards the nearest post, by train or truck where that is faster; guns stop behind it."""
    s, goals = eye.s, bot_aims.plain(eye.posts)
    for id, piece in of(s, ALLIES) if goals else ():
        if not free(eye, id):
            continue
        far = eye.way(bot_aims.column(s, id), goals)
        here = far.get(piece.at, FAR)
        if here == 0 or (is_gun(s, id) and s.board.grid.nearest(piece.at, eye.posts) in (1, 2)):
            continue
        ways = costs.reachable(s, id)
        able = [hex for hex in ways if far.get(hex, FAR) < here and eye.room(hex, (id,)) and eye.led(hex, LED)]
        safe = [hex for hex in able if eye.holds(hex, (id,)) and (eye.near(hex) > 1 or not is_gun(s, id))]
        marched = sorted(safe, key=lambda hex: (far[hex], hex))
        yield from by_rail(eye, id, far, far[marched[0]] if marched else here)
        for hex in marched[:2]:
            yield from by_truck(eye, id, far, hex)
            yield Move(units=(id,), path=ways[hex])


def by_rail(eye: Line, id: str, far: Mapping[Hex, int], best: int) -> Iterator[Rail]:
    """A train, if it gets clearly nearer than a march."""
    s = eye.s
    if s.chit != "full" or points(s, id) > s.board.game.rail_points:
        return
    stops = rail.line(s, s.pieces[id].at)
    able = [hex for hex in stops if far.get(hex, FAR) + TRAIN < best and eye.room(hex, (id,)) and eye.led(hex, LED)]
    yield from (Rail(units=(id,), to=hex) for hex in sorted(able, key=lambda hex: (far[hex], hex))[:1])


def by_truck(eye: Line, id: str, far: Mapping[Hex, int], marched: Hex) -> Iterator[Truck]:
    """A truck of its hex, if it gets nearer than a march."""
    s = eye.s
    for truck in eye.stack(s.pieces[id].at):
        if s.board.kind(truck) != "truck" or "moved" in s.pieces[truck].marks or is_gun(s, id):
            continue
        ways = costs.reachable(s, truck)
        nearer = [hex for hex in ways if far.get(hex, FAR) < far[marched] and eye.room(hex, (id,))]
        for hex in sorted(nearer, key=lambda hex: (far[hex], hex))[:1]:
            yield Truck(unit=truck, cargo=(id,), path=ways[hex])


# --- bridges and forts ---


def demolitions(s: State) -> Iterator[Blow]:
    """Bridges that the enemy comes near to, once nobody on the far side needs them."""
    eye = Line(s, ALLIES)
    far = home(s.board)
    held = [piece.at for id, piece in of(s, ALLIES) if points(s, id) and piece.supplied]  # who is cut off stays there
    for order in works.offers(s, ALLIES, "prepare"):
        if not isinstance(order, Blow):
            continue
        near, beyond = sorted(ends(order.bridge), key=lambda hex: far.get(hex, FAR))
        here = all(s.pieces[id].at == near for id in order.units)
        needed = any((beyond, near) in pairwise(bot_aims.way_home(s.board, at)) for at in held)
        if here and not needed and eye.near(beyond) <= CONTACT:
            yield order


def forts(s: State) -> Iterator[Fort]:
    """Where a stack stands that the enemy comes near to."""
    eye = Line(s, ALLIES)
    for order in works.offers(s, ALLIES, "finish"):
        if isinstance(order, Fort) and eye.near(order.hex) <= ALARM and not s.board.is_town(order.hex):
            yield order
