"""Writing events: what a seat signs, checked by the same fold that everybody else will run.

Pure: the caller makes the bytes durable before anything is shown or mailed.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pbem import beacon, canon, dice, keys, record, sealed, trust
from pbem.api import Ask, Claim, Commit, Disclose, Engine, OpenSlots, Order, Rechain, Roll, Rolled, Slot
from pbem.chance import MAX_CHANCE, Batch
from pbem.errors import Incomplete, Trouble
from pbem.record import Event, Signed, Slip
from pbem.replay import Fold
from pbem.sealed import Sealing
from pbem.vault import Vault

TRIALS: Final = 12
"""How often chance is tried out to guess who decides next."""


@dataclass
class Author:
    """A seat at its fold. `link` gives x_n of the seat's chain for batch n. `written` are the events signed so far.

    `rounds` are published beacon rounds, evidence in hex by number; `ahead` is how many seconds after a handover
    the round is published that it names.
    """

    fold: Fold
    seat: str
    key: keys.SigningKey
    link: Callable[[int], bytes]
    vault: Vault | None = None
    written: list[Event] = field(default_factory=list)
    rounds: dict[int, str] = field(default_factory=dict)
    ahead: int = beacon.AHEAD

    def write(self, kind: str, body: Mapping[str, Any]) -> Event:
        """Sign one event and fold it; a refusal leaves nothing signed that anybody will see."""
        fold = self.fold
        event = record.write_event(
            self.key, game=fold.game.id, seq=fold.seq + 1, prev=fold.head, seat=self.seat, kind=kind, body=body
        )
        fold.take(event)
        self.written.append(event)
        return event

    def known(self) -> dict[Slot, Any]:
        """What this seat may see."""
        return self.vault.known(self.fold) if self.vault is not None else dict(self.fold.known)

    def order(self, order: Order) -> Event:
        """Give an order, in clear or sealed as the first ask wants it, with the openings the rules ask for."""
        ask = self.fold.asks[0] if self.fold.asks else None
        if isinstance(ask, Ask) and ask.seat == self.seat and ask.sealed == order.kind:
            return self.seal(ask, order)
        opens = self._opens(self.fold.state, order)
        return self.write(order.kind, {**order.body(), **({"opens": opens} if opens else {})})

    def react(self, at: int, order: Order) -> Event:
        """Answer the window that passed at an event."""
        window = next(one for one in self.fold.windows if one.seq == at and one.seat == self.seat)
        opens = self._opens(window.state, order)
        body: dict[str, Any] = {"at": at, "fields": order.body(), "order": order.kind}
        return self.write("react", {**body, **({"opens": opens} if opens else {})})

    def _opens(self, state: Any, order: Order) -> list[dict[str, Any]]:
        """The openings that the rules want with an order."""
        slots = self.fold.engine.opens(state, self.seat, order, self.known())
        return [self._vault().item(self.fold, slot) for slot in slots]

    def _vault(self) -> Vault:
        if self.vault is None:
            raise AssertionError("this author has no vault")
        return self.vault

    def seal(self, ask: Ask, order: Order | None = None) -> Event:
        """Answer an ask for slots: a commitment without thought, or an order that stays secret."""
        fold, vault, seq = self.fold, self._vault(), self.fold.seq + 1
        commit = ask.client if isinstance(ask.client, Commit) else ask.fill
        if commit is None:
            name, what = f"{ask.secret}#{fold.labels[ask.secret] + 1}", "choice"
        else:
            name, what = f"{self.seat}-{commit.name}", commit.what
        sealing = fold.slots.names.get(name) or Sealing(
            name, what, self.seat, (self.seat,), tuple(sorted(commit.contents)) if commit is not None else ()
        )
        epoch = sealing.next_epoch()
        contents = self._contents(sealing, epoch, seq, commit, order)
        body: dict[str, Any] = {"hashes": vault.hashes(fold, sealing, epoch, seq, contents), "name": name, "what": what}
        if commit is not None:
            body["epoch"] = epoch
            if commit.replaces:
                body["from"] = list(commit.replaces)
            if commit.share:
                body["boxes"] = [self._box(name, to) for to in sorted(commit.share)]
        return self.write("seal", body)

    def _contents(
        self, sealing: Sealing, epoch: int, seq: int, commit: Commit | None, order: Order | None
    ) -> list[Any]:
        vault = self._vault()
        secret = sealed.secret_of(vault.present(self.fold), sealing.name)
        if commit is None or (order is not None and not commit.contents):
            if order is None:
                raise AssertionError("a secret choice is made by an order")
            contents: list[Any] = [order.body()] if commit is None else list(order.contents())
            vault.choose(sealing.name, epoch, contents)
            return contents
        base = self._arranged(sealing, commit)
        return vault.epoch_contents(secret, sealing, epoch, seq, commit.count, base)

    def _arranged(self, sealing: Sealing, commit: Commit) -> list[Any]:
        """What a seal without thought arranges: a composition, or what its new slots take the place of."""
        if sealing.what == "private":
            return []
        if not commit.replaces:
            return list(sealing.composition)
        if commit.contents:
            return list(commit.contents)
        told = self._vault().contents(self.fold, sealing)
        missing = [slot for slot in commit.replaces if slot not in told]
        if missing:
            hint = "take in what the former player exports: `pbem vault import FILE EXPORTED`"
            raise Trouble(f"{self.seat} must reseal {sealing.name} and does not know what is in {missing[0]}", hint)
        return [told[slot] for slot in commit.replaces]

    def _box(self, name: str, to: str) -> dict[str, Any]:
        public = self.fold.box_keys[to]
        if public is None:
            raise Trouble(f"{to} gave no box key in the charter, so nothing can be shared in secret")
        secret = sealed.secret_of(self._vault().present(self.fold), name)
        data = canon.encode({"name": name, "secret": secret.hex()})
        game = bytes.fromhex(self.fold.game.id)
        box = sealed.seal_box(bytes.fromhex(public), data, game=game, sender=self.seat, to=to)
        return {"data": box.hex(), "to": to}

    def open(self, slots: Iterable[Slot]) -> Event:
        """Open slots of this seat."""
        return self.write("open", {"items": [self._vault().item(self.fold, slot) for slot in slots]})

    def client_ask(self) -> Ask | None:
        """The first ask, if it is this seat's and needs no thought."""
        first = self.fold.asks[0] if self.fold.asks else None
        mine = isinstance(first, Ask) and first.seat == self.seat and first.client is not None
        return first if mine and self.fold.holder == self.seat else None  # type: ignore[return-value]

    def answer_client_asks(self) -> None:
        """Commit, open, claim and disclose whatever is asked of this seat without thought."""
        while (ask := self.client_ask()) is not None:
            if self.fold.open_pair and self.fold.seq == 0:
                return
            match ask.client:
                case Commit():
                    self.seal(ask)
                case OpenSlots(slots):
                    self.open(slots)
                case Disclose(name):
                    self.write("disclose", self._vault().disclosure(self.fold, name))
                case Claim(kind):
                    self.order(self._claimed(kind))
                case Rechain():
                    self.rechain()

    def next_chain(self, links: int = 0) -> dict[str, Any]:
        """The public side of this seat's next dice chain, made from its vault."""
        fold, chain_no = self.fold, self.fold.chain_no[self.seat] + 1
        links = links or fold.chains[self.seat].check.links
        chain_id = dice.chain_id(bytes.fromhex(fold.game.charter.setup), self.seat, chain_no)
        end = dice.chain_end(self._vault().present(fold), chain_no)
        return {"anchor": dice.anchor(chain_id, end, links).hex(), "links": links}

    def rechain(self) -> Event:
        """The chain that is due after a transfer."""
        return self.write("rechain", self.next_chain())

    def _claimed(self, kind: str) -> Order:
        offers = self.fold.engine.offers(self.fold.state, self.seat, self.known())
        found = next((order for order in offers if order.kind == kind), None)
        if found is None:
            raise AssertionError(f"{self.fold.engine.id} asks for a claim it does not offer")
        return found

    def note(self, text: str) -> Event:
        return self.write("note", {"text": text})

    def resolve(self, slips: Iterable[Signed[Slip]] = ()) -> Event:
        """Let the dice fall: with the own link under `open`, with slips under `sealed`, with a beacon's round.

        Raises `Incomplete` while a slip or the round is missing.
        """
        fold = self.fold
        start = fold.game.charter.dice.start
        if fold.policy == "open":
            number = fold.requested + 1 if fold.solitaire else _batch(fold).number
            body: dict[str, Any] = {"batch": number, "link": self.link(number).hex()}
            if start is not None and fold.start_value is None:
                body["beacon"] = self._round(start.chain, start.round)
            return self.write("resolve", body)
        batch = _batch(fold)
        pinned = fold.game.charter.dice.beacon
        if fold.policy == beacon.NAME and pinned is not None:
            return self.write("resolve", {"batch": batch.number, "beacon": self._round(pinned.chain, batch.round)})
        held = {slip.says.seat: slip for slip in slips if slip.says.request == batch.request}
        if self.seat != batch.requester and self.releases():
            held[self.seat] = self.slip()
        missing = [name for name in batch.contributors if name != batch.requester and name not in held]
        if missing:
            hint = "they come when those seats run `pbem receive`"
            if missing == [self.seat]:
                hint = "your responder gives it: take in the letter it has written"
            raise Incomplete(f"slips of {', '.join(missing)}", hint)
        items = [
            {"link": held[name].says.link, "seat": name, "sig": held[name].sig.hex()}
            for name in batch.contributors
            if name != batch.requester
        ]
        return self.write("resolve", {"batch": batch.number, "slips": items})

    def _round(self, chain: str, number: int) -> dict[str, Any]:
        """A published round for a `resolve`; `Incomplete` while it has not been pasted here."""
        beacon.need()
        if number not in self.rounds:
            net = beacon.network(chain)
            what = f"round {number} of beacon {net.name}, published {trust.when(net.time(number))}"
            raise Incomplete(what, f"`pbem beacon FILE` takes what {net.address(number)} shows")
        return {"round": number, "sig": self.rounds[number]}

    def releases(self) -> bool:
        """Whether this pen may release links: where a responder is named, only the responder does."""
        batch = self.fold.batch
        slip_keys = batch.slip_keys if batch is not None and self.seat in batch.slip_keys else self.fold.slip_keys
        return slip_keys[self.seat].raw == self.key.public

    def slip(self) -> Signed[Slip]:
        """This seat's release for the open batch. The caller keeps one per batch, for ever."""
        batch = _batch(self.fold)
        link = self.link(batch.number).hex()
        doc = record.slip_doc(
            batch=batch.number, game=self.fold.game.id, link=link, request=batch.request, seat=self.seat
        )
        return record.write_slip(self.key, doc)

    def handover(self, at: int | None = None) -> Event:
        """Pass the baton to whom the position says, asking for dice where they are due."""
        fold = self.fold
        if not fold.since_handover:
            fold.pass_windows(self.seat)
        body: dict[str, Any] = {"count": fold.since_handover + 1, "state": fold.digest(), "owed": list(fold.owed())}
        following = next_seat(fold)
        if following is not None:
            body["next"] = following
        if (fold.open_pair and fold.asks) or body["owed"] == ["dice"]:
            body["batch"] = fold.requested + 1
            pinned = fold.game.charter.dice.beacon
            if fold.policy == beacon.NAME and pinned is not None and at is not None:
                body["beacon"] = {"chain": pinned.chain, "round": self._next_round(pinned.chain, at)}
            else:
                body["link"] = self.link(fold.requested + 1).hex()
        if at is not None:
            body["at"] = at
        return self.write("handover", body)

    def _next_round(self, chain: str, at: int) -> int:
        """The round to name at a time: so far ahead that the letter is in somebody else's hands before it."""
        return max(beacon.network(chain).round_at(at + self.ahead), self.fold.latest_round + 1, *self._named())

    def _named(self) -> list[int]:
        return [number + 1 for number in self.fold.rounds_named]

    def consent(self, kind: str, body: Mapping[str, Any], prev: str, seq: int) -> Signed[record.Statement]:
        """This seat's agreement to another seat's act at one place."""
        doc = record.consent_doc(game=self.fold.game.id, seat=self.seat, of=kind, body=body, prev=prev, seq=seq)
        return record.write_statement(self.key, doc)

    def statement(self, kind: str, **fields: Any) -> Signed[record.Statement]:
        """A statement about the present head."""
        doc = {"about": self.fold.head, "game": self.fold.game.id, "kind": kind, "seat": self.seat, "v": 1, **fields}
        return record.write_statement(self.key, doc)


