"""Phase 7: battles on the Combat Board, and what they do on the map. [8.4.2, 12]"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.api import Illegal, Note, Tell
from rules.field_command import sequence
from rules.field_command.campaign import control, retreat
from rules.field_command.campaign.orders import Battle
from rules.field_command.campaign.state import (
    HELD,
    OUT,
    REPAIR,
    Leaving,
    Unit,
    War,
    family,
    fields_of_battle,
    flying,
    foes,
    ground,
    has_airfield,
    is_ground,
    name,
)
from rules.field_command.combat import FIXED
from rules.field_command.components import Piece
from rules.field_command.rows import Army, Role
from rules.field_command.state import Fight, Gone, other
from rules.field_command.terms import ADJECTIVES


def meetings(w: War) -> Iterator[str]:
    """Where aircraft of both sides are in the air without a battle below. [10.4.2, R15]"""
    if w.options["r15"] == "no":
        return
    battles = fields_of_battle(w)
    above = {unit.where for unit in w.units.values() if unit.air and unit.army == w.army}
    for sector in w.board.sectors if above else ():
        if sector in above and sector not in battles and _foe_above(w, sector):
            yield sector


def _foe_above(w: War, sector: str) -> Army | None:
    return next((army for army in w.board.order if foes(army, w.army) and flying(w, sector, army)), None)


def _met(w: War, sector: str, army: Army) -> bool:
    """Whether enemy aircraft are there: only then a special mission becomes a fight. [R82, 10.4.2]"""
    return any(flying(w, sector, other) for other in w.board.order if foes(other, army))


def refuse(w: War, order: Battle) -> Illegal | None:
    """One of those that are still to be fought. [8.4.2.1, R51]"""
    if order.place not in w.battles:
        left = ", ".join(name(w, one) for one in w.battles)
        return Illegal(f"no battle is to be fought in {name(w, order.place)}", ("8.4.2.1",), f"to be fought: {left}")
    return None


def bonus(w: War, sector: str) -> int:
    """The lowest of all directions since the sector is contested, in halves. [6.7.4, R27]"""
    # [6.7.1, 6.7.2, 6.7.3, 6.7.4, 6.7.3-ex1, 6.7.3-ex2]
    return min((w.board.bonus(one.out, sector, one.mode) for one in w.directions if one.sector == sector), default=0)


def begin(w: War, sector: str, tell: Tell) -> None:
    """The units of the sector and the guns that support them come to the Combat Board. [8.4.2.2, 3.3.1]"""
    # [4.1.4]: a battle of its own in every turn
    w.battles = tuple(one for one in w.battles if one != sector)
    alone = sector not in fields_of_battle(w)
    foe = (_foe_above(w, sector) if alone else None) or w.control[sector]
    armies: Mapping[Role, Army] = {"attack": w.army, "defence": foe}
    lines: dict[Role, list[str]] = {"attack": [], "defence": []}
    f = Fight(w.board.charts, armies, 0 if alone else bonus(w, sector), {})
    taking: set[str] = set()
    for role, army in armies.items():
        # [8.4.2.2, 8.4.2.3, 3.3.1.3, 3.4.4, 11.4.2, 14.2.2.b]: all of them, and for nothing
        line = [] if alone else list(ground(w, sector, army))
        # [3.3.1.2, 11.2.4]: they strike, and nothing harms them
        guns = [] if alone else [w.units[one.gun] for one in w.barrages if one.sector == sector]
        guns = [gun for gun in guns if gun.army == army]
        # [6.2.4, 10.3.2, 10.3.4]: those in the air above, however many
        wings = [unit for unit in flying(w, sector, army) if unit.mark != "mission" or _met(w, sector, army)]
        lines[role] = [unit.id for unit in line]
        f.strikes[role] = [unit.id for unit in guns]
        f.air[role] = [unit.id for unit in wings]
        taking |= {unit.id for unit in (*line, *guns, *wings)}
        for unit in line:
            if family(w, unit) == "artillery":
                unit.mark = "defended"  # [11.2.1, R47]
    f.units = {unit.id: piece(unit) for unit in w.units.values() if unit.id in taking}
    f.line, f.seats, f.field, f.skies = lines, w.seats, True, alone
    f.hidden = w.options["r6"] == "sealed"
    f.deck = w.board.cards if w.cards else {}
    f.name = f"t{w.turn}/{sector}"
    f.node = "plan_defence" if alone else "deploy_defence"
    w.fight, w.sector, w.done = f, sector, 0
    said = {"sector": name(w, sector), "attacker": ADJECTIVES[w.army], "defender": ADJECTIVES[foe]}
    clauses = ("R15", "10.4.2") if alone else ("8.4.2.1",)
    tell(Note("battle.sky" if alone else "battle", said, clauses, anchor=f"T{w.turn}.{sector}"))
    sequence.settle(f, tell)
    follow(w, tell)


def piece(unit: Unit) -> Piece:
    """The unit as the Combat Board knows it. [R74]"""
    return Piece(unit.id, unit.army, unit.kind, unit.origin if unit.origin != unit.army else None)


def follow(w: War, tell: Tell) -> None:
    """Carry out on the map what the battle has decided, as far as nobody must choose."""
    f = w.fight
    if f is None:
        return
    while w.done < len(f.gone):
        gone = f.gone[w.done]
        w.done += 1
        _gone(w, f, gone, tell)
    if f.node == "over" and f.leaver and f.leaver == "attack":
        _tired(w, f)
    retreat.go_by_themselves(w, tell)
    if f.node == "over" and not w.leaving:
        end(w, f, tell)


def _gone(w: War, f: Fight, gone: Gone, tell: Tell) -> None:
    """One unit has left its line, or the air. [12.1 to 12.4]"""
    unit = w.units[gone.unit]
    role: Role = "attack" if unit.army == f.army["attack"] else "defence"
    if not is_ground(w, unit):
        if gone.how == "eliminated" or (gone.how == "suppressed" and not has_airfield(w, unit.army)):
            unit.where, unit.air = OUT, False
        else:
            # [12.3.7]
            unit.where, unit.air = REPAIR, False  # [10.4.1, 10.5.4, R16]
    elif gone.how == "eliminated":
        unit.where = OUT  # [12.2.1]
    elif gone.how == "captured":
        # [12.2.2, 12.6.1]
        unit.where = HELD  # [11.4.3, R20]
    elif gone.how in ("suppressed", "withdrawn"):
        if unit.kind in FIXED:
            unit.where = OUT
            tell(Note("gun.lost", {"unit": unit.id}, ("12.3.4", "R21")))
        else:
            w.leaving = (*w.leaving, Leaving(unit.id, role))
    # [12.4.1]: a defender never is
    # fatigued: it stays in the sector [12.4.2]


def _tired(w: War, f: Fight) -> None:
    """Fatigued attackers leave with those that withdraw. [R24]"""
    known = {one.unit for one in w.leaving}
    for gone in f.gone:
        if gone.how == "fatigued" and gone.unit not in known and w.units[gone.unit].where == w.sector:
            w.leaving = (*w.leaving, Leaving(gone.unit, "attack"))


def end(w: War, f: Fight, tell: Tell) -> None:
    """Who holds the sector; silenced guns, and what was lost with it. [OP-B.13, 6.6.4, 13.2.4]"""
    sector = w.sector
    w.fight, w.sector, w.done = None, "", 0
    if f.skies:
        return
    if f.leaver and w.control[sector] != f.army[other(f.leaver)]:
        # [13.2.4]
        control.take(w, sector, f.army[other(f.leaver)], tell)  # [OP-W.6, R86]
    if w.ended:
        return
    # [12.4.3, 12.4.4]: guns are where they were, aircraft stay above
    # [6.6.4-ex2]
    control.settle(w, sector, tell)
    for unit in w.units.values():
        if unit.where == HELD:
            if w.control[sector] == f.army["attack"]:
                unit.army, unit.where = f.army["attack"], sector
                tell(Note("gun.captured", {"unit": unit.id, "army": ADJECTIVES[unit.army]}, ("11.4.3", "R20")))
            else:
                unit.where = OUT
                tell(Note("gun.lost", {"unit": unit.id}, ("11.4.3",)))
    # [8.4.2.4-ex]: in the defender's turn nobody fights here
    if sector in w.contested:
        tell(Note("battle.goes_on", {"sector": name(w, sector)}, ("8.4.2.4",)))
