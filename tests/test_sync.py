"""Whole games by `sync` alone through a post office that loses, doubles, delays and reorders; what sync promises."""

from __future__ import annotations

import base64
import random
from pathlib import Path

import pytest
from computers import Computer, Match, Said, duel, three, two
from postman import HOUR, Clock, Postman, bot_moves, duel_moves, play, receiver, sync

from pbem import correspondence, envelope, mail, notices, ordermail, packet, post, standing
from pbem import sync as exchange
from pbem.errors import Trouble
from pbem.mailbox import sending


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    clock.shown(monkeypatch)
    return clock


def boxes(match: Match) -> Match:
    """Each computer mails into its folder `out` and reads its folder `in`."""
    for seat, computer in match.computers.items():
        for box in ("in", "out"):
            computer.path(box).mkdir(exist_ok=True)
        computer.do(
            "mail",
            "set",
            f"address={seat}@example.org",
            "send=folder",
            "receive=folder",
            f"send_folder={computer.path('out')}",
            f"receive_path={computer.path('in')}",
        )
        for other in match.computers:
            if other != seat:
                computer.do("address", "set", "g.pbem", other, f"{other}@example.org")
    return match


def post_office(match: Match, seed: int, **how: float) -> Postman:
    counts: dict[str, int] = {}

    def deliver(to: str, raw: bytes) -> None:
        seat = to.partition("@")[0]
        counts[seat] = counts.get(seat, 0) + 1
        (match[seat].path("in") / f"{counts[seat]:05}.eml").write_bytes(raw)

    return Postman(random.Random(seed), deliver, **how)  # type: ignore[arg-type]


def collect(match: Match, postman: Postman) -> list[bytes]:
    """Everything that lies in the boxes for outgoing mail."""
    taken = []
    for computer in match.computers.values():
        for path in sorted(computer.path("out").iterdir()):
            raw = path.read_bytes()
            path.unlink()
            postman.take(receiver(raw), raw)
            taken.append(raw)
    return taken


class Collecting(Postman):
    """Empties the boxes before it walks."""

    match: Match

    def walk(self) -> None:
        collect(self.match, self)
        super().walk()


@pytest.mark.parametrize(("dice", "seed"), [("sealed", 1), ("open", 3)])
def test_a_whole_game_under_loss_doubling_delay_and_reordering(
    tmp_path: Path, clock: Clock, dice: str, seed: int
) -> None:
    match = boxes(duel(tmp_path, dice))
    postman = post_office(match, seed)
    postman.__class__ = Collecting
    postman.match = match  # type: ignore[attr-defined]
    rounds = play(match, postman, clock, duel_moves(16), 400)
    assert postman.lost
    assert postman.doubled
    for computer in match.computers.values():
        assert computer.run("verify", "g.pbem", "--finished").out.startswith("VALID")
    assert rounds < 400


def test_three_seats_under_loss_doubling_delay_and_reordering(tmp_path: Path, clock: Clock) -> None:
    match = boxes(three(tmp_path))
    postman = post_office(match, 5)
    postman.__class__ = Collecting
    postman.match = match  # type: ignore[attr-defined]
    play(match, postman, clock, duel_moves(8), 400)
    for computer in match.computers.values():
        assert computer.run("verify", "g.pbem", "--finished").out.startswith("VALID")


# One step at a time ------------------------------------------------------------------------------------------------

DAY = 24 * HOUR


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> tuple[Match, dict[str, dict[str, bytes]], int]:
    """Both have synced and have all seals; nothing lies in the boxes."""
    clock = Clock()
    with pytest.MonkeyPatch.context() as patch:
        clock.shown(patch)
        match = boxes(duel(tmp_path_factory.mktemp("match")))
        exchange_all(match)
        exchange_all(match)
    return match, {seat: one.snapshot() for seat, one in match.computers.items()}, clock.now


@pytest.fixture
def match(ready: tuple[Match, dict[str, dict[str, bytes]], int], clock: Clock) -> Match:
    match, files, clock.now = ready
    for seat, computer in match.computers.items():
        computer.restore(files[seat])
        sync(computer)
    return match


def letters_of(computer: Computer) -> list[Path]:
    return sorted(computer.path("out").iterdir())


def bring(match: Match, sender: str, to: str, count: int = 0) -> list[bytes]:
    """Carry everything (or the last so many) in a box to the other one."""
    paths = letters_of(match[sender])[-count:]
    raws = [path.read_bytes() for path in paths]
    for number, raw in enumerate(raws):
        target = match[to].path("in") / f"{len(list(match[to].path('in').iterdir())):04}-{number}.eml"
        target.write_bytes(raw)
    for path in letters_of(match[sender]):
        path.unlink()
    return raws


