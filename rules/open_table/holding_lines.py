"""What the seats hold, as lines of the position, and back."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from pbem.api import Slot
from pbem.errors import Trouble
from rules.kit.orders import Words
from rules.open_table.holdings import (
    MIX,
    Deck,
    Holdings,
    OpenDeck,
    Private,
    Purse,
    Question,
    Standing,
    epoch_and_number,
    in_order,
)
from rules.open_table.orders import DICE
from rules.open_table.state import State

Lines = Sequence[str]


def escaped(text: str) -> str:
    r"""A player's words in ASCII: `\u00e9` for a letter outside it, `\\` for a backslash and `\"` for a quote."""
    return json.dumps(text)[1:-1]


def plain(section: str, line: str, text: str) -> str:
    """The inverse of `escaped`."""
    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:
        raise unlike(section, line, r"in a text write \" and \\ for a quote and a backslash") from None


def unlike(section: str, line: str, wanted: str) -> Trouble:
    return Trouble(f'section {section}: cannot read "{line}"', f"write {wanted}")


# --- slots: `red-events/1 0-49,52` ---


def runs(slots: Iterable[Slot]) -> Iterator[tuple[str, str]]:
    """Slots of one name by epoch, their numbers in runs: `red-events/1`, `0-49,52`."""
    by: dict[str, list[int]] = {}
    for slot in in_order(slots):
        by.setdefault(slot.rpartition("/")[0], []).append(epoch_and_number(slot)[1])
    for epoch, numbers in by.items():
        spans: list[list[int]] = []
        for number in numbers:
            if spans and spans[-1][1] == number - 1:
                spans[-1][1] = number
            else:
                spans.append([number, number])
        yield epoch, ",".join(f"{a}-{b}" if a < b else str(a) for a, b in spans)


_EPOCH = re.compile(r"([a-z][a-z0-9_]*-[a-z][a-z0-9_]*)/[1-9][0-9]{0,5}")
_SPAN = re.compile(r"([0-9]{1,3})(?:-([0-9]{1,3}))?")


def slots_of(section: str, line: str, epoch: str, numbers: str) -> list[Slot]:
    """The slots of a line."""
    spans = [_SPAN.fullmatch(span) for span in numbers.split(",")]
    if not _EPOCH.fullmatch(epoch) or not all(spans):
        raise unlike(section, line, '"red-events/1 0-49,52 pile"')
    found = []
    for span in spans:
        if span is not None:
            found += [f"{epoch}/{number}" for number in range(int(span[1]), int(span[2] or span[1]) + 1)]
    return found


# --- lines ---


def lines(held: Holdings) -> dict[str, tuple[str, ...]]:
    """The sections of everything that is held."""
    if held.idle():
        return IDLE
    return {name: tuple(sorted(say(held))) for name, say in SAY.items()}


def deck_lines(held: Holdings) -> Iterator[str]:
    for deck in held.decks.values():
        mixing = f" mixing {escaped(deck.mixing)}" if deck.mixing else ""
        yield f"{deck.name} {deck.stage} {'+'.join(deck.team)} {deck.begins.partition(' ')[0]}{mixing}"


def list_lines(held: Holdings) -> Iterator[str]:
    """The cards of decks whose slots are not published yet."""
    for deck in held.decks.values():
        if deck.stage != "sealed":
            yield from (f"{deck.name} {count} {escaped(card)}" for card, count in Counter(deck.cards).items())


def zone_lines(held: Holdings) -> Iterator[str]:
    for deck in held.decks.values():
        for zone in set(deck.where.values()):
            yield from (f"{epoch} {numbers} {escaped(zone)}" for epoch, numbers in runs(deck.zone(zone)))


def shown_lines(held: Holdings) -> Iterator[str]:
    for shown in shown_things(held):
        yield from (f"{slot} {escaped(content)}" for slot, content in shown.items())


def shown_things(held: Holdings) -> list[dict[Slot, str]]:
    return [*(deck.shown for deck in held.decks.values()), *(purse.shown for purse in held.purses.values())]


def open_lines(held: Holdings) -> Iterator[str]:
    for deck in held.open_decks.values():
        for where, cards in (("left", deck.left), ("gone", deck.gone)):
            yield from (f"{deck.name} {where} {count} {escaped(card)}" for card, count in Counter(cards).items())


def purse_lines(held: Holdings) -> Iterator[str]:
    for purse in held.purses.values():
        yield f"{purse.name} coming {purse.coming}"
        yield from (f"{epoch} {numbers} chits" for epoch, numbers in runs(purse.slots))
        yield from (f"{epoch} {numbers} fresh" for epoch, numbers in runs(purse.fresh))
        yield from (f"{purse.name} spent {count} {escaped(area)}" for area, count in purse.spent.items())


