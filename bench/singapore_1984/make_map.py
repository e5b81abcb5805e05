"""Make rules/singapore_1984/data/map.toml from geography.toml: land from the coast, the rest from chains of hexes.

Run it to write the file. With `--check` it exits with 1 where the file differs.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from math import hypot, sqrt
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SOURCE = Path(__file__).with_name("geography.toml")
RESULT = ROOT / "rules" / "singapore_1984" / "data" / "map.toml"
sys.path[:0] = [str(ROOT), str(ROOT / "bench")]

from hexmap import inside, wrapped, write  # noqa: E402

from rules.kit.hexes import Grid, side  # noqa: E402

Point = tuple[float, float]
SAMPLES = 10
"""A hex is sampled at points a tenth of its radius apart."""
SEA = "."


class Geography:
    """The source, and what follows from it."""

    def __init__(self, source: Path = SOURCE) -> None:
        self.given: dict[str, Any] = tomllib.loads(source.read_text(encoding="utf-8"))
        grid = self.given["grid"]
        self.grid = Grid(tuple(grid["columns"]), tuple(grid["rows"]), grid["low"])
        self.rows: list[str] = self.given["ground"]["rows"]

    # --- the fit ---

    def degrees(self, hex: str, across: float = 0, down: float = 0) -> Point:
        """Where a point of a hex lies, `across` and `down` miles from its middle: degrees north and east."""
        fit = self.given["fit"]
        column, row = int(hex[:2]), int(hex[2:])
        lowered = (column % 2 == 0) == (self.grid.low == "even")
        x = fit["column_miles"] * column + across
        y = fit["row_miles"] * (row + (0.5 if lowered else 0)) + down
        north, east = (a * x + b * y + c for a, b, c in (fit["north"], fit["east"]))
        return 4 + north / fit["mile_of_north"], 102 + east / fit["mile_of_east"]

    def residuals(self) -> dict[str, float]:
        """By printed hex, how many miles the fit misses the real place."""
        fit, found = self.given["fit"], {}
        for hex, (north, east) in self.given["fitted"].items():
            a, b = self.degrees(hex)
            found[hex] = hypot((a - north) * fit["mile_of_north"], (b - east) * fit["mile_of_east"])
        return found

    # --- hexes ---

    def land_share(self, hex: str) -> float:
        """The share of the hex that lies inside the coast."""
        row = self.given["fit"]["row_miles"]
        radius, half, coast = row / sqrt(3), row / 2, self.given["coast"]["outline"]
        steps = [n / SAMPLES for n in range(-SAMPLES, SAMPLES + 1)]
        points = [
            self.degrees(hex, i * radius, j * half)
            for i in steps
            for j in steps
            if abs(i) * radius <= radius - abs(j) * half / sqrt(3) + 1e-9
        ]
        return sum(inside(point, coast) for point in points) / len(points)

    def is_land(self, hex: str) -> bool:
        """Enough of it inside the coast, or named; not where it is named as sea."""
        coast = self.given["coast"]
        if hex in coast["sea"].split():
            return False
        return hex in coast["land"].split() or 100 * self.land_share(hex) >= coast["least_percent"]

    def letter(self, hex: str) -> str:
        """The ground that is given for a hex."""
        return self.rows[int(hex[2:]) - self.grid.rows[0]][int(hex[:2]) - self.grid.columns[0]]

    # --- hexsides ---

    def works(self) -> Iterator[tuple[str, str, list[str]]]:
        """Prepared and fortified lines: id, kind, hexsides. A beach is every hexside of a hex to the sea."""
        for row in self.given["line_side"]:
            yield row["id"], row["kind"], row["sides"].split()
        for row in self.given["beach"]:
            hex = row["hex"]
            sea = sorted(side(hex, there) for there in self.grid.neighbours(hex) if self.letter(there) == SEA)
            yield row["id"], "fortified", sea

    def faults(self) -> Iterator[str]:
        """What cannot be right in the source."""
        wide = self.grid.columns[1] - self.grid.columns[0] + 1
        if len(self.rows) != self.grid.rows[1] - self.grid.rows[0] + 1 or any(len(row) != wide for row in self.rows):
            yield "the rows of ground do not fill the grid"
            return
        for hex in self.grid.hexes:
            if self.is_land(hex) != (self.letter(hex) != SEA):
                yield f"{hex} is {'land' if self.is_land(hex) else 'sea'} by the coast and not by its ground"
        for line in self.given["line"]:
            hexes = line["hexes"].split()
            yield from (f"{line['id']}: {hex} is in the sea" for hex in hexes if self.letter(hex) == SEA)
            for a, b in pairwise(hexes):
                if not self.grid.adjacent(a, b):
                    yield f"{line['id']}: {a} and {b} are not neighbours"
        for water in self.given["water"]:
            sides = water["sides"].split()
            yield from (f"{water['id']}: {name} is no hexside" for name in sides if not self.grid.is_side(name))
            if water["kind"] == "river" and "printed" not in water:
                for a, b in pairwise(sides):
                    if not set(self.grid.edge(a)) & set(self.grid.edge(b)):
                        yield f"{water['id']}: {a} and {b} do not meet"
        for id, _, sides in self.works():
            yield from (f"{id}: {name} is no hexside" for name in sides if not self.grid.is_side(name))


HEAD = """\
# The large map. Made by bench/singapore_1984/make_map.py from geography.toml; change that, or lay a copy of yours over
# this. The inset is in inset.toml. Printed are the numbers of the hexes that the rulebook names and what it says of
# them (see printed.py); the grid is fitted to these, the rest is real geography laid over it.
# Letters: . sea, x mixed, p plantation, j jungle, M mountain, S swamp, T town or port, C city, I Singapore Island;
# column 01 first. Even columns stand half a hex lower.
provenance = "reconstructed"

