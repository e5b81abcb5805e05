"""Accidents and people: keys, seats, chains, charter and forks, mended by letters and act files.

Rows 46, 47, 65, 66 and 71 of the adversarial tests, at the level of commands and of the fold.
"""

from __future__ import annotations

import base64
import copy
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import builder
import pytest
from builder import key, key_of_byte
from computers import Computer, Match, Said, duel, three
from duel import Duel, Ground

from pbem import canon, changes, charter, dice, keys, mail, registry
from pbem.api import Illegal, Start
from pbem.errors import Incomplete
from pbem.replay import Ruleset


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Match]:
    """Two computers in the first turn, red to move; put back to that moment for every test."""
    match = duel(tmp_path_factory.mktemp("remedy"))
    for one in match.computers.values():
        one.do("key", "new", "--name", "second")
    start = {seat: one.snapshot() for seat, one in match.computers.items()}

    def again() -> Match:
        for seat, one in match.computers.items():
            one.restore(start[seat])
        return match

    return again


def hand(act: Said, sender: Computer, *receivers: Computer) -> str:
    """Carry an act file from one computer to others; its name."""
    name = act.last
    for one in receivers:
        one.path(name).write_bytes(sender.path(name).read_bytes())
    return name


def consent(who: Computer, act: str, status: int = 0) -> Said:
    said = who.run("consent", "g.pbem", act, "--yes")
    assert said.status == status, said
    return said


def seats_by_key(one: Computer) -> dict[str, str]:
    fold = one.table("g.pbem").fold
    return {seat: fold.keys[seat].raw.hex() for seat in fold.seats}


def public(one: Computer, name: str) -> str:
    return one.home.public_key(name).hex()


# Keys --------------------------------------------------------------------------------------------------------------


def test_the_holder_goes_on_with_another_key(started: Callable[[], Match]) -> None:
    match = started()
    red, blue = match["red"], match["blue"]
    match.turn("red", "pass")
    match.turn("blue", "pass")
    act = hand(red.do("rekey", "g.pbem", "--key", "second"), red, blue)
    waiting = consent(red, act, 3)
    assert "INCOMPLETE: consent of blue" in waiting.err
    said = consent(blue, act)
    assert "red signs with another key from then on: SHA256:" in said.out
    match.mail("blue")
    consent(red, act)
    assert seats_by_key(red)["red"] == public(red, "second")
    match.turn("red", "move on", "pass")
    match.turn("blue", "pass")
    match.agree()
    assert "VALID SO FAR" in blue.do("verify", "g.pbem").out


def test_a_key_is_changed_without_the_baton(started: Callable[[], Match]) -> None:
    match = started()
    red, blue = match["red"], match["blue"]
    match.turn("red", "pass")
    act = hand(red.do("rekey", "g.pbem", "--key", "second"), red, blue)
    assert act.startswith("carry-")
    consent(blue, act)
    match.turn("blue", "pass")
    match.agree()
    assert seats_by_key(blue)["red"] == public(red, "second")
    match.turn("red", "pass")
    match.agree()


def test_an_act_lapses_when_somebody_plays_on(started: Callable[[], Match]) -> None:
    match = started()
    red, blue = match["red"], match["blue"]
    match.turn("red", "pass")
    act = hand(red.do("rekey", "g.pbem", "--key", "second"), red, blue)
    match.turn("blue", "pass")
    said = consent(blue, act, 1)
    assert "E_CONSENT: the act was made for event" in said.err
    assert "hint: " in said.err


def test_row_46_a_used_key_is_refused(started: Callable[[], Match]) -> None:
    match = started()
    red = match["red"]
    said = red.run("rekey", "g.pbem", "--key", "id")
    assert said.status == 1
    assert "E_REKEY" in said.err
    said = red.run("transfer", "g.pbem", "blue", "--key", "id")
    assert "E_REKEY: some seat of this game has had the key id already" in said.err


def test_row_46_a_thief_without_the_others(started: Callable[[], Match]) -> None:
    match = started()
    thief = match["red"]
    act = thief.do("rekey", "g.pbem", "--key", "second").last
    consent(thief, act, 3)
    assert seats_by_key(thief)["red"] == public(thief, "id")


# Seats -------------------------------------------------------------------------------------------------------------


def successor(folder: Path, match: Match) -> Computer:
    """Somebody who was given the game file."""
    new = Computer(folder / "cora")
    new.do("key", "new")
    new.path("g.pbem").write_bytes(match["blue"].path("g.pbem").read_bytes())
    return new


def test_a_successor_takes_a_seat(started: Callable[[], Match], tmp_path: Path) -> None:
    match = started()
    red, blue = match["red"], match["blue"]
    match.turn("red", "pass")
    new = successor(tmp_path, match)
    act = hand(new.do("transfer", "g.pbem", "red", "--name", "Red"), new, red, blue)
    said = consent(red, act)
    assert "Red plays red from then on" in said.out
    match.mail("red", "blue")
    consent(blue, act)
    blue.do("send", "g.pbem")
    match.take("blue", "red")
    assert "you only watch this game" in red.do("status", "g.pbem").out
    said = new.do("receive", blue.letter)
    assert new.table("g.pbem").fold.chain_no["red"] == 2
    later = Match({"red": new, "blue": blue})
    later.mail("red")
    later.turn("blue", "roll d6 for it")
    later.mail("red")
    later.turn("blue", "pass")
    later.turn("red", "roll d6 for mine")
    later.mail("blue")
    later.turn("red", "pass")
    later.agree()
    assert red.run("order", "g.pbem", "pass").status == 2


