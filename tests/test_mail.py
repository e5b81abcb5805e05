"""Letters: what `compose` writes, read back with the standard library, and what `packets` finds in what others write.

The mails here are put together as Thunderbird, Outlook, Apple Mail and web mail structure theirs.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import mailbox
import quopri
import textwrap
import time
import zipfile
import zlib
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.encoders import encode_base64
from email.message import EmailMessage
from email.mime.application import MIMEApplication
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem import mail, packet
from pbem.errors import Refused, Trouble
from pbem.mail import Letter, Thread, compose, letters, packets

GAME = "1a2b3c4d" + "00" * 28
HEAD = "ee" * 32
SIG = "5f" * 64
MiB = 2**20


def packet_file(first: int, count: int = 2, text: str = "guten Zug, Jörg") -> bytes:
    """A packet of made-up events, put together by hand from FORMAT.md."""
    last = first + count - 1
    body = f'PBEM-PACKET 1 {{"first":{first},"from":"red","game":"{GAME}","head":"{HEAD}",'
    body += f'"last":{last},"prev":"{HEAD}"}}\n'
    for seq in range(first, last + 1):
        place = f'"prev":"{HEAD}","seat":"red","seq":{seq},"v":1'
        body += f'pbem1 {SIG} {{"body":{{"text":"{text}"}},"game":"{GAME}","kind":"note",{place}}}\n'
    return (body + f"sum {hashlib.sha256(body.encode()).hexdigest()}\n").encode()


ONE = packet_file(12)
TWO = packet_file(14)
CRLF = ONE.replace(b"\n", b"\r\n")
BLOCK = packet.armor(ONE)
NAME = "pbem-1a2b3c4d-0012-0013.packet"


def found(raw: bytes) -> list[bytes]:
    """The packets of a mail in which nothing stood in the way."""
    result = packets(Letter("a mail", raw))
    assert result.problems == []
    return result.packets


def problems(raw: bytes) -> str:
    """What is said of a mail without a packet; never nothing."""
    result = packets(Letter("a mail", raw))
    assert result.packets == []
    assert result.problems
    return "; ".join(result.problems)


def draft(**other: object) -> bytes:
    words: dict[str, object] = {
        "packet": ONE,
        "packet_name": NAME,
        "subject": "Malaya, event 13",
        "text": "Your move.\n",
    }
    return compose(**(words | other))  # type: ignore[arg-type]


def read_back(raw: bytes) -> EmailMessage:
    """The mail as the standard library understands it; no defect anywhere."""
    parsed = message_from_bytes(raw, policy=policy.default)
    assert isinstance(parsed, EmailMessage)
    for part in parsed.walk():
        assert not part.defects
        for _, value in part.items():
            assert not value.defects
    return parsed


def text_of(mail: EmailMessage, kind: str) -> str:
    """The text part of a kind, with the line ends of this system."""
    body = mail.get_body((kind,))
    assert body is not None
    content = body.get_content()
    assert isinstance(content, str)
    return content.replace("\r\n", "\n")


# Writing ---------------------------------------------------------------------------------------------------------


def test_a_letter_has_text_page_packet_and_maps() -> None:
    raw = draft(html="<p>Zug für dich</p>", svg=[("map-1.svg", b"<svg/>"), ("map-2.svg", b"<svg></svg>")])
    parsed = read_back(raw)
    assert [part.get_content_type() for part in parsed.walk()] == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "text/html",
        "application/octet-stream",
        "image/svg+xml",
        "image/svg+xml",
    ]
    assert text_of(parsed, "plain") == "Your move.\n"
    assert text_of(parsed, "html") == "<p>Zug für dich</p>\n"
    files = list(parsed.iter_attachments())
    assert [part.get_filename() for part in files] == [NAME, "map-1.svg", "map-2.svg"]
    assert [part.get_content() for part in files] == [ONE, b"<svg/>", b"<svg></svg>"]
    assert [part.get_content_disposition() for part in files] == ["attachment"] * 3
    assert found(raw) == [ONE]


def test_without_a_page_the_text_stands_alone() -> None:
    parsed = read_back(draft())
    assert [part.get_content_type() for part in parsed.walk()][1:] == ["text/plain", "application/octet-stream"]


def test_without_addresses_it_is_a_draft() -> None:
    parsed = read_back(draft())
    assert parsed["X-Unsent"] == "1"
    assert [name for name in ("From", "To", "Date") if name in parsed] == []


def test_addresses_are_those_given() -> None:
    parsed = read_back(draft(sender="Jörg Müller <red@example.org>", to=["blue@example.org", "Green <g@example.org>"]))
    assert [(one.display_name, one.addr_spec) for one in parsed["From"].addresses] == [
        ("Jörg Müller", "red@example.org")
    ]
    assert [one.addr_spec for one in parsed["To"].addresses] == ["blue@example.org", "g@example.org"]


def test_an_international_domain_is_written_in_ascii() -> None:
    """RFC 3492: bücher is xn--bcher-kva."""
    assert read_back(draft(to=["x@bücher.example"]))["To"].addresses[0].addr_spec == "x@xn--bcher-kva.example"


def test_the_same_letter_has_the_same_bytes() -> None:
    words = {"html": "<p>é</p>", "svg": [("map-1.svg", b"<svg/>")], "to": ["blue@example.org"], "paste": True}
    assert draft(**words) == draft(**words)
    assert draft(**words) != draft(**words | {"html": "<p>e</p>"})


def test_every_line_is_short_ascii_and_ends_with_crlf() -> None:
    """RFC 5322 2.1.1: lines of 78 at most; B30: nothing that a relay would convert."""
    raw = draft(
        subject="Zug für Jörg " * 9,
        text="wide: " + "ä" * 300 + " \n.\nFrom here\n" + "x" * 2000,
        html="<p>日本</p>" * 50,
        sender="Jörg " * 50 + "<red@example.org>",
        to=[f"blue{n}@example.org" for n in range(20)],
        thread=Thread(tuple(f"<parent-{n}@pbem.invalid>" for n in range(40))),
        paste=True,
    )
    assert raw.isascii()
    lines = raw.split(b"\r\n")
    assert max(len(line) for line in lines) <= 78
    assert not any(b"\n" in line or b"\r" in line for line in lines)
    assert found(raw) == [ONE]


def test_the_paste_block_stands_at_the_end_of_the_text() -> None:
    assert text_of(read_back(draft(paste=True, html="<p>x</p>")), "plain") == f"Your move.\n\n{BLOCK}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no last newline",
        "trailing blanks  \nand tab\t\n",
        "From here\n.\n..\n>From\n-- \nRed\n",
        "=3D and =\n soft\n",
        "ä" * 500 + "\n",
        "日本 αβγ кириллица\n",
        "--=_mixed-0\n--=_alternative-0--\n",
    ],
)
def test_the_text_arrives_as_written(text: str) -> None:
    parsed = read_back(draft(text=text, html=f"<pre>{text}</pre>"))
    assert text_of(parsed, "plain").removesuffix("\n") == text.removesuffix("\n")
    assert text_of(parsed, "html").removesuffix("\n") == f"<pre>{text}</pre>"


def test_control_characters_do_not_travel() -> None:
    assert (
        text_of(read_back(draft(text="a\0b\x1b[31mc\x85d\u2028e\rf\r\ng\ud800h")), "plain") == "a b [31mc d e\nf\ng?h\n"
    )


# Headers ---------------------------------------------------------------------------------------------------------


def test_a_message_id_comes_from_game_range_and_checksum() -> None:
    digest = hashlib.sha256(ONE.rpartition(b"sum ")[0]).hexdigest()
    assert read_back(draft())["Message-ID"] == f"<1a2b3c4d-0012-0013.{digest[:8]}@pbem.invalid>"


def test_different_packets_have_different_message_ids() -> None:
    """Mail servers drop a second mail with a Message-ID they have seen."""
    again = packet_file(12, text="another text")
    assert read_back(draft())["Message-ID"] != read_back(draft(packet=again))["Message-ID"]


def test_letters_thread_under_the_invitation() -> None:
    parsed = read_back(draft(thread=Thread(("<invitation@pbem.invalid>", "<last@pbem.invalid>"))))
    assert parsed["In-Reply-To"] == "<last@pbem.invalid>"
    assert parsed["References"] == "<invitation@pbem.invalid> <last@pbem.invalid>"


def test_a_long_thread_keeps_its_root_and_its_newest() -> None:
    parents = tuple(f"<{n}@pbem.invalid>" for n in range(100))
    kept = [parents[0], *parents[-11:]]
    raw = draft(thread=Thread(parents))
    assert read_back(raw)["References"].split() == kept
    head = raw.partition(b"\r\n\r\n")[0]
    assert b"=?" not in head  # B78: no encoded words where threads hang on the text


def test_a_long_message_id_of_a_mail_server_is_written_whole() -> None:
    """B78: the standard library would encode it, and the thread would break."""
    parent = f"<{'DB7PR04MB' * 9}@DB7PR04MB1234.eurprd04.prod.outlook.com>"
    head = draft(thread=Thread((parent,))).partition(b"\r\n\r\n")[0].decode()
    assert f"In-Reply-To: {parent}\r\nReferences: {parent}\r\n" in head


@pytest.mark.parametrize("bad", ["", "x", "<a b@c>", "<a@b>\r\nBcc: v@w", "<é@b>", f"<{'a' * 300}@b>", "=?utf-8?q?x?="])
def test_a_parent_that_would_break_the_header_is_left_out(bad: str) -> None:
    parsed = read_back(draft(thread=Thread(("<good@pbem.invalid>", bad))))
    assert parsed["References"] == parsed["In-Reply-To"] == "<good@pbem.invalid>"
    assert "In-Reply-To" not in read_back(draft(thread=Thread((bad,))))


def test_a_date_is_written_if_given() -> None:
    parsed = read_back(draft(thread=Thread(date=datetime(2026, 3, 1, 12, 30, tzinfo=UTC))))
    assert parsed["Date"] == "Sun, 01 Mar 2026 12:30:00 +0000"


HEADERS = {"Subject", "Message-ID", "X-Unsent", "MIME-Version", "Content-Type"}


@pytest.mark.parametrize(
    "evil",
    [
        "x\r\nBcc: victim@example.org",
        "x\nBcc: victim@example.org",
        "x\rBcc: victim@example.org",
        "x\x0bBcc: v@w\x0cBcc: v@w\x1cBcc: v@w\x85Bcc: v@w\u2028Bcc: v@w",
        "x\r\n\r\n<script>",
        "=?utf-8?q?x=0D=0ABcc:_victim@example.org?=",
        "=?utf-8?b?eA0KQmNjOiB2QHc=?=",
        "\ud800\udfff",
        "\u202egnp.exe",
        "a" * 300,
        "ä" * 300,
        "a b " * 300,
        '"; x="',
    ],
)
def test_nothing_from_outside_becomes_a_header(evil: str) -> None:
    """B78; 5.3 row 49."""
    raw = draft(subject=evil, packet_name=evil, svg=[(evil, b"<svg/>")], sender=f"{evil[:200]} <red@example.org>")
    parsed = read_back(raw)
    assert set(parsed.keys()) == HEADERS | {"From"}
    assert len(parsed["Subject"]) <= 120
    assert "\n" not in parsed["Subject"]
    assert [one.addr_spec for one in parsed["From"].addresses] == ["red@example.org"]
    for part in parsed.iter_attachments():
        assert set(part.keys()) == {"Content-Type", "Content-Transfer-Encoding", "Content-Disposition"}
        name = part.get_filename()
        assert name is not None
        assert name.replace("-", "").replace(".", "").replace("_", "").isalnum()
        assert len(name) <= 60
    assert found(raw) == [ONE]


WORDS = st.lists(
    st.sampled_from(
        ["Zug", "für", "日本", "ä" * 30, "x" * 70, "J.", "=?", "?=", "=", "_", "(", ")", '"', ":", "\t", "👍"]
    ),
    max_size=25,
).map(" ".join)


@settings(deadline=None)
@given(st.text(max_size=200) | WORDS, st.text(max_size=200) | WORDS)
def test_any_subject_and_name_give_a_sound_letter(subject: str, name: str) -> None:
    parsed = read_back(draft(subject=subject, sender=f"{name} <red@example.org>"))
    assert set(parsed.keys()) == HEADERS | {"From"}
    (sent,) = parsed["From"].addresses
    assert sent.addr_spec == "red@example.org"
    # The standard library's reader puts a blank between two encoded words of a name, which RFC 2047 forbids.
    name, _ = mail.address(f"{name} <red@example.org>")
    assert sent.display_name.replace(" ", "") == name.replace(" ", "")
    assert parsed["Subject"] == mail.one_line(subject, 120)


@pytest.mark.parametrize(
    "bad",
    [
        *("red", "red@", "@example.org", "a b@example.org", "red@ex ample.org", "a@b@c", "Red <red@example.org"),
        *("x <y> z@w", "red@example.org\nBcc: victim@example.org", "a@b.org, c@d.org", "jörg@example.org"),
        *(f"{'a' * 65}@example.org", "a@" + "b" * 300, "a@b..c", "\x1b[31m"),
    ],
)
def test_what_is_no_address_is_refused(bad: str) -> None:
    with pytest.raises(Trouble, match="not a mail address") as met:
        draft(to=[bad])
    assert "\x1b" not in str(met.value)
    assert met.value.hint


def test_a_letter_needs_a_packet() -> None:
    with pytest.raises(Refused, match="E_PACKET"):
        draft(packet=b"PBEM-PACKET 1 {}")


# What other programs make of it ----------------------------------------------------------------------------------


def headers(subject: str = "Re: Malaya") -> str:
    return f"From: Red <red@example.org>\r\nTo: blue@example.org\r\nSubject: {subject}\r\nMIME-Version: 1.0\r\n"


def text_mail(text: str, subtype: str = "plain", encoding: str = "8bit", charset: str = "utf-8") -> bytes:
    """One text part in a transfer encoding."""
    data = text.replace("\n", "\r\n").encode(charset)
    if encoding == "quoted-printable":
        data = quopri.encodestring(data.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")
    elif encoding == "base64":
        data = base64.encodebytes(data)
    kind = f"Content-Type: text/{subtype}; charset={charset}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n"
    return (headers() + kind).encode() + data


def with_attachment(disposition: str, data: bytes = ONE, kind: str = "application/octet-stream") -> bytes:
    """A mail with one attachment whose headers are given raw."""
    coded = base64.encodebytes(data).decode()
    return (
        f"{headers()}Content-Type: multipart/mixed; boundary=b1\r\n\r\n"
        "This is a multi-part message in MIME format.\r\n"
        "--b1\r\nContent-Type: text/plain; charset=utf-8; format=flowed\r\n\r\nHere it is.\r\n"
        f"--b1\r\nContent-Type: {kind}\r\nContent-Disposition: {disposition}\r\n"
        f"Content-Transfer-Encoding: base64\r\n\r\n{coded}\r\n--b1--\r\n"
    ).encode()


@pytest.mark.parametrize("encoding", ["8bit", "quoted-printable", "base64"])
@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "windows-1252", "utf-16"])
def test_a_block_is_found_in_every_encoding(encoding: str, charset: str) -> None:
    """B16, B30."""
    if charset == "utf-16" and encoding != "base64":
        pytest.skip("RFC 2045: such text can only travel in base64")
    assert found(text_mail(f"Grüße!\n\n{BLOCK}\nJörg\n", encoding=encoding, charset=charset)) == [ONE]


@pytest.mark.parametrize("width", [60, 72, 76])
def test_a_block_is_found_wrapped_and_quoted(width: int) -> None:
    """B19: the packet comes back in a reply."""
    reply = "".join(f"> {line}\n" for line in textwrap.wrap(BLOCK.replace("\n", " "), width))
    assert found(text_mail(f"Red wrote:\n{reply}\nThank you", encoding="quoted-printable")) == [ONE]


def test_a_block_is_found_in_a_mail_without_mime() -> None:
    assert found(f"From: red@example.org\nSubject: x\n\n{BLOCK}".encode()) == [ONE]


PAGE = "<html><body><p>Hello</p><div>{}</div></body></html>"


@pytest.mark.parametrize(
    "page",
    [
        PAGE.format(f"<pre>{BLOCK}</pre>"),
        PAGE.format(BLOCK.replace("\n", "<br>\n")),
        PAGE.format("".join(f"<div>{line}</div>" for line in BLOCK.splitlines())),
        PAGE.format(
            "".join(f"<p class=MsoNormal><span lang=DE>{line}<o:p></o:p></span></p>" for line in BLOCK.split("\n"))
        ),
        PAGE.format("".join(f"&gt;&nbsp;{line}<br>" for line in BLOCK.splitlines())),
        PAGE.format("<blockquote>" + BLOCK.replace("+", "&#43;").replace(" ", "&nbsp;") + "</blockquote>"),
        PAGE.format(BLOCK.replace("\n", "<wbr>")),
    ],
    ids=["pre", "br", "div", "outlook", "quoted", "entities", "wbr"],
)
@pytest.mark.parametrize("encoding", ["8bit", "quoted-printable", "base64"])
def test_a_block_is_found_in_a_mail_of_html_alone(page: str, encoding: str) -> None:
    assert found(text_mail(page, "html", encoding)) == [ONE]


@pytest.mark.parametrize(
    "disposition",
    [
        pytest.param("attachment; filename*=utf-8''Zug%20f%C3%BCr%20J%C3%B6rg.packet", id="rfc 2231"),
        pytest.param("attachment; filename*0*=utf-8''Zug%20f; filename*1*=%C3%BCr.packet", id="rfc 2231 in pieces"),
        pytest.param('attachment; filename="=?utf-8?B?WnVnIGbDvHIuc2F2?="', id="rfc 2047"),
        pytest.param('attachment; filename="Zug für.packet"', id="raw utf-8"),
        pytest.param('attachment; filename="pbem-1a2b3c4d-0012-0013 (1).packet"', id="downloaded twice"),
        pytest.param('attachment; filename="holiday.jpg"', id="another name"),
        pytest.param("inline", id="no name"),
        pytest.param("attachment; filename*=nonsense'%%%", id="malformed"),
    ],
)
@pytest.mark.parametrize("kind", ["application/octet-stream", "text/plain; charset=us-ascii", "image/jpeg", "nonsense"])
def test_an_attachment_is_known_by_its_content(disposition: str, kind: str) -> None:
    """B17, B37."""
    assert found(with_attachment(disposition, kind=kind)) == [ONE]


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        ("attachment; filename*=utf-8''Zug%20f%C3%BCr.zip", "Zug für.zip"),
        ('attachment; filename="=?utf-8?B?WnVnIGbDvHIuemlw?="', "Zug für.zip"),
        ('attachment; filename="Zug für.zip"', "Zug für.zip"),
        ('attachment; filename="\x1b[31mred.zip"', "[31mred.zip"),
    ],
)
def test_a_problem_names_the_attachment(disposition: str, name: str) -> None:
    """B17: three encodings of one name."""
    said = problems(with_attachment(disposition, data=b"PK\x03\x04" + bytes(100)))
    assert said.startswith(f"attachment {name}: ")


@pytest.mark.parametrize(
    "data",
    [CRLF, CRLF[:-2], ONE[:-1], b"\xef\xbb\xbf" + ONE, ONE + b"\n--\nSent from a mailing list\n", b"\r\n\r\n" + CRLF],
    ids=["crlf", "last crlf eaten", "no last newline", "bom", "footer", "blank lines"],
)
def test_an_attachment_may_have_been_converted(data: bytes) -> None:
    """B30, B62."""
    assert found(with_attachment("attachment", data, "text/plain")) == [ONE]


def test_a_text_attachment_in_another_charset_is_converted_back() -> None:
    latin = ONE.decode().encode("iso-8859-1")
    assert found(with_attachment("attachment", latin, "text/plain; charset=iso-8859-1")) == [ONE]


def test_a_packet_in_quoted_printable() -> None:
    body = quopri.encodestring(ONE).decode().replace("\n", "\r\n")
    kind = "Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: Quoted-Printable \r\n\r\n"
    assert found((headers() + kind + body).encode()) == [ONE]


def test_a_packet_in_the_text_itself() -> None:
    assert found(text_mail("Here:\n\n" + ONE.decode() + "\nRed\n", encoding="quoted-printable")) == [ONE]


def thunderbird() -> bytes:
    """mixed [alternative [plain, related [html, image]], packet], with a signature."""
    related = MIMEMultipart("related")
    related.attach(MIMEText("<p>Grüße</p><img src=cid:x>", "html", "utf-8"))
    related.attach(MIMEApplication(b"GIF89a", "gif"))
    alternative = MIMEMultipart("alternative")
    alternative.attach(MIMEText("Grüße\n-- \nRed", "plain", "utf-8"))
    alternative.attach(related)
    whole = MIMEMultipart("mixed")
    whole["From"], whole["Subject"] = "red@example.org", "Zug"
    whole.attach(alternative)
    whole.attach(MIMEApplication(CRLF, name=NAME))
    return whole.as_bytes(policy=policy.SMTP)


def outlook() -> bytes:
    """related [alternative, image], then attachments, in a signed wrapper, with Outlook's long boundaries."""
    boundary = "----=_NextPart_000_0012_01DA3F2B.5E6A7C80"
    inner = MIMEMultipart("mixed", boundary=boundary)
    inner.attach(MIMEText("Zug", "plain", "iso-8859-1"))
    inner.attach(MIMEText(PAGE.format("Zug"), "html", "iso-8859-1"))
    inner.attach(MIMEApplication(ONE, "x-unknown-content-type", name=NAME))
    signed = MIMEMultipart("signed", protocol="application/x-pkcs7-signature")
    signed["From"] = "red@example.org"
    signed.attach(inner)
    signed.attach(MIMEApplication(b"\x30\x82", "x-pkcs7-signature"))
    return signed.as_bytes(policy=policy.SMTP)


