"""What hidden cards cost: sealing a deck and drawing a hand, and the audit of a whole game with two decks.

    PYTHONPATH=. python bench/hidden.py [--rounds N] [--json]

Both logs have about as many events, dice and handovers: where one plays and draws a card the other moves and rolls.
The deck and the hand are timed without signatures, in processor time, beside one signature and its check.
"""

from __future__ import annotations

import io
import random
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import logs
import measure
from measure import Row, Times

from pbem import canon, charter, keys, verify
from pbem.author import Author
from pbem.record import Event
from pbem.replay import Fold
from pbem.ruleset import rules_for
from pbem.trial import Trial
from pbem.vault import Vault

EVENTS = 2_000
CARDS, HAND = 50, 10
NAMES = ("Ambush", "Rain", "Air raid", "Supply run", "Mutiny", "Fog", "Heroes", "Delay", "Rout", "Engineers")
DECK = {"red": "events", "blue": "orders"}
LIST = ", ".join(f"{name} x{CARDS // len(NAMES)}" for name in NAMES)
AGAIN = 5
"""Decks sealed and hands drawn in one round."""


class NoKey(keys.SigningKey):
    """Signs nothing: what is left is the work that hidden cards make."""

    def __init__(self, seat: str) -> None:
        self.public = logs.key(seat).public

    def sign(self, namespace: str, message: bytes) -> bytes:
        return bytes(64)


class Anything(keys.VerifyKey):
    """Takes every signature."""

    def check(self, namespace: str, message: bytes, signature: bytes) -> None:
        return


class Game:
    """Two seats at the open table, with decks or without, written as clients do.

    With `facts` each half-turn also says of a card that it is not in the hand, which only the audit can prove.
    """

    def __init__(self, cards: bool, facts: bool = False) -> None:
        self.cards, self.facts = cards, facts
        self.game = logs.game()
        self.chains = {seat: logs.chain(seat, self.game.charter.setup) for seat in logs.SEATS}
        self.vaults = {seat: Vault(seat, canon.H("bench/master", seat)) for seat in logs.SEATS}
        self.events: list[Event] = []
        self.fold = Fold(self.game, rules_for(self.game), past=lambda to: iter(self.events[:to]))
        self.rng = random.Random(1)

    def author(self, seat: str = "", fold: Fold | None = None, key: keys.SigningKey | None = None) -> Author:
        fold = fold or self.fold
        seat = seat or fold.holder
        link = self.chains[seat].__getitem__
        return Author(fold, seat, key or logs.key(seat), link, self.vaults[seat], [] if key else self.events)

    def orders(self, *texts: str) -> None:
        author = self.author()
        for number, text in enumerate(texts, 1):
            author.answer_client_asks()
            Trial(author).take(number, text)

    def begin(self) -> None:
        """What needs no thought: dice that the other seat asked for, openings."""
        author, batch = self.author(), self.fold.batch
        if batch is not None and batch.seed is None:
            author.resolve()
        author.answer_client_asks()

    def first_turns(self) -> None:
        for _ in logs.SEATS:
            self.begin()
            deck = DECK[self.fold.holder]
            if self.cards:
                self.orders(f"deck {deck}: {LIST}", f"seal {deck}", f"draw {HAND} from {deck}")
            else:
                self.orders("move a", "move b", "move c", "roll d6 for a hand")
            self.orders("pass")
            self.author().handover()

    def half_turn(self) -> None:
        """Four moves, a roll, a tally, a pass; a card played and one drawn, or another move and roll."""
        self.begin()
        seat = self.fold.holder
        self.orders(*[f"move {self.rng.choice(logs.UNITS)} to {self.rng.choice(logs.PLACES)}" for _ in range(4)])
        self.orders("roll 2d6 for an attack", f"tally {seat}-vp {self.rng.randrange(60)}")
        self.orders(*(self.card_orders(seat) if self.cards else ("move the reserve", "roll d6 for the weather")))
        self.orders("pass")
        self.author().handover()

    def card_orders(self, seat: str) -> tuple[str, ...]:
        deck = self.fold.state.held.decks[f"{seat}-{DECK[seat]}"]
        known = self.vaults[seat].known(self.fold)
        hand = [known[slot] for slot in deck.zone(f"hand {seat}")]
        if not deck.zone("pile"):
            return (f"reshuffle {DECK[seat]} with discards", f"draw 1 from {DECK[seat]}")
        absent = [name for name in NAMES if name not in hand] if self.facts else []
        denied = [f"deny {absent[0]}"] if absent else []
        return (*denied, f"play {self.rng.choice(hand)}", f"draw 1 from {DECK[seat]}")

    def play(self, events: int) -> bytes:
        """A game of about so many events, given up, disclosed and closed."""
        self.first_turns()
        while self.fold.seq < events:
            self.half_turn()
        self.begin()
        self.author().write("resign", {})
        while not self.fold.closed:
            self.begin()
            self.author().handover()
        seals = b"".join(charter.seal(logs.key(seat), self.game, seat) for seat in logs.SEATS)
        return self.game.line() + seals + b"".join(event.line() for event in self.events)