def test_a_holder_hands_his_seat_on(started: Callable[[], Match], tmp_path: Path) -> None:
    match = started()
    red, blue = match["red"], match["blue"]
    match.turn("red", "pass")
    match.turn("blue", "pass")
    new = successor(tmp_path, match)
    act = hand(new.do("transfer", "g.pbem", "red", "--name", "Red"), new, red, blue)
    consent(blue, act)
    match.mail("blue", "red")
    consent(red, act)
    red.do("send", "g.pbem")
    match.take("red", "blue")
    new.do("receive", red.letter)
    later = Match({"red": new, "blue": blue})
    later.turn("red", "move on", "pass")
    later.agree()
    assert later["blue"].table("g.pbem").fold.players["red"] == "Red"


def test_a_vanished_holder_is_replaced(started: Callable[[], Match], tmp_path: Path) -> None:
    match = started()
    blue = match["blue"]
    match.turn("red", "roll d6 for a")
    match.mail("blue")
    match.turn("red", "pass")
    match.turn("blue", "pass")  # red holds the baton and is never seen again
    new = successor(tmp_path, match)
    act = hand(new.do("replace", "g.pbem", "red", "--name", "Red"), new, blue)
    said = consent(blue, act)
    assert "Red plays red, whose player has vanished" in said.out
    blue.do("send", "g.pbem")
    new.do("receive", blue.letter)
    later = Match({"red": new, "blue": blue})
    later.turn("red", "roll d6 for mine")
    later.mail("blue")
    later.turn("red", "pass")
    later.agree()


def test_a_vanished_third_is_dropped(tmp_path: Path) -> None:
    match = three(tmp_path)
    red, blue = match["red"], match["blue"]
    red.do("order", "g.pbem", "roll d6 for a")
    match.mail("red")
    match.mail("blue", "red")
    act = hand(red.do("drop", "g.pbem", "green"), red, blue)
    said = consent(red, act, 3)
    assert "INCOMPLETE: consent of blue" in said.err
    said = consent(blue, act)
    assert "the vanished seat may have seen these dice" in said.out
    match.mail("blue", "red")
    consent(red, act)
    match.mail("red", "blue")
    match.mail("blue", "red")
    assert red.table("g.pbem").fold.state.rolls == 1
    assert red.table("g.pbem").fold.requested == 2


# Chains and charter ------------------------------------------------------------------------------------------------


def test_a_new_dice_chain(started: Callable[[], Match]) -> None:
    match = started()
    red, blue = match["red"], match["blue"]
    match.turn("red", "pass")
    match.turn("blue", "pass")
    said = blue.run("rechain", "g.pbem")
    assert (said.status, "red holds the baton" in said.err) == (2, True)
    act = hand(red.do("rechain", "g.pbem", "--links", "64"), red, blue)
    consent(blue, act)
    match.mail("blue")
    consent(red, act)
    match.turn("red", "roll d6 for a")
    match.mail("blue")
    match.turn("red", "pass")
    match.agree()
    assert blue.table("g.pbem").fold.chains["red"].check.links == 64


def test_the_clock_is_amended(tmp_path: Path) -> None:
    match = duel(tmp_path, "sealed", "--days", "7")
    red, blue = match["red"], match["blue"]
    act = hand(blue.do("amend", "g.pbem", "--days", "14"), blue, red)
    match.mail("blue")
    said = consent(red, act)
    assert "clock: days changes from 7 to 14" in said.out
    match.turn("red", "pass")
    match.agree()
    assert blue.table("g.pbem").fold.terms["clock"] == {"days": 14, "reminders": 2}


def test_a_game_gets_a_clock_and_loses_it(started: Callable[[], Match]) -> None:
    match = started()
    red, blue = match["red"], match["blue"]
    said = red.run("amend", "g.pbem", "--reminders", "3")
    assert (said.status, "hint: --days N gives it one" in said.err) == (2, True)
    said = red.run("amend", "g.pbem", "--no-clock")
    assert (said.status, "nothing is to be changed" in said.err) == (2, True)
    for words, told, clock in (
        (("--days", "14"), "clock: days 14, reminders 2 from then on; there was none", {"days": 14, "reminders": 2}),
        (("--reminders", "0"), "clock: reminders changes from 2 to 0", {"days": 14, "reminders": 0}),
        (("--no-clock",), "clock: none from then on; it was days 14, reminders 0", None),
    ):
        act = hand(blue.do("amend", "g.pbem", *words), blue, red)
        match.mail("blue")
        assert told in consent(red, act).out
        match.turn("red", "pass")
        match.turn("blue", "pass")
        match.agree()
        assert blue.table("g.pbem").fold.terms.get("clock") == clock


# Amendments, event by event ----------------------------------------------------------------------------------------


def amendment(match: builder.Match, **new: object) -> canon.Doc:
    old = {name: match.fold.terms.get(name, changes.ABSENT.get(name, "")) for name in new}
    return {"old": old, "new": dict(new)}


