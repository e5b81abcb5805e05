"""The toy game with real seals: played to its end by honest clients, verified by a stranger."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator

import pytest
from builder import chain, charter_doc, entry, key
from toy_hidden import Smugglers

from pbem import chance, charter, sealed, verify
from pbem.api import Ask, Roll, Start
from pbem.author import Author
from pbem.record import Event
from pbem.replay import Fold, Ruleset
from pbem.vault import Vault

LINKS = 200


def master(seat: str) -> bytes:
    return seat.encode().ljust(32, b".")


class Party:
    """One game, its secrets and its events; every seat has a fold of its own."""

    undoes = False

    def __init__(self, seats: tuple[str, ...], policy: str, seed: int) -> None:
        doc = charter_doc(seats, policy)
        doc["rules"]["id"] = "smugglers"
        doc["scenario"] = "allies" if len(seats) == 3 else "duel"
        doc["seats"] = [
            {**one, "anchor": chain(one["seat"], links=LINKS)[0].hex(), "links": LINKS, "box": self.box(one["seat"])}
            for one in map(entry, seats)
        ]
        self.game = charter.make_game(doc)
        self.events: list[Event] = []
        self.writing: list[Event] = []
        self.rng = random.Random(seed)
        self.authors = {seat: self.author(seat) for seat in seats}

    def box(self, seat: str) -> str:
        return sealed.box_public(sealed.box_key(master(seat))).hex()

    def rules(self, game: charter.Game) -> Ruleset:
        return Ruleset(Smugglers(), Start(game.charter.scenario, {}, game.seats, 1, None))

    def author(self, seat: str) -> Author:
        fold = Fold(self.game, self.rules(self.game), past=self.past)
        links = chain(seat, links=LINKS)
        return Author(fold, seat, key(seat), lambda n: links[n], Vault(seat, master(seat)))

    def past(self, to: int) -> Iterator[Event]:
        """Events 1 to `to`, those of the packet that is being written too."""
        fresh = (event for event in self.writing if event.seq > len(self.events))
        return (event for event in (*self.events, *fresh) if event.seq <= to)

    def play(self, events: int = 10_000) -> None:
        """Packets until the game is over or has so many events."""
        while len(self.events) < events and (holder := self.authors["red"].fold.holder):
            self.packet(self.authors[holder])

    def packet(self, author: Author) -> None:
        """What one seat writes until it hands over; then everybody else reads it."""
        fold = author.fold
        author.written = self.writing = []
        over = fold.outcome() is not None
        dice = fold.open_pair and bool(fold.asks) and isinstance(fold.asks[0], Roll)
        if self.undoes and fold.seq > 12 and not (over or dice or fold.windows) and self.rng.random() < 0.15:
            self.undo(author, self.rng.randrange(fold.seq - 10, fold.seq))
        while not self.over(author):
            pass
        self.events += author.written
        for other in self.authors.values():
            for event in author.written if other is not author else ():
                other.fold.take(other.fold.read(event.line()))

    def over(self, author: Author) -> bool:
        """Write the next event; whether it was the handover."""
        fold = author.fold
        first = fold.asks[0] if fold.asks else None
        waits = fold.batch is not None and fold.batch.seed is None
        before = fold.seq
        if fold.open_pair and fold.seq == 0:
            author.handover()
            return True
        if self.reacted(author):
            return False
        if waits and not fold.open_pair:
            slips = [self.authors[seat].slip() for seat in fold.batch.contributors if seat != fold.batch.requester]
            author.resolve(slips)
        elif fold.windows and fold.windows[0].seat != author.seat and not isinstance(first, Ask):
            author.handover()
        elif fold.open_pair and waits and fold.waits_for_chance() and not chance.late(fold, first):
            author.resolve()
        elif isinstance(first, Ask) and first.seat == author.seat and first.client is not None:
            author.answer_client_asks()
        elif isinstance(first, Ask) and first.window and (first.seat != author.seat or self.rng.random() < 0.5):
            author.write("play_on", {})
        elif isinstance(first, Ask) and first.seat == author.seat:
            known = author.known()
            author.order(fold.engine.sample(fold.state, first, known, self.rng))
        else:
            author.handover()
        assert fold.seq > before
        return author.written[-1].kind == "handover"

    def undo(self, author: Author, to: int) -> None:
        """Set the game back, with everybody's consent."""
        fold = author.fold
        body = {"to": to}
        consents = [
            {"seat": seat, "sig": other.consent("undo", body, fold.head, fold.seq + 1).sig.hex()}
            for seat, other in sorted(self.authors.items())
            if other is not author
        ]
        author.write("undo", {**body, "consents": consents})

    def reacted(self, author: Author) -> bool:
        """Perhaps answer a window that the other seat passed; whether it was answered."""
        fold = author.fold
        mine = [window for window in fold.windows if window.seat == author.seat]
        if fold.since_handover or not mine or self.rng.random() < 0.4:
            return False
        window = self.rng.choice(mine)
        offers = list(fold.engine.offers(window.state, author.seat, author.known()))
        if offers:
            author.react(window.seq, self.rng.choice(offers))
        return bool(offers)

    def file(self) -> bytes:
        seals = [charter.seal(key(seat), self.game, seat) for seat in self.game.sealers()]
        return self.game.line() + b"".join(seals) + b"".join(event.line() for event in self.events)


