"""The report in its five forms, read back and looked into."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
import unicodedata
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import jinja2
import pytest

import pbem.report as report_module
from pbem.api import Area, Arrow, Counter, Grid, Label, Line, Mark, Note, Picture, View
from pbem.dice import POLICY_WORDS
from pbem.errors import Trouble
from pbem.report import Player, Remark, Report

PLACES = {
    "Jitra": (20, 10),
    "Kota Bharu": (70, 12),
    "Kampar": (28, 38),
    "Kuantan": (82, 48),
    "Kuala Lumpur": (38, 58),
    "Endau": (86, 68),
    "Kluang": (70, 80),
    "Singapore": (76, 94),
}
TRUNK = ("Jitra", "Kampar", "Kuala Lumpur", "Kluang", "Singapore")
EASTERN = ("Kota Bharu", "Kuantan", "Endau", "Kluang")
COAST = (
    (2, -4), (6, 4), (13, 14), (15, 24), (17, 34), (16, 42), (22, 52), (28, 62), (36, 72), (48, 82), (60, 91), (70, 98),
    (80, 99), (88, 92), (91, 82), (93, 70), (92, 60), (89, 50), (91, 40), (88, 30), (84, 20), (76, 9), (62, 4), (52, 5),
    (46, -4),
)  # fmt: skip
REINFORCE = {"Kampar": 2, "Kuantan": 1, "Endau": 1, "Kluang": 1}
ALLIED = {"Kampar": 4, "Kuantan": 2, "Kuala Lumpur": 2, "Endau": 2, "Kluang": 3}
JAPANESE = {"Kampar": 6, "Kuantan": 5}


def malaya_map() -> Picture:
    marks: list[Mark] = [
        Area(((0, 0), (100, 0), (100, 100), (0, 100)), "sea"),
        Area(COAST, "land", "Malaya"),
        Label(17, 76, "Strait of Malacca", "sea", 2.6),
        Label(98, 14, "South China", "sea", 2.2, "end"),
        Line(tuple(PLACES[p] for p in TRUNK), "road-trunk", "Trunk road"),
        Line(tuple(PLACES[p] for p in EASTERN), "road-eastern", "Eastern road"),
    ]
    for place, (x, y) in PLACES.items():
        marks.append(Area(box(x - 4.6, y, 8.4), "space-allied"))
        if place != "Singapore":
            marks.append(Area(box(x + 4.6, y, 8.4), "space-japanese"))
    x1, y1, x2, y2 = *PLACES["Jitra"], *PLACES["Kampar"]
    marks.append(Arrow(x1 - 4.6, y1, x2 - 4.6, y2, "withdraw", "Jitra withdraws to Kampar"))
    marks.append(Arrow(x1 + 4.6, y1, x2 + 4.6, y2, "advance", "Trunk force advances to Kampar"))
    for place, (x, y) in PLACES.items():
        marks.append(Label(x, y - 5.4, place, "place", 3))
        if place in REINFORCE:
            marks.append(Label(x + 11.6, y + 0.8, f"+{REINFORCE[place]}", "number", 2.2))
    for place, strength in ALLIED.items():
        x, y = PLACES[place]
        marks.append(Counter(x - 4.6, y, "allied", str(strength), "", f"{place}: Allied {strength}", strength, 7))
    for place, strength in JAPANESE.items():
        x, y = PLACES[place]
        marks.append(Counter(x + 4.6, y, "japanese", str(strength), "", f"{place}: Japanese {strength}", strength, 7))
    for turn in range(1, 7):
        marks.append(Area(box(6 + 8 * (turn - 1), 93, 7), "track", f"turn {turn}"))
        marks.append(Label(6 + 8 * (turn - 1), 94.2, str(turn), "box", 3.2))
    marks.append(Counter(14, 93, "marker", "2", "", "Turn 2", 2, 5.6))
    return Picture(
        "map",
        "Malaya, turn 2: after the battles",
        100,
        100,
        tuple(marks),
        (
            "Trunk road                      Eastern road",
            "Jitra         A -  J -          Kota Bharu    A -  J -",
            "  |                               |",
            "Kampar        A 4  J 6  (+2)    Kuantan       A 2  J 5  (+1)",
            "  |                               |",
            "Kuala Lumpur  A 2  J -          Endau         A 2  J -  (+1)",
            "  |                               |",
            "Kluang        A 3  J -  (+1)  <-+",
            "  |",
            "Singapore     A -",
        ),
        (
            ("allied", "Allied unit"),
            ("japanese", "Japanese unit"),
            ("marker", "turn"),
            ("road-trunk", "Trunk road"),
            ("road-eastern", "Eastern road"),
            ("withdraw", "withdrawal"),
            ("advance", "advance"),
            ("number", "Japanese reinforcements"),
        ),
    )


def box(x: float, y: float, size: float) -> tuple[tuple[float, float], ...]:
    half = size / 2
    return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))


WORDS = {
    "turn": "Turn {turn} begins.",
    "withdrew": "The unit in {place} withdraws to {to} with strength {strength}.",
    "advanced": "The {road} force advances to {to}; reinforced by {number} it has strength {strength}.",
    "battle": "Battle at {place}, {choice}: Allied {allied}, Japanese {japanese}. "
    "The die shows {die}: Allied -{loss}, Japanese -{hit}.",
}


def malaya(**other: object) -> Report:
    report = {
        "engine": "battle-card-malaya",
        "game": "Battle Card: Malaya",
        "scenario": "The Malayan campaign",
        "game_id": "9f2c" * 16,
        "head": "41d7" * 16,
        "seq": 31,
        "event": 31,
        "players": (Player("allied", "the Allies", "Ann Percival"),),
        "decides": ("allied",),
        "owed": ("one withdrawal, or none",),
        "policy": "open",
        "verdict": "VALID SO FAR up to 41d741d7",
        "provenance": "12 rows printed, 31 reported, 2 reconstructed; digest 5be0c1",
        "trust": "S0 diary: the dice could have been chosen by starting again",
        "words": WORDS,
        "story": (
            (24, Note("turn", {"turn": 2}, ("BC-3.5",), anchor="T2")),
            (25, Note("withdrew", {"place": "Jitra", "to": "Kampar", "strength": 5}, ("BC-3.1.2", "BC-3.1.4"))),
            (26, Note("advanced", {"road": "Trunk", "to": "Kampar", "number": 2, "strength": 6}, ("BC-3.2.1", "R7"))),
            (
                29,
                Note(
                    "battle",
                    {
                        "place": "Kampar",
                        "choice": "defend",
                        "allied": 5,
                        "japanese": 6,
                        "die": 3,
                        "loss": 1,
                        "hit": 0,
                    },
                    ("BC-3.3.5",),
                    "t2/battle/kampar#1",
                    "T2.battle",
                ),
            ),
            (
                30,
                Note(
                    "battle",
                    {
                        "place": "Kuantan",
                        "choice": "counterattack",
                        "allied": 2,
                        "japanese": 6,
                        "die": 6,
                        "loss": 0,
                        "hit": 1,
                    },
                    ("BC-3.3.4", "BC-3.3.5"),
                    "t2/battle/kuantan#1",
                ),
            ),
        ),
        "view": View(
            "Turn 2: the line holds at Kampar, the Trunk force stands before it",
            (("Turn", "2 of 6"), ("Allied units", "5 on the map, 2 lost"), ("Air support", "Kuantan still flies")),
            (
                Grid(
                    "Locations",
                    ("Place", "Road", "Allied", "Japanese", "Reinforcement"),
                    tuple(
                        (
                            place,
                            "Trunk" if place in TRUNK else "Eastern",
                            str(ALLIED.get(place, "-")),
                            str(JAPANESE.get(place, "-")),
                            f"+{REINFORCE[place]}" if place in REINFORCE else "-",
                        )
                        for place in PLACES
                    ),
                ),
            ),
            (malaya_map(),),
        ),
        "may_write": ("withdraw LOCATION   (withdraw Kampar, withdraw Kuantan)", "no withdrawal"),
        "remarks": (Remark(27, "allied", "Bridge at Slim River blown. Tea at five."),),
        "file": "malaya.pbem",
        "position": {"units": ("A kampar 4", "J kampar 6")},
    } | other
    return Report(**report)  # type: ignore[arg-type]


def hex_map() -> Picture:
    """What an engine without templates of its own might draw."""
    marks: list[Mark] = []
    terrain = ("clear", "jungle", "rubber", "swamp", "hill", "mountain", "town", "sea")
    for column in range(8):
        for row in range(6):
            x, y = 8 + 12 * column, 8 + 13.86 * row + (6.93 if column % 2 else 0)
            hexagon = tuple((x + dx * 8, y + dy * 6.93) for dx, dy in HEXAGON)
            marks.append(Area(hexagon, terrain[(column * 3 + row * 5) % 8], f"{column:02}{row:02}"))
            marks.append(Label(x, y - 4.4, f"{column:02}{row:02}", "hex", 1.7))
    marks.append(Line(((8, 8), (20, 14.9), (32, 21.9), (44, 28.8), (56, 35.7)), "road", "road"))
    marks.append(Line(((20, 70), (38, 62), (50, 60), (66, 50)), "river", "Perak"))
    marks.append(Line(((68, 2), (68, 30), (80, 50)), "phase line", "a style that no template knows"))
    marks.append(Arrow(32, 21.9, 56, 35.7, "move", "3rd Brigade moves"))
    for i, (side, value) in enumerate((("blue", "4-3"), ("red", "6-4"), ("green", "2-5"), ("grey", "1"))):
        marks.append(Counter(20 + 12 * i, 28.8 + 6.93 * (i % 2) + 14, side, value, f"{i + 1} Bde", "", 0, 8.6))
    marks.append(Counter(80, 42.6, "blue", "4-3", "9 Div", "", 0, 8.6, ("disrupted", "supplied")))
    marks.append(Counter(80, 42.6, "blue", "2-3", "HQ", "", 0, 8.6, ("disrupted",)))
    return Picture("map", "Central sector", 100, 92, tuple(marks), ("no text map",), LEGEND)


HEXAGON = ((-0.5, -1), (0.5, -1), (1, 0), (0.5, 1), (-0.5, 1), (-1, 0))
LEGEND = (
    ("blue", "Commonwealth"),
    ("red", "Imperial Guards"),
    ("area:jungle", "jungle"),
    ("swamp", "swamp"),
    ("phase line", "phase line"),
    ("D", "disrupted"),
)


class Page(HTMLParser):
    """What a mail program would meet: tags with their attributes, and the visible text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, tag
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words += data


