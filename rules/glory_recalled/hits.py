"""What hits do: disruption, retreat, elimination, staying instead of advancing. [9.6, 9.7, 9.8]"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from itertools import combinations, islice

from pbem.api import Illegal, Known, Note, Owes, Tell, silent
from rules.glory_recalled import control
from rules.glory_recalled.frames import Combat, Shelling
from rules.glory_recalled.movement import at, place
from rules.glory_recalled.stacking import room
from rules.glory_recalled.state import BRITISH, State, counters_at, foe, holder_of, leader_at, marked, seat_of, trace

Fates = Sequence[tuple[str, ...]]
Way = tuple[tuple[str, ...], ...]

WAYS = 5000
"""Ways of taking hits that are looked through."""


def involved(s: State, f: Combat | Shelling, seat: str) -> tuple[str, ...]:
    """The units of a side that can take hits, the main force first, those still there."""
    if isinstance(f, Shelling):
        return tuple(id for id in f.units if id in s.counters)
    ids = (*f.main, *f.second) if seat == f.seat else f.defenders
    return tuple(id for id in ids if id in s.counters)


def bears(s: State, id: str) -> int:
    """Hits that eliminate a unit: three fresh, two disrupted. [9.6-b5, R17]"""
    return s.board.game.disrupted_hits if s.counters[id].disrupted else s.board.game.fresh_hits


def capacity(s: State, ids: Iterable[str]) -> int:
    """All that units can take. [9.5-b4]"""
    return sum(bears(s, id) for id in ids)


# --- retreat ---


def routes(s: State, id: str, known: Known) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Where a unit may retreat to: surely, and where only the owner knows whether there is room. [9.8]"""
    here, seat = at(s, id), seat_of(s, id)
    if here not in s.board.spaces:
        return (), ()  # [9.8-b4]
    open_to = [to for to in s.board.adjacent(here) if _enterable(s, seat, to)]
    sure = tuple(to for to in open_to if room(s, seat, to, known)[0] > 0)
    maybe = tuple(to for to in open_to if to not in sure and room(s, seat, to, known)[1] > 0)
    if sure:
        return sure, maybe
    farther = sorted({to for full in open_to for to in s.board.adjacent(full) if to != here and to not in open_to})
    beyond = [to for to in farther if _enterable(s, seat, to)]
    far = tuple(to for to in beyond if room(s, seat, to, known)[0] > 0)
    far_maybe = tuple(to for to in beyond if to not in far and room(s, seat, to, known)[1] > 0)
    return ((), (*maybe, *far, *far_maybe)) if maybe else (far, far_maybe)  # [9.8-b2, R35]


def _enterable(s: State, seat: str, space: str) -> bool:
    """No enemy counter or leader, no enemy control marker; a landing box is no space. [9.8-b1, 9.8-b5]"""
    return holder_of(s, space) != foe(seat) and not (seat == BRITISH and marked(s, space))


def refuse_retreat(s: State, id: str, space: str, known: Known) -> Illegal | Owes | None:
    """Whether the unit may retreat there."""
    sure, maybe = routes(s, id, known)
    if space in sure:
        return None
    if space in maybe:
        return Owes(f"whether {space} had room for the retreat of {id}")
    here, seat = at(s, id), seat_of(s, id)
    hint = f"open to {id}: {', '.join((*sure, *maybe))}" if sure or maybe else f"{id} has no way out"
    if here in s.board.boxes:
        return Illegal("nobody retreats from a landing box", ("9.8-b4",))
    if space in s.board.boxes:
        return Illegal("nobody retreats into a landing box", ("9.8-b5",))
    none = () if sure or maybe else ("9.6-b6",)
    if space not in s.board.adjacent(here):
        return Illegal(f"{space} is too far for a retreat from {here}", ("9.8-b2", "9.8-b1", *none), hint)
    if not _enterable(s, seat, space):
        return Illegal(f"{space} is held or marked by the enemy", ("9.8-b1", *none), hint)
    return Illegal(f"{space} is full", ("9.8-b2", *none), hint)


# --- one order of hits ---


def taken(s: State, f: Combat | Shelling, seat: str, hits: int) -> int:
    """Hits that a side really takes. [9.5-b4]"""
    return min(hits, capacity(s, involved(s, f, seat)))


def may_stay(s: State, f: Combat | Shelling, seat: str) -> int:
    """How many winning attackers may stay instead of advancing as a retreat. [9.8-b7, 9.9-b3, R18]"""
    if isinstance(f, Shelling) or f.box or seat != f.seat or f.won != seat:
        return 0
    if counters_at(s, f.space, foe(seat)):
        return 0
    return max(0, s.board.game.space_units - len(f.stayed))


