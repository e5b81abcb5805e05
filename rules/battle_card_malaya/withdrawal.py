"""Step 1, Allied withdrawal: one unit may leave a Location that it shares with a Japanese unit."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Ask, Illegal, Note, Order, Tell
from rules.battle_card_malaya import victory
from rules.battle_card_malaya.orders import NoWithdrawal, Withdraw
from rules.battle_card_malaya.state import ALLIES, Move, State, Told, road_of, shared


def begin(s: State) -> None:
    """Where no Location is shared nobody withdraws, and last turn's moves are history."""
    if not shared(s):
        s.moved = ()


def waits(s: State) -> tuple[Ask, ...]:
    """The Allies may withdraw where a Location is shared; where none is, the step passes by itself."""
    return (Ask(ALLIES, "withdraw", "BC-3.1.1"),) if shared(s) else ()


def offers(s: State) -> Iterator[Order]:
    """Staying, and every way of withdrawing. A fork needs the name of the space."""
    yield NoWithdrawal()
    for location in shared(s):
        ways = s.card.ways(location)
        for to in ways:
            yield Withdraw(location=location, to=to if len(ways) > 1 else None)


def refuse(s: State, order: Withdraw) -> Illegal | None:
    """A unit may leave only from beside a Japanese unit, and only towards Singapore."""
    card, here = s.card, s.card.name(order.location)
    if order.location not in s.allied:
        return Illegal(f"no Allied unit stands in {here}", ("BC-3.1.1",), open_to(s))
    if road_of(s, order.location) is None:
        ids = ("BC-3.1.1", "R18") if order.location == card.goal else ("BC-3.1.1", "R4")
        return Illegal(f"no Japanese unit stands in {here}; only a unit beside one may withdraw", ids, open_to(s))
    ways = card.ways(order.location)
    listed = " or ".join(card.name(way) for way in ways)
    if order.to is None and len(ways) > 1:
        return Illegal(f"{here} has more than one neighbour towards Singapore", ("BC-3.1.3", "R6"), f"name {listed}")
    if order.to is not None and order.to not in ways:
        return Illegal(f"{card.name(order.to)} is not next to {here} towards Singapore", ("BC-3.1.3",), f"to {listed}")
    return None


def open_to(s: State) -> str:
    """The hint of a refusal: which units may withdraw, and which of them would be lost by it (R5)."""
    lost = lost_by_it(s)
    here = [s.card.name(at) + (" (it would be eliminated)" if at in lost else "") for at in shared(s)]
    return f"units that may withdraw: {', '.join(here)}" if here else "no unit may withdraw now"


def lost_by_it(s: State) -> tuple[str, ...]:
    """The Locations whose unit a withdrawal would eliminate: R5 wants the player warned first."""
    return tuple(location for location in shared(s) if s.allied[location] == 1)


def stay(s: State, tell: Tell) -> None:
    """No unit withdraws. [BC-3.1.1]"""
    s.moved = ()
    tell(Note("withdrawal.none", {"turn": s.turn}, ("BC-3.1.1",), anchor=f"T{s.turn}.withdrawal"))


def withdraw(s: State, order: Withdraw, tell: Tell) -> None:
    """The unit loses a point, moves, and joins a unit that is already there."""
    origin, to = order.location, order.to or s.card.ways(order.location)[0]
    before = s.allied.pop(origin)
    strength = before - 1  # [BC-3.1.2]
    told: Told = {"from": s.card.name(origin), "to": s.card.name(to), "before": before, "strength": strength}
    s.moved = (Move(ALLIES, (origin, to) if strength else (origin,)),)
    if strength < 1:
        tell(Note("withdrawal.lost", told, ("BC-3.1.2", "R5"), anchor=f"T{s.turn}.withdrawal"))
    else:
        tell(Note("withdrawal.moves", told, ("BC-3.1.2", "BC-3.1.3"), anchor=f"T{s.turn}.withdrawal"))
        join(s, to, strength, tell)
        victory.reached_singapore(s, to, before, strength, tell)
    victory.judge_endau(s, tell)


def join(s: State, space: str, strength: int, tell: Tell) -> None:
    """Two units become one: the sum, six at most; the other die leaves the game. [BC-3.1.4]"""
    there = s.allied.get(space, 0)
    s.allied[space] = min(there + strength, s.card.cap)
    if there:
        told: Told = {"space": s.card.name(space), "there": there, "joined": strength, "strength": s.allied[space]}
        tell(Note("withdrawal.merges", told, ("BC-3.1.4", "R3")))
        excess = there + strength - s.allied[space]
        if excess:
            tell(Note("withdrawal.excess", {"excess": excess, "cap": s.card.cap}, ("BC-3.1.4", "R3")))
