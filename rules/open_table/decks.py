"""Decks: listed, sealed and drawn from; and open ones, without a secret (OT-6)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pbem.api import Illegal, Known, Note, Roll, Rolled, Slot, Tell
from rules.open_table import lists
from rules.open_table.card_orders import (
    MAX_DRAWN,
    DiscardAtRandom,
    Draw,
    ListCounters,
    ListDeck,
    ListOpenDeck,
    Look,
    SealDeck,
)
from rules.open_table.holdings import DISCARD, PILE, Deck, OpenDeck, due, epoch_and_number, hand, looked
from rules.open_table.rolls import MAX_WAITING
from rules.open_table.state import State, Throw

MAX_CARDS = 120  # [OT-6.1]
MAX_DECKS = 24  # [OT-6.1]
MAX_ALL_CARDS = 600  # [OT-6.1]
STEM = "draw"
DECK_NAME = re.compile(r"[a-z][a-z0-9_]{0,23}\Z")


# --- making decks ---


def refuse_list(state: State, seat: str, order: ListDeck | ListCounters, known: Known) -> Illegal | None:
    deck = state.held.decks.get(f"{seat}-{order.deck}")
    if deck is not None and deck.stage != "listed":
        return Illegal(f"{order.deck} is sealed: no card comes to it", ("OT-6.2",), "list another deck")
    if deck is None and (taken := refuse_name(state, order.deck)):
        return taken
    if order.whom is not None and len(state.agreed.team(seat)) == 1:
        return Illegal(f"{seat} plays for itself", ("OT-10.1",), "the option teams says who plays together")
    if deck is not None and (deck.team, deck.begins) != begun(state, seat, order):
        return Illegal(f"{order.deck} was begun otherwise", ("OT-6.1",), "list it by the same words, or another deck")
    return refuse_cards(state, order.cards, len(deck.cards) if deck is not None else 0)


def begun(state: State, seat: str, order: ListDeck | ListCounters) -> tuple[tuple[str, ...], str]:
    """Who holds a deck and where its cards begin."""
    team = state.agreed.team(seat) if order.whom is not None else (seat,)
    return team, PILE if isinstance(order, ListDeck) else hand(seat)


def refuse_name(state: State, name: str) -> Illegal | None:
    """Why nothing new can have this name."""
    held = state.held
    if not DECK_NAME.match(name):
        why = f"{name[:32]} is no name of up to 24 small letters, digits and _, a letter first"
        return Illegal(why, ("OT-6.1",), "such as events")
    short = [*(deck.short for deck in held.decks.values()), *(purse.short for purse in held.purses.values())]
    if name in held.open_decks or name in short:
        return Illegal(f"something has the name {name} already", ("OT-6.1",), "give it another name")
    if len(held.decks) + len(held.open_decks) + len(held.purses) >= MAX_DECKS:
        return Illegal(f"{MAX_DECKS} decks and purses are there already", ("OT-6.1",))
    return None


def refuse_cards(state: State, text: str, there: int) -> Illegal | None:
    try:
        cards = lists.cards(text)
    except lists.BadList as bad:
        return Illegal(str(bad), ("OT-6.1",), "write cards with commas between: Ambush x2, Supply")
    held = state.held
    everywhere = sum(len(deck.cards or deck.where) for deck in held.decks.values())
    everywhere += sum(len(deck.left) + len(deck.gone) for deck in held.open_decks.values())
    if there + len(cards) > MAX_CARDS or everywhere + len(cards) > MAX_ALL_CARDS:
        many = f"{there + len(cards)} cards, {everywhere + len(cards)} with all others"
        return Illegal(f"{many}: a deck has {MAX_CARDS}, all have {MAX_ALL_CARDS} at most", ("OT-6.1",))
    return None


def list_cards(state: State, seat: str, order: ListDeck | ListCounters, tell: Tell) -> None:
    team, begins = begun(state, seat, order)
    name, cards = f"{seat}-{order.deck}", lists.cards(order.cards)
    deck = state.held.decks.setdefault(name, Deck(name, team, begins))
    deck.cards = tuple(sorted((*deck.cards, *cards)))
    what: dict[str, str | int] = {"seat": seat, "deck": name, "cards": lists.counted(cards), "count": len(deck.cards)}
    tell(Note("deck" if begins == PILE else "counters", what, ("OT-6.1",)))


def refuse_seal(state: State, seat: str, order: SealDeck, known: Known) -> Illegal | None:
    deck = state.held.decks.get(f"{seat}-{order.deck}")
    if deck is None or deck.stage != "listed":
        return Illegal(f"{seat} has listed no deck {order.deck[:32]} to seal", ("OT-6.2",), "deck NAME: CARD, CARD x2")
    return None


def seal(state: State, seat: str, order: SealDeck, tell: Tell) -> None:
    """The owner's program does the rest: it is asked for the slots."""
    state.held.decks[f"{seat}-{order.deck}"].stage = "sealing"


