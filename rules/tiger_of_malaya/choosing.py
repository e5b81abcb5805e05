"""Who defends a hex that is too full, and which battle is fought first. [5.0.H, 9.3.A]"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.api import Illegal, Note, Tell
from rules.tiger_of_malaya.odds import everyone
from rules.tiger_of_malaya.orders import Arrange, Hold
from rules.tiger_of_malaya.state import Battle, State, points


def crowds(s: State) -> Iterator[Battle]:
    """The battles in which more points stand than may defend."""
    for b in s.battles:
        if sum(points(s, id) for id in everyone(s, b)) > s.board.limit(b.hex):
            yield b


def refuse_hold(s: State, order: Hold) -> Illegal | None:
    """Up to the limit of the hex, and nobody is left out for whom there is room."""  # [5.0.H, R26]
    b = next((b for b in crowds(s) if b.hex == order.hex), None)
    if b is None:
        return Illegal(f"{order.hex} is not attacked, or not too full: all defend", ("5.0.H",))
    there = [id for id in everyone(s, b) if points(s, id)]
    if not set(order.units) <= set(there) or len(set(order.units)) != len(order.units):
        return Illegal(f"{order.hex} holds: {', '.join(there)}", ("5.0.H",))
    room = s.board.limit(b.hex) - sum(points(s, id) for id in order.units)
    if room < 0:
        return Illegal(f"{order.hex} has room for {s.board.limit(b.hex)} points", ("5.0.H", "R26"))
    more = [id for id in there if id not in order.units and points(s, id) <= room]
    return Illegal(f"{more[0]} has room too", ("5.0.H", "R26")) if more else None


def hold(s: State, order: Hold, tell: Tell) -> None:
    """These defend, the others look on."""
    tell(Note("hold", {"hex": order.hex, "units": ", ".join(order.units)}, ("5.0.H",)))
    for b in s.battles:
        if b.hex == order.hex:
            b.held = order.units


def holds(s: State) -> Iterator[Hold]:
    """For every hex that is too full the units that defend best, and those that defend worst."""
    for b in crowds(s):
        there = [id for id in everyone(s, b) if points(s, id)]
        yield from (best(s, b, ranked) for ranked in (there, there[::-1]))


def best(s: State, b: Battle, ranked: Iterable[str]) -> Hold:
    """Units in this order, each for whom there is room."""
    room, found = s.board.limit(b.hex), list[str]()
    for id in ranked:
        if points(s, id) <= room:
            room -= points(s, id)
            found.append(id)
    return Hold(hex=b.hex, units=tuple(found))


def to_come(s: State) -> list[Battle]:
    """The battles that are not begun."""
    return [b for b in s.battles if b.step == "declared"]


def refuse_arrange(s: State, order: Arrange) -> Illegal | None:
    """Every battle to come, once."""  # [9.3.A]
    hexes = [b.hex for b in to_come(s)]
    if sorted(order.hexes) != sorted(hexes):
        return Illegal(f"name every battle to come: {' '.join(hexes) or 'none'}", ("9.3.A",))
    return None


def arrange(s: State, order: Arrange) -> None:
    """They are fought in this order; the one under way comes first."""
    coming = to_come(s)
    now = [b for b in s.battles if b not in coming]
    s.battles = now + sorted(coming, key=lambda b: order.hexes.index(b.hex))
