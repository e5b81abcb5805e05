"""Singapore (1984): a whole turn of the assault, and assaults that bots fight to the end.

The rules of the island are cases in tests/cases/singapore-1984/island.toml.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pbem.api import Ask, Illegal, Order, Ordered, Roll, Rolled, silent
from rules.singapore_1984 import bot, components, island, judging, sequence
from rules.singapore_1984.board import Board
from rules.singapore_1984.components import board
from rules.singapore_1984.orders import READER
from rules.singapore_1984.state import State, begin

KIT = Path(components.__file__).parent / "kits" / "plain.toml"


@pytest.fixture(scope="module")
def plain() -> Board:
    return board(components.load(folder=KIT))


def stands(plain: Board, step: str, pulse: int = 0, active: str = "jp", **units: str) -> State:
    """A position in turn 11; with a pulse the assault is under way."""
    s = begin(plain, {})
    for id in s.pieces:
        s.change(id, at="dead")
    s.turn = 11
    if pulse:
        island.declare(s, silent)
        s.assault, s.pulse = 10, pulse
    s.step, s.active = step, "jp" if active == "jp" else "cw"
    s.phase = {"move": "move", "declare": "combat", "fight": "combat"}.get(step, "reinforce")  # type: ignore[assignment]
    for id, hex in units.items():
        id = id.removeprefix("_")
        s.change(id, at=hex)
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


@pytest.mark.parametrize("seed", range(6))
def test_assaults_end(plain: Board, seed: int) -> None:
    # the bots fight for the island; every answer of theirs is legal and the game ends
    rng = random.Random(seed)
    shore = {"TJ1": "1726", "TJ2": "1726", "TJ3": "1825", "TJ4": "1926", "TJ5": "1926", "TJ6": "1726", "TJ7": "1825"}
    s = stands(plain, "dawn", 0, "jp", TB1="1826", TB2="1826", TB3="1826", _16AUS="1826", **shore, TT1="1825")
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
