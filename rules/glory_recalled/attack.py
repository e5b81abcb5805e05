"""Declaring an attack out of an action: who takes part, what it costs. [9.0, 9.1-n1, 9.3]"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Illegal, Known, Tell
from rules.glory_recalled import action, cards, combat, movement
from rules.glory_recalled.frames import Action, Combat
from rules.glory_recalled.movement import at
from rules.glory_recalled.orders import Attack
from rules.glory_recalled.state import State, foe, holder_of, seat_of, unit_of


def refuse(s: State, f: Action, order: Attack, known: Known) -> Illegal | None:
    """A main stack, other stacks, leaders, and cards under option 9.3d. [9.0a, 9.1, 9.3]"""
    target, game = order.space, s.board.game
    if target not in s.board.spaces or holder_of(s, target) != foe(f.seat):
        return Illegal(f"no enemy holds {target}", ("9.0a",))
    every = (*order.main, *order.second)
    if len(set(every)) != len(every):
        return Illegal("a unit is named twice", ("9.1-n1a",))
    if len(order.main) > game.main_units:
        return Illegal("at most two units attack in the main force", ("9.1-n1a",))
    for id in every:
        wrong = _refuse_attacker(s, f, id, target, known, main=id in order.main)
        if wrong is not None:
            return wrong
    if len({at(s, id) for id in order.main}) > 1:
        return Illegal("the main force is one stack", ("9.1-n1a",))
    places = [at(s, id) for id in order.second]
    if len(set(places)) != len(places) or at(s, order.main[0]) in places:
        return Illegal("one unit attacks from each other stack", ("9.1-n1b", "9.3a"))
    return _refuse_companions(s, f, order) or _refuse_paying(s, f, order, known)


def _refuse_attacker(s: State, f: Action, id: str, target: str, known: Known, *, main: bool) -> Illegal | None:
    if id in f.fought:
        return Illegal(f"{id} has attacked", ("9.0b",))
    if id in s.leaders or id not in s.counters or seat_of(s, id) != f.seat or at(s, id) not in s.board.spaces:
        return Illegal(f"{id} is no unit of yours on the map", ("9.1-n1a",))
    if s.counters[id].disrupted:
        return Illegal(f"{id} is disrupted", ("9.7-b2",))
    if s.counters[id].spent:
        return Illegal(f"{id} is spent", ("9.0c", "6.0b", "9.3b"))
    if not s.board.way(at(s, id), target):
        return Illegal(f"{at(s, id)} is not next to {target}", ("9.3a", "R10"))
    if unit_of(s, id, known) is None:
        return Illegal(f"{id} is no unit that is shown", ("9.1-n1a", "12.0-b1"))
    active = action.may_act(s, f, id, known)
    if active is not None:  # [9.3b, R11]: others may join as secondary attackers
        return active if main else None
    left = movement.allowance(s, id) - f.used.get(id, 0)
    need = (movement.cost(s, at(s, id), target, cheap=f.cheap) or 0) + s.board.game.attack_cost  # [7.2-b3]
    if need > left:
        return Illegal(f"{id} has {left} MP left, the attack costs {need}", ("7.2-b3", "9.0a"))
    return None


def _refuse_companions(s: State, f: Action, order: Attack) -> Illegal | None:
    """Leaders who add their value are fresh and stand with an attacker. [R9]"""
    places = {at(s, id) for id in (*order.main, *order.second)}
    for name in order.leaders:
        if name not in s.leaders or seat_of(s, name) != f.seat or at(s, name) not in places:
            return Illegal(f"{name} is not with an attacking unit", ("R9", "9.1-n1c"))
        if s.leaders[name].spent:
            return Illegal(f"{name} is spent", ("11.0-b3", "R9"))
    return None


def _refuse_paying(s: State, f: Action, order: Attack, known: Known) -> Illegal | None:
    """Option: a card for each unit that was not activated and is of another battalion than the main force. [9.3d]"""
    owed = 0
    if s.options.get("opt_9_3d") == "on":
        battalions = {unit.battalion for id in order.main if (unit := unit_of(s, id, known)) is not None}
        for id in order.second:
            unit = unit_of(s, id, known)
            if action.may_act(s, f, id, known) is not None and unit is not None and unit.battalion not in battalions:
                owed += 1
    if len(order.paying) != owed or len(set(order.paying)) != owed:
        return Illegal(f"this attack is paid with {owed} cards", ("9.3d", "R51"))
    for slot in order.paying:
        wrong = cards.refuse_held(s, f.seat, slot, known, closed=True)
        if wrong is not None:
            return wrong
    return None


def begin(s: State, f: Action, order: Attack, tell: Tell) -> None:
    """The combat begins; whoever takes part does nothing more in this action. [9.0b, 9.0d, R12]"""
    cards.discard(s, f.seat, order.paying)
    f.fought = (*f.fought, *order.main, *order.second)  # [9.0d]: moves before and other attacks after it are free
    combat.begin(
        s,
        Combat(
            "reveal",
            f.seat,
            order.space,
            "",
            order.main,
            order.second,
            order.leaders,
            bonus=f.bonus if f.how == "counter" else 0,
        ),
        tell,
    )


def offers(s: State, f: Action, known: Known) -> Iterator[Attack]:
    """Attacks of one stack, with the leader that stands there."""
    able: dict[str, list[str]] = {}
    for id in action.activated(s, f, known):
        if id in s.counters and not s.counters[id].disrupted:
            able.setdefault(at(s, id), []).append(id)
    for space in sorted(able):
        with_him = tuple(
            name
            for name, chief in s.leaders.items()
            if chief.at == space and seat_of(s, name) == f.seat and not chief.spent
        )
        for target in s.board.adjacent(space):
            if holder_of(s, target) != foe(f.seat):
                continue
            for main in (tuple(able[space][:2]), *((id,) for id in able[space] if len(able[space]) > 1)):
                order = Attack(space=target, main=main, leaders=with_him)
                if not isinstance(refuse(s, f, order, known), Illegal):
                    yield order
