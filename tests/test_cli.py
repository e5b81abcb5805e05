"""Every command: help, exit status, hints, JSON, and what it makes of junk. Never a traceback."""

from __future__ import annotations

import json
import os
import random
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from computers import Computer, Match, Said, duel
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.cli import COMMANDS
from pbem.errors import PbemError

GROUPS = {"key": ("new", "show", "import"), "rules": ("list", "show", "clauses", "check", "cases")}
ALL = [(name,) for name in COMMANDS] + [(name, part) for name, parts in GROUPS.items() for part in parts]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Match:
    """A duel with a turn of each; tests that change it take a copy with `one`."""
    match = duel(tmp_path_factory.mktemp("cli"), "sealed", "--name", "Red player")
    match.turn("red", "move 3rd to hill 12", "pass")
    match.turn("blue", "tally blue-vp 3", "pass")
    return match


@pytest.fixture
def one(played: Match) -> Iterator[Computer]:
    """Red's computer; afterwards everything is as it was."""
    before = played["red"].snapshot()
    yield played["red"]
    played["red"].restore(before)


@pytest.fixture(scope="module")
def card(tmp_path_factory: pytest.TempPathFactory) -> Computer:
    alone = Computer(tmp_path_factory.mktemp("card"))
    alone.do("new", "battle-card-malaya", "--file", "m.pbem")
    return alone


@pytest.fixture
def malaya(card: Computer) -> Iterator[Computer]:
    before = card.snapshot()
    yield card
    card.restore(before)


# Help ---------------------------------------------------------------------------


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_help_shows_an_example(one: Computer, words: tuple[str, ...]) -> None:
    said = one.do(*words, "--help")
    assert said.out.startswith(f"Usage: pbem {' '.join(words)}")
    examples = [line for line in said.out.splitlines()[1:] if line.strip().startswith(("pbem ", "cat "))]
    assert any(f"pbem {' '.join(words)}" in line for line in examples)
    assert said.out == one.do(*words, "-h").out


def test_help_lists_every_command(one: Computer) -> None:
    said = one.do("--help")
    for name, (_, about) in COMMANDS.items():
        assert f"  {name} " in said.out
        assert about.split()[0] in said.out
    assert one.do("--version").out.startswith("pbem ")


@pytest.mark.parametrize(
    ("typed", "meant"), [("recieve", "receive"), ("verfiy", "verify"), ("statuss", "status"), ("oder", "order")]
)
def test_did_you_mean(one: Computer, typed: str, meant: str) -> None:
    said = one.run(typed)
    assert said.status == 2
    assert f"Did you mean: {meant}" in said.err


def test_wrong_usage_points_to_help(one: Computer) -> None:
    for words in (("status", "g.pbem", "--jsom"), ("order",), ("verify",), ("claim", "g.pbem")):
        said = one.run(*words)
        assert said.status == 2
        assert f"hint: see `pbem {words[0]} --help`" in said.err
    assert one.run("nonsense-command").status == 2


# Exit statuses ---------------------------------------------------------------------------


