"""Amphibious Assault: boxes, the roll for the southern piers, two waves a box, the beachhead. [14.1]

The steps: `south` the roll, `torpedo` and `hurt` the boats of a reaction, `wave` one box after the other,
`ashore` who goes on land, `back` who sails home.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Ask, Illegal, Known, Note, Order, Ordered, Roll, Rolled, Tell
from pbem.api import Step as GameStep
from rules.glory_recalled import cards, combat, control, sea
from rules.glory_recalled.action import play_of
from rules.glory_recalled.frames import Combat, Landing
from rules.glory_recalled.movement import at, listed
from rules.glory_recalled.orders import Ashore, Disrupt, Land, NoWave, SailBack, Wave
from rules.glory_recalled.stacking import room
from rules.glory_recalled.state import BRITISH, JAPAN, State, counters_at, foe, holder_of, leader_at, seat_of, trace

# --- the order ---


def refuse(s: State, seat: str, order: Land, known: Known) -> Illegal | None:
    """The card, the boxes, and who boards. [14.1-b1]"""
    wrong = cards.refuse_held(s, seat, order.card, known)
    if wrong is not None:
        return wrong
    play = play_of(s, order.card, known)
    if play is None or play.do != "land":
        return Illegal("landings are made by playing Amphibious Assault", ("14.1-b1", "14.1-card"))
    if len(order.landings) != len(order.stacks):
        return Illegal("each box has its troops", ("14.1-b2",))
    if len(order.landings) > s.board.game.boxes or len(set(order.landings)) != len(order.landings):
        return Illegal(f"at most {s.board.game.boxes} landing boxes, each once", ("14.1-b2",))
    for box in order.landings:
        if box not in s.board.boxes:
            return Illegal(f"{box} is no landing box", ("14.1-b2",), f"boxes: {', '.join(s.board.boxes)}")
    every = [id for stack in order.stacks for id in stack]
    if len(set(every)) != len(every):
        return Illegal("a unit is named twice", ("14.1-b2",))
    for id in every:
        wrong = _refuse_boarding(s, seat, id)
        if wrong is not None:
            return wrong
    for box, stack in zip(order.landings, order.stacks, strict=True):
        wrong = _refuse_load(s, seat, box, stack)
        if wrong is not None:
            return wrong
    return None


def before_fall(s: State) -> bool:
    """Whether only the force that was set aside may land. [17.3-n4a, R44]"""
    return s.board.setup.landing_force and not s.fallen  # [17.3-n4c]: later landings are as any other


def _refuse_boarding(s: State, seat: str, id: str) -> Illegal | None:
    """Fresh, and in or beside a pier that Japan controls. [R31]"""
    if (id not in s.counters and id not in s.leaders) or seat_of(s, id) != seat:
        return Illegal(f"{id} is no unit or leader of yours", ("14.1-b2",))
    if before_fall(s):
        if at(s, id) != "aside":
            return Illegal("before the fall of Kowloon only the force that was set aside lands", ("17.3-n4a", "R44"))
        return None
    if s.leaders[id].spent if id in s.leaders else s.counters[id].spent:
        return Illegal(f"{id} is spent", ("6.0a", "R31"))
    if at(s, id) not in sea.beside_pier(s, seat):
        return Illegal(f"{id} is not in or beside a pier of yours", ("14.1-b2",))
    return None


def _refuse_load(s: State, seat: str, box: str, stack: tuple[str, ...]) -> Illegal | None:
    """Eight units and a leader in a box, with those who hold the beachhead. [2.34, 14.1-b11, R33]"""
    space = s.board.boxes[box].space
    own = holder_of(s, space) == seat
    there = len(counters_at(s, space, seat)) if own else 0
    units = [id for id in stack if id not in s.leaders]
    names = [id for id in stack if id in s.leaders]
    if not units:
        return Illegal("a leader does not land alone", ("14.1-b3",))
    if len(units) + there > s.board.game.box_units:  # [2.34]
        return Illegal(
            f"{box} holds {s.board.game.box_units} units, those on the beachhead counted",
            ("14.1-b3", "8.0-b3", "14.1-b11"),
        )
    if len(names) + (own and leader_at(s, space, seat) is not None) > 1:
        return Illegal(f"{box} holds one leader", ("14.1-b3",))
    return None


def begin(s: State, seat: str, order: Land, tell: Tell) -> None:
    """They board."""
    card = s.board.cards[s.opened[order.card]]
    cards.discard(s, seat, (order.card,))
    frame = Landing("south", seat, card.id, order.landings, force=before_fall(s))
    for box, stack in zip(order.landings, order.stacks, strict=True):
        for id in stack:
            frame.origin[id] = at(s, id)
            (s.leaders if id in s.leaders else s.counters)[id].at = box
        tell(Note("landing.boards", {"units": listed(s, stack), "box": s.board.name(box)}, ("14.1-b2", "14.1-b3")))
    s.frames.append(frame)


# --- what it waits for ---


def aboard(s: State, box: str) -> tuple[str, ...]:
    """The units in a box."""
    return counters_at(s, box)


def southern(s: State, f: Landing) -> tuple[str, ...]:
    """The boxes of the southern piers that are used. [2.31c]"""
    return tuple(box for box in f.boxes if s.board.boxes[box].south)


def able(s: State, f: Landing) -> tuple[str, ...]:
    """Units of the present box that may assault. [14.1-b9a]"""
    return tuple(id for id in aboard(s, f.boxes[0]) if id not in f.spent and not s.counters[id].disrupted)


def fighting(s: State, f: Landing) -> bool:
    """Whether another wave can go against the present space."""
    space = s.board.boxes[f.boxes[0]].space
    return f.wave <= s.board.game.waves and holder_of(s, space) == foe(f.seat) and bool(able(s, f))


def waits(s: State, f: Landing) -> tuple[Ask | Roll, ...]:
    """The step's question or die."""
    match f.step:
        case "torpedo":
            return (Roll(f"t{s.turn}/r{s.round}/torpedo", "15.0-b3", dice=(6,)),)
        case "hurt":
            return (Ask(f.seat, "choose_disrupted", "15.0-b3"),)
        case "south" if f.force or southern(s, f):
            return (Roll(f"t{s.turn}/r{s.round}/landing", "14.1-b4", dice=(6, 6)),)
        case "wave" if f.boxes and fighting(s, f):
            return (Ask(f.seat, "wave", "14.1-b6"),)
        case "ashore" if aboard(s, f.boxes[0]):
            return (Ask(f.seat, "ashore", "14.1-b9b"),)
        case "back" if homes(s, f):
            return (Ask(f.seat, "sail_back", "14.1-b13"),)
    return ()


