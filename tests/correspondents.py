"""Players who write letters: each types what the bot of his game advises, mails it and takes in what the others mail.

`play` takes a game from its first letter to its last with the commands that a player types: `order`, `send`, `receive`.
"""

from __future__ import annotations

import random
import secrets
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest
from computers import Computer, Match
from postman import Clock

from pbem import keys, registry
from pbem.api import Advises, Ask
from pbem.errors import OrderRefused
from pbem.table import Table
from pbem.trial import Stopped, Trial
from rules.field_command.campaign.advice import PLANS

STANDING: Mapping[str, tuple[str, ...]] = {
    "tiger-of-malaya": (
        *("standing losses", "standing retreat", "standing support", "standing no evasion"),
        *("standing hold", "standing displace", "standing garrison"),
    ),
    "glory-recalled": (
        *("standing hits retreat", "standing advance", "standing no wave", "standing no cards", "standing no reaction"),
    ),
    "singapore-1984": ("standing retreat any", "standing loss"),
    "field-command": tuple(
        f"standing {role}: {'; '.join((*PLANS[role], *more))}"
        for role, more in (("attack", ()), ("defence", ("cover 2", "reserve 3")))
    ),
}
"""What a player leaves to standing orders, where his game has some: those that any side may give at once."""
OF_A_SEAT: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("singapore-1984", "cw"): ("standing intercept at 1616+1721+1822+1510+1106",),
}
"""Those that one seat alone may give."""
ORDERS = 400
"""In one letter at most; a bot that wants more goes on after the next mail."""


def lean(patch: pytest.MonkeyPatch) -> None:
    """Letters go without pictures, and the tables are read once: this is about letters, and there are hundreds."""
    patch.setitem(sys.modules, "resvg_py", None)
    patch.setattr(registry, "ruleset", cache(registry.ruleset))


def fixed(patch: pytest.MonkeyPatch, seed: int) -> None:
    """Keys, secrets and the clock of all computers come from a seed: the same dice each time."""
    rng = random.Random(seed)
    patch.setattr(secrets, "token_bytes", rng.randbytes)
    patch.setattr(secrets, "token_hex", lambda count: rng.randbytes(count).hex())
    patch.setattr(keys.SigningKey, "new", lambda: keys.SigningKey.from_seed(rng.randbytes(32)))
    Clock().shown(patch)


@dataclass
class Player:
    """One seat: its computer, and the standing orders that are not given yet."""

    computer: Computer
    seat: str
    rng: random.Random
    standing: list[str] = field(default_factory=list)

    def table(self) -> Table:
        """The game as it stands here."""
        return self.computer.table("g.pbem", self.seat)

    def advised(self, trial: Trial, ask: Ask) -> str:
        """What the bot of the game says to a question, as a player types it."""
        offers = trial.fold.engine.offers(trial.state, ask.seat, trial.author.known())
        if ask.window and not any(True for _ in offers):
            return "play on"
        return self.asked(trial, trial.state, ask)

    def asked(self, trial: Trial, state: Any, ask: Ask) -> str:
        """What the bot would say in this position."""
        engine, known = trial.fold.engine, trial.author.known()
        assert isinstance(engine, Advises)
        order = engine.advise(state, ask, known, self.rng)
        return "play on" if order is None else engine.phrase(state, ask.seat, order, known)

    def typed(self, table: Table) -> list[str]:
        """What he types now, until chance or somebody else is needed; windows of others are left to them for later."""
        trial, lines = table.trial(self.seat), list[str]()
        while not trial.fold.closed and trial.asks and isinstance(ask := trial.asks[0], Ask) and len(lines) < ORDERS:
            if ask.seat != self.seat and not ask.window:
                break
            given = self._given(trial, len(lines) + 1) if ask.seat == self.seat else ""
            text = given or (self.advised(trial, ask) if ask.seat == self.seat else "play on")
            try:
                if not given:
                    trial.take(len(lines) + 1, text)
            except Stopped:
                break
            except OrderRefused as refused:
                if "E_WINDOW" not in refused.what:  # one window at a time is passed before its owner has spoken
                    raise
                break
            lines.append(text)
        return lines

    def _given(self, trial: Trial, number: int) -> str:
        """A standing order that is taken here, given once."""
        for text in self.standing:
            try:
                trial.take(number, text)
            except (OrderRefused, Stopped):
                continue
            self.standing.remove(text)
            return text
        return ""

    def orders(self, table: Table) -> list[str]:
        """Order what he types; what was ordered."""
        lines = self.typed(table)
        if lines:
            said = self.computer.run("order", "g.pbem", "-", stdin="\n".join(lines))
            assert said.status in (0, 3), (lines, said)
        return lines


@dataclass
class Correspondence:
    """What passed between the players."""

    letters: int = 0
    lines: list[str] = field(default_factory=list)
    mails: Counter[str] = field(default_factory=Counter)
    """Letters of each seat."""

    def ordered(self, *words: str) -> bool:
        """Whether each of these begins some order that was given."""
        return all(any(line.startswith(word) for line in self.lines) for word in words)


def players(match: Match, rules: str = "", seed: int = 0, kind: type[Player] = Player) -> list[Player]:
    """A player at each computer, with the standing orders of the game."""
    habits = STANDING.get(rules, ())
    return [
        kind(one, seat, random.Random(f"{seed}/{seat}"), [*habits, *OF_A_SEAT.get((rules, seat), ())])
        for seat, one in match.computers.items()
    ]


def play(
    match: Match,
    people: Sequence[Player],
    most: int,
    done: Correspondence | None = None,
    *,
    gives_up: Callable[[Player, Table, Correspondence], bool] = lambda *_: False,
) -> Correspondence:
    """Letters until every computer has the finished game, `most` of them; whoever `gives_up` resigns where he may.

    `done` is filled as it goes.
    """
    done, idle = done or Correspondence(), 0
    while idle < 2:
        mailed, closed = done.letters, 0
        for player in people:
            table = player.table()
            closed += table.fold.closed
            mine = table.fold.holder == player.seat and not table.fold.closed
            if mine and not (gives_up(player, table, done) and _resigned(player)):
                done.lines += player.orders(table)
            _mail(match, player, done)
        if closed == len(people):
            match.agree()
            return done
        assert done.letters <= most, f"{done.letters} letters and no end"
        idle = 0 if done.letters > mailed else idle + 1
    raise AssertionError({player.seat: player.computer.do("status", "g.pbem").out for player in people})


def _resigned(player: Player) -> bool:
    return player.computer.run("resign", "g.pbem", "--yes").status == 0


def _mail(match: Match, player: Player, done: Correspondence) -> None:
    """His letter goes to all others, where he has something to mail that they have not had."""
    before = player.computer.letters[-1:]
    said = player.computer.run("send", "g.pbem")
    assert said.status in (0, 3), said
    if player.computer.letters[-1:] == before:
        return
    done.letters += 1
    done.mails[player.seat] += 1
    for other in match.computers:
        if other != player.seat:
            match.take(player.seat, other)


def verdict(match: Match) -> str:
    """What both audits say, which must be one thing."""
    verdicts = {computer.do("audit", "g.pbem").out for computer in match.computers.values()}
    assert len(verdicts) == 1, verdicts
    for computer in match.computers.values():
        computer.do("verify", "--finished", "g.pbem")
    return verdicts.pop()
