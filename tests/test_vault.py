"""Vaults: locked, damaged, swapped, on paper and restored (row 50 of the adversarial tests)."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path

import pytest
from computers import Computer, Match, duel

from pbem import safe
from pbem.errors import Trouble, WrongUse

GAME, SEAT = "ab" * 32, "red"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Locks that are made fast; the real cost has one test."""
    monkeypatch.setattr(safe, "COST", {"n": 2**14, "p": 1, "r": 8})


def locked(passphrase: str = "word") -> bytes:
    return safe.seal(safe.Lock.new(passphrase), GAME, SEAT, {"master": "11" * 32, "chosen": {"t1#1": [{"a": 1}]}})


def test_what_was_locked_opens() -> None:
    told, lock = safe.unseal(locked(), GAME, SEAT, lambda: "word")
    assert told == {"master": "11" * 32, "chosen": {"t1#1": [{"a": 1}]}}
    assert safe.unseal(safe.seal(lock, GAME, SEAT, told), GAME, SEAT, _nobody, lock)[0] == told


def _nobody() -> str:
    raise AssertionError("nobody is asked twice")


def test_every_write_has_a_nonce_of_its_own() -> None:
    lock = safe.Lock.new("word")
    written = {safe.seal(lock, GAME, SEAT, {"master": "11" * 32}) for _ in range(20)}
    assert len(written) == 20
    assert len({one.split(b'"nonce":"')[1][:24] for one in written}) == 20


def test_the_real_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert safe.COST == {"n": 2**17, "p": 1, "r": 8}
    data = locked()
    assert b'"kdf":{"n":131072,"p":1,"r":8}' in data
    assert safe.unseal(data, GAME, SEAT, lambda: "word")[0]["master"] == "11" * 32


def test_row_50_wrong_passphrase() -> None:
    with pytest.raises(Trouble, match="the passphrase is wrong, or the vault is damaged"):
        safe.unseal(locked(), GAME, SEAT, lambda: "Word")
    with pytest.raises(WrongUse, match="empty"):
        safe.Lock.new("")


def test_row_50_truncated_anywhere() -> None:
    data = locked()
    lock = safe.unseal(data, GAME, SEAT, lambda: "word")[1]
    for length in range(0, len(data) - 1):
        with pytest.raises(Trouble):
            safe.unseal(data[:length], GAME, SEAT, lambda: "word", lock)


def test_row_50_any_flipped_bit() -> None:
    data = locked()
    lock = safe.unseal(data, GAME, SEAT, lambda: "word")[1]
    for place in range(len(data.rstrip())):
        flipped = bytearray(data)
        flipped[place] ^= 1 << secrets.randbelow(5)
        if bytes(flipped).lower() == data.lower():
            continue
        with pytest.raises(Trouble):
            safe.unseal(bytes(flipped), GAME, SEAT, lambda: "other", lock if place % 5 else None)


def test_row_50_of_another_seat_or_game() -> None:
    with pytest.raises(Trouble, match="this is the vault of red of the game abababab, not of blue"):
        safe.unseal(locked(), GAME, "blue", lambda: "word")
    with pytest.raises(Trouble, match="this is the vault of red"):
        safe.unseal(locked(), "cd" * 32, SEAT, lambda: "word")
    renamed = locked().replace(b'"seat":"red"', b'"seat":"blu"')
    with pytest.raises(Trouble, match="the passphrase is wrong, or the vault is damaged"):
        safe.unseal(renamed, GAME, "blu", lambda: "word")


@pytest.mark.parametrize("kdf", [b'{"n":1,"p":1,"r":8}', b'{"n":2147483648,"p":1,"r":8}', b'{"n":16385,"p":1,"r":8}'])
def test_a_cost_that_is_an_attack(kdf: bytes) -> None:
    data = locked().replace(b'{"n":16384,"p":1,"r":8}', kdf)
    with pytest.raises(Trouble, match="damaged"):
        safe.unseal(data, GAME, SEAT, lambda: "word")


# Paper -------------------------------------------------------------------------------------------------------------


def test_paper_is_read_however_it_was_typed() -> None:
    master = bytes(range(32))
    text = safe.on_paper(master)
    assert text.splitlines()[0] == "0001 0203 0405 0607"
    assert len(text.split()) == safe.GROUPS + 2
    for typed in (
        text,
        text.upper(),
        text.replace(" ", ""),
        text.replace("0", "O"),
        "\n\n" + text.replace("\n", " - "),
    ):
        assert safe.from_paper(typed) == master


