"""Singapore (1984): the worked examples of zones, marches, rails, stacking, attacks, supply and points.

On a map without geography, so that nothing here depends on reconstructed ground.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from pbem.api import Illegal, silent
from rules.singapore_1984 import combat, components, movement, stacking, supply, victory, zones
from rules.singapore_1984.components import Board, board
from rules.singapore_1984.orders import READER
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import Attack, State, begin

KIT = Path(components.__file__).parent / "kits" / "plain.toml"


@pytest.fixture(scope="module")
def plain() -> Board:
    return board(components.load(folder=KIT))


def stands(plain: Board, active: Player, **units: str) -> State:
    """A position: units by hex, all full and in supply, everything else off the map."""
    s = begin(plain, {})
    s.active, s.turn = active, 2
    for id, hex in units.items():
        s.pieces[f"{id[1:]}" if id.startswith("_") else id].at = hex
    return s


def ids(found: Illegal | None) -> tuple[str, ...]:
    """By which clauses it is refused; none where it is allowed."""
    return found.ids if isinstance(found, Illegal) else ()


def walk(s: State, unit: str, path: str) -> tuple[str, ...]:
    """By which clauses a march is refused."""
    return ids(movement.refuse_walk(s, unit, path.split("-"), s.face(unit).allowance))


# --- movement ---


def test_a_mountain_across_a_river_is_too_dear(plain: Board) -> None:
    s = stands(plain, "cw", _6IND="1303")
    assert walk(s, "6IND", "1304") == ("5.26",)  # 6 + 1 of 6
    assert walk(stands(plain, "cw", _6IND="1305"), "6IND", "1304") == ()  # 6 of 6


def test_a_road_bridges_a_river(plain: Board) -> None:
    assert plain.step("1002", "1003", "cw") == 1
    assert plain.step("1303", "1304", "jp") == 5 + 1


def test_a_railroad_costs_two_a_hex_on_foot(plain: Board) -> None:
    s = stands(plain, "cw", TB1="0101")
    assert walk(s, "TB1", "0102-0103-0104") == ()
    assert walk(s, "TB1", "0102-0103-0104-0105") == ("5.14",)


def test_armor_keeps_to_the_roads(plain: Board) -> None:
    s = stands(plain, "jp", TT1="1001", TB1="1101")
    assert walk(s, "TT1", "1002") == ()
    assert walk(s, "TT1", "0901") == ("5.23",)
    assert ids(combat.refuse_attack(s, ["1101"], ["TT1"])) == ("9.23",)


def test_a_unit_stops_in_an_enemy_zone(plain: Board) -> None:
    s = stands(plain, "cw", TJ1="0809", TB1="1011")
    assert walk(s, "TB1", "1010-0910") == ()
    assert walk(s, "TB1", "1010-0910-0911") == ("8.11",)
    assert walk(s, "TB1", "1010-0910-0811") == ("5.0PR",)


def test_a_unit_leaves_a_zone_into_the_open_only(plain: Board) -> None:
    s = stands(plain, "cw", TJ1="0809", TJ2="0812", TB1="0810")
    assert walk(s, "TB1", "0910") == ("8.12",)
    assert walk(s, "TB1", "0711-0712") == ()


def test_nobody_walks_into_an_enemy_or_the_island(plain: Board) -> None:
    s = stands(plain, "jp", TJ1="1825", TB1="1826", TB2="1724")
    assert walk(s, "TJ1", "1826") == ("5.13",)
    s.pieces["TB1"].at = "pool"
    assert walk(s, "TJ1", "1826") == ("R22", "11.0a")
    assert walk(s, "TJ1", "1724") == ("5.0PR",)


# --- zones ---


def test_terrain_and_zones(plain: Board) -> None:
    # 1204 is jungle: Japan's zone enters it, the Commonwealth's does not; 1304 is a mountain: neither
    s = stands(plain, "jp", TB1="1203", TJ1="1104")
    assert "1204" not in zones.zone(s, "cw")
    assert "1204" in zones.zone(s, "jp")
    s = stands(plain, "jp", TB1="1303", TJ1="1305")
    assert "1304" not in zones.zone(s, "cw") | zones.zone(s, "jp")


def test_units_without_a_zone(plain: Board) -> None:
    s = stands(plain, "jp", TS1="0305", TT1="0805", _3IG="1305", TB1="0512")
    s.pieces["TB1"].oos = True
    assert zones.zone(s, "cw") == frozenset()
    assert zones.zone(s, "jp") == frozenset()
    s.pieces["TB1"].oos = False
    assert len(zones.zone(s, "cw")) == 6


def test_no_zone_and_no_fight_between_the_island_and_the_mainland(plain: Board) -> None:
    s = stands(plain, "jp", TJ1="1825", TB1="1826")
    assert "1826" not in zones.zone(s, "jp")
    assert "1825" not in zones.zone(s, "cw")
    assert ids(combat.refuse_attack(s, ["1826"], ["TJ1"])) == ("9.25",)


# --- rail ---


def test_japan_has_no_railroad_on_the_first_turn(plain: Board) -> None:
    s = stands(plain, "jp", TJ1="0101")
    s.through["0101"] = "jp"
    assert ids(movement.refuse_rail(s, "TJ1", ["0102"])) == ("5.45b", "R76")
    s.through.update(dict.fromkeys(("0102", "0103"), "jp"))
    assert ids(movement.refuse_rail(s, "TJ1", ["0102", "0103"])) == ()


def test_one_unit_a_turn_leaves_a_zone_by_rail(plain: Board) -> None:
    s = stands(plain, "cw", TB1="1722", TB2="1724", TJ1="1721")
    assert ids(movement.refuse_rail(s, "TB1", ["1723", "1724"])) == ()
    s.used["rail-cw"] = 1
    assert ids(movement.refuse_rail(s, "TB2", ["1725"])) == ("5.41",)
    s.used.clear()
    s.pieces["TJ2"].at = "1623"  # 1723 and 1724 lie in its zone
    assert ids(movement.refuse_rail(s, "TB1", ["1723"])) == ("8.12", "R18")


def test_a_train_stops_where_the_enemy_watches(plain: Board) -> None:
    s = stands(plain, "cw", TB1="1825", TJ1="1622")
    assert {"1723"} == {"1722", "1723", "1724", "1725"} & zones.zone(s, "jp") - {"1722"}
    assert ids(movement.refuse_rail(s, "TB1", ["1725", "1724", "1723"])) == ()
    assert ids(movement.refuse_rail(s, "TB1", ["1725", "1724", "1723", "1722"])) in (("8.12", "R18"), ("5.43b", "8.11"))


# --- stacking ---


@pytest.mark.parametrize(
    ("units", "reduced", "points"),
    [
        ("TB1 TB2 TB3 TS1", "", 10),
        ("TB1 TB2 TB3 TS1 TA", "", 10),
        ("TB1 TB2 TB3 TB4", "", 12),
        ("TB1 TB2 TB3 TB4", "TB4", 11),
        ("TJ1 TJ2 TJ3 TJ4 TJ5", "", 10),
        ("TJ1 TJ2 TJ3 TJ4 TJ5 TT1", "TJ5", 10),
    ],
)
def test_stacking_points(plain: Board, units: str, reduced: str, points: int) -> None:
    s = stands(plain, "jp", **dict.fromkeys(units.split(), "1012"))
    for id in reduced.split():
        s.pieces[id].reduced = True
    assert s.stack("1012") == points
    assert bool(stacking.over(s, s.side(units.split()[0]))) == (points > 10)


def test_the_island_counts_double(plain: Board) -> None:
    s = stands(plain, "jp", TB1="i1906", TB2="i1907", TB3="i1907")
    assert (s.stack("i1906"), s.stack("i1907")) == (6, 12)
    s.pieces["TB3"].reduced = True
    assert s.stack("i1907") == 10  # 3 + 2, doubled after the halving [R20]


def test_guards_keep_to_themselves(plain: Board) -> None:
    s = stands(plain, "jp", _4IG="0505", TJ1="0505", _5IG="0707", TT1="0707")
    assert stacking.guards_astray(s) == ("4IG",)
    before = s.points
    victory.kill(s, "4IG", silent, "7.22")
    assert s.points - before == -54  # 10 + 8, three points each


def test_lost_halves_score(plain: Board) -> None:
    s = stands(plain, "cw", TB3="1012", TB4="1012")
    victory.lose_step(s, "TB4", silent, "7.21")
    assert s.points == 6  # 12 less 6
    victory.lose_step(s, "TB3", silent, "7.21")
    assert s.points == 6 + 4  # 9 less 5
    victory.lose_step(s, "TB3", silent, "7.21")
    assert (s.points, s.pieces["TB3"].at) == (6 + 4 + 5, "dead")


# --- attacks ---


def test_all_attackers_touch_all_hexes(plain: Board) -> None:
    s = stands(plain, "jp", TB1="0810", TB2="0811", TJ1="0711", TJ2="0911", TJ3="0910")
    assert ids(combat.refuse_attack(s, ["0810", "0811"], ["TJ1", "TJ2"])) == ()
    assert combat.defence_total(s, ["0810", "0811"], 0) == 6 + 7
    assert ids(combat.refuse_attack(s, ["0810", "0811"], ["TJ1", "TJ2", "TJ3"])) == ("9.17a",)


def test_a_unit_and_a_hex_fight_once(plain: Board) -> None:
    s = stands(plain, "jp", TB1="0810", TB2="0810", TJ1="0809", TJ2="0809", TB3="0909", TJ3="0711")
    assert ids(combat.refuse_attack(s, ["0810"], ["TJ1"])) == ()
    s.attacks.append(Attack(("0810",), ("TJ1",)))
    assert ids(combat.refuse_attack(s, ["0909"], ["TJ2"])) == ()
    assert ids(combat.refuse_attack(s, ["0909"], ["TJ1"])) == ("9.12",)
    assert ids(combat.refuse_attack(s, ["0810"], ["TJ3"])) == ("9.12",)
    assert combat.defenders(s, ["0810"]) == ("TB1", "TB2")  # none is left out [9.13]


def test_who_is_out_of_supply_does_not_attack(plain: Board) -> None:
    s = stands(plain, "jp", TB1="0810", TJ1="0809")
    s.pieces["TJ1"].oos = True
    assert ids(combat.refuse_attack(s, ["0810"], ["TJ1"])) == ("9.11a", "10.0GR")
    assert ids(combat.refuse_attack(s, ["0811"], ["TJ1"])) == ("9.0GRa",)


def test_totals_and_halves(plain: Board) -> None:
    # 10 over open ground, 9 over a bridged river halved to 4, three air points, against 6 + 7
    s = stands(plain, "jp", TB1="0810", TB2="0810", TJ1="0809", TJ2="0910")
    assert combat.attack_total(s, ["0810"], ["TJ1", "TJ2"], 3) == 10 + 4 + 3
    assert combat.attack_total(s, ["0810"], ["TJ1", "TJ2"], 3) - combat.defence_total(s, ["0810"], 0) == 4
    assert combat.column(s, ["0810"], ["TJ1", "TJ2"], 3, 0) == 7  # 4, 5 is the eighth of that row


def test_too_weak_an_attack(plain: Board) -> None:
    # 1 against 6: five below, one less than the row of mixed ground has
    s = stands(plain, "cw", TS1="0809", TB1="0709", TJ1="0810")
    s.pieces["TJ1"].reduced = True
    assert ids(combat.refuse_attack(s, ["0810"], ["TS1"])) == ()  # 1 - 4 = -3
    s.pieces["TJ1"].reduced = False
    assert ids(combat.refuse_attack(s, ["0810"], ["TS1"])) == ("9.18b",)  # 1 - 8 = -7
    assert not combat.too_weak(s, ["0810"], ["TS1"], 3)  # -4


def test_surrounded_or_only_cut_off(plain: Board) -> None:
    s = stands(plain, "jp", TB1="0810", TJ1="0809", TJ2="1011", TJ3="0611", TJ4="0812")
    s.pieces["TB1"].oos = True
    assert [m.clause for m in combat.modifiers(s, ["0810"], ["TJ1"])] == ["9.33a"]
    assert sum(m.value for m in combat.modifiers(s, ["0810"], ["TJ1"])) == 2
    s.pieces["TB3"].at = "0911"  # a friend beside it: that hex is open
    assert [m.clause for m in combat.modifiers(s, ["0810"], ["TJ1"])] == ["9.34"]
    assert sum(m.value for m in combat.modifiers(s, ["0810"], ["TJ1"])) == 1


def test_more_armor_adds_nothing(plain: Board) -> None:
    s = stands(plain, "cw", TA="1001", TJ1="1002", TB1="1102")
    assert [m.clause for m in combat.modifiers(s, ["1002"], ["TA", "TB1"])] == ["9.32"]


def test_compulsory_modes(plain: Board) -> None:
    s = stands(plain, "jp", TJ1="0718", TB1="0719")
    assert combat.mode(s, ["0719"], ["TJ1"]) == "assault"
    assert combat.mode(s, ["0810"], ["TJ1"]) == "maneuver"
    s.pieces["TJ1"].at, s.pieces["TJ1"].port = "1610", "1510"
    assert combat.mode(s, ["1510"], ["TJ1"]) is None  # a landing may choose


# --- supply ---


def lines(s: State, side: Player) -> supply.Lines:
    return supply.Lines(s, side)


def test_a_line_to_the_railroad_of_singapore(plain: Board) -> None:
    # mixed ground costs 2: three hexes to a railroad are a march, four are not
    s = stands(plain, "cw", TB1="1422", TB2="1322")
    assert supply.supplied(s, "TB1", lines(s, "cw"))  # 1522, 1622, 1722
    assert not supply.supplied(s, "TB2", lines(s, "cw"))
    s.pieces["TJ1"].at = "1724"  # on the line, and its zone
    assert not supply.supplied(s, "TB1", lines(s, "cw"))


def test_two_jungles_are_too_far_and_one_is_not(plain: Board) -> None:
    # the printed example: 4 + 4 of 6 is too far; a railroad beside the jungle is not [10.1c]
    s = stands(plain, "cw", TB1="1206")
    assert plain.step("1206", "1205", "cw") == 4
    assert not lines(s, "cw").reaches("1206", 6)


def test_japan_draws_through_hexes_it_passed_last(plain: Board) -> None:
    s = stands(plain, "jp", TJ1="0103")
    s.through.update(dict.fromkeys(("0101", "0102", "0103"), "jp"))
    assert supply.supplied(s, "TJ1", lines(s, "jp"))
    s.through["0102"] = "cw"
    assert not supply.supplied(s, "TJ1", lines(s, "jp"))


def test_judged_together(plain: Board) -> None:
    s = stands(plain, "cw", TB1="0505", TB2="1825")
    supply.judge(s, "cw", ["TB1", "TB2"])
    assert (s.pieces["TB1"].oos, s.pieces["TB2"].oos) == (True, False)


@pytest.mark.parametrize(
    ("hex", "dice"),
    [("0810", {5, 6}), ("1204", {4, 5, 6}), ("1304", {3, 4, 5, 6})],
)
def test_attrition(plain: Board, hex: str, dice: set[int]) -> None:
    s = stands(plain, "cw", TB1=hex)
    assert {die for die in range(1, 7) if supply.attrition(s, "TB1", die)} == dice


# --- entering, points, orders ---


def test_markers_turn_as_units_enter(plain: Board) -> None:
    s = stands(plain, "jp", TJ1="0207")
    assert s.control["0208"] == "cw"
    movement.enter(s, "TJ1", ["0208", "0109"], silent)
    assert (s.control["0208"], s.captured["0208"], s.through["0208"]) == ("jp", 2, "jp")
    assert (s.pieces["TJ1"].at, s.shipping, s.penang_turn) == ("0109", "roll", 2)


LEVELS: Mapping[tuple[int, bool], str] = {
    (300, True): "jp-decisive",
    (299, True): "jp-substantive",
    (249, True): "jp-marginal",
    (199, True): "cw-marginal",
    (174, True): "cw-substantive",
    (124, True): "cw-decisive",
    (400, False): "cw-substantive",
    (124, False): "cw-decisive",
}


@pytest.mark.parametrize(("points", "captured"), LEVELS)
def test_levels(plain: Board, points: int, captured: bool) -> None:
    s = stands(plain, "jp")
    s.points = points
    assert victory.level(s, captured).id == LEVELS[points, captured]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("move 16aus 1216-1217", "move 16AUS 1216-1217"),
        ("place 4/ig 0201", "place 4IG 0201"),
        ("sea 11/5 from off to 0302", "sea 11/5 from off to 0302"),
        ("sea 11/5 from 0302 to 1510 then 1511-1611", "sea 11/5 from 0302 to 1510 then 1511-1611"),
        ("assault 11/5 from 0302 to 1106 at 1206", "assault 11/5 from 0302 to 1106 at 1206"),
        ("attack 0820 from 16AUS+22AUS air 3", "attack 0820 from 16AUS+22AUS air 3"),
        ("resolve I2105 mode assault", "fight i2105 mode assault"),
        ("withdraw 22IND from 1616", "withdraw 22IND from 1616"),
    ],
)
def test_orders_are_read_and_printed(text: str, said: str) -> None:
    (order,) = READER.read(text)
    assert str(order) == said
    assert READER.read(said) == (order,)
