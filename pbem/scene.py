"""Maps taken apart: what stands still is drawn once, and from one position to the next only what changes is named.

A `Sprite` is a piece of SVG that is drawn once, however often and wherever it stands: a counter by its looks, an
arrow, a road, all areas of one kind. A `Scene` is a map as a list of sprites with their places, from back to front.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import groupby
from operator import is_, ne
from pathlib import Path
from typing import Any, Final

from pbem import report
from pbem.api import Area, Arrow, Counter, Label, Mark, Picture

CUT: Final = "\x02"
"""Parts the pieces of a map in the template's output; no text of a picture contains it, being `clean`."""

SHORE: Final = "\x03"
"""Begins the piece with the shallow water around all coasts; `clean` like the cut."""

TENTHS: Final = 10
"""Places are whole tenths of a dot."""

WHOLE: Final = ("area", "label")
"""Marks that are drawn a run at a time: their borders, patterns and halos lie under or over each other."""

FEW: Final = 12
"""So many changed places are told one by one; with more of them something was put in between."""

Item = tuple[int, int, int]
"""A sprite by number, and where it stands: x and y in tenths of a dot, 0 and 0 for what is drawn in its place."""

Scene = tuple[Item, ...]

Splice = tuple[int, int, Scene]
"""At an index: so many items out, these in. Those of one change are given from the end of the scene backwards."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The SVG around the pieces of a map: its beginning with paper and patterns, and its end with the legend."""

    head: str
    tail: str


@dataclass
class Stage:
    """One map of a game through all its positions: what was drawn so far, in the order in which it was first needed.

    `number` keeps the ids of several maps in one page apart.
    """

    engine: str
    number: int
    templates: Path | None = None
    sprites: list[str] = field(default_factory=list)
    frame: Frame | None = None
    _texts: dict[str, int] = field(default_factory=dict)
    _drawn: dict[Any, int] = field(default_factory=dict)
    _runs: dict[tuple[Mark, ...], int] = field(default_factory=dict)
    _last: dict[int, tuple[tuple[Mark, ...], int]] = field(default_factory=dict)
    _legend: dict[tuple[str, str], None] = field(default_factory=dict)
    _about: Any = None
    _shore: Item | None = None
    _under: frozenset[str] = frozenset()
    """Styles of the areas that lie below the shallow water."""

    def scene(self, picture: Picture) -> Scene:
        """The picture as sprites in their places; what was never seen before is drawn."""
        self._legend.update(dict.fromkeys(picture.legend))
        picture = replace(picture, title="", text=(), legend=tuple(self._legend))
        pieces = list(self._pieces(picture))
        new = {key for key, _, _ in pieces if key not in self._drawn}
        about = (picture.width, picture.height, picture.legend)
        if new or about != self._about:
            self._draw(picture, [key for key, _, _ in pieces], new, about)
        items = [(self._drawn[key], x, y) for key, x, y in pieces]
        if self._shore is not None:
            above = (n for n, (key, _, _) in enumerate(pieces) if key[0] is Area and key[1] not in self._under)
            items.insert(next(above, 0), self._shore)
        return tuple(items)

    def _draw(self, picture: Picture, keys: list[Any], new: set[Any], about: Any) -> None:
        """Draw the pieces whose keys are new; all of them, and the frame, where size or legend are."""
        layout = report.layout(picture) | {"desc": "", "cut": CUT}
        every, wanted, runs, at = about != self._about, [], [], 0
        for run in layout["runs"]:
            whole = run["kind"] in WHOLE
            here = keys[at : at + (1 if whole else len(run["marks"]))]
            at += len(here)
            kept = [i for i, key in enumerate(here) if every or key in new]
            wanted += [here[i] for i in kept]
            if run["kind"] == "counter":
                runs.append(run | {"marks": [_at_origin(here[i]) for i in kept]})
            elif kept:
                runs.append(run | {"marks": run["marks"] if whole else [run["marks"][i] for i in kept]})
        template = report.environment(self.engine, self.templates).get_template("map.svg.jinja")
        layout |= {"runs": runs, "shore": SHORE}
        head, *pieces, tail = template.render(m=layout, inline=self.number, ids=f"m{self.number}").split(CUT)
        shore = next((n for n, piece in enumerate(pieces) if piece.startswith(SHORE)), None)
        water = pieces.pop(shore).removeprefix(SHORE) if shore is not None else ""
        if every:
            self.frame, self._about = Frame(head.strip(), tail.strip()), about
            if shore is not None:
                self._shore = (self._sprite(water), 0, 0)
                self._under = frozenset(key[1] for key in wanted[:shore] if key[0] is Area)
        for key, piece in zip(wanted, pieces, strict=True):
            if key not in self._drawn:
                self._drawn[key] = self._sprite(piece)

    def _sprite(self, piece: str) -> int:
        """A sprite as the template drew it; one that was drawn before is that one."""
        text = "".join(line.strip() for line in piece.splitlines())
        number = self._texts.setdefault(text, len(self.sprites))
        if number == len(self.sprites):
            self.sprites.append(text)
        return number

    def _pieces(self, picture: Picture) -> Iterator[tuple[Any, int, int]]:
        """A key for each piece, equal for what looks alike, and where it stands; areas and labels go by runs."""
        nth = report.styles(picture)
        scale = report.DOTS / max(picture.width, picture.height)
        counters = [mark for mark in picture.marks if isinstance(mark, Counter)]
        spread: dict[tuple[float, float], int] = {}
        for number, ((kind, style), run) in enumerate(groupby(picture.marks, _kind)):
            place = nth[report.KIND_OF[kind]].index(style)
            if kind in (Area, Label):
                yield (kind, style, scale, place, self._run(number, tuple(run))), 0, 0
                continue
            for mark in run:
                if isinstance(mark, Counter):
                    under = spread.get((mark.x, mark.y), 0)
                    spread[mark.x, mark.y] = under + 1
                    shift = report.FAN * mark.size * under
                    x, y = (round(TENTHS * scale * to) for to in (mark.x - shift, mark.y + shift))
                    yield (scale, place, replace(mark, x=0, y=0)), x, y
                elif isinstance(mark, Arrow):  # an arrow keeps clear of the counters at its ends
                    ends = ((mark.x1, mark.y1), (mark.x2, mark.y2))
                    close = max(picture.width, picture.height) / 50
                    near = (c for c in counters if any(abs(c.x - x) + abs(c.y - y) < close for x, y in ends))
                    yield (scale, place, mark, tuple((c.x, c.y, c.size) for c in near)), 0, 0
                else:
                    yield (scale, place, mark), 0, 0

    def _run(self, number: int, marks: tuple[Mark, ...]) -> int:
        """A number for marks that are drawn together; those of the last picture, the same objects, are not compared."""
        if number in self._last:
            before, known = self._last[number]
            if len(before) == len(marks) and all(map(is_, before, marks)):
                return known
        known = self._runs.setdefault(marks, len(self._runs))
        self._last[number] = (marks, known)
        return known


