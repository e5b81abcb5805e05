"""Field Command: Singapore 1942. So far the Combat Board is played: single battles of two seats.

Reading order: sequence (the order of play of a battle), then its chapters deploy, air, tactics, strikes and combat;
plans and rule answer for a seat; state and orders say what they talk about, components what stands on the charts and
on the map. README.md says what is covered and what is not yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from pbem.api import (
    Act,
    Ask,
    Engine,
    Illegal,
    Known,
    Order,
    Outcome,
    Roll,
    Scenario,
    Seat,
    Start,
    Tell,
    View,
    silent,
)
from pbem.api import Step as GameStep
from rules.field_command import components, look, orders, picture, sequence
from rules.field_command import position as lines
from rules.field_command.state import State, begin, role_of, seat_of
from rules.kit import clauses
from rules.kit.data import Data, beside, read_toml
from rules.kit.engine import OpenInformation

if TYPE_CHECKING:
    import random
    from pathlib import Path

JAPAN = Seat("japan", "the attacker, Japan")
AUSTRALIA = Seat("australia", "the defender, Australia")
BRITAIN = Seat("britain", "the defender, Britain")


class FieldCommand(OpenInformation):
    """The engine: every answer is a line that says where it is decided."""

    id = "field-command"
    title = "Field Command: Singapore 1942"
    editions: tuple[int, ...] = (1,)
    orders: Mapping[str, type[Order]] = {order.kind: order for order in orders.ORDERS}
    words: Mapping[str, str] = read_toml(beside(__file__, "words.toml"))
    bound = 1000  # a battle takes some thirty; only air rounds that are drawn again and again have no end

    def scenarios(self) -> tuple[Scenario, ...]:
        """The three battles of the training. [A.2.1, A.2.2]"""
        return (
            Scenario("company", "Company Commander", "One unit a side: dice, and nothing to choose.", (BRITAIN, JAPAN)),
            Scenario("battalion", "Battalion Commander", "Four units a side: lines and tactics.", (AUSTRALIA, JAPAN)),
            Scenario(
                "regiment",
                "Regiment Commander",
                "Lines, tactics, guns and aircraft: all that happens on the Combat Board.",
                (BRITAIN, JAPAN),
            ),
        )

    def components(self, edition: int, folder: Path | None = None) -> Data:
        """The tables of `data/`, an owner's copy over them."""
        return components.load(edition, folder)

    def rulings(self, edition: int) -> tuple[str, ...]:
        """`rulings.toml`, as far as it is in force."""
        return clauses.in_force(__file__, edition)

    def check_options(self, scenario: Scenario, options: Mapping[str, str]) -> str | None:
        """No options."""
        return None

    def setup(self, start: Start) -> State:
        """Nobody has deployed."""
        muster = components.muster(start.components, start.scenario)
        return State(muster, begin(muster))

    def pending(self, state: State) -> tuple[Ask | Roll, ...]:
        """See `sequence`."""
        return sequence.pending(state.fight)

    def refuse(self, state: State, seat: str, act: Act, known: Known) -> Illegal | None:
        """See `sequence`."""
        return sequence.refuse(state.fight, seat, act)

    def apply(self, state: State, step: GameStep, tell: Tell = silent) -> None:
        """See `sequence`."""
        sequence.apply(state.fight, step, tell)

    def offers(self, state: State, seat: str, known: Known) -> Iterable[Order]:
        """See `sequence`."""
        return sequence.offers(state.fight, seat)

    def sample(self, state: State, ask: Ask, known: Known, rng: random.Random) -> Order:
        """Any of the offers."""
        return rng.choice(list(sequence.offers(state.fight, ask.seat)))

    def read(self, state: State, seat: str, text: str, known: Known) -> tuple[Order, ...]:
        """See `orders`; units without an army are the seat's own."""
        role = role_of(state.fight, seat)
        return orders.read(text, state.fight.army[role] if role else "")

    def outcome(self, state: State) -> Outcome | None:
        """The winner, when a line is empty. [A.2.4]"""
        result = state.fight.result
        if result is None:
            return None
        winner = seat_of(state.fight, result.winner) if result.winner else ""
        return Outcome(winner, look.result(state.fight), (result.clause,))

    def position(self, state: State) -> Mapping[str, tuple[str, ...]]:
        """See `position`."""
        return lines.position(state)

    def place(self, state: State, sections: Mapping[str, Iterable[str]]) -> None:
        """See `position`."""
        lines.place(state, {name: tuple(given) for name, given in sections.items()})

    def picture(self, state: State, seat: str, known: Known) -> View:
        """See `look` and `picture`."""
        return picture.battle_view(look.battle(state, seat, known))

    def replaceable(self, state: State, seat: str) -> bool:
        """A plan that is sealed cannot be made anew by somebody else."""
        return not (state.fight.sealed and seat == seat_of(state.fight, "defence"))


ENGINE: Engine = FieldCommand()
