"""Singapore (1984): what the data say, that the map is what the script makes of the ground, and what is refused."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

from pbem.errors import Trouble
from rules.kit.clauses import clauses, rulings
from rules.kit.data import Data
from rules.singapore_1984 import components
from rules.singapore_1984.board import Board
from rules.singapore_1984.checks import checks
from rules.singapore_1984.components import board
from rules.singapore_1984.printed import check_printed
from rules.singapore_1984.rows import Face

ROOT = Path(__file__).parent.parent
SURVEY = ROOT / "bench" / "singapore_1984" / "make_map.py"
INVENTORY = ROOT.parent / "shared" / "rules" / "singapore_1984.md"


@pytest.fixture(scope="module")
def tables() -> Data:
    return components.load()


@pytest.fixture(scope="module")
def b(tables: Data) -> Board:
    return board(tables)


@pytest.fixture(scope="module")
def survey() -> ModuleType:
    if not SURVEY.is_file():
        pytest.skip("the survey is not in this copy")
    spec = importlib.util.spec_from_file_location("make_singapore_map", SURVEY)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_singapore_map"] = module
    spec.loader.exec_module(module)
    return module


# --- the map and where it comes from ---


def test_the_map_is_what_the_survey_makes(survey: ModuleType) -> None:
    assert survey.text(survey.Geography()) == survey.RESULT.read_text(encoding="utf-8")


def test_printed_hexes_lie_where_the_places_are(survey: ModuleType) -> None:
    missed = survey.Geography().residuals()
    assert len(missed) == 5
    assert max(missed.values()) < 8  # miles: half a hex


def test_everything_printed_is_so(tables: Data) -> None:
    assert list(checks(tables)) == []
    assert list(check_printed(tables)) == []


def test_the_two_maps_share_numbers_and_no_hexes(b: Board) -> None:
    assert len(b.letters) == 20 * 28 + 8 * 9
    assert (b.ground("1905"), b.ground("i1905")) == ("", "jungle")
    assert b.neighbours("1804") == ("1803", "1904", "1905", "1805", "1705", "1704")
    assert b.neighbours("i1804") == ("i1803", "i1904", "i1905", "i1805", "i1705", "i1704")
    with pytest.raises(KeyError):
        b.distance("1826", "i2105")


@pytest.mark.parametrize(
    ("a", "there", "cw", "jp"),
    [
        ("0306", "0307", 3, 2),  # plantation off the road
        ("0205", "0206", 3, 3),  # mixed ground over the Kedah river
        ("0205", "0204", 1, 1),  # the trunk road
        ("1013", "1014", 2, 2),  # railroad over the Pahang: bridged
        ("1114", "1014", 5, 4),  # jungle 4 or 3, and the river
        ("0719", "0619", 1, 1),  # road and railroad together: the road
        ("0714", "0715", 6, 4),  # mountain
        ("0905", "1005", None, None),  # all sea
        ("0316", "0416", None, None),
        ("1106", "1206", None, None),  # the sea
        ("1726", "1826", 2, None),  # Japan never enters 1826 on the large map
        ("i1507", "i1607", None, 2),  # the strait
        ("i1907", "i1906", 1, 1),  # an inlet with a road
        ("i1803", "i1903", 4, 3),  # plantation 3 or 2, and an inlet
    ],
)
def test_what_a_step_costs(b: Board, a: str, there: str, cw: int | None, jp: int | None) -> None:
    assert (b.step(a, there, "cw"), b.step(a, there, "jp")) == (cw, jp)


def test_the_printed_example_of_roads(b: Board) -> None:
    # jungle off the road costs the Commonwealth 4, through a road hexside 1 [5.24c]
    assert b.ground("1016") == "jungle"
    assert b.step("1017", "1016", "cw") == 4
    assert b.step("1116", "1016", "cw") == 1


def test_hexsides_are_the_same_from_both_hexes(b: Board) -> None:
    for (a, there), edge in b.edges.items():
        assert b.edge(there, a) == edge
        assert there in b.neighbours(a)
    count = Counter(name for (a, c), edge in b.edges.items() if a < c for name, on in edge._asdict().items() if on)
    assert count["closed"] == 3
    assert count["prepared"] == 5


def test_lines_run_through_land(b: Board) -> None:
    for way, hexes in b.ways.values():
        for a, there in pairwise(hexes):
            assert getattr(b.edge(a, there), way)
        assert all(b.is_land(hex) for hex in hexes)


def test_ports_and_airfields(b: Board) -> None:
    large = [b.places[hex] for hex in b.markers]
    assert (len(large), sum(p.port for p in large), sum(p.airfield for p in large)) == (22, 15, 12)
    assert sum(p.port and p.airfield for p in large) == 5
    assert sorted(p.id for p in large if p.coast == "e") == ["0302", "0602", "1106", "1510", "1616", "1721", "1822"]
    assert sorted(p.id for p in large if p.coast == "w") == [
        *("0109", "0214", "0415", "0619", "0821", "1023", "1424"),
    ]
    assert not {"0302", "0602"} & b.airfields  # Japan has no airfield on the map at first


def test_landing_hexes_and_their_sea(b: Board) -> None:
    for hex in b.region("landing"):
        assert any(b.has("landing-sea", there) for there in b.neighbours(hex))
    fortified = {hex for (a, c), edge in b.edges.items() if edge.fortified for hex in (a, c) if b.is_land(hex)}
    assert {hex for hex in fortified if hex.startswith("i")} == {
        *("i1902", "i1903", "i1904", "i1908", "i2004", "i2005", "i2105"),
    }
    assert {hex for hex in fortified if not hex.startswith("i")} == {"1106", "1822"}


# --- the charts ---

SLIDES: Mapping[str, str] = {
    # one sequence a mode; the cell of a die and a column is the entry at column + die - 1
    "maneuver": "AE AE AE A3 A2 A1 A1 A1 A1 BR BR D1 D1 D2 D3 DE DE DE",
    "assault": "AE AE AE A3 A2 A1 A1 A1 AX BR EX EX AX D1 D1 D2 DE DE",
}


@pytest.mark.parametrize("mode", ["maneuver", "assault"])
def test_the_combat_table_slides_by_one_column_a_die(b: Board, mode: str) -> None:
    sequence = SLIDES[mode].split()
    for die in range(1, 9):
        for column in range(11):
            assert b.result(mode, die, column) == sequence[column + die - 1]  # type: ignore[arg-type]


def test_dice_and_differentials_beyond_the_table(b: Board) -> None:
    assert b.result("maneuver", -1, 3) == b.result("maneuver", 1, 3) == "A3"
    assert b.result("maneuver", 11, 9) == b.result("maneuver", 8, 9) == "DE"
    assert b.column(1, -6) == b.column(1, -5) == 0
    assert b.column(1, -7) is None
    assert b.column(2, 30) == b.column(2, 12) == 10
    assert (b.column(5, -2), b.column(5, -1), b.column(5, 30)) == (None, 0, 7)


def test_a_plantation_dies_at_a_modified_seven_in_its_last_column(b: Board) -> None:
    last = b.column(b.row("0306"), 12)
    assert last == 9
    assert b.result("maneuver", 6 + b.game.armor, last) == "DE"


def test_whose_zone_enters_what(b: Board) -> None:
    assert [b.zone(hex, "cw") for hex in ("0205", "0605", "0719", "0607", "1721", "1206")] == [
        *(True, False, False, False, True, True),
    ]
    assert [b.zone(hex, "jp") for hex in ("0205", "0605", "0719", "0607", "1721", "1206")] == [
        *(True, True, False, False, True, True),
    ]


def test_interception_and_strikes(b: Board) -> None:
    assert [die for die in range(1, 7) if b.intercepts("1616", die)] == [1, 2, 3, 4]
    assert not b.intercepts("0719", 1)
    assert [b.strike("transport", die) for die in range(1, 7)] == [
        *("eliminated", "step-returns", "step-lands", "none", "none", "none"),
    ]


def test_the_track(b: Board) -> None:
    assert (b.dates[1], b.dates[10]) == ("8 December 1941", "9 February 1942")
    assert sorted(b.base) == list(range(1, 27))
    assert (b.base[10], b.air[10]) == (110, 8)
    assert all(b.base[turn] >= b.base[turn + 1] for turn in range(1, 26))


# --- the counters ---


def test_the_sums_of_the_rulebook(b: Board) -> None:
    cw = [unit for unit in b.units.values() if unit.side == "cw" and not unit.boxed]
    assert len(cw) == 18
    assert sum(unit.faces[0].attack + unit.faces[0].defense for unit in cw) == 164
    assert b.units["16AUS"].faces == (Face(8, 6, 6), Face(3, 4, 6))
    assert (b.worth("16AUS"), b.worth("16AUS", reduced=True)) == (14, 7)
    assert b.worth("5IG") * -b.awards["jp-guard"] == 54
    assert len(b.units) == 44


def test_reduced_faces_follow_the_one_that_is_printed(b: Board) -> None:
    # 8-6 becomes 3-4: two fifths of the attack rounded down and at least 1, three fifths of the defense rounded up
    for unit in b.units.values():
        full, half = unit.faces
        assert half == Face(max(1, full.attack * 2 // 5), -(-full.defense * 3 // 5), full.allowance)


def test_stacking_points(b: Board) -> None:
    points = {id: (b.points(id), b.points(id, reduced=True)) for id in ("16AUS", "11/5", "3IG", "SSVF", "AR1", "7HUS")}
    assert points == {
        **{"16AUS": (3, 2), "11/5": (2, 1), "3IG": (1, 1), "SSVF": (1, 1), "AR1": (1, 1), "7HUS": (0, 0)},
    }


def test_the_first_lift_is_what_may_sail(b: Board) -> None:
    first = [unit for unit in b.units.values() if unit.side == "jp" and unit.turn == 1]
    assert Counter(unit.arm for unit in first) == {"infantry": b.game.east_infantry, "armor": b.game.east_armor}


# --- the ledger ---


def test_the_ledger_has_exactly_the_clauses_of_its_inventory() -> None:
    if not INVENTORY.is_file():
        pytest.skip("the inventory of the rulebook is not beside this checkout")
    text = INVENTORY.read_text(encoding="utf-8")
    chapters = text[text.index("## Clauses") : text.index("## State")]
    ids = re.findall(r"^\| ([0-9][^ |]*|CN) \|", chapters, re.MULTILINE)
    assert len(ids) > 350
    assert sorted(clauses(components.__file__)) == sorted(ids)
    ruled = re.findall(r"^\| (R[0-9]+) \|", text, re.MULTILINE)
    assert list(rulings(components.__file__))[: len(ruled)] == ruled


# --- an owner's copy ---


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[place]]\nid = "0109"\ncoast = "e"', "0109 is a port of the west coast"),
        ('[[unit]]\nid = "16AUS"\nfaces = "8-6-6 4-4-6"', "16AUS is 8-6-6, reduced 3-4-6 [9.52c]"),
        ('[[unit]]\nid = "6IND"\nfaces = "4-6-6 1-3-6"', "worth 165, not 164"),
        ('[[unit]]\nid = "6IND"\nstart = "0306"\nturn = 2', "one of the two"),
        ('[[unit]]\nid = "6IND"\nstart = "1206"', "which is no land"),
        ('[[line]]\nid = "road-tapah"\nhexes = "0415 0514"', "0415 and 0514 are not neighbours"),
        ('[[works]]\nid = "jitra"\nsides = "0205/0304"', "0205/0304 is no hexside"),
        ('[[differentials]]\nid = 2\nspans = "-4 -3 -2 0"', "0 does not follow -2"),
        ('[[differentials]]\nid = 2\nspans = "-4 x"', "x is no column such as -4 or 6..8"),
        ('[[outcomes]]\nmode = "assault"\ndie = 2\nresults = "AE"', "has 1 results: 11"),
        ('[[interception]]\nid = "0719"\ndice = "1"', "0719 has a row of interception and no port"),
        ('[[terrain]]\nid = "28"\ncells = "."', "row 28 has 1 letters"),
        ('[[hex]]\nid = "1727"\nletter = "j"', "1826 is joined to 1726, 1825 and 1926 only"),
        ('[[region]]\nid = "landing"\nhexes = "i1905"', "landing hex of the island beside the sea"),
    ],
)
def test_a_copy_with_a_fault_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "mine.toml").write_text(f'provenance = "printed"\n{text}\n', encoding="utf-8")
    with pytest.raises(Trouble) as refused:
        components.load(folder=tmp_path)
    assert said in str(refused.value)
