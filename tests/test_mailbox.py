"""Mail settings, passwords, ways to send without a server, folders that are watched."""

from __future__ import annotations

import email
import email.policy
import os
import re
import socket
import ssl
import stat
import sys
import threading
import time
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from computers import Computer, duel, two

from pbem import mail, pictures, report
from pbem.errors import PbemError, Trouble, WrongUse
from pbem.home import Home
from pbem.mailbox import advice, fetching, sending, settings
from pbem.mailbox.credentials import Credential, credential
from pbem.mailbox.settings import Account

RAW = (
    b"From: red@example.org\r\nTo: blue@example.org\r\nSubject: a very\r\n long one\r\nX-Unsent: 1\r\n"
    b"Message-ID: <1a2b3c4d-0001-0002.9f8e7d6c@pbem.invalid>\r\n\r\nbody\r\n\r\nX-Unsent: 1\r\n"
)


def account(**values: str) -> Account:
    return Account("main", values)


# Settings ----------------------------------------------------------------------------------------------------------


def test_settings_are_written_and_read(tmp_path: Path) -> None:
    home = Home(tmp_path)
    values = {"address": "Jörg <red@example.org>", "send": "smtp", "smtp_host": "smtp.example.org"}
    settings.change(home, "main", values)
    settings.change(home, "club", {"address": "club@example.org", "password_command": 'pass "show" mail\\x'})
    found = settings.accounts(home)
    assert list(found) == ["main", "club"]
    assert found["main"].address == "red@example.org"
    assert found["main"].server("smtp") == settings.Server("smtp.example.org", 465, "tls", "")
    assert found["club"].get("password_command") == 'pass "show" mail\\x'
    settings.change(home, "main", {"send": ""})
    assert settings.accounts(home)["main"].sends == "file"
    assert tomllib.loads((tmp_path / "mail.toml").read_text("utf-8"))["account"]["main"]["address"].startswith("J")
    if os.name != "nt":
        assert stat.S_IMODE((tmp_path / "mail.toml").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("password", "secret", "a password is never stored"),
        ("smtp_password", "secret", "a password is never stored"),
        ("smtp_hots", "x", "no setting named"),
        ("send", "pigeon", "none of them"),
        ("smtp_port", "70000", "no number from 1 to 65535"),
        ("smtp_host", "smtp.example.org; rm", "no name of a server"),
        ("address", "nobody", "is not a mail address"),
        ("sendmail", "a\nb", "one line"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(tmp_path: Path, key: str, value: str, words: str) -> None:
    with pytest.raises(PbemError, match=words) as met:
        settings.change(Home(tmp_path), "main", {key: value})
    assert met.value.hint or "one line" in words or "number" in words
    assert "secret" not in str(met.value) + met.value.hint
    assert not (tmp_path / "mail.toml").exists()


def test_without_encryption_only_this_machine_is_talked_to(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="without encryption the password could be read"):
        settings.change(Home(tmp_path), "main", {"smtp_host": "smtp.example.org", "smtp_security": "none"})
    settings.change(Home(tmp_path), "main", {"smtp_host": "localhost", "smtp_security": "none"})


@pytest.mark.parametrize(
    "text",
    ["[account", "x = 1", "[account]\nmain = 3", "[account.main]\npassword = 'x'", "\xff", "[account.main]\nsend='x'"],
)
def test_damaged_settings_are_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "mail.toml").write_bytes(text.encode("latin-1"))
    with pytest.raises(Trouble, match=r"mail\.toml"):
        settings.accounts(Home(tmp_path))


def test_the_command_shows_sets_and_names_what_is_needed(tmp_path: Path) -> None:
    one = Computer(tmp_path)
    assert "no mail account is set up" in one.do("mail", "show").err
    assert one.run("sync").status == 2
    assert one.run("mail", "test").status == 2
    assert "still needed: smtp_host" in one.do("mail", "set", "address=red@example.org", "send=smtp").err
    assert "address = red@example.org" in one.do("mail", "show").out
    shown = one.do("mail", "show", "--all").out
    assert all(key in shown for key in settings.KEYS)
    assert one.do("mail", "show", "--json").json() == {"main": {"address": "red@example.org", "send": "smtp"}}
    assert "lacks smtp_host" in one.run("mail", "test").out
    one.do("mail", "set", "send=sendmail", "sendmail=/no/such/program", "receive=folder", f"receive_path={tmp_path}")
    said = one.run("mail", "test")
    assert "/no/such/program is not installed" in said.out
    assert "receiving: reads" in said.out


# Passwords ---------------------------------------------------------------------------------------------------------


def test_passwords_come_from_a_command_the_environment_or_the_keyring(monkeypatch: pytest.MonkeyPatch) -> None:
    python = f'"{sys.executable}" -c'
    command = f"{python} \"print('s3cret'); print('more')\""
    assert credential(account(password_command=command), "red").secret == "s3cret"
    monkeypatch.setenv("PBEM_X", "s3cret")
    assert credential(account(password_env="PBEM_X"), "red").secret == "s3cret"
    ring = ModuleType("keyring")
    ring.get_password = lambda service, user: f"{service}/{user}"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", ring)
    assert credential(account(password_keyring="mail"), "red").secret == "mail/red"
    token = credential(account(token_command=command), "red@example.org")
    assert token.xoauth2() == "user=red@example.org\x01auth=Bearer s3cret\x01\x01"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({}, "nothing says where the password"),
        ({"password_command": f'"{sys.executable}" -c "import sys; print(\'s3cret\'); sys.exit(3)"'}, "status 3"),
        ({"password_command": f'"{sys.executable}" -c "print()"'}, "gives no password"),
        ({"password_env": "PBEM_NOT_SET"}, "no variable PBEM_NOT_SET"),
    ],
)
def test_a_password_that_cannot_be_had_is_told_without_it(values: dict[str, str], words: str) -> None:
    with pytest.raises(Trouble, match=words) as met:
        credential(account(**values), "red")
    assert "s3cret" not in str(met.value) + met.value.hint


