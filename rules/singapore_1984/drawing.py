"""The maps: Malaya, the parts where enemies meet, and Singapore Island turned so that the north is above.

A hex is one map unit high. What a colour shows, a pattern, a letter or a shape shows too. What never changes is drawn
once for a board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pbem.api import Area, Arrow, Counter, Line, Mark, Picture
from rules.kit.hexes import Hex, side
from rules.kit.sheets import Window, burst, disc, parts
from rules.singapore_1984 import sheet as text
from rules.singapore_1984 import supply, terms, works
from rules.singapore_1984.board import Board
from rules.singapore_1984.ground import Sheet, along, sheet_of, signs_of, track_at, turn_box
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import PLAYERS, State

SHEETS = 2
LEAST, WIDEST, TOGETHER = 9, 13, 4
"""Columns or rows of a part."""
NEAR = 2
"""Enemies at this distance are something to show."""
BEFORE = 3
"""As near as this Japan comes to Singapore before the island is shown."""

LEGEND: tuple[tuple[str, str], ...] = (
    ("counter:japan", "Japan"),
    ("counter:guards", "Guards"),
    ("counter:british", "British"),
    ("counter:australian", "Australian"),
    ("counter:indian", "Indian"),
    ("counter:local", "Volunteers"),
    ("area:mixed", "Mixed"),
    ("area:plantation", "Plantation"),
    ("area:woods", "Jungle"),
    ("area:mountain", "Mountain"),
    ("area:swamp", "Swamp"),
    ("area:town", "Town, port"),
    ("area:city", "City"),
    ("area:strait", "Strait"),
    ("area:closed", "Closed"),
    ("line:road", "Road"),
    ("line:rail", "Railroad"),
    ("line:river", "River"),
    ("line:shut", "No passage"),
    ("line:prepared", "Prepared"),
    ("line:fortified", "Fortified"),
    ("line:supply", "Supply line"),
    ("shape:ship", "Port"),
    ("shape:plane", "Airfield"),
    ("shape:sun", "Japan holds"),
    ("shape:flag-cw", "C'wealth holds"),
    ("shape:source", "Supply"),
    ("shape:battle", "Attacked"),
    ("shape:now", "This turn"),
    ("arrow:attack", "Attack"),
    ("line:way", "Retreat"),
)
"""Every sign that can stand on a sheet; a sheet lists those that it shows."""
SIGNS: Mapping[str, str] = {
    "out of supply": "No supply",
    "reduced": "Reduced",
    "armor": "Armor",
    "security": "Security",
    "landing": "Landing",
}
"""Signs on counters, each by its first letter."""


def pictures(s: State, lines: Sequence[Player] = ()) -> tuple[Picture, ...]:
    """Parts where enemies meet, the whole, the island when it matters; `lines`, of whom supply lines are shown."""
    board, large = s.board, s.board.grids["large"]
    (left, right), _ = large.columns, large.rows
    window = (left, right, *_rows(board))
    found = [_picture(s, part, "part") for part in parts(large, _hot(s), SHEETS, LEAST, WIDEST, TOGETHER)]
    found.append(_picture(s, window, "whole", lines))
    grid = board.grids["inset"]
    if _near_island(s):
        island = _picture(s, (*grid.columns, *grid.rows), "island", lines)
        found.insert(0 if s.pulse else len(found), island)  # in a pulse nothing else matters [11.0i]
    return tuple(found)


def _rows(board: Board) -> tuple[int, int]:
    """The rows of the large map with one of sea below the last land."""
    top, bottom = board.grids["large"].rows
    last = max((int(hex[2:]) for hex in board.land if not hex.startswith("i")), default=bottom)
    return top, min(bottom, last + 1)


def _near_island(s: State) -> bool:
    """Whether the assault has begun, or Japan stands before it."""
    facing = [hex for hex in s.board.region("facing") if hex in s.board.letters]
    japan = [hex for hex in s.occupied("jp") if not hex.startswith("i")]
    return bool(s.assault) or any(s.board.distance(hex, there) <= BEFORE for hex in japan for there in facing)


def _hot(s: State) -> frozenset[Hex]:
    """Hexes of the large map where enemies are near each other or fight."""
    grid = s.board.grids["large"]
    mine = {player: frozenset(hex for hex in s.occupied(player) if hex in grid) for player in PLAYERS}
    hot = {
        hex
        for player, other in (PLAYERS, PLAYERS[::-1])
        for hex in mine[player]
        if not mine[other].isdisjoint(grid.within(hex, NEAR))
    }
    hot.update(hex for attack in s.attacks for hex in attack.hexes if hex in grid)
    return frozenset(hot)


def _picture(s: State, window: Window, kind: str, lines: Sequence[Player] = ()) -> Picture:
    """One sheet."""
    sheet = sheet_of(s.board, window, kind)
    ground, signs = sheet.below, sheet.above
    ways = tuple(_supply(sheet, s, lines))
    drawn = (*ground, *ways, *signs, *_moving(sheet, s))
    above = len(ground) + len(ways)
    still = ((0, len(ground)), (above, above + len(signs)))
    width, height = sheet.size()
    said = text.island(s) if kind == "island" else text.large(s, window, stacks=kind == "part")
    moving = (*ways, *drawn[above + len(signs) :])
    return Picture(
        kind, f"{sheet.title}, {terms.date(s)}", width, height, drawn, said, tuple(_legend(sheet, moving)), still
    )


# --- what changes ---


def _moving(sheet: Sheet, s: State) -> Iterator[Mark]:
    """Turn, control, attacks, stacks."""
    corner = track_at(sheet)
    if corner is not None and s.turn in s.board.base:
        yield Area(turn_box(corner, s.turn), "now", f"turn {s.turn}")
    for hex in sorted(s.forts):
        if hex in sheet.hexes:
            facing = (side(hex, there) for there in works.sides(s, hex) if there in sheet.grid)
            yield from along(sheet, facing, "fortified", f"{hex}: fortification marker [13.44d]")
    yield from _flags(sheet, s)
    yield from _battles(sheet, s)
    yield from _stacks(sheet, s)


def _flags(sheet: Sheet, s: State) -> Iterator[Mark]:
    """Who holds a place: a sun on white, a cross on dark; on the island every hex that Japan holds."""
    for hex, holder in sorted(s.control.items()):
        if hex not in sheet.hexes or (sheet.kind == "island" and not _shown(s, hex, holder)):
            continue
        x, y = sheet.middle(hex)
        x, y = x + 0.38, y - 0.18
        flag = ((x - 0.13, y - 0.09), (x + 0.13, y - 0.09), (x + 0.13, y + 0.09), (x - 0.13, y + 0.09))
        yield Area(flag, f"flag-{holder}", f"{s.board.name(hex)}: {terms.SIDES[holder]}")
        yield Line((*flag, flag[0]), "frame")
        if holder == "jp":
            yield Area(disc((x, y), 0.065), "sun")
        else:
            yield Line(((x - 0.13, y), (x + 0.13, y)), "cross")
            yield Line(((x, y - 0.09), (x, y + 0.09)), "cross")


def _shown(s: State, hex: Hex, holder: Player) -> bool:
    return s.board.has("island", hex) and (holder == "jp" or hex in s.board.places)


def _battles(sheet: Sheet, s: State) -> Iterator[Mark]:
    """Bursts behind what is attacked, arrows from who attacks, ways of retreat."""
    under_way = [] if s.battle is None else [s.battle.attack]
    for attack in (*under_way, *s.attacks):
        for hex in attack.hexes:
            if hex in sheet.hexes:
                yield Area(burst(sheet.middle(hex), 0.56), "battle", f"{hex} is attacked")
    for path in s.battle.paths if s.battle is not None else ():
        run = [hex for hex in path if hex in sheet.hexes]
        if len(run) > 1:
            yield Line(tuple(map(sheet.middle, run)), "way", f"retreat {'-'.join(path)}")
    for attack in (*under_way, *s.attacks):
        for hex in attack.hexes:
            for origin in sorted({s.pieces[unit].at for unit in attack.units}):
                if {hex, origin} <= sheet.hexes and origin != hex:
                    said = f"{'+'.join(attack.units)} attack {hex} from {origin}"
                    yield Arrow(*sheet.middle(origin), *sheet.middle(hex), "attack", said)


def _stacks(sheet: Sheet, s: State) -> Iterator[Mark]:
    """A counter for every stack: attack and defense, its first unit, how many others, what is the matter."""
    for hex, units in terms.stacks(s).items():
        if hex in sheet.hexes:
            x, y = sheet.middle(hex)
            others = len(units) - 1
            name = f"{units[0]}+{others}" if others else units[0]
            said = f"{s.board.name(hex)}: " + "; ".join(terms.full(s, unit) for unit in units)
            marks = tuple(sign for sign in SIGNS if any(sign in terms.signs(s, unit) for unit in units))
            size = 0.74 if sheet.kind == "whole" else 0.62
            yield Counter(x, y + 0.03, terms.nation(s, units[0]), terms.strength(s, units), name, said, 0, size, marks)


def _supply(sheet: Sheet, s: State, players: Sequence[Player]) -> Iterator[Mark]:
    """A line from every stack to its source, as far as there is one now. [10.1a]"""
    for player in players:
        found = supply.lines(s, player)
        for hex in sorted(s.occupied(player) & sheet.hexes):
            way = max((supply.line(s, unit, found) for unit in s.at(hex, player)), key=len)
            run = [there for there in way if there in sheet.hexes]
            if len(run) > 1:
                yield Line(tuple(map(sheet.middle, run)), "supply", f"{hex}: supply by {'-'.join(way)}")


def _legend(sheet: Sheet, moving: Iterable[Mark]) -> Iterator[tuple[str, str]]:
    """The signs that a sheet shows, in words."""
    shown = sheet.shown | signs_of(moving)
    yield from (entry for entry in LEGEND if entry[0].replace("shape:", "area:") in shown)
    yield from ((word[0].upper(), meaning) for word, meaning in SIGNS.items() if word in shown)
    if any(sign.startswith("counter:") for sign in shown):
        yield "8-6", "Strength"
