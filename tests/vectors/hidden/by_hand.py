"""The values of this folder, computed from FORMAT.md, RFC 7748 and RFC 8439 alone: no line of the program is used.

    python tests/vectors/hidden/by_hand.py

It prints each file's expected values; the tests compare them with the files, and the program with both.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
P = 2**255 - 19


def parts(tag: str, given: tuple[str | bytes | int, ...]) -> bytes:
    """Tag, zero byte, and every part behind its length."""
    out = tag.encode() + b"\0"
    for part in given:
        data = part.to_bytes(8, "big") if isinstance(part, int) else part.encode() if isinstance(part, str) else part
        out += len(data).to_bytes(4, "big") + data
    return out


def h(tag: str, *given: str | bytes | int) -> bytes:
    return hashlib.sha256(parts(tag, given)).digest()


def k(key: bytes, tag: str, *given: str | bytes | int) -> bytes:
    return hmac.new(key, parts(tag, given), "sha256").digest()


def x25519(scalar: bytes, u: bytes) -> bytes:
    """RFC 7748, section 5: the Montgomery ladder."""
    number = int.from_bytes(scalar, "little") & ~7 & ~(1 << 255) | 1 << 254
    x1 = int.from_bytes(u, "little") & (1 << 255) - 1
    x2, z2, x3, z3, swap = 1, 0, x1, 1, 0
    for t in reversed(range(255)):
        bit = number >> t & 1
        if swap ^ bit:
            x2, x3, z2, z3 = x3, x2, z3, z2
        swap = bit
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        da, cb, aa, bb = d * a, c * b, a * a, b * b
        x3, z3 = (da + cb) ** 2 % P, x1 * (da - cb) ** 2 % P
        e = aa - bb
        x2, z2 = aa * bb % P, e * (aa + 121665 * e) % P
    if swap:
        x2, z2 = x3, z3
    return (x2 * pow(z2, P - 2, P) % P).to_bytes(32, "little")


def chacha20(key: bytes, counter: int, nonce: bytes) -> bytes:
    """RFC 8439, section 2.3: one block."""
    state = [*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key), counter]
    state += struct.unpack("<3I", nonce)
    work = list(state)

    def quarter(a: int, b: int, c: int, d: int) -> None:
        for to, by, other, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            work[to] = work[to] + work[by] & 0xFFFFFFFF
            mixed = work[other] ^ work[to]
            work[other] = (mixed << turn | mixed >> 32 - turn) & 0xFFFFFFFF

    for _ in range(10):
        for i in range(4):
            quarter(i, i + 4, i + 8, i + 12)
        for i in range(4):
            quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    return struct.pack("<16I", *(one + two & 0xFFFFFFFF for one, two in zip(work, state, strict=True)))


def encrypt(key: bytes, nonce: bytes, data: bytes) -> bytes:
    """RFC 8439, section 2.8, without associated data: ciphertext and tag."""
    stream = b"".join(chacha20(key, 1 + i, nonce) for i in range(len(data) // 64 + 1))
    text = bytes(one ^ two for one, two in zip(data, stream, strict=False))
    once = chacha20(key, 0, nonce)
    r = int.from_bytes(once[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    total = 0
    for block in blocks(text):
        total = (total + int.from_bytes(block + b"\1", "little")) * r % (2**130 - 5)
    tag = (total + int.from_bytes(once[16:32], "little")) % 2**128
    return text + tag.to_bytes(16, "little")


def blocks(text: bytes) -> list[bytes]:
    padded = text + bytes(-len(text) % 16) + struct.pack("<2Q", 0, len(text))
    return [padded[i : i + 16] for i in range(0, len(padded), 16)]


def box(secret: bytes, recipient: bytes, data: bytes, info: bytes) -> bytes:
    own = x25519(secret, (9).to_bytes(32, "little"))
    shared = x25519(secret, recipient)
    made = hmac.new(own + recipient, shared, "sha256").digest()  # HKDF, RFC 5869
    return own + encrypt(hmac.new(made, info + b"\1", "sha256").digest(), bytes(12), data)


def expected() -> dict[str, dict[str, str]]:
    """What each file must say, by file and field."""
    given = {path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted(HERE.glob("*.toml"))}
    c, s, a, p, b = (given[name] for name in ("commitment", "slot", "salt", "private", "box"))
    raw = bytes.fromhex
    value = k(raw(p["secret"]), "pbem/v1/value", p["epoch"], p["number"])
    private = k(raw(b["recipient_master"]), "pbem/v1/box-key")
    public = x25519(private, (9).to_bytes(32, "little"))
    info = h("pbem/v1/box", raw(b["game"]), b["from"], b["to"])
    return {
        "commitment": {
            "hash": h("pbem/v1/commit", raw(c["game"]), c["seat"], c["name"], raw(c["salt"]), c["content"]).hex()
        },
        "slot": {
            "hash": h(
                "pbem/v1/slot", raw(s["game"]), s["name"], s["epoch"], s["number"], s["content"], raw(s["salt"])
            ).hex()
        },
        "salt": {
            "secret": (secret := k(raw(a["master"]), "pbem/v1/deck", a["name"])).hex(),
            "salt": k(secret, "pbem/v1/salt", a["epoch"], a["number"], a["seq"]).hex(),
        },
        "private": {
            "value": value.hex(),
            "seed": h("pbem/v1/private", raw(p["game"]), p["label"], value, raw(p["batch_seed"])).hex(),
        },
        "box": {
            "recipient_private": private.hex(),
            "recipient_public": public.hex(),
            "box": box(raw(b["ephemeral_private"]), public, b["data"].encode(), info).hex(),
        },
    }


if __name__ == "__main__":
    for name, values in expected().items():
        print(f"{name}.toml")
        for field, value in values.items():
            print(f'{field} = "{value}"')
