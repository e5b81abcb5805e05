"""What a reader sees: headline, facts and tables, the map and the Combat Board.

The engine fills a `Seen` (or, for a single battle, a `Battle`) from state and known slots; `view` and `battle_view`
make the report's view of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from textwrap import wrap

from pbem.api import Grid, View
from rules.field_command import battle_sheet, drawing, terms
from rules.field_command.components import Result
from rules.field_command.rows import Army, Family, Role
from rules.field_command.seen import Battle, Fighter, Moved, Rolls, Seen, Stand

__all__ = ["Battle", "Fighter", "Moved", "Rolls", "Seen", "Stand", "battle_view", "view"]

CARD_TEXT = 30
PIECES = 40
"""Columns of a table of the report, so that it fits into 78."""

RESULTS: tuple[Result, ...] = ("miss", "suppressed", "eliminated")
FAMILIES: Mapping[Family, str] = {
    "infantry": "infantry",
    "vehicle": "vehicles",
    "artillery": "artillery",
    "aircraft": "aircraft",
}


def view(s: Seen) -> View:
    """The campaign as this reader sees it."""
    boards = tuple(battle_sheet.picture(battle) for battle in s.battles)
    return View(headline(s), tuple(facts(s)), tuple(grids(s)), (drawing.picture(s), *boards))


def battle_view(b: Battle) -> View:
    """A single battle: nothing in it is hidden."""
    head = f"{b.title}: {b.result or b.step}"
    return View(head, tuple(_battle_facts(b)), (_axis(b), *_chart(b)), (battle_sheet.picture(b),))


def headline(s: Seen) -> str:
    """Date, army and step, or the result."""
    return f"{s.board.date(s.period)}: {s.result or f'{terms.ADJECTIVES[s.army]} turn, {s.step}'}"


def facts(s: Seen) -> Iterator[tuple[str, str]]:
    """Objectives and supply points, what each army needs, supplies and cards as far as they are known, events."""
    for what, sectors in (("objectives", s.board.objectives), ("supply points", s.board.supply_points)):
        yield what, ", ".join(f"{s.board.name(id)} {_held(s, id)}" for id in sectors)
    for army in s.board.order:
        goal = s.board.goals[army][-1]
        yield f"{terms.ADJECTIVES[army]} victory", _goal(army, goal.objectives, goal.units, goal.at_end)
    for army, count in s.supplies.items():
        yield f"{terms.ADJECTIVES[army]} supplies", str(count)
    for army, count in s.hands.items():
        yield f"{terms.ADJECTIVES[army]} cards", f"{count} in hand"
    for event in s.events:
        yield "in force", event
    yield from s.facts


def _held(s: Seen, sector: str) -> str:
    return f"({s.control.get(sector, s.board.sectors[sector].owner)}{', contested' if sector in s.contested else ''})"


def _goal(army: Army, objectives: int, units: int, at_end: bool) -> str:
    whose = "" if army == "J" else "Commonwealth "
    what = f"{units} units left" if units else f"{objectives} {whose}objectives"
    return f"{what}{' at the end' if at_end else ''}"


def grids(s: Seen) -> Iterator[Grid]:
    """Battles, the hand, who is where, what waits off the map."""
    for battle in s.battles:
        yield _axis(battle)
    if s.hand:
        yield Grid("Your cards", ("card", "type", "what it does"), tuple(_hand(s)))
    yield Grid("Sectors with somebody in them (! contested)", ("sector", "held by", "who"), tuple(_stands(s)))
    away = tuple(_away(s))
    if away:
        yield Grid("Off the map", ("place", "who"), away)
    yield Grid("Units left", ("army", *FAMILIES.values()), tuple(_forces(s)))


def _hand(s: Seen) -> Iterator[tuple[str, str, str]]:
    """The reader's cards in the order of the deck."""
    counts = Counter(s.hand)
    for id in sorted(counts, key=list(s.board.cards).index):
        card = s.board.cards[id]
        name, type = card.name + (f" x{counts[id]}" if counts[id] > 1 else ""), str(card.type)
        for line in wrap(card.text, CARD_TEXT):
            yield name, type, line
            name = type = ""


