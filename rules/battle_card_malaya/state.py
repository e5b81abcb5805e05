"""The position: units on the card, the turn, the step, the battles of this turn and the result."""

from __future__ import annotations

from typing import Literal, NamedTuple

from rules.battle_card_malaya.components import Card, Choice, Road

ALLIES = "allies"

Step = Literal["withdrawal", "advance", "battle", "air", "turn"]


Told = dict[str, str | int]
"""What a note tells: its arguments."""


class Unit(NamedTuple):
    """A Japanese unit: the Location where it stands and its strength."""

    at: str
    strength: int


class Move(NamedTuple):
    """Who moved this turn ("allies", "trunk", "eastern") and the spaces it touched, the first one left behind."""

    who: str
    spaces: tuple[str, ...]


class Result(NamedTuple):
    """The end of the game: won or lost, and by which clause."""

    won: bool
    clause: str


class State:
    """One position.

    `allied`: strength by space, one unit a space [BC-2.2].
    `japanese`: by road, Trunk first: the default order of battles (R10).
    `battles`: this turn's Locations still to be fought, in the order of fighting; the choice, or "" until it is made.
    `moved`: the moves since the last withdrawal step was decided. They tell a late withdrawal that it is the second one
    [BC-3.1.1], and the map draws its arrows from them.
    Dice out of the game need no field: they never come back.
    """

    __slots__ = ("allied", "battles", "card", "japanese", "moved", "options", "result", "step", "turn")

    def __init__(self, card: Card, options: dict[str, str]) -> None:
        self.card = card
        self.options = options
        self.turn = 1
        self.step: Step = "withdrawal"
        self.allied: dict[str, int] = {}
        self.japanese: dict[Road, Unit] = {}
        self.battles: dict[str, Choice | Literal[""]] = {}
        self.moved: tuple[Move, ...] = ()
        self.result: Result | None = None

    def copy(self) -> State:
        """Another state that can be played on by itself."""
        new = State(self.card, dict(self.options))
        new.turn, new.step, new.moved, new.result = self.turn, self.step, self.moved, self.result
        new.allied = dict(self.allied)
        new.japanese = dict(self.japanese)
        new.battles = dict(self.battles)
        return new

    def __deepcopy__(self, _: object) -> State:
        return self.copy()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State) or list(self.battles) != list(other.battles):  # their order matters
            return False
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]


def shared(s: State) -> tuple[str, ...]:
    """The Locations where an Allied and a Japanese unit stand together, the Trunk unit's first."""
    return tuple(unit.at for unit in s.japanese.values() if unit.at in s.allied)


def road_of(s: State, location: str) -> Road | None:
    """The road of the Japanese unit that stands there, or None."""
    for road, unit in s.japanese.items():
        if unit.at == location:
            return road
    return None
