"""Direct strikes: declared when a new pair faces off, rolled together, then a pair may be broken. [5]"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Illegal, Note, Order, Roll, Tell
from rules.field_command import aids, combat, terms
from rules.field_command.orders import Strike
from rules.field_command.rows import Role
from rules.field_command.state import Fight, Gone, How, Shot, paired, point, support, targets

ORDER: tuple[Role, Role] = ("attack", "defence")  # [5.4.1]
"""Whose strikes are rolled first; it makes no difference."""


def refuse(f: Fight, role: Role, order: Strike) -> Illegal | None:
    """Only against a new pair, once, with units that have not struck, at what may be a target."""
    if f.node == "strike_defence" and role == "attack":
        return Illegal("the defender declares first", ("R6",))
    if f.node != f"strike_{role}":
        return _too_late(f)
    return unfit(f, role, order)


def unfit(f: Fight, role: Role, order: Strike) -> Illegal | None:
    """Why these units cannot strike so."""
    for unit in (*order.point, *order.support):
        if unit not in f.units or f.units[unit].army != f.army[role]:
            return Illegal(f"{unit} is not yours", ("5.3.3",))
        if f.charts.family(f.units[unit].kind) not in ("artillery", "aircraft"):
            return Illegal(f"{unit} does not strike", ("5.1.1",))
        if unit not in f.strikes[role]:
            return Illegal(f"{unit} has struck in this battle, or is lost", ("5.1.2",), _ready(f, role))
    if len({*order.point, *order.support}) != len(order.point) + len(order.support):
        return Illegal("a unit strikes once", ("5.1.2",), _ready(f, role))
    if order.support and len(targets(f, role)) < 2:
        why = "strikes of the attacker hit the point" if role == "attack" else "no unit supports the attacker's point"
        return Illegal(why, ("5.3.4",), f"target: {point(f, 'defence' if role == 'attack' else 'attack')}")
    return None


def _ready(f: Fight, role: Role) -> str:
    return f"ready: {' '.join(f.strikes[role]) or 'none'}"


def _too_late(f: Fight) -> Illegal:
    if not f.fresh:
        return Illegal(
            "strikes are declared when a new pair faces off, before its first dice", ("5.3.1", "5.3.3", "5.4.5")
        )
    return Illegal("no strikes are to be declared now", ("5.3.1",))


def offers(f: Fight, role: Role) -> Iterator[Order]:
    """None, each, all at the point; at the support too where there is one."""
    yield Strike()
    ready = tuple(f.strikes[role])
    for unit in ready:
        yield Strike(point=(unit,))
    if len(ready) > 1:
        yield Strike(point=ready)
    if len(targets(f, role)) > 1:
        yield Strike(support=ready)


def hidden(f: Fight) -> bool:
    """Whether the defender's declaration is sealed until the attacker has declared. [R6]"""
    return f.hidden and bool(f.strikes["attack"] and f.strikes["defence"])


def shots(f: Fight, role: Role, order: Strike) -> tuple[Shot, ...]:
    """The strikes of an order."""
    aims = targets(f, role)
    return (*(Shot(unit, aims[0]) for unit in order.point), *(Shot(unit, aims[1]) for unit in order.support))


def declare(f: Fight, role: Role, declared: tuple[Shot, ...], tell: Tell) -> None:
    """The declaration is final, and uses the units up. [5.3.3, 5.1.2]"""
    f.declared[role] = declared
    f.strikes[role] = [unit for unit in f.strikes[role] if unit not in {shot.unit for shot in declared}]
    army = terms.ADJECTIVES[f.army[role]]
    if declared:
        aimed = ", ".join(f"{shot.unit} at {shot.target}" for shot in declared)
        tell(Note("strike.declared", {"army": army, "shots": aimed}, ("OP-B.8", "5.3.4")))
    else:
        tell(Note("strike.none", {"army": army}, ("5.3.3",)))


def declared(f: Fight) -> tuple[tuple[Role, Shot], ...]:
    """All strikes of the exchange in the order in which they are rolled."""
    return tuple((role, shot) for role in ORDER for shot in f.declared[role])


def waits(f: Fight) -> Roll:
    """A d12 for each strike. [5.2.1]"""
    again = "/again" if f.node == "again" else ""
    return Roll(f"{f.name}/strikes/{f.faces}{again}", "5.2.1", dice=(f.charts.game.strike_die,) * len(declared(f)))


def resolve(f: Fight, faces: tuple[int, ...], label: str, tell: Tell) -> None:
    """Every strike counts against its own target; the best of them applies."""
    best: dict[str, How] = dict(f.hits)  # [5.4.3]; no bonus is looked at [5.4.4]
    missed: dict[Role, list[Shot]] = {"attack": [], "defence": []}
    for (role, shot), face in zip(declared(f), faces, strict=True):
        piece = f.units[shot.unit]
        did = f.charts.strike(role, piece.colour, piece.kind, face)
        told: dict[str, str | int] = {"unit": shot.unit, "target": shot.target, "die": face, "result": did}
        tell(Note("strike.rolled", told, ("OP-B.9", "5.2.1"), label))
        if did != "miss" and best.get(shot.target) != "eliminated":
            best[shot.target] = did
        if did == "miss":
            missed[role].append(shot)
    if f.node != "again":
        for role in ORDER:
            aids.second_strikes(f, role, f.declared[role])
            standing = [shot for shot in missed[role] if shot.target not in best]
            f.declared[role] = aids.repeated(f, role, standing, tell)
        if declared(f):
            f.hits = tuple(Gone(unit, how) for unit, how in best.items())
            f.node = "again"
            return
    f.declared, f.hits = {"attack": (), "defence": ()}, ()
    stood = {unit for unit, how in best.items() if aids.spared(f, side_of(f, unit), unit, how, tell)}
    lost(f, {unit: how for unit, how in best.items() if unit not in stood}, tell)


def side_of(f: Fight, unit: str) -> Role:
    """The role of a unit on the line."""
    return "attack" if unit in f.line["attack"] else "defence"


def lost(f: Fight, best: dict[str, How], tell: Tell) -> None:
    """Who leaves the line, and what becomes of the attacker's pair. [5.4.5, 4.4.5, R5]"""
    ours, second, theirs, pair = point(f, "attack"), support(f), point(f, "defence"), paired(f)
    for unit, how in best.items():
        combat.remove(f, "defence" if unit == theirs else "attack", unit, how, tell)
    if ours in best and (not pair or second in best):
        f.tactic = ""  # the next unit is free to choose
    elif pair and (ours in best or second in best):
        f.tactic = "assault"  # [4.4.5, R3, R4]: whoever is left of a pair
        tell(Note("strike.broken", {"unit": point(f, "attack")}, ("4.4.5", "R3")))
    attacker_stands = ours not in best or (pair and second not in best)
    f.fresh = theirs in best or not attacker_stands  # [5.4.5]: the one case without new strikes
