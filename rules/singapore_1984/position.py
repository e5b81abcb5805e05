"""A position as lines: digest, cases, scripts.

turn       turn 1; active jp; phase move; step move; pulse 0; assault 0; points 12; forcez alive; shipping unresolved;
           penang_turn 0; penang_fought no; matador, kuala, ending: - or a word; flown 0
units      11/5 0302 reduced oos moved late from 0302 to 1616 back 4     the words where they are so
control    0302 jp start jp taken 3
through    jp 03 0302 0303 ...        who passed last, by column
account    losses-cw 12
used       rail-jp 1
memory     passed landing 1616; closed leaving 0302; acted 11/5; unrolled 11 6IND
sail       11/5 off 1106 assault at 1206 then 1106-1107 step effect
attacks    11 0810+0811 11/5+41/5 air 3 against 2
battle     {...}      JSON
added      cw 4                       air points that the optional rules bring this turn
forts      0921 n ne se
standing   cw standing retreat any
choices    13.41 cw-options/1/10 closed; 16AUS cw-options/1/0 yes; fresh 16AUS
options    r3 text
result     jp jp-decisive 12.11
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from pbem.api import silent
from pbem.errors import Trouble, Unreadable
from rules.kit.hexes import Hex
from rules.singapore_1984 import sequence, underway
from rules.singapore_1984.state import AWAY, PLAYERS, Piece, Seen, State
from rules.singapore_1984.underway import Lines

TURN: Mapping[str, tuple[str, ...]] = {
    "active": PLAYERS,
    "phase": ("reinforce", "move", "combat", "over"),
    "step": sequence.STEPS,
    "forcez": ("alive", "destroyed", "withdrawn"),
    "shipping": ("unresolved", "roll", "intact", "destroyed"),
    "matador": ("", "now", "done"),
    "kuala": ("", "fought", "left"),
    "ending": ("", "taken", "held"),
}
NUMBERS = ("turn", "pulse", "assault", "points", "penang_turn", "flown")
FLAGS = ("penang_fought",)


def position(s: State) -> dict[str, tuple[str, ...]]:
    """Named sections of sorted lines."""
    return {name: tuple(sorted(write(s))) for name, (write, _) in SECTIONS.items()}


def place(s: State, sections: Mapping[str, Lines]) -> None:
    """Set the named sections, each as a whole. Raises `Trouble` for a line that fits no position."""
    s.seen = Seen()
    for name, lines in sections.items():
        if name not in SECTIONS:
            raise Trouble(f"a position has no section {name}", f"sections: {', '.join(SECTIONS)}")
        try:
            SECTIONS[name][1](s, sorted(lines))
        except (Unreadable, ValueError, KeyError, TypeError, IndexError, AttributeError):
            raise Trouble(f"{name}: a line fits no position", "write lines as `pbem show --json` prints them") from None
    s.seen = Seen()
    sequence.run(s, silent)


# --- the turn ---


def _turn(s: State) -> Iterator[str]:
    yield from (f"{name} {getattr(s, name)}" for name in NUMBERS)
    yield from (f"{name} {getattr(s, name) or '-'}" for name in TURN)
    yield from (f"{name} {'yes' if getattr(s, name) else 'no'}" for name in FLAGS)


def _place_turn(s: State, lines: Lines) -> None:
    for line in lines:
        name, text = line.split()
        if name in NUMBERS:
            setattr(s, name, int(text))
        elif name in TURN and text.replace("-", "", text == "-") in TURN[name]:
            setattr(s, name, "" if text == "-" else text)
        elif name in FLAGS and text in ("yes", "no"):
            setattr(s, name, text == "yes")
        else:
            raise ValueError(line)
    if not (1 <= s.turn <= s.board.game.last_turn and 0 <= s.pulse <= s.board.game.pulses):
        raise ValueError("turn")


# --- units ---


def _units(s: State) -> Iterator[str]:
    return (_unit(id, piece) for id, piece in s.pieces.items())


@lru_cache(maxsize=4096)
def _unit(id: str, piece: Piece) -> str:
    words = [id, piece.at]
    words += [mark for mark in MARKS if getattr(piece, mark)]
    words += [f"from {piece.origin}"] if piece.origin else []
    words += [f"to {piece.port}"] if piece.port else []
    words += [f"back {piece.back}"] if piece.back else []
    return " ".join(words)


MARKS = ("reduced", "oos", "moved", "late")


def _place_units(s: State, lines: Lines) -> None:
    """Units that are not named are out of play as they were at the start."""
    found: dict[str, Piece] = {}
    for line in lines:
        id, at, *rest = line.split()
        if id not in s.board.units or id in found or not (at in AWAY or at in s.board.letters):
            raise ValueError(line)
        piece = Piece(at)
        while rest:
            word = rest.pop(0)
            if word in MARKS:
                marked: dict[str, Any] = {word: True}
                piece = piece._replace(**marked)
            elif word == "from":
                piece = piece._replace(origin=rest.pop(0))
            elif word == "to":
                piece = piece._replace(port=rest.pop(0))
            elif word == "back":
                piece = piece._replace(back=int(rest.pop(0)))
            else:
                raise ValueError(word)
        found[id] = piece
    s.pieces = {id: found[id] for id in s.board.units if id in found}


# --- hexes ---


def _control(s: State) -> Iterator[str]:
    for hex, side in s.control.items():
        start = f" start {s.at_start[hex]}" if hex in s.at_start else ""
        taken = f" taken {s.captured[hex]}" if hex in s.captured else ""
        yield f"{hex} {side}{start}{taken}"


def _place_control(s: State, lines: Lines) -> None:
    """Places that are not named are the Commonwealth's."""
    s.control, s.captured = dict.fromkeys(s.board.markers, "cw"), {}
    s.at_start = dict(s.control)
    for line in lines:
        hex, side, *rest = line.split()
        if hex not in s.board.letters:
            raise ValueError(line)
        s.control[hex] = underway.side_of(side)
        while rest:
            word, value = rest.pop(0), rest.pop(0)
            if word not in ("start", "taken"):
                raise ValueError(line)
            if word == "start":
                s.at_start[hex] = underway.side_of(value)
            else:
                s.captured[hex] = int(value)


