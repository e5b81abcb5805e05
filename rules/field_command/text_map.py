"""The Mapboard in plain text: where the sectors lie, then what each one is, who is there and where one goes from it."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from rules.field_command import terms
from rules.field_command.seen import Seen

COLUMNS = 76
ROWS = 30
WIDEST, HIGHEST = 1000, 930
"""How far the drawing goes, in tenths of a map unit."""


def text(s: Seen) -> tuple[str, ...]:
    """The map in lines of at most 78 columns."""
    return (
        "A sector: code, controlling army (J, A, B), number of units; ! contested.",
        "",
        *_plotted(s),
        "",
        "Ways: = road, - land, ~ water, ~= bridge; > fortified line against who comes",
        "from there. Over water the defender has +\u00bd, against an Axis +1.",
        *(("x the road is cut, ^ the water is bridged.",) if any(sign.does != "shut" for sign in s.signs) else ()),
        "",
        *(line for id in s.board.sectors for line in _listed(s, id)),
        "",
        *(line for id in s.board.axes for line in _axis(s, id)),
    )


def _sign(s: Seen, id: str) -> str:
    """A sector on the plot: `KraA4!`."""
    if id in s.board.axes:
        count = len(s.at(id))
        return f"[{s.board.name(id)}{f' J{count}' if count else ''}]"
    sector = s.board.sectors[id]
    count = len(s.at(id))
    return f"{sector.code}{s.control.get(id, sector.owner)}{count or ''}{'!' if id in s.contested else ''}"


def _plotted(s: Seen) -> Iterator[str]:
    """The sectors and activated Axes where they lie; one that finds no room goes a line down."""
    places = [(s.board.sectors[id].at if id in s.board.sectors else s.board.axes[id].at, id) for id in s.board.places]
    rows: list[list[str]] = [[" "] * COLUMNS for _ in range(ROWS + 8)]
    for at, id in sorted(places, key=lambda place: (place[0][1], place[0][0], place[1])):
        sign = _sign(s, id)
        row = at[1] * ROWS // HIGHEST
        left = max(0, min(at[0] * COLUMNS // WIDEST - len(sign) // 2, COLUMNS - len(sign)))
        while row + 1 < len(rows) and any(mark != " " for mark in rows[row][max(left - 1, 0) : left + len(sign) + 1]):
            row += 1
        rows[row][left : left + len(sign)] = sign
    lines = ["".join(row).rstrip() for row in rows]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    yield from lines


def _listed(s: Seen, id: str) -> Iterator[str]:
    """What a sector is, where one goes from it, who is there."""
    sector = s.board.sectors[id]
    signs = {"road": "=", "open": "-", "water": "~", "bridge": "~="}
    ways = []
    for step in s.board.neighbours(id):
        line = ">" if (step.to, id) in s.board.line_names else ""
        ways.append(f"{signs[step.way]}{_altered(s, id, step.to)}{s.board.sectors[step.to].code}{line}")
    ways += [f"{s.board.name(axis)}" for axis in s.board.axes_at(id) if axis in s.board.activated]
    holder = terms.ADJECTIVES[s.control.get(id, sector.owner)]
    told = ["contested"] * (id in s.contested)
    told += ["closed to the enemy" for sign in s.signs if sign.does == "shut" and id in sign.places]
    what = ", ".join((holder, *told, *terms.symbols(s, id)))
    yield from wrap(f"{sector.code} {sector.name} ({what}): {' '.join(ways)}", 78, subsequent_indent="    ")
    for army, units in terms.by_army(s, id):
        yield from wrap(f"    {army}: {terms.briefly(s, units)}", 78, subsequent_indent="       ")


def _altered(s: Seen, a: str, b: str) -> str:
    """How a card in force changes the way between two sectors. [15.3.1]"""
    signs = {"cut": "x", "bridged": "^"}
    return "".join(signs.get(sign.does, "") for sign in s.signs if set(sign.places) == {a, b})


def _axis(s: Seen, id: str) -> Iterator[str]:
    """What an Axis borders, and who waits there."""
    live = "" if id in s.board.activated else ", not activated"
    landings = ", ".join(s.board.name(sector) for sector in s.board.landings(id))
    yield from wrap(f"{s.board.name(id)}{live}: {landings}", 78, subsequent_indent="    ")
    if s.at(id):
        yield from wrap(f"    J: {terms.briefly(s, s.at(id))}", 78, subsequent_indent="       ")
