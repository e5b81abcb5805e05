"""Vectors of sealed slots and boxes: files, a computation by hand that shares no line with the program, the program."""

from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path
from typing import Any

import pytest
from builder import charter_doc
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from test_vectors import GOLDEN

from pbem import canon, dice, sealed
from pbem.errors import Refused
from pbem.sealed import Epoch, Sealing, Slots

HERE = Path(__file__).parent / "vectors" / "hidden"
FILES = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted(HERE.glob("*.toml"))}


def raw(name: str, field: str) -> bytes:
    return bytes.fromhex(FILES[name][field])


def by_hand() -> Any:
    spec = importlib.util.spec_from_file_location("by_hand", HERE / "by_hand.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_files_say_what_the_computation_by_hand_says() -> None:
    expected = by_hand().expected()
    assert set(expected) == set(FILES) == {"box", "commitment", "private", "salt", "slot"}
    for name, values in expected.items():
        assert {field: FILES[name][field] for field in values} == values


def test_the_computation_by_hand_does_what_its_rfcs_say() -> None:
    """RFC 7748, 5.2, first vector; the ciphertext of RFC 8439, 2.8.2; its tag is over more."""
    hand = by_hand()
    scalar = bytes.fromhex("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4")
    u = bytes.fromhex("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c")
    assert hand.x25519(scalar, u).hex() == "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
    text = b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
    key, nonce = bytes(range(0x80, 0xA0)), bytes.fromhex("070000004041424344454647")
    assert hand.encrypt(key, nonce, text)[:16].hex() == "d31a8d34648e60db7b86afbc53ef7ec2"


def test_the_values_of_the_protocol_are_among_them() -> None:
    assert FILES["commitment"]["hash"] == GOLDEN["slots"]["commitment"]
    assert FILES["slot"]["hash"] == GOLDEN["slots"]["slot_hash"]
    assert FILES["salt"]["salt"] == GOLDEN["slots"]["salt_of_slot"]
    assert {one["game"] for one in FILES.values() if "game" in one} == {GOLDEN["charter"]["game_id"]}
    assert charter_doc()["setup"] == "11" * 32


def test_a_commitment() -> None:
    given = FILES["commitment"]
    content = canon.decode(given["content"].encode())
    hidden = sealed.commitment(
        raw("commitment", "game"), given["seat"], given["name"], raw("commitment", "salt"), content
    )
    assert hidden == given["hash"]


def test_a_slot_is_opened_by_its_content_and_salt_alone() -> None:
    given = FILES["slot"]
    slots = Slots(raw("slot", "game"))
    sealing = Sealing(given["name"], "deck", "red", ("red",))
    (slot,) = slots.publish(sealing, Epoch(given["epoch"], 4, (given["hash"],)))
    assert slot == "red-deck/1/0"
    assert slots.check("red", slot, given["content"], given["salt"]) is sealing
    for seat, content, salt in (
        ("blue", given["content"], given["salt"]),
        ("red", "c18", given["salt"]),
        ("red", given["content"], given["salt"][::-1]),
    ):
        with pytest.raises(Refused, match="E_OPENING"):
            slots.check(seat, slot, content, salt)


def test_a_salt() -> None:
    given = FILES["salt"]
    secret = sealed.secret_of(raw("salt", "master"), given["name"])
    assert secret == raw("salt", "secret")
    assert sealed.salt(secret, given["epoch"], given["number"], given["seq"]) == raw("salt", "salt")
    others = [
        (given["epoch"], given["number"], 5),
        (given["epoch"], 1, given["seq"]),
        (2, given["number"], given["seq"]),
    ]
    assert raw("salt", "salt") not in [sealed.salt(secret, *other) for other in others]


def test_a_private_value() -> None:
    given = FILES["private"]
    value = sealed.private_value(raw("private", "secret"), given["epoch"], given["number"])
    assert value == given["value"]
    seed = dice.private_seed(raw("private", "game"), given["label"], bytes.fromhex(value), raw("private", "batch_seed"))
    assert seed == raw("private", "seed")


def test_a_box_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    given = FILES["box"]
    fixed = X25519PrivateKey.from_private_bytes(raw("box", "ephemeral_private"))
    monkeypatch.setattr(X25519PrivateKey, "generate", classmethod(lambda cls: fixed))
    made = sealed.seal_box(
        raw("box", "recipient_public"),
        given["data"].encode(),
        game=raw("box", "game"),
        sender=given["from"],
        to=given["to"],
    )
    assert made == raw("box", "box")
    assert len(made) == len(given["data"]) + 48
    assert sealed.box_public(raw("box", "recipient_private")) == raw("box", "recipient_public")
    assert sealed.box_key(raw("box", "recipient_master")) == raw("box", "recipient_private")


def test_a_box_opens_for_its_reader_and_nobody_else() -> None:
    given, box = FILES["box"], raw("box", "box")
    place: dict[str, Any] = {"game": raw("box", "game"), "sender": "red", "to": "blue"}
    key = raw("box", "recipient_private")
    assert sealed.open_box(key, box, **place) == given["data"].encode()
    for change in ({"game": bytes(32)}, {"sender": "green"}, {"to": "green"}, {"sender": "blue", "to": "red"}):
        assert sealed.open_box(key, box, **{**place, **change}) is None
    assert sealed.open_box(sealed.box_key(b"\5" * 32), box, **place) is None
    for length in (0, 31, 32, 47, len(box) - 1):
        assert sealed.open_box(key, box[:length], **place) is None
    for at in (0, 40, len(box) - 1):
        flipped = bytearray(box)
        flipped[at] ^= 1
        assert sealed.open_box(key, bytes(flipped), **place) is None
    small = bytes(32) + box[32:]  # a point of small order
    assert sealed.open_box(key, small, **place) is None
