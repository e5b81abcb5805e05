"""The sequence of play: turn, chits, impulse, and what each asks. [3.0]

Phases: `draw` (a chit), `open` (it), `mode`, `permission`, `act` (the steps of `plan`), `support`, `react`, `show`,
`evade`, `weather`, `aircraft`, `planes`, `chits`, `leftover`, `over`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pbem.api import Ask, Commit, Illegal, Note, Opened, OpenSlots, Order, Ordered, Resigned, Roll, Rolled, Sealed, Tell
from pbem.api import Step as GameStep
from rules.tiger_of_malaya import air, combat, movement, supply, terms, works
from rules.tiger_of_malaya.orders import (
    Advance,
    Attack,
    Blow,
    Bombard,
    Chits,
    Defend,
    Discard,
    Done,
    Enter,
    Evade,
    Fort,
    Harass,
    Lose,
    Move,
    Play,
    Probe,
    Recall,
    Recover,
    Repair,
    Retreat,
    Stand,
    Support,
)
from rules.tiger_of_malaya.retreat import refuse_advance
from rules.tiger_of_malaya.rows import Player
from rules.tiger_of_malaya.state import ALLIES, JAPAN, SEATS, State, chit_of, date, foe, is_gun, of, remove
from rules.tiger_of_malaya.victory import decide
from rules.tiger_of_malaya.zones import settle

Waiting = tuple[Ask | Roll, ...]

STEPS: dict[tuple[str, str], tuple[str, ...]] = {
    ("full", ""): ("prepare", "move", "bombard", "declare", "fight", "finish"),
    ("jungle", ""): ("prepare", "move", "bombard", "declare", "fight", "finish"),
    ("move", ""): ("prepare", "move", "finish"),
    ("choice", "move"): ("prepare", "move", "finish"),
    ("attack", ""): ("bombard", "declare", "fight", "finish"),
    ("choice", "attack"): ("bombard", "declare", "fight", "finish"),
    ("half", "move"): ("move", "finish"),
    ("half", "attack"): ("declare", "fight", "finish"),
}
"""What a chit opens, in order; a closed step stays closed. [3.3.1 to 3.3.6, R4, R8]"""

BELONGS: dict[type[Order], str] = {
    Blow: "prepare",
    Recover: "prepare",
    Enter: "move",
    Move: "move",
    Bombard: "bombard",
    Attack: "declare",
    Probe: "declare",
    Fort: "finish",
    Repair: "finish",
    Discard: "finish",
}
SHUT: dict[str, dict[type[Order], tuple[str, ...]]] = {
    "move": {Bombard: ("3.3.6.E", "8.1.C"), Attack: ("3.3.6.E",), Probe: ("3.3.6.E",), Fort: ("12.5.B",)},
    "attack": {Move: ("3.3.2.C",), Enter: ("10.1.P1/2",), Blow: ("12.6.1.A",), Repair: ("12.6.2.A",)},
    "half": {Bombard: ("3.3.5.E", "8.1.D"), Blow: ("12.6.1.A",), Repair: ("12.6.2.A",), Enter: ("10.1.P1/2",)},
    "choice": {},
}


def stem(s: State, what: str) -> str:
    """The name of dice of this impulse."""
    return f"{date(s)}/{what}"


# --- what is asked ---


def pending(s: State) -> Waiting:
    """What the position waits for."""
    if s.result is not None:
        return ()
    if s.losses:
        return (Ask(s.losses[0].side, "lose", "9.3.2.B" if s.losses[0].why != "bombardment" else "8.2.E"),)
    if s.waiting and s.phase == "act":
        return (work_roll(s),)
    match s.phase:
        case "weather":
            return (Roll(f"t{s.turn}/weather", "3.1.1", dice=(6,)),)
        case "aircraft":
            return (Roll(f"t{s.turn}/aircraft", "11.4.1.A", dice=(6,)),)
        case "planes":
            homes = tuple(sorted(plane for plane, does in s.planes.items() if does == "home"))
            return (Roll(f"t{s.turn}/planes", "11.4.1.B", draw=min(int(s.slot), len(homes)), pool=homes),)
        case "chits":
            return tuple(
                Ask(seat, "choose_chits", "3.1.4.D", fill=Commit("purse", "chits", chits(s, seat)), sealed="chits")
                for seat in SEATS
                if not any(slot.startswith(f"{seat}-") for slot in s.cup)
            )
        case "draw":
            return (Roll(stem(s, "chit"), "3.2.A", draw=1, pool=s.cup),)
        case "open":
            return (Ask(s.slot.partition("-")[0], "open_chit", "3.2.B/2", client=OpenSlots((s.slot,))),)
        case "leftover":
            return tuple(
                Ask(seat, "open_chits", "3.2.F", client=OpenSlots(left)) for seat in SEATS if (left := closed(s, seat))
            )
        case "mode":
            return (Ask(s.active, "play_to", "3.3.3" if s.chit == "choice" else "3.3.5.A"),)
        case "permission":
            return (Roll(stem(s, "permission"), "3.3.5.C", dice=(6,)),)
        case "support":
            return (Ask(s.active, "support", "9.2.A", secret=stem(s, "support"), sealed="support"),)
        case "react":
            return (Ask(foe(s.active), "react", "9.2.A"),)
        case "show":
            return (combat.opening(s.active, s.slot),)
        case "evade":
            return (Roll(stem(s, f"evade/{s.waiting[0].partition(' ')[0]}"), "12.3.B.1", dice=(6,)),)
    if s.plan and s.plan[0] == "fight" and s.battles:
        return combat.waits(s, s.battles[0])
    return (Ask(s.active, s.plan[0] if s.plan else "finish", "3.2.C"),)


def work_roll(s: State) -> Roll:
    """The dice of an order that was given: a bombardment, a bridge, guns that recover."""
    what, *rest = s.waiting
    if what == "bombard":
        return Roll(stem(s, f"bombard/{rest[0]}"), "8.2.D", dice=(6, 6))
    if what == "recover":
        return Roll(stem(s, "recover"), "11.1.2.C", dice=(6,) * len(rest))
    clause = "12.6.1.B" if what == "blow" else "12.6.2.B"
    return Roll(stem(s, f"{what}/{rest[0].replace('/', '-')}"), clause, dice=(6,))


def chits(s: State, seat: str) -> int:
    """How many chits a side puts in. [3.1.4.A, 3.1.4.B]"""
    game = s.board.game
    return max(game.least_chits, s.impulses - (game.japanese_fewer if seat == JAPAN else game.allied_fewer))


def closed(s: State, seat: str) -> tuple[str, ...]:
    """A seat's chits in the cup that are sealed."""
    return tuple(slot for slot in s.cup if slot.startswith(f"{seat}-") and "/" in slot and slot not in s.opened)


