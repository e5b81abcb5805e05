"""Keys, signatures and key files.

Expected values come from RFC 8032, from FORMAT.md's golden vectors, from `ssh-keygen`, or from the curve arithmetic
below, which is written with affine coordinates and plain integers so that it shares nothing with the code under test.
"""

from __future__ import annotations

import base64
import hashlib
import shutil
import struct
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem import keys
from pbem.errors import PbemError, Refused, Trouble, WrongUse
from pbem.keys import EVENT, NAMESPACES, SLIP, STATEMENT, SigningKey, VerifyKey

VECTORS = Path(__file__).parent / "vectors" / "keys"
RFC_8032 = tomllib.loads((VECTORS / "rfc8032.toml").read_text())["case"]
GOLDEN = tomllib.loads((VECTORS / "golden.toml").read_text())
MESSAGE = b'{"v":1}'


def what(case: dict[str, str]) -> str:
    return case["what"]


# Curve arithmetic by hand: affine twisted Edwards, a = -1 [RFC 8032, 5.1]

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Point = tuple[int, int]
IDENTITY: Point = (0, 1)


def plus(p: Point, q: Point) -> Point:
    (x1, y1), (x2, y2) = p, q
    t = D * x1 * x2 * y1 * y2
    return (x1 * y2 + y1 * x2) * pow(1 + t, -1, P) % P, (y1 * y2 + x1 * x2) * pow(1 - t, -1, P) % P


def times(n: int, p: Point) -> Point:
    out = IDENTITY
    while n:
        if n & 1:
            out = plus(out, p)
        p, n = plus(p, p), n >> 1
    return out


def lift(y: int) -> Point | None:
    """A point with this y, the one with even x; None if there is none."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    root = pow(square, (P + 3) // 8, P)
    for x in (root, root * pow(2, (P - 1) // 4, P) % P):
        if x * x % P == square:
            return (x if x % 2 == 0 else P - x), y
    return None


def spelled(y: int, sign: int) -> bytes:
    return (y | sign << 255).to_bytes(32, "little")


def encoded(p: Point) -> bytes:
    return spelled(p[1], p[0] & 1)


def read_int(data: bytes) -> int:
    return int.from_bytes(data, "little")


def base_point() -> Point:
    point = lift(4 * pow(5, -1, P) % P)
    assert point is not None
    return point


def torsion() -> list[Point]:
    """The eight points of small order, the identity first."""
    for y in range(2, 100):
        point = lift(y)
        small = times(L, point) if point else IDENTITY
        if times(4, small) != IDENTITY:
            return [times(k, small) for k in range(8)]
    raise AssertionError("no point of order 8")


B = base_point()
TORSION = torsion()


def secret_scalar(seed: bytes) -> int:
    return read_int(hashlib.sha512(seed).digest()[:32]) & (2**254 - 8) | 2**254


def challenge(r: bytes, public: bytes, message: bytes) -> int:
    return read_int(hashlib.sha512(r + public + message).digest()) % L


def signed_by_hand(seed: bytes, message: bytes, nonce: int | None = None) -> bytes:
    """Ed25519 [RFC 8032, 5.1.6] over the bare message, with the standard's nonce or another."""
    a = secret_scalar(seed)
    if nonce is None:
        nonce = read_int(hashlib.sha512(hashlib.sha512(seed).digest()[32:] + message).digest()) % L
    r = encoded(times(nonce, B))
    s = (nonce + challenge(r, encoded(times(a, B)), message) * a) % L
    return r + s.to_bytes(32, "little")


def with_s(signature: bytes, s: int) -> bytes:
    return signature[:32] + s.to_bytes(32, "little")


# Fixtures

SEED = bytes(range(32))
RED = SigningKey.from_seed(bytes([1]) * 32)


def never_asked() -> str:
    raise AssertionError("the passphrase was asked for")


