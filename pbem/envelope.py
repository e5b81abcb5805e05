"""What the headers of a letter say. No decision about a move hangs on it, only whom to thank and what not to answer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.parser import HeaderParser
from email.utils import parseaddr
from typing import Final

from pbem import mail
from pbem.errors import Trouble

BOUNCE: Final = "bounce"
AUTOMATIC: Final = "automatic"

_HEAD: Final = 65536
_LOOKED_AT: Final = 256 * 1024
_OWN_ID = re.compile(rb"<([0-9a-f]{8}-[0-9]{4,16}-[0-9a-f]{4,16}\.[0-9a-f]{8})@pbem\.invalid>")
_REASON = re.compile(rb"(?im)^Diagnostic-Code:[ \t]*(?:smtp;|x-unix;)?[ \t]*((?:[^\r\n]|\r?\n[ \t]){1,2000})")
_DAEMON = re.compile(r"(?i)^(mailer-daemon|postmaster|mail-daemon|noreply-daemon)@")


@dataclass(frozen=True)
class Envelope:
    """Who wrote, which answer it is, and whether a person did: `kind` is empty, `bounce` or `automatic`."""

    sender: str = ""
    kind: str = ""


def read(raw: bytes) -> Envelope:
    """The envelope of a mail; an empty one for a bare packet or text. Never raises."""
    head = re.split(rb"\r?\n\r?\n", raw[:_HEAD], maxsplit=1)[0]
    parsed = HeaderParser().parsestr(head.decode("utf-8", "replace"))
    sender = _address(str(parsed.get("Reply-To", "") or parsed.get("From", "")))
    automatic = str(parsed.get("Auto-Submitted", "no")).split(";")[0].strip().lower()
    kind = ""
    if parsed.get_content_type() == "multipart/report" or _DAEMON.match(sender):
        kind = BOUNCE
    elif (
        automatic == "auto-replied"
        or "X-Autoreply" in parsed
        or str(parsed.get("Return-Path", "")).strip() == "<>"
        or str(parsed.get("Precedence", "")).strip().lower() == "auto_reply"
    ):
        kind = AUTOMATIC
    return Envelope(sender, kind)


def author(raw: bytes) -> str:
    """The address in From alone, as far as it can be believed."""
    head = re.split(rb"\r?\n\r?\n", raw[:_HEAD], maxsplit=1)[0]
    return _address(str(HeaderParser().parsestr(head.decode("utf-8", "replace")).get("From", "")))


def _address(text: str) -> str:
    try:
        return mail.address(parseaddr(text[:1000])[1])[1]
    except (Trouble, ValueError, IndexError):
        return ""


def returned(raw: bytes) -> tuple[list[str], str]:
    """Which of our letters a bounce is about, by Message-ID, and the reason it gives."""
    part = raw[:_LOOKED_AT]
    reason = _REASON.search(part)
    words = reason[1].decode("utf-8", "replace") if reason else "no reason given"
    ids = [f"<{one.decode()}@{mail.DOMAIN}>" for one in dict.fromkeys(_OWN_ID.findall(part))]
    return ids, mail.one_line(words, 200)
