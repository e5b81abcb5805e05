"""The turn: what comes before its first impulse and after its last. [3.1, 3.2.F]

Phases: `fate`, `weather`, `aircraft`, `planes`, `bases`, `supply`, `chits`; then the impulses; `leftover`, `surrender`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pbem.api import Ask, Commit, Illegal, Note, OpenSlots, Roll, Rolled, Tell
from rules.tiger_of_malaya import air, diversion, supply, terms, victory
from rules.tiger_of_malaya.rows import Arrival, Player
from rules.tiger_of_malaya.state import ALLIES, JAPAN, SEATS, State, chit_of, option

Waiting = tuple[Ask | Roll, ...]
LATE = 8
"""The turn of 28-29 January, the last in which reinforcements come where later ones are left out. [14.3.5]"""


def pending(s: State) -> Waiting:
    """What the phases before and after the impulses wait for."""
    match s.phase:
        case "fate":
            group = diversion.due(s)
            return (diversion.pending(s, group),) if group is not None else ()
        case "weather":
            return (Roll(f"t{s.turn}/weather", "3.1.1", dice=(6,)),)
        case "aircraft":
            return (Roll(f"t{s.turn}/aircraft", "11.4.1.A", dice=(6,)),)
        case "planes":
            homes = tuple(sorted(plane for plane, does in s.planes.items() if does == "home"))
            return (Roll(f"t{s.turn}/planes", "11.4.1.B", draw=min(int(s.slot), len(homes)), pool=homes),)
        case "bases":
            return (Ask(JAPAN, "base_aircraft", "11.4.1.B"),)
        case "chits" if at_random(s):
            return ()
        case "chits":
            todo = [seat for seat in SEATS if not any(slot.startswith(f"{seat}-") for slot in s.cup)]
            if option(s, "r2") == "open":
                return tuple(Ask(seat, "choose_chits", "3.1.4.D") for seat in todo[:1])
            return tuple(
                Ask(seat, "choose_chits", "3.1.4.D", fill=Commit("purse", "chits", chits(s, seat)), sealed="chits")
                for seat in todo
            )
        case "leftover":
            return tuple(
                Ask(seat, "open_chits", "3.2.F", client=OpenSlots(left)) for seat in SEATS if (left := closed(s, seat))
            )
        case "surrender":
            return (Roll(f"t{s.turn}/surrender", victory.dice_clause(s), dice=(6, 6)),)
    return ()


# --- chits ---


def chits(s: State, seat: str) -> int:
    """How many chits a side puts in."""  # [3.1.4.A, 3.1.4.B]
    game = s.board.game
    return max(game.least_chits, s.impulses - (game.japanese_fewer if seat == JAPAN else game.allied_fewer))


def put(s: State, seat: Player, kinds: tuple[str, ...], tell: Tell) -> None:
    """Chits go into the cup for all to see."""  # [R2]
    named = (f"{seat}-{kind}-{number + 1}" for kind in dict.fromkeys(kinds) for number in range(kinds.count(kind)))
    s.cup = (*s.cup, *named)
    said = ", ".join(terms.CHITS[kind] for kind in kinds)  # type: ignore[index]
    tell(Note("chits.open", {"side": terms.SIDES[seat], "chits": said}, ("3.1.4.E",)))


def closed(s: State, seat: str) -> tuple[str, ...]:
    """A seat's chits in the cup that are sealed."""
    return tuple(slot for slot in s.cup if slot.startswith(f"{seat}-") and "/" in slot and slot not in s.opened)


def refuse_chits(s: State, seat: str, kinds: tuple[str, ...]) -> Illegal | None:
    """The right number, of the counters there are, one of the Allies' for the jungle. [3.1.4]"""
    many, mix = Counter(kinds), s.board.chits[JAPAN if seat == JAPAN else ALLIES]
    if len(kinds) != chits(s, seat):
        ids = ("3.1.4.A",) if seat == JAPAN else ("3.1.4.B",)
        return Illegal(f"{len(kinds)} chits: {chits(s, seat)} are put in", ids)
    over = [kind for kind, count in many.items() if count > mix.get(kind, 0)]  # type: ignore[call-overload]
    if over:
        return Illegal(f"you have not {many[over[0]]} chits {over[0].upper()}", ("3.1.4.D",))
    if seat == ALLIES and not many["jungle"]:
        return Illegal("one chit must be JUNGLE", ("3.1.4.C",))
    return None


ANY = "-any-"
"""In the name of a chit that nobody has seen: picked at random, its kind falls when it is drawn."""


def at_random(s: State) -> bool:
    """Whether chits are picked and not chosen. [13.2]"""
    return option(s, "opt_13_2") == "on"


def pick(s: State, tell: Tell) -> None:
    """Chits nobody has seen, one of the Allies' for the jungle. [13.2, R102]"""
    if not at_random(s):
        return
    for side in SEATS:
        jungle = int(side == ALLIES)
        unseen = tuple(f"{side}{ANY}{number}" for number in range(1, chits(s, side) - jungle + 1))
        s.cup = (*s.cup, *unseen, *(f"{side}-jungle-0" for _ in range(jungle)))
        tell(Note("chits", {"side": terms.SIDES[side], "count": chits(s, side)}, ("13.2",)))