"""


def tagged(source: str) -> str:
    """Provenance of a row that is printed."""
    return f'provenance = "printed"\nsource = "{source}"\n' if source else ""


def text(geography: Geography) -> str:
    """The whole file. ValueError with everything that is wrong in the source."""
    faults = list(geography.faults())
    if faults:
        raise ValueError("; ".join(faults))
    given = geography.given
    rows = [f'  {{ id = "{row:02}", cells = "{cells}" }},' for row, cells in enumerate(geography.rows, 1)]
    named = [f'  {{ id = "{hex}", name = "{name}" }},' for hex, name in sorted(given["names"].items())]
    places = []
    for place in given["places"]["rows"]:
        port, airfield = (str(place[what]).lower() for what in ("port", "airfield"))
        tag = f', provenance = "printed", source = "{place["printed"]}"' if "printed" in place else ""
        places.append(
            f'  {{ id = "{place["id"]}", name = "{place["name"]}", port = {port}, airfield = {airfield}, '
            f'coast = "{place["coast"]}"{tag} }},'
        )
    parts = [
        "terrain = [\n" + "\n".join(rows) + "\n]\n",
        "place = [\n" + "\n".join(places) + "\n]\n",
        "name = [\n" + "\n".join(named) + "\n]\n",
    ]
    for id, prefix in (("grid", ""), ("inset", "i")):
        grid = given[id]
        (left, right), (top, bottom) = grid["columns"], grid["rows"]
        parts.append(
            f'[[grid]]\nid = "{"large" if id == "grid" else id}"\nprefix = "{prefix}"\n'
            f"first_column = {left}\nlast_column = {right}\nfirst_row = {top}\nlast_row = {bottom}\n"
            f'low = "{grid["low"]}"\n' + tagged("the one parity under which all named neighbours touch [R1]")
        )
    parts += [
        f'[[line]]\nid = "{line["id"]}"\nway = "{line["way"]}"\nname = "{line["name"]}"\n'
        f"hexes = {wrapped(line['hexes'].split(), 20)}\n"
        for line in given["line"]
    ]
    parts += [
        f'[[water]]\nid = "{water["id"]}"\nkind = "{water["kind"]}"\nsides = {wrapped(water["sides"].split(), 10)}\n'
        + tagged(water.get("printed", ""))
        for water in given["water"]
    ]
    parts += [
        f'[[works]]\nid = "{id}"\nkind = "{kind}"\nsides = {wrapped(sides, 10)}\n'
        for id, kind, sides in geography.works()
    ]
    return HEAD + "\n".join(parts)


if __name__ == "__main__":
    sys.exit(write(text(Geography()), RESULT, sys.argv[1:]))
