"""What a player types and what is signed: cards and secrets by name on one side, slots on the other."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from pbem.api import Illegal, Known, Order, Slot
from rules.kit.orders import Reader, WrittenOrder
from rules.open_table.card_orders import CARD_ORDERS, CardOrder, Search, Show
from rules.open_table.holdings import DISCARD, PILE, Deck, hand, looked
from rules.open_table.lists import near_key
from rules.open_table.orders import PLAIN_ORDERS
from rules.open_table.secret_orders import SECRET_ORDERS, OpenSecret, Reveal
from rules.open_table.state import State

ALL_ORDERS: tuple[type[WrittenOrder], ...] = (*PLAIN_ORDERS, *CARD_ORDERS, *SECRET_ORDERS)
ORDERS: dict[str, type[Order]] = {order.kind: order for order in ALL_ORDERS}
READER = Reader(ALL_ORDERS)
HINTED = 8
"""So many names of one's own are told with a refusal."""


def read(state: State, seat: str, text: str, known: Known) -> tuple[Order, ...]:
    """The orders that a text can mean, what is named in it found where the seat knows it."""
    return tuple(dict.fromkeys(meant(state, seat, order, known) for order in READER.read(text)))


def meant(state: State, seat: str, order: Order, known: Known) -> Order:
    if isinstance(order, CardOrder):
        slot = find(state, seat, order, known)
        return order.model_copy(update={"card": slot}) if slot else order
    if isinstance(order, OpenSecret):
        return order.model_copy(update={"secret": secret_named(state, seat, order.secret, known)})
    if isinstance(order, Reveal) and not order.faces and order.label in known:
        return order.model_copy(update={"faces": tuple(known[order.label])})
    return order


def phrase(state: State, seat: str, order: Order, known: Known) -> str:
    """The order with names for slots, where they lead back to them."""
    if isinstance(order, OpenSecret) and isinstance(known.get(order.secret), dict):
        secret = order.model_copy(update={"secret": str(known[order.secret]["name"])})
        return str(secret if meant(state, seat, secret, known) == order else order)
    if isinstance(order, CardOrder) and order.card in known:
        for name in (str(known[order.card]), f"{known[order.card]} {zone_of(state, order.card)}"):
            named = order.model_copy(update={"card": name})
            if meant(state, seat, named, known) == order and order in read(state, seat, str(named), known):
                return str(named)
    return str(order)


# --- cards ---


def zone_of(state: State, slot: Slot) -> str:
    deck = state.held.deck_of(slot)
    return deck.where[slot] if deck is not None else ""


def searched(state: State, seat: str, order: CardOrder) -> Iterator[tuple[Deck, str]]:
    """Where an order looks for its card: decks and zones, one after the other."""
    decks = list(state.held.mine(seat))
    if isinstance(order, Search):
        decks = [deck for deck in decks if deck is state.held.named(seat, order.deck)]
    for kind in order.zones:
        for deck in decks:
            yield from ((deck, zone) for zone in zones(deck, kind, seat))


def zones(deck: Deck, kind: str, seat: str) -> list[str]:
    """The zones of a deck that are meant by `hand`, `at` and so on."""
    if kind == "at":
        return sorted({zone for zone in deck.where.values() if zone.startswith("at ")})
    return [{"hand": hand(seat), "looked": looked(seat), "pile": PILE, "discard": DISCARD}[kind]]


def find(state: State, seat: str, order: CardOrder, known: Known) -> Slot:
    """The slot of the card an order names: of equal copies the lowest; empty where none is found, or several places."""
    typed = near_key(order.card)
    found: list[tuple[str, Slot]] = []
    for deck, zone in searched(state, seat, order):
        for slot in deck.zone(zone):
            if slot == order.card:
                return slot
            name = near_key(str(known[slot])) if slot in known else ""
            if name and typed in (name, f"{name} {zone.casefold()}"):
                found.append((zone if zone.startswith("at ") else "", slot))
    if len({zone for zone, _ in found}) != 1:
        return ""
    slots = [slot for _, slot in found]
    fresh = isinstance(order, Show)  # what is open already need not be opened again, and is not worth showing twice
    return next((slot for slot in slots if is_open(state, slot) != fresh), slots[0]) if order.bares else slots[0]


def is_open(state: State, slot: Slot) -> bool:
    deck = state.held.deck_of(slot)
    return deck is not None and slot in deck.shown


def card_there(state: State, seat: str, order: CardOrder, known: Known, clause: str) -> tuple[Deck, str] | Illegal:
    """The deck and zone of an order's card, or why the order is about none of the seat's cards."""
    for deck, zone in searched(state, seat, order):
        if deck.where.get(order.card) == zone:
            return deck, zone
    where = {"hand": "in hand", "at": "on the board", "looked": "to look at", "pile": "in the pile"}[order.zones[0]]
    return Illegal(f'{seat} has no card "{order.card}" {where}', (clause,), hint(state, seat, order, known))


def hint(state: State, seat: str, order: CardOrder, known: Known) -> str:
    """Names like the one that was typed, or some of those there; only what the seat knows itself."""
    names: dict[str, str] = {}
    for deck, zone in searched(state, seat, order):
        place = f" {zone}" if zone.startswith("at ") else ""
        there = [f"{known[slot]}{place}" for slot in deck.zone(zone) if slot in known]
        names |= {near_key(name): name for name in there}
    close = get_close_matches(near_key(order.card), names, 3)
    told = [names[key] for key in close] or sorted(names.values())[:HINTED]
    if not told:
        return ""
    return f"did you mean {' or '.join(told)}?" if close else f"there: {', '.join(told)}"


# --- secrets ---


def secret_named(state: State, seat: str, typed: str, known: Known) -> Slot:
    """The sealed text of a name, the latest of that name; as typed where there is none."""
    found = [
        slot
        for slot, (owner, _) in state.held.secrets.items()
        if owner == seat and slot in known and near_key(str(known[slot]["name"])) == near_key(typed)
    ]
    return max(found, key=lambda slot: int(slot.rpartition("#")[2]), default=typed)
