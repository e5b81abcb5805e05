"""Reinforcements: when and where they come in. [10.1]"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Illegal, Known, Note, Tell
from rules.kit.hexes import Hex
from rules.tiger_of_malaya import costs, diversion
from rules.tiger_of_malaya.orders import Enter
from rules.tiger_of_malaya.overrun import overrun
from rules.tiger_of_malaya.rows import Arrival
from rules.tiger_of_malaya.state import ALLIES, JAPAN, Piece, State, can_jungle, come, foe, is_gun, mover, occupied
from rules.tiger_of_malaya.zones import settle, zone


def arrivals(s: State) -> Iterator[tuple[str, Arrival]]:
    """The units that wait, each with the line of the schedule that brings it."""
    for id in s.due:
        for arrival in s.board.arrivals:
            if id in arrival.units:
                yield id, arrival


def gates(s: State, hex: Hex, side: str) -> tuple[Hex, ...]:
    """Where a unit may come in: the listed hex, for Japan one beside it too."""  # [10.1.P1/2, R69, R70]
    if (hex in s.held) != (side == JAPAN):  # [10.1.2.A]
        return ()
    enemies = occupied(s, foe(side))
    near = (hex, *s.board.grid.neighbours(hex)) if side == JAPAN else (hex,)
    return tuple(there for there in near if there not in enemies and s.board.is_land(there))


def gate_cost(s: State, unit: str, listed: Hex, hex: Hex) -> int | None:
    """What the entry costs: as if from off the map, by the road that leads there."""  # [10.1.2.C, R70]
    if costs.barred(s, unit, hex):
        return None
    how = mover(s, unit)
    cost = s.board.rates["road"].cost(how) if hex == listed and hex in s.board.network else s.board.cost(hex, how)
    if cost is None:
        return None
    if hex in zone(s, foe(s.board.side(unit))):
        cost += s.board.game.zone_in_light if how in costs.LIGHT else s.board.game.zone_in
    return cost


def refuse_enter(s: State, seat: str, order: Enter, known: Known) -> Illegal | None:
    """Reinforcements that are due come in at their hex. [10.1]"""
    arrival = dict(arrivals(s)).get(order.unit)
    if arrival is None or s.board.side(order.unit) != seat:
        return Illegal(f"{order.unit} is not due", ("10.1.P1/2",), f"due: {', '.join(s.due) or 'nobody'}")
    if s.chit == "half":
        return Illegal("reinforcements come in FULL and MOVE impulses", ("10.1.P1/2",))
    if s.chit == "jungle" and not can_jungle(s, order.unit):
        return Illegal(f"{order.unit} is not jungle-capable", ("3.3.1",))
    listed = arrival.hex
    if arrival.needs and not diversion.come(s, arrival.needs):
        return Illegal(f"{order.unit} waits for I Corps", ("14.4.2.M", "R98"))
    if not gates(s, listed, seat):
        return Illegal(f"{listed} is in enemy hands", ("10.1.1.B" if seat == ALLIES else "10.1.2.B",))
    if order.hex not in gates(s, listed, seat):
        return Illegal(f"{order.unit} comes in at {listed}", ("10.1.1.A/1" if seat == ALLIES else "10.1.P1/2",))
    cost = gate_cost(s, order.unit, listed, order.hex)
    most = s.board.level(order.unit, s.board.first(order.unit)).allowance
    if seat == JAPAN and (cost is None or cost > most):
        return Illegal(f"{order.unit} cannot pay for {order.hex}", ("10.1.P2/2",))
    return diversion.refuse_enter(s, order.unit, known)


def enter(s: State, order: Enter, tell: Tell) -> None:
    """It stands on the map, in supply; Allied units have had their impulse."""  # [10.1.P3, 10.1.1.C, 10.1.2.C, R37]
    unit, side = order.unit, s.board.side(order.unit)
    listed = dict(arrivals(s))[unit].hex
    piece = Piece(order.hex, s.board.first(unit), start=order.hex)
    come(s, unit, piece)
    s.due = tuple(id for id in s.due if id != unit)
    piece.mark("entered")
    diversion.entered(s, unit)
    if side == ALLIES:
        piece.fresh = True  # [10.1.1.A/2]
    else:
        piece.left = max(costs.allowance(s, unit) - (gate_cost(s, unit, listed, order.hex) or 0), 0)
        piece.mark("moved")  # [10.1.P2/1, 10.1.2.D]: it may go on and attack
        piece.available = not is_gun(s, unit)  # [4.6, R22]
    settle(s)
    overrun(s, side, (order.hex,), tell)
    tell(Note("entered", {"units": unit, "hex": order.hex}, ("10.1.P1/2",)))
