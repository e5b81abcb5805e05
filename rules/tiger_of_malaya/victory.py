"""How a scenario is won. [14.0]"""

from __future__ import annotations

from pbem.api import Note, Outcome, Tell
from rules.tiger_of_malaya.state import ALLIES, JAPAN, State, occupied, of, points
from rules.tiger_of_malaya.zones import zone

WORDS = {JAPAN: "Japan wins", ALLIES: "the Allies win"}


def decide(s: State, tell: Tell) -> None:
    """At the end of the last turn. [14.1.4]"""
    row = s.board.scenario
    if s.turn < row.last_turn:
        return
    s.result = (JAPAN, "14.1.4.A") if taken(s) else (ALLIES, "14.1.4.B")
    tell(Note("won", {"words": f"{WORDS[JAPAN if s.result[0] == JAPAN else ALLIES]}."}, (s.result[1],)))


def taken(s: State) -> bool:
    """One of the two towns, and a hex of the road under Japanese units or uncontested in their zone. [14.1.4.A, R99]"""
    row = s.board.scenario
    if not any(hex in s.held for hex in row.objectives):
        return False
    ours = {piece.at for id, piece in of(s, JAPAN) if points(s, id)}
    clear = zone(s, JAPAN) - zone(s, ALLIES) - occupied(s, ALLIES)
    return any(hex in ours or hex in clear for hex in row.road)


def outcome(s: State) -> Outcome | None:
    """The result in words."""
    if s.result is None:
        return None
    winner, clause = s.result
    words = WORDS[JAPAN if winner == JAPAN else ALLIES]
    resigned = clause == "1.0.P1"
    return Outcome(winner, f"{words}, the other side gave up" if resigned else words, (clause,))
