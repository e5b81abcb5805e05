"""Dice that one seat alone sees, until it shows and proves them (OT-9)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from pbem.api import Ask, Commit, Illegal, Known, Note, Roll, Rolled, Slot, Tell
from rules.open_table.holdings import Private
from rules.open_table.orders import DICE, RollDice
from rules.open_table.rolls import refuse_roll, result
from rules.open_table.secret_orders import Reveal, RollPrivately
from rules.open_table.state import State, Throw

STEM = "private"
LIST = "dice"
MANY = 20
"""So many values are sealed at once."""
KEPT = 60  # [OT-9.2]


def refuse_roll_privately(state: State, seat: str, order: RollPrivately, known: Known) -> Illegal | None:
    return refuse_roll(state, RollDice(dice=order.dice, purpose=order.purpose))


def order_roll(state: State, seat: str, order: RollPrivately, tell: Tell) -> None:
    roll = Roll(STEM, "OT-9.1", dice=order.dice, audience=seat)
    state.waiting.append(Throw(seat, state.turn, order.purpose, roll))
    what: dict[str, str | int] = {"seat": seat, "dice": DICE.show(order.dice), "purpose": order.purpose}
    tell(Note("order_private", what, ("OT-9.1",)))


def commits(state: State) -> tuple[Ask, ...]:
    """The lists of values that must be sealed before the dice fall."""
    wanted = Counter(throw.seat for throw in state.waiting if throw.roll.audience)
    short = [seat for seat, number in wanted.items() if number > state.held.values.get(seat, 0)]
    return tuple(
        Ask(seat, "seal_values", "OT-9.1", client=Commit("private", LIST, max(MANY, wanted[seat]))) for seat in short
    )


def sealed(state: State, seat: str, count: int) -> None:
    state.held.values[seat] = state.held.values.get(seat, 0) + count


def fall(state: State, throw: Throw, step: Rolled, tell: Tell) -> None:
    state.held.values[throw.seat] = max(0, state.held.values.get(throw.seat, 0) - 1)
    state.held.privates.append(Private(step.label, step.slot, throw.seat, throw.turn, throw.roll.dice, throw.purpose))
    del state.held.privates[:-KEPT]
    what: dict[str, str | int] = {"seat": throw.seat, "dice": DICE.show(throw.roll.dice), "purpose": throw.purpose}
    tell(Note("rolled_privately", what, ("OT-9.1",), label=step.label))


def of_label(state: State, label: str) -> Private | None:
    return next((one for one in state.held.privates if one.label == label), None)


def refuse_reveal(state: State, seat: str, order: Reveal, known: Known) -> Illegal | None:
    private = of_label(state, order.label)
    if private is None or private.seat != seat:
        mine = ", ".join(one.label for one in state.held.privates if one.seat == seat) or "none"
        hint = f"private rolls of {seat}: {mine}"
        return Illegal(f"{seat} has no private roll {order.label[:32]}", ("OT-9.2",), hint)
    if order.label not in known:
        return Illegal(f"{order.label} must be proved", ("OT-9.2",), "open its value with the order")
    if tuple(known[order.label]) != order.faces:
        return Illegal(f"the dice of {order.label} show something else", ("OT-9.2",), f"reveal {order.label}")
    return None


def opens(state: State, order: Reveal) -> tuple[Slot, ...]:
    private = of_label(state, order.label)
    return () if private is None or private.proved else (private.slot,)


def refuse_opened(state: State, seat: str, slot: Slot) -> Illegal | None:
    if any(one.slot == slot and one.seat == seat and not one.proved for one in state.held.privates):
        return None
    return Illegal(f"{slot} has made no private roll of {seat} that could be shown", ("OT-9.2",))


def proved(state: State, slot: Slot) -> None:
    state.held.privates = [replace(one, proved=True) if one.slot == slot else one for one in state.held.privates]


def reveal(state: State, seat: str, order: Reveal, tell: Tell) -> None:
    private = of_label(state, order.label)
    if private is None:
        return
    state.held.privates.remove(private)
    told: dict[str, str | int] = {"seat": seat, "label": order.label, "purpose": private.purpose}
    told |= {"dice": DICE.show(private.dice), "result": result(private.dice, order.faces)}
    tell(Note("reveal", told, ("OT-9.2",), label=order.label))
