"""The order of play of a battle: deployment, the air, then pair against pair until a line is empty. [A.2.3, OP-B]

What can only be done in one way, and what a plan answers, is done without asking.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import (
    Act,
    Amended,
    Ask,
    Illegal,
    Lapsed,
    Note,
    Opened,
    OpenSlots,
    Order,
    Ordered,
    Resigned,
    Roll,
    Rolled,
    Sealed,
    Tell,
)
from pbem.api import Step as GameStep
from rules.field_command import aids, air, combat, deploy, plans, rule, strikes, tactics, withdrawal
from rules.field_command.orders import (
    Add,
    Assault,
    Concentrate,
    Deploy,
    Drop,
    Flank,
    Pick,
    Plan,
    Stay,
    Strike,
    Withdraw,
    WithdrawAir,
)
from rules.field_command.rows import Role
from rules.field_command.state import ROLES, Fight, Result, Shot, Stop, Tactic, anchor, other, role_of, seat_of
from rules.field_command.terms import ADJECTIVES

WHAT = {
    "deploy_defence": ("deploy", "4.2.1"),
    "deploy_attack": ("deploy", "4.2.1"),
    "plan_defence": ("plan", "R94"),
    "plan_attack": ("plan", "R94"),
    "cards_attack": ("combat_cards", "15.3.2"),
    "cards_defence": ("combat_cards", "15.3.2"),
    "pick_defence": ("pick_aircraft", "4.9.2"),
    "pick_attack": ("pick_aircraft", "4.9.2"),
    "tactic": ("choose_tactic", "4.4.1"),
    "strike_defence": ("declare_strikes", "5.3.3"),
    "strike_attack": ("declare_strikes", "5.3.3"),
    "die": ("choose_die", "R8"),
    "leave_defence": ("withdraw", "R22"),
    "leave_attack": ("withdraw", "R22"),
}
"""What is asked at a node, and by which clause."""


def asked(f: Fight) -> Role | None:
    """Whose decision the battle waits for; None where dice are due, or it is over."""
    if f.node in ("air_round", "strikes", "again", "round", "oil", "pursuit", "over"):
        return None
    if f.node == "tactic":
        return "attack"
    if f.node == "die":
        return combat.chooser(f)
    return "attack" if f.node.endswith("attack") else "defence"


def pending(f: Fight) -> tuple[Ask | Roll, ...]:
    """What the battle waits for."""
    if f.node == "over":
        return ()
    if f.node == "air_round":
        return (air.waits(f),)
    if f.node in ("strikes", "again"):
        return (strikes.waits(f),)
    if f.node == "oil":
        return (aids.waits(f),)
    if f.node == "round":
        return (combat.waits(f),)
    if f.node == "pursuit":
        return (withdrawal.waits(f),)
    role = asked(f) or "defence"
    seat = seat_of(f, role)
    if f.node == "open_plan":
        return (Ask(seat, "open_plan", "R94", client=OpenSlots((f.sealed,))),)
    if f.node == "open_strikes":
        return (Ask(seat, "open_strikes", "R6", client=OpenSlots((f.closed,))),)
    what, clause = WHAT[f.node]
    if f.node == "strike_defence" and strikes.hidden(f):
        return (Ask(seat, what, "R6", secret=f"{f.name}/strikes", sealed="strike"),)
    if f.node == "plan_defence":
        return (Ask(seat, what, clause, secret=f"{f.name}/plan", sealed="plan"),)
    return (Ask(seat, what, clause, window="cards" if f.node.startswith("cards") else ""),)


# --- orders ---


def offers(f: Fight, seat: str) -> Iterator[Order]:
    """Orders for a menu; there are more plans and lines than these."""
    role = role_of(f, seat)
    if role is None or asked(f) != role:
        return
    if f.node.startswith("deploy"):
        yield from deploy.offers(f, role)
    elif f.node.startswith("plan"):
        yield Plan()
        yield Plan(rules=("default",))
        yield Plan(rules=("strike all", "ask tactic") if f.strikes[role] or f.air[role] else ("ask tactic", "default"))
        if f.field:
            yield Plan(rules=("withdraw when mine.line = 1 and foe.line >= 3",))
    elif f.node.startswith("pick"):
        yield from air.offers(f, role)
    elif f.node == "tactic":
        yield from tactics.offers(f)
    elif f.node.startswith("strike"):
        yield from strikes.offers(f, role)
    elif f.node == "die":
        yield from combat.offers(f)
    elif f.node.startswith("leave"):
        yield from withdrawal.offers(f, role)


def refuse(f: Fight, seat: str, act: Act) -> Illegal | None:
    """Why this may not be done now."""
    role = role_of(f, seat)
    if role is None:
        return Illegal(f"{seat} has no army in this battle", ("A.2.1",))
    if isinstance(act, Opened):
        return _refuse_opening(f, role, act)
    if isinstance(act, Sealed):
        return Illegal("a plan that is sealed stays as it is", ("R94",))
    if isinstance(act, Amended):
        changed = act.options.get("r6", "sealed" if f.hidden else "first") != ("sealed" if f.hidden else "first")
        return Illegal("how strikes are declared is agreed on before a battle", ("R6",)) if changed else None
    if f.node == "over":
        return Illegal("the battle is over", ("A.2.4",))
    match act:
        case Deploy():
            return deploy.refuse(f, role, act)
        case Plan():
            return refuse_plan(f, role, act)
        case Pick():
            return air.refuse(f, role, act)
        case Assault() | Concentrate() | Flank():
            return tactics.refuse(f, role, act)
        case Strike():
            return strikes.refuse(f, role, act)
        case Add() | Drop():
            return combat.refuse_die(f, role, act)
        case Withdraw() | WithdrawAir() | Stay():
            return withdrawal.refuse(f, role, act)
    return Illegal("no order of a battle", ("A.2.3",))


def _refuse_opening(f: Fight, role: Role, act: Opened) -> Illegal | None:
    if f.node == "open_strikes" and role == "defence" and [slot for slot, _ in act.items] == [f.closed]:
        return strikes.unfit(f, role, act.order) if isinstance(act.order, Strike) else None
    if f.node != "open_plan" or role != "defence" or [slot for slot, _ in act.items] != [f.sealed]:
        return Illegal("the defender's plan is opened when both lines stand", ("R94",))
    return _fit(f, role, act.order) if isinstance(act.order, Plan) else None


def refuse_plan(f: Fight, role: Role, order: Plan) -> Illegal | None:
    """A plan is given once, after the own deployment, and names own units only."""
    if f.node != f"plan_{role}":
        return Illegal("a plan is given once, after your deployment", ("R94",))
    return _fit(f, role, order)


def standing_only(one: rule.Rule) -> bool:
    """Whether a rule is about what happens before a plan is given."""
    return one.do in ("line", "cover", "reserve") or (one.do, *one.what) in rule.STANDING


def _fit(f: Fight, role: Role, order: Plan) -> Illegal | None:
    for text in order.rules:
        one = rule.parse(text)
        if standing_only(one):
            return Illegal(f'"{text}" is for a standing plan', ("R99",))
        for unit in (word for word in one.what if "-" in word):
            if unit not in f.units or f.units[unit].army != f.army[role]:
                return Illegal(f'"{text}": {unit} is not yours', ("R94",))
            if f.charts.family(f.units[unit].kind) not in ("artillery", "aircraft"):
                return Illegal(f'"{text}": {unit} stands on the line', ("R94", "5.1.1"))
        if one.do in ("tactic", "add") and role != "attack":
            return Illegal(f'"{text}" is for the attacker', ("R94", "4.4.1"))
        if not f.field and (one.do in ("retreat", "withdraw") or one.what in (("leave",), ("retreat",))):
            return Illegal(f'"{text}": nobody withdraws from a single battle', ("R67",))
        if one.do == "drop" and role != "defence":
            return Illegal(f'"{text}" is for the defender', ("R94", "4.7.2"))
    return None


# --- steps ---


def apply(f: Fight, step: GameStep, tell: Tell) -> None:
    """Carry out what was ordered, opened or rolled, then go on to the next thing that is asked."""
    match step:
        case Ordered(seat=seat, order=order):
            carry_out(f, role_of(f, seat) or "defence", order, tell)
        case Sealed(slots=slots) if f.node == "strike_defence":
            f.closed = slots[0]
            f.node = "strike_attack"
            tell(Note("strike.sealed", {"army": ADJECTIVES[f.army["defence"]]}, ("R6",)))
        case Opened(order=Strike() as order) if f.node == "open_strikes":
            open_strikes(f, strikes.shots(f, "defence", order), tell)
        case Lapsed() if f.node == "open_strikes":
            open_strikes(f, (), tell)
        case Sealed(slots=slots):
            f.sealed = slots[0]
            f.node = "plan_attack" if f.skies else "deploy_attack"
            tell(Note("plan.sealed", {"army": ADJECTIVES[f.army["defence"]]}, ("R94",)))
        case Opened(order=order):
            plan(f, "defence", order.rules if isinstance(order, Plan) else (), tell)
            f.sealed = ""
            start(f, tell)
        case Lapsed():
            plan(f, "defence", (), tell)
            f.sealed = ""
            start(f, tell)
        case Rolled(label=label, values=values):
            roll(f, tuple(int(value) for value in values or ()), label, tell)
        case Resigned(seat=seat):
            give_up(f, role_of(f, seat) or "defence", tell)
        case Amended():
            return
    settle(f, tell)


def carry_out(f: Fight, role: Role, order: Order, tell: Tell) -> None:
    """Hand the order to its chapter, and go a node further."""
    match order:
        case Deploy():
            deploy.deploy(f, role, order, tell)
            deployed(f, role, tell)
        case Plan():
            plan(f, role, order.rules, tell)
            planned(f, tell)
        case Pick():
            pick(f, role, order.unit, tell)
        case Assault() | Concentrate() | Flank():
            tactic(f, tactics.word(order), tell)
        case Strike():
            declare(f, role, strikes.shots(f, role, order), tell)
        case Add() | Drop():
            combat.choose(f, int(order.die[1:]), tell)
            f.node = "round"
        case Withdraw():
            withdrawal.declare(f, role, tell)
            withdraw(f, tell)
        case WithdrawAir():
            withdrawal.fly_off(f, role, tell)
        case Stay():
            stay(f, role, tell)


def decides(f: Fight, role: Role) -> bool:
    """Whether the battle can ask this side anything after deployment: else no plan is asked for."""
    return f.field or bool(f.strikes[role] or f.air[role] or len(f.line["attack"]) > 1)


def deployed(f: Fight, role: Role, tell: Tell) -> None:
    """The defender's plan is sealed before the attacker deploys; the attacker's may be in clear. [R94]"""
    if decides(f, role):
        f.node = "plan_defence" if role == "defence" else "plan_attack"
        return
    f.plans[role] = ()
    if role == "defence":
        f.node = "deploy_attack"
    else:
        planned(f, tell)


def planned(f: Fight, tell: Tell) -> None:
    """Both lines stand: combat cards come now, if they are used and there is a battle on the ground. [R58]"""
    if f.deck and not f.skies:
        f.node = "cards_attack"
    else:
        open_plan(f, tell)


def card_or_pass(f: Fight, role: Role, played: bool, tell: Tell) -> None:
    """A side has played a combat card, or none; when both pass in a row the battle begins. [R58]"""
    f.passes = 0 if played else f.passes + 1
    if f.passes == len(ROLES):
        open_plan(f, tell)
        settle(f, tell)
    else:
        f.node = "cards_attack" if role == "defence" else "cards_defence"


def open_plan(f: Fight, tell: Tell) -> None:
    """The defender's plan is opened, then the battle begins."""
    if f.sealed:
        f.node = "open_plan"
    else:
        start(f, tell)


