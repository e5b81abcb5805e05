"""Case files: a position, orders, scripted chance and what must follow, in TOML (docs/cases.md).

A case drives the engine by `pending`, `refuse` and `apply`, as the core does, without signatures.
What differs from the expectation comes out as lines for a reader, never as an exception.
"""

from __future__ import annotations

import re
import shlex
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from pbem import registry
from pbem.api import NOTHING_KNOWN, Ask, Engine, Illegal, Note, Order, Ordered, Resigned, Roll, Rolled, Start
from pbem.errors import PbemError, Trouble, Unreadable

MAX_FILE = 1024 * 1024
MAX_STEPS = 10_000

Sections = dict[str, list[str]]


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


Listed = Annotated[list[str], BeforeValidator(_listed)]
"""A list of texts, or one text alone."""


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

    @model_validator(mode="after")
    def _expects_something(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("a case expects something")
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
        if self.expect.refused is not None and (not lines or not isinstance(lines[-1], Command)):
            raise ValueError("expect.refused speaks of the last line of play, which must be an order")
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


_SEAT = r"[a-z][a-z0-9_]{0,15}"
_COMMAND = re.compile(rf"({_SEAT})\s*:\s*(.*)", re.DOTALL)
_CHANCE = re.compile(r"(dice|draw|shuffle)\s+([A-Za-z0-9_./-]{1,80})\s*:\s*(.*)", re.DOTALL)
_GONE = re.compile(rf"resign\s+({_SEAT})")


def read_line(line: str) -> Command | Chance | Gone:
    """A line of `play`. Raises ValueError naming it."""
    line = line.strip()
    if found := _CHANCE.fullmatch(line):
        how: Any = found[1]
        return Chance(how, found[2], tuple(_words(found[3])))
    if found := _GONE.fullmatch(line):
        return Gone(found[1])
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
            hint = "given.known is reserved for hidden contents" if place == "given.known" else "see docs/cases.md"
            name = columns.get("id", f"number {number}")
            raise Trouble(
                f"{path}: case {name}: {place + ': ' if place else ''}{message[:1].lower()}{message[1:]}", hint
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
    """A case being played."""

    engine: Engine
    seats: tuple[str, ...]
    state: Any
    notes: list[Note] = field(default_factory=list)
    labels: Counter[str] = field(default_factory=Counter)
    refusal: Illegal | Unreadable | None = None
    refused_at: int = 0

    def pending(self) -> tuple[Ask | Roll, ...]:
        return self.engine.pending(self.state)

    def command(self, line: Command) -> None:
        """Give an order; a refusal stays in `refusal` and changes nothing."""
        if line.seat not in self.seats:
            raise Unmet(f"expected a seat ({', '.join(self.seats)}), met {line.seat}")
        waiting = self.pending()
        if not waiting:
            raise Unmet(f"expected {line.seat}: {line.text}, met the end of the game")
        if all(isinstance(one, Roll) for one in waiting):
            raise Unmet(
                f"expected {line.seat}: {line.text}, met chance that no line of play scripts: {ask(waiting[0])}"
            )
        for one in waiting:
            if isinstance(one, Ask) and one.seat == line.seat and (one.client or one.secret):
                raise Unmet(f"met {ask(one)}, a question about hidden things, which cases cannot answer yet")
        order = self.meaning(line)
        if order is not None:
            self.engine.apply(self.state, Ordered(line.seat, order), self.notes.append)

    def meaning(self, line: Command) -> Order | None:
        """The one legal meaning of an order; None where it is refused."""
        try:
            orders = self.engine.read(self.state, line.seat, line.text, NOTHING_KNOWN)
        except Unreadable as bad:
            self.refusal = bad
            return None
        legal: list[Order] = []
        for order in orders:
            verdict = self.engine.refuse(self.state, line.seat, order, NOTHING_KNOWN)
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

    def chance(self, line: Chance) -> None:
        """Let chance say what the script wants."""
        said = f"{line.how} {line.stem}"
        waiting = self.pending()
        if not waiting or not isinstance(waiting[0], Roll) or ask(waiting[0]) != said:
            raise Unmet(f"expected {said} to be asked for, met {asks(waiting)}")
        roll = waiting[0]
        self.labels[roll.stem] += 1
        label = f"{roll.stem}#{self.labels[roll.stem]}"
        self.engine.apply(self.state, Rolled(label, roll, values_of(roll, line)), self.notes.append)

    def play(self, line: Command | Chance | Gone) -> None:
        if isinstance(line, Chance):
            self.chance(line)
        elif isinstance(line, Command):
            self.command(line)
        elif line.seat not in self.seats:
            raise Unmet(f"expected a seat ({', '.join(self.seats)}), met {line.seat}")
        else:
            self.engine.apply(self.state, Resigned(line.seat), self.notes.append)


def values_of(roll: Roll, line: Chance) -> tuple[Any, ...]:
    """The scripted values in the form of the roll. Raises `Unmet` where chance could never say them."""
    said = f"{line.how} {line.stem}"
    if roll.draw:
        over = Counter(line.values) - Counter(roll.pool)
        if over or len(line.values) != roll.draw:
            raise Unmet(f"expected {said} to name {roll.draw} of: {', '.join(roll.pool)}; met {' '.join(line.values)}")
        return line.values
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
    run = Run(engine, seats, engine.setup(Start(scenario.id, options, seats, edition, components)))
    if given.set:
        engine.place(run.state, given.set)
    return run


def run(case: Case, engine: Engine) -> list[str]:
    """What is not as the case expects, a line each; empty: all is."""
    try:
        game = begin(case.given, engine)
        for number, line in enumerate(case.play, 1):
            try:
                game.play(read_line(line))
            except Unmet as bad:
                return [f"play line {number}: {bad}"]
            if game.refusal is not None:
                game.refused_at = number
                break
        return [*_refused(case, game), *_looked_at(case.expect, game)]
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


_OUTCOME = re.compile(rf"(goes on|nobody|{_SEAT})(?:\s+\[([^\]]+)\])?")


def _ended(wanted: str, game: Run) -> Iterator[str]:
    found = _OUTCOME.fullmatch(wanted.strip())
    if found is None:
        yield f'expected outcome "{wanted}" is none: a seat, "nobody" or "goes on", then perhaps [clause]'
        return
    outcome = game.engine.outcome(game.state)
    met = "goes on" if outcome is None else outcome.winner or "nobody"
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
    menu = list(game.engine.offers(game.state, line.seat, NOTHING_KNOWN))
    try:
        orders = game.engine.read(game.state, line.seat, line.text, NOTHING_KNOWN)
    except Unreadable as bad:
        yield str(bad)
        return
    if any(order in menu for order in orders) != wanted:
        listed = "; ".join(str(order) for order in menu) or "nothing"
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
