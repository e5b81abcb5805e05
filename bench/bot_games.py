"""Hundreds of games of bots for each scenario, as a Markdown table for docs/balance.md.

    PYTHONPATH=. python bench/bot_games.py [--games N] [--seed S] [--workers W] [--scenario ID]... [GAME...]

The same seeds are the same games; another table means other rules, data or bots.
A game that comes to no end is named with its seed, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import sys
import time

from pbem import jobs, registry, simulate
from pbem.api import Advises
from pbem.simulate import Spread, Summary

GAMES = 400
COLUMNS = ("scenario", "games", "results", "orders", "turns", "points")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", nargs="*", metavar="GAME")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--scenario", action="append", default=[], help="only this one; may be given again")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args()
    failed = False
    for rules in args.rules or [id for id in registry.engines() if isinstance(registry.engine(id), Advises)]:
        print(f"\n## {registry.engine(rules).title}\n\n| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}", flush=True)
        for scenario in registry.engine(rules).scenarios():
            if args.scenario and scenario.id not in args.scenario:
                continue
            begun = time.perf_counter()
            todo = simulate.jobs(rules, [scenario.id], games=args.games, seed=args.seed)
            done = jobs.run(simulate.play, todo, workers=args.workers)
            played = [simulate.lost(todo[n], one.why) if isinstance(one, jobs.Lost) else one for n, one in done]
            (found,) = simulate.summary(played)
            print(row(found), flush=True)
            print(f"{rules} {scenario.id}: {time.perf_counter() - begun:.0f} s", file=sys.stderr, flush=True)
            for bad in found.defects:
                failed = True
                print(f"{rules} {scenario.id}, seed {bad.job.seed}: {bad.defect}", file=sys.stderr)
    return 1 if failed else 0


def row(one: Summary) -> str:
    """The row of one scenario."""
    won = "; ".join(f"{s.result} {s.share:.1%} ({s.low:.1%} to {s.high:.1%})" for s in one.results)
    points = "; ".join(f"{seat} {_spread(own)}" for seat, own in one.points.items()) or "-"
    cells = (one.scenario, str(one.games), won, _spread(one.orders), _spread(one.turns), points)
    return f"| {' | '.join(cells)} |"


def _spread(one: Spread | None) -> str:
    return "-" if one is None else f"{one.mean:.1f} ({one.least:g} to {one.greatest:g})"


if __name__ == "__main__":
    sys.exit(main())