def exchange_all(match: Match) -> None:
    for sender, to in (("red", "blue"), ("blue", "red")):
        sync(match[sender])
        bring(match, sender, to)
    for computer in match.computers.values():
        sync(computer)


def order(computer: Computer, *orders: str) -> Said:
    computer.do("order", "g.pbem", *orders)
    return computer.do("send", "g.pbem")


def seat_of(computer: Computer, seat: str) -> correspondence.Mailed:
    return correspondence.load(computer.table("g.pbem").room).seat(seat)


def test_send_mails_at_once_and_strips_the_mark_of_a_draft(match: Match) -> None:
    said = order(match["red"], "pass")
    assert "letter to blue <blue@example.org>: put into" in said.err
    [path] = letters_of(match["red"])
    head = path.read_bytes().partition(b"\r\n\r\n")[0]
    assert b"X-Unsent" not in head
    assert head.count(b"\r\nDate: ") + head.startswith(b"Date: ") == 1
    assert b"To: blue@example.org" in head
    assert b"blue to move" in head


def test_a_draft_that_a_sync_has_seen_is_signed_by_the_next_with_sign(match: Match) -> None:
    red = match["red"]
    red.do("order", "g.pbem", "pass")
    assert "0 letters sent" in sync(red).err
    assert "signed 2 events" in sync(red, "--sign").err
    assert len(letters_of(red)) == 1


def test_what_needs_no_thought_is_passed_on_by_sync_alone(tmp_path: Path, clock: Clock) -> None:
    match = boxes(two(tmp_path, "field-command", "britain", "japan", "--scenario", "regiment"))
    britain, japan = match["britain"], match["japan"]
    choose = bot_moves(2)
    for seat, other in (("britain", "japan"), ("japan", "britain")):
        sync(match[seat])
        order(match[seat], *choose(match, seat)[0].split("; "))
        bring(match, seat, other)
    assert britain.table("g.pbem").fold.seq == 3  # set-up, sealed plan, handover
    sync(britain)
    fold = britain.table("g.pbem").fold
    assert [fold.seats[fold.ids.seat(seq)] for seq in (7, 8)] == ["britain", "britain"]
    assert fold.batch is not None  # the plan was opened and the dice asked for
    assert fold.batch.seed is None
    bring(match, "britain", "japan")
    sync(japan)
    match.agree()


def test_nothing_new_sends_nothing(match: Match) -> None:
    before = {seat: one.snapshot() for seat, one in match.computers.items()}
    for _ in range(3):
        for computer in match.computers.values():
            assert "0 new events, 0 letters sent" in sync(computer).err
    assert {seat: one.snapshot() for seat, one in match.computers.items()} == before


def test_only_what_the_receiver_lacks_is_mailed(match: Match) -> None:
    for seat, other in (("red", "blue"), ("blue", "red"), ("red", "blue")):
        order(match[seat], "pass")
        bring(match, seat, other)
        sync(match[other])
    order(match["blue"], "pass")
    [raw] = bring(match, "blue", "red")
    [data] = mail.packets(mail.Letter("x", raw)).packets
    content = packet.read(data)
    assert content.first == match["blue"].table("g.pbem").fold.last_of["red"] + 1
    assert not content.of("charter")


def test_an_unanswered_letter_is_sent_again_as_a_reminder(match: Match, clock: Clock) -> None:
    order(match["red"], "pass")
    first = letters_of(match["red"])[0].read_bytes()
    clock.now += 2 * DAY
    sync(match["red"])
    assert len(letters_of(match["red"])) == 1
    letters_of(match["red"])[0].unlink()
    clock.now += 2 * DAY
    sync(match["red"])
    [again] = letters_of(match["red"])
    assert b"Subject: Reminder:" in again.read_bytes()
    assert mail.packets(mail.Letter("a", first)).packets == mail.packets(mail.Letter("b", again.read_bytes())).packets


def test_reminders_end(match: Match, clock: Clock) -> None:
    order(match["red"], "pass")
    sent = 0
    for _ in range(400):
        clock.now += 2 * DAY
        sent += "1 letters sent" in sync(match["red"]).err
    assert sent == correspondence.REMINDERS


def test_no_reminder_to_somebody_on_holiday(match: Match, clock: Clock) -> None:
    order(match["red"], "pass")
    away = standing.day(clock.now + 20 * DAY)
    match["red"].do("address", "away", "g.pbem", "blue", away)
    for _ in range(9):
        clock.now += 2 * DAY
        assert "0 letters sent" in sync(match["red"]).err
    assert f"away until {away}" in match["red"].do("status", "g.pbem").out
    clock.now += 4 * DAY
    assert "1 letters sent" in sync(match["red"]).err


