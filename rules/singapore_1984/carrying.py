"""What an order of a turn does, once it is judged: each goes to its chapter. [4.0GR]

Answers at sea and in battle go to `sea` and `fighting`, ends of phases to `sequence`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.api import Note, Tell
from rules.singapore_1984 import air, fighting, island, movement, sea, victory, works
from rules.singapore_1984.orders import Attack, Defend, Deploy, Move, Place, Rail, Reduce, Remove, Resolve, Transfer
from rules.singapore_1984.state import CW, State, foe
from rules.singapore_1984.state import Attack as Declared


def _deploy(s: State, order: Deploy | Transfer, tell: Tell) -> None:
    clause = "11.0c" if s.side(order.unit) == CW else "11.0d"
    tell(Note("deployed", {"unit": order.unit, "hex": order.hex}, (clause,)))
    movement.enter(s, order.unit, (order.hex,), tell)


def _place(s: State, order: Place, tell: Tell) -> None:
    movement.enter(s, order.unit, (order.hex,), tell, oos=False)  # [R12, 5.55]
    tell(Note("enters", {"unit": order.unit, "hex": s.board.name(order.hex)}, ("5.52a",)))


def _move(s: State, order: Move | Rail, tell: Tell) -> None:
    rail = order.kind == "rail"
    way: dict[str, str | int] = {"unit": order.unit, "from": s.pieces[order.unit].at, "to": order.path[-1]}
    tell(Note("rides" if rail else "moves", way, ("5.0GR",)))
    movement.enter(s, order.unit, order.path, tell, moved=True)  # [5.42, 5.15]
    if rail:
        s.used[f"rail-{s.active}"] = 1


def _reduce(s: State, order: Reduce, tell: Tell) -> None:
    victory.lose_step(s, order.unit, tell, "7.21")


def _remove(s: State, order: Remove, tell: Tell) -> None:
    victory.kill(s, order.unit, tell, "7.21")


def _attack(s: State, order: Attack, tell: Tell) -> None:
    hexes, points = tuple(order.hexes), order.air or 0
    air.spend(s, s.active, air.named_bases(order.bases) or air.allot(s, s.active, hexes, points) or {})
    s.attacks.append(Declared(hexes, tuple(order.units), points))
    said: dict[str, str | int] = {"units": "+".join(order.units), "hexes": "+".join(hexes), "air": points}
    tell(Note("declared", said, ("9.1P-1a",)))


def _defend(s: State, order: Defend, tell: Tell) -> None:
    attack, side = _attack_on(s, order.hex), foe(s.active)
    air.spend(s, side, air.named_bases(order.bases) or air.allot(s, side, attack.hexes, order.air) or {})
    attack.defence_air += order.air
    tell(Note("defended", {"hex": order.hex, "air": order.air}, ("9.1P-1b",)))


def _resolve(s: State, order: Resolve, tell: Tell) -> None:
    fighting.open_battle(s, _attack_on(s, order.hex), order.mode, tell)


def _attack_on(s: State, hex: str) -> Declared:
    return next(one for one in s.attacks if hex in one.hexes)


CARRY: Mapping[str, Callable[[State, Any, Tell], None]] = {
    "deploy": _deploy,
    "cross": _deploy,
    "sealand": island.sealand,
    "ashore": island.ashore,
    "place": _place,
    "move": _move,
    "rail": _move,
    "sea": sea.set_sail,
    "land": sea.set_sail,
    "assault": sea.set_sail,
    "withdraw": sea.withdraw,
    "reduce": _reduce,
    "remove": _remove,
    "attack": _attack,
    "defend": _defend,
    "fight": _resolve,
    "fort": works.fort,
    "unfort": works.unfort,
}
"""By the kind of an order, what it does."""
