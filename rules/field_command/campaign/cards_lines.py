"""Situation Cards as lines of a position, and back (see `position`)."""

from __future__ import annotations

from collections.abc import Iterable

from rules.field_command.campaign import cards
from rules.field_command.campaign.cards import Cards, Effect, Played
from rules.field_command.campaign.state import War
from rules.field_command.components import ARMIES
from rules.field_command.rows import Army, Side

SECTIONS = ("decks", "hands", "drawn", "playing", "effects")


def position(c: Cards) -> dict[str, list[str]]:
    """The lines of each section, not sorted yet."""
    decks: list[str] = []
    for deck, pile in c.pile.items():
        decks.append(" ".join((deck, "pile", *pile)))
        decks += [" ".join((deck, "discard", *_open(c, c.discard[deck])))] if c.discard[deck] else []
    decks += [f"{deck} owed {count}" for deck, count in c.owed.items() if count]
    playing = [f"{n} {_played(c, one)}" for n, one in enumerate(c.queue, 11)]
    playing += [f"asked {n} {seat}" for n, seat in enumerate(c.asked, 11)]
    if c.negating:
        playing.append(" ".join(("negating", *_open(c, (c.negating,)))))
    if c.gaining:
        playing.append(f"gaining {_played(c, c.gaining)}")
    if c.took:
        playing.append("took sector")
    return {
        "decks": decks,
        "hands": [" ".join((army, *_open(c, hand))) for army, hand in c.hand.items() if hand],
        "drawn": [
            *(f"fresh {slot}" for slot in _open(c, c.fresh)),
            *(f"joint {slot}" for slot in _open(c, c.joint)),
            *(f"offered {' '.join(_open(c, (slot,)))} {army}" for slot, army in c.offered),
        ],
        "playing": playing,
        "effects": [
            " ".join((str(n), *_open(c, (one.slot,)), one.army, str(one.until), *_aims(one.places, one.units)))
            for n, one in enumerate(c.effects, 11)
        ],
    }


def _open(c: Cards, slots: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{slot}={c.opened[slot]}" if slot in c.opened else slot for slot in slots)


def _played(c: Cards, one: Played) -> str:
    return " ".join((*_open(c, (one.slot,)), one.army, *_aims(one.places, one.units)))


def _aims(places: tuple[str, ...], units: tuple[str, ...]) -> tuple[str, ...]:
    return (*(("at", *places) if places else ()), *(("with", *units) if units else ()))


# --- and back ---


def put(w: War, name: str, rows: list[list[str]]) -> None:
    """Set one section. Raises `ValueError` for a line that fits none."""
    c = cards.of(w)
    if name == "decks":
        c.pile, c.discard, c.owed = {}, dict.fromkeys(w.board.deals, ()), dict.fromkeys(w.board.deals, 0)
        for deck, what, *rest in rows:
            _put_deck(w, _deck(w, deck), what, rest)
    elif name == "hands":
        c.hand = dict.fromkeys(w.board.order, ())
        for holder, *slots in rows:
            c.hand[_army(holder)] = _shut(w, slots)
    elif name == "drawn":
        c.fresh, c.joint, c.offered = (), (), ()
        for what, slot, *rest in rows:
            if what == "fresh":
                c.fresh = (*c.fresh, *_shut(w, [slot]))
            elif what == "joint":
                c.joint = (*c.joint, *_shut(w, [slot]))
            else:
                c.offered = (*c.offered, (_shut(w, [slot])[0], _army(" ".join(rest))))
    elif name == "playing":
        c.queue, c.asked, c.negating, c.gaining, c.took = (), (), "", None, False
        for first, *rest in rows:
            _put_playing(w, first, rest)
    else:
        c.effects = ()
        for _, slot, army, until, *aims in rows:
            c.effects = (*c.effects, Effect(_shut(w, [slot])[0], _army(army), int(until), *_aimed(aims)))


def _put_deck(w: War, deck: Side, what: str, rest: list[str]) -> None:
    c = cards.of(w)
    if what == "pile":
        c.pile[deck] = _shut(w, rest)
    elif what == "discard":
        c.discard[deck] = _shut(w, rest)
    elif what == "owed":
        (number,) = rest
        c.owed[deck] = int(number)
    else:
        raise ValueError(f"{what} is none of: pile, discard, owed")


def _put_playing(w: War, first: str, rest: list[str]) -> None:
    c = cards.of(w)
    if first == "asked":
        _, seat = rest
        if seat not in w.seats.values():
            raise ValueError(f"{seat} is no seat")
        c.asked = (*c.asked, seat)
    elif first == "negating":
        (c.negating,) = _shut(w, rest)
    elif first == "took":
        c.took = True
    else:
        slot, army, *aims = rest
        played = Played(_shut(w, [slot])[0], _army(army), *_aimed(aims))
        if first == "gaining":
            c.gaining = played
        else:
            c.queue = (*c.queue, played)


def _aimed(words: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The sectors after `at`, the units after `with`."""
    found: dict[str, tuple[str, ...]] = {"at": (), "with": ()}
    now = ""
    for word in words:
        if word in found:
            now = word
        elif now:
            found[now] = (*found[now], word)
        else:
            raise ValueError(f"{word} stands after neither at nor with")
    return found["at"], found["with"]


def _shut(w: War, words: Iterable[str]) -> tuple[str, ...]:
    """Slots; what is in the open ones is remembered."""
    slots = []
    for word in words:
        slot, _, card = word.partition("=")
        if not cards.is_card(slot):
            raise ValueError(f"{slot} is no card")
        if card:
            if card not in w.board.cards:
                raise ValueError(f"there is no card {card}")
            cards.of(w).opened[slot] = card
        slots.append(slot)
    return tuple(slots)


def _deck(w: War, word: str) -> Side:
    for deck in w.board.deals:
        if deck == word:
            return deck
    raise ValueError(f"{word} is no deck")


def _army(word: str) -> Army:
    for army in ARMIES:
        if army == word:
            return army
    raise ValueError(f"{word} is no army")
