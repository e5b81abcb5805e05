"""The sequence of play: a Japanese and a Commonwealth player turn, each reinforcement, movement, combat. [4.0]

reinforce   place units, `end`                                              [4.0-1A]
attrition   a die for each unit out of supply                               [10.4]
move        march, rail, sea (chapter sea), `end`; crowds lose units        [4.0-1B, 7.21]
declare     every attack, `end`; then the other side's air points           [9.1P-1]
fight       one attack after the other (chapter fighting)                   [9.1P-1c]
record      the turn marker                                                 [4.0-3]
"""

from __future__ import annotations

from functools import lru_cache

from pbem.api import Amended, Ask, Lapsed, Note, Opened, Order, Ordered, Resigned, Roll, Rolled, Sealed, Tell
from pbem.api import Step as GameStep
from rules.singapore_1984 import (
    air,
    carrying,
    crowding,
    fighting,
    following,
    interception,
    island,
    options,
    reinforcement,
    sea,
    stacking,
    standing,
    supply,
    victory,
    works,
)
from rules.singapore_1984.listing import Evacuation, Superiority
from rules.singapore_1984.orders import Declare, End
from rules.singapore_1984.state import CW, JP, SINGAPORE, State, foe

STEPS = (
    *("dawn", "deploy-cw", "deploy-jp", "reservoir", "reinforce", "fire", "attrition", "move", "crowd"),
    *("declare", "defend", "fight", "record", "tally", "over"),
    *("list-jp", "list-cw", "muster", "airevac", "airsup"),
)
"""Where a turn can stand."""


@lru_cache(maxsize=64)
def asked(seat: str, what: str, clause: str) -> tuple[Ask]:
    """A question, and no other."""
    return (Ask(seat, what, clause),)


def pending(s: State) -> tuple[Ask | Roll, ...]:
    """What the position waits for."""
    if s.result is not None:
        return ()
    if s.shipping == "roll":
        return (sea.shipping_roll(s),)
    if s.sail is not None:
        return interception.waits(s)
    if s.battle is not None:
        return fighting.waits(s, s.battle)
    if s.used.get("airsup-late") and not s.fresh and air.left(s, CW) and air.left(s, JP):
        return asked(JP, "airsup", "13.83a")  # [R87]
    assault = island.waits(s)
    if assault is not None:
        return assault
    match s.step:
        case "list-jp" | "list-cw":
            return (options.ask(s, JP if s.step == "list-jp" else CW),)
        case "muster":
            return asked(CW, "muster", "3.0i")
        case "airevac":
            return asked(CW, "airevac", "13.84a") if air.left(s, CW) else ()
        case "airsup":
            return asked(JP, "airsup", "13.83a") if air.left(s, CW) and air.left(s, JP) else ()
        case "record":
            return asked(CW, "record", "13.44e")
        case "tally":
            return options.tally(s)
        case "reinforce":
            wanted = bool(s.pulse and s.active == JP) or reinforcement.may_come(s) or works.may_build(s)
            return asked(s.active, "reinforce", "4.0-1A" if s.active == JP else "4.0-2") if wanted else ()
        case "attrition":
            return (Roll(f"t{s.turn}/attrition/{s.unrolled[0]}", "10.4a", (6,)),) if s.unrolled else ()
        case "move":
            return asked(s.active, "move", "4.0-1B" if s.active == JP else "4.0-2")
        case "crowd":
            crowded = crowding.crowd(s)
            return asked(crowded, "crowd", "7.21") if crowded else ()
        case "declare":
            return asked(s.active, "attack", "9.1P-1a")
        case "defend":
            return asked(foe(s.active), "defend", "9.1P-1b")
        case "fight":
            choose = len(s.attacks) > 1 or any(fighting.free_mode(s, one) for one in s.attacks)
            return asked(s.active, "resolve", "9.1P-1c") if choose else ()
    return ()


# --- going on ---


def run(s: State, tell: Tell) -> None:
    """On, until something is asked for or the game is over."""
    while s.result is None:
        waiting = pending(s)
        if waiting:
            first = waiting[0]
            order = standing.answer(s, first) if s.standing and isinstance(first, Ask) else None
            if order is None or isinstance(first, Roll):
                return
            carry_out(s, first.seat, order, tell)
        elif s.sail is not None:
            interception.answer(s, None, tell)
        elif s.battle is not None:
            fighting.go_on(s, s.battle, tell)
        else:
            step(s, tell)


