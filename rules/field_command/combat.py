"""Rounds of combat: dice on both sides, the highest counts, and who leaves the line. [4.3 to 4.7]"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.api import Illegal, Note, Order, Roll, Tell
from rules.field_command import aids, terms
from rules.field_command.orders import Add, Drop
from rules.field_command.rows import Role
from rules.field_command.state import (
    Fight,
    Gone,
    How,
    Last,
    Result,
    disguised,
    in_round,
    left,
    other,
    point,
    strength,
    support,
)

FIXED = ("fixed_6", "fixed_9", "fixed_15")
WHOLE = 2
"""A point of the dice in halves. [6.7.3]"""
CLAUSES: Mapping[How, str] = {
    "eliminated": "4.3.3",
    "suppressed": "4.3.3",
    "fatigued": "4.3.4",
    "captured": "11.4.3",
    "withdrawn": "13.2.3",
}


# --- the die that is added or dropped ---


def choices(f: Fight) -> tuple[int, ...]:
    """The dice that can be chosen this round, each size once, largest first; () where nothing is to choose."""
    if f.tactic == "concentrate" and support(f):
        return tuple(dict.fromkeys(strength(f, support(f), "attack")))  # [4.6.2, R8]
    dice = strength(f, point(f, "defence"), "defence")
    if f.tactic == "flank" and support(f) and len(dice) > 1:  # [4.7.3]: a single die stays
        return tuple(dict.fromkeys(dice))  # [4.7.2, R8]
    return ()


def chooser(f: Fight) -> Role:
    """Who chooses the die: the attacker adds [BR-5], the defender drops [BR-6]."""
    return "attack" if f.tactic == "concentrate" else "defence"


def usual(f: Fight) -> int:
    """The die that is taken unless something else is ordered: the largest is added, the smallest dropped. [R8]"""
    return choices(f)[0] if f.tactic == "concentrate" else choices(f)[-1]


def refuse_die(f: Fight, role: Role, order: Add | Drop) -> Illegal | None:
    """The die is one of the unit's, and this tactic asks for it."""
    if isinstance(order, Add):
        if role != "attack" or f.tactic != "concentrate" or not support(f):
            return Illegal("only the attacker's Force Concentration adds a die", ("4.6.2",))
    elif role != "defence" or f.tactic != "flank" or not support(f):
        return Illegal("only a flanked defender drops a die", ("4.7.2",))
    elif not choices(f):
        return Illegal("a single die is kept, and counts one less", ("4.7.3",))
    if int(order.die[1:]) not in choices(f):
        clause = "4.6.2" if isinstance(order, Add) else "4.7.2"
        return Illegal(f"there is no {order.die} to choose", (clause,), f"dice: {terms.dice(choices(f))}")
    if f.node != "die":
        return Illegal("the die of this round is not to choose now", ("R8",))
    return None


def offers(f: Fight) -> Iterator[Order]:
    """Every die that can be chosen."""
    for sides in choices(f):
        yield Add(die=f"d{sides}") if f.tactic == "concentrate" else Drop(die=f"d{sides}")


def choose(f: Fight, sides: int, tell: Tell) -> None:
    """The die of this round."""
    f.die = sides
    clause = "4.6.2" if f.tactic == "concentrate" else "4.7.2"
    unit = support(f) if f.tactic == "concentrate" else point(f, "defence")
    tell(Note(f"die.{f.tactic}", {"unit": unit, "die": f"d{sides}"}, (clause,)))


# --- the round ---


def rolled(f: Fight, role: Role) -> tuple[int, ...]:
    """The dice of a role this round: the point's, largest first, and the die that is lent. [4.5.1]"""
    dice = strength(f, point(f, role), role)
    if role == "attack":
        return (*dice, f.die) if f.tactic == "concentrate" and f.die else dice  # [4.6.2]
    if f.tactic == "flank" and f.die:
        dice = list_without(dice, f.die)  # [4.7.2]
    return dice


def list_without(dice: tuple[int, ...], die: int) -> tuple[int, ...]:
    """The dice without one of that size."""
    place = dice.index(die)
    return (*dice[:place], *dice[place + 1 :])


def waits(f: Fight) -> Roll:
    """Both strengths: the attacker's dice, then the defender's. [4.3.1, 4.3.6]"""
    # [4.3.6]: who rolls first makes no difference
    return Roll(f"{f.name}/round/{f.rounds + 1}", "4.3.1", dice=(*rolled(f, "attack"), *rolled(f, "defence")))


def handicap(f: Fight) -> int:
    """What the defender's highest die is changed by, in halves: the bonus, and a single die that is flanked."""
    unit = point(f, "defence")
    single = len(strength(f, unit, "defence")) == 1
    found = f.bonus + aids.bonus(f, "defence", unit)
    if single and f.tactic == "flank" and support(f):
        found -= WHOLE * f.charts.game.flanked_single  # [4.3.2, 4.7.3, R11]
    piece = f.units[unit]
    if disguised(f, unit) and len(f.charts.dice(piece.colour, piece.kind, "defence")) == 1:
        found -= WHOLE * disguised(f, unit)
    return found


