"""The replay of a game: in the terminal, a key a step, or as one HTML page."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem import agreement, log
from pbem.cli.common import GAME, components_option, out_file, say, shown
from pbem.errors import WrongUse

if TYPE_CHECKING:
    from pbem.replaying import Game, Moment

KEYS = "n or space: next   b: back   g 57 or g T3: go there   / WORD: search   m: map   f, l: first, last   q: quit"
FORWARD = {"n", " ", "", "\r", "\n", "\x1b[c", "\x1b[b", "\xe0m", "\x00m"}
BACK = {"b", "p", "\x7f", "\x1b[d", "\x1b[a", "\xe0k", "\x00k"}


@click.command()
@GAME
@click.option(
    "--html", type=click.Path(path_type=Path, dir_okay=False), help="Write a page for a browser to this file."
)
@click.option("--at", default="", metavar="EVENT", help="Begin at an event number, or a bookmark such as T3.battle.")
@components_option
def replay(game: Path, html: Path | None, at: str, components: Path | None) -> None:
    """Go through a game event by event: here, or on a page of its own.

    Without a terminal commands are read from standard input, a line each; where there are none, all is printed.

    \b
    pbem replay game.pbem
    pbem replay game.pbem --at T3.battle
    pbem replay game.pbem --html game.html
    """
    from pbem import replay_page, replaying

    agreement.need_started(game)
    source = replaying.Game(game, components)
    if html is not None:
        target = out_file(html, game)
        hidden = not sys.stderr.isatty()
        with click.progressbar(length=source.end.seq, label="events", file=sys.stderr, hidden=hidden) as bar:
            text = replay_page.page(source, lambda seq: bar.update(seq - bar.pos))
        log.write_atomic(target, text.encode("utf-8", "replace"))
        say(f"{target}: open it in a browser; it needs no network")
        return
    reel = Reel(source)
    first = reel.find(at) if at else 0
    if sys.stdin.isatty() and sys.stdout.isatty():
        by_keys(reel, first)
    else:
        by_lines(reel, first)


class Reel:
    """The told events of a game, and where the reader is. Positions are made anew when they are asked for."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.texts = [self._opening()]
        self.marks: dict[str, int] = {}
        for moment in game.moments():
            for anchor in moment.anchors:
                self.marks.setdefault(anchor, moment.event.seq)
            self.texts.append(self._told(moment))
        self.at = 0

    @property
    def last(self) -> int:
        return len(self.texts) - 1

    def _opening(self) -> str:
        players = "; ".join(f"{seat.id}: {seat.plays}" for seat in self.game.scenario.seats)
        hands = " All secrets are disclosed: every hand lies open." if self.game.open_hands else ""
        return f"{self.game.engine.title}, {self.game.scenario.title}. {players}.{hands}\n{self.game.verdict.line()}"

    def _told(self, moment: Moment) -> str:
        from pbem.report import wrap

        number = f"{moment.event.seq:5d}  "
        lines = [f"--- {', '.join(moment.anchors)}"] if moment.anchors else []
        lines.append(wrap(f"{moment.event.seat}: {moment.said}", number))
        lines += [wrap(f"dice {die.label}: {die.rolled}: {die.came}", " " * 9) for die in moment.dice]
        lines += [wrap(self.game.told(note), " " * 9) for note in moment.story if note.stem != "core/note"]
        return "\n".join(lines)

    def find(self, where: str) -> int:
        """The event that a number or bookmark names (`WrongUse` with the bookmarks there are)."""
        if re.fullmatch(r"[0-9]{1,9}", where):
            if int(where) > self.last:
                raise WrongUse(f"no event {where}", f"the last one is {self.last}")
            return int(where)
        if where not in self.marks:
            from difflib import get_close_matches

            near = get_close_matches(where, self.marks, 4) or list(self.marks)[:12]
            raise WrongUse(f"no bookmark {where[:40]!r}", f"bookmarks: {', '.join(near) or 'none'}")
        return self.marks[where]

    def search(self, word: str) -> int:
        """The next event after this one that tells of a word, beginning again at the start (`WrongUse` for none)."""
        seq: int
        for seq in (*range(self.at + 1, self.last + 1), *range(self.at + 1)):
            if word.casefold() in self.texts[seq].casefold():
                return seq
        raise WrongUse(f"nothing tells of {word[:40]!r}")

    def board(self) -> str:
        """The position after this event: headline, facts and map in letters."""
        from pbem.report import clean, wrap

        moments = self.game.moments()
        for _ in range(self.at):
            next(moments)
        view = self.game.view()
        lines = [wrap(clean(view.headline))]
        lines += [wrap(f"{clean(name)}: {clean(value)}", "  ", "    ") for name, value in view.facts]
        for picture in view.pictures:
            lines += ["", wrap(clean(picture.title)), *(clean(line).rstrip() for line in picture.text)]
        return "\n".join(lines)

    def obey(self, command: str) -> str | None:
        """Do what a key or line says; what is to be shown, or None to end."""
        word, _, rest = command.strip().partition(" ")
        key = command if command in FORWARD | BACK else word.lower()
        if key in ("q", "\x03", "\x04", "\x1b"):
            return None
        if key in FORWARD or key == "next":
            self.at = min(self.at + 1, self.last)
        elif key in BACK or key == "back":
            self.at = max(self.at - 1, 0)
        elif key in ("f", "first"):
            self.at = 0
        elif key in ("l", "last"):
            self.at = self.last
        elif key == "g" and rest:
            self.at = self.find(rest.strip())
        elif key.startswith("/"):
            self.at = self.search(command.strip()[1:].strip())
        elif key in ("m", "map"):
            return self.board()
        else:
            return KEYS
        return self.texts[self.at]


def by_keys(reel: Reel, first: int) -> None:
    """A conversation in single keys."""
    reel.at = first
    click.echo(shown(reel.texts[first]))
    click.echo(KEYS)
    while True:
        key = click.getchar().lower()
        if key in ("g", "/"):
            asked = click.prompt(
                "go to" if key == "g" else "search", prompt_suffix=": ", default="", show_default=False
            )
            key = f"{key} {asked}" if asked else "?"
        if not _said(reel, key):
            return


def by_lines(reel: Reel, first: int) -> None:
    """Commands from standard input, a line each; all events where there are none."""
    commands = "" if sys.stdin.isatty() else sys.stdin.read()
    if not commands.strip():
        for text in reel.texts[first:]:
            click.echo(shown(text))
        return
    reel.at = first
    click.echo(shown(reel.texts[first]))
    for line in commands.splitlines():
        if not _said(reel, line):
            return


def _said(reel: Reel, command: str) -> bool:
    try:
        text = reel.obey(command)
    except WrongUse as error:
        text = f"{error}\n{error.hint}".rstrip()
    if text is not None:
        click.echo(shown(text))
    return text is not None
