"""Slots in and out: what is sealed, what is opened, and what that makes of cards and counters. [R13]"""

from __future__ import annotations

from pbem.api import Ask, Commit, Illegal, Known, Note, Opened, OpenSlots, Order, Roll, Sealed, Tell
from rules.glory_recalled import action, cards, combat, events, fall, sea, support
from rules.glory_recalled.frames import Combat
from rules.glory_recalled.orders import (
    Attack,
    Block,
    Bombard,
    Disrupt,
    Event,
    Land,
    March,
    Move,
    Play,
    React,
    Reveal,
    Shell,
    SortDeck,
    Support,
    TakeCard,
    Transport,
    renamed,
)
from rules.glory_recalled.standing import StandingCards, StandingReact
from rules.glory_recalled.state import BRITISH, Frame, State, is_slot, seat_of

Waiting = tuple[Ask | Roll, ...]
"""What the position waits for."""


def refuse_seal(s: State, waiting: Waiting, seat: str, act: Sealed) -> Illegal | None:
    """What is asked to be sealed; a choice is judged when it is opened."""
    for one in waiting:
        if isinstance(one, Ask) and one.seat == seat and wanted(one, act):
            return None
    if act.replaces and (cards.zone(s, seat, act.replaces) or alike(s, act.replaces)):
        return None
    return Illegal("slots are sealed anew where they lie together: cards of one pile, counters of one space", ("R13",))


def wanted(ask: Ask, act: Sealed) -> bool:
    """Whether a seal is the one that is asked for."""
    if act.what == "choice":
        return bool(ask.secret)
    commit = ask.client
    return (
        isinstance(commit, Commit)
        and act.name == f"{ask.seat}-{commit.name}"
        and act.replaces == commit.replaces
        and len(act.slots) == commit.count
    )


def alike(s: State, slots: tuple[str, ...]) -> bool:
    """Whether these are closed counters of one space with the same markers."""
    there = [s.counters[slot] for slot in slots if slot in s.counters]
    named = any(slot in str(frame) for slot in slots for frame in s.frames)
    shipped = len({slot in s.shipped for slot in slots})
    return not named and shipped == 1 and len(there) == len(slots) and all(one == there[0] for one in there)


def refuse_opening(s: State, waiting: Waiting, seat: str, act: Opened, known: Known) -> Illegal | None:
    """A list of cards, the cards on it, or counters: all are judged by what they turn out to be."""
    top = s.top()
    if act.order is not None and not asks_to_open(waiting):
        return Illegal("the list is opened when both have chosen", ("9.1-n3", "9.4-b6"))
    if isinstance(top, Combat) and isinstance(act.order, Support):
        return support.refuse(s, top, seat, act.order.cards, known, closed=True)
    if isinstance(top, Combat) and top.step == "cards":
        return support.refuse(s, top, seat, top.defence_cards, {**known, **dict(act.items)})
    for slot, content in act.items:
        if slot in s.counters and content not in s.board.units and content not in s.board.dummies:
            return Illegal(f"no counter is {content}", ("3.11a",))
    return None


def refuse_reveal(s: State, waiting: Waiting, seat: str, order: Reveal) -> Illegal | None:
    """The British may open counters and take dummies away at any time that is theirs. [12.0-b4]"""
    if seat != BRITISH or not any(isinstance(one, Ask) and one.seat == seat for one in waiting):
        return Illegal("it is not the time to open counters", ("12.0-b4",))
    for id in order.units:
        if id in s.names.values():
            continue  # opened just now, with this order
        if id not in s.counters or seat_of(s, id) != BRITISH or not (is_slot(id) or id in s.board.dummies):
            return Illegal(f"{id} is no closed counter of yours", ("12.0-b4",))
    if len(set(order.units)) != len(order.units):
        return Illegal("a counter is named twice", ("12.0-b4",))
    return None


def asks_to_open(waiting: Waiting) -> bool:
    """Whether an opening is what the position waits for; else it comes with an order."""
    return any(isinstance(one, Ask) and isinstance(one.client, OpenSlots) for one in waiting)