def test_the_keyring_may_be_absent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(Trouble, match="the package keyring is not installed"):
        credential(account(password_keyring="mail"), "red")


def test_a_credential_shows_nothing() -> None:
    key = Credential("red", "s3cret")
    assert "s3cret" not in repr(key) + str(key) + key.hide("535 you said s3cret")


class Chatter:
    """A server that says its lines in turn, on loopback."""

    def __init__(self, *lines: bytes) -> None:
        self.lines = lines
        self.heard: list[bytes] = []
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self._talk, daemon=True).start()

    def _talk(self) -> None:
        with self.socket:
            stream, _ = self.socket.accept()
        with stream, stream.makefile("rwb") as file:
            for line in self.lines:
                if line:
                    file.write(line + b"\r\n")
                    file.flush()
                self.heard.append(file.readline())

    def account(self, **more: str) -> Account:
        return account(
            address="red@example.org",
            send="smtp",
            receive="imap",
            smtp_host="127.0.0.1",
            imap_host="127.0.0.1",
            smtp_port=str(self.port),
            imap_port=str(self.port),
            smtp_security="none",
            imap_security="none",
            smtp_user="red",
            imap_user="red",
            **more,
        )


def test_a_token_is_sent_as_xoauth2(monkeypatch: pytest.MonkeyPatch) -> None:
    command = f'"{sys.executable}" -c "print(\'t0ken\')"'
    server = Chatter(b"220 hi", b"250-me\r\n250 AUTH XOAUTH2", b"334 eyJzdGF0dXMiOiI0MDAifQ==", b"535 5.7.8 bad t0ken")
    with pytest.raises(Trouble) as met, sending.way(server.account(token_command=command)):
        pass
    assert "535 5.7.8 bad (hidden)" in str(met.value)
    assert any(line.startswith(b"AUTH XOAUTH2 dXNlcj1yZWQBYXV0aD1CZWFyZXIg") for line in server.heard)


def test_an_imap_server_that_refuses_a_login_is_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_X", "s3cret")
    server = Chatter(b"* OK hi", b"* CAPABILITY IMAP4rev1\r\nAAAA0 OK done", b"* BYE s3cret is wrong")
    with pytest.raises(Trouble) as met, fetching.imap(server.account(password_env="PBEM_X")):
        pass
    assert "s3cret" not in str(met.value)
    assert met.value.hint


