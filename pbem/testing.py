"""The contract that every rules engine keeps, for its author's own tests.

    from pbem.testing import check_engine

    def test_contract() -> None:
        check_engine(ENGINE)

Games are played at random, from a seed, and every position on the way is looked at.
`ContractBroken` says the game, the seed and the step, so that the same call meets the same fault again.

Hidden things are played too: decks lie in a secret order, each seat knows its own slots, seats seal anew and open
unasked now and then, and at the end every act is judged once more with everything known. At some positions the others'
secrets are exchanged for others that could as well be true: nothing that a seat or the public is told may change.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from pbem import canon, dice
from pbem.api import (
    Act,
    Advises,
    Ask,
    Claim,
    Commit,
    Disclose,
    Engine,
    Foretells,
    Illegal,
    Known,
    Lapsed,
    Note,
    Opened,
    OpenSlots,
    Order,
    Ordered,
    Outcome,
    Owes,
    Roll,
    Rolled,
    Scenario,
    Sealed,
    Slot,
    Start,
    Step,
    View,
    silent,
)
from pbem.errors import PbemError, Unreadable
from pbem.unsealed import Seal, Unfit, Unsealed

MAX_OFFERS = 200
MAX_SECTION_LINE = 4000
CLOSELY = 40
"""Offers of a position that are read, printed and opened; of more, some at random."""
OLD_ORDERS = 12
LOOKS = 200
"""Positions of an engine at which the others' secrets are exchanged."""
SAMPLES = 40
"""So often another answer is looked for that could be sealed instead; where others are possible, some are plain."""
PICTURES = 4
"""One step in so many is preceded by pictures with other secrets, when it is applied a second time."""
WHIM = 0.04
"""How often a seat opens a slot, or seals some anew, although nobody asks."""
JUNK = ("", " ", "xyzzy", "\x00", "\u202e", "a" * 3000, "withdraw " * 200, "; ; :", "0" * 40, "end", '"', "%s {0} {x}")

_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")
_SEAT = re.compile(r"[a-z][a-z0-9_]{0,15}\Z")
_WORD = re.compile(r"[a-z][a-z0-9_]{0,31}\Z")
_NAME = re.compile(r"[a-z][a-z0-9_]{0,31}\Z")
_SLOT_IN_WORDS = re.compile(r"\{([^{}]*)\}")


class ContractBroken(AssertionError):
    """The engine does not keep the contract: which part, and where."""


def insist(kept: object, what: str) -> None:
    """Raise `ContractBroken` unless `kept`."""
    if not kept:
        raise ContractBroken(what)


def check_engine(
    engine: Engine,
    *,
    games: int = 5,
    steps: int = 2000,
    seed: int = 0,
    looks: int = LOOKS,
    open_words: Iterable[str] = (),
) -> None:
    """The whole contract: names, components, and `games` random games of every scenario in the newest edition.

    A game that goes on after `steps` steps is left there; one that exceeds the engine's bound breaks the contract.
    `looks` positions in all, spread over the games, are looked at with other secrets.
    `open_words` are contents of decks that are public words too, so that finding them in a position means nothing.
    """
    check_names(engine)
    check_components(engine)
    each = -(-looks // max(1, games * len(engine.scenarios())))
    for scenario in engine.scenarios():
        for number in range(games):
            play(engine, scenario, seed=seed + number, steps=steps, looks=each, open_words=open_words)


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
    if isinstance(engine, Foretells):
        odd = sorted(engine.gist.keys() - engine.words.keys())
        insist(not odd, f"the gist speaks of notes without words: {', '.join(odd)}")
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
    """A random game: its state, the steps so far, and what they told.

    `hidden` is what the seats have sealed, `judged` the acts behind the steps that the rules were asked about;
    `others` are contents that could have been chosen instead; `words` what may be said in public.
    """

    engine: Engine
    start: Start
    rng: random.Random
    state: Any
    steps: list[Step] = field(default_factory=list)
    judged: list[tuple[str, Act] | None] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    fresh: list[Note] = field(default_factory=list)
    orders: int = 0
    old: list[Order] = field(default_factory=list)
    hidden: Unsealed = field(default_factory=Unsealed)
    others: dict[Slot, Any] = field(default_factory=dict)
    words: str = ""
    seen: dict[str, Known] = field(default_factory=dict)

    def known(self, seat: str = "") -> Known:
        """What a seat may see of hidden things; "": what everybody knows."""
        if seat not in self.seen:
            self.seen[seat] = self.hidden.known(seat)
        return self.seen[seat]


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
    looks: int = 20,
    open_words: Iterable[str] = (),
) -> Game:
    """Play one game at random and check every position; `watch` is called at each."""
    game = begin(engine, scenario, seed=seed, options=options)
    kept: list[Game] = []
    chooser = random.Random(seed)
    try:
        insist(game.state == engine.setup(game.start), "setup gives the same state twice, and states can be compared")
        game.words = " ".join([*open_words, *_public_text(game, engine.pending(game.state))])
        for number in range(steps):
            if watch is not None:
                watch(game)
            waiting = check_position(game)
            _keep(game, kept, looks, number, chooser)
            if not waiting:
                break
            _go_on(game, waiting)
        _check_second_fold(game)
        _check_audit(game)
        for game in kept:
            _check_views_of_others(game)
    except ContractBroken as broken:
        last = "" if not game.steps else f", after {_told(game.steps[-1])}"
        where = f"{engine.id}, scenario {scenario.id}, seed {seed}, step {len(game.steps)}{last}"
        raise ContractBroken(f"{where}: {broken}") from broken
    return game


