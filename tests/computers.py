"""Several computers in one test: each a folder with an application folder of its own, running commands as typed.

`Computer.run` runs a command in this process and captures what it prints; `Computer.start` starts a real process.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pbem.cli import run as run_command
from pbem.home import Home
from pbem.table import Table

CHECKOUT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Said:
    """What a command answered."""

    status: int
    out: str
    err: str

    @property
    def last(self) -> str:
        """The last line on standard output: where a command writes a file, its name."""
        return self.out.strip().splitlines()[-1]

    @property
    def all(self) -> str:
        return self.out + self.err

    def json(self) -> Any:
        return json.loads(self.out)


@dataclass
class Computer:
    """One player's machine."""

    folder: Path
    name: str = ""
    letters: list[Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.name = self.name or self.folder.name

    @property
    def home(self) -> Home:
        return Home(self.folder / "private")

    def path(self, name: str) -> Path:
        return self.folder / name

    def run(self, *words: object, stdin: str | bytes = "") -> Said:
        """Run one command in this process. A letter it writes is kept as the latest one."""
        data = stdin.encode() if isinstance(stdin, str) else stdin
        out, err = _stream(), _stream()
        with self._here(), redirect_stdout(out), redirect_stderr(err):
            before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(data), "utf-8")
            try:
                status = run_command([str(word) for word in words])
            finally:
                sys.stdin = before
        said = Said(status, _written(out), _written(err))
        self._sound(said)
        for line in said.out.splitlines():
            if line.endswith(".eml") and " " not in line:
                self.letters.append(self.folder / line)
        return said

    def _sound(self, said: Said) -> None:
        crash = self.folder / "private" / "crash.txt"
        assert "bug of pbem" not in said.err, crash.read_text("utf-8") if crash.exists() else said.err
        assert not crash.exists()
        assert "Traceback" not in said.all

    def do(self, *words: object, stdin: str | bytes = "") -> Said:
        """Run a command that must succeed."""
        said = self.run(*words, stdin=stdin)
        assert said.status == 0, (words, said)
        return said

    def start(self, *words: object, **more: Any) -> subprocess.Popen[bytes]:
        """Start a command as a process of its own."""
        env = dict(os.environ, PBEM_HOME=str(self.folder / "private"), PYTHONPATH=str(CHECKOUT)) | more.pop("env", {})
        command = [sys.executable, "-m", "pbem", *map(str, words)]
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, cwd=self.folder, env=env, **{**pipes, **more})

    def process(self, *words: object, **more: Any) -> Said:
        """Run a command as a process of its own, to its end."""
        started = self.start(*words, **more)
        out, err = started.communicate()
        return Said(started.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))

    @property
    def letter(self) -> Path:
        """The latest letter this computer wrote."""
        return self.letters[-1]

    def table(self, name: str, seat: str = "") -> Table:
        """The game as it stands, to look at."""
        return Table.reading(self.folder / name, self.home, seat=seat)

    def snapshot(self) -> dict[str, bytes]:
        """Every file on this computer."""
        files = (path for path in sorted(self.folder.rglob("*")) if path.is_file() and path.name != "lock")
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in files}

    def restore(self, snapshot: dict[str, bytes]) -> None:
        """Put every file back as it was, but the mark of the installation: no machine notices."""
        for path in sorted(self.folder.rglob("*")):
            kept = str(path.relative_to(self.folder)) in snapshot or path.name == "installation"
            if path.is_file() and not kept:
                path.unlink()
        for name, data in snapshot.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            path = self.folder / name
            if not path.exists() or path.name != "installation":
                path.write_bytes(data)
        self.letters = [letter for letter in self.letters if letter.exists()]

    @contextmanager
    def _here(self) -> Iterator[None]:
        before, old = Path.cwd(), os.environ.get("PBEM_HOME")
        os.environ["PBEM_HOME"] = str(self.folder / "private")
        os.chdir(self.folder)
        try:
            yield
        finally:
            os.chdir(before)
            if old is None:
                del os.environ["PBEM_HOME"]
            else:
                os.environ["PBEM_HOME"] = old


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), "utf-8", newline="")


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    raw = stream.buffer
    assert isinstance(raw, io.BytesIO)
    return raw.getvalue().decode()


@dataclass
class Match:
    """A game of several computers, all with the game file `g.pbem`."""

    computers: dict[str, Computer]

    def __getitem__(self, seat: str) -> Computer:
        return self.computers[seat]

    def mail(self, sender: str, *receivers: str, status: int = 0) -> list[Said]:
        """Write the sender's letter and have the others (or these) take it in."""
        self[sender].do("send", "g.pbem")
        return [self.take(sender, one, status) for one in receivers or [s for s in self.computers if s != sender]]

    def take(self, sender: str, receiver: str, status: int = 0) -> Said:
        """Have one computer take in another's latest letter."""
        said = self[receiver].run("receive", self[sender].letter)
        assert said.status == status, said
        return said

    def turn(self, seat: str, *orders: str) -> None:
        """Order and mail a turn."""
        self[seat].do("order", "g.pbem", *orders)
        self.mail(seat)

    def resigns(self, seat: str) -> bool:
        """One player gives up by letter; False where that may not be done just now."""
        if self[seat].run("resign", "g.pbem", "--yes").status:
            return False
        self[seat].do("send", "g.pbem")
        return True

    def agree(self) -> None:
        """All computers have the same game file, but for statements outside the chain."""
        heads = {seat: (table.fold.seq, table.fold.head) for seat, table in self.tables().items()}
        assert len(set(heads.values())) == 1, heads

    def tables(self) -> dict[str, Table]:
        return {seat: one.table("g.pbem") for seat, one in self.computers.items()}


def duel(folder: Path, dice: str = "sealed", *more: str) -> Match:
    """Two computers at an open table, all seals in on both sides; nothing is written yet but the set-up."""
    return two(folder, "open-table", "red", "blue", "--dice", dice, *more)


def two(folder: Path, rules: str, first: str, second: str, *more: str) -> Match:
    """Two computers at any game, all seals in on both sides."""
    return seated(folder, rules, (first, second), *more)


def seated(folder: Path, rules: str, seats: Sequence[str], *more: str, kind: type[Computer] = Computer) -> Match:
    """A computer for each seat of any game, from the invitation over entries to all seals."""
    match = Match({seat: kind(folder / seat) for seat in seats})
    first, *others = seats
    match[first].do("new", rules, "--seat", first, "--file", "g.pbem", *more)
    for seat in others:
        match[seat].do("join", match[first].letter, "--seat", seat, "--file", "g.pbem")
    for seat in others:
        match.take(seat, first)
    for seat in (first,) if len(seats) == 2 else seats:  # who joins a duel has sealed it
        match.mail(seat)
    return match


def three(folder: Path) -> Match:
    """Three computers, from invitation over entries and the charter round to all seals."""
    return seated(folder, "open-table", ("red", "blue", "green"), "--scenario", "three")
