"""A position played on without a table: no file, no signature, no chain of dice; hidden things as `Unsealed` has them.

Games of bots and the odds of an order live in it. Chance comes from whoever plays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from pbem.api import (
    Ask,
    Claim,
    Commit,
    Engine,
    Known,
    Lapsed,
    Note,
    OpenSlots,
    Order,
    Ordered,
    Roll,
    Slot,
    Step,
)
from pbem.unsealed import Unsealed


@dataclass(slots=True)
class World:
    """An engine's state with what is sealed in it, and what was told on the way here."""

    engine: Engine
    state: Any
    hidden: Unsealed = field(default_factory=Unsealed)
    told: list[Note] = field(default_factory=list)
    orders: int = 0

    def copy(self) -> World:
        """Another world that goes on by itself."""
        return World(self.engine, deepcopy(self.state), _copied(self.hidden), list(self.told), self.orders)

    def waits(self) -> Ask | Roll | None:
        """What comes next; None when the game is over."""
        return next(iter(self.engine.pending(self.state)), None)

    def known(self, seat: str) -> Known:
        """What a seat may see."""
        return self.hidden.known(seat)

    def offers(self, ask: Ask) -> Iterator[Order]:
        """Orders that answer an ask, by what its seat knows."""
        return iter(self.engine.offers(self.state, ask.seat, self.known(ask.seat)))

    def do(self, step: Step) -> None:
        """Apply a step."""
        self.engine.apply(self.state, step, self.told.append)

    # What a seat does ------------------------------------------------------------------------------------------

    def answer(self, ask: Ask, order: Order | None) -> None:
        """Give an order, in clear with its openings, or sealed as the ask wants it; None lets a window lapse."""
        if order is None:
            self.do(Lapsed(ask.seat, ask))
            return
        self.orders += 1
        if order.kind == ask.sealed:
            self.do(self.hidden.choose(ask, order))
            return
        opens = self.engine.opens(self.state, ask.seat, order, self.known(ask.seat))
        if opens:
            self.open(ask.seat, opens)
        self.do(Ordered(ask.seat, order))

    def client(self, ask: Ask, rng: Random) -> None:
        """Answer what needs no thought. What is sealed lies in an order that chance says."""
        match ask.client:
            case Commit() as commit:
                pool = self.hidden.pool(ask.seat, commit)
                rng.shuffle(pool)
                slots = self.hidden.slots_of(ask.seat, commit)
                self.do(self.hidden.commit(ask.seat, commit, dict(zip(slots, pool, strict=False))))
            case OpenSlots(slots):
                self.open(ask.seat, slots)
            case Claim(kind):
                self.answer(ask, next(order for order in self.offers(ask) if order.kind == kind))
            case _:
                raise ValueError(f"{ask.what} asks for {type(ask.client).__name__}, which only the core does")

    def open(self, seat: str, slots: Sequence[Slot]) -> None:
        """Open slots of a seat."""
        step = self.hidden.opening(self.engine, seat, slots)
        self.hidden.enter(step)
        self.do(step)

    def roll(self, roll: Roll, values: tuple[Any, ...]) -> None:
        """Let chance speak."""
        self.do(self.hidden.rolled(roll, values))

    def place(self) -> Mapping[str, tuple[str, ...]]:
        """The public position, as it is compared."""
        return {name: tuple(lines) for name, lines in self.engine.position(self.state).items()}


def _copied(hidden: Unsealed) -> Unsealed:
    """The same hidden things, to go on with: only what is ever changed is copied."""
    seals = (replace(one, epochs=list(one.epochs), replaced=set(one.replaced)) for one in hidden.names.values())
    return Unsealed(
        {seal.name: seal for seal in seals},
        dict(hidden.contents),
        dict(hidden.opened),
        dict(hidden.rolls),
        hidden.labels.copy(),
        hidden.told,
    )