def says(passphrase: str) -> Callable[[], str]:
    return lambda: passphrase


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cheap locks: what they cost is not under test."""
    monkeypatch.setattr(keys, "BCRYPT_ROUNDS", 1)
    monkeypatch.setattr(keys, "SCRYPT_N", keys.MIN_SCRYPT_N)


@pytest.fixture
def without_bcrypt(monkeypatch: pytest.MonkeyPatch, quick: None) -> None:
    monkeypatch.setitem(sys.modules, "bcrypt", None)


def refused(code: str, act: Callable[..., object], *args: object) -> Refused:
    with pytest.raises(Refused) as caught:
        act(*args)
    assert caught.value.code == code
    return caught.value


def trouble(data: bytes, ask: Callable[[], str] | None = never_asked) -> Trouble:
    with pytest.raises(Trouble) as caught:
        keys.read_private(data, ask)
    assert caught.value.hint
    return caught.value


# RFC 8032, section 7.1


@pytest.mark.parametrize("case", RFC_8032, ids=what)
def test_rfc_8032(case: dict[str, str]) -> None:
    seed, public, message, signature = (bytes.fromhex(case[k]) for k in ("seed", "public", "message", "signature"))
    assert SigningKey.from_seed(seed).public == public
    assert keys.admissible(public)
    assert Ed25519PrivateKey.from_private_bytes(seed).sign(message) == signature
    Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    assert signed_by_hand(seed, message) == signature  # the arithmetic of this file is sound


def test_sshsig_signature_is_ed25519_over_the_preamble() -> None:
    expected = signed_by_hand(SEED, keys.to_be_signed(EVENT, MESSAGE))
    assert SigningKey.from_seed(SEED).sign(EVENT, MESSAGE) == expected


def test_preamble_byte_for_byte() -> None:
    digest = hashlib.sha512(MESSAGE).digest()
    expected = b"SSHSIG\0\0\0\x0devent.v1@pbem\0\0\0\0\0\0\0\x06sha512\0\0\0\x40" + digest
    assert keys.to_be_signed(EVENT, MESSAGE) == expected


def test_each_purpose_has_a_word_of_its_own() -> None:
    words = ("charter", "entry", "event", "statement", "slip", "receipt", "witness", "rekey", "notice")
    assert tuple(f"{word}.v1@pbem" for word in words) == NAMESPACES
    assert len({RED.sign(namespace, MESSAGE) for namespace in NAMESPACES}) == len(NAMESPACES)


# Golden vectors

SEEDS = {"red": bytes([1]) * 32, "blue": bytes([2]) * 32}


@pytest.mark.parametrize("seat", ["red", "blue"])
def test_golden_public_keys(seat: str) -> None:
    assert SigningKey.from_seed(SEEDS[seat]).public.hex() == GOLDEN["public"][seat]


@pytest.mark.parametrize("case", GOLDEN["signed"], ids=what)
def test_golden_signatures(case: dict[str, str]) -> None:
    namespace, message, signature = case["namespace"], case["message"].encode(), bytes.fromhex(case["signature"])
    assert SigningKey.from_seed(SEEDS[case["seat"]]).sign(namespace, message) == signature
    VerifyKey(bytes.fromhex(GOLDEN["public"][case["seat"]])).check(namespace, message, signature)


# Signatures that must not pass


def good() -> tuple[VerifyKey, bytes]:
    return VerifyKey(RED.public), RED.sign(EVENT, MESSAGE)


def test_any_single_flipped_bit_is_refused() -> None:
    key, signature = good()
    key.check(EVENT, MESSAGE, signature)
    for bit in range(len(signature) * 8):
        changed = bytearray(signature)
        changed[bit // 8] ^= 1 << bit % 8
        refused("E_SIG", key.check, EVENT, MESSAGE, bytes(changed))
    for bit in range(len(MESSAGE) * 8):
        other = bytearray(MESSAGE)
        other[bit // 8] ^= 1 << bit % 8
        refused("E_SIG", key.check, EVENT, bytes(other), signature)


def test_another_purpose_is_refused() -> None:
    key, signature = good()
    for namespace in NAMESPACES:
        if namespace != EVENT:
            refused("E_SIG", key.check, namespace, MESSAGE, signature)


def test_another_key_is_refused() -> None:
    refused("E_SIG", VerifyKey(SigningKey.new().public).check, EVENT, MESSAGE, RED.sign(EVENT, MESSAGE))


def test_bare_signature_is_refused() -> None:
    for seed in SEEDS.values():
        key = VerifyKey(SigningKey.from_seed(seed).public)
        bare = Ed25519PrivateKey.from_private_bytes(seed)
        refused("E_SIG", key.check, EVENT, MESSAGE, bare.sign(MESSAGE))
        refused("E_SIG", key.check, EVENT, MESSAGE, bare.sign(hashlib.sha512(MESSAGE).digest()))


def test_malleated_signature_is_refused() -> None:
    key, signature = good()
    s = read_int(signature[32:])
    for k in range(1, 16):
        if s + k * L < 2**256:
            refused("E_SIG", key.check, EVENT, MESSAGE, with_s(signature, s + k * L))


def test_second_signature_by_the_owner_passes() -> None:
    """Signatures are not unique: the owner of a key can make any number, so nothing may be derived from one."""
    key, first = good()
    signed = keys.to_be_signed(EVENT, MESSAGE)
    second = signed_by_hand(SEEDS["red"], signed, nonce=123456789)
    assert second != first
    key.check(EVENT, MESSAGE, second)


def edge_cases() -> dict[str, bytes]:
    """Signatures of the kinds in Wycheproof's collection, none of them valid."""
    signature = RED.sign(EVENT, MESSAGE)
    r, s = signature[:32], signature[32:]
    zero, one = bytes(32), spelled(1, 0)
    return {
        "empty": b"",
        "one byte": signature[:1],
        "r only": r,
        "truncated by one": signature[:-1],
        "one byte too many": signature + b"\0",
        "prepended byte": b"\0" + signature,
        "twice": signature * 2,
        "all zero": bytes(64),
        "all ones": b"\xff" * 64,
        "s zero": r + zero,
        "s one": r + one,
        "s is L": with_s(signature, L),
        "s is L - 1": with_s(signature, L - 1),
        "s is L + 1": with_s(signature, L + 1),
        "s is 2^256 - 1": with_s(signature, 2**256 - 1),
        "s with the top bit set": with_s(signature, read_int(s) | 2**255),
        "s negated": with_s(signature, L - read_int(s)),
        "r identity": one + s,
        "r zero": zero + s,
        "r is p": spelled(P, 0) + s,
        "r with the other sign": r[:31] + bytes([r[31] ^ 0x80]) + s,
        "r and s swapped": s + r,
        "s big-endian": r + s[::-1],
        "hex": signature.hex().encode(),
        "of another message": RED.sign(EVENT, MESSAGE + b" "),
    }