def _told(step: Step) -> str:
    match step:
        case Ordered(seat, order):
            return f"{seat}: {order}"
        case Rolled(label, _, values):
            return f"{label} {values}"
        case Sealed(seat, name):
            return f"{seat} seals {name}"
        case Opened(seat, items):
            return f"{seat} opens {', '.join(slot for slot, _ in items)}"
        case Lapsed(seat, ask):
            return f"{ask.what} of {seat} lapses"
        case _:
            return type(step).__name__


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
    view = _check_views(game)
    _check_place(game)
    _check_nothing_said(game, waiting, view)
    _check_seals(game)
    insist(before == state, "questions change nothing")
    return waiting


def _check_outcome(game: Game, outcome: Outcome | None) -> None:
    if outcome is not None:
        insist(outcome.winner in ("", *game.start.seats), f"the winner {outcome.winner!r} is a seat or nobody")
        insist(not outcome.joint or not outcome.winner, "either one seat wins, or several win together")
        insist(len(outcome.joint) != 1, "one seat alone wins together with nobody")
        insist(set(outcome.joint) <= set(game.start.seats), f"the winners {outcome.joint!r} are seats")
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
    engine, state, known = game.engine, game.state, game.known(ask.seat)
    insist(ask.seat in game.start.seats, f"{ask.what} asks {ask.seat!r}, which is no seat")
    insist(_WORD.match(ask.what), f"the question {ask.what!r} is not of the form [a-z][a-z0-9_]*")
    insist(ask.clause, f"the question {ask.what} names its clause")
    _check_kind_of_ask(engine, ask)
    if ask.client is not None and not isinstance(ask.client, Claim):
        return
    offers = list(islice(engine.offers(state, ask.seat, known), MAX_OFFERS))
    if isinstance(ask.client, Claim):
        offers = [order for order in offers if order.kind == ask.client.kind][:1]
        insist(offers, f"{ask.seat} must claim by {ask.client.kind} and is offered none")
    insist(offers or ask.window, f"{ask.seat} is asked {ask.what} and offered nothing")
    for order in offers:
        verdict = engine.refuse(state, ask.seat, order, known)
        insist(not isinstance(verdict, Illegal), f'offer "{order}" of {ask.seat} is refused: {verdict}')
    for order in offers if len(offers) <= CLOSELY else game.rng.sample(offers, CLOSELY):
        _check_order(game, ask, order, "offer")
    if offers and ask.client is None:
        _check_order(game, ask, engine.sample(state, ask, known, game.rng), "sample")
        _check_bot(game, ask)
    game.old = [*game.rng.sample(offers, min(3, len(offers))), *game.old][:OLD_ORDERS]


