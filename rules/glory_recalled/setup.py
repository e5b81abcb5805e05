"""Setting up: decks and counters are sealed, hands drawn, everything placed. [3.0, 17.0]

seal       each side its cards, the British their counters; then the marked cards go aside and the given
           ones to the hand                               3.1-n1, 3.1-n2, 3.2-n1, 3.2-n2
extra      five more cards for Japan, in the free set-up  17.3-n3
draw       both hands, one batch                          3.1-n3, 3.2-n3
return     so many cards back                             3.1-n4, 3.2-n4
british    the British set up, openly counters, sealed what they are
coast      a die: units on the north coast are disrupted  17.2-b3
japanese   the Japanese set up
remove     two Japanese units, one battery                17.2-b7, 17.2-b8
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator, Sequence

from pbem.api import Ask, Claim, Commit, Illegal, Known, Note, Order, Owes, Roll, Start, Tell
from rules.glory_recalled import cards, components, control, deployment
from rules.glory_recalled.control import side
from rules.glory_recalled.movement import listed
from rules.glory_recalled.orders import (
    Deploy,
    Destroy,
    DestroyNone,
    Disrupt,
    DisruptNone,
    ExtraCard,
    GiveBack,
    NoExtraCard,
    Remove,
    SortDeck,
)
from rules.glory_recalled.state import (
    BRITISH,
    JAPAN,
    SEATS,
    Counter,
    State,
    Told,
    card_of,
    in_order,
    is_closed,
    seat_of,
    unit_of,
)

STEPS = (
    "seal",
    "extra",
    "draw",
    "return_british",
    "british",
    "coast",
    "return_japan",
    "japan",
    "remove",
    "battery",
)


def begin(start: Start) -> State:
    """The state before event 1. [3.2d]"""
    board = components.board(start.components, start.scenario, start.options)
    s = State(board, start.scenario, dict(start.options))
    s.turn, s.step = board.setup.start, "seal"  # [17.1-b1, 17.2-b1, 3.2d]
    s.points = {JAPAN: 2 * board.setup.japanese_points, BRITISH: 2 * board.setup.british_points}  # [17.2-b4, 17.2-b9]
    for id, unit in board.units.items():
        if unit.brigade == "reserve":
            s.counters[id] = Counter("reserve")  # [3.2c, R55]
    if board.setup.fall == "past":  # [17.2-b6]: Kowloon is Japanese
        for space in board.spaces_in("kowloon"):
            if control.special(s, space):
                s.control[space] = JAPAN
    return s


# --- sealing ---


def commits(s: State, seat: str) -> Iterator[Ask]:
    """What is still to be sealed: 50 cards, the counters of each British brigade. [14.0-b1a, 12.0a]"""
    if True:
        own = s.cards[seat]
        if not (own.pile or own.hand or own.discard or own.aside):
            deck = tuple(sorted((*_deck(s, seat), *_deck(s, seat, marked=True))))
            if deck:
                yield Ask(seat, "seal_deck", "14.0-b1a", client=Commit("deck", "deck", len(deck), deck))
        if seat == BRITISH:
            for brigade in s.board.setup.brigades:  # [12.0a, 12.0-b2, 17.1-b2a]
                found = roster(s, brigade)
                if found and not any(slot.startswith(f"{BRITISH}-{brigade}/") for slot in s.unplaced):
                    yield Ask(seat, "seal_counters", "3.11a", client=Commit("deck", brigade, len(found), found))


def _deck(s: State, seat: str, *, marked: bool = False) -> tuple[str, ...]:
    return s.board.deck("japan" if seat == JAPAN else "british", marked=marked)


def roster(s: State, brigade: str) -> tuple[str, ...]:
    """The units and dummies of a brigade. [3.11a, 3.11b, 3.12a, 3.12b, 17.1-b2a, 17.2-b2]"""
    units = [id for id, unit in s.board.units.items() if unit.brigade == brigade]
    used = s.board.setup.dummies or s.board.setup.brigades
    dummies = [id for id, dummy in s.board.dummies.items() if dummy.brigade == brigade and brigade in used]
    return tuple(sorted((*units, *dummies)))


def sorting_due(s: State, seat: str) -> Iterator[Ask]:
    """The marked and the given cards come out of a deck that is sealed."""
    if not sorted_out(s, seat):
        yield Ask(seat, "sort_deck", "14.0-b1b", client=Claim("sort_deck"))


def sorted_out(s: State, seat: str) -> bool:
    """Whether the marked and the given cards are out of the deck."""
    return (not _aside(s, seat) and not _given(s, seat)) or bool(s.cards[seat].hand or s.cards[seat].aside)


def _aside(s: State, seat: str) -> tuple[str, ...]:
    return () if s.board.setup.marked else _deck(s, seat, marked=True)  # [17.2-b11, 17.3-n2]


def _given(s: State, seat: str) -> tuple[str, ...]:
    return s.board.setup.japanese_take if seat == JAPAN else s.board.setup.british_take  # [17.2-b5, 17.2-b10]


def returns(s: State, seat: str) -> int:
    """Cards that go back."""
    return s.board.setup.japanese_back if seat == JAPAN else s.board.setup.british_back


# --- what it waits for ---


def waits(s: State) -> tuple[Ask | Roll, ...]:
    """The step's questions."""
    setup = s.board.setup
    match s.step:
        case "seal":
            return tuple(ask for seat in SEATS[::-1] for ask in (*commits(s, seat), *sorting_due(s, seat)))[:1]
        case "extra" if setup.japanese_extra:
            return (Ask(JAPAN, "extra_card", "17.3-n3"),)
        case "draw":
            return cards.drawing(s)
        case "return_british":
            return (Ask(BRITISH, "return_cards", "3.1-n4"),) if returns(s, BRITISH) else ()
        case "return_japan":
            return (Ask(JAPAN, "return_cards", "3.2-n4"),) if returns(s, JAPAN) else ()
        case "british":
            return (Ask(BRITISH, "deploy", "3.2e"),)
        case "japan":
            return (Ask(JAPAN, "deploy", "3.2e"),)
        case "coast" if setup.british_disrupts:
            if not s.hits:
                return (Roll("setup/coast", "17.2-b3", dice=(6,)),)
            return (Ask(BRITISH, "disrupt", "17.2-b3"),)
        case "remove" if setup.japanese_removes:
            return (Ask(JAPAN, "remove", "17.2-b7"),)
        case "battery" if setup.japanese_destroys:
            return (Ask(JAPAN, "destroy", "17.2-b8"),)
    return ()


