"""Letters leave: by SMTP, by the sendmail of this machine, or into a folder.

A letter that may have arrived although an error was met counts as `unsure`: it is sent again, the same to the byte
but for its date, and whoever has it twice takes it in once.
"""

from __future__ import annotations

import re
import shutil
import smtplib
import ssl
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import cache
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import quote

from pbem import log, mail
from pbem.errors import Trouble
from pbem.mailbox import advice
from pbem.mailbox.credentials import Credential, credential
from pbem.mailbox.settings import Account, Server, missing

TIMEOUT: Final = 60
LONGEST_MAILTO: Final = 1800
_TEMPORARY: Final = 75
"""What sendmail says when it could not do it now [sysexits.h]."""


class Undelivered(Trouble):
    """A letter was not taken: `later` is worth another try, `never` is not, `unsure` may have arrived."""

    def __init__(self, kind: str, what: str, hint: str = "") -> None:
        super().__init__(what, hint)
        self.kind = kind


class Way(Protocol):
    """An open way to send. `send` returns the words of whoever took the letter, or raises `Undelivered`.

    `ready` asks whether it would, without sending, and raises the same.
    """

    def send(self, raw: bytes, to: Sequence[str], now: int) -> str: ...

    def ready(self) -> str: ...


def for_transfer(raw: bytes, now: int) -> bytes:
    """A draft as it travels: without the mark of an unsent draft, with a date."""
    head, blank, body = raw.partition(b"\r\n\r\n")
    lines = re.split(rb"\r\n(?![ \t])", head)
    kept = [line for line in lines if not line.lower().startswith((b"x-unsent:", b"date:"))]
    kept.insert(0, b"Date: " + format_datetime(datetime.fromtimestamp(now, UTC)).encode())
    return b"\r\n".join(kept) + blank + body


@contextmanager
def way(account: Account) -> Iterator[Way]:
    """The way this account sends (`Trouble` where it cannot be opened)."""
    lacking = missing(account)
    if lacking:
        raise Trouble(f"account {account.name} lacks {', '.join(lacking)}", f"`pbem mail set {lacking[0]}=...`")
    if account.sends == "smtp":
        with _smtp(account) as server:
            yield server
    elif account.sends == "sendmail":
        yield _Sendmail(account.get("sendmail", "sendmail"))
    elif account.sends == "folder":
        yield _Folder(Path(account.get("send_folder")).expanduser())
    else:
        raise Trouble("this account does not send by itself", "mail the letter yourself; or `pbem mail set send=smtp`")


# SMTP ------------------------------------------------------------------------------------------------------------


def tls(account: Account) -> ssl.SSLContext:
    """What a server's certificate must fulfil: the system's rules, or those of a certificate of one's own."""
    return _trusting(account.get("tls_ca"))


@cache
def _trusting(file: str) -> ssl.SSLContext:
    """Made once: reading the system's certificates takes longer than many a sync."""
    try:
        return ssl.create_default_context(cafile=str(Path(file).expanduser()) if file else None)
    except OSError as error:
        why = log.why(error) if error.strerror and not isinstance(error, ssl.SSLError) else "no certificate in it"
        raise Trouble(f"tls_ca {file}: {why}", "give a file with certificates in PEM form") from None


@contextmanager
def _smtp(account: Account) -> Iterator[_Smtp]:
    server = account.server("smtp")
    key = credential(account, server.user) if server.user else None
    connection = _connected(server, tls(account))
    try:
        if key is not None:
            log_in(connection, key)
        yield _Smtp(connection, account.address)
    finally:
        with suppress(smtplib.SMTPException, OSError):
            connection.quit()
        connection.close()


def _connected(server: Server, context: ssl.SSLContext) -> smtplib.SMTP:
    try:
        if server.security == "tls":
            return smtplib.SMTP_SSL(server.host, server.port, timeout=TIMEOUT, context=context)
        with ExitStack() as unless_all_is_well:
            connection = smtplib.SMTP(server.host, server.port, timeout=TIMEOUT)
            unless_all_is_well.callback(connection.close)
            if server.security == "starttls":
                connection.starttls(context=context)
            unless_all_is_well.pop_all()
        return connection
    except smtplib.SMTPNotSupportedError:
        raise Trouble(f"{server.host} port {server.port} offers no STARTTLS", "try smtp_security=tls") from None
    except smtplib.SMTPResponseException as error:
        words = f"{error.smtp_code} {advice.said(error.smtp_error)}"
        raise Trouble(f"{server.host} says: {words}", advice.about(words)) from None
    except smtplib.SMTPException as error:
        hint = "check port and security: 465 goes with tls, 587 with starttls"
        raise Trouble(f"{server.host} port {server.port}: {advice.said(error)}", hint) from None
    except (OSError, ValueError) as error:
        raise advice.unreachable(server.host, server.port, server.security, error) from None