def _check_bot(game: Game, ask: Ask) -> None:
    """What an engine may have beside: advice is a legal order, and the answer that adds nothing is one too."""
    engine, state = game.engine, game.state
    if isinstance(engine, Advises):
        advice = engine.advise(state, ask, game.known(ask.seat), game.rng)
        insist(advice is not None or ask.window, f"the bot has no answer to {ask.what}")
        if advice is not None:
            _check_order(game, ask, advice, "advice")
    if isinstance(engine, Foretells):
        passive = engine.passive(state, ask)
        if passive is not None:
            insist(engine.orders.get(passive.kind) is type(passive), f'passive "{passive}" is no order of the engine')


def _check_kind_of_ask(engine: Engine, ask: Ask) -> None:
    """A question is one of: plain, a window, for the client, for one secret choice, for the slots of a purse."""
    ways = [bool(ask.client), bool(ask.secret), bool(ask.fill), bool(ask.window)]
    insist(sum(ways) <= 1, f"{ask.what} is one of: for the client, a secret choice, a purse to fill, a window")
    hidden = bool(ask.secret or ask.fill)
    insist(bool(ask.sealed) == hidden, f"{ask.what} names the order that is sealed, if one is")
    insist(not ask.sealed or ask.sealed in engine.orders, f"{ask.what} wants {ask.sealed!r}, which is no order")
    insist(not isinstance(ask.client, Disclose), f"{ask.what} asks to disclose, which only the core does")
    insist(not ask.window or _WORD.match(ask.window), f"the window {ask.window!r} is not of the form [a-z][a-z0-9_]*")
    if isinstance(ask.client, Claim):
        insist(ask.client.kind in engine.orders, f"{ask.what} claims by {ask.client.kind!r}, which is no order")
    if ask.secret:
        try:
            dice.check_stem(ask.secret)
        except ValueError as bad:
            raise ContractBroken(str(bad)) from None
    commit = ask.client if isinstance(ask.client, Commit) else ask.fill
    if commit is not None:
        insist(_NAME.match(commit.name), f"{commit.name!r} is no name of a deck: [a-z][a-z0-9_]*, without the seat")
    if ask.fill is not None:
        plain = ask.fill.what == "purse" and not ask.fill.contents
        insist(plain, f"{ask.what} fills a purse, whose contents the order says")


def _check_order(game: Game, ask: Ask, order: Order, what: str) -> None:
    engine, state, seat, known = game.engine, game.state, ask.seat, game.known(ask.seat)
    typed = str(order)
    kind = type(order).kind
    insist(engine.orders.get(kind) is type(order), f'{what} "{typed}" is of a kind that the engine does not list')
    verdict = engine.refuse(state, seat, order, known)
    insist(not isinstance(verdict, Illegal), f'{what} "{typed}" of {seat} is refused: {verdict}')
    for text in dict.fromkeys((typed, engine.phrase(state, seat, order, known))):
        try:
            meanings = engine.read(state, seat, text, known)
        except Unreadable as bad:
            raise ContractBroken(f'{what} "{text}" cannot be read: {bad}') from None
        insist(order in meanings, f'{what} "{text}" is read as something else: {meanings}')
    body = order.body()
    try:
        again = canon.decode(canon.encode(body))
    except PbemError as bad:
        raise ContractBroken(f'the body of "{typed}" has no canonical form: {bad}') from None
    insist(type(order).model_validate(again) == order, f'"{typed}" does not come back from its body {body}')
    insist(type(order).model_validate(again).body() == body, f'the body of "{typed}" is not the one way to write it')
    if kind != ask.sealed:
        _check_in_public(game, seat, order, what)


def _check_in_public(game: Game, seat: str, order: Order, what: str) -> None:
    """With its openings an order is legal, or owed, for everybody else."""
    engine = game.engine
    state, hidden = game.state, game.hidden
    opens = engine.opens(state, seat, order, game.known(seat))
    if opens:
        state, hidden = deepcopy(state), deepcopy(hidden)
        step = _opening(game, seat, opens)
        verdict = engine.refuse(state, seat, step, hidden.after(step))
        insist(not isinstance(verdict, Illegal), f'{what} "{order}" opens {", ".join(opens)}, refused: {verdict}')
        hidden.enter(step)
        engine.apply(state, step, silent)
        insist(not engine.opens(state, seat, order, hidden.known(seat)), f'"{order}" opens again what is open')
    verdict = engine.refuse(state, seat, order, hidden.opened)
    insist(not isinstance(verdict, Illegal), f'{what} "{order}" of {seat} is refused in public: {verdict}')
    if verdict is None and hidden.names:
        said = _closed_words(game, hidden, " ".join(_strings(order.body())), seat)
        insist(not said, f'{what} "{order}" says {said}, which is in a closed slot, and owes nothing')


