"""An attack is declared: who may, from where, at what cost. [9.0, 9.1]"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.api import Illegal, Note, Tell
from rules.kit.hexes import Hex
from rules.tiger_of_malaya import air, boats
from rules.tiger_of_malaya.bombardment import enemies_at
from rules.tiger_of_malaya.costs import acts, barred, entry_cost, refuse_barred
from rules.tiger_of_malaya.odds import can_support, reckon
from rules.tiger_of_malaya.orders import Attack, Probe
from rules.tiger_of_malaya.state import (
    ALLIES,
    Battle,
    State,
    is_gun,
    level,
    mover,
    of,
    points,
)


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
        return Illegal("a unit is named twice", ("9.0.D", "R48"))
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
    guns = [id for id, _ in of(s, seat) if is_gun(s, id)]
    most = [id for id in guns if not can_support(s, seat, id, hex, taken)]
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
    if not s.board.is_land(piece.at):
        return Illegal(f"{id} is aboard", ("9.3.6.A", "R108"))
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
        shut = refuse_barred(s, id, hex)
        return Illegal(f"{id} could not move into {hex}", (*ids, *(shut.ids if shut else ())))
    if cost > piece.left:
        return Illegal(f"{id} has {piece.left} movement points, the attack costs {cost}", ("9.1.A",))
    return None


def joined(s: State, hex: Hex, units: Iterable[str]) -> tuple[str, ...]:
    """Those of these units that can attack a hex together, as many out of each hex as both hold."""  # [5.0.G, R25]
    room: dict[Hex, int] = {}
    found = []
    for id in units:
        if refuse_attacker(s, id, hex) is None:
            at = s.pieces[id].at
            room.setdefault(at, min(s.board.limit(at), s.board.limit(hex)))
            if points(s, id) <= room[at]:
                room[at] -= points(s, id)
                found.append(id)
    return tuple(found)


def made(s: State, order: Attack | Probe) -> Battle:
    """The battle that an order declares."""
    origins = tuple(sorted({s.pieces[id].at for id in order.units}))
    wet = [id for id in order.units if s.board.edge(s.pieces[id].at, order.hex).water in ("river", "ocean")]
    own = [id for id in wet if s.board.kind(id) in boats.BOATS]  # in their own boats [R55]
    return Battle(
        order.hex,
        s.active,
        order.units,
        isinstance(order, Probe),
        order.air or "",
        origins=origins,
        boats=tuple(dict.fromkeys((*order.boats, *own))),
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
