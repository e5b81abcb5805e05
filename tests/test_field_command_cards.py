"""Situation Cards of Field Command: the contract with hidden hands, what is told to whom, names, and games of bots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from pbem import simulate
from pbem.api import (
    NOTHING_KNOWN,
    Amended,
    Area,
    Ask,
    Claim,
    Commit,
    Illegal,
    Known,
    Opened,
    Owes,
    Picture,
    Sealed,
    Start,
    View,
)
from pbem.testing import Game, defaults, play
from rules.field_command import ENGINE, picture
from rules.field_command.campaign import cards, reading
from rules.field_command.campaign.cards import Cards, Effect, Played
from rules.field_command.campaign.cards_orders import Events, NoCard, PlayCard
from rules.field_command.campaign.look import seen as seen_by
from rules.field_command.campaign.state import War

SCENARIOS = {one.id: one for one in ENGINE.scenarios() if one.id.startswith("campaign")}
WITH_CARDS = {"cards": "yes"}
J, B = "japan-cards/1/{}".format, "britain-cards/1/{}".format


def begin(id: str = "campaign") -> War:
    """A campaign whose decks are sealed, 36 slots each, and nothing drawn."""
    scenario = SCENARIOS[id]
    seats = tuple(seat.id for seat in scenario.seats)
    war: War = ENGINE.setup(Start(id, {**defaults(scenario), **WITH_CARDS}, seats, 1, ENGINE.components(1)))
    c = cards.of(war)
    owner = cards.owner(war, "CW")
    c.pile = {"J": tuple(map(J, range(36))), "CW": tuple(f"{owner}-cards/1/{n}" for n in range(36))}
    c.owed = {"J": 0, "CW": 0}
    return war


def everywhere(c: Cards) -> Iterator[str]:
    """Every slot that lies somewhere."""
    for piles in (c.pile, c.discard, c.hand):
        for slots in piles.values():  # type: ignore[attr-defined]
            yield from slots
    yield from (*c.fresh, *c.joint, *(slot for slot, _ in c.offered))
    yield from (one.slot for one in (*c.queue, *c.effects))


def whole(war: War) -> None:
    """Every card of both decks lies in one place."""
    c = cards.of(war)
    if len(c.pile) == 2:
        count = Counter(everywhere(c))
        assert set(count.values()) == {1}
        assert Counter(cards.deck_of(war, slot) for slot in count) == {"J": 36, "CW": 36}


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Maps as words only: what they show is public, and drawing them takes long."""
    monkeypatch.setattr(picture.drawing, "picture", lambda s: Picture("map", "Singapore", 1, 1, (), text=("-",)))


# --- the contract ---


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(("id", "seed"), [("campaign", 1), ("campaign", 2), ("campaign-two", 3)])
def test_contract(id: str, seed: int) -> None:
    told: set[str] = set()

    def watch(game: Game) -> None:
        whole(game.state)
        told.update(note.stem for note in game.fresh)

    play(ENGINE, SCENARIOS[id], seed=seed, steps=70, looks=4, options=WITH_CARDS, watch=watch)
    assert {"cards.sealed", "cards.drawn", "cards.split"} <= told


def test_contract_with_the_map() -> None:
    game = play(ENGINE, SCENARIOS["campaign-two"], seed=5, steps=25, looks=1, options=WITH_CARDS)
    assert game.steps


def test_bots_play_to_the_end() -> None:
    for game in simulate.run(simulate.jobs("field-command", list(SCENARIOS), WITH_CARDS, games=2)):
        assert (game.defect, game.winner != "") == ("", True)


# --- decks and who knows what ---


def test_the_commonwealth_shares_a_deck() -> None:
    war = begin()
    war.cards = None
    cards.begin(war)
    first = ENGINE.pending(war)[0]
    assert (first.seat, first.what) == ("japan", "seal_cards")  # type: ignore[union-attr]
    cards.of(war).pile = {"J": ("japan-cards/1/0",)}
    (ask,) = ENGINE.pending(war)
    assert ask.client == Commit("deck", "cards", 36, war.board.deck("CW"), share=("australia",))  # type: ignore[union-attr]
    assert ask.seat == "britain"  # type: ignore[union-attr]
    two = begin("campaign-two")
    cards.of(two).pile = {"J": ("japan-cards/1/0",)}
    (ask,) = ENGINE.pending(two)
    assert (ask.seat, ask.client.share) == ("allies", ())  # type: ignore[union-attr]


def text(view: View) -> str:
    return "\n".join([*(f"{a} {b}" for a, b in view.facts), *(repr(grid) for grid in view.grids)])


