"""From the state of a battle to what a reader sees of it."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Known
from rules.field_command import air, sequence, terms
from rules.field_command.orders import Plan
from rules.field_command.rows import Role
from rules.field_command.seen import Battle, Condition, Fighter, Rolls
from rules.field_command.state import ROLES, TACTICS, Fight, paired, seat_of, strength

STEPS = {
    "deploy": "places {whose} units",
    "plan": "may give a plan",
    "combat_cards": "may play a combat card",
    "open_plan": "opens the plan",
    "open_strikes": "opens {whose} strikes",
    "pick_aircraft": "names an aircraft",
    "choose_tactic": "chooses a tactic",
    "declare_strikes": "declares strikes",
    "choose_die": "chooses a die",
    "withdraw": "may withdraw",
}


def battle(f: Fight, title: str, seat: str, known: Known) -> Battle:
    """The Combat Board; only the defender's own sealed plan is not the same for everybody."""
    return Battle(
        charts=f.charts,
        title=title,
        attacker=f.army["attack"],
        defender=f.army["defence"],
        step=step(f),
        bonus=f.bonus,
        tactic=TACTICS.get(f.tactic, ""),
        paired=paired(f),
        rounds=f.rounds,
        face_off=f.faces,
        attack_line=fighters(f, "attack", f.line["attack"]),
        defence_line=fighters(f, "defence", f.line["defence"]),
        attack_air=flying(f, "attack"),
        defence_air=flying(f, "defence"),
        attack_strikes=striking(f, "attack"),
        defence_strikes=striking(f, "defence"),
        gone=tuple(_fighter(f, gone.unit, gone.how) for gone in f.gone),
        rolls=tuple(rolls(f)),
        facts=tuple(facts(f, seat, known)),
        result=result(f),
    )


def step(f: Fight) -> str:
    """What is waited for, in words."""
    role = sequence.asked(f)
    if f.node == "over":
        return "over"
    if role is None:
        return {
            "air_round": "an air round is rolled",
            "strikes": "strikes are rolled",
            "again": "missed strikes are rolled again",
            "oil": "the dice of the fire are rolled",
            "pursuit": "strikes at the withdrawal are rolled",
        }.get(f.node, "a round is rolled")
    what = f.node if f.node.startswith("open") else sequence.WHAT[f.node][0]
    return f"the {'attacker' if role == 'attack' else 'defender'} {STEPS[what].format(whose='his')}"


def result(f: Fight) -> str:
    """How it ended."""
    if f.result is None:
        return ""
    if not f.result.winner:
        return "a draw"
    return f"{terms.ADJECTIVES[f.army[f.result.winner]]} victory"


def _fighter(f: Fight, unit: str, condition: Condition = "") -> Fighter:
    piece = f.units[unit]
    role: Role = "attack" if piece.army == f.army["attack"] else "defence"
    dice = strength(f, unit, role) or air.strength(f, unit)
    return Fighter(unit, piece.army, piece.kind, dice, f.used.get(unit, 0), condition)


def fighters(f: Fight, role: Role, units: list[str]) -> tuple[Fighter, ...]:
    """The units of a line."""
    return tuple(_fighter(f, unit) for unit in units)


def flying(f: Fight, role: Role) -> tuple[Fighter, ...]:
    """The aircraft that fight for the air."""
    return tuple(_fighter(f, unit) for unit in f.air[role])


def striking(f: Fight, role: Role) -> tuple[Fighter, ...]:
    """Strike units, those that have struck or are about to marked."""
    away = {*f.line[role], *f.air[role], *(gone.unit for gone in f.gone)}
    mine = [unit for unit, piece in f.units.items() if piece.army == f.army[role] and unit not in away]
    pool = [unit for unit in mine if f.charts.family(f.units[unit].kind) in ("artillery", "aircraft")]
    return tuple(_fighter(f, unit, "" if unit in f.strikes[role] else "spent") for unit in pool)


def rolls(f: Fight) -> Iterator[Rolls]:
    """The last dice with the result in words."""
    if f.last is None:
        return
    last = f.last
    number = f.air_rounds if last.what == "air" else f.rounds
    name = "air round" if last.what == "air" else "round"
    title = f"{name} {number}: {last.attack} against {last.defence}"
    who = "the attacker" if last.margin > 0 else "the defender"
    words = f"{who} wins by {terms.halves(abs(last.margin))}" if last.margin else "a draw"
    yield Rolls(title, last.attack_dice, last.defence_dice, words)


def facts(f: Fight, seat: str, known: Known) -> Iterator[tuple[str, str]]:
    """Plans, as far as they are known."""
    for role in ROLES:
        name = f"{'attacker' if role == 'attack' else 'defender'}'s plan"
        if role == "defence" and f.sealed:
            mine = known.get(f.sealed) if seat == seat_of(f, role) else None
            yield name, f"sealed: {said(mine)}" if mine is not None else "sealed"
        elif f.plans[role]:
            yield name, "; ".join(f.plans[role] or ())


def said(content: object) -> str:
    """A sealed plan in words."""
    plan = Plan.model_validate(content)
    return "; ".join(plan.rules) or "none, you are asked"
