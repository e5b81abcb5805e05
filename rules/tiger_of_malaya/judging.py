"""What is refused in the steps of an impulse. [3.3]"""

from __future__ import annotations

from pbem.api import NOTHING_KNOWN, Illegal, Known, Order
from rules.tiger_of_malaya import (
    air,
    arrivals,
    attack,
    boats,
    bombardment,
    breakdown,
    drafts,
    movement,
    rail,
    sea,
    shut,
    stacking,
    straits,
    tether,
    trucks,
    works,
)
from rules.tiger_of_malaya.orders import (
    Attack,
    Base,
    Blow,
    Bombard,
    Break,
    Cross,
    Discard,
    Done,
    Enter,
    Fort,
    Move,
    Play,
    Probe,
    Rail,
    Rebuild,
    Recover,
    Reform,
    Repair,
    Replace,
    Steam,
    Truck,
)
from rules.tiger_of_malaya.state import ALLIES, State, of, option

STEPS: dict[tuple[str, str], tuple[str, ...]] = {
    ("full", ""): ("prepare", "move", "bombard", "declare", "fight", "finish"),  # [3.3.4.A]
    ("jungle", ""): ("prepare", "move", "bombard", "declare", "fight", "finish"),
    ("move", ""): ("prepare", "move", "finish"),
    ("choice", "move"): ("prepare", "move", "finish"),
    ("attack", ""): ("bombard", "declare", "fight", "finish"),
    ("choice", "attack"): ("bombard", "declare", "fight", "finish"),
    ("half", "move"): ("move", "finish"),
    ("half", "attack"): ("declare", "fight", "finish"),
}
"""What a chit opens, in order; a closed step stays closed. [3.3.1 to 3.3.6, R4, R8]"""
# [3.3.2.B, 3.3.6.B, 3.3.6.C, 3.3.6.D, 3.3.6.F]

BELONGS: dict[type[Order], str] = {
    Blow: "prepare",
    Replace: "prepare",
    Rebuild: "prepare",
    Recover: "prepare",
    Enter: "move",
    Move: "move",
    Rail: "move",
    Truck: "move",
    Steam: "move",
    Cross: "move",
    Bombard: "bombard",
    Attack: "declare",
    Probe: "declare",
    Fort: "finish",
    Reform: "finish",
    Repair: "finish",
    Discard: "finish",
}


STAGES: tuple[tuple[type[Order], ...], ...] = (
    *((Break,), (Blow,), (Replace, Rebuild), (Recover,)),
    *((Discard,), (Fort,), (Repair,), (Reform,)),
)
"""What is done one after another within the first step, and within the last. [3.3.4, R4]"""
PLACES = {kind: number for number, kinds in enumerate(STAGES, 1) for kind in kinds}


def stage(order: Order) -> int:
    """Its place among them, from 1; 0 for other orders."""
    return PLACES.get(type(order), 0)


def reached(s: State) -> int:
    """How far this impulse has come among them."""
    return max((number for number in range(1, len(STAGES) + 1) if f"stage:{number}" in s.facts), default=0)


def refuse_late(s: State, order: Order) -> Illegal | None:
    """What comes before something that was done is over; at the end of an impulse full hexes are cleared first."""
    # [R4]
    if isinstance(order, Fort | Repair | Reform):
        wrong = refuse_close(s, "finish")
        if wrong is not None:
            return wrong
    if isinstance(order, Discard) or not 0 < stage(order) < reached(s):
        return None
    done = " or ".join(kind.kind for kind in STAGES[reached(s) - 1])
    return Illegal(f"{order.kind} comes before {done} in an impulse", (*shut.OVER.get(type(order), ()), "R4"))


def refuse_play(s: State, order: Play) -> Illegal | None:
    """No HALF to attack while an Allied unit out of supply must move."""  # [R20]
    if s.chit == "half" and order.how == "attack" and s.active == ALLIES and option(s, "r20") != "free":
        left = {id: piece.left for id, piece in of(s, ALLIES)}
        fresh = {id for id, piece in of(s, ALLIES) if piece.fresh}
        movement.ready(s)
        id = movement.duty(s)
        for one, had in left.items():
            s.pieces[one].left, s.pieces[one].fresh = had, one in fresh
        if id is not None:
            return Illegal(f"{id} must come nearer to supply", ("4.4.B", "R20"))
    return None


