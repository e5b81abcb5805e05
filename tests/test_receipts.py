"""Restored machines ask before they sign; receipts never change a game.

Rows 11, 48 and 67 of the adversarial tests.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from computers import Computer, Match, duel, three

from pbem import mail, packet, receipts
from pbem import restored as restoring
from pbem.home import Home


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Match]:
    match = duel(tmp_path_factory.mktemp("receipts"))
    match.turn("red", "pass")
    match.turn("blue", "pass")
    start = {seat: one.snapshot() for seat, one in match.computers.items()}

    def again() -> Match:
        for seat, one in match.computers.items():
            one.restore(start[seat])
            room = one.home.rooms()[0]
            pin = room.pin()
            pin.installation = one.home.installation()  # earlier tests have played backups back here
            room.set_pin(pin)
        return match

    return again


def restored(one: Computer, backup: dict[str, bytes]) -> None:
    """A backup played back: every file is made anew."""
    shutil.rmtree(one.folder / "private")
    one.restore(backup)


def read_only(one: Computer) -> str:
    return str(one.do("status", "g.pbem", "--json").json()["read_only"])


def test_a_machine_that_stays_may_sign(started: Callable[[], Match]) -> None:
    match = started()
    assert read_only(match["red"]) == ""
    match.turn("red", "pass")
    match.agree()


def test_row_11_a_restored_backup_signs_nothing(started: Callable[[], Match]) -> None:
    match = started()
    red = match["red"]
    backup = red.snapshot()
    match.turn("red", "move first", "pass")
    restored(red, backup)
    assert "restored, copied or moved" in read_only(red)
    red.do("order", "g.pbem", "move second", "pass")
    before = red.path("g.pbem").read_bytes()
    said = red.run("send", "g.pbem")
    assert "the game waits for receipts: the application folder was restored" in said.err
    assert red.path("g.pbem").read_bytes() == before
    for words in (("resign", "g.pbem", "--yes"), ("offer", "g.pbem"), ("undo", "g.pbem", "--to", "1")):
        said = red.run(*words)
        assert (said.status, "INCOMPLETE: receipts" in said.err) == (3, True), said
        assert "hint: `pbem resume FILE` asks the others" in said.err


def test_a_restored_backup_goes_on_when_the_other_has_answered(started: Callable[[], Match]) -> None:
    match = started()
    red, blue = match["red"], match["blue"]
    backup = red.snapshot()
    match.turn("red", "move first", "pass")
    match.turn("blue", "pass")
    match.turn("red", "pass")
    restored(red, backup)
    red.do("resume", "g.pbem")
    assert "missing: receipt of blue" in read_only(red)
    red.do("send", "g.pbem")
    said = match.take("red", "blue")
    assert "red asks what you have" in blue.do("status", "g.pbem").out, said
    blue.do("send", "g.pbem")
    match.take("blue", "red")
    assert read_only(red) == ""
    match.agree()
    assert red.table("g.pbem").fold.seq > 4
    match.turn("blue", "pass")
    match.turn("red", "roll d6 for it")
    match.mail("blue")
    match.turn("red", "pass")
    match.agree()
    assert not restoring.asked_heads(blue.table("g.pbem")) or blue.do("send", "g.pbem")


def test_row_67_every_seat_must_answer_and_an_old_nonce_is_ignored(tmp_path: Path) -> None:
    match = three(tmp_path)
    red, blue = match["red"], match["blue"]
    for seat in ("red", "blue", "green"):
        match.turn(seat, "pass")
    backup = red.snapshot()
    at_backup = red.table("g.pbem").fold.seq
    match.turn("red", "pass")
    early = red.letter
    kept = early.read_bytes()
    for seat in ("blue", "green"):
        match.turn(seat, "pass")
    restored(red, backup)
    early.write_bytes(kept)
    red.do("receive", early)  # an old mail, delivered again
    assert red.table("g.pbem").fold.seq > at_backup
    assert read_only(red)
    red.do("resume", "g.pbem")
    match.mail("red")
    old = blue.do("send", "g.pbem").last
    restored(red, backup)  # and once more: another nonce
    early.write_bytes(kept)
    red.do("receive", early)
    red.do("resume", "g.pbem")
    red.do("receive", blue.folder / old)
    assert "receipt of blue" in read_only(red)
    match.mail("red")
    match.mail("blue", "red")
    assert "missing: receipt of green" in read_only(red)
    match.mail("green", "red")
    assert read_only(red) == ""
    match.agree()


def test_the_moved_folder_asks_too(started: Callable[[], Match]) -> None:
    match = started()
    red = match["red"]
    home = Home(red.folder / "private")
    number = home.installation()
    shutil.copytree(red.folder / "private", red.folder / "elsewhere")
    assert Home(red.folder / "elsewhere").installation() != number
    assert home.installation() == number
    shutil.rmtree(red.folder / "elsewhere")


# Row 48 ------------------------------------------------------------------------------------------------------------


def receipt_line(one: Computer, seat: str, **change: object) -> bytes:
    """A receipt by a seat's own key, with whatever it shall say."""
    table = one.table("g.pbem")
    signed = receipts.write(table.fold, one.home.key("id"), seat, 1)
    doc = json.loads(signed.raw) | change
    raw = json.dumps(doc, sort_keys=True, separators=(",", ":")).encode()
    return b"receipt " + one.home.key("id").sign(receipts.namespace(seat), raw).hex().encode() + b" " + raw + b"\n"


