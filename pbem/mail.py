"""Letters out and in: an `.eml` that any mail program opens, and every packet that a mail brought (FORMAT.md, packets).

Writing is strict and gives the same bytes for the same letter. Reading is lenient about mail and strict about packets:
a packet is known by its content, never by a file name, a Subject or a sender, and nothing is dropped without a word.
Received mail is split here and not by the standard library's parser, whose time and memory nobody bounds.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import hashlib
import html as markup
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from email import policy
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message, MIMEPart
from email.parser import HeaderParser
from email.utils import collapse_rfc2231_value, format_datetime
from pathlib import Path
from typing import IO, BinaryIO, Final

from pbem import log, packet
from pbem.errors import Refused, Trouble
from pbem.packet import armor
from pbem.packet import read as read_packet

# Writing ---------------------------------------------------------------------------------------------------------

DOMAIN: Final = "pbem.invalid"
MAX_SUBJECT: Final = 120
MAX_NAME: Final = 60
MAX_PARENTS: Final = 12
MAX_PLAIN: Final = 76
ENCODED_BYTES: Final = 39
POLICY: Final = policy.SMTP.clone(cte_type="7bit", max_line_length=76)
"""CRLF, and nothing but ASCII: no server has a reason to convert a letter on its way."""

_LOCAL = r"(?=.{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
_ADDRESS = re.compile(rf"({_LOCAL})@([^\s@]{{1,253}})")
_DOMAIN = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")
_NAME_SPECIALS = re.compile(r'["\\<>()\[\]:;@,]')
_MESSAGE_ID = re.compile(r"<[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,200}@[A-Za-z0-9.-]{1,200}>")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True)
class Thread:
    """Where a letter stands: the Message-IDs of its parents, the invitation first; a date, if it is to bear one."""

    parents: tuple[str, ...] = ()
    date: datetime | None = None


def message_id(letter: packet.Packet, beside: str = "") -> str:
    """A short Message-ID: the same on every machine that has the packet, another for every other packet.

    Mail servers drop a second letter of one id: what travels `beside` the packet makes it another one.
    """
    mark = packet.checksum(letter)
    if beside:
        mark = hashlib.sha256(f"{mark}\n{beside}".encode("utf-8", "replace")).hexdigest()
    return f"<{packet.label(letter)}.{mark[:8]}@{DOMAIN}>"


def compose(
    *,
    packet: bytes,
    packet_name: str,
    subject: str,
    text: str,
    html: str = "",
    svg: Sequence[tuple[str, bytes]] = (),
    png: Sequence[tuple[str, bytes]] = (),
    sender: str = "",
    to: Sequence[str] = (),
    thread: Thread = Thread(),  # noqa: B008 - frozen
    paste: bool = False,
    beside: str = "",
) -> bytes:
    """The letter as an `.eml`, a draft that the player's mail program sends.

    `svg` are pairs of name and picture, `png` of content id and picture, which the page shows in their places;
    addresses are `red@example.org` or `Red <red@example.org>`, or none, for the player to fill in.
    With `paste` the packet stands at the end of the text as well; what is sent `beside` it makes it another letter.
    The same arguments give the same bytes. Raises `Refused` for a packet that is none, `Trouble` for an address.
    """
    seed = repr((packet, text, html, list(svg))).encode("utf-8", "replace")
    boundary = hashlib.sha256(seed).hexdigest()[:32]
    body = _text("plain", _with_block(text, packet) if paste else text)
    if html:
        page = _text("html", html)
        if png:
            images = [_image(cid, picture) for cid, picture in png]
            page = _multipart(MIMEPart(POLICY), "related", [page, *images], boundary)
        body = _multipart(MIMEPart(POLICY), "alternative", [body, page], boundary)
    files = [_file("application", "octet-stream", packet_name, packet)]
    files += [_file("image", "svg+xml", name, picture) for name, picture in svg]
    head = _head(sender, to, subject, thread, message_id(read_packet(packet), beside))
    return head + _multipart(MIMEPart(POLICY), "mixed", [body, *files], boundary).as_bytes()


def note(*, sender: str, to: str, subject: str, text: str) -> bytes:
    """A plain letter without a packet: a player's note to himself."""
    mark = hashlib.sha256(repr((to, subject, text)).encode("utf-8", "replace")).hexdigest()[:24]
    head = _head(sender, [to], subject, Thread(), f"<note-{mark}@{DOMAIN}>")
    return head + _text("plain", text).as_bytes()


