"""Glory Recalled: what the data say, what a corrected copy may not break, and what the reader's pictures show."""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from math import hypot
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pbem import report
from pbem.api import Area, Counter, Label, Option, View
from pbem.errors import Trouble
from rules.glory_recalled import components, printed, rows, terms
from rules.glory_recalled.components import Board, board
from rules.glory_recalled.drawing import LEGEND
from rules.glory_recalled.ground import DISC
from rules.glory_recalled.options import HQ_OPTION, MAP_OPTIONS
from rules.glory_recalled.picture import Combat, Moved, Piece, Seen, view
from rules.kit.data import Data

SCENARIOS = ("standard", "kowloon", "island", "free")
OWN_MAP: Mapping[str, str] = {}


@pytest.fixture(scope="module")
def tables() -> Data:
    return components.load()


@pytest.fixture(scope="module")
def standard(tables: Data) -> Board:
    return board(tables, "standard", OWN_MAP)


# --- facts ---


def test_everything_printed_is_so(tables: Data) -> None:
    assert list(printed.check_printed(tables)) == []


def test_the_map_has_its_spaces_and_links(tables: Data) -> None:
    assert len(tables[rows.SPACE]) == 85
    assert Count(link.way for link in tables[rows.LINK]) == {"road": 51, "path": 100}
    assert Count(space.region for space in tables[rows.SPACE]) == {"north": 18, "line": 10, "kowloon": 17, "island": 40}


def test_links_go_both_ways(standard: Board) -> None:
    for id in standard.spaces:
        for link in standard.links(id):
            assert standard.way(link.to, id) == standard.way(id, link.to) == link.way


def test_batteries_are_black_and_grey(standard: Board) -> None:
    black = standard.spaces_of("battery")
    assert black == ("K15", "K16", "H01", "H02", "H13", "H14")
    assert standard.spaces_of("heavy_battery") == ("H15", "H18", "H27", "H28", "H31")
    assert all(standard.takes_marker(id) for id in standard.batteries)


def test_roads_and_piers_where_the_rules_need_them(standard: Board) -> None:
    assert standard.spaces_of("pier", "kowloon") == ("K04", "K07", "K08", "K17")
    assert {box.space for box in standard.boxes.values() if box.south} == {"H26", "H32"}
    assert standard.way("K04", "K16") == "path"
    assert standard.way("K04", "H04") == ""
    assert standard.on_road("K04")
    assert not standard.on_road("K16")
    room = {to for pier in standard.spaces_of("pier", "kowloon") for to in (pier, *standard.adjacent(pier))}
    assert 2 * len(room) >= standard.game.boxes * standard.game.box_units  # three full boxes can be boarded


def test_units_by_side_and_strength(standard: Board) -> None:
    assert Count(unit.seat for unit in standard.units.values()) == {"japan": 40, "british": 34}
    assert {(u.front, u.back) for u in standard.units.values() if u.seat == "japan"} == {(4, 2)}
    assert standard.units["228-5"].battalion == "228/2"
    assert standard.formation("66") == ("66-1", "66-2", "66-3", "66-4")


def test_the_decks_before_and_after_the_fall(standard: Board) -> None:
    for seat in ("japan", "british"):
        assert len(standard.deck(seat)) == 38
        assert len(standard.deck(seat, marked=True)) == 12
    assert standard.deck("japan", marked=True).count("JA4") == 4
    assert "JA4" not in standard.deck("japan")
    assert "BA6" not in standard.deck("british")
    assert Count(card.green for card in standard.cards.values()) == {False: 38, True: 4}


def test_uses_of_cards(standard: Board) -> None:
    bombard = standard.play("JS1", "action")
    assert bombard is not None
    assert (bombard.do, bombard.success, bombard.grey) == ("bombard", 5, "landed")
    assert standard.play("JS5", "action") is None
    assert {play.use for play in standard.plays["BA7"]} == {"action", "combat"}
    triggers = {trigger for plays in standard.plays.values() for play in plays for trigger in play.trigger}
    assert triggers == {"activation", "amphibious", "sea_transport", "bombard_air"}


def test_points_are_halves(standard: Board) -> None:
    assert standard.halves == {
        **{"reservoir": 6, "battery": 8, "hq": 8, "destroyed": 4},
        **{"leader": 4, "objective": 2, "unit": 1},
    }


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_ready_made_set_ups_place_everything(tables: Data, scenario: str) -> None:
    b = board(tables, scenario, OWN_MAP)
    assert set(b.deployed_pieces()) == set(b.deployment)
    assert not any(piece.startswith("66-") for piece in b.deployment)


