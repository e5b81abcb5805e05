"""The application folder: what it keeps, who may read it, and what damage to it means."""

from __future__ import annotations

import json
import os
import stat
import threading
from pathlib import Path

import pytest
from computers import Computer, duel

from pbem import keys
from pbem.errors import Refused, Trouble, WrongUse
from pbem.home import Home, Pin, Room, Secret, folder, new_master

SETUP = "ab" * 32


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "private")


@pytest.fixture
def room(home: Home) -> Room:
    return home.room(SETUP)


def secret(seat: str = "red", draft: str = "d1") -> Secret:
    return Secret(SETUP, seat, "id", "11" * 32, 64, draft)


def test_the_folder_is_where_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path))
    assert folder() == tmp_path
    monkeypatch.delenv("PBEM_HOME")
    assert folder().name == "pbem" or folder().name == ".pbem"


# Keys


def test_a_key_is_stored_once_and_read_back(home: Home) -> None:
    made = keys.SigningKey.new()
    home.add_key("games", made, None)
    assert home.key_names() == ["games"]
    assert home.public_key("games") == made.public
    assert home.key("games").public == made.public
    with pytest.raises(Trouble, match="exists already"):
        home.add_key("games", keys.SigningKey.new(), None)
    assert home.key("games").public == made.public


def test_a_half_written_key_is_no_key(home: Home) -> None:
    home.add_key("id", keys.SigningKey.new(), None)
    home.key_path("id").unlink()  # a crash came between the public and the private half
    assert home.key_names() == []
    made = keys.SigningKey.new()
    home.add_key("id", made, None)
    assert home.public_key("id") == made.public


