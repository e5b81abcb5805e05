"""The orders, in the words that may be typed; `written` has their parts, `names` turns names into ids and slots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, TypeVar

from pbem.api import Many, Order
from rules.glory_recalled.standing import STANDING, DropStanding
from rules.glory_recalled.written import Fate, GloryOrder, Stack, Token
from rules.kit.orders import Reader

T = TypeVar("T")


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
    usage: ClassVar[str] = "deploy {PLACING:placings}"
    also: ClassVar[tuple[str, ...]] = ("deploy PLACING:placings ... END",)
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
    about: ClassVar[str] = (
        "fall of Kowloon: your program takes the card that the rules give out of the deck; `none` if no copy is in it"
    )

    card: Token


ORDERS: tuple[type[GloryOrder], ...] = (
    *(SortDeck, GiveBack, Deploy, Disrupt, DisruptNone, Remove, Destroy, DestroyNone),
    *(Pass, Play, Lead, Rally, March, Move, Attack, Done, Transport, Land, Bombard, Shell, Event, Reveal),
    *(React, NoReaction, DefendWith, Support, Hits, Advance, Stay, PlaceLeader, Wave, NoWave, Ashore, SailBack),
    *(Block, NoBlock, Discard, ExtraCard, NoExtraCard, Restore, RestoreNone, TakeCard),
    *STANDING,
    DropStanding,
)
READER = Reader(ORDERS)


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