def test_the_short_scenario_has_no_island_brigade(tables: Data) -> None:
    b = board(tables, "kowloon", OWN_MAP)
    pieces = b.deployed_pieces()
    assert "2RS-A" in pieces
    assert "1M-A" not in pieces
    assert "DI-1" not in pieces
    assert "fort-5" not in pieces


def test_where_the_set_up_may_place_pieces(tables: Data, standard: Board) -> None:
    assert standard.may_stand("228-1") == standard.brown
    assert "K16" in standard.may_stand("2RS-A")
    assert set(standard.may_stand("2RS-A")).isdisjoint(standard.brown)
    assert set(standard.may_stand("DI-1")) == set(standard.spaces_in("island"))
    assert "H32" not in standard.may_stand("fort-6")
    free = board(tables, "free", OWN_MAP)
    assert {"H01", "G01"} <= set(free.may_stand("2RS-A"))
    island = board(tables, "island", OWN_MAP)
    assert {"N01", "K07"} <= set(island.may_stand("228-1"))


# --- other readings of the map ---


@pytest.mark.parametrize(("option", "value"), [(o.name, v) for o in MAP_OPTIONS for v in o.values if v != o.default])
def test_every_other_reading_changes_the_map(tables: Data, standard: Board, option: str, value: str) -> None:
    assert board(tables, "standard", {option: value}).spaces != standard.spaces


@pytest.mark.parametrize("option", MAP_OPTIONS, ids=lambda option: str(option.name))
def test_the_default_reading_changes_nothing(tables: Data, standard: Board, option: Option) -> None:
    assert board(tables, "standard", {option.name: option.default}).spaces == standard.spaces


def test_a_space_of_two_kinds_takes_the_higher_bonus(tables: Data) -> None:
    b = board(tables, "standard", {"opt_kowloon_reservoir": "shing-mun"})
    assert b.space("G03").kinds == {"gdl", "reservoir"}
    assert b.space_bonus("G03") == 3


def test_the_bonus_of_the_hq_can_be_chosen(tables: Data, standard: Board) -> None:
    assert standard.space_bonus("H05") == 3
    assert board(tables, "standard", {HQ_OPTION.name: "4"}).space_bonus("H05") == 4


# --- a corrected copy ---


