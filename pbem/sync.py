"""Both directions for all games: take in what has come, send what is owed, ask for what is missing.

Safe at any time and any number of times: what was seen is noted after it was dealt with, a letter that may not have
arrived is sent again, and a letter twice changes nothing. Nothing is answered but to addresses in the book, one letter
a seat and round, so two programs never keep each other busy.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pbem import (
    account as accounts_of,
)
from pbem import (
    acts,
    addresses,
    agreement,
    appeals,
    correspondence,
    envelope,
    lacking,
    log,
    mail,
    notices,
    ordermail,
    packet,
    post,
    report,
    standing,
)
from pbem.correspondence import BY_HAND, DAY, HOUR, PAUSE, PER_DAY, REFUSED, SENT, UNSURE, WAITING, Mailed, Post
from pbem.errors import PbemError, Trouble, WrongUse
from pbem.home import Home, Passphrase, Room
from pbem.mailbox import fetching, sending, settings
from pbem.mailbox.settings import Account
from pbem.packet import Packet
from pbem.post import Sheet, Taken
from pbem.script import run_script
from pbem.table import Table

Talk = Callable[[str], None]
KEPT_ORDERS: Final = 50
FULL: Final = "delete there what you do not need; `pbem receive` and `pbem join` take a mail from anywhere"


@dataclass
class Outcome:
    """What a round did, and the exit status it deserves."""

    taken: list[Taken] = field(default_factory=list)
    passed: int = 0
    sent: int = 0
    waiting: int = 0
    status: int = 0

    def at_least(self, status: int) -> None:
        self.status = max(self.status, status)


class Round:
    """One exchange of mail. `now` is this machine's time in seconds since 1970; `sign` also signs finished drafts,
    `claim` claims that fall due by the charter's clock.
    """

    def __init__(
        self,
        home: Home,
        now: int,
        *,
        talk: Talk,
        passphrase: Passphrase | None = None,
        sign: bool = False,
        claim: bool = False,
    ) -> None:
        self.home = home
        self.now = now
        self.talk = talk
        self.passphrase = passphrase
        self.sign = sign
        self.claim = claim
        self.outcome = Outcome()
        self.accounts = settings.accounts(home)
        self._ways: dict[str, sending.Way | Trouble] = {}
        self._open = ExitStack()
        self._posts: dict[Path, Post] = {}
        self._strangers: dict[str, int] = {}

    # The whole round -------------------------------------------------------------------------------------------

    def run(self) -> Outcome:
        """Take in, then write. `Busy` where another program exchanges mail just now."""
        with log.lock(self.home.root / "mail" / "lock"), self._open:
            for account in self.accounts.values():
                self._collect(account)
            for game, count in self._strangers.items():
                kept = self.home.root / "refused"
                self._tell(f"{count} letters of game {game}, which is not played on this machine, are kept in {kept}")
            for room in self.home.rooms():
                self._tend(room)
        return self.outcome

    def one(self, table: Table) -> Outcome:
        """Only send what is owed in one game, which is open already."""
        with log.lock(self.home.root / "mail" / "lock"), self._open:
            mails = correspondence.load(table.room)
            self._write_all(table, mails)
            self._done(table.room, mails)
        return self.outcome

    def resend(self, table: Table, seats: Sequence[str], since: int | None) -> Outcome:
        """Send again, now, whatever was mailed before."""
        with log.lock(self.home.root / "mail" / "lock"), self._open:
            mails = correspondence.load(table.room)
            for seat in seats:
                mails.seat(seat).times.clear()
                mails.seat(seat).left = 0
                start = lacking.since_for(table, seat) if since is None else since
                self._letter(table, mails, seat, start, reminder=False)
            self._done(table.room, mails)
        return self.outcome

    def request(self, table: Table, seats: Sequence[str]) -> Outcome:
        """Ask seats for what comes after the last event here."""
        with log.lock(self.home.root / "mail" / "lock"), self._open:
            mails = correspondence.load(table.room)
            for seat in seats:
                self._ask(table, mails, seat)
            self._done(table.room, mails)
        return self.outcome

    def _tell(self, text: str, hint: str = "", status: int = 0) -> None:
        self.talk(text)
        if hint:
            self.talk(f"hint: {hint}")
        self.outcome.at_least(status)

    # Taking in -------------------------------------------------------------------------------------------------

    def _collect(self, account: Account) -> None:
        if account.receives == "file":
            return
        understood: set[bytes] = set()
        try:
            for letter in fetching.fetch(account, self.home.root / "mail" / "seen", self.now, understood.__contains__):
                if self.take_in(letter, account):
                    understood.add(letter.raw)
        except Trouble as error:
            self._tell(f"{account.name}: {error}", error.hint, 4)

    def take_in(self, letter: mail.Letter, account: Account | None) -> bool:
        """Deal with one letter. True: it belonged to a game and was understood."""
        if letter.trouble:
            self._tell(f"{letter.name}: {letter.trouble}", status=0 if letter.trouble == fetching.GROWING else 4)
            return False
        about = envelope.read(letter.raw)
        if about.kind == envelope.BOUNCE:
            return self._bounced(letter)
        ordered = self._take_orders(letter, account)
        understood = False
        for taken in post.receive(self.home, iter([letter]), passphrase=self.passphrase):
            if ordered and taken.nothing:
                continue
            understood = self._took(taken, about, letter) or understood
        return understood or ordered

    def _took(self, taken: Taken, about: envelope.Envelope, letter: mail.Letter) -> bool:
        """Tell and note what became of one packet."""
        if taken.nothing:
            self.outcome.passed += 1
            return False
        content = taken.content
        if isinstance(taken.problem, WrongUse) and content is not None and content.of("draft"):
            self._invited(content, about, letter)
            return True
        if isinstance(taken.problem, post.Stranger) and content is not None:
            if correspondence.full(self.home.root / "refused"):
                self._tell(f"{letter.name}: not kept, {self.home.root / 'refused'} is full", FULL)
            else:
                correspondence.keep_refused(self.home.root, letter.raw, ".eml", str(taken.problem))
            self._strangers[content.game[:8]] = self._strangers.get(content.game[:8], 0) + 1
            return False
        self.outcome.taken.append(taken)
        for remark in taken.remarks:
            self._tell(f"{letter.name}: {remark}")
        if taken.problem is not None:
            if not taken.held:
                self._keep(letter, taken.problem)
            self._tell(f"{letter.name}: {taken.problem}", taken.problem.hint, 3 if taken.held else 1)
        elif taken.file is not None:
            self._tell_taken(taken)
        if content is not None:
            self._note_sender(taken, content, about)
        return taken.problem is None or taken.held

    def _tell_taken(self, taken: Taken) -> None:
        if taken.begun and taken.file is not None:
            self._tell(f"{taken.file.name}: {taken.begun}" + ("" if taken.begun == post.SEALED else " still missing"))
        elif (taken.events or taken.papers) and taken.file is not None and taken.content is not None:
            self._tell(
                f"{taken.file.name}: {taken.events} new events, {taken.papers} slips or statements"
                f" from {taken.content.sender}"
            )

    def _keep(self, letter: mail.Letter, problem: PbemError) -> None:
        """A mail that was refused stays, raw, with the reason beside it."""
        with suppress(Trouble):
            kept = correspondence.keep_refused(self.home.root, letter.raw, ".eml", f"{problem}\n{problem.hint}")
            self._tell(f"{letter.name}: the mail is kept as {kept}")

    def _invited(self, content: Packet, about: envelope.Envelope, letter: mail.Letter) -> None:
        path = self.home.root / "invitations" / f"{packet.label(content)}.eml"
        if not path.exists() and correspondence.full(path.parent):
            self._tell(f"an invitation from {about.sender or content.sender} is not kept: {path.parent} is full", FULL)
        elif not path.exists():
            log.write_atomic(path, letter.raw, private=True)
            self._tell(f"an invitation from {about.sender or content.sender}: `pbem join {path}` takes the seat")

    def _note_sender(self, taken: Taken, content: Packet, about: envelope.Envelope) -> None:
        """Who wrote, and what the letter shows that the writer lacks. A daemon's letter shows nothing."""
        room = post.room_of(self.home, content)
        if room is None or content.sender in room.seats() or about.kind:
            return
        new = taken.problem is None and bool(taken.events or taken.papers or taken.begun)
        if new and about.sender:
            self._learn(room, content.sender, about.sender)
        mailed = self._post(room).seat(content.sender)
        mailed.heard = self.now
        papers = (word for word in ("slip", "said", "draft", "receipt") if content.of(word))
        bare = not (content.events or any(papers))
        asks = bare and not content.of("seal") and not content.of("entry")
        if taken.problem is None and (asks or not new):
            mailed.wants, mailed.pressing = content.head, asks or mailed.pressing

    def _learn(self, room: Room, seat: str, address: str) -> None:
        known = addresses.book(room).get(seat, "")
        if addresses.learn(room, seat, address):
            self._tell(f"{seat} writes from {address}; noted in the address book of this game")
        elif known and known.lower() != address.lower():
            self._tell(
                f"{seat} wrote from {address}, and is mailed at {known}",
                f"`pbem address set FILE {seat} {address}` if that is where {seat} reads mail now",
            )

    def _bounced(self, letter: mail.Letter) -> bool:
        """A letter of ours came back: whose, and why, in the words of the server that could not deliver it."""
        ids, reason = envelope.returned(letter.raw)
        for room in self.home.rooms():
            mails = self._post(room)
            for seat, mailed in mails.seats.items():
                if mailed.letter and mailed.letter in ids:
                    mailed.state, mailed.said = REFUSED, reason
                    correspondence.save(room, mails)
                    hint = f"check the address: `pbem address set FILE {seat} ADDRESS`, then `pbem resend FILE`"
                    self._tell(f"the letter to {seat} came back: {reason}", hint, 4)
                    return True
        self.outcome.passed += 1
        return False

    # Orders to oneself -----------------------------------------------------------------------------------------

    def _take_orders(self, letter: mail.Letter, account: Account | None) -> bool:
        found = False
        for block in ordermail.blocks(letter):
            room = self.room_of_orders(block)
            if room is not None:
                found = True
                try:
                    self.order(room, block, letter, account)
                except PbemError as error:
                    self._tell(f"{letter.name}: {error}", error.hint, error.exit_status)
                    self._echo(account, f"Orders refused: {error}", f"{error}\n{error.hint}\n")
                    self._keep(letter, error)
        return found

    def room_of_orders(self, block: ordermail.Block) -> Room | None:
        """The game a block of orders is for, if it is played here."""
        rooms = [room for room in self.home.rooms() if any(one.startswith(block.game) for one in room.names())]
        return rooms[0] if len(rooms) == 1 and rooms[0].seats() else None

    def order(self, room: Room, block: ordermail.Block, letter: mail.Letter, account: Account | None) -> None:
        """Draft the orders of a mail from oneself; sign them where the settings and the word in it allow."""
        path = room.where()
        allowed = account.get("orders", "draft") if account is not None else "draft"
        mails = self._post(room)
        mark = hashlib.sha256(repr(block).encode()).hexdigest()[:16]
        if path is None or allowed == "off" or mark in mails.orders:
            return
        with Table.locked(path, self.home) as table:
            word = ordermail.check(block, room, lacking.answered(table, block))
            if not (word or self._from_oneself(letter, account)):
                raise WrongUse("these orders do not come from yourself", "only your own address may send orders")
            script = run_script(table.blank_trial(), block.lines)
            table.set_draft([line.text for line in script.taken])
            mails.orders = [*mails.orders, mark][-KEPT_ORDERS:]
            correspondence.save(room, mails)
            lines = [f"{line.number} {line.text}" for line in script.taken]
            lines += [f"{line.number} {line.text}  (not used: {script.why})" for line in script.unused]
            done = "drafted, nothing is signed yet"
            if allowed == "sign" and word and not script.unused:
                table.finish(self.passphrase)
                done = "signed"
        for line in (f"{path.name}: orders understood and {done}:", *lines):
            self._tell(line)
        self._echo(account, f"Orders {done}: {path.stem}", "\n".join(lines) + "\n")

    def _from_oneself(self, letter: mail.Letter, account: Account | None) -> bool:
        if account is None:
            return True  # given by hand: `receive --orders`
        own = {account.address.lower(), _bare(account.get("report_to"))} - {""}
        return envelope.author(letter.raw).lower() in own

    def _echo(self, account: Account | None, subject: str, text: str) -> None:
        """Tell the player by mail too, where he gets his reports by mail."""
        to = account.get("report_to") if account is not None else ""
        if account is None or not to or account.sends == "file":
            return
        raw = mail.note(sender=account.get("address"), to=to, subject=subject, text=text)
        with suppress(Trouble):  # it was told here
            self._way(account).send(raw, [_bare(to)], self.now)

    # Writing ---------------------------------------------------------------------------------------------------

    def _post(self, room: Room) -> Post:
        if room.path not in self._posts:
            self._posts[room.path] = correspondence.load(room)
        return self._posts[room.path]

    def _tend(self, room: Room) -> None:
        """Send what is owed in one game. Nothing is opened where nothing has changed and nothing is due."""
        mails = self._post(room)
        asked = any(one.wants for one in mails.seats.values())
        due = bool(mails.due) and mails.due <= self.now
        due = due or (self.claim and 0 < mails.late <= self.now)
        done = mails.stamp == correspondence.stamp(room) and mails.signed >= self.sign
        if done and not (asked or due):
            return
        path = room.where()
        if path is None or not room.seats():
            return
        try:
            self._tend_file(room, path, mails)
        except PbemError as error:
            self._tell(f"{path.name}: {error}", error.hint, error.exit_status)
            mails.stamp = []
            correspondence.save(room, mails)
        else:
            self._done(room, mails)

    def _tend_file(self, room: Room, path: Path, mails: Post) -> None:
        if not path.exists():
            raise Trouble(f"the game file {path} is gone", "restore it, or ask for the whole log: `pbem request`")
        start = agreement.beginning(path)
        if start is not None and start.missing():
            self._write_beginning(room, start, mails)
            return
        with Table.locked(path, self.home) as table:
            if table.fold.holder in table.local and (self._may_sign(table) or lacking.mere_duty(table)):
                self._sign(table)
            self._claim(table, mails)
            self._write_all(table, mails)
            self._look_at_clock(table, mails)

    def _may_sign(self, table: Table) -> bool:
        return self.sign and (bool(table.drafted(table.fold.holder)) or table.may_hand_over(table.fold.holder))

    def _sign(self, table: Table) -> None:
        before = table.fold.seq
        try:
            table.finish(self.passphrase)
        except PbemError as error:
            self._tell(f"{table.path.name}: {error}", error.hint, error.exit_status)
        if table.fold.seq > before:
            self._tell(f"{table.path.name}: signed {table.fold.seq - before} events")

    def _claim(self, table: Table, mails: Post) -> None:
        """Claim what is due by the charter's clock, if the player wants that."""
        late = standing.late(table, mails, self.now) if self.claim else None
        if late is None or late.due > self.now:
            return
        try:
            appeals.claim(table, late.days, self.passphrase, against=late.debtor)
        except PbemError as error:
            self._tell(f"{table.path.name}: {error}", error.hint, error.exit_status)
        else:
            self._tell(f"{table.path.name}: claimed: {late}")

    def _look_at_clock(self, table: Table, mails: Post) -> None:
        """Say once a day that a claim is due; nobody claims by surprise."""
        late = standing.late(table, mails, self.now)
        mails.late = late.due if late is not None else 0
        if late is None or late.due > self.now:
            mails.told = 0
        elif mails.told + DAY <= self.now:
            mails.told = self.now
            hint = f"`pbem sync --claim` or `pbem claim {table.path.name} --days {late.days}` says so in the game"
            self._tell(f"{table.path.name}: {late}", hint)

    def _done(self, room: Room, mails: Post) -> None:
        """Note that everything was looked at, and when to look again."""
        dates = [one.next for one in mails.seats.values() if one.next and one.state != REFUSED]
        dates += list(mails.requested.values())
        dates += [max(mails.late, mails.told + DAY)] if mails.late else []
        mails.due = min(dates, default=0)
        mails.stamp, mails.signed = correspondence.stamp(room), self.sign
        self._posts[room.path] = mails
        correspondence.save(room, mails)

    def _account(self, room: Room) -> Account | None:
        name = addresses.account(room)
        return self.accounts.get(name) if name else next(iter(self.accounts.values()), None)

    def _write_beginning(self, room: Room, start: agreement.Beginning, mails: Post) -> None:
        content = agreement.setup_packet(self.home, start)
        mark = lacking.mark_of(content.lines)
        others = [seat for seat in lacking.seats_of(start) if seat not in room.seats()]
        for seat in others:
            if seat not in addresses.book(room):
                continue
            mailed = mails.seat(seat)
            if self._due(mailed, mark, owes=True, room=room, seat=seat):
                again = mailed.mark == mark and mailed.state == SENT
                sheet = self._sheet(room, seat, reminder=again, named=_named_in(start, room))
                name, raw = post.setup_letter(self.home, start, sheet)
                self._send(room, seat, mailed, mark, name, raw, start.path)
            self._again(room, mailed, owes=True)

    def _write_all(self, table: Table, mails: Post) -> None:
        """Letters to the other seats of a game that has begun."""
        for seat in table.fold.game.sealers():
            if seat not in lacking.here(table):
                self._write_to(table, mails, seat)
        self._ask_for_gaps(table, mails)
        self._report_to_oneself(table, mails)

    def _write_to(self, table: Table, mails: Post, seat: str) -> None:
        mailed, fold = mails.seat(seat), table.fold
        since = lacking.since_for(table, seat)
        mailed.has = max(mailed.has, fold.last_of.get(seat, 0), *lacking.receipts_of(table, seat))
        wants, pressing = mailed.wants, mailed.pressing
        mailed.wants, mailed.pressing = "", False
        mark = self._mark(table, mailed, since)
        owes = seat in lacking.debtors(fold) or seat in lacking.asked(table)
        if wants and (pressing or not mailed.times or mailed.times[-1] + PAUSE <= self.now):
            at = lacking.seq_of(fold, wants)
            mailed.has = max(mailed.has, at or 0)
            start = since if at is None else at
            if lacking.content_for(table, start).lines:
                mailed.left = 0 if mailed.state == BY_HAND else mailed.left
                self._letter(table, mails, seat, start, reminder=False)
        elif mark and self._due(mailed, mark, owes=owes, room=table.room, seat=seat):
            self._letter(table, mails, seat, since, reminder=mailed.mark == mark and mailed.state == SENT)
        elif not mark:
            mailed.state, mailed.next = "", 0
        self._again(table.room, mailed, owes=owes)

    def _due(self, mailed: Mailed, mark: str, *, owes: bool, room: Room, seat: str) -> bool:
        """Whether a letter leaves now: it is new, could not leave before, or is unanswered for long enough."""
        if mailed.mark != mark:
            return True
        if mailed.state in (WAITING, UNSURE):
            return mailed.next <= self.now
        if mailed.state != SENT or not owes or standing.away_until(room, seat, self.now):
            return False
        return bool(mailed.next) and mailed.next <= self.now

    def _again(self, room: Room, mailed: Mailed, *, owes: bool) -> None:
        """When the letter is looked at again."""
        if mailed.state != SENT:
            return
        account = self._account(room)
        days = account.number("again_days", correspondence.AGAIN_DAYS) if account is not None else 3
        mailed.next = correspondence.due_again(mailed, lacking.clock_of(room), days) if owes else 0

    def _letter(self, table: Table, mails: Post, seat: str, since: int, *, reminder: bool) -> None:
        mailed = mails.seat(seat)
        content = lacking.content_for(table, since)
        usual = lacking.since_for(table, seat)
        mark = self._mark(table, mailed, usual)
        sheet = self._sheet(table.room, seat, reminder=reminder, named=_named(table))
        name, raw = post.letter(table, since=None if table.gives_up() else since, sheet=sheet)
        mailed.upto = content.last or table.fold.seq
        self._send(table.room, seat, mailed, mark, name, raw, table.path)
        if mailed.state in (SENT, BY_HAND):
            mailed.noticed = lacking.mark_of(_beside(table))
            mailed.mark = self._mark(table, mailed, usual)

    def _mark(self, table: Table, mailed: Mailed, since: int) -> str:
        """What tells the letter that is due to a seat from others: lines signed here, news beside it not yet had."""
        lines, ours = lacking.own_lines(table, lacking.content_for(table, since), since), _beside(table)
        return lacking.mark_of([*lines, *(ours if mailed.noticed != lacking.mark_of(ours) else [])])

    def _sheet(self, room: Room, seat: str, *, reminder: bool, named: bool) -> Sheet:
        """The addresses of a letter. Whoever gave the game no name is not named by a header either."""
        account, to = self._account(room), addresses.book(room).get(seat, "")
        sender = account.get("address") if account is not None else ""
        sender = sender if named else _bare(sender)
        return Sheet((to,) if to else (), sender, reminder)

    def _send(self, room: Room, seat: str, mailed: Mailed, mark: str, name: str, raw: bytes, path: Path) -> None:
        """Bring a letter on its way, or say why it waits."""
        if mailed.mark != mark:
            mailed.mark, mailed.tries, mailed.left = mark, 0, 0
        if mailed.today(self.now) >= PER_DAY:
            self._wait(mailed, f"{PER_DAY} letters to {seat} within a day: the next one leaves tomorrow", DAY)
            return
        account, to = self._account(room), addresses.book(room).get(seat, "")
        if account is None or account.sends == "file" or not to:
            self._by_hand(seat, to, mailed, name, raw, path)
            return
        kept = room.path / "outbox" / f"{seat}.eml"
        log.write_atomic(kept, raw, private=True)
        mailed.letter = _own_id(raw)
        try:
            _verify(kept)
            mailed.said = self._way(account).send(raw, [to], self.now)
        except sending.Undelivered as error:
            self._undelivered(seat, mailed, error)
        except Trouble as error:
            self._wait(mailed, f"{path.name}: the letter to {seat} waits: {error}", hint=error.hint)
        else:
            mailed.state, mailed.tries = SENT, 0
            mailed.left += 1
            mailed.sent(self.now)
            self.outcome.sent += 1
            self._tell(f"{path.name}: letter to {seat} <{to}>: {mailed.said}")

    def _by_hand(self, seat: str, to: str, mailed: Mailed, name: str, raw: bytes, path: Path) -> None:
        if mailed.state == BY_HAND and mailed.left:
            return
        target = path.parent / f"{Path(name).stem}-{seat}.eml"
        log.write_atomic(target, raw)
        mailed.state, mailed.left, mailed.next = BY_HAND, 1, 0
        hint = sending.mailto(to, f"{path.stem}: {name}") if to else f"`pbem address set {path.name} {seat} ADDRESS`"
        self._tell(f"{path.name}: mail {target} to {to or seat} yourself", hint)

    def _undelivered(self, seat: str, mailed: Mailed, error: sending.Undelivered) -> None:
        if error.kind == "never":
            mailed.state, mailed.said, mailed.next = REFUSED, str(error), 0
            self._tell(f"the letter to {seat} was refused: {error}", error.hint, 4)
            return
        state = UNSURE if error.kind == "unsure" else WAITING
        if state == UNSURE:
            mailed.sent(self.now)
        self._wait(mailed, f"the letter to {seat} waits: {error}", hint=error.hint, state=state)

    def _wait(self, mailed: Mailed, why: str, pause: int = 0, *, hint: str = "", state: str = WAITING) -> None:
        mailed.state, mailed.said = state, why
        mailed.next = self.now + (pause or correspondence.retry_after(mailed.tries))
        mailed.tries += 1
        self.outcome.waiting += 1
        self._tell(why, hint, 4)

    def _way(self, account: Account) -> sending.Way:
        """The account's open way; one that failed is not tried again in this round."""
        if account.name not in self._ways:
            try:
                self._ways[account.name] = self._open.enter_context(sending.way(account))
            except Trouble as error:
                self._ways[account.name] = error
        way = self._ways[account.name]
        if isinstance(way, Trouble):
            raise Trouble(way.what, way.hint)
        return way

    # What is missing -------------------------------------------------------------------------------------------

    def _ask_for_gaps(self, table: Table, mails: Post) -> None:
        """Ask for events that held packets show to be missing, once an hour has not brought them."""
        missing = correspondence.gaps(table.room, table.fold.seq)
        if not missing:
            mails.requested.clear()
            return
        mails.requested = {missing: mails.requested.get(missing, self.now + HOUR)}
        if mails.requested[missing] > self.now:
            return
        mails.requested[missing] = self.now + DAY
        senders = dict.fromkeys(content.sender for _, content in correspondence.held(table.room))
        for seat in senders:
            if seat in table.fold.seats and seat not in table.local:
                self._ask(table, mails, seat)

    def _ask(self, table: Table, mails: Post, seat: str) -> None:
        missing = correspondence.gaps(table.room, table.fold.seq)
        sheet = self._sheet(table.room, seat, reminder=False, named=_named(table))
        name, raw = post.request_letter(table, missing, sheet)
        asked = Mailed(times=list(mails.seat(seat).times))
        self._send(table.room, seat, asked, "request", name, raw, table.path)
        mails.seat(seat).times = asked.times

    def _report_to_oneself(self, table: Table, mails: Post) -> None:
        """The player's own report, with his hidden things, to his own address, when it is his move."""
        account, fold = self._account(table.room), table.fold
        to = account.get("report_to") if account is not None else ""
        if account is None or not to or account.sends == "file":
            return
        deciding = [seat for seat in accounts_of.deciders(fold) if seat in table.local and fold.holder == seat]
        if not deciding or mails.reported == fold.head:
            return
        told = accounts_of.report(
            fold,
            table.story,
            reader=deciding[0],
            known=table.known(deciding[0]),
            since=table.last_look(),
            file=table.path.name,
        )
        block = ordermail.template(fold.game.id, fold.head, ordermail.word(table.room, fold.head))
        text = f"{report.text(told).rstrip()}\n\n{block}"
        raw = mail.note(sender=account.get("address"), to=to, subject=f"Your move: {told.game}", text=text)
        try:
            self._way(account).send(raw, [_bare(to)], self.now)
            mails.reported = fold.head
        except Trouble as error:
            self._tell(f"{table.path.name}: your report could not be mailed: {error}", error.hint, 4)


