"""What the measurements share: rounds in turn, medians, whole processes, tables.

Other work on the machine disturbs a time, so every yardstick runs beside what it measures, in each round again,
and a ratio is the median of the rounds' own ratios.
POSIX only: processor time and memory are the system's own accounts.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Row:
    """One result. `target` is a limit with its sign (">= 0.7", "< 20"), empty where the figure is only told."""

    what: str
    value: float
    unit: str
    target: str = ""

    @property
    def met(self) -> bool | None:
        if not self.target:
            return None
        sign, limit = self.target.split()
        wanted = float(limit)
        return {"<": self.value < wanted, "<=": self.value <= wanted, ">=": self.value >= wanted}.get(
            sign, self.value > wanted
        )


class Times:
    """What each piece of work took, round by round: seconds by the clock, and of processor time."""

    def __init__(self, names: Iterable[str]) -> None:
        self.wall: dict[str, list[float]] = {name: [] for name in names}
        self.cpu: dict[str, list[float]] = {name: [] for name in self.wall}

    def median(self, name: str) -> float:
        return statistics.median(self.wall[name])

    def ratio(self, over: str, under: str) -> float:
        """The median over the rounds of one time divided by the other."""
        return quotient(self.wall[over], self.wall[under])

    def cpu_ratio(self, over: str, under: str) -> float:
        """The same in processor time, which other work on the machine hardly disturbs."""
        return quotient(self.cpu[over], self.cpu[under])

    def share(self, name: str) -> float:
        """How much of a processor the work got: 1 on a machine that does nothing else."""
        return quotient(self.cpu[name], self.wall[name])


def quotient(over: Sequence[float], under: Sequence[float]) -> float:
    return statistics.median(a / b for a, b in zip(over, under, strict=True))


def processor_time() -> float:
    """Seconds that processors have worked for this process and those it waited for."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
    )


def peak() -> int:
    """Bytes of this process's peak resident set. Linux counts the parent's in `getrusage`, so it is asked elsewhere."""
    status = Path("/proc/self/status")
    if status.exists():
        return 1024 * next(int(line.split()[1]) for line in status.read_text().splitlines() if line[:6] == "VmHWM:")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def rounds(work: Mapping[str, Callable[[], object]], number: int) -> Times:
    """All pieces of work in turn, round after round; the first round is not counted."""
    times = Times(work)
    for turn in range(number + 1):
        say(f"round {turn} of {number}")
        for name, do in work.items():
            cpu, wall = processor_time(), time.perf_counter()
            do()
            if turn:
                times.wall[name].append(time.perf_counter() - wall)
                times.cpu[name].append(processor_time() - cpu)
    return times


def environment() -> dict[str, str]:
    """For processes that are timed: this checkout, compiled once, as an installed package is."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    kept = Path(tempfile.gettempdir()) / "pbem-bench"
    return env | {
        "PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "bench"))),
        "PYTHONPYCACHEPREFIX": str(kept / "compiled"),
        "PBEM_HOME": str(kept / "home"),
    }


def python(*args: str) -> str:
    """Standard output of a Python process."""
    done = subprocess.run([sys.executable, *args], env=environment(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(args)[:80]}: {done.stderr[-500:]}")
    return done.stdout


def machine() -> str:
    """What the figures depend on, without names."""
    from cryptography import __version__
    from cryptography.hazmat.backends.openssl.backend import backend

    library = " ".join(backend.openssl_version_text().split()[:2])
    system = f"{os.cpu_count()} cores {platform.machine()}, {platform.python_implementation()}"
    return f"{system} {platform.python_version()}, cryptography {__version__} on {library}"


def say(text: str) -> None:
    """Progress, for whoever waits at a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{text:<60}")
        sys.stderr.flush()


# Output ----------------------------------------------------------------------------------------------------------


def shown(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def markdown(parts: Mapping[str, Sequence[Row]]) -> str:
    words = {None: "", True: "met", False: "missed"}
    lines = [machine() + ".", ""]
    for title, rows in parts.items():
        lines += [f"### {title}", "", "| what | figure | unit | target | |", "|---|---:|---|---|---|"]
        lines += [f"| {row.what} | {shown(row.value)} | {row.unit} | {row.target} | {words[row.met]} |" for row in rows]
        lines.append("")
    return "\n".join(lines)


def data(parts: Mapping[str, Sequence[Row]]) -> dict[str, Any]:
    rows = [asdict(row) | {"part": title, "met": row.met} for title, of in parts.items() for row in of]
    return {"machine": machine(), "rows": rows}


def command(about: str | None, parts: Mapping[str, Callable[[int], Sequence[Row]]], usual: int) -> None:
    """The command line of a measurement: all parts, or one by name."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=usual, help=f"rounds of each measurement, usually {usual}")
    parser.add_argument("--json", action="store_true", help="the figures for programs")
    asked = parser.parse_args()
    done = {title: part(asked.rounds) for title, part in parts.items()}
    say("")
    print(json.dumps(data(done), indent=2) if asked.json else markdown(done))
