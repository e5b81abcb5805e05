"""Cards in a combat: what may be played, and what they do, in three steps: cancel, count, charge. [9.4]"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator, Sequence

from pbem.api import Illegal, Known, Note, Order, Tell
from rules.glory_recalled import cards, control, hits
from rules.glory_recalled.components import Card, Play
from rules.glory_recalled.frames import Combat
from rules.glory_recalled.orders import Support
from rules.glory_recalled.state import BRITISH, JAPAN, State, Told, card_of, foe

# --- what may be played ---


def refuse(
    s: State, f: Combat, seat: str, slots: Sequence[str], known: Known, *, closed: bool = False
) -> Illegal | None:
    """Whether these cards may be played together here; `closed`: what is not known yet is judged when it is opened."""
    if len(set(slots)) != len(slots):
        return Illegal("a card is named twice", ("9.4-b2",))
    found: list[Card] = []
    for slot in slots:
        wrong = cards.refuse_held(s, seat, slot, known, closed=closed)
        if wrong is not None:
            return wrong
        card = card_of(s, slot, known)
        if card is None:
            continue
        wrong = refuse_card(s, f, seat, card)
        if wrong is not None:
            return wrong
        found.append(card)
    kinds = Tally(card.kind for card in found if card.kind != "event")
    twice = [kind for kind, count in kinds.items() if count > 1]
    if twice:  # [9.4-b3]: the kinds are those printed on the cards
        return Illegal(f"only one card of the kind {twice[0]} in a combat", ("9.4-b2", "R29"))
    events = sum(card.kind == "event" for card in found)
    if events and events + (seat in s.events) > 1:
        return Illegal("one event a round", ("15.0-b2", "R27"))
    return None


def refuse_card(s: State, f: Combat, seat: str, card: Card) -> Illegal | None:
    """Whether one card has a use here and its requirement is met."""
    play = s.board.play(card.id, "combat")
    if play is None:
        return Illegal(f"{card.name} is no card for a combat", ("14.0-b3", "15.0-b1"))
    if f.box and seat == JAPAN and card.kind == "artillery" and s.board.boxes[f.box].south:
        return Illegal("no Japanese artillery reaches Aberdeen and Stanley", ("14.1-b8", "9.4-b4"))
    if card.kind == "air" and "heavy_rain" in s.effects:
        return Illegal("no aircraft fly in the heavy rain", ("9.4-b4", "R41"))
    missing = [need for need in play.requires if not meets(s, f, seat, need, play)]
    if missing:
        ids = ("R45", "9.4-b4") if play.do == "banzai" else ("9.4-b4", "R29")
        return Illegal(f"{card.name} needs: {NEEDS[missing[0]]}", ids)
    return None


NEEDS = {
    "attacking": "to be the attacker",
    "defending": "to be the defender",
    "landing": "an attack from a landing box",
    "no_landing": "an attack that comes over land",
    "coastal": "a coastal space",
    "inland": "a space that is not coastal",
    "island": "a space on the Island",
    "main_by_road": "a major road between main force and target",
    "road_space": "a space on a major road",
    "outmatched": "a total lower by 5 or more before cards",
}


def meets(s: State, f: Combat, seat: str, need: str, play: Play) -> bool:
    """Whether a requirement is met in this combat."""
    space = s.board.space(f.space)
    match need:
        case "attacking":
            return seat == f.seat
        case "defending":
            return seat != f.seat
        case "landing":
            return bool(f.box)
        case "no_landing":
            return not f.box
        case "coastal":
            return space.coastal
        case "inland":
            return not space.coastal
        case "island":
            return space.half == "island"
        case "main_by_road":
            start = s.counters[f.main[0]].at
            return not f.box and s.board.way(start, f.space) == "road"
        case "road_space":
            return s.board.on_road(f.space)
        case "outmatched":
            own, other = f.totals if seat == f.seat else f.totals[::-1]
            return other - own >= play.amount
    raise ValueError(f"no requirement of combat cards: {need}")


def offers(s: State, f: Combat, seat: str, known: Known) -> Iterator[Order]:
    """Each card that can be played alone."""
    seen = set()
    for slot in s.cards[seat].hand:
        card = card_of(s, slot, known)
        if card is not None and card.id not in seen and refuse(s, f, seat, (slot,), known) is None:
            seen.add(card.id)
            yield Support(cards=(slot,))


# --- what they do ---


def played(s: State, f: Combat, seat: str) -> Iterator[tuple[Card, Play]]:
    """The cards of a side that still count, with what they do."""
    for slot in f.attack_cards if seat == f.seat else f.defence_cards:
        card = s.board.cards[s.opened[slot]]
        play = s.board.play(card.id, "combat")
        if play is not None and f"{seat}:{card.kind}" not in f.cancelled:
            yield card, play


def cancel(s: State, f: Combat, tell: Tell) -> None:
    """Both lists are open and their cards leave the hands; what cancels comes first, the attacker's before. [R28]"""
    for seat in (f.seat, foe(f.seat)):
        slots = f.attack_cards if seat == f.seat else f.defence_cards
        names = [s.board.cards[s.opened[slot]] for slot in slots]
        if names:
            told: Told = {"side": control.side(seat), "cards": ", ".join(card.name for card in names)}
            tell(Note("combat.cards", told, ("9.1-n3", "9.4-b1")))
        cards.discard(s, seat, slots)  # [9.4-b5]
        if any(card.kind == "event" for card in names):
            s.events = tuple(sorted({*s.events, seat}))
    for seat in (f.seat, foe(f.seat)):
        for _, play in list(played(s, f, seat)):
            if play.do == "night_attack":
                f.cancelled = (*f.cancelled, *(f"{side}:{kind}" for side in (JAPAN, BRITISH) for kind in play.cancels))
            elif play.do == "cancel" and not play.success:
                f.cancelled = (*f.cancelled, *(f"{foe(seat)}:{kind}" for kind in play.cancels))