# The standard library folds names and subjects differently from version to version, and some lose blanks or break
# lines; so the headers of a letter are written here.


def _head(sender: str, to: Sequence[str], subject: str, thread: Thread, own_id: str) -> bytes:
    lines: list[str] = []
    if sender:
        lines.append(_header("From", _mailbox(sender)))
    if to:
        boxes = [_mailbox(one) for one in to]
        for box in boxes[:-1]:
            box[-1] += ","
        lines.append(_header("To", [word for box in boxes for word in box]))
    lines.append(_header("Subject", _words(one_line(subject, MAX_SUBJECT))))
    if thread.date is not None:
        lines.append(_header("Date", format_datetime(thread.date).split()))
    parents = [one for one in thread.parents if _MESSAGE_ID.fullmatch(one)]
    if parents:
        lines.append(_header("In-Reply-To", parents[-1:]))
        lines.append(_header("References", parents[:1] + parents[1:][1 - MAX_PARENTS :]))
    lines += [_header("Message-ID", [own_id]), _header("X-Unsent", ["1"]), _header("MIME-Version", ["1.0"])]
    return "".join(lines).encode("ascii")


def _header(name: str, words: Sequence[str]) -> str:
    """One header, broken between words."""
    lines, line = [], f"{name}:"
    for word in words:
        if len(line) + 1 + len(word) > MAX_PLAIN and " " in line:
            lines.append(line)
            line = ""
        line += f" {word}"
    return "".join(f"{one}\r\n" for one in [*lines, line])


def _words(text: str) -> list[str]:
    """Text as words of a header, encoded unless short and ASCII; readers drop the blanks between those [RFC 2047]."""
    words = text.split()
    if text.isascii() and all(len(word) <= MAX_NAME for word in words):
        return words
    pieces = [""]
    for char in text:
        if len((pieces[-1] + char).encode()) > ENCODED_BYTES:
            pieces.append("")
        pieces[-1] += char
    return [f"=?utf-8?b?{base64.b64encode(piece.encode()).decode()}?=" for piece in pieces]


def _mailbox(text: str) -> list[str]:
    """The words of an address: name, if any, and what stands in angle brackets."""
    name, at = address(text)
    if not name:
        return [at]
    if name.isascii() and "." in name:
        return [f'"{name}"', f"<{at}>"]
    return [*_words(name), f"<{at}>"]


def address(text: str) -> tuple[str, str]:
    """Name and address of `red@example.org` or `Red <red@example.org>` (`Trouble` for anything else)."""
    name, bracket, rest = one_line(text, 1000).rpartition("<")
    found = _ADDRESS.fullmatch(rest.removesuffix(">").strip() if bracket else rest)
    try:
        if found is None or (bracket and not rest.endswith(">")):
            raise ValueError
        domain = found[2].encode("idna").decode()
        if not _DOMAIN.fullmatch(domain):
            raise ValueError
        return one_line(_NAME_SPECIALS.sub(" ", name), MAX_NAME), f"{found[1]}@{domain}"
    except ValueError:
        shown = one_line(text, MAX_NAME)
        raise Trouble(f"{shown!r} is not a mail address", "write it as red@example.org") from None