def test_an_amendment_says_what_is_in_force_and_what_is_meant() -> None:
    match = begun()
    clock = {"days": 7, "reminders": 2}
    assert match.code("amend", {**amendment(match, clock=clock), "consents": []}) == "E_CONSENT"
    for body in (
        {"old": {}, "new": {}},
        {"old": {"clock": {}}, "new": {"clock": {}}},  # nothing changes
        {"old": {"clock": {"days": 3, "reminders": 2}}, "new": {"clock": clock}},  # no such clock is in force
        {"old": {}, "new": {"clock": clock}},
        {"old": {"clock": {}, "options": {}}, "new": {"clock": clock}},
        {"old": {"scenario": "duel"}, "new": {"scenario": "melee"}},
        amendment(match, clock={"days": 0, "reminders": 2}),
        amendment(match, clock={"days": 7}),
        amendment(match, clock=[]),
        amendment(match, options=[]),
        amendment(match, options={"turns": 3}),
        amendment(match, rules={"id": "chess", "version": "1", "digest": "a" * 64}),
        amendment(match, rules={"id": "duel", "version": "two", "digest": "a" * 64}),
        amendment(match, rules={}),
        amendment(match, data="c"),
        amendment(match, tables=[["units"]]),
        amendment(match, tables=[["units", "zz"]]),
        amendment(match, tables=[["units", "c" * 64]]),  # they are not those of data
    ):
        assert code(match, "amend", body) == "E_FIELDS", body
    match.write("amend", match.with_consents("amend", amendment(match, clock=clock)))
    assert match.fold.terms["clock"] == clock
    match.write("amend", match.with_consents("amend", amendment(match, clock={})))
    assert "clock" not in match.fold.terms
    assert code(match, "undo", {"to": 1}) == "E_UNDO"
    assert match.verdict().word == "VALID SO FAR"


class Reformed(Duel):
    """The second edition: hexes 1 to 5 hold, everybody beyond goes back to 1; there is no way from it."""

    editions = (1, 2)

    def convert(self, state: Ground, old: Start, new: Start) -> Ground | Illegal:
        if (old.edition, new.edition) == (1, 2):
            later = copy.deepcopy(state)
            later.hexes = {unit: at if at <= 5 else 1 for unit, at in state.hexes.items()}
            return later
        if old.edition == new.edition:
            later = copy.deepcopy(state)
            later.points = {seat: int(new.components or 10) for seat in state.points}
            return later
        return Illegal("the old map is not printed any more", ("9",), "play on with the new one")


RULES = {one: {"id": "duel", "version": one, "digest": digest * 64} for one, digest in (("1", "a"), ("2", "c"))}
DATA = {"b" * 64: None, "d" * 64: 20}


def reformed(monkeypatch: pytest.MonkeyPatch, *, lacks: bool = False) -> builder.Match:
    """A game whose rules know a way from edition 1 to 2, and to components `d`; red's u1 stands in 7."""

    def rules_for(game: charter.Game, drift: str = "") -> Ruleset:
        start = Start(game.charter.scenario, game.charter.options, game.seats, 1, None)

        def under(terms: Mapping[str, Any]) -> Ruleset:
            if lacks or terms["data"] not in DATA:
                raise Incomplete(f"edition {terms['rules']['version']} of duel")
            edition, components = int(terms["rules"]["version"]), DATA[terms["data"]]
            return Ruleset(Reformed(), replace(start, edition=edition, components=components), under)

        return Ruleset(Reformed(), start, under)

    monkeypatch.setattr(builder, "rules_for", rules_for)
    match = builder.Match()
    match.order("move", unit="u1", to=7)
    return match


def test_a_game_goes_on_under_another_edition(monkeypatch: pytest.MonkeyPatch) -> None:
    match = reformed(monkeypatch)
    match.write("amend", match.with_consents("amend", amendment(match, rules=RULES["2"])))
    assert match.fold.state.hexes["red/u1"] == 1
    assert match.fold.terms["rules"] == RULES["2"]
    match.order("move", unit="u1", to=4)
    match.order("end")
    match.handover()
    assert match.verdict().word == "VALID SO FAR"
    assert match.refold().digest() == match.fold.digest()
    match.write("undo", match.with_consents("undo", {"to": 3}))  # folds again from the first edition
    assert match.fold.state.hexes["red/u1"] == 4
    assert match.verdict().word == "VALID SO FAR"
    back = match.refusal(match.forge("amend", match.with_consents("amend", amendment(match, rules=RULES["1"]))))
    assert (back.code, back.ids, back.hint) == ("E_RULE", ("9",), "play on with the new one")


def test_a_game_goes_on_with_other_components(monkeypatch: pytest.MonkeyPatch) -> None:
    match = reformed(monkeypatch)
    match.write("amend", match.with_consents("amend", amendment(match, data="d" * 64)))
    assert match.fold.state.points == {"red": 20, "blue": 20}
    assert match.verdict().word == "VALID SO FAR"


def test_rules_that_know_no_way_refuse_another_edition_or_components() -> None:
    match = begun()
    for new in ({"rules": RULES["2"]}, {"data": "d" * 64}, {"rules": RULES["2"], "clock": {"days": 1, "reminders": 0}}):
        assert code(match, "amend", amendment(match, **new)) == "E_RULE"


def test_without_the_new_edition_nothing_after_it_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    match = reformed(monkeypatch)
    match.write("amend", match.with_consents("amend", amendment(match, rules=RULES["2"])))
    match.order("move", unit="u1", to=4)
    match.order("end")
    match.handover()
    file = match.file()
    reformed(monkeypatch, lacks=True)
    verdict = match.verdict(file)
    assert (verdict.word, verdict.status, verdict.seq) == ("INCOMPLETE", 3, 5)
    sound = "signatures, chain, dice and seals VALID up to event 5"
    assert verdict.line().startswith(f"INCOMPLETE: edition 2 of duel; {sound}")


