"""How much sooner a folder of games is verified with two processes than with one.

    PYTHONPATH=. python bench/archive.py [--rounds N] [--json]

Forty games of 2,000 events at the open table, each time by a process of its own, as `pbem verify FOLDER` starts.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent))

import logs
import measure
from measure import Row

GAMES, EVENTS = 40, 2_000
FREE = 1.8
"""Processors that the two processes must have got, else the ratio says nothing."""


def archive(number: int) -> list[Row]:
    with TemporaryDirectory() as folder:
        first = logs.open_table(Path(folder) / "0.pbem", EVENTS)
        for copy in range(1, GAMES):
            shutil.copyfile(first, first.with_name(f"{copy}.pbem"))

        def verify(processes: int) -> None:
            measure.python("-m", "pbem", "verify", folder, "--jobs", str(processes))

        times = measure.rounds({"one": lambda: verify(1), "two": lambda: verify(2)}, number)
    return [
        Row(f"{GAMES} games of {EVENTS:,} events, one process", times.median("one"), "s"),
        Row("the same, two processes", times.median("two"), "s"),
        Row("sooner", times.ratio("one", "two"), "times", ">= 1.8" if times.share("two") >= FREE else ""),
        Row("processors that the two got", times.share("two"), ""),
    ]


PARTS = {"Folders": archive}

if __name__ == "__main__":
    measure.command(__doc__, PARTS, 3)
