"""The bot on the map: it attacks where the odds are good, keeps what it needs to win, and stands where it is wanted.

It looks at the position alone and gives one order at a time; what it has begun, the next look goes on with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from pbem.api import Order
from rules.field_command import plans
from rules.field_command.campaign import choices, flights, guns
from rules.field_command.campaign.orders import Drive, Fire, Fly, Move, Shift
from rules.field_command.campaign.state import (
    Unit,
    War,
    ally_inside,
    attacked,
    attacks,
    count,
    enemies,
    family,
    flying,
    foes,
    full,
    ground,
)
from rules.field_command.combat import WHOLE
from rules.field_command.rows import Army
from rules.kit.search import reach

BOLD, CAREFUL = 45, 60
"""Per cent of a chance to clear a sector in one turn with which Japan, and the Commonwealth, attack it."""
ENOUGH = 85
"""Nobody else is sent into a battle that is won with this chance."""
GARRISON = 5
"""So many ground units of the Commonwealth stay on an objective."""
GUNS = 2
"""So many guns support one battle."""
GUN = 3
"""A gun or aircraft is worth one defender in so many."""

SURE = 1_000_000
"""Out of so many ways a chance is told."""
FAR = 99
"""Farther than any way."""

Dice = tuple[int, ...]


# --- odds ---


@cache
def round_odds(attack: Dice, defence: Dice, bonus: int) -> tuple[int, int, int]:
    """In how many ways the attacker wins, and loses, one round of point against point, and how many there are."""
    ours, theirs = plans.highest(attack), plans.highest(defence)
    margins = [(WHOLE * (a - d) - bonus, ways * other) for a, ways in ours.items() for d, other in theirs.items()]
    won = sum(ways for margin, ways in margins if margin > 0)
    lost = sum(ways for margin, ways in margins if margin < 0)
    return won, lost, sum(ours.values()) * sum(theirs.values())


@lru_cache(maxsize=20000)
def clears(attack: tuple[Dice, ...], defence: tuple[Dice, ...], bonus: int, left: int = 2) -> int:
    """The chance in a million that a line empties another in one turn, by General Assault alone."""
    if not defence:
        return SURE
    if not attack:
        return 0
    won, lost, ways = round_odds(attack[0], defence[0], bonus)
    rest, more = (attack, left - 1) if left > 1 else (attack[1:], 2)
    return (
        won * clears(rest, defence[1:], bonus, more)
        + lost * clears(attack[1:], defence, bonus)
        + (ways - won - lost) * clears(rest, defence, bonus, more)
    ) // ways


def chance(w: War, place: str, army: Army, attackers: Iterable[Unit], bonus: int) -> int:
    """Per cent: that these units clear a sector of its defenders this turn, with what strikes for either side."""
    charts = w.board.charts
    line = sorted((charts.dice(one.origin, one.kind, "attack") for one in attackers), reverse=True)
    theirs = [one for one in ground(w, place) if foes(one.army, army)]
    against = sorted((charts.dice(one.origin, one.kind, "defence") for one in theirs), reverse=True)
    ours = len(flying(w, place, army)) + sum(one.sector == place for one in w.barrages)
    return 100 * clears(tuple(line), tuple(against[ours // GUN :]), bonus) // SURE


# --- wishes ---


def wishes(w: War, army: Army) -> Iterator[Order]:
    """What the army would like to do next, best first; some of it may be refused."""
    if w.phase == "planning" and w.step != "fire":
        ways = distances(w, army)
        if w.step in ("land", "fly"):
            yield from _flights(w, army, ways)
        yield from _relief(w, army)
        yield from _attacks(w, army, ways)
        yield from _marches(w, army, ways)
    for unit, place in guns.possible(w, army):
        if sum(one.sector == place for one in w.barrages) < GUNS:
            yield Fire(unit=unit.id, place=place)


def distances(w: War, army: Army) -> dict[str, int]:
    """How far each place is from what the army wants: objectives to take, or to keep from those who come for them."""
    if army == "J":
        goals = [id for id in w.board.objectives if w.control[id] != "J"]
    else:
        goals = [id for id in w.board.objectives if w.control[id] == "J"] or list(w.board.objectives)
    found = reach(goals, lambda at: ((step.to, 1) for step in w.board.neighbours(at)))
    near = {place: one.cost for place, one in found.items()}
    for axis in w.board.axes:
        near[axis] = min((near[to] + 1 for to in w.board.landings(axis) if to in near), default=len(w.board.sectors))
    return near


def targets(w: War, army: Army, ways: dict[str, int]) -> list[tuple[str, list[Unit], int]]:
    """Enemy sectors that can be attacked, the most wanted first, with who can come and the chance of it all."""
    free = [unit for unit in choices.movers(w, army) if family(w, unit) != "artillery"]
    beside: dict[str, list[Unit]] = {}
    for unit in free:
        for step in w.board.neighbours(unit.where):
            beside.setdefault(step.to, []).append(unit)
    fought = {id for id in w.contested if attacks(w, id, army)}
    found = []
    for place in sorted({*beside, *fought}):
        if not enemies(w, place, army) or w.control[place] == army or ally_inside(w, place, army):
            continue
        able = [unit for unit in beside.get(place, ()) if _comes(w, unit, place, joins=place in fought)]
        inside = list(ground(w, place, army))
        if able or inside:
            line = sorted((*inside, *able), key=lambda one: w.board.charts.dice(one.origin, one.kind, "attack"))[::-1]
            line = line[: w.board.charts.game.stacking]
            odds = chance(w, place, army, line, _bonus(w, place, able))
            found.append((place, [one for one in line if one in able], odds))
    return sorted(found, key=lambda one: (ways.get(one[0], FAR), -one[2], one[0]))


def _bonus(w: War, place: str, able: list[Unit]) -> int:
    return min((w.board.bonus(unit.where, place, "off-road") for unit in able), default=0)


def _comes(w: War, unit: Unit, place: str, *, joins: bool) -> bool:
    """Whether a unit next door may come into this sector this turn, and is not wanted where it is."""
    step = w.board.step(unit.where, place)
    if step is None or (unit.where in w.contested and not joins):
        return False
    crosses = unit.where in w.board.axes or w.board.charts.reach(unit.origin, unit.kind).water
    return (not step.water or step.road or crosses) and not _needed(w, unit)


def _needed(w: War, unit: Unit) -> bool:
    """Whether it must stay where it is: it holds a fight, or is of the garrison of what must be held."""
    at = unit.where
    if at in w.contested:
        return w.control[at] == unit.army or count(w, at, unit.army) <= 1
    return at in w.board.objectives and unit.army != "J" and count(w, at, unit.army) <= GARRISON


def _pays(w: War, army: Army, place: str, odds: int) -> bool:
    """Whether to go on with an attack: what has been begun is supported, and an objective is worth more."""
    wanted = BOLD if army == "J" else CAREFUL
    if place in w.board.objectives:
        wanted -= 10
    if army == "J":
        wanted -= w.period  # the later, the bolder
    return odds >= wanted


def _attacks(w: War, army: Army, ways: dict[str, int]) -> Iterator[Order]:
    for place, able, odds in targets(w, army, ways):
        begun = place in attacked(w) or (place in w.contested and attacks(w, place, army))
        if not able or not (begun or _pays(w, army, place, odds)):
            continue
        if army != "J" and not begun and not _worth_retaking(w, place):
            continue
        inside = list(ground(w, place, army))
        if begun and chance(w, place, army, inside, 0) >= ENOUGH:
            continue
        for unit in able:
            yield from _into(w, unit, place)


def _relief(w: War, army: Army) -> Iterator[Order]:
    """Into own fights that must not be lost: objectives and supply points."""
    for place in sorted({*w.board.objectives, *w.board.supply_points} & w.contested):
        if w.control[place] != army or full(w, place, army):
            continue
        for unit in choices.movers(w, army):
            if unit.where not in w.contested and w.board.step(unit.where, place) and not _needed(w, unit):
                yield from _into(w, unit, place)


def _worth_retaking(w: War, place: str) -> bool:
    """Objectives, supply points, and what borders them."""
    keys = {*w.board.objectives, *w.board.supply_points}
    return place in keys or any(step.to in keys for step in w.board.neighbours(place))


def _into(w: War, unit: Unit, place: str) -> Iterator[Order]:
    yield Move(unit=unit.id, way=(place,))
    yield Drive(unit=unit.id, way=(place,))


def _marches(w: War, army: Army, ways: dict[str, int]) -> Iterator[Order]:
    """Into empty enemy sectors on the way, then up behind the front; a sector with an ally is left to him."""
    for unit in choices.movers(w, army):
        if unit.where in w.contested or _needed(w, unit):
            continue
        here = ways.get(unit.where, FAR)
        if army != "J" and not any(w.control[id] == "J" for id in w.board.objectives):
            yield from _home(w, unit, here, ways)
            continue
        for step in sorted(w.board.neighbours(unit.where), key=lambda step: (ways.get(step.to, FAR), step.to)):
            if ways.get(step.to, FAR) >= here or _shut(w, step.to, army):
                continue
            if family(w, unit) == "artillery" and w.control[step.to] != army:
                continue
            yield from _into(w, unit, step.to)
        if unit.where in w.board.axes:
            yield from _shifts(w, unit, ways)


def _shut(w: War, place: str, army: Army) -> bool:
    return enemies(w, place, army) or ally_inside(w, place, army) or full(w, place, army) or place in w.contested


def _shifts(w: War, unit: Unit, ways: dict[str, int]) -> Iterator[Order]:
    """To an Axis behind a landing that has been won."""
    won = [
        axis
        for axis in w.board.activated
        if axis != unit.where and any(w.control[to] == "J" and to not in w.contested for to in w.board.landings(axis))
    ]
    if not any(w.control[to] == "J" for to in w.board.landings(unit.where)):
        yield from (Shift(unit=unit.id, place=axis) for axis in sorted(won, key=lambda axis: (ways[axis], axis)))


def _home(w: War, unit: Unit, here: int, ways: dict[str, int]) -> Iterator[Order]:
    """Towards an objective that is not fully held; who sees the enemy next door stays and faces him."""
    if any(w.control.get(step.to) == "J" for step in w.board.neighbours(unit.where)):
        return
    for step in sorted(w.board.neighbours(unit.where), key=lambda step: (ways.get(step.to, FAR), step.to)):
        if (
            ways.get(step.to, FAR) < here
            and not _shut(w, step.to, unit.army)
            and not foes(w.control[step.to], unit.army)
        ):
            yield from _into(w, unit, step.to)


def _flights(w: War, army: Army, ways: dict[str, int]) -> Iterator[Order]:
    """Japan flies to its best attack, the Commonwealth over its own battles where no enemy flies."""
    ready = list(flights.ready(w))
    if not ready:
        return
    if army == "J":
        goals = [place for place, _, odds in targets(w, army, ways) if odds >= BOLD // 2]
        most = 3
    else:
        goals = [id for id in sorted(w.contested) if w.control[id] == army and not flying(w, id, "J")]
        most = 1
    for place in goals:
        if len(flying(w, place, army)) < most:
            yield from (Fly(unit=unit.id, place=place) for unit in ready)
