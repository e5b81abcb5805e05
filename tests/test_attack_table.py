"""docs/attacks.md names every row, and every test that it names is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "attacks.md").read_text("utf-8")
SHORT = {"a": "tests/test_attacks.py", "h": "tests/test_hidden_attacks.py"}
ROWS = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if re.match(r"\| \d", line)]


def named(cell: str) -> set[tuple[str, str]]:
    """Files and tests of a cell: `file: `one`, `two`; other: `three``."""
    found = set()
    for group in cell.split("; "):
        file, _, tests = group.partition(": ")
        where = SHORT.get(file, file)
        for test in re.findall(r"`(test_\w+)`", tests):
            found.add((where, test))
    return found


def defined(file: str) -> set[str]:
    return set(re.findall(r"^def (test_\w+)\(", (ROOT / file).read_text("utf-8"), re.MULTILINE))


def test_every_row_is_there_once_with_a_test() -> None:
    assert sorted(int(row[0]) for row in ROWS) == list(range(1, 73))
    for row in ROWS:
        assert len(row) == 4, row
        assert named(row[3]), row


def test_every_named_test_exists() -> None:
    besides = next(line for line in PAGE.splitlines() if line.startswith("Besides, "))
    pairs = {pair for row in ROWS for pair in named(row[3])} | named(besides.rstrip(".").partition("alone: ")[2])
    files = {file: defined(file) for file, _ in pairs}
    assert [(file, test) for file, test in sorted(pairs) if test not in files[file]] == []
    assert {test for _, test in pairs} == set(re.findall(r"`(test_\w+)`", PAGE))  # none was overlooked


def test_a_test_of_a_row_is_named_in_that_row() -> None:
    """The two files of attacks say by name which row a test belongs to."""
    for row in ROWS:
        told = {test for _, test in named(row[3])}
        prefix = f"test_row_{int(row[0]):02}_"
        for file in SHORT.values():
            assert {test for test in defined(file) if test.startswith(prefix)} <= told, (row[0], file)
