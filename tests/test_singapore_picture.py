"""Singapore (1984): what the maps and tables of a report show, and that they are drawn quickly."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import process_time
from xml.etree import ElementTree

import pytest

from pbem import report
from pbem.api import Area, Arrow, Counter, Grid, Label, Line, Picture, View, silent
from pbem.themes import themed
from rules.singapore_1984 import components, drawing, ground, island, look, sheet, supply
from rules.singapore_1984.board import Board
from rules.singapore_1984.components import board
from rules.singapore_1984.rows import LETTERS
from rules.singapore_1984.state import Attack, Battle, State, begin

GAME = "singapore-1984"


@pytest.fixture(scope="module")
def main() -> Board:
    return board(components.load())


def placed(main: Board, **units: str) -> State:
    """Only these units on the maps."""
    s = begin(main, {})
    for id in s.pieces:
        s.change(id, at="dead")
    for name, hex in units.items():
        unit = name.removeprefix("_").replace("__", "/")
        s.change(unit, at=hex)
        s.through[hex] = s.side(unit)
    return s


@pytest.fixture
def busy(main: Board) -> State:
    """An attack in the north, a unit without supply, points on the account."""
    s = placed(main, _11__5="0105", _41__5="0204", _6IND="0205", _15IND="0205", _22AUS="1616", AR1="0202")
    s.turn, s.phase, s.step = 2, "combat", "fight"
    s.used = {"east-infantry": 3, "air-jp": 4}
    s.change("15IND", reduced=True)
    s.change("22AUS", oos=True)
    s.attacks = [Attack(("0205",), ("11/5", "41/5"), air=4)]
    s.points, s.account = 11, {"penang": 25, "losses-jp": -34, "losses-cw": 20}
    return s


@pytest.fixture
def assault(main: Board) -> State:
    """The second pulse of an assault."""
    s = placed(main, _11__5="1726", _4IG="1825", _56__18="1926", _1BR="1826", _2BR="1826")
    island.declare(s, silent)
    s.turn, s.assault, s.pulse, s.phase, s.step = 10, 9, 2, "combat", "declare"
    for unit, hex in {"11/5": "i1706", "4IG": "i1605", "56/18": "i2106", "1BR": "i1705", "2BR": "i2004"}.items():
        s.change(unit, at=hex)
    s.control["i1706"] = "jp"
    s.attacks = [Attack(("i1705",), ("11/5", "4IG"))]
    return s


def seen(s: State) -> View:
    return look.view(s, "jp", {})


def of(picture: Picture, kind: type[Area | Line | Label | Counter | Arrow], style: str) -> list[object]:
    return [m for m in picture.marks if isinstance(m, kind) and getattr(m, "style", getattr(m, "side", "")) == style]


def labels(picture: Picture) -> set[str]:
    return {mark.text for mark in picture.marks if isinstance(mark, Label)}


def table(v: View, title: str) -> Grid:
    return next(grid for grid in v.grids if grid.title.startswith(title))


# --- the maps ---


def test_the_set_up_is_one_map(main: Board) -> None:
    s = begin(main, {})
    v = seen(s)
    assert [picture.name for picture in v.pictures] == ["whole"]
    whole = v.pictures[0]
    stacks = [mark for mark in whole.marks if isinstance(mark, Counter)]
    assert len(stacks) == len({piece.at for piece in s.pieces.values() if piece.at not in ("pool", "off", "dead")})
    assert len(of(whole, Area, "flag-jp")) == 2  # Singora and Patani [3.0g]
    assert len(of(whole, Area, "flag-cw")) == 20  # [3.0f]
    assert len(of(whole, Area, "ship")) == sum(place.port for place in main.places.values() if place.id[0] != "i")
    assert {"Penang", "Kota Bharu", "Mersing", "0719", "1826", "SOUTH"} <= labels(whole)
    assert "Even columns" in "\n".join(whole.text)


def test_the_turn_track_stands_in_the_sea(main: Board) -> None:
    s = begin(main, {})
    s.turn = 10
    whole = seen(s).pictures[0]
    boxes = of(whole, Area, "box")
    assert len(boxes) == 26
    assert "turn 10, 9 February 1942: 110 points, 8 air points" in {box.name for box in boxes}  # type: ignore[attr-defined]
    (now,) = of(whole, Area, "now")
    assert now.name == "turn 10"  # type: ignore[attr-defined]
    assert now.points in {box.points for box in boxes}  # type: ignore[attr-defined]
    assert {"26", "110 pts", "12 air"} <= labels(whole)


def test_a_part_shows_where_enemies_meet(busy: State) -> None:
    part, whole = seen(busy).pictures
    assert (part.name, whole.name) == ("part", "whole")
    assert part.title == "Singora - Penang, Turn 2, 15 December 1941"
    stack = next(m for m in part.marks if isinstance(m, Counter) and m.title.startswith("0205"))
    assert (stack.value, stack.text, stack.marks) == ("5-8", "6IND+1", ("reduced",))  # 4-5 and 1-3
    assert "Commonwealth infantry brigade 15IND 1-3-6, reduced" in stack.title
    assert len(of(part, Area, "battle")) == 1
    assert {arrow.title for arrow in part.marks if isinstance(arrow, Arrow)} == {
        *("11/5+41/5 attack 0205 from 0105", "11/5+41/5 attack 0205 from 0204"),
    }
    assert of(part, Line, "prepared")
    assert ("R", "Reduced") in part.legend
    assert "0205 Jitra, Commonwealth: 6IND 4-5-6, 15IND 1-3-6 R" in part.text


def test_supply_lines_are_drawn_when_a_unit_has_none(main: Board, busy: State) -> None:
    whole = seen(busy).pictures[-1]  # 22AUS has none
    said = {line.name: line for line in whole.marks if isinstance(line, Line) and line.style == "supply"}
    assert any(name.startswith("0205: supply by 0205-") and name.endswith("-1826") for name in said)
    assert not any(name.startswith(("0105", "0202", "0204")) for name in said)  # Japan's are not asked for
    assert ("line:supply", "Supply line") in whole.legend
    quiet = begin(main, {})
    assert not any(of(picture, Line, "supply") for picture in seen(quiet).pictures)
    assert any(of(picture, Line, "supply") for picture in drawing.pictures(quiet, ("cw",)))


def test_a_supply_line_ends_at_the_source(main: Board) -> None:
    s = placed(main, _11__5="0202", _22AUS="1822")
    s.through.update(dict.fromkeys(("0101", "0201"), "jp"))
    japan, commonwealth = supply.Lines(s, "jp"), supply.Lines(s, "cw")
    assert supply.line(s, "11/5", japan)[-1] in ("0101", "0302")
    assert supply.line(s, "22AUS", commonwealth) == ("1822", "1823", "1824", "1825", "1826")
    s.change("11/5", at="1825")  # on the road
    assert supply.line(s, "22AUS", supply.Lines(s, "cw")) == ()


def test_the_island_has_the_north_above(assault: State) -> None:
    inset = next(picture for picture in seen(assault).pictures if picture.name == "island")
    assert inset.title == "Singapore Island, Turn 10, 9 February 1942"
    at = {mark.title.split(":")[0].split()[0]: mark for mark in inset.marks if isinstance(mark, Counter)}
    assert at["i1706"].y < at["i2004"].y < at["i2106"].y  # Woodlands, the city, the sea off it
    assert at["i1706"].x < at["i1705"].x < at["i2004"].x + 1  # first digits south, last digits west
    assert at["i2106"].marks == ("landing",)
    assert at["i1605"].side == "guards"
    assert of(inset, Line, "fortified")
    assert of(inset, Area, "closed")
    assert len(of(inset, Area, "hex")) == len(assault.board.grids["inset"].hexes)
    assert {"i2105", "Keppel Harbour"} <= labels(inset)
    assert of(inset, Area, "flag-jp")


def test_the_island_comes_when_it_matters(main: Board, assault: State) -> None:
    assert seen(assault).pictures[0].name == "island"  # first in a pulse
    assault.pulse = 0
    assert seen(assault).pictures[-1].name == "island"
    assert not any(picture.name == "island" for picture in seen(placed(main, _11__5="1422")).pictures)
    assert any(picture.name == "island" for picture in seen(placed(main, _11__5="1724")).pictures)


def test_ways_of_retreat(busy: State) -> None:
    busy.battle = Battle(busy.attacks.pop(), "maneuver", 4, 2, 6, "D2", stages=("advance",))
    busy.battle.paths = (("0205", "0206", "0207"),)
    part = seen(busy).pictures[0]
    assert [line.name for line in of(part, Line, "way")] == ["retreat 0205-0206-0207"]  # type: ignore[attr-defined]


def test_every_sign_has_a_look() -> None:
    templates = Path(report.__file__).parent.parent / "templates"
    looks = (templates / GAME / "style.svg.jinja").read_text("utf-8") + (templates / "style.svg.jinja").read_text(
        "utf-8"
    )
    for sign, words in drawing.LEGEND:
        assert f'"{sign.partition(":")[2]}"' in looks, sign
        assert len(words) <= 14, words
    assert set(ground.STYLES) == set(LETTERS)
    assert len({word[0] for word in drawing.SIGNS}) == len(drawing.SIGNS)


def test_every_map_is_drawn_for_screen_and_paper(busy: State, assault: State) -> None:
    for s in (busy, assault):
        for number, picture in enumerate(seen(s).pictures):
            svg = report.svg(picture, GAME, inline=number)
            for theme in ("light", "print"):
                assert ElementTree.fromstring(themed(svg, theme)).tag.endswith("svg")


def test_small_shapes_stand_in_the_legend_as_on_the_map(assault: State) -> None:
    inset = next(picture for picture in seen(assault).pictures if picture.name == "island")
    laid = report.layout(inset)
    entry = next(one for one in laid["legend"] if one["words"] == "Port")
    assert len(entry["points"]) == len(ground.SHIP)
    assert next(one for one in laid["legend"] if one["words"] == "Swamp")["points"] == []


def test_it_is_quick(busy: State, assault: State) -> None:
    seen(busy)
    seen(assault)  # the ground is drawn once
    for s in (busy, assault):
        best = {"view": 9.0, "svg": 9.0}
        for _ in range(5):
            begun = process_time()
            v = seen(s)
            best["view"] = min(best["view"], process_time() - begun)
            begun = process_time()
            svg = report.svg(next(picture for picture in v.pictures if picture.name == "whole"), GAME)
            best["svg"] = min(best["svg"], process_time() - begun)
        assert best["view"] < 0.15
        assert best["svg"] < 0.15
        assert len(svg) < 260_000


# --- text and tables ---


def lines(v: View) -> Iterator[str]:
    for picture in v.pictures:
        yield from picture.text


def test_text_fits_into_78_columns(main: Board, busy: State, assault: State) -> None:
    for s in (begin(main, {}), busy, assault):
        v = seen(s)
        assert max(map(len, lines(v))) <= 78
        assert all(line.isascii() for line in lines(v))
        for grid in v.grids:
            wide = [max(len(row[n]) for row in (grid.columns, *grid.rows)) for n in range(len(grid.columns))]
            assert sum(wide) + 2 * (len(wide) - 1) <= 78, grid.title


def test_the_map_in_letters(busy: State) -> None:
    whole = list(next(p for p in seen(busy).pictures if p.name == "whole").text)
    at = whole.index("") + 2  # the head of columns, then two lines a row
    assert whole[at + 8].startswith("05  J2    p     p")  # 0105, 0305 and 0505, upper line of row 05
    assert whole[at + 9].startswith("       C5")  # 0205, lower line: 3 and 2 points
    assert any("C3*" in line for line in whole)  # 22AUS has no supply


def test_the_island_in_letters(assault: State) -> None:
    text = sheet.island(assault)
    head = next(n for n, line in enumerate(text) if line.split()[:1] == ["09"])
    rows = {line[:2]: line for line in text[head + 1 :]}
    # 1706 and 1705 stand side by side, the west at the left; 1605 is half a hex to the left of the line above them
    assert rows["17"].split()[4:6] == ["J4", "C6"]
    assert rows["16"].startswith("16    -  ")
    assert rows["15"].startswith("15       -")


def test_an_attack_can_be_added_up(busy: State) -> None:
    rows = table(seen(busy), "Attack on 0205 Jitra").rows
    # two regiments over a prepared line, 10 halved each [9.22], four air points; 6IND 5 and the reduced 15IND 3
    assert rows[0] == ("attack", "11/5 5 (half, 9.22) + 41/5 5 (half, 9.22) + air 4 = 14")
    assert rows[1] == ("defense", "6IND 5 + 15IND 3 = 8")
    # plantation or mixed: +6 stands in the column of 6 to 8
    row = busy.board.row("0205")
    column = next(n for n, span in enumerate(busy.board.differentials[row], 1) if span.low <= 6 <= span.high)
    assert rows[2] == ("table", f"+6 on row {row} is column {column}, maneuver mode [9.1P-2c]")


def test_modifiers_name_their_clauses(assault: State) -> None:
    rows = table(seen(assault), "Attack on i1705").rows
    assert ("die", "-1 from the strait [9.36]") in rows
    assert not any("9.35" in words for _, words in rows)


def test_a_result_is_told_with_its_die(busy: State) -> None:
    busy.battle = Battle(busy.attacks.pop(), "maneuver", 7, 3, 6, "D3", stages=("lose jp 8 begun",), steps=4)
    rows = table(seen(busy), "Attack on 0205").rows
    assert rows[1] == ("die", "6 +3 is 8: D3 [9.1P-3]")  # above 8 is 8 [9.31b]
    assert rows[2] == ("still to lose", "4")


def test_points_are_an_account(busy: State) -> None:
    assert table(seen(busy), "Victory points").rows == (
        ("the shipping of Penang", "12.4-penang", "+25", "25"),
        ("Japanese units lost", "12.4-jp", "-34", "-9"),
        ("Commonwealth units lost", "12.4-cw", "+20", "11"),
    )
    told = dict(seen(busy).facts)
    assert told["victory points"] == "11 for Japan"
    # 150 for turn 2; 6IND 9, 15IND reduced 4, 22AUS 13
    assert told["if Singapore fell this turn"].startswith("11 + 150 + 26 for units captured = 187: ")
    assert told["air points"].startswith("10 this turn, 4 used, 6 left")
    assert told["sea movement"] == "infantry 3 of 4, armor 0 of 2"
    assert told["out of supply"] == "22AUS"


def test_who_comes_and_who_stands(main: Board) -> None:
    s = begin(main, {})
    track = table(seen(s), "Turn track").rows
    assert track[0][:4] == ("1", "8 December 1941", "150", "12")
    assert track[0][4] == "11/5, 41/5, 42/5, 56/18, AR1, AR14"
    assert ("3", "22 December 1941", "150", "8", "21/5, 4IG, 5IG") in track
    stands = table(seen(s), "Who stands where").rows
    assert ("C 0205 Jitra", "6/10", "15IND 4-5-6, 6IND 4-5-6") in stands
    assert ("C 1826 Singapore", "7", "1BR 4-5-6, 2BR 4-5-6, SSVF 3-4-6 S") in stands
    places = table(seen(s), "Ports and airfields").rows
    assert len(places) == 22
    assert ("0302 Singora", "port", "Japan", "") in places


def test_what_is_told_of_the_sea(main: Board) -> None:
    s = begin(main, {})
    told = dict(seen(s).facts)
    assert (told["Force Z"], told["shipping of Penang"]) == ("ready", "Commonwealth")
    s.shipping, s.penang_turn, s.turn, s.forcez = "intact", 2, 3, "destroyed"
    told = dict(seen(s).facts)
    assert (told["Force Z"], told["shipping of Penang"]) == ("destroyed", "Japanese, sails from turn 4 on")
    assert told["sea movement"].endswith("West Coast 0 of 1")


def test_options_are_told_to_whom_they_may_be(main: Board) -> None:
    s = begin(main, {})
    s.slots = {"13.5": "cw-options/1/15", "13.7": "cw-options/1/17", "13.82": "cw-options/1/18"}
    s.opened, s.added, s.forts = {"13.82": "4-1"}, {"cw": 4}, {"0921": ("n", "ne", "se")}
    s.used, s.account, s.points = {"air-cw": 1}, {"air-cw": 80, "13.5": 25}, 105
    known = {"cw-options/1/15": "yes", "cw-options/1/17": "no", "cw-options/1/18": "4-1"}
    told = dict(look.view(s, "cw", known).facts)
    assert told["options shown"] == "13.82 4-1"
    assert told["your list, not shown"] == "13.5"
    assert told["Commonwealth air points"].startswith("4 this turn, 1 used, 3 left; bases: 0106 0 of 6")
    assert told["fortified"] == "0921 Seremban n+ne+se"
    assert "your list, not shown" not in dict(look.view(s, "", {}).facts)
    rows = table(look.view(s, "", {}), "Victory points").rows
    assert rows[0] == ("air points that the Commonwealth added", "12.4-air", "+80", "80")
    whole = look.view(s, "", {}).pictures[0]
    assert sum("marker" in line.name for line in of(whole, Line, "fortified")) == 1  # type: ignore[attr-defined]
