"""The actions that move units: a card, a leader, a march; and attacks out of them. [5.1, 6.0, 9.0]"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.api import Ask, Illegal, Known, Note, Order, Owes, Tell
from rules.glory_recalled import cards, control, movement
from rules.glory_recalled.components import Play as CardPlay
from rules.glory_recalled.frames import Action
from rules.glory_recalled.movement import at, listed
from rules.glory_recalled.orders import Attack, Done, March, Move, Play
from rules.glory_recalled.state import (
    BRITISH,
    State,
    card_of,
    counters_at,
    hand,
    holder_of,
    is_closed,
    seat_of,
    unit_of,
)

# --- playing a card to activate ---


def refuse_play(s: State, seat: str, order: Play, known: Known) -> Illegal | Owes | None:
    """A formation card, or Counter Attack with its stacks. [5.1-n1, 14.0-b2]"""
    wrong = cards.refuse_held(s, seat, order.card, known)
    if wrong is not None:
        return wrong
    play = play_of(s, order.card, known)
    if play is None or play.do not in ("activate", "counter_attack"):
        return Illegal("this card activates no units", ("5.1-n1", "R62"), "see what the card does")
    if play.do == "activate":
        if order.stacks:
            return Illegal("a formation card names no stacks", ("6.0-b1",), "give the moves after it")
        return None
    return _refuse_stacks(s, seat, order.stacks, play.count, known)


def play_of(s: State, slot: str, known: Known) -> CardPlay | None:
    """What a card does as an action."""
    card = card_of(s, slot, known)
    return None if card is None else s.board.play(card.id, "action")


def _refuse_stacks(
    s: State, seat: str, stacks: Sequence[Sequence[str]], most: int, known: Known
) -> Illegal | Owes | None:
    """Counter Attack: stacks of the Island. [R62]"""
    if not 1 <= len(stacks) <= most:
        return Illegal(f"the card activates one or two stacks, at most {most}", ("R62",))
    owes: Owes | None = None
    for stack in stacks:
        verdict = refuse_stack(s, seat, stack, known)
        if isinstance(verdict, Illegal):
            return verdict
        owes = verdict or owes
        if s.board.space(at(s, stack[0])).half != "island":
            return Illegal("the card activates stacks on the Island", ("R62",))
    if len({at(s, stack[0]) for stack in stacks}) != len(stacks):
        return Illegal("the stacks stand in different spaces", ("R7",))
    return owes


def refuse_stack(s: State, seat: str, stack: Sequence[str], known: Known) -> Illegal | Owes | None:
    """Fresh units of one space, dummies along with them. [6.0a, R7]"""
    if len(set(stack)) != len(stack):
        return Illegal("a unit is named twice", ("R7",))
    for id in stack:
        if id in s.leaders:
            return Illegal(f"{id} is a leader: leaders move by cards", ("5.1-n4", "11.0-b2"))
        if id not in s.counters or seat_of(s, id) != seat or s.counters[id].at not in s.board.spaces:
            return Illegal(f"{id} is no unit of yours on the map", ("6.0a",))
        if s.counters[id].spent:
            return Illegal(f"{id} is spent", ("6.0b", "6.0a"))
        unit = unit_of(s, id, known)
        if unit is not None and unit.activation == "event":  # [3.2c]
            return Illegal(f"{id} is activated by event cards only", ("3.2c", "R55"))
    if len({at(s, id) for id in stack}) > 1:
        return Illegal("a stack stands in one space", ("5.1-n2", "R7"))
    return with_units(s, stack, known)


def with_units(s: State, ids: Sequence[str], known: Known) -> Illegal | Owes | None:
    """A dummy moves only with units. [12.0-b3]"""
    counters = [id for id in ids if id not in s.leaders]
    if not counters or any(unit_of(s, id, known) is not None for id in counters):
        return None
    if any(is_closed(id, known) for id in counters):
        return Owes(f"one of {', '.join(counters)} is a unit")
    return Illegal("a dummy moves only with units", ("12.0-b3",))


def play(s: State, seat: str, order: Play, tell: Tell) -> None:
    """The card is shown and its units may act."""
    card = s.board.cards[s.opened[order.card]]
    what = s.board.play(card.id, "action")
    assert what is not None
    cards.discard(s, seat, (order.card,))
    tell(Note("card.played", {"side": control.side(seat), "card": card.name}, ("5.1-n1", "14.0-b2")))
    units = tuple(id for stack in order.stacks for id in stack)
    frame = Action("act", seat, "formation" if what.do == "activate" else "counter", card.id, units=units)
    frame.formations = what.formations  # [2.1b]
    frame.bonus = what.amount
    s.frames.append(frame)


# --- leaders ---


def use_up(s: State, effect: str) -> bool:
    """Whether an effect was waiting for this; it is used now."""
    if effect not in s.effects:
        return False
    s.effects = tuple(one for one in s.effects if one != effect)
    return True


# --- marches ---


def paths_of(stacks: Sequence[Sequence[str]], paths: Sequence[Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """The path of each counter."""
    return {id: tuple(path) for stack, path in zip(stacks, paths, strict=True) for id in stack}


def refuse_march(s: State, seat: str, order: March, known: Known) -> Illegal | Owes | None:
    """One stack without a card, each unit on its own path. [5.1-n4, 6.0-b3]"""
    every = [id for stack in order.stacks for id in stack]
    verdict = refuse_stack(s, seat, every, known)
    if isinstance(verdict, Illegal):
        return verdict
    return (
        _refuse_going(s, seat, order, known, Action("act", seat, "march", forced=f"forced_march:{seat}" in s.effects))
        or verdict
    )


def _refuse_going(s: State, seat: str, order: March | Move, known: Known, f: Action) -> Illegal | Owes | None:
    if len(order.stacks) != len(order.paths):
        return Illegal("each stack has its path", ("7.2-b1",))
    moves = paths_of(order.stacks, order.paths)
    if sum(map(len, order.stacks)) != len(moves):
        return Illegal("a unit is named twice", ("7.2-b1",))
    cheap = f.cheap or (f.how == "march" and f"infiltration:{seat}" in s.effects)
    left = {id: movement.allowance(s, id, march=f.how == "march", forced=f.forced) - f.used.get(id, 0) for id in moves}
    why = "7.1-b2" if f.how == "march" else "7.1-b1"
    verdict = movement.refuse_moves(s, seat, moves, left, known, cheap=cheap, why=why)
    if isinstance(verdict, Illegal):
        return verdict
    for path in dict.fromkeys(moves.values()):
        lonely = with_units(s, [id for id in moves if moves[id] == path], known)
        if isinstance(lonely, Illegal):
            return lonely
        verdict = verdict or lonely
    return verdict


def march(s: State, seat: str, order: March, tell: Tell) -> None:
    """The march is announced; it happens when nobody reacts."""
    frame = Action("go", seat, "march", units=tuple(id for stack in order.stacks for id in stack))
    frame.cheap, frame.forced = use_up(s, f"infiltration:{seat}"), use_up(s, f"forced_march:{seat}")
    frame.plan = plan_of(order)
    s.frames.append(frame)
    told = {"units": listed(s, frame.units), "place": s.board.name(at(s, frame.units[0]))}
    tell(Note("march", told, ("5.1-n4", "6.0-b3")))


def plan_of(order: March) -> tuple[tuple[str, ...], ...]:
    """The paths of a march: a counter and its spaces."""
    return tuple((id, *path) for stack, path in zip(order.stacks, order.paths, strict=True) for id in stack)


# --- an action under way ---


def waits(s: State, f: Action) -> tuple[Ask, ...]:
    """Moves and attacks until the player is done; a march whose road was cut is written anew."""
    if f.step == "go":
        return ()
    if f.step == "again":
        return (Ask(f.seat, "march_again", "5.1-n4"),)
    return (Ask(f.seat, "activate", "6.0-b1" if f.how == "formation" else "6.0-b2"),)


def go_on(s: State, f: Action, tell: Tell) -> None:
    """A march goes as it was ordered, and is over."""
    moves = {id: path for id, *path in f.plan}
    movement.go(s, moves, tell)
    f.used = dict.fromkeys(moves, 1)
    finish(s, f, tell)


def finish(s: State, f: Action, tell: Tell) -> None:
    """Units that moved or attacked are spent, leaders are not. [5.1b, 6.0b, 11.0-b2]"""
    for id in (*f.used, *f.fought):  # [5.1b]
        if id in s.counters:
            s.counters[id].spent = True
    s.frames.remove(f)


def refuse(s: State, f: Action, seat: str, order: Order, known: Known) -> Illegal | Owes | None:
    """Moves and attacks of an action."""
    match order:
        case Move() if f.step == "act":
            return refuse_move(s, f, order, known)
        case Done() if f.step == "act":
            return None
        case March() if f.step == "again":
            if sorted(id for stack in order.stacks for id in stack) != sorted(f.units):
                return Illegal("the same units march", ("R28",), f"units: {', '.join(f.units)}")
            return _refuse_going(s, f.seat, order, known, f)
    return Illegal("that belongs to another moment", ("5.1a",))


def may_act(s: State, f: Action, id: str, known: Known) -> Illegal | None:
    """Whether a counter is activated by this action and can still do something."""
    if id in s.leaders:
        if id == f.leader:
            return None
        return Illegal(f"{id} is not activated: leaders move by their own card", ("5.1-n2", "11.0-b2"))
    if id not in s.counters or seat_of(s, id) != f.seat:
        return Illegal(f"{id} is no unit of yours on the map", ("6.0a",))
    if id in f.fought:
        return Illegal(f"{id} has attacked", ("9.0b",))
    if s.counters[id].spent:
        return Illegal(f"{id} is spent", ("6.0b", "9.0c"))
    if f.units or not f.formations:
        if id in f.units:
            return None
        return Illegal(f"{id} is not in the stack that was activated", ("6.0-b2", "5.1-n2"))
    unit = unit_of(s, id, known)
    if unit is None:
        return None  # a dummy that goes along, or a counter that must be opened: see `refuse_move`
    if unit.formation not in f.formations or (unit.activation == "event" and f.how != "event"):
        return Illegal(f"{id} is not of {' or '.join(f.formations)}", ("6.0-b1", "R4"))
    return None


def refuse_move(s: State, f: Action, order: Move, known: Known) -> Illegal | Owes | None:
    """Activated units, each within what is left of its points. [7.1-b1]"""
    for id in (id for stack in order.stacks for id in stack):
        wrong = may_act(s, f, id, known)
        if wrong is not None:
            return wrong
    verdict = _refuse_going(s, f.seat, order, known, f)
    going_along = [id for stack in order.stacks for id in stack if is_closed(id, known)]
    if verdict is None and f.formations and going_along:
        return Owes(f"{', '.join(going_along)} are dummies that go along")
    return verdict


def move(s: State, f: Action, order: Move, tell: Tell) -> None:
    """They go and have fewer points left."""
    moves = paths_of(order.stacks, order.paths)
    for id, path in moves.items():
        f.used[id] = f.used.get(id, 0) + movement.length(s, path, cheap=f.cheap)
    movement.go(s, moves, tell)


# --- attacks ---


# --- menus ---


def offers(s: State, f: Action, known: Known) -> Iterator[Order]:
    """Moves of single counters and plain attacks; `done`."""
    if f.step == "again":
        moves = {id: path for id, *path in f.plan}
        again = March(stacks=tuple((id,) for id in moves), paths=tuple(tuple(path) for path in moves.values()))
        stay = March(stacks=(tuple(f.units),), paths=((at(s, f.units[0]), s.board.adjacent(at(s, f.units[0]))[0]),))
        yield from (
            order
            for order in (again, stay, *_short(s, f))
            if not isinstance(refuse(s, f, f.seat, order, known), Illegal)
        )
        return
    yield Done()
    for id in activated(s, f, known):
        yield from moves_of(s, f, id, known)


def _short(s: State, f: Action) -> Iterator[Order]:
    for to in s.board.adjacent(at(s, f.units[0])):
        yield March(stacks=(tuple(f.units),), paths=((at(s, f.units[0]), to),))


def activated(s: State, f: Action, known: Known) -> tuple[str, ...]:
    """Counters that can still act, dummies aside."""
    ids = [id for id in (*s.counters, *s.leaders) if seat_of(s, id) == f.seat and at(s, id) in s.board.spaces]
    return tuple(
        id for id in ids if (id in s.leaders or unit_of(s, id, known) is not None) and may_act(s, f, id, known) is None
    )


def moves_of(s: State, f: Action, id: str, known: Known) -> Iterator[Move]:
    """Some places where one counter can go: next door, and as far as its points reach."""
    left = movement.allowance(s, id) - f.used.get(id, 0)
    found = sorted(movement.reach(s, id, left, cheap=f.cheap).values())
    paths = [path for _, path in found if len(path) > 1]
    for path in dict.fromkeys((*paths[:2], *paths[-1:])):
        order = Move(stacks=((id,),), paths=(path,))
        if not isinstance(refuse_move(s, f, order, known), Illegal):
            yield order


def stacks_of(s: State, seat: str, known: Known) -> Iterator[tuple[str, ...]]:
    """The stacks that could be activated: all fresh counters of a space."""
    for space in sorted(
        {one.at for id, one in s.counters.items() if seat_of(s, id) == seat and one.at in s.board.spaces}
    ):
        stack = tuple(
            id
            for id in counters_at(s, space, seat)
            if not s.counters[id].spent and ((unit := unit_of(s, id, known)) is None or unit.activation != "event")
        )
        if stack and not isinstance(refuse_stack(s, seat, stack, known), Illegal):
            yield stack


def begin_offers(s: State, seat: str, known: Known) -> Iterator[Order]:
    """Cards, leaders and marches that could be played now: each card once, each stack one way."""
    seen: set[str] = set()
    stacks = list(stacks_of(s, seat, known))
    for slot, card in hand(s, seat, known):
        play_ = s.board.play(card.id, "action")
        if play_ is None or card.id in seen:
            continue
        seen.add(card.id)
        if play_.do == "activate":
            yield Play(card=slot)
        if play_.do == "counter_attack":
            there = [one for one in stacks if s.board.space(at(s, one[0])).half == "island"]
            if there:
                yield Play(card=slot, stacks=tuple(there[: play_.count]))
    for stack in stacks:
        here = at(s, stack[0])
        for to in s.board.adjacent(here):
            order = March(stacks=(stack,), paths=((here, to),))
            if holder_of(s, to) is None and not isinstance(refuse_march(s, seat, order, known), Illegal):
                yield order
                break


def to_open(s: State, seat: str, order: Order, known: Known) -> tuple[str, ...]:
    """The closed counters that an order of an action must show."""
    if isinstance(order, Attack):
        return tuple(id for id in (*order.main, *order.second) if is_closed(id, {}))
    found: tuple[str, ...] = ()
    top = s.top()
    if isinstance(order, Move) and isinstance(top, Action) and top.how == "formation":
        named = [id for stack in order.stacks for id in stack]
        found = tuple(id for id in named if is_closed(id, {}) and unit_of(s, id, known) is not None)
    if isinstance(order, Move | March) and seat == BRITISH and len(order.stacks) == len(order.paths):
        moves: Mapping[str, Sequence[str]] = paths_of(order.stacks, order.paths)
        if all(path[0] in s.board.spaces and set(path) <= set(s.board.spaces) for path in moves.values()):
            found = (*found, *(id for id in movement.to_open(s, seat, moves, known) if id not in found))
    return found
