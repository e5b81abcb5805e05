"""The impulse: what a chit opens, step by step, and the orders of each step. [3.2, 3.3]

A step closes by `done`, or by an order of a later one; the first of `plan` is open.
"""

from __future__ import annotations

from itertools import chain

from pbem.api import NOTHING_KNOWN, Illegal, Known, Note, Order, Tell
from rules.tiger_of_malaya import (
    air,
    arrivals,
    boats,
    bombardment,
    breakdown,
    choosing,
    combat,
    drafts,
    garrison,
    movement,
    rail,
    sea,
    shut,
    straits,
    supply,
    terms,
    trucks,
    works,
)
from rules.tiger_of_malaya.orders import (
    Advance,
    Arrange,
    Attack,
    Base,
    Blow,
    Bombard,
    Break,
    Cross,
    Defend,
    Discard,
    Displace,
    Done,
    Enter,
    Evade,
    Fort,
    Garrison,
    Harass,
    Hold,
    Lose,
    Move,
    Play,
    Probe,
    Rail,
    Rebuild,
    Recall,
    Recover,
    Reform,
    Repair,
    Replace,
    Retreat,
    Stand,
    Steam,
    Support,
    Truck,
)
from rules.tiger_of_malaya.overrun import overrun
from rules.tiger_of_malaya.state import ALLIES, JAPAN, State, chit_of, foe, is_gun, of, option, points, remove
from rules.tiger_of_malaya.zones import settle

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


# --- what is refused ---


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
        return breakdown.refuse_break(s, seat, order)
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
    return judge(s, seat, order, known)


def early(s: State, seat: str, order: Order, step: str) -> Illegal | None:
    """The first step closed by itself, as nothing could be done in it: why this cannot."""
    first = STEPS.get((s.chit, s.mode), ("",))[0]
    return judge(s, seat, order) if step == first == "prepare" and breakdown.begins(s, seat) else None


def judge(s: State, seat: str, order: Order, known: Known = NOTHING_KNOWN) -> Illegal | None:
    """An order of the step that is open, by itself."""
    match order:
        case Blow():
            return works.refuse_blow(s, seat, order)
        case Recover():
            return works.refuse_recover(s, seat, order)
        case Enter():
            return arrivals.refuse_enter(s, seat, order, known)
        case Move():
            return movement.refuse_move(s, seat, order)
        case Bombard():
            return bombardment.refuse_bombard(s, seat, order)
        case Attack() | Probe():
            bound = straits.refuse_probe(s, order) if isinstance(order, Probe) else None
            return bound or combat.refuse_attack(s, seat, order)
        case Replace():
            return drafts.refuse_replace(s, seat, order)
        case Rebuild():
            return drafts.refuse_rebuild(s, seat, order)
        case Rail():
            return rail.refuse_rail(s, seat, order)
        case Truck():
            return trucks.refuse_truck(s, seat, order)
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
            return movement.refuse_discard(s, seat, order.units)
    return other("")


def refuse_close(s: State, step: str) -> Illegal | None:
    """What keeps a step open: an Allied unit that must move, a hex with too many units. Nothing else has to be done."""
    # [3.3.P1, 9.0.B, R9]
    if step == "move":
        id = movement.duty(s)
        if id is not None:
            move = movement.nearer(s, id)
            return Illegal(f"{id} must come nearer to supply", ("4.4.B",), f"such as: {move}")
    if step == "declare":
        return straits.refuse_close(s)
    if step == "finish":
        over = movement.crowded(s)
        if over:
            said = ", ".join(f"{hex} by {more}" for hex, more in sorted(over.items()))
            return Illegal(f"too many points: {said}", ("5.0.F",), "discard UNIT")
    return None


# --- what happens ---


