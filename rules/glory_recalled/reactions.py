"""Green cards: played in the enemy's action, after it is announced and before anything of it happens. [14.0-b5]

A window opens by public facts alone: when a card that answers this kind of action can be in the hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from pbem.api import Ask, Illegal, Known, Note, Order, Tell
from rules.glory_recalled import cards, control
from rules.glory_recalled.components import Play
from rules.glory_recalled.frames import Action, Bombardment, Convoy, Landing, Window
from rules.glory_recalled.orders import NoReaction, React
from rules.glory_recalled.state import JAPAN, State, card_of, counters_at, foe, hand


def open_window(s: State, seat: str, kind: str) -> None:
    """The opponent of `seat` may react, if any card of his could. [R28]: one window an action."""
    other = foe(seat)
    if any(kind in play.trigger and cards.may_hold(s, other, card) for card, play in s.board.reactions):
        s.frames.append(Window(kind, other))


def waits(s: State, f: Window) -> tuple[Ask, ...]:
    return (Ask(f.seat, "react", "14.0-b5", window=f.step),)


def refuse(s: State, f: Window | None, seat: str, order: React, known: Known) -> Illegal | None:
    """A green card that answers this, and what it aims at."""
    wrong = cards.refuse_held(s, seat, order.card, known)
    if wrong is not None:
        return wrong
    card = card_of(s, order.card, known)
    play = None if card is None else s.board.play(card.id, "react")
    if card is None or play is None:
        return Illegal("this card is no reaction", ("14.0-b5",))
    if f is None or seat != f.seat or f.step not in play.trigger:
        return Illegal(f"{card.name} answers something else: {', '.join(play.trigger)}", ("15.0-b3",))
    if card.kind == "event" and seat in s.events:
        return Illegal("one event a round", ("15.0-b2", "R27"))
    return _refuse_aim(s, play, order)


def _refuse_aim(s: State, play: Play, order: React) -> Illegal | None:
    if (bool(order.road) != (play.do == "demolitions")) or (order.box is not None and play.do == "demolitions"):
        return Illegal("demolitions name a road, nothing else does", ("15.0-b1",), "react CARD road K01-K04")
    if play.do == "demolitions":
        return _refuse_road(s, order.road)
    below = under(s)
    if play.do == "stop_bombardment" or isinstance(below, Convoy):
        return None if order.box is None else Illegal("there is no box to name", ("15.0-b1",))
    boxes = below.boxes if isinstance(below, Landing) else ()
    if order.box not in boxes:
        return Illegal("name one of the landing boxes that are used", ("15.0-b1",), f"boxes: {', '.join(boxes)}")
    return None


def _refuse_road(s: State, road: tuple[str, ...]) -> Illegal | None:
    if len(road) != 2 or not set(road) <= set(s.board.spaces) or s.board.way(road[0], road[1]) != "road":
        return Illegal("name the two ends of a major road", ("15.0-b1",))
    if not any(british(s, end) for end in road):
        return Illegal("no end of that road is British", ("15.0-b1", "3.11c"))
    return None


def british(s: State, space: str) -> bool:
    """Whether a space counts as British: not brown, no Japanese there, not taken. [3.11c]"""
    if s.board.space(space).brown or counters_at(s, space, JAPAN):
        return False
    return not control.special(s, space) or control.holds(s, "british", space)


def under(s: State) -> object:
    """What was announced: the procedure below the window."""
    return s.frames[-2] if len(s.frames) > 1 else None


def close(s: State, f: Window) -> None:
    """Nobody reacts: it happens."""
    s.frames.remove(f)


def react(s: State, f: Window, order: React, tell: Tell) -> None:
    """The card does what it says to the action below."""
    card = s.board.cards[s.opened[order.card]]
    play = s.board.play(card.id, "react")
    assert play is not None
    below = under(s)
    cards.discard(s, f.seat, (order.card,))
    if card.kind == "event":
        s.events = tuple(sorted({*s.events, f.seat}))
    tell(Note("reaction", {"side": control.side(f.seat), "card": card.name}, ("14.0-b5", "15.0-b3")))
    close(s, f)
    match play.do:
        case "demolitions":
            a, b = sorted(order.road)
            s.effects = tuple(sorted({*s.effects, f"demolitions:{a}-{b}"}))
            tell(Note("road.cut", {"from": s.board.name(a), "to": s.board.name(b)}, ("R28",)))
            if isinstance(below, Action) and below.how == "march" and _passes(below, (a, b)):
                below.step = "again"
        case "stop_bombardment":
            if isinstance(below, Bombardment):
                below.step = "flak"
        case "searchlights":
            if isinstance(below, Landing):
                below.dim = order.box or ""
        case "torpedo":
            if isinstance(below, Landing):
                below.step, below.hurt = "torpedo", order.box or ""
            elif isinstance(below, Convoy):
                below.step = "torpedo"


def _passes(f: Action, road: tuple[str, str]) -> bool:
    return any(set(step) == set(road) for _, *path in f.plan for step in pairwise(path))


def offers(s: State, f: Window, known: Known) -> Iterator[Order]:
    """Declining, and each card with its aims."""
    yield NoReaction()
    below = under(s)
    for slot, card in hand(s, f.seat, known):
        play = s.board.play(card.id, "react")
        if play is None:
            continue
        tries: list[React] = [React(card=slot)]
        if isinstance(below, Landing):
            tries += [React(card=slot, box=box) for box in below.boxes]
        if play.do == "demolitions":
            tries += [
                React(card=slot, road=(space, link.to))
                for space in s.board.spaces
                for link in s.board.links(space)
                if link.way == "road" and space < link.to
            ]
        yield from (order for order in tries if refuse(s, f, f.seat, order, known) is None)