VOID = {"meta", "br", "img", "hr", "link"}
HOSTILE = (
    "<script>alert(1)</script>",
    "x" * 300,
    "../../etc/passwd",
    "\x1b[31mred\x1b[0m\x07\x9b2J",
    "\u202egnp.exe \u05d0\u05d1",
    "' onload='alert(1)",
    '" onload="alert(1)"><img src=x>',
    "{{ 7 * 7 }}{% raw %}",
    "{turn}{0}{a.__class__}",
    "&lt;&amp;]]>",
    "e\u0301\u0301\u0301 \ud800 \u2028\r\n\x00",
    "漢" * 150,
)


def hostile(evil: str) -> Report:
    """The sample with every text that a stranger can write replaced."""
    mark: tuple[Mark, ...] = (
        Area(HEXAGON, evil, evil),
        Line(HEXAGON, evil, evil),
        Label(1, 1, evil, evil),
        Label(1, 1, evil, "number"),
        Counter(1, 1, evil, evil, evil, "", 0, 8, (evil,)),
        Counter(1, 1, evil, evil, evil, evil, 3),
        Arrow(1, 1, 9, 9, evil, evil),
    )
    return malaya(
        engine=evil,
        game=evil,
        scenario=evil,
        game_id=evil,
        head=evil,
        file=evil,
        players=(Player(evil, evil, evil),),
        decides=(evil,),
        owed=(evil,),
        verdict=evil,
        provenance=evil,
        trust=evil,
        reader=evil,
        remarks=(Remark(1, evil, evil),),
        may_write=(evil,),
        words={evil: "They wrote {what}."},
        story=((1, Note(evil, {"what": evil}, (evil,), evil, evil)),),
        view=View(
            evil,
            ((evil, evil),),
            (Grid(evil, (evil, evil), ((evil, evil), ("a", "b"))),),
            (Picture(evil, evil, 10, 10, mark, (evil,), ((evil, evil), (f"area:{evil}", evil))),),
        ),
    )