def plan(f: Fight, role: Role, rules: tuple[str, ...], tell: Tell) -> None:
    """The rules that answer for a seat from now on."""
    f.plans[role] = rules
    said = {"army": ADJECTIVES[f.army[role]], "rules": "; ".join(rules)}
    tell(Note("plan.given" if rules else "plan.none", said, ("R94",)))


def start(f: Fight, tell: Tell) -> None:
    """Before the air, and between its rounds, one may withdraw."""
    if air.contested(f) or not f.air_rounds:
        stop(f, "air" if f.air_rounds else "start", tell)
    else:
        sky(f, tell)


def sky(f: Fight, tell: Tell) -> None:
    """Air superiority comes before the ground. [4.9.1]"""
    if air.contested(f):  # [OP-B.6]
        f.node = "pick_defence"
    elif f.leaver:
        withdrawal.after_air(f, tell)
    elif f.skies:
        air.end(f, tell)
    else:
        air.settle(f, tell)
        face(f, tell)


# --- checkpoints ---


def stop(f: Fight, at: Stop, tell: Tell) -> None:
    """A checkpoint: the defender is asked first who withdraws [R88]; in a single battle nobody may [R67]."""
    f.stop = at
    if f.field:
        f.node = "leave_defence"
    else:
        go_on(f, tell)


