"""Fork proofs: what convicts, and what convicts nobody."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from pbem import canon, charter, keys, log, proof, record
from pbem.errors import Refused, WrongUse
from pbem.record import Event

RED, BLUE = keys.SigningKey.from_seed(b"\1" * 32), keys.SigningKey.from_seed(b"\2" * 32)
NEW = keys.SigningKey.from_seed(b"\7" * 32)
NEXT = "ab" * 32


def game() -> charter.Game:
    def entry(seat: str, key: keys.SigningKey, anchor: str) -> canon.Doc:
        return {"seat": seat, "key": key.public.hex(), "anchor": anchor * 64, "links": 64, "nonce": "cc" * 32}

    return charter.make_game(
        {
            "v": 1,
            "kind": "charter",
            "setup": "11" * 32,
            "rules": {"id": "demo", "version": "1", "digest": "aa" * 32},
            "data": "bb" * 32,
            "scenario": "s1",
            "options": {},
            "seats": [entry("red", RED, "1"), entry("blue", BLUE, "2")],
            "dice": {"policy": "sealed", "contributors": "all_others", "expand": "hmac-sha256-64"},
        }
    )


GAME = game()
SEALS = [charter.seal(RED, GAME, "red"), charter.seal(BLUE, GAME, "blue")]


def event(text: str, *, seq: int = 5, seat: str = "red", key: keys.SigningKey = RED, game: str = "") -> Event:
    return record.write_event(
        key, game=game or GAME.id, seq=seq, prev=NEXT, seat=seat, kind="note", body={"text": text}
    )


def request(batch: int, seq: int) -> Event:
    body = {"batch": batch, "count": 1, "link": "cd" * 32, "next": "blue", "owed": ["dice"], "state": "ee" * 32}
    return record.write_event(RED, game=GAME.id, seq=seq, prev=NEXT, seat="red", kind="handover", body=body)


def rekeyed(*, consent: keys.SigningKey = BLUE, prover: keys.SigningKey = NEW) -> Event:
    doc = b'{"game":"%s","new":"%s","old":"%s","seat":"red"}' % (
        GAME.id.encode(),
        NEW.public.hex().encode(),
        RED.public.hex().encode(),
    )
    body: canon.Doc = {"new": NEW.public.hex(), "proof": prover.sign(keys.REKEY, doc).hex()}
    said = record.consent_doc(game=GAME.id, seat="blue", of="rekey", body=body, prev=NEXT, seq=4)
    body["consents"] = [{"seat": "blue", "sig": consent.sign(keys.STATEMENT, canon.encode(said)).hex()}]
    return record.write_event(RED, game=GAME.id, seq=4, prev=NEXT, seat="red", kind="rekey", body=body)


def made(a: Event, b: Event, *changes: Event, game: charter.Game = GAME, seals: list[bytes] = SEALS) -> bytes:
    """The file of two lines, whatever they prove."""
    lines = [game.line(), *seals, *(one.line() for one in changes), b"fork " + a.line(), b"fork " + b.line()]
    body = proof.MAGIC + b"".join(lines)
    return body + b"sum " + hashlib.sha256(body).hexdigest().encode() + b"\n"


def code(data: bytes) -> str:
    with pytest.raises(Refused) as met:
        proof.read(data)
    return met.value.code


def test_two_events_with_one_number_convict_their_seat() -> None:
    a, b = event("one"), event("two")
    data = proof.write(GAME, SEALS, [], a.line(), b.line())
    fork = proof.read(data)
    assert (fork.seat, fork.seq, fork.ids) == ("red", 5, (a.id, b.id))


def test_two_requests_of_one_batch_convict_their_seat() -> None:
    fork = proof.read(made(request(3, 5), request(3, 9)))
    assert (fork.seat, fork.batch) == ("red", 3)


def test_requests_of_two_batches_convict_nobody() -> None:
    assert code(made(request(3, 5), request(4, 9))) == "E_FORK"


def test_row_09_one_line_twice() -> None:
    assert code(made(event("one"), event("one"))) == "E_FORK"


def test_row_09_a_second_signature_under_one_event_is_no_fork() -> None:
    a = event("one")
    other = Event(a.raw, bytes(64), a.id, a.game, a.seq, a.prev, a.seat, a.kind, a.body)
    assert code(made(a, other)) == "E_SIG"


def test_row_09_another_seats_line() -> None:
    assert code(made(event("one"), event("two", seat="blue", key=BLUE))) == "E_FORK"


def test_row_09_signed_by_the_other_seat() -> None:
    assert code(made(event("one"), event("two", key=BLUE))) == "E_SIG"


def test_row_09_another_game() -> None:
    assert code(made(event("one"), event("two", game="12" * 32))) == "E_GAME"


def test_row_09_an_unsealed_charter() -> None:
    assert code(made(event("one"), event("two"), seals=SEALS[:1])) in ("E_LINE", "E_UNSEALED")
    assert code(made(event("one"), event("two"), seals=[SEALS[0], SEALS[0]])) == "E_UNSEALED"


def test_row_09_a_key_that_was_rotated_out() -> None:
    a, b = event("one"), event("two")
    assert proof.read(made(a, b)).seat == "red"
    assert code(made(a, b, rekeyed())) == "E_SIG"
    new = [event(text, key=NEW) for text in ("one", "two")]
    assert code(made(new[0], new[1])) == "E_SIG"
    assert proof.read(made(new[0], new[1], rekeyed())).seat == "red"


def test_a_key_change_counts_only_with_consent_and_proof() -> None:
    new = [event(text, key=NEW) for text in ("one", "two")]
    assert code(made(new[0], new[1], rekeyed(consent=RED))) == "E_CONSENT"
    assert code(made(new[0], new[1], rekeyed(prover=BLUE))) == "E_REKEY"


def test_a_damaged_proof_is_no_proof() -> None:
    data = made(event("one"), event("two"))
    for place in range(0, len(data), 97):
        assert code(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
    assert code(b"") == "E_PACKET"


def test_compare_writes_it_and_verify_reads_it(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from pbem.cli import group

    first = record.write_event(
        RED, game=GAME.id, seq=1, prev=GAME.id, seat="red", kind="note", body={"text": "the same"}
    )
    ends = [
        record.write_event(RED, game=GAME.id, seq=2, prev=first.id, seat="red", kind="note", body={"text": text})
        for text in ("one", "two")
    ]
    files = [tmp_path / "a.pbem", tmp_path / "b.pbem"]
    for file, end in zip(files, ends, strict=True):
        log.create(file, GAME.line() + b"".join(SEALS) + first.line() + end.line())
    written = tmp_path / "red.fork"
    run = CliRunner()
    done = run.invoke(group, ["compare", str(files[0]), str(files[1]), "--proof", str(written)], standalone_mode=False)
    assert done.return_value == 1
    assert proof.read(written.read_bytes()).ids == (ends[0].id, ends[1].id)
    judged = run.invoke(group, ["verify", str(written)], standalone_mode=False)
    assert (judged.return_value, judged.output.splitlines()[0]) == (1, "FORK by red at event 2")


def test_a_proof_that_leaves_a_key_change_out_is_answered(tmp_path: Path) -> None:
    """Whoever stole the old key may sign with it for ever: the game shows that it was no longer the seat's."""
    import builder
    from builder import key, key_of_byte

    from pbem import changes, evidence

    match, new = builder.Match(), key_of_byte(0x51)
    match.order("move", unit="u1", to=5)
    early = [match.forge("note", {"text": text}) for text in ("one", "two")]
    doc = changes.proof_doc(game=match.game.id, seat="red", old=key("red").public.hex(), new=new.public.hex())
    body = {"new": new.public.hex(), "proof": new.sign(keys.REKEY, doc).hex()}
    match.write("rekey", match.with_consents("rekey", body))
    late = [match.forge("note", {"text": text}) for text in ("one", "two")]
    head = match.head().splitlines(keepends=True)
    game_file = tmp_path / "g.pbem"
    log.create(game_file, match.file())
    for name, lines in (("early", early), ("late", late)):
        log.create(tmp_path / name, proof.write(match.game, head[1:], [], *lines))
    stolen = evidence.answered(tmp_path / "late", game_file)
    assert stolen is not None
    assert (stolen.word, stolen.code, stolen.event) == ("INVALID", "E_FORK", 3)
    assert "was not that of red there" in stolen.detail
    assert evidence.answered(tmp_path / "early", game_file) is None  # then it was red's own key
    game_file.write_bytes(match.head() + match.file()[len(match.head()) :].replace(b'"to":5', b'"to":6'))
    with pytest.raises(WrongUse, match="is not sound, and answers nothing"):
        evidence.answered(tmp_path / "late", game_file)
    log.create(tmp_path / "other.pbem", builder.Match(options={"turns": "2"}).file())
    with pytest.raises(WrongUse, match="another game than that of the proof"):
        evidence.answered(tmp_path / "late", tmp_path / "other.pbem")