def one_line(text: str, limit: int) -> str:
    """Text fit for one line of a header or message: printable, at most `limit` characters, no encoded words."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split()).replace("=?", "= ?")
    return line if len(line) <= limit else line[: limit - 3].rstrip() + "..."


def _with_block(text: str, data: bytes) -> str:
    return f"{text.rstrip()}\n\n{armor(data)}"


def _text(subtype: str, text: str) -> MIMEPart:
    """A text part in ASCII: as it is where every mail program leaves it alone, else quoted-printable."""
    text = _CONTROL.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))
    data = (text if text.endswith("\n") else text + "\n").encode("utf-8", "replace")
    plain = data.isascii() and all(len(line) <= MAX_PLAIN for line in data.split(b"\n"))
    part = MIMEPart(POLICY)
    part["Content-Type"] = f'text/{subtype}; charset="utf-8"'
    part["Content-Transfer-Encoding"] = "7bit" if plain else "quoted-printable"
    part.set_payload((data if plain else binascii.b2a_qp(data)).decode("ascii"))
    return part


def _file(main: str, subtype: str, name: str, data: bytes) -> MIMEPart:
    part = MIMEPart(POLICY)
    part.set_content(data, main, subtype, filename=_file_name(name))
    return part


def _image(cid: str, data: bytes) -> MIMEPart:
    """A picture that stands in the page, under its content id."""
    part = MIMEPart(POLICY)
    name = _file_name(cid.partition("@")[0] + ".png")
    part.set_content(data, "image", "png", disposition="inline", filename=name, cid=f"<{cid}>")
    return part


def _multipart(whole: MIMEPart, subtype: str, parts: Sequence[MIMEPart], seed: str) -> MIMEPart:
    """Parts under one another. The boundary is made from the content; `=_` never stands in quoted-printable."""
    whole["Content-Type"] = f'multipart/{subtype}; boundary="=_{subtype}-{seed}"'
    for part in parts:
        whole.attach(part)
    return whole


def _file_name(name: str) -> str:
    """Letters, digits, dot, dash, underscore: what every mail program writes and reads alike."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[-MAX_NAME:] or "attachment"


# Where letters come from -----------------------------------------------------------------------------------------

MAX_LETTER: Final = 32 * 2**20
CHUNK: Final = 65536
STANDARD_INPUT: Final = "standard input"

# The line before each mail of an mbox; some programs put one before a single mail too.
_ENVELOPE = re.compile(rb"From .*[0-9]{1,2}:[0-9]{2}")


@dataclass(frozen=True)
class Letter:
    """One mail or file as it came, with a name for messages. `trouble` says why there are no bytes."""

    name: str
    raw: bytes
    trouble: str = ""


def letters(source: Path | BinaryIO) -> Iterator[Letter]:
    """Every letter of a mail, packet or text file, a folder of such, a Maildir, mbox or stream. Nothing is changed.

    A folder is read with its subfolders, one level; names that start with a dot are left alone.
    Raises `Trouble` if there is no such file; what cannot be read inside a folder comes as a letter with `trouble`.
    """
    if not isinstance(source, Path):
        yield from _stream(source, STANDARD_INPUT)
    elif source.is_dir():
        yield from _folder(source, subfolders=True)
    else:
        with log.open_for_reading(source) as stream:
            yield from _stream(stream, str(source))


def _folder(folder: Path, *, subfolders: bool) -> Iterator[Letter]:
    maildir = [folder / "new", folder / "cur"]
    if all(box.is_dir() for box in maildir):
        for box in maildir:
            yield from _files(box, subfolders=False)
    else:
        yield from _files(folder, subfolders=subfolders)


def _files(folder: Path, *, subfolders: bool) -> Iterator[Letter]:
    try:
        entries = sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))
    except OSError as error:
        yield Letter(str(folder), b"", log.why(error))
        return
    for entry in entries:
        if entry.is_file():
            yield from _one_file(entry)
        elif entry.is_dir() and subfolders:
            yield from _folder(entry, subfolders=False)
        else:
            yield Letter(str(entry), b"", "not looked into; name it by itself if it holds mail")


def _one_file(path: Path) -> Iterator[Letter]:
    try:
        with path.open("rb") as stream:
            yield from _stream(stream, str(path))
    except OSError as error:
        yield Letter(str(path), b"", log.why(error))


