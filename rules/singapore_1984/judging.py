"""Whether an order answers what is asked and may be given; each chapter says why not."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.api import Ask, Illegal, Order
from rules.kit.orders import usage_line
from rules.singapore_1984 import (
    air,
    crowding,
    declaration,
    fighting,
    island,
    movement,
    options,
    orders,
    reinforcement,
    sea,
    standing,
    works,
)
from rules.singapore_1984.listing import Evacuation, Fort, Listing, Subs, Superiority, Unfort, Use
from rules.singapore_1984.orders import (
    Ashore,
    Assault,
    Attack,
    Declare,
    Defend,
    Deploy,
    End,
    Intercept,
    Land,
    Move,
    Place,
    Rail,
    Reduce,
    Remove,
    Resolve,
    Sea,
    Sealand,
    Transfer,
    Withdraw,
)
from rules.singapore_1984.sequence import pending
from rules.singapore_1984.state import CW, JP, State


def refuse(s: State, seat: str, order: Order) -> Illegal | None:
    """Whether the order answers what is asked, and may be given."""
    asked = [one for one in pending(s) if isinstance(one, Ask) and one.seat == seat]
    if not asked:
        return Illegal("it is not your turn to choose", ("4.0GR",))
    if isinstance(order, standing.Standing):
        hidden = asked[0].what in ("options", "tally")
        return Illegal("not now", ("R88",)) if hidden else standing.refuse(s, seat, order)
    if isinstance(order, Use) and s.slots and asked[0].what not in ("options", "tally"):
        return options.refuse_use(s, order)
    if s.sail is not None:
        return refuse_at_sea(s, order)
    kinds = ANSWERS[asked[0].what]
    if isinstance(order, Declare) and asked[0].what != "declare":
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
    waits = sea.waits(s)
    what = waits[0].what if waits and isinstance(waits[0], Ask) else ""
    if order.kind not in ANSWERS.get(what, ()):
        first = "whether eight air points go for Force Z" if what == "airz" else "whether it is intercepted"
        return Illegal(
            f"{s.sail.unit if s.sail else ''} is at sea: {first} comes first", ("6.41b",), may(ANSWERS.get(what, ()))
        )
    return sea.refuse_intercept(s, order) if isinstance(order, Intercept | Subs) else None


def refuse_in_turn(s: State, order: Order) -> Illegal | None:
    """Orders of the phasing player, and of the other about his air points and crowds."""
    match order:
        case Listing():
            return options.refuse_listing(s, s.step.removeprefix("list-"), order)
        case Fort():
            return works.refuse_fort(s, order)
        case Unfort():
            return works.refuse_unfort(s, order)
        case Superiority():
            return air.refuse_superiority(s, order)
        case Evacuation():
            return air.refuse_evacuation(s, order)
        case Deploy():
            return island.refuse_deploy(s, order)
        case Transfer() | Sealand() if not s.pulse:
            return Illegal("that is for the pulses of an assault", ("11.11a", "11.22c"))
        case Transfer():
            return island.refuse_transfer(s, order)
        case Sealand():
            return island.refuse_sealand(s, order)
        case Ashore():
            return island.refuse_ashore(s, order)
        case Rail() | Sea() | Land() | Assault() | Withdraw() if s.pulse:  # [11.0j]
            return Illegal("in a pulse only units of the inset move", ("11.0i",))
        case Place():
            return reinforcement.refuse_place(s, order)
        case Move():
            wrong = movement.refuse_mover(s, order.unit)
            return wrong or movement.refuse_walk(s, order.unit, order.path, s.allowance(order.unit))
        case Rail():
            wrong = movement.refuse_mover(s, order.unit)
            return wrong or movement.refuse_rail(s, order.unit, order.path)
        case Sea() | Land() | Assault():
            if s.active != JP:
                return Illegal("the Commonwealth sails to Singapore only", ("6.0GRb",), "withdraw UNIT from PORT")
            return sea.refuse_sailing(s, order)
        case Withdraw():
            if s.active != CW:
                return Illegal("Japan does not withdraw to Singapore", ("6.31",))
            return sea.refuse_withdraw(s, order)
        case Reduce() | Remove():
            return crowding.refuse_crowd(s, order)
        case Attack():
            return declaration.refuse_attack(s, order)
        case Defend():
            return declaration.refuse_defend(s, order)
        case Resolve():
            return fighting.refuse_resolve(s, order)
        case End() if s.step == "declare":
            return declaration.refuse_no_attack(s)
        case End() if s.step == "deploy-cw":
            return island.refuse_done(s)
    return None