def test_two_at_once_make_one_key(home: Home) -> None:
    refused: list[str] = []

    def make() -> None:
        try:
            home.add_key("id", keys.SigningKey.new(), None)
        except Trouble as trouble:
            refused.append(trouble.what)

    both = [threading.Thread(target=make) for _ in range(4)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert len(refused) == 3
    assert home.key("id").public == home.public_key("id")


ODD = (
    *("", ".", "..", "../x", "a/b", "a\\b", "a b", "x" * 41, "-x", "\x1b", "\u00e9", "a\n"),
    *("a.pub", "a.", "nul", "Con.x"),
)


@pytest.mark.parametrize("name", ODD, ids=ascii)
def test_key_names_are_plain(home: Home, name: str) -> None:
    with pytest.raises(WrongUse, match="is no name for a key"):
        home.key_path(name)


@pytest.mark.skipif(os.name == "nt", reason="modes are not kept there")
def test_private_files_are_the_owners_alone(tmp_path: Path) -> None:
    match = duel(tmp_path)
    match["red"].do("order", "g.pbem", "pass")
    match.mail("red")
    for one in match.computers.values():
        private = [path for path in (one.folder / "private").rglob("*") if path.is_file()]
        open_ones = {path.suffix or path.name for path in private if stat.S_IMODE(path.stat().st_mode) & 0o077}
        assert open_ones <= {".pub", "lock", ".lock"}
        assert stat.S_IMODE(one.path("g.pbem").stat().st_mode) == 0o644


def test_no_secret_is_in_a_game_file_or_letter(tmp_path: Path) -> None:
    match = duel(tmp_path)
    match.turn("red", "roll d6 for a", "pass")
    for seat, one in match.computers.items():
        room = one.home.rooms()[0]
        master = room.secret(seat).master
        private = one.home.key_path("id").read_bytes().splitlines()[2]
        for other in match.computers.values():
            for path in (*other.folder.glob("*.pbem"), *other.folder.glob("*.eml")):
                assert master.encode() not in path.read_bytes()
                assert private not in path.read_bytes()


# Rooms


def test_a_room_answers_to_the_draft_and_the_game(home: Home, room: Room, tmp_path: Path) -> None:
    assert home.find("d1") is None
    room.remember(tmp_path / "g.pbem", draft="d1")
    room.remember(tmp_path / "h.pbem", game="g1")
    assert room.names() == ["g1", "d1"]
    found = home.find("d1")
    assert found is not None
    assert found.path == room.path
    assert room.where() == tmp_path / "h.pbem"


def test_a_path_that_utf_8_cannot_hold_is_remembered(room: Room) -> None:
    odd = Path(os.fsdecode(b"/games/\xff.pbem"))
    room.remember(odd)
    assert room.where() == odd


def test_secrets_of_another_draft_are_never_overwritten(room: Room) -> None:
    room.add_secret(secret())
    room.add_secret(secret())
    with pytest.raises(Refused, match="copies the setup of a game that is here already"):
        room.add_secret(secret(draft="d2"))
    assert room.secret("red") == secret()
    assert room.seats() == ["red"]


def test_links_end_with_the_chain(tmp_path: Path) -> None:
    table = duel(tmp_path)["red"].table("g.pbem")
    vault = table.room.vault("red")
    last = table.fold.chains["red"].check.links
    assert vault.link(table.fold, last) != vault.link(table.fold, last - 1)
    with pytest.raises(Refused, match="the dice chain is used up"):
        vault.link(table.fold, last + 1)
    assert len(new_master()) == 32


def test_a_draft_belongs_to_a_head_and_leaves_no_file(room: Room) -> None:
    room.set_draft("red", "h1", ["move a"])
    assert room.draft("red") == ("h1", ["move a"])
    room.set_draft("red", "h1", [])
    assert not list(room.path.rglob("draft.json"))
    assert room.draft("red") == ("", [])


def test_a_pin_reads_back(room: Room) -> None:
    assert room.pin() == Pin()
    pin = Pin(7, "ab" * 32, {"red": 7}, {"red": {"1": {"request": "cd" * 32, "line": "slip x"}}})
    room.set_pin(pin)
    assert room.pin() == pin


@pytest.mark.parametrize("junk", [b"", b"{", b"\xff", b'{"seq": 1, "more": 2}', b"[" * 100_000])
def test_a_damaged_pin_signs_nothing(tmp_path: Path, junk: bytes) -> None:
    match = duel(tmp_path)
    red = match["red"]
    match.turn("red", "pass")
    match.turn("blue", "pass")
    pin = red.home.rooms()[0].path / "pin.json"
    pin.write_bytes(junk)
    red.path("g.pbem").read_bytes()
    for words in (("order", "g.pbem", "pass"), ("send", "g.pbem"), ("status", "g.pbem")):
        said = red.run(*words)
        assert said.status == 4, said
        assert "is damaged" in said.err
        assert "hint: " in said.err


@pytest.mark.parametrize("name", ["secret", "draft", "papers", "journal", "where", "vault", "pin"])
def test_damage_in_the_room_is_trouble_not_a_crash(tmp_path: Path, name: str) -> None:
    match = duel(tmp_path)
    red = match["red"]
    red.do("order", "g.pbem", "move a", "pass")
    place, name = red.home.rooms()[0].path, name + ".json"
    for path in (place / name, place / "seat-red" / name):
        if path.parent.exists() and (path.exists() or name in ("papers.json", "vault.json")):
            for junk in (b"{", b"[1]", b'{"lines": 3}', b'{"lines": [3, "x"]}', b"null"):
                path.write_bytes(junk)
                for words in (("order", "g.pbem"), ("send", "g.pbem"), ("status", "g.pbem"), ("receive", "g.pbem")):
                    assert red.run(*words).status in (0, 1, 2, 3, 4)


def test_an_empty_home_is_made_when_needed(tmp_path: Path) -> None:
    home = Home(tmp_path / "deep" / "down")
    assert (home.key_names(), home.rooms()) == ([], [])
    one = Computer(tmp_path / "one")
    assert one.run("status", ".").status == 2
    assert not (one.folder / "private").exists()


def test_private_files_are_json_for_eyes(tmp_path: Path) -> None:
    match = duel(tmp_path)
    for path in match["red"].home.rooms()[0].path.rglob("*.json"):
        assert isinstance(json.loads(path.read_text("utf-8")), dict)
