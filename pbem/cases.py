"""Case files: a position, orders, scripted chance and what must follow, in TOML (docs/cases.md).

A case drives the engine by `pending`, `refuse` and `apply`, as the core does, without signatures; what needs no
thought of a player (decks to seal, slots to open, claims) the runner does by itself.
What differs from the expectation comes out as lines for a reader, never as an exception.
"""

from __future__ import annotations

import re
import shlex
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from pbem import registry
from pbem.api import (
    Act,
    Amended,
    Ask,
    Claim,
    Commit,
    Engine,
    Illegal,
    Known,
    Lapsed,
    Note,
    OpenSlots,
    Order,
    Ordered,
    Owes,
    Resigned,
    Roll,
    Slot,
    Start,
)
from pbem.errors import PbemError, Trouble, Unreadable
from pbem.unsealed import PrivateRoll, Seal, Unfit, Unsealed

MAX_FILE = 1024 * 1024
MAX_STEPS = 10_000


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


Listed = Annotated[list[str], BeforeValidator(_listed)]
"""A list of texts, or one text alone."""

Sections = dict[str, Listed]


# --- the format ---


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Given(Strict):
    """Where a case begins. Every field has a default: the first scenario, the newest edition, built-in components."""

    scenario: str = ""
    kit: str = Field(default="", pattern=r"^([a-z0-9][a-z0-9_-]*)?$")
    edition: int = 0
    options: dict[str, str] = {}
    set: Sections = {}
    known: dict[str, dict[str, str | list[str | int]]] = {}
    opened: dict[str, str] = {}


