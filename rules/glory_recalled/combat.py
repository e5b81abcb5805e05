"""Combat, from the declaration to the advance. [9.0, 9.1]

The steps in which a combat waits for something:

    reveal     the defender opens what stands there           9.1-n2
    who        of a crowded beachhead, the two that defend    14.1-b10
    seal       the defender seals the cards of his choice     9.1-n3
    answer     the attacker plays his, having seen the units but not the cards
    open       the defender opens his list, then the cards on it
    cancel     dice of cards that cancel others
    dice       one die each                                   9.1-n4
    banzai     Banzai Charge instead of a comparison
    hits       the loser takes his, then the winner           9.1-n5
    last_stand one more die of hits
    check      leaders without troops                         11.0-b5
    advance    into the space that was won                    9.1-n6
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Ask, Illegal, Known, Note, Opened, OpenSlots, Order, Ordered, Owes, Roll, Rolled, Sealed, Tell
from pbem.api import Step as GameStep
from rules.glory_recalled import control, hits, leaders, support
from rules.glory_recalled.frames import Combat
from rules.glory_recalled.movement import at, listed, place
from rules.glory_recalled.orders import Advance, DefendWith, Hits, Stay, Support
from rules.glory_recalled.stacking import crowd
from rules.glory_recalled.state import (
    JAPAN,
    State,
    Told,
    closed_at,
    counters_at,
    foe,
    leader_at,
    seat_of,
    trace,
    units_at,
)


def stem(s: State, f: Combat, what: str = "") -> str:
    """The name of a chance event of this combat."""
    return f"t{s.turn}/r{s.round}/combat/{f.box or f.space}{what}"


# --- strength ---


def strength(s: State, id: str, *, defending: bool) -> int:
    """What a unit counts: its side up, machine guns in defence, out of supply one less, never below 0. [R47]"""
    unit, counter = s.board.units[id], s.counters[id]
    value = unit.back if counter.disrupted else unit.front  # [9.7-b3]
    if defending and unit.machine_gun and not counter.disrupted:
        value += s.board.game.machine_gun_bonus  # [9.2-b6]
    if counter.oos:
        value -= s.board.game.unsupplied_penalty  # [10.0-b4]
    return max(value, 0)


def ground(s: State, space: str, *, fort: bool = True) -> int:
    """The defence bonus of a space, the highest of its kinds; a Fortified marker stands instead. [9.2-b5, R22]"""
    if fort and space in s.forts:
        return s.board.bonus["fortified"]  # [9.2-b4, R21]
    kinds: set[str] = set(s.board.space(space).kinds)
    if space in s.destroyed:
        kinds = (kinds - {"battery", "heavy_battery"}) | {"clear"}  # [2.32f]
    return max(s.board.bonus[kind] for kind in kinds)  # [9.2-b1, 9.2-b2, 9.2-b3, 9.2-b5, PA-a, PA-c]


def attack_total(s: State, f: Combat) -> int:
    """All attacking units and leaders. [9.1-n1c]"""
    units = sum(strength(s, id, defending=False) for id in (*f.main, *f.second))  # [9.3a]
    return units + sum(leaders.value(s, name) for name in f.leaders)


def defence_total(s: State, f: Combat) -> int:
    """Defending units, ground and leader. [9.1-n2]"""
    units = sum(strength(s, id, defending=True) for id in f.defenders)
    return units + ground(s, f.space) + sum(leaders.value(s, name) for name in leaders.in_combat(s, f, foe(f.seat)))


# --- what it waits for ---


def waits(s: State, f: Combat) -> tuple[Ask | Roll, ...]:
    """What the step asks for; nothing where the step passes by itself."""
    defender = foe(f.seat)
    match f.step:
        case "reveal":
            closed = closed_at(s, f.space)
            return (Ask(defender, "reveal", "9.1-n2", client=OpenSlots(closed)),) if closed else ()
        case "who":
            return (Ask(defender, "defend_with", "14.1-b10"),) if crowded(s, f) else ()
        case "seal" if s.cards[defender].hand:
            return (Ask(defender, "support", "9.4-b1", secret=stem(s, f, "/support"), sealed="support"),)
        case "answer" if s.cards[f.seat].hand:
            return (Ask(f.seat, "support", "9.1-n3"),)
        case "open" if f.list and not f.defence_cards:
            return (Ask(defender, "open_support", "9.1-n3", client=OpenSlots((f.list,))),)
        case "cards":
            closed = tuple(slot for slot in f.defence_cards if slot not in s.opened)
            return (Ask(defender, "open_cards", "9.1-n3", client=OpenSlots(closed)),) if closed else ()
        case "cancel":
            card = support.to_roll(s, f)
            return (Roll(stem(s, f, "/anti-air"), "9.4-b4", dice=(6,)),) if card else ()
        case "dice":
            return (Roll(stem(s, f), "9.1-n4", dice=(6, 6)),)
        case "banzai":
            return (Roll(stem(s, f, "/banzai"), "2.1d", dice=(6,)),)
        case "hits" if f.todo:
            seat, count = f.todo[0]
            units = hits.involved(s, f, seat)
            if 0 < count < hits.capacity(s, units):
                return (Ask(seat, "take_hits", "9.1-n5"),)
        case "last_stand":
            return (Roll(stem(s, f, "/last-stand"), "R28", dice=(6,)),)
        case "check" if f.checks:
            return (leaders.check(s, f.checks[0][0]),)
        case "advance" if may_advance(s, f):
            return (Ask(f.seat, "advance", "9.1-n6"),)
    return ()


def crowded(s: State, f: Combat) -> bool:
    """Whether more units stand there than may defend. [14.1-b10, R34]"""
    return len(units_at(s, f.space, foe(f.seat))) > s.board.game.main_units


# --- going on ---


def begin(s: State, f: Combat, tell: Tell) -> None:
    """The attack is declared."""
    told: Told = {"place": s.board.name(f.space), "main": listed(s, f.main), "second": listed(s, f.second) or "-"}
    tell(Note("combat", told, ("9.0a", "9.1-n1a", "9.1-n1b"), anchor=f"T{s.turn}.combat.{f.space}"))
    for start in dict.fromkeys(at(s, id) for id in (*f.main, *f.second)):
        trace(s, f.seat, "attack", (start, f.space))
    f.step = "reveal"
    s.frames.append(f)


def go_on(s: State, f: Combat, tell: Tell) -> None:
    """The step is done: on to the next one."""
    match f.step:
        case "reveal":
            f.step = "who"
        case "who":
            revealed(s, f, tell)
        case "seal":
            f.step = "answer"
        case "answer":
            f.step = "open"
        case "open":
            f.step = "cards"
        case "cards":
            support.cancel(s, f, tell)
            f.step = "cancel"
        case "cancel":
            support.count(s, f, tell)
            f.step = "banzai" if support.banzai(s, f) else "dice"
        case "hits":
            automatic_hits(s, f, tell)
        case "check":
            f.step = "hits"
        case "advance":
            end(s, f, tell)
        case _:
            raise ValueError(f"a combat cannot go on from {f.step}")


def revealed(s: State, f: Combat, tell: Tell) -> None:
    """The defenders are known: units fight, a lone leader dies, dummies were nothing. [R14, R15]"""
    defender = foe(f.seat)
    if not f.defenders:
        f.defenders = units_at(s, f.space, defender)
    if f.defenders:
        f.totals = (attack_total(s, f), defence_total(s, f))
        told: Told = {
            "place": s.board.name(f.space),
            "attack": f.totals[0],
            "defence": f.totals[1],
            "units": listed(s, f.defenders),
        }
        tell(Note("combat.totals", told, ("9.1-n1c", "9.1-n2")))
        f.step = "seal"
        return
    leader = leader_at(s, f.space, defender)
    f.won, f.step = f.seat, "advance"
    if leader is None:
        tell(Note("combat.dummies", {"place": s.board.name(f.space)}, ("12.0-b3", "R14")))
        return
    tell(Note("combat.lone_leader", {"leader": leader}, ("11.0-b11", "R15")))
    leaders.kill(s, leader, tell)


def compare(s: State, f: Combat, tell: Tell, label: str) -> None:
    """The higher total wins; the loser takes the difference, in a draw both the smaller die. [9.5]"""
    attack, defence = (f.totals[0] + f.dice[0], f.totals[1] + f.dice[1])
    f.small = min(f.dice)
    told: Told = {
        "place": s.board.name(f.space),
        "attack": attack,
        "defence": defence,
        "die": f.dice[0],
        "other": f.dice[1],
    }
    defender = foe(f.seat)
    if attack == defence:  # [9.5-b6, R16]: defender first
        f.todo = ((defender, f.small), (f.seat, f.small))
        tell(Note("combat.draw", {**told, "hits": f.small}, ("9.5-b6",), label))
    else:
        f.won = f.seat if attack > defence else defender  # [9.5-b1]
        f.todo = ((foe(f.won), abs(attack - defence)),)  # [9.5-b2]
        stem_ = "combat.won" if f.won == f.seat else "combat.lost"
        tell(Note(stem_, {**told, "hits": abs(attack - defence)}, ("9.5-b1", "9.5-b2"), label))
    f.step = "hits"


def automatic_hits(s: State, f: Combat, tell: Tell) -> None:
    """Hits that leave no choice, or none left."""
    if not f.todo:
        f.step = "advance"
        if f.last_stand and not hits.involved(s, f, foe(f.seat)) and hits.involved(s, f, f.seat):
            f.step = "last_stand"
        return
    seat, count = f.todo[0]
    dead = hits.involved(s, f, seat) if count > 0 else ()
    resolve(s, f, tuple((id, "eliminate") for id in dead), tell)


def resolve(s: State, f: Combat, fates: tuple[tuple[str, ...], ...], tell: Tell) -> None:
    """One side has taken its hits: what follows for its leaders, and for the winner. [9.6-b1]"""
    seat, count = f.todo[0]
    took = hits.taken(s, f, seat, count)  # [9.5-b4]
    overkill = count - took
    before = {id: at(s, id) for id in hits.involved(s, f, seat)}
    hits.suffer(s, f, seat, fates, tell)
    f.todo = f.todo[1:]  # [9.6-b1]: the loser's first
    if f.won == foe(seat) and f.small:  # [9.5-b3, 9.5-b5]: the lesser of the smaller die and hits really taken less one
        f.todo = (*f.todo, (f.won, max(0, min(f.small, took - 1))))
        f.small = 0
    f.checks = tuple((name, overkill) for name in bereft(s, f, seat, before))
    f.step = "check"


def bereft(s: State, f: Combat, seat: str, before: dict[str, str]) -> tuple[str, ...]:
    """Leaders all of whose troops were eliminated just now. [11.0-b5, R52]"""
    found = []
    for space in dict.fromkeys(before.values()):
        name = leader_at(s, space, seat)
        gone = [id for id, where in before.items() if where == space]
        if name is not None and not any(id in s.counters for id in gone) and not counters_at(s, space, seat):
            found.append(name)
    return tuple(found)


def may_advance(s: State, f: Combat) -> tuple[str, ...]:
    """Attackers that may advance: after a win, nobody of the enemy left, not from a landing box. [9.9-b1, 9.9-b2]"""
    if f.won != f.seat or f.box or counters_at(s, f.space, foe(f.seat)):
        return ()
    return tuple(id for id in hits.involved(s, f, f.seat) if id not in f.stayed)  # [9.9-b3]


def end(s: State, f: Combat, tell: Tell) -> None:
    """All attackers and their leaders are spent, defenders are not turned. [9.1-n7, 9.3c, 11.0-b3]"""
    for id in (*f.main, *f.second):
        if id in s.counters:
            s.counters[id].spent = True  # [9.1-n7, 9.3c]
    for name in f.leaders:
        if name in s.leaders:
            s.leaders[name].spent = True
    s.frames.remove(f)


# --- orders ---


def refuse(s: State, f: Combat, seat: str, order: Order, known: Known) -> Illegal | Owes | None:
    """Orders that answer a question of the combat."""
    match order:
        case Support():
            return support.refuse(s, f, seat, order.cards, known)
        case DefendWith():
            return _refuse_defenders(s, f, order)
        case Hits():
            return hits.refuse(s, f, seat, f.todo[0][1], order.fates, known)
        case Advance():
            return _refuse_advance(s, f, order, known)
    return None


def _refuse_defenders(s: State, f: Combat, order: DefendWith) -> Illegal | None:
    units = units_at(s, f.space, foe(f.seat))
    if len(set(order.units)) != s.board.game.main_units or not set(order.units) <= set(units):
        return Illegal("two units of a beachhead defend", ("14.1-b10", "R34"), f"units: {', '.join(units)}")
    return None


def _refuse_advance(s: State, f: Combat, order: Advance, known: Known) -> Illegal | Owes | None:
    able = may_advance(s, f)
    names = [id for id in order.units if id in s.leaders]
    units = [id for id in order.units if id not in s.leaders]
    for id in units:
        if id in f.stayed:
            return Illegal(f"{id} stayed or retreated and does not advance", ("9.9-b3", "9.8-b7"))
        if id not in able:
            return Illegal(f"{id} has not won this space", ("9.9-b1",), f"open: {', '.join(able)}")
    if not units or len(names) > 1 or any(name not in f.leaders and at(s, name) not in _from(s, f) for name in names):
        return Illegal("a leader advances with units that he was with", ("R20",))
    if len(set(order.units)) != len(order.units):
        return Illegal("a unit is named twice", ("9.9-b1",))
    return crowd(s, seat_of(s, units[0]), f.space, [*counters_at(s, f.space, f.seat), *units], known)


def _from(s: State, f: Combat) -> set[str]:
    return {at(s, id) for id in (*f.main, *f.second)}


def take(s: State, f: Combat, step: GameStep, tell: Tell) -> None:
    """An answer, an opening or a die."""
    match step:
        case Sealed(name=name):
            f.list, f.step = name, "answer"
        case Opened(order=Support(cards=listed_cards)):
            f.defence_cards, f.step = tuple(listed_cards), "cards"
        case Opened():
            pass
        case Ordered(order=order):
            _answer(s, f, order, tell)
        case Rolled(label=label, values=values) if values is not None:
            _rolled(s, f, tuple(int(die) for die in values), label, tell)


def _answer(s: State, f: Combat, order: Order, tell: Tell) -> None:
    match order:
        case DefendWith():
            f.defenders = order.units
            revealed(s, f, tell)
        case Support() if f.step == "seal":  # [R70]: in clear only where a standing order says so
            f.defence_cards, f.step = order.cards, "answer"
        case Support():
            f.attack_cards, f.step = order.cards, "open"
        case Hits():
            resolve(s, f, order.fates, tell)
        case Advance():
            advance(s, f, order.units, tell)
        case Stay():
            tell(Note("combat.stays", {"place": s.board.name(f.space)}, ("9.9-b1",)))
            end(s, f, tell)


def advance(s: State, f: Combat, units: tuple[str, ...], tell: Tell) -> None:
    """They enter what they won, without points; a leader left there alone dies first. [9.9-b1, 7.2-b4, R58]"""
    lonely = leader_at(s, f.space, foe(f.seat))
    end(s, f, tell)
    for id in units:
        trace(s, f.seat, "move", (at(s, id), f.space))
        place(s, id, f.space)
        control.entered(s, id, (f.space,), tell)
    tell(Note("combat.advance", {"units": listed(s, units), "place": s.board.name(f.space)}, ("9.9-b1",)))
    if lonely is not None:
        leaders.kill(s, lonely, tell)  # [11.0-b11]


def _rolled(s: State, f: Combat, dice: tuple[int, ...], label: str, tell: Tell) -> None:
    match f.step:
        case "cancel":
            support.rolled(s, f, dice[0], label, tell)
        case "dice":
            red, blue = dice  # [9.1-n4, R40]: the red die is Japan's
            f.dice = (red, blue) if f.seat == JAPAN else (blue, red)
            compare(s, f, tell, label)
        case "banzai":
            support.charge(s, f, dice[0], label, tell)
        case "last_stand":
            f.last_stand = False
            f.todo, f.step = ((f.seat, (dice[0] + 1) // 2),), "hits"
            tell(Note("combat.last_stand", {"die": dice[0], "hits": (dice[0] + 1) // 2}, ("R28",), label))
        case "check":
            name, overkill = f.checks[0]
            f.checks = f.checks[1:]
            leaders.fall_or_live(s, name, dice[0], overkill, label, tell)


def offers(s: State, f: Combat, seat: str, known: Known) -> Iterator[Order]:
    """Orders for the step that waits."""
    match f.step:
        case "who":
            units = units_at(s, f.space, foe(f.seat))
            yield DefendWith(units=tuple(sorted(units, key=lambda id: -strength(s, id, defending=True))[:2]))
        case "seal" | "answer":
            yield Support()
            yield from support.offers(s, f, seat, known)
        case "hits":
            for way in hits.ways(s, f, seat, f.todo[0][1], known):
                yield Hits(fates=way)
        case "advance":
            yield Stay()
            able = may_advance(s, f)
            for count in (2, 1):
                if len(able) >= count:
                    yield Advance(units=able[:count])
