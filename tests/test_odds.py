"""The odds of an order before it is signed: against arithmetic by hand, with hidden things, at the command line."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest
from computers import Computer, duel

from pbem import registry, simulate, ways
from pbem.api import Ask, Note, Roll
from pbem.author import trial_values
from pbem.errors import OrderRefused, Unreadable
from pbem.odds import Odds, reckon
from pbem.simulate import Job
from pbem.unsealed import Seal, Unsealed
from pbem.world import World
from rules.field_command import ENGINE as FIELD
from rules.field_command.state import strength
from rules.glory_recalled.combat import attack_total
from rules.tiger_of_malaya import ENGINE as TIGER


def shares(found: Odds) -> dict[tuple[str, ...], Fraction]:
    return {one.told: one.share for one in found.outcomes}


def each(found: Odds) -> dict[str, Fraction]:
    return {one.told[0]: one.share for one in found.each}


# --- by hand ---


def table() -> World:
    return simulate.begin(Job("open-table", "duel", (("game", "Hill 12"),)))


def test_two_dice_make_a_triangle() -> None:
    found = reckon(table(), "red", ["roll 2d6 for the assault"])
    assert found.exact
    assert found.ways == 36
    assert shares(found) == {(f"the assault: {sum}",): Fraction(6 - abs(7 - sum), 36) for sum in range(2, 13)}
    assert found.outcomes[0].told == ("the assault: 7",)
    assert [one.told for one in found.stops] == [("red decides act [OT-1.1]",)]


def test_two_rolls_are_independent() -> None:
    found = reckon(table(), "red", ["roll d6 for morale", "roll d4 for spotting"])
    assert set(shares(found).values()) == {Fraction(1, 24)}
    assert len(found.outcomes) == found.ways == 24
    assert each(found)["morale: 3"] == Fraction(1, 6)
    assert each(found)["spotting: 3"] == Fraction(1, 4)


def test_a_draw_from_a_deck_of_one_s_own() -> None:
    """Of A, A, B two cards are A and B by four of six ways, A and A by two."""
    world = table()
    for text in ("deck events: A x2, B", "seal events"):
        ask = world.waits()
        assert isinstance(ask, Ask)
        world.answer(ask, ways.meaning(world, "red", 1, text))
        while isinstance(ask := world.waits(), Ask) and ask.client is not None:
            world.client(ask, Random(1))
    found = reckon(world, "red", ["draw 2 from events"])
    assert shares(found) == {("drawn: A, B",): Fraction(4, 6), ("drawn: A, A",): Fraction(2, 6)}


def test_malaya_two_battles() -> None:
    """Kampar: 5 against 6, the Japanese have the advantage; Kota Bharu: 2 against 5, decisive for them."""
    world = simulate.begin(Job("battle-card-malaya", "standard"))
    found = reckon(world, "allies", ["withdraw Jitra", "counterattack Kampar", "defend Kota Bharu"])
    tables = world.state.card.results
    kampar, kota = tables["counterattack", "japanese"], tables["defend", "decisive"]
    hoped: Counter[tuple[str, ...]] = Counter()
    for one, other in product(range(6), repeat=2):
        told = [f"Kampar: Allies lose {kampar[one][0]}", f"Kampar: Japanese lose {kampar[one][1]}"]
        told += [f"Kota Bharu: Allies lose {kota[other][0]}", f"Kota Bharu: Japanese lose {kota[other][1]}"]
        told += ["the Allied unit in Kota Bharu is gone"] * (kota[other][0] >= 2)
        hoped[tuple(told)] += 1
    assert shares(found) == {told: Fraction(ways, 36) for told, ways in hoped.items()}
    assert found.ways == 36
    assert [one.told for one in found.stops] == [("allies decides air support [BC-3.4]",)]
    assert world.waits() == simulate.begin(Job("battle-card-malaya", "standard")).waits(), "nothing was ordered"


def fight() -> World:
    """A tank that attacks for the second time, and an elite unit, against a carrier and infantry; guns are ready."""
    world = simulate.begin(Job("field-command", "regiment"))
    FIELD.place(
        world.state,
        {
            "node": ["tactic"],
            "line": ["attack 1 J-Tank-1 1", "attack 2 J-Elite-1 0", "defence 1 B-Carrier-1 0", "defence 2 B-Inf-1 0"],
            "air": [],
            "strikes": ["attack 1 J-FGun-1", "defence 1 B-Fix6-1"],
            "counts": ["faces 1", "fresh 1"],
            "plans": ["attack none", "defence none"],
        },
    )
    return world


def test_field_command_a_round() -> None:
    """The highest die of each side, the defender's with his bonus; nobody strikes first. [4.3.1, 4.3.2]"""
    world = fight()
    f = world.state.fight
    ours, theirs = strength(f, "J-Tank-1", "attack"), strength(f, "B-Carrier-1", "defence")
    hoped: Counter[str] = Counter()
    for faces in product(*(range(1, sides + 1) for sides in (*ours, *theirs))):
        margin = 2 * max(faces[: len(ours)]) - 2 * max(faces[len(ours) :]) - f.bonus
        hoped["J-Tank-1 wins" if margin > 0 else "J-Tank-1 loses" if margin < 0 else "a draw"] += 1
    found = reckon(world, "japan", ["assault"])
    assert {name: each(found).get(name, 0) for name in hoped} == {
        name: Fraction(count, hoped.total()) for name, count in hoped.items()
    }
    assert found.exact
    assert found.ways == hoped.total()
    assert [one.partition(",")[0] for one in found.assumed] == ["britain", "japan"]
    assert all('adds nothing ("hold fire")' in one for one in found.assumed)