def forwarded(encode: bool = False) -> bytes:
    """The letter as an attachment of another mail; some servers put even that in base64."""
    whole = MIMEMultipart("mixed")
    whole["From"], whole["Subject"] = "blue@example.org", "Fwd: Zug"
    whole.attach(MIMEText("I got this:"))
    inner = MIMEMessage(message_from_bytes(draft(html="<p>x</p>")))
    if encode:
        inner.set_payload(draft(html="<p>x</p>"))
        encode_base64(inner)
    whole.attach(inner)
    return whole.as_bytes()


@pytest.mark.parametrize(
    "raw",
    [thunderbird(), outlook(), forwarded(), forwarded(encode=True), draft(html="<p>x</p>", paste=True)],
    ids=["thunderbird", "outlook", "forwarded", "forwarded in base64", "our own"],
)
@pytest.mark.parametrize("ends", [b"\r\n", b"\n"], ids=["crlf", "lf"])
@pytest.mark.parametrize(
    "before", [b"", b"From red@example.org Mon Mar  2 10:11:12 2026\n", b"4711\n", b"\xef\xbb\xbf"]
)
def test_mails_as_programs_build_them(raw: bytes, ends: bytes, before: bytes) -> None:
    if before and ends == b"\r\n":
        before = before.replace(b"\n", ends)
    stored = before + raw.replace(b"\r\n", b"\n").replace(b"\n", ends)
    (letter,) = letters(io.BytesIO(stored))
    assert packets(letter) == mail.Found([ONE], [])


