"""Game files: read as a stream, torn or not; changed whole or not at all; one process at a time."""

from __future__ import annotations

import errno
import io
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from builder import duel

from pbem import log
from pbem.errors import Incomplete, Refused, Trouble

ROOT = Path(__file__).parents[1]
needs_posix = pytest.mark.skipif(os.name != "posix", reason="signals and limits of POSIX")


def lines_of(data: bytes) -> list[tuple[int, bytes]]:
    return list(log.lines(io.BytesIO(data)))


# --- streams ---


def test_lines_are_numbered_and_whole() -> None:
    assert lines_of(b"") == []
    assert lines_of(b"a\n\nb\n") == [(1, b"a\n"), (2, b"\n"), (3, b"b\n")]
    longest = b"x" * (log.LONGEST - 1) + b"\n"
    assert lines_of(longest) == [(1, longest)]


def test_a_stream_is_never_read_as_a_whole() -> None:
    class Endless(io.RawIOBase):
        asked = 0

        def readline(self, size: int | None = -1, /) -> bytes:
            assert size is not None
            assert 0 < size <= log.LONGEST
            self.asked += 1
            return b"line\n"

    stream: Any = Endless()
    numbered = log.lines(stream)
    assert [next(numbered)[0] for _ in range(5)] == [1, 2, 3, 4, 5]
    assert stream.asked == 5


@pytest.mark.parametrize(
    ("tail", "what"),
    [(b"b", "a cut line"), (b"\0" * 10, "zeros"), (b"\0" * 200_000, "zeros"), (b"b\0\0", "a cut line")],
    ids=["cut", "zeros", "many zeros", "cut and zeros"],
)
def test_torn_tails(tail: bytes, what: str) -> None:
    numbered = log.lines(io.BytesIO(b"a\n" + tail))
    assert next(numbered) == (1, b"a\n")
    with pytest.raises(Incomplete, match=f"line 2 is {what}") as torn:
        next(numbered)
    assert "--repair" in torn.value.hint


def test_every_cut_of_a_game_is_torn_or_a_shorter_game() -> None:
    match = duel()
    whole = match.file()
    ends = {at + 1 for at, byte in enumerate(whole) if byte == 10}
    for at in [*range(0, len(whole), 7), *ends]:
        verdict = match.verdict(whole[:at])
        if at in ends and at >= len(match.head()):
            assert verdict.word == "VALID SO FAR"
        else:
            assert verdict.word == "INCOMPLETE"
            words = ("charter", "seals of", "events after")
            assert verdict.detail.startswith(words), verdict.detail


def test_line_longer_than_any_event() -> None:
    with pytest.raises(Refused, match="E_SIZE"):
        lines_of(b"a\n" + b"x" * log.LONGEST)
    with pytest.raises(Refused, match="E_SIZE"):
        lines_of(b"x" * (log.LONGEST + 100) + b"\n")


def test_a_disk_that_cannot_be_read_is_trouble() -> None:
    class Broken(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            raise OSError(errno.EIO, "Input/output error")

    with pytest.raises(Trouble, match="input/output error"):
        list(log.lines(Broken()))


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match="no such file"):
        log.open_for_reading(tmp_path / "none.pbem")
    with pytest.raises(Trouble, match="folder"):
        log.open_for_reading(tmp_path)


def test_sound_lines_of_a_damaged_file(tmp_path: Path) -> None:
    match = duel()
    path = tmp_path / "g.pbem"
    whole = match.file()
    path.write_bytes(whole[:-30])
    found = log.sound_lines(path)
    assert found.data == match.file(2)
    assert (found.lines, found.lost_bytes) == (5, len(whole) - 30 - len(found.data))
    path.write_bytes(whole + bytes(5000))
    assert log.sound_lines(path).data == whole
    path.write_bytes(whole)
    assert log.sound_lines(path).lost_bytes == 0
    assert path.read_bytes() == whole


# --- writing ---


