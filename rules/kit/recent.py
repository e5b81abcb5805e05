"""Functions that remember what they made last."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def recent(size: int) -> Callable[[Callable[[K], V]], Callable[[K], V]]:
    """For a function of one value that `==` compares but nothing can hash: its last results, by equal values."""

    def remembering(make: Callable[[K], V]) -> Callable[[K], V]:
        made: list[tuple[K, V]] = []

        @wraps(make)
        def remembered(key: K) -> V:
            for known, value in made:
                if known is key or known == key:
                    return value
            value = make(key)
            made.insert(0, (key, value))
            del made[size:]
            return value

        return remembered

    return remembering
