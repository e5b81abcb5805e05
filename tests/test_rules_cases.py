"""Every case under tests/cases holds: the rules tests."""

from __future__ import annotations

import re
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


def test_the_example_of_the_documentation_holds(tmp_path: Path) -> None:
    text = (ROOT.parent.parent / "docs" / "cases.md").read_text(encoding="utf-8")
    examples = [block for block in re.findall(r"```toml\n(.*?)```", text, re.DOTALL) if "[[case]]" in block]
    assert examples
    for example in examples:
        path = tmp_path / "merge.toml"
        path.write_text(example, encoding="utf-8")
        assert [line for result in cases.run_paths([path]) for line in result.lines()] == []


@pytest.mark.parametrize("id", list(registry.BUILT_IN))
def test_the_documentation_lists_the_sections_of_every_game(id: str) -> None:
    text = (ROOT.parent.parent / "docs" / "cases.md").read_text(encoding="utf-8")
    engine = registry.engine(id)
    chapter = text.partition(f"### {id}\n")[2].partition("\n### ")[0]
    state = cases.begin(cases.Given(), engine).state
    listed = re.findall(r"^\| `([a-z_]+)` \|", chapter, re.MULTILINE)
    assert sorted(listed) == sorted(engine.position(state))
