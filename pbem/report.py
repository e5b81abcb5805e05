"""Reports: what a player reads, made from a `View` and the story since the last look.

`data` is the one model; `text`, `html` and `terminal` say it through templates, `svg` draws a `Picture`.
Templates hold words and loops; whatever is counted, measured or placed is done here.
Everything shown comes from outside and is hostile: `clean` takes out what steers a terminal or turns text round,
templates escape the rest.
"""

from __future__ import annotations

import json
import re
import shlex
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import hypot
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pbem.api import Area, Arrow, Counter, Grid, Label, Line, Mark, Note, Picture, View
from pbem.dice import POLICY_WORDS
from pbem.errors import Trouble
from pbem.themes import themed

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

COLUMNS = 78
DOTS = 800
UNIT = DOTS / 100
Doc = dict[str, Any]
Maps = Literal["inline", "attached", "cid"]


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits where: the seat's id, the sides it plays in words, the name in the charter."""

    seat: str
    plays: str
    name: str


@dataclass(frozen=True, slots=True)
class Remark:
    """A note that a player wrote into the game, at event `seq`."""

    seq: int
    seat: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Everything one reader is told about one position.

    `event` is the position shown, `seq` and `head` the end of the file it was made from.
    `reader` is a seat, or empty for the public.
    `decides` are the seats that must choose now, `owed` what is waited for, in words.
    `story` is what happened since the reader's last look: event and note; `words` are the engine's sentences.
    `may_write` are orders as they may be typed, by public facts where the report is mailed.
    `trust` is the level of a solitaire game (`S0 diary`), `outcome` the result in words when the game is over.
    `templates` is the folder of an engine that brings its own.
    """

    engine: str
    game: str
    scenario: str
    game_id: str
    head: str
    seq: int
    event: int
    players: tuple[Player, ...]
    view: View
    words: Mapping[str, str]
    policy: str
    verdict: str
    provenance: str
    story: tuple[tuple[int, Note], ...] = ()
    decides: tuple[str, ...] = ()
    owed: tuple[str, ...] = ()
    may_write: tuple[str, ...] = ()
    reader: str = ""
    trust: str = ""
    remarks: tuple[Remark, ...] = ()
    outcome: str = ""
    position: Mapping[str, Sequence[str]] = field(default_factory=dict)
    file: str = "GAME.pbem"
    policy_words: str = ""
    templates: Path | None = None


# The one model ---------------------------------------------------------------------------------------------------


def sentence(note: Note, words: Mapping[str, str]) -> str:
    """The note in the engine's words. Raises `Trouble` where the engine has no sentence, or no value for a name."""
    if note.stem not in words:
        raise Trouble(f'the rules have no sentence for "{note.stem}"', "the author of the rules must add it to `words`")

    def value(name: re.Match[str]) -> str:
        if name[1] not in note.args:
            raise Trouble(
                f'the sentence "{note.stem}" needs "{name[1]}"', "the author of the rules must give it with the note"
            )
        return str(note.args[name[1]])

    return clean(re.sub(r"\{(\w+)\}", value, words[note.stem]))


