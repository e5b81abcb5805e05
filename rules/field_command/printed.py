"""Where our own data differ from what the rulebook and its errata say, and from what follows from them.

Small sets for cases need not pass this; an owner's copy should.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise

from rules.field_command.components import Board, Charts, board, muster, side
from rules.field_command.rows import BOARD, BORDER, SECTOR, Army, Kind, Level, Mode
from rules.kit.data import Data
from rules.kit.search import groups

HISTORIC = "impregnable_fortress"

NEIGHBOURS = (
    *(("mandai", "kranji"), ("mandai", "buloh"), ("clementi", "tuas")),  # [12.3.6.1-ex, 6.7.4-ex1, 12.3.5-ex]
    *(("pasir_ris", "hougang"), ("hougang", "paya_lebar"), ("hougang", "yio_chu_kang")),  # [9.1.5-ex]
    *(("buloh", "kranji"),),  # errata
)
DRIVE = ("pasir_ris", "hougang", "paya_lebar", "hougang", "yio_chu_kang")  # [9.1.5-ex]
BONUSES: tuple[tuple[str, str, Mode, int], ...] = (
    *(("axis_b", "buloh", "off-road", 2), ("mandai", "buloh", "off-road", 1)),  # [6.7.4-ex1]
    *(("hougang", "paya_lebar", "on-road", 1), ("hougang", "paya_lebar", "off-road", 0)),  # [6.7.4-ex2]
    *(("paya_lebar", "hougang", "on-road", 0), ("buloh", "kranji", "off-road", 1)),  # [R90], errata
)
AXIS_SECTORS = (("axis_b", "buloh"), ("axis_b", "tengah"), ("axis_c", "kranji"), ("axis_f", "pasir_ris"))
OWNERS: Mapping[str, Army] = {"pasir_laba": "A", "clementi": "B"}  # [11.4.1-ex, 14.3.5-ex]
GUNS: Mapping[str, Kind] = {"pasir_laba": "fixed_6", "clementi": "fixed_15"}
SUPPLY_POINTS = frozenset({"tiong_bahru", "keppel", "queenstown"})  # [14.4.2-ex]
CUT_OFF = frozenset({"blakang_mati", "north_east_islands", "south_west_islands"})
"""Sectors that no dry way and no road leads to: whoever stands there has no supply line. [14.3.2]"""
KINDS: Mapping[Army, frozenset[Kind]] = {  # [I-4]
    "J": frozenset({"elite", "infantry", "tank", "field", "fighter", "bomber"}),
    "A": frozenset({"infantry", "volunteer", "armoured_car", "field", "fixed_6"}),
    "B": frozenset({"infantry", "carrier", "field", "fixed_6", "fixed_9", "fixed_15", "fighter"}),
}
COUNTS: Mapping[Army, tuple[int, int]] = {"J": (43, 7), "A": (20, 0), "B": (44, 1)}
"""Our own totals of ground units and aircraft."""


def check_printed(tables: Data) -> Iterator[str]:
    """Everything that differs, in words."""
    b = board(tables, HISTORIC)
    yield from _map(tables, b)
    yield from _axes(b)
    yield from _charts(b.charts)
    yield from _campaign(b)
    yield from _units(b)
    yield from _victory(b)
    yield from _cards(b)
    yield from _boards(tables)


def _map(tables: Data, b: Board) -> Iterator[str]:
    """Neighbours, roads, bonuses, symbols, and what can be reached dry."""
    if (len(tables[SECTOR]), len(tables[BORDER])) != (39, 88):
        yield f"our map has 39 sectors and 88 borders, not {len(tables[SECTOR])} and {len(tables[BORDER])}"
    for one, other in NEIGHBOURS:
        if b.step(one, other) is None:
            yield f"{one} and {other} are neighbours"
    steps = [b.step(out, into) for out, into in pairwise(DRIVE)]
    if not all(step is not None and step.road for step in steps):
        yield "one drives from Pasir Ris by Hougang, Paya Lebar and Hougang to Yio Chu Kang [9.1.5-ex]"
    for out, into, mode, halves in BONUSES:
        if b.step(out, into) is not None and b.bonus(out, into, mode) != halves:
            yield f"{out} to {into} {mode}: the bonus is {halves} halves [6.7.4]"
    for place in b.sectors:
        for step in b.neighbours(place):
            if step.water != (step.bonus == 1):
                yield f"{place} - {step.to}: rivers give +½, and nothing else on a border does [6.7.1]"
    islands = {step.to for step in b.neighbours("south_west_islands")}
    if islands != {"tuas", "clementi"} or not all(step.way == "water" for step in b.neighbours("south_west_islands")):
        yield "South West Islands lie over water from Tuas and Clementi, and from nothing else [14.3.5-ex]"
    if set(b.supply_points) != SUPPLY_POINTS:
        yield "the Commonwealth's supply points are Tiong Bahru, Keppel and Queenstown [14.4.2-ex]"
    if any(len(b.sectors[id].loss) != 3 for id in b.supply_points):
        yield "the loss of a supply point rolls three dice [14.4.1-ex]"
    if len(b.objectives) != 3:
        yield "two objectives of three are a victory that excludes the other side's [T-BD.d]"
    for id, owner in OWNERS.items():
        if b.sectors[id].owner != owner or b.emplacements.get(id) != GUNS[id]:
            yield f"{id} belongs to {owner}, with a gun of its own [11.4.1-ex, 14.3.5-ex]"
    dry = groups(b.sectors, lambda id: (step.to for step in b.neighbours(id) if step.way != "water"))
    if set(b.sectors) - next(group for group in dry if "keppel" in group) != CUT_OFF:
        yield "only the three island sectors cannot be reached dry from Keppel"
    if {id for id, sector in b.sectors.items() if not sector.road} != CUT_OFF:
        yield "every sector but the three islands has a road"


def _axes(b: Board) -> Iterator[str]:
    """Nine Axes in two groups, what they border, +1 everywhere, and which are activated."""
    groups_of = {axis.name.removeprefix("Axis "): axis.group for axis in b.axes.values()}
    if groups_of != {letter: "land" if letter <= "F" else "sea" for letter in "ABCDEFGHI"}:
        yield "Axes A to F come from the land, G to I from the sea [9.4.4]"
    for axis, sector in AXIS_SECTORS:
        if b.step(axis, sector) is None or b.distance(axis, sector) != 1:
            yield f"{axis} borders {sector} [11.1.4-ex]"
    for axis in b.axes:
        if not b.landings(axis):
            yield f"{axis} borders no sector"
        if any(b.bonus(axis, sector, "off-road") != 2 for sector in b.landings(axis)):
            yield f"{axis} gives +1"
    if any(step.to in b.axes for place in b.sectors for step in b.neighbours(place)):
        yield "no unit enters an Axis from a sector [6.4.2.a]"
    if set(b.activated) != {"axis_a", "axis_b", "axis_c", "axis_f"}:
        yield "Axes A, B, C and F are activated"


def _charts(c: Charts) -> Iterator[str]:
    """What examples show of dice, movement, range and strikes."""
    for army, kinds in KINDS.items():
        if {kind for own, kind in c.strengths if own == army} != kinds:
            yield f"{army} has other types of unit [I-4]"
    if c.dice("J", "elite", "attack") != (8, 6):
        yield "elite infantry attacks with d8 and d6 [T-CO.b]"
    if c.dice("B", "carrier", "defence") != (6, 6, 4):
        yield "the British vehicle defends with two d6 and a d4 [T-CO.b]"
    for army, kind, dice, faces in (
        ("J", "infantry", c.dice("J", "infantry", "attack"), (6, 3, 2)),
        ("A", "armoured_car", c.dice("A", "armoured_car", "defence"), (5, 4)),
    ):
        if len(dice) != len(faces) or any(face > sides for face, sides in zip(faces, dice, strict=False)):
            yield f"{army} {kind} rolls {faces} in an example [4.3.1-ex]"
    if len(c.dice("J", "tank", "attack")) != 2:
        yield "the light tank attacks with two dice [4.6.2-ex]"
    for (army, kind), row in c.strengths.items():
        family = c.family(kind)
        reach = c.reach(army, kind)
        if (family == "artillery") != bool(reach.range):
            yield f"{army} {kind}: artillery has a range, and nothing else [11.1.1]"
        if kind.startswith("fixed") and reach.off_road + reach.on_road:
            yield f"{army} {kind} never moves [9.1.1]"
        if family not in ("aircraft",) and reach.water != (family == "infantry"):
            yield f"{army} {kind}: infantry crosses water, and no other ground unit [9.2.2]"
        if family == "vehicle" and reach.on_road != 4:
            yield f"{army} {kind} drives four sectors [9.1.5-ex]"
        if row.defence and len(row.defence) > 3:
            yield f"{army} {kind}: no printed strength has more than three dice"
    for role, army, kind in c.strikes:
        results = [c.strike(role, army, kind, face) for face in range(1, c.game.strike_die + 1)]
        if sorted(results, key=("miss", "suppressed", "eliminated").index) != results:
            yield f"{army} {kind}: higher is better [5.2.1]"
    fixed = [kind for kind in c.kinds if kind.startswith("fixed")]
    if len({c.strikes["defence", "B", kind].suppress for kind in fixed}) != len(fixed):
        yield "guns of other calibres strike otherwise [3.3.1.1]"
    if sum(c.dice("A", "infantry", "attack")) <= sum(c.dice("B", "infantry", "attack")):
        yield "Australians attack better than the British [FM-3]"


def _campaign(b: Board) -> Iterator[str]:
    """Order, clock, supplies, tanks of 10 February."""
    if b.order != ("J", "A", "B"):
        yield "Japan acts first, then Australia, then Britain [T-BD.e]"
    dates = [b.date(period) for period in range(1, b.periods + 1)]
    if (len(dates), dates[0], dates[1], dates[4], dates[-1]) != (
        *(21, "8 Feb Night", "9 Feb Day"),
        *("10 Feb Night", "18 Feb Night"),
    ):
        yield "21 periods from 8 to 18 February, night first [T-BD.c]"
    if {army: b.stock(army).supplies for army in b.order} != {"J": 40, "A": 20, "B": 20}:
        yield "supplies at the start are 40, 20 and 20 [T-DV.a]"
    if {army: b.stock(army).hand for army in b.order} != {"J": 3, "A": 2, "B": 2}:
        yield "hands hold three, two and two cards [15.2.6]"
    deals = {deck: (deal.start, deal.draw, deal.at_end_of) for deck, deal in b.deals.items()}
    if deals != {"J": (2, 1, "J"), "CW": (2, 1, "B")}:
        yield "two cards a side at the start, then one at the end of the Japanese and of the British turn [15.2.6, R54]"
    late = [unit for unit in b.units.values() if unit.due]
    if not late or {(unit.army, unit.kind, unit.due, unit.where) for unit in late} != {("J", "tank", 5, "axis_c")}:
        yield "Japanese tanks come once, on 10 February at night, on Axis C [T-BD.11]"


def _units(b: Board) -> Iterator[str]:
    """How many of which, where examples show them, and nobody with an ally."""
    count: Counter[tuple[Army, bool]] = Counter()
    for unit in b.units.values():
        count[unit.army, b.charts.family(unit.kind) == "aircraft"] += 1
    for army, (ground, aircraft) in COUNTS.items():
        if (count[army, False], count[army, True]) != (ground, aircraft):
            yield f"{army} has {ground} ground units and {aircraft} aircraft"
    carriers = [unit.where for unit in b.units.values() if unit.kind == "carrier"]
    if len(carriers) != 7 or "seletar" not in carriers:
        yield "there are seven carriers, one of them in Seletar"
    if sum(unit.army == "J" and unit.kind == "fighter" for unit in b.units.values()) < 4:
        yield "four Japanese fighters fly in an example [10.4.1-ex]"
    if [unit.kind for unit in b.units.values() if unit.army == "B" and b.charts.family(unit.kind) == "aircraft"] != [
        "fighter"
    ]:
        yield "the British have one fighter [10.2.2-ex]"
    armies: dict[str, set[Army]] = {}
    for unit in b.units.values():
        armies.setdefault(unit.where, set()).add(unit.army)
    for place, there in armies.items():
        if len(there) > 1:
            yield f"{place} is shared by {' and '.join(sorted(there))} [6.6.3]"
    if "pasir_laba" not in armies or sum(unit.where == "pasir_laba" for unit in b.units.values()) < 2:
        yield "others stand with the gun of Pasir Laba [11.4.1-ex]"


def _victory(b: Board) -> Iterator[str]:
    """The plain victories, and the one constellation that leaves the highest level shared. [16.2.1.d]"""
    plain = {army: next(goal for goal in goals if goal.level == "victory") for army, goals in b.goals.items()}
    if {army: (goal.objectives, goal.units) for army, goal in plain.items()} != {
        "J": (2, 0),
        "B": (2, 0),
        "A": (0, 12),
    }:
        yield "the plain victories are two objectives, two objectives, twelve units [T-BD.d]"
    shared = set()
    for objectives in range(4):
        for points in range(4):
            for units in (0, 12, 20):
                best = {army: level(b, army, objectives, points, units) for army in b.order}
                highest = max(best.values())
                winners = frozenset(army for army in best if best[army] == highest)
                if highest and len(winners) > 1:
                    shared.add((objectives, points, winners))
    if shared != {(0, 0, frozenset({"A", "B"}))}:
        yield "one constellation leaves no clear winner: all objectives and supply points held, twelve Australian units"


RANK: Mapping[Level, int] = {"total": 3, "decisive": 2, "victory": 1}


def level(b: Board, army: Army, objectives: int, points: int, units: int) -> int:
    """The rank of the level that an army has, with so many objectives and supply points lost to Japan; 0 for none."""
    held = (objectives, points) if side(army) == "J" else (3 - objectives, 3 - points)
    for goal in b.goals[army]:
        if held[0] >= goal.objectives and held[1] >= goal.supply_points and units >= goal.units:
            return RANK[goal.level]
    return 0


def _cards(b: Board) -> Iterator[str]:
    """Names and numbers of cards that the text knows."""
    for deck in b.deals:
        if len(b.deck(deck)) != 36:
            yield f"the deck {deck} has 36 cards [T-CP.a]"
    searchlight = b.cards["searchlight"]
    if (searchlight.type, searchlight.target) != ("combat", "battle") or searchlight.copies < 2:
        yield "there are Searchlights, played on a battle [15.3.3-ex]"
    if b.cards["machine_guns"].type != "combat":
        yield "the Machine Gun Placement is a combat card [15.3.3-ex]"
    if not any(card.mission for card in b.cards.values()):
        yield "some card sends an aircraft on a mission of its own [10.3.3]"
    if {card.type for card in b.cards.values()} != {"event", "deployment", "combat", "supply", "negation"}:
        yield "there are five types of card [15.1.2]"


def _boards(tables: Data) -> Iterator[str]:
    """The three tutorials: who fights whom."""
    armies = {row.id: (row.attacker, row.defender) for row in tables[BOARD]}
    if armies != {"company": ("J", "B"), "battalion": ("J", "A"), "regiment": ("J", "B")}:
        yield "the three battles are Japan against Britain, Australia and Britain [T-CO.a, T-BN.a, T-RG.a]"
    company = muster(tables, "company")
    if (company.attack_line, company.defence_line) != (("J-Elite-1",), ("B-Carrier-1",)):
        yield "the first battle is elite infantry against a carrier [T-CO.b]"
    regiment = muster(tables, "regiment")
    if regiment.units[regiment.attack_line[2]].kind != "tank" or len(regiment.defence_line) != 3:
        yield "the third of four attackers is the light tank, against three defenders [T-RG.12-ex]"
