"""A toy game for tests: two seats take sticks from a heap, whoever takes the last one wins. Not a real rules engine."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from pbem.api import (
    Amended,
    Ask,
    Grid,
    Illegal,
    Known,
    Note,
    Option,
    Order,
    Ordered,
    Outcome,
    Owes,
    Picture,
    Resigned,
    Roll,
    Rolled,
    Scenario,
    Seat,
    Start,
    Step,
    Table,
    Tell,
    View,
    silent,
)
from pbem.errors import Trouble
from rules.kit.engine import OpenInformation
from rules.kit.orders import Choice, Number, Reader, WrittenOrder


class Take(WrittenOrder):
    """Take sticks."""

    kind: ClassVar[str] = "take"
    usage: ClassVar[str] = "take NUMBER"
    slots: ClassVar[Mapping[str, Any]] = {"NUMBER": Number(1, 9)}
    number: int


class Gamble(WrittenOrder):
    """Let chance take them."""

    kind: ClassVar[str] = "gamble"
    usage: ClassVar[str] = "gamble [by WAY:how]"
    slots: ClassVar[Mapping[str, Any]] = {"WAY": Choice("dice", "draw", "shuffle")}
    how: str = "dice"


@dataclass
class Heap:
    """The position: sticks left, who moves, how chance was asked, the last weather, who won."""

    sticks: int
    seat: str = "red"
    chance: str = ""
    won: str = ""


@dataclass(frozen=True)
class Sticks:
    """Components: how many there are."""

    sticks: int = 7

    def tables(self) -> tuple[Table, ...]:
        return (Table("sticks", (f"all {self.sticks}",), {"printed": 1}),)


class Toy(OpenInformation):
    """The engine. Clauses: 1 take one to three, 2 not more than are left, 3 in turn, 4 the last one wins, 5 chance."""

    id: str = "toy"
    title: str = "Sticks"
    editions: tuple[int, ...] = (1,)
    orders: Mapping[str, type[Order]] = {"take": Take, "gamble": Gamble}
    words: Mapping[str, str] = {"took": "{seat} takes {number}", "won": "{seat} wins"}
    bound: int = 7

    def scenarios(self) -> tuple[Scenario, ...]:
        seats = (Seat("red", "begins"), Seat("blue", "follows"))
        greedy = Option("opt_greedy", ("no", "yes"), "no", "one may take up to nine", "1")
        return (Scenario("seven", "Seven sticks", "the usual game", seats, (greedy,)),)

    def components(self, edition: int, folder: Path | None = None) -> Any:
        if folder is None:
            return Sticks()
        return Sticks(tomllib.loads(folder.read_text())["heap"])

    def rulings(self, edition: int) -> tuple[str, ...]:
        return ("R1 on",)

    def check_options(self, scenario: Scenario, options: Mapping[str, str]) -> str | None:
        return None

    def setup(self, start: Start) -> Heap:
        self.most = 9 if start.options["opt_greedy"] == "yes" else 3
        return Heap(start.components.sticks)

    def pending(self, s: Heap) -> tuple[Ask | Roll, ...]:
        if s.won:
            return ()
        if s.chance == "dice":
            return (Roll("luck", "5", dice=(6, 6)),)
        if s.chance == "draw":
            return (Roll("weather", "5", draw=1, pool=("rain", "strong wind")),)
        if s.chance == "shuffle":
            return (Roll("mix", "5", shuffle=3),)
        return (Ask(s.seat, "take", "1"),)

    def refuse(self, s: Heap, seat: str, order: Order, known: Known) -> Illegal | Owes | None:
        if seat != s.seat or s.chance or s.won:
            return Illegal(f"{s.seat} moves", ("3",))
        if isinstance(order, Take) and order.number > self.most:
            return Illegal(f"take one to {self.most}", ("1", "R1"))
        if isinstance(order, Take) and order.number > s.sticks:
            return Illegal(f"only {s.sticks} are left", ("2",), "take fewer")
        return None

    def apply(self, s: Heap, step: Step, tell: Tell = silent) -> None:
        if isinstance(step, Resigned):
            s.won = "blue" if step.seat == "red" else "red"
            tell(Note("won", {"seat": s.won}, ("4",)))
        elif isinstance(step, Ordered) and isinstance(step.order, Gamble):
            s.chance = step.order.how
        elif isinstance(step, Ordered) and isinstance(step.order, Take):
            self.take(s, step.order.number, tell)
        elif isinstance(step, Rolled):
            luck = {"dice": sum, "draw": lambda drawn: len(drawn[0]), "shuffle": lambda new: new[0] + 1}[s.chance]
            s.chance = ""
            self.take(s, min(s.sticks, luck(step.values)), tell)
        elif isinstance(step, Amended):
            raise NotImplementedError

    def take(self, s: Heap, number: int, tell: Tell) -> None:
        s.sticks -= number
        tell(Note("took", {"seat": s.seat, "number": number}, ("1",)))
        if not s.sticks:
            s.won = s.seat
            tell(Note("won", {"seat": s.seat}, ("4",)))
        s.seat = "blue" if s.seat == "red" else "red"

    def offers(self, s: Heap, seat: str, known: Known) -> Iterator[Order]:
        if seat != s.seat:
            return
        yield from (Take(number=number) for number in range(1, min(3, s.sticks) + 1))
        yield Gamble()

    def sample(self, s: Heap, ask: Ask, known: Known, rng: random.Random) -> Order:
        if rng.random() < 0.3:
            return Gamble(how=rng.choice(["dice", "draw", "shuffle"]))
        return Take(number=rng.randint(1, min(3, s.sticks)))

    def read(self, s: Heap, seat: str, text: str, known: Known) -> tuple[Order, ...]:
        return Reader([Take, Gamble]).read(text)

    def outcome(self, s: Heap) -> Outcome | None:
        return Outcome(s.won, f"{s.won} wins", ("4",)) if s.won else None

    def position(self, s: Heap) -> Mapping[str, Sequence[str]]:
        return {"heap": [str(s.sticks)], "turn": [f"chance {s.chance or '-'}", f"seat {s.seat}", f"won {s.won or '-'}"]}

    def place(self, s: Heap, sections: Mapping[str, Sequence[str]]) -> None:
        for line in sections.get("heap", ()):
            if not line.isdigit():
                raise Trouble(f"heap: {line!r} is no number of sticks")
            s.sticks = int(line)
        for line in sections.get("turn", ()):
            name, value = line.split()
            setattr(s, name, "" if value == "-" else value)

    def picture(self, s: Heap, seat: str, known: Known) -> View:
        grid = Grid("Heap", ("what", "number"), (("sticks", str(s.sticks)),))
        return View(
            "Sticks", grids=(grid,), pictures=(Picture("heap", "The heap", 10, 10, (), ("|" * s.sticks or "-",)),)
        )

    def replaceable(self, s: Heap, seat: str) -> bool:
        return True