# One model, every form ---------------------------------------------------------------------------------------------


def test_every_note_clause_and_dice_label_is_in_every_form() -> None:
    report = malaya()
    said = report_module.data(report)["story"]
    page = " ".join(Page(report_module.html(report)).words.split())
    plain = " ".join(report_module.text(report).split())
    assert len(said) == len(report.story)
    for line in said:
        for form in (page, plain):
            assert line["said"] in form
            assert f"[{', '.join(line['clauses'])}]" in form
    assert said[1]["said"] == "The unit in Jitra withdraws to Kampar with strength 5."


def test_a_line_with_dice_names_label_and_policy() -> None:
    report = malaya(policy="sealed")
    for form in (report_module.text(report), Page(report_module.html(report)).words):
        assert form.count("policy sealed") == 3  # two rolls and the words about it
        assert "dice t2/battle/kampar#1, policy sealed" in form
    assert "fixed before the first move" in " ".join(report_module.text(report).split())


def test_what_a_reader_is_told() -> None:
    report = malaya()
    for form in (report_module.text(report), Page(report_module.html(report)).words):
        flat = " ".join(form.split())
        for words in (
            report.view.headline,
            "Public report",
            "event 31",
            "Ann Percival",
            "one withdrawal, or none",
            "Bridge at Slim River blown. Tea at five.",
            "Kuantan still flies",
            "withdraw LOCATION (withdraw Kampar, withdraw Kuantan)",
            "pbem order malaya.pbem",
            "pbem verify malaya.pbem",
            report.verdict,
            report.provenance,
            report.trust,
            report.game_id,
            report.head,
        ):
            assert words in flat, words


