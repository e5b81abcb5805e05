"""What everybody may see: whose turn it is, dice fallen and to fall, moves, records and tallies."""

from __future__ import annotations

from pbem.api import Grid, Known, View
from rules.open_table import holding_grids
from rules.open_table.orders import DICE
from rules.open_table.rolls import how_often, kinds
from rules.open_table.state import Fallen, State, Throw
from rules.open_table.turns import order_of_play


def picture(state: State, seat: str, known: Known) -> View:
    """The same for every seat and the public, but for what lies under seal."""
    shown = [*holding_grids.grids(state, seat, known), *grids(state)]
    return View(headline(state), facts(state), tuple(grid for grid in shown if grid.rows))


def headline(state: State) -> str:
    of = f" of {state.agreed.turns}" if state.agreed.turns else ""
    turn = f"turn {state.turn}{of}"
    if state.outcome is not None:
        return f"{turn}, the game is over: {state.outcome.words}"
    question = state.held.question
    if question is not None:
        return f"{turn}, {', '.join(question.silent() or question.sealed)} to answer: {question.text}"
    return f"{turn}, {state.to_act} to act"


def facts(state: State) -> tuple[tuple[str, str], ...]:
    shown = [("wargame", state.agreed.game), ("order of play", order_of_play(state))]
    shown.append(("rolls so far", str(state.rolls)))
    if state.out:
        shown.append(("left the table", ", ".join(seat for seat in state.seats if seat in state.out)))
    return tuple(shown)


def grids(state: State) -> tuple[Grid, ...]:
    """The tables of the report, those without rows too."""
    return (
        Grid("Dice to fall", ("turn", "seat", "dice", "for"), tuple(to_fall(throw) for throw in state.waiting)),
        Grid(
            "Dice of this turn and the last",
            ("turn", "seat", "roll", "dice", "for", "faces", "sum", "how often"),
            tuple(row(fallen) for fallen in state.fallen),
        ),
        Grid(
            "Moves and records of this turn and the last",
            ("turn", "seat", "what", "text"),
            tuple((str(said.turn), said.seat, said.what, said.text) for said in state.said),
        ),
        Grid("Tallies", ("name", "number"), tuple((name, str(state.tallies[name])) for name in sorted(state.tallies))),
    )


def to_fall(throw: Throw) -> tuple[str, ...]:
    if throw.deck:
        return str(throw.turn), throw.seat, f"{throw.roll.draw} cards", f"{throw.purpose}: {throw.deck}, {throw.zone}"
    private = " (private)" if throw.roll.audience else ""
    return str(throw.turn), throw.seat, f"{DICE.show(throw.roll.dice)}{private}", throw.purpose


def row(fallen: Fallen) -> tuple[str, ...]:
    """A fallen roll; kinds of dice are kept apart by `+`, as in `2d6+d10`."""
    throw = fallen.throw
    runs = [faces for _, faces in kinds(throw.roll.dice, fallen.faces)]
    return (
        *(str(throw.turn), throw.seat, fallen.label, DICE.show(throw.roll.dice), throw.purpose),
        " + ".join(" ".join(map(str, faces)) for faces in runs),
        " + ".join(str(sum(faces)) for faces in runs),
        how_often(throw.roll.dice, fallen.faces),
    )