def test_two_packets_in_one_mail() -> None:
    whole = MIMEMultipart("mixed")
    whole["From"] = "red@example.org"
    whole.attach(MIMEText(f"older:\n{BLOCK}", "plain"))
    whole.attach(MIMEApplication(TWO))
    whole.attach(MIMEApplication(ONE))
    assert found(whole.as_bytes()) == [ONE, TWO]


def digest(*inner: bytes, kind: bytes = b"") -> bytes:
    """A mailing list's digest: its parts are mails, whether they say so or not [RFC 2046, 5.1.5]."""
    parts = b"".join(b"--d\r\n" + kind + b"\r\n" + one + b"\r\n" for one in inner)
    return headers().encode() + b'Content-Type: multipart/digest; boundary="d"\r\n\r\n' + parts + b"--d--\r\n"


@pytest.mark.parametrize("kind", [b"", b"Content-Type: message/rfc822\r\n"])
def test_mails_in_a_digest_are_looked_into(kind: bytes) -> None:
    attached = with_attachment("attachment")
    assert b"base64" in attached
    assert found(digest(attached, kind=kind)) == [ONE]
    assert found(digest(text_mail("hello"), attached, kind=kind)) == [ONE]


def test_a_part_of_another_kind_in_a_digest_is_what_it_says() -> None:
    plain = b"Content-Type: text/plain\r\n"
    assert found(digest(BLOCK.encode(), kind=plain)) == [ONE]
    assert "no packet in it" in problems(digest(with_attachment("attachment"), kind=plain))


