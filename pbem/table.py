"""A game as its players handle it: open, draft, sign, take in, answer. The one stateful object.

Order of writing, for signed and for received events alike: journal, pin, game file; each whole and synced.
So a crash at any point loses nothing and signs nothing twice: the next start completes what the journal holds.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import io
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from pbem import batches, beacon, canon, charter, dice, keys, log, proof, receipts, record, saying, trust, verify
from pbem.api import Ask, Illegal, Known, Note, Order, Roll
from pbem.author import Author
from pbem.errors import Ambiguous, Incomplete, OrderRefused, PbemError, Refused, Trouble, Unreadable, WrongUse
from pbem.home import Home, Passphrase, Pin, Room
from pbem.packet import Packet
from pbem.record import Event, Signed, Slip
from pbem.replay import Fold
from pbem.ruleset import Folders, rules_for
from pbem.vault import Vault

BOT: Final = "bot"
"""The name of the bot's key, or how it begins: bot-2 and so on for further seats."""
CORE_ORDERS: Final = {"note": "note TEXT", "resign": "resign"}
"""What every game lets a player write, beside its own orders."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a script: its number, and the order it was read as (None for a core order)."""

    number: int
    text: str
    order: Order | None = None


@dataclass(slots=True)
class Script:
    """What became of a script: lines taken, lines not used and why."""

    taken: list[Line] = field(default_factory=list)
    unused: list[Line] = field(default_factory=list)
    why: str = ""


