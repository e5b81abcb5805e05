"""The words shared with rule engines.

A rules engine is a set of pure functions over a state of its own:
`pending` says what the position waits for, `refuse` judges an order, `apply` changes the state.
It never reads a clock, a file or a random number: chance is asked for by `Roll` and comes back as `Rolled`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Protocol, TypeVar, runtime_checkable

from pydantic import BaseModel, ConfigDict, Strict

T = TypeVar("T")
Many = Annotated[tuple[T, ...], Strict(False)]
"""A field of an order that is a list in JSON and a tuple in Python."""

Slot = str
"""A sealed slot as it is written: `red-deck/1/22` (deck, epoch, number) or `t1/art#1` (a choice)."""

Known = Mapping[Slot, Any]
"""Slot contents one machine may see: text for cards, counters and chits, an object for a secret choice."""

NOTHING_KNOWN: Known = {}


class Order(BaseModel):
    """One decision by one seat.

    `kind` is the event's kind, `usage` the words a player types ("withdraw LOCATION"), `about` one line of help.
    `str(order)` is what a player may type to give it; `Engine.read` is the inverse.
    The fields are the body of the event; text fields follow the canonical form (FORMAT.md).
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)

    kind: ClassVar[str]
    usage: ClassVar[str]
    about: ClassVar[str] = ""

    def body(self) -> dict[str, Any]:
        """The event's body: every field given, absent ones left out."""
        return self.model_dump(mode="json", exclude_none=True)

    @classmethod
    def form(cls) -> str:
        """The usage as a player reads it: without the field names behind its slots."""
        return re.sub(r"([A-Z]+):[a-z_]+", r"\1", cls.usage)

    def contents(self) -> tuple[str, ...]:
        """What an order that fills a purse puts into its slots, slot 0 first."""
        raise NotImplementedError(f"{self.kind} fills no purse")


