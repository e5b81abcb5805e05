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
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

from pbem import account, dice, keys, report, scene, themes, trust
from pbem.api import View
from pbem.archive import Piece
from pbem.errors import PbemError
from pbem.replaying import KINDS, Game, Moment
from pbem.report import clean

Step = dict[str, Any]
"""What an event changes: `h` headline, `f` facts, `g` tables, `t` text maps, `c` titles of maps, `m` map splices.

The numbers are places in `strings` and `lists`; a splice is [map, index, out, sprite, x, y, sprite, x, y, ...].
"""

CONTROLS: Final = "\u2028\u2029"


@dataclass
class Pool:
    """Each value once, by its number."""

    values: list[Any] = field(default_factory=list)
    _places: dict[Hashable, int] = field(default_factory=dict)

    def put(self, value: Hashable) -> int:
        place = self._places.setdefault(value, len(self.values))
        if place == len(self.values):
            self.values.append(value)
        return place


class Steps:
    """The views of a game from event to event, as what changes."""

    def __init__(self, engine: str) -> None:
        self.engine = engine
        self.strings, self.lists = Pool(), Pool()
        self.stages: list[scene.Stage] = []
        self.scenes: list[scene.Scene] = []
        self._last: Step = {}

    def step(self, view: View) -> Step:
        """What this view changes in the one before."""
        whole: Step = {
            "h": self._string(view.headline),
            "f": self._list([self._string(part) for fact in view.facts for part in fact]),
            "g": self._list([self._grid(grid.title, grid.columns, grid.rows) for grid in view.grids]),
            "c": self._list([self._string(picture.title) for picture in view.pictures]),
            "t": self._list([self._list(map(self._string, picture.text)) for picture in view.pictures]),
        }
        changed = {name: value for name, value in whole.items() if self._last.get(name) != value}
        self._last = whole
        gone: list[Any] = [None] * (len(self.stages) - len(view.pictures))
        moves = [one for number, picture in enumerate((*view.pictures, *gone)) for one in self._moves(number, picture)]
        return changed | ({"m": moves} if moves else {})

    def _moves(self, number: int, picture: Any) -> Iterator[list[int]]:
        if number == len(self.stages):
            self.stages.append(scene.Stage(self.engine, number + 1))
            self.scenes.append(())
        new = self.stages[number].scene(picture) if picture is not None else ()
        for at, out, into in scene.splices(self.scenes[number], new):
            yield [number, at, out, *(value for item in into for value in item)]
        self.scenes[number] = new

    def _string(self, text: str) -> int:
        return self.strings.put(clean(text))

    def _list(self, numbers: Any) -> int:
        return self.lists.put(tuple(numbers))

    def _grid(self, title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> int:
        heads = self._list(map(self._string, columns))
        return self._list([self._string(title), heads, *(self._list(map(self._string, row)) for row in rows)])


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
    data = {"strings": steps.strings.values, "lists": steps.lists.values, "steps": done, "file": game.path.name}
    fold, terms = game.end, game.end.game.charter
    level = trust.level(fold)
    pieces, light, dim = themes.in_both(
        [
            piece
            for stage, items in zip(steps.stages, steps.scenes, strict=True)
            if stage.frame is not None
            for piece in (
                stage.frame.head,
                "".join(scene.placed(stage.number, item) for item in items),
                stage.frame.tail,
                scene.defined(stage.number, stage.sprites),
            )
        ]
    )
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
            {"head": Markup(head), "placed": Markup(placed), "tail": Markup(tail), "sprites": Markup(sprites)}
            for head, placed, tail, sprites in zip(*[iter(pieces)] * 4, strict=True)
        ],
        colours=(Markup(light), Markup(dim)),
        view=game.view(),
        digest=digest,
        script=Markup(script),
        style=Markup(style),
        data=Markup(json_block(data)),
    )


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
