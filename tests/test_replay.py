"""The fold, played: who holds the baton, when dice fall, and what they are."""

from __future__ import annotations

import hashlib
import random
from typing import Any

import pytest
from builder import Match, chain, charter_doc, duel, key, responder
from duel import CARDS

from pbem import author, canon, dice, record, saying
from pbem.api import Ask, Roll
from pbem.errors import Incomplete, Refused
from pbem.replay import Fold, Ids, state_digest


def seed_of(match: Match, batch: int, *seats: str) -> bytes:
    """The seed by hand [protocol 3.3]: tag, then each part behind its length; contributors by name."""
    message = b"pbem/v1/batch\0"
    parts = [bytes.fromhex(match.game.id), batch.to_bytes(8, "big")]
    for seat in sorted(seats):
        parts += [seat.encode(), chain(seat, match.game.charter.setup)[batch]]
    for part in parts:
        message += len(part).to_bytes(4, "big") + part
    return hashlib.sha256(message).digest()


def values(match: Match) -> list[str]:
    return list(match.fold.state.values)


def faces(seed: bytes, label: str, *sides: int) -> str:
    return f"{label} " + " ".join(map(str, dice.roll(seed, label, sides)))


# --- sealed, two seats ---


def test_sealed_two_seats() -> None:
    match = Match()
    assert match.fold.holder == "red"
    match.order("move", unit="u1", to=5)
    match.order("attack", target="blue")
    assert match.fold.needs_request()
    assert match.fold.owed() == ("dice",)
    event = match.handover()
    assert event.body["owed"] == ["dice"]
    assert (event.body["batch"], event.body["count"], event.body["next"]) == (1, 3, "blue")
    assert event.body["link"] == chain("red")[1].hex()
    assert values(match) == []
    match.resolve()
    assert values(match) == [faces(seed_of(match, 1, "red", "blue"), "t1/attack/blue#1", 6, 6)]
    assert match.fold.holder == "blue"
    match.order("lose", points=1)
    event = match.handover()
    assert event.body == {"count": 3, "next": "red", "owed": ["ask"], "state": match.refold(5).digest()}
    match.order("end")
    assert match.handover().body["owed"] == ["ask"]


def test_state_digest_is_of_the_position_before_the_handover() -> None:
    match = Match()
    match.order("end")
    position = match.fold.engine.position(match.fold.state)
    parts: list[Any] = []
    for name in sorted(position):
        parts += [name, hashlib.sha256("\n".join(position[name]).encode()).digest()]
    assert match.handover().body["state"] == canon.H("pbem/v1/state", *parts).hex()


def test_empty_sections_and_positions_have_digests() -> None:
    empty = hashlib.sha256(b"").digest()
    assert state_digest({"a": []}) == canon.H("pbem/v1/state", "a", empty).hex()
    assert state_digest({}) == hashlib.sha256(b"pbem/v1/state\0").hexdigest()
    assert state_digest({"b": ["x"], "a": ["y"]}) == state_digest({"a": ["y"], "b": ["x"]})
    assert (
        len({state_digest(one) for one in ({"a": ["x", "y"]}, {"a": ["x"], "b": ["y"]}, {"a": ["xy"]}, {"ax": ["y"]})})
        == 4
    )


def test_same_decider_after_dice_costs_a_round_trip() -> None:
    """Red decides again: the baton stays with red, which waits for blue's slip."""
    match = Match(options={"after": "same"})
    match.order("attack", target="blue")
    match.handover()
    assert match.fold.holder == "red"
    with pytest.raises(Incomplete, match="slips of blue"):
        match.author("red").resolve([])
    slip = match.slip("blue")
    match.keep(match.author("red").resolve([slip]))
    assert match.fold.holder == "red"
    assert match.fold.asks == (Ask("red", "choose_loss", "4"),)


def test_chance_first() -> None:
    match = Match(options={"first": "chance"})
    assert match.fold.holder == "red"  # the first seat of the charter
    assert isinstance(match.fold.asks[0], Roll)
    match.handover()
    match.resolve()
    assert values(match) == [faces(seed_of(match, 1, "red", "blue"), "t1/weather#1", 6)]


