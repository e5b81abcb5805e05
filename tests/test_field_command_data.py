"""Field Command: what the data say, what a corrected copy may not break, and what the reader's pictures show."""

from __future__ import annotations

from collections import Counter as Count
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pbem import report
from pbem.api import Area, Counter, Label, Line
from pbem.errors import Trouble
from rules.field_command import components, drawing, picture, printed, rows, terms
from rules.field_command.components import Board, board, muster
from rules.field_command.seen import Battle, Fighter, Moved, Rolls, Seen, Stand
from rules.kit.clauses import clauses, rulings
from rules.kit.data import Data

RULEBOOK = Path(__file__).parent.parent.parent / "shared" / "rules" / "field_command.md"


@pytest.fixture(scope="module")
def tables() -> Data:
    return components.load()


@pytest.fixture(scope="module")
def historic(tables: Data) -> Board:
    return board(tables, "impregnable_fortress")


# --- facts ---


def test_everything_printed_is_so(tables: Data) -> None:
    assert list(printed.check_printed(tables)) == []


def test_the_map_has_its_sectors_and_borders(tables: Data) -> None:
    assert len(tables[rows.SECTOR]) == 39
    assert Count(border.way for border in tables[rows.BORDER]) == {"road": 53, "open": 17, "water": 13, "bridge": 5}
    assert Count(sector.owner for sector in tables[rows.SECTOR]) == {"B": 32, "A": 7}


@pytest.mark.parametrize(
    ("out", "into", "mode", "said"),
    [
        ("axis_b", "buloh", "off-road", "+1"),
        ("axis_f", "north_east_islands", "off-road", "+1"),
        ("mandai", "buloh", "off-road", "+\u00bd"),
        ("buloh", "kranji", "off-road", "+\u00bd"),
        ("hougang", "paya_lebar", "on-road", "+\u00bd"),
        ("hougang", "paya_lebar", "off-road", "+0"),
        ("paya_lebar", "hougang", "on-road", "+0"),
        ("tengah", "choa_chu_kang", "off-road", "+\u00bd"),
        ("choa_chu_kang", "tengah", "off-road", "+0"),
        ("tuas", "clementi", "on-road", "+\u00bd"),
    ],
)
def test_bonuses_by_direction_and_mode(historic: Board, out: str, into: str, mode: rows.Mode, said: str) -> None:
    assert terms.bonus(historic.bonus(out, into, mode)) == said


def test_the_lowest_bonus_of_the_printed_examples(historic: Board) -> None:
    assert min(historic.bonus("axis_b", "buloh", "off-road"), historic.bonus("mandai", "buloh", "off-road")) == 1
    modes: tuple[rows.Mode, rows.Mode] = ("on-road", "off-road")
    assert min(historic.bonus("hougang", "paya_lebar", mode) for mode in modes) == 0


def test_no_bonus_between_sectors_that_are_no_neighbours(historic: Board) -> None:
    with pytest.raises(KeyError, match="no neighbours"):
        historic.bonus("tuas", "changi", "on-road")


def test_range_is_counted_over_water_and_never_into_an_axis(historic: Board) -> None:
    assert historic.distance("axis_b", "tengah") == 1
    assert historic.distance("axis_f", "pasir_ris") == 1
    assert historic.distance("axis_c", "mandai") == 2
    assert historic.distance("keppel", "blakang_mati") == 1
    assert historic.distance("tengah", "axis_b") is None
    assert historic.distance("changi", "changi") == 0


def test_axes(historic: Board) -> None:
    assert historic.activated == ("axis_a", "axis_b", "axis_c", "axis_f")
    assert historic.landings("axis_b") == ("buloh", "tengah")
    assert historic.axes_at("buloh") == ("axis_b",)
    assert set(historic.places) == {*historic.sectors, *historic.activated}


