"""Games between computers: from invitation to the end, letters twice, late, and in the wrong order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from computers import Computer, Match, duel, three

from pbem import mail, packet


@pytest.fixture(scope="module")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Match]:
    """Two computers with all seals in, put back to that moment for every test."""
    match = duel(tmp_path_factory.mktemp("sealed"))
    start = {seat: one.snapshot() for seat, one in match.computers.items()}

    def again() -> Match:
        for seat, one in match.computers.items():
            one.restore(start[seat])
        return match

    return again


# From invitation to the end ----------------------------------------------------------------------------------------


def test_a_duel_with_sealed_dice_ends_by_agreement(sealed: Callable[[], Match]) -> None:
    match = sealed()
    red, blue = match["red"], match["blue"]
    red.do("order", "g.pbem", "move 3rd to hill 12", "roll 2d6 for assault")
    match.mail("red")
    assert "a slip for dice batch 1" in red.do("status", "g.pbem").out
    [said] = match.mail("blue")
    assert "red rolls 2d6 for assault" in said.out  # who asked for dice sees what fell
    match.turn("red", "record hill 12 holds", "pass")
    assert blue.table("g.pbem").fold.state.rolls == 1
    blue.do("offer", "g.pbem", "draw")
    match.mail("blue")
    assert "blue offers to end the game: draw" in red.do("status", "g.pbem").out
    red.do("agree", "g.pbem")
    match.mail("red")
    blue.do("agree", "g.pbem")
    match.mail("blue")
    match.agree()
    for one in match.computers.values():
        assert one.do("verify", "g.pbem", "--finished").out == "VALID, a draw by agreement\n"


def test_the_same_player_decides_again_after_dice(sealed: Callable[[], Match]) -> None:
    match = sealed()
    for number in (1, 2):
        match["red"].do("order", "g.pbem", f"roll d6 for try {number}")
        match.mail("red")
        match.mail("blue")
        assert match["red"].table("g.pbem").fold.holder == "red"
    match.turn("red", "pass")
    match.agree()
    assert match["blue"].table("g.pbem").fold.requested == 2


def test_three_seats_from_invitation_to_the_end(tmp_path: Path) -> None:
    match = three(tmp_path)
    match["red"].do("order", "g.pbem", "roll d6 for a", "roll d6 for b")
    match.mail("red")
    match.mail("blue")
    waiting = match["red"].run("send", "g.pbem")
    assert "slips of green" in waiting.err
    match.mail("green")
    assert match["red"].table("g.pbem").fold.state.rolls == 2
    match.turn("red", "pass")
    match["blue"].do("resign", "g.pbem", "--yes")
    match.mail("blue")
    assert "blue has left" in match["blue"].run("offer", "g.pbem").err
    match["green"].do("offer", "g.pbem", "green")
    match.mail("green")
    match["red"].do("agree", "g.pbem")
    match.mail("red")
    match["green"].run("agree", "g.pbem")
    match.mail("green")
    match.agree()
    for one in match.computers.values():
        assert one.do("verify", "g.pbem", "--finished").out == "VALID, green wins by agreement\n"


def test_open_dice_fall_at_once(tmp_path: Path) -> None:
    match = duel(tmp_path, "open")
    assert "the handover to red" in match["blue"].do("status", "g.pbem").out
    match.mail("blue")
    assert "red rolls d6 for luck" in match["red"].do("roll", "g.pbem", "d6", "for", "luck").out
    drafted = match["red"].run("order", "g.pbem", "roll 2d6 for more", "note at once", "pass")
    assert drafted.status == 3
    assert "2 note at once" in drafted.err  # dice are first: not even a note comes between
    for line in ("legal", "show", "order"):
        assert "rolls 2d6" not in match["red"].run(line, "g.pbem").out  # a draft may be dropped, so it shows no dice
    conversation = match["red"].do("play", "g.pbem", stdin="drop 1\nroll d6 for a peek\nn\nboard\ndrop 1\nquit\n")
    assert "for a peek" in conversation.out
    assert "rolls d6 for a peek" not in conversation.out
    match["red"].do("order", "g.pbem", "roll 2d6 for more")
    assert "red rolls 2d6 for more" in match["red"].do("send", "g.pbem").out
    match.turn("red", "pass")
    match.agree()
    assert match["blue"].table("g.pbem").fold.state.rolls == 2


def test_two_seats_at_one_computer(tmp_path: Path) -> None:
    one = Computer(tmp_path / "one")
    one.do("new", "open-table", "--file", "g.pbem")
    same = one.run("join", one.letter)
    assert same.status == 1
    assert "E_SAMEKEY" in same.err
    one.do("key", "new", "--name", "two")
    one.do("join", one.letter, "--key", "two")
    assert [path.name for path in one.folder.glob("*.pbem")] == ["g.pbem"]
    letters = len(one.letters)
    one.do("order", "g.pbem", "roll d6 for it", "pass")
    assert "red rolls d6 for it" in one.do("send", "g.pbem").out
    one.do("order", "g.pbem", "pass")
    one.do("send", "g.pbem")
    assert len(one.letters) == letters  # nobody to mail to
    table = one.table("g.pbem")
    assert table.local == ["blue", "red"]
    assert (table.fold.holder, table.fold.state.turn) == ("red", 2)
    one.do("offer", "g.pbem", "red")
    one.do("agree", "g.pbem", "--seat", "blue")
    one.do("agree", "g.pbem", "--seat", "red")
    assert one.do("verify", "g.pbem").out == "VALID, red wins by agreement\n"


# Resignations, offers, claims --------------------------------------------------------------------------------------


def test_the_holder_resigns_and_the_game_is_over(sealed: Callable[[], Match]) -> None:
    match = sealed()
    match["red"].do("resign", "g.pbem", "--yes")
    match.mail("red")
    match.agree()
    assert match["blue"].do("verify", "g.pbem", "--finished").out.startswith("VALID, ")
    again = match["red"].run("resign", "g.pbem", "--yes")
    assert (again.status, again.err.splitlines()[0]) == (2, "pbem: the game is over already")


def test_a_resignation_without_the_baton_is_carried(sealed: Callable[[], Match]) -> None:
    match = sealed()
    match["blue"].do("resign", "g.pbem", "--yes")
    assert match["blue"].do("resign", "g.pbem", "--yes").status == 0  # twice is once
    assert match["blue"].do("verify", "g.pbem").out.startswith("VALID, blue resigned")
    match.mail("blue")
    match.mail("red")
    match.agree()
    assert "red" in match["red"].table("g.pbem").fold.outcome().winner


def test_a_resignation_reaches_a_holder_who_has_signed_meanwhile(tmp_path: Path) -> None:
    match = duel(tmp_path, "open")
    match.mail("blue")
    match["red"].do("roll", "g.pbem", "d6", "for", "luck")  # events 2 and 3, not mailed
    match["blue"].do("resign", "g.pbem", "--yes")
    match.mail("blue")
    match.mail("red")
    match.agree()
    assert match["blue"].table("g.pbem").fold.closed


def test_a_draft_outlives_the_resignation_of_another(tmp_path: Path) -> None:
    match = three(tmp_path)
    match["red"].do("order", "g.pbem", "move a", "pass")
    match["blue"].do("resign", "g.pbem", "--yes")
    match["blue"].do("send", "g.pbem")
    match.take("blue", "red")
    assert match["red"].do("order", "g.pbem").out == "1 move a\n2 pass\n"
    match.mail("red")
    match.agree()
    assert match["green"].table("g.pbem").fold.holder == "green"
    assert "blue" not in match["green"].table("g.pbem").fold.in_game


def test_an_offer_lapses_with_the_next_event(sealed: Callable[[], Match]) -> None:
    match = sealed()
    match["blue"].do("offer", "g.pbem", "none")
    match.mail("blue")
    assert "blue offers to end the game: none" in match["red"].do("status", "g.pbem").out
    match.turn("red", "pass")
    lapsed = match["blue"].run("agree", "g.pbem")
    assert (lapsed.status, lapsed.err.splitlines()[0]) == (2, "pbem: nothing is offered at this point of the game")


def test_the_holder_agrees_to_an_offer(sealed: Callable[[], Match]) -> None:
    match = sealed()
    match["blue"].do("offer", "g.pbem", "red")
    match.mail("blue")
    match["red"].do("agree", "g.pbem")
    match.mail("red")
    match.agree()
    assert match["blue"].do("verify", "g.pbem", "--finished").out == "VALID, red wins by agreement\n"


def test_a_claim_stands_in_both_files(sealed: Callable[[], Match]) -> None:
    match = sealed()
    assert match["red"].run("claim", "g.pbem", "--days", "9").status == 2  # it is red's own turn
    match["blue"].do("claim", "g.pbem", "--days", "30")
    match["blue"].do("claim", "g.pbem", "--days", "30")
    line = match["blue"].do("verify", "g.pbem").out
    assert "blue claims: red owes event 1" in line
    assert "the 30 days are blue's word" in line
    match.mail("blue")
    assert "blue claims" in match["red"].do("status", "g.pbem").out
    match.turn("red", "pass")
    match.agree()
    assert "claims" not in match["blue"].do("verify", "g.pbem").out


# Letters twice, late, in the wrong order ---------------------------------------------------------------------------


def test_every_letter_twice_changes_nothing(sealed: Callable[[], Match]) -> None:
    match = sealed()
    for orders in (("move a", "roll d6 for a"), ("pass",)):
        match["red"].do("order", "g.pbem", *orders)
        match.mail("red")
        match["blue"].run("send", "g.pbem")
        match.take("blue", "red")
    everything = [one for computer in match.computers.values() for one in computer.letters]
    before = {seat: one.snapshot() for seat, one in match.computers.items()}
    for computer in match.computers.values():
        for letter in everything:
            if b"Invitation" not in letter.read_bytes():
                said = computer.run("receive", letter)
                assert said.status == 0, said
    assert {seat: one.snapshot() for seat, one in match.computers.items()} == before


def test_sending_twice_writes_the_same_bytes(sealed: Callable[[], Match]) -> None:
    match = sealed()
    red = match["red"]
    red.do("order", "g.pbem", "roll d6 for a")
    red.do("send", "g.pbem")
    first, files = red.letter.read_bytes(), red.snapshot()
    again = red.do("send", "g.pbem")
    assert red.letter.read_bytes() == first
    assert red.snapshot() == files
    assert "waits for slips of blue" in again.err


def test_a_letter_that_overtakes_another(sealed: Callable[[], Match]) -> None:
    match = sealed()
    red, blue = match["red"], match["blue"]
    match.turn("red", "pass")
    match.turn("blue", "pass")
    before = blue.snapshot()
    match.turn("red", "move x", "pass")
    overtaking = red.letter
    blue.restore(before)
    assert "3 new events" in blue.do("receive", overtaking).err
    match.agree()


def test_a_folder_of_letters_in_any_order(sealed: Callable[[], Match], tmp_path: Path) -> None:
    match = sealed()
    behind = match["blue"].snapshot()
    match.turn("red", "pass")
    match.turn("blue", "pass")
    match.turn("red", "move x", "pass")
    match.turn("blue", "pass")
    match.turn("red", "move y", "pass")
    mails = tmp_path / "mails"
    mails.mkdir()
    for name, since in (("a", 7), ("b", 4), ("c", 0)):
        match["red"].do("send", "g.pbem", "--since", str(since))
        (mails / f"{name}.eml").write_bytes(match["red"].letter.read_bytes())
    (mails / "d.eml").write_text("Subject: dinner\n\nAt eight?\n")
    newest = match["blue"].table("g.pbem").fold.head
    match["blue"].restore(behind)
    said = match["blue"].run("receive", mails)
    assert said.status == 0, said
    assert "1 mail without a packet passed over" in said.err
    assert match["blue"].table("g.pbem").fold.head == newest


def test_an_older_letter_after_a_newer_is_nothing_new(sealed: Callable[[], Match]) -> None:
    match = sealed()
    match.turn("red", "pass")
    older = match["red"].letter
    match.turn("blue", "pass")
    match.turn("red", "pass")
    said = match["blue"].do("receive", older)
    assert "nothing new" in said.err


def test_missing_events_are_named(sealed: Callable[[], Match]) -> None:
    match = sealed()
    behind = match["blue"].snapshot()
    match.turn("red", "move one", "pass")
    match.turn("blue", "pass")
    match["red"].do("order", "g.pbem", "pass")
    match["red"].do("send", "g.pbem", "--since", "5")
    match["blue"].restore(behind)
    said = match["blue"].run("receive", match["red"].letter)
    assert said.status == 1
    assert "E_GAP at event 6: events are missing before this one" in said.err or "missing before it: 1 to 5" in said.err
    assert "hint: ask the sender for them: `pbem send FILE --since 0`" in said.err
    assert match["blue"].path("g.pbem").read_bytes() == behind["g.pbem"]
    match["red"].do("send", "g.pbem", "--since", "0")
    match.take("red", "blue")
    match.agree()


def test_a_letter_cut_before_its_handover_is_incomplete(sealed: Callable[[], Match]) -> None:
    match = sealed()
    match["red"].do("order", "g.pbem", "move one", "move two", "pass")
    match["red"].do("send", "g.pbem")
    [data] = mail.packets(next(mail.letters(match["red"].letter))).packets
    whole = packet.read(data)
    cut = packet.Packet(whole.sender, whole.game, whole.head, whole.lines[:-1])
    before = match["blue"].path("g.pbem").read_bytes()
    said = match["blue"].run("receive", "-", stdin=packet.write(cut))
    assert said.status == 3
    assert "INCOMPLETE: events after 3" in said.err
    assert match["blue"].path("g.pbem").read_bytes() == before
    match.take("red", "blue")
    match.agree()


def test_a_seat_once_given_is_not_given_again(tmp_path: Path) -> None:
    match = duel(tmp_path)
    red = match["red"]
    invitation = red.letters[0]
    second = Computer(tmp_path / "second")
    second.do("join", invitation)
    before = red.path("g.pbem").read_bytes()
    said = red.run("receive", second.letter)
    assert said.status == 1
    assert "E_DRAFT" in said.err
    assert "the seat is taken" in said.err
    assert red.path("g.pbem").read_bytes() == before


def test_three_want_two_seats(tmp_path: Path) -> None:
    red, blue, other = (Computer(tmp_path / name) for name in ("red", "blue", "other"))
    red.do("new", "open-table", "--scenario", "three", "--seat", "red", "--file", "g.pbem")
    which = blue.run("join", red.letter)
    assert (which.status, "open seats: blue, green" in which.err) == (2, True)
    blue.do("join", red.letter, "--seat", "blue")
    other.do("join", red.letter, "--seat", "blue")
    red.do("receive", blue.letter)
    said = red.run("receive", other.letter)
    assert said.status == 1
    assert "two different players want the seat blue" in said.err
    assert "INCOMPLETE: entries of green" in red.run("status", "g.pbem").out


def test_own_letters_are_no_news(sealed: Callable[[], Match]) -> None:
    match = sealed()
    match.turn("red", "pass")
    before = match["red"].snapshot()
    assert "nothing new" in match["red"].do("receive", match["red"].letter).err
    assert match["red"].snapshot() == before