def test_an_edition_or_components_that_are_not_here(started: Callable[[], Match], tmp_path: Path) -> None:
    red = started()["red"]
    said = red.run("amend", "g.pbem", "--edition", "9")
    assert (said.status, "INCOMPLETE: edition 9 of open-table" in said.err) == (3, True)
    assert red.run("amend", "g.pbem", "--components", tmp_path).status == 4  # an open table has none
    assert red.do("status", "g.pbem").status == 0  # nothing of that is remembered against the game


# Undo says who saw the dice ----------------------------------------------------------------------------------------


def test_undo_says_who_has_seen_the_dice(started: Callable[[], Match]) -> None:
    match = started()
    red, blue = match["red"], match["blue"]
    match.turn("red", "roll d6 for a")
    match.mail("blue")
    match.turn("red", "pass")
    red.do("undo", "g.pbem", "--to", "0")
    match.mail("red")
    said = blue.do("agree", "g.pbem")
    assert "red has seen these dice; agreeing means new ones" in said.err
    match.mail("blue")
    match.agree()


# Healing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["pass", "roll d6 for a"], ids=["the other writes the heal", "the forker writes it"])
def test_row_65_a_fork_is_healed(started: Callable[[], Match], first: str) -> None:
    match = started()
    red, blue = match["red"], match["blue"]
    match.turn("red", "pass")
    match.turn("blue", "pass")
    backup = red.snapshot()
    match.turn("red", "move first", first)
    red.restore(backup)
    _forget(red)
    red.do("order", "g.pbem", "move second", "pass")
    red.do("send", "g.pbem")
    forked = red.letter.read_bytes()
    said = match.take("red", "blue", 1)
    assert "E_FORK" in said.err
    [proof] = (blue.folder / "private" / "refused").glob("*.fork")
    assert blue.run("verify", proof, "--answer", "g.pbem").out == "FORK by red at event 5\n"  # nothing answers it yet
    act = hand(blue.do("heal", "g.pbem", "--to", "4"), blue, red)
    if first == "pass":
        consent(blue, act, 3)
        said = consent(red, act)
        match.mail("red")
        consent(blue, act)
        blue.do("send", "g.pbem")
        match.take("blue", "red")
    else:
        low = blue.run("heal", "g.pbem", "--to", "4", "--burn", "0")
        assert "E_UNDO: batch 1 was asked for on some branch" in low.err
        assert "events up to 7 of the other branch" in consent(red, act, 3).err
        blue.do("send", "g.pbem", "--since", "0")
        match.take("blue", "red", 1)
        said = consent(red, act)
    assert "3 events of another branch are given up" in said.out
    if red.table("g.pbem").fold.holder == "blue":
        match.turn("blue", "pass")
    match.turn("red", "move third", "roll d6 for b")
    match.mail("blue")
    match.turn("red", "pass")
    match.turn("blue", "pass")
    match.agree()
    assert red.table("g.pbem").fold.requested == (1 if first == "pass" else 2)
    for one in match.computers.values():
        assert one.do("verify", "g.pbem").out.startswith("VALID SO FAR")
        said = one.run("verify", proof, "--answer", "g.pbem")
        assert (said.status, "the proof is answered: by consent of all a heal" in said.out) == (1, True)
        assert said.out.startswith("INVALID at event 5: E_FORK")
    blue.path("late.eml").write_bytes(forked)
    late = blue.run("receive", "late.eml")
    assert "hint: a heal gave that event up, by consent of all" in late.err
    assert "the proof that anybody can check" not in late.err


def _forget(one: Computer) -> None:
    """The restore is one that nobody can notice: the installation is the same in all its marks."""
    for room in one.home.rooms():
        pin = room.pin()
        pin.installation = one.home.installation() if pin.installation else ""
        room.set_pin(pin)


def test_row_65_a_divergence_is_healed(started: Callable[[], Match], monkeypatch: pytest.MonkeyPatch) -> None:
    from rules.open_table.table import OpenTable

    match = started()
    red, blue = match["red"], match["blue"]
    sound = OpenTable.position
    monkeypatch.setattr(OpenTable, "position", lambda self, s: {**sound(self, s), "odd": ["drift"]})
    red.do("order", "g.pbem", "move first", "pass")
    red.do("send", "g.pbem")
    letter = red.letter
    monkeypatch.setattr(OpenTable, "position", sound)
    said = blue.run("receive", letter)
    assert "E_STATE" in said.err
    [position] = blue.folder.glob("*-0003.position")
    assert f"the position here is written to {position.name}: mail it to the sender" in said.err
    red.path(position.name).write_bytes(position.read_bytes())
    monkeypatch.setattr(OpenTable, "position", lambda self, s: {**sound(self, s), "odd": ["drift"]})
    parted = red.run("compare", "g.pbem", position.name)
    assert (parted.status, parted.out) == (1, "section odd: only the first has it\n")
    monkeypatch.setattr(OpenTable, "position", sound)
    same = blue.run("compare", position.name, position.name)
    assert (same.status, same.out) == (0, "the same position before event 3\n")
    [kept] = (blue.folder / "private" / "refused").glob("*.pbem")
    assert blue.run("verify", kept).out.startswith("DIVERGED at event 3: position digest")
    act = blue.do("heal", "g.pbem", "--to", "0").last
    red.path(act).write_bytes(blue.path(act).read_bytes())
    monkeypatch.setattr(OpenTable, "position", lambda self, s: {**sound(self, s), "odd": ["drift"]})
    consent(red, act)
    red.do("send", "g.pbem")
    monkeypatch.setattr(OpenTable, "position", sound)
    match.take("red", "blue")
    consent(blue, act)
    blue.do("send", "g.pbem")
    match.take("blue", "red")
    match.agree()
    match.turn("red", "move again", "pass")
    match.agree()
    for one in match.computers.values():
        assert one.do("verify", "g.pbem").out.startswith("VALID SO FAR")


