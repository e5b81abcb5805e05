"""The card as a map, and the same as plain text.

Every number in this file is ours and for drawing only: the outline of the coast is rough, and nothing on the map but
boxes, roads and dice has a meaning. Map units are those of `xy` in data/map.toml, stretched a little.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.api import Area, Arrow, Counter, Label, Line, Mark, Picture
from rules.battle_card_malaya.components import ROADS, Card, Road
from rules.battle_card_malaya.state import ALLIES, Move, State, road_of

Point = tuple[float, float]

WIDTH, HEIGHT = 126.0, 116.0
BOX = 9.0  # side of a box; the Allied one stands left of the middle of a place, the Japanese one right of it
DIE = 7.0
TRACK = (9.0, 104.0)  # middle of the first box of the turn track

PENINSULA: tuple[Point, ...] = (
    *((4, -12), (6, -2), (9, 4), (7, 10), (10, 17), (12, 24), (11, 31), (14, 38), (15, 45), (20, 50), (23, 57)),
    *((26, 62), (32, 66), (37, 72), (44, 76), (50, 82), (57, 86), (63, 90), (69, 91), (74, 89), (80, 90), (87, 89)),
    *((90, 83), (92, 76), (93, 68), (91, 60), (90, 52), (91, 44), (89, 35), (86, 27), (82, 20), (77, 12), (72, 6)),
    *((65, 3), (60, -3), (56, -12)),
)
SINGAPORE: tuple[Point, ...] = ((66, 94), (71, 92.5), (77, 92), (84, 92.5), (88, 95), (85, 99), (77, 100), (69, 98.5))
SEAS = (("STRAIT OF MALACCA", 20.0, 88.0), ("SOUTH CHINA SEA", 108.5, 14.0))

LEGEND = (
    ("allied", "Allied unit, by strength"),
    ("japanese", "Japanese unit, by strength"),
    ("road-trunk", "Trunk road"),
    ("road-eastern", "Eastern road"),
    ("label:number", "Reinforcement on entering"),
    ("marker", "Turn die"),
    ("arrow:withdraw", "Last withdrawal"),
    ("arrow:advance", "Last advance"),
)


def picture(s: State) -> Picture:
    """The card with its dice."""
    return Picture(
        name="card",
        title=f"Malaya, turn {s.turn} of {s.card.turns}",
        width=WIDTH,
        height=HEIGHT,
        marks=tuple(marks(s)),
        text=text(s),
        legend=LEGEND,
    )


def marks(s: State) -> Iterator[Mark]:
    """From back to front: sea and land, roads, boxes, arrows, names, dice."""
    yield Area(_rectangle((WIDTH / 2, HEIGHT / 2), WIDTH, HEIGHT), "sea")
    yield Area(tuple(map(_on_map, PENINSULA)), "land", "the Malay peninsula")
    yield Area(tuple(map(_on_map, SINGAPORE)), "land", "Singapore island")
    for name, x, y in SEAS:
        yield Label(x, y, name, "sea", 2.6)
    yield Label(61, 58, "MALAYA", "region", 5)
    yield from _roads(s.card)
    yield from _boxes(s.card)
    yield from _track(s)
    for move in s.moved:
        yield from _arrows(s.card, move)
    yield from _names(s.card)
    yield from _dice(s)


# --- places ---


def _on_map(point: Point) -> Point:
    """A point of the data on the map, which leaves room around it."""
    return 1.14 * point[0] + 3, 1.06 * point[1] + 6


def _middle(card: Card, space: str) -> Point:
    return _on_map(card.spaces[space].xy)


def _allied_box(card: Card, space: str) -> Point:
    x, y = _middle(card, space)
    return (x, y) if space == card.goal else (x - 0.54 * BOX, y)


def _japanese_box(card: Card, space: str) -> Point:
    x, y = _middle(card, space)
    return x + 0.54 * BOX, y


def _rectangle(middle: Point, width: float, height: float) -> tuple[Point, ...]:
    (x, y), w, h = middle, width / 2, height / 2
    return (x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)


# --- what is printed ---


def _roads(card: Card) -> Iterator[Mark]:
    """Each road from where its unit begins to Singapore, or to a road that is drawn already."""
    drawn: set[str] = set()
    for road in ROADS:
        way = road_spaces(card, road)
        joins = next((n for n, space in enumerate(way) if space in drawn), len(way))
        drawn.update(way)
        if len(way) > 1:
            yield Line(tuple(_middle(card, space) for space in way[: joins + 1]), f"road-{road}", f"{ROADS[road]} road")


def _boxes(card: Card) -> Iterator[Mark]:
    """Two boxes a Location, one for Singapore."""
    for space in card.spaces:
        name = card.name(space)
        yield Area(_rectangle(_allied_box(card, space), BOX, BOX), "space-allied", f"{name}, Allied box")
        if space != card.goal:
            yield Area(_rectangle(_japanese_box(card, space), BOX, BOX), "space-japanese", f"{name}, Japanese box")


def _names(card: Card) -> Iterator[Mark]:
    """Names above the boxes, reinforcement numbers beside them."""
    for space in card.spaces:
        x, y = _middle(card, space)
        if space == card.goal:
            yield Label(x + 0.65 * BOX, y + 1.2, card.name(space), "place", 3.6, "start")
        else:
            yield Label(x, y - 0.68 * BOX, card.name(space), "place", 3.6)
    for space, added in card.reinforcements.items():
        if added:
            x, y = _japanese_box(card, space)
            yield Label(x + 0.5 * BOX + 3.2, y + 1.1, f"+{added}", "number", 3)


def _track(s: State) -> Iterator[Mark]:
    """The turn track with its die."""
    x, y = TRACK
    yield Label(x - 0.5 * BOX, y - 0.7 * BOX, "Turn", "place", 3.6, "start")
    for turn in range(1, s.card.turns + 1):
        spot = (x + (turn - 1) * 0.94 * BOX, y)
        yield Area(_rectangle(spot, 0.94 * BOX, 0.94 * BOX), "track", f"turn {turn}")
        if turn == s.turn:
            yield Counter(*spot, "marker", str(turn), title=f"turn die: turn {turn}", size=DIE)
        else:
            yield Label(spot[0], spot[1] + 1.1, str(turn), "box", 3.2)


# --- what moves ---


def _arrows(card: Card, move: Move) -> Iterator[Mark]:
    """An arrow for every space entered."""
    allied = move.who == ALLIES
    box = _allied_box if allied else _japanese_box
    for start, end in zip(move.spaces, move.spaces[1:], strict=False):
        title = f"{'withdrawal' if allied else 'advance'} from {card.name(start)} to {card.name(end)}"
        yield Arrow(*box(card, start), *box(card, end), "withdraw" if allied else "advance", title)


def _dice(s: State) -> Iterator[Mark]:
    """Units as dice; a choice already made is a sign on the Allied one."""
    for space, strength in s.allied.items():
        choice = s.battles.get(space, "")
        title = f"Allied unit, strength {strength}, in {s.card.name(space)}"
        spot = _allied_box(s.card, space)
        yield Counter(*spot, "allied", str(strength), "", title, strength, DIE, (choice,) if choice else ())
    for road, unit in s.japanese.items():
        title = f"Japanese {ROADS[road]} road unit, strength {unit.strength}, in {s.card.name(unit.at)}"
        yield Counter(*_japanese_box(s.card, unit.at), "japanese", str(unit.strength), "", title, unit.strength, DIE)


# --- the same in plain text ---


def road_spaces(card: Card, road: Road) -> tuple[str, ...]:
    """The spaces of a road, from where its Japanese unit begins to Singapore."""
    way = [card.japanese[road][0]] if road in card.japanese else []
    while way and card.next(way[-1]):
        way.append(card.next(way[-1]))
    return tuple(way)


def text(s: State) -> tuple[str, ...]:
    """The roads as two columns that meet, a line a Location: strengths, and what a Japanese unit gains by entering."""
    trunk, eastern = (road_spaces(s.card, road) for road in ROADS)
    common = tuple(space for space in trunk if space in eastern)
    left = _column(s, "TRUNK ROAD", [space for space in trunk if space not in common])
    right = _column(s, "EASTERN ROAD", [space for space in eastern if space not in common])
    height = max(len(left), len(right))
    lines = ["A = Allied, J = Japanese, - = none; +1 = reinforcement of a Japanese unit", ""]
    lines += [f"  {a:36}{b}".rstrip() for a, b in zip(_filled(left, height), _filled(right, height), strict=True)]
    lines += ["", "  BOTH ROADS, on from there"]
    lines += [f"  {_place(s, space)}" for space in common]
    apart = [space for space in s.card.spaces if space not in (*trunk, *eastern)]
    lines += ["", "  OFF THE ROADS", *(f"  {_place(s, space)}" for space in apart)] if apart else []
    lines += ["", *(f"  {said}" for said in _said(s))]
    return tuple(lines)


def _column(s: State, title: str, spaces: Sequence[str]) -> list[str]:
    return [title, *(_place(s, space) for space in spaces)]


def _filled(lines: Sequence[str], height: int) -> Iterable[str]:
    return [*lines, *[""] * (height - len(lines))]


def _place(s: State, space: str) -> str:
    """`Kampar        A2 J- +2`."""
    road = road_of(s, space)
    theirs = "" if space == s.card.goal else f" J{s.japanese[road].strength if road else '-'}"
    added = s.card.reinforcements.get(space, 0)
    return f"{s.card.name(space):13} A{s.allied.get(space, '-')}{theirs}{f' +{added}' if added else ''}"


def _said(s: State) -> Iterator[str]:
    """The turn track and the arrows in words."""
    turns = " ".join(f"[{turn}]" if turn == s.turn else str(turn) for turn in range(1, s.card.turns + 1))
    yield f"Turn: {turns}"
    for move in s.moved:
        who = "Allied withdrawal" if move.who == ALLIES else f"advance on the {move.who} road"
        if len(move.spaces) > 1:
            yield f"{who}: {' > '.join(s.card.name(space) for space in move.spaces)}"