def data(report: Report) -> Doc:
    """The report as plain data, ready for JSON: what templates and scripts see."""
    view = report.view
    return {
        "game": {
            "engine": clean(report.engine),
            "title": clean(report.game),
            "scenario": clean(report.scenario),
            "id": clean(report.game_id),
            "head": clean(report.head),
            "seq": report.seq,
            "event": report.event,
            "file": clean(report.file),
        },
        "reader": clean(report.reader),
        "players": [
            {
                "seat": clean(player.seat),
                "plays": clean(player.plays),
                "name": clean(player.name),
                "decides": player.seat in report.decides,
            }
            for player in report.players
        ],
        "decides": [clean(seat) for seat in report.decides],
        "deciders": [_who(report, seat) for seat in report.decides],
        "owed": [clean(debt) for debt in report.owed],
        "outcome": clean(report.outcome),
        "headline": clean(view.headline),
        "facts": [[clean(name), clean(value)] for name, value in view.facts],
        "grids": [_grid(grid) for grid in view.grids],
        "maps": [
            {
                "file": name,
                "title": clean(picture.title),
                "text": [clean(line) for line in picture.text],
                "legend": [[clean(sign), clean(words)] for sign, words in picture.legend],
            }
            for name, picture in zip(map_files(report), view.pictures, strict=True)
        ],
        "story": [
            {
                "event": seq,
                "said": sentence(note, report.words),
                "clauses": [clean(clause) for clause in note.clauses],
                "dice": clean(note.label),
                "anchor": clean(note.anchor),
                "stem": clean(note.stem),
                "args": {clean(name): clean(v) if isinstance(v, str) else v for name, v in note.args.items()},
            }
            for seq, note in report.story
        ],
        "remarks": [
            {"event": remark.seq, "seat": clean(remark.seat), "text": clean(remark.text)} for remark in report.remarks
        ],
        "may_write": [clean(usage) for usage in report.may_write],
        "answers": [list(way) for way in _answers(report)],
        "policy": clean(report.policy),
        "policy_words": clean(report.policy_words or POLICY_WORDS.get(report.policy, "")),
        "trust": clean(report.trust),
        "verdict": clean(report.verdict),
        "provenance": clean(report.provenance),
        "position": {name: [clean(line) for line in lines] for name, lines in report.position.items()},
    }


def _grid(grid: Grid) -> Doc:
    for number, row in enumerate(grid.rows, start=1):
        if len(row) != len(grid.columns):
            raise Trouble(
                f'table "{clean(grid.title)}", row {number}: {len(row)} cells for {len(grid.columns)} columns',
                "the author of the rules must give every row a cell for every column",
            )
    return {
        "title": clean(grid.title),
        "columns": [clean(head) for head in grid.columns],
        "rows": [[clean(cell) for cell in row] for row in grid.rows],
    }


def _answers(report: Report) -> list[tuple[str, str]]:
    """The commands by which the reader goes on, and what each does: those that serve him at this point."""
    file = shlex.quote(clean(report.file))
    ways = []
    if not report.reader:
        ways.append(("pbem receive MAIL", "takes in the mail this came with"))
    if not report.reader or report.reader in report.decides:
        ways += [
            (f"pbem legal {file}", "lists what you may order, in words you may type"),
            (f"pbem order {file} ORDER", "reads an order and says which clause forbids it"),
        ]
        alone = len(report.players) == 1
        ways.append((f"pbem send {file}", "signs the draft" + ("" if alone else " and writes the answer")))
    else:
        ways.append(("pbem receive MAIL", "takes in the answer when it comes"))
    return ways


def _who(report: Report, seat: str) -> str:
    """The player's name and seat, or the seat alone where nobody is named."""
    name = next((player.name for player in report.players if player.seat == seat), "")
    return clean(f"{name} ({seat})" if name and name != seat else seat)


def map_files(report: Report) -> tuple[str, ...]:
    """File names for the pictures, by number alone: no name ever comes from content."""
    return tuple(f"map-{number}.svg" for number in range(1, len(report.view.pictures) + 1))


def map_cid(number: int) -> str:
    """The content id of picture `number` (from 1) where a mail carries it as an image."""
    return f"map-{number}@pbem"


# What is rendered ------------------------------------------------------------------------------------------------


def text(report: Report) -> str:
    """The report as plain text of at most 78 columns, for mail and screen readers."""
    return _plain(report).replace(_HEADING, "")


def terminal(report: Report, colour: bool) -> str:
    """The plain text for a terminal; with `colour` its headings are bold."""
    if not colour:
        return text(report)
    return re.sub(f"{_HEADING}([^\n]*)", "\x1b[1m\\1\x1b[0m", _plain(report))


def html(report: Report, maps: Maps = "inline", theme: str = "light") -> str:
    """The report as one HTML page without scripts or outside resources.

    `maps`: drawn in the page; `attached`, named only, since mail programs take SVG out; or `cid`, as images that the
    mail carries under the ids of `map_cid`. `theme` is that of the maps (`pbem.themes`).
    """
    from markupsafe import Markup

    pictures = report.view.pictures if maps == "inline" else ()
    drawn = [
        Markup(themed(svg(p, report.engine, templates=report.templates, inline=n), theme))
        for n, p in enumerate(pictures, start=1)
    ]
    template = environment(report.engine, report.templates).get_template("base.html.jinja")
    return template.render(r=data(report), maps=maps, drawn=drawn, cid=map_cid)


