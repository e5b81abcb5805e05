"""Events, statements, slips and bodies: what a line may say, before any game is asked."""

from __future__ import annotations

import hashlib
from typing import Any, get_args

import pytest
from builder import Match, duel, key, sign_line
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem import canon, keys, record
from pbem.errors import Refused
from pbem.record import BODIES, CORE_FIELDS, CORE_KINDS, STATEMENTS, parse, split_line

HASH, SIG = "ab" * 32, "cd" * 64
CONSENTS = [{"seat": "blue", "sig": SIG}]
ITEM = {"content": "c17", "salt": HASH, "slot": "red-deck/1/0"}
SEAL = {"what": "choice", "name": "t1/art#1", "hashes": [HASH]}

# One full body of every core kind, from the table of protocol 2.3; fields that may be absent are listed behind it.
FULL: dict[str, tuple[dict[str, Any], set[str]]] = {
    "handover": (
        {"count": 1, "state": HASH, "owed": ["dice"], "next": "blue", "batch": 1, "link": HASH,
         "beacon": {"chain": HASH, "round": 5}, "at": 0},
        {"next", "batch", "link", "beacon", "at"},
    ),
    "resolve": (
        {"batch": 1, "slips": [{"link": HASH, "seat": "blue", "sig": SIG}], "link": HASH,
         "beacon": {"round": 5, "sig": "00"}},
        {"slips", "link", "beacon"},
    ),
    "seal": (SEAL | {"epoch": 1, "from": ["red-deck/1/0"]}, {"epoch", "from"}),
    "open": ({"items": [ITEM]}, set()),
    "disclose": ({"name": "red-deck", "secret": HASH, "contents": ["c17"]}, set()),
    "note": ({"text": "x"}, set()),
    "play_on": ({}, set()),
    "react": ({"at": 1, "order": "fire", "fields": {"a": 1}, "opens": [ITEM], "seals": [SEAL]}, {"opens", "seals"}),
    "waive": ({"window": "fire", "on": True}, set()),
    "carry": ({"said": {"sig": SIG, "statement": {}}, "consents": CONSENTS}, {"consents"}),
    "resign": ({}, set()),
    "agree": ({"result": "draw", "consents": CONSENTS}, set()),
    "undo": ({"to": 0, "consents": CONSENTS}, set()),
    "heal": ({"to": 0, "burn": 0, "lost": [HASH], "consents": CONSENTS}, set()),
    "amend": ({"old": {"options": {}}, "new": {"options": {}}, "consents": CONSENTS}, set()),
    "rekey": ({"new": HASH, "proof": SIG, "responder": HASH, "consents": CONSENTS}, {"responder"}),
    "transfer": (
        {"seat": "red", "key": HASH, "proof": SIG, "name": "Ann", "responder": HASH, "box": HASH, "consents": CONSENTS},
        {"name", "responder", "box"},
    ),
    "replace": (
        {"seat": "red", "key": HASH, "proof": SIG, "name": "Ann", "responder": HASH, "box": HASH, "consents": CONSENTS,
         "anchor": HASH, "links": 64, "lost": ["red-deck"]},
        {"name", "responder", "box"},
    ),
    "rechain": ({"anchor": HASH, "links": 64, "consents": CONSENTS}, {"consents"}),
    "drop": ({"seat": "green", "consents": CONSENTS}, set()),
}  # fmt: skip


def code_of(act: Any, *args: Any) -> str:
    with pytest.raises(Refused) as refused:
        act(*args)
    return refused.value.code


# --- core kinds ---


def test_core_kinds_are_a_closed_list() -> None:
    assert set(FULL) == set(BODIES) == CORE_KINDS
    assert len(CORE_KINDS) == 20
    assert sorted(CORE_FIELDS) == ["boxes", "consents", "opens", "seals"]