def test_a_late_letter_is_held_and_taken_in_when_the_gap_is_filled(match: Match) -> None:
    red, blue = match["red"], match["blue"]
    order(red, "pass")
    bring(match, "red", "blue")
    sync(blue)
    behind = blue.snapshot()
    order(blue, "pass")
    bring(match, "blue", "red")
    sync(red)
    order(red, "move x", "pass")
    bring(match, "red", "blue")
    blue.restore(behind)
    (blue.path("in") / "later.eml").write_bytes(post_of(red, since=4))
    said = blue.run("sync")
    assert said.status == 3
    assert "missing before it: 3 to 4" in said.err
    assert "it came too early: it is held" in said.err
    assert "missing here: events 3 to 4; later ones are held" in blue.do("status", "g.pbem").out
    (blue.path("in") / "whole.eml").write_bytes(post_of(red, since=0))
    sync(blue)
    assert not list(correspondence.held(blue.table("g.pbem").room))
    match.agree()


def post_of(computer: Computer, since: int) -> bytes:
    computer.do("send", "g.pbem", "--since", str(since), "--out", "again.eml")
    return computer.path("again.eml").read_bytes()


def test_a_gap_is_asked_for_and_answered_by_itself(match: Match, clock: Clock) -> None:
    red, blue = match["red"], match["blue"]
    order(red, "pass")
    bring(match, "red", "blue")
    sync(blue)
    behind = blue.snapshot()
    order(blue, "pass")
    bring(match, "blue", "red")
    sync(red)
    order(red, "move x", "pass")
    for path in letters_of(red):
        path.unlink()
    blue.restore(behind)
    (blue.path("in") / "later.eml").write_bytes(post_of(red, since=3))
    sync(blue)
    clock.now += 2 * HOUR
    assert "letter to red" in sync(blue).err
    [asked] = bring(match, "blue", "red")
    assert b"are missing" in asked
    sync(red)
    [answer] = bring(match, "red", "blue")
    [data] = mail.packets(mail.Letter("answer", answer)).packets
    assert packet.read(data).first == 3
    sync(blue)
    match.agree()


def test_a_request_and_a_resend_by_hand(match: Match, clock: Clock) -> None:
    red, blue = match["red"], match["blue"]
    order(red, "pass")
    for path in letters_of(red):
        path.unlink()  # lost
    blue.do("request", "g.pbem")
    bring(match, "blue", "red")
    assert "letter to blue" in sync(red).err
    for path in letters_of(red):
        path.unlink()  # lost again
    red.do("resend", "g.pbem", "--to", "blue", "--since", "0")
    [raw] = bring(match, "red", "blue")
    [data] = mail.packets(mail.Letter("x", raw)).packets
    assert packet.read(data).of("charter")
    sync(blue)
    match.agree()


def test_the_two_programs_do_not_keep_each_other_busy(match: Match, clock: Clock) -> None:
    order(match["red"], "pass")
    count = 0
    for _ in range(30):
        clock.now += HOUR
        for sender, to in (("red", "blue"), ("blue", "red")):
            sync(match[sender])
            raws = bring(match, sender, to)
            count += len(raws)
            for number, raw in enumerate(raws):  # every mail comes twice
                (match[to].path("in") / f"copy-{clock.now}-{number}.eml").write_bytes(raw)
    assert count <= 3


def test_own_letters_and_daemons_are_not_answered(match: Match, clock: Clock) -> None:
    red, blue = match["red"], match["blue"]
    order(red, "pass")
    [raw] = bring(match, "red", "blue")
    (red.path("in") / "own.eml").write_bytes(raw)
    sync(blue)
    clock.now += DAY
    assert "0 letters sent" in sync(red).err
    order(blue, "pass")
    [answer] = bring(match, "blue", "red")
    sync(red)
    clock.now += DAY
    for name, head in (("a", b"Auto-Submitted: auto-replied\r\n"), ("b", b"Return-Path: <>\r\n")):
        (blue.path("in") / f"{name}.eml").write_bytes(head + raw)
        (red.path("in") / f"{name}.eml").write_bytes(head + answer)
    for computer in match.computers.values():
        assert "0 letters sent" in sync(computer).err


BOUNCE = (
    "Return-Path: <>\r\nFrom: MAILER-DAEMON@example.org\r\nContent-Type: multipart/report; boundary=b\r\n\r\n"
    "--b\r\nContent-Type: message/delivery-status\r\n\r\nStatus: 5.1.1\r\n"
    "Diagnostic-Code: smtp; 550 5.1.1 no such user\r\n\r\n--b\r\nContent-Type: message/rfc822\r\n\r\n"
)


