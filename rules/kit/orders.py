"""The order grammar: one line of usage gives an order its reader, its printer and its help.

A usage such as `withdraw LOCATION [to LOCATION:to]` knows

- literals, in lower case: `withdraw`, `to`, also `:`, `;` and `,`
- typed slots, in capitals: `LOCATION` fills the field `location`, `LOCATION:to` the field `to`
- `[optional]`: printed when its fields are given; without a slot in it, a noise word that is read and never printed
- `{repeated}`: once or more, a comma between two is allowed; every field in it is a tuple
- blocks `RULE:rules ... END`: one RULE a line until a line `end`; the field is a tuple

and nothing else.
An order outside that writes `read` and `__str__` by hand; a part of an order outside that is a slot type of its own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from itertools import islice
from typing import Any, ClassVar, Protocol, Self, overload

from pydantic import ValidationError

from pbem.api import Order
from pbem.canon import check_text
from pbem.errors import Refused, Unreadable

MAX_LINE = 2000
MAX_LINES = 200
MAX_MEANINGS = 16
MAX_USAGES = 6
QUOTED = 60
BREAK = "\n"


# --- words: what was typed, cut up ---


class Words(Sequence[str]):
    """The words of an order as typed; `,`, `;` and `:` at the end of a word and line ends are words of their own."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._spans: list[tuple[int, int]] = []
        for found in re.finditer(r"\n|[^ \n]+", text):
            start, end = found.span()
            cut = end
            while cut > start and text[cut - 1] in ",;:":
                cut -= 1
            if cut > start:
                self._spans.append((start, cut))
            self._spans += [(place, place + 1) for place in range(cut, end)]
        self._words = [text[start:end] for start, end in self._spans]
        self.folded = tuple(word.casefold() for word in self._words)

    @overload
    def __getitem__(self, i: int) -> str: ...
    @overload
    def __getitem__(self, i: slice) -> list[str]: ...
    def __getitem__(self, i: int | slice) -> str | list[str]:
        return self._words[i]

    def __len__(self) -> int:
        return len(self._words)

    def rest(self, i: int) -> tuple[str, int]:
        """What was typed from word `i` to the end of the line, inner blanks and all, and the word it ends before."""
        end = i
        while end < len(self) and self[end] != BREAK:
            end += 1
        return (self._text[self._spans[i][0] : self._spans[end - 1][1]] if end > i else ""), end


def words_of(text: str) -> Words:
    """The words of an order from outside. Raises `Unreadable` where it is too long, empty or not plain text."""
    lines = text.split(BREAK, MAX_LINES)
    if len(lines) > MAX_LINES:
        raise Unreadable(f"the order has more than {MAX_LINES} lines")
    for line in lines:
        if len(line) > MAX_LINE:
            raise Unreadable(
                f"{quote(line)} has {len(line):,} characters; a line has at most {MAX_LINE:,}", "one order a line"
            )
    neat = []
    for line in lines:
        line = unicodedata.normalize("NFC", re.sub("[\t\r\u00a0]", " ", line)).strip(" ")
        try:
            check_text(line)
        except Refused as bad:
            raise Unreadable(f"cannot read {quote(line)}: {bad.what}", bad.hint) from None
        if line:
            neat.append(line)
    if not neat:
        raise Unreadable("the order is empty", "write one order a line")
    return Words(BREAK.join(neat))


def quote(text: str) -> str:
    """Somebody's text in a message: short, in quotes, odd characters as `?`."""
    plain = "".join(sign if sign.isprintable() else " " if sign in "\t\r\n" else "?" for sign in text[:QUOTED])
    return f'"{plain}{"..." if len(text) > QUOTED else ""}"'


# --- slot types: what a capital word of a usage stands for ---


class SlotType(Protocol):
    """Reads values out of words, and shows a value so that reading it gives the same.

    It may also have `about`, one line of help ("a number from 1 to 6"), and `near`, words to suggest.
    """

    def read(self, words: Words, i: int) -> Iterable[tuple[Any, int]]:
        """Every value that can begin at word `i`, with the word after it; likeliest first, never an empty stretch."""
        ...

    def show(self, value: Any) -> str:
        """The value as it may be typed."""
        ...


