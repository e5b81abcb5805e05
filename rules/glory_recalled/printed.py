"""Where our own data differ from what the rulebook prints: counts, names, numbers, and what follows from them.

Small sets for cases need not pass this; an owner's copy should.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from rules.glory_recalled.components import Board, board
from rules.glory_recalled.options import MAP_OPTIONS
from rules.glory_recalled.rows import CARD, DUMMY, LEADER, PLAY, SCENARIO, SUPPORT, UNIT, Half, Terrain
from rules.kit.data import Data

FORMATIONS: Mapping[str, int] = {
    **{"228": 12, "229": 12, "230": 12, "66": 4},  # [17.3-n4a, 3.2c]
    **{"2RS": 4, "Raj": 4, "Pun": 4, "HKCR": 1},  # [3.11a]
    **{"1M": 5, "WG": 4, "RR": 4, "HKVDC": 7, "Hugh": 1},  # [3.12a]
}
MACHINE_GUNS = frozenset({"1M-A", "1M-B", "1M-C", "1M-D", "1M-Z", "HKCR-1", "HKVDC-3"})  # [9.2-b6]
PRINTED_BONUS: Mapping[str, int] = {
    **{"clear": 2, "reservoir": 2, "urban": 3, "pier": 3, "gdl": 3},  # [9.2-b1, 9.2-b2]
    **{"battery": 4, "heavy_battery": 4, "fortified": 5},  # [9.2-b3, 9.2-b4]
}


def check_printed(tables: Data) -> Iterator[str]:
    """Everything that differs, in words."""
    for option in ({}, *({o.name: v} for o in MAP_OPTIONS for v in o.values)):
        said = "".join(f" ({name} {value})" for name, value in option.items())
        for fault in _printed_map(board(tables, "standard", option)):
            yield fault + said
    yield from _printed_counters(tables)
    yield from _printed_cards(tables)
    for row in tables[SCENARIO]:
        yield from _printed_deployment(board(tables, row.id, {}))


def _printed_map(b: Board) -> Iterator[str]:
    """Counts of the map, each half in one piece."""
    counts: tuple[tuple[Terrain, Half, int, str], ...] = (
        ("pier", "kowloon", 4, "2.31a"),
        ("pier", "island", 3, "2.31a"),
        ("battery", "kowloon", 2, "2.32a"),
        ("reservoir", "kowloon", 1, "2.33a"),
        ("reservoir", "island", 3, "2.33a"),
        ("hq", "island", 1, "3.12d"),
    )
    for kind, half, count, clause in counts:
        if len(b.spaces_of(kind, half)) != count:
            yield f"{half} has {len(b.spaces_of(kind, half))} of {count} spaces of the kind {kind} [{clause}]"
    batteries = [id for id in b.batteries if b.space(id).half == "island"]
    if len(batteries) != 9:  # [2.32a]
        yield f"the Island has {len(batteries)} of nine batteries [2.32a]"
    for name in ("Aberdeen", "Stanley"):  # [2.31c]
        if not any(b.space(box.space).name == name and box.south for box in b.boxes.values()):
            yield f"{name} has no box in the south [2.31c]"
    if len(b.brown) * b.game.space_units < sum(unit.brigade == "division" for unit in b.units.values()):
        yield "the brown spaces cannot hold the three regiments [3.2a]"
    if len(b.objectives) != 3:  # 8 x 2 + 3 x 1 = 19 [17.2-b4]
        yield f"{len(b.objectives)} objectives, three explain the 19 points of the Island scenario [17.2-b4]"
    for start in (b.brown[0], b.hq):
        half = b.space(start).half
        if b.connected(start) != frozenset(b.spaces_in(half)):
            yield f"{half} is not in one piece"
    kowloon = sum(b.halves["reservoir"] if "reservoir" in b.space(id).kinds else 0 for id in b.spaces_in("kowloon"))
    kowloon += b.halves["battery"] * len([id for id in b.batteries if b.space(id).half == "kowloon"])
    if kowloon != 22:  # [17.2-b9]
        yield f"all of Kowloon is worth {kowloon} half points, not 22 [17.2-b9]"
    for ground, amount in PRINTED_BONUS.items():
        if b.bonus.get(ground) != amount:
            yield f"the bonus of {ground} is {b.bonus.get(ground)}, not {amount} [9.2]"


def _printed_counters(tables: Data) -> Iterator[str]:
    """Counts of units, leaders, dummies and markers; who has machine guns."""
    if dict(Counter(unit.formation for unit in tables[UNIT])) != dict(FORMATIONS):
        yield "the formations do not have their printed numbers [3.11a, 3.12a, 3.2c]"
    if {unit.id for unit in tables[UNIT] if unit.machine_gun} != MACHINE_GUNS:
        yield "machine guns are 1M, HKCR 1 and HKVDC 3 [9.2-b6]"
    for unit in tables[UNIT]:
        if (unit.activation == "event") != (unit.formation == "66"):
            yield f"{unit.id}: only Regiment 66 waits for an event [3.2c]"
        if unit.back >= unit.front:
            yield f"{unit.id} is not weaker on its back [9.7-b3]"
    if Counter((leader.seat, leader.brigade) for leader in tables[LEADER]) != Counter(
        {("japan", "division"): 3, ("british", "mainland"): 1, ("british", "island"): 2}
    ):
        yield "there are three Japanese leaders, Wallis, Lawson and Paterson [3.11a, 3.12a, 3.2b]"
    if Counter(dummy.brigade for dummy in tables[DUMMY]) != Counter({"mainland": 4, "island": 6}):
        yield "there are four dummies for the mainland and six for the Island [3.11b, 3.12b]"


def _printed_cards(tables: Data) -> Iterator[str]:
    """A hundred cards in two decks, all support kinds, enough to deal every set-up."""
    for seat in ("japan", "british"):
        cards = [card for card in tables[CARD] if card.seat == seat]
        if sum(card.copies for card in cards) != 50:  # [2.0]
            yield f"{seat} has {sum(card.copies for card in cards)} cards, not 50 [2.0]"
        if sum(card.marked for card in cards) != 12:
            yield f"{seat} has {sum(card.marked for card in cards)} marked cards, not 12"
    if {card.kind for card in tables[CARD]} & SUPPORT != SUPPORT:
        yield "some kind of support has no card [9.4-b3]"
    played = {play.card for play in tables[PLAY]}
    for card in tables[CARD]:
        if card.id not in played:
            yield f"{card.id} has no use but face-down"
    for row in tables[SCENARIO]:
        for seat, take, draw in (
            ("japan", row.japanese_take, row.japanese_draw + row.japanese_extra),
            ("british", row.british_take, row.british_draw),
        ):
            cards = [card for card in tables[CARD] if card.seat == seat]
            there = sum(card.copies if row.marked else card.copies - card.marked for card in cards)
            if there < len(take) + draw:
                yield f"{row.id}: {seat} has {there} cards to deal {len(take) + draw} from"


def _printed_deployment(b: Board) -> Iterator[str]:
    """The ready-made set-up uses every piece of the scenario, on spaces where it may stand."""
    pieces = set(b.deployed_pieces())
    for piece in sorted(pieces ^ set(b.deployment)):
        yield f"{b.setup.id}: {piece} is missing in the ready-made set-up, or too much"
    for piece, id in b.deployment.items():
        if id not in b.may_stand(piece):
            yield f"{b.setup.id}: {piece} may not be placed on {id}"
    if b.setup.forts.get("line"):
        held = {id for piece, id in b.deployment.items() if piece in b.units or piece in b.dummies}
        for id in b.line:
            if id not in held:
                yield f"{b.setup.id}: nobody stands on {id} of the Line [3.11e]"
