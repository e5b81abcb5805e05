"""What convicts, and what acquits: fork proofs made from a game file and a letter, and the game that answers one."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Final

from pbem import canon, charter, keys, log, proof, record, verify
from pbem.errors import PbemError, Refused, WrongUse
from pbem.ruleset import Folders, rules_for


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


def slip_proof(path: Path, slips: Sequence[bytes], papers: Sequence[str] = ()) -> bytes | None:
    """The proof that somebody released one batch twice: a slip of a letter, and one in a game file or beside it."""
    head: list[bytes] = []
    before: list[bytes] = []
    requests: dict[int, record.Event] = {}
    known = [(record.read_slip(line.encode() + b"\n"), 0) for line in papers if line.startswith("slip ")]
    try:
        with log.open_for_reading(path) as stream:
            for _, line in log.lines(stream):
                if not line.startswith(b"pbem1 "):
                    head.append(line)
                    continue
                event = record.read_event(line)
                before.append(line)
                if event.kind == "handover" and isinstance(event.body.get("batch"), int):
                    requests[event.body["batch"]] = event
                known += [(slip, requests[slip.says.batch].seq) for slip in _released(event, requests)]
        game = charter.read_charter(head[0])
        seals = [line for line in head if line.startswith(b"seal ")]
        for raw in slips:
            slip = record.read_slip(raw)
            for other, seq in known:
                if proof.twice_released(slip, other):
                    return proof.of_files(game, seals, before[:seq] if seq else before, other.line(), slip.line())
    except (PbemError, IndexError):
        return None
    return None


def _released(event: record.Event, requests: Mapping[int, record.Event]) -> Iterator[record.Signed[record.Slip]]:
    """The slips that a `resolve` repeats, as they were signed."""
    if event.kind != "resolve":
        return
    body = record.parse(record.Resolve, event.body)
    for one in body.slips or ():
        if body.batch in requests:
            request = requests[body.batch].id
            doc = record.slip_doc(batch=body.batch, game=event.game, link=one.link, request=request, seat=one.seat)
            says = record.parse(record.Slip, doc)
            yield record.Signed("slip", canon.encode(doc), bytes.fromhex(one.sig), says)


# Refused by the rules ---------------------------------------------------------------------------------------------


def convicting(path: Path, lines: Sequence[bytes], problem: Refused, folders: Folders = None) -> bytes | None:
    """A game file that ends with the event that was refused, for any stranger to verify; None where none is due.

    `lines` are the events of the letter. What is not well signed, or does not follow, convicts nobody.
    """
    if problem.event is None or problem.code in verify.CHAIN_CODES:
        return None
    head: list[bytes] = []
    own: list[bytes] = []
    with log.open_for_reading(path) as stream:
        for _, line in log.lines(stream):
            if not line.startswith(b"said "):
                (own if line.startswith(b"pbem1 ") else head).append(line)
    try:
        events = [record.read_event(line) for line in lines]
    except PbemError:
        return None
    upto = [event.line() for event in events if event.seq <= problem.event]
    if not upto or events[len(upto) - 1].seq != problem.event or events[0].seq > len(own) + 1:
        return None
    data = b"".join([*head, *own[: events[0].seq - 1], *upto])
    stopped = verify.read(io.BytesIO(data), lambda one: rules_for(one, folders)).stopped
    return data if isinstance(stopped, Refused) and stopped.event == problem.event else None


# Positions ---------------------------------------------------------------------------------------------------------

POSITION: Final = b"PBEM-POSITION 1 "
POSITION_SUFFIX: Final = ".position"


@dataclass(frozen=True, slots=True)
class Position:
    """What one machine's rules print before a handover: its game and number, and the sections of lines."""

    game: str
    seq: int
    sections: dict[str, list[str]]

    def file(self) -> bytes:
        """As a text file: a head, then each section with its lines."""
        lines = [f"[{name}]\n" + "".join(f"{line}\n" for line in self.sections[name]) for name in sorted(self.sections)]
        return POSITION + canon.encode({"game": self.game, "seq": self.seq}) + b"\n" + "".join(lines).encode()

    @property
    def name(self) -> str:
        return f"{self.game[:8]}-{self.seq:04}{POSITION_SUFFIX}"

    def differs(self, other: Position) -> str:
        """The first line that is not the same, in words; empty where all are."""
        for name in sorted(self.sections.keys() | other.sections.keys()):
            mine, theirs = self.sections.get(name), other.sections.get(name)
            if mine is None or theirs is None:
                return f"section {name}: only {'the second' if mine is None else 'the first'} has it"
            for one, two in zip_longest(mine, theirs, fillvalue="no line"):
                if one != two:
                    return f"section {name}: {one!r} in the first, {two!r} in the second"
        return ""


def position_of(path: Path, seq: int, lines: Sequence[bytes] = (), folders: Folders = None) -> Position | None:
    """The position before an event of a game file, or of the events of a letter that follow it."""
    with log.open_for_reading(path) as stream:
        fold = verify.read(stream, lambda one: rules_for(one, folders), until=seq - 1).fold
    if fold is None or fold.rules is None:
        return None
    for line in lines:
        event = record.read_event(line)
        if event.seq == fold.seq + 1 < seq:
            fold.take(fold.read(line))
    if fold.seq != seq - 1:
        return None
    printed = fold.engine.position(fold.state)
    return Position(fold.game.id, seq, {name: list(section) for name, section in printed.items()})


def read_position(data: bytes) -> Position:
    """A position file (`WrongUse` where it is none)."""
    first, _, rest = data.partition(b"\n")
    try:
        if not first.startswith(POSITION):
            raise ValueError
        head = canon.decode(first.removeprefix(POSITION))
        game, seq = head["game"], head["seq"]
        if not isinstance(game, str) or type(seq) is not int:
            raise ValueError
        sections: dict[str, list[str]] = {}
        here: list[str] = []
        for line in rest.decode("utf-8").splitlines():
            if line.startswith("[") and line.endswith("]"):
                here = sections.setdefault(line[1:-1], [])
            else:
                here.append(line)
    except (PbemError, ValueError, KeyError):
        hint = "it is written beside the letters that were refused: DIVERGED"
        raise WrongUse("this is no position file", hint) from None
    return Position(game, seq, sections)
