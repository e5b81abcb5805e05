"""Bombardment and battles, from the declaration to the advance. [8.0, 9.0, 12.3.B]"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from pbem.api import Ask, Illegal, Note, OpenSlots, Roll, Tell
from rules.kit.hexes import Hex
from rules.tiger_of_malaya import air, boats, garrison
from rules.tiger_of_malaya.bombardment import enemies_at
from rules.tiger_of_malaya.movement import acts, barred, entry_cost
from rules.tiger_of_malaya.odds import attackers, can_support, defenders, due, everyone, oil, reckon
from rules.tiger_of_malaya.orders import Attack, Defend, Evade, Lose, Probe, Retreat, Support
from rules.tiger_of_malaya.overrun import overrun
from rules.tiger_of_malaya.retreat import advances, refuse_boats, refuse_way, ways
from rules.tiger_of_malaya.state import (
    ALLIES,
    Battle,
    Loss,
    State,
    can_jungle,
    date,
    foe,
    is_gun,
    level,
    mover,
    of,
    option,
    points,
    remove,
    stack,
    steps,
)
from rules.tiger_of_malaya.zones import settle, zone

# --- declaring ---


def charge(s: State, unit: str, hex: Hex, *, ferried: bool = False) -> int | None:
    """The points an attack costs a unit in a FULL impulse; None where it could not enter. [9.1, 9.0.H, R65]"""
    piece = s.pieces[unit]
    cost = entry_cost(s, unit, piece.at, hex)
    if cost is None and (not ferried or barred(s, unit, hex) or s.board.cost(hex, mover(s, unit)) is None):
        return None
    free = s.chit not in ("full", "jungle") or f"by:{hex}" in piece.marks  # [9.1.B]
    if cost is None:  # a crossing takes the whole allowance [11.8.1.C]
        return 0 if free else WHOLE
    return 0 if free else cost + s.board.game.attack_charge


WHOLE = 99
"""More points than anybody has."""


def refuse_attack(s: State, seat: str, order: Attack | Probe) -> Illegal | None:
    """Units beside an enemy hex, once each. [9.0, 9.1]"""
    hex = order.hex
    if hex not in s.board.grid or not s.board.is_land(hex) or not enemies_at(s, seat, hex):
        return Illegal(f"no enemy stands in {hex}", ("9.0.E",))
    if any(b.hex == hex for b in s.battles):
        return Illegal(f"{hex} is attacked already", ("9.0.F", "R48"))
    if len(set(order.units)) != len(order.units):
        return Illegal("a unit is named twice", ("9.0.D",))
    wrong = boats.refuse_attack(s, order)
    for id in order.units:
        ferried = id in s.pieces and boats.helped(s, order, id)
        wrong = wrong or refuse_attacker(s, id, hex, ferried=ferried)
    if wrong is not None:
        return wrong
    # [9.0.C] needs nothing: every unit has its own target, or none
    for origin in {s.pieces[id].at for id in order.units}:
        weight = sum(points(s, id) for id in order.units if s.pieces[id].at == origin)
        if weight > min(s.board.limit(origin), s.board.limit(hex)):
            return Illegal(f"{weight} points attack out of {origin}", ("5.0.G", "R25"))
    if order.air is not None:
        if s.chit == "half":
            return Illegal("no aircraft fly in a HALF impulse", ("11.4.3.B/2", "R6"))
        wrong = air.refuse_flight(s, order.air, hex)
        if wrong is not None:
            return wrong
    battle = made(s, order)
    taken = {b.hex for b in s.battles} | {hex}
    most = [id for id, _ in of(s, seat) if not can_support(s, seat, id, hex, taken)]
    if not reckon(s, battle, most, ()).fought:
        return Illegal("the odds are below the lowest of the table", ("9.3.1.A", "R52"))
    return None


def refuse_attacker(s: State, id: str, hex: Hex, *, ferried: bool = False) -> Illegal | None:
    """Why a unit cannot attack a hex."""
    piece = s.pieces.get(id)
    if piece is None or not acts(s, id):
        return Illegal(f"{id} may not act", ("2.2.P1", "3.3.1"))
    if not s.board.grid.adjacent(piece.at, hex):
        return Illegal(f"{id} does not stand beside {hex}", ("9.0.A", "3.3.2.C"))
    if is_gun(s, id):
        return Illegal(f"{id} is artillery and supports", ("9.0.H", "R66"))
    if not level(s, id).attack:
        ids = {"truck": ("11.7.B",), "steamer": ("11.6.C",)}.get(s.board.kind(id), ())
        return Illegal(f"{id} has no attack strength", (*ids, "11.5"))
    if "attacked" in piece.marks:
        return Illegal(f"{id} attacks already", ("9.0.D", "R48"))
    if "bombarded" in piece.marks:
        return Illegal(f"{id} has bombarded", ("8.1.E",))
    if "entered" in piece.marks and s.active == ALLIES:
        return Illegal(f"{id} has arrived in this impulse", ("10.1.1.C",))
    cost = charge(s, id, hex, ferried=ferried)
    if cost is None:
        ids = ("9.3.6.A",) if s.board.edge(piece.at, hex).water == "ocean" else ("9.0.H",)
        return Illegal(f"{id} could not move into {hex}", (*ids, *(("14.1.2.C",) if barred(s, id, hex) else ())))
    if cost > piece.left:
        return Illegal(f"{id} has {piece.left} movement points, the attack costs {cost}", ("9.1.A",))
    return None


def made(s: State, order: Attack | Probe) -> Battle:
    """The battle that an order declares."""
    origins = tuple(sorted({s.pieces[id].at for id in order.units}))
    return Battle(
        order.hex,
        s.active,
        order.units,
        isinstance(order, Probe),
        order.air or "",
        origins=origins,
        boats=order.boats,
        ferried=order.ferried,
    )


def declare(s: State, order: Attack | Probe, tell: Tell) -> None:
    """The units are taken up by it; what they must, they pay now."""  # [9.1.A]
    battle = made(s, order)
    for id in order.units:
        piece = s.pieces[id]
        piece.left -= charge(s, id, order.hex, ferried=boats.helped(s, order, id)) or 0
        piece.mark("attacked")
    for id in battle.boats:
        s.pieces[id].mark("ferries")
    if battle.air:
        s.planes[battle.air] = f"flown:{battle.hex}"
    battle.said = f"{reckon(s, battle, (), ())}, guns apart"
    s.battles.append(battle)
    what = "A probe" if battle.probe else "An attack"
    told = {"what": what, "hex": order.hex, "units": ", ".join(order.units), "from": " ".join(battle.origins)}
    tell(Note("declared", told, ("9.0.A",)))


# --- support ---


def possible(s: State, side: str) -> list[tuple[str, Hex]]:
    """Which gun could support which battle."""
    taken = {b.hex for b in s.battles}
    return [(id, b.hex) for b in s.battles for id, _ in of(s, side) if not can_support(s, side, id, b.hex, taken)]


def refuse_support(s: State, seat: str, order: Support) -> Illegal | None:
    """Guns of the attacker, one hex each. [9.2, 11.1.1.B]"""
    taken = {b.hex for b in s.battles}
    if len(set(order.units)) != len(order.units):
        return Illegal("a gun is named twice", ("9.2.A",))
    for id, hex in zip(order.units, order.hexes, strict=False):
        if hex not in taken:
            return Illegal(f"{hex} is not attacked", ("9.2.A", "9.2.D"))
        clause = can_support(s, seat, id, hex, taken)
        if clause:
            return Illegal(f"{id} cannot support at {hex}", (clause,))
    return None if len(order.units) == len(order.hexes) else Illegal("name a hex for each gun", ("9.2.A",))


def refuse_defend(s: State, seat: str, order: Defend) -> Illegal | None:
    """Guns of the defender, one hex each."""  # [9.2.A, 9.2.H]
    taken = {b.hex for b in s.battles}
    if order.hex not in taken:
        return Illegal(f"{order.hex} is not attacked", ("9.2.A",))
    for id in order.units:
        if any(id in b.defence for b in s.battles) or order.units.count(id) > 1:
            return Illegal(f"{id} supports one hex only", ("9.2.H",))
        clause = can_support(s, seat, id, order.hex, taken)
        if clause:
            return Illegal(f"{id} cannot support at {order.hex}", (clause,))
    return None


def evaders(s: State, side: str) -> list[tuple[str, tuple[Hex, ...]]]:
    """Jungle-capable units that may try to evade, with every way."""  # [12.3.B, R64]
    found = []
    for b in s.battles:
        if s.board.is_jungle(b.hex):
            for id in everyone(s, b):
                if can_jungle(s, id) and not any(one.startswith(f"{id} ") for one in s.waiting):
                    found += [(id, path) for path in ways(s, id, b, s.board.game.evasion_hexes, evading=True)]
    return found


def refuse_evade(s: State, seat: str, order: Evade) -> Illegal | None:
    """A jungle-capable unit in attacked jungle, out by two hexes."""
    if (order.unit, tuple(order.path)) in evaders(s, seat):
        return None
    piece = s.pieces.get(order.unit)
    if piece is None or s.board.side(order.unit) != seat or not can_jungle(s, order.unit):
        return Illegal(f"{order.unit} is no jungle-capable unit of yours", ("12.3.B",))
    return Illegal(f"{order.unit} cannot evade that way", ("12.3.B", "12.3.B.2", "R64"))


def evaded(s: State, unit: str, path: Sequence[Hex], die: int, label: str, tell: Tell) -> None:
    """Up to 3 it is away."""  # [12.3.B.1, 12.3.B.2]
    works = die <= s.board.game.evasion
    if works:
        s.pieces[unit].at = path[-1]
        if is_gun(s, unit):
            s.pieces[unit].available = False
        settle(s)
        overrun(s, s.board.side(unit), path[1:], tell)
    told: dict[str, str | int] = {"unit": unit, "die": die, "verdict": f"to {path[-1]}" if works else "it stays"}
    tell(Note("evade", told, ("12.3.B.2",), label))


# --- battles ---


def waits(s: State, b: Battle) -> tuple[Ask | Roll, ...]:
    """What the battle asks for."""
    match b.step:
        case "roll":
            return (Roll(f"{date(s)}/battle/{b.hex}", "9.3.G", dice=(6,)),)
        case "ammunition":
            guns = [id for id in b.defence if id in s.pieces]
            return (Roll(f"{date(s)}/ammunition/{b.hex}", "13.4", dice=(6,) * len(guns)),)
        case "answer":
            return (Ask(foe(b.side), "stand_or_retreat", "9.3.2.D"),)
        case "advance":
            return (Ask(b.side, "advance", "9.5.A"),)
    return ()


def go(s: State, b: Battle, tell: Tell) -> bool:
    """Pass on to the next step of a battle; False where it waits or is over."""
    match b.step:
        case "declared":
            return begin(s, b, tell)
        case "hurt":  # [9.3.I]
            alive = [id for id in everyone(s, b) if points(s, id)]
            if not alive:
                b.length = max(b.rest, 1)  # [9.5.I.ex, R61]
                b.step = "vacated"
            else:
                b.step = "answer" if b.rest else "over"
            return True
        case "stood":
            alive = [id for id in everyone(s, b) if points(s, id)]
            b.length = max(b.length, 1)
            b.step = "over" if alive else "vacated"
            return True
        case "vacated":
            if s.board.is_slow(b.hex):
                b.length = min(b.length, s.board.game.slow_advance)
            b.step = "advance"
            return True
        case "advance" if b.probe or not any(True for _ in advances(s, b)):
            b.step = "over"  # [9.6.B]
            return True
    return False


def begin(s: State, b: Battle, tell: Tell) -> bool:
    """Odds are reckoned; or there is nobody to fight, or too little."""  # [R49, R52]
    if not any(points(s, id) for id in everyone(s, b)):  # [12.3.B.3, R64]
        b.support, b.length, b.step = (), 1, "vacated"
        return True
    b.support = tuple(id for id in b.support if id in s.pieces)
    b.defence = tuple(id for id in b.defence if id in s.pieces)
    if not attackers(s, b):
        b.support = ()
        tell(Note("void", {"hex": b.hex}, ("9.3.A", "R49")))
        b.step = "over"
        return True
    found = reckon(s, b, b.support, b.defence)
    b.said = str(found)
    if not found.fought:
        tell(Note("called_off", {"hex": b.hex, "sum": b.said}, ("9.3.1.A", "R52")))
        b.step = "over"
        return True
    b.step = "roll"
    return True


def rolled(s: State, b: Battle, die: int, label: str, tell: Tell) -> None:
    """The chart speaks."""
    b.fought = True
    found = reckon(s, b, b.support, b.defence)
    ours, theirs = attackers(s, b), defenders(s, b)
    attack, defence = s.board.result(s.board.line(b.hex), found.step, die) or (0, 0)
    said = f"{attack or '-'}/{defence or '-'}"
    if oil(s, b):
        attack += oil(s, b)
        said += f", with burning oil {attack}/{defence or '-'}"
    if b.probe:
        attack, defence = (attack + 1) // 2, (defence + 1) // 2  # [9.6.A, R63]
        said += f", as a probe {attack or '-'}/{defence or '-'}"
    both = due(attack, defence, sum(steps(s, id) for id in ours), sum(steps(s, id) for id in theirs))
    b.rest, b.step = both.rest, "hurt"
    for id in (*ours, *everyone(s, b)):
        s.pieces[id].mark("fought")
    told: dict[str, str | int] = {"hex": b.hex, "sum": b.said, "die": die, "result": said}
    tell(Note("battle", told, ("9.3.G", "9.3.D", "9.3.E"), label))
    crews = [id for id in b.boats if id in s.pieces]
    if crews and both.attack:  # [11.8.3, R55]
        s.losses.append(Loss(b.side, tuple(crews), min(both.attack, len(crews)), "boats", b.hex))
    if both.attack:  # [9.3.H]
        s.losses.append(Loss(b.side, tuple(ours), both.attack, "attack", b.hex))
    if both.defence:
        s.losses.append(Loss(foe(b.side), tuple(theirs), both.defence, "defence", b.hex))


def stand(s: State, b: Battle, tell: Tell) -> None:
    """The rest in steps."""  # [9.3.2.D.2]
    theirs = defenders(s, b)
    able = sum(steps(s, id) for id in theirs)
    s.losses.append(Loss(foe(b.side), tuple(theirs), min(b.rest, able), "defence", b.hex))
    b.length, b.step = max(b.rest - able, 0), "stood"
    tell(Note("stand", {"hex": b.hex}, ("9.3.2.D.2",)))


def goers(s: State, b: Battle) -> dict[str, list[tuple[Hex, ...]]]:
    """The defenders that can retreat, with their ways; guns cannot."""  # [11.1.1.A, R58]
    found = {id: ways(s, id, b, b.rest) for id in everyone(s, b) if not is_gun(s, id)}
    return {id: paths for id, paths in found.items() if paths}


def refuse_retreat(s: State, b: Battle, order: Retreat) -> Illegal | None:
    """All who can, each by a legal way. [9.4]"""
    able = goers(s, b)
    if sorted(order.units) != sorted(able) or len(order.units) != len(order.paths):
        return Illegal(f"a way is needed for each of: {', '.join(able) or 'nobody'}", ("9.4.A", "R58"))
    for id, path in zip(order.units, order.paths, strict=True):
        wrong = refuse_way(s, id, b, path, b.rest)
        if wrong is not None:
            return wrong
    return refuse_boats(s, b, order)


def retreat(s: State, b: Battle, order: Retreat, tell: Tell) -> None:
    """They go; the rest is lost; every zone entered costs a group a step."""  # [9.4.B, R58, R60]
    zones = zone(s, b.side)
    groups: dict[tuple[Hex, ...], list[str]] = {}
    for id, path in zip(order.units, order.paths, strict=True):  # [9.4.E, 4.0.E]
        groups.setdefault(tuple(path), []).append(id)
    for id in everyone(s, b):
        if id not in order.units:
            remove(s, id)
            tell(Note("eliminated", {"unit": id}, ("11.1.1.A", "R58")))
    for path, units in groups.items():
        for id in units:
            s.pieces[id].at = path[-1]
            s.pieces[id].mark("fought")
            tell(Note("retreated", {"unit": id, "path": "-".join(path[1:])}, ("9.4.A",)))
        overrun(s, foe(b.side), path[1:], tell)
        hurt = sum(hex in zones for hex in path[1:])
        if hurt:
            s.losses.append(Loss(foe(b.side), tuple(units), hurt, "zone", path[-1]))
    b.length, b.step = b.rest, "vacated"
    settle(s)
    garrison.watch(s)


def runs_out(s: State, b: Battle) -> bool:
    """Guns that helped the defender may be unavailable after it: their dice come next. [13.4, R90]"""
    guns = [id for id in b.defence if id in s.pieces]
    if option(s, "opt_13_4") != "on" or not guns or not b.fought:
        return False
    b.step = "ammunition"
    return True


def ran_out(s: State, b: Battle, dice: Sequence[int], label: str, tell: Tell) -> None:
    """Up to 2 a gun is unavailable. [13.4]"""
    said = []
    for id, die in zip([id for id in b.defence if id in s.pieces], dice, strict=True):
        if die <= s.board.game.ammunition:
            s.pieces[id].available = False
        said.append(f"{id} {die}")
    b.defence, b.step = (), "over"
    tell(Note("ammunition", {"units": ", ".join(said)}, ("13.4",), label))


def finish(s: State, b: Battle) -> None:
    """Guns that supported the attack are unavailable."""  # [9.2.G]
    for id in b.support:
        if id in s.pieces:
            s.pieces[id].available = False


# --- losses ---


def alive(s: State, loss: Loss) -> list[str]:
    """The units that may still lose."""
    return [id for id in loss.units if id in s.pieces]


def plain(s: State, loss: Loss) -> list[str] | None:
    """The only way to take it, where there is no choice."""
    units = alive(s, loss)
    every = [id for id in units for _ in range(steps(s, id))]
    if len(every) <= loss.steps:
        return every
    return units * loss.steps if len(units) == 1 else None


def refuse_lose(s: State, loss: Loss, order: Lose) -> Illegal | None:
    """Exactly so many steps, of units that may lose them."""  # [9.3.2.B, 9.3.2.C, 9.3.3, 9.3.4, 8.2.E]
    units = alive(s, loss)
    wrong = next((id for id in order.units if id not in units), "")
    if wrong:
        return Illegal(f"{wrong} cannot take this loss", ("9.3.2.B", "9.3.4"), f"units: {', '.join(units)}")
    if len(order.units) != loss.steps:
        return Illegal(f"{loss.steps} steps are lost", ("9.3.2.C", "9.3.2.D.1"))
    if any(order.units.count(id) > steps(s, id) for id in set(order.units)):
        return Illegal("a unit has not so many steps", ("9.3.2.B",))
    tanks = [id for id in units if s.board.kind(id) == "tank"]
    if loss.why == "attack" and loss.steps > 1 and tanks and not set(tanks) & set(order.units):
        return Illegal("a tank company must be among the losses", ("9.3.3",), f"tanks: {', '.join(tanks)}")
    return None


def lose(s: State, units: Sequence[str], tell: Tell) -> None:
    """Each takes a step."""
    hexes = {s.pieces[id].at for id in units}
    for id in units:
        if steps(s, id) == 1:  # [2.2.D/2, R57]
            remove(s, id)
            tell(Note("eliminated", {"unit": id}, ("9.3.2.B",)))
        else:
            s.pieces[id].level += 1
            tell(Note("lost", {"unit": id, "face": str(level(s, id))}, ("9.3.2.B", "2.1:Steps/1")))
    for hex in sorted(hexes):
        left = stack(s, hex)
        alone = not any(points(s, id) for id in left)
        for id in [id for id in left if alone and s.board.kind(id) == "truck"]:
            remove(s, id)
            tell(Note("eliminated", {"unit": id}, ("11.7.F",)))
    settle(s)
    garrison.watch(s)


def some_losses(s: State, loss: Loss) -> list[Lose]:
    """A few ways to take a loss."""
    every = [id for id in alive(s, loss) for _ in range(steps(s, id))]
    found: list[Lose] = []
    for units in combinations(every, loss.steps):
        order = Lose(units=units)
        if order not in found and refuse_lose(s, loss, order) is None:
            found.append(order)
        if len(found) == 20:
            break
    return found


def opening(side: str, name: str) -> Ask:
    """The attacker's guns are shown when the defender has answered."""  # [9.2.A, R49]
    return Ask(side, "open_support", "9.2.A", client=OpenSlots((name,)))


def opened(s: State, order: Any, tell: Tell) -> None:
    """Guns go to their battles."""
    for b in s.battles:
        b.support = tuple(id for id, hex in zip(order.units, order.hexes, strict=False) if hex == b.hex)
        told = {"hex": b.hex, "attack": ", ".join(b.support) or "none", "defence": ", ".join(b.defence) or "none"}
        tell(Note("support", told, ("9.2.A",)))
