"""What cards do on the map: what each needs and is for, and how it changes moves, flights and supplies. [15.3.1]

Card text gives way to nothing but the scenario's own rules. [B.1.c]
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Illegal, Note, Tell
from rules.field_command.campaign import cards
from rules.field_command.campaign.cards import RECRUIT, Effect, Played
from rules.field_command.campaign.state import (
    OUT,
    Unit,
    War,
    ally_inside,
    attacked,
    family,
    foes,
    full,
    ground,
    name,
)
from rules.field_command.components import Step, side
from rules.field_command.rows import Army, Card, Mode
from rules.field_command.terms import ADJECTIVES

# --- what a card needs, and is for ---


def refuse(w: War, army: Army, card: Card, played: Played) -> Illegal | None:
    """Whether what a deployment card needs is there, and it is for something that it can be for."""
    if card.army and card.army != army:
        return Illegal(f"{card.name} is for the {ADJECTIVES[card.army]} army", ("15.1.4", "15.3.1"))
    if "night" in card.requires and not w.board.night(w.period):
        return Illegal(f"{card.name} is for the night", ("15.3.1",))
    return _number(w, card, played) or _target(w, army, card, played) or twice(w, card, played)


def twice(w: War, card: Card, played: Played) -> Illegal | None:
    """Never two of the same card for one thing: a sector, a border, else a unit. [15.3.3]"""
    for effect in cards.of(w).effects:
        same = set(effect.places) == set(played.places) and (played.places or effect.units == played.units)
        if same and cards.shown(w, effect.slot).id == card.id:
            return Illegal(f"{card.name} is in force there already", ("15.3.3",))
    return None


def wants(card: Card) -> tuple[int, int]:
    """How many sectors and units are named with a deployment card."""
    match card.do:
        case "cut_road" | "bridge":
            return 2, 0
        case "close_sector":
            return 1, 1
        case "longer_drive":
            return (0, 1) if card.count else (1, 0)
        case "place_volunteer":
            return 1, 0
        case "pass_enemy":
            return 0, 1
    return 0, 0


def _number(w: War, card: Card, played: Played) -> Illegal | None:
    sectors, units = wants(card)
    if card.mission and len(played.units) != units:
        return Illegal(f"{card.name} is flown: name the aircraft", ("10.3.3", "R82"), "card NAME at SECTOR with UNIT")
    if (len(played.places), len(played.units)) != (sectors, units):
        said = " and ".join(
            part
            for part in (
                f"at {sectors} sector{'s' * (sectors > 1)}" * bool(sectors),
                f"with {units} unit" * bool(units),
            )
            if part
        )
        return Illegal(f"{card.name} is played {said or 'without sectors and units'}", ("15.1.4",), card.text)
    for place in played.places:
        if place not in w.board.sectors:
            return Illegal(f"{place} is no sector", ("15.1.4",))
    return None


def _target(w: War, army: Army, card: Card, played: Played) -> Illegal | None:
    match card.do:
        case "cut_road" | "bridge":
            return _border(w, card, played)
        case "longer_drive" | "pass_enemy":
            return _infantry(w, army, card, played)
        case "place_volunteer":
            return _room(w, army, card, played.places[0])
        case "close_sector":
            return _mission(w, army, card, played)
    return None


def _border(w: War, card: Card, played: Played) -> Illegal | None:
    a, b = played.places
    step = passage(w, a, b)
    wanted = "a road crosses" if card.do == "cut_road" else "is mere water"
    if step is None or (not step.road if card.do == "cut_road" else step.way != "water"):
        return Illegal(f"no border that {wanted} lies between {name(w, a)} and {name(w, b)}", ("15.1.4",), card.text)
    return None


def _infantry(w: War, army: Army, card: Card, played: Played) -> Illegal | None:
    if played.places:
        if any(family(w, unit) == "infantry" for unit in ground(w, played.places[0], army)):
            return None
        return Illegal(f"you have no infantry in {name(w, played.places[0])}", ("15.1.4",), card.text)
    unit = w.units.get(played.units[0])
    if unit is None or unit.army != army or family(w, unit) != "infantry" or unit.where not in w.board.places:
        return Illegal(f"{played.units[0]} is no infantry of yours on the map", ("15.1.4",), card.text)
    return Illegal(f"{unit.id} has moved", ("9.1.2",)) if unit.mark else None


def _room(w: War, army: Army, card: Card, place: str) -> Illegal | None:
    if w.control[place] != army or place in w.contested or place in attacked(w):
        return Illegal(f"{name(w, place)} is no calm sector of yours", ("15.3.1",), card.text)
    if full(w, place, army) or ally_inside(w, place, army):
        return Illegal(f"{name(w, place)} has no room", ("6.2.3", "6.6.3"))
    if recruit(w) is None:
        return Illegal("no volunteers are left", ("15.3.1",))
    return None


def recruit(w: War) -> Unit | None:
    """A volunteer unit that is not in play; one that was never raised before one that was lost."""
    there = [unit for unit in w.units.values() if unit.id.startswith(RECRUIT) and unit.where == OUT]
    return max(there, key=lambda unit: (unit.id not in w.board.units, -int(unit.id[len(RECRUIT) :])), default=None)


def _mission(w: War, army: Army, card: Card, played: Played) -> Illegal | None:
    """An aircraft that could fly there, and supplies for it. [10.3.3, 14.2.1.c, R82]"""
    from rules.field_command.campaign import flights

    why = flights.refuse(w, played.units[0], played.places[0])
    if why is not None:
        return Illegal(why.why, ("10.3.3", *why.ids), why.hint)
    if w.with_supplies and w.supplies[army] < card.cost:
        return Illegal("there are no supplies left to pay for the mission", ("14.2.1.c", "10.3.3"))
    return None


# --- coming into force ---


def until(w: War, card: Card, army: Army) -> int:
    """The last army turn in which a card is in force. [R57, 7.1.2]"""
    armies = len(w.board.order)
    if card.type != "event":
        return w.turn if card.lasts == "this turn" else w.turn + armies - 1
    now = w.turn if w.phase == "planning" else w.turn + 1  # Events of the set-up count for the first turn
    return next(turn for turn in range(now, now + armies) if w.board.order[(turn - 1) % armies] == army)


def enforce(w: War, played: Played, tell: Tell) -> None:
    """A deployment card or an Event is in force from now on."""
    card = cards.shown(w, played.slot)
    if card.do == "place_volunteer":
        raise_volunteers(w, played, tell)
        return
    if card.mission:
        fly_mission(w, card, played, tell)
    c = cards.of(w)
    last = until(w, card, played.army)
    if card.type == "event":  # [15.3.3]: the same Event once more takes the place of the first
        old = [effect.slot for effect in c.effects if cards.shown(w, effect.slot).id == card.id]
        c.effects = tuple(effect for effect in c.effects if effect.slot not in old)
        cards.put_away(w, old)
    c.effects = (*c.effects, Effect(played.slot, played.army, last, played.places, played.units))
    said = {"card": card.name, "date": w.board.date((last - 1) // len(w.board.order) + 1)}
    army = w.board.order[(last - 1) % len(w.board.order)]
    tell(
        Note(
            "card.in_force", {**said, "army": ADJECTIVES[army]}, ("15.3.2", "R57" if card.type == "event" else "7.1.2")
        )
    )


def expire(w: War) -> None:
    """At the end of an army's turn: what has lasted long enough goes to the discards. [R57]"""
    if w.cards is not None:
        old = [effect.slot for effect in w.cards.effects if effect.until <= w.turn]
        w.cards.effects = tuple(effect for effect in w.cards.effects if effect.slot not in old)
        cards.put_away(w, old)
        w.cards.took = False


