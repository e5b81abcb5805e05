"""Tables of what the seats hold: to its owner by name, to the others by number (OT-6 to OT-10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from pbem.api import Grid, Known, Slot
from rules.open_table.holdings import DISCARD, PILE, REMOVED, Deck, hand, looked
from rules.open_table.lists import counted
from rules.open_table.orders import DICE
from rules.open_table.rolls import result
from rules.open_table.state import State

CLOSED = "?"
"""What is in a slot that the reader cannot see."""


def grids(state: State, seat: str, known: Known) -> Iterator[Grid]:
    """The reader's own first. How many rows a table has depends on nothing that is hidden."""
    if state.held.idle():
        return
    yield Grid("Your hand", ("card", "deck", "slot", "seen by all"), tuple(own_hand(state, seat, known)))
    columns = ("deck", "pile", "hands", "discards", "on the board", "removed")
    yield Grid("Decks", columns, tuple(deck_rows(state)))
    yield Grid("On the board", ("place", "side", "what", "slot"), tuple(board_rows(state, known)))
    yield Grid("Open decks", ("deck", "left", "gone"), tuple(open_rows(state)))
    yield Grid("Chits", ("of", "left", "spent", "for what"), tuple(chit_rows(state, known)))
    yield Grid("Under seal", ("slot", "seat", "what"), tuple(secret_rows(state, known)))
    yield Grid("Private rolls", ("roll", "turn", "seat", "dice", "for", "result"), tuple(private_rows(state, known)))
    standing = ((str(one.number), one.seat, one.text) for one in state.held.standing)
    yield Grid("Standing orders", ("number", "seat", "text"), tuple(standing))


def told(slot: Slot, known: Known) -> str:
    return str(known[slot]) if slot in known else CLOSED


def own_hand(state: State, seat: str, known: Known) -> list[tuple[str, ...]]:
    """The cards in hand by name, then those that are looked at."""
    rows: list[tuple[str, ...]] = []
    for deck in state.held.mine(seat) if seat else ():
        for zone, note in ((hand(seat), ""), (looked(seat), " (looked at)")):
            slots = deck.zone(zone)
            seen = ["yes" if slot in deck.shown else "" for slot in slots]
            cards = [told(slot, known) + note for slot in slots]
            rows += sorted(zip(cards, [deck.short] * len(slots), slots, seen, strict=True))
    return rows


def deck_rows(state: State) -> Iterator[tuple[str, ...]]:
    for name, deck in sorted(state.held.decks.items()):
        if deck.stage != "sealed":
            yield name, f"{len(deck.cards)} listed: {counted(deck.cards)}", "", "", "", ""
            continue
        hands = [f"{seat} {len(deck.zone(hand(seat)))}{looks(deck, seat)}" for seat in deck.team]
        board = sum(zone.startswith("at ") for zone in deck.where.values())
        yield (
            *(name, str(len(deck.zone(PILE))), ", ".join(hands), heap(deck, DISCARD)),
            *(str(board), heap(deck, REMOVED)),
        )


def looks(deck: Deck, seat: str) -> str:
    number = len(deck.zone(looked(seat)))
    return f" and looks at {number}" if number else ""


def heap(deck: Deck, zone: str) -> str:
    """`4: Ambush, Supply x2, 1 face down`: what everybody may see of a heap."""
    slots = deck.zone(zone)
    shown = [deck.shown[slot] for slot in slots if slot in deck.shown]
    down = len(slots) - len(shown)
    parts = [*([counted(shown)] if shown else []), *([f"{down} face down"] if down else [])]
    return f"{len(slots)}: {', '.join(parts)}" if parts else "0"


def board_rows(state: State, known: Known) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for deck in state.held.decks.values():
        for zone in {zone for zone in deck.where.values() if zone.startswith("at ")}:
            for slot in deck.zone(zone):
                face = "" if slot in deck.shown or slot not in known else " (face down)"
                rows.append((zone.removeprefix("at "), deck.seat, told(slot, known) + face, slot))
    return sorted(rows, key=lambda row: (row[0], row[1], row[3]))


def open_rows(state: State) -> Iterator[tuple[str, ...]]:
    for name, deck in sorted(state.held.open_decks.items()):
        yield name, f"{len(deck.left)}: {counted(deck.left)}", f"{len(deck.gone)}: {counted(deck.gone)}"


def chit_rows(state: State, known: Known) -> Iterator[tuple[str, ...]]:
    for name, purse in sorted(state.held.purses.items()):
        areas = [told(slot, known) for slot in purse.slots]
        what = CLOSED if CLOSED in areas else areas_told(areas)
        left = f"{len(purse.slots)}{f' and {purse.coming} to assign' if purse.coming else ''}"
        yield name, left, areas_told(Counter(purse.spent).elements()), what


def areas_told(areas: Iterable[str]) -> str:
    return ", ".join(f"{area} {number}" for area, number in sorted(Counter(areas).items()))


def secret_rows(state: State, known: Known) -> Iterator[tuple[str, ...]]:
    for slot, (seat, _) in sorted(state.held.secrets.items(), key=lambda one: int(one[0].rpartition("#")[2])):
        content = known.get(slot)
        yield slot, seat, f"{content['name']}: {content['text']}" if isinstance(content, dict) else CLOSED
    question = state.held.question
    for seat, slot in question.sealed.items() if question is not None else ():
        content = known.get(slot)
        yield slot, seat, f"answer: {content['text']}" if isinstance(content, dict) else CLOSED


def private_rows(state: State, known: Known) -> Iterator[tuple[str, ...]]:
    for one in state.held.privates:
        faces = known.get(one.label)
        told_ = CLOSED if faces is None else result(one.dice, tuple(faces))
        yield one.label, str(one.turn), one.seat, DICE.show(one.dice), one.purpose, told_