REFUSED: tuple[tuple[int, str, str], ...] = (
    (2, "new chess", "no rules are named"),
    (2, "new open-table --scenario duell", "has no scenario"),
    (2, "new open-table --seat green", "has no seat"),
    (2, "new open-table --option colour=red", "no option 'colour'"),
    (2, "new open-table --option order=random", "option order"),
    (2, "new open-table --option game", "option 'game'"),
    (2, "new open-table --scenario three --dice open", "open"),
    (2, "new battle-card-malaya --dice sealed", "sealed"),
    (4, "new open-table --file g.pbem", "exists already"),
    (4, "new open-table --key other", "no key named other"),
    (2, "new open-table --key ../x", "is no name for a key"),
    (2, "new open-table --file .", "no name for a game file"),
    (4, "join no-such-mail.eml", "no such file"),
    (2, "join g.pbem", "no invitation in it"),
    (4, "status no-such.pbem", "no such file"),
    (2, "status g.pbem --seat green", "is not played on this machine"),
    (2, "legal g.pbem --seat blue", "is not played on this machine"),
    (1, "order g.pbem 'fly to the moon'", "cannot read"),
    (1, "order g.pbem 'roll 0d6 for nothing'", "roll"),
    (1, "order g.pbem 'note '", "a note needs a text"),
    (2, "order g.pbem --drop 7", "no order 7 in the draft"),
    (2, "order g.pbem --drop x", "no order x in the draft"),
    (4, "send no-such.pbem", "no such file"),
    (2, "send g.pbem --since 0 --out other.pbem", "would be a game file"),
    (4, "receive no-such.eml", "no such file"),
    (2, "receive g.pbem", "no packet in it"),
    (2, "show g.pbem --at 99", "no event 99"),
    (2, "show g.pbem --at T99", "no bookmark 'T99'"),
    (2, "show g.pbem --format svg", "this game has no map"),
    (2, "show g.pbem --html --out g.pbem", "is the file being read"),
    (4, "verify no-such.pbem", "no such file"),
    (2, "verify private", "no game files"),
    (2, "verify g.pbem --repair g.pbem --finished g.pbem", "--repair takes one file"),
    (4, "compare g.pbem no-such.pbem", "no such file"),
    (2, "export-sig g.pbem 99", "no event 99"),
    (2, "offer g.pbem victory", "no result 'victory'"),
    (2, "agree g.pbem", "nothing is offered"),
    (2, "claim g.pbem --days 3", "the next event is your own to write"),
    (2, "rules show chess", "no rules are named"),
    (4, "key new --name id", "exists already"),
    (4, "key import no-such", "no such file"),
    (4, "key show --name other", "no key named other"),
)


@pytest.mark.parametrize(("status", "line", "what"), REFUSED, ids=[row[1] for row in REFUSED])
def test_refusals_say_what_and_hint_what_to_try(one: Computer, status: int, line: str, what: str) -> None:
    before = one.snapshot()
    said = one.run(*shlex.split(line))
    assert (said.status, said.out) == (status, ""), said
    assert what in said.err
    assert "hint: " in said.err
    assert one.snapshot() == before


def test_waiting_is_three(played: Match) -> None:
    blue = played["blue"]
    for line in ("order g.pbem pass", "legal g.pbem", "send g.pbem"):
        said = blue.run(*shlex.split(line))
        assert (said.status, "red" in said.err) == (3 if "send" not in line else 0, True), said


def test_before_the_seals_every_command_says_what_is_missing(tmp_path: Path) -> None:
    red = Computer(tmp_path / "red")
    red.do("new", "open-table", "--file", "g.pbem")
    for line in (
        "order g.pbem pass",
        "legal g.pbem",
        "show g.pbem",
        "play g.pbem",
        "roll g.pbem d6",
        "offer g.pbem",
        "agree g.pbem",
        "resign g.pbem --yes",
        "claim g.pbem --days 1",
        "undo g.pbem --to 0",
        "status g.pbem",
    ):
        said = red.run(*shlex.split(line))
        assert said.status == 3, said
        assert "INCOMPLETE: entries of blue" in said.all
    assert "take in answers with `pbem receive LETTER`" in red.run("status", "g.pbem").out


def test_a_wargame_without_keys_starts_with_one(tmp_path: Path) -> None:
    new = Computer(tmp_path / "new")
    assert new.run("key", "show").status == 4
    assert "so one was made" in new.do("new", "battle-card-malaya").err
    assert new.do("key", "show").out.startswith("id ")


# JSON ---------------------------------------------------------------------------


def test_json_answers_have_stable_keys(one: Computer) -> None:
    status = one.do("status", "g.pbem", "--json").json()
    assert {
        "file", "game", "rules", "title", "scenario", "dice", "seats", "seat", "seq", "head", "state", "outcome",
        "draft", "since", "said", "next", "holder", "decides", "asks", "owed", "over", "batches",
    } <= set(status)  # fmt: skip
    assert (status["file"], status["seq"], status["holder"], status["seat"]) == ("g.pbem", 6, "red", "red")
    assert status["seats"] == {"red": "Red player", "blue": "blue"}
    [row] = [row for row in one.do("status", ".", "--json").json() if row["file"] == "g.pbem"]
    assert row == status
    assert set(one.do("legal", "g.pbem", "--json").json()) == {"orders", "waits"}
    verdict = one.do("verify", "g.pbem", "--json").json()
    assert {"file", "verdict", "game", "seq", "head", "status", "line"} <= set(verdict)
    assert (verdict["verdict"], verdict["status"]) == ("VALID SO FAR", 0)
    same = one.do("compare", "g.pbem", "g.pbem", "--json").json()
    assert same == {"line": "the same game, both at event 6", "same_game": True, "status": 0}
    assert {"battle-card-malaya", "open-table"} <= {row["id"] for row in one.do("rules", "list", "--json").json()}
    report = one.do("show", "g.pbem", "--format", "json").json()
    assert (report["game"]["head"], report["reader"]) == (status["head"], "red")


