"""What cards wait for, and why one may not be played, negated, shared or discarded now. [8.6, 15.3.2, R58, R59]"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.api import Ask, Illegal, Known, Opened, Order, Owes, Roll, Sealed
from rules.field_command import sequence
from rules.field_command.campaign import cards, cards_deal, cards_effects
from rules.field_command.campaign.cards import Played
from rules.field_command.campaign.cards_orders import Discard, Events, Negate, NoCard, PlayCard, Split
from rules.field_command.campaign.state import War, foes
from rules.field_command.combat import FIXED
from rules.field_command.rows import Army, Card, Role
from rules.field_command.state import ROLES, Fight

# --- what is waited for ---


def waits(w: War) -> tuple[Ask | Roll, ...]:
    """What the cards wait for, before anything else goes on; () when it is their turn no more."""
    c = w.cards
    if c is None:
        return ()
    if c.negating:
        return (_die(w, cards.shown(w, c.negating), "negation"),)
    if c.asked:
        return (Ask(c.asked[0], "negate", "15.3.2", window="negate"),)
    if c.queue:
        return ()
    if c.gaining:
        return (_die(w, cards.shown(w, c.gaining.slot), "supply"),)
    for chapter in (cards_deal.unsealed, cards_deal.looking, cards_deal.drawing, cards_deal.sharing):
        waiting = next(chapter(w), None)
        if waiting is not None:
            return (waiting,)
    return ()


def _die(w: War, card: Card, what: str) -> Roll:
    return Roll(f"t{w.turn}/{what}", "15.3.1", dice=card.dice)


def stage(w: War) -> tuple[Ask, ...]:
    """The question of a phase that only cards have."""
    if w.phase == "supply":
        return (Ask(w.seats[w.army], "supply_cards", "15.3.2", window="cards"),)
    if w.phase == "discard":
        return (Ask(w.seats[w.army], "discard", "15.2.5"),)
    return ()


def opponents(w: War, played: Played) -> tuple[str, ...]:
    """The seats that may hold a Negation against this card, by public facts. [R59]"""
    type = cards.shown(w, played.slot).type
    armies = [army for army in w.board.order if foes(army, played.army)]
    able = (army for army in armies if cards.may_hold(w, (army,), lambda card: type in card.cancels))
    return tuple(dict.fromkeys(w.seats[army] for army in able))


def role_of(w: War, army: Army) -> Role | None:
    """The role of an army in the battle that is being fought."""
    return next((role for role in ROLES if w.fight and w.fight.army[role] == army), None)


def fits_battle(w: War, army: Army, card: Card) -> bool:
    """Whether a combat card has what it needs in this battle, by public facts."""
    return card.type == "combat" and _needs(w, army, card) is None


def fits_supply(w: War, card: Card) -> bool:
    """Whether a supply card can be played now, by public facts."""
    lacking = "took a sector this turn" in card.requires and not cards.of(w).took
    return card.type == "supply" and w.with_supplies and not lacking


# --- judging ---


def refuse(w: War, seat: str, order: Order, known: Known) -> Illegal | Owes | None:
    """Why an order about cards may not be given now."""
    if w.cards is None:
        return Illegal("Situation Cards are not used in this campaign", ("8.2.3",))
    if isinstance(order, PlayCard):
        return _refuse_card(w, seat, order, known)
    waiting = waits(w) or stage(w)
    if w.fight and w.fight.node.startswith("cards") and not waits(w):
        waiting = tuple(one for one in sequence.pending(w.fight) if isinstance(one, Ask))
    first = waiting[0] if waiting else None
    what = first.what if isinstance(first, Ask) and first.seat == seat else ""
    if isinstance(order, Discard):
        return cards_deal.refuse_discard(w, w.army, order, known) if what == "discard" else _not_now("15.2.5")
    if isinstance(order, Negate):
        return _refuse_negation(w, seat, order, known) if what == "negate" else _not_now("15.3.2", "R59")
    if isinstance(order, NoCard):
        return None if what in ("combat_cards", "supply_cards", "negate") else _not_now("15.3.2")
    if isinstance(order, Events):
        return cards_deal.refuse_events(w, order, known) if what == "events" else _not_now("15.2.3")
    if isinstance(order, Split):
        return cards_deal.refuse_split(w, order) if what == "split" else _not_now("15.2.3.1", "15.2.4")
    return None if what == "agree" else _not_now("R55")


def _not_now(*ids: str) -> Illegal:
    return Illegal("that is not asked of you now", ids)


def _refuse_card(w: War, seat: str, order: PlayCard, known: Known) -> Illegal | None:
    own = w.armies_of(seat)
    why = cards.refuse_held(w, own, order.card, known)
    army, card = cards.holder(w, own, order.card), cards.card_of(w, order.card, known)
    if army is None or card is None:
        return why
    if waits(w):
        return Illegal("another card is being played", ("15.3.2", "R59"))
    why = refuse_time(w, army, card)
    if why is not None:
        return why
    played = Played(order.card, army, order.places, order.units)
    if card.type == "combat":
        return _refuse_combat(w, army, card, played)
    if card.type == "supply":
        return _refuse_supply(w, card, played)
    return cards_effects.refuse(w, army, card, played)


def refuse_time(w: War, army: Army, card: Card) -> Illegal | None:
    """When a type of card is played, and by whom. [8.6, 15.3.2]"""
    # [15.1.2]: the data give each card one type
    match card.type:
        case "deployment":
            if army != w.army:
                return Illegal(f"{card.name} is for the own turn", ("8.6", "15.3.2"))
            if w.phase != "planning":
                return Illegal(f"{card.name} comes before the barrages of the defender", ("15.3.2", "8.6"))
        case "combat":
            role = role_of(w, army)
            if w.fight and w.fight.army and role is None:
                return Illegal(f"{card.name} is for those who fight this battle", ("8.6", "15.3.2"))
            if w.fight is None or w.fight.node != f"cards_{role}":
                why = f"{card.name} is played at the start of a battle, in turn, before any dice"
                return Illegal(why, ("15.3.2", "T-CP.8", "R58"))
        case "supply":
            if army != w.army:
                return Illegal(f"{card.name} is for the own turn", ("8.6", "15.3.2"))
            if w.phase != "supply":
                return Illegal(f"{card.name} is played after all battles", ("15.3.2", "8.6"))
        case "event":
            return Illegal("an Event is played when it is drawn", ("15.3.2", "15.2.3"))
        case "negation":
            return Illegal(f"{card.name} answers a card", ("15.3.2", "R59"), "negate with CARD, when you are asked")
    return None


def _refuse_supply(w: War, card: Card, played: Played) -> Illegal | None:
    if played.places or played.units:
        return Illegal(f"{card.name} is played without sectors and units", ("15.1.4",))
    if not w.with_supplies:
        return Illegal("supplies are not used in this campaign", ("8.2.2", "15.3.1"))
    if not fits_supply(w, card):
        return Illegal(f"{card.name} needs a sector taken this turn", ("15.3.1",), card.text)
    return None


def _refuse_combat(w: War, army: Army, card: Card, played: Played) -> Illegal | None:
    f, role = w.fight, role_of(w, army)
    why = _needs(w, army, card)
    if why is not None or f is None or role is None:
        return why
    aimed = card.do == "second_strike"
    if played.places or len(played.units) != aimed:
        return Illegal(f"{card.name} names {'one gun' if aimed else 'nothing'}", ("15.1.4",), card.text)
    if aimed and played.units[0] not in guns(f, role):
        ready = ", ".join(guns(f, role))
        return Illegal(f"{played.units[0]} is no fixed gun that strikes here", ("15.1.4",), f"guns: {ready}")
    for aid in f.aids:
        # [15.3.3-ex]
        if aid.card == card.id and aid.role == role and (not aimed or aid.units == played.units):
            return Illegal(f"{card.name} is in force here already", ("15.3.3",))
    return None


def guns(f: Fight, role: Role) -> tuple[str, ...]:
    """Fixed guns that strike in a battle."""
    return tuple(unit for unit in f.strikes[role] if f.units[unit].kind in FIXED)


def _needs(w: War, army: Army, card: Card) -> Illegal | None:
    f, role = w.fight, role_of(w, army)
    if f is None or role is None:
        return Illegal("no battle of yours is fought", ("8.6",))
    came = any(one.sector == w.sector and one.out in w.board.axes for one in w.directions)
    lacking = {
        "attacking": role != "attack",
        "defending": role != "defence",
        "attacked from an axis": not came,
    }
    for need in card.requires:
        if lacking.get(need):
            return Illegal(f"{card.name} needs: {need}", ("15.3.1",), card.text)
    if card.do == "second_strike" and not guns(f, role):
        return Illegal(f"{card.name} needs a fixed gun that strikes here", ("15.3.1",), card.text)
    return None


def _refuse_negation(w: War, seat: str, order: Negate, known: Known) -> Illegal | None:
    why = cards.refuse_held(w, w.armies_of(seat), order.card, known)
    card, target = cards.card_of(w, order.card, known), cards.shown(w, cards.of(w).queue[0].slot)
    if why is not None or card is None:
        return why
    if target.type not in card.cancels:
        against = ", ".join(card.cancels) or "nothing"
        return Illegal(f"{card.name} does not cancel {target.name}", ("15.3.2", "R59"), f"it cancels: {against}")
    return None


# --- slots ---


def opens(w: War, seat: str, order: Order) -> tuple[str, ...]:
    """The closed cards that an order opens."""
    found = (order.card,) if isinstance(order, PlayCard | Negate) else cards_deal.opens(order)
    c = cards.of(w)
    mine = {slot for army in w.armies_of(seat) for slot in c.hand[army]} | set(c.fresh)
    return tuple(dict.fromkeys(slot for slot in found if slot in mine and slot not in c.opened))


def about_cards(w: War, act: Opened | Sealed) -> bool:
    """Whether cards are sealed or opened, and no plan."""
    slots = act.slots if isinstance(act, Sealed) else tuple(slot for slot, _ in act.items)
    return w.cards is not None and all(cards.is_card(slot) for slot in slots)


def refuse_slots(w: War, waiting: tuple[Ask | Roll, ...], seat: str, act: Opened | Sealed) -> Illegal | None:
    """Why cards may not be sealed or opened."""
    if isinstance(act, Sealed):
        return cards_deal.refuse_seal(w, waiting, seat, act)
    return refuse_opening(w, seat, (slot for slot, _ in act.items))


def refuse_opening(w: War, seat: str, slots: Iterable[str]) -> Illegal | None:
    """Cards of the own hands, or just drawn; nobody looks into a pile."""
    c = cards.of(w)
    mine = {slot for army in w.armies_of(seat) for slot in c.hand[army]}
    if c.fresh and seat in cards.team(w, cards.deck_of(w, c.fresh[0])):
        mine |= set(c.fresh)
    if not set(slots) <= mine:
        return Illegal("only cards of the own hand are shown", ("15.2.4",))
    return None
