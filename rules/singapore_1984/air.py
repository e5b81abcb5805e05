"""Air points: where they are based, how far they reach, what is used up. [9.8]"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.api import Illegal, Note, Tell
from rules.kit.hexes import Hex
from rules.singapore_1984 import supply, victory
from rules.singapore_1984.listing import Evacuation, Superiority
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import CW, JP, PLAYERS, SINGAPORE, State

NORTH_BASE = "north"


def left(s: State, side: Player) -> int:
    """Air points of a side that are not used up this turn. [9.83, 9.84]"""
    return total(s, side) - s.used.get(f"air-{side}", 0)


def total(s: State, side: Player) -> int:
    """Air points that came this turn: Japan's of the track, and what a side added. [9.8GRb, 13.81, 13.82a]"""
    return (s.board.air[s.turn] if side == JP else 0) + s.added.get(side, 0)  # [9.8PR, 9.83]


def arrive(s: State) -> None:
    """What the sides added comes, from the turn on that they named; none that is gone for good. [9.83, 13.82b, R58]"""
    s.added = {side: points for side in PLAYERS if (points := brought(s, side))}


def brought(s: State, side: Player) -> int:
    """What a side added, as far as it was shown and its turn has come."""
    points, _, first = s.opened.get("13.81" if side == JP else "13.82", "no").partition("-")
    if points == "no" or s.turn < int(first):
        return 0
    return max(0, int(points) - (s.flown if side == CW else 0))


def shown(s: State, side: Player) -> None:
    """What is shown in the course of a turn is there at once; Japan then says what it puts up against it. [R87]"""
    points = brought(s, side)
    if points:
        s.added[side] = points
        if side == CW and s.step not in ("dawn", "deploy-cw", "deploy-jp", "airevac", "airsup"):
            s.used["airsup-late"] = 1


def bases(s: State, side: Player) -> tuple[Hex, ...]:
    """Airfields that may be used: held since before this turn, and in supply. [9.82a, 9.82b, R35]

    Once the island is fought for, 1826 is no airfield: those of the inset are. [2.1b]
    """
    lines = supply.lines(s, side)
    allowance = s.board.game.base_allowance
    return tuple(
        hex
        for hex in sorted(s.board.airfields - ({SINGAPORE} if s.assault else set()))
        # [9.82a, 9.82b]
        if s.control.get(hex) == side and s.captured.get(hex, 0) < s.turn and lines.reaches(hex, allowance)
    )


def allot(s: State, side: Player, hexes: Sequence[Hex], points: int) -> dict[str, int] | None:
    """From which bases so many points come, the nearest first; None where they do not reach or are not there.

    [9.81, R34, R36] What exceeds six for each airfield flies from beyond the north edge.
    """
    if points > left(s, side):
        return None
    found: dict[str, int] = {}
    for _, base, room in sorted(_near(s, side, _large(hexes))):
        take = min(room, points - sum(found.values()))  # [R35]
        if take > 0:
            found[base] = take
    return found if sum(found.values()) == points else None


def refuse_bases(s: State, side: Player, hexes: Sequence[Hex], points: int, named: Mapping[str, int]) -> Illegal | None:
    """Whether these bases send so many: usable, with room, in range. [9.81b, 9.81c, 9.82a, 9.82b, R35]"""
    if sum(named.values()) != points:
        return Illegal(f"the bases send {sum(named.values())} air points, not {points}", ("9.81b",))
    near = {base: room for _, base, room in _near(s, side, _large(hexes))}
    for base, some in named.items():
        if base == NORTH_BASE or base in bases(s, side):
            if base not in near:
                return Illegal(f"{base} is out of range", ("9.81c",))
            if some > near[base]:
                return Illegal(f"{max(0, near[base])} air points are left at {base}", ("9.81b",))
        elif s.control.get(base) == side and base in s.board.airfields and s.captured.get(base, 0) >= s.turn:
            return Illegal(f"{base} was taken this turn", ("9.82a",))
        elif s.control.get(base) == side and base in s.board.airfields:
            return Illegal(f"{base} is out of supply", ("9.82b",))
        else:
            return Illegal(f"{base} is no airfield of yours", ("9.81a",))
    return None