def test_field_command_a_strike() -> None:
    """One d12 on the strike table. [5.2.1]"""
    world = fight()
    piece = world.state.fight.units["J-FGun-1"]
    hoped = Counter(world.state.fight.charts.strike("attack", piece.army, piece.kind, face) for face in range(1, 13))
    found = reckon(world, "japan", ["assault", "strike point J-FGun-1"])
    for result, count in hoped.items():
        assert each(found)[f"J-FGun-1 on B-Carrier-1: {result}"] == Fraction(count, 12)


def at_attack(scenario: str, *, closed: bool) -> tuple[World, str, str]:
    """A position of a game of bots where a seat may attack open (or closed) counters: the seat and its order."""
    for seed in range(40):
        world, rng = simulate.begin(Job("glory-recalled", scenario)), Random(seed)
        while (first := world.waits()) is not None:
            if isinstance(first, Roll):
                world.roll(first, trial_values(first, rng))
                continue
            if first.client is not None:
                world.client(first, rng)
                continue
            for order in world.offers(first):
                if order.kind == "attack" and first.seat == "japan":
                    here = [id for id, one in world.state.counters.items() if one.at == order.body()["space"]]
                    theirs = [id for id in here if id not in world.state.board.units or "japan" not in id]
                    if any("/" in id for id in theirs) == closed:
                        known = world.known(first.seat)
                        return world, first.seat, world.engine.phrase(world.state, first.seat, order, known)
            engine = simulate.need_bot(world.engine)
            asked = not first.window or any(True for _ in world.offers(first))
            world.answer(first, engine.advise(world.state, first, world.known(first.seat), rng) if asked else None)
    raise AssertionError("no game of bots comes to such an attack")


def as_seen(world: World, seat: str) -> World:
    """The world with what one seat knows, as a fold gives it."""
    hidden = world.hidden
    seen = Unsealed(dict(hidden.names), dict(world.known(seat)), dict(hidden.opened), {}, hidden.labels.copy())
    seen.told[seat] = dict(world.known(seat))
    return World(world.engine, world.state, seen).copy()


def test_glory_recalled_a_combat() -> None:
    """Attack and defence totals with a die each: the higher wins. [9.1-n4, 9.5]"""
    world, seat, order = at_attack("kowloon", closed=False)
    found = reckon(as_seen(world, seat), seat, [order])
    totals = _totals(world, seat, order)
    hoped = Counter(
        "won" if totals[0] + one > totals[1] + two else "lost" if totals[0] + one < totals[1] + two else "a draw"
        for one, two in product(range(1, 7), repeat=2)
    )
    told = Counter({name: share * 36 for name, share in each(found).items() if name in ("won", "lost", "a draw")})
    assert told == hoped
    assert f"{seat}, asked support [9.1-n3]" in " ".join(found.assumed)
    assert "british, asked support [9.4-b1]" in " ".join(found.assumed)


def _totals(world: World, seat: str, text: str) -> tuple[int, int]:
    """Attack and defence as the engine tells them when the combat begins."""
    world = world.copy()
    ask = world.waits()
    assert isinstance(ask, Ask)
    world.answer(ask, ways.meaning(world, seat, 1, text))
    told: list[Note] = [note for note in world.told if note.stem == "combat.totals"]
    assert attack_total(world.state, world.state.frames[-1]) == told[-1].args["attack"]
    return int(told[-1].args["attack"]), int(told[-1].args["defence"])


def test_closed_counters_count_as_shuffled_and_are_not_looked_at() -> None:
    """Whatever the British really have there, the Japanese are told the same."""
    world, seat, order = at_attack("standard", closed=True)
    found = reckon(as_seen(world, seat), seat, [order])
    assert "closed cards and counters of british count as shuffled" in " ".join(found.assumed)
    other = world.copy()
    for seal in other.hidden.names.values():
        if seal.seat != seat:
            live = list(other.hidden.live(seal))
            contents = [other.hidden.contents[slot] for slot in live]
            other.hidden.contents.update(zip(live, contents[1:] + contents[:1], strict=True))
    assert reckon(as_seen(other, seat), seat, [order]) == found
    assert sum(one.share for one in found.outcomes) == 1


