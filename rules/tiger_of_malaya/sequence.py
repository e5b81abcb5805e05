"""The sequence of play: what is asked, what is refused, what happens. [3.0]

Phases: those of `turn`; `draw` (a chit), `open` (it), `mode`, `permission`, `act` (the steps of `plan`), `support`,
`react`, `show`, `evade`, `discard` (of the other side).
"""

from __future__ import annotations

from functools import lru_cache

from pbem.api import Ask, Illegal, Known, Note, Opened, OpenSlots, Order, Ordered, Resigned, Roll, Rolled, Sealed, Tell
from pbem.api import Step as GameStep
from rules.tiger_of_malaya import (
    air,
    bombardment,
    breakdown,
    choosing,
    combat,
    diversion,
    drafts,
    garrison,
    impulse,
    judging,
    losses,
    reaction,
    sea,
    stacking,
    terms,
    turn,
    works,
)
from rules.tiger_of_malaya.judging import BELONGS
from rules.tiger_of_malaya.orders import (
    Advance,
    Arrange,
    Base,
    Break,
    Chits,
    Defend,
    Discard,
    Displace,
    Done,
    Evade,
    Garrison,
    Harass,
    Hold,
    Lose,
    Play,
    Recall,
    Retreat,
    Stand,
    Support,
)
from rules.tiger_of_malaya.retreat import refuse_advance
from rules.tiger_of_malaya.rows import Player
from rules.tiger_of_malaya.standing import DropStanding, StandingOrder
from rules.tiger_of_malaya.state import ALLIES, JAPAN, SEATS, State, date, foe
from rules.tiger_of_malaya.triggers import ANSWERED, answers, drop, give
from rules.tiger_of_malaya.triggers import refuse as refuse_standing

Waiting = tuple[Ask | Roll, ...]
TURN = frozenset({"fate", "weather", "aircraft", "planes", "bases", "supply", "chits", "leftover", "surrender"})


STEPWISE = frozenset(BELONGS.values())
"""The questions of an impulse that stay open until a step is done."""


def stem(s: State, what: str) -> str:
    """The name of dice of this impulse."""
    return f"{date(s)}/{what}"


# --- what is asked ---


def pending(s: State) -> Waiting:
    """What the position waits for."""
    if s.result is not None:
        return ()
    if s.adrift:
        return (sea.pending(s),)
    if s.losses and s.losses[0].why == "chance":
        return (losses.lot(s, s.losses[0]),)
    if s.losses:
        return (Ask(s.losses[0].side, "lose", "9.3.2.B" if s.losses[0].why != "bombardment" else "8.2.E"),)
    if s.short == "due":
        return (garrison.pending(s),)
    if s.waiting and s.phase == "act":
        return (work_roll(s),)
    if s.phase in TURN:
        return turn.pending(s)
    match s.phase:
        case "act":
            pass
        case "draw":
            return (Roll(stem(s, "chit"), "3.2.A", draw=1, pool=turn.drawable(s)),)
        case "open" if turn.ANY in s.slot:
            return (Roll(stem(s, "kind"), "13.2", draw=1, pool=turn.stock(s, s.slot.partition("-")[0])),)
        case "open":
            return (Ask(s.slot.partition("-")[0], "open_chit", "3.2.B/2", client=OpenSlots((s.slot,))),)
        case "mode":
            return (Ask(s.active, "play_to", "3.3.3" if s.chit == "choice" else "3.3.5.A"),)
        case "permission":
            return (Roll(stem(s, "permission"), "3.3.5.C", dice=(6,)),)
        case "support":
            return (Ask(s.active, "support", "9.2.A", secret=stem(s, "support"), sealed="support"),)
        case "react":
            return (Ask(foe(s.active), "react", "9.2.A"),)
        case "show":
            return (reaction.opening(s.active, s.slot),)
        case "discard":
            return (Ask(foe(s.active), "discard", "5.0.F"),)
        case "evade":
            return (Roll(stem(s, f"evade/{s.waiting[0].partition(' ')[0]}"), "12.3.B.1", dice=(6,)),)
    if s.plan and s.plan[0] == "fight" and s.battles:
        return combat.waits(s, s.battles[0])
    return (open_step(s.active, s.plan[0] if s.plan else "finish"),)


@lru_cache(maxsize=32)
def open_step(seat: Player, step: str) -> Ask:
    """The question of a step of an impulse."""
    return Ask(seat, step, "3.2.C")