def step(s: State, tell: Tell) -> None:
    """From one step of the turn to the next."""
    match s.step:
        case "dawn" | "airevac":
            s.step = "airsup"
        case "airsup":
            dawn(s)
        case "tally":
            conclude(s)
        case "deploy-cw":
            s.step = "deploy-jp"
        case "reservoir":
            s.step = "reinforce"
        case "fire":
            s.step = "crowd"
        case "reinforce":
            begin_movement(s)
        case "attrition":
            s.step = "move"
        case "crowd" if s.phase == "reinforce":
            begin_movement(s)
        case "crowd" if s.matador == "now":
            s.matador = "done"
            begin_game(s)
        case "crowd" if s.phase == "move":
            s.phase, s.step = "combat", "declare"  # [4.0-1C]
        case "crowd":
            next_player(s, tell)
        case "fight" if s.attacks:
            fighting.open_battle(s, s.attacks[0], None, tell)
        case "fight":
            s.step = "crowd"


def dawn(s: State) -> None:
    """A turn begins: with pulses once the assault has begun. [11.0g, R49]"""
    s.look_at_ports()
    s.phase, s.active = "reinforce", JP
    if s.assault:
        s.pulse, s.step = 1, "reservoir"  # [11.0f, 11.0l]
    else:
        s.pulse, s.step = 0, "reinforce"


def begin_movement(s: State) -> None:
    """Supply is judged; who has none rolls, on the inset in the first pulse only. [10.0PRa, 10.4a, 11.55a]"""
    s.phase = "move"
    note_who_acts(s)
    units = tuple(id for id in s.on_map(s.active) if s.acts(id))
    supply.judge(s, s.active, units)  # [10.0PRa]
    # [11.55a, 11.55b, 11.24c]
    s.unrolled = tuple(sorted(id for id in units if s.pieces[id].oos)) if s.pulse < 2 else ()
    s.step = "attrition"


def note_who_acts(s: State) -> None:
    """Who is on the inset in a pulse does nothing in the rest of the turn, wherever it is driven. [11.0g, R54]"""
    if s.pulse:
        s.acted = tuple(sorted({*s.acted, *(id for id in s.pieces if s.on_inset(id))}))


def next_player(s: State, tell: Tell) -> None:
    """The other player, or the next turn. [4.0-3]"""
    s.unmark()
    s.phase, s.step = "reinforce", "reinforce"
    if s.active == JP:
        s.active = CW
        return
    if s.pulse:
        s.active = JP
        s.pulse = s.pulse + 1 if s.pulse < s.board.game.pulses else 0  # [11.0h]
        s.step = "reservoir" if s.pulse else "reinforce"
        return
    if s.forts:
        s.step = "record"
        return
    close_turn(s, tell)


def close_turn(s: State, tell: Tell) -> None:
    """The city is looked at, then the next turn begins, or there is none. [4.0-3, 12.0PRa]"""
    if island.fallen(s):
        fall(s, tell)
        return
    if s.turn == s.board.game.last_turn:  # [12.0PRa]
        victory.score(s, "singapore-held", s.board.awards["singapore-held"])  # [12.12a, 12.0PRc]
        finish(s, captured=False)
        return
    s.turn, s.active = s.turn + 1, JP  # [3.0n]
    s.step = "dawn"
    s.reset_turn()
    air.arrive(s)
    tell(Note("turn", {"turn": s.turn, "date": s.board.dates[s.turn]}, ("4.0-3",), anchor=f"T{s.turn}"))


def fall(s: State, tell: Tell) -> None:
    """Singapore is taken. [12.0PRa, 12.0PRb]"""
    island.captured(s, tell)
    finish(s, captured=True)


def finish(s: State, captured: bool) -> None:
    """The lists are opened, then the level is found. [13.0b]"""
    s.ending, s.step = ("taken" if captured else "held"), "tally"


def conclude(s: State) -> None:
    """The level of victory. [12.11, 12.12b]"""
    captured = s.ending == "taken"
    level = victory.level(s, captured)
    s.result = (level.winner, level.id, "12.11" if captured else "12.12b")
    s.step = "over"


def begin_game(s: State) -> None:
    """The first turn, after what came before it. [3.0m, R23]"""
    s.unmark()
    s.phase, s.active, s.step = "reinforce", JP, "dawn"  # [3.0m]
    air.arrive(s)


