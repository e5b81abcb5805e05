"""Retreats as they happen: stack by stack, with displacement and evacuation. [9.5GRb, 9.53 to 9.59]"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Illegal, Note, Tell
from rules.kit.hexes import Hex
from rules.singapore_1984 import combat, losses, movement, retreat, sea, stacking, victory
from rules.singapore_1984.orders import Displace, Evacuate, Retreat, Stand
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import CW, DEAD, JP, KEPPEL, OFF, SINGAPORE, Battle, State

# --- retreats ---


def go_on(s: State, b: Battle, side: Player, hexes: int, tell: Tell) -> None:
    """Stack by stack, unit by unit, as far as nobody has a choice. [9.5GRb, R81]"""
    if b.units and not b.hex:
        b.hex = s.pieces[b.units[0]].at
    if not b.units and not b.hex and b.missing == 0 and not b.stood and "begun" not in b.stages[0]:
        group = b.attack.units if side == s.active else combat.defenders(s, b.attack.hexes)
        for id in group:
            if s.at_sea(id) and side != s.active:  # [11.26e]
                victory.kill(s, id, tell, "11.26e")
        b.units = tuple(
            sorted(
                (id for id in group if s.pieces[id].at != DEAD and not s.at_sea(id)),
                key=lambda id: (s.pieces[id].at, id),
            )
        )
        b.stages = (f"{b.stages[0]} begun", *b.stages[1:])
        b.hex = s.pieces[b.units[0]].at if b.units else ""
        return
    unit = current(s, b)
    if unit is not None:
        found = retreat.ways(s, unit, hexes, party(s, b))
        if found.paths:
            go(s, b, unit, found.paths[0], tell)
            if found.missing:
                cannot(b, unit, found.missing)
        else:
            cannot(b, unit, hexes)
            b.units = tuple(id for id in b.units if id != unit)
        return
    if b.sailing:  # nothing takes them away
        b.stood, b.missing = (*b.stood, *b.sailing), max(b.missing, b.short)
        b.sailing, b.short = (), 0
        return
    if b.missing:
        b.steps, b.missing = b.missing, 0
        return
    if b.steps:
        losses.take_step(s, b, tell)
        return
    b.stood, b.hex = (), (s.pieces[b.units[0]].at if b.units else "")  # [9.5GRb]
    if not b.units:
        losses.done(b)


def current(s: State, b: Battle) -> str | None:
    """The unit of the present stack that is to retreat next."""
    return next((id for id in b.units if s.pieces[id].at == b.hex), None)


def party(s: State, b: Battle) -> tuple[str, ...]:
    """The units of this retreat: those that have to go, those that went, those that made room. [R40, R41]"""
    return (*b.units, *b.gone, *b.stood, *b.aside)


def hexes_due(b: Battle) -> int:
    return int(b.stages[0].split()[2])


def must_choose(s: State, b: Battle) -> bool:
    """Whether the owner has a choice for the unit that is next."""
    if any(True for _ in evacuations(s, b)):
        return True
    unit = current(s, b) if b.units and b.hex else None
    if unit is None:
        return False
    found = retreat.ways(s, unit, hexes_due(b), party(s, b))
    return len(found.paths) > 1 or found.crowded or bool(landfalls(s, b, unit))


def cannot(b: Battle, unit: str, missing: int) -> None:
    """A unit of the stack that cannot go so far. [9.59a, R40]"""
    b.stood = (*b.stood, unit)
    b.missing = max(b.missing, missing)  # [9.59a, 9.57e, 9.57f]


def go(s: State, b: Battle, unit: str, path: tuple[Hex, ...], tell: Tell) -> None:
    """A unit retreats; hexes it leaves are open to an advance. [9.53a, 9.61a]"""
    start, side = s.pieces[unit].at, s.side(unit)
    tell(Note("retreats", {"unit": unit, "path": "-".join(path)}, ("9.53a",)))
    movement.enter(s, unit, path, tell, late=True)  # [9.58a]
    b.units = tuple(id for id in b.units if id != unit)
    b.gone = (*b.gone, unit)
    if side != s.active:
        b.paths = (*b.paths, (start, *path))


def take_way(s: State, b: Battle, order: Retreat, tell: Tell) -> None:
    """The way that the owner chose; what it lacks, the stack loses, or is spared by sea."""
    found, path = retreat.ways(s, order.unit, hexes_due(b), party(s, b)), tuple(order.path)
    go(s, b, order.unit, path, tell)
    if path not in found.paths:
        b.sailing, b.short = (*b.sailing, order.unit), max(b.short, hexes_due(b) - len(path))
    elif found.missing:
        cannot(b, order.unit, found.missing)


def refuse_retreat(s: State, b: Battle, order: Retreat) -> Illegal | None:
    """One of the ways that keep the preferences."""
    wrong = _refuse_unit(s, b, order.unit)
    if wrong is not None:
        return wrong
    found = retreat.ways(s, order.unit, hexes_due(b), party(s, b))
    if tuple(order.path) in found.paths:
        if found.crowded and not stacking.room(s, order.path[-1], order.unit):
            return Illegal(f"{order.path[-1]} is full", ("9.57a", "9.57b"), "displace UNIT HEX first")
        return None
    short = landfalls(s, b, order.unit)
    if tuple(order.path) in short:
        return None
    shown = ", ".join("-".join(path) for path in (*found.paths, *short)[:6]) or "none"
    return Illegal(f"{order.unit} does not retreat that way", ("9.53a", "9.53b", "R39"), f"ways: {shown}")


def _refuse_unit(s: State, b: Battle, unit: str) -> Illegal | None:
    if unit not in b.units or s.pieces[unit].at != b.hex:
        due = ", ".join(id for id in b.units if s.pieces[id].at == b.hex)
        return Illegal(f"{unit} does not retreat now", ("9.5GRa", "R81"), f"due: {due}")
    return None


def refuse_displace(s: State, b: Battle, order: Displace) -> Illegal | None:
    """A friend at the end of a way makes room, where there is no other way. [9.57b, 9.57c, R41]"""
    unit = current(s, b)
    found = retreat.ways(s, unit, hexes_due(b), party(s, b)) if unit is not None else None
    if found is None or not found.crowded:
        return Illegal("nobody has to make room", ("9.57b",))
    full = retreat.crowds(s, s.side(unit or ""), [path[-1] for path in found.paths], party(s, b))  # [9.57d]
    if order.unit not in s.pieces or s.pieces[order.unit].at not in full:
        return Illegal(f"{order.unit} is not where the retreat ends", ("9.57b",), f"full: {', '.join(full)}")
    if s.side(order.unit) != s.side(unit or "") or order.unit in party(s, b):
        return Illegal(f"{order.unit} cannot be displaced", ("9.57b",))
    open_ = retreat.displaced(s, order.unit, party(s, b))
    if order.hex not in open_:
        return Illegal(f"{order.unit} has no way to {order.hex}", ("9.57c",), f"open: {', '.join(open_) or 'none'}")
    return None


def displace(s: State, b: Battle, order: Displace, tell: Tell) -> None:
    """It goes one hex, once in a retreat, and counts as retreated. [R41]"""
    b.aside = (*b.aside, order.unit)
    tell(Note("displaced", {"unit": order.unit, "hex": order.hex}, ("9.57b",)))
    movement.enter(s, order.unit, (order.hex,), tell, late=True)


def refuse_stand(s: State, b: Battle, order: Stand) -> Illegal | None:
    """Where there is no way, or room would have to be made: the stack may take the loss instead. [9.57e, 9.59c]"""
    if order.unit in ashore(s, b):
        return None
    if b.sailing and current(s, b) is None:
        return Illegal("the stack stopped in the port to sail from it", ("9.59c",), "evacuate UNIT to PORT")
    wrong = _refuse_unit(s, b, order.unit)
    if wrong is not None:
        return wrong
    found = retreat.ways(s, order.unit, hexes_due(b), party(s, b))
    if found.paths and not found.crowded:
        return Illegal(f"{order.unit} can retreat and must", ("9.5GRa",))
    return None


def stand(s: State, b: Battle, order: Stand) -> None:
    """It stays, and its stack owes a step for each hex. [9.57e]"""
    if order.unit in b.stood:
        b.steps, b.missing = b.missing, 0
        return
    cannot(b, order.unit, hexes_due(b))
    b.units = tuple(id for id in b.units if id != order.unit)


# --- evacuation ---


def ashore(s: State, b: Battle) -> tuple[str, ...]:
    """A stack that came to another hex and can go no farther, before it loses steps. [9.59c]"""
    here = {s.pieces[id].at for id in b.stood}
    return b.stood if b.missing and len(here) == 1 and b.hex not in here and current(s, b) is None else ()


def landfalls(s: State, b: Battle, unit: str) -> tuple[tuple[Hex, ...], ...]:
    """Shorter ways, to a port on a way of retreat, for a stack that would rather sail from there. [9.59c, R89]

    A full unit goes first, for it is the one that sails; all that stop do so in the same port.
    """
    side = s.side(unit)
    if s.used.get(f"evacuated-{side}"):
        return ()
    found: dict[tuple[Hex, ...], None] = {}
    there = {s.pieces[id].at for id in b.sailing}
    for path in retreat.ways(s, unit, hexes_due(b), party(s, b)).paths:
        for n in range(1, len(path)):
            coast, here = sea.coast(s, path[n - 1]), path[n - 1]
            if not coast or not stacking.room(s, here, unit) or not retreat.stops(s, unit, here):
                continue
            sails = here in there or (not there and not s.pieces[unit].reduced)
            if sails and any(_fits(s, unit, port) for port in _havens(s, side, coast, here)):
                found[path[:n]] = None
    return tuple(found)


def evacuations(s: State, b: Battle) -> Iterator[Evacuate]:
    """Who of the stack, where it was attacked or came, may sail away instead, and where to. [9.59c, R42, R65]"""
    stopped = b.sailing if current(s, b) is None else ()
    units = stopped or ashore(s, b) or tuple(id for id in b.units if s.pieces[id].at == b.hex)
    hex = s.pieces[units[0]].at if units else ""
    coast = sea.coast(s, hex)
    if not coast:
        return
    side = s.side(units[0])
    if s.used.get(f"evacuated-{side}") or s.control.get(hex) != side:
        return
    for id in units:
        if not s.pieces[id].reduced:
            for port in _havens(s, side, coast, hex):
                if not stopped or _fits(s, id, port):
                    yield Evacuate(unit=id, port=port)


def _fits(s: State, unit: str, port: str) -> bool:
    """Whether a port has room for an evacuee; off the map and in Singapore there always is. [9.57a]"""
    return port in {"off", SINGAPORE, KEPPEL} or stacking.room(s, port, unit)


def _havens(s: State, side: Player, coast: str, hex: Hex) -> Iterator[str]:
    """Where evacuees of a coast go. [9.59d, 9.59e, 9.59f]"""
    if side == CW:
        if not s.assault:
            yield SINGAPORE
        elif s.control.get(KEPPEL) == CW:  # [R42]
            yield KEPPEL
        return
    if coast == "w" and s.shipping != "intact":
        return
    for port in sorted(s.board.ports):
        if s.board.places[port].coast == coast and s.control.get(port) == JP and port != hex:
            yield port
    if coast == "e":
        yield "off"


def refuse_evacuate(s: State, b: Battle, order: Evacuate) -> Illegal | None:
    """Once a turn, a full unit, from a port to a port that is open to it."""
    found = list(evacuations(s, b))
    if order in found:
        if not _fits(s, order.unit, order.port):
            return Illegal(f"{order.port} holds no more units", ("9.57a",))
        return None
    if found and order.unit not in {one.unit for one in found}:
        return Illegal(f"{order.unit} is not a full unit of the stack", ("9.59c",))
    if found:
        return Illegal(
            f"evacuees do not go to {order.port}", ("9.59d", "9.59e"), f"open: {', '.join(o.port for o in found)}"
        )
    return Illegal("nobody can be evacuated here", ("9.59c", "9.59f"))


def evacuate(s: State, b: Battle, order: Evacuate, tell: Tell) -> None:
    """The unit sails, reduced; the others stay in the port and owe nothing. [9.59c, R42]"""
    side = s.side(order.unit)
    stopped, came = bool(b.sailing) and current(s, b) is None, bool(ashore(s, b))
    s.used[f"evacuated-{side}"] = 1
    victory.lose_step(s, order.unit, tell, "9.59c")
    # [9.59g] needs nothing: nobody is asked to intercept
    tell(Note("evacuated", {"unit": order.unit, "port": order.port}, ("9.59c",)))
    if order.port == "off":
        s.change(order.unit, at=OFF, back=s.turn + 1)
    else:
        movement.enter(s, order.unit, (order.port,), tell, late=True)
    if stopped:
        b.sailing, b.short = (), 0
        return  # [9.64]
    b.missing = 0
    if came:
        return  # [9.64]: the path of retreat ends in the port
    if side != s.active:
        b.paths = (*b.paths, (b.hex,))  # [9.64]
    b.gone = (*b.gone, *(id for id in b.units if s.pieces[id].at == b.hex), order.unit)
    b.units = tuple(id for id in b.units if s.pieces[id].at != b.hex and id != order.unit)
