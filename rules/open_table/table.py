"""The engine: the questions and steps of `pbem.api.Engine`, each handed to the chapter that answers it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.api import (
    NOTHING_KNOWN,
    Act,
    Amended,
    Ask,
    Illegal,
    Known,
    Note,
    Opened,
    Order,
    Ordered,
    Outcome,
    Owes,
    Resigned,
    Roll,
    Rolled,
    Scenario,
    Sealed,
    Slot,
    Start,
    Step,
    Table,
    Tell,
    View,
    silent,
)
from pbem.errors import Trouble
from rules.kit.clauses import in_force
from rules.kit.data import beside, read_toml
from rules.open_table import (
    chits,
    choices,
    decks,
    hands,
    hidden,
    menu,
    picture,
    piles,
    position,
    private,
    rolls,
    standing,
    story,
    turns,
    typed,
)
from rules.open_table.card_orders import (
    Deny,
    DiscardAtRandom,
    Draw,
    Keep,
    ListCounters,
    ListDeck,
    ListOpenDeck,
    Look,
    PutBack,
    Reshuffle,
    ReshuffleAt,
    ReshuffleHand,
    SealDeck,
    Search,
    ShowHand,
)
from rules.open_table.orders import Move, NewTurn, Pass, Record, RollDice, Tally
from rules.open_table.scenarios import SCENARIOS, wrong_option
from rules.open_table.secret_orders import (
    Answer,
    AskSeats,
    Assign,
    Chits,
    DropStanding,
    OpenSecret,
    Reveal,
    RollPrivately,
    Secret,
    Spend,
    StandingOrder,
)
from rules.open_table.state import Agreement, State
from rules.open_table.typed import ORDERS

if TYPE_CHECKING:
    import random
    from pathlib import Path

Judge = Callable[[State, Any], Illegal | None]
Weigh = Callable[[State, str, Any, Known], Illegal | Owes | None]
Do = Callable[[State, str, Any, Tell], None]


def never(state: State, seat: str, order: Order, tell: Tell) -> None:
    raise ValueError(f"{order.kind} is sealed, never said in clear")


CHAPTERS: Mapping[type[Order], tuple[Judge, Do]] = {
    RollDice: (rolls.refuse_roll, rolls.order_roll),
    Pass: (turns.refuse_pass, turns.pass_on),
    NewTurn: (turns.refuse_new_turn, turns.new_turn),
    Move: (story.refuse_words, story.move),
    Record: (story.refuse_words, story.record),
    Tally: (story.refuse_tally, story.tally),
}
"""By kind of order: who judges it, and who does it."""

CARD_CHAPTERS: Mapping[type[Order], tuple[Weigh, Do]] = {
    **dict.fromkeys(hands.CLAUSES, (hands.refuse_card, hands.act)),
    ListDeck: (decks.refuse_list, decks.list_cards),
    ListCounters: (decks.refuse_list, decks.list_cards),
    SealDeck: (decks.refuse_seal, decks.seal),
    ListOpenDeck: (decks.refuse_open_deck, decks.list_open),
    Draw: (decks.refuse_draw, decks.draw),
    Look: (decks.refuse_draw, decks.draw),
    DiscardAtRandom: (decks.refuse_random, decks.discard_at_random),
    Keep: (piles.refuse_keep, piles.keep),
    PutBack: (piles.refuse_put_back, piles.put_back),
    Search: (piles.refuse_search, piles.search),
    Reshuffle: (piles.refuse_reshuffle, piles.reshuffle),
    ReshuffleHand: (piles.refuse_reshuffle_hand, piles.reshuffle_hand),
    ReshuffleAt: (hands.refuse_reshuffle_at, hands.reshuffle_at),
    ShowHand: (hands.refuse_show_hand, hands.show_hand),
    Deny: (hands.refuse_deny, hands.deny),
    Chits: (chits.refuse_chits, chits.receive),
    Spend: (chits.refuse_spend, chits.spend),
    AskSeats: (choices.refuse_ask, choices.ask),
    Answer: (choices.refuse_answer, choices.answer),
    OpenSecret: (choices.refuse_open_secret, choices.open_secret),
    RollPrivately: (private.refuse_roll_privately, private.order_roll),
    Reveal: (private.refuse_reveal, private.reveal),
    StandingOrder: (standing.refuse_standing, standing.give),
    DropStanding: (standing.refuse_drop, standing.drop),
    Assign: (chits.refuse_assign, never),
    Secret: (choices.refuse_secret, never),
}
"""The same for what hangs on hidden things; an order that is sealed is never done as it stands."""


class NoComponents:
    """The table has no data of its own."""

    def tables(self) -> tuple[Table, ...]:
        return ()


class OpenTable:
    """Any wargame that has no engine: dice, cards, secrets, the story, public numbers and whose turn it is."""

    id = "open-table"
    title = "Open table: any other wargame"
    editions: tuple[int, ...] = (1,)
    orders: Mapping[str, type[Order]] = ORDERS
    words: Mapping[str, str] = read_toml(beside(__file__, "words.toml"))
    gist: Mapping[str, str] = read_toml(beside(__file__, "gist.toml"))
    bound = turns.BOUND

    # --- before the game ---

    def scenarios(self) -> tuple[Scenario, ...]:
        return SCENARIOS

    def components(self, edition: int, folder: Path | None = None) -> NoComponents:
        if folder is not None:
            raise Trouble("the open table has no components to correct", "leave out the folder of components")
        return NoComponents()

    def rulings(self, edition: int) -> tuple[str, ...]:
        return in_force(__file__, edition)

    def check_options(self, scenario: Scenario, options: Mapping[str, str]) -> str | None:
        return wrong_option(scenario, options)

    def setup(self, start: Start) -> State:
        return State(start.seats, Agreement.of(start.options), to_act=start.seats[0])

    # --- the game ---

    def pending(self, state: State) -> tuple[Ask | Roll, ...]:
        if state.outcome is not None:
            return ()
        commits = hidden.commits(state)
        if commits:
            return commits
        openings = hidden.openings(state)
        return (*openings, *hidden.rolls(state), *(() if openings else hidden.asks(state)))

    def refuse(self, state: State, seat: str, act: Act, known: Known) -> Illegal | Owes | None:
        if isinstance(act, Opened) and state.outcome is None and hidden.is_due(state, act):
            return hidden.refuse_opened(state, act)
        if isinstance(act, Amended):
            return None
        if isinstance(act, Sealed) and state.outcome is None:
            return hidden.refuse_sealed(state, act)
        early = None if isinstance(act, Answer | Assign) and state.outcome is None else turns.not_now(state, seat)
        early = early or hidden.not_now(state, seat, act)
        if early is not None:
            return early
        if isinstance(act, Opened):
            return hidden.refuse_opened(state, act)
        if isinstance(act, Sealed):
            return Illegal("the game is over", state.outcome.clauses if state.outcome else ())
        if type(act) in CHAPTERS:
            return CHAPTERS[type(act)][0](state, act)
        return CARD_CHAPTERS[type(act)][0](state, seat, act, known)

    def opens(self, state: State, seat: str, order: Order, known: Known) -> tuple[Slot, ...]:
        return hidden.opens(state, seat, order, known)

    def phrase(self, state: State, seat: str, order: Order, known: Known) -> str:
        return typed.phrase(state, seat, order, known)

    def apply(self, state: State, step: Step, tell: Tell = silent) -> None:
        match step:
            case Ordered():
                self._ordered(state, step, tell)
            case Rolled():
                self._rolled(state, step, tell)
            case Sealed():
                hidden.seal(state, step, tell)
            case Opened():
                hidden.open_slots(state, step, tell)
            case Resigned():
                turns.leave(state, step.seat, tell)
                hidden.leave(state, step.seat)
            case Amended():
                turns.amend(state, Agreement.of(step.options), tell)
            case _:
                raise ValueError(f"nothing lapses at this table: {step!r}")

    def _ordered(self, state: State, step: Ordered, tell: Tell) -> None:
        if not state.orders:
            begin: dict[str, str | int] = {"game": state.agreed.game, "turn": state.turn, "seat": step.seat}
            tell(Note("begin", begin, ("OT-1.1",), anchor=f"T{state.turn}"))
        state.orders += 1
        do = (CHAPTERS.get(type(step.order)) or CARD_CHAPTERS[type(step.order)])[1]
        do(state, step.seat, step.order, tell)
        turns.settle(state, tell)

    def _rolled(self, state: State, step: Rolled, tell: Tell) -> None:
        throw = state.waiting[0]
        if not (throw.deck or throw.roll.audience):
            rolls.fall(state, step, tell)
            return
        del state.waiting[0]
        (decks.drawn if throw.deck else private.fall)(state, throw, step, tell)
        hidden.drop_impossible(state)

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    # --- menus and reading ---

    def offers(self, state: State, seat: str, known: Known) -> Iterator[Order]:
        for order in menu.offers(state, seat, known):
            if not isinstance(self.refuse(state, seat, order, known), Illegal):
                yield order

    def sample(self, state: State, ask: Ask, known: Known, rng: random.Random) -> Order:
        offered = [*self.offers(state, ask.seat, known), *menu.anything(state, ask.seat, known, rng)]
        return rng.choice(
            [order for order in offered if not isinstance(self.refuse(state, ask.seat, order, known), Illegal)]
        )

    def passive(self, state: State, ask: Ask) -> None:
        """Nobody is asked anything between an order and its dice."""

    def read(self, state: State, seat: str, text: str, known: Known = NOTHING_KNOWN) -> tuple[Order, ...]:
        return typed.read(state, seat, text, known)

    # --- what is seen ---

    def position(self, state: State) -> Mapping[str, Sequence[str]]:
        return position.position(state)

    def place(self, state: State, sections: Mapping[str, Sequence[str]]) -> None:
        position.place(state, sections)

    def picture(self, state: State, seat: str, known: Known) -> View:
        return picture.picture(state, seat, known)

    def replaceable(self, state: State, seat: str) -> bool:
        """A deck can be dealt anew; what the seat chose, and where it laid what, only the seat knew."""
        return hidden.replaceable(state, seat)
