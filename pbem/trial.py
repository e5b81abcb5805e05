"""Orders tried out, one by one: on a copy of the position, or for good."""

from __future__ import annotations

import dataclasses
import re
from typing import Any, cast

from pbem import (
    canon,
    keys,
    record,
)
from pbem.api import Ask, Illegal, Note, Order, Roll
from pbem.author import Author
from pbem.errors import Ambiguous, OrderRefused, Refused, Unreadable
from pbem.replay import Fold
from pbem.vault import Vault


class Stopped(Exception):
    """A script cannot go on: chance or somebody else comes next."""


class Blank:
    """A key that signs nothing: for trying orders out."""

    public = bytes(32)

    def sign(self, namespace: str, message: bytes) -> bytes:
        return bytes(64)


class Trial:
    """Orders tried one by one, by an author: on a copy of the fold with a blank key, or for good with the real one."""

    def __init__(self, author: Author, notes: list[Note] | None = None) -> None:
        self.author = author
        self.seat = author.seat
        self.notes: list[Note] = notes if notes is not None else []
        self._react_at = 0
        self.said = ""

    @classmethod
    def of_copy(cls, fold: Fold, vault: Vault) -> Trial:
        """On a copy: what needs no thought is done first, as it will be when the orders are signed."""
        notes: list[Note] = []
        copied = fold.fork(lambda _, note: notes.append(note))
        if copied.open_pair and copied.batch is not None:
            copied.batch = dataclasses.replace(copied.batch, seed=None)  # a draft shows no dice: it may be dropped
        author = Author(copied, vault.seat, cast("keys.SigningKey", Blank()), _no_link, vault)
        trial = cls(author, notes)
        if copied.holder == vault.seat:
            author.answer_client_asks()
        return trial

    @property
    def fold(self) -> Fold:
        return self.author.fold

    @property
    def state(self) -> Any:
        return self.fold.state

    @property
    def asks(self) -> tuple[Ask | Roll, ...]:
        return self.fold.asks

    def offers(self) -> list[str]:
        """Orders for a menu, as the seat may type them."""
        known, engine = self.author.known(), self.fold.engine
        offered = engine.offers(self.state, self.seat, known)
        return [engine.phrase(self.state, self.seat, order, known) for order in offered]

    def _dice_out(self) -> bool:
        return self.fold.batch is not None and self.fold.batch.seed is None

    def waits(self) -> str:
        """Why the seat cannot be asked now: in words, or empty when it is its turn."""
        fold = self.fold
        if fold.closed or not self.asks:
            return "the game is over"
        if fold.holder != self.seat:
            return f"{fold.holder} holds the baton"
        first = self.asks[0]
        if self._dice_out() and not fold.open_pair:
            return "dice were asked for and are not out yet"
        if fold.dice_late():
            first = next((one for one in self.asks if isinstance(one, Ask)), first)
        if isinstance(first, Roll):
            return "dice must fall first"
        return "" if first.seat == self.seat else f"{first.seat} decides next"

    def take(self, number: int, text: str) -> Order | None:
        """Try one order and keep its effect. Raises `OrderRefused` with the line number, or `Stopped`."""
        kind, order = self.read(number, text)
        self.said = self._said(kind, order, text)
        try:
            self._write(kind, order, text)
        except Refused as error:
            if error.code in ("E_BATCH", "E_BATON", "E_DUE"):
                raise Stopped(error.what) from None
            ids = f"[{', '.join(error.ids)}] " if error.ids else f"{error.code}: "
            raise OrderRefused(f'order {number} "{_quoted(text)}": {ids}{error.what}', error.hint) from None
        self.author.answer_client_asks()
        return order

    def _said(self, kind: str, order: Order | None, text: str) -> str:
        """The order as its seat may type it here, hidden things by name; a reaction with its event."""
        if order is None:
            return text.strip()
        react = kind == "react"
        window = next((one for one in self.fold.windows if react and one.seq == self._react_at), None)
        state = window.state if window is not None else self.state
        words = self.fold.engine.phrase(state, self.seat, order, self.author.known())
        return f"react {self._react_at} {words}" if react else words

    def _write(self, kind: str, order: Order | None, text: str) -> None:
        if kind == "react" and order is not None:
            self.author.react(self._react_at, order)
            return
        if order is not None:
            self.author.order(order)
            return
        bodies: dict[str, dict[str, Any]] = {
            "note": {"text": text.strip().partition(" ")[2]},
            "waive": {"window": text.partition(" ")[2].strip(), "on": True},
            "ask": {"window": text.partition(" ")[2].strip(), "on": False},
        }
        self.author.write("waive" if kind == "ask" else kind, bodies.get(kind, {}))

    def read(self, number: int, text: str) -> tuple[str, Order | None]:
        """What one line says here: the kind, and the engine's order unless it is the core's."""
        text = text.strip()
        word, _, rest = text.partition(" ")
        if self.fold.holder != self.seat or self.fold.closed:
            raise Stopped(self.waits())
        if self.fold.open_pair and self.asks and isinstance(self.asks[0], Roll) and not self.fold.dice_late():
            raise Stopped(self.waits())
        if word.lower() == "note":
            return self._core_note(number, text, rest)
        if word.lower() == "resign" and not rest and not (self._dice_out() and len(self.fold.seats) > 2):
            return "resign", None
        if self._dice_out() and not self.fold.open_pair:
            raise Stopped(self.waits())
        if text.lower() in ("play on", "play_on") and self._window():
            return "play_on", None
        if word.lower() == "react" and rest.partition(" ")[0].isdecimal():
            return self._reaction(number, text, rest)
        if word.lower() in ("waive", "ask") and rest and re.fullmatch(r"[a-z0-9_ /-]{1,80}", rest):
            return word.lower(), None
        return self._engine_order(number, text)

    def _reaction(self, number: int, text: str, rest: str) -> tuple[str, Order | None]:
        """`react EVENT ORDER`: an order read in the position where the window stood."""
        at, _, words = rest.partition(" ")
        mine = {str(window.seq): window for window in self.fold.windows if window.seat == self.seat}
        if at not in mine or self.fold.since_handover:
            passed = ", ".join(mine) or "none"
            raise OrderRefused(f'order {number} "{_quoted(text)}": no window to react to', f"windows passed: {passed}")
        window = mine[at]
        self._react_at = window.seq
        return "react", self._meant(number, text, words, window.state)[1]

    def _window(self) -> bool:
        first = self.asks[0] if self.asks else None
        return isinstance(first, Ask) and bool(first.window)

    def _core_note(self, number: int, text: str, rest: str) -> tuple[str, Order | None]:
        if not rest.strip():
            raise OrderRefused(f'order {number} "{_quoted(text)}": a note needs a text', "note TEXT")
        try:
            record.parse(record.NoteText, {"text": rest})
            canon.check_text(rest)
        except Refused as error:
            raise Unreadable(f'order {number} "{_quoted(text)}": {error.what}', error.hint) from None
        return "note", None

    def _engine_order(self, number: int, text: str) -> tuple[str, Order | None]:
        return self._meant(number, text, text, self.state)

    def _meant(self, number: int, text: str, words: str, state: Any) -> tuple[str, Order | None]:
        """The one legal meaning of some words in a position."""
        engine, known = self.fold.engine, self.author.known()
        try:
            meanings = engine.read(state, self.seat, words, known)
        except Unreadable as error:
            raise Unreadable(f"order {number}: {error.what}", error.hint) from None
        verdicts = [(order, engine.refuse(state, self.seat, order, known)) for order in meanings]
        legal = [order for order, verdict in verdicts if not isinstance(verdict, Illegal)]
        if len(legal) > 1:
            told = tuple(engine.phrase(state, self.seat, order, known) for order in legal)
            raise Ambiguous(f'order {number} "{_quoted(text)}" has several meanings', told)
        if legal:
            return legal[0].kind, legal[0]
        if self.waits():
            raise Stopped(self.waits())
        why = next(verdict for _, verdict in verdicts if isinstance(verdict, Illegal))
        ids = f"[{', '.join(why.ids)}] " if why.ids else ""
        raise OrderRefused(f'order {number} "{_quoted(text)}": {ids}{why.why}', why.hint, ids=why.ids)


def _no_link(_: int) -> bytes:
    raise AssertionError("a trial asks for no dice")


def _quoted(text: str) -> str:
    shown = "".join(char if char.isprintable() else "?" for char in text)
    return shown if len(shown) <= 60 else shown[:57] + "..."
