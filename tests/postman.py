"""A post office that loses, doubles, delays and reorders mail, from a seed; and players who only order and sync."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from email.utils import parseaddr

import pytest
from computers import Computer, Match, Said

from pbem import clock
from pbem.api import Ask
from pbem.cli import mail as command

HOUR = 3600
START = 1_800_000_000
"""15 January 2027, 08:00 UTC: no test depends on the hour at which it runs."""
ORDERS = 40
"""In one draft of a bot; it goes on after the next mail."""


@dataclass
class Postman:
    """Between the boxes: what is put in is brought to `deliver`, one round after another."""

    rng: random.Random
    deliver: Callable[[str, bytes], None]
    loss: float = 0.2
    double: float = 0.2
    delay: int = 4
    waiting: list[tuple[int, int, str, bytes]] = field(default_factory=list)
    round: int = 0
    lost: int = 0
    doubled: int = 0

    def take(self, to: str, raw: bytes) -> None:
        """A mail is put into the box."""
        if self.rng.random() < self.loss:
            self.lost += 1
            return
        copies = 1
        if self.rng.random() < self.double:
            copies, self.doubled = 2, self.doubled + 1
        for _ in range(copies):
            due = self.round + self.rng.randrange(self.delay + 1)
            self.waiting.append((due, self.rng.randrange(2**30), to, raw))

    def walk(self) -> None:
        """Bring what is due, in any order."""
        self.round += 1
        due = sorted(one for one in self.waiting if one[0] <= self.round)
        self.waiting = [one for one in self.waiting if one[0] > self.round]
        for _, _, to, raw in due:
            self.deliver(to, raw)


def receiver(raw: bytes) -> str:
    """The address in To."""
    found = re.search(rb"^To: ([^\r\n]+)", raw, re.MULTILINE)
    assert found
    return parseaddr(found[1].decode())[1]


@dataclass
class Clock:
    """The time that all computers of a test believe in."""

    now: int = START

    def __call__(self) -> int:
        return self.now

    def shown(self, patch: pytest.MonkeyPatch) -> None:
        """What is written into the log and what a mail command reads come from this clock."""
        patch.setattr(command, "now", self)
        patch.setattr(clock, "now", self)


def sync(computer: Computer, *more: str) -> Said:
    """Sync; anything but success, an expected gap or a letter that waits is a failure of the test."""
    said = computer.run("sync", *more)
    assert said.status in (0, 3), said
    return said


def play(match: Match, postman: Postman, clock: Clock, moves: Callable[[Match, str], list[str]], rounds: int) -> int:
    """Order and sync in turns until both sides have the same finished game; the number of rounds it took."""
    for number in range(1, rounds + 1):
        clock.now += 12 * HOUR
        for seat, computer in match.computers.items():
            sync(computer)
            for orders in moves(match, seat):
                computer.run("order", "g.pbem", *orders.split("; "))
            sync(computer, "--sign")
        postman.walk()
        tables = match.tables().values()
        if all(one.fold.closed for one in tables) and len({one.fold.head for one in tables}) == 1:
            return number
    raise AssertionError({seat: (one.fold.seq, one.fold.holder) for seat, one in match.tables().items()})


def duel_moves(length: int) -> Callable[[Match, str], list[str]]:
    """Moves and dice from a seed, and the end after so many events."""
    rng = random.Random(length)

    def choose(match: Match, seat: str) -> list[str]:
        table = match[seat].table("g.pbem", seat)
        if table.fold.closed or table.fold.holder != seat or table.drafted() or table.trial().waits():
            return []
        if table.fold.seq >= length:
            return ["resign"]
        return [rng.choice(["pass", "move 3rd to hill 12; pass", "move x; roll 2d6 for assault"])]

    return choose


def bot_moves(seed: int, length: int = 10_000) -> Callable[[Match, str], list[str]]:
    """What the engine's own player orders, typed as a player types it; the first seat resigns after so many events."""
    rng = random.Random(seed)

    def choose(match: Match, seat: str) -> list[str]:
        table = match[seat].table("g.pbem", seat)
        trial = table.trial()
        if table.drafted() or trial.waits():
            return []
        if table.fold.seq >= length and seat == next(iter(match.computers)):
            return ["resign"]
        orders: list[str] = []
        while not trial.waits() and len(orders) < ORDERS:
            known, ask = trial.author.known(), trial.asks[0]
            assert isinstance(ask, Ask)
            if ask.window:
                words = "play on"
            else:
                order = trial.fold.engine.sample(trial.state, ask, known, rng)
                words = trial.fold.engine.phrase(trial.state, seat, order, known)
            trial.take(len(orders) + 1, words)
            orders.append(words)
        return ["; ".join(orders)]

    return choose
