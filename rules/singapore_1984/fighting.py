"""From the declaration to the advance: one attack after the other. [9.1P, 9.4d, 9.5, 9.6, 9.7]"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Ask, Illegal, Note, Order, Roll, Rolled, Tell
from rules.kit.hexes import Hex
from rules.singapore_1984 import combat, movement, retreat, stacking, supply, victory
from rules.singapore_1984.orders import Advance, Beach, Displace, Evacuate, Hold, Lose, Resolve, Retreat, Return, Stand
from rules.singapore_1984.rows import Player, Result
from rules.singapore_1984.state import CW, DEAD, JP, KEPPEL, OFF, PENANG, SINGAPORE, Attack, Battle, State, foe

LANDS: frozenset[Result] = frozenset({"D1", "D2", "D3", "EX", "AX", "DE"})
"""Results that can bring a landing ashore. [9.72b]"""


# --- which attack is next ---


def free_mode(s: State, attack: Attack) -> bool:
    """Whether the attacker still chooses the mode. [9.0GRd]"""
    return combat.mode(s, attack.hexes, attack.units) is None


def refuse_resolve(s: State, order: Resolve) -> Illegal | None:
    """An attack that was declared and not fought; a mode only where it is free."""
    attack = next((one for one in s.attacks if order.hex in one.hexes), None)
    if attack is None:
        return Illegal(
            f"no attack on {order.hex} is left", ("9.12",), f"left: {', '.join(a.hexes[0] for a in s.attacks)}"
        )
    if order.mode is not None and not free_mode(s, attack):
        return Illegal("the mode is not free here", ("9.24",))
    return None


def open_battle(s: State, attack: Attack, mode: str | None, tell: Tell) -> None:
    """Supply is judged, who has none drops out; then the dice. [10.0PRb, R12, R13]"""
    s.attacks.remove(attack)
    enemies = combat.defenders(s, attack.hexes)
    supply.judge(s, foe(s.active), enemies)
    supply.judge(s, s.active, attack.units)
    units = tuple(
        id
        for id in attack.units
        if not (s.pieces[id].oos and not (s.active == CW and s.on_inset(id)))
        and any(hex in s.board.neighbours(s.pieces[id].at) for hex in attack.hexes)
    )
    hexes = tuple(hex for hex in attack.hexes if s.held(hex, foe(s.active)))
    column = combat.column(s, hexes, units, attack.air, attack.defence_air) if hexes and units else None
    if column is None:
        tell(Note("cancelled", {"hex": attack.hexes[0]}, ("R13", "R41")))
        send_back(s, [id for id in attack.units if s.at_sea(id)])
        return
    attack.hexes, attack.units = hexes, units
    if s.active == JP and PENANG in hexes:
        s.penang_fought = True  # [6.23c]
    battle = Battle(attack, combat.mode(s, hexes, units) or mode or "maneuver")  # type: ignore[arg-type]
    battle.column = column
    battle.defence = combat.defence_total(s, hexes, attack.defence_air)
    battle.modifier = sum(m.value for m in combat.modifiers(s, hexes, units))
    s.battle = battle
    _tell_odds(s, battle, tell)


def _tell_odds(s: State, b: Battle, tell: Tell) -> None:
    """One line that can be checked by hand."""
    total = combat.attack_total(s, b.attack.hexes, b.attack.units, b.attack.air)
    row = combat.row(s, b.attack.hexes)
    args: dict[str, str | int] = {
        "units": "+".join(b.attack.units),
        "hexes": "+".join(b.attack.hexes),
        "attack": total,
        "defence": b.defence,
        "differential": f"{total - b.defence:+}",
        "row": row,
        "column": b.column + 1,
        "mode": b.mode,
    }
    tell(Note("attacks", args, ("9.1P-2c",), anchor=f"T{s.turn}.{s.active}.combat"))
    for m in combat.modifiers(s, b.attack.hexes, b.attack.units):
        tell(Note("modifier", {"value": f"{m.value:+}", "why": m.why}, (m.clause,)))


def roll(s: State, b: Battle) -> Roll:
    """The die of the attacker. [9.1P-3]"""
    return Roll(f"t{s.turn}/{s.active}/combat/{b.attack.hexes[0]}", "9.1P-3", (6,))


def rolled(s: State, b: Battle, step: Rolled, tell: Tell) -> None:
    """The table is read; what it owes follows stage by stage. [9.5]"""
    b.die = int((step.values or (0,))[0])
    assert b.mode
    result = s.board.result(b.mode, b.die + b.modifier, b.column)
    b.result = result
    tell(Note("result", {"die": b.die, "modifier": f"{b.modifier:+}", "result": result}, ("9.1P-3",), step.label))
    b.stages = tuple(stages(s, b, result))


def stages(s: State, b: Battle, result: Result) -> Iterator[str]:
    """What a result owes, in the order in which it is done. [9.5]"""
    us, them = s.active, foe(s.active)
    landing = any(s.at_sea(id) for id in b.attack.units)
    match result:
        case "D1" | "D2" | "D3":
            yield f"retreat {them} {result[1]}"
        case "A1" | "A2" | "A3":
            yield f"retreat {us} {result[1]}"
            if landing:
                yield f"repelled {us} {2 * int(result[1])}"
        case "BR":
            yield f"retreat {them} 1"  # the defender first
            yield f"retreat {us} 1"
            if landing:
                yield f"repelled {us} 2"
        case "DE" | "AE":
            yield f"kill {them if result == 'DE' else us}"
        case "AX":
            yield f"retreat {them} 1"
            yield f"lose {us} {b.defence}"
        case "EX":
            yield f"kill {them}"
            yield f"lose {us} {b.defence}"
    yield "advance"
    yield "ashore"


# --- what is asked ---


def waits(s: State, b: Battle) -> tuple[Ask | Roll, ...]:
    """What the battle waits for; nothing where it goes on by itself."""
    if not b.result:
        return (roll(s, b),)
    if not b.stages:
        return ()
    what, *rest = b.stages[0].split()
    match what:
        case "retreat":
            if b.steps:
                return (Ask(_player(rest[0]), "lose", "9.52b"),) if len(losers(s, b)) > 1 else ()
            return (Ask(_player(rest[0]), "retreat", "9.53a"),) if _must_choose(s, b) else ()
        case "repelled":
            if b.steps and len(losers(s, b)) > 1:
                return (Ask(_player(rest[0]), "lose", "9.72c"),)
        case "lose":
            if b.steps and len(losers(s, b)) > 1 and strength(s, b) > b.steps:
                return (Ask(_player(rest[0]), "lose", "9.52c"),)
        case "advance":
            if any(True for _ in advances(s, b)):
                return (Ask(s.active, "advance", "9.61b"),)
        case "ashore":
            if beachhead(s, b):
                return (Ask(JP, "beach", "11.26b"),)
            if any(s.at_sea(id) and s.pieces[id].origin != "off" for id in b.attack.units):
                return (Ask(JP, "return", "9.72d"),)
    return ()


def _player(word: str) -> Player:
    return "jp" if word == "jp" else "cw"


def go_on(s: State, b: Battle, tell: Tell) -> None:
    """The next thing that nobody chooses."""
    if not b.stages:
        s.battle = None
        return
    what, *rest = b.stages[0].split()
    match what:
        case "kill":
            _kill(s, b, _player(rest[0]), tell)
            _next(b)
        case "retreat":
            _retreat_on(s, b, _player(rest[0]), int(rest[1]), tell)
        case "repelled" | "lose":
            _lose_on(s, b, int(rest[1]), tell)
        case "advance":
            _next(b)
        case "ashore":
            send_back(s, [id for id in b.attack.units if s.at_sea(id)])
            _next(b)


def _next(b: Battle) -> None:
    b.stages = b.stages[1:]
    b.units, b.hex, b.stood, b.missing, b.steps = (), "", (), 0, 0


def _kill(s: State, b: Battle, side: Player, tell: Tell) -> None:
    """All of a side in this battle. [9.5-DE, 9.5-AE]"""
    units = b.attack.units if side == s.active else combat.defenders(s, b.attack.hexes)
    for id in units:
        b.paths = (*b.paths, (s.pieces[id].at,)) if side != s.active else b.paths
        victory.kill(s, id, tell, f"9.5-{b.result}")


# --- retreats ---


def _retreat_on(s: State, b: Battle, side: Player, hexes: int, tell: Tell) -> None:
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
    unit = _current(s, b)
    if unit is not None:
        found = retreat.ways(s, unit, hexes, party(s, b))
        if found.paths:
            go(s, b, unit, found.paths[0], tell)
            if found.missing:
                _stand(b, unit, found.missing)
        else:
            _stand(b, unit, hexes)
            b.units = tuple(id for id in b.units if id != unit)
        return
    if b.missing:
        b.steps, b.missing = b.missing, 0
        return
    if b.steps:
        _take_step(s, b, tell)
        return
    b.stood, b.hex = (), (s.pieces[b.units[0]].at if b.units else "")
    if not b.units:
        _next(b)


def _current(s: State, b: Battle) -> str | None:
    """The unit of the present stack that is to retreat next."""
    return next((id for id in b.units if s.pieces[id].at == b.hex), None)


def party(s: State, b: Battle) -> tuple[str, ...]:
    """The units of this retreat: those that have to go and those that went. [R40]"""
    return (*b.units, *b.gone, *b.stood)


def _hexes(b: Battle) -> int:
    return int(b.stages[0].split()[2])


def _must_choose(s: State, b: Battle) -> bool:
    """Whether the owner has a choice for the unit that is next."""
    unit = _current(s, b) if b.units and b.hex else None
    if unit is None:
        return False
    if any(True for _ in evacuations(s, b)):
        return True
    found = retreat.ways(s, unit, _hexes(b), party(s, b))
    return len(found.paths) > 1 or found.crowded


def _stand(b: Battle, unit: str, missing: int) -> None:
    """A unit of the stack that cannot go so far. [9.59a, R40]"""
    b.stood = (*b.stood, unit)
    b.missing = max(b.missing, missing)


def go(s: State, b: Battle, unit: str, path: tuple[Hex, ...], tell: Tell) -> None:
    """A unit retreats; hexes it leaves are open to an advance. [9.53a, 9.61a]"""
    start, side = s.pieces[unit].at, s.side(unit)
    tell(Note("retreats", {"unit": unit, "path": "-".join(path)}, ("9.53a",)))
    movement.enter(s, unit, path, tell)
    s.pieces[unit].late = True
    b.units = tuple(id for id in b.units if id != unit)
    b.gone = (*b.gone, unit)
    if side != s.active:
        b.paths = (*b.paths, (start, *path))


def refuse_retreat(s: State, b: Battle, order: Retreat) -> Illegal | None:
    """One of the ways that keep the preferences."""
    wrong = _refuse_unit(s, b, order.unit)
    if wrong is not None:
        return wrong
    found = retreat.ways(s, order.unit, _hexes(b), party(s, b))
    if tuple(order.path) in found.paths:
        if found.crowded and not stacking.room(s, order.path[-1], order.unit):
            return Illegal(f"{order.path[-1]} is full", ("9.57a", "9.57b"), "displace UNIT HEX first")
        return None
    shown = ", ".join("-".join(path) for path in found.paths[:6]) or "none"
    return Illegal(f"{order.unit} does not retreat that way", ("9.53a", "9.53b", "R39"), f"ways: {shown}")


def _refuse_unit(s: State, b: Battle, unit: str) -> Illegal | None:
    if unit not in b.units or s.pieces[unit].at != b.hex:
        due = ", ".join(id for id in b.units if s.pieces[id].at == b.hex)
        return Illegal(f"{unit} does not retreat now", ("9.5GRa", "R81"), f"due: {due}")
    return None


def refuse_displace(s: State, b: Battle, order: Displace) -> Illegal | None:
    """A friend at the end of a way makes room, where there is no other way. [9.57b, 9.57c, R41]"""
    unit = _current(s, b)
    found = retreat.ways(s, unit, _hexes(b), party(s, b)) if unit is not None else None
    if found is None or not found.crowded:
        return Illegal("nobody has to make room", ("9.57b",))
    if order.unit not in s.pieces or s.pieces[order.unit].at not in {path[-1] for path in found.paths}:
        return Illegal(f"{order.unit} is not where the retreat ends", ("9.57b",))
    if s.side(order.unit) != s.side(unit or "") or order.unit in party(s, b):
        return Illegal(f"{order.unit} cannot be displaced", ("9.57b",))
    open_ = retreat.displaced(s, order.unit, party(s, b))
    if order.hex not in open_:
        return Illegal(f"{order.unit} has no way to {order.hex}", ("9.57c",), f"open: {', '.join(open_) or 'none'}")
    return None


def displace(s: State, order: Displace, tell: Tell) -> None:
    """It goes one hex and counts as retreated. [R41]"""
    tell(Note("displaced", {"unit": order.unit, "hex": order.hex}, ("9.57b",)))
    movement.enter(s, order.unit, (order.hex,), tell)
    s.pieces[order.unit].late = True


def refuse_stand(s: State, b: Battle, order: Stand) -> Illegal | None:
    """Only where room would have to be made: the stack may take the loss instead. [9.57e]"""
    wrong = _refuse_unit(s, b, order.unit)
    if wrong is not None:
        return wrong
    if not retreat.ways(s, order.unit, _hexes(b), party(s, b)).crowded:
        return Illegal(f"{order.unit} can retreat and must", ("9.5GRa",))
    return None


def stand(s: State, b: Battle, order: Stand) -> None:
    """It stays, and its stack owes a step for each hex. [9.57e]"""
    _stand(b, order.unit, _hexes(b))
    b.units = tuple(id for id in b.units if id != order.unit)


# --- evacuation ---


def evacuations(s: State, b: Battle) -> Iterator[Evacuate]:
    """Who of the stack may sail away instead, and where to. [9.59c, R42, R65]"""
    hex, board = b.hex, s.board
    place = board.places.get(hex)
    if place is None or not place.port or not place.coast or not b.units:
        return
    side = s.side(b.units[0])
    if s.used.get(f"evacuated-{side}") or s.control.get(hex) != side:
        return
    for id in b.units:
        if s.pieces[id].at == hex and not s.pieces[id].reduced:
            for port in _havens(s, side, place.coast, hex):
                yield Evacuate(unit=id, port=port)


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
        if order.port not in {"off", SINGAPORE, KEPPEL} and not stacking.room(s, order.port, order.unit):
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
    side, piece = s.side(order.unit), s.pieces[order.unit]
    s.used[f"evacuated-{side}"] = 1
    victory.lose_step(s, order.unit, tell, "9.59c")
    tell(Note("evacuated", {"unit": order.unit, "port": order.port}, ("9.59c",)))
    if order.port == "off":
        piece.at, piece.back = OFF, s.turn + 1
    else:
        movement.enter(s, order.unit, (order.port,), tell)
        piece.late = True
    if side != s.active:
        b.paths = (*b.paths, (b.hex,))  # [9.64]
    b.gone = (*b.gone, *(id for id in b.units if s.pieces[id].at == b.hex), order.unit)
    b.units = tuple(id for id in b.units if s.pieces[id].at != b.hex and id != order.unit)
    b.missing = 0


# --- losses ---


def losers(s: State, b: Battle) -> tuple[str, ...]:
    """The units that may take the loss that is due."""
    what = b.stages[0].split()[0]
    if what == "retreat":
        return tuple(id for id in b.stood if s.pieces[id].at != DEAD)
    alive = [id for id in b.attack.units if s.pieces[id].at != DEAD]
    return tuple(id for id in alive if s.at_sea(id)) if what == "repelled" else tuple(alive)


def strength(s: State, b: Battle) -> int:
    """The attack strength that could be lost at most. [9.52c, R44]"""
    return sum(s.face(id).attack for id in losers(s, b))


def step_value(s: State, unit: str) -> int:
    """What a step of an attacker is worth for AX and EX. [9.52c]"""
    full, half = s.board.units[unit].faces
    return half.attack if s.pieces[unit].reduced else full.attack - half.attack


def _lose_on(s: State, b: Battle, due: int, tell: Tell) -> None:
    """Begin to lose what is due, and go on where there is no choice."""
    if "begun" not in b.stages[0]:
        b.stages, b.steps = (f"{b.stages[0]} begun", *b.stages[1:]), due
        return
    if not b.steps or not losers(s, b):
        _next(b)
        return
    if b.stages[0].startswith("lose") and strength(s, b) <= b.steps:
        for id in losers(s, b):
            victory.kill(s, id, tell, "R44")
        _next(b)
        return
    _take_step(s, b, tell)


def _take_step(s: State, b: Battle, tell: Tell) -> None:
    """The one unit that can lose a step does; nobody left owes nothing more."""
    left = losers(s, b)
    if left:
        lose(s, b, left[0], tell)
    else:
        b.steps = 0


def refuse_lose(s: State, b: Battle, order: Lose) -> Illegal | None:
    """One of the units that the loss falls on."""
    left = losers(s, b)
    if order.unit in left:
        return None
    return Illegal(f"{order.unit} takes no part of this loss", ("9.52b", "9.5-AX"), f"units: {', '.join(left)}")


def lose(s: State, b: Battle, unit: str, tell: Tell) -> None:
    """One step; it counts as one, or by its strength after AX and EX. [9.52b, 9.52c]"""
    by_strength = b.stages[0].startswith("lose")
    worth = step_value(s, unit) if by_strength else 1
    at = s.pieces[unit].at
    victory.lose_step(s, unit, tell, "9.52c" if by_strength else "9.52b")
    if s.pieces[unit].at == DEAD and s.side(unit) != s.active:
        b.paths = (*b.paths, (at,))
    b.steps = max(0, b.steps - worth)


# --- advance and landings ---


def advances(s: State, b: Battle) -> Iterator[Advance]:
    """Who may follow into which hexes: along one path of retreat, as far as it is empty. [9.61, R46]"""
    enemies = s.occupied(foe(s.active))
    for id in b.attack.units:
        piece = s.pieces[id]
        if piece.at == DEAD or id in b.gone or id in b.advanced or s.board.units[id].arm == "security":  # [9.65]
            continue
        if s.at_sea(id) and b.result not in LANDS:
            continue
        seen: set[Hex] = set()
        for path in b.paths:
            here = piece.at
            for there in path:
                if (
                    there in enemies
                    or there not in s.board.neighbours(here)
                    or not retreat.enterable(s, id, here, there)
                ):
                    break
                if there not in seen:
                    seen.add(there)
                    yield Advance(unit=id, hex=there)
                here = there


def refuse_advance(s: State, b: Battle, order: Advance) -> Illegal | None:
    """Along the path, by terrain that the unit could enter."""
    found = list(advances(s, b))
    if order in found:
        return None
    row = s.board.units.get(order.unit)
    if order.unit not in b.attack.units or row is None:
        return Illegal(f"{order.unit} took no part in this attack", ("9.61b",))
    if row.arm == "security":
        return Illegal("security units do not advance", ("9.65",))
    if order.unit in b.gone:
        return Illegal(f"{order.unit} has retreated", ("9.4d",))
    if row.arm == "armor" and any(order.hex in path for path in b.paths):
        return Illegal("no road or railroad leads there", ("9.63", "9.23"))
    open_ = ", ".join(str(one) for one in found[:6])
    return Illegal(f"{order.hex} is not on the path of retreat", ("9.61a", "9.62a"), open_)


def advance(s: State, b: Battle, order: Advance, tell: Tell) -> None:
    """It follows, and a landing is ashore. [9.61b, 9.72b]"""
    piece = s.pieces[order.unit]
    route = next(
        path[: path.index(order.hex) + 1]
        for path in b.paths
        if order.hex in path and path[0] in s.board.neighbours(piece.at)
    )
    tell(Note("advances", {"unit": order.unit, "hex": order.hex}, ("9.61b",)))
    movement.enter(s, order.unit, route, tell)
    piece.origin, piece.port = "", ""
    b.advanced = (*b.advanced, order.unit)


def beachhead(s: State, b: Battle) -> tuple[str, ...]:
    """Units before a fortified beach that the defender did not leave though he should have. [11.26a]"""
    if b.result not in ("D1", "D2", "D3") or not any(s.held(hex, foe(s.active)) for hex in b.attack.hexes):
        return ()
    return tuple(
        id
        for id in b.attack.units
        if s.at_sea(id)
        and s.pieces[id].at.startswith("i")
        and any(s.board.edge(s.pieces[id].at, hex).fortified for hex in b.attack.hexes)
    )


def beach(s: State, b: Battle, order: Beach, tell: Tell) -> None:
    """They stay and must attack again, or each goes back for a step. [11.26b, 11.26c]"""
    units = beachhead(s, b)
    if order.what == "withdraw":
        for id in units:
            victory.lose_step(s, id, tell, "11.26b")
        send_back(s, [id for id in units if s.pieces[id].at != DEAD])
    _next(b)


def refuse_return(s: State, b: Battle, order: Return) -> Illegal | None:
    """To the port it came from, or off the map. [9.72d, R72]"""
    piece = s.pieces.get(order.unit)
    if piece is None or order.unit not in b.attack.units or not piece.port:
        return Illegal(f"{order.unit} is not at sea", ("9.72d",))
    if order.port in returns(s, order.unit):
        return None
    return Illegal(
        f"{order.unit} came from {piece.origin}", ("9.72d", "R72"), f"to {' or '.join(returns(s, order.unit))}"
    )


def returns(s: State, unit: str) -> tuple[str, ...]:
    """Where a unit goes whose landing failed: its port while Japanese and with room, or off the map. [9.72d, R72]"""
    piece = s.pieces[unit]
    places = s.board.places
    found: list[str] = []
    if piece.origin != "off" and s.control.get(piece.origin) == JP and stacking.room(s, piece.origin, unit):
        found.append(piece.origin)
    west = piece.origin in places and places[piece.origin].coast == "w"
    if west and not found:
        found = [
            hex
            for hex in sorted(s.board.ports)
            if places[hex].coast == "w" and s.control.get(hex) == JP and stacking.room(s, hex, unit)
        ]
    if not west:
        found.append("off")  # [9.59f]: never from the West Coast
    return tuple(found)


def go_back(s: State, unit: str, port: str) -> None:
    """A unit whose landing failed is in its port again, or off the map."""
    piece = s.pieces[unit]
    piece.origin, piece.port = "", ""
    if port == "off":
        piece.at, piece.back = OFF, s.turn + 1
    else:
        piece.at = port


def send_back(s: State, units: list[str]) -> None:
    """Without a choice: off the map where it came from there, else to the first haven; none is the end of it. [R29]"""
    for id in units:
        open_ = returns(s, id)
        if open_:
            go_back(s, id, "off" if s.pieces[id].origin == "off" else open_[0])
        else:
            s.pieces[id].at, s.pieces[id].port, s.pieces[id].origin = DEAD, "", ""


# --- orders ---


def refuse(s: State, b: Battle, order: Order) -> Illegal | None:
    """An answer to what the battle asks."""
    match order:
        case Retreat():
            return refuse_retreat(s, b, order)
        case Displace():
            return refuse_displace(s, b, order)
        case Stand():
            return refuse_stand(s, b, order)
        case Evacuate():
            return refuse_evacuate(s, b, order)
        case Lose():
            return refuse_lose(s, b, order)
        case Advance():
            return refuse_advance(s, b, order)
        case Return():
            return refuse_return(s, b, order)
    return None


def take(s: State, b: Battle, order: Order, tell: Tell) -> None:
    """An answer is carried out."""
    match order:
        case Retreat():
            missing = retreat.ways(s, order.unit, _hexes(b), party(s, b)).missing
            go(s, b, order.unit, tuple(order.path), tell)
            if missing:
                _stand(b, order.unit, missing)
        case Displace():
            displace(s, order, tell)
        case Stand():
            stand(s, b, order)
        case Evacuate():
            evacuate(s, b, order, tell)
        case Lose():
            lose(s, b, order.unit, tell)
        case Advance():
            advance(s, b, order, tell)
        case Beach():
            beach(s, b, order, tell)
        case Hold():
            _next(b)
        case Return():
            go_back(s, order.unit, order.port)
            tell(Note("returned", {"unit": order.unit, "port": order.port}, ("9.72d",)))
