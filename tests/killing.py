"""Commands killed by kill -9 at random moments, in a game of red, blue, and the box that releases blue's dice.

Every command runs in a process of its own, forked from one that has loaded pbem, so that the moment falls into the
work and not into the start of the interpreter. After each kill the game file must verify; in the end every command
must succeed, and of all events, slips and letters that ever lay on a disk, none may exist in two versions.
"""

from __future__ import annotations

import io
import json
import multiprocessing
import os
import random
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from computers import Computer, Match

from pbem import mail, record
from pbem.errors import Refused

MAY_KILL = hasattr(signal, "SIGKILL")


def obey(folder: str, words: tuple[str, ...]) -> None:
    """One command as typed in a folder, in a process that may die at any moment."""
    from pbem.cli import run

    os.environ["PBEM_HOME"] = os.path.join(folder, "private")
    os.chdir(folder)
    sys.stdin = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        sys.stdout = sys.stderr = nowhere
        os._exit(run(list(words)))


def three_machines(folder: Path) -> Match:
    """A duel under sealed dice, in which a box releases blue's."""
    match = Match({name: Computer(folder / name) for name in ("red", "blue", "box")})
    red, blue, box = match["red"], match["blue"], match["box"]
    box.do("key", "new")
    blue.path("box.pub").write_bytes((box.folder / "private" / "keys" / "id.pub").read_bytes())
    red.do("new", "open-table", "--seat", "red", "--file", "g.pbem")
    blue.do("join", red.letter, "--responder", "box.pub", "--file", "g.pbem")
    match.take("blue", "red")
    match.mail("red", "blue")
    blue.do("vault", "chain", "g.pbem", "--out", "blue.chain")
    for name in ("g.pbem", "blue.chain"):
        box.path(name).write_bytes(blue.path(name).read_bytes())
    (box.folder / "in").mkdir()
    box.do("respond", "g.pbem", "--chain", "blue.chain", "--once")
    return match


@dataclass
class Campaign:
    """Kills until there were so many; what was seen on the disks meanwhile."""

    match: Match
    wanted: int
    rng: random.Random
    kills: Counter[str] = field(default_factory=Counter)
    in_time: Counter[str] = field(default_factory=Counter)
    events: dict[int, set[str]] = field(default_factory=dict)
    slips: dict[int, set[str]] = field(default_factory=dict)
    took: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.context = multiprocessing.get_context("forkserver")
        self.context.set_forkserver_preload(["pbem.cli.play", "pbem.cli.respond", "pbem.respond", "rules.open_table"])

    @property
    def killed(self) -> int:
        return self.kills.total()

    def run(self) -> None:
        """Turn after turn, each command of it killed a few times before it may end."""
        red, blue, box = (self.match[name] for name in ("red", "blue", "box"))
        number, answers = 0, set[Path]()
        while self.killed < self.wanted:
            number += 1
            self.order(red, f"roll d6 for turn {number}")
            self.letter(red)
            self.until_done(box, "respond", "g.pbem", "--watch", "in", "--once")
            [answer] = set((box.folder / "in" / "answers").glob("*.eml")) - answers
            answers.add(answer)
            for one in (red, blue):
                self.until_done(one, "receive", str(answer))
            self.order(red, "pass")
            self.letter(red)
            self.until_done(blue, "receive", str(red.path("out.eml")))
            self.order(blue, "pass")
            self.letter(blue)
            self.until_done(red, "receive", str(blue.path("out.eml")))
        heads = {one.table("g.pbem").fold.head for one in (red, blue)}
        assert len(heads) == 1, heads
        assert red.table("g.pbem").fold.requested == number

    def order(self, who: Computer, text: str) -> None:
        """An order is drafted once, whatever was killed."""
        for _ in range(3):
            self.kill(who, "order", "g.pbem", text)
            drafted = who.table("g.pbem").drafted()
            assert drafted in ([], [text]), drafted
            if drafted:
                return
        who.do("order", "g.pbem", text)

    def letter(self, who: Computer) -> None:
        """The same letter, however often its writing was interrupted."""
        out, seen = who.path("out.eml"), set()
        out.unlink(missing_ok=True)
        for _ in range(3):
            self.kill(who, "send", "g.pbem", "--out", "out.eml")
            if out.exists():
                seen.add(out.read_bytes())
        who.do("send", "g.pbem", "--out", "out.eml")
        assert seen <= {out.read_bytes()}
        inbox = self.match["box"].folder / "in"
        shutil.copy(out, inbox / f"{len(list(inbox.glob('*.eml'))):04}.eml")  # all letters come to the box
        self.look(who)

    def until_done(self, who: Computer, *words: str) -> None:
        for _ in range(6 if words[0] == "respond" else 2):
            self.kill(who, *words)
        assert who.run(*words).status in (0, 3)
        self.look(who)

    def kill(self, who: Computer, *words: str) -> None:
        """Start a command and end it within the time that it takes; the first of its kind shows how long that is."""
        if self.killed >= self.wanted:
            return
        usual = self.took.get(words[0], 0)
        process = self.context.Process(target=obey, args=(str(who.folder), words))
        process.start()
        began = time.monotonic()
        process.join(self.rng.uniform(0, 1.1 * usual) if usual else None)
        if not process.is_alive():
            self.took[words[0]] = (usual or time.monotonic() - began) / 2 + (time.monotonic() - began) / 2
            self.in_time[words[0]] += bool(usual)
            return
        process.kill()
        process.join()
        self.kills[words[0]] += 1
        assert "VALID" in who.do("verify", "g.pbem").out
        self.look(who)

    def look(self, who: Computer) -> None:
        """Note every event and slip on a disk: of none there may be two versions."""
        for line in _lines(who.folder):
            with suppress(Refused):
                if line.startswith(b"pbem1 "):
                    event = record.read_event(line)
                    self.events.setdefault(event.seq, set()).add(event.id)
                elif line.startswith(b"slip "):
                    slip = record.read_slip(line)
                    self.slips.setdefault(slip.says.batch, set()).add(f"{slip.says.request} {slip.says.link}")
        for versions in (self.events, self.slips):
            assert not (twice := {number: found for number, found in versions.items() if len(found) > 1}), twice


def _lines(folder: Path) -> Iterator[bytes]:
    """The lines of the game file, the journal, the pin and the letters below a folder."""
    for path in sorted(folder.rglob("*")):
        try:
            data = path.read_bytes() if path.is_file() else b""
        except FileNotFoundError:
            continue
        if path.name in ("journal.json", "pin.json", "papers.json"):
            yield from _strings(json.loads(data))
        elif path.suffix == ".eml":
            for letter in mail.letters(path):
                for packet in mail.packets(letter).packets:
                    yield from packet.splitlines(keepends=True)
        elif path.suffix == ".pbem":
            yield from data.splitlines(keepends=True)


def _strings(doc: object) -> Iterator[bytes]:
    """Every text in a JSON document, as a line."""
    if isinstance(doc, str):
        yield doc.encode() + b"\n"
    elif isinstance(doc, dict):
        for one in doc.values():
            yield from _strings(one)
    elif isinstance(doc, list):
        for one in doc:
            yield from _strings(one)


def campaign(folder: Path, kills: int, seed: int) -> Campaign:
    """So many kills in one game."""
    done = Campaign(three_machines(folder), kills, random.Random(seed))
    done.run()
    return done
