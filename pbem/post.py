"""Letters out and in: what `send` writes and what `receive` does with a mail."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pbem import (
    account,
    acts,
    agreement,
    appeals,
    charter,
    correspondence,
    evidence,
    intake,
    log,
    mail,
    notices,
    ordermail,
    packet,
    pictures,
    proof,
    record,
    report,
    restored,
)
from pbem.errors import Incomplete, PbemError, Refused, Trouble, WrongUse
from pbem.home import Home, Passphrase, Room
from pbem.mending import mend_refused
from pbem.packet import Packet
from pbem.ruleset import rules_for
from pbem.table import Table

SEALED: Final = "all seals are in"
PASTE_LIMIT: Final = 48 * 1024
"""Bytes of a packet that is also pasted into the text: larger ones only travel as attachment."""


# Out -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sheet:
    """To whom a letter goes, from whom, and whether it is a reminder."""

    to: tuple[str, ...] = ()
    sender: str = ""
    reminder: bool = False


BLANK: Final = Sheet()
"""A draft: the player puts in the addresses."""


def letter(table: Table, *, since: int | None = None, sheet: Sheet = BLANK) -> tuple[str, bytes]:
    """The letter with what the others may lack, and the name of its file. The same state gives the same bytes."""
    content = table.packet(since)
    if not content.lines:  # a letter about an act alone: it carries the last event again, which changes nothing
        content = table.packet(max(0, max(table.fold.handed.values()) - 1))
    told = account.report(
        table.fold, table.story, since=table.acknowledged() if since is None else since, file=table.path.name
    )
    maps = {
        name: report.svg(picture, told.engine)
        for name, picture in zip(report.map_files(told), told.view.pictures, strict=True)
    }
    text = report.text(told)
    if told.may_write:
        text = f"{text.rstrip()}\n\n{_BY_MAIL}\n\n{ordermail.template(content.game, base(table, content))}"
    beside = _beside(table)
    text += beside
    images = drawn(list(maps.values()))
    page = report.html(told, "cid" if images else "attached")
    files = [(name, svg.encode()) for name, svg in maps.items()]
    subject, thread = _subject(table, told, sheet), _thread(table.room)
    return _written(content, subject, text, page, files, thread, sheet, images, beside)


def _beside(table: Table) -> str:
    """What travels beside the game: acts that wait for consent, where players are mailed and when they are away."""
    return "".join(f"\n{said}" for said in (acts.text(table), notices.text(table.room)) if said)


_BY_MAIL: Final = (
    "Orders from a telephone: mail this back to your own address with orders\n"
    "between the two lines below. Lines that start with # are skipped."
)


def base(table: Table, content: Packet) -> str:
    """The last event that whoever takes in a packet will have."""
    return table.fold.ids.id(content.last) if content.last else table.fold.head


def _subject(table: Table, told: report.Report, sheet: Sheet) -> str:
    """Game, turn, and whose move it is."""
    holder = table.fold.holder
    whose = f"{', '.join(told.decides or ((holder,) if holder else ()))} to move" if not table.fold.closed else "over"
    begins = "Reminder: " if sheet.reminder else ""
    return f"{begins}{told.game}: {mail.one_line(told.view.headline, 70)}, {whose}"


def drawn(maps: Sequence[str]) -> list[tuple[str, bytes]]:
    """The maps as PNG under their content ids, where the extra `png` is installed; else none at all."""
    if not pictures.can_draw():
        return []
    return [(report.map_cid(number), pictures.png(svg)) for number, svg in enumerate(maps, 1)]


def setup_letter(home: Home, start: agreement.Beginning, sheet: Sheet = BLANK) -> tuple[str, bytes]:
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
    return _written(content, said, text, html, [], _thread(home.room(start.setup)), sheet)


def request_letter(table: Table, lacking: str, sheet: Sheet) -> tuple[str, bytes]:
    """A letter that asks for events again: its packet says which event is the last one here."""
    fold = table.fold
    content = Packet(table.need_seat(), fold.game.id, fold.head, (fold.game.line(),))
    said = f"Please send again what comes after event {fold.seq}."
    if lacking:
        said += f" Missing here: {lacking}."
    text = f"{said}\n\nAnswer with: pbem send {table.path.name} --since {fold.seq}\n"
    html = f'<!doctype html><html lang="en"><body style="font-family:sans-serif"><p>{_escaped(said)}</p></body></html>'
    subject = f"{fold.engine.title}: events after {fold.seq} are missing"
    return _written(content, subject, text, html, [], _thread(table.room), sheet)


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
    content: Packet,
    subject: str,
    text: str,
    html: str,
    files: list[tuple[str, bytes]],
    thread: mail.Thread,
    sheet: Sheet = BLANK,
    images: Sequence[tuple[str, bytes]] = (),
    beside: str = "",
) -> tuple[str, bytes]:
    data = packet.write(content)
    raw = mail.compose(
        packet=data,
        packet_name=packet.file_name(content),
        subject=subject,
        text=text,
        html=html,
        svg=files,
        png=images,
        sender=sheet.sender,
        to=sheet.to,
        thread=thread,
        paste=len(data) <= PASTE_LIMIT,
        beside=beside,
    )
    return f"pbem-{packet.label(content)}.eml", raw


# In --------------------------------------------------------------------------------------------------------------


class Stranger(WrongUse):
    """A packet of a game that is not played on this machine."""


@dataclass(slots=True)
class Taken:
    """What became of one packet of a letter. `raw` is the mail it came in, `content` the packet if it could be read."""

    letter: str
    file: Path | None = None
    before: int = 0
    events: int = 0
    papers: int = 0
    answered: bool = False
    begun: str = ""
    problem: PbemError | None = None
    nothing: bool = False
    held: bool = False
    content: Packet | None = None
    raw: bytes = b""
    remarks: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Desk:
    """What is needed to take letters in."""

    home: Home
    save: Path | None = None
    components: Path | None = None
    passphrase: Passphrase | None = None
    late: bool = False


def receive(
    home: Home,
    letters: Iterator[mail.Letter],
    *,
    save: Path | None = None,
    components: Path | None = None,
    passphrase: Passphrase | None = None,
    late: bool = False,
) -> Iterator[Taken]:
    """Take in letters one by one; whatever is refused is told and kept, and the others go on.

    Letters that overtook others are held, in the application folder, until those are in.
    `late` lets requests pass whose beacon round was public before they came.
    """
    desk = Desk(home, save, components, passphrase, late)
    early: list[tuple[bytes, Taken]] = []
    known: dict[bytes, Taken] = {}
    for one in letters:
        found = mail.packets(one)
        if not found.packets:
            problem = WrongUse(f"{one.name}: no packet in it", "; ".join(found.problems))
            nothing = set(found.problems) <= {mail.NOTHING, mail.GAME_FILE}
            taken = Taken(one.name, problem=problem, nothing=nothing, raw=one.raw)
            if one.name == mail.STANDARD_INPUT and one.raw and not nothing:
                _keep_mail(home, taken)
            yield taken
        for data in found.packets:
            taken = Taken(one.name, remarks=list(found.problems), raw=one.raw)
            mark = hashlib.sha256(data).digest()
            if mark in known:  # the same packet twice in one go: nothing new, without opening the game again
                taken.file, taken.content, taken.before = known[mark].file, known[mark].content, known[mark].before
                yield taken
                continue
            attempt(desk, data, taken)
            if taken.problem is None and not taken.begun:
                known[mark] = taken
            if waits(taken.problem):
                _hold(desk, data, taken)
                early.append((data, taken))
                continue
            yield taken
            yield from _retried(early, lambda raw, again: attempt(desk, raw, again))
            if taken.events or taken.begun:
                yield from held_again(desk, taken, early)
    for _, taken in early:
        yield taken


def _retried(early: list[tuple[bytes, Taken]], again: Callable[[bytes, Taken], None]) -> Iterator[Taken]:
    """Those of the early letters that can be taken in now."""
    progress = True
    while progress:
        progress = False
        for data, taken in tuple(early):
            anew = Taken(taken.letter, remarks=taken.remarks, raw=taken.raw)
            again(data, anew)
            if anew.problem is None:
                early.remove((data, taken))
                progress = True
                yield anew


def waits(problem: PbemError | None) -> bool:
    """The packet may be good and something before it is missing."""
    if isinstance(problem, Incomplete):
        return not problem.missing.startswith("events")  # a packet that was cut gets no better by waiting
    return isinstance(problem, Refused) and problem.code == "E_GAP"


def _hold(desk: Desk, data: bytes, taken: Taken) -> None:
    """Keep a packet that came too early in the room of its game, with the mail it came in."""
    room = room_of(desk.home, taken.content) if taken.content is not None else None
    if room is None or taken.content is None or not taken.content.events:
        return
    with suppress(Trouble):  # what is missing is what matters
        correspondence.hold(room, data, taken.raw)
        taken.held = True
        taken.remarks.append("it came too early: it is held, and taken in when what is missing has come")


def held_again(desk: Desk, cause: Taken, early: list[tuple[bytes, Taken]]) -> Iterator[Taken]:
    """Packets held for this game, from earlier letters, that can be taken in now."""
    room = room_of(desk.home, cause.content) if cause.content is not None else None
    if room is None:
        return
    waiting = {data for data, _ in early}
    for data, content in list(correspondence.held(room)):
        if data in waiting:
            continue
        again = Taken(f"held packet {packet.label(content)}", content=content)
        attempt(desk, data, again)
        if again.problem is None and (again.events or again.papers or again.answered):
            yield again
        elif again.problem is not None and not waits(again.problem):
            correspondence.let_go(room, data)
            yield again


def attempt(desk: Desk, data: bytes, taken: Taken) -> None:
    """Take in one packet, and note what became of it."""
    try:
        taken.content = packet.read(data)
        _take(desk, taken.content, taken)
        room = room_of(desk.home, taken.content)
        if room is not None:
            correspondence.let_go(room, data)
    except Refused as error:
        taken.problem = error
        if error.code == "E_GAP":
            error.hint = f"ask the sender for them: `pbem send FILE --since {taken.before}`"
        else:
            _keep(desk.home, data, taken)
    except PbemError as error:
        taken.problem = error


def _take(desk: Desk, content: Packet, taken: Taken) -> None:
    home, components, passphrase = desk.home, desk.components, desk.passphrase
    room = room_of(home, content)
    if room is None:
        _stranger(home, content, taken, desk.save, components)
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
        taken.begun = (start.missing() if start is not None else "") or SEALED
        if start is not None and start.missing():
            if content.events:
                raise Incomplete(start.missing(), "they come in another letter of the others")
            return
    mend_refused(path, room, content.events, components)
    with Table.locked(path, home, components=components, behind=True) as table:
        taken.before = table.fold.seq
        texts = mail.texts(mail.Letter(taken.letter, taken.raw)) if taken.raw else []
        try:
            got = intake.receive(table, content, late=desk.late)
        except Refused:
            taken.remarks += acts.take(table, texts)  # a heal may come with what is refused here
            raise
        taken.events, taken.papers = got.events, got.papers
        _keep_slip_proof(home, table, content, taken)
        taken.remarks += [*got.remarks, *notices.take(table.fold, table.room, texts), *acts.take(table, texts)]
        before = table.fold.seq
        restored.answer_heads(table, passphrase)
        slips = table.answer(passphrase)
        restored.cosign(table, passphrase)
        taken.answered = bool(slips) or appeals.carry(table, passphrase) or table.fold.seq > before


def _begin_again(path: Path, content: Packet) -> None:
    """The game file is gone: a letter with the whole log brings it back."""
    seals = content.of("seal")
    if not content.of("charter") or len(seals) < len(charter.read_charter(content.of("charter")[0]).sealers()):
        raise Incomplete(
            f"the game file {path}", "restore it, or ask the other player for the whole log: `pbem send FILE --since 0`"
        )
    log.create(path, content.of("charter")[0] + b"".join(seals))


def room_of(home: Home, content: Packet) -> Room | None:
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
        raise Stranger(
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


def _keep_mail(home: Home, taken: Taken) -> None:
    """A mail that came through a pipe is nowhere else."""
    with suppress(Trouble):
        path = correspondence.keep_refused(home.root, taken.raw, ".eml", str(taken.problem))
        taken.remarks.append(f"the mail is kept as {path}")


FORKS: Final = ("E_FORK", "E_PREV", "E_BATON")
"""Refusals of a packet that goes on from another past than ours, or contradicts it."""


def _keep(home: Home, data: bytes, taken: Taken) -> None:
    """Refused packets are evidence: they stay in the application folder, and of a fork both sides are named."""
    problem = taken.problem
    with suppress(Trouble):  # the refusal is what matters
        path = correspondence.keep_refused(home.root, data, packet.SUFFIX, str(problem))
        taken.remarks.append(f"the refused packet is kept as {path}")
        if isinstance(problem, Refused) and problem.code in FORKS and taken.file is not None and not problem.hint:
            ours = f"{taken.file.name}, which is at event {taken.before}"
            problem.hint = (
                f"the game has parted: our side is {ours}, theirs is kept; nothing of either is lost. "
                "Compare both files with `pbem compare` before anybody plays on"
            )
        if taken.file is not None and isinstance(problem, Refused):
            _keep_proof(home, path, packet.read(data).events, taken, problem)


def _keep_slip_proof(home: Home, table: Table, content: Packet, taken: Taken) -> None:
    """A slip for a request that is not in this game, of a batch that was released here, convicts its seat."""
    odd = [line for line in content.of("slip") if not table.fold.ids.find(record.read_slip(line).says.request)]
    proved = evidence.slip_proof(table.path, odd, table.room.papers()) if odd else None
    if proved is not None:
        with suppress(Trouble):
            path = correspondence.keep_refused(home.root, proved, proof.SUFFIX, "two slips of one seat for one batch")
            taken.remarks.append(f"the proof that anybody can check: `pbem verify {path}`")


def _keep_proof(home: Home, path: Path, lines: Sequence[bytes], taken: Taken, problem: Refused) -> None:
    """What a stranger can check, beside the refused packet: a fork proof, or the game up to the event; a position."""
    if taken.file is None:
        return
    room = room_of(home, taken.content) if taken.content is not None else None
    folders = room.components() if room is not None else None
    proved, suffix = evidence.fork_proof(taken.file, lines), proof.SUFFIX
    if proved is None and taken.content is not None and room is not None:
        proved = evidence.slip_proof(taken.file, taken.content.of("slip"), room.papers())
    if proved is None:
        proved, suffix = evidence.convicting(taken.file, lines, problem, folders), log.SUFFIX
    if proved is not None:
        log.write_atomic(path.with_suffix(suffix), proved, private=True)
        taken.remarks.append(f"the proof that anybody can check: `pbem verify {path.with_suffix(suffix)}`")
    if problem.code != "E_STATE" or problem.event is None:
        return
    with suppress(PbemError):
        here = evidence.position_of(taken.file, problem.event, lines, folders)
        if here is not None:
            log.write_atomic(taken.file.parent / here.name, here.file())
            taken.remarks.append(
                f"the position here is written to {here.name}: mail it to the sender,"
                f" whose `pbem compare {taken.file.name} {here.name}` names the first line that differs"
            )
