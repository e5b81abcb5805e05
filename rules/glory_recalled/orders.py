"""The orders, in the words that may be typed, and how names of counters, cards and spaces become what the log says.

A player types names: `2RS-A`, `"Golden Hill"`, `"Heavy Rain"`. The log says slots for what is closed; `read` and
`phrase` go between the two with what the player knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import AfterValidator, Field

from pbem.api import Known, Many, Order
from rules.glory_recalled.components import Board
from rules.glory_recalled.state import SEATS, State, card_of, is_slot
from rules.kit.orders import BREAK, Reader, SlotType, Words, WrittenOrder

T = TypeVar("T")
_TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9/#._'-]{0,79}\Z")
_QUOTED = re.compile(r'"([^"\n]*)"')
_WORD = re.compile(r"[^\s\"]+")
_SLOT = re.compile(r"\b[a-z]+-[a-z]+/[0-9]+/[0-9]+")


def _token(text: str) -> str:
    if not _TOKEN.match(text):
        raise ValueError("not a name")
    return text


JOINTS = frozenset({"with", "to", "take", "using", "at", "box", "road", "leaders", "second", "paying", "aside"})
"""Words of usages, which are no names."""

Token = Annotated[str, AfterValidator(_token)]
Stack = Annotated[tuple[Token, ...], Field(strict=False, min_length=1)]


# --- slot types ---


class Name:
    """The id of a space, card, counter or leader; names in quotes have become ids before."""

    def __init__(self, about: str) -> None:
        self.about = about

    def read(self, words: Words, i: int) -> Iterator[tuple[str, int]]:
        if i < len(words) and _TOKEN.match(words[i]) and words.folded[i] not in JOINTS:
            yield words[i], i + 1

    def show(self, value: str) -> str:
        return value


class Joined:
    """Ids joined by one sign: counters by `+`, the spaces of a path by `-`."""

    def __init__(self, sign: str, least: int, about: str) -> None:
        self.sign, self.least, self.about = sign, least, about

    def read(self, words: Words, i: int) -> Iterator[tuple[tuple[str, ...], int]]:
        if i < len(words):
            parts = tuple(words[i].split(self.sign))
            if words.folded[i] not in JOINTS and len(parts) >= self.least and all(_TOKEN.match(part) for part in parts):
                yield parts, i + 1

    def show(self, value: Iterable[str]) -> str:
        return self.sign.join(value)


class Placing:
    """One line of a set-up: a space and what stands in it."""

    about = "a space and what stands there: G03: 2RS-A DM-1 fort"

    def read(self, words: Words, i: int) -> Iterator[tuple[tuple[str, ...], int]]:
        end = i
        while end < len(words) and words[end] != BREAK:
            end += 1
        parts = [part for word in words[i:end] if word not in (":", ",") for part in word.split("+")]
        if len(parts) > 1 and words.folded[i] != "end" and all(_TOKEN.match(part) for part in parts):
            yield tuple(parts), end

    def show(self, value: tuple[str, ...]) -> str:
        return f"{value[0]}: {' '.join(value[1:])}"


class FateType:
    """What becomes of one counter: `2RS-A disrupt retreat K02`."""

    about = "a unit and its fate: disrupt, retreat SPACE, disrupt retreat SPACE, stay, disrupt stay, eliminate"

    def read(self, words: Words, i: int) -> Iterator[tuple[tuple[str, ...], int]]:
        if i >= len(words) or not _TOKEN.match(words[i]):
            return
        found, at = [words[i]], i + 1
        if at < len(words) and words[at] == ":":
            at += 1
        while at < len(words) and words.folded[at] in ("disrupt", "retreat", "stay", "eliminate"):
            found.append(words.folded[at])
            at += 1
            if found[-1] == "retreat":
                if at >= len(words) or not _TOKEN.match(words[at]):
                    return
                found.append(words[at])
                at += 1
        if len(found) > 1:
            yield tuple(found), at

    def show(self, value: tuple[str, ...]) -> str:
        return " ".join(value)


def _fate(value: tuple[str, ...]) -> tuple[str, ...]:
    deed = tuple("SPACE" if i and value[i - 1] == "retreat" else word for i, word in enumerate(value))[1:]
    if deed not in FATES:
        raise ValueError("disrupt, retreat SPACE, both, stay, disrupt stay, or eliminate")
    return value


FATES = (
    ("disrupt",),
    ("retreat", "SPACE"),
    ("disrupt", "retreat", "SPACE"),
    ("stay",),
    ("disrupt", "stay"),
    ("eliminate",),
)
Fate = Annotated[tuple[Token, ...], Field(strict=False, min_length=2, max_length=4), AfterValidator(_fate)]

SLOTS: Mapping[str, SlotType] = {
    "SPACE": Name('a space: K04 or "Sham Shui Po"'),
    "CARD": Name('a card of your hand: JA1, "228th Offensive", or its slot'),
    "LEADER": Name("a leader: Doi"),
    "STACK": Joined("+", 1, "counters, joined by +: 228-1+228-2"),
    "PATH": Joined("-", 2, "spaces from the first to the last: N01-G01-K03"),
    "ROAD": Joined("-", 2, "the two ends of a road: K01-K04"),
    "BOX": Name("a landing box: L3"),
    "PLACING": Placing(),
    "FATE": FateType(),
}


class GloryOrder(WrittenOrder):
    """An order of this game."""

    slots = SLOTS


# --- set-up ---


class SortDeck(GloryOrder):
    """The cards that do not begin in the deck: those set aside for the fall of Kowloon, and those that are given."""

    kind: ClassVar[str] = "sort_deck"
    usage: ClassVar[str] = "sort deck [aside {CARD:aside}] [take {CARD:taken}]"
    about: ClassVar[str] = "your program takes the marked and the given cards out of your deck, openly"

    aside: Many[Token] = ()
    taken: Many[Token] = ()


class GiveBack(GloryOrder):
    kind: ClassVar[str] = "give_back"
    usage: ClassVar[str] = "return {CARD:cards}"
    about: ClassVar[str] = "set-up: cards of your hand that go back"

    cards: Many[Token]


class Deploy(GloryOrder):
    """Everything that stands on the map, in one order."""

    kind: ClassVar[str] = "deploy"
    usage: ClassVar[str] = "deploy PLACING:placings ... END"
    about: ClassVar[str] = "set-up, and after the fall of Kowloon: every counter, leader and Fortified marker"

    placings: Many[Stack]


class Disrupt(GloryOrder):
    kind: ClassVar[str] = "disrupt"
    usage: ClassVar[str] = "disrupt STACK:units"
    about: ClassVar[str] = "turn these units to their backs: Island set-up, fall of Kowloon, torpedo boats"

    units: Stack


class DisruptNone(GloryOrder):
    kind: ClassVar[str] = "disrupt_none"
    usage: ClassVar[str] = "disrupt none"
    about: ClassVar[str] = "there is no unit to disrupt"


class Remove(GloryOrder):
    kind: ClassVar[str] = "remove"
    usage: ClassVar[str] = "remove STACK:units"
    about: ClassVar[str] = "Island set-up: two Japanese units leave play"

    units: Stack


class Destroy(GloryOrder):
    kind: ClassVar[str] = "destroy"
    usage: ClassVar[str] = "destroy {SPACE:spaces}"
    about: ClassVar[str] = "batteries that are destroyed: Island set-up, fall of Kowloon"

    spaces: Many[Token]


class DestroyNone(GloryOrder):
    kind: ClassVar[str] = "destroy_none"
    usage: ClassVar[str] = "destroy none"
    about: ClassVar[str] = "no battery"


# --- actions ---


class Pass(GloryOrder):
    kind: ClassVar[str] = "pass"
    usage: ClassVar[str] = "pass"
    about: ClassVar[str] = "no action in this round"


class Play(GloryOrder):
    """An action card that activates units."""

    kind: ClassVar[str] = "play"
    usage: ClassVar[str] = "play CARD [with {STACK:stacks}]"
    about: ClassVar[str] = "a formation card, or Counter Attack with its stacks; then move and attack"

    card: Token
    stacks: Many[Stack] = ()


class Lead(GloryOrder):
    kind: ClassVar[str] = "lead"
    usage: ClassVar[str] = "leader LEADER with STACK:units using CARD"
    about: ClassVar[str] = "a card face-down: the leader and one stack may move and attack"

    leader: Token
    units: Stack
    card: Token


class Rally(GloryOrder):
    kind: ClassVar[str] = "rally"
    usage: ClassVar[str] = "rally LEADER [via PATH] using CARD [flip STACK:units]"
    about: ClassVar[str] = "a card face-down: the leader moves, then two disrupted units near him recover"

    leader: Token
    path: Many[Token] = ()
    card: Token
    units: Many[Token] = ()


class March(GloryOrder):
    kind: ClassVar[str] = "march"
    usage: ClassVar[str] = "march {STACK:stacks PATH:paths}"
    about: ClassVar[str] = "without a card: units of one space move 4 MP, no attack"

    stacks: Many[Stack]
    paths: Many[Stack]


class Move(GloryOrder):
    kind: ClassVar[str] = "move"
    usage: ClassVar[str] = "move {STACK:stacks PATH:paths}"
    about: ClassVar[str] = "units and leaders that a card has activated"

    stacks: Many[Stack]
    paths: Many[Stack]


class Attack(GloryOrder):
    kind: ClassVar[str] = "attack"
    usage: ClassVar[str] = (
        "attack SPACE main STACK:main [second STACK:second] [leaders STACK:leaders] [paying {CARD:paying}]"
    )
    about: ClassVar[str] = "one main stack of two units at most, one unit of each other stack"

    space: Token
    main: Stack
    second: Many[Token] = ()
    leaders: Many[Token] = ()
    paying: Many[Token] = ()


class Done(GloryOrder):
    kind: ClassVar[str] = "done"
    usage: ClassVar[str] = "done"
    about: ClassVar[str] = "the action is over"


class Transport(GloryOrder):
    kind: ClassVar[str] = "transport"
    usage: ClassVar[str] = "transport CARD {STACK:stacks to SPACE:spaces}"
    about: ClassVar[str] = "Sea Transport: from a pier of yours or beside it to another"

    card: Token
    stacks: Many[Stack]
    spaces: Many[Token]


class Land(GloryOrder):
    kind: ClassVar[str] = "land"
    usage: ClassVar[str] = "land CARD {BOX:landings STACK:stacks}"
    about: ClassVar[str] = "Amphibious Assault: what goes into which landing box, in the order of fighting"

    card: Token
    landings: Many[Token]
    stacks: Many[Stack]


class Bombard(GloryOrder):
    kind: ClassVar[str] = "bombard"
    usage: ClassVar[str] = "bombard SPACE using CARD"
    about: ClassVar[str] = "Artillery or Air Support on a battery, as an action"

    space: Token
    card: Token


class Shell(GloryOrder):
    kind: ClassVar[str] = "shell"
    usage: ClassVar[str] = "shell SPACE using CARD"
    about: ClassVar[str] = "Gunboat Attack on a stack in a coastal space, as an action"

    space: Token
    card: Token


class Event(GloryOrder):
    """An event card; what it needs depends on the card."""

    kind: ClassVar[str] = "event"
    usage: ClassVar[str] = "event CARD [at {SPACE:spaces}] [with STACK:units]"
    about: ClassVar[str] = "an event card: spaces and units where it wants some"

    card: Token
    spaces: Many[Token] = ()
    units: Many[Token] = ()


class Reveal(GloryOrder):
    kind: ClassVar[str] = "reveal"
    usage: ClassVar[str] = "reveal STACK:units"
    about: ClassVar[str] = "open counters; dummies are removed"

    units: Stack


# --- answers ---


class React(GloryOrder):
    kind: ClassVar[str] = "react_card"
    usage: ClassVar[str] = "react CARD [box BOX] [road ROAD]"
    about: ClassVar[str] = "a green card against the action that was announced"

    card: Token
    box: Token | None = None
    road: Many[Token] = ()


class NoReaction(GloryOrder):
    kind: ClassVar[str] = "no_reaction"
    usage: ClassVar[str] = "no reaction"
    about: ClassVar[str] = "let the action happen"


class DefendWith(GloryOrder):
    kind: ClassVar[str] = "defend_with"
    usage: ClassVar[str] = "defend with STACK:units"
    about: ClassVar[str] = "the two units of a beachhead that defend"

    units: Stack


class Support(GloryOrder):
    """The cards for a combat; sealed by the defender, in clear by the attacker."""

    kind: ClassVar[str] = "support"
    usage: ClassVar[str] = "support [with {CARD:cards}]"
    about: ClassVar[str] = "cards for this combat, or none"
    also: ClassVar[tuple[str, ...]] = ("support none",)

    cards: Many[Token] = ()


class Hits(GloryOrder):
    kind: ClassVar[str] = "hits"
    usage: ClassVar[str] = "hits {FATE:fates}"
    about: ClassVar[str] = "who takes the hits, in this order; leaders may go along"

    fates: Many[Fate]


class Advance(GloryOrder):
    kind: ClassVar[str] = "advance"
    usage: ClassVar[str] = "advance STACK:units"
    about: ClassVar[str] = "into the space that was won; a leader may go with them"

    units: Stack


class Stay(GloryOrder):
    kind: ClassVar[str] = "stay"
    usage: ClassVar[str] = "stay"
    about: ClassVar[str] = "nobody advances"


class PlaceLeader(GloryOrder):
    kind: ClassVar[str] = "place_leader"
    usage: ClassVar[str] = "place LEADER in SPACE"
    about: ClassVar[str] = "a leader without his troops joins the nearest of yours"

    leader: Token
    space: Token


class Wave(GloryOrder):
    kind: ClassVar[str] = "wave"
    usage: ClassVar[str] = "wave STACK:units"
    about: ClassVar[str] = "the two units, and the leader, of the next wave from this box"

    units: Stack


class NoWave(GloryOrder):
    kind: ClassVar[str] = "no_wave"
    usage: ClassVar[str] = "no wave"
    about: ClassVar[str] = "no further assault from this box"


class Ashore(GloryOrder):
    kind: ClassVar[str] = "ashore"
    usage: ClassVar[str] = "ashore STACK:units"
    about: ClassVar[str] = "who leaves the landing box for the landing space; the others sail back"

    units: Stack


class SailBack(GloryOrder):
    kind: ClassVar[str] = "sail_back"
    usage: ClassVar[str] = "sail back {STACK:stacks to SPACE:spaces}"
    about: ClassVar[str] = "to a pier of yours or beside it, as far as there is room"

    stacks: Many[Stack]
    spaces: Many[Token]


class Block(GloryOrder):
    kind: ClassVar[str] = "block"
    usage: ClassVar[str] = "block with STACK:units"
    about: ClassVar[str] = "open units that cut a Japanese supply line"

    units: Stack


class NoBlock(GloryOrder):
    kind: ClassVar[str] = "no_block"
    usage: ClassVar[str] = "no block"
    about: ClassVar[str] = "open nothing; closed counters cut no supply line"


class Discard(GloryOrder):
    kind: ClassVar[str] = "discard"
    usage: ClassVar[str] = "discard {CARD:cards}"
    about: ClassVar[str] = "cards over the limit of the hand"

    cards: Many[Token]


class ExtraCard(GloryOrder):
    kind: ClassVar[str] = "extra_card"
    usage: ClassVar[str] = "draw extra"
    about: ClassVar[str] = "option: one card more, and one to discard; free set-up: five cards more"


class NoExtraCard(GloryOrder):
    kind: ClassVar[str] = "no_extra_card"
    usage: ClassVar[str] = "no extra"
    about: ClassVar[str] = "no more cards"


class Restore(GloryOrder):
    kind: ClassVar[str] = "restore"
    usage: ClassVar[str] = "restore STACK:units using {CARD:cards}"
    about: ClassVar[str] = "fall of Kowloon: cards rally two units each, wherever they are"

    units: Stack
    cards: Many[Token]


class RestoreNone(GloryOrder):
    kind: ClassVar[str] = "restore_none"
    usage: ClassVar[str] = "restore none"
    about: ClassVar[str] = "fall of Kowloon: no unit is rallied"


class TakeCard(GloryOrder):
    kind: ClassVar[str] = "take_card"
    usage: ClassVar[str] = "take CARD"
    about: ClassVar[str] = "fall of Kowloon: your program takes the card that the rules give out of the deck"

    card: Token


class TakeNone(GloryOrder):
    kind: ClassVar[str] = "take_none"
    usage: ClassVar[str] = "take none"
    about: ClassVar[str] = "fall of Kowloon: no copy of that card is in the deck"


ORDERS: tuple[type[GloryOrder], ...] = (
    *(SortDeck, GiveBack, Deploy, Disrupt, DisruptNone, Remove, Destroy, DestroyNone),
    *(Pass, Play, Lead, Rally, March, Move, Attack, Done, Transport, Land, Bombard, Shell, Event, Reveal),
    *(React, NoReaction, DefendWith, Support, Hits, Advance, Stay, PlaceLeader, Wave, NoWave, Ashore, SailBack),
    *(Block, NoBlock, Discard, ExtraCard, NoExtraCard, Restore, RestoreNone, TakeCard, TakeNone),
)
READER = Reader(ORDERS)


# --- names and slots ---


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


_PRINTED: dict[int, tuple[Board, Mapping[str, str]]] = {}


def _printed(board: Board) -> Mapping[str, str]:
    """Ids by id and printed name, folded; kept for the boards that were met last."""
    met = _PRINTED.get(id(board))
    if met is not None and met[0] is board:
        return met[1]
    names: dict[str, str] = {}
    for one in (*board.spaces, *board.boxes, *board.leaders, *board.units, *board.dummies):
        names.setdefault(one.casefold(), one)
    for things in (board.spaces, board.boxes, board.units):
        for one in things:
            names.setdefault(board.name(one).casefold(), one)
    if len(_PRINTED) > 8:
        _PRINTED.clear()
    _PRINTED[id(board)] = (board, names)
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


def renamed(order: T, names: Mapping[str, str]) -> T:
    """An order with slots that were opened with it replaced by what they turned out to be."""
    if not names or not isinstance(order, GloryOrder):
        return order
    return order.model_copy(update={name: _replaced(getattr(order, name), names) for name in type(order).model_fields})


def _replaced(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, tuple):
        return tuple(_replaced(one, names) for one in value)
    return names.get(value, value) if isinstance(value, str) else value


def tokens(order: Order) -> Iterator[str]:
    """Every id and slot that an order names."""
    todo: list[Any] = [getattr(order, name) for name in type(order).model_fields]
    while todo:
        one = todo.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, tuple):
            todo += one
