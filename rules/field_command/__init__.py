"""Field Command: Singapore 1942: single battles on the Combat Board, and the campaign on the map.

Reading order: sequence (the order of play of a battle), then its chapters deploy, air, tactics, strikes, combat and
withdrawal; plans and rule answer for a seat; campaign is the package of the Mapboard; state and orders say what they
talk about, components what stands on the charts and on the map. README.md says what is covered and what is not yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

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
from rules.field_command import bot, components, look, orders, picture, sequence
from rules.field_command import position as lines
from rules.field_command.campaign import advice, cards, cards_judging, cards_orders, reading, turn
from rules.field_command.campaign import look as war_look
from rules.field_command.campaign import position as war_lines
from rules.field_command.campaign import state as war_state
from rules.field_command.campaign.state import War
from rules.field_command.state import SEATS, State, begin, role_of, seat_of
from rules.field_command.terms import ADJECTIVES
from rules.kit import clauses
from rules.kit.data import Data, beside, read_toml
from rules.kit.engine import OpenInformation

if TYPE_CHECKING:
    import random
    from pathlib import Path

    from rules.field_command.rows import Army

JAPAN = Seat("japan", "the attacker, Japan")
AUSTRALIA = Seat("australia", "the defender, Australia")
BRITAIN = Seat("britain", "the defender, Britain")
ARMIES = (Seat("japan", "Japan"), Seat("australia", "Australia"), Seat("britain", "Britain"))
SIDES = (Seat("japan", "Japan"), Seat("allies", "Australia and Britain"))
TWO: Mapping[Army, str] = {"J": "japan", "A": "allies", "B": "allies"}
CAMPAIGN = "impregnable_fortress"
R6 = Option("r6", ("first", "sealed"), "first", "strikes: the defender declares first, or both sealed", "R6")
OPTIONS = (
    Option("supplies", ("yes", "no"), "yes", "actions cost supplies", "8.2.2"),
    Option("cards", ("no", "yes"), "no", "Situation Cards are played, each side's out of its own deck", "8.2.3"),
    Option("win", ("simple", "standard", "high", "ranked"), "simple", "how the winner is found", "16.2.1"),
    Option("level", ("decisive", "total"), "decisive", "the level that wins by the method `high`", "16.2.1.c"),
    Option("timing", ("immediate", "confirm"), "immediate", "win at once, or hold it for a full turn", "16.3.2"),
    Option("r15", ("yes", "no"), "yes", "aircraft that meet without a battle below fight", "R15"),
    R6,
)


class FieldCommand(OpenInformation):
    """The engine: every answer is a line that says where it is decided."""

    id = "field-command"
    title = "Field Command: Singapore 1942"
    editions: tuple[int, ...] = (1,)
    orders: Mapping[str, type[Order]] = {order.kind: order for order in (*orders.ORDERS, *reading.ORDERS)}
    words: Mapping[str, str] = read_toml(beside(__file__, "words.toml"))
    gist: Mapping[str, str] = read_toml(beside(__file__, "gist.toml"))
    bound = 30000  # 63 turns of some hundred orders; only air rounds that are drawn again and again have no end

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
                (R6,),
            ),
            Scenario(
                "campaign",
                "Impregnable Fortress",
                "The historic campaign for three players.",
                ARMIES,
                OPTIONS,
            ),
            Scenario(
                "campaign-two",
                "Impregnable Fortress for two",
                "The same, one player for both Commonwealth armies.",
                SIDES,
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
        """Every value of an option is in its list."""
        return None

    def setup(self, start: Start) -> Any:
        """Nobody has deployed; in a campaign everybody stands where it begins."""
        if start.scenario.startswith("campaign"):
            board = components.board(start.components, CAMPAIGN)
            war = war_state.begin(board, TWO if start.scenario == "campaign-two" else SEATS, start.options)
            if start.options["cards"] == "yes":
                cards.begin(war)
            return war
        muster = components.muster(start.components, start.scenario)
        return State(muster, begin(muster, start.options))

    def pending(self, state: Any) -> tuple[Ask | Roll, ...]:
        """See `sequence` and `campaign.turn`."""
        return turn.pending(state) if isinstance(state, War) else sequence.pending(state.fight)

    def refuse(self, state: Any, seat: str, act: Act, known: Known) -> Illegal | Owes | None:
        """See `sequence` and `campaign.turn`."""
        if isinstance(state, War):
            return turn.refuse(state, seat, act, known)
        if isinstance(act, reading.ORDERS):
            return Illegal("there is no map in a single battle", ("A.2.5",))
        return sequence.refuse(state.fight, seat, act)

    def apply(self, state: Any, step: GameStep, tell: Tell = silent) -> None:
        """See `sequence` and `campaign.turn`."""
        if isinstance(state, War):
            turn.apply(state, step, tell)
        else:
            sequence.apply(state.fight, step, tell)

    def offers(self, state: Any, seat: str, known: Known) -> Iterable[Order]:
        """See `sequence` and `campaign.turn`."""
        return turn.offers(state, seat, known) if isinstance(state, War) else sequence.offers(state.fight, seat)

    def sample(self, state: Any, ask: Ask, known: Known, rng: random.Random) -> Order:
        """Any of the offers."""
        if isinstance(state, War):
            return advice.sample(state, ask, known, rng)
        return rng.choice(list(sequence.offers(state.fight, ask.seat)))

    def advise(self, state: Any, ask: Ask, known: Known, rng: random.Random) -> Order:
        """See `bot` and `campaign.advice`."""
        return advice.advise(state, ask, known) if isinstance(state, War) else bot.advise(state.fight, ask.seat)

    def passive(self, state: Any, ask: Ask) -> Order | None:
        """See `bot`."""
        if ask.what == "combat_cards":
            return cards_orders.NoCard()
        return bot.passive(state.fight) if ask.what in ("declare_strikes", "choose_die") and state.fight else None

    def read(self, state: Any, seat: str, text: str, known: Known) -> tuple[Order, ...]:
        """See `orders` and `campaign.reading`; units without an army are the seat's own."""
        if isinstance(state, War):
            return reading.read(state, seat, text, known)
        role = role_of(state.fight, seat)
        asked = [one.what for one in sequence.pending(state.fight) if isinstance(one, Ask) and one.seat == seat]
        return orders.read(text, state.fight.army[role] if role else "", asked)

    def outcome(self, state: Any) -> Outcome | None:
        """The winner: when a line is empty [A.2.4], or by the campaign's method [16.2.1]."""
        if isinstance(state, War):
            return war_look.outcome(state)
        result = state.fight.result
        if result is None:
            return None
        winner = seat_of(state.fight, result.winner) if result.winner else ""
        return Outcome(winner, look.result(state.fight), (result.clause,))

    def strength(self, state: Any) -> Mapping[str, int]:
        """The units of each army: in play, or on the lines of a single battle."""
        if isinstance(state, War):
            counted = Counter(unit.army for unit in state.units.values() if war_state.in_play(unit))
            return {ADJECTIVES[army].lower(): counted[army] for army in state.board.order}
        return {ADJECTIVES[army].lower(): len(state.fight.line[role]) for role, army in state.fight.army.items()}

    def position(self, state: Any) -> Mapping[str, tuple[str, ...]]:
        """See `position`."""
        return war_lines.position(state) if isinstance(state, War) else lines.position(state.fight)

    def place(self, state: Any, sections: Mapping[str, Iterable[str]]) -> None:
        """See `position`."""
        given = {name: tuple(lines) for name, lines in sections.items()}
        if isinstance(state, War):
            war_lines.place(state, given)
        else:
            lines.place(state.fight, given)

    def picture(self, state: Any, seat: str, known: Known) -> View:
        """See `look` and `picture`."""
        if isinstance(state, War):
            return picture.view(war_look.seen(state, seat, known))
        return picture.battle_view(look.battle(state.fight, state.muster.row.title, seat, known))

    def opens(self, state: Any, seat: str, order: Order, known: Known) -> tuple[Slot, ...]:
        """The cards that an order plays. [15.3.2]"""
        return cards_judging.opens(state, seat, order) if isinstance(state, War) and state.cards else ()

    def phrase(self, state: Any, seat: str, order: Order, known: Known) -> str:
        """See `campaign.reading`."""
        return reading.phrase(state, seat, order, known) if isinstance(state, War) else str(order)

    def replaceable(self, state: Any, seat: str) -> bool:
        """A plan that is sealed cannot be made anew by somebody else, nor can a hand of cards."""
        if isinstance(state, War) and state.cards:
            return False
        f = state.fight
        return not (f and (f.sealed or f.closed) and seat == seat_of(f, "defence"))


ENGINE: Engine = FieldCommand()
