"""The Combat Board as a picture and in plain text: two lines face to face, what flies and strikes, and the last dice.

Numbers here are map units and serve drawing only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from pbem.api import Area, Counter, Label, Line, Mark, Picture
from rules.field_command import terms
from rules.field_command.seen import Battle, Fighter, Rolls

Point = tuple[float, float]

WIDTH = 1000
LANE = 160  # between the slots of a line
SLOT = (130, 155)
SHOWN = 6
"""Slots drawn for a line, as many as stack in a sector; a longer line says how many more there are. [3.4.4]"""

LEGEND: tuple[tuple[str, str], ...] = (
    ("counter:J", "Japanese"),
    ("counter:A", "Australian"),
    ("counter:B", "British"),
    ("counter:J-air", "Japan, air"),
    ("counter:B-air", "Britain, air"),
    ("area:slot-point", "Point"),
    ("area:slot", "Line behind"),
    ("line:pair", "Supports"),
    ("counter:die", "Die"),
    ("counter:die-best", "Highest die"),
)


def picture(b: Battle) -> Picture:
    """The board of a battle."""
    drawn = tuple(marks(b))
    shown: set[str] = set()
    for mark in drawn:
        if isinstance(mark, Counter):
            shown.add(f"counter:{mark.side}")
        elif isinstance(mark, Area | Line):
            shown.add(f"{type(mark).__name__.lower()}:{mark.style}")
    return Picture(
        name="battle",
        title=b.title,
        width=WIDTH,
        height=_height(b),
        marks=drawn,
        text=text(b),
        legend=tuple(entry for entry in LEGEND if entry[0] in shown),
    )


def _strikers(b: Battle) -> bool:
    return bool(b.attack_air or b.defence_air or b.attack_strikes or b.defence_strikes)


def _height(b: Battle) -> float:
    return 580 + (250 if _strikers(b) else 0)


def marks(b: Battle) -> Iterator[Mark]:
    """The defender above, the attacker below, the dice between them."""
    aside = 125 if _strikers(b) else 0
    height = _height(b)
    half = height / 2
    yield Area(((0, 0), (WIDTH, 0), (WIDTH, half), (0, half)), "field-defence", "defender's half")
    yield Area(((0, half), (WIDTH, half), (WIDTH, height), (0, height)), "field-attack", "attacker's half")
    bonus = f", bonus {terms.bonus(b.bonus)}" if b.bonus else ""
    yield Label(16, 42, f"{terms.ADJECTIVES[b.defender]} defence{bonus}", "side", 26, "start")
    yield Label(16, height - 22, f"{terms.ADJECTIVES[b.attacker]} attack", "side", 26, "start")
    yield Label(984, height - 22, b.tactic, "side", 22, "end")
    if aside:
        yield from _pool(b, "flying", b.defence_air, (300, 112))
        yield from _pool(b, "striking", b.defence_strikes, (770, 112))
        yield from _pool(b, "flying", b.attack_air, (300, height - 112))
        yield from _pool(b, "striking", b.attack_strikes, (770, height - 112))
    yield from _line(b, b.defence_line, 145 + aside, True)
    yield from _line(b, b.attack_line, height - 145 - aside, False)
    for n, rolls in enumerate(b.rolls[-1:]):
        yield from _dice(rolls, half + n)


def _slot_x(n: int) -> float:
    return 100 + LANE * n


def _line(b: Battle, line: Sequence[Fighter], y: float, defends: bool) -> Iterator[Mark]:
    """Slots from the point on, with dice below and attacks used."""
    for n in range(SHOWN):
        x, (w, h) = _slot_x(n), SLOT
        spot = ((x - w / 2, y - h / 2), (x + w / 2, y - h / 2), (x + w / 2, y + h / 2), (x - w / 2, y + h / 2))
        told = (
            "point" if n == 0 else "support" if n == 1 and b.paired and not defends else f"number {n + 1} of the line"
        )
        yield Area(spot, "slot-point" if n == 0 else "slot", told)
    if b.paired and not defends and len(line) > 1:
        yield Line(((_slot_x(0) + 42, y - 12), (_slot_x(1) - 42, y - 12)), "pair", "supports the point")
    for n, unit in enumerate(line[:SHOWN]):
        x = _slot_x(n)
        kind = b.charts.kinds[unit.kind]
        used = "" if defends else f"; {unit.used} of {b.charts.game.attacks} attacks used"
        title = f"{unit.id}, {kind.name}: {terms.dice(unit.dice)}{used}"
        yield Counter(x, y - 12, unit.army, kind.short or kind.sign, "", title, 0, 66)
        yield Label(x, y - 54, unit.id, "cell", 17)
        yield Label(x, y + 46, terms.dice(unit.dice), "cell", 17)
        if not defends:
            yield Label(
                x,
                y + 68,
                "attacks " + "\u25cf" * unit.used + "\u25cb" * (b.charts.game.attacks - unit.used),
                "cell",
                14,
            )
    if len(line) > SHOWN:
        yield Label(980, y + SLOT[1] / 2 + 18, f"and {len(line) - SHOWN} more", "cell", 15, "end")


def _pool(b: Battle, what: str, units: Sequence[Fighter], at: Point) -> Iterator[Mark]:
    """Aircraft that fight for the air, or strike units; those that have struck are marked."""
    x, y = at
    w, h = 420, 84
    spot = ((x - w / 2, y - h / 2), (x + w / 2, y - h / 2), (x + w / 2, y + h / 2), (x - w / 2, y + h / 2))
    yield Area(spot, "slot", what)
    yield Label(x - w / 2 + 10, y - 18, what, "cell", 15, "start")
    for n, unit in enumerate(units):
        kind = b.charts.kinds[unit.kind]
        air = kind.family == "aircraft"
        title = f"{unit.id}, {kind.name}" + (f", {unit.condition}" if unit.condition else "")
        spacing = min(70, 310 / max(len(units), 1))
        side = f"{unit.army}-air" if air else unit.army
        marked = (unit.condition,) if unit.condition else ()
        yield Counter(x - w / 2 + 105 + spacing * n, y - 6, side, kind.short or kind.sign, "", title, 0, 46, marked)
        yield Label(x - w / 2 + 105 + spacing * n, y + 36, unit.id, "cell", 12)


def _dice(rolls: Rolls, y: float) -> Iterator[Mark]:
    """The last dice: the defender's above the middle, the attacker's below, the result beside them."""
    for faces, at in ((rolls.defence, y - 32), (rolls.attack, y + 32)):
        best = faces.index(max(faces)) if faces else -1
        for n, face in enumerate(faces[:8]):
            style = "die-best" if n == best else "die"
            yield Counter(60 + 54 * n, at, style, str(face), "", f"{rolls.title}: {face}", 0, 42)
    left = 80 + 54 * max(len(rolls.defence[:8]), len(rolls.attack[:8]))
    yield Label(left, y - 6, rolls.title, "cell", 19, "start")
    yield Label(left, y + 22, rolls.words, "side", 20, "start")


# --- text ---


def text(b: Battle) -> tuple[str, ...]:
    """The board in lines of at most 78 columns."""
    bonus = f", bonus {terms.bonus(b.bonus)}" if b.bonus else ""
    lines = [f"{terms.ADJECTIVES[b.defender]} defence{bonus}"]
    lines += _told_line(b, b.defence_line, "")
    lines += _told_pool(b, "flying", b.defence_air)
    lines += _told_pool(b, "striking", b.defence_strikes)
    lines += ["", f"{terms.ADJECTIVES[b.attacker]} attack" + (f", {b.tactic}" if b.tactic else "")]
    lines += _told_line(b, b.attack_line, "support" if b.paired else "")
    lines += _told_pool(b, "flying", b.attack_air)
    lines += _told_pool(b, "striking", b.attack_strikes)
    if b.gone:
        said = ", ".join(f"{unit.id} {unit.condition}" for unit in b.gone)
        lines += ["", *wrap(f"gone: {said}", 78, subsequent_indent="    ")]
    for rolls in b.rolls:
        faces = [" ".join(map(str, one)) for one in (rolls.attack, rolls.defence) if one]
        lines += wrap(f"{rolls.title}: {' against '.join(faces)}; {rolls.words}", 78, subsequent_indent="    ")
    return tuple(lines)


def _told_line(b: Battle, line: Sequence[Fighter], second: str) -> Iterator[str]:
    for n, unit in enumerate(line):
        place = "point" if n == 0 else second if n == 1 and second else str(n + 1)
        attacks = f", {unit.used} of {b.charts.game.attacks} attacks used" if unit.army == b.attacker else ""
        yield f"  {place:8} {unit.id:14} {terms.dice(unit.dice)}{attacks}"
    if not line:
        yield "  nobody"


def _told_pool(b: Battle, what: str, units: Sequence[Fighter]) -> Iterator[str]:
    if units:
        said = ", ".join(unit.id + (f" ({unit.condition})" if unit.condition else "") for unit in units)
        yield from wrap(f"  {what}: {said}", 78, subsequent_indent="    ")
