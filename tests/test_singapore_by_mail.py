"""Singapore (1984) by mail: two machines that exchange letters, from the invitation to the audit.

Whole campaigns by mail take minutes: `bench/by_mail.py singapore-1984`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from computers import two
from correspondents import Correspondence, Player, fixed, lean, play, players, verdict

from pbem.table import Table
from rules.singapore_1984 import ENGINE
from rules.singapore_1984.state import CW, JP, PLAYERS

RULES = "singapore-1984"
LETTERS = 400
PATIENCE = 26
"""Letters after which whoever may gives up, once all was ordered that is looked for; the city falls later."""
ORDERED = ("move", "attack", "standing retreat", "standing loss", "standing intercept")


@pytest.mark.parametrize(("scenario", "more"), [("campaign", ()), ("optional", ("options jp", "options cw"))])
def test_two_machines_play_to_the_audit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scenario: str, more: tuple[str, ...]
) -> None:
    """The first turns; then somebody gives up, or the city has fallen before."""
    lean(monkeypatch)
    fixed(monkeypatch, 1942)

    def enough(_player: Player, _table: Table, done: Correspondence) -> bool:
        return done.letters >= PATIENCE and done.ordered(*ORDERED)

    match = two(tmp_path, RULES, *PLAYERS, "--scenario", scenario)
    done = play(match, players(match, RULES), LETTERS, gives_up=enough)
    assert done.ordered(*ORDERED, *more)
    outcome = ENGINE.outcome(match[JP].table("g.pbem").fold.state)
    assert outcome is not None
    assert verdict(match).startswith(f"VALID, {outcome.words}")


def test_who_passed_a_window_may_wait_for_its_answer(tmp_path: Path) -> None:
    """In the middle of his marches `send` hands over, and Japan goes on when the Commonwealth has let the convoy by."""
    match = two(tmp_path, "singapore-1984", JP, CW)
    jp, cw = match[JP], match[CW]

    def write(*lines: str) -> None:
        assert jp.run("order", "g.pbem", "-", stdin="\n".join(lines)).status == 0
        jp.do("send", "g.pbem")
        match.take(JP, CW)
        fold = cw.table("g.pbem").fold
        held.append((fold.holder, [window.seat for window in fold.windows]))
        cw.do("send", "g.pbem")
        match.take(CW, JP)

    held: list[tuple[str | None, list[str]]] = []
    write(*(f"place {unit} 0301" for unit in ("11/5", "41/5", "42/5", "AR1", "AR14")), "end")
    write("sea 56/18 from off to 0302", "play on")
    assert held[1:] == [(CW, [CW])]
    fold = jp.table("g.pbem").fold
    assert (fold.holder, fold.windows, [(ask.seat, ask.what) for ask in fold.asks]) == (JP, [], [(JP, "move")])
