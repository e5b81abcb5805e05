"""What a seat may order at the table, in the words a player types."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from pbem.api import Many
from rules.kit.orders import BREAK, MAX_LINE, Dice, Number, Text, Words, WrittenOrder

MAX_DICE = 100  # [OT-2.1]
MIN_SIDES, MAX_SIDES = 2, 10_000  # [OT-2.1]
MAX_PURPOSE = 200  # [OT-3.3]
MAX_TEXT = 1_900  # [OT-3.3] with the order's own word it still fits a line of 2,000 characters
MAX_NAME = 32  # [OT-4.1]
MAX_TALLY = 999_999_999  # [OT-4.1]

NAME = re.compile(rf"[A-Za-z0-9](?:[A-Za-z0-9_.-]{{0,{MAX_NAME - 2}}}[A-Za-z0-9])?\Z")


class Name:
    """One word: the name of a seat or tally."""

    def __init__(self, about: str, *, fold: bool = False) -> None:
        self.about = about
        self.fold = fold

    def read(self, words: Words, i: int) -> Iterator[tuple[str, int]]:
        if i < len(words) and words[i] not in (",", ";", ":", BREAK):
            yield (words.folded[i] if self.fold else words[i]), i + 1

    def show(self, value: str) -> str:
        return value


class Told(Text):
    """The rest of the line; a colon before it is read and not kept.

    `allowed` is for the help only: a longer text is read too, and refused by its clause.
    """

    def __init__(self, allowed: int) -> None:
        super().__init__(MAX_LINE)
        self.about = f"any text of up to {allowed:,} characters"

    def read(self, words: Words, i: int) -> Iterator[tuple[str, int]]:
        for text, end in super().read(words, i):
            if bare := text.lstrip(": "):
                yield bare, end


DICE = Dice(most=999, sides=99_999)  # wider than OT-2.1, which then says what is too much
del DICE.near  # to whoever writes 2d6+1 the line of help says more than "did you mean 2d6?"
DICE.about = f"dice such as 2d6 or 2d6+d10, at most {MAX_DICE} of {MIN_SIDES} to {MAX_SIDES:,} sides, without modifiers"

NUMBER = Number(-(10**15), 10**15)  # wider than OT-4.1, likewise
NUMBER.about = f"a whole number from {-MAX_TALLY:,} to {MAX_TALLY:,}, written without commas"


class RollDice(WrittenOrder):
    kind = "roll"
    usage = "roll DICE for PURPOSE"
    about = "roll dice; the purpose stands beside the result for ever"
    slots: ClassVar = {"DICE": DICE, "PURPOSE": Told(MAX_PURPOSE)}

    dice: Many[int]
    purpose: str


class Pass(WrittenOrder):
    """`to` is given where the order of play is declared; None: the only other seat, or whoever is next."""

    kind = "pass"
    usage = "pass [to SEAT:to]"
    about = "end your turn; in declared order name who acts next"
    slots: ClassVar = {"SEAT": Name("the name of a seat", fold=True)}

    to: str | None = None


class NewTurn(WrittenOrder):
    kind = "turn"
    usage = "new turn"
    about = "begin the next turn of the wargame (declared order only)"


class Move(WrittenOrder):
    kind = "move"
    usage = "move TEXT"
    about = "tell what you do on the board"
    slots: ClassVar = {"TEXT": Told(MAX_TEXT)}

    text: str


class Record(WrittenOrder):
    kind = "record"
    usage = "record TEXT"
    about = "write down a result"
    slots: ClassVar = {"TEXT": Told(MAX_TEXT)}

    text: str


class Tally(WrittenOrder):
    kind = "tally"
    usage = "tally NAME NUMBER"
    about = "set a public number, such as victory points"
    slots: ClassVar = {
        "NAME": Name(f"one word of up to {MAX_NAME} letters and digits, such as red-vp"),
        "NUMBER": NUMBER,
    }
    also: ClassVar = ("tally NAME : NUMBER",)

    name: str
    number: int


PLAIN_ORDERS: tuple[type[WrittenOrder], ...] = (RollDice, Pass, NewTurn, Move, Record, Tally)