def _opening(game: Game, seat: str, slots: Sequence[Slot]) -> Opened:
    try:
        return game.hidden.opening(game.engine, seat, slots)
    except (Unfit, ValueError) as bad:
        raise ContractBroken(str(bad)) from None


def _check_old_orders(game: Game) -> None:
    """Orders of other positions and seats are judged, never stumbled over."""
    for order in game.old:
        for seat in game.start.seats:
            verdict = game.engine.refuse(game.state, seat, order, game.known(seat))
            insist(verdict is None or isinstance(verdict, Illegal | Owes), f"refuse answers {verdict!r}")
            if isinstance(verdict, Illegal):
                insist(verdict.why and all(verdict.ids) and verdict.ids, f'refusal of "{order}" names no clause')


def _check_junk(game: Game) -> None:
    seat = game.rng.choice(game.start.seats)
    junk = game.rng.choice(JUNK)
    try:
        game.engine.read(game.state, seat, junk, game.known(seat))
    except Unreadable as bad:
        insist(str(bad), "an unreadable order is told what is wrong")


def _check_views(game: Game) -> View:
    """The pictures of all; that of the public comes back."""
    public = None
    for seat in ("", *game.start.seats):
        view = game.engine.picture(game.state, seat, game.known(seat))
        insist(isinstance(view, View) and view.headline, f"the picture for {seat or 'the public'} has a headline")
        for grid in view.grids:
            wide = {len(row) for row in grid.rows} - {len(grid.columns)}
            insist(not wide, f"table {grid.title!r}: every row has {len(grid.columns)} cells")
            insist(all(isinstance(one, str) for row in grid.rows for one in row), f"table {grid.title!r} is text")
        for picture in view.pictures:
            insist(picture.width > 0 and picture.height > 0, f"picture {picture.name!r} has a size")
            insist(picture.text, f"picture {picture.name!r} has a plain text form")
        public = public or view
    assert public is not None
    return public


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
    if game.hidden.names and game.rng.random() < WHIM and _whim(game):
        return
    asks = [one for one in waiting if isinstance(one, Ask)]
    if isinstance(first, Roll) and (not asks or game.rng.random() < 0.7):
        _do(game, _rolled(game, first))
        return
    one: Ask | Roll = game.rng.choice(asks)
    if _comes_first(first) or _comes_first(one):
        one = first
    if isinstance(one, Roll):
        _do(game, _rolled(game, one))
    else:
        try:
            _answer(game, one)
        except Unfit as bad:
            raise ContractBroken(f"the core cannot do what {one.what} asks: {bad}") from None


def _comes_first(one: Ask | Roll) -> bool:
    """What is answered only when it is asked first: for the client, sealed, or a window."""
    return isinstance(one, Ask) and bool(one.client or one.sealed or one.window)


def _answer(game: Game, ask: Ask) -> None:
    """Whatever the ask wants, as the table would do it."""
    engine, state, known, hidden = game.engine, game.state, game.known(ask.seat), game.hidden
    match ask.client:
        case Commit() as commit:
            pool = hidden.pool(ask.seat, commit)
            game.rng.shuffle(pool)
            slots = hidden.slots_of(ask.seat, commit)
            _do(game, hidden.commit(ask.seat, commit, dict(zip(slots, pool, strict=False))))
            return
        case OpenSlots(slots):
            _open(game, ask.seat, slots)
            return
        case Claim(kind):
            _order(game, ask.seat, next(one for one in engine.offers(state, ask.seat, known) if one.kind == kind))
            return
    offers = not ask.window or any(True for _ in engine.offers(state, ask.seat, known))
    if ask.window and (not offers or game.rng.random() < 0.5):
        _do(game, Lapsed(ask.seat, ask))
        return
    order = engine.sample(state, ask, known, game.rng)
    if order.kind == ask.sealed:
        _seal(game, ask, order)
    else:
        _order(game, ask.seat, order)


