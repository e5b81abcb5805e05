"""Responders and witnesses: links released unattended, one slip a batch for ever.

Rows 25, 26 and 69 of the adversarial tests, at the level of commands.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from computers import Computer, Match, Said, duel, three

from pbem import appeals, charter, mail, packet, record


class Trio(Match):
    """Red and blue, and the box that releases blue's dice."""

    @property
    def box(self) -> Computer:
        return self["box"]

    def bring(self, letter: Path) -> None:
        """Put a letter into the folder that the box watches."""
        shutil.copy(letter, self.box.folder / "in" / letter.name)

    def respond(self) -> Said:
        return self.box.do("respond", "g.pbem", "--watch", "in", "--once")

    def answers(self) -> list[Path]:
        return sorted((self.box.folder / "in" / "answers").glob("*.eml"))

    def proofs(self) -> list[Path]:
        return sorted((self.box.folder / "in" / "answers").glob("*.fork"))


def setting(folder: Path) -> Trio:
    match = Trio({name: Computer(folder / name) for name in ("red", "blue", "box")})
    red, blue, box = match["red"], match["blue"], match.box
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
    assert "releases for blue" in box.do("respond", "g.pbem", "--chain", "blue.chain", "--once").err
    return match


@pytest.fixture(scope="module")
def trio(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Trio]:
    match = setting(tmp_path_factory.mktemp("respond"))
    start = {seat: one.snapshot() for seat, one in match.computers.items()}

    def again() -> Trio:
        for seat, one in match.computers.items():
            one.restore(start[seat])
        return match

    return again


def slips(letter: Path) -> list[record.Signed[record.Slip]]:
    [data] = mail.packets(next(mail.letters(letter))).packets
    return [record.read_slip(line) for line in packet.read(data).of("slip")]


def test_dice_come_without_waking_the_opponent(trio: Callable[[], Trio]) -> None:
    match = trio()
    red, blue = match["red"], match["blue"]
    for number in (1, 2):
        red.do("order", "g.pbem", f"roll d6 for try {number}")
        red.do("send", "g.pbem")
        match.bring(red.letter)
        match.respond()
        red.do("receive", match.answers()[-1])
        assert red.table("g.pbem").fold.state.rolls == number
        blue.do("receive", match.answers()[-1])  # the request and the slip go to the laptop too
        assert blue.table("g.pbem").fold.requested == number
    red.do("order", "g.pbem", "pass")
    match.mail("red", "blue")
    assert red.table("g.pbem").fold.head == blue.table("g.pbem").fold.head


def test_the_box_knows_neither_key_nor_master(trio: Callable[[], Trio]) -> None:
    match = trio()
    secret = match["blue"].table("g.pbem").room.secret("blue")
    held = b"".join(match.box.snapshot().values())
    assert secret.master.encode() not in held
    private = (match["blue"].folder / "private" / "keys" / "id").read_bytes()
    assert private not in match.box.snapshot().values()
    assert match.box.table("g.pbem").local == []
    assert match.box.run("resign", "g.pbem", "--yes").status == 2


def test_the_laptop_releases_nothing_itself(trio: Callable[[], Trio]) -> None:
    match = trio()
    red, blue = match["red"], match["blue"]
    red.do("order", "g.pbem", "roll d6 for a")
    match.mail("red", "blue")
    blue.run("send", "g.pbem")
    assert not blue.table("g.pbem").own_slips()
    assert blue.table("g.pbem").room.pin().slips == {}
    match.bring(red.letter)
    match.respond()
    [slip] = slips(match.answers()[-1])
    assert slip.says.seat == "blue"
    red.do("receive", match.answers()[-1])
    assert red.table("g.pbem").fold.state.rolls == 1


def test_row_26_a_second_request_is_refused_and_proved(trio: Callable[[], Trio]) -> None:
    match = trio()
    red = match["red"]
    before = red.snapshot()
    red.do("order", "g.pbem", "move to the left", "roll d6 for a")
    red.do("send", "g.pbem")
    match.bring(red.letter)
    match.respond()
    [first] = match.answers()
    kept = first.read_bytes()
    red.restore(before)
    red.do("order", "g.pbem", "move to the right", "roll d6 for a")
    red.do("send", "g.pbem")
    second = red.letter
    (match.box.folder / "in" / "again.eml").write_bytes(second.read_bytes())
    for _ in range(2):  # a restart forgets nothing
        said = match.respond()
        assert "E_FORK" in said.err
        assert match.answers() == [first]
        assert first.read_bytes() == kept
    [proof] = match.proofs()
    said = red.run("verify", proof)
    assert said.status == 1
    assert said.out.startswith("FORK by red at event 1")