def test_several_packets_in_one_file() -> None:
    assert found(ONE + TWO) == [ONE, TWO]


def test_case_of_the_subject_and_sender_do_not_matter() -> None:
    """B80."""
    assert found(text_mail(BLOCK).replace(b"Subject: Re: Malaya", b"sUBJECT:").replace(b"Red <red@", b"<daemon@")) == [
        ONE
    ]


def test_the_last_part_may_lack_its_closing_line() -> None:
    assert found(with_attachment("attachment").replace(b"\r\n--b1--\r\n", b"")) == [ONE]


def test_a_boundary_that_is_part_of_another() -> None:
    """`b1` ends no part of boundary `b12`."""
    inner = with_attachment("attachment").partition(b"\r\n\r\n")[2].replace(b"--b1", b"--b12")
    raw = (
        f"{headers()}Content-Type: multipart/mixed; boundary=b1\r\n\r\n--b1\r\n"
        "Content-Type: multipart/mixed; boundary=b12\r\n\r\n"
    ).encode()
    assert found(raw + inner + b"\r\n--b1--\r\n") == [ONE]


# What stands in the way ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        pytest.param(b"", "empty", id="nothing"),
        pytest.param(b"\r\n\r\n", "empty", id="blank lines"),
        pytest.param(text_mail("When will you move?"), "no packet", id="no packet"),
        pytest.param(b"\x89PNG\r\n\x1a\n" + bytes(200), "no packet", id="picture"),
        pytest.param(with_attachment("attachment", ONE[:-30]), "cut", id="cut attachment"),
        pytest.param(with_attachment("attachment", ONE.replace(b"guten", b"gutes", 1)), "checksum", id="damaged"),
        pytest.param(with_attachment("attachment", ONE.replace(b"ET 1", b"ET 7", 1)), "format 7", id="future format"),
        pytest.param(text_mail(BLOCK.replace(packet.END, "")), "BEGIN or END", id="half pasted"),
        pytest.param(text_mail(BLOCK[:80] + BLOCK[90:]), "damaged", id="damaged block"),
        pytest.param(
            with_attachment("attachment", b"\x78\x9f\x3e\x22" + bytes(300)), "Rich Text", id="tnef by content"
        ),
        pytest.param(with_attachment("x", bytes(300), "application/ms-tnef"), "Rich Text", id="tnef by type"),
        pytest.param(b"charter {}\n", "pbem verify", id="game file"),
        pytest.param(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(99), ".msg", id="outlook file"),
        pytest.param(with_attachment("attachment", gzip.compress(ONE)), "unpack", id="gzip"),
        pytest.param(with_attachment("x", b"\x30\x80", "application/pkcs7-mime"), "encrypted", id="s/mime"),
        pytest.param(text_mail("-----BEGIN PGP MESSAGE-----\n\nhQE\n"), "encrypted", id="pgp in the text"),
        pytest.param(text_mail("x").replace(b"text/plain", b"multipart/encrypted"), "encrypted", id="pgp/mime"),
        pytest.param(with_attachment("x", ONE, "message/partial; id=1"), "split", id="in parts"),
    ],
)
def test_what_stands_in_the_way_is_said(raw: bytes, words: str) -> None:
    """B77, B81: never silent."""
    assert words in problems(raw)