def stay(f: Fight, role: Role, tell: Tell) -> None:
    """This side does not withdraw, or not more."""
    if role == "defence":
        f.node = "leave_attack"
    else:
        go_on(f, tell)


def withdraw(f: Fight, tell: Tell) -> None:
    """The ground units of a side leave once the air is settled. [OP-W.2]"""
    # [OP-W.2, 10.4.2-ex]
    f.stop = "air"
    sky(f, tell)


def go_on(f: Fight, tell: Tell) -> None:
    """What comes after a checkpoint."""
    at, f.stop = f.stop, ""
    if at in ("start", "air"):
        sky(f, tell)
    elif at == "face":
        if f.tactic:
            stop(f, "chosen", tell)
        else:
            f.node = "tactic"
    elif at == "chosen":
        f.node = "strike_defence"
    elif at == "declared":
        f.node = "strikes"
    else:
        f.node = "die"


def pick(f: Fight, role: Role, unit: str, tell: Tell) -> None:
    """The defender's aircraft, the attacker's, then dice."""
    air.pick(f, role, unit, tell)  # [OP-B.3, OP-B.4]
    f.node = "pick_attack" if role == "defence" else "air_round"


def face(f: Fight, tell: Tell, struck: str = "") -> None:
    """The points that stand now: a new pair is announced, a pair that goes on fights on."""
    if combat.over(f):  # [OP-B.11, OP-B.12]
        combat.end(f, tell)
        return
    if not f.fresh:
        stop(f, "round" if struck == "round" else "struck", tell)
        return
    f.faces += 1
    said: dict[str, str | int] = {"attacker": f.line["attack"][0], "defender": f.line["defence"][0], "number": f.faces}
    tell(Note("face_off", said, ("4.1.1",), anchor=f"{anchor(f)}.face{f.faces}"))
    if f.faces == 1 and not f.air_rounds:  # nothing has happened since the start
        f.stop = "face"
        go_on(f, tell)
    else:
        stop(f, "face", tell)


