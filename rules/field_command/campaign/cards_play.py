"""Playing cards, and negating them: a card counts after every opponent who might has let it pass. [8.6, 15.3.2, R59]"""

from __future__ import annotations

from pbem.api import Lapsed, Note, Opened, Order, Ordered, Rolled, Sealed, Step, Tell
from rules.field_command import sequence
from rules.field_command.campaign import cards, cards_deal, cards_effects, fighting
from rules.field_command.campaign.cards import Played
from rules.field_command.campaign.cards_judging import fits_battle, fits_supply, opponents, role_of, waits
from rules.field_command.campaign.cards_orders import (
    Accept,
    CardOrder,
    Discard,
    Events,
    Negate,
    NoCard,
    Object,
    PlayCard,
    Split,
)
from rules.field_command.campaign.state import War, name
from rules.field_command.rows import Army, Card
from rules.field_command.state import Aid, Fight
from rules.field_command.terms import ADJECTIVES

# --- carrying out ---


def apply(w: War, step: Step, tell: Tell) -> bool:
    """Carry out a step that is about cards: whether it was one."""
    match step:
        case Sealed(name=name) if w.cards and cards.is_card(name):
            cards_deal.sealed(w, step, tell)
        case Opened(items=items) if w.cards and cards.is_card(items[0][0]):
            w.cards.opened |= {slot: str(content) for slot, content in items}
        case Lapsed(ask=ask) if ask.window:
            lapsed(w, ask.window, tell)
        case Ordered(seat=seat, order=order) if isinstance(order, CardOrder):
            obey(w, seat, order, tell)
        case Rolled() if not w.losses and waits(w):
            rolled(w, step, tell)
        case _:
            return False
    return True


def obey(w: War, seat: str, order: Order, tell: Tell) -> None:
    """Carry out an order about cards; what follows by itself is `go_on`."""
    c = cards.of(w)
    match order:
        case PlayCard():
            army = _whose(w, seat, order.card)
            cards.take_from_hand(w, army, (order.card,))
            put(w, (Played(order.card, army, order.places, order.units),), tell)
        case NoCard() if c.asked:
            lapsed(w, "negate", tell)
        case NoCard():
            _pass(w, tell)
        case Negate():
            _negate(w, seat, order.card, tell)
        case Events():
            put(w, cards_deal.take_up(w, order, tell), tell)
        case Split():
            cards_deal.split(w, order, tell)
        case Accept():
            lapsed(w, "agree", tell)
        case Object():
            cards_deal.objected(w, tell)
        case Discard():
            cards_deal.discard(w, order, tell)
    if not c.queue:
        c.asked = ()


def _whose(w: War, seat: str, slot: str) -> Army:
    army = cards.holder(w, w.armies_of(seat), slot)
    if army is None:
        raise ValueError(f"{slot} is in no hand of {seat}")
    return army


def put(w: War, played: tuple[Played, ...], tell: Tell) -> None:
    """Cards are being played; who may negate the first of them is asked."""
    c = cards.of(w)
    for one in played:
        card = cards.shown(w, one.slot)
        aims = ", ".join((*(name(w, place) for place in one.places), *one.units))
        said: dict[str, str | int] = {"army": ADJECTIVES[one.army], "card": card.name, "aims": aims}
        tell(Note("card.played_at" if aims else "card.played", said, ("15.3.2", "8.6")))
    first = not c.queue
    c.queue = (*c.queue, *played)
    if first and c.queue:
        c.asked = opponents(w, c.queue[0])


def _pass(w: War, tell: Tell) -> None:
    """No card at the start of a battle, or no more supply cards."""
    if w.fight:
        _next_side(w, w.fight, False, tell)
    else:
        w.phase = "draw"
        cards_deal.due(w)


def _next_side(w: War, f: Fight, played: bool, tell: Tell) -> None:
    sequence.card_or_pass(f, sequence.asked(f) or "attack", played, tell)
    fighting.follow(w, tell)


def _negate(w: War, seat: str, slot: str, tell: Tell) -> None:
    c = cards.of(w)
    army = _whose(w, seat, slot)
    card, target = cards.shown(w, slot), cards.shown(w, c.queue[0].slot)
    cards.take_from_hand(w, army, (slot,))
    cards.put_away(w, (slot,))
    said: dict[str, str | int] = {"army": ADJECTIVES[army], "card": card.name, "target": target.name}
    tell(Note("card.negation", said, ("15.3.2", "R59")))
    if card.dice and card.named != target.id:
        c.negating = slot
    else:
        _cancel(w, tell)