def work_roll(s: State) -> Roll:
    """The dice of an order that was given: a bombardment, a bridge, guns that recover."""
    what, *rest = s.waiting
    if what == "bombard":
        return Roll(stem(s, f"bombard/{rest[0]}"), "8.2.D", dice=(6, 6))
    if what == "recover":
        return Roll(stem(s, "recover"), "11.1.2.C", dice=(6,) * len(rest))
    if what == "draft":
        return Roll(stem(s, f"draft/{rest[0].replace('/', '-')}"), "10.2.2.C", dice=(6,))
    clause = "12.6.1.B" if what == "blow" else "12.6.2.B"
    return Roll(stem(s, f"{what}/{rest[0].replace('/', '-')}"), clause, dice=(6,))


# --- what is refused ---


def refuse(s: State, seat: str, order: Order, known: Known) -> Illegal | None:
    """Why a seat may not order this now."""
    asked = [one for one in pending(s) if isinstance(one, Ask) and one.seat == seat]
    if not asked and isinstance(order, Chits) and turn.at_random(s):
        return Illegal("chits are picked at random", ("13.2",))
    if not asked:
        return Illegal("you are not asked", ("3.2.C",))
    if isinstance(order, StandingOrder | DropStanding):
        return refuse_standing(s, seat, order)
    what = asked[0].what
    if s.adrift:
        return sea.refuse_displace(s, order) if isinstance(order, Displace) else judging.other(what)
    if s.losses:
        return losses.refuse_lose(s, s.losses[0], order) if isinstance(order, Lose) else judging.other(what)
    match order:
        case Discard() if what == "discard":
            return stacking.refuse_discard(s, seat, order.units)
        case Garrison() if what == "garrison":
            return garrison.refuse(s, order)
        case Base() if what == "base_aircraft":
            return air.refuse_base(s, order)
        case Break() if what == "play_to":
            return breakdown.refuse_break(s, seat, order)
        case Chits() if what == "choose_chits":
            return turn.refuse_chits(s, seat, order.contents())
        case Play() if what == "play_to":
            return judging.refuse_play(s, order)
        case Support() if what == "support":
            return reaction.refuse_support(s, seat, order)
        case Defend() if what == "react":
            return reaction.refuse_defend(s, seat, order)
        case Evade() if what == "react":
            return reaction.refuse_evade(s, seat, order)
        case Hold() if what == "react":
            return choosing.refuse_hold(s, order)
        case Arrange() if what in ("declare", "advance"):
            return choosing.refuse_arrange(s, order)
        case Done() if what in ("react", "advance", "garrison", "base_aircraft"):
            return None
        case Stand() if what == "stand_or_retreat":
            return None
        case Retreat() if what == "stand_or_retreat":
            return combat.refuse_retreat(s, s.battles[0], order)
        case Advance() if what == "advance":
            return refuse_advance(s, order.unit, s.battles[0], order.path)
        case Harass() | Recall() if what == "play_to" or what in STEPWISE:
            return air.refuse_harass(s, seat, order) if isinstance(order, Harass) else air.refuse_recall(s, seat, order)
    return judging.refuse_step(s, seat, order, what, known) if what in STEPWISE else judging.other(what)


# --- what happens ---


def apply(s: State, step: GameStep, tell: Tell) -> None:
    """One step of the game, and all that follows without a question."""
    match step:
        case Ordered(seat=seat, order=StandingOrder() as order):
            give(s, seat, order, tell)
        case Ordered(seat=seat, order=DropStanding() as order):
            drop(s, seat, order, tell)
        case Ordered(seat=seat, order=Chits() as order):
            turn.put(s, _side(seat), order.contents(), tell)
        case Ordered(order=order):
            impulse.ordered(s, order, tell)
        case Rolled():
            rolled(s, step, tell)
        case Sealed(seat=seat, what="purse", slots=slots):
            s.cup = (*s.cup, *slots)
            tell(Note("chits", {"side": terms.SIDES[_side(seat)], "count": len(slots)}, ("3.1.4.E",)))
        case Sealed(what="private", slots=slots):
            s.fates += len(slots)
        case Sealed(name=name, what="choice"):
            s.slot, s.phase = name, "react"
            impulse.skip_reaction(s)
        case Opened(items=items, order=order) if order is not None:
            reaction.opened(s, order, tell)
            s.phase = "evade"
        case Opened(items=items):
            diversion.opened(s, tuple(slot for slot, _ in items))
            if s.phase in ("open", "leftover"):
                s.opened = {**s.opened, **{slot: str(content) for slot, content in items}}
            if s.phase == "open":
                impulse.chit(s, tell)
        case Resigned(seat=seat):
            s.result = (foe(seat), "1.0.P1")
            return
    run(s, tell)