def tactic(f: Fight, chosen: Tactic, tell: Tell) -> None:
    """The tactic stands before strikes are declared."""
    tactics.choose(f, chosen, tell)
    stop(f, "chosen", tell)


def declare(f: Fight, role: Role, shots: tuple[Shot, ...], tell: Tell) -> None:
    """The defender declares, then the attacker; then all strikes are rolled, or the points fight. [R6]"""
    if shots or f.strikes[role]:
        strikes.declare(f, role, shots, tell)
    if role == "defence":
        f.node = "strike_attack"
    elif f.closed:
        f.node = "open_strikes"
    else:
        declared(f, tell)


def open_strikes(f: Fight, shots: tuple[Shot, ...], tell: Tell) -> None:
    """What the defender had sealed; nothing where it is never opened. [R6]"""
    f.closed = ""
    strikes.declare(f, "defence", shots, tell)
    declared(f, tell)


def declared(f: Fight, tell: Tell) -> None:
    """Both have declared."""
    if strikes.declared(f):
        stop(f, "declared", tell)
    else:
        f.fresh = False
        f.node = "die"


def roll(f: Fight, faces: tuple[int, ...], label: str, tell: Tell) -> None:
    """Dice of the air, of strikes or of a round."""
    if f.node == "air_round":
        air.fight(f, faces, label, tell)  # [OP-B.5]
        start(f, tell)
    elif f.node in ("strikes", "again"):
        again = f.node == "again"
        strikes.resolve(f, faces, label, tell)
        if again or f.node != "again":
            face(f, tell, "struck")
    elif f.node == "oil":
        combat.beaten(f, aids.burnt(f, faces, label, tell), tell)
        face(f, tell, "round")
    elif f.node == "pursuit":
        withdrawal.pursue(f, faces, label, tell)
    else:
        combat.fight(f, faces, label, tell)  # [OP-B.10]
        if f.burning:
            f.node = "oil"
        else:
            face(f, tell, "round")


