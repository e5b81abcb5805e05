"""What perfect play of Battle Card: Malaya is worth: the chance of winning, as an exact fraction.

    PYTHONPATH=. python tests/malaya_solver.py [SCENARIO ...]

walks the engine's own `pending`, `offers`, `refuse` and `apply` and remembers what every position is worth.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from itertools import product
from typing import Any

from pbem.api import NOTHING_KNOWN, Engine, Order, Ordered, Roll, Rolled, Start
from rules.battle_card_malaya import ENGINE

Player = Callable[[Any], Order]
SEAT = "allies"


class Solver:
    """Expectimax with a memory; `player` chooses instead of the best order where one is given."""

    def __init__(self, engine: Engine = ENGINE, player: Player | None = None) -> None:
        self.engine = engine
        self.player = player
        self.known: dict[object, Fraction] = {}

    def key(self, state: Any) -> object:
        """The position without the moves behind it, which only the map and the words of a refusal look at."""
        return tuple(lines for name, lines in self.engine.position(state).items() if name != "moved")

    def value(self, state: Any) -> Fraction:
        """The chance of winning from here."""
        key = self.key(state)
        if key not in self.known:
            self.known[key] = self._value(state)
        return self.known[key]

    def _value(self, state: Any) -> Fraction:
        outcome = self.engine.outcome(state)
        if outcome is not None:
            return Fraction(outcome.winner == SEAT)
        due = self.engine.pending(state)[0]
        if isinstance(due, Roll):
            (sides,) = due.dice
            return sum(self._after(state, Rolled(due.stem, due, (n,))) for n in range(1, sides + 1)) / Fraction(sides)
        return max(self._after(state, Ordered(SEAT, order)) for order in self._orders(state))

    def _orders(self, state: Any) -> list[Order]:
        orders = [self.player(state)] if self.player else list(self.engine.offers(state, SEAT, NOTHING_KNOWN))
        for order in orders:
            assert self.engine.refuse(state, SEAT, order, NOTHING_KNOWN) is None
        return orders

    def _after(self, state: Any, step: Ordered | Rolled) -> Fraction:
        after = deepcopy(state)
        self.engine.apply(after, step)
        return self.value(after)


def start(scenario: str = "standard", **options: str) -> Any:
    """The position at the start, with the options given."""
    found = next(one for one in ENGINE.scenarios() if one.id == scenario)
    chosen = {option.name: option.default for option in found.options} | options
    return ENGINE.setup(Start(scenario, chosen, (SEAT,), 1, ENGINE.components(1)))


def main() -> None:
    """Print the value under every set of options, of the scenarios named or of the standard one."""
    wanted = sys.argv[1:] or ["standard"]
    for scenario in (one for one in ENGINE.scenarios() if one.id in wanted):
        for values in product(*(option.values for option in scenario.options)):
            options = dict(zip((option.name for option in scenario.options), values, strict=True))
            solver, began = Solver(), time.perf_counter()
            value = solver.value(start(scenario.id, **options))
            said = " ".join(f"{name}={chosen}" for name, chosen in options.items())
            seconds = time.perf_counter() - began
            print(f"{scenario.id:10} {said:32} {value!s:>16} = {float(value):.4f}", end="")
            print(f"   {len(solver.known):6,} positions, {seconds:.1f} s")


if __name__ == "__main__":
    main()
