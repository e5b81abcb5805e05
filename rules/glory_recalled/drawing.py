"""The two sheets of the map, with what stands on them.

Numbers here are map units and serve drawing only; places come from the data, coasts from `coast`.
What a colour shows, a letter, a shape or a pattern shows too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import cos, hypot, pi, sin

from pbem.api import Area, Arrow, Counter, Label, Line, Mark, Picture
from rules.glory_recalled import terms
from rules.glory_recalled.coast import COASTS
from rules.glory_recalled.rows import Box, Half, Space, Terrain
from rules.glory_recalled.seen import Moved, Piece, Seen
from rules.glory_recalled.sheet import text

Point = tuple[float, float]

WIDTH = 100.0
HEIGHTS: Mapping[Half, float] = {"kowloon": 103.5, "island": 86.0}
TITLES: Mapping[Half, str] = {"kowloon": "Kowloon and the New Territories", "island": "Hong Kong Island"}
DISC = 3.1  # radius of a space
COUNTER = 3.0
SMALL = 2.3
BOX = (11.6, 6.2)  # a landing box: eight counters and a leader
TRACK = 60  # the last box of the date and point track

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
LEGEND: tuple[tuple[str, str], ...] = (
    ("counter:japan-228", "228th Regiment"),
    ("counter:japan-229", "229th Regiment"),
    ("counter:japan-230", "230th Regiment"),
    ("counter:japan-66", "66th, reserve"),
    ("counter:japan-leader", "Japan's leader"),
    ("counter:british", "British unit"),
    ("counter:british-gun", "Machine guns"),
    ("counter:british-hidden", "British unseen"),
    ("counter:british-dummy", "British dummy"),
    ("counter:british-leader", "British leader"),
    ("counter:flag", "J Japan holds"),
    ("line:major", "Road 1 MP"),
    ("line:minor", "Path 2 MP"),
    ("area:ground-clear", "Clear +2"),
    ("area:ground-brown", "Start +2"),
    ("area:ground-reservoir", "R reservoir +2"),
    ("area:ground-urban", "U urban +3"),
    ("area:ground-pier", "P pier +3"),
    ("line:dotted", "L the Line +3"),
    ("area:gun", "B battery +4"),
    ("area:gun-grey", "G grey gun +4"),
    ("line:crossed", "Destroyed +2"),
    ("area:ground-hq", "HQ"),
    ("area:objective", "* objective"),
    ("area:fort", "Fortified +5"),
    ("area:landing-box", "Landing box"),
    ("area:beachhead", "Beachhead"),
)
"""Every sign that can stand on a sheet; a sheet lists those that it shows. Words are short: three columns of them."""

SIGNS: Mapping[str, str] = {
    "disrupted": "Disrupted",
    "spent": "Spent",
    "out of supply": "No supply",
    "replacement": "Replacement",
}
"""Signs on counters, each by its first letter."""


def pictures(s: Seen) -> tuple[Picture, ...]:
    """Both sheets, the mainland first; a sheet without spaces is left out."""
    halves: tuple[Half, ...] = ("kowloon", "island")
    return tuple(picture(s, half) for half in halves if s.board.spaces_in(half))


def picture(s: Seen, half: Half) -> Picture:
    """One sheet."""
    drawn = tuple(marks(s, half))
    return Picture(
        name=half,
        title=f"{TITLES[half]}, {terms.date(s.turn)}",
        width=WIDTH,
        height=HEIGHTS[half],
        marks=drawn,
        text=text(s, half),
        legend=tuple(legend(drawn)),
    )


def legend(drawn: Iterable[Mark]) -> Iterator[tuple[str, str]]:
    """The signs that a sheet shows, in words."""
    shown: set[str] = set()
    for mark in drawn:
        if isinstance(mark, Counter):
            shown.update((f"counter:{mark.side}", *mark.marks))
        elif isinstance(mark, Area | Line):
            shown.add(f"{type(mark).__name__.lower()}:{mark.style}")
    yield from (entry for entry in LEGEND if entry[0] in shown)
    yield from ((word[0].upper(), meaning) for word, meaning in SIGNS.items() if word in shown)


def marks(s: Seen, half: Half) -> Iterator[Mark]:
    """From back to front: sea and coasts, links, spaces, moves, counters, names."""
    yield Area(_rectangle((WIDTH / 2, HEIGHTS[half] / 2), WIDTH, HEIGHTS[half]), "sea")
    for name, coast in COASTS[half]:
        yield Area(tuple((x / 10, y / 10) for x, y in coast), "land", name)
    for name, x, y in SEAS[half]:
        yield Label(x, y, name, "sea", 1.3)
    for name, x, y in LANDS[half]:
        yield Label(x, y, name, "region", 1.6)
    ids = s.board.spaces_in(half)
    boxes = [box for box in s.board.boxes.values() if box.space in ids]
    yield from _links(s, ids)
    yield from _crossings(s, boxes)
    for id in ids:
        yield from _space(s, s.board.spaces[id])
    for box in boxes:
        yield from _box(s, box)
    for moved in s.moves:
        yield from _arrows(s, moved, ids)
    for id in ids:
        yield from _pieces(s, s.board.spaces[id])
    for id in ids:
        yield from _names(s.board.spaces[id])
    for box in boxes:
        yield from _leaders(s, box)
    for id in ids:
        yield from _leaders(s, s.board.spaces[id])
    if half == "kowloon":
        yield from _track(s)


# --- shapes ---


def _middle(space: Space | Box) -> Point:
    return space.at[0] / 10, space.at[1] / 10


def _rectangle(middle: Point, width: float, height: float) -> tuple[Point, ...]:
    (x, y), w, h = middle, width / 2, height / 2
    return (x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)


def _disc(middle: Point, radius: float, corners: int = 8) -> tuple[Point, ...]:
    turns = [2 * pi * n / corners for n in range(corners)]
    return tuple((middle[0] + radius * cos(turn), middle[1] + radius * sin(turn)) for turn in turns)


def _wall(middle: Point, radius: float) -> tuple[Point, ...]:
    """A round wall with battlements."""
    points = []
    for n in range(48):
        r = radius * (1.16 if n % 4 < 2 else 1.0)
        turn = 2 * pi * (n - n % 2 * 0.5) / 48
        points.append((middle[0] + r * cos(turn), middle[1] + r * sin(turn)))
    return tuple(points)


def _star(middle: Point, radius: float) -> tuple[Point, ...]:
    spokes = [(2 * pi * n / 10 - pi / 2, radius if n % 2 == 0 else 0.42 * radius) for n in range(10)]
    return tuple((middle[0] + r * cos(turn), middle[1] + r * sin(turn)) for turn, r in spokes)


GUN: tuple[Point, ...] = (
    *((-1.0, 0.5), (-0.75, 0.1), (-0.2, 0.0), (1.25, -0.85), (1.4, -0.6), (0.35, 0.1)),
    *((0.6, 0.4), (0.5, 0.75), (0.2, 0.9), (-0.1, 0.75), (-0.2, 0.5)),
)


# --- what is printed ---


def _links(s: Seen, ids: Iterable[str]) -> Iterator[Mark]:
    """Paths below roads, each drawn once."""
    drawn = [(a, link.to, link.way) for a in ids for link in s.board.links(a) if a < link.to]
    for a, b, way in sorted(drawn, key=lambda link: link[2]):
        ends = (_middle(s.board.spaces[a]), _middle(s.board.spaces[b]))
        name = f"{'major road' if way == 'road' else 'minor path'} {a}-{b}"
        yield Line(ends, "major" if way == "road" else "minor", name)


def _crossings(s: Seen, boxes: Iterable[Box]) -> Iterator[Mark]:
    """Which space a landing box leads to."""
    for box in boxes:
        yield Line((_middle(box), _middle(s.board.spaces[box.space])), "crossing", f"box {box.id} leads to {box.space}")


def _space(s: Seen, space: Space) -> Iterator[Mark]:
    """The disc of a space, with walls, ring and gun."""
    middle = _middle(space)
    name = ", ".join((f"{space.id} {space.name}: {terms.ground(space)}", f"+{terms.bonus(s, space.id)}"))
    if space.id in s.forts:
        yield Area(_wall(middle, DISC + 0.45), "fort", f"{space.id}: Fortified")
    if space.objective:
        yield Area(_disc(middle, DISC + 0.42), "objective", f"{space.id}: objective")
    style = "brown" if space.brown else space.terrain
    yield Area(_disc(middle, DISC), f"ground-{style}", name)
    if "gdl" in space.kinds:
        yield Line((*_disc(middle, DISC, 12), (middle[0] + DISC, middle[1])), "dotted", name)
    if space.objective:
        yield Area(
            _star((middle[0] + 0.86 * DISC, middle[1] + 0.86 * DISC), 1.1), "objective", f"{space.id}: objective"
        )
    if space.battery:
        yield from _gun(s, space)


def _gun(s: Seen, space: Space) -> Iterator[Mark]:
    """The artillery symbol beside a battery, crossed out when it is destroyed."""
    x, y = _middle(space)
    x, y = x - 1.18 * DISC, y + 0.5 * DISC
    grey = "heavy_battery" in space.kinds
    state = "destroyed" if space.id in s.destroyed else f"{terms.SEATS.get(s.control.get(space.id, ''), '')} battery"
    style = "gun-grey" if grey else "gun"
    yield Area(tuple((x + 0.95 * dx, y + 0.95 * dy) for dx, dy in GUN), style, f"{space.id}: {state.strip()}")
    if space.id in s.destroyed:
        for way in (1, -1):
            yield Line(((x - 1.2, y - 1.0 * way), (x + 1.2, y + 1.0 * way)), "crossed", f"{space.id}: destroyed")


def _names(space: Space) -> Iterator[Mark]:
    """The code with the letters of the ground above a space, its name below."""
    x, y = _middle(space)
    letters = "".join(f" {LETTERS[kind]}" for kind in (space.terrain, *space.also) if LETTERS[kind])
    yield Label(x - 0.35 * DISC, y - 0.72 * DISC, f"{space.id}{letters}", "code", 1.12)
    for n, line in enumerate(_two_lines(space.name)):
        yield Label(x, y + DISC + 1.25 + 1.2 * n, line, "space", 1.2)


def _two_lines(name: str) -> Sequence[str]:
    """A long name in two lines of like length."""
    words = name.split()
    if len(name) <= 12 or len(words) == 1:
        return (name,)
    cut = min(range(1, len(words)), key=lambda n: abs(len(" ".join(words[:n])) - len(" ".join(words[n:]))))
    return " ".join(words[:cut]), " ".join(words[cut:])


def _box(s: Seen, box: Box) -> Iterator[Mark]:
    """A landing box with its name and whoever waits in it."""
    x, y = _middle(box)
    yield Area(_rectangle((x, y), *BOX), "landing-box", f"landing box {box.id} {box.name}, leads to {box.space}")
    pieces = s.at(box.id)
    yield Label(x, y - 1.75 if pieces else y + 0.45, f"{box.id} {box.name}", "code", 1.2)
    units = [piece for piece in pieces if piece.what != "leader"]
    for n, piece in enumerate(units):
        spot = (x + (n % 4 - 1.5) * 2.5, y - 0.05 + 2.1 * (n // 4)) if len(units) > 4 else (x + (n - 1.5) * 2.5, y + 1)
        yield _counter(s, piece, spot, 2.1, box.id)


# --- what stands there ---


def _style(s: Seen, piece: Piece) -> str:
    """The look of a counter."""
    if piece.what == "leader":
        return f"{piece.seat}-leader"
    if piece.what in ("hidden", "dummy"):
        return f"{piece.seat}-{piece.what}" if piece.seat == "british" else piece.seat
    unit = s.board.units.get(piece.name)
    if unit is None:
        return piece.seat
    if piece.seat == "japan":
        return f"japan-{unit.formation}" if f"counter:japan-{unit.formation}" in dict(LEGEND) else "japan"
    return "british-gun" if unit.machine_gun and not piece.disrupted else "british"


def _counter(s: Seen, piece: Piece, spot: Point, size: float, place: str) -> Counter:
    value = "?" if piece.what == "hidden" else "-" if piece.strength is None else str(piece.strength)
    name = "" if piece.what == "hidden" else "dummy" if piece.what == "dummy" else piece.name
    title = f"{terms.full(piece)}, in {terms.place(s, place)}"
    return Counter(*spot, _style(s, piece), value, name, title, 0, size, terms.conditions(piece))


def _pieces(s: Seen, space: Space) -> Iterator[Mark]:
    """Counters: two side by side, more of them smaller; where nobody stands, who controls the space."""
    x, y = _middle(space)
    pieces = s.at(space.id)
    crowd = [piece for piece in pieces if piece.what != "leader"]
    if space.id in s.beachheads:
        yield Area(_rectangle((x, y + 0.2), 11.4, 5.4), "beachhead", f"{space.id}: Beachhead")
        yield Label(x + 3.6, y + 3.2, "Beachhead", "code", 1.0)
    for piece, (dx, dy), size in _arranged(crowd, space.id in s.beachheads):
        yield _counter(s, piece, (x + dx, y + dy), size, space.id)
    if not pieces and s.control.get(space.id) == "japan" and not space.brown:
        marker = "Japanese control marker" if space.id in s.markers else "under Japanese control"
        yield Counter(x, y, "flag", "J", "", f"{marker}, {terms.place(s, space.id)}", 0, 2.4)


def _leaders(s: Seen, place: Space | Box) -> Iterator[Mark]:
    """Leaders, at the upper right of a space or box and above its name."""
    x, y = _middle(place)
    dx, dy = (0.5 * BOX[0], 0.5 * BOX[1]) if isinstance(place, Box) else (0.95 * DISC, 0.75 * DISC)
    for piece in s.at(place.id):
        if piece.what == "leader":
            yield _counter(s, piece, (x + dx, y - dy), SMALL + 0.3, place.id)


def _arranged(crowd: Sequence[Piece], beachhead: bool) -> Iterator[tuple[Piece, Point, float]]:
    """Where each counter lies, from the middle of the space, and how large."""
    n = len(crowd)
    if n <= 2:
        for i, piece in enumerate(crowd):
            yield piece, ((i - (n - 1) / 2) * (COUNTER + 0.15), 0.25), COUNTER
        return
    across = 4 if beachhead or n > 4 else 2 if n == 4 else 3
    size = SMALL if n <= 8 else 2.0
    down = (n - 1) // across + 1
    for i, piece in enumerate(crowd):
        row, column = divmod(i, across)
        wide = min(across, n - row * across)
        yield piece, ((column - (wide - 1) / 2) * (size + 0.35), (row - (down - 1) / 2) * (size + 0.35) + 0.3), size


def _arrows(s: Seen, moved: Moved, ids: Iterable[str]) -> Iterator[Mark]:
    """An arrow for every space entered on this sheet, a single one where a way is by sea."""
    here = set(ids) | {box.id for box in s.board.boxes.values() if box.space in ids}
    places: dict[str, Space | Box] = {**s.board.spaces, **s.board.boxes}
    for a, b in zip(moved.spaces, moved.spaces[1:], strict=False):
        if a in here and b in here:
            title = f"{terms.SEATS[moved.seat]} {moved.how} from {terms.place(s, a)} to {terms.place(s, b)}"
            start, end = _clear_of(_middle(places[a]), _middle(places[b]))
            yield Arrow(*start, *end, moved.how, title)


def _clear_of(start: Point, end: Point) -> tuple[Point, Point]:
    """Both ends drawn back to the rims of their spaces."""
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    back = min(DISC / length, 0.3)
    dx, dy = (end[0] - start[0]) * back, (end[1] - start[1]) * back
    return (start[0] + dx, start[1] + dy), (end[0] - dx, end[1] - dy)


def _track(s: Seen) -> Iterator[Mark]:
    """The track of points and dates, with both points and the turn. [3.2d]"""
    wide = (WIDTH - 3) / (TRACK + 1)
    y = HEIGHTS["kowloon"] - 2.2
    yield Area(_rectangle((WIDTH / 2, y - 2.3), WIDTH, 9.2), "cell", "date and point track")
    top, bottom = y - 0.4, y + 1.5
    walls: list[Point] = []  # down and up in one stroke: sixty boxes are sixty shapes otherwise
    for n in range(TRACK + 2):
        x = 1.5 + wide * n
        walls += [(x, top), (x, bottom)] if n % 2 == 0 else [(x, bottom), (x, top)]
    yield Area(_rectangle((WIDTH / 2, (top + bottom) / 2), WIDTH - 3, bottom - top), "cell", f"boxes 0 to {TRACK}")
    yield Line(tuple(walls), "cells", f"boxes 0 to {TRACK}")
    for n in range(TRACK + 1):
        yield Label(1.5 + wide * (n + 0.5), y + 0.9, str(n), "cell", 0.95)
    shown = [("track", 2 * s.turn, "T", f"turn marker: {terms.date(s.turn)}")]
    for seat, letter in (("japan", "J"), ("british", "B")):
        halves = s.points.get(seat, 0)
        said = f"{terms.SEATS[seat]} victory points: {terms.points(halves)}"
        shown.append((f"track-{seat}", halves, f"{letter}\u00bd" if halves % 2 else letter, said))
    for n, (style, halves, letter, title) in enumerate(shown):
        x = 1.5 + wide * (min(max(halves // 2, 0), TRACK) + 0.5)
        yield Counter(x, y - 1.6 - 2.1 * n, style, letter, "", title, 0, 1.9)
