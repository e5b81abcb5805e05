"""Battles, from the odds to the advance. [9.3 to 9.6]"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.api import Ask, Illegal, Note, Roll, Tell
from rules.kit.hexes import Hex
from rules.tiger_of_malaya import garrison
from rules.tiger_of_malaya.odds import attackers, defenders, due, everyone, oil, reckon
from rules.tiger_of_malaya.orders import Retreat
from rules.tiger_of_malaya.overrun import overrun
from rules.tiger_of_malaya.retreat import advances, afloat, refuse_boats, refuse_way, ways
from rules.tiger_of_malaya.state import Battle, Loss, State, date, foe, is_gun, option, points, remove, steps
from rules.tiger_of_malaya.zones import settle, walk, zone


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
                b.length = followed(s, b.rest)  # [9.5.I.ex]
                b.step = "vacated"
            elif not defenders(s, b):  # those who looked on hold the hex [5.0.H, R26]
                b.step = "over"
            else:
                b.step = "answer" if b.rest else "over"
            return True
        case "stood":
            alive = [id for id in everyone(s, b) if points(s, id)]
            b.length = followed(s, b.length)
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


def followed(s: State, unmet: int) -> int:
    """How far attackers may advance where the defender died: the hexes that were left, or one at least."""  # [R61]
    return unmet if option(s, "r61") == "unmet" else max(unmet, 1)


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
    found = reckon(s, b, b.support, b.defence)
    ours, theirs = attackers(s, b), defenders(s, b)
    b.fought, b.held = True, tuple(theirs)
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
        s.losses.append(Loss(b.side, tuple(crews), both.attack, "boats", b.hex))
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
    lost = [id for id in everyone(s, b) if id not in able and points(s, id) and not is_gun(s, id)]
    if lost and option(s, "r58") == "stand":
        return Illegal(f"{lost[0]} has no way of {b.rest} hexes", ("9.3.2.D.2", "R58"), "stand")
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
        landed = {"landed"} if afloat(s, units[0], path[0], path[1]) else set()
        walk(s, units, path)
        for id in units:
            s.pieces[id].mark("fought", *landed)
            tell(Note("retreated", {"unit": id, "path": "-".join(path[1:])}, ("9.4.A",)))
        overrun(s, foe(b.side), path[1:], tell)
        hurt = sum(hex in zones for hex in path[1:])
        if hurt:
            able = tuple(id for id in units if points(s, id)) or tuple(units)  # a truck has no step to give
            s.losses.append(Loss(foe(b.side), able, hurt, "zone", path[-1]))
    went = max((len(path) - 1 for path in groups), default=b.rest)  # over water it may be fewer [11.8.5.B]
    b.length, b.step = went, "vacated"
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
