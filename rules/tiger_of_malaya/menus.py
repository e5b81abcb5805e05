"""Menus: orders worth trying at every question. `offers` are those that are accepted."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice

from pbem.api import Ask, Known, Order
from rules.kit.hexes import Hex
from rules.tiger_of_malaya import (
    air,
    arrivals,
    attack,
    boats,
    bombardment,
    breakdown,
    choosing,
    combat,
    costs,
    drafts,
    garrison,
    losses,
    movement,
    rail,
    reaction,
    sea,
    sequence,
    stacking,
    tether,
    trucks,
    turn,
    works,
)
from rules.tiger_of_malaya.orders import (
    Advance,
    Arrange,
    Attack,
    Base,
    Bombard,
    Chits,
    Defend,
    Discard,
    Displace,
    Done,
    Enter,
    Evade,
    Harass,
    Move,
    Play,
    Probe,
    Recall,
    Retreat,
    Stand,
    Support,
)
from rules.tiger_of_malaya.places import places
from rules.tiger_of_malaya.retreat import advances
from rules.tiger_of_malaya.standing import (
    StandingDisplace,
    StandingGarrison,
    StandingHold,
    StandingLosses,
    StandingNoEvasion,
    StandingNoGarrison,
    StandingNoSupport,
    StandingRetreat,
    StandingStand,
    StandingSupport,
)
from rules.tiger_of_malaya.state import ALLIES, JAPAN, State, foe, is_gun, level, occupied, of, points, stack

CROWD = 8
"""Units in a hex up to which every choice of those that must go is offered."""
BEST = ("full", "choice", "attack", "move", "half")


def offers(s: State, seat: str, known: Known) -> Iterator[Order]:
    """Orders that are accepted now."""
    asked = [one for one in sequence.pending(s) if isinstance(one, Ask) and one.seat == seat and one.client is None]
    if not asked:
        return
    for order in candidates(s, seat, asked[0].what):
        if sequence.refuse(s, seat, order, known) is None:
            yield order


def candidates(s: State, seat: str, what: str) -> Iterator[Order]:
    """Orders worth trying at a question."""
    match what:
        case "choose_chits":
            yield Chits(chits=hand(s, seat, BEST))
            yield Chits(chits=hand(s, seat, BEST[::-1]))
        case "play_to":
            yield from (Play(how=how) for how in ("move", "attack"))
            yield from islice(breakdown.breaks(s, seat), 4)
        case "base_aircraft":
            yield Done()
            yield from (Base(plane=plane, hex=hex) for plane, hex in air.bases(s))
        case "garrison":
            yield Done()
            yield from (StandingGarrison(), StandingNoGarrison())
            yield from garrison.offers(s)
        case "discard":
            yield from islice(discards(s, seat), 20)
        case "displace":
            yield from (Displace(unit=s.adrift[0].split()[0], hex=hex) for hex in sea.refuges(s))
            yield StandingDisplace()
        case "support":
            pairs = reaction.possible(s, seat)
            yield Support()
            yield from (Support(units=(id,), hexes=(hex,)) for id, hex in pairs)
        case "react":
            yield Done()
            yield from (Defend(hex=hex, units=(id,)) for id, hex in reaction.possible(s, seat))
            yield from (Evade(unit=id, path=path) for id, path in reaction.evaders(s, seat))
            yield from choosing.holds(s)
            yield from (StandingSupport(), StandingNoSupport(), StandingNoEvasion(), StandingHold())
        case "lose":
            yield from losses.some_losses(s, s.losses[0])
            yield StandingLosses()
        case "stand_or_retreat":
            yield Stand()
            yield from (StandingStand(), StandingRetreat())
            able = combat.goers(s, s.battles[0])
            yield Retreat(units=tuple(able), paths=tuple(paths[0] for paths in able.values()))
        case "advance":
            yield Done()
            yield from (Advance(unit=id, path=path) for id, path in advances(s, s.battles[0]))
        case _:
            yield from act(s, seat, what)


def act(s: State, seat: str, step: str) -> Iterator[Order]:
    """The steps of an impulse."""
    yield Done()
    pressed = movement.duty(s) if step == "move" else None
    if pressed is not None and (way := tether.nearer(s, pressed)) is not None:
        yield way
    if step == "finish":
        yield from islice(discards(s, seat), 20)
        yield from breakdown.offers(s, seat)
    if step == "prepare":
        yield from islice(drafts.offers(s, seat), 12)
    yield from works.offers(s, seat, step)
    if seat == JAPAN:
        if air.over(s):
            yield Recall(plane=air.over(s))
        elif step == "prepare" or (step, s.chit) == ("declare", "attack"):
            hexes = sorted(places(s).anybody(ALLIES))
            yield from islice((Harass(hex=hex, plane=plane) for plane in air.ready(s) for hex in hexes), 4)
    if step == "move":
        yield from enters(s, seat)
        yield from islice(breakdown.breaks(s, seat), 4)
        yield from islice(rail.offers(s, seat), 6)
        yield from islice(trucks.offers(s, seat), 6)
        yield from islice(sea.offers(s, seat), 8)
        yield from islice(boats.offers(s, seat), 8)
        for id, _ in of(s, seat):
            yield from marches(s, id)
    if step == "bombard":
        yield from bombards(s, seat)
    if step == "declare":
        coming = [b.hex for b in s.battles]
        yield from (Arrange(hexes=tuple(coming[::-1])) for _ in coming[1:2])
        for order in attacks(s, seat):
            yield order
            yield Probe(hex=order.hex, units=order.units)


def discards(s: State, seat: str) -> Iterator[Discard]:
    """The few units that must go from a hex that is too full, those that defend least first.

    Out of a crowd one way is offered: the greatest units first, which are as few as will do.
    """
    for hex, over in sorted(stacking.crowded(s, seat).items()):
        units = sorted((id for id in stack(s, hex) if points(s, id)), key=lambda id: (level(s, id).defence, id))
        fewest = stacking.fewest(s, hex, over)
        ways = combinations(units, len(fewest)) if len(units) <= CROWD else iter((fewest,))
        yield from (Discard(units=few) for few in ways if sum(points(s, id) for id in few) >= over)


def enters(s: State, seat: str) -> Iterator[Enter]:
    """Reinforcements that are due, each at every gate."""
    for id, arrival in arrivals.arrivals(s):
        if s.board.side(id) == seat:
            yield from (Enter(unit=id, hex=hex) for hex in arrivals.gates(s, arrival.hex, seat))


def marches(s: State, unit: str) -> Iterator[Move]:
    """The farthest way of a unit."""
    piece = s.pieces[unit]
    if piece.left or not piece.marks & {"moved", "entered"}:
        ways = costs.reachable(s, unit)
        if ways:
            yield Move(units=(unit,), path=min(ways.values(), key=lambda path: (-len(path), path)))


def hand(s: State, seat: str, order: tuple[str, ...]) -> tuple[str, ...]:
    """Chits in this order of liking, the jungle one among those of the Allies."""
    mix = s.board.chits[JAPAN if seat == JAPAN else ALLIES]
    every = [kind.upper() for kind in order for _ in range(mix.get(kind, 0))]  # type: ignore[call-overload]
    need = ["JUNGLE"] if seat == ALLIES else []
    return tuple([*need, *every][: turn.chits(s, seat)])


def bombards(s: State, seat: str) -> Iterator[Bombard]:
    """Every hex with all that reaches it, or with guns alone."""
    for hex in sorted(places(s).anybody(foe(seat))):
        guns = tuple(id for id, _ in of(s, seat) if is_gun(s, id) and bombardment.refuse_fire(s, seat, id, hex) is None)
        planes = tuple(plane for plane in air.ready(s) if seat == JAPAN and air.in_range(s, plane, hex))
        if guns or planes:
            yield Bombard(hex=hex, units=(*guns, *planes))


def attacks(s: State, seat: str) -> Iterator[Attack]:
    """Every enemy hex with all units beside it that may attack it, fewer where they are too many."""
    taken = {b.hex for b in s.battles}
    for hex in sorted(occupied(s, foe(seat)) - taken):
        near = [id for there in s.board.grid.neighbours(hex) for id in stack(s, there) if s.board.side(id) == seat]
        units = attack.joined(s, hex, near)
        if units:
            yield Attack(hex=hex, units=units)
        yield from by_boat(s, seat, hex)


def by_boat(s: State, seat: str, hex: Hex) -> Iterator[Attack]:
    """An attack over water with all that the boats of one hex take."""
    for boat, piece in of(s, seat):
        if s.board.kind(boat) not in boats.BOATS or not s.board.grid.adjacent(piece.at, hex):
            continue
        if s.board.edge(piece.at, hex).water not in ("river", "ocean"):
            continue
        able = [id for id in stack(s, piece.at) if boats.lifts(s, boat, id) and id != boat]
        fit = [id for id in able if attack.refuse_attacker(s, id, hex, ferried=True) is None]
        best = sorted(fit, key=lambda id: (-level(s, id).attack, id))
        units = tuple(best[: s.board.game.boat_factor * points(s, boat)])
        if units:
            yield Attack(hex=hex, units=units, boats=(boat,), ferried=units)
