"""What a careful owner would check: what cannot be right, whatever copy was typed in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rules.field_command.rows import (
    AXIS,
    BOARD,
    BORDER,
    CAMPAIGN,
    CARD,
    GAME,
    GOAL,
    KIND,
    LANDING,
    LINE,
    OUTLINE,
    PLACE,
    REACH,
    SECTOR,
    STOCK,
    STRENGTH,
    STRIKE,
    Army,
    Kind,
    Role,
)
from rules.kit.data import Data

ELSEWHERE = "off_map"
ROLES: tuple[Role, Role] = ("attack", "defence")


def checks(tables: Data) -> Iterator[str]:
    """Everything that is wrong, in words."""
    yield from _check_map(tables)
    yield from _check_charts(tables)
    yield from _check_campaigns(tables)
    yield from _check_places(tables)
    yield from _check_boards(tables)
    yield from _check_cards(tables)


def _check_map(tables: Data) -> Iterator[str]:
    """Borders join different sectors once, roads run where they are said to, lines and landings lie on the map."""
    sectors = {sector.id: sector for sector in tables[SECTOR]}
    ways = {frozenset((border.a, border.b)): border.way for border in tables[BORDER]}
    for border in tables[BORDER]:
        for end in (border.a, border.b):
            if end not in sectors:
                yield f"the border {border.a} - {border.b} ends nowhere: there is no sector {end}"
        if border.a == border.b:
            yield f"the border {border.a} - {border.b} joins a sector with itself"
    drawn = Counter(frozenset((border.a, border.b)) for border in tables[BORDER])
    for ends, count in drawn.items():
        if count > 1:
            yield f"the border {' - '.join(sorted(ends))} is drawn {count} times"
    for id in sorted(set(sectors) - {end for ends in ways for end in ends}):
        yield f"{id} has no neighbour"
    on_road = {end for ends, way in ways.items() if way in ("road", "bridge") for end in ends}
    for id, sector in sectors.items():
        if sector.road != (id in on_road):
            yield f"{id}: a sector has a road exactly where a border with a road leads out of it [6.5.1]"
    for line in tables[LINE]:
        way = ways.get(frozenset((line.out, line.into)))
        if way is None:
            yield f"the fortified line {line.out} - {line.into} lies on no border"
        elif "on-road" in line.modes and way not in ("road", "bridge"):
            yield f"the fortified line {line.out} - {line.into} has no road to bar [6.7.2]"
    axes = {axis.id for axis in tables[AXIS]}
    for landing in tables[LANDING]:
        if landing.axis not in axes or landing.sector not in sectors:
            yield f"the landing {landing.axis} - {landing.sector} needs an Axis and a sector"
    for outline in tables[OUTLINE]:
        if outline.id not in sectors:
            yield f"there is no sector {outline.id} to draw"


def _check_charts(tables: Data) -> Iterator[str]:
    """Every type that can be there has the rows that the rules will ask for."""
    families = {row.id: row.family for row in tables[KIND]}
    signs = Counter(row.sign for row in tables[KIND])
    for sign, count in signs.items():
        if count > 1:
            yield f"{count} types are called {sign}"
    for strength in tables[STRENGTH]:
        where = f"{strength.army} {strength.kind}"
        family = families.get(strength.kind)
        if family is None:
            yield f"{where}: there is no such type"
        elif family == "aircraft" and (strength.attack or strength.defence or not strength.air):
            yield f"{where}: aircraft have an air strength and no other [10.6.5]"
        elif family != "aircraft" and (strength.air or not strength.defence):
            yield f"{where}: ground units have a defence strength, and none in the air"
        elif family != "aircraft" and (family == "artillery") == bool(strength.attack):
            yield f"{where}: artillery cannot attack, and every other ground unit can [11.3.1]"
        for dice in (strength.attack, strength.defence, strength.air):
            if list(dice) != sorted(dice, reverse=True):
                yield f"{where}: list the largest die first"
    for strike in tables[STRIKE]:
        if strike.suppress > strike.eliminate:
            yield f"{strike.army} {strike.kind}: a strike that eliminates is better than one that suppresses [5.2.1]"
    for reach in tables[REACH]:
        if reach.range and families.get(reach.kind) != "artillery":
            yield f"{reach.army} {reach.kind}: only artillery has a range [11.1.1]"


def _there(tables: Data) -> Iterator[tuple[str, Army, Kind]]:
    """Every army and type that a set-up uses, and where."""
    for unit in tables[PLACE]:
        yield unit.unit, unit.army, unit.kind
    for row in tables[BOARD]:
        yield from ((f"battle {row.id}", row.attacker, kind) for kind in (*row.attack_line, *row.attack_strikes))
        yield from ((f"battle {row.id}", row.defender, kind) for kind in (*row.defence_line, *row.defence_strikes))


def _check_places(tables: Data) -> Iterator[str]:
    """Units stand on the map, with charts, in sectors of their army, not too many of them, and never with an ally."""
    kinds = {row.id: row for row in tables[KIND]}
    strengths = {(row.army, row.kind) for row in tables[STRENGTH]}
    strikes = {(row.army, row.kind) for row in tables[STRIKE]}
    reaches = {(row.army, row.kind) for row in tables[REACH]}
    for who, army, kind in dict.fromkeys(_there(tables)):
        if (army, kind) not in strengths or (army, kind) not in reaches:
            yield f"{who}: the charts have no row for {army} {kind}"
        elif kinds[kind].family in ("artillery", "aircraft") and (army, kind) not in strikes:
            yield f"{who}: no Direct Strike Chart has a row for {army} {kind}"
    sectors = {sector.id: sector for sector in tables[SECTOR]}
    axes = {axis.id for axis in tables[AXIS]}
    most = tables.only(GAME).stacking
    for campaign in tables[CAMPAIGN]:
        units = [unit for unit in tables[PLACE] if unit.campaign == campaign.id]
        for unit in units:
            where = sectors.get(unit.where)
            if where is not None and where.owner != unit.army:
                yield f"{unit.unit} stands in {unit.where}, which another army controls [6.6.4]"
            elif unit.where in axes and unit.army != "J":
                yield f"{unit.unit} stands on an Axis, where only Japanese units can be [6.4.2.a]"
            elif where is None and unit.where not in axes and unit.where != ELSEWHERE:
                yield f"{unit.unit} stands in {unit.where}, which is no sector and no Axis"
            if not unit.unit.startswith(f"{unit.army}-{kinds[unit.kind].sign}-"):
                yield f"{unit.unit}: a unit is called by army, kind and number"
        ground = [unit for unit in units if kinds[unit.kind].family != "aircraft" and not unit.due]
        for place, count in sorted(Counter(unit.where for unit in ground).items()):
            if place in sectors and count > most:
                yield f"{count} ground units in {place}, at most {most} [6.2.3]"
        for id, sector in sectors.items():
            guns = [unit.kind for unit in units if unit.where == id and unit.kind.startswith("fixed")]
            if guns != ([sector.gun] if sector.gun else []):
                yield f"{id}: emplacements hold the fixed guns, each its own [6.5.4]"


def _check_campaigns(tables: Data) -> Iterator[str]:
    """Every army has its supplies for every period and its levels of victory, no card or unit belongs nowhere."""
    campaigns = {row.id: row for row in tables[CAMPAIGN]}
    for stock in tables[STOCK]:
        if stock.campaign in campaigns and len(stock.collect) != campaigns[stock.campaign].periods:
            yield f"{stock.army} collects in {len(stock.collect)} of {campaigns[stock.campaign].periods} periods"
    for id, campaign in campaigns.items():
        for army in campaign.order:
            if not any(stock.campaign == id and stock.army == army for stock in tables[STOCK]):
                yield f"{id}: no supplies for {army}"
            levels = {goal.level for goal in tables[GOAL] if goal.campaign == id and goal.army == army}
            if levels != {"victory", "decisive", "total"}:
                yield f"{id}: {army} has three levels of victory [16.1.2]"
    for unit in tables[PLACE]:
        if unit.campaign not in campaigns:
            yield f"{unit.unit} belongs to {unit.campaign}, which is no campaign"


def _check_boards(tables: Data) -> Iterator[str]:
    """A single battle has two sides, a line on each, combat units on it and strike units beside it."""
    families = {row.id: row.family for row in tables[KIND]}
    for row in tables[BOARD]:
        if (row.attacker == "J") == (row.defender == "J"):
            yield f"battle {row.id}: {row.attacker} and {row.defender} do not fight each other"
        if not row.attack_line or not row.defence_line:
            yield f"battle {row.id}: both sides have a line [A.2.4]"
        for kind in (*row.attack_line, *row.defence_line):
            if families[kind] not in ("infantry", "vehicle"):
                yield f"battle {row.id}: {kind} does not stand on a line [3.3.1.1]"
        for kind in (*row.attack_strikes, *row.defence_strikes):
            if families[kind] not in ("artillery", "aircraft"):
                yield f"battle {row.id}: {kind} does not strike [5.1.1]"


def _check_cards(tables: Data) -> Iterator[str]:
    """Both decks are full, and cards name cards and sectors that are there."""
    full = tables.only(GAME).deck
    ids = {card.id for card in tables[CARD]}
    sectors = {sector.id for sector in tables[SECTOR]}
    for deck in ("J", "CW"):
        count = sum(card.copies for card in tables[CARD] if card.deck == deck)
        if tables[CARD] and count != full:
            yield f"the deck {deck} has {count} cards, not {full}"
    for card in tables[CARD]:
        if card.named and card.named not in ids:
            yield f"{card.id}: there is no card {card.named}"
        if card.sector and card.sector not in sectors:
            yield f"{card.id}: there is no sector {card.sector}"
        if (card.type == "negation") != bool(card.cancels):
            yield f"{card.id}: Negations cancel, and no other card does [15.1.2]"
