"""Peak memory of `verify`, which the state bounds and not the log: a log a hundred times as long needs no more.

    PYTHONPATH=. python bench/memory.py [--json]

Each figure is the peak resident set of a process of its own.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent))

import logs
import measure
from measure import Row

SHORT, LONG = 1_000, 100_000
VERIFY = """
import sys
from measure import peak
from pbem import verify
from pbem.ruleset import rules_for
with open(sys.argv[1], "rb") as stream:
    verdict = verify.verify(stream, rules_for)
assert verdict.seq == int(sys.argv[2]), verdict.line()
print(peak())
"""


def peak_of(log: Path, events: int) -> float:
    return int(measure.python("-c", VERIFY, str(log), str(events))) / 1e6


def memory(number: int) -> list[Row]:
    with TemporaryDirectory() as folder:
        files = {events: logs.open_table(Path(folder) / f"{events}.pbem", events) for events in (SHORT, LONG)}
        size = files[LONG].stat().st_size / 1e6
        peaks = {
            events: statistics.median(peak_of(file, events) for _ in range(number)) for events, file in files.items()
        }
    return [
        Row(f"file of {LONG:,} events", size, "MB"),
        Row(f"peak with {SHORT:,} events", peaks[SHORT], "MB"),
        Row(f"peak with {LONG:,} events", peaks[LONG], "MB"),
        Row("difference", peaks[LONG] - peaks[SHORT], "MB", "< 20"),
    ]


PARTS = {"Memory": memory}

if __name__ == "__main__":
    measure.command(__doc__, PARTS, 3)
