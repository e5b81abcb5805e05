"""What one seat knows of its own seals: contents derived from its master secret, or chosen and kept.

Pure but for `keep`, which the owner of the files gives: it is called before a hash is signed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem import canon, sealed
from pbem.api import Slot
from pbem.errors import Refused, Trouble
from pbem.replay import Fold
from pbem.sealed import Sealing

Keep = Callable[[str, list[Any]], None]


def _forget(_: str, __: list[Any]) -> None:
    """Keep nothing beyond this process."""


@dataclass
class Vault:
    """A seat's master secret, and what it chose to seal, by `name/epoch` (a choice by its name)."""

    seat: str
    master: bytes
    chosen: dict[str, list[Any]] = field(default_factory=dict)
    keep: Keep = _forget

    def secret(self, fold: Fold, name: str) -> bytes | None:
        """The secret of a name: this seat's own, or one an ally sent in a box; None if neither."""
        sealing = fold.slots.names.get(name)
        if sealing is None or sealing.seat == self.seat:
            return sealed.secret_of(self.master, name)
        return self._boxed(fold, sealing)

    def _boxed(self, fold: Fold, sealing: Sealing) -> bytes | None:
        game = bytes.fromhex(fold.game.id)
        for sender, to, data in fold.boxes:
            if (sender, to) != (sealing.seat, self.seat):
                continue
            told = sealed.open_box(sealed.box_key(self.master), bytes.fromhex(data), game=game, sender=sender, to=to)
            try:
                doc = canon.decode(told) if told is not None else {}
                if doc.get("name") == sealing.name:
                    return bytes.fromhex(doc["secret"])
            except (Refused, KeyError, ValueError, TypeError):
                continue
        return None

    def known(self, fold: Fold) -> dict[Slot, Any]:
        """Everything this seat may see: what was opened, its own seals, its allies' shared decks, its private dice."""
        known = dict(fold.known)
        for sealing in fold.slots.names.values():
            if self.seat in sealing.team:
                known.update(self.contents(fold, sealing))
        for label, private in fold.private.items():
            if private.seat == self.seat and private.slot in known:
                known[label] = fold.private_values(label, known[private.slot])
        return known

    def contents(self, fold: Fold, sealing: Sealing) -> dict[Slot, Any]:
        """What this seat sealed under a name, slot by slot."""
        secret = self.secret(fold, sealing.name)
        if secret is None:
            return {}
        told: dict[Slot, Any] = {}
        for epoch in sealing.epochs:
            base = [told[slot] for slot in epoch.replaces] if epoch.replaces else list(sealing.composition)
            held = self.epoch_contents(secret, sealing, epoch.number, epoch.seq, len(epoch.hashes), base)
            for number, content in enumerate(held):
                told[sealed.slot_name(sealing.name, epoch.number, number)] = content
        return told

    def epoch_contents(
        self, secret: bytes, sealing: Sealing, epoch: int, seq: int, count: int, base: Sequence[Any]
    ) -> list[Any]:
        """The contents of one epoch in slot order. `base` is what a deck or a reseal arranges."""
        if sealing.what == "private":
            return [sealed.private_value(secret, epoch, number) for number in range(count)]
        if sealing.what == "deck" or base:
            return sealed.arrange(secret, epoch, seq, base)
        key = chosen_key(sealing.name, epoch)
        if key not in self.chosen:
            raise Trouble(f"what {self.seat} sealed as {sealing.name} is not on this machine", "restore its backup")
        return self.chosen[key]

    def choose(self, name: str, epoch: int, contents: list[Any]) -> None:
        """Keep what is about to be sealed, durably, before its hash is signed."""
        key = chosen_key(name, epoch)
        self.chosen[key] = contents
        self.keep(key, contents)

    def hashes(self, fold: Fold, sealing: Sealing, epoch: int, seq: int, contents: Sequence[Any]) -> list[str]:
        """The public hashes of contents about to be sealed by event `seq`."""
        secret = sealed.secret_of(self.master, sealing.name)
        game = bytes.fromhex(fold.game.id)
        salts = [sealed.salt(secret, epoch, number, seq) for number in range(len(contents))]
        if sealing.what == "choice":
            return [sealed.commitment(game, self.seat, sealing.name, salts[0], contents[0])]
        return [
            sealed.slot_hash(game, sealing.name, epoch, number, content, salts[number])
            for number, content in enumerate(contents)
        ]

    def item(self, fold: Fold, slot: Slot) -> dict[str, Any]:
        """The opening of a slot this seat may open."""
        sealing, epoch, number = fold.slots.of(slot)
        secret = self.secret(fold, sealing.name)
        told = self.contents(fold, sealing)
        if secret is None or slot not in told:
            raise Trouble(f"{self.seat} does not know what is in {slot}", "restore the backup of its secrets")
        salt = sealed.salt(secret, epoch.number, number, epoch.seq)
        return {"content": told[slot], "salt": salt.hex(), "slot": slot}

    def disclosure(self, fold: Fold, name: str) -> dict[str, Any]:
        """The body of the event that discloses a name."""
        sealing = fold.slots.names[name]
        secret = self.secret(fold, name)
        told = self.contents(fold, sealing)
        if secret is None:
            raise Trouble(f"{self.seat} cannot disclose {name}")
        closed = [told[slot] for slot, _, _ in fold.slots.never_opened(sealing)]
        texts = [one if isinstance(one, str) else canon.encode(one).decode() for one in closed]
        return {"contents": texts, "name": name, "secret": secret.hex()}


def chosen_key(name: str, epoch: int) -> str:
    return name if epoch == sealed.CHOICE_EPOCH else f"{name}/{epoch}"

