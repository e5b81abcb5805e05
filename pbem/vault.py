"""What one seat knows of its own seals: contents derived from its master secret, or chosen and kept.

Pure but for `keep`, which the owner of the files gives: it is called before a hash is signed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem import canon, chance, dice, sealed
from pbem.api import Slot
from pbem.chance import Chain
from pbem.errors import Refused, Trouble
from pbem.replay import Fold
from pbem.sealed import Epoch, Sealing

Keep = Callable[[str, list[Any]], None]


def _forget(_: str, __: list[Any]) -> None:
    """Keep nothing beyond this process."""


@dataclass
class Vault:
    """A seat's master secret, and what it chose to seal, by `name/epoch` (a choice by its name).

    `era` says which player of the seat the master belongs to; `former` are masters that earlier ones handed over.
    """

    seat: str
    master: bytes
    chosen: dict[str, list[Any]] = field(default_factory=dict)
    keep: Keep = _forget
    era: int = 0
    former: dict[int, bytes] = field(default_factory=dict)
    _links: dict[bytes, list[bytes]] = field(default_factory=dict)

    def master_of(self, era: int) -> bytes | None:
        """The master secret of one player of the seat; None if it was not handed over."""
        return self.master if era == self.era else self.former.get(era)

    def present(self, fold: Fold) -> bytes:
        """The master secret of the player that the seat has now."""
        era = fold.era.get(self.seat, 0)
        master = self.master_of(era)
        if master is None:
            raise Trouble(f"the secrets of the present player of {self.seat} are not on this machine")
        return master

    def secret(self, fold: Fold, name: str, era: int | None = None) -> bytes | None:
        """The secret of a name: this seat's own, or one an ally sent in a box; None if neither."""
        sealing = fold.slots.names.get(name)
        if sealing is None:
            return sealed.secret_of(self.present(fold), name)
        era = fold.era[sealing.seat] if era is None else era
        if sealing.seat == self.seat:
            master = self.master_of(era)
            return sealed.secret_of(master, name) if master is not None else None
        return self._boxed(fold, sealing, era)

    def _boxed(self, fold: Fold, sealing: Sealing, era: int) -> bytes | None:
        """What an ally sent: one secret in each of his eras that sealed under this name."""
        eras = sorted({epoch.era for epoch in sealing.epochs})
        told = list(dict.fromkeys(self._sent(fold, sealing)))
        place = eras.index(era) if era in eras else len(eras)
        return told[place] if place < len(told) else None

    def _sent(self, fold: Fold, sealing: Sealing) -> Iterator[bytes]:
        game = bytes.fromhex(fold.game.id)
        masters = [self.master, *self.former.values()]
        for sender, to, data in fold.boxes:
            if (sender, to) != (sealing.seat, self.seat):
                continue
            for master in masters:
                box = bytes.fromhex(data)
                told = sealed.open_box(sealed.box_key(master), box, game=game, sender=sender, to=to)
                try:
                    doc = canon.decode(told) if told is not None else {}
                    if doc.get("name") == sealing.name:
                        yield bytes.fromhex(doc["secret"])
                except (Refused, KeyError, ValueError, TypeError):
                    continue

    # Dice -----------------------------------------------------------------------------------------------------

    def link(self, fold: Fold, number: int) -> bytes:
        """x_n of the seat's chain for a batch, whichever chain is in force for it.

        `Refused(E_LINK)` beyond its end, `Trouble` where the chain of the log is not made from these secrets.
        """
        batch = fold.batch
        chain = batch.chains[self.seat] if batch is not None and batch.number == number else fold.chains[self.seat]
        index = number - chain.base
        if index > chain.check.links:
            raise Refused("E_LINK", "the dice chain is used up", "`pbem rechain FILE` makes another one")
        return self._chain(fold, chain)[index]

    def _chain(self, fold: Fold, chain: Chain) -> list[bytes]:
        known = self._links.get(chain.check.chain_id)
        if known is not None:
            return known
        setup, check = bytes.fromhex(fold.game.charter.setup), chain.check
        for chain_no in range(fold.chain_no[self.seat], 0, -1):
            if dice.chain_id(setup, self.seat, chain_no) == check.chain_id:
                made = dice.chain(check.chain_id, dice.chain_end(self.present(fold), chain_no), check.links)
                if made[check.index] == check.value:
                    self._links[check.chain_id] = made
                    return made
        raise Trouble(
            f"the dice chain of {self.seat} was not made from the secrets on this machine",
            "restore the vault of this game: `pbem vault --help`",
        )

    def known(self, fold: Fold) -> dict[Slot, Any]:
        """Everything this seat may see: what was opened, its own seals, its allies' shared decks, its private dice."""
        known = dict(fold.known)
        for sealing in fold.slots.names.values():
            if self.seat in sealing.team:
                known.update(self.contents(fold, sealing))
        for label, private in fold.private.items():
            if private.seat == self.seat and private.slot in known:
                known[label] = chance.private_values(fold, label, known[private.slot])
        return known

    def contents(self, fold: Fold, sealing: Sealing) -> dict[Slot, Any]:
        """What this seat sealed under a name, slot by slot, as far as it has the secrets of it."""
        told: dict[Slot, Any] = {}
        for epoch in sealing.epochs:
            secret = self.secret(fold, sealing.name, epoch.era)
            base = self._base(sealing, epoch, told)
            if secret is None or base is None:
                continue
            held = self.epoch_contents(secret, sealing, epoch.number, epoch.seq, len(epoch.hashes), base)
            if sealing.seat != self.seat and not self._fits(fold, sealing, epoch, secret, held):
                continue
            for number, content in enumerate(held):
                told[sealed.slot_name(sealing.name, epoch.number, number)] = content
        return told

    def _fits(self, fold: Fold, sealing: Sealing, epoch: Epoch, secret: bytes, held: Sequence[Any]) -> bool:
        """Whether what an ally's secret says is what he sealed: a wrong one shows nothing rather than wrong cards."""
        game = bytes.fromhex(fold.game.id)
        return len(held) == len(epoch.hashes) and all(
            sealed.slot_hash(
                game,
                sealing.name,
                epoch.number,
                number,
                content,
                sealed.salt(secret, epoch.number, number, epoch.seq),
            )
            == epoch.hashes[number]
            for number, content in enumerate(held)
        )

    def _base(self, sealing: Sealing, epoch: Epoch, told: Mapping[Slot, Any]) -> list[Any] | None:
        """What an epoch arranges; None where it rests on slots that this seat does not know."""
        if sealing.what == "private":
            return []
        if epoch.composition:
            return list(epoch.composition)
        if epoch.replaces:
            return [told[slot] for slot in epoch.replaces] if told.keys() >= set(epoch.replaces) else None
        return list(sealing.composition)

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
        secret = sealed.secret_of(self.present(fold), sealing.name)
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
        secret = self.secret(fold, sealing.name, epoch.era)
        told = self.contents(fold, sealing)
        if secret is None or slot not in told:
            raise Trouble(f"{self.seat} does not know what is in {slot}", "restore the backup of its secrets")
        salt = sealed.salt(secret, epoch.number, number, epoch.seq)
        return {"content": told[slot], "salt": salt.hex(), "slot": slot}

    def disclosure(self, fold: Fold, name: str) -> dict[str, Any]:
        """The body of the event that discloses a name."""
        sealing = fold.slots.names[name]
        era = fold.slots.era_due(sealing)
        secret = self.secret(fold, name, era)
        told = self.contents(fold, sealing)
        due = [slot for slot, epoch, _ in fold.slots.never_opened(sealing) if epoch.era == era]
        if secret is None or not told.keys() >= set(due):
            hint = "take in what the former player exports: `pbem vault import FILE EXPORTED`"
            raise Trouble(f"{self.seat} does not know all that is sealed as {name}", hint)
        closed = [told[slot] for slot in due]
        texts = [one if isinstance(one, str) else canon.encode(one).decode() for one in closed]
        return {"contents": texts, "name": name, "secret": secret.hex()}


def chosen_key(name: str, epoch: int) -> str:
    return name if epoch == sealed.CHOICE_EPOCH else f"{name}/{epoch}"
