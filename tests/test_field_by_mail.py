"""Field Command by mail: two and three machines that exchange letters, from the invitation to the end."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest
from computers import Computer, Match, two

from pbem.api import Ask
from pbem.table import Table
from pbem.trial import Stopped
from rules.field_command import ENGINE, components
from rules.field_command.campaign.advice import PLANS
from rules.field_command.campaign.state import War

LETTERS = 400
PATIENCE = 4


@pytest.fixture(autouse=True)
def _lean(monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters go without pictures, and the tables are read once: this is about letters, and there are hundreds."""
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    monkeypatch.setattr(components, "load", cache(components.load))


def begin(folder: Path, seats: tuple[str, ...], *more: str) -> Match:
    """All machines at one table, all seals in."""
    if len(seats) == 2:
        return two(folder, "field-command", seats[0], seats[1], *more)
    match = Match({seat: Computer(folder / seat) for seat in seats})
    first, *others = seats
    match[first].do("new", "field-command", "--seat", first, "--file", "g.pbem", *more)
    for seat in others:
        match[seat].do("join", match[first].letter, "--seat", seat, "--file", "g.pbem")
    for seat in others:
        match.take(seat, first)
    for seat in seats:
        match.mail(seat)
    return match


def typed(table: Table, standing: bool) -> list[str]:
    """What a player types now, until somebody else is needed: what the bot says, and once his standing plans."""
    trial, lines, rng = table.trial(), [], random.Random(table.fold.seq)
    while trial.asks and isinstance(ask := trial.asks[0], Ask) and ask.seat == table.seat:
        text = ""
        if standing and isinstance(trial.state, War):
            text = plan_of(trial.state, ask.seat)
        if not text:
            order = ENGINE.advise(trial.state, ask, trial.author.known(), rng)  # type: ignore[attr-defined]
            text = ENGINE.phrase(trial.state, ask.seat, order, trial.author.known())
        try:
            trial.take(len(lines) + 1, text)
        except Stopped:
            break
        lines.append(text)
    return lines


def plan_of(war: War, seat: str) -> str:
    """A standing plan that this seat has not given yet."""
    given = {one.role for one in war.standing if one.seat == seat}
    for role, more in (("attack", ()), ("defence", ("cover 2", "reserve 3"))):
        if role not in given:
            return f"standing {role}: {'; '.join((*PLANS[role], *more))}"
    return ""


def letter(match: Match, sender: str) -> None:
    """A letter to all others, where there is anything to mail."""
    if match[sender].run("send", "g.pbem").status == 0:
        for one in match.computers:
            if one != sender:
                match.take(sender, one)


def play(match: Match, seats: Iterable[str], *, standing: bool = False, patience: int = LETTERS) -> int:
    """Letters until the game is over, or Japan gives up after `patience` letters; how many there were."""
    count = 0
    tables = match.tables()
    while not (fold := next(iter(tables.values())).fold).closed and fold.outcome() is None:
        count += 1
        assert count < LETTERS
        holder = fold.holder
        table = tables[holder]
        lines = typed(table, standing)
        if count > patience and holder == "japan" and match[holder].run("resign", "g.pbem", "--yes").status == 0:
            lines = []
        if lines:
            said = match[holder].run("order", "g.pbem", "-", stdin="\n".join(lines))
            assert said.status in (0, 3), (lines, said)
        for seat in (holder, *(one for one in match.computers if one != holder)):  # with the slips of sealed dice
            letter(match, seat)
        tables = match.tables()
    for seat in seats:
        letter(match, seat)
    match.agree()
    verdicts = {one.do("audit", "g.pbem").out for one in match.computers.values()}
    assert len(verdicts) == 1
    assert verdicts.pop().startswith("VALID, ")
    return count


@pytest.mark.parametrize(
    ("scenario", "seats"),
    [
        ("company", ("japan", "britain")),
        ("battalion", ("australia", "japan")),
        ("regiment", ("britain", "japan")),
    ],
)
def test_a_battle_by_mail(tmp_path: Path, scenario: str, seats: tuple[str, str]) -> None:
    match = begin(tmp_path, seats, "--scenario", scenario)
    play(match, seats)
    assert match[seats[0]].table("g.pbem").fold.outcome() is not None


def test_a_campaign_for_two_by_mail(tmp_path: Path) -> None:
    """To its very end: with standing plans on both sides a turn is a letter, battles and all."""
    seats = ("japan", "allies")
    match = begin(tmp_path, seats, "--scenario", "campaign-two", "--dice", "open")
    count = play(match, seats, standing=True)
    fold = match["japan"].table("g.pbem").fold
    assert fold.outcome() is not None
    assert count <= 2 * fold.state.turn


def test_a_campaign_for_three_by_mail(tmp_path: Path) -> None:
    """Under sealed dice, where each roll takes an answer from both others; Japan gives up in the end."""
    seats = ("japan", "australia", "britain")
    match = begin(tmp_path, seats, "--scenario", "campaign")
    play(match, seats, standing=True, patience=PATIENCE)
    outcome = match["britain"].table("g.pbem").fold.outcome()
    assert outcome is not None
    assert outcome.winners == ("australia", "britain")