def test_one_is_one(one: Computer) -> None:
    """One seat, one case; two of them, and none."""
    listed = one.do("rules", "list").out.splitlines()
    assert [line.split()[1:3] for line in listed if line.startswith("battle-card")] == [["1", "seat"]]
    assert [line.split()[1:3] for line in listed if line.startswith("tiger")] == [["2", "seats"]]
    case = 'id = "OT-{}"\nclauses = ["OT-1.2"]\ngist = "A pass."\nplay = ["red: pass"]\nexpect.pending = "{}: act"\n'
    head, good, bad = 'game = "open-table"\n', case.format(1, "blue"), case.format(2, "red")
    for name, wanted in (("1", (good,)), ("2", (good, good.replace("OT-1", "OT-3"))), ("0", (bad,))):
        one.path(name).with_suffix(".toml").write_text(head + "".join(f"[[case]]\n{text}" for text in wanted))
    said = [one.run("rules", "cases", f"{name}.toml").err for name in "120"]
    assert said == ["1 case as expected, 0 not\n", "2 cases as expected, 0 not\n", "0 cases as expected, 1 not\n"]


def test_json_of_refused_files(one: Computer) -> None:
    one.path("bad.pbem").write_bytes(b"hello\n")
    said = one.run("verify", "bad.pbem", "--json")
    assert (said.status, said.json()["verdict"], said.json()["code"]) == (1, "INVALID", "E_LINE")
    rows = one.run("verify", "bad.pbem", "g.pbem", "--json").json()
    assert [row["status"] for row in rows] == [1, 0]
    folder = one.run("status", ".", "--json").json()
    assert {row["file"]: row["seq"] for row in folder} == {"bad.pbem": 0, "g.pbem": 6}


# Orders ---------------------------------------------------------------------------


