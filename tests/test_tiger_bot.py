"""The bot of Tiger of Malaya in a few positions: what an attack is worth to it, when it goes back, what it blows up."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from pbem import simulate
from pbem.api import Ask, Known, Order, Roll
from pbem.author import trial_values
from pbem.simulate import Job
from rules.tiger_of_malaya import ENGINE, bot, bot_battle
from rules.tiger_of_malaya.orders import Attack, Blow, Done, Harass, Lose, Move, Repair
from rules.tiger_of_malaya.state import ALLIES, JAPAN, Battle, Loss, State

NOBODY: Known = {}
IMPULSE = ["number 1", "impulses 6", "phase act", "slot -"]


def position(scenario: str, units: list[str], *turn: str, **more: list[str]) -> State:
    """A position of these units; who stands where says who holds what around."""
    s: State = simulate.begin(Job("tiger-of-malaya", scenario)).state
    ENGINE.place(s, {"turn": [*IMPULSE, *turn], "cup": ["in 11 allies-move-1"], "units": units, **more})
    return s


def advised(s: State) -> Order:
    first = ENGINE.pending(s)[0]
    assert isinstance(first, Ask)
    order = bot.advise(s, first, NOBODY)
    assert ENGINE.refuse(s, first.seat, order, NOBODY) is None
    return order


def attacking(*units: str) -> State:
    return position("muar", list(units), "turn 2", "active japan", "chit attack", "plan declare fight finish")


def test_what_an_attack_is_worth() -> None:
    """7 and 7 against 4 in the open are 3:1: 1/-, 2/1, -/-, -/1, 1/1, 1/2 take five steps of each side. [9.3.G]"""
    s = attacking("I/4G 0514 level 0", "II/4G 0514 level 0", "5/18G 0515 level 0")
    assert bot_battle.worth(s, Battle("0515", JAPAN, ("I/4G", "II/4G")), (), ()) == 5 - 5
    # alone it is 1:1: 2/-, 2/-, 1/-, 2/1, -/-, 1/1
    assert bot_battle.worth(s, Battle("0515", JAPAN, ("I/4G",)), (), ()) == 2 - 8


def test_japan_attacks_at_three_to_one_in_the_open_and_not_at_one_to_one() -> None:
    strong = attacking("I/4G 0514 level 0", "II/4G 0514 level 0", "5/18G 0515 level 0")
    assert advised(strong) == Attack(hex="0515", units=("I/4G", "II/4G"))
    assert advised(attacking("I/4G 0514 level 0", "5/18G 0515 level 0")) == Done()


def test_a_weak_stack_goes_back_towards_singapore_before_it_is_lost() -> None:
    """1-2-7 beside three battalions with 21 points of attack, more than three for one of defence."""
    s = position(
        "muar",
        ["7/6R 0515 level 1 left 7", "HQ-45I 0718 level 0"]
        + [f"{id} 0414 level 0" for id in ("I/4G", "II/4G", "III/4G")],
        *("turn 2", "active allies", "chit move", "plan move finish"),
    )
    ENGINE.place(
        s, {"units": [line if "7/6R" not in line else f"{line} left 7" for line in ENGINE.position(s)["units"]]}
    )
    order = advised(s)
    assert isinstance(order, Move)
    assert order.units == ("7/6R",)
    assert s.board.grid.distance(order.path[-1], "0414") > s.board.grid.distance("0515", "0414")


def test_a_strong_stack_stays() -> None:
    """4, 4 and 8 of an Australian battalion against one battalion of 7 across open ground."""
    s = position(
        "muar",
        ["2/29A 1124 level 0", "2/19A 1124 level 0", "HQ-8A 1124 level 0", "I/4G 1123 level 0"],
        *("turn 2", "active allies", "chit move", "plan move finish"),
    )
    assert advised(s) == Done()


BRIDGE = "0820/0821"


def at_the_bridge(*units: str) -> State:
    return position("northern-johore", list(units), "turn 2", "active allies", "chit full", "plan prepare move finish")


def test_the_allies_blow_a_bridge_when_the_enemy_comes_and_nobody_is_left_beyond_it() -> None:
    near, beyond = "6N 0821 level 0", "I/41 0818 level 0"
    assert BRIDGE in at_the_bridge(near, beyond).board.bridges
    assert advised(at_the_bridge(near, beyond)) == Blow(bridge=BRIDGE, units=("6N",))
    assert not isinstance(advised(at_the_bridge(near, "I/41 0808 level 0")), Blow)
    assert not isinstance(advised(at_the_bridge(near, beyond, "5N 0820 level 0")), Blow)


def test_engineers_repair_the_bridge_they_stand_at() -> None:
    s = position(
        "northern-johore",
        ["5-Eng-a 0820 level 0", "I/41 0821 level 0", "5N 0650 level 0"],
        *("turn 2", "active japan", "chit move", "plan finish"),
        markers=[f"down {BRIDGE}"],
        control=["08 0820 0821"],
    )
    assert advised(s) == Repair(bridge=BRIDGE, units=("5-Eng-a",))


def test_an_aircraft_that_harasses_stays_where_it_is() -> None:
    """It is sent out once, over the road behind an Allied stack, and not moved to and fro."""
    units = ["I/4G 0514 level 0", "5/18G 0515 level 0"]
    turn = ("turn 2", "active japan", "chit move", "plan prepare move finish")
    s = position("muar", units, *turn, markers=["plane A1 ready", "plane A3 ready"])
    order = advised(s)
    assert isinstance(order, Harass)
    assert order.plane == "A3", "the aircraft with the smaller modifier"
    out = position("muar", units, *turn, markers=["plane A1 ready", f"plane A3 over:{order.hex}"])
    assert not isinstance(advised(out), Harass)


def test_losses_fall_where_they_mean_least() -> None:
    """A full battalion of 7-6 is 4-4 after a step: five points; the last of engineers are four and a skill."""
    s = attacking("I/4G 0514 level 0", "G-Eng-a 0514 level 0", "5/18G 0515 level 0")
    assert bot_battle.lose(s, Loss(JAPAN, ("G-Eng-a", "I/4G"), 1, "attack", "0515")) == Lose(units=("I/4G",))


def test_a_headquarters_is_lost_last() -> None:
    s = attacking("I/4G 0514 level 0", "5/18G 0515 level 1", "HQ-45I 0515 level 0")
    assert bot_battle.lose(s, Loss(ALLIES, ("5/18G", "HQ-45I"), 1, "defence", "0515")) == Lose(units=("5/18G",))


@pytest.mark.parametrize("options", [{}, {"opt_13_1": "on", "opt_13_2": "on", "opt_13_3": "on", "opt_13_4": "on"}])
def test_both_sides_use_what_they_have(options: dict[str, str]) -> None:
    """A game of northern Johore: battles, arrivals, forts, bridges, guns; no stack is thrown away for lack of room."""
    world = simulate.begin(Job("tiger-of-malaya", "northern-johore", tuple(options.items())))
    rng = Random("northern Johore")
    while (first := world.waits()) is not None:
        if isinstance(first, Roll):
            world.roll(first, trial_values(first, rng))
        elif first.client is not None:
            world.client(first, rng)
        else:
            world.answer(first, bot.advise(world.state, first, world.known(first.seat)))
        assert world.orders < 2000
    told = Counter(note.stem for note in world.told)
    assert told.keys() >= {"battle", "advanced", "retreated", "entered", "fort", "recovered", "support", "replaced"}
    assert told.keys() & {"bridge.down", "bridge.stands"}
    assert told.keys() & {"bridge.repaired", "bridge.broken"}
    assert told["discarded"] < 5
    assert ENGINE.outcome(world.state) is not None