# Act files ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"\xff", b'{"kind":"order"}', b"[1]", b'{"body":{},"game":"x","kind":"undo","prev":"y","seq":1}'],
)
def test_what_is_no_act(started: Callable[[], Match], data: bytes) -> None:
    red = started()["red"]
    red.path("x.act.json").write_bytes(data)
    said = red.run("consent", "g.pbem", "x.act.json", "--yes")
    assert said.status == 2
    assert "this is no act" in said.err


def test_an_act_of_another_game(started: Callable[[], Match], tmp_path: Path) -> None:
    other = duel(tmp_path)
    other["red"].do("key", "new", "--name", "second")
    act = other["red"].do("rekey", "g.pbem", "--key", "second").last
    red = started()["red"]
    red.path(act).write_bytes(other["red"].path(act).read_bytes())
    assert "E_GAME" in consent(red, act, 1).err
    assert keys.admissible(bytes.fromhex(public(red, "second")))


# By letters alone --------------------------------------------------------------------------------------------------


def words_of(letter: Path) -> str:
    return mail.texts(next(mail.letters(letter)))[0]


def plain_mail(text: str) -> bytes:
    """The same text as another mail program might send it on, in base64."""
    head = "From: red@example.org\nSubject: Fwd\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
    body = base64.encodebytes(text.encode()).decode()
    return f"{head}Content-Transfer-Encoding: base64\n\n{body}".replace("\n", "\r\n").encode()


def test_an_act_travels_with_the_letters(started: Callable[[], Match]) -> None:
    match = started()
    red, blue = match["red"], match["blue"]
    match.turn("red", "pass")
    match.turn("blue", "pass")
    said = red.do("rekey", "g.pbem", "--key", "second")
    assert "next: `pbem send g.pbem` writes the letter with it" in said.err
    assert "blue agrees with `pbem consent FILE`, then you write it with `pbem consent g.pbem`" in said.err
    assert "waits for the consent of blue: rekey-" in red.do("status", "g.pbem").out
    red.do("send", "g.pbem")
    assert "red signs with another key from then on: SHA256:" in words_of(red.letter)
    told = match.take("red", "blue").err
    assert "waits for the consent of blue: red signs with another key from then on: SHA256:" in told
    assert "waits for your consent: rekey-" in blue.do("status", "g.pbem").out
    assert "red signs with another key" in blue.do("consent", "g.pbem", "--yes").out
    assert "all have agreed to rekey-" in blue.do("status", "g.pbem").out
    match.mail("blue")
    assert "`pbem consent g.pbem` writes it" in red.do("status", "g.pbem").out
    red.do("consent", "g.pbem", "--yes")
    match.turn("red", "pass")
    match.agree()
    assert seats_by_key(blue)["red"] == public(red, "second")
    assert "== pbem act ==" not in words_of(red.letter)  # it is done
    assert "consent" not in blue.do("status", "g.pbem").out


def test_a_letter_with_another_act_is_another_letter(started: Callable[[], Match]) -> None:
    """Mail servers drop the second letter of one Message-ID."""
    match = started()
    red = match["red"]
    match.turn("red", "pass")
    match.turn("blue", "pass")
    marks = []
    for words in ((), ("rekey", "g.pbem", "--key", "second"), ("rechain", "g.pbem")):
        if words:
            red.do(*words)
        red.do("send", "g.pbem", "--since", "0")
        marks += [line for line in red.letter.read_bytes().splitlines() if line.startswith(b"Message-ID:")]
    assert len(set(marks)) == 3
    two = match.take("red", "blue")
    assert "waits for the consent of blue: red has another dice chain" in two.err
    blue = match["blue"]
    said = blue.run("consent", "g.pbem", "--yes")
    assert (said.status, "2 acts wait" in said.err) == (2, True)
    name = next(one for one in said.err.replace(",", "").split() if one.startswith("rechain-"))
    assert "another dice chain" in blue.do("consent", "g.pbem", name, "--yes").out


def test_others_pass_an_act_on_and_a_successor_mails_it_himself(tmp_path: Path) -> None:
    match = three(tmp_path)
    match.turn("red", "pass")
    new = successor(tmp_path, match)
    new.do("transfer", "g.pbem", "green", "--name", "Red")
    new.do("send", "g.pbem")
    blue, green = match["blue"], match["green"]
    assert "Red plays green from then on" in blue.do("receive", new.letter).err
    blue.do("send", "g.pbem", "--since", "0")
    for seat in ("red", "green"):
        assert "Red plays green from then on" in match.take("blue", seat).err
        match[seat].do("consent", "g.pbem", "--yes")
        match.mail(seat, "blue")
    blue.do("consent", "g.pbem", "--yes")
    blue.do("send", "g.pbem")
    new.do("receive", blue.letter)
    assert new.table("g.pbem").local == ["green"]
    assert green.run("order", "g.pbem", "pass").status in (2, 3) or not match.take("blue", "green").status


