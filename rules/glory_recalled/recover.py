"""The Recover Phase. [5.2]

block        closed counters that cut Japanese lines are shown, if the British like   10.0-b1
surrender    those marked out of supply who still have no line                         10.0-b5
score        red spaces, then the victory conditions                                   5.2-n1, 5.2-n2
draw         after marking and freshening: five and four cards                         5.2-n5
extra        optional: one card more                                                   14.0-opt
discard      down to the limits                                                        14.0-b6
turn         the next day                                                              5.2-n6
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Ask, Illegal, Known, Note, OpenSlots, Order, Roll, Tell
from rules.glory_recalled import cards, control, supply, victory
from rules.glory_recalled.orders import Block, Discard, ExtraCard, NoBlock, NoExtraCard
from rules.glory_recalled.standing import StandingPass
from rules.glory_recalled.state import BRITISH, JAPAN, SEATS, Chief, Counter, State, foe, is_slot, seat_of, unit_of

STEPS = ("block", "surrender", "score", "draw", "extra", "extra_draw", "discard", "turn")


def waits(s: State) -> tuple[Ask | Roll, ...]:
    """What the step asks for."""
    match s.step:
        case "block" if supply.doubtful(s) or s.names:  # what the answer opens ends the doubt
            return (Ask(BRITISH, "block", "10.0-b1"),)
        case "surrender":
            closed = tuple(id for id in surrendering(s, BRITISH) if is_slot(id))
            return (Ask(BRITISH, "show_surrender", "10.0-b5", client=OpenSlots(closed)),) if closed else ()
        case "draw" | "extra_draw":
            return cards.drawing(s)
        case "extra":
            return tuple(Ask(seat, "extra_card", "14.0-opt") for seat in _optional(s))[:1]
        case "discard":
            return tuple(Ask(seat, "discard", "14.0-b6") for seat in SEATS if due(s, seat))[:1]
    return ()


def _optional(s: State) -> tuple[str, ...]:
    """Seats that have not said yet whether they draw one more. [R51]"""
    if s.options.get("opt_14_0") != "on":
        return ()
    return tuple(seat for seat in SEATS if f"extra:{seat}" not in s.effects and f"asked:{seat}" not in s.effects)


def due(s: State, seat: str) -> int:
    """Cards that the seat must discard: those over the limit, one for the extra card at least."""
    return max(cards.over(s, seat), 1 if f"extra:{seat}" in s.effects else 0)


def go_on(s: State, tell: Tell) -> None:
    """What happens by itself, then the next step."""
    if s.step == "surrender":
        surrender(s, tell)
    elif s.step == "score":
        score(s, tell)  # [5.2-n2]
        if s.result is not None:
            return
        mark(s, tell)
        freshen(s)  # [5.2-n4]
        cards.owe(s, JAPAN, s.board.game.japanese_draw)  # [5.2-n5, R39]
        cards.owe(s, BRITISH, s.board.game.british_draw)
    elif s.step == "turn":
        next_turn(s, tell)
        return
    s.step = STEPS[STEPS.index(s.step) + 1]


def surrendering(s: State, seat: str) -> tuple[str, ...]:
    """Those with a marker and no line. [R23]"""
    marked = {id for pieces in (s.counters, s.leaders) for id, one in pieces.items() if one.oos}
    return tuple(id for id in supply.cut_off(s, seat) if id in marked) if marked else ()


def surrender(s: State, tell: Tell) -> None:
    """Double points; nobody comes back. [10.0-b5, R59]"""
    for seat in SEATS:
        for id in surrendering(s, seat):
            give_up(s, id, tell)


def give_up(s: State, id: str, tell: Tell) -> None:
    """One counter or leader surrenders; a dummy is worth nothing."""
    factor = s.board.game.surrender_factor
    if id in s.leaders:
        seat = seat_of(s, id)
        del s.leaders[id]
        halves = s.board.halves["leader"] * factor
        control.score(s, foe(seat), halves, "leader.surrenders", {"leader": id}, ("10.0-b5", "R59"), tell)
    elif unit_of(s, id) is not None:
        control.eliminate(s, id, tell, factor)
    else:
        del s.counters[id]


def score(s: State, tell: Tell) -> None:
    """A point for each red space that is British [2.35, 4.1-B1]; then who has won."""
    red = [space for space in s.board.objectives if control.holds(s, BRITISH, space)]
    if s.board.setup.fall == "never":
        red = [space for space in red if s.board.space(space).half == "kowloon"]  # [17.1-b2b]
    halves = len(red) * s.board.halves["objective"]
    if halves:
        control.score(s, BRITISH, halves, "objectives", {"count": len(red)}, ("5.2-n1", "4.1-B1"), tell)
    victory.check(s, tell)


def mark(s: State, tell: Tell) -> None:
    """Out of Supply markers come and go. [5.2-n3, 10.0-b1]"""
    dry = {id for seat in SEATS for id in supply.cut_off(s, seat)}
    everybody: dict[str, Counter | Chief] = {**s.counters, **s.leaders}
    for id, one in everybody.items():
        if id in dry and not one.oos:
            tell(Note("supply.none", {"unit": "a closed counter" if is_slot(id) else id}, ("10.0-b1", "5.2-n3")))
        one.oos = id in dry


def freshen(s: State) -> None:
    """Everybody is upright again. [5.2-n4]"""
    for counter in s.counters.values():
        counter.spent = False
    for chief in s.leaders.values():
        chief.spent = False


def next_turn(s: State, tell: Tell) -> None:
    """The marker goes on; Kowloon may have fallen. [5.2-n6, R54]"""
    s.turn += 1
    s.effects, s.events, s.owed = (), (), {}
    s.round, s.active, s.passed, s.idle = 1, JAPAN, (), False
    s.standing = tuple(one for one in s.standing if not isinstance(one[1], StandingPass))
    tell(Note("turn", {"turn": s.turn}, ("5.2-n6",), anchor=f"T{s.turn}"))
    if s.board.setup.fall == "to come" and not s.fallen and victory.kowloon_taken(s):  # [16.0a, R36]
        s.phase, s.step = "fall", "show"
    else:
        s.phase, s.step = "action", "act"


# --- answers ---


def refuse(s: State, seat: str, order: Order, known: Known) -> Illegal | None:
    """Orders of this phase."""
    match order:
        case Block() if s.step == "block":
            strange = [id for id in order.units if id not in s.counters or unit_of(s, id, known) is None]
            return Illegal(f"{strange[0]} is no closed unit", ("R24",)) if strange else None
        case NoBlock() if s.step == "block":
            return None
        case ExtraCard() | NoExtraCard():
            if s.step == "extra":
                return None
            return Illegal("no more cards are drawn here", ("14.0-opt", "R51"))
        case Discard() if s.step == "discard":
            return refuse_discard(s, seat, order, due(s, seat))
    return Illegal("that belongs to another moment", ("5.2-n5",))


def refuse_discard(s: State, seat: str, order: Discard, count: int) -> Illegal | None:
    """So many cards of the hand."""
    for slot in order.cards:
        wrong = cards.refuse_held(s, seat, slot, {}, closed=True)
        if wrong is not None:
            return wrong
    if len(set(order.cards)) != len(order.cards) or len(order.cards) != count:
        limit = cards.limit(s, seat)
        return Illegal(f"{count} cards are discarded: a hand holds {limit}", ("14.0-b6", "R39"))
    return None


def take(s: State, seat: str, order: Order, tell: Tell) -> None:
    """An answer."""
    match order:
        case Block():
            s.step = "surrender"
        case NoBlock():
            s.step = "surrender"
            tell(Note("supply.open", {}, ("R24",)))
        case ExtraCard():
            s.effects = tuple(sorted({*s.effects, f"extra:{seat}"}))
            cards.owe(s, seat, 1)
        case NoExtraCard():
            s.effects = tuple(sorted({*s.effects, f"asked:{seat}"}))
        case Discard():
            throw(s, seat, order, tell)
            s.effects = tuple(one for one in s.effects if one != f"extra:{seat}")


def throw(s: State, seat: str, order: Discard, tell: Tell) -> None:
    """Cards go unseen."""
    cards.discard(s, seat, order.cards)
    tell(Note("cards.discarded", {"side": control.side(seat), "count": len(order.cards)}, ("14.0-b6",)))


def offers(s: State, seat: str, known: Known) -> Iterator[Order]:
    """Answers to the step's question."""
    match s.step:
        case "block":
            yield NoBlock()
            closed = [id for id in s.counters if is_slot(id) and unit_of(s, id, known) is not None]
            yield from (Block(units=(id,)) for id in closed)
        case "extra":
            yield ExtraCard()
            yield NoExtraCard()
        case "discard":
            yield Discard(cards=s.cards[seat].hand[: due(s, seat)])