@pytest.mark.parametrize("policy", ["sealed", "beacon", "open"])
def test_each_policy_is_explained(policy: str) -> None:
    report = malaya(policy=policy)
    words = POLICY_WORDS[policy]
    assert words in " ".join(report_module.text(report).split())
    assert report_module.data(report)["policy_words"] == words


def test_an_empty_story_and_nothing_to_order() -> None:
    report = malaya(story=(), may_write=(), remarks=(), trust="")
    for form in (report_module.text(report), Page(report_module.html(report)).words):
        assert "Nothing since your last look." in form
        assert "Nothing by public facts." in form
        assert "notes by players" not in form.lower()
        assert "trust level" not in form


def test_a_finished_game_asks_for_no_orders() -> None:
    report = malaya(outcome="the Allies win: a Japanese unit is eliminated", decides=(), owed=())
    for form in (report_module.text(report), Page(report_module.html(report)).words):
        assert "The game is over" in form
        assert "how to answer" not in form.lower()
        assert "how to check" in form.lower()


def test_only_a_seats_own_report_is_called_yours() -> None:
    assert "Your report" not in report_module.text(malaya())
    assert "Your report (allied)" in report_module.text(malaya(reader="allied"))
    assert "Your report (allied)" in Page(report_module.html(malaya(reader="allied"))).words


def test_an_older_position_says_so() -> None:
    assert "Position after event 27 of 31." in report_module.text(malaya(event=27))


def test_data_is_plain_json() -> None:
    model = report_module.data(malaya())
    assert json.loads(json.dumps(model)) == model
    assert model["position"] == {"units": ["A kampar 4", "J kampar 6"]}
    assert model["story"][3]["args"]["die"] == 3
    assert model["grids"][0]["rows"][2] == ["Kampar", "Trunk", "4", "6", "+2"]


# Text ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("report", [malaya(), malaya(view=View("x " * 200)), *map(hostile, HOSTILE)])
def test_text_keeps_to_78_columns(report: Report) -> None:
    for line in report_module.text(report).split("\n"):
        assert report_module.columns(line) <= 78, line
        assert line == line.rstrip()


def test_wrap_loses_nothing() -> None:
    words = "short " + "y" * 200 + " 漢字" * 40
    lines = report_module.wrap(words, "  - ", "    ", 30).split("\n")
    assert all(report_module.columns(line) <= 30 for line in lines)
    assert "".join("".join(lines).split()) == "-" + "".join(words.split())


def test_a_wide_table_becomes_a_list() -> None:
    grid = Grid("Units", ("Unit", "Where", "What"), (("1st", "0512", "z" * 70), ("2nd", "0513", "ready")))
    plain = report_module.text(malaya(view=View("Now", grids=(grid,))))
    assert "Unit: 2nd; Where: 0513; What: ready" in plain


def test_a_narrow_table_is_aligned() -> None:
    lines = report_module.text(malaya()).split("\n")
    start = lines.index("Locations")
    assert lines[start + 1] == "Place         Road     Allied  Japanese  Reinforcement"
    assert lines[start + 4] == "Kampar        Trunk         4         6             +2"


def test_the_text_map_is_left_as_it_is() -> None:
    plain = report_module.text(malaya())
    for line in malaya_map().text:
        assert f"\n{line}\n" in plain


def test_a_terminal_gets_bold_headings_and_nothing_else() -> None:
    report = malaya()
    bold = report_module.terminal(report, colour=True)
    assert "\x1b[1mWHAT HAPPENED\x1b[0m\n" in bold
    assert bold.replace("\x1b[1m", "").replace("\x1b[0m", "") == report_module.text(report)
    assert report_module.terminal(report, colour=False) == report_module.text(report)