def test_an_act_that_does_not_fit_is_told_and_not_kept(started: Callable[[], Match]) -> None:
    match = started()
    red, blue = match["red"], match["blue"]
    match.turn("red", "pass")
    red.do("rekey", "g.pbem", "--key", "second")
    red.do("send", "g.pbem")
    late = red.letter.read_bytes()
    match.turn("blue", "pass")
    blue.path("late.eml").write_bytes(late)
    said = blue.do("receive", "late.eml")
    assert "an act came with it that does not fit the game as it stands here: E_CONSENT" in said.err
    assert "consent" not in blue.do("status", "g.pbem").out
    assert blue.run("consent", "g.pbem", "--yes").status == 3


@pytest.mark.parametrize("damage", ["cut", "text", "other", "flood"])
def test_a_damaged_act_in_a_letter_is_nothing(started: Callable[[], Match], damage: str) -> None:
    match = started()
    red, blue = match["red"], match["blue"]
    match.turn("red", "pass")
    match.turn("blue", "pass")
    red.do("rekey", "g.pbem", "--key", "second")
    red.do("send", "g.pbem", "--since", "0")
    text = words_of(red.letter)
    start, end = text.index("== pbem act ==") + len("== pbem act =="), text.index("== end of act ==")
    inside = {
        "cut": text[start : end - 9],
        "text": "\nbm90IGFuIGFjdA==\n",
        "other": "\n" + "e30=" * 3 + "\n",
        "flood": "\n" + "AAAA" * 60_000 + "\n",
    }[damage]
    blue.path("odd.eml").write_bytes(plain_mail(text[:start] + inside + text[end:]))
    said = blue.do("receive", "odd.eml")
    assert "waits for the consent" not in said.err
    assert blue.run("consent", "g.pbem", "--yes").status == 3


def test_acts_survive_servers_that_encode_letters_anew(started: Callable[[], Match]) -> None:
    """Exchange turns texts into base64; forwarding quotes them."""
    match = started()
    red, blue = match["red"], match["blue"]
    match.turn("red", "pass")
    match.turn("blue", "pass")
    red.do("rekey", "g.pbem", "--key", "second")
    red.do("send", "g.pbem", "--since", "0")
    quoted = "\n".join(f"> {line}" for line in words_of(red.letter).splitlines())
    blue.path("again.eml").write_bytes(plain_mail(quoted))
    assert "waits for the consent of blue" in blue.do("receive", "again.eml").err


# The rows, with real keys, event by event --------------------------------------------------------------------------

NEW, OTHER = key_of_byte(0x51), key_of_byte(0x52)


def begun(*seats: str) -> builder.Match:
    """A game in its first turn, without dice under way."""
    match = builder.Match(seats=seats or ("red", "blue"))
    match.order("move", unit="u1", to=5)
    return match


def proof(match: builder.Match, seat: str, new: keys.SigningKey, by: keys.SigningKey | None = None) -> str:
    old = match.fold.keys[seat].raw.hex()
    doc = changes.proof_doc(game=match.game.id, seat=seat, old=old, new=new.public.hex())
    return (by or new).sign(keys.REKEY, doc).hex()


def code(match: builder.Match, kind: str, body: canon.Doc) -> str:
    return match.code(kind, match.with_consents(kind, body))


def test_row_46_rekey() -> None:
    match = begun()
    good: canon.Doc = {"new": NEW.public.hex(), "proof": proof(match, "red", NEW)}
    assert match.code("rekey", {**good, "consents": []}) == "E_CONSENT"
    assert code(match, "rekey", {**good, "proof": proof(match, "red", NEW, OTHER)}) == "E_REKEY"
    assert code(match, "rekey", {**good, "proof": proof(match, "blue", NEW)}) == "E_REKEY"
    blue = key("blue")
    assert code(match, "rekey", {"new": blue.public.hex(), "proof": proof(match, "red", blue)}) == "E_REKEY"
    own = key("red")
    assert code(match, "rekey", {"new": own.public.hex(), "proof": proof(match, "red", own)}) == "E_REKEY"
    assert code(match, "rekey", {"new": "01" + "00" * 31, "proof": good["proof"]}) == "E_WEAKKEY"
    match.write("rekey", match.with_consents("rekey", good))
    assert match.code("note", {"text": "old key"}) == "E_SIG"
    twice = match.doc("rekey", match.with_consents("rekey", good))
    line = builder.sign_line(NEW, canon.encode(twice))
    assert match.refusal(line).code == "E_REKEY"


def test_row_46_nothing_before_a_rekey_is_undone() -> None:
    match = begun()
    match.write("rekey", match.with_consents("rekey", {"new": NEW.public.hex(), "proof": proof(match, "red", NEW)}))
    doc = match.doc("undo", match.with_consents("undo", {"to": 1}))
    assert match.refusal(builder.sign_line(NEW, canon.encode(doc))).code == "E_UNDO"


def replacement(match: builder.Match, seat: str) -> canon.Doc:
    chain_id = dice.chain_id(bytes.fromhex(match.game.charter.setup), seat, 2)
    anchor = dice.anchor(chain_id, bytes(32), 64).hex()
    body = {"seat": seat, "key": NEW.public.hex(), "proof": proof(match, seat, NEW)}
    return {**body, "anchor": anchor, "links": 64, "lost": []}