def stock(s: State, side: str) -> tuple[str, ...]:
    """The counters of a side that have not been drawn this turn, the jungle one apart. [13.2, R102]"""
    mix = s.board.chits[JAPAN if side == JAPAN else ALLIES]
    gone = Counter(chit.partition("-")[2] for chit in s.drawn if chit.startswith(f"{side}-"))
    return tuple(
        f"{kind}-{number}"
        for kind, count in sorted(mix.items())
        if kind != "jungle"
        for number in range(gone[kind] + 1, count + 1)
    )


def drawable(s: State) -> tuple[str, ...]:
    """The chits that may be drawn: none of a side that has had three impulses in a row. [13.1, R10]"""
    side, _, count = s.streak.partition(" ")
    if option(s, "opt_13_1") != "on" or int(count or 0) < s.board.game.row_of_impulses:
        return s.cup
    return tuple(slot for slot in s.cup if not slot.startswith(f"{side}-")) or s.cup


def refuse_open_chits(s: State, seat: str, opened: dict[str, str]) -> Illegal | None:
    """Opened chits are among the counters that there are; all of them together were a legal choice."""
    kinds = tuple(kind for slot, kind in opened.items() if slot.startswith(f"{seat}-"))
    mix = s.board.chits[JAPAN if seat == JAPAN else ALLIES]
    over = [kind for kind, count in Counter(kinds).items() if count > mix.get(kind, 0)]  # type: ignore[call-overload]
    if over:
        return Illegal(f"you have no such chits: {over[0][:20]}", ("3.1.4.D",))
    if s.phase == "leftover":
        return refuse_chits(s, seat, kinds)
    return None


# --- what happens ---


def rolled(s: State, step: Rolled, tell: Tell) -> None:
    """Chance spoke before or after the impulses."""
    values, label = step.values or (), step.label
    match s.phase:
        case "fate":
            group = diversion.due(s)
            assert group is not None
            diversion.rolled(s, group, step, tell)
        case "weather":
            s.impulses = s.board.impulses[values[0]]
            tell(Note("weather", {"die": values[0], "impulses": s.impulses}, ("3.1.1", "12.2"), label))
            s.phase = "aircraft"
        case "aircraft":
            less = s.board.scenario.aircraft_less  # [14.4.2.C]
            s.slot = str(max(values[0] - less, 0))
            told: dict[str, str | int] = {"die": values[0], "less": less, "count": s.slot}
            tell(Note("aircraft", told, ("11.4.1.A",), label))
            s.phase = "planes" if s.slot != "0" else "supply"
        case "planes":
            air.drawn(s, values, tell)
            s.slot, s.phase = "", "bases" if not s.number and air.bases(s) else "supply"
        case "surrender":
            victory.surrender(s, values, label, tell)
            close(s, tell)


def begin(s: State, tell: Tell) -> None:
    """Supply, then artillery; then chits are chosen."""  # [3.1.2, 3.1.3, R1]
    supply.judge(s, afresh=True)
    out = sorted(id for id, piece in s.pieces.items() if not piece.supplied)
    if out:
        tell(Note("supply", {"units": ", ".join(out)}, ("3.1.2",)))
    for piece in s.pieces.values():  # [7.4.3, 11.1.2.A]; aboard nobody is out of supply [11.6.D]
        piece.available = piece.available or piece.supplied or not s.board.is_land(piece.at)
    s.phase, s.cup, s.opened, s.drawn, s.slot = "chits", (), {}, (), ""


def end(s: State, tell: Tell) -> None:
    """What was left in the cup is shown; then Singapore may surrender, before all else."""  # [3.2.F, R2]
    left = [chit_of(slot, s.opened) for slot in s.cup if ANY not in slot]
    if left:
        said = ", ".join(f"{terms.SIDES[side]} {terms.CHITS[kind]}" for side, kind in sorted(left))  # type: ignore[index]
        tell(Note("leftover", {"chits": said}, ("3.2.F",)))
    s.cup, s.opened, s.drawn = (), {}, ()
    air.rest(s, turn=True)
    if victory.tested(s):
        s.phase = "surrender"
    else:
        close(s, tell)


def close(s: State, tell: Tell) -> None:
    """The last turn decides, or the next one begins: replacements, reinforcements, secret dice, weather."""
    # [3.2.F, R1]
    if s.result is None:
        victory.decide(s, tell)
    if s.result is not None:
        return
    s.turn += 1
    s.number, s.impulses, s.phase = 0, 0, "fate"
    tell(Note("turn", {"turn": s.turn, "dates": s.board.dates[s.turn]}, ("3.2.F",), anchor=f"T{s.turn}"))
    for draft in s.board.draft(s.turn):
        s.drafts[draft.nation] = s.drafts.get(draft.nation, 0) + draft.count
        told: dict[str, str | int] = {"count": draft.count, "nation": draft.nation}
        tell(Note("draft", told, ("10.2.1.F",)))
    s.due = (*s.due, *(id for arrival in scheduled(s) if arrival.turn == s.turn for id in arrival.units))
    diversion.begin(s)


def scheduled(s: State) -> Iterator[Arrival]:
    """The reinforcements of the game, of its first eight turns alone if that was agreed."""  # [10.1.P1/1, 14.3.5, R98]
    early = option(s, "opt_14_3_5") == "on"
    return (arrival for arrival in s.board.arrivals if not early or arrival.turn <= LATE)