def _seal(game: Game, ask: Ask, order: Order) -> None:
    """Seal an order, and remember another one that could have been sealed instead."""
    samples = (game.engine.sample(game.state, ask, game.known(ask.seat), game.rng) for _ in range(SAMPLES))
    other = next((one for one in samples if one.kind == order.kind), order)
    if ask.fill is not None and ask.fill.replaces:
        before = Counter(game.hidden.contents[slot] for slot in ask.fill.replaces)
        insist(Counter(order.contents()) == before, f'"{order}" holds other things than the slots that it replaces')
    step = game.hidden.choose(ask, order)
    contents = [other.body()] if ask.fill is None else other.contents()
    if len(contents) == len(step.slots):
        game.others.update(zip(step.slots, contents, strict=True))
    _count(game)
    _do(game, step)


def _order(game: Game, seat: str, order: Order) -> None:
    opens = game.engine.opens(game.state, seat, order, game.known(seat))
    if opens:
        _open(game, seat, opens)
    _judge(game, seat, order, game.hidden.opened)
    _count(game)
    _do(game, Ordered(seat, order), (seat, order))


def _count(game: Game) -> None:
    game.orders += 1
    insist(game.orders <= game.engine.bound, f"the game has more orders than its bound of {game.engine.bound}")


def _open(game: Game, seat: str, slots: Sequence[Slot]) -> None:
    step = _opening(game, seat, slots)
    _judge(game, seat, step, game.hidden.after(step))
    game.hidden.enter(step)
    _do(game, step, (seat, step))


def _judge(game: Game, seat: str, act: Act, known: Known) -> None:
    verdict = game.engine.refuse(game.state, seat, act, known)
    what = _told(act) if isinstance(act, Sealed | Opened) else f'"{act}" of {seat}'
    insist(not isinstance(verdict, Illegal), f"{what} is refused: {verdict}")


def _whim(game: Game) -> bool:
    """A seat opens a slot, or seals some anew, of its own will; whether the rules let it."""
    seals = [seal for seal in game.hidden.names.values() if any(game.hidden.live(seal))]
    if not seals:
        return False
    seal = game.rng.choice(seals)
    live = list(game.hidden.live(seal))
    if game.rng.random() < 0.5 and seal.what in ("deck", "purse") and len(live) > 1:
        return _sealed_anew(game, seal, tuple(game.rng.sample(live, game.rng.randint(2, min(3, len(live))))))
    slots = (game.rng.choice(live),)
    step = _opening(game, seal.seat, slots)
    if isinstance(game.engine.refuse(game.state, seal.seat, step, game.hidden.after(step)), Illegal):
        return False
    _open(game, seal.seat, slots)
    return True


def _sealed_anew(game: Game, seal: Seal, slots: tuple[Slot, ...]) -> bool:
    hidden = deepcopy(game.hidden)
    commit = hidden.reseal(seal.seat, slots)
    pool = hidden.pool(seal.seat, commit)
    game.rng.shuffle(pool)
    step = hidden.commit(seal.seat, commit, dict(zip(hidden.slots_of(seal.seat, commit), pool, strict=True)))
    if game.engine.refuse(game.state, seal.seat, step, game.hidden.opened) is not None:
        return False
    insist(_together(game, slots), f"slots of different places may be sealed anew together: {', '.join(slots)}")
    named = [slot for slot in slots if any(_places(game, slot, ()))]
    game.hidden = hidden
    _do(game, step, (seal.seat, step))
    stay = [slot for slot in slots if any(_places(game, slot, ()))]
    insist(not stay, f"{', '.join(stay)} stand in the position although they were sealed anew")
    lost = [slot for slot in step.slots if named and not any(_places(game, slot, ()))]
    insist(not lost, f"{', '.join(lost)} were sealed and do not stand in the position")
    return True


def _together(game: Game, slots: Sequence[Slot]) -> bool:
    """Whether the position says the same of all these slots."""
    return len({tuple(sorted(set(_places(game, slot, slots)))) for slot in slots}) == 1


