"""Which games there are, and the digests that a charter names."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from toy import Toy

from pbem import registry
from pbem.api import Table
from pbem.errors import Incomplete, Trouble, WrongUse

ROOT = Path(__file__).parent.parent


# --- looking up ---


@pytest.mark.parametrize("id", registry.BUILT_IN)
def test_our_engines_load(id: str) -> None:
    assert registry.engine(id).id == id
    assert registry.engines()[id] is registry.engine(id)


def test_nothing_is_imported_before_it_is_asked_for() -> None:
    code = (
        "import sys; from pbem import registry; known = registry.engines(); "
        "assert 'battle-card-malaya' in known and len(known) >= 2, list(known); "
        "assert not [name for name in sys.modules if name.split('.')[0] == 'rules'], sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_an_unknown_id_gets_near_names() -> None:
    with pytest.raises(WrongUse) as told:
        registry.engine("battle-card-malay")
    assert str(told.value) == "no rules are named 'battle-card-malay'"
    assert told.value.hint == "did you mean: battle-card-malaya"
    with pytest.raises(WrongUse) as told:
        registry.engine("chess")
    assert "open-table" in told.value.hint
    with pytest.raises(WrongUse):
        registry.engine("x" * 10_000)
    with pytest.raises(KeyError):
        registry.engines()["chess"]


# --- third parties ---


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> list[EntryPoint]:
    """Entry points of packages that seem to be installed."""
    points: list[EntryPoint] = []

    def entry_points(*, group: str, name: str = "") -> tuple[EntryPoint, ...]:
        assert group == "pbem.rules"
        return tuple(point for point in points if name in ("", point.name))

    monkeypatch.setattr(registry, "entry_points", entry_points)
    registry._load.cache_clear()
    return points


TOY = Toy()


def test_an_installed_engine_loads(installed: list[EntryPoint]) -> None:
    installed.append(EntryPoint("toy", "test_registry:TOY", "pbem.rules"))
    assert list(registry.engines())[-1] == "toy"
    assert registry.engine("toy").title == "Sticks"


def test_nobody_takes_the_id_of_a_built_in_engine(installed: list[EntryPoint]) -> None:
    installed.append(EntryPoint("open-table", "test_registry:TOY", "pbem.rules"))
    assert registry.engine("open-table").id == "open-table"
    assert list(registry.engines()).count("open-table") == 1


@pytest.mark.parametrize(
    ("points", "told"),
    [
        ([("toy", "nowhere:ENGINE")], "the rules toy cannot be loaded from nowhere:ENGINE"),
        ([("toy", "test_registry:NONE")], "the rules toy cannot be loaded"),
        ([("toy", "test_registry:TOY"), ("toy", "other:TOY")], "several packages have rules named toy"),
        ([("sticks", "test_registry:TOY")], "the rules sticks call themselves toy"),
    ],
)
def test_an_engine_that_does_not_load_is_trouble(
    installed: list[EntryPoint], points: list[tuple[str, str]], told: str
) -> None:
    installed += [EntryPoint(name, value, "pbem.rules") for name, value in points]
    with pytest.raises(Trouble, match=told):
        registry.engine(points[0][0])


def test_order_kinds_of_the_core_are_refused(installed: list[EntryPoint], monkeypatch: pytest.MonkeyPatch) -> None:
    installed.append(EntryPoint("toy", "test_registry:TOY", "pbem.rules"))
    seal = type("Seal", (Toy.orders["take"],), {"kind": "seal"})
    orders: Mapping[str, Any] = {"seal": seal}
    monkeypatch.setattr(TOY, "orders", orders, raising=False)
    with pytest.raises(Trouble, match="have an order seal, which is an event of the core"):
        registry.engine("toy")


# --- another package named rules ---


def run_beside(folder: Path, code: str) -> str:
    """What a fresh interpreter says that finds `folder` before the project."""
    path = f"import sys; sys.path[:0] = [{str(folder)!r}, {str(ROOT)!r}]; "
    done = subprocess.run([sys.executable, "-c", path + code], check=True, capture_output=True, text=True, cwd=folder)
    return done.stdout.strip()


def test_another_package_named_rules_is_told(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "__init__.py").write_text("")
    told = run_beside(
        tmp_path,
        "from pbem import registry\ntry: registry.engine('open-table')\nexcept Exception as bad: "
        "print(type(bad).__name__, bad, bad.hint)",
    )
    assert told.startswith(f"Trouble another package named rules hides the rules of pbem: {tmp_path}")
    assert "environment of its own" in told


def test_a_namespace_named_rules_does_not_disturb(tmp_path: Path) -> None:
    (tmp_path / "rules" / "tax").mkdir(parents=True)
    assert run_beside(tmp_path, "from pbem import registry; print(registry.engine('open-table').id)") == "open-table"


# --- digests: golden values of the protocol ---


def test_golden_digests() -> None:
    table = registry.table_digest(Table("units", ("4/IG 2", "r1 2"), {}))
    assert registry.data_digest((("units", table),)) == (
        "f1561b8db016ba4e82118d2720ba6e30114ebbe42bf69c28f1d21f5c8a5f093f"
    )
    assert registry.rules_digest("demo", 1, ("R1 on",)) == (
        "8c5aeffb9220cdc7221bbbdadd4e5215b63a7ac56dff7b5d311c28e10eee7e3a"
    )


def test_provenance_is_no_part_of_a_digest() -> None:
    lines = ("4/IG 2",)
    assert registry.table_digest(Table("units", lines, {"printed": 1})) == registry.table_digest(
        Table("units", lines, {"reported": 1})
    )


def test_every_name_and_line_counts() -> None:
    tables = [Table("units", ("a", "b"), {}), Table("units", ("a b",), {}), Table("unit", ("s", "a", "b"), {})]
    assert len({registry.table_digest(table) for table in tables}) == 3
    assert len({registry.rules_digest("demo", n, lines) for n in (1, 2) for lines in ((), ("R1 on",))}) == 4


def test_a_ruleset_is_what_a_charter_pins(tmp_path: Path) -> None:
    pinned = registry.ruleset(TOY, 1)
    assert pinned.rules_digest == registry.rules_digest("toy", 1, ("R1 on",))
    assert [name for name, _ in pinned.tables] == ["sticks"]
    assert pinned.data == registry.data_digest(pinned.tables)
    mine = tmp_path / "mine.toml"
    mine.write_text("heap = 5")
    other = registry.ruleset(TOY, 1, mine)
    assert (other.rules_digest, other.components.sticks) == (pinned.rules_digest, 5)
    assert other.data != pinned.data


def test_an_edition_of_another_release_is_missing() -> None:
    with pytest.raises(Incomplete, match="INCOMPLETE: edition 2 of toy") as told:
        registry.ruleset(TOY, 2)
    assert "this release plays: 1" in told.value.hint


# --- coverage of a rulebook ---


def test_the_ledger_of_an_engine() -> None:
    engine = registry.engine("battle-card-malaya")
    ledger = registry.ledger(engine)
    assert ledger["BC-3.1.1"].status == "done"
    assert registry.cited(engine, ["BC-3.1.1", "BC-9.9"]) == {"BC-3.1.1"}
    with pytest.raises(Trouble, match="the rules toy keep no ledger of clauses"):
        registry.ledger(TOY)