def test_a_zip_is_not_opened() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(NAME, ONE)
    assert "unpack" in problems(with_attachment('attachment; filename="moves.zip"', stream.getvalue()))


def test_a_packet_that_lies_whole_in_a_winmail_dat_is_taken() -> None:
    tnef = b"\x78\x9f\x3e\x22" + bytes(60) + ONE + bytes(60)
    assert found(with_attachment("attachment", tnef, "application/ms-tnef")) == [ONE]


def test_a_sound_packet_is_taken_although_another_is_damaged() -> None:
    whole = MIMEMultipart("mixed")
    whole["From"] = "red@example.org"
    whole.attach(MIMEApplication(ONE[:-30]))
    whole.attach(MIMEApplication(TWO))
    result = packets(Letter("a mail", whole.as_bytes()))
    assert result.packets == [TWO]
    assert len(result.problems) == 1
    assert "cut" in result.problems[0]


def test_a_damaged_copy_in_the_page_of_a_sound_text_is_passed_over() -> None:
    whole = MIMEMultipart("alternative")
    whole["From"] = "red@example.org"
    whole.attach(MIMEText(BLOCK, "plain"))
    whole.attach(MIMEText(PAGE.format(BLOCK[:100]), "html"))
    assert found(whole.as_bytes()) == [ONE]


