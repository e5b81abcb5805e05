"""Whether an order answers what is asked and may be given; each chapter says why not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pbem.api import Ask, Illegal, Order
from rules.kit.orders import usage_line
from rules.singapore_1984 import (
    air,
    crowding,
    declaration,
    fighting,
    interception,
    island,
    movement,
    options,
    orders,
    reinforcement,
    sea,
    standing,
    works,
)
from rules.singapore_1984.listing import Listing, Subs, Use
from rules.singapore_1984.orders import Assault, End, Intercept, Land, Move, Rail, Sea, Sealand, Transfer, Withdraw
from rules.singapore_1984.sequence import pending
from rules.singapore_1984.state import CW, JP, State


def refuse(s: State, seat: str, order: Order) -> Illegal | None:
    """Whether the order answers what is asked, and may be given."""
    asked = [one for one in pending(s) if isinstance(one, Ask) and one.seat == seat]
    if not asked:
        return Illegal("it is not your turn to choose", ("4.0GR",))
    if order.kind in standing.KINDS:
        hidden = asked[0].what in ("options", "tally")
        return Illegal("not now", ("R88",)) if hidden else standing.refuse(s, seat, order)
    if s.slots and isinstance(order, Use) and asked[0].what not in ("options", "tally"):
        return options.refuse_use(s, order)
    if s.sail is not None:
        return refuse_at_sea(s, order)
    kinds = ANSWERS[asked[0].what]
    if order.kind == "declare" and asked[0].what != "declare":
        why = "an assault is declared as a turn begins, from 1726, 1825 or 1926 with no enemy in any of them"
        return Illegal(why, ("11.0a", "11.0b"))
    if order.kind not in kinds:
        return Illegal("that is not what is asked", ("4.0GR",), may(kinds))
    if s.battle is not None:
        return fighting.refuse(s, s.battle, order)
    return refuse_in_turn(s, order)


ANSWERS = {
    "declare": ("declare", "end"),
    "deploy": ("deploy", "end"),
    "reinforce": ("place", "cross", "sealand", "fort", "end"),
    "move": ("move", "rail", "sea", "land", "assault", "withdraw", "ashore", "end"),
    "crowd": ("reduce", "remove"),
    "attack": ("attack", "end"),
    "defend": ("defend", "end"),
    "resolve": ("fight",),
    "retreat": ("retreat", "displace", "stand", "evacuate"),
    "lose": ("lose",),
    "advance": ("advance", "hold"),
    "return": ("return",),
    "beach": ("beach",),
    "intercept": ("intercept", "subs", "no_intercept"),
    "airz": ("airz",),
    "options": ("options",),
    "muster": ("end",),
    "airsup": ("airsup",),
    "airevac": ("airevac",),
    "record": ("unfort", "end"),
    "tally": (),
}
"""By question, the orders that answer it."""


def may(kinds: Iterable[str]) -> str:
    """A hint at the orders that answer what is asked."""
    return f"you may write: {'; '.join(usage_line(one) for one in orders.ORDERS if one.kind in kinds)}"


def refuse_at_sea(s: State, order: Order) -> Illegal | None:
    """Answers to a sea move."""
    waits = interception.waits(s)
    what = waits[0].what if waits and isinstance(waits[0], Ask) else ""
    if order.kind not in ANSWERS.get(what, ()):
        first = "whether eight air points go for Force Z" if what == "airz" else "whether it is intercepted"
        return Illegal(
            f"{s.sail.unit if s.sail else ''} is at sea: {first} comes first", ("6.41b",), may(ANSWERS.get(what, ()))
        )
    return interception.refuse_intercept(s, order) if isinstance(order, Intercept | Subs) else None


def refuse_in_turn(s: State, order: Order) -> Illegal | None:
    """Orders of the phasing player, and of the other about his air points and crowds."""
    judge = REFUSE.get(order.kind)
    return judge(s, order) if judge is not None else None


def _listing(s: State, order: Listing) -> Illegal | None:
    return options.refuse_listing(s, s.step.removeprefix("list-"), order)


def _transfer(s: State, order: Transfer) -> Illegal | None:
    return island.refuse_transfer(s, order) if s.pulse else Illegal(FOR_PULSES, ("11.11a", "11.22c"))


def _sealand(s: State, order: Sealand) -> Illegal | None:
    return island.refuse_sealand(s, order) if s.pulse else Illegal(FOR_PULSES, ("11.11a", "11.22c"))


FOR_PULSES = "that is for the pulses of an assault"
OUTSIDE = Illegal("in a pulse only units of the inset move", ("11.0i",))


def _move(s: State, order: Move) -> Illegal | None:
    wrong = movement.refuse_mover(s, order.unit)
    return wrong or movement.refuse_walk(s, order.unit, order.path, s.allowance(order.unit))


def _rail(s: State, order: Rail) -> Illegal | None:
    wrong = OUTSIDE if s.pulse else movement.refuse_mover(s, order.unit)  # [11.0j]
    return wrong or movement.refuse_rail(s, order.unit, order.path)


def _sail(s: State, order: Sea | Land | Assault) -> Illegal | None:
    if s.pulse:
        return OUTSIDE
    if s.active != JP:
        return Illegal("the Commonwealth sails to Singapore only", ("6.0GRb",), "withdraw UNIT from PORT")
    return sea.refuse_sailing(s, order)


def _withdraw(s: State, order: Withdraw) -> Illegal | None:
    if s.pulse:
        return OUTSIDE
    if s.active != CW:
        return Illegal("Japan does not withdraw to Singapore", ("6.31",))
    return sea.refuse_withdraw(s, order)


def _end(s: State, order: End) -> Illegal | None:
    if s.step == "declare":
        return declaration.refuse_no_attack(s)
    return island.refuse_done(s) if s.step == "deploy-cw" else None


REFUSE: Mapping[str, Callable[[State, Any], Illegal | None]] = {
    "options": _listing,
    "fort": works.refuse_fort,
    "unfort": works.refuse_unfort,
    "airsup": air.refuse_superiority,
    "airevac": air.refuse_evacuation,
    "deploy": island.refuse_deploy,
    "cross": _transfer,
    "sealand": _sealand,
    "ashore": island.refuse_ashore,
    "place": reinforcement.refuse_place,
    "move": _move,
    "rail": _rail,
    "sea": _sail,
    "land": _sail,
    "assault": _sail,
    "withdraw": _withdraw,
    "reduce": crowding.refuse_crowd,
    "remove": crowding.refuse_crowd,
    "attack": declaration.refuse_attack,
    "defend": declaration.refuse_defend,
    "fight": fighting.refuse_resolve,
    "end": _end,
}
"""By the kind of an order, who says why it may not be given."""
