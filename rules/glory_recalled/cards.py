"""Decks, hands and discard piles. [14.0]

A card is a slot all its life: drawn by public dice from the pile, known to its owner, opened when it is played.
Cards laid face-down go to the discard pile unseen [R50].
"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.api import Ask, Commit, Illegal, Known, Note, Roll, Tell
from rules.glory_recalled.control import side
from rules.glory_recalled.state import BRITISH, JAPAN, SEATS, Cards, State, card_of, in_order


def limit(s: State, seat: str) -> int:
    """The most cards in a hand. [14.0-b6]"""
    return s.board.game.japanese_limit if seat == JAPAN else s.board.game.british_limit


def over(s: State, seat: str) -> int:
    """Cards that must be discarded. [14.0-b6]"""
    return max(0, len(s.cards[seat].hand) - limit(s, seat))


def refuse_held(s: State, seat: str, slot: str, known: Known, *, closed: bool = False) -> Illegal | None:
    """Whether a card is in the hand, and opened unless it may stay closed."""
    if slot not in s.cards[seat].hand:
        return Illegal(f"{slot} is no card of your hand", ("14.0-b1a",))
    if not closed and card_of(s, slot, known) is None:
        return Illegal(f"{slot} must be opened to be played", ("14.0-b1a",))
    return None


def discard(s: State, seat: str, slots: Iterable[str]) -> None:
    """Cards go from the hand to the discard pile, as open or closed as they are."""
    gone, cards = set(slots), s.cards[seat]
    cards.hand = tuple(slot for slot in cards.hand if slot not in gone)
    cards.discard = in_order((*cards.discard, *gone))


def give(s: State, seat: str, slots: Iterable[str]) -> None:
    """Cards come from the pile to the hand."""
    taken, cards = set(slots), s.cards[seat]
    cards.pile = tuple(slot for slot in cards.pile if slot not in taken)
    cards.hand = in_order((*cards.hand, *taken))


def zone(s: State, seat: str, slots: Iterable[str]) -> str:
    """The one place where these cards lie: pile, hand, discard or aside; "" where there is no such place."""
    wanted = set(slots)
    found = [name for name in ("pile", "hand", "discard", "aside") if wanted <= set(getattr(s.cards[seat], name))]
    return found[0] if wanted and found else ""


def replace(s: State, seat: str, place: str, old: Iterable[str], new: Iterable[str]) -> None:
    """Other slots for the same cards."""
    gone = set(old)
    kept = (slot for slot in getattr(s.cards[seat], place) if slot not in gone)
    setattr(s.cards[seat], place, in_order((*kept, *new)))
    for slot in gone:
        s.opened.pop(slot, None)


# --- drawing ---


def drawing(s: State) -> tuple[Ask | Roll, ...]:
    """The next draw that is owed, or the new deck that it needs. [R49]"""
    for seat in SEATS:
        count = s.owed.get(seat, 0)
        if not count:
            continue
        cards = s.cards[seat]
        if not cards.pile:
            return (renew(s, seat, cards.discard, "R49"),)
        now = min(count, len(cards.pile))
        return (Roll(f"t{s.turn}/draw/{seat}", "14.0-b4", draw=now, pool=cards.pile),)
    return ()


def renew(s: State, seat: str, slots: Iterable[str], clause: str) -> Ask:
    """These slots are shuffled into a new epoch of the deck."""
    gone = in_order(slots)
    return Ask(seat, "shuffle", clause, client=Commit("deck", "deck", len(gone), replaces=gone))


def owe(s: State, seat: str, count: int) -> None:
    """A draw to come; no more than there are cards."""
    cards = s.cards[seat]
    there = len(cards.pile) + (len(cards.discard))
    s.owed[seat] = min(s.owed.get(seat, 0) + count, there)


def drew(s: State, seat: str, slots: Iterable[str], tell: Tell) -> None:
    """Drawn slots go to the hand; what is in them only their owner sees."""
    slots = tuple(slots)
    give(s, seat, slots)
    s.owed[seat] -= len(slots)
    tell(Note("cards.drawn", {"side": side(seat), "count": len(slots)}, ("14.0-b4",)))


def shuffled(s: State, seat: str, slots: tuple[str, ...], replaces: tuple[str, ...], tell: Tell) -> None:
    """A new epoch is the draw pile; what it replaced is nowhere any more."""
    gone, cards = set(replaces), s.cards[seat]
    s.cards[seat] = Cards(
        in_order((*(slot for slot in cards.pile if slot not in gone), *slots)),
        tuple(slot for slot in cards.hand if slot not in gone),
        tuple(slot for slot in cards.discard if slot not in gone),
        tuple(slot for slot in cards.aside if slot not in gone),
    )
    for slot in gone:
        s.opened.pop(slot, None)
    tell(Note("cards.shuffled", {"side": side(seat), "count": len(slots)}, ("R49",)))


def opened(s: State, items: Iterable[tuple[str, object]]) -> None:
    """Cards that were opened; counters are not meant."""
    for slot, content in items:
        if slot.rsplit("/", 2)[0] in (f"{JAPAN}-deck", f"{BRITISH}-deck"):
            s.opened[slot] = str(content)


def may_hold(s: State, seat: str, card: str) -> bool:
    """By public facts: whether a copy of the card may be in the seat's hand and closed."""
    row = s.board.cards[card]
    if row.seat != seat:
        return False
    hidden = any(slot not in s.opened for slot in s.cards[seat].hand)
    open_in_hand = any(s.opened.get(slot) == card for slot in s.cards[seat].hand)
    seen = sum(content == card and slot.startswith(f"{seat}-") for slot, content in s.opened.items())
    return open_in_hand or (hidden and seen < row.copies)
