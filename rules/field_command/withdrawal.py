"""Withdrawal out of a battle of a campaign: all ground units, or all aircraft, at a checkpoint. [10.5, 13, OP-W]

Where the units go is no matter of the battle: it names them as withdrawn.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Illegal, Note, Order, Roll, Tell
from rules.field_command import aids, air, combat, plans, terms
from rules.field_command.orders import Stay, Withdraw, WithdrawAir
from rules.field_command.rows import Role
from rules.field_command.state import Fight, Gone, How, Result, Shot, other


def flyers(f: Fight, role: Role) -> tuple[str, ...]:
    """The aircraft of a role that are still over the sector, those that have struck among them."""
    army, aircraft = f.army[role], f.charts.aircraft
    wings = [unit for unit, piece in f.units.items() if piece.kind in aircraft and piece.army == army]
    gone = {one.unit for one in f.gone} if wings else ()
    return tuple(unit for unit in wings if unit not in gone)


def ground(f: Fight, role: Role) -> Illegal | None:
    """Why the ground units may not withdraw now."""
    if not f.field:
        return Illegal("nobody withdraws from a single battle", ("R67",), "you may resign")
    if f.skies or f.leaver or f.result or not f.line[role]:
        return Illegal("there is nothing to withdraw", ("13.1.2",))
    if role == "attack" and not f.rounds:  # [R23]
        return Illegal("the attacker withdraws after a round of combat", ("13.1.2",))
    return None


def aircraft(f: Fight, role: Role) -> Illegal | None:
    """Why the aircraft may not withdraw now."""
    if not f.field:
        return Illegal("nobody withdraws from a single battle", ("R67",), "you may resign")
    if not flyers(f, role):
        return Illegal("you have no aircraft in this battle", ("10.5.2",))
    if flyers(f, other(role)) and not f.air_rounds:
        return Illegal("aircraft that meet fight one round at least", ("10.5.2", "10.4.2"))
    return None


def possible(f: Fight, role: Role) -> bool:
    """Whether there is anything to decide at a checkpoint."""
    return ground(f, role) is None or aircraft(f, role) is None


def refuse(f: Fight, role: Role, order: Withdraw | WithdrawAir | Stay) -> Illegal | None:
    """Only at a checkpoint, all or nobody. [10.5.3, 13.1.3]"""
    why = ground(f, role) if isinstance(order, Withdraw) else aircraft(f, role)
    if not isinstance(order, Stay) and why is not None:
        return why
    if f.node != f"leave_{role}":
        return Illegal("it is not asked now whether you withdraw", ("R22",))
    return None


def offers(f: Fight, role: Role) -> Iterator[Order]:
    """To stay, and what may withdraw."""
    yield Stay()
    if ground(f, role) is None:
        yield Withdraw()
    if aircraft(f, role) is None:
        yield WithdrawAir()


def planned(f: Fight, role: Role) -> tuple[bool, bool]:
    """Whether the plan withdraws the ground units, and the aircraft, here; a rule that may not yet be is skipped."""
    return (
        ground(f, role) is None and plans.leaves(f, role, ()),
        aircraft(f, role) is None and plans.leaves(f, role, ("air",)),
    )


def fly_off(f: Fight, role: Role, tell: Tell) -> None:
    """All aircraft leave for the Repair Box; what they have declared is still rolled. [10.5.3, 10.5.4]"""
    units = flyers(f, role)
    # [10.5.1, 13.1.1, 10.5.3]: all of them or none; the ground units are another matter
    f.air[role] = []
    f.strikes[role] = [unit for unit in f.strikes[role] if unit not in units]
    f.gone = (*f.gone, *(Gone(unit, "withdrawn") for unit in units))
    said = {"army": terms.ADJECTIVES[f.army[role]], "units": ", ".join(units)}
    tell(Note("leave.air", said, ("10.5.2", "10.5.4")))


def declare(f: Fight, role: Role, tell: Tell) -> None:
    """The ground units will leave: strikes that are not declared are forfeited. [OP-W.1, 13.3.1]"""
    f.leaver = role
    f.strikes[role] = []
    tell(Note("leave.ground", {"army": terms.ADJECTIVES[f.army[role]]}, ("OP-W.1", "13.1.2")))


def pool(f: Fight) -> tuple[str, ...]:
    """All that the staying side can still strike with, in roster order. [13.3.2, R25]"""
    stayer = other(f.leaver or "defence")
    # [13.3.3]: aircraft too
    left = {*f.strikes[stayer], *(shot.unit for shot in f.declared[stayer])}
    return tuple(unit for unit in f.units if unit in left)


def shots(f: Fight) -> tuple[Shot, ...]:
    """What the leaving side had declared. [13.3.1]"""
    return f.declared[f.leaver or "defence"]


def waits(f: Fight) -> Roll:
    """A d12 for every declared strike of the leaving side, then for every strike unit of the other. [OP-W.3, OP-W.4]"""
    count = len(shots(f)) + len(pool(f))
    return Roll(f"{f.name}/pursuit", "13.3.2", dice=(f.charts.game.strike_die,) * count)


def pursue(f: Fight, faces: tuple[int, ...], label: str, tell: Tell) -> None:
    """What was declared counts as usual; each elimination of the pursuit takes the next in line. [13.3.1, 13.3.2]"""
    leaver = f.leaver or "defence"
    stayer, fired, after = other(leaver), shots(f), pool(f)
    best: dict[str, How] = {}
    for shot, face in zip(fired, faces, strict=False):
        did = f.charts.strike(leaver, f.units[shot.unit].colour, f.units[shot.unit].kind, face)
        told: dict[str, str | int] = {"unit": shot.unit, "target": shot.target, "die": face, "result": did}
        tell(Note("strike.rolled", told, ("OP-W.3", "13.3.1"), label))
        if did != "miss" and best.get(shot.target) != "eliminated":
            best[shot.target] = did
    hits = 0
    for unit, face in zip(after, faces[len(fired) :], strict=True):
        did = f.charts.strike(stayer, f.units[unit].colour, f.units[unit].kind, face)
        hits += did == "eliminated"
        tell(Note("leave.pursuit", {"unit": unit, "die": face, "result": did}, ("OP-W.4", "13.3.2"), label))
    for unit, how in best.items():
        if unit in f.line[stayer] and not aids.spared(f, stayer, unit, how, tell):
            combat.remove(f, stayer, unit, how, tell)
    for unit in tuple(f.line[leaver][:hits]):
        combat.remove(f, leaver, unit, "eliminated", tell)
    end(f, tell)


def end(f: Fight, tell: Tell) -> None:
    """Who is left of the line leaves the sector to the other side. [OP-W.5, OP-W.6]"""
    leaver = f.leaver or "defence"
    # [OP-W.5, 13.1.3, 13.1.4, 12.5.1]: all of them, as if suppressed
    for unit in tuple(f.line[leaver]):
        combat.remove(f, leaver, unit, "withdrawn", tell)
    f.strikes = {"attack": [], "defence": []}
    f.declared = {"attack": (), "defence": ()}
    f.result = Result(other(leaver), "OP-W.6")
    f.node = "over"


def after_air(f: Fight, tell: Tell) -> None:
    """The air is settled: the pursuit is rolled, if there is one. [13.2.1, 13.2.2]"""
    air.settle(f, tell, f.leaver)
    # [13.2.1, 13.2.2]
    if shots(f) or pool(f):
        f.node = "pursuit"
    else:
        end(f, tell)
