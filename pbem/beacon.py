"""A public beacon as the clock that does not rewind: drand's rounds, named before they exist (protocol, 3.5).

A round's value is a BLS signature by a threshold of independent organisations: unique, so nobody can choose it,
and checked offline against a key that stands here and in the charter. The check needs the extra `pbem[beacon]`;
nothing here goes to the network. Pure but for that library.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from pbem.canon import H
from pbem.errors import Incomplete, Refused

NAME: Final = "beacon"
"""The contributor that a registered solitaire game names its round by [3.9]."""

AHEAD: Final = 2 * 3600
"""Seconds from a handover to the round it names: about as long as mail takes (decision)."""

MAX_PASTED: Final = 65536
MAX_ROUND: Final = 2**53 - 1

G1_BYTES: Final = 48
G2_BYTES: Final = 96
TAG_G1: Final = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
TAG_G2: Final = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_NUL_"

EXTRA: Final = "install the extra: `pip install 'pbem[beacon]'`"


@dataclass(frozen=True, slots=True)
class Network:
    """One chain of rounds. `genesis` in seconds since 1970, `period` in seconds, `key` as published, in hex.

    `chained` rounds sign the signature before theirs too; the other kind signs its number alone.
    """

    name: str
    chain: str
    key: str
    genesis: int
    period: int
    chained: bool

    def time(self, number: int) -> int:
        """When a round is published, in seconds since 1970; `number` from 1."""
        return self.genesis + (number - 1) * self.period

    def round_at(self, time: int) -> int:
        """The first round that is published after a time."""
        return max(1, (time - self.genesis) // self.period + 2)

    def address(self, number: int) -> str:
        """Where anybody finds a round, once it is published."""
        return f"https://api.drand.sh/{self.chain}/public/{number}"

    def evidence_bytes(self) -> int:
        """What proves a round: its signature, and for a chained one the signature before it."""
        return 2 * G2_BYTES if self.chained else G1_BYTES


NETWORKS: Final[Mapping[str, Network]] = MappingProxyType(
    {
        one.name: one
        for one in (
            Network(
                "quicknet",
                "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
                "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
                "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
                1692803367,
                3,
                chained=False,
            ),
            Network(
                "default",
                "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce",
                "868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a569937c529eeda66c7293784a9402801af31",
                1595431050,
                30,
                chained=True,
            ),
        )
    }
)
"""The chains this release knows; a game names one of them by its hash, with its key."""


def network(chain: str) -> Network:
    """A known chain by its hash; any other is `E_BEACON`."""
    for one in NETWORKS.values():
        if one.chain == chain:
            return one
    raise Refused("E_BEACON", f"beacon chain {chain[:16]} is not known here", f"known: {', '.join(NETWORKS)}")


def seed(game: bytes, n: int, chain: str, number: int, signature: bytes) -> bytes:
    """The 32 bytes behind all dice of batch `n`, from the round that was named for it."""
    return H("pbem/v1/beacon", game, n, bytes.fromhex(chain), number, signature)


# --- the check ---


@cache
def _curves() -> Any:
    """The pairing library, or None where the extra is not installed."""
    try:
        return importlib.import_module("py_arkworks_bls12381")
    except ImportError:
        return None


def available() -> bool:
    """Whether rounds can be checked on this machine."""
    return _curves() is not None


def need() -> None:
    """`Incomplete` where rounds cannot be checked here."""
    if not available():
        raise Incomplete("beacon: no round can be checked on this machine", EXTRA)


def signature(net: Network, evidence: bytes) -> bytes:
    """The round's own signature in what proves it; `E_BEACON` for another length."""
    if len(evidence) != net.evidence_bytes():
        met = f"{len(evidence)} bytes are no round of {net.name}, which has {net.evidence_bytes()}"
        raise Refused("E_BEACON", met)
    return evidence[:G2_BYTES] if net.chained else evidence


def check(net: Network, number: int, evidence: bytes) -> bytes:
    """The signature of a round, if the chain's key made it (`E_BEACON`; `Incomplete` without the extra).

    One round has one spelling: a point that would be written otherwise is refused.
    """
    need()
    found = signature(net, evidence)
    try:
        sound = _chained(net, number, evidence) if net.chained else _unchained(net, number, found)
    except ValueError:
        sound = False
    if not sound:
        raise Refused("E_BEACON", f"this is not the signature of round {number} of {net.name}")
    return found


def _unchained(net: Network, number: int, found: bytes) -> bool:
    """Signatures on the first curve, key on the second; the message is the round's number."""
    lib = _curves()
    point = lib.G1Point.from_compressed_bytes(found)
    message = lib.G1Point.hash_to_curve(hashlib.sha256(_number(number)).digest(), TAG_G1)
    key = lib.G2Point.from_compressed_bytes(bytes.fromhex(net.key))
    one_way = bytes(point.to_compressed_bytes()) == found
    return one_way and bool(lib.GT.pairing_check([point, -message], [lib.G2Point(), key]))


def _chained(net: Network, number: int, evidence: bytes) -> bool:
    """Signatures on the second curve, key on the first; the message begins with the signature before."""
    lib = _curves()
    found, before = evidence[:G2_BYTES], evidence[G2_BYTES:]
    point = lib.G2Point.from_compressed_bytes(found)
    message = lib.G2Point.hash_to_curve(hashlib.sha256(before + _number(number)).digest(), TAG_G2)
    key = lib.G1Point.from_compressed_bytes(bytes.fromhex(net.key))
    one_way = bytes(point.to_compressed_bytes()) == found
    return one_way and bool(lib.GT.pairing_check([lib.G1Point(), -key], [point, message]))


def _number(number: int) -> bytes:
    return struct.pack(">Q", number)


# --- what a player pastes ---


def read_published(net: Network, number: int, text: str) -> str:
    """What proves a round, in hex, from what its address shows (JSON), or from the bare signature.

    Refuses with `E_BEACON` what is another round or none.
    """
    hint = f"paste what {net.address(number)} shows"
    text = text.strip()
    if len(text) > MAX_PASTED:
        raise Refused("E_BEACON", "that is too long for a round", hint)
    if not text.startswith("{"):
        return _hex(text, hint)
    try:
        doc = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused("E_BEACON", "that is no round: the JSON is broken", hint) from None
    if not isinstance(doc, dict) or type(doc.get("round")) is not int:
        raise Refused("E_BEACON", "that is no round: it has no number", hint)
    if doc["round"] != number:
        raise Refused("E_BEACON", f"that is round {str(doc['round'])[:20]}, and round {number} was named", hint)
    found = _hex(doc.get("signature"), hint)
    return found + _hex(doc.get("previous_signature"), hint) if net.chained else found


def _hex(value: Any, hint: str) -> str:
    try:
        if isinstance(value, str) and value.isascii():
            return bytes.fromhex(value).hex()
    except ValueError:
        pass
    raise Refused("E_BEACON", "that is no signature: hex digits are wanted", hint)
