"""A game against the bot on one machine: through the commands, to a verdict; what the bot sees, and what it shows."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from computers import Computer

from pbem import opponent
from pbem.api import Ask
from pbem.table import Table


def begin(folder: Path, rules: str, scenario: str, seat: str) -> Computer:
    one = Computer(folder / "a")
    said = one.do("new", rules, "--scenario", scenario, "--seat", seat, "--against", "bot", "--file", "g.pbem")
    assert "with its secrets on this machine" in said.err
    return one


def turn(one: Computer, seat: str, rng: random.Random) -> bool:
    """A person's turn, by the menu; False when the game is over."""
    trial = one.table("g.pbem").blank_trial(seat)
    lines: list[str] = []
    while not trial.waits():
        ask, known, engine = trial.asks[0], trial.author.known(), trial.fold.engine
        assert isinstance(ask, Ask)
        text = engine.phrase(trial.state, seat, engine.sample(trial.state, ask, known, rng), known)
        trial.take(len(lines) + 1, text)
        lines.append(text)
    if lines:
        one.do("order", "g.pbem", *lines)
    one.run("send", "g.pbem")
    return not one.table("g.pbem").fold.closed


@pytest.mark.parametrize("seat", ["britain", "japan"])
def test_a_battle_against_the_bot_ends_with_a_verdict(tmp_path: Path, seat: str) -> None:
    one, rng = begin(tmp_path, "field-command", "regiment", seat), random.Random(1)
    for _ in range(100):
        if not turn(one, seat, rng):
            break
        assert one.table("g.pbem").fold.holder == seat, "after every command it is the person's turn"
    bot = "japan" if seat == "britain" else "britain"
    said = one.do("verify", "g.pbem", "--finished")
    assert said.out.startswith("VALID, ")
    assert f"{bot} is played by a bot on another player's machine, who could foresee all dice" in said.out


def test_hidden_hands_against_the_bot(tmp_path: Path) -> None:
    """The first turns of a game with decks: nobody but the person is waited for, and the file is sound."""
    one, rng = begin(tmp_path, "glory-recalled", "kowloon", "british"), random.Random(2)
    for _ in range(6):
        assert turn(one, "british", rng)
        assert one.table("g.pbem").fold.holder == "british"
    table = one.table("g.pbem")
    assert table.seat == "british"
    assert table.bots() == ["japan"]
    assert any(entry.name == "bot" for entry in table.fold.game.charter.seats)
    assert {event.seat for event in table.fold.past(table.fold.seq)} == {"japan", "british"}  # type: ignore[misc]
    assert one.do("verify", "g.pbem").out.startswith("VALID SO FAR")


def test_the_bot_is_asked_with_what_its_seat_knows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = begin(tmp_path, "glory-recalled", "kowloon", "british")
    engine = type(one_engine())
    seen: list[tuple[str, set[str]]] = []
    before = engine.advise

    def advise(self: object, state: object, ask: Ask, known: dict[str, object], rng: random.Random) -> object:
        seen.append((ask.seat, {slot.partition("-")[0] for slot in known}))
        return before(self, state, ask, known, rng)

    monkeypatch.setattr(engine, "advise", advise)
    rng = random.Random(3)
    for _ in range(3):
        turn(one, "british", rng)
    assert {seat for seat, _ in seen} == {"japan"}
    opened = {slot.partition("-")[0] for slot in one.table("g.pbem").fold.known}
    assert set().union(*(slots for _, slots in seen)) <= {"japan"} | opened


def one_engine() -> object:
    from rules.glory_recalled import ENGINE

    return ENGINE


def test_a_reaction_by_a_card_is_an_order_of_the_game(tmp_path: Path) -> None:
    """Only a number makes it the core's `react EVENT ORDER`; else the rules say why it is not possible now."""
    one = begin(tmp_path, "glory-recalled", "kowloon", "british")
    turn(one, "british", random.Random(3))
    said = one.run("order", "g.pbem", "react Demolitions road G01-N01")
    assert said.status == 1
    assert "no window to react to" not in said.err
    said = one.run("order", "g.pbem", "react 999 react Demolitions road G01-N01")
    assert "no window to react to" in said.err


def test_nobody_looks_into_the_bot_s_hand(tmp_path: Path) -> None:
    one = begin(tmp_path, "glory-recalled", "kowloon", "british")
    said = one.run("show", "g.pbem", "--seat", "japan")
    assert said.status == 2
    assert "the bot plays japan" in said.err


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("open-table", "open-table has no bot"),
        ("battle-card-malaya", "is for one player"),
        ("chess", "no rules are named"),
    ],
)
def test_games_the_bot_cannot_play(tmp_path: Path, rules: str, told: str) -> None:
    one = Computer(tmp_path / "a")
    said = one.run("new", rules, "--against", "bot", "--file", "g.pbem")
    assert said.status == 2
    assert told in said.err
    assert not one.path("g.pbem").exists()


def test_nobody_else_is_named_bot(tmp_path: Path) -> None:
    said = Computer(tmp_path / "a").run("new", "open-table", "--name", "bot")
    assert said.status == 2
    assert "that is the name of the bot" in said.err


def test_a_conversation_with_the_bot(tmp_path: Path) -> None:
    """Typed or piped: the draft is signed when it is complete, and the bot answers at once."""
    one = begin(tmp_path, "field-command", "company", "britain")
    said = one.do("play", "g.pbem", stdin="line B-Carrier-1\ny\nquit\n")
    assert "decides next: sign the draft? [Y/n]" in said.err
    assert "The Japanese attack deploys" in said.out
    assert one.table("g.pbem").fold.closed
    assert one.do("verify", "g.pbem").out.startswith("VALID, ")


def test_a_game_that_begins_with_dice_says_what_to_type(tmp_path: Path) -> None:
    """Nothing is to be ordered in Muar before the first dice have fallen."""
    one = begin(tmp_path, "tiger-of-malaya", "muar", "japan")
    said = one.do("play", "g.pbem", stdin="send\nquit\n")
    assert "dice must fall first: `send` signs the draft and hands over to the bot" in said.err
    assert one.table("g.pbem").fold.seq > 0


def test_the_bot_does_nothing_where_it_has_no_seat(tmp_path: Path) -> None:
    one = Computer(tmp_path / "a")
    one.do("new", "battle-card-malaya", "--file", "g.pbem")
    before = one.snapshot()
    with Table.locked(one.path("g.pbem"), one.home) as table:
        assert opponent.answer(table) == 0
    assert one.snapshot() == before
