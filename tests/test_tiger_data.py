"""Tiger of Malaya: what the data say, that the map is what the script makes of the ground, and what is refused."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

from pbem.errors import Trouble
from rules.kit.clauses import clauses, rulings
from rules.kit.data import Data
from rules.kit.hexes import ends
from rules.kit.search import reach
from rules.kit.tables import odds, read_odds
from rules.tiger_of_malaya import components, rows
from rules.tiger_of_malaya.checks import checks
from rules.tiger_of_malaya.components import Board, board
from rules.tiger_of_malaya.printed import NAMED, check_printed

ROOT = Path(__file__).parent.parent
SURVEY = ROOT / "bench" / "tiger_of_malaya" / "make_map.py"
INVENTORY = ROOT.parent / "shared" / "rules" / "tiger_of_malaya.md"
SCENARIOS = ("muar", "northern-johore", "tiger-of-malaya", "great-base")


@pytest.fixture(scope="module")
def tables() -> Data:
    return components.load()


@pytest.fixture(scope="module")
def main(tables: Data) -> Board:
    return board(tables, "tiger-of-malaya")


@pytest.fixture(scope="module")
def survey() -> ModuleType:
    if not SURVEY.is_file():
        pytest.skip("the survey is not in this copy")
    spec = importlib.util.spec_from_file_location("make_map", SURVEY)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_map"] = module
    spec.loader.exec_module(module)
    return module


# --- the map and where it comes from ---


def test_the_map_is_what_the_survey_makes(survey: ModuleType) -> None:
    assert survey.text(survey.Geography()) == survey.RESULT.read_text(encoding="utf-8")


def test_printed_hexes_lie_where_the_places_are(survey: ModuleType) -> None:
    missed = survey.Geography().residuals()
    assert max(missed.values()) < 3  # miles: less than a hex
    assert sum(missed.values()) / len(missed) < 1.5


def test_everything_printed_is_so(tables: Data) -> None:
    assert list(checks(tables)) == []
    assert list(check_printed(tables)) == []


def test_how_much_land_there_is(main: Board) -> None:
    assert len(main.letters) == 36 * 53
    assert Counter(main.letters.values()) == {
        **{"3": 586, "1": 367, ".": 363, "2": 342, "f": 195, "s": 25, "4": 17, "t": 10, "c": 3},
    }
    assert len(main.region("island")) == 45
    assert all(main.is_land(hex) for hex in NAMED)


@pytest.mark.parametrize(
    ("hex", "grounds", "limit", "line", "halves"),
    [
        ("0749", ("fertile", "town"), 12, "C", True),
        ("0748", ("fertile",), 12, "A", False),
        ("0523", ("town",), 12, "C", True),
        ("1505", ("jungle-1",), 9, "B", True),
        ("1210", ("jungle-4",), 6, "E", True),
        ("0427", ("jungle-1",), 9, "B", True),
        ("3326", ("swamp",), 6, "D", True),
    ],
)
def test_ground(main: Board, hex: str, grounds: tuple[str, ...], limit: int, line: str, halves: bool) -> None:
    assert main.grounds(hex) == grounds
    assert (main.limit(hex), main.line(hex), main.halves_artillery(hex)) == (limit, line, halves)


@pytest.mark.parametrize(
    ("hex", "costs"),
    [
        ("0749", (2, 2, 3, 2)),  # fertile and town: the dearer of the two
        ("0523", (1, 1, 1, 1)),
        ("1505", (3, 2, 4, 4)),
        ("1210", (8, 5, None, None)),
        ("0101", (3, 2, 4, 4)),
        ("0104", (None, None, None, None)),  # the sea
    ],
)
def test_what_a_hex_costs(main: Board, hex: str, costs: tuple[int | None, ...]) -> None:
    assert tuple(main.cost(hex, mover) for mover in ("foot", "jungle", "motorized", "mechanized")) == costs


def test_bridges_are_where_roads_cross_rivers(main: Board) -> None:
    assert main.bridges == (
        *("0410/0411", "0412/0413", "0413/0513", "0523/0524", "0623/0624", "0639/0740", "0808/0909", "0820/0821"),
        *("0825/0926", "0926/0927", "0942/1042", "1026/1027", "1128/1227", "1139/1140", "1711/1811", "1729/1829"),
        *("1745/1844", "1808/1909"),
    )
    assert main.destroyed == {"0412/0413", "0413/0513"}  # the ferries of Muar
    assert not main.edge("0846", "0946").bridge
    assert main.edge("0946", "0846").causeway


def test_hexsides_are_the_same_from_both_hexes(main: Board) -> None:
    for (a, b), edge in main.edges.items():
        assert main.edge(b, a) == edge
        assert main.grid.adjacent(a, b)
    assert Counter(edge.water for (a, b), edge in main.edges.items() if a < b and edge.water) == {
        **{"river": 205, "stream": 46, "ocean": 22},
    }


def test_lines_are_one_net(main: Board) -> None:
    assert Counter(way for way, _ in main.ways.values()) == {"road": 21, "rail": 2}
    for way, hexes in main.ways.values():
        for a, b in pairwise(hexes):
            assert getattr(main.edge(a, b), way)
    assert main.edge("0845", "0946") == components.Edge("ocean")


def test_coasts(main: Board) -> None:
    for hex in ("3334", "0413", "0550", "0650", "0945", "0846"):
        assert main.coastal(hex)
    for hex in ("1912", "0104"):  # inland; the sea itself
        assert not main.coastal(hex)
    assert len(main.region("east-coast")) == 45


# --- charts ---


def test_the_battle_of_the_example(main: Board) -> None:
    step = odds(2 * (8 + 2 + 2) + 15, 2 * 4) + main.templates["JT"].tank  # 15 factors halved: 7.5
    assert step == read_odds("6:1")
    assert [main.result("B", step, die) for die in range(1, 7)] == [(1, 0), (0, 1), (0, 1), (0, 2), (1, 3), (0, 2)]


@pytest.mark.parametrize(
    ("line", "step", "result"),
    [("A", "1:4", (3, 0)), ("A", "1:5", None), ("A", "20:1", (0, 2)), ("E", "1:1", None), ("E", "2:1", (3, 0))],
)
def test_the_ends_of_a_line(main: Board, line: str, step: str, result: tuple[int, int] | None) -> None:
    assert main.result(line, read_odds(step), 1) == result


@pytest.mark.parametrize(
    ("points", "strength", "roll", "losses"),
    [
        (3, 12, 4, 1),  # printed
        (3, 11, 4, 0),
        (3, 5, 2, None),
        (2, 7, 2, None),
        (2, 8, 2, 1),
        (7, 4, 12, 1),
        (9, 99, 2, 3),
        (0, 50, 2, 3),  # only trucks there
    ],
)
def test_bombardment(main: Board, points: int, strength: int, roll: int, losses: int | None) -> None:
    assert main.bombardment(points, strength, roll) == losses


def test_weather_chits_and_aircraft(main: Board) -> None:
    assert [main.impulses[die] for die in range(1, 7)] == [4, 5, 5, 6, 6, 7]
    assert sum(main.chits["japan"].values()) == 8
    assert sum(main.chits["allies"].values()) == 7
    opening = main.scenario
    assert len(opening.japan) + 1 == max(3, opening.weather - 1)
    assert len(opening.allies) + 1 == max(3, opening.weather - 2)
    assert [max(0, die - main.scenario.aircraft_less) for die in range(1, 7)] == [0, 0, 1, 2, 3, 4]
    assert {id: row.modifier for id, row in main.aircraft.items()} == {"A1": 2, "A2": 2, "A3": 1, "A4": 1}


# --- units ---


def test_how_many_units_there_are(main: Board) -> None:
    assert Counter(unit.side for unit in main.units.values()) == {"allies": 131, "japan": 85}
    trucks = [id for id in main.units if main.kind(id) == "truck"]
    assert len(trucks) == 6
    assert len([unit for unit in main.units.values() if unit.side == "allies"]) - len(trucks) - len(["f-1"]) == 124


@pytest.mark.parametrize(
    ("unit", "kind", "mover", "faces", "first"),
    [
        ("I/11", "infantry", "jungle", "8-7-9 5-4-9 2-9", 0),
        ("I/4G", "infantry", "foot", "7-6-9 4-9 2-9", 0),
        ("1-Tk-a", "tank", "mechanized", "2-1-6", 0),
        ("5-Eng-a", "engineer", "foot", "2-9", 0),
        ("2/29A", "infantry", "foot", "6-9 3-9", 0),
        ("2/30A", "infantry", "jungle", "7-8-9 4-5-9", 0),
        ("2/1GR", "infantry", "jungle", "4-7 2-7", 1),
        ("5-Fd", "artillery", "motorized", "0-2-8", 0),
        ("3-Cav", "cavalry", "foot", "2-3-7 1-7", 0),
        ("18-Rec", "recon", "motorized", "2-3-9 1-9", 0),
        ("T1", "truck", "motorized", "0-8", 0),
        ("S1", "steamer", None, "0-12", 0),
        ("Changi", "coastal-artillery", "foot", "0-1-0", 0),
        ("jc7", "infantry", "jungle", "2-9", None),
    ],
)
def test_units(main: Board, unit: str, kind: str, mover: str | None, faces: str, first: int | None) -> None:
    assert main.kind(unit) == kind
    assert main.mover(unit) == mover
    assert " ".join(map(str, main.levels(unit))) == faces
    if first is not None:
        assert main.first(unit) == first


def test_companies_are_what_their_battalions_were(main: Board) -> None:
    assert [main.mover(id) for id in ("jc1", "gc1", "ac1")] == ["jungle", "foot", "foot"]
    assert [main.mover(id, inherited=True) for id in ("gc1", "ac1", "2/29A")] == ["foot", "jungle", "foot"]
    assert [(main.side(id), main.nation(id)) for id in ("gc9", "ac2", "2/1GR")] == [
        ("japan", "japanese"),
        ("allies", "australian"),
        ("allies", "gurkha"),
    ]


def test_reach_on_foot_looks_at_every_hex_once(main: Board) -> None:
    looked: Counter[str] = Counter()

    def steps(hex: str) -> Iterator[tuple[str, int]]:
        looked[hex] += 1
        for there, edge in main.land_beside(hex):
            cost = main.cost(there, "foot")
            if cost is not None and edge.water != "ocean":
                yield there, 1 if edge.road else cost

    assert len(reach(["1912"], steps)) == 1545 - 45  # the mainland is in one piece
    assert set(looked.values()) == {1}


def test_steps_and_companies(main: Board) -> None:
    assert (main.steps("I/11", 0), main.steps("I/11", 2), main.steps("1/SS", 0)) == (3, 1, 1)
    assert main.company_ids("ac") == tuple(f"ac{n}" for n in range(1, 10))
    assert {pool.id: pool.count for pool in main.pools.values()} == {"jc": 18, "gc": 9, "ac": 9}
    assert (main.templates["AB"].weaker, main.templates["GR"].weaker, main.templates["BI"].weaker) == ("AR", "IR", "")
    assert main.templates["Jm"].offence == 5


# --- scenarios ---


def test_scenarios(tables: Data) -> None:
    boards = {id: board(tables, id) for id in SCENARIOS}
    assert [b.scenario.last_turn for b in boards.values()] == [5, 6, 19, 35]
    assert boards["muar"].dates[5] == "22-23 January"
    assert boards["great-base"].dates[35] == "23-24 March"
    assert {id: [(d.nation, d.turn, d.count) for d in b.drafts] for id, b in boards.items()} == {
        "muar": [],
        "northern-johore": [("indian", 5, 23)],
        "tiger-of-malaya": [("indian", 5, 23), ("australian", 6, 6), ("japanese", 11, 6)],
        "great-base": [("indian", 5, 23), ("australian", 6, 6), ("japanese", 11, 6)],
    }
    assert boards["great-base"].eliminated == {"5/11S": 1, "5/2P": 1, "Special": 6}
    assert boards["northern-johore"].eliminated == {}
    assert set(boards["tiger-of-malaya"].groups) == {"icorps-lead", "icorps-rest"}
    assert boards["muar"].groups == {}
    assert len(boards["muar"].setup) == 9 + 17
    assert boards["northern-johore"].setup == boards["great-base"].setup
    assert sum(main_points(boards["tiger-of-malaya"]).values()) == 51


def main_points(b: Board) -> dict[str, int]:
    island = {id: hex for id, hex in b.setup.items() if b.has("island", hex)}
    return {id: b.level(id, b.first(id)).points for id in island}


def test_the_schedule(tables: Data) -> None:
    third, fourth = board(tables, "tiger-of-malaya"), board(tables, "great-base")
    when = {id: {unit: a.turn for a in b.arrivals for unit in a.units} for id, b in (("3", third), ("4", fourth))}
    assert (when["3"]["4N"], when["4"]["4N"]) == (8, 4)  # the 18th Division comes earlier
    assert (when["3"]["15-Eng"], when["4"]["15-Eng"]) == (8, 8)
    assert (when["3"]["I/113"], when["4"]["I/113"]) == (19, 19)
    assert "2/9" not in when["3"]
    assert (when["4"]["2/9"], when["4"]["2/21"]) == (20, 25)
    needs = {unit: a.needs for a in fourth.arrivals for unit in a.units}
    assert (needs["I/113"], needs["I/146"], needs["I/114"]) == ("icorps-lead", "icorps-lead", "")
    assert {a.needs for a in third.arrivals} == {""}


def test_control_at_the_start(tables: Data) -> None:
    b = board(tables, "muar")
    assert {"0412", "0410", "0511", "0513"} <= b.start_control
    assert "0413" not in b.start_control  # beside the Guards, but held
    assert "0523" not in b.start_control
    assert "1707" not in board(tables, "northern-johore").start_control


def test_no_such_scenario(tables: Data) -> None:
    with pytest.raises(Trouble, match="no scenario penang"):
        board(tables, "penang")


# --- an owner's copy ---


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[grid]\nlast_column = 35\nprovenance = "printed"', "row 01 has 36 letters, the grid 35 columns"),
        ('[[terrain]]\nid = "54"\ncells = "f"\nprovenance = "printed"', "terrain for row 54"),
        ('[[hex]]\nid = "3701"\nletter = "f"\nprovenance = "printed"', "3701 is not on the map"),
        ('[[hex]]\nid = "0748"\nletter = "."\nprovenance = "printed"', "0748 is in the sea"),
        ('[[line]]\nid = "x"\nway = "road"\nhexes = "0502 0504"\nprovenance = "printed"', "are not neighbours"),
        ('[[water]]\nid = "x"\nkind = "river"\nsides = "0925/0825"\nprovenance = "printed"', "0925/0825 is no hexside"),
        ('[[water]]\nid = "x"\nkind = "river"\nsides = "0925/0926"\nprovenance = "printed"', "none between 0925"),
        ('[[line]]\nid = "x"\nway = "road"\nhexes = "0845 0946"\nprovenance = "printed"', "no causeway"),
        ('[[destroyed]]\nid = "1124/1223"\nprovenance = "printed"', "no bridge"),
        ('[[ground]]\nid = "swamp"\nodds = "Z"\nprovenance = "printed"', "no line Z of odds"),
        ('[[ground]]\nid = "swamp"\nfoot = 0\nprovenance = "printed"', "swamp: foot pays nothing"),
        ('[[ground]]\nid = "swamp"\nlimit = 5\nprovenance = "printed"', "a fort needs 6"),
        ('[[odds]]\nid = "A"\nheads = "1:1 1:2"\nprovenance = "printed"', "odds rise"),
        ('[[odds]]\nid = "A"\nheads = "1:1 3:2"\nprovenance = "printed"', "3:2 are no odds"),
        ('[[combat]]\nid = 3\nresults = "-/1"\nprovenance = "printed"', "the results have 1, 11"),
        ('[[combat]]\nid = 3\nresults = "1-1"\nprovenance = "printed"', "1-1 is no result"),
        ('[[bombard]]\nid = 4\nlosses = "- - - - - - -"\nprovenance = "printed"', "a roll of 4 take one step"),
        ("[[weather]]\nid = 6\nremove = true", "weather has no line for a 6"),
        ('[[chit]]\nid = "half"\nremove = true', "the table chit has no half"),
        ('[[chit]]\nid = "full"\njapan = 1\nprovenance = "printed"', "fewer full chits"),
        ('[[template]]\nid = "JI"\nlevels = "8-7-9(2) 5-4-9(3)"\nprovenance = "printed"', "points fall"),
        ('[[template]]\nid = "JI"\nlevels = "8-8-9(3)"\nprovenance = "printed"', "faces of JI"),
        ('[[template]]\nid = "JI"\nlevels = "8-8-9"\nprovenance = "printed"', "8-8-9 is no face"),
        ('[[template]]\nid = "F"\nrange = 0\nprovenance = "printed"', "F: artillery has support, range"),
        ('[[template]]\nid = "IA"\nweaker = "XX"\nprovenance = "printed"', "no XX to become"),
        ('[[unit]]\nid = "5N"\njungle = true\nprovenance = "printed"', "no british counter is jungle-capable"),
        ('[[unit]]\nid = "1/SS"\nreduced = true\nprovenance = "printed"', "begins reduced and has one face"),
        ('[[unit]]\nid = "1/SS"\nside = "japan"\nprovenance = "printed"', "fights for japan"),
        ('[[setup]]\ncard = "main"\nunit = "5N"\nhex = "0104"\nprovenance = "printed"', "no such land"),
        ('[[setup]]\ncard = "main"\nunit = "9X"\nhex = "0748"\nprovenance = "printed"', "no such unit"),
        (
            '[[setup]]\ncard = "main"\nunit = "I/41"\nhex = "1203"\nprovenance = "printed"',
            "points in 1203, which holds",
        ),
        ('[[setup]]\ncard = "main"\nunit = "2/17D"\nhex = "3001"\nprovenance = "printed"', "out of reach of every HQ"),
        ('[[setup]]\ncard = "main"\nunit = "HQ-Koba"\nhex = "3621"\nprovenance = "printed"', "3621, which holds 6"),
        ('[[setup]]\ncard = "main"\nunit = "4N"\nhex = "0748"\nprovenance = "printed"', "4N comes twice"),
        ('[[scenario]]\nid = "muar"\nlast_turn = 6\nprovenance = "printed"', "muar has 6 turns, not 5"),
        ('[[scenario]]\nid = "muar"\njapan = "full"\nprovenance = "printed"', "2 Japanese chits in the first turn"),
        ('[[turn]]\nid = 5\ndates = "24-25 January"\nprovenance = "printed"', "turn 5 is 22-23 January"),
        ('[[region]]\nid = "terminals"\nhexes = "0650"\nprovenance = "printed"', "draw supply from 0550 and 0650"),
    ],
)
def test_what_a_copy_may_not_say(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(Trouble) as refused:
        components.load(1, tmp_path)
    assert said in str(refused.value)


def test_what_a_copy_may_say(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'provenance = "printed"\n[[hex]]\nid = "2020"\nletter = "2"\n[[ground]]\nid = "jungle-2"\nfoot = 5\n'
    )
    b = board(components.load(1, tmp_path), "muar")
    assert (b.letters["2020"], b.cost("2020", "foot")) == ("2", 5)


def test_a_small_set_is_held_to_no_printed_fact(tmp_path: Path) -> None:
    cells = "".join(f'[[terrain]]\nid = "{row:02}"\ncells = "ffffffffff"\n' for row in range(1, 21))
    (tmp_path / "plain.toml").write_text(
        'provenance = "reconstructed"\n'
        'replaces = ["terrain", "hex", "name", "line", "water", "region", "setup", "arrival", "group", "destroyed"]\n'
        "[game]\nexcerpt = true\n"
        "[grid]\nfirst_column = 50\nlast_column = 59\nfirst_row = 1\nlast_row = 20\n"
        f"{cells}"
        '[[scenario]]\nid = "muar"\nobjectives = ""\nroad = ""\n'
        '[[scenario]]\nid = "northern-johore"\nobjectives = ""\n'
    )
    b = board(components.load(1, tmp_path), "muar")
    assert set(b.grid.neighbours("5110")) == {"5109", "5111", "5009", "5010", "5209", "5210"}
    assert b.region("island") == ()
    assert b.limit("5010") == 12


def test_provenance_is_honest(tables: Data) -> None:
    count: Counter[str] = Counter()
    for table in tables.tables():
        count.update(table.provenance)
    assert count["reconstructed"] > 500
    assert count["reported"] == 6 + 3 + 11
    assert {row.tag() for row in tables[rows.LINE]} == {"reconstructed"}
    assert {row.tag() for row in tables[rows.DRAFT]} == {"printed"}


def test_the_causeway_is_a_hexside(main: Board) -> None:
    assert main.grid.is_side(main.game.causeway)
    assert [main.has("island", hex) for hex in ends(main.game.causeway)] == [True, False]


# --- the ledger ---


def test_the_ledger_has_exactly_the_clauses_of_its_inventory() -> None:
    if not INVENTORY.is_file():
        pytest.skip("the inventory of the rulebook is not beside this checkout")
    text = INVENTORY.read_text(encoding="utf-8")
    ids = re.findall(r"^\| ([0-9][^ |]*) \|", text[: text.index("\n# 2. State")], re.MULTILINE)
    assert len(ids) > 400
    assert list(clauses(components.__file__)) == ids
    ruled = re.findall(r"^- \*\*(R[0-9]+)\*\*", text, re.MULTILINE)
    assert len(ruled) == 104
    assert list(rulings(components.__file__))[:104] == ruled  # what the rules found out since stands behind