def _kind(mark: Mark) -> tuple[type, str]:
    return type(mark), report.style_of(mark)


def _at_origin(key: tuple[float, int, Counter]) -> report.Doc:
    scale, _, mark = key
    return report.drawn_counter(replace(mark, size=mark.size * scale), 0)


# From scene to scene ---------------------------------------------------------------------------------------------


def splices(old: Scene, new: Scene) -> list[Splice]:
    """What turns one scene into the other, from the end backwards, so that no index shifts."""
    if old == new:
        return []
    first, last = _same_ends(old, new)
    if len(old) == len(new) and sum(map(ne, old, new)) <= FEW:
        return list(_replaced(old, new, first, len(old) - last))
    here, there = old[first : len(old) - last], new[first : len(new) - last]
    found = SequenceMatcher(None, here, there, autojunk=False).get_opcodes()
    return [(first + a, b - a, there[c:d]) for what, a, b, c, d in reversed(found) if what != "equal"]


def _same_ends(old: Sequence[Item], new: Sequence[Item]) -> tuple[int, int]:
    """How many items at the beginning and at the end are the same."""
    short = min(len(old), len(new))
    first = next((i for i in range(short) if old[i] != new[i]), short)
    last = next((i for i in range(short - first) if old[-1 - i] != new[-1 - i]), short - first)
    return first, last


def _replaced(old: Scene, new: Scene, first: int, end: int) -> Iterator[Splice]:
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


def spliced(scene: Scene, changes: Sequence[Splice]) -> Scene:
    """The scene after the changes."""
    items = list(scene)
    for at, out, into in changes:
        items[at : at + out] = into
    return tuple(items)


def placed(number: int, item: Item) -> str:
    """The item of a map as an SVG element that uses its sprite."""
    sprite, x, y = item
    where = f' transform="translate({_dots(x)} {_dots(y)})"' if x or y else ""
    return f'<use href="#m{number}-{sprite}"{where}/>'


def defined(number: int, sprites: Iterable[str]) -> str:
    """The sprites of a map as SVG definitions."""
    return "<defs>" + "".join(f'<g id="m{number}-{i}">{one}</g>' for i, one in enumerate(sprites)) + "</defs>"


def _dots(tenths: int) -> str:
    whole, tenth = divmod(abs(tenths), TENTHS)
    return f"{'-' if tenths < 0 else ''}{whole}{f'.{tenth}' if tenth else ''}"
