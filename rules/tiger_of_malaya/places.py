"""Who stands where, and the zones that follow from it, kept up to date while units move. [4.2, 6.0]

Nothing here decides anything: it all follows from the units, and a copy of a state works it out anew when it is asked.
Then it is looked at again only where something changed, so whatever brings a unit to another hex or turns its counter
over goes through `state.put`, `come`, `leave` and `flip`.

    now = places(s)
    now.stack("0515")               the units of a hex, by name
    now.zone(JAPAN)                 the hexes in the zones of a side
    now.occupied(JAPAN)             where units of a side stand that keep others out
    now.anybody(JAPAN)              where any unit of a side stands
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from rules.kit.bits import Bits, Hexes, bits_of
from rules.kit.hexes import Hex, Side
from rules.tiger_of_malaya.components import Board
from rules.tiger_of_malaya.hexsides import passable

if TYPE_CHECKING:
    from rules.tiger_of_malaya.state import Piece, State

    Roster = tuple[tuple[str, Piece], ...]

JAPAN = "japan"


@lru_cache(maxsize=256)
def named(bits: Bits, some: Hexes) -> frozenset[Hex]:
    """A set of bits as a set of hexes."""
    return frozenset(bits.hexes(some))


Stack = tuple[int, bool]
"""The points of a side's units in a hex, and whether some of these could cross a river on foot."""


class Own:
    """What is known of the units of one side.

    `here` are its stacks by hex. As bits: `stands` where they are, `keeps` where they have points, `covers` the hexes
    in their zones.
    """

    __slots__ = ("_bits", "_foot", "_wheels", "covers", "here", "keeps", "stands")

    def __init__(self, bits: Bits) -> None:
        self._bits = bits
        self.here: dict[Hex, Stack] = {}
        self.stands: Hexes = 0
        self.keeps: Hexes = 0
        self._foot: Hexes = 0
        self._wheels: Hexes = 0
        self.covers: Hexes = 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own) and all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]

    def weights(self) -> Iterator[tuple[Hex, int]]:
        """The points in every hex with units of the side."""
        return ((hex, points) for hex, (points, _) in self.here.items())

    def has(self, hex: Hex) -> bool:
        """Whether units with points stand in a hex."""
        return hex in self.here and self.here[hex][0] > 0

    def found(self, s: State, hex: Hex, stack: Stack | None) -> None:
        """What stands in a hex now."""
        before, bit = self.here.pop(hex, None), 1 << self._bits.place[hex]
        if stack is not None:
            self.here[hex] = stack
        if (before is None) != (stack is None):
            self.stands ^= bit
        had, has = before[0] if before else 0, stack[0] if stack else 0
        if bool(had) != bool(has):
            self.keeps ^= bit
        least = s.board.game.zone_points  # [6.0.B, 7.4.5]: supplied or not
        if (had < least and has < least) or not s.board.is_land(hex):
            return
        foot, wheels = self._foot & ~bit, self._wheels & ~bit
        if stack is not None and has >= least:
            foot, wheels = (foot | bit, wheels) if stack[1] else (foot, wheels | bit)
        if foot != self._foot or wheels != self._wheels:
            self._foot, self._wheels = foot, wheels
            self.covers = around(s.board, s.destroyed, foot, wheels)


def around(board: Board, destroyed: frozenset[Side], foot: Hexes, wheels: Hexes) -> Hexes:
    """The hexes in the zones of stacks, those that could cross a river on foot and the others."""  # [6.0.A]
    across = Bits.across
    on_foot, others = passable(board, destroyed, on_foot=True), passable(board, destroyed, on_foot=False)
    return (across(foot, on_foot) | across(wheels, others)) & board.ashore