class Table:
    """One game file with the seats that are played on this machine."""

    def __init__(self, path: Path, home: Home, *, seat: str = "", components: Path | None = None) -> None:
        self.path = path
        self.home = home
        self.folders = [*([components.resolve()] if components else []), *_folders(home, path)]
        self._given = [components] if components else []
        self.story: list[tuple[int, Note]] = []
        self._unsaved: list[Event] = []
        self.local: list[str] = []
        self.rounds: dict[int, str] = {}
        self.ahead = beacon.AHEAD
        self._load()
        self.seat = self._choose_seat(seat)

    @classmethod
    @contextmanager
    def locked(
        cls, path: Path, home: Home, *, seat: str = "", components: Path | None = None, behind: bool = False
    ) -> Iterator[Table]:
        """Open a game to change it: no other pbem works on it meanwhile; what a crash left is completed first.

        A file that is `behind` what this machine has seen may only be opened to `receive` what it lacks.
        """
        with home.room(_setup_of(path)).lock():
            table = cls(path, home, seat=seat, components=components)
            table._complete()
            if not behind:
                table._check_pin()
            table.seat = table._choose_seat(seat)
            yield table

    @classmethod
    def reading(cls, path: Path, home: Home, *, seat: str = "", components: Path | None = None) -> Table:
        """Open a game to look at it: nothing is written, and what a crash left is read with it."""
        table = cls(path, home, seat=seat, components=components)
        for event in table._journal_beyond():
            table.fold.take(event)
        table._check_pin()
        return table

    # Loading ---------------------------------------------------------------------------------------------------

    def _load(self) -> None:
        self.story.clear()
        with log.open_for_reading(self.path) as stream:
            reading = verify.read(
                stream,
                lambda game: rules_for(game, self.folders),
                workers=2,
                listener=lambda seq, note: self.story.append((seq, note)),
            )
        if reading.stopped is not None:
            raise reading.stopped
        if reading.unjudged is not None:
            raise reading.unjudged
        if reading.fold is None:
            raise AssertionError("a sound file has a fold")
        if reading.fold.rounds_unchecked:
            beacon.need()
        self.fold: Fold = reading.fold
        self.room: Room = self.home.room(self.fold.game.charter.setup)
        self.seals = reading.seals
        self._unsaved.clear()
        in_file = self.fold.past

        def past(to: int) -> Iterator[Event]:
            last = 0
            for event in in_file(to) if in_file is not None else ():
                last = event.seq
                yield event
            yield from (event for event in self._unsaved if last < event.seq <= to)

        self.fold.past = past
        self._find_local()

    def _find_local(self) -> None:
        """The seats that are played on this machine now."""
        self.local = [one for one in self.room.seats() if self._is_mine(one)]

    def _reload(self) -> None:
        self._load()

    def _is_mine(self, seat: str) -> bool:
        """The present player's secrets and key are here."""
        if seat not in self.fold.seats:
            return False
        return self.room.secret(seat).has(self.fold.era[seat]) and self._key_here(seat) is not None

    def _choose_seat(self, wanted: str) -> str:
        if wanted:
            if wanted not in self.local:
                mine = ", ".join(self.local) or "none"
                raise WrongUse(f"seat {wanted} is not played on this machine", f"seats played here: {mine}")
            if wanted in self.bots() and not self.fold.closed:
                raise WrongUse(f"the bot plays {wanted}", "you would see its hand; when the game is over you may")
            return wanted
        people = [one for one in self.local if one not in self.bots()] or self.local
        if self.fold.holder in people:
            return self.fold.holder
        return people[0] if people else ""

    def bots(self) -> list[str]:
        """The seats here that were taken for the bot: with its key."""
        return [one for one in self.local if self.room.secret(one).key.partition("-")[0] == BOT]

    def need_seat(self) -> str:
        """The seat to act for; `WrongUse` for a spectator."""
        if not self.seat:
            raise WrongUse("no seat of this game is played on this machine", "join a game first, or only look at it")
        return self.seat

    def remember(self, *, looking: bool = False) -> None:
        """Note where the file of a game that is played here lies; merely `looking` at a copy moves nothing."""
        kept = self.room.where() if looking else None
        if (self.local or self.room.names()) and (kept is None or not kept.exists()):
            self.room.remember(self.path.resolve(), game=self.fold.game.id, components=self._given)

    @property
    def since(self) -> int:
        """The claimed time of the last handover, seconds since 1970; 0 where none was given."""
        return self.fold.handed_at

    def last_look(self) -> int:
        """The event after which everything is news to the seat: its last handover; alone, the start of this turn."""
        if not self.seat:
            return 0
        if not self.fold.solitaire:
            return self.fold.handed[self.seat]
        turns = [seq for seq, note in self.story if note.anchor and "." not in note.anchor]
        begun = [seq for seq in turns if seq < self.fold.seq]
        return max(begun[-1] - 1, 0) if begun else 0

    # Journal and pin -------------------------------------------------------------------------------------------

    def _journal_beyond(self) -> list[Event]:
        """Events that were journalled and are not in the file yet, if they follow its head."""
        if self.room.path.is_dir() is False:
            return []
        events = [record.read_event(line.encode() + b"\n") for line in self.room.journal()]
        beyond = [event for event in events if event.seq > self.fold.seq]
        return beyond if beyond and beyond[0].prev == self.fold.head else []

    def _complete(self) -> None:
        """Finish what a crash interrupted: the same bytes go where they were going."""
        if self.room.pin().head in self.fold.lost_ids:
            self._repin()
        beyond = self._journal_beyond()
        if beyond:
            for event in beyond:
                self.fold.check_signature(event)
                self.fold.take(event)
            self._pin_and_store(beyond)

    def _check_pin(self) -> None:
        pin = self.room.pin()
        if not pin.seq or pin.head in self.fold.lost_ids:
            return
        if pin.seq > self.fold.seq or self.fold.ids.id(pin.seq) != pin.head:
            raise Refused(
                "E_ROLLBACK",
                f"this machine has seen event {pin.seq}, head {pin.head[:16]}; {self.path.name} does not contain it",
                self._newer(),
            )

    def _newer(self) -> str:
        """Where to look for the file that the pin speaks of."""
        kept = self.room.where()
        if kept is not None and kept != self.path.resolve() and kept.exists():
            return f"the game goes on in {kept}"
        return "use the newest copy of the game file, or ask the other player for the whole log (`pbem send --since 0`)"

    def commit(self, events: Sequence[Event], signed_by: str = "") -> None:
        """Make events durable that the fold has taken already. `signed_by` a local seat: never a number twice."""
        if not events:
            return
        pin = self.room.pin()
        if signed_by and events[0].seq <= pin.signed.get(signed_by, 0):
            what = f"{signed_by} has signed up to event {pin.signed[signed_by]} on this machine"
            raise Refused("E_ROLLBACK", what, self._newer())
        self.room.set_journal([event.line().decode().rstrip("\n") for event in events])
        self._pin_and_store(events, pin)

    def _pin_and_store(self, events: Sequence[Event], pin: Pin | None = None) -> None:
        pin = pin or self.room.pin()
        for event in events:
            if event.seat in self.local:
                pin.signed[event.seat] = max(event.seq, pin.signed.get(event.seat, 0))
        pin.seq, pin.head = events[-1].seq, events[-1].id
        self._set_pin(pin)
        log.append(self.path, b"".join(event.line() for event in events))
        if any(event.kind in proof.KEY_CHANGES for event in events):
            self._find_local()

    def _set_pin(self, pin: Pin) -> None:
        if not pin.installation:
            pin.installation = self.home.installation(new=True)
        self.room.set_pin(pin)

    # Restored ---------------------------------------------------------------------------------------------------

    def read_only(self) -> str:
        """Why nothing is signed on this machine at present; empty where it may sign."""
        if not (self.local or self.room.seats() or self.room.chains()):
            return ""
        asking = self.room.asking()
        if asking is not None:
            lacks = receipts.due(self.fold, asking, self.local)
            return f"{asking.why}; missing: {', '.join(lacks)}" if lacks else ""
        number = self.room.pin().installation
        if number and number != self.home.installation():
            return "the application folder was restored, copied or moved, so what it says of signed events may be old"
        return ""

    def need_to_sign(self) -> None:
        """`Incomplete` while this machine may only read."""
        why = self.read_only()
        if why:
            asked = self.room.asking() is not None
            hint = f"`pbem send {self.path.name}` mails the question" if asked else "`pbem resume FILE` asks the others"
            raise Incomplete(f"receipts: {why}", hint)

    def resume(self, why: str, passphrase: Passphrase | None = None) -> None:
        """Ask every other seat what it has, and only read until all have answered."""
        seat = self.need_seat()
        if self.room.asking() is None:
            key = self.home.key(self.key_name(seat), passphrase)
            self.room.set_asking(receipts.new_question(self.fold, key, seat, why))
        self._resumed()

    def _resumed(self) -> None:
        """Go on where all have answered and their heads are here: their marks of slips count as given."""
        asking = self.room.asking()
        if asking is None or receipts.due(self.fold, asking, self.local):
            return
        pin = self.room.pin()
        asker = record.read_statement(asking.ask.encode() + b"\n").says.seat
        for line in asking.receipts.values():
            slip = record.read_receipt(line.encode() + b"\n").says.slip
            if slip is not None:
                given = pin.slips.setdefault(asker, {})
                given.setdefault(str(slip.batch), {"request": slip.request, "line": ""})
        pin.seq, pin.head = self.fold.seq, self.fold.head
        pin.signed = {seat: max(self.fold.last_of[seat], pin.signed.get(seat, 0)) for seat in self.local}
        pin.installation = self.home.installation(new=True)
        self.room.set_pin(pin)
        self.room.set_asking(None)

    def asked_heads(self) -> list[str]:
        """Seats elsewhere that ask what is here and have written nothing since they were answered."""
        desk = self.room.desk()
        return [seat for seat in desk.asked if seat not in self.local]

    def _take_receipts(self, packet: Packet) -> list[str]:
        """Keep receipts and questions for them; what they tell, in words."""
        desk, asking = self.room.desk(), self.room.asking()
        lines = [line.decode().rstrip("\n") for line in packet.of("receipt")]
        remarks = receipts.take(self.fold, desk, asking, self.local, lines)
        for raw in packet.of("said"):
            said = record.read_statement(raw)
            if isinstance(said.says, record.AskHead) and said.says.seat not in self.local:
                self._check_said_key(said)
                desk.asked[said.says.seat] = receipts.text(said)
        self.room.set_desk(desk)
        if asking is not None:
            self.room.set_asking(asking)
            self._resumed()
        return remarks

    def answer_heads(self, passphrase: Passphrase | None = None) -> bool:
        """Answer who asks what is here, with receipts of all seats on this machine: whether there is a new answer."""
        desk, fresh = self.room.desk(), False
        for seat, line in list(desk.asked.items()):
            says = record.read_statement(line.encode() + b"\n").says
            given = desk.given.get(seat, {})
            if given and self.fold.last_of.get(seat, 0) > given["seq"]:
                desk.asked.pop(seat)  # it writes again, so it has what it asked for
                desk.given.pop(seat)
                continue
            if not isinstance(says, record.AskHead) or (given.get("nonce"), given.get("head")) == (
                says.nonce,
                self.fold.head,
            ):
                continue
            about = self.fold.ids.find(says.about) if says.about != self.fold.game.id else 0
            mine = [
                receipts.write(
                    self.fold,
                    self.home.key(self.key_name(own), passphrase),
                    own,
                    _now(),
                    says.nonce,
                    self._slip_of(seat),
                )
                for own in self.local
            ]
            told = {"nonce": says.nonce, "head": self.fold.head, "seq": self.fold.seq, "since": about}
            desk.given[seat] = {**told, "lines": [receipts.text(one) for one in mine]}
            fresh = fresh or bool(mine)
        self.room.set_desk(desk)
        return fresh

    def cosign(self, passphrase: Passphrase | None = None) -> None:
        """The witness dates the head: a receipt under its own namespace, once for each head."""
        if charter.WITNESS not in self.room.seats() or self.read_only() or not self.fold.seq:
            return
        desk, key = self.room.desk(), self._key_here(charter.WITNESS)
        old = record.read_receipt(desk.cosigned.encode() + b"\n").says.head if desk.cosigned else ""
        if key is not None and old != self.fold.head:
            signed = receipts.write(self.fold, self.home.key(key, passphrase), charter.WITNESS, _now())
            desk.cosigned = receipts.text(signed)
            self.room.set_desk(desk)

    def _slip_of(self, seat: str) -> dict[str, Any] | None:
        """The last batch for which the slip of a seat is here, and the request it answers."""
        for held in self._slips():
            if held.says.seat == seat:
                return {"batch": held.says.batch, "request": held.says.request}
        requests: dict[int, str] = {}
        found: dict[str, Any] | None = None
        for event in self.fold.past(self.fold.seq) if self.fold.past is not None else ():
            batch = event.body.get("batch")
            if event.kind == "handover" and isinstance(batch, int):
                requests[batch] = event.id
            gave = event.kind == "resolve" and any(one["seat"] == seat for one in event.body.get("slips", ()))
            if gave and batch in requests:
                found = {"batch": batch, "request": requests[batch]}
        return found

    # Signing ---------------------------------------------------------------------------------------------------

    def author(self, passphrase: Passphrase | None = None, seat: str = "") -> Author:
        """The pen of a local seat. Opens its key, which may ask for a passphrase; none while it may only read."""
        seat = seat or self.need_seat()
        self.need_to_sign()
        key = self.home.key(self.key_name(seat), passphrase)
        self._unsaved.clear()
        vault = self.room.vault(seat)
        return Author(
            self.fold,
            seat,
            key,
            lambda number: vault.link(self.fold, number),
            vault,
            self._unsaved,
            rounds=self.rounds,
            ahead=self.ahead,
        )

    def key_name(self, seat: str) -> str:
        """The name of the key that a seat signs with now; `Trouble` where it is not on this machine."""
        name = self._key_here(seat)
        if name is None:
            raise Trouble(f"the key that {seat} signs with now is not on this machine", "`pbem key show` lists yours")
        return name

    def _key_here(self, seat: str) -> str | None:
        wanted = self.fold.keys[seat].raw
        first = self.room.secret(seat).key
        names = [first, *(name for name in self.home.key_names() if name != first)]
        return next((name for name in names if self.home.has_key(name, wanted)), None)

    def known(self, seat: str) -> Known:
        """What a local seat may see; for any other reader what everybody may."""
        return self.room.vault(seat).known(self.fold) if seat in self.local else self.fold.known

    # Drafts ----------------------------------------------------------------------------------------------------

    def drafted(self, seat: str = "") -> list[str]:
        """Orders kept for the barrier, as they may be typed. Those made on an older position are gone."""
        base, lines = self.room.draft(seat or self.need_seat())
        return lines if base == self.fold.head else []

    def set_draft(self, lines: Sequence[str], seat: str = "") -> None:
        """Keep these orders, all of them, for the present position."""
        self.room.set_draft(seat or self.need_seat(), self.fold.head, list(lines))

    def trial(self, seat: str = "") -> Trial:
        """The position with the drafted orders on it, to try more."""
        trial = self.blank_trial(seat)
        for number, line in enumerate(self.drafted(trial.seat), 1):
            trial.take(number, line)
        return trial

    def blank_trial(self, seat: str = "") -> Trial:
        """The position without the draft, to try orders on."""
        seat = seat or self.need_seat()
        vault = self.room.vault(seat)
        copied = Vault(seat, vault.master, dict(vault.chosen), era=vault.era, former=vault.former)
        return Trial.of_copy(self.fold, copied)

    # The barrier -----------------------------------------------------------------------------------------------

    def finish(self, passphrase: Passphrase | None = None, *, patient: bool = False) -> Barrier:
        """Sign what is drafted and go as far as this seat can: dice that are due, and the handover if the baton passes.

        Nothing is signed where the draft leaves the seat's own decision open (`OrderRefused`); but who is `patient`
        waits with it for the answer to a window that was passed.
        """
        done = Barrier()
        if not self.seat and self.room.seats():
            return done  # the seat was handed on to a successor
        seat = self.need_seat()
        if self.fold.holder != seat:
            return done
        self._must_complete(seat, patient)
        lines = self.drafted(seat)
        if not (lines or self._automatic(seat) or self.may_hand_over(seat, patient)):
            return done
        author = self.author(passphrase, seat)
        try:
            done.rolled = self._go_on(author)
            self.sign_draft(author, lines)
            lines = []
            done.rolled = self._go_on(author) or done.rolled
        except Incomplete:
            self.commit(author.written, seat)
            self.set_draft(lines, seat)
            raise
        if self.may_hand_over(seat, patient):
            author.handover(_now())
            done.handed_over = True
        done.events = len(author.written)
        self.store(author)
        if self.all_here():
            self.answer(passphrase)
        return done

    def all_here(self) -> bool:
        """Every seat is played on this machine, and the witness' too: there is nobody to mail to."""
        witnessed = charter.WITNESS in self.fold.chains and charter.WITNESS not in self.room.seats()
        return set(self.fold.seats) <= set(self.local) and not witnessed

    def roll_now(self, passphrase: Passphrase | None = None) -> int:
        """Sign the draft and let the dice fall at once (open dice): events signed, 0 when no dice are due."""
        seat = self.need_seat()
        if self.fold.policy != "open" or self.fold.holder != seat:
            return 0
        trial = self.trial(seat)
        if not (trial.asks and isinstance(trial.asks[0], Roll)) or trial.fold.dice_late():
            return 0
        lines = self.drafted(seat)
        author = self.author(passphrase, seat)
        self._go_on(author)
        self.sign_draft(author, lines)
        self._go_on(author)
        self.store(author)
        return len(author.written)

    def store(self, author: Author) -> None:
        """Make what an author has signed durable; his draft is used up."""
        self.commit(author.written, author.seat)
        self.set_draft([], author.seat)

    def _automatic(self, seat: str) -> bool:
        """The next event needs no thought of this seat: due dice, or what its client answers by itself."""
        first = self.fold.asks[0] if self.fold.asks else None
        asked = isinstance(first, Ask) and first.seat == seat and first.client is not None
        return self.dice_due(seat) or (asked and self.fold.holder == seat)

    def _go_on(self, author: Author) -> bool:
        """Answer client asks and let due dice fall until this seat must think. True: dice fell."""
        rolled = False
        while self._automatic(author.seat):
            before = self.fold.seq
            author.answer_client_asks()
            if self.dice_due(author.seat):
                author.resolve(self._slips() + self.own_slips())
                rolled = True
            if self.fold.seq == before:
                break
        return rolled

    def _must_complete(self, seat: str, patient: bool) -> None:
        """Refuse a draft after which the same seat still has to decide, unless dice come first."""
        if not self.drafted(seat):
            return
        trial = self.trial(seat)
        first = trial.asks[0] if trial.asks else None
        if isinstance(first, Ask) and first.seat == seat and not (patient and trial.fold.windows):
            offers = trial.offers()
            hint = "you may write: " + "; ".join(offers[:8]) if offers else ""
            raise OrderRefused(
                f"nothing was signed: {seat} still decides {first.what.replace('_', ' ')} [{first.clause}]", hint
            )

    def sign_draft(self, author: Author, lines: Sequence[str]) -> None:
        """Turn drafted orders into events of the author (not yet durable)."""
        trial = Trial(author)
        for number, line in enumerate(lines, 1):
            trial.take(number, line)

    def dice_due(self, seat: str) -> bool:
        """The seat holds the baton and the next event is its `resolve`."""
        fold = self.fold
        if fold.holder != seat:
            return False
        first_is_roll = bool(fold.asks) and isinstance(fold.asks[0], Roll)
        if fold.policy == "open":
            if fold.solitaire:
                return fold.needs_request()
            return first_is_roll and fold.batch is not None and fold.batch.seed is None and not fold.dice_late()
        return fold.batch is not None and fold.batch.seed is None

    def may_hand_over(self, seat: str, patient: bool = False) -> bool:
        """Whether a handover by the seat would be accepted now; `patient`: with its own decision open, too."""
        fold = self.fold
        if fold.holder != seat or fold.closed or self.dice_due(seat):
            return False
        if not fold.asks:
            return True
        if fold.solitaire and fold.policy == "open":
            return False
        if not fold.open_pair and fold.needs_request():
            return True
        first = fold.asks[0]
        return not (isinstance(first, Ask) and first.seat == seat) or (patient and bool(fold.windows))

    # Releasing links -------------------------------------------------------------------------------------------

    def releasers(self) -> list[str]:
        """Who releases a link for the batch that waits, from this machine: whose chain and slip key are here."""
        batch = self.fold.batch
        if self.fold.policy == "open" or batch is None or batch.seed is not None:
            return []
        others = [name for name in batch.contributors if name != batch.requester]
        return [name for name in others if self._slip_key(name) is not None and self._has_chain(name)]

    def _slip_key(self, name: str) -> str | None:
        """The name of the key that signs slips for a seat or the witness, if it is here."""
        batch = self.fold.batch
        wanted = batch.slip_keys[name].raw if batch is not None else b""
        return next((key for key in self.home.key_names() if self.home.has_key(key, wanted)), None)

    def _has_chain(self, name: str) -> bool:
        here = name in self.room.seats() and self.room.secret(name).has(self.fold.era.get(name, 0))
        return here or bool(self.room.chain(name))

    def _link(self, name: str, number: int) -> bytes:
        """x_n of a seat's chain, from its vault, or from the chain alone that a responder has."""
        alone = self.room.chain(name)
        if not alone:
            return self.room.vault(name).link(self.fold, number)
        chain = self.fold.batch.chains[name] if self.fold.batch is not None else self.fold.chains[name]
        setup = bytes.fromhex(self.fold.game.charter.setup)
        if dice.chain_id(setup, name, int(alone["chain_no"])) == chain.check.chain_id:
            made = dice.chain(chain.check.chain_id, bytes.fromhex(alone["end"]), chain.check.links)
            if made[chain.check.index] == chain.check.value and number - chain.base < len(made):
                return made[number - chain.base]
        hint = "make a fresh one where the vault is: `pbem vault chain FILE`, then `pbem respond FILE --chain CHAIN`"
        raise Trouble(f"the dice chain here is not the one that {name} has now", hint)

    def release(self, name: str, passphrase: Passphrase | None = None) -> Signed[Slip]:
        """The slip of one of the `releasers`, made once a batch and kept for ever, before anybody sees it."""
        self.need_to_sign()
        batch, key = self.fold.batch, self._slip_key(name)
        if batch is None or key is None:
            raise AssertionError("only releasers release")
        pin = self.room.pin()
        given = pin.slips.setdefault(name, {}).get(str(batch.number))
        if given is not None and given["request"] != batch.request:
            raise Refused("E_FORK", f"{batch.requester} asked for batch {batch.number} twice: {given['request']}")
        if given is not None and given["line"]:
            return record.read_slip(given["line"].encode() + b"\n")
        link = self._link(name, batch.number).hex()
        doc = record.slip_doc(batch=batch.number, game=self.fold.game.id, link=link, request=batch.request, seat=name)
        slip = record.write_slip(self.home.key(key, passphrase), doc)
        line = slip.line().decode().rstrip("\n")
        pin.slips[name][str(batch.number)] = {"request": batch.request, "line": line}
        self._set_pin(pin)
        return slip

    def _slips(self) -> list[Signed[Slip]]:
        return [record.read_slip(line.encode() + b"\n") for line in self.room.papers() if line.startswith("slip ")]

    # Taking in -------------------------------------------------------------------------------------------------

    def receive(self, packet: Packet, *, late: bool = False) -> Received:
        """Take in a packet of this game, all of it or nothing.

        `late`: the player lets a request pass whose beacon round was public when the letter came.
        Raises `Refused` (the packet is kept as evidence by the caller), `Incomplete` where lines are missing.
        """
        self._same_charter(packet)
        before = self.fold.seq
        try:
            self._take_events(packet, late=late)
        except Refused:
            if not self.mend(packet.events):
                raise
        papers = self._take_papers(packet)
        return Received(max(0, self.fold.seq - before), papers, self._take_receipts(packet))

    def _take_events(self, packet: Packet, *, late: bool = False) -> None:
        try:
            new = self._unsaved
            for line in packet.of("pbem1"):
                event = self._read(line)
                if self.fold.take(event):
                    new.append(event)
                    if not late and self.local:
                        self._in_time(event)
            whole = not self.fold.since_handover or self.fold.solitaire or self.fold.closed
            if new and not whole and not _leaves(new[-1]):
                raise Incomplete(f"events after {self.fold.seq}", "the packet is cut: ask the sender to send it again")
            if self.fold.unjudged is not None:
                raise self.fold.unjudged
            self._check_pin()
        except (Refused, Incomplete):
            self._reload()
            raise
        self.commit(new)
        new.clear()

    def _in_time(self, event: Event) -> None:
        """A beacon round must not be out when the letter that names it comes (`E_BEACON`): this clock is the word."""
        pinned = self.fold.game.charter.dice.beacon
        if event.kind != "handover" or "beacon" not in event.body or pinned is None:
            return
        number = int(event.body["beacon"]["round"])
        public = beacon.network(pinned.chain).time(number)
        if _now() >= public:
            raise Refused(
                "E_BEACON",
                f"round {number} was public since {trust.when(public)} when this letter came",
                "its sender may have known the dice; talk about it. `pbem receive LETTER --late` lets it pass",
                event=event.seq,
            )

    def round_due(self) -> tuple[beacon.Network, int] | None:
        """The beacon round that the game waits for, if it does: its chain and number."""
        fold, dice = self.fold, self.fold.game.charter.dice
        if dice.start is not None and fold.start_value is None:
            return beacon.network(dice.start.chain), dice.start.round
        if dice.beacon is not None and fold.batch is not None and fold.batch.seed is None and fold.batch.round:
            return beacon.network(dice.beacon.chain), fold.batch.round
        return None

    def take_round(self, text: str, passphrase: Passphrase | None = None) -> Barrier:
        """Take a published round as its address shows it, let the dice fall, and go on (`E_BEACON`)."""
        due = self.round_due()
        if due is None:
            raise WrongUse("the game waits for no beacon round", "`pbem status FILE` says what it waits for")
        net, number = due
        evidence = beacon.read_published(net, number, text)
        beacon.check(net, number, bytes.fromhex(evidence))
        self.rounds[number] = evidence
        return self.finish(passphrase)

    def _read(self, line: bytes) -> Event:
        """The event of a line; one that stands here already may bear a key that its seat had before."""
        try:
            return self.fold.read(line)
        except Refused as error:
            event = record.read_event(line) if error.code == "E_SIG" and self.fold.key_changes else None
            if event is None or event.seq > self.fold.seq or self.fold.ids.id(event.seq) != event.id:
                raise
            return event

    def mend(self, lines: Sequence[bytes]) -> bool:
        """Go over to another branch, or take what was refused, because a `heal` in these events repairs it."""
        if not mend(self.path, lines, self.folders):
            return False
        self.room.set_journal([])
        self._load()
        self._repin()
        return True

    def _repin(self) -> None:
        """The pin on the head of a file that gave up what the pin named; numbers given up may be signed again."""
        pin = self.room.pin()
        pin.seq, pin.head = self.fold.seq, self.fold.head
        pin.signed = {seat: self.fold.last_of[seat] for seat in pin.signed if seat in self.fold.last_of}
        self._set_pin(pin)

    def _same_charter(self, packet: Packet) -> None:
        """Charters, and entries of the draft, must be those that were sealed here (`E_DRAFT`)."""
        hint = "two answers came to one invitation: whoever sent this letter has to be told that the seat is taken"
        for line in packet.of("charter"):
            if line != self.fold.game.line():
                raise Refused("E_DRAFT", "the letter is about another charter than the one sealed here", hint, event=0)
        for line in packet.of("entry"):
            entry = canon.decode(line.split(b" ", 2)[2].rstrip(b"\n")).get("entry")
            if entry not in canon.decode(self.fold.game.raw)["seats"]:
                raise Refused("E_DRAFT", "the entry in this letter is not in the charter sealed here", hint, event=0)

    def _take_papers(self, packet: Packet) -> int:
        """Keep slips and statements that fit the present position; others are history."""
        papers = self.room.papers()
        kept = [line for line in papers if self._live(line)]
        fresh = 0
        for raw in (*packet.of("slip"), *packet.of("said")):
            line = raw.decode().rstrip("\n")
            if line not in kept and self._live(line):
                kept.append(line)
                fresh += 1
        if kept != papers:
            self.room.set_papers(kept)
        for line in kept:
            self._enter(line)
        return fresh

    def _enter(self, line: str) -> None:
        """A resignation or claim goes into the file too, unless the holder is here to carry or answer it."""
        if line.startswith("said ") and self.fold.holder not in self.local:
            signed = record.read_statement(line.encode() + b"\n")
            if signed.says.kind in record.SAID_LINES:
                self._add_said_line(signed)

    def _live(self, line: str) -> bool:
        """Whether a detached line still matters; `Refused` where it is forged."""
        raw = line.encode() + b"\n"
        if line.startswith("slip "):
            return self._live_slip(record.read_slip(raw))
        said = record.read_statement(raw)
        if not self._check_said_key(said):
            return False
        if isinstance(said.says, record.AskHead):
            return False  # those have a place of their own
        if isinstance(said.says, record.ResignStatement):
            return self._may_carry(said)
        if isinstance(said.says, record.AboutStatement):
            return said.says.about == self.fold.head
        return isinstance(said.says, record.ConsentStatement) and self._may_be_used(said.says)

    def _check_said_key(self, said: Signed[record.Statement]) -> bool:
        """Whether the key its seat has now signed a statement of this game; `Refused` where no key of it ever did."""
        if said.says.game != self.fold.game.id:
            raise Refused("E_GAME")
        key = self.fold.keys.get(said.says.seat)
        if key is None:
            raise Refused("E_SIG", f"no seat {said.says.seat} in this game")
        try:
            key.check(keys.STATEMENT, said.raw, said.sig)
        except Refused:
            if self._by_former_key(said):
                return False
            raise
        return True

    def _by_former_key(self, said: Signed[record.Statement]) -> bool:
        """A key that some seat had before has signed it: history, no forgery."""
        for raw in self.fold.used_keys if self.fold.key_changes else ():
            with contextlib.suppress(Refused):
                keys.VerifyKey(bytes.fromhex(raw)).check(keys.STATEMENT, said.raw, said.sig)
                return True
        return False

    def _may_be_used(self, says: record.ConsentStatement) -> bool:
        """A consent fits the next event; one to a heal may fit a branch that is not on this machine yet."""
        fold = self.fold
        if says.of == "heal":
            overtaken = fold.seq >= says.seq and (says.seq == 1 or fold.ids.id(says.seq - 1) == says.prev)
            return not overtaken
        return says.seq == fold.seq + 1 and says.prev == fold.head

    def _may_carry(self, said: Signed[record.Statement]) -> bool:
        """A resignation holds, whatever the holder has signed meanwhile, until its author writes again or is out."""
        try:
            saying.check_said(self.fold, said.says, said.raw, said.sig)
        except Refused:
            return False
        return said.says.seat in self.fold.in_game and bool(self.fold.asks)

    def _live_slip(self, slip: Signed[Slip]) -> bool:
        batch = self.fold.batch
        if slip.says.game != self.fold.game.id:
            raise Refused("E_GAME")
        if batch is None or batch.seed is not None or slip.says.batch != batch.number:
            return False
        if slip.says.seat not in batch.contributors or slip.says.seat == batch.requester:
            raise Refused("E_CONTRIB", f"{slip.says.seat} releases nothing for batch {batch.number}")
        if slip.says.request != batch.request:
            raise Refused("E_SLIP", f"the slip of {slip.says.seat} answers another request of batch {batch.number}")
        batches.check_slip(self.fold, batch, slip.says.seat, slip.says.link, slip.sig)
        copy.copy(self.fold.chains[slip.says.seat].check).accept(
            batch.number - self.fold.chains[slip.says.seat].base, bytes.fromhex(slip.says.link)
        )
        return True

    def answer(self, passphrase: Passphrase | None = None) -> list[Signed[Slip]]:
        """What the local seats owe without thinking: resolve a batch, or release slips for somebody else's."""
        slips: list[Signed[Slip]] = []
        if self.read_only():
            return slips
        for name in self.releasers():
            slip = self.release(name, passphrase)
            if name != self.fold.holder:
                slips.append(slip)
        for seat in self.local:
            alone = self.fold.solitaire and self.fold.policy == "open"
            if self._automatic(seat) and not alone and not self.drafted(seat):
                author = self.author(passphrase, seat)
                with contextlib.suppress(Incomplete):
                    self._go_on(author)
                self.commit(author.written, seat)
        return slips

    def own_slips(self) -> list[Signed[Slip]]:
        """Slips that local seats have given for the batch that waits."""
        batch = self.fold.batch
        if batch is None or batch.seed is not None:
            return []
        given = (by.get(str(batch.number)) for by in self.room.pin().slips.values())
        lines = (one["line"].encode() + b"\n" for one in given if one and one["request"] == batch.request)
        return [record.read_slip(line) for line in lines]

    # Going out -------------------------------------------------------------------------------------------------

    def acknowledged(self) -> int:
        """The highest event that every seat elsewhere is known to have: its own last one, and all before."""
        others = [seat for seat in self.fold.in_game if seat not in self.local]
        known = min((self.fold.last_of[seat] for seat in others), default=0)
        healed = max((seq for seq, note in self.story if note.stem == "core/heal"), default=0)
        return known if known >= healed else 0  # whoever was on another branch lacks more than he knows

    def packet(self, since: int | None = None) -> Packet:
        """What the others may lack: new events, slips, statements; charter and seals until everybody has written."""
        lines: list[bytes] = []
        if since is not None or not self.gives_up():
            since = self._lacking() if since is None else since
            lines += [self.fold.game.line(), *self.seals] if since == 0 else []
            lines += self._event_lines(since)
        lines += [slip.line() for slip in self.own_slips()]
        lines += [said.line() for said in self.said()]
        lines += self.receipt_lines()
        mine = self.seat or next(iter((*self.room.seats(), *self.fold.seats)))
        return Packet(mine, self.fold.game.id, self.fold.head, tuple(lines))

    def _lacking(self) -> int:
        """The event after which others may lack something: those who ask for a receipt too."""
        asked_from = [int(one["since"]) for one in self.room.desk().given.values()]
        return min([self.acknowledged(), *asked_from])

    def receipt_lines(self) -> list[bytes]:
        """This machine's question, and its answers to others'."""
        asking = self.room.asking()
        lines = [asking.ask] if asking is not None else []
        desk = self.room.desk()
        for one in desk.given.values():
            lines += one["lines"]
        if desk.cosigned and record.read_receipt(desk.cosigned.encode() + b"\n").says.head == self.fold.head:
            lines.append(desk.cosigned)
        return [line.encode() + b"\n" for line in lines]

    def gives_up(self) -> bool:
        """A seat here has agreed to a heal on another branch: what was refused elsewhere is not mailed again."""
        told = (one.says for one in self.said())
        heals = [says for says in told if isinstance(says, record.ConsentStatement) and says.of == "heal"]
        return any(says.seat in self.local for says in heals)

    def _event_lines(self, since: int) -> list[bytes]:
        """Events after a number, up to the last handover: a packet never ends in the middle of a turn."""
        until = self.fold.seq if self.fold.solitaire else max(*self.fold.handed.values(), self._left_at())
        lines = []
        with log.open_for_reading(self.path) as stream:
            for _, line in log.lines(stream):
                if line.startswith(b"pbem1 ") and since < record.read_event(line).seq <= until:
                    lines.append(line)
        return lines

    def _left_at(self) -> int:
        """The last event by which a holder gave his own seat to a successor: the packet ends there."""
        seats, ids = self.fold.seats, self.fold.ids
        moved = [(seq, note.args["seat"]) for seq, note in self.story if note.stem == "core/transfer"]
        return max((seq for seq, seat in moved if seats[ids.seat(seq)] == seat), default=0)

    # Statements ------------------------------------------------------------------------------------------------

    def say(self, signed: Signed[record.Statement]) -> None:
        """Keep a statement of a local seat: it is mailed while it is live."""
        line = signed.line().decode().rstrip("\n")
        papers = [one for one in self.room.papers() if self._live(one)]
        if line not in papers:
            self.room.set_papers([*papers, line])

    def said(self) -> list[Signed[record.Statement]]:
        """Live statements that came or were made here, beside the file or as lines of it."""
        lines = [line for line in self.room.papers() if line.startswith("said ") and self._live(line)]
        lines += [line for line in self._said_lines() if line not in lines and self._live(line)]
        return [record.read_statement(line.encode() + b"\n") for line in lines]

    def _said_lines(self) -> list[str]:
        """The statements that stand in the game file."""
        if not self.fold.said:
            return []
        with log.open_for_reading(self.path) as stream:
            return [line.decode().rstrip("\n") for _, line in log.lines(stream) if line.startswith(b"said ")]

    def _add_said_line(self, signed: Signed[record.Statement]) -> None:
        """Put a resignation or claim into the game file as a line of its own, if it is not there yet."""
        if signed.line().decode().rstrip("\n") in self._said_lines():
            return
        saying.take_said(self.fold, signed.line())
        log.append(self.path, signed.line())

    def need_in_play(self) -> None:
        """The game goes on, with this seat in it (`WrongUse`)."""
        if self.fold.closed or not self.fold.asks:
            raise WrongUse("the game is over already", "`pbem verify FILE` says how")
        if self.need_seat() not in self.fold.in_game:
            raise WrongUse(f"{self.seat} has left this game")

    def offer(self, result: str, passphrase: Passphrase | None = None) -> None:
        """Offer an end by agreement; whoever does not hold the baton consents to it with the offer."""
        if result not in ("draw", "none", *self.fold.in_game):
            raise WrongUse(f"no result {result[:40]!r}", f"draw, none, or a seat: {', '.join(self.fold.in_game)}")
        self.need_in_play()
        self._ask_for("agree", {"result": result}, self.author(passphrase), "offer", result=result)

    def ask_undo(self, to: int, passphrase: Passphrase | None = None) -> None:
        """Ask to set the game back to the position after an event; likewise."""
        if not 0 <= to < self.fold.seq:
            raise WrongUse(f"event {to} is not behind us", f"name one from 0 to {self.fold.seq - 1}")
        if to < self.fold.barrier:
            raise Refused("E_UNDO", f"event {self.fold.barrier} cannot be undone, nor anything before it")
        self._ask_for("undo", {"to": to}, self.author(passphrase), "ask_undo", to=to)

    def go_on(self, seat: str, passphrase: Passphrase | None = None) -> None:
        """What follows an event without thought of a local seat that holds the baton: due seals, and dice."""
        if seat not in self.local or self.fold.holder != seat or self.read_only():
            return
        author = self.author(passphrase, seat)
        self.finish_act(author)

    def finish_act(self, author: Author, *, hand_over: bool = False) -> None:
        """Store what an author wrote, with what follows without thought in the same key."""
        if author.key.public == self.fold.keys[author.seat].raw:
            with contextlib.suppress(Incomplete):
                self._go_on(author)
            if hand_over and self.may_hand_over(author.seat):
                author.handover(_now())
        if author.written:
            self.store(author)

    def _ask_for(self, kind: str, body: dict[str, Any], author: Author, how: str, **fields: Any) -> None:
        self.say(author.statement(how, seq=self.fold.seq + 1, **fields))
        if self.fold.holder != author.seat:
            self.say(author.consent(kind, body, self.fold.head, self.fold.seq + 1))

    def asked(self) -> tuple[str, dict[str, Any]] | None:
        """The act that is asked for at this point of the game: its kind and body without consents."""
        for one in reversed(self.said()):
            if isinstance(one.says, record.Offer):
                return "agree", {"result": one.says.result}
            if isinstance(one.says, record.AskUndo):
                return "undo", {"to": one.says.to}
        return None

    def dice_since(self, to: int) -> bool:
        """Dice have been seen after an event: an undo of them means new ones."""
        return any(seq > to and note.label for seq, note in self.story)

    def resign(self, passphrase: Passphrase | None = None) -> None:
        """Give up: an event for the holder, who hands over if he may; a statement and a line in the file for others."""
        self.need_in_play()
        author = self.author(passphrase)
        if self.fold.holder != author.seat:
            self._add_said_line(author.statement("resign"))
            return
        author.write("resign", {})
        if self.may_hand_over(author.seat):
            author.handover(_now())
        self.store(author)

    def debtors(self) -> list[str]:
        """Who elsewhere owes something by the log: the holder, and whoever has not released a link for the dice."""
        fold = self.fold
        if fold.closed or not fold.asks:
            return []
        owe, batch = [fold.holder], fold.batch
        if batch is not None and batch.seed is None and fold.policy != "open":
            slips = (*self.own_slips(), *(slip for slip in self._slips() if self._live_slip(slip)))
            released = {slip.says.seat for slip in slips}
            owe += [name for name in batch.contributors if name not in (batch.requester, fold.holder, *released)]
        return [name for name in owe if name not in self.local]

    def claim(self, days: int, passphrase: Passphrase | None = None, *, against: str = "") -> str:
        """Say who owes the next event, or a slip that it needs, as a line in the file: the debtor."""
        self.need_in_play()
        author = self.author(passphrase)
        owe = self.debtors()
        if not owe:
            raise WrongUse("nobody else owes anything: the next event is your own to write")
        if against and against not in owe:
            raise WrongUse(f"{against[:40]!r} owes nothing", f"what is owed is owed by {', '.join(owe)}")
        debtor = against or owe[0]
        self._add_said_line(author.statement("claim", debtor=debtor, owes=self.fold.seq + 1, days=days))
        return debtor

    def carry(self, passphrase: Passphrase | None = None) -> bool:
        """Take another seat's live resignation into the chain, where it acts; the holder's client does so by itself."""
        held = self.fold.holder
        if held not in self.local or self.read_only() or (self.fold.batch is not None and len(self.fold.seats) > 2):
            return False
        for one in self.said():
            if isinstance(one.says, record.ResignStatement) and one.says.seat != held and self.fold.asks:
                lines = self.drafted(held)
                author = self.author(passphrase, held)
                statement = canon.decode(one.raw)
                author.write("carry", {"said": {"sig": one.sig.hex(), "statement": statement}})
                if self.may_hand_over(held):
                    author.handover(_now())
                self.store(author)
                self._draft_again(lines, held)
                return True
        return False

    def _draft_again(self, lines: Sequence[str], seat: str) -> None:
        """Keep what still fits of a draft whose position has changed under it."""
        if not lines or self.fold.holder != seat:
            return
        trial, kept = self.blank_trial(seat), []
        for number, line in enumerate(lines, 1):
            try:
                trial.take(number, line)
            except (OrderRefused, Stopped):
                break
            kept.append(line)
        self.set_draft(kept, seat)


