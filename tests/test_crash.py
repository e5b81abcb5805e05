"""Crashes, full disks, two processes, restored backups: nothing is lost and no number is signed twice.

Rows 8, 10, 11, 51, 52 and 72 of the adversarial tests, at the level of commands.
"""

from __future__ import annotations

import errno
import io
import itertools
import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from computers import Computer, Match, Said, duel

from pbem import home, log, mail, record

Snapshot = dict[str, bytes]


class Crash(BaseException):
    """The machine stops here."""


class Disk:
    """Counts writes and may stop at one of them; keeps everything that was written whole."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.stop_at = 0
        self.after = False
        self.count = 0
        self.written: list[bytes] = []
        self._write = log.write_atomic
        monkeypatch.setattr(log, "write_atomic", self.write)

    def arm(self, stop_at: int, *, after: bool) -> None:
        self.stop_at, self.after, self.count = stop_at, after, 0

    def write(self, path: Path, data: bytes, *, private: bool = False) -> None:
        self.count += 1
        if self.count == self.stop_at and not self.after:
            raise Crash
        self._write(path, data, private=private)
        self.written.append(data)
        if self.count == self.stop_at:
            raise Crash


class Clock:
    """A clock that goes on between commands, so that a second signature would differ from the first."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1_800_000_000.0
        monkeypatch.setattr(time, "time", lambda: self.now)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


# Moments before a command --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Moment]:
    """One duel, stopped before each kind of command."""
    match = duel(tmp_path_factory.mktemp("crash"))
    red, blue = match["red"], match["blue"]
    found: dict[str, Moment] = {}

    def stop(name: str, who: Computer, *words: object) -> None:
        found[name] = Moment(who, who.snapshot(), words)

    stop("order", red, "order", "g.pbem", "move a", "roll d6 for a")
    red.do("order", "g.pbem", "move a", "roll d6 for a")
    stop("send: sign and ask for dice", red, "send", "g.pbem")
    red.do("send", "g.pbem")
    first = Path(_copy(red.letter, "1.eml"))
    stop("receive: take in and release a slip", blue, "receive", first)
    blue.do("receive", first)
    blue.do("send", "g.pbem")
    slip = Path(_copy(blue.letter, "2.eml"))
    stop("receive: take a slip and resolve", red, "receive", slip)
    red.do("receive", slip)
    stop("offer", red, "offer", "g.pbem", "draw")
    red.do("order", "g.pbem", "pass")
    match.mail("red")
    stop("resign by the holder", blue, "resign", "g.pbem", "--yes")
    stop("resign by a statement", red, "resign", "g.pbem", "--yes")
    red.do("offer", "g.pbem", "draw")
    match.mail("red")
    stop("agree and end", blue, "agree", "g.pbem")
    red.do("resign", "g.pbem", "--yes")
    red.do("send", "g.pbem")
    resigned = Path(_copy(red.letter, "3.eml"))
    stop("receive: carry a resignation", blue, "receive", resigned)
    return found


def _copy(letter: Path, name: str) -> Path:
    kept = letter.parent.parent / name
    kept.write_bytes(letter.read_bytes())
    return kept


class Moment:
    """A computer before a command."""

    def __init__(self, who: Computer, files: Snapshot, words: tuple[object, ...]) -> None:
        self.who = who
        self.files = files
        self.words = words

    def back(self) -> None:
        self.who.restore(self.files)

    def run(self) -> Said:
        return self.who.run(*self.words)

    def game(self) -> bytes:
        return self.who.path("g.pbem").read_bytes()


NAMES = (
    "order",
    "send: sign and ask for dice",
    "receive: take in and release a slip",
    "receive: take a slip and resolve",
    "offer",
    "resign by the holder",
    "resign by a statement",
    "agree and end",
    "receive: carry a resignation",
)


def signed_once(written: list[bytes]) -> None:
    """Of all events that ever reached the disk or a letter, no two have one number."""
    ids: dict[int, set[str]] = {}
    for data in written:
        for line in _event_lines(data):
            event = record.read_event(line + b"\n")
            ids.setdefault(event.seq, set()).add(event.id)
    twice = {seq: found for seq, found in ids.items() if len(found) > 1}
    assert not twice


