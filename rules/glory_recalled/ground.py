"""What is printed on the two sheets of the map: coasts, links, spaces, names and the track.

Numbers here are map units and serve drawing only; places come from the data, coasts from `coast`.
A board is drawn once: its marks are the same objects from one picture to the next, and a replay draws hundreds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import cos, pi, sin

from pbem.api import Area, Label, Line, Mark
from rules.glory_recalled import terms
from rules.glory_recalled.coast import COASTS
from rules.glory_recalled.components import Board
from rules.glory_recalled.rows import Box, Half, Space, Terrain

Point = tuple[float, float]

WIDTH = 100.0
HEIGHTS: Mapping[Half, float] = {"kowloon": 103.5, "island": 86.0}
DISC = 3.1  # radius of a space
BOX = (11.6, 6.2)  # a landing box: eight counters and a leader
TRACK = 60  # the last box of the date and point track
SHEETS = 16
"""So many sheets are kept: two for a board."""
LOOKS = 1024
"""So many spaces are kept as they look: with a marker, destroyed, held by one side or the other."""

LETTERS: Mapping[Terrain, str] = {
    "clear": "",
    "urban": "U",
    "pier": "P",
    "gdl": "L",
    "battery": "B",
    "heavy_battery": "G",
    "reservoir": "R",
    "hq": "HQ",
}
"""What stands behind the code of a space."""

SEAS: Mapping[Half, tuple[tuple[str, float, float], ...]] = {
    "kowloon": (("TOLO HARBOUR", 72, 4), ("VICTORIA HARBOUR", 27, 84)),
    "island": (("EAST LAMMA CHANNEL", 42, 74),),
}
LANDS: Mapping[Half, tuple[tuple[str, float, float], ...]] = {
    "kowloon": (("NEW TERRITORIES", 15, 10),),
    "island": (("KOWLOON", 38, 2.6), ("LAMMA", 8, 72)),
}


@lru_cache(SHEETS)
def below(board: Board, half: Half) -> tuple[Mark, ...]:
    """From back to front: sea and coasts, links, and which space a landing box leads to."""
    return tuple(_below(board, half))


@lru_cache(LOOKS)
def space(board: Board, id: str, bonus: int, fort: bool, destroyed: bool, holder: str) -> tuple[Mark, ...]:
    """The disc of a space as it is now, with walls, ring and gun."""
    return tuple(_space(board.spaces[id], bonus, fort, destroyed, holder))


@lru_cache(SHEETS)
def names(board: Board, half: Half) -> tuple[Mark, ...]:
    """The code with the letters of the ground above each space, its name below."""
    return tuple(label for id in board.spaces_in(half) for label in _names(board.spaces[id]))


@lru_cache(SHEETS)
def boxes(board: Board, half: Half) -> tuple[Box, ...]:
    """The landing boxes of a sheet."""
    return tuple(box for box in board.boxes.values() if board.spaces[box.space].half == half)


# --- shapes ---


def middle(place: Space | Box) -> Point:
    """Where a space or box lies."""
    return place.at[0] / 10, place.at[1] / 10


def rectangle(at: Point, width: float, height: float) -> tuple[Point, ...]:
    """The corners of a rectangle round a point."""
    (x, y), w, h = at, width / 2, height / 2
    return (x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)


def _disc(at: Point, radius: float, corners: int = 8) -> tuple[Point, ...]:
    turns = [2 * pi * n / corners for n in range(corners)]
    return tuple((at[0] + radius * cos(turn), at[1] + radius * sin(turn)) for turn in turns)


def _wall(at: Point, radius: float) -> tuple[Point, ...]:
    """A round wall with battlements."""
    points = []
    for n in range(48):
        r = radius * (1.16 if n % 4 < 2 else 1.0)
        turn = 2 * pi * (n - n % 2 * 0.5) / 48
        points.append((at[0] + r * cos(turn), at[1] + r * sin(turn)))
    return tuple(points)


def _star(at: Point, radius: float) -> tuple[Point, ...]:
    spokes = [(2 * pi * n / 10 - pi / 2, radius if n % 2 == 0 else 0.42 * radius) for n in range(10)]
    return tuple((at[0] + r * cos(turn), at[1] + r * sin(turn)) for turn, r in spokes)


GUN: tuple[Point, ...] = (
    *((-1.0, 0.5), (-0.75, 0.1), (-0.2, 0.0), (1.25, -0.85), (1.4, -0.6), (0.35, 0.1)),
    *((0.6, 0.4), (0.5, 0.75), (0.2, 0.9), (-0.1, 0.75), (-0.2, 0.5)),
)


# --- what is printed ---


def _below(board: Board, half: Half) -> Iterator[Mark]:
    yield Area(rectangle((WIDTH / 2, HEIGHTS[half] / 2), WIDTH, HEIGHTS[half]), "sea")
    for name, coast in COASTS[half]:
        yield Area(tuple((x / 10, y / 10) for x, y in coast), "land", name)
    for name, x, y in SEAS[half]:
        yield Label(x, y, name, "sea", 1.3)
    for name, x, y in LANDS[half]:
        yield Label(x, y, name, "region", 1.6)
    yield from _links(board, half)
    for box in boxes(board, half):
        ends = (middle(box), middle(board.spaces[box.space]))
        yield Line(ends, "crossing", f"box {box.id} leads to {box.space}")


def _links(board: Board, half: Half) -> Iterator[Mark]:
    """Paths below roads, each drawn once."""
    drawn = [(a, link.to, link.way) for a in board.spaces_in(half) for link in board.links(a) if a < link.to]
    for a, b, way in sorted(drawn, key=lambda link: link[2]):
        ends = (middle(board.spaces[a]), middle(board.spaces[b]))
        name = f"{'major road' if way == 'road' else 'minor path'} {a}-{b}"
        yield Line(ends, "major" if way == "road" else "minor", name)


def _space(one: Space, bonus: int, fort: bool, destroyed: bool, holder: str) -> Iterator[Mark]:
    at = middle(one)
    name = f"{one.id} {one.name}: {terms.ground(one)}, +{bonus}"
    if fort:
        yield Area(_wall(at, DISC + 0.45), "fort", f"{one.id}: Fortified")
    if one.objective:
        yield Area(_disc(at, DISC + 0.42), "objective", f"{one.id}: objective")
    yield Area(_disc(at, DISC), f"ground-{'brown' if one.brown else one.terrain}", name)
    if "gdl" in one.kinds:
        yield Line((*_disc(at, DISC, 12), (at[0] + DISC, at[1])), "dotted", name)
    if one.objective:
        yield Area(_star((at[0] + 0.86 * DISC, at[1] + 0.86 * DISC), 1.1), "objective", f"{one.id}: objective")
    if one.battery:
        yield from _gun(one, destroyed, holder)


def _gun(one: Space, destroyed: bool, holder: str) -> Iterator[Mark]:
    """The artillery symbol beside a battery, crossed out when it is destroyed."""
    x, y = middle(one)
    x, y = x - 1.18 * DISC, y + 0.5 * DISC
    state = "destroyed" if destroyed else f"{terms.SEATS.get(holder, '')} battery".strip()
    style = "gun-grey" if "heavy_battery" in one.kinds else "gun"
    yield Area(tuple((x + 0.95 * dx, y + 0.95 * dy) for dx, dy in GUN), style, f"{one.id}: {state}")
    if destroyed:
        for way in (1, -1):
            yield Line(((x - 1.2, y - 1.0 * way), (x + 1.2, y + 1.0 * way)), "crossed", f"{one.id}: destroyed")


def _names(one: Space) -> Iterator[Mark]:
    x, y = middle(one)
    letters = "".join(f" {LETTERS[kind]}" for kind in (one.terrain, *one.also) if LETTERS[kind])
    yield Label(x - 0.35 * DISC, y - 0.72 * DISC, f"{one.id}{letters}", "code", 1.12)
    for n, line in enumerate(_two_lines(one.name)):
        yield Label(x, y + DISC + 1.25 + 1.2 * n, line, "space", 1.2)


def _two_lines(name: str) -> Sequence[str]:
    """A long name in two lines of like length."""
    words = name.split()
    if len(name) <= 12 or len(words) == 1:
        return (name,)
    cut = min(range(1, len(words)), key=lambda n: abs(len(" ".join(words[:n])) - len(" ".join(words[n:]))))
    return " ".join(words[:cut]), " ".join(words[cut:])


@lru_cache(1)
def track() -> tuple[Mark, ...]:
    """The track of points and dates. [3.2d]"""
    wide = (WIDTH - 3) / (TRACK + 1)
    y = HEIGHTS["kowloon"] - 2.2
    top, bottom = y - 0.4, y + 1.5
    walls: list[Point] = []  # down and up in one stroke: sixty boxes are sixty shapes otherwise
    for n in range(TRACK + 2):
        x = 1.5 + wide * n
        walls += [(x, top), (x, bottom)] if n % 2 == 0 else [(x, bottom), (x, top)]
    inside = rectangle((WIDTH / 2, (top + bottom) / 2), WIDTH - 3, bottom - top)
    return (
        Area(rectangle((WIDTH / 2, y - 2.3), WIDTH, 9.2), "cell", "date and point track"),
        Area(inside, "cell", f"boxes 0 to {TRACK}"),
        Line(tuple(walls), "cells", f"boxes 0 to {TRACK}"),
        *(Label(1.5 + wide * (n + 0.5), y + 0.9, str(n), "cell", 0.95) for n in range(TRACK + 1)),
    )


def on_track(halves: int) -> Point:
    """The middle of the box for so many halves of a point."""
    wide = (WIDTH - 3) / (TRACK + 1)
    return 1.5 + wide * (min(max(halves // 2, 0), TRACK) + 0.5), HEIGHTS["kowloon"] - 2.2
