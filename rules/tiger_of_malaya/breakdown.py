"""Battalions that break down into companies and are made up again. [12.4]"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pbem.api import Illegal, Note, Tell
from rules.tiger_of_malaya import costs, movement
from rules.tiger_of_malaya.orders import Break, Reform
from rules.tiger_of_malaya.state import Piece, State, can_jungle, come, leave, of

BUSY = frozenset({"moved", "attacked", "bombarded", "entered", "replaced", "tried", "recovering"})


def free(s: State, pool: str) -> tuple[str, ...]:
    """The companies of a pool that nobody uses. [12.4.D]"""
    return tuple(id for id in s.board.company_ids(pool) if id not in s.pieces)


def begins(s: State, seat: str) -> bool:
    """Whether the impulse is at its start still. [12.4.A/1, R4]"""
    if s.phase == "mode" or s.plan[:1] == ("prepare",):
        return True
    facts = s.facts - {"moved-plane", "stage:1"}
    return not s.battles and not facts and not any(piece.marks & BUSY for _, piece in of(s, seat))


def refuse_break(s: State, seat: str, order: Break) -> Illegal | None:
    """A full battalion at the start of the impulse, companies enough in the pool. [3.3.2.A, 3.3.4.A, 12.4.A]"""
    unit, piece = order.unit, s.pieces.get(order.unit)
    if piece is None or not costs.acts(s, unit):
        return Illegal(f"{unit} may not act", ("2.2.P1", "3.3.1"))
    template = s.board.template(unit)
    if not template.companies or unit in s.weak:
        return Illegal(f"{unit} does not break down", ("12.4.A/1",))
    if not begins(s, seat):
        return Illegal("battalions break down when the impulse begins", ("12.4.A/1", "R4"))
    if piece.level:
        return Illegal(f"{unit} is not at full strength", ("3.3.2.A", "3.3.4.A", "3.3.5.D", "3.3.6.A"))
    if len(free(s, template.pool)) < template.companies:
        return Illegal(f"{len(free(s, template.pool))} companies are left", ("12.4.A/2",))
    return None


def split(s: State, order: Break, tell: Tell) -> None:
    """Companies take its place and all that it was. [12.4.A/1, R37, R83]"""
    piece, template = s.pieces[order.unit], s.board.template(order.unit)
    companies = free(s, template.pool)[: template.companies]
    jungle = can_jungle(s, order.unit)
    leave(s, order.unit)
    s.broken |= {order.unit}
    for id in companies:
        new = Piece(piece.at, 0, piece.supplied, True, piece.fresh, piece.start, piece.left, piece.marks)
        new.skilled = jungle and s.board.pools[template.pool].jungle == "inherited"
        come(s, id, new)
    if s.plan[:1] == ("move",):
        movement.ready(s)
    tell(Note("broken", {"unit": order.unit, "companies": ", ".join(companies)}, ("12.4.A/1",)))


def fits(s: State, unit: str, company: str) -> bool:
    """Whether a company is of the kind of a battalion: jungle-capable or not, where a pool has both. [12.4.C]"""
    both = s.board.pools[s.board.template(unit).pool].jungle == "inherited"
    return not both or can_jungle(s, company) == s.board.jungle(unit)


def refuse_reform(s: State, seat: str, order: Reform) -> Illegal | None:
    """Companies of its kind, as many as it makes, in one hex at the end of the impulse. [12.4.B, 12.4.C]"""
    unit = order.unit
    if unit not in s.broken or s.board.side(unit) != seat:
        return Illegal(f"{unit} is not broken down", ("12.4.B", "R83"))
    template = s.board.template(unit)
    mine = [id for id in order.companies if id in s.board.company_ids(template.pool) and id in s.pieces]
    if len(set(mine)) != len(order.companies) or len(mine) < template.companies:
        return Illegal(f"{template.companies} companies of its kind make up {unit}", ("12.4.C",))
    if len({s.pieces[id].at for id in mine}) > 1:
        return Illegal("the companies stand in several hexes", ("12.4.B",))
    if s.chit == "jungle" and not all(costs.acts(s, id) for id in mine):
        return Illegal(f"{unit} is not jungle-capable", ("3.3.1", "R8"))
    if not all(fits(s, unit, id) for id in mine):
        return Illegal(f"companies of another kind cannot make up {unit}", ("12.4.C",))
    return None if len(mine) == template.companies else Illegal(f"{template.companies} are enough", ("12.4.B",))


def join(s: State, order: Reform, tell: Tell) -> None:
    """It is a battalion at full strength again. [12.4.B, R37, R83]"""
    parts = [leave(s, id) for id in order.companies]
    whole = Piece(parts[0].at, 0, all(part.supplied for part in parts), start=parts[0].start)
    whole.marks = frozenset().union(*(part.marks for part in parts))
    come(s, order.unit, whole)
    s.broken -= {order.unit}
    tell(Note("reformed", {"unit": order.unit, "hex": whole.at}, ("12.4.B",)))


def offers(s: State, seat: str) -> Iterator[Reform]:
    """What can be made up again now."""
    if not s.broken:
        return
    together = Counter((piece.at, id.rstrip("0123456789")) for id, piece in of(s, seat) if id not in s.board.units)
    for unit in sorted(s.broken):
        template = s.board.template(unit)
        if s.board.side(unit) != seat:
            continue
        for hex, pool in sorted(together):
            if pool == template.pool and together[hex, pool] >= template.companies:
                here = [id for id in s.board.company_ids(pool) if id in s.pieces and s.pieces[id].at == hex]
                fit = [id for id in here if fits(s, unit, id)]
                yield Reform(unit=unit, companies=tuple(fit[: template.companies]))


def breaks(s: State, seat: str) -> Iterator[Break]:
    """What could break down."""
    return (Break(unit=id) for id, piece in of(s, seat) if not piece.level and s.board.template(id).companies)
