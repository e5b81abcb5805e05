"""Names and slots: what a player types becomes what the log says, and back, by what that player knows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from pbem.api import Known, Order
from rules.glory_recalled.components import Board
from rules.glory_recalled.orders import READER
from rules.glory_recalled.state import SEATS, State, card_of, is_slot

_QUOTED = re.compile(r'"([^"\n]*)"')
_WORD = re.compile(r"[^\s\"]+")
_SLOT = re.compile(r"\b[a-z]+-[a-z]+/[0-9]+/[0-9]+")


def read(s: State, seat: str, text: str, known: Known) -> tuple[Order, ...]:
    """What a text can mean, with names turned into the ids and slots of the log. Raises `Unreadable`."""
    names = _names(s, seat, known)
    text = _QUOTED.sub(lambda found: _id(names, found[1]) or re.sub(r"\s+", "_", found[1]), text)
    return READER.read(_WORD.sub(lambda found: _word(names, found[0]), text))


def phrase(s: State, order: Order, known: Known) -> str:
    """An order with the names of closed counters and cards instead of their slots."""
    return _SLOT.sub(lambda found: _shown(s, found[0], known), str(order))


def _shown(s: State, slot: str, known: Known) -> str:
    card = card_of(s, slot, known)
    if card is not None:
        same = [one for one in s.cards[card.seat].hand if card_of(s, one, known) == card]
        return f'"{card.name}"' if same[:1] == [slot] else slot
    return str(known.get(slot, slot))


def _names(s: State, seat: str, known: Known) -> dict[str, str]:
    """Ids and slots by what may be typed for them, folded."""
    board = s.board
    names = dict(_printed(board))
    for slot in (*s.counters, *s.unplaced):
        if is_slot(slot) and slot in known:
            names[str(known[slot]).casefold()] = slot
            unit = board.units.get(str(known[slot]))
            if unit is not None:
                names[unit.name.casefold()] = slot
    if seat in SEATS:
        cards = s.cards[seat]
        for slot in reversed((*cards.hand, *cards.pile)):
            card = card_of(s, slot, known)
            if card is not None and (slot in cards.hand or card.id.casefold() not in names):
                names[card.id.casefold()] = names[card.name.casefold()] = slot
    return names


@lru_cache(8)
def _printed(board: Board) -> Mapping[str, str]:
    """Ids by id and printed name, folded."""
    names: dict[str, str] = {}
    for one in (*board.spaces, *board.boxes, *board.leaders, *board.units, *board.dummies):
        names.setdefault(one.casefold(), one)
    for things in (board.spaces, board.boxes, board.units):
        for one in things:
            names.setdefault(board.name(one).casefold(), one)
    return names


def _id(names: Mapping[str, str], text: str) -> str:
    return names.get(" ".join(text.split()).casefold(), "")


def _word(names: Mapping[str, str], word: str) -> str:
    """A word with every name in it replaced: whole, or its parts between `+` or `-`."""
    body = word.rstrip(",;:")
    tail = word[len(body) :]
    parts = [_id(names, part) or _path(names, part) for part in body.split("+")]
    return "+".join(parts) + tail


def _path(names: Mapping[str, str], word: str) -> str:
    parts = word.split("-")
    found = [_id(names, part) for part in parts]
    return "-".join(found) if len(parts) > 1 and all(found) else word
