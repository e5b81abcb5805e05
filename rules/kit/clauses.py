"""The ledger of a rulebook's clauses and the rulings where it is silent or contradicts itself.

`clauses.toml` has one table an id, `rulings.toml` one table a ruling; gists are in our own words:

    ["8.32"]
    gist = "A retreating unit stays out of hexes watched by an enemy."
    status = "done"

    [R7]
    gist = "Every place entered on the way gives its reinforcement."
    why = "the clause speaks of moving onto a place, passed ones included"
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from pbem.errors import Trouble
from rules.kit.data import beside, first_fault, read_toml

if TYPE_CHECKING:
    from pathlib import Path

Status = Literal["done", "table", "waived", "partial"]


class Clause(BaseModel):
    """A clause of the rulebook and what became of it.

    done: code decides it; table: it stands in the data; waived: nothing to adjudicate, or not played, and why;
    partial: why says what is missing.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    id: str
    gist: str = Field(min_length=1)
    status: Status
    why: str = ""

    @model_validator(mode="after")
    def _says_why(self) -> Self:
        if self.status in ("waived", "partial") and not self.why:
            raise ValueError(f"a clause that is {self.status} says why")
        return self


class Ruling(BaseModel):
    """What we do where the rulebook does not decide, in force from the edition `since` on.

    `option` names the charter option that switches it (`r7`), "" where it cannot be switched.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    id: str = Field(pattern=r"^R[1-9][0-9]*$")
    gist: str = Field(min_length=1)
    why: str = Field(min_length=1)
    since: int = Field(default=1, ge=1)
    option: str = Field(default="", pattern=r"^(r[1-9][0-9]*|opt_[a-z0-9_]+)?$")


M = TypeVar("M", Clause, Ruling)


def clauses(module_file: str) -> dict[str, Clause]:
    """The ledger of a rules package, by id, in the order of the file. Raises `Trouble` naming file and id."""
    return _read(beside(module_file, "clauses.toml"), Clause)


def rulings(module_file: str) -> dict[str, Ruling]:
    """The rulings of a rules package, by id, in the order of the file. Raises `Trouble` naming file and id."""
    return _read(beside(module_file, "rulings.toml"), Ruling)


def in_force(module_file: str, edition: int) -> tuple[str, ...]:
    """The rulings of an edition as `rules.digest` covers them: `R17 on`, sorted."""
    return tuple(sorted(f"{ruling.id} on" for ruling in rulings(module_file).values() if ruling.since <= edition))


def _read(path: Path, model: type[M]) -> dict[str, M]:
    found: dict[str, M] = {}
    for id, columns in read_toml(path).items():
        if not isinstance(columns, dict):
            raise Trouble(f"{path}: {id} is no table", f'begin it with ["{id}"]')
        try:
            found[id] = model.model_validate({"id": id, **columns})
        except ValidationError as bad:
            raise Trouble(f"{path}: {id}: {first_fault(bad)}") from None
    return found
