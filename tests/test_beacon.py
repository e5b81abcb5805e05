"""Beacon dice: real rounds of drand, the policy they make, and every way to cheat with them (row 33)."""

from __future__ import annotations

import io
import json
import random
import struct
from hashlib import sha256
from pathlib import Path
from typing import Any

import computers
import pytest
from builder import Match, charter_doc, key, rules_for
from hypothesis import given
from hypothesis import strategies as st
from rounds import CHAINED, DEFAULT, QUICKNET, ROUNDS, ByRounds, beacon_doc, before, pinned, started_doc

from pbem import (
    agreement,
    beacon,
    canon,
    charter,
    dice,
    receipts,
    record,
    trust,
    verify,
    vouching,
)
from pbem.canon import H
from pbem.errors import Incomplete, Refused
from pbem.replay import Fold


def code_of(call: Any, *args: Any) -> str:
    with pytest.raises(Refused) as caught:
        call(*args)
    return caught.value.code


def refused(match: Match, kind: str, body: Any) -> str:
    """The code that the holder's next event meets; empty where it is taken."""
    line = match.forge(kind, body)
    try:
        fold = match.refold()
        fold.take(fold.read(line))
    except Refused:
        return match.refusal(line).code
    return ""


# --- the rounds themselves ---


@pytest.mark.parametrize("number", ROUNDS)
def test_published_rounds_of_quicknet_are_sound(number: int) -> None:
    assert beacon.check(QUICKNET, number, bytes.fromhex(ROUNDS[number])).hex() == ROUNDS[number]


@pytest.mark.parametrize("number", CHAINED)
def test_published_rounds_of_the_default_chain_are_sound(number: int) -> None:
    signature, previous = CHAINED[number]
    assert beacon.check(DEFAULT, number, bytes.fromhex(signature + previous)).hex() == signature


def test_the_chain_hashes_are_those_of_their_keys() -> None:
    """A drand chain's hash covers period, genesis, key and its group's hash, and any name but the default's."""
    groups = {
        "quicknet": "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e",
        "default": "176f93498eac9ca337150b46d21dd58673ea4e3581185f869672e59fa4cb390a",
    }
    for net, name in ((QUICKNET, b"quicknet"), (DEFAULT, b"")):
        packed = struct.pack(">Iq", net.period, net.genesis) + bytes.fromhex(net.key + groups[net.name])
        assert sha256(packed + name).hexdigest() == net.chain


def test_rounds_have_their_times() -> None:
    """The protocol gives one: round 27946612 of quicknet is that of 2026-04-20 00:00 UTC, 1776643200."""
    assert QUICKNET.time(27946612) == 1776643200
    for net in (QUICKNET, DEFAULT):
        for time in (net.genesis - 10**6, net.genesis, net.genesis + 1, net.genesis + net.period, 1776643200):
            number = net.round_at(time)
            assert net.time(number) > time
            assert number == 1 or net.time(number - 1) <= time


def test_row_33_another_rounds_signature() -> None:
    one, other = bytes.fromhex(ROUNDS[1000]), bytes.fromhex(ROUNDS[657413])
    for number, evidence in ((1001, one), (999, one), (1000, other), (657413, one)):
        assert code_of(beacon.check, QUICKNET, number, evidence) == "E_BEACON"
    signature, previous = CHAINED[3311596]
    for number, text in ((3311597, signature + previous), (3311596, previous + signature)):
        assert code_of(beacon.check, DEFAULT, number, bytes.fromhex(text)) == "E_BEACON"
    assert code_of(beacon.check, DEFAULT, 1000, bytes.fromhex(signature + CHAINED[1000][1])) == "E_BEACON"