def test_the_same_request_gets_the_same_slip(trio: Callable[[], Trio]) -> None:
    match = trio()
    red = match["red"]
    red.do("order", "g.pbem", "roll d6 for a")
    red.do("send", "g.pbem")
    match.bring(red.letter)
    match.respond()
    [before] = slips(match.answers()[-1])
    match.answers()[-1].unlink()
    (match.box.folder / "in" / "twice.eml").write_bytes(red.letter.read_bytes())
    match.respond()
    [after] = slips(match.answers()[-1])
    assert after == before


def test_row_69_one_variant_to_the_box_another_to_the_laptop(trio: Callable[[], Trio]) -> None:
    match = trio()
    red, blue = match["red"], match["blue"]
    before = red.snapshot()
    red.do("order", "g.pbem", "move to the left", "roll d6 for a")
    red.do("send", "g.pbem")
    match.bring(red.letter)
    match.respond()
    red.restore(before)
    red.do("order", "g.pbem", "move to the right", "roll d6 for a")
    red.do("send", "g.pbem")
    blue.do("receive", red.letter)
    assert not blue.table("g.pbem").own_slips()
    said = blue.run("receive", match.answers()[-1])
    assert said.status == 1
    assert "E_FORK at event 1" in said.err
    assert blue.table("g.pbem").room.pin().slips == {}
    [proof] = (blue.folder / "private" / "refused").glob("*.fork")
    assert blue.run("verify", proof).out.startswith("FORK by red at event 1")


def test_row_69_the_laptop_has_the_boxs_variant_first(trio: Callable[[], Trio]) -> None:
    """3.4: the laptop keeps the request with its slip; another request for that batch completes the proof."""
    match = trio()
    red, blue = match["red"], match["blue"]
    before = red.snapshot()
    red.do("order", "g.pbem", "move to the left", "roll d6 for a")
    red.do("send", "g.pbem")
    match.bring(red.letter)
    match.respond()
    blue.do("receive", match.answers()[-1])
    kept = blue.path("g.pbem").read_bytes()
    red.restore(before)
    red.do("order", "g.pbem", "roll d6 for a")  # the request comes as event 2 now, and was event 3
    red.do("send", "g.pbem")
    said = blue.run("receive", red.letter)
    assert said.status == 1
    assert "E_FORK at event 1: red signed two different events 1" in said.err
    assert blue.path("g.pbem").read_bytes() == kept
    assert not blue.table("g.pbem").own_slips()
    [proof] = (blue.folder / "private" / "refused").glob("*.fork")
    stranger = Computer(red.folder.parent / "stranger")
    stranger.path("proof.fork").write_bytes(proof.read_bytes())
    said = stranger.run("verify", "proof.fork")
    assert (said.status, said.out) == (1, "FORK by red at event 1\n")


def test_row_25_a_slip_by_the_move_key_is_refused(trio: Callable[[], Trio]) -> None:
    match = trio()
    red, blue = match["red"], match["blue"]
    red.do("order", "g.pbem", "roll d6 for a")
    match.mail("red", "blue")
    table = blue.table("g.pbem")
    fold, batch = table.fold, table.fold.batch
    assert batch is not None
    link = table.room.vault("blue").link(fold, 1).hex()
    doc = record.slip_doc(batch=1, game=fold.game.id, link=link, request=batch.request, seat="blue")
    forged = record.write_slip(blue.home.key("id"), doc)
    data = packet.write(packet.Packet("blue", fold.game.id, fold.head, (forged.line(),)))
    said = red.run("receive", "-", stdin=data)
    assert said.status == 1
    assert "E_SLIP" in said.err


