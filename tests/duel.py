"""A game for protocol tests: chance first or not, one roll or three, and whoever is wanted decides afterwards.

Clauses: 1 a move goes to another hex, 2 hexes are 1 to 9, 3 in turn, 4 losses are one or two points, 5 chance,
6 attack another seat that is still there, 7 turns and the end.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

from pbem.api import (
    Ask,
    Illegal,
    Known,
    Note,
    Option,
    Order,
    Ordered,
    Outcome,
    Owes,
    Resigned,
    Roll,
    Rolled,
    Scenario,
    Seat,
    Start,
    Step,
    Tell,
    View,
    silent,
)
from pbem.errors import Unreadable

CARDS = ("ace", "king", "queen", "jack")


class Move(Order):
    """A free choice after which the same seat goes on."""

    kind: ClassVar[str] = "move"
    usage: ClassVar[str] = "move UNIT to HEX"
    unit: Literal["u1", "u2", "u3"]
    to: int


class Attack(Order):
    """Dice follow; `plan` may be absent and changes nothing."""

    kind: ClassVar[str] = "attack"
    usage: ClassVar[str] = "attack SEAT [as PLAN]"
    target: str
    plan: str | None = None


class Lose(Order):
    """The decision after the dice."""

    kind: ClassVar[str] = "lose"
    usage: ClassVar[str] = "lose POINTS"
    points: int


class Salute(Order):
    """Allowed to everybody at any time, asked or not. `loud` has a default and is written all the same."""

    kind: ClassVar[str] = "salute"
    usage: ClassVar[str] = "salute [loud]"
    loud: bool = False


class End(Order):
    """The turn is over."""

    kind: ClassVar[str] = "end"
    usage: ClassVar[str] = "end"


@dataclass
class Ground:
    """The position."""

    seats: tuple[str, ...]
    rolls: int
    after: str
    turns: int
    turn: int = 1
    active: str = ""
    chooser: str = ""
    queue: list[Roll] = field(default_factory=list)
    hexes: dict[str, int] = field(default_factory=dict)
    points: dict[str, int] = field(default_factory=dict)
    values: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    salutes: int = 0
    over: bool = False


class Duel:
    """The engine. `drift` makes positions that differ from those of another copy."""

    id: str = "duel"
    title: str = "Duel"
    editions: tuple[int, ...] = (1,)
    orders: Mapping[str, type[Order]] = {one.kind: one for one in (Move, Attack, Lose, Salute, End)}
    words: Mapping[str, str] = {"fell": "{label}: {values}", "lost": "{seat} loses {points}"}
    bound: int = 10_000

    def __init__(self, drift: str = "") -> None:
        self.drift = drift

    def scenarios(self) -> tuple[Scenario, ...]:
        options = (
            Option("first", ("ask", "chance"), "ask", "what the set-up waits for", "5"),
            Option("rolls", ("1", "3"), "1", "rolls of an attack", "5"),
            Option("after", ("other", "same"), "other", "who decides after the dice", "4"),
            Option("turns", (), "3", "turns of a game", "7"),
        )
        red, blue, green = (Seat(name, "an army") for name in ("red", "blue", "green"))
        return (
            Scenario("duel", "Two", "two seats", (red, blue), options),
            Scenario("melee", "Three", "three seats", (red, blue, green), options),
            Scenario("alone", "One", "one seat", (red,), options),
        )

    def components(self, edition: int, folder: Path | None = None) -> Any:
        return None

    def rulings(self, edition: int) -> tuple[str, ...]:
        return ()

    def check_options(self, scenario: Scenario, options: Mapping[str, str]) -> str | None:
        return None

    def setup(self, start: Start) -> Ground:
        get = {"first": "ask", "rolls": "1", "after": "other", "turns": "3"} | dict(start.options)
        s = Ground(start.seats, int(get["rolls"]), get["after"], int(get["turns"]), active=start.seats[0])
        s.hexes = {f"{seat}/u{n}": n for seat in start.seats for n in (1, 2, 3)}
        s.points = dict.fromkeys(start.seats, 10)
        if get["first"] == "chance":
            s.queue.append(Roll("t1/weather", "5", dice=(6,)))
        return s

    def pending(self, s: Ground) -> tuple[Ask | Roll, ...]:
        if s.over:
            return ()
        if s.queue:
            return tuple(s.queue)
        if s.chooser:
            return (Ask(s.chooser, "choose_loss", "4"),)
        return (Ask(s.active, "act", "3"),)

    def refuse(self, s: Ground, seat: str, order: Order, known: Known) -> Illegal | Owes | None:
        if isinstance(order, Salute):
            return None
        if s.queue or seat != (s.chooser or s.active):
            return Illegal("another is asked", ("3",))
        if isinstance(order, Lose) != bool(s.chooser):
            return Illegal("that is not the question", ("3", "4"))
        if isinstance(order, Move):
            if not 1 <= order.to <= 9:
                return Illegal("no such hex", ("2",), "hexes are 1 to 9")
            return Illegal("it is there already", ("1",)) if s.hexes[f"{seat}/{order.unit}"] == order.to else None
        if isinstance(order, Attack) and order.target not in self._targets(s, seat):
            return Illegal("no such enemy", ("6",))
        if isinstance(order, Lose) and not 1 <= order.points <= 2:
            return Illegal("one or two", ("4",))
        return None

    def _targets(self, s: Ground, seat: str) -> list[str]:
        """The others who are still there; whoever is alone fights himself."""
        return [one for one in s.seats if one not in (seat, *s.gone)] or [seat]

    def apply(self, s: Ground, step: Step, tell: Tell = silent) -> None:
        if isinstance(step, Rolled):
            s.queue.pop(0)
            assert step.values is not None
            text = " ".join(map(str, step.values))
            s.values.append(f"{step.label} {text}")
            tell(Note("fell", {"label": step.label, "values": text}, ("5",), step.label))
        elif isinstance(step, Resigned):
            self._resigned(s, step.seat)
        elif isinstance(step, Ordered):
            self._ordered(s, step.seat, step.order, tell)

    def _ordered(self, s: Ground, seat: str, order: Order, tell: Tell) -> None:
        if isinstance(order, Move):
            s.hexes[f"{seat}/{order.unit}"] = order.to
        elif isinstance(order, Attack):
            s.queue.append(Roll(f"t{s.turn}/attack/{order.target}", "5", dice=(6, 6)))
            if s.rolls == 3:
                s.queue.append(Roll(f"t{s.turn}/draw/{seat}", "5", draw=2, pool=CARDS))
                s.queue.append(Roll(f"t{s.turn}/order", "5", shuffle=4))
            s.chooser = order.target if s.after == "other" else seat
        elif isinstance(order, Lose):
            s.points[seat] -= order.points
            s.chooser = ""
            tell(Note("lost", {"seat": seat, "points": order.points}, ("4",)))
        elif isinstance(order, Salute):
            s.salutes += 1
        else:
            self._next_turn(s)

    def _next_turn(self, s: Ground) -> None:
        at = s.seats.index(s.active)
        order = s.seats[at + 1 :] + s.seats[: at + 1]
        following = next(seat for seat in order if seat not in s.gone)
        if s.seats.index(following) <= at:
            s.turn += 1
        s.active = following
        s.over = s.turn > s.turns

    def _resigned(self, s: Ground, seat: str) -> None:
        s.gone.append(seat)
        if len(s.gone) >= len(s.seats) - 1:
            s.over = True
            return
        if s.chooser == seat:
            s.chooser = ""
        if s.active == seat:
            self._next_turn(s)

    def offers(self, s: Ground, seat: str, known: Known) -> Iterator[Order]:
        yield Salute()

    def sample(self, s: Ground, ask: Ask, known: Known, rng: random.Random) -> Order:
        if ask.what == "choose_loss":
            return Lose(points=rng.randint(1, 2))
        what = rng.choice(("move", "attack", "end", "salute"))
        if what == "move":
            unit = rng.choice(("u1", "u2", "u3"))
            return Move(unit=unit, to=s.hexes[f"{ask.seat}/{unit}"] % 9 + 1)
        if what == "attack":
            return Attack(target=rng.choice(self._targets(s, ask.seat)))
        return End() if what == "end" else Salute(loud=rng.random() < 0.5)

    def read(self, s: Ground, seat: str, text: str, known: Known) -> tuple[Order, ...]:
        raise Unreadable("orders of this game are written as fields")

    def outcome(self, s: Ground) -> Outcome | None:
        if not s.over:
            return None
        left = [seat for seat in s.seats if seat not in s.gone]
        best = max(left, key=lambda seat: s.points[seat], default="")
        return Outcome(best, f"{best or 'nobody'} wins", ("7",))

    def position(self, s: Ground) -> Mapping[str, Sequence[str]]:
        turn = [f"active {s.active}", f"asks {s.chooser or '-'}", f"salutes {s.salutes}", f"turn {s.turn}"]
        armies = sorted(f"{name} {n}" for name, n in (*s.points.items(), *s.hexes.items()))
        return {"armies": armies, "chance": sorted(s.values), "turn": [*turn, *([self.drift] if self.drift else [])]}

    def place(self, s: Ground, sections: Mapping[str, Sequence[str]]) -> None:
        raise NotImplementedError

    def picture(self, s: Ground, seat: str, known: Known) -> View:
        return View("Duel")

    def replaceable(self, s: Ground, seat: str) -> bool:
        return True
