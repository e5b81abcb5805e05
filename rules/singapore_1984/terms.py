"""The game's things in words, the same in tables, on the maps and in their text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from rules.kit.hexes import Hex
from rules.singapore_1984.board import Board
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import State

SIDES: Mapping[Player, str] = {"jp": "Japanese", "cw": "Commonwealth"}
NAMES: Mapping[Player, str] = {"jp": "Japan", "cw": "the Commonwealth"}
SIZES: Mapping[str, str] = {"II": "battalion", "III": "regiment", "X": "brigade"}
ARMS: Mapping[str, str] = {"armor": "armored"}
STEPS: Mapping[str, str] = {
    "dawn": "the turn begins",
    "deploy-cw": "the Commonwealth deploys on the island",
    "deploy-jp": "Japan deploys on the shore",
    "reservoir": "the reservoirs",
    "fire": "fire on the transports",
    "reinforce": "reinforcement",
    "attrition": "attrition",
    "move": "movement",
    "crowd": "stacking",
    "declare": "attacks are declared",
    "defend": "air points of the defender",
    "fight": "combat",
    "record": "end of the turn",
    "tally": "the lists are opened",
    "list-jp": "Japan writes its list of options",
    "list-cw": "the Commonwealth writes its list of options",
    "muster": "before the first turn",
    "airevac": "the Commonwealth's air points may leave",
    "airsup": "air superiority",
}
CAUSES: Mapping[str, tuple[str, str]] = {
    "losses-cw": ("Commonwealth units lost", "12.4-cw"),
    "losses-jp": ("Japanese units lost", "12.4-jp"),
    "penang": ("the shipping of Penang", "12.4-penang"),
    "forcez": ("Force Z destroyed", "12.4-forcez"),
    "singapore": ("Singapore taken", "12.0PRb"),
    "singapore-held": ("Singapore not taken", "12.4-sing"),
    "units-cw": ("optional units of the Commonwealth", "12.4-inc"),
    "units-jp": ("optional units of Japan", "12.4-inc"),
    "air-cw": ("air points that the Commonwealth added", "12.4-air"),
    "air-jp": ("air points that Japan added", "12.4-air"),
    "air-captured": ("air points captured", "12.4-air"),
    "13.2": ("Commonwealth training", "12.4-opt"),
    "13.3": ("Operation Matador", "12.4-opt"),
    "13.4": ("the Royal Engineers", "12.4-opt"),
    "13.5": ("the Indomitable", "12.4-opt"),
    "13.6": ("submarines", "12.4-opt"),
    "13.7": ("Dalforce", "12.4-opt"),
    "13.9": ("Nishimura relieved", "12.4-opt"),
}
"""What points are for, and the clause that gives them."""
NATIONS: tuple[tuple[str, str], ...] = (
    (r"[0-9]+AUS", "australian"),
    (r"[0-9]+(IND|GUR)|KROHCOL", "indian"),
    (r"(FMS|SS)VF", "local"),
)
"""By designation, whose tint a Commonwealth counter has. [2.3m]"""


def date(s: State) -> str:
    """Turn and its first day."""
    return f"Turn {s.turn}, {s.board.dates.get(s.turn, 'off the track')}"


def step(s: State) -> str:
    """What the game is at."""
    part = f"pulse {s.pulse} of {s.board.game.pulses}, " if s.pulse else ""
    return f"{part}{SIDES[s.active]} player turn: {STEPS.get(s.step, s.step)}"


def nation(s: State, unit: str) -> str:
    """Whose tint a counter has: nations of the Commonwealth, Japan and its guards."""
    row = s.board.units[unit]
    if row.side == "jp":
        return "guards" if row.guard else "japan"
    return next((name for form, name in NATIONS if re.fullmatch(form, unit)), "british")


def signs(s: State, unit: str) -> tuple[str, ...]:
    """What is to be known of a unit, each word with a letter of its own."""
    piece, row = s.pieces[unit], s.board.units[unit]
    found = ["armor"] if row.arm == "armor" else ["security"] if row.arm == "security" else []
    found += ["reduced"] if piece.reduced else []
    found += ["out of supply"] if piece.oos else []
    found += ["landing"] if s.at_sea(unit) else []
    return tuple(found)


def brief(s: State, unit: str) -> str:
    """A unit in a table: `22AUS 7-6-6`, with the letters of its signs."""
    letters = "".join(word[0].upper() for word in signs(s, unit))
    return " ".join(word for word in (unit, str(s.face(unit)), letters) if word)


def full(s: State, unit: str) -> str:
    """A unit in a title: side, arm and size, strengths and all that is the matter with it."""
    row = s.board.units[unit]
    kind = f"{SIDES[row.side]} {ARMS.get(row.arm, row.arm)} {SIZES[row.size]}"
    words = [f"{kind} {unit} {s.face(unit)}", *(word for word in signs(s, unit) if word not in ("armor", "security"))]
    return ", ".join((*words, "has moved") if s.pieces[unit].moved else words)


def stacks(s: State) -> Mapping[Hex, tuple[str, ...]]:
    """The units of every hex, on both maps, the strongest first."""
    found: dict[Hex, list[str]] = {}
    for unit in s.on_map():
        found.setdefault(s.pieces[unit].at, []).append(unit)
    return {
        hex: tuple(sorted(units, key=lambda id: (-sum(s.face(id)[:2]), id))) for hex, units in sorted(found.items())
    }


def strength(s: State, units: Iterable[str]) -> str:
    """Attack and defense of a stack as they are printed."""
    faces = [s.face(unit) for unit in units]
    return f"{sum(face.attack for face in faces)}-{sum(face.defense for face in faces)}"


def ground(s: State, hex: Hex) -> str:
    """What a hex is made of."""
    return s.board.ground(hex) or ("sea" if s.board.is_sea(hex) else "closed")


def ways(board: Board, hex: Hex) -> Iterator[str]:
    """What one hex is apart from its ground: port, airfield, road, railroad."""
    place = board.places.get(hex)
    if place is not None and place.port:
        yield "port"
    if place is not None and place.airfield:
        yield "airfield"
    edges = [edge for _, edge in board.beside(hex)]
    if any(edge.road for edge in edges):
        yield "road"
    if any(edge.rail for edge in edges):
        yield "railroad"
