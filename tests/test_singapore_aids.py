"""Singapore (1984): odds before a move, strengths and points for statistics, positions as cases."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from pbem import cases, simulate
from pbem.api import NOTHING_KNOWN, Ask, Foretells, Musters, Ordered, Roll, Rolled, Scores
from pbem.cases import Case, Expect, Given
from pbem.odds import reckon
from pbem.simulate import Job
from pbem.world import World
from rules.singapore_1984 import ENGINE, sequence
from rules.singapore_1984.state import State

GAME = "singapore-1984"


def world(**sections: list[str]) -> World:
    """A position of the historical game."""
    found = simulate.begin(Job(GAME, "campaign"))
    ENGINE.place(found.state, sections)
    return found


def test_the_odds_of_an_attack() -> None:
    # 10 against 3 in the plantation 0107, row 3: +7 is the eighth column, A1 A1 BR BR D1 D1 for a die of 1 to 6. The
    # brigade has a road to Singapore, the regiment one to 0101: no modifiers.
    found = reckon(
        world(
            turn=["turn 2", "active jp", "phase combat", "step declare"],
            units=["11/5 0106", "12IND 0107 reduced"],
            through=["jp 01 0101 0104 0105 0106", "jp 02 0201 0202 0203"],
        ),
        "jp",
        ["attack 0107 from 11/5", "end"],
    )
    assert found.exact
    assert found.ways == 6
    assert {one.told: one.share for one in found.outcomes} == {(r,): Fraction(2, 6) for r in ("A1", "BR", "D1")}


def test_passing_adds_nothing() -> None:
    engine: object = ENGINE
    assert isinstance(engine, Foretells)
    state = world().state
    for what, said in (("defend", "end"), ("intercept", "no intercept"), ("airz", "airz no")):
        assert str(engine.passive(state, Ask("cw", what, "9.1P-1b"))) == said
    assert engine.passive(state, Ask("jp", "move", "4.0-1B")) is None
    assert set(engine.gist) <= set(ENGINE.words)


def test_strength_and_points() -> None:
    engine: object = ENGINE
    assert isinstance(engine, Musters)
    assert isinstance(engine, Scores)
    found = world(units=["11/5 0106", "12IND 0107 reduced", "6IND 0205", "45IND pool"], turn=["points 25"])
    # 10 and 7; 1 and 3, 4 and 5; who is not on a map does not count
    assert engine.strength(found.state) == {"jp": 17, "cw": 4 + 9}
    assert engine.points(found.state) == {"jp": 25}


@pytest.mark.parametrize("seed", range(3))
def test_a_position_is_a_case(seed: int) -> None:
    """What `pbem show --as-case` prints: the sections of a position, and what it waits for."""
    rng = random.Random(seed)
    state: State = world().state
    tried = 0
    for number in range(240):
        waits = ENGINE.pending(state)
        if not waits:
            break
        if number % 40 == 39:
            sections = {name: list(lines) for name, lines in ENGINE.position(state).items()}
            case = Case(
                game=GAME,
                id=f"after-{number}",
                clauses=["2.1c"],
                gist="a position of a game",
                given=Given(set=sections),
                expect=Expect(set=sections, pending=[cases.ask(one) for one in waits]),
            )
            assert cases.run(case, ENGINE) == []
            tried += 1
        first = waits[0]
        if isinstance(first, Roll):
            sequence.apply(state, Rolled(first.stem, first, (rng.randint(1, 6),)), lambda note: None)
        else:
            order = ENGINE.sample(state, first, NOTHING_KNOWN, rng)
            ENGINE.apply(state, Ordered(first.seat, order))
    assert tried >= 3
