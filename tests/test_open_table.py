"""The open table: what holds in every position, readers and printers, results in words, speed. Its rules are cases."""

from __future__ import annotations

import random
import time
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem import canon
from pbem.api import (
    NOTHING_KNOWN,
    Amended,
    Ask,
    Illegal,
    Lapsed,
    Note,
    Order,
    Ordered,
    Resigned,
    Roll,
    Rolled,
    Scenario,
    Start,
)
from pbem.errors import Trouble, Unreadable
from pbem.report import sentence
from pbem.testing import check_engine, play
from rules.kit.orders import help_lines
from rules.open_table import ENGINE
from rules.open_table.orders import PLAIN_ORDERS, Move, NewTurn, Pass, Record, RollDice, Tally
from rules.open_table.rolls import MAX_WAITING, how_often, result
from rules.open_table.state import LATEST, State
from rules.open_table.story import MAX_TALLIES
from rules.open_table.typed import READER

README = Path(__file__).parents[1] / "rules" / "open_table" / "README.md"
SCENARIOS = {scenario.id: scenario for scenario in ENGINE.scenarios()}
LARGEST_POSITION = 100_000
MICROSECONDS = 60


def begin(scenario: str = "duel", **options: str) -> State:
    seats = tuple(seat.id for seat in SCENARIOS[scenario].seats)
    return ENGINE.setup(Start(scenario, options, seats, 1, ENGINE.components(1)))


def order(state: State, *texts: str) -> list[Note]:
    """Orders of whoever is to act; what they told."""
    told: list[Note] = []
    for text in texts:
        (meaning,) = ENGINE.read(state, state.to_act, text)
        assert ENGINE.refuse(state, state.to_act, meaning, NOTHING_KNOWN) is None
        ENGINE.apply(state, Ordered(state.to_act, meaning), told.append)
    return told


def fall(state: State, *faces: int, label: str = "roll#1") -> list[Note]:
    told: list[Note] = []
    roll = ENGINE.pending(state)[0]
    assert isinstance(roll, Roll)
    ENGINE.apply(state, Rolled(label, roll, faces), told.append)
    return told


# --- the contract ---


def test_contract() -> None:
    check_engine(ENGINE, games=2, steps=200)


@pytest.mark.parametrize(
    "options",
    [{"order": "declared"}, {"snake": "yes", "turns": "2"}, {"teams": "red+green blue"}, {"teams": "red+blue+green"}],
)
def test_contract_with_other_options(options: dict[str, str]) -> None:
    play(ENGINE, SCENARIOS["three"], steps=300, options=options)


# --- any game ---

WORDS = st.text(st.characters(codec="latin-1", categories=("L", "N", "P", "S", "Zs")), max_size=250)
ORDERS: st.SearchStrategy[Order] = st.one_of(
    st.builds(RollDice, dice=st.lists(st.integers(-1, 10_001), max_size=102).map(tuple), purpose=WORDS),
    st.builds(RollDice, dice=st.just((6, 6)), purpose=st.just("attack")),
    st.builds(Pass, to=st.sampled_from((None, "red", "blue", "green", "nobody"))),
    st.just(NewTurn()),
    st.builds(Move, text=WORDS),
    st.builds(Record, text=WORDS),
    st.builds(Tally, name=st.text("ab-._ ", max_size=34), number=st.integers(-(10**10), 10**10)),
)
CHANCE = "dice"
STEPS = st.lists(st.one_of(ORDERS, st.sampled_from((CHANCE, CHANCE, "red", "blue"))), max_size=60)
OPTIONS = st.fixed_dictionaries(
    {"order": st.sampled_from(("fixed", "declared")), "snake": st.sampled_from(("no", "yes"))}
)


@given(STEPS, OPTIONS, st.sampled_from(("solo", "duel", "three")))
def test_any_game_holds_together(steps: list[Any], options: dict[str, str], scenario: str) -> None:
    state = begin(scenario, **(options if scenario != "solo" else {}))
    for step in steps:
        take(state, step)
        check(state, scenario)


