"""The garrison of Singapore Island. [12.1, R82]"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice

from pbem.api import Ask, Illegal, Note, Tell
from rules.kit.hexes import Hex
from rules.tiger_of_malaya.orders import Garrison
from rules.tiger_of_malaya.places import places
from rules.tiger_of_malaya.state import ALLIES, JAPAN, State, is_gun, of, points, put, weight
from rules.tiger_of_malaya.zones import settle


def strength(s: State) -> int:
    """The points of the Allies on the island."""
    return sum(points(s, id) for id, piece in of(s, ALLIES) if s.board.has("island", piece.at))


def lacking(s: State) -> int:
    """How many points the garrison is short of. [12.1.A]"""
    wanted = s.board.scenario.garrison
    return max(wanted - strength(s), 0) if wanted else 0


def refuse_leave(s: State, units: Iterable[str], to: Hex) -> Illegal | None:
    """Nobody leaves the island whom the garrison needs; who stays is the Allies' choice. [12.1.A, 12.1.B]"""
    if not s.board.scenario.garrison or s.board.has("island", to):
        return None
    # [12.1.B]: who stays is nobody's business
    away = sum(points(s, id) for id in units if s.board.side(id) == ALLIES and s.board.has("island", s.pieces[id].at))
    left = strength(s) - away
    if away and left < s.board.scenario.garrison:
        return Illegal(f"{left} points would stay on the island, {s.board.scenario.garrison} must", ("12.1.A",))
    return None


def watch(s: State) -> None:
    """Somebody was lost: Japan is asked once when the garrison falls short. [12.1.C, R82]"""
    if not lacking(s):
        s.short = ""
    elif not s.short and sources(s):
        s.short = "due"


def pending(s: State) -> Ask:
    """Japan may make it up."""
    return Ask(JAPAN, "garrison", "12.1.C")


def sources(s: State) -> list[str]:
    """The Allied units that Japan may send: on the mainland, able to move."""
    land = [id for id, piece in of(s, ALLIES) if not s.board.has("island", piece.at) and points(s, id)]
    return sorted(id for id in land if s.board.kind(id) != "coastal-artillery")


def fewest(s: State) -> int:
    """How many units are enough."""
    weights = sorted((points(s, id) for id in sources(s)), reverse=True)
    return next((n for n in range(1, len(weights) + 1) if sum(weights[:n]) >= lacking(s)), len(weights))


def open_hexes(s: State) -> list[Hex]:
    """Island hexes without Japanese units."""
    foes = places(s).anybody(JAPAN)
    return [hex for hex in s.board.region("island") if hex not in foes]


def refuse(s: State, order: Garrison) -> Illegal | None:
    """As few units as will do, to island hexes that hold them. [12.1.C, R82]"""
    able, count = sources(s), fewest(s)
    if len(set(order.units)) != len(order.units) or len(order.units) != len(order.hexes):
        return Illegal("name a hex for each unit, each unit once", ("12.1.C",))
    wrong = next((id for id in order.units if id not in able), "")
    if wrong:
        return Illegal(f"{wrong} is no Allied unit on the mainland that can move", ("12.1.C", "R82"))
    have = sum(points(s, id) for id in order.units)
    if len(order.units) != count or (have < lacking(s) and count < len(able)):
        return Illegal(f"{lacking(s)} points are lacking, {count} units make them up", ("12.1.C", "R82"))
    for hex in set(order.hexes):
        if hex not in open_hexes(s):
            return Illegal(f"{hex} is no hex of the island without Japanese", ("12.1.C", "R82"))
        more = sum(points(s, id) for id, to in zip(order.units, order.hexes, strict=True) if to == hex)
        if weight(s, hex) + more > s.board.limit(hex):
            return Illegal(f"{hex} holds {s.board.limit(hex)} points", ("12.1.C", "5.0.A", "R82"))
    return None


def send(s: State, order: Garrison, tell: Tell) -> None:
    """They are there at once. [12.1.C]"""
    for id, hex in zip(order.units, order.hexes, strict=True):
        piece = s.pieces[id]
        put(s, id, hex)
        if is_gun(s, id):
            piece.available = False
        tell(Note("garrison", {"unit": id, "hex": hex}, ("12.1.C",)))
    settle(s)


def made_up(s: State, wished: Sequence[str], hexes: Sequence[Hex]) -> Garrison:
    """As few units as will do: those wished first, then the greatest; in hexes wished, then where most room is."""
    found: list[str] = []
    ranked = sorted(sources(s), key=lambda id: (wished.index(id) if id in wished else len(wished), -points(s, id), id))
    for more in reversed(range(fewest(s))):
        left = [id for id in ranked if id not in found]
        found.append(next((id for id in left if _enough(s, [*found, id], left, more)), left[0]))
    first = [hex for hex in hexes if hex in open_hexes(s)]
    rest = sorted(set(open_hexes(s)).difference(first), key=lambda hex: (weight(s, hex) - s.board.limit(hex), hex))
    return Garrison(units=tuple(found), hexes=tuple(spread(s, found, (*first, *rest))))


def _enough(s: State, chosen: Sequence[str], left: Sequence[str], more: int) -> bool:
    """Whether these and the greatest `more` of the others make up what is lacking."""
    others = sorted((points(s, id) for id in left if id not in chosen), reverse=True)
    return sum(points(s, id) for id in chosen) + sum(others[:more]) >= lacking(s)


def offers(s: State) -> Iterator[Garrison]:
    """Some ways to make it up."""
    hexes = sorted(open_hexes(s), key=lambda hex: (weight(s, hex) - s.board.limit(hex), hex))
    for units in islice(combinations(sources(s), fewest(s)), 40):
        yield Garrison(units=units, hexes=tuple(spread(s, units, hexes)))


def spread(s: State, units: Sequence[str], hexes: Sequence[Hex]) -> Iterator[Hex]:
    """The first hex with room for each."""
    used: dict[Hex, int] = {}
    for id in units:
        for hex in hexes:
            if weight(s, hex) + used.get(hex, 0) + points(s, id) <= s.board.limit(hex):
                used[hex] = used.get(hex, 0) + points(s, id)
                yield hex
                break