def test_who_reads_which_hand() -> None:
    war = begin()
    c = cards.of(war)
    c.hand = {"J": (J(0),), "A": (B(0),), "B": (B(1),)}
    commonwealth: Known = {B(0): "flaming_oil", B(1): "depot"}
    japan: Known = {J(0): "banzai"}
    seen = {
        "": text(ENGINE.picture(war, "", NOTHING_KNOWN)),
        "japan": text(ENGINE.picture(war, "japan", japan)),
        "australia": text(ENGINE.picture(war, "australia", commonwealth)),
        "britain": text(ENGINE.picture(war, "britain", commonwealth)),
    }
    for seat, read in seen.items():
        assert "Australian cards 1 in hand" in read
        assert ("Flaming Oil" in read) == (seat in ("australia", "britain"))
        assert ("Depot Dispersal" in read) == (seat in ("australia", "britain"))
        assert ("Banzai Charge" in read) == (seat == "japan")
    assert "'a d6; 5 or 6 eliminates it.'" in seen["australia"]  # what an own card does
    assert "Gain a d6 of supplies." not in seen["australia"]
    assert "Gain a d6 of supplies." in seen["britain"]


def test_nobody_looks_into_a_pile_or_another_hand() -> None:
    war = begin()
    c = cards.of(war)
    c.pile["CW"], c.hand["A"], c.hand["B"] = c.pile["CW"][4:], (B(0), B(1)), (B(2), B(3))
    for seat, slot, fine in (
        ("australia", B(0), True),
        ("australia", B(2), False),
        ("australia", B(4), False),
        ("japan", B(0), False),
        ("britain", B(2), True),
    ):
        verdict = ENGINE.refuse(war, seat, Opened(seat, ((slot, "depot"),)), {slot: "depot"})
        assert (verdict is None) == fine
        assert fine or verdict.ids == ("15.2.4",)  # type: ignore[union-attr]


def test_cards_are_sealed_anew_where_they_lie_together() -> None:
    war = begin()
    c = cards.of(war)
    c.pile["CW"], c.hand["A"], c.hand["B"] = c.pile["CW"][4:], (B(0), B(1)), (B(2), B(3))
    new = ("britain-cards/2/0", "britain-cards/2/1")
    for old, fine in (((B(0), B(1)), True), ((B(4), B(5)), True), ((B(1), B(2)), False), ((B(3), B(4)), False)):
        act = Sealed("britain", "britain-cards", "deck", new, old)
        verdict = ENGINE.refuse(war, "britain", act, NOTHING_KNOWN)
        assert (verdict is None) == fine
    ENGINE.apply(war, Sealed("britain", "britain-cards", "deck", new, (B(0), B(1))))
    assert c.hand["A"] == new
    c.opened[B(2)] = "depot"
    opened = Sealed("britain", "britain-cards", "deck", ("britain-cards/3/0", "britain-cards/3/1"), (B(2), B(3)))
    assert isinstance(ENGINE.refuse(war, "britain", opened, NOTHING_KNOWN), Illegal)


# --- Events ---


def test_an_event_that_is_kept_back_is_owed_and_found_in_the_audit() -> None:
    war = begin()
    c = cards.of(war)
    c.pile["J"], c.fresh = c.pile["J"][2:], (J(0), J(1))
    (ask,) = ENGINE.pending(war)
    assert ask.client == Claim("events")  # type: ignore[union-attr]
    kept = Events()
    assert ENGINE.refuse(war, "japan", kept, NOTHING_KNOWN) == Owes(f"no Event is in {J(0)}, {J(1)}")
    audit: Known = {J(0): "boats", J(1): "banzai"}
    verdict = ENGINE.refuse(war, "japan", kept, audit)
    assert isinstance(verdict, Illegal)
    assert verdict.ids == ("15.2.3", "8.5.3.1")
    assert list(ENGINE.offers(war, "japan", audit)) == [Events(cards=(J(0),))]
    told = ENGINE.refuse(war, "japan", Events(cards=(J(0),)), {J(0): "boats"})
    assert told == Owes(f"no Event is in {J(1)}")
    for wrong in (Events(cards=(J(1),)), Events(cards=(J(9),)), Events(cards=(J(0), J(0)))):
        assert isinstance(ENGINE.refuse(war, "japan", wrong, audit), Illegal)
    assert isinstance(ENGINE.refuse(war, "britain", Events(cards=(J(0),)), audit), Illegal)
    assert isinstance(ENGINE.refuse(war, "japan", Events(cards=(J(0),)), NOTHING_KNOWN), Illegal)


# --- names ---