def audit(data: bytes) -> None:
    verdict = verify.verify(io.BytesIO(data), rules_for, workers=0)
    if verdict.word != "VALID":
        raise SystemExit(verdict.line())


def audits(number: int) -> list[Row]:
    """The whole verification, disclosures included; with facts everything is judged a second time."""
    games = {"plain": Game(False), "cards": Game(True), "facts": Game(True, facts=True)}
    data = {name: game.play(EVENTS) for name, game in games.items()}
    events = {name: one.count(b"\npbem1 ") for name, one in data.items()}
    times = measure.rounds({name: lambda one=one: audit(one) for name, one in data.items()}, number)

    def ratio(name: str, of: Callable[[str, str], float]) -> float:
        """Beside the game without decks, for as many events."""
        return of(name, "plain") * events["plain"] / events[name]

    words = {"plain": "without decks", "cards": "with two decks of 50", "facts": "with two decks and facts to prove"}
    return [
        *(Row(f"events {words[name]}", events[name], "events") for name in games),
        *(Row(f"audit {words[name]}", times.median(name) * 1e3, "milliseconds") for name in games),
        Row("file with decks : without", len(data["cards"]) / len(data["plain"]), "times as long"),
        Row("audit with decks : without", ratio("cards", times.ratio), "times as long"),
        Row("the same in processor time", ratio("cards", times.cpu_ratio), "times as long", "<= 1.5"),
        Row("audit with decks and facts : without", ratio("facts", times.ratio), "times as long"),
        Row("the same in processor time", ratio("facts", times.cpu_ratio), "times as long", "<= 1.5"),
    ]


def hands(number: int) -> list[Row]:
    """Fifty slots sealed and entered, ten of them drawn: the owner's side, without signatures, in processor time."""
    game = Game(cards=True)
    game.orders(f"deck events: {LIST}")
    ready = [game.fold.fork() for _ in range((number + 1) * AGAIN)]
    times = Times(("seal", "draw", "hand", "signature"))
    public, message = keys.VerifyKey(logs.key("red").public), b"x" * 400
    for turn in range(number + 1):
        measure.say(f"hands: round {turn} of {number}")
        took = dict.fromkeys(times.wall, 0.0)
        for _ in range(AGAIN):
            for name, seconds in one_hand(game, ready.pop()).items():
                took[name] += seconds
            begun = time.process_time()
            public.check(keys.EVENT, message, logs.key("red").sign(keys.EVENT, message))
            took["signature"] += time.process_time() - begun
        took["hand"] = took["seal"] + took["draw"]
        for name, seconds in took.items() if turn else ():
            times.wall[name].append(seconds / AGAIN)
    return [
        Row("50 cards arranged, salted, hashed and entered", times.median("seal") * 1e3, "milliseconds"),
        Row("10 of 50 drawn, and seen by their owner", times.median("draw") * 1e3, "milliseconds"),
        Row("both", times.median("hand") * 1e3, "milliseconds", "< 5"),
        Row("one signature made and checked beside it", times.median("signature") * 1e3, "milliseconds"),
        Row("both : one signature made and checked", times.ratio("hand", "signature"), "times as long"),
    ]


def one_hand(game: Game, fold: Fold) -> Mapping[str, float]:
    """Seconds of a processor for sealing a deck, and for drawing from it."""
    fold.slip_keys = {seat: Anything(key.raw) for seat, key in fold.slip_keys.items()}
    author = game.author("red", fold, NoKey("red"))
    author.order(fold.engine.read(fold.state, "red", "seal events", {})[0])
    begun = time.process_time()
    author.answer_client_asks()
    seal = time.process_time() - begun
    taken(author, f"draw {HAND} from events", "pass")
    author.handover()
    other = game.author("blue", fold, NoKey("blue"))
    begun = time.process_time()
    other.resolve()
    known = game.vaults["red"].known(fold)
    draw = time.process_time() - begun
    hand = fold.state.held.decks["red-events"].zone("hand red")
    if len([known[slot] for slot in hand]) != HAND:
        raise SystemExit("no hand was drawn")
    return {"seal": seal, "draw": draw}


def taken(author: Author, *texts: str) -> None:
    for number, text in enumerate(texts, 1):
        Trial(author).take(number, text)


PARTS = {"Hidden cards: a deck and a hand": hands, "Hidden cards: the audit": audits}

if __name__ == "__main__":
    measure.command(__doc__, PARTS, 7)
