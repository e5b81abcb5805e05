"""The attacks of protocol 5.3, one named test a row, with real keys and the exact refusal.

Rows about pins, vaults, slots, windows and undo belong to the parts that play them. `Match.refusal` also checks that a
file with the line gets the same verdict and that the game up to there stays what it was.
"""

from __future__ import annotations

import base64
import io
import json
import time
from typing import Any

import pytest
from builder import (
    Match,
    chain,
    charter_doc,
    duel,
    entry,
    event_of,
    key,
    resigned_line,
    responder,
    rules_for,
    sign_line,
)
from duel import CARDS, Duel
from test_keys import TORSION, L, encoded, lift, plus, read_int, signed_by_hand, spelled, with_s

from pbem import canon, charter, dice, keys, record, saying, verify
from pbem.api import Roll, Start
from pbem.errors import Incomplete, Refused
from pbem.record import BODIES, CORE_KINDS
from pbem.replay import PLAYED, Fold, Ruleset

FORM = {"E_LINE", "E_SIZE", "E_JSON", "E_DUPKEY", "E_NUM", "E_INT", "E_TEXT", "E_CANON"}
DEAD = "0" * 64


def code_of(act: Any, *args: Any) -> str:
    with pytest.raises(Refused) as refused:
        act(*args)
    return refused.value.code


def parts(line: bytes) -> tuple[bytes, bytes, bytes]:
    word, sig, raw = line[:-1].split(b" ", 2)
    return word, sig, raw


def with_signature(line: bytes, sig: bytes) -> bytes:
    word, _, raw = parts(line)
    return b" ".join((word, sig.hex().encode(), raw)) + b"\n"


# --- 1 to 10: lines, chain, forks ---


def test_row_01_any_flipped_bit_of_an_event() -> None:
    """Up to `E_SIG` nothing is changed: the same fold meets every forgery and goes on with the true line."""
    match = duel()
    line = match.forge("note", {"text": "hold the bridge"})
    before = (match.fold.seq, match.fold.head, match.fold.digest())
    for at in range(len(line)):
        for bit in range(8) if at % 5 == 0 else (at % 8,):
            forged = bytearray(line)
            forged[at] ^= 1 << bit
            code = code_of(match.fold.read, bytes(forged))
            assert code in FORM | {"E_FIELDS", "E_GAME", "E_SIG"}, (at, bit)
    assert (match.fold.seq, match.fold.head, match.fold.digest()) == before
    assert match.fold.take(match.fold.read(line))