TABLES = {
    "sealed": (("red", "blue"), "sealed"),
    "open": (("red", "blue"), "open"),
    "allies": (("red", "blue", "green"), "sealed"),
}


@pytest.mark.parametrize(("seats", "policy"), TABLES.values(), ids=TABLES)
def test_games_of_honest_clients_are_valid(seats: tuple[str, ...], policy: str) -> None:
    met: set[str] = set()
    for seed in range(6):
        party = Party(seats, policy, seed)
        party.play()
        verdict = verify.verify(io.BytesIO(party.file()), party.rules, workers=0)
        assert verdict.word == "VALID", verdict
        met |= {event.kind for event in party.events}
        met |= {f"seal of a {event.body['what']}" for event in party.events if event.kind == "seal"}
    assert met >= {"open", "declare", "play", "strike", "search", "play_on", "react", "disclose"}
    assert met & {"boast", "keep"}
    assert {kind for kind in met if kind.startswith("seal of")} == {
        "seal of a deck",
        "seal of a purse",
        "seal of a private",
        "seal of a choice",
    }


def test_a_game_without_its_audit_is_valid_so_far() -> None:
    party = Party(*TABLES["sealed"], 1)
    party.play()
    first = next(i for i, event in enumerate(party.events) if event.kind == "disclose")
    cut = max(i for i, event in enumerate(party.events[:first]) if event.kind == "handover") + 1
    del party.events[cut:]
    verdict = verify.verify(io.BytesIO(party.file()), party.rules, workers=0)
    assert verdict.word == "VALID SO FAR", verdict
    assert any("await the audit" in remark for remark in verdict.remarks), verdict


def test_an_ally_sees_the_cards_that_are_shared_and_nothing_else() -> None:
    party = Party(*TABLES["allies"], 0)
    party.play(events=30)
    seen = {seat: author.known() for seat, author in party.authors.items()}
    slots = [f"red-cards/1/{number}" for number in range(4)]
    assert sorted(seen["green"][slot] for slot in slots) == ["ace", "bolt", "crown", "dart"]
    assert not any(slot in seen["blue"] for slot in slots if slot not in party.authors["red"].fold.known)
    assert not any(slot.startswith(("red-men", "red-cup")) for slot in seen["green"])


@pytest.mark.parametrize(("seats", "policy"), TABLES.values(), ids=TABLES)
def test_games_with_undos_are_valid(seats: tuple[str, ...], policy: str) -> None:
    undone = 0
    for seed in range(6):
        party = Party(seats, policy, seed)
        party.undoes = True
        party.play()
        verdict = verify.verify(io.BytesIO(party.file()), party.rules, workers=0)
        assert verdict.word == "VALID", verdict
        undone += sum(event.kind == "undo" for event in party.events)
    assert undone > 6
