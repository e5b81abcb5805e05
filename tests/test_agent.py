"""A key that stays in an SSH agent: the same signatures, and an agent that lies is caught."""

from __future__ import annotations

import errno
import os
import shutil
import socket
import struct
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from computers import Computer, Match
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem import agent, keys
from pbem.errors import Trouble

unix = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no sockets in the file system here")
SECRET = keys.SigningKey.from_seed(bytes([9]) * 32)


@pytest.fixture
def real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """OpenSSH's own agent; the path of its socket."""
    if shutil.which("ssh-agent") is None or shutil.which("ssh-add") is None:
        pytest.skip("OpenSSH's ssh-agent is not on this machine")
    place = tmp_path / "a"
    running = subprocess.Popen(["ssh-agent", "-D", "-a", str(place)], stdout=subprocess.PIPE)
    assert running.stdout is not None
    running.stdout.readline()
    monkeypatch.setenv("SSH_AUTH_SOCK", str(place))
    yield place
    running.terminate()
    running.wait()
    running.stdout.close()


def hold(folder: Path, key: keys.SigningKey) -> None:
    """Put a key into the agent, and forget its file."""
    path = folder / "k"
    path.touch(mode=0o600)
    path.write_bytes(keys.write_private(key, None))
    subprocess.run(["ssh-add", "-q", str(path)], check=True, env=dict(os.environ), capture_output=True)
    path.unlink()


def test_the_agent_signs_as_the_key_would(real: Path, tmp_path: Path) -> None:
    hold(tmp_path, SECRET)
    assert [public for public, _ in agent.listed()] == [SECRET.public]
    for namespace in keys.NAMESPACES:
        message = namespace.encode() * 1000
        assert agent.AgentKey(SECRET.public).sign(namespace, message) == SECRET.sign(namespace, message)


def test_a_game_is_signed_through_the_agent(real: Path, tmp_path: Path) -> None:
    hold(tmp_path, SECRET)
    match = Match({seat: Computer(tmp_path / seat) for seat in ("red", "blue")})
    red, blue = match["red"], match["blue"]
    assert red.do("key", "import", "--agent").out.strip() == keys.fingerprint(SECRET.public)
    red.do("new", "open-table", "--seat", "red", "--file", "g.pbem")
    blue.do("join", red.letter, "--file", "g.pbem")
    match.take("blue", "red")
    match.mail("red")
    match.turn("red", "pass")
    match.agree()
    assert "VALID" in blue.do("verify", "g.pbem").out
    held = b"".join(red.snapshot().values())
    assert b"PRIVATE KEY" not in held
    subprocess.run(["ssh-add", "-q", "-D"], check=True, capture_output=True)
    before = red.table("g.pbem").fold.seq
    assert red.run("resign", "g.pbem", "--yes").status == 4
    assert red.table("g.pbem").fold.seq == before


def test_which_key_is_meant(real: Path, tmp_path: Path) -> None:
    one = Computer(tmp_path / "red")
    assert "no Ed25519 key" in one.run("key", "import", "--agent").err
    other = keys.SigningKey.from_seed(bytes([8]) * 32)
    hold(tmp_path, SECRET)
    hold(tmp_path, other)
    several = one.run("key", "import", "--agent")
    assert several.status == 2
    assert keys.fingerprint(other.public) in several.err
    one.do("key", "import", "--agent", "--fingerprint", keys.fingerprint(other.public))
    assert one.home.public_key("id") == other.public
    assert "no such" in one.run("key", "import", "--agent", "--name", "x", "--fingerprint", "SHA256:x").err
    assert one.run("key", "import").status == 2
    assert one.run("key", "import", "k", "--agent").status == 2


def test_without_an_agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = Computer(tmp_path / "red")
    monkeypatch.setenv("SSH_AUTH_SOCK", str(tmp_path / "none"))
    assert "SSH agent" in one.run("key", "import", "--agent").err
    monkeypatch.delenv("SSH_AUTH_SOCK")
    said = one.run("key", "import", "--agent")
    assert (said.status, "SSH agent" in said.err) == (4, True)


# --- an agent that lies ---


@pytest.fixture
def liar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bytes], None]]:
    """An agent that gives one answer, whatever it is asked."""
    place, threads = tmp_path / "l", []
    monkeypatch.setenv("SSH_AUTH_SOCK", str(place))

    def answers(data: bytes) -> None:
        place.unlink(missing_ok=True)
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(str(place))
        listening.listen(1)

        def serve() -> None:
            with listening, listening.accept()[0] as link:
                link.recv(1 << 16)
                link.sendall(data)

        threads.append(threading.Thread(target=serve))
        threads[-1].start()

    yield answers
    for thread in threads:
        thread.join(10)


