"""Folders of games: every file is judged, whatever the others are, by processes or by a cluster."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from builder import charter_doc, duel, key
from computers import CHECKOUT, Computer

from pbem import archive, charter, jobs, replay_page
from pbem.errors import Trouble, WrongUse
from pbem.verify import Verdict

GAMES = CHECKOUT / "games"
SMALL = ("malaya-lost.pbem", "malaya-won.pbem", "open-table-duel.pbem")
DIGEST = "a" * 64


def of_rules(rules: dict[str, str]) -> bytes:
    """A sealed game under other rules, without an event."""
    game = charter.make_game(charter_doc() | {"rules": rules})
    return game.line() + b"".join(charter.seal(key(seat), game, seat) for seat in game.seats)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Sound games, and one file of every other sort."""
    place = tmp_path / "club"
    (place / "league").mkdir(parents=True)
    for name in SMALL:
        shutil.copyfile(GAMES / name, place / "league" / name)
    whole = (GAMES / "open-table-duel.pbem").read_bytes()
    (place / "cut.pbem").write_bytes(whole[:-20])
    at = whole.index(b"\npbem1 ") + 7
    (place / "forged.pbem").write_bytes(whole[:at] + b"0" * 64 + whole[at + 64 :])
    (place / "junk.pbem").write_bytes(b"\0" * 5000)
    (place / "no-rules.pbem").write_bytes(of_rules({"id": "chess", "version": "7", "digest": DIGEST}))
    (place / "old.pbem").write_bytes(of_rules({"id": "open-table", "version": "99", "digest": DIGEST}))
    (place / "notes.txt").write_text("no game")
    (place / "gone.pbem").symlink_to(place / "nowhere")
    return place


CAUSES = {
    "cut.pbem": ("INCOMPLETE", "events"),
    "forged.pbem": ("INVALID", "E_SIG"),
    "gone.pbem": ("TROUBLE", "no such file or directory"),
    "junk.pbem": ("INCOMPLETE", "charter"),
    "no-rules.pbem": ("INCOMPLETE", "edition 7 of chess: no such rules are installed"),
    "old.pbem": ("INCOMPLETE", "edition 99 of open-table"),
    "malaya-lost.pbem": ("VALID", ""),
    "malaya-won.pbem": ("VALID", ""),
    "open-table-duel.pbem": ("VALID", ""),
}


def test_every_file_gets_a_row(folder: Path, tmp_path: Path) -> None:
    you = Computer(tmp_path / "you")
    for number in (1, 2):
        said = you.run("verify", folder, "--jobs", number, "--json")
        rows = json.loads(said.out)
        assert {Path(row["file"]).name: (row["verdict"], row["cause"]) for row in rows} == CAUSES
        assert [row["file"] for row in rows] == sorted(row["file"] for row in rows if "league" not in row["file"]) + [
            str(folder / "league" / name) for name in SMALL
        ]
        assert said.status == 1


def test_text_ends_with_the_table(folder: Path, tmp_path: Path) -> None:
    said = Computer(tmp_path / "you").run("verify", folder)
    assert said.out.splitlines()[-8:] == [
        "9 files",
        "  VALID              3",
        "  INCOMPLETE         1  charter",
        "  INCOMPLETE         1  edition 7 of chess: no such rules are installed",
        "  INCOMPLETE         1  edition 99 of open-table",
        "  INCOMPLETE         1  events",
        "  INVALID            1  E_SIG",
        "  TROUBLE            1  no such file or directory",
    ]
    assert f"{folder / 'gone.pbem'}: TROUBLE: {folder / 'gone.pbem'}: no such file or directory" in said.out
    assert said.status == 1


def test_missing_edition_is_judged_as_far_as_it_can_be(folder: Path, tmp_path: Path) -> None:
    row = archive.examine(archive.Piece(str(folder / "old.pbem")))
    assert row["line"].startswith("INCOMPLETE: edition 99 of open-table")
    assert "signatures, chain, dice and seals VALID up to event 0" in row["line"]
    assert row["about"]["edition"] == "99"
    broken = (folder / "old.pbem").read_bytes()
    (tmp_path / "seal.pbem").write_bytes(broken[:-10] + b"a" * 9 + b"\n")
    assert archive.examine(archive.Piece(str(tmp_path / "seal.pbem")))["verdict"] == "INVALID"


def test_the_worst_status_counts() -> None:
    for statuses, worst in (((0, 3), 3), ((3, 4, 0), 4), ((4, 1, 3), 1), ((0, 0), 0)):
        tally = archive.Tally()
        for status in statuses:
            tally.add({"verdict": "VALID", "cause": "", "status": status})
        assert tally.status == worst


