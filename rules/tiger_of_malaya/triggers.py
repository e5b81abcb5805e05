"""Standing orders at their moment: whether they answer what is asked, and with what. [R107]

What is carried out is an order like any other, legal by public facts; where none comes of it the seat is asked.
Of two that fit the one given last goes first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.api import Ask, Illegal, Note, Order, Tell
from rules.kit.hexes import Hex
from rules.tiger_of_malaya import choosing, combat, garrison, losses, reaction, sea, terms
from rules.tiger_of_malaya.odds import defenders, everyone, guns
from rules.tiger_of_malaya.orders import Defend, Displace, Done, Evade, Garrison, Hold, Lose, Retreat, Stand
from rules.tiger_of_malaya.retreat import Path
from rules.tiger_of_malaya.standing import (
    DropStanding,
    StandingDisplace,
    StandingEvade,
    StandingGarrison,
    StandingHold,
    StandingLosses,
    StandingNoEvasion,
    StandingNoGarrison,
    StandingNoSupport,
    StandingOrder,
    StandingRetreat,
    StandingStand,
    StandingSupport,
)
from rules.tiger_of_malaya.state import ALLIES, JAPAN, Battle, Loss, State, foe, holder, level, points, steps, weight
from rules.tiger_of_malaya.zones import zone

MOST = 12
"""Standing orders that a seat may have."""
WHAT = {"zone": "retreat"}
"""What the orders call a loss, where it is another word than the rules'."""


# --- giving and dropping ---


def refuse(s: State, seat: str, order: StandingOrder | DropStanding) -> Illegal | None:
    """Whether a standing order may be given or dropped; it names units of one's own and hexes of the map."""
    own = mine(s, seat)
    if isinstance(order, DropStanding):
        if not own or (order.number or 1) > len(own):
            return Illegal(f"you have {len(own)} standing orders", ("R107",), "the report numbers them")
        return None
    if order in own:
        return Illegal("that stands already", ("R107",), f"it is number {own.index(order) + 1}")
    if len(own) >= MOST:
        return Illegal(f"a seat has at most {MOST} standing orders", ("R107",), "drop standing NUMBER")
    island = isinstance(order, StandingGarrison | StandingNoGarrison)
    if island and seat != JAPAN:
        return Illegal("Japan makes up the garrison", ("R107", "12.1.C"))
    for id in (*getattr(order, "units", ()), *getattr(order, "first", ()), *filter(None, [getattr(order, "unit", "")])):
        known = id in s.board.units or id in s.pieces
        if not known or s.board.side(id) != (ALLIES if island else seat):
            return Illegal(f"{id} is no {'Allied unit' if island else 'unit of yours'}", ("R107",))
    for hex in (*getattr(order, "to", ()), getattr(order, "hex", None) or ()):
        if hex and hex not in s.board.grid:
            return Illegal(f"{hex} is off the map", ("R107",))
    return None


def mine(s: State, seat: str) -> list[StandingOrder]:
    """A seat's standing orders, in the order given."""
    return [order for one, order in s.standing if one == seat]


def give(s: State, seat: str, order: StandingOrder, tell: Tell) -> None:
    """It stands from now on."""
    s.standing = (*s.standing, (seat, order))
    tell(Note("standing.given", {"side": _side(seat), "order": str(order)}, ("R107",)))


def drop(s: State, seat: str, order: DropStanding, tell: Tell) -> None:
    """One of them stands no more, or all."""
    own = mine(s, seat)
    gone = own if order.number is None else [own[order.number - 1]]
    s.standing = tuple((one, kept) for one, kept in s.standing if one != seat or kept not in gone)
    tell(Note("standing.dropped", {"side": _side(seat), "count": len(gone)}, ("R107",)))


def _side(seat: str) -> str:
    return terms.SIDES["japan" if seat == JAPAN else "allies"]


# --- carrying them out ---


ANSWERED = ("displace", "lose", "garrison", "react", "stand_or_retreat")
"""Questions that a standing order may answer."""


def answers(s: State, ask: Ask) -> list[Order]:
    """The orders that answer what is asked; none where the seat must say it itself."""
    told = list(reversed(mine(s, ask.seat)))
    found: Iterator[Order | None]
    match ask.what:
        case "react":
            return _reaction(s, ask.seat) if told else []
        case "displace":
            found = (_displaced(s, order) for order in told)
        case "lose":
            found = (_losses(s, s.losses[0], order) for order in told)
        case "garrison":
            found = (_garrison(s, order) for order in told)
        case _:
            found = (_result(s, s.battles[0], order) for order in told)
    return next(([order] for order in found if order is not None), [])


def _displaced(s: State, order: StandingOrder) -> Displace | None:
    """To the first hex wished that is open, else to one's own, else by number. [11.6.2.A]"""
    id = s.adrift[0].split()[0]
    if not isinstance(order, StandingDisplace) or order.unit not in (None, id):
        return None
    side = s.board.side(id)

    def rank(hex: Hex) -> tuple[int, bool, Hex]:
        return order.to.index(hex) if hex in order.to else len(order.to), holder(s, hex) != side, hex

    return Displace(unit=id, hex=min(sea.refuges(s), key=rank))


def _garrison(s: State, order: StandingOrder) -> Garrison | Done | None:
    """It is made up, or left. [12.1.C]"""
    if isinstance(order, StandingNoGarrison):
        return Done()
    if not isinstance(order, StandingGarrison):
        return None
    chosen = garrison.made_up(s, order.units, order.to)
    return chosen if garrison.refuse(s, chosen) is None else None