def _event_lines(data: bytes) -> Iterator[bytes]:
    """The events in a journal, a game file or a letter."""
    if data.startswith(b"{"):
        lines = json.loads(data).get("lines", [])
    elif b"MIME-Version" in data:
        letters = mail.letters(io.BytesIO(data))
        packets = (packet for letter in letters for packet in mail.packets(letter).packets)
        lines = [line.decode() for packet in packets for line in packet.splitlines()]
    else:
        lines = data.decode().splitlines()
    yield from (line.encode() for line in lines if line.startswith("pbem1 "))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_crash_at_any_write_is_completed_by_the_next_command(
    moments: dict[str, Moment], disk: Disk, clock: Clock, name: str, after: bool
) -> None:
    moment = moments[name]
    moment.back()
    disk.arm(0, after=after)
    whole = moment.run()
    assert whole.status == 0
    writes, expected = disk.count, moment.who.table("g.pbem").fold
    assert writes >= 1
    for stop_at in range(1, writes + 1):
        moment.back()
        disk.written.clear()
        disk.arm(stop_at, after=after)
        with pytest.raises(Crash):
            moment.run()
        disk.arm(0, after=after)
        clock.now += 1000
        again = moment.run()
        fold = moment.who.table("g.pbem").fold
        done_before = again.status == 2 and "over already" in again.err  # the crash came after all that mattered
        assert again.status == 0 or done_before, (stop_at, again)
        assert (fold.seq, fold.closed, fold.holder) == (expected.seq, expected.closed, expected.holder)
        assert "VALID" in moment.who.do("verify", "g.pbem").out
        moment.who.run("send", "g.pbem")
        signed_once([*disk.written, moment.game()])


