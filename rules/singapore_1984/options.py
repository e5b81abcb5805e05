"""The optional rules: what each seat listed in secret, and what opening a slot does. [13.0]

Each seat seals the same slots whatever it lists, one for each optional counter and each part of a rule that is open to
it, so that nothing can be told from them. An option acts from the event that opens its slot; those that stay closed are
opened when the game ends, for their points. [R84]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from copy import deepcopy

from pbem.api import Ask, Commit, Illegal, Note, Opened, OpenSlots, Order, Sealed, Slot, Tell, silent
from rules.singapore_1984 import air, stacking, victory
from rules.singapore_1984.listing import Fort, Listing, Subs, Use, contents_of
from rules.singapore_1984.orders import Assault, End, Land, Place, Sea
from rules.singapore_1984.rows import Player
from rules.singapore_1984.state import CW, JP, OUT, PLAYERS, POOL, SEALED, State
from rules.singapore_1984.written import AIR_ITEM, ITEMS

PURSE = "options"
PARTS = {"13.2": ("13.21", "13.22"), "13.4": ("13.41", "13.42", "13.43", "13.44")}


# --- sealing ---


def ask(s: State, side: Player) -> Ask:
    """The list of a seat, in as many slots as it could list. [3.0b, 13.0b, 13.1c]"""
    return Ask(side, "options", "3.0b", fill=Commit("purse", PURSE, len(ITEMS[side])), sealed=Listing.kind)  # [13.1c]


def refuse_listing(s: State, seat: str, order: Listing) -> Illegal | None:
    """Only what is open to the side. [13.0c, 13.81, 13.82a]"""
    if order.side != seat:
        return Illegal(f"the list of {seat} begins with: options {seat}", ("13.0c",))
    if len(set(order.listed)) < len(order.listed):
        return Illegal("something is listed twice", ("13.0b",))
    contents = contents_of(order.side, order.listed)
    for item in order.listed:
        named = [one for one in ITEMS[order.side] if one in (item, *PARTS.get(item, ()))]
        if AIR_ITEM.fullmatch(item) is None and not named:
            return Illegal(f"{item} is not open to {seat}", ("13.0c",), f"open: {', '.join(ITEMS[order.side])}")
    for item, content in zip(ITEMS[order.side], contents, strict=True):
        if not fits(s, item, content):
            return Illegal(f"{item} cannot be {content}", air_clause(item), "13.8/POINTS-TURN, such as 13.8/4-3")
    return None


def air_clause(item: str) -> tuple[str, ...]:
    """Where the limits of an item stand."""
    return {"13.81": ("13.81",), "13.82": ("13.82a", "13.82b")}.get(item, ("13.1a",))


def fits(s: State, item: str, content: str) -> bool:
    """Whether a slot may hold this."""
    if content == "no":
        return True
    if item in ("13.81", "13.82"):
        said, game = re.fullmatch(r"([1-9])-([1-9][0-9]?)", content), s.board.game
        if said is None:
            return False
        most, first = (game.air_added_jp, game.air_added_jp_from) if item == "13.81" else (game.air_added_cw, 1)
        return int(said[1]) <= most and first <= int(said[2]) <= game.last_turn
    return content == "yes" and (not item[-1].isalpha() or item in s.board.units)


def refuse_seal(s: State, seat: str, act: Sealed) -> Illegal | None:
    """A list is sealed once, when it is asked for."""
    if s.step == f"list-{seat}" and act.name == f"{seat}-{PURSE}" and not act.replaces:
        return None
    return Illegal("a list is sealed once", ("13.0b",))


def sealed(s: State, step: Sealed) -> None:
    """The slots of a seat, by what each is about."""
    side: Player = "jp" if step.seat == JP else "cw"
    s.slots = {**s.slots, **dict(zip(ITEMS[side], step.slots, strict=True))}
    s.step = "list-cw" if side == JP else "muster"


# --- opening ---

BEFORE = frozenset({"list-jp", "list-cw", "muster"})
"""Steps before the first turn, which brings air points by itself."""


def owner(item: str) -> Player:
    """Whose list has it."""
    return JP if item in ITEMS[JP] else CW


def item_of(s: State, slot: Slot) -> str:
    """What a slot is about; nothing where it is no slot of a list."""
    return next((item for item, one in s.slots.items() if one == slot), "")


def closed(s: State, side: Player) -> tuple[Slot, ...]:
    """The slots of a seat that nobody has seen."""
    return tuple(s.slots[item] for item in ITEMS[side] if item in s.slots and item not in s.opened)


def refuse_opening(s: State, seat: str, act: Opened) -> Illegal | None:
    """A seat may open its own slots at any time; what is in them must be what a list can say."""
    for slot, content in act.items:
        item = item_of(s, slot)
        if not item or owner(item) != seat or item in s.opened:
            return Illegal("that is no closed slot of your list", ("13.0b",))
        if not fits(s, item, str(content)):
            return Illegal(f"{item} cannot be {str(content)[:20]}", air_clause(item))
    return None


def open_slots(s: State, items: Iterable[tuple[Slot, object]], tell: Tell) -> None:
    """From now on the option acts, and counts its points. [12.31, R84]"""
    s.forget()
    for slot, content in items:
        item = item_of(s, slot)
        s.opened[item] = str(content)
        s.fresh = item
        charge(s, item, str(content))  # [3.0c, 12.31a, 12.31b]
        if item in ("13.81", "13.82") and s.step not in BEFORE and not s.ending:
            air.shown(s, owner(item))
        stem = "not_listed" if content == "no" else "listed"
        tell(Note(stem, {"item": item, "what": WHAT.get(item, "an optional unit")}, ("13.0d",)))
        if item in s.pieces and s.pieces[item].at == SEALED:
            enlist(s, item, str(content) == "yes")


def enlist(s: State, unit: str, listed: bool) -> None:
    """An optional unit waits for its turn, stands in its hex if the game has not begun, or is out. [13.1b, 5.51a]"""
    row = s.board.units[unit]
    if not listed or s.ending or (row.start and s.step != "muster"):  # [13.1b]
        s.change(unit, at=OUT)
    elif row.start:
        s.change(unit, at=row.start)
        s.through[row.start] = row.side
    else:
        s.change(unit, at=POOL)


def charge(s: State, item: str, content: str) -> None:
    """The price of what was listed, of a rule with several parts once. [12.31, 12.4-opt, 12.4-inc, 12.4-air]"""
    if content == "no":
        return
    if item in s.board.units:
        row = s.board.units[item]
        award = s.board.awards[f"boxed-{row.side}-{'armor' if row.arm == 'armor' else 'infantry'}"]
        victory.score(s, f"units-{row.side}", award * s.board.worth(item))
    elif item in ("13.81", "13.82"):
        side = owner(item)
        victory.score(s, f"air-{side}", int(content[0]) * s.board.awards[f"air-{side}"])
    elif rule(item) not in s.account:
        victory.score(s, rule(item), s.board.awards[rule(item)])


def rule(item: str) -> str:
    """The rule that an item is a part of: 13.2 for 13.21."""
    return item[:4]


WHAT = {
    "13.21": "jungle training",
    "13.22": "beach defence",
    "13.3": "Operation Matador",
    "13.41": "anti-tank obstacles",
    "13.42": "fortified straits",
    "13.43": "airfield destruction",
    "13.44": "native labour",
    "13.5": "the Indomitable",
    "13.6": "submarines",
    "13.7": "Dalforce",
    "13.81": "Japanese air points",
    "13.82": "Commonwealth air points",
    "13.9": "Nishimura relieved",
}


# --- orders that open ---

RESTING = frozenset({"use", "subs", "fort", "place", "sea", "land", "assault", "end"})
"""Kinds of orders that may rest on an option."""


def wanted(s: State, order: Order) -> str:
    """The item that an order cannot do without; nothing where it needs none."""
    match order:
        case Use():
            return order.item
        case Subs():
            return "13.6"
        case Fort():
            return "13.44"
        case Place() | Sea() | Land() | Assault():
            piece = s.pieces.get(order.unit)
            return order.unit if piece is not None and piece.at == SEALED else ""
    return ""


def saves(s: State, order: Order, known: Mapping[Slot, object]) -> str:
    """What the end of a movement shows by itself: 13.9, if it was listed and guards would be lost. [7.22, 13.9]"""
    ends = isinstance(order, End) and s.step == "move" and s.active == JP
    listed = known.get(s.slots.get("13.9", "")) == "yes"
    return "13.9" if ends and listed and stacking.guards_astray(s) else ""


def opens(s: State, seat: str, order: Order, known: Mapping[Slot, object]) -> tuple[Slot, ...]:
    """The slot that an order opens with it. [13.0d]"""
    item = wanted(s, order) or saves(s, order, known)
    return (s.slots[item],) if item in s.slots and item not in s.opened and owner(item) == seat else ()


def refuse_unlisted(s: State, seat: str, order: Order, known: Mapping[Slot, object]) -> Illegal | None:
    """An order that rests on an option needs it listed, and shown. [13.0e, R59]"""
    item = wanted(s, order)
    if not item:
        return None
    if item not in s.slots:
        return Illegal(f"{item} is an option, and this game has none", ("13.0a", "3.0k"))
    if owner(item) != seat:
        return Illegal(f"{item} is not open to you", ("13.0c",))
    content = s.opened.get(item) or known.get(s.slots[item])
    if content is None:
        return Illegal(f"show {item} with the order", ("13.0d",))
    if not fits(s, item, str(content)):
        return Illegal(f"{item} cannot be {str(content)[:20]}", air_clause(item))
    return None if content != "no" else Illegal(f"you did not list {item}", ("13.0e", "R59"))


def shown(s: State, seat: str, order: Order, known: Mapping[Slot, object]) -> State:
    """The state as it is once the slot of an order is open, for judging the order before it is."""
    if not s.slots:
        return s
    slots = [slot for slot in opens(s, seat, order, known) if slot in known]
    if not slots:
        return s
    then = deepcopy(s)
    open_slots(then, [(slot, known[slot]) for slot in slots], silent)
    return then


def refuse_use(s: State, order: Use) -> Illegal | None:
    """Once: when it is shown."""
    if order.item in s.opened and s.fresh != order.item:
        return Illegal(f"{order.item} has been shown", ("13.0d",))
    return None


# --- the end ---


def tally(s: State) -> tuple[Ask, ...]:
    """What is still closed is opened, for its points. [13.0b, 12.31]"""
    for side in PLAYERS:
        slots = closed(s, side)
        if slots:
            return (Ask(side, "tally", "13.0b", client=OpenSlots(slots)),)
    return ()