def test_row_33_any_flipped_bit() -> None:
    for net, number, text in ((QUICKNET, 1000, ROUNDS[1000]), (DEFAULT, 3311596, "".join(CHAINED[3311596]))):
        evidence = bytes.fromhex(text)
        for bit in range(0, 8 * len(evidence), 1 if net is QUICKNET else 7):
            flipped = bytearray(evidence)
            flipped[bit // 8] ^= 1 << bit % 8
            assert code_of(beacon.check, net, number, bytes(flipped)) == "E_BEACON", bit


@pytest.mark.parametrize(
    "evidence",
    [
        b"",
        bytes(47),
        bytes(48),
        bytes(49),
        bytes(96),
        b"\xff" * 48,
        b"\xc0" + bytes(47),
        b"\xc0" + bytes(46) + b"\x01",
        b"\xe0" + bytes(47),
        b"\x80" + bytes(47),
        bytes.fromhex(
            "97f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb"
        ),
    ],
    ids=["empty", "short", "zeros", "long", "twice", "ones", "identity", "other-identity", "signed", "x0", "generator"],
)
def test_row_33_bytes_that_are_no_signature(evidence: bytes) -> None:
    assert code_of(beacon.check, QUICKNET, 1000, evidence) == "E_BEACON"


@given(st.binary(min_size=48, max_size=48))
def test_any_bytes_are_refused_cleanly(evidence: bytes) -> None:
    assert code_of(beacon.check, QUICKNET, 1000, evidence) == "E_BEACON"


# --- what is pasted ---


def published(number: int) -> str:
    randomness = sha256(bytes.fromhex(ROUNDS[number])).hexdigest()
    return json.dumps({"round": number, "randomness": randomness, "signature": ROUNDS[number]})


def test_a_round_as_its_address_shows_it() -> None:
    assert beacon.read_published(QUICKNET, 1000, f"\n {published(1000)} \n") == ROUNDS[1000]
    assert beacon.read_published(QUICKNET, 1000, ROUNDS[1000].upper()) == ROUNDS[1000]
    signature, previous = CHAINED[72785]
    shown = json.dumps({"round": 72785, "signature": signature, "previous_signature": previous})
    assert beacon.read_published(DEFAULT, 72785, shown) == signature + previous


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[" * 100_000,
        '{"a":' * 50_000,
        '{"round": 1000}',
        '{"round": true, "signature": "00"}',
        '{"round": "1000", "signature": "00"}',
        '{"round": 1e3, "signature": "00"}',
        '{"round": 1000, "signature": 5}',
        '{"round": 1000, "signature": "xy"}',
        '{"round": 1000, "signature": "\u0663\u0663"}',
        '{"round": 1001, "signature": "00"}',
        '{"round": ' + "9" * 60_000 + "}",
        "zz" * 48,
        "0" * 70_000,
    ],
    ids=range(15),
)
def test_what_is_no_round(text: str) -> None:
    assert code_of(beacon.read_published, QUICKNET, 1000, text) == "E_BEACON" if text else True
    if not text:
        assert code_of(beacon.check, QUICKNET, 1000, b"") == "E_BEACON"


# --- the charter ---


def test_row_33_a_charter_names_a_known_chain_with_its_key() -> None:
    doc = beacon_doc()
    assert charter.make_game(doc).charter.dice.policy == "beacon"
    for changed in ({"chain": "a" * 64, "key": QUICKNET.key}, {"chain": QUICKNET.chain, "key": DEFAULT.key}):
        assert code_of(charter.make_game, doc | {"dice": doc["dice"] | {"beacon": changed}}) == "E_BEACON"
    started = started_doc()
    other = {"chain": DEFAULT.chain, "round": 5}
    assert code_of(charter.make_game, started | {"dice": started["dice"] | {"start": other}}) == "E_BEACON"


def test_beacon_fields_stand_only_where_they_are_used() -> None:
    plain, alone = charter_doc(), charter_doc(("red",), "open")
    start = {"chain": QUICKNET.chain, "round": 5}
    for doc, more in (
        (plain, {"beacon": pinned()}),
        (alone, {"beacon": pinned()}),
        (alone, {"start": start}),
        (plain, {"policy": "beacon"}),
        (charter_doc(("red", "blue"), "open"), {"beacon": pinned(), "start": start}),
        (beacon_doc(("red",)), {"start": start}),
    ):
        assert code_of(charter.make_game, doc | {"dice": doc["dice"] | more}) == "E_POLICY"
    teams = beacon_doc(teams=[["red"], ["blue"]])
    assert code_of(charter.make_game, teams | {"dice": teams["dice"] | {"contributors": "teams"}}) == "E_POLICY"