def _stream(stream: IO[bytes], name: str) -> Iterator[Letter]:
    """One letter, or all those of an mbox, of which one at a time is held in memory."""
    first = stream.readline(CHUNK)
    if _ENVELOPE.match(first):
        yield from _mbox(stream, name)
        return
    raw = bytearray(first)
    while len(raw) <= MAX_LETTER and (more := stream.read(CHUNK)):
        raw += more
    yield _letter(name, raw)


def _letter(name: str, raw: bytearray) -> Letter:
    if len(raw) > MAX_LETTER:
        return Letter(name, b"", f"larger than {MAX_LETTER // 2**20} MiB: not read; save the attachment by itself")
    return Letter(name, bytes(raw))


def _mbox(stream: IO[bytes], name: str) -> Iterator[Letter]:
    """The mails behind the first envelope line."""
    number, raw = 1, bytearray()
    starts, after_blank = True, False
    while line := stream.readline(CHUNK):
        if starts and after_blank and _ENVELOPE.match(line):
            yield _letter(f"{name}, mail {number}", raw)
            number, raw = number + 1, bytearray()
        elif len(raw) <= MAX_LETTER:
            raw += line
        after_blank = starts and not line.strip(b"\r\n")
        starts = line.endswith(b"\n")
    yield _letter(f"{name}, mail {number}", raw)


# What a letter holds ---------------------------------------------------------------------------------------------

MAX_DEPTH: Final = 20
MAX_PARTS: Final = 500
MAX_TRIES: Final = 64
MAX_FOUND: Final = 4 * packet.MAX_BYTES
MAX_HEAD: Final = 2**18
MAX_VALUE: Final = 4096
MAX_PROBLEMS: Final = 20
MAX_TEXT: Final = 2**20

RICH_TEXT: Final = (
    "Outlook has packed the attachments into a winmail.dat; "
    "the sender must choose HTML or plain text instead of Rich Text and send again"
)
ENCRYPTED: Final = (
    "part of the mail is encrypted, or signed with its content packed inside; "
    "save the attachment in your mail program and give that file"
)
ARCHIVE: Final = "the attachment is an archive; unpack it and give the packet in it"
OUTLOOK_FILE: Final = "this is an Outlook .msg file; save the mail as .eml, or its attachment, and give that"
GAME_FILE: Final = "this is a whole game, not a packet; `pbem verify FILE` judges it"
IN_PARTS: Final = "the mail program has split the mail in parts; ask the sender to send the packet file by itself"
NOTHING: Final = "no packet in it, neither attached nor pasted; is it the right mail?"


@dataclass
class Found:
    """The packet files in a letter, each once and in the order met, and what stood in the way of others."""

    packets: list[bytes] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def packets(letter: Letter) -> Found:
    """All packets anywhere in a letter. Never raises; if there is nothing, `problems` says so."""
    if letter.trouble:
        return Found(problems=[letter.trouble])
    search = _Search()
    search.letter(letter.raw)
    found = search.found
    if not found.packets and not found.problems:
        found.problems.append("the file is empty" if not letter.raw.strip() else NOTHING)
    return found


def texts(letter: Letter) -> list[str]:
    """The readable texts of a letter, in the order met; of a page what a browser would show, line by line."""
    search = _Texts()
    if not letter.trouble:
        search.letter(letter.raw)
    return search.texts


_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_COUNT_LINE = re.compile(rb"\A[0-9]{1,10}[ \t]*\r?\n")  # Apple Mail's .emlx
_HEADER_LINE = re.compile(rb"[!-9;-~]{1,76}:")
_MAIL_HEADER = re.compile(
    rb"^(from|to|cc|subject|date|received|return-path|delivered-to|message-id|mime-version|content-type|x-unsent):",
    re.IGNORECASE | re.MULTILINE,
)
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_NEWLINE = re.compile(rb"\r?\n")
_PACKET = re.compile(rb"(?:^|\xef\xbb\xbf)PBEM-PACKET [0-9]{1,6} ", re.MULTILINE)
_PACKET_INSIDE = re.compile(rb"PBEM-PACKET 1 \{")
_PACKET_END = re.compile(rb"^sum [0-9a-f]{64}", re.MULTILINE)
_TAG = re.compile(r"<[^<>]*>")
_BREAK = re.compile(r"(?i)<(?:br|/?p|/?div|/?tr|/?li|/?pre|/?blockquote)\b[^<>]*>")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")
_SLOW_CODECS = frozenset({"idna", "punycode"})

