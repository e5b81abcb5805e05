"""Straits Settlement troops on the island must attack, if that was agreed. [13.3/2, R89]"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.api import Illegal
from rules.kit.hexes import Hex
from rules.tiger_of_malaya.attack import joined, refuse_attack, refuse_attacker
from rules.tiger_of_malaya.orders import Attack, Probe
from rules.tiger_of_malaya.state import ALLIES, JAPAN, State, level, occupied, of, option, stack


def pressed(s: State, id: str) -> bool:
    """Whether a unit is bound: it could attack, and stood on the island beside Japanese units at the start."""
    piece = s.pieces[id]
    if option(s, "opt_13_3") != "on" or s.active != ALLIES or s.chit != "full":
        return False
    beside = any(mark.startswith("by:") for mark in piece.marks) and s.board.has("island", piece.start)
    return s.board.nation(id) == "straits" and level(s, id).attack > 0 and beside


def idle(s: State) -> Iterator[str]:
    """Those who are bound and do not attack yet."""
    if option(s, "opt_13_3") != "on":
        return iter(())
    attacking = {id for b in s.battles for id in b.units}
    return (id for id, _ in of(s, ALLIES) if id not in attacking and pressed(s, id))


def attack(s: State, id: str, hex: Hex) -> Attack | None:
    """An attack on a hex that a unit could take part in now: alone, else with all who could join it."""
    if refuse_attacker(s, id, hex) is not None:
        return None
    near = (one for there in s.board.grid.neighbours(hex) for one in stack(s, there))
    found = (Attack(hex=hex, units=(id,)), Attack(hex=hex, units=joined(s, hex, dict.fromkeys((id, *near)))))
    return next((order for order in found if refuse_attack(s, ALLIES, order) is None), None)


def targets(s: State, id: str) -> list[Attack]:
    """The attacks that would do, one a hex."""
    near = s.board.grid.neighbours(s.pieces[id].at)
    return [order for hex in near if (order := attack(s, id, hex)) is not None]


def refuse_order(s: State, order: Attack | Probe) -> Illegal | None:
    """A probe is no attack, and nobody is left out of the only attack that he could join. [R89]"""
    if isinstance(order, Probe):
        bound = next((id for id in order.units if id in s.pieces and pressed(s, id)), None)
        if bound is not None:
            return Illegal(f"{bound} must attack, a probe is not enough", ("13.3/2", "R89"))
    for id in idle(s):
        if id not in order.units and {one.hex for one in targets(s, id)} == {order.hex}:
            return Illegal(f"{id} must attack", ("13.3/2", "R89"), f"attack {order.hex} with {id} too")
    return None


def refuse_leave(s: State, units: Sequence[str], to: Hex) -> Illegal | None:
    """Who must attack does not march out of the reach of all enemies."""
    foes = occupied(s, JAPAN)
    for id in units:
        if id in s.pieces and pressed(s, id) and foes.isdisjoint(s.board.grid.neighbours(to)) and targets(s, id):
            return Illegal(f"{id} must attack", ("13.3/2", "R89"), "stay beside an enemy")
    return None


def refuse_close(s: State) -> Illegal | None:
    """A FULL impulse of the Allies is not over while one of them that could attack does not."""
    for id in idle(s):
        for order in targets(s, id):
            return Illegal(f"{id} must attack", ("13.3/2", "R89"), str(order))
    return None
