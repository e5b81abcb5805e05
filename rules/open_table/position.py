"""The position as lines, and back. What is only for the picture is not in it: that stands in the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.api import Roll
from pbem.errors import Trouble
from rules.kit.orders import Words
from rules.open_table import holding_lines
from rules.open_table.decks import STEM as DRAW
from rules.open_table.holding_lines import escaped, plain, unlike
from rules.open_table.holdings import PILE, due, hand, looked
from rules.open_table.orders import DICE, NAME
from rules.open_table.private import STEM as PRIVATE
from rules.open_table.rolls import STEM
from rules.open_table.state import State, Throw
from rules.open_table.turns import result_of

Lines = Sequence[str]


def position(state: State) -> dict[str, tuple[str, ...]]:
    """All sections; the README lists their forms."""
    return {
        **holding_lines.lines(state.held),
        "counts": (f"orders {state.orders}", f"rolls {state.rolls}"),
        "seats": tuple(sorted(f"{seat} {'out' if seat in state.out else 'in'}" for seat in state.seats)),
        "tallies": tuple(sorted(f"{name} {number}" for name, number in state.tallies.items())),
        "turn": (f"{state.turn} {state.to_act}",),
        "waiting": tuple(waiting_line(number, throw) for number, throw in enumerate(state.waiting, 1)),
    }


def waiting_line(number: int, throw: Throw) -> str:
    """`01 7 red 2d6 attack on hill 12`: place in the queue, turn, seat, dice, purpose; or what is drawn."""
    begin = f"{number:02} {throw.turn} {throw.seat}"
    if throw.deck:
        whose = f" {throw.zone.partition(' ')[2]}" if throw.purpose == "discard" else ""
        return f"{begin} {throw.purpose} {throw.roll.draw} {throw.deck}{whose}"
    private = " private" if throw.roll.audience else ""
    return f"{begin}{private} {DICE.show(throw.roll.dice)} {escaped(throw.purpose)}"


# --- back ---


def place(state: State, sections: Mapping[str, Lines]) -> None:
    """Set the sections given. Raises `Trouble` naming section and line."""
    for section in sections:
        if section not in PLACE:
            raise Trouble(f"no section is named {section}", f"the sections are: {', '.join(PLACE)}")
    for section, put in PLACE.items():
        if section in sections:
            put(state, sections[section])
    state.outcome = result_of(state)


def place_seats(state: State, lines: Lines) -> None:
    state.out.clear()
    for line in lines:
        seat, _, where = line.partition(" ")
        if seat not in state.seats or where not in ("in", "out"):
            raise unlike("seats", line, '"red in" or "red out"')
        if where == "out":
            state.out.add(seat)


def place_turn(state: State, lines: Lines) -> None:
    turn, _, seat = lines[0].partition(" ") if len(lines) == 1 else ("", "", "")
    if not turn.isdecimal() or int(turn) < 1 or seat not in state.seats:
        raise unlike("turn", "; ".join(lines), 'one line: "7 blue"')
    state.turn, state.to_act = int(turn), seat


def place_counts(state: State, lines: Lines) -> None:
    for line in lines:
        what, _, number = line.partition(" ")
        if not number.isdecimal() or what not in ("orders", "rolls"):
            raise unlike("counts", line, '"orders 57" or "rolls 12"')
        if what == "orders":
            state.orders = int(number)
        else:
            state.rolls = int(number)


def place_tallies(state: State, lines: Lines) -> None:
    state.tallies.clear()
    for line in lines:
        name, _, number = line.partition(" ")
        if not NAME.match(name) or not number.removeprefix("-").isdecimal():
            raise unlike("tallies", line, '"red-vp 12"')
        state.tallies[name] = int(number)


def place_waiting(state: State, lines: Lines) -> None:
    state.waiting = [waiting(state, line) for line in sorted(lines)]


def waiting(state: State, line: str) -> Throw:
    parts = line.split(" ", 4)
    if len(parts) < 5 or not parts[1].isdecimal() or parts[2] not in state.seats:
        raise unlike("waiting", line, '"01 7 red 2d6 attack on hill 12"')
    _, turn, seat, what, rest = parts
    if what in CLAUSE:
        return drawing(state, line, seat, int(turn), what, rest.split())
    private = what == "private"
    if private:
        what, _, rest = rest.partition(" ")
    dice = next((dice for dice, _ in DICE.read(Words(what), 0)), None) if what else None
    if dice is None:
        raise unlike("waiting", line, DICE.about)
    words = plain("waiting", line, rest)
    roll = Roll(PRIVATE, "OT-9.1", dice=dice, audience=seat) if private else Roll(STEM, "OT-2.2", dice=dice)
    return Throw(seat, int(turn), words, roll)


CLAUSE = {"draw": "OT-6.3", "look": "OT-6.10", "discard": "OT-6.6"}


def drawing(state: State, line: str, seat: str, turn: int, what: str, rest: Sequence[str]) -> Throw:
    """`draw 2 red-events`, `look 2 red-events`, `discard 1 blue-events blue`."""
    whose = rest[2] if len(rest) == 3 else ""
    if len(rest) < 2 or not rest[0].isdecimal() or bool(whose) != (what == "discard"):
        raise unlike("waiting", line, '"01 7 red draw 2 red-events" or "01 7 red discard 1 blue-events blue"')
    ways = {"draw": (PILE, hand(seat)), "look": (PILE, looked(seat)), "discard": (hand(whose), due(whose))}
    zone, to = ("left", "gone") if rest[1] in state.held.open_decks else ways[what]
    return Throw(seat, turn, what, Roll(DRAW, CLAUSE[what], draw=int(rest[0])), rest[1], zone, to)


PLACE: dict[str, Callable[[State, Lines], None]] = {
    "seats": place_seats,
    "turn": place_turn,
    "counts": place_counts,
    "tallies": place_tallies,
    **holding_lines.PLACE,
    "waiting": place_waiting,
}
