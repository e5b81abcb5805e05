"""What changes in the course of a game, and the few questions that every chapter asks of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.kit.bits import Hexes
from rules.kit.hexes import Hex, Side
from rules.tiger_of_malaya.components import Board
from rules.tiger_of_malaya.places import Places, places
from rules.tiger_of_malaya.rows import ChitKind, Level, Mover, Player
from rules.tiger_of_malaya.standing import StandingOrder

JAPAN: Player = "japan"
ALLIES: Player = "allies"
SEATS: tuple[Player, Player] = (JAPAN, ALLIES)


def foe(side: str) -> Player:
    """The other side."""
    return ALLIES if side == JAPAN else JAPAN


@dataclass(slots=True)
class Piece:
    """A unit on the map.

    Of this impulse: `start` where it stood when it began, `left` its movement points, `marks` what it has done:
    moved, tried (a demolition), attacked, bombarded, fought, entered; `by:HEX` an enemy it stood beside at the start.
    `fresh`: it came to the Allied port and has not been free to leave. [10.1.1.A/2, R69]
    `skilled`: a company of a jungle-capable battalion whose companies are so too.
    """

    at: Hex
    level: int = 0
    supplied: bool = True
    available: bool = True
    fresh: bool = False
    start: Hex = ""
    left: int = 0
    marks: frozenset[str] = frozenset()
    skilled: bool = False

    def __deepcopy__(self, _: object) -> Piece:
        return Piece(
            *(self.at, self.level, self.supplied, self.available, self.fresh),
            *(self.start, self.left, self.marks, self.skilled),
        )

    def mark(self, *words: str) -> None:
        """It has done this."""
        self.marks |= frozenset(words)


@dataclass(slots=True)
class Battle:
    """An attack that was declared: with what, from where, and how far it has come.

    `support` and `defence` are guns, `boats` take `ferried` units over water, `held` are the defenders who count
    where they were named. `step` is what comes next, `rest` the part of the defender's result that may be steps or
    hexes, `length` how far attackers may advance. Nothing sets `attack_due`, `defence_due` and `retreating`: they stay
    because they are in the lines of games that were played.
    """

    hex: Hex
    side: Player
    units: tuple[str, ...]
    probe: bool = False
    air: str = ""
    support: tuple[str, ...] = ()
    defence: tuple[str, ...] = ()
    origins: tuple[Hex, ...] = ()
    step: str = "declared"
    attack_due: int = 0
    defence_due: int = 0
    rest: int = 0
    retreating: bool = False
    length: int = 0
    said: str = ""
    boats: tuple[str, ...] = ()
    ferried: tuple[str, ...] = ()
    fought: bool = False
    held: tuple[str, ...] = ()


@dataclass(slots=True)
class Loss:
    """Steps that a side must still take from some of its units, and what the game goes on with then."""

    side: Player
    units: tuple[str, ...]
    steps: int
    why: str
    hex: Hex = ""


@dataclass(slots=True)
class State:
    """A game. `phase` is what is asked; chits that are sealed lie in `cup` by slot, open ones by name.

    `plan` are the steps that this impulse still has, the first of them now. `held` is the land that Japan controls.
    Of the campaign: `drafts` are replacements in hand by nation, `groups` what became of reinforcements that a secret
    die decides on (`never`, `rolled SLOT LABEL`, `shown SLOT LABEL`, `come`), `fates` the sealed values left for such
    dice; `weak` are replacement battalions, under the names of what they were, `broken` battalions that are companies
    now; `bases` are airfields of aircraft, `fields` since which turn Japan holds an airfield; `streak` whose impulses
    came last, and how many; `adrift` are steamers an enemy has met, each with where he stands; `short` says whether
    Japan is to make up the garrison of Singapore (`due`) or has been asked (`asked`). `reach` are the zones of both
    sides as bits when control was last settled, where that matters (R27).
    """

    board: Board
    options: dict[str, str]
    reach: tuple[Hexes, Hexes] = (0, 0)
    turn: int = 1
    impulses: int = 0
    number: int = 0
    phase: str = "draw"
    active: Player = JAPAN
    chit: ChitKind | str = ""
    mode: str = ""
    plan: tuple[str, ...] = ()
    pieces: dict[str, Piece] = field(default_factory=dict)
    held: frozenset[Hex] = frozenset()
    destroyed: frozenset[Side] = frozenset()
    forts: dict[Hex, Player] = field(default_factory=dict)
    cup: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
    slot: str = ""
    opened: dict[str, str] = field(default_factory=dict)
    planes: dict[str, str] = field(default_factory=dict)
    due: tuple[str, ...] = ()
    lost: frozenset[str] = frozenset()
    standing: tuple[tuple[str, StandingOrder], ...] = ()
    battles: list[Battle] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)
    facts: frozenset[str] = frozenset()
    waiting: tuple[str, ...] = ()
    drafts: dict[str, int] = field(default_factory=dict)
    groups: dict[str, str] = field(default_factory=dict)
    fates: int = 0
    weak: frozenset[str] = frozenset()
    broken: frozenset[str] = frozenset()
    bases: dict[str, Hex] = field(default_factory=dict)
    fields: dict[Hex, int] = field(default_factory=dict)
    streak: str = ""
    adrift: tuple[str, ...] = ()
    short: str = ""
    result: tuple[str, str] | None = None
    places: Places = field(default_factory=Places, compare=False, repr=False)


def option(s: State, name: str) -> str:
    """What was agreed on in the charter; "" where it is left out."""
    return s.options.get(name, "")


# --- units ---


def level(s: State, unit: str) -> Level:
    """The face that shows."""
    return s.board.level(unit, s.pieces[unit].level, weak=unit in s.weak)


def points(s: State, unit: str) -> int:
    """Its stacking points."""
    return level(s, unit).points


def steps(s: State, unit: str) -> int:
    """How many steps it can lose. [R57]"""
    if unit in s.weak:
        return len(s.board.templates[s.board.template(unit).weaker].levels) - s.pieces[unit].level
    return s.board.steps(unit, s.pieces[unit].level)


def mover(s: State, unit: str) -> Mover:
    """Its column of the chart."""
    if unit in s.weak:
        return "foot"
    return s.board.mover(unit, unit in s.pieces and s.pieces[unit].skilled) or "foot"


def can_jungle(s: State, unit: str) -> bool:
    """Whether it is jungle-capable; raw drafts are not. [2.2:JungleMark, R106]"""
    return unit not in s.weak and s.board.jungle(unit, unit in s.pieces and s.pieces[unit].skilled)


def is_gun(s: State, unit: str) -> bool:
    """Artillery of any kind."""
    return unit in s.board.guns


def stack(s: State, hex: Hex) -> tuple[str, ...]:
    """The units of a hex, by name."""
    return places(s).stack(hex)


def of(s: State, side: str) -> tuple[tuple[str, Piece], ...]:
    """The units of a side on the map."""
    return s.places.roster(s, side)


def weight(s: State, hex: Hex) -> int:
    """The stacking points of a hex."""  # [5.0.B, 5.0.D]
    return sum(points(s, id) for id in stack(s, hex))


def occupied(s: State, side: str) -> frozenset[Hex]:
    """Where units of a side stand that nobody may walk into: trucks and steamers keep nobody out."""  # [4.2, R16]
    return places(s).occupied(side)


def holder(s: State, hex: Hex) -> Player:
    """Who controls a land hex."""  # [2.1:Control/1]
    return JAPAN if hex in s.held else ALLIES


def chit_of(slot: str, opened: Mapping[str, str]) -> tuple[Player, ChitKind | str]:
    """Whose chit it is, and what it says: `japan-full-2`, or a slot that was opened."""
    side, _, rest = slot.partition("-")
    kind = opened.get(slot, "") if "/" in slot else rest.partition("-")[0]
    return (JAPAN if side == JAPAN else ALLIES), kind


def date(s: State) -> str:
    """Where dice of this impulse are named after: `t3/i2`."""
    return f"t{s.turn}/i{s.number}"


# --- on the map ---


def put(s: State, unit: str, hex: Hex) -> None:
    """It stands in another hex."""
    piece = s.pieces[unit]
    s.places.moved(unit, piece.at, hex)
    piece.at = hex


def come(s: State, unit: str, piece: Piece) -> None:
    """It is on the map."""
    s.pieces[unit] = piece
    s.places.moved(unit, "", piece.at)


def leave(s: State, unit: str) -> Piece:
    """It is on the map no more."""
    piece = s.pieces.pop(unit)
    s.places.moved(unit, piece.at, "")
    return piece


def flip(s: State, unit: str, level: int) -> None:
    """It shows another face."""
    piece = s.pieces[unit]
    piece.level = level
    s.places.turned(piece.at)


def remove(s: State, unit: str) -> None:
    """It is eliminated; the impulse in which it moved remembers that somebody did."""  # [5.0.E]
    if leave(s, unit).marks & {"moved", "entered"} and s.board.side(unit) == s.active:
        s.facts |= {"moved"}
    if unit in s.board.units:  # companies go back to their pool [12.4.D]
        s.lost |= {unit}