# Reasons -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        ("535 5.7.8 Username and Password not accepted", "app password"),
        ("[AUTHENTICATIONFAILED] Invalid credentials", "app password"),
        ("530 5.7.0 Must issue a STARTTLS command first", "encryption or a login"),
        ("553 5.7.1 Sender address rejected", "address"),
        ("550 5.1.1 User unknown", "pbem address set"),
        ("552 5.2.2 quota exceeded", "full"),
        ("571 blocked for spam", "spam"),
        ("399 whatever", "ask your provider"),
    ],
)
def test_a_reason_comes_with_what_to_change(answer: str, hint: str) -> None:
    assert hint in advice.about(answer)


@pytest.mark.parametrize(
    "error",
    [socket.gaierror(-2, "x"), TimeoutError(), ConnectionRefusedError(), ssl.SSLError(1, "WRONG"), OSError(101, "no")],
)
def test_an_unreachable_server_is_told_with_a_hint(error: Exception) -> None:
    told = advice.unreachable("mail.example.org", 465, "tls", error)
    assert "mail.example.org" in str(told)
    assert told.hint


def test_a_servers_words_cannot_steer_the_terminal() -> None:
    assert advice.said(b"550 \x1b[2J\r\n" + b"x" * 1000).isprintable()
    assert len(advice.said(b"x" * 10_000)) <= advice.LONGEST


# Sending without a server ------------------------------------------------------------------------------------------


def test_a_letter_as_it_travels() -> None:
    sent = sending.for_transfer(RAW, 1_800_000_000)
    head, _, body = sent.partition(b"\r\n\r\n")
    assert b"X-Unsent" not in head
    assert b"X-Unsent: 1" in body  # only headers are touched
    assert head.startswith(b"Date: Fri, 15 Jan 2027 08:00:00 +0000\r\n")
    assert b"Subject: a very\r\n long one" in head
    assert sending.for_transfer(sent, 1_800_000_000) == sent


def test_sendmail_gets_the_letter_and_the_addresses(tmp_path: Path) -> None:
    if os.name == "nt":
        pytest.skip("no sendmail on this system")
    program = tmp_path / "sendmail"
    lines = (f'echo "$@" > "{tmp_path}/to"', f'cat > "{tmp_path}/mail"', f'exit $(cat "{tmp_path}/status")')
    program.write_text("\n".join(("#!/bin/sh", *lines, "")))
    program.chmod(0o755)
    (tmp_path / "status").write_text("0")
    one = account(address="red@example.org", send="sendmail", sendmail=str(program))
    with sending.way(one) as way:
        assert way.ready()
        assert "taken by" in way.send(RAW, ["blue@example.org"], 0)
        assert (tmp_path / "to").read_text() == "-i -- blue@example.org\n"
        assert b"\r" not in (tmp_path / "mail").read_bytes()
        for status, kind in (("75", "later"), ("67", "never")):
            (tmp_path / "status").write_text(status)
            with pytest.raises(sending.Undelivered) as met:
                way.send(RAW, ["blue@example.org"], 0)
            assert met.value.kind == kind


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        ((b"250 ok", b"250 ok", b"250 ok", b"451 busy"), "later"),
        ((b"250 ok", b"250 ok", b"250 ok", b"550 no"), "never"),
        ((b"250 ok", b"250 ok", b"250 ok", b"250 ok", b"554 no data"), "never"),
        ((b"250 ok", b"250 ok", b"250 ok", b"250 ok", b"354 go on"), "unsure"),
        ((b"250 ok", b"250 ok"), "later"),
    ],
)
def test_what_a_server_does_to_a_letter_is_told_apart(lines: tuple[bytes, ...], kind: str) -> None:
    server = Chatter(b"220 hi", *lines)
    values = dict(server.account().values, smtp_user="")
    with sending.way(Account("main", values)) as way, pytest.raises(sending.Undelivered) as met:
        way.send(RAW, ["blue@example.org"], 0)
    assert met.value.kind == kind


def test_a_mailto_link() -> None:
    assert sending.mailto("blue@example.org", "Hill 12: your move") == (
        "mailto:blue@example.org?subject=Hill%2012%3A%20your%20move"
    )


