"""Sealed slots: public hashes whose contents only their owner knows (FORMAT.md, hidden information).

Pure: hashes, salts, arrangements, boxes, and the public record of what was sealed and opened.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pbem import canon, dice
from pbem.api import Slot
from pbem.canon import H, K
from pbem.errors import Refused

CHOICE_EPOCH: Final = 0
_VALUE = re.compile(r"[0-9a-f]{64}\Z")
MAX_SLOTS: Final = 900
"""Slots of one seal: what fits into one event."""


# Hashes ----------------------------------------------------------------------------------------------------------


def slot_hash(game: bytes, name: str, epoch: int, number: int, content: str, salt: bytes) -> str:
    """The hash of a card, chit, counter or private value."""
    return H("pbem/v1/slot", game, name, epoch, number, content, salt).hex()


def commitment(game: bytes, seat: str, name: str, salt: bytes, content: Mapping[str, Any]) -> str:
    """The hash of a secret choice."""
    return H("pbem/v1/commit", game, seat, name, salt, canon.encode(content)).hex()


def slot_name(name: str, epoch: int, number: int) -> Slot:
    """`red-deck/1/22`; a choice's only slot bears the name of the choice."""
    return name if epoch == CHOICE_EPOCH else f"{name}/{epoch}/{number}"


def split(slot: Slot) -> tuple[str, int, int]:
    """Name, epoch and number of a slot (`E_OPENING` where it is none)."""
    if "#" in slot:
        return slot, CHOICE_EPOCH, 0
    name, _, rest = slot.partition("/")
    epoch, _, number = rest.partition("/")
    plain = epoch.isdecimal() and number.isdecimal() and len(rest) <= 20
    if not plain or slot_name(name, int(epoch), int(number)) != slot:
        raise Refused("E_OPENING", f"{slot[:60]!r} is not the name of a slot")
    return name, int(epoch), int(number)


# What a seat derives in private ----------------------------------------------------------------------------------


def secret_of(master: bytes, name: str) -> bytes:
    """The secret of one deck, purse, private list or choice: opening one gives away no other."""
    return K(master, "pbem/v1/deck", name)


def salt(secret: bytes, epoch: int, number: int, seq: int) -> bytes:
    """The salt of a slot published by event `seq`; a choice has epoch 0 and number 0."""
    return K(secret, "pbem/v1/salt", epoch, number, seq)


def arrange(secret: bytes, epoch: int, seq: int, contents: Sequence[str]) -> list[str]:
    """The secret order of a deck's contents: a shuffle of the sorted list."""
    ordered = sorted(contents)
    seed = K(secret, "pbem/v1/arrange", epoch, seq)
    return [ordered[place] for place in dice.shuffle(seed, "arrange", len(ordered))]


def private_value(secret: bytes, epoch: int, number: int) -> str:
    """A value that makes one private roll, as 64 hex digits."""
    return K(secret, "pbem/v1/value", epoch, number).hex()


# Boxes -----------------------------------------------------------------------------------------------------------


def box_key(master: bytes) -> bytes:
    """The private X25519 key of a seat's box."""
    return K(master, "pbem/v1/box-key")


def box_public(private: bytes) -> bytes:
    """The public side, as it stands in a charter entry."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    return X25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw()


def seal_box(public: bytes, data: bytes, *, game: bytes, sender: str, to: str) -> bytes:
    """Data for one seat: ephemeral key and ciphertext."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    ephemeral = X25519PrivateKey.generate()
    own = ephemeral.public_key().public_bytes_raw()
    key = _box_secret(ephemeral.private_bytes_raw(), public, own, public, game, sender, to)
    sealed: bytes = _cipher(key).encrypt(bytes(12), data, None)
    return own + sealed


def open_box(private: bytes, box: bytes, *, game: bytes, sender: str, to: str) -> bytes | None:
    """The data of a box; None where it was not made for this key, game and pair of seats."""
    from cryptography.exceptions import InvalidTag

    try:
        key = _box_secret(private, box[:32], box[:32], box_public(private), game, sender, to)
        data: bytes = _cipher(key).decrypt(bytes(12), box[32:], None)
    except (InvalidTag, ValueError):
        return None
    return data


def _box_secret(
    private: bytes, peer: bytes, ephemeral: bytes, recipient: bytes, game: bytes, sender: str, to: str
) -> bytes:
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    shared = X25519PrivateKey.from_private_bytes(private).exchange(X25519PublicKey.from_public_bytes(peer))
    info = H("pbem/v1/box", game, sender, to)
    return HKDF(SHA256(), 32, salt=ephemeral + recipient, info=info).derive(shared)


