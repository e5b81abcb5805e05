"""From the state of a campaign to what a reader sees of it."""

from __future__ import annotations

from pbem.api import Known, Outcome, Roll
from rules.field_command import look
from rules.field_command.campaign import cards_judging, cards_look, turn
from rules.field_command.campaign.state import HELD, OUT, Unit, War, name
from rules.field_command.campaign.victory import in_words
from rules.field_command.seen import Condition, Moved, Seen, Stand
from rules.field_command.terms import ADJECTIVES

ASKED = {
    "plan_turn": "the Planning Stage",
    "cover": "defensive barrages",
    "next_battle": "the next battle is chosen",
    "retreat": "a unit leaves the battle",
    "seal_cards": "the decks are shuffled",
    "shuffle": "a deck is shuffled anew",
    "events": "Events are played",
    "split": "cards are shared",
    "agree": "Australia may object",
    "negate": "a card may be negated",
    "supply_cards": "supply cards",
    "discard": "cards are discarded",
}


def seen(w: War, seat: str, known: Known) -> Seen:
    """What this reader sees: only his own supplies are printed. [14.1.3, R69]"""
    own = w.armies_of(seat)
    facts = [*cards_look.facts(w, seat, known)]
    facts += [("barrage", f"{one.gun} at {name(w, one.sector)}") for one in w.barrages] + [
        ("to win", f"{ADJECTIVES[mark.army]} level held, counts at its next turn") for mark in w.marks
    ]
    battle = look.battle(w.fight, f"The battle of {name(w, w.sector)}", seat, known) if w.fight else None
    return Seen(
        board=w.board,
        period=w.period,
        army=w.army,
        step=step(w),
        reader=seat,
        control=dict(w.control),
        contested=frozenset(w.contested),
        units=tuple(stand(unit) for unit in w.units.values() if unit.where not in (OUT, HELD)),
        moves=tuple(Moved(w.units[one.unit].army, (one.out, one.into), "attack") for one in w.entries),
        supplies={army: w.supplies[army] for army in own} if w.with_supplies else {},
        battles=(battle,) if battle else (),
        hand=cards_look.hand(w, own, known),
        hands=cards_look.hands(w),
        events=tuple(cards_look.in_force(w)),
        signs=tuple(cards_look.signs(w)),
        facts=tuple(facts),
        result=result(w),
    )


def stand(unit: Unit) -> Stand:
    """A unit on the map or beside it."""
    condition: Condition = "airborne" if unit.air else "spent" if unit.mark in ("fired", "landed") else ""
    return Stand(unit.id, unit.army, unit.kind, unit.where, condition)


def step(w: War) -> str:
    """What is waited for, in words."""
    waiting = turn.pending(w)
    if not waiting:
        return "over"
    if isinstance(waiting[0], Roll) and w.losses:
        return f"the dice of {name(w, w.losses[0].sector)} are rolled"
    if w.fight and not w.leaving and not cards_judging.waits(w):
        return f"{name(w, w.sector)}: {look.step(w.fight)}"
    return ASKED[waiting[0].what] if not isinstance(waiting[0], Roll) else "dice are rolled"


def result(w: War) -> str:
    """Who has won."""
    if w.ended is None:
        return ""
    return f"{in_words(w.ended.armies)} victory" if w.ended.armies else "nobody wins"


def outcome(w: War) -> Outcome | None:
    """The winning seat, or the seats that win together. [16.2.1]"""
    if w.ended is None:
        return None
    seats = tuple(dict.fromkeys(w.seats[army] for army in w.ended.armies))
    alone = seats[0] if len(seats) == 1 else ""
    return Outcome(alone, result(w), (w.ended.clause,), seats if len(seats) > 1 else ())