@pytest.mark.parametrize(
    ("detail", "cause"),
    [
        ("seals of red, blue", "seals"),
        ("events after 5 (line 9 is a cut line: ...)", "events"),
        ("components 1234: table units differs; signatures, ...", "components 1234: table units differs"),
        ("charter: the file is empty", "charter"),
    ],
)
def test_cause_is_what_is_missing(detail: str, cause: str) -> None:
    assert archive.cause(Verdict("INCOMPLETE", detail=detail)) == cause


# --- work side by side ---


def double(number: int) -> int:
    if number == 13:
        raise ValueError("unlucky")
    return 2 * number


def die_at_seven(number: int) -> int:
    if number == 7:
        os._exit(1)
    return number


def counted(taken: list[int], number: int) -> Iterator[int]:
    for one in range(number):
        taken.append(one)
        yield one


@pytest.mark.parametrize("workers", [1, 2])
def test_all_results_with_their_places(workers: int) -> None:
    results = dict(jobs.run(double, range(40), workers=workers))
    assert results.pop(13) == jobs.Lost("ValueError: unlucky")
    assert results == {place: 2 * place for place in range(40) if place != 13}


def test_work_is_taken_as_room_comes_free() -> None:
    taken: list[int] = []
    results = jobs.run(double, counted(taken, 1000), workers=2)
    next(results)
    assert len(taken) <= 2 * jobs.AHEAD
    results.close()  # type: ignore[attr-defined]


def test_a_process_that_dies_loses_only_what_kills_it() -> None:
    results = dict(jobs.run(die_at_seven, range(30), workers=2))
    assert results.pop(7) == jobs.Lost("the process that worked on it died")
    assert results == {place: place for place in range(30) if place != 7}


# --- a cluster ---