_TNEF = b"\x78\x9f\x3e\x22"
_SIGNATURES: Final = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OUTLOOK_FILE),
    (b"PK\x03\x04", ARCHIVE),
    (b"\x1f\x8b", ARCHIVE),
    (b"7z\xbc\xaf\x27\x1c", ARCHIVE),
    (b"Rar!", ARCHIVE),
    (b"charter {", GAME_FILE),
)
_TYPES: Final = {
    "application/pkcs7-mime": ENCRYPTED,
    "application/x-pkcs7-mime": ENCRYPTED,
    "message/partial": IN_PARTS,
}
_PGP = b"-----BEGIN PGP MESSAGE-----"


@dataclass(frozen=True)
class _Part:
    """What the headers of a part say, as far as it matters."""

    type: str = ""
    encoding: str = ""
    charset: str = ""
    boundary: str = ""
    name: str = ""


class _Search:
    """One letter's search: what was found, and how much was spent on it."""

    def __init__(self) -> None:
        self.found = Found()
        self.known: set[bytes] = set()
        self.parts = self.tries = self.bytes = 0

    def problem(self, text: str) -> None:
        if text not in self.found.problems and len(self.found.problems) < MAX_PROBLEMS:
            self.found.problems.append(text)

    def letter(self, raw: bytes) -> None:
        """A file of any kind: mail, packet, or text."""
        raw = raw.removeprefix(_BOM)
        mail = _COUNT_LINE.sub(b"", raw, count=1)
        if not _is_mail(mail):
            self.leaf(raw, _Part())
            return
        self.entity(mail, 0, len(mail), 0)
        if not self.found.packets and not self.found.problems:
            self.leaf(raw, _Part())  # a text that only looks like a mail

    # MIME -----------------------------------------------------------------------------------------------------

    def entity(
        self, raw: bytes, start: int, end: int, depth: int, *, skip_html: bool = False, usual: str = "text/plain"
    ) -> None:
        """A mail or part between two places: headers, blank line, body; of the usual type where it names none."""
        self.parts += 1
        if self.parts > MAX_PARTS or depth > MAX_DEPTH:
            over = f"deeper than {MAX_DEPTH}" if depth > MAX_DEPTH else f"in more than {MAX_PARTS} parts"
            self.problem(f"the mail is nested {over}: not all of it was read; save the attachment and give that file")
            return
        head_end, body = _body_of(raw, start, end)
        if head_end - start > MAX_HEAD:
            self.problem("a part with headers of more than 256 KiB was not read")
            return
        part = _headers(raw[start:head_end], usual)
        if part.type.startswith("multipart/"):
            self.multipart(raw, body, end, depth, part, skip_html=skip_html)
        elif part.type in ("message/rfc822", "message/global"):
            inner = _decoded(raw[body:end], part)
            self.entity(inner, 0, len(inner), depth + 1)
        elif not (skip_html and part.type == "text/html"):
            self.leaf(_decoded(raw[body:end], part), part)

    def multipart(self, raw: bytes, start: int, end: int, depth: int, part: _Part, *, skip_html: bool) -> None:
        """The parts between boundaries; without a usable boundary the body as it stands."""
        if part.type == "multipart/encrypted":
            self.problem(ENCRYPTED)
        spans = _split(raw, start, end, part.boundary)
        if not spans:
            self.leaf(raw[start:end], _Part("text/plain"))
        before = len(self.found.packets)
        usual = "message/rfc822" if part.type == "multipart/digest" else "text/plain"  # [RFC 2046, 5.1.5]
        for first, last in spans:
            again = part.type == "multipart/alternative" and len(self.found.packets) > before
            self.entity(raw, first, last, depth + 1, skip_html=skip_html or again, usual=usual)

    def leaf(self, data: bytes, part: _Part) -> None:
        """Content that is not divided any more."""
        if data.startswith(_TNEF) or part.type in ("application/ms-tnef", "application/vnd.ms-tnef"):
            self.rich_text(data)
            return
        trouble = _TYPES.get(part.type) or next((text for start, text in _SIGNATURES if data.startswith(start)), "")
        if trouble:
            self.problem(_about(part, trouble))
            return
        if _PGP in data:
            self.problem(ENCRYPTED)
        if part.type != "text/html":
            for bare in _cut_out(data, _PACKET):
                self.take(bare, part)
        if b"PACKET" in data or data.startswith(_UTF16) or part.charset.startswith(("utf-16", "utf-32")):
            self.pasted(_characters(data, part.charset), part)

    def rich_text(self, data: bytes) -> None:
        """A winmail.dat: its attachments are bytes in it, found if nothing has cut them up."""
        before = len(self.found.packets)
        for bare in _cut_out(data, _PACKET_INSIDE):
            self.take(bare, None)
        if len(self.found.packets) == before:
            self.problem(RICH_TEXT)

    # Packets --------------------------------------------------------------------------------------------------

    def take(self, bare: bytes, part: _Part | None) -> None:
        """A packet as it stands; if that is damaged, with the characters of a text part in UTF-8 again."""
        if not self.may_try():
            return
        try:
            self.keep(packet.read(bare))
        except Refused as error:
            other = _characters(bare, part.charset).encode() if part is not None and part.charset else bare
            if other != bare and self.keeps(other):
                return
            if part is not None:
                self.problem(_about(part, _said(error)))

    def keeps(self, bare: bytes) -> bool:
        try:
            self.keep(packet.read(bare))
        except Refused:
            return False
        return True

    def pasted(self, text: str, part: _Part) -> None:
        """The paste blocks of a text, or of what a browser would show of it."""
        page = part.type == "text/html" or (not part.type and "<html" in text.lower())
        for block in packet.blocks(markup.unescape(_TAG.sub("\n", text)) if page else text):
            if not self.may_try():
                return
            try:
                self.keep(packet.read(packet.open_block(block)))
            except Refused as error:
                self.problem(_said(error))

    def may_try(self) -> bool:
        self.tries += 1
        if self.tries > MAX_TRIES or self.bytes > MAX_FOUND:
            self.problem(
                "the mail holds more packets than one mail should: the rest was not read; send fewer at a time"
            )
            return False
        return True

    def keep(self, sound: packet.Packet) -> None:
        """Note a packet, once: mails carry copies of one packet as attachment and in both texts."""
        data = packet.write(sound)
        known = hashlib.sha256(data).digest()
        if known not in self.known:
            self.known.add(known)
            self.bytes += len(data)
            self.found.packets.append(data)


