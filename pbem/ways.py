"""The ways that chance may go after some orders, each played by the engine until somebody has a free choice.

What only another seat knows is named as an assumption, never guessed in silence.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice, permutations, product
from random import Random
from typing import Any, Final

from pbem.api import Ask, Claim, Commit, Engine, Foretells, Illegal, Note, OpenSlots, Order, Roll, Slot
from pbem.author import trial_values
from pbem.errors import Ambiguous, OrderRefused, Unreadable
from pbem.unsealed import Unsealed
from pbem.world import World

STEPS: Final = 2_000
"""Steps after which a way of chance is left where it is."""

Told = tuple[str, ...]


@dataclass(slots=True)
class Node:
    """A position on the way: orders still to give, whether chance has spoken and dice have fallen, what they told."""

    world: World
    left: tuple[tuple[int, str], ...] = ()
    chanced: bool = False
    rolled: bool = False
    told: Told = ()

    def copy(self) -> Node:
        return replace(self, world=self.world.copy())

    def key(self) -> object:
        """Two ways with one key go on alike."""
        return self.told, self.left, self.chanced, self.rolled, tuple(self.world.place().items()), *self._learned()

    def _learned(self) -> tuple[object, ...]:
        return tuple(sorted((slot, str(content)) for slot, content in self.world.hidden.opened.items()))


Go = Callable[[Node], None]


@dataclass(frozen=True, slots=True)
class Fork:
    """Chance at a position: how many ways there are, all of them with their weights, or one at random."""

    count: int
    ways: Callable[[], Iterable[tuple[Fraction, Go]]]
    one: Callable[[Random], Go]


@dataclass(slots=True)
class Search:
    """Plays orders and what chance makes of them. `assumed` gathers what was taken for granted on the way."""

    engine: Engine
    seat: str
    orders: tuple[str, ...]
    rng: Random
    assumed: dict[str, None] = field(default_factory=dict)

    @property
    def gist(self) -> Mapping[str, str] | None:
        """The engine's short sentences; None where it has none, so that totals of dice stand for them."""
        return self.engine.gist if isinstance(self.engine, Foretells) else None

    def all_ways(self, start: Node, limit: int) -> tuple[int, Mapping[tuple[Told, str], Any]] | None:
        """Every way to its end, by weight; ways that lead to one position are played on together.

        None where there are more than `limit`."""
        tally: dict[tuple[Told, str], Fraction] = {}
        ways = played = 0
        level = [(Fraction(1), 1, start.copy())]
        while level:
            merged: dict[object, tuple[Fraction, int, Node]] = {}
            for weight, many, node in level:
                end = self.settle(node)
                if isinstance(end, str):
                    tally[node.told, end] = tally.get((node.told, end), Fraction(0)) + weight
                    ways += many
                    continue
                played += end.count
                if played > limit:
                    return None
                for share, go in end.ways():
                    child = node.copy()
                    go(child)
                    key = child.key()
                    before, alike, _ = merged.get(key, (Fraction(0), 0, child))
                    merged[key] = (before + weight * share, alike + many, child)
            level = list(merged.values())
        return ways, tally

    def some_ways(self, start: Node, samples: int) -> Counter[tuple[Told, str]]:
        """So many ways at random."""
        tally: Counter[tuple[Told, str]] = Counter()
        for _ in range(samples):
            node = start.copy()
            while not isinstance(end := self.settle(node), str):
                end.one(self.rng)(node)
            tally[node.told, end] += 1
        return tally

    # Going on ------------------------------------------------------------------------------------------------------

    def settle(self, node: Node) -> Fork | str:
        """Go on until chance speaks, or until somebody has a free choice: who, and which."""
        for _ in range(STEPS):
            why = self._step(node)
            self._listen(node)
            if isinstance(why, str) and node.left:
                number, text = node.left[0]
                raise OrderRefused(f'order {number} "{text[:60]}" is not reached: {why}', "leave it out")
            if why is not None:
                return why
        return f"after {STEPS} steps"

    def _step(self, node: Node) -> Fork | str | None:
        """One thing without chance or choice; else what stands in its way."""
        world = node.world
        first = world.waits()
        if first is None:
            return "the game is over"
        if node.left and not node.rolled and self._give(node):
            return None
        if isinstance(first, Roll):
            return self._dice(first)
        if first.client is not None:
            return self._client(node, first)
        order = self._only(world, first)
        if order is None and not node.rolled and len(node.left) < len(self.orders):
            order = self._passive(world, first)
            if order is None and first.window:
                more = ", though it may hold something" if self._secretive(world, first.seat) else ""
                self.assumed[f"{first.seat}, asked {_question(first)}, lets it happen{more}"] = None
                world.answer(first, None)
                return None
        if order is None:
            return f"{first.seat} decides {_question(first)}"
        world.answer(first, order)
        return None

    def _give(self, node: Node) -> bool:
        """Give the next order, if this seat is asked for one."""
        world, (number, text) = node.world, node.left[0]
        ask = next((one for one in self.engine.pending(world.state) if isinstance(one, Ask)), None)
        if ask is None or ask.seat != self.seat or ask.client is not None:
            return False
        world.answer(ask, meaning(world, self.seat, number, text))
        node.left = node.left[1:]
        return True

    def _dice(self, roll: Roll) -> Fork:
        if roll.audience and roll.audience != self.seat:
            self.assumed[f"only {roll.audience} sees the dice of {roll.stem}"] = None
            nothing = tuple(1 for _ in roll.dice) or roll.pool[: roll.draw] or tuple(range(roll.shuffle))
            return Fork(1, lambda: [(Fraction(1), self._fall(roll, nothing))], lambda _: self._fall(roll, nothing))
        count = math.prod(roll.dice) if roll.dice else math.perm(len(roll.pool) or roll.shuffle, roll.draw or None)
        share = Fraction(1, count)
        return Fork(
            count,
            lambda: ((share, self._fall(roll, values)) for values in _faces(roll)),
            lambda rng: self._fall(roll, trial_values(roll, rng)),
        )

    def _fall(self, roll: Roll, values: tuple[Any, ...]) -> Go:
        def go(node: Node) -> None:
            node.chanced = node.rolled = True
            node.world.roll(roll, values)
            mine = roll.audience == self.seat
            if roll.dice and (mine or (not roll.audience and self.gist is None)):
                node.told = (*node.told, f"total {sum(values)}")
            if roll.draw and all("/" not in one or one in node.world.hidden.contents for one in values):
                drawn = sorted(str(node.world.hidden.contents.get(one, one)) for one in values)
                node.told = (*node.told, f"drawn: {', '.join(drawn)}")
            self._listen(node)

        return go

    def _listen(self, node: Node) -> None:
        """Keep of what was told what makes a difference, once chance has spoken."""
        told, node.world.told = node.world.told, []
        if node.chanced and self.gist is not None:
            node.told = (*node.told, *(one for note in told if note.stem in self.gist for one in said(note, self.gist)))

    # Asks --------------------------------------------------------------------------------------------------------

    def _client(self, node: Node, ask: Ask) -> Fork | str | None:
        world = node.world
        match ask.client:
            case OpenSlots(slots):
                closed = [slot for slot in slots if slot not in world.hidden.contents]
                if not closed:
                    world.open(ask.seat, slots)
                    return None
                return self._reveal(world, ask, slots, closed)
            case Commit() as commit:
                world.do(world.hidden.commit(ask.seat, commit, {}))
                return None
            case Claim(kind) if ask.seat == self.seat:
                world.answer(ask, next(order for order in world.offers(ask) if order.kind == kind))
                return None
        return f"{ask.seat} alone knows how it answers {_question(ask)}"

    def _reveal(self, world: World, ask: Ask, slots: Sequence[Slot], closed: Sequence[Slot]) -> Fork | str:
        """What another seat must open: everything it can be, where the deck's contents are public."""
        piles = {slot: slot.partition("/")[0] for slot in closed}
        rest = {name: unseen(world.hidden, name) for name in dict.fromkeys(piles.values())}
        if any(len(list(left.elements())) < list(piles.values()).count(name) for name, left in rest.items()):
            return f"{ask.seat} opens what {ask.seat} alone knows ({_question(ask)})"
        self.assumed[f"closed cards and counters of {ask.seat} count as shuffled: any that is left may lie there"] = (
            None
        )

        def go(contents: Sequence[str]) -> Go:
            def opened(node: Node) -> None:
                node.chanced = True
                node.world.hidden.contents.update(zip(closed, contents, strict=True))
                node.world.open(ask.seat, slots)
                self._listen(node)

            return opened

        def one(rng: Random) -> Go:
            shuffled = {name: rng.sample(sorted(left.elements()), left.total()) for name, left in rest.items()}
            return go([shuffled[piles[slot]].pop() for slot in closed])

        count = math.prod(len(rest[name]) for name in piles.values())
        return Fork(count, lambda: ((share, go(what)) for what, share in _arranged(piles, closed, rest)), one)

    def _secretive(self, world: World, seat: str) -> bool:
        """Whether another seat has sealed anything that is still closed here."""
        hidden = world.hidden
        theirs = (seal for seal in hidden.names.values() if seal.seat == seat != self.seat)
        return any(slot not in hidden.contents for seal in theirs for slot in hidden.live(seal))

    def _only(self, world: World, ask: Ask) -> Order | None:
        """The one possible answer, where all is known that it hangs on."""
        if ask.window or self._secretive(world, ask.seat):
            return None
        found = list(islice(world.offers(ask), 2))
        return found[0] if len(found) == 1 else None

    def _passive(self, world: World, ask: Ask) -> Order | None:
        order = self.engine.passive(world.state, ask) if isinstance(self.engine, Foretells) else None
        if order is None or isinstance(
            self.engine.refuse(world.state, ask.seat, order, world.known(ask.seat)), Illegal
        ):
            return None
        more = ", though it may hold something" if self._secretive(world, ask.seat) else ""
        self.assumed[f'{ask.seat}, asked {_question(ask)}, adds nothing ("{order}"){more}'] = None
        return order


