"""Fortified hexsides: those of the map, and those that the Royal Engineers add. [9.35, 13.42, 13.44]"""

from __future__ import annotations

from pbem.api import Illegal, Note, Tell
from rules.kit.hexes import Hex
from rules.singapore_1984 import supply
from rules.singapore_1984.listing import Fort, Unfort
from rules.singapore_1984.state import CW, JP, State
from rules.singapore_1984.zones import zone


def fortified(s: State, a: Hex, b: Hex) -> bool:
    """Whether the hexside between two neighbours is fortified, for whoever attacks across it. [13.44f]"""
    if s.board.edge(a, b).fortified or (s.forts and (b in sides(s, a) or a in sides(s, b))):
        return True
    return s.on("13.42") and (_beach(s, a, b) or _beach(s, b, a))


def _beach(s: State, a: Hex, b: Hex) -> bool:
    """A hexside of the island that faces the sea or the strait, the Causeway too. [13.42, R85]"""
    return s.board.has("island", a) and not s.board.has("island", b)


def sides(s: State, hex: Hex) -> tuple[Hex, ...]:
    """The neighbours that the marker of a hex faces."""
    grid = s.board.grid(hex)
    ways = s.forts.get(hex, ())
    return tuple(there for way in ways if (there := grid.step(hex, way)) is not None)  # type: ignore[arg-type]


def may_build(s: State) -> bool:
    """Whether the Commonwealth might place a marker now, as far as everybody knows."""
    left = len(s.forts) < s.board.counters.get("fort", 0) and not s.used.get("fort")
    return s.active == CW and "13.44" in s.slots and s.opened.get("13.44") != "no" and left


def refuse_fort(s: State, order: Fort) -> Illegal | None:
    """One marker a turn, where Japan never came, with supply. [13.44, R56]"""
    board, hex = s.board, order.hex
    if s.active != CW:
        return Illegal("the Commonwealth fortifies in its own reinforcement phase", ("13.44a",))
    if s.used.get("fort"):
        return Illegal("one marker a turn", ("13.44a",))
    if len(s.forts) >= board.counters.get("fort", 0):
        return Illegal("no marker is left", ("13.44a",), "unfort HEX at the end of a turn")
    if hex not in board.letters or not board.is_land(hex) or board.ground(hex) in ("mountain", "jungle"):
        return Illegal(f"{hex} cannot be fortified: mountain, jungle or no land", ("13.44b",))
    if len(order.sides) != 3 or len(set(order.sides)) != 3:
        return Illegal("a marker covers three hexsides", ("13.44d",), "such as n+ne+se")
    if s.through.get(hex) == JP or s.held(hex, JP):
        return Illegal(f"Japan has entered {hex}", ("13.44b", "R56"))
    if hex in zone(s, JP):
        return Illegal(f"{hex} is in an enemy zone", ("13.44b",))
    if not supply.lines(s, CW).reaches(hex, board.game.base_allowance):
        return Illegal(f"no supply line leads from {hex} to Singapore", ("13.44b",))
    if hex in s.forts:
        return Illegal(f"{hex} has a marker", ("13.44c",))
    for way in order.sides:
        there = board.grid(hex).step(hex, way)
        if there is not None and (fortified(s, hex, there) or board.edge(hex, there).prepared):
            return Illegal(f"the hexside {hex}/{there} has works already", ("13.44c",))
    return None


def fort(s: State, order: Fort, tell: Tell) -> None:
    """A marker is placed. [13.44d]"""
    s.forts[order.hex] = tuple(order.sides)
    s.used["fort"] = 1
    tell(Note("fort", {"hex": s.board.name(order.hex), "sides": "+".join(order.sides)}, ("13.44a",)))


def refuse_unfort(s: State, order: Unfort) -> Illegal | None:
    """At the end of a turn. [13.44e]"""
    return None if order.hex in s.forts else Illegal(f"{order.hex} has no marker", ("13.44e",))


def unfort(s: State, order: Unfort, tell: Tell) -> None:
    """The marker may be used again."""
    del s.forts[order.hex]
    tell(Note("unfort", {"hex": s.board.name(order.hex)}, ("13.44e",)))
