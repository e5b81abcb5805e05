"""The position as lines, and back: what digests, cases and scripts see (README.md, "For cases and scripts").

turn       turn 10; phase action act; round 1; active japan; passed british
points     japan 7.5
counters   228-1 N01 disrupted spent oos; british-mainland/1/3 G03
leaders    Doi N03 replacement spent oos
control    K04                               what Japan holds
markers    destroyed H15; fort G03; beachhead H09
cards      japan hand japan-deck/1/3 japan-deck/1/7=JA1
unplaced   british-mainland/1/0
facts      landed; fallen; idle; hits 3; struck 4; owed japan 5; shipped RA; event japan; effect heavy_rain
frames     1 combat {"seat":"japan",...}      procedures under way, the last one on top
standing   british 01 standing no reaction on activation
options    opt_9_3d off
result     japan 4.0-n2
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from typing import Any

from pbem.api import silent
from pbem.errors import Trouble, Unreadable
from rules.glory_recalled import fall, recover, setup
from rules.glory_recalled.frames import FRAMES
from rules.glory_recalled.orders import READER
from rules.glory_recalled.sequence import run
from rules.glory_recalled.standing import StandingOrder
from rules.glory_recalled.state import (
    AWAY,
    JAPAN,
    SEATS,
    Cards,
    Chief,
    Counter,
    Frame,
    Result,
    State,
    in_order,
    is_slot,
)

MARKS = ("disrupted", "replacement", "spent", "oos")
PHASES = {
    "setup": setup.STEPS,
    "action": ("act", "acting"),
    "recover": recover.STEPS,
    "fall": fall.STEPS,
    "over": ("",),
}


def position(s: State) -> dict[str, tuple[str, ...]]:
    """Named sections of sorted lines."""
    return {name: tuple(sorted(lines(s))) for name, (lines, _) in SECTIONS.items()}


def place(s: State, sections: Mapping[str, Sequence[str]]) -> None:
    """Set the named sections, each as a whole. Raises `Trouble` for a line that fits no position."""
    for name, lines in sections.items():
        if name not in SECTIONS:
            raise Trouble(f"a position has no section {name}", f"sections: {', '.join(SECTIONS)}")
        SECTIONS[name][1](s, sorted(lines))
    if s.result is None:
        run(s, silent)  # a position between two questions goes on to the next one


def _bad(section: str, line: str, form: str) -> Trouble:
    return Trouble(f"{section}: cannot place {line!r}", f"write: {form}")


def _number(section: str, text: str, line: str) -> int:
    if not text.lstrip("-").isdecimal():
        raise _bad(section, line, "a number")
    return int(text)


# --- turn and points ---


def _turn(s: State) -> Iterator[str]:
    yield f"turn {s.turn}"
    yield f"phase {s.phase} {s.step}".rstrip()
    yield f"round {s.round}"
    yield f"active {s.active}"
    yield from (f"passed {seat}" for seat in s.passed)


def _place_turn(s: State, lines: Sequence[str]) -> None:
    s.turn, s.phase, s.step, s.round, s.active, s.passed = 10, "action", "act", 1, JAPAN, ()
    for line in lines:
        match line.split():
            case ["turn", number]:
                s.turn = _number("turn", number, line)
            case ["phase", phase, *step] if phase in PHASES and " ".join(step) in PHASES[phase]:
                s.phase, s.step = phase, " ".join(step)
            case ["round", number]:
                s.round = _number("turn", number, line)
            case ["active", seat] if seat in SEATS:
                s.active = seat
            case ["passed", seat] if seat in SEATS:
                s.passed = tuple(sorted({*s.passed, seat}))
            case _:
                raise _bad("turn", line, "turn 10, phase action act, round 1, active japan, passed british")


def _points(s: State) -> Iterator[str]:
    for seat, halves in s.points.items():
        sign, rest = ("-" if halves < 0 else ""), abs(halves)
        yield f"{seat} {sign}{rest // 2}{'.5' if rest % 2 else ''}"


def _place_points(s: State, lines: Sequence[str]) -> None:
    s.points = dict.fromkeys(SEATS, 0)
    for line in lines:
        match line.split():
            case [seat, number] if seat in SEATS:
                whole, _, part = number.lstrip("-").partition(".")
                halves = 2 * _number("points", whole, line) + (part == "5")
                s.points[seat] = -halves if number.startswith("-") else halves
            case _:
                raise _bad("points", line, "japan 7.5")


# --- what stands on the map ---


def _marks(one: Counter | Chief) -> str:
    return "".join([f" {mark}" for mark in MARKS if getattr(one, mark, False)])


def _counters(s: State) -> list[str]:
    return [
        f"{id} {one.at}{_marks(one)}" if one.disrupted or one.spent or one.oos else f"{id} {one.at}"
        for id, one in s.counters.items()
    ]


def _leaders(s: State) -> list[str]:
    return [
        f"{name} {chief.at}{_marks(chief)}" if chief.replacement or chief.spent or chief.oos else f"{name} {chief.at}"
        for name, chief in s.leaders.items()
    ]


def _stands(s: State, section: str, line: str) -> tuple[str, str, dict[str, bool]]:
    id, *rest = line.split()
    places = {*s.board.spaces, *s.board.boxes, *AWAY}
    if not rest or rest[0] not in places or not set(rest[1:]) <= set(MARKS):
        raise _bad(section, line, f"NAME SPACE, then any of {', '.join(MARKS)}")
    return id, rest[0], dict.fromkeys(rest[1:], True)


def _place_counters(s: State, lines: Sequence[str]) -> None:
    s.counters = {}
    for line in lines:
        id, at, marks = _stands(s, "counters", line)
        if not (is_slot(id) or id in s.board.units or id in s.board.dummies) or "replacement" in marks:
            raise _bad("counters", line, "a unit, a dummy or a slot, and its space")
        s.counters[id] = Counter(at, **marks)


def _place_leaders(s: State, lines: Sequence[str]) -> None:
    s.leaders = {}
    for line in lines:
        name, at, marks = _stands(s, "leaders", line)
        if name not in s.board.leaders or "disrupted" in marks:
            raise _bad("leaders", line, f"a leader ({', '.join(s.board.leaders)}) and his space")
        s.leaders[name] = Chief(at, **marks)


def _control(s: State) -> Iterator[str]:
    return iter(s.control)


def _place_control(s: State, lines: Sequence[str]) -> None:
    for line in lines:
        if line not in s.board.spaces:
            raise _bad("control", line, "a space that Japan holds")
    s.control = dict.fromkeys(lines, JAPAN)


def _markers(s: State) -> Iterator[str]:
    for word, spaces in (("destroyed", s.destroyed), ("fort", s.forts), ("beachhead", s.beachheads)):
        yield from (f"{word} {space}" for space in spaces)


def _place_markers(s: State, lines: Sequence[str]) -> None:
    s.destroyed, s.forts, s.beachheads = set(), set(), set()
    kinds = {"destroyed": s.destroyed, "fort": s.forts, "beachhead": s.beachheads}
    for line in lines:
        match line.split():
            case [word, space] if word in kinds and space in s.board.spaces:
                kinds[word].add(space)
            case _:
                raise _bad("markers", line, "destroyed, fort or beachhead, and a space")


# --- cards ---


def _cards(s: State) -> Iterator[str]:
    opened = s.opened
    for seat, cards in s.cards.items():
        for zone in ("pile", "hand", "discard", "aside"):
            slots = getattr(cards, zone)
            if slots:
                closed = opened.keys().isdisjoint(slots)
                told = slots if closed else [f"{one}={opened[one]}" if one in opened else one for one in slots]
                yield f"{seat} {zone} {' '.join(told)}"


def _place_cards(s: State, lines: Sequence[str]) -> None:
    s.cards, s.opened = {seat: Cards() for seat in SEATS}, {}
    for line in lines:
        seat, zone, *told = (*line.split(), "", "")[: max(2, len(line.split()))]
        if seat not in SEATS or zone not in ("pile", "hand", "discard", "aside"):
            raise _bad("cards", line, "SEAT, pile hand discard or aside, then slots, SLOT=CARD where it is open")
        slots = []
        for one in told:
            slot, _, card = one.partition("=")
            slots.append(slot)
            if card:
                if card not in s.board.cards:
                    raise _bad("cards", line, "SLOT=CARD with the id of a card")
                s.opened[slot] = card
        setattr(s.cards[seat], zone, in_order(slots))


def _unplaced(s: State) -> Iterator[str]:
    return iter(s.unplaced)


def _place_unplaced(s: State, lines: Sequence[str]) -> None:
    s.unplaced = in_order(lines)


# --- the rest ---


def _facts(s: State) -> Iterator[str]:
    yield from (name for name in ("landed", "fallen", "idle") if getattr(s, name))
    yield from (f"{name} {getattr(s, name)}" for name in ("hits", "struck") if getattr(s, name))
    yield from (f"owed {seat} {count}" for seat, count in s.owed.items() if count)
    yield from (f"shipped {id}" for id in s.shipped)
    yield from (f"event {seat}" for seat in s.events)
    yield from (f"effect {effect}" for effect in s.effects)


def _place_facts(s: State, lines: Sequence[str]) -> None:
    s.landed, s.fallen, s.idle, s.hits, s.struck = False, False, False, 0, 0
    s.owed, s.shipped, s.events, s.effects = {}, (), (), ()
    for line in lines:
        match line.split():
            case ["landed"]:
                s.landed = True
            case ["fallen"]:
                s.fallen = True
            case ["idle"]:
                s.idle = True
            case ["hits", number]:
                s.hits = _number("facts", number, line)
            case ["struck", number]:
                s.struck = _number("facts", number, line)
            case ["owed", seat, number] if seat in SEATS:
                s.owed[seat] = _number("facts", number, line)
            case ["shipped", id]:
                s.shipped = (*s.shipped, id)
            case ["event", seat] if seat in SEATS:
                s.events = tuple(sorted({*s.events, seat}))
            case ["effect", effect]:
                s.effects = tuple(sorted({*s.effects, effect}))
            case _:
                raise _bad(
                    "facts",
                    line,
                    "landed, fallen, idle, hits N, struck N, owed SEAT N, shipped ID, event SEAT, effect NAME",
                )


def _standing(s: State) -> Iterator[str]:
    for seat in SEATS:
        own = [order for one, order in s.standing if one == seat]
        yield from (f"{seat} {number:02} {_text(order)}" for number, order in enumerate(own, 1))


@lru_cache(256)
def _text(order: StandingOrder) -> str:
    return str(order)


def _place_standing(s: State, lines: Sequence[str]) -> None:
    s.standing = ()
    for line in lines:
        seat, _, rest = line.partition(" ")
        try:
            order = READER.read(rest.partition(" ")[2])[0]
        except Unreadable:
            order = None
        if seat not in SEATS or not isinstance(order, StandingOrder):
            raise _bad("standing", line, "SEAT NUMBER standing ...")
        s.standing = (*s.standing, (seat, order))


def _frames(s: State) -> Iterator[str]:
    for number, frame in enumerate(s.frames, 1):
        name, blank = BLANK[type(frame)]
        said = {field: value for field, usual in blank if (value := getattr(frame, field)) != usual}
        yield f"{number} {name} {_json(said)}"


_json = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


BLANK = {
    kind: (name, tuple((one.name, getattr(kind(), one.name)) for one in fields(kind))) for name, kind in FRAMES.items()
}
"""What each kind of frame is called, and the value that its fields have unless something is said."""


def _place_frames(s: State, lines: Sequence[str]) -> None:
    s.frames = []
    for number, line in enumerate(lines, 1):
        place_, _, rest = line.partition(" ")
        name, _, text = rest.partition(" ")
        if place_ != str(number) or name not in FRAMES:
            raise _bad("frames", line, f"NUMBER KIND and its fields as JSON; kinds: {', '.join(FRAMES)}")
        s.frames.append(_frame(FRAMES[name], text, line))


def _frame(kind: type[Frame], text: str, line: str) -> Frame:
    try:
        said = json.loads(text)
    except ValueError:
        said = None
    known = {one.name for one in fields(kind)}
    if not isinstance(said, dict) or not set(said) <= known:
        raise _bad("frames", line, f"JSON with: {', '.join(sorted(known))}")
    frame = kind(**{name: _tupled(value) for name, value in said.items()})
    for one in fields(kind):
        if type(getattr(frame, one.name)) is not type(getattr(kind(), one.name)):
            raise _bad("frames", line, f"{one.name} in its own form")
    return frame


def _tupled(value: Any) -> Any:
    return tuple(_tupled(one) for one in value) if isinstance(value, list) else value


def _options(s: State) -> Iterator[str]:
    return (f"{name} {value}" for name, value in s.options.items())


def _place_options(s: State, lines: Sequence[str]) -> None:
    for line in lines:
        match line.split():
            case [name, value] if name in s.options:
                s.options[name] = value
            case _:
                raise _bad("options", line, f"NAME VALUE; names: {', '.join(s.options)}")


def _result(s: State) -> Iterator[str]:
    if s.result is not None:
        yield f"{s.result.winner} {s.result.clause}"


def _place_result(s: State, lines: Sequence[str]) -> None:
    s.result = None
    for line in lines:
        match line.split():
            case [seat, clause] if seat in SEATS:
                s.result = Result(seat, clause)
            case _:
                raise _bad("result", line, "the winner and the clause")


SECTIONS: Mapping[str, tuple[Callable[[State], Iterable[str]], Callable[[State, Sequence[str]], None]]] = {
    "turn": (_turn, _place_turn),
    "points": (_points, _place_points),
    "counters": (_counters, _place_counters),
    "leaders": (_leaders, _place_leaders),
    "control": (_control, _place_control),
    "markers": (_markers, _place_markers),
    "cards": (_cards, _place_cards),
    "unplaced": (_unplaced, _place_unplaced),
    "facts": (_facts, _place_facts),
    "standing": (_standing, _place_standing),
    "frames": (_frames, _place_frames),
    "options": (_options, _place_options),
    "result": (_result, _place_result),
}