def _losses(s: State, loss: Loss, order: StandingOrder) -> Lose | None:
    """Units in the order wished, each until it is gone; a tank company where one must be among them. [9.3.3]"""
    if not isinstance(order, StandingLosses) or order.what not in (None, WHAT.get(loss.why, loss.why)):
        return None
    first = order.first

    def rank(id: str) -> tuple[int, int, int, str]:
        wished = first.index(id) if id in first else len(first)
        return wished, points(s, id), level(s, id).defence, id

    ranked = sorted(losses.alive(s, loss), key=rank)
    taken = [id for id in ranked for _ in range(steps(s, id))][: loss.steps]
    tanks = [id for id in ranked if s.board.kind(id) == "tank"]
    for last in (taken[-1:], tanks[:1]):
        chosen = Lose(units=(*taken[:-1], *last))
        if losses.refuse_lose(s, loss, chosen) is None:
            return chosen
    return None


def _result(s: State, b: Battle, order: StandingOrder) -> Stand | Retreat | None:
    """Steps or hexes, as far as somebody can go."""
    if isinstance(order, StandingStand) and order.hex in (None, b.hex) and b.rest <= (order.steps or b.rest):
        return Stand()
    if not isinstance(order, StandingRetreat) or order.hex not in (None, b.hex):
        return None
    able = combat.goers(s, b)
    if not able:
        return None
    full: dict[Hex, int] = {}
    paths = []
    for id, legal in able.items():
        path = _best(s, legal, order.to, foe(b.side), points(s, id), full)
        full[path[-1]] = full.get(path[-1], 0) + points(s, id)
        paths.append(path)
    chosen = Retreat(units=tuple(able), paths=tuple(paths))
    return chosen if combat.refuse_retreat(s, b, chosen) is None else None


def _best(s: State, legal: Sequence[Path], wished: Sequence[Hex], side: str, size: int, full: dict[Hex, int]) -> Path:
    """Over the hexes wished, out of zones, not where it is too full; else by number."""
    zones = zone(s, foe(side))

    def rank(path: Path) -> tuple[int, int, bool, Path]:
        missed = sum(hex not in path for hex in wished)
        there = weight(s, path[-1]) + full.get(path[-1], 0) + size
        return missed, len(zones.intersection(path[1:])), there > s.board.limit(path[-1]), path

    return min(legal, key=rank)


def _reaction(s: State, seat: str) -> list[Order]:
    """Evasions, who defends, then guns; only where every question is answered, or is none."""
    flights, flown = _evasions(s, seat)
    holds, held = _holds(s, seat)
    guns_named, armed = _guns(s, seat)
    return [*flights, *holds, *guns_named, Done()] if flown and held and armed else []


def _holds(s: State, seat: str) -> tuple[list[Order], bool]:
    """Who defends each hex that is too full: those wished first, then those that defend best. [5.0.H]"""
    found: list[Order] = []
    for b in choosing.crowds(s):
        told = [one for one in mine(s, seat) if isinstance(one, StandingHold) and one.hex in (None, b.hex)]
        if not told:
            return [], False
        found.append(_hold(s, b, told[-1].units))
    return found, True


def _hold(s: State, b: Battle, wished: Sequence[str]) -> Hold:
    def rank(id: str) -> tuple[int, int, str]:
        return wished.index(id) if id in wished else len(wished), -level(s, id).defence, id

    return choosing.best(s, b, sorted((id for id in everyone(s, b) if points(s, id)), key=rank))


def _evasions(s: State, seat: str) -> tuple[list[Order], bool]:
    ways: dict[str, list[Path]] = {}
    for id, path in reaction.evaders(s, seat):
        ways.setdefault(id, []).append(path)
    found: list[Order] = []
    for order in reversed(mine(s, seat)):
        if isinstance(order, StandingNoEvasion):
            return found, True
        if isinstance(order, StandingEvade):
            for id in [id for id in ways if id in order.units]:
                path = _best(s, ways.pop(id), order.to, seat, points(s, id), {})
                found.append(Evade(unit=id, path=path))
    return found, not ways


def _guns(s: State, seat: str) -> tuple[list[Order], bool]:
    """Guns to battles in the order in which these were declared, each as far as its support counts. [9.2.C]"""
    free = reaction.possible(s, seat)
    named: dict[Hex, list[str]] = {}
    open_hexes = {hex for _, hex in free}
    done = not open_hexes
    for order in reversed(mine(s, seat)):
        if done or isinstance(order, StandingNoSupport):
            done = True
            break
        if isinstance(order, StandingSupport):
            for b in s.battles:
                if order.hex in (None, b.hex) and b.hex in open_hexes:
                    used = {id for ids in named.values() for id in ids}
                    able = [id for id, hex in free if hex == b.hex and id not in used]
                    named.setdefault(b.hex, []).extend(_enough(s, b, [id for id in order.units or able if id in able]))
                    open_hexes.discard(b.hex)
            done = not open_hexes
    return [Defend(hex=hex, units=tuple(ids)) for hex, ids in named.items() if ids], done


def _enough(s: State, b: Battle, able: Sequence[str]) -> Iterator[str]:
    """Guns until the cap on support is reached."""  # [9.2.C, R42]
    cap = s.board.game.defence_support * sum(level(s, id).defence for id in defenders(s, b))
    taken: list[str] = []
    for id in able:
        more = [*taken, id]
        if guns(s, more, b.hex, attack=False, most=cap) > guns(s, taken, b.hex, attack=False, most=cap):
            taken = more
            yield id