# Limits ----------------------------------------------------------------------------------------------------------


def nested(depth: int, inner: bytes) -> bytes:
    raw = inner
    for level in range(depth):
        edge = f"--level{level}"
        raw = (
            f"Content-Type: multipart/mixed; boundary=level{level}\n\n{edge}\n".encode()
            + raw
            + f"\n{edge}--\n".encode()
        )
    return b"From: red@example.org\n" + raw


def test_nesting_is_followed_so_far_and_no_further() -> None:
    leaf = b"Content-Type: text/plain\n\n" + BLOCK.encode()
    assert found(nested(10, leaf)) == [ONE]
    assert found(nested(20, leaf)) == [ONE]
    assert "nested deeper than 20" in problems(nested(30, leaf))
    assert "nested deeper than 20" in problems(nested(5000, leaf))


def test_forwards_of_forwards_count_as_nesting() -> None:
    raw = text_mail(BLOCK)
    for _ in range(30):
        raw = headers().encode() + b"Content-Type: message/rfc822\r\n\r\n" + raw
    assert "nested deeper" in problems(raw)


def test_many_parts_are_read_so_far_and_no_further() -> None:
    raw = headers().encode() + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n" + b"--x\r\n\r\nhello\r\n" * 50_000
    assert "more than 500 parts" in problems(raw)


