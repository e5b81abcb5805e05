"""The contract with hidden things: the toy keeps it, and every way of telling too much or asking wrongly is found."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import pytest
from toy_hidden import Boast, Counter, Declare, Den, Hide, Move, Pass, Play, Smugglers, Stock, in_order

from pbem.api import (
    Act,
    Ask,
    Commit,
    Illegal,
    Known,
    Lapsed,
    Note,
    Opened,
    Order,
    Owes,
    Roll,
    Sealed,
    Slot,
    Step,
    Tell,
    View,
    silent,
)
from pbem.errors import Unreadable
from pbem.testing import ContractBroken, check_engine, play


def test_the_toy_keeps_the_contract() -> None:
    check_engine(Smugglers(), games=6, looks=60)


def test_a_game_has_everything_that_can_be_hidden() -> None:
    toy = Smugglers()
    steps: list[Step] = []
    games = [play(toy, scenario, seed=seed, looks=0) for scenario in toy.scenarios() for seed in range(8)]
    for game in games:
        steps += game.steps
    seals = [step for step in steps if isinstance(step, Sealed)]
    assert {step.what for step in seals} == {"deck", "purse", "private", "choice"}
    assert any(step.replaces for step in seals)
    assert any(isinstance(step, Opened) and step.order for step in steps)
    assert any(isinstance(step, Lapsed) for step in steps)
    assert {type(act[1]) for game in games for act in game.judged if act} >= {Counter, Boast, Pass, Opened, Sealed}
    assert any(game.hidden.rolls for game in games)


def test_the_same_seed_gives_the_same_game() -> None:
    toy = Smugglers()
    game, again = (play(toy, toy.scenarios()[0], seed=3, looks=2) for _ in range(2))
    assert (game.steps, game.hidden) == (again.steps, again.hidden)


def test_no_more_looks_than_wanted() -> None:
    class Counting(Smugglers):
        pictures = 0

        def picture(self, s: Den, seat: str, known: Known) -> View:
            self.pictures += 1
            return super().picture(s, seat, known)

    few, many = Counting(), Counting()
    play(few, few.scenarios()[0], looks=0)
    play(many, many.scenarios()[0], looks=5)
    assert few.pictures < many.pictures


# --- engines that remember what they were told ---


class Remembers(Smugglers):
    """Keeps what any seat knew when it asked."""

    def __init__(self) -> None:
        self.heard: dict[Slot, Any] = {}

    def refuse(self, s: Den, seat: str, act: Act, known: Known) -> Illegal | Owes | None:
        self.heard.update(known)
        return super().refuse(s, seat, act, known)


class LeakyPicture(Remembers):
    """Shows everybody what it has heard."""

    def picture(self, s: Den, seat: str, known: Known) -> View:
        return super().picture(s, seat, {**self.heard, **known})


class LeakyOrder(Remembers):
    """Shows hands in the order of the cards in them."""

    def picture(self, s: Den, seat: str, known: Known) -> View:
        view = super().picture(s, seat, known)
        hands = [sorted(hand, key=lambda slot: str(self.heard.get(slot))) for hand in s.hands.values()]
        return replace(view, facts=(("hands", repr(hands)),))


class LeakyError(Remembers):
    """Says in a refusal what lies in a slot."""

    def refuse(self, s: Den, seat: str, act: Act, known: Known) -> Illegal | Owes | None:
        verdict = super().refuse(s, seat, act, known)
        if isinstance(verdict, Illegal) and isinstance(act, Play):
            return replace(verdict, why=f"{verdict.why}: {self.heard.get(act.card)}")
        return verdict


class LeakyHint(Remembers):
    """Says in a hint which cards the other seat holds."""

    def read(self, s: Den, seat: str, text: str, known: Known) -> tuple[Order, ...]:
        try:
            return super().read(s, seat, text, known)
        except Unreadable as bad:
            held = [str(self.heard.get(slot)) for hand in s.hands.values() for slot in hand]
            raise Unreadable(str(bad), ", ".join(sorted(held))) from None


class LeakyOffers(Remembers):
    """Recommends the guess by what it has heard."""

    def ideas(self, s: Den, seat: str, known: Known) -> Iterator[Order]:
        ideas = super().ideas(s, seat, known)
        if s.tasks and s.tasks[0][0] == "guess":
            return iter(sorted(ideas, key=lambda order: order.body() != self.heard.get(s.hidden)))
        return ideas


class LeakyPosition(Remembers):
    """Puts the cards of all hands into the position."""

    def position(self, s: Den) -> Mapping[str, Sequence[str]]:
        held = sorted(str(self.heard.get(slot, "-")) for hand in s.hands.values() for slot in hand)
        return {**super().position(s), "held": held}

    def place(self, s: Den, sections: Mapping[str, Sequence[str]]) -> None:
        super().place(s, {name: lines for name, lines in sections.items() if name != "held"})


class LeakyNote(Remembers):
    """Tells who moved."""

    def on_move(self, s: Den, seat: str, order: Move, tell: Tell) -> None:
        super().on_move(s, seat, order, tell)
        tell(Note("moved", {"seat": seat, "place": str(self.heard.get(order.man))}, ("6",)))


class Peeks(Remembers):
    """A window only for seats with a high card."""

    def pending(self, s: Den) -> tuple[Ask | Roll, ...]:
        waiting = super().pending(s)
        if s.tasks and s.tasks[0][0] == "react" and "ace" in map(self.heard.get, s.hands[s.tasks[0][1]]):
            return (*waiting, Ask(s.tasks[0][1], "act", "4"))
        return waiting


class ApplyReads(Remembers):
    """Lets only spies move."""

    def on_move(self, s: Den, seat: str, order: Move, tell: Tell) -> None:
        if self.heard.get(order.man) == "spy":
            s.men[order.man] = order.place
        self.done(s)


# --- engines that tell too much by what a seat writes ---


class FirstOfItsKind(Smugglers):
    """Takes equal men of one place for the same man, and writes the first of them."""

    def same(self, s: Den, man: Slot, known: Known) -> Slot:
        alike = [one for one in s.men if known.get(one) == known.get(man) and s.men[one] == s.men[man]]
        return in_order(one for one in alike if one.partition("/")[0] == man.partition("/")[0])[0]

    def ideas(self, s: Den, seat: str, known: Known) -> Iterator[Order]:
        return (order for order in super().ideas(s, seat, known) if self.first(s, order, known) == order)

    def first(self, s: Den, order: Order, known: Known) -> Order:
        if isinstance(order, Move) and order.man in known and order.man in s.men:
            return order.model_copy(update={"man": self.same(s, order.man, known)})
        return order

    def read(self, s: Den, seat: str, text: str, known: Known) -> tuple[Order, ...]:
        return tuple(self.first(s, order, known) for order in super().read(s, seat, text, known))


class MoveAs(Move):
    usage: ClassVar[str] = "move MAN to PLACE as WHO"
    slots: ClassVar[Mapping[str, Any]] = {**Move.slots, "WHO": Move.slots["PLACE"]}
    who: str


class NamesWho(Smugglers):
    """Says in every move who it is that moves."""

    orders: Mapping[str, type[Order]] = {**Smugglers.orders, "move": MoveAs}

    def ideas(self, s: Den, seat: str, known: Known) -> Iterator[Order]:
        for order in super().ideas(s, seat, known):
            if isinstance(order, Move):
                yield MoveAs(man=order.man, place=order.place, who=str(known.get(order.man)))
            else:
                yield order

    def read(self, s: Den, seat: str, text: str, known: Known) -> tuple[Order, ...]:
        if text.startswith("move") and " as " in text:
            found = super().read(s, seat, text.partition(" as ")[0], known)
            who = text.partition(" as ")[2]
            return tuple(MoveAs(**order.body(), who=who) for order in found)
        return super().read(s, seat, text, known)

    def phrase(self, s: Den, seat: str, order: Order, known: Known) -> str:
        if isinstance(order, MoveAs):
            return f"move {order.man} to {order.place} as {order.who}"
        return super().phrase(s, seat, order, known)


NamesWho.orders["move"].__str__ = lambda self: f"move {self.man} to {self.place} as {self.who}"  # type: ignore


# --- engines that judge wrongly ---


class Strict(Smugglers):
    """Refuses what it cannot see, instead of letting it be owed."""

    def refuse_move(self, s: Den, seat: str, order: Move, known: Known) -> Illegal | Owes | None:
        verdict = super().refuse_move(s, seat, order, known)
        return Illegal(verdict.fact, ("6",)) if isinstance(verdict, Owes) else verdict


class OpensNothing(Smugglers):
    """Forgets which orders open something."""

    def opens(self, s: Den, seat: str, order: Order, known: Known) -> tuple[Slot, ...]:
        return ()


class OpensTwice(Smugglers):
    """Opens what is open already."""

    def opens(self, s: Den, seat: str, order: Order, known: Known) -> tuple[Slot, ...]:
        return (order.card,) if isinstance(order, Play) else super().opens(s, seat, order, known)


class OpensOthers(Smugglers):
    """Opens a slot of another seat."""

    def opens(self, s: Den, seat: str, order: Order, known: Known) -> tuple[Slot, ...]:
        mine = super().opens(s, seat, order, known)
        return tuple(slot.replace("red-", "blue-") for slot in mine) if isinstance(order, Play) else mine


class FoundLate(Smugglers):
    """Finds out in the audit alone that the crown was held."""

    def refuse_pass(self, s: Den, seat: str, order: Pass, known: Known) -> Illegal | Owes | None:
        if len({slot.partition("-")[0] for slot in known if "-men/1" in slot and slot not in s.faces}) > 1:
            return super().refuse_pass(s, seat, order, known)
        return Owes("no crown")


class OwedForEver(Smugglers):
    """Never takes a proof for one."""

    def refuse_pass(self, s: Den, seat: str, order: Pass, known: Known) -> Illegal | Owes | None:
        verdict = super().refuse_pass(s, seat, order, known)
        return verdict or Owes("no crown")


class Mixes(Smugglers):
    """Lets hand and pile be sealed anew together, which exchanges cards."""

    def refuse_seal(self, s: Den, seat: str, act: Sealed) -> Illegal | None:
        return None if act.name.endswith("cards") else super().refuse_seal(s, seat, act)


class Forgets(Smugglers):
    """Takes no notice of slots sealed anew."""

    def sealed_anew(self, s: Den, step: Sealed) -> None:
        return


class NoSlots(Smugglers):
    """Draws from slots that nobody sealed."""

    def pending(self, s: Den) -> tuple[Ask | Roll, ...]:
        return tuple(
            replace(one, pool=tuple(f"{slot}0" for slot in one.pool)) if isinstance(one, Roll) and one.draw else one
            for one in super().pending(s)
        )


class WrongDeck(Smugglers):
    """Seals more slots than there are cards."""

    def pending(self, s: Den) -> tuple[Ask | Roll, ...]:
        waiting = super().pending(s)
        if isinstance(waiting[0], Ask) and isinstance(waiting[0].client, Commit) if waiting else False:
            commit = waiting[0].client  # type: ignore[union-attr]
            return (replace(waiting[0], client=replace(commit, count=commit.count + 1)),)  # type: ignore
        return waiting


class OldSlots(Smugglers):
    """Deals a new epoch from slots of an old one."""

    def sealed(self, s: Den, step: Sealed, tell: Tell) -> None:
        super().sealed(s, step, tell)
        if step.replaces and s.tasks and s.tasks[0][0] == "draw":
            s.tasks.insert(0, ("reshuffle", step.seat, *step.replaces))


class Overfull(Smugglers):
    """Fills a cup with more chits than it has slots."""

    def refuse_stock(self, s: Den, seat: str, order: Stock, known: Known) -> Illegal | None:
        return None

    def sample(self, s: Den, ask: Ask, known: Known, rng: random.Random) -> Order:
        order = super().sample(s, ask, known, rng)
        return Stock(chits=(*order.chits, "lead")) if isinstance(order, Stock) else order


class NoClaim(Smugglers):
    """Wants a claim that it does not offer."""

    def ideas(self, s: Den, seat: str, known: Known) -> Iterator[Order]:
        return (order for order in super().ideas(s, seat, known) if not isinstance(order, Declare))


class BadChoice(Smugglers):
    """Seals a choice that it refuses when it is opened."""

    def refuse_opening(self, s: Den, seat: str, act: Opened, known: Known) -> Illegal | None:
        if isinstance(act.order, Hide) and act.order.place == "hill":
            return Illegal("nothing is hidden on the hill", ("2",))
        return super().refuse_opening(s, seat, act, known)


class NoOrder(Smugglers):
    """Wants an order sealed that there is not."""

    def pending(self, s: Den) -> tuple[Ask | Roll, ...]:
        waiting = super().pending(s)
        return tuple(replace(one, sealed="hid") if isinstance(one, Ask) and one.secret else one for one in waiting)


class TwoThings(Smugglers):
    """Asks for a secret choice at a window."""

    def pending(self, s: Den) -> tuple[Ask | Roll, ...]:
        waiting = super().pending(s)
        return tuple(replace(one, window="hide") if isinstance(one, Ask) and one.secret else one for one in waiting)


class Unphrased(Smugglers):
    """Writes cards by names that it does not read."""

    def phrase(self, s: Den, seat: str, order: Order, known: Known) -> str:
        return super().phrase(s, seat, order, known).replace("ace", "the ace")


FAULTS: Mapping[type[Smugglers], str] = {
    LeakyPicture: "the picture for the public says",
    LeakyOrder: "picture tells",
    LeakyError: "by red tells the public what it cannot know: Illegal",
    LeakyHint: 'read of "counter crown" by red tells the public what it cannot know',
    LeakyOffers: "offers tells",
    LeakyPosition: "a public line says crown, which is in a closed slot",
    LeakyNote: "a public line says dummy, which is in a closed slot",
    Peeks: "pending ",
    ApplyReads: "apply gives the same state and notes twice",
    FirstOfItsKind: "tells what is in its slots",
    NamesWho: "which is in a closed slot, and owes nothing",
    Strict: "is refused in public: Illegal",
    OpensNothing: "must be opened",
    OpensTwice: "opens again what is open",
    OpensOthers: "is not red's to open",
    FoundLate: "the audit refuses what was accepted, ",
    OwedForEver: "with everything known it is still owed, ",
    Mixes: "slots of different places may be sealed anew together",
    Forgets: "although they were sealed anew",
    NoSlots: "which is not sealed",
    WrongDeck: "has 5 slots and a composition of 4",
    OldSlots: "cannot be replaced in",
    Overfull: "fills 5 slots, stock wants 4",
    NoClaim: "must claim by declare and is offered none",
    BadChoice: "opens t",
    NoOrder: "wants 'hid', which is no order",
    TwoThings: "hide is one of",
    Unphrased: 'the ace" cannot be read',
}


@pytest.mark.parametrize("broken", FAULTS, ids=lambda broken: broken.__name__)
def test_a_fault_is_found_and_told(broken: type[Smugglers]) -> None:
    with pytest.raises(ContractBroken) as told:
        check_engine(broken(), games=20)
    assert FAULTS[broken] in str(told.value)
    assert "smugglers, scenario duel, seed" in str(told.value)


def test_words_that_are_public_too_may_be_said() -> None:
    class Gossip(Smugglers):
        """Says in public, of every move, that it may have been a spy or a dummy."""

        def on_move(self, s: Den, seat: str, order: Move, tell: Tell = silent) -> None:
            super().on_move(s, seat, order, tell)
            tell(Note("moved", {"seat": seat, "place": "somewhere, spy or dummy"}, ("6",)))

    with pytest.raises(ContractBroken, match="which is in a closed slot"):
        check_engine(Gossip(), games=3)
    check_engine(Gossip(), games=2, looks=4, open_words=("spy", "dummy"))
