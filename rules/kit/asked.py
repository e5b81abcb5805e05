"""Tables of which most entries are never wanted: each is worked out when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Asked(dict[K, V]):
    """`table[key]` is `make(key)`, once. Whatever `make` looks at never changes while the table is used."""

    def __init__(self, make: Callable[[K], V]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: K) -> V:
        found = self[key] = self._make(key)
        return found
