"""Losses of a battle: steps for hexes not retreated, strength after an exchange. [9.5, 9.52, 9.59a, R44]"""

from __future__ import annotations

from pbem.api import Illegal, Tell
from rules.singapore_1984 import combat, victory
from rules.singapore_1984.orders import Lose
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import DEAD, Battle, State


def done(b: Battle) -> None:
    b.stages = b.stages[1:]
    b.units, b.hex, b.stood, b.aside, b.missing, b.steps = (), "", (), (), 0, 0
    b.sailing, b.short = (), 0


def eliminate(s: State, b: Battle, side: Player, tell: Tell) -> None:
    """All of a side in this battle. [9.5-DE, 9.5-AE]"""
    units = b.attack.units if side == s.active else combat.defenders(s, b.attack.hexes)
    for id in units:
        b.paths = (*b.paths, (s.pieces[id].at,)) if side != s.active else b.paths
        victory.kill(s, id, tell, f"9.5-{b.result}")


def losers(s: State, b: Battle) -> tuple[str, ...]:
    """The units that may take the loss that is due."""
    what, _, *rest = b.stages[0].split()
    if what == "retreat":
        return tuple(id for id in b.stood if s.pieces[id].at != DEAD)
    if what == "lose" and not attackers(s, b):
        return combat.defenders(s, b.attack.hexes)
    alive = [id for id in b.attack.units if s.pieces[id].at != DEAD]  # [9.5GRb]
    if what == "repelled":
        return tuple(id for id in alive if s.pieces[id].at == rest[1])  # [9.72c, R91]
    return tuple(alive)


def attackers(s: State, b: Battle) -> bool:
    """Whether the strength that is due is the attacker's."""
    return b.stages[0].split()[1] == s.active


def strength(s: State, b: Battle) -> int:
    """The strength that could be lost at most: of attack, or of defence where the defender loses. [9.52c, R44]"""
    return sum(s.face(id).attack if attackers(s, b) else s.face(id).defense for id in losers(s, b))


def step_value(s: State, b: Battle, unit: str) -> int:
    """What a step is worth for AX and EX. [9.52c]"""
    full, half = s.board.units[unit].faces
    more, less = (full.attack, half.attack) if attackers(s, b) else (full.defense, half.defense)
    return less if s.pieces[unit].reduced else more - less


def go_on(s: State, b: Battle, due: int, tell: Tell) -> None:
    """Begin to lose what is due, and go on where there is no choice."""
    if "begun" not in b.stages[0]:
        b.stages, b.steps = (f"{b.stages[0]} begun", *b.stages[1:]), due
        return
    if not b.steps or not losers(s, b):
        done(b)
        return
    if b.stages[0].startswith("lose") and strength(s, b) <= b.steps:
        for id in losers(s, b):
            victory.kill(s, id, tell, "R44")
        done(b)
        return
    take_step(s, b, tell)


def take_step(s: State, b: Battle, tell: Tell) -> None:
    """The one unit that can lose a step does; nobody left owes nothing more."""
    left = losers(s, b)
    if left:
        lose(s, b, left[0], tell)
    else:
        b.steps = 0


def refuse_lose(s: State, b: Battle, order: Lose) -> Illegal | None:
    """One of the units that the loss falls on."""
    left = losers(s, b)
    if order.unit in left:
        return None
    return Illegal(f"{order.unit} takes no part of this loss", ("9.52b", "9.5-AX"), f"units: {', '.join(left)}")


def lose(s: State, b: Battle, unit: str, tell: Tell) -> None:
    """One step; it counts as one, or by its strength after AX and EX. [9.52b, 9.52c]"""
    by_strength = b.stages[0].startswith("lose")
    worth = step_value(s, b, unit) if by_strength else 1
    at = s.pieces[unit].at
    victory.lose_step(s, unit, tell, "9.52c" if by_strength else "9.52b")
    if s.pieces[unit].at == DEAD and s.side(unit) != s.active:
        b.paths = (*b.paths, (at,))
    b.steps = max(0, b.steps - worth)
