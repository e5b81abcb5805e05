"""Singapore (1984): all Malaya and the island, December 1941 to June 1942, two players, 26 weekly turns.

Reading order: sequence (the course of a turn), then its chapters sea with interception, movement, supply, air, combat
with fighting and retreat, island, victory; zones and stacking; state and orders say what they talk about, components
and board what the game is made of. README.md says what is covered and what is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from pbem.api import (
    Act,
    Amended,
    Ask,
    Engine,
    Illegal,
    Known,
    Opened,
    Option,
    Order,
    Outcome,
    Roll,
    Scenario,
    Sealed,
    Seat,
    Slot,
    Start,
    Tell,
    View,
    silent,
)
from pbem.api import Step as GameStep
from rules.kit import clauses
from rules.kit.data import Data, beside, read_toml
from rules.kit.engine import OpenInformation
from rules.singapore_1984 import bot, components, judging, look, menus, options, orders, sequence, state, victory
from rules.singapore_1984 import position as lines
from rules.singapore_1984.state import CW, JP, PLAYERS, State

if TYPE_CHECKING:
    import random
    from pathlib import Path

OPTIONS = (
    Option("r3", ("text", "key"), "text", "EX eliminates the defender, as the text says, or the weaker side", "R3"),
    Option("r4", ("intact", "destroyed"), "intact", "shipping of Penang scores when taken, or when destroyed", "R4"),
    Option("r10", ("no", "yes"), "no", "a bridge lifts the halving of an attack across a river", "R10"),
)
SEATS = (Seat(JP, "Japan"), Seat(CW, "the Commonwealth"))  # [3.0a]


class Singapore1984(OpenInformation):
    """The engine: every answer is a line that says where it is decided."""

    id = "singapore-1984"
    title = "Singapore (1984)"
    editions: tuple[int, ...] = (1,)
    orders: Mapping[str, type[Order]] = {order.kind: order for order in orders.ORDERS}
    words: Mapping[str, str] = read_toml(beside(__file__, "words.toml"))
    gist: Mapping[str, str] = read_toml(beside(__file__, "gist.toml"))
    bound = 20_000

    def scenarios(self) -> tuple[Scenario, ...]:
        """The historical game, and the one with secret options. [3.0d, 13.0a]"""
        about = "The campaign, 8 December 1941 to June 1942: 26 turns or the fall of Singapore."
        more = "The campaign; each side buys optional units and rules in secret, for victory points."
        return (
            Scenario("campaign", "The campaign", about, SEATS, OPTIONS),  # [3.0d]
            Scenario("optional", "The campaign with optional rules", more, SEATS, OPTIONS),
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
        """Everybody where the counters say. [3.0]"""
        s = state.begin(components.board(start.components), start.options, start.scenario == "optional")
        sequence.run(s, silent)
        return s

    def pending(self, state: State) -> tuple[Ask | Roll, ...]:
        """See `sequence`."""
        return sequence.pending(state)

    def refuse(self, state: State, seat: str, act: Act, known: Known) -> Illegal | None:
        """See `sequence`."""
        if isinstance(act, Amended):
            return Illegal("options are fixed when the game begins", ("3.0b",))
        if isinstance(act, Sealed):
            return options.refuse_seal(state, seat, act)
        if isinstance(act, Opened):
            return options.refuse_opening(state, seat, act)
        if act.kind not in options.RESTING:
            return judging.refuse(state, seat, act)
        wrong = options.refuse_unlisted(state, seat, act, known)
        return wrong or judging.refuse(options.shown(state, seat, act, known), seat, act)

    def opens(self, state: State, seat: str, order: Order, known: Known) -> tuple[Slot, ...]:
        """What an order rests on is shown with it. [13.0d]"""
        return options.opens(state, seat, order, known)

    def apply(self, state: State, step: GameStep, tell: Tell = silent) -> None:
        """See `sequence`."""
        sequence.apply(state, step, tell)

    def offers(self, state: State, seat: str, known: Known) -> Iterable[Order]:
        """See `menus`."""
        return menus.offers(state, seat, known)

    def sample(self, state: State, ask: Ask, known: Known, rng: random.Random) -> Order:
        """See `bot`."""
        return bot.sample(state, ask, known, rng)

    def advise(self, state: State, ask: Ask, known: Known, rng: random.Random) -> Order:
        """See `bot`."""
        return bot.advise(state, ask, known, rng)

    def passive(self, state: State, ask: Ask) -> Order | None:
        """No air points, nobody sails out."""
        quiet: Mapping[str, Order] = {
            "defend": orders.End(),
            "intercept": orders.NoIntercept(),
            "airz": orders.AirZ(use="no"),
        }
        return quiet.get(ask.what)

    def points(self, state: State) -> Mapping[str, Fraction]:
        """Only Japan has points. [12.0GR]"""
        return {JP: Fraction(state.points)}

    def strength(self, state: State) -> Mapping[str, int]:
        """Attack and defense of all that stands on the maps, as it scores. [2.3g]"""
        return {side: sum(sum(state.face(unit)[:2]) for unit in state.on_map(side)) for side in PLAYERS}

    def read(self, state: State, seat: str, text: str, known: Known) -> tuple[Order, ...]:
        """See `orders`; a hint names what is asked first."""
        asked = [ask.what for ask in sequence.pending(state) if isinstance(ask, Ask) and ask.seat == seat]
        return orders.reader(judging.ANSWERS.get(asked[0], ()) if asked else ()).read(text)

    def outcome(self, state: State) -> Outcome | None:
        """See `victory`."""
        return victory.outcome(state)

    def position(self, state: State) -> Mapping[str, tuple[str, ...]]:
        """See `position`."""
        return lines.position(state)

    def place(self, state: State, sections: Mapping[str, Iterable[str]]) -> None:
        """See `position`."""
        lines.place(state, {name: tuple(given) for name, given in sections.items()})

    def picture(self, state: State, seat: str, known: Known) -> View:
        """See `look`."""
        return look.view(state, seat, known)

    def replaceable(self, state: State, seat: str) -> bool:
        """A sealed list cannot be written anew."""
        return not options.closed(state, JP if seat == JP else CW)


ENGINE: Engine = Singapore1984()