def question_lines(held: Holdings) -> Iterator[str]:
    question = held.question
    if question is not None:
        yield f"asked {question.seat} {'+'.join(question.asked)} {escaped(question.text)}"
        yield from (f"sealed {seat} {slot}" for seat, slot in question.sealed.items())
        yield from (f"told {seat}" for seat in question.told)


def secret_lines(held: Holdings) -> Iterator[str]:
    return (f"{slot} {seat} {'open' if is_open else 'closed'}" for slot, (seat, is_open) in held.secrets.items())


def private_lines(held: Holdings) -> Iterator[str]:
    for one in held.privates:
        proved = "open" if one.proved else "closed"
        yield f"{one.label} {one.seat} {one.slot} {proved} {one.turn} {DICE.show(one.dice)} {escaped(one.purpose)}"


def value_lines(held: Holdings) -> Iterator[str]:
    return (f"{seat} {number}" for seat, number in held.values.items())


def standing_lines(held: Holdings) -> Iterator[str]:
    return (f"{one.number:03} {one.seat} {escaped(one.text)}" for one in held.standing)


SAY: dict[str, Callable[[Holdings], Iterator[str]]] = {
    "decks": deck_lines,
    "lists": list_lines,
    "zones": zone_lines,
    "shown": shown_lines,
    "open_decks": open_lines,
    "purses": purse_lines,
    "question": question_lines,
    "secrets": secret_lines,
    "private": private_lines,
    "values": value_lines,
    "standing": standing_lines,
}


IDLE: dict[str, tuple[str, ...]] = dict.fromkeys(SAY, ())


# --- back ---


def fields(section: str, line: str, form: str, wanted: str) -> re.Match[str]:
    found = re.fullmatch(form, line)
    if found is None:
        raise unlike(section, line, wanted)
    return found


DECK = r"([a-z][a-z0-9_]*-[a-z][a-z0-9_]*)"
SEATS = r"([a-z0-9_]+(?:\+[a-z0-9_]+)*)"


def seats_in(state: State, section: str, line: str, text: str) -> tuple[str, ...]:
    seats = tuple(text.split("+"))
    if set(seats) <= set(state.seats):
        return seats
    raise unlike(section, line, f"seats of this game: {', '.join(state.seats)}")


def place_decks(state: State, given: Lines) -> None:
    state.held.decks.clear()
    for line in given:
        form = rf"{DECK} (listed|sealing|sealed) {SEATS} (pile|hand)(?: mixing (.+))?"
        found = fields("decks", line, form, '"red-events sealed red pile"')
        team = seats_in(state, "decks", line, found[3])
        begins = "pile" if found[4] == "pile" else f"hand {team[0]}"
        deck = state.held.decks[found[1]] = Deck(found[1], team, begins, stage=found[2])
        deck.mixing = plain("decks", line, found[5] or "")


def deck_named(state: State, section: str, line: str, name: str) -> Deck:
    deck = state.held.decks.get(name)
    if deck is None:
        raise unlike(section, line, "only decks that the section decks lists")
    return deck


def place_lists(state: State, given: Lines) -> None:
    for line in given:
        found = fields("lists", line, rf"{DECK} ([0-9]{{1,3}}) (.+)", '"red-events 2 Ambush"')
        deck = deck_named(state, "lists", line, found[1])
        deck.cards = tuple(sorted((*deck.cards, *[plain("lists", line, found[3])] * int(found[2]))))


def place_zones(state: State, given: Lines) -> None:
    for deck in state.held.decks.values():
        deck.where.clear()
    for line in given:
        found = fields("zones", line, rf"({DECK}/[0-9]+) ([0-9,-]+) (.+)", '"red-events/1 0-49,52 pile"')
        zone = plain("zones", line, found[4])
        if not re.fullmatch(r"pile|discard|removed|mix|(hand|looked|due) [a-z0-9_]+|at .+", zone):
            raise unlike("zones", line, "pile, discard, removed, hand red, looked red, due red, at Jitra")
        deck = deck_named(state, "zones", line, found[2])
        deck.move(slots_of("zones", line, found[1], found[3]), zone)
        deck.mixing = deck.mixing or ("pile" if zone == MIX else "")


def place_shown(state: State, given: Lines) -> None:
    for there in shown_things(state.held):
        there.clear()
    for line in given:
        slot, _, content = line.partition(" ")
        deck, purse = state.held.deck_of(slot), state.held.purses.get(slot.partition("/")[0])
        if deck is None and (purse is None or slot not in purse.slots):
            raise unlike("shown", line, '"red-events/1/3 Ambush", a slot that is there')
        shown = deck.shown if deck is not None else purse.shown if purse is not None else {}
        shown[slot] = plain("shown", line, content)


