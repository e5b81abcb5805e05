"""Keys: who may sign, what a signature covers, and the files that keys live in (FORMAT.md, keys).

Ed25519 throughout. What is signed is the OpenSSH SSHSIG preamble with a namespace for each purpose: so
`ssh-keygen -Y verify` can check every line of a log, and no signature passes for an SSH login or for another purpose.
Work is on bytes and text only; files are written elsewhere. `cryptography` is loaded when first needed.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import struct
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from pbem.errors import Refused, Trouble, WrongUse

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

CHARTER = "charter.v1@pbem"
ENTRY = "entry.v1@pbem"
EVENT = "event.v1@pbem"
STATEMENT = "statement.v1@pbem"
SLIP = "slip.v1@pbem"
RECEIPT = "receipt.v1@pbem"
WITNESS = "witness.v1@pbem"
REKEY = "rekey.v1@pbem"
NOTICE = "notice.v1@pbem"
NAMESPACES = (CHARTER, ENTRY, EVENT, STATEMENT, SLIP, RECEIPT, WITNESS, REKEY, NOTICE)

PUBLIC_BYTES = 32
SIGNATURE_BYTES = 64
_KEY_TYPE = b"ssh-ed25519"
_MAKE_ONE = "make one with `pbem key new` or `ssh-keygen -t ed25519`"

Ask = Callable[[], str]


# What a signature covers


def _string(data: bytes) -> bytes:
    """An SSH string [RFC 4251, 5]: u32be length, then the bytes."""
    return struct.pack(">I", len(data)) + data


@lru_cache(maxsize=32)
def _preamble(namespace: str) -> bytes:
    """All of SSHSIG's signed data but the digest, which closes it: an audit asks for it with every event."""
    fields = _string(namespace.encode()) + _string(b"") + _string(b"sha512")
    return b"SSHSIG" + fields + struct.pack(">I", hashlib.sha512().digest_size)


def to_be_signed(namespace: str, message: bytes) -> bytes:
    """The bytes that Ed25519 signs for this message and purpose [OpenSSH PROTOCOL.sshsig]."""
    return _preamble(namespace) + hashlib.sha512(message).digest()


class SigningKey:
    """A private key in memory. `public` is its public half, 32 raw bytes."""

    __slots__ = ("_key", "public")

    public: bytes

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public = key.public_key().public_bytes_raw()

    @classmethod
    def new(cls) -> SigningKey:
        """A fresh key from the operating system's random generator."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def from_seed(cls, seed: bytes) -> SigningKey:
        """The key of a 32-byte seed [RFC 8032, 5.1.5]. ValueError for any other length."""
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        return cls(Ed25519PrivateKey.from_private_bytes(seed))

    def sign(self, namespace: str, message: bytes) -> bytes:
        """The 64-byte signature of the message for one purpose; the same bytes each time."""
        return self._key.sign(to_be_signed(namespace, message))

    def __repr__(self) -> str:
        return f"SigningKey({fingerprint(self.public)})"


class VerifyKey:
    """A public key, loaded once and asked often. Loading is not admission: see `admit`.

    Raises `Refused` (`E_WEAKKEY`) only if `raw` is not 32 bytes.
    """

    __slots__ = ("_verify", "raw")

    raw: bytes

    def __init__(self, raw: bytes) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            self._verify = Ed25519PublicKey.from_public_bytes(raw).verify
        except ValueError:  # some builds also refuse bytes that are no point
            raise Refused("E_WEAKKEY") from None
        self.raw = raw

    def check(self, namespace: str, message: bytes, signature: bytes) -> None:
        """Refuse (`E_SIG`) a signature that is not this key's, over these bytes, for this purpose."""
        try:
            self._verify(signature, to_be_signed(namespace, message))
        except _invalid_signature():
            raise Refused("E_SIG") from None

    def __repr__(self) -> str:
        return f"VerifyKey({fingerprint(self.raw)})"


