"""Chance orders, and a plain bot: `bot_aims` is what it looks at, `bot_japan` and `bot_allies` are how it marches,
`bot_battle` is how it fights. It sees what its seat may see: all that a state holds is open to both.

Every answer is an order of the step that is asked, or `done`; who has marched or fired is not asked again, so that
a step always comes to its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING

from pbem.api import Ask, Known, Order
from rules.tiger_of_malaya import air, bot_aims, bot_allies, bot_battle, bot_japan, drafts, menus, sequence, works
from rules.tiger_of_malaya.orders import Base, Chits, Done, Harass, Play, Recover
from rules.tiger_of_malaya.state import ALLIES, JAPAN, State, occupied, of

if TYPE_CHECKING:
    import random


def sample(s: State, ask: Ask, known: Known, rng: random.Random) -> Order:
    """Any offer, over more often than not once a step drags on."""
    if rng.randrange(10) < 3 and sequence.refuse(s, ask.seat, Done(), known) is None:
        return Done()
    if ask.what == "move":
        own = [id for id, _ in of(s, ask.seat)]
        for id in rng.sample(own, min(6, len(own))):
            for march in menus.marches(s, id):
                if sequence.refuse(s, ask.seat, march, known) is None:
                    return march
    return rng.choice(list(islice(menus.offers(s, ask.seat, known), 30)))


# --- the bot ---

CHITS = {
    JAPAN: ("full", "choice", "attack", "move", "half"),
    ALLIES: ("full", "choice", "move", "half", "attack"),
}
"""Which chits a side likes best: the Allies must get away before they fight."""


def advise(s: State, ask: Ask, known: Known) -> Order:
    """A sensible answer: the first order worth giving that is accepted, else the first that there is."""
    seat = ask.seat
    for order in chain(wanted(s, seat, ask.what), (Done(),)):
        if sequence.refuse(s, seat, order, known) is None:
            return order
    return next(iter(menus.offers(s, seat, known)))


def wanted(s: State, seat: str, what: str) -> Iterable[Order]:
    """Orders worth giving, the best first."""
    match what:
        case "choose_chits":
            return (Chits(chits=menus.hand(s, seat, CHITS[JAPAN if seat == JAPAN else ALLIES])),)
        case "play_to":
            return (play(s, seat), Play(how="move"))
        case "prepare":
            return prepare(s, seat)
        case "move":
            return bot_japan.orders(s) if seat == JAPAN else bot_allies.orders(s)
        case "bombard":
            return (bot_battle.bombard(s, seat),)
        case "declare":
            found = bot_battle.attack(s, seat)
            return (found,) if found is not None else ()
        case "support":
            return (bot_battle.support(s, seat),)
        case "react":
            return (bot_battle.react(s, seat),)
        case "lose":
            return (bot_battle.lose(s, s.losses[0]),)
        case "stand_or_retreat":
            return (bot_battle.answer(s, seat),)
        case "advance":
            return (bot_battle.advance(s, seat),)
        case "discard":
            return menus.discards(s, seat)
        case "finish":
            return chain(menus.discards(s, seat), bot_japan.repairs(s) if seat == JAPAN else bot_allies.forts(s))
        case "base_aircraft":
            return bases(s)
        case "garrison":
            return islice(menus.offers(s, seat, {}), 1, 2)
    return ()


def play(s: State, seat: str) -> Play:
    """To attack where that is worth it, half a chance only counted half; the Allies see to those in danger first."""
    eye = bot_allies.Line(s, ALLIES)
    danger = seat == ALLIES and any(eye.in_danger(piece.at) for _, piece in of(s, seat))
    found = bot_battle.best_attack(s, seat)
    worth = found[0] if found is not None else 0
    return Play(how="attack" if worth >= EAGER * (2 if s.chit == "half" else 1) and not danger else "move")


EAGER = 3
"""What the best attack must be worth so that a CHOICE chit is played to attack."""


def prepare(s: State, seat: str) -> Iterator[Order]:
    """Bridges, replacements, guns that recover, an aircraft over the way back of the enemy."""
    if seat == ALLIES:
        yield from bot_allies.demolitions(s)
    yield from drafts.offers(s, seat)
    recover = (order for order in works.offers(s, seat, "prepare") if isinstance(order, Recover))
    units = tuple(id for order in recover for id in order.units if "recovering" not in s.pieces[id].marks)
    if units:
        yield Recover(units=units)
    if seat == JAPAN:
        yield from harass(s)


def harass(s: State) -> Iterator[Harass]:
    """The least of several aircraft over the road behind an Allied stack, where none is yet."""
    planes = air.ready(s)
    if len(planes) < 2 or air.over(s):
        return
    plane = min(planes, key=lambda plane: (s.board.aircraft[plane].modifier, plane))
    for hex in sorted(bot_aims.Eye(s, JAPAN).touched):
        way = bot_aims.way_home(s.board, hex)[1:2]
        yield from (Harass(hex=there, plane=plane) for there in way if air.in_range(s, plane, there))


def bases(s: State) -> Iterator[Base]:
    """Aircraft without an airfield to those nearest the enemy."""
    foes = occupied(s, ALLIES)
    near = sorted(air.bases(s), key=lambda one: (s.board.grid.nearest(one[1], foes) or 0, one))
    yield from (Base(plane=plane, hex=hex) for plane, hex in near if plane not in s.bases)
