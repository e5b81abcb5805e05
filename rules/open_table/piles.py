"""Piles looked at, searched and shuffled anew, and hands mixed (OT-6.9 to OT-6.11, OT-7.4)."""

from __future__ import annotations

from pbem.api import Illegal, Known, Note, Slot, Tell
from rules.open_table.card_orders import Keep, PutBack, Reshuffle, ReshuffleHand, Search
from rules.open_table.decks import busy, ours
from rules.open_table.holdings import DISCARD, PILE, Deck, OpenDeck, hand, looked
from rules.open_table.state import State
from rules.open_table.typed import card_there

# --- looking and searching ---


def refuse_keep(state: State, seat: str, order: Keep, known: Known) -> Illegal | None:
    found = card_there(state, seat, order, known, "OT-6.10")
    return found if isinstance(found, Illegal) else None


def keep(state: State, seat: str, order: Keep, tell: Tell) -> None:
    deck = state.held.decks[order.card.partition("/")[0]]
    deck.move((order.card,), hand(seat))
    tell(Note("keep", {"seat": seat, "deck": deck.name, "slot": order.card}, ("OT-6.10",)))


def refuse_put_back(state: State, seat: str, order: PutBack, known: Known) -> Illegal | None:
    deck = ours(state, seat, order.deck, "OT-6.10")
    if isinstance(deck, Illegal):
        return deck
    if not deck.zone(looked(seat)):
        return Illegal(f"{seat} looks at no cards of {deck.name}", ("OT-6.10",), f'write "look at 3 of {deck.short}"')
    return may_mix(state, deck, PILE)


def put_back(state: State, seat: str, order: PutBack, tell: Tell) -> None:
    deck = ours(state, seat, order.deck, "OT-6.10")
    if isinstance(deck, Deck):
        back = deck.zone(looked(seat))
        tell(Note("put_back", {"seat": seat, "deck": deck.name, "number": len(back)}, ("OT-6.10",)))
        deck.mix((*deck.zone(PILE), *back), PILE)


def refuse_search(state: State, seat: str, order: Search, known: Known) -> Illegal | None:
    deck = ours(state, seat, order.deck, "OT-6.11")
    if isinstance(deck, Illegal):
        return deck
    found = card_there(state, seat, order, known, "OT-6.11")
    if isinstance(found, Illegal):
        return found
    if order.card not in known:
        return Illegal("the card that is searched for must be open", ("OT-6.11",))
    return may_mix(state, deck, PILE)


def search(state: State, seat: str, order: Search, tell: Tell) -> None:
    deck = state.held.decks[order.card.partition("/")[0]]
    deck.move((order.card,), hand(seat))
    card = deck.shown.get(order.card, order.card)
    tell(Note("search", {"seat": seat, "deck": deck.name, "card": card}, ("OT-6.11",)))
    deck.mix(deck.zone(PILE), PILE)


# --- reshuffling ---


def may_mix(state: State, deck: Deck, zone: str) -> Illegal | None:
    """Whether the owner's program can seal slots of the deck anew."""
    if deck.seat in state.out:
        return Illegal(f"{deck.seat} has left, and with it the arrangement of {deck.name}", ("OT-6.9",))
    if deck.mixing:
        return Illegal(f"{deck.name} is being shuffled", ("OT-6.9",))
    return busy(state, deck, zone)


def refuse_reshuffle(state: State, seat: str, order: Reshuffle, known: Known) -> Illegal | None:
    named = state.held.named(seat, order.deck)
    if isinstance(named, OpenDeck):
        if any(throw.deck == named.name for throw in state.waiting):
            return Illegal(f"cards of {named.name} are being drawn", ("OT-6.12",), "let them fall first")
        return None if named.gone else Illegal(f"all cards of {named.name} are there", ("OT-6.13",))
    deck = ours(state, seat, order.deck, "OT-6.9")
    if isinstance(deck, Illegal):
        return deck
    if not to_mix(deck, order):
        hint = f"reshuffle {deck.short} with discards"
        return Illegal(f"there is nothing to shuffle in {deck.name}", ("OT-6.9",), hint)
    return may_mix(state, deck, PILE)


def to_mix(deck: Deck, order: Reshuffle) -> tuple[Slot, ...]:
    return (*deck.zone(PILE), *(deck.zone(DISCARD) if order.discards else ()))


def reshuffle(state: State, seat: str, order: Reshuffle, tell: Tell) -> None:
    deck = state.held.named(seat, order.deck)
    if isinstance(deck, OpenDeck):
        tell(Note("reshuffle_open", {"seat": seat, "deck": deck.name, "count": len(deck.gone)}, ("OT-6.13",)))
        deck.left, deck.gone = sorted((*deck.left, *deck.gone)), []
    elif deck is not None:
        slots = to_mix(deck, order)
        what = "reshuffle_all" if order.discards else "reshuffle"
        tell(Note(what, {"seat": seat, "deck": deck.name, "count": len(slots)}, ("OT-6.9",)))
        deck.mix(slots, PILE)


def refuse_reshuffle_hand(state: State, seat: str, order: ReshuffleHand, known: Known) -> Illegal | None:
    deck = ours(state, seat, order.deck, "OT-7.4")
    if isinstance(deck, Illegal):
        return deck
    if len(deck.zone(hand(seat))) < 2:
        return Illegal("there are not two cards to mix", ("OT-7.4",))
    return may_mix(state, deck, hand(seat))


def reshuffle_hand(state: State, seat: str, order: ReshuffleHand, tell: Tell) -> None:
    deck = ours(state, seat, order.deck, "OT-7.4")
    if isinstance(deck, Deck):
        slots = deck.zone(hand(seat))
        tell(Note("reshuffle_hand", {"seat": seat, "deck": deck.name, "count": len(slots)}, ("OT-7.4",)))
        deck.mix(slots, hand(seat))
