"""The attacker's tactic: chosen when a free point faces off, kept until its attacks are used. [4.4]"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Illegal, Note, Order, Tell
from rules.field_command.orders import Assault, Concentrate, Flank
from rules.field_command.rows import Role
from rules.field_command.state import TACTICS, Fight, Tactic, point, support

Choice = Assault | Concentrate | Flank


def word(order: Choice) -> Tactic:
    """The tactic that an order chooses."""
    return "assault" if isinstance(order, Assault) else "concentrate" if isinstance(order, Concentrate) else "flank"


def possible(f: Fight) -> tuple[Tactic, ...]:
    """What a free point may choose: with a unit behind it anything, alone only General Assault. [4.4.1]"""
    return ("assault", "concentrate", "flank") if len(f.line["attack"]) > 1 else ("assault",)


def refuse(f: Fight, role: Role, order: Choice) -> Illegal | None:
    """Only the attacker, only for a free point, and only what his line can do."""
    if role != "attack":
        return Illegal("tactics are the attacker's", ("4.4.1",))
    if f.node in ("pick_defence", "pick_attack", "air_round"):
        return Illegal("in the air there is only General Assault", ("4.9.3",))
    if word(order) not in possible(f):
        return Illegal("with one unit on the line there is only General Assault", ("4.4.1", "4.6.1"), "assault")
    if f.tactic:
        ids = ("4.4.2", "4.4.5") if f.tactic == "assault" and f.used.get(point(f, "attack")) else ("4.4.2",)
        return Illegal(f"{point(f, 'attack')} keeps to {TACTICS[f.tactic]} until its attacks are used", ids)
    if f.node != "tactic":
        return Illegal("no tactic is to be chosen now", ("4.4.1",))
    return None


def offers(f: Fight) -> Iterator[Order]:
    """Every tactic that the line can do."""
    for tactic in possible(f):
        yield {"assault": Assault, "concentrate": Concentrate, "flank": Flank}[tactic]()


def choose(f: Fight, tactic: Tactic, tell: Tell) -> None:
    """The tactic binds point and support."""
    f.tactic = tactic  # [4.4.3, 4.4.4]: one at a time, and nobody swaps
    said: dict[str, str | int] = {"unit": point(f, "attack"), "support": support(f), "tactic": TACTICS[tactic]}
    clauses = ("OP-B.7", {"assault": "4.5.1", "concentrate": "4.6.1", "flank": "4.7.1"}.get(tactic, "4.4.1"))
    tell(Note("tactic.pair" if support(f) else "tactic", said, clauses))
