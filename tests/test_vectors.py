"""The vectors, read and judged. Nothing here writes one."""

from __future__ import annotations

import io
import tomllib
from pathlib import Path
from typing import Any

import pytest
from builder import Match, chain, charter_doc, key, rules_for

from pbem import canon, charter, dice, keys, record, registry, verify
from pbem.api import Table
from pbem.errors import Incomplete, Refused
from pbem.replay import Fold, Ruleset, state_digest

HERE = Path(__file__).parent / "vectors"
INDEX = tomllib.loads((HERE / "index.toml").read_text())
GOLDEN = tomllib.loads((HERE / "protocol" / "golden.toml").read_text())
Case = dict[str, Any]


def cases(stage: str) -> Any:
    return pytest.mark.parametrize("case", INDEX[stage], ids=lambda case: Path(case["file"]).stem)


def code_of(act: Any, *args: Any) -> str:
    try:
        act(*args)
    except Refused as refused:
        return refused.code
    return ""


def test_every_file_is_in_the_index() -> None:
    listed = [case["file"] for stage in INDEX.values() for case in stage]
    found = {str(path.relative_to(HERE)).replace("\\", "/") for stage in INDEX for path in (HERE / stage).iterdir()}
    assert set(listed) == found
    assert len(listed) == len(found)


@cases("canon")
def test_documents(case: Case) -> None:
    data = (HERE / case["file"]).read_bytes()
    assert code_of(canon.decode, data) == case["code"]
    if not case["code"]:
        assert canon.encode(canon.decode(data)) == data


@cases("line")
def test_lines(case: Case) -> None:
    data = (HERE / case["file"]).read_bytes()
    assert code_of(record.read_event, data) == case["code"]
    if not case["code"]:
        assert record.read_event(data).line() == data


@cases("charter")
def test_charters(case: Case) -> None:
    data = (HERE / case["file"]).read_bytes()
    assert code_of(charter.read_charter, data) == case["code"]
    if not case["code"]:
        assert charter.read_charter(data).line() == data


def no_rules(game: charter.Game) -> Ruleset:
    raise Incomplete("edition 1 of duel")


@cases("log")
@pytest.mark.parametrize("workers", [0, 2])
def test_logs(case: Case, workers: int) -> None:
    data = (HERE / case["file"]).read_bytes()
    verdict = verify.verify(io.BytesIO(data), rules_for, workers=workers)
    got = {
        "verdict": verdict.word,
        "code": verdict.code,
        "event": verdict.event,
        "seq": verdict.seq,
        "head": verdict.head,
    }
    want = {name: case[name] for name in got if name in case}
    assert {name: got[name] for name in want} == want
    assert verdict.line().startswith(verdict.word)


@cases("log")
def test_logs_without_their_rules(case: Case) -> None:
    """Chain, signatures, links and slips need no rules: the same refusal at the same event."""
    data = (HERE / case["file"]).read_bytes()
    verdict = verify.verify(io.BytesIO(data), no_rules, workers=0)
    if case["verdict"].startswith("VALID"):
        assert verdict.word == "INCOMPLETE"
        assert (verdict.seq, verdict.head) == (case["seq"], case["head"])
    elif not case.get("rules"):
        assert (verdict.word, verdict.code) == (case["verdict"], case.get("code", ""))
        assert verdict.event == case.get("event")


# --- the golden values [protocol 5.1] ---


def golden_key(seat: str) -> keys.SigningKey:
    return keys.SigningKey.from_seed(bytes.fromhex(GOLDEN["seeds"][f"{seat}_key"]))


@pytest.fixture
def golden() -> charter.Game:
    return charter.read_charter(b"charter " + GOLDEN["charter"]["bytes"].encode() + b"\n")


def test_golden_charter(golden: charter.Game) -> None:
    assert len(golden.raw) == 910
    assert golden.id == GOLDEN["charter"]["game_id"]
    for seat in ("red", "blue"):
        line = charter.seal(golden_key(seat), golden, seat)
        assert canon.decode(line[5:-1])["sig"] == GOLDEN["charter"]["seal_" + seat]
        assert charter.read_seal(line, golden) == seat
        chained = charter.chain_of(golden, seat)
        assert chained is not None
        assert chained.chain_id.hex() == GOLDEN["chain"]["id_" + seat]
        chained.accept(1, bytes.fromhex(GOLDEN["chain"]["link_1_" + seat]))
        links = dice.chain(chained.chain_id, bytes.fromhex(GOLDEN["seeds"][seat + "_chain_end"]), 64)
        assert links[0].hex() == golden.entry(seat).anchor
        assert links[1].hex() == GOLDEN["chain"]["link_1_" + seat]


def golden_events() -> list[record.Event]:
    events = []
    for number, seat in (("1", "red"), ("2", "red")):
        raw = GOLDEN["event"][number]["bytes"].encode()
        sig = golden_key(seat).sign(keys.EVENT, raw)
        events.append(record.read_event(b"pbem1 " + sig.hex().encode() + b" " + raw + b"\n"))
    slip = GOLDEN["slip"]
    item = {"link": GOLDEN["chain"]["link_1_blue"], "seat": "blue", "sig": slip["sig"]}
    resolve = record.write_event(
        golden_key("blue"),
        game=GOLDEN["charter"]["game_id"],
        seq=3,
        prev=GOLDEN["event"]["2"]["id"],
        seat="blue",
        kind="resolve",
        body={"batch": 1, "slips": [item]},
    )
    return [*events, resolve]


