"""Component data: tables typed in from the game, each row saying where its numbers come from.

A rules package keeps them in `data/*.toml` beside its code:

    provenance = "reported"              # of every row of this file that says nothing itself

    [[units]]
    id = "5/11S"
    strength = 3
    provenance = { strength = "printed", "*" = "reconstructed" }

A table that is one row (`[game]`: the numbers of the rulebook) has a model with an empty key.
`data/edition-2/*.toml` and an owner's folder (or single file) lie over it and hold only what differs:
a row with a known key changes the columns it gives, a new key adds a row, `remove = true` takes one away,
and `replaces = ["units"]` at the top of a file empties these tables first.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from pbem.api import Table
from pbem.errors import Trouble

Tag = Literal["printed", "reported", "reconstructed"]
TAGS: tuple[Tag, ...] = ("printed", "reported", "reconstructed")
"""From the surest to the least sure: a row counts as its least sure rule-relevant column."""

_PLAIN = re.compile(r'[^\x00-\x20"(),:\x7f-\U0010ffff]+\Z')
MAX_FILE = 4 * 1024 * 1024
FILE_KEYS = frozenset({"provenance", "source", "replaces"})

R = TypeVar("R", bound="Row")


# --- rows ---


class Row(BaseModel):
    """One row of a table. Subclasses add the columns; TOML arrays go into `pbem.api.Many` fields.

    `key` names the columns that tell rows apart, `talk` those that touch no rule (display names, places on a drawing).
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    key: ClassVar[tuple[str, ...]] = ("id",)
    talk: ClassVar[frozenset[str]] = frozenset()

    provenance: Tag | dict[str, Tag]
    source: str = ""

    @field_validator("provenance")
    @classmethod
    def _names_columns(cls, tags: Tag | dict[str, Tag]) -> Tag | dict[str, Tag]:
        if isinstance(tags, dict):
            strange = sorted(set(tags) - set(cls.columns()) - set(cls.talk) - {"*"})
            if strange:
                raise ValueError(f"{strange[0]} is no column")
            silent = [name for name in cls.columns() if name not in tags]
            if silent and "*" not in tags:
                raise ValueError(f'no provenance for {silent[0]}; "*" speaks for all other columns')
        return tags

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """The rule-relevant columns, those of the key first."""
        return _columns(cls)

    def tag(self) -> Tag:
        """The provenance of the row as a whole."""
        if isinstance(self.provenance, str):
            return self.provenance
        tags = self.provenance
        return max((tags[name] if name in tags else tags["*"] for name in self.columns()), key=TAGS.index)

    def line(self) -> str:
        """The rule-relevant columns as one line of ASCII; two different rows never give the same line."""
        return " ".join(cell(getattr(self, name)) for name in self.columns())


@cache
def _columns(row: type[Row]) -> tuple[str, ...]:
    plain = [name for name in row.model_fields if name not in row.talk and name not in ("provenance", "source")]
    return tuple(sorted(plain, key=lambda name: row.key.index(name) if name in row.key else len(row.key)))


