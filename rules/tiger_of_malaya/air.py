"""Aircraft: how many there are, what they reach, and the one that harasses. [11.4]

A plane is `home` (not drawn this turn), `ready`, `flown:HEX` (in this impulse), `over:HEX` (harassing), `back:HEX`
(recalled in this impulse: it flies in a later one) or `gone`. `State.bases` has those that stand on an airfield.
"""

from __future__ import annotations

from pbem.api import Illegal, Note, Tell
from rules.kit.hexes import Hex
from rules.tiger_of_malaya.orders import Base, Harass, Recall
from rules.tiger_of_malaya.state import JAPAN, State


def reach(s: State, plane: str, hex: Hex) -> int:
    """How far a hex is from an aircraft's base: its airfield, or the nearest hex of the north edge. [11.4.2]"""
    if plane in s.bases:
        return s.board.grid.distance(s.bases[plane], hex)  # [11.4.4.B]
    return int(hex[2:]) - int(min(one[2:] for one in s.board.region("north-edge")))  # [11.4.4.A]


def in_range(s: State, plane: str, hex: Hex) -> bool:
    """Whether a plane gets there."""
    return reach(s, plane, hex) <= s.board.aircraft[plane].range


def refuse_flight(s: State, plane: str, hex: Hex) -> Illegal | None:
    """Why a plane cannot fly against this hex now. [11.4.3]"""
    if s.active != JAPAN or plane not in s.board.aircraft:
        return Illegal(f"{plane} is no aircraft of yours", ("11.4.3.A/1",))
    if s.planes.get(plane) != "ready":
        ids = ("11.4.3.B/4",) if s.planes.get(plane, "").startswith("back") else ("11.4.1.B", "11.4.3.A/1")
        return Illegal(f"{plane} is not available", ids, f"ready: {', '.join(ready(s)) or 'none'}")
    if not in_range(s, plane, hex):
        return Illegal(f"{hex} is out of range of {plane}", ("11.4.2",))
    return None


def ready(s: State) -> tuple[str, ...]:
    """Planes that may fly."""
    return tuple(plane for plane, does in sorted(s.planes.items()) if does == "ready")


def over(s: State) -> str:
    """The plane that harasses, or none."""
    return next((plane for plane, does in s.planes.items() if does.startswith("over:")), "")


def drawn(s: State, planes: tuple[str, ...], tell: Tell) -> None:
    """These are available this turn."""  # [11.4.1.B]
    for plane in planes:
        s.planes[plane] = "ready"
    tell(Note("aircraft.drawn", {"planes": ", ".join(planes)}, ("11.4.1.B",)))


def rest(s: State, *, turn: bool) -> None:
    """Planes come home at the end of an impulse; at the end of a turn all leave the map and are drawn from anew.

    [11.4.1.B, 11.4.3.A/2, R77]
    """
    for plane, does in s.planes.items():
        if does == "gone":
            continue
        if turn:
            s.planes[plane] = "home"
            s.bases.pop(plane, None)
        elif does.partition(":")[0] in ("flown", "back"):  # [11.4.3.A/2]
            s.planes[plane] = "ready"
        if plane in s.bases and not usable(s, s.bases[plane]):
            del s.bases[plane]


# --- airfields ---


def usable(s: State, hex: Hex) -> bool:
    """An airfield after two complete turns of Japanese control. [11.4.4.B, R76]"""
    return hex in s.fields and s.turn - s.fields[hex] > s.board.game.seized_turns


def bases(s: State) -> list[tuple[str, Hex]]:
    """Which aircraft that was drawn could stand on which airfield, one each. [11.4.1.B, 11.4.4.B, R75]"""
    taken = set(s.bases.values())
    open_fields = [hex for hex in s.board.region("airfields") if usable(s, hex) and hex not in taken]
    return [(plane, hex) for plane in ready(s) for hex in open_fields]