@pytest.mark.parametrize("evil", HOSTILE)
def test_text_lets_no_control_character_through(evil: str) -> None:
    for form in (report_module.text(hostile(evil)), report_module.html(hostile(evil))):
        assert not [c for c in form if c != "\n" and unicodedata.category(c)[0] == "C"]
        assert not [c for c in form if unicodedata.bidirectional(c) in ("R", "AL", "RLO")]
        form.encode()


# HTML ------------------------------------------------------------------------------------------------------------

MAPS: tuple[report_module.Maps, ...] = ("inline", "attached", "cid")


@pytest.mark.parametrize("maps", MAPS)
@pytest.mark.parametrize("report", [malaya(), *map(hostile, HOSTILE)])
def test_html_is_closed_and_asks_for_nothing_from_outside(report: Report, maps: report_module.Maps) -> None:
    page = Page(report_module.html(report, maps))
    assert page.open == []
    names = {tag for tag, _ in page.tags}
    assert not names & {"script", "link", "iframe", "object", "form", "base", "foreignobject"}
    for tag, given in page.tags:
        assert not [name for name in given if name.startswith("on")], given
        for name in ("src", "href", "xlink:href", "background"):
            assert (given.get(name) or "cid:").startswith("cid:")
        assert "url(http" not in (given.get("style") or "")
        if tag == "img":
            assert given.get("alt")
        if tag == "table":
            assert given.get("role") == "presentation" or "border-collapse" in (given.get("style") or "")


def test_the_mail_variant_names_the_attachment_and_draws_nothing() -> None:
    page = Page(report_module.html(malaya(), "attached"))
    assert "svg" not in {tag for tag, _ in page.tags}
    assert "map-1.svg" in page.words
    assert "Kuala Lumpur  A 2  J -" in page.words


def test_images_in_a_mail_have_ids_of_their_own() -> None:
    page = Page(report_module.html(malaya(), "cid"))
    (image,) = [given for tag, given in page.tags if tag == "img"]
    assert image["src"] == f"cid:{report_module.map_cid(1)}"


def test_html_is_readable_where_the_style_sheet_is_taken_out() -> None:
    """Colours of the page stand in the tags, in pairs."""
    page = Page(report_module.html(malaya()))
    styles = [given["style"] or "" for tag, given in page.tags if tag in ("td", "th") and "style" in given]
    assert all("color:#" in style for style in styles if "font" in style)
    assert any("background:#fffdf7" in (given.get("style") or "") for _, given in page.tags)
    assert any("max-width:600px" in (given.get("style") or "") for _, given in page.tags)


def test_a_table_cell_a_player_wrote_is_words() -> None:
    page = Page(report_module.html(hostile("<b>bold</b>")))
    assert "b" not in {tag for tag, _ in page.tags}
    assert "<b>bold</b>" in page.words


# SVG -------------------------------------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"
PICTURES = {"malaya": malaya_map(), "hexes": hex_map()} | {
    f"hostile {i}": hostile(evil).view.pictures[0] for i, evil in enumerate(HOSTILE)
}


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("engine", ["battle-card-malaya", "an-engine-without-templates", ""])
def test_svg_is_xml_with_title_and_description(name: str, engine: str) -> None:
    root = ElementTree.fromstring(report_module.svg(PICTURES[name], engine).encode())
    assert root.tag == f"{SVG}svg"
    ids = {e.get("id") for e in root.iter() if e.get("id")}
    assert root.get("role") == "img"
    assert set((root.get("aria-labelledby") or "").split()) <= ids
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert desc is not None
    assert title.text
    assert desc.text
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in SVG_TAGS
        for attribute, value in element.attrib.items():
            assert not attribute.startswith("on")
            assert "href" not in attribute
            assert "url(" not in value or value.startswith("url(#")


SVG_TAGS = {"svg", "title", "desc", "defs", "clipPath", "pattern", "g", "path", "rect", "circle", "text"}


def test_every_counter_is_named_and_every_die_has_its_pips() -> None:
    root = ElementTree.fromstring(report_module.svg(malaya_map(), "battle-card-malaya"))
    named = {e.get("aria-label"): e for e in root.iter(f"{SVG}g") if e.get("aria-label")}
    for mark in malaya_map().marks:
        if isinstance(mark, Counter):
            assert len(named[mark.title].findall(f"{SVG}circle")) == mark.pips
    desc = root.find(f"{SVG}desc")
    assert desc is not None
    assert "Kampar: Japanese 6" in (desc.text or "")
    assert "Jitra withdraws to Kampar" in (desc.text or "")