# --- steps of the game ---


def apply(s: State, game_step: GameStep, tell: Tell) -> None:
    """One step, and everything that follows from it by itself."""
    match game_step:
        case Ordered(seat=seat, order=order):
            carry_out(s, seat, order, tell)
            s.fresh = ""
        case Rolled():
            rolled(s, game_step, tell)
        case Sealed():
            options.sealed(s, game_step)
        case Opened(items=items):
            options.open_slots(s, items, tell)
        case Lapsed():
            if s.sail is not None:
                interception.answer(s, None, tell)
        case Resigned(seat=seat):
            s.result = (foe("jp" if seat == JP else "cw"), "resigned", "12.0GR")
            s.step = "over"
        case Amended():
            return  # refused: options are fixed
    run(s, tell)


def rolled(s: State, game_step: Rolled, tell: Tell) -> None:
    """Chance spoke."""
    die = int((game_step.values or (0,))[0])
    if s.shipping == "roll":
        sea.shipping(s, game_step, tell)
    elif s.sail is not None:
        interception.rolled(s, game_step, tell)
    elif s.battle is not None:
        fighting.rolled(s, s.battle, game_step, tell)
    elif s.step == "reservoir":
        lost = die >= s.board.game.capitulation
        tell(Note("capitulates" if lost else "holds_out", {"die": die}, ("11.57",), game_step.label))
        if lost:
            fall(s, tell)
        else:
            s.step = "reinforce"
    elif s.step == "fire":
        unit, *rest = s.unrolled
        s.unrolled = tuple(rest)
        island.fired(s, unit, game_step, tell)
    else:
        unit, *rest = s.unrolled
        s.unrolled = tuple(rest)
        lost = supply.attrition(s, unit, die)
        tell(Note("starves" if lost else "endures", {"unit": unit, "die": die}, ("10.4a", "10.4b"), game_step.label))
        if lost:
            victory.lose_step(s, unit, tell, "10.4a")


def carry_out(s: State, seat: str, order: Order, tell: Tell) -> None:
    """An order, to its chapter."""
    kind = order.kind
    if kind in standing.KINDS:
        standing.keep(s, seat, order, tell)
    elif kind == "use":
        return  # its slot is open [13.0d]
    elif s.sail is not None:
        interception.answer(s, order, tell)
    elif s.battle is not None:
        fighting.take(s, s.battle, order, tell)
    elif kind in carrying.CARRY:
        carrying.CARRY[kind](s, order, tell)
    elif isinstance(order, End):
        end(s, tell)
    elif isinstance(order, Superiority):
        air.superiority(s, order, tell)
        if not s.used.pop("airsup-late", 0):
            dawn(s)
    elif isinstance(order, Evacuation):
        air.evacuation(s, order, tell)
        s.step = "airsup"
    elif isinstance(order, Declare):
        island.declare(s, tell)
        s.step = "deploy-cw"


def end(s: State, tell: Tell) -> None:
    """The phase, or its first half, is over."""
    match s.step:
        case "dawn":
            s.step = "airsup"
        case "deploy-cw":
            for id in s.at(SINGAPORE, CW):  # [11.51]: the island is full
                victory.kill(s, id, tell, "7.21")
            s.step = "deploy-jp"
        case "deploy-jp":
            s.step = "airevac"  # [11.0m]
        case "muster" if s.on("13.3"):
            s.matador, s.active, s.phase, s.step = "now", CW, "move", "move"
        case "muster":
            begin_game(s)
        case "record":
            close_turn(s, tell)
        case "reinforce" if s.pulse and s.active == JP:
            note_who_acts(s)
            s.unrolled = island.under_fire(s)  # [11.24a, R50]
            s.step = "fire"
        case "move":
            for id in stacking.guards_astray(s) if s.active == JP else ():  # [7.22]
                victory.kill(s, id, tell, "7.22")
            s.step = "crowd"
        case "declare":
            stranded = [
                id
                for id in s.on_map(JP)
                if s.at_sea(id) and s.pieces[id].port and not any(id in a.units for a in s.attacks)
            ]
            following.send_back(s, stranded, tell)  # [R30]
            helped = bool(s.attacks) and air.left(s, foe(s.active)) > 0
            s.step = "defend" if helped else "fight"
        case "defend":
            s.step = "fight"
        case _:
            s.step = "crowd"
