"""Glory Recalled: whole games of bots and of chance, invariants, reader, README. Its rules are cases."""

from __future__ import annotations

import random
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from pbem.api import (
    Ask,
    Commit,
    Illegal,
    Lapsed,
    Musters,
    Note,
    Opened,
    OpenSlots,
    Order,
    Ordered,
    Roll,
    Rolled,
    Sealed,
    Start,
)
from pbem.errors import Trouble, Unreadable
from pbem.report import sentence
from pbem.script import joined, openers, script_lines
from pbem.testing import play
from rules.glory_recalled import ENGINE, bot, hits
from rules.glory_recalled.orders import ORDERS, READER, Support
from rules.glory_recalled.stacking import capacity
from rules.glory_recalled.state import BRITISH, JAPAN, SEATS, State, is_slot, seat_of
from rules.kit.orders import usage_line

README = Path(__file__).parents[1] / "rules" / "glory_recalled" / "README.md"
CASES = Path(__file__).parent / "cases" / "glory-recalled"
SCENARIOS = {scenario.id: scenario for scenario in ENGINE.scenarios()}
Player = Callable[[State, Ask, dict[str, Any], random.Random], Order]


def sensible(s: State, ask: Ask, known: dict[str, Any], rng: random.Random) -> Order:
    return bot.advise(s, ask, known)


class Table:
    """A game without signatures: what each seat has sealed, what is open, dice from a seed."""

    def __init__(self, scenario: str, seed: int, **options: str) -> None:
        defaults = {option.name: option.default for option in SCENARIOS[scenario].options}
        self.start = Start(scenario, {**defaults, **options}, SEATS, 1, ENGINE.components(1))
        self.state: State = ENGINE.setup(self.start)
        self.rng = random.Random(seed)
        self.secret: dict[str, Any] = {}
        self.public: dict[str, Any] = {}
        self.choices: dict[str, str] = {}
        self.counts: Counter[str] = Counter()
        self.orders: Counter[str] = Counter()
        self.notes: list[Note] = []

    def known(self, seat: str) -> dict[str, Any]:
        own = {slot: what for slot, what in self.secret.items() if slot.startswith(f"{seat}-")}
        return {**own, **{slot: self.secret[slot] for slot, of in self.choices.items() if of == seat}, **self.public}

    def apply(self, step: Any) -> None:
        ENGINE.apply(self.state, step, self.notes.append)

    def run(self, player: Player, watch: Callable[[State], None], steps: int = 5000) -> None:
        for _ in range(steps):
            watch(self.state)
            waiting = ENGINE.pending(self.state)
            if not waiting:
                return
            if isinstance(waiting[0], Roll):
                self.roll(waiting[0])
            else:
                self.answer(waiting[0], player)
        raise AssertionError("the game does not end")

    def roll(self, roll: Roll) -> None:
        self.counts[roll.stem] += 1
        values: tuple[Any, ...] = tuple(self.rng.randint(1, sides) for sides in roll.dice)
        if roll.draw:
            values = tuple(self.rng.sample(roll.pool, roll.draw))
        self.apply(Rolled(f"{roll.stem}#{self.counts[roll.stem]}", roll, values))

    def answer(self, ask: Ask, player: Player) -> None:
        if isinstance(ask.client, Commit):
            self.seal(ask, ask.client)
        elif isinstance(ask.client, OpenSlots):
            self.open(ask.seat, ask.client.slots)
        elif ask.window and self.rng.random() < 0.3:
            self.apply(Lapsed(ask.seat, ask))
        else:
            self.order(ask, player(self.state, ask, self.known(ask.seat), self.rng))

    def seal(self, ask: Ask, commit: Commit) -> None:
        name = f"{ask.seat}-{commit.name}"
        self.counts[name] += 1
        contents = list(commit.contents) or [self.secret[slot] for slot in commit.replaces]
        self.rng.shuffle(contents)
        slots = tuple(f"{name}/{self.counts[name]}/{number}" for number in range(commit.count))
        self.secret.update(zip(slots, contents, strict=True))
        step = Sealed(ask.seat, name, "deck", slots, commit.replaces)
        assert ENGINE.refuse(self.state, ask.seat, step, self.known(ask.seat)) is None
        self.apply(step)

    def open(self, seat: str, slots: tuple[str, ...]) -> None:
        items = tuple((slot, self.secret[slot]) for slot in slots)
        order = Support.model_validate(items[0][1]) if slots[0] in self.choices else None
        self.public.update(items)
        step = Opened(seat, items, order)
        assert ENGINE.refuse(self.state, seat, step, self.public) is None
        self.apply(step)

    def order(self, ask: Ask, order: Order) -> None:
        known = self.known(ask.seat)
        list(ENGINE.offers(self.state, ask.seat, self.public))  # what the opponent's report lists
        verdict = ENGINE.refuse(self.state, ask.seat, order, known)
        assert not isinstance(verdict, Illegal), f"{ask.seat}: {order}: {verdict}"
        self.orders[order.kind] += 1
        if ask.sealed == order.kind:
            self.counts[ask.secret] += 1
            name = f"{ask.secret}#{self.counts[ask.secret]}"
            self.secret[name], self.choices[name] = order.body(), ask.seat
            self.apply(Sealed(ask.seat, name, "choice", (name,)))
            return
        slots = ENGINE.opens(self.state, ask.seat, order, known)
        if slots:
            self.public.update((slot, self.secret[slot]) for slot in slots)
            self.apply(Opened(ask.seat, tuple((slot, self.secret[slot]) for slot in slots)))
        verdict = ENGINE.refuse(self.state, ask.seat, order, self.public)
        assert not isinstance(verdict, Illegal), f"in public {ask.seat}: {order}: {verdict}"
        self.apply(Ordered(ask.seat, order))