def _through(s: State) -> Iterator[str]:
    through = s.through
    columns: dict[str, list[Hex]] = {}
    for hex in sorted(through):
        column = through[hex] + " " + hex[:-2]
        if column in columns:
            columns[column].append(hex)
        else:
            columns[column] = [column, hex]
    return (" ".join(words) for words in columns.values())


def _place_through(s: State, lines: Lines) -> None:
    s.through = {}
    for line in lines:
        side, _, *hexes = line.split()
        for hex in hexes:
            if hex not in s.board.letters:
                raise ValueError(hex)
            s.through[hex] = underway.side_of(side)


# --- counts and memory ---


def _counts(name: str) -> tuple[Callable[[State], Iterator[str]], Callable[[State, Lines], None]]:
    """A section that is a dictionary of numbers."""

    def write(s: State) -> Iterator[str]:
        return (f"{key} {count}" for key, count in getattr(s, name).items())

    def read(s: State, lines: Lines) -> None:
        setattr(s, name, {key: int(count) for key, count in (line.rsplit(" ", 1) for line in lines)})

    return write, read


# --- what is under way ---


def _options(s: State) -> Iterator[str]:
    return (f"{name} {value}" for name, value in s.options.items())


def _place_options(s: State, lines: Lines) -> None:
    """Options that the scenario has; a case sets one as a charter would."""
    said = dict(line.split() for line in lines)
    s.options = {name: said.get(name, value) for name, value in s.options.items()}


def _result(s: State) -> Iterator[str]:
    if s.result is not None:
        yield " ".join(s.result)


def _place_result(s: State, lines: Lines) -> None:
    s.result = None
    for line in lines:
        winner, level, clause = line.split()
        s.result = (winner, level, clause)


SECTIONS: Mapping[str, tuple[Callable[[State], Iterator[str]], Callable[[State, Lines], None]]] = {
    "turn": (_turn, _place_turn),
    "units": (_units, _place_units),
    "control": (_control, _place_control),
    "through": (_through, _place_through),
    "account": _counts("account"),
    "used": _counts("used"),
    "memory": (underway.write_memory, underway.place_memory),
    "sail": (underway.write_sail, underway.place_sail),
    "attacks": (underway.write_attacks, underway.place_attacks),
    "battle": (underway.write_battle, underway.place_battle),
    "added": _counts("added"),
    "forts": (underway.write_forts, underway.place_forts),
    "standing": (underway.write_standing, underway.place_standing),
    "choices": (underway.write_choices, underway.place_choices),
    "options": (_options, _place_options),
    "result": (_result, _place_result),
}
