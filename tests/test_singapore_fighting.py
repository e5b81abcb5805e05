"""Singapore (1984): the worked examples of reinforcements, sea moves, Force Z, losses, retreats, advances, landings.

Each is played through the sequence of play on the map without geography, with the dice that the example names.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pbem.api import Ask, Illegal, Order, Ordered, Roll, Rolled, silent
from rules.singapore_1984 import air, components, fighting, judging, losses, retreat, sequence
from rules.singapore_1984.components import Board, board
from rules.singapore_1984.orders import READER
from rules.singapore_1984.rows import Mode, Player, Result
from rules.singapore_1984.state import Attack, Battle, State, begin

KIT = Path(components.__file__).parent / "kits" / "plain.toml"


@pytest.fixture(scope="module")
def plain() -> Board:
    return board(components.load(folder=KIT))


def stands(plain: Board, active: Player, step: str, **units: str) -> State:
    """A position in a step of the turn; turn 2."""
    s = begin(plain, {})
    s.active, s.turn, s.step = active, 2, step
    s.phase = "reinforce" if step == "reinforce" else "move" if step == "move" else "combat"
    for id, hex in units.items():
        id = id.removeprefix("_").replace("__", "/")
        s.pieces[id].at = hex
        s.through[hex] = s.side(id)
    return s


def read(text: str) -> Order:
    (order,) = READER.read(text)
    return order


def refused(s: State, text: str) -> tuple[str, ...]:
    """By which clauses the asked seat may not order this; none where it may."""
    wrong = judging.refuse(s, asked(s), read(text))
    return wrong.ids if isinstance(wrong, Illegal) else ()


def asked(s: State) -> str:
    (ask,) = sequence.pending(s)
    assert isinstance(ask, Ask)
    return ask.seat


def give(s: State, *texts: str) -> None:
    """Orders of whoever is asked, each of them legal."""
    for text in texts:
        assert refused(s, text) == (), text
        sequence.apply(s, Ordered(asked(s), read(text)), silent)


def dice(s: State, *faces: int) -> None:
    """Dice that are asked for one by one."""
    for face in faces:
        (roll,) = sequence.pending(s)
        assert isinstance(roll, Roll), roll
        sequence.apply(s, Rolled(roll.stem, roll, (face,)), silent)


def fight(s: State, target: str, units: str, result: Result, mode: Mode = "maneuver") -> Battle:
    """An attack whose table gave this result; what follows is under way."""
    s.step = "fight"
    attack = Attack((target,), tuple(units.split()))
    b = Battle(attack, mode, die=3, result=result)
    b.defence = sum(s.face(id).defense for id in s.at(target) if s.side(id) != s.active and not s.pieces[id].late)
    b.stages = tuple(fighting.stages(s, b, result))
    s.battle = b
    sequence.run(s, silent)
    return b


def at(s: State, *units: str) -> list[str]:
    return [s.pieces[id].at for id in units]


# --- reinforcements ---


def test_reinforcements_enter_when_due_and_where_they_may(plain: Board) -> None:
    s = begin(components.board(components.load()), {})
    sequence.run(s, silent)
    assert refused(s, "place 4IG 0101") == ("5.51a",)
    s.turn = 3
    assert refused(s, "place 4IG 0401") == ("5.53",)
    assert refused(s, "place 4IG 0301") == ()
    s.pieces["6IND"].at = "0201"
    assert refused(s, "place 4IG 0201") == ("5.52c",)
    assert refused(s, "place 4IG 0301") == ()  # in the zone of 6IND [5.52c]
    give(s, "place 4IG 0301")
    assert s.pieces["4IG"].at == "0301"


def test_commonwealth_reinforcements_land_in_singapore() -> None:
    s = begin(components.board(components.load()), {})
    s.active, s.turn, s.step = "cw", 4, "reinforce"
    assert refused(s, "place 45IND 1825") == ("5.54a",)
    assert refused(s, "place 45IND 1826") == ()


# --- the sea ---


def test_limits_of_the_east_coast(plain: Board) -> None:
    s = stands(plain, "jp", "move", TJ1="0302", TT1="0302")
    s.at_start["0602"] = s.control["0602"] = "jp"
    s.used.update({"east-infantry": 4, "east-armor": 1})
    assert refused(s, "sea TJ1 from 0302 to 0602") == ("6.11a", "R75")
    assert refused(s, "sea TT1 from 0302 to 0602") == ()
    s.used["east-armor"] = 2
    assert refused(s, "sea TT1 from 0302 to 0602") == ("6.11a", "R75")


def test_a_port_taken_this_turn_is_no_harbour(plain: Board) -> None:
    s = stands(plain, "jp", "move", TJ1="0302", TJ2="1616")
    s.control["1616"] = "jp"
    assert refused(s, "sea TJ1 from 0302 to 1616") == ("6.0PRd",)
    s.at_start["1616"] = "jp"
    assert refused(s, "sea TJ1 from 0302 to 1616") == ()
    assert refused(s, "sea TJ2 from 0302 to 1616") == ("6.0PRa",)


def test_a_landing_at_an_empty_port(plain: Board) -> None:
    s = stands(plain, "jp", "move", TJ1="0302", TT1="0302", TB1="1617")
    assert refused(s, "land TT1 from 0302 to 1616") == ("5.23", "6.0PRd", "R26")
    give(s, "land TJ1 from 0302 to 1616", "no intercept")
    assert (at(s, "TJ1"), s.control["1616"]) == (["1616"], "jp")
    assert refused(s, "move TJ1 1615") == ("5.16",)


def test_a_landing_at_a_held_port_must_be_fought(plain: Board) -> None:
    s = stands(plain, "jp", "move", TJ1="0302", TB1="1510")
    assert refused(s, "land TJ1 from 0302 to 1510") == ("6.14",)
    assert refused(s, "assault TJ1 from 0302 to 1510 at 1410") == ("6.14",)
    give(s, "assault TJ1 from 0302 to 1510 at 1610", "no intercept")
    assert at(s, "TJ1") == ["1610"]
    give(s, "end")
    assert refused(s, "end") == ("9.11b",)
    give(s, "attack 1510 from TJ1", "end")
    assert refused(s, "resolve 1510 mode assault") == ()  # the mode of a landing is free


def test_the_west_coast_waits_for_penang(plain: Board) -> None:
    s = stands(plain, "jp", "move", TJ1="0109", TJ2="0214", TJ3="0302")
    for port in ("0109", "0214", "0415"):
        s.control[port] = s.at_start[port] = "jp"
    assert refused(s, "sea TJ1 from 0109 to 0415") == ("6.21", "6.23a")
    s.shipping, s.penang_turn, s.turn = "intact", 2, 3
    assert refused(s, "sea TJ1 from 0109 to 0415") == ("6.24",)
    s.turn = 4
    give(s, "sea TJ1 from 0109 to 0415")
    assert refused(s, "sea TJ2 from 0214 to 0415") == ("6.24",)
    assert refused(s, "sea TJ3 from 0302 to 0415") == ("6.25",)


@pytest.mark.parametrize(
    ("fought", "die", "shipping", "points"),
    [(False, 3, "intact", 25), (False, 5, "intact", 25), (False, 6, "destroyed", 0), (True, 5, "destroyed", 0)],
)
def test_the_shipping_of_penang(plain: Board, fought: bool, die: int, shipping: str, points: int) -> None:
    s = stands(plain, "jp", "move", TJ1="0208")
    s.penang_fought = fought
    give(s, "move TJ1 0109")
    dice(s, die)
    assert (s.shipping, s.points) == (shipping, points)


# --- Force Z ---


def test_force_z_hits_and_is_sunk(plain: Board) -> None:
    s = stands(plain, "jp", "move", TJ1="0302", TJ2="0302")
    give(s, "land TJ1 from 0302 to 1616", "intercept landing 1616")
    dice(s, 3, 6)  # 1 to 4 find it at Kuantan; a six does nothing
    give(s, "airz no")
    dice(s, 5)
    assert (s.forcez, s.points, at(s, "TJ1")) == ("destroyed", 50, ["1616"])
    assert s.closed == ("landing 1616",)
    s.control["1616"] = "cw"
    s.pieces["TJ1"].at = "dead"
    assert refused(s, "land TJ2 from 0302 to 1616") == ("6.43b",)


@pytest.mark.parametrize(("use", "forcez", "spent"), [("no", "alive", 0), ("yes", "destroyed", 8)])
def test_force_z_misses(plain: Board, use: str, forcez: str, spent: int) -> None:
    s = stands(plain, "jp", "move", TJ1="0302")
    give(s, "land TJ1 from 0302 to 1616", "intercept landing 1616")
    dice(s, 5)  # not listed at Kuantan
    give(s, f"airz {use}")
    dice(s, 5)  # a six sinks it now, with eight air points a five
    assert (s.forcez, s.used.get("air-jp", 0), at(s, "TJ1")) == (forcez, spent, ["1616"])


def test_eight_air_points_must_be_there(plain: Board) -> None:
    s = stands(plain, "jp", "move", TJ1="0302")
    s.used["air-jp"] = 3  # seven of ten are left
    give(s, "land TJ1 from 0302 to 1616", "intercept landing 1616")
    dice(s, 5)
    dice(s, 6)  # nothing is asked between the two
    assert s.forcez == "destroyed"


@pytest.mark.parametrize(
    ("die", "place", "reduced"),
    [
        (1, "dead", False),
        (3, "0302", True),
        (4, "1616", True),
        (5, "0302", False),
        (6, "1616", False),
    ],
)
def test_what_force_z_does(plain: Board, die: int, place: str, reduced: bool) -> None:
    s = stands(plain, "jp", "move", TJ1="0302")
    s.used["air-jp"] = 10
    give(s, "land TJ1 from 0302 to 1616", "intercept landing 1616")
    dice(s, 1, die, 1)
    assert (at(s, "TJ1"), s.pieces["TJ1"].reduced) == ([place], reduced)


def test_a_port_that_was_passed_stays_passed(plain: Board) -> None:
    s = stands(plain, "jp", "move", TJ1="0302", TJ2="0302", TJ3="0602")
    give(s, "land TJ1 from 0302 to 1616", "no intercept", "land TJ2 from 0302 to 1510")
    assert refused(s, "intercept leaving 0302") == ("6.42a",)
    assert refused(s, "intercept landing 1510") == ()
    assert refused(s, "intercept landing 0719") == ("6.41c",)
    give(s, "no intercept")
    s.control["1616"] = "cw"
    s.pieces["TJ1"].at = "dead"
    give(s, "land TJ3 from 0602 to 1616")
    assert refused(s, "intercept landing 1616") == ("6.43a",)
    assert refused(s, "intercept leaving 0602") == ()


# --- losses ---


@pytest.mark.parametrize(("points", "left"), [(1, "reduced"), (5, "reduced"), (6, "dead"), (8, "dead")])
def test_the_printed_example_of_losses(plain: Board, points: int, left: str) -> None:
    # 16AUS, 8-6-6 / 3-4-6, attacks and loses strength: its first step is worth five
    s = stands(plain, "cw", "fight", _16AUS="0810")
    b = Battle(Attack(("0809",), ("16AUS",)), "maneuver", result="EX", stages=(f"lose cw {points}",))
    s.battle = b
    sequence.run(s, silent)
    assert ("dead" if s.pieces["16AUS"].at == "dead" else "reduced" if s.pieces["16AUS"].reduced else "full") == left


def test_an_exchange(plain: Board) -> None:
    # TB2 defends with 7 and dies (12 points); the attackers lose at least 7 of 18
    s = stands(plain, "jp", "fight", TJ1="0809", TJ3="0711", TB2="0810")
    fight(s, "0810", "TJ1 TJ3", "EX")
    assert (at(s, "TB2"), s.points) == (["dead"], 12)
    give(s, "lose TJ1")  # 5
    assert asked(s) == "jp"
    assert refused(s, "lose TJ2") == ("9.52b", "9.5-AX")
    give(s, "lose TJ3")  # 5 + 4
    assert (s.pieces["TJ1"].reduced, s.pieces["TJ3"].reduced) == (True, True)
    assert s.battle is not None
    assert s.battle.stages[0] == "advance"


def test_one_unit_may_bear_an_exchange_alone(plain: Board) -> None:
    s = stands(plain, "jp", "fight", TJ1="0809", TJ3="0711", TB2="0810")
    fight(s, "0810", "TJ1 TJ3", "EX")
    give(s, "lose TJ3", "lose TJ3")  # 4 + 4
    assert (at(s, "TJ3"), s.pieces["TJ1"].reduced) == (["dead"], False)


# --- retreats ---


def test_the_way_of_a_retreat(plain: Board) -> None:
    # nearer to 1826: 0811 and 0911; the others are not; 0910 lies in the zone of TJ1
    s = stands(plain, "jp", "fight", TB1="0810", TJ1="0809")
    assert [plain.distance(hex, "1826") for hex in ("0810", "0911", "0811", "0910", "0711", "0710")] == [
        *(21, 20, 20, 21, 21, 22),
    ]
    fight(s, "0810", "TJ1", "D1")
    assert refused(s, "retreat TB1 0811") == ()
    assert refused(s, "retreat TB1 0911") == ()  # as near and as cheap here
    assert refused(s, "retreat TB1 0711") == ("9.53a", "9.53b", "R39")
    assert refused(s, "retreat TB1 0910") == ("9.53a", "9.53b", "R39")


def test_the_cheaper_of_two_ways(plain: Board) -> None:
    # 1204 and 1205 are jungle: from 1104, 1105 and 1204 are as near to 1826, 1105 is cheaper
    s = stands(plain, "jp", "fight", TB1="1104", TJ1="1103")
    assert plain.distance("1105", "1826") == plain.distance("1204", "1826")
    assert retreat.ways(s, "TB1", 1, ("TB1",)).paths == (("1105",),)


def test_a_retreat_that_is_partly_blocked(plain: Board) -> None:
    s = stands(plain, "jp", "fight", TB1="0810", TJ1="0809", TJ2="1011", TJ3="0611", TJ4="0813")
    fight(s, "0810", "TJ1", "D2")  # only 0811 is open, and nothing from there
    assert (at(s, "TB1"), s.pieces["TB1"].reduced) == (["0811"], True)
    s = stands(plain, "jp", "fight", TB1="0810", TJ1="0809", TJ2="1011", TJ3="0611", TJ4="0813")
    fight(s, "0810", "TJ1", "D3")  # two hexes are missing
    assert at(s, "TB1") == ["dead"]


SHUT = {"TJ1": "0809", "TJ2": "1011", "TJ3": "0611", "TJ4": "0812"}


def test_a_stack_without_a_way_loses_steps(plain: Board) -> None:
    for orders, left in (
        (("lose TB1", "lose TB2"), (("0810", True), ("0810", True))),
        (("lose TB1", "lose TB1"), (("dead", True), ("0810", False))),
    ):
        s = stands(plain, "jp", "fight", TB1="0810", TB2="0810", **SHUT)
        fight(s, "0810", "TJ1", "D2")
        give(s, orders[0])
        assert asked(s) == "cw"  # one step is not enough
        give(s, orders[1])
        assert s.battle is None or s.battle.stages[0] == "advance"
        assert tuple((s.pieces[id].at, s.pieces[id].reduced) for id in ("TB1", "TB2")) == left


def test_the_last_units_before_singapore_cross_over(plain: Board) -> None:
    around = {"TJ1": "1824", "TJ2": "1725", "TJ3": "1925", "TJ4": "1726", "TJ5": "1926"}
    s = stands(plain, "jp", "fight", TB1="1825", TB2="1825", **around)
    fight(s, "1825", "TJ1", "D3")
    assert at(s, "TB1", "TB2") == ["1826", "1826"]
    assert not s.pieces["TB1"].reduced
    s = stands(plain, "jp", "fight", TB1="1825", **around)
    s.assault = 2
    fight(s, "1825", "TJ1", "D2")
    assert at(s, "TB1") == ["dead"]


def test_evacuation_by_sea(plain: Board) -> None:
    # TB1 and TB2 in Kuantan, shut in
    shut = {"TJ1": "1615", "TJ2": "1715", "TJ3": "1617", "TJ4": "1516"}
    s = stands(plain, "jp", "fight", TB1="1616", TB2="1616", **shut)
    fight(s, "1616", "TJ1", "D2")
    assert refused(s, "evacuate TB1 to 1822") == ("9.59d", "9.59e")
    give(s, "evacuate TB1 to 1826")
    assert (at(s, "TB1", "TB2"), s.pieces["TB1"].reduced, s.pieces["TB2"].reduced) == (["1826", "1616"], True, False)
    s = stands(plain, "jp", "fight", TB2="1616", **shut)
    s.used["evacuated-cw"] = 1
    fight(s, "1616", "TJ1", "D2")
    assert at(s, "TB2") == ["dead"]  # no second evacuation in a turn


def test_a_friend_makes_room(plain: Board) -> None:
    three = {"TJ1": "0809", "TJ2": "1011", "TJ3": "0611"}
    full = {"TB2": "0811", "TB3": "0811", "TB4": "0811", "TS1": "0811"}
    s = stands(plain, "jp", "fight", TB1="0810", **three, **full)
    fight(s, "0810", "TJ1", "D1")
    assert refused(s, "retreat TB1 0811") == ("9.57a", "9.57b")
    give(s, "displace TB4 0812")  # then there is one way
    assert (s.stack("0811"), at(s, "TB4", "TB1")) == (10, ["0812", "0811"])
    s = stands(plain, "jp", "fight", TB1="0810", TJ4="0813", **three, **full)
    fight(s, "0810", "TJ1", "D1")  # nobody can be displaced
    assert (at(s, "TB1"), s.pieces["TB1"].reduced, s.pieces["TB2"].reduced) == (["0810"], True, False)


def test_late_units_do_not_fight_and_die_with_the_others(plain: Board) -> None:
    s = stands(plain, "jp", "fight", TB1="0811", TB2="0811", TJ3="0810", TJ4="0912")
    s.pieces["TB1"].late = True
    b = fight(s, "0811", "TJ3 TJ4", "EX")
    assert b.defence == 7
    assert at(s, "TB1", "TB2") == ["dead", "dead"]
    give(s, "lose TJ3", "lose TJ4")  # 4 + 4
    assert s.battle is not None
    assert s.battle.stages[0] == "advance"


# --- advances ---


def test_an_advance_follows_the_retreat(plain: Board) -> None:
    s = stands(plain, "jp", "fight", TB1="0810", TJ1="0809", TT1="0910")
    fight(s, "0810", "TJ1 TT1", "D2")
    give(s, "retreat TB1 0811-0812")
    assert refused(s, "advance TJ1 0812") == ("9.61a", "9.62a")
    assert refused(s, "advance TT1 0811") == ("9.63", "9.23")
    assert refused(s, "advance TT1 0810") == ()  # by the road over the river
    give(s, "advance TJ1 0811", "hold")
    assert (at(s, "TJ1"), s.through["0810"], s.battle) == (["0811"], "jp", None)


def test_security_units_do_not_advance(plain: Board) -> None:
    s = stands(plain, "cw", "fight", TJ1="0810", TS1="0809", TB1="0711")
    fight(s, "0810", "TS1 TB1", "DE")
    assert refused(s, "advance TS1 0810") == ("9.65",)
    give(s, "advance TB1 0810")
    assert s.battle is None


# --- landings that fail ---


@pytest.mark.parametrize(
    ("result", "orders", "left"),
    [
        ("A1", ("lose TJ1", "lose TJ2"), [("1610", True), ("1610", True)]),
        ("BR", ("lose TJ1", "lose TJ1"), [("dead", True), ("1610", False)]),
    ],
)
def test_a_landing_that_is_repelled(
    plain: Board, result: Result, orders: Sequence[str], left: list[tuple[str, bool]]
) -> None:
    s = stands(plain, "jp", "fight", TB1="1510", TJ1="1610", TJ2="1610")
    for id in ("TJ1", "TJ2"):
        s.pieces[id].origin, s.pieces[id].port = "0302", "1510"
    fight(s, "1510", "TJ1 TJ2", result)
    if asked(s) == "cw":  # the defender falls back first
        give(s, next(f"retreat TB1 {'-'.join(path)}" for path in retreat.ways(s, "TB1", 1, ("TB1",)).paths))
    give(s, *orders)
    assert [(s.pieces[id].at, s.pieces[id].reduced) for id in ("TJ1", "TJ2")] == left
    alive = next(id for id in ("TJ2", "TJ1") if s.pieces[id].at != "dead")
    assert refused(s, f"return {alive} to 0602") == ("9.72d", "R72")
    give(s, f"return {alive} to 0302")
    assert s.pieces[alive].at == "0302"


def test_a_landing_that_loses_four_steps_is_gone(plain: Board) -> None:
    s = stands(plain, "jp", "fight", TB1="1510", TJ1="1610", TJ2="1610")
    for id in ("TJ1", "TJ2"):
        s.pieces[id].origin, s.pieces[id].port = "0302", "1510"
    fight(s, "1510", "TJ1 TJ2", "A2")
    while s.battle is not None and s.battle.stages:
        give(s, f"lose {losses.losers(s, s.battle)[0]}")
    assert at(s, "TJ1", "TJ2") == ["dead", "dead"]


# --- air points ---


def test_air_points_by_base_and_range(plain: Board) -> None:
    s = stands(plain, "jp", "declare", TJ1="1106")
    s.turn, s.control["1106"], s.captured["1106"] = 5, "jp", 4
    s.control["1207"], s.captured["1207"] = "jp", 5
    s.through.update({"1106": "jp"})
    assert air.bases(s, "jp") == ("1106",)  # 1207 was taken this turn [9.82a]
    assert plain.distance("1106", "1822") == 20
    assert air.allot(s, "jp", ("1822",), 6) == {"1106": 6}
    assert air.allot(s, "jp", ("1823",), 1) is None  # 21 hexes, and the north too far
    assert s.board.air[5] == 6
    assert air.allot(s, "jp", ("1822",), 7) is None
    air.spend(s, "jp", {"1106": 6})
    assert air.left(s, "jp") == 0


def test_the_base_beyond_the_north_edge(plain: Board) -> None:
    s = stands(plain, "jp", "declare")
    assert air.bases(s, "jp") == ()
    assert air.allot(s, "jp", ("0816",), 10) == {"north": 10}  # 16 + 4 hexes
    assert air.allot(s, "jp", ("0817",), 1) is None


# --- whole turns ---


def test_a_turn_runs_through_its_phases(plain: Board) -> None:
    s = begin(plain, {})
    sequence.run(s, silent)
    seen = []
    while s.turn == 1:
        (ask,) = sequence.pending(s)
        assert isinstance(ask, Ask)
        seen.append((ask.seat, ask.what))
        give(s, "end")
    assert seen == [
        *(("jp", "reinforce"), ("jp", "move"), ("jp", "attack")),
        *(("cw", "reinforce"), ("cw", "move"), ("cw", "attack")),
    ]


def test_units_out_of_supply_roll_when_their_side_moves(plain: Board) -> None:
    s = stands(plain, "cw", "reinforce", TB1="0505")
    for id in s.pieces:
        if s.pieces[id].at == "pool":
            s.pieces[id].at = "dead"
    sequence.run(s, silent)
    (roll,) = sequence.pending(s)
    assert isinstance(roll, Roll)
    assert roll.stem == "t2/attrition/TB1"
    dice(s, 5)
    assert (s.pieces["TB1"].reduced, s.points) == (True, 6)


def test_the_last_turn_ends_the_game(plain: Board) -> None:
    s = stands(plain, "cw", "declare")
    s.turn = 26
    give(s, "end")
    assert s.result == ("cw", "cw-decisive", "12.12b")
    assert s.account == {"singapore-held": -50}


def test_nobody_orders_out_of_turn(plain: Board) -> None:
    s = stands(plain, "jp", "move", TJ1="0302", TB1="1616")
    wrong = judging.refuse(s, "cw", read("move TB1 1615"))
    assert isinstance(wrong, Illegal)
    assert wrong.ids == ("4.0GR",)
    assert refused(s, "attack 1616 from TJ1") == ("4.0GR",)
    assert refused(s, "withdraw TB1 from 1616") == ("6.31",)
