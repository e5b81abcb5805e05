"""Cards that strike without a combat: guns and aircraft on batteries, gunboats on the coast. [2.32d, 2.1c]"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Ask, Illegal, Known, Note, Order, Roll, Tell
from rules.glory_recalled import cards, control, hits, leaders
from rules.glory_recalled.action import play_of
from rules.glory_recalled.frames import Bombardment, Shelling
from rules.glory_recalled.orders import Bombard, Hits, Shell
from rules.glory_recalled.state import BRITISH, State, card_of, counters_at, foe, leader_at, units_at

# --- batteries ---


def refuse_bombard(s: State, seat: str, order: Bombard, known: Known) -> Illegal | None:
    """A British battery, a grey one by aircraft only until troops have landed. [14.0-b3, R30]"""
    wrong = cards.refuse_held(s, seat, order.card, known)
    if wrong is not None:
        return wrong
    card, play = card_of(s, order.card, known), play_of(s, order.card, known)
    if card is None or play is None or play.do != "bombard":
        return Illegal("this card bombards no battery", ("14.0-b3", "R30"))
    if card.kind == "air" and "heavy_rain" in s.effects:
        return Illegal("no aircraft fly in the heavy rain", ("R41",))
    return refuse_target(s, order.space) or _refuse_grey(s, order.space, play.grey)


def refuse_target(s: State, space: str) -> Illegal | None:
    """Whether a battery there can be destroyed."""
    if space not in s.board.spaces or not s.board.space(space).battery:
        return Illegal(f"{space} is no battery", ("2.32d",), f"batteries: {', '.join(control.batteries(s, BRITISH))}")
    if space in s.destroyed:
        return Illegal(f"the battery of {space} is destroyed", ("2.32f",))
    if not control.holds(s, BRITISH, space):
        return Illegal(f"the battery of {space} is Japanese", ("R30",))
    return None


def _refuse_grey(s: State, space: str, grey: str) -> Illegal | None:
    if "heavy_battery" in s.board.space(space).kinds and grey == "landed" and not s.landed:
        return Illegal("before a landing only aircraft reach the grey batteries", ("2.32e", "PA-b"))
    return None


def bombard(s: State, seat: str, order: Bombard, tell: Tell) -> Bombardment:
    """It is announced; the window may still answer."""
    card = s.board.cards[s.opened[order.card]]
    cards.discard(s, seat, (order.card,))
    tell(Note("bombardment", {"card": card.name, "place": s.board.name(order.space)}, ("2.32d",)))
    frame = Bombardment("roll", seat, order.space, card.id)
    s.frames.append(frame)
    return frame


def bombardment_waits(s: State, f: Bombardment) -> tuple[Roll, ...]:
    """The flak's die, then the guns'."""
    if f.step == "flak":
        return (Roll(f"t{s.turn}/r{s.round}/flak/{f.space}", "14.0-b5", dice=(6,)),)
    return (Roll(f"t{s.turn}/r{s.round}/bombard/{f.space}", "2.32d", dice=(6,)),) if f.step == "roll" else ()


def bombardment_rolled(s: State, f: Bombardment, die: int, label: str, tell: Tell) -> None:
    """Flak may stop it; else the battery is destroyed or stands. [R30]"""
    place = s.board.name(f.space)
    if f.step == "flak":
        play = next(p for plays in s.board.plays.values() for p in plays if p.do == "stop_bombardment")
        stopped = die >= play.success
        tell(Note("flak.stops" if stopped else "flak.misses", {"die": die, "place": place}, ("14.0-b5",), label))
        f.step = "over" if stopped else "roll"
        return
    play_row = s.board.play(f.card, "action")
    success = play_row.success if play_row is not None else 7
    f.step = "over"
    if die < success:
        tell(Note("bombardment.misses", {"die": die, "place": place}, ("2.32d",), label))
    else:
        tell(Note("bombardment.hits", {"die": die, "place": place}, ("2.32d",), label))
        control.destroy(s, f.space, tell)


# --- gunboats ---


def refuse_shell(s: State, seat: str, order: Shell, known: Known) -> Illegal | None:
    """Two hits on one enemy stack in a coastal space. [2.1c, 14.0-b2, R46]"""
    wrong = cards.refuse_held(s, seat, order.card, known)
    if wrong is not None:
        return wrong
    play = play_of(s, order.card, known)
    if play is None or play.do != "shell":
        return Illegal("this card shells no stack", ("R46", "R62"))
    if order.space not in s.board.spaces or not s.board.space(order.space).coastal:
        return Illegal(f"{order.space} is not coastal", ("R46", "2.1c"))
    if not counters_at(s, order.space, foe(seat)):
        return Illegal(f"no enemy stack is in {order.space}", ("R46",))
    return None


def shell(s: State, seat: str, order: Shell, tell: Tell) -> None:
    """The owner takes the hits as he likes."""
    card = s.board.cards[s.opened[order.card]]
    play = s.board.play(card.id, "action")
    assert play is not None
    cards.discard(s, seat, (order.card,))
    tell(Note("shelling", {"place": s.board.name(order.space), "hits": play.amount}, ("2.1c", "R46")))
    s.frames.append(Shelling("hits", foe(seat), order.space, play.amount, units_at(s, order.space, foe(seat))))


def shelling_waits(s: State, f: Shelling) -> tuple[Ask | Roll, ...]:
    """The hits, where there is a choice; then a leader's die."""
    if f.step == "hits" and f.hits < hits.capacity(s, f.units):
        return (Ask(f.seat, "take_hits", "R46"),)
    if f.step.startswith("check:"):
        return (leaders.check(s, f.step.split(":")[1]),)
    return ()