def go_on(s: State, f: Landing, tell: Tell) -> None:
    """From step to step, and from box to box. [14.1-b5]"""
    if f.step == "south":
        f.step = "wave"
    elif not f.boxes:
        finish(s, f)
    elif f.step == "wave":
        space = s.board.boxes[f.boxes[0]].space
        f.step = "back" if holder_of(s, space) == foe(f.seat) else "ashore"  # [R32]
    elif f.step == "back":
        for id in aboard(s, f.boxes[0]):  # [R31]: no room
            control.eliminate(s, id, tell)
        lost = leader_at(s, f.boxes[0], f.seat)
        if lost is not None:
            from rules.glory_recalled import leaders

            leaders.find_troops(s, lost, tell)
        next_box(f)
    else:
        next_box(f)


def next_box(f: Landing) -> None:
    """The present box is done."""
    f.boxes, f.wave, f.step = f.boxes[1:], 1, "wave"


def finish(s: State, f: Landing) -> None:
    """Whoever went by sea is spent."""
    for id in f.origin:
        if id in s.counters and s.counters[id].at != "aside":
            s.counters[id].spent = True
    s.frames.remove(f)


def homes(s: State, f: Landing) -> tuple[str, ...]:
    """Spaces in or beside a pier of Japan with room for a unit that comes back."""
    if not aboard(s, f.boxes[0]):
        return ()
    open_to = sorted(sea.beside_pier(s, f.seat))
    return tuple(space for space in open_to if holder_of(s, space) != foe(f.seat) and room(s, f.seat, space, {})[0] > 0)


# --- answers and dice ---


def refuse_answer(s: State, f: Landing, order: Order, known: Known) -> Illegal | None:
    """Waves, who goes ashore, where the others go."""
    match order:
        case Wave() if f.step == "wave":
            return _refuse_wave(s, f, order)
        case NoWave() if f.step == "wave":
            return None
        case Ashore() if f.step == "ashore":
            return _refuse_ashore(s, f, order)
        case SailBack() if f.step == "back":
            return _refuse_back(s, f, order)
        case Disrupt() if f.step == "hurt":
            return sea.refuse_disrupt(s, sea.victims(s, aboard(s, f.hurt)), order)
    return Illegal("that belongs to another moment of the landing", ("14.1-b5",))


