"""Singapore Island: the assault, its pulses, landings from the sea, the end. [11.0]"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.api import Ask, Illegal, Note, Roll, Rolled, Tell
from rules.kit.hexes import Hex
from rules.singapore_1984 import air, following, movement, sea, stacking, victory
from rules.singapore_1984.orders import Ashore, Deploy, Sealand, Transfer
from rules.singapore_1984.state import CW, DEAD, JP, SINGAPORE, State, foe
from rules.singapore_1984.supply import RESERVOIRS
from rules.singapore_1984.zones import zone

SHORES: Mapping[Hex, str] = {"1726": "from-1726", "1825": "from-1825", "1926": "from-1926"}
"""Large-map hexes and the shore of the inset that each leads to. [11.0d]"""


# --- the declaration ---


def may_declare(s: State) -> bool:
    """No Commonwealth unit before the island, a Japanese one there. [11.0b]"""
    facing = s.board.region("facing")
    return not s.assault and not any(s.held(hex, CW) for hex in facing) and any(s.held(hex, JP) for hex in facing)


def declare(s: State, tell: Tell) -> None:
    """The assault begins for good; Force Z goes home. [11.0a, 11.27, R48]"""
    s.assault = s.turn  # [11.27]
    if s.forcez == "alive":
        s.forcez = "withdrawn"
    for hex in s.board.letters:
        if hex.startswith("i") and s.board.is_land(hex):
            mainland = not s.board.has("island", hex)
            s.control[hex] = "jp" if mainland else "cw"  # [R66]
            if mainland:
                s.through[hex] = "jp"  # [R52]
    tell(Note("assault", {"turn": s.turn}, ("11.0a",), anchor=f"T{s.turn}.assault"))


def refuse_deploy(s: State, order: Deploy) -> Illegal | None:
    """The Commonwealth on the island, Japan on the shore that its hex leads to. [11.0c, 11.0d, 11.0e]"""
    side = CW if s.step == "deploy-cw" else JP
    if order.unit not in s.pieces or s.side(order.unit) != side:
        return Illegal(f"{order.unit} is not yours", ("11.0c", "11.0d"))
    at = s.pieces[order.unit].at
    if side == CW:
        if at != SINGAPORE:
            return Illegal(f"{order.unit} is not in Singapore", ("11.0c",))
        if not s.board.has("island", order.hex):
            return Illegal(f"{order.hex} is not on the island", ("11.0c",))
    else:
        wrong = refuse_shore(s, at, order.hex)
        if wrong is not None:
            return wrong
    if not stacking.room(s, order.hex, order.unit):
        return Illegal(f"{order.hex} holds no more units", ("11.51",))
    return None


def refuse_done(s: State) -> Illegal | None:
    """The Commonwealth is done when nobody is left in 1826, or whoever is left finds no room. [11.0c]"""
    for unit in s.at(SINGAPORE, CW):
        for hex in s.board.region("island"):
            if stacking.room(s, hex, unit):
                return Illegal(f"{unit} is left in Singapore", ("11.0c",), f"deploy {unit} {hex}")
    return None


def refuse_shore(s: State, at: Hex, hex: Hex) -> Illegal | None:
    """From the hex before the island to the shore it leads to."""
    if s.board.has("barred", hex):
        return Illegal(f"nobody is placed in {hex}", ("11.0e",))
    if at not in SHORES:
        return Illegal(f"no unit crosses from {at}", ("11.0d", "11.11b"))
    if not s.board.has(SHORES[at], hex):
        return Illegal(f"{at} leads to {', '.join(s.board.region(SHORES[at]))}", ("11.0d",))
    if s.held(hex, CW):
        return Illegal(f"an enemy is in {hex}", ("5.13",))
    return None


# --- reinforcement in a pulse ---


def refuse_transfer(s: State, order: Transfer) -> Illegal | None:
    """From the large map to the inset; there is no order back for the Commonwealth. [11.11a]"""
    # [11.0n]
    if order.unit not in s.pieces or s.side(order.unit) != s.active or s.active != JP:
        return Illegal(f"{order.unit} is not yours", ("11.11a",))
    wrong = refuse_shore(s, s.pieces[order.unit].at, order.hex)
    if wrong is not None:
        return wrong
    if not stacking.room(s, order.hex, order.unit):  # [11.11c]
        return Illegal(f"{order.hex} holds no more units", ("11.51",))
    return None


def refuse_sealand(s: State, order: Sealand) -> Illegal | None:
    """Infantry from a port into a sea hex off the island. [11.21, 11.22, 11.23, R63, R64]"""
    if order.unit not in s.pieces or s.side(order.unit) != JP or s.active != JP:
        return Illegal(f"{order.unit} is not yours", ("11.21",))
    if s.board.units[order.unit].arm == "armor":
        return Illegal("armor makes no landings", ("9.23", "R64"))
    coast = sea.coast(s, order.origin)
    if s.pieces[order.unit].at != order.origin or not coast or s.control.get(order.origin) != JP:
        return Illegal(f"{order.unit} is in no port of yours", ("6.0PRa", "R64"))
    if not s.board.has("landing-sea", order.hex):
        return Illegal(f"{order.hex} is no sea hex for landings", ("11.22b",))
    if coast == "w":
        if s.shipping != "intact" or s.turn < s.penang_turn + s.board.game.west_delay:
            return Illegal("no shipping in the west", ("11.22a", "R63"))
        if s.used.get("west", 0) >= s.board.game.island_west:
            return Illegal("one unit of the West Coast a turn", ("11.22a", "11.23"))
    elif s.used.get("east-infantry", 0) >= s.board.game.island_east:
        return Illegal(f"{s.board.game.island_east} units of the East Coast a turn", ("11.22a", "11.23"))
    if not stacking.room(s, order.hex, order.unit):
        return Illegal(f"{order.hex} holds no more units", ("7.0GR", "R28"))
    return None


def sealand(s: State, order: Sealand, tell: Tell) -> None:
    """It lies off the island."""
    key = "west" if sea.coast(s, order.origin) == "w" else "east-infantry"
    s.used[key] = s.used.get(key, 0) + 1
    s.change(order.unit, at=order.hex, origin=order.origin, port="")
    tell(Note("off_the_island", {"unit": order.unit, "hex": order.hex}, ("11.21",)))


def under_fire(s: State) -> tuple[str, ...]:
    """Japanese units in sea hexes that touch a fortified hexside. [11.24a]"""
    return tuple(
        sorted(
            id
            for id in s.on_map(JP)
            if s.on_inset(id) and s.at_sea(id) and any(edge.fortified for _, edge in s.board.beside(s.pieces[id].at))
        )
    )


def fired(s: State, unit: str, step: Rolled, tell: Tell) -> None:
    """Transport attrition. [11.24b]"""
    die = int((step.values or (0,))[0])
    effect = s.board.strike("transport", die)
    tell(Note(f"strike_{effect.replace('-', '_')}", {"unit": unit, "die": die}, ("11.24b",), step.label))
    if effect == "eliminated":
        victory.kill(s, unit, tell, "11.24b")
    elif effect != "none":
        victory.lose_step(s, unit, tell, "11.24b")
        if effect == "step-returns" and s.pieces[unit].at != DEAD:
            following.send_back(s, [unit], tell)  # [R72]


# --- movement on the inset ---


def refuse_ashore(s: State, order: Ashore) -> Illegal | None:
    """From a sea hex onto the beach beside it. [11.25]"""
    wrong = None if order.unit in s.pieces and s.side(order.unit) == s.active else Illegal("not yours", ("11.25a",))
    if wrong is not None:
        return wrong
    piece = s.pieces[order.unit]
    if not (s.on_inset(order.unit) and s.at_sea(order.unit)) or piece.moved:
        return Illegal(f"{order.unit} does not lie off the island", ("11.25a",))
    idle = s.refuse_idle(order.unit)  # [11.0i]
    if idle is not None:
        return idle
    if order.hex not in s.board.neighbours(piece.at) or not s.board.has("landing", order.hex):  # [11.25c]
        return Illegal(f"{order.hex} is no landing hex beside {piece.at}", ("11.25b",))
    if s.held(order.hex, CW):
        return Illegal(f"an enemy is in {order.hex}", ("5.13",))
    watched = zone(s, foe(s.active))
    if piece.at in watched and order.hex in watched:
        return Illegal(f"{piece.at} and {order.hex} are both in an enemy zone", ("11.25a", "8.12"))
    return None


def ashore(s: State, order: Ashore, tell: Tell) -> None:
    """It lands and stops. [R51]"""
    s.change(order.unit, origin="", port="", moved=True)
    tell(Note("ashore", {"unit": order.unit, "hex": order.hex}, ("11.25a",)))
    movement.enter(s, order.unit, (order.hex,), tell)


# --- the course of a turn ---


def waits(s: State) -> tuple[Ask | Roll, ...] | None:
    """What the assault asks; None where the turn goes its usual way."""
    match s.step:
        case "dawn":
            return (Ask(JP, "declare", "11.0a"),) if may_declare(s) else ()
        case "deploy-cw":
            return (Ask(CW, "deploy", "11.0c"),) if s.held(SINGAPORE, CW) else ()
        case "deploy-jp":
            return (Ask(JP, "deploy", "11.0d"),)
        case "reservoir":
            if s.control.get(RESERVOIRS) == JP:
                return (Roll(f"t{s.turn}/reservoirs/{s.pulse}", "11.57", (6,)),)
            return ()
        case "fire":
            return (Roll(f"t{s.turn}/fire/{s.pulse}/{s.unrolled[0]}", "11.24a", (6,)),) if s.unrolled else ()
    return None


def fallen(s: State) -> bool:
    """Whether Japan holds the city. [12.0PRa, R66]"""
    return bool(s.assault) and all(s.control.get(hex) == JP and not s.held(hex, CW) for hex in s.board.region("city"))


def captured(s: State, tell: Tell) -> None:
    """Points for the city in this turn, and for every Commonwealth unit on a map. [12.0PRb, 12.21c, R74]"""
    victory.score(s, "singapore", s.board.base[s.turn])
    for id in s.on_map(CW):  # [5.56b, 12.21d]
        victory.kill(s, id, tell, "12.21c")
    air.capture(s, tell)


def must_attack(s: State) -> Iterator[tuple[str, Hex]]:
    """Japanese units in the strait that attack nobody yet, and the enemies beside them that nobody attacks. [11.43a]"""
    busy = {id for attack in s.attacks for id in attack.units}
    for id in s.on_map(JP):
        if id not in busy and not s.pieces[id].oos:  # [R55]
            yield from ((id, hex) for hex in beside_strait(s, id))


def beside_strait(s: State, unit: str) -> Iterator[Hex]:
    """The Commonwealth's hexes beside a Japanese unit in the strait that nobody attacks yet."""
    at = s.pieces[unit].at
    if s.side(unit) == JP and s.on_inset(unit) and s.board.is_strait(at):
        attacked = {hex for attack in s.attacks for hex in attack.hexes}
        yield from (hex for hex in s.board.neighbours(at) if s.held(hex, CW) and hex not in attacked)
