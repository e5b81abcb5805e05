"""What may be ordered at which question, and who refuses it. [5.1a]"""

from __future__ import annotations

from pbem.api import (
    Act,
    Amended,
    Ask,
    Illegal,
    Known,
    Opened,
    Order,
    Owes,
    Sealed,
)
from rules.glory_recalled import (
    action,
    artillery,
    attack,
    combat,
    events,
    fall,
    landing,
    leaders,
    leading,
    reactions,
    recover,
    sea,
    sealing,
    sequence,
    setup,
    triggers,
)
from rules.glory_recalled.frames import (
    Action,
    Combat,
    Convoy,
    Homeless,
    Landing,
    Shelling,
    Window,
)
from rules.glory_recalled.orders import (
    Advance,
    Ashore,
    Attack,
    Block,
    Bombard,
    DefendWith,
    Deploy,
    Destroy,
    DestroyNone,
    Discard,
    Disrupt,
    DisruptNone,
    Done,
    Event,
    ExtraCard,
    GiveBack,
    Hits,
    Land,
    Lead,
    March,
    Move,
    NoBlock,
    NoExtraCard,
    NoReaction,
    NoWave,
    Pass,
    PlaceLeader,
    Play,
    Rally,
    React,
    Remove,
    Restore,
    RestoreNone,
    Reveal,
    SailBack,
    Shell,
    SortDeck,
    Stay,
    Support,
    TakeCard,
    Transport,
    Wave,
    renamed,
)
from rules.glory_recalled.standing import DropStanding, StandingOrder
from rules.glory_recalled.state import Frame, State

# [1.0b]: cards move units and add strength; everything below hangs on them
ACTIONS = (Pass, Play, Lead, Rally, March, Transport, Land, Bombard, Shell)

ANSWERS: dict[str, tuple[type[Order], ...]] = {
    "sort_deck": (SortDeck,),
    "return_cards": (GiveBack,),
    "deploy": (Deploy,),
    "redeploy": (Deploy,),
    "extra_card": (ExtraCard, NoExtraCard),
    "disrupt": (Disrupt, DisruptNone),
    "choose_disrupted": (Disrupt,),
    "remove": (Remove,),
    "lose": (Remove,),
    "destroy": (Destroy, DestroyNone),
    "act": (*ACTIONS, Event),
    "activate": (Move, Attack, Done, Event),
    "march_again": (March,),
    "react": (React, NoReaction),
    "defend_with": (DefendWith,),
    "support": (Support,),
    "take_hits": (Hits,),
    "advance": (Advance, Stay),
    "place_leader": (PlaceLeader,),
    "wave": (Wave, NoWave),
    "ashore": (Ashore,),
    "sail_back": (SailBack,),
    "block": (Block, NoBlock),
    "discard": (Discard,),
    "restore": (Restore, RestoreNone),
    "take_card": (TakeCard,),
}
"""What may be ordered at each question; `reveal` may be ordered at any of the British ones. [12.0-b4]"""

RULES = ("opt_9_3d", "opt_14_0")
"""Options that are rules; the others are readings of the map."""


def refuse(s: State, seat: str, act: Act, known: Known) -> Illegal | Owes | None:
    """Whether a seat may do this now."""
    if isinstance(act, Sealed):
        return sealing.refuse_seal(s, sequence.pending(s), seat, act)
    if isinstance(act, Opened):
        return sealing.refuse_opening(s, sequence.pending(s), seat, act, known)
    if isinstance(act, Amended):
        return refuse_amendment(s, act)
    act = renamed(act, s.names)
    if isinstance(act, StandingOrder | DropStanding):
        return triggers.refuse(s, seat, act, known)
    if isinstance(act, Reveal):
        return sealing.refuse_reveal(s, sequence.pending(s), seat, act)
    asked = [one for one in sequence.pending(s) if isinstance(one, Ask) and one.seat == seat]
    if isinstance(act, React) and not any(one.what == "react" for one in asked):
        return reactions.refuse(s, None, seat, act, known) or Illegal("nothing is announced", ("15.0-b3",))
    if not any(isinstance(act, ANSWERS.get(one.what, ())) for one in asked):
        return out_of_turn(s, seat, act, asked, known)
    top = s.top()
    if isinstance(act, Event):
        return events.refuse(s, seat, act, known)
    if top is not None:
        return refuse_in_frame(s, top, seat, act, known)
    if s.phase == "action":
        return refuse_action(s, seat, act, known)
    if s.phase == "setup":
        return setup.refuse(s, seat, act, known)
    if s.phase == "fall":
        return fall.refuse(s, seat, act, known)
    return recover.refuse(s, seat, act, known)