def _refuse_wave(s: State, f: Landing, order: Wave) -> Illegal | None:
    """Two units, not those of the first wave; its leader neither. [14.1-b6, 14.1-b9a]"""
    box = f.boxes[0]
    units = [id for id in order.units if id not in s.leaders]
    for id in order.units:
        if at(s, id) != box:
            return Illegal(f"{id} is not in {box}", ("14.1-b7", "14.1-b6"))
        if id in f.spent:
            return Illegal(f"{id} assaulted in the first wave", ("14.1-b9a",))
        if id in s.counters and s.counters[id].disrupted:
            return Illegal(f"{id} is disrupted", ("9.7-b2",))
        if id in s.leaders and s.leaders[id].spent:
            return Illegal(f"{id} is spent", ("14.1-b9a",))
    if not 1 <= len(units) <= s.board.game.wave_units or len(set(order.units)) != len(order.units):
        return Illegal("two units assault in a wave", ("14.1-b6",))
    return None


def _refuse_ashore(s: State, f: Landing, order: Ashore) -> Illegal | None:
    if any(at(s, id) != f.boxes[0] for id in order.units) or len(set(order.units)) != len(order.units):
        return Illegal(f"units in {f.boxes[0]} go ashore", ("14.1-b9b",))
    if not any(id in s.counters for id in order.units):
        return Illegal("a leader does not go ashore alone", ("14.1-b9b",))
    return None


def _refuse_back(s: State, f: Landing, order: SailBack) -> Illegal | None:
    """Everybody, as far as there is room; the rest is lost. [14.1-b13, R31]"""
    if len(order.stacks) != len(order.spaces):
        return Illegal("each stack has its place", ("14.1-b13",))
    goes = {id: to for stack, to in zip(order.stacks, order.spaces, strict=True) for id in stack}
    box = f.boxes[0]
    if any(at(s, id) != box for id in goes) or sum(map(len, order.stacks)) != len(goes):
        return Illegal(f"units in {box} sail back, each once", ("14.1-b13",))
    open_to = homes(s, f)
    for to in goes.values():
        if to not in open_to:
            return Illegal(
                f"{to} is not beside a pier of yours with room", ("14.1-b13", "R31"), f"open: {', '.join(open_to)}"
            )
    coming = {to: [id for id in goes if goes[id] == to and id in s.counters] for to in open_to}
    for to, ids in coming.items():
        if len(ids) > room(s, f.seat, to, {})[0]:
            return Illegal(f"{to} has no room for {len(ids)}", ("8.0-b1", "R31"))
    names = [id for id in goes if id in s.leaders]
    if any(leader_at(s, goes[name], f.seat) is not None for name in names):
        return Illegal("a space holds one leader", ("11.0-b1",))
    left = [id for id in aboard(s, box) if id not in goes]
    if left and any(room(s, f.seat, to, {})[0] > len(coming[to]) for to in open_to):
        return Illegal(f"there is room for {left[0]}", ("14.1-b13", "R31"))
    return None


def take(s: State, f: Landing, step: GameStep, tell: Tell) -> None:
    """An answer or a die."""
    match step:
        case Rolled(label=label, values=values) if values is not None:
            if f.step == "torpedo":
                _torpedo(s, f, int(values[0]), label, tell)
            else:
                south(s, f, sum(values), label, tell)
        case Ordered(order=Wave(units=units)):
            _wave(s, f, units, tell)
        case Ordered(order=NoWave()):
            f.wave = s.board.game.waves + 1
        case Ordered(order=Ashore(units=units)):
            _ashore(s, f, units, tell)
        case Ordered(order=SailBack() as order):
            for stack, to in zip(order.stacks, order.spaces, strict=True):
                _return(s, f, stack, to)
            tell(Note("landing.back", {"box": s.board.name(f.boxes[0])}, ("14.1-b13",)))
        case Ordered(order=Disrupt(units=units)):
            for id in units:
                s.counters[id].disrupted = True
            f.step = "south"


def _return(s: State, f: Landing, stack: tuple[str, ...], to: str) -> None:
    for id in stack:
        (s.leaders if id in s.leaders else s.counters)[id].at = to


def _torpedo(s: State, f: Landing, die: int, label: str, tell: Tell) -> None:
    hit = sea.torpedo_hits(s, die, label, tell)
    hurt = sea.victims(s, aboard(s, f.hurt))
    f.step = "hurt" if hit and len(hurt) > hit else "south"
    if hit and len(hurt) <= hit:
        for id in hurt:
            s.counters[id].disrupted = True