@dataclass(slots=True)
class Received:
    """What a packet brought."""

    events: int = 0
    papers: int = 0
    remarks: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Barrier:
    """What was signed at the barrier."""

    events: int = 0
    rolled: bool = False
    handed_over: bool = False


class Stopped(Exception):
    """A script cannot go on: chance or somebody else comes next."""


class Blank:
    """A key that signs nothing: for trying orders out."""

    public = bytes(32)

    def sign(self, namespace: str, message: bytes) -> bytes:
        return bytes(64)


class Trial:
    """Orders tried one by one, by an author: on a copy of the fold with a blank key, or for good with the real one."""

    def __init__(self, author: Author, notes: list[Note] | None = None) -> None:
        self.author = author
        self.seat = author.seat
        self.notes: list[Note] = notes if notes is not None else []
        self._react_at = 0
        self.said = ""

    @classmethod
    def of_copy(cls, fold: Fold, vault: Vault) -> Trial:
        """On a copy: what needs no thought is done first, as it will be when the orders are signed."""
        notes: list[Note] = []
        copied = fold.fork(lambda _, note: notes.append(note))
        if copied.open_pair and copied.batch is not None:
            copied.batch = dataclasses.replace(copied.batch, seed=None)  # a draft shows no dice: it may be dropped
        author = Author(copied, vault.seat, cast("keys.SigningKey", Blank()), _no_link, vault)
        trial = cls(author, notes)
        if copied.holder == vault.seat:
            author.answer_client_asks()
        return trial

    @property
    def fold(self) -> Fold:
        return self.author.fold

    @property
    def state(self) -> Any:
        return self.fold.state

    @property
    def asks(self) -> tuple[Ask | Roll, ...]:
        return self.fold.asks

    def offers(self) -> list[str]:
        """Orders for a menu, as the seat may type them."""
        known, engine = self.author.known(), self.fold.engine
        offered = engine.offers(self.state, self.seat, known)
        return [engine.phrase(self.state, self.seat, order, known) for order in offered]

    def _dice_out(self) -> bool:
        return self.fold.batch is not None and self.fold.batch.seed is None

    def waits(self) -> str:
        """Why the seat cannot be asked now: in words, or empty when it is its turn."""
        fold = self.fold
        if fold.closed or not self.asks:
            return "the game is over"
        if fold.holder != self.seat:
            return f"{fold.holder} holds the baton"
        first = self.asks[0]
        if self._dice_out() and not fold.open_pair:
            return "dice were asked for and are not out yet"
        if fold.dice_late():
            first = next((one for one in self.asks if isinstance(one, Ask)), first)
        if isinstance(first, Roll):
            return "dice must fall first"
        return "" if first.seat == self.seat else f"{first.seat} decides next"

    def take(self, number: int, text: str) -> Order | None:
        """Try one order and keep its effect. Raises `OrderRefused` with the line number, or `Stopped`."""
        kind, order = self.read(number, text)
        self.said = self._said(kind, order, text)
        try:
            self._write(kind, order, text)
        except Refused as error:
            if error.code in ("E_BATCH", "E_BATON", "E_DUE"):
                raise Stopped(error.what) from None
            ids = f"[{', '.join(error.ids)}] " if error.ids else f"{error.code}: "
            raise OrderRefused(f'order {number} "{_quoted(text)}": {ids}{error.what}', error.hint) from None
        self.author.answer_client_asks()
        return order

    def _said(self, kind: str, order: Order | None, text: str) -> str:
        """The order as its seat may type it here, hidden things by name; a reaction with its event."""
        if order is None:
            return text.strip()
        react = kind == "react"
        window = next((one for one in self.fold.windows if react and one.seq == self._react_at), None)
        state = window.state if window is not None else self.state
        words = self.fold.engine.phrase(state, self.seat, order, self.author.known())
        return f"react {self._react_at} {words}" if react else words

    def _write(self, kind: str, order: Order | None, text: str) -> None:
        if kind == "react" and order is not None:
            self.author.react(self._react_at, order)
            return
        if order is not None:
            self.author.order(order)
            return
        bodies: dict[str, dict[str, Any]] = {
            "note": {"text": text.strip().partition(" ")[2]},
            "waive": {"window": text.partition(" ")[2].strip(), "on": True},
            "ask": {"window": text.partition(" ")[2].strip(), "on": False},
        }
        self.author.write("waive" if kind == "ask" else kind, bodies.get(kind, {}))

    def read(self, number: int, text: str) -> tuple[str, Order | None]:
        """What one line says here: the kind, and the engine's order unless it is the core's."""
        text = text.strip()
        word, _, rest = text.partition(" ")
        if self.fold.holder != self.seat or self.fold.closed:
            raise Stopped(self.waits())
        if self.fold.open_pair and self.asks and isinstance(self.asks[0], Roll) and not self.fold.dice_late():
            raise Stopped(self.waits())
        if word.lower() == "note":
            return self._core_note(number, text, rest)
        if word.lower() == "resign" and not rest and not (self._dice_out() and len(self.fold.seats) > 2):
            return "resign", None
        if self._dice_out() and not self.fold.open_pair:
            raise Stopped(self.waits())
        if text.lower() in ("play on", "play_on") and self._window():
            return "play_on", None
        if word.lower() == "react" and rest.partition(" ")[0].isdecimal():
            return self._reaction(number, text, rest)
        if word.lower() in ("waive", "ask") and rest and re.fullmatch(r"[a-z0-9_ /-]{1,80}", rest):
            return word.lower(), None
        return self._engine_order(number, text)

    def _reaction(self, number: int, text: str, rest: str) -> tuple[str, Order | None]:
        """`react EVENT ORDER`: an order read in the position where the window stood."""
        at, _, words = rest.partition(" ")
        mine = {str(window.seq): window for window in self.fold.windows if window.seat == self.seat}
        if at not in mine or self.fold.since_handover:
            passed = ", ".join(mine) or "none"
            raise OrderRefused(f'order {number} "{_quoted(text)}": no window to react to', f"windows passed: {passed}")
        window = mine[at]
        self._react_at = window.seq
        return "react", self._meant(number, text, words, window.state)[1]

    def _window(self) -> bool:
        first = self.asks[0] if self.asks else None
        return isinstance(first, Ask) and bool(first.window)

    def _core_note(self, number: int, text: str, rest: str) -> tuple[str, Order | None]:
        if not rest.strip():
            raise OrderRefused(f'order {number} "{_quoted(text)}": a note needs a text', "note TEXT")
        try:
            record.parse(record.NoteText, {"text": rest})
            canon.check_text(rest)
        except Refused as error:
            raise Unreadable(f'order {number} "{_quoted(text)}": {error.what}', error.hint) from None
        return "note", None

    def _engine_order(self, number: int, text: str) -> tuple[str, Order | None]:
        return self._meant(number, text, text, self.state)

    def _meant(self, number: int, text: str, words: str, state: Any) -> tuple[str, Order | None]:
        """The one legal meaning of some words in a position."""
        engine, known = self.fold.engine, self.author.known()
        try:
            meanings = engine.read(state, self.seat, words, known)
        except Unreadable as error:
            raise Unreadable(f"order {number}: {error.what}", error.hint) from None
        verdicts = [(order, engine.refuse(state, self.seat, order, known)) for order in meanings]
        legal = [order for order, verdict in verdicts if not isinstance(verdict, Illegal)]
        if len(legal) > 1:
            told = tuple(engine.phrase(state, self.seat, order, known) for order in legal)
            raise Ambiguous(f'order {number} "{_quoted(text)}" has several meanings', told)
        if legal:
            return legal[0].kind, legal[0]
        if self.waits():
            raise Stopped(self.waits())
        why = next(verdict for _, verdict in verdicts if isinstance(verdict, Illegal))
        ids = f"[{', '.join(why.ids)}] " if why.ids else ""
        raise OrderRefused(f'order {number} "{_quoted(text)}": {ids}{why.why}', why.hint, ids=why.ids)


