"""Event cards: one a round, beside the action. [15.0]

What each one does stands in `data/cards.toml` (`do`); the steps of `EventFrame` are the dice and openings that they
wait for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.api import Ask, Illegal, Known, Note, OpenSlots, Order, Roll, Tell
from rules.glory_recalled import cards, control, leaders, sea, supply
from rules.glory_recalled.components import Play
from rules.glory_recalled.frames import Action, EventFrame
from rules.glory_recalled.movement import at, listed
from rules.glory_recalled.orders import Event
from rules.glory_recalled.stacking import overstacked
from rules.glory_recalled.state import (
    BRITISH,
    JAPAN,
    State,
    Told,
    card_of,
    counters_at,
    foe,
    hand,
    is_closed,
    is_slot,
    points_text,
    seat_of,
    unit_of,
)


def refuse(s: State, seat: str, order: Event, known: Known) -> Illegal | None:
    """The card is an event, it is the first of the round, and it has what it needs. [15.0-b1, 15.0-b2]"""
    wrong = cards.refuse_held(s, seat, order.card, known)
    if wrong is not None:
        return wrong
    card = card_of(s, order.card, known)
    play = None if card is None else s.board.play(card.id, "event")
    if card is None or play is None:
        if card is not None and card.green:
            return Illegal(f"{card.name} is a reaction", ("15.0-b3", "14.0-b5"))
        return Illegal("this card is no event of the action phase", ("15.0-b1", "R62"))
    if seat in s.events:
        return Illegal("one event a round", ("15.0-b2", "R27"))
    if any(card.id in row.bars and row.do in s.effects for plays in s.board.plays.values() for row in plays):
        return Illegal(f"{card.name} may not be played this turn", ("15.0-b1",))
    return _refuse_needs(s, seat, play, order, known)


def _refuse_needs(s: State, seat: str, play: Play, order: Event, known: Known) -> Illegal | None:
    match play.do:
        case "commit_reserve":
            return _refuse_reserve(s, seat, play, order)
        case "fifth_columnists":
            return _refuse_columnists(s, play, order)
        case "sniper":
            return _refuse_sniper(s, seat, play, order, known)
        case "dig_in":
            return _refuse_dig(s, seat, order, known)
        case "rally":
            return _refuse_rally(s, seat, play, order)
    if order.spaces or order.units:
        return Illegal("this event names neither spaces nor units", ("15.0-b1",))
    return None


def _refuse_reserve(s: State, seat: str, play: Play, order: Event) -> Illegal | None:
    """Regiment 66 arrives on brown spaces or Japanese piers of Kowloon. [3.2c, R55]"""
    waiting = reserve(s, play)
    count = min(play.count, len(waiting))
    if len(order.units) != count or len(order.spaces) != count or not set(order.units) <= set(waiting):
        return Illegal(f"{count} units arrive, each in a space", ("R55",), f"waiting: {', '.join(waiting)}")
    open_to = arrivals(s, seat)
    for space in order.spaces:
        if space not in open_to:
            return Illegal(f"{space} is no brown space and no pier of yours in Kowloon", ("R55",))
    bad = overstacked(s, seat, dict(zip(order.units, order.spaces, strict=True)), {})
    return bad if isinstance(bad, Illegal) else None


def reserve(s: State, play: Play) -> tuple[str, ...]:
    """Units that wait off the map."""
    ids = s.board.formation(*play.formations)
    return tuple(id for id in ids if id in s.counters and s.counters[id].at == "reserve")


def arrivals(s: State, seat: str) -> tuple[str, ...]:
    """Where they may arrive."""
    own = [space for space in sea.piers(s, seat) if s.board.space(space).half == "kowloon"]
    return tuple(space for space in (*s.board.brown, *own) if not counters_at(s, space, foe(seat)))


def _refuse_columnists(s: State, play: Play, order: Event) -> Illegal | None:
    if not 1 <= len(order.spaces) <= play.count or len(set(order.spaces)) != len(order.spaces):
        return Illegal(f"name up to {play.count} spaces", ("15.0-b1",))
    for space in order.spaces:
        if space not in s.board.spaces or not counters_at(s, space, BRITISH):
            return Illegal(f"no British counter is in {space}", ("15.0-b1",))
    return None


def _refuse_sniper(s: State, seat: str, play: Play, order: Event, known: Known) -> Illegal | None:
    """A Japanese leader within two links of a British unit, which is shown."""
    if len(order.units) != 2 or order.spaces:
        return Illegal("name the leader and the unit that shoots", ("15.0-b1",), "event CARD with Doi+2RS-A")
    name, unit = order.units
    if name not in s.leaders or seat_of(s, name) == seat or s.leaders[name].at not in s.board.spaces:
        return Illegal(f"{name} is no Japanese leader on the map", ("15.0-b1",))
    if unit not in s.counters or seat_of(s, unit) != seat or unit_of(s, unit, known) is None:
        return Illegal(f"{unit} is no unit of yours that is shown", ("15.0-b1",))
    if s.leaders[name].at not in within(s, at(s, unit), play.count):
        return Illegal(f"{name} is more than {play.count} links from {unit}", ("15.0-b1",))
    return None


def within(s: State, space: str, links: int) -> set[str]:
    """Spaces so many links away, or nearer."""
    found = {space}
    for _ in range(links):
        found |= {to for one in found if one in s.board.spaces for to in s.board.adjacent(one)}
    return found


def _refuse_dig(s: State, seat: str, order: Event, known: Known) -> Illegal | None:
    """An inland space without a marker, with an unspent British unit; there are eight markers. [8.0-b2]"""
    if len(order.spaces) != 1 or len(order.units) != 1:
        return Illegal("name a space and the unit that digs", ("15.0-b1",), "event CARD at G04 with 2RS-A")
    space, unit = order.spaces[0], order.units[0]
    if space not in s.board.spaces or s.board.space(space).coastal:
        return Illegal(f"{space} is coastal or not on the map", ("15.0-b1",))
    if space in s.forts:
        return Illegal(f"{space} has a Fortified marker", ("8.0-b2",))
    if len(s.forts) >= s.board.game.forts:
        return Illegal("no Fortified marker is left", ("15.0-b1",))
    if at(s, unit) != space or unit_of(s, unit, known) is None or seat_of(s, unit) != seat or s.counters[unit].spent:
        return Illegal(f"{unit} is no unspent unit of yours in {space} that is shown", ("15.0-b1",))
    return None


def _refuse_rally(s: State, seat: str, play: Play, order: Event) -> Illegal | None:
    if not 1 <= len(order.units) <= play.count or len(set(order.units)) != len(order.units) or order.spaces:
        return Illegal(f"name up to {play.count} disrupted units", ("15.0-b1",))
    for id in order.units:
        if id not in s.counters or seat_of(s, id) != seat or not s.counters[id].disrupted:
            return Illegal(f"{id} is no disrupted unit of yours", ("15.0-b1",))
        if not supply.supplied(s, seat, at(s, id)):
            return Illegal(f"{id} is out of supply", ("15.0-b1", "10.0-b1"))
    return None


# --- what they do ---


def play(s: State, seat: str, order: Event, tell: Tell) -> None:
    """The card is shown; what it does, it does now or after dice."""
    card = s.board.cards[s.opened[order.card]]
    row = s.board.play(card.id, "event")
    assert row is not None
    cards.discard(s, seat, (order.card,))
    s.events = tuple(sorted({*s.events, seat}))
    tell(Note("event", {"side": control.side(seat), "card": card.name, "text": row.text}, ("15.0-b1", "15.0-b2")))
    match row.do:
        case "commit_reserve":
            for id, space in zip(order.units, order.spaces, strict=True):
                s.counters[id].at = space
            tell(Note("event.reserve", {"units": listed(s, order.units) or "-"}, ("3.2c", "R55")))
            s.frames.append(Action("act", seat, "event", card.id, formations=row.formations))
        case "fifth_columnists":
            s.frames.append(EventFrame("show", seat, card.id, "+".join(order.spaces)))
        case "infiltration" | "forced_march":
            effect(s, f"{row.do}:{seat}")
        case "demand":
            s.frames.append(EventFrame("demand", seat, card.id))
        case "heavy_rain":  # [7.2-b2, R41]
            effect(s, "heavy_rain")
        case "sniper":
            s.frames.append(EventFrame("sniper", seat, card.id, order.units[0]))
        case "dig_in":
            s.forts.add(order.spaces[0])
        case "loyalists":
            effect(s, row.do)
            cards.owe(s, seat, row.amount)
            s.frames.append(EventFrame("draw", seat, card.id))
        case "rally":
            for id in order.units:
                s.counters[id].disrupted = False
            tell(Note("event.rally", {"units": listed(s, order.units)}, ("15.0-b1",)))


def effect(s: State, name: str) -> None:
    """Something that lasts or waits."""
    s.effects = tuple(sorted({*s.effects, name}))


def waits(s: State, f: EventFrame) -> tuple[Ask | Roll, ...]:
    """Dice and openings of an event."""
    stem = f"t{s.turn}/r{s.round}/event"
    match f.step:
        case "show":
            closed = tuple(id for space in f.target.split("+") for id in counters_at(s, space, BRITISH) if is_slot(id))
            return (Ask(BRITISH, "show", "15.0-b1", client=OpenSlots(closed)),) if closed else ()
        case "demand":
            return (Roll(f"{stem}/demand", "15.0-b1", dice=(6,)),)
        case "random" if f.count:
            return (Roll(f"{stem}/discard", "15.0-b1", draw=f.count, pool=s.cards[foe(f.seat)].hand),)
        case "sniper":
            return (Roll(f"{stem}/sniper", "15.0-b1", dice=(6,)),)
        case "draw":
            return cards.drawing(s)
    return ()


def go_on(s: State, f: EventFrame, tell: Tell) -> None:
    """It has happened."""
    if f.step == "show":
        for space in f.target.split("+"):
            units = counters_at(s, space, BRITISH)
            tell(Note("event.shown", {"place": s.board.name(space), "units": listed(s, units) or "-"}, ("15.0-b1",)))
    s.owed = {}
    s.frames.remove(f)


def rolled(s: State, f: EventFrame, values: Sequence[object], label: str, tell: Tell) -> None:
    """A die, or cards that are drawn to be lost."""
    row = s.board.play(f.card, "event")
    assert row is not None
    match f.step:
        case "demand":
            die = int(str(values[0]))
            lost = row.amount if s.points[f.seat] + 2 * die > s.points[foe(f.seat)] else row.other
            f.count, f.step = min(lost, len(s.cards[foe(f.seat)].hand)), "random"
            told: Told = {"die": die, "count": f.count, "own": points_text(s.points[f.seat])}
            tell(Note("event.demand", told, ("15.0-b1",), label))
        case "random":  # [R50]: unseen, as cards laid face-down
            cards.discard(s, foe(f.seat), [str(slot) for slot in values])
            f.step = "over"
        case "sniper":
            _shoot(s, f, row, int(str(values[0])), label, tell)


def _shoot(s: State, f: EventFrame, row: Play, die: int, label: str, tell: Tell) -> None:
    name, f.step = f.target, "over"
    alone = not counters_at(s, at(s, name), foe(f.seat))
    hit = die >= (row.other if alone else row.success)
    tell(Note("event.sniper_hits" if hit else "event.sniper_misses", {"leader": name, "die": die}, ("15.0-b1",), label))
    if hit:
        s.frames.remove(f)
        leaders.kill(s, name, tell)


def to_open(s: State, order: Event, known: Known) -> tuple[str, ...]:
    """Units that an event must show."""
    return tuple(id for id in order.units if is_closed(id, {}))


# --- menus ---


def offers(s: State, seat: str, known: Known) -> Iterator[Order]:
    """Events that could be played now, with the first aims that fit."""
    if seat in s.events:
        return
    seen: set[str] = set()
    for slot, card in hand(s, seat, known):
        row = s.board.play(card.id, "event")
        if row is None or card.id in seen:
            continue
        seen.add(card.id)
        for order in _tries(s, seat, slot, row, known):
            if refuse(s, seat, order, known) is None:
                yield order


def _tries(s: State, seat: str, slot: str, row: Play, known: Known) -> Iterator[Event]:
    own = [id for id in s.counters if seat_of(s, id) == seat and unit_of(s, id, known) is not None]
    match row.do:
        case "commit_reserve":
            units = reserve(s, row)[: row.count]
            for space in arrivals(s, seat):
                if not counters_at(s, space):
                    yield Event(card=slot, spaces=(space,) * len(units), units=units)
                    return
            yield Event(card=slot)
        case "fifth_columnists":
            spaces = [space for space in s.board.spaces if counters_at(s, space, BRITISH)]
            closed = [space for space in spaces if any(is_slot(id) for id in counters_at(s, space, BRITISH))]
            yield Event(card=slot, spaces=tuple((closed or spaces)[: row.count]))
        case "sniper":
            for name in s.leaders:
                if seat_of(s, name) != JAPAN or s.leaders[name].at not in s.board.spaces:
                    continue
                near = within(s, s.leaders[name].at, row.count)
                yield from (Event(card=slot, units=(name, id)) for id in own if s.counters[id].at in near)
        case "dig_in":
            for id in own:
                if s.counters[id].at in s.board.spaces:
                    yield Event(card=slot, spaces=(s.counters[id].at,), units=(id,))
        case "rally":
            hurt = [id for id in own if s.counters[id].disrupted]
            if hurt:
                yield Event(card=slot, units=tuple(hurt[: row.count]))
        case _:
            yield Event(card=slot)
