"""Situation Cards: decks, hands and what is in force, and questions that the chapters of cards ask of them. [15]

A card is a slot all its life: drawn by public dice out of the pile, known to its side, opened when it is played.
The two Commonwealth armies share one deck, and both their seats know what is in its slots: whoever sealed it tells the
other its secret. Who holds which card is public, as at a table.

Chapters: cards_deal (sealing, drawing, Events, sharing, discarding), cards_judging (what may be done when), cards_play
(playing and negating), cards_effects (what a card does on the map; in a battle: `rules.field_command.aids`), cards_menu
(what could be played, and the bot).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from pbem.api import Illegal, Known
from rules.field_command.campaign.state import OUT, Unit, War
from rules.field_command.components import side
from rules.field_command.rows import Army, Card, Do, Side

SUFFIX = "-cards"
RECRUIT = "A-Vol-"
"""Volunteers; as many as cards can raise are added to those of the Deployment Orders."""
NAME = "cards"


class Played(NamedTuple):
    """A card that is being played: its slot, whose, and what it is for."""

    slot: str
    army: Army
    places: tuple[str, ...] = ()
    units: tuple[str, ...] = ()


class Effect(NamedTuple):
    """A card in force on the map: until the end of which army turn, for what."""

    slot: str
    army: Army
    until: int
    places: tuple[str, ...]
    units: tuple[str, ...]


class Cards:
    """The decks of both sides and all that is going on with them.

    `owed` cards are still to be drawn, `fresh` ones were drawn and may be Events, `joint` ones belong to both
    Commonwealth armies until they are shared out; `offered` is how Britain would share them, and Australia may object.
    `queue` is being played; `asked` are the seats that may still negate the first of it, `negating` is a Negation whose
    die is due, `gaining` a supply card whose die is due. `took`: the active army has taken an enemy sector this turn.
    """

    __slots__ = (
        *("asked", "discard", "effects", "fresh", "gaining", "hand", "joint", "negating", "offered", "opened", "owed"),
        *("pile", "queue", "took"),
    )

    def __init__(self) -> None:
        self.pile: dict[Side, tuple[str, ...]] = {}
        self.discard: dict[Side, tuple[str, ...]] = {}
        self.hand: dict[Army, tuple[str, ...]] = {}
        self.opened: dict[str, str] = {}
        self.owed: dict[Side, int] = {}
        self.fresh: tuple[str, ...] = ()
        self.joint: tuple[str, ...] = ()
        self.offered: tuple[tuple[str, Army], ...] = ()
        self.queue: tuple[Played, ...] = ()
        self.asked: tuple[str, ...] = ()
        self.negating = ""
        self.gaining: Played | None = None
        self.effects: tuple[Effect, ...] = ()
        self.took = False

    def copy(self) -> Cards:
        """The same cards, to be played on by themselves."""
        new = Cards()
        for name in self.__slots__:
            value = getattr(self, name)
            setattr(new, name, dict(value) if isinstance(value, dict) else value)
        return new

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cards) and all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]


def begin(w: War) -> None:
    """Both decks are to be sealed, and the first cards to be drawn; more volunteers are ready. [8.2.3, 15.2.2]"""
    c = w.cards = Cards()
    c.hand = dict.fromkeys(w.board.order, ())
    c.discard = dict.fromkeys(w.board.deals, ())
    # [15.2.2, 15.2.2.1]
    c.owed = {deck: deal.start for deck, deal in w.board.deals.items()}
    there = sum(1 for unit in w.board.units if unit.startswith(RECRUIT))
    copies = sum(card.copies for card in w.board.cards.values() if card.do == "place_volunteer")
    for n in range(there + 1, there + copies + 1):
        w.units[f"{RECRUIT}{n}"] = Unit(f"{RECRUIT}{n}", "A", "volunteer", "A", OUT)


# --- questions ---


def of(w: War) -> Cards:
    """The cards of a campaign that is played with them."""
    if w.cards is None:
        raise ValueError("this campaign is played without Situation Cards")
    return w.cards


def owner(w: War, deck: Side) -> str:
    """The seat that seals a deck: that of the army in whose turn it is drawn from. [8.5.3.2, R54]"""
    return w.seats[w.board.deals[deck].at_end_of]


def team(w: War, deck: Side) -> tuple[str, ...]:
    """The seats that know what is in a deck's slots, the owner first."""
    first = owner(w, deck)
    others = (w.seats[army] for army in w.board.order if side(army) == deck)
    return tuple(dict.fromkeys((first, *others)))


