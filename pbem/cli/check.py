"""Commands that check one game: audit, compare, export-sig."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pbem import archive, evidence, keys, log, proof, record
from pbem import verify as verdicts
from pbem.cli.common import answer, components_option, home, json_option, out_file, say
from pbem.errors import Incomplete, Refused, WrongUse

# The audit -------------------------------------------------------------------------------------------------------


@click.command()
@click.argument("game", metavar="FILE", type=click.Path(path_type=Path))
@components_option
@json_option
def audit(game: Path, components: Path | None, as_json: bool) -> int:
    """Disclose what this machine's seats sealed, when the game is over, and say the verdict.

    Everything is disclosed by itself with the next `send` too; then the other seats do the same.

    \b
    pbem audit game.pbem
    """
    from pbem.cli.common import passphrase
    from pbem.table import Table

    with Table.locked(game, home(), components=components) as table:
        if table.seat:
            done = table.finish(passphrase) if not table.fold.engine_waits() else None
            if done is not None and done.events:
                say(f"{done.events} events signed; `pbem send {game}` writes the letter")
        for seat in table.fold.seats:
            for name in table.fold.slots.closed(seat):
                say(f"{seat} has not disclosed {name}")
        for owed in table.fold.obligations:
            say(f"event {owed.seq}: {owed.seat} still has to show that {owed.fact}")
    verdict, _ = archive.judge(game, components)
    if as_json:
        answer({"file": str(game), **verdict.data()})
        return verdict.status
    click.echo(verdict.line())
    if verdict.hint:
        say(f"hint: {verdict.hint}")
    return verdict.status


# Compare ---------------------------------------------------------------------------------------------------------


@click.command()
@click.argument("one", metavar="A", type=click.Path(path_type=Path))
@click.argument("two", metavar="B", type=click.Path(path_type=Path))
@click.option("--proof", "proof_to", type=click.Path(path_type=Path), help="Write a fork proof to this new file.")
@components_option
@json_option
def compare(one: Path, two: Path, proof_to: Path | None, components: Path | None, as_json: bool) -> int:
    """Whether two files are the same game, which is longer, and where they part.

    Where one seat signed two different events the proof can be written to a file that anybody can `verify`.
    Position files, which are written where two programs diverge, are compared with each other or with a game.

    \b
    pbem compare mine.pbem theirs.pbem
    pbem compare mine.pbem theirs.pbem --proof red.fork
    """
    positions = [_position(one, two, components), _position(two, one, components)]
    if positions[0] is not None and positions[1] is not None:
        return _differ(positions[0], positions[1], as_json=as_json)
    folds = [_chain(one), _chain(two)]
    doc = _compared(folds, (str(one), str(two)))
    if proof_to is not None:
        if "fork_by" not in doc:
            raise WrongUse("there is no fork to prove", doc["line"])
        log.create(out_file(proof_to, one, two), _proof(folds[0], one, two, int(doc["parts_at"])))
        say(f"{proof_to}: anybody can check it with `pbem verify {proof_to}`")
    if as_json:
        answer(doc)
    else:
        click.echo(doc["line"])
    return int(doc["status"])


def _position(path: Path, other: Path, components: Path | None) -> evidence.Position | None:
    """The position in a file; of a game the one that the other file is about, where that is a position."""
    mine, theirs = _position_file(path), _position_file(other)
    if mine is not None or theirs is None:
        return mine
    found = evidence.position_of(path, theirs.seq, folders=components)
    if found is None:
        raise Incomplete(f"event {theirs.seq} of {path}, and the rules that judge it", "`pbem verify FILE` says more")
    return found


def _position_file(path: Path) -> evidence.Position | None:
    with log.open_for_reading(path) as stream:
        data = stream.read(MAX_POSITION)
    return evidence.read_position(data) if data.startswith(evidence.POSITION) else None


MAX_POSITION = 4 * 2**20
"""Bytes of a position file that are read."""


def _differ(one: evidence.Position, two: evidence.Position, *, as_json: bool) -> int:
    """Say the first line in which two positions differ: 0 for none."""
    same = one.game == two.game and one.seq == two.seq
    line = one.differs(two) if same else "these are positions of two games, or of two events"
    said, status = line or f"the same position before event {one.seq}", int(bool(line))
    if as_json:
        answer({"line": said, "same_game": one.game == two.game, "status": status})
    else:
        click.echo(said)
    return status


def _proof(fold: Any, one: Path, two: Path, seq: int) -> bytes:
    """The fork proof from two files that part at an event."""
    common, seals, ends = [], [], []
    for path in (one, two):
        with log.open_for_reading(path) as stream:
            for _, line in log.lines(stream):
                place = record.read_event(line).seq if line.startswith(b"pbem1 ") else 0
                if place == seq:
                    ends.append(line)
                elif path == one and line.startswith(b"seal "):
                    seals.append(line)
                elif path == one and 0 < place < seq:
                    common.append(line)
    return proof.of_files(fold.game, seals, common, *ends)


def _chain(path: Path) -> Any:
    """The chain and signatures of a file, whatever game it is; a file that is not sound is refused."""
    with log.open_for_reading(path) as stream:
        reading = verdicts.read(stream, _no_rules)
    if reading.stopped is not None:
        raise reading.stopped
    return reading.fold


def _no_rules(_: object) -> Any:
    raise Incomplete("rules are not asked")


def _compared(folds: list[Any], names: tuple[str, str]) -> dict[str, Any]:
    a, b = folds
    if a.game.id != b.game.id:
        return {"line": "two different games", "same_game": False, "status": 1}
    for seq in range(1, min(a.seq, b.seq) + 1):
        if a.ids.id(seq) != b.ids.id(seq):
            return _parted(a, b, seq)
    if a.seq == b.seq:
        return {"line": f"the same game, both at event {a.seq}", "same_game": True, "status": 0}
    longer = names[0] if a.seq > b.seq else names[1]
    line = f"the same game; {longer} is longer: event {max(a.seq, b.seq)}, the other {min(a.seq, b.seq)}"
    return {"line": line, "same_game": True, "longer": longer, "status": 0}


def _parted(a: Any, b: Any, seq: int) -> dict[str, Any]:
    seats = [fold.seats[fold.ids.seat(seq)] for fold in (a, b)]
    doc = {"same_game": True, "parts_at": seq, "ids": [a.ids.id(seq), b.ids.id(seq)], "seats": seats, "status": 1}
    if seats[0] == seats[1]:
        return {"line": f"FORK by {seats[0]}: two different events {seq} under one key", "fork_by": seats[0], **doc}
    return {"line": f"they part at event {seq}: {seats[0]} wrote one, {seats[1]} the other", **doc}


# One signature ---------------------------------------------------------------------------------------------------


@click.command("export-sig")
@click.argument("game", metavar="FILE", type=click.Path(path_type=Path))
@click.argument("event")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path(), help="Folder to write to.")
def export_sig(game: Path, event: str, out: Path) -> None:
    """Write one event's bytes, its signature and the allowed signers, to be checked with OpenSSH alone.

    EVENT is its number, or the beginning of its id: eight hex digits or more.

    \b
    pbem export-sig game.pbem 17 --out proof
    ssh-keygen -Y verify -n event.v1@pbem -f proof/allowed_signers -I red -s proof/17.sig < proof/17.json
    """
    with log.open_for_reading(game) as stream:
        reading = verdicts.read(stream, _no_rules)
    fold = reading.fold
    if fold is None:
        raise reading.stopped or Refused("E_LINE", event=0)
    with log.open_for_reading(game) as stream:
        found = next((one for one in _events(stream, fold) if _meant(event, one)), None)
    if found is None:
        raise WrongUse(f"no event {event[:70]}", f"the last one is {fold.seq}; ids are named by 8 hex digits or more")
    event = str(found.seq)
    key = fold.keys[found.seat].raw
    out.mkdir(parents=True, exist_ok=True)
    log.write_atomic(out / f"{event}.json", found.raw)
    log.write_atomic(out / f"{event}.sig", keys.armor(key, found.sig, keys.EVENT).encode())
    signers = keys.allowed_signers_line(found.seat, key, (keys.EVENT,)) + "\n"
    log.write_atomic(out / "allowed_signers", signers.encode())
    click.echo(
        f"ssh-keygen -Y verify -n {keys.EVENT} -f {out / 'allowed_signers'} -I {found.seat}"
        f" -s {out / f'{event}.sig'} < {out / f'{event}.json'}"
    )


def _meant(words: str, event: record.Event) -> bool:
    """Whether the words name this event: its number, or the beginning of its id."""
    return words == str(event.seq) or (len(words) >= 8 and event.id.startswith(words.lower()))


def _events(stream: Any, fold: Any) -> Any:
    for _, line in log.lines(stream):
        if line.startswith(b"pbem1 "):
            yield record.read_event(line)
