"""A bot at the other seats of a game, on the same machine: it types what the rules advise, under a key of its own.

Its seats are those that were taken with the key named `bot`; nothing else marks them. It sees what its own vault shows,
gives orders through a draft as a player does, and leaves a log like any other. Such a log proves nothing about dice to
a stranger, for all secrets of the game lie in one folder; the name `bot` in the charter says so.
"""

from __future__ import annotations

import random
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Final

from pbem import agreement, keys, registry, verify
from pbem.api import Advises, Ask
from pbem.errors import Incomplete, Trouble, WrongUse
from pbem.home import Home, Passphrase
from pbem.simulate import need_bot
from pbem.table import BOT, Table
from pbem.trial import Trial

TURNS: Final = 10_000
"""Batons that are passed without a person at most."""


def need(rules: str, scenario: str = "") -> None:
    """`WrongUse` where the bot cannot play, or there is no seat for it."""
    engine = registry.engine(rules)
    need_bot(engine)
    chosen = next((one for one in engine.scenarios() if one.id == scenario), engine.scenarios()[0])
    if len(chosen.seats) == 1:
        raise WrongUse(f"{engine.title} is for one player", f"`pbem new {rules}` begins it")


def invite(
    home: Home, path: Path, *, components: Path | None = None, passphrase: Passphrase | None = None
) -> list[str]:
    """Let the bot take every seat of a proposed game that is open; these seats."""
    start = agreement.beginning(path)
    if start is None or start.draft is None:
        return []
    taken = list(start.draft.open_seats())
    for number, seat in enumerate(taken, 1):
        again = agreement.beginning(path)
        if again is None:
            raise AssertionError("the file was read a moment ago")
        packet = agreement.setup_packet(home, again)
        player = agreement.Player(seat, _key(home, number), verify.BOT)
        agreement.join(home, path, packet, player, components=components, passphrase=passphrase)
    return taken


def _key(home: Home, number: int) -> str:
    name = BOT if number == 1 else f"{BOT}-{number}"
    if name not in home.key_names():
        home.add_key(name, keys.SigningKey.new(), None)
    return name


def answer(table: Table, passphrase: Passphrase | None = None, rng: random.Random | None = None) -> int:
    """Let the bots act until a person has a choice; how many events were signed. Nothing where no bot plays."""
    bots, person, begun = table.bots(), table.seat, table.fold.seq
    if not bots:
        return 0
    try:
        for _ in range(TURNS):
            before = table.fold.seq
            table.seat = table.fold.holder
            if table.seat in bots:
                _act(table, table.seat, rng or random.SystemRandom())
            elif not _forced(table, table.seat):
                break
            with suppress(Incomplete):
                table.finish(passphrase)
            table.answer(passphrase)
            if table.fold.seq == before:
                break
    finally:
        table.seat = person
    return table.fold.seq - begun


def _act(table: Table, seat: str, rng: random.Random) -> None:
    """Draft what the bot gives until dice or somebody else must speak."""
    trial = table.blank_trial(seat)
    engine = trial.fold.engine
    if not isinstance(engine, Advises):
        raise Trouble(f"{engine.id} has no bot any more", "`pbem transfer` hands its seat to a person")
    lines: list[str] = []
    while not trial.waits():
        first = trial.asks[0]
        assert isinstance(first, Ask)
        known = trial.author.known()
        order = engine.advise(trial.state, first, known, rng)
        if order is None:
            break
        text = engine.phrase(trial.state, seat, order, known)
        trial.take(len(lines) + 1, text)
        lines.append(text)
    table.set_draft(lines, seat)


def _forced(table: Table, seat: str) -> bool:
    """Whether a person here can only let a window of his pass; it is drafted for him."""
    if not seat or table.drafted(seat):
        return False
    trial = table.blank_trial(seat)
    first = trial.asks[0] if trial.asks else None
    if trial.waits() or not isinstance(first, Ask) or not first.window:
        return False
    offers = _few(trial, first)
    if len(offers) == 1:
        trial.take(1, offers[0])
        table.set_draft([offers[0]], seat)
    return len(offers) < 2


def _few(trial: Trial, ask: Ask) -> list[str]:
    """The first two orders that answer an ask, as they may be typed."""
    engine, known = trial.fold.engine, trial.author.known()
    return [
        engine.phrase(trial.state, ask.seat, order, known)
        for order in islice(engine.offers(trial.state, ask.seat, known), 2)
    ]
