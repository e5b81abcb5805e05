"""What a seat is offered, and what else it might order; whoever uses it asks the rules about each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pbem.api import Known, Order, Slot
from rules.open_table.card_orders import (
    Deny,
    Discard,
    DiscardAtRandom,
    Draw,
    GiveBack,
    Keep,
    Lay,
    ListCounters,
    ListDeck,
    ListOpenDeck,
    Look,
    PickUp,
    Play,
    PutBack,
    Remove,
    Reshuffle,
    ReshuffleAt,
    ReshuffleHand,
    SealDeck,
    Search,
    Shift,
    Show,
    ShowHand,
    TurnUp,
)
from rules.open_table.holdings import PILE, hand, looked
from rules.open_table.orders import Move, NewTurn, Pass, Record, RollDice, Tally
from rules.open_table.secret_orders import (
    Answer,
    AskSeats,
    Assign,
    Chits,
    DropStanding,
    OpenSecret,
    Reveal,
    RollPrivately,
    Secret,
    Spend,
    StandingOrder,
)
from rules.open_table.state import State
from rules.open_table.turns import others

if TYPE_CHECKING:
    import random

OFFERED = 12
"""So many different cards are offered one by one."""
PLACES = ("Jitra", "Kampar", "Slim River")


def offers(state: State, seat: str, known: Known) -> Iterator[Order]:
    """What is worth a line in a menu."""
    yield from ([Pass(to=other) for other in others(state)] if state.agreed.declared else [Pass()])
    yield NewTurn()
    yield RollDice(dice=(6,), purpose="luck")
    yield from (Answer(text=text) for text in ("yes", "no"))
    coming = [purse for purse in state.held.purses.values() if purse.coming]
    yield from (Assign(purse=purse.short, areas=f"reserve {purse.coming}") for purse in coming)
    for deck in state.held.decks.values():
        if deck.stage == "listed":
            yield SealDeck(deck=deck.short)
    for deck in state.held.mine(seat):
        yield Draw(number=1, deck=deck.short)
        yield PutBack(deck=deck.short)
    yield from (Draw(number=1, deck=deck) for deck in state.held.open_decks)
    yield from (Play(card=slot) for slot in different(state, seat, known)[:OFFERED])


def different(state: State, seat: str, known: Known) -> list[Slot]:
    """The cards in hand, of equal ones the first; counters are for the board."""
    found: dict[str, Slot] = {}
    for deck in state.held.mine(seat):
        if deck.begins != PILE:
            continue
        for slot in deck.zone(hand(seat)):
            if slot in known:
                found.setdefault(f"{deck.name}/{known[slot]}", slot)
    return list(found.values())


def anything(state: State, seat: str, known: Known, rng: random.Random) -> list[Order]:
    """All kinds of orders, with what is at hand filled in at random."""
    number = rng.randrange(1, 100)
    return [
        RollDice(dice=(rng.choice((4, 6, 10, 100)),) * rng.randrange(1, 7), purpose=f"attack {number}"),
        RollPrivately(dice=(6, 6), purpose=f"search {number}"),
        Move(text=f"unit {number} to {rng.randrange(1000, 4000)}"),
        Record(text=f"hill {number} is taken"),
        Tally(name=f"{seat}-vp", number=number),
        Secret(name=f"orders-{number}", text=f"attack hill {number}"),
        AskSeats(seats=tuple(rng.sample(state.in_play(), rng.randint(1, len(state.in_play())))), question="where to"),
        Answer(text=f"hill {number}"),
        StandingOrder(text=f"whoever enters hex {number} is fired at"),
        *(DropStanding(number=one.number) for one in state.held.standing if one.seat == seat),
        *(OpenSecret(secret=slot) for slot in state.held.secrets),
        *(Reveal(label=one.label, faces=tuple(known.get(one.label, ()))) for one in state.held.privates),
        *new_things(state, rng),
        *with_decks(state, seat, known, rng),
        *with_cards(state, seat, rng),
    ]


def new_things(state: State, rng: random.Random) -> Iterator[Order]:
    name = f"d{len(state.held.decks) + len(state.held.purses) + len(state.held.open_decks)}"
    cards = f"Ambush {name} x2, Bridge {name}, Convoy {name} x3, Deception {name}, Elan {name}"
    yield ListDeck(deck=name, whom=rng.choice((None, "team")), cards=cards)
    yield ListCounters(deck=name, cards=f"3rd Bn {name}, dummy {name} x3, 4th Bn {name}")
    yield ListOpenDeck(deck=name, cards="Monsoon, Dry spell x2")
    yield Chits(purse=name, count=rng.randint(1, 6))
    for purse in state.held.purses.values():
        yield Assign(purse=purse.short, areas=f"hill {purse.coming - 1}, river 1" if purse.coming > 1 else "river 1")
        yield Spend(count=1, area=rng.choice(("hill", "river", "reserve")), purse=purse.short)


def with_decks(state: State, seat: str, known: Known, rng: random.Random) -> Iterator[Order]:
    for deck in state.held.mine(seat):
        name = deck.short
        yield Draw(number=rng.randint(1, 3), deck=name)
        yield Look(number=rng.randint(1, 2), deck=name)
        yield from (ShowHand(deck=name), ReshuffleHand(deck=name), Reshuffle(deck=name, discards="discards"))
        yield ReshuffleAt(deck=name, place=rng.choice(PLACES))
        yield from (Search(deck=name, card=slot) for slot in deck.zone(PILE)[:1])
        yield from (Keep(card=slot) for slot in deck.zone(looked(seat))[:1])
    for deck in state.held.decks.values():
        yield DiscardAtRandom(number=1, deck=deck.name)
    yield from (Reshuffle(deck=name) for name in state.held.open_decks)
    yield Deny(card="Typhoon")


def with_cards(state: State, seat: str, rng: random.Random) -> Iterator[Order]:
    for deck in state.held.mine(seat):
        for slot in deck.zone(hand(seat))[:2]:
            yield from (Play(card=slot, use="event"), Discard(card=slot), Discard(card=slot, how="down"))
            yield from (Show(card=slot), GiveBack(card=slot), Remove(card=slot))
            yield Lay(card=slot, place=rng.choice(PLACES))
        lying = [slot for slot, zone in deck.where.items() if zone.startswith("at ")]
        for slot in lying[:2]:
            yield from (TurnUp(card=slot), PickUp(card=slot), Shift(card=slot, place=rng.choice(PLACES)))