def _no_link(_: int) -> bytes:
    raise AssertionError("a trial asks for no dice")


def mend(path: Path, lines: Sequence[bytes], components: Folders = None) -> bool:
    """Put events with a `heal` into a game file, also in place of what stands there: whether that was possible.

    Every event of the file that is not in the other branch must be given up by name, and the whole must be sound.
    """
    events = [record.read_event(line) for line in lines]
    if not any(event.kind == "heal" for event in events):
        return False
    head, own = [], []
    with log.open_for_reading(path) as stream:
        for _, line in log.lines(stream):
            if line.startswith(b"pbem1 "):
                own.append(line)
            elif not line.startswith(b"said "):
                head.append(line)
    data = b"".join([*head, *own[: events[0].seq - 1], *lines])
    reading = verify.read(io.BytesIO(data), lambda game: rules_for(game, components))
    fold, sound = reading.fold, reading.stopped is None and reading.unjudged is None
    if fold is None or not sound:
        return False
    ids = [record.read_event(line).id for line in own]
    gone = [one for seq, one in enumerate(ids, 1) if seq > fold.seq or one != fold.ids.id(seq)]
    if not set(gone) <= fold.lost_ids:
        return False
    log.write_atomic(path, data)  # the pin comes after it: what it names is given up in this very file
    return True