def _invalid_signature() -> type[Exception]:
    # Evaluated only once something was raised, so that a good signature pays nothing for the late import.
    from cryptography.exceptions import InvalidSignature

    return InvalidSignature


# Admission of public keys
#
# OpenSSL loads any 32 bytes. Under the identity point one fixed signature verifies for every message, under the other
# points of small order for an eighth to a half of all: the owner could claim later that anybody signed.
# A mixed-order key divides verifiers with different cofactor rules.
# So: the one encoding of a point of order L, nothing else.

_P = 2**255 - 19
_L = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, -1, _P) % _P
_SQRT_M1 = pow(2, (_P - 1) // 4, _P)

_Point = tuple[int, int, int, int]  # extended coordinates X, Y, Z, T: x = X/Z, y = Y/Z, xy = T/Z [RFC 8032, 5.1.4]
_IDENTITY: _Point = (0, 1, 1, 0)


def _add(p: _Point, q: _Point) -> _Point:
    a = (p[1] - p[0]) * (q[1] - q[0]) % _P
    b = (p[1] + p[0]) * (q[1] + q[0]) % _P
    c = 2 * p[3] * q[3] * _D % _P
    d = 2 * p[2] * q[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _double(p: _Point) -> _Point:
    a = p[0] * p[0] % _P
    b = p[1] * p[1] % _P
    h = a + b
    e = h - (p[0] + p[1]) ** 2
    g = a - b
    f = 2 * p[2] * p[2] + g
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _times(n: int, p: _Point) -> _Point:
    out = _IDENTITY
    for bit in bin(n)[2:]:
        out = _double(out)
        if bit == "1":
            out = _add(out, p)
    return out


def _is_identity(p: _Point) -> bool:
    return p[0] % _P == 0 and (p[1] - p[2]) % _P == 0


def _decode(raw: bytes) -> _Point | None:
    """The point behind 32 bytes [RFC 8032, 5.1.3]; None for y >= p, for x = "-0", and off the curve."""
    sign = raw[31] >> 7
    y = int.from_bytes(raw, "little") & (2**255 - 1)
    if y >= _P:
        return None
    u = (y * y - 1) % _P
    v = (_D * y * y + 1) % _P
    x = u * pow(v, 3, _P) * pow(u * pow(v, 7, _P), (_P - 5) // 8, _P) % _P
    if v * x * x % _P == (-u) % _P:
        x = x * _SQRT_M1 % _P
    if v * x * x % _P != u or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = _P - x
    return x, y, 1, x * y % _P


def _weakness(raw: bytes) -> str:
    """What is wrong with a public key, in words; empty if nothing is."""
    if len(raw) != PUBLIC_BYTES:
        return f"a public key has {PUBLIC_BYTES} bytes, this one has {len(raw)}"
    point = _decode(raw)
    if point is None:
        return "the public key is not the one encoding of a point on the curve"
    if _is_identity(_times(8, point)):
        return "the public key is a point of small order: signatures under it prove nothing"
    if not _is_identity(_times(_L, point)):
        return "the public key is a point of mixed order: verifiers may disagree about its signatures"
    return ""


def admissible(raw: bytes) -> bool:
    """Whether these bytes may become a seat's key: canonical, on the curve, of prime order. About 1 ms."""
    return not _weakness(raw)


def admit(raw: bytes) -> None:
    """Refuse (`E_WEAKKEY`) a public key that may not enter a charter, an entry or a rekey."""
    weakness = _weakness(raw)
    if weakness:
        raise Refused("E_WEAKKEY", weakness, "ask for an ordinary key: " + _MAKE_ONE)


# OpenSSH's text forms

_SEAT = re.compile(r"[a-z][a-z0-9_]{0,15}\Z")


def _public_blob(raw: bytes) -> bytes:
    return _string(_KEY_TYPE) + _string(raw)


def armor(raw: bytes, signature: bytes, namespace: str) -> str:
    """The signature as a file for `ssh-keygen -Y verify -s`. Made on demand, never stored."""
    signed_by = _string(_public_blob(raw))
    fields = _string(namespace.encode()) + _string(b"") + _string(b"sha512")
    blob = b"SSHSIG" + struct.pack(">I", 1) + signed_by + fields + _string(_string(_KEY_TYPE) + _string(signature))
    return _pem("SSH SIGNATURE", blob)


def _pem(label: str, blob: bytes) -> str:
    text = base64.b64encode(blob).decode()
    lines = [text[i : i + 70] for i in range(0, len(text), 70)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""])


def allowed_signers_line(seat: str, raw: bytes, namespaces: Iterable[str]) -> str:
    """One line, without its end, of the file `ssh-keygen -Y verify -f` reads: the seat may sign for these purposes."""
    if not _SEAT.match(seat):  # a principal is a pattern list there: "*" or "red,blue" would mean more than one seat
        raise WrongUse(f"{seat!r} is not the name of a seat")
    return f'{seat} namespaces="{",".join(namespaces)}" {openssh_public(raw)}'


def fingerprint(raw: bytes) -> str:
    """The key's short name, to be compared by voice; the same as `ssh-keygen -l` shows."""
    digest = hashlib.sha256(_public_blob(raw)).digest()
    return "SHA256:" + base64.b64encode(digest).decode().rstrip("=")


def openssh_public(raw: bytes, comment: str = "") -> str:
    """The public key as one line, without its end, as in a `.pub` file."""
    if not comment.isprintable():
        raise WrongUse("a key's comment is one line of printable text")
    return f"ssh-ed25519 {base64.b64encode(_public_blob(raw)).decode()} {comment}".rstrip()


def read_openssh_public(text: str) -> bytes:
    """The 32 raw bytes of a `.pub` file or line, whatever its comment. Not yet admitted: see `admit`.

    Raises `Trouble` for anything but one Ed25519 key.
    """
    if "PRIVATE KEY-----" in text or text.lstrip().startswith(_OWN_MARK.decode()):
        raise Trouble("this is a private key", "never hand it out; the public half stands in the file with `.pub`")
    if len(text.strip().splitlines()) != 1:
        raise Trouble("a public key is one line", _MAKE_ONE)
    words = text.split(maxsplit=2)
    if words[0] != _KEY_TYPE.decode():
        _not_ed25519(words[0].encode(errors="replace"))
    raw = _raw_of(words[1]) if len(words) > 1 else None
    if raw is None:
        raise Trouble("the public key is damaged", "copy the whole line again, from `ssh-ed25519` to its end")
    return raw


def _raw_of(word: str) -> bytes | None:
    try:
        blob = base64.b64decode(word, validate=True)
    except ValueError:
        return None
    raw = blob[-PUBLIC_BYTES:]
    return raw if blob == _public_blob(raw) else None


_TYPE_NAME = re.compile(rb"[a-z0-9@.-]{1,64}\Z")
_KNOWN_TYPE = re.compile(rb"(ssh-|ecdsa-|sk-)")


def _not_ed25519(key_type: bytes) -> NoReturn:
    if not _TYPE_NAME.match(key_type) or not _KNOWN_TYPE.match(key_type):
        raise Trouble("this is not an OpenSSH key", _MAKE_ONE)
    hint = "keys on a security token sign another way; " if key_type.startswith(b"sk-") else ""
    raise Trouble(f"the key is of type {key_type.decode()}, not ssh-ed25519", hint + _MAKE_ONE)


# Private key files

MAX_FILE = 65536
BCRYPT_ROUNDS = 64  # half a second; ssh-keygen's own default is 16
MAX_BCRYPT_ROUNDS = 1024
SCRYPT_N = 2**17  # 128 MiB and half a second
MIN_SCRYPT_N = 2**14
MAX_SCRYPT_N = 2**18
SCRYPT_R = 8
SCRYPT_P = 1
MAX_PASSPHRASE = 1023  # bytes; OpenSSH files cannot have more

_OWN_MARK = b"PBEM-KEY "
_OWN_HEADER = re.compile(
    rb"PBEM-KEY 1 scrypt n=([1-9][0-9]{0,9}) r=([1-9][0-9]{0,5}) p=([1-9][0-9]{0,5})"
    rb" salt=([0-9a-f]{32}) nonce=([0-9a-f]{24}) public=([0-9a-f]{64})\Z"
)
_OWN_SECRET = re.compile(rb"[0-9a-f]{96}\Z")
_OPENSSH_LABEL = "OPENSSH PRIVATE KEY"
_OPENSSH_PEM = re.compile(rb"-----BEGIN OPENSSH PRIVATE KEY-----([A-Za-z0-9+/=\s]*)-----END OPENSSH PRIVATE KEY-----\Z")
_OPENSSH_MAGIC = b"openssh-key-v1\0"
_DAMAGED = ("the key file is damaged", "take it from a backup; a cut or edited file cannot be repaired")
_WRONG_PASSPHRASE = ("the passphrase is wrong, or the key file is damaged", "try again; mind capitals and the keyboard")


def write_private(key: SigningKey, passphrase: str | None) -> bytes:
    """The contents of a private key file.

    Without a passphrase (None): an OpenSSH file. With one: an OpenSSH file if the package `bcrypt` is there,
    otherwise pbem's own form. Raises `WrongUse` for an empty passphrase or one that is too long.
    """
    if passphrase is None:
        return _write_openssh(key, None)
    secret = _passphrase_bytes(passphrase)
    if not secret:
        raise WrongUse("the passphrase is empty", "choose one, or ask for a key file without")
    return _write_openssh(key, secret) if _bcrypt_here() else _write_own(key, secret)


def read_private(data: bytes, passphrase: Ask | None) -> SigningKey:
    """The key in a private key file: OpenSSH's form, with or without passphrase, or pbem's own.

    `passphrase` is called only for a file that is locked and otherwise in order; None means that nobody can be asked.
    Raises `Trouble`, with a hint, for everything that does not yield exactly the key the file names.
    """
    if len(data) > MAX_FILE:
        raise Trouble("the file is too large for a key file", _MAKE_ONE)
    text = data.strip()
    if text.startswith(_OWN_MARK):
        return _read_own(text, passphrase)
    if text.startswith(b"-----BEGIN OPENSSH PRIVATE KEY-----"):
        return _read_openssh(text, passphrase)
    raise Trouble(*_other_file(text))


def _other_file(text: bytes) -> tuple[str, str]:
    if text.startswith((b"ssh-", b"ecdsa-", b"sk-")):
        return "this is a public key", "the private half stands in the file without `.pub`"
    if text.startswith(b"PuTTY-User-Key-File"):
        return "this is a PuTTY key", "convert it: `puttygen KEY.ppk -O private-openssh-new -o KEY`"
    if text.startswith(b"-----BEGIN ") and b"PRIVATE KEY-----" in text:
        return "this is a private key, but not in OpenSSH's form", _MAKE_ONE
    return "this is not a private key file", _MAKE_ONE


def _passphrase_bytes(passphrase: str) -> bytes:
    try:
        secret = passphrase.encode()
    except UnicodeEncodeError:
        raise WrongUse("the passphrase is not text", "type it in letters, digits and signs") from None
    if len(secret) > MAX_PASSPHRASE:
        raise WrongUse(f"the passphrase is longer than {MAX_PASSPHRASE} bytes")
    return secret


def _asked(passphrase: Ask | None) -> bytes:
    secret = b"" if passphrase is None else _passphrase_bytes(passphrase())
    if not secret:
        raise Trouble("the key file is locked, and no passphrase was given", "give the passphrase it was made with")
    return secret


def _bcrypt_here() -> bool:
    try:
        import bcrypt  # noqa: F401
    except ImportError:
        return False
    return True


def _same_key(key: SigningKey, public: bytes) -> SigningKey:
    """The key, if it is the one the file names: a patched half would make signatures that nobody accepts."""
    if key.public != public:
        raise Trouble("the two halves in the key file do not belong together", _DAMAGED[1])
    return key


# OpenSSH's private form [OpenSSH PROTOCOL.key]


class _Envelope(NamedTuple):
    """What an OpenSSH file says in clear. `rounds` is 0 if it is not locked."""

    cipher: bytes
    rounds: int
    public: bytes


def _write_openssh(key: SigningKey, secret: bytes | None) -> bytes:
    from cryptography.hazmat.primitives import serialization as form

    lock: form.KeySerializationEncryption = form.NoEncryption()
    if secret is not None:
        lock = form.PrivateFormat.OpenSSH.encryption_builder().kdf_rounds(BCRYPT_ROUNDS).build(secret)
    return key._key.private_bytes(form.Encoding.PEM, form.PrivateFormat.OpenSSH, lock)


def _read_openssh(text: bytes, passphrase: Ask | None) -> SigningKey:
    try:
        blob = _unarmored(text)
        envelope = _envelope(blob)
    except ValueError:
        raise Trouble(*_DAMAGED) from None
    secret = None
    if envelope.rounds:
        _check_lock(envelope)
        secret = _asked(passphrase)
    # From the blob that was checked, so that two readers of PEM cannot see two files.
    return _same_key(_load_openssh(_pem(_OPENSSH_LABEL, blob).encode(), secret), envelope.public)


def _unarmored(text: bytes) -> bytes:
    match = _OPENSSH_PEM.match(text)
    if match is None:
        raise ValueError("cut short")
    return base64.b64decode(b"".join(match.group(1).split()), validate=True)


def _cut(data: bytes) -> tuple[bytes, bytes]:
    """The first SSH string and what follows it. ValueError if there is less."""
    end = 4 + int.from_bytes(data[:4], "big")
    if len(data) < end:
        raise ValueError("cut short")
    return data[4:end], data[end:]


def _envelope(blob: bytes) -> _Envelope:
    """The clear part of an OpenSSH private key. ValueError if it is damaged, `Trouble` if it is of another type."""
    if not blob.startswith(_OPENSSH_MAGIC):
        raise ValueError("no OpenSSH key")
    cipher, rest = _cut(blob[len(_OPENSSH_MAGIC) :])
    kdf, rest = _cut(rest)
    options, rest = _cut(rest)
    if rest[:4] != struct.pack(">I", 1):
        raise ValueError("not exactly one key")
    public_blob, rest = _cut(rest[4:])
    key_type, _ = _cut(public_blob)
    if key_type != _KEY_TYPE:
        _not_ed25519(key_type)
    public = public_blob[-PUBLIC_BYTES:]
    if public_blob != _public_blob(public):
        raise ValueError("no Ed25519 key")
    return _Envelope(cipher, _bcrypt_rounds(cipher, kdf, options), public)


def _bcrypt_rounds(cipher: bytes, kdf: bytes, options: bytes) -> int:
    if cipher == kdf == b"none" and not options:
        return 0
    _, rounds = _cut(options)
    if kdf != b"bcrypt" or cipher == b"none" or len(rounds) != 4 or not any(rounds):
        raise ValueError("no known lock")
    return int.from_bytes(rounds, "big")


def _check_lock(envelope: _Envelope) -> None:
    """Say what keeps a locked file from being read, before a passphrase is asked for."""
    if not _bcrypt_here():
        hint = "install it: pip install 'pbem[ssh]'"
        raise Trouble("OpenSSH key files with a passphrase need the package bcrypt", hint)
    if envelope.rounds > MAX_BCRYPT_ROUNDS:  # hostile: 2^32 rounds would take a year
        raise Trouble(
            f"the key file asks for {envelope.rounds} rounds of bcrypt, more than {MAX_BCRYPT_ROUNDS}",
            "lock it anew: `ssh-keygen -p -a 100 -f KEY`",
        )


def _load_openssh(pem: bytes, secret: bytes | None) -> SigningKey:
    from cryptography.exceptions import InvalidTag, UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_ssh_private_key

    try:
        key = load_ssh_private_key(pem, secret)
    except UnsupportedAlgorithm:
        hint = "lock it anew: `ssh-keygen -p -Z aes256-ctr -f KEY`"
        raise Trouble("the key file is locked with a cipher that is not supported here", hint) from None
    except (ValueError, TypeError, InvalidTag):
        raise Trouble(*(_DAMAGED if secret is None else _WRONG_PASSPHRASE)) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise Trouble(*_DAMAGED)
    return SigningKey(key)


# pbem's own form: two lines, a header in clear, and the seed under ChaCha20-Poly1305 with the header as associated data


class _Cost(NamedTuple):
    """scrypt's parameters. Memory is 128 * n * r bytes."""

    n: int
    r: int
    p: int


def _write_own(key: SigningKey, secret: bytes) -> bytes:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    cost, salt, nonce = _Cost(SCRYPT_N, SCRYPT_R, SCRYPT_P), os.urandom(16), os.urandom(12)
    header = (
        f"PBEM-KEY 1 scrypt n={cost.n} r={cost.r} p={cost.p}"
        f" salt={salt.hex()} nonce={nonce.hex()} public={key.public.hex()}"
    ).encode()
    box = ChaCha20Poly1305(_stretched(secret, salt, cost))
    sealed = box.encrypt(nonce, key._key.private_bytes_raw(), header)
    return header + b"\n" + sealed.hex().encode() + b"\n"


def _read_own(text: bytes, passphrase: Ask | None) -> SigningKey:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    header, _, rest = text.partition(b"\n")
    header, sealed = header.rstrip(), rest.strip()
    cost, salt, nonce, public = _own_header(header)
    if not _OWN_SECRET.match(sealed):
        raise Trouble(*_DAMAGED)
    box = ChaCha20Poly1305(_stretched(_asked(passphrase), salt, cost))
    try:
        seed = box.decrypt(nonce, bytes.fromhex(sealed.decode()), header)
    except InvalidTag:
        raise Trouble(*_WRONG_PASSPHRASE) from None
    return _same_key(SigningKey.from_seed(seed), public)


def _own_header(header: bytes) -> tuple[_Cost, bytes, bytes, bytes]:
    """Cost, salt, nonce and public key of the header, within the bounds that this version computes."""
    if not header.startswith(b"PBEM-KEY 1 "):
        raise Trouble("the key file is of another version than 1, or damaged", "it may need a newer pbem")
    match = _OWN_HEADER.match(header)
    if match is None:
        raise Trouble(*_DAMAGED)
    n, r, p, *rest = match.groups()
    salt, nonce, public = (bytes.fromhex(part.decode()) for part in rest)
    cost = _Cost(int(n), int(r), int(p))
    power_of_two = cost.n & (cost.n - 1) == 0
    bounded = MIN_SCRYPT_N <= cost.n <= MAX_SCRYPT_N and cost.r == SCRYPT_R and cost.p == SCRYPT_P
    if not power_of_two or not bounded:
        raise Trouble("the key file asks for a cost of scrypt outside the permitted bounds", _DAMAGED[1])
    return cost, salt, nonce, public


def _stretched(secret: bytes, salt: bytes, cost: _Cost) -> bytes:
    """The 32-byte key of a passphrase."""
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    try:
        return Scrypt(salt=salt, length=32, n=cost.n, r=cost.r, p=cost.p).derive(secret)
    except MemoryError:
        megabytes = 128 * cost.n * cost.r // 2**20
        what = f"{megabytes} MB of memory are needed to lock or unlock the key"
        raise Trouble(what, "close other programs") from None
