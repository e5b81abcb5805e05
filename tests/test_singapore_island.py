"""Singapore (1984): the assault on the island: pulses, landings, the strait, the Causeway, the reservoirs."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pbem.api import Ask, Illegal, Order, Ordered, Roll, Rolled, silent
from rules.singapore_1984 import bot, combat, components, fighting, island, judging, menus, sequence, stacking
from rules.singapore_1984.components import Board, board
from rules.singapore_1984.orders import READER
from rules.singapore_1984.state import Attack, Battle, State, begin

KIT = Path(components.__file__).parent / "kits" / "plain.toml"


@pytest.fixture(scope="module")
def plain() -> Board:
    return board(components.load(folder=KIT))


def stands(plain: Board, step: str, pulse: int = 0, active: str = "jp", **units: str) -> State:
    """A position in turn 11; with a pulse the assault is under way."""
    s = begin(plain, {})
    for piece in s.pieces.values():
        piece.at = "dead"
    s.turn = 11
    if pulse:
        island.declare(s, silent)
        s.assault, s.pulse = 10, pulse
    s.step, s.active = step, "jp" if active == "jp" else "cw"
    s.phase = {"move": "move", "declare": "combat", "fight": "combat"}.get(step, "reinforce")  # type: ignore[assignment]
    for id, hex in units.items():
        id = id.removeprefix("_")
        s.pieces[id].at = hex
        s.through[hex] = s.side(id)
    return s


def read(text: str) -> Order:
    (order,) = READER.read(text)
    return order


def asked(s: State) -> str:
    (ask,) = sequence.pending(s)
    assert isinstance(ask, Ask)
    return ask.seat


def refused(s: State, text: str) -> tuple[str, ...]:
    wrong = judging.refuse(s, asked(s), read(text))
    return wrong.ids if isinstance(wrong, Illegal) else ()


def give(s: State, *texts: str) -> None:
    for text in texts:
        assert refused(s, text) == (), text
        sequence.apply(s, Ordered(asked(s), read(text)), silent)


def dice(s: State, *faces: int) -> None:
    for face in faces:
        (roll,) = sequence.pending(s)
        assert isinstance(roll, Roll), roll
        sequence.apply(s, Rolled(roll.stem, roll, (face,)), silent)


# --- the declaration ---


def test_the_assault_needs_the_shore(plain: Board) -> None:
    s = stands(plain, "dawn", TJ1="1726", TJ2="1926", TB1="1826", TB2="1826", TB3="1825")
    assert not island.may_declare(s)
    s.pieces["TB3"].at = "dead"
    give(s, "declare assault")
    assert (asked(s), s.assault, s.forcez) == ("cw", 11, "withdrawn")
    assert refused(s, "deploy TB1 i1608") == ("11.0c",)
    give(s, "deploy TB1 i2004")
    assert refused(s, "deploy TB2 i2004") == ("11.51",)  # two brigades are twelve points here
    give(s, "deploy TB2 i2105")
    assert asked(s) == "jp"
    give(s, "deploy TJ1 i1709")
    assert refused(s, "deploy TJ2 i1507") == ("11.0d",)
    assert refused(s, "deploy TJ2 i1602") == ("11.0e",)
    give(s, "deploy TJ2 i1503", "end")
    assert (s.pulse, s.active, asked(s)) == (1, "jp", "jp")


def test_three_pulses_and_the_rest_of_the_turn(plain: Board) -> None:
    s = stands(plain, "dawn", TJ1="i1608", TJ2="1724", TB1="i1905")
    island.declare(s, silent)
    s.step, s.turn = "dawn", 12
    s.through.update(dict.fromkeys(plain.letters, "jp"))
    s.through["i1905"] = "cw"
    sequence.run(s, silent)
    seen = []
    while s.turn == 12 and s.result is None:
        waits = sequence.pending(s)[0]
        if isinstance(waits, Roll):
            dice(s, 1)
            continue
        seen.append((s.pulse, waits.seat, waits.what))
        give(s, "end")
    assert [one for one in seen if one[2] == "move"] == [
        *((1, "jp", "move"), (1, "cw", "move"), (2, "jp", "move"), (2, "cw", "move")),
        *((3, "jp", "move"), (3, "cw", "move"), (0, "jp", "move"), (0, "cw", "move")),
    ]


def test_pulses_are_for_the_inset(plain: Board) -> None:
    s = stands(plain, "move", 1, TJ1="i1608", TJ2="1724")
    assert refused(s, "move TJ2 1723") == ("11.0i",)
    assert refused(s, "move TJ1 i1708") == ()
    s.pulse, s.acted = 0, ("TJ1",)
    assert refused(s, "move TJ1 i1708") == ("11.0i",)
    s.pieces["TJ1"].at = "1726"
    assert refused(s, "move TJ1 1725") == ("11.0g", "R54")


# --- the sea ---


def test_units_off_the_island_are_shot_at(plain: Board) -> None:
    hexes = {"TJ1": "i1909", "TJ2": "i2008", "TJ3": "i2106", "TJ4": "i2104", "TJ5": "i2002"}
    s = stands(plain, "reinforce", 1, **hexes)
    for id in hexes:
        s.pieces[id].origin = "0302"
    s.pieces["TJ5"].reduced = True
    give(s, "end")
    dice(s, 1, 2, 3, 4, 2)
    assert [(s.pieces[id].at, s.pieces[id].reduced) for id in hexes] == [
        *(("dead", False), ("0302", True), ("i2106", True), ("i2104", False), ("dead", True)),
    ]


def test_who_may_sail_to_the_island(plain: Board) -> None:
    s = stands(plain, "reinforce", 1, TJ1="0302", TT1="0302", TJ2="0109", TJ3="0810")
    s.control["0109"] = "jp"
    assert refused(s, "sealand TT1 from 0302 at i2106") == ("9.23", "R64")
    assert refused(s, "sealand TJ1 from 0302 at i2101") == ("11.22b",)
    assert refused(s, "sealand TJ3 from 0810 at i2106") == ("6.0PRa", "R64")
    assert refused(s, "sealand TJ2 from 0109 at i2106") == ("11.22a", "R63")
    s.shipping, s.penang_turn = "intact", 2
    assert refused(s, "sealand TJ2 from 0109 at i2106") == ()
    give(s, "sealand TJ1 from 0302 at i2106")
    assert (s.pieces["TJ1"].at, s.pieces["TJ1"].origin) == ("i2106", "0302")
    s.used["east-infantry"] = 4
    s.pieces["TJ1"].at = "0302"
    assert refused(s, "sealand TJ1 from 0302 at i2106") == ("11.22a", "11.23")


def test_going_ashore(plain: Board) -> None:
    s = stands(plain, "move", 1, TJ1="i2106", TJ2="i2108", TB1="i2105")
    assert refused(s, "ashore TJ1 i2105") == ("5.13",)
    assert refused(s, "ashore TJ1 i1905") == ("11.25b",)
    assert refused(s, "ashore TJ2 i2007") == ()
    give(s, "ashore TJ2 i2007")
    assert (s.pieces["TJ2"].at, s.control["i2007"]) == ("i2007", "jp")
    assert refused(s, "move TJ2 i1907") == ("5.16",)


def test_a_narrow_beachhead(plain: Board) -> None:
    # TB1 holds the city, shut in by zones: it cannot fall back and stays, reduced
    for order, left in (("beach stay", ("i2106", False)), ("beach withdraw", ("0302", True))):
        s = stands(plain, "fight", 1, TJ1="i2106", TB1="i2105", TJ2="i2004", TJ3="i2005")
        s.pieces["TJ1"].origin = "0302"
        b = Battle(Attack(("i2105",), ("TJ1",)), "assault", result="D1", die=3)
        b.stages = tuple(fighting.stages(s, b, "D1"))
        s.battle = b
        sequence.run(s, silent)
        assert s.pieces["TB1"].at == "i2105"
        give(s, order)
        assert (s.pieces["TJ1"].at, s.pieces["TJ1"].reduced) == left


# --- strait and Causeway ---


def test_the_strait(plain: Board) -> None:
    six = {f"TJ{n}": "i1607" for n in range(1, 7)}
    s = stands(plain, "move", 1, **six, TJ7="i1508", TT1="i1507", TB1="i1906")
    assert stacking.over(s, "jp") == ()
    assert refused(s, "move TJ7 i1607-i1707") == ()
    assert refused(s, "move TT1 i1607") == ("11.41b",)
    give(s, "move TJ7 i1607", "end")
    assert (asked(s), stacking.over(s, "jp")) == ("jp", ("i1607",))
    give(s, "remove TJ7")
    assert stacking.over(s, "jp") == ()
    s = stands(plain, "move", 1, "cw", TB1="i1707")
    assert refused(s, "move TB1 i1607") == ("11.41a",)


def test_the_causeway(plain: Board) -> None:
    s = stands(plain, "move", 1, TT1="i1507")
    assert refused(s, "move TT1 i1606-i1706") == ("11.44a",)
    s.control["i1706"] = "jp"
    assert refused(s, "move TT1 i1606-i1706") == ()
    assert refused(s, "move TT1 i1606") == ("11.44b",)


def test_units_in_the_strait_must_attack(plain: Board) -> None:
    s = stands(plain, "declare", 1, TJ3="i1605", TB1="i1705", TB3="i1706")
    s.through["i1605"] = "jp"
    assert refused(s, "end") == ("11.43a",)
    give(s, "attack i1705+i1706 from TJ3")  # 8 - 10 on the town's row
    assert refused(s, "end") == ()


def test_an_exchange_out_of_the_strait(plain: Board) -> None:
    # 16AUS and TB1 with 14 against TJ3 with 8 and one air point: +5 is the ninth column
    s = stands(plain, "declare", 1, "cw", _16AUS="i1706", TB1="i1705", TJ3="i1605")
    assert combat.row(s, ("i1605",)) == 1
    assert combat.column(s, ("i1605",), ("16AUS", "TB1"), 0, 1) == 8
    assert plain.result("assault", 1, 8) == "AX"
    b = Battle(Attack(("i1605",), ("16AUS", "TB1"), 0, 1), "assault", column=8, die=1, result="AX")
    b.defence = combat.defence_total(s, ("i1605",), 1)
    assert b.defence == 9
    b.stages, s.step, s.battle = tuple(fighting.stages(s, b, "AX")), "fight", b
    sequence.run(s, silent)
    if sequence.pending(s)[0].what == "retreat":  # type: ignore[union-attr]
        give(s, str(next(o for o in menus.offers(s, "jp", {}) if o.kind == "retreat")))
    give(s, "lose 16AUS", "lose TB1")  # 5 + 3, one too few
    assert asked(s) == "cw"
    give(s, "lose TB1")
    assert s.pieces["TB1"].at == "dead"


# --- the end ---


@pytest.mark.parametrize(("die", "over"), [(4, False), (5, True), (6, True)])
def test_the_reservoirs(plain: Board, die: int, over: bool) -> None:
    s = stands(plain, "reservoir", 2, TB1="i2004", TJ1="i1905")
    s.control["i1905"] = "jp"
    dice(s, die)
    assert (s.result is not None) == over
    if over:  # the base of turn 11, and 12 for TB1
        assert s.account == {"singapore": plain.base[11], "losses-cw": 12}
        assert s.points == 112


def test_the_city_falls_when_a_turn_ends(plain: Board) -> None:
    s = stands(plain, "declare", 0, "cw", TJ1="i2004", TJ2="i2105", TB1="i1902")
    island.declare(s, silent)
    s.control["i2004"] = s.control["i2105"] = "jp"
    give(s, "end")
    assert s.result is not None
    assert s.pieces["TB1"].at == "dead"
    assert s.account["singapore"] == plain.base[11]


@pytest.mark.parametrize("seed", range(6))
def test_assaults_end(plain: Board, seed: int) -> None:
    # the bots fight for the island; every answer of theirs is legal and the game ends
    rng = random.Random(seed)
    shore = {"TJ1": "1726", "TJ2": "1726", "TJ3": "1825", "TJ4": "1926", "TJ5": "1926", "TJ6": "1726", "TJ7": "1825"}
    s = stands(plain, "dawn", TB1="1826", TB2="1826", TB3="1826", _16AUS="1826", **shore, TT1="1825")
    s.through.update({hex: "jp" for hex in plain.letters if not hex.startswith("i")})
    s.turn = 20
    give(s, "declare assault")
    steps = 0
    while s.result is None:
        waits = sequence.pending(s)[0]
        if isinstance(waits, Roll):
            dice(s, rng.randint(1, 6))
        else:
            order = bot.sample(s, waits, {}, rng)
            assert judging.refuse(s, waits.seat, order) is None
            sequence.apply(s, Ordered(waits.seat, order), silent)
        steps += 1
        assert steps < 4000
    assert s.assault == 20
