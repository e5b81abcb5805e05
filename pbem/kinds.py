"""What the core kinds do, but for handovers and dice (`replay`): seals, openings, windows, leaving, ends, undo.

Each function takes a fold, an event and its body, checks what the kind asks for, and applies it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from pbem import canon, changes, record, sealed
from pbem.api import Ask, Commit, Disclose, Lapsed, Note, Opened, Order, Resigned, Sealed, Slot
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


# Notes -----------------------------------------------------------------------------------------------------------


def note(fold: Fold, event: Event, body: record.NoteText) -> None:
    fold.dice_first(event)
    fold.tell(event.seq)(Note("core/note", {"seat": event.seat, "text": body.text}))


# Sealing ---------------------------------------------------------------------------------------------------------


def seal(fold: Fold, event: Event, body: record.Seal) -> None:
    """A commitment that is asked for, or a reseal that the engine lets pass. A free choice: it closes the batch."""
    fold.dice_first(event)
    fold.check_may_choose(event)
    publish(fold, event, body)


def publish(fold: Fold, event: Event, body: record.Seal) -> None:
    """Enter the slots of a seal and let the rules know."""
    asked = _asked_seal(fold, event.seat, body) if fold.rules is not None else None
    sealing = fold.slots.names.get(body.name) or _new_sealing(fold, event.seat, body, asked)
    _check_seal(fold, event, body, sealing, asked)
    epoch = sealed.Epoch(
        sealing.next_epoch(),
        event.seq,
        tuple(body.hashes),
        tuple(body.replaces or ()),
        era=fold.era[event.seat],
        composition=_rebuilt_contents(asked, body),
    )
    slots = tuple(sealed.slot_name(body.name, epoch.number, n) for n in range(len(body.hashes)))
    step = Sealed(event.seat, body.name, body.what, slots, epoch.replaces)
    due = asked is not None and asked in fold.core_due
    if asked is None and fold.rules is not None:
        fold.judge(event, step)
    fold.slots.publish(sealing, epoch)
    if due:
        fold.core_due.remove(asked)  # type: ignore[arg-type]
    if asked is not None and asked.secret:
        fold.labels[asked.secret] += 1
    fold.free_choice()
    fold.step(event.seq, step)


def _rebuilt_contents(asked: Ask | None, body: record.Seal) -> tuple[str, ...]:
    """What a deck made anew in place of a lost one must hold."""
    commit = _commit_of(asked)
    return tuple(sorted(commit.contents)) if commit is not None and body.replaces else ()


def _asked_seal(fold: Fold, seat: str, body: record.Seal) -> Ask | None:
    """The ask that this seal answers: the first, if it is this seat's and wants it; None for a reseal of its own."""
    first = fold.asks[0] if fold.asks else None
    if not isinstance(first, Ask) or first.seat != seat:
        return None
    if first.secret:
        wanted = f"{first.secret}#{fold.labels[first.secret] + 1}"
        return first if (body.what, body.name) == ("choice", wanted) else None
    commit = first.client if isinstance(first.client, Commit) else first.fill
    if commit is None:
        return None
    wants = (commit.what, f"{seat}-{commit.name}", commit.count, tuple(commit.replaces))
    return first if wants == (body.what, body.name, len(body.hashes), tuple(body.replaces or ())) else None


def _new_sealing(fold: Fold, seat: str, body: record.Seal, asked: Ask | None) -> sealed.Sealing:
    if fold.rules is not None and asked is None:
        raise Refused("E_OPENING", f"nobody asks {seat} to seal {body.name[:60]}")
    commit = _commit_of(asked)
    share = commit.share if commit is not None else ()
    if fold.rules is None:
        share = tuple(box.to for box in body.boxes or ())
    team = (seat, *share)
    composition = tuple(sorted(commit.contents)) if commit is not None else ()
    return sealed.Sealing(body.name, body.what, seat, team, composition, asked.sealed if asked is not None else "")


def _commit_of(asked: Ask | None) -> Commit | None:
    if asked is None:
        return None
    return asked.client if isinstance(asked.client, Commit) else asked.fill


def _check_seal(fold: Fold, event: Event, body: record.Seal, sealing: sealed.Sealing, asked: Ask | None) -> None:
    seat, choice = event.seat, body.what == "choice"
    if sealing.seat != seat or sealing.what != body.what or (not choice and not body.name.startswith(f"{seat}-")):
        raise Refused("E_OPENING", f"{body.name[:60]} is not {seat}'s to seal as {body.what}")
    if choice and (body.epoch is not None or body.replaces is not None or len(body.hashes) != 1 or sealing.epochs):
        raise Refused("E_OPENING", "a choice has one slot and no epoch")
    if not choice and (body.epoch != sealing.next_epoch() or not 1 <= len(body.hashes) <= sealed.MAX_SLOTS):
        raise Refused("E_OPENING", f"the next epoch of {body.name[:60]} is {sealing.next_epoch()}, with a slot or more")
    if sealing.disclosed:
        raise Refused("E_OPENING", f"{body.name} is disclosed already")
    _check_replaced(fold, body)
    if fold.rules is not None and asked is None and not choice and len(body.hashes) != len(body.replaces or ()):
        raise Refused("E_OPENING", "a reseal has as many slots as it replaces")
    commit = _commit_of(asked)
    if commit is not None:
        told = [box.to for box in body.boxes or ()]
        if sorted(told) != sorted(commit.share):
            to = ", ".join(commit.share) or "nobody"
            raise Refused("E_OPENING", f"the secret of {body.name} goes in boxes to {to}")


