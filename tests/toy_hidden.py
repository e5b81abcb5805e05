"""A toy game with everything that can be hidden: "Smugglers", for two or three seats. Not a real rules engine.

Each seat seals a deck of four cards, three counters (a spy and two dummies), a cup of four chits and a list of values
for private rolls. In each of six rounds the active seat hides a cargo and the next seat guesses where; then the active
seat acts, a chit is drawn, and hands are filled up to two cards.

| hidden thing | here | clause |
|---|---|---|
| deck, hand, a count that is claimed | `cards`; `declare` says how many high cards a new hand holds | 1 |
| secret choice, opened after the answer | `hide PLACE`, then `guess PLACE`; no place twice running | 2 |
| a card opened by the order that plays it | `play CARD` scores what the card is worth | 3 |
| a window | `counter CARD` undoes a card that is played; the window is there if the seat has cards at all | 4 |
| a cup of all seats | `stock` fills it; at most two chits of gold, which is found out when they are opened | 5 |
| hidden counters, an owner's limit | `move MAN to PLACE`: one step; two steps are a spy's | 6 |
| openings by the other seat | `strike MAN on MAN`: both come open, a spy beats a dummy | 7 |
| a private roll, shown or not | `search`, then `boast NUMBER` with the value that proves it, or `keep` | 8 |
| a play that is forced by a hidden card | nobody may `pass` who holds the crown | 9 |
| a reshuffle | a pile too small is sealed anew with the discards: a new epoch | 10 |

The state is a queue of tasks, and the public places of slots; nothing in it says what a closed slot holds.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from pbem.api import (
    Act,
    Ask,
    Claim,
    Commit,
    Grid,
    Illegal,
    Known,
    Lapsed,
    Many,
    Note,
    Opened,
    OpenSlots,
    Order,
    Ordered,
    Outcome,
    Owes,
    Resigned,
    Roll,
    Rolled,
    Scenario,
    Sealed,
    Seat,
    Slot,
    Start,
    Step,
    Table,
    Tell,
    View,
    silent,
)
from pbem.errors import Trouble
from rules.kit.orders import Choice, Number, Reader, WrittenOrder

CARDS = {"ace": 3, "bolt": 2, "crown": 4, "dart": 1}
HIGH = 3
MEN = ("dummy", "dummy", "spy")
CHITS = ("gold", "lead")
CHITS_EACH, GOLD_AT_MOST, HAND, ROUNDS, VALUES = 4, 2, 2, 6, 6
PLACES = ("harbour", "bridge", "hill")
HOME = {"red": "harbour", "blue": "hill", "green": "bridge"}


class Token:
    """A slot, or what the seat knows to be in it: `read` has put the slot in before."""

    def __init__(self, about: str) -> None:
        self.about = about

    def read(self, words: Sequence[str], i: int) -> Iterator[tuple[str, int]]:
        if i < len(words) and "/" in words[i]:
            yield words[i], i + 1

    def show(self, value: str) -> str:
        return value


SLOTS: Mapping[str, Any] = {
    "PLACE": Choice(*PLACES),
    "CARD": Token("a card of the hand"),
    "MAN": Token("a counter"),
    "CHIT": Choice(*CHITS),
    "NUMBER": Number(0, 9),
}


class HiddenOrder(WrittenOrder):
    slots: ClassVar[Mapping[str, Any]] = SLOTS


class Stock(HiddenOrder):
    """Secret: fills the cup."""

    kind: ClassVar[str] = "stock"
    usage: ClassVar[str] = "stock {CHIT:chits}"
    chits: Many[str]

    def contents(self) -> tuple[str, ...]:
        return self.chits


class Declare(HiddenOrder):
    kind: ClassVar[str] = "declare"
    usage: ClassVar[str] = "declare NUMBER"
    number: int


class Hide(HiddenOrder):
    """Secret: one choice."""

    kind: ClassVar[str] = "hide"
    usage: ClassVar[str] = "hide PLACE"
    place: str


class Guess(HiddenOrder):
    kind: ClassVar[str] = "guess"
    usage: ClassVar[str] = "guess PLACE"
    place: str


class Play(HiddenOrder):
    kind: ClassVar[str] = "play"
    usage: ClassVar[str] = "play CARD"
    card: str


class Counter(HiddenOrder):
    kind: ClassVar[str] = "counter"
    usage: ClassVar[str] = "counter CARD"
    card: str


class Move(HiddenOrder):
    kind: ClassVar[str] = "move"
    usage: ClassVar[str] = "move MAN to PLACE"
    man: str
    place: str


class Strike(HiddenOrder):
    kind: ClassVar[str] = "strike"
    usage: ClassVar[str] = "strike MAN on MAN:foe"
    man: str
    foe: str


class Search(HiddenOrder):
    kind: ClassVar[str] = "search"
    usage: ClassVar[str] = "search"


class Boast(HiddenOrder):
    kind: ClassVar[str] = "boast"
    usage: ClassVar[str] = "boast NUMBER"
    number: int


class Keep(HiddenOrder):
    kind: ClassVar[str] = "keep"
    usage: ClassVar[str] = "keep"


class Pass(HiddenOrder):
    kind: ClassVar[str] = "pass"
    usage: ClassVar[str] = "pass"


ORDERS: tuple[type[HiddenOrder], ...] = (
    Stock,
    Declare,
    Hide,
    Guess,
    Play,
    Counter,
    Move,
    Strike,
    Search,
    Boast,
    Keep,
    Pass,
)
ANSWERS: Mapping[str, tuple[str, ...]] = {
    "stock": ("stock",),
    "declare": ("declare",),
    "hide": ("hide",),
    "guess": ("guess",),
    "act": ("play", "move", "strike", "search", "pass"),
    "react": ("counter",),
    "boast": ("boast", "keep"),
}
"""Which orders answer which task."""

Task = tuple[str, ...]
"""What, then the seat, then slots: `("chit", "red", "red-cup/1/3")`."""


@dataclass
class Den:
    """The position. Zones hold slots; `faces` says what is open in them."""

    seats: tuple[str, ...]
    tasks: list[Task] = field(default_factory=list)
    turn: int = 0
    piles: dict[str, list[Slot]] = field(default_factory=dict)
    hands: dict[str, list[Slot]] = field(default_factory=dict)
    discards: dict[str, list[Slot]] = field(default_factory=dict)
    cups: dict[str, list[Slot]] = field(default_factory=dict)
    values: dict[str, list[Slot]] = field(default_factory=dict)
    men: dict[Slot, str] = field(default_factory=dict)
    faces: dict[Slot, str] = field(default_factory=dict)
    hidden: str = ""
    cargo: str = ""
    last: dict[str, str] = field(default_factory=dict)
    guessed: str = ""
    played: str = ""
    struck: tuple[str, ...] = ()
    found: str = ""
    proof: str = ""
    score: dict[str, int] = field(default_factory=dict)
    gone: tuple[str, ...] = ()

    def active(self) -> str:
        return self.seats[(self.turn - 1) % len(self.seats)]

    def other(self, seat: str) -> str:
        return self.seats[(self.seats.index(seat) + 1) % len(self.seats)]


def number(slot: Slot) -> tuple[str, int, int]:
    """Slots in the order of name, epoch and number."""
    name, epoch, place = slot.split("/")
    return name, int(epoch), int(place)


def in_order(slots: Iterable[Slot]) -> list[Slot]:
    return sorted(slots, key=number)


@dataclass(frozen=True)
class Nothing:
    """Components: none."""

    def tables(self) -> tuple[Table, ...]:
        return ()


class Smugglers:
    """The engine."""

    id: str = "smugglers"
    title: str = "Smugglers"
    editions: tuple[int, ...] = (1,)
    orders: Mapping[str, type[Order]] = {cls.kind: cls for cls in ORDERS}
    words: Mapping[str, str] = {
        "sealed": "{seat} seals {count} slots",
        "drew": "{seat} draws {count}",
        "declared": "{seat} declares {number} high cards",
        "found": "{seat} guesses {place} and finds the cargo",
        "missed": "{seat} guesses {place}, the cargo was at {cargo}",
        "played": "{seat} plays {card}",
        "countered": "{seat} counters with {card}",
        "moved": "{seat} moves a man to {place}",
        "struck": "{seat}: {man} against {foe}",
        "searched": "{seat} searches",
        "boasted": "{seat} found {number}",
        "passed": "{seat} passes",
        "chit": "{seat} had {chit} in the cup",
        "gone": "{seat} gives up",
    }
    bound: int = 200

    def scenarios(self) -> tuple[Scenario, ...]:
        two = (Seat("red", "the harbour gang"), Seat("blue", "the hill gang"))
        three = (*two, Seat("green", "red's ally, who sees red's cards"))
        return (Scenario("duel", "Two gangs", "the usual game", two), Scenario("allies", "Three gangs", "", three))

    def components(self, edition: int, folder: Path | None = None) -> Any:
        return Nothing()

    def rulings(self, edition: int) -> tuple[str, ...]:
        return ()

    def check_options(self, scenario: Scenario, options: Mapping[str, str]) -> str | None:
        return None

    def replaceable(self, s: Den, seat: str) -> bool:
        return False

    # --- what is asked ---

    def setup(self, start: Start) -> Den:
        s = Den(start.seats, score=dict.fromkeys(start.seats, 0))
        for zone in (s.piles, s.hands, s.discards, s.cups, s.values):
            zone.update((seat, []) for seat in s.seats)
        for seat in s.seats:
            s.tasks += [("cards", seat), ("men", seat), ("values", seat), ("stock", seat)]
        for seat in s.seats:
            s.tasks += [("draw", seat), ("declare", seat)]
        return s

    def pending(self, s: Den) -> tuple[Ask | Roll, ...]:
        if not s.tasks:
            return ()
        what, seat, *slots = s.tasks[0]
        stem = f"t{s.turn}"
        match what:
            case "cards":
                share = ("green",) if seat == "red" and "green" in s.seats else ()
                return (Ask(seat, what, "1", client=Commit("deck", what, len(CARDS), tuple(CARDS), (), share)),)
            case "men":
                return (Ask(seat, what, "6", client=Commit("deck", what, len(MEN), MEN)),)
            case "values":
                return (Ask(seat, what, "8", client=Commit("private", what, VALUES)),)
            case "stock":
                return (Ask(seat, what, "5", fill=Commit("purse", "cup", CHITS_EACH), sealed="stock"),)
            case "reshuffle":
                share = ("green",) if seat == "red" and "green" in s.seats else ()
                return (Ask(seat, what, "10", client=Commit("deck", "cards", len(slots), (), tuple(slots), share)),)
            case "draw":
                return (Roll(f"{stem}/draw/{seat}", "1", draw=self.wanted(s, seat), pool=tuple(s.piles[seat])),)
            case "declare":
                return (Ask(seat, what, "1", client=Claim("declare")),)
            case "hide":
                return (Ask(seat, what, "2", secret=f"{stem}/hide", sealed="hide"),)
            case "cargo" | "show" | "chit" | "empty":
                clauses = {"cargo": "2", "show": "7", "chit": "5", "empty": "5"}
                closed = tuple(slot for slot in slots if slot not in s.faces)
                return (Ask(seat, what, clauses[what], client=OpenSlots(closed)),)
            case "search":
                return (Roll(f"{stem}/search", "8", dice=(6,), audience=seat),)
            case "react":
                return (Ask(seat, what, "4", window="counter"),)
            case "cup":
                return (Roll(f"{stem}/cup", "5", draw=1, pool=tuple(self.closed_chits(s))),)
            case _:
                return (Ask(seat, what, {"guess": "2", "act": "3", "boast": "8"}[what]),)

    def wanted(self, s: Den, seat: str) -> int:
        return min(HAND - len(s.hands[seat]), len(s.piles[seat]))

    def closed_chits(self, s: Den) -> list[Slot]:
        return in_order(slot for cup in s.cups.values() for slot in cup if slot not in s.faces)

    # --- what is refused ---

    def refuse(self, s: Den, seat: str, act: Act, known: Known) -> Illegal | Owes | None:
        if isinstance(act, Sealed):
            return self.refuse_seal(s, seat, act)
        if isinstance(act, Opened):
            return self.refuse_opening(s, seat, act, known)
        if not s.tasks:
            return Illegal("the game is over", ("1",))
        task = s.tasks[0]
        if task[1] != seat or act.kind not in ANSWERS.get(task[0], ()):
            return Illegal(f"{task[1]} answers {task[0]}", ("1",))
        judge = getattr(self, f"refuse_{act.kind}", None)
        return judge(s, seat, act, known) if judge is not None else None

    def refuse_seal(self, s: Den, seat: str, act: Sealed) -> Illegal | None:
        """Whatever lies in one place may be sealed anew: seals that are asked for do not come here."""
        zones = [zone[seat] for zone in (s.piles, s.hands, s.cups)]
        zones += [[man for man, place in s.men.items() if place == here] for here in PLACES]
        together = any(set(act.replaces) <= set(zone) for zone in zones)
        due = s.tasks[0][2:] if s.tasks and s.tasks[0][0] != "reshuffle" else ()
        if not act.replaces or not together or any(slot in s.faces or slot in due for slot in act.replaces):
            return Illegal("only closed slots of one place, of which none is due, are sealed anew", ("10",))
        return None

    def refuse_opening(self, s: Den, seat: str, act: Opened, known: Known) -> Illegal | None:
        """What may be opened: cards in hand, men, what is due. A card or man that an order opens comes here first."""
        if act.order is not None:
            if not s.tasks or s.tasks[0][0] != "cargo":
                return Illegal("the cargo stays hidden until somebody has guessed", ("2",))
            return self.refuse_hide(s, seat, act.order, known)
        due = s.tasks[0][2:] if s.tasks and s.tasks[0][0] in ("show", "chit", "empty") else ()
        proof = [s.proof] if s.tasks and s.tasks[0][:2] == ("boast", seat) else []
        for slot, _ in act.items:
            if slot not in (*due, *s.hands[seat], *s.men, *proof):
                return Illegal(f"{slot} is not to be opened now", ("1",))
        chits = [str(known.get(slot, s.faces.get(slot, ""))) for slot in s.cups[seat]]
        if chits.count("gold") > GOLD_AT_MOST:
            return Illegal(f"{seat} has more than {GOLD_AT_MOST} chits of gold", ("5",))
        return None

    def refuse_stock(self, s: Den, seat: str, order: Stock, known: Known) -> Illegal | None:
        if len(order.chits) != CHITS_EACH or order.chits.count("gold") > GOLD_AT_MOST:
            return Illegal(f"{CHITS_EACH} chits, at most {GOLD_AT_MOST} of gold", ("5",))
        return None

    def refuse_declare(self, s: Den, seat: str, order: Declare, known: Known) -> Illegal | Owes | None:
        hand = [known.get(slot) for slot in s.hands[seat]]
        if None in hand:
            return Owes(f"{seat} has {order.number} high cards")
        if sum(CARDS[str(card)] >= HIGH for card in hand) != order.number:
            return Illegal("the hand has another number of high cards", ("1",))
        return None

    def refuse_hide(self, s: Den, seat: str, order: Any, known: Known) -> Illegal | None:
        if s.last.get(seat) == order.place:
            return Illegal(f"{order.place} was the last one too", ("2",), "choose another place")
        return None

    def refuse_play(self, s: Den, seat: str, order: Any, known: Known) -> Illegal | None:
        if order.card not in s.hands[seat]:
            return Illegal(f"{order.card} is not in {seat}'s hand", ("3",))
        if order.card not in known:
            return Illegal(f"{order.card} must be opened", ("3",), "open it with the order")
        return None

    refuse_counter = refuse_play

    def refuse_move(self, s: Den, seat: str, order: Move, known: Known) -> Illegal | Owes | None:
        if not order.man.startswith(f"{seat}-men/") or order.man not in s.men:
            return Illegal(f"{order.man} is no man of {seat}", ("6",))
        steps = abs(PLACES.index(s.men[order.man]) - PLACES.index(order.place))
        if not steps:
            return Illegal("he stands there already", ("6",))
        if steps == 1:
            return None
        if order.man not in known:
            return Owes(f"{order.man} is a spy")
        return None if known[order.man] == "spy" else Illegal("two steps are for a spy", ("6",))

    def refuse_strike(self, s: Den, seat: str, order: Strike, known: Known) -> Illegal | None:
        if not order.man.startswith(f"{seat}-men/") or order.man not in s.men:
            return Illegal(f"{order.man} is no man of {seat}", ("7",))
        if order.foe.startswith(f"{seat}-") or s.men.get(order.foe) != s.men[order.man]:
            return Illegal(f"{order.foe} is no foe in the same place", ("7",))
        if order.man not in known:
            return Illegal(f"{order.man} must be opened", ("7",), "open it with the order")
        return None

    def refuse_search(self, s: Den, seat: str, order: Search, known: Known) -> Illegal | None:
        return None if s.values[seat] else Illegal("no value is left for a private roll", ("8",))

    def refuse_boast(self, s: Den, seat: str, order: Boast, known: Known) -> Illegal | None:
        if s.found not in known:
            return Illegal(f"{s.proof} must be opened", ("8",), "open it with the order")
        return None if known[s.found][0] == order.number else Illegal("another number was found", ("8",))

    def refuse_pass(self, s: Den, seat: str, order: Pass, known: Known) -> Illegal | Owes | None:
        hand = [known.get(slot) for slot in s.hands[seat]]
        if "crown" in hand:
            return Illegal("whoever holds the crown must act", ("9",))
        return Owes(f"{seat} does not hold the crown") if None in hand else None

    def opens(self, s: Den, seat: str, order: Order, known: Known) -> tuple[Slot, ...]:
        slot = ""
        if isinstance(order, Play | Counter):
            slot = order.card
        elif isinstance(order, Strike):
            slot = order.man
        elif isinstance(order, Boast):
            slot = s.proof
        return (slot,) if slot and slot not in s.faces else ()

    # --- what happens ---

    def apply(self, s: Den, step: Step, tell: Tell = silent) -> None:
        match step:
            case Sealed():
                self.sealed(s, step, tell)
            case Opened():
                self.opened(s, step, tell)
            case Rolled():
                self.rolled(s, step, tell)
            case Ordered(seat, order):
                getattr(self, f"on_{order.kind}")(s, seat, order, tell)
            case Lapsed():
                self.done(s)
                self.scored(s)
            case Resigned(seat):
                s.gone = (*s.gone, seat)
                s.tasks = []
                tell(Note("gone", {"seat": seat}))

    def sealed(self, s: Den, step: Sealed, tell: Tell) -> None:
        task = s.tasks[0] if s.tasks else ("", "")
        asked = not step.replaces or (task[0] == "reshuffle" and set(task[2:]) == set(step.replaces))
        tell(Note("sealed", {"seat": step.seat, "count": len(step.slots)}))
        if not asked:
            self.sealed_anew(s, step)
            return
        zone = step.name.partition("-")[2]
        if step.what == "choice":
            s.hidden = step.slots[0]
        elif zone == "men":
            s.men.update((slot, HOME[step.seat]) for slot in step.slots)
        elif zone == "cards":
            s.piles[step.seat] = in_order(step.slots)
            s.discards[step.seat] = []
        else:
            {"cup": s.cups, "values": s.values}[zone][step.seat] = in_order(step.slots)
        self.done(s)

    def sealed_anew(self, s: Den, step: Sealed) -> None:
        new = dict(zip(step.replaces, step.slots, strict=True))
        for zone in (s.piles, s.hands, s.cups):
            zone[step.seat] = in_order(new.get(slot, slot) for slot in zone[step.seat])
        s.men = {new.get(man, man): place for man, place in s.men.items()}
        s.tasks = [tuple(new.get(word, word) for word in task) for task in s.tasks]

    def opened(self, s: Den, step: Opened, tell: Tell) -> None:
        if isinstance(step.order, Hide):
            s.cargo = step.order.place
        else:
            s.faces.update(step.items)
        task = s.tasks[0] if s.tasks else ("", "")
        if s.cargo or (task[0] in ("show", "chit", "empty") and set(task[2:]) <= set(s.faces)):
            self.done(s)
            getattr(self, f"after_{task[0]}")(s, step, tell)

    def after_cargo(self, s: Den, step: Opened, tell: Tell) -> None:
        guesser = s.other(step.seat)
        found = s.cargo == s.guessed
        s.score[guesser if found else step.seat] += 1
        s.last[step.seat] = s.cargo
        told = {"seat": guesser, "place": s.guessed}
        tell(Note("found", told, ("2",)) if found else Note("missed", {**told, "cargo": s.cargo}, ("2",)))
        s.hidden = s.guessed = s.cargo = ""

    def after_show(self, s: Den, step: Opened, tell: Tell) -> None:
        man, foe = s.struck
        faces = s.faces[man], s.faces[foe]
        s.score[s.active()] += faces == ("spy", "dummy")
        tell(Note("struck", {"seat": s.active(), "man": faces[0], "foe": faces[1]}, ("7",)))
        s.struck = ()

    def after_chit(self, s: Den, step: Opened, tell: Tell) -> None:
        s.score[step.seat] += step.items[0][1] == "gold"
        tell(Note("chit", {"seat": step.seat, "chit": step.items[0][1]}, ("5",)))

    def after_empty(self, s: Den, step: Opened, tell: Tell) -> None:
        for _, chit in step.items:
            tell(Note("chit", {"seat": step.seat, "chit": chit}, ("5",)))

    def rolled(self, s: Den, step: Rolled, tell: Tell) -> None:
        task = s.tasks[0]
        if step.values is None:  # [8] a private roll: the value that makes it is used up
            s.found, s.proof = step.label, step.slot
            s.values[task[1]] = [slot for slot in s.values[task[1]] if slot != step.slot]
            s.tasks[0] = ("boast", task[1])
        elif task[0] == "draw":
            s.hands[task[1]] = in_order([*s.hands[task[1]], *step.values])
            s.piles[task[1]] = [slot for slot in s.piles[task[1]] if slot not in step.values]
            tell(Note("drew", {"seat": task[1], "count": len(step.values)}, ("1",), step.label))
            self.done(s)
        else:
            slot = step.values[0]
            s.tasks[0] = ("chit", slot.partition("-")[0], slot)

    def done(self, s: Den) -> None:
        """The first task is done; tasks that ask nothing are done with it, and the next round begins."""
        s.tasks.pop(0)
        while True:
            if not s.tasks and s.turn < ROUNDS:
                self.next_round(s)
            elif not s.tasks and s.turn == ROUNDS:
                s.turn += 1
                for seat in s.seats:
                    left = [slot for slot in s.cups[seat] if slot not in s.faces]
                    s.tasks += [("empty", seat, *left)] if left else []
            if not s.tasks or s.tasks[0][0] != "draw":
                return
            seat = s.tasks[0][1]
            if len(s.piles[seat]) < HAND - len(s.hands[seat]) and s.discards[seat]:  # [10]
                s.tasks.insert(0, ("reshuffle", seat, *in_order([*s.piles[seat], *s.discards[seat]])))
                return
            if self.wanted(s, seat) > 0:
                return
            s.tasks.pop(0)

    def next_round(self, s: Den) -> None:
        s.turn += 1
        seat = s.active()
        s.tasks += [("hide", seat), ("guess", s.other(seat)), ("act", seat), ("cup", "-")]
        s.tasks += [("draw", seat), ("draw", s.other(seat))]

    def on_declare(self, s: Den, seat: str, order: Declare, tell: Tell) -> None:
        tell(Note("declared", {"seat": seat, "number": order.number}, ("1",)))
        self.done(s)

    def on_guess(self, s: Den, seat: str, order: Guess, tell: Tell) -> None:
        s.guessed = order.place
        s.tasks[0] = ("cargo", s.active(), s.hidden)

    def on_play(self, s: Den, seat: str, order: Play, tell: Tell) -> None:
        tell(Note("played", {"seat": seat, "card": s.faces[order.card]}, ("3",)))
        s.played = order.card
        self.discard(s, seat, order.card)
        if s.hands[s.other(seat)]:  # [4] by public facts alone
            s.tasks[0] = ("react", s.other(seat))
            return
        self.done(s)
        self.scored(s)

    def discard(self, s: Den, seat: str, card: Slot) -> None:
        s.hands[seat].remove(card)
        s.discards[seat].append(card)

    def scored(self, s: Den) -> None:
        s.score[s.played.partition("-")[0]] += CARDS[s.faces[s.played]]
        s.played = ""

    def on_counter(self, s: Den, seat: str, order: Counter, tell: Tell) -> None:
        tell(Note("countered", {"seat": seat, "card": s.faces[order.card]}, ("4",)))
        self.discard(s, seat, order.card)
        s.played = ""
        self.done(s)

    def on_move(self, s: Den, seat: str, order: Move, tell: Tell) -> None:
        s.men[order.man] = order.place
        tell(Note("moved", {"seat": seat, "place": order.place}, ("6",)))
        self.done(s)

    def on_strike(self, s: Den, seat: str, order: Strike, tell: Tell) -> None:
        s.struck = (order.man, order.foe)
        if order.foe in s.faces:
            self.done(s)
            self.after_show(s, Opened(seat, ()), tell)
        else:
            s.tasks[0] = ("show", order.foe.partition("-")[0], order.foe)

    def on_search(self, s: Den, seat: str, order: Search, tell: Tell) -> None:
        tell(Note("searched", {"seat": seat}, ("8",)))
        s.tasks[0] = ("search", seat)

    def on_boast(self, s: Den, seat: str, order: Boast, tell: Tell) -> None:
        tell(Note("boasted", {"seat": seat, "number": order.number}, ("8",)))
        s.score[seat] += order.number >= 5
        self.on_keep(s, seat, Keep(), tell)

    def on_keep(self, s: Den, seat: str, order: Keep, tell: Tell) -> None:
        s.found = s.proof = ""
        self.done(s)

    def on_pass(self, s: Den, seat: str, order: Pass, tell: Tell) -> None:
        tell(Note("passed", {"seat": seat}, ("9",)))
        self.done(s)

    def outcome(self, s: Den) -> Outcome | None:
        if s.tasks:
            return None
        left = [seat for seat in s.seats if seat not in s.gone]
        best = [seat for seat in left if s.score[seat] == max(s.score[one] for one in left)]
        winner = best[0] if len(best) == 1 else ""
        return Outcome(winner, f"{winner or 'nobody'} has most points", ("1",))

    # --- what is typed and read ---

    def offers(self, s: Den, seat: str, known: Known) -> Iterator[Order]:
        ideas = self.ideas(s, seat, known)
        return (order for order in ideas if not isinstance(self.refuse(s, seat, order, known), Illegal))

    def ideas(self, s: Den, seat: str, known: Known) -> Iterator[Order]:
        """Everything worth trying; `offers` leaves out what `refuse` refuses."""
        if not s.tasks or s.tasks[0][1] != seat:
            return
        match s.tasks[0][0]:
            case "stock":
                for gold in range(GOLD_AT_MOST + 1):
                    yield Stock(chits=("gold",) * gold + ("lead",) * (CHITS_EACH - gold))
            case "declare":
                yield from (Declare(number=n) for n in range(HAND + 1) if None not in map(known.get, s.hands[seat]))
            case "hide":
                yield from (Hide(place=place) for place in PLACES)
            case "guess":
                yield from (Guess(place=place) for place in PLACES)
            case "react":
                yield from (Counter(card=card) for card in s.hands[seat])
            case "boast":
                if s.found in known:
                    yield Boast(number=known[s.found][0])
                yield Keep()
            case "act":
                mine = [man for man in s.men if man.startswith(f"{seat}-")]
                yield from (Play(card=card) for card in s.hands[seat])
                yield from (Move(man=man, place=place) for man in mine for place in PLACES)
                yield from (Strike(man=man, foe=foe) for man in mine for foe in s.men)
                yield Search()
                yield Pass()

    def sample(self, s: Den, ask: Ask, known: Known, rng: random.Random) -> Order:
        order = rng.choice(list(self.offers(s, ask.seat, known)))
        if isinstance(order, Stock):
            return Stock(chits=tuple(rng.sample(order.chits, len(order.chits))))
        return order

    def names(self, s: Den, seat: str, known: Known) -> dict[Slot, str]:
        """What a seat calls its cards and men: by name where it knows one and no other has the same name."""
        mine = [*s.hands.get(seat, ()), *(man for man in s.men if man.startswith(f"{seat}-"))]
        called = {slot: str(known[slot]) for slot in mine if slot in known}
        return {slot: name for slot, name in called.items() if list(called.values()).count(name) == 1}

    def read(self, s: Den, seat: str, text: str, known: Known) -> tuple[Order, ...]:
        slots = {name: slot for slot, name in self.names(s, seat, known).items()}
        words = (slots.get(word.casefold(), word) for word in text.split(" "))
        return Reader(ORDERS).read(" ".join(words))

    def phrase(self, s: Den, seat: str, order: Order, known: Known) -> str:
        names = self.names(s, seat, known)
        return " ".join(names.get(word, word) for word in str(order).split(" "))

    # --- what is seen ---

    def position(self, s: Den) -> Mapping[str, Sequence[str]]:
        zones = {"cups": s.cups, "discards": s.discards, "hands": s.hands, "piles": s.piles, "values": s.values}
        turn = [f"guessed {s.guessed or '-'}", f"hidden {s.hidden or '-'}", f"round {s.turn}"]
        turn += [f"found {s.found or '-'} {s.proof or '-'}", f"played {s.played or '-'}", f"cargo {s.cargo or '-'}"]
        turn += [f"struck {' '.join(s.struck) or '-'}", *(f"gone {seat}" for seat in s.gone)]
        return {
            **{name: sorted(slot for zone in by.values() for slot in zone) for name, by in zones.items()},
            "faces": sorted(f"{slot} {face}" for slot, face in s.faces.items()),
            "last": sorted(f"{seat} {place}" for seat, place in s.last.items()),
            "men": sorted(f"{man} {place}" for man, place in s.men.items()),
            "score": sorted(f"{seat} {points}" for seat, points in s.score.items()),
            "tasks": [f"{place:02} {' '.join(task)}" for place, task in enumerate(s.tasks)],
            "turn": sorted(turn),
        }

    def place(self, s: Den, sections: Mapping[str, Sequence[str]]) -> None:
        for name, lines in sections.items():
            if name in ("cups", "discards", "hands", "piles", "values"):
                zone: dict[str, list[Slot]] = {seat: [] for seat in s.seats}
                for slot in in_order(lines):
                    if slot.partition("-")[0] not in s.seats:
                        raise Trouble(f"{name}: {slot} is no slot of a seat")
                    zone[slot.partition("-")[0]].append(slot)
                setattr(s, name, zone)
            elif name in ("faces", "last", "men"):
                setattr(s, name, dict(line.split(" ", 1) for line in lines))
            elif name == "score":
                s.score = {seat: int(points) for seat, points in (line.split() for line in lines)}
            elif name == "tasks":
                s.tasks = [tuple(line.split(" ")[1:]) for line in sorted(lines)]
            elif name == "turn":
                self.place_turn(s, lines)
            else:
                raise Trouble(f"there is no section {name}")

    def place_turn(self, s: Den, lines: Sequence[str]) -> None:
        told = {line.split()[0]: [word for word in line.split()[1:] if word != "-"] for line in lines}
        for name in ("guessed", "hidden", "played", "cargo"):
            setattr(s, name, " ".join(told.get(name, ())))
        s.turn = int((told.get("round") or ["0"])[0])
        s.found, s.proof = (*told.get("found", ()), "", "")[:2]
        s.struck = tuple(told.get("struck", ()))
        s.gone = tuple(line.split()[1] for line in sorted(lines) if line.startswith("gone "))

    def picture(self, s: Den, seat: str, known: Known) -> View:
        rows = [(one, str(s.score[one]), self.shown(s.hands[one], known)) for one in s.seats]
        men = [(place, self.shown([man for man in s.men if s.men[man] == place], known)) for place in PLACES]
        return View(
            f"Smugglers, round {s.turn}",
            grids=(Grid("Gangs", ("seat", "points", "hand"), tuple(rows)), Grid("Men", ("place", "men"), tuple(men))),
        )

    def shown(self, slots: Iterable[Slot], known: Known) -> str:
        return ", ".join(str(known.get(slot, slot)) for slot in slots) or "-"