def _batch(fold: Fold) -> Batch:
    if fold.batch is None or fold.batch.seed is not None:
        raise Incomplete("a request for dice", "no batch waits to be resolved")
    return fold.batch


def next_seat(fold: Fold) -> str | None:
    """To whom a handover written now passes the baton; None when the game is over."""
    if fold.windows:
        return fold.windows[0].seat
    if not fold.asks:
        return None
    if fold.open_pair:
        return fold.other(fold.holder)
    if fold.needs_request():
        return likely_next(fold)
    first = fold.asks[0]
    return first.seat if isinstance(first, Ask) else fold.holder


def likely_next(fold: Fold) -> str:
    """Who should see the dice first: a seat that the rules may ask before the requester decides again.

    Chance is tried out on copies of the position. Only a saving of mails hangs on it, never the dice.
    """
    rng = random.Random(0)
    for _ in range(TRIALS):
        seat = _asked_after_chance(fold.engine, copy.deepcopy(fold.state), rng)
        if seat is not None and seat != fold.holder and seat in fold.in_game:
            return seat
    return fold.holder


def _asked_after_chance(engine: Engine, state: Any, rng: random.Random) -> str | None:
    for _ in range(MAX_CHANCE):
        asks = engine.pending(state)
        if not asks:
            return None
        first = asks[0]
        if isinstance(first, Ask):
            return first.seat
        values = None if first.audience else trial_values(first, rng)
        engine.apply(state, Rolled(f"{first.stem}#0", first, values))
    return None


def trial_values(roll: Roll, rng: random.Random) -> tuple[Any, ...]:
    """Made-up values of a roll, for trying out only."""
    if roll.dice:
        return tuple(rng.randint(1, sides) for sides in roll.dice)
    if roll.draw:
        return tuple(rng.sample(roll.pool, roll.draw))
    order = list(range(roll.shuffle))
    rng.shuffle(order)
    return tuple(order)


def lines_of(events: Sequence[Event]) -> bytes:
    """Events as they stand in a file."""
    return b"".join(event.line() for event in events)
