"""The map: the whole on one sheet, and a sheet for every part where something happens.

A hex is one map unit high. What a colour shows, a pattern, a letter or a shape shows too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import cos, pi, sin

from pbem.api import Area, Arrow, Counter, Label, Line, Mark, Picture
from rules.kit import outlines as shapes
from rules.kit.hexes import Hex, ends, side
from rules.kit.recent import recent
from rules.kit.sheets import Frame, Point, Window, burst, disc, star
from rules.tiger_of_malaya import outlines, terms
from rules.tiger_of_malaya.components import Board
from rules.tiger_of_malaya.rows import Nation
from rules.tiger_of_malaya.seen import Piece, Seen, ranked
from rules.tiger_of_malaya.sheet import detail, whole
from rules.tiger_of_malaya.windows import windows

MARGIN = 0.35
FAR_MARGIN = 0.9
SHEETS = 128
"""Parts of maps whose printed marks are kept; a game shows few at a time and comes back to them."""
STACKS = 4096
"""Counters that are kept; most stacks stand still from event to event."""

STYLES: Mapping[str, str] = {
    ".": "sea",
    "f": "fertile",
    "t": "town",
    "c": "city",
    "1": "jungle-1",
    "2": "jungle-2",
    "3": "jungle-3",
    "4": "jungle-4",
    "s": "swamp",
    "v": "town",
    "w": "swamp",
}
FAMILIES: Mapping[Nation, str] = {
    "japanese": "japan",
    "british": "british",
    "australian": "australian",
    "indian": "indian",
    "gurkha": "indian",
    "malayan": "local",
    "straits": "local",
    "princely": "local",
}
SEAS: tuple[tuple[str, Hex, float], ...] = (("STRAITS OF MALACCA", "0229", 0.42), ("SOUTH CHINA SEA", "3245", 0.75))
"""Names of seas on the sheet of the whole: text, hex, size."""
LEGEND: tuple[tuple[str, str], ...] = (
    ("counter:japan", "Japanese"),
    ("counter:british", "British"),
    ("counter:australian", "Australian"),
    ("counter:indian", "Indian"),
    ("counter:local", "Other local"),
    ("counter:carrier", "Carriers"),
    ("counter:plane", "Aircraft"),
    ("area:fertile", "Fertile"),
    ("area:town", "Town"),
    ("area:city", "City"),
    ("area:jungle-1", "Jungle 1"),
    ("area:jungle-2", "Jungle 2"),
    ("area:jungle-3", "Jungle 3"),
    ("area:jungle-4", "Jungle 4"),
    ("area:swamp", "Swamp"),
    ("line:road", "Road"),
    ("line:far-road", "Road"),
    ("line:rail", "Railroad"),
    ("line:far-rail", "Railroad"),
    ("line:river", "River"),
    ("line:far-river", "River"),
    ("line:stream", "Stream"),
    ("line:far-stream", "Stream"),
    ("line:strait", "Strait"),
    ("line:far-strait", "Strait"),
    ("line:front", "Front line"),
    ("line:far-front", "Front line"),
    ("line:crossed", "Bridge down"),
    ("shape:field", "Airfield"),
    ("shape:source", "Supply"),
    ("shape:objective", "Objective"),
    ("shape:fort", "Fort"),
    ("shape:battle", "Battle"),
    ("arrow:attack", "Attack"),
    ("arrow:move", "Move"),
    ("arrow:retreat", "Retreat"),
    ("arrow:advance", "Advance"),
)
"""Every sign that can stand on a sheet; a sheet lists those that it shows."""

SIGNS: Mapping[str, str] = {
    "out of supply": "No supply",
    "tanks": "Tanks",
    "guns": "Guns",
    "headquarters": "HQ",
    "boats": "Boats",
}
"""Signs on counters, each by its first letter."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Ground(Frame):
    """A part of the map as it is printed; `far` is the sheet of the whole, around which the numbers stand."""

    board: Board
    far: bool

    @cached_property
    def wider(self) -> frozenset[Hex]:
        """The hexes of the window and two more on every side, so that nothing ends at the frame."""
        return self.hexes if self.far else frozenset(self.around(2))

    @cached_property
    def below(self) -> tuple[Mark, ...]:
        """What lies below the marks of a position: land, water, roads."""
        return (*_ground(self), *_grid(self), *_waters(self), *_ways(self))

    @cached_property
    def above(self) -> tuple[Mark, ...]:
        """Places and numbers, over the front."""
        return (*_places(self), *_numbers(self))

    @cached_property
    def names(self) -> tuple[Mark, ...]:
        """Names that stand whatever happens."""
        return tuple(_names(self))

    @cached_property
    def shown(self) -> frozenset[str]:
        """Signs of the legend that are printed on it; ground that only looks in over the frame is left out."""
        grounds = {f"area:{style}" for style in STYLES.values()}
        here = {f"area:{STYLES[self.board.letters[hex]]}" for hex in self.hexes}
        return frozenset(_signs((*self.below, *self.above)) - grounds | here)

    @cached_property
    def title(self) -> str:
        """The whole, or a part by its first and last names."""
        if self.far:
            return "Johore and Singapore"
        named = [hex for hex in self.board.names if hex in self.hexes]
        names = [hex for hex in named if self.board.is_town(hex)] or named
        if not names:
            return f"Columns {self.window[0]:02}-{self.window[1]:02}"
        first, last = min(names, key=lambda hex: (hex[2:], hex)), max(names, key=lambda hex: (hex[2:], hex))
        return " - ".join(dict.fromkeys(self.board.names[hex] for hex in (first, last)))

    def style(self, name: str) -> str:
        """The style of a line on this sheet."""
        return f"far-{name}" if self.far else name


