"""Recovery of artillery, bridges and forts. [11.1.2, 12.5, 12.6]"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.api import Illegal, Note, Tell
from rules.kit.hexes import Hex, ends
from rules.tiger_of_malaya.costs import acts
from rules.tiger_of_malaya.orders import Blow, Fort, Recover, Repair
from rules.tiger_of_malaya.state import JAPAN, State, foe, holder, is_gun, of, option, points, stack
from rules.tiger_of_malaya.zones import settle, zone

BUILDERS = ("infantry", "engineer", "machine-gun", "recon")
NO_MATTER = ("mortar", "mountain-artillery")


def refuse_recover(s: State, seat: str, order: Recover) -> Illegal | None:
    """Unavailable guns of a FULL impulse, one try each."""  # [11.1.2.B]
    if s.chit not in ("full", "jungle"):
        return Illegal("guns recover in a FULL impulse", ("11.1.2.B",))
    for id in order.units:
        piece = s.pieces.get(id)
        if piece is None or not acts(s, id) or not is_gun(s, id):
            return Illegal(f"{id} is no gun that may act", ("11.1.2.B", "3.3.1"))
        if piece.available or "recovering" in piece.marks:
            return Illegal(f"{id} is available or has tried", ("11.1.2.B", "11.1.2.C"))
    return Illegal("a gun is named twice", ("11.1.2.C",)) if len(set(order.units)) != len(order.units) else None


def recovered(s: State, units: tuple[str, ...], dice: tuple[int, ...], label: str, tell: Tell) -> None:
    """A die for each, the ground added; Japanese mortars and mountain guns do not mind it."""  # [11.1.2.C]
    said = []
    for id, die in zip(units, dice, strict=True):
        piece, template = s.pieces[id], s.board.template(id)
        hard = not (s.board.side(id) == JAPAN and template.kind in NO_MATTER)
        total = die + (s.board.recovery(piece.at) if hard and s.board.is_land(piece.at) else 0)
        piece.mark("recovering")
        piece.available = total <= template.recovery
        said.append(f"{id} {total} of {template.recovery}, {'available' if piece.available else 'not yet'}")
    tell(Note("recovered", {"units": "; ".join(said)}, ("11.1.2.C.1",), label))


def refuse_bridge(s: State, seat: str, name: str, *, down: bool, clause: str) -> Illegal | None:
    """A bridge both of whose hexes the seat controls."""
    if name not in s.board.bridges and name != s.board.game.causeway:
        return Illegal(f"{name} is no bridge", ("12.6.P1",))
    if (name in s.destroyed) != down:
        return Illegal(f"{name} is {'whole' if down else 'down'}", (clause,))
    if f"tried:{name}" in s.facts:
        return Illegal(f"{name} was tried in this impulse", (clause, "R85"))
    if any(holder(s, hex) != seat for hex in ends(name)):
        return Illegal(f"both hexes of {name} must be yours", (clause,))
    return None


def refuse_blow(s: State, seat: str, order: Blow) -> Illegal | None:
    """Three points or an engineer in one of the hexes."""  # [12.6.1.A, R85]
    wrong = refuse_bridge(s, seat, order.bridge, down=False, clause="12.6.1.A")
    if wrong is not None:
        return wrong
    for id in order.units:
        if id not in s.pieces or not acts(s, id) or s.pieces[id].at not in ends(order.bridge):
            return Illegal(f"{id} does not stand at {order.bridge}", ("12.6.1.A", "3.3.1"))
        if "tried" in s.pieces[id].marks:
            return Illegal(f"{id} has tried a bridge", ("R85",))
    engineers = any(s.board.kind(id) == "engineer" for id in order.units)
    enough = sum(points(s, id) for id in order.units) >= s.board.game.demolition_points
    if len({s.pieces[id].at for id in order.units}) > 1 or not (engineers or enough):
        return Illegal("three points or an engineer in one hex are needed", ("12.6.1.A",))
    return None if len(set(order.units)) == len(order.units) else Illegal("named twice", ("12.6.1.A",))


def blown(s: State, name: str, units: tuple[str, ...], die: int, label: str, tell: Tell) -> None:
    """2 or more with engineers, else 4 or more; the causeway takes one off for the Allies."""
    # [12.6.1.B, 12.6.3.A, R86]
    game = s.board.game
    engineers = any(s.board.kind(id) == "engineer" for id in units)
    less = game.causeway_penalty if name == game.causeway and s.active != JAPAN else 0
    if option(s, "r86") == "plus":
        less = -less
    works = die - less >= (game.demolition_engineers if engineers else game.demolition)
    s.facts |= {f"tried:{name}"}
    for id in units:
        s.pieces[id].mark("tried")  # [12.6.1.C]
    if works:
        s.destroyed |= {name}
        settle(s)
    tell(Note("bridge.down" if works else "bridge.stands", {"bridge": name, "die": die}, ("12.6.1.B",), label))


def refuse_repair(s: State, seat: str, order: Repair) -> Illegal | None:
    """Engineers that were there all the impulse and did not fight."""  # [12.6.2.A, R87]
    if s.chit in ("half", "attack") or s.mode == "attack":
        return Illegal("no bridge is repaired in this impulse", ("12.6.2.A",))
    wrong = refuse_bridge(s, seat, order.bridge, down=True, clause="12.6.2.A")  # [12.6.3.B]
    if wrong is not None:
        return wrong
    for id in order.units:
        piece = s.pieces.get(id)
        if piece is None or not acts(s, id) or piece.at not in ends(order.bridge) or s.board.kind(id) != "engineer":
            return Illegal(f"{id} is no engineer at {order.bridge}", ("12.6.2.A",))
        if piece.marks & {"moved", "fought", "entered", "advanced"} or piece.start != piece.at:
            return Illegal(f"{id} has moved or fought", ("12.6.2.A",))
    if len({s.pieces[id].at for id in order.units}) > 1 or len(set(order.units)) != len(order.units):
        return Illegal("the engineers stand in one hex", ("12.6.2.A", "R87"))
    return None


def repaired(s: State, name: str, units: tuple[str, ...], die: int, label: str, tell: Tell) -> None:
    """A die and the points of the engineers; 6 is enough."""  # [12.6.2.B]
    more = sum(points(s, id) for id in units)
    works = die + more >= s.board.game.repair
    s.facts |= {f"tried:{name}"}
    told: dict[str, str | int] = {"bridge": name, "die": die, "more": more}
    if works:
        s.destroyed -= {name}
        settle(s)
    tell(Note("bridge.repaired" if works else "bridge.broken", told, ("12.6.2.B",), label))


def builders(s: State, hex: Hex) -> int:
    """The points in a hex that build, engineers twice."""  # [12.5.B, 12.5.C]
    total = 0
    for id in stack(s, hex):
        kind, piece = s.board.kind(id), s.pieces[id]
        if acts(s, id) and kind in BUILDERS and not piece.marks & {"moved", "advanced", "entered"}:
            total += points(s, id) * (s.board.game.fort_engineers if kind == "engineer" else 1)
    return total


def refuse_fort(s: State, seat: str, order: Fort) -> Illegal | None:
    """Six points that have not moved, out of enemy zones."""  # [12.5.B, R84]
    if s.chit not in ("full", "jungle"):
        return Illegal("a fort is built in a FULL impulse", ("12.5.B",))
    if order.hex in s.forts or sum(side == seat for side in s.forts.values()) >= s.board.game.forts:
        return Illegal("there is one, or no counter is left", ("12.5.B", "R84"))
    if order.hex not in s.board.grid or order.hex in zone(s, foe(seat)):
        return Illegal(f"{order.hex} is in an enemy zone or off the map", ("12.5.B",))
    if builders(s, order.hex) < s.board.game.fort_points:
        return Illegal(f"{order.hex} has {builders(s, order.hex)} points that build", ("12.5.B",), "6 are needed")
    return None


def abandon(s: State, tell: Tell) -> None:
    """A fort without its builder's units at the end of his impulse is gone."""  # [12.5.D]
    for hex, side in list(s.forts.items()):
        if side == s.active and not any(s.board.side(id) == side for id in stack(s, hex)):
            del s.forts[hex]
            tell(Note("fort.gone", {"hex": hex}, ("12.5.D",)))


