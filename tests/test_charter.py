"""Draft, entries, charter, seals [protocol 2.4]."""

from __future__ import annotations

from typing import Any

import pytest
from builder import Match, charter_doc, entry, key, responder, sign_line

from pbem import canon, charter, keys
from pbem.errors import PbemError, Refused

WITNESS = {k: v for k, v in entry("witness").items() if k != "seat"}


def code_of(act: Any, *args: Any) -> str:
    with pytest.raises(Refused) as refused:
        act(*args)
    return refused.value.code


def draft_doc(*open_seats: str, **more: Any) -> canon.Doc:
    doc = charter_doc(("red", "blue", "green") if len(open_seats) > 1 else ("red", "blue"))
    doc["seats"] = [{"seat": one["seat"]} if one["seat"] in open_seats else one for one in doc["seats"]]
    return doc | {"kind": "draft"} | more


def test_two_seats_come_to_an_agreement() -> None:
    draft = charter.read_draft(charter.make_draft(draft_doc("blue")).line())
    assert draft.open_seats() == ("blue",)
    line = charter.write_entry(key("blue"), draft, entry("blue"))
    assert charter.read_entry(line, draft) == entry("blue")
    game = charter.merge(draft, [charter.read_entry(line, draft)])
    assert game.id == Match().game.id  # the same charter as if it had been written at once
    charter.same_agreement(game, draft)
    for seat in game.seats:
        assert charter.read_seal(charter.seal(key(seat), game, seat), game) == seat


def test_three_seats_and_a_witness() -> None:
    draft = charter.make_draft(draft_doc("blue", "green", witness={}))
    assert draft.open_seats() == ("blue", "green", "witness")
    entries = [
        charter.read_entry(charter.write_entry(key("witness"), draft, WITNESS), draft),
        charter.read_entry(charter.write_entry(key("green"), draft, entry("green")), draft),
        charter.read_entry(charter.write_entry(key("blue"), draft, entry("blue")), draft),
    ]
    game = charter.merge(draft, entries)
    assert game.seats == ("red", "blue", "green")
    assert game.sealers() == ("red", "blue", "green", "witness")
    assert game.key_of("witness") == key("witness").public.hex()
    charter.same_agreement(game, draft)
    for seat in game.sealers():
        assert charter.chain_of(game, seat) is not None


def test_draft_hash_is_h_of_its_bytes() -> None:
    draft = charter.make_draft(draft_doc("blue"))
    assert draft.id == canon.H("pbem/v1/draft", draft.raw).hex()
    assert charter.game_id(draft.raw) != draft.id


# --- row 70: what differs from the draft is shown and not sealed ---


@pytest.mark.parametrize(
    ("field", "value", "shown"),
    [
        ("options", {"turns": "9"}, 'options: draft {}, charter {"turns":"9"}'),
        ("scenario", "melee", 'scenario: draft "duel", charter "melee"'),
        ("data", "c" * 64, "data: draft"),
        ("rules", {"id": "duel", "version": "2", "digest": "a" * 64}, "rules: draft"),
        ("dice", {"policy": "open", "contributors": "all_others", "expand": "hmac-sha256-64"}, "dice: draft"),
        ("clock", {"days": 1, "reminders": 0}, "clock: draft nothing"),
        ("teams", [["red"], ["blue"]], "teams: draft nothing"),
        ("setup", "22" * 32, "setup: draft"),
        ("previous", "22" * 32, "previous: draft nothing"),
        ("witness", WITNESS, "witness"),
    ],
)
def test_row_70_changed_charter(field: str, value: Any, shown: str) -> None:
    draft = charter.make_draft(draft_doc("blue"))
    game = charter.make_game(charter_doc() | {field: value})
    with pytest.raises(Refused, match="E_DRAFT") as refused:
        charter.same_agreement(game, draft)
    assert shown in refused.value.what


def test_row_70_changed_entry_of_the_proposer() -> None:
    draft = charter.make_draft(draft_doc("blue"))
    seats = [entry("red", responds=True), entry("blue")]
    with pytest.raises(Refused, match="entry of red"):
        charter.same_agreement(charter.make_game(charter_doc() | {"seats": seats}), draft)


def test_row_70_other_seats() -> None:
    draft = charter.make_draft(draft_doc("blue"))
    game = charter.make_game(charter_doc() | {"seats": [entry("blue"), entry("red")]})
    with pytest.raises(Refused, match="in its seats"):
        charter.same_agreement(game, draft)


def test_row_70_dropped_witness() -> None:
    draft = charter.make_draft(draft_doc("blue", witness={}))
    with pytest.raises(Refused, match="witness"):
        charter.same_agreement(charter.make_game(charter_doc()), draft)


def test_row_70_entry_for_another_draft() -> None:
    draft, other = (charter.make_draft(draft_doc("blue", setup=setup * 32)) for setup in ("11", "22"))
    line = charter.write_entry(key("blue"), other, entry("blue", setup="22" * 32))
    assert code_of(charter.read_entry, line, draft) == "E_DRAFT"