def _check_seals(game: Game) -> None:
    """What lies in different places is not sealed anew together: it would change places unseen."""
    seals = [seal for seal in game.hidden.names.values() if seal.what in ("deck", "purse")]
    if not seals:
        return
    seal = game.rng.choice(seals)
    live = list(game.hidden.live(seal))
    slots = tuple(game.rng.sample(live, min(2, len(live))))
    if len(slots) < 2 or _together(game, slots):
        return
    hidden = deepcopy(game.hidden)
    commit = hidden.reseal(seal.seat, slots)
    step = hidden.commit(seal.seat, commit, {})
    told = game.engine.refuse(game.state, seal.seat, step, game.known())
    insist(isinstance(told, Illegal), f"slots of different places may be sealed anew together: {', '.join(slots)}")


def _places(game: Game, slot: Slot, alike: Sequence[Slot]) -> Iterator[str]:
    """The lines of a position that name a slot; slots that are alike are written as one."""
    for name, lines in game.engine.position(game.state).items():
        for line in lines:
            words = line.split(" ")
            if slot in words:
                yield f"{name} {' '.join('*' if word in alike else word for word in words)}"


def _rolled(game: Game, roll: Roll) -> Rolled:
    try:
        for slot in roll.pool:
            insist("/" not in slot or game.hidden.exists(slot), f"{roll.stem} draws {slot}, which is not sealed")
        return game.hidden.rolled(roll, _values(game, roll))
    except Unfit as bad:
        raise ContractBroken(f"the core cannot roll {roll.stem}: {bad}") from None


def _values(game: Game, roll: Roll) -> tuple[Any, ...]:
    if roll.dice:
        return tuple(game.rng.randint(1, sides) for sides in roll.dice)
    if roll.draw:
        return tuple(game.rng.sample(roll.pool, roll.draw))
    return tuple(game.rng.sample(range(roll.shuffle), roll.shuffle))


def _do(game: Game, step: Step, judged: tuple[str, Act] | None = None) -> None:
    """Apply a step to the state and to a copy: same state, same notes, whatever the engine was told in between."""
    copy = deepcopy(game.state)
    told: list[Note] = []
    told_copy: list[Note] = []
    game.engine.apply(game.state, step, told.append)
    if game.hidden.names:
        _distract(game, copy, judged)
    game.engine.apply(copy, step, told_copy.append)
    game.steps.append(step)
    game.judged.append(judged)
    game.notes += told
    game.fresh = told
    game.seen.clear()
    insist(copy == game.state and told == told_copy, "apply gives the same state and notes twice")
    for note in told:
        _check_note(game, note)


def _distract(game: Game, state: Any, judged: tuple[str, Act] | None) -> None:
    """Ask with other secrets, so that an engine that remembers what it was told gives itself away."""
    engine = game.engine
    before = engine.pending(state)
    other = _other_secrets(game, "")
    for seat in game.start.seats if len(game.steps) % PICTURES == 0 else ():
        engine.picture(state, seat, game.hidden.known(seat, other))
    if judged is not None:
        engine.refuse(state, *judged, other)
    insist(engine.pending(state) == before, "pending hangs on what a seat knew that was asked before")


def _check_note(game: Game, note: Note) -> None:
    words = game.engine.words
    insist(note.stem in words, f"there are no words for the note {note.stem}")
    insist(all(isinstance(value, str | int) for value in note.args.values()), f"arguments of {note.stem} are plain")
    try:
        words[note.stem].format_map(note.args)
    except (KeyError, ValueError, IndexError, AttributeError) as bad:
        raise ContractBroken(f"words {words[note.stem]!r} do not fit {dict(note.args)}: {bad!r}") from None
    insist(all(note.clauses), f"note {note.stem} has an empty clause id")
    gist = game.engine.gist.get(note.stem, "") if isinstance(game.engine, Foretells) else ""
    insist(set(_SLOT_IN_WORDS.findall(gist)) <= note.args.keys(), f"the gist {gist!r} does not fit {dict(note.args)}")
    if note.label:
        stem, _, use = note.label.rpartition("#")
        insist(
            use.isdigit() and 1 <= int(use) <= game.hidden.labels[stem],
            f"note {note.stem}: nothing rolled {note.label}",
        )


