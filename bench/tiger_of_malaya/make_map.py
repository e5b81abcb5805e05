"""Make rules/tiger_of_malaya/data/map.toml from geography.toml: hexes from coasts and zones, hexsides from rivers.

Run it to write the file. With `--check` it exits with 1 where the file differs.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import hypot, sqrt
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SOURCE = Path(__file__).with_name("geography.toml")
RESULT = ROOT / "rules" / "tiger_of_malaya" / "data" / "map.toml"
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from hexmap import inside, wrapped, write  # noqa: E402

from rules.kit.hexes import Grid, side  # noqa: E402

Point = tuple[float, float]
SAMPLES = 8
"""A hex is sampled at points an eighth of its radius apart."""

SEA, FERTILE, TOWN, CITY, SWAMP = ".", "f", "t", "c", "s"


class Geography:
    """The source, and what follows from it."""

    def __init__(self, source: Path = SOURCE) -> None:
        self.given: dict[str, Any] = tomllib.loads(source.read_text(encoding="utf-8"))
        grid = self.given["grid"]
        self.grid = Grid(tuple(grid["columns"]), tuple(grid["rows"]), grid["low"])
        self.lines: list[tuple[dict[str, Any], list[str]]] = [
            (line, line["hexes"].split()) for line in self.given["line"]
        ]
        self.island = self.given["island"]["hexes"].split()
        self.network = {hex for _, hexes in self.lines for hex in hexes}
        self.roads = {hex for line, hexes in self.lines if line["way"] == "road" for hex in hexes}

    # --- the fit ---

    def degrees(self, hex: str, across: float = 0, down: float = 0) -> Point:
        """Where a point of a hex lies, `across` and `down` miles from its middle: degrees north and east."""
        fit = self.given["fit"]
        column, row = int(hex[:2]), int(hex[2:])
        lowered = (column % 2 == 0) == (self.grid.low == "even")
        high = row + (0.5 if lowered else 0) + down / fit["row_miles"]
        if high > fit["tight"]:
            high = fit["tight"] + (high - fit["tight"]) * fit["squeeze"]
        x, y = fit["column_miles"] * column + across, fit["row_miles"] * high
        north, east = (a * x + b * y + c for a, b, c in (fit["north"], fit["east"]))
        return 2 + north / fit["mile_of_north"], 103 + east / fit["mile_of_east"]

    def miles(self, a: Point, b: Point) -> float:
        """The distance between two places in degrees."""
        fit = self.given["fit"]
        return hypot((a[0] - b[0]) * fit["mile_of_north"], (a[1] - b[1]) * fit["mile_of_east"])

    def hex_at(self, place: Point) -> str:
        """The hex whose middle is nearest."""
        return min(self.grid.hexes, key=lambda hex: self.miles(self.degrees(hex), place))

    def residuals(self) -> dict[str, float]:
        """By printed hex, how many miles the fit misses the real place."""
        return {hex: self.miles(self.degrees(hex), tuple(place)) for hex, place in self.given["fitted"].items()}

    # --- hexes ---

    def land_share(self, hex: str) -> float:
        """The share of the hex that lies inside a coast."""
        row = self.given["fit"]["row_miles"]
        radius, half = row / sqrt(3), row / 2
        coasts = [self.given["coast"][name] for name in ("mainland", "singapore")]
        middle = self.degrees(hex)
        if all(self._far_from(middle, coast, radius) for coast in coasts):
            return float(any(inside(middle, coast) for coast in coasts))
        steps = [n / SAMPLES for n in range(-SAMPLES, SAMPLES + 1)]
        points = [
            self.degrees(hex, i * radius, j * half)
            for i in steps
            for j in steps
            if abs(i) * radius <= radius - abs(j) * half / sqrt(3) + 1e-9
        ]
        return sum(any(inside(point, coast) for coast in coasts) for point in points) / len(points)

    def _far_from(self, place: Point, coast: Sequence[Sequence[float]], miles: float) -> bool:
        """Whether no part of an outline comes so near."""
        fit = self.given["fit"]
        north, east = fit["mile_of_north"], fit["mile_of_east"]
        shifted = [((p[1] - place[1]) * east, (p[0] - place[0]) * north) for p in coast]
        for (a, b), (c, d) in pairwise([*shifted, shifted[0]]):
            length = (c - a) ** 2 + (d - b) ** 2
            along = min(1.0, max(0.0, -(a * (c - a) + b * (d - b)) / length)) if length else 0.0
            if hypot(a + along * (c - a), b + along * (d - b)) <= miles:
                return False
        return True

    def is_land(self, hex: str) -> bool:
        """Enough of it inside a coast, or named."""
        coast = self.given["coast"]
        return hex in coast["land"].split() or 100 * self.land_share(hex) >= coast["least_percent"]

    def terrain(self) -> dict[str, str]:
        """The letter of every hex."""
        return {hex: self._ground(hex) if self.is_land(hex) else SEA for hex in self.grid.hexes}

    def _ground(self, hex: str) -> str:
        zones, city = self.given["zones"], self.given["island"]["city"].split()
        high = set(zones["jungle_4"].split())
        by_road = any(near in self.roads for near in self.grid.within(hex, 1))
        if hex in self.island:
            return CITY if hex in city else FERTILE
        if hex in zones["town"].split():
            return TOWN
        if hex in high:
            return "4"
        if hex in zones["named_swamp"].split():
            return SWAMP
        if any(near in high for near in self.grid.within(hex, zones["slopes"])) or within(hex, zones["jungle_3"]):
            return "3"
        if within(hex, zones["swamp_off_road"]) and hex not in self.roads:
            return SWAMP
        if within(hex, zones["fertile"]) or (within(hex, zones["fertile_by_road"]) and by_road):
            return FERTILE
        return "1" if any(near in self.network for near in self.grid.within(hex, 1)) else "2"

    # --- hexsides ---

    def straits(self, terrain: dict[str, str]) -> list[str]:
        """The hexsides between the island and the mainland."""
        return sorted(
            side(hex, there)
            for hex in self.island
            for there in self.grid.neighbours(hex)
            if terrain[there] != SEA and there not in self.island
        )

    def faults(self, terrain: dict[str, str]) -> Iterator[str]:
        """What cannot be right in the source."""
        for line, hexes in self.lines:
            for a, b in pairwise(hexes):
                if not self.grid.adjacent(a, b):
                    yield f"{line['id']}: {a} and {b} are not neighbours"
            yield from (f"{line['id']}: {hex} is in the sea" for hex in hexes if terrain[hex] == SEA)
        for water in self.given["water"]:
            sides = water["sides"].split()
            yield from (f"{water['id']}: {name} is no hexside" for name in sides if not self.grid.is_side(name))
            for a, b in pairwise(sides):
                if not set(self.grid.edge(a)) & set(self.grid.edge(b)):
                    yield f"{water['id']}: {a} and {b} do not meet"
        for name, place in self.given["names_in_degrees"].items():
            if terrain[self.hex_at(tuple(place))] == SEA:
                yield f"{name} is in the sea"

    def names(self) -> dict[str, str]:
        """By hex, what is written there."""
        placed = {self.hex_at(tuple(place)): name for name, place in self.given["names_in_degrees"].items()}
        return dict(sorted({**placed, **self.given["names"]}.items()))


def within(hex: str, rectangles: Iterable[Sequence[int]]) -> bool:
    """Whether a hex lies in one of these rectangles of columns and rows."""
    column, row = int(hex[:2]), int(hex[2:])
    return any(a <= column <= b and c <= row <= d for a, b, c, d in rectangles)


HEAD = """\
# The map. Made by bench/tiger_of_malaya/make_map.py from geography.toml; change that, or lay a copy of yours over this.
# Printed are the numbers of the hexes that the rulebook names and what it says of them (see printed.py); the grid is
# fitted to these, the rest is real geography laid over it.
# Letters: . sea, f fertile, t town, c fertile and town (the city on the island), 1-4 jungle level, s swamp;
# column 01 first. Even columns stand half a hex lower.
provenance = "reconstructed"

