"""Zones of control, and who controls a hex. [6.0, 2.1:Control]"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.kit.hexes import Hex
from rules.tiger_of_malaya.places import Places, places
from rules.tiger_of_malaya.state import ALLIES, JAPAN, State, foe, option, put


def zone(s: State, side: str) -> frozenset[Hex]:
    """The hexes in the zones of a side: those around every stack of three points or more."""  # [6.0.A, 6.0.B]
    return places(s).zone(side)


def remember(s: State) -> None:
    """The zones as units stand now, before the next step changes them."""  # [R27]
    if option(s, "r27") == "last":
        now = places(s)
        s.reach = (now.own(JAPAN).covers, now.own(ALLIES).covers)


def settle(s: State) -> None:
    """Control after a step: units hold their hex, an empty hex goes to whoever alone has it in a zone."""  # [R27, R28]
    now = places(s)
    japan, allies, held = now.own(JAPAN), now.own(ALLIES), now.held(s)
    land = s.board.ashore
    ours, theirs = japan.covers, allies.covers
    if option(s, "r27") == "last":  # in a hex in both zones the one that is new [R27]
        was_ours, was_theirs = s.reach
        ours, theirs = ours & ~(theirs & was_ours), theirs & ~(ours & was_theirs)
    gained = (japan.keeps & land | ours & ~theirs) & ~(allies.keeps | held)
    gone = (allies.keeps | theirs & ~(ours | japan.keeps)) & held
    remember(s)
    if gained or gone:
        now.change(s, gained, gone)
    if gained or gone or now.new:
        now.new = False
        fields(s)
    if s.bases:
        grounded(s, now)
    for hex in [hex for hex, side in s.forts.items() if now.own(foe(side)).has(hex)]:
        del s.forts[hex]  # [12.5.D, R16]


def walk(s: State, units: Iterable[str], path: Sequence[Hex]) -> None:
    """These go together, control follows hex by hex."""  # [R27]
    for hex in path[1:]:
        for unit in units:
            put(s, unit, hex)
        settle(s)


def fields(s: State) -> None:
    """Since when Japan holds each airfield. [R76]"""
    for hex in s.board.region("airfields"):
        if hex not in s.held:
            s.fields.pop(hex, None)
        else:
            s.fields.setdefault(hex, s.turn)


def grounded(s: State, now: Places) -> None:
    """Aircraft on an airfield that an Allied unit enters are gone."""
    for plane in [plane for plane, base in s.bases.items() if now.own(ALLIES).has(base)]:
        del s.bases[plane]
        if s.planes[plane] == "ready":
            s.planes[plane] = "gone"  # [11.4.4.D]
