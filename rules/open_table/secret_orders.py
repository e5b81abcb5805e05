"""Orders about chits, questions, secrets, private dice and standing orders, in the words a player types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pbem.api import Many
from rules.kit.orders import Words, WrittenOrder
from rules.open_table.card_orders import NUMBER, Phrase
from rules.open_table.lists import chits
from rules.open_table.orders import DICE, MAX_PURPOSE, MAX_TEXT, Name, Told

MAX_CHITS = 100  # [OT-7.5]
MAX_SHORT = 200  # [OT-8.1, OT-10.2]

PURSE = Name("chits by their name, such as supply", fold=True)
SEAT = Name("the name of a seat", fold=True)
AREAS = Told(MAX_TEXT)
AREAS.about = "areas with the number of chits for each, such as hill 5, river 3"


class Faces:
    """Faces of dice with blanks between."""

    about = "what the dice show, such as 3 5; you may leave it out"

    def read(self, words: Words, i: int) -> Iterator[tuple[tuple[int, ...], int]]:
        end = i
        while end < len(words) and words[end].isdecimal() and len(words[end]) <= 5:
            end += 1
        if end > i:
            yield tuple(int(word) for word in words[i:end]), end

    def show(self, value: tuple[int, ...]) -> str:
        return " ".join(map(str, value))


class Chits(WrittenOrder):
    kind = "chits"
    usage = "chits PURSE N:count"
    about = "receive chits, as many as all may know; then assign them in secret"
    slots: ClassVar = {"PURSE": PURSE, "N": NUMBER}

    purse: str
    count: int


class Assign(WrittenOrder):
    """Sealed: never said in clear."""

    kind = "assign"
    usage = "assign PURSE : AREAS"
    about = "say in secret what each chit is for"
    slots: ClassVar = {"PURSE": PURSE, "AREAS": AREAS}

    purse: str
    areas: str

    def contents(self) -> tuple[str, ...]:
        return tuple(chits(self.areas))


class Spend(WrittenOrder):
    kind = "spend"
    usage = "spend N:count AREA from PURSE"
    about = "open and spend chits of one area"
    slots: ClassVar = {"N": NUMBER, "AREA": Phrase("what the chits are for"), "PURSE": PURSE}

    count: int
    area: str
    purse: str


class AskSeats(WrittenOrder):
    kind = "ask"
    usage = "ask {SEAT:seats} : QUESTION"
    about = "have seats answer at once, none knowing what the others say"
    slots: ClassVar = {"SEAT": SEAT, "QUESTION": Told(MAX_SHORT)}

    seats: Many[str]
    question: str


class Answer(WrittenOrder):
    """Sealed but for the last answer."""

    kind = "answer"
    usage = "answer TEXT"
    about = "answer the question"
    slots: ClassVar = {"TEXT": Told(MAX_TEXT)}

    text: str


class Secret(WrittenOrder):
    """Sealed: never said in clear."""

    kind = "secret"
    usage = "secret NAME : TEXT"
    about = "seal a text of your own; the name is for you alone"
    slots: ClassVar = {"NAME": Name("one word"), "TEXT": Told(MAX_TEXT)}

    name: str
    text: str


class OpenSecret(WrittenOrder):
    kind = "open_secret"
    usage = "open SECRET"
    about = "open a text that you sealed"
    slots: ClassVar = {"SECRET": Name("a text you sealed, by its name or as secret#3")}

    secret: str


class RollPrivately(WrittenOrder):
    kind = "roll_privately"
    usage = "roll DICE privately for PURPOSE"
    about = "roll dice that you alone see"
    slots: ClassVar = {"DICE": DICE, "PURPOSE": Told(MAX_PURPOSE)}

    dice: Many[int]
    purpose: str


class Reveal(WrittenOrder):
    kind = "reveal"
    usage = "reveal LABEL [: FACES]"
    about = "show and prove a private roll"
    slots: ClassVar = {"LABEL": Name("a private roll, such as private#3"), "FACES": Faces()}
    also: ClassVar = ("reveal roll LABEL",)

    label: str
    faces: Many[int] = ()


class StandingOrder(WrittenOrder):
    kind = "standing"
    usage = "standing TEXT"
    about = "give a standing order, for everybody to read"
    slots: ClassVar = {"TEXT": Told(MAX_SHORT)}

    text: str


class DropStanding(WrittenOrder):
    kind = "drop_standing"
    usage = "drop standing N:number"
    about = "take a standing order of yours back"
    slots: ClassVar = {"N": NUMBER}

    number: int


SECRET_ORDERS: tuple[type[WrittenOrder], ...] = (
    *(Chits, Assign, Spend, AskSeats, Answer, Secret, OpenSecret, RollPrivately, Reveal, StandingOrder, DropStanding),
)