def take(state: State, step: Any) -> None:
    """A step of the list, where it is possible: chance, a resignation, or an order of whoever is to act."""
    waiting = ENGINE.pending(state)
    if not waiting:
        return
    if step == CHANCE:
        if isinstance(waiting[0], Roll):
            fall(state, *(1 + number % sides for number, sides in enumerate(waiting[0].dice)))
    elif isinstance(step, str):
        ENGINE.apply(state, Resigned(step))
    else:
        judge(state, step)


def judge(state: State, step: Order) -> None:
    before = deepcopy(state)
    verdict = ENGINE.refuse(state, state.to_act, step, NOTHING_KNOWN)
    assert state == before
    if isinstance(verdict, Illegal):
        assert verdict.ids
        assert verdict.why
        return
    assert ENGINE.read(state, state.to_act, str(step)) == (step,)
    canon.encode(step.body())
    told: list[Note] = []
    ENGINE.apply(state, Ordered(state.to_act, step), told.append)
    ENGINE.apply(before, Ordered(before.to_act, step))
    assert state == before
    assert all(sentence(note, ENGINE.words) for note in told)


def check(state: State, scenario: str) -> None:
    waiting = ENGINE.pending(state)
    assert bool(waiting) == (ENGINE.outcome(state) is None)
    if waiting:
        ask = waiting[-1]
        assert isinstance(ask, Ask)
        assert ask.seat in state.in_play()
        assert list(ENGINE.offers(state, ask.seat, NOTHING_KNOWN))
    position = ENGINE.position(state)
    assert sum(len(line) for lines in position.values() for line in lines) < LARGEST_POSITION
    again = begin(scenario)
    again.agreed = state.agreed
    ENGINE.place(again, position)
    assert ENGINE.position(again) == position
    assert ENGINE.pending(again) == waiting
    assert ENGINE.outcome(again) == ENGINE.outcome(state)
    assert len(state.fallen) <= LATEST
    assert len(state.said) <= LATEST
    assert ENGINE.picture(state, "", NOTHING_KNOWN) == ENGINE.picture(state, "red", NOTHING_KNOWN)


@settings(max_examples=30)
@given(st.integers(0, 2**32), st.sampled_from(sorted(SCENARIOS)))
def test_samples_are_legal_also_while_dice_wait(seed: int, scenario: str) -> None:
    rng, state = random.Random(seed), begin(scenario)
    for _ in range(100):
        ask = ENGINE.pending(state)[-1]
        assert isinstance(ask, Ask)
        order = ENGINE.sample(state, ask, NOTHING_KNOWN, rng)
        if isinstance(order, PLAIN_ORDERS):  # what leads to hidden things is for the contract, which knows them
            judge(state, order)
        if rng.random() < 0.1 and state.waiting:
            take(state, CHANCE)


def test_the_largest_position_is_bounded() -> None:
    state = begin("six")
    dice = tuple(9_999 + number % 2 for number in range(100))
    for _ in range(MAX_WAITING):
        judge(state, RollDice(dice=dice, purpose="\u4e00" * 200))
    for number in range(MAX_TALLIES):
        judge(state, Tally(name=f"{number:032}", number=-999_999_999))
    assert len(state.waiting) == MAX_WAITING
    assert len(state.tallies) == MAX_TALLIES
    assert sum(len(line) for lines in ENGINE.position(state).values() for line in lines) < LARGEST_POSITION


def test_a_copy_is_its_own() -> None:
    state = begin("three")
    order(state, "tally red-vp 1", "roll d6 for luck")
    fall(state, 3)
    order(state, "roll d6 for luck", "move on")
    copy = deepcopy(state)
    assert copy == state
    order(copy, "tally red-vp 2", "record done", "roll d6 for more")
    fall(copy, 4)
    ENGINE.apply(copy, Resigned("green"))
    assert (len(state.waiting), len(state.said), len(state.fallen)) == (1, 1, 1)
    assert (state.tallies, state.out) == ({"red-vp": 1}, set())