def test_what_is_left_of_a_deck() -> None:
    seal = Seal("red-cards", "deck", "red", ("red",), ("ace", "ace", "king", "queen"))
    slots = tuple(f"red-cards/1/{number}" for number in range(4))
    seal.epochs.append((1, slots))
    hidden = Unsealed({"red-cards": seal}, {slots[0]: "ace", slots[3]: "queen"})
    assert ways.unseen(hidden, "red-cards") == Counter({"ace": 1, "king": 1})
    seal.epochs.append((2, ("red-cards/2/0",)))
    seal.replaced.add(slots[0])  # an ace was sealed anew, so it may lie in any slot that is closed
    assert ways.unseen(hidden, "red-cards") == Counter({"ace": 2, "king": 1})


# --- at random ---


def test_many_dice_are_thrown_at_random_with_an_interval() -> None:
    found = reckon(table(), "red", ["roll 2d6 for the assault"], samples=4_000, limit=35)
    assert not found.exact
    assert found.ways == 4_000
    inside = [one for one in found.outcomes if one.low <= _triangle(one.told[0]) <= one.high]
    assert len(inside) >= 9, "of 11 intervals of 95 percent two may miss"
    assert found == reckon(table(), "red", ["roll 2d6 for the assault"], samples=4_000, limit=35)


def _triangle(told: str) -> float:
    return float(Fraction(6 - abs(7 - int(told.rpartition(" ")[2])), 36))


# --- refused ---


@pytest.mark.parametrize(
    ("orders", "error", "told"),
    [
        (["withdraw Jutra"], Unreadable, 'order 1: cannot read "withdraw Jutra"'),
        (["counterattack Kampar"], OrderRefused, 'order 1 "counterattack Kampar": [BC-'),
        (
            ["withdraw Jitra", "defend Kampar", "defend Kota", "no air"],
            OrderRefused,
            'order 4 "no air" is not reached: allies decides air support [BC-3.4]',
        ),
    ],
)
def test_orders_that_cannot_be_given(orders: list[str], error: type[OrderRefused], told: str) -> None:
    with pytest.raises(error) as refused:
        reckon(simulate.begin(Job("battle-card-malaya", "standard")), "allies", orders)
    assert str(refused.value).startswith(told)


# --- the command ---


def test_the_command_counts_the_draft_and_changes_nothing(tmp_path: Path) -> None:
    one = Computer(tmp_path / "a")
    one.do("new", "battle-card-malaya", "--file", "g.pbem")
    one.do("order", "g.pbem", "withdraw Jitra", "counterattack Kampar")
    before = one.snapshot()
    said = one.do("odds", "g.pbem", "defend Kota")
    assert said.out.startswith("every way the dice can fall: 36 ways\n")
    assert "each by itself:\n" in said.out
    doc = one.do("odds", "g.pbem", "defend Kota", "--json").json()
    assert sum(Fraction(one["chance"]) for one in doc["outcomes"]) == 1
    assert (doc["exact"], doc["ways"], doc["orders"]) == (True, 36, ["defend Kota"])
    assert one.snapshot() == before
    assert registry.engine("battle-card-malaya").title in one.do("status", "g.pbem").out


def test_the_command_where_somebody_else_decides(tmp_path: Path) -> None:
    match = duel(tmp_path, "sealed", "--option", "game=Hill 12")
    said = match["blue"].run("odds", "g.pbem", "roll 2d6 for the assault")
    assert said.status == 2
    assert "blue has nothing to order now: red holds the baton" in said.err
    assert "33.3%" in match["red"].do("odds", "g.pbem", "roll d3 for the coin").out


def test_the_command_with_many_dice(tmp_path: Path) -> None:
    match = duel(tmp_path, "sealed", "--option", "game=Hill 12")
    said = match["red"].do("odds", "g.pbem", "roll 8d6 for the barrage", "--samples", 100)
    assert said.out.startswith("100 ways of the dice, drawn at random\n")
    assert "rarer ones" in said.out


def test_tiger_of_malaya_a_battle() -> None:
    """7 and 7 against 4 in the open are 3:1: the column of the chart, die by die. [9.3.D, 9.3.G]"""
    world = simulate.begin(Job("tiger-of-malaya", "muar"))
    TIGER.place(
        world.state,
        {
            "turn": ["turn 2", "number 1", "phase act", "chit attack", "slot -", "plan declare fight finish"],
            "cup": ["in 11 allies-move-1"],
            "units": ["I/4G 0514 level 0", "II/4G 0514 level 0", "5/18G 0515 level 0"],
        },
    )
    found = reckon(world, "japan", ["attack 0515 with I/4G, II/4G", "done"])
    column = ("1/-", "2/1", "-/-", "-/1", "1/1", "1/2")  # of line A, from 1 to 6
    assert {one.told[0]: one.share for one in found.outcomes} == {f"0515: {told}": Fraction(1, 6) for told in column}
    assert found.exact
