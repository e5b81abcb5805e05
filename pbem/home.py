"""The application folder: keys, master secrets, pins, journal and drafts. Private things live here and nowhere else.

    keys/<name>                     private key, OpenSSH form or our own container
    keys/<name>.pub
    games/<setup>/seat-<seat>/      secret.json (master secret), vault.json (secret choices), or both in secrets.vault,
                                    locked with a passphrase; draft.json, entry.line (as it was mailed),
                                    chain.json (a responder's)
    games/<setup>/                  pin.json, journal.json, papers.json, where.json, restore.json, lock
    installation                    a mark that a copy of the folder does not carry along: `Home.installation`

Every file is written whole: a crash leaves the old one or the new one.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import platform
import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeVar

from pbem import agent, keys, log, receipts, safe
from pbem.errors import Refused, Trouble, WrongUse
from pbem.vault import Vault

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}\Z")
RESERVED: Final = {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}
"""Names that are no files on Windows."""
DEFAULT_KEY: Final = "id"
LOCK_PATIENCE: Final = 5.0
MOST_FOLDERS: Final = 8
"""Folders of components that are remembered for a game."""
"""Seconds to wait for another pbem at work on the same game."""
Passphrase = Callable[[], str]
Doc = TypeVar("Doc")


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
    `installation` is the number of the installation that wrote it; empty before the first event.
    """

    seq: int = 0
    head: str = ""
    signed: dict[str, int] = field(default_factory=dict)
    slips: dict[str, dict[str, dict[str, str]]] = field(default_factory=dict)
    installation: str = ""


@dataclass
class Secret:
    """What one seat keeps to itself: its master secret, and the name of its signing key.

    `era` counts the players the seat had when these secrets were made, `former` holds masters of earlier ones that
    were handed over. A `locked` one shows which secrets there are, not what they are.
    """

    setup: str
    seat: str
    key: str
    master: str
    links: int
    draft: str
    era: int = 0
    former: dict[str, str] = field(default_factory=dict)
    locked: bool = False

    def has(self, era: int) -> bool:
        """Whether the secrets of a player of this seat are here."""
        return era == self.era or str(era) in self.former


@dataclass
class Keyring:
    """How vaults are opened in this run: whom to ask for a passphrase, and the locks that were opened already."""

    ask: Passphrase | None = None
    locks: dict[Path, safe.Lock] = field(default_factory=dict)

    def passphrase(self) -> str:
        if self.ask is None:
            raise Trouble("the vault is locked and nobody is there to ask", "`pbem vault unlock FILE` opens it")
        return self.ask()


class Home:
    """The application folder with its keys and games."""

    def __init__(self, root: Path | None = None, ask: Passphrase | None = None) -> None:
        self.root = root if root is not None else folder()
        self.keyring = Keyring(ask)

    def installation(self, *, new: bool = False) -> str:
        """The number of this installation: machine, folder, and when its mark was made; a `new` one gets its mark.

        A restored or copied folder has another one, unless the copy was made in place.
        """
        mark = self.root / "installation"
        if not mark.exists():
            if not new:
                return ""
            log.write_atomic(mark, secrets.token_hex(16).encode() + b"\n", private=True)
        made = mark.stat().st_ctime_ns
        parts = (_machine(), str(self.root.resolve()), str(made), mark.read_text("ascii", "replace"))
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]

    # Keys ------------------------------------------------------------------------------------------------------

    def key_path(self, name: str) -> Path:
        if not _NAME.match(name) or name.endswith((".", ".pub")) or name.partition(".")[0].lower() in RESERVED:
            hint = "letters, digits, dot, dash and underscore, at most 40; not NAME.pub, which is the public half"
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
        private = agent.MARK if isinstance(key, agent.AgentKey) else keys.write_private(key, passphrase)
        with log.lock(self.root / "keys.lock"):
            if path.exists():
                raise Trouble(f"a key named {name} exists already", "choose another name: --name NAME")
            log.write_atomic(path.with_name(name + ".pub"), public.encode())
            log.write_atomic(path, private, private=True)  # the last: without it there is no key
        return path

    def public_key(self, name: str) -> bytes:
        path = self.key_path(name)
        return keys.read_openssh_public(_text(path.with_name(name + ".pub"), f"no key named {name}"))

    def has_key(self, name: str, public: bytes) -> bool:
        """Whether the key of that name is here and is this one."""
        path = self.key_path(name)
        if not path.exists() or not path.with_name(name + ".pub").exists():
            return False
        return self.public_key(name) == public

    def key(self, name: str, passphrase: Passphrase | None = None) -> keys.SigningKey:
        """A private key by name, opened."""
        path = self.key_path(name)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise Trouble(f"key {name}: {log.why(error)}", "`pbem key new` makes one") from None
        if data == agent.MARK:
            return agent.AgentKey(self.public_key(name))
        return keys.read_private(data, passphrase)

    # Games -----------------------------------------------------------------------------------------------------

    def room(self, setup: str) -> Room:
        """The private room of a game, by the `setup` of its draft or charter."""
        return Room(self.root / "games" / setup[:32], self.keyring)

    def rooms(self) -> list[Room]:
        place = self.root / "games"
        paths = sorted(place.iterdir()) if place.is_dir() else []
        return [Room(path, self.keyring) for path in paths if path.is_dir()]

    def find(self, game: str) -> Room | None:
        """The room of a game or draft id."""
        return next((room for room in self.rooms() if game in room.names()), None)