def opened(s: State, step: Opened, tell: Tell) -> None:
    """Cards are known; counters become what they are, dummies are gone. [12.0-b3]"""
    cards.opened(s, step.items)
    s.names = {}
    for slot, content in step.items:
        if slot in s.counters:
            s.names[slot] = str(content)
            turn_over(s, slot, str(content), tell)
    top = s.top()
    if isinstance(top, Combat):
        combat.take(s, top, step, tell)


def turn_over(s: State, slot: str, content: str, tell: Tell) -> None:
    """A closed counter is opened: a unit keeps its place and markers, a dummy leaves the map."""
    counter = s.counters.pop(slot)
    told = {"unit": content, "place": s.board.name(counter.at)}
    if content in s.board.units:
        s.counters[content] = counter
        tell(Note("counter.unit", told, ("12.0-b3",)))
    else:
        tell(Note("counter.dummy", told, ("12.0-b3", "12.0-b4")))
    s.shipped = tuple(content if id == slot else id for id in s.shipped)
    s.standing = tuple((seat, renamed(order, {slot: content})) for seat, order in s.standing)
    for frame in s.frames:
        rename(frame, slot, content)


def rename(f: Frame, old: str, new: str) -> None:
    """A frame that names the slot names the counter from now on."""
    for name in type(f).__dataclass_fields__:
        value = getattr(f, name)
        if isinstance(value, tuple):
            setattr(f, name, tuple(_new(one, old, new) for one in value))
        elif isinstance(value, dict):
            setattr(f, name, {_new(key, old, new): one for key, one in value.items()})


def _new(one: object, old: str, new: str) -> object:
    if isinstance(one, tuple):
        return tuple(_new(part, old, new) for part in one)
    return new if one == old else one


def sealed(s: State, waiting: Waiting, step: Sealed, tell: Tell) -> None:
    """A deck, the counters, or the list of a combat."""
    top = s.top()
    if step.what == "choice":
        if isinstance(top, Combat):
            combat.take(s, top, step, tell)
        return
    asked = [one for one in waiting if isinstance(one, Ask) and one.seat == step.seat]
    if step.replaces and not any(wanted(one, step) for one in asked):
        sealed_anew(s, step)
        return
    if step.name == f"{step.seat}-deck":
        cards.shuffled(s, step.seat, step.slots, step.replaces, tell)
        if s.phase == "fall":
            fall.renewed(s, step.seat)
        return
    s.unplaced = (*s.unplaced, *step.slots)


def sealed_anew(s: State, step: Sealed) -> None:
    """The same cards or counters in the same place under new slots."""
    zone = cards.zone(s, step.seat, step.replaces)
    if zone:
        cards.replace(s, step.seat, zone, step.replaces, step.slots)
        return
    old = [s.counters.pop(slot) for slot in step.replaces]
    s.counters.update(zip(step.slots, old, strict=True))
    new = dict(zip(step.replaces, step.slots, strict=True))
    s.shipped = tuple(new.get(id, id) for id in s.shipped)


def reveal(s: State, order: Reveal, tell: Tell) -> None:
    """Units that were opened stay; dummies that lie open go."""
    for id in order.units:
        if id in s.board.dummies and id in s.counters:
            turn_over(s, id, id, tell)


def opens(s: State, seat: str, order: Order, known: Known) -> tuple[str, ...]:
    """The own slots that an order opens: the card it plays, the counters it must show."""
    order = renamed(order, s.names)
    found: list[str] = []
    if isinstance(order, Play | Transport | Land | Bombard | Shell | Event | React):
        found.append(order.card)
    if isinstance(order, SortDeck):
        found += [*order.aside, *order.taken]
    if isinstance(order, TakeCard | StandingReact):
        found.append(order.card)
    if isinstance(order, StandingCards):
        found += order.cards
    if isinstance(order, Support) and isinstance(s.top(), Combat):
        found += order.cards
    if isinstance(order, Reveal | Block | Disrupt):
        found += [id for id in order.units if is_slot(id)]
    if isinstance(order, Attack | Move | March):
        found += action.to_open(s, seat, order, known)
    if isinstance(order, Transport):
        found += sea.to_open(s, seat, order, known)
    if isinstance(order, Event):
        found += events.to_open(s, order, known)
    return tuple(dict.fromkeys(slot for slot in found if slot not in s.opened and slot.startswith(f"{seat}-")))