class Names:
    """One of the named things of the game: reads the display name or the id in any case, gives the id.

    `prefixes`: the beginning of one display name only, from two letters on, will do as well.
    """

    def __init__(self, names: Mapping[str, str], *, prefixes: bool = False, about: str = "") -> None:
        self._shown: dict[str, str] = {}
        self._ids: dict[str, str] = {}
        self._begins: dict[str, str | None] = {}
        for name, id in names.items():
            if id in self._shown:
                raise ValueError(f"{id} has two display names: {self._shown[id]} and {name}")
            self._shown[id] = name
            for spelling in (name, id):
                key = self._key(spelling)
                if not key or self._ids.setdefault(key, id) != id:
                    raise ValueError(f"{spelling!r} names nothing, or both {id} and {self._ids.get(key)}")
            if prefixes:
                key = self._key(name)
                for end in range(2, len(key)):
                    begin = key[:end]
                    self._begins[begin] = id if self._begins.get(begin, id) == id else None
        self._longest = max((len(Words(name)) for name in (*self._shown, *names)), default=0)
        self.near = tuple(names)
        self.about = about or self._listed()

    @staticmethod
    def _key(text: str) -> str:
        return " ".join(Words(text).folded)

    def _listed(self) -> str:
        some = ", ".join(self.near[:12])
        return f"{some}, ..." if len(self.near) > 12 else some

    def read(self, words: Words, i: int) -> Iterator[tuple[str, int]]:
        ends = range(min(i + self._longest, len(words)), i, -1)
        typed = {end: " ".join(words.folded[i:end]) for end in ends}
        exact = [(self._ids[typed[end]], end) for end in ends if typed[end] in self._ids]
        if exact:
            yield from exact
            return
        for end in ends:
            id = self._begins.get(typed[end])
            if id is not None:
                yield id, end

    def show(self, value: str) -> str:
        return self._shown[value]


class Choice(Names):
    """One of a few words; the value is the word as given here."""

    def __init__(self, *values: str, about: str = "") -> None:
        super().__init__({value: value for value in values}, about=about or " or ".join(values))


class Number:
    """A whole number from `lo` to `hi`."""

    def __init__(self, lo: int, hi: int) -> None:
        self.lo, self.hi = lo, hi
        self.about = f"a number from {lo} to {hi}"

    def read(self, words: Words, i: int) -> Iterator[tuple[int, int]]:
        if i < len(words) and re.fullmatch(r"-?[0-9]{1,16}", words[i]) and self.lo <= int(words[i]) <= self.hi:
            yield int(words[i]), i + 1

    def show(self, value: int) -> str:
        return str(value)


class Text:
    """The rest of the line, as typed, up to `limit` characters."""

    def __init__(self, limit: int = 500) -> None:
        self.limit = limit
        self.about = f"any text of up to {limit} characters"

    def read(self, words: Words, i: int) -> Iterator[tuple[str, int]]:
        text, end = words.rest(i)
        if text and len(text) <= self.limit:
            yield text, end

    def show(self, value: str) -> str:
        return value


class Dice:
    """Dice as they are written everywhere: `2d6`, `d10`, `2d6+d10`; the value lists the sides of each die."""

    def __init__(self, most: int = 100, sides: int = 1000) -> None:
        self.most, self.sides = most, sides
        self.near = ("2d6", "d10")
        self.about = f"dice such as 2d6 or 2d6+d10, at most {most}"

    def read(self, words: Words, i: int) -> Iterator[tuple[tuple[int, ...], int]]:
        if i >= len(words) or not re.fullmatch(r"[0-9]{0,3}d[0-9]{1,5}(\+[0-9]{0,3}d[0-9]{1,5})*", words.folded[i]):
            return
        dice: list[int] = []
        for part in words.folded[i].split("+"):
            count, sides = part.split("d")
            if not 1 <= int(count or 1) <= self.most - len(dice) or not 2 <= int(sides) <= self.sides:
                return
            dice += [int(sides)] * int(count or 1)
        yield tuple(dice), i + 1

    def show(self, value: Sequence[int]) -> str:
        runs: list[list[int]] = []
        for sides in value:
            if runs and runs[-1][1] == sides:
                runs[-1][0] += 1
            else:
                runs.append([1, sides])
        return "+".join(f"{count if count > 1 else ''}d{sides}" for count, sides in runs)


