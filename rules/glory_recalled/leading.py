"""What a leader does for a card laid face-down: he leads a stack, or rallies. [5.1-n2, 5.1-n3]"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Illegal, Known, Note, Order, Owes, Tell
from rules.glory_recalled import action, cards, leaders, movement
from rules.glory_recalled.frames import Action
from rules.glory_recalled.movement import at, listed
from rules.glory_recalled.orders import Lead, Rally
from rules.glory_recalled.state import State, seat_of, trace


def refuse_lead(s: State, seat: str, order: Lead, known: Known) -> Illegal | Owes | None:
    """A fresh leader and one fresh stack near him, for any card. [5.1-n2, 6.0-b2]"""
    wrong = _refuse_leader(s, seat, order.leader, "5.1-n2") or cards.refuse_held(
        s, seat, order.card, known, closed=True
    )
    if wrong is not None:
        return wrong
    verdict = action.refuse_stack(s, seat, order.units, known)
    if isinstance(verdict, Illegal):
        return verdict
    if not leaders.near(s, order.leader, at(s, order.units[0])):
        return Illegal(f"{at(s, order.units[0])} is more than one space from {order.leader}", ("6.0-b2", "R6"))
    return verdict


def _refuse_leader(s: State, seat: str, name: str, clause: str) -> Illegal | None:
    if name not in s.leaders or seat_of(s, name) != seat or s.leaders[name].at not in s.board.spaces:
        return Illegal(f"{name} is no leader of yours on the map", (clause,))
    if s.leaders[name].spent:
        return Illegal(f"{name} is spent", (clause, "11.0-b9", "11.0-b2"))
    return None


def lead(s: State, seat: str, order: Lead, tell: Tell) -> None:
    """A card face-down. [15.0-b4, R50]"""
    cards.discard(s, seat, (order.card,))  # [15.0-b4]: any card will do
    told = {"leader": order.leader, "units": listed(s, order.units)}
    tell(Note("leader.leads", told, ("5.1-n2", "6.0-b2")))
    frame = Action("act", seat, "leader", leader=order.leader, units=tuple(order.units))
    frame.cheap = action.use_up(s, f"infiltration:{seat}")
    s.frames.append(frame)


def refuse_rally(s: State, seat: str, order: Rally, known: Known) -> Illegal | Owes | None:
    """The leader moves, then two disrupted units near him recover. [5.1-n3, 9.7-b4, R5]"""
    wrong = _refuse_leader(s, seat, order.leader, "5.1-n3") or cards.refuse_held(
        s, seat, order.card, known, closed=True
    )
    if wrong is not None:
        return wrong
    here = order.path[-1] if order.path else at(s, order.leader)
    if order.path:
        left = {order.leader: movement.allowance(s, order.leader)}
        bad = movement.refuse_moves(s, seat, {order.leader: order.path}, left, known, cheap=False, why="7.1-b3")
        if bad is not None:
            return bad
    if len(set(order.units)) != len(order.units) or len(order.units) > s.board.game.rally_units:
        return Illegal("two units are rallied by a card", ("9.7-b4",))
    for id in order.units:
        if id not in s.counters or seat_of(s, id) != seat or not s.counters[id].disrupted:
            return Illegal(f"{id} is no disrupted unit of yours", ("9.7-b4", "5.1-n3"))
        if at(s, id) != here and at(s, id) not in s.board.adjacent(here):
            return Illegal(f"{id} is more than one space from {order.leader}", ("5.1-n3", "11.0-b9"))
    return None


def rally(s: State, seat: str, order: Rally, tell: Tell) -> None:
    """He stays fresh; spent or not, they turn to their fronts. [R5]"""
    cards.discard(s, seat, (order.card,))
    if order.path:
        trace(s, seat, "move", order.path)
        movement.place(s, order.leader, order.path[-1])
    told = {"leader": order.leader, "place": s.board.name(at(s, order.leader)), "units": listed(s, order.units) or "-"}
    tell(Note("leader.rallies", told, ("5.1-n3", "9.7-b4")))
    for id in order.units:
        s.counters[id].disrupted = False


def offers(s: State, seat: str, known: Known) -> Iterator[Order]:
    """Each leader with two stacks near him, and who could be rallied, for the last card of the hand."""
    if not s.cards[seat].hand:
        return
    stacks = list(action.stacks_of(s, seat, known))
    card = s.cards[seat].hand[-1]
    for name in s.leaders:
        if _refuse_leader(s, seat, name, "5.1-n2") is not None:
            continue
        near = [stack for stack in stacks if leaders.near(s, name, at(s, stack[0]))]
        yield from (Lead(leader=name, units=stack, card=card) for stack in near[:2])
        own = [id for id, one in s.counters.items() if one.disrupted and seat_of(s, id) == seat]
        hurt = [id for id in own if leaders.near(s, name, at(s, id))]
        if hurt:
            yield Rally(leader=name, card=card, units=tuple(hurt[: s.board.game.rally_units]))
