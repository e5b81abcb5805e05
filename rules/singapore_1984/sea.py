"""Sea movement, the shipping of Penang. [6.0]"""

from __future__ import annotations

from collections.abc import Iterable

from pbem.api import Illegal, Note, Roll, Rolled, Tell
from rules.kit.hexes import Hex
from rules.singapore_1984 import movement, stacking, victory
from rules.singapore_1984.orders import Assault, Land, Sea, Withdraw
from rules.singapore_1984.state import AWAY, CW, DEAD, JP, KEPPEL, OFF, POOL, SINGAPORE, Sail, State, foe
from rules.singapore_1984.zones import zone

Sailing = Sea | Land | Assault


def coast(s: State, port: Hex) -> str:
    """`e`, `w`, or nothing."""
    place = s.board.places.get(port)
    return place.coast if place is not None and place.port else ""


# --- what may sail ---


def refuse_sailing(s: State, order: Sailing) -> Illegal | None:
    """A Japanese sea move: from a port or off the map, to a port, off the map, or a landing."""
    unit = order.unit
    wrong = _refuse_start(s, unit, order.origin)
    if wrong is not None:
        return wrong
    if isinstance(order, Sea):
        return _refuse_friendly(s, order)
    wrong = _refuse_lift(s, unit, order.origin, order.port)
    if wrong is not None:
        return wrong
    if coast(s, order.port) == "":
        return Illegal(f"{order.port} is no port of a coast", ("6.0GRa",))
    if s.board.units[unit].arm == "armor":
        return Illegal("armor lands at a friendly port only", ("5.23", "6.0PRd", "R26"))
    if s.control[order.port] == JP:
        return Illegal(f"{order.port} is Japanese: sail there", ("6.0PRd",), f"sea {unit} from {order.origin} to ...")
    held = s.held(order.port, CW)
    if isinstance(order, Land):
        if held:
            return Illegal(
                f"{order.port} is held", ("6.14",), f"assault {unit} from {order.origin} to {order.port} at HEX"
            )
        return _refuse_closed(s, order.port)
    if not held:
        return Illegal(f"nobody holds {order.port}", ("6.13",), f"land {unit} from {order.origin} to {order.port}")
    if order.at not in s.board.neighbours(order.port) or not s.board.is_sea(order.at):
        seas = [hex for hex in s.board.neighbours(order.port) if s.board.is_sea(hex)]
        return Illegal(
            f"{order.at} is no sea hex beside {order.port}", ("6.14",), f"sea there: {', '.join(seas) or 'none'}"
        )
    if not stacking.room(s, order.at, unit):
        return Illegal(f"{order.at} holds no more units", ("7.0GR", "R28"))
    return _refuse_closed(s, order.port)


def _refuse_start(s: State, unit: str, origin: str) -> Illegal | None:
    """It begins in a port of its own, or off the map when due."""
    if unit not in s.pieces or s.side(unit) != s.active:
        return Illegal(f"{unit} is not yours", ("6.0PRa",))
    piece = s.pieces[unit]
    if piece.moved or s.at_sea(unit):  # [6.0PRc]
        return Illegal(f"{unit} has moved in this phase", ("6.0PRa", "R24"))
    if origin == "off":
        return refuse_due(s, unit)
    if piece.at != origin:
        return Illegal(f"{unit} is not in {origin}", ("6.0PRa",))
    if coast(s, origin) == "":
        return Illegal(f"{origin} is no port of a coast", ("6.0PRa",))
    if f"leaving {origin}" in s.closed:
        return Illegal(f"no other unit leaves {origin} this turn", ("6.42b",))
    return s.refuse_idle(unit)


def refuse_due(s: State, unit: str) -> Illegal | None:
    """A unit that waits off the map and may enter now. [5.51a, R25]"""
    piece = s.pieces[unit]
    if piece.at not in (POOL, OFF):
        return Illegal(f"{unit} is no reinforcement", ("5.51a",))
    if s.turn < due(s, unit):  # [5.51b, 5.56a]
        return Illegal(f"{unit} may enter from turn {due(s, unit)} on", ("5.51a",))
    return None


