"""Sea Transport: from a pier or beside it to another. [2.31b, 7.3]"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Ask, Illegal, Known, Note, Order, Owes, Roll, Tell
from rules.glory_recalled import cards, control
from rules.glory_recalled.action import play_of, refuse_stack
from rules.glory_recalled.frames import Convoy
from rules.glory_recalled.movement import at, listed
from rules.glory_recalled.orders import Disrupt, Transport
from rules.glory_recalled.stacking import overstacked
from rules.glory_recalled.state import (
    BRITISH,
    State,
    counters_at,
    foe,
    holder_of,
    is_closed,
    leader_at,
    seat_of,
    stands,
    trace,
    unit_of,
)


def piers(s: State, seat: str) -> tuple[str, ...]:
    """The piers that a seat controls and no enemy stands on."""
    enemy = stands(s, foe(seat))
    return tuple(p for p in s.board.spaces_of("pier") if control.holds(s, seat, p) and p not in enemy)


def quay(s: State, pier: str) -> frozenset[str]:
    """A pier and the spaces linked to it. [R57]"""
    return frozenset((pier, *s.board.adjacent(pier)))


def beside_pier(s: State, seat: str) -> frozenset[str]:
    """Where troops board, and where they come back to. [14.1-b2]"""
    return frozenset(space for pier in piers(s, seat) for space in quay(s, pier))


def refuse(s: State, seat: str, order: Transport, known: Known) -> Illegal | Owes | None:
    """The card, fresh troops beside one pier, places beside another, the limits of card and scenario."""
    wrong = cards.refuse_held(s, seat, order.card, known)
    if wrong is not None:
        return wrong
    play = play_of(s, order.card, known)
    if play is None or play.do != "transport":
        return Illegal("this card ships nobody", ("14.0-b2", "R62"))
    if len(order.stacks) != len(order.spaces):
        return Illegal("each stack has its destination", ("R57",))
    goes = {id: to for stack, to in zip(order.stacks, order.spaces, strict=True) for id in stack}
    if sum(map(len, order.stacks)) != len(goes):
        return Illegal("a unit is named twice", ("R57",))
    verdict = _refuse_troops(s, seat, goes, play.count, play.other, known)
    if isinstance(verdict, Illegal):
        return verdict
    return _refuse_way(s, seat, goes, known) or verdict


def _refuse_troops(
    s: State, seat: str, goes: dict[str, str], units: int, chiefs: int, known: Known
) -> Illegal | Owes | None:
    owes: Owes | None = None
    names = [id for id in goes if id in s.leaders]
    counters = [id for id in goes if id not in s.leaders]
    for name in names:
        if seat_of(s, name) != seat or s.leaders[name].spent:
            return Illegal(f"{name} is not fresh", ("R57",))
    for id in counters:
        verdict = refuse_stack(s, seat, (id,), known)
        if isinstance(verdict, Illegal) and "12.0-b3" not in verdict.ids:
            return verdict
    sure = sum(unit_of(s, id, known) is not None for id in counters)
    if len(names) > chiefs or sure > units:
        return Illegal(f"the card ships {units} units and {chiefs} leader", ("R57", "R62"))
    if sure + sum(is_closed(id, known) for id in counters) > units:
        owes = Owes(f"at most {units} of the counters shipped are units")
    return owes


def _refuse_way(s: State, seat: str, goes: dict[str, str], known: Known) -> Illegal | Owes | None:
    starts = {at(s, id) for id in goes}
    for to in goes.values():
        if to not in s.board.spaces:
            return Illegal(f"{to} is not on the map", ("7.3-b6",))
        if holder_of(s, to) == foe(seat):
            return Illegal(f"{to} is held by the enemy", ("7.3-b2",))
    own = piers(s, seat)
    routes = [(a, b) for a in own for b in own if a != b and starts <= quay(s, a) and set(goes.values()) <= quay(s, b)]
    if not routes:
        hint = f"piers: {', '.join(own) or 'none'}"
        return Illegal("ships go from a pier of yours or beside it to another", ("2.31b", "R57"), hint)
    limit = s.board.setup.to_kowloon  # [17.3-n5]: None for any number
    across = seat == BRITISH and any(s.board.space(at(s, id)).half == "island" for id in goes)
    back = across and any(s.board.space(to).half == "kowloon" for to in goes.values())
    verdict = _refuse_back(s, goes, limit, known) if back and limit is not None else None
    if isinstance(verdict, Illegal):
        return verdict
    return overstacked(s, seat, goes, known) or _closed_takes(s, seat, goes, known) or verdict


def _refuse_back(s: State, goes: dict[str, str], limit: int, known: Known) -> Illegal | Owes | None:
    """At most four British units from the island to Kowloon in a game; in the Kowloon scenario none. [7.3a, R38]"""
    if limit == 0:
        return Illegal("nobody is shipped back to Kowloon in this scenario", ("17.1-b3",))
    gone = (*s.shipped, *(id for id in goes if id not in s.leaders))
    sure = sum(unit_of(s, id, known) is not None for id in gone)
    if sure > limit:
        return Illegal(f"only {limit} British units go from the island to Kowloon in a game", ("7.3a", "R38"))
    if sure + sum(is_closed(id, known) for id in gone) > limit:
        return Owes(f"at most {limit} units went from the island to Kowloon")
    return None


def _closed_takes(s: State, seat: str, goes: dict[str, str], known: Known) -> Illegal | None:
    for to in goes.values():
        if control.changes(s, seat, (to,)) and not any(
            unit_of(s, id, known) is not None for id in goes if goes[id] == to
        ):
            return Illegal("only a unit that is shown takes a place from the enemy", ("13.0-b3",))
    return None


def to_open(s: State, seat: str, order: Transport, known: Known) -> tuple[str, ...]:
    """Units that must be shown because they take a place."""
    found: list[str] = []
    for stack, to in zip(order.stacks, order.spaces, strict=False):
        if to in s.board.spaces and control.changes(s, seat, (to,)):
            found += [id for id in stack if is_closed(id, {}) and unit_of(s, id, known) is not None][:1]
    return tuple(found)


def begin(s: State, seat: str, order: Transport, tell: Tell) -> None:
    """The convoy is announced."""
    card = s.board.cards[s.opened[order.card]]
    cards.discard(s, seat, (order.card,))
    goes = {id: to for stack, to in zip(order.stacks, order.spaces, strict=True) for id in stack}
    told = {"side": control.side(seat), "units": listed(s, tuple(goes)), "card": card.name}
    tell(Note("convoy", told, ("2.31b",)))
    s.frames.append(Convoy("sail", seat, card.id, goes))


def waits(s: State, f: Convoy) -> tuple[Ask | Roll, ...]:
    """Torpedo boats, if they came."""
    if f.step == "torpedo":
        return (Roll(f"t{s.turn}/r{s.round}/torpedo", "15.0-b3", dice=(6,)),)
    if f.step == "hurt":
        return (Ask(f.seat, "choose_disrupted", "15.0-b3"),)
    return ()


def struck(s: State, f: Convoy, die: int, label: str, tell: Tell) -> None:
    """Torpedo boats find the convoy, or not."""
    hit = torpedo_hits(s, die, label, tell)
    f.step = "hurt" if hit and not _all_hit(s, f, hit) else "sail"


def torpedo_hits(s: State, die: int, label: str, tell: Tell) -> int:
    """Units that torpedo boats disrupt."""
    play = next(p for plays in s.board.plays.values() for p in plays if p.do == "torpedo")
    hit = play.count if die >= play.success else 0
    tell(Note("torpedo.hits" if hit else "torpedo.misses", {"die": die, "count": hit}, ("15.0-b3",), label))
    return hit


def victims(s: State, ids: Iterator[str] | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    """Those that can be disrupted; with nobody fresh-sided left, nobody is."""
    return tuple(id for id in ids if id in s.counters and not s.counters[id].disrupted)


def _all_hit(s: State, f: Convoy, count: int) -> bool:
    able = victims(s, list(f.goes))
    if len(able) > count:
        return False
    for id in able:
        s.counters[id].disrupted = True
    return True


def refuse_disrupt(s: State, able: tuple[str, ...], order: Disrupt) -> Illegal | None:
    """The owner picks two, undisrupted ones."""
    if len(set(order.units)) != min(2, len(able)) or not set(order.units) <= set(able):
        return Illegal("two undisrupted units of those at sea are disrupted", ("15.0-b3",), f"units: {', '.join(able)}")
    return None


def go_on(s: State, f: Convoy, tell: Tell) -> None:
    """They arrive and are spent."""
    for start, to in dict.fromkeys((at(s, id), to) for id, to in f.goes.items()):
        trace(s, f.seat, "move", (start, to))
    for id, to in f.goes.items():
        if id in s.leaders:
            s.leaders[id].at = to
        elif id in s.counters:
            if s.board.space(at(s, id)).half == "island" and s.board.space(to).half == "kowloon" and f.seat == BRITISH:
                s.shipped = (*s.shipped, id)
            s.counters[id].at = to
            s.counters[id].spent = True
            control.entered(s, id, (to,), tell)
    tell(Note("convoy.arrives", {"units": listed(s, tuple(f.goes))}, ("R57",)))
    s.frames.remove(f)


def offers(s: State, seat: str, known: Known) -> Iterator[Order]:
    """Convoys of one stack between each pair of piers, for the first card that ships."""
    card = next((slot for slot in s.cards[seat].hand if (p := play_of(s, slot, known)) and p.do == "transport"), None)
    own = piers(s, seat)
    if card is None or len(own) < 2:
        return
    for a in own:
        for start in sorted(quay(s, a)):
            stack = tuple(id for id in counters_at(s, start, seat) if not s.counters[id].spent)
            leader = leader_at(s, start, seat)
            for b in own:
                if not stack or a == b:
                    continue
                for group in (stack, (*stack[:1], *((leader,) if leader else ()))):
                    order = Transport(card=card, stacks=(group,), spaces=(b,))
                    if not isinstance(refuse(s, seat, order, known), Illegal):
                        yield order
                        break
