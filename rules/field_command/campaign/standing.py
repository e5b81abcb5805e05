"""Standing plans: what a seat has ordered for all its battles to come. [R99]

A standing plan lies open. It orders the line, is the plan of the battle, and fires the guns of a defence.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Ask, Illegal, Note, Roll, Tell
from rules.field_command import deploy, plans, rule, sequence
from rules.field_command.campaign import fighting, guns
from rules.field_command.campaign.orders import Fire, StandingPlan
from rules.field_command.campaign.state import Standing, War
from rules.field_command.orders import Deploy
from rules.field_command.rows import Army, Role
from rules.field_command.state import Fight, seat_of
from rules.field_command.terms import ADJECTIVES

ANY = "any"


def of(w: War, seat: str, role: Role, sector: str) -> tuple[str, ...]:
    """The rules of a seat for a battle there: those for the sector before those for any; () where there are none."""
    for where in (sector, ANY):
        for one in w.standing:
            if (one.seat, one.role, one.place) == (seat, role, where):
                return one.rules
    return ()


# --- the order ---


def refuse(w: War, seat: str, order: StandingPlan, waiting: tuple[Ask | Roll, ...]) -> Illegal | None:
    """Whoever is asked anything may give one; its rules are those of the role, its units the seat's own."""
    if not any(isinstance(one, Ask) and one.seat == seat for one in waiting):
        return Illegal("a standing plan is given when you are asked for something", ("R99",))
    if order.place is not None and order.place not in w.board.sectors:
        return Illegal(f"{w.board.name(order.place)} is no sector", ("R99",))
    own = w.armies_of(seat)
    for text in order.rules:
        one = rule.parse(text)
        for unit in (word for word in one.what if "-" in word):
            if unit not in w.units or w.units[unit].army not in own:
                return Illegal(f'"{text}": {unit} is not yours', ("R99",))
        for place in one.what if one.do == "retreat" else ():
            if place not in w.board.places:
                return Illegal(f'"{text}": {place} is no sector', ("R99",))
        if order.role == "defence" and (one.do in ("tactic", "add") or one.what == ("battle",)):
            return Illegal(f'"{text}" is for the attacker', ("R99", "4.4.1"))
        if order.role == "attack" and one.do in ("drop", "cover", "reserve"):
            return Illegal(f'"{text}" is for the defender', ("R99", "4.7.2"))
    return None


def give(w: War, seat: str, order: StandingPlan, tell: Tell) -> None:
    """It takes the place of the one before; without rules there is none any more."""
    key = (seat, order.role, order.place or ANY)
    kept = [one for one in w.standing if (one.seat, one.role, one.place) != key]
    if order.rules:
        kept.append(Standing(*key, order.rules))
    w.standing = tuple(sorted(kept))
    armies = " and ".join(ADJECTIVES[army] for army in w.armies_of(seat))
    where = "every sector" if order.place is None else w.board.name(order.place)
    said = {"army": armies, "role": order.role, "where": where, "rules": "; ".join(order.rules)}
    tell(Note("standing.given" if order.rules else "standing.none", said, ("R99",)))


# --- what it answers ---


def answers(w: War, tell: Tell) -> bool:
    """Whether a standing plan has done what is asked now."""
    f = w.fight
    if f is None:
        return w.phase == "battles" and len(w.battles) > 1 and _next_battle(w, tell)
    role = sequence.asked(f)
    if role is None or f.node.partition("_")[0] not in ("deploy", "plan"):
        return False
    rules = of(w, seat_of(f, role), role, w.sector)
    if not rules:
        return False
    if f.node.startswith("plan"):
        _plan(f, role, rules, tell)
    elif any(one.do == "ask" and one.what == ("line",) and plans.holds(f, role, one) for one in _parsed(rules)):
        return False
    else:
        sequence.carry_out(f, role, Deploy(units=line(f, role, rules)), tell)
    sequence.settle(f, tell)
    fighting.follow(w, tell)
    return True


def _parsed(rules: tuple[str, ...]) -> Iterator[rule.Rule]:
    yield from (rule.parse(text) for text in rules)


def _plan(f: Fight, role: Role, rules: tuple[str, ...], tell: Tell) -> None:
    """The rules that are about the battle itself are its plan, in clear."""
    fitting = tuple(text for text in rules if not sequence.standing_only(rule.parse(text)))
    sequence.plan(f, role, fitting or ("default",), tell)
    if role == "attack":
        sequence.planned(f, tell)
    else:
        f.node = "plan_attack" if f.skies else "deploy_attack"


def line(f: Fight, role: Role, rules: tuple[str, ...]) -> tuple[str, ...]:
    """The units of a line by the first `line` rule that fits; the strongest first where nothing is said."""
    best = deploy.strongest_first(f, role)
    for one in _parsed(rules):
        if one.do == "line" and plans.holds(f, role, one):
            named = [unit for word in one.what for unit in best if word in _called(f, unit)]
            return tuple(dict.fromkeys((*named, *best)))
    return best


def _called(f: Fight, unit: str) -> tuple[str, str, str]:
    kind = f.charts.kinds[f.units[unit].kind]
    return unit, kind.family, kind.sign.casefold()


def _next_battle(w: War, tell: Tell) -> bool:
    """The next battle in the order of the list, unless its owner wants to be asked."""
    rules = of(w, w.seats[w.army], "attack", ANY)
    if not rules or "ask battle" in rules:
        return False
    fighting.begin(w, w.battles[0], tell)
    return True


def cover(w: War, army: Army, tell: Tell) -> bool:
    """Fire the guns as the standing plans for the attacked sectors say; whether all of them say so."""
    said = {at: tuple(_parsed(of(w, w.seats[army], "defence", at))) for at in guns.targets(w, army)}
    guns_of = {at: next((one.what for one in rules if one.do == "cover"), ()) for at, rules in said.items()}
    if not all(guns_of.values()):
        return False
    for sector, rules in said.items():
        kept = next((int(one.what[0]) for one in rules if one.do == "reserve"), 0)
        _barrage(w, army, sector, guns_of[sector], kept, tell)
    tell(Note("cover.done", {"army": ADJECTIVES[army]}, ("8.3.5.1", "R99")))
    return True


def _barrage(w: War, army: Army, sector: str, said: tuple[str, ...], kept: int, tell: Tell) -> None:
    able = [unit.id for unit, place in guns.possible(w, army) if place == sector]
    if said == ("none",):
        able = []
    elif said[0].isdigit():
        able = able[: int(said[0])]
    elif said != ("all",):
        able = [unit for unit in said if unit in able]
    for unit in able:
        order = Fire(unit=unit, place=sector)
        if (not w.with_supplies or w.supplies[army] > kept) and guns.refuse(w, army, order) is None:
            guns.fire(w, order, tell)