def go_on(s: State, tell: Tell) -> None:
    """The next step; after the last one the first turn."""
    if s.step == "battery":
        s.phase, s.step, s.hits = "action", "act", 0
        tell(Note("turn", {"turn": s.turn}, ("3.2d",), anchor=f"T{s.turn}"))
        return
    s.step = STEPS[STEPS.index(s.step) + 1]
    if s.step == "extra":
        cards.owe(s, BRITISH, s.board.setup.british_draw)  # [3.1-n3, 3.2-n3]
        cards.owe(s, JAPAN, s.board.setup.japanese_draw)
    if s.step == "return_british":
        s.owed = {}


# --- cards ---


def refuse_sort(s: State, seat: str, order: SortDeck, known: Known) -> Illegal | None:
    """Exactly the marked cards aside, exactly the given ones taken. [3.1-n1, 3.1-n2, 3.2-n1, 3.2-n2]"""
    every = (*order.aside, *order.taken)
    if len(set(every)) != len(every) or not set(every) <= set(s.cards[seat].pile):
        return Illegal("cards come out of your deck, each once", ("14.0-b1a",))
    names = {slot: card_of(s, slot, known) for slot in every}
    if any(card is None for card in names.values()):
        return Illegal("cards that are set aside or given are shown", ("14.0-b1b",))
    wanted = {"3.1-n2" if seat == BRITISH else "3.2-n2": (order.aside, _aside(s, seat))}
    wanted["3.1-n1" if seat == BRITISH else "3.2-n1"] = (order.taken, _given(s, seat))
    for clause, (slots, ids) in wanted.items():
        if Tally(card.id for slot in slots if (card := names[slot]) is not None) != Tally(ids):
            return Illegal(f"these cards are due: {', '.join(ids) or 'none'}", (clause, "14.0-b1b"))
    return None