class _Texts(_Search):
    """The same walk through a letter, for people's words."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def leaf(self, data: bytes, part: _Part) -> None:
        if part.type not in ("", "text/plain", "text/html") or len(data) > MAX_TEXT:
            return
        text = _characters(data, part.charset)
        page = part.type == "text/html"
        self.texts.append(markup.unescape(_TAG.sub("", _BREAK.sub("\n", text))) if page else text)


def _said(error: Refused) -> str:
    return f"{error.what}; {error.hint}" if error.hint else error.what


def _about(part: _Part, text: str) -> str:
    return f"attachment {part.name}: {text}" if part.name else text


def _is_mail(raw: bytes) -> bool:
    """The first line is a header, and one that mails have stands before the first blank line."""
    end = _body_of(raw, 0, min(len(raw), MAX_HEAD))[0]
    return _HEADER_LINE.match(raw) is not None and _MAIL_HEADER.search(raw, 0, end) is not None


def _body_of(raw: bytes, start: int, end: int) -> tuple[int, int]:
    """Where the headers end and where the body starts."""
    at_once = _NEWLINE.match(raw, start, end)
    blank = at_once or _BLANK_LINE.search(raw, start, end)
    return (blank.start(), blank.end()) if blank else (end, end)


def _split(raw: bytes, start: int, end: int, boundary: str) -> list[tuple[int, int]]:
    """The parts of a multipart body; the last one may lack its closing line."""
    if not boundary:
        return []
    line = re.compile(
        rb"^--" + re.escape(boundary.encode("utf-8", "replace")) + rb"(--)?[ \t]*\r?(?:\n|\Z)", re.MULTILINE
    )
    spans: list[tuple[int, int]] = []
    begin: int | None = None
    for found in line.finditer(raw, start, end):
        if begin is not None:
            spans.append((begin, found.start()))
        begin = None if found[1] else found.end()
        if found[1] or len(spans) > MAX_PARTS:
            break
    if begin is not None:
        spans.append((begin, end))
    return spans


def _headers(head: bytes, usual: str = "text/plain") -> _Part:
    """The headers that matter, cut to a size that is harmless to parse; what cannot be understood counts as absent."""
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError:
        text = head.decode("latin-1")
    mail = HeaderParser().parsestr(text)
    short: Message = Message()
    short.set_default_type(usual)
    for name in ("Content-Type", "Content-Disposition", "Content-Transfer-Encoding"):
        if name in mail:
            short[name] = str(mail[name])[:MAX_VALUE]
    charset, boundary = _parameter(short, "charset"), _parameter(short, "boundary")
    encoding = str(short.get("Content-Transfer-Encoding", "")).strip().lower()
    return _Part(short.get_content_type(), encoding, charset.lower(), boundary.rstrip(), _shown_name(short))


def _parameter(part: Message, name: str, header: str = "Content-Type") -> str:
    try:
        value = part.get_param(name, "", header)
        return collapse_rfc2231_value(value) if value else ""
    except (ValueError, LookupError, TypeError, AttributeError):
        return ""  # the standard library raises these on malformed parameters


def _shown_name(part: Message) -> str:
    """An attachment's name for messages, whichever of three ways it is encoded in. No decision hangs on it."""
    name = _parameter(part, "filename", "Content-Disposition") or _parameter(part, "name")
    with suppress(ValueError, LookupError, HeaderParseError):
        name = str(make_header(decode_header(name)))
    return one_line(name, MAX_NAME)