@pytest.mark.parametrize("name", NAMES)
def test_a_full_disk_is_trouble_and_loses_nothing(
    moments: dict[str, Moment], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    moment = moments[name]
    sync, calls = os.fsync, itertools.count(1)
    for stop_at in itertools.count(1):
        moment.back()
        calls = itertools.count(1)
        failed = []

        def full(handle: int, stop_at: int = stop_at, failed: list[int] = failed) -> None:
            if next(calls) == stop_at:  # noqa: B023 - bound below, at once
                failed.append(stop_at)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            sync(handle)

        monkeypatch.setattr(os, "fsync", full)
        said = moment.run()
        monkeypatch.setattr(os, "fsync", sync)
        assert said.status in (0, 4), said
        if said.status == 4:
            assert "no space left on device" in said.err
            assert "hint: " in said.err
        again = moment.run()
        assert again.status == 0 or "over already" in again.err, (stop_at, again)
        assert not list(moment.who.folder.rglob("*.tmp"))
        if not failed:
            break


def test_new_and_join_survive_a_crash_at_any_write(tmp_path: Path, disk: Disk) -> None:
    for number in itertools.count(1):
        red, blue = Computer(tmp_path / f"red{number}"), Computer(tmp_path / f"blue{number}")
        disk.arm(number, after=True)
        crashed = _crashes(lambda red=red: red.run("new", "open-table", "--file", "g.pbem"))
        disk.arm(0, after=True)
        if crashed and not red.path("g.pbem").exists():
            red.do("new", "open-table", "--file", "g.pbem")
        red.do("send", "g.pbem")
        disk.arm(number, after=True)
        crashed_too = _crashes(lambda red=red, blue=blue: blue.run("join", red.letter, "--file", "g.pbem"))
        disk.arm(0, after=True)
        if not blue.path("g.pbem").exists():
            blue.do("join", red.letter, "--file", "g.pbem")
        match = Match({"red": red, "blue": blue})
        match.mail("blue")
        match.mail("red")
        match.turn("red", "pass")
        match.agree()
        if not (crashed or crashed_too):
            break


def _crashes(act: Callable[[], Any]) -> bool:
    try:
        act()
    except Crash:
        return True
    return False


def test_joining_again_after_losing_the_file_keeps_the_secrets(tmp_path: Path) -> None:
    red, blue = Computer(tmp_path / "red"), Computer(tmp_path / "blue")
    red.do("new", "open-table", "--file", "g.pbem")
    blue.do("join", red.letter, "--file", "g.pbem")
    first = blue.path("g.pbem").read_bytes()
    twice = blue.run("join", red.letter, "--file", "h.pbem")
    assert (twice.status, "is yours already" in twice.err) == (2, True)
    blue.path("g.pbem").unlink()
    blue.do("join", red.letter, "--file", "h.pbem")
    assert blue.path("h.pbem").read_bytes() == first


# Real processes ------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill -9 on this system")
def test_killed_processes_damage_nothing(tmp_path: Path) -> None:
    match = duel(tmp_path)
    red = match["red"]
    red.do("order", "g.pbem", "move a", "roll d6 for a")
    took = time.monotonic()
    red.process("status", "g.pbem")
    took = time.monotonic() - took
    for part in (0.5, 0.7, 0.8, 0.9, 1.0, 1.1):
        started = red.start("send", "g.pbem", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(took * part)
        started.kill()
        started.wait()
        assert "VALID" in red.do("verify", "g.pbem").out
    red.do("send", "g.pbem")
    assert red.table("g.pbem").fold.seq == 3
    letter = red.letter.read_bytes()
    signed_once([red.path("g.pbem").read_bytes(), letter])
    red.do("send", "g.pbem")
    assert red.letter.read_bytes() == letter


def test_two_processes_at_once_sign_once(tmp_path: Path) -> None:
    match = duel(tmp_path)
    red = match["red"]
    red.do("order", "g.pbem", "move a", "pass")
    both = [red.start("send", "g.pbem") for _ in range(2)]
    said = [one.communicate() for one in both]
    assert [one.returncode for one in both] == [0, 0], said
    assert sum(b"signed 3 events" in err for _, err in said) == 1
    assert red.table("g.pbem").fold.seq == 3
    assert match.take("red", "blue") if red.letters[-1].exists() else True


def test_a_second_process_is_told_to_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = duel(tmp_path)
    monkeypatch.setattr(home, "LOCK_PATIENCE", 0.05)
    red = match["red"]
    before = red.snapshot()
    with red.table("g.pbem").room.lock():
        for words in (("order", "g.pbem", "pass"), ("send", "g.pbem"), ("resign", "g.pbem", "--yes")):
            said = red.run(*words)
            assert said.status == 4
            assert "another pbem is working on this game" in said.err
            assert "hint: wait" in said.err
        assert red.run("status", "g.pbem").status == 0  # looking needs no lock
    assert red.snapshot() == before


# Backups, clocks, folders --------------------------------------------------------------------------------------------


def test_an_older_game_file_is_refused_and_the_pin_stays(tmp_path: Path) -> None:
    match = duel(tmp_path)
    red = match["red"]
    older = red.path("g.pbem").read_bytes()
    match.turn("red", "pass")
    match.turn("blue", "pass")
    pin = red.table("g.pbem").room.pin()
    newest = red.path("g.pbem").read_bytes()
    red.path("g.pbem").write_bytes(older)
    for words in (("status",), ("order", "move other"), ("send",), ("show",), ("resign", "--yes")):
        said = red.run(words[0], "g.pbem", *words[1:])
        assert said.status == 1, said
        assert said.err.startswith("pbem: E_ROLLBACK: this machine has seen event 4")
        assert "hint: " in said.err
    assert home.Home(red.folder / "private").rooms()[0].pin() == pin
    assert red.path("g.pbem").read_bytes() == older
    assert "older or another" in red.do("verify", "g.pbem").out
    red.path("other.pbem").write_bytes(newest)
    red.do("order", "other.pbem")  # the newest copy may be played on
    assert f"the game goes on in {red.path('other.pbem')}" in red.run("status", "g.pbem").err


def test_the_other_player_brings_back_a_lost_or_older_file(tmp_path: Path) -> None:
    match = duel(tmp_path)
    red, blue = match["red"], match["blue"]
    older = red.path("g.pbem").read_bytes()
    match.turn("red", "pass")
    match.turn("blue", "move b", "pass")
    newest = red.path("g.pbem").read_bytes()
    blue.do("send", "g.pbem", "--since", "0")
    whole = blue.letter
    red.path("g.pbem").write_bytes(older)
    red.do("receive", whole)
    assert red.path("g.pbem").read_bytes() == newest
    red.path("g.pbem").unlink()
    red.do("receive", whole)
    assert red.path("g.pbem").read_bytes() == newest


def test_a_log_that_stops_before_the_pin_does_not_move_it(tmp_path: Path) -> None:
    match = duel(tmp_path)
    red, blue = match["red"], match["blue"]
    older = red.path("g.pbem").read_bytes()
    match.turn("red", "pass")
    early = blue.path("g.pbem").read_bytes()
    blue.do("send", "g.pbem", "--since", "0")
    short = _copy(blue.letter, "short.eml")
    match.turn("blue", "move b", "pass")
    assert early != red.path("g.pbem").read_bytes()
    pin = red.table("g.pbem").room.pin()
    red.path("g.pbem").write_bytes(older)
    said = red.run("receive", short)
    assert said.status == 1
    assert "E_ROLLBACK" in said.err
    assert home.Home(red.folder / "private").rooms()[0].pin() == pin
    assert red.path("g.pbem").read_bytes() == older


def test_a_number_once_signed_is_never_signed_again(tmp_path: Path) -> None:
    match = duel(tmp_path)
    red = match["red"]
    start = red.snapshot()
    match.turn("red", "move a", "pass")
    signed = red.table("g.pbem").room.pin()
    red.restore(start)
    room = red.table("g.pbem").room
    room.set_pin(home.Pin(signed=signed.signed))  # what a second machine with the same key may have noted
    red.do("order", "g.pbem", "move somewhere else", "pass")
    said = red.run("send", "g.pbem")
    assert said.status == 1
    assert "E_ROLLBACK: red has signed up to event 3 on this machine" in said.err
    assert red.path("g.pbem").read_bytes() == start["g.pbem"]


def test_a_letter_that_forks_is_refused_and_kept(tmp_path: Path) -> None:
    match = duel(tmp_path)
    red, blue = match["red"], match["blue"]
    start = red.snapshot()
    match.turn("red", "move a", "pass")
    mine = blue.path("g.pbem").read_bytes()
    red.restore(start)
    red.do("order", "g.pbem", "move b", "pass")
    red.do("send", "g.pbem")
    said = blue.run("receive", red.letter)
    assert said.status == 1
    assert "E_FORK at event 1: red signed two different events 1" in said.err
    assert "kept as" in said.err
    assert blue.path("g.pbem").read_bytes() == mine
    kept = list((blue.folder / "private" / "refused").glob("*.packet"))
    assert len(kept) == 1
    fork = red.run("compare", "g.pbem", blue.path("g.pbem"))
    assert (fork.status, fork.out.split(":")[0]) == (1, "FORK by red")


def test_a_clock_set_back_changes_nothing(tmp_path: Path, clock: Clock) -> None:
    match = duel(tmp_path)
    match.turn("red", "pass")
    clock.now = 86_400.0
    match.turn("blue", "pass")
    clock.now = -5.0
    match.turn("red", "pass")
    match.agree()
    assert match["blue"].table("g.pbem").fold.seq == 6


@contextmanager
def _read_only(folder: Path) -> Iterator[None]:
    modes = {path: path.stat().st_mode for path in (folder, *folder.rglob("*")) if path.is_dir()}
    for path in modes:
        path.chmod(0o500)
    try:
        yield
    finally:
        for path, mode in modes.items():
            path.chmod(mode)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_trouble(tmp_path: Path) -> None:
    match = duel(tmp_path)
    red = match["red"]
    red.do("order", "g.pbem", "pass")
    with _read_only(red.folder):
        said = red.run("send", "g.pbem")
        assert said.status == 4
        assert "permission denied" in said.err
        assert red.run("verify", "g.pbem").status == 0
        assert red.run("status", "g.pbem").status == 0
    red.do("send", "g.pbem")


def test_a_folder_that_cannot_be_written_is_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = duel(tmp_path)
    red = match["red"]
    red.do("order", "g.pbem", "pass")
    before = red.snapshot()

    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(log.tempfile, "mkstemp", refused)
    said = red.run("send", "g.pbem")
    assert said.status == 4
    assert "read-only file system" in said.err
    assert red.run("verify", "g.pbem").status == 0
    assert red.run("status", "g.pbem").status == 0
    monkeypatch.undo()
    assert red.snapshot() == before


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may mount")
def test_a_really_full_disk(tmp_path: Path) -> None:
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=96k", "pbem", str(place)]
    mounted = subprocess.run(mount, check=False, capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting is not allowed here")
    try:
        one = Computer(place / "one")
        one.do("new", "battle-card-malaya", "--file", "g.pbem")
        one.do("order", "g.pbem", "no withdrawal")
        with pytest.raises(OSError, match="No space"):
            (place / "filler").write_bytes(bytes(2**20))
        before = one.snapshot()
        said = one.run("order", "g.pbem", "note the disk is full")
        assert said.status == 4
        assert "no space left" in said.err
        assert one.snapshot() == before
        (place / "filler").unlink()
        one.do("order", "g.pbem", "note there is room again")
        one.do("verify", "g.pbem")
    finally:
        subprocess.run(["umount", place], check=False)


# No trace ----------------------------------------------------------------------------------------------------------


def test_a_dropped_order_leaves_no_trace(tmp_path: Path) -> None:
    match = duel(tmp_path)
    red = match["red"]
    red.do("order", "g.pbem", "move a", "move xyzzy to the secret place")
    assert any(b"xyzzy" in data for data in red.snapshot().values())
    red.do("order", "g.pbem", "--drop", "2")
    assert not any(b"xyzzy" in data for data in red.snapshot().values())
    red.do("order", "g.pbem", "pass")
    match.mail("red")
    for one in match.computers.values():
        assert not any(b"xyzzy" in data for data in one.snapshot().values())
        assert not any("xyzzy" in str(path) for path in one.folder.rglob("*"))
