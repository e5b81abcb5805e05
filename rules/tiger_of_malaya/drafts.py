"""Replacements: steps for weak infantry, battalions that come back, raw drafts that make them worse. [10.2]"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Illegal, Note, Tell
from rules.kit.hexes import Hex
from rules.tiger_of_malaya.costs import acts
from rules.tiger_of_malaya.orders import Rebuild, Replace
from rules.tiger_of_malaya.rows import Template
from rules.tiger_of_malaya.state import ALLIES, JAPAN, Piece, State, come, flip, foe, holder, of, stack
from rules.tiger_of_malaya.zones import settle

SOURCES = {"japanese": "japanese", "australian": "australian", "indian": "indian", "gurkha": "indian"}
"""Whose drafts a nation takes; the others cannot be rebuilt. [10.2.2.B.1 to 10.2.2.B.3]"""
WRONG = {"australian": "10.2.2.B.1", "indian": "10.2.2.B.2", "gurkha": "10.2.2.B.2"}
"""The clause by which the other drafts are no help."""


def template(s: State, unit: str) -> Template:
    """The counter of a unit that may be off the map; a replacement battalion stays one."""
    printed = s.board.template(unit)
    return s.board.templates[printed.weaker] if unit in s.weak else printed


def face(s: State, unit: str, *, raw: bool) -> tuple[bool, int]:
    """Whether it is a replacement battalion then, and its level. [10.2.2.D, R72, R73, R106]"""
    own = template(s, unit)
    piece = s.pieces.get(unit)
    worse = s.board.templates[own.weaker] if raw and own.weaker else None
    if piece is None:  # good drafts bring it back as what it was before [R106]
        return worse is not None, len((worse or s.board.template(unit)).levels) - 1
    if worse is None:
        return unit in s.weak, piece.level - 1
    if s.board.nation(unit) == "australian" and piece.level == len(own.levels) - 1:  # [10.2.2.D.3]
        return unit in s.weak, piece.level
    now = own.levels[piece.level].points
    higher = [level for level, face in enumerate(worse.levels) if face.points > now]
    return True, max(higher, default=0)


def price(s: State, unit: str, *, raw: bool) -> int:
    """The replacements that an outcome costs: the points gained, one at least. [10.2.2.F, R71]"""
    if s.board.side(unit) == JAPAN:
        return 1  # [10.2.1.B, R74]
    weak, level = face(s, unit, raw=raw)
    own = s.board.template(unit)
    then = (s.board.templates[own.weaker] if weak and own.weaker else own).levels[level].points
    piece = s.pieces.get(unit)
    # [10.2.2.F, 10.2.2.F.ex]
    return max(then - (template(s, unit).levels[piece.level].points if piece is not None else 0), 1)


def refuse(s: State, seat: str, unit: str, hex: Hex) -> Illegal | None:
    """What a step and a rebuilt battalion have in common: infantry, far from enemies, drafts of its nation."""
    if s.chit in ("attack", "half") or s.mode == "attack":
        return Illegal("replacements come in FULL and MOVE impulses", ("10.2.1.B",))
    if unit not in s.board.units or s.board.side(unit) != seat or s.board.kind(unit) != "infantry":
        return Illegal(f"{unit} is no infantry of yours", ("10.2.1.A",))
    if s.chit == "jungle" and (not s.board.jungle(unit) or unit in s.weak):
        return Illegal(f"{unit} is not jungle-capable", ("3.3.1", "R8"))
    nation = s.board.nation(unit)  # [10.2.2.B]
    if nation not in SOURCES:
        return Illegal(f"{nation} units cannot be rebuilt", ("10.2.2.B.3",))
    nearest = min((s.board.grid.distance(hex, piece.at) for _, piece in of(s, foe(seat))), default=99)
    if nearest < s.board.game.draft_distance:
        return Illegal(f"an enemy is {nearest} hexes away", ("10.2.1.B",))
    have = s.drafts.get(SOURCES[nation], 0)
    dearer = max(price(s, unit, raw=False), price(s, unit, raw=seat == ALLIES))
    if have < dearer:
        ids = ("10.2.1.B", "R71") if have or not any(s.drafts.values()) else (WRONG.get(nation, "10.2.1.B"), "R71")
        return Illegal(f"{dearer} {SOURCES[nation]} replacements are needed, there are {have}", ids)
    return None


def refuse_replace(s: State, seat: str, order: Replace) -> Illegal | None:
    """A unit on the map that has lost a step, once in an impulse. [10.2.1]"""
    piece = s.pieces.get(order.unit)
    if piece is None or s.board.side(order.unit) != seat:
        return Illegal(f"{order.unit} is no unit of yours on the map", ("2.2.P1", "10.2.1.A"))
    if "replaced" in piece.marks:
        return Illegal(f"{order.unit} has had its replacements", ("10.2.1.E",))
    wrong = refuse(s, seat, order.unit, piece.at)
    if wrong is None and not piece.level:
        return Illegal(f"{order.unit} has lost no step", ("10.2.1.A",))
    return wrong


def refuse_rebuild(s: State, seat: str, order: Rebuild) -> Illegal | None:
    """An eliminated battalion, with a headquarters in supply. [10.2.1.D, R72]"""
    unit, hex = order.unit, order.hex
    if unit not in s.lost:
        return Illegal(f"{unit} is not eliminated", ("10.2.1.D",))
    if s.board.eliminated.get(unit, 0) > s.turn:
        return Illegal(f"{unit} comes back from turn {s.board.eliminated[unit]} on", ("14.3.2.H", "14.4.2.H"))
    supplied = [id for id in stack(s, hex) if s.board.kind(id) == "headquarters" and s.pieces[id].supplied]
    if not any(s.board.side(id) == seat for id in supplied) or holder(s, hex) != seat:
        return Illegal(f"{hex} holds no headquarters of yours in supply", ("10.2.1.D",))
    return refuse(s, seat, unit, hex)


def order(s: State, order: Replace | Rebuild, tell: Tell) -> None:
    """Japan's replacements need no die. [10.2.2.A, 10.2.2.C, R74]"""
    unit, hex = order.unit, order.hex if isinstance(order, Rebuild) else s.pieces[order.unit].at
    if s.board.side(unit) == ALLIES:
        s.waiting = ("draft", unit, hex)  # [10.2.2.A]
    else:
        restore(s, unit, hex, raw=False, die=0, label="", tell=tell)


