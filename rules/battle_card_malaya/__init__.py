"""Battle Card: Malaya, a solitaire game of retreat: the smallest complete engine, and the one to read first.

Reading order: sequence, then its chapters withdrawal, advance, battle, air and victory; state and orders say what they
talk about, components what stands on the card. README.md says what is covered.
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
    Option,
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
from rules.battle_card_malaya import bot, components, orders, picture, sequence, victory
from rules.battle_card_malaya import position as lines
from rules.battle_card_malaya.state import ALLIES, State, Unit
from rules.kit import clauses
from rules.kit.data import Data, beside, read_toml
from rules.kit.engine import OpenInformation

if TYPE_CHECKING:
    import random
    from pathlib import Path

SEATS = (Seat(ALLIES, "the Allied units; the Japanese move by rule"),)  # [R1]
OPTIONS = (
    Option(
        "r10",
        ("all-first", "battle-by-battle"),
        "all-first",
        "whether every battle is chosen before the first die, or each just before its own",
        "R10",
    ),
    Option(
        "r15",
        ("after", "before", "own"),
        "after",
        "which strength wins in Singapore: after loss and merging, before the loss, or the arriving unit's own",
        "R15",
    ),
)


class BattleCardMalaya(OpenInformation):
    """The engine: every answer is a line that says where it is decided."""

    id = "battle-card-malaya"
    title = "Battle Card: Malaya"
    editions: tuple[int, ...] = (1,)
    orders: Mapping[str, type[Order]] = {order.kind: order for order in orders.ORDERS}
    words: Mapping[str, str] = read_toml(beside(__file__, "words.toml"))
    gist: Mapping[str, str] = read_toml(beside(__file__, "gist.toml"))
    bound = 30  # six turns of one withdrawal, one order of battles, two choices and one air attack

    def scenarios(self) -> tuple[Scenario, ...]:
        """The published card, and an older one."""
        return (
            Scenario("standard", "Malaya 1941-42", "The published card, as reported by its readers.", SEATS, OPTIONS),
            Scenario(
                "prototype",
                "Malaya, the older card",
                "Start strengths and reinforcements of a card from before publication, under the published rules.",
                SEATS,
                OPTIONS,
            ),
        )

    def components(self, edition: int, folder: Path | None = None) -> Data:
        """The tables of `data/`, an owner's copy over them."""
        return components.load(edition, folder)

    def rulings(self, edition: int) -> tuple[str, ...]:
        """`rulings.toml`, as far as it is in force."""
        return clauses.in_force(__file__, edition)

    def check_options(self, scenario: Scenario, options: Mapping[str, str]) -> str | None:
        """Nothing beyond the lists of values."""
        return None

    def setup(self, start: Start) -> State:
        """Units on their spaces, turn 1. [BC-2.4 to BC-2.7]"""
        card = components.card(start.components, start.scenario)
        s = State(card, dict(start.options))
        s.allied = dict(card.allied)  # [BC-2.4, BC-2.5, BC-1.1]
        s.japanese = {road: Unit(*unit) for road, unit in card.japanese.items()}  # [BC-2.6, BC-1.2]
        s.turn = 1  # [BC-2.7, BC-1.3]
        return s

    def pending(self, state: State) -> tuple[Ask | Roll, ...]:
        """See `sequence`."""
        return sequence.pending(state)

    def refuse(self, state: State, seat: str, act: Act, known: Known) -> Illegal | None:
        """See `sequence`; nothing is hidden, so nothing can be sealed or opened."""
        if not isinstance(act, Order):
            return Illegal("nothing is hidden in this game", ("BC-3.0",))
        return sequence.refuse(state, seat, act)

    def apply(self, state: State, step: GameStep, tell: Tell = silent) -> None:
        """See `sequence`."""
        sequence.apply(state, step, tell)

    def offers(self, state: State, seat: str, known: Known) -> Iterable[Order]:
        """See `sequence`."""
        return sequence.offers(state) if seat == ALLIES else ()

    def sample(self, state: State, ask: Ask, known: Known, rng: random.Random) -> Order:
        """Any of the offers."""
        return rng.choice(list(sequence.offers(state)))

    def advise(self, state: State, ask: Ask, known: Known, rng: random.Random) -> Order:
        """See `bot`."""
        return bot.advise(state)

    def passive(self, state: State, ask: Ask) -> None:
        """The Allies alone are asked, and nothing they answer is nothing."""

    def read(self, state: State, seat: str, text: str, known: Known) -> tuple[Order, ...]:
        """See `orders`."""
        return orders.read(text)

    def outcome(self, state: State) -> Outcome | None:
        """See `victory`."""
        return victory.outcome(state)

    def position(self, state: State) -> Mapping[str, tuple[str, ...]]:
        """See `position`."""
        return lines.position(state)

    def place(self, state: State, sections: Mapping[str, Iterable[str]]) -> None:
        """See `position`."""
        lines.place(state, {name: tuple(given) for name, given in sections.items()})

    def strength(self, state: State) -> Mapping[str, int]:
        """The strengths of all units of a side together [BC-2.2]."""
        return {
            "allied": sum(state.allied.values()),
            "japanese": sum(unit.strength for unit in state.japanese.values()),
        }

    def picture(self, state: State, seat: str, known: Known) -> View:
        """See `picture`; nothing is hidden in this game."""
        return picture.view(state)


ENGINE: Engine = BattleCardMalaya()