# Words ---------------------------------------------------------------------------------------------------------


def said(note: Note, gist: Mapping[str, str]) -> list[str]:
    """The short sentences of a note."""
    return gist[note.stem].format_map(note.args).split("; ")


def meaning(world: World, seat: str, number: int, text: str) -> Order:
    """The one legal order that a line means here (`Unreadable`, `Ambiguous`, `OrderRefused` with its number)."""
    engine, state, known = world.engine, world.state, world.known(seat)
    try:
        meanings = engine.read(state, seat, text, known)
    except Unreadable as error:
        raise Unreadable(f"order {number}: {error.what}", error.hint) from None
    verdicts = [(order, engine.refuse(state, seat, order, known)) for order in meanings]
    legal = [order for order, verdict in verdicts if not isinstance(verdict, Illegal)]
    shown = text if len(text) <= 60 else text[:57] + "..."
    if len(legal) > 1:
        told = tuple(engine.phrase(state, seat, order, known) for order in legal)
        raise Ambiguous(f'order {number} "{shown}" has several meanings', told)
    if legal:
        return legal[0]
    why = next(verdict for _, verdict in verdicts if isinstance(verdict, Illegal))
    raise OrderRefused(f'order {number} "{shown}": [{", ".join(why.ids)}] {why.why}', why.hint, ids=why.ids)


