"""What convicts, and what acquits: fork proofs made from a game file and a letter, and the game that answers one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pbem import charter, keys, log, proof, record, verify
from pbem.errors import PbemError, Refused, WrongUse
from pbem.ruleset import rules_for


def fork_proof(path: Path, lines: Sequence[bytes]) -> bytes | None:
    """The proof that a seat signed two different events of one number, one of them in a game file; None without one.

    `lines` are the events of the other branch; what a heal has given up proves nothing.
    """
    head: list[bytes] = []
    own: list[bytes] = []
    with log.open_for_reading(path) as stream:
        for _, line in log.lines(stream):
            (own if line.startswith(b"pbem1 ") else head).append(line)
    try:
        game = charter.read_charter(head[0])
        seals = [line for line in head if line.startswith(b"seal ")]
        heals = (record.read_event(line) for line in own if b'"kind":"heal"' in line)
        given_up = {one for heal in heals if heal.kind == "heal" for one in heal.body["lost"]}
        for line in lines:
            event = record.read_event(line)
            if event.id in given_up:
                return None
            mine = own[event.seq - 1] if event.seq <= len(own) else b""
            if mine and proof.conflict(record.read_event(mine), event):
                return proof.of_files(game, seals, own[: event.seq - 1], mine, line)
    except (PbemError, IndexError):
        return None
    return None


def answered(path: Path, game: Path, components: Path | None = None) -> verify.Verdict | None:
    """The verdict over a fork proof that a sound game answers; None where it does not, and the proof stands.

    A proof is answered by a `heal` that gives one of its events up, or by a change of keys that it leaves out.
    """
    with log.open_for_reading(path) as stream:
        fork = proof.read(stream.read(proof.MAX_BYTES))
    whole = _folded(game, components)
    if whole.fold is None or whole.stopped is not None:
        raise WrongUse(f"{game} is not sound, and answers nothing", f"`pbem verify {game}` says why")
    if whole.fold.game.id != fork.game:
        raise WrongUse(f"{game} is another game than that of the proof", f"it is about game {fork.game[:8]}")
    why = ""
    for event in fork.events:
        if event.id in whole.fold.lost_ids:
            why = f"by consent of all a heal of this game gave up event {event.seq}, {event.id[:16]}"
        elif not why and not _signed_then(game, event, components):
            why = f"the key that signed event {event.seq}, {event.id[:16]}, was not that of {fork.seat} there"
    if not why:
        return None
    detail = f"the proof is answered: {why}"
    return verify.Verdict("INVALID", code="E_FORK", event=fork.seq, detail=detail, game=fork.game)


def _signed_then(game: Path, event: record.Event, components: Path | None) -> bool:
    """Whether an event is signed by the key that its seat has at its place in a game."""
    fold = _folded(game, components, event.seq - 1).fold
    if fold is None or fold.seq < event.seq - 1:
        return True  # the game does not reach so far: it says nothing of that place
    try:
        fold.keys[event.seat].check(keys.EVENT, event.raw, event.sig)
    except Refused:
        return False
    return True


def _folded(game: Path, components: Path | None, until: int | None = None) -> verify.Reading:
    with log.open_for_reading(game) as stream:
        return verify.read(stream, lambda one: rules_for(one, components), until=until)
