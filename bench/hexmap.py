"""What the scripts that make a hex map share: coasts, lists in TOML, writing or comparing the result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path


def inside(place: tuple[float, float], coast: Sequence[Sequence[float]]) -> bool:
    """Whether a place lies inside a closed outline."""
    north, east = place
    found = False
    for (a, b), (c, d) in pairwise([*coast, coast[0]]):
        if (b > east) != (d > east) and north < (c - a) * (east - b) / (d - b) + a:
            found = not found
    return found


def wrapped(words: Iterable[str], across: int) -> str:
    """Words in lines, as TOML text."""
    words = list(words)
    rows = [" ".join(words[n : n + across]) for n in range(0, len(words), across)]
    return '"""\n' + "\n".join(f"  {row}" for row in rows) + '\n"""' if len(rows) > 1 else f'"{" ".join(words)}"'


def write(made: str, result: Path, arguments: Sequence[str]) -> int:
    """Write the file, or with `--check` compare it: 1 where it differs."""
    if "--check" in arguments:
        same = result.read_text(encoding="utf-8") == made
        print("the same" if same else f"{result} differs: run this script without --check")
        return 0 if same else 1
    result.write_text(made, encoding="utf-8")
    return 0
