"""Glory Recalled: Hong Kong 1941, two players, a deck and a hidden hand each, hidden British counters.

Reading order: sequence, then its chapters in the order it names them; state, frames and orders say what they talk
about, components what the game is made of. README.md says what is covered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
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
    Owes,
    Roll,
    Scenario,
    Seat,
    Slot,
    Start,
    Tell,
    View,
    silent,
)
from pbem.api import Step as GameStep
from rules.glory_recalled import (
    bot,
    components,
    judging,
    look,
    menus,
    names,
    orders,
    picture,
    sealing,
    sequence,
    setup,
    strength,
)
from rules.glory_recalled import position as lines
from rules.glory_recalled import state as states
from rules.glory_recalled.options import HQ_OPTION, MAP_OPTIONS
from rules.glory_recalled.state import BRITISH, JAPAN, State
from rules.kit import clauses
from rules.kit.data import Data, beside, read_toml

if TYPE_CHECKING:
    import random
    from pathlib import Path

SEATS = (
    Seat(JAPAN, "the Japanese 38th Division, which moves first"),  # [1.0a, 5.0a]
    Seat(BRITISH, "the Commonwealth garrison"),
)
OPTIONS = (
    Option("opt_9_3d", ("off", "on"), "off", "units of other battalions pay a card to join an attack", "9.3d"),  # [R51]
    Option("opt_14_0", ("off", "on"), "off", "each side may draw one card more a turn and discard one", "14.0-opt"),
    HQ_OPTION,
    *MAP_OPTIONS,
)


class GloryRecalled:
    """The engine: every answer is a line that says where it is decided."""

    id = "glory-recalled"
    title = "Glory Recalled: Hong Kong 1941"
    editions: tuple[int, ...] = (1,)
    orders: Mapping[str, type[Order]] = {order.kind: order for order in orders.ORDERS}
    words: Mapping[str, str] = read_toml(beside(__file__, "words.toml"))
    gist: Mapping[str, str] = read_toml(beside(__file__, "gist.toml"))
    bound = 20_000

    def scenarios(self) -> tuple[Scenario, ...]:
        """The standard game first."""
        return (
            Scenario("standard", "Hong Kong 1941", "The whole campaign, from 10 December.", SEATS, OPTIONS),
            Scenario("kowloon", "Battle of Kowloon", "The mainland only, until the fourth pier falls.", SEATS, OPTIONS),
            Scenario("island", "Battle of Hong Kong Island", "From 18 December, Kowloon is lost.", SEATS, OPTIONS),
            Scenario("free", "Free set-up", "The whole campaign; the British begin where they like.", SEATS, OPTIONS),
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
        """See `setup`."""
        return setup.begin(start)

    def pending(self, state: State) -> tuple[Ask | Roll, ...]:
        """See `sequence`."""
        return sequence.pending(state)

    def refuse(self, state: State, seat: str, act: Act, known: Known) -> Illegal | Owes | None:
        """See `sequence`."""
        return judging.refuse(state, seat, act, known)

    def opens(self, state: State, seat: str, order: Order, known: Known) -> tuple[Slot, ...]:
        """See `sealing`."""
        return sealing.opens(state, seat, order, known)

    def phrase(self, state: State, seat: str, order: Order, known: Known) -> str:
        """See `names`."""
        return names.phrase(state, order, known)

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
        return bot.advise(state, ask, known)

    def passive(self, state: State, ask: Ask) -> Order | None:
        """No card for a combat, and none against an action."""
        return {"support": orders.Support(), "react": orders.NoReaction()}.get(ask.what)

    def points(self, state: State) -> Mapping[str, Fraction]:
        """Both seats' points, which are counted in halves."""
        return {seat: Fraction(halves, 2) for seat, halves in state.points.items()}

    def strength(self, state: State) -> Mapping[str, int]:
        """See `strength`."""
        return strength.on_map(state)

    def read(self, state: State, seat: str, text: str, known: Known) -> tuple[Order, ...]:
        """See `names`."""
        return names.read(state, seat, text, known)

    def outcome(self, state: State) -> Outcome | None:
        """See `victory`."""
        return states.outcome(state)

    def position(self, state: State) -> Mapping[str, tuple[str, ...]]:
        """See `position`."""
        return lines.position(state)

    def place(self, state: State, sections: Mapping[str, Iterable[str]]) -> None:
        """See `position`."""
        lines.place(state, {name: tuple(given) for name, given in sections.items()})

    def picture(self, state: State, seat: str, known: Known) -> View:
        """See `look` and `picture`."""
        return picture.view(look.seen(state, seat, known))

    def replaceable(self, state: State, seat: str) -> bool:
        """A hand cannot be rebuilt from what is public."""
        return False


ENGINE: Engine = GloryRecalled()
