"""Letters out and in: what `send` writes and what `receive` does with a mail."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pbem import account, agreement, charter, log, mail, packet, report
from pbem.errors import Incomplete, PbemError, Refused, Trouble, WrongUse
from pbem.home import Home, Passphrase, Room
from pbem.packet import Packet
from pbem.ruleset import rules_for
from pbem.table import Table

PASTE_LIMIT: Final = 48 * 1024
"""Bytes of a packet that is also pasted into the text: larger ones only travel as attachment."""


# Out -------------------------------------------------------------------------------------------------------------


def letter(table: Table, *, since: int | None = None) -> tuple[str, bytes]:
    """The letter with what the others may lack, and the name of its file. The same state gives the same bytes."""
    content = table.packet(since)
    told = account.report(
        table.fold, table.story, since=table.acknowledged() if since is None else since, file=table.path.name
    )
    pictures = [
        (name, report.svg(picture, told.engine).encode())
        for name, picture in zip(report.map_files(told), told.view.pictures, strict=True)
    ]
    subject = f"{told.game}: {told.view.headline}"
    return _written(content, subject, report.text(told), report.html(told, "attached"), pictures, _thread(table.room))


def setup_letter(home: Home, start: agreement.Beginning) -> tuple[str, bytes]:
    """The letter about a game that has not begun."""
    content = agreement.setup_packet(home, start)
    doc = start.draft.doc if start.draft is not None else None
    rules = doc["rules"]["id"] if doc is not None else start.game.charter.rules.id if start.game is not None else ""
    if start.game is None:
        said = f"Invitation to {rules}" if not start.entries else f"A seat is taken: {rules}"
        way = f"Answer with: pbem {'receive' if start.entries else 'join'} THIS-MAIL.eml"
    else:
        said, way = f"Charter of {rules}", "Answer with: pbem receive THIS-MAIL.eml"
    lines = [said, "", *_agreed(start), "", way, "Then: pbem status FILE"]
    text = "\n".join(lines) + "\n"
    body = "".join(f"<p>{_escaped(line)}</p>" for line in lines if line)
    html = f'<!doctype html><html lang="en"><body style="font-family:sans-serif">{body}</body></html>'
    return _written(content, said, text, html, [], _thread(home.room(start.setup)))


def _agreed(start: agreement.Beginning) -> list[str]:
    """What is proposed or agreed, line by line, for a reader without the program."""
    shown = start.game or (charter.rehearsed(start.draft) if start.draft is not None else None)
    if shown is None:
        return []
    agreed = shown.charter
    lines = [f"rules: {agreed.rules.id}, edition {agreed.rules.version}", f"scenario: {agreed.scenario}"]
    lines += [f"option {name}: {value}" for name, value in sorted(agreed.options.items())]
    lines.append(f"dice: {agreed.dice.policy}")
    if agreed.clock is not None:
        lines.append(f"days for an answer: {agreed.clock.days}")
    waiting = start.open_seats()
    for entry in agreed.seats:
        lines.append(f"seat {entry.seat}: {'open' if entry.seat in waiting else entry.name or 'taken'}")
    return lines


def _escaped(text: str) -> str:
    from html import escape

    return escape(text)


def _thread(room: Room) -> mail.Thread:
    """All letters of a game hang under one first one."""
    return mail.Thread(parents=(f"<{room.path.name}@{mail.DOMAIN}>",))


def _written(
    content: Packet, subject: str, text: str, html: str, pictures: list[tuple[str, bytes]], thread: mail.Thread
) -> tuple[str, bytes]:
    data = packet.write(content)
    raw = mail.compose(
        packet=data,
        packet_name=packet.file_name(content),
        subject=subject,
        text=text,
        html=html,
        svg=pictures,
        thread=thread,
        paste=len(data) <= PASTE_LIMIT,
    )
    return f"pbem-{packet.label(content)}.eml", raw


# In --------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Taken:
    """What became of one packet of a letter."""

    letter: str
    file: Path | None = None
    before: int = 0
    events: int = 0
    papers: int = 0
    answered: bool = False
    begun: str = ""
    problem: PbemError | None = None
    nothing: bool = False
    remarks: list[str] = field(default_factory=list)


def receive(
    home: Home, letters: Iterator[mail.Letter], *, save: Path | None = None, components: Path | None = None,
    passphrase: Passphrase | None = None,
) -> Iterator[Taken]:
    """Take in letters one by one; whatever is refused is told and kept, and the others go on.

    Letters that overtook others wait until those are in.
    """
    early: list[tuple[bytes, Taken]] = []
    for one in letters:
        found = mail.packets(one)
        if not found.packets:
            problem = WrongUse(f"{one.name}: no packet in it", "; ".join(found.problems))
            yield Taken(one.name, problem=problem, nothing=set(found.problems) <= {mail.NOTHING, mail.GAME_FILE})
        for data in found.packets:
            taken = Taken(one.name, remarks=list(found.problems))
            _try(home, data, taken, save, components, passphrase)
            if isinstance(taken.problem, Refused) and taken.problem.code == "E_GAP":
                early.append((data, taken))
            else:
                yield taken
                yield from _retried(early, lambda raw, again: _try(home, raw, again, save, components, passphrase))
    for data, taken in early:
        _keep(home, data, taken)
        yield taken


def _retried(early: list[tuple[bytes, Taken]], attempt: Callable[[bytes, Taken], None]) -> Iterator[Taken]:
    """Those of the early letters that can be taken in now."""
    progress = True
    while progress:
        progress = False
        for data, taken in tuple(early):
            again = Taken(taken.letter, remarks=taken.remarks)
            attempt(data, again)
            if again.problem is None:
                early.remove((data, taken))
                progress = True
                yield again


def _try(
    home: Home, data: bytes, taken: Taken, save: Path | None, components: Path | None, passphrase: Passphrase | None
) -> None:
    try:
        _take(home, packet.read(data), taken, save, components, passphrase)
    except Refused as error:
        taken.problem = error
        if error.code != "E_GAP":
            _keep(home, data, taken)
        elif taken.file is not None:
            error.hint = f"ask the sender for them: `pbem send FILE --since {taken.before}`"
    except PbemError as error:
        taken.problem = error


def _take(
    home: Home, content: Packet, taken: Taken, save: Path | None, components: Path | None, passphrase: Passphrase | None
) -> None:
    room = _room_of(home, content)
    if room is None:
        _stranger(home, content, taken, save, components)
        return
    path = room.where()
    if path is None:
        raise Incomplete("the game file", "open it once with `pbem status FILE`")
    taken.file = path
    if not path.exists():
        _begin_again(path, content)
    start = agreement.beginning(path)
    if start is not None and start.missing():
        start = agreement.absorb(home, path, content, passphrase)
        taken.begun = (start.missing() if start is not None else "") or "all seals are in"
        if start is not None and start.missing():
            return
    with Table.locked(path, home, components=components, behind=True) as table:
        taken.before = table.fold.seq
        got = table.receive(content)
        taken.events, taken.papers = got.events, got.papers
        before = table.fold.seq
        slips = table.answer(passphrase)
        taken.answered = bool(slips) or table.carry(passphrase) or table.fold.seq > before


def _begin_again(path: Path, content: Packet) -> None:
    """The game file is gone: a letter with the whole log brings it back."""
    seals = content.of("seal")
    if not content.of("charter") or len(seals) < len(charter.read_charter(content.of("charter")[0]).sealers()):
        raise Incomplete(
            f"the game file {path}", "restore it, or ask the other player for the whole log: `pbem send FILE --since 0`"
        )
    log.create(path, content.of("charter")[0] + b"".join(seals))


def _room_of(home: Home, content: Packet) -> Room | None:
    """The room of the game a packet belongs to: by its id, or by the draft an entry answers."""
    room = home.find(content.game)
    if room is None and content.of("charter"):
        game = charter.read_charter(content.of("charter")[0])
        candidate = home.room(game.charter.setup)
        room = candidate if candidate.names() else None
    return room


def _stranger(home: Home, content: Packet, taken: Taken, save: Path | None, components: Path | None) -> None:
    """A packet of a game that is not played here: an invitation, or something to keep as a spectator."""
    if content.of("draft"):
        raise WrongUse("this is an invitation", "`pbem join MAIL` takes the seat")
    if save is None or not content.of("charter"):
        raise WrongUse(
            f"game {content.game[:8]} is not played on this machine",
            "a spectator keeps a whole log with `pbem receive MAIL --save FILE`",
        )
    data = b"".join(line for word in ("charter", "seal", "pbem1") for line in content.of(word))
    _check_whole(data, components)
    log.create(save, data)
    game = charter.read_charter(content.of("charter")[0])
    home.room(game.charter.setup).remember(save.resolve(), game=game.id)
    taken.file, taken.events = save, len(content.of("pbem1"))


def _check_whole(data: bytes, components: Path | None) -> None:
    import io

    from pbem import verify

    reading = verify.read(io.BytesIO(data), lambda game: rules_for(game, components))
    if reading.stopped is not None:
        raise reading.stopped


def _keep(home: Home, data: bytes, taken: Taken) -> None:
    """Refused packets are evidence: they stay in the application folder."""
    name = hashlib.sha256(data).hexdigest()[:16] + packet.SUFFIX
    path = home.root / "refused" / name
    with suppress(Trouble):  # the refusal is what matters
        log.write_atomic(path, data, private=True)
        taken.remarks.append(f"the refused packet is kept as {path}")
