"""Interception by Force Z and by submarines. [6.4, 13.6]"""

from __future__ import annotations

from typing import Literal

from pbem.api import Ask, Illegal, Note, Order, Roll, Rolled, Tell
from rules.kit.hexes import Hex
from rules.singapore_1984 import air, sea, victory
from rules.singapore_1984.listing import Subs
from rules.singapore_1984.orders import AirZ, Intercept, NoIntercept
from rules.singapore_1984.state import CW, DEAD, JP, Sail, State


def chances(s: State) -> tuple[tuple[Literal["leaving", "landing"], Hex], ...]:
    """At which of its ports the unit that sails may be intercepted. [6.41c, 6.42a, 6.43a, R32, R33]"""
    sail = s.sail
    if sail is None or sail.step:
        return ()
    found: tuple[tuple[Literal["leaving", "landing"], Hex], ...]
    found = (("leaving", sail.origin), ("landing", sail.port))
    return tuple(
        (where, port)
        for where, port in found
        if port != "off" and hunted(s, port) and f"{where} {port}" not in s.passed
    )


def hunted(s: State, port: Hex) -> bool:
    """Whether Force Z can sail there, or submarines might, as far as everybody knows. [6.41c, 13.6a]"""
    # [6.0PRe, 6.26]
    if sea.coast(s, port) == "e":
        return s.forcez == "alive" and not s.used.get("forcez")
    return "13.6" in s.slots and s.opened.get("13.6") != "no" and not s.used.get("subs")


def waits(s: State) -> tuple[Ask | Roll, ...]:
    """What the sea move waits for."""
    sail = s.sail
    if sail is None:
        return ()
    stem = f"t{s.turn}/forcez"
    match sail.step:
        case "" if chances(s):
            return (Ask(CW, "intercept", "6.41a", window="intercept"),)
        case "rolled" | "failed" if air.left(s, JP) >= s.board.game.forcez_air:
            return (Ask(JP, "airz", "6.47"),)
        case "leaving" | "landing":
            return (Roll(f"{stem}/interception", "6.44", (6,)),)
        case "effect":
            return (Roll(f"{stem}/effect", "6.45a", (6,)),)
        case "sub-leaving" | "sub-landing":
            return (Roll(f"t{s.turn}/subs/interception", "13.6a", (6,)),)
        case "sub-effect":
            return (Roll(f"t{s.turn}/subs/effect", "13.6b", (6,)),)
        case "":
            return ()
    return (Roll(f"{stem}/loss", "6.45b", (6,)),)


def refuse_intercept(s: State, order: Intercept | Subs) -> Illegal | None:
    """One of the two ports of the move, not passed before. [6.41a, 13.6a]"""
    if isinstance(order, Subs) == (sea.coast(s, order.port) == "w") and (order.where, order.port) in chances(s):
        return None
    if isinstance(order, Subs):
        return Illegal("submarines sail on the West Coast, once a turn", ("13.6a", "R73"))
    said = f"{order.where} {order.port}"
    if said in s.passed:
        return Illegal(f"you let a unit pass {said} this turn", ("6.42a",) if order.where == "leaving" else ("6.43a",))
    open_ = ", ".join(f"intercept {where} {port}" for where, port in chances(s))
    if sea.coast(s, order.port) != "e":
        return Illegal("Force Z sails on the East Coast only", ("6.41c",), open_)
    return Illegal(f"the unit is not {said}", ("6.41b",), open_)


def answer(s: State, order: Order | None, tell: Tell) -> None:
    """The Commonwealth's answer to the move, or Japan's to the eight points; none is a pass."""
    sail = s.sail
    assert sail is not None
    if isinstance(order, AirZ):
        if order.use == "yes":
            air.use(s, JP, s.board.game.forcez_air)
        s.sail = sail._replace(step=f"{sail.step}-air" if order.use == "yes" else f"{sail.step}-none")
        return
    chosen = (order.where, order.port) if isinstance(order, Intercept | Subs) else ("", "")
    passed = [f"{where} {port}" for where, port in chances(s) if (where, port) != chosen]
    s.passed = tuple(sorted({*s.passed, *passed}))
    if isinstance(order, Intercept):
        s.used["forcez"] = 1
        s.sail = sail._replace(step=order.where)
        tell(Note("forcez_sails", {"where": order.where, "port": s.board.name(order.port)}, ("6.41a",)))
    elif isinstance(order, Subs):
        s.used["subs"] = 1
        s.sail = sail._replace(step=f"sub-{order.where}")
        tell(Note("subs_sail", {"where": order.where, "port": s.board.name(order.port)}, ("13.6a",)))
    elif order is None or isinstance(order, NoIntercept):
        sea.arrive(s, tell)


def rolled(s: State, step: Rolled, tell: Tell) -> None:
    """A die of the interception."""
    sail, die = s.sail, int((step.values or (0,))[0])
    assert sail is not None
    game = s.board.game
    match sail.step:
        case "leaving" | "landing" | "sub-leaving" | "sub-landing":
            where = sail.step.removeprefix("sub-")
            port = sail.origin if where == "leaving" else sail.port
            hit = s.board.intercepts(port, die)
            tell(Note("intercepted" if hit else "missed", {"die": die, "unit": sail.unit}, ("6.44",), step.label))
            if hit:
                s.closed = tuple(sorted({*s.closed, f"{where} {port}"}))  # [6.42b, 6.43b, R73]
            if where == sail.step:
                s.sail = sail._replace(step="effect" if hit else "failed")
            elif hit:
                s.sail = sail._replace(step="sub-effect")
            else:
                sea.arrive(s, tell)
        case "effect":
            _strike(s, sail, s.board.strike("forcez", die), die, step.label, tell)
            s.sail = s.sail and s.sail._replace(step="rolled")
        case "sub-effect":
            _strike(s, sail, s.board.strike("transport", die), die, step.label, tell)  # [13.6b]
            sea.arrive(s, tell)
        case _:
            helped = int(sail.step.endswith("-air")) - int(s.on("13.5"))  # [6.47, 13.5, R31]
            least = game.forcez_lost if sail.step.startswith("rolled") else game.forcez_lost_failed  # [6.46]
            if die + helped >= least:
                s.forcez = "destroyed"
                award = "prince-of-wales" if s.on("13.5") else "forcez"  # [12.4-forcez, 12.4-pow]
                victory.score(s, "forcez", s.board.awards[award])  # [6.45c]
            name = "forcez_sunk" if s.forcez == "destroyed" else "forcez_survives"
            tell(
                Note(
                    name,
                    {"die": die, "more": f"{helped:+}"},
                    ("6.45b",) if least == game.forcez_lost else ("6.46",),
                    step.label,
                )
            )
            sea.arrive(s, tell)


def _strike(s: State, sail: Sail, effect: str, die: int, label: str, tell: Tell) -> None:
    """What Force Z does to the unit: it may die, lose a step, go back. [6.45a, R83]"""
    tell(Note(f"strike_{effect.replace('-', '_')}", {"unit": sail.unit, "die": die}, ("6.45a",), label))
    if effect == "eliminated":
        victory.kill(s, sail.unit, tell, "6.45a")
    elif effect.startswith("step"):
        victory.lose_step(s, sail.unit, tell, "6.45a")
    if effect.endswith("returns") or s.pieces[sail.unit].at == DEAD:
        s.sail = sail._replace(how="sea", port="back", then=())