def _check_second_fold(game: Game) -> None:
    """All steps again, from the set-up, with nobody listening."""
    state = game.engine.setup(game.start)
    for step in game.steps:
        game.engine.apply(state, step, silent)
    insist(state == game.state, "a second fold of the same steps ends in the same state")
    insist(game.engine.position(state) == game.engine.position(game.state), "a second fold ends in the same position")


# --- hidden things ---


def _check_audit(game: Game) -> None:
    """Every act once more, with everything known: honest play is legal, and nothing stays owed."""
    if not game.hidden.names:
        return
    state = game.engine.setup(game.start)
    everything = game.hidden.everything()
    for step, judged in zip(game.steps, game.judged, strict=True):
        if judged is not None:
            verdict = game.engine.refuse(state, *judged, everything)
            insist(not isinstance(verdict, Illegal), f"the audit refuses what was accepted, {_told(step)}: {verdict}")
            insist(verdict is None, f"with everything known it is still owed, {_told(step)}: {verdict}")
        game.engine.apply(state, step, silent)


def _public_text(game: Game, waiting: Iterable[Ask | Roll]) -> Iterator[str]:
    """What everybody reads of a position: its lines, what is asked, and what was just told."""
    for lines in game.engine.position(game.state).values():
        yield from lines
    for one in waiting:
        if isinstance(one, Roll):
            yield from (one.stem, *one.pool)
        else:
            yield from (one.what, one.secret, one.window)
            if isinstance(one.client, OpenSlots):
                yield from one.client.slots
    for note in game.fresh:
        yield from (str(value) for value in note.args.values())


def _check_nothing_said(game: Game, waiting: Iterable[Ask | Roll], view: View) -> None:
    """No public line has the name of what lies in closed slots, as far as such names can be told from other words."""
    if not game.hidden.names:
        return
    text = "\n".join(_public_text(game, waiting))
    said = _closed_words(game, game.hidden, text)
    insist(not said, f"a public line says {said}, which is in a closed slot")
    said = _closed_words(game, game.hidden, repr(view))
    insist(not said, f"the picture for the public says {said}, which is in a closed slot")


def _closed_words(game: Game, hidden: Unsealed, text: str, seat: str = "") -> str:
    """A content of a deck (of this seat) that stands in a text although all slots with it are closed; "" if none."""
    opened = set(map(str, hidden.opened.values()))
    for seal in hidden.names.values():
        if seal.what != "deck" or (seat and seal.seat != seat):
            continue
        for slot in hidden.live(seal):
            word = str(hidden.contents.get(slot, ""))
            if word not in text or word in opened or len(word) < 2 or word.isdigit():
                continue
            whole = re.compile(rf"(?<![A-Za-z0-9_-]){re.escape(word)}(?![A-Za-z0-9_-])")
            if whole.search(text) and not whole.search(game.words):
                return word
    return ""


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _strings(one)


def _keep(game: Game, kept: list[Game], looks: int, number: int, chooser: random.Random) -> None:
    """Choose `looks` of the positions of a game, each as likely as any other, and keep copies of them."""
    if not game.hidden.names or not looks:
        return
    place = number if len(kept) < looks else chooser.randrange(number + 1)
    if len(kept) >= looks and place >= looks:
        return
    one = Game(
        game.engine,
        game.start,
        random.Random(number),
        deepcopy(game.state),
        list(game.steps),
        old=list(game.old),
        hidden=deepcopy(game.hidden),
        others=game.others,
    )
    if len(kept) < looks:
        kept.append(one)
    else:
        kept[place] = one


def _other_secrets(game: Game, viewer: str) -> dict[Slot, Any]:
    """Contents that a seat ("": the public) cannot tell from the true ones, different wherever they can be."""
    hidden = game.hidden
    other = {**hidden.contents, **{label: roll.values for label, roll in hidden.rolls.items()}}
    for seal in hidden.names.values():
        if viewer and viewer in seal.team:
            continue
        for _, slots in seal.epochs:
            closed = [slot for slot in slots if hidden.closed(slot) and slot not in seal.replaced]
            if len(closed) == len(slots) and all(slot in game.others for slot in closed):
                other.update((slot, game.others[slot]) for slot in closed)
            elif seal.what in ("deck", "purse"):
                held = [hidden.contents[slot] for slot in closed]
                turned = next((held[n:] + held[:n] for n in range(1, len(held)) if held[n] != held[0]), held)
                other.update(zip(closed, turned, strict=True))
    for label, roll in hidden.rolls.items():
        if hidden.closed(label) and roll.seat != viewer:
            other[label] = tuple(value % 2 + 1 if isinstance(value, int) else value for value in roll.values)
    return other


