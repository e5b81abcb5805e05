"""Who wins. [4.0]"""

from __future__ import annotations

from pbem.api import Ask, Note, OpenSlots, Tell
from rules.glory_recalled import control
from rules.glory_recalled.state import BRITISH, JAPAN, Result, State, counters_at, foe, is_slot, seat_of


def check(s: State, tell: Tell) -> None:
    """At the end of a turn: 45 British points; after the fall of Kowloon, more Japanese than British. [R37]"""
    if s.board.setup.fall == "never":
        return  # [R42]
    if s.points[BRITISH] >= 2 * s.board.game.british_goal:
        win(s, BRITISH, "4.0-n1", tell)
    elif fall_is_past(s) and s.points[JAPAN] > s.points[BRITISH]:
        win(s, JAPAN, "4.0-n2", tell)


def fall_is_past(s: State) -> bool:
    """Whether Kowloon has fallen, in the game or before it. [R43]"""
    return s.fallen or s.board.setup.fall == "past"  # [17.2-b12]


def win(s: State, seat: str, clause: str, tell: Tell) -> None:
    """The game is over."""
    s.result = Result(seat, clause)
    s.frames.clear()
    s.phase, s.step = "over", ""
    tell(Note(f"won.{seat}", {}, (clause,)))


def resign(s: State, seat: str, tell: Tell) -> None:
    """A seat gives up."""
    win(s, foe(seat), "4.0-n1" if seat == JAPAN else "4.0-n2", tell)


def kowloon_taken(s: State) -> bool:
    """Whether Japan controls the four piers of Kowloon. [16.0a, 17.1-b4a]"""
    return all(control.holds(s, JAPAN, pier) for pier in s.board.spaces_of("pier", "kowloon"))


# --- the short scenario of Kowloon ---


def battle_over(s: State) -> bool:
    """Whether the Battle of Kowloon ends now: after the action that gave the fourth pier. [R42]"""
    return s.board.setup.fall == "never" and s.phase == "action" and kowloon_taken(s)


def left_behind(s: State) -> tuple[str, ...]:
    """British counters in Kowloon."""
    return tuple(id for space in s.board.spaces_in("kowloon") for id in counters_at(s, space, BRITISH))


def final_waits(s: State) -> tuple[Ask, ...]:
    """Those left in Kowloon are shown before they are counted."""
    closed = tuple(id for id in left_behind(s) if is_slot(id))
    return (Ask(BRITISH, "show_surrender", "17.1-b4a", client=OpenSlots(closed)),) if closed else ()


def final(s: State, tell: Tell) -> None:
    """Surrenders, what falls without a fight, and the margin. [17.1-b4a, 17.1-b4b, 17.1-b4c]"""
    from rules.glory_recalled import recover

    for id in left_behind(s):
        recover.give_up(s, id, tell)
    for name, chief in list(s.leaders.items()):
        if seat_of(s, name) == BRITISH and chief.at in s.board.spaces_in("kowloon"):
            recover.give_up(s, name, tell)
    for space in (*s.board.spaces_of("reservoir", "kowloon"), *s.board.batteries):  # [17.1-b4b]
        if s.board.space(space).half == "kowloon":
            control.take(s, JAPAN, space, tell)
    margin = s.points[JAPAN] - s.points[BRITISH]
    win(s, JAPAN if margin >= 2 * s.board.game.kowloon_margin else BRITISH, "17.1-b4c", tell)
