"""A sensible player for either side of a battle: the strongest first, the tactic with the best odds, a gun a pair."""

from __future__ import annotations

from fractions import Fraction

from pbem.api import Order
from rules.field_command import air, combat, deploy, strikes, tactics
from rules.field_command.orders import Add, Assault, Concentrate, Deploy, Drop, Flank, Pick, Plan, Strike
from rules.field_command.rows import Role
from rules.field_command.state import Fight, Tactic, in_round, role_of

ORDERS: dict[Tactic, type[Assault | Concentrate | Flank]] = {
    "assault": Assault,
    "concentrate": Concentrate,
    "flank": Flank,
}


def advise(f: Fight, seat: str) -> Order:
    """The answer to what the battle asks this seat."""
    role = role_of(f, seat)
    assert role is not None
    if f.node.startswith("deploy"):
        return Deploy(units=deploy.strongest_first(f, role))
    if f.node.startswith("plan"):
        return Plan()  # it decides each question when it comes
    if f.node.startswith("pick"):
        return Pick(unit=air.best_first(f, role)[0])
    if f.node == "tactic":
        return ORDERS[max(tactics.possible(f), key=lambda tactic: promise(f, tactic))]()
    if f.node == "die":
        return passive(f)
    return _strike(f, role)


def passive(f: Fight) -> Order:
    """What adds nothing of one's own: no strike, the usual die. [5.3.3, R8]"""
    if f.node == "die":
        die = f"d{combat.usual(f)}"
        return Add(die=die) if f.tactic == "concentrate" else Drop(die=die)
    return Strike()


def _strike(f: Fight, role: Role) -> Order:
    """One at each new pair; all of them for the last unit of the line."""
    ready = tuple(f.strikes[role])
    last = len(f.line[role]) == 1 or len(f.line["defence" if role == "attack" else "attack"]) == 1
    order = Strike(point=ready if last else ready[:1])
    return order if ready and strikes.refuse(f, role, order) is None else Strike()


def promise(f: Fight, tactic: Tactic) -> Fraction:
    """What one round by a tactic is worth: the chance to win it, less that to lose it for each unit it would cost."""
    t = f.copy()
    t.tactic = tactic
    t.die = combat.usual(t) if combat.choices(t) else 0
    ours, theirs = highest(combat.rolled(t, "attack")), highest(combat.rolled(t, "defence"))
    edge, cost = combat.handicap(t), len(in_round(t, "attack"))
    total = Fraction(0)
    for attack, chance in ours.items():
        for defence, other in theirs.items():
            margin = combat.WHOLE * (attack - defence) - edge
            total += chance * other * (1 if margin > 0 else -cost if margin < 0 else 0)
    return total


def highest(dice: tuple[int, ...]) -> dict[int, Fraction]:
    """The chance of each highest die."""
    found, before = {}, Fraction(0)
    for face in range(1, max(dice) + 1):
        upto = Fraction(1)
        for sides in dice:
            upto *= Fraction(min(face, sides), sides)
        found[face], before = upto - before, upto
    return found
