"""The sequence of play. [5.0]

    set-up      chapters setup, deployment
    turn        Fall of Kowloon, if it is due: chapter fall
                Action Phase: Japan one action, the British one, until both pass in a round   [5.1a, R3]
                    a card that activates, a march; a leader, a rally      chapters action, leading
                    Sea Transport                                          chapter sea
                    Amphibious Assault                                     chapter landing
                    bombardment, gunboats                                  chapter artillery
                    beside it: one event a round                           chapter events
                    before it happens: the opponent's green cards          chapter reactions
                    attacks out of it                                      chapters attack, combat, support, hits
                Recover Phase                                              chapters recover, supply, victory

What has begun inside the turn stands as frames on `State.frames`; the last one is under way.
`judging` says what may be ordered when, `menus` what might be, `sealing` what is sealed and opened.
"""

from __future__ import annotations

from pbem.api import (
    Amended,
    Ask,
    Lapsed,
    Note,
    Opened,
    Order,
    Ordered,
    Resigned,
    Roll,
    Rolled,
    Sealed,
    Tell,
)
from pbem.api import Step as GameStep
from rules.glory_recalled import (
    action,
    artillery,
    attack,
    cards,
    combat,
    control,
    events,
    fall,
    landing,
    leaders,
    leading,
    reactions,
    recover,
    sea,
    sealing,
    setup,
    victory,
)
from rules.glory_recalled.frames import (
    Action,
    Bombardment,
    Combat,
    Convoy,
    EventFrame,
    Homeless,
    Landing,
    Shelling,
    Window,
)
from rules.glory_recalled.orders import (
    Attack,
    Bombard,
    Disrupt,
    Done,
    Event,
    Hits,
    Land,
    Lead,
    March,
    Move,
    Pass,
    PlaceLeader,
    Play,
    Rally,
    React,
    Reveal,
    Shell,
    Transport,
    renamed,
)
from rules.glory_recalled.standing import DropStanding, StandingOrder
from rules.glory_recalled.state import BRITISH, JAPAN, SEATS, Frame, State

# --- what the position waits for ---


def pending(s: State) -> tuple[Ask | Roll, ...]:
    """The question or the dice of what is under way."""
    if s.result is not None:
        return ()
    top = s.top()
    if top is not None:
        return of_frame(s, top)
    if victory.battle_over(s):
        return victory.final_waits(s)
    match s.phase:
        case "setup":
            return setup.waits(s)
        case "fall":
            return fall.waits(s)
        case "recover":
            return recover.waits(s)
    return (Ask(s.active, "act", "5.1a"),)


def of_frame(s: State, f: Frame) -> tuple[Ask | Roll, ...]:
    """What a procedure waits for."""
    match f:
        case Action():
            return action.waits(s, f)
        case Window():
            return reactions.waits(s, f)
        case Combat():
            return combat.waits(s, f)
        case Homeless():
            return leaders.waits(s, f)
        case Landing():
            return landing.waits(s, f)
        case Convoy():
            return sea.waits(s, f)
        case Bombardment():
            return artillery.bombardment_waits(s, f)
        case Shelling():
            return artillery.shelling_waits(s, f)
        case EventFrame():
            return events.waits(s, f)
    raise ValueError(f"no procedure: {f}")


def run(s: State, tell: Tell) -> None:
    """On, until something is asked for or the game is over."""
    while s.result is None and not (waits := pending(s)):
        top = s.top()
        if top is not None:
            go_on(s, top, tell)
        elif victory.battle_over(s):
            victory.final(s, tell)
        elif s.phase == "setup":
            setup.go_on(s, tell)
        elif s.phase == "fall":
            fall.go_on(s, tell)  # [17.1-note]: `recover.next_turn` knows where there is none
        else:
            recover.go_on(s, tell)
    if s.standing and s.result is None:
        from rules.glory_recalled import triggers

        triggers.follow(s, waits[0], tell)


def go_on(s: State, f: Frame, tell: Tell) -> None:
    """A procedure that waits for nothing takes its next step."""
    match f:
        case Action():
            action.go_on(s, f, tell)
        case Combat():
            combat.go_on(s, f, tell)
        case Landing():
            landing.go_on(s, f, tell)
        case Convoy():
            sea.go_on(s, f, tell)
        case Bombardment():
            s.frames.remove(f)
        case Shelling():
            artillery.shelling_go_on(s, f, tell)
        case EventFrame():
            events.go_on(s, f, tell)
        case _:
            raise ValueError(f"{f} does not go on by itself")
    next_player(s)


# --- rounds ---


def next_player(s: State) -> None:
    """When an action is over it is the other's turn; the British one ends the round. [5.0a, 5.1a]"""
    if s.phase != "action" or s.frames or s.step != "acting":
        return
    s.step = "act"
    if s.active == JAPAN:
        s.active = BRITISH
        return
    s.active, s.events, s.idle = JAPAN, (), BRITISH in s.passed
    s.effects = tuple(one for one in s.effects if not one.startswith(("infiltration", "forced_march")))
    if len(s.passed) == len(SEATS):  # [5.1c]
        s.phase, s.step = "recover", recover.STEPS[0]
    else:
        s.round += 1
    s.passed = ()


# --- carrying out ---