def give_up(f: Fight, role: Role, tell: Tell) -> None:
    """Nobody withdraws from a single battle, but a seat may give up. [R67]"""
    f.result = Result(other(role), "R67")
    f.node = "over"
    tell(Note("end.resigned", {"army": ADJECTIVES[f.army[role]]}, ("R67",)))


def settle(f: Fight, tell: Tell) -> None:
    """Go on by itself as long as there is one way only, or a plan answers."""
    while answered(f, tell):
        pass


def answered(f: Fight, tell: Tell) -> bool:
    """Whether the node was answered without asking."""
    if f.node in ("pick_defence", "pick_attack"):
        role = ROLES[f.node == "pick_attack"]
        if len(f.air[role]) > 1 and not plans.planned(f, role, "air"):
            return False
        pick(f, role, plans.picked(f, role), tell)
        return True
    if f.node == "tactic":
        possible = tactics.possible(f)
        if len(possible) > 1 and not plans.planned(f, "attack", "tactic"):
            return False
        tactic(f, plans.tactic(f, possible), tell)
        return True
    if f.node in ("strike_defence", "strike_attack"):
        role = ROLES[f.node == "strike_attack"]
        if f.strikes[role] and not plans.planned(f, role, "strike"):
            return False
        declare(f, role, plans.struck(f, role) if f.strikes[role] else (), tell)
        return True
    if f.node in ("leave_defence", "leave_attack"):
        return left_or_stayed(f, ROLES[f.node == "leave_attack"], tell)
    if f.node == "die":
        there, role = combat.choices(f), combat.chooser(f)
        if len(there) > 1 and not plans.planned(f, role, "die"):
            return False
        if there:
            f.die = there[0] if len(there) == 1 else plans.die(f, role)
        f.node = "round"
        return True
    return False


def left_or_stayed(f: Fight, role: Role, tell: Tell) -> bool:
    """A plan withdraws, or its owner stays; whoever has none is asked where there is a choice."""
    if withdrawal.possible(f, role):
        if not plans.planned(f, role, "leave"):
            return False
        off, air_off = withdrawal.planned(f, role)
        if air_off:
            withdrawal.fly_off(f, role, tell)
        if off:
            withdrawal.declare(f, role, tell)
            withdraw(f, tell)
            return True
    stay(f, role, tell)
    return True
