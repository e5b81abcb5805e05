"""What players' programs owe without thought, and what seals and openings do: each handed to its chapter."""

from __future__ import annotations

from functools import lru_cache

from pbem.api import Ask, Commit, Illegal, Known, Opened, OpenSlots, Order, Roll, Sealed, Slot, Tell
from rules.open_table import chits, choices, decks, hands, piles, private
from rules.open_table.card_orders import CardOrder, Keep, ShowHand
from rules.open_table.holdings import DISCARD, MIX, PILE, Deck, due, hand
from rules.open_table.secret_orders import Answer, Assign, OpenSecret, Reveal, Secret, Spend
from rules.open_table.state import State

# --- what is asked ---


def commits(state: State) -> tuple[Ask, ...]:
    """Slots that programs must publish before anything else happens."""
    held = state.held
    if not (held.decks or held.purses or state.waiting):
        return ()
    asks = [seal_ask(deck) for deck in held.decks.values() if deck.stage == "sealing" or deck.mixing]
    unmixed = [purse for purse in held.purses.values() if purse.fresh]
    asks += [Ask(purse.seat, "mix_chits", "OT-7.5", client=chits.mixing(purse)) for purse in unmixed]
    return (*asks, *private.commits(state)) if asks or state.waiting else ()


def seal_ask(deck: Deck) -> Ask:
    if deck.stage == "sealing":
        commit = Commit("deck", deck.short, len(deck.cards), contents=deck.cards, share=deck.team[1:])
        return Ask(deck.seat, "seal_deck", "OT-6.2", client=commit)
    slots = deck.zone(MIX)
    commit = Commit("deck", deck.short, len(slots), replaces=slots, share=deck.team[1:])
    return Ask(deck.seat, "reshuffle", "OT-6.9", client=commit)


def openings(state: State) -> tuple[Ask, ...]:
    """Cards that chance has thrown out of a hand, for their holders to open."""
    asks = []
    for deck in state.held.decks.values():
        for seat in deck.team:
            slots = deck.zone(due(seat))
            if slots:
                asks.append(Ask(seat, "open_discards", "OT-6.6", client=OpenSlots(slots)))
    return tuple(asks)


def rolls(state: State) -> tuple[Roll, ...]:
    """The rolls that wait, up to the first draw: what later ones draw from hangs on it."""
    found: list[Roll] = []
    for throw in state.waiting:
        if throw.deck:
            return (*found, decks.asked(state, throw))
        found.append(throw.roll)
    return tuple(found)


def asks(state: State) -> tuple[Ask, ...]:
    """Who decides now; a text may be sealed where nothing else comes first."""
    held = state.held
    purse = chits.to_assign(state)
    if purse is not None:
        fill = Commit("purse", purse.short, purse.coming)
        return () if state.waiting else (Ask(purse.seat, "assign", "OT-7.5", fill=fill, sealed="assign"),)
    if held.question is not None:
        return () if state.waiting else choices.asks(held.question)
    return act(state.to_act, alone=not state.waiting)


@lru_cache(maxsize=64)
def act(seat: str, *, alone: bool) -> tuple[Ask, ...]:
    """The seat to act decides; with nothing to fall before it may also seal a text."""
    if alone:
        return (Ask(seat, "act", "OT-1.1", secret=choices.SECRET, sealed=Secret.kind),)
    return (Ask(seat, "act", "OT-1.1"),)


def not_now(state: State, seat: str, act: Order | Sealed | Opened) -> Illegal | None:
    """Why something else comes first than the orders of the seat to act."""
    if state.held.idle() and not state.waiting:
        return None
    for ask in (*commits(state), *openings(state)):
        return Illegal(f"{ask.seat} must {ask.what.replace('_', ' ')} first", (ask.clause,))
    purse = chits.to_assign(state)
    if purse is not None and not (isinstance(act, Assign) and seat == purse.seat):
        return Illegal(f"{purse.seat} must assign its chits first", ("OT-7.5",), f"assign {purse.short}: AREA NUMBER")
    question = state.held.question
    if question is not None and not isinstance(act.order if isinstance(act, Opened) else act, Answer):
        waits = next(iter((*question.silent(), *question.sealed)))
        return Illegal(f"{waits} must answer first", ("OT-8.2",), "answer TEXT")
    return None


# --- seals ---


def refuse_sealed(state: State, act: Sealed) -> Illegal | None:
    """A seat may hide again which of its slots is which, where they lie together."""
    deck = state.held.decks.get(act.name)
    mine = deck is not None and act.seat == deck.seat and bool(act.replaces)
    if deck is None or not mine or any(slot not in deck.where for slot in act.replaces):
        return Illegal(f"{act.seat} has nothing to seal as {act.name}", ("OT-7.4",))
    zones = {deck.where[slot] for slot in act.replaces}
    if len(zones) > 1:
        return Illegal("only slots that lie together are mixed", ("OT-7.4",))
    return piles.may_mix(state, deck, zones.pop())


def seal(state: State, step: Sealed, tell: Tell) -> None:
    held = state.held
    if step.what == "choice":
        answers = step.name.startswith(f"{choices.ANSWER}#")
        (choices.answer_sealed if answers else choices.secret_sealed)(state, step.seat, step.slots[0], tell)
    elif step.what == "private":
        private.sealed(state, step.seat, len(step.slots) - len(step.replaces))
    elif step.name in held.decks:
        decks.sealed(state, held.decks[step.name], step.slots, step.replaces, tell)
    elif step.name in held.purses:
        chits.sealed(state, held.purses[step.name], step.slots, step.replaces, tell)


