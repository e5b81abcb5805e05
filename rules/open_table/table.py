"""The engine: the questions and steps of `pbem.api.Engine`, each handed to the chapter that answers it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.api import (
    Act,
    NOTHING_KNOWN,
    Amended,
    Ask,
    Illegal,
    Known,
    Note,
    Order,
    Ordered,
    Outcome,
    Resigned,
    Roll,
    Rolled,
    Scenario,
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
from rules.kit.engine import OpenInformation
from rules.open_table import picture, position, rolls, story, turns
from rules.open_table.orders import ORDERS, READER, Move, NewTurn, Pass, Record, RollDice, Tally
from rules.open_table.scenarios import SCENARIOS, wrong_option
from rules.open_table.state import Agreement, State

if TYPE_CHECKING:
    import random
    from pathlib import Path

Judge = Callable[[State, Any], Illegal | None]
Do = Callable[[State, str, Any, Tell], None]

CHAPTERS: Mapping[type[Order], tuple[Judge, Do]] = {
    RollDice: (rolls.refuse_roll, rolls.order_roll),
    Pass: (turns.refuse_pass, turns.pass_on),
    NewTurn: (turns.refuse_new_turn, turns.new_turn),
    Move: (story.refuse_words, story.move),
    Record: (story.refuse_words, story.record),
    Tally: (story.refuse_tally, story.tally),
}
"""By kind of order: who judges it, and who does it."""


class NoComponents:
    """The table has no data of its own."""

    def tables(self) -> tuple[Table, ...]:
        return ()


class OpenTable(OpenInformation):
    """Any wargame that has no engine: dice, the story, public numbers and whose turn it is."""

    id = "open-table"
    title = "Open table: any other wargame"
    editions: tuple[int, ...] = (1,)
    orders: Mapping[str, type[Order]] = ORDERS
    words: Mapping[str, str] = read_toml(beside(__file__, "words.toml"))
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
        ask = Ask(state.to_act, "act", "OT-1.1")
        return (*(throw.roll for throw in state.waiting), ask) if state.waiting else (ask,)

    def refuse(self, state: State, seat: str, act: Act, known: Known) -> Illegal | None:
        if not isinstance(act, Order):
            return Illegal("nothing is hidden at this table", ("OT-1.1",))
        judge, _ = CHAPTERS[type(act)]
        return turns.not_now(state, seat) or judge(state, act)

    def apply(self, state: State, step: Step, tell: Tell = silent) -> None:
        if isinstance(step, Ordered):
            self._ordered(state, step, tell)
        elif isinstance(step, Rolled):
            rolls.fall(state, step, tell)
        elif isinstance(step, Resigned):
            turns.leave(state, step.seat, tell)
        elif isinstance(step, Amended):
            turns.amend(state, Agreement.of(step.options), tell)
        else:
            raise ValueError(f"nothing is sealed, opened or lapses at this table: {step!r}")

    def _ordered(self, state: State, step: Ordered, tell: Tell) -> None:
        if not state.orders:
            begin: dict[str, str | int] = {"game": state.agreed.game, "turn": state.turn, "seat": step.seat}
            tell(Note("begin", begin, ("OT-1.1",), anchor=f"T{state.turn}"))
        state.orders += 1
        _, do = CHAPTERS[type(step.order)]
        do(state, step.seat, step.order, tell)
        turns.settle(state, tell)

    def outcome(self, state: State) -> Outcome | None:
        return state.outcome

    # --- menus and reading ---

    def offers(self, state: State, seat: str, known: Known) -> Iterator[Order]:
        passes = [Pass(to=other) for other in turns.others(state)] if state.agreed.declared else [Pass()]
        for order in (*passes, NewTurn(), RollDice(dice=(6,), purpose="luck")):
            if self.refuse(state, seat, order, known) is None:
                yield order

    def sample(self, state: State, ask: Ask, known: Known, rng: random.Random) -> Order:
        number = rng.randrange(1, 100)
        offered: list[Order] = [
            *self.offers(state, ask.seat, known),
            RollDice(dice=(rng.choice((4, 6, 10, 100)),) * rng.randrange(1, 7), purpose=f"attack {number}"),
            Move(text=f"unit {number} to {rng.randrange(1000, 4000)}"),
            Record(text=f"hill {number} is taken"),
            Tally(name=f"{ask.seat}-vp", number=number),
        ]
        return rng.choice([order for order in offered if self.refuse(state, ask.seat, order, known) is None])

    def read(self, state: State, seat: str, text: str, known: Known = NOTHING_KNOWN) -> tuple[Order, ...]:
        return READER.read(text)

    # --- what is seen ---

    def position(self, state: State) -> Mapping[str, Sequence[str]]:
        return position.position(state)

    def place(self, state: State, sections: Mapping[str, Sequence[str]]) -> None:
        position.place(state, sections)

    def picture(self, state: State, seat: str, known: Known) -> View:
        return picture.picture(state)

    def replaceable(self, state: State, seat: str) -> bool:
        return True