def _question(ask: Ask) -> str:
    return f"{ask.what.replace('_', ' ')} [{ask.clause}]"


def unseen(hidden: Unsealed, name: str) -> Counter[str]:
    """What may lie in the slots of a deck that are closed here; empty where its composition is not public."""
    seal = hidden.names[name]
    rest = Counter(seal.composition)
    rest.subtract(str(hidden.contents[s]) for s in seal.slots() if s not in seal.replaced and s in hidden.contents)
    return +rest


def _faces(roll: Roll) -> Iterator[tuple[Any, ...]]:
    if roll.dice:
        return product(*(range(1, sides + 1) for sides in roll.dice))
    return permutations(roll.pool, roll.draw) if roll.draw else permutations(range(roll.shuffle))


def _arranged(
    piles: Mapping[Slot, str], closed: Sequence[Slot], rest: Mapping[str, Counter[str]]
) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    """Everything that can lie in closed slots, with the chance of each when piles are well shuffled."""
    if not closed:
        yield (), Fraction(1)
        return
    left = rest[piles[closed[0]]]
    for content in sorted(left):
        share = Fraction(left[content], left.total())
        without = {**rest, piles[closed[0]]: +(left - Counter([content]))}
        for more, chance in _arranged(piles, closed[1:], without):
            yield (content, *more), share * chance
