"""A position as lines: digest, cases, scripts.

turn       turn 1; impulses 6; number 2; phase act; active japan; chit move; mode -; slot -; plan move finish
units      I/4G 0410 level 0 left 9 start 0410 marks moved,by:0413     oos, unavailable, fresh where it is so
control    04 0408 0409 ...     what Japan holds, by column
markers    down 0412/0413; fort 1628 allies; over A1 0523; ready A2; home A3; gone 7/6R
cup        in SLOT; out allies-full-1 in order; open SLOT KIND
due        2/29A
campaign   draft indian 23; group icorps-lead never; fates 2
memory     fact bombarded:0413; wait 1 ...
battles    1 {...}; 2 {...}      JSON
losses     1 {...}
standing   allies 01 standing stand in 0515
options    opt_13_4 off
result     japan 14.1.4.A
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any, TypeVar, get_args

from pbem.api import silent
from pbem.errors import Trouble
from rules.tiger_of_malaya import judging, orders, sequence, zones
from rules.tiger_of_malaya.diversion import FATES
from rules.tiger_of_malaya.places import Places
from rules.tiger_of_malaya.rows import Nation
from rules.tiger_of_malaya.standing import StandingOrder
from rules.tiger_of_malaya.state import SEATS, Battle, Loss, Piece, State

T = TypeVar("T", Battle, Loss)
NUMBERS = ("turn", "impulses", "number")
WORDS = ("phase", "active", "chit", "mode", "slot")
PHASES = (
    *("draw", "open", "mode", "permission", "act", "support", "react", "show", "evade", "discard"),
    *sorted(sequence.TURN),
)


def position(s: State) -> dict[str, tuple[str, ...]]:
    """Named sections of sorted lines."""
    return {name: tuple(sorted(lines(s))) for name, (lines, _) in SECTIONS.items()}


def place(s: State, sections: Mapping[str, Sequence[str]]) -> None:
    """Set the named sections, each as a whole. Raises `Trouble` for a line that fits no position."""
    for name, lines in sections.items():
        if name not in SECTIONS:
            raise Trouble(f"a position has no section {name}", f"sections: {', '.join(SECTIONS)}")
        try:
            SECTIONS[name][1](s, sorted(lines))
        except (ValueError, KeyError, TypeError, IndexError):
            raise Trouble(f"{name}: a line fits no position", "write lines as `pbem show --json` prints them") from None
    s.places = Places()
    zones.remember(s)
    sequence.run(s, silent)


def _turn(s: State) -> Iterator[str]:
    yield from (f"{name} {getattr(s, name)}" for name in NUMBERS)
    yield from (f"{name} {getattr(s, name) or '-'}" for name in WORDS)
    yield f"plan {' '.join(s.plan) or '-'}"


def _place_turn(s: State, lines: Sequence[str]) -> None:
    for line in lines:
        name, _, text = line.partition(" ")
        if name in NUMBERS:
            setattr(s, name, int(text))
        elif name in WORDS:
            if (name == "phase" and text not in PHASES) or (name == "active" and text not in SEATS):
                raise ValueError(text)
            setattr(s, name, "" if text == "-" else text)
        elif name == "plan":
            s.plan = () if text == "-" else tuple(text.split())
            if not set(s.plan) <= {*judging.BELONGS.values(), "fight"}:
                raise ValueError(text)
        else:
            raise ValueError(name)


def _units(s: State) -> Iterator[str]:
    for id, piece in s.pieces.items():
        line = f"{id} {piece.at} level {piece.level}"
        if piece.left:
            line += f" left {piece.left}"
        if piece.start and piece.start != piece.at:
            line += f" start {piece.start}"
        if piece.marks:
            line += _marks(piece.marks)
        if not piece.supplied:
            line += " oos"
        if not piece.available:
            line += " unavailable"
        if piece.fresh:
            line += " fresh"
        if piece.skilled:
            line += " skilled"
        yield line


@lru_cache(maxsize=256)
def _marks(marks: frozenset[str]) -> str:
    return f" marks {','.join(sorted(marks))}"


def _place_units(s: State, lines: Sequence[str]) -> None:
    s.pieces = {}
    for line in lines:
        id, hex, *rest = line.split()
        if hex not in s.board.grid or id not in {*s.board.units, *_companies(s)} or id in s.pieces:
            raise ValueError(line)
        piece = Piece(hex, s.board.first(id), start=hex)
        while rest:
            word = rest.pop(0)
            if word == "level":
                piece.level = int(rest.pop(0))
                s.board.level(id, piece.level)
            elif word == "left":
                piece.left = int(rest.pop(0))
            elif word == "start":
                piece.start = rest.pop(0)
            elif word == "marks":
                piece.marks = frozenset(rest.pop(0).split(","))
            elif word in ("oos", "unavailable", "fresh", "skilled"):
                piece.supplied &= word != "oos"
                piece.available &= word != "unavailable"
                piece.fresh |= word == "fresh"
                piece.skilled |= word == "skilled"
            else:
                raise ValueError(word)
        s.pieces[id] = piece


def _companies(s: State) -> Iterator[str]:
    for pool in s.board.pools:
        yield from s.board.company_ids(pool)


def _control(s: State) -> tuple[str, ...]:
    return _by_column(s.held)


@lru_cache(maxsize=4)
def _by_column(held: frozenset[str]) -> tuple[str, ...]:
    columns: dict[str, list[str]] = {}
    for hex in sorted(held):
        columns.setdefault(hex[:2], []).append(hex)
    return tuple(f"{column} {' '.join(hexes)}" for column, hexes in columns.items())


def _place_control(s: State, lines: Sequence[str]) -> None:
    held = frozenset(hex for line in lines for hex in line.split()[1:])
    if not all(s.board.is_land(hex) for hex in held):
        raise ValueError("sea")
    s.held = held


def _markers(s: State) -> Iterator[str]:
    yield from (f"down {bridge}" for bridge in s.destroyed)
    yield from (f"fort {hex} {side}" for hex, side in s.forts.items())
    yield from (f"plane {plane} {does}" for plane, does in s.planes.items())
    yield from (f"gone {id}" for id in s.lost)


def _place_markers(s: State, lines: Sequence[str]) -> None:
    s.destroyed, s.forts, s.lost = frozenset(), {}, frozenset()
    s.planes = dict.fromkeys(sorted(s.board.aircraft), "home")
    for line in lines:
        match line.split():
            case ["down", bridge] if bridge in s.board.bridges or bridge == s.board.game.causeway:
                s.destroyed |= {bridge}
            case ["fort", hex, side] if side in SEATS and s.board.is_land(hex):
                s.forts[hex] = SEATS[SEATS.index(side)]
            case ["plane", plane, does] if plane in s.planes:
                s.planes[plane] = does
            case ["gone", id]:
                s.lost |= {id}
            case _:
                raise ValueError(line)


def _cup(s: State) -> Iterator[str]:
    yield from (f"in {number + 11} {slot}" for number, slot in enumerate(s.cup))
    yield from (f"out {number + 1} {chit}" for number, chit in enumerate(s.drawn))
    yield from (f"open {slot} {kind}" for slot, kind in s.opened.items())


def _place_cup(s: State, lines: Sequence[str]) -> None:
    words = [line.split() for line in lines]
    s.cup = tuple(word[2] for word in words if word[0] == "in")
    s.drawn = tuple(word[2] for word in words if word[0] == "out")
    s.opened = {word[1]: word[2] for word in words if word[0] == "open"}
    if not all(word[0] in ("in", "out", "open") for word in words):
        raise ValueError("cup")


def _due(s: State) -> Iterator[str]:
    return (f"{number + 11} {id}" for number, id in enumerate(s.due))


def _place_due(s: State, lines: Sequence[str]) -> None:
    s.due = tuple(line.split()[1] for line in lines)
    if not set(s.due) <= set(s.board.units):
        raise ValueError("due")


def _campaign(s: State) -> Iterator[str]:
    yield from (f"draft {nation} {count}" for nation, count in s.drafts.items() if count)
    yield from (f"group {id} {fate}" for id, fate in s.groups.items())
    yield from (f"weak {id}" for id in s.weak)
    yield from (f"broken {id}" for id in s.broken)
    yield from (f"base {plane} {hex}" for plane, hex in s.bases.items())
    yield from (f"field {hex} {turn}" for hex, turn in s.fields.items())
    yield from (f"adrift {number + 11} {one}" for number, one in enumerate(s.adrift))
    if s.fates:
        yield f"fates {s.fates}"
    if s.short:
        yield f"garrison {s.short}"
    if s.streak:
        yield f"streak {s.streak}"


def _place_campaign(s: State, lines: Sequence[str]) -> None:
    s.drafts, s.groups, s.fates, s.bases, s.fields = {}, {}, 0, {}, {}
    s.weak, s.broken, s.adrift, s.short, s.streak = frozenset(), frozenset(), (), "", ""
    for line in lines:
        match line.split(" ", 2):
            case ["draft", nation, count] if nation in get_args(Nation):
                s.drafts[nation] = int(count)
            case ["group", id, fate] if id in s.board.groups and fate.split()[0] in FATES:
                s.groups[id] = fate
            case ["weak", id] if s.board.template(id).weaker:
                s.weak |= {id}
            case ["broken", id] if s.board.template(id).companies:
                s.broken |= {id}
            case ["base", plane, hex] if plane in s.board.aircraft and s.board.has("airfields", hex):
                s.bases[plane] = hex
            case ["field", hex, turn] if s.board.has("airfields", hex):
                s.fields[hex] = int(turn)
            case ["adrift", _, one] if s.board.kind(one.split()[0]) == "steamer":
                s.adrift = (*s.adrift, one)
            case ["fates", count]:
                s.fates = int(count)
            case ["garrison", word] if word in ("due", "asked"):
                s.short = word
            case ["streak", side, count] if side in SEATS:
                s.streak = f"{side} {int(count)}"
            case _:
                raise ValueError(line)


def _memory(s: State) -> Iterator[str]:
    yield from (f"fact {fact}" for fact in s.facts)
    yield from (f"wait {number + 11} {one}" for number, one in enumerate(s.waiting))


def _place_memory(s: State, lines: Sequence[str]) -> None:
    s.facts = frozenset(line.partition(" ")[2] for line in lines if line.startswith("fact "))
    s.waiting = tuple(line.split(" ", 2)[2] for line in lines if line.startswith("wait "))


def _frames(frames: Sequence[Battle | Loss]) -> Iterator[str]:
    for number, frame in enumerate(frames):
        said = {one.name: getattr(frame, one.name) for one in fields(frame)}
        yield f"{number + 11} {json.dumps(said, separators=(',', ':'))}"


def _frame(kind: type[T], line: str) -> T:
    said = json.loads(line.partition(" ")[2])
    given = {name: _tupled(value) for name, value in said.items()}
    if not {"hex", "side", "units"} <= set(given) <= {one.name for one in fields(kind)} or given["side"] not in SEATS:
        raise ValueError(line)
    return kind(**given)


def _tupled(value: Any) -> Any:
    return tuple(_tupled(one) for one in value) if isinstance(value, list) else value


def _place_battles(s: State, lines: Sequence[str]) -> None:
    s.battles = [_frame(Battle, line) for line in lines]


def _place_losses(s: State, lines: Sequence[str]) -> None:
    s.losses = [_frame(Loss, line) for line in lines]


def _place_options(s: State, lines: Sequence[str]) -> None:
    for line in lines:
        name, value = line.split()
        s.options[name] = value if name in s.options else s.options[name]


def _standing(s: State) -> Iterator[str]:
    counts = dict.fromkeys(SEATS, 0)
    for seat, order in s.standing:
        counts[SEATS[SEATS.index(seat)]] += 1
        yield f"{seat} {counts[SEATS[SEATS.index(seat)]]:02} {order}"


def _place_standing(s: State, lines: Sequence[str]) -> None:
    s.standing = ()
    for line in lines:
        seat, _, text = line.split(" ", 2)
        (order,) = orders.read(text)
        if seat not in SEATS or not isinstance(order, StandingOrder):
            raise ValueError(line)
        s.standing = (*s.standing, (seat, order))


def _result(s: State) -> Iterator[str]:
    if s.result is not None:
        yield " ".join(s.result)


def _place_result(s: State, lines: Sequence[str]) -> None:
    s.result = None
    for line in lines:
        winner, clause = line.split()
        s.result = (winner, clause)


SECTIONS: Mapping[str, tuple[Callable[[State], Iterable[str]], Callable[[State, Sequence[str]], None]]] = {
    "turn": (_turn, _place_turn),
    "units": (_units, _place_units),
    "control": (_control, _place_control),
    "markers": (_markers, _place_markers),
    "cup": (_cup, _place_cup),
    "due": (_due, _place_due),
    "campaign": (_campaign, _place_campaign),
    "memory": (_memory, _place_memory),
    "battles": (lambda s: _frames(s.battles), _place_battles),
    "losses": (lambda s: _frames(s.losses), _place_losses),
    "standing": (_standing, _place_standing),
    "options": (lambda s: (f"{name} {value}" for name, value in s.options.items()), _place_options),
    "result": (_result, _place_result),
}
