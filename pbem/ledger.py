"""Which clauses of a rulebook a rules package cites, and what its ledger owes.

Cited is what stands as a clause in `Illegal`, `Note`, `Ask`, `Roll` or `Outcome`, what a comment of the form
`# [9.58, R3]` names, and any text that is exactly an id of the ledger.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Protocol

CLAUSE_ARGUMENT = {
    "Illegal": (1, "ids"),
    "Note": (2, "clauses"),
    "Ask": (2, "clause"),
    "Roll": (1, "clause"),
    "Outcome": (2, "clauses"),
}
"""Where the words of the api carry clause ids: place and name of the argument."""

Places = Mapping[str, list[str]]
"""By id, where it is cited: `combat.py:41`."""

_IN_COMMENT = re.compile(r"(?<![\w\]])\[([^\]\s][^\]]*)\]")


class Entry(Protocol):
    """A clause of the ledger."""

    @property
    def status(self) -> str: ...
    @property
    def why(self) -> str: ...


def cited_in_comment(comment: str) -> tuple[str, ...]:
    """The ids of a comment such as `# [9.54, R3]: no way out`."""
    ids = (id.strip() for found in _IN_COMMENT.findall(comment.partition("#")[2]) for id in found.split(","))
    return tuple(id for id in ids if any(sign.isdigit() for sign in id))


def cited_in_code(folder: Path, ledger: Collection[str] = ()) -> Places:
    """By id, where the modules of a rules package cite it; `ledger` are ids that count wherever they stand."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        for line, id in [*_in_comments(text), *_in_calls(ast.parse(text), ledger)]:
            found[id].append(f"{path.name}:{line}")
    return found


def _in_comments(text: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            for id in cited_in_comment(token.string):
                yield token.start[0], id


def _in_calls(tree: ast.Module, ledger: Collection[str]) -> Iterator[tuple[int, str]]:
    seen: set[ast.expr] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CLAUSE_ARGUMENT:
            place, name = CLAUSE_ARGUMENT[node.func.id]
            clauses = [*node.args[place : place + 1], *(word.value for word in node.keywords if word.arg == name)]
            for text in (one for clause in clauses for one in _texts(clause)):
                seen.add(text)
                yield text.lineno, str(text.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node not in seen and node.value in ledger:
            yield node.lineno, str(node.value)


def _texts(node: ast.expr) -> Iterator[ast.Constant]:
    """The texts that an argument lists; not what it looks up or formats."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node
    elif isinstance(node, ast.Tuple | ast.List):
        for item in node.elts:
            yield from _texts(item)
    elif isinstance(node, ast.Starred):
        yield from _texts(node.value)
    elif isinstance(node, ast.IfExp):
        yield from [*_texts(node.body), *_texts(node.orelse)]
    elif isinstance(node, ast.BinOp):
        yield from [*_texts(node.left), *_texts(node.right)]


def owed(
    clauses: Mapping[str, Entry], rulings: Collection[str], cited: Places, tested: Mapping[str, Collection[str]]
) -> Iterator[str]:
    """What the ledger owes, a line each: ids that it does not know, done clauses without code or case."""
    for id, places in sorted(cited.items()):
        if id not in clauses and id not in rulings:
            yield f"{places[0]} cites {id}, which the ledger does not know"
    for id, names in sorted(tested.items()):
        if id not in clauses and id not in rulings:
            yield f"case {min(names)} cites {id}, which the ledger does not know"
    for id, clause in clauses.items():
        if clause.status == "done" and id not in cited:
            yield f"{id} is done, and no code cites it"
        if clause.status == "done" and id not in tested:
            yield f"{id} is done, and no case tests it"
        if clause.status in ("partial", "waived") and not clause.why:
            yield f"{id} is {clause.status}, and the ledger does not say why"
