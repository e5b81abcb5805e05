"""From a proposal to a sealed charter, and what is refused on the way (5.3: 20, 70)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from computers import Computer, Match, duel, three

from pbem import agreement, canon, charter, mail, packet
from pbem.agreement import Player, Proposal
from pbem.errors import Incomplete, Refused, Trouble, WrongUse
from pbem.packet import Packet


def opened(letter: Path) -> Packet:
    [data] = mail.packets(next(mail.letters(letter))).packets
    return packet.read(data)


@pytest.fixture
def red(tmp_path: Path) -> Computer:
    one = Computer(tmp_path / "red")
    one.do("new", "open-table", "--seat", "red", "--file", "g.pbem", "--days", "7", "--option", "game=Hill 12")
    return one


@pytest.fixture
def blue(tmp_path: Path) -> Computer:
    one = Computer(tmp_path / "blue")
    one.do("key", "new")
    return one


def invitation_with(red: Computer, **change: Any) -> Packet:
    """Red's invitation with fields of the draft replaced."""
    draft = agreement.invitation(opened(red.letter))
    changed = charter.make_draft({**draft.doc, **change})
    return Packet("red", changed.id, changed.id, (changed.line(),))


# Proposing ----------------------------------------------------------------------------------------------------------


def test_a_draft_says_everything_that_is_agreed(red: Computer) -> None:
    doc = agreement.invitation(opened(red.letter)).doc
    assert doc["rules"]["id"] == "open-table"
    assert doc["options"]["game"] == "Hill 12"
    assert doc["clock"] == {"days": 7, "reminders": 2}
    assert doc["dice"]["policy"] == "sealed"
    assert {"seat", "key", "anchor", "links", "nonce"} <= set(doc["seats"][0])
    assert doc["seats"][1] == {"seat": "blue"}
    text = red.letter.read_bytes().decode()
    for said in ("rules: open-table, edition 1", "option game: Hill 12", "days for an answer: 7", "seat blue: open"):
        assert said in text


def test_a_solitaire_game_starts_at_once(tmp_path: Path, blue: Computer) -> None:
    path = tmp_path / "m.pbem"
    player = Player("allies", "id")
    assert agreement.propose(blue.home, path, Proposal("battle-card-malaya"), player) is True
    with pytest.raises(Trouble, match="exists already"):
        agreement.propose(blue.home, path, Proposal("battle-card-malaya"), player)
    assert agreement.beginning(path) is not None
    agreement.need_started(path)


def test_nothing_is_left_of_a_refused_proposal(tmp_path: Path, blue: Computer) -> None:
    before = blue.snapshot()
    for proposal, player in (
        (Proposal("open-table", options={"order": "odd"}), Player("red", "id")),
        (Proposal("open-table", scenario="seven"), Player("red", "id")),
        (Proposal("open-table", scenario="solo", policy="sealed"), Player("red", "id")),
        (Proposal("open-table", links=3), Player("red", "id")),
        (Proposal("open-table"), Player("red", "other")),
        (Proposal("open-table"), Player("purple", "id")),
    ):
        with pytest.raises((Refused, WrongUse, Trouble)):
            agreement.propose(blue.home, blue.path("n.pbem"), proposal, player)
    assert blue.snapshot() == before


# Joining ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "missing"),
    [
        ({"rules": {"id": "chess", "version": "1", "digest": "a" * 64}}, "edition 1 of chess"),
        ({"rules": {"id": "open-table", "version": "99", "digest": "a" * 64}}, "edition 99"),
        ({"rules": {"id": "open-table", "version": "1", "digest": "a" * 64}}, "with rulings"),
        ({"data": "b" * 64}, "components bbbb"),
    ],
)
def test_what_cannot_be_judged_here_is_not_joined(
    red: Computer, blue: Computer, change: Mapping[str, Any], missing: str
) -> None:
    content = invitation_with(red, **change)
    with pytest.raises(Incomplete, match=missing):
        agreement.join(blue.home, blue.path("g.pbem"), content, Player("", "id"))
    assert not blue.path("g.pbem").exists()
    assert blue.home.rooms() == [] or blue.home.rooms()[0].seats() == []


