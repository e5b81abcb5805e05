"""From what is typed to orders, and back: places and cards by name, units without their army."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from pbem.api import Ask, Known, Order
from rules.field_command import rule
from rules.field_command.campaign import cards, cards_orders, orders, turn
from rules.field_command.campaign.state import War
from rules.field_command.components import OFF_MAP
from rules.field_command.orders import FORMS as BATTLE_FORMS
from rules.field_command.orders import ORDERS as BATTLE
from rules.field_command.orders import AskedReader
from rules.kit.orders import WrittenOrder

ORDERS = (*orders.ORDERS, *cards_orders.ORDERS)
FORMS: Mapping[str, tuple[type[WrittenOrder], ...]] = {
    **BATTLE_FORMS,
    "plan_turn": (orders.Move, orders.Drive, orders.Fly, orders.Fire, orders.Done, orders.StandingPlan),
    "cover": (orders.Fire, orders.Done, orders.StandingPlan),
    "next_battle": (orders.Battle,),
    "retreat": (orders.Retreat,),
    "combat_cards": (cards_orders.PlayCard, cards_orders.NoCard),
    "supply_cards": (cards_orders.PlayCard, cards_orders.NoCard),
    "negate": (cards_orders.Negate,),
    "split": (cards_orders.Split,),
    "agree": (cards_orders.Accept, cards_orders.Object),
    "discard": (cards_orders.Discard,),
}
READER = AskedReader((*BATTLE, *ORDERS), FORMS)
_ABOUT_CARDS = ("card", "play", "negate", "events", "split", "discard")
_ON_THE_WAY = ("move", "drive", "attack", "shift")
_SLOT = re.compile(r"\b[a-z][a-z0-9_]*-cards/[0-9]+/[0-9]+")


def read(w: War, seat: str, text: str, known: Known) -> tuple[Order, ...]:
    """The orders that a text can mean. Raises `Unreadable`."""
    own = w.armies_of(seat)
    army = turn.speaks_for(w, seat) or (own[0] if own else "")
    first = text.lstrip().casefold()
    if first.startswith(_ON_THE_WAY):
        text = text.replace(">", " ")
    if w.cards is not None and first.startswith(_ABOUT_CARDS):
        text = _named(text, card_names(w, seat, known), '"?')
    places = {w.board.name(id).casefold(): id for id in (*w.board.sectors, *w.board.axes)}
    places |= {"off map": OFF_MAP, "off-map": OFF_MAP, "airfield off map": OFF_MAP}
    places |= {id: id for id in (*w.board.sectors, *w.board.axes)}
    text = _named(text, places)
    asked = [one.what for one in turn.pending(w) if isinstance(one, Ask) and one.seat == seat]
    return READER.read(rule.with_army(text, army) if army else text, asked)


def _named(text: str, names: Mapping[str, str], quote: str = "") -> str:
    """The text with ids instead of names, in any case, with one blank or `_` between words."""
    spelt = "|".join(re.escape(name).replace(r"\ ", r"[ _]+") for name in sorted(names, key=len, reverse=True))
    found = re.compile(rf"(?<![\w-]){quote}({spelt}){quote}(?![\w-])", re.IGNORECASE)

    def id_of(match: re.Match[str]) -> str:
        met = match[1].casefold()
        return names.get(met) or names[re.sub(r"[ _]+", " ", met)]

    return found.sub(id_of, text)


def near(w: War, seat: str) -> Iterable[str]:
    """The cards that a seat may name: those of its hands, and those that it has just drawn."""
    c = cards.of(w)
    own = w.armies_of(seat)
    speaking = turn.speaks_for(w, seat)
    for army in sorted(own, key=lambda army: army != speaking):
        yield from c.hand[army]
    yield from (slot for slot in (*c.fresh, *c.joint) if seat in cards.team(w, cards.deck_of(w, slot)))


def card_names(w: War, seat: str, known: Known) -> dict[str, str]:
    """Slots by the names of the cards in them; a card that the seat does not have stays the id that it is."""
    names = {}
    for card in cards.every(w):
        names[card.name.casefold()] = names[card.id] = card.id
    for slot in reversed(tuple(near(w, seat))):
        found = cards.card_of(w, slot, known)
        if found is not None:
            names[found.name.casefold()] = names[found.id] = slot
    return names


def phrase(w: War, seat: str, order: Order, known: Known) -> str:
    """An order with the names of cards instead of their slots, as far as the seat knows them."""
    if w.cards is None:
        return str(order)
    names = card_names(w, seat, known)

    def shown(found: re.Match[str]) -> str:
        card = cards.card_of(w, found[0], known)
        return f'"{card.name}"' if card is not None and names[card.id] == found[0] else found[0]

    return _SLOT.sub(shown, str(order))