def test_a_batch_reaches_to_the_next_free_choice() -> None:
    """Three rolls in the engine's order from one seed, then somebody decides; the next roll is another batch."""
    match = duel(options={"rolls": "3"})
    match.resolve()
    seed = seed_of(match, 1, "red", "blue")
    assert values(match) == [
        faces(seed, "t1/attack/blue#1", 6, 6),
        "t1/draw/red#1 " + " ".join(dice.draw(seed, "t1/draw/red#1", 2, CARDS)),
        "t1/order#1 " + " ".join(map(str, dice.shuffle(seed, "t1/order#1", 4))),
    ]
    match.order("lose", points=1)
    assert match.fold.batch is None
    match.handover()
    match.order("attack", target="blue")
    match.handover()
    match.resolve()
    assert match.fold.requested == 2
    assert values(match)[3] == faces(seed_of(match, 2, "red", "blue"), "t1/attack/blue#2", 6, 6)


def test_notes_and_handovers_without_batch_leave_it_open() -> None:
    match = Match(options={"after": "same"})
    match.order("attack", target="blue")
    match.write("handover", match.handover_body(next="blue"))
    match.write("note", {"text": "one moment"})
    match.resolve()
    match.write("note", {"text": "here they are"})
    match.handover()
    assert match.fold.batch is not None
    match.order("lose", points=1)
    assert match.fold.batch is None


def test_dice_of_a_resend_are_the_same() -> None:
    match = duel()
    slips = match.slips()
    first, second = match.refold(), match.refold()
    for fold in (first, second):
        fold.take(match.author(fold=fold).resolve(slips))
    assert first.state.values == second.state.values != []
    assert first.head == second.head


# --- three seats, teams, witness, responders ---


def test_sealed_three_seats() -> None:
    match = Match(seats=("red", "blue", "green"))
    match.order("attack", target="green")
    match.handover()
    assert match.fold.holder == "green"
    match.resolve()
    assert values(match) == [faces(seed_of(match, 1, "red", "blue", "green"), "t1/attack/green#1", 6, 6)]
    match.order("lose", points=2)
    match.handover()
    match.order("end")
    match.handover()
    assert match.fold.holder == "blue"


def test_witness_contributes_if_it_has_a_chain() -> None:
    match = duel(witness=True)
    assert match.fold.batch is not None
    assert match.fold.batch.contributors == ("blue", "red", "witness")
    match.resolve()
    assert values(match) == [faces(seed_of(match, 1, "red", "blue", "witness"), "t1/attack/blue#1", 6, 6)]
    plain = {"key": key("witness").public.hex(), "nonce": "f" * 64}
    match = duel(doc=charter_doc() | {"witness": plain})
    match.resolve()
    assert values(match) == [faces(seed_of(match, 1, "red", "blue"), "t1/attack/blue#1", 6, 6)]


def test_solitaire_with_a_witness_is_sealed() -> None:
    match = Match(seats=("red",), witness=True)
    match.order("attack", target="red")
    event = match.handover()
    assert event.body["next"] == "red"
    match.resolve()
    assert values(match) == [faces(seed_of(match, 1, "red", "witness"), "t1/attack/red#1", 6, 6)]


def test_teams_contribute_by_their_first_seat() -> None:
    teams = [["red", "green"], ["blue"]]
    match = Match(seats=("red", "blue", "green"), contributors="teams", teams=teams)
    match.order("attack", target="blue")
    match.handover()
    match.resolve()
    assert values(match) == [faces(seed_of(match, 1, "red", "blue"), "t1/attack/blue#1", 6, 6)]
    match.order("lose", points=1)
    match.handover()
    match.order("end")
    match.handover()
    match.order("attack", target="green")
    match.handover()
    match.resolve()
    assert values(match)[1] == faces(seed_of(match, 2, "red", "blue"), "t1/attack/green#1", 6, 6)


def test_a_seat_that_skipped_batches_releases_the_link_of_this_one() -> None:
    """Under teams a seat may contribute to batch 3 without 1 and 2: its link hashes down all the way."""
    teams = [["red"], ["blue", "green"]]
    match = Match(seats=("red", "blue", "green"), contributors="teams", teams=teams)
    for _ in range(2):
        match.order("attack", target="blue")
        match.handover()
        match.resolve()
        match.order("lose", points=1)
        match.handover()
    for _ in range(2):
        match.order("end")
        match.handover()
    assert match.fold.holder == "green"
    match.order("attack", target="red")
    match.handover()
    assert match.fold.batch is not None
    assert match.fold.batch.contributors == ("green", "red")
    match.resolve()
    assert values(match)[2] == faces(seed_of(match, 3, "red", "green"), "t1/attack/red#1", 6, 6)