def refuse(s: State, f: Combat | Shelling, seat: str, hits: int, fates: Fates, known: Known) -> Illegal | Owes | None:
    """Whether these fates take exactly the hits, each of them possible when its turn comes."""
    units = involved(s, f, seat)
    named = [fate[0] for fate in fates]
    if len(set(named)) != len(named):
        return Illegal("a unit is named twice", ("9.6-b2",))
    wrong = _strangers(s, f, seat, named, units)
    if wrong is not None:
        return wrong
    low, high, doubts, owes, stays = 0, 0, 0, None, may_stay(s, f, seat)
    t = deepcopy(s) if len(fates) > 1 else s
    for number, fate in enumerate(sorted(fates, key=lambda fate: fate[0] in s.leaders), 1):
        verdict = _one(t, f, fate, fates, stays, known)
        if isinstance(verdict, Illegal):
            return verdict
        owes = verdict or owes
        if fate[0] in t.counters:
            least, most, doubt = _takes(t, fate, stays > 0, known)
            low, high, doubts = low + least, high + most, doubts + doubt
        stays -= "stay" in fate
        if number < len(fates):  # the next one finds the room that this one leaves
            _suffer(t, fate, silent)
    if not low <= hits <= high:
        took = str(high) if low == high else f"{low} to {high}"
        clause = "9.5-b2" if isinstance(f, Combat) and f.won != seat else "9.5-b3"
        return Illegal(f"{hits} hits are to be taken, these are {took}", (clause, "9.6-b4", "9.6-b5"))
    if hits < low + doubts and owes is None:
        owes = Owes("those eliminated had no way out")
    return _main_first(s, f, seat, hits, fates) or owes


def _strangers(s: State, f: Combat | Shelling, seat: str, named: list[str], units: tuple[str, ...]) -> Illegal | None:
    for id in named:
        if id in s.leaders and seat_of(s, id) == seat:
            continue
        if id not in units:
            return Illegal(f"{id} is not one of the units that take hits", ("9.6-b2",), f"units: {', '.join(units)}")
    return None


def _main_first(s: State, f: Combat | Shelling, seat: str, hits: int, fates: Fates) -> Illegal | None:
    """The main force takes all it can before the others. [9.6-b2, R19]"""
    if isinstance(f, Shelling) or seat != f.seat or not any(fate[0] in f.second for fate in fates):
        return None
    main = {id for id in f.main if id in s.counters}
    gone = {fate[0] for fate in fates if fate[1] == "eliminate"}
    if hits <= capacity(s, main) or not main <= gone:
        return Illegal("the main force takes all the hits it can before other stacks take any", ("9.6-b2", "R19"))
    return None


def _one(
    s: State, f: Combat | Shelling, fate: tuple[str, ...], fates: Fates, stays: int, known: Known
) -> Illegal | Owes | None:
    id = fate[0]
    if id in s.leaders:
        return _leader(s, fate, fates)
    if "disrupt" in fate and s.counters[id].disrupted:
        return Illegal(f"{id} is disrupted already: a hit makes it retreat, two eliminate it", ("9.6-b4",))
    if "retreat" in fate:
        return refuse_retreat(s, id, fate[-1], known)
    if "stay" in fate and stays <= 0:
        return Illegal(f"{id} could not advance, so it cannot stay instead", ("9.8-b7", "R18"))
    return None


def _leader(s: State, fate: tuple[str, ...], fates: Fates) -> Illegal | None:
    """A leader takes no hits; he may go with units that retreat from where he is. [9.6-b7, 9.8-b6, 11.0-b4]"""
    name = fate[0]
    if fate[1] != "retreat" or len(fate) != 3:
        return Illegal("leaders take no hits", ("9.6-b7", "11.0-b4"))
    beside = [one for one in fates if one[0] in s.counters and one[-1] == fate[2] and "retreat" in one]
    if not beside:
        return Illegal(f"{name} goes only where a unit beside him retreats to", ("9.8-b6",))
    if leader_at(s, fate[2], seat_of(s, name)) not in (None, name):
        return Illegal(f"there is a leader in {fate[2]}", ("11.0-b1",))
    return None


def _takes(s: State, fate: tuple[str, ...], stays: bool, known: Known) -> tuple[int, int, int]:
    """Hits that a fate takes: an elimination one less where there is no way out. [9.6-b3, 9.8-b3, R17]

    At least, at most, and 1 where only the owner knows whether there was a way out.
    """
    if fate[1] != "eliminate":
        return deeds(fate), deeds(fate), 0
    most = bears(s, fate[0])
    sure, maybe = routes(s, fate[0], known)
    return (most if sure or stays else most - 1), most, int(not sure and not stays and bool(maybe))  # [9.8-b3]


