"""Singapore (1984): tables that cases show one line of: stacking points, attrition, the printed losses, levels, orders.

Everything else of the rules is a case in tests/cases/singapore-1984.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from pbem.api import silent
from rules.singapore_1984 import components, sequence, stacking, supply, victory
from rules.singapore_1984.board import Board
from rules.singapore_1984.components import board
from rules.singapore_1984.orders import READER
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import Attack, Battle, State, begin

KIT = Path(components.__file__).parent / "kits" / "plain.toml"


@pytest.fixture(scope="module")
def plain() -> Board:
    return board(components.load(folder=KIT))


def stands(plain: Board, active: Player, **units: str) -> State:
    """A position: units by hex, all full and in supply, everything else off the map."""
    s = begin(plain, {})
    s.active, s.turn = active, 2
    for id, hex in units.items():
        s.change(id.removeprefix("_"), at=hex)
    return s


@pytest.mark.parametrize(
    ("units", "reduced", "points"),
    [
        ("TB1 TB2 TB3 TS1", "", 10),
        ("TB1 TB2 TB3 TS1 TA", "", 10),
        ("TB1 TB2 TB3 TB4", "", 12),
        ("TB1 TB2 TB3 TB4", "TB4", 11),
        ("TJ1 TJ2 TJ3 TJ4 TJ5", "", 10),
        ("TJ1 TJ2 TJ3 TJ4 TJ5 TT1", "TJ5", 10),
    ],
)
def test_stacking_points(plain: Board, units: str, reduced: str, points: int) -> None:
    s = stands(plain, "jp", **dict.fromkeys(units.split(), "1012"))
    for id in reduced.split():
        s.change(id, reduced=True)
    assert s.stack("1012") == points
    assert bool(stacking.over(s, s.side(units.split()[0]))) == (points > 10)


@pytest.mark.parametrize(
    ("hex", "dice"),
    [("0810", {5, 6}), ("1204", {4, 5, 6}), ("1304", {3, 4, 5, 6})],
)
def test_attrition(plain: Board, hex: str, dice: set[int]) -> None:
    s = stands(plain, "cw", TB1=hex)
    assert {die for die in range(1, 7) if supply.attrition(s, "TB1", die)} == dice


@pytest.mark.parametrize(("points", "left"), [(1, "reduced"), (5, "reduced"), (6, "dead"), (8, "dead")])
def test_the_printed_example_of_losses(plain: Board, points: int, left: str) -> None:
    # 16AUS, 8-6-6 / 3-4-6, attacks and loses strength: its first step is worth five [9.52c]
    s = stands(plain, "cw", _16AUS="0810")
    s.phase, s.step = "combat", "fight"
    s.battle = Battle(Attack(("0809",), ("16AUS",)), "maneuver", result="EX", stages=(f"lose cw {points}",))
    sequence.run(s, silent)
    assert ("dead" if s.pieces["16AUS"].at == "dead" else "reduced" if s.pieces["16AUS"].reduced else "full") == left


LEVELS: Mapping[tuple[int, bool], str] = {
    (300, True): "jp-decisive",
    (299, True): "jp-substantive",
    (249, True): "jp-marginal",
    (199, True): "cw-marginal",
    (174, True): "cw-substantive",
    (124, True): "cw-decisive",
    (400, False): "cw-substantive",
    (124, False): "cw-decisive",
}


@pytest.mark.parametrize(("points", "captured"), LEVELS)
def test_levels(plain: Board, points: int, captured: bool) -> None:
    s = stands(plain, "jp")
    s.points = points
    assert victory.level(s, captured).id == LEVELS[points, captured]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("move 16aus 1216-1217", "move 16AUS 1216-1217"),
        ("place 4/ig 0201", "place 4IG 0201"),
        ("sea 11/5 from off to 0302", "sea 11/5 from off to 0302"),
        ("sea 11/5 from 0302 to 1510 then 1511-1611", "sea 11/5 from 0302 to 1510 then 1511-1611"),
        ("assault 11/5 from 0302 to 1106 at 1206", "assault 11/5 from 0302 to 1106 at 1206"),
        ("attack 0820 from 16AUS+22AUS air 3", "attack 0820 from 16AUS+22AUS air 3"),
        ("resolve I2105 mode assault", "fight i2105 mode assault"),
        ("withdraw 22IND from 1616", "withdraw 22IND from 1616"),
    ],
)
def test_orders_are_read_and_printed(text: str, said: str) -> None:
    (order,) = READER.read(text)
    assert str(order) == said
    assert READER.read(said) == (order,)
