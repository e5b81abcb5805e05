"""The order of play: who acts, passing, new turns, leaving the table, and the end (OT-1, OT-5)."""

from __future__ import annotations

from pbem.api import Illegal, Note, Outcome, Tell
from rules.open_table.orders import NewTurn, Pass
from rules.open_table.state import Agreement, State

BOUND = 20_000  # [OT-5.4]


def not_now(state: State, seat: str) -> Illegal | None:
    """Why the seat may order nothing at all now."""
    if state.outcome is not None:
        return Illegal("the game is over", state.outcome.clauses)
    if seat != state.to_act:
        return Illegal(f"it is the turn of {state.to_act}, not of {seat}", ("OT-1.1",))
    return None


# --- passing ---


def others(state: State) -> list[str]:
    """The seats that the turn can be passed to in declared order."""
    return [seat for seat in state.in_play() if seat != state.to_act]


def refuse_pass(state: State, order: Pass) -> Illegal | None:
    if not state.agreed.declared:
        if order.to is None:
            return None
        return Illegal("the order of play is fixed: a pass names nobody", ("OT-1.2",), 'write "pass"')
    there = others(state)
    choices = " or ".join(f'"pass to {seat}"' for seat in there)
    if order.to is None and len(there) > 1:
        return Illegal("the order of play is declared: say who acts next", ("OT-1.4",), f"write {choices}")
    if order.to is not None and order.to not in there:
        return Illegal(f"{order.to} is not another seat in play", ("OT-1.4",), f"write {choices}")
    return None


def pass_on(state: State, seat: str, order: Pass, tell: Tell) -> None:
    if state.agreed.declared:
        follower, turn = order.to or others(state)[0], state.turn
    else:
        follower, turn = after(state)
    if follower != seat:
        tell(Note("pass", {"seat": seat, "next": follower}, ("OT-1.4" if state.agreed.declared else "OT-1.2",)))
    hand_to(state, follower, turn, tell)


def after(state: State) -> tuple[str, int]:
    """Who acts after the seat to act where the order is fixed, and in which turn."""
    way = direction(state, state.turn)
    for seat in way[way.index(state.to_act) + 1 :]:
        if seat not in state.out:
            return seat, state.turn
    return next(seat for seat in direction(state, state.turn + 1) if seat not in state.out), state.turn + 1


def direction(state: State, turn: int) -> tuple[str, ...]:
    """All seats in the order in which they act in a turn."""
    backwards = state.agreed.snake and turn % 2 == 0  # [OT-1.3]
    return state.seats[::-1] if backwards else state.seats


def hand_to(state: State, seat: str, turn: int, tell: Tell) -> None:
    state.to_act = seat
    if turn != state.turn:
        begin_turn(state, turn, tell)


# --- turns ---


def refuse_new_turn(state: State, order: NewTurn) -> Illegal | None:
    if state.agreed.declared:
        return None
    return Illegal("the order of play is fixed: turns begin by themselves", ("OT-1.5",), 'write "pass"')


def new_turn(state: State, seat: str, order: NewTurn, tell: Tell) -> None:
    begin_turn(state, state.turn + 1, tell)


def begin_turn(state: State, turn: int, tell: Tell) -> None:
    """Count the turn; what was said and rolled before the last turn goes out of view."""
    state.turn = turn
    state.fallen = [one for one in state.fallen if one.throw.turn >= turn - 1]
    state.said = [one for one in state.said if one.turn >= turn - 1]
    if state.agreed.turns and turn == state.agreed.turns + 1:
        tell(Note("last_turn", {"turns": state.agreed.turns}, ("OT-1.6",)))
    tell(Note("turn", {"turn": turn, "seat": state.to_act}, ("OT-1.5",), anchor=f"T{turn}"))


def amend(state: State, agreed: Agreement, tell: Tell) -> None:
    state.agreed = agreed
    tell(Note("amend", {"order": order_of_play(state)}))


def order_of_play(state: State) -> str:
    """How the turn goes round, in words."""
    seats = ", ".join(state.in_play())
    if len(state.seats) == 1:
        return seats
    if state.agreed.declared:
        return f"{seats}; who passes names the next"
    return f"{seats}; back and forth" if state.agreed.snake else f"{seats}; round and round"


# --- leaving, and the end ---


def leave(state: State, seat: str, tell: Tell) -> None:
    if state.outcome is not None or seat in state.out:
        return
    state.out.add(seat)
    state.waiting = [throw for throw in state.waiting if throw.seat != seat]  # [OT-5.2]
    settle(state, tell)
    if state.outcome is not None:
        return
    tell(Note("leave", {"seat": seat}, ("OT-5.2",)))
    if seat == state.to_act:
        inherit(state, tell)


def inherit(state: State, tell: Tell) -> None:
    """The seat to act has left: somebody else acts."""
    follower, turn = after(state)
    tell(Note("inherit", {"next": follower}, ("OT-5.2",)))
    hand_to(state, follower, state.turn if state.agreed.declared else turn, tell)


def settle(state: State, tell: Tell) -> None:
    """Set and tell the result, where there is one."""
    outcome = state.outcome = result_of(state)
    if outcome is None:
        return
    state.waiting.clear()
    tell(Note("over", {"result": outcome.words}, outcome.clauses))


def result_of(state: State) -> Outcome | None:
    """The result by what the position shows, None while the game goes on."""
    left = state.in_play()
    if not left:
        return Outcome("", "the player ends it", ("OT-5.3",))  # [OT-5.3]
    if len(left) == 1 < len(state.seats):
        return Outcome(left[0], f"{left[0]} wins, the last at the table", ("OT-5.1",))  # [OT-5.1]
    if state.orders >= BOUND:
        return Outcome("", f"drawn, for the log is full after {BOUND:,} orders", ("OT-5.4",))
    return None