def _decoded(body: bytes, part: _Part) -> bytes:
    """The body without its transfer encoding, as far as it can be decoded."""
    if part.encoding == "quoted-printable":
        return binascii.a2b_qp(body)
    if part.encoding != "base64":
        return body
    try:
        return binascii.a2b_base64(body)
    except ValueError:
        clean = _NOT_BASE64.sub(b"", body)
        return binascii.a2b_base64(clean[: len(clean) // 4 * 4])


def _characters(data: bytes, charset: str) -> str:
    """Text in the charset that it declares, if it is in that; else UTF-8, else what never fails."""
    if data.startswith(_UTF16):
        return data.decode("utf-16", "replace")
    for name in (charset, "utf-8"):
        try:
            if name and codecs.lookup(name).name not in _SLOW_CODECS:
                return data.decode(name)
        except (ValueError, LookupError):
            continue
    return data.decode("latin-1")


def _cut_out(data: bytes, start: re.Pattern[bytes]) -> Iterator[bytes]:
    """Each packet in the data: from its first line to its checksum, whatever stands around it."""
    begins = [found.start() for found in start.finditer(data)][: MAX_TRIES + 1]
    for begin, limit in zip(begins, [*begins[1:], len(data)], strict=False):
        end = _PACKET_END.search(data, begin, limit)
        yield data[begin : end.end() if end else limit]
