"""Where the data differ from what the rulebook prints.

Small sets for cases say `excerpt = true` in their [game] and need not pass this; an owner's copy should.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules.kit.data import Data
from rules.kit.search import groups
from rules.singapore_1984.board import Board
from rules.singapore_1984.components import board
from rules.singapore_1984.rows import MARKER, UNIT, Face, Span

NAMED = ("0101", "0109", "0201", "0208", "0209", "0301", "0302", "0316", "0416", "0719", "1424", "1726", "1822", "1825")
"""Hexes of the large map that the rulebook names as land; 1826 and 1926 too."""
COUNT = 100
WORTH = 164
FIRST = (
    *(Span(-6, -5), Span(-4, -4), Span(-3, -3), Span(-2, -2), Span(-1, -1), Span(0, 0), Span(1, 1)),
    *(Span(2, 3), Span(4, 5), Span(6, 8), Span(9, 12)),
)
MANEUVER_1 = ["AE", "AE", "AE", "A3", "A2", "A1", "A1", "A1", "A1", "BR", "BR"]
ASSAULT_1 = ["AE", "AE", "AE", "A3", "A2", "A1", "A1", "A1", "AX", "BR", "EX"]
ROW_2 = ["AE", "AE", "A3", "A2", "A1", "A1", "A1"]
TRANSPORT = ("eliminated", "step-returns", "step-lands", "none", "none", "none")


def check_printed(tables: Data) -> Iterator[str]:
    """Everything that differs, in words."""
    b = board(tables)
    missing = [hex for hex in (*NAMED, "1826", "1926", "i2105") if hex not in b.letters]
    if missing:
        yield f"{missing[0]} is named in the rules and not on the map [2.1c]"
        return
    yield from _large_map(b)
    yield from _network(b)
    yield from _inset(b)
    yield from _charts(b)
    yield from _counters(b)
    number = len(tables[UNIT]) + sum(row.count for row in tables[MARKER])
    if number != COUNT:
        yield f"there are {number} counters, not {COUNT} [2.0]"
    if next((row.count for row in tables[MARKER] if row.id == "control"), 0) != len(b.markers):
        yield "there is a control marker for every hex with a port or an airfield [3.0f]"


def _large_map(b: Board) -> Iterator[str]:
    """Named hexes, the 22 markers, Penang, the neighbours of Singapore, the three hexsides of sea."""
    yield from (f"{hex} is named in the rules and no land" for hex in (*NAMED, "1926") if not b.is_land(hex))
    if len(b.markers) != 22:
        yield f"{len(b.markers)} hexes have a port or an airfield, not 22 [3.0f]"
    for hex, coast in (("0302", "e"), ("1822", "e"), ("0109", "w"), ("1424", "w")):
        if hex not in b.ports or b.places[hex].coast != coast:
            yield f"{hex} is a port of the {'east' if coast == 'e' else 'west'} coast [6.11a, 6.24]"
    if not {"0208", "0209"} <= {there for there, edge in b.beside("0109") if edge.river}:
        yield "Penang lies across river hexsides from 0208 and 0209 [5.27]"
    if any(b.is_land(there) for there in b.neighbours("0109") if there not in ("0208", "0209")):
        yield "Penang touches the mainland at 0208 and 0209 only [5.27]"
    if set(b.neighbours("1826")) != {"1726", "1727", "1825", "1827", "1926", "1927"}:
        yield "1826 has the neighbours 1726, 1727, 1825, 1827, 1926, 1927 [R1]"
    if any(not b.is_sea(hex) for hex in ("1727", "1827", "1927")):
        yield "1826 is joined to 1726, 1825 and 1926 only [11.0b]"
    for a, c in (("0905", "1005"), ("1005", "1106"), ("0316", "0416")):
        if not b.edge(a, c).closed or b.step(a, c, "jp") is not None:
            yield f"{a}/{c} is all sea and closed [5.28b, R2]"
    if b.ground("0719") != "city":
        yield "0719 is Kuala Lumpur, a city [9.24]"


def _network(b: Board) -> Iterator[str]:
    """One net of rails with both ends of it; 1822 and 1826 on roads."""
    rails = frozenset(
        hex for way, hexes in b.ways.values() if way == "rail" for hex in hexes if not hex.startswith("i")
    )
    parts = groups(rails, lambda hex: (there for there, edge in b.beside(hex) if edge.rail))
    if len(tuple(parts)) != 1:
        yield "the railroads are one net [5.44, 5.45a]"
    yield from (f"{hex} is on the railroad [5.44, 5.45a]" for hex in ("0101", "1826") if hex not in rails)


def _inset(b: Board) -> Iterator[str]:
    """Island, shores, landings and the Causeway."""
    island = frozenset(b.region("island"))
    if len(island) != 19:
        yield f"the island has {len(island)} hexes, not 19 [11.0c]"
    for name in ("island", "from-1726", "from-1825", "from-1926", "landing", "city", "causeway-ends"):
        yield from (f"{hex} of {name} is no land [11.0]" for hex in b.region(name) if not b.is_land(hex))
    yield from (f"{hex} is no sea [11.22b]" for hex in b.region("landing-sea") if not b.is_sea(hex))
    sea = frozenset(b.region("landing-sea"))
    for hex in b.region("landing"):
        if hex not in island or not sea & set(b.neighbours(hex)):
            yield f"{hex} is a landing hex of the island beside the sea [11.25b]"
    yield from (f"{hex} touches no landing hex [11.22b]" for hex in sea if not _touches(b, hex, "landing"))
    if any(not b.is_land(there) for there in b.neighbours("i1905")):
        yield "1905 touches no water [10.31a]"
    ends = b.region("causeway-ends")
    joined = [hex for hex in b.letters if hex.startswith("i") and set(ends) <= set(b.neighbours(hex))]
    if joined != ["i1606"] or b.ground("i1606") != "causeway":
        yield "the Causeway is 1606, the one hex beside 1507 and 1706 [11.44a]"
    elif not all(b.edge("i1606", end).road and b.edge("i1606", end).rail for end in ends):
        yield "road and railroad cross the Causeway [11.44a]"
    for a, c in (("i1803", "i1804"), ("i1803", "i1903"), ("i1706", "i1707"), ("i1906", "i1907")):
        if not b.edge(a, c).river:
            yield f"{a}/{c} is an inlet [11.52]"
    yield from (f"{hex} is a city [12.0PRa, 8.31]" for hex in b.region("city") if b.ground(hex) != "city")
    if not any(hex in b.airfields for hex in island):
        yield "there is an airfield on the island [13.84b]"


def _touches(b: Board, hex: str, region: str) -> bool:
    return any(b.has(region, there) for there in b.neighbours(hex))


def _charts(b: Board) -> Iterator[str]:
    """Costs, zones, the printed cells of the combat table, transport attrition."""
    costs = {name: (row.cw, row.jp) for name, row in b.grounds.items()}
    if b.rates != {"road": 1, "rail": 2}:
        yield "a step by road costs 1, along a railroad 2 [5.22a]"
    if costs["jungle"][0] != 4 or costs["plantation"][0] >= 4:
        yield "jungle costs the Commonwealth 4, plantation less [5.24c]"
    if costs["jungle"][0] + costs["mixed"][0] != 6:
        yield "jungle and mixed cost the Commonwealth 6 together [10.1c]"
    if costs["mountain"][0] + 1 <= b.units["6IND"].faces[0].allowance:
        yield "6IND cannot enter a mountain across a river [5.26]"
    for name, row in b.grounds.items():
        if name in ("swamp", "jungle", "mountain", "city") and row.cw_zone:
            yield f"the zone of the Commonwealth does not enter {name} [8.31]"
        if row.jp_zone != (name not in ("mountain", "city", "island")):
            yield f"the zone of Japan {'enters' if not row.jp_zone else 'does not enter'} {name} [8.32]"
    if b.differentials[1] != FIRST:
        yield "the first line of the combat table differs [9.4a]"
    if b.differentials[2][:7] != _second():
        yield "the second line of the combat table differs [9.4a]"
    printed = (("maneuver", 1, MANEUVER_1), ("assault", 1, ASSAULT_1), ("maneuver", 2, ROW_2), ("assault", 2, ROW_2))
    for mode, die, results in printed:
        if list(b.outcomes[mode].rows[die][: len(results)]) != results:  # type: ignore[index]
            yield f"row {die} of the {mode} table differs [9.4a]"
    if tuple(b.strike("transport", die) for die in range(1, 7)) != TRANSPORT:
        yield "transport attrition differs [11.24b]"
    if max(b.air.values()) < b.game.forcez_air:
        yield "Japan has eight air points at some time [6.47]"


def _second() -> tuple[Span, ...]:
    """Columns 1 to 7 of the line of mixed ground, towns and ports."""
    return (*(Span(n, n) for n in range(-4, 2)), Span(2, 3))


def _counters(b: Board) -> Iterator[str]:
    """Faces, sums, arms and stacking points that the rulebook gives."""
    if b.units["16AUS"].faces != (Face(8, 6, 6), Face(3, 4, 6)):
        yield "16AUS is 8-6-6, reduced 3-4-6 [9.52c]"
    if b.worth("5IG") != 18:
        yield "5IG is worth 18 [12.21b]"
    if b.units["22AUS"].start != "1822":
        yield "22AUS begins in 1822 [3.0h]"
    if b.units["4IG"].turn != 3:
        yield "4IG enters on turn 3 [3.0j]"
    historical = [unit for unit in b.units.values() if not unit.boxed]
    worth = sum(
        b.worth(unit.id) * b.awards["cw-armor" if unit.arm == "armor" else "cw-infantry"]
        for unit in historical
        if unit.side == "cw"
    )
    if worth != WORTH:
        yield f"the historical Commonwealth is worth {worth}, not {WORTH} [12.21e]"
    if sorted(unit.id for unit in b.units.values() if unit.guard) != ["3IG", "4IG", "5IG"]:
        yield "the Imperial Guards are 3IG, 4IG and 5IG [7.22]"
    if sum(unit.arm == "security" for unit in b.units.values()) != 2:
        yield "there are two security brigades [7.11]"
    for unit in b.units.values():
        if unit.points != _points(unit.side, unit.arm, unit.id):
            yield f"{unit.id} has {unit.points} stacking points [7.11]"
        if unit.arm == "armor" and unit.side == "cw" and not unit.boxed:
            yield f"{unit.id}: all Commonwealth armor is optional [7.11]"


def _points(side: str, arm: str, id: str) -> int:
    if arm == "armor":
        return 1 if side == "jp" else 0
    if arm == "security" or id == "3IG":
        return 1
    return 3 if side == "cw" else 2
