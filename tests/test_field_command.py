"""Field Command's Combat Board: the contract, plans, what is read and printed, and what README.md shows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from pbem.api import NOTHING_KNOWN, Opened, OpenSlots, Order, Ordered, Resigned, Roll, Rolled, Sealed, Start
from pbem.errors import Trouble
from pbem.testing import check_components, check_names, play
from rules.field_command import ENGINE, combat, plans, rule
from rules.field_command.campaign.reading import ORDERS as CAMPAIGN
from rules.field_command.orders import ORDERS, Plan
from rules.field_command.state import Fight, State
from rules.kit.orders import help_lines

README = Path(__file__).parents[1] / "rules" / "field_command" / "README.md"


BATTLES = tuple(one for one in ENGINE.scenarios() if not one.id.startswith("campaign"))


def test_contract() -> None:
    check_names(ENGINE)
    check_components(ENGINE)
    for scenario in BATTLES:
        for seed in range(4):
            play(ENGINE, scenario, seed=seed)


def start(scenario: str = "regiment") -> State:
    seats = next(tuple(seat.id for seat in one.seats) for one in ENGINE.scenarios() if one.id == scenario)
    state: State = ENGINE.setup(Start(scenario, {}, seats, 1, ENGINE.components(1)))
    return state


def test_games_end() -> None:
    for scenario in BATTLES:
        for seed in range(100, 110):
            game = play(ENGINE, scenario, seed=seed, looks=0)
            assert ENGINE.outcome(game.state) is not None
            assert game.orders < 100


# --- plans ---


def placed(**sections: list[str]) -> State:
    state = start()
    given = {
        "node": ["tactic"],
        "line": ["attack 1 J-Tank-1 0", "attack 2 J-Elite-1 1", "defence 1 B-Carrier-1 0", "defence 2 B-Inf-1 0"],
        "air": [],
        "strikes": ["attack 1 J-FGun-1", "attack 2 J-Ftr-1", "defence 1 B-Fix6-1"],
        "counts": ["faces 1", "fresh 1"],
        "plans": ["attack none", "defence none"],
    }
    ENGINE.place(state, given | sections)
    return state


@pytest.mark.parametrize(
    ("text", "role", "true"),
    [
        ("default when foe.point is vehicle", "attack", True),
        ("default when foe.point is carrier and foe.next is infantry", "attack", True),
        ("default when foe.point is vehicle", "defence", True),
        ("default when foe.point is elite", "defence", False),
        ("default when mine.next is elite and foe.line >= 2", "attack", True),
        ("default when foe.line > 2", "attack", False),
        ("default when foe.line < 3", "attack", True),
        ("default when foe.line <= 1", "attack", False),
        ("default when foe.strikes = 1", "attack", True),
        ("default when mine.strikes <> 1", "attack", True),
        ("default when mine.left = 2", "attack", True),
        ("default when foe.tactic is flank", "defence", False),
        ("default when win = 62 and lose = 24", "attack", True),
        ("default when lose = 62 and die = 35 and kill = 6", "defence", True),
        ("default when round = 0 and face = 1 and airround = 0 and declared = 0", "attack", True),
        ("default when mine.air = 0 and foe.air = 0", "attack", True),
    ],
)
def test_conditions(text: str, role: str, true: bool) -> None:
    fight = placed().fight
    assert plans.holds(fight, "attack" if role == "attack" else "defence", rule.parse(text)) is true


def test_nobody_stands_behind_the_last() -> None:
    fight = placed(
        line=["attack 1 J-Tank-1 0", "defence 1 B-Inf-1 0"], node=["strike_attack"], tactic=["assault"]
    ).fight
    assert plans.holds(fight, "attack", rule.parse("default when mine.next is nobody and foe.next is nobody"))


@pytest.mark.parametrize(
    "text",
    [
        "air J-Ftr-1 J-Bmb-1",
        "air best",
        "tactic flank when foe.point is vehicle and mine.line >= 3",
        "add largest",
        "drop d4",
        "strike all",
        "strike 2 at support when foe.tactic is flank",
        "strike B-Fix6-1 B-FGun-1 when declared > 0",
        "keep 1 when foe.line > 1",
        "ask die when die >= 20",
        "default",
    ],
)
def test_rules_are_read_as_they_are_printed(text: str) -> None:
    assert str(rule.parse(text)) == text
    assert str(rule.parse(text.upper().replace(" AND ", "  and "))) == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "begins with one of"),
        ("attack", "begins with one of"),
        ("tactic hold", "assault, concentrate, flank"),
        ("tactic", "tactic what"),
        ("keep some", "a number"),
        ("strike Kranji", "no unit"),
        ("default when", "when what"),
        ("default when foe.line", "a name, a comparison and a value"),
        ("default when foe.line is 2", "no condition"),
        ("default when foe.point is 2", "no condition"),
        ("default when foe.line = 2 or foe.line = 3", "joined by and"),
        ("default now", "stands alone"),
        ("default when " + " and ".join(["foe.line = 2"] * 8), "at most 6"),
    ],
)
def test_what_is_no_rule(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        rule.parse(text)


@pytest.mark.parametrize("dice", [(8, 6), (6, 6, 4), (4,), (10, 6, 8)])
def test_ways_of_the_highest_die(dice: tuple[int, ...]) -> None:
    ways = plans.highest(dice)
    assert ways == Counter(max(faces) for faces in product(*(range(1, sides + 1) for sides in dice)))


def test_a_plan_picks_aircraft_by_its_list() -> None:
    fight = start().fight
    fight.plans["attack"] = ("air J-Ftr-2 J-Ftr-1",)
    assert plans.picked(fight, "attack") == "J-Ftr-2"
    fight.air["attack"].remove("J-Ftr-2")
    assert plans.picked(fight, "attack") == "J-Ftr-1"
    fight.plans["attack"] = ("air worst",)
    assert plans.picked(fight, "attack") in fight.air["attack"]


def test_a_plan_strikes_with_named_units_and_keeps_others() -> None:
    fight = placed(node=["strike_attack"], tactic=["assault"]).fight
    fight.plans["attack"] = ("strike J-Ftr-1 J-FGun-1 at support",)
    assert [shot.unit for shot in plans.struck(fight, "attack")] == ["J-Ftr-1", "J-FGun-1"]
    assert {shot.target for shot in plans.struck(fight, "attack")} == {"B-Carrier-1"}
    fight.plans["attack"] = ("keep 1", "strike all")
    assert [shot.unit for shot in plans.struck(fight, "attack")] == ["J-FGun-1"]
    fight.plans["attack"] = ("strike none", "strike all")
    assert plans.struck(fight, "attack") == ()


def test_a_resignation_and_a_plan_that_is_never_opened() -> None:
    state = start()
    ENGINE.apply(state, Resigned("britain"))
    outcome = ENGINE.outcome(state)
    assert outcome is not None
    assert outcome.winner == "japan"
    state = placed(node=["open_plan"], plans=["attack none", "defence sealed battle/plan#1"])
    assert not ENGINE.replaceable(state, "britain")
    assert ENGINE.replaceable(state, "japan")
    (ask,) = ENGINE.pending(state)
    assert not isinstance(ask, Roll)
    assert ask.client == OpenSlots(("battle/plan#1",))
    opened = Opened("britain", (("battle/plan#1", {}),), Plan(rules=("tactic flank",)))
    refused = ENGINE.refuse(state, "britain", opened, NOTHING_KNOWN)
    assert refused is not None
    assert "4.4.1" in refused.ids  # type: ignore[union-attr]
    assert ENGINE.refuse(state, "britain", Sealed("britain", "x", "choice", ("x",)), NOTHING_KNOWN) is not None


# --- positions ---


@pytest.mark.parametrize(
    ("sections", "why"),
    [
        ({"line": ["attack 1 J-Tank-1 0"]}, "an empty line"),
        ({"node": ["over"]}, "a battle that is over"),
        ({"node": ["somewhere"]}, "is none of"),
        ({"node": ["round"]}, "no tactic"),
        ({"node": ["strikes"], "tactic": ["assault"]}, "no strikes are declared"),
        ({"node": ["pick_attack"]}, "nobody fights for the air"),
        ({"node": ["air_round"]}, "two aircraft"),
        ({"node": ["open_plan"]}, "no sealed plan"),
        ({"line": ["attack 1 J-Tank-9 0"]}, "no unit of this battle"),
        ({"line": ["middle 1 J-Tank-1 0"]}, "neither attack nor defence"),
        ({"counts": ["luck 1"]}, "none of"),
        ({"tactic": ["hide"]}, "no tactic"),
        ({"gone": ["11 B-Inf-2 lost"]}, "none of"),
        ({"plans": ["attack 11 hide"]}, "begins with one of"),
        ({"morale": ["1"]}, "no section"),
        ({"air": [""]}, "an empty line"),
    ],
)
def test_what_is_no_position(sections: dict[str, list[str]], why: str) -> None:
    with pytest.raises(Trouble, match=why):
        placed(**sections)


def test_a_result_is_compared_in_halves() -> None:
    fight = placed().fight
    assert [combat.result(fight, margin) for margin in (1, 5, 6, -5, -6)] == [
        *("suppressed", "suppressed", "eliminated", "suppressed", "eliminated"),
    ]


def test_states_can_be_compared_and_copied() -> None:
    state = placed()
    other = State(state.muster, state.fight.copy())
    assert state == other
    other.fight.line["attack"].pop()
    assert state != other
    assert state.fight != "battle"
    assert isinstance(state.fight, Fight)


# --- README.md ---


def test_the_readme_lists_the_orders() -> None:
    cheat_sheet = "\n".join(help_lines((*ORDERS, *CAMPAIGN)))
    assert f"checked by tests/test_field_command.py -->\n```\n{cheat_sheet}\n```\n" in README.read_text(
        encoding="utf-8"
    )


def test_the_battle_in_the_readme_is_real() -> None:
    (shown,) = re.findall(r"<!-- a battle: .*?-->\n```\n(.*?)```\n", README.read_text(encoding="utf-8"), re.DOTALL)
    lines = shown.splitlines()
    assert list(told(line for line in lines if line.startswith(">"))) == lines


def told(script: Iterator[str]) -> Iterator[str]:
    """A battle from the start: the lines of the script, each followed by what the report says."""
    state = start()
    sealed: dict[str, Order] = {}
    for line in script:
        yield line
        lines: list[str] = []

        def tell(note: object, lines: list[str] = lines) -> None:
            lines.append(ENGINE.words[note.stem].format(**note.args))  # type: ignore[attr-defined]

        due = ENGINE.pending(state)[0]
        if isinstance(due, Roll):
            faces = tuple(int(face) for face in re.findall(r"\d+", line))
            assert len(faces) == len(due.dice)
            ENGINE.apply(state, Rolled(due.stem, due, faces), tell)
        elif due.secret:
            sealed[f"{due.secret}#1"] = ENGINE.read(state, due.seat, line.partition(": ")[2], NOTHING_KNOWN)[0]
            slot = f"{due.secret}#1"
            ENGINE.apply(state, Sealed(due.seat, slot, "choice", (slot,)), tell)
        else:
            seat, _, text = line.removeprefix("> ").partition(": ")
            assert seat == due.seat
            order = ENGINE.read(state, seat, text, NOTHING_KNOWN)[0]
            assert ENGINE.refuse(state, seat, order, NOTHING_KNOWN) is None
            ENGINE.apply(state, Ordered(seat, order), tell)
        due = next(iter(ENGINE.pending(state)), None)
        if due is not None and not isinstance(due, Roll) and isinstance(due.client, OpenSlots):
            slot = due.client.slots[0]
            ENGINE.apply(state, Opened(due.seat, ((slot, sealed[slot].body()),), sealed[slot]), tell)
        yield from lines
