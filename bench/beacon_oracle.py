"""The recorded beacon rounds checked by another implementation, py_ecc, which is pure Python and shares no code.

    PYTHONPATH=. python bench/beacon_oracle.py

Each round must pass, and each must fail under the number of the next one: as with the extra `pbem[beacon]`.
"""

from __future__ import annotations

import hashlib
import struct
import sys
from pathlib import Path

from py_ecc.bls.hash_to_curve import hash_to_G1, hash_to_G2
from py_ecc.bls.point_compression import decompress_G1, decompress_G2
from py_ecc.optimized_bls12_381 import FQ12, G1, G2, neg, pairing
from py_ecc.optimized_bls12_381.optimized_pairing import final_exponentiate

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from rounds import CHAINED, DEFAULT, QUICKNET, ROUNDS

from pbem import beacon


def on_g2(text: str) -> object:
    """A point of the second curve from its 96 bytes in hex."""
    return decompress_G2((int(text[:96], 16), int(text[96:], 16)))


def unchained(number: int, signature: str) -> bool:
    """Quicknet: signatures on the first curve."""
    message = hash_to_G1(hashlib.sha256(struct.pack(">Q", number)).digest(), beacon.TAG_G1, hashlib.sha256)
    found = pairing(G2, decompress_G1(int(signature, 16)), False) * pairing(on_g2(QUICKNET.key), neg(message), False)
    return bool(final_exponentiate(found) == FQ12.one())


def chained(number: int, signature: str, before: str) -> bool:
    """The default chain: signatures on the second curve, over the one before."""
    said = hashlib.sha256(bytes.fromhex(before) + struct.pack(">Q", number)).digest()
    message = hash_to_G2(said, beacon.TAG_G2, hashlib.sha256)
    key = decompress_G1(int(DEFAULT.key, 16))
    found = pairing(on_g2(signature), neg(G1), False) * pairing(message, key, False)
    return bool(final_exponentiate(found) == FQ12.one())


def main() -> int:
    wrong = 0
    for number, signature in ROUNDS.items():
        good = unchained(number, signature) and not unchained(number + 1, signature)
        print(f"quicknet {number}: {'as published' if good else 'DIFFERS'}")
        wrong += not good
    for number, (signature, before) in CHAINED.items():
        good = chained(number, signature, before) and not chained(number + 1, signature, before)
        print(f"default {number}: {'as published' if good else 'DIFFERS'}")
        wrong += not good
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