# --- reading ---


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("ROLL 2D6 for attack on Hill 12", RollDice(dice=(6, 6), purpose="attack on Hill 12")),
        ("roll 1d6+2d10 for: supply, if any:", RollDice(dice=(6, 10, 10), purpose="supply, if any:")),
        ("record: red takes Hill 12", Record(text="red takes Hill 12")),
        ("move  3rd  Bn to 0504", Move(text="3rd  Bn to 0504")),
        ("pass to Blue", Pass(to="blue")),
        ("tally red-vp: -3", Tally(name="red-vp", number=-3)),
        ("New Turn", NewTurn()),
    ],
)
def test_what_players_type(typed: str, meant: Order) -> None:
    assert ENGINE.read(begin(), "red", typed) == (meant,)


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("roll 2d6", "roll DICE for PURPOSE"),
        ("roll 2d6+1 for attack", "without modifiers"),
        ("roll dice for attack", "2d6+d10"),
        ("tally red vp 3", "tally NAME NUMBER"),
        ("rol 2d6 for attack", "did you mean roll?"),
        ("attack", "you may write"),
    ],
)
def test_what_cannot_be_read_is_hinted_at(typed: str, hint: str) -> None:
    with pytest.raises(Unreadable) as told:
        ENGINE.read(begin(), "red", typed)
    assert hint in told.value.hint


@pytest.mark.parametrize("text", ["", " a", "a ", ": a", "a\u0301", "a\nb", "\u202ea"])
def test_words_that_no_line_could_give_are_refused_by_their_clause(text: str) -> None:
    for bad in (Move(text=text), Record(text=text), RollDice(dice=(6,), purpose=text)):
        verdict = ENGINE.refuse(begin(), "red", bad, NOTHING_KNOWN)
        assert isinstance(verdict, Illegal)
        assert verdict.ids == ("OT-3.3",)


# --- results and views ---


def test_results_in_words() -> None:
    assert result((6,), (4,)) == "4"
    assert result((6, 6), (3, 5)) == "3 5, sum 8"
    assert result((6, 6, 10), (3, 5, 7)) == "2d6: 3 5, sum 8; d10: 7; together 15"
    assert how_often((6, 6, 6), (1, 1, 1)) == ""
    assert how_often((6,) * 6, (6, 1, 6, 3, 1, 6)) == "1x2 3x1 6x3"


def test_a_fallen_roll_is_told_with_its_label() -> None:
    state = begin()
    order(state, "roll 2d6 for attack on hill 12")
    (note,) = fall(state, 3, 5, label="roll#7")
    assert note.label == "roll#7"
    assert sentence(note, ENGINE.words) == "red rolls 2d6 for attack on hill 12: 3 5, sum 8"


def test_every_turn_has_a_bookmark() -> None:
    state = begin()
    told = order(state, "move on", "pass", "pass", "pass", "pass")
    assert [note.anchor for note in told if note.anchor] == ["T1", "T2", "T3"]


def test_the_picture_shows_this_turn_and_the_last() -> None:
    state = begin(game="Hill 12", turns="9")
    order(state, "roll 6d6+d10 for attack", "move on")
    fall(state, 1, 1, 2, 3, 3, 3, 9, label="roll#1")
    order(state, "pass", "record done", "pass", "tally red-vp 5", "roll d6 for luck")
    view = ENGINE.picture(state, "", NOTHING_KNOWN)
    grids = {grid.title: grid.rows for grid in view.grids}
    assert view.headline == "turn 2 of 9, red to act"
    assert ("wargame", "Hill 12") in view.facts
    assert grids["Dice to fall"] == (("2", "red", "d6", "luck"),)
    assert grids["Dice of this turn and the last"] == (
        ("1", "red", "roll#1", "6d6+d10", "attack", "1 1 2 3 3 3 + 9", "13 + 9", "1x2 2x1 3x3"),
    )
    assert [row[3] for row in grids["Moves and records of this turn and the last"]] == ["on", "done"]
    assert grids["Tallies"] == (("red-vp", "5"),)
    fall(state, 2)
    order(state, "pass", "pass")
    assert len(state.fallen) == 1
    assert not state.said


def test_the_picture_of_a_finished_game() -> None:
    state = begin()
    ENGINE.apply(state, Resigned("red"))
    view = ENGINE.picture(state, "blue", NOTHING_KNOWN)
    assert view.headline == "turn 1, the game is over: blue wins, the last at the table"
    assert ("left the table", "red") in view.facts


# --- what the core asks ---


