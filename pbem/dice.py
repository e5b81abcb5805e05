"""Dice that nobody chose: from secrets released one by one to faces, cards and orders (protocol, 3).

Sequence of play: every seat's chain is made and anchored, its links are checked as they are released,
one link of every contributor makes the seed of a batch, and each die is read from that seed under its own label.
Pure: the same arguments give the same dice on every machine, for ever.
"""

from __future__ import annotations

import hmac
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar

from pbem.canon import H, K, Part
from pbem.errors import Refused

T = TypeVar("T")

WORD_BITS = 64
ATTEMPTS = 65536
MAX_SIDES = 2**32
VALUE_BYTES = 32

STEM = re.compile(r"[A-Za-z0-9_./-]{1,80}\Z")


# --- chains: all dice of a seat, committed to in 32 bytes (3.3) ---


def chain_id(setup: bytes, seat: str, chain_no: int) -> bytes:
    """What binds a chain to one game's set-up and one seat, so that a copied link never verifies.

    `setup` is the charter's 32 raw bytes; `chain_no` counts from 1 and rises by one with every `rechain`.
    """
    return H("pbem/v1/chain-id", setup, seat, chain_no)


def chain_end(master: bytes, chain_no: int) -> bytes:
    """x_N, the secret all links of a chain follow from, derived from the seat's master secret [2.8]."""
    return K(master, "pbem/v1/chain", chain_no)


def link_down(chain_id: bytes, index: int, value: bytes) -> bytes:
    """x_{index-1} from x_index = `value`; `index` from 1, and x_0 is the anchor. The other way nobody can go."""
    return H("pbem/v1/link", chain_id, index - 1, value)


def chain(chain_id: bytes, end: bytes, links: int) -> list[bytes]:
    """x_0 .. x_N: the anchor, then the links in the order of their release. N is `links`, x_N is `end`."""
    values = [end]
    for index in range(links, 0, -1):
        values.append(link_down(chain_id, index, values[-1]))
    values.reverse()
    return values


def anchor(chain_id: bytes, end: bytes, links: int) -> bytes:
    """x_0 alone, for the charter."""
    return chain(chain_id, end, links)[0]


@dataclass(slots=True)
class ChainCheck:
    """One seat's chain as the others see it: the anchor, and the highest link released so far.

    `links` is N of the charter. At first `index` is 0 and `value` the anchor.
    Which index is due the log dictates, never the message; that is for the caller to compare.
    """

    chain_id: bytes
    links: int
    value: bytes
    index: int = 0

    def accept(self, index: int, value: bytes) -> None:
        """Take x_index, if it hashes down to the highest link known; it is then the highest one.

        The highest known link may come again (a resend), an earlier one may not.
        Refuses with `E_LINK`, before hashing where numbers or lengths already tell; costs at most N hashes.
        """
        if not 1 <= index <= self.links:
            raise Refused("E_LINK", f"link {index} is not one of the chain's links 1 to {self.links}")
        if len(value) != VALUE_BYTES:
            raise Refused("E_LINK", f"link {index} has {len(value)} bytes, not {VALUE_BYTES}")
        if index < self.index:
            raise Refused("E_LINK", f"link {index} comes after link {self.index}, which opens it")
        below = value
        for step in range(index, self.index, -1):
            below = link_down(self.chain_id, step, below)
        if below != self.value:
            known = f"link {self.index}" if self.index else "the anchor"
            raise Refused("E_LINK", f"link {index} does not lead back to {known}")
        self.index, self.value = index, value


# --- seeds: one link of every contributor (3.3) ---


def batch_seed(game: bytes, n: int, links: Mapping[str, bytes]) -> bytes:
    """The 32 bytes behind all dice of batch `n`, from x_n of every contributor, the requester included.

    `links` maps contributors to raw values: seats, `witness`, or `beacon` with a round's signature [3.9].
    Who contributes the charter dictates; the order of the mapping does not matter.
    """
    parts: list[Part] = [game, n]
    for name in sorted(links):
        parts += [name, links[name]]
    return H("pbem/v1/batch", *parts)


def private_seed(game: bytes, label: str, value: bytes, seed: bytes) -> bytes:
    """The seed of one private roll: `seed` of its batch, mixed with the `value` that only its owner knows."""
    return H("pbem/v1/private", game, label, value, seed)


# --- labels: a die is named after what it is for, not after when it is rolled (3.1) ---


def check_stem(stem: str) -> None:
    """Insist that a rules engine named a chance event as it must; ValueError is the engine's bug, no player's fault."""
    if not STEM.match(stem):
        raise ValueError(f"{stem!r} is no stem of a label: 1 to 80 of A-Z a-z 0-9 _ . / -")


def label(stem: str, k: int) -> str:
    """The name of the k-th use of a stem in one game, `k` from 1: `t5/combat/0512#1`; ValueError if not well named."""
    check_stem(stem)
    if k < 1:
        raise ValueError(f"use {k} of {stem}: uses count from 1")
    return f"{stem}#{k}"


# --- from seed and label to faces (3.1) ---