def svg(picture: Picture, engine: str = "", *, templates: Path | None = None, inline: int = 0) -> str:
    """The picture as SVG: a file of its own, or an element of a page; then the number `inline` makes its ids unique."""
    template = environment(engine, templates).get_template("map.svg.jinja")
    return template.render(m=layout(picture), inline=inline, ids=f"m{inline}").strip() + "\n"


def page(name: str, **values: Any) -> str:
    """Another page of ours, `NAME.html.jinja` with these values: what is shown in it has been through `clean`."""
    return environment("").get_template(f"{name}.html.jinja").render(**values)


def _plain(report: Report) -> str:
    template = environment(report.engine, report.templates).get_template("base.txt.jinja")
    lines = [line.rstrip() for line in template.render(r=data(report)).splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"


# Text: clean, measured, wrapped ----------------------------------------------------------------------------------

_HEADING = "\x01"  # before a heading, until it is made bold or taken out; `clean` lets none through
_GAP = "  "
_ASCII = re.compile(r"[\x20-\x7e]*\Z")
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Mn", "Me"})
_RIGHT_TO_LEFT = frozenset({"R", "AL", "AN"})


def clean(words: str) -> str:
    """One line of visible text: control, invisible, combining and right-to-left characters become U+FFFD."""
    if _ASCII.match(words):
        return words
    return "".join(
        "\ufffd" if unicodedata.category(c) in _UNSEEN or unicodedata.bidirectional(c) in _RIGHT_TO_LEFT else c
        for c in words.replace("\t", " ").replace("\n", " ").replace("\xa0", " ")
    )


def columns(words: str) -> int:
    """Terminal columns that a text takes: East Asian wide letters take two."""
    if words.isascii():
        return len(words)
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in words)


def wrap(words: str, first: str = "", rest: str | None = None, room: int = COLUMNS) -> str:
    """Lines of at most `room` columns, broken at blanks, and inside a word only where it is longer than a line."""
    rest = " " * columns(first) if rest is None else rest
    lines: list[str] = []
    line, empty = first, True
    for word in words.split():
        if not empty and columns(line) + 1 + columns(word) <= room:
            line += f" {word}"
            continue
        if not empty:
            lines.append(line)
            line, empty = rest, True
        while columns(line) + columns(word) > room:
            cut = _cut(word, room - columns(line))
            lines.append(line + word[:cut])
            line, word = rest, word[cut:]
        line, empty = line + word, False
    return "\n".join([*lines, line])


def _heading(words: str) -> str:
    """A wrapped heading, each line marked."""
    return "\n".join(_HEADING + line for line in wrap(words).split("\n"))


def _cut(word: str, room: int) -> int:
    """How many letters fit into `room` columns, at least one."""
    cut = 1
    while cut < len(word) and columns(word[: cut + 1]) <= room:
        cut += 1
    return cut


def _soft(words: str) -> Markup:
    """HTML of a table head whose long words may be parted in the middle on a narrow screen."""
    from markupsafe import Markup, escape

    def parted(word: str) -> Markup:
        half = (len(word) + 1) // 2
        return escape(word[:half]) + Markup("&shy;") + escape(word[half:]) if len(word) > 10 else escape(word)

    return Markup(" ").join(parted(word) for word in words.split())


def _chart(lines: Sequence[str], room: int = COLUMNS) -> str:
    """A text map as it is; a line that is too wide goes on below, indented."""
    out: list[str] = []
    for line in lines:
        line, indent = line.rstrip(), ""
        while columns(line) > room:
            cut = _cut(line, room)
            out.append(line[:cut])
            indent = "    "
            line = indent + line[cut:].lstrip()
        out.append(line)
    return "\n".join(out)


