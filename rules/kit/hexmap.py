"""What the tables of a hex map have in common, whatever its game: lists in one text, names, roads, regions, grids.

What only looks alike stays with its game: the letters of the ground, what water does, what a chart costs.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Annotated, ClassVar, Literal

from pydantic import BeforeValidator, Field

from rules.kit.data import Row
from rules.kit.hexes import Grid

Way = Literal["road", "rail"]


def split(text: object) -> object:
    """A text as its words; what is a tuple already stays."""
    return tuple(text.split()) if isinstance(text, str) else text


def whole(text: object) -> object:
    """A text as whole numbers, `-` for 0. ValueError for anything else."""
    words = split(text)
    if isinstance(words, tuple) and all(isinstance(word, str) for word in words):
        bad = next((word for word in words if not re.fullmatch(r"-|[0-9]{1,3}", word)), None)
        if bad is not None:
            raise ValueError(f"{bad} is no whole number")
        return tuple(0 if word == "-" else int(word) for word in words)
    return words


Words = Annotated[tuple[str, ...], BeforeValidator(split)]
"""Hexes, hexsides, units: written as one text with blanks between."""
Numbers = Annotated[tuple[int, ...], BeforeValidator(whole)]
"""Whole numbers, written the same way."""


class Name(Row):
    """What is written into a hex."""

    talk: ClassVar[frozenset[str]] = frozenset({"name"})

    id: str
    name: str = Field(min_length=1)


class LineRow(Row):
    """A road or railroad through neighbouring hexes; it crosses the hexsides between them."""

    talk: ClassVar[frozenset[str]] = frozenset({"name"})

    id: str
    way: Way
    hexes: Words = Field(min_length=2)
    name: str = ""


class Region(Row):
    """Hexes that a rule names together."""

    id: str
    hexes: Words


@lru_cache(maxsize=16)
def measured(columns: tuple[int, int], rows: tuple[int, int], low: Literal["even", "odd"], prefix: str = "") -> Grid:
    """A grid, measured once and not for every table that is checked: it may have two thousand hexes."""
    return Grid(columns, rows, low, prefix)