def sealed(state: State, deck: Deck, slots: tuple[Slot, ...], replaces: tuple[Slot, ...], tell: Tell) -> None:
    """The slots of a deck are published, for the first time or in the place of others."""
    args: dict[str, str | int] = {"seat": deck.seat, "deck": deck.name, "count": len(slots)}
    if not replaces:
        deck.stage = "sealed"
        deck.move(slots, deck.begins)
        tell(Note("sealed", args, ("OT-6.2",)))
        return
    deck.swap(replaces, slots)
    tell(Note("resealed", {**args, "zone": deck.where[slots[0]]}, ("OT-6.9",)))


# --- drawing ---


def ours(state: State, seat: str, name: str, clause: str) -> Deck | Illegal:
    """A sealed deck that the seat may hold."""
    deck = state.held.named(seat, name)
    if isinstance(deck, Deck) and seat in deck.team and deck.stage == "sealed":
        return deck
    if isinstance(deck, Deck) and deck.seat == seat:
        return Illegal(f"{name} is not sealed yet", (clause,), f'write "seal {deck.short}"')
    mine = ", ".join(deck.short for deck in state.held.mine(seat)) or "none"
    return Illegal(f"{seat} has no deck {name[:32]}", (clause,), f"decks of {seat}: {mine}")


def refuse_number(state: State, number: int, there: int, what: str, clause: str) -> Illegal | None:
    if not 1 <= number <= min(MAX_DRAWN, there):
        return Illegal(f"{number} cards: {what} has {there}, 1 to {MAX_DRAWN} may be drawn at once", (clause,))
    if len(state.waiting) >= MAX_WAITING:
        return Illegal(f"{MAX_WAITING} rolls wait already", ("OT-2.3",), "let them fall before you order more")
    return None


def coming(state: State, deck: str, zone: str, there: int) -> int:
    """How many cards a zone will have when everything that waits has been drawn."""
    taken = sum(throw.roll.draw for throw in state.waiting if throw.deck == deck and throw.zone == zone)
    return there - taken + sum(throw.roll.draw for throw in state.waiting if throw.deck == deck and throw.to == zone)


def refuse_draw(state: State, seat: str, order: Draw | Look, known: Known) -> Illegal | None:
    clause = "OT-6.3" if isinstance(order, Draw) else "OT-6.10"
    named = state.held.named(seat, order.deck)
    if isinstance(named, OpenDeck):
        if isinstance(order, Look):
            return Illegal(f"{named.name} is open: there is nothing to look at in secret", ("OT-6.13",))
        left = coming(state, named.name, "left", len(named.left))
        return refuse_number(state, order.number, left, named.name, "OT-6.13")
    deck = ours(state, seat, order.deck, clause)
    if isinstance(deck, Illegal):
        return deck
    pile = coming(state, deck.name, PILE, len(deck.zone(PILE)))
    return refuse_number(state, order.number, pile, f"the pile of {deck.name}", clause)


def draw(state: State, seat: str, order: Draw | Look, tell: Tell) -> None:
    deck = state.held.named(seat, order.deck)
    if isinstance(deck, OpenDeck):
        wait(state, seat, "draw", order.number, deck.name, "left", "gone", tell)
    elif deck is not None:
        does, to = ("draw", hand(seat)) if isinstance(order, Draw) else ("look", looked(seat))
        wait(state, seat, does, order.number, deck.name, PILE, to, tell)


def refuse_random(state: State, seat: str, order: DiscardAtRandom, known: Known) -> Illegal | None:
    deck, whose = robbed(state, seat, order)
    if deck is None or whose not in deck.team or whose in state.out:
        return Illegal(f"{order.deck[:32]} is no deck in {whose[:16]}'s hand", ("OT-6.6",), "blue-events, or your own")
    there = coming(state, deck.name, hand(whose), len(deck.zone(hand(whose))))
    return refuse_number(state, order.number, there, f"the hand of {whose}", "OT-6.6")