def deliver(match: Match, *lines: bytes, status: int = 0) -> str:
    red, fold = match["red"], match["blue"].table("g.pbem").fold
    data = packet.write(packet.Packet("blue", fold.game.id, fold.head, lines))
    said = red.run("receive", "-", stdin=data)
    assert said.status == status, said
    return said.err


def test_row_48_receipts_never_change_the_game(started: Callable[[], Match]) -> None:
    match = started()
    red, blue = match["red"], match["blue"]
    before = red.path("g.pbem").read_bytes()
    pin = red.table("g.pbem").room.pin()
    deliver(match, receipt_line(blue, "blue"))
    future = deliver(match, receipt_line(blue, "blue", seq=60, head="ab" * 32))
    assert "blue has event 60, head abababababababab; here the game stands at event" in future
    other = deliver(match, receipt_line(blue, "blue", seq=60, head="cd" * 32))
    assert "blue has receipted two different heads of event 60" in other
    parted = deliver(match, receipt_line(blue, "blue", seq=1, head="ef" * 32))
    assert "blue has another event 1 than this file" in parted
    deliver(match, receipt_line(blue, "blue", game="12" * 32))
    deliver(match, receipt_line(blue, "red"))  # signed with another seat's key
    assert red.path("g.pbem").read_bytes() == before
    assert red.table("g.pbem").room.pin() == pin
    assert {line[:7] for lines in red.table("g.pbem").room.desk().got.values() for line in lines} == {"receipt"}


def test_a_receipt_for_a_head_that_is_not_here_keeps_it_read_only(started: Callable[[], Match]) -> None:
    match = started()
    red, blue = match["red"], match["blue"]
    backup = red.snapshot()
    match.turn("red", "pass")
    restored(red, backup)
    red.do("resume", "g.pbem")
    match.mail("red")
    blue.do("send", "g.pbem")
    [data] = mail.packets(next(mail.letters(blue.letter))).packets
    whole = packet.read(data)
    only = packet.Packet("blue", whole.game, whole.head, whole.of("receipt"))
    red.do("receive", "-", stdin=packet.write(only))
    assert "events up to" in read_only(red)
    assert "which blue has" in read_only(red)
    red.do("receive", blue.letter)
    assert read_only(red) == ""


# Beside a file, for a stranger ---------------------------------------------------------------------------------------


def letter_with(folder: Path, match: Match, *lines: bytes) -> Path:
    fold = match["blue"].table("g.pbem").fold
    folder.mkdir(exist_ok=True)
    path = folder / f"{len(list(folder.iterdir()))}.packet"
    path.write_bytes(packet.write(packet.Packet("blue", fold.game.id, fold.head, lines)))
    return path


def test_receipts_beside_a_file_tell_a_stranger_of_a_rollback(started: Callable[[], Match], tmp_path: Path) -> None:
    """Red hands a shorter game to somebody: blue's receipt of the longer one shows it."""
    match = started()
    red, blue = match["red"], match["blue"]
    older = red.path("g.pbem").read_bytes()
    match.turn("red", "move first", "pass")
    match.turn("blue", "pass")
    fold = blue.table("g.pbem").fold
    letter_with(tmp_path / "letters", match, receipt_line(blue, "blue"))
    stranger = Computer(tmp_path / "stranger")
    stranger.path("short.pbem").write_bytes(older)
    stranger.path("whole.pbem").write_bytes(red.path("g.pbem").read_bytes())
    told = f"blue has receipted event {fold.seq}, head {fold.head[:16]}: the file is shorter, or another one"
    assert told in stranger.do("verify", "short.pbem", "--receipts", tmp_path / "letters").out
    assert "receipted" not in stranger.do("verify", "whole.pbem", "--receipts", tmp_path / "letters").out
    assert "receipted" not in stranger.do("verify", "short.pbem").out
    doc = stranger.do("verify", "short.pbem", "--receipts", tmp_path / "letters", "--json").json()
    assert doc["remarks"] == [told]


def test_receipts_that_contradict_are_told_and_forged_ones_count_for_nothing(
    started: Callable[[], Match], tmp_path: Path
) -> None:
    match = started()
    blue = match["blue"]
    lines = [receipt_line(blue, "blue"), receipt_line(blue, "blue", seq=1, head="ab" * 32)]
    lines += [receipt_line(blue, "blue", seq=1, head="cd" * 32)]
    lines += [receipt_line(blue, "red"), receipt_line(blue, "blue", game="12" * 32)]  # another key, another game
    where = letter_with(tmp_path / "letters", match, *lines)
    said = match["red"].do("verify", "g.pbem", "--receipts", where)
    assert "blue has receipted two different heads of event 1" in said.out
    assert f"blue has receipted another event 1, head {'ab' * 8}" in said.out
    assert said.err == "2 receipts are by no key of this game, and count for nothing\n"
    said = match["red"].run("verify", "g.pbem", "g.pbem", "--receipts", where)
    assert (said.status, "--receipts and --answer take one file" in said.err) == (2, True)