"""


def text(geography: Geography) -> str:
    """The whole file. ValueError with everything that is wrong in the source."""
    terrain = geography.terrain()
    faults = list(geography.faults(terrain))
    if faults:
        raise ValueError("; ".join(faults))
    (left, right), (top, bottom) = geography.grid.columns, geography.grid.rows
    parts = [
        f"[grid]\nfirst_column = {left}\nlast_column = {right}\nfirst_row = {top}\nlast_row = {bottom}\n"
        f'low = "{geography.grid.low}"\nprovenance = "printed"\nsource = "the one fit to the named hexes"\n'
    ]
    rows = [
        f'  {{ id = "{row:02}", cells = "'
        + "".join(terrain[geography.grid.id(column, row)] for column in range(left, right + 1))
        + '" },'
        for row in range(top, bottom + 1)
    ]
    parts.append("terrain = [\n" + "\n".join(rows) + "\n]\n")
    names = [f'  {{ id = "{hex}", name = "{name}" }},' for hex, name in geography.names().items()]
    parts.append("name = [\n" + "\n".join(names) + "\n]\n")
    for line, hexes in geography.lines:
        parts.append(
            f'[[line]]\nid = "{line["id"]}"\nway = "{line["way"]}"\nname = "{line["name"]}"\n'
            f"hexes = {wrapped(hexes, 20)}\n"
        )
    waters = [(water["id"], water["kind"], water["sides"].split()) for water in geography.given["water"]]
    waters.append(("straits-of-johore", "ocean", geography.straits(terrain)))
    for id, kind, sides in waters:
        tag = 'provenance = "printed"\nsource = "12.6.3, from the hexes of the island"\n' if kind == "ocean" else ""
        parts.append(f'[[water]]\nid = "{id}"\nkind = "{kind}"\nsides = {wrapped(sides, 10)}\n{tag}')
    parts.append(
        f'[[region]]\nid = "island"\nhexes = {wrapped(geography.island, 20)}\n'
        'provenance = "printed"\nsource = "12.1.A, the hexes around the city"\n'
    )
    parts.append(
        f'[[region]]\nid = "east-coast"\nhexes = {wrapped(geography.given["east_coast"]["hexes"].split(), 20)}\n'
    )
    # tables that are lists come before the first [header] of the file
    lists = [part for part in parts if part.startswith(("terrain", "name"))]
    return HEAD + "\n".join(lists + [part for part in parts if part not in lists])


if __name__ == "__main__":
    sys.exit(write(text(Geography()), RESULT, sys.argv[1:]))