def watch(s: State) -> None:
    """What holds in every position."""
    for seat in SEATS:
        cards = s.cards[seat]
        every = (*cards.pile, *cards.hand, *cards.discard, *cards.aside)
        assert len(set(every)) == len(every) <= 50
        assert all(slot.startswith(f"{seat}-deck/") for slot in every)
    for space in s.board.spaces:
        here = [id for id, one in s.counters.items() if one.at == space]
        assert len({seat_of(s, id) for id in here}) < 2, f"both sides stand in {space}"
        units = [id for id in here if not is_slot(id)]
        assert not units or len(units) <= capacity(s, seat_of(s, units[0]), space)
    places = [chief.at for chief in s.leaders.values() if chief.at in s.board.spaces]
    assert len(set(places)) == len(places)
    assert not s.destroyed & {
        space for space in s.control if s.board.space(space).kinds <= {"battery", "heavy_battery"}
    }
    assert s.points[BRITISH] >= 0


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("seed", range(2))
def test_bots_play_to_the_end(scenario: str, seed: int) -> None:
    table = Table(scenario, seed)
    table.run(sensible, watch)
    assert ENGINE.outcome(table.state) is not None
    assert {"deploy", "attack", "support", "march", "pass"} <= set(table.orders)
    assert all(sentence(note, ENGINE.words) for note in table.notes)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_chance_plays_to_the_end(scenario: str) -> None:
    table = Table(scenario, 7, opt_9_3d="on", opt_14_0="on")
    table.run(bot.sample, watch)
    assert ENGINE.outcome(table.state) is not None


@pytest.mark.parametrize("scenario", ["island", "free"])
def test_contract_over_another_game(scenario: str) -> None:
    play(ENGINE, SCENARIOS[scenario], seed=11, steps=60, looks=4)


def test_every_closed_counter_is_a_unit_or_a_dummy_of_its_brigade() -> None:
    table = Table("standard", 3)
    table.run(sensible, lambda s: None)
    named = [what for slot, what in table.secret.items() if slot.startswith(("british-mainland/", "british-island/"))]
    assert len(named) == 44
    assert sum(what in table.state.board.dummies for what in named) == 10


def test_a_copy_is_independent() -> None:
    table = Table("standard", 5)
    table.run(sensible, lambda s: None)
    copy = deepcopy(table.state)
    assert copy == table.state
    copy.counters.clear()
    copy.points[JAPAN] += 1
    copy.cards[JAPAN].hand = ()
    assert table.state.counters
    assert copy != table.state


# --- reader ---


def placed(sections: dict[str, list[str]]) -> State:
    table = Table("standard", 0)
    ENGINE.place(table.state, {"turn": ["phase action act"], **sections})
    return table.state


def test_strength_is_what_lies_open_as_it_is_now() -> None:
    """228-1 counts 4, 228-2 on its back 2 and one less without supply, 2RS-A 3; reserves and dummies nothing."""
    japanese = ["228-1 N01", "228-2 N02 disrupted oos", "66-1 reserve"]
    state = placed({"counters": [*japanese, "2RS-A G03", "DM-1 G03", "british-mainland/1/0 G02"]})
    assert isinstance(ENGINE, Musters)
    assert ENGINE.strength(state) == {"japan": 4 + 1, "british": 3, "unseen counters": 1}


KNOWN = {"british-mainland/1/0": "2RS-A", "british-deck/1/4": "BE1", "japan-deck/1/9": "JS1"}


