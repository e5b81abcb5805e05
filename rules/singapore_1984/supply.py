"""Supply and attrition. [10.0]"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.kit.hexes import Hex
from rules.kit.search import reach, trace, way
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import JP, NORTH, SINGAPORE, State, foe
from rules.singapore_1984.zones import open_zone

RESERVOIRS = "i1905"


def sources(s: State, side: Player, inset: bool) -> frozenset[Hex]:
    """Where lines of a side may end, on the large map or on the inset. [10.31a, 10.32, 10.33b]"""
    key = ("sources", side, inset)
    found: frozenset[Hex] | None = s.seen.both.get(key)
    if found is None:
        found = s.seen.both[key] = _sources(s, side, inset)
    return found


def _sources(s: State, side: Player, inset: bool) -> frozenset[Hex]:
    if side != JP:
        return frozenset({RESERVOIRS if inset else SINGAPORE})  # [10.31a, 10.31b]
    if inset:  # [R52]
        ashore, allowance = lines(s, side), s.board.game.base_allowance
        good = [large for large in s.board.region("facing") if ashore.reaches(large, allowance)]
        return frozenset(hex for large in good for hex in s.board.region(f"from-{large}"))
    found = {NORTH}  # [10.32, 10.33b]
    for hex in s.board.ports:
        place = s.board.places[hex]
        west = place.coast == "w" and s.shipping == "intact"
        if (place.coast == "e" or west) and s.control.get(hex) == JP:
            found.add(hex)
    return frozenset(found)


def lines(s: State, side: Player) -> Lines:
    """The lines of a side as units stand now."""
    key = ("lines", side)
    found: Lines | None = s.seen.both.get(key)
    if found is None:
        found = s.seen.both[key] = Lines(s, side)
    return found


class Lines:
    """What the lines of one side can use at one moment: free hexes, and those that hang on a source by road or rail.

    Judged with the zones as they are flagged, so that units that are judged together do not wait for each other. [R12]
    """

    def __init__(self, s: State, side: Player) -> None:
        self.s, self.side = s, side
        self.open = self._free_hexes()
        self._inset: frozenset[Hex] | None = None
        self._marches: dict[tuple[Hex, int, bool], tuple[Hex, ...]] = {}
        self.sources = sources(s, side, inset=False) & self.open
        self.network = self._network(self.sources)

    def ends(self, hex: Hex) -> frozenset[Hex]:
        """Where a line from the hex may end: a source, or a hex with road or railroad to one."""
        if not hex.startswith("i"):
            return self.network  # the sources are in it
        if self._inset is None:
            found = sources(self.s, self.side, inset=True) & self.open
            self._inset = found | self._network(found)
        return self._inset

    def _free_hexes(self) -> frozenset[Hex]:
        """No enemy, no enemy zone without a friend; Japan only where a unit of its own passed last. [10.1a, 10.33a]"""
        s, other = self.s, foe(self.side)
        barred = s.occupied(other) | open_zone(s, other)  # [10.1a, 8.0GRb]
        if self.side != JP:
            return s.board.everywhere - barred
        return frozenset([hex for hex, last in s.through.items() if last == JP and hex not in barred])  # [10.33a]

    def _network(self, starts: Iterable[Hex]) -> frozenset[Hex]:
        """The hexes from which road and railroad lead to a source without a gap."""
        linked, found, open_ = self.s.board.linked, set(starts), self.open
        queue = list(found)
        for hex in queue:
            for there in linked.get(hex, ()):
                if there in open_ and there not in found:
                    found.add(there)
                    queue.append(there)
        return frozenset(found)

    def reaches(self, hex: Hex, allowance: int, armor: bool = False) -> bool:
        """Whether a unit of such an allowance, or an airfield, in the hex has a line. [10.1b, R14, R35]"""
        return bool(self.march(hex, allowance, armor))

    def march(self, hex: Hex, allowance: int, armor: bool = False) -> tuple[Hex, ...]:
        """The way from the hex to a source, or to a road or railroad that leads to one; nothing where there is none."""
        key = (hex, allowance, armor)
        if key not in self._marches:
            self._marches[key] = self._march(hex, allowance, armor)
        return self._marches[key]

    def _march(self, hex: Hex, allowance: int, armor: bool) -> tuple[Hex, ...]:
        if self.side == JP and self.s.through.get(hex) != JP:
            return ()
        ends = self.ends(hex)
        if hex in ends:
            return (hex,)
        exits, side, river, open_ = self.s.board.exits, self.side, self.s.rivers(self.side), self.open

        def steps(here: Hex) -> Iterator[tuple[Hex, int]]:
            for there, points, linked, wet in exits(here, side):
                if there in open_ and (linked or not armor):  # [10.2]
                    yield there, points + river if wet else points

        found = reach([hex], steps, limit=allowance, until=ends.__contains__)  # [10.1b, 10.1c]
        last = next(reversed(found), None)
        return way(found, last) if last in ends else ()

    def along(self, start: Hex) -> tuple[Hex, ...]:
        """The way by road and railroad from a hex of the network to a source."""
        inset = sources(self.s, self.side, inset=True) if start.startswith("i") else frozenset()

        def beside(hex: Hex) -> Iterator[Hex]:
            return (there for there in self.s.board.linked.get(hex, ()) if there in self.open)

        return trace(start, (self.sources | inset).__contains__, beside) or (start,)


def supplied(s: State, unit: str, now: Lines) -> bool:
    """Whether a unit has a supply line now; one that waits at sea always has. [10.1a, R16]"""
    at = s.pieces[unit].at
    return at in now.ends(at) or s.at_sea(unit) or bool(_march(s, unit, now))


def _march(s: State, unit: str, now: Lines) -> tuple[Hex, ...]:
    piece = s.pieces[unit]
    far = s.allowance(unit)
    if s.side(unit) == JP and piece.at.startswith("i"):
        far *= s.board.game.island_pulses  # [11.54]
    return now.march(piece.at, far, s.board.units[unit].arm == "armor")


def line(s: State, unit: str, now: Lines) -> tuple[Hex, ...]:
    """The supply line of a unit, hex by hex to the source; nothing where it has none or waits at sea."""
    march = () if s.at_sea(unit) else _march(s, unit, now)
    return (*march, *now.along(march[-1])[1:]) if march else ()


def judge(s: State, side: Player, units: Iterable[str]) -> None:
    """Set the flags of units that are judged together. [10.0PRb, 10.0PRc, R12]"""
    now = lines(s, side)
    for unit, oos in [(unit, not supplied(s, unit, now)) for unit in units]:
        if oos != s.pieces[unit].oos:
            s.change(unit, oos=oos)


def attrition(s: State, unit: str, die: int) -> bool:
    """Whether a unit out of supply loses a step by this die; only the worse ground counts. [10.4a, 10.4b]"""
    game, ground = s.board.game, s.board.ground(s.pieces[unit].at)
    more = game.attrition_mountain if ground == "mountain" else game.attrition_jungle if ground == "jungle" else 0
    return die + more >= game.attrition