class Places:
    """Who stands where.

    `new`: control was not settled yet; else `held` is the land of Japan as bits, for the set `_held`.
    """

    _sides: tuple[Own, Own]
    bits: Bits

    __slots__ = (
        *("_destroyed", "_held", "_held_bits", "_rosters", "_sides", "_touched", "_units", "_weak"),
        *("bits", "new"),
    )

    def __init__(self) -> None:
        self._rosters: tuple[Roster, Roster] | None = None
        self._units: dict[Hex, set[str]] = {}
        self._touched: set[Hex] = set()
        self._weak: frozenset[str] | None = None
        self._destroyed: frozenset[Side] | None = None
        self._held: frozenset[Hex] = frozenset()
        self._held_bits: Hexes = 0
        self.new = True

    def __deepcopy__(self, _: object) -> Places:
        return Places()

    def __eq__(self, other: object) -> bool:
        """Whether both say the same of where units stand."""
        if not isinstance(other, Places):
            return NotImplemented
        mine, theirs = ({hex: ids for hex, ids in one._units.items() if ids} for one in (self, other))
        return mine == theirs and self._sides == other._sides

    __hash__ = None  # type: ignore[assignment]

    # --- what changes ---

    def moved(self, unit: str, before: Hex, after: Hex) -> None:
        """A unit is somewhere else; "" for off the map."""
        if not (before and after):
            self._rosters = None
        if self._weak is None:
            return
        if before:
            self._touched.add(before)
            self._units[before].discard(unit)
        if after:
            self._touched.add(after)
            self._units.setdefault(after, set()).add(unit)

    def turned(self, hex: Hex) -> None:
        """A counter in the hex shows another face."""
        self._touched.add(hex)

    # --- what is asked ---

    def roster(self, s: State, side: str) -> Roster:
        """The units of a side in the order in which they came."""
        if self._rosters is None:
            sides = s.board.sides
            japan = tuple([one for one in s.pieces.items() if sides[one[0]] == JAPAN])
            allies = tuple([one for one in s.pieces.items() if sides[one[0]] != JAPAN])
            self._rosters = japan, allies
        return self._rosters[side != JAPAN]

    def stack(self, hex: Hex) -> tuple[str, ...]:
        """The units of a hex, by name."""
        return tuple(sorted(self._units.get(hex, ())))

    def own(self, side: str) -> Own:
        """What is known of the units of a side."""
        return self._sides[side != JAPAN]

    def zone(self, side: str) -> frozenset[Hex]:
        """The hexes in the zones of a side."""
        return named(self.bits, self.own(side).covers)

    def occupied(self, side: str) -> frozenset[Hex]:
        """Where units of a side with points stand."""
        return named(self.bits, self.own(side).keeps)

    def anybody(self, side: str) -> frozenset[Hex]:
        """Where any units of a side stand."""
        return named(self.bits, self.own(side).stands)

    # --- control ---

    def held(self, s: State) -> Hexes:
        """The land of Japan."""
        if self._held is not s.held:
            self._held, self._held_bits = s.held, self.bits.of(s.held)
        return self._held_bits

    def change(self, s: State, gained: Hexes, gone: Hexes) -> None:
        """Japan gains some land and loses some."""
        now = (self.held(s) | gained) & ~gone
        s.held = s.held.union(self.bits.hexes(gained)).difference(self.bits.hexes(gone))
        self._held, self._held_bits = s.held, now

    # --- looking again ---

    def look(self, s: State) -> None:
        """Take in what has changed."""
        if self._weak is not s.weak or self._destroyed is not s.destroyed:
            self._begin(s)
        if self._touched:
            for hex in self._touched:
                self._look_at(s, hex)
            self._touched.clear()

    def _begin(self, s: State) -> None:
        self._weak, self._destroyed = s.weak, s.destroyed
        self.bits = bits_of(s.board.grid)
        self._sides, self._units, self._touched = (Own(self.bits), Own(self.bits)), {}, set()
        for id, piece in s.pieces.items():
            self._units.setdefault(piece.at, set()).add(id)
        self._touched.update(self._units)

    def _look_at(self, s: State, hex: Hex) -> None:
        board, weak, pieces = s.board, s.weak, s.pieces
        japan: Stack | None = None
        allies: Stack | None = None
        for id in self._units.get(hex, ()):
            points = board.level(id, pieces[id].level, weak=id in weak).points
            foot = points > 0 and board.walks(id)
            if board.sides[id] == JAPAN:
                japan = (japan[0] + points, japan[1] or foot) if japan else (points, foot)
            else:
                allies = (allies[0] + points, allies[1] or foot) if allies else (points, foot)
        for own, now in zip(self._sides, (japan, allies), strict=True):
            if own.here.get(hex) != now:
                own.found(s, hex, now)


def places(s: State) -> Places:
    """Who stands where now."""
    s.places.look(s)
    return s.places