def test_charts(historic: Board) -> None:
    c = historic.charts
    assert c.dice("J", "elite", "attack") == (8, 6)
    assert c.dice("J", "field", "attack") == ()
    assert c.dice("J", "carrier", "defence") == ()
    assert c.air("B", "fighter") == (8, 6)
    assert [c.strike("attack", "J", "field", face) for face in (8, 9, 10, 11)] == [
        *("miss", "suppressed", "suppressed", "eliminated"),
    ]
    assert c.strike("attack", "A", "fixed_6", 12) == c.strike("defence", "A", "fixed_6", 12) == "eliminated"
    assert c.reach("A", "armoured_car").on_road == 4
    assert c.family("carrier") == "vehicle"


def test_a_chart_without_a_row_borrows_that_of_the_other_role(tmp_path: Path) -> None:
    row = 'strike = [{ role = "attack", army = "B", kind = "fixed_15", remove = true }]'
    c = board(components.load(folder=corrected(tmp_path, row)), "impregnable_fortress").charts
    assert c.strike("attack", "B", "fixed_15", 12) == "eliminated"


def test_the_calendar(historic: Board) -> None:
    assert [historic.date(n) for n in (1, 2, 3, 5, 15, 16, 17, 18, 21)] == [
        *("8 Feb Night", "9 Feb Day", "9 Feb Night", "10 Feb Night", "15 Feb Night"),
        *("16 Feb Day", "16 Feb Night", "17 Feb Day", "18 Feb Night"),
    ]
    assert historic.night(1)
    assert not historic.night(2)


def test_supplies_and_reinforcements(historic: Board) -> None:
    assert {army: historic.stock(army).supplies for army in historic.order} == {"J": 40, "A": 20, "B": 20}
    assert [historic.collect("J", n) for n in (1, 4, 5, 11, 12, 17, 18, 21)] == [6, 5, 8, 4, 6, 6, 3, 3]
    assert historic.due("J", 5) == ("J-Tank-1", "J-Tank-2", "J-Tank-3", "J-Tank-4")
    assert not any(historic.due(army, n) for army in historic.order for n in range(1, 22) if (army, n) != ("J", 5))


def test_who_stands_where(historic: Board) -> None:
    def there(place: str) -> list[str]:
        return sorted(id for id, unit in historic.units.items() if unit.where == place)

    assert there("pasir_laba") == ["A-Fix6-1", "A-Inf-4"]
    assert there("clementi") == ["B-Carrier-7", "B-Fix15-2", "B-Inf-22"]
    assert there("seletar") == ["B-Carrier-4", "B-Inf-10", "B-Inf-9"]
    assert there("off_map") == ["J-Bmb-1", "J-Bmb-2", "J-Bmb-3", "J-Ftr-1", "J-Ftr-2", "J-Ftr-3", "J-Ftr-4"]
    assert len(there("axis_b")) == 23


def test_the_decks_are_full(historic: Board) -> None:
    assert len(historic.deck("J")) == len(historic.deck("CW")) == 36
    assert historic.deck("CW").count("searchlight") == 3
    assert historic.cards["leaflets"].mission
    assert historic.cards["dalforce"].army == "A"
    assert historic.cards["adnan"].named == "punjabi"
    assert historic.cards["water_cut"].sector in historic.objectives


def test_levels_of_victory_are_listed_from_the_highest(historic: Board) -> None:
    assert [goal.level for goal in historic.goals["J"]] == ["total", "decisive", "victory"]
    assert historic.goals["J"][0].by == 15
    assert historic.goals["A"][-1].units == 12


def test_single_battles(tables: Data) -> None:
    company, battalion, regiment = (muster(tables, id) for id in ("company", "battalion", "regiment"))
    assert company.attack_line == ("J-Elite-1",)
    assert company.charts.dice("B", company.units["B-Carrier-1"].kind, "defence") == (6, 6, 4)
    assert battalion.defence_line == ("A-Inf-1", "A-Inf-2", "A-Vol-1", "A-ArmCar-1")
    assert battalion.bonus == 0
    assert regiment.attack_line == ("J-Elite-1", "J-Inf-1", "J-Tank-1", "J-Inf-2")
    assert regiment.defence_strikes == ("B-FGun-1", "B-Fix6-1", "B-Ftr-1")
    with pytest.raises(Trouble, match="no battle named corps"):
        muster(tables, "corps")


