"""The application folder: keys, master secrets, pins, journal and drafts. Private things live here and nowhere else.

    keys/<name>                     private key, OpenSSH form or our own container
    keys/<name>.pub
    games/<setup>/seat-<seat>/      secret.json (master secret), vault.json (secret choices), draft.json,
                                    entry.line (as it was mailed)
    games/<setup>/                  pin.json, journal.json, papers.json, where.json, lock

Every file is written whole: a crash leaves the old one or the new one.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pbem import dice, keys, log
from pbem.errors import Refused, Trouble, WrongUse
from pbem.vault import Vault

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}\Z")
DEFAULT_KEY: Final = "id"
LOCK_PATIENCE: Final = 5.0
"""Seconds to wait for another pbem at work on the same game."""
Passphrase = Callable[[], str]


def folder() -> Path:
    """The application folder: `PBEM_HOME`, or where this system keeps such things."""
    named = os.environ.get("PBEM_HOME")
    if named:
        return Path(named)
    import click

    return Path(click.get_app_dir("pbem"))


@dataclass
class Pin:
    """What this installation has seen and signed of one game. It only ever grows.

    `seq` and `head` are the furthest head used; `signed` the highest seq signed by a local seat, by seat;
    `slips` the slip given for each batch, by seat: request id and the line that was given.
    """

    seq: int = 0
    head: str = ""
    signed: dict[str, int] = field(default_factory=dict)
    slips: dict[str, dict[str, dict[str, str]]] = field(default_factory=dict)


@dataclass
class Secret:
    """What one seat keeps to itself: its master secret, and the name of its signing key."""

    setup: str
    seat: str
    key: str
    master: str
    links: int
    draft: str

    def link(self) -> Callable[[int], bytes]:
        """x_n of the seat's first chain, by n. `Refused(E_LINK)` beyond the end."""
        chain: list[bytes] = []

        def of(number: int) -> bytes:
            if not chain:
                chain_id = dice.chain_id(bytes.fromhex(self.setup), self.seat, 1)
                chain.extend(dice.chain(chain_id, dice.chain_end(bytes.fromhex(self.master), 1), self.links))
            if number > self.links:
                raise Refused("E_LINK", "the dice chain is used up", "a new game needs more links")
            return chain[number]

        return of


