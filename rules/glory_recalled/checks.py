"""What a careful owner would check: what cannot be right, whatever copy was typed in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rules.glory_recalled.options import MAP_OPTIONS
from rules.glory_recalled.rows import BONUS, BOX, CARD, CHANGE, DEPLOY, GAME, LEADER, LINK, PLAY, SCENARIO, SPACE, UNIT
from rules.kit.data import Data


def checks(tables: Data) -> Iterator[str]:
    """Everything that is wrong, in words."""
    yield from _check_map(tables)
    yield from _check_cards(tables)
    yield from _check_setups(tables)
    yield from _check_changes(tables)


def _check_map(tables: Data) -> Iterator[str]:
    """Links join different spaces once, every space has one, boxes lead to the Island's coast, every bonus is there."""
    spaces = {space.id: space for space in tables[SPACE]}
    drawn: Counter[frozenset[str]] = Counter()
    for link in tables[LINK]:
        for end in (link.a, link.b):
            if end not in spaces:
                yield f"the link {link.a}-{link.b} ends nowhere: there is no space {end}"
        if link.a == link.b:
            yield f"the link {link.a}-{link.b} joins a space with itself"
        drawn[frozenset((link.a, link.b))] += 1
    for ends, count in drawn.items():
        if count > 1:
            yield f"the link {'-'.join(sorted(ends))} is drawn {count} times"
    linked = {end for ends in drawn for end in ends}
    for id in sorted(set(spaces) - linked):
        yield f"{id} has no link"
    for link in tables[LINK]:
        if link.a in spaces and link.b in spaces and spaces[link.a].half != spaces[link.b].half:
            yield f"the link {link.a}-{link.b} crosses the harbour [7.3-b1]"
    for box in tables[BOX]:
        space = spaces.get(box.space)
        if space is None:
            yield f"box {box.id} leads nowhere: there is no space {box.space}"
        elif space.half != "island" or not space.coastal:
            yield f"box {box.id} leads to {box.space}, which is no coast of the Island"
    for space in spaces.values():
        if space.north_coast and not (space.coastal and space.half == "island"):
            yield f"{space.id} is on the north coast, but no coastal space of the Island"
        if space.brown and space.half != "kowloon":
            yield f"{space.id} is brown, but not at the top of the map"
    if sum("hq" in space.kinds for space in spaces.values()) != 1:
        yield "the map has one HQ space"
    bonus = {row.kind for row in tables[BONUS]}
    for kind in sorted({kind for space in spaces.values() for kind in space.kinds} | {"clear", "fortified"}):
        if kind not in bonus:
            yield f"there is no defence bonus for {kind}"


def _check_cards(tables: Data) -> Iterator[str]:
    """Every card has a use or lies face-down only; uses fit kind, seat and colour of the card."""
    cards = {card.id: card for card in tables[CARD]}
    formations = {unit.formation: unit.seat for unit in tables[UNIT]}
    for card in cards.values():
        if card.marked > card.copies:
            yield f"{card.id}: {card.marked} of {card.copies} copies cannot carry the mark"
        if card.green != any(play.card == card.id and play.use == "react" for play in tables[PLAY]):
            yield f"{card.id}: green cards react, and no others do [14.0-b5]"
    for play in tables[PLAY]:
        owner = cards.get(play.card)
        if owner is None:
            yield f"there is no card {play.card} to play"
            continue
        where = f"{play.card} as {play.use}"
        if (play.use == "react") != bool(play.trigger):
            yield f"{where}: reactions have a trigger, and nothing else has"
        if (play.use == "combat") != bool(play.step):
            yield f"{where}: cards of a combat count in a step, and no others do"
        for formation in play.formations:
            if formations.get(formation, owner.seat) != owner.seat:
                yield f"{where}: {formation} is on the other side"
        for id in play.bars:
            if id not in cards:
                yield f"{where}: there is no card {id} to bar"
    game = tables.only(GAME)
    for seat, id in (("japan", game.fall_japanese_card), ("british", game.fall_british_card)):
        if id not in cards or cards[id].seat != seat:
            yield f"the Fall of Kowloon gives {seat} a card {id}, which its deck does not have"


def _check_setups(tables: Data) -> Iterator[str]:
    """Cards and pieces of every set-up exist, and the ready-made set-ups stack."""
    cards = {card.id: card for card in tables[CARD]}
    spaces = {space.id for space in tables[SPACE]}
    units = {unit.id for unit in tables[UNIT]}
    leaders = {leader.id for leader in tables[LEADER]}
    game = tables.only(GAME)
    scenarios = {row.id for row in tables[SCENARIO]}
    for row in tables[SCENARIO]:
        for seat, take in (("japan", row.japanese_take), ("british", row.british_take)):
            for id in take:
                if id not in cards or cards[id].seat != seat:
                    yield f"{row.id}: {seat} takes a card {id}, which its deck does not have"
        if set(row.british_place) != set(row.brigades):
            yield f"{row.id}: every brigade has a place, and no other"
    for scenario in sorted({piece.scenario for piece in tables[DEPLOY]}):
        rows = [piece for piece in tables[DEPLOY] if piece.scenario == scenario]
        if scenario not in scenarios:
            yield f"there is no scenario {scenario} to deploy for"
        for piece in rows:
            if piece.space not in spaces:
                yield f"{scenario}: {piece.piece} stands on {piece.space}, which is no space"
        for pieces, most, what in ((units, game.space_units, "units"), (leaders, game.space_leaders, "leaders")):
            crowd = Counter(piece.space for piece in rows if piece.piece in pieces)
            for space, count in sorted(crowd.items()):
                if count > most:
                    yield f"{scenario}: {count} {what} on {space}, at most {most} [8.0-b1]"


def _check_changes(tables: Data) -> Iterator[str]:
    """Changes belong to a value of an option, and touch spaces that are there."""
    spaces = {space.id for space in tables[SPACE]}
    values = {(option.name, value) for option in MAP_OPTIONS for value in option.values if value != option.default}
    for change in tables[CHANGE]:
        if (change.option, change.value) not in values:
            yield f"{change.option} has no other value {change.value}"
        if change.space not in spaces:
            yield f"{change.option} {change.value}: there is no space {change.space}"