def cell(value: Any) -> str:
    """A value in a table line. TypeError for floats and whatever else has no place in rules."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return value if value != "-" and _PLAIN.match(value) else json.dumps(value)
    if isinstance(value, tuple):
        return f"({','.join(cell(item) for item in value)})"
    if isinstance(value, Mapping):
        return f"({','.join(f'{cell(name)}:{cell(value[name])}' for name in sorted(value))})"
    if isinstance(value, BaseModel):
        return f"({','.join(cell(getattr(value, name)) for name in type(value).model_fields)})"
    raise TypeError(f"{value!r} cannot stand in a rule-relevant column")


@dataclass(frozen=True, slots=True)
class Sheet(Generic[R]):
    """A table of a rules package: its name in the TOML files and in the charter, and the model of its rows."""

    name: str
    row: type[R]


class Data:
    """The effective tables: `data[UNITS]` are the rows of the sheet `UNITS`, in the order of the files."""

    def __init__(self, rows: Mapping[str, tuple[Row, ...]]) -> None:
        self._rows = rows

    def __getitem__(self, sheet: Sheet[R]) -> tuple[R, ...]:
        return self._rows[sheet.name]  # type: ignore[return-value]

    def only(self, sheet: Sheet[R]) -> R:
        """The row of a table that is one row. Raises `Trouble` where it is missing."""
        rows = self[sheet]
        if len(rows) != 1:
            raise Trouble(f"the table {sheet.name} has {len(rows)} rows, not one", f"write it as [{sheet.name}]")
        return rows[0]

    def tables(self) -> tuple[Table, ...]:
        """The tables as they are digested, sorted by name."""
        return tuple(table_of(name, self._rows[name]) for name in sorted(self._rows))


def table_of(name: str, rows: Iterable[Row]) -> Table:
    """Rows as a table: sorted lines, and how many rows are printed, reported, reconstructed."""
    rows = tuple(rows)
    count = Counter(row.tag() for row in rows)
    return Table(name, tuple(sorted(row.line() for row in rows)), {tag: count[tag] for tag in TAGS if count[tag]})


# --- files ---


@dataclass(slots=True)
class _Found:
    """A row as it was met: its columns, and where it stands, for messages."""

    where: str
    columns: dict[str, Any] = field(default_factory=dict)


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file. Raises `Trouble` naming it."""
    try:
        with path.open("rb") as file:
            text = file.read(MAX_FILE + 1)
        if len(text) > MAX_FILE:
            raise Trouble(f"{path}: larger than {MAX_FILE:,} bytes")
        return tomllib.loads(text.decode("utf-8"))
    except OSError as bad:
        raise Trouble(f"{path}: {(bad.strerror or 'cannot be read').lower()}") from None
    except UnicodeDecodeError:
        raise Trouble(f"{path}: not text in UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError) as bad:
        raise Trouble(f"{path}: {str(bad)[:1].lower()}{str(bad)[1:]}") from None


def toml_files(folder: Path) -> list[Path]:
    """The TOML files of a folder by name, or the one file that was named. Raises `Trouble` where there is none."""
    if folder.is_file():
        return [folder]
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise Trouble(f"{folder}: no .toml file here", "give the folder that holds the corrected tables")
    return files


def beside(module_file: str, name: str) -> Path:
    """A file or folder of a rules package, given the package's `__file__`."""
    return Path(module_file).parent / name


def load(module_file: str, sheets: Iterable[Sheet[Any]], edition: int = 1, folder: Path | None = None) -> Data:
    """The tables of an edition, with an owner's corrected copy (a folder or one file) over them.

    `module_file` is `__file__` of the rules package. Raises `Trouble` naming file and row.
    """
    known = {sheet.name: sheet for sheet in sheets}
    base = beside(module_file, "data")
    found: dict[str, dict[tuple[Any, ...], _Found]] = {name: {} for name in known}
    layers = [base, *(base / f"edition-{n}" for n in range(2, edition + 1))]
    for layer in layers:
        if layer is base or layer.is_dir():
            _lay(layer, known, found)
    if folder is not None:
        _lay(folder, known, found)
    return Data({name: tuple(_row(known[name], row) for row in rows.values()) for name, rows in found.items()})


def _lay(layer: Path, sheets: Mapping[str, Sheet[Any]], found: dict[str, dict[tuple[Any, ...], _Found]]) -> None:
    docs = [(path, read_toml(path)) for path in toml_files(layer)]
    for path, doc in docs:
        _check_head(path, doc, sheets)
        for name in doc.get("replaces", ()):
            found[name].clear()
    given: set[tuple[str, tuple[Any, ...]]] = set()
    for path, doc in docs:
        for name in doc.keys() - FILE_KEYS:
            rows = doc[name]
            for number, columns in enumerate([rows] if isinstance(rows, dict) else rows, 1):
                where = f"{path}: [{name}]" if isinstance(rows, dict) else f"{path}: [[{name}]] row {number}"
                key = _key(sheets[name], columns, where)
                if (name, key) in given:
                    raise Trouble(f"{where}: {_shown(key)} is given twice")
                given.add((name, key))
                _lay_row(found[name], key, columns, where, doc.get("provenance"))


def _check_head(path: Path, doc: dict[str, Any], sheets: Mapping[str, Sheet[Any]]) -> None:
    tables = f"the tables are: {', '.join(sorted(sheets))}"
    for name in sorted(doc.keys() - FILE_KEYS):
        if name not in sheets:
            raise Trouble(f"{path}: no table is named {name}", tables)
        single = not sheets[name].row.key
        if single and not isinstance(doc[name], dict):
            raise Trouble(f"{path}: {name} is one row", f"begin it with [{name}]")
        if not single and not (isinstance(doc[name], list) and all(isinstance(row, dict) for row in doc[name])):
            raise Trouble(f"{path}: {name} is no list of rows", f"begin every row with [[{name}]]")
    if doc.get("provenance", "printed") not in TAGS:
        raise Trouble(f"{path}: provenance is one of: {', '.join(TAGS)}")
    replaces = doc.get("replaces", [])
    if not isinstance(replaces, list) or not all(isinstance(name, str) and name in sheets for name in replaces):
        raise Trouble(f"{path}: replaces is a list of names of tables", tables)


def _key(sheet: Sheet[Any], columns: dict[str, Any], where: str) -> tuple[Any, ...]:
    missing = [name for name in sheet.row.key if name not in columns]
    if missing:
        raise Trouble(f"{where}: {missing[0]} is missing")
    key = tuple(columns[name] for name in sheet.row.key)
    if not all(isinstance(part, str | int) for part in key):
        raise Trouble(f"{where}: {', '.join(sheet.row.key)} must be text or a whole number")
    return key


def _lay_row(
    rows: dict[tuple[Any, ...], _Found], key: tuple[Any, ...], columns: dict[str, Any], where: str, tag: Any
) -> None:
    if "remove" in columns:
        if columns["remove"] is not True or key not in rows:
            raise Trouble(f"{where}: there is no {_shown(key)} to remove")
        del rows[key]
        return
    if "provenance" not in columns:
        if tag is None:
            raise Trouble(f"{where}: {_shown(key)} does not say its provenance", f"one of: {', '.join(TAGS)}")
        columns = {**columns, "provenance": tag}
    old = rows[key].columns if key in rows else {}
    rows[key] = _Found(where, {**old, **columns})


def _row(sheet: Sheet[R], found: _Found) -> R:
    try:
        return sheet.row.model_validate(found.columns)
    except ValidationError as bad:
        key = _shown(tuple(found.columns[name] for name in sheet.row.key))
        raise Trouble(f"{found.where} ({key}): {first_fault(bad)}") from None


def _shown(key: tuple[Any, ...]) -> str:
    return " ".join(str(part) for part in key) or "the row"


def first_fault(bad: ValidationError) -> str:
    """The first thing that is wrong, in one line: where, and what was wanted."""
    fault = bad.errors()[0]
    message = str(fault["msg"]).removeprefix("Value error, ")
    place = ".".join(str(part) for part in fault["loc"])
    return f"{place}: {message[:1].lower()}{message[1:]}" if place else message
