"""From the declaration to the advance: one attack after the other. [9.1P, 9.4d]

Chapters: falling_back (retreats, displacement, evacuation), losses (steps and strength), following (advance, landings).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.api import Ask, Illegal, Note, Order, Roll, Rolled, Tell
from rules.singapore_1984 import combat, falling_back, following, losses, supply
from rules.singapore_1984.orders import Advance, Beach, Displace, Evacuate, Hold, Lose, Resolve, Retreat, Return, Stand
from rules.singapore_1984.rows import Player, Result
from rules.singapore_1984.state import CW, JP, KUALA, PENANG, Attack, Battle, State, foe

# --- which attack is next ---


def free_mode(s: State, attack: Attack) -> bool:
    """Whether the attacker still chooses the mode. [9.0GRd]"""
    return combat.mode(s, attack.hexes, attack.units) is None  # [9.0GRd, 9.0GRe, 9.72a]


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
    supply.judge(s, foe(s.active), enemies)  # [10.0PRb, 10.0PRc]
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
        following.send_back(s, [id for id in attack.units if s.at_sea(id)], tell)
        return
    attack.hexes, attack.units = hexes, units
    if s.active == JP and PENANG in hexes:
        s.penang_fought = True  # [6.23c]
    at_kuala = KUALA in hexes if s.active == JP else any(s.pieces[id].at == KUALA for id in units)
    if at_kuala and s.slots and not s.kuala:
        s.kuala = "fought"  # [13.7c, R57]
    battle = Battle(attack, combat.mode(s, hexes, units) or mode or "maneuver")  # type: ignore[arg-type]
    battle.column = column
    battle.defence = combat.defence_total(s, hexes, attack.defence_air)
    changes = tuple(combat.modifiers(s, hexes, units))
    battle.modifier = sum(m.value for m in changes)  # [9.31a]
    s.battle = battle
    _tell_odds(s, battle, changes, tell)


def _tell_odds(s: State, b: Battle, changes: Iterable[combat.Modifier], tell: Tell) -> None:
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
    for m in changes:
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
    stacks = sorted({s.pieces[id].at for id in b.attack.units if s.at_sea(id)})
    match result:
        case "D1" | "D2" | "D3":
            yield f"retreat {them} {result[1]}"  # [9.5-D]
        case "A1" | "A2" | "A3":
            yield f"retreat {us} {result[1]}"  # [9.5-A]
            yield from (f"repelled {us} {2 * int(result[1])} {hex}" for hex in stacks)  # [9.72c, R91]
        case "BR":
            yield f"retreat {them} 1"  # [9.5-BR]: the defender first
            yield f"retreat {us} 1"
            yield from (f"repelled {us} 2 {hex}" for hex in stacks)
        case "DE" | "AE":
            yield f"kill {them if result == 'DE' else us}"  # [9.5-DE, 9.5-AE]
        case "AX":
            yield f"retreat {them} 1"
            yield f"lose {us} {b.defence}"  # [9.5-AX, 9.4e, 9.51, 9.86, 9.5-note]
        case "EX":
            strength = sum(s.face(id).attack for id in b.attack.units)
            if s.options.get("r3") == "key" and strength < b.defence:  # [9.4-key]
                yield f"kill {us}"
                yield f"lose {them} {strength}"
            else:
                yield f"kill {them}"  # [9.5-EX, R3]
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
                return (Ask(_player(rest[0]), "lose", "9.52b"),) if len(losses.losers(s, b)) > 1 else ()
            return (Ask(_player(rest[0]), "retreat", "9.53a"),) if falling_back.must_choose(s, b) else ()
        case "repelled":
            if b.steps and len(losses.losers(s, b)) > 1:
                return (Ask(_player(rest[0]), "lose", "9.72c"),)
        case "lose":
            if b.steps and len(losses.losers(s, b)) > 1 and losses.strength(s, b) > b.steps:
                return (Ask(_player(rest[0]), "lose", "9.52c"),)
        case "advance":
            if any(True for _ in following.advances(s, b)):
                return (Ask(s.active, "advance", "9.61b"),)
        case "ashore":
            if not rest and following.beachhead(s, b):
                return (Ask(JP, "beach", "11.26b"),)
            back = following.going_back(s, b)
            if any(s.pieces[id].origin != "off" and following.returns(s, id) for id in back):
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
            losses.eliminate(s, b, _player(rest[0]), tell)
            losses.done(b)
        case "retreat":
            falling_back.go_on(s, b, _player(rest[0]), int(rest[1]), tell)
        case "repelled" | "lose":
            losses.go_on(s, b, int(rest[1]), tell)
        case "advance":
            losses.done(b)
        case "ashore":
            following.send_back(s, following.going_back(s, b), tell)
            losses.done(b)


# --- orders ---


def refuse(s: State, b: Battle, order: Order) -> Illegal | None:
    """An answer to what the battle asks."""
    match order:
        case Retreat():
            return falling_back.refuse_retreat(s, b, order)
        case Displace():
            return falling_back.refuse_displace(s, b, order)
        case Stand():
            return falling_back.refuse_stand(s, b, order)
        case Evacuate():
            return falling_back.refuse_evacuate(s, b, order)
        case Lose():
            return losses.refuse_lose(s, b, order)
        case Advance():
            return following.refuse_advance(s, b, order)
        case Return():
            return following.refuse_return(s, b, order)
    return None


def take(s: State, b: Battle, order: Order, tell: Tell) -> None:
    """An answer is carried out."""
    match order:
        case Retreat():
            falling_back.take_way(s, b, order, tell)
        case Displace():
            falling_back.displace(s, b, order, tell)
        case Stand():
            falling_back.stand(s, b, order)
        case Evacuate():
            falling_back.evacuate(s, b, order, tell)
        case Lose():
            losses.lose(s, b, order.unit, tell)
        case Advance():
            following.advance(s, b, order, tell)
        case Beach():
            following.beach(s, b, order, tell)
        case Hold():
            losses.done(b)
        case Return():
            following.go_back(s, order.unit, order.port)
            tell(Note("returned", {"unit": order.unit, "port": order.port}, ("9.72d",)))
