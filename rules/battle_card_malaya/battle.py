"""Step 3, battle: the Allies choose how to fight, then one die decides each Location."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Ask, Illegal, Note, Order, Roll, Tell
from rules.battle_card_malaya import victory
from rules.battle_card_malaya.components import ROADS, Road
from rules.battle_card_malaya.orders import Counterattack, Defend, OrderOfBattles
from rules.battle_card_malaya.state import ALLIES, State, Told, Unit, shared

ADVANTAGE = {
    "decisive": "decisive Japanese advantage",
    "japanese": "Japanese advantage",
    "even": "no advantage",
    "allied": "Allied advantage",
}


def begin(s: State, tell: Tell) -> None:
    """Every shared Location is a battle of its own, Trunk before Eastern (R10)."""
    s.battles = dict.fromkeys(shared(s), "")
    if s.battles:
        places = " and ".join(s.card.name(location) for location in s.battles)
        tell(Note("battle", {"places": places}, ("BC-3.3.1", "BC-3.3.2"), anchor=f"T{s.turn}.battle"))


def battle_by_battle(s: State) -> bool:
    """Whether each battle is fought as soon as it is chosen (option r10)."""
    return s.options["r10"] == "battle-by-battle"


def unchosen(s: State) -> tuple[str, ...]:
    """The Locations that still wait for a choice."""
    return tuple(location for location, choice in s.battles.items() if not choice)


def to_fight(s: State) -> str | None:
    """The Location whose die is due, or None while a choice comes first. R10: all choices before the first die."""
    if unchosen(s) and not battle_by_battle(s):
        return None
    return next((location for location, choice in s.battles.items() if choice), None)


def waits(s: State) -> tuple[Ask | Roll, ...]:
    """First the choices [BC-3.3.1], then a die for each battle [BC-3.3.5]."""
    location = to_fight(s)
    if location is not None:
        return (Roll(f"t{s.turn}/battle/{location}", "BC-3.3.5", dice=(6,)),)
    return (Ask(ALLIES, "choose_battle", "BC-3.3.1"),) if s.battles else ()


def offers(s: State) -> Iterator[Order]:
    """Both choices for every open Location, and another order of battles where that is still possible."""
    for location in unchosen(s):
        yield Counterattack(location=location)
        yield Defend(location=location)
    turned = OrderOfBattles(locations=tuple(reversed(s.battles)))
    if refuse_order(s, turned) is None:
        yield turned


def refuse(s: State, order: Counterattack | Defend) -> Illegal | None:
    """A choice needs an Allied and a Japanese unit in the Location, and is made once."""
    if order.location in unchosen(s):
        return None
    here = s.card.name(order.location)
    left = ", ".join(s.card.name(location) for location in unchosen(s))
    hint = f"still to choose: {left}"
    if order.location in s.battles:
        return Illegal(f"{here} has its choice already: {s.battles[order.location]}", ("BC-3.3.1",), hint)
    if order.location in shared(s):
        return Illegal(f"the battle in {here} has been fought this turn", ("BC-3.3.1", "BC-3.3.2"), hint)
    missing = "Japanese" if order.location in s.allied else "Allied"
    return Illegal(f"no {missing} unit stands in {here}", ("BC-3.3.1",), hint)


def refuse_order(s: State, order: OrderOfBattles) -> Illegal | None:
    """The order of battles names every battle once; it is given once, before the first die."""
    if battle_by_battle(s):
        return Illegal("each battle is fought as soon as it is chosen", ("R10",), "choose first where to fight first")
    if sorted(order.locations) != sorted(s.battles):
        names = " ".join(s.card.name(location) for location in s.battles)
        return Illegal("the order of battles must list every battle once", ("BC-3.3.2", "R10"), f"battles: {names}")
    if tuple(s.battles) != shared(s):
        return Illegal("the order of battles has been given", ("R10",), "choose how to fight")
    if order.locations == tuple(s.battles):
        return Illegal("the battles stand in that order already", ("R10",), "choose how to fight")
    return None


def choose(s: State, order: Counterattack | Defend, tell: Tell) -> None:
    """The choice stands; nothing happens before the die."""
    s.battles[order.location] = order.choice
    told: Told = {"place": s.card.name(order.location), "choice": order.choice}
    tell(Note(f"battle.{order.choice}", told, ("BC-3.3.1",)))


def set_order(s: State, order: OrderOfBattles, tell: Tell) -> None:
    """The battles are fought in the order named. R10"""
    s.battles = {location: s.battles[location] for location in order.locations}
    told: Told = {"places": ", then ".join(s.card.name(location) for location in order.locations)}
    tell(Note("battle.order", told, ("R10",)))


def advantage(s: State, allied: int, japanese: int) -> str:
    """The row of the table: who has Advantage, at these strengths."""
    if japanese >= s.card.decisive_ratio * allied:  # [BC-3.3.4, R11]: it replaces plain Advantage
        return "decisive"
    if japanese == allied:  # [R11]
        return "even"
    return "japanese" if japanese > allied else "allied"  # [BC-3.3.3]


def fight(s: State, die: int, label: str, tell: Tell) -> None:
    """One die on the table that fits [BC-3.3.5]; both sides lose at the same time (R12)."""
    location = next(location for location, choice in s.battles.items() if choice)
    road = next(road for road, unit in s.japanese.items() if unit.at == location)
    choice = s.battles.pop(location)
    allied, japanese = s.allied[location], s.japanese[road].strength
    row = advantage(s, allied, japanese)
    allied_loss, japanese_loss = s.card.results[choice, row][die - 1]
    told: Told = {
        "place": s.card.name(location),
        "choice": choice,
        "allied": allied,
        "japanese": japanese,
        "advantage": ADVANTAGE[row],
        "die": die,
        "allied_loss": allied_loss,
        "japanese_loss": japanese_loss,
    }
    clauses = ("BC-3.3.3", "BC-3.3.4", "BC-3.3.5") if row == "decisive" else ("BC-3.3.3", "BC-3.3.5")
    tell(Note("battle.fought", told, clauses, label))
    reduce_allied(s, location, allied_loss, tell)
    reduce_japanese(s, road, japanese_loss, tell)
    victory.judge_japanese(s, tell)  # [R17]: before Endau is looked at
    victory.judge_endau(s, tell)


def reduce_allied(s: State, location: str, loss: int, tell: Tell) -> None:
    """A unit below 1 is eliminated. [BC-3.3.6]"""
    s.allied[location] -= loss
    if s.allied[location] < 1:
        del s.allied[location]
        tell(Note("allied.eliminated", {"place": s.card.name(location)}, ("BC-3.3.6",)))


def reduce_japanese(s: State, road: Road, loss: int, tell: Tell) -> None:
    """The same for a Japanese unit, whether a battle or an air attack takes the strength (R13)."""
    at, before = s.japanese[road]
    s.japanese[road] = Unit(at, before - loss)
    if before - loss < 1:
        del s.japanese[road]
        told: Told = {"road": ROADS[road], "place": s.card.name(at)}
        tell(Note("japanese.eliminated", told, ("BC-3.3.6", "R13")))
