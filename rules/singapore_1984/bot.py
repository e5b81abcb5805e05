"""A player of some sense: Japan marches on Singapore and attacks where the table is kind, the Commonwealth stands while
it can and goes back along the road before it must. It looks one order ahead and plans nothing.

Here are its answers and its battles; `bot_march` moves, `bot_land` measures.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pbem.api import Ask, Known, Order
from rules.kit.hexes import Hex
from rules.singapore_1984 import (
    air,
    bot_land,
    bot_march,
    combat,
    declaration,
    falling_back,
    judging,
    losses,
    menus,
    victory,
)
from rules.singapore_1984.listing import Listing, Superiority, Use
from rules.singapore_1984.orders import (
    Advance,
    AirZ,
    Attack,
    Declare,
    Defend,
    End,
    Evacuate,
    Hold,
    Intercept,
    Lose,
    NoIntercept,
    Retreat,
)
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import CW, JP, State
from rules.singapore_1984.written import ITEMS

if TYPE_CHECKING:
    import random

BRAVE = 6
"""The column, from 0, from which an attack is made."""
STORM = 5
"""The same on the island, where time presses."""
ENOUGH, LATE, FEW = 10, 13, 5
"""So many Japanese units before the island begin the assault; from a turn on, few will do."""


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
            return Declare() if bot_land.before_the_island(s) >= (ENOUGH if s.turn < LATE else FEW) else End()
        case "deploy":
            return bot_march.deploy(s, side)
        case "reinforce":
            return bot_march.reinforce(s, side)
        case "move":
            return bot_march.march(s, side)
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


# --- reinforcement ---


# --- movement ---


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
    far = bot_land.field(s.board, JP, bot_land.CITY)
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
        fit = [o for o in steps if bot_land.fits(s, o.unit, o.hex)]
        return min(
            fit,
            key=lambda o: bot_land.field(s.board, JP, bot_land.goal_of(s, o.unit, JP)).get(o.hex, 99),
            default=Hold(),
        )
    ways = [o for o in found if isinstance(o, Retreat) and not _stops_short(s, o)]
    if ways:
        return min(
            ways, key=lambda o: bot_land.field(s.board, side, bot_land.goal_of(s, o.unit, side)).get(o.path[-1], 99)
        )
    return next((o for o in found if not isinstance(o, Evacuate)), None)


def _stops_short(s: State, order: Retreat) -> bool:
    """Whether it would sail away reduced though it could go the whole way."""
    return s.battle is not None and tuple(order.path) in falling_back.landfalls(s, s.battle, order.unit)
