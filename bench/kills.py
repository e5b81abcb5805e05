"""Commands killed by kill -9 at random moments: a thousand times send, receive, order and respond.

    PYTHONPATH=. python bench/kills.py [--kills N] [--games N]

The tests do the same a hundred times (`tests/killing.py`, which says what is checked after each kill).
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import killing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="how often")
    parser.add_argument("--games", type=int, default=20, help="spread over so many games")
    chosen = parser.parse_args()
    kills: Counter[str] = Counter()
    in_time: Counter[str] = Counter()
    events = slips = 0
    for seed in range(chosen.games):
        with TemporaryDirectory() as folder:
            done = killing.campaign(Path(folder), chosen.kills // chosen.games, 1000 + seed)
        kills += done.kills
        in_time += done.in_time
        events += len(done.events)
        slips += len(done.slips)
    print("| command | killed | ended before |")
    print("|---|---|---|")
    for word, count in sorted(kills.items()):
        print(f"| `{word}` | {count} | {in_time[word]} |")
    print(f"{kills.total()} kills, {events} events and {slips} slips signed; nothing lost, nothing signed twice")


if __name__ == "__main__":
    main()
