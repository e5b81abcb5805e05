"""The order grammar: reading and printing are inverse, and whatever is typed gets an order or a polite answer."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.api import Many, Order
from pbem.canon import check_text
from pbem.errors import Refused, Unreadable
from rules.kit.orders import (
    Choice,
    Dice,
    Grammar,
    Met,
    Names,
    Number,
    Reader,
    Text,
    Words,
    WrittenOrder,
    help_lines,
    quote,
    usage_line,
    words_of,
)

PLACES = {
    "Jitra": "jitra",
    "Kuala Lumpur": "kl",
    "Kuala Kubu": "kubu",
    "Kota Bharu": "kota-bharu",
    "St. John, North": "north",
}
PLACE = Names(PLACES, prefixes=True)


class Withdraw(WrittenOrder):
    kind = "withdraw"
    usage = "withdraw [from] PLACE [to PLACE:to]"
    about = "one unit goes back"
    slots: ClassVar[Mapping[str, Any]] = {"PLACE": PLACE}
    place: str
    to: str | None = None


class Stay(WrittenOrder):
    kind = "stay"
    usage = "no withdrawal"
    also = ("stay",)


class Fight(WrittenOrder):
    kind = "fight"
    usage = "HOW PLACE"
    slots: ClassVar[Mapping[str, Any]] = {"HOW": Choice("counterattack", "defend"), "PLACE": PLACE}
    how: str
    place: str


class Battles(WrittenOrder):
    kind = "battles"
    usage = "order {PLACE:places}"
    slots: ClassVar[Mapping[str, Any]] = {"PLACE": PLACE}
    places: Many[str]


class Split(WrittenOrder):
    kind = "split"
    usage = "split {NUMBER:numbers to PLACE:places} [: TEXT:why]"
    slots: ClassVar[Mapping[str, Any]] = {"NUMBER": Number(-3, 12), "PLACE": PLACE, "TEXT": Text(40)}
    numbers: Many[int]
    places: Many[str]
    why: str | None = None


class Roll(WrittenOrder):
    kind = "roll"
    usage = "roll DICE [for TEXT:purpose]"
    slots: ClassVar[Mapping[str, Any]] = {"DICE": Dice(), "TEXT": Text(200)}
    dice: Many[int]
    purpose: str | None = None


class Plan(WrittenOrder):
    kind = "plan"
    usage = "plan PLACE RULE:rules ... END"
    slots: ClassVar[Mapping[str, Any]] = {"PLACE": PLACE, "RULE": Text(80)}
    place: str
    rules: Many[str]


CLASSES = (Withdraw, Stay, Fight, Battles, Split, Roll, Plan)
READER = Reader(CLASSES)


def one(text: str) -> WrittenOrder:
    """The only meaning of a text."""
    (order,) = READER.read(text)
    assert isinstance(order, WrittenOrder)
    return order


# --- reading ---


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("withdraw jitra", Withdraw(place="jitra")),
        ("  WITHDRAW  Jitra\r\n", Withdraw(place="jitra")),
        ("withdraw from JITRA to kuala LUMPUR", Withdraw(place="jitra", to="kl")),
        ("withdraw kl to\u00a0kubu", Withdraw(place="kl", to="kubu")),
        ("withdraw st. john, north", Withdraw(place="north")),
        ("withdraw ko", Withdraw(place="kota-bharu")),
        ("withdraw kuala l to ko bh", None),
        ("withdraw kuala l to kota b", Withdraw(place="kl", to="kota-bharu")),
        ("stay", Stay()),
        ("no withdrawal", Stay()),
        ("Defend Kota Bharu", Fight(how="defend", place="kota-bharu")),
        ("order jitra kl", Battles(places=("jitra", "kl"))),
        ("order Jitra, Kuala Lumpur, kota-bharu", Battles(places=("jitra", "kl", "kota-bharu"))),
        ("split 3 to jitra, -2 to kl: too many", Split(numbers=(3, -2), places=("jitra", "kl"), why="too many")),
        ("roll 2d6+d10", Roll(dice=(6, 6, 10))),
        ("roll D6 for  the bridge,  twice:", Roll(dice=(6,), purpose="the bridge,  twice:")),
        ("plan jitra\nhold; hold\n\n  then: run\nEND", Plan(place="jitra", rules=("hold; hold", "then: run"))),
        ("plan jitra\nend", None),
    ],
)
def test_what_a_line_means(text: str, order: WrittenOrder | None) -> None:
    if order is None:
        with pytest.raises(Unreadable):
            READER.read(text)
    else:
        assert one(text) == order


def test_all_meanings_come_the_more_literal_one_first() -> None:
    class Note(WrittenOrder):
        kind = "note_down"
        usage = "stay [TEXT:text]"
        slots: ClassVar[Mapping[str, Any]] = {"TEXT": Text()}
        text: str | None = None

    class Anything(WrittenOrder):
        kind = "anything"
        usage = "TEXT:text"
        slots: ClassVar[Mapping[str, Any]] = {"TEXT": Text()}
        text: str

    assert Reader([Anything, Note]).read("stay here") == (Note(text="here"), Anything(text="stay here"))
    assert Reader([Anything, Note, Stay]).read("stay")[:2] == (Note(), Stay())


def test_an_exact_name_beats_the_beginning_of_another() -> None:
    names = Names({"Kota": "k", "Kota Bharu": "kb"}, prefixes=True)
    assert list(names.read(Words("kota bharu"), 0)) == [("kb", 2), ("k", 1)]
    assert list(names.read(Words("kota"), 0)) == [("k", 1)]
    assert list(names.read(Words("kot"), 0)) == []
    assert list(names.read(Words("kota bh"), 0)) == [("k", 1)]
    assert list(Names({"Kota Bharu": "kb"}).read(Words("kota"), 0)) == []


def test_names_that_clash_are_the_authors_bug() -> None:
    with pytest.raises(ValueError, match="names nothing, or both"):
        Names({"North": "n", "NORTH": "m"})
    with pytest.raises(ValueError, match="two display names"):
        Names({"North": "n", "Up": "n"})
    with pytest.raises(ValueError, match="names nothing"):
        Names({" ": "n"})


@pytest.mark.parametrize(
    ("text", "dice"),
    [("d6", (6,)), ("3D6", (6, 6, 6)), ("2d6+1d10", (6, 6, 10)), ("d4+d6+d4", (4, 6, 4)), ("100d2", (2,) * 100)],
)
def test_dice(text: str, dice: tuple[int, ...]) -> None:
    assert list(Dice().read(Words(text), 0)) == [(dice, 1)]
    assert list(Dice().read(Words(Dice().show(dice)), 0)) == [(dice, 1)]


@pytest.mark.parametrize("text", ["d1", "0d6", "101d6", "60d6+60d6", "2d", "d", "6", "2d6+", "2d6++d4", "2d1001", "d٣"])
def test_no_dice(text: str) -> None:
    assert list(Dice().read(Words(text), 0)) == []


@pytest.mark.parametrize("text", ["13", "-4", "٣", "1.0", "1e1", "", "+3", "9" * 30])
def test_no_number(text: str) -> None:
    assert list(Number(-3, 12).read(Words(text), 0)) == []


# --- what cannot be read ---


@pytest.mark.parametrize(
    ("text", "what", "hint"),
    [
        ("withdrw jitra", 'cannot read "withdrw jitra"', "did you mean withdraw?"),
        ("withdraw Jitre", 'cannot read "withdraw Jitre" from "Jitre" on', "did you mean Jitra?"),
        ("defend kuala lumpor", 'from "kuala" on', "did you mean Kuala Lumpur"),
        ("withdraw", "something is missing at the end", "you may write: withdraw [from] PLACE [to PLACE]"),
        ("withdraw jitra two kl", 'from "two" on', "did you mean to?"),
        ("split many to jitra", 'from "many" on', "a number from -3 to 12; you may write: "),
        ("roll 2d because", 'from "2d" on', "did you mean 2d6?"),
        ("withdraw jitra\nstay", "a new line starts a new order", "withdraw [from] PLACE"),
        ("fly home", 'cannot read "fly home"', "you may write: withdraw [from] PLACE [to PLACE]; no withdrawal; ..."),
        ("counteratack jitra", 'cannot read "counteratack jitra"', "did you mean counterattack?"),
        (" \n ", "the order is empty", "one order a line"),
        ("stay\x07", "U+0007", "no control"),
        ("stay \u202e", "U+202E", "no control"),
        ("roll d6 for \u05d0", "U+05D0", "right-to-left"),
        ("x" * 2001, "has 2,001 characters", "one order a line"),
        ("plan jitra\n" + "a\n" * 200 + "end", "more than 200 lines", ""),
        ("roll d6 for " + "x" * 201, 'from "xxx', "up to 200 characters"),
    ],
)
def test_what_is_told(text: str, what: str, hint: str) -> None:
    with pytest.raises(Unreadable) as told:
        READER.read(text)
    assert what in str(told.value)
    parts = [part for part in hint.split("...") if part]
    assert all(part in told.value.hint for part in parts)
    assert len(str(told.value)) < 400
    assert str(told.value).isprintable()


def test_the_usage_of_the_order_that_fits_is_shown_alone() -> None:
    with pytest.raises(Unreadable) as told:
        READER.read("roll twice")
    assert told.value.hint.endswith("you may write: roll DICE [for TEXT]")


def test_a_value_that_the_order_refuses_is_no_meaning() -> None:
    class Rest(Fight):
        kind = "rest"
        usage = "rest PLACE [HOW]"
        how: str = "defend"

        def model_post_init(self, _: Any) -> None:
            if self.place == "jitra":
                raise ValueError("not there")

    assert Reader([Rest]).read("rest kl") == (Rest(place="kl"),)
    with pytest.raises(Unreadable):
        Reader([Rest]).read("rest jitra")


def test_quote_is_short_and_printable() -> None:
    assert quote("a\x00b\nc") == '"a?b c"'
    assert quote("y" * 70) == f'"{"y" * 60}..."'


# --- Hypothesis: inverse, and never anything but an answer ---

IDS = st.sampled_from(sorted(PLACES.values()))
LETTERS = st.characters(min_codepoint=32, max_codepoint=0x2FF)


def _plain(text: str) -> bool:
    try:
        check_text(text)
    except Refused:
        return False
    return bool(text) and text == text.strip(" ")


TEXTS = st.text(LETTERS, min_size=1, max_size=40).filter(_plain)
LINES = TEXTS.filter(lambda text: text.casefold() != "end")
ORDERS = st.one_of(
    st.builds(Withdraw, place=IDS, to=st.none() | IDS),
    st.builds(Stay),
    st.builds(Fight, how=st.sampled_from(["counterattack", "defend"]), place=IDS),
    st.builds(Battles, places=st.lists(IDS, min_size=1, max_size=20).map(tuple)),
    st.builds(
        lambda pairs, why: Split(numbers=tuple(n for n, _ in pairs), places=tuple(p for _, p in pairs), why=why),
        st.lists(st.tuples(st.integers(-3, 12), IDS), min_size=1, max_size=9),
        st.none() | TEXTS,
    ),
    st.builds(Roll, dice=st.lists(st.integers(2, 1000), min_size=1, max_size=30).map(tuple), purpose=st.none() | TEXTS),
    st.builds(Plan, place=IDS, rules=st.lists(LINES, min_size=1, max_size=9).map(tuple)),
)


@given(ORDERS)
def test_reading_what_was_printed_gives_the_order(order: WrittenOrder) -> None:
    assert READER.read(str(order))[0] == order
    assert order in READER.read(f"  {str(order).replace(chr(10), chr(13) + chr(10))} \t")


@given(ORDERS)
def test_case_does_not_matter_where_text_does_not(order: WrittenOrder) -> None:
    if not isinstance(order, Roll | Plan | Split):
        assert READER.read(str(order).upper()) == (order,)


TYPED = """withdraw from to order kuala kl ko , ; : split 3 plan end roll 2d6 for stay no defend é é \x00 \U0001f600
Kuala Lumpur 00000000000000000000"""
WORDS = st.sampled_from([*re.split(r"\s", TYPED), "\n", " "])


@given(st.text(max_size=300) | st.lists(WORDS, max_size=60).map(" ".join))
def test_any_text_is_read_or_answered(text: str) -> None:
    orders, told = answer(text)
    assert told.isprintable()
    assert len(told) < 1500
    assert bool(told) != bool(orders)
    assert len(orders) <= 16
    assert all(order in READER.read(str(order)) for order in orders)


def answer(text: str) -> tuple[tuple[Order, ...], str]:
    """The orders that a text can mean, or what is told."""
    try:
        return READER.read(text), ""
    except Unreadable as bad:
        return (), str(bad) + bad.hint


def test_reading_takes_no_exponential_time() -> None:
    class Doubtful(WrittenOrder):
        kind = "doubtful"
        usage = "[a] [a] [a] {PLACE:places} [{OTHER:others}] [b]"
        slots: ClassVar[Mapping[str, Any]] = {"PLACE": Names({"x": "1", "x x": "2"}), "OTHER": Names({"x": "3"})}
        places: Many[str]
        others: Many[str] = ()

    begin = time.perf_counter()
    assert len(Reader([Doubtful]).read("a " + "x " * 900 + "b")) == 16
    with pytest.raises(Unreadable):
        Reader([Doubtful]).read("a " + "x " * 900 + "c")
    assert time.perf_counter() - begin < 5


# --- usage: the author's side ---


WRONG = """go [PLACE; go PLACE]; go []; go {}; go Place; go {far}; go {[PLACE]}; go ... END; go PLACE ...;
go PLACE to PLACE; go NOWHERE; go {PLACE:a {PLACE:b}}; go PLACE:; far:away PLACE,"""


@pytest.mark.parametrize("usage", ["", *re.split(r";\s", WRONG)])
def test_a_usage_outside_the_notation_is_the_authors_bug(usage: str) -> None:
    with pytest.raises(TypeError):
        Grammar(usage, {"PLACE": PLACE})


def test_usage_and_fields_must_fit() -> None:
    with pytest.raises(TypeError, match="fills no field place"):

        class Lost(WrittenOrder):
            kind = "lost"
            usage = "lost PLACE"
            slots: ClassVar[Mapping[str, Any]] = {"PLACE": PLACE}

    with pytest.raises(TypeError, match="does not print the field where"):

        class Mute(WrittenOrder):
            kind = "mute"
            usage = "mute"
            where: str


def test_an_order_may_read_and_print_by_hand() -> None:
    class Path(WrittenOrder):
        kind = "path"
        usage = "move 0822-0823-..."
        hexes: Many[str]

        @classmethod
        def read(cls, words: Words, met: Met) -> Iterator[Path]:
            if len(words) == 2 and words.folded[0] == "move" and re.fullmatch(r"\d{4}(-\d{4})*", words[1]):
                yield cls(hexes=tuple(words[1].split("-")))

        def __str__(self) -> str:
            return f"move {'-'.join(self.hexes)}"

    reader = Reader([Path, Stay])
    assert reader.read("MOVE 0822-0823") == (Path(hexes=("0822", "0823")),)
    assert reader.read(str(Path(hexes=("0101",)))) == (Path(hexes=("0101",)),)
    with pytest.raises(Unreadable) as told:
        reader.read("move on")
    assert told.value.hint == "you may write: move 0822-0823-..."


def test_help() -> None:
    assert usage_line(Withdraw) == "withdraw [from] PLACE [to PLACE]"
    assert usage_line(Fight) == "counterattack/defend PLACE"
    lines = help_lines([Withdraw, Fight, Roll])
    assert lines == (
        "withdraw [from] PLACE [to PLACE]  one unit goes back",
        "counterattack/defend PLACE",
        "roll DICE [for TEXT]",
        "PLACE: Jitra, Kuala Lumpur, Kuala Kubu, Kota Bharu, St. John, North",
        "DICE: dice such as 2d6 or 2d6+d10, at most 100",
        "TEXT: any text of up to 200 characters",
    )
    assert help_lines([]) == ()


def test_words_keep_what_was_typed() -> None:
    words = words_of("Go  to:  A, B")
    assert list(words) == ["Go", "to", ":", "A", ",", "B"]
    assert words[1:3] == ["to", ":"]
    assert words.rest(3) == ("A, B", 6)
    assert words.rest(6) == ("", 6)
