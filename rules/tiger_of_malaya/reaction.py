"""Guns of both sides before a battle, and units that evade. [9.2, 12.3.B]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.api import Ask, Illegal, Note, OpenSlots, Tell
from rules.kit.hexes import Hex
from rules.tiger_of_malaya.odds import can_support, everyone
from rules.tiger_of_malaya.orders import Defend, Evade, Support
from rules.tiger_of_malaya.overrun import overrun
from rules.tiger_of_malaya.retreat import ways
from rules.tiger_of_malaya.state import State, can_jungle, is_gun, of
from rules.tiger_of_malaya.zones import walk


def possible(s: State, side: str) -> list[tuple[str, Hex]]:
    """Which gun could support which battle."""
    taken = {b.hex for b in s.battles}
    guns = [id for id, _ in of(s, side) if is_gun(s, id)]
    return [(id, b.hex) for b in s.battles for id in guns if not can_support(s, side, id, b.hex, taken)]


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
        walk(s, (unit,), path)
        if is_gun(s, unit):
            s.pieces[unit].available = False
        overrun(s, s.board.side(unit), path[1:], tell)
    told: dict[str, str | int] = {"unit": unit, "die": die, "verdict": f"to {path[-1]}" if works else "it stays"}
    tell(Note("evade", told, ("12.3.B.2",), label))


def opening(side: str, name: str) -> Ask:
    """The attacker's guns are shown when the defender has answered."""  # [9.2.A, R49]
    return Ask(side, "open_support", "9.2.A", client=OpenSlots((name,)))


def opened(s: State, order: Any, tell: Tell) -> None:
    """Guns go to their battles."""
    for b in s.battles:
        b.support = tuple(id for id, hex in zip(order.units, order.hexes, strict=False) if hex == b.hex)
        told = {"hex": b.hex, "attack": ", ".join(b.support) or "none", "defence": ", ".join(b.defence) or "none"}
        tell(Note("support", told, ("9.2.A",)))