def test_cards_are_typed_by_name_and_signed_as_slots() -> None:
    war = begin()
    c = cards.of(war)
    c.hand["J"] = (J(0), J(1), J(2))
    known: Known = {J(0): "banzai", J(1): "engineers", J(2): "banzai"}
    bridge = PlayCard(card=J(1), places=("buloh", "kranji"))
    for typed in (
        "card Engineer Bridging at Buloh Kranji",
        'card "engineer bridging" at buloh, kranji',
        "play engineers at Buloh Kranji",
        f"card {J(1)} at Buloh Kranji",
    ):
        assert reading.read(war, "japan", typed, known) == (bridge,)
    assert ENGINE.phrase(war, "japan", bridge, known) == 'card "Engineer Bridging" at Buloh Kranji'
    assert ENGINE.phrase(war, "britain", bridge, NOTHING_KNOWN) == f"card {J(1)} at Buloh Kranji"
    first, second = PlayCard(card=J(0)), PlayCard(card=J(2))
    assert ENGINE.phrase(war, "japan", first, known) == 'card "Banzai Charge"'
    assert ENGINE.phrase(war, "japan", second, known) == f"card {J(2)}"
    assert reading.read(war, "japan", "card Banzai Charge", known) == (first,)
    assert reading.read(war, "britain", "card Banzai Charge", NOTHING_KNOWN) == (PlayCard(card="banzai"),)
    not_held = ENGINE.refuse(war, "britain", PlayCard(card="banzai"), NOTHING_KNOWN)
    assert isinstance(not_held, Illegal)
    assert not_held.why == "you hold no Banzai Charge"


def test_who_plays_two_armies_names_the_card_of_the_one_that_acts() -> None:
    war = begin("campaign-two")
    c = cards.of(war)
    mine = "allies-cards/1/{}".format
    c.hand["A"], c.hand["B"] = (mine(5),), (mine(3),)
    known: Known = {mine(5): "demolition", mine(3): "demolition"}
    for turn, slot in ((2, mine(5)), (3, mine(3))):
        war.turn = turn
        assert reading.read(war, "allies", "card Demolition Party at Kranji Mandai", known) == (
            PlayCard(card=slot, places=("kranji", "mandai")),
        )


# --- what may be changed by consent ---


def test_cards_and_supplies_stay_as_agreed_and_the_way_to_win_may_change() -> None:
    war = begin()
    for options, ids in (({"cards": "no"}, ("8.2.3",)), ({"supplies": "no"}, ("8.2.2",))):
        verdict = ENGINE.refuse(war, "japan", Amended({**war.options, **options}), NOTHING_KNOWN)
        assert isinstance(verdict, Illegal)
        assert verdict.ids == ids
    agreed = Amended({**war.options, "win": "ranked", "r6": "sealed"})
    assert ENGINE.refuse(war, "japan", agreed, NOTHING_KNOWN) is None
    ENGINE.apply(war, agreed)
    assert (war.options["win"], war.options["r6"], war.options["cards"]) == ("ranked", "sealed", "yes")


# --- what is passed over ---


def test_no_card_is_what_odds_assume() -> None:
    war = begin()
    assert ENGINE.passive(war, Ask("japan", "combat_cards", "15.3.2")) == NoCard()  # type: ignore[attr-defined]
    assert ENGINE.passive(war, Ask("japan", "supply_cards", "15.3.2")) is None  # type: ignore[attr-defined]


def test_states_with_cards_can_be_compared_and_copied() -> None:
    war = begin()
    other = war.copy()
    assert war == other
    cards.of(other).hand["J"] = (J(0),)
    assert war != other
    assert cards.of(war) != "cards"
    cards.of(war).effects = (Effect(J(1), "J", 3, ("buloh",), ()),)
    cards.of(war).gaining = Played(J(2), "J")
    assert cards.of(war).copy() == cards.of(war)


def test_the_map_shows_what_cards_change_on_it() -> None:
    war = begin()
    c = cards.of(war)
    board = war.board
    pairs = [(a, step.to, step) for a in board.sectors for step in board.neighbours(a) if a < step.to]
    road = next((a, b) for a, b, step in pairs if step.road and not step.water)
    water = next((a, b) for a, b, step in pairs if step.way == "water")
    c.opened = {B(0): "demolition", J(0): "engineers", J(1): "leaflets"}
    c.effects = (
        Effect(B(0), "A", 4, road, ()),
        Effect(J(0), "J", 3, water, ()),
        Effect(J(1), "J", 4, ("city",), ("J-Bmb-1",)),
    )
    drawn = picture.view(seen_by(war, "", {})).pictures[0]
    signs = {mark.style: mark.name for mark in drawn.marks if isinstance(mark, Area)}
    names = tuple(board.name(id) for id in road)
    assert signs["cut"].startswith(f"{names[0]} - {names[1]}: Demolition Party, until the end of ")
    assert "Engineer Bridging" in signs["bridged"]
    assert "Propaganda Leaflets" in signs["shut"]
    assert {"Road cut", "Bridged", "No entry"} <= {words for _, words in drawn.legend}
    text = "\n".join(drawn.text)
    codes = [board.sectors[id].code for id in (*road, *water)]
    assert f"=x{codes[1]}" in text
    assert f"=x{codes[0]}" in text
    assert f"~^{codes[3]}" in text
    assert "closed to the enemy" in next(line for line in drawn.text if line.startswith(board.sectors["city"].code))
    assert max(map(len, drawn.text)) <= 78