def test_an_answer_is_wanted_to_a_proof_alone(tmp_path: Path) -> None:
    from computers import Computer

    one = Computer(tmp_path / "one")
    log.create(one.path("a.fork"), made(event("one"), event("two")))
    one.do("new", "battle-card-malaya", "--file", "g.pbem")
    for words in (
        ("g.pbem", "--answer", "g.pbem"),
        ("a.fork", "g.pbem", "--answer", "g.pbem"),
        ("a.fork", "--answer", "g.pbem"),
    ):
        said = one.run("verify", *words)
        assert (said.status, "hint: " in said.err or "take one file" in said.err) == (2, True), said
    assert one.run("verify", "a.fork", "--answer", "none.pbem").status == 4


def test_what_the_rules_refuse_convicts_for_any_stranger(tmp_path: Path) -> None:
    """2.6: the log up to the offending event is the proof; it is written beside the refused letter."""
    from computers import Computer, duel

    from pbem import packet

    match = duel(tmp_path)
    red, blue = match["red"], match["blue"]
    table, key = red.table("g.pbem"), red.home.key("id")
    fold = table.fold
    illegal = record.write_event(
        key, game=fold.game.id, seq=1, prev=fold.game.id, seat="red", kind="play", body={"card": "red-letters/1/0"}
    )
    handover = record.write_event(
        key, game=fold.game.id, seq=2, prev=illegal.id, seat="red", kind="handover",
        body={"count": 2, "next": "blue", "owed": ["ask"], "state": "ab" * 32},
    )  # fmt: skip
    lines = (illegal.line(), handover.line())
    data = packet.write(packet.Packet("red", fold.game.id, handover.id, lines))
    before = blue.path("g.pbem").read_bytes()
    said = blue.run("receive", "-", stdin=data)
    assert said.status == 1
    assert blue.path("g.pbem").read_bytes() == before
    [proved] = (blue.folder / "private" / "refused").glob("*.pbem")
    assert f"the proof that anybody can check: `pbem verify {proved}`" in said.err
    stranger = Computer(tmp_path / "stranger")
    stranger.path("p.pbem").write_bytes(proved.read_bytes())
    found = stranger.run("verify", "p.pbem")
    assert (found.status, found.out.partition(":")[0]) == (1, "INVALID at event 1")
    forged = lines[0].replace(b"play", b"plan")  # not his: nobody is convicted
    proved.unlink()
    blue.run("receive", "-", stdin=packet.write(packet.Packet("red", fold.game.id, handover.id, (forged, lines[1]))))
    assert not list((blue.folder / "private" / "refused").glob("*.pbem"))