@dataclass(frozen=True, slots=True)
class Commit:
    """A client ask: publish the slots of a deck, purse or private list.

    `name` without the seat; `contents` is the public composition of a deck (in any order), empty where contents are
    chosen; `count` the number of slots; `replaces` the slots that the new epoch takes the place of.
    `share` are allied seats that get the secret in a sealed box: they know the contents and may open slots too.
    """

    what: Literal["deck", "purse", "private"]
    name: str
    count: int
    contents: tuple[str, ...] = ()
    replaces: tuple[Slot, ...] = ()
    share: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenSlots:
    """A client ask: open these due slots."""

    slots: tuple[Slot, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """A client ask: enter a hidden fact by the order of this kind."""

    kind: str


@dataclass(frozen=True, slots=True)
class Disclose:
    """A client ask of the core: the audit of one name at the end of the game. No engine asks it."""

    name: str


@dataclass(frozen=True, slots=True)
class Rechain:
    """A client ask of the core: a successor's own dice chain. No engine asks it."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A seat must choose.

    `what` is the name of the question ("withdraw", "choose_losses") and never changes within an edition.

    Who answers: `client` is set for what needs the baton but no thought; the table answers it before any menu.

    A secret ask is answered by an order of kind `sealed`, which the table writes as a `seal` and never in clear:
    with `secret`, the stem of the choice, the order's fields are the content of one slot `stem#k`;
    with `fill`, a `Commit` of a purse without contents, the order's `contents()` fill its slots, in that order.
    Both are asked first in `pending` when they are answered, and so is what a client answers.

    `window` is the kind of window where the seat may react to another's action; unanswered it lapses.
    """

    seat: str
    what: str
    clause: str
    client: Commit | OpenSlots | Claim | Disclose | Rechain | None = None
    secret: str = ""
    fill: Commit | None = None
    sealed: str = ""
    window: str = ""


@dataclass(frozen=True, slots=True)
class Roll:
    """Chance must speak: exactly one of `dice` (sides of each), `draw` (that many of `pool`) or `shuffle` (items).

    `stem` is made by the engine from the identity of the chance event, never from anything a player chooses freely;
    the core appends `#k`, counting its uses in the whole game.
    `audience` is the only seat that learns the values; empty: everybody.
    """

    stem: str
    clause: str
    dice: tuple[int, ...] = ()
    draw: int = 0
    pool: tuple[str, ...] = ()
    shuffle: int = 0
    audience: str = ""


@dataclass(frozen=True, slots=True)
class Ordered:
    """Step: a seat's order."""

    seat: str
    order: Order


@dataclass(frozen=True, slots=True)
class Sealed:
    """Step: a seat published slots: those of one epoch of a deck, purse or private list, or one choice.

    `name` is the whole name: `red-deck`, or `t1/art#1` for a choice, whose only slot has the same name.
    """

    seat: str
    name: str
    what: str
    slots: tuple[Slot, ...]
    replaces: tuple[Slot, ...] = ()


@dataclass(frozen=True, slots=True)
class Opened:
    """Step: slots were opened, in this order; contents as in `Known`. For a secret choice `order` is what it says.

    Slots that an order opens come as a step of their own, before the order.
    """

    seat: str
    items: tuple[tuple[Slot, Any], ...]
    order: Order | None = None


@dataclass(frozen=True, slots=True)
class Rolled:
    """Step: chance spoke.

    `values` are faces from 1, the drawn items of the pool in the order drawn, or a permutation of 0..n-1;
    None where only the audience of the roll knows them: its `known` holds them under `label`, and everybody's when
    `slot`, a value of its private list, is open.
    """

    label: str
    roll: Roll
    values: tuple[Any, ...] | None
    slot: Slot = ""


@dataclass(frozen=True, slots=True)
class Lapsed:
    """Step: the ask was answered by not answering it (a window that passed, a default instead of an opening)."""

    seat: str
    ask: Ask


@dataclass(frozen=True, slots=True)
class Resigned:
    """Step: the seat gave up or left."""

    seat: str


@dataclass(frozen=True, slots=True)
class Amended:
    """Step: all seats agreed on other options."""

    options: Mapping[str, str]


Step = Ordered | Sealed | Opened | Rolled | Lapsed | Resigned | Amended

Act = Order | Sealed | Opened | Amended
"""What a seat does of its own will, or all of them together, and `refuse` judges."""


@dataclass(frozen=True, slots=True)
class Note:
    """One line of the story.

    `stem` names a sentence of the engine's `words`, `args` fill it; `clauses` are the ids it rests on.
    `label` is the dice label behind it, so that the report can say where the dice came from.
    `anchor` ("T3", "T3.battle") opens a bookmark.
    """

    stem: str
    args: Mapping[str, str | int] = field(default_factory=dict)
    clauses: tuple[str, ...] = ()
    label: str = ""
    anchor: str = ""


Tell = Callable[[Note], None]


def silent(_: Note) -> None:
    """The listener of a verifier."""


@dataclass(frozen=True, slots=True)
class Illegal:
    """The rules refuse it: why, the clauses and rulings that say so, and what is possible instead."""

    why: str
    ids: tuple[str, ...]
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Owes:
    """The answer hangs on a slot this machine does not know: the fact to be proved, and when."""

    fact: str
    due: str = "audit"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the game ended: the winning seat, in words, and by which clauses.

    `winner` is "" for a draw, a solitaire loss, and where seats win together: those are `joint`, in charter order.
    """

    winner: str
    words: str
    clauses: tuple[str, ...] = ()
    joint: tuple[str, ...] = ()

    @property
    def winners(self) -> tuple[str, ...]:
        """All seats that have won."""
        return self.joint or ((self.winner,) if self.winner else ())

    @property
    def won(self) -> str:
        """The winners as tables and cases name them: `red`, `red and blue`, "" for nobody."""
        return " and ".join(self.winners)


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of a scenario: its id (`red`), the sides it plays, in words."""

    id: str
    plays: str


@dataclass(frozen=True, slots=True)
class Option:
    """A choice made once, in the charter. A switchable ruling is named `r<number>`, an optional rule `opt_<number>`.

    `values` empty: any text of up to 2,000 characters, read by the engine's `check_options`.
    """

    name: str
    values: tuple[str, ...]
    default: str
    about: str
    source: str


@dataclass(frozen=True, slots=True)
class Scenario:
    """What can be played: seats in charter order, options with their defaults."""

    id: str
    title: str
    about: str
    seats: tuple[Seat, ...]
    options: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A data table as it is digested: sorted lines of rule-relevant columns; `provenance` counts rows by tag."""

    name: str
    lines: tuple[str, ...]
    provenance: Mapping[str, int]


class Components(Protocol):
    """The effective data of an edition (overlay and owner's copy applied)."""

    def tables(self) -> tuple[Table, ...]:
        """The tables, sorted by name."""
        ...


@dataclass(frozen=True, slots=True)
class Start:
    """What a set-up needs: all of it stands in the charter."""

    scenario: str
    options: Mapping[str, str]
    seats: tuple[str, ...]
    edition: int
    components: Any


# What one seat may see -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Area:
    """A closed shape on the map: points in map units, a style name of the map template, a name for the reader."""

    points: tuple[tuple[float, float], ...]
    style: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A road, river or border: points in map units, a style name."""

    points: tuple[tuple[float, float], ...]
    style: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Label:
    """Text on the map. `size` in map units."""

    x: float
    y: float
    text: str
    style: str = ""
    size: float = 3
    anchor: Literal["start", "middle", "end"] = "middle"


@dataclass(frozen=True, slots=True)
class Counter:
    """A playing piece: side (style name), big value, small text below; `pips` > 0 draws a die instead of the value.

    `marks` are words like "disrupted", drawn as signs and said in the title: colour never carries meaning alone.
    """

    x: float
    y: float
    side: str
    value: str
    text: str = ""
    title: str = ""
    pips: int = 0
    size: float = 8
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Arrow:
    """A move that happened: from, to, style name, title."""

    x1: float
    y1: float
    x2: float
    y2: float
    style: str
    title: str = ""


Mark = Area | Line | Label | Counter | Arrow


@dataclass(frozen=True, slots=True)
class Picture:
    """A map: size in map units, marks from back to front, what it shows in words, and the same as plain text.

    `still` may say which marks are printed, as places from and to in `marks`: the same objects whenever this part of
    the map is shown. A replay draws and sends them once.
    """

    name: str
    title: str
    width: float
    height: float
    marks: tuple[Mark, ...]
    text: tuple[str, ...] = ()
    legend: tuple[tuple[str, str], ...] = ()
    still: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of the report: title, column heads, rows of cells as text."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class View:
    """What one seat (or the public) may see of a position. No rules object inside."""

    headline: str
    facts: tuple[tuple[str, str], ...] = ()
    grids: tuple[Grid, ...] = ()
    pictures: tuple[Picture, ...] = ()


# The engine ------------------------------------------------------------------------------------------------------


class Engine(Protocol):
    """A game. States are the engine's own: anything that `copy.deepcopy` copies and `==` compares."""

    id: str
    title: str
    editions: tuple[int, ...]
    orders: Mapping[str, type[Order]]
    """Order classes by kind; no kind may be one of the core's."""
    words: Mapping[str, str]
    """Sentences by note stem, with `{name}` for arguments."""
    bound: int
    """No game has more orders than this."""

    def scenarios(self) -> tuple[Scenario, ...]:
        """What can be played, the usual one first."""
        ...

    def components(self, edition: int, folder: Path | None = None) -> Any:
        """The data of an edition, an owner's corrected copy (folder or file) over it. `Trouble` names file and row."""
        ...

    def rulings(self, edition: int) -> tuple[str, ...]:
        """Rulings in force, as `R17 on`, sorted: what `rules.digest` covers."""
        ...

    def check_options(self, scenario: Scenario, options: Mapping[str, str]) -> str | None:
        """What is wrong with option values beyond the lists of the scenario, or None."""
        ...

    def setup(self, start: Start) -> Any:
        """The state before event 1."""
        ...

    def pending(self, state: Any) -> tuple[Ask | Roll, ...]:
        """What the position waits for, in the order of answering; empty when the game is over.

        Orders of the seat first asked may be allowed beside a leading `Roll` until dice are requested.
        """
        ...

    def refuse(self, state: Any, seat: str, act: Act, known: Known) -> Illegal | Owes | None:
        """Why the seat may not do this now; None when it may. Judges orders, openings, and seals that nobody asked for.

        `known` holds what was opened, also by the event itself; a slot it lacks is one this machine cannot see.
        The audit asks again about the acts for which something was looked for and not found there, and no others.
        What only limits the owner is then `Owes`; what the rules need to see now is `Illegal`: open it with the order.
        An opened choice brings its order along, judged as it was to be when it was sealed.
        Slots that an order opens are judged as an opening before it, and applied.
        """
        ...

    def opens(self, state: Any, seat: str, order: Order, known: Known) -> tuple[Slot, ...]:
        """The seat's own slots that this order opens with it (a card is opened by the order that plays it).

        `known` holds the seat's closed slots too: which are open already, and so left out here, the state must say.
        """
        ...

    def phrase(self, state: Any, seat: str, order: Order, known: Known) -> str:
        """The order as the seat may type it, hidden things by name where it knows them; `read` takes it back."""
        ...

    def apply(self, state: Any, step: Step, tell: Tell = silent) -> None:
        """Change the state by one step that was not refused."""
        ...

    def offers(self, state: Any, seat: str, known: Known) -> Iterable[Order]:
        """Orders for a menu: every one is accepted by `refuse`; there may be more than these.

        A seat that is asked is offered something, but at a window perhaps nothing.
        """
        ...

    def sample(self, state: Any, ask: Ask, known: Known, rng: random.Random) -> Order:
        """One complete legal answer to the ask, chosen with `rng`; at a window only if there are offers."""
        ...

    def read(self, state: Any, seat: str, text: str, known: Known) -> tuple[Order, ...]:
        """The orders that a line of text can mean, the likeliest first. Raises `Unreadable` with a hint."""
        ...

    def outcome(self, state: Any) -> Outcome | None:
        """The result, or None while the game goes on."""
        ...

    def position(self, state: Any) -> Mapping[str, Sequence[str]]:
        """Named sections of short sorted ASCII lines: the state digest, and what cases and scripts see.

        Everything that a rule depends on stands in it; a position placed elsewhere goes on the same way.
        """
        ...

    def place(self, state: Any, sections: Mapping[str, Sequence[str]]) -> None:
        """Set sections of a position, each as a whole; the inverse of `position`. Raises `Trouble`."""
        ...

    def picture(self, state: Any, seat: str, known: Known) -> View:
        """What a seat ("" for the public) may see."""
        ...

    def replaceable(self, state: Any, seat: str) -> bool:
        """Whether a vanished seat's hidden zones can be rebuilt from public facts."""
        ...


# What an engine may have beside ------------------------------------------------------------------------------------


@runtime_checkable
class Advises(Protocol):
    """An engine with a bot."""

    def advise(self, state: Any, ask: Ask, known: Known, rng: random.Random) -> Order | None:
        """A sensible answer by what the seat asked knows; None lets a window pass. Always legal."""
        ...


@runtime_checkable
class Scores(Protocol):
    """An engine whose positions have points."""

    def points(self, state: Any) -> Mapping[str, Fraction]:
        """The points of each seat that has some, by public facts."""
        ...


@runtime_checkable
class Musters(Protocol):
    """An engine whose sides can be counted."""

    def strength(self, state: Any) -> Mapping[str, int]:
        """The strength of each side on the board, in the rulebook's own measure, by public facts."""
        ...


@runtime_checkable
class Converts(Protocol):
    """An engine that can take a running game over to another of its editions, or to other components."""

    def convert(self, state: Any, old: Start, new: Start) -> Any:
        """The same position under the new set-up, as a state of its own; `Illegal` where there is no way to it.

        Both differ in edition, components or options; scenario and seats are the same.
        """
        ...


@runtime_checkable
class Foretells(Protocol):
    """An engine whose dice can be talked about before they fall."""

    gist: Mapping[str, str]
    """What tells one outcome from another: short sentences by note stem, several with "; " between them.

    Notes without one make no difference.
    """

    def passive(self, state: Any, ask: Ask) -> Order | None:
        """The answer that adds nothing ("no cards"), assumed of whoever is asked before the dice; None: no such one."""
        ...
