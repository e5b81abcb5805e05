"""The declaration of attacks and of air points. [9.1P-1, 9.11b, 11.43a]"""

from __future__ import annotations

from pbem.api import Illegal
from rules.singapore_1984 import air, combat, island
from rules.singapore_1984.orders import Attack, Defend
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import JP, State, foe


def refuse_attack(s: State, order: Attack) -> Illegal | None:
    """Units, then air points. [9.85]"""
    hexes, units, points = tuple(order.hexes), tuple(order.units), order.air or 0
    if order.bases and not points:
        return Illegal("bases are named for air points", ("9.81b",), "attack HEX from UNITS air AIR base BASES")
    wrong = (
        combat.refuse_attack(s, hexes, units, points)
        or _refuse_left_out(s, hexes, units, points)
        or _refuse_left_at_sea(s, hexes, units, points)
    )
    if wrong is not None or not points:
        return wrong
    return refuse_air(s, s.active, hexes, points, order.bases)


def _refuse_left_out(s: State, hexes: tuple[str, ...], units: tuple[str, ...], points: int) -> Illegal | None:
    """Units in the strait attack every enemy beside them that others leave alone, as far as one attack can. [R55]"""
    for unit in units:
        for hex in island.beside_strait(s, unit):
            if hex not in hexes and combat.refuse_attack(s, (*hexes, hex), units, points) is None:
                said = f"attack {'+'.join((*hexes, hex))} from {'+'.join(units)}, or first {hex} from others"
                return Illegal(f"{unit} in the strait must attack {hex} too", ("11.43a", "R55"), said)
    return None


def _refuse_left_at_sea(s: State, hexes: tuple[str, ...], units: tuple[str, ...], points: int) -> Illegal | None:
    """Units that wait at sea and have nothing else to assault take part. [9.11b]"""
    busy = {id for attack in s.attacks for id in attack.units}
    for id in s.on_map(s.active):
        if not s.at_sea(id) or id in units or id in busy:
            continue
        goals = targets(s, id)
        if goals and {*goals} <= {*hexes} and combat.refuse_attack(s, hexes, (*units, id), points) is None:
            said = f"attack {'+'.join(hexes)} from {'+'.join((*units, id))}"
            return Illegal(f"{id} at sea must assault {goals[0]} too", ("9.11b",), said)
    return None


def targets(s: State, unit: str) -> tuple[str, ...]:
    """What a unit at sea may assault, as far as nobody attacks it yet. [6.14, 11.25b]"""
    attacked = {hex for attack in s.attacks for hex in attack.hexes}
    port, near = s.pieces[unit].port, s.board.neighbours(s.pieces[unit].at)
    hexes = (port,) if port else tuple(hex for hex in near if s.board.has("landing", hex))
    return tuple(hex for hex in hexes if s.held(hex, foe(s.active)) and hex not in attacked)


def refuse_air(s: State, side: Player, hexes: tuple[str, ...], points: int, named: tuple[str, ...]) -> Illegal | None:
    """Whether so many air points reach, from the bases that are named. [9.81, 9.84]"""
    left = air.left(s, side)
    if points > left:
        return Illegal(f"{left} air points are left this turn", ("9.84", "9.8GRb"))
    if named:
        return air.refuse_bases(s, side, hexes, points, air.named_bases(named))
    if air.allot(s, side, hexes, points) is None:
        return Illegal(f"not so many air points reach {'+'.join(hexes)}", ("9.81b", "9.81c"))
    return None


def refuse_defend(s: State, order: Defend) -> Illegal | None:
    """Air points for a hex under attack, once. [9.1P-1b]"""
    attack = next((one for one in s.attacks if order.hex in one.hexes), None)
    if attack is None:
        return Illegal(f"{order.hex} is not attacked", ("9.1P-1b",))
    return refuse_air(s, foe(s.active), attack.hexes, order.air, order.bases)


def refuse_no_attack(s: State) -> Illegal | None:
    """Landings must be fought; one that no table allows is excused. [9.11b, R30]"""
    for unit, hex in island.must_attack(s) if s.active == JP else ():
        able = [id for id, there in island.must_attack(s) if there == hex]
        if combat.refuse_attack(s, (hex,), able, 0) is None:
            hint = f"attack {hex} from {'+'.join(able)}"
            return Illegal(f"{unit} in the strait must attack {hex}", ("11.43a",), hint)
    for id in s.on_map(s.active):
        hex = landing(s, id) if s.at_sea(id) and not any(id in attack.units for attack in s.attacks) else ""
        if hex:
            return Illegal(f"{id} must assault {hex}", ("9.11b",), f"attack {hex} from {id}")
    return None


def landing(s: State, unit: str) -> str:
    """A hex that all who wait at sea for it could attack together; nothing where no table allows it. [R30]"""
    busy = {id for attack in s.attacks for id in attack.units}
    for hex in targets(s, unit):
        party = [id for id in s.on_map(s.active) if s.at_sea(id) and id not in busy and hex in targets(s, id)]
        if combat.refuse_attack(s, (hex,), party, 0) is None:
            return hex
    return ""