def _cipher(key: bytes) -> Any:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    return ChaCha20Poly1305(key)


# The public record -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Epoch:
    """One `seal` event: its seq, hashes, and the slots it takes the place of. `void` after an undo of it.

    `era` counts the players a seat had: each has secrets of his own. `composition` is what a rebuilt deck must hold.
    """

    number: int
    seq: int
    hashes: tuple[str, ...]
    replaces: tuple[Slot, ...] = ()
    void: bool = False
    era: int = 0
    composition: tuple[str, ...] = ()


@dataclass(slots=True)
class Sealing:
    """Everything sealed under one name: by whom, what, with which public composition, who may open it."""

    name: str
    what: str
    seat: str
    team: tuple[str, ...]
    composition: tuple[str, ...] = ()
    kind: str = ""
    epochs: list[Epoch] = field(default_factory=list)
    disclosed: bool = False
    lost_before: int = 0

    def slots(self, *, void: bool = False) -> Iterator[tuple[Slot, Epoch, int]]:
        """Every slot with its epoch and number, by epoch and number."""
        for epoch in self.epochs:
            if void or not epoch.void:
                for number in range(len(epoch.hashes)):
                    yield slot_name(self.name, epoch.number, number), epoch, number

    def epoch(self, number: int) -> Epoch:
        found = next((epoch for epoch in self.epochs if epoch.number == number), None)
        if found is None:
            raise Refused("E_OPENING", f"{self.name} has no epoch {number}")
        return found

    def next_epoch(self) -> int:
        return CHOICE_EPOCH if self.what == "choice" else len(self.epochs) + 1

    def replaced(self) -> set[Slot]:
        """Slots that a later epoch took the place of."""
        return {slot for epoch in self.epochs if not epoch.void for slot in epoch.replaces}