def _side(seat: str) -> Player:
    return JAPAN if seat == JAPAN else ALLIES


def rolled(s: State, step: Rolled, tell: Tell) -> None:
    """Chance spoke."""
    values, label = step.values or (), step.label
    if s.losses:
        losses.fell(s, values[0], tell)
        return
    if s.phase == "act" and s.waiting:
        what, *rest = s.waiting
        s.waiting = ()
        if what == "bombard":
            bombardment.bombarded(s, rest[0], tuple(rest[1:]), values, label, tell)
        elif what == "recover":
            works.recovered(s, tuple(rest), values, label, tell)
        elif what == "draft":
            drafts.rolled(s, rest[0], rest[1], values[0], label, tell)
        elif what == "blow":
            works.blown(s, rest[0], tuple(rest[1:]), values[0], label, tell)
        else:
            works.repaired(s, rest[0], tuple(rest[1:]), values[0], label, tell)
        return
    if s.phase in TURN:
        turn.rolled(s, step, tell)
        return
    match s.phase:
        case "draw":
            drawn(s, values[0], tell)
        case "open":
            s.slot = f"{s.slot.partition('-')[0]}-{values[0].partition('-')[0]}-0"
            impulse.chit(s, tell)
        case "permission":
            granted = values[0] <= s.board.game.permission
            s.phase, s.plan = "act", s.plan if granted else ("finish",)
            s.mode = "attack" if granted else "denied"
            verdict = "granted" if granted else "denied"
            clause = "3.3.5.C.1" if granted else "3.3.5.C.2"
            tell(Note("permission", {"die": values[0], "verdict": verdict}, (clause,), label))
        case "evade":
            unit, _, path = s.waiting[0].partition(" ")
            s.waiting = s.waiting[1:]
            reaction.evaded(s, unit, path.split("-"), values[0], label, tell)
        case _ if s.battles[0].step == "ammunition":
            combat.ran_out(s, s.battles[0], values, label, tell)
        case _:
            combat.rolled(s, s.battles[0], values[0], label, tell)


def drawn(s: State, slot: str, tell: Tell) -> None:
    """A chit comes out of the cup; one that is sealed is opened first."""  # [3.2.A]
    s.cup = tuple(one for one in s.cup if one != slot)
    s.slot = slot
    if ("/" in slot and slot not in s.opened) or turn.ANY in slot:
        s.phase = "open"
    else:
        impulse.chit(s, tell)


def run(s: State, tell: Tell) -> None:
    """All that happens without a question."""
    while s.result is None and (_on(s, tell) or _answered(s, tell)):
        pass


def _answered(s: State, tell: Tell) -> bool:
    """Whether standing orders answer what is asked: they are carried out like orders of that seat."""  # [R107]
    ask = next(iter(pending(s)), None) if s.standing else None
    if not isinstance(ask, Ask) or ask.what not in ANSWERED:
        return False
    found = answers(s, ask)
    for order in found:
        tell(Note("standing.done", {"side": terms.SIDES[_side(ask.seat)], "order": str(order)}, ("R107",)))
        impulse.ordered(s, order, tell)
    return bool(found)


def _on(s: State, tell: Tell) -> bool:
    if s.adrift:
        return sea.settle_adrift(s, tell)
    if s.losses:
        every = losses.plain(s, s.losses[0])
        if every is not None:
            s.losses.pop(0)
            losses.lose(s, every, tell)
            return True
        return False
    if s.short == "due":
        return False
    match s.phase:
        case "fate" | "chits" | "leftover" if turn.pending(s):
            return False
        case "fate":
            s.phase = "weather"
        case "supply" if s.number:  # the first turn is under way [R91]
            s.slot = f"{SEATS[0]}-{s.board.scenario.played[-1]}"
            impulse.chit(s, tell)
        case "supply":
            turn.begin(s, tell)
        case "chits":
            turn.pick(s, tell)
            s.phase = "draw"
        case "leftover":
            turn.end(s, tell)
        case "evade" if not s.waiting:
            s.phase = "act"
        case "act" if not s.waiting:
            return impulse.steps(s, tell)
        case _:
            return False
    return True
