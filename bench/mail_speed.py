"""Taking in mail beside the standard library's parser, and a `sync` that finds nothing new.

    PYTHONPATH=. python bench/mail_speed.py [--rounds N] [--json]

The folder holds 1,000 mails from a fixed seed: private ones of several kinds, and letters of games as they were sent,
re-encoded, forwarded, pasted and quoted. `intake` is what `receive` does to find the packets in them; the yardstick is
`email.message_from_bytes` over the same files, without looking into what it found.
"""

from __future__ import annotations

import base64
import email
import os
import quopri
import random
import statistics
import sys
import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent))

import measure
from measure import Row

from pbem import addresses, agreement, keys, mail, packet, post, sync
from pbem.home import Home
from pbem.mailbox import settings

MAILS = 1_000
GAMES = 100
WORDS = ("the", "quick", "fox", "jumps", "over", "a", "lazy", "dog", "while", "rain", "falls", "on", "hill", "twelve")


def duel(folder: Path, number: int, homes: tuple[Home, Home]) -> tuple[Path, Path]:
    """A duel at an open table with all seals in: red's file and blue's."""
    red, blue = folder / f"red-{number}.pbem", folder / f"blue-{number}.pbem"
    agreement.propose(homes[0], red, agreement.Proposal("open-table"), agreement.Player("red", "id"))
    start = agreement.beginning(red)
    assert start is not None
    agreement.join(homes[1], blue, agreement.setup_packet(homes[0], start), agreement.Player("blue", "id"))
    answer = agreement.beginning(blue)
    assert answer is not None
    agreement.absorb(homes[0], red, agreement.setup_packet(homes[1], answer))
    return red, blue


def two_homes(folder: Path) -> tuple[Home, Home]:
    homes = Home(folder / "red"), Home(folder / "blue")
    for home in homes:
        home.add_key("id", keys.SigningKey.new(), None)
    return homes


def mixed_mails(folder: Path, letter: bytes) -> None:
    rng = random.Random(1)
    [data] = mail.packets(mail.Letter("letter", letter)).packets
    for number in range(MAILS):
        (folder / f"{number:04}.eml").write_bytes(_mail(rng, number, letter, data))


def _mail(rng: random.Random, number: int, letter: bytes, data: bytes) -> bytes:
    head = f"From: a{number}@example.org\r\nSubject: mail {number}\r\nMIME-Version: 1.0\r\n"
    text = "\r\n".join(" ".join(rng.choices(WORDS, k=12)) for _ in range(rng.randrange(5, 80)))
    page = f"<html><body><p>{text}</p></body></html>"
    block = packet.armor(data).replace("\n", "\r\n> ")
    kind = rng.randrange(10)
    if kind < 3:
        return letter
    if kind == 3:  # forwarded as an attachment
        return f'{head}Content-Type: multipart/mixed; boundary="f"\r\n\r\n--f\r\n\r\n{text}\r\n'.encode() + (
            b"--f\r\nContent-Type: message/rfc822\r\n\r\n" + letter + b"\r\n--f--\r\n"
        )
    if kind == 4:  # answered, with the packet quoted
        return f"{head}\r\n{text}\r\n> {block}\r\n".encode()
    if kind == 5:  # a page, in quoted-printable
        body = quopri.encodestring(page.encode()).decode()
        kind_of = "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable"
        return f"{head}{kind_of}\r\n\r\n{body}".encode()
    if kind == 6:  # a picture
        picture = base64.encodebytes(rng.randbytes(rng.randrange(5_000, 60_000))).decode().replace("\n", "\r\n")
        return (
            f'{head}Content-Type: multipart/mixed; boundary="p"\r\n\r\n--p\r\n\r\n{text}\r\n--p\r\nContent-Type: '
            f"image/png\r\nContent-Transfer-Encoding: base64\r\n\r\n{picture}--p--\r\n"
        ).encode()
    if kind == 7:
        return (
            f'{head}Content-Type: multipart/alternative; boundary="a"\r\n\r\n--a\r\n\r\n{text}\r\n'
            f"--a\r\nContent-Type: text/html\r\n\r\n{page}\r\n--a--\r\n"
        ).encode()
    return f"{head}\r\n{text}\r\n".encode()


def parse(folder: Path) -> None:
    for path in sorted(folder.iterdir()):
        email.message_from_bytes(path.read_bytes())


def intake(folder: Path) -> None:
    for letter in mail.letters(folder):
        mail.packets(letter)


def speed_of_intake(number: int) -> list[Row]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        homes = two_homes(folder)
        red, _ = duel(folder, 0, homes)
        from pbem.table import Table

        with Table.locked(red, homes[0]) as table:
            table.set_draft(["move 3rd to hill 12", "pass"])
            table.finish()
            letter = post.letter(table)[1]
        mails = folder / "mails"
        mails.mkdir()
        mixed_mails(mails, letter)
        size = sum(path.stat().st_size for path in mails.iterdir())
        whole = partial(_receive, homes[1], mails)
        whole()
        work = {"parse": partial(parse, mails), "intake": partial(intake, mails), "receive": whole}
        times = measure.rounds(work, number)
    return [
        Row("mails", MAILS, "mails"),
        Row("their size", size / 2**20, "MiB"),
        Row("standard library, parsing alone", MAILS / times.median("parse"), "mails/s"),
        Row("intake: every packet in them", MAILS / times.median("intake"), "mails/s"),
        Row("receive: the packets judged as well, nothing new", MAILS / times.median("receive"), "mails/s"),
        Row("intake : standard library", times.ratio("parse", "intake"), "times as fast", ">= 0.33"),
        Row("receive : standard library", times.ratio("parse", "receive"), "times as fast"),
    ]


def _receive(home: Home, mails: Path) -> None:
    for _ in post.receive(home, mail.letters(mails)):
        pass


def speed_of_sync(number: int) -> list[Row]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        homes = two_homes(folder)
        for box in ("in", "out"):
            (folder / box).mkdir()
        values = {"send": "folder", "receive": "folder", "address": "red@example.org"}
        settings.change(
            homes[0], "main", values | {"send_folder": str(folder / "out"), "receive_path": str(folder / "in")}
        )
        for game in range(GAMES):
            measure.say(f"game {game} of {GAMES}")
            duel(folder, game, homes)
        for room in homes[0].rooms():
            addresses.set_address(room, "blue", "blue@example.org")
        _sync(homes[0])
        os.environ["PBEM_HOME"] = str(homes[0].root)
        work = {
            "sync": partial(_process, homes[0].root),
            "inside": partial(_sync, homes[0]),
            "bare": partial(measure.python, "-c", "import click, ssl, smtplib, imaplib, email, pydantic, jinja2"),
        }
        times = measure.rounds(work, number)
    return [
        Row("games", GAMES, "games"),
        Row("pbem sync with nothing new, the whole process", times.median("sync"), "seconds"),
        Row("the same in processor time", statistics.median(times.cpu["sync"]), "seconds", "< 1"),
        Row("of it the work itself", times.median("inside"), "seconds"),
        Row("pbem sync : bare import of the libraries", times.ratio("sync", "bare"), "times as long"),
    ]


def _sync(home: Home) -> None:
    sync.Round(home, int(time.time()), talk=lambda _: None).run()


def _process(root: Path) -> None:
    measure.python("-c", f"import os; os.environ['PBEM_HOME'] = {str(root)!r}; import pbem.cli; pbem.cli.run(['sync'])")


PARTS = {"Mail: intake of a folder": speed_of_intake, "Mail: sync with nothing new": speed_of_sync}

if __name__ == "__main__":
    measure.command(__doc__, PARTS, 7)
