"""Tiger of Malaya by mail: two machines that exchange letters, from the invitation to the audit."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
from computers import two
from correspondents import Correspondence, Player, fixed, lean, play, players, verdict

from pbem.api import Ask, Note
from pbem.table import Table
from pbem.trial import Trial
from rules.tiger_of_malaya import ENGINE
from rules.tiger_of_malaya.orders import READER, Attack, Support
from rules.tiger_of_malaya.state import SEATS, State, foe, is_gun, occupied, of

RULES = "tiger-of-malaya"
LETTERS = 400
"""Five turns take some ninety with standing orders."""


@pytest.fixture(autouse=True)
def _same_game(monkeypatch: pytest.MonkeyPatch) -> None:
    lean(monkeypatch)
    fixed(monkeypatch, 1942)


class Eager(Player):
    """Attacks wherever he may, at whatever odds, with guns that stay where they reach an enemy.

    The bot waits for good odds, which some games never see; its guns follow its troops, or have fired by then.
    """

    def advised(self, trial: Trial, ask: Ask) -> str:
        if ask.what == "bombard":
            return "done"
        if ask.what == "declare":
            offers = ENGINE.offers(trial.state, ask.seat, trial.author.known())
            return next((str(order) for order in offers if isinstance(order, Attack)), "done")
        if ask.what == "move":
            return self.asked(trial, laid(trial.state, ask.seat), ask)
        return super().advised(trial, ask)


def laid(state: State, seat: str) -> State:
    """The position to move in, as if guns that reach an enemy had moved."""
    found = copy.deepcopy(state)
    enemies = occupied(found, foe(seat))
    for id, piece in of(found, seat):
        reach = found.board.template(id).range if is_gun(found, id) else 0
        if reach and any(found.board.grid.distance(piece.at, hex) <= reach for hex in enemies):
            piece.mark("moved")
            piece.left = 0
    return found


def told(table: Table, stem: str) -> list[Note]:
    """What the story says under this name."""
    return [note for _, note in table.story if note.stem == stem]


def whole_turn(table: Table) -> bool:
    """Chits were sealed on both sides, hidden guns opened, a battle fought, a turn ended, and somebody came."""
    guns = [note for note in told(table, "support") if note.args["attack"] != "none"]
    chits = {note.args["side"] for note in told(table, "chits")}
    turns = {note.args["turn"] for note in told(table, "turn")}
    return bool(len(chits) == 2 and guns and told(table, "battle") and len(turns) > 1 and told(table, "entered"))


def test_muar_to_its_last_turn(tmp_path: Path) -> None:
    """Nobody gives up: the verdict is that of the scenario."""
    match = two(tmp_path, RULES, *SEATS, "--scenario", "muar")
    done = play(match, players(match, RULES), LETTERS)
    table = match["japan"].table("g.pbem")
    assert not any(event.kind == "resign" for event in table.fold.past(table.fold.seq))
    outcome = table.fold.outcome()
    assert outcome is not None
    assert verdict(match).startswith(f"VALID, {outcome.words}")
    assert done.ordered("chits ", "move ", "standing ")
    assert told(table, "chits")


@pytest.mark.parametrize("scenario", ["northern-johore", "tiger-of-malaya", "great-base"])
def test_a_turn_and_its_battles(tmp_path: Path, scenario: str) -> None:
    """Chits, attacks with hidden guns, reinforcements and the end of a turn; then whoever holds the baton gives up."""
    match = two(tmp_path, RULES, *SEATS, "--scenario", scenario)

    def seen(_: Player, table: Table, __: Correspondence) -> bool:
        return whole_turn(table)

    play(match, players(match, RULES, kind=Eager), LETTERS, gives_up=seen)
    assert whole_turn(match["japan"].table("g.pbem"))
    assert verdict(match).startswith("VALID, ")


def test_an_empty_hand_of_guns_is_read() -> None:
    """`support` alone means none."""
    assert READER.read("support") == READER.read("support none") == (Support(),)
