"""Tiger of Malaya: Johore and Singapore 1942, two players, chits from a cup, artillery in secret.

Reading order: sequence, turn and impulse with judging, then the chapters costs, movement, tether, stacking, arrivals,
zones, supply, works, air, bombardment, attack, reaction, combat with odds, losses and retreat, victory;
state and orders say what they talk about, components what the game is made of.
README.md says what is covered and what is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from pbem.api import (
    Act,
    Amended,
    Ask,
    Commit,
    Engine,
    Illegal,
    Known,
    Opened,
    OpenSlots,
    Order,
    Outcome,
    Roll,
    Scenario,
    Sealed,
    Slot,
    Start,
    Tell,
    View,
    silent,
)
from pbem.api import Step as GameStep
from rules.kit import clauses
from rules.kit.data import Data, beside, read_toml
from rules.tiger_of_malaya import (
    bot,
    components,
    diversion,
    look,
    menus,
    orders,
    picture,
    reaction,
    sequence,
    setup,
    turn,
    victory,
)
from rules.tiger_of_malaya import position as lines
from rules.tiger_of_malaya.orders import Enter, Support
from rules.tiger_of_malaya.scenarios import SCENARIOS
from rules.tiger_of_malaya.state import SEATS, State, of, points

if TYPE_CHECKING:
    import random
    from pathlib import Path


class TigerOfMalaya:
    """The engine: every answer is a line that says where it is decided."""

    id = "tiger-of-malaya"
    title = "Tiger of Malaya"
    editions: tuple[int, ...] = (1,)
    orders: Mapping[str, type[Order]] = {order.kind: order for order in orders.ORDERS}
    words: Mapping[str, str] = read_toml(beside(__file__, "words.toml"))
    gist: Mapping[str, str] = read_toml(beside(__file__, "gist.toml"))
    bound = 20_000

    def scenarios(self) -> tuple[Scenario, ...]:
        """See `scenarios`."""
        return SCENARIOS

    def components(self, edition: int, folder: Path | None = None) -> Data:
        """The tables of `data/`, an owner's copy over them."""
        return components.load(edition, folder)

    def rulings(self, edition: int) -> tuple[str, ...]:
        """`rulings.toml`, as far as it is in force."""
        return clauses.in_force(__file__, edition)

    def check_options(self, scenario: Scenario, options: Mapping[str, str]) -> str | None:
        """Every option has a list of values."""
        return None

    def setup(self, start: Start) -> State:
        """See `setup`."""
        return setup.begin(start)

    def pending(self, state: State) -> tuple[Ask | Roll, ...]:
        """See `sequence`."""
        return sequence.pending(state)

    def refuse(self, state: State, seat: str, act: Act, known: Known) -> Illegal | None:
        """See `sequence`; what is sealed is judged when it is opened."""
        if isinstance(act, Amended):
            return Illegal("options are agreed on before the game", ("13.1",))
        if isinstance(act, Sealed):
            return refuse_seal(state, seat, act)
        if isinstance(act, Opened):
            return refuse_opening(state, seat, act)
        return sequence.refuse(state, seat, act, known)

    def opens(self, state: State, seat: str, order: Order, known: Known) -> tuple[Slot, ...]:
        """The order that brings in units a secret die decided on proves the die. [R96]"""
        return diversion.opens(state, order.unit) if isinstance(order, Enter) else ()

    def phrase(self, state: State, seat: str, order: Order, known: Known) -> str:
        """Orders name nothing hidden."""
        return str(order)

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
        """No gun helps in a battle."""
        return {"support": Support(), "react": orders.Done()}.get(ask.what)

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
        """The stacking points of both sides on the map. [5.0.B]"""
        return {side: sum(points(state, id) for id, _ in of(state, side)) for side in SEATS}

    def picture(self, state: State, seat: str, known: Known) -> View:
        """See `look` and `picture`."""
        return picture.view(look.seen(state, seat, known))

    def replaceable(self, state: State, seat: str) -> bool:
        """Chits that are sealed, and dice that only the Allies saw, cannot be known by somebody else."""
        return not (turn.closed(state, seat) or diversion.secret(state, seat)) and state.phase not in ("react", "show")


def refuse_seal(s: State, seat: str, act: Sealed) -> Illegal | None:
    """Only what is asked for is sealed."""
    for one in sequence.pending(s):
        if isinstance(one, Ask) and one.seat == seat:
            if act.what == "choice" and one.secret:
                return None
            fill = one.fill
            if isinstance(fill, Commit) and act.name == f"{seat}-{fill.name}" and len(act.slots) == fill.count:
                return Illegal("chits are not sealed anew", ("3.1.4.E",)) if act.replaces else None
    return Illegal("nothing is to be sealed now", ("3.1.4.E", "9.2.A"))


def refuse_opening(s: State, seat: str, act: Opened) -> Illegal | None:
    """What is asked for, and only what could have been sealed: guns that may support, chits that there are."""
    due = [
        one.client.slots for one in sequence.pending(s) if isinstance(one, Ask) and isinstance(one.client, OpenSlots)
    ]
    slots = tuple(slot for slot, _ in act.items)
    if slots not in due and act.order is None:
        return diversion.refuse_opened(s, seat, slots)
    if slots not in due:
        return Illegal("that is not to be opened now", ("3.2.A", "9.2.A"))
    if act.order is not None:
        if not isinstance(act.order, Support):
            return Illegal("that is no order to guns", ("9.2.A",))
        return reaction.refuse_support(s, seat, act.order)
    opened = {**s.opened, **{slot: str(content) for slot, content in act.items}}
    return turn.refuse_open_chits(s, seat, opened)


ENGINE: Engine = TigerOfMalaya()
