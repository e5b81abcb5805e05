"""Who may sit at the table, and what is agreed before the first order."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.api import Option, Scenario, Seat
from pbem.canon import check_text
from pbem.errors import Refused
from rules.open_table.state import A_WARGAME, NO_LIMIT, NO_TEAMS, teams_of

MAX_TITLE = 200
MAX_TURNS = 9_999

COLOURS = ("red", "blue", "green", "yellow", "black", "white")

ANY_SEATS = (
    Option("game", (), A_WARGAME, "the title of the wargame that is played", "OT-1.1"),
    Option("turns", (), NO_LIMIT, f"the number of turns agreed on, or {NO_LIMIT}; a reminder only", "OT-1.6"),
)
SEVERAL_SEATS = (
    Option("order", ("fixed", "declared"), "fixed", "round the table, or: who passes names the next seat", "OT-1.2"),
    Option("snake", ("no", "yes"), "no", "in a fixed order every even turn goes backwards: A B, B A", "OT-1.3"),
    *ANY_SEATS,
)
THREE_SEATS = (
    *SEVERAL_SEATS,
    Option("teams", (), NO_TEAMS, f"who plays together, such as red+green blue, or {NO_TEAMS}", "OT-10.1"),
)


def scenario(id: str, title: str, seats: int) -> Scenario:
    about = "dice, cards, moves in words and tallies for one player" if seats == 1 else "any wargame with these seats"
    plays = tuple(Seat(colour, f"the {colour} side") for colour in COLOURS[:seats])
    options = ANY_SEATS if seats == 1 else SEVERAL_SEATS if seats == 2 else THREE_SEATS
    return Scenario(id, title, about, plays, options)


SCENARIOS = (
    scenario("duel", "Two seats", 2),
    scenario("solo", "One seat", 1),
    scenario("three", "Three seats", 3),
    scenario("four", "Four seats", 4),
    scenario("five", "Five seats", 5),
    scenario("six", "Six seats", 6),
)


def wrong_option(scenario: Scenario, options: Mapping[str, str]) -> str | None:
    """What is wrong with a title, a number of turns, or options that do not go together; None if nothing."""
    if options.get("order") == "declared" and options.get("snake") == "yes":
        return "snake needs the order fixed: in a declared order the passes say who is next"
    turns = options.get("turns", NO_LIMIT)
    if turns != NO_LIMIT and not (turns.isascii() and turns.isdecimal() and turns[0] != "0" and len(turns) <= 4):
        return f"turns is {NO_LIMIT} or a number from 1 to {MAX_TURNS:,}"
    wrong = wrong_teams(scenario, options.get("teams", NO_TEAMS))
    if wrong is not None:
        return wrong
    title = options.get("game", A_WARGAME)
    if not title.strip() or len(title) > MAX_TITLE:
        return f"game is a title of 1 to {MAX_TITLE} characters"
    try:
        check_text(title)
    except Refused as bad:
        return f"game: {bad.what}"
    return None


def wrong_teams(scenario: Scenario, text: str) -> str | None:
    """What is wrong with the teams: every seat is named at most once."""
    named = [seat for team in teams_of(text) for seat in team]
    seats = [seat.id for seat in scenario.seats]
    if len(set(named)) == len(named) and set(named) <= set(seats) and (named or text == NO_TEAMS):
        return None
    return f"teams is {NO_TEAMS}, or names each of {', '.join(seats)} once at most: red+green blue"