def string(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


def response(kind: bytes, sig: bytes) -> bytes:
    return string(b"\x0e" + string(string(kind) + string(sig)))


@unix
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0",
        struct.pack(">I", 0),
        struct.pack(">I", 0xFFFFFFFF) + b"\x0e",
        string(b"\x05"),
        string(b"\x0c" + bytes(4)),
        string(b"\x0e"),
        string(b"\x0e\xff\xff\xff\xff"),
        string(b"\x0e" + string(b"\xff" * 8)),
        response(b"ssh-ed25519", bytes(64)),
        response(b"ssh-ed25519", SECRET.sign(keys.SLIP, b"x")),
        response(b"ssh-ed25519", SECRET.sign(keys.EVENT, b"x")[:-1]),
        response(b"ssh-rsa", SECRET.sign(keys.EVENT, b"x")),
        response(b"ssh-ed25519", keys.SigningKey.from_seed(bytes(32)).sign(keys.EVENT, b"x")),
    ],
    ids=range(14),
)
def test_no_answer_but_the_signature_is_used(liar: Callable[[bytes], None], data: bytes) -> None:
    liar(data)
    with pytest.raises(Trouble, match="SSH agent"):
        agent.AgentKey(SECRET.public).sign(keys.EVENT, b"x")


@unix
def test_odd_lists_of_keys(liar: Callable[[bytes], None]) -> None:
    good = string(agent.blob(SECRET.public)) + string("\x1b[2Jme\u202e".encode())
    weak = string(agent.blob(b"\x01" + bytes(31))) + string(b"identity")
    other = string(string(b"ssh-rsa") + bytes(40)) + string(b"rsa")
    liar(string(b"\x0c" + struct.pack(">I", 3) + weak + other + good))
    assert agent.listed() == [(SECRET.public, "?[2Jme?")]
    for data in (b"\x0c", b"\x0c" + struct.pack(">I", 1001), b"\x0c" + struct.pack(">I", 2) + good, b"\x0e"):
        liar(string(data))
        with pytest.raises(Trouble, match="SSH agent"):
            agent.listed()


# The pipe of Windows ------------------------------------------------------------------------------------------------


class Pipe:
    """A pipe with an agent behind it that takes and gives a few bytes at once, as pipes may."""

    def __init__(self) -> None:
        self.held = Ed25519PrivateKey.from_private_bytes(bytes([9]) * 32)
        self.asked, self.answers = b"", b""

    def __enter__(self) -> Pipe:
        return self

    def __exit__(self, *_: object) -> None:
        self.answers = b""

    def write(self, data: bytes) -> int:
        self.asked += data[:7]
        if len(self.asked) >= 4 and len(self.asked) == 4 + int.from_bytes(self.asked[:4], "big"):
            answer = self.answer(self.asked[4:])
            self.answers += struct.pack(">I", len(answer)) + answer
        return len(data[:7])

    def flush(self) -> None:
        pass

    def read(self, size: int) -> bytes:
        given, self.answers = self.answers[: min(size, 11)], self.answers[min(size, 11) :]
        return given

    def answer(self, question: bytes) -> bytes:
        mine = agent.blob(SECRET.public)
        if question[0] == agent.REQUEST_IDENTITIES:
            return bytes([agent.IDENTITIES_ANSWER]) + struct.pack(">I", 1) + string(mine) + string(b"games")
        fields = agent.Answer(question, agent.SIGN_REQUEST)
        assert fields.string() == mine
        made = self.held.sign(fields.string())
        return bytes([agent.SIGN_RESPONSE]) + string(string(agent.KEY_TYPE) + string(made))


def string(data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + data


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A Windows whose agent is busy once; the names that were opened."""
    opened: list[str] = []

    def open_(name: str, mode: str, *, buffering: int) -> Pipe:
        assert (mode, buffering) == ("r+b", 0)
        opened.append(name)
        if len(opened) == 1:
            raise OSError(errno.EINVAL, "all pipe instances are busy")
        return Pipe()

    monkeypatch.setattr(agent, "_on_windows", lambda: True)
    monkeypatch.setattr(agent, "open", open_, raising=False)
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    return opened


def test_on_windows_the_pipe_of_its_own_agent_is_asked(windows: list[str]) -> None:
    assert agent.listed() == [(SECRET.public, "games")]
    message = b"a message" * 100
    assert agent.AgentKey(SECRET.public).sign(keys.EVENT, message) == SECRET.sign(keys.EVENT, message)
    assert windows == [r"\\.\pipe\openssh-ssh-agent"] * 3


@pytest.mark.parametrize(
    ("place", "asked"),
    [
        (r"\\.\pipe\openssh-ssh-agent", r"\\.\pipe\openssh-ssh-agent"),
        (r"\\.\PIPE\pageant.red.0123", r"\\.\PIPE\pageant.red.0123"),
        ("//./pipe/another", "//./pipe/another"),
        ("/tmp/ssh-abc/agent.17", agent.WINDOWS_PIPE),  # what Git for Windows leaves there: a file
        (r"C:\Users\red\agent.sock", agent.WINDOWS_PIPE),
        ("", agent.WINDOWS_PIPE),
    ],
)
def test_on_windows_nothing_but_a_pipe_is_opened(
    windows: list[str], monkeypatch: pytest.MonkeyPatch, place: str, asked: str
) -> None:
    monkeypatch.setenv("SSH_AUTH_SOCK", place)
    assert agent.listed()
    assert set(windows) == {asked}


def test_a_pipe_that_stays_busy_or_is_not_there_is_trouble(windows: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent, "BUSY_PATIENCE", 0.1)
    for number, said in ((errno.EINVAL, "invalid argument"), (errno.ENOENT, "no such file or directory")):

        def fails(*_: object, number: int = number, **__: object) -> Pipe:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(agent, "open", fails, raising=False)
        with pytest.raises(Trouble, match=f"the SSH agent cannot be asked: {said}"):
            agent.listed()
