"""The replay page: a whole game as one HTML file that needs neither network nor server.

The log stands in it as text, one list item an event. Maps stand as sprites (`pbem.scene`); facts, tables and text maps
as numbered strings and lists of them; and each event has a step, which names only what it changes.
Everything that comes from the game is escaped, or stands in a JSON block that no HTML can end.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

from pbem import account, dice, keys, report, scene, themes, trust
from pbem.api import Grid, Picture, View
from pbem.archive import Piece
from pbem.errors import PbemError
from pbem.replaying import KINDS, Game, Moment
from pbem.report import clean

Step = dict[str, Any]
"""What an event changes: `h` headline, `f` facts, `g` tables, `t` text maps, `c` titles and `z` sizes of maps, `m`
map splices.

The numbers are places in `strings` and `lists`; a splice is [map, index, out, sprite, x, y, sprite, x, y, ...].
"""

CONTROLS: Final = "\u2028\u2029"


@dataclass
class Lists:
    """Lists of numbers, each once, by its own number; one that differs little from another is told by the difference.

    `told` are they as the page has them: as they are, or [-1 - other, index, out, count, new ones, index, out, ...].
    """

    told: list[list[int]] = field(default_factory=list)
    _values: list[tuple[int, ...]] = field(default_factory=list)
    _places: dict[tuple[int, ...], int] = field(default_factory=dict)

    def put(self, numbers: Iterable[int], near: int | None = None) -> int:
        """The number of a list; `near` is that of one that may be much the same."""
        value = tuple(numbers)
        place = self._places.setdefault(value, len(self._values))
        if place == len(self._values):
            self._values.append(value)
            self.told.append(self._shorter(value, near))
        return place

    def _shorter(self, value: tuple[int, ...], near: int | None) -> list[int]:
        if near is not None and len(value) > LEAST:
            changes = scene.splices(self._values[near], value)
            told = [-1 - near, *(n for at, out, into in changes for n in (at, out, len(into), *into))]
            if len(told) < len(value):
                return told
        return list(value)


LEAST: Final = 4
"""A list of so few numbers is told as it is."""


class Steps:
    """The views of a game from event to event, as what changes.

    A map keeps its place on the page as long as the same part is shown.
    """

    def __init__(self, engine: str) -> None:
        self.store = scene.Store(engine)
        self.strings: dict[str, int] = {}
        self.lists = Lists()
        self.stages: list[scene.Stage] = []
        self.scenes: list[scene.Scene] = []
        self.shown: list[Picture | None] = []
        """The picture in each place, None where there is none now."""
        self.latest: list[Picture] = []
        """The last picture that was in each place."""
        self._last: Step = {}
        self._parts: list[tuple[Any, ...]] = []
        self._lines: dict[Hashable, int] = {}
        self._near: dict[Hashable, int] = {}

    def step(self, view: View) -> Step:
        """What this view changes in the one before."""
        self.shown = self._placed(view.pictures)
        there = [(stage, one) for stage, one in zip(self.stages, self.shown, strict=True)]
        whole: Step = {
            "h": self._string(view.headline),
            "f": self._list("f", [self._string(part) for fact in view.facts for part in fact]),
            "g": self._list("g", [self._grid(grid) for grid in view.grids]),
            "c": self._list("c", [self._string(one.title if one else "") for one in self.shown]),
            "z": self._list("z", [side for stage, one in there for side in (stage.size(one) if one else (0, 0))]),
            "t": self._list("t", [self._text(n, one.text if one else ()) for n, one in enumerate(self.shown)]),
        }
        changed = {name: value for name, value in whole.items() if self._last.get(name) != value}
        self._last = whole
        moves = [one for number, picture in enumerate(self.shown) for one in self._moves(number, picture)]
        return changed | ({"m": moves} if moves else {})

    def _placed(self, pictures: Sequence[Picture]) -> list[Picture | None]:
        """Each picture in its place: where it was, else where one of its kind was, else a new one."""
        places: list[Picture | None] = [None] * len(self.stages)
        waiting = []
        for picture in pictures:
            same = (n for n, part in enumerate(self._parts) if part == _part(picture) and places[n] is None)
            place = next(same, None)
            if place is None:
                waiting.append(picture)
            else:
                places[place] = picture
        for picture in waiting:
            alike = (n for n, part in enumerate(self._parts) if part[0] == picture.name and places[n] is None)
            place = next(alike, None)
            if place is None:
                place = len(places)
                places.append(None)
                self._parts.append(())
                self.stages.append(scene.Stage(self.store))
                self.scenes.append(())
            places[place], self._parts[place] = picture, _part(picture)
        self.latest = [new or old for new, old in zip_longest(places, self.latest)]
        return places

    def in_order(self) -> list[tuple[int, scene.Stage]]:
        """The places as they stand on the page: first the kinds of maps of which there is one."""
        kinds = [picture.name for picture in self.latest]
        return sorted(enumerate(self.stages), key=lambda one: (kinds.count(kinds[one[0]]) > 1, one[0]))

    def _moves(self, number: int, picture: Picture | None) -> Iterator[list[int]]:
        new = self.stages[number].scene(picture) if picture is not None else self.scenes[number]
        for at, out, into in scene.splices(self.scenes[number], new):
            yield [number, at, out, *(value for item in into for value in item)]
        self.scenes[number] = new

    def _string(self, text: str) -> int:
        number = self._lines.get(text)
        if number is None:
            number = self._lines[text] = self.strings.setdefault(clean(text), len(self.strings))
        return number

    def _list(self, name: Hashable, numbers: Iterable[int]) -> int:
        """The number of a list that takes the place of the one that had this name."""
        number = self._near[name] = self.lists.put(numbers, self._near.get(name))
        return number

    def _row(self, texts: tuple[str, ...]) -> int:
        number = self._lines.get(texts)
        if number is None:
            number = self._lines[texts] = self.lists.put(map(self._string, texts))
        return number

    def _text(self, place: int, lines: tuple[str, ...]) -> int:
        return self._list(("t", place), map(self._string, lines))

    def _grid(self, grid: Grid) -> int:
        number = self._lines.get(grid)
        if number is None:
            rows = (self._string(grid.title), self._row(grid.columns), *map(self._row, grid.rows))
            number = self._lines[grid] = self._list(("g", grid.title), rows)
        return number


def _part(picture: Picture) -> tuple[Any, ...]:
    """What part of a map a picture shows: by its printed marks, which are the same objects, else by its size."""
    if picture.still:
        return picture.name, id(picture.marks[picture.still[0][0]])
    return picture.name, picture.width, picture.height


def page(game: Game, progress: Callable[[int], None] = lambda _: None) -> str:
    """The whole page."""
    steps = Steps(game.engine.id)
    first = steps.step(game.view())
    rows: list[Markup] = []
    done: list[Step] = [first]
    marks: list[tuple[int, str]] = []
    counts = dict.fromkeys(KINDS, 0)
    for moment in game.moments():
        counts[moment.kind] += 1
        rows.append(_row(game, moment))
        done.append(steps.step(game.view()) if moment.moved else {})
        marks += [(moment.event.seq, anchor) for anchor in moment.anchors]
        progress(moment.event.seq)
    script, style = _file("replay.js"), _file("replay.css")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    fold, terms = game.end, game.end.game.charter
    level = trust.level(fold)
    store, samples = steps.store, steps.store.samples()
    signs = [sign for _, sign in samples]
    patterns = "".join(plate.defs for plate in store.plates.values())
    (parts, signs, figures, (patterns,)), light, dim = themes.in_both(
        [list(store.parts), signs, list(_figures(steps)), [patterns]]
    )
    last = {sprite for items in steps.scenes for sprite, _, _ in items}
    sprites = list(store.sprites)
    data = {
        "strings": list(steps.strings),
        "lists": steps.lists.told,
        "steps": done,
        "parts": parts,
        "sprites": sprites,
        "file": game.path.name,
    }
    template = report.environment(game.engine.id).get_template("replay.html.jinja")
    return template.render(
        title=clean(game.engine.title),
        scenario=clean(game.scenario.title),
        players=[
            {
                "seat": seat.id,
                "plays": clean(seat.plays),
                "name": clean(fold.players.get(seat.id, seat.id)),
                "key": keys.fingerprint(bytes.fromhex(fold.game.key_of(seat.id))),
            }
            for seat in game.scenario.seats
        ],
        verdict=clean(game.verdict.line()),
        open_hands=game.open_hands,
        sealed=bool(fold.slots.names),
        policy=terms.dice.policy,
        policy_words=dice.POLICY_WORDS[level.name if level is not None else fold.policy],
        provenance=account.provenance(game.end.rules.start.components) if game.end.rules else "",
        game=fold.game.id,
        head=fold.head,
        last=fold.seq,
        file=clean(game.path.name),
        kinds=[(kind, words, counts[kind]) for kind, words in KINDS.items() if counts[kind]],
        marks=_by_turn(marks),
        rows=rows,
        maps=[
            {"number": place + 1, "figure": Markup(figures[place]), "shown": steps.shown[place], "ratio": _ratio(stage)}
            for place, stage in steps.in_order()
        ],
        patterns=Markup(patterns),
        sprites=Markup("".join(scene.defined(n, (parts[one] for one in sprites[n])) for n in sorted(last))),
        legend=[(Markup(sign), words) for sign, (words, _) in zip(signs, samples, strict=True)],
        colours=(Markup(light), Markup(dim)),
        view=game.view(),
        digest=digest,
        script=Markup(script),
        style=Markup(style),
        data=Markup(json_block(data)),
    )


def _figures(steps: Steps) -> Iterator[str]:
    """The maps as they stand at the end, in their frames."""
    for place, picture in enumerate(steps.latest):
        inside = Markup("".join(map(scene.placed, steps.scenes[place])))
        items = Markup('<g class="items" id="items{}">{}</g>').format(place + 1, inside)
        yield steps.store.render(replace(picture, marks=(), still=()), f"m{place + 1}", part="figure", inside=items)


def _ratio(stage: scene.Stage) -> str:
    width, height = (side + scene.AROUND for side in stage.largest)
    return f"{width}/{height}"


def made(piece: Piece) -> tuple[str, str]:
    """The page of a game file, or "" and why there is none; as `pbem.jobs` hands out work."""
    try:
        return page(Game(Path(piece.path), Path(piece.components) if piece.components else None, piece.content)), ""
    except PbemError as error:
        return "", str(error)


def json_block(data: Any) -> str:
    """JSON for a script element: nothing in it can end the element, begin a comment or break a line."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return re.sub(f"[<>&{CONTROLS}]", lambda found: f"\\u{ord(found[0]):04x}", text)