def refuse_chits(s: State, seat: str, kinds: tuple[str, ...]) -> Illegal | None:
    """The right number, of the counters there are, one of the Allies' for the jungle. [3.1.4]"""
    many, mix = Counter(kinds), s.board.chits[JAPAN if seat == JAPAN else ALLIES]
    if len(kinds) != chits(s, seat):
        ids = ("3.1.4.A",) if seat == JAPAN else ("3.1.4.B",)
        return Illegal(f"{len(kinds)} chits: {chits(s, seat)} are put in", ids)
    over = [kind for kind, count in many.items() if count > mix.get(kind, 0)]  # type: ignore[call-overload]
    if over:
        return Illegal(f"you have not {many[over[0]]} chits {over[0].upper()}", ("3.1.4.D",))
    if seat == ALLIES and not many["jungle"]:
        return Illegal("one chit must be JUNGLE", ("3.1.4.C",))
    return None


def refuse_open_chits(s: State, seat: str, opened: dict[str, str]) -> Illegal | None:
    """Opened chits are among the counters that there are; all of them together were a legal choice."""
    kinds = tuple(kind for slot, kind in opened.items() if slot.startswith(f"{seat}-"))
    mix = s.board.chits[JAPAN if seat == JAPAN else ALLIES]
    over = [kind for kind, count in Counter(kinds).items() if count > mix.get(kind, 0)]  # type: ignore[call-overload]
    if over:
        return Illegal(f"you have no such chits: {over[0][:20]}", ("3.1.4.D",))
    if s.phase == "leftover":
        return refuse_chits(s, seat, kinds)
    return None


# --- what is refused ---