# --- a game ---


def test_a_game_under_beacon_dice() -> None:
    match = ByRounds(beacon_doc(options={"turns": "2"}))
    match.play(random.Random(5), 60)
    assert match.fold.closed
    assert len(match.fold.rounds_named) > 1
    line = match.verdict().line()
    assert line.startswith("VALID, ")
    assert line.endswith(f", {trust.BEACON}")


def test_the_seed_is_that_of_the_protocol() -> None:
    match = ByRounds(beacon_doc())
    match.asked()
    match.resolve()
    assert match.fold.batch is not None
    game, chain = bytes.fromhex(match.game.id), bytes.fromhex(QUICKNET.chain)
    seed = H("pbem/v1/beacon", game, 1, chain, 1000, bytes.fromhex(ROUNDS[1000]))
    assert match.fold.batch.seed == seed
    first, second = dice.roll(seed, "t1/attack/blue#1", (6, 6))
    assert match.fold.state.values == [f"t1/attack/blue#1 {first} {second}"]


def test_three_seats_may_play_by_a_beacon() -> None:
    match = ByRounds(beacon_doc(("red", "blue", "green"), options={"turns": "1"}))
    match.play(random.Random(1), 60)
    assert match.verdict().word == "VALID"


def waiting() -> ByRounds:
    match = ByRounds(beacon_doc())
    match.asked()
    return match


def resolve_body(number: int = 1000, sig: str = ROUNDS[1000], **more: Any) -> dict[str, Any]:
    return {"batch": 1, "beacon": {"round": number, "sig": sig}, **more}


def test_row_33_another_round_than_the_one_named() -> None:
    match = waiting()
    for number in (657413, 999, 1001):
        body = resolve_body(number, ROUNDS.get(number, ROUNDS[1000]))
        assert refused(match, "resolve", body) == "E_BEACON"
    assert refused(match, "resolve", resolve_body()) == ""


def test_row_33_a_flipped_bit_in_a_resolve() -> None:
    match = waiting()
    sig = f"{int(ROUNDS[1000], 16) ^ 1:096x}"
    assert refused(match, "resolve", resolve_body(sig=sig)) == "E_BEACON"
    assert refused(match, "resolve", resolve_body(sig=ROUNDS[1000] + "00")) == "E_BEACON"
    assert refused(match, "resolve", resolve_body(sig=ROUNDS[657413])) == "E_BEACON"


def handover_body(match: Match, number: int, at: int | None, chain: str = QUICKNET.chain) -> dict[str, Any]:
    fold = match.fold
    body = {
        "batch": fold.requested + 1,
        "beacon": {"chain": chain, "round": number},
        "count": fold.since_handover + 1,
        "next": "blue" if fold.holder == "red" else "red",
        "owed": ["dice"],
        "state": fold.digest(),
    }
    return body if at is None else {**body, "at": at}


def test_row_33_another_chain() -> None:
    match = ByRounds(beacon_doc())
    match.order("attack", target="blue")
    for chain in (DEFAULT.chain, "a" * 64):
        body = handover_body(match, 5_000_000, before(5_000_000), chain)
        assert refused(match, "handover", body) == "E_BEACON"


def test_row_33_a_round_that_was_public_when_it_was_named() -> None:
    match = ByRounds(beacon_doc())
    match.order("attack", target="blue")
    for at in (None, before(1000, 0), before(1000, -5)):
        assert refused(match, "handover", handover_body(match, 1000, at)) == "E_BEACON"
    assert refused(match, "handover", handover_body(match, 1000, before(1000))) == ""


def again(match: ByRounds) -> None:
    """After the first dice blue loses a point, red attacks again."""
    match.resolve()
    match.order("lose", points=1)
    match.handover()
    match.order("attack", target="blue")


