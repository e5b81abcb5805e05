"""A folder of games: each judged by itself, side by side, and counted by verdict and cause.

Files are looked for and judged one by one, whoever does the work (`pbem.jobs`); a file that cannot be read, or whose
rules break, is a row like any other.
"""

from __future__ import annotations

import io
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

from pbem import jobs, log, proof, verify
from pbem.errors import PbemError, Refused
from pbem.ruleset import rules_for
from pbem.verify import Reading, Verdict

TROUBLE: Final = "TROUBLE"
"""What stands in the place of a verdict where a file could not be judged."""

ORDER: Final = ("VALID", "VALID SO FAR", "INCOMPLETE", "INVALID", "DIVERGED", "FORK", TROUBLE)

Row = dict[str, Any]
"""A verdict for scripts (`Verdict.data`) with `file`, `cause` and, as far as the charter was read, `about`."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One file to judge: by its path, or by its content where the worker has no such file."""

    path: str
    components: str = ""
    content: bytes | None = None


def find(places: Iterable[Path]) -> Iterator[Path]:
    """Files as they are named, folders searched for game files, in the order of their names."""
    for place in places:
        if place.is_dir():
            yield from _below(place)
        else:
            yield place


def _below(folder: Path) -> Iterator[Path]:
    for here, folders, files in os.walk(folder):
        folders.sort()
        yield from (Path(here) / name for name in sorted(files) if name.endswith(log.SUFFIX))


def judge(path: Path, components: Path | None = None, *, workers: int = 2) -> tuple[Verdict, Reading]:
    """The verdict over a game file or fork proof, and what was read of it. `Trouble` where it cannot be read."""
    with log.open_for_reading(path) as stream:
        return _judged(stream, components, workers)


def judge_bytes(data: bytes, components: Path | None = None, *, workers: int = 2) -> tuple[Verdict, Reading]:
    """The same for the content of a file."""
    return _judged(io.BytesIO(data), components, workers)


def _judged(stream: IO[bytes], components: Path | None, workers: int) -> tuple[Verdict, Reading]:
    begins = stream.read(len(proof.MAGIC))
    if begins == proof.MAGIC:
        return _proved(begins + stream.read(proof.MAX_BYTES)), Reading()
    stream.seek(0)
    reading = verify.read(stream, lambda game: rules_for(game, components), workers=workers)
    return verify.judge(reading), reading


def _proved(data: bytes) -> Verdict:
    """The verdict over a fork proof: it convicts, or it is no proof."""
    try:
        fork = proof.read(data)
    except Refused as error:
        return Verdict("INVALID", code=error.code, event=error.event or 0, detail=error.what, hint=error.hint)
    return Verdict("FORK", code="E_FORK", event=fork.seq or None, detail=fork.seat, hint=fork.line(), game=fork.game)


# Rows ------------------------------------------------------------------------------------------------------------


def rows(
    paths: Iterable[Path], components: Path | None = None, *, workers: int = 0, scheduler: str = ""
) -> Iterator[tuple[int, Row]]:
    """The place and row of every file, in the order in which they are done. Workers of a cluster get the content."""
    known: dict[int, str] = {}

    def pieces() -> Iterator[Piece]:
        for place, path in enumerate(paths):
            known[place] = str(path)
            yield piece(path, components, send=bool(scheduler))

    for place, row in jobs.run(examine, pieces(), workers=workers, scheduler=scheduler):
        path = known.pop(place)
        yield place, trouble(path, row.why) if isinstance(row, jobs.Lost) else row


def piece(path: Path, components: Path | None, *, send: bool) -> Piece:
    """A file as a piece of work; `send` for a worker on another machine, which gets the content."""
    where = str(components) if components is not None else ""
    if send:
        try:
            return Piece(str(path), where, path.read_bytes())
        except OSError:
            pass  # the worker does not find it either, and says so in its row
    return Piece(str(path), where)


def examine(piece: Piece) -> Row:
    """The row of one file."""
    components = Path(piece.components) if piece.components else None
    try:
        if piece.content is None:
            verdict, reading = judge(Path(piece.path), components, workers=0)
        else:
            verdict, reading = judge_bytes(piece.content, components, workers=0)
    except PbemError as error:
        return trouble(piece.path, str(error), error.hint)
    except Exception as error:
        return trouble(piece.path, f"a bug of pbem or of these rules, not of the file: {type(error).__name__}: {error}")
    return row(piece.path, verdict, reading)


def row(path: str, verdict: Verdict, reading: Reading) -> Row:
    """One file's verdict with its cause and what the game is."""
    doc: Row = {"file": path, **verdict.data(), "cause": cause(verdict)}
    fold = reading.fold
    if fold is not None:
        terms = fold.game.charter
        title = fold.rules.engine.title if fold.rules is not None else terms.rules.id
        doc["about"] = {
            "rules": terms.rules.id,
            "edition": terms.rules.version,
            "title": title,
            "scenario": terms.scenario,
            "dice": fold.policy,
            "seats": {seat: fold.players[seat] for seat in fold.seats},
            "last": fold.handed_at,
        }
    return doc


def trouble(path: str, why: str, hint: str = "") -> Row:
    """The row of a file that could not be judged."""
    doc = {"file": path, "verdict": TROUBLE, "game": "", "seq": 0, "head": "", "status": 4}
    return {**doc, "line": f"{TROUBLE}: {why}", "cause": why.removeprefix(f"{path}: "), "hint": hint}


def cause(verdict: Verdict) -> str:
    """Why it is not valid, short enough to be counted: the code, or what is missing."""
    if verdict.word == "INCOMPLETE":
        missing = verdict.detail.partition(";")[0].partition(" (")[0]
        word = missing.split(" ", 1)[0].rstrip(":")
        return missing if word in ("edition", "components") else word
    return verdict.code


@dataclass(slots=True)
class Tally:
    """How many games have which verdict, and for which cause."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    status: int = 0

    def add(self, row: Row) -> None:
        self.counts[row["verdict"], row["cause"]] += 1
        self.status = worse(self.status, row["status"])

    def lines(self) -> list[str]:
        """The table: verdict, number, cause; the commonest cause of a verdict first."""
        return [f"  {word:<12}  {count:>6}  {why}".rstrip() for word, count, why in self.table()]

    def table(self) -> list[tuple[str, int, str]]:
        order = {word: place for place, word in enumerate(ORDER)}
        ranked = sorted(self.counts.items(), key=lambda one: (order[one[0][0]], -one[1], one[0][1]))
        return [(word, count, why) for (word, why), count in ranked]


def worse(one: int, other: int) -> int:
    """The status of both together: `no` before trouble, trouble before what is missing."""
    rank = (0, 3, 4, 1)
    return max(one, other, key=rank.index)