def test_options_that_all_agree_to_change() -> None:
    state = begin("three")
    ENGINE.apply(state, Amended({"order": "declared", "snake": "no", "game": "a wargame", "turns": "none"}))
    order(state, "pass to green", "new turn")
    assert ENGINE.position(state)["turn"] == ("2 green",)


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ({"order": "declared", "snake": "yes"}, "snake"),
        ({"turns": "0"}, "turns"),
        ({"turns": "ten"}, "turns"),
        ({"turns": ""}, "turns"),
        ({"turns": "10000"}, "turns"),
        ({"turns": "\u0663"}, "turns"),
        ({"game": " "}, "game"),
        ({"game": "x" * 201}, "game"),
        ({"game": "a\u202eb"}, "game"),
        ({"teams": "red"}, None),
        ({"teams": "red+blue"}, None),
        ({"teams": "red+red"}, "teams"),
        ({"teams": "red+green"}, "teams"),
        ({"teams": ""}, "teams"),
        ({"turns": "12", "game": "Hill 12"}, None),
        ({"order": "declared"}, None),
    ],
)
def test_options(options: dict[str, str], wrong: str | None) -> None:
    scenario: Scenario = SCENARIOS["duel"]
    told = ENGINE.check_options(scenario, {option.name: option.default for option in scenario.options} | options)
    assert (told is None) == (wrong is None)
    assert wrong is None or wrong in str(told)


def test_seat_names_are_those_of_the_charter() -> None:
    state = ENGINE.setup(Start("duel", {}, ("allies", "axis_2"), 1, None))
    order(state, "pass")
    (ask,) = ENGINE.pending(state)
    assert isinstance(ask, Ask)
    assert (ask.seat, ask.what, ask.clause) == ("axis_2", "act", "OT-1.1")


def test_there_are_no_components() -> None:
    assert ENGINE.components(1).tables() == ()
    with pytest.raises(Trouble):
        ENGINE.components(1, Path())


def test_steps_that_cannot_happen_are_bugs() -> None:
    with pytest.raises(ValueError, match="lapses"):
        ENGINE.apply(begin(), Lapsed("red", Ask("red", "act", "OT-1.1")))


@pytest.mark.parametrize(
    ("section", "line"),
    [
        ("turn", "blue 7"),
        ("turn", "0 blue"),
        ("turn", "7 green"),
        ("seats", "green out"),
        ("seats", "red away"),
        ("counts", "orders many"),
        ("counts", "moves 3"),
        ("tallies", "red-vp"),
        ("tallies", "red vp 3"),
        ("waiting", "01 1 red 2d6"),
        ("waiting", "01 1 green 2d6 attack"),
        ("waiting", "01 1 red dice attack"),
        ("waiting", '01 1 red 2d6 a "quote"'),
        ("units", "4/IG 0822"),
    ],
)
def test_bad_lines_of_a_case_are_told(section: str, line: str) -> None:
    with pytest.raises(Trouble) as told:
        ENGINE.place(begin(), {section: [line]})
    assert section in str(told.value)
    assert told.value.hint


def test_the_readme_lists_the_orders() -> None:
    cheat_sheet = "\n".join(help_lines(READER.classes))
    assert f"checked by tests/test_open_table.py -->\n```\n{cheat_sheet}\n```\n" in README.read_text(encoding="utf-8")


# --- speed ---


def test_an_order_costs_little() -> None:
    assert min(cost(2_000) for _ in range(5)) < MICROSECONDS


def cost(orders: int) -> float:
    """Microseconds for an order judged and done, its dice, what is pending then, and the position."""
    state = begin()
    turn = (
        RollDice(dice=(6, 6), purpose="attack on hill 12"),
        Move(text="3rd Bn to 0504"),
        Record(text="red takes hill 12"),
        Tally(name="red-vp", number=3),
        Pass(),
    )
    start = time.perf_counter()
    for number in range(orders):
        seat, wanted = state.to_act, turn[number % len(turn)]
        if ENGINE.refuse(state, seat, wanted, NOTHING_KNOWN) is None:
            ENGINE.apply(state, Ordered(seat, wanted))
        first = ENGINE.pending(state)[0]
        if isinstance(first, Roll):
            ENGINE.apply(state, Rolled("roll#1", first, (3, 5)))
            ENGINE.pending(state)
        ENGINE.position(state)
    return (time.perf_counter() - start) / orders * 1_000_000