@pytest.mark.parametrize("data", [b"", b"{}", b"[]", b"\xff", b'{"seat": "blue", "chain_no": 1, "end": "00"}'])
def test_what_is_no_chain(trio: Callable[[], Trio], data: bytes) -> None:
    match = trio()
    match.box.path("x.chain").write_bytes(data)
    said = match.box.run("respond", "g.pbem", "--chain", "x.chain", "--once")
    assert said.status == 2
    assert "hint: " in said.err


def test_a_machine_without_a_chain_does_not_respond(trio: Callable[[], Trio], tmp_path: Path) -> None:
    match = trio()
    other = Computer(tmp_path / "other")
    other.path("g.pbem").write_bytes(match["red"].path("g.pbem").read_bytes())
    said = other.run("respond", "g.pbem", "--once")
    assert (said.status, "no dice chain of g.pbem is on this machine" in said.err) == (2, True)


def test_a_restored_box_releases_nothing(trio: Callable[[], Trio]) -> None:
    match = trio()
    red, box = match["red"], match.box
    backup = box.snapshot()
    red.do("order", "g.pbem", "roll d6 for a")
    red.do("send", "g.pbem")
    match.bring(red.letter)
    match.respond()
    shutil.rmtree(box.folder / "private")
    box.restore(backup)
    match.bring(red.letter)
    said = match.respond()
    assert "INCOMPLETE: receipts: the application folder was restored" in said.err
    assert not match.answers()
    box.do("respond", "g.pbem", "--chain", "blue.chain", "--watch", "in", "--once")  # the owner's word
    assert match.answers()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill -9 on this system")
