"""What a reader may see of a position, for `picture`. Hidden are only sealed chits and guns, by their slots."""

from __future__ import annotations

from functools import lru_cache
from typing import cast, get_args

from pbem.api import Known
from rules.tiger_of_malaya import diversion, sequence, stacking, terms, triggers, turn
from rules.tiger_of_malaya.components import Board
from rules.tiger_of_malaya.rows import Arrival, ChitKind, Nation, Player
from rules.tiger_of_malaya.seen import Battle, Due, Piece, Plane, Seen
from rules.tiger_of_malaya.state import ALLIES, JAPAN, SEATS, State
from rules.tiger_of_malaya.victory import outcome

PLANES = {
    "home": "not available",
    "ready": "off the map, ready",
    "flown": "has flown",
    "back": "on its way home",
    "gone": "lost",
}
PIECES = 4096
"""Units in their conditions that are kept."""
MARKS = {"moved": "has moved", "attacked": "attacks", "bombarded": "has bombarded", "entered": "has arrived"}


def seen(s: State, seat: str, known: Known) -> Seen:
    """The position as `seat` sees it; "" for the public."""
    pieces: dict[str, list[Piece]] = {}
    for id, one in sorted(s.pieces.items()):
        piece = _piece(s.board, id, one.level, id in s.weak, one.supplied, one.available, one.marks)
        pieces.setdefault(one.at, []).append(piece)
    result = outcome(s)
    return Seen(
        board=s.board,
        turn=s.turn,
        step=stage(s),
        reader=seat,
        impulses=s.impulses,
        pieces={hex: tuple(stack) for hex, stack in pieces.items()},
        held=s.held,
        destroyed=s.destroyed,
        forts=dict(s.forts),
        drawn=tuple(_drawn(one) for one in s.drawn),
        left={side: sum(slot.startswith(f"{side}-") for slot in s.cup) for side in SEATS},
        chosen=chosen(s, seat, known),
        battles=tuple(
            Battle(b.hex, b.side, b.origins, b.said, "now" if n == 0 and b.step != "declared" else "to come", b.probe)
            for n, b in enumerate(s.battles)
        ),
        planes=tuple(Plane(plane, *_where(does)) for plane, does in sorted(s.planes.items())),
        due=tuple(
            Due(arrival.turn, arrival.side, arrival.hex, left, waits(s, arrival, known))
            for arrival in sorted(turn.scheduled(s), key=lambda one: one.turn)
            if (left := tuple(id for id in arrival.units if arrival.turn > s.turn or id in s.due))
        ),
        drafts={nation: count for nation in get_args(Nation) if (count := s.drafts.get(nation, 0))},
        looks=tuple(sorted(stacking.others(s) if s.phase == "discard" else stacking.crowded(s))),
        facts=tuple(
            (f"standing order {number} of {terms.NAMES[side]}", str(order))
            for side in SEATS
            for number, order in enumerate(triggers.mine(s, side), 1)
        ),
        result=result.words if result is not None else "",
    )


@lru_cache(PIECES)
def _piece(
    board: Board, id: str, level: int, weak: bool, supplied: bool, available: bool, marks: frozenset[str]
) -> Piece:
    """A unit as it is told; most are as they were at the event before."""
    said = tuple(word for mark, word in MARKS.items() if mark in marks)
    gun = available if board.template(id).is_gun else None
    face = board.level(id, level, weak=weak)
    return Piece(board.side(id), id, board.kind(id), board.nation(id), face, supplied, gun, said)


def waits(s: State, arrival: Arrival, known: Known) -> str:
    """Why reinforcements are not on the map yet, as far as a reader knows."""
    if arrival.needs and not diversion.come(s, arrival.needs):
        return "after I Corps"
    if not arrival.group:
        return "now or later" if arrival.turn <= s.turn else ""
    return diversion.outlook(s, arrival.units[0], known)


def _drawn(one: str) -> tuple[Player, ChitKind]:
    side, _, kind = one.partition("-")
    return (JAPAN if side == JAPAN else ALLIES), cast(ChitKind, kind)


def _where(does: str) -> tuple[str, str]:
    what, _, hex = does.partition(":")
    return (f"harasses {hex}", hex) if what == "over" else (PLANES.get(what, what), "")


def chosen(s: State, seat: str, known: Known) -> tuple[ChitKind, ...]:
    """The seat's own chits that are still in the cup."""
    if not seat:
        return ()
    return tuple(sorted(cast(ChitKind, known[slot]) for slot in s.cup if slot.startswith(f"{seat}-") and slot in known))


def stage(s: State) -> str:
    """What the game is at."""
    if s.phase == "surrender":
        return "end of the turn: does Singapore surrender?"
    if s.phase in sequence.TURN:
        return "start of the turn"
    if not s.chit:
        return f"impulse {s.number + 1} of {s.impulses}: a chit is drawn"
    what = s.plan[0] if s.plan else s.phase
    side = terms.SIDES[JAPAN if s.active == JAPAN else ALLIES]
    chit = terms.CHITS[s.chit]  # type: ignore[index]
    return f"impulse {s.number} of {s.impulses}, {side} {chit}: {WORDS.get(what, what)}"


WORDS = {
    "prepare": "preparations",
    "move": "movement",
    "bombard": "bombardment",
    "declare": "attacks are declared",
    "fight": "battles",
    "finish": "end of the impulse",
    "mode": "to move or to attack",
}
