"""The declaration of attacks and of air points. [9.1P-1, 9.11b, 11.43a]"""

from __future__ import annotations

from pbem.api import Illegal
from rules.singapore_1984 import air, combat, island
from rules.singapore_1984.orders import Attack, Defend
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import CW, JP, State, foe


def refuse_attack(s: State, order: Attack) -> Illegal | None:
    """Units, then air points. [9.85]"""
    hexes, units, points = tuple(order.hexes), tuple(order.units), order.air or 0
    if order.bases and not points:
        return Illegal("bases are named for air points", ("9.81b",), "attack HEX from UNITS air AIR base BASES")
    wrong = combat.refuse_attack(s, hexes, units, points) or _refuse_left_out(s, hexes, units, points)
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
    bound = [
        id
        for id in s.on_map(s.active)
        if s.at_sea(id) and not any(id in attack.units for attack in s.attacks) and can_land(s, id)
    ]
    for unit, hex in island.must_attack(s) if s.active == JP else ():
        able = [id for id, there in island.must_attack(s) if there == hex]
        if combat.refuse_attack(s, (hex,), able, 0) is None:
            hint = f"attack {hex} from {'+'.join(able)}"
            return Illegal(f"{unit} in the strait must attack {hex}", ("11.43a",), hint)
    if bound:
        return Illegal(
            f"{bound[0]} must assault {s.pieces[bound[0]].port}",
            ("9.11b",),
            f"attack {s.pieces[bound[0]].port} from {bound[0]}",
        )
    return None


def can_land(s: State, unit: str) -> bool:
    """Whether all that wait for this port could attack it together. [R30]"""
    port = s.pieces[unit].port
    if not port:
        return any(
            s.held(hex, CW) and s.board.has("landing", hex) and combat.refuse_attack(s, (hex,), (unit,), 0) is None
            for hex in s.board.neighbours(s.pieces[unit].at)
        )
    if any(port in attack.hexes for attack in s.attacks):
        return False
    party = [id for id in s.on_map(s.active) if s.pieces[id].port == port]
    return s.held(port, foe(s.active)) and combat.refuse_attack(s, (port,), party, 0) is None
