"""The Mapboard as a picture: sectors, rivers, roads, lines, Axes, symbols, the calendar, and who stands where.

Numbers here are map units and serve drawing only; places and outlines come from the data.
What a colour shows, a letter, a shape or a pattern shows too.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import cos, hypot, pi, sin

from pbem.api import Area, Arrow, Counter, Label, Line, Mark, Picture
from rules.field_command import terms
from rules.field_command.components import Board
from rules.field_command.rows import Army, Kind, Mode
from rules.field_command.seen import Moved, Seen, Stand
from rules.field_command.text_map import text
from rules.kit.recent import recent

Point = tuple[float, float]

WIDTH, HEIGHT = 106.0, 100.0
PIECE = 2.35
"""Size of a counter; a crowd is drawn smaller."""
SYMBOL = 0.85
CALENDAR = 96.2
AIRFIELD: Point = (13.5, 6.0)
JOHORE = (
    *((-5, -5), (111, -5), (111, 13), (103.5, 12), (98, 10.4), (92, 9), (85, 8.0), (78, 7.4), (72, 6.0)),
    *((65, 4.6), (58, 4.2), (51, 4.8), (44, 4.0), (37, 4.6), (30, 8), (25, 12.5), (19.5, 17.0), (13.5, 20.5)),
    *((9.8, 25.5), (6.6, 31), (4.0, 37), (2, 41), (-5, 44)),
)
"""The mainland across the strait."""
WATERS = (
    ("STRAIT OF JOHORE", 92.0, 15.6, 1.3),
    ("SINGAPORE STRAIT", 86.0, 90.6, 1.7),
    ("SELAT JURONG", 20.5, 62.6, 1.0),
)

LEGEND: tuple[tuple[str, str], ...] = (
    ("counter:J", "Japanese"),
    ("counter:A", "Australian"),
    ("counter:B", "British"),
    ("area:sector-J", "J holds"),
    ("area:sector-A", "A holds"),
    ("area:sector-B", "B holds"),
    ("counter:J-air", "Japan, air"),
    ("counter:B-air", "Britain, air"),
    ("area:contested", "! contested"),
    ("line:way", "Road"),
    ("line:stream", "Water +\u00bd"),
    ("shape:fort", "Fortified +\u00bd"),
    ("shape:arrow", "Axis +1"),
    ("shape:arrow-shut", "Axis, closed"),
    ("shape:star", "Objective"),
    ("shape:crate", "Supply point"),
    ("shape:runway", "Airfield"),
    ("shape:gun", "Emplacement"),
    ("shape:cut", "Road cut"),
    ("shape:bridged", "Bridged"),
    ("shape:shut", "No entry"),
)
"""Every sign that can stand on the map; it lists those that it shows."""


def picture(s: Seen) -> Picture:
    """The map with its pieces; the same for readers who see the same on it."""
    return _picture(
        replace(s, step="", reader="", supplies={}, hand=(), hands={}, events=(), battles=(), facts=(), result="")
    )


@recent(2)
def _picture(s: Seen) -> Picture:
    below, ways = _printed(s.board)
    sectors, moving = tuple(_sectors(s)), tuple(_moving(s))
    drawn = (*below, *sectors, *ways, *moving)
    above = len(below) + len(sectors)
    shown: set[str] = set()
    for mark in drawn:
        if isinstance(mark, Counter):
            shown.add(f"counter:{mark.side}")
        elif isinstance(mark, Area | Line):
            shown.add(f"{type(mark).__name__.lower()}:{mark.style}")
    return Picture(
        name="map",
        title=f"Singapore, {s.board.date(s.period)}",
        width=WIDTH,
        height=HEIGHT,
        marks=drawn,
        text=text(s),
        legend=tuple(entry for entry in LEGEND if entry[0].replace("shape:", "area:") in shown),
        still=((0, len(below)), (above, above + len(ways))),
    )


@recent(4)
def _printed(board: Board) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
    """What never changes, below the sectors and above them: sea and mainland; names of waters, rivers, roads, lines."""
    sea = Area(_rectangle((WIDTH / 2, HEIGHT / 2), WIDTH, HEIGHT), "sea")
    below = (sea, Area(JOHORE, "mainland", "Johore"), Label(44, 2.6, "JOHORE", "region", 1.7), *_crossings(board))
    names = (Label(x, y, name, "sea", size) for name, x, y, size in WATERS)
    return below, (*names, *_rivers(board), *_roads(board), *_fortified(board))


def _moving(s: Seen) -> Iterator[Mark]:
    """What changes, from back to front: borders, Axes, symbols, moves, pieces, names."""
    yield from _altered(s)
    for axis in s.board.axes:
        yield from _axis(s, axis)
    for moved in s.moves:
        yield from _moves(s, moved)
    for id in s.board.sectors:
        yield from _pieces(s, id)
    for id in s.board.sectors:
        yield from _names(s, id)
    yield from _airfield(s)
    yield from _calendar(s)


# --- shapes ---


def middle(board: Board, place: str) -> Point:
    """Where a sector or Axis lies."""
    if place == "off_map":
        return AIRFIELD
    x, y = board.sectors[place].at if place in board.sectors else board.axes[place].at
    return x / 10, y / 10


def _outline(board: Board, sector: str) -> tuple[Point, ...]:
    return tuple((x / 10, y / 10) for x, y in board.outlines.get(sector, ()))


def _rectangle(at: Point, width: float, height: float) -> tuple[Point, ...]:
    (x, y), w, h = at, width / 2, height / 2
    return (x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)


def shared(board: Board, a: str, b: str) -> tuple[Point, ...]:
    """The stretch of outline that two sectors share; () where they only look at each other across the sea."""
    outline, other = _outline(board, a), set(_outline(board, b))
    hits = [point in other for point in outline]
    if sum(hits) < 2:
        return ()
    start = next((n for n, hit in enumerate(hits) if hit and not hits[n - 1]), 0)
    turned = [*outline[start:], *outline[:start]]
    stretch = []
    for point in turned:
        if point not in other:
            break
        stretch.append(point)
    return tuple(stretch)


def _along(points: Sequence[Point], share: float) -> Point:
    """The point that lies at a share of the way along a line."""
    lengths = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(points)]
    left = share * sum(lengths)
    for (a, b), length in zip(itertools.pairwise(points), lengths, strict=True):
        if left <= length:
            part = left / length if length else 0.0
            return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part
        left -= length
    return points[-1]


def _star(at: Point, radius: float) -> tuple[Point, ...]:
    spokes = [(2 * pi * n / 10 - pi / 2, radius if n % 2 == 0 else 0.42 * radius) for n in range(10)]
    return tuple((at[0] + r * cos(turn), at[1] + r * sin(turn)) for turn, r in spokes)


def _placed(glyph: Iterable[Point], at: Point, size: float) -> tuple[Point, ...]:
    return tuple((at[0] + size * x, at[1] + size * y) for x, y in glyph)


PLANE: tuple[Point, ...] = (
    *((0, -1.15), (0.2, -0.6), (0.2, -0.3), (1.25, 0.2), (1.25, 0.5), (0.2, 0.25), (0.15, 0.75), (0.5, 1.0)),
    *((0.5, 1.2), (-0.5, 1.2), (-0.5, 1.0), (-0.15, 0.75), (-0.2, 0.25), (-1.25, 0.5), (-1.25, 0.2), (-0.2, -0.3)),
    *((-0.2, -0.6),),
)
GUN: tuple[Point, ...] = (
    *((-1.0, 0.5), (-0.75, 0.1), (-0.2, 0.0), (1.25, -0.85), (1.4, -0.6), (0.35, 0.1)),
    *((0.6, 0.4), (0.5, 0.75), (0.2, 0.9), (-0.1, 0.75), (-0.2, 0.5)),
)
CUT: tuple[Point, ...] = (
    *((0, -0.5), (0.75, -1.25), (1.25, -0.75), (0.5, 0), (1.25, 0.75), (0.75, 1.25)),
    *((0, 0.5), (-0.75, 1.25), (-1.25, 0.75), (-0.5, 0), (-1.25, -0.75), (-0.75, -1.25)),
)
BRIDGED: tuple[Point, ...] = (
    *((-1.6, -1.0), (-1.1, -1.0), (-0.9, -0.5), (0.9, -0.5), (1.1, -1.0), (1.6, -1.0)),
    *((1.6, 1.0), (1.1, 1.0), (0.9, 0.5), (-0.9, 0.5), (-1.1, 1.0), (-1.6, 1.0)),
)
SHUT: tuple[Point, ...] = (
    *((-0.5, -1.2), (0.5, -1.2), (1.2, -0.5), (1.2, -0.3), (-0.75, -0.3), (-0.75, 0.3), (1.2, 0.3)),
    *((1.2, 0.5), (0.5, 1.2), (-0.5, 1.2), (-1.2, 0.5), (-1.2, -0.5)),
)
CRATE: tuple[Point, ...] = ((-0.9, -0.75), (0.9, -0.75), (0.9, 0.75), (-0.9, 0.75))


# --- what is printed ---


def _sectors(s: Seen) -> Iterator[Mark]:
    """Every sector in the colour and pattern of whoever controls it; hatched while it is contested."""
    for id, sector in s.board.sectors.items():
        holder = s.control.get(id, sector.owner)
        told = [sector.name, f"{terms.ADJECTIVES[holder]}", *terms.symbols(s, id)]
        told += ["contested"] if id in s.contested else []
        yield Area(_outline(s.board, id), f"sector-{holder}", ", ".join(told))
    for id in s.board.sectors:
        if id in s.contested:
            yield Area(_outline(s.board, id), "contested", f"{s.board.name(id)}: contested")


def _pairs(board: Board) -> Iterator[tuple[str, str, bool, bool]]:
    """Every border once: the two sectors, whether over water, whether with a road."""
    for a in board.sectors:
        for step in board.neighbours(a):
            if a < step.to:
                yield a, step.to, step.water, step.road


def _crossings(board: Board) -> Iterator[Mark]:
    """Sea zones between sectors that do not touch."""
    for a, b, water, _ in _pairs(board):
        if water and not shared(board, a, b):
            name = f"{board.name(a)} - {board.name(b)}: over the sea, +\u00bd"
            yield Line((middle(board, a), middle(board, b)), "crossing", name)


def _rivers(board: Board) -> Iterator[Mark]:
    """Water between sectors that touch."""
    for a, b, water, road in _pairs(board):
        stretch = shared(board, a, b)
        if water and stretch:
            how = "river with a bridge" if road else "river"
            yield Line(stretch, "stream", f"{board.name(a)} - {board.name(b)}: {how}, +\u00bd")


def _roads(board: Board) -> Iterator[Mark]:
    """Roads from middle to middle, across the middle of the border."""
    for a, b, _, road in _pairs(board):
        if road:
            stretch = shared(board, a, b)
            over = (_along(stretch, 0.5),) if stretch else ()
            yield Line((middle(board, a), *over, middle(board, b)), "way", f"road {board.name(a)} - {board.name(b)}")


def _fortified(board: Board) -> Iterator[Mark]:
    """Fortified lines with spikes towards the attacker; one that only bars the road is short."""
    for (out, into), name in board.line_names.items():
        stretch = shared(board, out, into)
        if not stretch:
            continue
        ways: tuple[Mode, Mode] = ("on-road", "off-road")
        barred = [mode for mode in ways if board.lines.get((out, into, mode))]
        first, last, count = (0.05, 0.95, 7) if "off-road" in barred else (0.27, 0.73, 4)
        said = "" if len(barred) == len(ways) else f", {barred[0]} only"
        told = f"{name}: +\u00bd into {board.name(into)}{said}"
        for n in range(count):
            foot, tip, end = (
                _along(stretch, first + (last - first) * (n + part) / count) for part in (0.04, 0.5, 0.96)
            )
            yield Area((foot, _pulled(tip, middle(board, out), 1.0), end), "fort", told)


def _altered(s: Seen) -> Iterator[Mark]:
    """Cut roads and bridged water, on the border. [15.3.1]"""
    for sign in s.signs:
        if sign.does != "shut":
            a, b = sign.places
            stretch = shared(s.board, a, b)
            spot = _along(stretch or (middle(s.board, a), middle(s.board, b)), 0.5)
            told = f"{s.board.name(a)} - {s.board.name(b)}: {sign.told}"
            yield Area(_placed(CUT if sign.does == "cut" else BRIDGED, spot, 1.0), sign.does, told)


def _pulled(point: Point, towards: Point, by: float) -> Point:
    length = hypot(towards[0] - point[0], towards[1] - point[1]) or 1.0
    return point[0] + (towards[0] - point[0]) * by / length, point[1] + (towards[1] - point[1]) * by / length


def _axis(s: Seen, id: str) -> Iterator[Mark]:
    """An Axis: a box with its letter and troops, and an arrow into each sector that it borders."""
    axis = s.board.axes[id]
    live = id in s.board.activated
    at = middle(s.board, id)
    style = "arrow" if live else "arrow-shut"
    for sector in s.board.landings(id):
        bonus = terms.bonus(s.board.bonus(id, sector, "off-road"))
        told = f"{axis.name} to {s.board.name(sector)}, {bonus}" + ("" if live else ": not activated")
        yield Area(_block_arrow(at, _shore(s, at, sector)), style, told)
    units = list(_groups(s.at(id)))
    wide = max(5.6, 1.2 + 2.7 * len(units))
    yield Area(_rectangle(at, wide, 5.2 if units else 3.0), "axis-box" if live else "axis-box-shut", axis.name)
    yield Label(at[0], at[1] - (1.0 if units else -0.45), axis.name, "axis" if live else "axis-shut", 1.35)
    for n, group in enumerate(units):
        x = at[0] + (n - (len(units) - 1) / 2) * 2.75
        yield from _counter(s, group, (x, at[1] + 0.85), PIECE, id)


def _shore(s: Seen, start: Point, sector: str) -> Point:
    """Where an arrow from outside ends: a little inside the outline of the sector."""
    goal = middle(s.board, sector)
    outline = _outline(s.board, sector)
    if not outline:
        return goal
    nearest = min(
        outline, key=lambda p: hypot(p[0] - start[0], p[1] - start[1]) + hypot(p[0] - goal[0], p[1] - goal[1])
    )
    return _pulled(nearest, goal, 0.7)


def _block_arrow(start: Point, end: Point) -> tuple[Point, ...]:
    """An arrow as a shape, from start to end."""
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    dx, dy = (end[0] - start[0]) / length, (end[1] - start[1]) / length

    def at(along: float, aside: float) -> Point:
        return start[0] + dx * along - dy * aside, start[1] + dy * along + dx * aside

    neck = max(length - 2.2, 0.4 * length)
    return (
        *(at(0, 0.9), at(neck, 0.55), at(neck, 1.35), at(length, 0)),
        *(at(neck, -1.35), at(neck, -0.55), at(0, -0.9)),
    )


def _symbols(s: Seen, id: str, foot: float) -> Iterator[Mark]:
    """Star, crate, runway and gun in a row below the troops."""
    sector = s.board.sectors[id]
    x = middle(s.board, id)[0]
    row: list[tuple[str, tuple[Point, ...], str]] = []
    if sector.objective:
        row.append(("star", _star((0, 0), 1.25), "Strategic Objective"))
    if sector.loss:
        row.append(("crate", CRATE, f"supply point, lost with {terms.dice(sector.loss)} added"))
    if sector.airfield:
        row.append(("runway", PLANE, "airfield"))
    if sector.gun:
        row.append(("gun", GUN, f"emplacement for a {s.board.charts.kinds[sector.gun].name}"))
    row += [("shut", SHUT, sign.told) for sign in s.signs if sign.does == "shut" and id in sign.places]
    for n, (style, glyph, told) in enumerate(row):
        spot = (x + (n - (len(row) - 1) / 2) * 2.4, foot)
        yield Area(_placed(glyph, spot, SYMBOL), style, f"{sector.name}: {told}")


def _names(s: Seen, id: str) -> Iterator[Mark]:
    """The name above the troops, with the letter of the controlling army."""
    x, y = middle(s.board, id)
    holder = s.control.get(id, s.board.sectors[id].owner)
    lines = _lines(s.board.name(id))
    for n, line in enumerate(lines):
        yield Label(x, y - 2.35 - 1.2 * (len(lines) - 1 - n), line, "sector", 1.2)
    letter = f"{holder}!" if id in s.contested else holder
    wide = max(map(len, lines)) * 0.37 + 1.0
    yield Label(x - wide - 0.2, y - 2.35, letter, f"holder-{holder}", 1.0)


def _lines(name: str) -> tuple[str, ...]:
    """A long name in two lines."""
    words = name.split()
    if len(name) <= 11 or len(words) == 1:
        return (name,)
    cut = min(range(1, len(words)), key=lambda n: abs(len(" ".join(words[:n])) - len(" ".join(words[n:]))))
    return " ".join(words[:cut]), " ".join(words[cut:])


# --- what stands there ---

Group = tuple[Army, Kind, str, tuple[str, ...]]


def _groups(units: Iterable[Stand]) -> list[Group]:
    """Units of one army, type and condition as one counter with their number."""
    found: dict[tuple[Army, Kind, str], list[str]] = {}
    for unit in units:
        found.setdefault((unit.army, unit.kind, unit.condition), []).append(unit.id)
    return [(*key, tuple(ids)) for key, ids in found.items()]


def _counter(s: Seen, group: Group, spot: Point, size: float, place: str) -> Iterator[Mark]:
    army, kind, condition, ids = group
    row = s.board.charts.kinds[kind]
    air = row.family == "aircraft"
    count = f"{len(ids)} " if len(ids) > 1 else ""
    how = f", {condition}" if condition else ", grounded" if air else ""
    name = row.plural if len(ids) > 1 else row.name
    title = f"{terms.ADJECTIVES[army]}: {count}{name}{how}, in {terms.place(s, place)} ({', '.join(ids)})"
    marked = (condition,) if condition and condition != "airborne" else ("ground",) if air and not condition else ()
    yield Counter(*spot, f"{army}-air" if air else army, row.short or row.sign, "", title, 0, size, marked)
    if len(ids) > 1:
        yield Label(spot[0] + 0.42 * size, spot[1] + 0.64 * size, str(len(ids)), "count", 0.4 * size)


def _pieces(s: Seen, id: str) -> Iterator[Mark]:
    """Counters in the middle of a sector, the two sides of a contested one in rows of their own."""
    x, y = middle(s.board, id)
    units = s.at(id)
    sides = [[u for u in units if u.army != "J"], [u for u in units if u.army == "J"]]
    rows: list[list[Group]] = []
    crowds = [_groups(one) for one in sides]
    per_row = 3 if max(map(len, crowds)) <= 3 else 4
    for groups in crowds:
        rows += [groups[n : n + per_row] for n in range(0, len(groups), per_row)]
    size = PIECE if len(rows) <= 2 and max(map(len, rows), default=0) <= 3 else 1.85
    pitch = size + 0.35
    yield from _symbols(s, id, y + 0.3 + max(len(rows), 1) * pitch - 0.2)
    for n, row in enumerate(rows):
        top = y - 0.6 + 0.5 * size + (n - (1 if len(rows) > 2 else 0)) * pitch - (0.3 if len(rows) > 1 else 0)
        for i, group in enumerate(row):
            yield from _counter(s, group, (x + (i - (len(row) - 1) / 2) * (pitch + 0.2), top), size, id)


def _moves(s: Seen, moved: Moved) -> Iterator[Mark]:
    """An arrow for every step, or one straight to the target."""
    places = moved.places if moved.how not in ("fire", "fly") else (moved.places[0], moved.places[-1])
    for a, b in itertools.pairwise(places):
        start, end = middle(s.board, a), middle(s.board, b)
        length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
        dx, dy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
        off, back = (3.4 if a in s.board.axes else min(1.8, 0.3 * length)), min(1.8, 0.3 * length)
        title = f"{terms.ADJECTIVES[moved.army]} {moved.how} from {terms.place(s, a)} to {terms.place(s, b)}"
        yield Arrow(start[0] + dx * off, start[1] + dy * off, end[0] - dx * back, end[1] - dy * back, moved.how, title)


def _airfield(s: Seen) -> Iterator[Mark]:
    """The Japanese airfield off the map, with its aircraft. [8.3.1]"""
    groups = _groups(s.at("off_map"))
    x, y = AIRFIELD
    yield Area(_rectangle(AIRFIELD, max(11.5, 1.4 + 2.8 * len(groups)), 6.2), "cell", "Japanese airfield, off the map")
    yield Area(_placed(PLANE, (x - 4.6, y - 1.6), 0.7), "runway", "airfield")
    yield Label(x + 0.8, y - 1.3, "off-map airfield", "cell", 1.05)
    for n, group in enumerate(groups):
        yield from _counter(s, group, (x + (n - (len(groups) - 1) / 2) * 2.8, y + 1.1), PIECE, "off_map")


# --- the calendar ---


def _calendar(s: Seen) -> Iterator[Mark]:
    """A square for each period, the marker on the present one. [7.2.1]"""
    wide = (WIDTH - 4) / s.board.periods
    for period in range(1, s.board.periods + 1):
        x = 2 + wide * (period - 0.5)
        night = s.board.night(period)
        due = [army for army in s.board.order if s.board.due(army, period)]
        told = s.board.date(period) + (": units arrive" if due else "")
        yield Area(_rectangle((x, CALENDAR), wide, 5.4), "night" if night else "day", told)
        style = "night" if night else "cell"
        yield Label(x, CALENDAR - 1.2, s.board.date(period).split()[0], style, 1.5)
        yield Label(x, CALENDAR + 0.3, "Night" if night else "Day", style, 1.05)
        if due:
            yield Label(x, CALENDAR + 2.1, "+ " + " ".join(due), style, 1.1)
    x = 2 + wide * (s.period - 0.5)
    yield Counter(
        x, CALENDAR - 3.6, "clock", s.army, "", f"{s.board.date(s.period)}, {terms.ADJECTIVES[s.army]} turn", 0, 2.6
    )