def refuse_base(s: State, order: Base) -> Illegal | None:
    """A drawn aircraft goes to an airfield that takes one, or off the map. [11.4.4.B, 11.4.4.C, R75]"""
    if s.planes.get(order.plane) != "ready":
        return Illegal(f"{order.plane} is not available", ("11.4.1.B",), f"ready: {', '.join(ready(s)) or 'none'}")
    return refuse_field(s, order)


def refuse_field(s: State, order: Base) -> Illegal | None:
    """Two complete turns, one aircraft a field."""
    if order.hex is None:
        return None  # [11.4.4.C]
    if order.hex not in s.board.region("airfields") or not usable(s, order.hex):
        return Illegal(f"{order.hex} is no airfield held for two complete turns", ("11.4.4.B",))
    if any(base == order.hex and plane != order.plane for plane, base in s.bases.items()):
        return Illegal(f"{order.hex} has an aircraft", ("11.4.4.B",))
    return None


def refuse_return(s: State, seat: str, order: Base) -> Illegal | None:
    """An aircraft that comes home from a mission chooses where it lands, within range. [11.4.3.C]"""
    does, _, hex = s.planes.get(order.plane, "").partition(":")
    if seat != JAPAN or does not in ("flown", "back"):
        return Illegal(f"{order.plane} does not come home in this impulse", ("11.4.3.C", "11.4.4.B"))
    far = order.hex is not None and s.board.grid.distance(order.hex, hex) > s.board.aircraft[order.plane].range
    if order.hex in s.board.grid and far:
        return Illegal(f"{order.hex} is too far from {hex}", ("11.4.3.C",))
    return refuse_field(s, order)


def base(s: State, order: Base, tell: Tell) -> None:
    """It stands there, or off the map, and measures its range from there."""
    s.bases.pop(order.plane, None)
    if order.hex is not None:
        s.bases[order.plane] = order.hex
    tell(Note("based", {"plane": order.plane, "where": order.hex or "off the map"}, ("11.4.4.B",)))
    if s.phase == "bases" and not bases(s):
        s.phase = "supply"


# --- harassment ---


def refuse_harass(s: State, seat: str, order: Harass) -> Illegal | None:
    """One plane at a time, over a hex in range. [11.4.3.B]"""
    if seat != JAPAN:
        return Illegal("the Allies have no aircraft", ("11.4.3.B/1",))
    if order.hex not in s.board.grid or not s.board.is_land(order.hex):
        return Illegal(f"{order.hex} is no land hex", ("11.4.3.B/1",))
    there = over(s)
    if there and there != order.plane:
        return Illegal(f"{there} harasses already", ("11.4.3.B/1",), f"recall {there}")
    if there == order.plane:
        if "moved-plane" in s.facts:
            return Illegal(f"{there} was moved in this impulse", ("11.4.3.B/4",))
        return None if in_range(s, there, order.hex) else Illegal(f"{order.hex} is out of range", ("11.4.2",))
    return refuse_flight(s, order.plane, order.hex)


def harass(s: State, order: Harass, tell: Tell) -> None:
    """It stays until the next Japanese impulse, and longer if it is left there."""  # [11.4.3.B/3, 11.4.3.B/4]
    s.planes[order.plane] = f"over:{order.hex}"
    s.facts |= {"moved-plane"}
    tell(Note("harass", {"plane": order.plane, "hex": order.hex}, ("11.4.3.B/1",)))


def refuse_recall(s: State, seat: str, order: Recall) -> Illegal | None:
    """The plane that harasses, and was not sent there just now."""
    if seat != JAPAN or over(s) != order.plane or not order.plane:
        return Illegal(f"{order.plane} does not harass", ("11.4.3.B/4",))
    if "moved-plane" in s.facts:
        return Illegal(f"{order.plane} was moved in this impulse", ("11.4.3.B/4",))
    return None


def recall(s: State, order: Recall, tell: Tell) -> None:
    """It flies again in a later impulse."""  # [11.4.3.B/4, R77]
    s.planes[order.plane] = s.planes[order.plane].replace("over", "back")
    tell(Note("recall", {"plane": order.plane}, ("11.4.3.B/4",)))