@lru_cache(SHEETS)
def ground(board: Board, window: Window, far: bool = False) -> Ground:
    """A part, or the whole: once for each part."""
    return Ground(grid=board.grid, window=window, margin=FAR_MARGIN if far else MARGIN, board=board, far=far)


def pictures(s: Seen) -> tuple[Picture, ...]:
    """The parts where something happens, then the whole; the same for readers who see the same on the map."""
    return _pictures(
        replace(s, step="", reader="", drawn=(), left={}, chosen=(), due=(), drafts={}, facts=(), result="")
    )


@recent(2)
def _pictures(s: Seen) -> tuple[Picture, ...]:
    (left, right), (top, bottom) = s.board.grid.columns, s.board.grid.rows
    found = [picture(s, ground(s.board, window)) for window in windows(s)]
    return (*found, picture(s, ground(s.board, (left, right, top, bottom), True)))


def picture(s: Seen, sheet: Ground) -> Picture:
    """One sheet, from back to front."""
    battles, moving = tuple(_battles(s, sheet)), tuple(_moving(s, sheet))
    drawn: list[Mark] = []
    still: list[tuple[int, int]] = []

    def add(marks: Iterable[Mark], printed: bool = False) -> None:
        start = len(drawn)
        drawn.extend(marks)
        if printed and len(drawn) > start:
            still.append((start, len(drawn)))

    add(sheet.below, printed=True)
    add(_front(sheet, s.held))
    add(sheet.above, printed=True)
    add((*_forts(s, sheet), *_down(s, sheet), *battles))
    if sheet.far:
        add((*moving, *_villages(s, sheet)))
        add(sheet.names, printed=True)
    else:
        add(sheet.names, printed=True)
        add(moving)
    width, height = sheet.size()
    return Picture(
        name="whole" if sheet.far else "part",
        title=f"{sheet.title}, {terms.date(s)}",
        width=width,
        height=height,
        marks=tuple(drawn),
        text=whole(s) if sheet.far else detail(s, sheet.window),
        legend=tuple(_legend(sheet, drawn, still)),
        still=tuple(still),
    )


# --- what is printed ---


def _ground(sheet: Ground) -> Iterator[Mark]:
    """Sea and land in patches."""
    board = sheet.board
    width, height = sheet.size()
    yield Area(((0, 0), (width, 0), (width, height), (0, height)), "margin")
    inside = sheet.wider
    for letter, path, hexes in outlines.grounds(board):
        if sheet.far:
            paths: Iterable[shapes.Path] = (path,)
        elif hexes.isdisjoint(inside):
            continue
        else:
            paths = shapes.clipped(board.grid, hexes, inside)
        for found in paths:
            yield Area(tuple(map(sheet.spot, found[:-1])), STYLES[letter])