@contextmanager
def cluster(workers: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and so many workers, each a process of its own."""
    pytest.importorskip("distributed", reason="the extra cluster is not installed")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(CHECKOUT), str(CHECKOUT / "tests")))}
    port = address.rpartition(":")[2]

    def start(*words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *words, "--no-dashboard"]
        return subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    running = [start("scheduler", "--host", "127.0.0.1", "--port", port)]
    try:
        running += [start("worker", address, "--no-nanny", "--nthreads", "1") for _ in range(workers)]
        yield address, running[1:]
    finally:
        for process in running:
            process.kill()
            process.wait()


def slowly(number: int) -> int:
    time.sleep(0.05)
    return number


def test_a_worker_of_the_cluster_dies_and_every_game_is_reported(folder: Path) -> None:
    with cluster(2) as (address, workers):
        paths = list(archive.find([folder])) * 8
        rows = {}
        for place, row in archive.rows(paths, scheduler=address):
            rows[place] = row
            if len(rows) == len(paths) // 2:
                workers[0].kill()
        assert len(rows) == len(paths)
        for place, row in rows.items():
            assert (row["verdict"], row["cause"]) == CAUSES[paths[place].name]
        results = dict(jobs.run(slowly, range(20), scheduler=address))
        assert results == {place: place for place in range(20)}


def test_verify_by_a_cluster(folder: Path, tmp_path: Path) -> None:
    you = Computer(tmp_path / "you")
    with cluster(2) as (address, _):
        far = you.run("verify", folder, "--scheduler", address, "--json")
    assert json.loads(far.out) == json.loads(you.run("verify", folder, "--json").out)


def test_no_scheduler_there(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed", reason="the extra cluster is not installed")
    monkeypatch.setattr(jobs, "REACHED", 0.5)
    with pytest.raises(Trouble, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        list(jobs.run(double, range(3), scheduler="tcp://127.0.0.1:9"))


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(WrongUse, match="extra cluster"):
        list(jobs.run(double, range(3), scheduler="tcp://127.0.0.1:9"))


def test_sound_game_beside_its_own_verdict() -> None:
    data = duel().file()
    verdict, reading = archive.judge_bytes(data)
    row = archive.row("x", verdict, reading)
    assert (row["verdict"], row["about"]["seats"]) == ("INCOMPLETE", {"red": "red", "blue": "blue"})


# --- a club ---


def test_status_of_a_club(folder: Path, tmp_path: Path) -> None:
    said = Computer(tmp_path / "you").run("status", folder)
    assert said.status == 1  # one is forged
    assert "league/malaya-won.pbem: VALID up to event 23, handed over " in said.out
    assert (
        "  Battle Card: Malaya, standard: allies\n  result: the Allies win: a Japanese unit is eliminated" in said.out
    )
    for name in ("cut", "forged", "gone", "junk", "no-rules", "old"):
        assert f"\n{name}.pbem: " in f"\n{said.out}"
    assert "INCOMPLETE: edition 99 of open-table" in said.out


def test_status_of_a_club_for_scripts(tmp_path: Path) -> None:
    you = Computer(tmp_path / "you")
    assert you.run("new", "open-table", "--scenario", "solo", "--file", "a.pbem").status == 0
    (row,) = you.run("status", ".", "--json").json()
    assert (row["file"], row["verdict"], row["rules"], row["holder"]) == ("a.pbem", "VALID SO FAR", "open-table", "red")
    said = you.run("status", ".").out.splitlines()
    assert said[0] == "a.pbem: VALID SO FAR up to event 0"
    assert said[2].startswith("  waits for red: event 1, ")


# --- an index ---


def test_index_names_results_and_links_pages(folder: Path, tmp_path: Path) -> None:
    (folder / "open-table-duel.html").write_text("a replay")
    (folder / "league" / "malaya-won.html").write_text("a replay")
    you = Computer(tmp_path / "you")
    said = you.run("index", folder, "--html", folder / "index.html", "--title", "Winter <league>")
    assert (said.status, said.err.splitlines()[0]) == (0, f"{folder / 'index.html'}: 9 games")
    page = (folder / "index.html").read_text("utf-8")
    assert "<h1>Winter &lt;league&gt;</h1>" in page
    assert '<a href="open-table-duel.html">Open table: any other wargame</a>' in page
    assert '<a href="league/malaya-won.html">Battle Card: Malaya</a>' in page
    assert "the Allies lose: the Japanese stand alone in Endau" in page
    assert page.count("<a href=") == 2
    assert "E_SIG at event 1" in page
    assert "<script" not in page
    assert "http" not in page


def test_index_with_replay_pages(folder: Path, tmp_path: Path) -> None:
    """Sound games get a page beside the index, under names of their own; the others get none."""
    shutil.copyfile(GAMES / "malaya-won.pbem", folder / "malaya-won.pbem")
    www = tmp_path / "www"
    assert Computer(tmp_path / "you").run("index", folder, "--html", www / "index.html", "--replays").status == 0
    assert sorted(path.name for path in www.iterdir()) == [
        "index.html", "malaya-lost.html", "malaya-won-2.html", "malaya-won.html", "open-table-duel.html",
    ]  # fmt: skip
    page = (www / "index.html").read_text("utf-8")
    assert page.count("<a href=") == 4
    assert (www / "malaya-won-2.html").read_text() == replay_page.made(archive.Piece(str(GAMES / "malaya-won.pbem")))[0]


def test_a_page_that_cannot_be_made_is_named_and_not_linked(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, why = replay_page.made(archive.Piece(str(folder / "missing.pbem")))
    assert (text, "missing.pbem: no such file" in why) == ("", True)
    whole = replay_page.made
    gone = folder / "league" / "open-table-duel.pbem"
    monkeypatch.setattr(replay_page, "made", lambda piece: ("", "gone") if piece.path == str(gone) else whole(piece))
    you = Computer(tmp_path / "you")
    said = you.run("index", folder, "--html", tmp_path / "www" / "index.html", "--replays", "--jobs", 1)
    assert f"{gone}: no replay page: gone" in said.err
    page = (tmp_path / "www" / "index.html").read_text("utf-8")
    assert page.count("<a href=") == 2
    assert "open-table-duel.html" not in page


def test_pages_by_a_cluster(folder: Path, tmp_path: Path) -> None:
    """Workers get the content: they need not have the files."""
    you = Computer(tmp_path / "you")
    with cluster(2) as (address, _):
        far = you.run("index", folder, "--html", tmp_path / "far" / "index.html", "--replays", "--scheduler", address)
    near = you.run("index", folder, "--html", tmp_path / "near" / "index.html", "--replays")
    assert (far.status, near.status) == (0, 0)
    pages = {path.name: path.read_text("utf-8") for path in (tmp_path / "far").iterdir()}
    assert pages == {path.name: path.read_text("utf-8") for path in (tmp_path / "near").iterdir()}
    assert len(pages) == 4


def test_games_of_bots_by_a_cluster(tmp_path: Path) -> None:
    words = ("rules", "simulate", "battle-card-malaya", "--games", 12, "--json")
    you = Computer(tmp_path / "you")
    with cluster(2) as (address, _):
        far = you.run(*words, "--scheduler", address)
    assert json.loads(far.out) == json.loads(you.run(*words).out)


def test_index_says_hostile_names_as_words(tmp_path: Path) -> None:
    match = duel()
    path = tmp_path / "<img src=x onerror=alert(1)>.pbem"
    path.write_bytes(match.file())
    Computer(tmp_path / "you").run("index", tmp_path, "--html", tmp_path / "i.html")
    assert "<img" not in (tmp_path / "i.html").read_text("utf-8")
