"""Standing orders at their moment: whether one fits what is asked, what it comes to, and what is left of it. [R70]

What is carried out is an order like any other, judged by public facts alone: where that leaves a doubt, or the order is
not legal now, the seat is asked. Of several that fit, the one given last goes first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pbem.api import NOTHING_KNOWN, Ask, Illegal, Known, Note, Order, Ordered, Roll, Tell
from rules.glory_recalled import cards, combat, control, hits, recover, sequence
from rules.glory_recalled.frames import Combat, Landing, Shelling, Window
from rules.glory_recalled.movement import at
from rules.glory_recalled.orders import (
    Advance,
    Discard,
    Hits,
    NoReaction,
    NoWave,
    Pass,
    React,
    Stay,
    Support,
    Wave,
)
from rules.glory_recalled.standing import (
    DropStanding,
    StandingAdvance,
    StandingCards,
    StandingDiscard,
    StandingHits,
    StandingNoCards,
    StandingNoReaction,
    StandingNoWave,
    StandingOrder,
    StandingPass,
    StandingPassWhile,
    StandingReact,
    StandingStay,
    StandingWave,
)
from rules.glory_recalled.state import JAPAN, State, card_of, leader_at, seat_of

MOST = 12
"""Standing orders that a seat may have."""
TRIES = 60
"""Ways of taking hits that are looked at; the best come first."""


# --- giving and dropping ---


def refuse(s: State, seat: str, order: Order, known: Known) -> Illegal | None:
    """Whether a standing order may be given or dropped now."""
    if not any(isinstance(one, Ask) and one.seat == seat for one in sequence.pending(s)):
        return Illegal("standing orders are given while you are asked something", ("R70",))
    own = mine(s, seat)
    if isinstance(order, DropStanding):
        if not own or (order.number or 1) > len(own):
            return Illegal(f"you have {len(own)} standing orders", ("R70",), "the report numbers them")
        return None
    same = [number for number, one in enumerate(own, 1) if one == order]
    if same:
        return Illegal("that stands already", ("R70",), f"it is number {same[0]}")
    if len(own) >= MOST:
        return Illegal(f"a seat has at most {MOST} standing orders", ("R70",), "`drop standing NUMBER`")
    return _refuse_names(s, seat, order, known)


def _refuse_names(s: State, seat: str, order: Order, known: Known) -> Illegal | None:
    spaces = [getattr(order, "space", None), *(order.to if isinstance(order, StandingHits) else ())]
    unknown = [space for space in spaces if space is not None and space not in s.board.spaces]
    if unknown:
        return Illegal(f"{unknown[0]} is no space", ("R70",))
    box = getattr(order, "box", None)
    if box is not None and box not in s.board.boxes:
        return Illegal(f"{box} is no landing box", ("R70", "14.1-b2"), f"boxes: {', '.join(s.board.boxes)}")
    units = order.first if isinstance(order, StandingHits) else order.units if isinstance(order, StandingWave) else ()
    for id in units:
        if (id not in s.counters and id not in s.leaders) or seat_of(s, id) != seat:
            return Illegal(f"{id} is no unit of yours on the map", ("R70",))
    slots = order.cards if isinstance(order, StandingCards | StandingDiscard) else ()
    for slot in (order.card,) if isinstance(order, StandingReact) else slots:
        wrong = cards.refuse_held(s, seat, slot, known, closed=isinstance(order, StandingDiscard))
        if wrong is not None:
            return wrong
        card = card_of(s, slot, known)
        use: Literal["react", "combat"] = "react" if isinstance(order, StandingReact) else "combat"
        play = None if card is None else s.board.play(card.id, use)
        if not isinstance(order, StandingDiscard) and card is not None and play is None:
            return Illegal(f"{card.name} has no such use", ("14.0-b5" if use == "react" else "14.0-b3",))
        if isinstance(order, StandingReact) and play is not None and order.trigger not in play.trigger:
            return Illegal(f"this card answers something else: {', '.join(play.trigger)}", ("15.0-b3",))
    return None


def mine(s: State, seat: str) -> list[StandingOrder]:
    """A seat's standing orders, in the order given."""
    return [order for one, order in s.standing if one == seat]


def give(s: State, seat: str, order: StandingOrder, tell: Tell) -> None:
    """It stands from now on."""
    s.standing = (*s.standing, (seat, order))
    tell(Note("standing.given", {"side": control.side(seat), "order": str(order)}, ("R70",)))


def drop(s: State, seat: str, order: DropStanding, tell: Tell) -> None:
    """One of them stands no more, or all."""
    own = mine(s, seat)
    gone = own if order.number is None else [own[order.number - 1]]
    s.standing = tuple((one, kept) for one, kept in s.standing if one != seat or kept not in gone)
    tell(Note("standing.dropped", {"side": control.side(seat), "count": len(gone)}, ("R70",)))


def offers(s: State, seat: str) -> Iterator[Order]:
    """Those without further words, and dropping what stands."""
    general = (StandingPass, StandingPassWhile, StandingNoReaction, StandingNoCards, StandingAdvance, StandingStay)
    yield from (order() for order in general)
    yield from (StandingHits(way=way) for way in ("retreat", "disrupt"))
    if seat == JAPAN:
        yield StandingNoWave()
    yield from (DropStanding(number=number) for number in range(1, len(mine(s, seat)) + 1))


# --- carrying out ---


def follow(s: State, first: Ask | Roll, tell: Tell) -> None:
    """What is asked now is answered by a standing order, if one fits."""
    found = next(_fitting(s, first), None) if isinstance(first, Ask) and first.client is None else None
    if found is None:
        return
    seat, standing, order = found
    left = _left(standing)
    kept = [(one, left if one == seat and given == standing else given) for one, given in s.standing]
    s.standing = tuple((one, given) for one, given in kept if given is not None)
    told = {"side": control.side(seat), "order": str(order), "standing": str(standing)}
    tell(Note("standing.done", told, ("R70",)))
    sequence.apply(s, Ordered(seat, order), tell)


