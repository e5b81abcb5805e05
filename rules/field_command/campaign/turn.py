"""The order of play of a campaign: an army's turn, then the next one's, until somebody wins. [OP-C, 8]"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import (
    Act,
    Amended,
    Ask,
    Illegal,
    Known,
    Lapsed,
    Note,
    Opened,
    Order,
    Ordered,
    Owes,
    Resigned,
    Roll,
    Rolled,
    Sealed,
    Tell,
)
from pbem.api import Step as GameStep
from rules.field_command import rule, sequence
from rules.field_command.campaign import (
    cards,
    cards_effects,
    cards_judging,
    cards_menu,
    cards_orders,
    cards_play,
    choices,
    control,
    fighting,
    flights,
    guns,
    movement,
    retreat,
    standing,
    supply,
    victory,
)
from rules.field_command.campaign.orders import Battle, Done, Drive, Fire, Fly, Land, Move, Retreat, Shift, StandingPlan
from rules.field_command.campaign.state import (
    POOL,
    STEPS,
    Direction,
    Step,
    War,
    attacked,
    attacks,
    fields_of_battle,
    full,
    name,
)
from rules.field_command.orders import Plan
from rules.field_command.rows import Army
from rules.field_command.terms import ADJECTIVES

OF_STEP: dict[type[Order], Step] = {Land: "land", Fly: "fly", Move: "move", Drive: "move", Shift: "move", Fire: "fire"}


def pending(w: War) -> tuple[Ask | Roll, ...]:
    """What the campaign waits for."""
    if w.phase == "over":
        return ()
    if w.losses:
        return (supply.waits(w),)
    if waiting := cards_judging.waits(w) or cards_judging.stage(w):
        return waiting
    if w.leaving:
        return (Ask(w.seats[w.units[w.leaving[0].unit].army], "retreat", "12.3.1.1"),)
    if w.fight:
        return sequence.pending(w.fight)
    if w.phase == "planning":
        return (Ask(w.seats[w.army], "plan_turn", "OP-C.4"),)
    if w.phase == "cover":
        seats = dict.fromkeys(w.seats[army] for army in w.covering)
        return tuple(Ask(seat, "cover", "8.3.5.1") for seat in seats)
    return (Ask(w.seats[w.army], "next_battle", "8.4.2.1"),)


def speaks_for(w: War, seat: str) -> Army | None:
    """The army that a seat gives orders for now: the one that is asked."""
    own = w.armies_of(seat)
    if w.leaving:
        return next((army for army in own if army == w.units[w.leaving[0].unit].army), None)
    if w.fight:
        return next((army for army in own if army in w.fight.army.values()), None)
    if w.phase == "cover":
        return next((army for army in w.covering if army in own), None)
    return w.army if w.army in own else None


# --- judging ---


def refuse(w: War, seat: str, act: Act, known: Known) -> Illegal | Owes | None:
    """Why this may not be done now."""
    if isinstance(act, Amended):
        return _refuse_amendment(w, act)
    if not w.armies_of(seat):
        return Illegal(f"{seat} has no army", ("A.3.1",))
    if w.ended:
        return Illegal("the campaign is over", ("OP-C.10",))
    if isinstance(act, Opened | Sealed):
        if cards_judging.about_cards(w, act):
            return cards_judging.refuse_slots(w, pending(w), seat, act)
        return sequence.refuse(w.fight, seat, act) if w.fight else Illegal("no plan is due", ("R94",))
    if w.losses:
        return Illegal("dice are due", ("14.4.1",))
    if isinstance(act, StandingPlan):
        return standing.refuse(w, seat, act, pending(w))
    if isinstance(act, cards_orders.CardOrder):
        return cards_judging.refuse(w, seat, act, known)
    if cards_judging.waits(w) or cards_judging.stage(w):
        return Illegal("first the cards that are played or drawn", ("15.3.2", "R59"))
    army = speaks_for(w, seat)
    if isinstance(act, Retreat):
        if not w.leaving or army is None:
            return Illegal("none of your units must leave", ("12.3.1.1",))
        return retreat.refuse(w, act)
    if w.leaving:
        return Illegal(f"first it is asked where {w.leaving[0].unit} goes", ("12.3.1.1", "R52"))
    if type(act) in OF_STEP or isinstance(act, Done | Battle):
        return _refuse_on_map(w, army, act)
    if w.fight is None:
        return Illegal("no battle is being fought", ("8.4.2",))
    return sequence.refuse(w.fight, seat, act) or _refuse_places(w, act)


def _refuse_amendment(w: War, act: Amended) -> Illegal | None:
    """By consent of all the way to win and rulings may change; what was dealt and handed out at the start stays."""
    for option, clause in (("supplies", "8.2.2"), ("cards", "8.2.3")):
        if act.options.get(option, w.options[option]) != w.options[option]:
            return Illegal(f"{option} are agreed on before the first turn", (clause,))
    return None


def _refuse_places(w: War, act: Order) -> Illegal | None:
    for text in act.rules if isinstance(act, Plan) else ():
        one = rule.parse(text)
        for place in one.what if one.do == "retreat" else ():
            if place not in w.board.places:
                return Illegal(f'"{text}": {place} is no sector', ("R94",))
    return None


def _refuse_on_map(w: War, army: Army | None, act: Order) -> Illegal | None:
    if w.phase == "battles":
        if isinstance(act, Battle) and army == w.army and not w.fight:
            return fighting.refuse(w, act)
        if isinstance(act, Battle):
            return Illegal("no battle is to be chosen now", ("8.4.2.1",))
        return Illegal("the Planning Stage is over", ("8.3.3.3",))
    if isinstance(act, Battle):
        return Illegal("battles come after the Planning Stage", ("8.4.2",))
    if army is None:
        return Illegal("it is not your turn", ("OP-C.4", "7.1.1"))
    if w.phase == "cover":
        if isinstance(act, Done):
            return None
        if isinstance(act, Fire):
            return guns.refuse(w, army, act)
        return Illegal("only defensive barrages are declared now", ("8.3.5",))
    step = OF_STEP.get(type(act))
    if step and STEPS.index(step) < STEPS.index(w.step):
        return Illegal(f"it is too late to {step}: phases follow each other", ("OP-C.4",))
    match act:
        case Land():
            return flights.refuse_landing(w, act)
        case Fly():
            return flights.refuse_flight(w, act)
        case Move() | Drive():
            return movement.refuse(w, act)
        case Shift():
            return movement.refuse_shift(w, act)
        case Fire():
            return guns.refuse(w, army, act)
    return None


def offers(w: War, seat: str, known: Known) -> Iterator[Order]:
    """Orders for a menu; there are more ways to move than these."""
    if w.ended or w.losses or all(isinstance(one, Roll) or one.seat != seat for one in pending(w)):
        return
    if w.cards and (what := cards_menu.asked(w, seat)):
        yield from cards_menu.offers(w, seat, what, known)
    elif w.leaving:
        for place in retreat.exits(w, w.leaving[0]):
            yield Retreat(unit=w.leaving[0].unit, place=place)
    elif w.fight:
        yield from sequence.offers(w.fight, seat)
    elif w.phase == "battles":
        yield from (Battle(place=sector) for sector in w.battles)
    else:
        yield Done()
        army = speaks_for(w, seat)
        for order in choices.of(w, army) if army else ():
            if _refuse_on_map(w, army, order) is None:
                yield order
        if w.cards and w.phase == "planning":
            yield from cards_menu.playable(w, seat, known)


# --- steps ---


def apply(w: War, step: GameStep, tell: Tell) -> None:
    """Carry out a step, then whatever needs no decision."""
    if cards_play.apply(w, step, tell):
        if not isinstance(step, Opened):  # the order that opens a card comes next
            settle(w, tell)
        return
    match step:
        case Amended(options=options):
            w.options = {**w.options, **options}
            return
        case Resigned(seat=seat):
            losers = w.armies_of(seat)
            victory.finish(w, tuple(a for a in w.board.order if _foe_of_all(a, losers)), "OP-C.10", tell)
            return
        case Rolled(label=label, values=values) if w.losses:
            supply.hand_over(w, tuple(int(value) for value in values or ()), label, tell)
        case Ordered(seat=seat, order=StandingPlan() as order):
            standing.give(w, seat, order, tell)
        case Ordered(order=Retreat(place=place)):
            retreat.go(w, place, tell)
            fighting.follow(w, tell)
        case Ordered(seat=seat, order=order) if type(order) in OF_STEP or isinstance(order, Done | Battle):
            _on_map(w, speaks_for(w, seat) or w.army, order, tell)
        case Ordered() | Sealed() | Opened() | Lapsed() | Rolled():
            if w.fight:
                sequence.apply(w.fight, step, tell)
                fighting.follow(w, tell)
    settle(w, tell)


def _foe_of_all(army: Army, losers: tuple[Army, ...]) -> bool:
    return all((army == "J") != (loser == "J") for loser in losers)


def _on_map(w: War, army: Army, order: Order, tell: Tell) -> None:
    if w.phase == "cover":
        if isinstance(order, Fire):
            guns.fire(w, order, tell)
        else:
            w.covering = tuple(one for one in w.covering if one != army)
            tell(Note("cover.done", {"army": ADJECTIVES[army]}, ("8.3.5.1",)))
        return
    if isinstance(order, Battle):
        fighting.begin(w, order.place, tell)
        return
    forward(w, OF_STEP.get(type(order), "fire"), tell)
    match order:
        case Land():
            flights.land(w, w.units[order.unit], order.place, tell)
        case Fly():
            flights.fly(w, order, tell)
        case Move() | Drive():
            movement.move(w, order, tell)
        case Shift():
            movement.shift(w, order, tell)
        case Fire():
            guns.fire(w, order, tell)
        case _:
            close_planning(w, tell)


def forward(w: War, step: Step, tell: Tell) -> None:
    """An order of a later phase ends those before it; aircraft that have to land do so by themselves."""
    if step != "land" and w.step == "land":
        flights.land_all(w, tell)
    w.step = step


def close_planning(w: War, tell: Tell) -> None:
    """Phase 5, if a defender has anything to declare."""
    w.covering = guns.defenders(w)
    w.phase = "cover"


def open_battles(w: War, tell: Tell) -> None:
    """Phase 6, then the list of battles. [8.4.1]"""
    for sector in attacked(w):
        tell(Note("sector.contested", {"sector": name(w, sector)}, ("8.4.1",)))
    w.contested |= set(attacked(w))
    w.directions |= {Direction(e.into, e.out, e.mode) for e in w.entries if attacks(w, e.into, w.army)}
    # [OP-C.5]
    w.phase = "battles"
    w.battles = (*fields_of_battle(w), *fighting.meetings(w))


def settle(w: War, tell: Tell) -> None:
    """Go on by itself as far as nobody must decide and no dice are due."""
    while not (w.ended or w.losses):
        if w.cards and cards_play.go_on(w, tell):
            continue
        if not (cards_judging.waits(w) or w.leaving) and standing.answers(w, tell):
            continue
        if cards_judging.waits(w) or w.leaving or w.fight or w.phase in ("planning", "supply"):
            return
        if w.phase == "discard":
            if cards.over(w, w.army):
                return
            next_turn(w, tell)
            continue
        if w.phase == "cover":
            if w.covering:
                w.covering = tuple(army for army in w.covering if any(True for _ in guns.possible(w, army)))
                w.covering = tuple(army for army in w.covering if not standing.cover(w, army, tell))
            if w.covering:
                return
            open_battles(w, tell)
        elif len(w.battles) > 1:
            return
        elif w.battles:
            fighting.begin(w, w.battles[0], tell)
        else:
            end_turn(w, tell)


def end_turn(w: War, tell: Tell) -> None:
    """Phases 8 to 11; without cards then phases 12 to 14. [8.5]"""
    # [OP-C.6, A.3.3]
    reinforce(w, tell)
    supply.collect(w, tell)
    for unit in w.units.values():
        unit.mark = ""
    w.entries, w.barrages = (), ()
    if w.cards:
        # [8.5.3, 8.5.4]
        w.phase = "supply"
    else:
        next_turn(w, tell)


def next_turn(w: War, tell: Tell) -> None:
    """Phases 12 to 14. [8.7]"""
    cards_effects.expire(w)
    if w.turn == len(w.board.order) * w.board.periods:
        victory.last(w, tell)
        return
    # [OP-C.9]
    w.turn += 1
    w.phase, w.step = "planning", "land"
    said = {"army": ADJECTIVES[w.army], "date": w.board.date(w.period)}
    tell(Note("turn", said, ("8.7.2", "8.7.3"), anchor=f"T{w.turn}"))
    victory.confirm(w, tell)


def reinforce(w: War, tell: Tell) -> None:
    """Units that are due come to their place, or wait for it. [8.5.1, R68]"""
    for row in w.board.units.values():
        unit = w.units[row.unit]
        if unit.where == POOL and unit.army == w.army and row.due <= w.period and not _shut(w, row.where):
            unit.where = row.where
            tell(Note("unit.arrives", {"unit": unit.id, "place": name(w, row.where)}, ("8.5.1",)))
            control.settle(w, row.where, tell)


def _shut(w: War, place: str) -> bool:
    """Whether a place is in enemy hands, fought for or full."""
    if place in w.board.axes:
        return False
    return place in w.contested or (w.control[place] == "J") != (w.army == "J") or full(w, place, w.army)