def rolled(s: State, unit: str, hex: Hex, die: int, label: str, tell: Tell) -> None:
    """Up to 2 the drafts are raw. [10.2.2.D]"""
    restore(s, unit, hex, raw=die <= s.board.game.draft_weaker, die=die, label=label, tell=tell)


def restore(s: State, unit: str, hex: Hex, *, raw: bool, die: int, label: str, tell: Tell) -> None:
    """It gains its step, or is another battalion from now on. [10.2.1.C, 10.2.1.E, 10.2.2.D.1 to 10.2.2.F]"""
    weak, level = face(s, unit, raw=raw)
    cost = price(s, unit, raw=raw)
    source = SOURCES[s.board.nation(unit)]
    s.drafts[source] -= cost
    # [10.2.2.D.1, 10.2.2.D.2]: the counter of `weaker` is of its nation
    if unit not in s.pieces:
        come(s, unit, Piece(hex, level, start=hex))  # in supply [R37]
    flip(s, unit, level)
    s.lost -= {unit}
    if weak != (unit in s.weak):
        s.weak ^= {unit}
    s.pieces[unit].mark("replaced")
    settle(s)
    told: dict[str, str | int] = {"unit": unit, "hex": hex, "cost": cost, "nation": source}
    told |= {"die": f", die {die}" if die else "", "face": str(template(s, unit).levels[level])}
    tell(Note("replaced", told, ("10.2.2.D",) if raw else ("10.2.2.E",) if die else ("10.2.1.B",), label))


def offers(s: State, seat: str) -> Iterator[Replace | Rebuild]:
    """Who could have replacements now."""
    if not any(s.drafts.values()):
        return
    for id, piece in of(s, seat):
        if piece.level and id in s.board.units and s.board.kind(id) == "infantry" and acts(s, id):
            yield Replace(unit=id)
    hexes = sorted({piece.at for id, piece in of(s, seat) if s.board.kind(id) == "headquarters" and piece.supplied})
    for id in sorted(s.lost):
        if s.board.side(id) == seat and s.board.kind(id) == "infantry":
            yield from (Rebuild(unit=id, hex=hex) for hex in hexes)