def _named(table: Table) -> bool:
    """A seat here has given the game a player's name."""
    return any(table.fold.players[seat] != seat for seat in table.local)


def _named_in(start: agreement.Beginning, room: Room) -> bool:
    """The same of a game that has not begun."""
    entries = start.draft.doc["seats"] if start.draft is not None else ()
    if start.game is not None:
        entries = [{"seat": one.seat, "name": one.name} for one in start.game.charter.seats]
    return any(entry.get("name") for entry in entries if entry["seat"] in room.seats())


def _beside(table: Table) -> list[bytes]:
    """What is news beside the game: notices and acts that were made here."""
    return [*notices.own(table.room), *acts.own(table)]


def _own_id(raw: bytes) -> str:
    found = re.search(rb"^Message-ID: (<[^>\r\n]{1,400}>)", raw, re.MULTILINE)
    return found[1].decode("ascii", "replace") if found else ""


def _verify(path: Path) -> None:
    """The copy that is kept must hold a sound packet, or the letter does not leave."""
    found = mail.packets(mail.Letter(path.name, path.read_bytes()))
    if len(found.packets) != 1 or found.problems:
        raise Trouble(f"{path} is not what was written there", "check the disk, then try again")


def _bare(text: str) -> str:
    return mail.address(text)[1].lower() if text else ""
