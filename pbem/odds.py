"""What may come of an order before it is signed: every way the dice can fall, played by the engine itself.

Where there are few ways all of them are played, and the chances are fractions; where there are many, some at random.
What is looked at is what the seat's own machine knows; what only another seat knows is named, never guessed in silence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any, Final

from pbem.api import Known
from pbem.replay import Fold
from pbem.simulate import wilson
from pbem.unsealed import Seal, Unsealed
from pbem.ways import Node, Search, Told
from pbem.world import World

LIMIT: Final = 20_000
"""Ways of chance that are all played; where there are more, some are drawn."""
SAMPLES: Final = 2_000


@dataclass(frozen=True, slots=True)
class Chance:
    """One outcome: what tells it from others, and its share of the ways; exact, or with a 95 percent interval."""

    told: Told
    share: Fraction
    low: float
    high: float

    def data(self, exact: bool) -> dict[str, Any]:
        """For scripts."""
        doc: dict[str, Any] = {"told": list(self.told), "share": float(self.share)}
        return {**doc, "chance": str(self.share)} if exact else {**doc, "low": self.low, "high": self.high}


@dataclass(frozen=True, slots=True)
class Odds:
    """All outcomes, the likeliest first; `each` sentence by itself; where the ways stop; what was assumed.

    `ways` is how many ways of chance were played to the end.
    """

    orders: tuple[str, ...]
    exact: bool
    ways: int
    outcomes: tuple[Chance, ...]
    each: tuple[Chance, ...]
    stops: tuple[Chance, ...]
    assumed: tuple[str, ...]

    def data(self) -> dict[str, Any]:
        """For scripts."""
        lists = {"outcomes": self.outcomes, "each": self.each, "stops": self.stops}
        return {
            "orders": list(self.orders),
            "exact": self.exact,
            "ways": self.ways,
            **{name: [one.data(self.exact) for one in found] for name, found in lists.items()},
            "assumed": list(self.assumed),
        }


def odds(
    fold: Fold, seat: str, known: Known, orders: Sequence[str], *, samples: int = SAMPLES, limit: int = LIMIT
) -> Odds:
    """The odds of some orders of a seat, given one after the other in the position of a fold.

    Raises `OrderRefused` for an order that is not possible there, or that is never reached.
    """
    return reckon(of_fold(fold, seat, known), seat, orders, samples=samples, limit=limit)


def reckon(world: World, seat: str, orders: Sequence[str], *, samples: int = SAMPLES, limit: int = LIMIT) -> Odds:
    """The same in a world that holds what the seat knows. `limit` ways are all played, of more `samples` at random."""
    search = Search(world.engine, seat, tuple(orders), Random(0))
    start = Node(world, tuple(enumerate(orders, 1)))
    exact = search.all_ways(start, limit)
    if exact is not None:
        ways, tally = exact
    else:
        ways, tally = samples, search.some_ways(start, samples)
    return _odds(search, exact is not None, ways, tally)


def of_fold(fold: Fold, seat: str, known: Known) -> World:
    """The position of a fold as a world, with what one seat knows and nothing else."""
    hidden = Unsealed(labels=Counter(fold.labels), opened=dict(fold.known), contents=dict(known))
    for name, one in fold.slots.names.items():
        seal = Seal(name, one.what, one.seat, one.team, one.composition, one.kind, replaced=one.replaced())
        for epoch in one.epochs:
            slots = () if epoch.void else tuple(slot for slot, its, _ in one.slots() if its is epoch)
            seal.epochs.append((epoch.number, slots))
        hidden.names[name] = seal
    hidden.told[seat] = dict(known)
    return World(fold.engine, fold.state, hidden).copy()


def _odds(search: Search, exact: bool, ways: int, tally: Mapping[tuple[Told, str], Any]) -> Odds:
    whole = Fraction(sum(tally.values()))
    outcomes: Counter[Told] = Counter()
    each: Counter[Told] = Counter()
    stops: Counter[Told] = Counter()
    for (told, stop), weight in tally.items():
        outcomes[told] += weight
        stops[(stop,)] += weight
        for sentence in dict.fromkeys(told):
            each[(sentence,)] += weight

    def chances(found: Counter[Told]) -> tuple[Chance, ...]:
        by_share = sorted(found.items(), key=lambda one: (-one[1], _in_order(one[0])))
        return tuple(_chance(told, Fraction(weight), whole, exact) for told, weight in by_share)

    several = any(len(told) > 1 for told in outcomes)
    return Odds(
        search.orders,
        exact,
        ways,
        chances(outcomes),
        chances(each) if several else (),
        chances(stops),
        tuple(search.assumed),
    )


def _in_order(told: Told) -> list[tuple[int, str]]:
    """Sentences by their words, numbers in them by their size."""
    parts = [part for sentence in told for part in re.split(r"(\d+)", sentence)]
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


def _chance(told: Told, weight: Fraction, whole: Fraction, exact: bool) -> Chance:
    share = weight / whole
    low, high = (float(share), float(share)) if exact else wilson(int(weight), int(whole))
    return Chance(told, share, low, high)
