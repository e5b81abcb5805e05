"""How things are called in reports: bonuses, dice, units, places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.field_command.rows import Army, Kind, Level, Side
from rules.field_command.seen import Seen, Stand

ADJECTIVES: Mapping[Army, str] = {"J": "Japanese", "A": "Australian", "B": "British"}
SIDES: Mapping[Side, str] = {"J": "Japanese", "CW": "Commonwealth"}
LEVELS: Mapping[Level, str] = {"total": "Total Victory", "decisive": "Decisive Victory", "victory": "Victory"}
AWAY: Mapping[str, str] = {
    "off_map": "Japanese airfield",
    "repair": "Repair Box",
    "pool": "to come",
}
"""Places off the map."""


def halves(number: int) -> str:
    """A number of halves in words: 1 is ½, 5 is 2½, -2 is -1."""
    whole, half = divmod(abs(number), 2)
    said = f"{whole or ''}\u00bd" if half else str(whole)
    return f"-{said}" if number < 0 else said


def bonus(number: int) -> str:
    """A bonus in words: +½."""
    return f"+{halves(number)}"


def dice(sides: Iterable[int]) -> str:
    """Dice in words, all of which are rolled and the highest counts: `d6 d6 d4`."""
    return " ".join(f"d{side}" for side in sides)


def briefly(s: Seen, units: Iterable[Stand]) -> str:
    """Units by type: `2 Inf, Vol, FGun, Ftr in the air`."""
    count: dict[tuple[Kind, str], int] = {}
    for unit in units:
        key = (unit.kind, unit.condition)
        count[key] = count.get(key, 0) + 1
    said = []
    for (kind, condition), number in count.items():
        sign = s.board.charts.kinds[kind].sign
        how = {"": "", "airborne": " in the air"}.get(condition, f" {condition}")
        said.append(f"{number} {sign}{how}" if number > 1 else f"{sign}{how}")
    return ", ".join(said)


def by_army(s: Seen, place: str) -> tuple[tuple[Army, tuple[Stand, ...]], ...]:
    """The units of a place army by army, the controlling one first."""
    found: dict[Army, list[Stand]] = {}
    for unit in s.at(place):
        found.setdefault(unit.army, []).append(unit)
    return tuple((army, tuple(units)) for army, units in found.items())


def place(s: Seen, id: str) -> str:
    """A place by name."""
    return AWAY[id] if id in AWAY else s.board.name(id)


def symbols(s: Seen, sector: str) -> tuple[str, ...]:
    """What is printed in a sector, in words."""
    row = s.board.sectors[sector]
    said = []
    if row.objective:
        said.append("objective")
    if row.loss:
        said.append("supply point")
    if row.airfield:
        said.append("airfield")
    if row.gun:
        said.append(f"emplacement for a {s.board.charts.kinds[row.gun].name}")
    return tuple(said)
