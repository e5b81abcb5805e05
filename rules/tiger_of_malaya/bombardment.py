"""Bombardment by artillery, aircraft and machine guns. [8.0]"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.api import Illegal, Note, Tell
from rules.kit.hexes import Hex
from rules.tiger_of_malaya import air
from rules.tiger_of_malaya.costs import acts
from rules.tiger_of_malaya.odds import guns
from rules.tiger_of_malaya.orders import Bombard
from rules.tiger_of_malaya.state import ALLIES, Loss, State, foe, is_gun, level, of, option, points, stack, steps


def enemies_at(s: State, side: str, hex: Hex) -> list[str]:
    """Enemy units with points in a hex."""
    return [id for id in stack(s, hex) if s.board.side(id) != side and points(s, id)]


def strength(s: State, hex: Hex, units: Sequence[str]) -> int:
    """The strength of a bombardment in halves."""  # [8.2.A]
    planes = sum(2 * s.board.aircraft[id].strength for id in units if id in s.board.aircraft)  # [8.2.A.1]
    fire = guns(s, [id for id in units if id in s.pieces and is_gun(s, id)], hex, attack=True)  # [8.2.A.2]
    machine = 0  # [8.2.A.3]
    for id in units:
        if id in s.pieces and not is_gun(s, id):
            machine += 2 * (level(s, id).attack if s.pieces[id].supplied else (level(s, id).attack + 1) // 2)
    return planes + fire + machine


def refuse_bombard(s: State, seat: str, order: Bombard) -> Illegal | None:
    """Who fires at what. [8.1]"""
    hex = order.hex
    if hex not in s.board.grid or not s.board.is_land(hex) or not enemies_at(s, seat, hex):
        return Illegal(f"no enemy stands in {hex}", ("8.1.A", "R108"))
    if f"bombarded:{hex}" in s.facts:
        return Illegal(f"{hex} was bombarded in this impulse", ("8.1.F",))
    if not any(points(s, id) and s.board.grid.adjacent(piece.at, hex) for id, piece in of(s, seat)):
        return Illegal(f"no unit of yours stands beside {hex}", ("8.1.B", "R47"))
    if len(set(order.units)) != len(order.units):
        return Illegal("a unit is named twice", ("8.1.G",))
    for id in order.units:
        wrong = refuse_fire(s, seat, id, hex)
        if wrong is not None:
            return wrong
    weight = sum(points(s, id) for id in enemies_at(s, seat, hex))
    if s.board.bombardment(weight, strength(s, hex, order.units) // 2, 7) is None:
        return Illegal("the strength is below the lowest of the table", ("8.2.C/2",))
    return None


def refuse_fire(s: State, seat: str, id: str, hex: Hex) -> Illegal | None:
    """Why one unit or aircraft cannot fire."""
    if id in s.board.aircraft:
        return air.refuse_flight(s, id, hex)
    piece = s.pieces.get(id)
    if piece is None or not acts(s, id):
        return Illegal(f"{id} may not act", ("2.2.P1", "3.3.1"))
    if "entered" in piece.marks and seat == ALLIES:  # a bombardment is an attack [8.1.A]
        return Illegal(f"{id} has arrived in this impulse", ("10.1.1.C",))
    if piece.marks & {"bombarded", "attacked"}:
        return Illegal(f"{id} has fired", ("8.1.G",))
    if is_gun(s, id):
        if not piece.available:
            return Illegal(f"{id} is unavailable", ("11.1.1.C/2",))
        if s.board.grid.distance(piece.at, hex) > s.board.template(id).range:
            return Illegal(f"{hex} is out of range of {id}", ("11.1.2.D/1",))
        return None
    if s.board.kind(id) != "machine-gun" or not s.board.grid.adjacent(piece.at, hex):
        return Illegal(f"{id} neither is artillery nor a machine gun beside {hex}", ("8.2.A.3",))
    return None


def bombarded(s: State, hex: Hex, units: tuple[str, ...], dice: tuple[int, ...], label: str, tell: Tell) -> None:
    """Two dice against the table; guns are unavailable."""  # [8.2.D, 8.2.F, R45]
    foes = enemies_at(s, s.active, hex)
    weight, power = sum(points(s, id) for id in foes), strength(s, hex, units)
    lost = s.board.bombardment(weight, power // 2, sum(dice)) or 0  # [8.2.B, 8.2.E.ex, R43]
    there = sum(steps(s, id) for id in foes)
    if s.board.game.loss_cap == "half_up":
        lost = min(lost, (there + 1) // 2)
    for id in units:
        if id in s.board.aircraft:
            s.planes[id] = f"flown:{hex}"
        else:
            s.pieces[id].mark("bombarded")
            s.pieces[id].available = False if is_gun(s, id) else s.pieces[id].available
    s.facts |= {f"bombarded:{hex}"}
    said = f"{power // 2}.5" if power % 2 else str(power // 2)
    told: dict[str, str | int] = {"hex": hex, "strength": said, "points": weight, "dice": sum(dice), "steps": lost}
    tell(Note("bombarded", told, ("8.2.D", "8.2.C/1"), label))
    if lost:
        why = "chance" if option(s, "r44") == "chance" else "bombardment"
        s.losses.append(Loss(foe(s.active), tuple(foes), lost, why, hex))
