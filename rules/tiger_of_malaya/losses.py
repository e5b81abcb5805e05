"""Steps that are lost, and who takes them. [9.3.2, 9.3.3, 9.3.4, 8.2.E]"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from pbem.api import Illegal, Note, Roll, Tell
from rules.tiger_of_malaya import garrison
from rules.tiger_of_malaya.orders import Lose
from rules.tiger_of_malaya.state import Loss, State, date, flip, level, points, remove, stack, steps
from rules.tiger_of_malaya.zones import settle


def alive(s: State, loss: Loss) -> list[str]:
    """The units that may still lose."""
    return [id for id in loss.units if id in s.pieces]


def plain(s: State, loss: Loss) -> list[str] | None:
    """The only way to take it, where there is no choice."""
    units = alive(s, loss)
    every = [id for id in units for _ in range(steps(s, id))]
    if len(every) <= loss.steps:
        return every
    return units * loss.steps if len(units) == 1 else None


def refuse_lose(s: State, loss: Loss, order: Lose) -> Illegal | None:
    """Exactly so many steps, of units that may lose them."""  # [9.3.2.B, 9.3.2.C, 9.3.3, 9.3.4, 8.2.E]
    units = alive(s, loss)
    wrong = next((id for id in order.units if id not in units), "")
    if wrong:
        return Illegal(f"{wrong} cannot take this loss", ("9.3.2.B", "9.3.4"), f"units: {', '.join(units)}")
    if len(order.units) != loss.steps:
        return Illegal(f"{loss.steps} steps are lost", ("9.3.2.C", "9.3.2.D.1"))
    if any(order.units.count(id) > steps(s, id) for id in set(order.units)):
        return Illegal("a unit has not so many steps", ("9.3.2.B",))
    tanks = [id for id in units if s.board.kind(id) == "tank"]
    if loss.why == "attack" and loss.steps > 1 and tanks and not set(tanks) & set(order.units):
        return Illegal("a tank company must be among the losses", ("9.3.3",), f"tanks: {', '.join(tanks)}")
    return None


def lose(s: State, units: Sequence[str], tell: Tell) -> None:
    """Each takes a step."""
    hexes = {s.pieces[id].at for id in units}
    for id in units:
        if steps(s, id) == 1:  # [2.2.D/2, R57]
            remove(s, id)
            tell(Note("eliminated", {"unit": id}, ("9.3.2.B",)))
        else:
            flip(s, id, s.pieces[id].level + 1)
            tell(Note("lost", {"unit": id, "face": str(level(s, id))}, ("9.3.2.B", "2.1:Steps/1")))
    for hex in sorted(hexes):
        left = stack(s, hex)
        alone = not any(points(s, id) for id in left)
        for id in [id for id in left if alone and s.board.kind(id) == "truck"]:
            remove(s, id)
            tell(Note("eliminated", {"unit": id}, ("11.7.F",)))
    settle(s)
    garrison.watch(s)


def some_losses(s: State, loss: Loss) -> list[Lose]:
    """A few ways to take a loss."""
    every = [id for id in alive(s, loss) for _ in range(steps(s, id))]
    found: list[Lose] = []
    for units in combinations(every, loss.steps):
        order = Lose(units=units)
        if order not in found and refuse_lose(s, loss, order) is None:
            found.append(order)
        if len(found) == 20:
            break
    return found


# --- by lot ---


def lot(s: State, loss: Loss) -> Roll:
    """Which unit takes the next step of a bombardment, where that was agreed."""  # [8.2.E.ex, R44]
    return Roll(f"{date(s)}/lot/{loss.hex}", "8.2.E.ex", draw=1, pool=tuple(alive(s, loss)))


def fell(s: State, unit: str, tell: Tell) -> None:
    """The lot fell on a unit: it takes a step."""
    s.losses[0].steps -= 1
    if not s.losses[0].steps:
        s.losses.pop(0)
    lose(s, [unit], tell)
