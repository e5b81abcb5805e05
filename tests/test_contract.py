"""Every engine keeps the contract, and an engine that does not is found out."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from toy import Gamble, Heap, Take, Toy

from pbem import registry
from pbem.api import Ask, Grid, Illegal, Known, Note, Order, Outcome, Owes, Roll, Step, Tell, View, silent
from pbem.errors import Unreadable
from pbem.testing import ContractBroken, check_components, check_engine, check_names, play


@pytest.mark.parametrize("id", list(registry.engines()))
def test_every_engine_keeps_the_contract(id: str) -> None:
    check_engine(registry.engine(id), games=1, steps=120, looks=24)


def test_toy_keeps_the_contract() -> None:
    check_engine(Toy(), games=20)


def test_random_games_end_and_depend_on_the_seed_alone() -> None:
    toy = Toy()
    game, again = (play(toy, toy.scenarios()[0], seed=7) for _ in range(2))
    assert toy.outcome(game.state) is not None
    assert game.steps == again.steps
    assert len({len(play(toy, toy.scenarios()[0], seed=seed).steps) for seed in range(10)}) > 1


# --- engines with one fault each ---


class SilentEnd(Toy):
    """Waits for nothing although nobody has won."""

    def pending(self, s: Heap) -> tuple[Ask | Roll, ...]:
        return () if s.sticks < 3 else super().pending(s)


class Nothing(Toy):
    """Asks and offers nothing."""

    def offers(self, s: Heap, seat: str, known: Known) -> Iterator[Order]:
        return iter(())


class BadOffer(Toy):
    """Offers what it refuses."""

    def offers(self, s: Heap, seat: str, known: Known) -> Iterator[Order]:
        yield Take(number=3)


class BadSample(Toy):
    """Plays what it refuses."""

    def sample(self, s: Heap, ask: Ask, known: Known, rng: random.Random) -> Order:
        return Take(number=4)


class Misread(Toy):
    """Reads another number than was printed."""

    def read(self, s: Heap, seat: str, text: str, known: Known) -> tuple[Order, ...]:
        return (Take(number=1),)


class Unread(Toy):
    """Cannot read its own orders."""

    def read(self, s: Heap, seat: str, text: str, known: Known) -> tuple[Order, ...]:
        raise Unreadable("cannot read that")


class Moody(Toy):
    """Keeps a count outside the state."""

    count = 0

    def take(self, s: Heap, number: int, tell: Tell) -> None:
        self.count += 1
        super().take(s, max(1, number - self.count % 2), tell)


class Meddler(Toy):
    """Changes the position when asked."""

    def refuse(self, s: Heap, seat: str, order: Order, known: Known) -> Illegal | Owes | None:
        verdict = super().refuse(s, seat, order, known)
        s.sticks += verdict is not None
        return verdict


class Nameless(Toy):
    """Refuses without a clause."""

    def refuse(self, s: Heap, seat: str, order: Order, known: Known) -> Illegal | Owes | None:
        return Illegal("no", ()) if super().refuse(s, seat, order, known) else None


class Endless(Toy):
    """Says that two orders are enough."""

    bound = 2


class Unsorted(Toy):
    """Position lines as they come."""

    def position(self, s: Heap) -> Mapping[str, Sequence[str]]:
        return {name: list(reversed(lines)) for name, lines in super().position(s).items()}


class Forgetful(Toy):
    """Keeps whose turn it is out of the position."""

    def position(self, s: Heap) -> Mapping[str, Sequence[str]]:
        return {"heap": [str(s.sticks)]}


class Deaf(Toy):
    """Does not place what it shows."""

    def place(self, s: Heap, sections: Mapping[str, Sequence[str]]) -> None:
        return


class Wordless(Toy):
    """Tells what it has no words for."""

    words = {"took": "{seat} takes {number}"}  # noqa: RUF012


class WrongWords(Toy):
    """Has a sentence with an argument that nobody gives."""

    words = {"took": "{seat} takes {count}", "won": "{seat} wins"}  # noqa: RUF012


class Liar(Toy):
    """Cites dice that never fell."""

    def take(self, s: Heap, number: int, tell: Tell) -> None:
        super().take(s, number, tell)
        tell(Note("won", {"seat": s.seat}, (), "luck#9"))


class Crooked(Toy):
    """A table with a cell too few."""

    def picture(self, s: Heap, seat: str, known: Known) -> View:
        return View("Sticks", grids=(Grid("Heap", ("what", "number"), (("sticks",),)),))


class Blank(Toy):
    """A picture without a headline for one seat."""

    def picture(self, s: Heap, seat: str, known: Known) -> View:
        return View("" if seat == "blue" else "Sticks")


class Stranger(Toy):
    """Somebody wins who does not play."""

    def outcome(self, s: Heap) -> Outcome | None:
        return Outcome("green", "green wins") if s.won else None


class Loaded(Toy):
    """Draws more than there is."""

    def pending(self, s: Heap) -> tuple[Ask | Roll, ...]:
        waiting = super().pending(s)
        return tuple(Roll("luck", "5", draw=3, pool=("rain",)) if isinstance(one, Roll) else one for one in waiting)


class Unstemmed(Toy):
    """A label nobody can write."""

    def pending(self, s: Heap) -> tuple[Ask | Roll, ...]:
        waiting = super().pending(s)
        return tuple(Roll("bad luck", "5", dice=(6,)) if isinstance(one, Roll) else one for one in waiting)


class Unlisted(Toy):
    """Plays an order that it does not list."""

    orders = {"take": Take}  # noqa: RUF012


class NoEquality(Toy):
    """States that cannot be compared."""

    def setup(self, start: Any) -> Any:
        class Odd(Heap):
            __eq__ = object.__eq__
            __hash__ = None

        return Odd(super().setup(start).sticks)


class Deceiver(Toy):
    """Tells the listener something that the state then depends on."""

    def apply(self, s: Heap, step: Step, tell: Tell = silent) -> None:
        super().apply(s, step, tell)
        if tell is silent and s.won:
            s.seat = "nobody"


FAULTS = {
    SilentEnd: "until there is an outcome",
    Nothing: "offered nothing",
    BadOffer: 'offer "take 3" of',
    BadSample: 'sample "take 4" of red is refused',
    Misread: "is read as something else",
    Unread: "cannot be read",
    Moody: "same state and notes twice",
    Meddler: "questions change nothing",
    Nameless: "names no clause",
    Endless: "more orders than its bound of 2",
    Unsorted: "lines are sorted",
    Forgetful: "waits for something else",
    Deaf: "place gives another position in: heap",
    Wordless: "no words for the note won",
    WrongWords: "do not fit",
    Liar: "nothing rolled luck#9",
    Crooked: "every row has 2 cells",
    Blank: "the picture for blue has a headline",
    Stranger: "the winner 'green'",
    Loaded: "draws 3 of 1",
    Unstemmed: "'bad luck' is no stem",
    Unlisted: "is of a kind that the engine does not list",
    NoEquality: "states can be compared",
    Deceiver: "a second fold",
}


@pytest.mark.parametrize("broken", FAULTS, ids=lambda broken: broken.__name__)
def test_a_fault_is_found_and_told(broken: type[Toy]) -> None:
    with pytest.raises(ContractBroken) as told:
        check_engine(broken(), games=40)
    assert FAULTS[broken] in str(told.value)
    assert "toy, scenario seven, seed" in str(told.value)


class Note_(Take):  # noqa: N801
    """An order under a name of the core."""

    kind = "note"


class Boxes(Gamble):
    """An order with a field of the core."""

    boxes: int | None = None
    usage = "gamble [by WAY:how] [with BOXES]"
    slots = {**Gamble.slots, "BOXES": Take.slots["NUMBER"]}  # noqa: RUF012


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ({"orders": {"note": Note_}}, "an event of the core"),
        ({"orders": {"gamble": Boxes}}, "has a field boxes"),
        ({"orders": {"grab": Take}}, "list the order take as grab"),
        ({"id": "The Toy"}, "is not of the form"),
        ({"editions": (2, 1)}, "editions rise"),
        ({"bound": 0}, "bound"),
    ],
)
def test_names_that_the_core_cannot_use(names: dict[str, Any], told: str) -> None:
    with pytest.raises(ContractBroken, match=told):
        check_names(type("Misnamed", (Toy,), names)())


def test_rulings_must_be_sorted() -> None:
    class Shuffled(Toy):
        def rulings(self, edition: int) -> tuple[str, ...]:
            return ("R2 on", "R1 on")

    with pytest.raises(ContractBroken, match="rulings are sorted"):
        check_components(Shuffled())
