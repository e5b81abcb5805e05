"""Cards in hand and counters on the board: played, discarded, shown, laid, moved, turned up (OT-6, OT-7)."""

from __future__ import annotations

from pbem.api import Illegal, Known, Note, Owes, Slot, Tell
from rules.open_table.card_orders import (
    MAX_PLACE,
    CardOrder,
    Deny,
    Discard,
    GiveBack,
    Lay,
    PickUp,
    Play,
    Remove,
    ReshuffleAt,
    Shift,
    Show,
    ShowHand,
    TurnUp,
)
from rules.open_table.decks import busy, numbers, ours
from rules.open_table.holdings import DISCARD, PILE, REMOVED, Deck, at, hand
from rules.open_table.lists import near_key, wrong_name
from rules.open_table.piles import may_mix
from rules.open_table.state import LATEST, Said, State
from rules.open_table.story import refuse_text
from rules.open_table.typed import card_there

MAX_USE = 200  # [OT-3.3]
CLAUSES: dict[type[CardOrder], str] = {
    Play: "OT-6.4",
    Discard: "OT-6.5",
    Show: "OT-6.7",
    GiveBack: "OT-6.8",
    Remove: "OT-6.8",
    Lay: "OT-7.1",
    Shift: "OT-7.2",
    TurnUp: "OT-7.3",
    PickUp: "OT-7.3",
}


def bares(order: CardOrder) -> bool:
    """Whether the order opens its card."""
    return order.bares and not (isinstance(order, Discard) and order.how == "down")


def refuse_card(state: State, seat: str, order: CardOrder, known: Known) -> Illegal | None:
    """What holds for every order about a card: it lies there, none is drawn from there, and it is open if it must."""
    clause = CLAUSES[type(order)]
    found = card_there(state, seat, order, known, clause)
    if isinstance(found, Illegal):
        return found
    deck, zone = found
    if bares(order) and order.card not in known:
        return Illegal(f"{order.card} must be open", (clause,), "open it with the order")
    return busy(state, deck, zone) or refuse_rest(state, order, deck)


def refuse_rest(state: State, order: CardOrder, deck: Deck) -> Illegal | None:
    if isinstance(order, Play) and order.use is not None:
        return refuse_text("the use", order.use, MAX_USE)
    if isinstance(order, GiveBack) and order.deck not in (None, deck.short, deck.name):
        why = f"the card is one of {deck.name}, not of {str(order.deck)[:32]}"
        return Illegal(why, ("OT-6.8",), f"return it to {deck.short}")
    if isinstance(order, Lay | Shift) and (len(order.place) > MAX_PLACE or wrong_name(order.place)):
        return Illegal(f"no place: {wrong_name(order.place)}", ("OT-7.1",), "such as Jitra, or 0504")
    return None


def act(state: State, seat: str, order: CardOrder, tell: Tell) -> None:
    """Move the card of an order and tell it: what is on it only where that is open."""
    deck = state.held.decks[order.card.partition("/")[0]]
    zone = deck.where[order.card]
    to = target(state, seat, order, zone)
    deck.move((order.card,), to)
    stem = "discard_down" if isinstance(order, Discard) and order.how else order.kind
    card = named(deck, order.card) if bares(order) else seen(deck, order.card)
    args: dict[str, str | int] = {"seat": seat, "deck": deck.name, "card": card, "zone": zone.removeprefix("at ")}
    if isinstance(order, Play):
        args["use"] = f" as {order.use}" if order.use else ""
        remember(state, seat, "play", f"{card}{args['use']}")
    if isinstance(order, Lay | Shift):
        args["place"] = to.removeprefix("at ")
    tell(Note(stem, args, (CLAUSES[type(order)],)))


def target(state: State, seat: str, order: CardOrder, zone: str) -> str:
    """Where the card of an order goes."""
    match order:
        case Play() | Discard():
            return DISCARD
        case GiveBack():
            return PILE
        case Remove():
            return REMOVED
        case Lay() | Shift():
            return place_zone(state, order.place)
        case PickUp():
            return hand(seat)
        case _:
            return zone