@pytest.mark.parametrize(
    ("seat", "typed", "said"),
    [
        (BRITISH, "march 2rs-a g03-g02", "march british-mainland/1/0 G03-G02"),
        (BRITISH, 'march 2RS-A "Shing Mun Redoubt"', None),
        (BRITISH, 'event "Heavy Rain"', "event british-deck/1/4"),
        (BRITISH, "event be1", "event british-deck/1/4"),
        (JAPAN, 'bombard "Mount Davis" using JS1', "bombard H01 using japan-deck/1/9"),
        (JAPAN, "march 228-1 N03-N02, 228-2 N03-N04", "march 228-1 N03-N02 228-2 N03-N04"),
        (JAPAN, "support none", "support"),
        (JAPAN, "hits 228-1: disrupt retreat N02, Doi retreat N02", "hits 228-1 disrupt retreat N02 Doi retreat N02"),
    ],
)
def test_names_become_ids_and_slots(seat: str, typed: str, said: str | None) -> None:
    s = placed(
        {
            "counters": ["british-mainland/1/0 G03", "228-1 N03", "228-2 N03"],
            "leaders": ["Doi N03"],
            "cards": ["british hand british-deck/1/4", "japan hand japan-deck/1/9"],
        }
    )
    if said is None:
        with pytest.raises(Unreadable):
            ENGINE.read(s, seat, typed, KNOWN)
        return
    order, *_ = ENGINE.read(s, seat, typed, KNOWN)
    assert str(order) == said
    assert order in ENGINE.read(s, seat, ENGINE.phrase(s, seat, order, KNOWN), KNOWN)


@pytest.mark.parametrize(
    ("section", "line"),
    [
        ("turn", "phase action dancing"),
        ("points", "japan many"),
        ("counters", "2RS-Z G03"),
        ("counters", "2RS-A G03 tired"),
        ("leaders", "Percival G03"),
        ("control", "Q1"),
        ("markers", "castle G03"),
        ("cards", "japan sleeve japan-deck/1/0"),
        ("cards", "japan hand japan-deck/1/0=XX"),
        ("facts", "owed nobody 3"),
        ("frames", '1 duel {"seat":"japan"}'),
        ("frames", '1 combat {"seat":7}'),
        ("options", "r99 on"),
        ("result", "nobody 4.0"),
        ("weather", "rain"),
    ],
)
def test_what_fits_no_position_is_told(section: str, line: str) -> None:
    with pytest.raises(Trouble):
        placed({section: [line]})


def test_a_set_up_is_typed_line_by_line() -> None:
    block = joined(
        script_lines("deploy\nG03: 2RS-A DM-1 fort\n# a remark\nG02: DM-2\nend\npass"), openers(ENGINE.orders)
    )
    assert [(line.number, line.text.count("\n")) for line in block] == [(1, 3), (6, 0)]
    assert READER.read(block[0].text) == READER.read("deploy G03: 2RS-A DM-1 fort G02: DM-2")


# --- ways of taking hits ---


@pytest.mark.parametrize(("low", "high"), [(0, 0), (1, 1), (3, 5), (7, 7), (9, 12)])
def test_the_ways_of_hits_are_those_that_reach_them(low: int, high: int) -> None:
    """Without trying the others: the same as picking them out of all."""
    fates: list[tuple[tuple[str, ...], int, int]] = [
        (("a", "disrupt"), 1, 1), (("a", "disrupt", "retreat", "K02"), 2, 2), (("a", "eliminate"), 2, 3),
    ]  # fmt: skip
    parts = [[((f"{n}", *fate[1:]), few, many) for fate, few, many in fates] for n in range(3)]
    picked = [
        tuple(fate for fate, *_ in way)
        for way in product(*parts)
        if sum(few for _, few, _ in way) <= high and sum(many for *_, many in way) >= low
    ]
    assert list(hits._reaching(parts, low, high)) == picked


def test_sixteen_units_do_not_hold_up_a_game() -> None:
    """With three fates each there are 3 to the 16th ways, 43 million; the first that reach the hits come at once."""
    part: list[tuple[tuple[str, ...], int, int]] = [
        (("a", "disrupt"), 1, 1), (("a", "retreat", "K02"), 1, 1), (("a", "eliminate"), 2, 3),
    ]  # fmt: skip
    assert next(hits._reaching([part] * 16, 40, 40))
    assert not list(hits._reaching([part] * 16, 49, 49))


# --- the README ---


def blocks(marker: str) -> Iterator[str]:
    yield from re.findall(rf"{marker}.*?```\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def test_the_readme_lists_every_order() -> None:
    (listed,) = blocks("<!-- orders:")
    assert listed == "".join(f"{usage_line(order)}\n    {order.about}\n" for order in ORDERS)


def test_the_turn_of_the_readme_is_a_case_that_holds() -> None:
    (told,) = blocks("<!-- a turn:")
    lines = [re.split(r"  +", line)[0] for line in told.splitlines()]
    cases = tomllib.loads((CASES / "rounds.toml").read_text(encoding="utf-8"))["case"]
    assert lines == next(case["play"] for case in cases if case["id"] == "readme-turn")


def test_the_standing_orders_of_the_readme_are_a_case_that_holds() -> None:
    (told,) = blocks("<!-- a combat without a mail")
    cases = tomllib.loads((CASES / "standing.toml").read_text(encoding="utf-8"))["case"]
    given = next(case["given"] for case in cases if case["id"] == "combat-without-mail")
    assert told.splitlines() == given["set"]["standing"]


def test_the_readme_names_every_section() -> None:
    text = README.read_text(encoding="utf-8").partition("## For cases and scripts")[2]
    assert re.findall(r"^\| `([a-z]+)` \|", text, re.MULTILINE) == list(ENGINE.position(Table("standard", 0).state))
