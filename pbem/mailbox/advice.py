"""What a mail server's refusal means, and what to change. The server's own words are always told too."""

from __future__ import annotations

import re
import socket
import ssl
from typing import Final

from pbem.errors import Trouble
from pbem.mail import one_line

LONGEST: Final = 300

_APP_PASSWORD: Final = (
    "check name and password; many providers want a password made for this one program (app password), "
    "or a token: token_command"
)
_REASONS: Final[tuple[tuple[str, str], ...]] = (
    (r"\[?(authenticationfailed|auth)|authentication|5\.7\.8|535|534|credential|password|login", _APP_PASSWORD),
    (r"5\.7\.0|must issue a starttls|530", "the server wants encryption or a login first: smtp_security, smtp_user"),
    (r"relay|5\.7\.1|554", "the server sends only for its own users: set smtp_user, and address to your own there"),
    (r"sender|5\.1\.[78]|553", "the server does not let you write under this address: `pbem mail set address=...`"),
    (r"5\.1\.1|user unknown|no such user|recipient|550", "check the address: `pbem address set FILE SEAT ADDRESS`"),
    (r"5\.2\.2|quota|full|552", "the mailbox is full, or the letter too large for it: try `pbem send FILE --out`"),
    (r"spam|block|5\.7\.", "the provider takes the letter for spam; save it with `pbem send FILE --out` and mail it"),
    (r"nonexistent|unknown mailbox|doesn't exist", "check imap_folder; INBOX is always there"),
)


def said(answer: object) -> str:
    """A server's answer as one line of text, as short as it is harmless."""
    if isinstance(answer, (list, tuple)):
        answer = b" ".join(part for part in answer if isinstance(part, bytes))
    text = answer.decode("utf-8", "replace") if isinstance(answer, bytes) else str(answer)
    return one_line(text, LONGEST) or "no reason given"


def about(answer: str) -> str:
    """What to try after such an answer."""
    lower = answer.lower()
    return next((hint for pattern, hint in _REASONS if re.search(pattern, lower)), "ask your provider what it means")


def unreachable(host: str, port: int, security: str, error: Exception) -> Trouble:
    """No conversation came about: the name, the port, the encryption or the network is at fault."""
    where = f"{host} port {port}"
    if isinstance(error, ssl.SSLCertVerificationError):
        hint = "use the name that your provider gives; for a server of your own tls_ca names its certificate"
        why = said(getattr(error, "verify_message", "") or error)
        return Trouble(f"{where}: the certificate is not accepted: {why}", hint)
    if isinstance(error, ssl.SSLError):
        other = "starttls" if security == "tls" else "tls"
        why = said(getattr(error, "reason", "") or error)
        return Trouble(f"{where}: no encrypted connection: {why}", f"try security {other}")
    if isinstance(error, socket.gaierror):
        return Trouble(f"{host}: no server of that name is found", "check the name, and that you are on line")
    if isinstance(error, TimeoutError):
        return Trouble(f"{where}: no answer", "check port and security, and that no firewall stands between")
    if isinstance(error, ConnectionRefusedError):
        return Trouble(f"{where}: nothing listens there", "check host and port")
    words = getattr(error, "strerror", None) or str(error)
    return Trouble(f"{where}: {said(words)}", "check host, port and security; try again later")
