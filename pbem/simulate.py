"""Bot against bot, without files: many games of one scenario, to see whether rules and numbers hold.

A game is named by its `Job`: the same job is the same game, on any machine.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Any, Final, TypeVar

from pbem import registry
from pbem.api import Advises, Ask, Engine, Illegal, Roll, Scenario, Scores, Start
from pbem.author import trial_values
from pbem.errors import PbemError, Refused, WrongUse
from pbem.ruleset import full_options, scenario_of
from pbem.world import World

STEPS: Final = 200_000
"""Steps after which a game is called endless, whatever its bound of orders."""
SURE: Final = 1.959963984540054
"""Standard deviations to each side of an interval of 95 percent."""

Item = TypeVar("Item")
Result = TypeVar("Result")
Map = Callable[[Callable[[Item], Result], Iterable[Item]], Iterator[Result]]


@dataclass(frozen=True, slots=True)
class Job:
    """One game to play: everything it hangs on, as plain data."""

    rules: str
    scenario: str
    options: tuple[tuple[str, str], ...] = ()
    seed: int = 0
    components: str = ""


@dataclass(frozen=True, slots=True)
class Played:
    """How a game went: `winner` may be several ("red and blue"), `points` are in lowest terms ("31/2").

    `defect` is what is wrong with the rules, "" if nothing.
    """

    job: Job
    winner: str = ""
    words: str = ""
    orders: int = 0
    turns: int = 0
    points: Mapping[str, str] = field(default_factory=dict)
    defect: str = ""


def need_bot(engine: Engine) -> Advises:
    """The engine as one that has a bot (`WrongUse` where it has none)."""
    if not isinstance(engine, Advises):
        able = [id for id in registry.engines() if isinstance(registry.engine(id), Advises)]
        raise WrongUse(f"{engine.id} has no bot", f"games with one: {', '.join(able)}")
    return engine


def jobs(
    rules: str,
    scenarios: Sequence[str] = (),
    options: Mapping[str, str] | None = None,
    *,
    games: int,
    seed: int = 0,
    components: Path | None = None,
) -> list[Job]:
    """The list of games: so many of each scenario (all of them where none is named), seeds counting from `seed`."""
    engine = registry.engine(rules)
    need_bot(engine)
    given = options or {}
    found = []
    for name in scenarios or [one.id for one in engine.scenarios()]:
        try:
            full_options(engine, scenario_of(engine, name), given)
        except Refused as bad:
            raise WrongUse(bad.what, bad.hint or f"`pbem rules show {rules}` lists scenarios and options") from None
        own = str(components.resolve()) if components else ""
        found += [Job(rules, name, tuple(sorted(given.items())), seed + n, own) for n in range(games)]
    return found


def run(todo: Iterable[Job], spread: Map[Job, Played] = map) -> Iterator[Played]:
    """Play jobs. `spread` is any `map`: the usual one, a pool's, a cluster's; results may come in any order."""
    return iter(spread(play, todo))


# One game ----------------------------------------------------------------------------------------------------------


def begin(job: Job) -> World:
    """The game before its first step."""
    engine = registry.engine(job.rules)
    scenario = scenario_of(engine, job.scenario)
    number = engine.editions[-1]
    edition = registry.ruleset(engine, number, Path(job.components) if job.components else None)
    seats = tuple(seat.id for seat in scenario.seats)
    options = full_options(engine, scenario, dict(job.options))
    return World(engine, engine.setup(Start(scenario.id, options, seats, number, edition.components)))


def play(job: Job) -> Played:
    """Play a game to its end. What goes wrong with the rules is a `defect` and no exception."""
    world = begin(job)
    rng = Random(f"{job.rules}/{job.scenario}/{job.seed}")
    defect = ""
    try:
        defect = _to_the_end(world, rng)
    except PbemError as bad:
        defect = f"{type(bad).__name__}: {bad}"
    except Exception as bad:
        defect = f"{type(bad).__name__}: {bad} (after {world.orders} orders)"
    outcome = None if defect else world.engine.outcome(world.state)
    turns = {note.anchor for note in world.told if note.anchor and "." not in note.anchor}
    points = world.engine.points(world.state) if isinstance(world.engine, Scores) else {}
    return Played(
        job,
        outcome.won if outcome else "",
        outcome.words if outcome else "",
        world.orders,
        len({anchor for anchor in turns if anchor[0] == "T" and anchor[1:].isdigit()}),
        {seat: str(number) for seat, number in points.items()},
        defect,
    )


def lost(job: Job, why: str) -> Played:
    """A game that came to no result because whoever played it is gone."""
    return Played(job, defect=why)


def _to_the_end(world: World, rng: Random) -> str:
    """Play on until the game is over; what is wrong where that cannot be."""
    engine = need_bot(world.engine)
    for _ in range(STEPS):
        first = world.waits()
        if first is None:
            return "" if world.engine.outcome(world.state) else "nothing is asked and there is no outcome"
        if isinstance(first, Roll):
            world.roll(first, trial_values(first, rng))
        elif first.client is not None:
            world.client(first, rng)
        elif defect := _decide(world, engine, first, rng):
            return defect
        if world.orders > world.engine.bound:
            return f"more orders than the bound of {world.engine.bound}"
    return f"no end after {STEPS} steps"


def _decide(world: World, bot: Advises, ask: Ask, rng: Random) -> str:
    known = world.known(ask.seat)
    order = bot.advise(world.state, ask, known, rng) if not ask.window or any(True for _ in world.offers(ask)) else None
    if order is None and not ask.window:
        return f"the bot has no answer to {ask.what} of {ask.seat}"
    if order is not None:
        verdict = world.engine.refuse(world.state, ask.seat, order, known)
        if isinstance(verdict, Illegal):
            return f'the bot\'s order "{order}" is refused: {verdict.why} [{", ".join(verdict.ids)}]'
    world.answer(ask, order)
    return ""


# What they say together ----------------------------------------------------------------------------------------------


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The 95 percent interval of a share by Wilson's score, from 0 to 1. E. B. Wilson, JASA 22 (1927), 209-212."""
    if not of:
        return 0.0, 1.0
    share, square = hits / of, SURE * SURE / of
    middle = share + square / 2
    half = SURE * math.sqrt(share * (1 - share) / of + square / (4 * of))
    return max(0.0, (middle - half) / (1 + square)), min(1.0, (middle + half) / (1 + square))


