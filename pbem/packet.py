"""The packet: what one letter carries, as a file or pasted into a mail (FORMAT.md, packets).

Bytes in, bytes out. `read` and `write` are inverse, `armor` and `unarmor` too.
The checksum is against damage by mail, not against enemies: signatures are checked by whoever takes the lines in.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from pbem import canon, charter
from pbem.errors import Refused
from pbem.log import LONGEST
from pbem.record import SEAT_FORM

SUFFIX: Final = ".packet"
MAGIC: Final = b"PBEM-PACKET "
MAX_BYTES: Final = 16 * 2**20
BARE: Final = ("charter", "seal", "draft")
SIGNED: Final = ("pbem1", "entry", "said", "slip", "receipt")
WORDS: Final = BARE + SIGNED
"""First words of the lines a packet may hold."""

BEGIN: Final = "-----BEGIN PBEM PACKET-----"
END: Final = "-----END PBEM PACKET-----"
COLUMNS: Final = 64

AGAIN: Final = "ask the sender to send it again, as an attachment"
FAULTY: Final = "it arrived as it was sent: the sender's program wrote it so"

_BOM = b"\xef\xbb\xbf"
_HEX = "[0-9a-f]{64}"
_HEADER = re.compile(
    rf'PBEM-PACKET 1 \{{(?:"first":[0-9]+,)?"from":"({SEAT_FORM})","game":"({_HEX})","head":"({_HEX})"'
    rf'(?:,"last":[0-9]+,"prev":"{_HEX}")?\}}'.encode()
)
_VERSION = re.compile(rb"PBEM-PACKET ([0-9]{1,6}) ")
_SUM = re.compile(rb"sum ([0-9a-f]{64})")
_LINE = re.compile(rf"(?:({'|'.join(BARE)})|({'|'.join(SIGNED)}) [0-9a-f]{{128}}) \{{".encode())
# Canonical events end alike: the keys after `kind` are prev, seat, seq, v.
_PLACE = re.compile(rf'"prev":"({_HEX})","seat":"{SEAT_FORM}","seq":([1-9][0-9]{{0,15}}),"v":1\}}\n\Z'.encode())
_PLACE_BYTES = 160


def _refused(what: str, hint: str = AGAIN) -> Refused:
    return Refused("E_PACKET", what, hint)


@dataclass(frozen=True)
class Packet:
    """The lines of one letter, each with its LF, in the order in which they are to be taken in.

    `sender` is a seat or `witness`; `head` is the last event the sender had (before event 1 the game id).
    While there is no charter, `game` and `head` are the hash of the draft.
    """

    sender: str
    game: str
    head: str
    lines: tuple[bytes, ...]

    def of(self, word: str) -> tuple[bytes, ...]:
        """The lines that start with a word."""
        start = word.encode() + b" "
        return tuple(line for line in self.lines if line.startswith(start))

    @cached_property
    def events(self) -> tuple[bytes, ...]:
        """The event lines."""
        return self.of("pbem1")

    @property
    def first(self) -> int | None:
        """Seq of the first event; None without events."""
        return _place(self.events[0])[0] if self.events else None

    @property
    def last(self) -> int | None:
        """Seq of the last event; None without events."""
        return _place(self.events[-1])[0] if self.events else None

    @property
    def prev(self) -> str | None:
        """Id of the event (or game) that the first event follows; None without events."""
        return _place(self.events[0])[1] if self.events else None


def _place(line: bytes) -> tuple[int, str]:
    """Seq and prev of an event line. Its signature and body are for the fold to judge."""
    found = _PLACE.search(line[-_PLACE_BYTES:])
    if found is None:
        raise _refused("an event does not say its place in the game", FAULTY)
    return int(found[2]), found[1].decode()


# The file --------------------------------------------------------------------------------------------------------


def write(packet: Packet) -> bytes:
    """The packet file. Refuses what `read` would refuse (`E_PACKET`)."""
    body = _header(packet) + b"".join(packet.lines)
    data = body + b"sum " + hashlib.sha256(body).hexdigest().encode() + b"\n"
    if len(data) > MAX_BYTES:
        raise _refused("the packet would be larger than 16 MiB", "send fewer events at a time, or the game file itself")
    _read_body(body)
    return data


def _header(packet: Packet) -> bytes:
    doc: canon.Doc = {"from": packet.sender, "game": packet.game, "head": packet.head}
    if packet.events:
        doc |= {"first": packet.first, "last": packet.last, "prev": packet.prev}
    return MAGIC + b"1 " + canon.encode(doc) + b"\n"


def read(data: bytes) -> Packet:
    """The packet of a file as mail delivered it: line ends of either kind, a BOM, blank lines around it.

    Everything else must be as it was written (`E_PACKET`).
    """
    if len(data) > MAX_BYTES + MAX_BYTES // 8:  # room for converted line ends
        raise _refused("the packet is larger than 16 MiB", "no letter of a game is so large")
    body, found = _summed(data.removeprefix(_BOM).replace(b"\r", b"").strip(b" \t\n"))
    if len(body) > MAX_BYTES:
        raise _refused("the packet is larger than 16 MiB", "no letter of a game is so large")
    if hashlib.sha256(body).hexdigest().encode() != found:
        raise _refused("the checksum does not fit: the mail has changed something in the packet")
    return _read_body(body)


def _summed(text: bytes) -> tuple[bytes, bytes]:
    """The bytes before the sum line, and the sum."""
    version = _VERSION.match(text)
    if version is None:
        raise _refused("this is no packet", "a packet starts with `PBEM-PACKET 1`")
    if version[1] != b"1":
        raise _refused(f"a packet of format {int(version[1])}; this release reads format 1", "install a newer pbem")
    body, _, last = text.rpartition(b"\n")
    found = _SUM.fullmatch(last)
    if found is None:
        raise _refused("the packet was cut: its last line, the checksum, is missing")
    return body + b"\n", found[1]


def _read_body(body: bytes) -> Packet:
    first, _, rest = body.partition(b"\n")
    header = _HEADER.fullmatch(first)
    if header is None:
        raise _refused("the first line is not that of a packet", FAULTY)
    sender, game, head = (part.decode() for part in header.groups())
    packet = Packet(sender, game, head, tuple(_lines(rest)))
    if not packet.lines:
        raise _refused("the packet is empty", FAULTY)
    if _header(packet) != first + b"\n":
        raise _refused("the first line does not say which events the packet holds", FAULTY)
    _check_game(packet)
    return packet


def _lines(rest: bytes) -> Iterator[bytes]:
    """Whole lines, each of a word that packets may hold."""
    start, number = 0, 1
    while start < len(rest):
        number += 1
        end = rest.find(b"\n", start) + 1
        if not end:
            raise _refused(f"line {number} has no end", FAULTY)
        if end - start > LONGEST:
            raise _refused(f"line {number} is longer than any event", FAULTY)
        line = rest[start:end]
        if not _LINE.match(line) or not line.endswith(b"}\n"):
            raise _refused(f"line {number} is of no kind that packets hold", f"kinds are {', '.join(WORDS)}")
        yield line
        start = end


def _check_game(packet: Packet) -> None:
    """A charter, or without one a draft, says which game this is."""
    ids = {charter.game_id(_document(line)) for line in packet.of("charter")}
    if not ids:
        ids = {canon.H("pbem/v1/draft", _document(line)).hex() for line in packet.of("draft")}
    if ids and ids != {packet.game}:
        raise _refused("the first line names another game than the charter or draft in the packet", FAULTY)


def _document(line: bytes) -> bytes:
    return line.partition(b" ")[2].removesuffix(b"\n")


def file_name(packet: Packet) -> str:
    """A name from the game id and the seq range, or the checksum where there are no events; never from names inside."""
    return f"pbem-{label(packet)}{SUFFIX}"


def label(packet: Packet) -> str:
    """What tells this packet from the others of its game: `1a2b3c4d-0012-0020`, or `1a2b3c4d-0000-9f8e7d6c`."""
    if packet.events:
        return f"{packet.game[:8]}-{packet.first:04}-{packet.last:04}"
    return f"{packet.game[:8]}-0000-{checksum(packet)[:8]}"


def checksum(packet: Packet) -> str:
    """The checksum in the last line of the file."""
    return hashlib.sha256(_header(packet) + b"".join(packet.lines)).hexdigest()


# Pasted into a mail ----------------------------------------------------------------------------------------------

# What wrapping, quoting and web pages put between characters; base64 has none of it.
_LAYOUT = r"[\s>|\u00ad\u200b-\u200d\u2060\ufeff]"
_DASH = r"[-\u2010-\u2015]"
# Even the marker lines may be broken; the numbers keep the search linear.
_MARKER = re.compile(
    rf"{_DASH}{_LAYOUT}{{0,60}}(BEGIN|END){_LAYOUT}{{1,60}}PBEM{_LAYOUT}{{1,60}}PACKET{_LAYOUT}{{0,60}}{_DASH}"
)
_EDGE = "-\u2010\u2011\u2012\u2013\u2014\u2015"
_DROPPED = re.compile(f"{_LAYOUT}+")


@dataclass(frozen=True)
class Block:
    """What stands between two marker lines, still coded; `whole` is False where one of them is missing."""

    text: str
    whole: bool


def armor(data: bytes) -> str:
    """A packet file as text that survives wrapping and quoting: base64 of its zlib stream between two marker lines."""
    coded = base64.b64encode(zlib.compress(data, 9)).decode()
    rows = [coded[at : at + COLUMNS] for at in range(0, len(coded), COLUMNS)]
    return "\n".join([BEGIN, *rows, END]) + "\n"


def unarmor(text: str) -> list[bytes]:
    """The packet files of all blocks in a text, in order (`E_PACKET` for the first damaged one)."""
    return [open_block(block) for block in blocks(text)]


def blocks(text: str) -> list[Block]:
    """All blocks of a text, whatever stands around them."""
    found: list[Block] = []
    begin: int | None = None
    for marker in _MARKER.finditer(text):
        opens = marker[1] == "BEGIN"
        if begin is not None:
            found.append(Block(text[begin : marker.start()], whole=not opens))
        elif not opens:
            found.append(Block("", whole=False))
        begin = marker.end() if opens else None
    if begin is not None:
        found.append(Block(text[begin:], whole=False))
    return found


def open_block(block: Block) -> bytes:
    """The packet file in a block: its layout leniently, its content strictly (`E_PACKET`)."""
    if not block.whole:
        raise _refused("a pasted packet lacks its BEGIN or END line", f"copy everything from {BEGIN} to {END}")
    coded = _DROPPED.sub("", block.text).strip(_EDGE)
    try:
        packed = binascii.a2b_base64(coded.encode("ascii"), strict_mode=True)
    except ValueError:
        raise _refused("a pasted packet was damaged: characters are missing or do not belong there") from None
    data = _unpack(packed)
    read(data)
    return data


def _unpack(packed: bytes) -> bytes:
    """The zlib stream's content, never more than the limit."""
    stream = zlib.decompressobj()
    try:
        data = stream.decompress(packed, MAX_BYTES + 1)
    except zlib.error:
        raise _refused("a pasted packet was damaged: it does not unpack") from None
    if len(data) > MAX_BYTES:
        raise _refused("a pasted packet unpacks to more than 16 MiB", "no letter of a game is so large")
    if not stream.eof or stream.unused_data:
        raise _refused("a pasted packet was damaged: it does not unpack to its end")
    return data
