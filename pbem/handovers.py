"""The handover: it closes a packet, says what the position is and who owes what, and passes the baton."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem import batches, beacon, checks, record
from pbem.api import Ask
from pbem.errors import Refused
from pbem.record import Event

if TYPE_CHECKING:
    from pbem.replay import Fold


def handover(fold: Fold, event: Event, body: record.Handover) -> None:
    """The position digest, the count, what is owed and who is next; then the baton passes."""
    checks.dice_first(fold, event)
    if fold.windows and body.batch is not None and not fold.open_pair:
        checks.no_window(fold)
    if fold.rules is not None:
        _check_handover(fold, event, body)
    elif body.count != fold.since_handover + 1:
        raise Refused("E_OWED", f"count is {body.count}, events in the packet are {fold.since_handover + 1}")
    if body.next is not None and fold.solitaire and fold.policy == "open":
        raise Refused("E_NEXT", "a solitaire game under open dice has one handover, when it is over")
    batches.request(fold, event, body)
    fold.since_handover = 0
    fold.handed[event.seat] = event.seq
    fold.handed_at = body.at or 0
    if body.next is None:
        fold.closed, fold.holder = True, ""
    else:
        fold.holder = body.next
    if fold.auditing():
        fold.look()


def _check_handover(fold: Fold, event: Event, body: record.Handover) -> None:
    if not fold.open_pair and fold.batch is not None and fold.batch.seed is None:
        raise Refused("E_BATCH", f"batch {fold.batch.number} is not resolved yet")
    state = body.state if fold.checked else fold.digest()
    if body.state != state:
        raise Refused("E_STATE", f"position digest {body.state[:16]}, here {state[:16]}")
    _check_owed(fold, body)
    if fold.windows:
        if body.next != fold.windows[0].seat:
            raise Refused("E_NEXT", f"{fold.windows[0].seat} must answer a window first")
        return
    _check_next(fold, event, body)


def _check_owed(fold: Fold, body: record.Handover) -> None:
    if body.count != fold.since_handover + 1:
        raise Refused("E_OWED", f"count is {body.count}, events in the packet are {fold.since_handover + 1}")
    owed = fold.owed()
    if body.owed != owed:
        raise Refused("E_OWED", f"owed is {list(body.owed)}, the position owes {list(owed)}")
    wants = bool(fold.asks) if fold.open_pair else owed == ("dice",)
    what, given = ("beacon round", body.beacon) if fold.policy == beacon.NAME else ("link", body.link)
    if (given is not None) != wants or (body.batch is not None) != wants:
        raise Refused("E_OWED", f"batch and {what} must {'' if wants else 'not '}be there")


def _check_next(fold: Fold, event: Event, body: record.Handover) -> None:
    if not fold.asks:
        if body.next is not None:
            raise Refused("E_NEXT", "nothing is owed, so nobody is next")
        return
    if body.next is None:
        raise Refused("E_NEXT", "somebody must be next: the game is not over")
    if fold.open_pair:
        if body.next == event.seat:
            raise Refused("E_NEXT", "under open dice the baton goes to the other seat")
    elif body.owed == ("dice",):
        if body.next not in fold.in_game:
            raise Refused("E_NEXT", f"{body.next} is not in the game")
        return
    first = fold.asks[0]
    asked = first.seat if isinstance(first, Ask) else body.next
    if asked == event.seat:
        raise Refused("E_NEXT", f"{event.seat} is asked first and may not hand over")
    if body.next != asked:
        raise Refused("E_NEXT", f"{asked} is asked next, not {body.next}")