def spend(w: War, effect: Effect) -> None:
    """A card has been used up."""
    c = cards.of(w)
    c.effects = tuple(one for one in c.effects if one != effect)
    cards.put_away(w, (effect.slot,))


def raise_volunteers(w: War, played: Played, tell: Tell) -> None:
    """A volunteer unit more, if there still is one and room for it."""
    from rules.field_command.campaign import control

    unit, place = recruit(w), played.places[0]
    cards.put_away(w, (played.slot,))
    if unit is not None:
        unit.where, unit.army, unit.mark = place, played.army, ""
        tell(Note("unit.arrives", {"unit": unit.id, "place": name(w, place)}, ("15.3.1",)))
        control.settle(w, place, tell)


def fly_mission(w: War, card: Card, played: Played, tell: Tell) -> None:
    """The aircraft flies, and that is its flight of this turn. [10.3.3, R82]"""
    from rules.field_command.campaign import flights, supply

    if w.with_supplies:
        w.supplies[played.army] -= card.cost - 1
        supply.pay(w, played.army, tell, card.name, "14.2.1.c")
    flights.take_off(w, played.units[0], played.places[0], tell)
    w.units[played.units[0]].mark = "mission"


# --- what is asked on the map ---


def passage(w: War, out: str, into: str) -> Step | None:
    """The step between two places as it is now: a road may be cut."""
    step = w.board.step(out, into)
    if step is not None and step.road:
        for effect, _ in cards.in_force(w, "cut_road"):
            if set(effect.places) == {out, into}:
                return step._replace(way="water" if step.water else "open")
    return step


