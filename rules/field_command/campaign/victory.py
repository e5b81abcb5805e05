"""Levels of victory, when they count, and who wins. [16]"""

from __future__ import annotations

from pbem.api import Note, Tell
from rules.field_command.campaign import supply
from rules.field_command.campaign.state import Ended, Held, War, in_play, is_ground
from rules.field_command.components import LEVELS, side
from rules.field_command.rows import Army, Goal, Level
from rules.field_command.terms import ADJECTIVES
from rules.field_command.terms import LEVELS as IN_WORDS


def objectives(w: War, army: Army) -> int:
    """The objectives of the army's side; contested or out of supply makes no difference. [16.3.1, R91]"""
    # [16.3.1]
    return sum(side(w.control[id]) == side(army) for id in w.board.objectives)


def units(w: War, army: Army) -> int:
    """The units that count for the Australian goal: with supplies, ground units in supply, and all aircraft. [R64]"""
    own = [unit for unit in w.units.values() if unit.army == army and in_play(unit)]
    # [T-DV.12–13]: the one thing that supplies change here
    if not w.with_supplies:
        return len(own)
    return sum(not is_ground(w, unit) or supply.linked(w, unit.where, army) for unit in own)


def met(w: War, goal: Goal) -> bool:
    """Whether the position satisfies a goal, but for its time."""
    points = sum(side(w.control[id]) == side(goal.army) for id in w.board.supply_points)
    return (
        objectives(w, goal.army) >= goal.objectives
        and points >= goal.supply_points
        and (not goal.units or units(w, goal.army) >= goal.units)
    )


def level(w: War, army: Army, *, at_end: bool) -> Level | None:
    """The highest level that an army has now; what is to be held until the end counts only then. [16.1.2]"""
    return next(
        (
            goal.level
            for goal in w.board.goals[army]
            if w.period <= goal.by and (at_end or not goal.at_end) and met(w, goal)
        ),
        None,
    )


def wanted(w: War) -> int:
    """The place among the levels, highest first, that wins by itself. [16.2.1]"""
    return LEVELS.index(w.options["level"]) if w.options["win"] == "high" else LEVELS.index("victory")


def reached(w: War, army: Army, *, at_end: bool = False) -> bool:
    """Whether an army has the level that wins."""
    has = level(w, army, at_end=at_end)
    return has is not None and LEVELS.index(has) <= wanted(w)


def changed(w: War, tell: Tell) -> None:
    """After each change of control: won at once, or marked until the own next turn. [16.3.2, R62, R63]"""
    # [8.7.1, OP-C.7]
    for army in w.board.order:
        marked = any(mark.army == army for mark in w.marks)
        if not reached(w, army):
            if marked:
                w.marks = tuple(mark for mark in w.marks if mark.army != army)
                tell(Note("victory.broken", {"army": ADJECTIVES[army]}, ("16.3.2.b", "R63")))
        elif w.options["timing"] == "immediate":
            win(w, army, "16.3.2.a", tell)
        elif not marked:
            # [16.3.2-ex]
            w.marks = (*w.marks, Held(army, w.turn))
            tell(Note("victory.marked", {"army": ADJECTIVES[army]}, ("16.3.2.b", "R63")))


def win(w: War, army: Army, clause: str, tell: Tell) -> None:
    """An army has its level: by method the game is won, or all levels are compared."""
    if w.ended is None:
        if w.options["win"] == "ranked":
            finish(w, best(w), "16.2.1.d", tell)
        else:
            finish(w, (army,), clause, tell)


def confirm(w: War, tell: Tell) -> None:
    """At the start of an army's turn a mark of an earlier turn is a win. [R63]"""
    if any(mark.army == w.army and mark.since < w.turn for mark in w.marks):
        win(w, w.army, "16.3.2.b", tell)


def last(w: War, tell: Tell) -> None:
    """The last turn has ended. [OP-C.10, 8.8, 16.2.1]"""
    # [8.8]
    method = w.options["win"]
    if any(reached(w, army) and army == "J" for army in w.board.order) and method != "ranked":
        finish(w, ("J",), "R63", tell)
    elif method == "simple":
        finish(w, tuple(army for army in w.board.order if army != "J"), "16.2.1.a", tell)
    elif method == "ranked":
        finish(w, best(w), "16.2.1.d", tell)
    else:
        clause = "16.2.1.c" if method == "high" else "16.2.1.b"
        finish(w, tuple(army for army in w.board.order if reached(w, army, at_end=True)), clause, tell)


def best(w: War) -> tuple[Army, ...]:
    """The armies of the highest level, all as if the last turn had ended. [R65]"""
    found = {army: level(w, army, at_end=True) for army in w.board.order}
    ranks = [LEVELS.index(has) for has in found.values() if has]
    return tuple(army for army, has in found.items() if has and LEVELS.index(has) == min(ranks))


def finish(w: War, armies: tuple[Army, ...], clause: str, tell: Tell) -> None:
    """The end of the campaign."""
    w.ended = Ended(armies, clause)
    w.phase = "over"
    w.fight, w.sector, w.leaving, w.losses, w.battles, w.covering = None, "", (), (), (), ()
    w.done = 0
    tell(Note("victory.won" if armies else "victory.none", {"armies": in_words(armies)}, (clause,), anchor="end"))
    for army in w.board.order:
        has = level(w, army, at_end=True)
        said = {"army": ADJECTIVES[army], "level": IN_WORDS[has] if has else "Defeat"}
        tell(Note("victory.level", said, ("16.1.2",)))


def in_words(armies: tuple[Army, ...]) -> str:
    """Armies in words."""
    return " and ".join(ADJECTIVES[army] for army in armies)