def corrected(tmp_path: Path, text: str) -> Path:
    (tmp_path / "mine.toml").write_text(f'provenance = "printed"\n{text}', encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('link = [{ a = "K04", b = "H04", way = "path" }]', "crosses the harbour"),
        ('link = [{ a = "K04", b = "K99", way = "path" }]', "there is no space K99"),
        ('link = [{ a = "K01", b = "G05", way = "path" }]', "is drawn 2 times"),
        ('link = [{ a = "K04", b = "K04", way = "path" }]', "with itself"),
        (
            'space = [{ id = "X1", name = "X", region = "north", half = "kowloon", terrain = "clear" }]',
            "X1 has no link",
        ),
        ('box = [{ id = "L8", name = "Peak", space = "H20" }]', "no coast of the Island"),
        ('bonus = [{ kind = "urban", remove = true }]', "no defence bonus for urban"),
        ('card = [{ id = "JA1", marked = 5 }]', "5 of 4 copies"),
        ('card = [{ id = "BE3", green = false }]', "green cards react"),
        (
            'play = [{ card = "BE3", use = "event", do = "demolitions", trigger = ["activation"], text = "" }]',
            "trigger",
        ),
        ('deploy = [{ scenario = "standard", piece = "228-1", space = "N18" }]', "3 units on N18"),
        ('change = [{ option = "opt_fourth_battery", value = "none", space = "H02" }]', "has no other value none"),
        ('game = { british_goal = 45, fall_british_card = "JA4" }', "which its deck does not have"),
    ],
)
def test_a_copy_that_cannot_be_right_is_refused(tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(Trouble, match=fault):
        components.load(folder=corrected(tmp_path, text))


def test_a_copy_may_correct_a_strength(tmp_path: Path) -> None:
    tables = components.load(folder=corrected(tmp_path, 'unit = [{ id = "2RS-A", front = 5 }]'))
    assert board(tables, "standard", OWN_MAP).units["2RS-A"].front == 5


def test_names_and_places_touch_no_digest(tmp_path: Path, tables: Data) -> None:
    mine = components.load(folder=corrected(tmp_path, 'space = [{ id = "K04", name = "Shamshuipo", at = [1, 2] }]'))
    assert [table.lines for table in mine.tables()] == [table.lines for table in tables.tables()]


# --- the drawing ---


def places(b: Board, half: rows.Half) -> dict[str, tuple[float, float]]:
    return {id: (b.space(id).at[0] / 10, b.space(id).at[1] / 10) for id in b.spaces_in(half)}


@pytest.mark.parametrize("half", ["kowloon", "island"])
def test_spaces_and_links_keep_clear_of_each_other(standard: Board, half: rows.Half) -> None:
    at = places(standard, half)
    for a, b in combinations(at, 2):
        assert hypot(at[a][0] - at[b][0], at[a][1] - at[b][1]) > 2.4 * DISC, (a, b)
    links = [(a, link.to) for a in at for link in standard.links(a) if a < link.to]
    for (a, b), (c, d) in combinations(links, 2):
        if not {a, b} & {c, d}:
            assert not (apart(at[a], at[b], at[c], at[d]) and apart(at[c], at[d], at[a], at[b])), (a, b, c, d)
    for a, b in links:
        for id in at.keys() - {a, b}:
            assert beside(at[id], at[a], at[b]) > DISC, (id, a, b)


Point = tuple[float, float]


def apart(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether c and d lie on different sides of the line through a and b."""

    def side(p: Point) -> float:
        return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])

    return side(c) * side(d) < 0


def beside(p: Point, a: Point, b: Point) -> float:
    """How far p lies from the stretch from a to b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    u = max(0.0, min(1.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)))
    return hypot(p[0] - a[0] - u * dx, p[1] - a[1] - u * dy)


def seen(b: Board, reader: str) -> Seen:
    """The ready-made set-up as a reader sees it; the public is told nothing of British counters."""
    pieces: dict[str, tuple[Piece, ...]] = {}
    for n, (piece, space) in enumerate(b.deployment.items()):
        if piece.startswith("fort"):
            continue
        if b.seat(piece) == "british" and reader != "british" and piece not in b.leaders:
            one = Piece("british", "hidden", f"army/1/{n}")
        elif piece in b.units:
            one = Piece(b.seat(piece), "unit", piece, b.units[piece].front)
        elif piece in b.leaders:
            one = Piece(b.seat(piece), "leader", piece, b.leaders[piece].value)
        else:
            one = Piece("british", "dummy", piece)
        pieces[space] = (*pieces.get(space, ()), one)
    return Seen(
        board=b,
        turn=b.setup.start,
        step="action phase, round 1",
        reader=reader,
        pieces=pieces,
        forts=frozenset(space for piece, space in b.deployment.items() if piece.startswith("fort")),
        control={id: "british" for id in b.spaces if b.takes_marker(id)},
        points={"japan": 3, "british": 8},
        hands={"japan": 10, "british": 8},
        hand=("BA5", "BS1", "BS1") if reader == "british" else (),
    )


def said(v: View) -> str:
    """Everything that a view says, drawn or written."""
    drawn = [report.svg(picture, "glory-recalled") for picture in v.pictures]
    cells = [cell for grid in v.grids for row in grid.rows for cell in row]
    return "\n".join((*drawn, *cells, *(line for picture in v.pictures for line in picture.text), *map(str, v.facts)))


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("reader", ["", "japan", "british"])
def test_pictures_are_sound_and_fit_a_terminal(tables: Data, scenario: str, reader: str) -> None:
    v = view(seen(board(tables, scenario, OWN_MAP), reader))
    assert [picture.name for picture in v.pictures] == ["kowloon", "island"]
    for picture in v.pictures:
        ElementTree.fromstring(report.svg(picture, "glory-recalled"))
        assert max(map(len, picture.text)) <= 78
        assert max(len(words) for _, words in picture.legend) <= 14  # three columns
    for grid in v.grids:
        assert all(len(row) == len(grid.columns) for row in grid.rows)


def test_every_space_is_named_on_its_sheet_and_in_its_text(standard: Board) -> None:
    for picture, half in zip(view(seen(standard, "")).pictures, ("kowloon", "island"), strict=True):
        codes = {mark.text.split()[0] for mark in picture.marks if isinstance(mark, Label)}
        listed = {line[:3] for line in picture.text}
        for id in standard.spaces_in(half):
            assert id in codes
            assert id in listed


def test_the_public_is_told_no_british_counter(standard: Board) -> None:
    told = said(view(seen(standard, "")))
    for id, unit in standard.units.items():
        if unit.seat == "british":
            assert id not in told
    assert "228-1" in told
    assert "DM-1" not in told
    assert "2RS-A" in said(view(seen(standard, "british")))


def test_what_a_hidden_counter_is_called_makes_no_difference(standard: Board) -> None:
    s = seen(standard, "")
    others = {
        place: tuple(replace(piece, name="army/9/9") if piece.what == "hidden" else piece for piece in pieces)
        for place, pieces in s.pieces.items()
    }
    assert said(view(s)) == said(view(replace(s, pieces=others)))


def test_conditions_are_signs_and_words(standard: Board) -> None:
    piece = Piece("japan", "unit", "228-1", 2, disrupted=True, spent=True, unsupplied=True)
    s = replace(seen(standard, "japan"), pieces={"K04": (piece,)})
    v = view(s)
    counter = next(m for m in v.pictures[0].marks if isinstance(m, Counter) and m.text == "228-1")
    assert counter.marks == ("disrupted", "spent", "out of supply")
    assert ("D", "Disrupted") in v.pictures[0].legend
    assert terms.brief(piece) == "228-1 2 DSO"
    assert "    Japanese 228-1 2 DSO" in v.pictures[0].text


def test_a_leader_is_told_from_a_unit(standard: Board) -> None:
    leader = Piece("british", "leader", "Wallis", 1, replacement=True)
    v = view(replace(seen(standard, "british"), pieces={"K01": (leader,)}))
    counter = next(m for m in v.pictures[0].marks if isinstance(m, Counter) and m.text == "Wallis")
    assert counter.side == "british-leader"
    assert counter.title == "British leader Wallis, leadership 1, replacement, in K01 Kowloon Reservoir"


def test_markers_and_control_are_drawn(standard: Board) -> None:
    s = replace(
        seen(standard, ""),
        pieces={"H13": (Piece("japan", "unit", "228-1", 4),)},
        beachheads=frozenset({"H13"}),
        destroyed=frozenset({"H01"}),
        markers=frozenset({"K04"}),
        control={"K04": "japan", "H13": "japan", "H23": "japan"},
    )
    mainland, island = view(s).pictures
    assert any("control marker" in m.title for m in mainland.marks if isinstance(m, Counter))
    assert any("under Japanese control" in m.title for m in island.marks if isinstance(m, Counter))
    assert any(isinstance(m, Area) and m.style == "beachhead" for m in island.marks)
    assert {"area:beachhead", "line:crossed", "counter:flag"} <= {sign for sign, _ in island.legend}
    assert any(line.startswith("H01 Mount Davis") and "+2:" in line for line in island.text)


def test_a_full_landing_box_and_a_full_beachhead(standard: Board) -> None:
    crowd = tuple(Piece("japan", "unit", f"228-{n}", 4) for n in range(1, 9))
    leader = Piece("japan", "leader", "Doi", 2)
    s = replace(seen(standard, ""), pieces={"L3": (*crowd, leader), "H13": crowd}, beachheads=frozenset({"H13"}))
    island = view(s).pictures[1]
    drawn = [m for m in island.marks if isinstance(m, Counter) and m.side.startswith("japan")]
    assert len(drawn) == 17
    for a, b in combinations(drawn, 2):
        assert "leader" in a.side + b.side or abs(a.x - b.x) >= a.size - 0.01 or abs(a.y - b.y) >= a.size - 0.01


def test_moves_are_arrows_on_their_own_sheet(standard: Board) -> None:
    moves = (Moved("japan", ("N01", "G01", "K03")), Moved("japan", ("K07", "L3"), "move"))
    s = replace(seen(standard, ""), moves=moves)
    arrows = [[m.title for m in p.marks if type(m).__name__ == "Arrow"] for p in view(s).pictures]
    assert [len(found) for found in arrows] == [2, 0]


def test_a_combat_is_explained_line_by_line(standard: Board) -> None:
    lines = (("228-1", 4, None), ("2RS-A", None, 3), ("Fortified", None, 5))
    s = replace(seen(standard, ""), combats=(Combat("G03", "japan", "cards are chosen", lines),))
    grid = view(s).grids[0]
    assert grid.title == "Combat for G03 Shing Mun Redoubt: cards are chosen"
    assert grid.columns == ("what counts", "Japanese attack", "British defence")
    assert grid.rows[-1] == ("total", "4", "8")


def test_cards_in_hand_are_told_in_words(standard: Board) -> None:
    grid = next(grid for grid in view(seen(standard, "british")).grids if grid.title == "Your cards")
    assert ("Artillery Support +3 x2", "in combat: +3; +2 once five batteries are lost.") in grid.rows


@pytest.mark.parametrize(("turn", "day"), [(10, "10 December 1941"), (31, "31 December 1941"), (32, "1 January 1942")])
def test_boxes_of_the_track_are_days(turn: int, day: str) -> None:
    assert terms.date(turn) == day


@pytest.mark.parametrize(("halves", "words"), [(0, "0"), (1, "\u00bd"), (25, "12\u00bd"), (90, "45"), (-3, "-1\u00bd")])
def test_points_in_words(halves: int, words: str) -> None:
    assert terms.points(halves) == words


def test_every_legend_sign_has_a_look() -> None:
    style = (Path(report.__file__).parent.parent / "templates/glory-recalled/style.svg.jinja").read_text("utf-8")
    for sign in LEGEND:
        assert f'"{sign.partition(":")[2]}"' in style, sign