def _cancel(w: War, tell: Tell) -> None:
    """The negated card is discarded, and the next one is played. [8.6]"""
    c = cards.of(w)
    gone, c.queue, c.negating = c.queue[0], c.queue[1:], ""
    cards.put_away(w, (gone.slot,))
    tell(Note("card.negated", {"card": cards.shown(w, gone.slot).name}, ("8.6", "15.3.2")))
    _after(w, gone, tell)


def _after(w: War, gone: Played, tell: Tell) -> None:
    """The first card of the queue is done with."""
    c = cards.of(w)
    c.asked = opponents(w, c.queue[0]) if c.queue else ()
    if cards.shown(w, gone.slot).type == "combat" and w.fight:
        _next_side(w, w.fight, True, tell)


def lapsed(w: War, window: str, tell: Tell) -> None:
    """A window passes: this seat plays no card, does not negate, or agrees."""
    c = cards.of(w)
    if window == "agree":
        cards_deal.agreed(w, tell)
    elif window == "cards":
        _pass(w, tell)
    else:
        c.asked = c.asked[1:]


def rolled(w: War, step: Rolled, tell: Tell) -> None:
    """A draw, the die of a Negation, or that of a supply card."""
    c = cards.of(w)
    values = step.values or ()
    if c.negating:
        card, c.negating = cards.shown(w, c.negating), ""
        said: dict[str, str | int] = {"card": card.name, "die": int(values[0])}
        if int(values[0]) >= card.success:
            tell(Note("card.negation.works", said, ("15.3.1",), step.label))
            _cancel(w, tell)
        else:
            tell(Note("card.negation.fails", said, ("15.3.1",), step.label))
            c.asked = tuple(seat for seat in c.asked if seat in opponents(w, c.queue[0]))
    elif c.gaining:
        army, got = c.gaining.army, sum(int(value) for value in values)
        w.supplies[army] += got
        c.gaining = None
        tell(Note("card.gained", {"army": ADJECTIVES[army], "count": got}, ("15.3.1",), step.label))
    else:
        cards_deal.drew(w, tuple(str(value) for value in values), tell)


# --- by itself ---


def go_on(w: War, tell: Tell) -> bool:
    """The next thing that needs no decision, if there is one: whether anything was done."""
    c = cards.of(w)
    if w.ended or waits(w):
        return False
    if c.queue:
        played, c.queue = c.queue[0], c.queue[1:]
        _resolve(w, played, tell)
        _after(w, played, tell)
        return True
    f = w.fight
    if f and not w.leaving and f.node.startswith("cards"):
        army = f.army[sequence.asked(f) or "attack"]
        if cards.may_hold(w, (army,), lambda card: fits_battle(w, army, card)):
            return False
        _next_side(w, f, False, tell)
        return True
    return _stage_over(w, tell)


def _stage_over(w: War, tell: Tell) -> bool:
    """The Supply Stage goes on where nothing is to be played, drawn or discarded."""
    if w.phase == "supply" and not cards.may_hold(w, (w.army,), lambda card: fits_supply(w, card)):
        _pass(w, tell)
        return True
    if w.phase == "draw":
        w.phase = "discard"
        return True
    return False


def _resolve(w: War, played: Played, tell: Tell) -> None:
    """Nobody negates it: the card does what it says."""
    card = cards.shown(w, played.slot)
    if card.type == "supply":
        cards.put_away(w, (played.slot,))
        cards.of(w).gaining = played
    elif card.type == "combat":
        cards.put_away(w, (played.slot,))
        _aid(w, card, played)
    else:
        cards_effects.enforce(w, played, tell)


def _aid(w: War, card: Card, played: Played) -> None:
    """A combat card is in force for this battle."""
    f, role = w.fight, role_of(w, played.army)
    if f is None or role is None:
        raise ValueError(f"{card.name} is in force without a battle")
    units = played.units
    if card.do == "axis_fire":
        came = {one.unit for one in w.entries if one.into == w.sector and one.out in w.board.axes}
        units = tuple(unit for unit in f.line["attack"] if unit in came)
    elif card.do == "drop_die":
        units = (f.line["defence"][0],)
    left = 1 if card.do == "second_strike" else card.count if card.do != "infantry_bonus" else 0
    f.aids = (*f.aids, Aid(role, card.id, left, units))
