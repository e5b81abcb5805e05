"""The contract that every rules engine keeps, for its author's own tests.

    from pbem.testing import check_engine

    def test_contract() -> None:
        check_engine(ENGINE)

Games are played at random, from a seed, and every position on the way is looked at.
`ContractBroken` says the game, the seed and the step, so that the same call meets the same fault again.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from pbem import canon, dice
from pbem.api import (
    NOTHING_KNOWN,
    Ask,
    Engine,
    Illegal,
    Note,
    Order,
    Ordered,
    Outcome,
    Owes,
    Roll,
    Rolled,
    Scenario,
    Start,
    Step,
    View,
    silent,
)
from pbem.errors import PbemError, Unreadable

MAX_OFFERS = 200
MAX_SECTION_LINE = 4000
OLD_ORDERS = 12
JUNK = ("", " ", "xyzzy", "\x00", "\u202e", "a" * 3000, "withdraw " * 200, "; ; :", "0" * 40, "end", '"', "%s {0} {x}")

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")
_SEAT = re.compile(r"[a-z][a-z0-9_]{0,15}\Z")
_WORD = re.compile(r"[a-z][a-z0-9_]{0,31}\Z")
_SLOT_IN_WORDS = re.compile(r"\{([^{}]*)\}")


class ContractBroken(AssertionError):
    """The engine does not keep the contract: which part, and where."""


def insist(kept: object, what: str) -> None:
    """Raise `ContractBroken` unless `kept`."""
    if not kept:
        raise ContractBroken(what)


def check_engine(engine: Engine, *, games: int = 5, steps: int = 2000, seed: int = 0) -> None:
    """The whole contract: names, components, and `games` random games of every scenario in the newest edition.

    A game that goes on after `steps` steps is left there; one that exceeds the engine's bound breaks the contract.
    """
    check_names(engine)
    check_components(engine)
    for scenario in engine.scenarios():
        for number in range(games):
            play(engine, scenario, seed=seed + number, steps=steps)


# --- what can be seen without playing ---


def check_names(engine: Engine) -> None:
    """Ids, orders, words, scenarios and options are named as the core needs them."""
    from pbem.registry import check_names as check_orders

    insist(_ID.match(engine.id), f"id {engine.id!r} is not of the form battle-card-malaya")
    insist(engine.title and engine.bound > 0, "title and bound are given")
    insist(engine.editions and list(engine.editions) == sorted(set(engine.editions)), "editions rise")
    insist(engine.editions[0] >= 1, "editions count from 1")
    try:
        check_orders(engine, engine.id)
    except PbemError as bad:
        raise ContractBroken(str(bad)) from None
    for kind, order in engine.orders.items():
        insist(_WORD.match(kind), f"order kind {kind!r} is not of the form [a-z][a-z0-9_]*")
        insist(getattr(order, "usage", ""), f"order {kind} has no usage")
        for name in order.model_fields:
            insist(_WORD.match(name), f"field {name!r} of {kind} is not of the form [a-z][a-z0-9_]*")
    for stem, sentence in engine.words.items():
        insist(all(name.isidentifier() for name in _SLOT_IN_WORDS.findall(sentence)), f"words of {stem}: {sentence!r}")
    scenarios = engine.scenarios()
    insist(scenarios, "there is a scenario")
    insist(len({scenario.id for scenario in scenarios}) == len(scenarios), "scenario ids differ")
    for scenario in scenarios:
        _check_scenario(engine, scenario)


def _check_scenario(engine: Engine, scenario: Scenario) -> None:
    seats = [seat.id for seat in scenario.seats]
    insist(seats and len(set(seats)) == len(seats), f"scenario {scenario.id}: seats differ")
    for seat in seats:
        insist(_SEAT.match(seat) and seat not in ("witness", "beacon"), f"scenario {scenario.id}: no seat is {seat!r}")
    for option in scenario.options:
        insist(_WORD.match(option.name), f"scenario {scenario.id}: no option is named {option.name!r}")
        insist(not option.values or option.default in option.values, f"option {option.name}: its default is no value")
        insist(option.about and option.source, f"option {option.name}: about and source are given")
    insist(len({option.name for option in scenario.options}) == len(scenario.options), "option names differ")
    wrong = engine.check_options(scenario, defaults(scenario))
    insist(wrong is None, f"scenario {scenario.id}: its defaults are refused: {wrong}")


def check_components(engine: Engine) -> None:
    """Tables and rulings of every edition are sorted ASCII lines."""
    for edition in engine.editions:
        rulings = engine.rulings(edition)
        insist(list(rulings) == sorted(set(rulings)), f"edition {edition}: rulings are sorted and differ")
        names = []
        for table in engine.components(edition).tables():
            names.append(table.name)
            _check_lines(f"table {table.name}", table.lines)
            insist(sum(table.provenance.values()) == len(table.lines), f"table {table.name}: every row has provenance")
        insist(names == sorted(set(names)), f"edition {edition}: tables are sorted by name")
        insist(_tables(engine, edition) == _tables(engine, edition), f"edition {edition}: tables are the same twice")


def _tables(engine: Engine, edition: int) -> list[tuple[str, tuple[str, ...]]]:
    return [(table.name, table.lines) for table in engine.components(edition).tables()]


def _check_lines(where: str, lines: Sequence[str]) -> None:
    for line in lines:
        insist(isinstance(line, str) and line.isascii() and line.isprintable(), f"{where}: {line!r} is plain ASCII")
        insist(len(line) <= MAX_SECTION_LINE, f"{where}: {line[:40]!r} is a short line")
    insist(list(lines) == sorted(lines), f"{where}: lines are sorted")


def defaults(scenario: Scenario) -> dict[str, str]:
    """The options of a scenario as they are unless somebody chooses."""
    return {option.name: option.default for option in scenario.options}


# --- a random game ---


@dataclass(slots=True)
class Game:
    """A random game: its state, the steps so far, and what they told."""

    engine: Engine
    start: Start
    rng: random.Random
    state: Any
    steps: list[Step] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    orders: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    old: list[Order] = field(default_factory=list)

    def known(self) -> Mapping[str, Any]:
        """What the seats may see of hidden things."""
        return NOTHING_KNOWN


def begin(engine: Engine, scenario: Scenario, *, seed: int = 0, options: Mapping[str, str] | None = None) -> Game:
    """A game before its first step."""
    edition = engine.editions[-1]
    seats = tuple(seat.id for seat in scenario.seats)
    chosen = {**defaults(scenario), **(options or {})}
    start = Start(scenario.id, chosen, seats, edition, engine.components(edition))
    return Game(engine, start, random.Random(f"{engine.id}/{scenario.id}/{seed}"), engine.setup(start))


def play(
    engine: Engine,
    scenario: Scenario,
    *,
    seed: int = 0,
    steps: int = 2000,
    options: Mapping[str, str] | None = None,
    watch: Callable[[Game], None] | None = None,
) -> Game:
    """Play one game at random and check every position; `watch` is called at each."""
    game = begin(engine, scenario, seed=seed, options=options)
    try:
        insist(game.state == engine.setup(game.start), "setup gives the same state twice, and states can be compared")
        for _ in range(steps):
            if watch is not None:
                watch(game)
            waiting = check_position(game)
            if not waiting:
                break
            _go_on(game, waiting)
        _check_second_fold(game)
    except ContractBroken as broken:
        last = "" if not game.steps else f", after {_told(game.steps[-1])}"
        where = f"{engine.id}, scenario {scenario.id}, seed {seed}, step {len(game.steps)}{last}"
        raise ContractBroken(f"{where}: {broken}") from broken
    return game


def _told(step: Step) -> str:
    if isinstance(step, Ordered):
        return f"{step.seat}: {step.order}"
    return f"{step.label} {step.values}" if isinstance(step, Rolled) else type(step).__name__


def check_position(game: Game) -> tuple[Ask | Roll, ...]:
    """Everything the contract says of one position; what it waits for."""
    engine, state = game.engine, game.state
    before = deepcopy(state)
    insist(before == state, "a copied state equals the state")
    waiting = engine.pending(state)
    outcome = engine.outcome(state)
    insist(bool(waiting) == (outcome is None), "something is pending until there is an outcome, and nothing after")
    insist(engine.pending(state) == waiting, "pending says the same twice")
    _check_outcome(game, outcome)
    for one in waiting:
        if isinstance(one, Roll):
            _check_roll(one)
        else:
            _check_ask(game, one)
    _check_old_orders(game)
    _check_junk(game)
    _check_views(game)
    _check_place(game)
    insist(before == state, "questions change nothing")
    return waiting


def _check_outcome(game: Game, outcome: Outcome | None) -> None:
    if outcome is not None:
        insist(outcome.winner in ("", *game.start.seats), f"the winner {outcome.winner!r} is a seat or nobody")
        insist(outcome.words, "an outcome says how the game ended")


def _check_roll(roll: Roll) -> None:
    try:
        dice.check_stem(roll.stem)
    except ValueError as bad:
        raise ContractBroken(str(bad)) from None
    ways = [bool(roll.dice), bool(roll.draw), bool(roll.shuffle)]
    insist(sum(ways) == 1, f"roll {roll.stem} is dice, a draw or a shuffle")
    insist(all(sides >= 2 for sides in roll.dice), f"roll {roll.stem}: a die has two sides at least")
    insist(roll.draw <= len(roll.pool), f"roll {roll.stem} draws {roll.draw} of {len(roll.pool)}")
    insist(roll.clause, f"roll {roll.stem} names its clause")


def _check_ask(game: Game, ask: Ask) -> None:
    engine, state, known = game.engine, game.state, game.known()
    insist(ask.seat in game.start.seats, f"{ask.what} asks {ask.seat!r}, which is no seat")
    insist(_WORD.match(ask.what), f"the question {ask.what!r} is not of the form [a-z][a-z0-9_]*")
    insist(ask.clause, f"the question {ask.what} names its clause")
    insist(not ask.client and not ask.secret, f"{ask.what} asks for hidden things, which this contract cannot play yet")
    offers = list(islice(engine.offers(state, ask.seat, known), MAX_OFFERS))
    insist(offers, f"{ask.seat} is asked {ask.what} and offered nothing")
    for order in offers:
        _check_order(game, ask.seat, order, "offer")
    _check_order(game, ask.seat, engine.sample(state, ask, known, game.rng), "sample")
    game.old = [*game.rng.sample(offers, min(3, len(offers))), *game.old][:OLD_ORDERS]


def _check_order(game: Game, seat: str, order: Order, what: str) -> None:
    engine, state = game.engine, game.state
    typed = str(order)
    kind = type(order).kind
    insist(engine.orders.get(kind) is type(order), f'{what} "{typed}" is of a kind that the engine does not list')
    verdict = engine.refuse(state, seat, order, game.known())
    insist(not isinstance(verdict, Illegal), f'{what} "{typed}" of {seat} is refused: {verdict}')
    try:
        meanings = engine.read(state, seat, typed, game.known())
    except Unreadable as bad:
        raise ContractBroken(f'{what} "{typed}" cannot be read: {bad}') from None
    insist(order in meanings, f'{what} "{typed}" is read as something else: {meanings}')
    body = order.body()
    try:
        again = canon.decode(canon.encode(body))
    except PbemError as bad:
        raise ContractBroken(f'the body of "{typed}" has no canonical form: {bad}') from None
    insist(type(order).model_validate(again) == order, f'"{typed}" does not come back from its body {body}')
    insist(type(order).model_validate(again).body() == body, f'the body of "{typed}" is not the one way to write it')


def _check_old_orders(game: Game) -> None:
    """Orders of other positions and seats are judged, never stumbled over."""
    for order in game.old:
        for seat in game.start.seats:
            verdict = game.engine.refuse(game.state, seat, order, game.known())
            insist(verdict is None or isinstance(verdict, Illegal | Owes), f"refuse answers {verdict!r}")
            if isinstance(verdict, Illegal):
                insist(verdict.why and all(verdict.ids) and verdict.ids, f'refusal of "{order}" names no clause')


def _check_junk(game: Game) -> None:
    seat = game.rng.choice(game.start.seats)
    junk = game.rng.choice(JUNK)
    try:
        game.engine.read(game.state, seat, junk, game.known())
    except Unreadable as bad:
        insist(str(bad), "an unreadable order is told what is wrong")


def _check_views(game: Game) -> None:
    for seat in ("", *game.start.seats):
        view = game.engine.picture(game.state, seat, game.known() if seat else NOTHING_KNOWN)
        insist(isinstance(view, View) and view.headline, f"the picture for {seat or 'the public'} has a headline")
        for grid in view.grids:
            wide = {len(row) for row in grid.rows} - {len(grid.columns)}
            insist(not wide, f"table {grid.title!r}: every row has {len(grid.columns)} cells")
            insist(all(isinstance(one, str) for row in grid.rows for one in row), f"table {grid.title!r} is text")
        for picture in view.pictures:
            insist(picture.width > 0 and picture.height > 0, f"picture {picture.name!r} has a size")
            insist(picture.text, f"picture {picture.name!r} has a plain text form")


def _check_place(game: Game) -> None:
    """Position lines say all that matters: a fresh state that is placed so waits for the same."""
    engine = game.engine
    position = {name: tuple(lines) for name, lines in engine.position(game.state).items()}
    for name, lines in position.items():
        insist(name.isascii() and name.isprintable() and name, f"section {name!r} is plain ASCII")
        _check_lines(f"section {name}", lines)
    fresh = engine.setup(game.start)
    try:
        engine.place(fresh, position)
    except PbemError as bad:
        raise ContractBroken(f"place does not take its own position: {bad}") from None
    met = {name: tuple(lines) for name, lines in engine.position(fresh).items()}
    differ = [name for name in position if met.get(name) != position[name]]
    insist(met == position, f"place gives another position in: {', '.join(differ) or 'names of sections'}")
    insist(engine.pending(fresh) == engine.pending(game.state), "a placed position waits for something else")


def _go_on(game: Game, waiting: tuple[Ask | Roll, ...]) -> None:
    first = waiting[0]
    asks = [one for one in waiting if isinstance(one, Ask)]
    if isinstance(first, Roll) and (not asks or game.rng.random() < 0.7):
        _do(game, _rolled(game, first))
        return
    ask = game.rng.choice(asks)
    _do(game, Ordered(ask.seat, game.engine.sample(game.state, ask, game.known(), game.rng)))
    game.orders += 1
    insist(game.orders <= game.engine.bound, f"the game has more orders than its bound of {game.engine.bound}")


def _rolled(game: Game, roll: Roll) -> Rolled:
    game.labels[roll.stem] += 1
    values: Iterable[Any]
    if roll.dice:
        values = (game.rng.randint(1, sides) for sides in roll.dice)
    elif roll.draw:
        values = game.rng.sample(roll.pool, roll.draw)
    else:
        values = game.rng.sample(range(roll.shuffle), roll.shuffle)
    return Rolled(dice.label(roll.stem, game.labels[roll.stem]), roll, tuple(values))


def _do(game: Game, step: Step) -> None:
    """Apply a step to the state and to a copy: same state, same notes."""
    copy = deepcopy(game.state)
    told: list[Note] = []
    told_copy: list[Note] = []
    game.engine.apply(game.state, step, told.append)
    game.engine.apply(copy, step, told_copy.append)
    game.steps.append(step)
    game.notes += told
    insist(copy == game.state and told == told_copy, "apply gives the same state and notes twice")
    for note in told:
        _check_note(game, note)


def _check_note(game: Game, note: Note) -> None:
    words = game.engine.words
    insist(note.stem in words, f"there are no words for the note {note.stem}")
    insist(all(isinstance(value, str | int) for value in note.args.values()), f"arguments of {note.stem} are plain")
    try:
        words[note.stem].format_map(note.args)
    except (KeyError, ValueError, IndexError, AttributeError) as bad:
        raise ContractBroken(f"words {words[note.stem]!r} do not fit {dict(note.args)}: {bad!r}") from None
    insist(all(note.clauses), f"note {note.stem} has an empty clause id")
    if note.label:
        stem, _, use = note.label.rpartition("#")
        insist(use.isdigit() and 1 <= int(use) <= game.labels[stem], f"note {note.stem}: nothing rolled {note.label}")


def _check_second_fold(game: Game) -> None:
    """All steps again, from the set-up, with nobody listening."""
    state = game.engine.setup(game.start)
    for step in game.steps:
        game.engine.apply(state, step, silent)
    insist(state == game.state, "a second fold of the same steps ends in the same state")
    insist(game.engine.position(state) == game.engine.position(game.state), "a second fold ends in the same position")
