"""The impulse: what a chit opens, step by step, and the orders of each step. [3.2, 3.3]

A step closes by `done`, or by an order of a later one; the first of `plan` is open."""

from __future__ import annotations

from itertools import chain

from pbem.api import Note, Order, Tell
from rules.kit.asked import Asked
from rules.tiger_of_malaya import (
    air,
    arrivals,
    attack,
    boats,
    breakdown,
    choosing,
    combat,
    costs,
    drafts,
    garrison,
    losses,
    movement,
    rail,
    reaction,
    sea,
    stacking,
    supply,
    terms,
    trucks,
    works,
)
from rules.tiger_of_malaya.judging import BELONGS, STEPS, judge, stage
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
from rules.tiger_of_malaya.places import places
from rules.tiger_of_malaya.state import ALLIES, JAPAN, State, chit_of, foe, is_gun, of, put, remove
from rules.tiger_of_malaya.zones import settle

# --- what happens ---


def ordered(s: State, order: Order, tell: Tell) -> None:
    """An order that was not refused."""
    step = BELONGS.get(type(order))
    while step is not None and s.plan and s.plan[0] != step:
        close(s, tell)
    if stage(order):
        s.facts |= {f"stage:{stage(order)}"}
    match order:
        case Move():
            movement.move(s, order, tell)
        case Attack() | Probe():
            attack.declare(s, order, tell)
        case Advance():
            advance(s, order, tell)
        case Lose():
            s.losses.pop(0)
            losses.lose(s, order.units, tell)
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
        case Bombard():
            s.waiting = ("bombard", order.hex, *order.units)
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
            garrison.watch(s)
            if s.phase == "discard" and not stacking.others(s):
                end_impulse(s, tell)
        case Done() if s.short == "due":
            s.short = "asked"
        case Done() if s.phase == "bases":
            s.phase = "supply"
        case Done():
            if s.phase == "react":
                s.phase = "show" if s.slot else "evade"
                if not s.slot:
                    reaction.opened(s, Support(), tell)  # [9.2.A]: guns of the defender alone
            elif s.plan[0] == "fight":
                s.battles[0].step = "over"
            else:
                close(s, tell)


def advance(s: State, order: Advance, tell: Tell) -> None:
    """An attacker follows, hex by hex. [9.5]"""
    piece = s.pieces[order.unit]
    for hex in order.path[1:]:
        put(s, order.unit, hex)
        settle(s)
    overrun(s, s.active, order.path[1:], tell)
    piece.mark("advanced", "moved")
    garrison.watch(s)
    tell(Note("advanced", {"unit": order.unit, "path": "-".join(order.path[1:])}, ("9.5.D",)))


def close(s: State, tell: Tell) -> None:
    """A step is over and the next one opens; the end of the last is that of the impulse."""  # [R4]
    done, s.plan = s.plan[0], s.plan[1:]
    if done == "declare" and s.battles:
        s.phase = "support" if reaction.possible(s, s.active) else "react"
        s.slot = ""
        skip_reaction(s)
    if s.plan and s.plan[0] == "move":
        movement.ready(s)
    if not s.plan and stacking.others(s):
        s.phase = "discard"
    elif not s.plan:
        end_impulse(s, tell)


def skip_reaction(s: State) -> None:
    """The defender is not asked where there is nothing to choose."""
    side = foe(s.active)
    asked = reaction.possible(s, side) or reaction.evaders(s, side) or any(True for _ in choosing.crowds(s))
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
    foes = places(s).occupied(foe(s.active))
    tied = s.active == ALLIES and not supply.immune(s, ALLIES)
    linked = supply.traced(s, ALLIES) if tied else None
    near = Asked[str, frozenset[str]](
        lambda at: frozenset(f"by:{hex}" for hex in s.board.grid.neighbours(at) if hex in foes)
    )
    for _, piece in of(s, foe(s.active)):
        piece.start, piece.left, piece.marks = piece.at, 0, frozenset()
    for id, piece in of(s, s.active):
        piece.start, piece.left, piece.marks = piece.at, 0, near[piece.at]
        if linked is not None and linked(id):
            piece.mark("linked")
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


def only_here(s: State, *, aloft: bool) -> bool:
    """Whether an ATTACK without an enemy near still lets a battalion break down, or aircraft harass: nothing else asks
    for it.
    """  # [3.3.2.A, 11.4.3.B/3]
    ways = breakdown.breaks(s, s.active)
    return s.chit == "attack" and (aloft or any(breakdown.refuse_break(s, s.active, way) is None for way in ways))


def idle(s: State, step: str) -> bool:
    """Whether nothing can be done in a step, and nothing must."""
    if step == "finish" and stacking.crowded(s):
        return False
    aloft = s.active == JAPAN and bool(air.over(s) or air.ready(s))
    if step == "prepare" and aloft:
        return False
    if step in ("prepare", "finish"):
        more = drafts.offers(s, s.active) if step == "prepare" else breakdown.offers(s, s.active)
        return all(judge(s, s.active, order) is not None for order in chain(works.offers(s, s.active, step), more))
    now = places(s)
    foes = now.anybody(foe(s.active))
    near = any(not foes.isdisjoint(s.board.grid.neighbours(hex)) for hex in now.anybody(s.active))
    if step == "declare" or not near:
        return not near and not (step == "declare" and (s.battles or only_here(s, aloft=aloft)))
    guns = any(is_gun(s, id) and piece.available and costs.acts(s, id) for id, piece in of(s, s.active))
    machine = any(s.board.kind(id) == "machine-gun" for id, _ in of(s, s.active))
    return not (guns or machine or (s.active == JAPAN and air.ready(s)))