def test_many_damaged_packets_do_not_flood_the_report() -> None:
    result = packets(Letter("a mail", text_mail("".join(f"{packet.BEGIN}\n{n}\n{packet.END}\n" for n in range(5000)))))
    assert result.packets == []
    assert 1 <= len(result.problems) <= 20
    assert any("more packets than one mail should" in one for one in result.problems)


def test_a_bomb_in_a_mail_is_refused_cheaply() -> None:
    """5.3 row 15."""
    zeros = zlib.compressobj(9)
    bomb = b"".join(zeros.compress(bytes(MiB)) for _ in range(256)) + zeros.flush()
    text = f"{packet.BEGIN}\n{base64.b64encode(bomb).decode()}\n{packet.END}\n"
    began = time.perf_counter()
    assert "more than 16 MiB" in problems(text_mail(text * 4))
    assert time.perf_counter() - began < 5


@pytest.mark.parametrize(
    "flood",
    [
        pytest.param(b"Subject: x\n" * MiB, id="headers without end"),
        pytest.param(b"Subject: " + b"x" * 8 * MiB, id="one long header"),
        pytest.param(b"From: x\nContent-Type: text/plain; " + b"a=b; " * 50_000 + b"\n\nx", id="parameters"),
        pytest.param(b'From: x\nContent-Type: text/plain; name="' + b'\\"' * 100_000 + b"\n\nx", id="quotes"),
        pytest.param(
            b"From: x\nContent-Type: multipart/mixed; boundary=b\n\n" + b"--b" * MiB, id="boundaries in a line"
        ),
        pytest.param(b"From: x\nContent-Type: multipart/mixed; boundary=b\n\n" + b"--b\n" * MiB, id="empty parts"),
        pytest.param(b"From: x\nContent-Type: multipart/mixed; boundary=b\n\n--b" + b" " * 8 * MiB, id="blanks"),
        pytest.param(b"From: x\nContent-Type: text/html\n\nPACKET" + b"<" * 8 * MiB, id="tags"),
        pytest.param(b"From: x\nContent-Type: text/html\n\nPACKET" + b"<a" * 4 * MiB, id="open tags"),
        pytest.param(b"From: x\nContent-Type: text/html\n\nPACKET" + b"&" * 8 * MiB, id="ampersands"),
        pytest.param(b"From: x\nContent-Type: text/plain; charset=punycode\n\nPACKET" + b"a" * MiB, id="slow codec"),
        pytest.param(b"PBEM-PACKET 1 \n" * MiB, id="packet headers"),
        pytest.param(b"\n" * 16 * MiB, id="newlines"),
        pytest.param(b"From: x\n\n" + b"-----BEGIN PBEM PACKET-----\n" * 200_000, id="begin lines"),
        pytest.param(b"From: x\nContent-Transfer-Encoding: base64\n\n" + b"A" * (8 * MiB + 1), id="base64"),
        pytest.param(b"From: x\nContent-Transfer-Encoding: quoted-printable\n\n" + b"=" * 8 * MiB, id="qp"),
    ],
)
def test_floods_are_searched_soon(flood: bytes) -> None:
    began = time.perf_counter()
    problems(flood)
    assert time.perf_counter() - began < 5


def test_a_letter_over_the_limit_is_not_read() -> None:
    (letter,) = letters(io.BytesIO(bytes(33 * MiB)))
    assert letter.raw == b""
    assert "larger than 32 MiB" in packets(letter).problems[0]


# Fuzz ------------------------------------------------------------------------------------------------------------

SEEDS = [
    draft(html="<p>x</p>", paste=True, svg=[("map-1.svg", b"<svg/>")]),
    thunderbird(),
    outlook(),
    forwarded(),
    text_mail(PAGE.format(BLOCK), "html", "quoted-printable"),
    with_attachment("attachment; filename*=utf-8''%C3%BC"),
    ONE,
    BLOCK.encode(),
]
SPLINTERS = [
    b"Content-Type: multipart/mixed; boundary=b1\r\n\r\n",
    b"Content-Type: message/rfc822\n\n",
    b"Content-Type: text/plain; charset*=x'y'z\n",
    b"Content-Type: text/plain; charset*9999999999*=x; charset*0=\x00\n",
    b"Content-Type: text/html; charset=unicode_escape\n",
    b"Content-Type: text/html; charset=hex\n",
    b"Content-Type: =?utf-8?q?=?=; name==?x?b?A?=\n",
    b"Content-Transfer-Encoding: base64\r\n",
    b"Content-Disposition: attachment; filename*1*=%; filename*0*=''\n",
    b"Content-Disposition: attachment; filename==?utf-8?b?!?=\n",
    b"Content-Type: multipart/mixed; boundary=\n\n",
    b"\xff\xfe\x00\xd8",
    b"\x78\x9f\x3e\x22",
    b"\r\n\r\n",
    b"--b1\r\n",
    b"--b1--\r\n",
    b"\\u0000\\ud800\\x",
    b"-----BEGIN PBEM PACKET-----",
    b"PBEM-PACKET 1 {",
    b"&#xd800;&#1114112;&",
]


@st.composite
def mangled(pick: st.DrawFn) -> bytes:
    """A mail with pieces cut out, doubled, flipped and put in."""
    raw = bytearray(pick(st.sampled_from(SEEDS)))
    for _ in range(pick(st.integers(1, 6))):
        at = pick(st.integers(0, len(raw)))
        end = min(len(raw), at + pick(st.integers(0, 200)))
        raw[at:end] = pick(
            st.just(b"") | st.sampled_from(SPLINTERS) | st.binary(max_size=20) | st.just(bytes(raw[at:end]) * 2)
        )
    return bytes(raw)


