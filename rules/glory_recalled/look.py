"""What one seat may see of a position, for `picture`."""

from __future__ import annotations

from pbem.api import NOTHING_KNOWN, Ask, Known
from rules.glory_recalled import combat, control, leaders, triggers
from rules.glory_recalled.frames import Combat
from rules.glory_recalled.seen import Combat as SeenCombat
from rules.glory_recalled.seen import Moved, Piece, Seen
from rules.glory_recalled.sequence import pending
from rules.glory_recalled.state import (
    BRITISH,
    JAPAN,
    SEATS,
    State,
    card_of,
    foe,
    is_closed,
    marked,
    name_of,
    outcome,
    seat_of,
    unit_of,
)


def seen(s: State, seat: str, known: Known) -> Seen:
    """The position as `seat` sees it; "" for the public."""
    known = known if seat else NOTHING_KNOWN
    result = outcome(s)
    return Seen(
        board=s.board,
        turn=s.turn,
        step=stage(s),
        reader=seat,
        pieces=pieces(s, known),
        forts=frozenset(s.forts),
        beachheads=frozenset(s.beachheads),
        destroyed=frozenset(s.destroyed),
        markers=frozenset(space for space in s.board.spaces if marked(s, space)),
        control={space: s.control.get(space, BRITISH) for space in s.board.spaces if control.special(s, space)},
        points=dict(s.points),
        hand=hand(s, seat, known),
        hands={one: len(s.cards[one].hand) for one in SEATS},
        decks={one: len(s.cards[one].pile) for one in SEATS},
        discards={one: len(s.cards[one].discard) for one in SEATS},
        aside={one: len(s.cards[one].aside) for one in SEATS},
        fallen=s.fallen,
        landed=s.landed,
        effects=tuple(effect(s, one) for one in s.effects),
        moves=tuple(moved(one) for one in dict.fromkeys(s.moves)),
        standing={one: tuple(str(order) for order in triggers.mine(s, one)) for one in SEATS},
        combats=tuple(fight(s, one) for one in s.frames if isinstance(one, Combat)),
        result="" if result is None else result.words,
    )


def moved(one: tuple[str, ...]) -> Moved:
    """A way of the last actions."""
    seat, how, *spaces = one
    return Moved(seat, tuple(spaces), "retreat" if how == "retreat" else "attack" if how == "attack" else "move")


def stage(s: State) -> str:
    """What the game is at, in words."""
    if s.result is not None:
        return "the game is over"
    phase = {"setup": "set-up", "action": f"action phase, round {s.round}", "recover": "recover phase"}
    now = phase.get(s.phase, "the fall of Kowloon")
    due = pending(s)[0]
    if isinstance(due, Ask):
        return f"{now}: {'Japan' if due.seat == JAPAN else 'the British'}: {due.what.replace('_', ' ')}"
    return f"{now}: dice"


def pieces(s: State, known: Known) -> dict[str, tuple[Piece, ...]]:
    """Counters and leaders by place."""
    found: dict[str, list[Piece]] = {}
    for id, one in s.counters.items():
        unit, name = unit_of(s, id, known), name_of(s, id, known)
        what = "unit" if unit is not None else "hidden" if is_closed(id, known) else "dummy"
        value = None
        if unit is not None:
            value = max(0, (unit.back if one.disrupted else unit.front) - one.oos * s.board.game.unsupplied_penalty)
        piece = Piece(seat_of(s, id), what, name, value, one.disrupted, one.spent, one.oos)  # type: ignore[arg-type]
        found.setdefault(one.at, []).append(piece)
    for name, chief in s.leaders.items():
        value = leaders.value(s, name)
        piece = Piece(seat_of(s, name), "leader", name, value, False, chief.spent, chief.oos, chief.replacement)
        found.setdefault(chief.at, []).append(piece)
    return {place: tuple(there) for place, there in found.items()}


def hand(s: State, seat: str, known: Known) -> tuple[str, ...]:
    """The reader's cards."""
    if seat not in SEATS:
        return ()
    found = (card_of(s, slot, known) for slot in s.cards[seat].hand)
    return tuple(sorted(card.id for card in found if card is not None))


EFFECTS = {
    "heavy_rain": "Heavy Rain: minor paths cost 3 MP, no Air Support",
    "infiltration": "Infiltration: the next stack pays 1 MP a path",
    "forced_march": "Forced March: the next march has 6 MP",
    "loyalists": "Chinese Loyalists: no Fifth Columnists this turn",
    "demolitions": "Demolitions: this road costs as a path",
}


def effect(s: State, name: str) -> str:
    """A lasting effect in words."""
    kind, _, what = name.partition(":")
    told = EFFECTS.get(kind, kind)
    return f"{told} ({what})" if kind == "demolitions" else told


STAGES = {
    "reveal": "the defenders are shown",
    "who": "two of a beachhead defend",
    "seal": "the defender chooses cards",
    "answer": "the attacker chooses cards",
    "hits": "hits are taken",
    "advance": "the attacker may advance",
}


def fight(s: State, f: Combat) -> SeenCombat:
    """A combat with what counts so far."""
    lines: list[tuple[str, int | None, int | None]] = []
    for id in (*f.main, *f.second):
        if id in s.counters:
            lines.append((id, combat.strength(s, id, defending=False), None))
    for id in f.defenders:
        if id in s.counters:
            lines.append((id, None, combat.strength(s, id, defending=True)))
    lines += [(name, leaders.value(s, name), None) for name in f.leaders if name in s.leaders]
    lines += [(name, None, leaders.value(s, name)) for name in leaders.in_combat(s, f, foe(f.seat))]
    if f.defenders:
        lines.append(("ground", None, combat.ground(s, f.space)))
    return SeenCombat(f.space, f.seat, STAGES.get(f.step, "dice"), tuple(lines))