def _grid(sheet: Ground) -> Iterator[Mark]:
    """The net of hexes: one of them, and what the template fills with it."""
    board = sheet.board
    left, _, top, _ = sheet.window
    yield Area(tuple(map(sheet.spot, board.grid.corners(board.grid.id(left, top)))), "hex-tile")
    yield Area(tuple(map(sheet.spot, shapes.edge_of(board.grid, sheet.wider)[:-1])), "hex-net")


def _waters(sheet: Ground) -> Iterator[Mark]:
    """Rivers, streams and the strait along their hexsides."""
    board = sheet.board
    inside = sheet.wider
    for path in outlines.coasts(board, inside):
        yield Line(tuple(map(sheet.spot, path)), sheet.style("coast"))
    for kind, style in (("stream", "stream"), ("river", "river"), ("ocean", "strait")):
        sides = [f"{a}/{b}" for (a, b), edge in board.edges.items() if a < b and edge.water == kind and a in inside]
        for path in shapes.along(board.grid, sides):
            middles = shapes.smoothed(path) if sheet.far else tuple((spot, 1) for spot in path)
            points = tuple(sheet.spot(spot, parts) for spot, parts in middles)
            yield Line(points, sheet.style(style), "" if sheet.far else kind)


def _ways(sheet: Ground) -> Iterator[Mark]:
    """Roads, then railroads over them."""
    board = sheet.board
    inside = sheet.wider
    for way in ("road", "rail"):
        for kind, hexes in board.ways.values():
            if kind != way:
                continue
            run: list[Hex] = []
            for hex in (*hexes, ""):
                if hex in inside:
                    run.append(hex)
                    continue
                if len(run) > 1:
                    yield Line(tuple(map(sheet.middle, run)), sheet.style(way))
                run = []


def _places(sheet: Ground) -> Iterator[Mark]:
    """Airfields, sources of supply, objectives; twice as large on the sheet of the whole."""
    board = sheet.board
    k = 2.0 if sheet.far else 1.0
    for hex in board.region("airfields"):
        if hex in sheet.hexes:
            x, y = sheet.middle(hex)
            spot = (x + 0.3, y - 0.28)
            yield Area(disc(spot, 0.17 * k), "field", f"{hex}: airfield")
            line = ((spot[0] - 0.1 * k, spot[1] + 0.07 * k), (spot[0] + 0.1 * k, spot[1] - 0.07 * k))
            yield Line(line, sheet.style("runway"))
    for name in ("north-edge", "terminals"):
        for hex in board.region(name):
            if hex in sheet.hexes:
                x, y = sheet.middle(hex)
                up = -0.46 if name == "north-edge" else 0.46
                points = ((x - 0.2 * k, y + up), (x + 0.2 * k, y + up), (x, y + (1 - 0.6 * k) * up))
                yield Area(points, "source", f"{hex}: source of supply")
    for hex in terms.objectives(board):
        if hex in sheet.hexes:
            x, y = sheet.middle(hex)
            yield Area(star((x - 0.33, y - 0.27), 0.19 * k), "objective", f"{hex}: objective")


def _numbers(sheet: Ground) -> Iterator[Mark]:
    """The number of every hex; on the sheet of the whole those of the edge."""
    board = sheet.board
    (left, right), (top, _) = board.grid.columns, board.grid.rows
    if not sheet.far:
        for hex in sorted(sheet.hexes):
            x, y = sheet.middle(hex)
            yield Label(x, y - 0.31, hex, "hex", 0.15)
        return
    for column in range(left, right + 1):
        x, _ = sheet.middle(board.grid.id(column, top))
        yield Label(x, sheet.margin - 0.25, f"{column:02}", "hex", 0.45)
    for row in range(top, board.grid.rows[1] + 1, 2):
        _, y = sheet.middle(board.grid.id(left, row))
        yield Label(0.45, y + 0.16, f"{row:02}", "hex", 0.45)
        yield Label(sheet.size()[0] - 0.45, y + 0.16, f"{row:02}", "hex", 0.45)


