"""A game at the open table with fixed keys and secrets, played through authors and folds as clients do."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Any

import pytest
from builder import chain, charter_doc, entry, key, sign_line

from pbem import canon, charter, sealed, verify
from pbem.api import Ask, Note, Start
from pbem.author import Author
from pbem.errors import Refused
from pbem.record import Event
from pbem.replay import Fold, Ruleset
from pbem.report import sentence
from pbem.trial import Trial
from pbem.vault import Vault
from rules.open_table import ENGINE

MASTER = {"red": b"\x51" * 32, "blue": b"\x52" * 32, "green": b"\x53" * 32}
SCENARIO = {2: "duel", 3: "three"}


def rules_for(game: charter.Game) -> Ruleset:
    return Ruleset(ENGINE, Start(game.charter.scenario, game.charter.options, game.seats, 1, ENGINE.components(1)))


class Board:
    """One game with all its secrets, folded as it is written; `story` are its notes with the event of each."""

    def __init__(self, seats: Iterable[str] = ("red", "blue"), policy: str = "sealed", **options: str) -> None:
        names = tuple(seats)
        scenario = next(one for one in ENGINE.scenarios() if one.id == SCENARIO[len(names)])
        chosen = {option.name: option.default for option in scenario.options} | options
        doc = charter_doc(names, policy, options=chosen)
        doc |= {"rules": {"id": "open-table", "version": "1", "digest": "a" * 64}, "scenario": scenario.id}
        doc["seats"] = [entry(seat, box=sealed.box_public(sealed.box_key(MASTER[seat])).hex()) for seat in names]
        self.game = charter.make_game(doc)
        self.seals = [charter.seal(key(seat), self.game, seat) for seat in names]
        self.vaults = {seat: Vault(seat, MASTER[seat]) for seat in names}
        self.events: list[Event] = []
        self.story: list[tuple[int, Note]] = []
        self.fold = self.fresh()
        self.fold.listener = lambda seq, note: self.story.append((seq, note))

    def fresh(self) -> Fold:
        return Fold(self.game, rules_for(self.game), past=lambda to: iter(self.events[:to]))

    def refold(self) -> Fold:
        """A new fold with the events written so far: what another machine has."""
        fold = self.fresh()
        for event in self.events:
            assert fold.take(fold.read(event.line()))
        return fold

    # Writing by the rules

    def author(self, seat: str = "", fold: Fold | None = None) -> Author:
        fold = fold or self.fold
        seat = seat or fold.holder
        setup = self.game.charter.setup
        return Author(fold, seat, key(seat), lambda n: chain(seat, setup)[n], self.vaults[seat], self.events)

    def order(self, *texts: str) -> None:
        """Orders of the holder, in the words that are typed; what needs no thought is done on the way."""
        author = self.author()
        author.answer_client_asks()
        for number, text in enumerate(texts, 1):
            Trial(author).take(number, text)

    def go_on(self) -> None:
        """Handovers, dice and openings until somebody must think, or the game is over."""
        fold = self.fold
        while not fold.closed:
            author = self.author()
            author.answer_client_asks()
            if fold.batch is not None and fold.batch.seed is None:
                waits = [name for name in fold.batch.contributors if name != fold.batch.requester]
                author.resolve([self.author(name).slip() for name in waits])
                continue
            first = fold.asks[0] if fold.asks else None
            if isinstance(first, Ask) and first.seat == fold.holder and first.client is None:
                return
            author.handover()

    def turn(self, seat: str, *texts: str) -> None:
        """A turn of a seat, up to the next moment at which somebody must think."""
        assert self.fold.holder == seat
        self.order(*texts)
        self.go_on()

    def end(self, loser: str) -> None:
        """A seat gives up in its turn; the audit follows."""
        assert self.fold.holder == loser
        self.author().write("resign", {})
        self.go_on()

    def undo(self, to: int) -> None:
        """Set the game back to the position after an event, by consent of all."""
        holder, body = self.author(), {"to": to}
        others = sorted(seat for seat in self.fold.in_game if seat != holder.seat)
        place = (self.fold.head, self.fold.seq + 1)
        given = [{"seat": one, "sig": self.author(one).consent("undo", body, *place).sig.hex()} for one in others]
        holder.write("undo", {**body, "consents": given})
        self.go_on()

    # Looking

    def known(self, seat: str) -> dict[str, Any]:
        return self.vaults[seat].known(self.fold)

    def hand(self, seat: str) -> list[str]:
        """The cards in a seat's own report."""
        return [row[0] for row in self.grid("Your hand", seat)]

    def grid(self, title: str, seat: str = "") -> tuple[tuple[str, ...], ...]:
        known = self.known(seat) if seat else self.fold.known
        view = ENGINE.picture(self.fold.state, seat, known)
        return next((grid.rows for grid in view.grids if grid.title == title), ())

    def told(self) -> list[str]:
        return [sentence(note, ENGINE.words) for _, note in self.story if note.stem in ENGINE.words]

    def slot(self, seat: str, card: str, zone: str) -> str:
        """The lowest slot of a zone in which a card lies, by what the seat knows."""
        known = self.known(seat)
        decks = self.fold.state.held.decks.values()
        return next(slot for deck in decks for slot in deck.zone(zone) if known.get(slot) == card)

    # Files

    def head(self) -> bytes:
        return self.game.line() + b"".join(self.seals)

    def file(self, upto: int | None = None) -> bytes:
        return self.head() + b"".join(event.line() for event in self.events[:upto])

    def verdict(self, data: bytes | None = None) -> verify.Verdict:
        return verify.verify(io.BytesIO(self.file() if data is None else data), rules_for, workers=0)

    # Forging

    def forge(self, kind: str, body: Any, seat: str = "") -> bytes:
        """A well signed line that says whatever is wanted, after the events so far."""
        fold = self.fold
        seat = seat or fold.holder
        doc = {"body": body, "game": self.game.id, "kind": kind, "prev": fold.head, "seat": seat, "seq": fold.seq + 1}
        return sign_line(key(seat), canon.encode({**doc, "v": 1}))

    def refusal(self, kind: str, body: Any) -> Refused:
        """The refusal that a line of the holder meets; a file with it gets the same verdict."""
        line = self.forge(kind, body)
        fold = self.refold()
        with pytest.raises(Refused) as refused:
            fold.take(fold.read(line))
        assert self.verdict(self.file() + line).code == refused.value.code
        return refused.value

    def item(self, seat: str, slot: str) -> dict[str, Any]:
        """The honest opening of a slot."""
        return self.vaults[seat].item(self.fold, slot)
