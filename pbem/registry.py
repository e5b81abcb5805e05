"""Which games can be played: built-in engines by name, others through the entry-point group `pbem.rules`.

Nothing of a game is imported before somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pbem.api import Engine, Table
from pbem.canon import H, Part
from pbem.errors import Incomplete, Trouble, WrongUse
from pbem.ledger import cited_in_code

GROUP = "pbem.rules"

BUILT_IN: Mapping[str, str] = MappingProxyType(
    {
        "battle-card-malaya": "rules.battle_card_malaya",
        "field-command": "rules.field_command",
        "glory-recalled": "rules.glory_recalled",
        "open-table": "rules.open_table",
        "singapore-1984": "rules.singapore_1984",
        "tiger-of-malaya": "rules.tiger_of_malaya",
    }
)
"""Modules of our own engines by id; each has an `ENGINE`. No installed package can take one of these ids."""


class Engines(Mapping[str, Engine]):
    """All engines by id, loaded when looked up. A lookup of an unknown id is a KeyError, a broken engine `Trouble`."""

    def __getitem__(self, id: str) -> Engine:
        return _load(id)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*BUILT_IN, *sorted(point.name for point in entry_points(group=GROUP)))))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, id: object) -> bool:
        return id in BUILT_IN or any(point.name == id for point in entry_points(group=GROUP))


def engines() -> Mapping[str, Engine]:
    """All engines by id, ours first."""
    return Engines()


def engine(id: str) -> Engine:
    """The engine of a game. Raises `WrongUse` where there is none of that name, `Trouble` where it cannot be loaded."""
    known = engines()
    if id in known:
        return known[id]
    near = get_close_matches(id[:80], known, 3) or list(known)
    raise WrongUse(f"no rules are named {id[:80]!r}", f"did you mean: {', '.join(near)}")


@cache
def _load(id: str) -> Engine:
    if id in BUILT_IN:
        found = _built_in(BUILT_IN[id])
    else:
        points = tuple(entry_points(group=GROUP, name=id))
        if not points:
            raise KeyError(id)
        found = _third_party(points)
    check_names(found, id)
    return found


def _built_in(module: str) -> Engine:
    try:
        import_module("rules.kit")
    except ModuleNotFoundError as missing:
        if missing.name not in ("rules", "rules.kit"):
            raise
        raise _hidden() from None
    try:
        found: Engine = import_module(module).ENGINE
    except ModuleNotFoundError as missing:
        if missing.name != module:
            raise
        raise Trouble(f"{module} is not part of this installation", "install pbem again") from None
    return found


def _hidden() -> Trouble:
    spec = find_spec("rules")
    places = [
        *([spec.origin] if spec and spec.origin else []),
        *(spec.submodule_search_locations or () if spec else ()),
    ]
    where = f": {places[0]}" if places else ""
    return Trouble(
        f"another package named rules hides the rules of pbem{where}",
        "install pbem in an environment of its own (python -m venv, pipx or uv tool)",
    )


def _third_party(points: tuple[EntryPoint, ...]) -> Engine:
    if len(points) > 1:
        packages = ", ".join(sorted(point.dist.name if point.dist else point.value for point in points))
        raise Trouble(f"several packages have rules named {points[0].name}: {packages}", "uninstall all but one")
    try:
        found: Engine = points[0].load()
    except (ImportError, AttributeError) as bad:
        raise Trouble(f"the rules {points[0].name} cannot be loaded from {points[0].value}: {bad}") from None
    return found


def check_names(engine: Engine, id: str) -> None:
    """Refuse an engine under another id, or with order kinds or fields that belong to the core, as `Trouble`."""
    from pbem.record import CORE_FIELDS, CORE_KINDS

    if engine.id != id:
        raise Trouble(f"the rules {id} call themselves {engine.id}")
    for kind, order in engine.orders.items():
        if kind != order.kind:
            raise Trouble(f"the rules {id} list the order {order.kind} as {kind}")
        if kind in CORE_KINDS:
            raise Trouble(f"the rules {id} have an order {kind}, which is an event of the core", "rename the order")
        taken = sorted(CORE_FIELDS & set(order.model_fields))
        if taken:
            raise Trouble(f"the order {kind} of {id} has a field {taken[0]}, which belongs to the core")


# --- what a charter pins ---


@dataclass(frozen=True, slots=True)
class Edition:
    """An edition of an engine with its components, and the digests that a charter names, in hex.

    `tables` are the pairs (name, digest), so that a mismatch names the table.
    """

    engine: Engine
    number: int
    components: Any
    rules_digest: str
    tables: tuple[tuple[str, str], ...]
    data: str


def ruleset(engine: Engine, edition: int, folder: Path | None = None) -> Edition:
    """An edition with built-in components, or an owner's folder over them.

    Raises `Incomplete` where this release does not play the edition, `Trouble` where a table is wrong.
    """
    if edition not in engine.editions:
        plays = ", ".join(str(one) for one in engine.editions)
        raise Incomplete(f"edition {edition} of {engine.id}", f"this release plays: {plays}; install a newer one")
    components = engine.components(edition, folder)
    tables = tuple((table.name, table_digest(table)) for table in components.tables())
    rules = rules_digest(engine.id, edition, engine.rulings(edition))
    return Edition(engine, edition, components, rules, tables, data_digest(tables))


def rules_digest(id: str, edition: int, rulings: tuple[str, ...]) -> str:
    """`rules.digest` of a charter: the rulings in force."""
    return H("pbem/v1/rules", id, str(edition), *rulings).hex()


def table_digest(table: Table) -> str:
    """The digest of one table: its name and its sorted lines."""
    return H("pbem/v1/table", table.name, *table.lines).hex()


def data_digest(tables: tuple[tuple[str, str], ...]) -> str:
    """`data` of a charter: all tables by name."""
    parts: list[Part] = []
    for name, digest in sorted(tables):
        parts += [name, bytes.fromhex(digest)]
    return H("pbem/v1/data", *parts).hex()


# --- the rulebook's coverage ---


def package(engine: Engine) -> Path:
    """The folder of an engine's package."""
    module = type(engine).__module__
    file = getattr(import_module(module), "__file__", None)
    if file is None:
        raise Trouble(f"the rules {engine.id} are not files on this machine")
    return Path(file).parent


def ledger(engine: Engine) -> Mapping[str, Any]:
    """The clause ledger of an engine (`rules.kit.clauses`), by id. Raises `Trouble` where it keeps none."""
    folder = package(engine)
    if not (folder / "clauses.toml").is_file():
        raise Trouble(f"the rules {engine.id} keep no ledger of clauses")
    found: Mapping[str, Any] = import_module("rules.kit.clauses").clauses(str(folder / "__init__.py"))
    return found


def cited(engine: Engine, ids: Collection[str]) -> frozenset[str]:
    """Which of these clause ids the engine's code cites (`pbem.ledger` says what counts)."""
    return frozenset(cited_in_code(package(engine), ids)) & frozenset(ids)
