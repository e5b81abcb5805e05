"""Why an order has no place in an impulse: the chit does not open its step, or the step is over. [3.3]"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.api import Illegal, Order
from rules.tiger_of_malaya.orders import (
    Attack,
    Blow,
    Bombard,
    Break,
    Cross,
    Discard,
    Enter,
    Fort,
    Move,
    Probe,
    Rail,
    Rebuild,
    Recover,
    Reform,
    Repair,
    Replace,
    Steam,
    Truck,
)
from rules.tiger_of_malaya.state import State

Clauses = Mapping[type[Order], tuple[str, ...]]

NO_FIGHT: Clauses = {Bombard: ("3.3.6.E", "8.1.C"), Attack: ("3.3.6.E",), Probe: ("3.3.6.E",)}
MARCHES = (Move, Rail, Truck, Steam, Cross)
NO_MARCH: Clauses = {
    **dict.fromkeys(MARCHES, ("3.3.2.C",)),
    **dict.fromkeys((Replace, Rebuild), ("10.2.1.B",)),
    Enter: ("10.1.P1/2",),
    Blow: ("12.6.1.A",),
}
ONE_OR_THE_OTHER = ("3.3.3",)

BY_CHIT: Mapping[tuple[str, str], Clauses] = {
    ("move", ""): NO_FIGHT,
    ("choice", "move"): {kind: (*ONE_OR_THE_OTHER, *ids) for kind, ids in NO_FIGHT.items()},
    ("attack", ""): NO_MARCH,
    ("choice", "attack"): {kind: (*ONE_OR_THE_OTHER, *ids) for kind, ids in NO_MARCH.items()},
    ("half", "move"): {Bombard: ("3.3.5.E", "8.1.D"), Attack: ("3.3.5.B",), Probe: ("3.3.5.B",)},
    ("half", "attack"): {Bombard: ("3.3.5.E", "8.1.D"), **dict.fromkeys(MARCHES, ("3.3.5.A",))},
    ("half", "denied"): {
        **{Bombard: ("3.3.5.E", "8.1.D"), **dict.fromkeys(MARCHES, ("3.3.5.C.2",))},
        **{Attack: ("3.3.5.C.2",), Probe: ("3.3.5.C.2",)},
    },
}
OVER: Clauses = {
    Break: ("12.4.A/1",),
    Discard: ("5.0.F",),
    Reform: ("12.4.B",),
    Blow: ("12.6.1.A", "3.3.4.B"),
    Recover: ("11.1.2.B", "3.3.4.D"),
    Enter: ("10.1.P1/2", "3.3.4.C"),
    Replace: ("10.2.1.B",),
    Rebuild: ("10.2.1.B",),
    **dict.fromkeys(MARCHES, ("3.3.4.E",)),
    Bombard: ("3.3.4.F",),
    Attack: ("9.3.K", "3.3.4.G"),
    Probe: ("9.3.K", "3.3.4.G"),
    Fort: ("12.5.B", "3.3.4.H"),
    Repair: ("12.6.2.A", "3.3.4.I"),
}
"""What an order is refused by when its step is over, or never opens although the chit is one that could. [R4]"""


def why(s: State, order: Order, now: str) -> Illegal:
    """An order whose step is not among those that this impulse still has."""
    ids = BY_CHIT.get((s.chit, s.mode), {}).get(type(order))
    if ids is not None:
        return Illegal("this chit does not allow it", ids, f"now: {now}")
    return Illegal("its step is over, or this impulse has none", (*OVER.get(type(order), ()), "R4"), f"now: {now}")
