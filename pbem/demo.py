"""The demo: a two-seat game with sealed dice and a solitaire game, through real mail files, in a folder.

It runs the same commands that a player types and prints them; two application folders stand for two computers.
"""

from __future__ import annotations

import contextlib
import io
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from pbem import registry
from pbem.api import NOTHING_KNOWN, Ask
from pbem.errors import Trouble
from pbem.home import Home
from pbem.table import Table

Say = Callable[[str], None]

TURNS: Final = (
    (
        "move 3rd battalion to hill 12",
        "roll 2d6 for the assault on hill 12",
        "roll 1d6 for morale of the garrison",
        "pass",
    ),
    ("roll 3d6 for the counterattack", "record hill 12 holds", "pass"),
    ("tally red-points 3", "note Well played.", "pass"),
)
SEED: Final = 7
"""Of the made-up player in the solitaire game; the dice come from his chain and differ in every demo."""


class Demo:
    """One run: the folder, and two computers in it."""

    def __init__(self, folder: Path, say: Say) -> None:
        if folder.exists() and any(folder.iterdir()):
            raise Trouble(f"{folder} is not empty", "name a new folder: pbem demo --folder NAME")
        self.folder = folder
        self.say = say

    def run(self) -> list[Path]:
        """Play both games; the files worth looking at."""
        for name in ("red", "blue"):
            (self.folder / name).mkdir(parents=True)
        duel = self._duel()
        alone = self._solitaire()
        return [*duel, *alone]

    # Two seats ----------------------------------------------------------------------------------------------------

    def _duel(self) -> list[Path]:
        self.say("\n== two players, any wargame, sealed dice ==")
        what = ("open-table", "--seat", "red", "--option", "game=Hill 12")
        letter = self._do("red", "new", *what, "--file", "duel.pbem")
        letter = self._do("blue", "join", self._mail("red", letter), "--file", "duel.pbem")
        self._do("red", "receive", self._mail("blue", letter))
        letter = self._do("red", "send", "duel.pbem")
        self._do("blue", "receive", self._mail("red", letter))
        for number, orders in enumerate(TURNS):
            seat, other = ("red", "blue") if number % 2 == 0 else ("blue", "red")
            self._do(seat, "order", "duel.pbem", *orders)
            letter = self._do(seat, "send", "duel.pbem")
            self._do(other, "receive", self._mail(seat, letter), show=number == 1)
        for seat, command in (("blue", "offer"), ("red", "agree"), ("blue", "agree")):
            self._do(seat, command, "duel.pbem", *(("draw",) if command == "offer" else ()))
            letter = self._do(seat, "send", "duel.pbem")
            self._do("red" if seat == "blue" else "blue", "receive", self._mail(seat, letter))
        return self._end("red", "duel.pbem")

    # Alone ---------------------------------------------------------------------------------------------------------

    def _solitaire(self) -> list[Path]:
        self.say("\n== one player, Battle Card: Malaya, open dice ==")
        self._do("red", "new", "battle-card-malaya", "--file", "malaya.pbem")
        path = self.folder / "red" / "malaya.pbem"
        rng = random.Random(SEED)
        while text := self._choice(path, rng):
            self._do("red", "order", "malaya.pbem", text, "--roll", quiet=True)
        self._do("red", "send", "malaya.pbem", quiet=True)
        return self._end("red", "malaya.pbem")

    def _choice(self, path: Path, rng: random.Random) -> str:
        """The next order of a made-up player; empty when the game is over."""
        table = Table.reading(path, Home(self.folder / "red" / "private"))
        trial = table.trial()
        first = trial.asks[0] if trial.asks else None
        if not isinstance(first, Ask):
            return ""
        engine = registry.engine("battle-card-malaya")
        return str(engine.sample(trial.state, first, NOTHING_KNOWN, rng))

    # Commands --------------------------------------------------------------------------------------------------------

    def _end(self, seat: str, name: str) -> list[Path]:
        stem = name.removesuffix(".pbem")
        self._do(seat, "verify", name, show=True)
        self._do(seat, "show", name, "--html", "--out", f"{stem}.html", "--since", "0")
        made = [self.folder / seat / name, self.folder / seat / f"{stem}.html"]
        table = Table.reading(self.folder / seat / name, Home(self.folder / seat / "private"))
        if table.fold.engine.picture(table.fold.state, "", NOTHING_KNOWN).pictures:
            self._do(seat, "show", name, "--format", "svg", "--out", f"{stem}.svg")
            made.append(self.folder / seat / f"{stem}.svg")
        return made

    def _mail(self, seat: str, output: str) -> str:
        """The mail file a command wrote, as its last line of output says."""
        return str(Path("..") / seat / output.strip().splitlines()[-1])

    def _do(self, seat: str, *words: str, show: bool = False, quiet: bool = False) -> str:
        """Run one command on a seat's computer; its standard output."""
        from pbem.cli import run

        if not quiet:
            self.say(f"{seat}$ pbem {' '.join(_quoted(word) for word in words)}")
        out, err = io.StringIO(), io.StringIO()
        with _computer(self.folder / seat), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = run(list(words))
        if status:
            raise Trouble(f"the demo stopped at {words[0]}: {err.getvalue().strip()}", "please report it")
        if show:
            self.say(out.getvalue().rstrip())
        return out.getvalue()


def _quoted(word: str) -> str:
    import shlex

    return shlex.quote(word)


@contextlib.contextmanager
def _computer(folder: Path) -> Iterator[None]:
    """Work as if at one player's computer: his folder, his application folder."""
    before, old = Path.cwd(), os.environ.get("PBEM_HOME")
    os.environ["PBEM_HOME"] = str((folder / "private").resolve())
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
        if old is None:
            del os.environ["PBEM_HOME"]
        else:
            os.environ["PBEM_HOME"] = old
