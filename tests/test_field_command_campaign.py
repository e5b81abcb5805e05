"""Field Command's campaign: the contract, whole games by the bot, names of places, what stays hidden."""

from __future__ import annotations

import random

import pytest

from pbem.api import NOTHING_KNOWN, Ask, Opened, OpenSlots, Order, Ordered, Roll, Rolled, Sealed, Start, Step
from pbem.errors import Unreadable
from pbem.testing import defaults, play
from rules.field_command import ENGINE
from rules.field_command.campaign.orders import Drive, Move
from rules.field_command.campaign.state import War, ground
from rules.field_command.components import side

SCENARIOS = {one.id: one for one in ENGINE.scenarios() if one.id.startswith("campaign")}


def begin(id: str = "campaign") -> War:
    scenario = SCENARIOS[id]
    seats = tuple(seat.id for seat in scenario.seats)
    war: War = ENGINE.setup(Start(id, defaults(scenario), seats, 1, ENGINE.components(1)))
    return war


@pytest.mark.parametrize(("id", "seed"), [("campaign", 3), ("campaign", 4), ("campaign-two", 5)])
def test_contract(id: str, seed: int) -> None:
    game = play(ENGINE, SCENARIOS[id], seed=seed, steps=30, looks=2)
    assert game.steps


def answer(war: War, ask: Ask | Roll, rng: random.Random, secret: dict[str, Order]) -> Step:
    if isinstance(ask, Roll):
        return Rolled(f"{ask.stem}#1", ask, tuple(rng.randint(1, sides) for sides in ask.dice))
    if isinstance(ask.client, OpenSlots):
        (slot,) = ask.client.slots
        plan = secret.pop(slot)
        return Opened(ask.seat, ((slot, plan.body()),), plan)
    order = ENGINE.advise(war, ask, NOTHING_KNOWN, rng)  # type: ignore[attr-defined]
    if ask.sealed:
        slot = f"{ask.secret}#1"
        secret[slot] = order
        return Sealed(ask.seat, slot, "choice", (slot,))
    assert ENGINE.refuse(war, ask.seat, order, NOTHING_KNOWN) is None
    return Ordered(ask.seat, order)


@pytest.mark.parametrize("seed", range(4))
def test_the_bot_plays_to_the_end(seed: int) -> None:
    war, rng = begin(), random.Random(seed)
    secret: dict[str, Order] = {}
    for _ in range(5000):
        waiting = ENGINE.pending(war)
        if not waiting:
            break
        ENGINE.apply(war, answer(war, waiting[0], rng, secret))
        for sector in war.board.sectors:
            sides = {side(unit.army) for unit in ground(war, sector)}
            assert len(sides) < 2 or sector in war.contested or any(one.into == sector for one in war.entries)
            for army in war.board.order:
                assert sum(1 for _ in ground(war, sector, army)) <= 7  # six, and a captured gun [6.2.3, R20]
        assert all(number >= 0 for number in war.supplies.values())
    assert ENGINE.outcome(war) is not None


def test_places_are_read_by_name() -> None:
    war = begin()
    for text in ("move Inf-1 to Bukit Timah", "MOVE J-Inf-1 bukit timah", "move inf-1 to bukit_timah"):
        assert ENGINE.read(war, "japan", text, NOTHING_KNOWN)[0] == Move(unit="J-Inf-1", way=("bukit_timah",))
    way = ("hougang", "yio_chu_kang")
    typed = "drive Tank-1 Hougang > Yio Chu Kang"
    assert ENGINE.read(war, "japan", typed, NOTHING_KNOWN)[0] == Drive(unit="J-Tank-1", way=way)


def test_only_the_own_supplies_are_printed() -> None:
    war = begin()
    for seat, own in (("japan", "Japanese"), ("australia", "Australian"), ("britain", "British")):
        facts = dict(ENGINE.picture(war, seat, NOTHING_KNOWN).facts)
        assert [name for name in facts if name.endswith("supplies")] == [f"{own} supplies"]
    assert not [name for name in dict(ENGINE.picture(war, "", NOTHING_KNOWN).facts) if name.endswith("supplies")]


def test_a_hint_names_what_is_asked_now() -> None:
    war = begin()
    with pytest.raises(Unreadable) as refused:
        ENGINE.read(war, "japan", "go to Kranji", NOTHING_KNOWN)
    assert "move UNIT to {PLACE}" in refused.value.hint
    assert "assault" not in refused.value.hint
    with pytest.raises(Unreadable) as refused:
        ENGINE.read(war, "japan", "drive Tank-1", NOTHING_KNOWN)
    assert "drive UNIT to {PLACE}" in refused.value.hint


def test_armies_are_counted() -> None:
    """Everybody is in play at the start but the four tanks that are still to come."""
    war = begin()
    strong = ENGINE.strength(war)  # type: ignore[attr-defined]
    due = sum(bool(row.due) for row in war.board.units.values() if row.army == "J")
    assert due == 4
    assert strong["japanese"] + due == sum(row.army == "J" for row in war.board.units.values())
    assert set(strong) == {"japanese", "australian", "british"}


def test_a_position_becomes_a_case() -> None:
    """What `pbem show --as-case` prints of a campaign in the middle of a battle is a case that passes."""
    war, rng = begin(), random.Random(1)
    secret: dict[str, Order] = {}
    while not (war.fight and war.fight.rounds):
        ENGINE.apply(war, answer(war, ENGINE.pending(war)[0], rng, secret))
    again = begin()
    ENGINE.place(again, ENGINE.position(war))
    assert ENGINE.position(again) == ENGINE.position(war)
    assert ENGINE.pending(again) == ENGINE.pending(war)