def mend_refused(path: Path, room: Room, lines: Sequence[bytes], components: Path | None) -> None:
    """A file that the rules of this release refuse cannot be opened: a letter with a heal mends it before that."""
    if any(b'"kind":"heal"' in line for line in lines):
        with room.lock():
            folders = [*([components] if components else []), *room.components()]
            with log.open_for_reading(path) as stream:
                reading = verify.read(stream, lambda game: rules_for(game, folders))
            stopped = reading.stopped
            if isinstance(stopped, Refused) and stopped.code not in verify.CHAIN_CODES:
                mend(path, lines, folders)


def _leaves(event: Event) -> bool:
    """A holder gave his own seat away: his key signs nothing more, so the packet ends without a handover."""
    return event.kind == "transfer" and event.body.get("seat") == event.seat


def _folders(home: Home, path: Path) -> list[Path]:
    """Folders of components that the game of a file was played with here."""
    with contextlib.suppress(PbemError):  # whoever reads the file says what is wrong with it
        return [one for one in home.room(_setup_of(path)).components() if one.is_dir()]
    return []


def _setup_of(path: Path) -> str:
    """The setup a game file's charter names: it says which room, and so which lock, belongs to the file."""
    with log.open_for_reading(path) as stream:
        first = next(log.lines(stream), None)
    if first is None:
        raise Incomplete("charter: the file is empty", "the other player has the game: ask for the whole log")
    return charter.read_charter(first[1]).charter.setup