def log_in(connection: smtplib.SMTP, key: Credential) -> None:
    """Log in with password or token (`Trouble` with the server's own words)."""
    try:
        if key.token:
            connection.ehlo_or_helo_if_needed()
            # A server that refuses asks for an empty line first [XOAUTH2].
            connection.auth("XOAUTH2", lambda challenge=None: "" if challenge else key.xoauth2())
        else:
            connection.login(key.user, key.secret)
    except smtplib.SMTPResponseException as error:
        words = key.hide(f"{error.smtp_code} {advice.said(error.smtp_error)}")
        raise Trouble(f"the server refuses the login of {key.user}: {words}", advice.about(f"login {words}")) from None
    except smtplib.SMTPNotSupportedError:
        hint = "check smtp_port and smtp_security, or unset smtp_user"
        raise Trouble("the server takes no login here", hint) from None
    except (smtplib.SMTPException, OSError, UnicodeError) as error:
        raise Trouble(f"login: {key.hide(advice.said(error))}", "try again later") from None


class _Smtp:
    """A connection on which several letters may be sent."""

    def __init__(self, connection: smtplib.SMTP, sender: str) -> None:
        self.connection = connection
        self.sender = sender

    def send(self, raw: bytes, to: Sequence[str], now: int) -> str:
        self._envelope(to)
        try:
            code, words = self.connection.data(for_transfer(raw, now))
        except smtplib.SMTPDataError as error:
            raise _refused(error.smtp_code, error.smtp_error) from None
        except (smtplib.SMTPException, OSError) as error:  # the letter was on its way
            raise Undelivered("unsure", f"the connection broke: {advice.said(error)}", _UNSURE) from None
        if code != 250:
            raise _refused(code, words)
        return f"{code} {advice.said(words)}"

    def ready(self) -> str:
        self._envelope([])
        with suppress(smtplib.SMTPException, OSError):
            self.connection.rset()
        return f"the server lets {self.sender} send"

    def _envelope(self, to: Sequence[str]) -> None:
        try:
            self.connection.ehlo_or_helo_if_needed()
            self.connection.rset()
            answers = [self.connection.mail(self.sender), *(self.connection.rcpt(one) for one in to)]
        except (smtplib.SMTPException, OSError, UnicodeError) as error:
            raise Undelivered("later", f"the connection broke: {advice.said(error)}", "it is tried again") from None
        for code, words in answers:
            if code not in (250, 251, 252):
                raise _refused(code, words)


_UNSURE: Final = "it is sent again; should it have arrived, the second copy changes nothing"


def _refused(code: int, words: object) -> Undelivered:
    """4xx is for now, 5xx for ever [RFC 5321, 4.2.1]."""
    text = f"{code} {advice.said(words)}"
    return Undelivered("later" if 400 <= code < 500 else "never", f"the server says: {text}", advice.about(text))


# Other ways ------------------------------------------------------------------------------------------------------


class _Sendmail:
    """The program of this machine that takes mail."""

    def __init__(self, program: str) -> None:
        self.program = program

    def send(self, raw: bytes, to: Sequence[str], now: int) -> str:
        data = for_transfer(raw, now).replace(b"\r\n", b"\n")
        try:
            done = subprocess.run(
                [self.program, "-i", "--", *to], input=data, capture_output=True, timeout=TIMEOUT, check=False
            )
        except subprocess.TimeoutExpired:
            raise Undelivered("unsure", f"{self.program} did not end in time", _UNSURE) from None
        except OSError as error:
            hint = "install a mail program, or choose another way: `pbem mail set send=smtp`"
            raise Undelivered("later", f"{self.program}: {log.why(error)}", hint) from None
        if done.returncode:
            words = advice.said(done.stderr or f"status {done.returncode}")
            kind = "later" if done.returncode == _TEMPORARY else "never"
            raise Undelivered(kind, f"{self.program} says: {words}", advice.about(words))
        return f"taken by {self.program}"

    def ready(self) -> str:
        if shutil.which(self.program) is None:
            raise Trouble(f"{self.program} is not installed", "choose another way: `pbem mail set send=smtp`")
        return f"{self.program} is there"


class _Folder:
    """A folder that somebody or something else carries on: a shared one, a stick."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def send(self, raw: bytes, to: Sequence[str], now: int) -> str:
        data = for_transfer(raw, now)
        own_id = re.search(rb"^Message-ID:\s*<([A-Za-z0-9.-]{1,80})@", data, re.MULTILINE)
        stem = own_id[1].decode() if own_id else "letter"
        path = self.folder / f"{stem}-{re.sub('[^A-Za-z0-9]', '-', ' '.join(to))[:60]}.eml"
        try:
            log.write_atomic(path, data)
        except Trouble as error:
            raise Undelivered("later", error.what, error.hint) from None
        return f"put into {path}"

    def ready(self) -> str:
        if not self.folder.is_dir():
            raise Trouble(f"{self.folder}: no such folder", "make it, or `pbem mail set send_folder=...`")
        return f"letters go into {self.folder}"


def mailto(to: str, subject: str) -> str:
    """A link that opens a letter in the player's mail program; the file is to be attached there."""
    at = mail.address(to)[1]
    return f"mailto:{quote(at, safe='@')}?subject={quote(mail.one_line(subject, mail.MAX_SUBJECT))}"[:LONGEST_MAILTO]
