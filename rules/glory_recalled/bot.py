"""Sensible players for both sides, and random ones for tests."""

from __future__ import annotations

import random

from pbem.api import Ask, Known, Order
from rules.glory_recalled import sequence
from rules.glory_recalled.orders import Done, Pass
from rules.glory_recalled.state import State

RESTLESS = 25
"""Percent of questions for an action that a random player answers by stopping."""


def sample(s: State, ask: Ask, known: Known, rng: random.Random) -> Order:
    """Any of the offers; action and phase come to their end."""
    offers = list(sequence.offers(s, ask.seat, known))
    stop = next((order for order in offers if isinstance(order, Done | Pass)), None)
    if stop is not None and rng.randrange(100) < RESTLESS:
        return stop
    return rng.choice(offers)
