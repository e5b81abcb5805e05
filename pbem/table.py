"""A game as its players handle it: open, draft, sign, take in, answer. The one stateful object.

Order of writing, for signed and for received events alike: journal, pin, game file; each whole and synced.
So a crash at any point loses nothing and signs nothing twice: the next start completes what the journal holds.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from pbem import (
    beacon,
    charter,
    clock,
    dice,
    log,
    mending,
    papers,
    proof,
    record,
    restored,
    verify,
)
from pbem.api import Ask, Known, Note, Roll
from pbem.author import Author
from pbem.errors import Incomplete, OrderRefused, PbemError, Refused, Trouble, WrongUse
from pbem.home import Home, Passphrase, Pin, Room
from pbem.packet import Packet
from pbem.record import Event, Signed, Slip
from pbem.replay import Fold
from pbem.ruleset import rules_for
from pbem.trial import Stopped, Trial
from pbem.vault import Vault

BOT: Final = "bot"
"""The name of the bot's key, or how it begins: bot-2 and so on for further seats."""
CORE_ORDERS: Final = {"note": "note TEXT", "resign": "resign"}
"""What every game lets a player write, beside its own orders."""


class Table:
    """One game file with the seats that are played on this machine."""

    def __init__(self, path: Path, home: Home, *, seat: str = "", components: Path | None = None) -> None:
        self.path = path
        self.home = home
        self.folders = [*([components.resolve()] if components else []), *_folders(home, path)]
        self._given = [components] if components else []
        self.story: list[tuple[int, Note]] = []
        self.unsaved: list[Event] = []
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
                table.check_pin()
            table.seat = table._choose_seat(seat)
            yield table

    @classmethod
    def reading(cls, path: Path, home: Home, *, seat: str = "", components: Path | None = None) -> Table:
        """Open a game to look at it: nothing is written, and what a crash left is read with it."""
        table = cls(path, home, seat=seat, components=components)
        for event in table._journal_beyond():
            table.fold.take(event)
        table.check_pin()
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
        self.unsaved.clear()
        in_file = self.fold.past

        def past(to: int) -> Iterator[Event]:
            last = 0
            for event in in_file(to) if in_file is not None else ():
                last = event.seq
                yield event
            yield from (event for event in self.unsaved if last < event.seq <= to)

        self.fold.past = past
        self._find_local()

    def _find_local(self) -> None:
        """The seats that are played on this machine now."""
        self.local = [one for one in self.room.seats() if self._is_mine(one)]

    def reload(self) -> None:
        self._load()

    def _is_mine(self, seat: str) -> bool:
        """The present player's secrets and key are here."""
        if seat not in self.fold.seats:
            return False
        return self.room.secret(seat).has(self.fold.era[seat]) and self.key_here(seat) is not None

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

    def check_pin(self) -> None:
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
        self.set_pin(pin)
        log.append(self.path, b"".join(event.line() for event in events))
        if any(event.kind in proof.KEY_CHANGES for event in events):
            self._find_local()

    def set_pin(self, pin: Pin) -> None:
        if not pin.installation:
            pin.installation = self.home.installation(new=True)
        self.room.set_pin(pin)

    # Restored ---------------------------------------------------------------------------------------------------

    # Signing ---------------------------------------------------------------------------------------------------

    def author(self, passphrase: Passphrase | None = None, seat: str = "") -> Author:
        """The pen of a local seat. Opens its key, which may ask for a passphrase; none while it may only read."""
        seat = seat or self.need_seat()
        restored.need_to_sign(self)
        key = self.home.key(self.key_name(seat), passphrase)
        self.unsaved.clear()
        vault = self.room.vault(seat)
        return Author(
            self.fold,
            seat,
            key,
            lambda number: vault.link(self.fold, number),
            vault,
            self.unsaved,
            rounds=self.rounds,
            ahead=self.ahead,
        )

    def key_name(self, seat: str) -> str:
        """The name of the key that a seat signs with now; `Trouble` where it is not on this machine."""
        name = self.key_here(seat)
        if name is None:
            raise Trouble(f"the key that {seat} signs with now is not on this machine", "`pbem key show` lists yours")
        return name

    def key_here(self, seat: str) -> str | None:
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
            author.handover(clock.now())
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
                author.resolve(self.slips() + self.own_slips())
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
        restored.need_to_sign(self)
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
        self.set_pin(pin)
        return slip

    def slips(self) -> list[Signed[Slip]]:
        return [record.read_slip(line.encode() + b"\n") for line in self.room.papers() if line.startswith("slip ")]

    # Taking in -------------------------------------------------------------------------------------------------

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

    def mend(self, lines: Sequence[bytes]) -> bool:
        """Go over to another branch, or take what was refused, because a `heal` in these events repairs it."""
        if not mending.mend(self.path, lines, self.folders):
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
        self.set_pin(pin)

    def answer(self, passphrase: Passphrase | None = None) -> list[Signed[Slip]]:
        """What the local seats owe without thinking: resolve a batch, or release slips for somebody else's."""
        slips: list[Signed[Slip]] = []
        if restored.read_only(self):
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
        lines += [said.line() for said in papers.said(self)]
        lines += restored.receipt_lines(self)
        mine = self.seat or next(iter((*self.room.seats(), *self.fold.seats)))
        return Packet(mine, self.fold.game.id, self.fold.head, tuple(lines))

    def _lacking(self) -> int:
        """The event after which others may lack something: those who ask for a receipt too."""
        asked_from = [int(one["since"]) for one in self.room.desk().given.values()]
        return min([self.acknowledged(), *asked_from])

    def gives_up(self) -> bool:
        """A seat here has agreed to a heal on another branch: what was refused elsewhere is not mailed again."""
        told = (one.says for one in papers.said(self))
        heals = [says for says in told if isinstance(says, record.ConsentStatement) and says.of == "heal"]
        return any(says.seat in self.local for says in heals)

    def _event_lines(self, since: int) -> list[bytes]:
        """Events after a number, up to the last handover: a packet never ends in the middle of a turn."""
        until = self.fold.seq if self.fold.solitaire else max(*self.fold.handed.values(), self._left_at())
        with log.open_for_reading(self.path) as stream:
            events = (line for _, line in log.lines(stream) if line.startswith(b"pbem1 "))
            return list(islice(events, since, until))  # the file is sound: event n is its n-th

    def _left_at(self) -> int:
        """The last event by which a holder gave his own seat to a successor: the packet ends there."""
        seats, ids = self.fold.seats, self.fold.ids
        moved = [(seq, note.args["seat"]) for seq, note in self.story if note.stem == "core/transfer"]
        return max((seq for seq, seat in moved if seats[ids.seat(seq)] == seat), default=0)

    # Statements ------------------------------------------------------------------------------------------------

    def need_in_play(self) -> None:
        """The game goes on, with this seat in it (`WrongUse`)."""
        if self.fold.closed or not self.fold.asks:
            raise WrongUse("the game is over already", "`pbem verify FILE` says how")
        if self.need_seat() not in self.fold.in_game:
            raise WrongUse(f"{self.seat} has left this game")

    def go_on(self, seat: str, passphrase: Passphrase | None = None) -> None:
        """What follows an event without thought of a local seat that holds the baton: due seals, and dice."""
        if seat not in self.local or self.fold.holder != seat or restored.read_only(self):
            return
        author = self.author(passphrase, seat)
        self.finish_act(author)

    def finish_act(self, author: Author, *, hand_over: bool = False) -> None:
        """Store what an author wrote, with what follows without thought in the same key."""
        if author.key.public == self.fold.keys[author.seat].raw:
            with contextlib.suppress(Incomplete):
                self._go_on(author)
            if hand_over and self.may_hand_over(author.seat):
                author.handover(clock.now())
        if author.written:
            self.store(author)

    def draft_again(self, lines: Sequence[str], seat: str) -> None:
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
class Barrier:
    """What was signed at the barrier."""

    events: int = 0
    rolled: bool = False
    handed_over: bool = False


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
