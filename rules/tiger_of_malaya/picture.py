"""What a reader sees: headline, facts and tables, and the map in sheets (see `drawing`).

The engine fills a `Seen` from state and known slots; `view` makes the report's view of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from textwrap import wrap

from pbem.api import Grid, View
from rules.kit.recent import recent
from rules.tiger_of_malaya import terms
from rules.tiger_of_malaya.components import Board
from rules.tiger_of_malaya.drawing import STACKS, pictures
from rules.tiger_of_malaya.seen import Battle, Due, Moved, Piece, Plane, Seen, opening, ranked

__all__ = ["Battle", "Due", "Moved", "Piece", "Plane", "Seen", "opening", "view"]

UNITS = 44
"""Columns of the units of a stack, so that its table fits into 78."""

STANDS = "Who stands where: attack-defence-allowance (O out of supply, U unavailable)"


def view(s: Seen) -> View:
    """The position as this reader sees it."""
    return View(headline(s), tuple(facts(s)), _grids(replace(s, reader="", chosen=())), pictures(s))


@recent(2)
def _grids(s: Seen) -> tuple[Grid, ...]:
    """The tables, the same for readers who know the same."""
    return tuple(grids(s))


def headline(s: Seen) -> str:
    """Date and step, or the result."""
    return f"{terms.date(s)}: {s.result or s.step}"


def facts(s: Seen) -> Iterator[tuple[str, str]]:
    """Chits, aircraft, replacements, what decides."""
    if s.impulses:
        yield "impulses", f"{s.impulses} this turn, {len(s.drawn)} begun"
    if s.drawn:
        yield "chits drawn", ", ".join(f"{terms.SIDES[side]} {terms.CHITS[kind]}" for side, kind in s.drawn)
    if s.left:
        yield "in the cup", ", ".join(f"{s.left.get(side, 0)} {name}" for side, name in terms.SIDES.items())
    if s.chosen:
        yield "your chits", ", ".join(terms.CHITS[kind] for kind in s.chosen)
    for plane in s.planes:
        row = s.board.aircraft[plane.name]
        yield f"aircraft {plane.name}", f"{row.name} +{row.modifier}, range {row.range}: {plane.where}"
    kept = ", ".join(f"{count} {terms.NATIONS[nation]}" for nation, count in s.drafts.items() if count)
    if kept:
        yield "replacements", kept
    if s.board.scenario.garrison:
        held = sum(_allied(s, hex) for hex in s.board.region("island"))
        yield "garrison", f"{held} points on the island, {s.board.scenario.garrison} are needed [12.1.A]"
    if s.board.scenario.victory == "surrender":
        fallen = sum(hex in s.held for hex in s.board.region("island"))
        yield "island", f"Japan holds {fallen} of {len(s.board.region('island'))} hexes"
    if s.destroyed:
        yield "bridges down", ", ".join(sorted(s.destroyed))
    yield from s.facts


def _allied(s: Seen, hex: str) -> int:
    return sum(piece.face.points for piece in s.pieces.get(hex, ()) if piece.side == "allies")


def grids(s: Seen) -> Iterator[Grid]:
    """Battles, objectives, what is due, who stands where, and the forces by number."""
    if s.battles:
        yield Grid("Battles", ("hex", "attacker", "from", "odds", "now"), tuple(_battles(s)))
    objectives = [
        (s.board.name(hex), terms.ground(s, hex), terms.NAMES[s.holder(hex)]) for hex in terms.objectives(s.board)
    ]
    if objectives:
        yield Grid("What the scenario turns on", ("hex", "ground", "held by"), tuple(objectives))
    if s.due:
        yield Grid("Reinforcements", ("turn", "side", "at", "units"), tuple(_due(s)))
    if s.pieces:
        yield Grid(STANDS, ("hex", "points", "units"), tuple(_stands(s)))
        yield Grid("Forces on the map", ("kind", "Japanese", "Allied"), tuple(_forces(s)))


def _battles(s: Seen) -> Iterator[tuple[str, ...]]:
    for battle in s.battles:
        what = "probes" if battle.probe else ""
        attacker = " ".join(word for word in (terms.SIDES[battle.attacker], what) if word)
        yield s.board.name(battle.hex), attacker, " ".join(battle.origins), battle.odds or "-", battle.stage


def _due(s: Seen) -> Iterator[tuple[str, ...]]:
    for due in s.due:
        said = ", ".join(due.units) + (f" ({due.why})" if due.why else "")
        for n, line in enumerate(_lines(said)):
            yield (str(due.turn), terms.SIDES[due.side], due.hex, line) if n == 0 else ("", "", "", line)


@lru_cache(STACKS)
def _lines(said: str) -> tuple[str, ...]:
    return tuple(wrap(said, UNITS))


def _stands(s: Seen) -> Iterator[tuple[str, ...]]:
    """Every stack by side and hex; a crowd takes several lines, no unit is parted."""
    for side in ("japan", "allies"):
        for hex in sorted(s.pieces):
            if s.pieces[hex] and s.pieces[hex][0].side == side:
                yield from _stand(s.board, hex, s.pieces[hex])


@lru_cache(STACKS)
def _stand(board: Board, hex: str, pieces: tuple[Piece, ...]) -> tuple[tuple[str, ...], ...]:
    stack = ranked(pieces)
    units = ", ".join(terms.brief(piece).replace(" ", "\u00a0") for piece in stack)
    label = f"{'J' if stack[0].side == 'japan' else 'A'} {board.name(hex)}"
    had = sum(piece.face.points for piece in stack)
    points = f"{had}/{board.limit(hex)}" if board.is_land(hex) else str(had)
    lines = [line.replace("\u00a0", " ") for line in _lines(units)]
    return tuple((label, points, line) if n == 0 else ("", "", line) for n, line in enumerate(lines))


def _forces(s: Seen) -> Iterator[tuple[str, str, str]]:
    """How many units of each kind each side has, and their points."""
    pieces = [piece for stack in s.pieces.values() for piece in stack]
    count = Counter((piece.kind, piece.side) for piece in pieces)
    for kind in dict.fromkeys(kind for kind, _ in sorted(count)):
        yield terms.KINDS.get(kind, kind), str(count[kind, "japan"]), str(count[kind, "allies"])
    points = Counter[str]()
    for piece in pieces:
        points[piece.side] += piece.face.points
    yield "stacking points", str(points["japan"]), str(points["allies"])