def test_drafts_are_listed_dropped_and_edited(one: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
    assert one.do("order", "g.pbem", "move a", "move b", "pass").out == "1 move a\n2 move b\n3 pass\n"
    assert one.do("order", "g.pbem").out == "1 move a\n2 move b\n3 pass\n"
    assert one.do("order", "g.pbem", "--drop", "2").out == "1 move a\n"
    monkeypatch.setattr("click.edit", lambda text: text + "# a remark\nrecord b done\n")
    assert one.do("order", "g.pbem", "--edit").out == "1 move a\n2 record b done\n"
    monkeypatch.setattr("click.edit", lambda text: text + "march somewhere\n")
    failed = one.run("order", "g.pbem", "--edit")
    assert failed.status == 1
    assert "this is what you wrote:\nmove a\nrecord b done\nmarch somewhere" in failed.err
    monkeypatch.setattr("click.edit", lambda _: None)
    assert one.do("order", "g.pbem", "--edit").out == "1 move a\n2 record b done\n"
    assert "1 move a\n  2 record b done" in one.do("status", "g.pbem").out
    assert one.do("order", "g.pbem", "--drop", "all").err == "the draft is empty\n"
    assert one.do("order", "g.pbem", "--show").err == "the draft is empty\n"


def test_one_bad_order_drafts_none(one: Computer) -> None:
    said = one.run("order", "g.pbem", "move a", "fly", "pass")
    assert said.status == 1
    assert "none of these 3 orders is drafted" in said.err
    assert "order 2: cannot read" in said.err
    assert one.do("order", "g.pbem").out == ""


def test_an_order_with_several_meanings_lists_them(malaya: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = malaya.table("m.pbem").fold.engine
    both = [engine.read(malaya.table("m.pbem").fold.state, "allies", f"withdraw {one}", {}) for one in ("Ji", "Kot")]
    monkeypatch.setattr(type(engine), "read", lambda *_: (*both[0], *both[1]))
    said = malaya.run("order", "m.pbem", "withdraw north")
    assert said.status == 1
    assert 'order 1 "withdraw north" has several meanings' in said.err
    assert "hint: it could mean: withdraw Jitra; withdraw Kota Bharu" in said.err


def test_a_script_stops_and_says_which_lines_were_not_used(one: Computer) -> None:
    script = "# turn 2\nmove a\n\nroll d6 for a\nrecord a is done\npass\n"
    said = one.run("order", "g.pbem", "-", stdin=script)
    assert said.status == 0  # at an open table the story goes on while dice wait
    assert said.out == "2 move a\n4 roll d6 for a\n5 record a is done\n6 pass\n"
    one.do("order", "g.pbem", "--drop", "all")
    said = one.run("order", "g.pbem", "-", stdin="pass\nmove too late\n# end\nmove later\n")
    assert (said.status, said.out) == (3, "1 pass\n")
    assert "not used, because blue decides next:\n  2 move too late\n  4 move later\n" in said.err


def test_a_script_in_another_encoding_is_told(one: Computer) -> None:
    said = one.run("order", "g.pbem", "-", stdin="move to Orl\xe9ans\n".encode("latin-1"))
    assert said.status == 2
    assert "not in UTF-8: byte 12 is 0xe9" in said.err
    one.do("order", "g.pbem", "-", stdin="\ufeffmove to Orl\xe9ans\r\npass\r\n")
    assert one.do("order", "g.pbem").out == "1 move to Orl\xe9ans\n2 pass\n"


def test_solitaire_orders_roll_and_go_on(malaya: Computer) -> None:
    script = "withdraw Jitra\n# the first battle\ndefend Kampar\ndefend Kota Bharu\nnote so far\n"
    said = malaya.do("order", "m.pbem", "-", "--roll", stdin=script)
    numbered = [line for line in said.out.splitlines() if line[:2] in ("1 ", "3 ", "4 ", "5 ")]
    assert numbered == ["1 withdraw Jitra", "3 defend Kampar", "4 defend Kota Bharu", "5 note so far"]
    assert malaya.table("m.pbem").fold.requested >= 1
    assert malaya.do("verify", "m.pbem").out.startswith("VALID SO FAR")


def test_a_conversation(malaya: Computer) -> None:
    script = "help\nlegal\nwithdraw K\nwithdraw Jitra\ndraft\ndrop 1\nfly\ndraft\nboard\nroll\nsend\nquit\n"
    said = malaya.do("play", "m.pbem", stdin=script)
    assert "no withdrawal\nwithdraw Jitra\nwithdraw Kota Bharu" in said.out
    assert 'cannot read "fly"' in said.err
    assert "the draft is empty" in said.out
    assert malaya.do("play", "m.pbem", stdin="").status == 0  # the input just ends
    assert malaya.do("play", "m.pbem", stdin=b"\xff\xfe\n\nquit\n").status == 0


def test_a_spectator_may_only_look(one: Computer, tmp_path: Path) -> None:
    watcher = Computer(tmp_path / "watcher")
    shutil.copy(one.path("g.pbem"), watcher.path("g.pbem"))
    status = watcher.do("status", "g.pbem")
    assert "(you)" not in status.out
    assert "you only watch this game" in status.out
    watcher.do("show", "g.pbem")
    watcher.do("verify", "g.pbem")
    assert watcher.run("legal", "g.pbem").status == 3
    for line in ("order g.pbem pass", "send g.pbem", "resign g.pbem --yes", "offer g.pbem", "agree g.pbem"):
        said = watcher.run(*shlex.split(line))
        assert said.status == 2
        assert "no seat of this game is played on this machine" in said.err


def test_a_folder_at_a_glance(one: Computer) -> None:
    one.do("new", "open-table", "--file", "waiting.pbem")
    one.path("bad.pbem").write_bytes(b"junk")
    said = one.run("status", ".")
    assert said.status == 3
    begins = [line.split(": ")[0] for line in said.out.splitlines() if not line.startswith("  ")]
    assert begins == ["bad.pbem", "g.pbem", "waiting.pbem"]
    assert "red: event 7" in said.out
    assert "INCOMPLETE: entries of blue" in said.out


def test_looking_at_a_copy_does_not_move_the_game_there(one: Computer, played: Match) -> None:
    shutil.copy(one.path("g.pbem"), one.path("backup.pbem"))
    one.do("status", "backup.pbem")
    one.do("status", ".")
    assert one.table("g.pbem").room.where() == one.path("g.pbem").resolve()


# Show ---------------------------------------------------------------------------


def test_show_at_an_event_a_bookmark_and_for_everybody(one: Computer) -> None:
    early = one.do("show", "g.pbem", "--at", "1")
    assert "event 1 of 6" in early.out.replace("\n    ", " ")
    assert one.do("show", "g.pbem", "--at", "0").status == 0
    assert one.do("show", "g.pbem", "--at", "T1").status == 0
    assert "Your report" in one.do("show", "g.pbem").out
    assert "Your report" not in one.do("show", "g.pbem", "--public").out
    assert one.do("show", "g.pbem", "--html").out.lower().startswith("<!doctype html>")
    one.do("show", "g.pbem", "--html", "--out", "report.html")
    assert one.path("report.html").read_bytes().lower().startswith(b"<!doctype html>")
    assert json.loads(one.do("show", "g.pbem", "--format", "json").out)


def test_show_draws_the_map(malaya: Computer) -> None:
    assert "<svg " in malaya.do("show", "m.pbem", "--format", "svg").out
    malaya.do("show", "m.pbem", "--format", "svg", "--out", "map.svg")
    assert b"<svg" in malaya.path("map.svg").read_bytes()


# Verify ---------------------------------------------------------------------------


def damaged(good: bytes) -> dict[str, tuple[bytes, int, str]]:
    """Damaged files with the status and the first words of the verdict."""
    cut = good[:-40]
    return {
        "torn": (cut, 3, "INCOMPLETE: events after 5"),
        "zero-filled": (cut + bytes(500), 3, "INCOMPLETE: events after 5"),
        "empty": (b"", 3, "INCOMPLETE: charter"),
        "only zeros": (bytes(4096), 3, "INCOMPLETE: charter"),
        "Windows line ends": (good.replace(b"\n", b"\r\n"), 1, "INVALID at event 0: E_LINE"),
        "binary junk": (random.Random(1).randbytes(5000), 1, "INVALID at event 0: E_LINE"),
        "a text": (b"Dear Sir,\n", 1, "INVALID at event 0: E_LINE"),
        "a byte order mark": (b"\xef\xbb\xbf" + good, 1, "INVALID at event 0: E_LINE"),
        "UTF-16": (good.decode().encode("utf-16"), 1, "INVALID at event 0"),
        "one long line": (b"x" * 300_000, 1, "INVALID at event 0: E_SIZE"),
        "a line twice": (good + good.splitlines(True)[-1], 1, "INVALID at event 6: E_GAP"),
    }


DAMAGES = tuple(damaged(b"x" * 100))


@pytest.mark.parametrize("name", DAMAGES)
def test_verify_names_the_damage(one: Computer, name: str) -> None:
    data, status, words = damaged(one.path("g.pbem").read_bytes())[name]
    one.path("bad.pbem").write_bytes(data)
    for said in (one.run("verify", "bad.pbem"), one.run("verify", "-", stdin=data)):
        assert (said.status, said.out[: len(words)]) == (status, words)
    assert one.path("bad.pbem").read_bytes() == data


def test_verify_folders_standard_input_and_finished(one: Computer) -> None:
    shutil.copy(one.path("g.pbem"), one.path("copy.pbem"))
    said = one.do("verify", ".")
    heads = [line.split(": ")[0] for line in said.out.splitlines()]
    assert heads == ["copy.pbem", "g.pbem", "2 files", "  VALID SO FAR       2"]
    assert one.run("verify", "g.pbem", "--finished").status == 3
    piped = one.do("verify", "-", stdin=one.path("g.pbem").read_bytes())
    assert piped.out == one.do("verify", "g.pbem").out


def test_repair_writes_a_copy_and_leaves_the_original(one: Computer) -> None:
    good = one.path("g.pbem").read_bytes()
    torn = good[:-40] + bytes(300)
    one.path("torn.pbem").write_bytes(torn)
    said = one.do("verify", "torn.pbem", "--repair", "fixed.pbem")
    assert one.path("torn.pbem").read_bytes() == torn
    assert one.path("fixed.pbem").read_bytes() == good[: good.rindex(b"\n", 0, len(good) - 1) + 1]
    assert "bytes of the end are left out" in said.err
    assert one.run("verify", "torn.pbem", "--repair", "fixed.pbem").status == 4  # never over another file
    assert one.run("verify", "torn.pbem", "--repair", "torn.pbem").status == 2
    assert "nothing to repair" in one.do("verify", "g.pbem", "--repair", "again.pbem").err
    assert "VALID SO FAR" in one.do("verify", "fixed.pbem").out


# Compare and export ---------------------------------------------------------------------------


def test_compare_the_same_longer_parted_and_another_game(one: Computer, played: Match, tmp_path: Path) -> None:
    good = one.path("g.pbem").read_bytes()
    one.path("short.pbem").write_bytes(b"".join(good.splitlines(True)[:-2]))
    assert one.do("compare", "g.pbem", "g.pbem").out == "the same game, both at event 6\n"
    longer = one.do("compare", "short.pbem", "g.pbem")
    assert longer.out == "the same game; g.pbem is longer: event 6, the other 4\n"
    one.do("new", "open-table", "--scenario", "solo", "--file", "other.pbem")
    other = one.run("compare", "g.pbem", "other.pbem")
    assert (other.status, other.out) == (1, "two different games\n")


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="no ssh-keygen here")
def test_an_exported_signature_is_checked_by_ssh_keygen(one: Computer) -> None:
    command = one.do("export-sig", "g.pbem", "4", "--out", "proof").out
    check = command.rsplit(" < ", 1)
    data = one.path(check[1].strip()).read_bytes()
    done = subprocess.run(shlex.split(check[0]), cwd=one.folder, input=data, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert b"Good" in done.stdout
    forged = subprocess.run(shlex.split(check[0]), cwd=one.folder, input=data + b" ", capture_output=True, check=False)
    assert forged.returncode != 0


# Names that attack ---------------------------------------------------------------------------

ATTACKS = ("<script>alert(1)</script>", "../../x", "\x1b[31mred", "x" * 300, "\u05e9\u05dc\u05d5\u05dd", "\u202eder")


@pytest.mark.parametrize("text", ATTACKS, ids=ascii)
def test_odd_names_are_refused_or_escaped(tmp_path: Path, text: str) -> None:
    red = Computer(tmp_path / "red")
    said = red.run("new", "open-table", "--scenario", "solo", "--name", text, "--file", "g.pbem")
    if said.status:
        assert said.status == 2
        assert "hint: " in said.err
        assert not red.path("g.pbem").exists()
        red.do("new", "open-table", "--scenario", "solo", "--file", "g.pbem")
    for order in (f"note {text}", f"move {text}", f"roll d6 for {text}", f"tally {text} 3", text):
        tried = red.run("order", "g.pbem", order)
        assert tried.status in (0, 1, 3)
        assert "\x1b" not in tried.all
        assert "\u202e" not in tried.all
    red.run("send", "g.pbem")
    page = red.do("show", "g.pbem", "--html", "--since", "0").out
    assert "<script>alert" not in page
    assert "\x1b" not in red.do("show", "g.pbem", "--since", "0").out + page
    red.do("order", "g.pbem", "--drop", "all")
    red.do("send", "g.pbem", "--since", "0", "--out", "mail")
    for path in tmp_path.rglob("*"):
        assert "script" not in path.name
        assert "\x1b" not in path.name
    assert not (tmp_path.parent / "x").exists()


@pytest.mark.parametrize("text", ATTACKS, ids=ascii)
def test_odd_arguments_are_told_and_never_steer_the_terminal(one: Computer, text: str) -> None:
    for line in (
        ["status", text],
        ["status", "g.pbem", "--seat", text],
        ["show", "g.pbem", "--at", text],
        ["new", text],
        ["order", "g.pbem", "--drop", text],
        ["receive", text],
        ["key", "new", "--name", text],
        ["rules", "show", text],
        ["new", "open-table", "--option", f"game={text}", "--scenario", text],
        ["offer", "g.pbem", text],
        [text],
    ):
        said = one.run(*line)
        assert said.status in (1, 2, 4)
        assert not {"\x1b", "\u202e"} & set(said.all)


# Junk ---------------------------------------------------------------------------

BUSY = settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
READERS: tuple[tuple[str, ...], ...] = (
    ("status", "J"), ("legal", "J"), ("order", "J", "pass"), ("send", "J"), ("receive", "J"), ("show", "J"),
    ("verify", "J"), ("compare", "J", "g.pbem"), ("export-sig", "J", "1", "--out", "proof"), ("join", "J"),
    ("play", "J"), ("resign", "J", "--yes"), ("offer", "J"), ("agree", "J"), ("claim", "J", "--days", "1"),
    ("undo", "J", "--to", "0"), ("key", "import", "J", "--name", "junk"), ("rules", "cases", "J"), ("audit", "J"),
)  # fmt: skip


@BUSY
@given(words=st.sampled_from(READERS), data=st.binary(max_size=200))
def test_any_bytes_as_a_file(played: Match, words: tuple[str, ...], data: bytes) -> None:
    _junk(played["red"], words, data)


@BUSY
@given(words=st.sampled_from(READERS), seed=st.integers(0, 2**32))
def test_a_game_file_with_damage_anywhere(played: Match, words: tuple[str, ...], seed: int) -> None:
    rng = random.Random(seed)
    data = bytearray(played["red"].path("g.pbem").read_bytes())
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(data))
        what = rng.choice(("flip", "cut", "insert", "double", "swap"))
        if what == "flip":
            data[at] ^= 1 << rng.randrange(8)
        elif what == "cut":
            del data[at : at + rng.randint(1, 400)]
        elif what == "insert":
            data[at:at] = rng.choice((b"\n", b"\0\0", b'{"a":1}\n', b"said ", rng.randbytes(5)))
        elif what == "double":
            data[at:at] = data[at : at + rng.randint(1, 2000)]
        else:
            lines = bytes(data).splitlines(True)
            rng.shuffle(lines)
            data = bytearray(b"".join(lines))
        if not data:
            break
    _junk(played["red"], words, bytes(data))


@BUSY
@given(seed=st.integers(0, 2**32))
def test_a_letter_with_damage_anywhere(played: Match, seed: int) -> None:
    rng = random.Random(seed)
    data = bytearray(played["red"].letters[-1].read_bytes())
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data))
        data[at : at + rng.choice((0, 1, 1, 300))] = rng.choice((b"", b"\n", b"=", rng.randbytes(3)))
    _junk(played["blue"], ("receive", "J"), bytes(data))