def _stands(s: Seen) -> Iterator[tuple[str, str, str]]:
    """Every sector and Axis with a unit in it, a line for each army."""
    for place in s.board.places:
        sector = s.board.sectors.get(place)
        holder = s.control.get(place, sector.owner) if sector else "J"
        name = f"{s.board.name(place)}{' !' if place in s.contested else ''}"
        held = terms.ADJECTIVES[holder]
        for army, units in terms.by_army(s, place):
            for n, line in enumerate(wrap(terms.briefly(s, units), PIECES)):
                yield name, held, f"{f'{army}:' if n == 0 else '  '} {line}"
                name = held = ""


def _away(s: Seen) -> Iterator[tuple[str, str]]:
    for place, name in terms.AWAY.items():
        for army, units in terms.by_army(s, place):
            for line in wrap(f"{army}: {terms.briefly(s, units)}", PIECES + 10):
                yield name, line
                name = ""


def _forces(s: Seen) -> Iterator[tuple[str, ...]]:
    """How many units of each basic type every army has, on the map and off it."""
    for army in s.board.order:
        count = Counter(s.board.charts.family(unit.kind) for unit in s.units if unit.army == army)
        yield terms.ADJECTIVES[army], *(str(count[family]) for family in FAMILIES)


# --- a battle ---


def _battle_facts(b: Battle) -> Iterator[tuple[str, str]]:
    yield "attacker", terms.ADJECTIVES[b.attacker]
    yield "defender", terms.ADJECTIVES[b.defender] + (f", bonus {terms.bonus(b.bonus)}" if b.bonus else "")
    yield "wins", "whoever has a unit left on the line when the other has none [A.2.4]"
    yield from b.facts


def _axis(b: Battle) -> Grid:
    """The combat axis: both lines side by side, the point units on top, with their dice."""
    deep = max(len(b.attack_line), len(b.defence_line), 1)
    rows = []
    for n in range(deep):
        attack = b.attack_line[n] if n < len(b.attack_line) else None
        defence = b.defence_line[n] if n < len(b.defence_line) else None
        place = "point" if n == 0 else "support" if n == 1 and b.paired else str(n + 1)
        rows.append(
            (
                place,
                *((attack.id, terms.dice(attack.dice), str(attack.used)) if attack else ("", "", "")),
                *((defence.id, terms.dice(defence.dice)) if defence else ("", "")),
            )
        )
    heads = (
        "place",
        f"{terms.ADJECTIVES[b.attacker]} attack",
        "dice",
        "used",
        f"{terms.ADJECTIVES[b.defender]} defence",
        "dice ",
    )
    tactic = f", {b.tactic}" if b.tactic else ""
    return Grid(f"The combat axis, round {b.rounds}{tactic}", heads, tuple(rows))


def _chart(b: Battle) -> Iterator[Grid]:
    """What the strike units of this battle need on the d12."""
    rows = [*_needs(b, "attack", b.attack_strikes), *_needs(b, "attack", b.attack_air)]
    rows += [*_needs(b, "defence", b.defence_strikes), *_needs(b, "defence", b.defence_air)]
    if rows:
        yield Grid("Direct strikes, by the d12", ("unit", "state", "miss", "suppressed", "eliminated"), tuple(rows))


def _needs(b: Battle, role: Role, units: Iterable[Fighter]) -> Iterator[tuple[str, ...]]:
    for unit in units:
        results = [b.charts.strike(role, unit.army, unit.kind, face) for face in range(1, b.charts.game.strike_die + 1)]
        spans = [[n for n, result in enumerate(results, 1) if result == wanted] for wanted in RESULTS]
        yield unit.id, unit.condition or "ready", *(_span(faces) for faces in spans)


def _span(faces: list[int]) -> str:
    return "-" if not faces else str(faces[0]) if len(faces) == 1 else f"{faces[0]}-{faces[-1]}"
