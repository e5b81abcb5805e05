"""How a scenario is won. [14.0]"""

from __future__ import annotations

from pbem.api import Note, Outcome, Tell
from rules.tiger_of_malaya import diversion
from rules.tiger_of_malaya.state import ALLIES, JAPAN, State, occupied, of, option, points
from rules.tiger_of_malaya.zones import zone

WORDS = {JAPAN: "Japan wins", ALLIES: "the Allies win", "draw": "a draw"}
FEBRUARY = 21
"""The turn of 23-24 February, with which the last scenario ends as one clause has it. [14.4.1.A, R93]"""
CLAUSES = {  # what decides: a surrender in time, none, one too late
    "tiger-of-malaya": ("14.3.4.B", "14.3.4.C", "14.3.4.D"),
    "great-base": ("14.4.4.B", "14.4.4.C", "14.4.4.D"),
}


def last_turn(s: State) -> int:
    """The last turn of the scenario."""  # [14.1.1.A, 14.2.1.A, 14.3.1.A, 14.4.1.A, R93]
    early = s.board.scenario.id == "great-base" and option(s, "r93") == "february"
    return FEBRUARY if early else s.board.scenario.last_turn


def decide(s: State, tell: Tell) -> None:
    """At the end of the last turn. [14.1.4, 14.2.4, 14.3.4.C, 14.4.4.C]"""
    row = s.board.scenario
    if s.turn < last_turn(s):
        return
    if row.victory == "road":
        won(s, tell, *((JAPAN, "14.1.4.A") if taken(s) else (ALLIES, "14.1.4.B")))
    elif row.victory == "towns":
        held = sum(hex in s.held for hex in row.objectives)
        draw = ("draw", "14.2.4.C") if held >= row.even else (ALLIES, "14.2.4.B")
        won(s, tell, *((JAPAN, "14.2.4.A") if held >= row.towns else draw))
    else:
        won(s, tell, ALLIES, CLAUSES[row.id][1])


def won(s: State, tell: Tell, winner: str, clause: str) -> None:
    """It is over."""
    s.result = (winner, clause)
    words = WORDS[winner]
    tell(Note("won", {"words": f"{words[0].upper()}{words[1:]}."}, (clause,)))


def taken(s: State) -> bool:
    """One of the two towns, and a hex of the road under Japanese units or uncontested in their zone."""
    # [14.1.4.A, R99]
    row = s.board.scenario
    if not any(hex in s.held for hex in row.objectives):
        return False
    ours = occupied(s, JAPAN)
    clear = zone(s, JAPAN) - zone(s, ALLIES) - occupied(s, ALLIES)
    return any(hex in ours or hex in clear for hex in row.road)


# --- the surrender of Singapore ---


def tested(s: State) -> bool:
    """Whether Singapore may surrender at the end of this turn."""  # [14.3.4.A, 14.4.4.A, R95]
    if s.board.scenario.victory != "surrender":
        return False  # [14.3.4.A, 14.4.4.A]
    game, distance = s.board.game, s.board.grid.distance
    near = (piece.at for id, piece in of(s, JAPAN) if piece.supplied and points(s, id))
    return any(distance(hex, game.surrender_hex) <= game.surrender_distance for hex in near)


def dice_clause(s: State) -> str:
    """Where the dice of the test are ordered."""
    return "14.3.4.A.1" if s.board.scenario.id == "tiger-of-malaya" else "14.4.4.A.1"


def surrender(s: State, dice: tuple[int, ...], label: str, tell: Tell) -> None:
    """Two dice, more for every hex of the island lost, less with the lead of I Corps."""
    # [14.3.4.A.1, 14.3.4.A.2, 14.3.4.A.3, 14.3.4.A.4]
    row, game = s.board.scenario, s.board.game
    lost = sum(hex in s.held for hex in s.board.region("island"))  # [14.3.4.A.3, 14.4.4.A.3]
    less = game.surrender_less if any(diversion.come(s, id) for id in lead(s)) else 0  # [14.3.4.A.2, 14.4.4.A.2]
    total = sum(dice) + lost - less  # [14.3.4.A.1, 14.4.4.A.1]
    told: dict[str, str | int] = {"dice": sum(dice), "lost": lost, "less": less, "total": total}
    clause = "14.3.4.A.4" if row.id == "tiger-of-malaya" else "14.4.4.A.4"
    tell(Note("surrender", told, (clause,), label))
    if total >= game.surrender_from:
        in_time, _, late = CLAUSES[row.id]
        won(s, tell, *((JAPAN, in_time) if s.turn < row.deadline else ("draw", late)))


def lead(s: State) -> list[str]:
    """The group that comes first of those that a secret die decides on."""
    return [group.id for group in s.board.groups.values() if not group.after]


def outcome(s: State) -> Outcome | None:
    """The result in words."""
    if s.result is None:
        return None
    winner, clause = s.result
    words = WORDS[winner]
    gave_up = f"{words}, the other side gave up" if clause == "1.0.P1" else words
    return Outcome("" if winner == "draw" else winner, gave_up, (clause,))