def result(f: Fight, margin: int) -> How:
    """What a margin in halves does to the loser. [4.3.3, R10]"""
    return "eliminated" if abs(margin) >= WHOLE * f.charts.game.eliminate_margin else "suppressed"


def fight(f: Fight, faces: tuple[int, ...], label: str, tell: Tell) -> None:
    """One round: the highest die of each side, who has lost, who is tired."""
    count = len(rolled(f, "attack"))
    attack, defence = faces[:count], faces[count:]
    pair, enemy = in_round(f, "attack"), point(f, "defence")
    ours = WHOLE * max(attack) + aids.bonus(f, "attack", pair[0])
    theirs = WHOLE * max(defence) + handicap(f)  # [1.5]: a 0 is a 10, faces are from 1
    margin = ours - theirs
    aids.fought(f, "defence", enemy)
    f.rounds += 1
    f.last = Last("round", pair[0], enemy, attack, defence, margin)
    for unit in pair:
        f.used[unit] = f.used.get(unit, 0) + 1  # [4.3.4, 4.6.1, 4.7.1]
    said: dict[str, str | int] = {
        "attacker": " with ".join(pair),
        "defender": enemy,
        "attack": terms.halves(ours),
        "defence": terms.halves(theirs),
        "margin": terms.halves(abs(margin)),
        "tactic": f.tactic,
    }
    f.die = 0
    f.fresh = False
    if margin == 0:
        tell(Note("round.draw", said, ("4.3.1",), label))
    elif margin > 0:
        tell(Note("round.won", said, ("4.3.1", "4.3.3"), label))
        how = result(f, margin)
        fixed = f.field and f.units[enemy].kind in FIXED
        if not aids.spared(f, "defence", enemy, how, tell):
            remove(f, "defence", enemy, "captured" if fixed and how == "eliminated" else how, tell)  # [11.4.3]
    else:
        clause = {"concentrate": "4.6.3", "flank": "4.7.4"}.get(f.tactic, "4.3.3")
        tell(Note("round.lost", said, ("4.3.1", clause), label))
        how = aids.result(f, "attack", result(f, margin))
        if how == "suppressed" and aids.in_the_fire(f, pair):
            f.burning = pair
            return
        beaten(f, dict.fromkeys(pair, how), tell)
        return
    settle(f, tell)


def beaten(f: Fight, fates: Mapping[str, How], tell: Tell) -> None:
    """The attackers of the round leave the line."""
    f.burning = ()
    for unit, how in fates.items():
        remove(f, "attack", unit, how, tell)
    f.tactic = ""
    settle(f, tell)


def settle(f: Fight, tell: Tell) -> None:
    """After a round attackers may be tired, unless it has ended the battle. [R93]"""
    if not over(f):
        tire(f, tell)


def tire(f: Fight, tell: Tell) -> None:
    """Attackers that have used their attacks leave the line. [4.3.4]"""
    fresh, pair = f.fresh, in_round(f, "attack")
    tired = [unit for unit in pair if not left(f, unit)]  # [4.3.5]: defenders never
    for unit in tired:
        remove(f, "attack", unit, "fatigued", tell)
    if tired:
        f.tactic = "" if len(tired) == len(pair) else "assault"  # [4.4.5, R4]: whoever is left of a pair
        f.fresh = f.fresh if pair[0] in tired else fresh  # [R7]


def remove(f: Fight, role: Role, unit: str, how: How, tell: Tell) -> None:
    """A unit leaves the line; the next one takes its place, and a new pair faces off. [4.1.1, 5.3.1, R7]"""
    f.line[role].remove(unit)
    f.used.pop(unit, None)
    f.gone = (*f.gone, Gone(unit, how))
    f.fresh = True
    clause = CLAUSES[how]
    tell(Note(f"gone.{how}", {"unit": unit}, (clause,)))


def over(f: Fight) -> bool:
    """Whether a line is empty."""
    return not f.line["attack"] or not f.line["defence"]


def end(f: Fight, tell: Tell) -> None:
    """Who has no unit on the line has lost [A.2.4]; strike units do not count, and are taken back [OP-B.13, 5.3.2]."""
    if not f.line["attack"] and not f.line["defence"]:
        f.result = Result("", "R12")
        tell(Note("end.draw", {}, ("A.2.4", "R12")))
    else:
        winner: Role = "attack" if f.line["attack"] else "defence"
        f.result = Result(winner, "A.2.4")
        said = {"army": terms.ADJECTIVES[f.army[winner]], "units": ", ".join(f.line[winner])}
        tell(Note(f"end.{winner}", said, ("A.2.4",)))
        wasted = [unit for role in (winner, other(winner)) for unit in f.strikes[role]]
        if wasted:
            tell(Note("end.wasted", {"units": ", ".join(wasted)}, ("OP-B.13", "5.3.2")))
    f.node = "over"