def test_row_33_a_round_named_twice_or_public_by_the_log_itself() -> None:
    match = waiting()
    again(match)
    for number in (1000, 999, 1):
        body = handover_body(match, number, before(number))
        assert refused(match, "handover", body) == "E_BEACON"
    assert refused(match, "handover", handover_body(match, 1001, before(1001))) == ""


def test_row_33_a_round_that_an_undo_took_back_is_not_named_again() -> None:
    match = waiting()
    body = match.with_consents("undo", {"to": 0}, seats=["red"])
    match.write("undo", body)
    match.handover()
    match.order("attack", target="blue")
    assert refused(match, "handover", handover_body(match, 1000, before(1000))) == "E_BEACON"


def test_links_slips_and_rounds_go_with_their_own_policy() -> None:
    match = waiting()
    for body in ({"batch": 1, "link": "a" * 64}, {"batch": 1, "slips": []}, resolve_body(link="a" * 64), {"batch": 1}):
        assert refused(match, "resolve", body) == "E_OWED"
    fresh = ByRounds(beacon_doc())
    fresh.order("attack", target="blue")
    good = handover_body(fresh, 1000, before(1000))
    for body in (good | {"link": "a" * 64}, {k: v for k, v in good.items() if k != "beacon"}):
        assert refused(fresh, "handover", body) == "E_OWED"
    sealed = Match()
    sealed.order("attack", target="blue")
    assert refused(sealed, "handover", handover_body(sealed, 1000, before(1000))) == "E_OWED"
    opened = Match(policy="open")
    body = {k: v for k, v in handover_body(opened, 1000, before(1000)).items() if k != "owed"} | {"owed": ["ask"]}
    assert refused(opened, "handover", body) == "E_OWED"


# --- without the extra ---


def without_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beacon, "_curves", lambda: None)


def finished() -> ByRounds:
    match = ByRounds(beacon_doc(options={"turns": "2"}))
    match.play(random.Random(5), 60)
    assert match.fold.closed
    return match


def test_without_the_extra_no_game_is_called_sound(monkeypatch: pytest.MonkeyPatch) -> None:
    match = finished()
    without_extra(monkeypatch)
    verdict = match.verdict()
    assert (verdict.word, verdict.status) == ("INCOMPLETE", 3)
    assert "beacon: " in verdict.line()
    assert "rounds cannot be checked on this machine" in verdict.line()
    assert "pbem[beacon]" in verdict.hint
    with pytest.raises(Incomplete, match="beacon"):
        beacon.check(QUICKNET, 1000, bytes.fromhex(ROUNDS[1000]))


def test_without_the_extra_what_needs_none_is_still_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    without_extra(monkeypatch)
    match = waiting()
    assert refused(match, "resolve", resolve_body(657413)) == "E_BEACON"
    assert refused(match, "resolve", resolve_body(sig="00" * 47)) == "E_BEACON"


def test_without_the_extra_a_game_without_dice_yet_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    without_extra(monkeypatch)
    match = ByRounds(beacon_doc())
    match.order("move", unit="u1", to=5)
    assert match.verdict().word == "VALID SO FAR"


# --- solitaire levels ---


def alone(doc: Any) -> Match:
    match = Match(doc)
    match.order("attack", target="red")
    return match


def level(match: Match) -> str:
    words = [remark for remark in match.verdict().remarks if remark.startswith("trust ")]
    assert len(words) == 1
    return words[0].split(",")[0].removeprefix("trust ").split()[0]


def start(match: Match, number: int = 1000) -> None:
    author = match.author()
    author.rounds = {number: ROUNDS[number]}
    match.keep(author.resolve())


def test_s0_a_diary() -> None:
    match = alone(charter_doc(("red",), "open"))
    match.resolve()
    assert level(match) == "S0"


def test_s1_a_registered_game_mixes_its_round_into_every_batch() -> None:
    match = alone(started_doc())
    start(match)
    assert level(match) == "S1"
    assert "round 1000 of quicknet, published 2023-08-23 15:59:24 UTC" in match.verdict().line()
    value = bytes.fromhex(ROUNDS[1000])
    game = bytes.fromhex(match.game.id)
    for number in (1, 2):
        assert match.fold.batch is not None
        link = match.fold.batch.links["red"]
        assert match.fold.batch.seed == dice.batch_seed(game, number, {"beacon": value, "red": link})
        if number == 1:
            match.order("lose", points=1)
            match.order("attack", target="red")
            match.resolve()
    assert "beacon" not in match.events[-1].body