def test_row_47_replace_and_transfer(monkeypatch: pytest.MonkeyPatch) -> None:
    match = begun()
    good = replacement(match, "blue")
    assert match.code("replace", {**good, "lost": ["blue-deck"], "consents": []}) == "E_REPLACE"
    assert code(match, "replace", replacement(match, "red")) == "E_REPLACE"  # nobody replaces himself
    assert code(match, "replace", good) == "E_CONSENT"  # the vanished one does not consent
    monkeypatch.setattr(Duel, "replaceable", lambda self, s, seat: False)
    assert match.code("replace", {**good, "consents": []}) == "E_REPLACE"
    monkeypatch.undo()
    match.write("replace", {**good, "consents": []})
    assert match.fold.players["blue"] == "blue"
    assert match.fold.chain_no["blue"] == 2
    assert "that blue vanished is the word of red" in match.verdict().line()


def test_a_replacement_needs_the_witness_where_there_is_one() -> None:
    """2.5a: it rests on the remaining seat's word, and on the witness' consent if the charter names one."""
    match = builder.Match(builder.charter_doc(witness=True))
    match.order("move", unit="u1", to=5)
    good = replacement(match, "blue")
    assert match.code("replace", {**good, "consents": []}) == "E_CONSENT"
    assert match.code("replace", match.with_consents("replace", good, ["blue"])) == "E_CONSENT"
    signed = match.with_consents("replace", good, ["witness"])
    other = match.with_consents("replace", {**good, "links": 65}, ["witness"])
    assert match.code("replace", {**signed, "consents": other["consents"]}) == "E_CONSENT"  # to another replacement
    forged = [{"seat": "witness", "sig": match.with_consents("replace", good, ["blue"])["consents"][0]["sig"]}]
    assert match.code("replace", {**signed, "consents": forged}) == "E_CONSENT"
    match.write("replace", signed)
    assert "that blue vanished is the word of red and the witness" in match.verdict().line()


def test_row_71_a_successor_plays_before_his_chain() -> None:
    match = begun()
    body = {"seat": "red", "key": NEW.public.hex(), "proof": proof(match, "red", NEW)}
    match.write("transfer", match.with_consents("transfer", body))
    for kind, fields in (("move", {"unit": "u2", "to": 7}), ("resign", {})):
        doc = match.doc(kind, fields)
        assert match.refusal(builder.sign_line(NEW, canon.encode(doc))).code == "E_DUE"
    doc = match.doc("handover", {**_handover(match), "next": "blue"})
    assert match.refusal(builder.sign_line(NEW, canon.encode(doc))).code == "E_NEXT"


def _handover(match: builder.Match) -> canon.Doc:
    return {"count": match.fold.since_handover + 1, "owed": ["ask"], "state": match.fold.digest()}


def test_row_71_drop_needs_the_third_seat() -> None:
    match = begun("red", "blue", "green")
    assert match.code("drop", {"seat": "green", "consents": []}) == "E_CONSENT"
    alone = match.with_consents("drop", {"seat": "green"}, ["green"])
    assert match.code("drop", alone) == "E_CONSENT"
    two = begun()
    assert two.code("drop", {"seat": "blue", "consents": []}) == "E_REPLACE"
    match.write("drop", match.with_consents("drop", {"seat": "green"}, ["blue"]))
    assert match.fold.in_game == ["red", "blue"]


def test_row_65_a_lost_event_proves_no_fork() -> None:
    match = begun()
    lost = "ab" * 32
    body = {"to": 1, "burn": 0, "lost": [lost]}
    match.write("heal", match.with_consents("heal", body))
    assert lost in match.fold.lost_ids
    assert match.verdict().word == "VALID SO FAR"


def test_row_65_burn_too_low() -> None:
    match = builder.duel()
    match.resolve()
    assert code(match, "heal", {"to": 1, "burn": 0, "lost": []}) == "E_UNDO"
    assert code(match, "heal", {"to": 9, "burn": 1, "lost": []}) == "E_UNDO"


# Seats with hidden cards -------------------------------------------------------------------------------------------


def with_cards(folder: Path) -> Match:
    """Red has a sealed deck of six cards and two of them in hand."""
    match = duel(folder)
    match["red"].do("order", "g.pbem", "deck letters : a, b, c, d, e, f", "seal letters", "draw 2 from letters")
    match.mail("red")
    match.mail("blue")
    match["red"].do("order", "g.pbem", "pass")
    match.mail("red")
    return match


def to_the_audit(match: Match, remark: str = "") -> None:
    """An end by agreement, in red's turn, and what each has to disclose."""
    match["blue"].do("offer", "g.pbem", "draw")
    match.mail("blue")
    match["red"].do("agree", "g.pbem")
    match.mail("red")
    match["blue"].run("send", "g.pbem")
    for one in match.computers.values():
        assert one.do("verify", "g.pbem", "--finished").out == f"VALID, a draw by agreement{remark}\n"