def table(grid: Mapping[str, Any], room: int = COLUMNS) -> str:
    """A table in aligned columns, numbers to the right; one that is too wide as a list, a row a paragraph."""
    heads, rows = grid["columns"], grid["rows"]
    widths = [max(columns(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    if sum(widths) + len(_GAP) * (len(widths) - 1) > room:
        named = (
            [f"{head}: {cell}" if head else cell for head, cell in zip(heads, row, strict=True) if cell] for row in rows
        )
        return "\n".join(wrap("; ".join(cells), "", _GAP) for cells in named)
    right = _numeric(grid)

    def padded(cell: str, i: int) -> str:
        blanks = " " * (widths[i] - columns(cell))
        return blanks + cell if right[i] else cell + blanks

    return "\n".join(_GAP.join(padded(cell, i) for i, cell in enumerate(row)).rstrip() for row in [heads, *rows])


def _numeric(grid: Mapping[str, Any]) -> list[bool]:
    """Which columns hold numbers only (a dash may stand for none)."""
    number = re.compile(r"[+-]?\d+|[-\u2013\u2014]?\Z")
    return [
        any(row[i] for row in grid["rows"]) and all(number.fullmatch(row[i]) for row in grid["rows"])
        for i in range(len(grid["columns"]))
    ]


# Maps: what is measured and placed -------------------------------------------------------------------------------

_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
FAN = 0.16  # how far a counter under another one looks out, in its size
_LETTER = 0.58  # width of a letter of the usual faces, in its height
Point = tuple[float, float]
KIND_OF: Mapping[type, str] = {Area: "area", Line: "line", Label: "label", Counter: "counter", Arrow: "arrow"}


def layout(picture: Picture) -> Doc:
    """The picture as the map template wants it: marks in runs of one kind and style, legend in rows, all measured.

    Lengths come out in dots of a map whose longer side has `DOTS`: letters of one or two units, as a map of 100 units
    has them, are set badly by some programs. `u` is a hundredth of that side, the measure of frame, title and legend.
    """
    picture = _in_dots(picture)
    u = UNIT
    title = clean(picture.title)
    legend, legend_height = _legend(picture, u)
    top = 8 * u if title else 0
    nth = styles(picture)
    spread: dict[Point, int] = {}
    counters = [mark for mark in picture.marks if isinstance(mark, Counter)]
    runs: list[Doc] = []
    for mark in picture.marks:
        kind = KIND_OF[type(mark)]
        style = style_of(mark)
        if not runs or (runs[-1]["kind"], runs[-1]["style"]) != (kind, clean(style)):
            runs.append({"kind": kind, "style": clean(style), "nth": nth[kind].index(style), "marks": []})
        if isinstance(mark, Counter):
            under = spread.get((mark.x, mark.y), 0)  # counters on one spot fan out, so that each can be counted
            spread[mark.x, mark.y] = under + 1
            seen = drawn_counter(mark, FAN * mark.size * under)
        else:
            seen = drawn(mark, counters)
        runs[-1]["marks"].append(seen)
    return {
        "u": u,
        "title": title,
        "desc": _described(picture),
        "width": picture.width,
        "height": picture.height,
        "top": top,
        "bottom": legend_height,
        "runs": runs,
        "legend": legend,
    }


def drawn(mark: Area | Line | Label | Arrow, counters: Sequence[Counter]) -> Doc:
    """One mark as the template wants it, in dots; an arrow keeps clear of the counters."""
    if isinstance(mark, Area | Line):
        return {"points": mark.points, "name": clean(mark.name)}
    if isinstance(mark, Label):
        return {"x": mark.x, "y": mark.y, "text": clean(mark.text), "size": mark.size, "anchor": mark.anchor}
    return _arrow(mark, counters, UNIT)


def scaled(mark: Mark, k: float) -> Any:
    """The mark `k` times as large; one of the same kind."""
    if isinstance(mark, Area | Line):
        return replace(mark, points=tuple((x * k, y * k) for x, y in mark.points))
    if isinstance(mark, Arrow):
        return replace(mark, x1=mark.x1 * k, y1=mark.y1 * k, x2=mark.x2 * k, y2=mark.y2 * k)
    return replace(mark, x=mark.x * k, y=mark.y * k, size=mark.size * k)


def _in_dots(picture: Picture) -> Picture:
    k = DOTS / max(picture.width, picture.height)
    marks = tuple(scaled(mark, k) for mark in picture.marks)
    return replace(picture, width=picture.width * k, height=picture.height * k, marks=marks, still=())


def style_of(mark: Mark) -> str:
    return mark.side if isinstance(mark, Counter) else mark.style


def _used(picture: Picture) -> dict[str, set[str]]:
    """Style names of the picture's marks by kind."""
    found: dict[str, set[str]] = {kind: set() for kind in KIND_OF.values()}
    for mark in picture.marks:
        found[KIND_OF[type(mark)]].add(style_of(mark))
    return found


def styles(picture: Picture) -> dict[str, list[str]]:
    """Style names by kind: the place in this list picks a look for names that no template knows.

    The legend comes first, used or not, so that a side keeps its look when the other side has left the map.
    """
    found = _used(picture)
    signs = [sign.rpartition(":")[::2] for sign, _ in picture.legend]
    looks = {}
    for kind, styles in found.items():
        elsewhere = set().union(*(others for other, others in found.items() if other != kind)) - styles
        named = [name for said, name in signs if said == kind or (not said and name not in elsewhere)]
        looks[kind] = [*dict.fromkeys(named), *sorted(styles - set(named))]
    return looks


def _described(picture: Picture) -> str:
    """What a screen reader says for the picture: its counters and moves, or the text map where there are none."""
    said = [clean(_named(mark)) for mark in picture.marks if isinstance(mark, Counter)]
    said += [clean(mark.title) for mark in picture.marks if isinstance(mark, Arrow) and mark.title]
    return ". ".join(said) or " ".join(clean(line).strip() for line in picture.text) or clean(picture.title)


def _named(counter: Counter) -> str:
    name = counter.title or " ".join(word for word in (counter.side, counter.value, counter.text) if word)
    return ", ".join([name, *(mark for mark in counter.marks if mark not in name)])


def drawn_counter(counter: Counter, shift: float) -> Doc:
    x, y = counter.x - shift, counter.y + shift  # down and left: the signs at the top right stay in sight
    return {
        "x": x,
        "y": y,
        "size": counter.size,
        "title": clean(_named(counter)),
        "value": clean(counter.value),
        "text": clean(counter.text),
        "pips": _pips(counter.pips, x, y, counter.size),
        "signs": [clean(mark)[:1].upper() for mark in counter.marks],
    }


def _pips(pips: int, x: float, y: float, size: float) -> list[Point]:
    """Centres of the dots on the face of a die; none for a number that no die shows."""
    return [(x + dx * size / 4, y + dy * size / 4) for dx, dy in _PIPS.get(pips, ())]


def _arrow(arrow: Arrow, counters: Sequence[Counter], u: float) -> Doc:
    """Shaft and head of a slightly bent arrow that keeps clear of counters at its ends."""
    start, end = (arrow.x1, arrow.y1), (arrow.x2, arrow.y2)
    length = hypot(end[0] - start[0], end[1] - start[1]) or u
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    middle = (
        (start[0] + end[0]) / 2 - along[1] * 0.14 * length,
        (start[1] + end[1]) / 2 + along[0] * 0.14 * length,
    )
    head = min(3.4 * u, 0.5 * length)

    def kept_clear(spot: Point) -> float:
        sizes = [c.size for c in counters if hypot(c.x - spot[0], c.y - spot[1]) < u]
        return min(0.64 * max(sizes, default=0), 0.25 * length)

    tail = _towards(start, middle, kept_clear(start))
    tip = _towards(end, middle, kept_clear(end))
    neck = _towards(tip, middle, head)
    across = ((tip[1] - neck[1]) * 0.42, (neck[0] - tip[0]) * 0.42)
    return {
        "title": clean(arrow.title),
        "shaft": f"M{_pair(tail)}Q{_pair(middle)} {_pair(_towards(tip, middle, 0.8 * head))}",
        "head": f"M{_pair(tip)}L{_pair((neck[0] + across[0], neck[1] + across[1]))}"
        f"L{_pair((neck[0] - across[0], neck[1] - across[1]))}Z",
    }


def _towards(here: Point, there: Point, way: float) -> Point:
    length = hypot(there[0] - here[0], there[1] - here[1]) or 1
    return here[0] + (there[0] - here[0]) * way / length, here[1] + (there[1] - here[1]) * way / length


def _legend(picture: Picture, u: float) -> tuple[list[Doc], float]:
    """Legend entries with their places, and the height they take below the map.

    A sign is a style name used in the picture (`allied`), one with its kind (`arrow:advance`), one with `shape` for
    an area in its own shape, or a text to show.
    """
    if not picture.legend:
        return [], 0
    words = [short(clean(meaning), 60) for _, meaning in picture.legend]
    size = 2.5 * u
    cell = max(len(meaning) for meaning in words) * _LETTER * size + 9 * u
    across = max(1, int((picture.width - 4 * u) / cell))
    cell = (picture.width - 4 * u) / across
    entries = []
    for i, entry in enumerate(legend_signs(picture)):
        x, y = 2 * u + cell * (i % across), picture.height + 5.5 * u + 4.6 * u * (i // across)
        points = fitted(entry["points"], (x + 2.6 * u, y), (4.8 * u, 3 * u))
        entries.append(entry | {"points": points, "x": x, "y": y, "size": size})
    return entries, (4.6 * ((len(words) - 1) // across + 1) + 3) * u


def legend_signs(picture: Picture) -> list[Doc]:
    """The entries of the legend: what sign each has, and its meaning; an area in its own shape has its points."""
    nth, used = styles(picture), _used(picture)
    entries = []
    for sign, meaning in picture.legend:
        kind, _, name = sign.rpartition(":")
        points: Sequence[Point] = ()
        if kind == "shape":
            kind = "area"
            points = next((mark.points for mark in picture.marks if isinstance(mark, Area) and mark.style == name), ())
        if kind not in nth:
            kind = next((k for k in ("counter", "line", "arrow", "area", "label") if name in used[k]), "sign")
        entries.append(
            {
                "kind": kind,
                "points": points,
                "style": clean(name),
                "nth": nth[kind].index(name) if kind in nth and name in nth[kind] else 0,
                "die": any(isinstance(m, Counter) and m.side == name and m.pips for m in picture.marks),
                "sign": short(clean(sign), 4),
                "words": short(clean(meaning), 60),
            }
        )
    return entries


def fitted(points: Sequence[Point], middle: Point, room: Point) -> list[Point]:
    """A shape in so much room around a middle; none where it has no extent."""
    if not points:
        return []
    xs, ys = [x for x, _ in points], [y for _, y in points]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    if not wide or not high:
        return []
    k = min(room[0] / wide, room[1] / high)
    left, top = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    return [(middle[0] + (x - left) * k, middle[1] + (y - top) * k) for x, y in points]


def short(words: str, letters: int) -> str:
    """The text, or its beginning and an ellipsis."""
    return words if len(words) <= letters else words[: letters - 1].rstrip() + "\u2026"


def fit(words: str, room: float, size: float) -> float:
    """The size of letters with which the text fits into `room`, at most `size`."""
    return min(size, room / (_LETTER * max(columns(words), 1)))


def _number(value: float) -> str:
    """A tenth of a dot is as fine as anybody sees; no minus before a zero."""
    digits = f"{value:.1f}".removesuffix(".0")
    return "0" if digits == "-0" else digits


def _pair(point: Point) -> str:
    return f"{_number(point[0])} {_number(point[1])}"


def _path(points: Sequence[Point], smooth: bool = False, closed: bool = False) -> str:
    """SVG path data through the points, straight or as a smooth curve (Catmull-Rom)."""
    if len(points) < 2:
        return ""
    end = "Z" if closed else ""
    if not smooth or len(points) < 3:
        return "M" + "L".join(_pair(point) for point in points) + end
    before, after = (points[-1], points[0]) if closed else (points[0], points[-1])
    way = [before, *points, *([points[0], points[1]] if closed else [after])]
    curves = []
    for p, q, r, s in zip(way, way[1:], way[2:], way[3:], strict=False):
        leave = (q[0] + (r[0] - p[0]) / 6, q[1] + (r[1] - p[1]) / 6)
        arrive = (r[0] - (s[0] - q[0]) / 6, r[1] - (s[1] - q[1]) / 6)
        curves.append(f"C{_pair(leave)} {_pair(arrive)} {_pair(r)}")
    return f"M{_pair(points[0])}" + "".join(curves) + end


_CORNERS: Mapping[str, tuple[Point, ...]] = {  # in halves of the size
    "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "cut": ((-0.62, -1), (0.62, -1), (1, -0.62), (1, 0.62), (0.62, 1), (-0.62, 1), (-1, 0.62), (-1, -0.62)),
    "hexagon": ((-0.6, -1), (0.6, -1), (1.1, 0), (0.6, 1), (-0.6, 1), (-1.1, 0)),
    "shield": ((-1, -1), (1, -1), (1, 0.45), (0, 1.1), (-1, 0.45)),
    "diamond": ((0, -1.2), (1.2, 0), (0, 1.2), (-1.2, 0)),
    "house": ((-1, -0.6), (0, -1.1), (1, -0.6), (1, 1), (-1, 1)),
}


def _shape(name: str, x: float, y: float, size: float) -> str:
    """The outline of a counter as path data: `round`, `die` (soft corners), or one of `_CORNERS`."""
    half = size / 2
    if name in ("round", "die"):
        soft = half if name == "round" else 0.36 * half
        turn = f"A{_number(soft)} {_number(soft)} 0 0 1 "
        side = _number(size - 2 * soft)
        return (
            f"M{_pair((x - half + soft, y - half))}h{side}{turn}{_pair((x + half, y - half + soft))}v{side}"
            f"{turn}{_pair((x + half - soft, y + half))}h-{side}{turn}{_pair((x - half, y + half - soft))}v-{side}"
            f"{turn}{_pair((x - half + soft, y - half))}Z"
        )
    return _path([(x + dx * half, y + dy * half) for dx, dy in _CORNERS[name]], closed=True)


# Templates -------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def environment(engine: str, templates: Path | None = None) -> Environment:
    """Templates of one engine: its own folder, the folder of its id among ours, ours.

    `pbem/NAME` is always ours, for an engine's template that extends the one it replaces.
    """
    from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined

    home = template_folder()
    ours = FileSystemLoader(home)
    own = [templates] if templates else []
    if re.fullmatch(r"[a-z0-9][a-z0-9-]*", engine):
        own.append(home / engine)
    environment = Environment(
        loader=ChoiceLoader([*map(FileSystemLoader, own), ours, PrefixLoader({"pbem": ours})]),
        undefined=StrictUndefined,
        autoescape=_escapes,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
    )
    environment.globals.update(shape=_shape, pips=_pips, letter=_LETTER)
    environment.filters.update(
        {
            "heading": _heading,
            "wrap": wrap,
            "soft": _soft,
            "quoted": shlex.quote,
            "longest": lambda words: max(map(len, words.split()), default=0),
            "chart": _chart,
            "table": table,
            "numeric": _numeric,
            "clean": clean,
            "short": short,
            "fit": fit,
            "n": _number,
            "path": _path,
            "outlines": lambda areas, smooth: [
                (_path(area["points"], smooth, closed=True), area["name"]) for area in areas
            ],
        }
    )
    return environment


def _escapes(name: str | None) -> bool:
    return name is None or not name.endswith(".txt.jinja")


def template_folder() -> Path:
    """The templates of an installed package, or those beside a checkout."""
    here = Path(__file__).resolve().parent
    for folder in (here / "_templates", here.parent / "templates"):
        if (folder / "base.txt.jinja").is_file():
            return folder
    raise Trouble(f"no report templates beside {here}", "the installation is not complete: install pbem again")


def story_lines(report: Report) -> list[str]:
    """What happened, a sentence a line, with clauses and dice: for a terminal in the middle of a conversation."""
    lines = []
    for seq, note in report.story:
        clauses = f" [{', '.join(clean(clause) for clause in note.clauses)}]" if note.clauses else ""
        lines.append(wrap(f"{sentence(note, report.words)}{clauses}", f"{seq:5d}  "))
        if note.label:
            lines.append(wrap(f"dice {clean(note.label)}, policy {clean(report.policy)}", "       "))
    return lines


def json_text(report: Report) -> str:
    """The report as JSON."""
    return json.dumps(data(report), indent=2, ensure_ascii=False) + "\n"
