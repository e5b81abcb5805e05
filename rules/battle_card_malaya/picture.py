"""What the player sees: headline, facts and tables, and the card as a map and as plain text (see `drawing`)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Grid, View
from rules.battle_card_malaya.battle import ADVANTAGE, advantage
from rules.battle_card_malaya.components import CHOICES, ROADS
from rules.battle_card_malaya.drawing import picture
from rules.battle_card_malaya.sequence import STEPS
from rules.battle_card_malaya.state import State, road_of, shared
from rules.battle_card_malaya.victory import WORDS
from rules.battle_card_malaya.withdrawal import lost_by_it

STEP_WORDS = {
    "withdrawal": "Allied withdrawal",
    "advance": "Japanese advance",
    "battle": "battle",
    "air": "Allied air support",
    "turn": "the turn die",
}


def view(s: State) -> View:
    """The card at this moment; it is the same for everybody."""
    return View(headline(s), tuple(facts(s)), tuple(grids(s)), (picture(s),))


def headline(s: State) -> str:
    """Turn and step, or the result."""
    if s.result is not None:
        return f"Turn {s.turn} of {s.card.turns}: {WORDS[s.result.clause]}"
    return f"Turn {s.turn} of {s.card.turns}, step {1 + STEPS.index(s.step)}: {STEP_WORDS[s.step]}"


def facts(s: State) -> Iterator[tuple[str, str]]:
    """What wins, what loses, and what to beware of."""
    card = s.card
    strengths = " and ".join(f"{unit.strength} on the {ROADS[road]} road" for road, unit in s.japanese.items())
    yield "wins", f"a unit of {card.win_strength} or more withdrawn into {card.name(card.goal)} [BC-4.1]"
    yield "wins too", f"a Japanese unit eliminated [BC-4.2]; they have {strengths}"
    yield "loses", f"a Japanese unit alone in {card.name(card.must_hold)} [BC-4.3]"
    yield "loses too", f"no decision by the end of turn {card.turns} [BC-4.4]"
    for warning in warnings(s):
        yield "beware", warning
    for name, value in sorted(s.options.items()):
        if value not in ("all-first", "after"):  # what is played otherwise than ruled must be said [R10, R15]
            yield f"option {name}", value


def warnings(s: State) -> Iterator[str]:
    """Orders of this step that are legal and cost more than they seem to."""
    if s.step != "withdrawal" or s.result is not None:
        return
    for location in lost_by_it(s):
        yield f"the unit in {s.card.name(location)} has strength 1: a withdrawal would eliminate it [R5]"
    if s.card.must_hold in shared(s):
        yield f"a withdrawal from {s.card.name(s.card.must_hold)} would lose the game [BC-4.3]"


def grids(s: State) -> Iterator[Grid]:
    """Units, the turn track, and the rows of the Combat Results Tables that would apply now."""
    yield Grid("Units", ("Location", "Allied", "Japanese", "reinforcement", "next"), tuple(units(s)))
    if shared(s) and s.result is None:
        yield Grid(
            "Battles at these strengths: Allied loss / Japanese loss by die (* chosen)",
            ("battle", "order", "advantage", "1", "2", "3", "4", "5", "6"),
            tuple(battles(s)),
        )
    track = tuple("now" if turn == s.turn else "past" if turn < s.turn else "" for turn in range(1, s.card.turns + 1))
    yield Grid("Turn track", tuple(str(turn) for turn in range(1, s.card.turns + 1)), (track,))


def units(s: State) -> Iterator[tuple[str, ...]]:
    """A row for each space, north to south by road."""
    for id, space in s.card.spaces.items():
        road = road_of(s, id)
        added = s.card.reinforcements.get(id, 0)
        yield (
            space.name,
            str(s.allied.get(id, "")),
            str(s.japanese[road].strength) if road else "",
            f"+{added}" if added else "",
            s.card.name(space.next) if space.next else "",
        )


def battles(s: State) -> Iterator[tuple[str, ...]]:
    """For each shared Location both choices; the one that was made is marked."""
    for location in shared(s):
        road = road_of(s, location)
        row = advantage(s, s.allied[location], s.japanese[road].strength) if road else "even"
        for choice in CHOICES:
            made = " *" if s.battles.get(location) == choice else ""
            losses = tuple(f"{ours}/{theirs}" for ours, theirs in s.card.results[choice, row])
            ahead = ADVANTAGE[row].removesuffix(" advantage")  # the head of the column says it
            yield (s.card.name(location), choice + made, ahead, *losses)