class Room:
    """The private room of one game on this machine."""

    def __init__(self, path: Path, keyring: Keyring | None = None) -> None:
        self.path = path
        self.keyring = keyring or Keyring()

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

    def components(self) -> list[Path]:
        """Folders of an owner's components that the game was played with here."""
        found = _read_json(self.path / "where.json").get("components", [])
        return [Path(one) for one in found if isinstance(one, str)] if isinstance(found, list) else []

    def remember(self, file: Path, *, game: str = "", draft: str = "", components: Sequence[Path] = ()) -> None:
        """Note where the game file is, which ids belong to this room, and with which components it is played."""
        old = _read_json(self.path / "where.json")
        new = dict(old, file=str(file))
        folders = [str(folder.resolve()) for folder in components]
        folders += [str(folder) for folder in self.components() if str(folder) not in folders]
        if folders:
            new["components"] = folders[:MOST_FOLDERS]
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
        """A seat's secrets, without the masters where they are locked."""
        path = self._seat(seat) / "secret.json"
        found = _read_json(path)
        try:
            return Secret(**found)
        except TypeError:
            raise _damaged(path) from None

    def add_secret(self, secret: Secret) -> None:
        """Store a seat's secrets; those of another draft with the same setup are never overwritten."""
        if secret.seat in self.seats() and self.secret(secret.seat).draft != secret.draft:
            raise Refused("E_DRAFT", "this draft copies the setup of a game that is here already", event=0)
        self._set_secret(secret)

    def _set_secret(self, secret: Secret) -> None:
        _write_json(self._seat(secret.seat) / "secret.json", dataclasses.asdict(secret))

    def entry(self, seat: str) -> bytes | None:
        """The signed entry with which a seat was joined here."""
        path = self._seat(seat) / "entry.line"
        return path.read_bytes() if path.exists() else None

    def add_entry(self, seat: str, line: bytes) -> None:
        """Keep the entry of a seat: it goes into letters until the game has begun."""
        log.write_atomic(self._seat(seat) / "entry.line", line, private=True)

    def _seat(self, seat: str) -> Path:
        return self.path / f"seat-{seat}"

    # Vaults ---------------------------------------------------------------------------------------------------

    def vault(self, seat: str) -> Vault:
        """What the seat knows of its own seals; what it chooses is kept here before its hash is signed."""
        secret, chosen = self.opened(seat)
        former = {int(era): bytes.fromhex(master) for era, master in secret.former.items()}

        def keep(key: str, contents: list[Any]) -> None:
            self.keep(*self.opened(seat), {key: contents})

        return Vault(seat, bytes.fromhex(secret.master), chosen, keep, secret.era, former)

    def opened(self, seat: str) -> tuple[Secret, dict[str, list[Any]]]:
        """A seat's secrets with their masters, and what it chose; a locked vault asks for its passphrase."""
        secret = self.secret(seat)
        if not secret.locked:
            return secret, _read_json(self._seat(seat) / "vault.json")
        path = self._vault_path(seat)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise Trouble(f"{path}: {log.why(error)}", "restore it: `pbem vault restore --help`") from None
        told, lock = safe.unseal(data, secret.setup, seat, self.keyring.passphrase, self.keyring.locks.get(path))
        self.keyring.locks[path] = lock
        try:
            whole = dataclasses.replace(secret, master=told["master"], former=dict(told["former"]))
            return whole, dict(told["chosen"])
        except (KeyError, TypeError, ValueError):
            raise Trouble(*safe.DAMAGED) from None

    def keep(self, secret: Secret, chosen: dict[str, list[Any]], more: Mapping[str, list[Any]] | None = None) -> None:
        """Write a seat's secrets and choices, locked if they are locked; what holds the secrets comes first."""
        chosen = {**chosen, **(more or {})}
        if not secret.locked:
            _write_json(self._seat(secret.seat) / "vault.json", chosen)
            if secret != self._kept(secret.seat):
                self._set_secret(secret)
            return
        path = self._vault_path(secret.seat)
        told = {"master": secret.master, "former": secret.former, "chosen": chosen}
        log.write_atomic(path, safe.seal(self.keyring.locks[path], secret.setup, secret.seat, told), private=True)
        shown = dataclasses.replace(secret, master="", former=dict.fromkeys(secret.former, ""))
        if shown != self._kept(secret.seat):
            self._set_secret(shown)

    def _kept(self, seat: str) -> Secret | None:
        return self.secret(seat) if seat in self.seats() else None

    def drop_seat(self, seat: str) -> None:
        """Make room for secrets that are restored: what is damaged here stays beside them under another name."""
        for name in ("secret.json", "vault.json", f"secrets{safe.SUFFIX}"):
            path = self._seat(seat) / name
            if path.exists():
                path.replace(path.with_name(f"{name}.old"))

    def chain(self, seat: str) -> dict[str, Any]:
        """The dice chain that a responder here releases for a seat; empty where there is none."""
        return _read_json(self._seat(seat) / "chain.json")

    def add_chain(self, seat: str, doc: dict[str, Any]) -> None:
        """Keep a dice chain for a responder: the end of the chain, and nothing that moves or shows a card."""
        _write_json(self._seat(seat) / "chain.json", doc)

    def chains(self) -> list[str]:
        """Seats, or the witness, whose links a responder here releases."""
        return sorted(path.parent.name.removeprefix("seat-") for path in self.path.glob("seat-*/chain.json"))

    def lock_vault(self, seat: str, passphrase: str) -> None:
        """Lock a seat's secrets and choices; the readable files are gone afterwards."""
        secret, chosen = self.opened(seat)
        self.keyring.locks[self._vault_path(seat)] = safe.Lock.new(passphrase)
        self.keep(dataclasses.replace(secret, locked=True), chosen)
        (self._seat(seat) / "vault.json").unlink(missing_ok=True)

    def unlock_vault(self, seat: str) -> None:
        """Make a seat's secrets readable for the owner of this account again."""
        secret, chosen = self.opened(seat)
        self.keep(dataclasses.replace(secret, locked=False), chosen)
        self._vault_path(seat).unlink(missing_ok=True)

    def _vault_path(self, seat: str) -> Path:
        return self._seat(seat) / f"secrets{safe.SUFFIX}"

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

    def asking(self) -> receipts.Asking | None:
        """The open question of a restored machine; None where it may sign."""
        path = self.path / "restore.json"
        doc = _read_json(path)
        return _made(receipts.Asking, doc, path) if doc else None

    def set_asking(self, asking: receipts.Asking | None) -> None:
        path = self.path / "restore.json"
        if asking is None:
            path.unlink(missing_ok=True)
        else:
            _write_json(path, dataclasses.asdict(asking))

    def desk(self) -> receipts.Desk:
        """Receipts: what others asked and what was answered."""
        return _made(receipts.Desk, _read_json(self.path / "receipts.json"), self.path / "receipts.json")

    def set_desk(self, desk: receipts.Desk) -> None:
        if desk != self.desk():
            _write_json(self.path / "receipts.json", dataclasses.asdict(desk))

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


def _machine() -> str:
    """What this system calls itself, where it does."""
    for place in ("/etc/machine-id", "/var/lib/dbus/machine-id"):
        with suppress(OSError, UnicodeDecodeError):
            return Path(place).read_text("ascii").strip()
    return platform.node()


def _made(kind: type[Doc], doc: dict[str, Any], path: Path) -> Doc:
    try:
        return kind(**doc)
    except TypeError:
        raise _damaged(path) from None


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