def _names(sheet: Ground) -> Iterator[Mark]:
    """Names of towns and other places; on the sheet of the whole beside the hex, and those of the seas."""
    board = sheet.board
    if sheet.far:
        for text, hex, size in SEAS:
            if hex in board.grid and not board.is_land(hex):
                x, y = sheet.middle(hex)
                for n, word in enumerate(text.split()):
                    yield Label(x, y + 1.6 * size * n, word, "sea", size)
    for hex, name in board.names.items():
        if hex not in sheet.hexes:
            continue
        x, y = sheet.middle(hex)
        kind = _kind(board, hex)
        if not sheet.far:
            yield Label(x, y + 0.53, name, kind, 0.25 if kind == "place" else 0.2)
        elif kind == "peak":
            yield Label(x, y + 1.0, name, kind, 0.48)
        elif kind == "place":
            yield Label(x + 0.5, y + 0.2, name, kind, 0.68, "start")


def _kind(board: Board, hex: Hex) -> str:
    """The style of a name."""
    return "place" if board.is_town(hex) else "peak" if board.letters[hex] == "4" else "village"


# --- what a position has ---


def _villages(s: Seen, sheet: Ground) -> Iterator[Mark]:
    """Names of villages on the sheet of the whole, where nobody stands."""
    for hex, name in sheet.board.names.items():
        if hex in sheet.hexes and hex not in s.pieces and _kind(sheet.board, hex) == "village":
            x, y = sheet.middle(hex)
            yield Label(x + 0.5, y + 0.2, name, "village", 0.48, "start")


@lru_cache(SHEETS)
def _front(sheet: Ground, held: frozenset[Hex]) -> tuple[Mark, ...]:
    """The line between land that Japan holds and land that the Allies hold."""
    sides = (piece for hex, piece in _border(sheet.board, held) if hex in sheet.wider)
    said = "Japan holds one side, the Allies the other"
    paths = shapes.chains(sides)
    return tuple(Line(tuple(map(sheet.spot, path)), sheet.style("front"), said) for path in paths)


@lru_cache(maxsize=4)
def _border(board: Board, held: frozenset[Hex]) -> tuple[tuple[Hex, shapes.Piece], ...]:
    """Every hexside between land that Japan holds and other land, with the hex that it holds."""
    return tuple(
        (hex, _side(board, hex, there))
        for hex in sorted(held)
        for there, _ in board.land_beside(hex)
        if there not in held
    )


@lru_cache(maxsize=16384)
def _side(board: Board, a: Hex, b: Hex) -> shapes.Piece:
    """The hexside between two neighbours."""
    return board.grid.edge(side(a, b))


def _forts(s: Seen, sheet: Ground) -> Iterator[Mark]:
    for hex, holder in sorted(s.forts.items()):
        if hex in sheet.hexes:
            yield Area(_wall(sheet.middle(hex), 0.42), "fort", f"{hex}: {terms.SIDES[holder]} fort")


def _down(s: Seen, sheet: Ground) -> Iterator[Mark]:
    """Crosses on bridges that are down."""
    for name in sorted(s.destroyed):
        a, b = ends(name)
        if a in sheet.hexes and b in sheet.hexes:
            (x, y), (u, v) = sheet.middle(a), sheet.middle(b)
            x, y = (x + u) / 2, (y + v) / 2
            for way in (1, -1):
                line = ((x - 0.16, y - 0.16 * way), (x + 0.16, y + 0.16 * way))
                yield Line(line, "crossed", f"{name}: bridge down")


def _moving(s: Seen, sheet: Ground) -> Iterator[Mark]:
    """Ways and attacks, stacks, aircraft."""
    yield from _arrows(s, sheet)
    for hex in sorted(s.pieces):
        if hex in sheet.hexes and s.pieces[hex]:
            yield _stack(sheet, hex, s.pieces[hex])
    yield from _planes(s, sheet)


