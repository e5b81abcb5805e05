"""Which cards could be played now, and what for; which a bot plays, negates with, shares and discards."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Ask, Illegal, Known, Order
from rules.field_command import sequence
from rules.field_command.campaign import cards, cards_deal, cards_effects, cards_judging
from rules.field_command.campaign.cards_orders import Accept, Discard, Negate, NoCard, Object, PlayCard, Split
from rules.field_command.campaign.state import Unit, War, count, enemies, family, foes, is_ground
from rules.field_command.rows import Army, Card

TRIES = 8
"""So many aims of a card are offered; there are more."""
LEAST_USE = ("longer_drive", "pass_enemy", "bridge", "repeat_strike", "second_strike", "cut_road", "gain_supply")
"""What a bot discards first, by what the card does."""


def asked(w: War, seat: str) -> str:
    """What a seat is asked about cards now; "" for nothing."""
    waiting = cards_judging.waits(w) or cards_judging.stage(w)
    if not waiting and w.fight and w.fight.node.startswith("cards"):
        waiting = sequence.pending(w.fight)
    first = waiting[0] if waiting else None
    return first.what if isinstance(first, Ask) and first.seat == seat else ""


def offers(w: War, seat: str, what: str, known: Known) -> Iterator[Order]:
    """What may be answered to a question about cards."""
    own = w.armies_of(seat)
    match what:
        case "negate":
            yield NoCard()
            target = cards.shown(w, cards.of(w).queue[0].slot)
            for _, slot, card in cards.held(w, own, known):
                if target.type in card.cancels:
                    yield Negate(card=slot)
        case "combat_cards" | "supply_cards":
            yield NoCard()
            yield from playable(w, seat, known)
        case "events":
            yield cards_deal.events(w, known)
        case "split":
            joint = cards.of(w).joint
            yield Split()
            yield from (Split(australia=(slot,)) for slot in joint)
            if len(joint) > 1:
                yield Split(australia=joint)
        case "agree":
            yield Accept()
            yield Object()
        case "discard":
            yield from discards(w, known)


def discards(w: War, known: Known) -> Iterator[Discard]:
    """Each run of cards of the hand that is long enough, what is of least use first."""
    many = cards.over(w, w.army)
    hand = [slot for slot in cards.of(w).hand[w.army] if cards.card_of(w, slot, known) is not None]
    hand.sort(key=lambda slot: use(w, slot, known))
    for n in range(len(hand) - many + 1):
        yield Discard(cards=tuple(hand[n : n + many]))


def use(w: War, slot: str, known: Known) -> int:
    """How much a card is worth to a bot."""
    card = cards.card_of(w, slot, known)
    return LEAST_USE.index(card.do) if card is not None and card.do in LEAST_USE else len(LEAST_USE)


def playable(w: War, seat: str, known: Known) -> Iterator[PlayCard]:
    """Cards that may be played now, with some of what they can be for."""
    for army, slot, card in cards.held(w, w.armies_of(seat), known):
        if card.type in ("event", "negation") or cards_judging.refuse_time(w, army, card) is not None:
            continue
        tries = 0
        for order in _aims(w, army, slot, card):
            if tries < TRIES and not isinstance(cards_judging.refuse(w, seat, order, known), Illegal):
                tries += 1
                yield order


def _aims(w: War, army: Army, slot: str, card: Card) -> Iterator[PlayCard]:
    """What a card can be tried for, the likeliest first."""
    if card.type != "deployment":
        units = cards_judging.guns(w.fight, "defence") if w.fight and card.do == "second_strike" else ()
        yield from (PlayCard(card=slot, units=(unit,)) for unit in units)
        if card.do != "second_strike":
            yield PlayCard(card=slot)
        return
    sectors, units_wanted = cards_effects.wants(card)
    if sectors == 2:
        yield from (PlayCard(card=slot, places=pair) for pair in borders(w, army))
    elif card.mission:
        wings = [unit.id for unit in w.units.values() if unit.army == army and not is_ground(w, unit)]
        for place in worth_closing(w, army):
            yield from (PlayCard(card=slot, places=(place,), units=(wing,)) for wing in wings)
    elif units_wanted:
        yield from (PlayCard(card=slot, units=(unit.id,)) for unit in infantry(w, army))
    elif sectors:
        yield from (PlayCard(card=slot, places=(place,)) for place in by_front(w, army))
    else:
        yield PlayCard(card=slot)


def front(w: War, place: str, army: Army) -> bool:
    """Whether an enemy holds a neighbouring sector."""
    return any(foes(w.control[step.to], army) for step in w.board.neighbours(place) if step.to in w.control)


def by_front(w: War, army: Army) -> list[str]:
    """The own sectors, those in the front line first, the weakest of them before others."""
    own = [id for id in w.board.sectors if w.control[id] == army]
    return sorted(own, key=lambda id: (not front(w, id, army), count(w, id, army), id))


def borders(w: War, army: Army) -> Iterator[tuple[str, str]]:
    """Borders between own and enemy sectors."""
    for place in by_front(w, army):
        for step in w.board.neighbours(place):
            if step.to in w.control and foes(w.control[step.to], army):
                yield place, step.to


def worth_closing(w: War, army: Army) -> list[str]:
    """Sectors that an enemy would like to come to: the own objectives, then the front line."""
    own = [id for id in w.board.sectors if not foes(w.control[id], army)]
    return sorted(own, key=lambda id: (id not in w.board.objectives, not front(w, id, army), id))


def infantry(w: War, army: Army) -> list[Unit]:
    """Infantry that has not moved, out of the reach of the enemy first: it has a way to go."""
    able = [
        unit
        for unit in w.units.values()
        if unit.army == army and not unit.mark and unit.where in w.board.places and family(w, unit) == "infantry"
    ]
    return sorted(able, key=lambda unit: (unit.where not in w.board.sectors, unit.id))


# --- the bot ---


def advise(w: War, seat: str, what: str, known: Known) -> Order:
    """The answer of a bot to a question about cards."""
    found = list(offers(w, seat, what, known))
    match what:
        case "negate":
            return found[-1] if worth_negating(w) else found[0]
        case "combat_cards" | "supply_cards":
            return next((order for order in found if isinstance(order, PlayCard) and wise(w, order, known)), NoCard())
        case "split":
            return share(w)
    return found[0]


def worth_negating(w: War) -> bool:
    """Whether a bot spends a Negation on what is played: not on a mere step more, or a strike more."""
    return cards.shown(w, cards.of(w).queue[0].slot).do not in ("longer_drive", "repeat_strike")


def share(w: War) -> Split:
    """Whoever has more room; Australia first, which is attacked first."""
    armies: tuple[Army, Army] = ("A", "B")
    room = {army: cards.limit(w, army) - len(cards.of(w).hand[army]) for army in armies}
    australia = []
    for slot in cards.of(w).joint:
        army: Army = "A" if room["A"] >= room["B"] else "B"
        room[army] -= 1
        if army == "A":
            australia.append(slot)
    return Split(australia=tuple(australia))


def wise(w: War, order: PlayCard, known: Known) -> bool:
    """Whether a bot plays a card that it may play."""
    card = cards.card_of(w, order.card, known)
    f = w.fight
    if card is None:
        return False
    match card.do:
        case "third_attack":
            return f is not None and any(f.units[unit].kind == "tank" for unit in f.line["attack"])
        case "all_or_nothing":
            return f is not None and len(f.line["attack"]) > len(f.line["defence"])
        case "infantry_bonus" | "ignore_suppression" | "battle_bonus" | "axis_fire":
            return f is not None and len(f.line["attack"]) > 1
        case "repeat_strike":
            return f is not None and any(f.units[unit].kind == "field" for unit in f.strikes["attack"])
    return True


def planned(w: War, seat: str, known: Known) -> Iterator[Order]:
    """Deployment cards that help a bot now: it moves step by step, so that longer ways are of no use to it."""
    for order in playable(w, seat, known):
        card = cards.card_of(w, order.card, known)
        if card is not None and helps(w, card, order):
            yield order


def helps(w: War, card: Card, order: PlayCard) -> bool:
    """Volunteers for the front line, a road cut where the enemy stands, a sector in the front line closed."""
    match card.do:
        case "place_volunteer":
            return front(w, order.places[0], w.army)
        case "cut_road":
            return any(enemies(w, place, w.army) for place in order.places)
        case "close_sector":
            return w.control[order.places[0]] == w.army and front(w, order.places[0], w.army)
    return False
