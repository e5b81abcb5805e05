"""Chance in a fold: the batches and chains it remembers, and what falls from them without anybody's choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pbem import dice, keys
from pbem.api import Lapsed, Roll, Rolled, Slot
from pbem.errors import Refused

if TYPE_CHECKING:
    from pbem.replay import Fold

MAX_CHANCE: Final = 10_000
"""Chance nodes one batch may reach; an engine that wants more has a loop."""


@dataclass(slots=True)
class Batch:
    """Dice asked for: what the seed is made of. `seed` is None until it is resolved; `round` a beacon's, else 0."""

    number: int
    requester: str
    request: str
    contributors: tuple[str, ...]
    links: dict[str, bytes]
    slip_keys: dict[str, keys.VerifyKey]
    chains: dict[str, Chain]
    seq: int
    seed: bytes | None = None
    round: int = 0


@dataclass(frozen=True, slots=True)
class PrivateRoll:
    """Dice that one seat alone knows: the slot of the value that makes them, the seed of their batch, their event."""

    seat: str
    roll: Roll
    slot: Slot
    seed: bytes
    seq: int = 0


@dataclass(slots=True)
class Chain:
    """A seat's dice chain in force: its check, and the batch before its link 1."""

    check: dice.ChainCheck
    base: int = 0

    def accept(self, batch: int, link: str) -> bytes:
        """The link for a batch, checked down to the highest one known (`E_LINK`)."""
        value = bytes.fromhex(link)
        self.check.accept(batch - self.base, value)
        return value


def values_of(roll: Roll, seed: bytes, label: str) -> tuple[Any, ...]:
    """What chance says: faces, drawn items in order, or a permutation."""
    if roll.dice:
        return dice.roll(seed, label, roll.dice)
    if roll.draw:
        return dice.draw(seed, label, roll.draw, roll.pool)
    return dice.shuffle(seed, label, roll.shuffle)


def settle(fold: Fold, seq: int) -> None:
    """Go on without anybody's choice: chance whose seed is known, windows that their owner waived."""
    if fold.rules is None:
        return
    for _ in range(MAX_CHANCE):
        first = fold.asks[0] if fold.asks else None
        if isinstance(first, Roll):
            seed = fold.batch.seed if fold.batch is not None else None
            if seed is None or late(fold, first):
                return
            fold.step(seq, rolled(fold, seq, first, seed))
        elif first is not None and first.window and (first.seat, first.window) in fold.waived:
            fold.step(seq, Lapsed(first.seat, first))
        else:
            return
    raise AssertionError(f"{fold.engine.id} goes on without end")


def late(fold: Fold, roll: Roll) -> bool:
    """Under open dice: what is drawn from was sealed in this period, so the roll falls in the next one."""
    if not fold.open_pair or not fold.slots.names:
        return False
    begun = max(fold.handed.values())
    slots = [item for item in roll.pool if "/" in item]
    if roll.audience:
        slots.append(private_slot(fold, roll.audience))
    return any(fold.slots.of(slot)[1].seq > begun for slot in slots)


def rolled(fold: Fold, seq: int, roll: Roll, seed: bytes) -> Rolled:
    """The step of a roll whose seed is known; its label counts the uses of its stem."""
    dice.check_stem(roll.stem)
    fold.labels[roll.stem] += 1
    label = dice.label(roll.stem, fold.labels[roll.stem])
    if roll.audience:
        slot = private_slot(fold, roll.audience)
        fold.private[label] = PrivateRoll(roll.audience, roll, slot, seed, seq)
        return Rolled(label, roll, None, slot)
    if roll.draw and fold.slots.names and any("/" in item for item in roll.pool):
        fold.draws.append((seq, roll.pool))
    return Rolled(label, roll, values_of(roll, seed, label))


def private_slot(fold: Fold, seat: str) -> Slot:
    """The slot of a seat's next private roll: the first value that has made none yet."""
    used = {private.slot for private in fold.private.values()}
    for sealing in fold.slots.names.values():
        if sealing.what == "private" and sealing.seat == seat:
            gone = used | sealing.replaced()
            for slot, _, _ in sealing.slots():
                if slot not in gone:
                    return slot
    raise Refused("E_RULE", f"{seat} has no sealed value left for a private roll")


def private_values(fold: Fold, label: str, value: str) -> tuple[Any, ...]:
    """The result of a private roll, from its value."""
    private = fold.private[label]
    seed = dice.private_seed(fold.raw_game, label, bytes.fromhex(value), private.seed)
    return values_of(private.roll, seed, label)
