"""Every case under tests/cases holds: the rules tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import cases, registry

ROOT = Path(__file__).parent / "cases"


def listed() -> Iterator[object]:
    """All cases, named after folder, file and case."""
    for path in sorted(ROOT.rglob("*.toml")):
        for case in cases.load(path):
            yield pytest.param(case, id=f"{path.relative_to(ROOT).with_suffix('')}:{case.id}")


@pytest.mark.parametrize("case", list(listed()))
def test_case(case: cases.Case) -> None:
    assert cases.run(case, registry.engine(case.game)) == []


def test_ids_are_stable_names_within_a_game() -> None:
    """No two files of a game use one id."""
    seen: dict[tuple[str, str], Path] = {}
    for path in sorted(ROOT.rglob("*.toml")):
        for case in cases.load(path):
            assert (case.game, case.id) not in seen, f"{path} and {seen[case.game, case.id]}: {case.id}"
            seen[case.game, case.id] = path
