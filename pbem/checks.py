"""What several kinds of events check before they do anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem import chance
from pbem.api import Commit, Roll
from pbem.errors import Refused
from pbem.record import Event

if TYPE_CHECKING:
    from pbem.replay import Fold


def dice_first(fold: Fold, event: Event) -> None:
    """Under open dice with two seats: event 1 is a bare handover, and due dice fall before anything else.

    Behind an unanswered window they wait, and the packet ends.
    """
    if not fold.open_pair:
        return
    if event.seq == 1 and event.kind != "handover":
        raise Refused("E_BATCH", "under open dice event 1 is a bare handover, for its link")
    first = fold.asks[0] if fold.asks else None
    due = isinstance(first, Roll) and fold.batch is not None and not fold.windows and not chance.late(fold, first)
    if event.kind not in ("resolve", "react") and due:
        raise Refused("E_BATCH", "dice come first", "resolve the batch of this period")


def no_batch(fold: Fold, event: Event) -> None:
    """Nobody chooses between the request of dice and the last roll they feed (`E_BATCH`)."""
    if not fold.open_pair and fold.batch_runs():
        raise Refused("E_BATCH", "dice were asked for and are not all out", "nothing can be chosen until they are")


def nothing_due(fold: Fold, event: Event) -> None:
    """What the core asks ahead of everything is done first (`E_DUE`)."""
    if not fold.core_due:
        return
    first = fold.core_due[0]
    commit = first.client
    if isinstance(commit, Commit) and (event.kind, event.seat) == ("seal", first.seat):
        wanted = (f"{first.seat}-{commit.name}", list(commit.replaces))
        if (event.body.get("name"), event.body.get("from")) == wanted:
            return
    what = f"seal {first.seat}-{commit.name} anew" if isinstance(commit, Commit) else "make a new dice chain"
    raise Refused("E_DUE", f"{first.seat} must {what} first, since an undo or another player came")


def may_choose(fold: Fold, event: Event) -> None:
    """A free choice is possible now: no dice under way, nothing due first."""
    no_batch(fold, event)
    nothing_due(fold, event)


def no_window(fold: Fold) -> None:
    """Nothing is learned or ended behind an unanswered window (`E_WINDOW`)."""
    if fold.windows:
        window = fold.windows[0]
        raise Refused(
            "E_WINDOW",
            f"{window.seat} has not answered the window of event {window.seq} yet",
            "hand over first: `pbem send FILE`; this comes when it is answered",
        )


def in_play(fold: Fold, seat: str) -> None:
    """The game goes on, with this seat in it (`E_RULE`)."""
    if fold.rules is not None and not fold.engine_waits():
        raise Refused("E_RULE", "the game is over already")
    if seat not in fold.in_game:
        raise Refused("E_RULE", f"{seat} has left already")