def suffer(s: State, f: Combat | Shelling, seat: str, fates: Fates, tell: Tell) -> None:
    """The fates come true, in their order; leaders last."""
    for fate in sorted(fates, key=lambda fate: fate[0] in s.leaders):
        if isinstance(f, Combat) and ("stay" in fate or ("retreat" in fate and seat == f.seat)):
            f.stayed = (*f.stayed, fate[0])
        _suffer(s, fate, tell)


def _suffer(s: State, fate: tuple[str, ...], tell: Tell) -> None:
    id = fate[0]
    if fate[1] == "eliminate":
        control.eliminate(s, id, tell)
        return
    if "disrupt" in fate:
        s.counters[id].disrupted = True  # [9.7-b1]
        tell(Note("unit.disrupted", {"unit": id}, ("9.7-b1", "9.6-b3")))
    if "stay" in fate:
        tell(Note("unit.stays", {"unit": id}, ("9.8-b7",)))
    if "retreat" in fate:
        told = {"unit": id, "from": s.board.name(at(s, id)), "to": s.board.name(fate[-1])}
        trace(s, seat_of(s, id), "retreat", (at(s, id), fate[-1]))
        place(s, id, fate[-1])
        control.entered(s, id, (fate[-1],), tell)
        tell(Note("unit.retreats", told, ("9.8-b1", "7.2-b4")))


# --- menus ---


def ways(s: State, f: Combat | Shelling, seat: str, hits: int, known: Known, to: Sequence[str] = ()) -> Iterator[Way]:
    """Ways that may take so many hits, the mildest first; sound, not complete, and no more than `WAYS`.

    Retreats rather go to the spaces `to`.
    """
    units = involved(s, f, seat)
    dead: Way = ()
    if not isinstance(f, Shelling) and seat == f.seat:
        units = tuple(id for id in f.main if id in s.counters)
        if hits > capacity(s, units):
            dead = tuple((id, "eliminate") for id in units)
            s = deepcopy(s)
            hits_left = (hits - capacity(s, units), hits - sum(bears(s, id) - 1 for id in units))
            for fate in dead:
                _suffer(s, fate, silent)
            units = tuple(id for id in f.second if id in s.counters)
            yield from ((*dead, *way) for way in _spread(s, f, seat, units, hits_left, known, to))
            return
    yield from _spread(s, f, seat, units, (hits, hits), known, to)


def _spread(
    s: State,
    f: Combat | Shelling,
    seat: str,
    units: tuple[str, ...],
    hits: tuple[int, int],
    known: Known,
    to: Sequence[str],
) -> Iterator[Way]:
    """Ways whose greatest number of hits reaches the first of `hits` and whose least does not pass the second."""
    stays = may_stay(s, f, seat) > 0
    single = {id: [(fate, *_bounds(s, fate)) for fate in _fates(s, id, stays, known, to)] for id in units}
    sets = (some for count in range(1, len(units) + 1) for some in combinations(units, count))
    found = (way for some in sets for way in _reaching([single[id] for id in some], *hits))
    yield from islice(found, WAYS)
    yield tuple((id, "eliminate") for id in units)


def _bounds(s: State, fate: tuple[str, ...]) -> tuple[int, int]:
    """Hits that a fate takes at least and at most, wherever there is a way out. [9.6-b3, R17]"""
    if fate[1] == "eliminate":
        return bears(s, fate[0]) - 1, bears(s, fate[0])
    return deeds(fate), deeds(fate)


def deeds(fate: tuple[str, ...]) -> int:
    """What a fate does short of elimination, a hit each."""
    return sum(word in ("disrupt", "retreat", "stay") for word in fate[1:])


def _reaching(parts: list[list[tuple[tuple[str, ...], int, int]]], low: int, high: int) -> Iterator[Way]:
    """One fate of each part, the first part slowest; what can no longer reach the hits is not tried."""
    if not parts:
        if low <= 0 <= high:
            yield ()
        return
    first, *rest = parts
    least = sum(min(one[1] for one in part) for part in rest)
    most = sum(max(one[2] for one in part) for part in rest)
    for fate, few, many in first:
        if few + least <= high and many + most >= low:
            yield from ((fate, *way) for way in _reaching(rest, low - many, high - few))


def _fates(s: State, id: str, stays: bool, known: Known, wanted: Sequence[str]) -> Iterator[tuple[str, ...]]:
    sure, maybe = routes(s, id, known)
    out = sorted((*sure, *maybe), key=lambda to: wanted.index(to) if to in wanted else len(wanted))[:2]
    fresh = not s.counters[id].disrupted
    if stays:
        yield (id, "stay")
    yield from ((id, "retreat", to) for to in out)
    if fresh:
        yield (id, "disrupt")
        if stays:
            yield (id, "disrupt", "stay")
        yield from ((id, "disrupt", "retreat", to) for to in out)
    yield (id, "eliminate")
