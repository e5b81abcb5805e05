"""Component data, clauses and rulings: what is read, and what is told when a file is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.api import Many, Table
from pbem.errors import Trouble
from rules.kit import clauses, data
from rules.kit.data import Data, Row, Sheet, cell, table_of


class Unit(Row):
    """A counter of a made-up game."""

    talk: ClassVar[frozenset[str]] = frozenset({"name", "xy"})

    strength: int
    id: str
    name: str = ""
    xy: Many[float] = ()
    steps: Many[int] = ()
    leader: str | None = None


class Road(Row):
    """An edge of a made-up map."""

    key = ("a", "b")
    a: str
    b: str


class Frame(Row):
    """The numbers of a made-up rulebook."""

    key = ()
    turns: int


UNITS, ROADS, FRAME = Sheet("units", Unit), Sheet("roads", Road), Sheet("frame", Frame)
SHEETS = (UNITS, ROADS, FRAME)

PRINTED = """
provenance = "printed"
source = "the counter sheet"
[[units]]
id = "r1"
strength = 2
name = "The First"
xy = [1.5, 2]
[[units]]
id = "4/IG"
strength = 2
steps = [3, 1]
provenance = { strength = "reported", "*" = "printed" }
source = "a review"
"""
MAP = """
provenance = "reconstructed"
[[roads]]
a = "x"
b = "y"
[frame]
turns = 6
provenance = "printed"
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A rules package with two data files; its `__file__`."""
    write(tmp_path / "data" / "counters.toml", PRINTED)
    write(tmp_path / "data" / "map.toml", MAP)
    return tmp_path / "__init__.py"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(text, encoding="utf-8")
    return path


def load(game: Path, edition: int = 1, folder: Path | None = None) -> Data:
    return data.load(str(game), SHEETS, edition, folder)


# --- reading ---


def test_rows_and_tables(game: Path) -> None:
    found = load(game)
    assert [unit.id for unit in found[UNITS]] == ["r1", "4/IG"]
    assert found[UNITS][1].steps == (3, 1)
    assert found.only(FRAME).turns == 6
    assert found.tables() == (
        Table("frame", ("6",), {"printed": 1}),
        Table("roads", ("x y",), {"reconstructed": 1}),
        Table("units", ("4/IG 2 (3,1) -", "r1 2 () -"), {"printed": 1, "reported": 1}),
    )


def test_what_touches_no_rule_touches_no_line(game: Path) -> None:
    before = load(game).tables()
    text = PRINTED.replace("The First", "Another").replace("1.5", "9.5").replace("a review", "a letter")
    write(game.parent / "data" / "counters.toml", "# a comment\r\n" + text)
    assert load(game).tables() == before


def test_a_row_is_as_sure_as_its_least_sure_column() -> None:
    unit = Unit(id="a", strength=1, provenance={"strength": "reconstructed", "name": "reported", "*": "printed"})
    assert unit.tag() == "reconstructed"
    assert Unit(id="a", strength=1, provenance={"name": "reconstructed", "*": "printed"}).tag() == "printed"
    assert Unit(id="a", strength=1, provenance="reported").tag() == "reported"
    assert table_of("units", [unit]).provenance == {"reconstructed": 1}


def test_an_edition_holds_only_what_differs(game: Path) -> None:
    write(
        game.parent / "data" / "edition-2" / "new.toml", 'provenance = "reported"\n[[units]]\nid = "r1"\nstrength = 3'
    )
    assert [unit.strength for unit in load(game, 1)[UNITS]] == [2, 2]
    assert [unit.strength for unit in load(game, 2)[UNITS]] == [3, 2]
    assert load(game, 3)[UNITS][0].name == "The First"
    assert load(game, 2).tables()[2].provenance == {"reported": 2}


def test_an_owner_changes_adds_and_removes(game: Path, tmp_path: Path) -> None:
    mine = write(
        tmp_path / "mine" / "fixes.toml",
        """
        provenance = "printed"
        [[units]]
        id = "4/IG"
        strength = 5
        [[units]]
        id = "new"
        strength = 1
        [[units]]
        id = "r1"
        remove = true
        [frame]
        turns = 7
        """,
    )
    for folder in (mine.parent, mine):
        found = load(game, 1, folder)
        assert [(unit.id, unit.strength, unit.steps) for unit in found[UNITS]] == [("4/IG", 5, (3, 1)), ("new", 1, ())]
        assert found.only(FRAME).turns == 7
        assert [table.provenance for table in found.tables()] == [{"printed": 1}, {"reconstructed": 1}, {"printed": 2}]


def test_a_file_may_replace_whole_tables(game: Path, tmp_path: Path) -> None:
    kit = 'provenance = "reconstructed"\nreplaces = ["units", "roads"]\n[[units]]\nid = "u"\nstrength = 1'
    found = load(game, 1, write(tmp_path / "kit.toml", kit))
    assert [unit.id for unit in found[UNITS]] == ["u"]
    assert found[ROADS] == ()
    assert found.only(FRAME).turns == 6


# --- what is wrong is told with file and row ---


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[[units]]\nid = "u"\nstrength = 1', "[[units]] row 1: u does not say its provenance"),
        ('provenance = "printed"\n[[units]]\nid = "u"', "[[units]] row 1 (u): strength: field required"),
        ('provenance = "printed"\n[[units]]\nid = "u"\nstrength = "2"', "row 1 (u): strength: input should be a valid"),
        ('provenance = "printed"\n[[units]]\nid = "u"\nstrength = 2.5', "row 1 (u): strength: input should be a valid"),
        ('provenance = "printed"\n[[units]]\nid = "u"\nstrength = 1\nspeed = 3', "row 1 (u): speed: extra inputs"),
        ('provenance = "guessed"\n[[units]]\nid = "u"\nstrength = 1', "provenance is one of: printed, reported"),
        ('[[units]]\nid = "u"\nstrength = 1\nprovenance = { strength = "printed" }', "no provenance for id"),
        ('[[units]]\nid = "u"\nstrength = 1\nprovenance = { "*" = "printed", spd = "printed" }', "spd is no column"),
        ('provenance = "printed"\n[[units]]\nstrength = 1', "[[units]] row 1: id is missing"),
        ('provenance = "printed"\n[[units]]\nid = 1.5\nstrength = 1', "row 1: id must be text or a whole number"),
        ('provenance = "printed"\n[[units]]\nid = "u"\nremove = true', "row 1: there is no u to remove"),
        (
            'provenance = "printed"\n[[roads]]\na = "x"\nb = "z"\n[[roads]]\na = "x"\nb = "z"',
            "row 2: x z is given twice",
        ),
        ('provenance = "printed"\n[[unit]]\nid = "u"', "no table is named unit"),
        ("units = 3", "units is no list of rows"),
        ("[units]\nid = 3", "units is no list of rows"),
        ("[[frame]]\nturns = 3", "frame is one row"),
        ('replaces = ["charts"]', "replaces is a list of names of tables"),
        ("replaces = 3", "replaces is a list of names of tables"),
        ("[[units]\nid = 3", "expected"),
    ],
)
def test_a_wrong_row_is_named(game: Path, tmp_path: Path, text: str, told: str) -> None:
    mine = write(tmp_path / "mine" / "fixes.toml", text)
    with pytest.raises(Trouble) as bad:
        load(game, 1, mine.parent)
    assert str(bad.value).startswith(f"{mine}: ")
    assert told in str(bad.value)
    assert "\n" not in str(bad.value)


def test_files_that_are_none(game: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(Trouble, match=r"no \.toml file here"):
        load(game, 1, tmp_path / "empty")
    with pytest.raises(Trouble, match=r"no \.toml file here"):
        load(game, 1, tmp_path / "nowhere")
    (tmp_path / "latin.toml").write_bytes(b'source = "caf\xe9"')
    with pytest.raises(Trouble, match="not text in UTF-8"):
        load(game, 1, tmp_path / "latin.toml")
    with pytest.raises(Trouble, match="no such file"):
        data.read_toml(tmp_path / "nowhere.toml")
    write(tmp_path / "large.toml", "#" * (data.MAX_FILE + 1))
    with pytest.raises(Trouble, match="larger than"):
        data.read_toml(tmp_path / "large.toml")


def test_one_row_is_insisted_on(tmp_path: Path) -> None:
    write(tmp_path / "data" / "map.toml", 'provenance = "printed"\n[[roads]]\na = "x"\nb = "y"')
    with pytest.raises(Trouble, match="the table frame has 0 rows, not one"):
        load(tmp_path / "__init__.py").only(FRAME)


# --- lines ---


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("4/IG", "4/IG"),
        ("a b", '"a b"'),
        ("", '""'),
        ("-", '"-"'),
        (None, "-"),
        (True, "yes"),
        (-3, "-3"),
        ("é", '"\\u00e9"'),
        (("a", "b,c"), '(a,"b,c")'),
        ({"b": 1, "a": (2,)}, "(a:(2),b:1)"),
    ],
)
def test_cells(value: object, shown: str) -> None:
    assert cell(value) == shown


def test_no_float_in_a_line() -> None:
    with pytest.raises(TypeError, match="rule-relevant"):
        cell(0.5)


CELLS = st.text(max_size=6) | st.none()


@given(st.lists(CELLS, min_size=3, max_size=3), st.lists(CELLS, min_size=3, max_size=3))
def test_different_rows_give_different_lines(one: list[str | None], other: list[str | None]) -> None:
    lines = [" ".join(cell(value) for value in (row[0], tuple(row[1:]))) for row in (one, other)]
    assert (lines[0] == lines[1]) == (one == other)
    assert all(line.isascii() and line.isprintable() for line in lines)


# --- clauses and rulings ---


def ledger(tmp_path: Path, name: str, text: str) -> str:
    write(tmp_path / name, text)
    return str(tmp_path / "__init__.py")


def test_clauses(tmp_path: Path) -> None:
    file = ledger(
        tmp_path,
        "clauses.toml",
        '["8.32"]\ngist = "Stay out."\nstatus = "done"\n["8.6"]\ngist = "Rest."\nstatus = "waived"\nwhy = "no rule"',
    )
    found = clauses.clauses(file)
    assert list(found) == ["8.32", "8.6"]
    assert found["8.6"].why == "no rule"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('["1"]\ngist = "a"\nstatus = "waived"', "1: a clause that is waived says why"),
        ('["1"]\ngist = "a"\nstatus = "partial"', "1: a clause that is partial says why"),
        ('["1"]\ngist = "a"\nstatus = "later"', "1: status: input should be 'done'"),
        ('["1"]\nstatus = "done"', "1: gist: field required"),
        ('one = "done"', "one is no table"),
    ],
)
def test_a_wrong_clause_is_named(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(Trouble, match=r"clauses\.toml: ") as bad:
        clauses.clauses(ledger(tmp_path, "clauses.toml", text))
    assert told in str(bad.value)


def test_rulings_in_force(tmp_path: Path) -> None:
    said = 'gist = "a"\nwhy = "b"\n'
    text = f'[R1]\n{said}[R10]\n{said}option = "r10"\n[R2]\n{said}since = 2'
    file = ledger(tmp_path, "rulings.toml", text)
    assert clauses.rulings(file)["R10"].option == "r10"
    assert clauses.in_force(file, 1) == ("R1 on", "R10 on")
    assert clauses.in_force(file, 2) == ("R1 on", "R10 on", "R2 on")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[X1]\ngist = "a"\nwhy = "b"', "X1: id: string should match"),
        ('[R1]\ngist = "a"', "R1: why: field required"),
        ('[R1]\ngist = "a"\nwhy = "b"\nsince = 0', "R1: since: input should be greater"),
        ('[R1]\ngist = "a"\nwhy = "b"\noption = "fast"', "R1: option: string should match"),
    ],
)
def test_a_wrong_ruling_is_named(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(Trouble) as bad:
        clauses.rulings(ledger(tmp_path, "rulings.toml", text))
    assert told in str(bad.value)