def due(s: State, unit: str) -> int:
    """The first turn in which a unit that waits off the map may enter."""
    piece = s.pieces[unit]
    return s.board.units[unit].turn if piece.at == POOL else piece.back


def _refuse_friendly(s: State, order: Sea) -> Illegal | None:
    port = order.port
    if port == "off":
        if order.origin == "off":
            return Illegal(f"{order.unit} is off the map", ("6.0PRa",))
        if coast(s, order.origin) != "e":
            return Illegal("only units of the East Coast leave the map", ("6.25",))
        if order.then:
            return Illegal("there is no march off the map", ("5.51c",))
        return _refuse_east(s, order.unit)
    wrong = _refuse_lift(s, order.unit, order.origin, port)
    if wrong is not None:
        return wrong
    if coast(s, port) == "":
        return Illegal(f"{port} is no port of a coast", ("6.0GRa",))
    if s.at_start.get(port) != JP or s.control[port] != JP:
        return Illegal(
            f"{port} was not Japanese when the turn began", ("6.0PRd",), f"land {order.unit} ... at an enemy port"
        )
    if port == order.origin:
        return Illegal(f"{order.unit} is in {port}", ("6.0PRb",))
    return _refuse_closed(s, port) or _refuse_march(s, order.unit, port, order.then)


def _refuse_march(s: State, unit: str, port: Hex, then: Iterable[Hex]) -> Illegal | None:
    """What is left of the allowance after the landing may be marched. [6.12, 6.0PRb]"""
    then = tuple(then)
    if not then:
        return None
    if port in zone(s, foe(s.side(unit))):
        return Illegal(f"{unit} stops in {port}, which is in an enemy zone", ("8.11", "R27"))
    return movement.refuse_walk(s, unit, then, s.allowance(unit) - 1, start=port)  # [6.11b, 6.12]


def _refuse_closed(s: State, port: Hex) -> Illegal | None:
    if f"landing {port}" in s.closed:
        return Illegal(f"no other unit lands at {port} this turn", ("6.43b",))
    return None


def _refuse_lift(s: State, unit: str, origin: str, port: str) -> Illegal | None:
    """The limits of the coast. [6.11a, 6.21, 6.24, 6.25]"""
    there = coast(s, port)
    if there == "w":
        return _refuse_west(s, origin)
    if origin != "off" and coast(s, origin) == "w":
        return Illegal("a unit of the West Coast sails to another port there", ("6.25",))
    return _refuse_east(s, unit)


def _refuse_west(s: State, origin: str) -> Illegal | None:
    if s.shipping != "intact":
        why = "the shipping of Penang is destroyed" if s.shipping == "destroyed" else "Penang is not taken"
        return Illegal(f"{why}: no sea movement in the west", ("6.21", "6.23a"))
    if origin == "off" or coast(s, origin) != "w":
        return Illegal("only a unit in a port of the West Coast sails there", ("6.25",))
    if s.turn < s.penang_turn + s.board.game.west_delay:
        return Illegal(f"the West Coast is open from turn {s.penang_turn + s.board.game.west_delay} on", ("6.24",))
    if s.used.get("west", 0) >= s.board.game.west_units:
        return Illegal("one unit a turn sails in the west", ("6.24",))
    return None


def _refuse_east(s: State, unit: str) -> Illegal | None:
    armor = s.board.units[unit].arm == "armor"
    most = s.board.game.east_armor if armor else s.board.game.east_infantry
    if s.used.get(_lift(s, unit), 0) >= most:
        return Illegal(f"{most} {'armored' if armor else 'infantry'} units a turn sail in the east", ("6.11a", "R75"))
    return None


def _lift(s: State, unit: str) -> str:
    return "east-armor" if s.board.units[unit].arm == "armor" else "east-infantry"