def refuse(s: State, seat: str, order: Order) -> Illegal | None:
    """Why a seat may not order this now."""
    asked = [one for one in pending(s) if isinstance(one, Ask) and one.seat == seat]
    if not asked:
        return Illegal("you are not asked", ("3.2.C",))
    what = asked[0].what
    if s.losses:
        return combat.refuse_lose(s, s.losses[0], order) if isinstance(order, Lose) else _other(what)
    match order:
        case Chits() if what == "choose_chits":
            return refuse_chits(s, seat, order.contents())
        case Play() if what == "play_to":
            return refuse_play(s, order)
        case Support() if what == "support":
            return combat.refuse_support(s, seat, order)
        case Defend() if what == "react":
            return combat.refuse_defend(s, seat, order)
        case Evade() if what == "react":
            return combat.refuse_evade(s, seat, order)
        case Done() if what in ("react", "advance"):
            return None
        case Stand() if what == "stand_or_retreat":
            return None
        case Retreat() if what == "stand_or_retreat":
            return combat.refuse_retreat(s, s.battles[0], order)
        case Advance() if what == "advance":
            return refuse_advance(s, order.unit, s.battles[0], order.path)
        case Harass() | Recall() if what == "play_to" or what in BELONGS.values():
            return air.refuse_harass(s, seat, order) if isinstance(order, Harass) else air.refuse_recall(s, seat, order)
    return refuse_step(s, seat, order, what) if what in BELONGS.values() else _other(what)


def _other(what: str) -> Illegal:
    return Illegal("that is not what is asked", ("3.2.C",), f"you are asked: {what}")


def refuse_play(s: State, order: Play) -> Illegal | None:
    """No HALF to attack while an Allied unit out of supply must move. [R20]"""
    if s.chit == "half" and order.how == "attack" and s.active == ALLIES:
        left = {id: piece.left for id, piece in of(s, ALLIES)}
        fresh = {id for id, piece in of(s, ALLIES) if piece.fresh}
        movement.ready(s)
        id = movement.duty(s)
        for one, points in left.items():
            s.pieces[one].left, s.pieces[one].fresh = points, one in fresh
        if id is not None:
            return Illegal(f"{id} must come nearer to supply", ("4.4.B", "R20"))
    return None


def refuse_step(s: State, seat: str, order: Order, now: str) -> Illegal | None:
    """An order of this step; those of later ones close those before, preparations apart. [R4]"""
    if isinstance(order, Done):
        return refuse_close(s, now)
    step = BELONGS.get(type(order))
    if step is None:
        return _other(now)
    if step not in s.plan:
        shut = s.mode or s.chit
        ids = SHUT.get("half" if s.chit == "half" else shut, {}).get(type(order), ())
        return Illegal("this impulse has no such step, or it is closed", ids or ("3.3.4.A", "R4"), f"now: {now}")
    for one in s.plan[: s.plan.index(step)]:
        if one == "fight" and s.battles:
            return Illegal("the battles come first", ("12.5.B", "9.3.K"), "done")
        wrong = refuse_close(s, one)
        if wrong is not None:
            return wrong
    if step in ("move", "bombard", "declare") and now == "prepare":
        return Illegal("the movement step is not open yet", ("3.3.4.E", "R4"), "done")
    return _judge(s, seat, order)


def _judge(s: State, seat: str, order: Order) -> Illegal | None:
    match order:
        case Blow():
            return works.refuse_blow(s, seat, order)
        case Recover():
            return works.refuse_recover(s, seat, order)
        case Enter():
            return movement.refuse_enter(s, seat, order)
        case Move():
            return movement.refuse_move(s, seat, order)
        case Bombard():
            return combat.refuse_bombard(s, seat, order)
        case Attack() | Probe():
            return combat.refuse_attack(s, seat, order)
        case Fort():
            return works.refuse_fort(s, seat, order)
        case Repair():
            return works.refuse_repair(s, seat, order)
        case Discard():
            return movement.refuse_discard(s, seat, order.units)
    return _other("")


def refuse_close(s: State, step: str) -> Illegal | None:
    """What keeps a step open: an Allied unit that must move, a hex with too many units."""
    if step == "move":
        id = movement.duty(s)
        if id is not None:
            move = movement.nearer(s, id)
            return Illegal(f"{id} must come nearer to supply", ("4.4.B",), f"such as: {move}")
    if step == "finish":
        over = movement.crowded(s)
        if over:
            said = ", ".join(f"{hex} by {more}" for hex, more in sorted(over.items()))
            return Illegal(f"too many points: {said}", ("5.0.F",), "discard UNIT")
    return None


# --- what happens ---


