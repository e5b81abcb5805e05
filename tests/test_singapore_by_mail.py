"""Singapore (1984) by mail: two machines that exchange letters, from the invitation to the audit."""

from __future__ import annotations

import random
import sys
from functools import cache
from pathlib import Path

import pytest
from computers import Computer, two

from pbem.api import Ask, Order
from pbem.errors import OrderRefused
from pbem.table import Table
from pbem.trial import Stopped
from rules.singapore_1984 import ENGINE, bot, components
from rules.singapore_1984.orders import READER
from rules.singapore_1984.state import CW, JP, PLAYERS, State, foe

STANDING = ("standing retreat any", "standing loss")
LETTERS = 60
PATIENCE = 26
"""Letters after which whoever may gives up: the fall of the island takes some seventy."""


def chosen(s: State, ask: Ask, known: dict[str, object]) -> Order:
    """Standing orders in the first march, then what the bot says."""
    if ask.what == "move" and ask.seat not in s.standing:
        return READER.read(STANDING[0])[0]
    if ask.what == "move" and len(s.standing[ask.seat]) < len(STANDING):
        return READER.read(STANDING[1])[0]
    return bot.advise(s, ask, known, random.Random(0))


def typed(table: Table) -> list[str]:
    """What a player types now, until somebody else is needed; windows of the other side are left to it for later."""
    trial, lines = table.trial(), list[str]()
    while trial.asks and isinstance(ask := trial.asks[0], Ask):
        if ask.seat == table.seat:
            text = str(chosen(trial.state, ask, dict(trial.author.known())))
        elif ask.window:
            text = "play on"
        else:
            break
        try:
            trial.take(len(lines) + 1, text)
        except Stopped:
            break
        except OrderRefused as refused:
            if "E_WINDOW" not in refused.what:
                raise
            break
        lines.append(text)
    return lines


def turn(one: Computer) -> list[str]:
    """One player's mail: his orders from a file, then the letter."""
    table = one.table("g.pbem")
    lines = typed(table) if table.fold.holder == table.seat else []
    if lines:
        said = one.run("order", "g.pbem", "-", stdin="\n".join(lines))
        assert said.status in (0, 3), (lines, said)
    one.do("send", "g.pbem")
    return lines


@pytest.mark.parametrize("scenario", ["campaign", "optional"])
def test_two_machines_play_to_the_audit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scenario: str) -> None:
    """The first turns; then somebody gives up.

    Letters go without pictures, and the tables are read once: this is about letters.
    """
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    monkeypatch.setattr(components, "load", cache(components.load))
    match = two(tmp_path, "singapore-1984", *PLAYERS, "--scenario", scenario)
    said: list[str] = []
    for number in range(LETTERS):
        seat = PLAYERS[number % 2]
        table = match[seat].table("g.pbem")
        if table.fold.closed:
            break
        gives_up = number >= PATIENCE and table.fold.holder == seat
        if not (gives_up and match.resigns(seat)):
            said += turn(match[seat])
        match.take(seat, foe(seat))
    match.agree()
    assert {"attack", "move", "standing", *(["options"] if scenario == "optional" else [])} <= {
        line.split()[0] for line in said
    }
    assert all(table.fold.closed for table in match.tables().values())
    verdicts = {match[seat].do("audit", "g.pbem").out for seat in PLAYERS}
    assert len(verdicts) == 1
    assert "VALID" in verdicts.pop()
    assert ENGINE.outcome(match["jp"].table("g.pbem").fold.state) is not None


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