def refuse_withdraw(s: State, order: Withdraw) -> Illegal | None:
    """The Commonwealth takes one unit off each coast. [6.31]"""
    wrong = _refuse_start(s, order.unit, order.port)
    if wrong is not None:
        return wrong
    if s.at_start.get(order.port) != CW or s.control[order.port] != CW:
        return Illegal(f"{order.port} was not yours when the turn began", ("6.0PRd",))
    if s.used.get(f"withdrawn-{coast(s, order.port)}", 0) >= s.board.game.withdrawals:
        return Illegal("one unit a turn leaves each coast", ("6.31",))
    if s.assault and order.then:
        return Illegal("units that arrive on the island stop there", ("11.0i", "11.13a"))
    return _refuse_march(s, order.unit, SINGAPORE, order.then)


def withdraw(s: State, order: Withdraw, tell: Tell) -> None:
    """To Singapore, and on from there. [6.31, R70]"""
    key = f"withdrawn-{coast(s, order.port)}"
    s.used[key] = s.used.get(key, 0) + 1  # [6.32]: whatever became of the shipping
    if s.assault and s.control.get(KEPPEL) != CW:  # [11.13b]
        victory.kill(s, order.unit, tell, "11.13b")
        return
    movement.enter(s, order.unit, (KEPPEL,) if s.assault else (SINGAPORE, *order.then), tell)  # [11.13a]
    s.change(order.unit, moved=True)
    tell(Note("withdrawn", {"unit": order.unit, "port": s.board.name(order.port)}, ("6.31",)))


# --- sailing ---


def set_sail(s: State, order: Sailing, tell: Tell) -> None:
    """The move is announced: ports first, so that Force Z may go after it. [6.41b]"""
    how = {"sea": "sea", "land": "land", "assault": "assault"}[order.kind]
    then = order.then if isinstance(order, Sea) else ()
    at = order.at if isinstance(order, Assault) else ""
    s.sail = Sail(order.unit, order.origin, order.port, how, then=then, at=at)  # type: ignore[arg-type]
    west = "w" in (coast(s, order.port), coast(s, order.origin) if order.origin != "off" else "")
    key = "west" if west else _lift(s, order.unit)
    s.used[key] = s.used.get(key, 0) + 1
    tell(
        Note(
            "sails",
            {"unit": order.unit, "origin": port_name(s, order.origin), "port": port_name(s, order.port)},
            ("6.41b",),
        )
    )


def port_name(s: State, port: str) -> str:
    """A port with its name, or off the map."""
    return "off the map" if port == "off" else s.board.name(port)


def arrive(s: State, tell: Tell) -> None:
    """The move is carried out, as far as it was let."""
    sail = s.sail
    assert sail is not None
    s.sail = None
    s.change(sail.unit, moved=True)
    at = s.pieces[sail.unit].at
    if at == DEAD:
        return
    if sail.port == "back":
        if sail.origin == "off":
            s.change(sail.unit, at=OFF, back=s.turn + 1)  # [R83, R25]
        return
    if sail.port == "off":
        s.change(sail.unit, at=OFF, back=s.turn + 1)  # [5.51c, R25]
        return
    if at in AWAY:
        s.change(sail.unit, oos=False)  # [R12]
    if sail.how == "assault":
        s.change(sail.unit, origin=sail.origin, port=sail.port, at=sail.at)  # [6.14]
        return
    if sail.how == "land" and s.held(sail.port, foe(s.side(sail.unit))):
        return
    movement.enter(s, sail.unit, (sail.port, *sail.then), tell)


# --- Penang ---


def shipping_roll(s: State) -> Roll:
    """Whether the shipping is taken. [6.23a]"""
    return Roll("penang", "6.23a", (6,))


def shipping(s: State, step: Rolled, tell: Tell) -> None:
    """Destroyed, or Japan's. [6.23a, 6.23b, 6.23c, R4, R62]"""
    die = int((step.values or (0,))[0])
    least = s.board.game.shipping_lost_fought if s.penang_fought else s.board.game.shipping_lost
    s.shipping = "destroyed" if die >= least else "intact"
    s.forget()
    clause = "6.23c" if s.penang_fought else "6.23a"
    tell(Note(f"shipping_{s.shipping}", {"die": die, "least": least}, (clause,), step.label))
    if s.shipping == s.options.get("r4", "intact"):
        victory.score(s, "penang", s.board.awards["penang"])  # [6.23b]