def south(s: State, f: Landing, total: int, label: str, tell: Tell) -> None:
    """More than the British batteries: otherwise they go back, spent. One roll for both piers. [14.1-b4, 17.3-n4b]"""
    need = len(control.batteries(s, BRITISH))
    told = {"total": total, "batteries": need}
    f.step = "wave"
    if total > need:
        tell(Note("landing.through", told, ("14.1-b4",), label))
        return
    turned = f.boxes if f.force else southern(s, f)
    tell(Note("landing.wasted" if f.force else "landing.turned", told, ("17.3-n4b" if f.force else "14.1-b4",), label))
    for id, origin in f.origin.items():
        if at(s, id) in turned:
            (s.leaders if id in s.leaders else s.counters)[id].at = origin
    f.boxes = tuple(box for box in f.boxes if box not in turned)


def _wave(s: State, f: Landing, units: tuple[str, ...], tell: Tell) -> None:
    """A combat as any other, but from the sea: no retreat, no other stacks. [14.1-b7]"""
    box = f.boxes[0]
    main = tuple(id for id in units if id in s.counters)
    names = tuple(id for id in units if id in s.leaders)
    play = next((p for plays in s.board.plays.values() for p in plays if p.do == "searchlights"), None)
    dim = play.amount if play is not None and f.dim == box and f.wave == 1 else 0
    f.spent, f.wave = (*f.spent, *units), f.wave + 1
    combat.begin(s, Combat("reveal", f.seat, s.board.boxes[box].space, box, main, (), names, bonus=dim), tell)


def _ashore(s: State, f: Landing, units: tuple[str, ...], tell: Tell) -> None:
    """They hold a beachhead. [14.1-b9b, 14.1-b10]"""
    space = s.board.boxes[f.boxes[0]].space
    new = space not in s.beachheads
    s.beachheads.add(space)
    trace(s, f.seat, "move", (f.boxes[0], space))
    for id in units:
        (s.leaders if id in s.leaders else s.counters)[id].at = space
        control.entered(s, id, (space,), tell)
    told = {"units": listed(s, units), "place": s.board.name(space)}
    tell(Note("landing.beachhead" if new else "landing.joins", told, ("14.1-b9b", "14.1-b10")))
    f.step = "back"


def offers(s: State, f: Landing, known: Known) -> Iterator[Order]:
    """Answers to the step's question."""
    box = f.boxes[0]
    match f.step:
        case "wave":
            units = able(s, f)
            leader = leader_at(s, box, f.seat)
            him = (leader,) if leader is not None and leader not in f.spent and not s.leaders[leader].spent else ()
            yield Wave(units=(*units[:2], *him))
            yield Wave(units=units[:1])
            yield NoWave()
        case "ashore":
            leader = leader_at(s, box, f.seat)
            yield Ashore(units=(*aboard(s, box), *((leader,) if leader else ())))
        case "back":
            yield _home(s, f)
        case "hurt":
            yield Disrupt(units=sea.victims(s, aboard(s, f.hurt))[:2])


def _home(s: State, f: Landing) -> SailBack:
    """As many as there is room for, where they fit; a leader with the first who has a free place."""
    goes: dict[str, list[str]] = {}
    left = list(aboard(s, f.boxes[0]))
    for to in homes(s, f):
        while left and len(goes.get(to, ())) < room(s, f.seat, to, {})[0]:
            goes.setdefault(to, []).append(left.pop(0))
    leader = leader_at(s, f.boxes[0], f.seat)
    if leader is not None:
        free = next((to for to in goes if leader_at(s, to, f.seat) is None), None)
        if free is not None:
            goes[free].append(leader)
    return SailBack(stacks=tuple(tuple(ids) for ids in goes.values()), spaces=tuple(goes))


def begin_offers(s: State, seat: str, known: Known) -> Iterator[Order]:
    """One landing for each box, with all that can board."""
    if seat != JAPAN:
        return
    for slot in s.cards[seat].hand:
        play = play_of(s, slot, known)
        if play is None or play.do != "land":
            continue
        units = tuple(id for id in s.counters if seat_of(s, id) == seat and _refuse_boarding(s, seat, id) is None)
        names = tuple(id for id in s.leaders if seat_of(s, id) == seat and _refuse_boarding(s, seat, id) is None)
        for box in s.board.boxes:
            order = Land(card=slot, landings=(box,), stacks=((*units[:6], *names[:1]),)) if units else None
            if order is not None and refuse(s, seat, order, known) is None:
                yield order
        return
