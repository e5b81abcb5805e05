"""Ending the game: the first condition that becomes true decides (R17)."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.api import Note, Outcome, Tell
from rules.battle_card_malaya.state import ALLIES, Result, State, road_of


def reached_singapore(s: State, space: str, before: int, arrived: int, tell: Tell) -> None:
    """Won when a unit of strength 3 or more withdraws into Singapore. [BC-4.1]

    R15 says which strength counts: what stands there after loss, move and merging; by option r15 the unit's own
    strength before its loss of one, or its own strength on arrival.
    """
    if space != s.card.goal:
        return
    counts = {"after": s.allied[space], "before": before, "own": arrived}[s.options["r15"]]
    if counts >= s.card.win_strength:
        end(s, Result(True, "BC-4.1"), {"strength": counts}, ("BC-4.1", "R15"), tell)


def judge_japanese(s: State, tell: Tell) -> None:
    """Won when a Japanese unit is eliminated. [BC-4.2]"""
    if s.result is None and len(s.japanese) < len(s.card.japanese):
        end(s, Result(True, "BC-4.2"), {}, ("BC-4.2", "R17"), tell)


def judge_endau(s: State, tell: Tell) -> None:
    """Lost when a Japanese unit is alone in Endau. [BC-4.3] R16: looked at after every change"""
    if s.result is None and s.card.must_hold not in s.allied and road_of(s, s.card.must_hold) is not None:
        end(s, Result(False, "BC-4.3"), {"place": s.card.name(s.card.must_hold)}, ("BC-4.3", "R16"), tell)


def out_of_time(s: State, tell: Tell) -> None:
    """Lost when the turn die would pass its last face. [BC-4.4]"""
    end(s, Result(False, "BC-4.4"), {"turn": s.turn}, ("BC-4.4", "R17"), tell)


def end(s: State, result: Result, told: Mapping[str, str | int], clauses: tuple[str, ...], tell: Tell) -> None:
    """Write the result down."""
    s.result = result
    tell(Note(f"end.{result.clause}", told, clauses, anchor="end"))


def resign(s: State, tell: Tell) -> None:
    """Giving up loses."""
    end(s, Result(False, "resigned"), {}, ("R1",), tell)


WORDS = {
    "BC-4.1": "the Allies win: a strong unit has reached Singapore",
    "BC-4.2": "the Allies win: a Japanese unit is eliminated",
    "BC-4.3": "the Allies lose: the Japanese stand alone in Endau",
    "BC-4.4": "the Allies lose: the last turn is over",
    "resigned": "the Allies lose: they gave up",
}


def outcome(s: State) -> Outcome | None:
    """The result in words; a solitaire loss has no winner (R1)."""
    if s.result is None:
        return None
    won, clause = s.result
    return Outcome(ALLIES if won else "", WORDS[clause], (clause,) if clause.startswith("BC") else ("R1",))