def test_entries_that_do_not_fit() -> None:
    draft = charter.make_draft(draft_doc("blue"))

    def code(by: keys.SigningKey, brings: canon.Doc) -> str:
        return code_of(charter.read_entry, charter.write_entry(by, draft, brings), draft)

    assert code(key("red"), entry("blue")) == "E_SIG"
    assert code(responder("blue"), entry("blue", responds=True)) == "E_SIG"
    assert code(key("red"), entry("red")) == "E_DRAFT"  # taken by the proposer
    assert code(key("green"), entry("green")) == "E_DRAFT"
    assert code(key("witness"), WITNESS) == "E_DRAFT"
    assert code(key("blue"), entry("blue") | {"key": "01" + "00" * 31}) == "E_WEAKKEY"
    assert code(key("blue"), entry("blue") | {"links": "64"}) == "E_FIELDS"
    assert code(key("blue"), {"seat": "blue"}) == "E_FIELDS"
    assert code(key("blue"), {}) == "E_FIELDS"
    assert code(key("blue"), {"seat": ["blue"]}) == "E_FIELDS"
    line = charter.write_entry(key("blue"), draft, entry("blue"))
    raw = line[:-1].split(b" ", 2)[2]
    for namespace in (keys.EVENT, keys.CHARTER):
        assert code_of(charter.read_entry, sign_line(key("blue"), raw, namespace, b"entry"), draft) == "E_SIG"


def test_no_seat_passes_for_the_witness() -> None:
    draft = charter.make_draft(draft_doc("blue", witness={}))
    line = charter.write_entry(key("witness"), draft, entry("witness"))
    assert code_of(charter.read_entry, line, draft) == "E_DRAFT"


def test_merge_takes_no_entry_for_a_seat_that_is_filled() -> None:
    draft = charter.make_draft(draft_doc("blue"))
    usurped = entry("green") | {"seat": "red"}
    game = charter.merge(draft, [usurped, entry("blue")])
    assert game.entry("red").key == key("red").public.hex()
    assert code_of(charter.merge, draft, []) == "E_FIELDS"
    copied = entry("blue") | {"key": key("red").public.hex()}
    assert code_of(charter.merge, draft, [copied]) == "E_SAMEKEY"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"kind": "charter"}, "E_FIELDS"),
        ({"seats": []}, "E_FIELDS"),
        ({"seats": {}}, "E_FIELDS"),
        ({"seats": ["red"]}, "E_FIELDS"),
        ({"seats": [{"seat": 1}]}, "E_FIELDS"),
        ({"seats": [{}]}, "E_FIELDS"),
        ({"seats": [{"seat": "red"}, {"seat": "red"}]}, "E_CHARTER"),
        ({"seats": [{"seat": "witness"}, {"seat": "red"}]}, "E_CHARTER"),
        ({"seats": [{"seat": "draw"}, {"seat": "red"}]}, "E_CHARTER"),
        ({"seats": [{"seat": "Red"}, {"seat": "blue"}]}, "E_FIELDS"),
        ({"seats": [{"seat": "red"}] * 7}, "E_FIELDS"),
        ({"dice": {"policy": "server", "contributors": "all_others", "expand": "hmac-sha256-64"}}, "E_POLICY"),
        ({"dice": {}}, "E_FIELDS"),
        ({"witness": {"key": 1}}, "E_FIELDS"),
        ({"witness": []}, "E_FIELDS"),
        ({"unknown": 1}, "E_FIELDS"),
        ({"options": {"turns": 1}}, "E_FIELDS"),
        ({"teams": [[], ["red", "blue"]]}, "E_FIELDS"),
        ({"teams": [["red"]]}, "E_CHARTER"),
    ],
)
def test_drafts_that_could_not_become_a_charter(change: canon.Doc, code: str) -> None:
    assert code_of(charter.make_draft, draft_doc("blue") | change) == code
    assert code_of(charter.read_draft, b"draft " + canon.encode(draft_doc("blue") | change) + b"\n") == code


def test_a_charter_no_reader_would_take_is_not_made() -> None:
    options = {f"o{number}": "x" * 2000 for number in range(40)}
    assert code_of(charter.make_game, charter_doc(options=options)) == "E_SIZE"
    assert code_of(charter.make_draft, draft_doc("blue", options=options)) == "E_SIZE"


def test_links_of_64_to_65536() -> None:
    for links, fits in ((63, False), (64, True), (65_536, True), (65_537, False)):
        doc = charter_doc() | {"seats": [entry("red"), entry("blue", links=links)]}
        if fits:
            charter.make_game(doc)
        else:
            assert code_of(charter.make_game, doc) == "E_CHARTER"


def test_seals_bind_one_charter_one_seat_one_purpose() -> None:
    match, other = Match(), Match(setup="22" * 32)
    line = match.seals[0]
    assert code_of(charter.read_seal, line, other.game) == "E_SIG"
    assert code_of(charter.read_seal, line.replace(b'"red"', b'"blue"'), match.game) == "E_SIG"
    assert code_of(charter.read_seal, line.replace(b'"red"', b'"green"'), match.game) == "E_CHARTER"
    assert code_of(charter.read_seal, line.replace(b'"red"', b'"witness"'), match.game) == "E_CHARTER"
    for namespace in (keys.EVENT, keys.ENTRY, keys.STATEMENT):
        sig = key("red").sign(namespace, match.game.raw).hex()
        forged = b"seal " + canon.encode({"seat": "red", "sig": sig}) + b"\n"
        assert code_of(charter.read_seal, forged, match.game) == "E_SIG"


@pytest.mark.parametrize("junk", [b"", b"\n", b"draft\n", b"draft {}\n", b"draft {}", b"draft {}\r\n", b"draft []\n"])
def test_junk_is_refused(junk: bytes) -> None:
    match = Match()
    draft = charter.make_draft(draft_doc("blue"))
    for read in (charter.read_draft, charter.read_charter):
        with pytest.raises(PbemError):
            read(junk)
        with pytest.raises(PbemError):
            read(junk.replace(b"draft", b"charter"))
    with pytest.raises(PbemError):
        charter.read_entry(junk.replace(b"draft", b"entry"), draft)
    with pytest.raises(PbemError):
        charter.read_seal(junk.replace(b"draft", b"seal"), match.game)