def _now() -> int:
    """Seconds since 1970, as this machine's clock claims; a clock set before that claims nothing."""
    return max(0, int(time.time()))


def _quoted(text: str) -> str:
    shown = "".join(char if char.isprintable() else "?" for char in text)
    return shown if len(shown) <= 60 else shown[:57] + "..."


def script_lines(text: str) -> list[Line]:
    """The lines of a script that say something, with their numbers."""
    lines = (Line(number, line.strip()) for number, line in enumerate(text.splitlines(), 1))
    return [line for line in lines if line.text and not line.text.startswith("#")]


def openers(orders: Mapping[str, type[Order]]) -> frozenset[str]:
    """First lines of orders that are written as a block: `deploy`, one placing a line, `end`."""
    usages = (usage for order in orders.values() for usage in (order.usage, *getattr(order, "also", ())))
    return frozenset(re.split("[A-Z]", usage)[0].strip() for usage in usages if usage.endswith(" END"))


def joined(lines: Sequence[Line], first: frozenset[str]) -> list[Line]:
    """The lines of a script with every block in one, from its first line to `end`."""
    found: list[Line] = []
    place = 0
    while place < len(lines):
        line, after = lines[place], place + 1
        if line.text.casefold() in first:
            ends = (n for n in range(after, len(lines)) if lines[n].text.casefold() == "end")
            after = next(ends, place) + 1
            line = Line(line.number, "\n".join(one.text for one in lines[place:after]))
        found.append(line)
        place = after
    return found


def run_script(trial: Trial, text: str | Sequence[Line]) -> Script:
    """Try the orders of a script one by one; it stops where chance or somebody else is needed and says what is left."""
    script = Script()
    lines = script_lines(text) if isinstance(text, str) else text
    wanted = joined(lines, openers(trial.fold.engine.orders))
    for place, line in enumerate(wanted):
        try:
            order = trial.take(line.number, line.text)
        except Stopped as stop:
            script.why = str(stop)
            script.unused = list(wanted[place:])
            break
        script.taken.append(Line(line.number, trial.said, order))
    return script