# --- usage: the words of the notation ---


@dataclass(frozen=True, slots=True)
class Word:
    text: str


@dataclass(frozen=True, slots=True)
class Slot:
    name: str
    field: str


@dataclass(frozen=True, slots=True)
class Maybe:
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Block:
    slot: Slot


Item = Word | Slot | Maybe | Repeat | Block

_USAGE = re.compile(r"\.\.\.|[\[\]{}]|[^\s\[\]{}]+")
_SLOT = re.compile(r"([A-Z][A-Z0-9_]*)(?::([a-z][a-z0-9_]*))?\Z")


def parse_usage(usage: str) -> tuple[Item, ...]:
    """The items of a usage; TypeError, the author's bug, where it is not in the notation."""
    marks = _USAGE.findall(usage)
    items, left = _items(marks, 0, "")
    if left != len(marks):
        raise TypeError(f"usage {usage!r}: {marks[left]!r} closes nothing")
    return items


def _items(marks: Sequence[str], i: int, close: str) -> tuple[tuple[Item, ...], int]:
    items: list[Item] = []
    while i < len(marks) and marks[i] != close:
        mark = marks[i]
        slot = _SLOT.match(mark)
        if mark in "[{":
            inner, i = _items(marks, i + 1, "]" if mark == "[" else "}")
            if i == len(marks) or not inner:
                raise TypeError(f"usage: {mark!r} is not closed, or empty")
            items.append(Maybe(inner) if mark == "[" else Repeat(inner))
        elif mark in "]}":
            break
        elif mark == "...":
            if not items or not isinstance(items[-1], Slot) or marks[i + 1 : i + 2] != ["END"]:
                raise TypeError("usage: a block is a slot, `...` and END")
            items[-1] = Block(items[-1])
            i += 1
        elif slot:
            items.append(Slot(slot[1], slot[2] or slot[1].lower()))
        elif mark != mark.lower() or list(Words(mark)) != [mark]:
            raise TypeError(f"usage: {mark!r} is neither a literal in lower case nor a slot in capitals")
        else:
            items.append(Word(mark))
        i += 1
    return tuple(items), i


def slots_in(items: Iterable[Item]) -> Iterator[Slot]:
    """All slots of a usage, in order."""
    for item in items:
        if isinstance(item, Slot):
            yield item
        elif isinstance(item, Block):
            yield item.slot
        elif isinstance(item, Maybe | Repeat):
            yield from slots_in(item.items)


def _many(items: Iterable[Item], inside: bool = False) -> Iterator[str]:
    for item in items:
        if isinstance(item, Block) or (inside and isinstance(item, Slot)):
            yield item.slot.field if isinstance(item, Block) else item.field
        elif isinstance(item, Maybe | Repeat):
            yield from _many(item.items, inside or isinstance(item, Repeat))


def _check_nesting(items: Iterable[Item], repeated: bool) -> None:
    for item in items:
        if repeated and not isinstance(item, Word | Slot):
            raise TypeError("usage: only words and slots stand in {}; make a slot type for more")
        if isinstance(item, Maybe | Repeat):
            _check_nesting(item.items, repeated or isinstance(item, Repeat))
        if isinstance(item, Repeat) and not any(slots_in(item.items)):
            raise TypeError("usage: {} needs a slot to count its repetitions")


# --- a grammar: all ways through one usage ---

Node = tuple[int, int]  # state of the grammar, number of words read
Bound = tuple[str, Any]


