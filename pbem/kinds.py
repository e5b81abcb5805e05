"""What the core kinds do, each in its chapter; here notes, the audit, windows, leaving, ends and undo.

Each function takes a fold, an event and its body, checks what the kind asks for, and applies it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from pbem import auditing, batches, canon, changes, checks, handovers, orders, record, saying, sealed
from pbem.api import Ask, Commit, Disclose, Lapsed, Note, Resigned, Slot
from pbem.errors import Refused
from pbem.record import Event

if TYPE_CHECKING:
    from pbem.replay import Fold


@dataclass(slots=True)
class Window:
    """A window that the holder passed by `play_on` and its owner has not answered: the state is that before it."""

    seq: int
    seat: str
    state: Any
    asks: tuple[Any, ...]


CORE_WORDS: Final[Mapping[str, str]] = {
    "core/note": "{seat} writes: {text}",
    "core/resign": "{seat} gives up",
    "core/agree": "all seats agree: {result}",
    "core/disclose": "{seat} discloses {name}: {count} slots never opened",
    "core/play_on": "the window {window} passes, {seat} plays on",
    "core/react": "{seat} reacts at event {at}; what came after it is void",
    "core/waive": "{seat} waives the window {window}",
    "core/ask_again": "{seat} wants to be asked at the window {window}",
    "core/undo": "by consent of all everything after event {to} is undone",
    "core/rekey": "{seat} has a new key",
    "core/transfer": "{seat} is played by a successor: {name}",
    "core/replace": "the vanished player of {seat} is replaced: {name}",
    "core/drop": "the vanished seat {seat} has left",
    "core/rechain": "{seat} has a new dice chain",
    "core/amend": "by consent of all changed: {what}",
    "core/heal": "by consent of all the game is healed: everything after event {to} is void",
}
"""Sentences for what the core tells, in the form of an engine's words."""


# Notes -----------------------------------------------------------------------------------------------------------


def note(fold: Fold, event: Event, body: record.NoteText) -> None:
    checks.dice_first(fold, event)
    fold.tell(event.seq)(Note("core/note", {"seat": event.seat, "text": body.text}))


# The audit -------------------------------------------------------------------------------------------------------


def disclose(fold: Fold, event: Event, body: record.Disclose) -> None:
    """One name's secret and what was never opened; after the last one what was unproven is judged again.

    The game cannot be set back behind it: what was hidden is known now.
    """
    checks.no_window(fold)
    checks.dice_first(fold, event)
    first = fold.asks[0] if fold.asks else None
    asked = isinstance(first, Ask) and isinstance(first.client, Disclose)
    if fold.rules is not None and not asked:
        raise Refused("E_DUE", "the audit comes when the game is over")
    found = fold.slots.disclose(event.seat, body.name, bytes.fromhex(body.secret), body.contents)
    fold.barrier = event.seq
    for slot, content in found.items():
        fold.enter(slot, content, live=False)
    if fold.rules is None:
        return
    fold.tell(event.seq)(Note("core/disclose", {"seat": event.seat, "name": body.name, "count": len(found)}))
    fold.look()
    if not any(fold.slots.closed(seat) for seat in fold.seats):
        auditing.settle(fold)


# Windows ---------------------------------------------------------------------------------------------------------


def play_on(fold: Fold, event: Event, body: record.PlayOn) -> None:
    """Let the window that is asked first lapse: its owner for good, anybody else until the owner answers."""
    checks.dice_first(fold, event)
    first = fold.asks[0] if fold.asks else None
    if fold.rules is None:
        fold.free_choice()
        return
    if not isinstance(first, Ask) or not first.window:
        raise Refused("E_WINDOW", "no window is asked here")
    checks.no_batch(fold, event)
    checks.nothing_due(fold, event)
    if first.seat != event.seat:
        fold.windows.append(Window(event.seq, first.seat, copy.deepcopy(fold.state), fold.asks))
    fold.free_choice()
    fold.tell(event.seq)(Note("core/play_on", {"seat": event.seat, "window": first.window}))
    fold.step(event.seq, Lapsed(first.seat, first))


