"""What the rules cost in `verify`, on recorded games: processor time an event, beside one signature check.

    PYTHONPATH=. python bench/recorded.py [GAME...] [--rounds N] [--json]

Where no game is named it is the longest of each engine. The rules are the time inside it: `pending`, `refuse`,
`apply`, `position` and `outcome`, what the audit asks again among them; the rest of the fold are chain, dice, slots,
bodies and digests; form is reading lines and canonical JSON.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import measure
from measure import Row, Times

from pbem import charter, keys, record
from pbem.errors import Refused
from pbem.record import Event
from pbem.replay import Fold, Ruleset
from pbem.ruleset import rules_for

GAMES = Path(__file__).parent.parent / "games"
ASKED = ("pending", "refuse", "apply", "position", "outcome", "setup")


class Timed:
    """An engine whose work is timed."""

    def __init__(self, engine: Any) -> None:
        self.engine = engine
        self.seconds = 0.0
        for name in ASKED:
            setattr(self, name, self._timed(getattr(engine, name)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.engine, name)

    def _timed(self, do: Callable[..., Any]) -> Callable[..., Any]:
        clock = time.process_time

        def timed(*args: Any) -> Any:
            begun = clock()
            try:
                return do(*args)
            finally:
                self.seconds += clock() - begun

        return timed


class Unsigned(keys.VerifyKey):
    """A key that takes every signature."""

    def check(self, namespace: str, message: bytes, signature: bytes) -> None:
        return


class Recorded:
    """A recorded game: its events, and the parts of the work that `verify` has with them."""

    def __init__(self, path: Path) -> None:
        self.lines = path.read_bytes().splitlines(keepends=True)
        self.game = charter.read_charter(self.lines[0])
        self.events = [line for line in self.lines if line.startswith(b"pbem1 ")]
        self.rules = rules_for(self.game)
        self.keys = {seat: keys.VerifyKey(bytes.fromhex(self.game.key_of(seat))) for seat in self.game.seats}
        self.read = [record.read_event(line) for line in self.events]

    def form(self) -> None:
        for line in self.events:
            record.read_event(line)

    def signatures(self) -> None:
        for event in self.read:
            with suppress(Refused):  # by a later key of its seat: as much work
                self.keys[event.seat].check(keys.EVENT, event.raw, event.sig)

    def fold(self, rules: Ruleset | None = None) -> None:
        """Everything but form and signatures."""
        fold = Fold(self.game, rules or self.rules, past=self.past)
        fold.slip_keys = {seat: Unsigned(key.raw) for seat, key in fold.slip_keys.items()}
        fold.keys = {seat: Unsigned(key.raw) for seat, key in fold.keys.items()}
        for event in self.read:
            fold.take(event)

    def past(self, to: int) -> Iterator[Event]:
        return (record.read_again(line) for line in self.events[:to])

    def inside(self) -> float:
        """Seconds inside the engine."""
        timed = Timed(self.rules.engine)
        self.fold(replace(self.rules, engine=timed))
        return timed.seconds


def one(path: Path, number: int) -> list[Row]:
    game = Recorded(path)
    times = Times(("rules", "core", "form", "signature"))
    work: dict[str, Callable[[], object]] = {"fold": game.fold, "form": game.form, "signature": game.signatures}
    for turn in range(number + 1):
        measure.say(f"{path.stem}: round {turn} of {number}")
        took = {}
        for name, do in work.items():
            begun = time.process_time()
            do()
            took[name] = time.process_time() - begun
        took["rules"] = game.inside()
        took["core"] = took.pop("fold") - took["rules"]
        for name, seconds in took.items() if turn else ():
            times.wall[name].append(seconds / len(game.events))
    words = {"rules": "the rules", "core": "the rest of the fold", "form": "form", "signature": "one signature check"}
    return [
        Row(f"{path.stem}: events", len(game.events), "events"),
        *(Row(f"{path.stem}: {what}", times.median(name) * 1e6, "microseconds") for name, what in words.items()),
        Row(f"{path.stem}: the rules : signature", times.ratio("rules", "signature"), "of one check", "< 1"),
    ]


def longest() -> list[str]:
    """The longest recorded game of each game that is played."""
    found: dict[str, tuple[int, str]] = {}
    for path in GAMES.glob("*.pbem"):
        with path.open("rb") as stream:
            rules = charter.read_charter(stream.readline()).charter.rules.id
        found[rules] = max(found.get(rules, (0, "")), (path.stat().st_size, path.stem))
    return [name for _, name in sorted(found.values(), key=lambda one: one[1])]


def recorded(names: Sequence[str]) -> Callable[[int], list[Row]]:
    return lambda number: [row for name in names or longest() for row in one(GAMES / f"{name}.pbem", number)]


PARTS = {"Rules beside a signature, on recorded games": recorded(())}

if __name__ == "__main__":
    asked = [word for word in sys.argv[1:] if (GAMES / f"{word}.pbem").exists()]
    sys.argv = [sys.argv[0], *(word for word in sys.argv[1:] if word not in asked)]
    measure.command(__doc__, dict.fromkeys(PARTS, recorded(asked)), 7)