# --- openings ---


def is_due(state: State, act: Opened) -> bool:
    """The program of the seat opens what it must."""
    slots = tuple(slot for slot, _ in act.items)
    question = state.held.question
    wanted = openings(state) if question is None or question.silent() else choices.asks(question)
    return any(
        ask.seat == act.seat and isinstance(ask.client, OpenSlots) and ask.client.slots == slots for ask in wanted[:1]
    )


def refuse_opened(state: State, act: Opened) -> Illegal | None:
    if isinstance(act.order, Answer):
        return choices.refuse_opened_answer(state, act.seat, act.items[0][0], act.order)
    if isinstance(act.order, Secret):
        return choices.refuse_opened_secret(state, act.seat, act.items[0][0], act.order)
    for slot, _ in act.items:
        if bad := refuse_slot(state, act.seat, slot):
            return bad
    return None


def refuse_slot(state: State, seat: str, slot: Slot) -> Illegal | None:
    """Why a card, chit or value is none that the seat could open now."""
    deck, purse = state.held.deck_of(slot), state.held.purses.get(slot.partition("/")[0])
    if deck is not None:
        kind, _, holder = deck.where[slot].partition(" ")
        mine = seat in deck.team and (kind not in ("hand", "looked", "due") or holder == seat)
        return None if mine else Illegal(f"{slot} is not {seat}'s to open", ("OT-6.7",))
    if purse is not None:
        mine = purse.seat == seat and slot in purse.slots
        return None if mine else Illegal(f"{slot} is no chit that {seat} has", ("OT-7.6",))
    return private.refuse_opened(state, seat, slot)


def open_slots(state: State, step: Opened, tell: Tell) -> None:
    first = step.items[0][0]
    if isinstance(step.order, Answer):
        choices.say(state, step.seat, step.order.text, first, tell)
    elif isinstance(step.order, Secret):
        choices.secret_opened(state, step.seat, first, step.order, tell)
    else:
        for slot, content in step.items:
            show(state, slot, str(content))
            deck = state.held.deck_of(slot)
            if deck is not None and deck.where[slot] == due(step.seat):
                decks.discard_open(deck, step.seat, (slot,), tell)


def show(state: State, slot: Slot, content: str) -> None:
    deck, purse = state.held.deck_of(slot), state.held.purses.get(slot.partition("/")[0])
    if deck is not None:
        deck.shown[slot] = content
    elif purse is not None:
        purse.shown[slot] = content
    else:
        private.proved(state, slot)


def opens(state: State, seat: str, order: Order, known: Known) -> tuple[Slot, ...]:
    """The slots that an order opens with it."""
    if isinstance(order, CardOrder) and not isinstance(order, Keep):
        deck = state.held.deck_of(order.card)
        closed = deck is not None and order.card not in deck.shown
        return (order.card,) if closed and hands.bares(order) else ()
    if isinstance(order, ShowHand):
        shown = decks.ours(state, seat, order.deck, "OT-6.7")
        return () if isinstance(shown, Illegal) else tuple(s for s in shown.zone(hand(seat)) if s not in shown.shown)
    if isinstance(order, Spend):
        return chits.opens(state, seat, order, known)
    if isinstance(order, OpenSecret):
        return choices.secrets_to_open(state, seat, order)
    return private.opens(state, order) if isinstance(order, Reveal) else ()


# --- leaving ---


def leave(state: State, seat: str) -> None:
    """What a seat that has left still owed falls away; its cards and counters stay where they are."""
    held = state.held
    held.decks = {name: deck for name, deck in held.decks.items() if deck.seat != seat or deck.stage == "sealed"}
    for deck in held.decks.values():
        deck.move(deck.zone(due(seat)), DISCARD)
        if deck.seat == seat and deck.mixing:
            deck.move(deck.zone(MIX), deck.mixing)
            deck.mixing = ""
    for purse in held.purses.values():
        if purse.seat == seat:
            purse.coming, purse.fresh = 0, ()
    choices.leave(state, seat)
    state.waiting = [throw for throw in state.waiting if throw.to != due(seat)]
    drop_impossible(state)


def drop_impossible(state: State) -> None:
    """A draw falls away where those who left have left nothing to draw."""
    while (first := next((throw for throw in state.waiting if throw.deck), None)) is not None:
        if decks.pool(state, first):
            return
        state.waiting.remove(first)


def replaceable(state: State, seat: str) -> bool:
    """Whether everything that only the seat knows can be dealt anew."""
    held = state.held
    chosen = any(purse.seat == seat for purse in held.purses.values()) or any(
        owner == seat and not is_open for owner, is_open in held.secrets.values()
    )
    decks_ = [deck for deck in held.decks.values() if deck.seat == seat]
    placed = (zone for deck in decks_ for slot, zone in deck.where.items() if slot not in deck.shown)
    dealt = all(zone == PILE or zone.startswith("hand ") for zone in placed)
    return not chosen and dealt and all(deck.begins == PILE for deck in decks_)