def named_bases(words: Sequence[str]) -> dict[str, int]:
    """`1106=6` as a base and its points; what is named twice adds up."""
    found: dict[str, int] = {}
    for word in words:
        base, _, points = word.partition("=")
        found[base] = found.get(base, 0) + int(points)
    return found


def _large(hexes: Sequence[Hex]) -> list[Hex]:
    """Hexes of the inset are measured at Singapore. [R36]"""
    return [SINGAPORE if hex.startswith("i") else hex for hex in hexes]


def _near(s: State, side: Player, hexes: Sequence[Hex]) -> Iterator[tuple[int, str, int]]:
    """Distance, base and room of every base in range."""
    game, usable = s.board.game, bases(s, side)
    for base in usable:
        far = max(s.board.distance(SINGAPORE if base.startswith("i") else base, hex) for hex in hexes)
        if far <= game.air_range:  # [2.3i]
            yield far, base, game.air_at_base - s.used.get(f"air@{base}", 0)
    far = max(int(hex[2:]) for hex in hexes) + game.air_north - 1  # [R34]
    if side == JP and far <= game.air_range:
        beyond = total(s, side) - game.air_at_base * len(usable)  # [9.81a]
        yield far, NORTH_BASE, max(0, beyond) - s.used.get(f"air@{NORTH_BASE}", 0)


def spend(s: State, side: Player, found: Mapping[str, int]) -> None:
    """They are used for this turn."""
    for base, points in found.items():
        s.used[f"air@{base}"] = s.used.get(f"air@{base}", 0) + points
        use(s, side, points)


def use(s: State, side: Player, points: int) -> None:
    """So many are used, from whichever base."""
    s.used[f"air-{side}"] = s.used.get(f"air-{side}", 0) + points


# --- superiority and the end of the Commonwealth's ---


def refuse_superiority(s: State, order: Superiority) -> Illegal | None:
    """As many as there are. [13.83a]"""
    if order.air > left(s, JP):
        return Illegal(f"{left(s, JP)} air points are there", ("13.83a",))
    return None


def superiority(s: State, order: Superiority, tell: Tell) -> None:
    """The other side must match them as far as it can. [13.83b, 13.83c, R77]"""
    matched = min(order.air, left(s, CW))
    use(s, JP, order.air)
    use(s, CW, matched)  # [13.83c]
    tell(Note("superiority", {"jp": order.air, "cw": matched}, ("13.83b",)))


def refuse_evacuation(s: State, order: Evacuation) -> Illegal | None:
    """As many as there are. [13.84a]"""
    if order.air > left(s, CW):
        return Illegal(f"{left(s, CW)} air points are there", ("13.84a",))
    return None


def evacuation(s: State, order: Evacuation, tell: Tell) -> None:
    """They are out for the game. [13.84a, 11.0m]"""
    s.flown += order.air
    s.added[CW] -= order.air
    tell(Note("airevac", {"air": order.air}, ("13.84a",)))


def capture(s: State, tell: Tell) -> None:
    """What is left of the Commonwealth's is captured. [13.84b, R58]"""
    taken = s.added.get(CW, 0)
    if taken:
        s.flown += taken
        s.added[CW] = 0
        s.used.pop("air-cw", None)
        victory.score(s, "air-captured", taken * s.board.awards["air-captured"])
        tell(Note("air_captured", {"air": taken}, ("13.84b",)))


def homeless(s: State) -> bool:
    """Whether no airfield of the island is left to the Commonwealth. [13.84b]"""
    return bool(s.assault) and not any(hex.startswith("i") and s.control.get(hex) == CW for hex in s.board.airfields)
