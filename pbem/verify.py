"""The verdict over a game file: chain, signatures, dice, rules (FORMAT.md, verdicts).

Two worker threads check lines in chunks ahead of the fold; the fold itself is serial and decides.
Memory is bounded by the state and the number of events, never by the size of the log.
"""

from __future__ import annotations

import gc
import io
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

from pbem import beacon, charter, keys, log, record, saying, trust
from pbem.api import Outcome
from pbem.errors import Incomplete, Refused
from pbem.record import Event, Receipt
from pbem.replay import Fold, Listener, Past, Ruleset

CHAIN_CODES: Final = frozenset(
    {"E_LINE", "E_SIZE", "E_JSON", "E_DUPKEY", "E_NUM", "E_INT", "E_TEXT", "E_CANON"}
    | {"E_FIELDS", "E_GAME", "E_SIG", "E_FORK", "E_GAP", "E_PREV", "E_BATON"}
)
"""Refusals that no heal mends: the chain itself is broken there."""

CHUNK: Final = 500
AHEAD: Final = 6
"""Chunks that may be checked ahead of the fold."""

RulesFor = Callable[[charter.Game], Ruleset]
"""Finds the engine, edition and components a charter names; raises `Incomplete` where they are missing."""

Reopen = Callable[[], IO[bytes]]

Progress = Callable[[int], None]
"""Told the number of bytes read so far."""

OPEN_TRUST: Final = "open dice: nobody could choose them, each player could look ahead at his own turn's dice"