@dataclass(slots=True)
class Met:
    """How far reading came, and what could have stood there."""

    place: int = 0
    words: set[str] = field(default_factory=set)
    slots: set[SlotType] = field(default_factory=set)

    def expect(self, place: int, wanted: Word | SlotType) -> None:
        if place > self.place:
            self.place = place
            self.words.clear()
            self.slots.clear()
        if place == self.place:
            if isinstance(wanted, Word):
                self.words.add(wanted.text)
            else:
                self.slots.add(wanted)


class Grammar:
    """One usage with its slot types, as states and edges: every way through it costs no more than states x words."""

    def __init__(self, usage: str, slots: Mapping[str, SlotType]) -> None:
        self.items = parse_usage(usage)
        self.slots = slots
        if not self.items:
            raise TypeError("usage is empty")
        _check_nesting(self.items, False)
        self.many = frozenset(_many(self.items))
        self.fields = [slot.field for slot in slots_in(self.items)]
        if len(set(self.fields)) != len(self.fields):
            raise TypeError(f"usage {usage!r} fills a field twice; name it: SLOT:field")
        unknown = [slot.name for slot in slots_in(self.items) if slot.name not in slots]
        if unknown:
            raise TypeError(f"usage {usage!r}: no slot type for {unknown[0]}")
        self._edges: list[list[tuple[Word | Slot | None, int]]] = [[]]
        self._end = self._sequence(self.items, 0)

    def _state(self) -> int:
        self._edges.append([])
        return len(self._edges) - 1

    def _edge(self, start: int, what: Word | Slot | None, end: int | None = None) -> int:
        end = self._state() if end is None else end
        self._edges[start].append((what, end))
        return end

    def _sequence(self, items: Iterable[Item], at: int) -> int:
        for item in items:
            at = self._item(item, at)
        return at

    def _item(self, item: Item, at: int) -> int:
        if isinstance(item, Word | Slot):
            return self._edge(at, item)
        if isinstance(item, Maybe):
            end = self._sequence(item.items, self._edge(at, None))
            self._edge(at, None, end)
            return end
        if isinstance(item, Repeat):
            begin = self._edge(at, None)
            end = self._sequence(item.items, begin)
            self._edge(end, None, begin)
            self._edge(end, Word(","), begin)
            return self._edge(end, None)
        line = self._edge(at, Word(BREAK))
        self._edge(self._edge(line, item.slot), Word(BREAK), line)
        return self._edge(line, Word("end"))

    def bindings(self, words: Words, met: Met) -> Iterator[list[Bound]]:
        """The fields filled, for every way through that reads all words, longest names first."""
        forward = self._reach(words, met)
        goal = (self._end, len(words))
        if goal not in forward:
            return
        back: dict[Node, list[Node]] = {}
        for node, steps in forward.items():
            for _, there in steps:
                back.setdefault(there, []).append(node)
        useful, todo = {goal}, [goal]
        while todo:
            for node in back.get(todo.pop(), ()):
                if node not in useful:
                    useful.add(node)
                    todo.append(node)
        stack: list[tuple[Node, Any]] = [((0, 0), None)]
        while stack:
            node, path = stack.pop()
            if node == goal:
                found: list[Bound] = []
                while path is not None:
                    path, bound = path
                    found.append(bound)
                yield found[::-1]
                continue
            for bound, there in reversed(forward[node]):
                if there in useful:
                    stack.append((there, path if bound is None else (path, bound)))

    def _reach(self, words: Words, met: Met) -> dict[Node, list[tuple[Bound | None, Node]]]:
        forward: dict[Node, list[tuple[Bound | None, Node]]] = {}
        todo: list[Node] = [(0, 0)]
        while todo:
            node = todo.pop()
            if node in forward:
                continue
            state, place = node
            steps = forward[node] = []
            for what, end in self._edges[state]:
                if what is None:
                    steps.append((None, (end, place)))
                elif isinstance(what, Word):
                    met.expect(place, what)
                    if place < len(words) and words.folded[place] == what.text:
                        steps.append((None, (end, place + 1)))
                else:
                    slot = self.slots[what.name]
                    met.expect(place, slot)
                    steps += [((what.field, value), (end, after)) for value, after in slot.read(words, place)]
            todo += [there for _, there in steps]
        return forward

    def show(self, order: Order) -> str:
        """The order in the words of its usage."""
        return self._show(self.items, order, None).strip()

    def _show(self, items: Iterable[Item], order: Order, turn: int | None) -> str:
        out = ""
        for item in items:
            if isinstance(item, Word):
                out += item.text if item.text in (",", ";", ":") else f" {item.text}"
            elif isinstance(item, Slot):
                value = getattr(order, item.field)
                out += f" {self.slots[item.name].show(value if turn is None else value[turn])}"
            elif isinstance(item, Maybe):
                if self._given(item, order):
                    out += self._show(item.items, order, None)
            elif isinstance(item, Repeat):
                for time in range(self._times(item, order)):
                    out += self._show(item.items, order, time)
            else:
                show = self.slots[item.slot.name].show
                out += "".join(f"\n  {show(value)}" for value in getattr(order, item.slot.field)) + "\nend"
        return out

    def _given(self, item: Maybe, order: Order) -> bool:
        values = [getattr(order, slot.field) for slot in slots_in(item.items)]
        return bool(values) and all(value is not None and value != () for value in values)

    def _times(self, item: Repeat, order: Order) -> int:
        lengths = {len(getattr(order, slot.field)) for slot in slots_in(item.items)}
        if len(lengths) != 1:
            raise ValueError(f"{type(order).__name__}: the repeated fields differ in length")
        return lengths.pop()

    def first_words(self) -> set[str]:
        """What the order can begin with, as far as it is a word."""
        first = self.items[0]
        if isinstance(first, Word):
            return {first.text}
        return {near.casefold() for slot in slots_in([first]) for near in getattr(self.slots[slot.name], "near", ())}