def test_without_a_way_to_send_the_letter_is_a_file(tmp_path: Path) -> None:
    match = duel(tmp_path)
    red = match["red"]
    red.do("mail", "set", "address=red@example.org")
    red.do("address", "set", "g.pbem", "blue", "blue@example.org")
    red.do("order", "g.pbem", "pass")
    red.do("send", "g.pbem")
    assert red.letter.exists()
    said = red.do("sync")
    assert "yourself" in said.err
    assert "hint: mailto:blue@example.org?subject=" in said.err
    assert "0 letters sent" in red.do("sync").err
    assert "yourself" not in red.do("sync").err


# Receiving from folders --------------------------------------------------------------------------------------------


def fetched(one: Account, memory: Path) -> list[str]:
    return [letter.trouble or letter.raw.decode() for letter in fetching.fetch(one, memory, 0)]


def aged(path: Path, text: str) -> None:
    path.write_text(text)
    past = time.time() - 60
    os.utime(path, (past, past))


def test_a_folder_is_read_once(tmp_path: Path) -> None:
    box = tmp_path / "box"
    (box / "sub").mkdir(parents=True)
    (box / "a.eml").write_text("a")
    (box / "sub" / "b.eml").write_text("b")
    one = account(receive="folder", receive_path=str(box))
    assert fetched(one, tmp_path / "seen") == ["a", "b"]
    assert fetched(one, tmp_path / "seen") == []
    (box / "c.eml").write_text("c")
    (box / "copy of a.eml").write_text("a")
    assert fetched(one, tmp_path / "seen") == ["c"]


def test_a_letter_counts_as_seen_only_when_it_was_dealt_with(tmp_path: Path) -> None:
    box = tmp_path / "box"
    box.mkdir()
    for name in ("a", "b"):
        (box / name).write_text(name)
    one = account(receive="folder", receive_path=str(box))
    stream = fetching.fetch(one, tmp_path / "seen", 0)
    assert next(stream).raw == b"a"
    stream.close()  # the program ends here
    assert fetched(one, tmp_path / "seen") == ["a", "b"]


def test_a_maildir_and_an_mbox_that_grow(tmp_path: Path) -> None:
    for part in ("new", "cur", "tmp"):
        (tmp_path / "box" / part).mkdir(parents=True)
    (tmp_path / "box" / "new" / "1").write_text("one")
    one = account(receive="folder", receive_path=str(tmp_path / "box"))
    assert fetched(one, tmp_path / "seen") == ["one"]
    (tmp_path / "box" / "new" / "1").rename(tmp_path / "box" / "cur" / "1:2,S")
    (tmp_path / "box" / "new" / "2").write_text("two")
    assert fetched(one, tmp_path / "seen") == ["two"]
    mbox = tmp_path / "mbox"
    first = "From x Mon Nov 30 10:00:00 2026\nSubject: 1\n\none\n\n"
    mbox.write_text(first)
    other = account(receive="folder", receive_path=str(mbox))
    assert len(fetched(other, tmp_path / "seen")) == 1
    mbox.write_text(first + first.replace("one", "two"))
    assert ["two" in text for text in fetched(other, tmp_path / "seen")] == [True]


def test_a_download_that_is_still_growing_is_left_for_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "QUIET", 0.3)
    box = tmp_path / "box"
    box.mkdir()
    aged(box / "done.eml", "done")
    aged(box / "half.eml", "ha")
    (box / "half.eml.part").write_text("")
    aged(box / "other.eml.crdownload", "half")
    one = account(receive="download", receive_path=str(box))
    assert sorted(fetched(one, tmp_path / "seen")) == sorted(["done", *[fetching.GROWING] * 3])
    (box / "half.eml.part").unlink()
    (box / "other.eml.crdownload").rename(box / "other.eml")
    aged(box / "half.eml", "half")
    assert sorted(fetched(one, tmp_path / "seen")) == ["half", "half"][:1]


def test_a_file_is_waited_for_while_it_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "QUIET", 0.3)
    path = tmp_path / "x.eml"
    path.write_text("a")

    def write() -> None:
        for _ in range(3):
            time.sleep(0.1)
            with path.open("a") as stream:
                stream.write("a")

    writer = threading.Thread(target=write)
    writer.start()
    assert fetching.settled(path, patience=5)
    writer.join()
    assert path.read_text() == "aaaa"


