"""What the seats hold: decks and counters, open decks, chits, questions, secrets, private dice, standing orders.

Everybody has all of this alike. Of a sealed slot it holds the place, never the content, until the slot is opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from pbem.api import Slot

PILE, DISCARD, REMOVED, MIX = "pile", "discard", "removed", "mix"
"""Zones of a deck; the others are `hand red`, `looked red`, `due red` and `at Jitra`."""


def hand(seat: str) -> str:
    return f"hand {seat}"


def looked(seat: str) -> str:
    return f"looked {seat}"


def due(seat: str) -> str:
    """Where cards lie that the seat must open at once."""
    return f"due {seat}"


def at(place: str) -> str:
    return f"at {place}"


@lru_cache(maxsize=4096)
def epoch_and_number(slot: Slot) -> tuple[int, int]:
    _, epoch, number = slot.rsplit("/", 2)
    return int(epoch), int(number)


def in_order(slots: Iterable[Slot]) -> tuple[Slot, ...]:
    """Slots of one name by epoch and number."""
    return tuple(sorted(slots, key=epoch_and_number))


@dataclass(slots=True)
class Deck:
    """Cards or counters of one seat, or of a team whose first seat arranges them.

    `begins`: the zone of its slots when it is sealed. `stage`: listed, sealing, sealed.
    `where` is the zone of every slot in the game, `shown` what is in those that are open.
    `mixing`: where the slots in the zone `mix` go when they are sealed anew.
    """

    name: str
    team: tuple[str, ...]
    begins: str
    cards: tuple[str, ...] = ()
    stage: str = "listed"
    where: dict[Slot, str] = field(default_factory=dict)
    shown: dict[Slot, str] = field(default_factory=dict)
    mixing: str = ""

    def __deepcopy__(self, memo: object) -> Deck:
        return replace(self, where=dict(self.where), shown=dict(self.shown))

    @property
    def seat(self) -> str:
        return self.team[0]

    @property
    def short(self) -> str:
        """The name without the seat."""
        return self.name.removeprefix(f"{self.seat}-")

    def zone(self, name: str) -> tuple[Slot, ...]:
        """The slots of a zone, in order."""
        return in_order(slot for slot, zone in self.where.items() if zone == name)

    def move(self, slots: Iterable[Slot], zone: str) -> None:
        for slot in slots:
            self.where[slot] = zone

    def mix(self, slots: Iterable[Slot], to: str) -> None:
        """Have slots sealed anew, in a new secret order, to lie in a zone."""
        self.move(slots, MIX)
        self.mixing = to if MIX in self.where.values() else ""

    def swap(self, old: Sequence[Slot], new: Sequence[Slot]) -> None:
        """A new epoch takes the place of slots: it lies where it was mixed for, or each where the old one lay."""
        zones = [self.where.pop(slot) for slot in old]
        for slot in old:
            self.shown.pop(slot, None)
        for slot, zone in zip(new, zones, strict=True):
            self.where[slot] = self.mixing if zone == MIX else zone
        if MIX in zones:
            self.mixing = ""


@dataclass(slots=True)
class OpenDeck:
    """Cards that everybody may draw face up: those left, and those that are gone."""

    name: str
    left: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)

    def __deepcopy__(self, memo: object) -> OpenDeck:
        return replace(self, left=list(self.left), gone=list(self.gone))


@dataclass(slots=True)
class Purse:
    """Chits of one seat: each a slot with the area it is for.

    `coming` chits are to be assigned in secret, `fresh` ones then to be mixed; `shown` are open and not spent yet.
    """

    name: str
    seat: str
    coming: int = 0
    fresh: tuple[Slot, ...] = ()
    slots: list[Slot] = field(default_factory=list)
    shown: dict[Slot, str] = field(default_factory=dict)
    spent: dict[str, int] = field(default_factory=dict)

    def __deepcopy__(self, memo: object) -> Purse:
        return replace(self, slots=list(self.slots), shown=dict(self.shown), spent=dict(self.spent))

    @property
    def short(self) -> str:
        return self.name.removeprefix(f"{self.seat}-")

    def swap(self, old: Iterable[Slot], new: Iterable[Slot]) -> None:
        gone = set(old)
        self.slots = [*in_order((*(slot for slot in self.slots if slot not in gone), *new))]
        for slot in gone:
            self.shown.pop(slot, None)


@dataclass(slots=True)
class Question:
    """What the seats in `asked` answer: `sealed` are answers not open yet, `told` those that everybody knows."""

    seat: str
    text: str
    asked: tuple[str, ...]
    sealed: dict[str, Slot] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)

    def __deepcopy__(self, memo: object) -> Question:
        return replace(self, sealed=dict(self.sealed), told=dict(self.told))

    def silent(self) -> list[str]:
        """Who has not answered yet, in the order of answering."""
        return [seat for seat in self.asked if seat not in self.sealed and seat not in self.told]


@dataclass(frozen=True, slots=True)
class Private:
    """A roll that one seat alone knows: the label of its dice, and the slot whose opening proves them."""

    label: str
    slot: Slot
    seat: str
    turn: int
    dice: tuple[int, ...]
    purpose: str
    proved: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """A standing order, for everybody to read."""

    number: int
    seat: str
    text: str


@dataclass(slots=True)
class Holdings:
    """All of it. `secrets` are texts under seal by slot: whose they are, and whether they are open."""

    decks: dict[str, Deck] = field(default_factory=dict)
    open_decks: dict[str, OpenDeck] = field(default_factory=dict)
    purses: dict[str, Purse] = field(default_factory=dict)
    question: Question | None = None
    secrets: dict[Slot, tuple[str, bool]] = field(default_factory=dict)
    privates: list[Private] = field(default_factory=list)
    values: dict[str, int] = field(default_factory=dict)
    standing: list[Standing] = field(default_factory=list)

    def __deepcopy__(self, memo: object) -> Holdings:
        return Holdings(
            {name: deck.__deepcopy__(memo) for name, deck in self.decks.items()},
            {name: deck.__deepcopy__(memo) for name, deck in self.open_decks.items()},
            {name: purse.__deepcopy__(memo) for name, purse in self.purses.items()},
            self.question.__deepcopy__(memo) if self.question is not None else None,
            dict(self.secrets),
            list(self.privates),
            dict(self.values),
            list(self.standing),
        )

    def deck_of(self, slot: Slot) -> Deck | None:
        """The deck that a slot in the game belongs to."""
        deck = self.decks.get(slot.partition("/")[0])
        return deck if deck is not None and slot in deck.where else None

    def named(self, seat: str, name: str) -> Deck | OpenDeck | None:
        """A deck as a seat names it: its own, then an open one, then anybody's by its whole name."""
        own = self.decks.get(f"{seat}-{name}")
        shared = (deck for deck in self.decks.values() if seat in deck.team and deck.short == name)
        return own or self.open_decks.get(name) or self.decks.get(name) or next(shared, None)

    def mine(self, seat: str) -> Iterator[Deck]:
        """The sealed decks whose cards the seat may hold, by name."""
        return (deck for _, deck in sorted(self.decks.items()) if seat in deck.team and deck.stage == "sealed")

    def idle(self) -> bool:
        """Nothing of all this is used."""
        return not (self.decks or self.open_decks or self.purses or self.question or self.secrets) and not (
            self.privates or self.values or self.standing
        )
