"""Deployment: the defender orders his line, then the attacker, who sees it. [4.2.1]"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Illegal, Note, Order, Tell
from rules.field_command.orders import Deploy
from rules.field_command.rows import Role
from rules.field_command.state import Fight, anchor, strength
from rules.field_command.terms import ADJECTIVES


def refuse(f: Fight, role: Role, order: Deploy) -> Illegal | None:
    """Every unit named is an own one of the line, and named once."""
    here = f.line[role]
    hint = f"your line: {' '.join(here)}"
    if f.node == "deploy_defence" and role == "attack":
        return Illegal("the defender places his units first", ("4.2.1",))
    if f.node != f"deploy_{role}":
        return Illegal("the order of a line never changes once it stands", ("3.4.3",))
    for unit in order.units:
        if unit not in f.units or f.units[unit].army != f.army[role]:
            return Illegal(f"{unit} is not yours to place", ("4.2.1",), hint)
        if unit not in here:
            return Illegal(f"{unit} strikes, and stands on no line", ("3.4.2", "3.3.1.1"), hint)
    if len(set(order.units)) != len(order.units):
        return Illegal("a unit is named twice", ("3.4.1",), hint)
    return None


def offers(f: Fight, role: Role) -> Iterator[Order]:
    """The strongest first, the roster, the weakest first."""
    best = strongest_first(f, role)
    for units in dict.fromkeys((best, tuple(f.line[role]), best[::-1])):
        yield Deploy(units=units)


def strongest_first(f: Fight, role: Role) -> tuple[str, ...]:
    """By largest die, then number of dice, then roster."""
    return tuple(
        sorted(f.line[role], key=lambda unit: (strength(f, unit, role)[:1], strength(f, unit, role)), reverse=True)
    )


def deploy(f: Fight, role: Role, order: Deploy, tell: Tell) -> None:
    """The line stands as ordered. [OP-B.1, OP-B.2]; all infantry and vehicles are on it [3.4.1]"""
    f.line[role] = [*order.units, *(unit for unit in f.line[role] if unit not in order.units)]
    said = {"army": ADJECTIVES[f.army[role]], "units": ", ".join(f.line[role])}
    clause = "OP-B.1" if role == "defence" else "OP-B.2"
    tell(Note(f"deploy.{role}", said, (clause, "3.4.1"), anchor=anchor(f) if role == "defence" and not f.field else ""))