BOT: Final = "bot"
"""The name under which a bot plays: its secrets lie beside those of the player who plays against it."""
BOT_TRUST: Final = "{} is played by a bot on another player's machine, who could foresee all dice: a game for practice"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What can be said of a file. `word` is the stable first word; `status` the exit status."""

    word: str
    seq: int = 0
    head: str = ""
    code: str = ""
    event: int | None = None
    detail: str = ""
    hint: str = ""
    outcome: Outcome | None = None
    remarks: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    game: str = ""

    @property
    def status(self) -> int:
        """0 done, 1 the answer is no, 3 something is missing."""
        return {"VALID": 0, "VALID SO FAR": 0, "INCOMPLETE": 3}.get(self.word, 1)

    def line(self) -> str:
        """The verdict as one line."""
        tail = "".join(f", {remark}" for remark in self.remarks)
        if self.word == "VALID":
            return f"VALID{tail}"
        if self.word == "VALID SO FAR":
            return f"VALID SO FAR up to event {self.seq}, head {self.head}{tail}"
        if self.word == "INCOMPLETE":
            return f"INCOMPLETE: {self.detail}"
        if self.word == "FORK":
            return f"FORK by {self.detail}" + (f" at event {self.event}" if self.event is not None else "")
        if self.word == "DIVERGED":
            return f"DIVERGED at event {self.event}: {self.detail}"
        clause = f" [{', '.join(self.clauses)}]" if self.clauses else ""
        return f"INVALID at event {self.event}: {self.code}{clause} {self.detail}"

    def data(self) -> dict[str, Any]:
        """The verdict for scripts."""
        doc: dict[str, Any] = {
            "verdict": self.word,
            "game": self.game,
            "seq": self.seq,
            "head": self.head,
            "status": self.status,
            "line": self.line(),
        }
        if self.code:
            doc["code"] = self.code
        if self.event is not None:
            doc["event"] = self.event
        if self.clauses:
            doc["clauses"] = list(self.clauses)
        if self.hint:
            doc["hint"] = self.hint
        if self.remarks:
            doc["remarks"] = list(self.remarks)
        if self.outcome is not None:
            winners = list(self.outcome.winners)
            doc["outcome"] = {"winner": self.outcome.winner, "winners": winners, "words": self.outcome.words}
        return doc


@dataclass
class Reading:
    """A file as far as it could be folded: the fold, and what stopped it."""

    fold: Fold | None = None
    stopped: Refused | Incomplete | None = None
    unjudged: Incomplete | None = None
    stopped_line: int = 0
    seals: list[bytes] = field(default_factory=list)


def verify(
    stream: IO[bytes],
    rules_for: RulesFor,
    *,
    workers: int = 2,
    listener: Listener | None = None,
    progress: Progress | None = None,
) -> Verdict:
    """Read a whole game file and say what it is."""
    return judge(read(stream, rules_for, workers=workers, listener=listener, progress=progress))


def read(
    stream: IO[bytes],
    rules_for: RulesFor,
    *,
    workers: int = 0,
    listener: Listener | None = None,
    progress: Progress | None = None,
    until: int | None = None,
    reopen: Reopen | None = None,
) -> Reading:
    """Fold a game file from its charter to its head, to event `until`, or to the first thing that stops it.

    `reopen` gives the file once more from its start, for what an undo or the audit folds again.
    Where the rules refuse an event, a later `heal` that goes back before it is looked for first.
    """
    again = reopen or _again(stream)
    healed: tuple[tuple[int, int], ...] = ()
    with ExitStack() as opened:
        while True:
            reading = _read_once(stream, rules_for, workers, listener, progress, until, again, healed)
            more = _heals(reading.stopped, again, healed)
            if not more or not isinstance(reading.stopped, Refused):
                return reading
            healed = (*healed, *more)
            listener = _from(reading.stopped.event or 0, listener)
            stream = opened.enter_context(again())


def _from(seq: int, listener: Listener | None) -> Listener | None:
    """A listener that has heard everything before an event already."""
    if listener is None:
        return None
    return lambda number, note: listener(number, note) if number >= seq else None


def _heals(
    stopped: Refused | Incomplete | None, reopen: Reopen, known: tuple[tuple[int, int], ...]
) -> list[tuple[int, int]]:
    """The heals that go back before the event the rules refused, and were not counted yet: (to, seq of the heal)."""
    if not isinstance(stopped, Refused) or stopped.event is None or stopped.code in CHAIN_CODES:
        return []
    at = stopped.event
    found = []
    with reopen() as stream, suppress(Refused, Incomplete):  # a tail that is torn holds no heal
        for _, line in log.lines(stream):
            if b'"kind":"heal"' in line and line.startswith(b"pbem1 "):
                with suppress(Refused):
                    event = record.read_event(line)
                    to = event.body.get("to")
                    if event.kind == "heal" and isinstance(to, int) and to < at < event.seq:
                        found.append((to, event.seq))
    return [one for one in found if one not in known]


def _read_once(
    stream: IO[bytes],
    rules_for: RulesFor,
    workers: int,
    listener: Listener | None,
    progress: Progress | None,
    until: int | None,
    again: Reopen,
    healed: tuple[tuple[int, int], ...],
) -> Reading:
    reading = Reading()
    numbered = _counted(log.lines(stream), progress)
    try:
        game = _sealed_charter(numbered, reading)
        with _checked(numbered, game, workers) as checked:
            reading.fold = fold = _fold(game, reading, rules_for, listener)
            fold.past, fold.healed = past(again), healed
            for number, one in checked:
                reading.stopped_line = number
                if fold.key_changes:
                    one = _by_key_in_force(one, fold)
                if isinstance(one, Event):
                    if until is not None and one.seq > until:
                        return reading
                    _take(fold, one)
                elif isinstance(one, bytes):
                    saying.take_said(fold, one, number)
                else:
                    raise _placed(one, fold)
    except (Refused, Incomplete) as error:
        reading.stopped = error
    if reading.fold is not None and reading.fold.unjudged is not None:
        reading.unjudged = reading.fold.unjudged
    return reading


def _by_key_in_force(one: Checked, fold: Fold) -> Checked:
    """Check a line again where its seat has another key by now than the charter gave it."""
    if isinstance(one, Event) and fold.keys[one.seat].raw.hex() != fold.game.key_of(one.seat):
        return check_line(one.line(), fold.game.id, fold.keys)
    if isinstance(one, Refused) and one.code == "E_SIG" and one.line:
        return check_line(one.line, fold.game.id, fold.keys)
    return one


def past(reopen: Reopen) -> Past:
    """The events of a file once more, up to a number."""

    def events(to: int) -> Iterator[Event]:
        with reopen() as stream:
            for _, line in log.lines(stream):
                if line.startswith(b"pbem1 "):
                    event = record.read_again(line)
                    if event.seq > to:
                        return
                    yield event

    return events


def _again(stream: IO[bytes]) -> Reopen:
    """How to read a stream once more: by its content in memory, or by its name on disk."""
    if isinstance(stream, io.BytesIO):
        return lambda: io.BytesIO(stream.getvalue())
    name = getattr(stream, "name", None)
    if not isinstance(name, str):
        raise AssertionError("a stream that cannot be read twice must be spooled first")
    return lambda: Path(name).open("rb")


def _placed(error: Refused, fold: Fold) -> Refused:
    if error.event is None:
        error.event = fold.seq + 1
    return error


def _take(fold: Fold, event: Event) -> None:
    if event.seq <= fold.seq and fold.ids.id(event.seq) == event.id:
        raise Refused("E_GAP", f"event {event.seq} stands twice", event=event.seq)
    fold.take(event)


def _counted(numbered: Iterable[tuple[int, bytes]], progress: Progress | None) -> Iterator[tuple[int, bytes]]:
    done = 0
    for number, line in numbered:
        if progress is not None:
            done += len(line)
            if number % CHUNK == 0:
                progress(done)
        yield number, line
    if progress is not None:
        progress(done)


def _sealed_charter(numbered: Iterator[tuple[int, bytes]], reading: Reading) -> charter.Game:
    """The charter, with its seals checked."""
    first = _due(numbered, "charter")
    if first is None:
        raise Incomplete("charter: the file is empty", "the other player has the game: ask for the whole log")
    game = charter.read_charter(first[1])
    due = list(game.sealers())
    while due:
        following = _due(numbered, f"seals of {', '.join(due)}")
        if following is None:
            raise Incomplete(f"seals of {', '.join(due)}", "the game starts when every seat has sealed the charter")
        reading.stopped_line, line = following
        if not line.startswith(b"seal "):
            raise Refused("E_UNSEALED" if line.startswith(b"pbem1 ") else "E_LINE", event=0)
        seat = charter.read_seal(line, game)
        if seat != due[0]:
            raise Refused("E_CHARTER", f"the seal of {due[0]} is due, not that of {seat}", event=0)
        due.pop(0)
        reading.seals.append(line)
    return game


def _fold(game: charter.Game, reading: Reading, rules_for: RulesFor, listener: Listener | None) -> Fold:
    """The fold before event 1; without rules where they are not here."""
    try:
        return Fold(game, rules_for(game), listener)
    except Incomplete as missing:
        reading.unjudged = missing
        return Fold(game, None, listener)


def _due(numbered: Iterator[tuple[int, bytes]], what: str) -> tuple[int, bytes] | None:
    """The next line; where it is torn, what is missing is named before the damage."""
    try:
        return next(numbered, None)
    except Incomplete as damage:
        raise Incomplete(f"{what} ({damage.missing})", damage.hint) from None


Checked = Event | bytes | Refused


@contextmanager
def _checked(
    numbered: Iterator[tuple[int, bytes]], game: charter.Game, workers: int
) -> Iterator[Iterator[tuple[int, Checked]]]:
    """Lines with form and signature checked, in file order; by worker threads if any, which begin at once."""
    by = {seat: keys.VerifyKey(bytes.fromhex(game.key_of(seat))) for seat in game.seats}
    if workers < 1:
        yield ((number, check_line(line, game.id, by)) for number, line in numbered)
        return
    with _side_by_side(), ThreadPoolExecutor(workers, "pbem-check") as pool:
        ahead = _Ahead(numbered, lambda chunk: pool.submit(_check_chunk, chunk, game.id, by))
        ahead.fill()
        yield ahead.lines()


class _Ahead:
    """Chunks of lines that are checked ahead of whoever takes them."""

    def __init__(
        self, numbered: Iterator[tuple[int, bytes]], submit: Callable[[list[bytes]], Future[list[Checked]]]
    ) -> None:
        self.numbered = numbered
        self.submit = submit
        self.waiting: deque[tuple[list[int], Future[list[Checked]]]] = deque()
        self.tail: Exception | None = None

    def fill(self) -> None:
        """Hand out so many chunks as may wait."""
        while self.tail is None and len(self.waiting) < AHEAD:
            numbers, chunk, self.tail = _chunk(self.numbered)
            if chunk:
                self.waiting.append((numbers, self.submit(chunk)))

    def lines(self) -> Iterator[tuple[int, Checked]]:
        """Checked lines in file order; then what the reader complained of."""
        while self.waiting:
            numbers, future = self.waiting.popleft()
            yield from zip(numbers, future.result(), strict=True)
            self.fill()
        if self.tail is not None and not isinstance(self.tail, StopIteration):
            raise self.tail


def _chunk(numbered: Iterator[tuple[int, bytes]]) -> tuple[list[int], list[bytes], Exception | None]:
    """The next lines, and what ended them: a `StopIteration` or the reader's complaint."""
    numbers: list[int] = []
    chunk: list[bytes] = []
    for _ in range(CHUNK):
        try:
            number, line = next(numbered)
        except (StopIteration, Refused, Incomplete) as end:
            return numbers, chunk, end
        numbers.append(number)
        chunk.append(line)
    return numbers, chunk, None