def test_a_successor_reseals_and_the_audit_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = with_cards(tmp_path)
    red, blue = match["red"], match["blue"]
    monkeypatch.setenv("PBEM_VAULT_PASSPHRASE", "told by telephone")
    red.do("vault", "export", "g.pbem", "--out", "red.vault")
    new = successor(tmp_path, match)
    hand(Said(0, "red.vault", ""), red, new)
    act = hand(new.do("transfer", "g.pbem", "red", "--name", "Red"), new, red, blue)
    consent(red, act)
    match.mail("red", "blue")
    consent(blue, act)
    blue.do("send", "g.pbem")
    said = new.run("receive", blue.letter)
    assert "does not know what is in red-letters" in said.err  # the vault is still to come
    new.do("vault", "import", "g.pbem", "red.vault")
    new.do("receive", blue.letter)
    table = new.table("g.pbem")
    assert len(table.fold.slots.names["red-letters"].epochs) == 3  # the first, then the pile and the hand apart
    assert not table.fold.core_due
    later = Match({"red": new, "blue": blue})
    later.mail("red")
    later.turn("blue", "pass")
    card = next(line for line in new.do("legal", "g.pbem").out.splitlines() if line.startswith("play "))
    later.turn("red", card, "pass")
    later.turn("blue", "pass")
    to_the_audit(later)
    assert red.do("verify", "g.pbem").out.startswith("VALID SO FAR")


def test_a_vanished_hand_is_dealt_anew(tmp_path: Path) -> None:
    match = with_cards(tmp_path)
    blue = match["blue"]
    match.turn("blue", "pass")  # red holds the baton and is never seen again
    new = successor(tmp_path, match)
    act = hand(new.do("replace", "g.pbem", "red", "--name", "Dan"), new, blue)
    said = consent(blue, act)
    assert "lost with the vanished player and made anew: red-letters" in said.out
    blue.do("send", "g.pbem")
    new.do("receive", blue.letter)
    later = Match({"red": new, "blue": blue})
    card = next(line for line in new.do("legal", "g.pbem").out.splitlines() if line.startswith("play "))
    later.turn("red", card, "draw 1 from red-letters")
    later.mail("blue")
    later.turn("red", "pass")
    later.turn("blue", "pass")
    to_the_audit(later, ", that red vanished is the word of blue")


# Components --------------------------------------------------------------------------------------------------------


def test_a_game_remembers_its_components(tmp_path: Path) -> None:
    """Every command of a game with an owner's own tables, the rare ones too, finds them again; a stranger is told."""
    folders = {name: tmp_path / name for name in ("ours", "theirs", "odd")}
    for folder in folders.values():
        folder.mkdir()
        front = 4 if folder.name == "odd" else 5
        (folder / "mine.toml").write_text(f'provenance = "printed"\nunit = [{{ id = "2RS-A", front = {front} }}]\n')
    red, blue = Computer(tmp_path / "red"), Computer(tmp_path / "blue")
    first = registry.engine("glory-recalled").scenarios()[0].seats[0].id
    red.do("new", "glory-recalled", "--seat", first, "--file", "g.pbem", "--components", folders["ours"])
    refused = blue.run("join", red.letter, "--file", "g.pbem", "--components", folders["odd"])
    assert (refused.status, "INCOMPLETE: components" in refused.err, "table unit" in refused.err) == (3, True, True)
    blue.do("join", red.letter, "--file", "g.pbem", "--components", folders["theirs"])
    match = Match({"red": red, "blue": blue})
    match.take("blue", "red")
    match.mail("red")
    for one in match.computers.values():
        assert one.run("status", "g.pbem").status == 0
        one.do("vault", "paper", "g.pbem")
    holder = match[next(name for name, table in match.tables().items() if table.fold.holder == table.seat)]
    back = holder.run("amend", "g.pbem", "--components", folders["odd"])
    assert (back.status, "E_RULE" in back.err, "know no way to other data" in back.err) == (1, True, True)
    assert holder.run("status", "g.pbem").status == 0
    stranger = Computer(tmp_path / "stranger")
    stranger.path("g.pbem").write_bytes(red.path("g.pbem").read_bytes())
    assert stranger.run("verify", "g.pbem").status == 3
    assert stranger.do("verify", "g.pbem", "--components", folders["ours"]).out.startswith("VALID SO FAR")


def test_a_vault_left_with_the_witness_saves_the_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """2.8: a vanished player's vault was escrowed; his replacement has his cards, and the audit passes."""
    match = with_cards(tmp_path)
    red, blue = match["red"], match["blue"]
    monkeypatch.setenv("PBEM_VAULT_PASSPHRASE", "told by telephone")
    red.do("vault", "export", "g.pbem", "--out", "red.vault")
    escrow = red.path("red.vault").read_bytes()
    match.turn("blue", "pass")  # red holds the baton and is never seen again
    new = successor(tmp_path, match)
    new.path("red.vault").write_bytes(escrow)
    act = hand(new.do("replace", "g.pbem", "red", "--name", "Dan", "--escrowed"), new, blue)
    assert "nothing is lost: he says that he has the vanished player's secrets" in consent(blue, act).out
    blue.do("send", "g.pbem")
    new.run("receive", blue.letter)
    new.do("vault", "import", "g.pbem", "red.vault")
    new.do("receive", blue.letter)
    table = new.table("g.pbem")
    assert not table.fold.core_due
    assert len(table.fold.slots.names["red-letters"].epochs) == 3  # the first, then the pile and the hand apart
    later = Match({"red": new, "blue": blue})
    card = next(line for line in new.do("legal", "g.pbem").out.splitlines() if line.startswith("play "))
    later.turn("red", card, "pass")
    later.turn("blue", "pass")
    to_the_audit(later, ", that red vanished is the word of blue")