@pytest.mark.parametrize("head", [b"", b"{}", b'{"game":1,"seq":2}', b'{"game":"ab","seq":"2"}'])
def test_what_is_no_position_file(tmp_path: Path, head: bytes) -> None:
    from computers import Computer

    one = Computer(tmp_path)
    one.path("a.position").write_bytes(b"PBEM-POSITION 1 " + head + b"\nx\n")
    said = one.run("compare", "a.position", "a.position")
    assert (said.status, "this is no position file" in said.err) == (2, True)


def test_positions_differ_by_their_first_line() -> None:
    from pbem.evidence import Position, read_position

    one = Position("ab" * 32, 7, {"units": ["a 1", "b 2"], "turn": ["3"]})
    assert read_position(one.file()) == one
    two = Position("ab" * 32, 7, {"units": ["a 1", "b 3"], "turn": ["3"]})
    assert one.differs(two) == "section units: 'b 2' in the first, 'b 3' in the second"
    assert one.differs(Position(one.game, 7, {"units": ["a 1"], "turn": ["3"]})).endswith("'no line' in the second")
    assert one.differs(one) == ""


# Two slips ---------------------------------------------------------------------------------------------------------


Slip = record.Signed[record.Slip]


def slip(request: str, *, batch: int = 3, seat: str = "blue", key: keys.SigningKey = BLUE) -> Slip:
    doc = record.slip_doc(batch=batch, game=GAME.id, link="cd" * 32, request=request, seat=seat)
    return record.write_slip(key, doc)


