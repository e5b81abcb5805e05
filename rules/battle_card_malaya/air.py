"""Step 4, Allied air support: while Kuantan is held, one Japanese unit loses a point."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Ask, Illegal, Note, Order, Tell
from rules.battle_card_malaya import victory
from rules.battle_card_malaya.battle import reduce_japanese
from rules.battle_card_malaya.components import ROADS, Road
from rules.battle_card_malaya.orders import Air
from rules.battle_card_malaya.state import ALLIES, State, Told


def waits(s: State) -> tuple[Ask, ...]:
    """With an Allied unit in Kuantan the attack takes place; the Allies only say on whom. [BC-3.4] R14"""
    return (Ask(ALLIES, "air_support", "BC-3.4"),) if s.card.air_base in s.allied else ()


def offers(s: State) -> Iterator[Order]:
    """Either Japanese unit, or the weaker one."""
    for road in s.japanese:
        yield Air(target=road)
    yield Air(target="weakest")


def refuse(s: State, order: Air) -> Illegal | None:
    """The attack needs its base and a target."""
    if s.card.air_base not in s.allied:
        base = s.card.name(s.card.air_base)
        return Illegal(f"no Allied unit holds {base}", ("BC-3.4",), "air support comes from there")
    if order.target != "weakest" and order.target not in s.japanese:
        return Illegal(f"there is no {order.target} unit on the board", ("BC-3.4", "R14"), "air weakest")
    return None


def target(s: State, order: Air) -> Road:
    """The road of the unit that is hit; of two equally weak ones the Trunk road's (R14)."""
    if order.target != "weakest":
        return order.target
    return min(s.japanese, key=lambda road: s.japanese[road].strength)


def strike(s: State, order: Air, tell: Tell) -> None:
    """The unit loses one point, and may be eliminated by it. R13"""
    road = target(s, order)
    at, before = s.japanese[road]
    told: Told = {
        "base": s.card.name(s.card.air_base),
        "road": ROADS[road],
        "place": s.card.name(at),
        "strength": before - 1,
    }
    tell(Note("air.strikes", told, ("BC-3.4",), anchor=f"T{s.turn}.air"))
    reduce_japanese(s, road, 1, tell)
    victory.judge_japanese(s, tell)
