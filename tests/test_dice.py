"""Dice, chains and draws against the vectors of the protocol, and what must be refused.

The golden values were written once, from separate code; nothing here prints them anew.
"""

import hashlib
import hmac
import io
import os
import re
import shutil
import struct
import subprocess
import sys
from contextlib import redirect_stdout
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem import dice
from pbem.canon import check_text
from pbem.dice import ChainCheck
from pbem.errors import Refused

# --- vectors [5.1] ---

GAME = bytes.fromhex("b89a36702384101035c33add85beeed0492b3a18852fd1949af61f76614dae0f")
SETUP = bytes.fromhex("11" * 32)
LINKS = 64
END = {"red": bytes([3]) * 32, "blue": bytes([4]) * 32}
CHAIN_ID = {
    "red": "832b88af1df4571184da1e38bc2d49788606e4ecade74693e6b15ac3a3dc8217",
    "blue": "29353cf8271e9c6457098af2ec9ee6bd8ecb14842ce47257d3b44468e1522296",
}
ANCHOR = {
    "red": "189313fa92e8f37a5384d8d4622344e7ace7a1420a6364efd23603ff8343c1db",
    "blue": "877f3435ad5ac5e24e2a937b9af9335be998f549aba0b59d16dd9a0769a87c45",
}
LINK_1 = {
    "red": "89150a14032c346ea2c70ef72d0b52bd80cbb057872ac080382aef58e789a728",
    "blue": "9d4be827abbb1cb188541540aa311251e20d6614c89996539f1fae3dc5004c75",
}
SEED = bytes.fromhex("00bd854fb71b902654372ef1c227fd3d839381209024fa78bfff02958cfdc4f0")
PRIVATE_SEED = bytes.fromhex("871f2e3f8980292698320f1a15546974efdb069eb793bfa86068060705305a82")

SEATS = ("red", "blue")
DOC = Path(__file__).parents[1] / "docs" / "dice.md"


@pytest.mark.parametrize("seat", SEATS)
def test_chain_of_the_vectors(seat: str) -> None:
    name = dice.chain_id(SETUP, seat, 1)
    assert name.hex() == CHAIN_ID[seat]
    values = dice.chain(name, END[seat], LINKS)
    assert len(values) == LINKS + 1
    assert values[0].hex() == ANCHOR[seat]
    assert values[1].hex() == LINK_1[seat]
    assert values[LINKS] == END[seat]
    assert dice.anchor(name, END[seat], LINKS).hex() == ANCHOR[seat]
    assert dice.link_down(name, 1, bytes.fromhex(LINK_1[seat])).hex() == ANCHOR[seat]


def test_batch_seed_of_the_vectors() -> None:
    links = {seat: bytes.fromhex(LINK_1[seat]) for seat in SEATS}
    assert dice.batch_seed(GAME, 1, links) == SEED
    assert dice.batch_seed(GAME, 1, dict(reversed(links.items()))) == SEED


def test_dice_of_the_vectors() -> None:
    assert dice.roll(SEED, "t1/combat/0512#1", (6, 6)) == (5, 3)
    assert dice.roll(SEED, dice.label("t1/morale/r1", 1), (10,)) == (7,)
    assert dice.picks(SEED, "t1/draw/red#1", 3, 50) == (22, 11, 3)
    assert dice.shuffle(SEED, "t1/cup#1", 8) == (0, 2, 7, 3, 5, 4, 1, 6)


def test_draw_of_the_vectors_takes_from_what_is_left() -> None:
    assert dice.draw(SEED, "t1/draw/red#1", 3, [f"c{i}" for i in range(50)]) == ("c22", "c11", "c3")


def test_private_roll_of_the_vectors() -> None:
    seed = dice.private_seed(GAME, "t1/search#1", bytes([7]) * 32, SEED)
    assert seed == PRIVATE_SEED
    assert dice.roll(seed, "t1/search#1", (6,)) == (5,)


def test_chain_end_is_a_keyed_hash_of_the_chain_number() -> None:
    master = bytes([5]) * 32
    message = b"pbem/v1/chain\0" + struct.pack(">IQ", 8, 2)
    assert dice.chain_end(master, 2) == hmac.new(master, message, hashlib.sha256).digest()


def test_chains_differ_by_set_up_seat_and_number() -> None:
    ids = {
        dice.chain_id(SETUP, "red", 1),
        dice.chain_id(SETUP, "red", 2),
        dice.chain_id(SETUP, "blue", 1),
        dice.chain_id(bytes(32), "red", 1),
    }
    assert len(ids) == 4


