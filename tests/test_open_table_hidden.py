"""Hidden things at the open table, with real keys: whole games, liars, and two computers that mail."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from board import Board
from computers import duel

from pbem.api import Ask
from pbem.errors import OrderRefused, Refused
from pbem.sealed import Sealing
from pbem.table import Table
from pbem.trial import Stopped
from pbem.vault import Vault
from rules.open_table import ENGINE
from rules.open_table.card_orders import Deny
from rules.open_table.secret_orders import Answer

LIST = "deck events: Ambush x2, Rain x2, Air raid, Supply run"
EVENTS = ("Ambush", "Ambush", "Rain", "Rain", "Air raid", "Supply run")
ORDERS = ("Charge", "Charge", "Charge", "Dig in", "Dig in", "Dig in")


def dealt() -> Board:
    """Both have a deck of six; red holds three cards, blue two, and red is to act in turn 2."""
    board = Board()
    board.turn("red", LIST, "seal events", "draw 3 from events", "pass")
    board.turn("blue", "deck orders: Charge x3, Dig in x3", "seal orders", "draw 2 from orders", "pass")
    return board


# --- whole games ---


def test_a_card_driven_duel_to_its_end() -> None:
    """Both play whole decks through: every card is played exactly once, and the audit finds nothing."""
    board = dealt()
    played: dict[str, list[str]] = {"red": [], "blue": []}
    for turn in range(2, 9):
        for seat, deck in (("red", "events"), ("blue", "orders")):
            hand = board.hand(seat)
            drawn = min(1, len(EVENTS) - len(played[seat]) - len(hand))
            card = [f"play {hand[-1]} as event {turn}"] if hand else []
            board.turn(seat, *card, *[f"draw {drawn} from {deck}"] * drawn, f"tally {seat}-vp {turn}", "pass")
            played[seat] += hand[-1:]
            assert len(board.hand(seat)) == len(hand) - len(card) + drawn
    assert sorted(played["red"]) == sorted(EVENTS)
    assert sorted(played["blue"]) == sorted(ORDERS)
    assert board.verdict().word == "VALID SO FAR"
    board.turn("red", "reshuffle events with discards", "draw 6 from events", "pass")
    assert board.hand("red") == sorted(EVENTS)
    board.end("blue")
    assert board.fold.closed
    assert board.verdict().line() == "VALID, red wins, the last at the table"


def test_a_deck_played_to_the_last_card_has_nothing_to_disclose() -> None:
    board = Board()
    board.turn("red", "deck events: Ambush, Rain", "seal events", "draw 2 from events", "pass")
    board.turn("blue", "pass")
    board.turn("red", "play Ambush", "play Rain", "pass")
    board.end("blue")
    assert [event.kind for event in board.events if event.kind == "disclose"] == []
    assert board.verdict().word == "VALID"


def test_three_seats_share_a_deck_and_answer_at_once() -> None:
    board = Board(("red", "blue", "green"), teams="red+green blue")
    board.turn("red", "deck events for team: Ambush x3, Rain x3", "seal events", "draw 1 from events", "pass")
    board.turn("blue", "chits supply 3", "assign supply: hill 2, river 1", "pass")
    board.turn("green", "draw 2 from events", "pass")
    held = {seat: [row[0] for row in board.grid("Your hand", seat)] for seat in ("red", "blue", "green")}
    assert [len(cards) for cards in held.values()] == [1, 0, 2]
    assert board.grid("Your hand", "green")[0][2] in board.known("red")  # allies can know each other's cards
    assert board.grid("Decks") == (("red-events", "3", "red 1, green 2", "0", "0", "0"),)
    board.turn("red", f"play {held['red'][0]}", "ask red blue green: where do you attack", "answer the hill")
    board.turn("blue", "answer the river")
    board.turn("green", "answer nowhere")
    board.turn("red", "pass")
    board.turn("blue", "spend 1 river from supply", "secret plan: hold the hill", "pass")
    board.turn("green", f"play {held['green'][0]}", "pass")
    answers = [text for text in board.told() if "answer" in text]
    assert answers == [
        "red answers under seal: answer#1",
        "blue answers under seal: answer#2",
        "green answers: nowhere",
        "red had answered (answer#1): the hill",
        "blue had answered (answer#2): the river",
    ]
    board.turn("red", "roll 2d6 privately for search", "pass")
    assert board.verdict().word == "VALID SO FAR"
    board.end("blue")
    board.end("green")
    disclosed = [event.body["name"] for event in board.events if event.kind == "disclose"]
    assert sorted(disclosed) == ["blue-supply", "red-dice", "red-events", "secret#1"]
    assert board.verdict().line() == "VALID, red wins, the last at the table"


def test_counters_move_face_down_until_they_are_turned_up() -> None:
    board = Board()
    board.order("counters units: 3rd Bn, dummy x2", "seal units")
    board.turn("red", "lay 3rd Bn at Jitra", "lay dummy at Jitra", "pass")
    assert {row[2] for row in board.grid("On the board", "blue")} == {"?"}
    assert {row[2] for row in board.grid("On the board", "red")} == {"3rd Bn (face down)", "dummy (face down)"}
    board.turn("blue", "pass")
    board.turn("red", "reshuffle units at Jitra", "shift 3rd Bn to Kampar", "pass")
    slot = board.slot("red", "3rd Bn", "at Kampar")
    assert slot.startswith("red-units/2/")
    board.turn("blue", "pass")
    board.turn("red", "turn up 3rd Bn", "pass")
    assert ("Kampar", "red", "3rd Bn", slot) in board.grid("On the board", "blue")
    board.end("blue")
    assert board.verdict().word == "VALID"


# --- what is owed ---


def test_a_declaration_awaits_the_audit_and_is_proved_there() -> None:
    board = dealt()
    missing = next(card for card in EVENTS if card not in board.hand("red"))
    board.turn("red", f"deny {missing}", "pass")
    assert board.verdict().remarks == ("1 facts await the audit",)
    assert board.verdict().word == "VALID SO FAR"
    board.end("blue")
    assert board.verdict().line() == "VALID, red wins, the last at the table"


def test_a_false_declaration_is_refused_by_ones_own_program_and_convicted_in_the_audit() -> None:
    board = dealt()
    card = board.hand("red")[0]
    with pytest.raises(OrderRefused, match=r"OT-6\.14"):
        board.order(f"deny {card}")
    lie = board.author().order(Deny(card=card))  # a program that was altered signs it all the same
    board.turn("red", "pass")
    assert board.verdict().word == "VALID SO FAR"
    with pytest.raises(Refused, match="E_RULE") as convicted:
        board.end("blue")
    assert convicted.value.event == lie.seq


# --- liars: refused at once ---


def test_a_card_that_is_still_in_the_pile_is_not_played() -> None:
    board = dealt()
    slot = board.fold.state.held.decks["red-events"].zone("pile")[0]
    refused = board.refusal("play", {"card": slot, "opens": [board.item("red", slot)]})
    assert (refused.code, refused.ids) == ("E_RULE", ("OT-6.4",))


def test_a_card_is_played_open() -> None:
    board = dealt()
    slot = board.grid("Your hand", "red")[0][2]
    assert board.refusal("play", {"card": slot}).code == "E_RULE"


def test_a_card_is_opened_as_what_was_sealed() -> None:
    board = dealt()
    (first, *_), (other, *_) = board.grid("Your hand", "red")[::2]
    slot, another = (row[2] for row in board.grid("Your hand", "red")[::2])
    changed = {**board.item("red", slot), "content": other}
    assert first != other
    assert board.refusal("play", {"card": slot, "opens": [changed]}).code == "E_OPENING"
    exchanged = {**board.item("red", another), "slot": slot}
    assert board.refusal("play", {"card": slot, "opens": [exchanged]}).code == "E_OPENING"
    invented = {**board.item("red", slot), "content": "Victory"}
    assert board.refusal("play", {"card": slot, "opens": [invented]}).code == "E_OPENING"


def test_a_card_is_not_played_twice() -> None:
    board = dealt()
    card, _, slot, _ = board.grid("Your hand", "red")[0]
    item = board.item("red", slot)
    board.order(f"play {card}")
    assert board.refusal("play", {"card": slot}).ids == ("OT-6.4",)
    assert board.refusal("play", {"card": slot, "opens": [item]}).code == "E_OPENING"


def test_nobody_opens_anothers_card() -> None:
    board = dealt()
    board.turn("red", "pass")
    slot = board.grid("Your hand", "red")[0][2]
    refused = board.refusal("play", {"card": slot, "opens": [board.vaults["red"].item(board.fold, slot)]})
    assert refused.code == "E_OPENING"


def test_what_chance_discards_is_opened_before_anything_else() -> None:
    board = dealt()
    board.turn("red", "discard 1 at random from blue-orders", "pass")
    kinds = [event.kind for event in board.events]
    opened = kinds.index("open")
    assert kinds[opened - 1] == "resolve"
    event = board.events[opened]
    short = Board.__new__(Board)
    short.__dict__.update(board.__dict__)
    short.events = board.events[:opened]
    short.fold = short.refold()
    assert short.refusal("pass", {}).code == "E_RULE"
    assert event.seat == "blue"


def test_chits_are_for_what_was_sealed() -> None:
    board = Board()
    board.order("chits supply 3", "assign supply: hill 1, river 2")
    known, purse = board.known("red"), board.fold.state.held.purses["red-supply"]
    rivers = [slot for slot in purse.slots if known[slot] == "river"]
    spend = {"area": "hill", "count": 2, "purse": "supply"}
    honest = [board.item("red", slot) for slot in rivers]
    assert board.refusal("spend", {**spend, "opens": honest}).ids == ("OT-7.6",)
    lies = [{**item, "content": "hill"} for item in honest]
    assert board.refusal("spend", {**spend, "opens": lies}).code == "E_OPENING"
    assert board.refusal("spend", spend).ids == ("OT-7.6",)
    board.order("spend 2 river from supply")
    again = {"area": "river", "count": 1, "purse": "supply", "opens": honest[:1]}
    assert board.refusal("spend", again).code == "E_OPENING"


def test_an_answer_is_opened_as_it_was_sealed() -> None:
    board = Board()
    board.turn("red", "ask red blue: where", "answer north")
    board.order("answer south")
    board.author().handover()
    item = board.item("red", "answer#1")
    assert item["content"] == {"text": "north"}
    changed = {**item, "content": {"text": "south"}}
    assert board.refusal("open", {"items": [changed]}).code == "E_OPENING"
    assert board.refusal("pass", {}).code == "E_RULE"  # and it is opened, whatever red thinks of it now
    board.go_on()
    assert board.told()[-1] == "red had answered (answer#1): north"


def test_an_answer_that_the_rules_refuse_loses_when_it_is_opened() -> None:
    board = Board()
    board.order("ask red blue: where")
    ask = board.fold.asks[0]
    assert isinstance(ask, Ask)
    board.author().seal(ask, Answer(text=" begins with a blank"))
    board.author().handover()
    board.order("answer south")
    board.author().handover()
    assert board.refusal("open", {"items": [board.item("red", "answer#1")]}).code == "E_OPENED_ILLEGAL"


def test_what_is_sealed_is_never_said_in_clear() -> None:
    board = Board()
    assert board.refusal("secret", {"name": "plan", "text": "hold"}).code == "E_RULE"
    board.order("roll d6 for luck")
    assert board.refusal("secret", {"name": "plan", "text": "hold"}).code == "E_RULE"
    with pytest.raises(Stopped, match="dice must fall first"):
        board.order("secret plan: hold")
    plain = b"".join(event.raw for event in board.events)
    assert b"hold" not in plain


def test_a_private_roll_is_shown_as_it_was() -> None:
    board = Board()
    board.turn("red", "roll 2d6 privately for search", "pass")
    board.turn("blue", "pass")
    faces = board.known("red")["private#1"]
    slot = board.fold.private["private#1"].slot
    opens = [board.item("red", slot)]
    better = [7 - face for face in faces]
    assert board.refusal("reveal", {"faces": better, "label": "private#1", "opens": opens}).ids == ("OT-9.2",)
    assert board.refusal("reveal", {"faces": list(faces), "label": "private#1"}).ids == ("OT-9.2",)
    other = [board.item("red", "red-dice/1/1")]
    assert board.refusal("reveal", {"faces": list(faces), "label": "private#1", "opens": other}).code == "E_RULE"
    board.turn("red", "reveal private#1", "pass")
    assert f"red shows private#1, 2d6 for search: {faces[0]} {faces[1]}, sum {sum(faces)}" in board.told()


# --- liars: convicted in the audit ---


class Stacked(Vault):
    """Seals what its owner likes instead of what the list says."""

    def epoch_contents(
        self, secret: bytes, sealing: Sealing, epoch: int, seq: int, count: int, base: Sequence[Any]
    ) -> list[Any]:
        true = super().epoch_contents(secret, sealing, epoch, seq, count, base)
        liar = sealing.what == "deck" and epoch == self.fraud
        return [*true[:-1], self.wished] if liar and true[-1] != self.wished else true

    fraud = 1
    wished = "Supply run"


def stacked(fraud: int = 1) -> Board:
    board = Board()
    vault = Stacked("red", board.vaults["red"].master)
    vault.fraud = fraud
    board.vaults["red"] = vault
    return board


def test_a_stacked_deck_is_found_at_the_second_copy() -> None:
    board = stacked()
    board.turn("red", LIST, "seal events", "draw 6 from events", "pass")
    board.turn("blue", "pass")
    assert board.hand("red").count("Supply run") == 2
    board.order("play Supply run")
    with pytest.raises(OrderRefused, match="E_DUPCARD"):
        board.order("play Supply run")


def test_a_stacked_deck_is_found_in_the_audit_although_nothing_of_it_was_played() -> None:
    board = stacked()
    board.turn("red", LIST, "seal events", "draw 2 from events", "pass")
    assert board.verdict().word == "VALID SO FAR"
    with pytest.raises(Refused, match="E_DECKFRAUD"):
        board.end("blue")


def test_a_reshuffle_that_exchanges_a_card_is_found_in_the_audit() -> None:
    board = stacked(fraud=2)
    board.turn("red", LIST, "seal events", "reshuffle events", "pass")
    with pytest.raises(Refused, match="E_DECKFRAUD") as convicted:
        board.end("blue")
    assert "epoch 2" in convicted.value.what


# --- two computers ---


def test_a_game_of_cards_by_mail_to_its_audit(tmp_path: Path) -> None:
    """Two application folders, letters as files; the loser discloses, then the winner, and both say VALID."""
    match = duel(tmp_path)
    red, blue = match["red"], match["blue"]
    match.turn("red", LIST, "seal events", "draw 2 from events", "pass")
    report = blue.do("show", "g.pbem", "--seat", "blue").out
    assert "Your hand" not in report
    match.turn("blue", "counters units: 3rd Bn, dummy x2", "seal units", "lay 3rd Bn at Jitra", "pass")
    cards = [row[0] for row in hand(red.table("g.pbem"))]
    assert len(cards) == 2
    assert "Your hand" in red.do("show", "g.pbem").out
    missing = next(card for card in EVENTS if card not in cards)
    match.turn("red", f"play {cards[0]} as event", f"deny {missing}", "ask red blue: where to", "answer north")
    match.turn("blue", "answer south")
    match.turn("red", "pass")
    assert "1 facts await the audit" in blue.do("verify", "g.pbem").out
    assert "3rd Bn" not in red.do("show", "g.pbem").out.partition("On the board")[2]
    match.turn("blue", "turn up 3rd Bn", "pass")
    assert "3rd Bn" in red.do("show", "g.pbem").out.partition("On the board")[2]
    red.do("resign", "g.pbem", "--yes")
    match.mail("red")
    match.mail("blue")
    match.agree()
    for one in match.computers.values():
        assert one.do("verify", "g.pbem", "--finished").out == "VALID, blue wins, the last at the table\n"


def test_a_draft_names_cards_as_their_owner_does(tmp_path: Path) -> None:
    match = duel(tmp_path)
    red = match["red"]
    match.turn("red", "deck events: Ambush x2, Rain", "seal events", "draw 1 from events", "pass")
    match.turn("blue", "pass")
    (card,) = {row[0] for row in hand(match["red"].table("g.pbem"))}
    said = red.do("order", "g.pbem", f"play {card.lower()} as event")
    assert said.out == f"1 play {card} as event\n"
    assert red.do("order", "g.pbem", "--show").out == f"1 play {card} as event\n"


def hand(table: Table) -> tuple[tuple[str, ...], ...]:
    view = ENGINE.picture(table.fold.state, table.seat, table.known(table.seat))
    return next((grid.rows for grid in view.grids if grid.title == "Your hand"), ())


def test_texts_are_sealed_and_opened_by_short_commands(tmp_path: Path) -> None:
    match = duel(tmp_path)
    red, blue = match["red"], match["blue"]
    assert red.do("seal", "g.pbem", "plan", "3rd", "Bn", "to", "0504").out == "1 secret plan: 3rd Bn to 0504\n"
    match.turn("red", "pass")
    for shown in (blue.do("show", "g.pbem").out, (blue.folder / "g.pbem").read_text("utf-8")):
        assert "secret#1" in shown
        assert "3rd Bn" not in shown
    assert "plan: 3rd Bn to 0504" in red.do("show", "g.pbem").out
    match.turn("blue", "pass")
    assert red.do("open", "g.pbem", "plan").out == "1 open plan\n"
    match.turn("red", "pass")
    assert "red opens secret#1, plan: 3rd Bn to 0504" in blue.do("show", "g.pbem").out
    match.agree()


# --- undo ---


def test_values_of_undone_private_rolls_are_sealed_anew() -> None:
    """No value makes two rolls, and the table never runs out of values that it counts on."""
    board = Board()
    board.turn("red", "roll d6 privately for first", "pass")
    board.turn("blue", "pass")
    here = board.fold.seq
    nineteen = [f"roll d6 privately for search {number}" for number in range(19)]
    board.turn("red", *nineteen, "pass")
    board.undo(here)
    assert board.grid("Private rolls") == (("private#1", "1", "red", "d6", "first", "?"),)
    board.turn("red", *nineteen, "pass")
    used = [roll.slot for roll in board.fold.private.values()]
    assert len(used) == len(set(used)) == 39
    board.turn("blue", "pass")
    board.turn("red", "reveal private#25", "roll d6 privately for the next list", "pass")
    board.end("blue")
    assert board.verdict().line() == "VALID, red wins, the last at the table"


def test_under_open_dice_a_deck_is_drawn_from_in_the_period_after_its_seal(tmp_path: Path) -> None:
    """Whoever seals a deck knows his dice of this period already: he draws with those of his next one."""
    match = duel(tmp_path, "open")
    red, blue = match["red"], match["blue"]
    match.mail("blue")
    red.do("order", "g.pbem", "deck events: Ambush x2, Rain", "seal events", "draw 1 from events", "pass")
    match.mail("red")
    assert hand(red.table("g.pbem")) == ()
    blue.do("order", "g.pbem", "pass")
    match.mail("blue")  # blue's link and red's: the card is drawn before blue moves
    assert len(hand(red.table("g.pbem"))) == 1
    red.do("order", "g.pbem", "draw 1 from events")
    assert "red draws 1 from red-events: #" in red.do("send", "g.pbem").out  # sealed long ago: at once


# --- the worked example ---

PAGE = (Path(__file__).parents[1] / "docs" / "hidden-game.md").read_text("utf-8")


def test_the_worked_example_comes_out_as_its_page_says() -> None:
    """The page says what is typed; played again, every event, id and verdict is the one on the page."""
    typed = PAGE.partition("played by the test -->\n```\n")[2].partition("\n```")[0].splitlines()
    board = Board()
    for line in typed[:-1]:
        seat, _, text = line.partition(": ")
        if board.fold.holder != seat:
            board.go_on()
        assert board.fold.holder == seat
        board.order(text)
    board.go_on()
    assert board.verdict().remarks == ("1 facts await the audit",)
    assert typed[-1] == "blue: resign"
    board.end("blue")
    rows = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line[:3] in [f"| {n}" for n in range(1, 10)]]
    met = [[str(one.seq), f"`{one.id[:12]}`", one.seat, one.kind] for one in board.events]
    assert [[*row[:3], row[3].split()[0]] for row in rows] == met
    assert f"`{board.verdict().line()}`" in PAGE