def other(now: str) -> Illegal:
    """Something else is asked."""
    return Illegal("that is not what is asked", ("3.2.C",), f"you are asked: {now}")


def refuse_step(s: State, seat: str, order: Order, now: str, known: Known) -> Illegal | None:
    """An order of this step; those of later ones close those before, preparations apart."""  # [R4]
    if isinstance(order, Done):
        return refuse_close(s, now)
    if isinstance(order, Break):
        return refuse_late(s, order) or breakdown.refuse_break(s, seat, order)
    if isinstance(order, Base):
        return air.refuse_return(s, seat, order)
    step = BELONGS.get(type(order))
    if step is None:
        return other(now)
    if step not in s.plan:
        return early(s, seat, order, step) or shut.why(s, order, now)
    for one in s.plan[: s.plan.index(step)]:
        if one == "fight" and s.battles:
            return Illegal("the battles come first", ("12.5.B", "9.3.K"), "done")
        wrong = refuse_close(s, one)
        if wrong is not None:
            return wrong
    if step in ("move", "bombard", "declare") and now == "prepare":
        return Illegal("the movement step is not open yet", ("3.3.4.E", "R4"), "done")
    return refuse_late(s, order) or judge(s, seat, order, known)


def early(s: State, seat: str, order: Order, step: str) -> Illegal | None:
    """The first step closed by itself, as nothing could be done in it: why this cannot."""
    first = STEPS.get((s.chit, s.mode), ("",))[0]
    return judge(s, seat, order) if step == first == "prepare" and breakdown.begins(s, seat) else None


def judge(s: State, seat: str, order: Order, known: Known = NOTHING_KNOWN) -> Illegal | None:
    """An order of the step that is open, by itself."""
    match order:
        case Move():
            return movement.refuse_move(s, seat, order) or straits.refuse_leave(s, order.units, order.path[-1])
        case Blow():
            return works.refuse_blow(s, seat, order)
        case Recover():
            return works.refuse_recover(s, seat, order)
        case Enter():
            return arrivals.refuse_enter(s, seat, order, known)
        case Bombard():
            return bombardment.refuse_bombard(s, seat, order)
        case Attack() | Probe():
            return attack.refuse_attack(s, seat, order) or straits.refuse_order(s, order)
        case Replace():
            return drafts.refuse_replace(s, seat, order)
        case Rebuild():
            return drafts.refuse_rebuild(s, seat, order)
        case Rail():
            return rail.refuse_rail(s, seat, order) or straits.refuse_leave(s, order.units, order.to)
        case Truck():
            return trucks.refuse_truck(s, seat, order) or straits.refuse_leave(s, order.cargo, order.path[-1])
        case Steam():
            return sea.refuse_steam(s, seat, order)
        case Cross():
            return boats.refuse_cross(s, seat, order)
        case Reform():
            return breakdown.refuse_reform(s, seat, order)
        case Fort():
            return works.refuse_fort(s, seat, order)
        case Repair():
            return works.refuse_repair(s, seat, order)
        case Discard():
            return stacking.refuse_discard(s, seat, order.units)
    return other("")


def refuse_close(s: State, step: str) -> Illegal | None:
    """What keeps a step open: an Allied unit that must move, a hex with too many units. Nothing else has to be done."""
    # [3.3.P1, 9.0.B, R9]
    if step == "move":
        id = movement.duty(s)
        if id is not None:
            move = tether.nearer(s, id)
            return Illegal(f"{id} must come nearer to supply", ("4.4.B",), f"such as: {move}")
    if step == "declare":
        return straits.refuse_close(s)
    if step == "finish":
        over = stacking.crowded(s)
        if over:
            said = ", ".join(f"{hex} by {more}" for hex, more in sorted(over.items()))
            return Illegal(f"too many points: {said}", ("5.0.F",), "discard UNIT")
    return None