@pytest.mark.parametrize("name", edge_cases())
def test_edge_cases_are_refused(name: str) -> None:
    key, _ = good()
    refused("E_SIG", key.check, EVENT, MESSAGE, edge_cases()[name])


@pytest.mark.parametrize(
    ("r", "passes"),
    [(spelled(1, 0), True), (spelled(1, 1), False), (spelled(P + 1, 0), False), (spelled(P + 1, 1), False)],
    ids=["identity", "identity -0", "identity as p+1", "identity as p+1, -0"],
)
def test_r_has_one_spelling(r: bytes, passes: bool) -> None:
    """Nonce 0 gives R = identity and S = challenge * a: valid, but only in R's canonical spelling."""
    key, _ = good()
    s = challenge(r, RED.public, keys.to_be_signed(EVENT, MESSAGE)) * secret_scalar(SEEDS["red"]) % L
    signature = r + s.to_bytes(32, "little")
    if passes:
        key.check(EVENT, MESSAGE, signature)
    else:
        refused("E_SIG", key.check, EVENT, MESSAGE, signature)


def test_r_of_mixed_order_is_refused() -> None:
    """R + T passes only a verifier that multiplies by the cofactor; `ssh-keygen` does not, and we must agree."""
    key, _ = good()
    for small in TORSION[1:]:
        r = encoded(plus(times(777, B), small))
        h = challenge(r, RED.public, keys.to_be_signed(EVENT, MESSAGE))
        s = (777 + h * secret_scalar(SEEDS["red"])) % L
        refused("E_SIG", key.check, EVENT, MESSAGE, r + s.to_bytes(32, "little"))


# Admission


def test_honest_keys_are_admitted() -> None:
    for _ in range(50):
        keys.admit(SigningKey.new().public)


def test_small_order_is_refused() -> None:
    assert len(set(TORSION)) == 8
    for point in TORSION:
        assert "small order" in str(refused("E_WEAKKEY", keys.admit, encoded(point)))


def test_non_canonical_spellings_are_refused() -> None:
    for y in range(19):  # y + p still fits into 255 bits
        for sign in (0, 1):
            assert "one encoding" in str(refused("E_WEAKKEY", keys.admit, spelled(y + P, sign)))
    for y in (1, P - 1):  # the two points with x = 0, spelled with x = "-0"
        assert "one encoding" in str(refused("E_WEAKKEY", keys.admit, spelled(y, 1)))


def test_mixed_order_is_refused() -> None:
    honest = times(secret_scalar(SEED), B)
    assert keys.admissible(encoded(honest))
    for small in TORSION[1:]:
        assert "mixed order" in str(refused("E_WEAKKEY", keys.admit, encoded(plus(honest, small))))


def test_off_curve_is_refused() -> None:
    off = [y for y in range(2, 100) if lift(y) is None]
    assert len(off) > 20
    for y in off:
        for sign in (0, 1):
            assert "point on the curve" in str(refused("E_WEAKKEY", keys.admit, spelled(y, sign)))


@pytest.mark.parametrize("length", [0, 1, 31, 33, 64])
def test_wrong_length_is_refused(length: int) -> None:
    raw = (RED.public * 2)[:length]
    refused("E_WEAKKEY", keys.admit, raw)
    refused("E_WEAKKEY", VerifyKey, raw)
    assert not keys.admissible(raw)


