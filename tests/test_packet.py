"""Packets: the file, its damage, and the paste block.

The files here are put together by hand from FORMAT.md (first line, lines, `sum` and SHA-256), and `write` must match.
"""

from __future__ import annotations

import base64
import hashlib
import random
import re
import textwrap
import time
import tracemalloc
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem import canon, packet
from pbem.errors import Refused
from pbem.packet import Packet

GAME = "1a2b3c4d" + "00" * 28
HEAD = "ee" * 32
SIG = "5f" * 64
MiB = 2**20


def event(seq: int, prev: str = HEAD, text: str = "guten Zug, Jörg", seat: str = "red") -> bytes:
    """An event line with a made-up signature: packets do not judge signatures."""
    place = f'"prev":"{prev}","seat":"{seat}","seq":{seq},"v":1'
    return f'pbem1 {SIG} {{"body":{{"text":"{text}"}},"game":"{GAME}","kind":"note",{place}}}\n'.encode()


def summed(body: bytes) -> bytes:
    return body + b"sum " + hashlib.sha256(body).hexdigest().encode() + b"\n"


EVENTS = b"".join(event(seq) for seq in range(12, 21))
HEADER = (
    f'PBEM-PACKET 1 {{"first":12,"from":"red","game":"{GAME}","head":"{HEAD}","last":20,"prev":"{HEAD}"}}\n'.encode()
)
FILE = summed(HEADER + EVENTS)
PACKET = Packet("red", GAME, HEAD, tuple(EVENTS.splitlines(keepends=True)))

SLIP = f'slip {SIG} {{"batch":3,"game":"{GAME}","link":"{HEAD}","request":"{HEAD}","seat":"blue"}}\n'.encode()
SLIP_HEADER = f'PBEM-PACKET 1 {{"from":"blue","game":"{GAME}","head":"{HEAD}"}}\n'.encode()


def refusal(data: bytes) -> Refused:
    with pytest.raises(Refused) as met:
        packet.read(data)
    assert met.value.code == "E_PACKET"
    assert met.value.hint
    return met.value


# The file --------------------------------------------------------------------------------------------------------


def test_a_file_is_header_lines_and_sum() -> None:
    assert packet.write(PACKET) == FILE
    assert packet.read(FILE) == PACKET


def test_a_packet_knows_its_events() -> None:
    found = packet.read(FILE)
    assert (found.first, found.last, found.prev) == (12, 20, HEAD)
    assert found.events == found.of("pbem1") == found.lines
    assert found.of("slip") == ()


def test_without_events_the_header_is_shorter() -> None:
    found = packet.read(summed(SLIP_HEADER + SLIP))
    assert found == Packet("blue", GAME, HEAD, (SLIP,))
    assert (found.first, found.last, found.prev) == (None, None, None)
    assert found.of("slip") == (SLIP,)
    assert packet.write(found) == summed(SLIP_HEADER + SLIP)


def test_all_kinds_of_line_travel() -> None:
    document = canon.encode({"kind": "charter", "v": 1})
    game = hashlib.sha256(b"pbem/v1/charter\0" + document).hexdigest()
    signed = [f"{word} {SIG} {{}}\n".encode() for word in ("entry", "said", "receipt")]
    lines = (b"charter " + document + b"\n", b'seal {"seat":"red"}\n', b"draft {}\n", *signed, SLIP)
    whole = Packet("red", game, game, lines)
    assert packet.read(packet.write(whole)) == whole


@pytest.mark.parametrize(
    "mailed",
    [
        pytest.param(FILE.replace(b"\n", b"\r\n"), id="crlf"),
        pytest.param(FILE.replace(b"\n", b"\r\r\n"), id="crlf twice"),
        pytest.param(FILE[:-1], id="last newline eaten"),
        pytest.param(FILE.replace(b"\n", b"\r\n")[:-2], id="last crlf eaten"),
        pytest.param(FILE[:-1] + b"  \r\n\r\n", id="blanks before crlf, blank line"),
        pytest.param(b"\xef\xbb\xbf" + FILE, id="bom"),
        pytest.param(b"\r\n" + FILE + b"\n\n\n", id="blank lines around"),
    ],
)
def test_what_mail_does_to_line_ends_is_undone(mailed: bytes) -> None:
    """B30, B62."""
    assert packet.read(mailed) == PACKET


