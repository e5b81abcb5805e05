"""Hidden things without hashes and signatures: what was sealed, what is in it, who may see it.

Case files and the engine contract play with this; a game at a table has `sealed` and a vault instead.
It keeps the core's rules of seals and openings, and raises `Unfit` where the core would refuse an engine's wish.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem import dice, sealed
from pbem.api import Ask, Commit, Engine, Opened, Order, Roll, Rolled, Sealed, Slot
from pbem.errors import Refused


class Unfit(Exception):
    """The core cannot do what is asked: in words for a player or an engine's author."""


@dataclass(slots=True)
class Seal:
    """Everything sealed under one name. `found` is the last epoch that a placed position brought along."""

    name: str
    what: str
    seat: str
    team: tuple[str, ...]
    composition: tuple[str, ...] = ()
    kind: str = ""
    found: int = 0
    epochs: list[tuple[int, tuple[Slot, ...]]] = field(default_factory=list)
    replaced: set[Slot] = field(default_factory=set)

    def next_epoch(self) -> int:
        """Epochs count from 1."""
        return self.found + len(self.epochs) + 1

    def slots(self) -> Iterator[Slot]:
        """Every slot published here, by epoch and number."""
        for _, slots in self.epochs:
            yield from slots


@dataclass(slots=True)
class PrivateRoll:
    """Dice that one seat alone knows, and the slot whose opening proves them."""

    seat: str
    slot: Slot
    values: tuple[Any, ...]