def test_every_point_of_prime_order_is_admitted_whatever_its_sign() -> None:
    for n in (1, 2, 3, L - 1, L - 2):
        point = times(n, B)
        assert keys.admissible(encoded(point))
        decoded = keys._decode(encoded(point))
        assert decoded is not None
        assert decoded[:2] == point


@settings(max_examples=60, deadline=None, database=None)
@given(st.binary(min_size=32, max_size=32))
def test_admission_agrees_with_affine_arithmetic(raw: bytes) -> None:
    y = read_int(raw) % 2**255
    point = lift(y) if y < P else None
    expected = point is not None and point not in TORSION and times(L, point) == IDENTITY
    assert keys.admissible(raw) == expected
    if point is not None and point not in TORSION:
        assert keys.admissible(encoded(times(8, point)))


def test_why_admission_is_mandatory() -> None:
    """Under the identity point one signature fits every message; loading such a key does not stop it."""
    universal = encoded(IDENTITY) + bytes(32)
    try:
        key = VerifyKey(encoded(IDENTITY))
        for number in range(20):
            key.check(EVENT, f"message {number}".encode(), universal)
    except Refused:
        pytest.skip("this build of OpenSSL refuses the identity point by itself")
    assert not keys.admissible(key.raw)


# Text forms


def test_public_line_round_trip() -> None:
    for comment in ("", "red@home", "two words", "Zoë"):
        line = keys.openssh_public(RED.public, comment)
        assert "\n" not in line
        assert keys.read_openssh_public(line) == RED.public
        assert keys.read_openssh_public(f"  {line}\r\n") == RED.public


@pytest.mark.parametrize("comment", ["two\nlines", "esc\x1b[2J", "a\u2028b", "nul\0"])
def test_comment_is_one_printable_line(comment: str) -> None:
    with pytest.raises(WrongUse):
        keys.openssh_public(RED.public, comment)


