"""Mail settings: `mail.toml` in the application folder, one table an account. A password never stands in it.

[account.main]
address = "red@example.org"
send = "smtp"
smtp_host = "smtp.example.org"
smtp_user = "red@example.org"
password_command = "pass show mail/red"
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from pbem import log, mail
from pbem.errors import Trouble, WrongUse
from pbem.home import Home

FILE: Final = "mail.toml"
DEFAULT: Final = "main"

SEND: Final = ("file", "smtp", "sendmail", "folder")
RECEIVE: Final = ("file", "imap", "folder", "download")
SECURITY: Final = ("tls", "starttls", "none")
ORDERS: Final = ("off", "draft", "sign")
LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})

KEYS: Final[Mapping[str, str]] = {
    "address": "your own address, as the others write to you",
    "send": "how letters leave: file (you send them yourself), smtp, sendmail or folder",
    "receive": "how letters arrive: file (you give them to `receive`), imap, folder or download",
    "smtp_host": "your provider's server for outgoing mail",
    "smtp_port": "its port; by default 465 with tls, 587 with starttls",
    "smtp_security": "tls, starttls, or none for a server on this machine",
    "smtp_user": "the name to log in with; none for a server that asks for no login",
    "imap_host": "your provider's server for incoming mail",
    "imap_port": "its port; by default 993 with tls, 143 with starttls",
    "imap_security": "tls, starttls, or none for a server on this machine",
    "imap_user": "the name to log in with",
    "imap_folder": "the folder to look into; by default INBOX",
    "imap_after": "what becomes of a letter of a game once it is taken in: keep, delete, or a folder to move it to",
    "imap_days": "how many days to look back the first time; by default 30",
    "password_command": "a command that prints the password",
    "password_env": "the environment variable that holds the password",
    "password_keyring": "the name under which the system's keyring holds the password",
    "token_command": "a command that prints an access token, for providers that want XOAUTH2",
    "send_folder": "the folder to put letters into",
    "receive_path": "the folder, Maildir or mbox to read",
    "sendmail": "the program that takes mail on this machine; by default sendmail",
    "tls_ca": "a file with the certificates to trust instead of the system's, for a server of your own",
    "again_days": "days until an unanswered letter is sent once more, where the charter has no clock; by default 3",
    "report_to": "your own address that gets your report after every sync, for instance on a telephone",
    "orders": "what orders in mails from yourself become: off, draft, or sign",
}
"""Every setting, and what it means."""

_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}")
_HOST = re.compile(r"[A-Za-z0-9.:-]{1,253}")
_CHOICES: Final = {
    "send": SEND,
    "receive": RECEIVE,
    "smtp_security": SECURITY,
    "imap_security": SECURITY,
    "orders": ORDERS,
}
_NUMBERS: Final = {"smtp_port": (1, 65535), "imap_port": (1, 65535), "imap_days": (1, 3650), "again_days": (1, 365)}
_PORTS: Final = {"smtp": {"tls": 465, "starttls": 587, "none": 25}, "imap": {"tls": 993, "starttls": 143, "none": 143}}
_NEEDS: Final = {
    "smtp": ("smtp_host", "address"),
    "sendmail": ("address",),
    "folder": ("send_folder",),
    "imap": ("imap_host", "imap_user"),
}


@dataclass(frozen=True)
class Server:
    """Where to connect, how safely, and as whom."""

    host: str
    port: int
    security: str
    user: str


@dataclass(frozen=True)
class Account:
    """One account as it stands in the file."""

    name: str
    values: Mapping[str, str]

    def get(self, key: str, default: str = "") -> str:
        return self.values.get(key, default)

    def number(self, key: str, default: int) -> int:
        return int(self.values.get(key, default))

    @property
    def address(self) -> str:
        """The bare address, or nothing."""
        return mail.address(self.values["address"])[1] if "address" in self.values else ""

    @property
    def sends(self) -> str:
        return self.get("send", "file")

    @property
    def receives(self) -> str:
        return self.get("receive", "file")

    def server(self, kind: str) -> Server:
        """The server for `smtp` or `imap`."""
        security = self.get(f"{kind}_security", "tls")
        port = self.number(f"{kind}_port", _PORTS[kind][security])
        return Server(self.get(f"{kind}_host"), port, security, self.get(f"{kind}_user"))


def accounts(home: Home) -> dict[str, Account]:
    """All accounts, in the order of the file (`Trouble` for a file that cannot be understood)."""
    path = home.root / FILE
    try:
        doc = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise Trouble(f"{path}: {log.why(error)}") from None
    except (ValueError, RecursionError) as error:
        line = re.search(r"at line [0-9]+, column [0-9]+", str(error))
        raise Trouble(f"{path} cannot be read: {line[0] if line else 'not TOML'}", _REPAIR) from None
    found = doc.get("account", {})
    if not isinstance(found, dict) or set(doc) - {"account"}:
        raise Trouble(f"{path}: only tables named account.NAME belong there", _REPAIR)
    return {name: _account(path, name, values) for name, values in found.items()}


_REPAIR: Final = "correct the file, or remove it and set up mail again: `pbem mail set`"


def _account(path: Path, name: str, values: object) -> Account:
    if not isinstance(values, dict) or not _NAME.fullmatch(name):
        raise Trouble(f"{path}: an account is a table with a short name", _REPAIR)
    texts = {key: str(value) for key, value in values.items()}
    try:
        for key, value in texts.items():
            _check(key, value)
    except (WrongUse, Trouble) as error:
        raise Trouble(f"{path}, account {name}: {error.what}", error.hint or _REPAIR) from None
    return Account(name, texts)


def account(home: Home, name: str = "") -> Account | None:
    """The account by name, or the first one; None where there is none (`WrongUse` for an unknown name)."""
    found = accounts(home)
    if not name:
        return next(iter(found.values()), None)
    if name not in found:
        raise WrongUse(f"no mail account named {name[:40]!r}", f"accounts: {', '.join(found) or 'none'}")
    return found[name]


def change(home: Home, name: str, changes: Mapping[str, str]) -> Account:
    """Set keys of an account; an empty value removes one. Raises `WrongUse` for what cannot be meant."""
    if not _NAME.fullmatch(name):
        raise WrongUse(f"{name[:60]!r} is no name for an account", "letters, digits, dash and underscore, at most 40")
    for key, value in changes.items():
        _check(key, value)
    with log.lock(home.root / "mail.lock"):
        found = accounts(home)
        values = dict(found[name].values) if name in found else {}
        values = {key: value for key, value in (values | dict(changes)).items() if value}
        found[name] = Account(name, values)
        _check_safety(found[name])
        log.write_atomic(home.root / FILE, _toml(found), private=True)
    return found[name]


def _check(key: str, value: str) -> None:
    if key not in KEYS:
        if "password" in key:
            raise WrongUse(
                f"{key[:40]!r} is no setting: a password is never stored",
                "password_command, password_env or password_keyring say where it comes from",
            )
        near = get_close_matches(key, KEYS, 3)
        raise WrongUse(f"no setting named {key[:40]!r}", f"did you mean {', '.join(near)}?" if near else _ALL)
    if not value:
        return
    if not value.isprintable() or len(value) > 2000:
        raise WrongUse(f"{key}: a value is one line of at most 2,000 printable characters")
    if key in _CHOICES and value not in _CHOICES[key]:
        raise WrongUse(f"{key}: {value[:40]!r} is none of them", f"one of {', '.join(_CHOICES[key])}")
    if key in _NUMBERS:
        low, high = _NUMBERS[key]
        if not re.fullmatch("[0-9]{1,5}", value) or not low <= int(value) <= high:
            raise WrongUse(f"{key}: {value[:40]!r} is no number from {low} to {high}")
    if key.endswith("_host") and not _HOST.fullmatch(value):
        raise WrongUse(f"{key}: {value[:40]!r} is no name of a server", "write it as mail.example.org")
    if key in ("address", "report_to"):
        mail.address(value)


_ALL: Final = "`pbem mail show --all` lists all settings"


def _check_safety(one: Account) -> None:
    """Without encryption only this machine itself is talked to."""
    for kind in ("smtp", "imap"):
        server = one.server(kind)
        if server.security == "none" and server.host and server.host not in LOOPBACK:
            raise WrongUse(
                f"{kind}_security: without encryption the password could be read on its way to {server.host}",
                f"{kind}_security=tls or {kind}_security=starttls; none is for localhost alone",
            )


def missing(one: Account) -> list[str]:
    """Settings that this account's ways of sending and receiving still need."""
    needs = [*_NEEDS.get(one.sends, ())]
    needs += ["receive_path"] if one.receives in ("folder", "download") else _NEEDS.get(one.receives, ())
    return [key for key in dict.fromkeys(needs) if key not in one.values]


def _toml(found: Mapping[str, Account]) -> bytes:
    lines: list[str] = []
    for one in found.values():
        lines.append(f"[account.{one.name}]")
        lines += [f"{key} = {json.dumps(one.values[key], ensure_ascii=False)}" for key in KEYS if key in one.values]
        lines.append("")
    return "\n".join(lines).encode("utf-8")
