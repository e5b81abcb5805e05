"""Attacks: who may take part, strengths and differential, die modifiers, the result. [9.0, 9.1, 9.2, 9.3]"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pbem.api import Illegal
from rules.kit.hexes import Hex
from rules.singapore_1984 import works
from rules.singapore_1984.rows import Mode
from rules.singapore_1984.state import JP, SINGAPORE, State, foe
from rules.singapore_1984.zones import open_zone


class Modifier(NamedTuple):
    """One die modifier: how much, why, by which clause."""

    value: int
    why: str
    clause: str


def defenders(s: State, hexes: Iterable[Hex]) -> tuple[str, ...]:
    """The units that are attacked there: all of them. [9.13]"""
    return tuple(id for hex in hexes for id in s.at(hex, foe(s.active)))  # [9.13, 9.58b]


# --- who may attack what ---


def refuse_attack(s: State, hexes: Sequence[Hex], units: Sequence[str], air: int = 0) -> Illegal | None:
    """Whether these units may attack these hexes together."""
    for hex in hexes:
        if hex not in s.board.letters:
            return Illegal(f"{hex} is not on the map", ("9.14",))
        if not s.held(hex, foe(s.active)):
            return Illegal(f"no enemy is in {hex}", ("9.0GRa",))
        if any(hex in attack.hexes for attack in s.attacks):
            return Illegal(f"{hex} is attacked already", ("9.12",))
        if all(s.at_sea(id) for id in s.at(hex, foe(s.active))) and not hex.startswith("i"):
            return Illegal(f"the units in {hex} are at sea", ("9.14",))
    if len(set(hexes)) < len(hexes) or len(set(units)) < len(units):
        return Illegal("something is named twice", ("9.12",))
    for unit in units:
        wrong = _refuse_attacker(s, unit, hexes)
        if wrong is not None:
            return wrong
    if too_weak(s, hexes, units, air):
        ours, theirs = attack_total(s, hexes, units, air), defence_total(s, hexes, 0)
        why = f"{ours} against {theirs} is {ours - theirs:+}, below the lowest column"
        return Illegal(why, ("9.18b",), "more units or air points lift it")
    return None


def _refuse_attacker(s: State, unit: str, hexes: Sequence[Hex]) -> Illegal | None:
    if unit not in s.pieces or s.side(unit) != s.active:
        return Illegal(f"{unit} is not yours", ("9.0GRa",))
    if any(unit in attack.units for attack in s.attacks):  # [9.16]
        return Illegal(f"{unit} attacks already", ("9.12",))
    piece, board = s.pieces[unit], s.board
    idle = s.refuse_idle(unit)
    if idle is not None:
        return idle
    for hex in hexes:
        if piece.at not in board.letters or hex not in board.neighbours(piece.at):
            ids = ("9.14",) if len(hexes) == 1 else ("9.17a",)
            return Illegal(f"{unit} is not beside {hex}", ids)
        edge = board.edge(piece.at, hex)
        if edge.closed:
            return Illegal(f"all of the hexside between {piece.at} and {hex} is sea", ("5.28b",))
        if SINGAPORE in (piece.at, hex) and not s.at_sea(unit):
            return Illegal("Singapore Island is fought for on the inset", ("9.25",))
        if board.units[unit].arm == "armor" and not (edge.road or edge.rail):
            return Illegal(f"no road or railroad leads {unit} from {piece.at} to {hex}", ("9.23",))
        if s.at_sea(unit) and piece.port not in ("", hex):
            return Illegal(f"{unit} assaults {piece.port}", ("6.14",))
        if s.at_sea(unit) and not piece.port and not s.board.has("landing", hex):
            return Illegal(f"nobody lands at {hex}", ("11.25b",))
    if piece.oos and not (s.on_inset(unit) and s.active == "cw"):  # [11.53]
        return Illegal(f"{unit} is out of supply", ("9.11a", "10.0GR"))
    return None


# --- strengths ---


def halved(s: State, unit: str, hexes: Sequence[Hex]) -> bool:
    """Whether it attacks one of the hexes over a river or a line; a bridge does not help. [9.22, R10, R68]"""
    for hex in hexes:
        edge = s.board.edge(s.pieces[unit].at, hex)
        bridged = s.options.get("r10") == "yes" and (edge.road or edge.rail)
        # [9.22, 6.22a, 13.44f]
        if (edge.river and not bridged) or edge.prepared or works.fortified(s, s.pieces[unit].at, hex):
            return True
    return False


def attack_strength(s: State, unit: str, hexes: Sequence[Hex]) -> int:
    """What a unit brings, halved once and rounded down. [9.22, R9]"""
    strength = s.face(unit).attack
    return strength // 2 if halved(s, unit, hexes) else strength  # [2.3e]


def attack_total(s: State, hexes: Sequence[Hex], units: Iterable[str], air: int) -> int:
    """The attack: units and air points, which are never halved. [9.1P-2a, R9]"""
    return sum(attack_strength(s, unit, hexes) for unit in units) + air  # [9.1P-2a, 9.15, 9.18c]


def defence_total(s: State, hexes: Sequence[Hex], air: int) -> int:
    """The defence: all units there but those that came by a retreat, and air points. [9.1P-2b, 9.17b, 9.58a]"""
    # [2.3f, 9.1P-2b, 9.17b, 9.58a]
    return sum(s.face(id).defense for id in defenders(s, hexes) if not s.pieces[id].late) + air


def row(s: State, hexes: Sequence[Hex]) -> int:
    """The row of the table: the best for the defender of all the hexes. [9.21, R8]"""
    return max(s.board.row(hex) for hex in hexes)  # [9.21, 11.26d]


def column(s: State, hexes: Sequence[Hex], units: Iterable[str], air: int, defence_air: int) -> int | None:
    """The column of the table, counted from 0; None where the attack is too weak. [9.1P-2c, 9.18]"""
    differential = attack_total(s, hexes, units, air) - defence_total(s, hexes, defence_air)
    return s.board.column(row(s, hexes), differential)


def too_weak(s: State, hexes: Sequence[Hex], units: Iterable[str], air: int) -> bool:
    """Whether the differential is below the lowest column. [9.18b]"""
    return column(s, hexes, units, air, 0) is None


# --- the die ---


def modifiers(s: State, hexes: Sequence[Hex], units: Sequence[str]) -> Iterator[Modifier]:
    """Everything that changes the die. [9.31a, 9.9]"""
    game, board = s.board.game, s.board
    obstacles = s.active == JP and s.on("13.41")
    if any(board.units[unit].arm == "armor" for unit in units) and not obstacles:
        yield Modifier(game.armor, "armor", "9.32")
    if surrounded(s, hexes):
        yield Modifier(game.surrounded, "surrounded", "9.33a")
    elif all(s.pieces[id].oos for id in defenders(s, hexes)):
        yield Modifier(game.unsupplied, "out of supply", "9.34")
    if any(s.at_sea(unit) for unit in units):
        trained = s.on("13.22")
        value = game.amphibious_trained if trained else game.amphibious
        yield Modifier(value, "landing", "13.22" if trained else "9.9-4")
    if any(works.fortified(s, s.pieces[unit].at, hex) for unit in units for hex in hexes):
        yield Modifier(game.fortified, "fortified", "9.35")
    if any(board.is_strait(s.pieces[unit].at) for unit in units):
        yield Modifier(game.strait, "from the strait", "9.36")  # [11.43b]


def surrounded(s: State, hexes: Sequence[Hex]) -> bool:
    """Whether every hex around all of them holds an enemy of the defender or lies in an enemy zone. [9.33, R38]"""
    enemy = s.active
    shut = s.occupied(enemy) | open_zone(s, enemy)  # [9.33b, 9.33c, 8.22]
    around = {there for hex in hexes for there in s.board.neighbours(hex)} - set(hexes)
    return bool(around) and around <= shut


def mode(s: State, hexes: Sequence[Hex], units: Sequence[str]) -> Mode | None:
    """The mode that is compulsory; None where a landing leaves the choice. [9.0GRc, 9.0GRd, 9.24, R28]"""
    if any(hex.startswith("i") or s.board.has("compulsory-assault", hex) for hex in hexes):  # [9.0GRc, 6.22b]
        return "assault"
    return None if any(s.at_sea(unit) for unit in units) else "maneuver"
