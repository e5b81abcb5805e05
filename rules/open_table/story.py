"""What is told and not judged: moves, records, and public numbers (OT-3, OT-4)."""

from __future__ import annotations

from pbem.api import Illegal, Note, Tell
from pbem.canon import check_text
from pbem.errors import Refused
from rules.open_table.orders import MAX_NAME, MAX_TALLY, MAX_TEXT, NAME, Move, Record, Tally
from rules.open_table.state import LATEST, Said, State

MAX_TALLIES = 50  # [OT-4.2]


def refuse_text(what: str, text: str, limit: int) -> Illegal | None:
    """Why a player's words cannot stand in the log."""
    if len(text) > limit:
        return Illegal(f"{what} has {len(text):,} characters: at most {limit:,}", ("OT-3.3",))
    if not text or text != text.lstrip(": ").rstrip(" "):
        return Illegal(f"{what} is empty, begins with a blank or colon, or ends with a blank", ("OT-3.3",))
    try:
        check_text(text)
    except Refused as bad:
        return Illegal(f"{what}: {bad.what}", ("OT-3.3",), bad.hint)
    return None


def refuse_words(state: State, order: Move | Record) -> Illegal | None:
    return refuse_text("the text", order.text, MAX_TEXT)  # [OT-3.1] [OT-3.2] nothing else is judged


def move(state: State, seat: str, order: Move, tell: Tell) -> None:
    remember(state, Said(seat, state.turn, "move", order.text))
    tell(Note("move", {"seat": seat, "text": order.text}, ("OT-3.1",)))


def record(state: State, seat: str, order: Record, tell: Tell) -> None:
    remember(state, Said(seat, state.turn, "record", order.text))
    tell(Note("record", {"seat": seat, "text": order.text}, ("OT-3.2",)))


def remember(state: State, said: Said) -> None:
    state.said.append(said)
    del state.said[:-LATEST]


def refuse_tally(state: State, order: Tally) -> Illegal | None:
    if not NAME.match(order.name):
        why = f"the name is not one word of up to {MAX_NAME} letters and digits"
        return Illegal(why, ("OT-4.1",), "such as red-vp")
    if not -MAX_TALLY <= order.number <= MAX_TALLY:
        return Illegal(f"{order.number} is too far from 0: at most {MAX_TALLY:,}", ("OT-4.1",))
    if order.name not in state.tallies and len(state.tallies) >= MAX_TALLIES:
        return Illegal(f"{MAX_TALLIES} tallies are kept already", ("OT-4.2",), "use one of them again")
    return None


def tally(state: State, seat: str, order: Tally, tell: Tell) -> None:
    before = state.tallies.get(order.name)
    state.tallies[order.name] = order.number
    args: dict[str, str | int] = {"seat": seat, "name": order.name, "number": order.number}
    if before is None:
        tell(Note("new_tally", args, ("OT-4.1",)))
    else:
        tell(Note("tally", args | {"before": before}, ("OT-4.1",)))
