"""Battle Card: Malaya: contract, invariants, data, reader, pictures, perfect play, speed. Its rules are cases."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from malaya_solver import Solver, start

from pbem.api import NOTHING_KNOWN, Amended, Ask, Illegal, Lapsed, Order, Ordered, Picture, Roll, Rolled, silent
from pbem.errors import Trouble, Unreadable
from pbem.report import sentence
from pbem.testing import Game, check_engine, play
from rules.battle_card_malaya import ENGINE
from rules.battle_card_malaya.bot import advise
from rules.battle_card_malaya.components import CHOICES, RESULT, SPACE, check_printed, load
from rules.battle_card_malaya.orders import READER, Counterattack, Defend, NoWithdrawal, OrderOfBattles, Withdraw
from rules.battle_card_malaya.state import State
from rules.kit.orders import help_lines

README = Path(__file__).parents[1] / "rules" / "battle_card_malaya" / "README.md"
SCENARIOS = {scenario.id: scenario for scenario in ENGINE.scenarios()}
OPTION_SETS = [
    {"r10": r10, "r15": r15} for r10 in ("all-first", "battle-by-battle") for r15 in ("after", "before", "own")
]
SEAT = "allies"
MICROSECONDS = 50


def placed(sections: dict[str, list[str]], **chosen: str) -> State:
    """A position on the standard card, with some sections set and options chosen."""
    state: State = start(**chosen)
    ENGINE.place(state, sections)
    return state


def order(state: State, text: str) -> None:
    """Give an order that is legal."""
    (meaning,) = ENGINE.read(state, SEAT, text, NOTHING_KNOWN)
    assert ENGINE.refuse(state, SEAT, meaning, NOTHING_KNOWN) is None
    ENGINE.apply(state, Ordered(SEAT, meaning))


def fall(state: State, die: int) -> None:
    (roll,) = ENGINE.pending(state)
    assert isinstance(roll, Roll)
    ENGINE.apply(state, Rolled(f"{roll.stem}#1", roll, (die,)))


# --- the contract, and what holds in every position ---


def test_contract() -> None:
    check_engine(ENGINE, games=20)


@pytest.mark.parametrize("scenario", SCENARIOS)
@pytest.mark.parametrize("options", OPTION_SETS, ids=lambda options: "-".join(options.values()))
def test_what_holds_in_every_position(scenario: str, options: dict[str, str]) -> None:
    for seed in range(10):
        game = play(ENGINE, SCENARIOS[scenario], seed=seed, options=options, watch=check)
        assert all(sentence(note, ENGINE.words) for note in game.notes)


def check(game: Game) -> None:
    s: State = game.state
    assert all(1 <= strength <= 6 for strength in s.allied.values())
    assert all(1 <= unit.strength <= 6 for unit in s.japanese.values())
    assert 1 <= s.turn <= 6
    assert set(s.allied) <= set(s.card.spaces)
    places = [unit.at for unit in s.japanese.values()]
    assert len(set(places)) == len(places)
    assert s.card.goal not in places
    assert set(s.battles) <= set(s.allied) & set(places)
    assert len(s.allied) <= len(s.card.allied)
    if s.result is None:
        assert len(s.japanese) == 2
        assert s.card.must_hold not in places or s.card.must_hold in s.allied
    if s.step == "battle" and not any(isinstance(step, Rolled) for step in game.steps[-2:]):
        assert all(unit.at in s.allied or s.card.next(unit.at) == s.card.goal for unit in s.japanese.values())
    assert ENGINE.picture(s, "", NOTHING_KNOWN) == ENGINE.picture(s, SEAT, NOTHING_KNOWN)


def test_strength_never_grows_on_the_allied_side() -> None:
    """Units merge and lose; nothing adds to their sum."""

    def watch(game: Game) -> None:
        total = sum(game.state.allied.values())
        assert total <= before[-1]
        before.append(total)

    for seed in range(30):
        before = [15 + 1]
        play(ENGINE, SCENARIOS["standard"], seed=seed, watch=watch)


def test_only_the_allied_seat_may_order() -> None:
    verdict = ENGINE.refuse(start(), "japanese", NoWithdrawal(), NOTHING_KNOWN)
    assert isinstance(verdict, Illegal)
    assert verdict.ids == ("R1",)


def test_nothing_is_ordered_while_a_die_is_due_or_after_the_end() -> None:
    due = placed({"step": ["battle"], "allied": ["jitra 4", "kota_bharu 2"]}, r10="battle-by-battle")
    order(due, "defend Kota Bharu")
    over = placed({"result": ["lost BC-4.4"]})
    for state, given in ((due, Defend(location="jitra")), (over, NoWithdrawal())):
        verdict = ENGINE.refuse(state, SEAT, given, NOTHING_KNOWN)
        assert isinstance(verdict, Illegal)
        assert verdict.ids == ("BC-3.0",)
        assert not list(ENGINE.offers(state, SEAT, NOTHING_KNOWN))


def test_a_withdrawal_out_of_step_is_not_a_second_one() -> None:
    """The Japanese moves of the turn are no withdrawal of ours."""
    state = placed({"allied": ["kampar 4", "kota_bharu 2"]})
    order(state, "no withdrawal")
    verdict = ENGINE.refuse(state, SEAT, Withdraw(location="kampar"), NOTHING_KNOWN)
    assert isinstance(verdict, Illegal)
    assert verdict.ids == ("BC-3.0",)
    assert verdict.hint.startswith("legal now: counterattack Kampar; defend Kampar; ")


def test_a_battle_is_one_die() -> None:
    state = placed({"step": ["battle"], "battles": ["1 jitra defend"]})
    assert ENGINE.pending(state) == (Roll("t1/battle/jitra", "BC-3.3.5", dice=(6,)),)


def test_a_copy_is_its_own() -> None:
    state = start()
    copy = deepcopy(state)
    order(copy, "withdraw Jitra")
    order(copy, "order Kota Bharu Kampar")
    assert state == start()
    assert copy != state


def test_the_order_of_battles_is_part_of_a_position() -> None:
    one = placed({"step": ["battle"]})
    other = deepcopy(one)
    order(other, "order Kota Bharu Jitra")
    assert one != other


def test_options_may_be_amended() -> None:
    state = placed({"allied": ["kluang 3", "endau 2"], "japanese": ["trunk kluang 5", "eastern kota_bharu 6"]})
    ENGINE.apply(state, Amended({"r15": "before"}), silent)
    order(state, "withdraw Kluang")
    outcome = ENGINE.outcome(state)
    assert outcome is not None
    assert outcome.winner == SEAT


def test_steps_that_cannot_happen_are_bugs() -> None:
    with pytest.raises(ValueError, match="no step of this game"):
        ENGINE.apply(start(), Lapsed(SEAT, Ask(SEAT, "withdraw", "BC-3.1.1")))


# --- data ---


def test_our_data_are_what_the_rulebook_prints() -> None:
    tables = load()
    assert list(check_printed(tables)) == []
    assert len(tables[SPACE]) == 8
    assert len(tables[RESULT]) == len(CHOICES) * 4


def test_level_strength_reads_the_allied_row() -> None:
    """As reported by two readers of the card (R11)."""
    rows = {(row.choice, row.advantage): row.losses for row in load()[RESULT]}
    assert all(rows[choice, "even"] == rows[choice, "allied"] for choice in CHOICES)


def test_an_advantage_never_hurts_its_side() -> None:
    """For every die: the better the Allied row, the fewer Allied and the more Japanese losses on the defence."""
    rows = {(row.choice, row.advantage): row.losses for row in load()[RESULT]}
    for choice in CHOICES:
        worse = [rows[choice, "decisive"], rows[choice, "japanese"], rows[choice, "even"]]
        for bad, good in pairwise(worse):
            assert all(a[0] >= b[0] for a, b in zip(bad, good, strict=True))


def test_provenance_is_told_by_column() -> None:
    tables = {table.name: table.provenance for table in load().tables()}
    assert tables["game"] == {"printed": 1}
    assert tables["space"] == {"printed": 1, "reported": 7}
    assert set(tables["setup"]) == set(tables["result"]) == set(tables["japanese"]) == {"reported"}


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        ('[[space]]\nid = "endau"\nnext = "kota_bharu"', "circle"),
        ('[[space]]\nid = "kampar"\nalso = ["jitra"]', "circle"),
        ('[[space]]\nid = "kampar"\nnext = "ipoh"', "no space ipoh"),
        ('[[space]]\nid = "kluang"\nnext = ""', "only singapore"),
        ('[[space]]\nid = "ipoh"\nname = "Ipoh"\nnext = "kampar"\nxy = [1, 1]', "knows no ipoh"),
        ('[[space]]\nid = "endau"\nremove = true', "no space endau"),
        ('[[setup]]\nscenario = "standard"\nspace = "kampar"\nremove = true', "kampar needs one row"),
        ('[[setup]]\nscenario = "standard"\nspace = "kampar"\nallied = 7', "less than or equal to 6"),
        ('[[japanese]]\nscenario = "standard"\nroad = "trunk"\nremove = true', "1 Japanese units, 2 dice"),
        ('[[japanese]]\nscenario = "standard"\nroad = "trunk"\nspace = "kota_bharu"', "Locations of their own"),
        ('[[japanese]]\nscenario = "standard"\nroad = "trunk"\nstrength = 0', "greater than or equal to 1"),
        ("[game]\nstrength_cap = 5", "more than 5"),
        ("[game]\nallied_dice = 6", "more Allied units than 6"),
        ('[[result]]\nchoice = "defend"\nadvantage = "even"\nremove = true', "no row for even"),
        ('[[result]]\nchoice = "defend"\nadvantage = "even"\nlosses = [[1, 0]]', "losses"),
        ('[[result]]\nchoice = "flee"\nadvantage = "even"\nlosses = []', "choice"),
    ],
)
def test_a_card_that_cannot_be_right_is_refused(tmp_path: Path, table: str, fault: str) -> None:
    copy = tmp_path / "mine.toml"
    copy.write_text(f'provenance = "printed"\n{table}\n', encoding="utf-8")
    with pytest.raises(Trouble) as told:
        ENGINE.components(1, copy)
    assert fault in str(told.value)


def test_an_owners_card_is_played(tmp_path: Path) -> None:
    copy = tmp_path / "mine.toml"
    copy.write_text('provenance = "printed"\n[[setup]]\nscenario = "standard"\nspace = "jitra"\nallied = 5\n')
    tables = ENGINE.components(1, copy)
    state = ENGINE.setup(_start(tables))
    assert "jitra 5" in ENGINE.position(state)["allied"]
    assert tables.tables() != load().tables()


def _start(tables: Any) -> Any:
    from pbem.api import Start

    return Start("standard", {"r10": "all-first", "r15": "after"}, (SEAT,), 1, tables)


# --- reading ---


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("withdraw Kuala Lumpur", Withdraw(location="kuala_lumpur")),
        ("WITHDRAW kuala_lumpur", Withdraw(location="kuala_lumpur")),
        ("withdraw from kota bharu", Withdraw(location="kota_bharu")),
        ("withdraw kampar to kuala lumpur", Withdraw(location="kampar", to="kuala_lumpur")),
        ("withdraw Jit", Withdraw(location="jitra")),
        ("no withdrawal", NoWithdrawal()),
        ("stay", NoWithdrawal()),
        ("attack in Kampar", Counterattack(location="kampar")),
        ("Kuala Lumpur: defend", Defend(location="kuala_lumpur")),
        ("order Kota Bharu, Kuala Lumpur", OrderOfBattles(locations=("kota_bharu", "kuala_lumpur"))),
    ],
)
def test_what_players_type(typed: str, meant: Order) -> None:
    assert ENGINE.read(start(), SEAT, typed, NOTHING_KNOWN)[0] == meant


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("withdraw", "withdraw LOCATION"),
        ("withdraw Kauntan", "Kuantan"),
        ("withdraw Ku", "Jitra"),
        ("defend Ipoh", "Kampar"),
        ("air Kuantan", "trunk, eastern or weakest"),
        ("retreat from Jitra", "you may write"),
    ],
)
def test_what_cannot_be_read_is_hinted_at(typed: str, hint: str) -> None:
    with pytest.raises(Unreadable) as told:
        ENGINE.read(start(), SEAT, typed, NOTHING_KNOWN)
    assert hint in told.value.hint


def test_a_space_that_the_card_does_not_have_is_no_order() -> None:
    with pytest.raises(ValueError, match="no space of the card"):
        Withdraw(location="ipoh")


def test_refusals_say_what_is_possible_instead() -> None:
    state = start()
    verdict = ENGINE.refuse(state, SEAT, Withdraw(location="kampar"), NOTHING_KNOWN)
    assert isinstance(verdict, Illegal)
    assert verdict.why == "no Japanese unit stands in Kampar; only a unit beside one may withdraw"
    assert verdict.hint == "units that may withdraw: Jitra, Kota Bharu"


def test_a_refusal_warns_of_a_withdrawal_that_eliminates() -> None:
    state = placed({"allied": ["jitra 1", "kampar 2", "endau 2"]})
    verdict = ENGINE.refuse(state, SEAT, Withdraw(location="kampar"), NOTHING_KNOWN)
    assert isinstance(verdict, Illegal)
    assert verdict.hint == "units that may withdraw: Jitra (it would be eliminated)"


# --- positions ---


@pytest.mark.parametrize(
    ("section", "line"),
    [
        ("turn", "7"),
        ("turn", "one"),
        ("step", "advance"),
        ("step", "lunch"),
        ("allied", "kampar 7"),
        ("allied", "kampar 0"),
        ("allied", "ipoh 2"),
        ("allied", "kampar"),
        ("japanese", "trunk singapore 3"),
        ("japanese", "western kampar 3"),
        ("japanese", "trunk kampar"),
        ("japanese", "trunk kampar 9"),
        ("battles", "2 jitra defend"),
        ("battles", "1 jitra flee"),
        ("battles", "1 kampar defend"),
        ("moved", "1 nobody jitra"),
        ("moved", "1 allies ipoh"),
        ("options", "r99 yes"),
        ("result", "won BC-9"),
        ("weather", "rain"),
        ("turn", " "),
    ],
)
def test_bad_lines_of_a_case_are_told(section: str, line: str) -> None:
    with pytest.raises(Trouble) as told:
        placed({section: [line]})
    assert section in str(told.value) or "shared" in str(told.value)


def test_two_japanese_units_never_stand_in_one_location() -> None:
    with pytest.raises(Trouble, match="japanese"):
        placed({"japanese": ["trunk kampar 3", "eastern kampar 4"]})


def test_a_position_waits_for_something() -> None:
    with pytest.raises(Trouble, match="nothing is waited for"):
        placed({"allied": ["kluang 3"]})


# --- what the player sees ---


def card(state: State) -> Picture:
    return ENGINE.picture(state, SEAT, NOTHING_KNOWN).pictures[0]


def test_the_text_map() -> None:
    state = placed({"turn": ["3"], "step": ["battle"], "moved": ["1 allies kota_bharu kuantan", "2 trunk jitra"]})
    assert card(state).text == (
        "A = Allied, J = Japanese, - = none; +1 = reinforcement of a Japanese unit",
        "",
        "  TRUNK ROAD                          EASTERN ROAD",
        "  Jitra         A4 J6                 Kota Bharu    A2 J6",
        "  Kampar        A2 J- +2              Kuantan       A2 J- +1",
        "  Kuala Lumpur  A2 J-                 Endau         A2 J- +1",
        "",
        "  BOTH ROADS, on from there",
        "  Kluang        A2 J- +1",
        "  Singapore     A-",
        "",
        "  Turn: 1 2 [3] 4 5 6",
        "  Allied withdrawal: Kota Bharu > Kuantan",
    )


def test_text_maps_fit_a_terminal() -> None:
    def watch(game: Game) -> None:
        for line in card(game.state).text:
            assert line.isascii()
            assert len(line) <= 78

    for scenario in SCENARIOS.values():
        play(ENGINE, scenario, seed=3, watch=watch)


def test_the_player_is_warned_of_costly_withdrawals() -> None:
    state = placed({"allied": ["jitra 1", "endau 2"], "japanese": ["trunk jitra 6", "eastern endau 5"]})
    warnings = [text for name, text in ENGINE.picture(state, SEAT, NOTHING_KNOWN).facts if name == "beware"]
    assert warnings == [
        "the unit in Jitra has strength 1: a withdrawal would eliminate it [R5]",
        "a withdrawal from Endau would lose the game [BC-4.3]",
    ]


def test_a_switched_ruling_is_named_in_the_report() -> None:
    facts = dict(ENGINE.picture(start(r10="battle-by-battle"), SEAT, NOTHING_KNOWN).facts)
    assert facts["option r10"] == "battle-by-battle"
    assert "option r15" not in facts


def test_the_rows_that_apply_are_shown() -> None:
    state = placed({"step": ["battle"], "battles": ["1 jitra defend", "2 kota_bharu -"]})
    (table,) = [grid for grid in ENGINE.picture(state, SEAT, NOTHING_KNOWN).grids if grid.title.startswith("Battles")]
    assert [row[:3] for row in table.rows] == [
        ("Jitra", "counterattack", "Japanese"),
        ("Jitra", "defend *", "Japanese"),
        ("Kota Bharu", "counterattack", "decisive Japanese"),
        ("Kota Bharu", "defend", "decisive Japanese"),
    ]
    assert table.rows[0][3:] == ("3/1", "2/1", "2/1", "2/1", "1/1", "1/1")


def test_the_readme_lists_the_orders() -> None:
    cheat_sheet = "\n".join(help_lines(READER.classes))
    assert f"checked by tests/test_malaya.py -->\n```\n{cheat_sheet}\n```\n" in README.read_text(encoding="utf-8")


def test_the_turn_in_the_readme_is_real() -> None:
    (shown,) = re.findall(r"<!-- a turn: .*?-->\n```\n(.*?)```\n", README.read_text(encoding="utf-8"), re.DOTALL)
    lines = shown.splitlines()
    assert list(told(line for line in lines if line.startswith(">"))) == lines


def told(script: Iterator[str]) -> Iterator[str]:
    """A turn from the start: the lines of the script, each followed by what the report says."""
    state = start()
    for line in script:
        yield line
        notes: list[Any] = []
        if die := re.fullmatch(r"> \(die (\d)\)", line):
            (roll,) = ENGINE.pending(state)
            assert isinstance(roll, Roll)
            ENGINE.apply(state, Rolled(f"{roll.stem}#1", roll, (int(die[1]),)), notes.append)
        else:
            (meaning,) = ENGINE.read(state, SEAT, line[2:], NOTHING_KNOWN)
            assert ENGINE.refuse(state, SEAT, meaning, NOTHING_KNOWN) is None
            ENGINE.apply(state, Ordered(SEAT, meaning), notes.append)
        yield from (sentence(note, ENGINE.words) for note in notes)


# --- perfect play ---


@pytest.mark.parametrize(
    ("value", "sections"),
    [
        # the last point from the air
        (
            Fraction(1),
            {"step": ["air"], "allied": ["kuantan 1"], "japanese": ["trunk kampar 1", "eastern kota_bharu 6"]},
        ),
        # two points are one too many
        (
            Fraction(0),
            {"step": ["air"], "allied": ["kuantan 1"], "japanese": ["trunk kampar 2", "eastern kota_bharu 6"]},
        ),
        # ahead, a counterattack costs the Japanese 2 unless the die is 1: 5 in 6
        (
            Fraction(5, 6),
            {"step": ["battle"], "allied": ["kampar 4"], "japanese": ["trunk kampar 2", "eastern kota_bharu 6"]},
        ),
        # with air support the 1 will do as well: its point and one from the air
        (
            Fraction(1),
            {
                "step": ["battle"],
                "allied": ["kampar 4", "kuantan 1"],
                "japanese": ["trunk kampar 2", "eastern jitra 6"],
            },
        ),
        # 3 points: 2 in battle and 1 from the air, 5 in 6
        (
            Fraction(5, 6),
            {
                "step": ["battle"],
                "allied": ["kampar 4", "kuantan 1"],
                "japanese": ["trunk kampar 3", "eastern jitra 6"],
            },
        ),
        # two such battles: both must fail, 1 - 1/6 x 1/6
        (
            Fraction(35, 36),
            {"step": ["battle"], "allied": ["kampar 4", "endau 4"], "japanese": ["trunk kampar 2", "eastern endau 2"]},
        ),
        # behind but not by three to one, 2 points: only a counterattack and the air can do it, and always do: 1 + 1
        (
            Fraction(1),
            {
                "step": ["battle"],
                "allied": ["kampar 1", "kuantan 1"],
                "japanese": ["trunk kampar 2", "eastern jitra 6"],
            },
        ),
        # decisively behind, 3 points against 1: 2 by a die of 5 or 6, and 1 from the air: 1 in 3
        (
            Fraction(1, 3),
            {
                "step": ["battle"],
                "allied": ["kampar 1", "kuantan 1"],
                "japanese": ["trunk kampar 3", "eastern jitra 6"],
            },
        ),
        # a unit of 4 can go home
        (Fraction(1), {"allied": ["kluang 4", "endau 2"], "japanese": ["trunk kluang 6", "eastern kota_bharu 6"]}),
        # a unit of 3 cannot, and against 6 points nothing else is possible in one turn
        (Fraction(0), {"allied": ["kluang 3", "endau 2"], "japanese": ["trunk kluang 6", "eastern kota_bharu 6"]}),
    ],
)
def test_the_last_turn_by_arithmetic(value: Fraction, sections: dict[str, list[str]]) -> None:
    assert Solver().value(placed({"turn": ["6"], **sections})) == value


LATE = {
    "turn": ["5"],
    "allied": ["kuala_lumpur 3", "kluang 2", "kuantan 2", "endau 2"],
    "japanese": ["trunk kuala_lumpur 4", "eastern kuantan 5"],
}


def test_more_freedom_never_lowers_the_value() -> None:
    value = {tuple(options.values()): Solver().value(placed(LATE, **options)) for options in OPTION_SETS}
    for r10 in ("all-first", "battle-by-battle"):
        assert value[r10, "before"] >= value[r10, "own"]  # who arrives with 3 had 3 before
        assert value[r10, "after"] >= value[r10, "own"]  # a merged unit is no weaker than the one that arrives
    for r15 in ("after", "before", "own"):
        assert value["battle-by-battle", r15] >= value["all-first", r15]  # one die more is known
    assert len(set(value.values())) > 1


def test_the_bot_plays_well_but_not_perfectly() -> None:
    assert Fraction(1, 2) < Solver(player=advise).value(start()) < Solver().value(start()) < 1


# --- speed ---


def test_an_order_costs_little() -> None:
    assert min(cost(300) for _ in range(5)) < MICROSECONDS


def cost(games: int) -> float:
    """Microseconds of processor time for an order judged and done, what is pending then, and the dice that follow."""
    rng = random.Random(7)
    fresh, spent, given = start(), 0.0, 0
    for _ in range(games):
        state = deepcopy(fresh)
        while waiting := ENGINE.pending(state):
            due = waiting[0]
            if isinstance(due, Roll):
                step: Any = Rolled(f"{due.stem}#1", due, (rng.randint(1, 6),))
                began = time.process_time()
            else:
                wanted = ENGINE.sample(state, due, NOTHING_KNOWN, rng)
                given += 1
                began = time.process_time()
                assert ENGINE.refuse(state, SEAT, wanted, NOTHING_KNOWN) is None
                step = Ordered(SEAT, wanted)
            ENGINE.apply(state, step)
            ENGINE.pending(state)
            spent += time.process_time() - began
    return spent / given * 1e6