def steps(w: War, at: str) -> Iterator[Step]:
    """The steps out of a place as they are now."""
    for step in w.board.neighbours(at):
        yield passage(w, at, step.to) or step


def bridged(w: War, army: Army, out: str, into: str) -> bool:
    """Whether the engineers of an army carry everything over this border."""
    return any(effect.army == army and {out, into} == set(effect.places) for effect, _ in cards.in_force(w, "bridge"))


def further(w: War, unit: Unit, mode: Mode) -> int:
    """How many sectors more a unit may go."""
    if w.cards is None or mode != "on-road" or family(w, unit) != "infantry":
        return 0
    return sum(
        card.amount
        for effect, card in cards.in_force(w, "longer_drive")
        if effect.army == unit.army and (unit.id in effect.units or unit.where in effect.places)
    )


def passes(w: War, unit: Unit) -> int:
    """How many enemy-occupied sectors a unit may pass."""
    return sum(card.amount for effect, card in cards.in_force(w, "pass_enemy") if unit.id in effect.units)


def has_passed(w: War, unit: Unit) -> None:
    """It has, and does not do it again."""
    for effect, _ in tuple(cards.in_force(w, "pass_enemy")):
        if unit.id in effect.units:
            spend(w, effect)


def closed(w: War, place: str, army: Army) -> Illegal | None:
    """Whether no unit of an army may enter a sector."""
    for effect, card in cards.in_force(w, "close_sector"):
        if place in effect.places and foes(effect.army, army):
            return Illegal(f"{card.name}: no unit of yours enters {name(w, place)}", ("15.3.1", "B.1.c"))
    return None


def grounded(w: War) -> Illegal | None:
    """Whether nobody flies."""
    for _, card in cards.in_force(w, "no_flights"):
        return Illegal(f"{card.name}: no aircraft are sent out", ("15.3.1", "B.1.c"))
    return None


def boats(w: War, unit: Unit) -> int:
    """What the first unit that leaves an Axis must pay first."""
    if not w.with_supplies or unit.where not in w.board.axes:
        return 0
    return sum(card.amount for effect, card in cards.in_force(w, "hold_boats") if effect.army == unit.army)


def pay_boats(w: War, unit: Unit, tell: Tell) -> None:
    """It is paid, once."""
    price = boats(w, unit)
    for effect, card in tuple(cards.in_force(w, "hold_boats")):
        if price:
            w.supplies[unit.army] -= card.amount
            said: dict[str, str | int] = {"army": ADJECTIVES[unit.army], "count": card.amount, "card": card.name}
            tell(Note("card.paid", said, ("15.3.1",)))
            spend(w, effect)


def income(w: War, army: Army, got: int) -> int:
    """What is left of what an army collects."""
    for effect, card in cards.in_force(w, "lose_supply"):
        if foes(effect.army, army) and side(w.control[card.sector]) == side(effect.army):
            got = max(0, got - card.amount)
    return got


def taken(w: War) -> None:
    """The active army has taken an enemy sector. [15.3.1]"""
    if w.cards is not None:
        w.cards.took = True
