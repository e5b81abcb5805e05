"""Singapore (1984): whole games of bots and of chance, every position placed again; the lists of optional rules.

The other rules are cases in tests/cases/singapore-1984.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

import pytest

from pbem.api import Ask, Illegal, Known, Lapsed, Note, OpenSlots, Order, Ordered, Roll, Scenario, Start
from pbem.errors import Unreadable
from pbem.report import sentence
from pbem.testing import play
from pbem.unsealed import Unsealed
from rules.singapore_1984 import ENGINE, bot, stacking
from rules.singapore_1984.components import load
from rules.singapore_1984.state import PLAYERS, State
from rules.singapore_1984.written import ITEMS

HISTORICAL, OPTIONAL = ENGINE.scenarios()
Player = Callable[[State, Ask, Known, random.Random], Order]


class Game:
    """A game under way, with what the seats sealed."""

    def __init__(self, scenario: Scenario, seed: int = 0, **options: str) -> None:
        chosen = {option.name: option.default for option in scenario.options} | options
        self.start = Start(scenario.id, chosen, PLAYERS, 1, load())
        self.s: State = ENGINE.setup(self.start)
        self.hidden, self.rng, self.notes = Unsealed(), random.Random(seed), list[Note]()

    def give(self, *texts: str) -> None:
        """Orders of whoever is asked, each of them legal."""
        for text in texts:
            ask = self.asked()
            known = self.hidden.known(ask.seat)
            (order,) = ENGINE.read(self.s, ask.seat, text, known)
            self.order(ask, order)

    def asked(self) -> Ask:
        first = ENGINE.pending(self.s)[0]
        assert isinstance(first, Ask)
        return first

    def order(self, ask: Ask, order: Order) -> None:
        known = self.hidden.known(ask.seat)
        assert ENGINE.refuse(self.s, ask.seat, order, known) is None, (ask.what, str(order))
        if ask.sealed:
            ENGINE.apply(self.s, self.hidden.choose(ask, order), self.notes.append)
            return
        slots = ENGINE.opens(self.s, ask.seat, order, known)
        if slots:
            self.open(ask.seat, slots)
        assert ENGINE.refuse(self.s, ask.seat, order, self.hidden.known("")) is None, str(order)
        ENGINE.apply(self.s, Ordered(ask.seat, order), self.notes.append)

    def open(self, seat: str, slots: Iterable[str]) -> None:
        step = self.hidden.opening(ENGINE, seat, tuple(slots))
        assert ENGINE.refuse(self.s, seat, step, self.hidden.after(step)) is None
        self.hidden.enter(step)
        ENGINE.apply(self.s, step, self.notes.append)

    def refused(self, seat: str, text: str) -> tuple[str, ...]:
        known = self.hidden.known(seat)
        (order,) = ENGINE.read(self.s, seat, text, known)
        wrong = ENGINE.refuse(self.s, seat, order, known)
        return wrong.ids if isinstance(wrong, Illegal) else ()

    def roll(self, *faces: int) -> None:
        for face in faces:
            roll = ENGINE.pending(self.s)[0]
            assert isinstance(roll, Roll)
            ENGINE.apply(self.s, self.hidden.rolled(roll, (face,)), self.notes.append)

    def go_on(self, player: Player) -> None:
        """One step, whatever is waited for."""
        one = ENGINE.pending(self.s)[0]
        if isinstance(one, Roll):
            self.roll(*(self.rng.randint(1, sides) for sides in one.dice))
        elif isinstance(one.client, OpenSlots):
            self.open(one.seat, one.client.slots)
        elif one.window and self.rng.randrange(2):
            ENGINE.apply(self.s, Lapsed(one.seat, one), self.notes.append)
        else:
            self.order(one, player(self.s, one, self.hidden.known(one.seat), self.rng))

    def to_the_end(self, player: Player) -> None:
        for number in range(8000):
            if not ENGINE.pending(self.s):
                return
            if number % 9 == 0:
                self.comes_back()
                sound(self.s)
            self.go_on(player)
        raise AssertionError("the game does not end")

    def comes_back(self) -> None:
        fresh: State = ENGINE.setup(self.start)
        ENGINE.place(fresh, ENGINE.position(self.s))
        assert ENGINE.position(fresh) == ENGINE.position(self.s)
        assert ENGINE.pending(fresh) == ENGINE.pending(self.s)
        assert fresh == self.s


def sound(s: State) -> None:
    """No hex holds both sides; phases begin without a crowd; points are what the account says."""
    hexes = [s.pieces[id].at for id in s.on_map("jp")]
    assert not {*hexes} & s.occupied("cw")
    assert sum(s.account.values()) == s.points
    if s.step == "declare":
        assert not any(stacking.over(s, side) for side in PLAYERS)


def sensible(s: State, ask: Ask, known: Known, rng: random.Random) -> Order:
    return bot.advise(s, ask, known, rng)


def by_chance(s: State, ask: Ask, known: Known, rng: random.Random) -> Order:
    return bot.sample(s, ask, known, rng)


# --- whole games ---


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("scenario", [HISTORICAL, OPTIONAL], ids=lambda scenario: scenario.id)
def test_bots_play_to_the_end(scenario: Scenario, seed: int) -> None:
    game = Game(scenario, seed)
    game.to_the_end(sensible)
    assert ENGINE.outcome(game.s) is not None
    assert any(note.stem == "assault" for note in game.notes)
    assert all(sentence(note, ENGINE.words) for note in game.notes)


@pytest.mark.parametrize("scenario", [HISTORICAL, OPTIONAL], ids=lambda scenario: scenario.id)
def test_chance_plays_to_the_end(scenario: Scenario) -> None:
    game = Game(scenario, 5, r3="key", r4="destroyed", r10="yes")
    game.to_the_end(by_chance)
    assert ENGINE.outcome(game.s) is not None


def test_contract() -> None:
    for scenario in (HISTORICAL, OPTIONAL):
        assert play(ENGINE, scenario, seed=4, steps=30, looks=4).steps


# --- the lists ---


def listed(jp: str = "", cw: str = "") -> Game:
    """A game whose lists are sealed; the Commonwealth is asked what comes before the first turn."""
    game = Game(OPTIONAL)
    game.give(f"options jp {jp}".strip(), f"options cw {cw}".strip())
    assert game.asked().what == "muster"
    return game


def test_both_sides_seal_the_same_slots_whatever_they_list() -> None:
    empty, full = listed(), listed("113/56 13.8/4-3", "16AUS 13.2 13.4 13.8/8-1")
    assert ENGINE.position(empty.s) == ENGINE.position(full.s)
    assert [len(ITEMS[side]) for side in PLAYERS] == [4 + 2, 8 + 11]
    assert not full.hidden.known("")


@pytest.mark.parametrize(
    ("side", "text", "ids"),
    [
        ("jp", "options jp 13.4", ("13.0c",)),
        ("jp", "options jp 16AUS", ("13.0c",)),
        ("jp", "options jp 13.8/5-3", ("13.81",)),
        ("jp", "options jp 13.8/4-2", ("13.81",)),
        ("jp", "options jp 13.8/4-3", ()),
        ("jp", "options cw", ("13.0c",)),
        ("jp", "options jp 13.9 13.9", ("13.0b",)),
        ("cw", "options cw 13.9", ("13.0c",)),
        ("cw", "options cw 13.8/9-1", ("13.82a", "13.82b")),
        ("cw", "options cw 13.8/8-27", ("13.82a", "13.82b")),
        ("cw", "options cw 13.8/8-1", ()),
    ],
)
def test_what_a_list_may_say(side: str, text: str, ids: tuple[str, ...]) -> None:
    game = Game(OPTIONAL)
    if side == "cw":
        game.give("options jp")
    assert game.refused(side, text) == ids


def test_there_are_no_options_in_the_historical_game() -> None:
    game = Game(HISTORICAL)
    assert game.asked().what == "reinforce"
    assert game.refused("jp", "place 113/56 0101") == ("3.0k", "5.51a")
    assert game.refused("jp", "use 13.9") == ("13.0a", "3.0k")


def test_an_option_that_was_not_listed_cannot_be_used() -> None:
    game = listed(cw="13.7")
    assert game.refused("cw", "use 13.6") == ("13.0e", "R59")
    assert game.refused("cw", "use 13.9") == ("13.0c",)
    game.give("use 13.7")
    assert game.refused("cw", "use 13.7") == ("13.0d",)
    assert game.s.points == 75


def test_dalforce_takes_two_points_from_the_event_on_that_shows_it() -> None:
    game = listed(cw="13.7")
    assert game.s.allowance("11/5") == 8
    game.give("use 13.7")
    assert game.s.allowance("11/5") == 6
    assert game.s.allowance("6IND") == 6
    game.s.kuala = "left"  # [13.7b]
    assert game.s.allowance("11/5") == 8


def test_a_unit_of_the_set_up_stands_on_the_map_or_is_out() -> None:
    game = listed(cw="3BR")
    game.give("use 3BR")
    assert game.s.pieces["3BR"].at == "0719"
    late = listed(cw="3BR")
    late.give("end", "end")
    late.open("cw", [late.s.slots["3BR"]])
    assert late.s.pieces["3BR"].at == "out"
    assert late.s.points == game.s.points == 5 + 6


def test_an_optional_reinforcement_is_shown_as_it_enters() -> None:
    game = listed("113/56")
    game.give("end")
    game.s.turn = 7
    assert game.refused("jp", "place 113/56 0101") == ("5.51a",)
    game.s.turn = 8
    game.give("place 113/56 0101")
    assert game.s.pieces["113/56"].at == "0101"
    assert game.s.opened == {"113/56": "yes"}
    assert game.s.points == -(9 + 7)
    assert game.refused("jp", "place 148/56 0101") == ("13.0e", "R59")


def test_matador_comes_before_the_first_turn() -> None:
    game = listed(cw="13.3")
    game.give("use 13.3", "end")
    assert game.asked().what == "move"
    assert game.asked().seat == "cw"
    game.s.change("8IND", at="0502")
    game.give("move 8IND 0402-0302", "end")
    assert (game.s.turn, game.s.active, game.s.matador) == (1, "jp", "done")
    assert game.s.at_start["0302"] == "cw"  # [R23]
    game.give("end")
    assert game.refused("jp", "sea 11/5 from off to 0302") == ("6.0PRd",)
    plain = listed(cw="13.3")
    plain.give("end")
    assert plain.asked().seat == "jp"


def test_what_was_not_shown_counts_at_the_end() -> None:
    game = listed("13.9 113/56", "13.2 13.5")
    game.give("end")
    game.s.turn, game.s.active, game.s.step, game.s.phase = 26, "cw", "crowd", "combat"
    game.s.shipping = "destroyed"
    ENGINE.place(game.s, {})
    for side in PLAYERS:
        assert game.asked().seat == side
        game.go_on(sensible)
    assert game.s.account == {"singapore-held": -50, "13.9": -25, "units-jp": -16, "13.2": 100, "13.5": 25}
    assert game.s.result == ("cw", "cw-decisive", "12.12b")


def test_air_superiority_takes_as_many_from_both() -> None:
    game = listed(cw="13.8/4-1")
    game.give("use 13.82", "end")
    assert game.asked().what == "airsup"
    assert game.refused("jp", "airsup 13") == ("13.83a",)
    game.give("airsup 6")
    assert (game.s.used["air-jp"], game.s.used["air-cw"]) == (6, 4)
    assert game.s.points == 80


def test_the_indomitable_saves_force_z_once_more() -> None:
    game = listed(cw="13.5")
    game.give("end", "end", "sea 11/5 from off to 0302")
    game.give("use 13.5", "intercept landing 0302")
    die = next((die for die in range(1, 7) if not game.s.board.intercepts("0302", die)), None)
    assert die is not None
    game.roll(die)
    game.give("airz no")
    game.roll(6)  # 6 less 1 [6.46, 13.5]
    assert game.s.forcez == "alive"


def test_fortifications_have_three_sides() -> None:
    game = listed(cw="13.4")
    game.give("end", "end", "end", "end")
    assert game.asked().what == "reinforce"
    assert game.asked().seat == "cw"
    assert game.refused("cw", "fort 1012 sides n+ne+se") == ("13.44b",)
    assert game.refused("cw", "fort 0921 sides n+ne") == ("13.44d",)
    game.give("fort 0921 sides n+ne+se")
    assert game.s.opened == {"13.44": "yes"}
    assert game.s.points == 75
    assert game.asked().what == "move"  # one marker a turn [13.44a]
    game.s.step, game.s.turn, game.s.used = "reinforce", 2, {}
    assert game.refused("cw", "fort 0921 sides s+sw+nw") == ("13.44c",)
    assert game.refused("cw", "fort 1021 sides n+ne+se") == ()


def test_lists_are_read_in_any_case() -> None:
    game = Game(OPTIONAL)
    (order,) = ENGINE.read(game.s, "cw", "OPTIONS CW 16aus 13.8/4-3", {})
    assert str(order) == "options cw 16AUS 13.8/4-3"
    with pytest.raises(Unreadable):
        ENGINE.read(game.s, "cw", "options cw 13.1", {})


# --- standing orders ---


def attacked(*standing: str) -> Game:
    """Japan attacks 6IND and 15IND in 0205 with a die that makes them retreat; the Commonwealth said this before."""
    game = Game(HISTORICAL)
    for unit in ("11/5", "41/5", "42/5", "56/18"):
        game.s.change(unit, at="0204")
    game.s.through.update(dict.fromkeys(("0101", "0201", "0202", "0203", "0204"), "jp"))
    game.s.active, game.s.step, game.s.phase = "cw", "move", "move"
    game.give(*standing)
    game.s.active, game.s.step, game.s.phase = "jp", "declare", "combat"
    game.give("attack 0205 from 11/5+41/5+42/5+56/18", "end")
    game.roll(5)  # D2: by 0206 to 0207 or 0307
    return game


def test_a_retreat_is_asked_for_and_a_standing_order_answers() -> None:
    asked = attacked()
    assert (asked.asked().seat, asked.asked().what) == ("cw", "retreat")
    game = attacked("standing retreat any")
    assert game.asked().seat == "jp"
    assert game.asked().what == "advance"
    assert {game.s.pieces[unit].at for unit in ("6IND", "15IND")} <= {"0207", "0307"}


def test_standing_orders_are_kept_one_of_a_kind_and_dropped() -> None:
    game = attacked("standing loss", "standing loss first 15IND+6IND", "standing defence none")
    assert game.s.standing == {"cw": ("standing defence none", "standing loss first 15IND+6IND")}
    game.comes_back()
    said = dict(ENGINE.picture(game.s, "jp", {}).facts)
    assert said["standing orders of the Commonwealth"] == "defence none, loss first 15IND+6IND"
    assert game.refused("cw", "standing defence none") == ("R88",)
    assert game.refused("cw", "standing loss first 11/5") == ("R88",)
    game.give("drop standing")
    assert game.s.standing == {}
    assert game.refused("cw", "drop standing") == ("R88",)


# --- air bases ---


def test_bases_may_be_named() -> None:
    """Nine points, an airfield held since before, one taken this turn; what exceeds six flies from the north. [C49]"""
    game = Game(HISTORICAL)
    s = game.s
    for unit in ("11/5", "41/5"):
        s.change(unit, at="0204")
    s.through.update(dict.fromkeys(s.board.letters, "jp"))
    for hex in ("1106", "1207"):
        s.change("8IND", at="1826")
        s.control[hex] = "jp"
    s.captured["1207"] = s.turn
    s.active, s.step, s.phase = "jp", "declare", "combat"
    attack = "attack 0205 from 11/5+41/5"
    assert "1207" in s.board.airfields
    assert game.refused("jp", f"{attack} air 9 base 1106=6+1207=3") == ("9.82a",)
    assert game.refused("jp", f"{attack} air 9 base 1106=9") == ("9.81b",)
    assert game.refused("jp", f"{attack} air 9 base 1106=6") == ("9.81b",)
    assert game.refused("jp", f"{attack} air 6 base 0719=6") == ("9.81a",)
    assert game.refused("jp", f"{attack} base 1106=6") == ("9.81b",)
    game.give(f"{attack} air 9 base 1106=4+north=5")
    assert {key: s.used[key] for key in ("air@1106", "air@north", "air-jp")} == {
        "air@1106": 4,
        "air@north": 5,
        "air-jp": 9,
    }