def _check_views_of_others(game: Game) -> None:
    """What a seat or the public is told stays the same when the others hold other secrets."""
    for viewer in ("", *game.start.seats):
        other = _other_secrets(game, viewer)
        if other == game.hidden.everything():
            continue
        texts = _texts(game)
        before = _heard(game, viewer, None, texts)
        after = _heard(game, viewer, other, texts)
        for question, answer in before.items():
            who = viewer or "the public"
            met = f"{after[question]!r}"[:200]
            insist(
                answer == after[question],
                f"{question} tells {who} what it cannot know: {answer!r:.200}; with other secrets of the others: {met}",
            )
    _check_order_in_other_world(game)


def _texts(game: Game) -> list[tuple[str, Order]]:
    """Some orders, in the words of the seat that knows what they mean, and in those of the log."""
    engine, state = game.engine, game.state
    found = {str(order): order for order in game.old[:3]}
    for seat in game.start.seats:
        offers = _offered(game, seat, game.known(seat))
        for order in game.rng.sample(offers, min(4, len(offers))):
            found |= {str(order): order, engine.phrase(state, seat, order, game.known(seat)): order}
    return list(found.items())


def _offered(game: Game, seat: str, known: Known) -> list[Order]:
    asked = any(isinstance(one, Ask) and one.seat == seat for one in game.engine.pending(game.state))
    return list(islice(game.engine.offers(game.state, seat, known), MAX_OFFERS)) if asked else []


def _heard(
    game: Game, viewer: str, other: Mapping[Slot, Any] | None, texts: Sequence[tuple[str, Order]]
) -> dict[str, Any]:
    """Everything that the engine tells a viewer after it has answered the other seats, whose secrets are `other`."""
    engine, state = game.engine, game.state
    for seat in game.start.seats:
        if seat != viewer:
            _answers(game, seat, game.hidden.known(seat, other), texts)
    return {
        "pending": engine.pending(state),
        "position": {name: tuple(lines) for name, lines in engine.position(state).items()},
        "outcome": engine.outcome(state),
        **_answers(game, viewer, game.hidden.known(viewer), texts),
    }


def _answers(game: Game, viewer: str, known: Known, texts: Sequence[tuple[str, Order]]) -> dict[str, Any]:
    engine, state = game.engine, game.state
    told: dict[str, Any] = {"picture": engine.picture(state, viewer, known)}
    if viewer:
        told["offers"] = _offered(game, viewer, known)
    for text, order in texts:
        for seat in [viewer] if viewer else game.start.seats:
            told[f'refuse of "{order}" by {seat}'] = engine.refuse(state, seat, order, known)
            told[f'phrase of "{order}" by {seat}'] = engine.phrase(state, seat, order, known)
            try:
                told[f'read of "{text}" by {seat}'] = engine.read(state, seat, text, known)
            except Unreadable as bad:
                told[f'read of "{text}" by {seat}'] = (str(bad), bad.hint)
    return told


def _check_order_in_other_world(game: Game) -> None:
    """An order that names slots is written the same whatever is in them: its form gives nothing away."""
    engine, state = game.engine, game.state
    other = _other_secrets(game, "")
    for seat in game.start.seats:
        known = game.hidden.known(seat, other)
        for order in _offered(game, seat, game.known(seat)):
            if isinstance(engine.refuse(state, seat, order, known), Illegal):
                continue
            text = engine.phrase(state, seat, order, known)
            try:
                meanings = engine.read(state, seat, text, known)
            except Unreadable as bad:
                raise ContractBroken(f'with other contents "{order}" is written "{text}", unreadable: {bad}') from None
            insist(order in meanings, f'the form of "{order}" tells what is in its slots: else it would be {meanings}')
