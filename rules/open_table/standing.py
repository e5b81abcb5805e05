"""Standing orders, for everybody to read: what a seat does whenever something happens (OT-10)."""

from __future__ import annotations

from pbem.api import Illegal, Known, Note, Tell
from rules.open_table.holdings import Standing
from rules.open_table.secret_orders import MAX_SHORT, DropStanding, StandingOrder
from rules.open_table.state import State
from rules.open_table.story import refuse_text

MAX_STANDING = 40  # [OT-10.2]


def refuse_standing(state: State, seat: str, order: StandingOrder, known: Known) -> Illegal | None:
    if len(state.held.standing) >= MAX_STANDING:
        return Illegal(f"{MAX_STANDING} standing orders are given already", ("OT-10.2",), "drop standing NUMBER")
    return refuse_text("the standing order", order.text, MAX_SHORT)


def give(state: State, seat: str, order: StandingOrder, tell: Tell) -> None:
    number = 1 + max((one.number for one in state.held.standing), default=0)
    state.held.standing.append(Standing(number, seat, order.text))
    tell(Note("standing", {"seat": seat, "number": number, "text": order.text}, ("OT-10.2",)))


def refuse_drop(state: State, seat: str, order: DropStanding, known: Known) -> Illegal | None:
    mine = [one.number for one in state.held.standing if one.seat == seat]
    if order.number in mine:
        return None
    there = ", ".join(map(str, mine)) or "none"
    return Illegal(f"{seat} has no standing order {order.number}", ("OT-10.3",), f"those of {seat}: {there}")


def drop(state: State, seat: str, order: DropStanding, tell: Tell) -> None:
    gone = next(one for one in state.held.standing if one.number == order.number)
    state.held.standing.remove(gone)
    tell(Note("drop_standing", {"seat": seat, "number": gone.number, "text": gone.text}, ("OT-10.3",)))