def _check_chunk(lines: list[bytes], game: str, by: dict[str, keys.VerifyKey]) -> list[Checked]:
    return [check_line(line, game, by) for line in lines]


def check_line(line: bytes, game: str, by: dict[str, keys.VerifyKey]) -> Checked:
    """One line after the seals: an event with its signature checked, a `said` line as it is, or the refusal."""
    if line.startswith(b"said "):
        return line
    try:
        event = record.read_event(line)
        try:
            if event.game != game:
                raise Refused("E_GAME")
            key = by.get(event.seat) if event.seat != charter.WITNESS else None
            if key is None:
                raise Refused("E_SIG", f"no seat {event.seat} in this game")
            key.check(keys.EVENT, event.raw, event.sig)
        except Refused as error:
            error.event = event.seq
            raise
        return event
    except Refused as error:
        error.line = line
        return error


@contextmanager
def _side_by_side() -> Iterator[None]:
    """Signature checks release the interpreter lock for 0.1 ms at a time: let the threads change often enough.

    Hardly anything that is read has cycles, so the collector may look for them more rarely.
    """
    switch, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(0.001)
    gc.set_threshold(50_000, *thresholds[1:])
    try:
        yield
    finally:
        sys.setswitchinterval(switch)
        gc.set_threshold(*thresholds)