@pytest.mark.parametrize(
    "change",
    [
        {"scenario": "seven"},
        {"options": {"game": "x"}},
        {"options": {"game": "x", "order": "fixed", "snake": "no", "turns": "none", "more": "y"}},
        {"dice": {"policy": "beacon", "contributors": "all_others", "expand": "hmac-sha256-64"}},
        {"dice": {"policy": "sealed", "contributors": "some", "expand": "hmac-sha256-64"}},
        {"seats": [{"seat": "red"}, {"seat": "blue"}, {"seat": "green"}]},
        {"seats": [{"seat": "blue"}, {"seat": "blue"}]},
    ],
    ids=lambda change: canon.encode(change).decode()[:50],
)
def test_a_draft_against_its_own_rules_is_refused(red: Computer, blue: Computer, change: Mapping[str, Any]) -> None:
    with pytest.raises((Refused, Incomplete)):
        agreement.join(blue.home, blue.path("g.pbem"), invitation_with(red, **change), Player("blue", "id"))
    assert not blue.path("g.pbem").exists()


def test_a_draft_that_copies_the_setup_of_another_game_is_refused(red: Computer, blue: Computer) -> None:
    agreement.join(blue.home, blue.path("g.pbem"), opened(red.letter), Player("", "id"))
    before = blue.snapshot()
    doc = agreement.invitation(opened(red.letter)).doc
    content = invitation_with(red, options={**doc["options"], "game": "another"})
    with pytest.raises(Refused) as refused:
        agreement.join(blue.home, blue.path("h.pbem"), content, Player("", "id"))
    assert refused.value.code == "E_DRAFT"
    assert blue.snapshot() == before


def test_what_is_no_invitation_is_not_joined(tmp_path: Path) -> None:
    match = duel(tmp_path)
    match.turn("red", "pass")
    said = match["blue"].run("join", match["red"].letter)
    assert said.status == 2
    assert "no invitation in it" in said.err
    received = Computer(tmp_path / "other").run("receive", match["red"].letters[0])
    assert received.status == 2
    assert "`pbem join MAIL` takes the seat" in received.err


def test_names_travel_with_the_charter(tmp_path: Path) -> None:
    red, blue = Computer(tmp_path / "red"), Computer(tmp_path / "blue")
    red.do("new", "open-table", "--name", "Zo\u00eb <b>", "--file", "g.pbem")
    blue.do("join", red.letter, "--name", "\u65e5\u672c & co", "--file", "g.pbem")
    red.do("receive", blue.letter)
    assert "Zo\u00eb <b> (you)" in red.do("status", "g.pbem").out
    page = red.do("show", "g.pbem", "--html").out
    assert "<b>" not in page.replace("<b>", "", 0).split("Zo\u00eb")[1][:10]
    assert "Zo\u00eb &lt;b&gt;" in page
    assert "\u65e5\u672c &amp; co" in page


# Charter and seals --------------------------------------------------------------------------------------------------


def sealed_by(blue: Computer, game: charter.Game) -> Packet:
    """A letter with a charter and blue's seal."""
    seal = charter.seal(blue.home.key("id"), game, "blue")
    return Packet("blue", game.id, game.id, (game.line(), seal))


@pytest.mark.parametrize(
    "change",
    [
        {"options": {"game": "Hill 13", "order": "fixed", "snake": "no", "turns": "none"}},
        {"clock": {"days": 1, "reminders": 2}},
        {"dice": {"policy": "open", "contributors": "all_others", "expand": "hmac-sha256-64"}},
        {"setup": "cd" * 32},
    ],
    ids=["option", "clock", "dice", "setup"],
)
def test_a_charter_that_is_not_the_draft_is_shown_as_a_difference(
    red: Computer, blue: Computer, change: Mapping[str, Any]
) -> None:
    agreement.join(blue.home, blue.path("g.pbem"), opened(red.letter), Player("", "id"))
    start = agreement.beginning(blue.path("g.pbem"))
    assert start is not None
    assert start.game is not None
    altered = charter.make_game({**canon.decode(start.game.raw), **change})
    before = red.path("g.pbem").read_bytes()
    with pytest.raises(Refused) as refused:
        agreement.absorb(red.home, red.path("g.pbem"), sealed_by(blue, altered))
    assert refused.value.code == "E_DRAFT"
    assert f"the charter differs from the draft in {next(iter(change))}" in refused.value.what
    assert red.path("g.pbem").read_bytes() == before