class Slots:
    """All slots of a game as everybody sees them, and what was opened."""

    def __init__(self, game: bytes) -> None:
        self.game = game
        self.names: dict[str, Sealing] = {}
        self.opened: dict[Slot, Any] = {}
        self.open_now: set[Slot] = set()

    def publish(self, sealing: Sealing, epoch: Epoch) -> tuple[Slot, ...]:
        """Enter a seal; its slots."""
        self.names.setdefault(sealing.name, sealing).epochs.append(epoch)
        return tuple(slot_name(sealing.name, epoch.number, number) for number in range(len(epoch.hashes)))

    def alive(self) -> set[tuple[str, int]]:
        """Names and numbers of the epochs that are not void."""
        return {(name, epoch.number) for name, one in self.names.items() for epoch in one.epochs if not epoch.void}

    def of(self, slot: Slot) -> tuple[Sealing, Epoch, int]:
        """Where a slot belongs (`E_OPENING` for an unknown one)."""
        name, number, place = split(slot)
        sealing = self.names.get(name)
        if sealing is None:
            raise Refused("E_OPENING", f"nothing is sealed as {name[:60]}")
        epoch = sealing.epoch(number)
        if epoch.void or place >= len(epoch.hashes):
            raise Refused("E_OPENING", f"{slot} does not exist")
        return sealing, epoch, place

    def check(self, seat: str, slot: Slot, content: Any, salt_hex: str) -> Sealing:
        """An opening by a seat: its own slot, not open yet, and the hash fits (`E_OPENING`, and the deck's codes)."""
        sealing, epoch, place = self.of(slot)
        if seat not in sealing.team:
            raise Refused("E_OPENING", f"{slot} is not {seat}'s to open")
        if slot in self.open_now:
            raise Refused("E_OPENING", f"{slot} is open already")
        if self._hash(sealing, epoch, place, content, bytes.fromhex(salt_hex)) != epoch.hashes[place]:
            raise Refused("E_OPENING", f"content and salt do not give the hash of {slot}")
        if sealing.what == "deck" and sealing.composition:
            self._check_copies(sealing, slot, content)
        return sealing

    def _hash(self, sealing: Sealing, epoch: Epoch, place: int, content: Any, salt_: bytes) -> str:
        if sealing.what == "choice":
            if not isinstance(content, dict):
                raise Refused("E_OPENING", "a choice is opened with its fields")
            return commitment(self.game, sealing.seat, sealing.name, salt_, content)
        if not isinstance(content, str):
            raise Refused("E_OPENING", "a slot is opened with a text")
        if sealing.what == "private" and not _VALUE.match(content):
            raise Refused("E_OPENING", "the value of a private roll has 64 hex digits")
        return slot_hash(self.game, sealing.name, epoch.number, place, content, salt_)

    def _check_copies(self, sealing: Sealing, slot: Slot, content: str) -> None:
        exist = Counter(sealing.composition)[content]
        if not exist:
            raise Refused("E_NOSUCHCARD", f"{sealing.name} has no {content[:60]}")
        start = f"{sealing.name}/"
        same = {one for one in self.open_now if self.opened[one] == content and one.startswith(start)}
        if len(same) >= exist and len(same.intersection(self._lie(sealing))) >= exist:
            raise Refused("E_DUPCARD", f"{slot} would be copy {exist + 1} of {content[:60]} in {sealing.name}")

    def _lie(self, sealing: Sealing) -> Iterator[Slot]:
        """The slots of a name that are not void and that no later epoch replaced."""
        gone = sealing.replaced()
        return (slot for slot, _, _ in sealing.slots() if slot not in gone)

    def enter(self, slot: Slot, content: Any) -> None:
        """Remember an opening that was checked."""
        self.opened[slot] = content
        self.open_now.add(slot)

    def closed(self, seat: str) -> list[str]:
        """Names of a seat that must be disclosed at the end: those with slots never opened."""
        return sorted(
            sealing.name for sealing in self.names.values() if sealing.seat == seat and any(self.never_opened(sealing))
        )

    def never_opened(self, sealing: Sealing) -> Iterator[tuple[Slot, Epoch, int]]:
        """Slots whose contents only the owner knows, by epoch and number; void seals and what was lost left out."""
        return (one for one in sealing.slots() if one[0] not in self.opened and one[1].era >= sealing.lost_before)

    def era_due(self, sealing: Sealing) -> int:
        """The era whose secret is disclosed next: the earliest with slots never opened."""
        return min((epoch.era for _, epoch, _ in self.never_opened(sealing)), default=0)

    def disclose(self, seat: str, name: str, secret: bytes, contents: Sequence[str]) -> dict[Slot, Any]:
        """The audit of one name: every hash recomputed, every epoch's contents followed. What became known."""
        sealing = self.names.get(name)
        if sealing is None or seat not in sealing.team:
            raise Refused("E_OPENING", f"{name[:60]} is not {seat}'s to disclose")
        era = self.era_due(sealing)
        closed = [one for one in self.never_opened(sealing) if one[1].era == era]
        if not closed:
            raise Refused("E_OPENING", f"{name} is disclosed already")
        if len(contents) != len(closed):
            raise Refused("E_OPENING", f"{name} has {len(closed)} slots never opened, {len(contents)} are disclosed")
        found = {slot: self._told(sealing, text) for (slot, _, _), text in zip(closed, contents, strict=True)}
        everything = {**self.opened, **found}
        for slot, epoch, place in sealing.slots():
            if epoch.era != era:
                continue
            derived = salt(secret, epoch.number, place, epoch.seq)
            if self._hash(sealing, epoch, place, everything[slot], derived) != epoch.hashes[place]:
                raise Refused("E_OPENING", f"the disclosed secret and contents do not give the hash of {slot}")
        self._check_epochs(sealing, everything, era)
        sealing.disclosed = True
        self.opened.update(found)
        return found

    def _told(self, sealing: Sealing, text: str) -> Any:
        return canon.decode(text.encode()) if sealing.what == "choice" else text

    def _check_epochs(self, sealing: Sealing, everything: Mapping[Slot, Any], era: int) -> None:
        """Every epoch holds what its slots replaced, the first one the composition (`E_DECKFRAUD` names the epoch)."""
        if sealing.what not in ("deck", "purse"):
            return
        for epoch in sealing.epochs:
            if epoch.void or epoch.era != era:
                continue
            held = Counter(everything[slot_name(sealing.name, epoch.number, n)] for n in range(len(epoch.hashes)))
            if epoch.composition:
                wanted = Counter(epoch.composition)
            elif epoch.replaces:
                wanted = Counter(everything[slot] for slot in epoch.replaces)
            elif sealing.what == "deck" and sealing.composition:
                wanted = Counter(sealing.composition)
            else:
                continue
            if held != wanted:
                odd = sorted((held - wanted) or (wanted - held))[0]
                raise Refused("E_DECKFRAUD", f"{sealing.name}, epoch {epoch.number}: {odd[:60]} is wrong there")
