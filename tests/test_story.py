"""The story with its proofs, and positions as cases."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from computers import CHECKOUT, Computer

from pbem import annotated, ascase, cases, verify
from pbem.api import Note
from pbem.errors import WrongUse
from pbem.replay import Fold
from pbem.ruleset import rules_for

GAMES = CHECKOUT / "games"
DUEL = GAMES / "open-table-duel.pbem"
LINE = re.compile(r" *(\d+) ([0-9a-f]{12}) \w+ +\S")


def test_each_line_of_the_story_is_proved_by_its_event(tmp_path: Path) -> None:
    you = Computer(tmp_path)
    said = you.run("show", DUEL, "--annotated")
    with DUEL.open("rb") as stream:
        fold = verify.read(stream, rules_for).fold
    assert fold is not None
    found = [LINE.match(line) for line in said.out.splitlines()]
    proved = [(int(one[1]), one[2]) for one in found if one]
    assert len(proved) > 20
    for seq, begins in proved:
        assert fold.ids.id(seq).startswith(begins)
    seq, begins = proved[0]
    assert you.run("export-sig", DUEL, begins, "--out", "a").status == 0
    assert you.run("export-sig", DUEL, seq, "--out", "b").status == 0
    assert you.path(f"a/{seq}.json").read_bytes() == you.path(f"b/{seq}.json").read_bytes()
    assert you.run("export-sig", DUEL, begins[:7], "--out", "c").status == 2


def test_chatter_is_left_out(tmp_path: Path) -> None:
    you = Computer(tmp_path)
    assert you.run("new", "open-table", "--scenario", "solo", "--file", "g.pbem").status == 0
    assert you.run("order", "g.pbem", "note good luck to me", "record hill 12 is mine", "resign").status == 0
    assert you.run("send", "g.pbem").status == 0
    story = you.run("show", "g.pbem", "--annotated").out
    assert "good luck" not in story
    assert "hill 12 is mine" in story
    assert "good luck" in you.run("show", "g.pbem", "--since", "0").out


def test_what_was_taken_back_is_left_out() -> None:
    """Event 9 went back to event 4: 5 to 8 are void, 4 and 9 stand."""
    with DUEL.open("rb") as stream:
        fold = verify.read(stream, rules_for).fold
    assert fold is not None
    fold.went_back = [(9, 4)]
    assert [seq for seq in range(1, 12) if annotated.undone(fold, seq)] == [5, 6, 7, 8]
    told = "\n".join(annotated.lines(fold, [(seq, Note("core/resign", {"seat": f"S{seq}"})) for seq in (4, 5, 8, 9)]))
    assert re.findall(r"S\d", told) == ["S4", "S9"]


def positions() -> list[tuple[str, int]]:
    found = []
    for path in sorted(GAMES.glob("*.pbem")):
        last = path.read_bytes().count(b"\npbem1 ")
        found += [(path.name, seq) for seq in sorted({0, last // 3, last})]
    return found


def castable(game: str, seq: int) -> tuple[Fold, str]:
    """The position after an event, or soon after it where something is just due to be opened."""
    for later in range(seq, seq + 6):
        with (GAMES / game).open("rb") as stream:
            fold = verify.read(stream, rules_for, until=later).fold
        assert fold is not None
        try:
            return fold, ascase.text(fold)
        except WrongUse:
            continue
    raise AssertionError(f"no position of {game} near event {seq} can be a case")


@pytest.mark.parametrize(("game", "seq"), positions())
def test_the_position_as_a_case_holds(game: str, seq: int, tmp_path: Path) -> None:
    fold, text = castable(game, seq)
    file = tmp_path / "case.toml"
    file.write_text(text)
    assert [line for result in cases.run_paths([file]) for line in result.lines()] == []
    (case,) = cases.load(file)
    assert case.given.set == {name: list(lines) for name, lines in fold.engine.position(fold.state).items()}
    assert set(case.given.opened.values()) <= {what for what in fold.known.values() if isinstance(what, str)}
    assert case.given.known == {}


def test_as_case_by_the_command(tmp_path: Path) -> None:
    you = Computer(tmp_path)
    assert you.run("show", GAMES / "malaya-won.pbem", "--as-case", "--at", "12", "--out", "case.toml").status == 0
    assert you.run("rules", "cases", "case.toml").status == 0
    assert you.path("case.toml").read_text().startswith('game = "battle-card-malaya"\n\n[[case]]\n')
