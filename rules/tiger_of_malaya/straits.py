"""Straits Settlement troops on the island must attack, if that was agreed. [13.3/2, R89]"""

from __future__ import annotations

from pbem.api import Illegal
from rules.tiger_of_malaya import attack
from rules.tiger_of_malaya.orders import Attack, Probe
from rules.tiger_of_malaya.state import ALLIES, State, level, of, option


def pressed(s: State, id: str) -> bool:
    """Whether a unit is bound: it could attack, and stood on the island beside Japanese units at the start."""
    piece = s.pieces[id]
    if option(s, "opt_13_3") != "on" or s.active != ALLIES or s.chit != "full":
        return False
    beside = any(mark.startswith("by:") for mark in piece.marks) and s.board.has("island", piece.start)
    return s.board.nation(id) == "straits" and level(s, id).attack > 0 and beside


def refuse_probe(s: State, order: Probe) -> Illegal | None:
    """A probe is no attack. [R89]"""
    bound = next((id for id in order.units if id in s.pieces and pressed(s, id)), None)
    return None if bound is None else Illegal(f"{bound} must attack, a probe is not enough", ("13.3/2", "R89"))


def refuse_close(s: State) -> Illegal | None:
    """A FULL impulse of the Allies is not over while one of them that could attack does not."""
    attacking = {id for b in s.battles for id in b.units}
    for id, piece in of(s, ALLIES):
        if id in attacking or not pressed(s, id):
            continue
        for hex in s.board.grid.neighbours(piece.at):
            if attack.refuse_attack(s, ALLIES, Attack(hex=hex, units=(id,))) is None:
                return Illegal(f"{id} must attack", ("13.3/2", "R89"), f"attack {hex} with {id}")
    return None