def test_a_missing_source_is_trouble(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match="no such file or folder"):
        fetched(account(receive="folder", receive_path=str(tmp_path / "no")), tmp_path)
    with pytest.raises(Trouble, match="lacks receive_path"):
        fetched(account(receive="folder"), tmp_path)


def test_a_damaged_memory_only_means_looking_again(tmp_path: Path) -> None:
    (tmp_path / "box").mkdir()
    (tmp_path / "box" / "a").write_text("a")
    one = account(receive="folder", receive_path=str(tmp_path / "box"))
    assert fetched(one, tmp_path / "seen") == ["a"]
    [memory] = (tmp_path / "seen").iterdir()
    memory.write_text("{")
    assert fetched(one, tmp_path / "seen") == ["a"]


# The picture in the letter -----------------------------------------------------------------------------------------


def test_pictures_stand_in_the_page_where_they_can_be_drawn() -> None:
    from test_mail import NAME, ONE

    page = '<img src="cid:map1@pbem.invalid" alt="map">'
    images = [("map1@pbem.invalid", b"PNG")]
    raw = mail.compose(packet=ONE, packet_name=NAME, subject="s", text="t", html=page, png=images)
    assert b"multipart/related" in raw
    assert b"Content-ID: <map1@pbem.invalid>" in raw
    assert b"Content-Disposition: inline" in raw
    assert mail.packets(mail.Letter("x", raw)).packets == [ONE]


def test_a_letter_with_the_extra_shows_its_map_at_once(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="the extra png")
    raw = letter_with_a_map(tmp_path)
    whole = email.message_from_bytes(raw, policy=email.policy.default)
    assert structure(whole) == (
        "multipart/mixed",
        [
            "multipart/alternative",
            ["text/plain", "multipart/related", ["text/html", "image/png"]],
            "application/octet-stream",
            "image/svg+xml",
        ],
    )
    [picture] = [part for part in whole.walk() if part.get_content_type() == "image/png"]
    [page] = [part for part in whole.walk() if part.get_content_type() == "text/html"]
    assert picture["Content-ID"] == f"<{report.map_cid(1)}>"
    assert picture.get_content_disposition() == "inline"
    assert f'src="cid:{report.map_cid(1)}"' in page.get_content()
    data = picture.get_content()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    wide, high = (int.from_bytes(data[at : at + 4]) for at in (16, 20))  # IHDR
    [drawn] = [part.get_content() for part in whole.walk() if part.get_content_type() == "image/svg+xml"]
    size = re.search(rb'width="([0-9.]+)" height="([0-9.]+)"', drawn)
    assert size
    assert abs(wide - float(size[1])) < 1
    assert abs(high - float(size[2])) < 1


def test_a_letter_without_the_extra_names_the_attached_map(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    raw = letter_with_a_map(tmp_path)
    whole = email.message_from_bytes(raw, policy=email.policy.default)
    assert structure(whole) == (
        "multipart/mixed",
        ["multipart/alternative", ["text/plain", "text/html"], "application/octet-stream", "image/svg+xml"],
    )
    assert b"cid:" not in raw
    with pytest.raises(WrongUse, match="the extra png") as told:
        pictures.png("<svg/>", 1.5)
    assert "pip install 'pbem[png]'" in told.value.hint


def test_what_is_no_picture_is_trouble_and_no_traceback() -> None:
    pytest.importorskip("resvg_py", reason="the extra png")
    with pytest.raises(Trouble, match="could not be drawn"):
        pictures.png("no picture")


def letter_with_a_map(folder: Path) -> bytes:
    """Blue's letter with the first position of a battle of Field Command."""
    match = two(folder, "field-command", "britain", "japan", "--scenario", "regiment", "--dice", "open")
    match["britain"].do("send", "g.pbem", "--since", "0")
    return match["britain"].letter.read_bytes()


def structure(part: email.message.Message) -> object:
    """Types of a mail as it is nested."""
    if not part.is_multipart():
        return part.get_content_type()
    inside = [structure(one) for one in part.get_payload()]
    flat = [two for one in inside for two in (one if isinstance(one, tuple) else (one,))]
    return part.get_content_type(), flat