def deck_of(w: War, slot: str) -> Side:
    """The deck of a slot."""
    return "J" if slot.startswith(f"{owner(w, 'J')}{SUFFIX}/") else "CW"


def is_card(slot: str) -> bool:
    """Whether a slot is a card, and no sealed plan."""
    return slot.partition("/")[0].endswith(SUFFIX)


def card_of(w: War, slot: str, known: Known) -> Card | None:
    """The card in a slot, as far as it may be known here."""
    id = of(w).opened.get(slot) or known.get(slot)
    return w.board.cards.get(str(id))


def shown(w: War, slot: str) -> Card:
    """The card in a slot that is open."""
    return w.board.cards[of(w).opened[slot]]


def holder(w: War, armies: Iterable[Army], slot: str) -> Army | None:
    """Which of these armies has a card in its hand."""
    return next((army for army in armies if slot in of(w).hand[army]), None)


def in_order(slots: Iterable[str]) -> tuple[str, ...]:
    """Slots by epoch and number."""
    return tuple(sorted(slots, key=lambda slot: (slot.partition("/")[0], *map(int, slot.split("/")[1:]))))


def refuse_held(w: War, armies: Iterable[Army], slot: str, known: Known) -> Illegal | None:
    """Whether one of these armies has the card, and it is open."""
    if w.cards is None:
        return Illegal("Situation Cards are not used in this campaign", ("8.2.3",))
    if slot in w.board.cards:
        named = w.board.cards[slot]
        return Illegal(f"you hold no {named.name}", (*(("10.3.3",) if named.mission else ()), "15.2.4", "8.6"))
    if holder(w, armies, slot) is None:
        return Illegal("this card is not in your hand", ("15.2.4", "8.6"))
    if card_of(w, slot, known) is None:
        return Illegal(f"{slot} must be opened to be played", ("15.1.3",))
    return None


def may_hold(w: War, armies: Iterable[Army], fits: Callable[[Card], bool]) -> bool:
    """By public facts: whether such a card can be in one of these hands."""
    c = of(w)
    for army in armies:
        for slot in c.hand[army]:
            if slot in c.opened:
                if fits(shown(w, slot)):
                    return True
                continue
            deck = side(army)
            seen = [id for other, id in c.opened.items() if deck_of(w, other) == deck]
            if any(card.deck == deck and fits(card) and seen.count(card.id) < card.copies for card in every(w)):
                return True
    return False


def every(w: War) -> Iterator[Card]:
    """The cards of both decks, one of a kind."""
    yield from w.board.cards.values()


def held(w: War, armies: Iterable[Army], known: Known) -> Iterator[tuple[Army, str, Card]]:
    """The cards in these hands, as far as they may be known here, one of a kind for each hand."""
    for army in armies:
        met: set[str] = set()
        for slot in of(w).hand[army]:
            card = card_of(w, slot, known)
            if card is not None and card.id not in met:
                met.add(card.id)
                yield army, slot, card


def in_force(w: War, do: Do) -> Iterator[tuple[Effect, Card]]:
    """What is in force on the map and does this; nothing in a campaign without cards."""
    if w.cards is not None:
        for effect in w.cards.effects:
            card = shown(w, effect.slot)
            if card.do == do:
                yield effect, card


def limit(w: War, army: Army) -> int:
    """The most cards that an army keeps at the end of its turn. [8.5.4.2, 15.2.6]"""
    return w.board.stock(army).hand


def over(w: War, army: Army) -> int:
    """How many cards an army has too many. [15.2.5]"""
    return max(0, len(of(w).hand[army]) - limit(w, army)) if w.cards is not None else 0


def put_away(w: War, slots: Iterable[str]) -> None:
    """Cards go to the discards of their deck, face up."""
    c = of(w)
    for slot in slots:
        deck = deck_of(w, slot)
        c.discard[deck] = in_order((*c.discard[deck], slot))


def take_from_hand(w: War, army: Army, slots: Iterable[str]) -> None:
    """Cards leave a hand."""
    gone = set(slots)
    of(w).hand[army] = tuple(slot for slot in of(w).hand[army] if slot not in gone)