class Home:
    """The application folder with its keys and games."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = root if root is not None else folder()

    # Keys ------------------------------------------------------------------------------------------------------

    def key_path(self, name: str) -> Path:
        if not _NAME.match(name):
            hint = "letters, digits, dot, dash and underscore, at most 40"
            raise WrongUse(f"{name[:60]!r} is no name for a key", hint)
        return self.root / "keys" / name

    def key_names(self) -> list[str]:
        """Names of the keys here."""
        place = self.root / "keys"
        return sorted(path.stem for path in place.glob("*.pub") if path.with_suffix("").exists())

    def add_key(self, name: str, key: keys.SigningKey, passphrase: str | None) -> Path:
        """Store a new key; an existing one is never overwritten."""
        path = self.key_path(name)
        public = keys.openssh_public(key.public, f"pbem-{name}") + "\n"
        private = keys.write_private(key, passphrase)
        with log.lock(self.root / "keys.lock"):
            if path.exists():
                raise Trouble(f"a key named {name} exists already", "choose another name: --name NAME")
            log.write_atomic(path.with_name(name + ".pub"), public.encode())
            log.write_atomic(path, private, private=True)  # the last: without it there is no key
        return path

    def public_key(self, name: str) -> bytes:
        path = self.key_path(name)
        return keys.read_openssh_public(_text(path.with_name(name + ".pub"), f"no key named {name}"))

    def key(self, name: str, passphrase: Passphrase | None = None) -> keys.SigningKey:
        """A private key by name, opened."""
        path = self.key_path(name)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise Trouble(f"key {name}: {log.why(error)}", "`pbem key new` makes one") from None
        return keys.read_private(data, passphrase)

    # Games -----------------------------------------------------------------------------------------------------

    def room(self, setup: str) -> Room:
        """The private room of a game, by the `setup` of its draft or charter."""
        return Room(self.root / "games" / setup[:32])

    def rooms(self) -> list[Room]:
        place = self.root / "games"
        return [Room(path) for path in sorted(place.iterdir()) if path.is_dir()] if place.is_dir() else []

    def find(self, game: str) -> Room | None:
        """The room of a game or draft id."""
        return next((room for room in self.rooms() if game in room.names()), None)


class Room:
    """The private room of one game on this machine."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep other processes away from this game. One that is just finishing is waited for."""
        until = time.monotonic() + LOCK_PATIENCE
        with ExitStack() as held:
            while True:
                try:
                    held.enter_context(log.lock(self.path / "lock"))
                    break
                except log.Busy:
                    if time.monotonic() >= until:
                        raise
                    time.sleep(0.02)
            yield

    # Where the game file is -----------------------------------------------------------------------------------

    def where(self) -> Path | None:
        """The game file as last used."""
        found = _read_json(self.path / "where.json").get("file")
        return Path(found) if isinstance(found, str) else None

    def names(self) -> list[str]:
        """Ids this room answers to: the draft's and the game's."""
        found = _read_json(self.path / "where.json")
        return [name for name in (found.get("game"), found.get("draft")) if isinstance(name, str)]

    def remember(self, file: Path, *, game: str = "", draft: str = "") -> None:
        """Note where the game file is, and which ids belong to this room."""
        old = _read_json(self.path / "where.json")
        new = dict(old, file=str(file))
        new |= {name: value for name, value in (("game", game), ("draft", draft)) if value}
        if new != old:
            _write_json(self.path / "where.json", new)

    # Seats ----------------------------------------------------------------------------------------------------

    def seats(self) -> list[str]:
        """Seats played on this machine."""
        if not self.path.is_dir():
            return []
        return sorted(path.parent.name.removeprefix("seat-") for path in self.path.glob("seat-*/secret.json"))

    def secret(self, seat: str) -> Secret:
        found = _read_json(self._seat(seat) / "secret.json")
        try:
            return Secret(**{name: found[name] for name in Secret.__dataclass_fields__})
        except (KeyError, TypeError):
            raise _damaged(self._seat(seat) / "secret.json") from None

    def add_secret(self, secret: Secret) -> None:
        """Store a seat's secrets; those of another draft with the same setup are never overwritten."""
        if secret.seat in self.seats() and self.secret(secret.seat).draft != secret.draft:
            raise Refused("E_DRAFT", "this draft copies the setup of a game that is here already", event=0)
        doc = {name: getattr(secret, name) for name in Secret.__dataclass_fields__}
        _write_json(self._seat(secret.seat) / "secret.json", doc)

    def entry(self, seat: str) -> bytes | None:
        """The signed entry with which a seat was joined here."""
        path = self._seat(seat) / "entry.line"
        return path.read_bytes() if path.exists() else None

    def add_entry(self, seat: str, line: bytes) -> None:
        """Keep the entry of a seat: it goes into letters until the game has begun."""
        log.write_atomic(self._seat(seat) / "entry.line", line, private=True)

    def _seat(self, seat: str) -> Path:
        return self.path / f"seat-{seat}"

    def vault(self, seat: str) -> Vault:
        """What the seat knows of its own seals; what it chooses is kept here before its hash is signed."""
        path = self._seat(seat) / "vault.json"
        chosen = _read_json(path)

        def keep(key: str, contents: list[Any]) -> None:
            _write_json(path, {**_read_json(path), key: contents})

        return Vault(seat, bytes.fromhex(self.secret(seat).master), chosen, keep)

    # Drafts of orders -----------------------------------------------------------------------------------------

    def draft(self, seat: str) -> tuple[str, list[str]]:
        """Orders that wait for the barrier, as typed lines, and the head they were made on."""
        path = self._seat(seat) / "draft.json"
        return str(_read_json(path).get("base", "")), _lines_of(path)

    def set_draft(self, seat: str, base: str, lines: list[str]) -> None:
        """Replace the drafted orders; none leaves no file."""
        path = self._seat(seat) / "draft.json"
        if lines:
            _write_json(path, {"base": base, "lines": lines})
        else:
            path.unlink(missing_ok=True)

    # Pin, journal, papers -------------------------------------------------------------------------------------

    def pin(self) -> Pin:
        found = _read_json(self.path / "pin.json")
        try:
            return Pin(**found)
        except TypeError:
            raise _damaged(self.path / "pin.json") from None

    def set_pin(self, pin: Pin) -> None:
        doc = {name: getattr(pin, name) for name in Pin.__dataclass_fields__}
        _write_json(self.path / "pin.json", doc)

    def journal(self) -> list[str]:
        """Event lines on their way into the game file, without LF: written before the pin and the file."""
        return _lines_of(self.path / "journal.json")

    def set_journal(self, lines: list[str]) -> None:
        _write_json(self.path / "journal.json", {"lines": lines})

    def papers(self) -> list[str]:
        """Detached lines that belong to the game and are not in its file: statements, slips of others."""
        return _lines_of(self.path / "papers.json")

    def set_papers(self, lines: list[str]) -> None:
        _write_json(self.path / "papers.json", {"lines": lines})


def new_master() -> bytes:
    """A fresh master secret: 32 bytes of the system's generator."""
    return secrets.token_bytes(32)


def _text(path: Path, otherwise: str) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise Trouble(otherwise, "`pbem key new` makes one; `pbem key show` lists them") from None


def _read_json(path: Path) -> dict[str, Any]:
    try:
        doc = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise Trouble(f"{path}: {log.why(error)}") from None
    except (ValueError, RecursionError):
        raise _damaged(path) from None
    if not isinstance(doc, dict):
        raise _damaged(path)
    return doc


def _damaged(path: Path) -> Trouble:
    return Trouble(f"{path} is damaged", "restore it from a backup; nothing is signed until then")


def _lines_of(path: Path) -> list[str]:
    lines = _read_json(path).get("lines", [])
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise _damaged(path)
    return lines


def _write_json(path: Path, doc: dict[str, Any]) -> None:
    data = json.dumps(doc, indent=1, sort_keys=True).encode() + b"\n"  # ASCII: paths may hold what UTF-8 cannot
    log.write_atomic(path, data, private=True)