@pytest.mark.parametrize("kind", sorted(FULL))
def test_body_fields_are_those_of_the_table(kind: str) -> None:
    body, optional = FULL[kind]
    model = BODIES[kind]
    parse(model, body)
    parse(model, body | {"boxes": [{"data": "00", "to": "blue"}]})
    assert code_of(parse, model, body | {"other": 1}) == "E_FIELDS"
    assert code_of(parse, model, body | {"boxes": []}) == "E_FIELDS"
    for field in body:
        without = {k: v for k, v in body.items() if k != field}
        if field in optional:
            parse(model, without)
        else:
            assert code_of(parse, model, without) == "E_FIELDS", field


@pytest.mark.parametrize("kind", sorted(FULL))
def test_wrong_types_inside_bodies_are_refused_not_converted(kind: str) -> None:
    body, _ = FULL[kind]
    wrong: list[Any] = [True, 3, -1, "x", "é", [], {}, [[]], [{}], [1], {"a": 1}, "A" * 64, "a" * 63, 2**53 - 1]
    for field, value in body.items():
        for other in wrong:
            if kind in {"amend", "react", "carry"} and isinstance(other, dict):
                continue  # objects are free there
            try:
                got = parse(BODIES[kind], body | {field: other})
            except Refused as refused:
                assert refused.code == "E_FIELDS"  # noqa: PT017
                continue
            assert got.model_dump(mode="json", by_alias=True, exclude_none=True) == body | {field: other}
            assert type(other) is type(value), (field, other)


def test_refusals_name_the_field_and_never_echo_the_input() -> None:
    with pytest.raises(Refused, match=r"field owed\.0") as refused:
        parse(BODIES["handover"], FULL["handover"][0] | {"owed": ["<script>"]})
    assert "script" not in str(refused.value)


# --- events ---


def test_event_id_and_line_by_hand() -> None:
    match = Match()
    event = match.order("move", unit="u1", to=5)
    assert event.id == hashlib.sha256(b"pbem/v1/event\0" + event.raw).hexdigest()
    assert event.line() == b"pbem1 " + event.sig.hex().encode() + b" " + event.raw + b"\n"
    assert record.read_event(event.line()) == event
    body = b'{"body":{"to":5,"unit":"u1"},"game":"%s","kind":"move","prev":"%s","seat":"red","seq":1,"v":1}'
    game = match.game.id.encode()
    assert event.raw == body % (game, game)


def test_event_that_is_too_large_is_not_signed() -> None:
    match = Match()
    for text, code in (("x" * 65_000, "E_FIELDS"), ("x" * 65_536, "E_SIZE")):
        assert code_of(match.author().note, text) == code


@given(st.binary(max_size=300), st.sampled_from([b"pbem1", b"said", b"slip", b"receipt", b"entry"]))
@settings(max_examples=150, deadline=None)
def test_no_line_raises_anything_else(junk: bytes, word: bytes) -> None:
    sig = SIG.encode()
    for line in (
        junk,
        word + b" " + junk,
        word + b" " + sig + b" " + junk + b"\n",
        word + b" " + sig + b" {" + junk + b"}\n",
    ):
        for read in (record.read_event, record.read_statement, record.read_slip, record.read_receipt):
            with pytest.raises(Refused):
                read(line)


@given(st.dictionaries(st.sampled_from(["v", "game", "seq", "prev", "seat", "kind", "body"]), st.one_of(
    st.integers(-3, 3), st.booleans(), st.just(HASH), st.just("red"), st.just("note"), st.just({}), st.lists(st.just(1))
)))  # fmt: skip
@settings(max_examples=150, deadline=None)
def test_envelopes_are_an_event_or_refused(change: dict[str, Any]) -> None:
    doc = {"v": 1, "game": HASH, "seq": 1, "prev": HASH, "seat": "red", "kind": "note", "body": {}} | change
    raw = canon.encode(doc)
    try:
        event = record.event_of(doc, raw, bytes(64))
    except Refused as refused:
        assert refused.code == "E_FIELDS"  # noqa: PT017
        return
    assert (event.seq, event.seat, event.kind) == (doc["seq"], doc["seat"], doc["kind"])
    assert type(doc["v"]) is type(doc["seq"]) is int