@settings(max_examples=400, deadline=None)
@given(mangled() | st.binary(max_size=500) | st.lists(st.sampled_from(SPLINTERS), max_size=12).map(b"".join))
def test_no_bytes_raise_anything(raw: bytes) -> None:
    for letter in letters(io.BytesIO(raw)):
        result = packets(letter)
        assert result.packets or result.problems
        for one in result.packets:
            assert packet.write(packet.read(one)) == one
        for problem in result.problems:
            assert problem.isprintable()


# Where letters come from -----------------------------------------------------------------------------------------


def names(source: Path) -> list[str]:
    return [letter.name.removeprefix(str(source)) for letter in letters(source)]


@pytest.mark.parametrize("raw", [draft(), ONE, CRLF, BLOCK.encode(), ("Hello\n" + BLOCK).encode("utf-16")])
def test_one_file(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "any name at all"
    path.write_bytes(raw)
    (letter,) = letters(path)
    assert letter == Letter(str(path), raw)
    assert found(letter.raw) == [ONE]
    assert path.read_bytes() == raw


def test_standard_input() -> None:
    (letter,) = letters(io.BytesIO(ONE))
    assert letter == Letter("standard input", ONE)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match="gone"):
        list(letters(tmp_path / "gone.eml"))


def test_a_folder_is_read_in_order_and_one_level_deep(tmp_path: Path) -> None:
    for name in ("b.eml", "a.packet", ".hidden", "sub/c.txt", "sub/deep/d.eml"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(ONE)
    result = list(letters(tmp_path))
    assert [Path(one.name).relative_to(tmp_path).as_posix() for one in result] == [
        "a.packet",
        "b.eml",
        "sub/c.txt",
        "sub/deep",
    ]
    assert [bool(packets(one).packets) for one in result] == [True, True, True, False]
    assert "not looked into" in packets(result[-1]).problems[0]


def test_a_maildir(tmp_path: Path) -> None:
    box = mailbox.Maildir(tmp_path / "box", create=True)
    box.add(draft())
    box.add(draft(packet=TWO))
    (tmp_path / "box" / "tmp" / "half").write_bytes(b"half a mail")
    (tmp_path / "box" / "cur" / "old:2,S").write_bytes(draft(packet=packet_file(1)))
    before = sorted((tmp_path / "box").rglob("*"))
    result = [packets(letter).packets for letter in letters(tmp_path / "box")]
    assert sorted(result[:2]) == sorted([[ONE], [TWO]])
    assert result[2:] == [[packet_file(1)]]
    assert sorted((tmp_path / "box").rglob("*")) == before


def test_an_mbox_is_split_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "inbox"
    box = mailbox.mbox(path)
    for data in (ONE, TWO, packet_file(1)):
        box.add(draft(packet=data, text="From Kuala Lumpur to Ipoh\n\nFrom there at 12:30 on.\n"))
    box.flush()
    box.close()
    stored = path.read_bytes()
    assert b"\n>From there" in stored
    result = list(letters(path))
    assert names(path) == [", mail 1", ", mail 2", ", mail 3"]
    assert [packets(letter).packets for letter in result] == [[ONE], [TWO], [packet_file(1)]]
    assert path.read_bytes() == stored
    assert [entry.name for entry in tmp_path.iterdir()] == ["inbox"]


@pytest.mark.parametrize(
    "envelope", [b"From - Mon Mar 02 10:11:12 2026", b"From 17@xxx Mon Mar  2 10:11:12 +0000 2026"]
)
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_envelope_lines_of_other_programs(envelope: bytes, end: bytes) -> None:
    one = draft().replace(b"\r\n", end)
    two = draft(packet=TWO).replace(b"\r\n", end)
    stream = io.BytesIO(envelope + end + one + end + envelope + end + two + end)
    assert [packets(letter).packets for letter in letters(stream)] == [[ONE], [TWO]]


def test_a_line_that_only_looks_like_an_envelope_splits_nothing() -> None:
    start = b"From red@example.org Mon Mar  2 10:11:12 2026\n"
    body = b"From: red@example.org\n\nno blank line before\nFrom here at 12:30\n\nFrom here on\n" + BLOCK.encode()
    (letter,) = letters(io.BytesIO(start + body))
    assert found(letter.raw) == [ONE]


def test_a_huge_mail_in_an_mbox_does_not_hide_the_next() -> None:
    start = b"From red@example.org Mon Mar  2 10:11:12 2026\n"
    stream = io.BytesIO(start + b"From: x\n\n" + b"x" * 33 * MiB + b"\n\n" + start + draft())
    first, second = letters(stream)
    assert "larger than" in packets(first).problems[0]
    assert found(second.raw) == [ONE]


def test_what_cannot_be_read_is_said_and_the_rest_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.eml").symlink_to(tmp_path / "nowhere")
    (tmp_path / "b.eml").write_bytes(draft())
    first, second = letters(tmp_path)
    assert packets(first).problems
    assert found(second.raw) == [ONE]