def _junk(who: Computer, words: tuple[str, ...], data: bytes) -> None:
    good = who.path("g.pbem").read_bytes()
    who.path("J").write_bytes(data)
    said = who.run(*words, stdin="legal\nquit\n")  # asserts that nothing was a bug of ours
    assert said.status in (0, 1, 2, 3, 4)
    assert who.path("g.pbem").read_bytes() == good
    assert who.path("J").read_bytes() == data or said.status == 0
    (who.folder / "private" / "keys" / "junk").unlink(missing_ok=True)


@BUSY
@given(text=st.text(max_size=60) | st.from_regex(r"(roll|move|tally|pass|note|record) [ -~]{0,30}", fullmatch=True))
def test_any_text_as_an_order(played: Match, text: str) -> None:
    red = played["red"]
    said = red.run("order", "g.pbem", "-", stdin=text.encode("utf-8", "surrogatepass"))
    assert said.status in (0, 1, 2, 3)
    assert not {"\x1b", "\x07", "\u202e"} & set(said.all)
    red.do("order", "g.pbem", "--drop", "all")


@BUSY
@given(
    words=st.lists(
        st.sampled_from(
            [
                *COMMANDS,
                "g.pbem",
                "-",
                "--json",
                "--at",
                "--out",
                "x",
                "1",
                "--seat",
                "red",
                "--yes",
                "--since",
                "--html",
                "",
                "--help",
                "new",
                "list",
            ]
        ),
        max_size=5,
    )
)
def test_any_words_as_a_command(played: Match, words: list[str]) -> None:
    if "demo" in words[:1]:
        return
    red = played["red"]
    before = red.snapshot()
    said = red.run(*words, stdin="quit\n")
    assert said.status in (0, 1, 2, 3, 4, 130)
    red.restore(before)


