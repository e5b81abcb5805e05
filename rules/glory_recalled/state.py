"""The position: counters on the map, cards in their piles, points, and the procedures that are under way.

It is public. British counters and most cards are slots whose content only their owner knows: a counter is named by
its slot until it is opened and by its unit from then on, a card by its slot for as long as it is in the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from copy import copy, deepcopy
from dataclasses import MISSING, dataclass, field, fields
from typing import NamedTuple

from pbem.api import NOTHING_KNOWN, Known, Outcome
from rules.glory_recalled.components import Board, Card, Unit
from rules.glory_recalled.standing import StandingOrder

JAPAN, BRITISH = "japan", "british"
SEATS = (JAPAN, BRITISH)
AWAY = ("reserve", "aside")
"""Where counters wait that are not on the map: Regiment 66, and the landing force of the free set-up."""

Told = dict[str, str | int]
"""What a note tells: its arguments."""


def foe(seat: str) -> str:
    """The other seat."""
    return BRITISH if seat == JAPAN else JAPAN


class Result(NamedTuple):
    """The end of the game: the winning seat and by which clause."""

    winner: str
    clause: str


@dataclass(slots=True)
class Counter:
    """A unit, dummy or closed counter: where it is, and its markers."""

    at: str
    disrupted: bool = False
    spent: bool = False
    oos: bool = False


@dataclass(slots=True)
class Chief:
    """A leader counter; `replacement` when its back is up."""

    at: str
    replacement: bool = False
    spent: bool = False
    oos: bool = False


@dataclass(slots=True)
class Cards:
    """One seat's cards, all of them slots: the deck, the hand, the discard pile, and what waits for Kowloon's fall."""

    pile: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()


@dataclass(slots=True)
class Frame:
    """A procedure inside the turn; the last one on the stack is under way."""

    step: str = ""


@dataclass(slots=True)
class State:
    """One position. Points are counted in halves [2.2c].

    `control`: the piers, batteries, reservoirs, objectives and headquarters that Japan holds; a control marker lies
    where Japan holds a pier or battery and has no unit there [13.0-b2].
    `opened`: what is publicly known of the slots in the piles of cards.
    `shipped`: counters that went from the island to Kowloon [7.3a]; a dummy among them does not count.
    `events`: seats that have played an event in this round [15.0-b2].
    `effects`: lasting or waiting effects of events by name; of "demolitions" also the road, `a-b`.
    `owed`: cards still to be drawn, by seat. `hits`: those of the fall of Kowloon (or of the
    north coast) that are still to be carried out, of `struck` in all.
    `standing`: standing orders with their seats, in the order given [R70]; `idle`: the British passed in the round
    before. `moves`: the ways gone in each side's last action, as seat, how, spaces; for maps only.
    `names`: the slots that came open with the order that is being carried out.
    """

    board: Board
    scenario: str
    options: dict[str, str]
    turn: int = 10
    phase: str = "setup"
    step: str = ""
    round: int = 1
    active: str = JAPAN
    passed: tuple[str, ...] = ()
    points: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SEATS, 0))
    counters: dict[str, Counter] = field(default_factory=dict)
    leaders: dict[str, Chief] = field(default_factory=dict)
    control: dict[str, str] = field(default_factory=dict)
    destroyed: set[str] = field(default_factory=set)
    forts: set[str] = field(default_factory=set)
    beachheads: set[str] = field(default_factory=set)
    cards: dict[str, Cards] = field(default_factory=lambda: {seat: Cards() for seat in SEATS})
    opened: dict[str, str] = field(default_factory=dict)
    unplaced: tuple[str, ...] = ()
    landed: bool = False
    fallen: bool = False
    shipped: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    effects: tuple[str, ...] = ()
    owed: dict[str, int] = field(default_factory=dict)
    hits: int = 0
    struck: int = 0
    names: dict[str, str] = field(default_factory=dict)
    standing: tuple[tuple[str, StandingOrder], ...] = ()
    idle: bool = False
    moves: tuple[tuple[str, ...], ...] = ()
    frames: list[Frame] = field(default_factory=list)
    result: Result | None = None

    def __deepcopy__(self, memo: object) -> State:
        new = copy(self)
        for name in FLAT:
            setattr(new, name, getattr(self, name).copy())
        new.counters = {id: Counter(c.at, c.disrupted, c.spent, c.oos) for id, c in self.counters.items()}
        new.leaders = {id: Chief(c.at, c.replacement, c.spent, c.oos) for id, c in self.leaders.items()}
        new.cards = {seat: Cards(c.pile, c.hand, c.discard, c.aside) for seat, c in self.cards.items()}
        new.frames = deepcopy(self.frames)
        return new

    def top(self) -> Frame | None:
        """The procedure under way."""
        return self.frames[-1] if self.frames else None


DEEP = ("counters", "leaders", "cards", "frames")
"""What is copied piece by piece."""

FLAT = ("options", *(one.name for one in fields(State) if one.default_factory is not MISSING and one.name not in DEEP))
"""Dicts and sets of texts and numbers; everything else in a position never changes."""


def trace(s: State, seat: str, how: str, spaces: Iterable[str]) -> None:
    """A way is gone, for the map: `how` is move, attack or retreat."""
    s.moves = (*s.moves, (seat, how, *spaces))


# --- what a counter is ---


def is_slot(id: str) -> bool:
    """Whether a counter is closed."""
    return "/" in id


def unit_of(s: State, id: str, known: Known = NOTHING_KNOWN) -> Unit | None:
    """The unit that a counter is; None for a dummy, and for a closed one whose slot `known` lacks."""
    return s.board.units.get(name_of(s, id, known))


def name_of(s: State, id: str, known: Known = NOTHING_KNOWN) -> str:
    """What a counter is called: its unit's id, or its slot while that is all that is known."""
    return str(known.get(id, id)) if is_slot(id) else id