@dataclass(slots=True)
class Unsealed:
    """All slots of a game with what is in them. `contents` is the truth, `opened` what everybody knows of it."""

    names: dict[str, Seal] = field(default_factory=dict)
    contents: dict[Slot, Any] = field(default_factory=dict)
    opened: dict[Slot, Any] = field(default_factory=dict)
    rolls: dict[str, PrivateRoll] = field(default_factory=dict)
    labels: Counter[str] = field(default_factory=Counter)
    told: dict[str, dict[Slot, Any]] = field(default_factory=dict)
    """Contents that a seat knows although it did not seal them here: those of a placed position."""

    # Who sees what --------------------------------------------------------------------------------------------

    def known(self, seat: str, contents: Mapping[Slot, Any] | None = None) -> dict[Slot, Any]:
        """What a seat may see; with other `contents`, what it would see if those were true. "": the public."""
        true = self.contents if contents is None else contents
        seen = dict(self.opened)
        if not seat:
            return seen
        for slot, content in self.told.get(seat, {}).items():
            seen[slot] = true.get(slot, content)
        for seal in self.names.values():
            if seat in seal.team:
                seen.update((slot, true[slot]) for slot in seal.slots() if slot in true)
        for label, roll in self.rolls.items():
            if roll.seat == seat:
                seen[label] = true.get(label, roll.values)
        return seen

    def everything(self) -> dict[Slot, Any]:
        """What everybody knows after the audit."""
        return {**self.contents, **{label: roll.values for label, roll in self.rolls.items()}, **self.opened}

    def closed(self, slot: Slot) -> bool:
        """Whether only its owner knows what is in a slot."""
        return slot not in self.opened

    def live(self, seal: Seal) -> Iterator[Slot]:
        """Closed slots of a name that no later epoch took the place of."""
        return (slot for slot in seal.slots() if slot not in self.opened and slot not in seal.replaced)

    # Sealing --------------------------------------------------------------------------------------------------

    def slots_of(self, seat: str, commit: Commit) -> tuple[Slot, ...]:
        """The slots that a commitment will publish."""
        name = f"{seat}-{commit.name}"
        epoch = self.names[name].next_epoch() if name in self.names else 1
        return tuple(sealed.slot_name(name, epoch, number) for number in range(commit.count))

    def pool(self, seat: str, commit: Commit) -> list[Any]:
        """What is to be arranged in the slots of a commitment, sorted; what is not known is left out."""
        if commit.what == "private":
            return [hashlib.sha256(slot.encode()).hexdigest() for slot in self.slots_of(seat, commit)]
        if commit.replaces:
            return sorted(self.contents[slot] for slot in commit.replaces if slot in self.contents)
        return sorted(commit.contents)

    def commit(self, seat: str, commit: Commit, contents: Mapping[Slot, Any], kind: str = "") -> Sealed:
        """Publish the slots of a deck, purse or private list; the step."""
        name = f"{seat}-{commit.name}"
        self._check(seat, name, commit)
        slots = self.slots_of(seat, commit)
        seal = self.names.get(name)
        if seal is None:
            seal = Seal(name, commit.what, seat, (seat, *commit.share), tuple(sorted(commit.contents)), kind)
            self.names[name] = seal
        seal.epochs.append((seal.next_epoch(), slots))
        seal.replaced |= set(commit.replaces)
        self.contents.update(contents)
        return Sealed(seat, name, commit.what, slots, commit.replaces)

    def _check(self, seat: str, name: str, commit: Commit) -> None:
        seal = self.names.get(name)
        if not 1 <= commit.count <= sealed.MAX_SLOTS:
            raise Unfit(f"{name} has {commit.count} slots; 1 to {sealed.MAX_SLOTS} can be sealed at once")
        if commit.replaces and commit.count != len(commit.replaces):
            raise Unfit(f"{name} replaces {len(commit.replaces)} slots by {commit.count}")
        if len(set(commit.replaces)) != len(commit.replaces):
            raise Unfit(f"a slot of {name} is replaced twice")
        for slot in commit.replaces:
            if seal is None or slot.partition("/")[0] != name or slot in seal.replaced or not self.exists(slot):
                raise Unfit(f"{slot} cannot be replaced in {name}")
        if commit.what == "deck" and not commit.replaces and len(commit.contents) != commit.count:
            raise Unfit(f"the deck {name} has {commit.count} slots and a composition of {len(commit.contents)}")
        if seal is not None and seal.seat != seat:
            raise Unfit(f"{name} is not {seat}'s to seal")
        if seal is not None and commit.what == "deck" and not commit.replaces:
            raise Unfit(f"{name} is sealed already: a later epoch names the slots that it replaces")

    def choose(self, ask: Ask, order: Order) -> Sealed:
        """Seal the answer to a secret ask: one choice, or the slots of a purse; the step."""
        if ask.fill is not None:
            contents = order.contents()
            if len(contents) != ask.fill.count:
                raise Unfit(f'"{order}" fills {len(contents)} slots, {ask.what} wants {ask.fill.count}')
            slots = self.slots_of(ask.seat, ask.fill)
            return self.commit(ask.seat, ask.fill, dict(zip(slots, contents, strict=True)), order.kind)
        self.labels[ask.secret] += 1
        name = dice.label(ask.secret, self.labels[ask.secret])
        self.names[name] = Seal(name, "choice", ask.seat, (ask.seat,), kind=order.kind, epochs=[(0, (name,))])
        self.contents[name] = order.body()
        return Sealed(ask.seat, name, "choice", (name,))

    def reseal(self, seat: str, slots: Sequence[Slot]) -> Commit:
        """The commitment by which a seat seals slots of one name anew."""
        names = {slot.partition("/")[0] for slot in slots}
        if len(names) != 1 or not next(iter(names)).startswith(f"{seat}-"):
            raise Unfit(f"only slots of one name of {seat} can be sealed anew together, met {', '.join(slots)}")
        name = names.pop()
        seal = self.names.get(name)
        what: Any = seal.what if seal is not None else "deck"
        return Commit(what, name.removeprefix(f"{seat}-"), len(slots), (), tuple(slots), seal.team[1:] if seal else ())

    # Opening --------------------------------------------------------------------------------------------------

    def exists(self, slot: Slot) -> bool:
        """Whether a slot was sealed here, or stands in a placed position."""
        seal = self.names.get(slot if "#" in slot else slot.partition("/")[0])
        if seal is None:
            return False
        if seal.what == "choice":
            return True
        try:
            _, epoch, _ = sealed.split(slot)
        except Refused:
            return False
        return epoch <= seal.found or slot in seal.slots()

    def opening(self, engine: Engine, seat: str, slots: Sequence[Slot]) -> Opened:
        """The step that opens slots; nothing is open yet."""
        if not slots:
            raise Unfit("no slots are opened")
        order = None
        for slot in slots:
            seal = self.names.get(slot if "#" in slot else slot.partition("/")[0])
            if seal is None or not self.exists(slot):
                raise Unfit(f"{slot} does not exist, so {seat} cannot open it")
            if seat not in seal.team:
                raise Unfit(f"{slot} is not {seat}'s to open")
            if slot in self.opened:
                raise Unfit(f"{slot} is open already")
            if slot not in self.contents:
                raise Unfit(f"nobody says what is in {slot}")
            if seal.what == "choice":
                if len(slots) > 1:
                    raise Unfit(f"the choice {slot} is opened alone, met {', '.join(slots)}")
                order = engine.orders[seal.kind].model_validate(self.contents[slot])
        return Opened(seat, tuple((slot, self.contents[slot]) for slot in slots), order)

    def after(self, step: Opened) -> dict[Slot, Any]:
        """What everybody knows when these slots are open: their contents, and private dice that they prove."""
        seen = {**self.opened, **dict(step.items)}
        for label, roll in self.rolls.items():
            if roll.slot in seen:
                seen[label] = roll.values
        return seen

    def enter(self, step: Opened) -> None:
        """Everybody knows these slots from now on."""
        self.opened = self.after(step)

    # Chance ---------------------------------------------------------------------------------------------------

    def rolled(self, roll: Roll, values: tuple[Any, ...]) -> Rolled:
        """The step of chance that said these values; of a private roll only its audience knows them."""
        self.labels[roll.stem] += 1
        label = dice.label(roll.stem, self.labels[roll.stem])
        if not roll.audience:
            return Rolled(label, roll, values)
        slot = self.next_value(roll.audience)
        self.rolls[label] = PrivateRoll(roll.audience, slot, values)
        return Rolled(label, roll, None, slot)

    def next_value(self, seat: str) -> Slot:
        """The slot whose value makes the seat's next private roll."""
        used = {roll.slot for roll in self.rolls.values()}
        for seal in self.names.values():
            if seal.what == "private" and seal.seat == seat:
                for slot in (*self.told.get(seat, {}), *seal.slots()):
                    if slot.startswith(f"{seal.name}/") and slot not in used:
                        return slot
        raise Unfit(f"{seat} has no sealed value left for a private roll")
