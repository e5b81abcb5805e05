"""Whole games by mail: bots in a folder for each seat, who only order, send and receive, from invitation to audit.

    PYTHONPATH=. python bench/by_mail.py GAME [SCENARIO...] [--option NAME=VALUE] [--dice sealed|open] [--no-standing]

Nobody resigns. For each scenario a line: letters, how often the turn passed, events, seconds, the slowest command of
each kind, the result; then what `verify --finished` says in every folder. The exit status is 1 where one is not VALID.
Letters go without pictures, and the tables of a game are read once.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

CHECKOUT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(CHECKOUT), str(CHECKOUT / "tests")]

import pytest  # noqa: E402
from computers import Computer, Match, Said, seated  # noqa: E402
from correspondents import Correspondence, lean, play, players, verdict  # noqa: E402

from pbem import registry  # noqa: E402
from pbem.ruleset import scenario_of  # noqa: E402

LETTERS = 20_000


class Timed(Computer):
    """A computer that keeps how long the slowest command of each kind took."""

    slowest: dict[str, float] = {}  # noqa: RUF012

    def run(self, *words: object, stdin: str | bytes = "") -> Said:
        begun = time.perf_counter()
        said = super().run(*words, stdin=stdin)
        name, took = str(words[0]), time.perf_counter() - begun
        self.slowest[name] = max(self.slowest.get(name, 0), took)
        return said


def game(folder: Path, rules: str, scenario: str, args: argparse.Namespace) -> bool:
    """One game to its end; whether all is VALID."""
    seats = tuple(seat.id for seat in scenario_of(registry.engine(rules), scenario).seats)
    more = [word for option in args.option for word in ("--option", option)]
    Timed.slowest.clear()
    begun = time.perf_counter()
    match = seated(folder, rules, seats, "--scenario", scenario, "--dice", args.dice, *more, kind=Timed)
    done = Correspondence()
    try:
        done = play(match, players(match, "" if args.no_standing else rules, args.seed), args.letters, done)
        said = verdict(match).splitlines()[0]
    finally:
        tell(match, scenario, done, time.perf_counter() - begun)
    words = {one.name: one.do("verify", "--finished", "g.pbem").out.splitlines()[0] for one in match.computers.values()}
    for seat, word in words.items():
        print(f"  {seat}: {word}", flush=True)
    return said.startswith("VALID, ") and all(word.startswith("VALID, ") for word in words.values())


def tell(match: Match, scenario: str, done: Correspondence, seconds: float) -> None:
    """How it went."""
    table = next(iter(match.tables().values()))
    fold = table.fold
    anchors = [note.anchor for _, note in table.story if note.anchor]
    turns = len({anchor for anchor in anchors if anchor[1:].isdigit()})
    parts = len({anchor for anchor in anchors if "." in anchor})
    passed = sum(event.kind == "handover" for event in fold.past(fold.seq)) if fold.past is not None else 0
    outcome = fold.outcome()
    slow = ", ".join(f"{name} {took:.1f} s" for name, took in sorted(Timed.slowest.items()))
    by = ", ".join(f"{seat} {count}" for seat, count in sorted(done.mails.items()))
    print(
        f"{scenario}: {done.letters} letters ({by}), the turn passed {passed} times, {fold.seq} events, "
        f"{turns} turns, {parts} parts of turns, {seconds:.0f} s; slowest: {slow}\n"
        f"  {outcome.words if outcome else 'no result'}",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", metavar="GAME")
    parser.add_argument("scenarios", nargs="*", metavar="SCENARIO")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--dice", choices=("sealed", "open"), default="sealed")
    parser.add_argument("--no-standing", action="store_true", help="nobody gives standing orders")
    parser.add_argument("--letters", type=int, default=LETTERS, help="give up after so many")
    parser.add_argument(
        "--seed", type=int, default=0, help="of the bots' own choices; dice and secrets are new each time"
    )
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="play here and leave all there")
    args = parser.parse_args()
    sound = True
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as temporary:
        lean(patch)
        for scenario in args.scenarios or [one.id for one in registry.engine(args.rules).scenarios()]:
            sound = game((args.keep or Path(temporary)) / scenario, args.rules, scenario, args) and sound
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
