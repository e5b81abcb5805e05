"""What a bot looks at: how far it is to where it wants to be, what threatens a hex, what holds it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache

from rules.kit.hexes import Hex, Side
from rules.kit.search import Reached, reach, way
from rules.tiger_of_malaya import costs
from rules.tiger_of_malaya.components import Board
from rules.tiger_of_malaya.odds import defence_of
from rules.tiger_of_malaya.places import places
from rules.tiger_of_malaya.rows import Mover
from rules.tiger_of_malaya.state import ALLIES, JAPAN, State, foe, level, mover, occupied, of, points
from rules.tiger_of_malaya.zones import zone

FAR = 10_000
WATER = 12
"""Movement points for which the bot takes a hexside that cannot be walked over: boats or a repair will be needed."""
BLOCK = 10
"""What it takes an enemy in the way for: so far it goes round him."""
ZONE = 3
"""What it takes an enemy zone for."""
NEAR = 2
"""From so many hexes away an enemy may attack next."""
HUNT = 12
"""So many movement points an enemy that can be beaten is worth less than a place."""
SMALL = 6
"""Points from which an enemy is worth the whole way."""
AROUND = 4
"""So near stand those who could beat him."""
CLOSE = 4
"""How near to a headquarters its units should stand."""
IDLE = ("truck", "steamer", "coastal-artillery")
"""Kinds that do not march by themselves."""

Goals = tuple[tuple[Hex, int], ...]
"""Where somebody wants to be, with what must be added to a way there: the greater, the less he wants it."""


def plain(hexes: Iterable[Hex]) -> Goals:
    """Goals of the same worth."""
    return tuple((hex, 0) for hex in hexes)


# --- ways ---


@lru_cache(maxsize=256)
def field(
    board: Board,
    how: Mover,
    goals: Goals,
    dearer: frozenset[Hex] = frozenset(),
    shut: frozenset[Hex] = frozenset(),
    barred: frozenset[Hex] = frozenset(),
    down: frozenset[Side] = frozenset(),
) -> Mapping[Hex, int]:
    """The cost from every hex to the nearest goal, zones and enemies counted in, water open at a price."""
    return {hex: found.cost for hex, found in _search(board, how, goals, dearer, shut, barred, down).items()}


def _search(
    board: Board,
    how: Mover,
    goals: Goals,
    dearer: frozenset[Hex] = frozenset(),
    shut: frozenset[Hex] = frozenset(),
    barred: frozenset[Hex] = frozenset(),
    down: frozenset[Side] = frozenset(),
) -> dict[Hex, Reached[Hex]]:
    back = _back(board, how, barred, down)

    def steps(hex: Hex) -> Iterable[tuple[Hex, int]]:
        more = (BLOCK if hex in shut else 0) + (ZONE if hex in dearer else 0)
        return [(there, cost + more) for there, cost in back[hex]] if more else back[hex]

    return reach(dict(goals), steps)


@lru_cache(maxsize=32)
def _back(
    board: Board, how: Mover, barred: frozenset[Hex], down: frozenset[Side]
) -> Mapping[Hex, tuple[tuple[Hex, int], ...]]:
    """From where a hex is entered, and what that costs."""
    table = costs.charges(board, how, down)

    def before(hex: Hex) -> Iterator[tuple[Hex, int]]:
        for there, edge in board.land_beside(hex):
            cost = table[there].get(hex, WATER if edge.water else None)
            if there not in barred and cost is not None:
                yield there, cost

    return {hex: tuple(before(hex)) for hex in board.land}


@lru_cache(maxsize=8)
def _routes(board: Board) -> dict[Hex, Reached[Hex]]:
    return _search(board, "foot", plain((board.game.surrender_hex,)))


@lru_cache(maxsize=8)
def home(board: Board) -> Mapping[Hex, int]:
    """How far every hex is from the south of Singapore Island on foot, whoever stands in between."""
    return {hex: found.cost for hex, found in _routes(board).items()}


@lru_cache(maxsize=4096)
def way_home(board: Board, hex: Hex) -> tuple[Hex, ...]:
    """The hexes on the way from a hex to the south of the island, itself first; none from where there is none."""
    found = _routes(board)
    return tuple(reversed(way(found, hex))) if hex in found else ()


@lru_cache(maxsize=16)
def closed(board: Board, seat: str) -> frozenset[Hex]:
    """The hexes of the column that the first scenario closes to a side."""
    row = board.scenario
    if not row.closed_column:
        return frozenset()
    own = [hex for hex in board.land if int(hex[:2]) == row.closed_column]
    return frozenset(hex for hex in own if seat == JAPAN or int(hex[2:]) < row.open_row)


# --- units ---


def bold(s: State, unit: str) -> bool:
    """A unit that may stand beside an enemy alone: two points or more, and it can attack."""
    return level(s, unit).attack > 0 and points(s, unit) > 1


def column(s: State, unit: str) -> Mover:
    """Its column of the chart, all on foot alike: so fewer ways are searched."""
    how = mover(s, unit)
    return how if how in ("motorized", "mechanized") else "foot"


def can_go(s: State, unit: str) -> bool:
    """Whether it may march by itself in this impulse still; who has come in for Japan goes on."""
    piece = s.pieces[unit]
    still = piece.marks & {"replaced", "carried", "railed", "ferries"} or not s.board.is_land(piece.at)
    if still or s.board.kind(unit) in IDLE or not costs.acts(s, unit):
        return False
    if "entered" in piece.marks:
        return s.board.side(unit) == JAPAN and piece.left > 0
    return "moved" not in piece.marks


# --- a position ---


class Eye:
    """What one side sees of a position, each thing reckoned once for one question."""

    def __init__(self, s: State, seat: str) -> None:
        self.s, self.seat, self.board = s, seat, s.board
        self.foes = occupied(s, foe(seat))
        self.friends = frozenset(piece.at for id, piece in of(s, seat) if bold(s, id) and s.board.is_land(piece.at))
        """Where the units stand that others gather around."""
        self._ways: dict[tuple[Mover, Goals], Mapping[Hex, int]] = {}
        self._distances: dict[Hex, int] = {}
        self._threats: dict[Hex, int] = {}

    @cached_property
    def zone(self) -> frozenset[Hex]:
        """The zones of the enemy."""
        return zone(self.s, foe(self.seat))

    @cached_property
    def own(self) -> tuple[Hex, ...]:
        """Where any units of this side stand."""
        return tuple(sorted(places(self.s).anybody(self.seat)))

    def stack(self, hex: Hex) -> tuple[str, ...]:
        """The units of a hex."""
        return places(self.s).stack(hex)

    def weight(self, hex: Hex) -> int:
        """The points in a hex."""
        return sum(points(self.s, id) for id in self.stack(hex))

    def room(self, hex: Hex, units: tuple[str, ...]) -> bool:
        """Whether a hex holds these too."""
        own = sum(points(self.s, id) for id in self.stack(hex) if id not in units)
        return own + sum(points(self.s, id) for id in units) <= self.board.limit(hex)

    def near(self, hex: Hex) -> int:
        """How far the nearest enemy with points is."""
        if hex not in self._distances:
            far = self.board.grid.nearest(hex, self.foes)
            self._distances[hex] = FAR if far is None else far
        return self._distances[hex]

    def way(self, how: Mover, goals: Goals) -> Mapping[Hex, int]:
        """The way to goals as the enemies stand now."""
        if (how, goals) not in self._ways:
            barred = closed(self.board, self.seat)
            open_goals = tuple((hex, cost) for hex, cost in goals if hex not in barred)
            self._ways[how, goals] = field(self.board, how, open_goals, self.zone, self.foes, barred, self.s.destroyed)
        return self._ways[how, goals]

    def march_of(self, unit: str) -> Mapping[Hex, int]:
        """The way of a unit to where its side wants to be."""
        return self.way(column(self.s, unit), self.goals)

    @cached_property
    def objectives(self) -> tuple[Hex, ...]:
        """What the scenario is about: towns and a road; none in the campaign, which is about Singapore itself."""
        return tuple(dict.fromkeys((*self.board.scenario.objectives, *self.board.scenario.road)))

    @cached_property
    def goals(self) -> Goals:
        """Japan wants what it does not hold, else Singapore, and enemies that can be beaten; the Allies want home."""
        end = self.board.game.surrender_hex
        if self.seat == ALLIES:
            return plain((end,))
        places = tuple(hex for hex in self.objectives if hex not in self.s.held) or self.objectives or (end,)
        weak = [hex for hex in sorted(self.foes) if self.beatable(hex)]
        return (*plain(places), *((hex, self.hunt(hex)) for hex in weak if hex not in places))

    def hunt(self, hex: Hex) -> int:
        """What an enemy is worth less than a place: the more, the smaller he is."""
        return HUNT + 2 * max(SMALL - self.weight(hex), 0)

    @cached_property
    def touched(self) -> frozenset[Hex]:
        """Enemy hexes that strong units stand beside."""
        return frozenset({there for hex in self.friends for there in self.board.grid.neighbours(hex)} & self.foes)

    def reaches(self, gun: str, hexes: frozenset[Hex]) -> bool:
        """Whether a gun reaches one of these."""
        at, far = self.s.pieces[gun].at, self.board.template(gun).range
        return any(self.board.grid.distance(at, hex) <= far for hex in hexes)

    # --- headquarters ---

    @cached_property
    def hqs(self) -> Mapping[str, Hex]:
        """Where the headquarters of this side stand."""
        own = of(self.s, self.seat)
        return {id: p.at for id, p in own if self.board.kind(id) == "headquarters" and self.board.is_land(p.at)}

    def led(self, hex: Hex, far: int) -> bool:
        """Whether a headquarters is so near."""
        nearest = self.board.grid.nearest(hex, self.hqs.values())
        return nearest is not None and nearest <= far

    def lonely(self, hq: str) -> list[tuple[Hex, int]]:
        """Where units stand that no other headquarters is near to, with their weight."""
        others = [at for id, at in self.hqs.items() if id != hq]
        grid = self.board.grid
        far = {at: not others or (grid.nearest(at, others) or 0) > CLOSE for at in self.own}
        own = ((piece.at, points(self.s, id)) for id, piece in of(self.s, self.seat) if id not in self.hqs)
        return [(at, weight) for at, weight in own if weight and far[at] and self.board.is_land(at)]

    # --- who stands against whom ---

    @cached_property
    def attackers(self) -> list[tuple[Hex, int]]:
        """Where Japanese attack strength stands."""
        return self.strengths(JAPAN)

    def strengths(self, side: str) -> list[tuple[Hex, int]]:
        """Where attack strength of a side stands."""
        found = [(piece.at, level(self.s, id).attack) for id, piece in of(self.s, side)]
        return [(at, strength) for at, strength in found if strength]

    @cached_property
    def batteries(self) -> list[tuple[Hex, int, int]]:
        """Where available Allied guns stand, how they help a defence and how far."""
        rows = [(piece.at, self.board.template(id)) for id, piece in of(self.s, ALLIES) if piece.available]
        return [(at, row.defence, row.range) for at, row in rows if row.defence]

    def threat(self, hex: Hex) -> int:
        """Twice the Japanese attack strength nearby, once that of who stands behind a river or the strait."""
        if hex not in self._threats:
            distance, beside = self.board.grid.distance, self.board.grid.neighbours(hex)
            total = 0
            for at, strength in self.attackers:
                if distance(at, hex) <= NEAR:
                    last = min(beside, key=lambda there: distance(there, at))
                    total += strength if self.board.edge(last, hex).water in ("river", "ocean") else 2 * strength
            self._threats[hex] = total
        return self._threats[hex]

    def margin(self, hex: Hex) -> int:
        """The odds at which an attack costs both sides the same: 3:1 in the open, 7:1 in jungle of level 4."""
        return 3 + list(self.board.odds_lines).index(self.board.line(hex))

    def defence(self, hex: Hex, more: tuple[str, ...] = ()) -> int:
        """The defence strength of the Allies in a hex, with units that would come there and guns that reach it."""
        s = self.s
        there = [id for id in self.stack(hex) if self.board.side(id) == ALLIES and id not in more]
        printed = sum(level(s, id).defence for id in (*there, *more))
        distance = self.board.grid.distance
        support = sum(strength for at, strength, far in self.batteries if distance(at, hex) <= far)
        support //= 2 if self.board.halves_artillery(hex) else 1
        own = sum(defence_of(s, id, hex) for id in there) + sum(level(s, id).defence for id in more)
        return max(own + min(support, self.board.game.defence_support * printed), 1)

    def holds(self, hex: Hex, more: tuple[str, ...] = ()) -> bool:
        """Whether these would stand against what is near."""
        return self.threat(hex) < 2 * self.margin(hex) * self.defence(hex, more)

    def beatable(self, hex: Hex) -> bool:
        """Whether the Japanese around are so strong that an attack with all of them would be worth it."""
        distance = self.board.grid.distance
        near = sum(strength for at, strength in self.attackers if distance(at, hex) <= AROUND)
        return near >= self.margin(hex) and near >= self.margin(hex) * self.defence(hex)
