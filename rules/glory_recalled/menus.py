"""Menus: orders that may be given now, some of them where there are many."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from pbem.api import Ask, Illegal, Known, Order
from rules.glory_recalled import (
    action,
    artillery,
    attack,
    combat,
    events,
    fall,
    judging,
    landing,
    leaders,
    leading,
    reactions,
    recover,
    sea,
    sequence,
    setup,
    triggers,
)
from rules.glory_recalled.frames import Action, Combat, Convoy, Homeless, Landing, Shelling, Window
from rules.glory_recalled.orders import Disrupt, Pass
from rules.glory_recalled.state import State


def offers(s: State, seat: str, known: Known) -> Iterator[Order]:
    """Orders for the seat's question."""
    asked = next((one for one in sequence.pending(s) if isinstance(one, Ask) and one.seat == seat), None)
    if asked is None:
        return
    every = chain(candidates(s, seat, known), triggers.offers(s, seat))
    yield from (order for order in every if not isinstance(judging.refuse(s, seat, order, known), Illegal))


def candidates(s: State, seat: str, known: Known) -> Iterator[Order]:
    """What might be ordered; `offers` keeps what is not refused."""
    top = s.top()
    match top:
        case Action():
            yield from action.offers(s, top, known)
            if top.step == "act":
                yield from attack.offers(s, top, known)
                yield from events.offers(s, seat, known)
        case Window():
            yield from reactions.offers(s, top, known)
        case Combat():
            yield from combat.offers(s, top, seat, known)
        case Homeless():
            yield from leaders.offers(s, top)
        case Landing():
            yield from landing.offers(s, top, known)
        case Convoy():
            yield Disrupt(units=sea.victims(s, list(top.goes))[:2])
        case Shelling():
            yield from artillery.shelling_offers(s, top, known)
        case None if s.phase == "setup":
            yield from setup.offers(s, seat, known)
        case None if s.phase == "fall":
            yield from fall.offers(s, seat, known)
        case None if s.phase == "recover":
            yield from recover.offers(s, seat, known)
        case None:
            yield Pass()
            yield from action.begin_offers(s, seat, known)
            yield from leading.offers(s, seat, known)
            yield from sea.offers(s, seat, known)
            yield from landing.begin_offers(s, seat, known)
            yield from artillery.offers(s, seat, known)
            yield from events.offers(s, seat, known)
