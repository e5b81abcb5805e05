"""How long a command takes from its start to its end, beside bare imports.

    PYTHONPATH=. python bench/startup.py [--rounds N] [--json]

The yardstick of `pbem --help` is `import click`; that of `pbem status` are the core dependencies, as `BARE` has them.
All are compiled beforehand, as installed packages are. `status` verifies the whole log each time, by design:
so its signatures alone are told too.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent))

import logs
import measure
from measure import Row
from verify_speed import signatures_alone

EVENTS = 1_000
BARE = """
import click
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from jinja2 import Environment, FileSystemLoader, StrictUndefined
"""


def startup(number: int) -> list[Row]:
    with TemporaryDirectory() as folder:
        log = logs.open_table(Path(folder) / "game.pbem", EVENTS)
        lines = log.read_bytes()
        work = {
            "click": ("-c", "import click"),
            "help": ("-m", "pbem", "--help"),
            "bare": ("-c", BARE),
            "status": ("-m", "pbem", "status", str(log)),
        }
        processes = {name: partial(measure.python, *args) for name, args in work.items()}
        times = measure.rounds({**processes, "signatures": lambda: signatures_alone(lines)}, number)
    rows = [
        Row(f"{what}, wall clock", times.median(name) * 1e3, "milliseconds")
        for what, name in (
            ("import click", "click"),
            ("pbem --help", "help"),
            ("bare import of the core dependencies", "bare"),
            (f"pbem status, {EVENTS:,} events", "status"),
            (f"the signatures of {EVENTS:,} events alone, in one thread", "signatures"),
        )
    ]
    return [
        *rows,
        Row("pbem --help : import click", times.ratio("help", "click"), "times as long", "<= 2"),
        Row("pbem status : bare import", times.ratio("status", "bare"), "times as long", "< 2"),
        Row("the same in processor time", times.cpu_ratio("status", "bare"), "times as much"),
    ]


PARTS = {"Start of commands": startup}

if __name__ == "__main__":
    measure.command(__doc__, PARTS, 15)
