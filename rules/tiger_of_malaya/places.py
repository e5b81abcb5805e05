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
from rules.tiger_of_malaya.hexsides import open_side

if TYPE_CHECKING:
    from rules.tiger_of_malaya.state import Piece, State

    Roster = tuple[tuple[str, Piece], ...]

JAPAN = "japan"


@lru_cache(maxsize=4096)
def around(board: Board, destroyed: frozenset[str], hex: Hex, on_foot: bool) -> tuple[Hex, ...]:
    """The hexes in the zone of a stack."""  # [6.0.A]
    return tuple(
        there
        for there, edge in board.land_beside(hex)
        if not edge.water or open_side(destroyed, hex, there, edge, on_foot)
    )


Stack = tuple[int, bool]
"""The points of a side's units in a hex, and whether some of these could cross a river on foot."""


class Own:
    """What is known of the units of one side.

    `here` are the stacks by hex, `cast` which hexes a stack has in its zone, `reach` in how many zones a hex is;
    `stands` and `covers` are the hexes of `here` and `reach` as bits.
    """

    __slots__ = ("_anybody", "_occupied", "_place", "_zone", "cast", "covers", "here", "reach", "stands")

    def __init__(self, bits: Bits) -> None:
        self._place = bits.place
        self.stands: Hexes = 0
        self.covers: Hexes = 0
        self.here: dict[Hex, Stack] = {}
        self.cast: dict[Hex, tuple[Hex, ...]] = {}
        self.reach: dict[Hex, int] = {}
        self._zone: frozenset[Hex] | None = None
        self._occupied: frozenset[Hex] | None = None
        self._anybody: frozenset[Hex] | None = None

    def weights(self) -> Iterator[tuple[Hex, int]]:
        """The points in every hex with units of the side."""
        return ((hex, points) for hex, (points, _) in self.here.items())

    def holds(self, hex: Hex) -> bool:
        """Whether units with points stand in a hex."""
        return hex in self.here and self.here[hex][0] > 0

    @property
    def zone(self) -> frozenset[Hex]:
        if self._zone is None:
            self._zone = frozenset(self.reach)
        return self._zone

    @property
    def occupied(self) -> frozenset[Hex]:
        if self._occupied is None:
            self._occupied = frozenset(hex for hex, (points, _) in self.here.items() if points)
        return self._occupied

    @property
    def anybody(self) -> frozenset[Hex]:
        if self._anybody is None:
            self._anybody = frozenset(self.here)
        return self._anybody

    def found(self, hex: Hex, stack: Stack | None) -> None:
        """What stands in a hex now."""
        if (stack is None) == (hex in self.here):
            self.stands ^= 1 << self._place[hex]
        if stack is None:
            del self.here[hex]
        else:
            self.here[hex] = stack
        self._occupied = self._anybody = None

    def throw(self, hex: Hex, cast: tuple[Hex, ...]) -> list[Hex]:
        """The zone of the stack in a hex now; the hexes that came into the zones of the side or left them."""
        changed, reach = [], self.reach
        for there in self.cast.pop(hex, ()):
            if reach[there] == 1:
                del reach[there]
                changed.append(there)
            else:
                reach[there] -= 1
        for there in cast:
            if there in reach:
                reach[there] += 1
            else:
                reach[there] = 1
                changed.append(there)
        if cast:
            self.cast[hex] = cast
        if changed:
            self._zone = None
            for there in changed:
                self.covers ^= 1 << self._place[there]
        return changed


class Places:
    """Who stands where.

    `unsettled` are the hexes whose control may have changed since that was settled; `new`: it was not settled yet.
    """

    _sides: tuple[Own, Own]

    __slots__ = ("_destroyed", "_rosters", "_sides", "_touched", "_units", "_weak", "new", "unsettled")

    def __init__(self) -> None:
        self._rosters: tuple[Roster, Roster] | None = None
        self._units: dict[Hex, set[str]] = {}
        self._touched: set[Hex] = set()
        self._weak: frozenset[str] | None = None
        self._destroyed: frozenset[Side] | None = None
        self.unsettled: set[Hex] = set()
        self.new = True

    def __deepcopy__(self, _: object) -> Places:
        return Places()

    def __eq__(self, other: object) -> bool:
        """Whether both say the same; what is unsettled apart."""
        if not isinstance(other, Places):
            return NotImplemented
        mine, theirs = ({hex: ids for hex, ids in one._units.items() if ids} for one in (self, other))
        return mine == theirs and all(
            (own.here, own.cast, own.reach, own.stands, own.covers)
            == (one.here, one.cast, one.reach, one.stands, one.covers)
            for own, one in zip(self._sides, other._sides, strict=True)
        )

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
            japan = tuple(one for one in s.pieces.items() if s.board.side(one[0]) == JAPAN)
            allies = tuple(one for one in s.pieces.items() if s.board.side(one[0]) != JAPAN)
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
        return self.own(side).zone

    def occupied(self, side: str) -> frozenset[Hex]:
        """Where units of a side with points stand."""
        return self.own(side).occupied

    def anybody(self, side: str) -> frozenset[Hex]:
        """Where any units of a side stand."""
        return self.own(side).anybody

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
        bits = bits_of(s.board.grid)
        self._sides, self._units, self._touched = (Own(bits), Own(bits)), {}, set()
        for id, piece in s.pieces.items():
            self._units.setdefault(piece.at, set()).add(id)
        self._touched.update(self._units)

    def _look_at(self, s: State, hex: Hex) -> None:
        for own, now in zip(self._sides, self._stacks(s, hex), strict=True):
            if own.here.get(hex) != now:
                own.found(hex, now)
                if s.board.is_land(hex):
                    strong = now is not None and now[0] >= s.board.game.zone_points  # [6.0.B, 7.4.5]: supplied or not
                    cast = around(s.board, s.destroyed, hex, now[1]) if now is not None and strong else ()
                    self.unsettled.add(hex)
                    if cast or hex in own.cast:
                        self.unsettled.update(own.throw(hex, cast))

    def _stacks(self, s: State, hex: Hex) -> tuple[Stack | None, Stack | None]:
        """What stands in a hex of Japan and of the Allies."""
        board, weak, japan, allies = s.board, s.weak, None, None
        for id in self._units.get(hex, ()):
            points = board.level(id, s.pieces[id].level, weak=id in weak).points
            foot = points > 0 and board.walks(id)
            if board.side(id) == JAPAN:
                japan = (japan[0] + points, japan[1] or foot) if japan else (points, foot)
            else:
                allies = (allies[0] + points, allies[1] or foot) if allies else (points, foot)
        return japan, allies


def places(s: State) -> Places:
    """Who stands where now."""
    s.places.look(s)
    return s.places
