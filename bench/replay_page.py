"""A replay page of 2,000 events with counters on a hex map: its size and the time to make it.

PYTHONPATH=. python bench/replay_page.py [EVENTS]

The moves are made up: each event moves one of 60 counters to a hex beside it, on a map of 800 hexes.
"""

from __future__ import annotations

import json
import random
import sys
import time
from math import sqrt

from pbem.api import Area, Counter, Grid, Label, Mark, Picture, View
from pbem.replay_page import Steps

COLUMNS, ROWS, UNITS = 40, 20, 60
SIDE = 2.0


def centre(column: int, row: int) -> tuple[float, float]:
    return 2 + 1.5 * SIDE * column, 3 + sqrt(3) * SIDE * (row + column % 2 / 2)


def ground() -> tuple[Mark, ...]:
    corners = [(1, 0), (0.5, 0.866), (-0.5, 0.866), (-1, 0), (-0.5, -0.866), (0.5, -0.866)]
    marks: list[Mark] = []
    for column in range(COLUMNS):
        for row in range(ROWS):
            x, y = centre(column, row)
            marks.append(Area(tuple((x + SIDE * dx, y + SIDE * dy) for dx, dy in corners), "clear"))
    for column in range(COLUMNS):
        for row in range(ROWS):
            x, y = centre(column, row)
            marks.append(Label(x, y - 1, f"{column:02}{row:02}", "hex", 0.7))
    return tuple(marks)


def main(events: int) -> None:
    rng = random.Random(1)
    hexes = ground()
    places = [(rng.randrange(COLUMNS), rng.randrange(ROWS)) for _ in range(UNITS)]
    steps = Steps("")
    started = time.perf_counter()
    size = 0
    for event in range(events):
        unit = rng.randrange(UNITS)
        column, row = places[unit]
        places[unit] = (min(max(column + rng.choice((-1, 1)), 0), COLUMNS - 1), row)
        counters = tuple(
            Counter(*centre(*at), ("red", "blue")[n % 2], str(n % 7), f"{n}/1", size=3) for n, at in enumerate(places)
        )
        rows = tuple((f"{n}/1", f"{at[0]:02}{at[1]:02}") for n, at in enumerate(places))
        picture = Picture("map", f"Event {event}", 125, 75, hexes + counters)
        view = View(f"Event {event}", (), (Grid("Units", ("unit", "hex"), rows),), (picture,))
        size += len(json.dumps(steps.step(view), separators=(",", ":")))
    seconds = time.perf_counter() - started
    store = steps.store
    told = [list(steps.strings), steps.lists.told, list(store.parts), list(store.sprites)]
    size += len(json.dumps(told, separators=(",", ":")))
    print(
        f"{events:,} events: {size / 1e6:.2f} MB beside the log, {seconds:.1f} s, {1000 * seconds / events:.1f} ms each"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