def test_a_letter_that_comes_back_is_told_with_the_reason(match: Match, clock: Clock) -> None:
    red = match["red"]
    order(red, "pass")
    [path] = letters_of(red)
    (red.path("in") / "bounce.eml").write_bytes(BOUNCE.encode() + path.read_bytes() + b"\r\n--b--\r\n")
    said = red.run("sync")
    assert said.status == 4
    assert "the letter to blue came back: 550 5.1.1 no such user" in said.err
    assert "hint: check the address" in said.err
    assert "refused" in red.do("status", "g.pbem").out
    clock.now += 30 * DAY
    assert "0 letters sent" in sync(red).err
    assert red.do("resend", "g.pbem").status == 0


class Broken:
    """A way that fails so often."""

    def __init__(self, *kinds: str) -> None:
        self.kinds = list(kinds)
        self.sent: list[bytes] = []

    def __call__(self, account: object) -> Broken:
        return self

    def __enter__(self) -> Broken:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def send(self, raw: bytes, to: list[str], now: int) -> str:
        kind = self.kinds.pop(0) if self.kinds else ""
        if kind != "later":
            self.sent.append(raw)
        if kind:
            raise sending.Undelivered(kind, f"it failed: {kind}", "a hint")
        return "taken"


@pytest.mark.parametrize("kind", ["later", "unsure"])
def test_a_letter_that_could_not_leave_is_tried_again(
    match: Match, clock: Clock, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    red, way = match["red"], Broken(kind)
    monkeypatch.setattr(sending, "way", way)
    red.do("order", "g.pbem", "pass")
    assert "the letter waits" in red.do("send", "g.pbem").err
    assert seat_of(red, "blue").state == ("waiting" if kind == "later" else "unsure")
    assert "0 letters sent" in red.run("sync").err
    clock.now += HOUR
    assert "1 letters sent" in sync(red).err
    assert seat_of(red, "blue").state == "sent"
    assert len(set(way.sent)) == 1


def test_a_letter_refused_for_good_is_told_and_not_tried_for_ever(
    match: Match, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    red, way = match["red"], Broken("never")
    monkeypatch.setattr(sending, "way", way)
    red.do("order", "g.pbem", "pass")
    said = red.run("send", "g.pbem")
    assert "the letter to blue was refused: it failed: never" in said.err
    clock.now += 10 * DAY
    assert "0 letters sent" in sync(red).err
    assert len(way.sent) == 1


def test_the_copy_is_checked_before_it_is_called_sent(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(path: Path, data: bytes, **_: object) -> None:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data[:200] if path.suffix == ".eml" else data)

    red = match["red"]
    red.do("order", "g.pbem", "pass")
    monkeypatch.setattr(exchange.log, "write_atomic", broken)
    said = red.run("send", "g.pbem")
    assert "is not what was written there" in said.err
    assert not letters_of(red)


def test_a_fork_is_named_and_both_sides_are_kept(match: Match) -> None:
    red, blue = match["red"], match["blue"]
    before = red.snapshot()
    order(red, "move a", "pass")
    bring(match, "red", "blue")
    sync(blue)
    ours = blue.path("g.pbem").read_bytes()
    red.restore(before)
    order(red, "move b", "pass")
    bring(match, "red", "blue")
    said = blue.run("sync")
    assert said.status == 1
    assert "E_FORK" in said.err
    assert "the refused packet is kept as" in said.err
    assert "the mail is kept as" in said.err
    assert blue.path("g.pbem").read_bytes() == ours


def test_mail_from_another_address_is_fine_and_told(match: Match) -> None:
    red, blue = match["red"], match["blue"]
    order(red, "pass")
    [path] = letters_of(red)
    path.write_bytes(path.read_bytes().replace(b"From: red@example.org", b"From: red@other.example"))
    bring(match, "red", "blue")
    said = sync(blue)
    assert "new events" in said.err
    assert "red wrote from red@other.example, and is mailed at red@example.org" in said.err
    assert "red@example.org" in blue.do("address", "show", "g.pbem").out


def test_an_unknown_address_is_learned_from_a_signed_letter(tmp_path: Path, clock: Clock) -> None:
    match = boxes(duel(tmp_path))
    match["blue"].do("address", "set", "g.pbem", "red", "-")
    order(match["red"], "pass")
    bring(match, "red", "blue")
    assert "red writes from red@example.org; noted" in sync(match["blue"]).err
    for computer in match.computers.values():
        assert b"example.org" not in computer.path("g.pbem").read_bytes()


def test_twice_at_once_is_harmless(match: Match) -> None:
    red = match["red"]
    red.do("order", "g.pbem", "pass")
    runs = [red.start("sync", "--sign") for _ in range(4)]
    for run in runs:
        _, err = run.communicate(timeout=60)
        assert run.returncode == 0, err
    assert len(letters_of(red)) == 1


def test_an_invitation_is_kept_and_answered_at_its_address(tmp_path: Path, clock: Clock) -> None:
    red, blue = Computer(tmp_path / "red"), Computer(tmp_path / "blue")
    match = Match({"red": red, "blue": blue})
    red.do("new", "open-table", "--seat", "red", "--file", "g.pbem")
    for computer in (red, blue):
        for box in ("in", "out"):
            computer.path(box).mkdir()
        computer.do(
            "mail",
            "set",
            f"address={computer.name}@example.org",
            "send=folder",
            "receive=folder",
            f"send_folder={computer.path('out')}",
            f"receive_path={computer.path('in')}",
        )
    red.do("address", "set", "g.pbem", "blue", "blue@example.org")
    sync(red)
    bring(match, "red", "blue")
    said = sync(blue)
    assert "an invitation from red@example.org: `pbem join" in said.err
    [kept] = (blue.folder / "private" / "invitations").iterdir()
    assert "red is mailed at red@example.org" in blue.do("join", kept, "--file", "g.pbem").err
    sync(blue)
    bring(match, "blue", "red")
    assert "all seals are in" in sync(red).err
    bring(match, "red", "blue")
    sync(blue)
    match.agree()


def test_events_before_the_seals_are_held(tmp_path: Path, clock: Clock) -> None:
    red, blue = Computer(tmp_path / "red"), Computer(tmp_path / "blue")
    red.do("new", "open-table", "--seat", "red", "--file", "g.pbem")
    blue.do("join", red.letter, "--file", "g.pbem")
    red.do("receive", blue.letter)
    red.do("send", "g.pbem")
    seals = red.letter
    red.do("order", "g.pbem", "pass")
    red.do("send", "g.pbem")
    [data] = mail.packets(mail.Letter("x", red.letter.read_bytes())).packets
    whole = packet.read(data)
    alone = packet.Packet(whole.sender, whole.game, whole.head, whole.events)
    said = blue.run("receive", "-", stdin=packet.write(alone))
    assert said.status == 3
    assert "it is held" in said.err
    blue.do("receive", seals)
    assert blue.table("g.pbem").fold.seq == 2


# Away, late, and where the others are mailed -----------------------------------------------------------------------


def clocked(folder: Path, days: str = "3") -> Match:
    """A duel with a clock in its charter, all seals exchanged."""
    match = boxes(duel(folder, "sealed", "--days", days))
    exchange_all(match)
    exchange_all(match)
    return match


def test_an_absence_is_announced_and_the_other_sends_no_reminder(tmp_path: Path, clock: Clock) -> None:
    match = clocked(tmp_path)
    red, blue = match["red"], match["blue"]
    last = standing.day(clock.now + 20 * DAY)
    assert "the next letter tells the others" in blue.do("address", "away", "g.pbem", "blue", last).err
    assert "1 letters sent" in sync(blue).err
    assert "0 letters sent" in sync(blue).err
    [raw] = bring(match, "blue", "red")
    assert f"blue is away from {standing.day(clock.now)} to {last}.".encode() in raw
    assert f"blue is away from {standing.day(clock.now)} to {last}" in sync(red).err
    order(red, "pass")
    bring(match, "red", "blue")
    for _ in range(20):
        clock.now += DAY
        said = sync(red).err
        assert "0 letters sent" in said
        assert "has owed" not in said
    assert f"away until {last}" in red.do("address", "show", "g.pbem").out
    said = ""
    for _ in range(6):
        clock.now += DAY
        said += sync(red).err
    assert "letter to blue" in said  # back again, and reminded
    assert b"away" not in red.path("g.pbem").read_bytes()


def test_a_claim_falls_due_by_the_clock_and_is_never_made_by_surprise(tmp_path: Path, clock: Clock) -> None:
    match = clocked(tmp_path)
    red = match["red"]
    order(red, "pass")
    lines = []
    for _ in range(9):
        clock.now += 12 * HOUR
        lines += [line for line in sync(red).err.splitlines() if "has owed" in line or "sync --claim" in line]
    assert [line for line in lines if line.startswith("g.pbem")] == [
        "g.pbem: blue has owed event 3 for 4 days; 3 are agreed"
    ]
    assert any("`pbem sync --claim` or `pbem claim g.pbem --days 4`" in line for line in lines)
    assert b"claim" not in red.path("g.pbem").read_bytes()
    said = sync(red, "--claim").err
    assert "claimed: blue has owed event 3 for 4 days; 3 are agreed" in said
    assert "letter to blue" in said
    assert red.path("g.pbem").read_bytes().count(b'"kind":"claim"') == 1
    clock.now += 2 * DAY
    assert "has owed" not in sync(red, "--claim").err
    bring(match, "red", "blue")
    sync(match["blue"])
    assert "red claims: blue has owed event 3 for 4 days" in match["blue"].do("status", "g.pbem").out


def test_days_of_an_absence_count_for_no_claim(tmp_path: Path, clock: Clock) -> None:
    match = clocked(tmp_path)
    red = match["red"]
    order(red, "pass")
    red.do("address", "away", "g.pbem", "blue", standing.day(clock.now + 10 * DAY))
    clock.now += 9 * DAY
    assert "claimed" not in sync(red, "--claim").err
    for _ in range(12):
        clock.now += DAY
        said = sync(red, "--claim").err
        if "claimed" in said:
            break
    assert "days, and 10 more away; 3 are agreed" in said


def test_without_a_clock_nothing_is_claimed(match: Match, clock: Clock) -> None:
    order(match["red"], "pass")
    clock.now += 400 * DAY
    assert "claim" not in sync(match["red"], "--claim").err


def test_addresses_are_passed_on_with_consent_among_three(tmp_path: Path, clock: Clock) -> None:
    match = boxes(three(tmp_path))
    for seat in ("blue", "green"):
        for other in ("blue", "green"):
            if seat != other:
                match[seat].do("address", "set", "g.pbem", other, "-")
    red, blue, green = (match[seat] for seat in ("red", "blue", "green"))
    green.do("address", "share", "g.pbem")
    sync(green)
    bring(match, "green", "red")
    sync(red)
    order(red, "pass")
    to_blue = [path.read_bytes() for path in letters_of(red) if b"To: blue@" in path.read_bytes()]
    raw = next(one for one in to_blue if b"blue to move" in one)
    assert b"green is mailed at green@example.org." in raw
    assert b"blue@example.org" not in raw.partition(b"\r\n\r\n")[2]  # blue has not allowed it
    (blue.path("in") / "1.eml").write_bytes(raw)
    assert "green is mailed at green@example.org; noted in the address book" in sync(blue).err
    order(blue, "pass")
    assert [one for one in letters_of(blue) if b"To: green@" in one.read_bytes()]
    for computer in match.computers.values():
        assert b"example.org" not in computer.path("g.pbem").read_bytes()


@pytest.mark.parametrize("harm", ["sig", "foreign", "old"])
def test_forged_foreign_and_old_notices_are_ignored(match: Match, tmp_path: Path, clock: Clock, harm: str) -> None:
    red, blue = match["red"], match["blue"]
    blue.do("address", "away", "g.pbem", "blue", standing.day(clock.now + 9 * DAY))
    first = notices.text(blue.table("g.pbem").room)
    blue.do("address", "away", "g.pbem", "blue", standing.day(clock.now + 5 * DAY))
    table = red.table("g.pbem")
    if harm == "sig":
        line = notices.own(blue.table("g.pbem").room)[0]
        swapped = (b"f" if line[:1] != b"f" else b"e") + line[1:]
        text = f"== pbem notice ==\n{base64.b64encode(swapped).decode()}\n== end of notice ==\n"
    elif harm == "foreign":
        other = duel(tmp_path)
        other["blue"].do("address", "away", "g.pbem", "blue", standing.day(clock.now + 9 * DAY))
        text = notices.text(other["blue"].table("g.pbem").room)
    else:
        assert notices.take(table.fold, table.room, [notices.text(blue.table("g.pbem").room)])
        text = first
    before = notices.kept(table.room)
    assert notices.take(table.fold, table.room, [text]) == []
    assert notices.kept(table.room) == before


@pytest.mark.parametrize("day", ["2027-02-30", "tomorrow", "2000-01-01", "9999-01-01"])
def test_a_day_that_is_none_is_refused(match: Match, day: str) -> None:
    said = match["red"].run("address", "away", "g.pbem", "red", day)
    assert said.status == 2
    assert "hint:" in said.err


# What is kept, what is told ----------------------------------------------------------------------------------------


def test_a_damaged_letter_is_kept_and_told(match: Match) -> None:
    order(match["red"], "pass")
    [path] = letters_of(match["red"])
    raw = path.read_bytes()
    [data] = mail.packets(mail.Letter("x", raw)).packets
    (match["blue"].path("in") / "bad.eml").write_bytes(b"Subject: x\r\n\r\n" + data.replace(b'"kind"', b'"kinb"', 1))
    said = match["blue"].run("sync")
    assert said.status == 1
    assert "the checksum does not fit" in said.err
    [kept] = (match["blue"].folder / "private" / "refused").glob("*.eml")
    assert kept.with_suffix(".txt").read_text()
    assert "0 new events" in sync(match["blue"]).err


def test_letters_of_a_stranger_game_are_told_and_kept(match: Match, tmp_path: Path) -> None:
    other = duel(tmp_path / "other")
    other["red"].do("order", "g.pbem", "pass")
    other["red"].do("send", "g.pbem")
    (match["blue"].path("in") / "x.eml").write_bytes(other["red"].letter.read_bytes())
    said = sync(match["blue"])
    assert "1 letters of game" in said.err
    assert "not played on this machine" in said.err
    assert list((match["blue"].folder / "private" / "refused").glob("*.eml"))


def test_a_thousand_mails_in_a_folder(match: Match) -> None:
    red, blue = match["red"], match["blue"]
    order(red, "pass")
    [raw] = bring(match, "red", "red")
    rng = random.Random(7)
    for number in range(1000):
        kind = rng.randrange(10)
        text = raw if kind == 0 else f"From: x@example.org\r\nSubject: mail {number}\r\n\r\ndinner?\r\n".encode()
        (blue.path("in") / f"m{number:04}.eml").write_bytes(text)
    said = sync(blue)
    assert "other mails passed over" in said.err
    assert blue.table("g.pbem").fold.seq == 2
    assert "0 new events, 0 letters sent, 0 waiting\n" in sync(blue).err


# Orders by mail ----------------------------------------------------------------------------------------------------


def reply(computer: Computer, orders: str, *, who: str, word: str = "", quote: str = "> ") -> bytes:
    fold = computer.table("g.pbem").fold
    begin, _, end = ordermail.template(fold.game.id, fold.head, word).splitlines()
    return (
        f"From: {who}\r\nTo: {who}\r\nSubject: Re: Open table\r\n\r\nhere they are\r\n{quote}{begin}\r\n"
        f"{quote}# one order a line\r\n{orders}\r\n{quote}{end}\r\n-- \r\nRed Baron, Esq.\r\npass\r\n"
        "This message is confidential.\r\n"
    ).encode()


def test_orders_in_a_mail_to_oneself_become_a_draft(match: Match) -> None:
    red = match["red"]
    (red.path("in") / "o.eml").write_bytes(reply(red, "move x\r\npass", who="red@example.org"))
    said = sync(red)
    assert "orders understood and drafted, nothing is signed yet" in said.err
    assert "1 move x" in said.err
    assert red.table("g.pbem").drafted() == ["move x", "pass"]
    assert red.table("g.pbem").fold.seq == 0


def test_orders_given_by_hand(match: Match) -> None:
    red = match["red"]
    page = reply(red, "move x", who="red@example.org", quote="").decode()
    body = page.partition("\r\n\r\n")[2].replace("\r\n", "<br>\r\n")
    red.path("o.eml").write_text(f"Subject: x\r\nContent-Type: text/html\r\n\r\n<html><div>{body}</div></html>")
    red.do("receive", "--orders", "o.eml")
    assert red.table("g.pbem").drafted() == ["move x"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ((b"red@example.org", b"blue@example.org"), "do not come from yourself"),
        ((b"== end of orders ==", b""), "no end line"),
        ((b"move x", b"note"), "a note needs a text"),
    ],
)
def test_orders_by_mail_are_refused_with_the_reason(match: Match, change: tuple[bytes, bytes], words: str) -> None:
    red = match["red"]
    (red.path("in") / "o.eml").write_bytes(reply(red, "move x", who="red@example.org").replace(*change))
    said = red.run("sync")
    assert words in said.err
    assert red.table("g.pbem").drafted() == []
    assert list((red.folder / "private" / "refused").glob("*.eml"))


def test_orders_for_an_older_position_are_refused(match: Match) -> None:
    red = match["red"]
    old = reply(red, "move x", who="red@example.org")
    order(red, "pass")
    (red.path("in") / "o.eml").write_bytes(old)
    said = red.run("sync")
    assert "the game stands at" in said.err
    assert "hint: answer the newest report" in said.err


def test_orders_are_signed_only_with_the_word_of_ones_own_report(match: Match) -> None:
    red = match["red"]
    red.do("mail", "set", "orders=sign", "report_to=red@phone.example")
    sync(red)
    [report] = [path.read_bytes() for path in letters_of(red) if b"To: red@phone.example" in path.read_bytes()]
    assert b"Your move" in report
    table = red.table("g.pbem")
    word = ordermail.word(table.room, table.fold.head)
    assert word.encode() in report
    wrong = reply(red, "move x\r\npass", who="red@example.org", word="0" * 16)
    (red.path("in") / "a.eml").write_bytes(wrong)
    sync(red)
    assert red.table("g.pbem").fold.seq == 0
    (red.path("in") / "b.eml").write_bytes(reply(red, "pass", who="red@phone.example", word=word))
    assert "orders understood and signed" in sync(red).err
    assert red.table("g.pbem").fold.holder == "blue"


def test_no_letter_to_the_opponent_holds_the_word(match: Match) -> None:
    red, blue = match["red"], match["blue"]
    blue.do("mail", "set", "orders=sign", "report_to=blue@phone.example")
    order(red, "pass")
    bring(match, "red", "blue")
    sync(blue)
    table = blue.table("g.pbem")
    word = ordermail.word(table.room, table.fold.head).encode()
    order(blue, "pass")
    to_red = [path.read_bytes() for path in letters_of(blue) if b"To: red@" in path.read_bytes()]
    assert to_red
    assert not any(word in raw for raw in to_red)


def test_any_text_as_order_mail() -> None:
    for text in ("== pbem orders 1a2b3c4d 1a2b3c4d ==\n" * 50, "== end of orders ==", "\x00" * 100, "=" * 10000):
        for block in ordermail.blocks(mail.Letter("x", text.encode())):
            assert not block.lines


def test_the_envelope_of_anything_is_read() -> None:
    for raw in (b"", b"\xff" * 500, b"From: " + b"<" * 5000, b"From: =?utf-8?q?=FF?= <x@y>\n\n", b"Reply-To:\n\n"):
        assert envelope.read(raw).kind == ""
    assert post.waits(None) is False
    assert Trouble("x").hint == ""


# Acts that wait for consent ----------------------------------------------------------------------------------------


def test_an_act_and_the_consents_to_it_go_by_sync_alone(match: Match, clock: Clock) -> None:
    red, blue = match["red"], match["blue"]
    red.do("key", "new", "--name", "second")
    red.do("rekey", "g.pbem", "--key", "second")
    sync(red)
    bring(match, "red", "blue")
    assert "waits for the consent of blue: red signs with another key" in sync(blue).err
    sync(red)
    assert not letters_of(red) + letters_of(blue)  # once, and no answer to it by itself
    blue.do("consent", "g.pbem", "--yes")
    exchange_all(match)
    red.do("consent", "g.pbem", "--yes")
    red.do("order", "g.pbem", "pass")
    red.do("send", "g.pbem")
    exchange_all(match)
    match.agree()
    assert blue.table("g.pbem").fold.key_changes == 1


def test_mail_of_strangers_fills_no_disk(
    match: Match, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anybody may send packets of games that are not played here, and invitations: what is kept of them is bounded."""
    monkeypatch.setattr(correspondence, "FROM_STRANGERS", 1)
    other = duel(tmp_path / "other")
    red = match["red"]
    for number in (1, 2):
        other.turn("red" if number == 1 else "blue", "pass")
        (red.path("in") / f"foreign-{number}.eml").write_bytes(
            other["red" if number == 1 else "blue"].letter.read_bytes()
        )
    said = sync(red).err
    assert said.count("is full") == 1
    assert "hint: delete there what you do not need" in said
    kept = list((red.folder / "private" / "refused").glob("*.eml"))
    assert len(kept) == 1
    for number in (1, 2):
        one = Computer(tmp_path / f"host{number}")
        one.do("new", "open-table", "--file", "h.pbem")
        (red.path("in") / f"invitation-{number}.eml").write_bytes(one.letter.read_bytes())
    said = sync(red).err
    assert said.count("takes the seat") == 1
    assert said.count("is not kept") == 1


@pytest.mark.parametrize("named", [False, True])
def test_whoever_gave_no_name_is_not_named_by_a_header(tmp_path: Path, clock: Clock, named: bool) -> None:
    match = boxes(duel(tmp_path, "sealed", *(("--name", "Red") if named else ())))
    red = match["red"]
    red.do("mail", "set", "address=Red Player <red@example.org>")
    order(red, "pass")
    [letter] = letters_of(red)
    assert (b"Red Player" in letter.read_bytes()) == named
    assert b"red@example.org" in letter.read_bytes()