def _fitting(s: State, ask: Ask) -> Iterator[tuple[str, StandingOrder, Order]]:
    """What fits and is legal by public facts."""
    from rules.glory_recalled import judging

    for standing in reversed(mine(s, ask.seat)):
        for order in _meanings(s, ask, standing):
            if judging.refuse(s, ask.seat, order, NOTHING_KNOWN) is None:
                yield ask.seat, standing, order


def _left(order: StandingOrder) -> StandingOrder | None:
    """What stands after it was carried out once."""
    if isinstance(order, StandingReact | StandingCards | StandingWave):
        return None
    if isinstance(order, StandingNoReaction) and order.limit is not None:
        return order.model_copy(update={"limit": order.limit - 1}) if order.limit > 1 else None
    return order


def _meanings(s: State, ask: Ask, order: StandingOrder) -> Iterator[Order]:
    """What a standing order says to this question, the best first; nothing where it does not fit."""
    top, seat = s.top(), ask.seat
    match ask.what, top, order:
        case "act", _, StandingPass():
            yield Pass()
        case "act", _, StandingPassWhile() if JAPAN in s.passed or (seat == JAPAN and s.idle):
            yield Pass()
        case "react", Window(), StandingReact() if order.trigger == top.step:
            below = s.frames[-2] if len(s.frames) > 1 else None
            boxes = below.boxes if isinstance(below, Landing) and order.box is None else ()
            for box in (order.box, *boxes):
                yield React(card=order.card, box=box, road=order.road)
        case "react", Window(), StandingNoReaction() if order.trigger in (None, top.step):
            yield NoReaction()
        case "support", Combat(), StandingCards() if _there(top, order.space):
            if order.behind is None or _gap(top, seat) >= order.behind:
                yield Support(cards=order.cards)
        case "support", Combat(), StandingNoCards() if _there(top, order.space):
            if order.behind is None or _gap(top, seat) < order.behind:
                yield Support()
        case "take_hits", Combat() | Shelling(), StandingHits():
            yield from preferred(s, top, seat, order, NOTHING_KNOWN)
        case "advance", Combat(), StandingAdvance() if _there(top, order.space):
            yield from _advances(s, top)
        case "advance", Combat(), StandingStay() if _there(top, order.space):
            yield Stay()
        case "wave", Landing(), StandingWave() if top.wave > 1 and order.box == top.boxes[0]:
            yield Wave(units=order.units)
        case "wave", Landing(), StandingNoWave() if top.wave > 1 and order.box in (None, top.boxes[0]):
            yield NoWave()
        case "discard", _, StandingDiscard() if s.phase == "recover":
            held = [slot for slot in order.cards if slot in s.cards[seat].hand]
            yield Discard(cards=tuple(held[: recover.due(s, seat)]))


def _there(f: Combat, space: str | None) -> bool:
    return space is None or f.space == space


def _gap(f: Combat, seat: str) -> int:
    """By how much the own total is lower, before cards and dice."""
    own, other = f.totals if seat == f.seat else f.totals[::-1]
    return other - own


def _advances(s: State, f: Combat) -> Iterator[Advance]:
    """Two with a leader, two, one with a leader, one: those of the main force before others."""
    able = combat.may_advance(s, f)
    for count in (2, 1):
        some = able[:count]
        if len(some) == count:
            for name in f.leaders:
                if name in s.leaders and at(s, name) in {at(s, id) for id in some}:
                    yield Advance(units=(*some, name))
            yield Advance(units=some)


def preferred(s: State, f: Combat | Shelling, seat: str, order: StandingHits, known: Known) -> Iterator[Hits]:
    """Ways of taking the hits in the order that the standing order prefers; leaders go where all their troops go."""
    count = f.hits if isinstance(f, Shelling) else f.todo[0][1]
    ways = hits.ways(s, f, seat, count, known, order.to)
    for way in sorted(ways, key=lambda way: _rank(way, order))[:TRIES]:
        companions = tuple(_companions(s, seat, way))
        if companions:
            yield Hits(fates=(*way, *companions))
        yield Hits(fates=way)


def _rank(way: hits.Way, order: StandingHits) -> tuple[object, ...]:
    """Losses, then the deeds that are not wanted, then hits on units out of turn, then spaces out of turn."""
    unwanted = ("disrupt",) if order.way == "retreat" else ("retreat", "stay")
    lost = sum(fate[1] == "eliminate" for fate in way)
    late = sum(_place(fate[0], order.first) * (hits.deeds(fate) or 3) for fate in way)
    far = sum(_place(fate[-1], order.to) for fate in way if "retreat" in fate)
    return lost, sum(word in unwanted for fate in way for word in fate[1:]), late, far, way


def _place(name: str, names: tuple[str, ...]) -> int:
    return names.index(name) if name in names else len(names)


def _companions(s: State, seat: str, way: hits.Way) -> Iterator[tuple[str, ...]]:
    """A leader whose troops all leave goes with the first of them. [9.8-b6]"""
    goes = {fate[0]: fate[-1] for fate in way if "retreat" in fate}
    lost = {fate[0] for fate in way if fate[1] == "eliminate"}
    for space in dict.fromkeys(at(s, id) for id in goes):
        name = leader_at(s, space, seat)
        there = [id for id, one in s.counters.items() if one.at == space]
        if name is not None and all(id in goes or id in lost for id in there):
            yield name, "retreat", next(goes[id] for id in goes if at(s, id) == space)