def word(seed: bytes, label: str, attempt: int) -> int:
    """The `attempt`-th number of 64 even bits that a batch holds for one label."""
    message = b"pbem/v1/draw\0" + label.encode() + b"\0" + struct.pack(">I", attempt)
    return int.from_bytes(hmac.digest(seed, message, "sha256")[:8], "big")


def accept(word: int, n: int, bits: int) -> int | None:
    """A word of `bits` even bits as one of 0..n-1, each from equally many words; None for the few left over."""
    whole = (1 << bits) // n * n
    return word % n if word < whole else None


def uniform(seed: bytes, label: str, n: int) -> int:
    """One of 0..n-1, all equally likely to whoever does not know `seed`; 1 <= n <= 2**32, else ValueError.

    `label` is complete: stem, use and index (`t5/combat/0512#1/0`).
    """
    if not 1 <= n <= MAX_SIDES:
        raise ValueError(f"a choice of one in {n} is not offered: 1 to {MAX_SIDES}")
    for attempt in range(ATTEMPTS):
        found = accept(word(seed, label, attempt), n, WORD_BITS)
        if found is not None:
            return found
    raise RuntimeError(f"{ATTEMPTS} words left over in a row for {label}")  # less likely than 2**-65536


def roll(seed: bytes, label: str, sides: Sequence[int]) -> tuple[int, ...]:
    """The dice of one label, each from 1 to its number of sides: `(6, 6)` is 2d6, `(6, 10)` a d6 and a d10."""
    return tuple(1 + uniform(seed, f"{label}/{i}", n) for i, n in enumerate(sides))


def picks(seed: bytes, label: str, k: int, m: int) -> tuple[int, ...]:
    """`k` picks from `m` things without putting back: each an index into what the picks before it left over.

    ValueError unless 0 <= k <= m.
    """
    if not 0 <= k <= m:
        raise ValueError(f"{k} cannot be drawn from {m}")
    return tuple(uniform(seed, f"{label}/{i}", m - i) for i in range(k))


def draw(seed: bytes, label: str, k: int, items: Sequence[T]) -> tuple[T, ...]:
    """`k` of `items` in the order drawn. The order of `items` counts: for slots, ascending (name, epoch, number)."""
    left = list(items)
    return tuple(left.pop(pick) for pick in picks(seed, label, k, len(left)))


def shuffle(seed: bytes, label: str, n: int) -> tuple[int, ...]:
    """0..n-1 in an even random order: at each place, which of the old ones stands there (Fisher-Yates)."""
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        j = uniform(seed, f"{label}/{i}", i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)


# --- what a policy promises, in words (3.9, 3.11) ---

POLICY_TAGS: Mapping[str, str] = MappingProxyType(
    {
        "sealed": "sealed dice: nobody chose them, nobody saw them early",
        "beacon": "beacon dice: public numbers of a named time",
        "open": "open dice: nobody chose them, the roller could have looked ahead",
        "S0": "solitaire diary: the moves are legal, the dice are on the player's word",
        "S1": "solitaire, registered: a public number named beforehand starts it",
        "S2": "solitaire, registered, and one of a numbered list",
        "S3": "solitaire, witnessed: somebody else released all dice in time",
    }
)

POLICY_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "sealed": (
            "All dice of this game were fixed before the first move, by secrets of all players together. "
            "Nobody can change one. "
            "Nobody can see one before every decision it can touch has been signed and sent. "
            "Whoever must decide again after seeing dice waits for an answer from the other side's computer first. "
            "A player can refuse that answer; then everybody sees who stopped the game, and the dice stay as they are."
        ),
        "beacon": (
            "The dice come from public random numbers, published on a timetable by independent organisations together. "
            "Anybody can check them, offline and for ever, and no player can influence them. "
            "Dice were seen early only if the orders were not yet in somebody else's hands at the time named; "
            "for that moment you rely on that person's word."
        ),
        "open": (
            "Nobody can choose the dice, and your opponent cannot see yours in advance. "
            "But each player could look at his own dice for the turn before deciding. "
            "Play this way with people you would leave alone with the board while you fetch the coffee."
        ),
        "S0": (
            "A diary of one player alone. "
            "The moves are legal for these dice, and the file is unchanged since anybody else noted its head. "
            "Whether the game was begun again until the dice were good, only the player knows."
        ),
        "S1": (
            "One player alone, and dice that nobody chose: they begin with a public number of a time named beforehand. "
            "For whoever had the game's id before that time, that is certain. "
            "But the player could foresee them and try his game over and over: "
            "take it as the best line he found for these dice, fair where all play the same start."
        ),
        "S2": (
            "One player alone, and dice that nobody chose: they begin with a public number of a time named beforehand. "
            "This game also names the one he began before it, so that failed attempts cannot vanish from his list "
            "unnoticed by whoever keeps an earlier game of it. "
            "The player could still foresee the dice."
        ),
        "S3": (
            "One player alone, with somebody else watching: "
            "every die became known only after the decisions it touches were in the witness' hands. "
            "As good as play under observation; still one attempt among those he made."
        ),
    }
)