def test_every_part_of_a_batch_enters_its_seed() -> None:
    a, b, c = bytes([1]) * 32, bytes([2]) * 32, bytes([3]) * 32
    seeds = [
        dice.batch_seed(GAME, 1, {"blue": a, "red": b}),
        dice.batch_seed(GAME, 1, {"blue": b, "red": a}),
        dice.batch_seed(GAME, 1, {"blue": a, "red": c}),
        dice.batch_seed(GAME, 1, {"blue": c, "red": b}),
        dice.batch_seed(GAME, 1, {"blue": a, "green": c, "red": b}),
        dice.batch_seed(GAME, 1, {"blue": a, "red": b, "witness": c}),
        dice.batch_seed(GAME, 1, {"blue": a}),
        dice.batch_seed(GAME, 2, {"blue": a, "red": b}),
        dice.batch_seed(SETUP, 1, {"blue": a, "red": b}),
    ]
    assert len(set(seeds)) == len(seeds)


def test_links_shared_by_both_seats_do_not_cancel_out() -> None:
    """Combining by XOR would: a copied anchor would make the seed zero [3.3]."""
    seeds = {dice.batch_seed(GAME, 1, {"blue": bytes([i]) * 32, "red": bytes([i]) * 32}) for i in range(50)}
    assert len(seeds) == 50


# --- links as they are released [3.3] ---


def red_chain() -> tuple[ChainCheck, list[bytes]]:
    name = dice.chain_id(SETUP, "red", 1)
    return ChainCheck(name, LINKS, bytes.fromhex(ANCHOR["red"])), dice.chain(name, END["red"], LINKS)


def refused(check: ChainCheck, index: int, value: bytes) -> str:
    """The refusal's words; and a refusal leaves the check as it was."""
    before = (check.index, check.value)
    with pytest.raises(Refused) as refusal:
        check.accept(index, value)
    assert refusal.value.code == "E_LINK"
    assert (check.index, check.value) == before
    return refusal.value.what


def test_links_come_one_by_one_and_again() -> None:
    check, values = red_chain()
    for index in range(1, LINKS + 1):
        check.accept(index, values[index])
        check.accept(index, values[index])
        assert (check.index, check.value) == (index, values[index])


def test_a_later_link_leads_back_over_those_not_seen() -> None:
    check, values = red_chain()
    check.accept(5, values[5])
    check.accept(LINKS, values[LINKS])
    assert check.index == LINKS


def test_an_earlier_link_is_refused_even_if_genuine() -> None:
    check, values = red_chain()
    check.accept(5, values[5])
    assert "after link 5" in refused(check, 4, values[4])


@pytest.mark.parametrize("index", [1, 2, 5, 6, LINKS])
def test_a_false_link_is_refused(index: int) -> None:
    check, values = red_chain()
    check.accept(1, values[1])
    assert "does not lead back" in refused(check, index, bytes(32))


def test_a_genuine_link_at_another_place_is_refused() -> None:
    check, values = red_chain()
    check.accept(1, values[1])
    refused(check, 2, values[3])
    refused(check, 3, values[2])
    refused(check, 1, values[2])


def test_a_copied_link_belongs_to_its_seat_alone() -> None:
    """Blue copied red's anchor into the charter; red's links are still none of blue's [3.3]."""
    _, values = red_chain()
    blue = ChainCheck(dice.chain_id(SETUP, "blue", 1), LINKS, values[0])
    refused(blue, 1, values[1])


@pytest.mark.parametrize("index", [-1, 0, LINKS + 1, 2**53 - 1])
def test_an_index_outside_the_chain_is_refused_before_hashing(index: int, monkeypatch: pytest.MonkeyPatch) -> None:
    check, values = red_chain()
    monkeypatch.setattr(dice, "link_down", None)
    refused(check, index, values[0])


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_value_of_another_length_is_refused_before_hashing(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    check, _ = red_chain()
    monkeypatch.setattr(dice, "link_down", None)
    refused(check, 1, bytes(length))


# --- labels [3.1] ---


@pytest.mark.parametrize("stem", ["t5/combat/0512", "a", "A-z_0.9", "x" * 80])
def test_stems_that_name_a_chance_event(stem: str) -> None:
    dice.check_stem(stem)
    assert dice.label(stem, 12) == stem + "#12"


@pytest.mark.parametrize("stem", ["", "x" * 81, "two words", "a#1", "zürich", "a\n", "a\0b", "٣"])
def test_other_stems_are_a_bug_of_the_engine(stem: str) -> None:
    with pytest.raises(ValueError, match="no stem"):
        dice.check_stem(stem)
    with pytest.raises(ValueError, match="no stem"):
        dice.label(stem, 1)


def test_uses_count_from_one() -> None:
    with pytest.raises(ValueError, match="count from 1"):
        dice.label("t1/x", 0)


# --- from words to faces [3.1] ---


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_choices_not_offered(n: int) -> None:
    with pytest.raises(ValueError, match="not offered"):
        dice.uniform(SEED, "x#1/0", n)


def test_a_choice_of_one_and_the_widest() -> None:
    assert dice.uniform(SEED, "x#1/0", 1) == 0
    assert 0 <= dice.uniform(SEED, "x#1/0", 2**32) < 2**32


def test_a_word_left_over_gives_way_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """2**64 is 1 more than a multiple of 3 and 5: the highest word is left over for a d3 and a d5, not for a d2."""
    words = [2**64 - 1, 2**64 - 1, 7]
    asked: list[int] = []

    def word(seed: bytes, label: str, attempt: int) -> int:
        asked.append(attempt)
        return words[attempt]

    monkeypatch.setattr(dice, "word", word)
    assert dice.uniform(SEED, "x#1/0", 3) == 1
    assert dice.uniform(SEED, "x#1/0", 5) == 2
    assert dice.uniform(SEED, "x#1/0", 2) == 1
    assert asked == [0, 1, 2, 0, 1, 2, 0]


def test_words_left_over_for_ever_end_in_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dice, "word", lambda seed, label, attempt: 2**64 - 1)
    with pytest.raises(RuntimeError, match="left over"):
        dice.uniform(SEED, "x#1/0", 3)