def shelling_go_on(s: State, f: Shelling, tell: Tell) -> None:
    """All are eliminated where the hits are enough; then it is over."""
    if f.step == "hits":
        suffer(s, f, tuple((id, "eliminate") for id in hits.involved(s, f, f.seat)), tell)
    else:
        s.frames.remove(f)


def suffer(s: State, f: Shelling, fates: tuple[tuple[str, ...], ...], tell: Tell) -> None:
    """The hits come true."""
    before = dict.fromkeys(hits.involved(s, f, f.seat), f.space)
    f.hits -= hits.taken(s, f, f.seat, f.hits)
    hits.suffer(s, f, f.seat, fates, tell)
    leader = leader_at(s, f.space, f.seat)
    alone = leader is not None and not counters_at(s, f.space, f.seat) and not any(id in s.counters for id in before)
    f.step = f"check:{leader}" if alone else "over"


def shelling_rolled(s: State, f: Shelling, die: int, label: str, tell: Tell) -> None:
    """A leader whose troops the gunboats have eliminated."""
    name, f.step = f.step.split(":")[1], "over"
    leaders.fall_or_live(s, name, die, f.hits, label, tell)


def shelling_offers(s: State, f: Shelling, known: Known) -> Iterator[Order]:
    for way in hits.ways(s, f, f.seat, f.hits, known):
        if not isinstance(hits.refuse(s, f, f.seat, f.hits, way, known), Illegal):
            yield Hits(fates=way)


# --- menus ---


def offers(s: State, seat: str, known: Known) -> Iterator[Order]:
    """Every battery and stack that a card of the hand can strike."""
    seen: set[str] = set()
    for slot in s.cards[seat].hand:
        card, play = card_of(s, slot, known), play_of(s, slot, known)
        if card is None or play is None or card.id in seen or play.do not in ("bombard", "shell"):
            continue
        seen.add(card.id)
        places = s.board.batteries if play.do == "bombard" else tuple(s.board.spaces)
        for space in places:
            order = Bombard(space=space, card=slot) if play.do == "bombard" else Shell(space=space, card=slot)
            wrong = (
                refuse_bombard(s, seat, order, known)
                if isinstance(order, Bombard)
                else refuse_shell(s, seat, order, known)
            )
            if wrong is None:
                yield order