def test_sides_differ_by_shape_and_not_by_colour_alone() -> None:
    def outlines(sides: tuple[str, ...], engine: str) -> set[str]:
        found = set()
        for side in sides:
            picture = Picture("", "", 10, 10, (Counter(5, 5, side, "4"),), (), tuple((s, s) for s in sides))
            root = ElementTree.fromstring(report_module.svg(picture, engine))
            (counter,) = [g for g in root.iter(f"{SVG}g") if g.get("aria-label") == f"{side} 4"]
            found.add(counter.findall(f"{SVG}path")[1].get("d") or "")
        return found

    assert len(outlines(("allied", "japanese", "marker"), "battle-card-malaya")) == 3
    assert len(outlines(("blue", "red", "green", "grey"), "")) == 4


def test_marks_of_a_counter_are_said_and_signed() -> None:
    drawn = report_module.svg(hex_map())
    assert "blue 4-3 9 Div, disrupted, supplied" in drawn
    assert ">D</text>" in drawn


def test_counters_on_one_spot_fan_out() -> None:
    two = (Counter(5, 5, "blue", "1"), Counter(5, 5, "blue", "2"))
    drawn = ElementTree.fromstring(report_module.svg(Picture("", "", 10, 10, two)))
    places = {g.findall(f"{SVG}path")[1].get("d") for g in drawn.iter(f"{SVG}g") if g.get("aria-label")}
    assert len(places) == 2


def test_two_maps_in_one_page_share_no_ids() -> None:
    report = malaya(view=View("Now", pictures=(malaya_map(), hex_map())))
    page = Page(report_module.html(report))
    ids = [given["id"] for _, given in page.tags if "id" in given]
    assert len(ids) == len(set(ids))
    assert report_module.map_files(report) == ("map-1.svg", "map-2.svg")


# Authors ---------------------------------------------------------------------------------------------------------


def test_a_note_without_a_sentence_is_the_authors_fault() -> None:
    with pytest.raises(Trouble, match='no sentence for "lost"'):
        report_module.sentence(Note("lost"), WORDS)
    with pytest.raises(Trouble, match='needs "place"'):
        report_module.sentence(Note("battle"), WORDS)


def test_arguments_cannot_reach_into_sentences() -> None:
    note = Note("turn", {"turn": "{place.__class__} {turn}"})
    assert report_module.sentence(note, WORDS) == "Turn {place.__class__} {turn} begins."


def test_a_row_without_a_cell_is_the_authors_fault() -> None:
    with pytest.raises(Trouble, match="row 1: 1 cells for 2 columns"):
        report_module.data(malaya(view=View("", grids=(Grid("g", ("a", "b"), (("1",),)),))))


def test_a_name_that_a_template_does_not_know_raises(tmp_path: Path) -> None:
    (tmp_path / "base.txt.jinja").write_text(
        '{% extends "pbem/base.txt.jinja" %}{% block now %}{{ r.moon }}{% endblock %}'
    )
    with pytest.raises(jinja2.UndefinedError, match="moon"):
        report_module.text(malaya(templates=tmp_path))


def test_an_engine_brings_templates_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "base.txt.jinja").write_text(
        '{% extends "pbem/base.txt.jinja" %}{% block now %}{{ "MINE"|heading }}{% endblock %}'
    )
    assert "\nMINE\n" in report_module.text(malaya(templates=tmp_path))
    assert "MINE" not in report_module.text(malaya())


def test_jinja2_is_not_imported_until_something_is_rendered() -> None:
    code = "import sys, pbem.report; sys.exit('jinja2' in sys.modules or 'markupsafe' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_report_with_a_map_is_quick() -> None:
    report = malaya()
    seconds = []
    for _ in range(6):
        started = time.perf_counter()
        report_module.html(report)
        report_module.text(report)
        seconds.append(time.perf_counter() - started)
    assert min(seconds) < 0.05  # measured: 0.005


def test_an_installed_package_finds_its_templates(tmp_path: Path) -> None:
    home = Path(report_module.__file__).parent
    shutil.copytree(home, tmp_path / "pbem", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(home.parent / "templates", tmp_path / "pbem" / "_templates", dirs_exist_ok=True)
    code = (
        "import pbem.report as r; from pbem.api import Picture; "
        "assert '_templates' in str(r.template_folder()); print(r.svg(Picture('', 'Here', 9, 9, ())))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "<title" in done.stdout, done.stderr