def sort(s: State, seat: str, order: SortDeck, tell: Tell) -> None:
    """They leave the pile. [3.1-n1, 3.1-n2, 3.2-n1, 3.2-n2]"""
    gone, own = {*order.aside, *order.taken}, s.cards[seat]
    own.pile = tuple(slot for slot in own.pile if slot not in gone)
    own.aside, own.hand = in_order(order.aside), in_order(order.taken)
    names = ", ".join(s.board.cards[s.opened[slot]].name for slot in order.taken) or "-"
    told: Told = {"side": side(seat), "cards": names, "count": len(order.aside)}
    tell(Note("setup.sorted", told, ("3.1-n1", "3.1-n2") if seat == BRITISH else ("3.2-n1", "3.2-n2")))


def refuse_back(s: State, seat: str, order: GiveBack) -> Illegal | None:
    """Exactly so many. [3.1-n4, 3.2-n4]"""
    clause = "3.1-n4" if seat == BRITISH else "3.2-n4"
    for slot in order.cards:
        wrong = cards.refuse_held(s, seat, slot, {}, closed=True)
        if wrong is not None:
            return wrong
    if len(order.cards) != returns(s, seat) or len(set(order.cards)) != len(order.cards):
        return Illegal(f"{returns(s, seat)} cards go back", (clause,))
    return None


def give_back(s: State, seat: str, order: GiveBack, tell: Tell) -> None:
    """To the deck, closed and so shuffled in; in the Island scenario to the discard pile. [3.1-n5, 3.2-n5]"""
    where = s.board.setup.japanese_back_to if seat == JAPAN else s.board.setup.british_back_to
    cards.discard(s, seat, order.cards)
    if where == "deck":
        own = s.cards[seat]
        own.discard = tuple(slot for slot in own.discard if slot not in order.cards)
        own.pile = in_order((*own.pile, *order.cards))
    told: Told = {"side": side(seat), "count": len(order.cards), "hand": len(s.cards[seat].hand)}
    tell(Note("setup.returned", told, ("3.1-n5",) if seat == BRITISH else ("3.2-n5",)))


# --- the Island scenario ---


def coastal(s: State, known: Known) -> tuple[tuple[str, ...], bool]:
    """Undisrupted British units on the north coast as far as known, and whether there may be more. [17.2-b3, R43]"""
    there = [
        id
        for id, one in s.counters.items()
        if one.at in s.board.north_coast and not one.disrupted and seat_of(s, id) == BRITISH
    ]
    return tuple(id for id in there if unit_of(s, id, known) is not None), any(is_closed(id, known) for id in there)


def refuse_disrupt(s: State, units: Sequence[str], known: Known) -> Illegal | Owes | None:
    """As many as the die says, or all there are."""
    able, more = coastal(s, known)
    for id in units:
        if id not in able:
            return Illegal(f"{id} is no undisrupted unit on the north coast that is shown", ("17.2-b3", "R43"))
    if len(set(units)) != len(units) or len(units) > s.hits or len(units) < min(s.hits, len(able)):
        return Illegal(f"{min(s.hits, len(able))} units are disrupted", ("17.2-b3", "R43"))
    if len(units) < s.hits and more:
        return Owes("no more units stand on the north coast")
    return None


def refuse_remove(s: State, order: Remove) -> Illegal | None:
    """Two units of Japan. [17.2-b7]"""
    if len(set(order.units)) != s.board.setup.japanese_removes or len(order.units) != len(set(order.units)):
        return Illegal(f"{s.board.setup.japanese_removes} units leave play", ("17.2-b7",))
    for id in order.units:
        if id not in s.counters or seat_of(s, id) != JAPAN or s.counters[id].at == "reserve":
            return Illegal(f"{id} is no Japanese unit on the map", ("17.2-b7",))
    return None