# --- orders ---


class WrittenOrder(Order):
    """An order that is read and printed by its usage.

    `slots` gives the slot types of the usage, `also` other usages that are read but never printed.
    A usage that does not fit slots and fields is a TypeError when the class is made.
    """

    slots: ClassVar[Mapping[str, SlotType]] = {}
    also: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        if not hasattr(cls, "usage") or by_hand(cls):
            return
        for grammar in grammars(cls):
            missing = set(grammar.fields) - set(cls.model_fields)
            if missing:
                raise TypeError(f"{cls.__name__}: usage fills no field {min(missing)}")
        printed = set(grammars(cls)[0].fields)
        lost = [name for name in cls.model_fields if name not in printed]
        if lost:
            raise TypeError(f"{cls.__name__}: usage does not print the field {lost[0]}")

    @classmethod
    def read(cls, words: Words, met: Met) -> Iterator[Self]:
        """Every order of this class that the words can mean; `met` notes what could have stood where reading ended."""
        for grammar in grammars(cls):
            for bound in grammar.bindings(words, met):
                values: dict[str, Any] = {}
                for name, value in bound:
                    if name in grammar.many:
                        value = (*values.get(name, ()), value)
                    values[name] = value
                try:
                    yield cls.model_validate(values)
                except ValidationError:
                    continue

    def __str__(self) -> str:
        return grammars(type(self))[0].show(self)


def by_hand(cls: type[WrittenOrder]) -> bool:
    """Whether the class writes its reader itself."""
    return cls.read.__func__ is not WrittenOrder.read.__func__  # type: ignore[attr-defined]


@cache
def grammars(cls: type[WrittenOrder]) -> tuple[Grammar, ...]:
    """The grammars of an order class: that of its usage first, then those of `also`."""
    return tuple(Grammar(usage, cls.slots) for usage in (cls.usage, *cls.also))


def usage_line(cls: type[Order]) -> str:
    """The usage as players see it: `LOCATION:to` is `LOCATION`, a choice of few words is `attack/defend`."""

    def shown(slot: re.Match[str]) -> str:
        kind = getattr(cls, "slots", {}).get(slot[1])
        return "/".join(kind.near) if isinstance(kind, Choice) and len(kind.near) <= 4 else slot[1]

    return re.sub(r"\b([A-Z][A-Z0-9_]*)(:[a-z][a-z0-9_]*)?", shown, cls.usage)