def test_responder_signs_the_slips() -> None:
    match = duel(responds=("blue",))
    match.resolve()
    slip = match.events[-1].body["slips"][0]
    doc = record.slip_doc(batch=1, game=match.game.id, link=slip["link"], request=match.events[2].id, seat="blue")
    assert slip["sig"] == responder("blue").sign("slip.v1@pbem", canon.encode(doc)).hex()


# --- open ---


def test_open_pair() -> None:
    match = Match(policy="open")
    assert match.fold.holder == "blue"  # red moves first
    event = match.handover()
    assert event.body == {
        "batch": 1, "count": 1, "link": chain("blue")[1].hex(), "next": "red", "owed": ["ask"],
        "state": match.fresh().digest(),
    }  # fmt: skip
    match.order("move", unit="u1", to=5)
    match.order("attack", target="blue")
    match.resolve()
    assert match.events[-1].body == {"batch": 1, "link": chain("red")[1].hex()}
    first = faces(seed_of(match, 1, "red", "blue"), "t1/attack/blue#1", 6, 6)
    assert values(match) == [first]
    event = match.handover()
    assert (event.body["batch"], event.body["link"]) == (2, chain("red")[2].hex())
    match.order("lose", points=1)
    match.handover()
    match.order("attack", target="blue")
    match.resolve()
    assert values(match)[1] == faces(seed_of(match, 3, "red", "blue"), "t1/attack/blue#2", 6, 6)


def test_open_period_is_one_batch_whatever_is_chosen_in_it() -> None:
    """A second roll of the period needs no second resolve: same seed, fresh label."""
    match = Match(policy="open", options={"after": "same"})
    match.handover()
    match.order("attack", target="blue")
    match.resolve()
    match.order("lose", points=1)
    match.order("attack", target="blue")
    seed = seed_of(match, 1, "red", "blue")
    assert values(match) == [faces(seed, "t1/attack/blue#1", 6, 6), faces(seed, "t1/attack/blue#2", 6, 6)]
    assert match.fold.requested == 1


def test_open_chance_first() -> None:
    match = Match(policy="open", options={"first": "chance"})
    assert match.fold.holder == "blue"
    assert match.handover().body["owed"] == ["dice"]
    match.resolve()
    assert values(match) == [faces(seed_of(match, 1, "red", "blue"), "t1/weather#1", 6)]


def test_open_links_are_spent_whether_dice_fall_or_not() -> None:
    match = Match(policy="open", options={"turns": "2"})
    while not match.fold.closed:
        if match.fold.asks and match.fold.seq and match.fold.asks[0].seat == match.fold.holder:  # type: ignore[union-attr]
            match.order("end")
        else:
            match.handover()
    assert match.fold.requested == 4
    assert match.events[-1].body.keys() == {"count", "state", "owed"}
    assert match.verdict().word == "VALID"


def test_solitaire() -> None:
    match = Match(seats=("red",), policy="open", options={"turns": "1"})
    match.order("attack", target="red")
    match.resolve()
    assert match.events[-1].body == {"batch": 1, "link": chain("red")[1].hex()}
    assert values(match) == [faces(seed_of(match, 1, "red"), "t1/attack/red#1", 6, 6)]
    match.order("lose", points=1)
    match.order("attack", target="red")
    match.resolve()
    assert values(match)[1] == faces(seed_of(match, 2, "red"), "t1/attack/red#2", 6, 6)
    match.order("lose", points=1)
    match.order("end")
    event = match.handover()
    assert event.body["owed"] == []
    assert "next" not in event.body
    assert match.fold.closed
    assert match.verdict().word == "VALID"


# --- ends ---


def test_agree() -> None:
    match = Match(seats=("red", "blue", "green"))
    match.order("move", unit="u1", to=5)
    match.agree("green")
    outcome = match.fold.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.words) == ("green", "green wins by agreement")
    assert match.handover().body["owed"] == []
    assert match.verdict().line() == "VALID, green wins by agreement"


@pytest.mark.parametrize(("result", "words"), [("draw", "a draw"), ("none", "ended without a result")])
def test_agree_on_no_winner(result: str, words: str) -> None:
    match = duel()
    match.agree(result)  # while dice are out: they are void
    assert match.fold.batch is None
    outcome = match.fold.outcome()
    assert outcome is not None
    assert outcome.winner == ""
    assert outcome.words.startswith(words)


def test_agree_alone_needs_nobody() -> None:
    match = Match(seats=("red",), policy="open")
    match.write("agree", {"result": "none", "consents": []})
    match.handover()
    assert match.verdict().word == "VALID"


