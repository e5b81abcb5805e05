"""Tiger of Malaya by mail: two machines that exchange letters, from the invitation to the audit."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from computers import Computer, two

from pbem.api import Ask, Known
from pbem.table import Table
from pbem.trial import Stopped
from rules.tiger_of_malaya import ENGINE, components
from rules.tiger_of_malaya.orders import READER, Attack, Support
from rules.tiger_of_malaya.state import State, foe

LETTERS = 250
"""A game of five turns takes some two hundred."""
WANTED = ("chits ", "attack ")
"""Orders that must have been given before somebody gives up."""


def attacks(s: State, seat: str, known: Known) -> Iterator[Attack]:
    """Attacks that are legal, at whatever odds: the bot waits for good ones, which some games never see."""
    for order in ENGINE.offers(s, seat, known):
        if isinstance(order, Attack) and ENGINE.refuse(s, seat, order, known) is None:
            yield order


def typed(table: Table) -> list[str]:
    """What a player types now, until somebody else is needed."""
    trial, lines = table.trial(), []
    while trial.asks and isinstance(ask := trial.asks[0], Ask) and ask.seat == table.seat:
        known = trial.author.known()
        order = ENGINE.advise(trial.state, ask, known, None)  # type: ignore[arg-type]
        if ask.what == "declare" and not any(line.startswith("attack ") for line in lines):
            order = next(attacks(trial.state, ask.seat, known), order)
        try:
            trial.take(len(lines) + 1, str(order))
        except Stopped:
            break
        lines.append(str(order))
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


def test_two_machines_play_to_the_audit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots act until chits were sealed and a battle was declared, whenever the dice let it come; then one gives up.

    Letters go without pictures, and the tables are read once: this is about letters.
    """
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    monkeypatch.setattr(components, "load", cache(components.load))
    match = two(tmp_path, "tiger-of-malaya", "japan", "allies", "--scenario", "muar")
    said: list[str] = []
    for number in range(LETTERS):
        seat = ("japan", "allies")[number % 2]
        table = match[seat].table("g.pbem")
        if table.fold.closed:
            break
        seen = all(any(line.startswith(word) for line in said) for word in WANTED)
        if not (seen and table.fold.holder == seat and match.resigns(seat)):
            said += turn(match[seat])
        match.take(seat, foe(seat))
    match.agree()
    for word in WANTED:
        assert any(line.startswith(word) for line in said), word
    verdicts = {match[seat].do("audit", "g.pbem").out for seat in ("japan", "allies")}
    assert len(verdicts) == 1
    assert "VALID" in verdicts.pop()


def test_an_empty_hand_of_guns_is_read() -> None:
    """`support` alone means none."""
    assert READER.read("support") == READER.read("support none") == (Support(),)
