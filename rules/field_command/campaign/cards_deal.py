"""Sealing and drawing, Events, sharing what the Commonwealth draws, discarding. [15.2, 8.5.3, 8.5.4]"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Ask, Claim, Commit, Illegal, Known, Note, Order, Owes, Roll, Sealed, Tell
from rules.field_command.campaign import cards
from rules.field_command.campaign.cards import NAME, Played, in_order
from rules.field_command.campaign.cards_orders import Discard, Events, Split
from rules.field_command.campaign.state import War
from rules.field_command.rows import Army, Side
from rules.field_command.terms import ADJECTIVES, SIDES

SPLITTER: Army = "B"
"""Who proposes how a joint draw is shared. [R55]"""
OTHER: Army = "A"


# --- sealing ---


def unsealed(w: War) -> Iterator[Ask]:
    """Decks that are not sealed yet, the Japanese one first. [15.2.1]"""
    for deck in w.board.deals:
        if deck not in cards.of(w).pile:
            contents = w.board.deck(deck)
            first, *others = cards.team(w, deck)
            commit = Commit("deck", NAME, len(contents), contents, share=tuple(others))
            yield Ask(first, "seal_cards", "15.2.1", client=commit)


def refuse_seal(w: War, waiting: tuple[Ask | Roll, ...], seat: str, act: Sealed) -> Illegal | None:
    """What is asked for, or cards of one pile or hand under new slots."""
    for one in waiting:
        commit = one.client if isinstance(one, Ask) and one.seat == seat else None
        if isinstance(commit, Commit) and (act.replaces, len(act.slots)) == (commit.replaces, commit.count):
            return None
    if act.replaces and zone(w, act.replaces):
        return None
    return Illegal("cards are sealed anew where they lie together, in one pile or hand", ("15.2.1",))


def zone(w: War, slots: tuple[str, ...]) -> str:
    """The pile or hand where all these cards lie closed; "" where there is none."""
    c, wanted = cards.of(w), set(slots)
    if wanted & set(c.opened):
        return ""
    piles = ((f"pile {deck}", c.pile[deck]) for deck in c.pile)
    hands = ((f"hand {army}", c.hand[army]) for army in c.hand)
    return next((name for name, there in (*piles, *hands) if wanted <= set(there)), "")


def sealed(w: War, step: Sealed, tell: Tell) -> None:
    """A deck lies ready, is made anew, or some of its cards have new slots where they lie."""
    c = cards.of(w)
    deck = cards.deck_of(w, step.slots[0])
    old = zone(w, step.replaces) if step.replaces else ""
    if old:
        new, gone = step.slots, set(step.replaces)
        if old.startswith("pile"):
            c.pile[deck] = in_order((*(slot for slot in c.pile[deck] if slot not in gone), *new))
        else:
            army = next(army for army in c.hand if old == f"hand {army}")
            c.hand[army] = in_order((*(slot for slot in c.hand[army] if slot not in gone), *new))
        return
    for slot in step.replaces:
        c.opened.pop(slot, None)
    c.discard[deck] = tuple(slot for slot in c.discard[deck] if slot not in step.replaces)
    c.pile[deck] = in_order(step.slots)
    clauses = ("R60",) if step.replaces else ("15.2.1", "T-CP.a")
    tell(Note("cards.sealed", {"side": SIDES[deck], "count": len(step.slots)}, clauses))


# --- drawing ---


def drawing(w: War) -> Iterator[Ask | Roll]:
    """The next draw that is owed, or the new deck that it needs. [15.2.3, R60]"""
    c = cards.of(w)
    for deck, count in c.owed.items():
        if not count:
            continue
        if not c.pile[deck]:
            gone = c.discard[deck]
            yield Ask(cards.owner(w, deck), "shuffle", "R60", client=Commit("deck", NAME, len(gone), replaces=gone))
        else:
            number = min(count, len(c.pile[deck]))
            yield Roll(f"t{w.turn}/cards/{deck.lower()}", "15.2.3", draw=number, pool=c.pile[deck])


def owe(w: War, deck: Side, count: int) -> None:
    """Cards to be drawn; no more than there are. [R60]"""
    c = cards.of(w)
    c.owed[deck] = min(c.owed[deck] + count, len(c.pile[deck]) + len(c.discard[deck]))


def due(w: War) -> None:
    """What an army draws at the end of its turn. [8.5.3.1, 8.5.3.2, R54]"""
    for deck, deal in w.board.deals.items():
        # [8.5.3.2]: Australia has no draw of its own
        if deal.at_end_of == w.army:
            owe(w, deck, deal.draw)


def drew(w: War, slots: tuple[str, ...], tell: Tell) -> None:
    """Cards come from the pile; what is in them only their side sees, and it must say which are Events."""
    c = cards.of(w)
    deck = cards.deck_of(w, slots[0])
    c.pile[deck] = tuple(slot for slot in c.pile[deck] if slot not in slots)
    c.owed[deck] -= len(slots)
    c.fresh = in_order((*c.fresh, *slots))
    tell(Note("cards.drawn", {"side": SIDES[deck], "count": len(slots)}, ("15.2.3", "8.5.3.1")))


# --- Events ---


def looking(w: War) -> Iterator[Ask]:
    """Whoever has drawn says which of the cards are Events: its program sees that. [15.2.2, 15.2.3]"""
    c = cards.of(w)
    if c.fresh:
        yield Ask(cards.owner(w, cards.deck_of(w, c.fresh[0])), "events", "15.2.3", client=Claim("events"))


def events(w: War, known: Known) -> Events:
    """The Events among the cards just drawn."""
    found = [slot for slot in cards.of(w).fresh if _is_event(w, slot, known)]
    return Events(cards=tuple(found))


def _is_event(w: War, slot: str, known: Known) -> bool:
    card = cards.card_of(w, slot, known)
    return card is not None and card.type == "event"


def refuse_events(w: War, order: Events, known: Known) -> Illegal | Owes | None:
    """All Events that were drawn, and nothing else; that none is kept back shows in the audit."""
    fresh = cards.of(w).fresh
    if len(set(order.cards)) != len(order.cards) or not set(order.cards) <= set(fresh):
        return Illegal("Events are among the cards just drawn", ("15.2.3",))
    for slot in order.cards:
        if cards.card_of(w, slot, known) is None:
            return Illegal("an Event is shown", ("15.2.3",))
        if not _is_event(w, slot, known):
            return Illegal(f"{cards.card_of(w, slot, known).name} is no Event", ("15.2.3",))  # type: ignore[union-attr]
    kept = [slot for slot in fresh if slot not in order.cards]
    if any(_is_event(w, slot, known) for slot in kept):
        return Illegal("an Event is played when it is drawn", ("15.2.3", "8.5.3.1"))
    closed = [slot for slot in kept if cards.card_of(w, slot, known) is None]
    return Owes(f"no Event is in {', '.join(closed)}") if closed else None


def take_up(w: War, order: Events, tell: Tell) -> tuple[Played, ...]:
    """Events are played and replaced; the other cards are kept, by Japan or by both other armies. [15.2.3, R55]"""
    c = cards.of(w)
    deck = cards.deck_of(w, c.fresh[0])
    kept = tuple(slot for slot in c.fresh if slot not in order.cards)
    army = w.board.deals[deck].at_end_of
    c.fresh = ()
    if deck == "J":
        c.hand[army] = in_order((*c.hand[army], *kept))
    else:
        c.joint = in_order((*c.joint, *kept))
    owe(w, deck, len(order.cards))
    return tuple(Played(slot, army) for slot in order.cards)


# --- sharing ---


def sharing(w: War) -> Iterator[Ask]:
    """Britain proposes, Australia may object; a seat that plays both armies just decides. [15.2.2.1, 15.2.3.1, R55]"""
    c = cards.of(w)
    if c.offered:
        yield Ask(w.seats[OTHER], "agree", "R55", window="agree")
    elif c.joint:
        yield Ask(w.seats[SPLITTER], "split", "15.2.2.1" if w.phase == "planning" else "15.2.3.1")


def refuse_split(w: War, order: Split) -> Illegal | None:
    """Only cards that were just drawn together. [15.2.4]"""
    if len(set(order.australia)) != len(order.australia) or not set(order.australia) <= set(cards.of(w).joint):
        why = "only cards just drawn together are shared; nothing is handed over later"
        return Illegal(why, ("15.2.3.1", "15.2.4"), f"to share: {', '.join(cards.of(w).joint)}")
    return None


def split(w: War, order: Split, tell: Tell) -> None:
    """The proposal; where nobody can object it stands."""
    c = cards.of(w)
    c.offered = tuple((slot, OTHER if slot in order.australia else SPLITTER) for slot in c.joint)
    c.joint = ()
    count = len(order.australia)
    tell(Note("cards.split", {"australia": count, "britain": len(c.offered) - count}, ("15.2.3.1", "R55")))
    if w.seats[OTHER] == w.seats[SPLITTER]:
        agreed(w, tell)


def agreed(w: War, tell: Tell) -> None:
    """The cards go to the hands."""
    c = cards.of(w)
    for slot, army in c.offered:
        c.hand[army] = in_order((*c.hand[army], slot))
    c.offered = ()


def objected(w: War, tell: Tell) -> None:
    """Without agreement Britain keeps a card if it is below its maximum, else Australia. [R55]"""
    c = cards.of(w)
    room = cards.limit(w, SPLITTER) - len(c.hand[SPLITTER])
    c.offered = tuple((slot, SPLITTER if n < room else OTHER) for n, (slot, _) in enumerate(c.offered))
    australia = sum(army == OTHER for _, army in c.offered)
    tell(Note("cards.objected", {"australia": australia, "britain": len(c.offered) - australia}, ("R55",)))
    agreed(w, tell)


# --- discarding ---


def refuse_discard(w: War, army: Army, order: Discard, known: Known) -> Illegal | None:
    """Exactly as many as the hand has too many, at once. [15.2.5, 8.5.4.1]"""
    many = cards.over(w, army)
    if w.phase != "discard" or not many:
        return Illegal(f"the {ADJECTIVES[army]} hand has no card too many now", ("15.2.5",))
    for slot in order.cards:
        if _is_event(w, slot, known):
            return Illegal("an Event is never discarded", ("15.2.5",))
        why = cards.refuse_held(w, (army,), slot, known)
        if why is not None:
            return why
    if len(set(order.cards)) != many or len(order.cards) != many:
        return Illegal(f"{many} must go: the {ADJECTIVES[army]} hand keeps {cards.limit(w, army)}", ("15.2.5",))
    return None


def discard(w: War, order: Discard, tell: Tell) -> None:
    """They go face up."""
    names = ", ".join(cards.shown(w, slot).name for slot in order.cards)
    cards.take_from_hand(w, w.army, order.cards)
    cards.put_away(w, order.cards)
    tell(Note("cards.discarded", {"army": ADJECTIVES[w.army], "cards": names}, ("8.5.4.1", "15.2.5")))


def opens(order: Order) -> tuple[str, ...]:
    """The cards that an order shows."""
    return order.cards if isinstance(order, Events | Discard) else ()
