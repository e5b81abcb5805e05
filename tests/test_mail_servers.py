"""Two accounts on real servers on loopback, Dovecot and Postfix, play whole games by `sync` alone over a bad line."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import mail_servers
import pytest
from computers import Match, duel
from mail_servers import PASSWORDS, Servers
from postman import Clock, Postman, duel_moves, play

from pbem.cli import mail as command

pytestmark = pytest.mark.skipif(bool(mail_servers.missing()), reason=mail_servers.missing() or "never")


@pytest.fixture(scope="module")
def servers() -> Iterator[Servers]:
    with mail_servers.running() as started:
        yield started


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(command, "now", clock)
    for seat, password in PASSWORDS.items():
        monkeypatch.setenv(f"PBEM_TEST_{seat.upper()}", password)
    return clock


def accounts(match: Match, servers: Servers) -> Match:
    """Red's mail goes over TLS, blue's over STARTTLS; blue's password comes from a command."""
    for seat, computer in match.computers.items():
        computer.do("mail", "set", *servers.settings(seat, safely="tls" if seat == "red" else "starttls"))
        other = "blue" if seat == "red" else "red"
        computer.do("address", "set", "g.pbem", other, f"{other}@{mail_servers.DOMAIN}")
    match["blue"].do("mail", "set", f"password_command=echo '{PASSWORDS['blue']}'")
    return match


class Line(Postman):
    """Between the two servers."""

    servers: Servers
    names: int = 0

    def walk(self) -> None:
        for to, raw in self.servers.on_the_wire():
            self.take(to, raw)
        super().walk()

    def bring(self, to: str, raw: bytes) -> None:
        self.names += 1
        self.servers.drop(to.partition("@")[0], raw, f"{self.seed}-{self.names:05}")

    seed: int = 0


def line(servers: Servers, seed: int) -> Line:
    made = Line(random.Random(seed), lambda to, raw: made.bring(to, raw))
    made.servers, made.seed = servers, seed
    list(servers.on_the_wire())
    for seat in PASSWORDS:
        for path in servers.arrived(seat):
            path.unlink()
    return made


@pytest.mark.parametrize(("dice", "seed", "length"), [("sealed", 11, 16), ("open", 12, 16)])
def test_two_accounts_play_a_whole_game(
    tmp_path: Path, servers: Servers, clock: Clock, dice: str, seed: int, length: int
) -> None:
    match = accounts(duel(tmp_path, dice, "--days", "3"), servers)
    postman = line(servers, seed)
    play(match, postman, clock, duel_moves(length), 300)
    assert postman.lost
    assert postman.doubled
    for computer in match.computers.values():
        assert computer.run("verify", "g.pbem", "--finished").out.startswith("VALID")