def robbed(state: State, seat: str, order: DiscardAtRandom) -> tuple[Deck | None, str]:
    """Whose hand is meant: of one's own deck one's own, else its owner's."""
    deck = state.held.named(seat, order.deck)
    if not isinstance(deck, Deck) or deck.stage != "sealed":
        return None, order.whose or seat
    return deck, order.whose or (seat if seat in deck.team else deck.seat)


def discard_at_random(state: State, seat: str, order: DiscardAtRandom, tell: Tell) -> None:
    deck, whose = robbed(state, seat, order)
    if deck is not None:
        wait(state, seat, "discard", order.number, deck.name, hand(whose), due(whose), tell)


def wait(state: State, seat: str, does: str, number: int, deck: str, zone: str, to: str, tell: Tell) -> None:
    roll = Roll(STEM, {"draw": "OT-6.3", "look": "OT-6.10", "discard": "OT-6.6"}[does], draw=number)
    state.waiting.append(Throw(seat, state.turn, does, roll, deck, zone, to))
    tell(Note(f"order_{does}", {"seat": seat, "number": number, "deck": deck, "zone": zone}, (roll.clause,)))


def pool(state: State, throw: Throw) -> tuple[str, ...]:
    """What a draw can give: the zone as it is when the draw comes."""
    if throw.deck in state.held.open_decks:
        return tuple(sorted(state.held.open_decks[throw.deck].left))
    deck = state.held.decks.get(throw.deck)
    return deck.zone(throw.zone) if deck is not None else ()


def asked(state: State, throw: Throw) -> Roll:
    """The roll of a draw, with its pool."""
    there = pool(state, throw)
    return Roll(throw.roll.stem, throw.roll.clause, draw=min(throw.roll.draw, len(there)), pool=there)


def drawn(state: State, throw: Throw, step: Rolled, tell: Tell) -> None:
    items = tuple(step.values or ())
    args: dict[str, str | int] = {"seat": throw.seat, "deck": throw.deck, "number": len(items)}
    if throw.deck in state.held.open_decks:
        open_deck = state.held.open_decks[throw.deck]
        for card in items:
            open_deck.left.remove(card)
            open_deck.gone.append(card)
        tell(Note("drawn_open", {**args, "cards": ", ".join(items)}, ("OT-6.13",), label=step.label))
        return
    deck = state.held.decks[throw.deck]
    deck.move(items, throw.to)
    args["slots"] = numbers(items)
    tell(Note(f"drawn_{throw.purpose}", {**args, "zone": throw.zone}, (throw.roll.clause,), label=step.label))
    if throw.purpose == "discard":
        discard_open(deck, throw.zone.partition(" ")[2], [slot for slot in items if slot in deck.shown], tell)


def discard_open(deck: Deck, seat: str, slots: Iterable[Slot], tell: Tell) -> None:
    """What chance threw out of a hand and is open lies on the discards."""
    for slot in slots:
        deck.move((slot,), DISCARD)
        tell(Note("discarded", {"seat": seat, "deck": deck.name, "card": deck.shown[slot]}, ("OT-6.6",)))


def numbers(slots: tuple[Slot, ...]) -> str:
    """`#4 #17`: the numbers of slots, with the epoch where it is not the first."""
    told = (epoch_and_number(slot) for slot in slots)
    return " ".join(f"#{number}" if epoch == 1 else f"#{epoch}/{number}" for epoch, number in told)


def busy(state: State, deck: Deck, zone: str) -> Illegal | None:
    """Nothing is taken out of a zone from which chance is about to draw."""
    if any(throw.deck == deck.name and throw.zone == zone for throw in state.waiting):
        return Illegal(f"cards of {deck.name}, {zone}, are being drawn", ("OT-6.12",), "let them fall first")
    return None


# --- open decks ---


def refuse_open_deck(state: State, seat: str, order: ListOpenDeck, known: Known) -> Illegal | None:
    deck = state.held.open_decks.get(order.deck)
    if deck is None and (taken := refuse_name(state, order.deck)):
        return taken
    return refuse_cards(state, order.cards, len(deck.left) + len(deck.gone) if deck is not None else 0)


def list_open(state: State, seat: str, order: ListOpenDeck, tell: Tell) -> None:
    deck = state.held.open_decks.setdefault(order.deck, OpenDeck(order.deck))
    cards = lists.cards(order.cards)
    deck.left = sorted((*deck.left, *cards))
    what: dict[str, str | int] = {"seat": seat, "deck": order.deck, "cards": lists.counted(cards)}
    what["count"] = len(deck.left)
    tell(Note("open_deck", what, ("OT-6.13",)))