def is_closed(id: str, known: Known = NOTHING_KNOWN) -> bool:
    """Whether nobody here knows what the counter is."""
    return is_slot(id) and id not in known


def seat_of(s: State, id: str) -> str:
    """Whose counter or leader it is."""
    return s.board.seats[id]


def counters_at(s: State, space: str, seat: str = "") -> tuple[str, ...]:
    """Counters in a space, closed ones and dummies too, in order."""
    seats = s.board.seats
    here = [id for id, one in s.counters.items() if one.at == space]
    return tuple(sorted([id for id in here if seats[id] == seat] if seat else here))


def units_at(s: State, space: str, seat: str, known: Known = NOTHING_KNOWN) -> tuple[str, ...]:
    """Counters in a space that are units as far as is known."""
    return tuple(id for id in counters_at(s, space, seat) if unit_of(s, id, known) is not None)


def closed_at(s: State, space: str, known: Known = NOTHING_KNOWN) -> tuple[str, ...]:
    """Counters in a space of which it is not known what they are."""
    return tuple(id for id in counters_at(s, space) if is_closed(id, known))


def leader_at(s: State, space: str, seat: str = "") -> str | None:
    """The leader in a space."""
    for name, chief in s.leaders.items():
        if chief.at == space and (not seat or s.board.leaders[name].seat == seat):
            return name
    return None


def holder_of(s: State, space: str) -> str | None:
    """Whose counters or leader stand in a space, dummies too; None where nobody does. [R14, R15]"""
    for id, one in s.counters.items():
        if one.at == space:
            return seat_of(s, id)
    leader = leader_at(s, space)
    return None if leader is None else s.board.leaders[leader].seat


def stands(s: State, seat: str) -> set[str]:
    """Everywhere that counters or leaders of a seat are, dummies too."""
    seats = s.board.seats
    chiefs = {chief.at for name, chief in s.leaders.items() if seats[name] == seat}
    return chiefs | {one.at for id, one in s.counters.items() if seats[id] == seat}


def marked(s: State, space: str) -> bool:
    """Whether a Japanese control marker lies there."""
    if s.control.get(space) != JAPAN or not s.board.takes_marker(space):
        return False
    return not any(one.at == space and seat_of(s, id) == JAPAN for id, one in s.counters.items())  # [13.0-b2, 13.0a]


# --- cards ---


def card_of(s: State, slot: str, known: Known = NOTHING_KNOWN) -> Card | None:
    """The card in a slot; None where that is not known."""
    name = s.opened.get(slot) or known.get(slot)
    return s.board.cards.get(str(name))


def hand(s: State, seat: str, known: Known) -> Iterator[tuple[str, Card]]:
    """The cards of a hand that are known, with their slots."""
    for slot in s.cards[seat].hand:
        card = card_of(s, slot, known)
        if card is not None:
            yield slot, card


def slot_key(slot: str) -> tuple[str, int, int]:
    """Slots in the order of name, epoch and number."""
    name, _, rest = slot.partition("/")
    epoch, _, number = rest.partition("/")
    return name, int(epoch) if epoch.isdecimal() else 0, int(number) if number.isdecimal() else 0


def in_order(slots: Iterable[str]) -> tuple[str, ...]:
    """Slots sorted, each once."""
    return tuple(sorted(set(slots), key=slot_key))


def outcome(s: State) -> Outcome | None:
    """The result in words, or None while the game goes on."""
    if s.result is None:
        return None
    sides = {JAPAN: "Japan", BRITISH: "the Commonwealth"}
    score = f"{points_text(s.points[JAPAN])} to {points_text(s.points[BRITISH])} points"
    return Outcome(s.result.winner, f"{sides[s.result.winner]} wins, Japan has {score}", (s.result.clause,))


def points_text(halves: int) -> str:
    """Halves as players write them: 3, 3 1/2."""
    whole, half = divmod(halves, 2)
    if not half:
        return str(whole)
    return f"{whole} 1/2" if whole else "1/2"
