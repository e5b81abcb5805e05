"""One game over mail files that survives everything of docs/accidents.md, one accident after the other.

And crashes in the middle of the rare commands: at every write, and by real kills (`PBEM_KILLS` sets how many).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import killing
import pytest
from computers import Computer, Match, duel
from test_crash import Crash, Disk, signed_once

from pbem import safe

KILLS = int(os.environ.get("PBEM_KILLS", "100"))
PARTS = 5
"""The kills are spread over so many games, which may run side by side."""

Case = tuple[Computer, tuple[object, ...]]


def play(match: Match, number: int) -> None:
    """A turn of each, with dice in red's, between whichever computers play now."""
    match["red"].do("order", "g.pbem", f"roll d6 for turn {number}")
    match.mail("red")
    match.mail("blue")
    match.turn("red", "pass")
    match.turn("blue", f"move in turn {number}", "pass")
    match.agree()


def give(sender: Computer, name: str, *receivers: Computer) -> str:
    for one in receivers:
        one.path(name).write_bytes(sender.path(name).read_bytes())
    return name


def test_one_game_survives_every_accident(tmp_path: Path) -> None:
    match = duel(tmp_path)
    red, blue = match["red"], match["blue"]
    paper = red.do("vault", "paper", "g.pbem").out
    play(match, 1)
    match = restored_backup(match)
    match = new_computer(match, tmp_path, paper)
    match = other_key(match)
    match = other_player(match, tmp_path)
    match = vanished_opponent(match, tmp_path)
    match["blue"].do("offer", "g.pbem", "draw")
    match.mail("blue")
    match["red"].do("agree", "g.pbem")
    match.mail("red")
    for one in match.computers.values():
        assert one.do("verify", "g.pbem").out == "VALID, a draw by agreement, that red vanished is the word of blue\n"
    for one in (red, blue):  # whoever left has a shorter game, as sound
        assert one.do("verify", "g.pbem").out.startswith("VALID SO FAR")


def restored_backup(match: Match) -> Match:
    red = match["red"]
    backup = red.snapshot()
    play(match, 2)
    shutil.rmtree(red.folder / "private")
    red.restore(backup)
    assert "read only: the application folder was restored" in red.do("status", "g.pbem").out
    red.do("resume", "g.pbem")
    match.mail("red")
    match.mail("blue")
    assert "read only" not in red.do("status", "g.pbem").out
    play(match, 3)
    return match


def new_computer(match: Match, folder: Path, paper: str) -> Match:
    """Red's machine is gone: there are the key, on a stick, and the paper; blue has the game."""
    old, blue, new = match["red"], match["blue"], Computer(folder / "new")
    (new.folder / "private" / "keys").mkdir(parents=True)
    for name in ("id", "id.pub"):
        (new.folder / "private" / "keys" / name).write_bytes((old.folder / "private" / "keys" / name).read_bytes())
    shutil.rmtree(old.folder / "private")
    give(blue, "g.pbem", new)
    assert "you only watch this game" in new.do("status", "g.pbem").out
    new.do("vault", "restore", "g.pbem", "--paper", "-", stdin=paper)
    new.do("resume", "g.pbem")
    match = Match({"red": new, "blue": blue})
    match.mail("red")
    match.mail("blue")
    play(match, 4)
    return match


def other_key(match: Match) -> Match:
    red, blue = match["red"], match["blue"]
    red.do("key", "new", "--name", "second")
    act = give(red, red.do("rekey", "g.pbem", "--key", "second").last, blue)
    blue.do("consent", "g.pbem", act, "--yes")
    match.mail("blue")
    red.do("consent", "g.pbem", act, "--yes")
    play(match, 5)
    return match


def other_player(match: Match, folder: Path) -> Match:
    red, blue, cora = match["red"], match["blue"], Computer(folder / "cora")
    cora.do("key", "new")
    give(blue, "g.pbem", cora)
    act = give(cora, cora.do("transfer", "g.pbem", "blue", "--name", "Red").last, red, blue)
    blue.do("consent", "g.pbem", act, "--yes")
    match.mail("blue")
    red.do("consent", "g.pbem", act, "--yes")
    red.do("send", "g.pbem")
    cora.do("receive", red.letter)
    match = Match({"red": red, "blue": cora})
    match.mail("blue")
    play(match, 6)
    return match


