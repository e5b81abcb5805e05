"""Bot against bot: the same job is the same game, intervals, defects that are found and can be met again."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from computers import Computer

from pbem import registry, simulate
from pbem.api import Advises, Ask, Known, Note, Order, Roll, Start
from pbem.errors import WrongUse
from pbem.simulate import Job, Played, wilson
from rules.battle_card_malaya import BattleCardMalaya
from rules.battle_card_malaya import orders as malaya_orders

BOTS = [id for id in registry.engines() if isinstance(registry.engine(id), Advises)]


@pytest.mark.parametrize("id", BOTS)
def test_games_of_bots_end_and_are_the_same_again(id: str) -> None:
    """Every scenario once, the first again and with another seed."""
    first, *others = [Job(id, scenario.id, seed=1) for scenario in registry.engine(id).scenarios()]
    played = [simulate.play(job) for job in (first, replace(first, seed=2), *others)]
    assert not [game.defect for game in played if game.defect]
    assert all(game.words and game.orders for game in played)
    assert simulate.play(first) == played[0]


def test_points_are_those_of_both_seats() -> None:
    played = simulate.play(Job("glory-recalled", "kowloon", seed=5))
    assert set(played.points) == {"japan", "british"}
    assert all(Fraction(number).denominator in (1, 2) for number in played.points.values())
    assert played.winner in played.points
    assert played.turns >= 1


def test_jobs_count_seeds_by_scenario() -> None:
    found = simulate.jobs("field-command", ["company", "battalion", "regiment"], games=2, seed=7)
    assert [(job.scenario, job.seed) for job in found] == [
        (scenario, seed) for scenario in ("company", "battalion", "regiment") for seed in (7, 8)
    ]
    options = simulate.jobs("battle-card-malaya", ["standard"], {"r10": "battle-by-battle"}, games=1)
    assert options[0].options == (("r10", "battle-by-battle"),)


@pytest.mark.parametrize(
    ("scenario", "options", "told"),
    [("nowhere", {}, "no scenario"), ("standard", {"r99": "x"}, "no option"), ("standard", {"r10": "x"}, "r10")],
)
def test_jobs_that_no_charter_could_name(scenario: str, options: dict[str, str], told: str) -> None:
    with pytest.raises(WrongUse, match=told):
        simulate.jobs("battle-card-malaya", [scenario], options, games=1)


def test_a_game_without_a_bot() -> None:
    with pytest.raises(WrongUse, match="open-table has no bot") as refused:
        simulate.jobs("open-table", games=1)
    assert "glory-recalled" in refused.value.hint


def test_any_map_plays_the_games() -> None:
    def backwards(work: Callable[[Job], Played], items: Iterable[Job]) -> Iterator[Played]:
        return iter([work(item) for item in items][::-1])

    todo = simulate.jobs("field-command", ["company"], games=3)
    assert [one.job for one in simulate.run(todo, backwards)] == todo[::-1]
    assert simulate.summary(simulate.run(todo, backwards)) == simulate.summary(simulate.run(todo))


def test_seats_that_win_together_are_a_row_of_their_own() -> None:
    job = Job("field-command", "campaign")
    games = [Played(job, winner, "over") for winner in ("japan", "australia and britain", "britain", "")]
    (found,) = simulate.summary(games)
    shares = {share.result: share.games for share in found.results}
    assert shares == {"japan": 1, "australia": 0, "britain": 1, "australia and britain": 1, "draw": 1}


# --- intervals ---


def test_wilson() -> None:
    """Newcombe, Statistics in Medicine 17 (1998), table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    printed = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (hits, of), (low, high) in printed.items():
        assert wilson(hits, of) == pytest.approx((low, high), abs=5e-5)
    assert wilson(20, 20)[1] == 1
    assert wilson(0, 0) == (0, 1)


# --- defects ---


class Stubborn(BattleCardMalaya):
    """Its bot answers every question with an order that is not possible there."""

    def advise(self, state: Any, ask: Ask, known: Known, rng: random.Random) -> Order:
        return malaya_orders.Counterattack(location="endau")


class Endless(BattleCardMalaya):
    """Takes no notice of any order."""

    bound = 9

    def apply(self, state: Any, step: object, tell: Callable[[Note], None] = lambda _: None) -> None:
        return


class Broken(BattleCardMalaya):
    """Forgets how to fight."""

    def pending(self, state: Any) -> tuple[Ask | Roll, ...]:
        waits = super().pending(state)
        if waits and isinstance(waits[0], Roll):
            raise KeyError("table")
        return waits


class Mute(BattleCardMalaya):
    """Asks nothing, with no outcome."""

    def pending(self, state: Any) -> tuple[Ask | Roll, ...]:
        return ()


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (Stubborn, "is refused: "),
        (Endless, "more orders than the bound of 9"),
        (Broken, "KeyError: 'table'"),
        (Mute, "nothing is asked and there is no outcome"),
    ],
)
def test_a_defect_is_told_with_its_seed(
    kind: type[BattleCardMalaya], told: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(registry, "engine", lambda _: kind())
    said = Computer(tmp_path / "a").run(
        *("rules", "simulate", "battle-card-malaya", "--scenario", "prototype"),
        *("--games", 2, "--seed", 40, "--workers", 1, "--option", "r15=own"),
    )
    assert said.status == 1
    assert said.err.count(told) == 2
    assert "--scenario prototype --option r15=own --seed 41 --games 1" in said.err
    assert "2 games came to no end" in said.out


# --- the command ---


def test_the_command(tmp_path: Path) -> None:
    said = Computer(tmp_path / "a").do(
        *("rules", "simulate", "field-command", "--scenario", "regiment", "--scenario", "company"),
        *("--scenario", "battalion", "--games", 4, "--workers", 1),
    )
    assert [line.split(":")[0] for line in said.out.splitlines() if line.endswith("4 games")] == [
        "field-command, company",
        "field-command, battalion",
        "field-command, regiment",
    ]
    assert "britain wins" in said.out


def test_the_command_for_scripts(tmp_path: Path) -> None:
    words = ("rules", "simulate", "glory-recalled", "--scenario", "kowloon", "--games", 3, "--json")
    one, two = (Computer(tmp_path / name).do(*words, "--workers", n).json() for n, name in ((1, "a"), (2, "b")))
    assert one == two
    (doc,) = one
    assert sum(share["games"] for share in doc["results"]) == doc["games"] == 3
    assert doc["defects"] == []
    assert set(doc["points"]) == {"japan", "british"}
    assert json.dumps(doc)


def test_setups_are_made_from_the_owner_s_components(tmp_path: Path) -> None:
    """A folder of components goes along with every job: the engine is asked with it."""
    asked: list[Path | None] = []

    class Asked(BattleCardMalaya):
        def components(self, edition: int, folder: Path | None = None) -> Any:
            asked.append(folder)
            return super().components(edition)

        def setup(self, start: Start) -> Any:
            return super().setup(start)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "engine", lambda _: Asked())
        simulate.begin(simulate.jobs("battle-card-malaya", ["standard"], games=1, components=tmp_path)[0])
    assert asked == [tmp_path.resolve()]