# Terminals, pipes, completion ---------------------------------------------------------------------------


def test_terminals_that_know_few_letters(one: Computer) -> None:
    one.do("order", "g.pbem", "move to Orl\xe9ans \u65e5\u672c")
    for words in (("status", "g.pbem"), ("order", "g.pbem", "nons\xe9nse")):
        said = one.process(*words, env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"})
        assert said.status in (0, 1)
        assert "bug of pbem" not in said.err
    said = one.process("status", "g.pbem", env={"PYTHONIOENCODING": "latin-1"})
    assert "1 move to Orl\ufffdans \\u65e5\\u672c" in said.out
    said = one.process("status", "g.pbem", "--json", env={"PYTHONIOENCODING": "ascii"})
    assert json.loads(said.out)["draft"] == ["move to Orl\xe9ans \u65e5\u672c"]


@pytest.mark.skipif(os.name == "nt", reason="pipes of another kind")
def test_a_reader_who_has_enough(one: Computer) -> None:
    started = one.start("show", "g.pbem", "--html")
    assert started.stdout is not None
    started.stdout.close()
    assert started.stderr is not None
    err = started.stderr.read()
    started.stderr.close()
    assert started.wait() in (0, 1)
    assert err == b""


@pytest.mark.parametrize(
    ("typed", "expected"),
    [("pbem rec", "receive"), ("pbem rules cl", "clauses"), ("pbem show --pu", "--public"), ("pbem ver", "verify")],
)
def test_shell_completion(one: Computer, typed: str, expected: str) -> None:
    words = typed.split()
    env = {"_PBEM_COMPLETE": "bash_complete", "COMP_WORDS": typed, "COMP_CWORD": str(len(words) - 1)}
    said = one.process(env=env)
    assert f"plain,{expected}" in said.out.splitlines()


def test_the_demo_plays_checks_and_never_overwrites(tmp_path: Path) -> None:
    one = Computer(tmp_path / "one")
    said = one.do("demo", "--folder", "here")
    assert "VALID, a draw by agreement" in said.out
    assert said.out.count("VALID, ") == 2
    for path in said.out.partition("look at:\n")[2].split():
        assert Path(path).stat().st_size > 1000
    assert not (one.folder / "private").exists()  # the demo keeps to its own folder
    again = one.run("demo", "--folder", "here")
    assert (again.status, "is not empty" in again.err) == (4, True)


def test_every_error_has_a_status_of_the_documents() -> None:
    def of(kind: type[PbemError]) -> Iterator[type[PbemError]]:
        yield kind
        for sub in kind.__subclasses__():
            yield from of(sub)

    assert {kind.exit_status for kind in of(PbemError)} == {1, 2, 3, 4}


def test_a_bug_of_ours_is_admitted(one: Computer, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("pbem.cli.look._print_status", broken)
    check: Callable[[Said], None] = one._sound
    monkeypatch.setattr(Computer, "_sound", lambda self, said: None)
    said = one.run("status", "g.pbem")
    assert said.status == 4
    assert "this is a bug of pbem, not your fault: ZeroDivisionError" in said.err
    crash: Any = one.folder / "private" / "crash.txt"
    assert "ZeroDivisionError" in crash.read_text("utf-8")
    with pytest.raises(AssertionError):
        check(said)


@pytest.mark.parametrize(
    ("rules", "name"),
    [("open-table", "open-table"), ("battle-card-malaya", "malaya"), ("singapore-1984", "singapore")],
)
def test_a_game_without_a_name_is_called_after_its_rules(tmp_path: Path, rules: str, name: str) -> None:
    one = Computer(tmp_path)
    for file in (f"{name}.pbem", f"{name}-2.pbem"):
        one.do("new", rules)
        assert one.path(file).is_file()
