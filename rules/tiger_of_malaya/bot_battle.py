"""How a bot fights: attacks worth their price, guns where they tell, losses where they hurt least."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.api import Order
from rules.kit.hexes import Hex
from rules.tiger_of_malaya import air, bot_aims, combat, losses, menus, reaction
from rules.tiger_of_malaya import attack as attacks
from rules.tiger_of_malaya.bombardment import enemies_at, strength
from rules.tiger_of_malaya.bot_aims import Eye
from rules.tiger_of_malaya.odds import can_support, reckon
from rules.tiger_of_malaya.orders import Advance, Attack, Bombard, Defend, Done, Evade, Lose, Retreat, Stand, Support
from rules.tiger_of_malaya.retreat import advances
from rules.tiger_of_malaya.rows import Level
from rules.tiger_of_malaya.state import (
    ALLIES,
    JAPAN,
    Battle,
    Loss,
    State,
    foe,
    is_gun,
    of,
    points,
    stack,
    steps,
)
from rules.tiger_of_malaya.zones import zone

PRICE = {JAPAN: 0, ALLIES: 4}
"""By how many sixths of a step an attack must hurt the other side more than its own to be made: Japan wants ground."""
TOLD = {JAPAN: 8, ALLIES: 14}
"""The thirty-sixths of a step that a bombardment must promise."""
WAYS = {roll: 6 - abs(roll - 7) for roll in range(2, 13)}
"""In how many ways two dice make a sum."""

# --- what an attack is worth ---


def worth(s: State, b: Battle, support: Iterable[str], defence: Iterable[str]) -> int:
    """By how many sixths of a step the chart hurts the defender more than the attacker, as a mean."""
    found = reckon(s, b, support, defence)
    if not found.fought:
        return -18
    line = s.board.line(b.hex)
    results = [s.board.result(line, found.step, die) or (0, 0) for die in range(1, 7)]
    return sum(theirs - ours for ours, theirs in results)


def guns_near(s: State, side: str, hex: Hex, used: Iterable[str] = ()) -> list[str]:
    """The guns of a side that could support at a hex, the strongest first."""
    taken = {b.hex for b in s.battles} | {hex}
    able = [id for id, _ in of(s, side) if id not in used and not can_support(s, side, id, hex, taken)]
    return sorted(able, key=lambda id: (-s.board.template(id).offence, id))


def allotted(s: State, seat: str) -> dict[str, Hex]:
    """For each declared battle as many guns as raise what it is worth, the strongest first."""
    chosen: dict[str, Hex] = {}
    for b in s.battles:
        guns = guns_near(s, seat, b.hex, chosen)
        behind = guns_near(s, foe(seat), b.hex)
        best = max(range(len(guns) + 1), key=lambda n: (worth(s, b, guns[:n], behind), -n))
        chosen.update(dict.fromkeys(guns[:best], b.hex))
    return chosen


def best_attack(s: State, seat: str) -> tuple[int, Attack] | None:
    """The attack that is worth most, guns and an aircraft counted in; None where nobody can attack."""
    used = allotted(s, seat)
    found = [(value(s, seat, order, used), order) for order in _attacks(s, seat)]
    return max(found, key=lambda one: (one[0], one[1].hex), default=None)


def _attacks(s: State, seat: str) -> Iterator[Attack]:
    for order in menus.attacks(s, seat):
        if attacks.refuse_attack(s, seat, order) is None:
            yield order
            planes = air.ready(s) if seat == JAPAN and s.chit != "half" else ()
            for plane in planes:
                if air.in_range(s, plane, order.hex):
                    yield order.model_copy(update={"air": plane})


def value(s: State, seat: str, order: Attack, used: Iterable[str]) -> int:
    """What an attack is worth with all guns that are left, if those of the defender all help him."""
    battle = attacks.made(s, order)
    return worth(s, battle, guns_near(s, seat, order.hex, used), guns_near(s, foe(seat), order.hex))


def price(s: State, order: Attack) -> int:
    """What it must be worth: less for Allied units that are cut off."""
    cut = all(not s.pieces[id].supplied for id in order.units)
    return 0 if cut else PRICE[s.active]


def attack(s: State, seat: str) -> Attack | None:
    """The best attack, if it is worth its price."""
    found = best_attack(s, seat)
    return found[1] if found is not None and found[0] >= price(s, found[1]) else None


# --- guns ---


def support(s: State, seat: str) -> Support:
    """The guns of the attacker."""
    chosen = allotted(s, seat)
    return Support(units=tuple(chosen), hexes=tuple(chosen.values()))


def react(s: State, seat: str) -> Order:
    """Guns for the strongest defenders they help; jungle troops slip away from a hopeless fight."""
    placed = {id for b in s.battles for id in b.defence}
    for b in sorted(s.battles, key=lambda b: -sum(points(s, id) for id in stack(s, b.hex))):
        theirs = guns_near(s, b.side, b.hex)
        able = sorted(guns_near(s, seat, b.hex, placed), key=lambda id: (-s.board.template(id).defence, id))
        best = min(range(len(able) + 1), key=lambda n: (worth(s, b, theirs, (*b.defence, *able[:n])), n))
        if best:
            return Defend(hex=b.hex, units=tuple(able[:best]))
    home, zones = bot_aims.home(s.board), zone(s, foe(seat))
    for id, path in sorted(reaction.evaders(s, seat), key=lambda one: home.get(one[1][-1], bot_aims.FAR)):
        b = next(b for b in s.battles if b.hex == path[0])
        if path[-1] not in zones and worth(s, b, guns_near(s, b.side, b.hex), b.defence) >= HOPELESS:
            return Evade(unit=id, path=path)
    return Done()


HOPELESS = 8
"""What an attack is worth to the enemy from which jungle troops evade."""


def bombard(s: State, seat: str) -> Order:
    """Guns that no attack needs; the Allies keep theirs for the defence until the last impulse of a turn."""
    if seat == ALLIES and s.number < s.impulses:
        return Done()
    wanted = attack(s, seat)
    kept = set(guns_near(s, seat, wanted.hex)) | {wanted.air} if wanted else set()
    for order in menus.bombards(s, seat):
        units = tuple(id for id in order.units if id not in kept)
        if units and promised(s, order.hex, units) >= TOLD[s.active]:
            return Bombard(hex=order.hex, units=units)
    return Done()


def promised(s: State, hex: Hex, units: Sequence[str]) -> int:
    """The thirty-sixths of a step that a bombardment takes, as a mean."""
    weight, power = sum(points(s, id) for id in enemies_at(s, s.active, hex)), strength(s, hex, units)
    return sum(ways * (s.board.bombardment(weight, power // 2, roll) or 0) for roll, ways in WAYS.items())


# --- what a battle brings ---


def lose(s: State, loss: Loss) -> Lose:
    """Step by step the unit for which it means least; a tank where one must be among them."""
    units = losses.alive(s, loss)
    taken: dict[str, int] = dict.fromkeys(units, 0)
    for _ in range(loss.steps):
        able = [id for id in units if taken[id] < steps(s, id)]
        taken[min(able, key=lambda id: (pain(s, id, taken[id]), id))] += 1
    order = Lose(units=tuple(id for id in units for _ in range(taken[id])))
    return order if losses.refuse_lose(s, loss, order) is None else losses.some_losses(s, loss)[0]


def pain(s: State, unit: str, gone: int) -> int:
    """What one more step costs a unit that has lost so many now."""
    faces = s.board.levels(unit)
    at = min(s.pieces[unit].level + gone, len(faces) - 1)
    before, after = faces[at], faces[at + 1] if at + 1 < len(faces) else Level(0, 0, 0, 0)
    support = s.board.template(unit).offence if is_gun(s, unit) else 0
    dear = DEAR.get(s.board.kind(unit), 0) if at + 1 == len(faces) else 0
    return before.attack + before.defence - after.attack - after.defence + support + dear


DEAR: dict[str, int] = {"headquarters": 20, "heavy-boats": 10, "light-boats": 8, "engineer": 4, "infantry": 2}
"""What the last step of a unit is worth beside its strength."""


def answer(s: State, seat: str) -> Order:
    """Back, unless that costs more steps than standing; who goes, goes towards his own and where there is room."""
    b = s.battles[0]
    eye = Eye(s, seat)
    going = retreat(eye, b)
    zones, side = zone(s, b.side), foe(b.side)
    left = [id for id in stack(s, b.hex) if s.board.side(id) == side and id not in going.units]
    lost = 2 * sum(steps(s, id) for id in left)
    lost += 2 * sum(hex in zones for path in set(going.paths) for hex in path[1:])
    lost += sum(not eye.room(path[-1], (id,)) for id, path in zip(going.units, going.paths, strict=True))
    standing = 2 * min(b.rest, sum(steps(s, id) for id in stack(s, b.hex)))
    stays = b.hex in eye.objectives or s.board.has("island", b.hex)
    return Stand() if lost > standing or (stays and lost == standing) or not going.units else going


def retreat(eye: Eye, b: Battle) -> Retreat:
    """Every unit by the way that leads nearest to its own, together where they can."""
    able = combat.goers(eye.s, b)
    friends = eye.friends - {b.hex}
    home, grid = bot_aims.home(eye.board), eye.board.grid

    def liking(id: str, path: tuple[Hex, ...]) -> tuple[bool, int]:
        end = path[-1]
        far = home.get(end, bot_aims.FAR) if eye.seat == ALLIES else grid.nearest(end, friends) or 0
        return not eye.room(end, (id,)), far

    best = {id: min((liking(id, path), path) for path in ways)[1] for id, ways in able.items()}
    return Retreat(units=tuple(best), paths=tuple(best.values()))


def advance(s: State, seat: str) -> Order:
    """Japan follows towards its goals; the Allies only out of a trap or back into a place they need."""
    b, eye = s.battles[0], Eye(s, seat)
    found: list[tuple[int, int, str, tuple[Hex, ...]]] = []
    for unit, path in advances(s, b):
        far = eye.march_of(unit)
        gain = far.get(path[0], bot_aims.FAR) - far.get(path[-1], bot_aims.FAR)
        needed = seat == JAPAN or not s.pieces[unit].supplied or path[-1] in eye.objectives
        if needed and gain > 0 and (bot_aims.bold(s, unit) or path[-1] in eye.friends):
            found.append((-gain, len(path), unit, path))
    if not found:
        return Done()
    _, _, unit, path = min(found)
    return Advance(unit=unit, path=path)