def react(fold: Fold, event: Event, body: record.React) -> None:
    """Answer an earlier `play_on`: the state goes back to it, the events since are void, the reaction applies."""
    if fold.rules is None:
        fold.free_choice()
        _void_seals(fold, body.at)
        orders.open_and_seal(fold, event, body.opens or (), body.seals or ())
        return
    mine = [window for window in fold.windows if window.seat == event.seat and window.seq == body.at]
    if fold.since_handover or not mine:
        raise Refused("E_WINDOW", f"event {body.at} is no window that {event.seat} may answer now")
    window = mine[0]
    fold.state, fold.asks = copy.deepcopy(window.state), window.asks  # a fold that this one was forked from has it too
    fold.windows = [one for one in fold.windows if one.seq < body.at and one.seat != event.seat]
    _void_seals(fold, body.at)
    fold.tell(event.seq)(Note("core/react", {"seat": event.seat, "at": body.at}))
    orders.obey(fold, event, orders.order_of(fold, body.order, body.fields), body.opens or (), body.seals or ())


def waive(fold: Fold, event: Event, body: record.Waive) -> None:
    """Let a kind of the writer's own windows lapse by itself from now on, or ask again."""
    checks.dice_first(fold, event)
    checks.no_batch(fold, event)
    checks.nothing_due(fold, event)
    place = (event.seat, body.window)
    if body.on == (place in fold.waived):
        raise Refused("E_WINDOW", "that changes nothing")
    (fold.waived.add if body.on else fold.waived.discard)(place)
    fold.free_choice()
    fold.tell(event.seq)(
        Note("core/waive" if body.on else "core/ask_again", {"seat": event.seat, "window": body.window})
    )


# Leaving and ending ----------------------------------------------------------------------------------------------


def resign(fold: Fold, event: Event, body: record.Resign) -> None:
    _check_leaving(fold, event)
    _leave(fold, event.seq, event.seat)


def _check_leaving(fold: Fold, event: Event) -> None:
    """With three seats or more nobody leaves while dice are out: it could change them (`E_BATCH`)."""
    checks.no_window(fold)
    checks.dice_first(fold, event)
    if len(fold.seats) > 2 and fold.batch_runs():
        raise Refused("E_BATCH", "dice were asked for and are not all out", "resign when they are")
    checks.nothing_due(fold, event)


def _leave(fold: Fold, seq: int, seat: str) -> None:
    """A seat gives up: the rules say what that means."""
    checks.in_play(fold, seat)
    fold.free_choice()
    fold.in_game.remove(seat)
    fold.barrier = seq
    fold.tell(seq)(Note("core/resign", {"seat": seat}))
    if fold.rules is not None:
        fold.step(seq, Resigned(seat))


def carry(fold: Fold, event: Event, body: record.Carry) -> None:
    says = record.statement_of(body.said.statement)
    raw = canon.encode(body.said.statement)
    if isinstance(says, record.RekeyStatement):
        saying.check_consents(fold, event, body.consents or (), without=says.seat)
        checks.no_window(fold)
        checks.dice_first(fold, event)
    elif body.consents is not None:
        raise Refused("E_CONSENT", "carrying a resignation needs no consents")
    else:
        _check_leaving(fold, event)
    if not isinstance(says, record.ResignStatement | record.RekeyStatement):
        raise Refused("E_SAID", f"a statement of kind {says.kind!r} cannot be carried")
    saying.check_said(fold, says, raw, bytes.fromhex(body.said.sig))
    if says.seat == event.seat or raw in fold.carried:
        raise Refused("E_SAID", "carried already" if raw in fold.carried else "the writer acts by an event of his own")
    fold.carried.add(raw)
    if isinstance(says, record.ResignStatement):
        _leave(fold, event.seq, says.seat)
        return
    if says.old != fold.keys[says.seat].raw.hex():
        raise Refused("E_REKEY", f"the old key is not the one {says.seat} has")
    changes.change_key(fold, says.seat, says.new, says.proof)
    fold.barrier = event.seq
    fold.tell(event.seq)(Note("core/rekey", {"seat": says.seat}))


def agree(fold: Fold, event: Event, body: record.Agree) -> None:
    if body.result not in ("draw", "none", *fold.in_game):
        raise Refused("E_FIELDS", "field result: draw, none or a seat in the game")
    saying.check_consents(fold, event, body.consents)
    checks.no_window(fold)
    checks.dice_first(fold, event)
    if fold.rules is not None and fold.engine_waits() is False:
        raise Refused("E_RULE", "the game is over already")
    fold.batch = None
    fold.agreed = body.result
    fold.core_due.clear()
    fold.tell(event.seq)(Note("core/agree", {"result": body.result}))
    fold.look()