def test_s2_a_numbered_game_names_the_one_before_it() -> None:
    match = alone(started_doc(previous="7" * 64))
    start(match)
    assert level(match) == "S2"
    assert "follows game 7777777777777777" in match.verdict().line()


def test_s3_a_witness_released_every_batch() -> None:
    match = Match(charter_doc(("red",), witness=True))
    match.order("attack", target="red")
    match.handover()
    match.resolve()
    assert level(match) == "S3"


def test_a_level_is_found_not_claimed() -> None:
    """A number without a start round, a start round before any dice, and a beacon without receipts are diaries."""
    numbered = alone(charter_doc(("red",), "open", previous="7" * 64))
    numbered.resolve()
    assert level(numbered) == "S0"
    assert level(alone(started_doc(previous="7" * 64))) == "S0"
    rounds = ByRounds(beacon_doc(("red",)))
    assert level(rounds) == "S0"
    rounds.asked()
    rounds.resolve()
    assert level(rounds) == "S0"
    assert "1 of 1 requests are not known" in rounds.verdict().line()


def test_a_registered_game_starts_with_its_round_and_no_other() -> None:
    match = alone(started_doc())
    link = match.author().link(1).hex()
    for body, code in (
        ({"batch": 1, "link": link}, "E_OWED"),
        (resolve_body(657413, ROUNDS[657413], link=link), "E_BEACON"),
        (resolve_body(1000, ROUNDS[657413], link=link), "E_BEACON"),
        (resolve_body(link=link), ""),
    ):
        assert refused(match, "resolve", body) == code
    start(match)
    match.order("lose", points=1)
    match.order("attack", target="red")
    again = {**resolve_body(link=match.author().link(2).hex()), "batch": 2}
    assert refused(match, "resolve", again) == "E_OWED"
    plain = alone(charter_doc(("red",), "open"))
    assert refused(plain, "resolve", resolve_body(link=plain.author().link(1).hex())) == "E_OWED"


def test_a_registered_game_needs_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    without_extra(monkeypatch)
    match = alone(started_doc())
    with pytest.raises(Incomplete, match="beacon"):
        start(match)
    match.keep(match.author().write("resolve", resolve_body(link=match.author().link(1).hex())))
    assert match.verdict().word == "INCOMPLETE"


def test_folding_again_checks_no_round_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    match = finished()
    asked: list[int] = []
    real = beacon.check
    monkeypatch.setattr(beacon, "check", lambda net, number, sig: (asked.append(number), real(net, number, sig))[1])
    fold = Fold(match.game, rules_for(match.game), past=lambda to: iter(match.events[:to]), checked=True)
    for event in match.events:
        fold.take(event)
    assert asked == []
    assert fold.head == match.fold.head
    with pytest.raises(Refused):
        real(QUICKNET, 1, b"")


# --- on several computers ---