def test_draws_that_cannot_be() -> None:
    for k in (-1, 4):
        with pytest.raises(ValueError, match="cannot be drawn"):
            dice.draw(SEED, "x#1", k, "abc")


def test_small_draws_and_shuffles() -> None:
    assert dice.draw(SEED, "x#1", 0, "") == ()
    assert sorted(dice.draw(SEED, "x#1", 3, "abc")) == ["a", "b", "c"]
    assert dice.shuffle(SEED, "x#1", 0) == ()
    assert dice.shuffle(SEED, "x#1", 1) == (0,)
    assert dice.roll(SEED, "x#1", ()) == ()


@given(st.binary(min_size=32, max_size=32), st.integers(0, 60), st.data())
def test_draws_and_shuffles_lose_and_double_nothing(seed: bytes, m: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, m))
    drawn = dice.draw(seed, "x#1", k, range(m))
    assert len(drawn) == len(set(drawn)) == k
    assert set(drawn) <= set(range(m))
    assert sorted(dice.shuffle(seed, "x#1", m)) == list(range(m))


# --- what a player is told ---


def test_every_policy_has_its_sentences_and_a_tag() -> None:
    assert set(dice.POLICY_WORDS) == set(dice.POLICY_TAGS) == {"sealed", "beacon", "open", "S0", "S1", "S2", "S3"}
    for text in (*dice.POLICY_WORDS.values(), *dice.POLICY_TAGS.values()):
        check_text(text)
    assert all(len(tag) <= 72 for tag in dice.POLICY_TAGS.values())


# --- the lines of docs/dice.md, which use nothing of this project ---


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", DOC.read_text(encoding="utf-8"), re.M | re.S)


@lru_cache
def by_hand() -> tuple[dict[str, Any], str]:
    """The names that the page's lines leave behind, and what they print."""
    (code,) = blocks("python")
    names: dict[str, Any] = {}
    with redirect_stdout(io.StringIO()) as printed:
        exec(code, names)
    return names, printed.getvalue()


def test_the_check_by_hand_prints_what_the_page_shows() -> None:
    assert [by_hand()[1]] == blocks("text")
    assert set(re.findall(r"^import (.*)$", blocks("python")[0], re.M)) == {"hashlib, hmac, struct"}


@given(st.binary(min_size=32, max_size=32), st.integers(1, 99), st.integers(1, 2**32))
def test_the_check_by_hand_agrees_with_this_module(seed: bytes, k: int, n: int) -> None:
    label = dice.label("t1/combat/0512", k) + "/0"
    assert by_hand()[0]["uniform"](seed, label, n) == dice.uniform(seed, label, n)


@pytest.mark.skipif(os.name == "nt" or not shutil.which("openssl"), reason="needs a shell and openssl")
def test_the_check_with_openssl_prints_what_the_page_shows() -> None:
    (session,) = blocks("console")
    shown = session.splitlines()
    for line, answer in zip(shown[::2], shown[1::2], strict=True):
        command = line.removeprefix("$ ").replace("python3", f'"{sys.executable}"')
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
        assert done.stdout == answer + "\n"


def test_the_page_says_what_the_program_says() -> None:
    page = re.sub(r"\n> ", " ", DOC.read_text(encoding="utf-8").replace("\n\n", "\n"))
    for words in dice.POLICY_WORDS.values():
        assert f" {words}\n" in page