# Undo ------------------------------------------------------------------------------------------------------------


def undo(fold: Fold, event: Event, body: record.Undo) -> None:
    """Set the engine state back to that after an event. Dice, labels, epochs, openings and keys stay as they are."""
    saying.check_consents(fold, event, body.consents)
    checks.dice_first(fold, event)
    if body.to > fold.seq:
        raise Refused("E_UNDO", f"there is no event {body.to}")
    if body.to < fold.barrier:
        raise Refused("E_UNDO", f"event {fold.barrier} cannot be undone, nor anything before it")
    set_back(fold, body.to)
    fold.went_back.append((event.seq, body.to))
    fold.batch = None
    fold.tell(event.seq)(Note("core/undo", {"seat": event.seat, "to": body.to}))
    fold.look()


def set_back(fold: Fold, to: int, *, healing: bool = False) -> None:
    """The rules' side of the game as it was after an event; healing also forgets labels since.

    What void events left unproven need not be proved: their seals are never disclosed.
    """
    then = fold.earlier(to)
    fold.state, fold.agreed, fold.windows = then.state, then.agreed, then.windows
    fold.obligations = then.obligations
    if healing:
        fold.labels = then.labels
    fold.slots.open_now = then.open_now
    for name, sealing in fold.slots.names.items():
        for epoch in sealing.epochs:
            epoch.void = (name, epoch.number) not in then.alive
    fold.core_due = [*then.core_due, *_piles_again(fold, to), *_values_again(fold, to)]


def _void_seals(fold: Fold, after: int) -> None:
    for sealing in fold.slots.names.values():
        for epoch in sealing.epochs:
            epoch.void = epoch.void or epoch.seq > after


def _piles_again(fold: Fold, to: int) -> list[Ask]:
    """A deck from which a void event drew gets a new epoch of its pile: what the drawer saw of it is worth nothing.

    All draws since the event count, also those that an earlier undo has made void.
    """
    piles: dict[str, list[Slot]] = {}
    for seq, pool in fold.draws:
        if seq > to:
            by: dict[str, list[Slot]] = {}
            for slot in pool:
                name, epoch, _ = sealed.split(slot)
                sealing = fold.slots.names[name]
                alive = any(one.number == epoch and not one.void for one in sealing.epochs)
                if alive and slot not in sealing.replaced():
                    by.setdefault(sealing.name, []).append(slot)
            for name, slots in by.items():
                piles.setdefault(name, slots)
    due = []
    for name, slots in sorted(piles.items()):
        sealing = fold.slots.names[name]
        stay = tuple(slot for slot in slots if slot not in fold.slots.open_now)
        if not stay:
            continue
        what: Literal["deck", "purse"] = "deck" if sealing.what == "deck" else "purse"
        commit = Commit(what, name.removeprefix(f"{sealing.seat}-"), len(stay), (), stay, sealing.team[1:])
        due.append(Ask(sealing.seat, "reseal", "", client=commit))
    return due


def _values_again(fold: Fold, to: int) -> list[Ask]:
    """Sealed values that void private rolls have used get new ones in their place: no value makes two rolls."""
    used = {roll.slot for roll in fold.private.values() if roll.seq > to}
    due = []
    for name, sealing in sorted(fold.slots.names.items()):
        gone = sealing.replaced()
        slots = tuple(slot for slot, _, _ in sealing.slots() if slot in used and slot not in gone)
        if slots:
            commit = Commit("private", name.removeprefix(f"{sealing.seat}-"), len(slots), (), slots)
            due.append(Ask(sealing.seat, "reseal", "", client=commit))
    return due


KINDS: Final[Mapping[str, Callable[[Any, Event, Any], None]]] = {
    "handover": handovers.handover,
    "resolve": batches.resolve,
    "note": note,
    "seal": orders.seal,
    "open": orders.open_,
    "disclose": disclose,
    "play_on": play_on,
    "react": react,
    "waive": waive,
    "resign": resign,
    "carry": carry,
    "agree": agree,
    "undo": undo,
    **changes.KINDS,
}
"""Core kinds by name."""
