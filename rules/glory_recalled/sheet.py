"""A sheet of the map in plain text: where the spaces lie, then what each one is and where its links lead."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from textwrap import wrap

from rules.glory_recalled import ground, terms
from rules.glory_recalled.components import Board
from rules.glory_recalled.rows import Half
from rules.glory_recalled.seen import Moved, Seen

COLUMNS = 76
ROWS = {"kowloon": 36, "island": 30}
REGIONS = {"north": "New Territories", "line": "Gin Drinker's Line", "kowloon": "Kowloon", "island": "Hong Kong Island"}


def text(s: Seen, half: Half) -> tuple[str, ...]:
    """The sheet in lines of at most 78 columns."""
    ways = [line for moved in s.moves for line in _way(s, moved, half)]
    lines = [
        "B2: two British counters, J1: one Japanese unit, + a leader, # Fortified,",
        "j: under Japanese control, x: battery destroyed.",
        "",
        *_plotted(s, half),
        *(("", "LAST ACTIONS", *ways) if ways else ()),
        "",
        "Links: = major road, - minor path. Number: defence bonus as it is now.",
    ]
    for region, title in REGIONS.items():
        ids = [id for id, space in s.board.spaces.items() if space.region == region and space.half == half]
        if ids:
            lines += ["", title.upper(), *(line for id in ids for line in _listed(s, id))]
    return tuple(lines)


def _sign(s: Seen, id: str) -> str:
    """A space on the plot: `G03B2#`."""
    pieces = s.at(id)
    count = sum(piece.what != "leader" for piece in pieces)
    who = ""
    if pieces:
        who = f"{pieces[0].seat[0].upper()}{count}{'+' if count < len(pieces) else ''}"
    elif s.control.get(id) == "japan" and id in s.board.spaces and not s.board.spaces[id].brown:
        who = "j"
    return f"{id}{who}{'#' if id in s.forts else ''}{'x' if id in s.destroyed else ''}"


def _way(s: Seen, moved: Moved, half: Half) -> Iterator[str]:
    """What was gone on this sheet, in words: `Japanese attack: N03 Fanling to G03 Shing Mun`."""
    boxes, spaces = s.board.boxes, s.board.spaces
    touched = {boxes[id].space if id in boxes else id for id in moved.spaces}
    if half in {spaces[id].half for id in touched if id in spaces}:
        through = f" by {', '.join(moved.spaces[1:-1])}" if len(moved.spaces) > 2 else ""
        start, end = (terms.place(s.board, id) for id in (moved.spaces[0], moved.spaces[-1]))
        told = f"{terms.SEATS[moved.seat]} {moved.how}: {start} to {end}{through}"
        yield from wrap(told, 78, subsequent_indent="    ")


def _plotted(s: Seen, half: Half) -> tuple[str, ...]:
    """The spaces of a sheet where they lie; one that finds no room goes a line down."""
    return _plot(s.board, half, tuple(_sign(s, id) for _, id in _places(s.board, half)))


@lru_cache(ground.SHEETS)
def _places(board: Board, half: Half) -> tuple[tuple[tuple[int, int], str], ...]:
    """Spaces and landing boxes of a sheet, from the top."""
    places = [(board.spaces[id].at, id) for id in board.spaces_in(half)]
    places += [(box.at, box.id) for box in ground.boxes(board, half)]
    return tuple(sorted(places, key=lambda place: (place[0][1], place[0][0], place[1])))


@lru_cache(ground.SHEETS)
def _plot(board: Board, half: Half, signs: tuple[str, ...]) -> tuple[str, ...]:
    places = _places(board, half)
    height = max((at[1] for at, _ in places), default=0) + 1
    rows: list[list[str]] = [[" "] * COLUMNS for _ in range(ROWS[half] + 8)]
    for (at, _), sign in zip(places, signs, strict=True):
        row = at[1] * ROWS[half] // height
        left = max(0, min(at[0] * COLUMNS // 1000 - len(sign) // 2, COLUMNS - len(sign)))
        while row + 1 < len(rows) and any(mark != " " for mark in rows[row][max(left - 1, 0) : left + len(sign) + 1]):
            row += 1
        rows[row][left : left + len(sign)] = sign
    return tuple("\n".join("".join(row).rstrip() for row in rows).strip("\n").splitlines())


def _listed(s: Seen, id: str) -> tuple[str, ...]:
    """What a space is, who is there, where its links lead."""
    pieces = s.at(id)
    said = "; ".join(word for word in (terms.briefly(pieces), *terms.markers(s, id)) if word)
    seat = f"{terms.SEATS[pieces[0].seat]} " if pieces else ""
    return _entry(s.board, id, terms.bonus(s, id), seat + said)


@lru_cache(ground.LOOKS)
def _entry(board: Board, id: str, bonus: int, said: str) -> tuple[str, ...]:
    space = board.spaces[id]
    links = " ".join(("=" if link.way == "road" else "-") + link.to for link in board.links(id))
    head = f"{id} {space.name}, {terms.ground(space)}, +{bonus}: {links}"
    there = wrap(f"    {said}", 78, subsequent_indent="    ") if said else ()
    return (*wrap(head, 78, subsequent_indent="    "), *there)
