"""Keys that stay in an SSH agent: it lists them and signs, and never shows one [draft-ietf-sshm-ssh-agent].

What the agent says is taken for hostile: lengths are bounded, and every signature is checked before it is used.
An Ed25519 signature by the agent is the same 64 bytes that the key itself would make, so nobody can tell in a log.
"""

from __future__ import annotations

import errno
import os
import socket
import struct
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Final, cast

from pbem import keys
from pbem.errors import Refused, Trouble

MARK: Final = b"pbem: this key is in the SSH agent\n"
"""Stands in the place of a private key, beside its `.pub` file."""

FAILURE: Final = 5
REQUEST_IDENTITIES: Final = 11
IDENTITIES_ANSWER: Final = 12
SIGN_REQUEST: Final = 13
SIGN_RESPONSE: Final = 14

MAX_ANSWER: Final = 1 << 18
MAX_KEYS: Final = 1000
PATIENCE: Final = 60.0
"""Seconds: an agent may ask its owner first."""

BUSY_PATIENCE: Final = 3.0
WINDOWS_PIPE: Final = r"\\.\pipe\openssh-ssh-agent"
KEY_TYPE: Final = b"ssh-ed25519"

_HINT = "start the agent and `ssh-add` the key; `ssh-add -l` lists what it holds"


class AgentKey(keys.SigningKey):
    """A key in the agent. `public` are its 32 raw bytes; every signature is asked for and checked."""

    __slots__ = ()

    def __init__(self, public: bytes) -> None:
        self.public = public

    def sign(self, namespace: str, message: bytes) -> bytes:
        request = _string(blob(self.public)) + _string(keys.to_be_signed(namespace, message)) + bytes(4)
        answer = Answer(_ask(bytes([SIGN_REQUEST]) + request), SIGN_RESPONSE)
        inner = Answer(answer.string(), None)
        kind, made = inner.string(), inner.string()
        try:
            if kind != KEY_TYPE or len(made) != keys.SIGNATURE_BYTES:
                raise Refused("E_SIG")
            keys.VerifyKey(self.public).check(namespace, message, made)
        except Refused:
            raise Trouble("the SSH agent gave a signature that is not this key's", _HINT) from None
        return made


class Answer:
    """Reads an answer field by field; `Trouble` where it is not what was asked for, or ends too soon."""

    def __init__(self, data: bytes, kind: int | None) -> None:
        if kind is not None and data[:1] != bytes([kind]):
            refused = data[:1] == bytes([FAILURE])
            what = "the SSH agent refuses" if refused else "the SSH agent gave an answer that was not asked for"
            raise Trouble(what, _HINT)
        self.data, self.at = data, 0 if kind is None else 1

    def number(self) -> int:
        if self.at + 4 > len(self.data):
            raise Trouble("the SSH agent gave an answer that is cut", _HINT)
        self.at += 4
        return int(struct.unpack_from(">I", self.data, self.at - 4)[0])

    def string(self) -> bytes:
        size = self.number()
        if self.at + size > len(self.data):
            raise Trouble("the SSH agent gave an answer that is cut", _HINT)
        self.at += size
        return self.data[self.at - size : self.at]


def _string(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


def blob(public: bytes) -> bytes:
    """An Ed25519 public key as SSH writes it."""
    return _string(KEY_TYPE) + _string(public)


def listed() -> list[tuple[bytes, str]]:
    """The admissible Ed25519 keys that the agent holds: 32 raw bytes and the comment; others are passed over."""
    answer = Answer(_ask(bytes([REQUEST_IDENTITIES])), IDENTITIES_ANSWER)
    many = answer.number()
    if many > MAX_KEYS:
        raise Trouble("the SSH agent says it holds too many keys", _HINT)
    found = []
    for _ in range(many):
        key, comment = answer.string(), answer.string()
        public = key[-keys.PUBLIC_BYTES :]
        if key == blob(public) and len(public) == keys.PUBLIC_BYTES:
            try:
                keys.admit(public)
            except Refused:
                continue
            shown = comment.decode("utf-8", "replace")[:80]
            found.append((public, "".join(char if char.isprintable() else "?" for char in shown)))
    return found


def _ask(message: bytes) -> bytes:
    """One question and its answer, without the length before them."""
    try:
        with _connected() as stream:
            _write(stream, _string(message))
            size = int.from_bytes(_exactly(stream, 4), "big")
            if not 1 <= size <= MAX_ANSWER:
                raise Trouble("the SSH agent gave an answer of no sensible length", _HINT)
            return _exactly(stream, size)
    except OSError as error:
        raise Trouble(f"the SSH agent cannot be asked: {str(error.strerror or error).lower()}", _HINT) from None


def _write(stream: IO[bytes], data: bytes) -> None:
    """All of it: a pipe may take less at once."""
    while data:
        data = data[stream.write(data) or 0 :]
    stream.flush()


def _exactly(stream: IO[bytes], size: int) -> bytes:
    """So many bytes: a pipe may give fewer at once."""
    data = b""
    while len(data) < size:
        more = stream.read(size - len(data))
        if not more:
            raise Trouble("the SSH agent hung up", _HINT)
        data += more
    return data


@contextmanager
def _connected() -> Iterator[IO[bytes]]:
    """The agent of `SSH_AUTH_SOCK`; on Windows the pipe of its own OpenSSH where that names no pipe."""
    place = os.environ.get("SSH_AUTH_SOCK", "")
    if _on_windows():
        with _pipe(place if _names_a_pipe(place) else WINDOWS_PIPE) as pipe:
            yield pipe
        return
    if not place:
        raise Trouble("no SSH agent is running here: SSH_AUTH_SOCK is not set", _HINT)
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(PATIENCE)
        link.connect(place)
        with cast("IO[bytes]", link.makefile("rwb")) as stream:
            yield stream


def _on_windows() -> bool:
    return sys.platform == "win32"


def _names_a_pipe(place: str) -> bool:
    """Git and Cygwin put the name of a file there that stands for a socket of theirs: it must not be written to."""
    return place.replace("/", "\\").lower().startswith("\\\\.\\pipe\\")


def _pipe(name: str) -> IO[bytes]:
    """Open a pipe of Windows; while its server has not taken back the last connection it is busy for a moment."""
    until = time.monotonic() + BUSY_PATIENCE
    while True:
        try:
            return open(name, "r+b", buffering=0)
        except OSError as error:
            if error.errno != errno.EINVAL or time.monotonic() > until:  # what ERROR_PIPE_BUSY comes as
                raise
            time.sleep(0.05)