def ssh_string(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


def public_line(*parts: bytes, named: str = "ssh-ed25519") -> str:
    return f"{named} {base64.b64encode(b''.join(map(ssh_string, parts))).decode()}"


BAD_PUBLIC = {
    "empty": "",
    "white space": " \n ",
    "junk": "hello there",
    "surrogate": "\ud800",
    "type only": "ssh-ed25519",
    "no base64": "ssh-ed25519 !!!!",
    "not ascii": "ssh-ed25519 ÄÄÄÄ",
    "short": public_line(b"ssh-ed25519", RED.public[:31]),
    "long": public_line(b"ssh-ed25519", RED.public + b"\0"),
    "third field": public_line(b"ssh-ed25519", RED.public, b""),
    "other type inside": public_line(b"ssh-rsa", RED.public),
    "rsa": public_line(b"ssh-rsa", b"\1\0\1", bytes(256), named="ssh-rsa"),
    "token": public_line(b"sk-ssh-ed25519@openssh.com", RED.public, b"ssh:", named="sk-ssh-ed25519@openssh.com"),
    "two lines": keys.openssh_public(RED.public) + "\n" + keys.openssh_public(RED.public),
    "options": 'command="ls" ' + keys.openssh_public(RED.public),
    "private": keys.write_private(RED, None).decode(),
}


@pytest.mark.parametrize("name", BAD_PUBLIC)
def test_other_public_keys_are_refused(name: str) -> None:
    with pytest.raises(Trouble) as caught:
        keys.read_openssh_public(BAD_PUBLIC[name])
    assert caught.value.hint
    assert "\x1b" not in str(caught.value)


def test_refusal_names_type_but_never_echoes_controls() -> None:
    with pytest.raises(Trouble, match=r"of type ssh-rsa, not ssh-ed25519"):
        keys.read_openssh_public(BAD_PUBLIC["rsa"])
    with pytest.raises(Trouble, match="not an OpenSSH key"):
        keys.read_openssh_public("ssh-\x1b[2J AAAA")


def test_truncated_public_lines_are_refused() -> None:
    line = keys.openssh_public(RED.public)
    for end in range(len(line)):
        with pytest.raises(Trouble):
            keys.read_openssh_public(line[:end])


def test_fingerprint_is_sha256_of_the_public_blob() -> None:
    blob = base64.b64decode(keys.openssh_public(RED.public).split()[1])
    assert base64.b64decode(keys.fingerprint(RED.public).removeprefix("SHA256:") + "=") == hashlib.sha256(blob).digest()


def test_repr_shows_no_secret() -> None:
    assert repr(RED) == f"SigningKey({keys.fingerprint(RED.public)})"
    assert repr(VerifyKey(RED.public)) == f"VerifyKey({keys.fingerprint(RED.public)})"


@pytest.mark.parametrize("seat", ["", "*", "red,blue", "Red", "red blue", "red\n", "!red", "a" * 17])
def test_allowed_signer_is_one_seat(seat: str) -> None:
    with pytest.raises(WrongUse):
        keys.allowed_signers_line(seat, RED.public, [EVENT])


# Private key files


def test_plain_file_round_trip() -> None:
    key = SigningKey.from_seed(SEED)
    data = keys.write_private(key, None)
    assert data.startswith(b"-----BEGIN OPENSSH PRIVATE KEY-----\n")
    assert keys.read_private(data, None).public == key.public
    again = keys.read_private(b"\r\n" + data.replace(b"\n", b"\r\n"), never_asked)
    assert again.sign(EVENT, MESSAGE) == key.sign(EVENT, MESSAGE)


@pytest.mark.parametrize("passphrase", ["x", "correct horse", "pässwörd ✓", "a" * 1023])
@pytest.mark.usefixtures("quick")
def test_locked_openssh_file_round_trip(passphrase: str) -> None:
    data = keys.write_private(RED, passphrase)
    assert data.startswith(b"-----BEGIN OPENSSH PRIVATE KEY-----\n")
    assert keys.read_private(data, says(passphrase)).sign(EVENT, MESSAGE) == RED.sign(EVENT, MESSAGE)


@pytest.mark.parametrize("passphrase", ["x", "correct horse", "pässwörd ✓", "a" * 1023])
@pytest.mark.usefixtures("without_bcrypt")
def test_own_file_round_trip(passphrase: str) -> None:
    data = keys.write_private(RED, passphrase)
    assert data.startswith(b"PBEM-KEY 1 scrypt n=")
    assert keys.read_private(data, says(passphrase)).sign(EVENT, MESSAGE) == RED.sign(EVENT, MESSAGE)
    assert keys.read_private(data.replace(b"\n", b"\r\n"), says(passphrase)).public == RED.public


def test_own_file_at_full_cost_as_documented(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opened with other tools from the format's description alone."""
    monkeypatch.setitem(sys.modules, "bcrypt", None)
    header, sealed = keys.write_private(SigningKey.from_seed(SEED), "secret").splitlines()
    word = dict(part.split("=") for part in header.decode().split()[3:])
    assert (word["n"], word["r"], word["p"]) == ("131072", "8", "1")
    assert word["public"] == SigningKey.from_seed(SEED).public.hex()
    salt, nonce = bytes.fromhex(word["salt"]), bytes.fromhex(word["nonce"])
    stretched = hashlib.scrypt(b"secret", salt=salt, n=2**17, r=8, p=1, dklen=32, maxmem=2**28)
    assert ChaCha20Poly1305(stretched).decrypt(nonce, bytes.fromhex(sealed.decode()), header) == SEED


@pytest.mark.usefixtures("without_bcrypt")
def test_salt_and_nonce_are_fresh() -> None:
    one, two = (keys.write_private(RED, "x").split() for _ in range(2))
    assert [a == b for a, b in zip(one[6:], two[6:], strict=True)] == [False, False, True, False]


@pytest.mark.parametrize("passphrase", ["", "a" * 1024, "\ud800"])
def test_passphrases_that_cannot_be(passphrase: str) -> None:
    with pytest.raises(WrongUse):
        keys.write_private(RED, passphrase)


@pytest.mark.parametrize("form", ["openssh", "own"])
def test_wrong_passphrase(form: str, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue("quick" if form == "openssh" else "without_bcrypt")
    data = keys.write_private(RED, "right")
    assert "passphrase is wrong" in str(trouble(data, says("Right")))
    assert "no passphrase was given" in str(trouble(data, says("")))
    assert "no passphrase was given" in str(trouble(data, None))
    with pytest.raises(WrongUse):
        keys.read_private(data, says("\ud800"))


@pytest.mark.usefixtures("quick")
def test_locked_openssh_file_without_bcrypt(monkeypatch: pytest.MonkeyPatch) -> None:
    data = keys.write_private(RED, "x")
    monkeypatch.setitem(sys.modules, "bcrypt", None)
    assert "pbem[ssh]" in trouble(data).hint
    assert keys.read_private(keys.write_private(RED, None), None).public == RED.public


@pytest.mark.parametrize("form", ["plain", "openssh", "own"])
def test_truncated_files(form: str, request: pytest.FixtureRequest) -> None:
    """Wherever a file is cut, it is refused before anybody is asked for a passphrase."""
    request.getfixturevalue("without_bcrypt" if form == "own" else "quick")
    data = keys.write_private(RED, None if form == "plain" else "x").rstrip()
    for end in range(len(data)):
        trouble(data[:end])


JUNK = {
    "empty": b"",
    "zeros": bytes(100),
    "text": b"my key is under the mat",
    "label only": b"-----BEGIN OPENSSH PRIVATE KEY-----",
    "no blob": b"-----BEGIN OPENSSH PRIVATE KEY-----\n-----END OPENSSH PRIVATE KEY-----\n",
    "bad base64": b"-----BEGIN OPENSSH PRIVATE KEY-----\nAAA\n-----END OPENSSH PRIVATE KEY-----\n",
    "magic only": b"-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n-----END OPENSSH PRIVATE KEY-----\n",
    "pkcs8": b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
    "putty": b"PuTTY-User-Key-File-3: ssh-ed25519\n",
    "public": keys.openssh_public(RED.public).encode(),
    "own mark only": b"PBEM-KEY 1",
    "own later version": b"PBEM-KEY 2 argon2 m=1\n00\n",
    "huge": b"-----BEGIN OPENSSH PRIVATE KEY-----\n" + b"A" * 10**7,
}


@pytest.mark.parametrize("name", JUNK)
def test_junk(name: str) -> None:
    trouble(JUNK[name])


def test_size_is_bounded() -> None:
    assert "too large" in str(trouble(JUNK["huge"]))
    assert keys.read_private(keys.write_private(RED, None).ljust(keys.MAX_FILE), None).public == RED.public


def blob_of(data: bytes) -> bytes:
    return base64.b64decode(b"".join(data.split(b"-----")[2].split()))


def file_of(blob: bytes) -> bytes:
    inner = base64.encodebytes(blob)
    return b"-----BEGIN OPENSSH PRIVATE KEY-----\n" + inner + b"-----END OPENSSH PRIVATE KEY-----\n"


def replaced(data: bytes, old: bytes, new: bytes, count: int = -1) -> bytes:
    blob = blob_of(data)
    assert old in blob
    return file_of(blob.replace(old, new, count))


def test_halves_that_do_not_belong_together() -> None:
    data = keys.write_private(SigningKey.from_seed(SEED), None)
    other = SigningKey.new().public
    assert "do not belong together" in str(trouble(replaced(data, SEED, bytes(32))))
    assert "do not belong together" in str(trouble(replaced(data, SigningKey.from_seed(SEED).public, other)))
    trouble(replaced(data, SigningKey.from_seed(SEED).public, other, 1))


def test_patched_openssh_envelopes() -> None:
    data = keys.write_private(RED, None)
    none = ssh_string(b"none")
    count = ssh_string(b"") + struct.pack(">I", 1)
    assert keys.read_private(file_of(blob_of(data)), None).public == RED.public
    for patched in (
        replaced(data, count, ssh_string(b"") + struct.pack(">I", 2)),
        replaced(data, count, ssh_string(b"") + struct.pack(">I", 0)),
        replaced(data, none + none, ssh_string(b"aes256-ctr") + none),
        replaced(data, none + none, none + ssh_string(b"bcrypt")),
        replaced(data, none + none, b"\xff\xff\xff\xff" + none),
        replaced(data, ssh_string(RED.public), ssh_string(RED.public[:31])),
        replaced(data, b"openssh-key-v1", b"openssh-key-v2"),
        file_of(blob_of(data) + b"\0"),
    ):
        assert "damaged" in str(trouble(patched))


def test_other_key_types_in_openssh_envelopes() -> None:
    data = keys.write_private(RED, None)
    assert "ssh-ed25518" in str(trouble(replaced(data, b"ssh-ed25519", b"ssh-ed25518")))
    assert "not an OpenSSH key" in str(trouble(replaced(data, b"ssh-ed25519", b"ssh-\x1b[2J\0\0\0")))


@pytest.mark.usefixtures("quick")
def test_absurd_bcrypt_rounds_are_refused_unasked() -> None:
    data = keys.write_private(RED, "x")
    salt = blob_of(data).split(b"bcrypt")[1][8:24]

    def rounds(n: int) -> bytes:
        return replaced(data, salt + struct.pack(">I", 1), salt + struct.pack(">I", n))

    assert keys.read_private(rounds(1), says("x")).public == RED.public
    assert "rounds" in str(trouble(rounds(2**32 - 1)))
    assert "rounds" in str(trouble(rounds(1025)))
    assert "damaged" in str(trouble(rounds(0)))


@pytest.mark.parametrize(
    "cost",
    [
        "n=8192 r=8 p=1",
        "n=524288 r=8 p=1",
        "n=1073741824 r=8 p=1",
        "n=131073 r=8 p=1",
        "n=131072 r=1024 p=1",
        "n=131072 r=1 p=1",
        "n=131072 r=8 p=1000",
        "n=0 r=8 p=1",
        "n=131072 r=0 p=1",
        "n=-131072 r=8 p=1",
        "n=99999999999999999999 r=8 p=1",
        f"n={'9' * 5000} r=8 p=1",
        "n=0131072 r=8 p=1",
    ],
)
def test_absurd_scrypt_cost_is_refused_unasked(cost: str) -> None:
    header = f"PBEM-KEY 1 scrypt {cost} salt={'00' * 16} nonce={'00' * 12} public={RED.public.hex()}"
    trouble(f"{header}\n{'00' * 48}\n".encode())


@pytest.mark.usefixtures("without_bcrypt")
def test_header_of_own_file_is_authenticated() -> None:
    data = keys.write_private(RED, "x")
    assert b"n=16384 " in data
    for old, new in ((b"n=16384", b"n=32768"), (RED.public.hex().encode(), SigningKey.new().public.hex().encode())):
        assert "passphrase is wrong" in str(trouble(data.replace(old, new), says("x")))
    for field in (b"salt=", b"nonce=", b"\n"):
        at = data.index(field) + len(field)
        changed = data[:at] + (b"0" if data[at : at + 1] != b"0" else b"1") + data[at + 1 :]
        assert "passphrase is wrong" in str(trouble(changed, says("x")))


@pytest.mark.usefixtures("without_bcrypt")
def test_own_file_whose_author_lied_about_the_public_key() -> None:
    header = f"PBEM-KEY 1 scrypt n=16384 r=8 p=1 salt={'00' * 16} nonce={'00' * 12} public={RED.public.hex()}"
    stretched = hashlib.scrypt(b"x", salt=bytes(16), n=2**14, r=8, p=1, dklen=32)
    sealed = ChaCha20Poly1305(stretched).encrypt(bytes(12), SEED, header.encode()).hex()
    assert "do not belong together" in str(trouble(f"{header}\n{sealed}\n".encode(), says("x")))


@pytest.mark.usefixtures("without_bcrypt")
def test_too_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def derive(*_: object) -> bytes:
        raise MemoryError

    data = keys.write_private(RED, "x")
    monkeypatch.setattr("cryptography.hazmat.primitives.kdf.scrypt.Scrypt.derive", derive, raising=True)
    assert "16 MB" in str(trouble(data, says("x")))


PLAIN = keys.write_private(RED, None)


@settings(max_examples=300, deadline=None, database=None)
@given(st.integers(0, len(blob_of(PLAIN)) * 8 - 1))
def test_flipped_bits_yield_the_key_or_trouble(bit: int) -> None:
    blob = bytearray(blob_of(PLAIN))
    blob[bit // 8] ^= 1 << bit % 8
    try:
        key = keys.read_private(file_of(bytes(blob)), never_asked)
    except Trouble:
        return
    assert key.public == RED.public


@settings(max_examples=200, deadline=None, database=None)
@given(st.binary(max_size=300), st.sampled_from([b"", b"PBEM-KEY 1 ", b"-----BEGIN OPENSSH PRIVATE KEY-----\n"]))
@example(b"\xff" * 200, b"PBEM-KEY 1 scrypt n=")
def test_hostile_files_raise_nothing_else(tail: bytes, start: bytes) -> None:
    with pytest.raises(PbemError):
        keys.read_private(start + tail, None)
    with pytest.raises(PbemError):
        keys.read_private(file_of(b"openssh-key-v1\0" + tail), None)
    with pytest.raises(PbemError):
        keys.read_openssh_public((start + tail).decode("latin-1"))


# OpenSSH itself

needs_ssh = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")


def ssh_keygen(*args: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["ssh-keygen", *map(str, args)], input=stdin, capture_output=True, check=False, timeout=60)


def made_by_openssh(folder: Path, *args: str, passphrase: str = "") -> Path:
    path = folder / "id"
    done = ssh_keygen("-q", "-N", passphrase, "-C", "red@home", "-f", path, *args)
    assert done.returncode == 0, done.stderr
    return path


def stored(path: Path, data: bytes | str) -> Path:
    path.touch(0o600)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


@needs_ssh
def test_reads_keys_of_openssh(tmp_path: Path) -> None:
    path = made_by_openssh(tmp_path, "-t", "ed25519")
    public_text = path.with_suffix(".pub").read_text()
    key = keys.read_private(path.read_bytes(), never_asked)
    assert key.public == keys.read_openssh_public(public_text)
    assert keys.openssh_public(key.public, "red@home") + "\n" == public_text
    assert keys.fingerprint(key.public) == ssh_keygen("-l", "-f", path).stdout.split()[1].decode()


@needs_ssh
@pytest.mark.parametrize("cipher", ["aes256-ctr", "aes256-cbc", "aes256-gcm@openssh.com"])
def test_reads_locked_keys_of_openssh(tmp_path: Path, cipher: str) -> None:
    path = made_by_openssh(tmp_path, "-t", "ed25519", "-Z", cipher, "-a", "2", passphrase="pass phrase")
    data = path.read_bytes()
    expected = keys.read_openssh_public(path.with_suffix(".pub").read_text())
    assert keys.read_private(data, says("pass phrase")).public == expected
    assert "passphrase is wrong" in str(trouble(data, says("pass")))


@needs_ssh
def test_unsupported_cipher_of_openssh(tmp_path: Path) -> None:
    args = ("-t", "ed25519", "-Z", "chacha20-poly1305@openssh.com", "-a", "1")
    path = made_by_openssh(tmp_path, *args, passphrase="pass phrase")
    assert "-Z aes256-ctr" in trouble(path.read_bytes(), says("pass phrase")).hint


@needs_ssh
@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("-t", "rsa", "-b", "2048"), "of type ssh-rsa"),
        (("-t", "ecdsa"), "of type ecdsa-sha2-nistp256"),
        (("-t", "rsa", "-b", "2048", "-m", "PEM"), "not in OpenSSH's form"),
    ],
    ids=["rsa", "ecdsa", "rsa in PEM"],
)
def test_other_keys_of_openssh(tmp_path: Path, args: tuple[str, ...], words: str) -> None:
    path = made_by_openssh(tmp_path, *args)
    assert words in str(trouble(path.read_bytes()))
    with pytest.raises(Trouble, match="not ssh-ed25519"):
        keys.read_openssh_public(path.with_suffix(".pub").read_text())


@needs_ssh
@pytest.mark.parametrize("passphrase", [None, "pass phrase"])
@pytest.mark.usefixtures("quick")
def test_openssh_reads_our_keys(tmp_path: Path, passphrase: str | None) -> None:
    path = stored(tmp_path / "id", keys.write_private(RED, passphrase))
    done = ssh_keygen("-y", "-P", passphrase or "", "-f", path)
    assert done.returncode == 0, done.stderr
    assert keys.read_openssh_public(done.stdout.decode()) == RED.public
    if passphrase:
        assert ssh_keygen("-y", "-P", "wrong", "-f", path).returncode != 0


@needs_ssh
def test_openssh_signs_the_same_bytes(tmp_path: Path) -> None:
    path = stored(tmp_path / "id", keys.write_private(RED, None))
    done = ssh_keygen("-Y", "sign", "-n", SLIP, "-f", path, stdin=MESSAGE)
    assert done.returncode == 0, done.stderr
    assert keys.armor(RED.public, RED.sign(SLIP, MESSAGE), SLIP) == done.stdout.decode()


def openssh_accepts(
    folder: Path, signers: str, armored: str, namespace: str, message: bytes, seat: str = "red"
) -> bool:
    signature = stored(folder / "line.sig", armored)
    allowed = stored(folder / "allowed_signers", signers + "\n")
    args: tuple[Any, ...] = ("-Y", "verify", "-n", namespace, "-f", allowed, "-I", seat, "-s", signature)
    return ssh_keygen(*args, stdin=message).returncode == 0


@needs_ssh
def test_openssh_verifies_our_signatures(tmp_path: Path) -> None:
    signers = keys.allowed_signers_line("red", RED.public, [EVENT, SLIP])
    armored = keys.armor(RED.public, RED.sign(EVENT, MESSAGE), EVENT)
    assert openssh_accepts(tmp_path, signers, armored, EVENT, MESSAGE)
    assert not openssh_accepts(tmp_path, signers, armored, EVENT, MESSAGE[:-1] + b"]")
    assert not openssh_accepts(tmp_path, signers, armored, SLIP, MESSAGE)
    assert not openssh_accepts(tmp_path, signers, armored, EVENT, MESSAGE, seat="blue")


@needs_ssh
def test_openssh_keeps_to_the_purposes_of_the_line(tmp_path: Path) -> None:
    armored = keys.armor(RED.public, RED.sign(STATEMENT, MESSAGE), STATEMENT)
    narrow = keys.allowed_signers_line("red", RED.public, [EVENT])
    wide = keys.allowed_signers_line("red", RED.public, [EVENT, STATEMENT])
    assert not openssh_accepts(tmp_path, narrow, armored, STATEMENT, MESSAGE)
    assert openssh_accepts(tmp_path, wide, armored, STATEMENT, MESSAGE)


@needs_ssh
def test_openssh_verifies_the_golden_vectors(tmp_path: Path) -> None:
    for case in GOLDEN["signed"]:
        raw = bytes.fromhex(GOLDEN["public"][case["seat"]])
        signers = keys.allowed_signers_line(case["seat"], raw, [case["namespace"]])
        armored = keys.armor(raw, bytes.fromhex(case["signature"]), case["namespace"])
        message = case["message"].encode()
        assert openssh_accepts(tmp_path, signers, armored, case["namespace"], message, case["seat"])