def test_other_campaigns_are_not_there(tables: Data) -> None:
    with pytest.raises(Trouble, match="no campaign named"):
        board(tables, "almost_naked_island")


# --- a corrected copy ---


def corrected(tmp_path: Path, text: str) -> Path:
    (tmp_path / "mine.toml").write_text(f'provenance = "printed"\n{text}', encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('border = [{ a = "kranji", b = "utopia", way = "open" }]', "there is no sector utopia"),
        ('border = [{ a = "mandai", b = "kranji", way = "road" }]', "is drawn 2 times"),
        ('border = [{ a = "kranji", b = "kranji", way = "road" }]', "with itself"),
        ('sector = [{ id = "x", name = "X", owner = "B", road = false }]', "x has no neighbour"),
        ('sector = [{ id = "kranji", road = false }]', "has a road exactly where"),
        (
            'line = [{ out = "tuas", into = "changi", bonus = 1, modes = ["on-road"], name = "X" }]',
            "lies on no border",
        ),
        (
            'line = [{ out = "bukit_batok", into = "clementi", bonus = 1, modes = ["on-road"], name = "X" }]',
            "no road to bar",
        ),
        ('landing = [{ axis = "axis_z", sector = "tuas", bonus = 2 }]', "needs an Axis and a sector"),
        ('strength = [{ army = "J", kind = "field", attack = [6] }]', "artillery cannot attack"),
        ('strength = [{ army = "J", kind = "elite", attack = [6, 8] }]', "largest die first"),
        ('strength = [{ army = "J", kind = "fighter", defence = [6] }]', "no other"),
        ('strength = [{ army = "B", kind = "carrier", remove = true }]', "no row for B carrier"),
        ('strike = [{ role = "attack", army = "J", kind = "field", suppress = 12, eliminate = 9 }]', "is better than"),
        ('reach = [{ army = "J", kind = "elite", range = 1 }]', "only artillery has a range"),
        (
            'place = [{ campaign = "impregnable_fortress", unit = "B-Inf-1", where = "kranji" }]',
            "another army controls",
        ),
        ('place = [{ campaign = "impregnable_fortress", unit = "B-Inf-1", where = "axis_b" }]', "stands on an Axis"),
        ('place = [{ campaign = "impregnable_fortress", unit = "B-Fix9-1", where = "tuas" }]', "each its own"),
        (
            "place = ["
            + ", ".join(
                f'{{ campaign = "impregnable_fortress", unit = "B-Inf-{n}", where = "bedok" }}' for n in range(1, 8)
            )
            + "]",
            "8 ground units in bedok",
        ),
        ('stock = [{ campaign = "impregnable_fortress", army = "A", collect = [1, 2] }]', "2 of 21 periods"),
        ('board = [{ id = "company", attack_line = ["field"] }]', "does not stand on a line"),
        ('board = [{ id = "company", attack_strikes = ["tank"] }]', "does not strike"),
        ('board = [{ id = "battalion", attacker = "A", attack_line = ["infantry"] }]', "do not fight each other"),
        ('card = [{ id = "depot", copies = 4 }]', "37 cards, not 36"),
        ('card = [{ id = "adnan", named = "nobody" }]', "there is no card nobody"),
        ('card = [{ id = "adnan", cancels = [] }]', "Negations cancel"),
    ],
)
def test_a_copy_that_cannot_be_right_is_refused(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(Trouble, match=fault):
        components.load(folder=corrected(tmp_path, text))


def test_a_copy_may_correct_dice(tmp_path: Path) -> None:
    mine = components.load(folder=corrected(tmp_path, 'strength = [{ army = "A", kind = "volunteer", attack = [6] }]'))
    assert muster(mine, "battalion").charts.dice("A", "volunteer", "attack") == (6,)


def test_names_and_outlines_touch_no_digest(tmp_path: Path, tables: Data) -> None:
    text = (
        'sector = [{ id = "kranji", name = "Woodlands", code = "Wdl", at = [1, 2] }]\n'
        'outline = [{ id = "kranji", shape = [[0, 0], [1, 0], [1, 1]] }]'
    )
    mine = components.load(folder=corrected(tmp_path, text))
    assert [table.lines for table in mine.tables()] == [table.lines for table in tables.tables()]


# --- the ledger ---


def test_the_ledger_has_exactly_the_clauses_of_the_inventory() -> None:
    if not RULEBOOK.is_file():
        pytest.skip("the inventory of the rulebook is not beside this checkout")
    chapters = RULEBOOK.read_text(encoding="utf-8").partition("## 1. Clauses")[2].partition("### 1.28")[0]
    lines = [line for line in chapters.splitlines() if line.startswith("| ") and not line.startswith("| id |")]
    ids = [line.split("|")[1].strip() for line in lines]
    assert list(clauses(components.__file__)) == ids
    assert len(ids) == 511


def test_every_ruling_is_there() -> None:
    found = rulings(components.__file__)
    assert list(found) == [f"R{n}" for n in range(1, 100)]
    assert {id: ruling.option for id, ruling in found.items() if ruling.option} == {"R15": "r15"}


# --- the pictures ---


def opening(b: Board) -> Seen:
    units = tuple(Stand(u.unit, u.army, u.kind, "pool" if u.due else u.where) for u in b.units.values())
    control = {id: sector.owner for id, sector in b.sectors.items()}
    return Seen(board=b, period=1, army="J", step="moves", control=control, units=units)


def landing(b: Board) -> Seen:
    """A position with everything that can be drawn."""
    s = opening(b)
    to = {"J-Elite-1": "buloh", "J-Inf-1": "buloh", "J-Inf-2": "tengah", "J-Inf-17": "tuas", "B-Inf-3": "repair"}
    units = tuple(replace(u, where=to.get(u.id, u.where)) for u in s.units)
    units = tuple(replace(u, where="buloh", condition="airborne") if u.kind == "bomber" else u for u in units)
    return replace(
        s,
        period=2,
        units=units,
        control={**s.control, "tuas": "J"},
        contested=frozenset({"buloh", "tengah"}),
        moves=(Moved("J", ("axis_b", "buloh"), "attack"), Moved("J", ("axis_b", "tengah"), "fire")),
        supplies={"J": 38},
        hand=("leaflets", "stores", "stores"),
        hands={"J": 3, "A": 1, "B": 1},
        events=("Monsoon Rain: nobody sends aircraft out",),
    )


def test_neighbours_share_a_stretch_of_outline_and_others_do_not(historic: Board) -> None:
    s = opening(historic)
    apart = {frozenset(("keppel", "blakang_mati"))}
    apart |= {frozenset(("south_west_islands", id)) for id in ("tuas", "clementi")}
    apart |= {frozenset(("north_east_islands", id)) for id in ("pasir_ris", "changi")}
    for a in historic.sectors:
        for b in historic.sectors:
            if a < b:
                touch = len(drawing.shared(s.board, a, b)) > 1
                assert touch == (historic.step(a, b) is not None and frozenset((a, b)) not in apart), (a, b)


def test_the_map_is_sound_and_fits_a_terminal(historic: Board) -> None:
    for s in (opening(historic), landing(historic)):
        v = picture.view(s)
        for drawn in v.pictures:
            ElementTree.fromstring(report.svg(drawn, "field-command"))
            assert max(map(len, drawn.text)) <= 78
            assert max(len(words) for _, words in drawn.legend) <= 14  # three columns
        for grid in v.grids:
            assert all(len(row) == len(grid.columns) for row in grid.rows)
            widths = [max(map(len, column)) for column in zip(grid.columns, *grid.rows, strict=True)]
            assert sum(widths) + 2 * (len(widths) - 1) <= 78, grid.title


def test_everything_is_named_and_counted(historic: Board) -> None:
    drawn = picture.view(landing(historic)).pictures[0]
    told = " ".join(mark.title for mark in drawn.marks if isinstance(mark, Counter))
    for id, unit in historic.units.items():
        assert (id in told) == (not unit.due and id != "B-Inf-3"), id
    labels = {mark.text for mark in drawn.marks if isinstance(mark, Label)}
    assert {"Kranji", "Sembawang", "A!", "Axis B", "Axis I"} <= labels
    assert {mark.style for mark in drawn.marks if isinstance(mark, Area)} >= {
        *("sector-J", "sector-A", "sector-B", "contested", "arrow", "arrow-shut", "star", "crate", "runway", "gun"),
        *("fort", "day", "night"),
    }
    assert {mark.style for mark in drawn.marks if isinstance(mark, Line)} == {"way", "stream", "crossing"}
    for id, sector in historic.sectors.items():
        assert any(line.startswith(f"{sector.code} {sector.name}") for line in drawn.text), id


def test_facts_and_tables_of_the_campaign(historic: Board) -> None:
    v = picture.view(landing(historic))
    assert v.headline == "9 Feb Day: Japanese turn, moves"
    facts = dict(v.facts)
    assert facts["objectives"] == "Bukit Timah (B), City (B), MacRitchie (B)"
    assert facts["Australian victory"] == "12 units left at the end"
    assert facts["Japanese supplies"] == "38"
    grids = {grid.title.split()[0]: grid for grid in v.grids}
    assert ("Captured Stores x2", "supply", "If you took a Commonwealth") in grids["Your"].rows
    assert ("Buloh !", "Australian", "A: 2 Inf, Vol") in grids["Sectors"].rows
    assert ("", "", "J: Elite, Inf, 3 Bmb in the air") in grids["Sectors"].rows
    assert ("to come", "J: 4 Tank") in grids["Off"].rows


def fight(tables: Data) -> Battle:
    field = muster(tables, "regiment")
    c = field.charts

    def fighters(ids: tuple[str, ...], role: rows.Role) -> tuple[Fighter, ...]:
        pieces = [field.units[id] for id in ids]
        return tuple(
            Fighter(p.id, p.army, p.kind, c.dice(p.army, p.kind, role) or c.air(p.army, p.kind)) for p in pieces
        )

    return Battle(
        charts=c,
        title="Regiment Commander",
        attacker=field.attacker,
        defender=field.defender,
        step="the attacker chooses a tactic",
        tactic="Flanking Manoeuvre",
        bonus=1,
        paired=True,
        rounds=1,
        attack_line=fighters(field.attack_line, "attack"),
        defence_line=fighters(field.defence_line, "defence"),
        attack_strikes=fighters(field.attack_strikes, "attack"),
        defence_strikes=fighters(field.defence_strikes, "defence"),
        gone=(Fighter("B-Inf-3", "B", "infantry", (6, 6), condition="suppressed"),),
        rolls=(Rolls("round 1", (5, 2), (5, 1), "5 against 5\u00bd: the defender wins by \u00bd"),),
    )


def test_the_combat_board_is_drawn_and_told(tables: Data, historic: Board) -> None:
    v = picture.battle_view(fight(tables))
    (drawn,) = v.pictures
    ElementTree.fromstring(report.svg(drawn, "field-command"))
    assert max(map(len, drawn.text)) <= 78
    assert "  support  J-Inf-1        d6 d6 d4, 0 of 2 attacks used" in drawn.text
    assert "gone: B-Inf-3 suppressed" in drawn.text
    axis, strikes = v.grids
    assert axis.rows[0] == ("point", "J-Elite-1", "d8 d6", "0", "B-Inf-1", "d6 d6")
    assert ("B-Fix6-1", "ready", "1-7", "8-10", "11-12") in strikes.rows
    assert ("B-Ftr-1", "ready", "1-9", "10-11", "12") in strikes.rows
    board_and_map = picture.view(replace(opening(historic), battles=(fight(tables),))).pictures
    assert [one.name for one in board_and_map] == ["map", "battle"]


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0"), (1, "\u00bd"), (2, "1"), (5, "2\u00bd"), (-1, "-\u00bd"), (-2, "-1")]
)
def test_halves_in_words(number: int, words: str) -> None:
    assert terms.halves(number) == words
