"""Two accounts on real servers on loopback, Dovecot and Postfix, play whole games by `sync` alone over a bad line."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import mail_servers
import pytest
from computers import Computer, Match, duel, two
from mail_servers import PASSWORDS, Servers
from postman import Clock, Postman, bot_moves, duel_moves, play, sync

pytestmark = pytest.mark.skipif(bool(mail_servers.missing()), reason=mail_servers.missing() or "never")


@pytest.fixture(scope="module")
def servers() -> Iterator[Servers]:
    with mail_servers.running() as started:
        yield started


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock(int(time.time()))  # the servers have their own clock, and a search asks them by its dates
    clock.shown(monkeypatch)
    for seat, password in PASSWORDS.items():
        monkeypatch.setenv(f"PBEM_TEST_{seat.upper()}", password)
    return clock


def accounts(match: Match, servers: Servers) -> Match:
    """The first player's mail goes over TLS, the second's over STARTTLS; his password comes from a command.

    Whatever their seats are called, their mailboxes are those of red and blue.
    """
    boxes = dict(zip(match.computers, PASSWORDS, strict=True))
    for seat, computer in match.computers.items():
        computer.do("mail", "set", *servers.settings(boxes[seat], safely="tls" if boxes[seat] == "red" else "starttls"))
        [(other, box)] = [(one, box) for one, box in boxes.items() if one != seat]
        computer.do("address", "set", "g.pbem", other, f"{box}@{mail_servers.DOMAIN}")
        if boxes[seat] == "blue":
            computer.do("mail", "set", f"password_command=echo '{PASSWORDS['blue']}'")
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


@pytest.mark.parametrize(
    ("rules", "seats", "scenario", "length"),
    [
        ("field-command", ("britain", "japan"), "regiment", 10_000),  # to the end of the battle
        ("glory-recalled", ("japan", "british"), "kowloon", 24),  # decks sealed, hands drawn; audited after it
    ],
)
def test_two_accounts_play_a_game_with_rules(
    tmp_path: Path,
    servers: Servers,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    rules: str,
    seats: tuple[str, str],
    scenario: str,
    length: int,
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)  # drawing maps takes longer than all the rest
    match = accounts(two(tmp_path, rules, *seats, "--scenario", scenario, "--days", "3"), servers)
    postman = line(servers, 2)
    play(match, postman, clock, bot_moves(2, length), 300)
    assert postman.lost
    assert postman.doubled
    match.agree()
    for computer in match.computers.values():
        assert computer.run("verify", "g.pbem", "--finished").out.startswith("VALID, ")


def test_two_accounts_that_log_in_with_tokens_play_a_game(tmp_path: Path, servers: Servers, clock: Clock) -> None:
    match = accounts(duel(tmp_path, "open"), servers)
    for seat, computer in match.computers.items():
        servers.grant(seat, f"{seat}-first-token")
        safely = "tls" if seat == "red" else "starttls"
        computer.do("mail", "set", "password_env=", "password_command=", *servers.with_token(seat, safely=safely))
    postman = line(servers, 13)
    play(match, postman, clock, duel_moves(6), 300)
    for computer in match.computers.values():
        assert computer.run("verify", "g.pbem", "--finished").out.startswith("VALID")


# One step at a time ------------------------------------------------------------------------------------------------


@pytest.fixture
def match(tmp_path: Path, servers: Servers, clock: Clock) -> Match:
    line(servers, 0)
    return accounts(duel(tmp_path), servers)


def bring(servers: Servers) -> int:
    """Carry everything from the SMTP server into the boxes."""
    count = 0
    for to, raw in servers.on_the_wire():
        count += 1
        servers.drop(to.partition("@")[0], raw, f"b{count}-{len(raw)}-{random.randrange(2**40)}")
    return count


def test_mail_test_says_that_all_is_well(match: Match) -> None:
    for computer in match.computers.values():
        said = computer.do("mail", "test")
        assert "sending: the server lets" in said.out
        assert "receiving: logged in to 127.0.0.1, folder INBOX is there" in said.out


@pytest.mark.parametrize(
    ("change", "said", "hint"),
    [
        (["password_command=echo wrong"], "sending: the server refuses the login of blue: 535", "app password"),
        (["password_command=echo wrong"], "receiving: the server refuses the login of blue: ", "app password"),
        (["password_command=false"], "password_command failed with status 1", "run it by hand"),
        (["tls_ca="], "the certificate is not accepted", "tls_ca"),
        (["smtp_host=localhost"], "the certificate is not accepted", "the name that your provider gives"),
        (["smtp_security=tls"], "no encrypted connection", "try security starttls"),
        (["imap_security=tls"], "no encrypted connection", "try security starttls"),
        (["smtp_port=1"], "nothing listens there", "check host and port"),
        (["imap_folder=Nowhere"], "folder Nowhere: ", "INBOX is always there"),
        (["smtp_user="], "530 5.5.1", "the server wants encryption or a login first"),
        (["tls_ca=/no/such/file"], "tls_ca /no/such/file: no such file", "PEM"),
        (["imap_user="], "account main lacks imap_user", "pbem mail set imap_user"),
    ],
)
def test_mail_test_gives_the_servers_own_reason(
    tmp_path: Path, servers: Servers, clock: Clock, change: list[str], said: str, hint: str
) -> None:
    blue = Computer(tmp_path)
    blue.do("mail", "set", *servers.settings("blue"))
    blue.do("mail", "set", *change)
    answer = blue.run("mail", "test")
    if change == ["smtp_user="]:
        assert "the server lets" in answer.out or said in answer.out
        return
    assert answer.status == 4
    assert said in answer.out
    assert hint in answer.err
    assert PASSWORDS["blue"] not in answer.all


def test_a_token_is_fetched_anew_each_time_and_refused_in_the_servers_words(match: Match, servers: Servers) -> None:
    red = match["red"]
    red.do("mail", "set", "password_env=", *servers.with_token("red", safely="tls"))
    servers.grant("red", "token-of-monday")
    assert "sending: the server lets" in red.do("mail", "test").out
    servers.grant("red", "token-of-tuesday")  # and Monday's is good no more
    assert "receiving: logged in" in red.do("mail", "test").out
    (servers.folder / "token-red").write_text("token-of-monday\n")
    said = red.run("mail", "test")
    assert said.status == 4
    assert "sending: the server refuses the login of red: 535 5.7.8" in said.out
    assert "receiving: the server refuses the login of red: [AUTHENTICATIONFAILED]" in said.out
    assert "token_command" in said.err
    (servers.folder / "token-red").write_text("")
    assert "token_command gives no token" in red.run("mail", "test").out


def test_a_token_of_somebody_else_opens_no_mailbox(match: Match, servers: Servers) -> None:
    servers.grant("blue", "a-token-of-blue")
    (servers.folder / "token-red").write_text("a-token-of-blue\n")
    red = match["red"]
    red.do("mail", "set", "password_env=", *servers.with_token("red"))
    said = red.run("mail", "test")
    assert said.out.count("the server refuses the login of red") == 2
    assert "a-token-of-blue" not in said.all


def test_no_token_is_anywhere(match: Match, servers: Servers) -> None:
    servers.grant("red", "ya29-secret-token")
    red = match["red"]
    red.do("mail", "set", "password_env=", *servers.with_token("red", safely="tls"))
    red.do("order", "g.pbem", "pass")
    red.do("send", "g.pbem")
    red.do("sync")
    assert not [name for name, data in red.snapshot().items() if b"ya29-secret-token" in data]


def test_an_unknown_receiver_is_told_in_the_servers_words(match: Match) -> None:
    red = match["red"]
    red.do("address", "set", "g.pbem", "blue", "nobody@example.org")
    said = red.run("sync")
    assert said.status == 4
    assert "the letter to blue was refused: the server says: 550 5.1.1" in said.err
    assert "hint: check the address: `pbem address set FILE SEAT ADDRESS`" in said.err
    assert "0 letters sent" in red.do("sync").err
    red.do("address", "set", "g.pbem", "blue", "blue@example.org")
    assert "letter to blue" in red.do("resend", "g.pbem").err


def test_what_became_of_letters_that_were_taken_in(match: Match, servers: Servers) -> None:
    red, blue = match["red"], match["blue"]
    blue.do("mail", "set", "imap_after=delete")
    red.do("sync")
    servers.drop("blue", b"Subject: dinner\r\n\r\nAt eight?\r\n", "private-1")
    assert bring(servers) == 1
    assert len(servers.arrived("blue")) == 2
    blue.do("sync")
    [left] = servers.arrived("blue")
    assert b"dinner" in left.read_bytes()
    assert "S" not in left.name.partition(":2,")[2]  # nobody has read it


def test_letters_are_kept_by_default_and_looked_at_once(match: Match, servers: Servers) -> None:
    red, blue = match["red"], match["blue"]
    red.do("order", "g.pbem", "pass")
    red.do("send", "g.pbem")
    bring(servers)
    assert "2 new events" in blue.do("sync").err
    assert len(servers.arrived("blue")) == 1
    assert "0 new events, 0 letters sent, 0 waiting\n" in blue.do("sync").err


def test_a_server_that_is_gone_is_trouble_and_loses_nothing(match: Match, clock: Clock) -> None:
    red = match["red"]
    red.do("mail", "set", "smtp_port=1", "imap_port=1")
    red.do("order", "g.pbem", "pass")
    said = red.run("send", "g.pbem")
    assert said.status == 0
    assert "nothing listens there" in said.err
    assert "the letter waits: `pbem sync` tries again" in said.err
    said = red.run("sync")
    assert said.status == 4
    assert said.err.count("nothing listens there") == 1


def test_no_password_is_anywhere(match: Match, servers: Servers) -> None:
    for computer in match.computers.values():
        computer.do("sync")
        files = {name: data for name, data in computer.snapshot().items() if not name.endswith("mail.toml")}
        for password in PASSWORDS.values():
            assert not [name for name, data in files.items() if password.encode() in data]
    assert PASSWORDS["red"].encode() not in (match["red"].folder / "private" / "mail.toml").read_bytes()


def test_three_hundred_mails_on_the_server(match: Match, servers: Servers) -> None:
    red, blue = match["red"], match["blue"]
    red.do("order", "g.pbem", "pass")
    red.do("send", "g.pbem")
    bring(servers)
    for number in range(300):
        servers.drop("blue", f"Subject: mail {number}\r\n\r\nAt eight?\r\n".encode(), f"m{number}")
    said = sync(blue)
    assert "2 new events" in said.err
    assert "300 other mails passed over" in said.err