def crossings(s: State) -> tuple[str, ...]:
    """Every bridge and the causeway."""
    return (*s.board.bridges, s.board.game.causeway)


def groups(units: tuple[str, ...]) -> list[tuple[str, ...]]:
    """One unit or all of them."""
    return sorted({units, *((id,) for id in units)}) if units else []


def offers(s: State, seat: str, step: str) -> Iterator[Blow | Recover | Repair | Fort]:
    """What can be done of all this now: by one unit, by all engineers of a hex, by all units of a hex."""
    own = [(id, piece) for id, piece in of(s, seat) if s.chit != "jungle" or acts(s, id)]
    if step == "prepare":
        for id, piece in own:
            if s.chit in ("full", "jungle") and is_gun(s, id) and not piece.available:
                yield Recover(units=(id,))
    by_hex: dict[Hex, list[str]] = {}
    for id, piece in own:
        by_hex.setdefault(piece.at, []).append(id)
    wanted = [name for name in crossings(s) if (name in s.destroyed) == (step == "finish")]
    for name in wanted if step in ("prepare", "finish") else ():
        for there in [hex for hex in ends(name) if hex in by_hex]:
            if step == "finish":
                units = tuple(id for id in by_hex[there] if s.board.kind(id) == "engineer")
                yield from (Repair(bridge=name, units=group) for group in groups(units))
            else:
                units = tuple(id for id in by_hex[there] if "tried" not in s.pieces[id].marks)
                yield from (Blow(bridge=name, units=group) for group in groups(units))
    if step == "finish" and s.chit in ("full", "jungle"):
        yield from (Fort(hex=hex) for hex in sorted(by_hex) if builders(s, hex) >= s.board.game.fort_points)
