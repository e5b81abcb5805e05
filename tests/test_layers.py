"""Who may import whom, read from the syntax tree (docs: architecture, layers)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

LAYERS = (
    ("errors", "api", "canon"),
    ("keys", "record", "charter", "dice", "beacon", "sealed"),
    ("log", "packet", "ledger", "safe", "agent"),
    ("replay", "kinds", "orders", "checks", "chance", "batches", "handovers", "saying", "changes", "auditing"),
    ("proof", "trust", "verify", "vault", "author", "registry", "ruleset"),
    ("unsealed", "world", "simulate", "ways", "odds", "cases", "testing", "jobs", "archive"),
    ("home", "receipts", "agreement", "clock", "trial", "script", "mending", "papers", "restored", "appeals", "intake"),
    ("table", "opponent", "remedy", "moving", "evidence"),
    ("mail", "envelope", "ordermail", "report", "pictures", "themes", "account"),
    ("annotated", "ascase", "luck", "stats", "plots"),
    ("scene", "replaying", "replay_page"),
    (
        "post",
        "acts",
        "vouching",
        "correspondence",
        "addresses",
        "notices",
        "standing",
        "lacking",
        "mailbox",
        "sync",
        "respond",
    ),
    ("cli", "demo", "__main__"),
)
"""Modules of pbem from the lowest layer to the highest; a new module finds its place here."""

FORBIDDEN = frozenset({"os", "io", "random", "secrets", "time", "datetime", "socket", "subprocess", "pathlib"})
LOADER = ROOT / "rules" / "kit" / "data.py"
FROM_CORE = frozenset({"pbem.api", "pbem.errors", "pbem.canon"})
OUTPUT = frozenset({"open", "print", "input", "exec", "eval", "compile", "__import__"})


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and module of every import that happens; those under TYPE_CHECKING are for the type checker alone."""
    todo: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            todo += node.orelse
            continue
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}:{node.lineno}: imports name the whole module"
            for name in node.names:
                whole = f"{node.module}.{name.name}"
                yield node.lineno, whole if is_module(whole) else str(node.module)
        todo += ast.iter_child_nodes(node)


def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or path.is_dir()


def sources(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def inside(path: Path) -> str:
    """The first name below the top package: `canon` of pbem/canon.py, `cli` of pbem/cli/play.py."""
    return path.relative_to(ROOT).with_suffix("").parts[1]


def show(path: Path) -> str:
    return str(path.relative_to(ROOT))


RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}


@pytest.mark.parametrize("path", sources("pbem"), ids=show)
def test_pbem_imports_what_stands_below(path: Path) -> None:
    if path == ROOT / "pbem" / "__init__.py":
        assert list(imports(path)) == []
        return
    assert inside(path) in RANK, f"{show(path)} has no layer yet"
    for line, name in imports(path):
        top, _, rest = name.partition(".")
        assert top != "rules", f"{show(path)}:{line}: pbem never imports a game"
        if top == "pbem" and rest:
            below = rest.split(".")[0]
            assert RANK[below] <= RANK[inside(path)], f"{show(path)}:{line}: {below} stands above {inside(path)}"


def test_no_circles_in_pbem() -> None:
    below = {
        inside(path): {name.split(".")[1] for _, name in imports(path) if name.startswith("pbem.")} - {inside(path)}
        for path in sources("pbem")
        if path.parent == ROOT / "pbem" and path.stem != "__init__"
    }
    while below:
        free = {name for name, needs in below.items() if not needs & set(below)}
        assert free, f"these import each other in a circle: {sorted(below)}"
        below = {name: needs for name, needs in below.items() if name not in free}


@pytest.mark.parametrize("path", sources("rules"), ids=show)
def test_rules_import_the_kit_and_themselves(path: Path) -> None:
    own = f"rules.{inside(path)}"
    for line, name in imports(path):
        where = f"{show(path)}:{line}"
        top = name.split(".")[0]
        if top == "pbem":
            assert name in FROM_CORE, f"{where}: rules know the api, not {name}"
        elif top == "rules":
            assert any(f"{name}.".startswith(f"{base}.") for base in (own, "rules.kit")), (
                f"{where}: {name} is another game"
            )
        else:
            assert top not in FORBIDDEN or (path == LOADER and top == "pathlib"), f"{where}: rules have no {top}"


@pytest.mark.parametrize("path", sources("rules"), ids=show)
def test_rules_neither_read_nor_write(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in OUTPUT, f"{show(path)}:{node.lineno}: rules do not {node.func.id}"


@pytest.mark.parametrize("path", sources("rules"), ids=show)
def test_rules_hold_no_floats(path: Path) -> None:
    """Pictures are measured in map units, the kit asks the standard library for near words; no state has a float."""
    if path.stem in ("picture", "drawing", "ground") or inside(path) == "kit":
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant):
            assert not isinstance(node.value, float), f"{show(path)}:{node.lineno}: {node.value} is no whole number"


def test_rules_is_a_namespace() -> None:
    assert not (ROOT / "rules" / "__init__.py").exists()


# --- the tests themselves ---


def test_the_reader_of_imports(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_text(
        "from typing import TYPE_CHECKING\nimport os.path\nfrom pbem import canon\nfrom pbem.api import Ask\n"
        "if TYPE_CHECKING:\n    import random\nelse:\n    import time\ndef f():\n    import socket\n"
    )
    assert sorted(name for _, name in imports(path)) == [
        "os.path",
        "pbem.api",
        "pbem.canon",
        "socket",
        "time",
        "typing",
    ]