def apply(s: State, step: GameStep, tell: Tell) -> None:
    """One step, and everything that follows from it by itself."""
    match step:
        case Ordered(seat=seat, order=order):
            order, s.names = renamed(order, s.names), {}
            carry_out(s, seat, order, tell)
        case Sealed():
            sealing.sealed(s, pending(s), step, tell)
        case Opened():
            asked = sealing.asks_to_open(pending(s))
            sealing.opened(s, step, tell)
            if not asked:
                return  # the order that opened them follows
            s.names = {}
        case Rolled():
            rolled(s, step, tell)
        case Lapsed():
            top = s.top()
            if isinstance(top, Window):
                reactions.close(s, top)
        case Resigned(seat=seat):
            victory.resign(s, seat, tell)
        case Amended(options=options):
            s.options = {**s.options, **options}
            return
    next_player(s)
    run(s, tell)


def rolled(s: State, step: Rolled, tell: Tell) -> None:
    """Chance spoke: to the procedure under way, or to the phase."""
    values, top = step.values or (), s.top()
    if step.roll.draw and "/draw/" in step.roll.stem:
        cards.drew(s, step.roll.stem.rpartition("/")[2], [str(slot) for slot in values], tell)
        return
    match top:
        case Combat():
            combat.take(s, top, step, tell)
        case Landing():
            landing.take(s, top, step, tell)
        case Convoy():
            sea.struck(s, top, int(values[0]), step.label, tell)
        case Bombardment():
            artillery.bombardment_rolled(s, top, int(values[0]), step.label, tell)
        case Shelling():
            artillery.shelling_rolled(s, top, int(values[0]), step.label, tell)
        case EventFrame():
            events.rolled(s, top, values, step.label, tell)
        case None if s.phase == "fall":
            fall.rolled(s, [int(die) for die in values], step.label, tell)
        case None:
            setup.rolled(s, int(values[0]), step.label, tell)


def carry_out(s: State, seat: str, order: Order, tell: Tell) -> None:
    """An order, to its chapter."""
    if isinstance(order, Reveal):
        sealing.reveal(s, order, tell)
        return
    if isinstance(order, StandingOrder | DropStanding):
        from rules.glory_recalled import triggers

        if isinstance(order, DropStanding):
            triggers.drop(s, seat, order, tell)
        else:
            triggers.give(s, seat, order, tell)
        return
    if isinstance(order, Event):
        events.play(s, seat, order, tell)
        if s.frames and isinstance(s.frames[-1], Action) and s.frames[-1].how == "event" and len(s.frames) == 1:
            reactions.open_window(s, seat, "activation")
        return
    top = s.top()
    if top is not None:
        in_frame(s, top, seat, order, tell)
        return
    if s.phase == "action":
        act(s, seat, order, tell)
        return
    match s.phase:
        case "setup":
            setup.take(s, seat, order, tell)
        case "fall":
            fall.take(s, seat, order, tell)
        case _:
            recover.take(s, seat, order, tell)


def in_frame(s: State, f: Frame, seat: str, order: Order, tell: Tell) -> None:
    """An order inside a procedure."""
    match f:
        case Action():
            in_action(s, f, order, tell)
        case Window():
            if isinstance(order, React):
                reactions.react(s, f, order, tell)
            else:
                reactions.close(s, f)
        case Combat():
            combat.take(s, f, Ordered(seat, order), tell)
        case Homeless() if isinstance(order, PlaceLeader):
            s.frames.remove(f)
            leaders.join(s, f.leader, order.space, tell)
        case Landing():
            landing.take(s, f, Ordered(seat, order), tell)
        case Convoy() if isinstance(order, Disrupt):
            for id in order.units:
                s.counters[id].disrupted = True
            f.step = "sail"
        case Shelling() if isinstance(order, Hits):
            artillery.suffer(s, f, order.fates, tell)


def in_action(s: State, f: Action, order: Order, tell: Tell) -> None:
    """A move, an attack, the end, or a march written anew."""
    match order:
        case Move():
            action.move(s, f, order, tell)
        case Attack():
            attack.begin(s, f, order, tell)
        case March():
            f.plan, f.step = action.plan_of(order), "go"
        case Done():
            action.finish(s, f, tell)


def act(s: State, seat: str, order: Order, tell: Tell) -> None:
    """An action begins; the opponent's window comes before anything of it happens. [R28]"""
    s.step = "acting"
    s.moves = tuple(one for one in s.moves if one[0] != seat)
    match order:
        case Pass():
            s.passed = tuple(sorted({*s.passed, seat}))
            tell(Note("passes", {"side": control.side(seat)}, ("5.1a", "R3")))
        case Play():
            action.play(s, seat, order, tell)
            reactions.open_window(s, seat, "activation")
        case Lead():
            leading.lead(s, seat, order, tell)
            reactions.open_window(s, seat, "activation")
        case Rally():
            leading.rally(s, seat, order, tell)
        case March():
            action.march(s, seat, order, tell)
            reactions.open_window(s, seat, "activation")
        case Transport():
            sea.begin(s, seat, order, tell)
            reactions.open_window(s, seat, "sea_transport")
        case Land():
            landing.begin(s, seat, order, tell)
            reactions.open_window(s, seat, "amphibious")
        case Bombard():
            frame = artillery.bombard(s, seat, order, tell)
            if s.board.cards[frame.card].kind == "air":
                reactions.open_window(s, seat, "bombard_air")
        case Shell():
            artillery.shell(s, seat, order, tell)


# --- menus ---