def place_open_decks(state: State, given: Lines) -> None:
    state.held.open_decks.clear()
    for line in given:
        form = r"([a-z][a-z0-9_]*) (left|gone) ([0-9]{1,3}) (.+)"
        found = fields("open_decks", line, form, '"weather left 2 Monsoon"')
        deck = state.held.open_decks.setdefault(found[1], OpenDeck(found[1]))
        cards = deck.left if found[2] == "left" else deck.gone
        cards += [plain("open_decks", line, found[4])] * int(found[3])
        cards.sort()


def place_purses(state: State, given: Lines) -> None:
    state.held.purses.clear()
    for line in given:
        form = rf"{DECK}(?:(/[0-9]+) ([0-9,-]+) (chits|fresh)| coming ([0-9]+)| spent ([0-9]+) (.+))"
        wanted = '"red-supply coming 0", "red-supply/1 0-4 chits" or "red-supply spent 2 hill"'
        found = fields("purses", line, form, wanted)
        seat = found[1].partition("-")[0]
        seats_in(state, "purses", line, seat)
        purse = state.held.purses.setdefault(found[1], Purse(found[1], seat))
        if found[5]:
            purse.coming = int(found[5])
        elif found[6]:
            purse.spent[plain("purses", line, found[7])] = int(found[6])
        else:
            slots = slots_of("purses", line, f"{found[1]}{found[2]}", found[3])
            if found[4] == "fresh":
                purse.fresh = (*purse.fresh, *slots)
            else:
                purse.swap((), slots)


def place_question(state: State, given: Lines) -> None:
    state.held.question = None
    for line in sorted(given):
        what, _, rest = line.partition(" ")
        if what == "asked":
            found = fields("question", line, rf"asked ([a-z0-9_]+) {SEATS} (.+)", '"asked red red+blue Which hill?"')
            asked = seats_in(state, "question", line, found[2])
            state.held.question = Question(found[1], plain("question", line, found[3]), asked)
            continue
        seat, _, slot = rest.partition(" ")
        question: Question | None = state.held.question
        known = what in ("sealed", "told") and (what == "sealed") == bool(slot)
        if question is None or seat not in question.asked or not known:
            raise unlike("question", line, '"sealed red answer#1" or "told blue", after "asked ..."')
        if slot:
            question.sealed[seat] = slot
        else:
            question.told[seat] = ""


def place_secrets(state: State, given: Lines) -> None:
    state.held.secrets.clear()
    for line in given:
        found = fields("secrets", line, r"(secret#[1-9][0-9]*) ([a-z0-9_]+) (open|closed)", '"secret#3 red closed"')
        seats_in(state, "secrets", line, found[2])
        state.held.secrets[found[1]] = (found[2], found[3] == "open")


def place_private(state: State, given: Lines) -> None:
    state.held.privates.clear()
    form = r"(private#[1-9][0-9]*) ([a-z0-9_]+) ([a-z0-9_-]+/[0-9]+/[0-9]+) (open|closed) ([0-9]+) (\S+) (.+)"
    for line in sorted(given, key=lambda line: (len(line.partition(" ")[0]), line)):
        found = fields("private", line, form, '"private#3 red red-dice/1/2 closed 7 2d6 search"')
        seats_in(state, "private", line, found[2])
        dice = next((dice for dice, _ in DICE.read(Words(found[6]), 0)), None)
        if dice is None:
            raise unlike("private", line, DICE.about)
        purpose = plain("private", line, found[7])
        state.held.privates.append(
            Private(found[1], found[3], found[2], int(found[5]), dice, purpose, found[4] == "open")
        )


def place_values(state: State, given: Lines) -> None:
    state.held.values.clear()
    for line in given:
        found = fields("values", line, r"([a-z0-9_]+) ([0-9]{1,6})", '"red 17"')
        seats_in(state, "values", line, found[1])
        state.held.values[found[1]] = int(found[2])


def place_standing(state: State, given: Lines) -> None:
    state.held.standing.clear()
    for line in sorted(given):
        found = fields("standing", line, r"([0-9]{3,6}) ([a-z0-9_]+) (.+)", '"001 red whoever enters 0504 is fired at"')
        seats_in(state, "standing", line, found[2])
        state.held.standing.append(Standing(int(found[1]), found[2], plain("standing", line, found[3])))


PLACE: dict[str, Callable[[State, Lines], None]] = {
    "decks": place_decks,
    "lists": place_lists,
    "zones": place_zones,
    "open_decks": place_open_decks,
    "purses": place_purses,
    "shown": place_shown,
    "question": place_question,
    "secrets": place_secrets,
    "private": place_private,
    "values": place_values,
    "standing": place_standing,
}
"""How sections are placed, in this order: zones speak of decks, shown cards of both."""