def test_split_line() -> None:
    line = b"slip " + SIG.encode() + b" {}\n"
    assert split_line(b"slip", line) == (bytes.fromhex(SIG), b"{}")
    for other in (
        b"",
        b"\n",
        line[:-1],
        line * 2,
        line.replace(b"slip", b"slap"),
        line.replace(b"{", b"["),
        b" " + line,
    ):
        if other == line * 2:
            assert code_of(record.read_slip, other) in {"E_JSON", "E_LINE"}
        else:
            assert code_of(split_line, b"slip", other) == "E_LINE"


# --- statements, slips, receipts ---

STATEMENT_FIELDS = {  # protocol 2.3
    "consent": {"act": HASH, "of": "undo", "prev": HASH, "seq": 4},
    "ask_undo": {"about": HASH, "to": 0, "seq": 4},
    "offer": {"about": HASH, "result": "draw", "seq": 4},
    "ask_head": {"about": HASH, "nonce": HASH},
    "resign": {"about": HASH},
    "claim": {"about": HASH, "debtor": "blue", "owes": 41, "days": 30},
    "rekey": {"about": HASH, "old": HASH, "new": HASH, "proof": SIG},
}


@pytest.mark.parametrize("kind", sorted(STATEMENT_FIELDS))
def test_statements_have_the_fields_of_the_table(kind: str) -> None:
    assert set(STATEMENTS) == set(STATEMENT_FIELDS)
    doc = {"game": HASH, "kind": kind, "seat": "red", "v": 1} | STATEMENT_FIELDS[kind]
    signed = record.write_statement(key("red"), doc)
    assert record.read_statement(signed.line()).says == signed.says
    keys.VerifyKey(key("red").public).check(keys.STATEMENT, canon.encode(doc), signed.sig)
    for field in doc:
        assert code_of(record.statement_of, {k: v for k, v in doc.items() if k != field}) == "E_FIELDS"
        assert code_of(record.statement_of, doc | {field: [doc[field]]}) == "E_FIELDS"
    assert code_of(record.statement_of, doc | {"more": 1}) == "E_FIELDS"
    assert code_of(record.statement_of, doc | {"kind": "other"}) == "E_FIELDS"


def test_consent_covers_the_body_without_its_consents() -> None:
    body = {"to": 1}
    assert record.act_hash(body) == hashlib.sha256(b'{"to":1}').hexdigest()
    assert record.act_hash(body | {"consents": CONSENTS}) == record.act_hash(body)


def test_slips_and_receipts() -> None:
    match = duel()
    slip = match.slip("blue")
    assert set(canon.decode(slip.raw)) == {"batch", "game", "link", "request", "seat"}
    assert record.read_slip(slip.line()) == slip
    receipt = {"at": 1, "game": HASH, "head": HASH, "seat": "red", "seq": 0}
    for more in ({}, {"nonce": HASH}, {"nonce": HASH, "slip": {"batch": 1, "request": HASH}}):
        line = sign_line(key("red"), canon.encode(receipt | more), keys.RECEIPT, b"receipt")
        assert record.read_receipt(line).says.seq == 0
    for bad in ({"seq": -1}, {"at": "now"}, {"slip": {"batch": 0, "request": HASH}}, {"kind": "receipt"}):
        line = sign_line(key("red"), canon.encode(receipt | bad), keys.RECEIPT, b"receipt")
        assert code_of(record.read_receipt, line) == "E_FIELDS"


def test_no_seat_name_can_be_a_pattern_or_a_path() -> None:
    assert get_args(record.SeatId)
    for name in ("", "Red", "red-1", "red/blue", "../x", "*", "red,blue", "1red", "a" * 17, "red\n", "ré"):
        doc = {"game": HASH, "kind": "resign", "seat": name, "v": 1, "about": HASH}
        assert code_of(record.statement_of, doc) == "E_FIELDS"
