"""A sensible player for either side: takes what is near, attacks where it is stronger, keeps a card for the defence.

It looks one order ahead and no farther. `sample` mixes it with random orders for tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from pbem.api import Ask, Illegal, Known, Order
from rules.glory_recalled import (
    action,
    artillery,
    attack,
    combat,
    control,
    events,
    judging,
    landing,
    leaders,
    menus,
    movement,
    sea,
    triggers,
)
from rules.glory_recalled.frames import Action, Combat, Shelling
from rules.glory_recalled.movement import at
from rules.glory_recalled.orders import (
    Advance,
    Attack,
    Discard,
    Done,
    GiveBack,
    Lead,
    March,
    Move,
    NoReaction,
    Pass,
    Play,
    Rally,
    React,
    Support,
    Transport,
    Wave,
)
from rules.glory_recalled.standing import DropStanding, StandingHits, StandingOrder
from rules.glory_recalled.state import (
    BRITISH,
    JAPAN,
    State,
    card_of,
    counters_at,
    foe,
    holder_of,
    is_slot,
    leader_at,
    seat_of,
    unit_of,
    units_at,
)

if TYPE_CHECKING:
    import random

RANDOM = 30
"""Percent of questions that `sample` answers with any of the offers."""
CLOSED = 3
"""What a closed counter is thought to count."""
EDGE: Mapping[str, int] = {JAPAN: 1, BRITISH: 3}
"""By how much an attack must be stronger before cards and dice."""
OPEN = 11
"""A combat whose totals differ by more before cards and dice is won or lost without cards."""
AWAY = 2
"""So many piers of Kowloon in Japanese hands, and the British begin to ship troops to the Island."""
SPARE = 3
"""With more cards than these the British spend one on a rally."""
KEEP: Mapping[str, int] = {"formation": 9, "amphibious": 9, "counter": 8, "transport": 2, "artillery": 6, "air": 5}
"""How gladly a card is kept, by kind; others 3."""


def sample(s: State, ask: Ask, known: Known, rng: random.Random) -> Order:
    """A legal answer: often the bot's, sometimes any."""
    if rng.randrange(100) >= RANDOM:
        return advise(s, ask, known)
    offers = list(menus.offers(s, ask.seat, known))
    if rng.randrange(8):  # else among them those that answer nothing yet
        offers = [order for order in offers if not isinstance(order, StandingOrder | DropStanding)]
    ends = [order for order in offers if isinstance(order, Done | Pass)]
    return rng.choice(ends or offers) if rng.randrange(4) == 0 else rng.choice(offers)


def advise(s: State, ask: Ask, known: Known) -> Order:
    """The bot's answer to a question; where it has no opinion the first of the offers."""
    opinion = OPINIONS.get(ask.what)
    if opinion is not None:
        for order in opinion(s, ask.seat, known):
            if not isinstance(judging.refuse(s, ask.seat, order, known), Illegal):
                return order
    return next(iter(menus.offers(s, ask.seat, known)))


# --- what is worth having ---


def goals(s: State, seat: str) -> frozenset[str]:
    """Places to go to: what the enemy controls and scores or supplies by, and where he stands."""
    theirs = foe(seat)
    places = {space for space in s.board.spaces if control.special(s, space) and control.holds(s, theirs, space)}
    places |= {one.at for id, one in s.counters.items() if one.at in s.board.spaces and seat_of(s, id) == theirs}
    return frozenset(space for space in places if space not in s.destroyed or holder_of(s, space) == theirs)


def distances(s: State, ends: frozenset[str]) -> Mapping[str, int]:
    """Movement points from every space to the nearest goal, enemies or not."""
    best: dict[str, int] = {}
    heap = [(0, space) for space in sorted(ends)]
    while heap:
        far, space = heappop(heap)
        if space in best:
            continue
        best[space] = far
        for link in s.board.links(space):
            if link.to not in best:
                heappush(heap, (far + (movement.cost(s, space, link.to) or 0), link.to))
    return best