def refuse_destroy(s: State, order: Destroy) -> Illegal | None:
    """One battery of the Island. [17.2-b8, R43]"""
    if len(order.spaces) != s.board.setup.japanese_destroys:
        return Illegal("one battery is marked", ("17.2-b8",))
    for space in order.spaces:
        if space not in s.board.batteries or s.board.space(space).half != "island":
            return Illegal(f"{space} is no battery of the Island", ("17.2-b8", "R43"))
    return None


# --- orders ---


def refuse(s: State, seat: str, order: Order, known: Known) -> Illegal | Owes | None:
    """Orders of the set-up, each in its step."""
    match order:
        case SortDeck() if s.step == "seal":
            return refuse_sort(s, seat, order, known)
        case ExtraCard() | NoExtraCard() if s.step == "extra":
            return None
        case GiveBack() if s.step.startswith("return"):
            return refuse_back(s, seat, order)
        case Deploy() if s.step in SEATS:
            return deployment.refuse_deploy(s, seat, order, known)
        case Disrupt(units=units) if s.step == "coast":
            return refuse_disrupt(s, units, known)
        case DisruptNone() if s.step == "coast":
            return refuse_disrupt(s, (), known)
        case Remove() if s.step == "remove":
            return refuse_remove(s, order)
        case Destroy() if s.step == "battery":
            return refuse_destroy(s, order)
        case DestroyNone() if s.step == "battery":
            return None
    return Illegal("that belongs to another moment", ("3.2e",))


def take(s: State, seat: str, order: Order, tell: Tell) -> None:
    """An answer; each step but sealing, sorting and drawing has one."""
    match order:
        case SortDeck():
            sort(s, seat, order, tell)
            return
        case ExtraCard():
            cards.owe(s, JAPAN, s.board.setup.japanese_extra)
        case GiveBack():
            give_back(s, seat, order, tell)
        case Deploy():
            deployment.deploy(s, seat, order, tell)
        case Disrupt():
            for id in order.units:
                s.counters[id].disrupted = True
            tell(Note("setup.disrupted", {"units": listed(s, order.units)}, ("17.2-b3",)))
        case Remove():
            for id in order.units:
                del s.counters[id]
            tell(Note("setup.removed", {"units": listed(s, order.units)}, ("17.2-b7",)))
        case Destroy():
            for space in order.spaces:
                control.destroy(s, space, tell, points=False)
    go_on(s, tell)


def rolled(s: State, die: int, label: str, tell: Tell) -> None:
    """The north coast has been shelled. [17.2-b3]"""
    s.hits = die
    tell(Note("setup.coast", {"die": die}, ("17.2-b3",), label))
    able, more = coastal(s, {})
    if not able and not more:
        go_on(s, tell)


# --- menus ---


def offers(s: State, seat: str, known: Known) -> Iterator[Order]:
    """Answers to the step's question."""
    match s.step:
        case "seal":
            yield from sorting(s, seat, known)
        case "extra":
            yield ExtraCard()
            yield NoExtraCard()
        case "return_british" | "return_japan":
            closed = [slot for slot in s.cards[seat].hand if slot not in s.opened] or list(s.cards[seat].hand)
            yield GiveBack(cards=tuple(closed[: returns(s, seat)]))
        case "british" | "japan":
            yield deployment.ready_made(s, seat, known)
        case "coast":
            able, _ = coastal(s, known)
            yield Disrupt(units=able[: s.hits]) if able else DisruptNone()
        case "remove":
            yield Remove(units=deployment.pieces(s, JAPAN)[: s.board.setup.japanese_removes])
        case "battery":
            yield DestroyNone()
            yield from (Destroy(spaces=(one,)) for one in s.board.batteries if s.board.space(one).half == "island")


def sorting(s: State, seat: str, known: Known) -> Iterator[SortDeck]:
    """The cards that are due, found in the own deck by whoever knows it."""
    left: dict[str, list[str]] = {}
    for slot in s.cards[seat].pile:
        left.setdefault(str(known.get(slot)), []).append(slot)
    due = Tally((*_aside(s, seat), *_given(s, seat)))
    if any(len(left.get(id, ())) < count for id, count in due.items()):
        return
    aside = tuple(left[id].pop() for id in _aside(s, seat))
    yield SortDeck(aside=aside, taken=tuple(left[id].pop() for id in _given(s, seat)))
