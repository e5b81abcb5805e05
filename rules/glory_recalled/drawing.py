"""The two sheets of the map, with what stands on them; what is printed stands in `ground`.

What a colour shows, a letter, a shape or a pattern shows too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from math import hypot

from pbem.api import Area, Arrow, Counter, Label, Line, Mark, Picture
from rules.glory_recalled import ground, terms
from rules.glory_recalled.components import Board
from rules.glory_recalled.ground import BOX, DISC, HEIGHTS, WIDTH, Point, middle, rectangle
from rules.glory_recalled.rows import Box, Half, Space
from rules.glory_recalled.seen import Moved, Piece, Seen
from rules.glory_recalled.sheet import text

TITLES: Mapping[Half, str] = {"kowloon": "Kowloon and the New Territories", "island": "Hong Kong Island"}
COUNTER = 3.0
SMALL = 2.3

LEGEND: Mapping[str, str] = {
    "counter:japan-228": "228th Regiment",
    "counter:japan-229": "229th Regiment",
    "counter:japan-230": "230th Regiment",
    "counter:japan-66": "66th, reserve",
    "counter:japan-leader": "Japan's leader",
    "counter:british": "British unit",
    "counter:british-gun": "Machine guns",
    "counter:british-hidden": "British unseen",
    "counter:british-dummy": "British dummy",
    "counter:british-leader": "British leader",
    "counter:flag": "J Japan holds",
    "line:major": "Road 1 MP",
    "line:minor": "Path 2 MP",
    "area:ground-clear": "Clear +2",
    "area:ground-brown": "Start +2",
    "area:ground-reservoir": "R reservoir +2",
    "area:ground-urban": "U urban +3",
    "area:ground-pier": "P pier +3",
    "line:dotted": "L the Line +3",
    "shape:gun": "B battery +4",
    "shape:gun-grey": "G grey gun +4",
    "line:crossed": "Destroyed +2",
    "area:ground-hq": "HQ",
    "shape:objective": "* objective",
    "shape:fort": "Fortified +5",
    "area:landing-box": "Landing box",
    "area:beachhead": "Beachhead",
}
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
        still=((0, len(ground.below(s.board, half))),),
    )


def legend(drawn: Iterable[Mark]) -> Iterator[tuple[str, str]]:
    """The signs that a sheet shows, in words."""
    shown: set[str] = set()
    for mark in drawn:
        if isinstance(mark, Counter):
            shown.update((f"counter:{mark.side}", *mark.marks))
        elif isinstance(mark, Area | Line):
            shown.add(f"{type(mark).__name__.lower()}:{mark.style}")
    yield from ((sign, meaning) for sign, meaning in LEGEND.items() if sign.replace("shape:", "area:") in shown)
    yield from ((word[0].upper(), meaning) for word, meaning in SIGNS.items() if word in shown)


def marks(s: Seen, half: Half) -> Iterator[Mark]:
    """From back to front: what is printed, moves, counters, names."""
    ids, boxes = s.board.spaces_in(half), ground.boxes(s.board, half)
    yield from ground.below(s.board, half)
    for id in ids:
        battery = s.board.spaces[id].battery
        holder, destroyed = (s.control.get(id, ""), id in s.destroyed) if battery else ("", False)
        yield from ground.space(s.board, id, terms.bonus(s, id), id in s.forts, destroyed, holder)
    for box in boxes:
        yield from _box(s, box)
    for moved in s.moves:
        yield from _arrows(s, moved, ids)
    for id in ids:
        yield from _pieces(s, s.board.spaces[id])
    yield from ground.names(s.board, half)
    for box in boxes:
        yield from _leaders(s, box)
    for id in ids:
        yield from _leaders(s, s.board.spaces[id])
    if half == "kowloon":
        yield from ground.track()
        yield from _on_track(s)


# --- what stands there ---


def _box(s: Seen, box: Box) -> Iterator[Mark]:
    """A landing box with its name and whoever waits in it."""
    x, y = middle(box)
    yield Area(rectangle((x, y), *BOX), "landing-box", f"landing box {box.id} {box.name}, leads to {box.space}")
    pieces = s.at(box.id)
    yield Label(x, y - 1.75 if pieces else y + 0.45, f"{box.id} {box.name}", "code", 1.2)
    units = [piece for piece in pieces if piece.what != "leader"]
    for n, piece in enumerate(units):
        spot = (x + (n % 4 - 1.5) * 2.5, y - 0.05 + 2.1 * (n // 4)) if len(units) > 4 else (x + (n - 1.5) * 2.5, y + 1)
        yield _counter(s.board, piece, spot, 2.1, box.id)


def _style(board: Board, piece: Piece) -> str:
    """The look of a counter."""
    if piece.what == "leader":
        return f"{piece.seat}-leader"
    if piece.what in ("hidden", "dummy"):
        return f"{piece.seat}-{piece.what}" if piece.seat == "british" else piece.seat
    unit = board.units.get(piece.name)
    if unit is None:
        return piece.seat
    if piece.seat == "japan":
        return f"japan-{unit.formation}" if f"counter:japan-{unit.formation}" in LEGEND else "japan"
    return "british-gun" if unit.machine_gun and not piece.disrupted else "british"


@lru_cache(terms.PIECES)
def _counter(board: Board, piece: Piece, spot: Point, size: float, place: str) -> Counter:
    value = "?" if piece.what == "hidden" else "-" if piece.strength is None else str(piece.strength)
    name = "" if piece.what == "hidden" else "dummy" if piece.what == "dummy" else piece.name
    title = f"{terms.full(piece)}, in {terms.place(board, place)}"
    return Counter(*spot, _style(board, piece), value, name, title, 0, size, terms.conditions(piece))


def _pieces(s: Seen, space: Space) -> Iterator[Mark]:
    """Counters: two side by side, more of them smaller; where nobody stands, who controls the space."""
    x, y = middle(space)
    pieces = s.at(space.id)
    crowd = [piece for piece in pieces if piece.what != "leader"]
    if space.id in s.beachheads:
        yield Area(rectangle((x, y + 0.4), 11.4, 6.0), "beachhead", f"{space.id}: Beachhead")
        yield Label(x + 2.6, y + 3.5, "Beachhead", "code", 1.0)
    for piece, (dx, dy), size in _arranged(crowd, space.id in s.beachheads):
        yield _counter(s.board, piece, (x + dx, y + dy), size, space.id)
    if not pieces and s.control.get(space.id) == "japan" and not space.brown:
        marker = "Japanese control marker" if space.id in s.markers else "under Japanese control"
        yield Counter(x, y, "flag", "J", "", f"{marker}, {terms.place(s.board, space.id)}", 0, 2.4)


def _leaders(s: Seen, place: Space | Box) -> Iterator[Mark]:
    """Leaders, at the upper right of a space or box and above its name."""
    x, y = middle(place)
    dx, dy = (0.5 * BOX[0], 0.5 * BOX[1]) if isinstance(place, Box) else (0.95 * DISC, 0.75 * DISC)
    for piece in s.at(place.id):
        if piece.what == "leader":
            yield _counter(s.board, piece, (x + dx, y - dy), SMALL + 0.3, place.id)


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
    lower = 0.7 if beachhead else 0.3  # clear of the code above
    for i, piece in enumerate(crowd):
        row, column = divmod(i, across)
        wide = min(across, n - row * across)
        yield piece, ((column - (wide - 1) / 2) * (size + 0.35), (row - (down - 1) / 2) * (size + 0.35) + lower), size


def _arrows(s: Seen, moved: Moved, ids: Iterable[str]) -> Iterator[Mark]:
    """An arrow for every space entered on this sheet, a single one where a way is by sea."""
    here = set(ids) | {box.id for box in s.board.boxes.values() if box.space in ids}
    places: dict[str, Space | Box] = {**s.board.spaces, **s.board.boxes}
    for a, b in zip(moved.spaces, moved.spaces[1:], strict=False):
        if a in here and b in here:
            title = f"{terms.SEATS[moved.seat]} {moved.how} from {terms.place(s.board, a)} to {terms.place(s.board, b)}"
            start, end = _clear_of(middle(places[a]), middle(places[b]))
            yield Arrow(*start, *end, moved.how, title)


def _clear_of(start: Point, end: Point) -> tuple[Point, Point]:
    """Both ends drawn back to the rims of their spaces."""
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    back = min(DISC / length, 0.3)
    dx, dy = (end[0] - start[0]) * back, (end[1] - start[1]) * back
    return (start[0] + dx, start[1] + dy), (end[0] - dx, end[1] - dy)


def _on_track(s: Seen) -> Iterator[Mark]:
    """Both points and the turn. [3.2d]"""
    shown = [("track", 2 * s.turn, "T", f"turn marker: {terms.date(s.turn)}")]
    for seat, letter in (("japan", "J"), ("british", "B")):
        halves = s.points.get(seat, 0)
        said = f"{terms.SEATS[seat]} victory points: {terms.points(halves)}"
        shown.append((f"track-{seat}", halves, f"{letter}\u00bd" if halves % 2 else letter, said))
    for n, (style, halves, letter, title) in enumerate(shown):
        x, y = ground.on_track(halves)
        yield Counter(x, y - 1.6 - 2.1 * n, style, letter, "", title, 0, 1.9)