class Expect(Strict):
    """What must follow. None: not looked at."""

    refused: Listed | None = None
    set: Sections | None = None
    has: Sections | None = None
    lacks: Sections | None = None
    notes: Listed | None = None
    pending: Listed | None = None
    outcome: str | None = None
    offers: Listed | None = None
    not_offered: Listed | None = None
    owes: Listed | None = None

    @model_validator(mode="after")
    def _expects_something(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("a case expects something")
        for note in self.notes or ():
            if not _words(note):
                raise ValueError("a note begins with its stem")
        return self


class Case(Strict):
    """One case. `game` is that of its file."""

    game: str
    id: str = Field(min_length=1)
    clauses: list[str] = Field(min_length=1)
    gist: str = Field(min_length=1)
    given: Given = Given()
    play: list[str] = []
    expect: Expect

    @model_validator(mode="after")
    def _lines_have_a_form(self) -> Self:
        lines = [read_line(line) for line in self.play]
        if self.expect.refused is not None and (not lines or isinstance(lines[-1], Gone | Amendment)):
            raise ValueError("expect.refused speaks of the last line of play, an order or what leads to an opening")
        return self


@dataclass(frozen=True, slots=True)
class Command:
    """A line of play: an order of a seat."""

    seat: str
    text: str


@dataclass(frozen=True, slots=True)
class Chance:
    """A line of play: what chance says."""

    how: Literal["dice", "draw", "shuffle"]
    stem: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gone:
    """A line of play: a seat gives up."""

    seat: str


@dataclass(frozen=True, slots=True)
class Unasked:
    """A line of play: a seat opens slots, or seals them anew, although nobody asks."""

    how: Literal["open", "reseal"]
    seat: str
    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Amendment:
    """A line of play: all seats agree on another value of an option."""

    option: str
    value: str


Line = Command | Chance | Gone | Unasked | Amendment

PLAY_ON = "play on"
"""What a seat writes to let a window pass."""

_SEAT = r"[a-z][a-z0-9_]{0,15}"
_COMMAND = re.compile(rf"({_SEAT})\s*:\s*(.*)", re.DOTALL)
_CHANCE = re.compile(r"(dice|draw|shuffle)\s+([A-Za-z0-9_./-]{1,80})\s*:\s*(.*)", re.DOTALL)
_GONE = re.compile(rf"resign\s+({_SEAT})")
_UNASKED = re.compile(rf"(open|reseal)\s+({_SEAT})\s*:\s*(.*)", re.DOTALL)
_AMENDMENT = re.compile(r"amend\s+([a-z0-9_]{1,32})\s*:\s*(.*)")


def read_line(line: str) -> Line:
    """A line of `play`. Raises ValueError naming it."""
    line = line.strip()
    if found := _CHANCE.fullmatch(line):
        how: Any = found[1]
        return Chance(how, found[2], tuple(_words(found[3])))
    if found := _GONE.fullmatch(line):
        return Gone(found[1])
    if found := _UNASKED.fullmatch(line):
        deed: Any = found[1]
        return Unasked(deed, found[2], tuple(_words(found[3])))
    if found := _AMENDMENT.fullmatch(line):
        return Amendment(found[1], found[2])
    if found := _COMMAND.fullmatch(line):
        return Command(found[1], found[2])
    raise ValueError(f'{line[:60]!r} is no line of play: "seat: order", "dice STEM: 4 2", "draw STEM: name"')


def _words(text: str) -> list[str]:
    """Words of a line; what holds blanks stands in quotes."""
    try:
        return shlex.split(text)
    except ValueError:
        raise ValueError(f"{text[:60]!r}: a quote is not closed") from None


def load(path: Path) -> list[Case]:
    """The cases of a file. Raises `Trouble` naming file and case."""
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_FILE + 1)
        if len(raw) > MAX_FILE:
            raise Trouble(f"{path}: larger than {MAX_FILE:,} bytes")
        doc = tomllib.loads(raw.decode("utf-8"))
    except OSError as bad:
        raise Trouble(f"{path}: {(bad.strerror or 'cannot be read').lower()}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as bad:
        raise Trouble(f"{path}: {bad}") from None
    game, rows = doc.pop("game", None), doc.pop("case", None)
    if not isinstance(game, str) or not isinstance(rows, list) or not rows or doc:
        what = f"{min(doc)} is not known here" if doc else "no game, or no case"
        raise Trouble(f"{path}: {what}", 'write game = "..." at the top, then [[case]] before each case')
    cases: list[Case] = []
    for number, row in enumerate(rows, 1):
        columns = row if isinstance(row, dict) else {}
        try:
            cases.append(Case.model_validate({**columns, "game": game}))
        except ValidationError as bad:
            fault = bad.errors()[0]
            place = ".".join(str(part) for part in fault["loc"])
            message = str(fault["msg"]).removeprefix("Value error, ")
            name = columns.get("id", f"number {number}")
            raise Trouble(
                f"{path}: case {name}: {place + ': ' if place else ''}{message[:1].lower()}{message[1:]}",
                "see docs/cases.md",
            ) from None
    twice = [id for id, count in Counter(case.id for case in cases).items() if count > 1]
    if twice:
        raise Trouble(f"{path}: case {twice[0]} stands here twice")
    return cases


# --- a run ---


class Unmet(Exception):
    """The case cannot go on: what was expected, what was met."""


@dataclass(slots=True)
class Run:
    """A case being played.

    The runner is the client of every seat: it commits decks, opens what is due and makes claims by itself.
    `given` are contents by slot; `hidden` what has been sealed so far; `owes` the facts accepted unproven.
    """

    engine: Engine
    start: Start
    state: Any
    given: dict[Slot, Any] = field(default_factory=dict)
    hidden: Unsealed = field(default_factory=Unsealed)
    notes: list[Note] = field(default_factory=list)
    owes: list[str] = field(default_factory=list)
    refusal: Illegal | Unreadable | None = None
    refused_at: int = 0

    @property
    def seats(self) -> tuple[str, ...]:
        return self.start.seats

    def pending(self) -> tuple[Ask | Roll, ...]:
        return self.engine.pending(self.state)

    # Orders ---------------------------------------------------------------------------------------------------

    def command(self, line: Command) -> None:
        """Give an order; a refusal stays in `refusal` and changes nothing."""
        self._seat(line.seat)
        waiting = self.pending()
        if not waiting:
            raise Unmet(f"expected {line.seat}: {line.text}, met the end of the game")
        if all(isinstance(one, Roll) for one in waiting):
            raise Unmet(
                f"expected {line.seat}: {line.text}, met chance that no line of play scripts: {ask(waiting[0])}"
            )
        if line.text.strip().casefold() == PLAY_ON:
            self._lapse(line, waiting)
            return
        order = self.meaning(line)
        if order is not None:
            self._give(line.seat, order, waiting)

    def _seat(self, seat: str) -> None:
        if seat not in self.seats:
            raise Unmet(f"expected a seat ({', '.join(self.seats)}), met {seat}")

    def _lapse(self, line: Command, waiting: Sequence[Ask | Roll]) -> None:
        first = waiting[0]
        if not isinstance(first, Ask) or not first.window:
            raise Unmet(f"expected a window that {line.seat} could pass, met {asks(waiting)}")
        self.engine.apply(self.state, Lapsed(first.seat, first), self.notes.append)

    def meaning(self, line: Command) -> Order | None:
        """The one legal meaning of an order, for a seat with what it knows; None where it is refused."""
        known = self.hidden.known(line.seat)
        try:
            orders = self.engine.read(self.state, line.seat, line.text, known)
        except Unreadable as bad:
            self.refusal = bad
            return None
        legal: list[Order] = []
        for order in orders:
            verdict = self.engine.refuse(self.state, line.seat, order, known)
            if not isinstance(verdict, Illegal):
                legal.append(order)
            elif self.refusal is None:
                self.refusal = verdict
        if len(legal) > 1:
            raise Unmet(f"met several legal meanings of {line.text!r}: {'; '.join(str(order) for order in legal)}")
        if legal:
            self.refusal = None
            return legal[0]
        if self.refusal is None:
            raise Unmet(f"met no meaning of {line.text!r}, and no refusal")
        return None

    def _give(self, seat: str, order: Order, waiting: Sequence[Ask | Roll]) -> None:
        """An order as the table writes it: sealed where the first ask wants it so, else in clear."""
        first = waiting[0]
        if isinstance(first, Ask) and first.seat == seat and first.sealed == order.kind:
            self.engine.apply(self.state, self.hidden.choose(first, order), self.notes.append)
            return
        for one in waiting[1:]:
            if isinstance(one, Ask) and one.seat == seat and one.sealed == order.kind:
                raise Unmet(f"expected {ask(one)} to be asked first, met {asks(waiting)}")
        self.obey(seat, order)

    def obey(self, seat: str, order: Order) -> None:
        """Open what an order opens, then judge it by what everybody knows, then carry it out; or nothing of it."""
        opens = self.engine.opens(self.state, seat, order, self.hidden.known(seat))
        state, hidden = self.state, self.hidden
        notes, owes = len(self.notes), len(self.owes)
        if opens:
            self.state, self.hidden = deepcopy(state), deepcopy(hidden)
            self.open(seat, opens)
        if self.refusal is None:
            self._judge(seat, order, self.hidden.opened)
        if self.refusal is not None:
            self.state, self.hidden = state, hidden
            del self.notes[notes:], self.owes[owes:]
            return
        self.engine.apply(self.state, Ordered(seat, order), self.notes.append)

    def _judge(self, seat: str, act: Act, known: Known) -> None:
        verdict = self.engine.refuse(self.state, seat, act, known)
        if isinstance(verdict, Illegal):
            self.refusal = verdict
        elif isinstance(verdict, Owes):
            self.owes.append(verdict.fact)

    # What needs no thought ------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Answer what is asked of the clients, until a seat or chance is asked."""
        for _ in range(MAX_STEPS):
            waiting = self.pending()
            first = waiting[0] if waiting else None
            if self.refusal is not None or not isinstance(first, Ask) or first.client is None:
                return
            match first.client:
                case Commit():
                    self.commit(first.seat, first.client)
                case OpenSlots(slots):
                    self.open(first.seat, slots)
                case Claim(kind):
                    self.obey(first.seat, self._claimed(first.seat, kind))
                case _:
                    raise Unmet(f"met {ask(first)}, which only the core asks")
        raise Unmet(f"met questions to clients without end: {asks(self.pending())}")

    def commit(self, seat: str, commit: Commit) -> None:
        """Publish slots that are asked for."""
        held = self._dealt(seat, commit)
        self.engine.apply(self.state, self.hidden.commit(seat, commit, held), self.notes.append)

    def _dealt(self, seat: str, commit: Commit) -> dict[Slot, Any]:
        """What is in new slots: given.known says it, the others get the rest in sorted order."""
        slots = self.hidden.slots_of(seat, commit)
        held = {slot: self.given[slot] for slot in slots if slot in self.given}
        pool = Counter(self.hidden.pool(seat, commit))
        if sum(pool.values()) == commit.count and (over := Counter(held.values()) - pool):
            raise Unmet(f"given.known puts {min(over)} into {seat}-{commit.name}, which does not hold so many of it")
        rest = iter(sorted((pool - Counter(held.values())).elements()))
        return {slot: content for slot in slots if (content := held.get(slot) or next(rest, None)) is not None}

    def open(self, seat: str, slots: Sequence[Slot]) -> None:
        """Open slots; the rules may refuse what is in them."""
        step = self.hidden.opening(self.engine, seat, slots)
        self._judge(seat, step, self.hidden.after(step))
        if self.refusal is None:
            self.hidden.enter(step)
            self.engine.apply(self.state, step, self.notes.append)

    def _claimed(self, seat: str, kind: str) -> Order:
        offers = self.engine.offers(self.state, seat, self.hidden.known(seat))
        found = next((order for order in offers if order.kind == kind), None)
        if found is None:
            raise Unmet(f"expected an offer of {kind} for {seat}, who must claim it; met none")
        return found

    def unasked(self, line: Unasked) -> None:
        """Open slots, or seal them anew, of a seat's own will."""
        self._seat(line.seat)
        if line.how == "open":
            self.open(line.seat, line.slots)
            return
        hidden = deepcopy(self.hidden)
        commit = hidden.reseal(line.seat, line.slots)
        step = hidden.commit(line.seat, commit, self._dealt(line.seat, commit))
        self._judge(line.seat, step, self.hidden.opened)
        if self.refusal is None:
            self.hidden = hidden
            self.engine.apply(self.state, step, self.notes.append)

    # Chance and all lines -------------------------------------------------------------------------------------

    def chance(self, line: Chance) -> None:
        """Let chance say what the script wants."""
        said = f"{line.how} {line.stem}"
        waiting = self.pending()
        if not waiting or not isinstance(waiting[0], Roll) or ask(waiting[0]) != said:
            raise Unmet(f"expected {said} to be asked for, met {asks(waiting)}")
        roll = waiting[0]
        values = values_of(roll, line, self.hidden.contents)
        self.engine.apply(self.state, self.hidden.rolled(roll, values), self.notes.append)

    def amend(self, line: Amendment) -> None:
        scenario = next(one for one in self.engine.scenarios() if one.id == self.start.scenario)
        option = next((one for one in scenario.options if one.name == line.option), None)
        if option is None or (option.values and line.value not in option.values):
            raise Unmet(f"expected an option and one of its values, met {line.option}: {line.value}")
        self.engine.apply(self.state, Amended({line.option: line.value}), self.notes.append)

    def play(self, line: Line) -> None:
        """One line of play, and what the clients do after it without thought."""
        try:
            match line:
                case Chance():
                    self.chance(line)
                case Command():
                    self.command(line)
                case Unasked():
                    self.unasked(line)
                case Amendment():
                    self.amend(line)
                case Gone(seat):
                    self._seat(seat)
                    self.engine.apply(self.state, Resigned(seat), self.notes.append)
            self.settle()
        except Unfit as bad:
            raise Unmet(f"met {bad}") from None


def values_of(roll: Roll, line: Chance, contents: Known) -> tuple[Any, ...]:
    """The scripted values in the form of the roll. Raises `Unmet` where chance could never say them.

    What is drawn from slots may be named by what is in it: of several the first one of the pool.
    """
    said = f"{line.how} {line.stem}"
    if roll.draw:
        left = list(roll.pool)
        drawn: list[str] = []
        for value in line.values:
            item = value if value in left else next((slot for slot in left if contents.get(slot) == value), None)
            if item is None:
                break
            left.remove(item)
            drawn.append(item)
        if len(drawn) != len(line.values) or len(drawn) != roll.draw:
            raise Unmet(f"expected {said} to name {roll.draw} of: {', '.join(roll.pool)}; met {' '.join(line.values)}")
        return tuple(drawn)
    if not all(re.fullmatch(r"[0-9]{1,9}", value) for value in line.values):
        raise Unmet(f"expected whole numbers for {said}, met {' '.join(line.values)}")
    numbers = tuple(int(value) for value in line.values)
    if roll.shuffle:
        if sorted(numbers) != list(range(roll.shuffle)):
            raise Unmet(f"expected {said} to put 0 to {roll.shuffle - 1} in an order, met {' '.join(line.values)}")
        return numbers
    if len(numbers) != len(roll.dice) or not all(1 <= n <= sides for n, sides in zip(numbers, roll.dice, strict=False)):
        sides = " ".join(f"d{sides}" for sides in roll.dice)
        raise Unmet(f"expected faces of {sides} for {said}, met {' '.join(line.values)}")
    return numbers


def ask(one: Ask | Roll) -> str:
    """What is pending, as cases write it: `red: withdraw`, `dice t1/battle`."""
    if isinstance(one, Ask):
        return f"{one.seat}: {one.what}"
    return f"{'draw' if one.draw else 'shuffle' if one.shuffle else 'dice'} {one.stem}"


def asks(waiting: Iterable[Ask | Roll]) -> str:
    return ", ".join(ask(one) for one in waiting) or "the end of the game"


def kit_file(engine: Engine, name: str) -> Path:
    """The file of a kit: `kits/<name>.toml` beside the engine's module. Raises `Trouble` where there is none."""
    folder = registry.package(engine) / "kits"
    path = folder / f"{name}.toml"
    if not path.is_file():
        known = ", ".join(sorted(one.stem for one in folder.glob("*.toml"))) or "none"
        raise Trouble(f"{engine.id} has no kit {name}", f"kits: {known}")
    return path


def begin(given: Given, engine: Engine) -> Run:
    """The position of a case. Raises `Trouble` where it cannot be set up so."""
    scenarios = {scenario.id: scenario for scenario in engine.scenarios()}
    scenario = scenarios.get(given.scenario or next(iter(scenarios)))
    if scenario is None:
        raise Trouble(f"{engine.id} has no scenario {given.scenario}", f"scenarios: {', '.join(scenarios)}")
    edition = given.edition or engine.editions[-1]
    if edition not in engine.editions:
        raise Trouble(f"{engine.id} has no edition {edition}")
    options = {option.name: option.default for option in scenario.options}
    for option in scenario.options:
        value = given.options.get(option.name, option.default)
        if option.values and value not in option.values:
            raise Trouble(f"option {option.name} is not {value!r}", f"one of: {', '.join(option.values)}")
        options[option.name] = value
    strange = sorted(set(given.options) - set(options))
    if strange:
        raise Trouble(f"scenario {scenario.id} has no option {strange[0]}", f"options: {', '.join(options) or 'none'}")
    wrong = engine.check_options(scenario, options)
    if wrong:
        raise Trouble(wrong)
    components = engine.components(edition, kit_file(engine, given.kit) if given.kit else None)
    seats = tuple(seat.id for seat in scenario.seats)
    start = Start(scenario.id, options, seats, edition, components)
    run = Run(engine, start, engine.setup(start))
    if given.set:
        engine.place(run.state, given.set)
    find(run, given)
    return run


_FOUND_NAME = re.compile(rf"(?<![A-Za-z0-9_./-])(({_SEAT})-[A-Za-z0-9_-]+)/([0-9]+)")
_FOUND_USE = re.compile(r"([A-Za-z0-9_./-]+)#([0-9]+)")
UNUSED = "-"
"""The content of a private value that has made no roll yet."""


def find(run: Run, given: Given) -> None:
    """Take up what the position and the case say of hidden things: which slots there are, what is in them, who knows.

    Raises `Trouble` where they contradict each other.
    """
    hidden = run.hidden
    lines = [line for section in run.engine.position(run.state).values() for line in section]
    told = [slot for slots in given.known.values() for slot in slots]
    for name, seat, epoch in (found for line in lines for found in _FOUND_NAME.findall(line)):
        if seat in run.seats:
            seal = hidden.names.setdefault(name, Seal(name, "deck", seat, (seat,)))
            seal.found = max(seal.found, int(epoch))
    for stem, use in (found for line in (*lines, *told, *given.opened) for found in _FOUND_USE.findall(line)):
        hidden.labels[stem] = max(hidden.labels[stem], int(use))
    for seat, slots in given.known.items():
        if seat not in run.seats:
            raise Trouble(f"given.known speaks of a seat {seat}", f"seats: {', '.join(run.seats)}")
        for slot, content in slots.items():
            _tell(run, seat, slot, content)
    for slot, content in given.opened.items():
        hidden.contents[slot] = hidden.opened[slot] = content


def _tell(run: Run, seat: str, slot: Slot, content: str | list[str | int]) -> None:
    """One entry of given.known: a slot's text, an order that was sealed, or the dice of a private roll."""
    hidden = run.hidden
    if isinstance(content, list):
        used = (one for one, label in run.given.items() if label == slot)
        hidden.rolls[slot] = PrivateRoll(seat, next(used, ""), tuple(content))
        return
    if run.given.setdefault(slot, content) != content:
        raise Trouble(f"given.known says two things of {slot}: {run.given[slot]} and {content}")
    if "#" in slot:
        order = run.engine.read(run.state, seat, content, hidden.known(seat))[0]
        hidden.names[slot] = Seal(slot, "choice", seat, (seat,), kind=order.kind, epochs=[(0, (slot,))])
        hidden.contents[slot] = order.body()
        return
    seal = hidden.names.get(slot.partition("/")[0])
    if seal is None or not hidden.exists(slot):
        return
    if content == UNUSED or "#" in content:
        seal.what = "private"
        if content in hidden.rolls:
            hidden.rolls[content].slot = slot
    if seat not in seal.team:
        seal.team = (*seal.team, seat)
    hidden.contents[slot] = content
    hidden.told.setdefault(seat, {})[slot] = content


def _check_found(game: Run) -> Iterator[str]:
    """Every slot that given.known speaks of has come to be."""
    for slot in game.given:
        if not game.hidden.exists(slot):
            yield f"given.known speaks of {slot}, which neither the position nor the play has brought"


def run(case: Case, engine: Engine) -> list[str]:
    """What is not as the case expects, a line each; empty: all is."""
    try:
        game = begin(case.given, engine)
        try:
            game.settle()
        except (Unmet, Unfit) as bad:
            return [f"before play: {bad}"]
        if game.refusal is not None:
            return [f"before play: met a refusal: {game.refusal}"]
        for number, line in enumerate(case.play, 1):
            try:
                game.play(read_line(line))
            except Unmet as bad:
                return [f"play line {number}: {bad}"]
            if game.refusal is not None:
                game.refused_at = number
                break
        return [*_refused(case, game), *_looked_at(case.expect, game), *_check_found(game)]
    except PbemError as bad:
        return [f"{bad}{f' ({bad.hint})' if bad.hint else ''}"]


def _refused(case: Case, game: Run) -> Iterator[str]:
    wanted, refusal = case.expect.refused, game.refusal
    if refusal is None:
        if wanted is not None:
            yield f'expected "{case.play[-1]}" to be refused by {", ".join(wanted)}, met: accepted'
        return
    ids = refusal.ids if isinstance(refusal, Illegal) else (*refusal.ids, "unreadable")
    why = refusal.why if isinstance(refusal, Illegal) else str(refusal)
    if wanted is None or game.refused_at < len(case.play):
        order = case.play[game.refused_at - 1]
        yield f'expected "{order}" to be accepted, met: refused by {", ".join(ids)}: {why}'
    elif not set(wanted) <= set(ids):
        yield f"expected refusal by {', '.join(wanted)}, met {', '.join(ids)}: {why}"


def _looked_at(expect: Expect, game: Run) -> Iterator[str]:
    engine, state = game.engine, game.state
    waiting = game.pending()
    position = engine.position(state)
    yield from _sections(expect, position)
    if expect.notes is not None:
        yield from _told(expect.notes, game.notes)
    if expect.pending is not None:
        met = [ask(one) for one in waiting]
        if met != expect.pending:
            yield f"expected pending: {', '.join(expect.pending) or 'the end of the game'}; met {asks(waiting)}"
    elif game.refusal is None and waiting and all(isinstance(one, Roll) for one in waiting):
        yield f"met chance that no line of play scripts: {ask(waiting[0])}"
    if expect.outcome is not None:
        yield from _ended(expect.outcome, game)
    if expect.owes is not None and game.owes != expect.owes:
        yield f"expected to be owed: {_joined(expect.owes)}; met: {_joined(game.owes)}"
    yield from _offered(expect, game)


def _sections(expect: Expect, position: Mapping[str, Iterable[str]]) -> Iterator[str]:
    named = {*(expect.set or ()), *(expect.has or ()), *(expect.lacks or ())}
    for name in sorted(named - set(position)):
        yield f"expected a section {name}, met only {', '.join(position)}"
    for name, lines in (expect.set or {}).items():
        met = list(position.get(name, ()))
        if name in position and met != sorted(lines):
            yield f"expected {name}: {_joined(sorted(lines))}; met: {_joined(met)}{_differ(lines, met)}"
    for name, lines in (expect.has or {}).items():
        met = list(position.get(name, ()))
        for line in lines:
            if name in position and line not in met:
                yield f'expected "{line}" in {name}, met: {_joined(met)}'
    for name, lines in (expect.lacks or {}).items():
        for line in lines:
            if line in position.get(name, ()):
                yield f'expected no "{line}" in {name}, met it'


def _joined(lines: Iterable[str]) -> str:
    return "; ".join(lines) or "empty"


def _differ(wanted: list[str], met: list[str]) -> str:
    """Which lines differ, where that is shorter than looking for them."""
    missing = sorted((Counter(wanted) - Counter(met)).elements())
    more = sorted((Counter(met) - Counter(wanted)).elements())
    if len(wanted) < 3 and len(met) < 3:
        return ""
    return f" (missing: {_joined(missing)}; too many: {_joined(more)})"


def _told(wanted: Iterable[str], notes: list[Note]) -> Iterator[str]:
    """Notes in the order given; others may stand between."""
    left = iter(notes)
    for text in wanted:
        if not any(_fits(text, note) for note in left):
            told = "; ".join(shown(note) for note in notes) or "none"
            yield f'expected the note "{text}" (in this order), met: {told}'
            return


def _fits(text: str, note: Note) -> bool:
    stem, *pairs = _words(text)
    args = {name: str(value) for name, value in note.args.items()}
    return note.stem == stem and all(
        args.get(name) == value for name, _, value in (pair.partition("=") for pair in pairs)
    )


def shown(note: Note) -> str:
    """A note as cases write it: `fled from=kampar to=jitra`."""
    return " ".join([note.stem, *(f"{name}={shlex.quote(str(value))}" for name, value in note.args.items())])


_OUTCOME = re.compile(rf"(goes on|nobody|{_SEAT}(?: and {_SEAT})*)(?:\s+\[([^\]]+)\])?")


def _ended(wanted: str, game: Run) -> Iterator[str]:
    found = _OUTCOME.fullmatch(wanted.strip())
    if found is None:
        yield f'expected outcome "{wanted}" is none: seats, "nobody" or "goes on", then perhaps [clause]'
        return
    outcome = game.engine.outcome(game.state)
    met = "goes on" if outcome is None else outcome.won or "nobody"
    ids = set() if outcome is None else set(outcome.clauses)
    clauses = {id.strip() for id in (found[2] or "").split(",")} - {""}
    if met != found[1] or not clauses <= ids:
        by = f" [{', '.join(sorted(ids))}]" if ids else ""
        yield f"expected outcome: {wanted}; met: {met}{by}"


def _offered(expect: Expect, game: Run) -> Iterator[str]:
    for text in expect.offers or ():
        yield from _on_menu(text, game, True)
    for text in expect.not_offered or ():
        yield from _on_menu(text, game, False)


def _on_menu(text: str, game: Run, wanted: bool) -> Iterator[str]:
    line = read_line(text)
    if not isinstance(line, Command):
        yield f'"{text}" is no order of a seat'
        return
    known = game.hidden.known(line.seat)
    menu = list(game.engine.offers(game.state, line.seat, known))
    try:
        orders = game.engine.read(game.state, line.seat, line.text, known)
    except Unreadable as bad:
        yield str(bad)
        return
    if any(order in menu for order in orders) != wanted:
        listed = "; ".join(game.engine.phrase(game.state, line.seat, order, known) for order in menu) or "nothing"
        yield f'expected "{line.text}" {"" if wanted else "not "}to be offered to {line.seat}, met: {listed}'


# --- files ---


@dataclass(frozen=True, slots=True)
class Result:
    """How a case went: the file, the case, what was not as expected. A file that cannot be read has no case."""

    path: Path
    case: Case | None
    failures: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return not self.failures

    def lines(self) -> Iterator[str]:
        """One line a failure."""
        name = f"{self.path}: {self.case.id}" if self.case else str(self.path)
        for failure in self.failures:
            yield f"{name}: {failure}"


def case_files(paths: Iterable[Path]) -> Iterator[Path]:
    """Files as they are named, folders searched for .toml."""
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob("*.toml"))
        else:
            yield path


def run_paths(paths: Iterable[Path]) -> Iterator[Result]:
    """Run every case of files and folders."""
    for path in case_files(paths):
        try:
            cases = load(path)
            engine = registry.engine(cases[0].game)
        except PbemError as bad:
            yield Result(path, None, (f"{str(bad).removeprefix(f'{path}: ')}",))
            continue
        for case in cases:
            yield Result(path, case, tuple(run(case, engine)))