def _by_turn(marks: list[tuple[int, str]]) -> list[tuple[str, list[tuple[int, str, str]]]]:
    """Bookmarks in groups by turn: event, whole name, and what it is called within the turn."""
    groups: dict[str, list[tuple[int, str, str]]] = {}
    for seq, anchor in marks:
        turn, _, rest = anchor.partition(".")
        groups.setdefault(clean(turn), []).append((seq, clean(anchor), clean(rest.replace(".", " ") or "begins")))
    return list(groups.items())


_LINE = Markup("<p>{}</p>")
_DICE = Markup('<p class="dice"><span>{} <small>{}, batch {}</small></span> {}</p>')
_FACE = Markup('<b class="die">{}</b>')
_ROW = Markup(
    '<li id="e{seq}" data-kind="{kind}" data-seat="{seat}" data-id="{id}" data-was="{was}">'
    '{marks}<a href="#{seq}" class="no" aria-label="event {seq}">{seq}</a>'
    '<div><p class="act"><b>{seat}</b> {said}</p>{dice}{story}</div></li>\n'
)
_MARKS = Markup('<p class="marks">{}</p>')
_MARK = Markup('<b class="mark">{}</b>')


def _row(game: Game, moment: Moment) -> Markup:
    """One event as a list item. A note by a player stands once, as what he did."""
    event = moment.event
    story = [_LINE.format(game.told(note)) for note in moment.story if note.stem != "core/note"]
    fell = [
        _DICE.format(
            die.label, die.rolled, die.batch, Markup(" ").join(_FACE.format(face) for face in _faces(die.came))
        )
        for die in moment.dice
    ]
    return _ROW.format(
        seq=event.seq,
        kind=moment.kind,
        seat=event.seat,
        id=event.id[:16],
        was=clean(event.kind),
        marks=_MARKS.format(Markup(" ").join(map(_MARK.format, map(clean, moment.anchors)))) if moment.anchors else "",
        said=moment.said,
        dice=Markup("").join(fell),
        story=Markup("").join(story),
    )


def _faces(came: str) -> list[str]:
    faces = came.split()
    return faces if len(faces) <= 60 and all(face.isdigit() for face in faces) else [came]


@cache
def _file(name: str) -> str:
    return (report.template_folder() / name).read_text("utf-8")
