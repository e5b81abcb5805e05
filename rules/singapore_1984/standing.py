"""Standing orders: what a seat decides in advance, openly, so that no letter has to wait for it. [R88]

They answer only what the other side's turn asks, and only where they leave no doubt.
"""

from __future__ import annotations

from pbem.api import Ask, Illegal, Note, Order, Tell
from rules.singapore_1984 import falling_back, interception, losses, retreat, sea
from rules.singapore_1984.listing import (
    STANDING,
    DropStanding,
    StandingIntercept,
    StandingLoss,
    StandingNoIntercept,
    Subs,
)
from rules.singapore_1984.orders import End, Intercept, Lose, NoIntercept, Retreat
from rules.singapore_1984.state import CW, State

KINDS = frozenset(order.kind for order in STANDING)


def refuse(s: State, seat: str, order: Order) -> Illegal | None:
    """Anything that is not said already, or there is something to drop."""
    if isinstance(order, DropStanding):
        return None if seat in s.standing else Illegal("you have no standing orders", ("R88",))
    if isinstance(order, StandingLoss):
        odd = [id for id in order.first if id not in s.pieces or s.side(id) != seat]
        if odd:
            return Illegal(f"{odd[0]} is not yours", ("R88",))
    if isinstance(order, StandingIntercept | StandingNoIntercept) and seat != CW:
        return Illegal("Force Z and the submarines are the Commonwealth's", ("6.41a", "R88"))
    if isinstance(order, StandingIntercept):
        inland = [port for port in order.ports if not sea.coast(s, port)]
        if inland:
            return Illegal(f"{inland[0]} is no port of a coast", ("6.41c", "R88"))
    if str(order) in s.standing.get(seat, ()):
        return Illegal("that stands already", ("R88",))
    return None


def keep(s: State, seat: str, order: Order, tell: Tell) -> None:
    """It takes the place of an earlier one of its kind."""
    tell(Note("standing", {"order": str(order)}, ("R88",)))
    if isinstance(order, DropStanding):
        del s.standing[seat]
        return
    word = str(order).split()[1]
    others = (one for one in s.standing.get(seat, ()) if one.split()[1] != word)
    s.standing[seat] = tuple(sorted((*others, str(order))))


def answer(s: State, ask: Ask) -> Order | None:
    """The order that a standing order of the seat asked gives; None where it is for the seat to choose."""
    if ask.seat == s.active or ask.seat not in s.standing:
        return None
    said = {words[1]: words[2:] for words in (one.split() for one in s.standing[ask.seat])}
    if ask.what == "defend" and "defence" in said:
        return End()
    if ask.what == "intercept" and "intercept" in said:
        return _hunt(s, said["intercept"])
    b = s.battle
    if b is None:
        return None
    if ask.what == "lose" and "loss" in said:
        return Lose(unit=_loser(s, said["loss"]))
    if ask.what == "retreat" and "retreat" in said:
        unit = falling_back.current(s, b)
        found = retreat.ways(s, unit, falling_back.hexes_due(b), falling_back.party(s, b)) if unit else None
        if unit and found is not None and found.paths and not found.crowded:
            return Retreat(unit=unit, path=found.paths[0])
    return None


def _hunt(s: State, words: list[str]) -> Order | None:
    """After the unit that sails, at the first port named where it can be met, where it lands rather than leaves.

    None where only its owner can show that submarines were listed. [13.6a]
    """
    met = {port: where for where, port in interception.chances(s)}  # it lands after it leaves
    port = next((port for port in words[-1].split("+") if port in met), None)
    if port is None:
        return NoIntercept()
    if sea.coast(s, port) == "e":
        return Intercept(where=met[port], port=port)
    return Subs(where=met[port], port=port) if s.on("13.6") else None


def _loser(s: State, words: list[str]) -> str:
    """Those that were named first, then the one whose step is worth least."""
    b = s.battle
    assert b is not None
    first = words[1].split("+") if words else []
    able = losses.losers(s, b)
    named = next((id for id in first if id in able), None)
    return named or min(able, key=lambda id: (s.board.worth(id, s.pieces[id].reduced), id))
