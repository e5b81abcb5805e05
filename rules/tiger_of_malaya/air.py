"""Aircraft: how many there are, what they reach, and the one that harasses. [11.4]

A plane is `home` (not drawn this turn), `ready`, `flown` (in this impulse), `over:HEX` (harassing), or `back` (recalled
in this impulse: it flies in a later one).
"""

from __future__ import annotations

from pbem.api import Illegal, Note, Tell
from rules.kit.hexes import Hex
from rules.tiger_of_malaya.orders import Harass, Recall
from rules.tiger_of_malaya.state import JAPAN, State


def reach(s: State, hex: Hex) -> int:
    """How far a hex is from the north edge; the first row counts one."""  # [11.4.2, 11.4.4.A]
    return int(hex[2:]) - int(min(one[2:] for one in s.board.region("north-edge"))) + 1


def in_range(s: State, plane: str, hex: Hex) -> bool:
    """Whether a plane gets there."""
    return reach(s, hex) <= s.board.aircraft[plane].range


def refuse_flight(s: State, plane: str, hex: Hex) -> Illegal | None:
    """Why a plane cannot fly against this hex now. [11.4.3]"""
    if s.active != JAPAN or plane not in s.board.aircraft:
        return Illegal(f"{plane} is no aircraft of yours", ("11.4.3.A/1",))
    if s.planes.get(plane) != "ready":
        ids = ("11.4.3.B/4",) if s.planes.get(plane) == "back" else ("11.4.1.B", "11.4.3.A/1")
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
    """Planes come home at the end of an impulse, all of them at the end of a turn."""  # [11.4.3.A/2, R77]
    for plane, does in s.planes.items():
        if turn:
            s.planes[plane] = "home"
        elif does in ("flown", "back"):
            s.planes[plane] = "ready"


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
    s.planes[order.plane] = "back"
    tell(Note("recall", {"plane": order.plane}, ("11.4.3.B/4",)))