def test_killed_responders_answer_once(tmp_path: Path) -> None:
    match = setting(tmp_path)
    red, box = match["red"], match.box
    red.do("order", "g.pbem", "roll d6 for a")
    red.do("send", "g.pbem")
    match.bring(red.letter)
    words = ("respond", "g.pbem", "--watch", "in", "--once")
    took = time.monotonic()
    box.process("status", "g.pbem")
    took = time.monotonic() - took
    seen = set()
    for part in (0.6, 0.8, 0.9, 1.0, 1.1):
        started = box.start(*words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(took * part)
        started.kill()
        started.wait()
        seen |= {slip.line() for letter in match.answers() for slip in slips(letter)}
        assert "VALID" in box.do("verify", "g.pbem").out
    match.respond()
    seen |= {slip.line() for letter in match.answers() for slip in slips(letter)}
    assert len(seen) == 1


# Witness -----------------------------------------------------------------------------------------------------------


def witnessed(folder: Path) -> Match:
    match = Match({name: Computer(folder / name) for name in ("red", "blue", "witness")})
    red, blue, witness = match["red"], match["blue"], match["witness"]
    red.do("new", "open-table", "--seat", "red", "--witness", "--file", "g.pbem")
    blue.do("join", red.letter, "--seat", "blue", "--file", "g.pbem")
    witness.do("join", red.letter, "--seat", "witness", "--name", "Wim", "--file", "g.pbem")
    for one in ("blue", "witness"):
        match.take(one, "red")
    for one in ("red", "blue", "witness"):
        match.mail(one)
    return match


def test_a_witness_makes_dice_with_the_players(tmp_path: Path) -> None:
    match = witnessed(tmp_path)
    red, witness = match["red"], match["witness"]
    red.do("order", "g.pbem", "roll d6 for a")
    match.mail("red")
    match.mail("blue", "red")
    waiting = red.run("send", "g.pbem")
    assert "slips of witness" in waiting.err
    match.mail("witness", "red")
    assert red.table("g.pbem").fold.state.rolls == 1
    red.do("order", "g.pbem", "pass")
    match.mail("red")
    match.agree()
    assert witness.run("order", "g.pbem", "pass").status == 2


def test_a_witness_cosigns_heads(tmp_path: Path) -> None:
    match = witnessed(tmp_path)
    red, witness = match["red"], match["witness"]
    red.do("order", "g.pbem", "pass")
    match.mail("red")
    match.mail("witness", "red")
    [line] = red.table("g.pbem").room.desk().got[charter.WITNESS]
    says = record.read_receipt(line.encode() + b"\n").says
    assert (says.seq, says.head) == (2, red.table("g.pbem").fold.head)
    before = witness.letter.read_bytes()
    witness.do("send", "g.pbem")
    assert witness.letter.read_bytes() == before


def test_the_witness_responds_unattended(tmp_path: Path) -> None:
    match = witnessed(tmp_path)
    red, witness = match["red"], match["witness"]
    (witness.folder / "in").mkdir()
    red.do("order", "g.pbem", "roll d6 for a")
    match.mail("red", "blue")
    shutil.copy(red.letter, witness.folder / "in")
    witness.do("respond", "g.pbem", "--watch", "in", "--once")
    [answer] = (witness.folder / "in" / "answers").glob("*.eml")
    red.do("receive", answer)
    match.mail("blue", "red")
    assert red.table("g.pbem").fold.state.rolls == 1


def carried(name: str, sender: Computer, *receivers: Computer) -> str:
    for one in receivers:
        one.path(name).write_bytes(sender.path(name).read_bytes())
    return name


def with_box(folder: Path, match: Match, player: Computer) -> Computer:
    """A machine that shall release dice, whose public key the player has."""
    box = Computer(folder / "box")
    box.do("key", "new")
    player.path("box.pub").write_bytes((box.folder / "private" / "keys" / "id.pub").read_bytes())
    (box.folder / "in").mkdir()
    return box


def box_releases(match: Match, seat: str, box: Computer, asker: str) -> None:
    """The asker's dice come by the seat's box, and not by its laptop."""
    laptop = match[seat]
    laptop.do("vault", "chain", "g.pbem", "--out", "seat.chain")
    for name in ("g.pbem", "seat.chain"):
        carried(name, laptop, box)
    box.do("respond", "g.pbem", "--chain", "seat.chain", "--once")
    rolls = laptop.table("g.pbem").fold.state.rolls
    match[asker].do("order", "g.pbem", "roll d6 for the box")
    match.mail(asker)
    laptop.do("send", "g.pbem", "--since", "0")
    match.take(seat, asker)
    assert not laptop.table("g.pbem").own_slips()
    assert match[asker].table("g.pbem").fold.state.rolls == rolls
    shutil.copy(match[asker].letter, box.folder / "in")
    box.do("respond", "g.pbem", "--watch", "in", "--once")
    [answer] = (box.folder / "in" / "answers").glob("*.eml")
    match[asker].do("receive", answer)
    assert match[asker].table("g.pbem").fold.state.rolls == rolls + 1


def test_a_responder_is_named_with_a_new_key(tmp_path: Path) -> None:
    match = duel(tmp_path)
    red, blue = match["red"], match["blue"]
    red.do("key", "new", "--name", "second")
    box = with_box(tmp_path, match, red)
    match.turn("red", "pass")
    said = red.run("rekey", "g.pbem", "--key", "second", "--responder", "box.pub")
    assert (said.status, "a responder is named with the baton" in said.err) == (2, True)
    match.turn("blue", "pass")
    assert "E_REKEY" in red.run("rekey", "g.pbem", "--key", "second", "--responder", "id").err  # it moves already
    act = carried(red.do("rekey", "g.pbem", "--key", "second", "--responder", "box.pub").last, red, blue)
    said = blue.do("consent", "g.pbem", act, "--yes")
    assert "a responder releases the dice, with the key SHA256:" in said.out
    match.mail("blue")
    red.do("consent", "g.pbem", act, "--yes")
    match.turn("red", "pass")
    box_releases(match, "red", box, "blue")


def test_a_successor_names_a_responder(tmp_path: Path) -> None:
    match = duel(tmp_path)
    red, blue, cora = match["red"], match["blue"], Computer(tmp_path / "cora")
    match.turn("red", "pass")
    cora.do("key", "new")
    box = with_box(tmp_path, match, cora)
    carried("g.pbem", blue, cora)
    words = ("transfer", "g.pbem", "red", "--name", "Red", "--responder", "box.pub")
    act = carried(cora.do(*words).last, cora, red, blue)
    red.do("consent", "g.pbem", act, "--yes")
    match.mail("red")
    said = blue.do("consent", "g.pbem", act, "--yes")
    assert "a responder releases the dice, with the key SHA256:" in said.out
    later = Match({"red": cora, "blue": blue})
    later.mail("blue")
    later.mail("red")
    box_releases(later, "red", box, "blue")


def test_who_replaces_a_vanished_player_names_a_responder(tmp_path: Path) -> None:
    match = duel(tmp_path)
    blue, dan = match["blue"], Computer(tmp_path / "dan")
    dan.do("key", "new")
    box = with_box(tmp_path, match, dan)
    carried("g.pbem", blue, dan)
    act = carried(dan.do("replace", "g.pbem", "red", "--name", "Dan", "--responder", "box.pub").last, dan, blue)
    said = blue.do("consent", "g.pbem", act, "--yes")
    assert "a responder releases the dice, with the key SHA256:" in said.out
    later = Match({"red": dan, "blue": blue})
    later.mail("blue")
    later.turn("red", "pass")
    box_releases(later, "red", box, "blue")


# Whoever releases nothing -------------------------------------------------------------------------------------------


def test_a_slip_that_does_not_come_can_be_claimed_while_one_holds_the_baton(tmp_path: Path) -> None:
    match = duel(tmp_path)
    red, blue = match["red"], match["blue"]
    red.do("order", "g.pbem", "roll d6 for a")
    red.do("send", "g.pbem")
    assert red.table("g.pbem").fold.holder == "red"  # he decides again after the dice, so he waits for blue's slip
    said = red.do("claim", "g.pbem", "--days", "20")
    assert "the claim against blue stands in g.pbem" in said.err
    head = red.table("g.pbem").fold.head[:16]
    line = f"red claims: blue owes its slip for dice batch 1 since {head}; the 20 days are red's word"
    stranger = Computer(tmp_path / "stranger")
    stranger.path("g.pbem").write_bytes(red.path("g.pbem").read_bytes())
    assert stranger.do("verify", "g.pbem").out.rstrip("\n").endswith(line)
    assert red.run("claim", "g.pbem", "--days", "1", "--against", "green").status == 2
    blue.do("receive", red.letter)
    blue.do("send", "g.pbem")
    red.do("receive", blue.letter)  # the slip has come: the claim is history
    assert "claims" not in red.do("verify", "g.pbem").out
    red.path("plain.pbem").write_bytes(blue.path("g.pbem").read_bytes())
    said = red.run("claim", "g.pbem", "--days", "1")
    assert (said.status, "the next event is your own to write" in said.err) == (2, True)


def test_every_seat_whose_slip_is_missing_can_be_claimed_against(tmp_path: Path) -> None:
    match = three(tmp_path)
    red, green = match["red"], match["green"]
    red.do("order", "g.pbem", "roll d6 for a")
    match.mail("red")
    match.mail("blue", "red", "green")
    assert appeals.debtors(red.table("g.pbem")) == ["green"]
    assert appeals.debtors(green.table("g.pbem")) == ["red"]  # all that green lacks is what red writes next
    assert "claim against green" in red.do("claim", "g.pbem", "--days", "9", "--against", "green").err


def test_a_witness_who_releases_nothing_is_named(tmp_path: Path) -> None:
    match = witnessed(tmp_path)
    red = match["red"]
    red.do("order", "g.pbem", "roll d6 for a")
    match.mail("red")
    match.mail("blue", "red")
    red.do("claim", "g.pbem", "--days", "5")
    assert "red claims: witness owes its slip for dice batch 1" in red.do("verify", "g.pbem").out


def test_a_witness_consents_to_a_replacement(tmp_path: Path) -> None:
    match = witnessed(tmp_path)
    blue, witness, dan = match["blue"], match["witness"], Computer(tmp_path / "dan")
    dan.do("key", "new")
    carried("g.pbem", blue, dan)
    act = carried(dan.do("replace", "g.pbem", "red", "--name", "Dan").last, dan, blue, witness)
    waiting = blue.run("consent", "g.pbem", act, "--yes")  # blue takes the baton and writes it, not without him
    assert (waiting.status, "INCOMPLETE: consent of witness" in waiting.err) == (3, True)
    assert "Dan plays red, whose player has vanished" in witness.do("consent", "g.pbem", act, "--yes").out
    match.mail("witness", "blue")
    blue.do("consent", "g.pbem", act, "--yes")
    assert "that red vanished is the word of blue and the witness" in blue.do("verify", "g.pbem").out
    later = Match({"red": dan, "blue": blue, "witness": witness})
    later.mail("blue")
    later.turn("red", "pass")
    later.agree()
