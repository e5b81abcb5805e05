"""Maps taken apart: what stands still is drawn once, and from one position to the next only what changes is named.

A sprite is a piece of SVG that is drawn once, however often and wherever it stands: a counter by its looks, an arrow,
a printed map, all names. It is kept as numbers of its parts, tags and texts, each of which is kept once too.
A `Scene` is a map as a list of sprites with their places, from back to front.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import cached_property, partial
from itertools import groupby
from operator import is_, ne
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pbem import report
from pbem.api import Area, Arrow, Counter, Label, Mark, Picture

if TYPE_CHECKING:
    from jinja2 import Environment

TENTHS: Final = 10
"""Places are whole tenths of a dot."""

WHOLE: Final = (Area, Label)
"""Marks that are drawn a run at a time: their borders, patterns and halos lie under or over each other."""

AROUND: Final = round(2 * 2.5 * report.UNIT * TENTHS)
"""What the frame takes beside the map, of width and of height: twice the margin of the template."""

KINDS: Final = ("counter", "sign", "area", "line", "arrow", "label")
"""In this order a legend tells its signs."""

FEW: Final = 12
"""So many changed places are told one by one; with more of them something was put in between."""

_TOKENS: Final = re.compile(r'<path d="|M[^M"<>]*(?=[M"])|"[^"<>M]*"[^<>]*>|<[^>]*>|[^<]+')
_SAID_TWICE: Final = re.compile(r' aria-label="[^"]*"(?=><title>)')

Item = tuple[int, int, int]
"""A sprite by number, and where it stands: x and y in tenths of a dot, 0 and 0 for what is drawn in its place."""

Scene = tuple[Item, ...]

Size = tuple[int, int]
"""Width and height of a map in tenths of a dot."""

Splice = tuple[int, int, Sequence[Any]]
"""At an index: so many out, these in. Those of one change are given from the end backwards."""


@dataclass
class Store:
    """All that was drawn for the maps of a page, in the order in which it was first needed."""

    engine: str
    templates: Path | None = None
    parts: dict[str, int] = field(default_factory=dict)
    """Tags and texts by number."""
    sprites: dict[tuple[int, ...], int] = field(default_factory=dict)
    """Sprites by number, each as the numbers of its parts."""
    plates: dict[tuple[str, float], Plate] = field(default_factory=dict)
    drawn: dict[Hashable, int] = field(default_factory=dict)
    """Sprites by what they show."""
    printed: dict[Hashable, tuple[tuple[Mark, ...], int]] = field(default_factory=dict)
    """Sprites of printed maps, and the marks that they show."""
    signs: dict[str, tuple[str, str]] = field(default_factory=dict)
    """The legend: what is said, the kind of its sign, and the sign as SVG."""
    _legend: dict[tuple[str, str], None] = field(default_factory=dict)

    @property
    def environment(self) -> Environment:
        """The templates of the engine."""
        return report.environment(self.engine, self.templates)

    def plate(self, picture: Picture) -> Plate:
        """What draws pictures of this kind and scale."""
        scale = report.DOTS / max(picture.width, picture.height)
        found = self.plates.get((picture.name, scale))
        if found is None:
            found = self.plates[picture.name, scale] = Plate(self, f"p{len(self.plates)}", scale, picture)
        return found

    def sprite(self, text: str) -> int:
        """The number of a sprite."""
        text = _SAID_TWICE.sub("", "".join(line.strip() for line in text.splitlines()))
        parts = tuple(self.parts.setdefault(token, len(self.parts)) for token in _TOKENS.findall(text))
        return self.sprites.setdefault(parts, len(self.sprites))

    def legend(self, picture: Picture) -> tuple[tuple[str, str], ...]:
        """Every entry of a legend so far; those that are new are drawn."""
        new = [entry for entry in picture.legend if entry not in self._legend]
        self._legend.update(dict.fromkeys(new))
        legend = tuple(self._legend)
        if new:
            signs = report.legend_signs(replace(picture, legend=legend))[-len(new) :]
            sample = self.plate(picture).tools["sample"]
            for sign in signs:
                points = report.fitted(sign["points"], (2.6 * report.UNIT, 0), (4.8 * report.UNIT, 3 * report.UNIT))
                drawn = str(sample(sign | {"points": points, "x": 0, "y": 0}))
                text = "".join(line.strip() for line in drawn.splitlines())
                self.signs.setdefault(sign["words"], (sign["kind"], text))
        return legend

    def samples(self) -> list[tuple[str, str]]:
        """The legend in the order of the kinds of its signs: what is said, and the sign."""
        told = sorted(self.signs.items(), key=lambda one: KINDS.index(one[1][0]))
        return [(words, sign) for words, (_, sign) in told]

    def render(self, picture: Picture, ids: str, **more: Any) -> str:
        """The template of maps, for a part of a map alone."""
        template = self.environment.get_template("map.svg.jinja")
        layout = report.layout(replace(picture, title="", text=(), legend=())) | {"desc": "", **more}
        return template.render(m=layout, inline=1, ids=ids).strip()


class Plate:
    """What pictures of one kind and scale are printed with: patterns, and the template's tools.

    `defs` are the patterns as SVG, whose ids begin with `ids`; `scale` is how many dots a map unit has.
    """

    def __init__(self, store: Store, ids: str, scale: float, picture: Picture) -> None:
        self.store, self.ids, self.scale = store, ids, scale
        self.tools: dict[str, Any] = {}
        tiles = tuple(mark for mark in picture.marks if isinstance(mark, Area) and mark.style == "hex-tile")
        self.defs = store.render(replace(picture, marks=tiles), ids, part="plate", take=self._take)

    def _take(self, **tools: Any) -> str:
        self.tools = tools
        return ""

    def knows(self, kind: str, style: str) -> bool:
        """Whether the template has a look for the style."""
        return style in getattr(self.tools["look"], f"{kind}s")

    def coast(self, marks: Sequence[Mark]) -> int | None:
        """The place of the first area with shallow water around it, if there is one."""
        coasts = self._coasts
        return next((n for n, mark in enumerate(marks) if type(mark) is Area and mark.style in coasts), None)

    @cached_property
    def _coasts(self) -> dict[str, Any]:
        """Whether the outlines of areas with a coast are smooth, by style."""
        return {style: look["smooth"] for style, look in self.tools["look"].areas.items() if look["shore"]}

    def shore(self, marks: Iterable[Mark]) -> str:
        """The shallow water around all coasts."""
        areas = [mark for mark in marks if isinstance(mark, Area) and mark.style in self._coasts]
        outline = self.store.environment.filters["path"]
        shapes = [outline(report.scaled(area, self.scale).points, self._coasts[area.style], True) for area in areas]
        return str(self.tools["shore"](shapes))

    def drawn(self, marks: Sequence[Mark], nth: int, near: Sequence[Counter] = ()) -> str:
        """Marks of one kind and style as SVG in their places; a counter stands at the origin."""
        kind, style = report.KIND_OF[type(marks[0])], report.clean(report.style_of(marks[0]))
        if kind == "counter":
            sized = [
                replace(mark, x=0, y=0, size=mark.size * self.scale) for mark in marks if isinstance(mark, Counter)
            ]
            return "".join(str(self.tools["counter"](report.drawn_counter(mark, 0), style, nth)) for mark in sized)
        around = [report.scaled(counter, self.scale) for counter in near]
        docs = [
            report.drawn(report.scaled(mark, self.scale), around) for mark in marks if not isinstance(mark, Counter)
        ]
        if kind == "area":
            return str(self.tools["areas"](docs, style, nth))
        if kind == "label":
            return str(self.tools["labels"](docs, style))
        if kind == "line":
            return "".join(str(self.tools["line"](doc["points"], style, nth, doc["name"])) for doc in docs)
        return "".join(str(self.tools["arrow"](doc, style, nth)) for doc in docs)


@dataclass
class Stage:
    """One map of a game through all its positions."""

    store: Store
    largest: Size = (0, 0)
    _last: tuple[Mark, ...] = ()
    _scene: Scene = ()

    def scene(self, picture: Picture) -> Scene:
        """The picture as sprites in their places; what was never seen before is drawn."""
        if picture.marks is not self._last:
            self._last, self._scene = picture.marks, tuple(_Apart(self.store, picture).items())
        return self._scene

    def size(self, picture: Picture) -> Size:
        """The size of the picture."""
        scale = self.store.plate(picture).scale
        size = (round(TENTHS * scale * picture.width), round(TENTHS * scale * picture.height))
        self.largest = (max(size[0], self.largest[0]), max(size[1], self.largest[1]))
        return size


class _Apart:
    """One picture, being taken apart."""

    def __init__(self, store: Store, picture: Picture) -> None:
        self.store, self.picture, self.plate = store, picture, store.plate(picture)
        self.legend = store.legend(picture)
        self.counters = [mark for mark in picture.marks if type(mark) is Counter]
        self.spread: dict[tuple[float, float], int] = {}
        self.coast = self.plate.coast(picture.marks)

    def items(self) -> Iterator[Item]:
        marks, at = self.picture.marks, 0
        for start, stop in (*self.picture.still, (len(marks), len(marks))):
            for first, run in _runs(marks[at:start], at):
                if self._meets_coast(first, run):
                    yield self._sprite("shore", lambda: self.plate.shore(marks)), 0, 0
                yield from self._run(run)
            if stop > start:
                yield self._printed(start, stop), 0, 0
            at = stop

    def _printed(self, start: int, stop: int) -> int:
        """A printed map as one sprite; the same objects are not compared."""
        marks = self.picture.marks[start:stop]
        key = (self.plate.ids, id(marks[0]), len(marks))
        kept, number = self.store.printed.get(key, ((), 0))
        if not kept or not all(map(is_, kept, marks)):
            drawn = []
            for first, run in _runs(marks, start):
                if self._meets_coast(first, run):
                    drawn.append(self.plate.shore(self.picture.marks))
                drawn.append(self.plate.drawn(run, self._nth(run[0])))
            number = self.store.sprite("\n".join(drawn))
            self.store.printed[key] = marks, number
        return number

    def _meets_coast(self, first: int, run: Sequence[Mark]) -> bool:
        """Whether a run is the first with a coast: shallow water lies right below it."""
        return self.coast is not None and first <= self.coast < first + len(run)

    def _run(self, run: tuple[Mark, ...]) -> Iterator[Item]:
        """Marks of one kind and style: at once where they are drawn as a whole, else one by one."""
        nth = self._nth(run[0])
        if isinstance(run[0], WHOLE):
            yield self._sprite((nth, run), lambda: self.plate.drawn(run, nth)), 0, 0
            return
        for mark in run:
            x = y = 0
            key: Hashable = (nth, mark)
            near: tuple[Counter, ...] = ()
            if isinstance(mark, Counter):
                x, y = self._place(mark)
                key = (nth, mark.side, mark.value, mark.text, mark.title, mark.pips, mark.size, mark.marks)
            elif isinstance(mark, Arrow):  # an arrow keeps clear of the counters at its ends
                near = tuple(self._near(mark))
                key = (nth, mark, tuple((c.x, c.y, c.size) for c in near))
            yield self._sprite(key, partial(self.plate.drawn, (mark,), nth, near)), x, y

    def _place(self, counter: Counter) -> tuple[int, int]:
        """Where a counter stands; those on one spot fan out, so that each can be counted."""
        under = self.spread.get((counter.x, counter.y), 0)
        self.spread[counter.x, counter.y] = under + 1
        shift, scale = report.FAN * counter.size * under, TENTHS * self.plate.scale
        return round(scale * (counter.x - shift)), round(scale * (counter.y + shift))

    def _near(self, arrow: Arrow) -> Iterator[Counter]:
        close = max(self.picture.width, self.picture.height) / 50
        ends = ((arrow.x1, arrow.y1), (arrow.x2, arrow.y2))
        return (c for c in self.counters if any(abs(c.x - x) + abs(c.y - y) < close for x, y in ends))

    def _nth(self, mark: Mark) -> int:
        """Which of the looks without a name a style has that the template does not know."""
        kind, style = report.KIND_OF[type(mark)], report.style_of(mark)
        return 0 if self.plate.knows(kind, style) else self._styles[kind].index(style)

    @cached_property
    def _styles(self) -> dict[str, list[str]]:
        return report.styles(replace(self.picture, legend=self.legend))

    def _sprite(self, key: Hashable, draw: Callable[[], str]) -> int:
        """The number of what has a key, drawn when it is first needed."""
        number = self.store.drawn.get((self.plate.ids, key))
        if number is None:
            number = self.store.drawn[self.plate.ids, key] = self.store.sprite(draw())
        return number


def _runs(marks: Sequence[Mark], first: int) -> Iterator[tuple[int, tuple[Mark, ...]]]:
    """Marks of one kind and style that follow each other, and the place of the first."""
    for _, run in groupby(marks, _kind):
        found = tuple(run)
        yield first, found
        first += len(found)


def _kind(mark: Mark) -> tuple[type, str]:
    return type(mark), report.style_of(mark)


# From scene to scene ---------------------------------------------------------------------------------------------


def splices(old: Sequence[Any], new: Sequence[Any]) -> list[Splice]:
    """What turns one list into the other, from the end backwards, so that no index shifts."""
    if old == new:
        return []
    first, last = _same_ends(old, new)
    if len(old) == len(new) and sum(map(ne, old, new)) <= FEW:
        return list(_replaced(old, new, first, len(old) - last))
    here, there = old[first : len(old) - last], new[first : len(new) - last]
    found = SequenceMatcher(None, here, there, autojunk=False).get_opcodes()
    return [(first + a, b - a, there[c:d]) for what, a, b, c, d in reversed(found) if what != "equal"]


def _same_ends(old: Sequence[Any], new: Sequence[Any]) -> tuple[int, int]:
    """How many items at the beginning and at the end are the same."""
    short = min(len(old), len(new))
    first = next((i for i in range(short) if old[i] != new[i]), short)
    last = next((i for i in range(short - first) if old[-1 - i] != new[-1 - i]), short - first)
    return first, last


def _replaced(old: Sequence[Any], new: Sequence[Any], first: int, end: int) -> Iterator[Splice]:
    """Runs of changed items at their places, the last first."""
    stop = end
    while stop > first:
        if old[stop - 1] == new[stop - 1]:
            stop -= 1
            continue
        start = stop
        while start > first and old[start - 1] != new[start - 1]:
            start -= 1
        yield start, stop - start, new[start:stop]
        stop = start


def spliced(old: Sequence[Any], changes: Sequence[Splice]) -> tuple[Any, ...]:
    """The list after the changes."""
    items = list(old)
    for at, out, into in changes:
        items[at : at + out] = into
    return tuple(items)


def placed(item: Item) -> str:
    """The item of a map as an SVG element that uses its sprite."""
    sprite, x, y = item
    where = f' transform="translate({_dots(x)} {_dots(y)})"' if x or y else ""
    return f'<use href="#s{sprite}"{where}/>'


def defined(number: int, parts: Iterable[str]) -> str:
    """A sprite of a map as an SVG definition."""
    return f'<g id="s{number}">{"".join(parts)}</g>'


def _dots(tenths: int) -> str:
    whole, tenth = divmod(abs(tenths), TENTHS)
    return f"{'-' if tenths < 0 else ''}{whole}{f'.{tenth}' if tenth else ''}"
