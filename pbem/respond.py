"""A responder: takes in letters from a folder, releases the links that are asked for, and writes the answers.

It needs no port and no account: a synchronised folder or a mail filter brings letters and takes answers away.
It holds a dice chain and a key that signs slips, and can neither move a unit nor show a card. One slip a batch, for
ever: a second request for one batch is refused, and the proof of it is written beside the answers (protocol, 3.4).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pbem import charter, dice, evidence, log, mail, packet, post, restored
from pbem.errors import PbemError, Refused, Trouble, WrongUse
from pbem.home import Home, Passphrase
from pbem.table import Table

FORKS: Final = frozenset({"E_FORK", "E_PREV", "E_BATON", "E_SIG"})
"""Refusals behind which a second version of signed events may stand."""


def install(home: Home, path: Path, data: bytes) -> str:
    """Keep a dice chain that `pbem vault chain` wrote; its seat. It must be the one of the game file."""
    try:
        doc: dict[str, Any] = json.loads(data)
        seat, number, end = str(doc["seat"]), int(doc["chain_no"]), bytes.fromhex(doc["end"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise WrongUse("this is no dice chain", "`pbem vault chain FILE` writes one") from None
    table = Table.reading(path, home)
    fold = table.fold
    if doc.get("game") != fold.game.id or seat not in fold.chains:
        raise WrongUse("the dice chain belongs to another game", f"this is game {fold.game.id[:8]}")
    check = fold.chains[seat].check
    chain_id = dice.chain_id(bytes.fromhex(fold.game.charter.setup), seat, number)
    if chain_id != check.chain_id or dice.chain(chain_id, end, check.links)[check.index] != check.value:
        raise WrongUse(f"this is not the dice chain that {seat} has now", "write a fresh one: `pbem vault chain FILE`")
    with table.room.lock():
        table.room.remember(path.resolve(), game=fold.game.id)
        table.room.add_chain(seat, {"chain_no": number, "end": end.hex(), "seat": seat})
        pin = table.room.pin()
        pin.installation = home.installation(new=True)  # the owner's word that no other responder has answered
        table.room.set_pin(pin)
    return seat


def released_here(home: Home, path: Path) -> list[str]:
    """Whose links this machine releases in a game (`WrongUse` where nobody's)."""
    table = Table.reading(path, home)
    names = {*table.room.chains(), *table.local}
    names |= {charter.WITNESS} & set(table.room.seats())
    if not names:
        hint = "`pbem respond FILE --chain CHAIN` takes one in"
        raise WrongUse(f"no dice chain of {path.name} is on this machine", hint)
    return sorted(names)


@dataclass
class Round:
    """What one look into the folder brought."""

    answers: list[Path] = field(default_factory=list)
    proofs: list[Path] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@dataclass
class Responder:
    """Game files, the folder that letters come to, and the one that answers go to."""

    home: Home
    files: list[Path]
    folder: Path | None
    out: Path
    passphrase: Passphrase | None = None
    _seen: dict[Path, tuple[int, int]] = field(default_factory=dict)

    def round(self) -> Round:
        """Take in what is new, release what is due, write answers. Doing it again writes the same bytes."""
        done = Round()
        for path in self._fresh():
            for taken in post.receive(self.home, mail.letters(path), passphrase=self.passphrase):
                self._look_at(path, taken, done)
        for file in self.files:
            try:
                self._answer(file, done)
            except PbemError as error:
                done.problems.append(f"{file.name}: {error}")
        return done

    def _fresh(self) -> Iterator[Path]:
        """Letters that are new or changed since the last look."""
        if self.folder is None:
            return
        if not self.folder.is_dir():
            raise Trouble(f"{self.folder} is no folder", "--watch FOLDER: where letters come to")
        for path in sorted(one for one in self.folder.rglob("*") if one.is_file() and one.suffix != ".tmp"):
            if self.out in path.resolve().parents:
                continue
            mark = (path.stat().st_mtime_ns, path.stat().st_size)
            if self._seen.get(path) != mark:
                self._seen[path] = mark
                yield path

    def _look_at(self, path: Path, taken: post.Taken, done: Round) -> None:
        """A letter that was refused may prove a fork: the proof goes out."""
        if taken.problem is None or taken.nothing:
            return
        done.problems.append(f"{path.name}: {taken.problem}")
        if not isinstance(taken.problem, Refused) or taken.problem.code not in FORKS or taken.file is None:
            return
        for letter in mail.letters(path):
            for data in mail.packets(letter).packets:
                content = packet.read(data)
                proved = evidence.fork_proof(taken.file, content.events)
                if proved is not None:
                    target = self.out / f"pbem-{content.game[:8]}-{content.first:04}.fork"
                    if not target.exists():
                        log.write_atomic(target, proved)
                    done.proofs.append(target)

    def _answer(self, file: Path, done: Round) -> None:
        """Release what a batch waits for, and write one letter with the request and the slip, for all."""
        with Table.locked(file, self.home) as table:
            for name in table.releasers():
                table.release(name, self.passphrase)
            restored.cosign(table, self.passphrase)
            batch = table.fold.batch
            if not table.own_slips() or batch is None:
                return
            target = self.out / f"pbem-{table.fold.game.id[:8]}-batch-{batch.number:04}.eml"
            if target.exists():
                return
            log.write_atomic(target, post.letter(table)[1])
            done.answers.append(target)