def guess(s: State, seat: str, space: str, known: Known) -> int:
    """What defends a space, as far as can be seen."""
    total = combat.ground(s, space)
    for id in counters_at(s, space, foe(seat)):
        name = id if unit_of(s, id, known) is not None and not is_slot(id) else ""
        total += combat.strength(s, name, defending=True) if name else CLOSED
    leader = leader_at(s, space, foe(seat))
    return total + (leaders.value(s, leader) if leader is not None else 0)


def price(s: State, slot: str, known: Known) -> int:
    """How gladly a card is kept."""
    card = card_of(s, slot, known)
    return 3 if card is None else KEEP.get(card.kind, 3)


def cheapest(s: State, seat: str, known: Known) -> list[str]:
    """The hand, what is missed least first."""
    return sorted(s.cards[seat].hand, key=lambda slot: (price(s, slot, known), slot))


# --- actions ---


def act(s: State, seat: str, known: Known) -> Iterator[Order]:
    """An event, a landing, a formation, guns, a leader, a march; else pass."""
    yield from events.offers(s, seat, known)
    yield from _land(s, seat, known)
    yield from _formations(s, seat, known)
    if seat == JAPAN and len(s.cards[seat].hand) > 8:
        yield from list(artillery.offers(s, seat, known))[:1]
    if seat == BRITISH:
        yield from list(artillery.offers(s, seat, known))[:1]
        yield from _ships(s, seat, known)
    if seat == BRITISH and len(s.cards[seat].hand) > SPARE:
        yield from _rallies(s, seat, known)
    if len(s.cards[seat].hand) > 4:
        yield from _leads(s, seat, known)
    yield from _marches(s, seat, known)
    yield Pass()


def _land(s: State, seat: str, known: Known) -> Iterator[Order]:
    if seat == JAPAN and (s.fallen or s.board.setup.fall != "to come"):
        offers = list(landing.begin_offers(s, seat, known))
        weak = sorted(offers, key=lambda order: guess(s, seat, s.board.boxes[order.landings[0]].space, known))  # type: ignore[attr-defined]
        yield from weak[:1]


def _ships(s: State, seat: str, known: Known) -> Iterator[Order]:
    """From Kowloon to the Island, when Kowloon is nearly lost: dummies stay."""
    piers = [id for id, one in s.board.spaces.items() if "pier" in one.kinds and one.half == "kowloon"]
    if s.fallen or sum(not control.holds(s, seat, id) for id in piers) < AWAY:
        return
    for order in sea.offers(s, seat, known):
        if isinstance(order, Transport) and s.board.space(order.spaces[0]).half == "island":
            units = [id for id in order.stacks[0] if id in s.leaders or unit_of(s, id, known) is not None]
            if units == list(order.stacks[0]) and s.board.space(at(s, units[0])).half == "kowloon":
                yield order


def _formations(s: State, seat: str, known: Known) -> Iterator[Order]:
    """The formation with the most units that can still move, from five on; fewer for the British."""
    found: list[tuple[int, str]] = []
    for slot in s.cards[seat].hand:
        play = action.play_of(s, slot, known)
        if play is not None and play.do == "activate":
            ready = [
                id
                for id, one in s.counters.items()
                if (unit := unit_of(s, id, known)) is not None
                and unit.formation in play.formations
                and one.at in s.board.spaces
                and not one.spent
            ]
            found.append((len(ready), slot))
    found.sort(reverse=True)
    least = 4 if seat == JAPAN else 1
    for count, slot in found[:1]:
        if count >= least and (seat == JAPAN or _can_hit(s, seat, known)):
            yield Play(card=slot)


def _can_hit(s: State, seat: str, known: Known) -> bool:
    """Whether some stack is strong enough for an enemy beside it."""
    for stack in action.stacks_of(s, seat, known):
        value = sum(_fresh_value(s, id, known) for id in stack)
        here = at(s, stack[0])
        near = [to for to in s.board.adjacent(here) if holder_of(s, to) == foe(seat)]
        if any(value >= guess(s, seat, to, known) + EDGE[seat] for to in near):
            return True
    return False


def _fresh_value(s: State, id: str, known: Known) -> int:
    unit = unit_of(s, id, known)
    return 0 if unit is None or s.counters[id].disrupted else unit.front


