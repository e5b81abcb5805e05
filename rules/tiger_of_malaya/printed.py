"""Where the data differ from what the rulebook prints, and what a set-up of this game must be.

Small sets for cases say `excerpt = true` in their [game] and need not pass this; an owner's copy should.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise

from rules.kit.data import Data
from rules.kit.hexes import Hex, ends
from rules.kit.hexmap import Way
from rules.kit.search import groups, reach, trace
from rules.kit.tables import odds, read_odds
from rules.tiger_of_malaya.components import Board, board
from rules.tiger_of_malaya.rows import ELIMINATED, SCENARIO, TURN, ChitKind, Level, Mover, Player

NORTH = ("0201", "0501", "0901", "1901")
NAMED = (
    *("0523", "0550", "0650", "0748", "0822", "0825", "0925", "0926", "0945", "0946", "1027", "1042", "1124", "1141"),
    *("1322", "1628", "1725", "1909", "1912", "3334", *NORTH),
)
"""Every hex that the rulebook names. All of them are land."""

FACES: Mapping[str, tuple[tuple[int, int, int], ...]] = {
    "JI": ((8, 7, 9),),
    "JE": ((2, 2, 9),),
    "JT": ((2, 1, 6),),
    "BI": ((3, 4, 7),),
    "IA": ((3, 4, 7), (1, 2, 7)),
    "IB": ((4, 4, 7), (2, 2, 7)),
    "IR": ((2, 3, 6),),
    "AI": ((7, 8, 9), (4, 5, 9)),
    "AB": ((6, 6, 9),),
    "AR": ((4, 5, 8),),
}
"""Faces that the examples show, from full strength on. [9.3.K.ex, 10.2.2.D.1, 10.2.2.D.2, 10.2.2.F.ex]"""

CHITS: Mapping[Player, Mapping[ChitKind, int]] = {
    "japan": {"full": 2, "move": 2, "choice": 1},
    "allies": {"full": 1, "jungle": 1, "choice": 1, "move": 1},
}
"""What the first turn shows of the mix. [14.1.1.E.1, 14.1.1.E.2]"""

PLAYERS: tuple[Player, ...] = ("allies", "japan")
MOVERS: tuple[Mover, ...] = ("foot", "jungle", "motorized", "mechanized")
LENGTHS = (5, 6, 19, 35)
DATES = {1: "14-15 January", 5: "22-23 January", 8: "28-29 January", 17: "15-16 February", 25: "3-4 March"}


def check_printed(tables: Data) -> Iterator[str]:
    """Everything that differs, in words."""
    if [row.number for row in tables[SCENARIO]] != [1, 2, 3, 4]:
        yield "there are four scenarios [1.0.P1]"
        return
    boards = [board(tables, row.id) for row in tables[SCENARIO]]
    main = boards[2]
    missing = [hex for hex in NAMED if hex not in main.grid]
    if missing:
        yield f"{missing[0]} is named in the rules and not on the map [2.3/1]"
        return
    yield from _printed_map(main)
    yield from _printed_network(main)
    yield from _printed_charts(main)
    yield from _printed_units(main)
    for b, last in zip(boards, LENGTHS, strict=True):
        if b.scenario.last_turn != last:
            yield f"{b.scenario.id} has {b.scenario.last_turn} turns, not {last} [14.1.1.A, 14.2.1.A, 14.3.1.A, R93]"
        for a, c in pairwise(b.scenario.road):
            if not b.edge(a, c).road:
                yield f"no road joins {a} and {c} [14.1.4.A]"
        yield from _sound_places(b)
    for b in boards[:2]:  # the card of the first scenario, and that of the others [14.4.3]
        yield from _sound_setup(b)
    for turn in tables[TURN]:
        if DATES.get(turn.id, turn.dates) != turn.dates:
            yield f"turn {turn.id} is {DATES[turn.id]}, not {turn.dates}"
    if {gone.unit for gone in tables[ELIMINATED]} != {"5/11S", "5/2P", "Special"}:
        yield "5/11S, 5/2P and the Special battalion begin eliminated [14.3.2.G, 14.3.2.H]"


# --- map ---


def _printed_map(b: Board) -> Iterator[str]:
    """Where the named hexes lie, the river of the steamer example, the strait and the island."""
    for hex in NAMED:
        if not b.is_land(hex):
            yield f"{hex} is named in the rules and in the sea"
    for hex in NORTH:
        if hex[2:] != f"{b.grid.rows[0]:02}" or not b.has("north-edge", hex):
            yield f"{hex} lies on the north edge [7.2.D/1]"
    for a, c in (("0925", "0825"), ("0925", "0926"), ("0945", "0946")):
        if not b.grid.adjacent(a, c):
            yield f"{a} and {c} are neighbours [11.6.B.ex]"
    if b.edge("0925", "0825").water != "river" or b.edge("0925", "0926").water:
        yield "a river runs between 0925 and 0825, and none between 0925 and 0926 [11.6.B.ex]"
    island = frozenset(b.region("island"))
    for hex in sorted(island):
        if "fertile" not in b.grounds(hex):
            yield f"{hex} is on the island and not fertile [12.1.A]"
    for a in b.land:
        for c in b.grid.neighbours(a):
            strait = b.is_land(c) and (a in island) != (c in island)
            if a < c and strait != (b.edge(a, c).water == "ocean"):
                yield f"{a}/{c} is {'no ' if strait else 'an '}ocean hexside between island and mainland [9.3.6.A]"
    edge = b.edge(*ends(b.game.causeway))
    if "0946" not in b.game.causeway or not (edge.causeway and edge.road and edge.rail and edge.water == "ocean"):
        yield "road and railroad cross the strait at 0946 [4.1.C, 12.6.3.P1]"
    for hex in b.region("east-coast"):
        if not b.coastal(hex) or hex in island:
            yield f"{hex} is no coast of the mainland [7.2.D/2]"
    for name in ("airfields", "terminals", "port", "north-edge"):
        for hex in b.region(name):
            if not b.is_land(hex):
                yield f"{hex} of {name} is in the sea"
    if b.region("terminals") != ("0550", "0650") or b.region("port") != ("0650",):
        yield "the Allies draw supply from 0550 and 0650 and land in 0650 [7.1.E/2, 10.1.1.A/1]"
    for hex in b.region("terminals"):
        if not b.coastal(hex):
            yield f"{hex} is a port and not on the coast [7.1.E/2]"


def _printed_network(b: Board) -> Iterator[str]:
    """One net of roads and railroads, with the ways that the rules speak of."""
    beside = _beside(b, "road", "rail")
    if len(groups(sorted(b.network), beside)) != 1:
        yield "roads and railroads are not one net"
    for hex in (*NORTH, "0550", "0650"):
        if hex not in b.network:
            yield f"{hex} is on no road or railroad [7.1.E/2, 10.1.2.C]"
    if trace("0901", lambda hex: hex == "0650", _beside(b, "rail")) is None:
        yield "no railroad leads from 0901 to 0650"
    road = _beside(b, "road")
    first = trace("1322", lambda hex: hex == "1124", road)
    second = trace("1124", lambda hex: hex == "1027", road)
    if first is None or second is None:
        yield "no road leads from 1322 by 1124 to 1027 [14.1.4.A]"


def _beside(b: Board, *ways: Way) -> Callable[[Hex], Iterable[Hex]]:
    """The neighbours along roads, railroads or both."""

    def beside(hex: Hex) -> Iterator[Hex]:
        for there in b.grid.neighbours(hex):
            edge = b.edge(hex, there)
            if (edge.road and "road" in ways) or (edge.rail and "rail" in ways):
                yield there

    return beside


# --- charts ---


def _printed_charts(b: Board) -> Iterator[str]:
    """Cells, heads and bounds that examples and clauses give."""
    if odds(39, 8) != read_odds("4:1"):  # in halves
        yield "19.5 against 4 are 4:1 [9.3.K.ex]"
    one = b.ground["jungle-1"]
    heads = b.odds_lines[one.odds]
    if read_odds("6:1") not in heads or heads.index(read_odds("6:1")) != 7:
        yield "6:1 is the eighth column of level-1 jungle [9.3.K.ex]"
    if (0, 4) not in {b.combat.at(die, place) for die in range(1, 7) for place in range(b.combat.width)}:
        yield "the Combat Results Table has a -/4 [9.5.I.ex]"
    if 12 not in b.bombard_heads(3) or b.bombard_heads(3) != b.bombard_heads(6) or b.bombardment(3, 12, 4) != 1:
        yield "strength 12 on three points and a roll of 4 take one step [8.2.E.ex]"
    for id, ground in b.ground.items():
        wet = id == "swamp" or id.startswith("jungle")
        if wet and not ground.halves_artillery:
            yield f"{id} halves artillery [9.2.F]"
        if ground.supply != (2 if id in ("swamp", "jungle-3", "jungle-4") else 1):
            yield f"{id} counts {ground.supply} for supply [7.1.C]"
        if ground.limit < b.game.fort_points:
            yield f"{id} holds {ground.limit} points, and a fort needs {b.game.fort_points} [12.5.B]"
        if ground.jungle > ground.foot:
            yield f"{id} costs jungle-capable units more than others [12.3.A]"
    if one.cost("mechanized") is None:
        yield "tanks enter level-1 jungle [9.3.K.ex]"
    bridge = b.crossings["bridge"]
    if {bridge.foot, bridge.motorized, bridge.mechanized} != {3} or bridge.closed:
        yield "a bridge costs three more [11.8.1.A]"
    if any(b.crossings["causeway"].cost(mover) != 0 for mover in MOVERS):
        yield "the causeway costs nothing more [4.1.C]"
    if {"motorized", "mechanized"} - set(b.crossings["river"].closed):
        yield "wheels and tracks need a bridge or heavy boats [11.8.1.B]"
    if not {4, 7} <= set(b.impulses.values()):
        yield "a turn has four to seven impulses [3.0.B]"
    for side, least in CHITS.items():
        mix = b.chits[side]
        for kind, count in least.items():
            if mix[kind] < count:
                yield f"{side} has fewer {kind} chits than the first turn shows [14.1.1.E.1, 14.1.1.E.2]"
        most = max(b.impulses.values()) - (b.game.japanese_fewer if side == "japan" else b.game.allied_fewer)
        if sum(mix.values()) < most:
            yield f"{side} needs {most} chits in the longest turn [3.1.4.A, 3.1.4.B]"
    if b.chits["japan"]["jungle"]:
        yield "JUNGLE-CAPABLE is an Allied chit [3.1.4.C]"
    if len(b.aircraft) != 4:
        yield "there are four aircraft [11.4.1.B]"


# --- units ---


def _printed_units(b: Board) -> Iterator[str]:
    """Faces of the examples; what the counters of a kind have in common."""
    for id, faces in FACES.items():
        template = b.templates.get(id)
        shown = [] if template is None else [tuple(level[:3]) for level in template.levels[: len(faces)]]
        if shown != list(faces):
            yield f"the faces of {id} are not those of the examples [9.3.K.ex, 10.2.2.F.ex]"
    for id in ("IA", "IB"):
        if [level.points for level in b.templates[id].levels] != [3, 2]:
            yield f"{id} has three points, then two [10.2.2.F.ex]"
    if b.templates["JT"].tank != 2:
        yield "the tank company of the example has a circled 2 [11.3.1.ex]"
    kinds = Counter((b.units[id].side, b.kind(id)) for id in b.units)
    if {side for side, kind in kinds if kind in ("heavy-boats", "light-boats", "steamer")} != {"japan"}:
        yield "boat engineers and steamers are Japanese [11.8.A]"
    if kinds["japan", "steamer"] < 2:
        yield "two steamers carry an artillery unit, so there are two [11.6.1.A]"
    for id, unit in b.units.items():
        template = b.template(id)
        if unit.jungle and unit.nation not in ("japanese", "australian", "indian", "gurkha", "malayan"):
            yield f"{id}: no {unit.nation} counter is jungle-capable [2.2:JungleMark]"
        if unit.side == "allies" and template.kind == "infantry" and len(template.levels) > 2:
            yield f"{id}: Allied infantry has two levels at most [2.2.D/2, 10.2.2.F.ex]"
        if template.kind == "truck" and template.levels[0].allowance > b.game.truck_most:
            yield f"{id}: no truck goes further than {b.game.truck_most} [11.7.C]"
        if template.kind in ("truck", "steamer") and template.levels != (Level(0, 0, template.levels[0].allowance, 0),):
            yield f"{id} has only an allowance [11.7.B, 11.6.C, 5.0.C]"
        if template.kind == "coastal-artillery" and template.levels[0].allowance:
            yield f"{id}: coastal artillery never moves [11.1.3]"
        if template.is_gun and template.levels[0].attack:
            yield f"{id}: artillery attacks with support only [9.0.H]"
        if template.kind in ("tank",) and template.transport != "mechanized":
            yield f"{id}: tanks are mechanized [2.1:Mechanized]"
        if template.kind in ("cavalry", "engineer", "headquarters", "mortar", "mountain-artillery") and (
            template.transport != "foot"
        ):
            yield f"{id}: its kind goes on foot [2.2:Foot]"
    straits = {b.level(id, 0).attack > 0 for id, unit in b.units.items() if unit.nation == "straits"}
    if straits != {True, False}:
        yield "some Straits Settlements units have an attack of 0 and some more [13.3/2]"
    if [id for id, unit in b.units.items() if unit.roams] != ["MalInd"]:
        yield "the Malayan Independent Company alone need not stay in supply [4.4.A]"


# --- set-ups ---


def _sound_places(b: Board) -> Iterator[str]:
    """Objectives and entries on land, enough of a garrison."""
    for hex in (*b.scenario.objectives, *(arrival.hex for arrival in b.arrivals)):
        if not b.is_land(hex):
            yield f"{b.scenario.id}: {hex} is in the sea"
    held = sum(b.level(id, b.first(id)).points for id, hex in b.setup.items() if b.has("island", hex))
    if held < b.scenario.garrison:
        yield f"{b.scenario.id}: {held} points on the island, {b.scenario.garrison} are needed [12.1.A]"


def _sound_setup(b: Board) -> Iterator[str]:
    """Stacks within their limits, every unit in supply, Headquarters with their links."""
    card = b.scenario.card
    stacks: defaultdict[Hex, list[str]] = defaultdict(list)
    for id, hex in b.setup.items():
        stacks[hex].append(id)
    for hex, ids in stacks.items():
        if len({b.units[id].side for id in ids}) > 1:
            yield f"{card}: both sides stand in {hex}"
        points = sum(b.level(id, b.first(id)).points for id in ids)
        if points > b.limit(hex):
            yield f"{card}: {points} points in {hex}, which holds {b.limit(hex)} [5.0.A]"
        for id in ids:
            mover = b.mover(id)
            if mover is not None and b.cost(hex, mover) is None and hex not in b.network:
                yield f"{card}: {id} cannot have come to {hex}"
    yield from _sound_supply(b, {hex: b.units[ids[0]].side for hex, ids in stacks.items()})


def _sound_supply(b: Board, stacks: Mapping[Hex, Player]) -> Iterator[str]:
    """Everybody within reach of an HQ over land, zones of control apart; every HQ with its own link. [7.1.A, 7.2.A]"""
    card = b.scenario.card
    for who in PLAYERS:
        bases = [hex for id, hex in b.setup.items() if b.units[id].side == who and b.kind(id) == "headquarters"]
        near = reach(bases, _paths(b, stacks, who), b.game.unit_path)
        for id, hex in b.setup.items():
            if b.units[id].side == who and hex not in near and b.kind(id) != "steamer" and not b.units[id].roams:
                yield f"{card}: {id} in {hex} is out of reach of every HQ [7.1.A, 7.2.A]"
        if who == "allies":
            beside = _beside(b, "road", "rail")
            linked = set().union(*(group for group in groups(sorted(b.network), beside) if "0650" in group))
        else:
            inland = [hex for hex in bases if not b.has("east-coast", hex)]
            linked = set(bases) - set(inland)
            north = reach([hex for hex in NORTH if stacks.get(hex, who) == who], _paths(b, stacks, who))
            linked |= set(inland) & set(north)
        yield from (f"{card}: the HQ in {hex} has no link [7.1.E/2, 7.2.D/1]" for hex in bases if hex not in linked)


def _paths(b: Board, stacks: Mapping[Hex, Player], who: Player) -> Callable[[Hex], Iterable[tuple[Hex, int]]]:
    """Steps of a supply path, from the HQ outward: the count of the hex that the path leaves. [7.1.C, R32, R33]"""

    def steps(hex: Hex) -> Iterator[tuple[Hex, int]]:
        for there in b.grid.neighbours(hex):
            edge = b.edge(hex, there)
            if b.is_land(there) and (edge.water != "ocean" or edge.causeway) and stacks.get(there, who) == who:
                double = who == "allies" and not (edge.road or edge.rail)
                yield there, b.supply_count(there) if double else 1

    return steps
