"""A seat's secrets in one locked file, and its master secret on paper (protocol, 2.8).

    PBEM-VAULT 1 {"game":..,"kdf":{"n":..,"p":..,"r":..},"nonce":..,"salt":..,"seat":..,"v":1}
    <ChaCha20-Poly1305 of the secrets, in hex>

The first line is associated data: what was locked for one seat of one game opens for no other.
`game` is the `setup` of the charter, which a game has from its first draft on. Pure: bytes in, bytes out.
"""

from __future__ import annotations

import binascii
import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pbem import canon
from pbem.errors import Refused, Trouble, WrongUse

MARK: Final = b"PBEM-VAULT 1 "
SUFFIX: Final = ".vault"
COST: Final[Mapping[str, int]] = {"n": 2**17, "p": 1, "r": 8}
"""scrypt's parameters for new files: 128 MiB and a third of a second."""
LEAST_N: Final = 2**14
MOST: Final[Mapping[str, int]] = {"n": 2**20, "p": 4, "r": 16}
MAX_BYTES: Final = 64 * 2**20
DAMAGED: Final = ("the vault is damaged", "take it from a backup; nothing of it was used")
WRONG: Final = ("the passphrase is wrong, or the vault is damaged", "try again; nothing of it was used")
GROUPS: Final = 16
MASTER_BYTES: Final = 32
_HEX32 = re.compile(r"[0-9a-f]{32}\Z")
_HEX24 = re.compile(r"[0-9a-f]{24}\Z")
Ask = Callable[[], str]


@dataclass(frozen=True, slots=True)
class Lock:
    """A passphrase as the key it gives with one salt at one cost: stretched once, used for many writes."""

    key: bytes
    salt: str
    kdf: Mapping[str, int]

    @classmethod
    def new(cls, passphrase: str) -> Lock:
        """A lock for new files. `WrongUse` for an empty passphrase."""
        if not passphrase:
            raise WrongUse("the passphrase is empty", "choose one, or leave the vault unlocked")
        salt = os.urandom(16).hex()
        return cls(_stretched(passphrase, salt, COST), salt, COST)


def _stretched(passphrase: str, salt: str, kdf: Mapping[str, int]) -> bytes:
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    try:
        made = Scrypt(salt=bytes.fromhex(salt), length=32, n=kdf["n"], r=kdf["r"], p=kdf["p"])
        return made.derive(passphrase.encode("utf-8", "surrogatepass"))
    except MemoryError:
        raise Trouble("there is not enough memory to lock or unlock the vault", "close other programs") from None


def seal(lock: Lock, game: str, seat: str, secrets: Mapping[str, Any]) -> bytes:
    """The file that holds these secrets; a fresh nonce each time."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    nonce = os.urandom(12)
    doc = {"game": game, "kdf": dict(lock.kdf), "nonce": nonce.hex(), "salt": lock.salt, "seat": seat, "v": 1}
    header = MARK + canon.encode(doc)
    data = json.dumps(secrets, sort_keys=True).encode()
    return header + b"\n" + ChaCha20Poly1305(lock.key).encrypt(nonce, data, header).hex().encode() + b"\n"


def unseal(data: bytes, game: str, seat: str, ask: Ask, lock: Lock | None = None) -> tuple[dict[str, Any], Lock]:
    """The secrets of a file, all of them or none, and the lock that opened it. `lock` saves asking where it fits.

    `Trouble` for a wrong passphrase, a damaged file, or the vault of another seat or game.
    """
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    header, doc, locked = _parts(data)
    if (doc["game"], doc["seat"]) != (game, seat):
        whose = f"{doc['seat']} of the game {doc['game'][:8]}"
        raise Trouble(f"this is the vault of {whose}, not of {seat} of {game[:8]}", "take the one that belongs here")
    if lock is None or (lock.salt, dict(lock.kdf)) != (doc["salt"], doc["kdf"]):
        lock = Lock(_stretched(ask(), doc["salt"], doc["kdf"]), doc["salt"], doc["kdf"])
    try:
        told = json.loads(ChaCha20Poly1305(lock.key).decrypt(bytes.fromhex(doc["nonce"]), locked, header))
    except (InvalidTag, ValueError):
        raise Trouble(*WRONG) from None
    if not isinstance(told, dict):
        raise Trouble(*DAMAGED)
    return told, lock


def whose(data: bytes) -> tuple[str, str]:
    """Game and seat that a file says it belongs to; only `unseal` tells whether that is so."""
    doc = _parts(data)[1]
    return str(doc["game"]), str(doc["seat"])


def _parts(data: bytes) -> tuple[bytes, dict[str, Any], bytes]:
    """The first line, what it says, and the locked bytes."""
    header, _, rest = data.strip().partition(b"\n")
    header = header.strip()
    try:
        if len(data) > MAX_BYTES or not header.startswith(MARK):
            raise ValueError
        doc = canon.decode(header.removeprefix(MARK))
        locked = binascii.unhexlify(rest.strip())
    except (Refused, ValueError):
        raise Trouble(*DAMAGED) from None
    if not _sound(doc):
        raise Trouble(*DAMAGED)
    return header, doc, locked


def _sound(doc: Mapping[str, Any]) -> bool:
    if set(doc) != {"game", "kdf", "nonce", "salt", "seat", "v"} or doc["v"] != 1:
        return False
    texts = all(isinstance(doc[name], str) for name in ("game", "nonce", "salt", "seat"))
    return texts and bool(_HEX24.match(doc["nonce"]) and _HEX32.match(doc["salt"])) and _bearable(doc["kdf"])


def _bearable(kdf: Any) -> bool:
    """A cost that is neither worthless nor an attack on this machine's memory."""
    if not isinstance(kdf, dict) or kdf.keys() != MOST.keys():
        return False
    if not all(type(kdf[name]) is int and 1 <= kdf[name] <= most for name, most in MOST.items()):
        return False
    n: int = kdf["n"]
    return n >= LEAST_N and n & (n - 1) == 0


# Paper -----------------------------------------------------------------------------------------------------------


def on_paper(master: bytes) -> str:
    """A master secret as sixteen groups in four lines, and the checksum: to be written down or printed."""
    digits = master.hex()
    groups = [digits[at : at + 4] for at in range(0, len(digits), 4)]
    lines = [" ".join(groups[at : at + 4]) for at in range(0, GROUPS, 4)]
    return "\n".join([*lines, f"check {_check(master)}"])


def from_paper(text: str) -> bytes:
    """The master secret of a paper, however it was typed: capitals, blanks, O for 0 and l for 1 do not matter."""
    words = text.lower().replace("check", " ")
    digits = re.sub(r"[\s.,:;_-]+", "", words).translate(str.maketrans("oil", "011"))
    hint = "sixteen groups of four digits 0-9 a-f, then the eight digits of the checksum"
    if re.search(r"[^0-9a-f]", digits):
        raise WrongUse(f"{re.findall('[^0-9a-f]', digits)[0]!r} is no digit of a paper copy", hint)
    if len(digits) != 2 * MASTER_BYTES + 8:
        raise WrongUse(f"the paper copy has {len(digits)} digits, due are {2 * MASTER_BYTES + 8}", hint)
    master = bytes.fromhex(digits[: 2 * MASTER_BYTES])
    if digits[2 * MASTER_BYTES :] != _check(master):
        raise WrongUse("the checksum of the paper copy does not fit: a digit is misread", "compare group by group")
    return master


def _check(master: bytes) -> str:
    return canon.H("pbem/v1/paper", master).hex()[:8]