def ordered(s: State, order: Order, tell: Tell) -> None:
    """An order that was not refused."""
    step = BELONGS.get(type(order))
    while step is not None and s.plan and s.plan[0] != step:
        close(s, tell)
    match order:
        case Lose():
            s.losses.pop(0)
            combat.lose(s, order.units, tell)
        case Play():
            s.mode = order.how
            tell(Note("mode", {"side": terms.SIDES[s.active], "mode": order.how}, ("3.3.3",)))
            s.phase = "permission" if s.chit == "half" and order.how == "attack" else "act"
            s.plan = STEPS[s.chit, order.how]
            if s.plan[0] == "move":
                movement.ready(s)
        case Harass():
            air.harass(s, order, tell)
        case Recall():
            air.recall(s, order, tell)
        case Blow():
            s.waiting = ("blow", order.bridge, *order.units)
        case Repair():
            s.waiting = ("repair", order.bridge, *order.units)
        case Recover():
            s.waiting = ("recover", *order.units)
        case Enter():
            arrivals.enter(s, order, tell)
        case Move():
            movement.move(s, order, tell)
        case Bombard():
            s.waiting = ("bombard", order.hex, *order.units)
        case Attack() | Probe():
            combat.declare(s, order, tell)
        case Defend():
            for b in s.battles:
                b.defence = (*b.defence, *order.units) if b.hex == order.hex else b.defence
        case Hold():
            choosing.hold(s, order, tell)
        case Arrange():
            choosing.arrange(s, order)
        case Evade():
            s.waiting = (*s.waiting, f"{order.unit} {'-'.join(order.path)}")
        case Stand():
            combat.stand(s, s.battles[0], tell)
        case Retreat():
            combat.retreat(s, s.battles[0], order, tell)
        case Advance():
            advance(s, order, tell)
        case Break():
            breakdown.split(s, order, tell)
        case Reform():
            breakdown.join(s, order, tell)
        case Replace() | Rebuild():
            drafts.order(s, order, tell)
        case Rail():
            rail.ride(s, order, tell)
        case Truck():
            trucks.drive(s, order, tell)
        case Steam():
            sea.steam(s, order, tell)
        case Cross():
            boats.cross(s, order, tell)
        case Base():
            air.base(s, order, tell)
        case Displace():
            sea.displace(s, order.hex, tell)
        case Garrison():
            garrison.send(s, order, tell)
            s.short = "asked"
        case Fort():
            s.forts[order.hex] = s.active
            tell(Note("fort", {"hex": order.hex}, ("12.5.B",)))
        case Discard():
            for id in order.units:
                tell(Note("discarded", {"unit": id, "hex": s.pieces[id].at}, ("5.0.F",)))
                remove(s, id)
            settle(s)
        case Done() if s.short == "due":
            s.short = "asked"
        case Done() if s.phase == "bases":
            s.phase = "supply"
        case Done():
            if s.phase == "react":
                s.phase = "show" if s.slot else "evade"
                if not s.slot:
                    combat.opened(s, Support(), tell)  # [9.2.A]: guns of the defender alone
            elif s.plan[0] == "fight":
                s.battles[0].step = "over"
            else:
                close(s, tell)


def advance(s: State, order: Advance, tell: Tell) -> None:
    """An attacker follows, hex by hex. [9.5]"""
    piece = s.pieces[order.unit]
    for hex in order.path[1:]:
        piece.at = hex
        settle(s)
    overrun(s, s.active, order.path[1:], tell)
    piece.mark("advanced", "moved")
    tell(Note("advanced", {"unit": order.unit, "path": "-".join(order.path[1:])}, ("9.5.D",)))


def close(s: State, tell: Tell) -> None:
    """A step is over and the next one opens; the end of the last is that of the impulse."""  # [R4]
    done, s.plan = s.plan[0], s.plan[1:]
    if done == "declare" and s.battles:
        s.phase = "support" if combat.possible(s, s.active) else "react"
        s.slot = ""
        skip_reaction(s)
    if s.plan and s.plan[0] == "move":
        movement.ready(s)
    if not s.plan:
        end_impulse(s, tell)


def skip_reaction(s: State) -> None:
    """The defender is not asked where there is nothing to choose."""
    side = foe(s.active)
    asked = combat.possible(s, side) or combat.evaders(s, side) or any(True for _ in choosing.crowds(s))
    if s.phase == "react" and not asked:
        s.phase = "show" if s.slot else "evade"


