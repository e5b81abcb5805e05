"""The position as lines, and back: what digests, cases and scripts see (README.md, "Positions").

turn      3
step      battle
allied    kampar 2
japanese  trunk kampar 6
battles   1 kampar defend         in the order of fighting; `-` until the choice is made
moved     1 allies jitra kampar   since the last withdrawal step was decided, every space touched
options   r10 all-first
result    won BC-4.2              empty while the game goes on
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.api import silent
from pbem.errors import Trouble
from rules.battle_card_malaya import battle
from rules.battle_card_malaya.components import CHOICES, NAMES, ROADS
from rules.battle_card_malaya.sequence import pending
from rules.battle_card_malaya.state import ALLIES, Move, Result, State, Step, Unit, shared
from rules.battle_card_malaya.victory import WORDS

WAITING_STEPS: tuple[Step, ...] = ("withdrawal", "battle", "air")


def position(s: State) -> dict[str, tuple[str, ...]]:
    """Named sections of sorted lines."""
    return {
        "turn": (str(s.turn),),
        "step": (s.step,),
        "allied": tuple(sorted(f"{space} {strength}" for space, strength in s.allied.items())),
        "japanese": tuple(sorted(f"{road} {unit.at} {unit.strength}" for road, unit in s.japanese.items())),
        "battles": tuple(f"{n} {at} {choice or '-'}" for n, (at, choice) in enumerate(s.battles.items(), 1)),
        "moved": tuple(f"{n} {move.who} {' '.join(move.spaces)}" for n, move in enumerate(s.moved, 1)),
        "options": tuple(sorted(f"{name} {value}" for name, value in s.options.items())),
        "result": (f"{'won' if s.result.won else 'lost'} {s.result.clause}",) if s.result else (),
    }


def place(s: State, sections: Mapping[str, Sequence[str]]) -> None:
    """Set the named sections, each as a whole. Raises `Trouble` for a line that fits no position."""
    for name, lines in sections.items():
        if name not in SECTIONS:
            raise Trouble(f"a position has no section {name}", f"sections: {', '.join(SECTIONS)}")
        for line in lines:
            if not line.split():
                raise Trouble(f"{name}: an empty line")
        SECTIONS[name](s, [line.split() for line in sorted(lines)])
    if s.step == "battle" and "battles" not in sections:
        battle.begin(s, silent)
    _check(s)


def _check(s: State) -> None:
    """A position must wait for something, or be over; battles stand where both sides are."""
    if not set(s.battles) <= set(shared(s)):
        raise Trouble("a battle stands in a Location that is not shared", f"shared: {', '.join(shared(s)) or 'none'}")
    if s.result is None and not pending(s):
        raise Trouble(
            f"in the step {s.step} of this position nothing is waited for",
            "let a Location be shared for `withdrawal`, list `battles` for battle, hold Kuantan for `air`",
        )


def _bad(section: str, words: Sequence[str] | list[list[str]], form: str) -> Trouble:
    met = " ".join(word if isinstance(word, str) else " ".join(word) for word in words)
    return Trouble(f"{section}: cannot place {met!r}", f"write: {form}")


def _place_turn(s: State, rows: list[list[str]]) -> None:
    match rows:
        case [[turn]] if turn in map(str, range(1, s.card.turns + 1)):
            s.turn = int(turn)
        case _:
            raise _bad("turn", rows, f"one line, 1 to {s.card.turns}")


def _place_step(s: State, rows: list[list[str]]) -> None:
    found = [step for step in WAITING_STEPS if rows == [[step]]]
    if not found:
        raise _bad("step", rows, f"one line: {', '.join(WAITING_STEPS)}")
    s.step = found[0]


def _strength(s: State, section: str, words: Sequence[str], form: str) -> int:
    if words[-1] not in map(str, range(1, s.card.cap + 1)):
        raise _bad(section, words, form)
    return int(words[-1])


def _place_allied(s: State, rows: list[list[str]]) -> None:
    form = f"SPACE STRENGTH, one line a space, strength 1 to {s.card.cap}"
    s.allied = {}
    for words in rows:
        if len(words) != 2 or words[0] not in s.card.spaces or words[0] in s.allied:
            raise _bad("allied", words, form)
        s.allied[words[0]] = _strength(s, "allied", words, form)


def _place_japanese(s: State, rows: list[list[str]]) -> None:
    form = f"ROAD LOCATION STRENGTH, one line a road ({', '.join(ROADS)}), never two in one Location"
    found: dict[str, Unit] = {}
    for words in rows:
        taken = {unit.at for unit in found.values()} | {s.card.goal}
        if len(words) != 3 or words[0] in found or words[1] not in s.card.spaces or words[1] in taken:
            raise _bad("japanese", words, form)
        found[words[0]] = Unit(words[1], _strength(s, "japanese", words, form))
    if not set(found) <= set(ROADS):
        raise _bad("japanese", rows[0], form)
    s.japanese = {road: found[road] for road in ROADS if road in found}


def _place_battles(s: State, rows: list[list[str]]) -> None:
    form = "NUMBER LOCATION CHOICE, the choice counterattack, defend or - for none yet, numbers from 1 on"
    s.battles = {}
    for number, words in enumerate(rows, 1):
        if len(words) != 3 or words[0] != str(number) or words[1] not in s.card.spaces or words[1] in s.battles:
            raise _bad("battles", words, form)
        choice = [choice for choice in CHOICES if words[2] == choice]
        if not choice and words[2] != "-":
            raise _bad("battles", words, form)
        s.battles[words[1]] = choice[0] if choice else ""


def _place_moved(s: State, rows: list[list[str]]) -> None:
    for number, words in enumerate(rows, 1):
        if (
            len(words) < 3
            or words[0] != str(number)
            or words[1] not in (ALLIES, *ROADS)
            or not set(words[2:]) <= set(NAMES)
        ):
            raise _bad("moved", words, "NUMBER WHO SPACE SPACE ..., who: allies, trunk or eastern")
    s.moved = tuple(Move(words[1], tuple(words[2:])) for words in rows)


def _place_options(s: State, rows: list[list[str]]) -> None:
    for words in rows:
        if len(words) != 2 or words[0] not in s.options:
            raise _bad("options", words, f"NAME VALUE, names: {', '.join(s.options)}")
        s.options[words[0]] = words[1]


def _place_result(s: State, rows: list[list[str]]) -> None:
    match rows:
        case []:
            s.result = None
        case [[("won" | "lost") as word, clause]] if clause in WORDS:
            s.result = Result(word == "won", clause)
        case _:
            raise _bad("result", rows, f"nothing, or won or lost and one of: {', '.join(WORDS)}")


SECTIONS: Mapping[str, Callable[[State, list[list[str]]], None]] = {
    "turn": _place_turn,
    "step": _place_step,
    "allied": _place_allied,
    "japanese": _place_japanese,
    "battles": _place_battles,
    "moved": _place_moved,
    "options": _place_options,
    "result": _place_result,
}