def _leads(s: State, seat: str, known: Known) -> Iterator[Order]:
    """A leader for a stack of two that has an enemy near."""
    cards = cheapest(s, seat, known)
    for name, chief in s.leaders.items():
        if seat_of(s, name) != seat or chief.spent or not cards:
            continue
        for stack in action.stacks_of(s, seat, known):
            here = at(s, stack[0])
            strong = sum(_fresh_value(s, id, known) for id in stack) + leaders.value(s, name)
            near = [to for to in s.board.adjacent(here) if holder_of(s, to) == foe(seat)]
            if here == chief.at and any(strong >= guess(s, seat, to, known) + EDGE[seat] for to in near):
                yield Lead(leader=name, units=stack, card=cards[0])


def _rallies(s: State, seat: str, known: Known) -> Iterator[Order]:
    """A leader and a spare card put two disrupted units right, those first that the enemy is near."""
    cards = cheapest(s, seat, known)
    for name, chief in s.leaders.items():
        if seat_of(s, name) != seat or chief.spent or chief.at not in s.board.spaces or not cards:
            continue
        near = (chief.at, *s.board.adjacent(chief.at))
        hurt = [id for space in near for id in units_at(s, space, seat, known) if s.counters[id].disrupted]
        hurt.sort(key=lambda id: not _in_danger(s, at(s, id)))
        if len(hurt) >= s.board.game.rally_units:
            yield Rally(leader=name, card=cards[0], units=tuple(hurt[: s.board.game.rally_units]))


def _marches(s: State, seat: str, known: Known) -> Iterator[Order]:
    """Towards the nearest goal; the British only to what nobody holds: what they lost, and what is in danger."""
    ends = goals(s, seat)
    if seat == BRITISH:
        ends |= frozenset(space for space in s.board.spaces if control.special(s, space) and _in_danger(s, space))
        ends = frozenset(space for space in ends if holder_of(s, space) is None)
    far = distances(s, ends)
    for stack in action.stacks_of(s, seat, known):
        here = at(s, stack[0])
        if far.get(here, 99) == 0 or (seat == BRITISH and far.get(here, 99) > 4):
            continue
        guards = seat == BRITISH and (control.special(s, here) or here in s.forts)
        for path in _nearer(s, stack[0], 4, far):
            if guards:  # one at least stays
                yield from (March(stacks=(stack[:1],), paths=(path,)) for _ in stack[1:2])
                continue
            yield March(stacks=(stack,), paths=(path,))
            if len(stack) > 1:
                yield March(stacks=(stack[:1],), paths=(path,))


def _in_danger(s: State, space: str) -> bool:
    """Whether a Japanese unit stands at most two links away."""
    near = {space, *s.board.adjacent(space)}
    near |= {to for one in list(near) for to in s.board.adjacent(one)}
    return any(holder_of(s, one) == JAPAN for one in near)


def _nearer(s: State, id: str, points: int, far: Mapping[str, int], *, cheap: bool = False) -> list[tuple[str, ...]]:
    """Paths that end nearer to a goal, the nearest first."""
    now = far.get(at(s, id), 99)
    found = movement.reach(s, id, points, cheap=cheap)
    better = [(far.get(space, 99), path) for space, (_, path) in found.items() if far.get(space, 99) < now]
    return [path for _, path in sorted(better)[:3]]


def activate(s: State, seat: str, known: Known) -> Iterator[Order]:
    """Attack where the odds are good, else move up, else done."""
    f = s.top()
    if not isinstance(f, Action):
        return
    yield from _attacks(s, f, known)
    far = distances(s, goals(s, seat))
    for id in action.activated(s, f, known):
        left = movement.allowance(s, id) - f.used.get(id, 0)
        if id in s.counters:
            for path in _nearer(s, id, left, far, cheap=f.cheap):
                yield Move(stacks=((id,),), paths=(path,))
    yield Done()