def chit(s: State, tell: Tell) -> None:
    """An impulse begins: its box is counted down from the weather, its number up."""
    # [2.1:Active, 2.1:Inactive, 3.0.B, 3.2.B/1, 3.2.D.ex]
    s.active, s.chit = chit_of(s.slot, s.opened)
    s.drawn, s.slot = (*s.drawn, f"{s.active}-{s.chit}"), ""
    s.number += 1
    side, _, count = s.streak.partition(" ")
    s.streak = f"{s.active} {int(count) + 1 if side == s.active else 1}"  # [13.1, R10]
    told: dict[str, str | int] = {"number": s.number, "impulses": s.impulses, "side": terms.SIDES[s.active]}
    told["chit"] = terms.CHITS[s.chit]  # type: ignore[index]
    tell(Note("chit", told, ("3.2.B/2",), anchor=f"T{s.turn}.{s.number}"))
    start_impulse(s)


def start_impulse(s: State) -> None:
    """Memories of the last impulse go; who is out of supply is judged again."""  # [7.0.C]
    supply.judge(s, afresh=False)
    s.facts, s.mode, s.battles = frozenset(), "", []
    stand = {piece.at: s.board.side(id) for id, piece in s.pieces.items() if points(s, id)}
    linked = supply.traced(s, ALLIES) if s.active == ALLIES and not supply.immune(s, ALLIES) else {}
    for id, piece in s.pieces.items():
        side = s.board.side(id)
        piece.start, piece.left = piece.at, 0
        marks = {"linked"} if linked.get(id) else set()
        if side == s.active:
            marks |= {f"by:{hex}" for hex in s.board.grid.neighbours(piece.at) if stand.get(hex, side) != side}
        piece.marks = frozenset(marks)
    s.plan = STEPS.get((s.chit, ""), ())
    s.phase = "act" if s.plan else "mode"
    if s.plan and s.plan[0] == "move":
        movement.ready(s)


def end_impulse(s: State, tell: Tell) -> None:
    """Aircraft come home, empty forts go; the next chit, or the end of the turn."""  # [3.2.D, 3.2.E]
    works.abandon(s, tell)
    air.rest(s, turn=False)
    for piece in s.pieces.values():
        piece.marks, piece.left, piece.start = frozenset(), 0, piece.at
    s.facts, s.mode, s.chit, s.slot = frozenset(), "", "", ""
    s.phase = "draw" if s.number < s.impulses else "leftover"


def steps(s: State, tell: Tell) -> bool:
    """Go on in the plan of the impulse without a question; False where one is asked."""
    now = s.plan[0]
    if now == "fight":
        if not s.battles:
            close(s, tell)
            return True
        b = s.battles[0]
        if b.step == "over" and combat.runs_out(s, b):
            return False
        if b.step == "over":  # [9.3.J]
            combat.finish(s, b)
            s.battles.pop(0)
            return True
        return combat.go(s, b, tell)
    if now in ("prepare", "finish", "bombard", "declare") and idle(s, now):
        close(s, tell)
        return True
    return False


def idle(s: State, step: str) -> bool:
    """Whether nothing can be done in a step, and nothing must. Aircraft apart."""
    if step == "finish" and movement.crowded(s):
        return False
    if step == "prepare" and s.active == JAPAN and (air.over(s) or air.ready(s)):
        return False
    if step in ("prepare", "finish"):
        more = drafts.offers(s, s.active) if step == "prepare" else breakdown.offers(s, s.active)
        return all(judge(s, s.active, order) is not None for order in chain(works.offers(s, s.active, step), more))
    foes = {piece.at for id, piece in of(s, foe(s.active))}
    near = any(not foes.isdisjoint(s.board.grid.neighbours(piece.at)) for _, piece in of(s, s.active))
    if step == "declare" or not near:
        return not near and not (step == "declare" and s.battles)
    guns = any(is_gun(s, id) and piece.available and movement.acts(s, id) for id, piece in of(s, s.active))
    machine = any(s.board.kind(id) == "machine-gun" for id, _ in of(s, s.active))
    return not (guns or machine or (s.active == JAPAN and air.ready(s)))
