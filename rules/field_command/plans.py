"""Plans: what a battle decides for a seat without asking it. [R94]

A plan sees what its owner could see: every condition is about public things.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Literal

from rules.field_command import aids, air, combat, rule
from rules.field_command.rows import Role
from rules.field_command.state import Fight, Shot, Tactic, left, other, point, strength, targets

Asked = Literal["air", "tactic", "strike", "die", "leave", "retreat"]


def planned(f: Fight, role: Role, what: Asked) -> bool:
    """Whether the plan answers; else its owner is asked."""
    rules = f.plans[role]
    return bool(rules) and not any(
        one.do == "ask" and one.what == (what,) and holds(f, role, one) for one in _rules(f, role)
    )


def _rules(f: Fight, role: Role) -> Iterator[rule.Rule]:
    yield from (rule.parse(text) for text in f.plans[role] or ())


def _fitting(f: Fight, role: Role, do: str) -> Iterator[rule.Rule]:
    yield from (one for one in _rules(f, role) if one.do == do and holds(f, role, one))


def picked(f: Fight, role: Role) -> str:
    """The aircraft that a plan names; the best unless it says otherwise."""
    best = air.best_first(f, role)
    for one in _fitting(f, role, "air"):
        if one.what == ("worst",):
            return best[-1]
        if one.what == ("best",):
            return best[0]
        for unit in one.what:
            if unit in f.air[role]:
                return unit
    return best[0]


def tactic(f: Fight, possible: tuple[Tactic, ...]) -> Tactic:
    """The first tactic of a fitting rule that the line can do; General Assault unless it says otherwise."""
    for one in _fitting(f, "attack", "tactic"):
        for word in possible:
            if one.what == (word,):
                return word
    return "assault"


def struck(f: Fight, role: Role) -> tuple[Shot, ...]:
    """The strikes that a plan declares: none unless it says so. A missing support is the point."""
    kept = next((int(one.what[0]) for one in _fitting(f, role, "keep")), 0)
    ready = f.strikes[role][: max(len(f.strikes[role]) - kept, 0)]
    for one in _fitting(f, role, "strike"):
        aims = targets(f, role)
        aim = aims[1] if one.at == "support" and len(aims) > 1 else aims[0]
        word = one.what[0]
        if word == "none":
            return ()
        if word == "all":
            units = ready
        elif word.isdigit():
            units = ready[: int(word)]
        else:
            units = [unit for unit in one.what if unit in f.strikes[role]][: len(ready)]
        if units:
            return tuple(Shot(unit, aim) for unit in dict.fromkeys(units))
    return ()


def die(f: Fight, role: Role) -> int:
    """The die that a plan adds or drops; the usual one unless it says otherwise."""
    there = combat.choices(f)
    for one in _fitting(f, role, "add" if f.tactic == "concentrate" else "drop"):
        if one.what[0] in ("largest", "smallest"):
            return there[0] if one.what[0] == "largest" else there[-1]
        if int(one.what[0][1:]) in there:
            return int(one.what[0][1:])
    return combat.usual(f)


def leaves(f: Fight, role: Role, what: tuple[str, ...]) -> bool:
    """Whether a plan withdraws here: the units of the line for (), the aircraft for ("air",)."""
    return any(one.what == what and one.at in ("point", f.stop) for one in _fitting(f, role, "withdraw"))


def exits(f: Fight, role: Role) -> tuple[str, ...]:
    """Where the plan sends units that leave the sector, the first choice first."""
    return tuple(place for one in _fitting(f, role, "retreat") for place in one.what)


# --- conditions ---


def holds(f: Fight, role: Role, one: rule.Rule) -> bool:
    """Whether all conditions of a rule are true now."""
    return all(_true(f, role, condition) for condition in one.when)


def _true(f: Fight, role: Role, condition: rule.Condition) -> bool:
    if condition.operator == "is":
        return condition.value in _called(f, role, condition.name)
    met, wanted = _number(f, role, condition.name), int(condition.value)
    return {
        "=": met == wanted,
        "<>": met != wanted,
        "<": met < wanted,
        ">": met > wanted,
        "<=": met <= wanted,
        ">=": met >= wanted,
    }[condition.operator]


def _number(f: Fight, role: Role, name: str) -> int:
    foe = other(role)
    if name in ("win", "lose", "kill", "die"):
        return _odds(f, role, name)
    values = {
        "mine.line": len(f.line[role]),
        "foe.line": len(f.line[foe]),
        "mine.strikes": len(f.strikes[role]),
        "foe.strikes": len(f.strikes[foe]),
        "mine.air": len(f.air[role]),
        "foe.air": len(f.air[foe]),
        "mine.left": left(f, point(f, role)),
        "declared": 0 if f.hidden else len(f.declared[foe]),
        "round": f.rounds,
        "face": f.faces,
        "airround": f.air_rounds,
    }
    return values[name]


def _called(f: Fight, role: Role, name: str) -> tuple[str, ...]:
    """All words that a thing can be called by."""
    whose, what = name.split(".")
    if what == "tactic":
        return (f.tactic,)
    line = f.line[role if whose == "mine" else other(role)]
    place = 0 if what == "point" else 1
    if place >= len(line):
        return ("nobody",)
    kind = f.charts.kinds[f.units[line[place]].kind]
    return kind.family, kind.sign.casefold()


def _odds(f: Fight, role: Role, name: str) -> int:
    """How often, in per cent rounded down, a round of point against point ends so, with the dice of both points."""
    if not f.line["attack"] or not f.line["defence"]:
        return 0
    ours, theirs = (
        highest(strength(f, point(f, "attack"), "attack")),
        highest(strength(f, point(f, "defence"), "defence")),
    )
    sign = 1 if role == "attack" else -1
    least = combat.WHOLE * f.charts.game.eliminate_margin if name in ("kill", "die") else 1
    sign = sign if name in ("win", "kill") else -sign
    edge = aids.edge(f)
    good = sum(ours[a] * theirs[d] for a, d in product(ours, theirs) if sign * (combat.WHOLE * (a - d) - edge) >= least)
    return 100 * good // (sum(ours.values()) * sum(theirs.values()))


def highest(dice: tuple[int, ...]) -> dict[int, int]:
    """In how many of all ways the highest die shows each face."""
    ways = {}
    below = 0
    for face in range(1, max(dice) + 1):
        total = 1
        for sides in dice:
            total *= min(face, sides)
        ways[face] = total - below
        below = total
    return ways