def _attacks(s: State, f: Action, known: Known) -> Iterator[Attack]:
    """Attacks with all that can join, the surest first."""
    found: list[tuple[int, Attack]] = []
    for order in attack.offers(s, f, known):
        main = at(s, order.main[0])
        second = []
        for space in s.board.adjacent(order.space):
            if space == main:
                continue
            able = [
                id for id in counters_at(s, space, f.seat) if _fresh_value(s, id, known) and not s.counters[id].spent
            ]
            able = [id for id in able if id not in f.fought]
            second += sorted(able, key=lambda id: -_fresh_value(s, id, known))[:1]
        value = sum(_fresh_value(s, id, known) for id in (*order.main, *second))
        value += sum(leaders.value(s, name) for name in order.leaders)
        margin = value - guess(s, f.seat, order.space, known)
        if margin >= EDGE[f.seat]:
            joined = order.model_copy(update={"second": tuple(second)})
            found += [(margin, joined), (margin - 100, order)]
    found.sort(key=lambda one: -one[0])
    yield from (order for _, order in found)


# --- answers ---


def support(s: State, seat: str, known: Known) -> Iterator[Order]:
    """As many different cards as help, up to three, where the combat is open; those for a combat only."""
    f = s.top()
    chosen: tuple[str, ...] = ()
    if isinstance(f, Combat) and abs(f.totals[0] - f.totals[1]) <= OPEN:
        for slot in reversed(cheapest(s, seat, known)):
            card = card_of(s, slot, known)
            play = None if card is None else s.board.play(card.id, "combat")
            if play is None or play.do == "banzai" or len(chosen) == 3:
                continue
            wider = Support(cards=(*chosen, slot))
            if not isinstance(judging.refuse(s, seat, wider, known), Illegal):
                chosen = wider.cards
    yield Support(cards=chosen)


def take_hits(s: State, seat: str, known: Known) -> Iterator[Order]:
    """Without losses if that can be: a place that counts is held, others are left."""
    f = s.top()
    if isinstance(f, Combat | Shelling):
        hold = seat != f.seat and (control.special(s, f.space) or f.space in s.forts)
        yield from triggers.preferred(s, f, seat, StandingHits(way="disrupt" if hold else "retreat"), known)
    yield from menus.offers(s, seat, known)


def advance(s: State, seat: str, known: Known) -> Iterator[Order]:
    """Two where they can, then one."""
    return (order for order in menus.offers(s, seat, known) if isinstance(order, Advance))


def react(s: State, seat: str, known: Known) -> Iterator[Order]:
    """Whatever hurts a landing or saves a battery; a road is blown up where it is in the way of a formation."""
    for order in menus.offers(s, seat, known):
        if isinstance(order, React) and (not order.road or _in_the_way(s, seat, order.road)):
            yield order
    yield NoReaction()


def _in_the_way(s: State, seat: str, road: Sequence[str]) -> bool:
    """Whether a formation is to move and the enemy stands at one end of the road, own troops at the other."""
    announced = [one for one in s.frames if isinstance(one, Action)]
    holders = {holder_of(s, end) for end in road}
    return bool(announced) and announced[-1].how == "formation" and holders == {seat, foe(seat)}


def wave(s: State, seat: str, known: Known) -> Iterator[Order]:
    """The two strongest, with the leader."""
    return (order for order in menus.offers(s, seat, known) if isinstance(order, Wave))


def give_back(s: State, seat: str, known: Known) -> Iterator[Order]:
    """What is missed least goes back."""
    count = s.board.setup.japanese_back if seat == JAPAN else s.board.setup.british_back
    yield GiveBack(cards=tuple(cheapest(s, seat, known)[:count]))


def discard(s: State, seat: str, known: Known) -> Iterator[Order]:
    """So do cards over the limit."""
    first = next((order for order in menus.offers(s, seat, known) if isinstance(order, Discard)), None)
    if first is not None:
        yield Discard(cards=tuple(cheapest(s, seat, known)[: len(first.cards)]))


Opinion = Callable[[State, str, Known], Iterator[Order]]
OPINIONS: Mapping[str, Opinion] = {
    "act": act,
    "activate": activate,
    "support": support,
    "take_hits": take_hits,
    "advance": advance,
    "react": react,
    "wave": wave,
    "return_cards": give_back,
    "discard": discard,
}
