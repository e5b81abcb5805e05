"""Glory Recalled by mail: two machines that exchange letters, from the invitation to the audit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from computers import two
from correspondents import Player, fixed, lean, play, players, verdict

from pbem.table import Table
from rules.glory_recalled import ENGINE
from rules.glory_recalled.orders import READER

RULES = "glory-recalled"
LETTERS = 400


class LineByLine(Player):
    """Types a set-up as a block."""

    def typed(self, table: Table) -> list[str]:
        return [_block(line) if line.startswith("deploy ") else line for line in super().typed(table)]


def _block(line: str) -> str:
    return re.sub(r" (?=\S+:)", "\n", line) + "\nend"


@pytest.mark.parametrize("scenario", ["kowloon", "island", "standard", "free"])
def test_two_machines_play_to_the_audit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scenario: str) -> None:
    """To the end of the scenario, by points or by its last pier; nobody gives up."""
    lean(monkeypatch)
    fixed(monkeypatch, 1941)
    match = two(tmp_path, RULES, "japan", "british", "--scenario", scenario)
    done = play(match, players(match, RULES, kind=LineByLine), LETTERS)
    assert done.ordered("deploy", "standing no reaction", "attack", "pass")
    outcome = ENGINE.outcome(match["japan"].table("g.pbem").fold.state)
    assert outcome is not None
    assert verdict(match).startswith(f"VALID, {outcome.words}")


def test_the_set_up_is_typed_line_by_line() -> None:
    """The block of the order is read like the line."""
    assert READER.read("deploy\nG03: 2RS-A DM-1 fort\nG02: DM-2\nend") == READER.read(
        "deploy G03: 2RS-A DM-1 fort G02: DM-2"
    )
