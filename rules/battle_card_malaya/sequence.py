"""The sequence of play: five steps a turn, again and again until the game ends. [BC-3.0]

A step in which nothing can be chosen and nothing must be rolled passes by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.api import Amended, Ask, Illegal, Note, Order, Ordered, Resigned, Roll, Rolled, Tell
from pbem.api import Step as GameStep
from rules.battle_card_malaya import advance, air, battle, victory, withdrawal
from rules.battle_card_malaya.orders import Air, Counterattack, Defend, NoWithdrawal, OrderOfBattles, Withdraw
from rules.battle_card_malaya.state import ALLIES, State, Step

STEPS: tuple[Step, ...] = (
    "withdrawal",  # 1, chapter withdrawal
    "advance",  # 2, chapter advance
    "battle",  # 3, chapter battle
    "air",  # 4, chapter air
    "turn",  # 5, below
)


def enter(s: State, tell: Tell) -> None:
    """What happens by itself when a step begins."""
    if s.step == "withdrawal":
        withdrawal.begin(s)
    elif s.step == "advance":
        advance.advance(s, tell)
    elif s.step == "battle":
        battle.begin(s, tell)
    elif s.step == "turn":
        advance_turn(s, tell)


def advance_turn(s: State, tell: Tell) -> None:
    """Step 5: the turn die goes one up [BC-3.5], unless it shows its last face [BC-4.4]."""
    if s.turn == s.card.turns:
        victory.out_of_time(s, tell)
        return
    s.turn += 1
    tell(Note("turn", {"turn": s.turn, "turns": s.card.turns}, ("BC-3.5",), anchor=f"T{s.turn}"))


def pending(s: State) -> tuple[Ask | Roll, ...]:
    """What the step waits for."""
    if s.result is not None:
        return ()
    if s.step == "withdrawal":
        return withdrawal.waits(s)
    if s.step == "battle":
        return battle.waits(s)
    if s.step == "air":
        return air.waits(s)
    return ()


def offers(s: State) -> Iterator[Order]:
    """The orders of the step, for a menu."""
    if not any(isinstance(due, Ask) for due in pending(s)):
        return iter(())
    return {"withdrawal": withdrawal.offers, "battle": battle.offers, "air": air.offers}[s.step](s)


STEP_OF: Mapping[type[Order], Step] = {
    Withdraw: "withdrawal",
    NoWithdrawal: "withdrawal",
    Counterattack: "battle",
    Defend: "battle",
    OrderOfBattles: "battle",
    Air: "air",
}


def refuse(s: State, seat: str, order: Order) -> Illegal | None:
    """Why this order may not be given now: the wrong step, or what its chapter says."""
    if seat != ALLIES:
        return Illegal("only the Allied side gives orders; the Japanese move by rule", ("R1",))
    if isinstance(order, Air) and s.card.air_base not in s.allied:
        return air.refuse(s, order)
    if not any(isinstance(due, Ask) for due in pending(s)):
        return Illegal("nothing is to be decided now", ("BC-3.0",), "a die is due, or the game is over")
    if s.step != STEP_OF[type(order)]:
        return out_of_step(s, order)
    if isinstance(order, Withdraw):
        return withdrawal.refuse(s, order)
    if isinstance(order, Counterattack | Defend):
        return battle.refuse(s, order)
    if isinstance(order, OrderOfBattles):
        return battle.refuse_order(s, order)
    if isinstance(order, Air):
        return air.refuse(s, order)
    return None


def out_of_step(s: State, order: Order) -> Illegal:
    """The steps stand in their order; a second withdrawal is refused as such as well."""
    why = f"that belongs to step {1 + STEPS.index(STEP_OF[type(order)])}; this is step {1 + STEPS.index(s.step)}"
    hint = "legal now: " + "; ".join(str(offer) for offer in offers(s))
    if isinstance(order, Withdraw) and any(move.who == ALLIES for move in s.moved):
        return Illegal("one unit has withdrawn this turn already", ("BC-3.1.1", "BC-3.0"), hint)
    return Illegal(why, ("BC-3.0",), hint)


def apply(s: State, step: GameStep, tell: Tell) -> None:
    """Carry out what was ordered or rolled, then go on to the next thing that is asked."""
    match step:
        case Ordered(order=order):
            carry_out(s, order, tell)
        case Rolled(label=label, values=(int(die),)):
            battle.fight(s, die, label, tell)
        case Resigned():
            victory.resign(s, tell)
        case Amended(options=options):
            s.options = {**s.options, **options}
            return
        case _:
            raise ValueError(f"no step of this game: {step}")
    if done(s):
        proceed(s, tell)


def carry_out(s: State, order: Order, tell: Tell) -> None:
    """Hand the order to its chapter."""
    if s.turn == 1 and s.step == "withdrawal":  # set-up has no listener: turn 1 is announced with its first order
        tell(Note("turn", {"turn": 1, "turns": s.card.turns}, ("BC-2.7",), anchor="T1"))
    match order:
        case NoWithdrawal():
            withdrawal.stay(s, tell)
        case Withdraw():
            withdrawal.withdraw(s, order, tell)
        case Counterattack() | Defend():
            battle.choose(s, order, tell)
        case OrderOfBattles():
            battle.set_order(s, order, tell)
        case Air():
            air.strike(s, order, tell)


def done(s: State) -> bool:
    """Steps 1 and 4 take one order; step 3 lasts while battles are left."""
    return s.step != "battle" or not s.battles


def proceed(s: State, tell: Tell) -> None:
    """The next step, and those after it, until something is pending or the game is over."""
    while s.result is None:
        s.step = STEPS[(STEPS.index(s.step) + 1) % len(STEPS)]
        enter(s, tell)
        if pending(s):
            return
