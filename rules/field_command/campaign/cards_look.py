"""What a reader sees of Situation Cards: the own hand, what an ally holds, how many cards the others have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal

from pbem.api import Known
from rules.field_command.campaign import cards
from rules.field_command.campaign.cards import Effect
from rules.field_command.campaign.state import War, name
from rules.field_command.rows import Army
from rules.field_command.seen import Sign
from rules.field_command.terms import ADJECTIVES, SIDES


def hand(w: War, own: tuple[Army, ...], known: Known) -> tuple[str, ...]:
    """The cards of the reader's armies, those that its seat must still share among them."""
    if w.cards is None:
        return ()
    slots = [slot for army in own for slot in w.cards.hand[army]]
    found = (cards.card_of(w, slot, known) for slot in (*slots, *(w.cards.joint if set(own) & {"A", "B"} else ())))
    return tuple(card.id for card in found if card is not None)


def hands(w: War) -> dict[Army, int]:
    """How many cards every army holds: everybody sees that. [R69]"""
    return {army: len(slots) for army, slots in w.cards.hand.items()} if w.cards else {}


def facts(w: War, seat: str, known: Known) -> Iterator[tuple[str, str]]:
    """Whose cards are which, as far as the reader knows them; decks and discards; what is being played."""
    c, own = w.cards, w.armies_of(seat)
    if c is None:
        return
    for army, slots in c.hand.items():
        names = [card.name for slot in slots if (card := cards.card_of(w, slot, known))]
        if names and own != (army,):  # else they stand in the table of the own cards
            yield f"{ADJECTIVES[army]} hand", ", ".join(names)
    for slots, what in ((c.joint, "to be shared"), (tuple(slot for slot, _ in c.offered), "would be shared")):
        names = [card.name for slot in slots if (card := cards.card_of(w, slot, known))]
        if slots:
            yield what, ", ".join(names) or f"{len(slots)} cards of the Commonwealth"
    for deck in c.pile:
        gone = Counter(cards.shown(w, slot).name for slot in c.discard[deck])
        said = ", ".join(card + (f" x{count}" if count > 1 else "") for card, count in sorted(gone.items()))
        yield f"{SIDES[deck]} deck", f"{len(c.pile[deck])} cards{f'; discards: {said}' if said else ''}"
    for one in c.queue:
        card = cards.shown(w, one.slot)
        aims = ", ".join((*(name(w, place) for place in one.places), *one.units))
        yield "is played", f"{card.name}{f' for {aims}' if aims else ''}: {card.text}"
    if w.fight:
        for aid in w.fight.aids:
            card = w.board.cards[aid.card]
            yield "in this battle", f"{card.name} ({ADJECTIVES[w.fight.army[aid.role]]}): {card.text}"


def in_force(w: War) -> Iterator[str]:
    """What is in force on the map, for what, and until when."""
    for effect in w.cards.effects if w.cards else ():
        card = cards.shown(w, effect.slot)
        aims = ", ".join((*(name(w, place) for place in effect.places), *effect.units))
        yield f"{card.name}{f' for {aims}' if aims else ''}, until {_end(w, effect)}: {card.text}"


SHOWN: Mapping[str, Literal["cut", "bridged", "shut"]] = {
    "cut_road": "cut",
    "bridge": "bridged",
    "close_sector": "shut",
}


def signs(w: War) -> Iterator[Sign]:
    """What of it stands on the map, so that nobody looks for a road that is gone. [15.3.1]"""
    for effect in w.cards.effects if w.cards else ():
        card = cards.shown(w, effect.slot)
        if card.do in SHOWN:
            yield Sign(SHOWN[card.do], effect.places, f"{card.name}, until {_end(w, effect)}")


def _end(w: War, effect: Effect) -> str:
    armies = w.board.order
    army = armies[(effect.until - 1) % len(armies)]
    return f"the end of the {ADJECTIVES[army]} turn of {w.board.date((effect.until - 1) // len(armies) + 1)}"
