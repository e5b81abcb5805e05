"""Orders about decks, hands and counters, in the words a player types.

A card is named by what is on it; the player's own program finds the slot, and the order that is signed holds the slot.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from rules.kit.orders import BREAK, Choice, Number, Text, Words, WrittenOrder
from rules.open_table.orders import MAX_TEXT, Name, Told

MAX_DRAWN = 60  # [OT-6.3]
MAX_PLACE = 40  # [OT-7.1]


class Phrase(Text):
    """A name of several words, read up to any word after it: what follows, and what it names, decide where it ends."""

    def __init__(self, about: str) -> None:
        super().__init__()
        self.about = about

    def read(self, words: Words, i: int) -> Iterator[tuple[str, int]]:
        rest, last = words.rest(i)
        for end in range(i + 1, last + 1):
            if words[end - 1] == BREAK:
                return
            after, _ = words.rest(end)
            yield rest[: len(rest) - len(after)].rstrip(" "), end


CARD = Phrase("a card or counter by its name, such as Ambush; one on the table as Dummy at Jitra, or by its slot")
DECK = Name("a deck by its name, such as events; another seat's as blue-events", fold=True)
PLACE = Phrase(f"a place on the board, in up to {MAX_PLACE} characters")
CARDS = Told(MAX_TEXT)
CARDS.about = "cards with commas between, copies as Ambush x3"
NUMBER = Number(0, 10**6)
NUMBER.about = "how many, or which by its number"
TEAM = Choice("team", about="for team: the other seats of your team know the deck too")


class ListDeck(WrittenOrder):
    kind = "deck"
    usage = "deck DECK [for TEAM:whom] : CARDS"
    about = "list cards of a deck of yours; several lines add up until it is sealed"
    slots: ClassVar = {"DECK": DECK, "TEAM": TEAM, "CARDS": CARDS}

    deck: str
    whom: str | None = None
    cards: str


class ListCounters(WrittenOrder):
    kind = "counters"
    usage = "counters DECK [for TEAM:whom] : CARDS"
    about = "the same for counters, which begin in your hand"
    slots: ClassVar = {"DECK": DECK, "TEAM": TEAM, "CARDS": CARDS}

    deck: str
    whom: str | None = None
    cards: str


class SealDeck(WrittenOrder):
    kind = "seal_deck"
    usage = "seal DECK"
    about = "shuffle a deck or counters in secret and seal them"
    slots: ClassVar = {"DECK": DECK}
    also: ClassVar = ("seal deck DECK", "seal counters DECK")

    deck: str


class ListOpenDeck(WrittenOrder):
    kind = "open_deck"
    usage = "open deck DECK : CARDS"
    about = "list cards that anybody draws face up, with no secret"
    slots: ClassVar = {"DECK": DECK, "CARDS": CARDS}

    deck: str
    cards: str


class Draw(WrittenOrder):
    kind = "draw"
    usage = "draw N:number from DECK"
    about = "draw cards; chance says which"
    slots: ClassVar = {"N": NUMBER, "DECK": DECK}

    number: int
    deck: str


class CardOrder(WrittenOrder):
    """An order about one slot, `card`; `zones` are where it is looked for by name."""

    zones: ClassVar[tuple[str, ...]] = ("hand",)
    bares: ClassVar[bool] = True
    """The order opens the slot."""

    card: str


class Play(CardOrder):
    kind = "play"
    usage = "play CARD [as USE]"
    about = "play a card from your hand, for everybody to see"
    slots: ClassVar = {"CARD": CARD, "USE": Told(200)}

    use: str | None = None


class Discard(CardOrder):
    kind = "discard"
    usage = "discard CARD [face DOWN:how]"
    about = "put a card from your hand on the discards"
    slots: ClassVar = {"CARD": CARD, "DOWN": Choice("down")}

    how: str | None = None


class DiscardAtRandom(WrittenOrder):
    kind = "discard_at_random"
    usage = "discard N:number at random from DECK [of SEAT:whose]"
    about = "have chance discard from a hand, yours or another's"
    slots: ClassVar = {"N": NUMBER, "DECK": DECK, "SEAT": Name("the name of a seat", fold=True)}
    also: ClassVar = ("discard N:number at random from DECK hand",)

    number: int
    deck: str
    whose: str | None = None


class Show(CardOrder):
    kind = "show"
    usage = "show CARD"
    about = "open a card of your hand and keep it"
    slots: ClassVar = {"CARD": CARD}


class ShowHand(WrittenOrder):
    kind = "show_hand"
    usage = "show hand of DECK"
    about = "open all your cards of a deck and keep them"
    slots: ClassVar = {"DECK": DECK}

    deck: str


class GiveBack(CardOrder):
    kind = "give_back"
    usage = "return CARD [to DECK]"
    about = "put a card from your hand back into the pile, unopened"
    slots: ClassVar = {"CARD": CARD, "DECK": DECK}
    bares: ClassVar = False

    deck: str | None = None


class Remove(CardOrder):
    kind = "remove"
    usage = "remove CARD"
    about = "take a card or counter out of the game, open"
    slots: ClassVar = {"CARD": CARD}
    zones: ClassVar = ("hand", "at", "discard")


class Deny(WrittenOrder):
    kind = "deny"
    usage = "deny CARD"
    about = "declare that your hand holds no such card; proved in the audit"
    slots: ClassVar = {"CARD": CARD}

    card: str


class Reshuffle(WrittenOrder):
    kind = "reshuffle"
    usage = "reshuffle DECK [with DISCARDS:discards]"
    about = "shuffle the pile anew, with its discards if you say so"
    slots: ClassVar = {"DECK": DECK, "DISCARDS": Choice("discards")}

    deck: str
    discards: str | None = None


class ReshuffleHand(WrittenOrder):
    kind = "reshuffle_hand"
    usage = "reshuffle hand of DECK"
    about = "hide again which card of your hand is which"
    slots: ClassVar = {"DECK": DECK}

    deck: str


class Look(WrittenOrder):
    kind = "look"
    usage = "look at N:number of DECK"
    about = "draw cards to look at; then keep some, and put the rest back"
    slots: ClassVar = {"N": NUMBER, "DECK": DECK}

    number: int
    deck: str


class Keep(CardOrder):
    kind = "keep"
    usage = "keep CARD"
    about = "take a card that you look at into your hand"
    slots: ClassVar = {"CARD": CARD}
    zones: ClassVar = ("looked",)
    bares: ClassVar = False


class PutBack(WrittenOrder):
    kind = "put_back"
    usage = "put back DECK"
    about = "shuffle the cards that you look at into the pile again"
    slots: ClassVar = {"DECK": DECK}

    deck: str


class Search(CardOrder):
    kind = "search"
    usage = "search DECK for CARD"
    about = "take a card of your pile into your hand, open; the pile is shuffled anew"
    slots: ClassVar = {"DECK": DECK, "CARD": CARD}
    zones: ClassVar = ("pile",)

    deck: str


class Lay(CardOrder):
    kind = "lay"
    usage = "lay CARD at PLACE"
    about = "lay a counter or card from your hand face down on the board"
    slots: ClassVar = {"CARD": CARD, "PLACE": PLACE}
    bares: ClassVar = False

    place: str


class Shift(CardOrder):
    kind = "shift"
    usage = "shift CARD to PLACE"
    about = "move one that lies on the board; face down it stays"
    slots: ClassVar = {"CARD": CARD, "PLACE": PLACE}
    zones: ClassVar = ("at",)
    bares: ClassVar = False

    place: str


class TurnUp(CardOrder):
    kind = "turn_up"
    usage = "turn up CARD"
    about = "open one that lies on the board"
    slots: ClassVar = {"CARD": CARD}
    zones: ClassVar = ("at",)


class PickUp(CardOrder):
    kind = "pick_up"
    usage = "pick up CARD"
    about = "take one from the board into your hand"
    slots: ClassVar = {"CARD": CARD}
    zones: ClassVar = ("at",)
    bares: ClassVar = False


class ReshuffleAt(WrittenOrder):
    kind = "reshuffle_at"
    usage = "reshuffle DECK at PLACE"
    about = "turn down and mix your counters in one place"
    slots: ClassVar = {"DECK": DECK, "PLACE": PLACE}

    deck: str
    place: str


CARD_ORDERS: tuple[type[WrittenOrder], ...] = (
    *(ListDeck, ListCounters, SealDeck, ListOpenDeck, Draw, Play, Discard, DiscardAtRandom, Show, ShowHand, GiveBack),
    *(Remove, Deny, Reshuffle, ReshuffleHand, Look, Keep, PutBack, Search, Lay, Shift, TurnUp, PickUp, ReshuffleAt),
)
