"""What is under way and what is remembered, as lines of a position."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from rules.kit.hexes import DIRECTIONS
from rules.singapore_1984.listing import STANDING
from rules.singapore_1984.orders import READER
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import PLAYERS, Attack, Battle, Sail, State
from rules.singapore_1984.written import ITEMS

Lines = Sequence[str]
FRAME_FIRST = 11
"""Lines that stand in an order begin with a number of two digits."""


def write_memory(s: State) -> Iterator[str]:
    yield from (f"passed {one}" for one in s.passed)
    yield from (f"closed {one}" for one in s.closed)
    yield from (f"acted {one}" for one in s.acted)
    yield from (f"unrolled {number} {one}" for number, one in enumerate(s.unrolled, FRAME_FIRST))


def place_memory(s: State, lines: Lines) -> None:
    found: dict[str, list[str]] = {"passed": [], "closed": [], "acted": [], "unrolled": []}
    for line in lines:
        name, _, text = line.partition(" ")
        found[name].append(text)
    s.passed, s.closed, s.acted = tuple(found["passed"]), tuple(found["closed"]), tuple(found["acted"])
    s.unrolled = tuple(_known(s, text.split()[1]) for text in found["unrolled"])


def _known(s: State, unit: str) -> str:
    if unit not in s.pieces:
        raise ValueError(unit)
    return unit


def write_sail(s: State) -> Iterator[str]:
    if s.sail is None:
        return
    sail = s.sail
    words = [sail.unit, sail.origin, sail.port, sail.how]
    words += [f"at {sail.at}"] if sail.at else []
    words += [f"then {'-'.join(sail.then)}"] if sail.then else []
    words += [f"step {sail.step}"] if sail.step else []
    yield " ".join(words)


def place_sail(s: State, lines: Lines) -> None:
    s.sail = None
    for line in lines:
        unit, origin, port, how, *rest = line.split()
        more = dict(zip(rest[::2], rest[1::2], strict=True))
        if how not in ("sea", "land", "assault") or not more.keys() <= {"at", "then", "step"}:
            raise ValueError(line)
        then = tuple(more.get("then", "").split("-")) if "then" in more else ()
        s.sail = Sail(_known(s, unit), origin, port, how, then, more.get("at", ""), more.get("step", ""))  # type: ignore[arg-type]


def write_attacks(s: State) -> Iterator[str]:
    for number, attack in enumerate(s.attacks, FRAME_FIRST):
        words = [str(number), "+".join(attack.hexes), "+".join(attack.units)]
        words += [f"air {attack.air}"] if attack.air else []
        words += [f"against {attack.defence_air}"] if attack.defence_air else []
        yield " ".join(words)


def place_attacks(s: State, lines: Lines) -> None:
    s.attacks = []
    for line in lines:
        _, hexes, units, *rest = line.split()
        more = dict(zip(rest[::2], map(int, rest[1::2]), strict=True))
        if not more.keys() <= {"air", "against"} or not all(hex in s.board.letters for hex in hexes.split("+")):
            raise ValueError(line)
        named = tuple(_known(s, unit) for unit in units.split("+"))
        s.attacks.append(Attack(tuple(hexes.split("+")), named, more.get("air", 0), more.get("against", 0)))


BATTLE = tuple(one.name for one in fields(Battle))
ATTACK = tuple(one.name for one in fields(Attack))


def write_battle(s: State) -> Iterator[str]:
    if s.battle is not None:
        said = {name: getattr(s.battle, name) for name in BATTLE}
        said["attack"] = {name: getattr(s.battle.attack, name) for name in ATTACK}
        yield json.dumps(said, separators=(",", ":"))


def place_battle(s: State, lines: Lines) -> None:
    s.battle = None
    for line in lines:
        said = json.loads(line)
        if not {"attack"} <= set(said) <= set(BATTLE):
            raise ValueError(line)
        given = {name: _tupled(value) for name, value in said.items()}
        attack = Attack(**{name: _tupled(value) for name, value in said["attack"].items()})
        s.battle = Battle(**{**given, "attack": attack})


def _tupled(value: Any) -> Any:
    return tuple(_tupled(one) for one in value) if isinstance(value, list) else value


def write_forts(s: State) -> Iterator[str]:
    return (f"{hex} {' '.join(ways)}" for hex, ways in s.forts.items())


def place_forts(s: State, lines: Lines) -> None:
    s.forts = {}
    for line in lines:
        hex, *ways = line.split()
        if hex not in s.board.letters or len(ways) != 3 or not set(ways) <= set(DIRECTIONS):
            raise ValueError(line)
        s.forts[hex] = tuple(ways)


def write_standing(s: State) -> Iterator[str]:
    return (f"{seat} {one}" for seat, orders in s.standing.items() for one in orders)


def place_standing(s: State, lines: Lines) -> None:
    s.standing = {}
    for line in lines:
        seat, _, text = line.partition(" ")
        (order,) = READER.read(text)
        if not isinstance(order, STANDING):
            raise ValueError(line)
        s.standing[side_of(seat)] = (*s.standing.get(seat, ()), text)


def write_choices(s: State) -> Iterator[str]:
    yield from (f"{item} {slot} {s.opened.get(item, 'closed')}" for item, slot in s.slots.items())
    yield from [f"fresh {s.fresh}"] if s.fresh else []


def place_choices(s: State, lines: Lines) -> None:
    s.slots, s.opened, s.fresh = {}, {}, ""
    for line in lines:
        item, *rest = line.split()
        if item == "fresh":
            (s.fresh,) = rest
            continue
        slot, content = rest
        if item not in (*ITEMS["jp"], *ITEMS["cw"]):
            raise ValueError(line)
        s.slots[item] = slot
        if content != "closed":
            s.opened[item] = content


def side_of(word: str) -> Player:
    """A side as it is written. ValueError for another word."""
    found: Mapping[str, Player] = {player: player for player in PLAYERS}
    if word not in found:
        raise ValueError(word)
    return found[word]
