"""PCJ/1: one encoding for one value, every other spelling refused [protocol 2.2]."""

from __future__ import annotations

import hashlib
import hmac
import json
import struct
import unicodedata
from typing import Any

import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem import canon
from pbem.canon import H, K, decode, encode
from pbem.errors import Refused

# The ranges of protocol 2.2, typed from its text and not from the module.
RANGES = """
0020-007E 00A1-00AC 00AE-024F 0370-0373 0375-0377 037A-037D 037F 0384-0386 0388-038A 038C 038E-03A1 03A3-03FF 0400-0482
048A-052F 2010-2027 2030-205E 20A0-20BF 2190-21FF 2212 2260 2264-2265 25A0-25FF 2605-2606 2660-2667 2713 2717
3041-3096 30A1-30FA 30FC 4E00-9FFF AC00-D7A3
"""
SPANS = [(int(a, 16), int(b or a, 16)) for a, _, b in (span.partition("-") for span in RANGES.split())]
ALLOWED = frozenset(point for first, last in SPANS for point in range(first, last + 1))

text = st.text([chr(point) for span in SPANS for point in {span[0], span[1], sum(span) // 2}], max_size=20)
integer = st.integers(-(2**53 - 1), 2**53 - 1)
key = st.builds(str.__add__, st.sampled_from("abz"), st.text("ab_09", max_size=31))
leaf = st.one_of(st.booleans(), integer, text)
value = st.recursive(
    leaf, lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(key, inner, max_size=4)), max_leaves=8
)
document = st.dictionaries(key, value, max_size=4)


def code(data: bytes) -> str:
    with pytest.raises(Refused) as refused:
        decode(data)
    return refused.value.code


def encode_code(doc: Any) -> str:
    with pytest.raises(Refused) as refused:
        encode(doc)
    return refused.value.code


# --- the data model ---


@given(document)
@settings(max_examples=60, deadline=None)
def test_decode_is_the_inverse_of_encode(doc: canon.Doc) -> None:
    data = encode(doc)
    again = decode(data)
    assert again == doc
    assert encode(again) == data


@given(document)
@settings(max_examples=60, deadline=None)
def test_agrees_with_rfc_8785(doc: canon.Doc) -> None:
    assert encode(doc) == rfc8785.dumps(doc)


@given(document, st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_order_of_keys_does_not_matter(doc: canon.Doc, rng: Any) -> None:
    items = list(doc.items())
    rng.shuffle(items)
    assert encode(dict(items)) == encode(doc)


@given(document, st.data())
@settings(max_examples=60, deadline=None)
def test_any_other_bytes_are_another_document_or_refused(doc: canon.Doc, data: st.DataObject) -> None:
    raw = bytearray(encode(doc))
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] ^= 1 << data.draw(st.integers(0, 7))
    try:
        again = decode(bytes(raw))
    except Refused:
        return
    assert encode(again) == bytes(raw)
    assert again != doc


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_no_bytes_raise_anything_else(data: bytes) -> None:
    for junk in (data, b"{" + data + b"}", b'{"a":' + data + b"}"):
        try:
            doc = decode(junk)
        except Refused:
            continue
        assert encode(doc) == junk


def test_examples_by_hand() -> None:
    assert encode({"b": [1, True, False], "a": {"c": 'é\\"/'}}) == b'{"a":{"c":"\xc3\xa9\\\\\\"/"},"b":[1,true,false]}'
    assert encode({}) == b"{}"
    assert decode(b'{"a":-9007199254740991,"b":9007199254740991}') == {"a": -(2**53 - 1), "b": 2**53 - 1}
    assert decode(b'{"a_0":[]}') == {"a_0": []}


# --- text ---


def test_every_code_point_is_in_or_out_as_the_protocol_says() -> None:
    for point in (*range(0x10000), *range(0x10000, 0x110000, 13)):
        try:
            canon.check_text(chr(point))
        except Refused:
            assert point not in ALLOWED, hex(point)
        else:
            assert point in ALLOWED, hex(point)


def test_permitted_text_is_nfc_without_a_look_up() -> None:
    """Each is assigned in every Unicode version that counts, stays itself under NFC, and composes with no other."""
    for point in ALLOWED:
        char = chr(point)
        assert unicodedata.normalize("NFC", char) == char, hex(point)
        assert unicodedata.combining(char) == 0, hex(point)
        assert unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}, hex(point)
        assert unicodedata.bidirectional(char) not in {"R", "AL", "RLE", "RLO", "LRE", "LRO", "PDF", "NSM"}, hex(point)


def test_nothing_permitted_composes_with_its_neighbour() -> None:
    """NFC joins a starter and what follows only where the second decomposes out of a composed letter."""
    decompositions = (unicodedata.decomposition(chr(point)).split() for point in range(0x110000))
    seconds = {int(parts[1], 16) for parts in decompositions if len(parts) == 2 and "<" not in parts[0]}
    assert not seconds & ALLOWED
    # Hangul composes by arithmetic: vowels U+1161-1175 and finals U+11A8-11C2, which are outside.
    assert not ALLOWED & set(range(0x1100, 0x1200))


@given(text)
@settings(max_examples=200, deadline=None)
def test_permitted_text_is_nfc(words: str) -> None:
    assert unicodedata.is_normalized("NFC", words)
    assert decode(encode({"a": words})) == {"a": words}


@pytest.mark.parametrize(
    ("words", "hint"),
    [("שלום", "right-to-left"), ("a\u202eb", "control"), ("e\u0301", "combining"), ("a\u200bb", "control")],
)
def test_refused_text_says_where_and_why(words: str, hint: str) -> None:
    with pytest.raises(Refused, match=r"character U\+[0-9A-F]{4} at place [0-9]+") as refused:
        canon.check_text(words)
    assert hint in refused.value.hint
    assert words not in str(refused.value)


# --- keys, numbers, limits ---


@pytest.mark.parametrize("name", ["", "A", "a-b", "0a", "_a", "ä", "а", "a" * 33, "a b", "a\n"])
def test_keys_of_another_form(name: str) -> None:
    assert encode_code({name: 1}) == "E_CANON"
    assert code(json.dumps({name: 1}, ensure_ascii=False, separators=(",", ":")).encode()) == "E_CANON"


def test_longest_key() -> None:
    assert decode(encode({"a" * 32: 1})) == {"a" * 32: 1}


@pytest.mark.parametrize("odd", [None, 1.0, b"x", {1, 2}, object(), 1j, float("nan")])
def test_values_outside_the_data_model(odd: object) -> None:
    assert encode_code({"a": odd}) == "E_CANON"
    assert encode_code({"a": [{"b": odd}]}) == "E_CANON"
    assert encode_code({1: 1}) == "E_CANON"


@pytest.mark.parametrize("number", [2**53, -(2**53), 10**40])
def test_integers_beyond_the_limit(number: int) -> None:
    assert encode_code({"a": number}) == "E_INT"
    assert code(b'{"a":%d}' % number) == "E_INT"


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_depth_is_counted_in_objects_and_arrays(opening: bytes) -> None:
    closing = b"]" if opening == b"[" else b"}"
    inside = b"1" if opening != b"[" else b""
    for depth in (11, 12):  # with the object around it 12 and 13
        data = b'{"a":' + opening * depth + inside + closing * depth + b"}"
        if depth == 11:
            assert encode(decode(data)) == data
            assert encode(json.loads(data)) == data
        else:
            assert code(data) == "E_CANON"
            assert encode_code(json.loads(data)) == "E_CANON"


def test_depth_does_not_hang_on_anybody_s_stack() -> None:
    def deeper(levels: int, data: bytes) -> str:
        return code(data) if levels == 0 else deeper(levels - 1, data)

    for nesting in (13, 500, 900, 990, 5_000, 30_000):
        data = b'{"a":' + b"[" * nesting + b"]" * nesting + b"}"
        assert {deeper(levels, data) for levels in (0, 100, 500)} == {"E_CANON"}
        assert code(b'{"a":' + b"[" * nesting) == "E_CANON"


def test_brackets_inside_text_nest_nothing() -> None:
    words = '[[[[[[[[[[[[[[[[[[{{{{{{{{{{"[[[[[[[[\\[[[[[['
    assert decode(encode({"a": [words, words]})) == {"a": [words, words]}


def test_size() -> None:
    fits = encode({"a": "x" * (canon.MAX_BYTES - 8)})
    assert len(fits) == 65_536
    assert decode(fits)
    assert code(fits[:-2] + b'x"}') == "E_SIZE"
    assert encode_code({"a": "x" * (canon.MAX_BYTES - 7)}) == "E_SIZE"


@pytest.mark.parametrize(
    "data",
    [
        b'{"a":"[[[[[[[[[[[[[[[[' + b'\\"' * 30_000,
        b'{"a":"[[[[[[[[[[[[[[[[' + b"\\" * 60_001,
        b'{"a":[[[[[[[[[[[[[' + b'"' * 60_000,
        b"{" * 65_000,
        b'{"a":' * 13_000,
        b'"' * 65_000,
        b"-" * 65_000,
        b"1" * 65_000,
        b'{"a":' + b"9" * 65_000 + b"}",
        b'{"a":1' + b"0" * 5_000 + b"}",
        b'{"a":"' + b"\\u0000" * 10_000 + b'"}',
        b"\xff" * 65_536,
    ],
    ids=lambda data: data[:12].decode("latin-1"),
)
def test_hostile_documents_cost_little(data: bytes) -> None:
    import time

    start = time.perf_counter()
    code(data)
    assert time.perf_counter() - start < 5  # one that grows with the square takes minutes


# --- hashing, from its definition ---


def test_h_is_sha256_over_tag_and_length_prefixed_parts() -> None:
    parts = b"pbem/v1/x\0" + b"\0\0\0\x03abc" + b"\0\0\0\x08" + struct.pack(">Q", 7) + b"\0\0\0\x02" + "é".encode()
    assert H("pbem/v1/x", b"abc", 7, "é") == hashlib.sha256(parts).digest()
    assert K(b"key", "pbem/v1/x", b"abc", 7, "é") == hmac.new(b"key", parts, "sha256").digest()
    assert H("t") == hashlib.sha256(b"t\0").digest()


def test_no_two_argument_lists_collide_by_concatenation() -> None:
    lists: list[tuple[bytes | str | int, ...]] = [
        (), (b"",), (b"", b""), (b"a",), (b"a", b""), (b"", b"a"), (b"ab",), (b"a", b"b"), (0,), (b"\0" * 8, b""), (1,),
    ]  # fmt: skip
    assert len({H("t", *parts) for parts in lists}) == len(lists)
    assert H("t", b"\0" * 8) == H("t", 0)  # an integer is its eight bytes