class Clock:
    """What the machines' clocks show."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0
        monkeypatch.setattr("pbem.clock.now", lambda: self.now)
        monkeypatch.setattr(agreement.time, "time", lambda: self.now)

    def ahead_of(self, number: int, minutes: int = 120) -> None:
        """Set it so that a handover written now names this round."""
        self.now = before(number, 60 * minutes + 1)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


# --- S3 by a beacon --------------------------------------------------------------------------------------------------


def receipt(match: Match, seq: int, at: int, by: str = "witness") -> Any:
    fold = match.fold
    doc = {"at": at, "game": match.game.id, "head": fold.ids.id(seq), "seat": by, "seq": seq}
    raw = canon.encode(doc)
    signed = record.Signed("receipt", raw, key(by).sign(receipts.namespace(by), raw), record.parse(record.Receipt, doc))
    return receipts.text(signed)


def levels(match: Match, *lines: str) -> str:
    """The first word of the level that these receipts give."""
    reading = verify.read(io.BytesIO(match.file()), lambda game: rules_for(game, ""))
    verdict, _ = vouching.judge(verify.judge(reading), reading, lines)
    return next(remark for remark in verdict.remarks if remark.startswith("trust ")).split()[1].rstrip(",")


def observed() -> ByRounds:
    """A solitaire game by a beacon, with a witness; its one request is event 2, for round 1000."""
    match = ByRounds(beacon_doc(("red",), witness=True))
    match.asked()
    match.resolve()
    return match


def test_s3_a_witness_had_every_request_before_its_round() -> None:
    match = observed()
    asked = match.fold.rounds_by_event[0][0]
    public = QUICKNET.time(1000)
    assert levels(match) == "S0"
    assert levels(match, receipt(match, asked, public - 1)) == "S3"
    assert levels(match, receipt(match, asked, public)) == "S0"  # the round was out
    assert levels(match, receipt(match, asked - 1, public - 1)) == "S0"  # of the event before the request
    assert levels(match, receipt(match, match.fold.seq, public - 1)) == "S3"  # a later head holds the request too
    assert levels(match, receipt(match, asked, public - 1, by="red")) == "S0"  # the player's own word
    line = receipt(match, asked, public - 1)
    forged = line.replace('"at":', '"at":1')
    assert levels(match, forged) == "S0"


def test_s3_needs_a_receipt_for_every_request() -> None:
    match = observed()
    match.order("lose", points=1)
    match.order("attack", target="red")
    match.handover()
    first, second = match.fold.rounds_by_event
    one = receipt(match, first[0], QUICKNET.time(first[1]) - 1)
    assert levels(match, one) == "S0"
    two = receipt(match, second[0], QUICKNET.time(second[1]) - 1)
    assert levels(match, one, two) == "S3"
    assert levels(match, two) == ("S3" if QUICKNET.time(second[1]) <= QUICKNET.time(first[1]) else "S0")


def test_between_two_players_receipts_say_how_many_requests_were_in_time() -> None:
    match = ByRounds(beacon_doc())
    match.asked()
    match.resolve()
    asked, number = match.fold.rounds_by_event[0]
    reading = verify.read(io.BytesIO(match.file()), lambda game: rules_for(game, ""))
    plain = verify.judge(reading)
    for by, at, count in (("blue", -1, 1), ("blue", 0, 0), ("red", -1, 0)):
        verdict, _ = vouching.judge(plain, reading, [receipt(match, asked, QUICKNET.time(number) + at, by)])
        assert verdict.remarks[-1] == (
            f"{trust.CHOSEN}; that somebody else had {count} of 1 requests before their rounds is receipted"
        )


def test_a_witness_raises_a_game_of_one_to_s3_by_his_letters(tmp_path: Path, clock: Clock) -> None:
    clock.ahead_of(1000)
    red, witness = computers.Computer(tmp_path / "red"), computers.Computer(tmp_path / "witness")
    red.do("new", "battle-card-malaya", "--dice", "beacon", "--witness", "--file", "g.pbem")
    witness.do("join", red.letter, "--seat", "witness", "--name", "Wim", "--file", "g.pbem")
    match = computers.Match({"red": red, "witness": witness})
    match.take("witness", "red")
    match.mail("red")
    match.mail("witness")
    if not red.table("g.pbem").fold.needs_request():
        red.do("order", "g.pbem", "no withdrawal", "counterattack Jitra", "counterattack Kota Bharu")
    match.mail("red")
    assert red.table("g.pbem").fold.rounds_by_event
    match.mail("witness")
    letters = tmp_path / "letters"
    letters.mkdir()
    (letters / "1.eml").write_bytes(witness.letter.read_bytes())
    clock.now = before(1000, -60)
    red.do("beacon", "g.pbem", ROUNDS[1000])
    assert ", trust S0, a diary: 1 of 1 requests are not known" in red.do("verify", "g.pbem").out
    stranger = computers.Computer(tmp_path / "stranger")
    stranger.path("g.pbem").write_bytes(red.path("g.pbem").read_bytes())
    said = stranger.do("verify", "g.pbem", "--receipts", letters)
    assert said.out.rstrip().endswith(
        "trust S3, witnessed: the witness had every request before the round that it names"
    )


def test_two_computers_play_by_a_beacon(tmp_path: Path, clock: Clock) -> None:
    clock.ahead_of(1000)
    match = computers.duel(tmp_path, "beacon")
    red, blue = match["red"], match["blue"]
    red.do("order", "g.pbem", "roll d6 for a")
    match.mail("red")
    due = red.run("beacon", "g.pbem")
    assert due.status == 3
    assert f"https://api.drand.sh/{QUICKNET.chain}/public/1000 shows from 2023-08-23 15:59:24 UTC on" in due.err
    waiting = red.run("send", "g.pbem")
    assert "round 1000 of beacon quicknet, published 2023-08-23 15:59:24 UTC" in waiting.err
    assert "E_BEACON" in red.run("beacon", "g.pbem", "-", stdin=published(657413)).err
    holder = match[red.table("g.pbem").fold.holder]
    holder.path("round.json").write_text(published(1000))
    assert "is what its organisations signed" in holder.do("beacon", "g.pbem", "round.json").err
    assert holder.table("g.pbem").fold.state.rolls == 1
    assert holder.run("beacon", "g.pbem", ROUNDS[1000]).status == 2
    red.do("order", "g.pbem", "pass")
    match.mail("red")
    match.agree()
    assert "beacon dice" in blue.do("verify", "g.pbem").out
    assert "beacon" in blue.do("show", "g.pbem").out


def test_row_33_a_request_that_comes_when_its_round_is_public(tmp_path: Path, clock: Clock) -> None:
    clock.ahead_of(1000, 30)
    match = computers.duel(tmp_path, "beacon")
    red, blue = match["red"], match["blue"]
    red.do("order", "g.pbem", "roll d6 for a")
    red.do("send", "g.pbem", "--ahead", "30")
    clock.now = before(1000, 0)
    refused = blue.run("receive", red.letter)
    assert refused.status == 1
    assert "E_BEACON" in refused.err
    assert "--late" in refused.err
    assert blue.table("g.pbem").fold.seq == 0
    assert blue.do("receive", red.letter, "--late").status == 0
    assert blue.table("g.pbem").fold.head == red.table("g.pbem").fold.head


def test_registered_alone(tmp_path: Path, clock: Clock) -> None:
    clock.ahead_of(1000, 60)
    one = computers.Computer(tmp_path / "red")
    said = one.do("new", "battle-card-malaya", "--start-in", "60", "--previous", "7" * 64, "--file", "g.pbem")
    game = one.table("g.pbem").fold.game
    assert game.id in said.err
    assert game.charter.dice.start is not None
    assert game.charter.dice.start.round == 1000
    orders = one.do("legal", "g.pbem").out
    assert orders
    if one.table("g.pbem").fold.needs_request():
        one.do("beacon", "g.pbem", ROUNDS[1000])
    second = one.do("new", "battle-card-malaya", "--start-in", "60", "--previous", "g.pbem", "--file", "h.pbem")
    assert second.status == 0
    assert one.table("h.pbem").fold.game.charter.previous == game.id


def test_an_opened_game_needs_the_extra(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    clock.ahead_of(1000)
    match = computers.duel(tmp_path, "beacon")
    match["red"].do("order", "g.pbem", "roll d6 for a")
    match.mail("red")
    holder = match[match["red"].table("g.pbem").fold.holder]
    holder.do("beacon", "g.pbem", ROUNDS[1000])
    without_extra(monkeypatch)
    told = holder.run("verify", "g.pbem")
    assert told.status == 3
    assert "INCOMPLETE: beacon: 1 rounds cannot be checked on this machine" in told.out
    assert "pbem[beacon]" in holder.run("status", "g.pbem").err
    assert holder.run("new", "open-table", "--dice", "beacon", "--file", "k.pbem").status == 3
