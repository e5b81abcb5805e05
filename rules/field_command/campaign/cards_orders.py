"""The orders of Situation Cards; what is signed names slots, what is typed names cards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

from pydantic import Field

from pbem.api import Many
from rules.field_command.campaign.orders import SLOTS, Place
from rules.field_command.orders import Unit
from rules.kit.orders import SlotType, Words, WrittenOrder

CARD_ID = r"^([a-z][a-z0-9_]{0,15}-cards/[1-9][0-9]{0,3}/(0|[1-9][0-9]{0,3})|[a-z][a-z0-9_]{1,39})$"
Slot = Annotated[str, Field(pattern=CARD_ID)]


class CardName:
    """A card of the own hand by its name, which `read` of the campaign has made a slot."""

    about = "a card of your hand, such as Flaming Oil, or its slot"
    near: tuple[str, ...] = ()

    def read(self, words: Words, i: int) -> Iterator[tuple[str, int]]:
        if i < len(words) and re.match(CARD_ID, words[i]):
            yield words[i], i + 1

    def show(self, value: str) -> str:
        return value


CARDS: Mapping[str, SlotType] = {**SLOTS, "CARD": CardName()}


class PlayCard(WrittenOrder):
    """A deployment, combat or supply card, with what it is for."""

    kind: ClassVar[str] = "card"
    usage: ClassVar[str] = "card CARD [at {PLACE:places}] [with {UNIT:units}]"
    about: ClassVar[str] = "play a card, with the sectors or the unit that it is for"
    slots = CARDS
    also: ClassVar[tuple[str, ...]] = ("play CARD [at {PLACE:places}] [with {UNIT:units}]",)

    card: Slot
    places: Many[Place] = Field(default=(), max_length=4)
    units: Many[Unit] = Field(default=(), max_length=4)


class NoCard(WrittenOrder):
    """No card, or no further one: at the start of a battle, in the Supply Stage, against a card that is played."""

    kind: ClassVar[str] = "no_card"
    usage: ClassVar[str] = "no card"
    about: ClassVar[str] = "no card, or no more of them, now; no Negation"


class Negate(WrittenOrder):
    """A Negation against the card that is being played."""

    kind: ClassVar[str] = "negate"
    usage: ClassVar[str] = "negate with CARD"
    about: ClassVar[str] = "your Negation against the card that is being played"
    slots = CARDS
    also: ClassVar[tuple[str, ...]] = ("negate CARD",)

    card: Slot


class Events(WrittenOrder):
    """Which of the cards just drawn are Events, that are played at once."""

    kind: ClassVar[str] = "events"
    usage: ClassVar[str] = "events {CARD:cards}"
    about: ClassVar[str] = "your program says which of the cards just drawn are Events"
    slots = CARDS
    also: ClassVar[tuple[str, ...]] = ("no events",)

    cards: Many[Slot] = Field(default=(), max_length=12)

    def __str__(self) -> str:
        return super().__str__() if self.cards else "no events"


class Split(WrittenOrder):
    """How the two Commonwealth armies share the cards that they have drawn."""

    kind: ClassVar[str] = "split"
    usage: ClassVar[str] = "split [australia {CARD:australia}]"
    about: ClassVar[str] = "cards drawn for both armies: these go to Australia, the others to Britain"
    slots = CARDS

    australia: Many[Slot] = Field(default=(), max_length=12)


class Accept(WrittenOrder):
    """Australia agrees how cards are shared."""

    kind: ClassVar[str] = "accept"
    usage: ClassVar[str] = "accept"
    about: ClassVar[str] = "you agree how cards are shared"


class Object(WrittenOrder):
    """Australia does not agree how cards are shared."""

    kind: ClassVar[str] = "object"
    usage: ClassVar[str] = "object"
    about: ClassVar[str] = "you do not agree how cards are shared: Britain keeps what it has room for"


class Discard(WrittenOrder):
    """The cards beyond the limit of a hand."""

    kind: ClassVar[str] = "discard"
    usage: ClassVar[str] = "discard {CARD:cards}"
    about: ClassVar[str] = "phase 11: the cards that your hand has too many"
    slots = CARDS

    cards: Many[Slot] = Field(min_length=1, max_length=12)


ORDERS = (PlayCard, NoCard, Negate, Events, Split, Accept, Object, Discard)
CardOrder = PlayCard | NoCard | Negate | Events | Split | Accept | Object | Discard
