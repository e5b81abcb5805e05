"""Tiger of Malaya: whole games of bots and of chance, every position placed again. Its rules are cases."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbem.api import Ask, Known, Note, OpenSlots, Order, Ordered, Roll, Start
from pbem.report import sentence
from pbem.testing import play
from pbem.unsealed import Unsealed
from rules.tiger_of_malaya import ENGINE, bot
from rules.tiger_of_malaya.places import Places, places
from rules.tiger_of_malaya.state import SEATS, State
from rules.tiger_of_malaya.supply import immune

MUAR = ENGINE.scenarios()[0]
Player = Callable[[State, Ask, Known, random.Random], Order]


def sensible(s: State, ask: Ask, known: Known, rng: random.Random) -> Order:
    return bot.advise(s, ask, known)


def by_chance(s: State, ask: Ask, known: Known, rng: random.Random) -> Order:
    return bot.sample(s, ask, known, rng)


OTHER_READINGS = {"r2": "open", "r8": "guns", "r20": "free", "r23": "both", "r27": "last"}
"""Of chapters 1 to 7."""


def whole_game(seed: int, player: Player, options: dict[str, str] | None = None) -> tuple[State, list[Note]]:
    """A game to its end; every answer is accepted, every position comes back from its lines."""
    start = Start("muar", options or {}, SEATS, 1, ENGINE.components(1))
    s: State = ENGINE.setup(start)
    hidden, rng, notes = Unsealed(), random.Random(seed), list[Note]()
    for number in range(3000):
        waiting = ENGINE.pending(s)
        if not waiting:
            return s, notes
        if number % 5 == 0:
            comes_back(s, start)
        sound(s)
        ENGINE.apply(s, step_of(s, waiting[0], hidden, player, rng), notes.append)
    raise AssertionError("the game does not end")


def step_of(s: State, one: Ask | Roll, hidden: Unsealed, player: Player, rng: random.Random) -> Any:
    if isinstance(one, Roll):
        dice = tuple(rng.randint(1, sides) for sides in one.dice)
        return hidden.rolled(one, dice or tuple(rng.sample(one.pool, one.draw)))
    if isinstance(one.client, OpenSlots):
        step = hidden.opening(ENGINE, one.seat, one.client.slots)
        assert ENGINE.refuse(s, one.seat, step, hidden.after(step)) is None
        hidden.enter(step)
        return step
    order = player(s, one, hidden.known(one.seat), rng)
    assert ENGINE.refuse(s, one.seat, order, hidden.known(one.seat)) is None, (one.what, str(order))
    assert order in ENGINE.read(s, one.seat, str(order), {})
    return hidden.choose(one, order) if one.sealed else Ordered(one.seat, order)


def comes_back(s: State, start: Start) -> None:
    fresh: State = ENGINE.setup(start)
    ENGINE.place(fresh, ENGINE.position(s))
    assert ENGINE.position(fresh) == ENGINE.position(s)
    assert ENGINE.pending(fresh) == ENGINE.pending(s)


def sound(s: State) -> None:
    """No hex holds both sides, but for a steamer that is about to go; who is supplied while he must be; nobody is lost
    and on the map."""
    stacks: dict[str, set[str]] = {}
    leaving = {one.split()[0] for one in s.adrift}
    for id, piece in ((id, piece) for id, piece in s.pieces.items() if id not in leaving):
        stacks.setdefault(piece.at, set()).add(id)
    assert all(len({s.board.side(id) for id in units}) == 1 for units in stacks.values())
    assert places(s) == places(replace(s, places=Places())), "what is kept of who stands where is what it would be anew"
    assert not s.lost & set(s.pieces)
    assert all(s.pieces[id].supplied for id in s.pieces if immune(s, s.board.side(id)))


@pytest.mark.parametrize("seed", [0, 1])
def test_bots_play_to_the_end(seed: int) -> None:
    s, notes = whole_game(seed, sensible)
    assert ENGINE.outcome(s) is not None
    assert s.turn == s.board.scenario.last_turn
    assert any(note.stem == "battle" for note in notes)
    assert all(sentence(note, ENGINE.words) for note in notes)


def test_chance_plays_to_the_end() -> None:
    s, _ = whole_game(3, by_chance)
    assert ENGINE.outcome(s) is not None
    assert s.turn == s.board.scenario.last_turn


@pytest.mark.parametrize("player", [sensible, by_chance])
def test_it_is_played_to_the_end_as_others_read_the_rulebook(player: Player) -> None:
    s, notes = whole_game(5, player, OTHER_READINGS)
    assert ENGINE.outcome(s) is not None
    assert {note.stem for note in notes} >= {"chits.open", "chit"}


@pytest.mark.parametrize(("steps", "options"), [(25, {}), (80, OTHER_READINGS)])
def test_contract(steps: int, options: dict[str, str]) -> None:
    game = play(ENGINE, MUAR, seed=4, steps=steps, looks=2, options=options)
    assert game.steps


def test_units_change_place_and_face_by_one_door() -> None:
    """What is kept of who stands where is right as long as nobody else writes to pieces."""
    doors = {"state.py", "setup.py", "position.py"}  # the latter two begin anew
    found = [
        f"{path.name}:{node.lineno}"
        for path in sorted(Path(bot.__file__).parent.glob("*.py"))
        if path.name not in doors
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute | ast.Subscript | ast.Call) and goes_round(node)
    ]
    assert found == []


def goes_round(node: ast.Attribute | ast.Subscript | ast.Call) -> bool:
    """Whether it writes `piece.at`, `piece.level` or into `s.pieces`."""
    if isinstance(node, ast.Call):
        changes = isinstance(node.func, ast.Attribute) and node.func.attr in ("pop", "setdefault", "update", "clear")
        return changes and ast.unparse(node.func).startswith("s.pieces.")
    if isinstance(node.ctx, ast.Load):
        return False
    if isinstance(node, ast.Subscript):
        return ast.unparse(node.value) == "s.pieces"
    return node.attr in ("at", "level") or ast.unparse(node) == "s.pieces"


@pytest.mark.parametrize("line", ["piece.at = hex", "s.pieces[id].level += 1", "del s.pieces[id]", "s.pieces.pop(id)"])
def test_other_doors_would_be_seen(line: str) -> None:
    assert any(
        goes_round(node)
        for node in ast.walk(ast.parse(line))
        if isinstance(node, ast.Attribute | ast.Subscript | ast.Call)
    )


def at(scenario: str, sections: dict[str, list[str]], **options: str) -> Roll:
    """The chance that a position waits for."""
    s: State = ENGINE.setup(Start(scenario, options, SEATS, 1, ENGINE.components(1)))
    ENGINE.place(s, sections)
    (roll,) = ENGINE.pending(s)
    assert isinstance(roll, Roll)
    return roll


@pytest.mark.parametrize(
    ("option", "streak", "pool"),
    [
        ("on", "japan 3", ("allies-move-1",)),
        ("on", "japan 2", ("japan-move-1", "allies-move-1")),
        ("on", "allies 3", ("japan-move-1",)),
        ("off", "japan 3", ("japan-move-1", "allies-move-1")),
    ],
)
def test_nobody_draws_a_fourth_impulse_in_a_row(option: str, streak: str, pool: tuple[str, ...]) -> None:  # [13.1]
    turn = ["turn 3", "impulses 6", "number 3", "phase draw", "chit -", "slot -", "plan -"]
    cup = ["in 11 japan-move-1", "in 12 allies-move-1"]
    assert at("muar", {"turn": turn, "cup": cup, "campaign": [f"streak {streak}"]}, opt_13_1=option).pool == pool


@pytest.mark.parametrize(("scenario", "clause"), [("tiger-of-malaya", "14.3.4.A.1"), ("great-base", "14.4.4.A.1")])
def test_each_campaign_names_its_own_clause_for_the_surrender(scenario: str, clause: str) -> None:
    turn = ["turn 15", "impulses 4", "number 4", "phase leftover", "active japan", "chit -", "slot -", "plan -"]
    roll = at(scenario, {"turn": turn, "cup": [], "units": ["I/41 0744 level 0"]})
    assert (roll.clause, roll.dice) == (clause, (6, 6))