def test_append_and_create(tmp_path: Path) -> None:
    path = tmp_path / "new" / "g.pbem"
    log.create(path, b"one\n")
    with pytest.raises(Trouble, match="exists already"):
        log.create(path, b"other\n")
    log.append(path, b"two\n")
    assert path.read_bytes() == b"one\ntwo\n"
    assert [child.name for child in path.parent.iterdir()] == ["g.pbem"]


@needs_posix
def test_modes(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    log.write_atomic(path, b"x", private=True)
    assert path.stat().st_mode & 0o777 == 0o600
    game = tmp_path / "g.pbem"
    log.write_atomic(game, b"x")
    assert game.stat().st_mode & 0o777 == 0o644
    game.chmod(0o640)
    log.append(game, b"y")
    assert game.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("step", ["fsync", "replace", "chmod"])
def test_a_failing_step_leaves_the_old_file(tmp_path: Path, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "g.pbem"
    log.create(path, b"old\n")

    def fail(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(*((os, "fsync") if step == "fsync" else (Path, step)), fail)
    with pytest.raises(Trouble, match="no space left on device") as full:
        log.append(path, b"new\n")
    assert "nothing was changed" in full.value.hint
    monkeypatch.undo()
    assert path.read_bytes() == b"old\n"
    assert [child.name for child in tmp_path.iterdir()] == ["g.pbem"]


def test_a_folder_that_cannot_be_synced_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "open", fail)
    log.sync_folder(tmp_path)


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from pbem import log
from pbem.errors import Trouble
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
try:
    log.append(Path(sys.argv[1]), b"x" * 60_000 + b"\\n")
except Trouble as trouble:
    print(trouble.what, trouble.exit_status)
"""


@needs_posix
def test_a_file_that_may_not_grow_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "g.pbem"
    old = b"o" * 59_999 + b"\n"
    path.write_bytes(old)
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "file too large 4" in done.stdout
    assert path.read_bytes() == old
    assert [child.name for child in tmp_path.iterdir()] == ["g.pbem"]


APPENDER = """
import sys
from pathlib import Path
from pbem import log
path, filling = Path(sys.argv[1]), int(sys.argv[2])
print("ready", flush=True)
number = 0
while True:
    log.append(path, b"%08d " % number + b"x" * filling + b"\\n")
    number += 1
"""


@needs_posix
def test_kill_9_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    """Killed at random points of an endless row of appends, the file holds whole lines in order, none missing."""
    rng = random.Random(1)
    for trial in range(6):
        path = tmp_path / f"{trial}.pbem"
        log.create(path, b"")
        with subprocess.Popen(
            [sys.executable, "-c", APPENDER, str(path), "3000"], cwd=ROOT, stdout=subprocess.PIPE, text=True
        ) as child:
            assert child.stdout is not None
            child.stdout.readline()
            time.sleep(rng.uniform(0.005, 0.06))
            child.send_signal(signal.SIGKILL)
        lines = lines_of(path.read_bytes())
        assert [line.split(b" ")[0] for _, line in lines] == [b"%08d" % n for n in range(len(lines))]
        assert all(len(line) == 3010 for _, line in lines)
        log.append(path, b"and on\n")  # what the dead process left behind does not matter


# --- locks ---

HOLDER = """
import sys
from pathlib import Path
from pbem import log
with log.lock(Path(sys.argv[1])):
    print("locked", flush=True)
    sys.stdin.readline()
"""


def test_one_process_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "rooms" / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "locked\n"
        with pytest.raises(Trouble, match="another pbem"), log.lock(path):
            raise AssertionError("two at once")
        child.kill()
    with log.lock(path):  # the system drops the lock of a killed process
        pass


def test_lock_is_not_for_one_process_twice(tmp_path: Path) -> None:
    with log.lock(tmp_path / "lock"), pytest.raises(Trouble), log.lock(tmp_path / "lock"):
        raise AssertionError("two at once")
    with log.lock(tmp_path / "lock"):
        pass


def test_lock_is_dropped_when_work_fails(tmp_path: Path) -> None:
    with pytest.raises(KeyError), log.lock(tmp_path / "lock"):
        raise KeyError
    with log.lock(tmp_path / "lock"):
        pass
