"""What convicts: fork proofs made from a game file and the letter that contradicts it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pbem import charter, log, proof, record
from pbem.errors import PbemError


def fork_proof(path: Path, lines: Sequence[bytes]) -> bytes | None:
    """The proof that a seat signed two different events of one number, one of them in a game file; None without one.

    `lines` are the events of the other branch.
    """
    head: list[bytes] = []
    own: list[bytes] = []
    with log.open_for_reading(path) as stream:
        for _, line in log.lines(stream):
            (own if line.startswith(b"pbem1 ") else head).append(line)
    try:
        game = charter.read_charter(head[0])
        seals = [line for line in head if line.startswith(b"seal ")]
        for line in lines:
            event = record.read_event(line)
            mine = own[event.seq - 1] if event.seq <= len(own) else b""
            if mine and proof.conflict(record.read_event(mine), event):
                return proof.of_files(game, seals, own[: event.seq - 1], mine, line)
    except (PbemError, IndexError):
        return None
    return None