def test_golden_events(golden: charter.Game) -> None:
    events = golden_events()
    assert events[0].sig.hex() == GOLDEN["event"]["1"]["sig"]
    assert [event.id for event in events] == [GOLDEN["event"][n]["id"] for n in "123"]
    fold = Fold(golden)
    for event in events:
        assert fold.take(fold.read(event.line()))
    assert fold.head == GOLDEN["event"]["3"]["id"]
    assert fold.batch is not None
    assert fold.batch.seed is not None
    assert fold.batch.seed.hex() == GOLDEN["dice"]["batch_seed"]


def test_golden_game_file(golden: charter.Game) -> None:
    seals = b"".join(charter.seal(golden_key(seat), golden, seat) for seat in ("red", "blue"))
    data = golden.line() + seals + b"".join(event.line() for event in golden_events())
    verdict = verify.verify(io.BytesIO(data), no_rules)
    assert verdict.line() == (
        "INCOMPLETE: edition 1 of duel; signatures, chain, dice and seals VALID up to event 3, head "
        + GOLDEN["event"]["3"]["id"]
    )


def test_golden_slip() -> None:
    raw = GOLDEN["slip"]["bytes"].encode()
    slip = record.read_slip(b"slip " + GOLDEN["slip"]["sig"].encode() + b" " + raw + b"\n")
    assert slip.says.request == GOLDEN["event"]["2"]["id"]
    again = record.write_slip(golden_key("blue"), canon.decode(raw))
    assert again.sig.hex() == GOLDEN["slip"]["sig"]
    keys.VerifyKey(golden_key("blue").public).check(keys.SLIP, raw, again.sig)


@pytest.mark.parametrize("roll", GOLDEN["dice"]["roll"], ids=lambda roll: roll["kind"] + "/" + roll["label"])
def test_golden_dice(roll: Case) -> None:
    seed = bytes.fromhex(GOLDEN["dice"]["batch_seed"])
    if roll["kind"] == "dice":
        got = dice.roll(seed, roll["label"], roll["sides"])
    elif roll["kind"] == "draw":
        got = dice.picks(seed, roll["label"], roll["count"], roll["of"])
    else:
        got = dice.shuffle(seed, roll["label"], roll["of"])
    assert list(got) == roll["values"]


def test_golden_digests() -> None:
    position = {"units": ["4/IG 0822 2 --", "r1 0512 2 s-"], "control": ["0512 red"]}
    assert state_digest(position) == GOLDEN["digests"]["state"]
    table = Table("units", ("4/IG 2", "r1 2"), {})
    assert registry.data_digest(((table.name, registry.table_digest(table)),)) == GOLDEN["digests"]["data"]
    assert registry.rules_digest("demo", 1, ("R1 on",)) == GOLDEN["digests"]["rules"]


def test_golden_consent() -> None:
    game, prev = GOLDEN["charter"]["game_id"], GOLDEN["event"]["3"]["id"]
    doc = record.consent_doc(game=game, seat="red", of="undo", body={"to": 1}, prev=prev, seq=4)
    assert record.write_statement(golden_key("red"), doc).sig.hex() == GOLDEN["consent"]["sig"]


def test_golden_slots() -> None:
    """Reserved by the format: the values hold already, from `H` and `K` alone."""
    game = bytes.fromhex(GOLDEN["charter"]["game_id"])
    salt, slots = bytes.fromhex(GOLDEN["seeds"]["salt"]), GOLDEN["slots"]
    content = canon.encode({"guns": [2, 1, 0]})
    assert canon.H("pbem/v1/commit", game, "red", "t1/art#1", salt, content).hex() == slots["commitment"]
    assert canon.H("pbem/v1/slot", game, "red-deck", 1, 0, "c17", salt).hex() == slots["slot_hash"]
    secret = canon.K(bytes.fromhex(GOLDEN["seeds"]["master"]), "pbem/v1/deck", "red-deck")
    assert canon.K(secret, "pbem/v1/salt", 1, 0, 4).hex() == slots["salt_of_slot"]
    value, seed = bytes.fromhex(GOLDEN["seeds"]["private_value"]), bytes.fromhex(GOLDEN["dice"]["batch_seed"])
    private = dice.private_seed(game, "t1/search#1", value, seed)
    assert private.hex() == slots["private_seed"]
    assert dice.roll(private, "t1/search#1", (6,)) == (slots["private_d6"],)


def test_the_builder_uses_the_golden_keys_and_chains() -> None:
    match = Match(charter_doc())
    assert key("red").public == golden_key("red").public
    assert match.game.entry("blue").anchor == chain("blue")[0].hex()
    assert chain("red")[1].hex() == GOLDEN["chain"]["link_1_red"]