def to_roll(s: State, f: Combat) -> str | None:
    """The seat whose card needs a die to cancel something that is there."""
    for seat in (f.seat, foe(f.seat)):
        for _, play in played(s, f, seat):
            aimed_at = any(card.kind in play.cancels for card, _ in played(s, f, foe(seat)))
            if play.do == "cancel" and play.success and seat not in f.tried and aimed_at:
                return seat
    return None


def rolled(s: State, f: Combat, die: int, label: str, tell: Tell) -> None:
    """A die that may cancel."""
    seat = to_roll(s, f) or ""
    play = next(play for _, play in played(s, f, seat) if play.do == "cancel" and play.success)
    works = die >= play.success
    if works:
        f.cancelled = (*f.cancelled, *(f"{foe(seat)}:{kind}" for kind in play.cancels))
    f.tried = (*f.tried, seat)
    tell(Note("combat.shot_down" if works else "combat.flew_on", {"die": die}, ("R28",), label))


def count(s: State, f: Combat, tell: Tell) -> None:
    """All that adds or subtracts; Banzai Charge looks at the totals before this. [R28, R45]"""
    change = dict.fromkeys((JAPAN, BRITISH), 0)
    change[f.seat] += f.bonus
    for seat in (f.seat, foe(f.seat)):
        for card, play in played(s, f, seat):
            change[seat] += _adds(s, f, seat, card, play)
            if play.do == "add_enemy":
                change[foe(seat)] += play.amount
            if play.do == "last_stand":
                f.last_stand = True
    f.totals = (f.totals[0] + change[f.seat], f.totals[1] + change[foe(f.seat)])
    if any(change.values()):
        told: Told = {"attack": f.totals[0], "defence": f.totals[1]}
        tell(Note("combat.counted", told, ("9.4-b1",)))


def _adds(s: State, f: Combat, seat: str, card: Card, play: Play) -> int:
    match play.do:
        case "add":
            lost = seat == BRITISH and card.kind == "artillery" and play.other
            if lost and control.batteries_lost(s) >= s.board.game.artillery_batteries:
                return play.other  # [2.32h, R48]
            return play.amount
        case "night_attack":
            return play.amount
        case "engineers":
            return _engineers(s, f, play)
        case "cancel" if not play.success:
            there = any(s.board.cards[s.opened[slot]].kind in play.cancels for slot in _cards_of(f, foe(seat)))
            return play.amount if not there and seat != f.seat else 0
    return 0


def _cards_of(f: Combat, seat: str) -> tuple[str, ...]:
    return f.attack_cards if seat == f.seat else f.defence_cards


def _engineers(s: State, f: Combat, play: Play) -> int:
    """The Fortified bonus becomes that of the ground; without a marker the card adds."""
    from rules.glory_recalled.combat import ground

    if f.space not in s.forts:
        return play.amount
    return ground(s, f.space) - ground(s, f.space, fort=False)


# --- Banzai Charge ---


def banzai(s: State, f: Combat) -> str | None:
    """The seat that charges."""
    for seat in (f.seat, foe(f.seat)):
        if any(play.do == "banzai" for _, play in played(s, f, seat)):
            return seat
    return None


def charge(s: State, f: Combat, die: int, label: str, tell: Tell) -> None:
    """Own units in the combat are eliminated, the enemy takes the die in hits; nothing is compared. [2.1d, R45]"""
    seat = banzai(s, f) or ""
    tell(Note("combat.banzai", {"die": die, "place": s.board.name(f.space)}, ("2.1d", "R45"), label))
    units = hits.involved(s, f, seat)
    f.todo = ((seat, hits.capacity(s, units)), (foe(seat), die))
    f.won, f.small, f.step = ("" if seat == f.seat else f.seat), 0, "hits"