def slips_made(a: Slip, b: Slip, *changes: Event) -> bytes:
    lines = [GAME.line(), *SEALS, *(one.line() for one in changes), b"fork " + a.line(), b"fork " + b.line()]
    body = proof.MAGIC + b"".join(lines)
    return body + b"sum " + hashlib.sha256(body).hexdigest().encode() + b"\n"


def test_row_25_two_slips_for_one_batch_convict_the_releaser() -> None:
    a, b = slip("12" * 32), slip("34" * 32)
    fork = proof.read(slips_made(a, b))
    assert (fork.seat, fork.batch, fork.ids) == ("blue", 3, ("12" * 32, "34" * 32))
    assert fork.line().startswith("FORK by blue: two slips of dice batch 3 under one key, for the requests 1212")
    assert code(slips_made(a, a)) == "E_FORK"
    assert code(slips_made(a, slip("34" * 32, batch=4))) == "E_FORK"
    assert code(slips_made(a, slip("34" * 32, seat="red", key=RED))) == "E_FORK"
    assert code(slips_made(a, slip("34" * 32, key=RED))) == "E_SIG"
    assert code(slips_made(a, slip("34" * 32, seat="green"))) == "E_SLIP"
    red = [slip(one * 32, seat="red", key=NEW) for one in ("12", "34")]
    assert code(slips_made(*red)) == "E_SIG"
    assert proof.read(slips_made(*red, rekeyed())).seat == "red"


def test_row_25_a_releaser_who_answers_twice_is_convicted_by_a_file(tmp_path: Path) -> None:
    from computers import Computer, three

    from pbem import packet

    match = three(tmp_path)
    red, blue, green = match["red"], match["blue"], match["green"]
    red.do("order", "g.pbem", "roll d6 for a")
    match.mail("red")
    match.mail("blue", "red", "green")
    match.mail("green", "red")
    match.turn("red", "pass")
    assert green.table("g.pbem").fold.state.rolls == 1
    table = blue.table("g.pbem")  # blue has released link 1 for another request too
    link = table.room.vault("blue").link(table.fold, 1).hex()
    doc = record.slip_doc(batch=1, game=table.fold.game.id, link=link, request="ab" * 32, seat="blue")
    twice = record.write_slip(blue.home.key("id"), doc)
    data = packet.write(packet.Packet("blue", table.fold.game.id, table.fold.head, (twice.line(),)))
    said = green.do("receive", "-", stdin=data)
    assert "the proof that anybody can check" in said.err
    [path] = (green.folder / "private" / "refused").glob("*.fork")
    stranger = Computer(tmp_path / "stranger")
    stranger.path("p.fork").write_bytes(path.read_bytes())
    found = stranger.run("verify", "p.fork")
    assert (found.status, found.out) == (1, "FORK by blue\n")
    assert "two slips of dice batch 1 under one key" in found.err