def test_resign_with_two_seats_ends_the_game() -> None:
    match = Match()
    match.write("resign")
    outcome = match.fold.outcome()
    assert outcome is not None
    assert outcome.winner == "blue"
    match.handover()
    assert match.verdict().line() == "VALID, blue wins"


def test_resign_with_three_seats_goes_on() -> None:
    match = Match(seats=("red", "blue", "green"))
    match.write("resign")
    assert match.fold.in_game == ["blue", "green"]
    with pytest.raises(Refused, match="has left"):
        match.refold().take(match.fold.read(match.forge("salute", {"loud": False})))
    assert match.code("resign", {}) == "E_RULE"
    match.handover()
    assert match.fold.holder == "blue"
    match.order("attack", target="green")
    match.handover()
    assert match.fold.batch is not None
    assert match.fold.batch.contributors == ("blue", "green")
    match.resolve()
    consents = match.with_consents("agree", {"result": "draw"})["consents"]
    assert [one["seat"] for one in consents] == ["blue"]


def test_carried_resignation() -> None:
    match = Match(seats=("red", "blue", "green"))
    says = match.author("green").statement("resign")
    match.write("carry", {"said": {"sig": says.sig.hex(), "statement": canon.decode(says.raw)}})
    assert match.fold.in_game == ["red", "blue"]
    assert match.fold.holder == "red"
    notes: list[str] = []
    fold = match.fresh()
    fold.listener = lambda seq, note: notes.append(f"{seq} {note.stem} {note.args['seat']}")
    for event in match.events:
        fold.take(event)
    assert notes == ["1 core/resign green"]


def test_listener_hears_the_story() -> None:
    match = duel()
    match.write("note", {"text": "good luck"})
    match.resolve()
    heard: list[tuple[int, str]] = []
    fold = Fold(match.game, match.fold.rules, lambda seq, note: heard.append((seq, note.stem)))
    for event in match.events:
        fold.take(event)
    assert heard == [(4, "core/note"), (5, "fell")]


# --- said lines ---


def test_said_lines_change_no_state() -> None:
    match = duel()
    fold = match.refold()
    before = (fold.seq, fold.head, fold.holder, fold.digest(), list(fold.in_game))
    saying.take_said(fold, match.author("red").statement("resign").line(), 7)
    saying.take_said(fold, match.author("red").statement("claim", debtor="blue", owes=4, days=9).line(), 8)
    assert (fold.seq, fold.head, fold.holder, fold.digest(), list(fold.in_game)) == before
    assert [says.kind for says in saying.live_said(fold)] == ["resign", "claim"]
    fold.take(match.author().resolve(match.slips()))
    assert saying.live_said(fold) == []
    assert [one.line for one in fold.said] == [7, 8]


# --- small parts ---


def test_ids_find_only_whole_ids() -> None:
    ids = Ids()
    first, second = "ab" * 32, "ba" * 31 + "ab"
    ids.add(first, 0)
    ids.add(second, 1)
    assert (ids.find(first), ids.find(second), ids.find("ba" * 32)) == (1, 2, 0)
    assert ids.find("00" * 32) == 0
    assert (ids.id(2), ids.seat(2), len(ids)) == (second, 1, 2)
    straddling = (bytes.fromhex(first) + bytes.fromhex(second))[1:33].hex()
    assert ids.find(straddling) == 0


def test_next_seat_is_a_guess_that_saves_mails() -> None:
    for after, wanted in (("other", "blue"), ("same", "red")):
        match = Match(options={"after": after})
        match.order("attack", target="blue")
        assert author.next_seat(match.fold) == wanted


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "game",
    [
        {"seats": ("red",), "policy": "open"},
        {"seats": ("red",), "witness": True},
        {"options": {"rolls": "3", "first": "chance"}},
        {"options": {"after": "same"}, "responds": ("red", "blue")},
        {"policy": "open", "options": {"after": "same"}},
        {"seats": ("red", "blue", "green"), "options": {"rolls": "3"}},
    ],
    ids=["solitaire", "witnessed", "sealed", "same", "open", "three"],
)
def test_random_games_replay_to_the_same_head(game: dict[str, Any], seed: int) -> None:
    match = Match(**game)
    match.play(random.Random(seed), 40)
    fold = match.refold()
    assert (fold.head, fold.digest(), fold.labels) == (match.fold.head, match.fold.digest(), match.fold.labels)
    word = "VALID" if match.fold.closed else "VALID SO FAR"
    assert match.verdict(workers=2).word == word