@dataclass(frozen=True, slots=True)
class Share:
    """How many of the games one result had, and between which shares the truth lies as a rule (95 percent)."""

    result: str
    games: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Spread:
    """Least, middle, mean and greatest of a number over the games."""

    least: float
    median: float
    mean: float
    greatest: float

    @classmethod
    def of(cls, numbers: Sequence[float]) -> Spread:
        return cls(min(numbers), median(numbers), mean(numbers), max(numbers))


@dataclass(frozen=True, slots=True)
class Summary:
    """All games of one scenario: results by seat ("draw": nobody, or a solitaire loss), lengths, points, defects."""

    rules: str
    scenario: str
    games: int
    results: tuple[Share, ...]
    orders: Spread | None
    turns: Spread | None
    points: Mapping[str, Spread]
    endings: Mapping[str, int]
    defects: tuple[Played, ...]

    def data(self) -> dict[str, Any]:
        """For scripts."""
        doc = {name: value for name, value in asdict(self).items() if name != "defects"}
        doc["defects"] = [{"seed": one.job.seed, "what": one.defect} for one in self.defects]
        return doc


def summary(played: Iterable[Played]) -> list[Summary]:
    """By scenario, in the order of the engine."""
    games: dict[tuple[str, str], list[Played]] = {}
    for one in played:
        games.setdefault((one.job.rules, one.job.scenario), []).append(one)
    order = {(rules, one.id): n for rules, _ in games for n, one in enumerate(registry.engine(rules).scenarios())}
    return [_of_scenario(*name, games[name]) for name in sorted(games, key=lambda name: (name[0], order[name]))]


def _of_scenario(rules: str, name: str, games: list[Played]) -> Summary:
    scenario = scenario_of(registry.engine(rules), name)
    whole = [one for one in games if not one.defect]
    seats = sorted({seat for one in whole for seat in one.points})
    return Summary(
        rules,
        name,
        len(games),
        tuple(_shares(scenario, whole)),
        Spread.of([one.orders for one in whole]) if whole else None,
        Spread.of([one.turns for one in whole]) if any(one.turns for one in whole) else None,
        {seat: Spread.of([float(Fraction(one.points[seat])) for one in whole]) for seat in seats},
        dict(Counter(one.words for one in whole).most_common(8)),
        tuple(sorted((one for one in games if one.defect), key=lambda one: one.job.seed)),
    )


def _shares(scenario: Scenario, games: Sequence[Played]) -> Iterator[Share]:
    seats = [seat.id for seat in scenario.seats]
    nobody = "lost" if len(seats) == 1 else "draw"
    won = Counter(one.winner or nobody for one in games)
    joint = sorted(set(won) - {*seats, nobody})
    for result in (*seats, *joint, nobody):
        if result in seats or won[result]:
            low, high = wilson(won[result], len(games))
            yield Share(result, won[result], won[result] / len(games) if games else 0.0, low, high)