def test_a_misread_digit_is_noticed() -> None:
    text = safe.on_paper(bytes(range(32)))
    with pytest.raises(WrongUse, match="a digit is misread"):
        safe.from_paper(text.replace("0203", "0283"))
    with pytest.raises(WrongUse, match="has 68 digits, due are 72"):
        safe.from_paper(text.replace("0203", ""))
    with pytest.raises(WrongUse, match="'z' is no digit"):
        safe.from_paper(text.replace("0203", "z203"))


# At the table ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Match]:
    match = duel(tmp_path_factory.mktemp("vault"))
    start = {seat: one.snapshot() for seat, one in match.computers.items()}

    def again() -> Match:
        for seat, one in match.computers.items():
            one.restore(start[seat])
        return match

    return again


def in_clear(one: Computer, master: str) -> list[str]:
    """Files of a computer that show a master secret."""
    return [name for name, data in one.snapshot().items() if master.encode() in data]


def test_a_locked_vault_is_played_with_its_passphrase(
    started: Callable[[], Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = started()
    red = match["red"]
    master = red.table("g.pbem").room.secret("red").master
    assert in_clear(red, master)
    monkeypatch.setenv("PBEM_VAULT_PASSPHRASE", "word")
    red.do("vault", "lock", "g.pbem")
    assert not in_clear(red, master)
    match.turn("red", "roll d6 for it")
    match.mail("blue")
    match.turn("red", "pass")
    match.agree()
    monkeypatch.setenv("PBEM_VAULT_PASSPHRASE", "wrong")
    before = red.snapshot()
    said = red.run("vault", "paper", "g.pbem")
    assert said.status == 4
    assert "the passphrase is wrong" in said.err
    monkeypatch.delenv("PBEM_VAULT_PASSPHRASE")
    said = red.run("vault", "paper", "g.pbem")
    assert said.status == 4
    assert red.snapshot() == before
    monkeypatch.setenv("PBEM_VAULT_PASSPHRASE", "word")
    red.do("vault", "unlock", "g.pbem")
    assert red.table("g.pbem").room.secret("red").master == master
    assert not list(red.folder.rglob("*.vault"))


def test_row_50_swapped_vaults(started: Callable[[], Match], monkeypatch: pytest.MonkeyPatch) -> None:
    match = started()
    monkeypatch.setenv("PBEM_VAULT_PASSPHRASE", "word")
    for one in match.computers.values():
        one.do("vault", "lock", "g.pbem")
    [mine], [other] = ([*one.folder.rglob("*.vault")] for one in match.computers.values())
    mine.write_bytes(other.read_bytes())
    said = match["red"].run("order", "g.pbem", "pass")
    assert said.status == 4
    assert "this is the vault of blue" in said.err


def test_a_lost_vault_comes_back_from_paper(started: Callable[[], Match]) -> None:
    match = started()
    red = match["red"]
    paper = red.do("vault", "paper", "g.pbem").out
    match.turn("red", "roll d6 for it")
    match.mail("blue")
    [secret] = red.folder.rglob("secret.json")
    secret.unlink()
    assert "you only watch" in red.do("status", "g.pbem").out
    said = red.run("vault", "restore", "g.pbem", "--paper", safe.on_paper(bytes(32)))
    assert (said.status, "not the master secret of any seat" in said.err) == (2, True)
    said = red.run("vault", "restore", "g.pbem", "--seat", "blue", "--paper", paper)
    assert (said.status, "not the master secret of blue" in said.err) == (2, True)
    red.do("vault", "restore", "g.pbem", "--paper", "-", stdin=paper)
    twice = red.run("vault", "restore", "g.pbem", "--paper", paper)
    assert (twice.status, "are here already" in twice.err) == (2, True)


def test_a_vault_travels_to_another_computer(
    started: Callable[[], Match], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = started()
    red = match["red"]
    monkeypatch.setenv("PBEM_VAULT_PASSPHRASE", "told by telephone")
    file = Path(red.do("vault", "export", "g.pbem", "--out", "red.vault").last)
    other = Computer(tmp_path / "other")
    other.path("g.pbem").write_bytes(red.path("g.pbem").read_bytes())
    other.path("red.vault").write_bytes(red.path(file.name).read_bytes())
    other.do("vault", "import", "g.pbem", "red.vault")
    assert other.table("g.pbem").room.secret("red").master == red.table("g.pbem").room.secret("red").master
    assert other.table("g.pbem").local == []  # the key is not there
    said = other.run("vault", "import", "g.pbem", "g.pbem")
    assert (said.status, "the vault is damaged" in said.err) == (4, True)
