"""Air superiority: rounds of one aircraft each, until only one side flies; what is left then strikes. [4.9]"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Illegal, Note, Order, Roll, Tell
from rules.field_command import terms
from rules.field_command.combat import WHOLE, result
from rules.field_command.orders import Pick
from rules.field_command.rows import Role
from rules.field_command.state import ROLES, Fight, Gone, Last, Result


def contested(f: Fight) -> bool:
    """Whether both sides still fly. [4.9.1]"""
    return all(f.air[role] for role in ROLES)


def strength(f: Fight, unit: str) -> tuple[int, ...]:
    """The dice of an aircraft in the air. [R14]"""
    piece = f.units[unit]
    return f.charts.air(piece.colour, piece.kind)


def refuse(f: Fight, role: Role, order: Pick) -> Illegal | None:
    """An own aircraft that still flies; the defender names his first."""
    if not contested(f):
        return Illegal("there is no fight in the air", ("4.9.1",))
    if f.node == "pick_defence" and role == "attack":
        return Illegal("the defender names his aircraft first", ("4.9.2",))
    if f.node != f"pick_{role}":
        return Illegal("no aircraft is to be named now", ("4.9.2",))
    if order.unit not in f.air[role]:
        return Illegal(f"{order.unit} does not fly here", ("4.9.2",), f"yours: {' '.join(f.air[role])}")
    return None


def offers(f: Fight, role: Role) -> Iterator[Order]:
    """Every aircraft that flies."""
    for unit in f.air[role]:
        yield Pick(unit=unit)


def best_first(f: Fight, role: Role) -> list[str]:
    """The own aircraft by their dice, the strongest first."""
    return sorted(f.air[role], key=lambda unit: (strength(f, unit), unit), reverse=True)


def pick(f: Fight, role: Role, unit: str, tell: Tell) -> None:
    """The aircraft that fights this round."""
    f.picks[role] = unit
    tell(Note("air.picked", {"army": terms.ADJECTIVES[f.army[role]], "unit": unit}, ("4.9.2",)))


def waits(f: Fight) -> Roll:
    """Both air strengths; no tactic but General Assault. [4.9.3]"""
    dice = (*strength(f, f.picks["attack"]), *strength(f, f.picks["defence"]))
    return Roll(f"{f.name}/air/{f.air_rounds + 1}", "4.9.3", dice=dice)


def fight(f: Fight, faces: tuple[int, ...], label: str, tell: Tell) -> None:
    """One air round."""
    ours, theirs = f.picks["attack"], f.picks["defence"]
    count = len(strength(f, ours))
    attack, defence = faces[:count], faces[count:]
    margin = WHOLE * (max(attack) - max(defence))
    f.air_rounds += 1
    f.last = Last("air", ours, theirs, attack, defence, margin)
    f.picks = {"attack": "", "defence": ""}  # [4.9.4]: both choose anew, nobody tires
    said: dict[str, str | int] = {
        "attacker": ours,
        "defender": theirs,
        "attack": max(attack),
        "defence": max(defence),
    }
    if margin == 0:
        tell(Note("air.draw", said, ("4.9.3",), label))
        return
    loser: Role = "defence" if margin > 0 else "attack"
    unit = theirs if margin > 0 else ours
    how = result(f, margin)
    f.air[loser].remove(unit)
    f.gone = (*f.gone, Gone(unit, how))
    tell(Note("air.lost", {**said, "unit": unit, "how": how}, ("4.9.3", "4.3.3"), label))


def settle(f: Fight, tell: Tell, leaver: str = "") -> None:
    """Aircraft that are left act as strike units, but for those of a side that withdraws. [4.9.1, 13.3.1]"""
    for role in ROLES:
        if role == leaver:
            f.air[role] = []
        if f.air[role]:
            tell(
                Note("air.rules", {"army": terms.ADJECTIVES[f.army[role]], "units": ", ".join(f.air[role])}, ("4.9.1",))
            )
            f.strikes[role] = [*f.strikes[role], *f.air[role]]
            f.air[role] = []


def end(f: Fight, tell: Tell) -> None:
    """Aircraft that met without a battle below them: nothing but the sky is decided. [R15]"""
    winner = next((role for role in ROLES if f.air[role]), None)
    if winner:
        tell(Note("air.alone", {"army": terms.ADJECTIVES[f.army[winner]]}, ("4.9.1", "R15")))
    f.result = Result(winner or "", "R15")
    f.node = "over"