def apply(s: State, step: GameStep, tell: Tell) -> None:
    """One step of the game, and all that follows without a question."""
    match step:
        case Ordered(order=order):
            ordered(s, order, tell)
        case Rolled():
            rolled(s, step, tell)
        case Sealed(seat=seat, what="purse", slots=slots):
            s.cup = (*s.cup, *slots)
            tell(Note("chits", {"side": terms.SIDES[_side(seat)], "count": len(slots)}, ("3.1.4.E",)))
        case Sealed(name=name, what="choice"):
            s.slot, s.phase = name, "react"
            skip_reaction(s)
        case Opened(items=items, order=order) if order is not None:
            combat.opened(s, order, tell)
            s.phase = "evade"
        case Opened(items=items):
            s.opened = {**s.opened, **{slot: str(content) for slot, content in items}}
            if s.phase == "open":
                chit(s, tell)
        case Resigned(seat=seat):
            s.result = (foe(seat), "1.0.P1")
            return
    run(s, tell)


def _side(seat: str) -> Player:
    return JAPAN if seat == JAPAN else ALLIES


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
            movement.enter(s, order, tell)
        case Move():
            movement.move(s, order, tell)
        case Bombard():
            s.waiting = ("bombard", order.hex, *order.units)
        case Attack() | Probe():
            combat.declare(s, order, tell)
        case Defend():
            for b in s.battles:
                b.defence = (*b.defence, *order.units) if b.hex == order.hex else b.defence
        case Evade():
            s.waiting = (*s.waiting, f"{order.unit} {'-'.join(order.path)}")
        case Stand():
            combat.stand(s, s.battles[0], tell)
        case Retreat():
            combat.retreat(s, s.battles[0], order, tell)
        case Advance():
            advance(s, order, tell)
        case Fort():
            s.forts[order.hex] = s.active
            tell(Note("fort", {"hex": order.hex}, ("12.5.B",)))
        case Discard():
            for id in order.units:
                tell(Note("discarded", {"unit": id, "hex": s.pieces[id].at}, ("5.0.F",)))
                remove(s, id)
            settle(s)
        case Done():
            if s.phase == "react":
                s.phase = "show" if s.slot else "evade"
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
    piece.mark("advanced", "moved")
    tell(Note("advanced", {"unit": order.unit, "path": "-".join(order.path[1:])}, ("9.5.D",)))


def close(s: State, tell: Tell) -> None:
    """A step is over and the next one opens; the end of the last is that of the impulse. [R4]"""
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
    if s.phase == "react" and not combat.possible(s, side) and not combat.evaders(s, side):
        s.phase = "show" if s.slot else "evade"


def rolled(s: State, step: Rolled, tell: Tell) -> None:
    """Chance spoke."""
    values, label = step.values or (), step.label
    if s.phase == "act" and s.waiting:
        what, *rest = s.waiting
        s.waiting = ()
        if what == "bombard":
            combat.bombarded(s, rest[0], tuple(rest[1:]), values, label, tell)
        elif what == "recover":
            works.recovered(s, tuple(rest), values, label, tell)
        elif what == "blow":
            works.blown(s, rest[0], tuple(rest[1:]), values[0], label, tell)
        else:
            works.repaired(s, rest[0], tuple(rest[1:]), values[0], label, tell)
        return
    match s.phase:
        case "weather":
            s.impulses = s.board.impulses[values[0]]
            tell(Note("weather", {"die": values[0], "impulses": s.impulses}, ("3.1.1", "12.2"), label))
            s.phase = "aircraft"
        case "aircraft":
            less = s.board.scenario.aircraft_less
            s.slot = str(max(values[0] - less, 0))
            told: dict[str, str | int] = {"die": values[0], "less": less, "count": s.slot}
            tell(Note("aircraft", told, ("11.4.1.A",), label))
            s.phase = "planes" if s.slot != "0" else "supply"
        case "planes":
            air.drawn(s, values, tell)
            s.slot, s.phase = "", "supply"
            if s.number:  # the first turn is under way [R91]
                s.slot = f"{SEATS[0]}-{s.board.scenario.played[-1]}"
                chit(s, tell)
        case "draw":
            drawn(s, values[0], tell)
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
            combat.evaded(s, unit, path.split("-"), values[0], label, tell)
        case _:
            combat.rolled(s, s.battles[0], values[0], label, tell)


def drawn(s: State, slot: str, tell: Tell) -> None:
    """A chit comes out of the cup; one that is sealed is opened first. [3.2.A]"""
    s.cup = tuple(one for one in s.cup if one != slot)
    s.slot = slot
    if "/" in slot and slot not in s.opened:
        s.phase = "open"
    else:
        chit(s, tell)