def help_lines(order_classes: Iterable[type[Order]]) -> tuple[str, ...]:
    """The "you may write" block: usages with what they are for, then what the words in capitals stand for."""
    classes = list(order_classes)
    width = max((len(usage_line(cls)) for cls in classes), default=0)
    lines = [f"{usage_line(cls):{width}}  {cls.about}".rstrip() for cls in classes]
    known: dict[str, str] = {}
    for cls in classes:
        for name, slot in getattr(cls, "slots", {}).items():
            if re.search(rf"\b{name}\b", usage_line(cls)):
                known.setdefault(name, getattr(slot, "about", ""))
    return (*lines, *(f"{name}: {about}" for name, about in known.items() if about))


class Reader:
    """Reads the orders of some classes, in the order in which they should be tried."""

    def __init__(self, order_classes: Iterable[type[WrittenOrder]]) -> None:
        self.classes = tuple(order_classes)

    def read(self, text: str) -> tuple[Order, ...]:
        """All meanings of a text, the likeliest first: free text last, then earlier classes, then longer names.

        Raises `Unreadable`, which quotes the text and hints at what could have stood there.
        """
        words = words_of(text)
        met = Met()
        found: list[Order] = []
        for order in (one for cls in self.classes for one in islice(cls.read(words, met), MAX_MEANINGS)):
            if order not in found:
                found.append(order)
        if found:
            return tuple(sorted(found, key=_free_text)[:MAX_MEANINGS])
        raise Unreadable(self._what(words, text, met), self._hint(words, met))

    def _what(self, words: Words, text: str, met: Met) -> str:
        what = f"cannot read {quote(text.strip())}"
        if met.place == 0:
            return what
        if met.place >= len(words):
            return f"{what}: something is missing at the end"
        if words[met.place] == BREAK:
            return f"{what}: a new line starts a new order"
        return f"{what} from {quote(words[met.place])} on"

    def _hint(self, words: Words, met: Met) -> str:
        near: dict[str, str] = {word: word for word in met.words if word.isalnum()}
        for slot in met.slots:
            near |= {name.casefold(): name for name in getattr(slot, "near", ())}
        hints = []
        if met.place < len(words):
            typed = (words.folded[met.place], " ".join(words.folded[met.place : met.place + 2]))
            close = [name for word in typed for name in get_close_matches(word[:80], near, 3, 0.7)]
            if close:
                hints.append(f"did you mean {' or '.join(dict.fromkeys(near[name] for name in close))}?")
            elif met.place and met.slots:
                abouts = sorted({slot.about for slot in met.slots if getattr(slot, "about", "")})  # type: ignore[attr-defined]
                hints += [f"{about};" for about in abouts[:1]]
        fits = [cls for cls in self.classes if words.folded[0] in _first_words(cls)]
        if not fits and hints:
            fits = [cls for cls in self.classes if _first_words(cls) & set(close)]
        shown = [usage_line(cls) for cls in fits or self.classes]
        more = "; ..." if len(shown) > MAX_USAGES else ""
        if shown:
            hints.append(f"you may write: {'; '.join(shown[:MAX_USAGES])}{more}")
        return " ".join(hints)


def _first_words(cls: type[WrittenOrder]) -> set[str]:
    if by_hand(cls):
        return {cls.usage.split()[0].casefold()}
    return {word for grammar in grammars(cls) for word in grammar.first_words()}


def _free_text(order: Order) -> int:
    """How much of an order is free text: of two readings of one line the one that understands more is likelier."""
    if not isinstance(order, WrittenOrder) or by_hand(type(order)):
        return 0
    texts = [
        slot.field for slot in slots_in(grammars(type(order))[0].items) if isinstance(order.slots[slot.name], Text)
    ]
    return sum(_length(getattr(order, name)) for name in texts)


def _length(value: Any) -> int:
    return len(value) if isinstance(value, str | tuple) else 0