# Verdicts --------------------------------------------------------------------------------------------------------


def judge(reading: Reading, receipts: Iterable[Receipt] = ()) -> Verdict:
    """The verdict over a reading, with the checked receipts of a witness beside it."""
    fold, stopped = reading.fold, reading.stopped
    seq, head, game = (fold.seq, fold.head, fold.game.id) if fold else (0, "", "")
    if isinstance(stopped, Incomplete):
        detail = stopped.missing
        if fold is not None:
            detail = f"events after {fold.seq} ({detail})"
        return Verdict("INCOMPLETE", seq, head, detail=detail, hint=stopped.hint, game=game)
    if stopped is not None:
        return _no(stopped, fold, seq, head, game)
    if fold is None:
        raise AssertionError("a reading without a fold has stopped at something")
    if reading.unjudged is not None:
        sound = f"signatures, chain, dice and seals VALID up to event {seq}, head {head}"
        if fold.rounds_unchecked:
            sound = f"{sound}, but for {fold.rounds_unchecked} beacon rounds"
        detail = f"{reading.unjudged.missing}; {sound}"
        return Verdict("INCOMPLETE", seq, head, detail=detail, hint=reading.unjudged.hint, game=game)
    if fold.rounds_unchecked:
        detail = f"beacon: {fold.rounds_unchecked} rounds cannot be checked on this machine; all else"
        detail = f"{detail} {'VALID' if fold.closed else 'VALID SO FAR'} up to event {seq}, head {head}"
        return Verdict("INCOMPLETE", seq, head, detail=detail, hint=beacon.EXTRA, game=game)
    return yes(fold, receipts)


def _no(stopped: Refused, fold: Fold | None, seq: int, head: str, game: str) -> Verdict:
    event = stopped.event if stopped.event is not None else (seq + 1 if fold else 0)
    if stopped.code == "E_FORK" and fold is not None:
        seat = fold.seats[fold.ids.seat(event)]
        return Verdict("FORK", seq, head, "E_FORK", event, seat, "both lines together are the proof", game=game)
    if stopped.code == "E_STATE":
        hint = "nobody is accused: the two programs differ; compare versions and positions"
        return Verdict("DIVERGED", seq, head, "E_STATE", event, stopped.what, hint, game=game)
    return Verdict(
        "INVALID", seq, head, stopped.code, event, stopped.what, stopped.hint, clauses=stopped.ids, game=game
    )


def yes(fold: Fold, receipts: Iterable[Receipt] = ()) -> Verdict:
    """The verdict over a fold that nothing stopped. `receipts` of a witness, checked, may raise a solitaire's level."""
    outcome = fold.outcome()
    remarks = [f"{len(fold.obligations)} facts await the audit"] if fold.obligations else []
    remarks += [*fold.on_their_word, *(_live(fold, said) for said in saying.live_said(fold))]
    resigned = any(isinstance(said, record.ResignStatement) for said in saying.live_said(fold))
    if outcome is not None:
        remarks.insert(0, outcome.words)
    level = trust.level(fold, receipts)
    if level is not None:
        remarks.append(level.words)
    elif fold.policy == "open":
        remarks.append(OPEN_TRUST)
    elif fold.policy == beacon.NAME:
        remarks.append(trust.by_beacon(fold, receipts))
    bots = [entry.seat for entry in fold.game.charter.seats if entry.name == BOT]
    if bots:
        remarks.append(BOT_TRUST.format(" and ".join(bots)))
    over = (fold.closed or (resigned and len(fold.seats) == 2)) and not fold.obligations
    word = "VALID" if over else "VALID SO FAR"
    return Verdict(word, fold.seq, fold.head, outcome=outcome, remarks=tuple(remarks), game=fold.game.id)


def _live(fold: Fold, said: record.Statement) -> str:
    if isinstance(said, record.ClaimStatement):
        batch, what = fold.batch, f"event {said.owes}"
        if said.debtor != fold.holder and batch is not None and said.debtor in batch.contributors:
            what = f"its slip for dice batch {batch.number}"
        return (
            f"{said.seat} claims: {said.debtor} owes {what} since {said.about[:16]};"
            f" the {said.days} days are {said.seat}'s word"
        )
    return f"{said.seat} resigned"