def chit(s: State, tell: Tell) -> None:
    """An impulse begins. [3.2.B]"""
    s.active, s.chit = chit_of(s.slot, s.opened)
    s.drawn, s.slot = (*s.drawn, f"{s.active}-{s.chit}"), ""
    s.number += 1
    told: dict[str, str | int] = {"number": s.number, "impulses": s.impulses, "side": terms.SIDES[s.active]}
    told["chit"] = terms.CHITS[s.chit]  # type: ignore[index]
    tell(Note("chit", told, ("3.2.B/2",), anchor=f"T{s.turn}.{s.number}"))
    start_impulse(s)


def start_impulse(s: State) -> None:
    """Memories of the last impulse go; who is out of supply is judged again. [7.0.C]"""
    supply.judge(s, afresh=False)
    s.facts, s.mode, s.battles = frozenset(), "", []
    stand = {piece.at: s.board.side(id) for id, piece in s.pieces.items() if s.board.level(id, piece.level).points}
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
    """Aircraft come home, empty forts go; the next chit, or the end of the turn. [3.2.D, 3.2.E]"""
    works.abandon(s, tell)
    air.rest(s, turn=False)
    for piece in s.pieces.values():
        piece.marks, piece.left, piece.start = frozenset(), 0, piece.at
    s.facts, s.mode, s.chit, s.slot = frozenset(), "", "", ""
    s.phase = "draw" if s.number < s.impulses else "leftover"


def run(s: State, tell: Tell) -> None:
    """All that happens without a question."""
    while s.result is None and _on(s, tell):
        pass


def _on(s: State, tell: Tell) -> bool:
    if s.losses:
        every = combat.plain(s, s.losses[0])
        if every is not None:
            s.losses.pop(0)
            combat.lose(s, every, tell)
            return True
        return False
    match s.phase:
        case "supply":
            begin_turn(s, tell)
            return True
        case "chits" if not pending(s):
            s.phase = "draw"
            return True
        case "leftover" if not pending(s):
            end_turn(s, tell)
            return True
        case "evade" if not s.waiting:
            s.phase = "act"
            return True
        case "act" if not s.waiting:
            return _steps(s, tell)
    return False


def _steps(s: State, tell: Tell) -> bool:
    now = s.plan[0]
    if now == "fight":
        if not s.battles:
            close(s, tell)
            return True
        b = s.battles[0]
        if b.step == "over":
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
        return all(_judge(s, s.active, order) is not None for order in works.offers(s, s.active, step))
    foes = {piece.at for id, piece in of(s, foe(s.active))}
    near = any(not foes.isdisjoint(s.board.grid.neighbours(piece.at)) for _, piece in of(s, s.active))
    if step == "declare" or not near:
        return not near and not (step == "declare" and s.battles)
    guns = any(is_gun(s, id) and piece.available and movement.acts(s, id) for id, piece in of(s, s.active))
    machine = any(s.board.kind(id) == "machine-gun" for id, _ in of(s, s.active))
    return not (guns or machine or (s.active == JAPAN and air.ready(s)))


def begin_turn(s: State, tell: Tell) -> None:
    """Supply, then artillery; then chits are chosen. [3.1.2, 3.1.3, R1]"""
    supply.judge(s, afresh=True)
    out = sorted(id for id, piece in s.pieces.items() if not piece.supplied)
    if out:
        tell(Note("supply", {"units": ", ".join(out)}, ("3.1.2",)))
    for piece in s.pieces.values():
        piece.available = piece.available or piece.supplied  # [7.4.3, 11.1.2.A]
    s.phase, s.cup, s.opened, s.drawn, s.slot = "chits", (), {}, (), ""


def end_turn(s: State, tell: Tell) -> None:
    """What was left in the cup is shown; the last turn decides, or the next one begins. [3.2.F, R2]"""
    left = [chit_of(slot, s.opened) for slot in s.cup]
    if left:
        said = ", ".join(f"{terms.SIDES[side]} {terms.CHITS[kind]}" for side, kind in sorted(left))  # type: ignore[index]
        tell(Note("leftover", {"chits": said}, ("3.2.F",)))
    s.cup, s.opened, s.drawn = (), {}, ()
    air.rest(s, turn=True)
    decide(s, tell)
    if s.result is None:
        s.turn += 1
        s.number, s.impulses, s.phase = 0, 0, "weather"
        s.due = (*s.due, *arriving(s))
        tell(Note("turn", {"turn": s.turn, "dates": s.board.dates[s.turn]}, ("3.2.F",), anchor=f"T{s.turn}"))


def arriving(s: State) -> Iterator[str]:
    """The reinforcements of this turn. [10.1.P1/1, 14.1.2.F]"""
    return (id for arrival in s.board.arrivals if arrival.turn == s.turn for id in arrival.units)