def test_a_charter_with_another_entry_of_mine_is_not_sealed(red: Computer, blue: Computer) -> None:
    agreement.join(blue.home, blue.path("g.pbem"), opened(red.letter), Player("", "id"))
    start = agreement.beginning(blue.path("g.pbem"))
    assert start is not None
    assert start.game is not None
    doc = canon.decode(start.game.raw)
    doc["seats"][0]["nonce"] = "ee" * 32
    with pytest.raises(Refused, match="in the entry of red"):
        agreement.absorb(red.home, red.path("g.pbem"), sealed_by(blue, charter.make_game(doc)))


def test_with_three_seats_an_entry_cannot_be_exchanged_on_the_way(tmp_path: Path) -> None:
    red, blue, green = (Computer(tmp_path / name) for name in ("red", "blue", "green"))
    red.do("new", "open-table", "--scenario", "three", "--seat", "red", "--file", "g.pbem")
    for one, seat in ((blue, "blue"), (green, "green")):
        one.do("join", red.letter, "--seat", seat, "--file", "g.pbem")
        red.do("receive", one.letter)
    red.do("send", "g.pbem")
    content = opened(red.letter)
    doc = canon.decode(charter.read_charter(content.of("charter")[0]).raw)
    doc["seats"][1]["nonce"] = "ee" * 32
    game = charter.make_game(doc)
    forged = Packet("red", game.id, game.id, (game.line(), charter.seal(red.home.key("id"), game, "red")))
    with pytest.raises(Refused, match="the charter changes the entry of blue"):
        agreement.absorb(blue.home, blue.path("g.pbem"), forged)
    agreement.absorb(blue.home, blue.path("g.pbem"), content)
    with pytest.raises(Refused, match="not the one that was agreed"):
        agreement.absorb(blue.home, blue.path("g.pbem"), forged)


def test_the_charter_round_is_complete_in_any_order(tmp_path: Path) -> None:
    match = three(tmp_path)
    match.agree()
    for one in match.computers.values():
        assert agreement.beginning(one.path("g.pbem")) is not None
        assert "head" in one.do("status", "g.pbem").out
        assert [line.split(b" ")[0] for line in one.path("g.pbem").read_bytes().splitlines()] == [
            b"charter", b"seal", b"seal", b"seal",
        ]  # fmt: skip


def test_seals_do_not_touch_a_game_that_has_begun(tmp_path: Path) -> None:
    match = duel(tmp_path)
    first = opened(match["red"].letter)
    match.turn("red", "pass")
    before = match["blue"].path("g.pbem").read_bytes()
    assert agreement.absorb(match["blue"].home, match["blue"].path("g.pbem"), first) is None
    assert match["blue"].path("g.pbem").read_bytes() == before


def test_events_written_meanwhile_are_not_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two letters taken in at once: the second sees the file as the first has left it."""
    match: Match = duel(tmp_path)
    blue = match["blue"]
    whole = blue.path("g.pbem").read_bytes()
    blue.path("g.pbem").write_bytes(b"".join(whole.splitlines(True)[:2]))  # charter and one seal
    match["red"].do("order", "g.pbem", "pass")
    match["red"].do("send", "g.pbem")
    read = agreement.beginning
    calls: list[int] = []

    def slow(path: Path) -> agreement.Beginning | None:
        found = read(path)
        calls.append(1)
        if len(calls) == 1:  # between the look and the lock another process takes in the same letter
            agreement.absorb(blue.home, path, opened(match["red"].letter))
            blue.do("receive", match["red"].letter)
        return found

    monkeypatch.setattr(agreement, "beginning", slow)
    agreement.absorb(blue.home, blue.path("g.pbem"), opened(match["red"].letter))
    monkeypatch.undo()
    assert blue.table("g.pbem").fold.seq == 2


def test_one_machine_may_hold_all_three_seats(tmp_path: Path) -> None:
    one = Computer(tmp_path / "one")
    one.do("new", "open-table", "--scenario", "three", "--seat", "red", "--file", "g.pbem")
    invitation = one.letter
    for seat in ("blue", "green"):
        one.do("key", "new", "--name", seat)
        said = one.do("join", invitation, "--seat", seat, "--key", seat)
    assert "the game is on, with all seats on this machine" in said.err
    one.do("order", "g.pbem", "roll d6 for a", "pass")
    one.do("send", "g.pbem")
    assert one.table("g.pbem").fold.holder == "blue"
    assert one.table("g.pbem").fold.state.rolls == 1
