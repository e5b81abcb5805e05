"""Every clause of every rulebook: cited where it is decided, tested by a case, or said why not."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest

from pbem import cases, ledger, registry
from rules.kit.clauses import clauses, rulings

ROOT = Path(__file__).parent.parent
RULEBOOKS = ROOT.parent / "shared" / "rules"


def module_file(id: str) -> Path:
    """The `__init__.py` of a rules package."""
    return registry.package(registry.engine(id)) / "__init__.py"


def cases_of(game: str) -> dict[str, set[str]]:
    """By clause id, the cases that test it."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for path in cases.case_files([ROOT / "tests" / "cases"]):
        for case in cases.load(path):
            if case.game == game:
                for id in case.clauses:
                    found[id].add(case.id)
    return found


@pytest.mark.parametrize("game", registry.BUILT_IN)
def test_the_ledger_owes_nothing(game: str) -> None:
    file = module_file(game)
    known = clauses(str(file))
    cited = ledger.cited_in_code(file.parent, known)
    assert list(ledger.owed(known, rulings(str(file)), cited, cases_of(game))) == []


@pytest.mark.parametrize("game", registry.BUILT_IN)
def test_rulings_name_no_option_that_a_charter_cannot_have(game: str) -> None:
    engine = registry.engine(game)
    offered = {option.name for scenario in engine.scenarios() for option in scenario.options}
    named = {ruling.option for ruling in rulings(str(module_file(game))).values() if ruling.option}
    assert named <= offered


def listed(path: Path, prefix: str) -> list[str]:
    """The ids of the clause tables of an inventory."""
    return re.findall(rf"^\| ({prefix}[^ |]+) \|", path.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_ledger_of_battle_card_malaya_has_exactly_the_clauses_of_its_inventory() -> None:
    inventory = RULEBOOKS / "battle_card_malaya.md"
    if not inventory.is_file():
        pytest.skip("the inventory of the rulebook is not beside this checkout")
    ids = listed(inventory, "BC-")
    assert len(ids) > 30
    assert sorted(clauses(str(module_file("battle-card-malaya")))) == sorted(ids)


# --- the finder itself ---


@pytest.mark.parametrize(
    ("comment", "ids"),
    [
        ("# [8.5]", ("8.5",)),
        ("x = 1  # [9.54, R3]: no way out", ("9.54", "R3")),
        ("# a [BC-3.1.1] and [R4]", ("BC-3.1.1", "R4")),
        ("# type: ignore[arg-type]", ()),
        ("# a list[int], see faces[0]", ()),
        ("# [as above]", ()),
        ("# nothing", ()),
    ],
)
def test_ids_of_a_comment(comment: str, ids: tuple[str, ...]) -> None:
    assert ledger.cited_in_comment(comment) == ids


def test_ids_of_code(tmp_path: Path) -> None:
    (tmp_path / "combat.py").write_text(
        "from x import Ask\n"
        "ids = ('9.9',)\n"
        "def refuse(s):\n"
        "    # [9.1]\n"
        '    text = "no comment # [9.2]"\n'
        "    Illegal(f'[{s}] 1.1', ('9.3', 'R3'), '1.2')\n"
        "    Note('n', {'a': '1.3'}, ('9.4', *ids, TABLE['1.4']), anchor='T1')\n"
        "    Ask(s.seat, 'what', clause='9.5')\n"
        "    Roll(f't{s}/1.5', '9.6' if s else '9.7', dice=(6,))\n"
        "    Outcome('red', 'red wins', ('9.8',) + s.more)\n"
    )
    found = ledger.cited_in_code(tmp_path)
    assert sorted(found) == ["9.1", "9.3", "9.4", "9.5", "9.6", "9.7", "9.8", "R3"]
    assert found["9.1"] == ["combat.py:4"]
    assert "9.9" in ledger.cited_in_code(tmp_path, {"9.9"})


@dataclass
class Clause:
    status: str
    why: str = ""


def test_what_a_ledger_owes() -> None:
    known = {
        "1": Clause("done"),
        "2": Clause("done"),
        "3": Clause("done"),
        "4": Clause("partial"),
        "5": Clause("waived", "a component"),
        "6": Clause("table"),
    }
    cited = {"1": ["a.py:1"], "2": ["a.py:2"], "7": ["a.py:3"], "R1": ["a.py:4"]}
    assert list(ledger.owed(known, {"R1"}, cited, {"1": {"1-a"}, "8": {"8-b", "8-a"}})) == [
        "a.py:3 cites 7, which the ledger does not know",
        "case 8-a cites 8, which the ledger does not know",
        "2 is done, and no case tests it",
        "3 is done, and no code cites it",
        "3 is done, and no case tests it",
        "4 is partial, and the ledger does not say why",
    ]