@pytest.mark.parametrize(
    ("damaged", "words"),
    [
        pytest.param(b"", "no packet", id="empty"),
        pytest.param(b"\0" * 400, "no packet", id="zeros"),
        pytest.param(EVENTS, "no packet", id="events alone"),
        pytest.param(b"\xef\xbb\xbf" * 2 + FILE, "no packet", id="bom twice"),
        pytest.param(FILE[: len(FILE) // 2], "cut", id="half"),
        pytest.param(HEADER + EVENTS, "cut", id="sum line missing"),
        pytest.param(FILE[:-2], "cut", id="last digit missing"),
        pytest.param(HEADER, "cut", id="header alone"),
        pytest.param(HEADER.strip(), "cut", id="header without end"),
        pytest.param(FILE.replace("ö".encode(), "ö".encode("latin-1")), "checksum", id="latin-1"),
        pytest.param(FILE.replace(b"guten", b"gutes", 1), "checksum", id="a letter changed"),
        pytest.param(HEADER + FILE[len(HEADER) + len(event(12)) :], "checksum", id="a line missing"),
        pytest.param(FILE.replace(b"PACKET 1", b"PACKET 2", 1), "format 2", id="future format"),
    ],
)
def test_damage_is_named(damaged: bytes, words: str) -> None:
    assert words in refusal(damaged).what


def test_no_bit_flip_goes_unnoticed() -> None:
    """Only a flip of one tolerated blank into another may pass, and changes nothing."""
    file = summed(SLIP_HEADER + SLIP)
    for at in range(len(file) * 8):
        flipped = bytearray(file)
        flipped[at // 8] ^= 1 << at % 8
        try:
            assert packet.read(bytes(flipped)) == packet.read(file)
        except Refused as error:
            assert error.code == "E_PACKET"  # noqa: PT017 - either way is right


@pytest.mark.parametrize(
    ("body", "words"),
    [
        pytest.param(HEADER, "empty", id="no lines"),
        pytest.param(HEADER + EVENTS + b"pbem2 x\n", "line 11", id="unknown word"),
        pytest.param(HEADER + EVENTS + b"\n", "line 11", id="blank line"),
        pytest.param(HEADER + EVENTS + b"From: x\n", "line 11", id="mail header"),
        pytest.param(HEADER + b"said {}\n", "line 2", id="signature missing"),
        pytest.param(HEADER + event(12).replace(b"5f5f", b"5F5F", 1), "line 2", id="upper-case hex"),
        pytest.param(HEADER + event(12).replace(b"}\n", b"} \n"), "line 2", id="trailing blank"),
        pytest.param(HEADER + event(12), "first line", id="last is not in the packet"),
        pytest.param(HEADER + EVENTS.replace(event(12), event(11)), "first line", id="first differs"),
        pytest.param(HEADER + EVENTS.replace(event(12), event(12, "dd" * 32)), "first line", id="prev differs"),
        pytest.param(HEADER + SLIP, "first line", id="events announced, none there"),
        pytest.param(SLIP_HEADER + EVENTS, "first line", id="events there, none announced"),
        pytest.param(HEADER.replace(b":12,", b":012,") + EVENTS, "first line", id="leading zero"),
        pytest.param(HEADER.replace(b'"red"', b'"Red"') + EVENTS, "first line", id="no seat name"),
        pytest.param(HEADER.replace(b'"from"', b' "from"') + EVENTS, "first line", id="space in header"),
        pytest.param(HEADER.replace(b',"last"', b',"junk":1,"last"') + EVENTS, "first line", id="unknown field"),
        pytest.param(HEADER.replace(b'"last":20,', b"") + EVENTS, "first line", id="missing field"),
        pytest.param(HEADER + event(0) + EVENTS, "place", id="event 0"),
        pytest.param(HEADER + b"pbem1 " + SIG.encode() + b" {}\n", "place", id="event without envelope"),
        pytest.param(SLIP_HEADER + b'charter {"v":1}\n', "another game", id="charter of another game"),
        pytest.param(SLIP_HEADER + b'draft {"v":1}\n', "another game", id="draft of another game"),
        pytest.param(SLIP_HEADER + b'seal {"x":"' + b"a" * 66000 + b'"}\n', "longer than any event", id="long line"),
    ],
)
def test_a_sound_sum_does_not_make_a_packet(body: bytes, words: str) -> None:
    assert words in refusal(summed(body)).what


def test_a_draft_names_the_game_until_there_is_a_charter() -> None:
    document = b'{"kind":"draft","v":1}'
    digest = hashlib.sha256(b"pbem/v1/draft\0" + len(document).to_bytes(4, "big") + document).hexdigest()
    invitation = Packet("red", digest, digest, (b"draft " + document + b"\n",))
    assert packet.read(packet.write(invitation)) == invitation


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(Packet("red", GAME, HEAD, ()), id="empty"),
        pytest.param(Packet("Red!", GAME, HEAD, (SLIP,)), id="sender"),
        pytest.param(Packet("red", GAME[:8], HEAD, (SLIP,)), id="game"),
        pytest.param(Packet("red", GAME, HEAD, (SLIP[:-1],)), id="line without end"),
        pytest.param(Packet("red", GAME, HEAD, (SLIP + b"x\n",)), id="two lines in one"),
        pytest.param(Packet("red", GAME, HEAD, (SLIP,) * 60000), id="larger than 16 MiB"),
    ],
)
def test_what_could_not_be_read_is_not_written(bad: Packet) -> None:
    with pytest.raises(Refused, match="E_PACKET"):
        packet.write(bad)


def test_sixteen_mebibytes_are_the_limit() -> None:
    assert "16 MiB" in refusal(FILE + b"\n" * (19 * MiB)).what
    fill = b'seal {"x":"' + b"a" * 60000 + b'"}\n'
    body = SLIP_HEADER + fill * (16 * MiB // len(fill) + 1)
    assert "16 MiB" in refusal(summed(body)).what


@pytest.mark.parametrize(
    "flood",
    [
        pytest.param(b"\n" * (16 * MiB), id="newlines"),
        pytest.param(b"\r" * (16 * MiB), id="returns"),
        pytest.param(HEADER + b"\n" * (15 * MiB), id="blank lines"),
        pytest.param(summed(HEADER + b"\n" * (15 * MiB) + b"x"), id="blank lines, summed"),
        pytest.param(summed(HEADER + b"{" * (15 * MiB)), id="braces"),
        pytest.param(b"PBEM-PACKET 1 " * MiB, id="headers"),
    ],
)
def test_floods_are_refused_soon(flood: bytes) -> None:
    began = time.perf_counter()
    refusal(flood)
    assert time.perf_counter() - began < 5


@given(st.binary(max_size=400) | st.binary(max_size=200).map(lambda tail: summed(HEADER + EVENTS + tail)))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        assert packet.write(packet.read(data))
    except Refused as error:
        assert error.code == "E_PACKET"  # noqa: PT017


LINES = st.lists(st.sampled_from([SLIP, b'seal {"seat":"red"}\n', f"said {SIG} {{}}\n".encode()]), max_size=3)


@given(before=LINES, count=st.integers(0, 5), start=st.integers(1, 2**53 - 10), after=LINES)
def test_read_undoes_write(before: list[bytes], count: int, start: int, after: list[bytes]) -> None:
    lines = (*before, *(event(start + n) for n in range(count)), *after)
    if lines:
        whole = Packet("blue", GAME, HEAD, lines)
        assert packet.read(packet.write(whole)) == whole


# Names -----------------------------------------------------------------------------------------------------------


def test_a_file_name_says_game_and_range() -> None:
    assert packet.file_name(PACKET) == "pbem-1a2b3c4d-0012-0020.packet"


def test_a_long_game_has_longer_numbers() -> None:
    assert packet.file_name(Packet("red", GAME, HEAD, (event(12345),))) == "pbem-1a2b3c4d-12345-12345.packet"


def test_packets_without_events_do_not_overwrite_each_other() -> None:
    """B70: the name comes from the content."""
    one = Packet("blue", GAME, HEAD, (SLIP,))
    two = Packet("blue", GAME, HEAD, (SLIP, SLIP))
    digest = hashlib.sha256(SLIP_HEADER + SLIP).hexdigest()
    assert packet.file_name(one) == f"pbem-1a2b3c4d-0000-{digest[:8]}.packet"
    assert packet.file_name(one) != packet.file_name(two)


# Paste blocks ----------------------------------------------------------------------------------------------------

BLOCK = packet.armor(FILE)


def test_a_block_is_base64_of_the_zlib_stream_in_64_columns() -> None:
    first, *rows, last = BLOCK.splitlines()
    assert (first, last) == ("-----BEGIN PBEM PACKET-----", "-----END PBEM PACKET-----")
    assert zlib.decompress(base64.b64decode("".join(rows))) == FILE
    assert {len(row) for row in rows[:-1]} == {64}
    assert len(rows[-1]) <= 64


def wrapped(width: int) -> Callable[[str], str]:
    return lambda text: "\n".join("\n".join(textwrap.wrap(line, width)) for line in text.splitlines())


def quoted(prefix: str) -> Callable[[str], str]:
    return lambda text: "".join(prefix + line + "\n" for line in text.splitlines())


def flowed(width: int) -> Callable[[str], str]:
    """All lines run together and broken anew, as some web mail does with paragraphs; marker lines too."""
    return lambda text: "\n".join(textwrap.wrap(text.replace("\n", " "), width))


MANGLERS = {
    "as it was": lambda text: text,
    "wrapped at 60": wrapped(60),
    "wrapped at 76": wrapped(76),
    "wrapped at 30": wrapped(30),
    "flowed at 60": flowed(60),
    "flowed at 76": flowed(76),
    "flowed, then quoted": lambda text: quoted("> ")(flowed(72)(text)),
    "quoted": quoted("> "),
    "quoted twice": quoted("> > "),
    "quoted tight": quoted(">>"),
    "quoted with bars": quoted("| "),
    "quoted, then wrapped, then quoted": lambda text: quoted("> ")(wrapped(60)(quoted("> ")(text))),
    "crlf": lambda text: text.replace("\n", "\r\n"),
    "nbsp": lambda text: text.replace(" ", "\xa0").replace("\n", "\xa0\n\xa0"),
    "trailing blanks": lambda text: text.replace("\n", " \t \n"),
    "indented": lambda text: textwrap.indent(text, "    "),
    "blank lines between": lambda text: text.replace("\n", "\n\n"),
    "no last newline": lambda text: text.rstrip("\n"),
    "zero-width spaces": lambda text: text.replace("\n", "\u200b\n\ufeff"),
    "dashes replaced": lambda text: text.replace("-----", "\u2013\u2014\u2014"),
}


@pytest.mark.parametrize("mangle", MANGLERS.values(), ids=MANGLERS.keys())
def test_a_block_survives_mail_programs(mangle: Callable[[str], str]) -> None:
    """B19, B30, B62."""
    text = f"Dear Jörg,\nhere it is.\n\n{mangle(BLOCK)}\n\n-- \nRed > Blue | and a - dash\n"
    assert packet.unarmor(text) == [FILE]


@given(st.lists(st.sampled_from(list(MANGLERS.values())), max_size=4))
def test_a_block_survives_several_of_them(manglers: list[Callable[[str], str]]) -> None:
    text = BLOCK
    for mangle in manglers:
        text = mangle(text)
    assert packet.unarmor(text) == [FILE]


def test_all_blocks_of_a_text_are_found_in_order() -> None:
    other = summed(SLIP_HEADER + SLIP)
    assert packet.unarmor(f"one\n{BLOCK}two\n> {packet.armor(other)}") == [FILE, other]


def test_a_text_without_blocks_has_none() -> None:
    assert packet.unarmor("I BEGIN with a PBEM PACKET to END it all -- yours") == []


def swap_case_in_the_middle(text: str) -> str:
    at = len(text) // 2
    return text[:at] + text[at : at + 40].swapcase() + text[at + 40 :]


@pytest.mark.parametrize(
    ("damaged", "words"),
    [
        pytest.param(BLOCK.replace(packet.END, ""), "BEGIN or END", id="no end"),
        pytest.param(BLOCK.replace(packet.BEGIN, ""), "BEGIN or END", id="no begin"),
        pytest.param(packet.BEGIN + BLOCK, "BEGIN or END", id="begin twice"),
        pytest.param("\n".join(BLOCK.splitlines()[:5] + BLOCK.splitlines()[6:]), "damaged", id="a row missing"),
        pytest.param(swap_case_in_the_middle(BLOCK), "damaged", id="characters changed"),
        pytest.param(BLOCK.replace("\n", "\n*", 3), "damaged", id="foreign characters"),
        pytest.param(BLOCK.replace("\n", "\né", 3), "damaged", id="foreign letters"),
        pytest.param(f"{packet.BEGIN}\n{packet.END}", "damaged", id="nothing inside"),
        pytest.param(packet.armor(FILE + b"x"), "cut", id="sound stream, no packet"),
        pytest.param(packet.armor(FILE.replace(b"guten", b"gutes", 1)), "checksum", id="sound stream, wrong sum"),
    ],
)
def test_a_damaged_block_is_refused(damaged: str, words: str) -> None:
    with pytest.raises(Refused) as met:
        packet.unarmor(damaged)
    assert met.value.code == "E_PACKET"
    assert words in met.value.what
    assert met.value.hint


def pack(stream: bytes) -> str:
    return f"{packet.BEGIN}\n{base64.b64encode(stream).decode()}\n{packet.END}\n"


def test_a_stream_with_a_tail_is_refused() -> None:
    with pytest.raises(Refused, match="to its end"):
        packet.unarmor(pack(zlib.compress(FILE) + b"tail"))


def test_a_bomb_is_refused_cheaply() -> None:
    """5.3 row 15: 1 GiB of zeros from about 1 MiB of paste."""
    zeros = zlib.compressobj(9)
    bomb = b"".join(zeros.compress(bytes(MiB)) for _ in range(1024)) + zeros.flush()
    text = pack(bomb)
    tracemalloc.start()
    began = time.perf_counter()
    with pytest.raises(Refused, match="more than 16 MiB"):
        packet.unarmor(text)
    seconds, (_, peak) = time.perf_counter() - began, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert seconds < 5
    assert peak < 64 * MiB


@pytest.mark.parametrize(
    "flood", ["-" * 3 * MiB, "- " * MiB, "-----BEGIN " * MiB, "> " * MiB, "-\xa0BEGIN\xa0PBEM" * 200_000]
)
def test_text_floods_are_searched_soon(flood: str) -> None:
    began = time.perf_counter()
    assert packet.blocks(flood) == []
    assert time.perf_counter() - began < 5


@settings(max_examples=50)
@given(st.integers(0, 2**32))
def test_random_lines_travel(seed: int) -> None:
    rng = random.Random(seed)
    texts = (
        "".join(rng.choice("abc éñ日本αβ") for _ in range(rng.randrange(200))) for _ in range(rng.randrange(1, 30))
    )
    whole = Packet("red", GAME, HEAD, tuple(event(n, text=text) for n, text in enumerate(texts, start=1)))
    block = packet.armor(packet.write(whole))
    assert re.fullmatch(r"[A-Za-z0-9+/=\n -]*", block)
    assert [packet.read(one) for one in packet.unarmor(block)] == [whole]