def refuse_amendment(s: State, act: Amended) -> Illegal | None:
    """Optional rules may change by consent; the map may not. [R51]"""
    fixed = [name for name, value in act.options.items() if s.options.get(name) != value and name not in RULES]
    return Illegal(f"{fixed[0]} is part of the map", ("R51",)) if fixed else None


def out_of_turn(s: State, seat: str, order: Order, asked: list[Ask], known: Known) -> Illegal:
    """What the order is refused by where something else is asked, or somebody else."""
    if not asked:
        due = sequence.pending(s)
        whom = due[0].seat if due and isinstance(due[0], Ask) else "chance"
        return Illegal(f"it is not your turn: {whom} is asked", ("5.1a",))
    question = asked[0].what
    hint = f"you are asked: {question}"
    if isinstance(order, Pass | Play | Lead | Rally | March | Transport | Land | Bombard | Shell):
        top = s.top()
        if isinstance(top, Action) and isinstance(order, March):
            return Illegal("an action is under way", ("5.1a",), "`done` ends it")
        return Illegal("an action is under way", ("5.1a",), hint)
    if isinstance(order, Advance) and question != "advance":
        return Illegal("nobody advances here", ("9.9-b2", "9.9-b1"), hint)
    if isinstance(order, Attack) and question == "act":
        spent = [id for id in order.main if id in s.counters and s.counters[id].spent]
        if spent:
            return Illegal(f"{spent[0]} is spent", ("6.0b", "9.0c"), hint)
        return Illegal("units attack when a card has activated them", ("5.1-n4", "9.0c"), hint)
    if isinstance(order, Attack) and question == "wave":
        return Illegal("no other stack joins a landing", ("14.1-b7",), hint)
    if isinstance(order, ExtraCard | NoExtraCard):
        return Illegal("no extra card is drawn", ("14.0-opt", "R51"), hint)
    return Illegal("that is not what is asked", ("5.1a",), hint)


def refuse_in_frame(s: State, f: Frame, seat: str, order: Order, known: Known) -> Illegal | Owes | None:
    """Orders that answer a procedure."""
    match f:
        case Action():
            if isinstance(order, Attack) and f.step == "act":
                return attack.refuse(s, f, order, known)
            return action.refuse(s, f, seat, order, known)
        case Window():
            return reactions.refuse(s, f, seat, order, known) if isinstance(order, React) else None
        case Combat():
            return combat.refuse(s, f, seat, order, known)
        case Homeless() if isinstance(order, PlaceLeader):
            return leaders.refuse(s, f, order)
        case Landing():
            return landing.refuse_answer(s, f, order, known)
        case Convoy() if isinstance(order, Disrupt):
            return sea.refuse_disrupt(s, sea.victims(s, list(f.goes)), order)
        case Shelling() if isinstance(order, Hits):
            from rules.glory_recalled import hits

            return hits.refuse(s, f, seat, f.hits, order.fates, known)
    return Illegal("that belongs to another moment", ("5.1a",))


def refuse_action(s: State, seat: str, order: Order, known: Known) -> Illegal | Owes | None:
    """One action. [5.1a]"""
    match order:
        case Play():
            return action.refuse_play(s, seat, order, known)
        case Lead():
            return leading.refuse_lead(s, seat, order, known)
        case Rally():
            return leading.refuse_rally(s, seat, order, known)
        case March():
            return action.refuse_march(s, seat, order, known)
        case Transport():
            return sea.refuse(s, seat, order, known)
        case Land():
            return landing.refuse(s, seat, order, known)
        case Bombard():
            return artillery.refuse_bombard(s, seat, order, known)
        case Shell():
            return artillery.refuse_shell(s, seat, order, known)
    return None