def place_zone(state: State, place: str) -> str:
    """The zone of a place; a place where something lies keeps its spelling."""
    wanted = at(" ".join(place.split()))
    there = (zone for deck in state.held.decks.values() for zone in deck.where.values())
    return next((zone for zone in there if zone.casefold() == wanted.casefold()), wanted)


def named(deck: Deck, slot: Slot) -> str:
    """What is on an open card."""
    return deck.shown.get(slot, slot)


def seen(deck: Deck, slot: Slot) -> str:
    """A card as everybody sees it: its slot, with what is on it where it is open."""
    return f"{deck.shown[slot]} ({slot})" if slot in deck.shown else slot


def remember(state: State, seat: str, what: str, text: str) -> None:
    state.said.append(Said(seat, state.turn, what, text))
    del state.said[:-LATEST]


# --- whole hands ---


def refuse_show_hand(state: State, seat: str, order: ShowHand, known: Known) -> Illegal | None:
    deck = ours(state, seat, order.deck, "OT-6.7")
    if isinstance(deck, Illegal):
        return deck
    held = deck.zone(hand(seat))
    if not held:
        return Illegal(f"{seat} holds no card of {deck.name}", ("OT-6.7",))
    if any(slot not in known for slot in held):
        return Illegal("a hand that is shown is open", ("OT-6.7",), "open it with the order")
    return None


def show_hand(state: State, seat: str, order: ShowHand, tell: Tell) -> None:
    deck = ours(state, seat, order.deck, "OT-6.7")
    if isinstance(deck, Deck):
        cards = ", ".join(sorted(named(deck, slot) for slot in deck.zone(hand(seat))))
        tell(Note("show_hand", {"seat": seat, "deck": deck.name, "cards": cards}, ("OT-6.7",)))


def refuse_deny(state: State, seat: str, order: Deny, known: Known) -> Illegal | Owes | None:
    """`Owes` where the hand is not known; the audit asks again."""
    if fault := wrong_name(order.card):
        return Illegal(fault, ("OT-6.14",))
    held = [slot for deck in state.held.mine(seat) for slot in deck.zone(hand(seat))]
    if any(near_key(str(known[slot])) == near_key(order.card) for slot in held if slot in known):
        return Illegal(f"{seat} holds {order.card}", ("OT-6.14",), "play it, or say nothing of it")
    if any(slot not in known for slot in held):
        return Owes(f"{seat} holds no {order.card} in turn {state.turn}")
    return None


def deny(state: State, seat: str, order: Deny, tell: Tell) -> None:
    tell(Note("deny", {"seat": seat, "card": order.card}, ("OT-6.14",)))


# --- mixing on the board ---


def refuse_reshuffle_at(state: State, seat: str, order: ReshuffleAt, known: Known) -> Illegal | None:
    deck = ours(state, seat, order.deck, "OT-7.4")
    if isinstance(deck, Illegal):
        return deck
    zone = place_zone(state, order.place)
    if len(deck.zone(zone)) < 2:
        return Illegal(f"there are not two of {deck.name} at {order.place[:MAX_PLACE]} to mix", ("OT-7.4",))
    return may_mix(state, deck, zone)


def reshuffle_at(state: State, seat: str, order: ReshuffleAt, tell: Tell) -> None:
    deck = ours(state, seat, order.deck, "OT-7.4")
    if isinstance(deck, Deck):
        zone = place_zone(state, order.place)
        slots = deck.zone(zone)
        place = zone.removeprefix("at ")
        args: dict[str, str | int] = {"seat": seat, "deck": deck.name, "place": place, "slots": numbers(slots)}
        tell(Note("reshuffle_at", args, ("OT-7.4",)))
        deck.mix(slots, zone)