def _check_replaced(fold: Fold, body: record.Seal) -> None:
    replaced = tuple(body.replaces or ())
    if len(set(replaced)) != len(replaced):
        raise Refused("E_OPENING", "a slot is replaced twice")
    for slot in replaced:
        owner, _, _ = fold.slots.of(slot)
        if owner.name != body.name or slot in owner.replaced():
            raise Refused("E_OPENING", f"{slot} cannot be replaced in {body.name[:60]}")


# Opening ---------------------------------------------------------------------------------------------------------


def open_(fold: Fold, event: Event, body: record.Open) -> None:
    """Openings: what is due leaves the batch as it is, any other is a free choice."""
    if fold.rules is None:
        unseal(fold, event, body.items)
        return
    fold.check_no_window()
    fold.dice_first(event)
    due = fold.due_opening(event.seat)
    slots = tuple(item.slot for item in body.items)
    if due and slots == due and _sealed_before_request(fold, slots):
        fold.check_nothing_due(event)
        unseal(fold, event, body.items)
        return
    fold.check_may_choose(event)
    unseal(fold, event, body.items)
    fold.free_choice()


def _sealed_before_request(fold: Fold, slots: Sequence[Slot]) -> bool:
    if fold.batch is None:
        return True
    return all(fold.slots.of(slot)[1].seq < fold.batch.seq for slot in slots)


def unseal(fold: Fold, event: Event, items: Sequence[record.Item]) -> None:
    """Check openings against their hashes, let the rules judge them, and apply them as one step."""
    if not items:
        raise Refused("E_OPENING", "nothing is opened")
    contents: list[tuple[Slot, Any]] = []
    order: Order | None = None
    for item in items:
        if item.content is None or item.salt is None:
            raise Refused("E_OPENING", f"{item.slot[:60]} lacks its content or salt", "format 1 has no defaults")
        sealing = fold.slots.check(event.seat, item.slot, item.content, item.salt)
        fold.enter(item.slot, item.content)
        contents.append((item.slot, item.content))
        if sealing.what == "choice" and fold.rules is not None:
            order = _opened_order(fold, sealing, item.content, len(items))
    if fold.rules is None:
        return
    what = fold.slots.of(items[0].slot)[0].what
    code = {"choice": "E_OPENED_ILLEGAL", "purse": "E_DECKFRAUD"}.get(what, "E_RULE")
    step = Opened(event.seat, tuple(contents), order)
    fold.judge(event, step, code)
    fold.step(event.seq, step)


def _opened_order(fold: Fold, sealing: sealed.Sealing, content: Any, many: int) -> Order:
    if many > 1:
        raise Refused("E_OPENING", "a choice is opened alone")
    try:
        return fold.order_of(sealing.kind, content)
    except Refused as error:
        raise Refused("E_OPENED_ILLEGAL", error.what) from None


# The audit -------------------------------------------------------------------------------------------------------


def disclose(fold: Fold, event: Event, body: record.Disclose) -> None:
    """One name's secret and what was never opened; after the last one everything is judged again.

    The game cannot be set back behind it: what was hidden is known now.
    """
    fold.check_no_window()
    fold.dice_first(event)
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
        fold.audit_all()


# Windows ---------------------------------------------------------------------------------------------------------


def play_on(fold: Fold, event: Event, body: record.PlayOn) -> None:
    """Let the window that is asked first lapse: its owner for good, anybody else until the owner answers."""
    fold.dice_first(event)
    first = fold.asks[0] if fold.asks else None
    if fold.rules is None:
        fold.free_choice()
        return
    if not isinstance(first, Ask) or not first.window:
        raise Refused("E_WINDOW", "no window is asked here")
    fold.check_batch(event)
    fold.check_nothing_due(event)
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
        fold.open_and_seal(event, body.opens or (), body.seals or ())
        return
    mine = [window for window in fold.windows if window.seat == event.seat and window.seq == body.at]
    if fold.since_handover or not mine:
        raise Refused("E_WINDOW", f"event {body.at} is no window that {event.seat} may answer now")
    window = mine[0]
    fold.state, fold.asks = copy.deepcopy(window.state), window.asks  # a fold that this one was forked from has it too
    fold.windows = [one for one in fold.windows if one.seq < body.at and one.seat != event.seat]
    _void_seals(fold, body.at)
    fold.tell(event.seq)(Note("core/react", {"seat": event.seat, "at": body.at}))
    fold.obey(event, fold.order_of(body.order, body.fields), body.opens or (), body.seals or ())


def waive(fold: Fold, event: Event, body: record.Waive) -> None:
    """Let a kind of the writer's own windows lapse by itself from now on, or ask again."""
    fold.dice_first(event)
    fold.check_batch(event)
    fold.check_nothing_due(event)
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
    fold.check_no_window()
    fold.dice_first(event)
    if len(fold.seats) > 2 and fold.batch_runs():
        raise Refused("E_BATCH", "dice were asked for and are not all out", "resign when they are")
    fold.check_nothing_due(event)


def _leave(fold: Fold, seq: int, seat: str) -> None:
    """A seat gives up: the rules say what that means."""
    fold.check_in_play(seat)
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
        fold.check_consents(event, body.consents or (), without=says.seat)
        fold.check_no_window()
        fold.dice_first(event)
    elif body.consents is not None:
        raise Refused("E_CONSENT", "carrying a resignation needs no consents")
    else:
        _check_leaving(fold, event)
    if not isinstance(says, record.ResignStatement | record.RekeyStatement):
        raise Refused("E_SAID", f"a statement of kind {says.kind!r} cannot be carried")
    fold.check_said(says, raw, bytes.fromhex(body.said.sig))
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
    fold.check_consents(event, body.consents)
    fold.check_no_window()
    fold.dice_first(event)
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
    fold.check_consents(event, body.consents)
    fold.dice_first(event)
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
    "note": note,
    "seal": seal,
    "open": open_,
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
"""Core kinds by name; `handover` and `resolve` are the fold's own."""