def _arrows(s: Seen, sheet: Ground) -> Iterator[Mark]:
    """What moved and who attacks: a line along the way, its last step an arrow. The sheet of the whole has no room."""
    if sheet.far:
        return
    inside = sheet.wider
    for moved in s.moves:
        hexes = [hex for hex in moved.hexes if hex in inside]
        said = f"{terms.SIDES[moved.side]} {moved.how} from {moved.hexes[0]} to {moved.hexes[-1]}"
        if len(hexes) > 2:
            yield Line(tuple(map(sheet.middle, hexes[:-1])), f"way-{moved.how}", said)
        if len(hexes) > 1:
            yield Arrow(*sheet.middle(hexes[-2]), *sheet.middle(hexes[-1]), moved.how, said)
    for battle in s.battles:
        for origin in battle.origins:
            if battle.hex in inside and origin in inside:
                what = "probe" if battle.probe else "attack"
                said = f"{terms.SIDES[battle.attacker]} {what} from {origin} on {battle.hex} {battle.odds}".strip()
                yield Arrow(*sheet.middle(origin), *sheet.middle(battle.hex), "attack", said)


def _battles(s: Seen, sheet: Ground) -> Iterator[Mark]:
    """A burst behind the stack that is attacked."""
    for battle in s.battles:
        if battle.hex in sheet.hexes:
            said = f"{battle.hex}: battle {battle.odds}".strip()
            radius = 0.85 if sheet.far else 0.5
            yield Area(burst(sheet.middle(battle.hex), radius), "battle", said)


@lru_cache(STACKS)
def _stack(sheet: Ground, hex: Hex, pieces: tuple[Piece, ...]) -> Counter:
    """A counter for a stack: attack and defence, whose it is and how many lie below."""
    size = 0.86 if sheet.far else 0.6
    stack = ranked(pieces)
    x, y = sheet.middle(hex)
    top, others = stack[0], len(stack) - 1
    style = FAMILIES[top.nation] if top.face.points else "carrier"
    said = f"{hex}: " + "; ".join(terms.full(piece) for piece in stack)
    if sheet.far:
        points = str(sum(piece.face.points for piece in stack) or "-")
        return Counter(x, y + 0.04, style, points, "", said, 0, size)
    value = terms.strength(stack) if top.face.points else "-"
    name = f"{top.name}+{others}" if others else top.name
    return Counter(x, y + 0.04, style, value, name, said, 0, size, terms.conditions(stack))


def _planes(s: Seen, sheet: Ground) -> Iterator[Mark]:
    """Aircraft over hexes and on airfields."""
    for plane in s.planes:
        if plane.hex in sheet.hexes:
            x, y = sheet.middle(plane.hex)
            modifier = sheet.board.aircraft[plane.name].modifier
            said = f"aircraft {plane.name} +{modifier}, {plane.where}"
            yield Counter(x - 0.32, y + 0.26, "plane", f"+{modifier}", "", said, 0, 0.55 if sheet.far else 0.32)


def _legend(sheet: Ground, drawn: Sequence[Mark], still: Iterable[tuple[int, int]]) -> Iterator[tuple[str, str]]:
    """The signs that a sheet shows, in words."""
    shown, at = set(sheet.shown), 0
    for start, stop in (*still, (len(drawn), len(drawn))):
        shown |= _signs(drawn[at:start])
        at = stop
    yield from (entry for entry in LEGEND if entry[0].replace("shape:", "area:") in shown)
    yield from ((word[0].upper(), meaning) for word, meaning in SIGNS.items() if word in shown)
    if any(f"counter:{family}" in shown for family in FAMILIES.values()):
        yield ("12", "Points") if sheet.far else ("8-7", "Strength")


def _signs(marks: Iterable[Mark]) -> set[str]:
    """Signs of the legend that are among marks."""
    shown: set[str] = set()
    for mark in marks:
        if isinstance(mark, Counter):
            shown.update((f"counter:{mark.side}", *mark.marks))
        elif isinstance(mark, Area | Line | Arrow):
            shown.add(f"{type(mark).__name__.lower()}:{mark.style}")
    return shown


# --- shapes ---


def _wall(middle: Point, radius: float) -> tuple[Point, ...]:
    """A round wall with battlements."""
    points = []
    for n in range(48):
        r = radius * (1.14 if n % 4 < 2 else 1.0)
        turn = 2 * pi * (n - n % 2 * 0.5) / 48
        points.append((middle[0] + r * cos(turn), middle[1] + r * sin(turn)))
    return tuple(points)
