"""Scripts of orders, a line each or in blocks, tried one by one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pbem.api import Order
from pbem.trial import Stopped, Trial


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a script: its number, and the order it was read as (None for a core order)."""

    number: int
    text: str
    order: Order | None = None


@dataclass(slots=True)
class Script:
    """What became of a script: lines taken, lines not used and why."""

    taken: list[Line] = field(default_factory=list)
    unused: list[Line] = field(default_factory=list)
    why: str = ""


def script_lines(text: str) -> list[Line]:
    """The lines of a script that say something, with their numbers."""
    lines = (Line(number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
    return [line for line in lines if line.text and not line.text.startswith("#")]


def openers(orders: Mapping[str, type[Order]]) -> frozenset[str]:
    """First lines of orders that are written as a block: `deploy`, one placing a line, `end`."""
    usages = (usage for order in orders.values() for usage in (order.usage, *getattr(order, "also", ())))
    return frozenset(re.split("[A-Z]", usage)[0].strip() for usage in usages if usage.endswith(" END"))


def joined(lines: Sequence[Line], first: frozenset[str]) -> list[Line]:
    """The lines of a script with every block in one, from its first line to `end`."""
    found: list[Line] = []
    place = 0
    while place < len(lines):
        line, after = lines[place], place + 1
        if line.text.casefold() in first:
            ends = (n for n in range(after, len(lines)) if lines[n].text.casefold() == "end")
            after = next(ends, place) + 1
            line = Line(line.number, "\n".join(one.text for one in lines[place:after]))
        found.append(line)
        place = after
    return found


def run_script(trial: Trial, text: str | Sequence[Line]) -> Script:
    """Try the orders of a script one by one; it stops where chance or somebody else is needed and says what is left."""
    script = Script()
    lines = script_lines(text) if isinstance(text, str) else text
    wanted = joined(lines, openers(trial.fold.engine.orders))
    for place, line in enumerate(wanted):
        try:
            order = trial.take(line.number, line.text)
        except Stopped as stop:
            script.why = str(stop)
            script.unused = list(wanted[place:])
            break
        script.taken.append(Line(line.number, trial.said, order))
    return script
