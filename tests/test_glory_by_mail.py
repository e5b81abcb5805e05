"""Glory Recalled by mail: two machines that exchange letters, from the invitation to the audit."""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

import pytest
from computers import Computer, two

from pbem import registry
from pbem.api import Ask, Order
from pbem.errors import OrderRefused
from pbem.table import Table
from pbem.trial import Stopped, Trial
from rules.glory_recalled import ENGINE, bot
from rules.glory_recalled.orders import READER, Deploy
from rules.glory_recalled.state import State, foe

STANDING = (
    *("standing hits retreat", "standing advance", "standing no wave", "standing no cards", "standing no reaction"),
)
LETTERS = 200
PATIENCE = 120
"""Letters after which whoever may gives up: dice can hold up a game for very long."""


def chosen(s: State, ask: Ask, trial: Trial, quiet: bool) -> Order:
    """Standing orders first, then what the bot says; `quiet` lets the turns go by."""
    if ask.what == "act" and not ask.sealed:
        mine = {str(order) for seat, order in s.standing if seat == ask.seat}
        for text in (*STANDING, "standing pass") if quiet else STANDING:
            if text not in mine:
                return READER.read(text)[0]
    return bot.advise(s, ask, trial.author.known())


def typed(table: Table, quiet: bool) -> list[str]:
    """What a player types now, until somebody else is needed; a set-up line by line."""
    trial, lines = table.trial(), list[str]()
    while trial.asks and isinstance(ask := trial.asks[0], Ask):
        text = "play on"
        if ask.seat == table.seat:
            order = chosen(trial.state, ask, trial, quiet)
            text = ENGINE.phrase(trial.state, ask.seat, order, trial.author.known())
        elif not ask.window:
            break
        else:
            order = None
        try:
            trial.take(len(lines) + 1, text)
        except Stopped:
            break
        except OrderRefused as refused:
            if "E_WINDOW" not in refused.what:  # one window at a time is passed before its owner has spoken
                raise
            break
        lines.append(text)
        if isinstance(order, Deploy):
            lines[-1] = re.sub(r" (?=\S+:)", "\n", text) + "\nend"
    asks = trial.asks
    if not lines and asks and isinstance(asks[0], Ask) and (asks[0].seat, asks[0].what) == (table.seat, "act"):
        return ["pass"]  # what was wanted waits for the other side; a pass waits for nobody
    return lines


def turn(one: Computer, table: Table, quiet: bool) -> None:
    """One player's mail: his orders from a file, then the letter."""
    lines = typed(table, quiet) if table.fold.holder == table.seat else []
    if lines:
        said = one.run("order", "g.pbem", "-", stdin="\n".join(lines))
        assert said.status in (0, 3), (lines, said)
    one.do("send", "g.pbem")


@pytest.mark.parametrize(
    ("scenario", "japan", "british"),
    [("kowloon", 99, 1), ("island", 99, 1), ("standard", 99, 0), ("free", 0, 1)],
)
def test_two_machines_play_to_the_audit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scenario: str, japan: int, british: int
) -> None:
    """Bots act for so many turns, then the turns go by until the scenario ends, by points or by its last pier.

    Letters go without pictures, and the tables are read once: this is about letters, and there are hundreds.
    """
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    monkeypatch.setattr(registry, "ruleset", cache(registry.ruleset))
    match = two(tmp_path, "glory-recalled", "japan", "british", "--scenario", scenario)
    first = int(match["japan"].table("g.pbem").fold.state.turn)
    eager = {"japan": first + japan, "british": first + british}
    for number in range(LETTERS):
        seat = ("japan", "british")[number % 2]
        table = match[seat].table("g.pbem")
        if table.fold.closed:
            break
        gives_up = number >= PATIENCE and table.fold.holder == seat
        if not (gives_up and match.resigns(seat)):
            turn(match[seat], table, table.fold.state.turn >= eager[seat])
        match.take(seat, foe(seat))
    match.agree()
    assert all(table.fold.closed for table in match.tables().values())
    verdicts = {match[seat].do("audit", "g.pbem").out for seat in ("japan", "british")}
    assert len(verdicts) == 1
    assert "VALID" in verdicts.pop()


def test_the_set_up_is_typed_line_by_line() -> None:
    """The block of the order is read like the line."""
    assert READER.read("deploy\nG03: 2RS-A DM-1 fort\nG02: DM-2\nend") == READER.read(
        "deploy G03: 2RS-A DM-1 fort G02: DM-2"
    )