def test_row_01_every_flipped_bit_of_a_signature() -> None:
    match = duel()
    line = match.forge("note", {"text": "x"})
    signature = bytes.fromhex(parts(line)[1].decode())
    for bit in range(512):
        forged = bytearray(signature)
        forged[bit // 8] ^= 1 << bit % 8
        assert code_of(match.fold.read, with_signature(line, bytes(forged))) == "E_SIG"


def test_row_01_any_flipped_bit_of_a_seal() -> None:
    match = Match()
    line = match.seals[1]
    for at in range(len(line)):
        forged = bytearray(line)
        forged[at] ^= 1 << at % 8
        code = code_of(charter.read_seal, bytes(forged), match.game)
        assert code in FORM | {"E_FIELDS", "E_SIG", "E_CHARTER"}, at  # E_CHARTER: the seat's name has changed


def test_row_02_signed_with_another_key_or_seat_swapped() -> None:
    match = duel()
    assert match.refusal(match.forge("note", {"text": "x"}, by="red")).code == "E_SIG"
    good = match.forge("note", {"text": "x"})
    assert match.refusal(good.replace(b'"seat":"blue"', b'"seat":"red"')).code == "E_SIG"
    assert match.refusal(match.forge("note", {"text": "x"}, by="blue", seat="green")).code == "E_SIG"


def test_row_02_the_witness_writes_no_events() -> None:
    match = duel(witness=True)
    line = match.forge("note", {"text": "x"}, seat="witness")
    assert match.refusal(line).code == "E_SIG"
    fold = Fold(match.game)
    with pytest.raises(Refused, match="E_SIG"):
        fold.take(fold.read(match.forge("note", {"text": "x"}, seat="witness", seq=1, prev=match.game.id)))


def test_row_03_event_of_another_game() -> None:
    match, other = duel(), duel(setup="22" * 32)
    line = other.write("note", {"text": "x"}).line()
    assert match.refusal(line).code == "E_GAME"
    assert match.refusal(resigned_line(line, key("blue"), {"seq": 4, "prev": match.fold.head})).code == "E_GAME"


@pytest.mark.parametrize("namespace", [space for space in keys.NAMESPACES if space != keys.EVENT])
def test_row_04_signature_for_another_purpose(namespace: str) -> None:
    match = duel()
    assert match.refusal(match.forge("note", {"text": "x"}, namespace=namespace)).code == "E_SIG"


def test_row_04_bare_signature() -> None:
    match = duel()
    line = match.forge("note", {"text": "x"})
    bare = signed_by_hand(b"\2" * 32, parts(line)[2])
    assert match.refusal(with_signature(line, bare)).code == "E_SIG"


def test_row_04_event_signature_under_a_statement_slip_or_seal() -> None:
    match = duel()
    says = match.author("red").statement("resign")
    line = sign_line(key("red"), says.raw, keys.EVENT, b"said")
    assert code_of(saying.take_said, match.refold(), line) == "E_SIG"
    slip = match.slip("blue")
    body = match.resolve_body([slip])
    body["slips"][0]["sig"] = key("blue").sign(keys.EVENT, slip.raw).hex()
    assert match.code("resolve", body) == "E_SLIP"


def test_row_05_gap_wrong_prev_and_swapped_events() -> None:
    match = duel()
    gap = match.refusal(match.forge("note", {"text": "x"}, seq=6))
    assert gap.code == "E_GAP"
    assert "4 to 5" in gap.what
    assert match.code("note", {"text": "x"}, prev=match.events[1].id) == "E_PREV"
    assert match.code("note", {"text": "x"}, prev=match.game.id) == "E_PREV"
    match.write("note", {"text": "one"})
    match.write("note", {"text": "two"})
    lines = match.lines()
    swapped = match.head() + b"".join(lines[:3]) + lines[4] + lines[3]
    verdict = match.verdict(swapped)
    assert (verdict.word, verdict.code, verdict.seq) == ("INVALID", "E_GAP", 3)


def test_row_06_duplicate_delivery_changes_nothing() -> None:
    match = duel()
    fold = match.refold()
    before = (fold.seq, fold.head, fold.digest())
    for line in match.lines() + match.lines():
        assert not fold.take(fold.read(line))
    assert (fold.seq, fold.head, fold.digest()) == before
    fold.take(fold.read(match.forge("note", {"text": "and on"})))


def test_row_07_truncated_packet_misses_its_handover() -> None:
    """Whoever takes packets in sees that none is complete; a handover that hides a loss has a wrong count."""
    match = duel()
    assert match.refold(2).since_handover == 2
    assert match.refold(3).since_handover == 0
    short = attacked()
    for count in (1, 3, 2**53 - 1):
        assert short.code("handover", short.handover_body(count=count)) == "E_OWED"


def test_row_08_fork() -> None:
    match = duel()
    fork = resigned_line(match.lines()[1], key("red"), {"body": {"target": "blue", "plan": "late"}})
    assert match.refusal(fork).code == "E_FORK"
    verdict = match.verdict(match.file() + fork)
    assert verdict.line() == "FORK by red at event 2"
    assert verdict.status == 1
    usurped = match.forge("note", {"text": "x"}, seat="blue", seq=2, prev=match.events[0].id)
    error = match.refusal(usurped)
    assert error.code == "E_BATON"  # one of them had no baton: no fork
    assert (
        match.refusal(resigned_line(match.lines()[2], key("red"), {"kind": "note", "body": {"text": "x"}})).code
        == "E_FORK"
    )


def test_row_09_what_is_no_fork() -> None:
    """One line twice, a line with another signature of the same owner, another seat's line, another game's line."""
    match = duel()
    fold = match.refold()
    line = match.lines()[1]
    second = signed_by_hand(b"\1" * 32, keys.to_be_signed(keys.EVENT, parts(line)[2]), nonce=99)
    assert fold.take(fold.read(line)) is False
    assert fold.take(fold.read(with_signature(line, second))) is False
    other = duel(setup="22" * 32).lines()[1]
    assert code_of(fold.read, other) == "E_GAME"


# --- 12 to 16: bytes ---


def sent(match: Match, raw: bytes) -> str:
    """The code for exactly these bytes, well signed by the holder."""
    return match.refusal(sign_line(key(match.fold.holder), raw)).code


def test_row_12_duplicate_keys_in_a_signed_event() -> None:
    match = Match()
    raw = canon.encode(match.doc("move", {"unit": "u1", "to": 5}))
    assert sent(match, raw.replace(b'"to":5', b'"to":5,"to":6')) == "E_DUPKEY"
    assert sent(match, raw.replace(b'"to":5', b'"to":5,"\\u0074o":6')) == "E_DUPKEY"
    assert sent(match, raw.replace(b'"seq":1', b'"seq":1,"seq":2')) == "E_DUPKEY"


def test_row_13_other_spellings_in_a_signed_event() -> None:
    match = Match()
    raw = canon.encode(match.doc("move", {"unit": "u1", "to": 5}))
    for old, new, code in [
        (b'"to":5', b'"to": 5', "E_CANON"),
        (b'"to":5,"unit":"u1"', b'"unit":"u1","to":5', "E_CANON"),
        (b'"u1"', b'"\\u00751"', "E_CANON"),
        (b'"to":5', b'"to":5.0', "E_NUM"),
        (b'"to":5', b'"to":5e0', "E_NUM"),
        (b'"to":5', b'"to":-0', "E_CANON"),
        (b'"to":5', b'"to":NaN', "E_NUM"),
        (b'"to":5', b'"to":9007199254740992', "E_INT"),
        (b'"to":5', b'"to":' + b"5" * 5000, "E_INT"),
        (b'"to":5', b'"to":null', "E_CANON"),
    ]:
        assert old in raw
        assert sent(match, raw.replace(old, new)) == code, new


def test_row_14_text_in_a_signed_note() -> None:
    match = Match()
    raw = canon.encode(match.doc("note", {"text": "@"}))
    bad = ["e\u0301", "\u05d0", "\u202e", "\u200b", "\u0085", "\u007f", "\ufeff", "\ue000", "\U0001f600"]
    for char in bad:
        assert sent(match, raw.replace(b"@", char.encode())) == "E_TEXT", hex(ord(char[-1]))
    for data in (b"\\u001b[2J", b"\\ud800", b"\\n", b"\\u0000"):
        assert sent(match, raw.replace(b"@", data)) == "E_TEXT", data
    for data in (b"\x1b", b"\xff", b"\xed\xa0\x80", b"\xc0\xaf"):
        assert sent(match, raw.replace(b"@", data)) == "E_JSON", data
    assert sent(match, raw.replace(b"{", b"\xef\xbb\xbf{", 1)) == "E_LINE"


def test_row_15_deep_and_huge_lines_are_refused_in_no_time() -> None:
    match = Match()
    raw = canon.encode(match.doc("note", {"text": "@"}))
    start = time.perf_counter()
    assert sent(match, raw.replace(b'"@"', b"[" * 30_000 + b"]" * 30_000)) == "E_CANON"
    assert sent(match, raw.replace(b'"@"', b"[" * 100_000)) == "E_SIZE"
    assert match.verdict(match.file() + b"pbem1 " + b"0" * 10_000_000).code == "E_SIZE"
    assert match.verdict(b"[" * 1_000_000).code == "E_SIZE"
    assert time.perf_counter() - start < 3


def test_row_15_undoing_undos_costs_no_more_each_time() -> None:
    """Each undo folds the game again; those inside it must not do so too, or forty lines would never end."""
    match = Match(seats=("red",), policy="open")
    for number in range(40):
        match.order("move", unit="u1", to=2 + number % 7)
        match.write("undo", {"to": match.fold.seq - 1, "consents": []})
    start = time.perf_counter()
    verdict = match.verdict()
    assert time.perf_counter() - start < 5
    assert verdict.head == match.fold.head
    assert match.fold.digest() == Match(seats=("red",), policy="open").fold.digest()


def test_row_16_line_forms() -> None:
    match = Match()
    word, sig, raw = parts(match.forge("note", {"text": "x"}))
    in_base64 = base64.b64encode(bytes.fromhex(sig.decode()))
    for line in [
        b" ".join((word, sig, raw)) + b"\r\n",
        word + b"  " + sig + b" " + raw + b"\n",
        word + b" " + sig + b"  " + raw + b"\n",
        b" ".join((word, sig.upper(), raw)) + b"\n",
        b" ".join((word, in_base64, raw)) + b"\n",
        b" ".join((word, sig, raw)) + b" \n",
        b"\n",
    ]:
        assert match.refusal(line).code == "E_LINE"
    torn = match.verdict(match.file() + b" ".join((word, sig, raw)))
    assert (torn.word, torn.status) == ("INCOMPLETE", 3)
    upper = resigned_line(b" ".join((word, sig, raw)) + b"\n", key("red"), {"prev": match.game.id.upper()})
    assert match.refusal(upper).code == "E_FIELDS"


def test_row_16_windows_line_ends_are_explained() -> None:
    match = duel()
    for data in (match.file().replace(b"\n", b"\r\n"), match.file()[:-1] + b"\r\n"):
        verdict = match.verdict(data)
        assert verdict.code == "E_LINE"
        assert "Windows" in verdict.hint


# --- 17 to 22: keys, charter, events ---


def test_row_17_malleated_signature_and_second_signature() -> None:
    match = duel()
    line = match.forge("note", {"text": "x"})
    sig, raw = bytes.fromhex(parts(line)[1].decode()), parts(line)[2]
    assert match.refusal(with_signature(line, with_s(sig, read_int(sig[32:]) + L))).code == "E_SIG"
    second = with_signature(line, signed_by_hand(b"\2" * 32, keys.to_be_signed(keys.EVENT, raw), nonce=7))
    assert second != line
    assert event_of(second).id == event_of(line).id
    fold = match.refold()
    assert fold.take(fold.read(line))
    assert fold.take(fold.read(second)) is False  # no fork


def mixed(public: bytes) -> bytes:
    point = lift(read_int(public) & (2**255 - 1))
    assert point is not None
    return encoded(plus(TORSION[1], point))


WEAK = {
    **{f"small order {number}": encoded(point) for number, point in enumerate(TORSION)},
    "identity as p + 1": spelled(2**255 - 18, 0),
    "identity as -0": spelled(1, 1),
    "mixed order": mixed(key("blue").public),
    "off the curve": spelled(next(y for y in range(2, 99) if lift(y) is None), 0),
    "y not below p": b"\xff" * 32,
}


@pytest.mark.parametrize("name", WEAK)
def test_row_18_weak_keys(name: str) -> None:
    weak = WEAK[name].hex()
    seats = [entry("red"), entry("blue") | {"key": weak}]
    assert code_of(charter.make_game, charter_doc() | {"seats": seats}) == "E_WEAKKEY"
    seats = [entry("red"), entry("blue") | {"responder": weak}]
    assert code_of(charter.make_game, charter_doc() | {"seats": seats}) == "E_WEAKKEY"
    witness = {k: v for k, v in entry("witness").items() if k != "seat"} | {"key": weak}
    assert code_of(charter.make_game, charter_doc() | {"witness": witness}) == "E_WEAKKEY"


def test_row_19_same_keys_same_anchors() -> None:
    def code(seat: str = "blue", **change: Any) -> str:
        return code_of(charter.make_game, charter_doc() | {"seats": [entry("red"), entry("blue") | change]})

    assert code(key=key("red").public.hex()) == "E_SAMEKEY"
    assert code(responder=key("red").public.hex()) == "E_SAMEKEY"
    assert code(anchor=entry("red")["anchor"]) == "E_SAMEANCHOR"
    witness = {k: v for k, v in entry("witness").items() if k != "seat"}
    assert (
        code_of(charter.make_game, charter_doc() | {"witness": witness | {"key": key("red").public.hex()}})
        == "E_SAMEKEY"
    )
    copied = witness | {"anchor": entry("red")["anchor"]}
    assert code_of(charter.make_game, charter_doc() | {"witness": copied}) == "E_SAMEANCHOR"


def test_row_19_missing_seal_and_seal_of_another_charter() -> None:
    match, other = duel(), Match(setup="22" * 32)
    start = match.game.line() + match.seals[0]
    verdict = match.verdict(start + match.lines()[0])
    assert (verdict.code, verdict.event) == ("E_UNSEALED", 0)
    assert match.verdict(start).word == "INCOMPLETE"
    assert match.verdict(start).detail == "seals of blue"
    foreign = match.game.line() + match.seals[0] + other.seals[1] + match.lines()[0]
    assert match.verdict(foreign).code == "E_SIG"
    assert match.verdict(match.game.line() + match.seals[1] + match.seals[0]).code == "E_CHARTER"


@pytest.mark.parametrize(
    "change",
    [
        {"rules": {"id": "duel", "version": "2", "digest": "a" * 64}},
        {"rules": {"id": "duel", "version": "1", "digest": "c" * 64}},
        {"data": "c" * 64},
        {"options": {"turns": "9"}},
        {"scenario": "melee"},
        {"clock": {"days": 7, "reminders": 2}},
    ],
    ids=lambda change: next(iter(change)),
)
def test_row_20_another_charter_is_another_game(change: canon.Doc) -> None:
    match, other = duel(), Match(charter_doc() | change)
    assert other.game.id != match.game.id
    line = match.lines()[0]
    assert code_of(other.fold.read, line) == "E_GAME"
    assert code_of(charter.read_seal, match.seals[0], other.game) == "E_SIG"
    moved = other.game.line() + match.head().split(b"\n", 1)[1] + line
    assert match.verdict(moved).code == "E_SIG"


def test_row_21_kinds_and_fields() -> None:
    match = Match()
    assert match.code("surrender", {}) == "E_KIND"
    for body in ({}, {"unit": "u1"}, {"unit": "u1", "to": "5"}, {"unit": "u1", "to": True}, {"unit": "u9", "to": 5}):
        assert match.code("move", body) == "E_FIELDS", body
    assert match.code("move", {"unit": "u1", "to": 5, "fast": True}) == "E_FIELDS"
    assert match.code("note", {"text": "x", "to": 1}) == "E_FIELDS"
    assert match.code("note", {}) == "E_FIELDS"
    assert match.code("note", {"text": ["x"]}) == "E_FIELDS"
    assert match.code("note", {"text": "x" * 4001}) == "E_FIELDS"
    assert match.code("move", {"unit": {"a": [1]}, "to": {}}) == "E_FIELDS"


def test_row_21_one_order_has_one_spelling() -> None:
    match = Match()
    assert match.code("salute", {}) == "E_FIELDS"  # a default is written out
    match.write("salute", {"loud": False})
    assert match.code("attack", {"target": "blue", "plan": ["x"]}) == "E_FIELDS"
    assert match.code("end", {"boxes": []}) == "E_FIELDS"
    assert match.code("end", {"consents": []}) == "E_FIELDS"


@pytest.mark.parametrize("kind", sorted(CORE_KINDS - PLAYED))
def test_row_21_reserved_kinds_are_refused_cleanly(kind: str) -> None:
    match = Match()
    for body in ({}, {"anything": [1, {"a": "b"}]}):
        assert match.code(kind, body) == "E_KIND"
    assert kind in BODIES


def test_row_21_fields_of_the_core() -> None:
    """Boxes go to another seat of the game; what may be absent is never an empty list; an order has no consents."""
    match = Match()
    box = {"data": "00", "to": "blue"}
    move = {"unit": "u1", "to": 5}
    for body in ({"text": "x"}, move):
        kind = "note" if "text" in body else "move"
        for boxes in ([], [box | {"to": "red"}], [box | {"to": "green"}], [box | {"data": "0"}], [{"to": "blue"}], box):
            assert match.code(kind, body | {"boxes": boxes}) == "E_FIELDS", boxes
    for field in ("opens", "seals", "consents"):
        assert match.code("move", move | {field: []}) == "E_FIELDS", field
        assert match.code("note", {"text": "x", field: []}) == "E_FIELDS", field
    item = {"content": "c17", "salt": DEAD, "slot": "red-deck/1/0"}
    assert match.code("move", move | {"opens": [item]}) == "E_OPENING"
    assert match.code("open", {"items": [item]}) == "E_OPENING"
    assert match.code("open", {"items": []}) == "E_OPENING"


def test_row_21_body_of_a_core_kind_is_judged_before_the_rules() -> None:
    match = duel()
    assert match.code("handover", {}) == "E_FIELDS"
    for field, wrong in [
        ("count", "3"),
        ("count", 0),
        ("owed", "dice"),
        ("state", "x"),
        ("next", 1),
        ("at", -1),
        ("link", "A" * 64),
    ]:
        body = {"count": 1, "next": "red", "owed": ["ask"], "state": DEAD} | {field: wrong}
        assert match.code("handover", body) == "E_FIELDS", (field, wrong)


def test_row_22_no_baton_and_illegal_moves() -> None:
    match = Match()
    assert match.code("note", {"text": "x"}, seat="blue") == "E_BATON"
    assert match.code("end", {}, seat="blue") == "E_BATON"
    illegal = match.refusal(match.forge("move", {"unit": "u1", "to": 10}))
    assert (illegal.code, illegal.ids, illegal.what) == ("E_RULE", ("2",), "no such hex")
    verdict = match.verdict(match.file() + match.forge("move", {"unit": "u1", "to": 10}))
    assert verdict.line() == "INVALID at event 1: E_RULE [2] no such hex"
    assert match.code("lose", {"points": 1}) == "E_RULE"


def test_row_22_nothing_after_the_end() -> None:
    match = Match(options={"turns": "1"})
    match.order("end")
    match.handover()
    match.order("end")
    assert match.code("salute", {"loud": False}) == "E_RULE"  # over, not yet handed over
    assert match.code("resign", {}) == "E_RULE"
    assert match.code("agree", match.with_consents("agree", {"result": "draw"})) == "E_RULE"
    assert match.code("handover", match.handover_body(next="red")) == "E_NEXT"
    match.handover()
    assert match.fold.closed
    for seat in ("red", "blue"):
        for kind, body in (("note", {"text": "x"}), ("end", {}), ("resign", {})):
            assert match.code(kind, body, seat=seat) == "E_BATON"


def test_row_22_agreed_end_stops_orders() -> None:
    match = Match()
    match.agree("blue")
    assert match.code("move", {"unit": "u1", "to": 5}) == "E_RULE"
    assert match.code("salute", {"loud": True}) == "E_RULE"
    match.write("note", {"text": "well played"})
    match.handover()
    outcome = match.verdict().outcome
    assert outcome is not None
    assert outcome.winner == "blue"


# --- 23 to 31: dice ---


def attacked(**kwargs: Any) -> Match:
    """Red has attacked and must ask for dice."""
    match = Match(**kwargs)
    match.order("attack", target="blue")
    return match


def test_row_23_links_that_are_not_due() -> None:
    match = attacked()
    red, blue = chain("red"), chain("blue")
    for link in (
        blue[1],
        red[0],
        red[2],
        red[64],
        chain("red", "22" * 32)[1],
        bytes(32),
        bytes([red[1][0] ^ 1]) + red[1][1:],
    ):
        assert match.code("handover", match.handover_body(link=link.hex())) == "E_LINK"
    match.handover()
    slip = match.slip("blue")
    for link in (blue[2], red[1], blue[0], chain("blue", "22" * 32)[1]):
        doc = canon.decode(slip.raw) | {"link": link.hex()}
        match_slip = record.write_slip(key("blue"), doc)
        assert match.code("resolve", match.resolve_body([match_slip])) == "E_LINK"


def test_row_23_replayed_and_skipped_links_of_a_second_batch() -> None:
    match = duel()
    match.resolve()
    match.order("lose", points=1)
    match.handover()
    match.order("attack", target="blue")
    assert match.code("handover", match.handover_body(link=chain("red")[1].hex())) == "E_LINK"
    assert match.code("handover", match.handover_body(link=chain("red")[3].hex())) == "E_LINK"
    assert match.code("handover", match.handover_body(batch=3, link=chain("red")[3].hex())) == "E_BATCH"
    assert match.code("handover", match.handover_body(batch=1, link=chain("red")[1].hex())) == "E_BATCH"
    match.handover()
    stale = canon.decode(match.slip("blue").raw) | {"link": chain("blue")[1].hex()}
    assert match.code("resolve", match.resolve_body([record.write_slip(key("blue"), stale)])) == "E_LINK"


def test_row_24_owed_and_links_go_together() -> None:
    match = attacked()
    assert match.code("handover", match.handover_body(link=None, batch=None)) == "E_OWED"
    assert match.code("handover", match.handover_body(link=None)) == "E_OWED"
    assert match.code("handover", match.handover_body(batch=None)) == "E_OWED"
    assert match.code("handover", match.handover_body(owed=["ask"])) == "E_OWED"
    assert match.code("handover", match.handover_body(owed=[])) == "E_OWED"
    assert match.code("handover", match.handover_body(owed=["dice", "ask"])) == "E_OWED"
    calm = Match()
    calm.order("end")
    link = chain("red")[1].hex()
    assert calm.code("handover", calm.handover_body(owed=["dice"], batch=1, link=link)) == "E_OWED"
    assert calm.code("handover", calm.handover_body(batch=1, link=link)) == "E_OWED"
    beacon = {"chain": DEAD, "round": 5}
    assert match.code("handover", match.handover_body(link=None, beacon=beacon)) == "E_OWED"
    assert match.code("handover", match.handover_body(beacon=beacon)) == "E_OWED"
    opened = Match(policy="open")
    assert opened.code("handover", opened.handover_body(batch=None, link=None)) == "E_OWED"


def forged_slip(match: Match, by: keys.SigningKey, **change: Any) -> canon.Doc:
    """A slip as it stands in a resolve: the honest one of blue with fields changed and signed by somebody."""
    doc = canon.decode(match.slip("blue").raw) | change
    return {"link": doc["link"], "seat": "blue", "sig": by.sign(keys.SLIP, canon.encode(doc)).hex()}


def test_row_25_slips() -> None:
    match = duel()
    honest = match.resolve_body(match.slips())
    slip = honest["slips"][0]

    def code(*slips: canon.Doc) -> str:
        return match.code("resolve", honest | {"slips": list(slips)})

    assert code(slip, slip) == "E_SLIP"
    assert code(slip, forged_slip(match, key("blue"), link=chain("blue")[2].hex())) == "E_SLIP"
    assert code(forged_slip(match, key("blue"), request=match.events[1].id)) == "E_SLIP"
    assert code(forged_slip(match, key("blue"), game=DEAD)) == "E_SLIP"
    assert code(forged_slip(match, key("blue"), batch=2)) == "E_SLIP"
    assert code(forged_slip(match, key("blue"), seat="red")) == "E_SLIP"
    assert code(forged_slip(match, key("red"))) == "E_SLIP"
    assert code(forged_slip(match, responder("blue"))) == "E_SLIP"


def test_row_25_responder_key_signs_slips_and_nothing_else() -> None:
    match = duel(responds=("blue",))
    by_move_key = match.resolve_body([match.author("blue").slip()])
    assert match.code("resolve", by_move_key) == "E_SLIP"
    doc = match.doc("resolve", match.resolve_body(match.slips()))
    assert match.refusal(sign_line(responder("blue"), canon.encode(doc))).code == "E_SIG"
    assert match.code("agree", {"result": "draw", "consents": [{"seat": "red", "sig": "0" * 128}]}) == "E_CONSENT"
    match.resolve()


def test_row_27_contributors_are_dictated_by_the_charter() -> None:
    match = attacked(seats=("red", "blue", "green"), witness=True)
    match.handover()
    body = match.resolve_body(match.slips())
    slips = body["slips"]
    assert [slip["seat"] for slip in slips] == ["blue", "green", "witness"]
    for chosen in ([], slips[:1], slips[1:], slips[:2], slips[::-1]):
        assert match.code("resolve", body | {"slips": chosen}) == "E_CONTRIB"
    own = {"link": chain("red")[1].hex(), "seat": "red", "sig": slips[0]["sig"]}
    assert match.code("resolve", body | {"slips": [*slips[:2], own, slips[2]]}) == "E_CONTRIB"
    stranger = slips[0] | {"seat": "black"}
    assert match.code("resolve", body | {"slips": [*slips, stranger]}) == "E_CONTRIB"
    match.resolve()


def test_row_27_teams_keep_a_contributor_when_their_first_seat_leaves() -> None:
    match = attacked(seats=("red", "blue", "green"), contributors="teams", teams=[["red"], ["blue", "green"]])
    assert match.fold.contributors("red") == ("blue", "red")
    match.handover()
    match.resolve()
    assert match.fold.contributors("green") == ("green", "red")
    match.write("resign")
    assert match.fold.contributors("red") == ("green", "red")
    assert match.fold.contributors("green") == ("green", "red")


def test_row_27_one_team_cannot_make_dice_alone() -> None:
    for teams in ([["red", "blue"]], [["blue", "red"]]):
        assert code_of(charter.make_game, charter_doc(contributors="teams", teams=teams)) == "E_POLICY"
    assert code_of(charter.make_game, charter_doc(contributors="teams")) == "E_CHARTER"
    assert code_of(charter.make_game, charter_doc(contributors="teams", teams=[["red", "blue"], []])) == "E_FIELDS"


def test_row_28_dice_are_derived_never_written() -> None:
    match = Match()
    assert match.code("attack", {"target": "blue", "dice": [6, 6]}) == "E_FIELDS"
    match = duel()
    body = match.resolve_body(match.slips())
    assert match.code("resolve", body | {"dice": [6, 6]}) == "E_FIELDS"
    assert match.code("resolve", body | {"seed": DEAD}) == "E_FIELDS"


def test_row_29_moves_cannot_touch_labels() -> None:
    """Plans, notes and other attacks before leave the label and so the dice of an attack as they are."""
    games = [duel() for _ in range(3)]
    other = Match()
    other.order("move", unit="u2", to=9)
    other.write("note", {"text": "t1/attack/blue#7"})
    other.order("attack", target="blue", plan="all out")
    other.handover()
    for match in (*games, other):
        match.resolve()
    assert {tuple(match.fold.state.values) for match in (*games, other)} == {tuple(games[0].fold.state.values)}
    assert games[0].fold.labels == other.fold.labels == {"t1/attack/blue": 1}


def test_row_30_order_of_moves_cannot_move_dice() -> None:
    """Whatever else is rolled in the same batch, one label has one value."""
    match = duel(options={"rolls": "3"})
    match.resolve()
    assert match.fold.batch is not None
    seed = match.fold.batch.seed
    assert seed is not None
    attack = dice.roll(seed, "t1/attack/blue#1", (6, 6))
    assert match.fold.state.values[0] == f"t1/attack/blue#1 {attack[0]} {attack[1]}"
    cards = dice.draw(seed, "t1/draw/red#1", 2, CARDS)
    assert match.fold.state.values[1] == "t1/draw/red#1 " + " ".join(cards)
    order = dice.shuffle(seed, "t1/order#1", 4)
    assert match.fold.state.values[2] == "t1/order#1 " + " ".join(map(str, order))


def test_row_31_a_plan_cannot_be_edited_once_it_is_out() -> None:
    match = duel()
    match.slip("blue")  # blue has released
    edited = resigned_line(match.lines()[1], key("red"), {"body": {"target": "blue", "plan": "other"}})
    assert match.refusal(edited).code == "E_FORK"
    again = resigned_line(match.lines()[2], key("red"), {"body": match.events[2].body | {"at": 1}})
    assert match.refusal(again).code == "E_FORK"


def test_row_31_a_slip_fits_one_request() -> None:
    """The dice of a second variant cannot be had with the slip for the first."""
    first, second = duel(), duel()
    variant = Match()
    variant.order("move", unit="u1", to=6)
    variant.order("attack", target="blue")
    variant.handover()
    slip = first.slip("blue")
    assert variant.code("resolve", variant.resolve_body([slip])) == "E_SLIP"
    assert second.slip("blue").line() == slip.line()  # the same request gets the same slip


# --- 45: positions ---


def test_row_45_drifted_rules_are_divergence() -> None:
    match = duel()
    verdict = match.verdict(drift="zone of control")
    assert (verdict.word, verdict.code, verdict.event, verdict.seq) == ("DIVERGED", "E_STATE", 3, 2)
    assert match.code("handover", {"count": 1, "next": "red", "owed": ["ask"], "state": DEAD}) == "E_BATCH"
    match.resolve()
    match.order("lose", points=1)
    assert match.code("handover", match.handover_body(state=DEAD)) == "E_STATE"
    assert match.code("handover", match.handover_body(state=DEAD, owed=[], next="blue")) == "E_STATE"


# --- 53 to 56, 58, 59, 68 ---


def test_row_53_consents() -> None:
    match = Match(seats=("red", "blue", "green"))
    draw = {"result": "draw"}
    honest = match.with_consents("agree", draw)
    by_blue, by_green = honest["consents"]

    def code(*consents: canon.Doc, **change: Any) -> str:
        return match.code("agree", {**draw, "consents": list(consents), **change})

    assert code() == "E_CONSENT"
    assert code(by_blue) == "E_CONSENT"
    assert code(by_green, by_blue) == "E_CONSENT"
    assert code(by_blue, by_blue) == "E_CONSENT"
    assert code(by_blue, {"seat": "green", "sig": by_blue["sig"]}) == "E_CONSENT"
    assert code(by_blue, by_green, {"seat": "red", "sig": by_green["sig"]}) == "E_CONSENT"
    assert code(by_blue, by_green, result="red") == "E_CONSENT"
    assert code(by_blue, by_green, result="black") == "E_FIELDS"
    for wrong in (
        match.with_consents("resign", draw),
        match.with_consents("agree", draw, seq=2),
        match.with_consents("agree", draw, prev=DEAD),
        match.with_consents("agree", {"result": "none"}),
        Match(seats=("red", "blue", "green"), setup="22" * 32).with_consents("agree", draw),
    ):
        assert match.code("agree", wrong | draw) == "E_CONSENT"
    match.order("move", unit="u1", to=5)
    assert match.code("agree", honest) == "E_CONSENT"  # the holder played on
    match.agree("draw")


def test_row_53_consent_signed_for_another_purpose() -> None:
    match = Match()
    doc = record.consent_doc(
        game=match.game.id, seat="blue", of="agree", body={"result": "draw"}, prev=match.game.id, seq=1
    )
    sig = key("blue").sign(keys.EVENT, canon.encode(doc)).hex()
    assert match.code("agree", {"result": "draw", "consents": [{"seat": "blue", "sig": sig}]}) == "E_CONSENT"


def said_body(match: Match, by: str = "red", sign: str = "", **change: Any) -> canon.Doc:
    doc = {**canon.decode(match.author("red").statement("resign").raw), "seat": by} | change
    signed = record.write_statement(key(sign or by), doc)
    return {"said": {"sig": signed.sig.hex(), "statement": canon.decode(signed.raw)}}


def test_row_54_statements_that_cannot_be_carried() -> None:
    match = duel()
    assert match.code("carry", said_body(match, about=DEAD)) == "E_SAID"
    assert match.code("carry", said_body(match, about=match.events[1].id)) == "E_SAID"
    assert match.code("carry", said_body(match, about=match.game.id)) == "E_SAID"
    assert match.code("carry", said_body(match, by="blue")) == "E_SAID"
    assert match.code("carry", said_body(match, sign="blue")) == "E_SIG"
    assert match.code("carry", said_body(match, game=DEAD)) == "E_GAME"
    assert match.code("carry", said_body(match, by="green", sign="red")) == "E_SIG"
    assert match.code("carry", said_body(match, kind="claim", debtor="blue", owes=4, days=3)) == "E_SAID"
    assert match.code("carry", said_body(match, kind="offer", result="draw", seq=4)) == "E_SAID"
    assert match.code("carry", {**said_body(match), "consents": []}) == "E_CONSENT"
    body = said_body(match)
    body["said"]["statement"]["extra"] = 1
    assert match.code("carry", body) == "E_FIELDS"
    body["said"]["statement"] = {"kind": ["resign"]}
    assert match.code("carry", body) == "E_FIELDS"
    body["said"]["statement"] = {}
    assert match.code("carry", body) == "E_FIELDS"


def test_row_54_nothing_is_carried_twice() -> None:
    match = Match(seats=("red", "blue", "green"))
    match.order("end")
    body = said_body(match)
    match.handover()
    assert match.code("carry", body) == "E_SAID"  # red has written since
    says = canon.decode(match.author("red").statement("resign").raw)
    signed = record.write_statement(key("red"), says)
    body = {"said": {"sig": signed.sig.hex(), "statement": says}}
    match.write("carry", body)
    assert match.code("carry", body) == "E_SAID"
    later = record.write_statement(key("red"), says | {"about": match.fold.head})
    again = {"said": {"sig": later.sig.hex(), "statement": canon.decode(later.raw)}}
    assert match.code("carry", again) == "E_RULE"


def said_line(match: Match, by: str = "red", **change: Any) -> bytes:
    doc = canon.decode(match.author(by).statement("resign").raw) | change
    return record.write_statement(key(by), doc).line()


def test_row_54_said_lines() -> None:
    match = duel()

    def verdict(tail: bytes) -> tuple[str, int | None]:
        found = match.verdict(match.file() + tail)
        return found.code, found.event

    good = said_line(match)
    assert verdict(good) == ("", None)
    assert verdict(good + good) == ("E_LINE", 4)
    assert verdict(said_line(match, kind="offer", result="draw", seq=4)) == ("E_LINE", 4)
    assert verdict(said_line(match, kind="ask_head", nonce=DEAD)) == ("E_LINE", 4)
    assert verdict(said_line(match, about=DEAD)) == ("E_SAID", 4)
    assert verdict(said_line(match, about=match.events[0].id)) == ("E_SAID", 4)
    assert verdict(said_line(match, kind="claim", debtor="green", owes=4, days=3)) == ("E_SAID", 4)
    assert verdict(said_line(match, game=DEAD)) == ("E_GAME", 4)
    assert verdict(good.replace(b"said ", b"said  ")) == ("E_LINE", 4)
    assert verdict(good[:-1] + b"\r\n") == ("E_LINE", 4)
    word, sig, raw = parts(good)
    assert verdict(b" ".join((word, sig[::-1], raw)) + b"\n")[0] == "E_SIG"


def test_row_54_statement_before_event_1() -> None:
    match = Match()
    line = said_line(match, by="blue")
    assert b'"about":"' + match.game.id.encode() in line
    verdict = match.verdict(match.file() + line)
    assert verdict.line() == "VALID, blue resigned"


def test_row_55_statements_become_history() -> None:
    match = duel()
    plain = match.verdict().line()
    claim = said_line(match, kind="claim", debtor="blue", owes=4, days=30)
    words = f"red claims: blue owes event 4 since {match.fold.head[:16]}; the 30 days are red's word"
    assert match.verdict(match.file() + claim).line() == f"{plain}, {words}"
    resign = said_line(match)
    assert match.verdict(match.file() + resign).line() == "VALID, red resigned"
    file = match.file() + resign + claim
    match.resolve()
    without = match.verdict()
    assert match.verdict(file + match.lines()[-1]).line() == without.line()
    assert without.word == "VALID SO FAR"


def test_row_56_next() -> None:
    match = attacked()
    assert match.code("handover", match.handover_body(next="green")) == "E_NEXT"
    assert match.code("handover", match.handover_body(next=None)) == "E_NEXT"
    own = Match()
    body = {"count": 1, "next": "blue", "owed": ["ask"], "state": own.fold.digest()}
    assert own.code("handover", body) == "E_NEXT"  # red is asked itself
    assert own.code("handover", body | {"next": "red"}) == "E_NEXT"
    three = Match(seats=("red", "blue", "green"))
    three.order("end")
    for wrong in ("red", "green", "black", None):
        assert three.code("handover", three.handover_body(next=wrong)) == "E_NEXT"
    three.handover()
    assert three.fold.holder == "blue"


def test_row_56_dice_may_go_to_any_seat() -> None:
    """Under `sealed` the request may name whoever should see the dice first, the sender too."""
    for name in ("red", "blue", "green"):
        match = attacked(seats=("red", "blue", "green"))
        match.write("handover", match.handover_body(next=name))
        assert match.fold.holder == name
        slips = [match.author(seat).slip() for seat in ("blue", "green")]
        match.write("resolve", match.resolve_body(slips))


def test_row_58_nobody_chooses_between_request_and_dice() -> None:
    match = duel()
    assert match.code("lose", {"points": 1}) == "E_BATCH"
    assert match.code("salute", {"loud": False}) == "E_BATCH"
    assert (
        match.code("handover", {"count": 1, "next": "red", "owed": ["dice"], "state": match.fold.digest()}) == "E_BATCH"
    )
    match.write("note", {"text": "waiting"})
    body = match.resolve_body(match.slips())
    assert match.code("resolve", body | {"batch": 2}) == "E_BATCH"
    match.write("resolve", body)
    assert match.code("resolve", body) == "E_BATCH"
    match.order("lose", points=1)
    assert match.code("resolve", body) == "E_BATCH"


def test_row_58_a_second_roll_needs_a_second_batch() -> None:
    match = duel(options={"after": "same"})
    match.resolve()
    assert match.fold.holder == "red"
    match.order("lose", points=1)
    match.order("attack", target="blue")
    assert match.fold.batch is None
    assert match.fold.state.queue
    assert match.fold.needs_request()
    match.handover()
    assert match.fold.requested == 2


def test_row_58_nobody_leaves_between_request_and_dice() -> None:
    match = attacked(seats=("red", "blue", "green"))
    match.handover()
    assert match.code("resign", {}) == "E_BATCH"
    says = match.author("green").statement("resign")
    carry = {"said": {"sig": says.sig.hex(), "statement": canon.decode(says.raw)}}
    assert match.code("carry", carry) == "E_BATCH"
    assert match.code("carry", {"said": {"sig": "0" * 128, "statement": canon.decode(says.raw)}}) == "E_BATCH"
    match.resolve()
    match.write("resign")
    assert "blue" not in match.fold.in_game


def test_row_58_with_two_seats_one_may_resign() -> None:
    match = duel()
    match.write("resign")
    assert match.fold.asks == ()
    match.handover()
    assert match.verdict().word == "VALID"


def test_row_59_labels_are_counted_for_the_whole_game() -> None:
    match = Match()
    for use in (1, 2, 3):
        match.order("attack", target="blue")
        match.handover()
        match.resolve()
        assert match.fold.state.values[-1].startswith(f"t1/attack/blue#{use} ")
        match.order("lose", points=1)
        match.handover()
    assert match.fold.labels == {"t1/attack/blue": 3}


def test_row_59_a_stem_holds_no_number_sign() -> None:
    class Cheat(Duel):
        def pending(self, s: Any) -> Any:
            asks = super().pending(s)
            return tuple(Roll(ask.stem + "#1", "5", dice=(6,)) if isinstance(ask, Roll) else ask for ask in asks)

    match = duel()
    fold = Fold(match.game, Ruleset(Cheat(), Start("duel", {}, ("red", "blue"), 1, None)))
    for event in match.events:
        fold.take(event)
    with pytest.raises(ValueError, match="stem"):
        fold.take(match.author().resolve(match.slips()))


def test_row_68_open_dice() -> None:
    match = Match(policy="open")
    assert match.fold.holder == "blue"  # red moves first
    assert match.code("note", {"text": "x"}) == "E_BATCH"
    assert match.code("salute", {"loud": True}) == "E_BATCH"
    assert match.code("resign", {}) == "E_BATCH"
    assert match.code("agree", match.with_consents("agree", {"result": "draw"})) == "E_BATCH"
    body = match.handover_body()
    assert match.code("handover", body, seat="red") == "E_BATON"
    assert match.code("handover", body | {"next": "blue"}) == "E_NEXT"
    assert match.code("handover", body | {"link": chain("blue")[2].hex()}) == "E_LINK"
    assert match.code("handover", body | {"batch": 2, "link": chain("blue")[2].hex()}) == "E_BATCH"
    match.handover()
    assert match.code("resolve", {"batch": 1, "link": chain("red")[1].hex()}) == "E_BATCH"  # no dice are due
    match.order("attack", target="blue")
    for kind, fields in (("note", {"text": "x"}), ("salute", {"loud": True}), ("resign", {}), ("handover", body)):
        assert match.code(kind, fields) == "E_BATCH", kind
    for index in (0, 2):
        assert match.code("resolve", {"batch": 1, "link": chain("red")[index].hex()}) == "E_LINK"
    assert match.code("resolve", {"batch": 1, "link": chain("blue")[1].hex()}) == "E_LINK"
    assert match.code("resolve", {"batch": 2, "link": chain("red")[2].hex()}) == "E_BATCH"
    assert match.code("resolve", {"batch": 1, "slips": []}) == "E_OWED"
    match.resolve()
    match.handover()
    assert match.fold.requested == 2


def test_row_68_open_dice_are_not_for_three() -> None:
    assert code_of(charter.make_game, charter_doc(("red", "blue", "green"), "open")) == "E_POLICY"


def test_row_68_solitaire_has_one_handover() -> None:
    match = Match(seats=("red",), policy="open")
    state = match.fold.digest()
    own = {"count": 1, "next": "red", "owed": ["ask"], "state": state}
    assert match.code("handover", own) == "E_NEXT"
    match.order("attack", target="red")
    asked = {
        "count": 2,
        "next": "red",
        "owed": ["dice"],
        "state": match.fold.digest(),
        "batch": 1,
        "link": chain("red")[1].hex(),
    }
    assert match.code("handover", asked) == "E_NEXT"
    assert match.code("resolve", {"batch": 2, "link": chain("red")[2].hex()}) == "E_BATCH"
    assert match.code("resolve", {"batch": 1, "link": chain("red")[2].hex()}) == "E_LINK"
    assert match.code("move", {"unit": "u1", "to": 5}) == "E_RULE"
    match.resolve()


# --- what a program without the rules still refuses ---


def test_without_rules_nothing_raises_and_the_chain_is_checked() -> None:
    match = duel(witness=True)

    def missing(game: charter.Game) -> Ruleset:
        raise Incomplete("edition 1 of duel")

    for line, code in [
        (match.forge("note", {"text": "x"}, seat="witness"), "E_SIG"),
        (match.forge("handover", {"count": 2, "owed": [], "state": DEAD}), "E_OWED"),
        (match.forge("handover", {"count": 1, "owed": [], "state": DEAD, "batch": 2}), "E_OWED"),
        (match.forge("resolve", {"batch": 9, "slips": []}), "E_BATCH"),
        (match.forge("heal", {}), "E_FIELDS"),
    ]:
        verdict = verify.verify(io.BytesIO(match.file() + line), missing, workers=0)
        assert verdict.code == code
    assert rules_for(match.game).engine.id == "duel"
    assert json.loads(match.game.raw)["witness"]