def vanished_opponent(match: Match, folder: Path) -> Match:
    blue, dan = match["blue"], Computer(folder / "dan")
    dan.do("key", "new")
    give(blue, "g.pbem", dan)
    act = give(dan, dan.do("replace", "g.pbem", "red", "--name", "Dan").last, blue)
    blue.do("consent", "g.pbem", act, "--yes")
    blue.do("send", "g.pbem")
    dan.do("receive", blue.letter)
    match = Match({"red": dan, "blue": blue})
    play(match, 7)
    return match


# Crashes -----------------------------------------------------------------------------------------------------------


def writes_an_act(folder: Path) -> Case:
    match = duel(folder)
    red, blue = match["red"], match["blue"]
    red.do("key", "new", "--name", "second")
    match.turn("red", "pass")
    match.turn("blue", "pass")
    act = give(red, red.do("rekey", "g.pbem", "--key", "second").last, blue)
    blue.do("consent", "g.pbem", act, "--yes")
    match.mail("blue")
    return red, ("consent", "g.pbem", act, "--yes")


def takes_a_seat(folder: Path) -> Case:
    match = duel(folder)
    red, blue, cora = match["red"], match["blue"], Computer(folder / "cora")
    cora.do("key", "new")
    match.turn("red", "pass")
    give(blue, "g.pbem", cora)
    act = give(cora, cora.do("transfer", "g.pbem", "red").last, red, blue)
    red.do("consent", "g.pbem", act, "--yes")
    match.mail("red")
    blue.do("consent", "g.pbem", act, "--yes")
    blue.do("send", "g.pbem")
    return cora, ("receive", blue.letter)


def goes_over_to_another_branch(folder: Path) -> Case:
    match = duel(folder)
    red, blue = match["red"], match["blue"]
    backup = red.snapshot()
    match.turn("red", "move first", "pass")
    red.restore(backup)
    red.do("order", "g.pbem", "move second", "pass")
    red.do("send", "g.pbem")
    match.take("red", "blue", 1)
    act = give(blue, blue.do("heal", "g.pbem", "--to", "0").last, red)
    red.do("consent", "g.pbem", act, "--yes")
    match.mail("red")
    blue.do("consent", "g.pbem", act, "--yes")
    blue.do("send", "g.pbem")
    return red, ("receive", blue.letter)


def asks_after_a_restore(folder: Path) -> Case:
    match = duel(folder)
    match.turn("red", "pass")
    return match["red"], ("resume", "g.pbem")


def locks_its_vault(folder: Path) -> Case:
    match = duel(folder)
    match.turn("red", "pass")
    return match["red"], ("vault", "lock", "g.pbem")


def unlocks_its_vault(folder: Path) -> Case:
    red, _ = locks_its_vault(folder)
    red.do("vault", "lock", "g.pbem")
    return red, ("vault", "unlock", "g.pbem")


CASES = (
    writes_an_act,
    takes_a_seat,
    goes_over_to_another_branch,
    asks_after_a_restore,
    locks_its_vault,
    unlocks_its_vault,
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_crash_at_any_write_loses_nothing(
    case: Callable[[Path], Case], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_VAULT_PASSPHRASE", "word")
    monkeypatch.setattr(safe, "COST", {"n": 2**14, "p": 1, "r": 8})
    who, words = case(tmp_path)
    files, disk = who.snapshot(), Disk(monkeypatch)
    disk.arm(0, after=True)
    who.do(*words)
    writes, expected = disk.count, who.table("g.pbem").fold
    for stop_at in range(1, writes + 1):
        for after in (False, True):
            who.restore(files)
            disk.written.clear()
            disk.arm(stop_at, after=after)
            with suppress(Crash):  # the mark of the installation is written once
                who.run(*words)
            disk.arm(0, after=after)
            who.run(*words)
            fold = who.table("g.pbem").fold
            assert (fold.seq, fold.head, fold.holder) == (expected.seq, expected.head, expected.holder)
            assert "VALID" in who.do("verify", "g.pbem").out
            assert who.run("vault", "paper", "g.pbem").status in (0, 2)
            if case is not goes_over_to_another_branch:
                signed_once([*disk.written, who.path("g.pbem").read_bytes()])


@pytest.mark.skipif(not killing.MAY_KILL, reason="no kill -9 on this system")
@pytest.mark.parametrize("seed", range(PARTS))
def test_kills_at_any_moment_lose_nothing_and_sign_nothing_twice(tmp_path: Path, seed: int) -> None:
    done = killing.campaign(tmp_path, KILLS // PARTS, seed)
    assert done.killed == KILLS // PARTS
    assert {"order", "send", "receive", "respond"} >= set(done.kills)
    assert done.events
    assert all(len(found) == 1 for found in (*done.events.values(), *done.slips.values()))
