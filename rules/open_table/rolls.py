"""Dice for a stated purpose: ordered, waiting, fallen (OT-2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from pbem.api import Illegal, Note, Roll, Rolled, Tell
from rules.open_table.orders import DICE, MAX_DICE, MAX_PURPOSE, MAX_SIDES, MIN_SIDES, RollDice
from rules.open_table.state import LATEST, Fallen, State, Throw
from rules.open_table.story import refuse_text

STEM = "roll"
MAX_WAITING = 50  # [OT-2.3]
MANY = 5
"""From so many dice of one kind on, it is also shown how often each face came."""


def refuse_roll(state: State, order: RollDice) -> Illegal | None:
    if not 1 <= len(order.dice) <= MAX_DICE:
        return Illegal(f"{len(order.dice)} dice in one roll: 1 to {MAX_DICE}", ("OT-2.1",), "order several rolls")
    for sides in order.dice:
        if not MIN_SIDES <= sides <= MAX_SIDES:
            return Illegal(f"a die of {sides} sides: {MIN_SIDES} to {MAX_SIDES:,}", ("OT-2.1",))
    if len(state.waiting) >= MAX_WAITING:
        return Illegal(f"{MAX_WAITING} rolls wait already", ("OT-2.3",), "let them fall before you order more")
    return refuse_text("the purpose", order.purpose, MAX_PURPOSE)


def order_roll(state: State, seat: str, order: RollDice, tell: Tell) -> None:
    roll = Roll(STEM, "OT-2.2", dice=order.dice)
    state.waiting.append(Throw(seat, state.turn, order.purpose, roll))
    tell(Note("order_roll", {"seat": seat, "dice": DICE.show(order.dice), "purpose": order.purpose}, ("OT-2.1",)))


def fall(state: State, step: Rolled, tell: Tell) -> None:
    """The dice that wait longest have fallen."""
    faces: tuple[int, ...] = tuple(step.values or ())
    throw = state.waiting.pop(0)
    state.rolls += 1
    state.fallen.append(Fallen(throw, step.label, faces))
    del state.fallen[:-LATEST]
    args: dict[str, str | int] = {
        "seat": throw.seat,
        "dice": DICE.show(throw.roll.dice),
        "purpose": throw.purpose,
        "result": result(throw.roll.dice, faces),
        "total": sum(faces),
    }
    tell(Note("rolled", args, ("OT-2.2", "OT-2.4"), label=step.label))


# --- results in words ---


def kinds(dice: Sequence[int], faces: Sequence[int]) -> Iterator[tuple[str, list[int]]]:
    """The faces by kind of dice: `2d6` with 3 and 5, `d10` with 7."""
    for sides, run in groupby(zip(dice, faces, strict=True), key=lambda pair: pair[0]):
        fallen = [face for _, face in run]
        yield DICE.show((sides,) * len(fallen)), fallen


def result(dice: Sequence[int], faces: Sequence[int]) -> str:
    """`3 5, sum 8`; of several kinds `2d6: 3 5, sum 8; d10: 7; together 15`."""
    runs = list(kinds(dice, faces))
    if len(runs) == 1:
        return summed(runs[0][1])
    return "; ".join(f"{name}: {summed(fallen)}" for name, fallen in runs) + f"; together {sum(faces)}"


def summed(faces: Sequence[int]) -> str:
    if len(faces) == 1:
        return str(faces[0])
    return f"{' '.join(map(str, faces))}, sum {sum(faces)}"


def how_often(dice: Sequence[int], faces: Sequence[int]) -> str:
    """`1x2 6x3`: two ones and three sixes, for each kind of which there are many dice."""
    return "; ".join(
        " ".join(f"{face}x{times}" for face, times in sorted(Counter(fallen).items()))
        for _, fallen in kinds(dice, faces)
        if len(fallen) >= MANY
    )
