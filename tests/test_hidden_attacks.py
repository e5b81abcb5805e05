"""The attacks of protocol 5.3 on hidden information, windows and undo: one named test a row, real keys, the exact code.

Each attack stands beside its honest twin: what the same seat writes at the same place, and everybody takes.
`Gang.refusal` also checks that a file with the line gets the same verdict and that the game so far stays as it was.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from board import Board
from builder import Match, chain, key, sign_line
from duel import Duel, Ground
from duel import Move as Ride
from test_hidden_play import LINKS, Party, master
from toy_hidden import CARDS, PLACES, Move, Pass, Smugglers

from pbem import canon, charter, dice, keys, record, report, sealed, verify
from pbem.api import Ask, Commit, Disclose, Note, OpenSlots, Order, Ordered, Roll, Rolled, Start, Step, Tell, silent
from pbem.author import Author
from pbem.errors import Refused
from pbem.record import Event
from pbem.replay import Fold, Ruleset
from pbem.sealed import Sealing
from pbem.vault import Vault

DEAD = "0" * 64
Choose = Callable[["Gang", Ask], Order]


class Liar(Vault):
    """Seals what its owner likes: `lies` holds the contents of an epoch by `name/epoch`."""

    lies: Mapping[str, list[str]] = {}

    def epoch_contents(
        self, secret: bytes, sealing: Sealing, epoch: int, seq: int, count: int, base: Sequence[Any]
    ) -> list[Any]:
        true = super().epoch_contents(secret, sealing, epoch, seq, count, base)
        return list(self.lies.get(f"{sealing.name}/{epoch}", true))


class Gang:
    """One game of the toy with all its secrets, folded as it is written. `wishes` say what is ordered where."""

    engine: Any = Smugglers()

    def __init__(
        self,
        seats: tuple[str, ...] = ("red", "blue"),
        policy: str = "sealed",
        *,
        lies: Mapping[str, list[str]] | None = None,
        masters: Mapping[str, bytes] | None = None,
        wishes: Mapping[str, Choose] | None = None,
        engine: Any = None,
    ) -> None:
        self.game = Party(seats, policy, 0).game
        self.engine = engine or self.engine
        self.wishes = dict(wishes or {})
        self.events: list[Event] = []
        self.vaults: dict[str, Vault] = {}
        for seat in seats:
            self.vaults[seat] = Liar(seat, (masters or {}).get(seat, master(seat)))
            self.vaults[seat].lies = lies or {}  # type: ignore[attr-defined]
        self.fold = self.fresh()

    # Folding

    def rules(self, game: charter.Game) -> Ruleset:
        return Ruleset(self.engine, Start(game.charter.scenario, {}, game.seats, 1, None))

    def fresh(self) -> Fold:
        return Fold(self.game, self.rules(self.game), past=lambda to: iter(self.events[:to]))

    def refold(self) -> Fold:
        fold = self.fresh()
        for event in self.events:
            assert fold.take(fold.read(event.line()))
        return fold

    @property
    def state(self) -> Any:
        return self.fold.state

    @property
    def ask(self) -> Ask:
        first = self.fold.asks[0]
        assert isinstance(first, Ask)
        return first

    @property
    def asked(self) -> str:
        """What is asked first: a question, or `roll`."""
        first = self.fold.asks[0] if self.fold.asks else None
        return first.what if isinstance(first, Ask) else "roll" if first else ""

    # Writing by the rules

    def author(self, seat: str = "") -> Author:
        seat = seat or self.fold.holder
        links = chain(seat, links=LINKS)
        return Author(self.fold, seat, key(seat), lambda n: links[n], self.vaults[seat], self.events)

    def write(self, kind: str, body: Mapping[str, Any] | None = None) -> Event:
        return self.author().write(kind, body or {})

    def item(self, seat: str, slot: str) -> dict[str, Any]:
        return self.vaults[seat].item(self.fold, slot)

    def known(self, seat: str) -> dict[str, Any]:
        return self.vaults[seat].known(self.fold)

    def choose(self, ask: Ask) -> Order:
        """What is wished, or else a quiet order: a step of one place rather than anything with a secret."""
        if ask.what in self.wishes:
            return self.wishes[ask.what](self, ask)
        offers = list(self.engine.offers(self.state, ask.seat, self.known(ask.seat)))
        steps = [one for one in offers if isinstance(one, Move) and self.one_step(one)]
        return (steps or offers)[0]

    def quiet(self, ask: Ask) -> Order:
        """A step of one place."""
        ideas = self.engine.ideas(self.state, ask.seat, {})
        return next(one for one in ideas if isinstance(one, Move) and self.one_step(one))

    def card(self, ask: Ask) -> Order:
        """Play the first card of the hand."""
        return self.engine.orders["play"](card=self.state.hands[ask.seat][0])

    def one_step(self, order: Move) -> bool:
        return abs(PLACES.index(self.state.men[order.man]) - PLACES.index(order.place)) == 1

    def step(self) -> None:
        """The next event of honest clients."""
        fold, author = self.fold, self.author()
        first = fold.asks[0] if fold.asks else None
        waits = fold.batch is not None and fold.batch.seed is None
        if fold.open_pair and fold.seq == 0:
            author.handover()
        elif fold.open_pair and waits and fold.waits_for_chance() and not fold.dice_late() and not fold.windows:
            author.resolve()
        elif waits and not fold.open_pair:
            assert fold.batch is not None
            author.resolve([self.author(one).slip() for one in fold.batch.contributors if one != fold.batch.requester])
        elif not isinstance(first, Ask) or first.seat != author.seat or fold.windows:
            author.handover()
        elif first.client is None:
            author.order(self.choose(first))
        elif isinstance(first.client, Commit):
            author.seal(first)
        elif isinstance(first.client, OpenSlots):
            author.open(first.client.slots)
        elif isinstance(first.client, Disclose):
            author.write("disclose", self.vaults[author.seat].disclosure(fold, first.client.name))
        elif "declare" in self.wishes:
            author.order(self.wishes["declare"](self, first))
        else:
            author.answer_client_asks()

    def go(self, what: str = "", seat: str = "", turn: int = 0) -> Gang:
        """On until that is asked, of a seat that holds the baton; without an argument to the end."""
        for _ in range(1_000):
            if self.fold.closed:
                break
            if what and self.asked == what and self.state.turn >= turn:
                mine = what == "roll" or self.ask.seat == self.fold.holder
                if mine and (not seat or self.ask.seat == seat):
                    return self
            self.step()
        assert not what, f"{what} is never asked"
        return self

    def resign(self) -> Gang:
        """The holder gives up; the audit follows."""
        self.write("resign")
        return self.go()

    def undo(self, to: int) -> Event:
        return self.write("undo", self.with_consents("undo", {"to": to}))

    def with_consents(self, kind: str, body: canon.Doc) -> canon.Doc:
        fold = self.fold
        others = sorted(seat for seat in fold.in_game if seat != fold.holder)
        given = [
            {"seat": one, "sig": self.author(one).consent(kind, body, fold.head, fold.seq + 1).sig.hex()}
            for one in others
        ]
        return {**body, "consents": given}

    # Files and forgeries

    def head(self) -> bytes:
        return self.game.line() + b"".join(charter.seal(key(one), self.game, one) for one in self.game.sealers())

    def file(self, upto: int | None = None) -> bytes:
        return self.head() + b"".join(event.line() for event in self.events[:upto])

    def verdict(self, data: bytes | None = None) -> verify.Verdict:
        return verify.verify(io.BytesIO(self.file() if data is None else data), self.rules, workers=0)

    def refusal(self, kind: str, body: Any, seat: str = "") -> Refused:
        """The refusal that the next event meets, well signed by the holder or by another seat."""
        fold = self.fold
        seat = seat or fold.holder
        doc = {"body": body, "game": self.game.id, "kind": kind, "prev": fold.head, "seat": seat, "seq": fold.seq + 1}
        line = sign_line(key(seat), canon.encode({**doc, "v": 1}))
        again = self.refold()
        with pytest.raises(Refused) as refused:
            again.take(again.read(line))
        verdict = self.verdict(self.file() + line)
        word = "DIVERGED" if refused.value.code == "E_STATE" else "INVALID"
        assert (verdict.word, verdict.code) == (word, refused.value.code)
        assert (verdict.seq, verdict.head) == (fold.seq, fold.head)
        assert self.refold().digest() == fold.digest()
        return refused.value

    def code(self, kind: str, body: Any, seat: str = "") -> str:
        return self.refusal(kind, body, seat).code

    def handover_body(self, **fields: Any) -> canon.Doc:
        """A handover with everything right but what is said here (None: left out)."""
        fold = self.fold
        body = {"count": fold.since_handover + 1, "state": fold.digest(), "owed": list(fold.owed())} | fields
        return {name: value for name, value in body.items() if value is not None}

    def request_body(self) -> canon.Doc:
        """A handover that asks for dice, whether they are due or not."""
        number = self.fold.requested + 1
        link = chain(self.fold.holder, links=LINKS)[number].hex()
        return self.handover_body(owed=["dice"], next=self.fold.holder, batch=number, link=link)

    def reseal_body(self, name: str, slots: Sequence[str], contents: Sequence[str] | None = None) -> canon.Doc:
        """What the holder publishes in place of slots of its own."""
        seat, fold = self.fold.holder, self.fold
        sealing = fold.slots.names[name]
        vault, epoch, seq = self.vaults[seat], sealing.next_epoch(), fold.seq + 1
        if contents is None and sealing.what != "private":
            secret = sealed.secret_of(vault.master, name)
            told = vault.contents(fold, sealing)
            contents = vault.epoch_contents(secret, sealing, epoch, seq, len(slots), [told[slot] for slot in slots])
        contents = contents or [DEAD] * len(slots)
        hashes = vault.hashes(fold, sealing, epoch, seq, contents)
        return {"epoch": epoch, "from": list(slots), "hashes": hashes, "name": name, "what": sealing.what}


def convicted(gang: Gang, code: str, act: Callable[[], object] | None = None) -> Refused:
    """The refusal that ends the audit of a game that its loser gives up."""
    with pytest.raises(Refused) as refused:
        (act or gang.resign)()
    assert refused.value.code == code
    return refused.value


def no_high_card(gang: Gang, ask: Ask) -> Order:
    return gang.engine.orders["declare"](number=0)


# --- 31, 32: plans ---


def test_row_31_undo_takes_a_plan_back_only_with_consent_and_for_new_dice() -> None:
    match = Match()
    match.order("attack", target="blue")
    match.handover()
    match.resolve()
    assert match.fold.batch is not None
    seen, first = list(match.fold.state.values), match.fold.batch.seed
    assert match.code("undo", {"to": 0, "consents": []}) == "E_CONSENT"
    match.write("undo", match.with_consents("undo", {"to": 0}))
    assert match.fold.state.values == []
    assert match.fold.asks[0].seat == "red"  # type: ignore[union-attr]
    match.handover()
    match.order("attack", target="blue", plan="another one")
    match.handover()
    assert match.fold.requested == 2
    match.resolve()
    assert match.fold.batch.seed != first
    assert match.fold.state.values[0].startswith("t1/attack/blue#2 ")
    assert match.fold.state.values != seen


class Wary(Duel):
    """A duel in which a ride to hex 9 is a standing order, carried out by rule after the dice if it still can be."""

    def apply(self, s: Ground, step: Step, tell: Tell = silent) -> None:
        if isinstance(step, Ordered) and isinstance(step.order, Ride) and step.order.to == 9:
            s.values.append(f"filed {step.seat}/{step.order.unit}")
            return
        super().apply(s, step, tell)
        if isinstance(step, Rolled):
            for filed in [one for one in s.values if one.startswith("filed ")]:
                s.values.remove(filed)
                self.carry_out(s, filed.removeprefix("filed "), tell)

    def carry_out(self, s: Ground, unit: str, tell: Tell) -> None:
        if 9 in s.hexes.values():
            tell(Note("lost", {"seat": unit, "points": "its order: void, the hex is taken"}))
            s.values.append(f"void {unit}")
        else:
            s.hexes[unit] = 9


def test_row_32_a_filed_order_that_cannot_be_carried_out_is_void_on_every_machine() -> None:
    """The rules define what void means; the core folds it as one batch, the same everywhere, and nobody is asked."""
    match = Match()
    rules = Ruleset(Wary(), Start("duel", {}, ("red", "blue"), 1, None))
    match.fold = Fold(match.game, rules)
    match.order("move", unit="u1", to=9)
    match.order("move", unit="u2", to=9)
    match.order("attack", target="blue")
    match.handover()
    match.resolve()
    assert match.fold.state.hexes["red/u1"] == 9  # the twin: it could be carried out
    assert match.fold.state.hexes["red/u2"] == 2
    assert match.fold.state.values[-1] == "void red/u2"
    other = Fold(match.game, rules)
    for event in match.events:
        other.take(other.read(event.line()))
    assert other.digest() == match.fold.digest()
    verdict = verify.verify(io.BytesIO(match.file()), lambda game: rules, workers=0)
    assert verdict.word == "VALID SO FAR"


# --- 34, 35, 61: seals and openings ---


def cargo() -> Gang:
    """Red has hidden a cargo, blue has guessed, and red is to open."""
    return Gang().go("cargo", "red")


def test_row_34_a_copied_commitment_cannot_be_opened_by_another_seat() -> None:
    gang = cargo()
    theirs = gang.item("red", "t1/hide#1")
    copied = gang.fold.slots.names["t1/hide#1"].epochs[0].hashes
    gang.go("hide", "blue")
    gang.write("seal", {"hashes": list(copied), "name": "t2/hide#1", "what": "choice"})
    gang.go("guess", "red")
    gang.step()
    gang.author().handover()
    assert gang.asked == "cargo"
    assert gang.code("open", {"items": [{**theirs, "slot": "t2/hide#1"}]}) == "E_OPENING"
    assert gang.code("open", {"items": [theirs]}) == "E_OPENING"
    raw, salt = bytes.fromhex(gang.game.id), bytes.fromhex(theirs["salt"])
    content = canon.encode(theirs["content"])
    assert canon.H("pbem/v1/commit", raw, "red", "t1/hide#1", salt, content).hex() == copied[0]
    assert canon.H("pbem/v1/commit", raw, "blue", "t1/hide#1", salt, content).hex() != copied[0]


def test_row_34_an_own_commitment_is_opened() -> None:
    gang = Gang().go("cargo", "blue")
    gang.write("open", {"items": [gang.item("blue", "t2/hide#1")]})
    assert gang.state.last["blue"] in PLACES


def test_row_34_copied_card_hashes_and_another_seats_name() -> None:
    gang = Gang(wishes={"declare": no_high_card}).go("cards", "blue")
    theirs = gang.fold.slots.names["red-cards"].epochs[0].hashes
    named = {"epoch": 1, "hashes": list(theirs), "what": "deck"}
    for name in ("red-cards", "cards", "blue-men", "green-cards"):
        assert gang.code("seal", {**named, "name": name}) == "E_OPENING"
    for change in ({"epoch": 2}, {"hashes": list(theirs[:3])}, {"what": "purse"}, {"from": ["red-cards/1/0"]}):
        assert gang.code("seal", {**named, "name": "blue-cards", **change}) == "E_OPENING", change
    gang.write("seal", {**named, "name": "blue-cards"})  # nobody can tell
    gang.go("act", "blue")
    slot = gang.state.hands["blue"][0]
    place = slot.rpartition("/")[2]
    stolen = {**gang.item("red", f"red-cards/1/{place}"), "slot": slot}
    assert gang.code("play", {"card": slot, "opens": [stolen]}) == "E_OPENING"
    assert gang.code("play", {"card": slot, "opens": [gang.item("blue", slot)]}) == "E_OPENING"


def test_row_35_wrong_salt_content_slot_or_epoch() -> None:
    gang = Gang().go("act", "red")
    first, second = gang.state.hands["red"]
    item, other = gang.item("red", first), gang.item("red", second)
    wrong = [
        {**item, "salt": DEAD},
        {**item, "salt": other["salt"]},
        {**item, "content": other["content"]},
        {**item, "content": {"card": item["content"]}},
        {**item, "slot": second},
        {**item, "slot": "red-cards/1/4"},
        {**item, "slot": "red-cards/2/0"},
        {**item, "slot": "red-cards/01/0"},
        {**item, "slot": "red-cards/1"},
        {**item, "slot": "blue-cards/1/0"},
        {"slot": first},
        {"slot": first, "content": item["content"]},
    ]
    for one in wrong:
        assert gang.code("open", {"items": [one]}) == "E_OPENING", one
    for one in wrong[:3]:
        assert gang.code("play", {"card": first, "opens": [one]}) == "E_OPENING", one
    assert gang.code("open", {"items": [item, item]}) == "E_OPENING"
    gang.write("open", {"items": [item]})
    assert gang.state.faces[first] == item["content"]


def test_row_35_an_opening_of_another_epoch() -> None:
    """After a reseal the old salt opens nothing, and what was replaced is in nobody's hand."""
    gang = Gang().go("act", "red")
    old = gang.state.hands["red"]
    items = [gang.item("red", slot) for slot in old]
    gang.write("seal", gang.reseal_body("red-cards", old))
    new = gang.state.hands["red"]
    assert [slot.split("/")[1] for slot in new] == ["2", "2"]
    for slot in new:
        for item in items:
            assert gang.code("play", {"card": slot, "opens": [{**item, "slot": slot}]}) == "E_OPENING"
    assert gang.code("play", {"card": old[0], "opens": [items[0]]}) == "E_RULE"
    assert gang.code("play", {"card": new[0], "opens": [items[0]]}) == "E_RULE"
    gang.write("play", {"card": new[0], "opens": [gang.item("red", new[0])]})


def test_row_35_twice_only_with_an_undo_between() -> None:
    gang = Gang().go("act", "red")
    here, slot = gang.fold.seq, gang.state.hands["red"][0]
    item = gang.item("red", slot)
    gang.write("open", {"items": [item]})
    assert gang.code("open", {"items": [item]}) == "E_OPENING"
    assert gang.code("play", {"card": slot, "opens": [item]}) == "E_OPENING"
    gang.undo(here)
    assert slot not in gang.state.faces
    gang.write("open", {"items": [item]})
    assert gang.state.faces[slot] == item["content"]


def test_row_61_opened_content_against_the_rules() -> None:
    """The line is the proof: whoever has the file up to it and the rules sees it. There is no second choice."""
    gang = Gang()
    gang.go("hide", "red", turn=3)
    twice = gang.state.last["red"]
    gang.author().seal(gang.ask, gang.engine.orders["hide"](place=twice))
    gang.go("guess", "blue")
    gang.step()
    gang.author().handover()
    item = gang.item("red", "t3/hide#1")
    assert item["content"] == {"place": twice}
    illegal = gang.refusal("open", {"items": [item]})
    assert (illegal.code, illegal.ids) == ("E_OPENED_ILLEGAL", ("2",))
    other = next(place for place in PLACES if place != twice)
    assert gang.code("open", {"items": [{**item, "content": {"place": other}}]}) == "E_OPENING"
    again = {"hashes": [DEAD], "name": "t3/hide#1", "what": "choice"}
    assert gang.code("seal", again) == "E_OPENING"
    assert gang.code("seal", {**again, "name": "t3/hide#2"}) == "E_OPENING"
    line = sign_line(key("red"), canon.encode(event_doc(gang, "open", {"items": [item]})))
    verdict = gang.verdict(gang.file() + line)
    assert verdict.line().startswith(f"INVALID at event {gang.fold.seq + 1}: E_OPENED_ILLEGAL")


@pytest.mark.parametrize("content", [{"place": 3}, {}, {"place": "hill", "more": 1}, {"place": ["hill"]}])
def test_row_61_opened_content_that_is_no_order(content: canon.Doc) -> None:
    gang = Gang().go("hide", "red")
    salt = bytes(range(32))
    hidden = sealed.commitment(bytes.fromhex(gang.game.id), "red", "t1/hide#1", salt, content)
    gang.write("seal", {"hashes": [hidden], "name": "t1/hide#1", "what": "choice"})
    gang.author().handover()
    gang.step()
    gang.author().handover()
    item = {"content": content, "salt": salt.hex(), "slot": "t1/hide#1"}
    assert gang.code("open", {"items": [item]}) == "E_OPENED_ILLEGAL"


def event_doc(gang: Gang, kind: str, body: Any) -> canon.Doc:
    fold = gang.fold
    doc = {"body": body, "game": gang.game.id, "kind": kind, "prev": fold.head, "seat": fold.holder, "v": 1}
    return {**doc, "seq": fold.seq + 1}


# --- 36, 37, 39, 64: cards ---


def test_row_36_cards_that_are_not_in_ones_hand() -> None:
    gang = Gang().go("act", "red")
    pile, mine, theirs = gang.state.piles["red"][0], gang.state.hands["red"][0], gang.state.hands["blue"][0]
    assert gang.code("play", {"card": pile, "opens": [gang.item("red", pile)]}) == "E_RULE"
    assert gang.code("play", {"card": pile}) == "E_RULE"
    assert gang.code("open", {"items": [gang.item("red", pile)]}) == "E_RULE"
    assert gang.code("play", {"card": theirs, "opens": [gang.item("blue", theirs)]}) == "E_OPENING"
    assert gang.code("play", {"card": theirs}) == "E_RULE"
    assert gang.code("play", {"card": mine}) == "E_RULE"  # not opened
    item = gang.item("red", mine)
    gang.write("play", {"card": mine, "opens": [item]})
    gang.go("act", "red", turn=3)
    assert mine in gang.state.discards["red"]
    assert gang.code("play", {"card": mine}) == "E_RULE"
    assert gang.code("play", {"card": mine, "opens": [item]}) == "E_OPENING"


def stacked(*cards: str) -> Gang:
    return Gang(lies={"red-cards/1": list(cards)}, wishes={"declare": no_high_card}).go("act", "red")


def test_row_37_the_second_copy_of_a_unique_card() -> None:
    gang = stacked("ace", "ace", "ace", "ace")
    one, two = (gang.item("red", slot) for slot in gang.state.hands["red"])
    assert gang.code("open", {"items": [one, two]}) == "E_DUPCARD"
    gang.write("open", {"items": [one]})
    assert gang.code("open", {"items": [two]}) == "E_DUPCARD"


def test_row_37_a_foreign_card() -> None:
    gang = Gang(lies={"red-cards/1": ["king"] * 4}).go("declare", "red")
    gang.write("declare", {"number": 0})
    gang.wishes["declare"] = no_high_card
    gang.go("act", "red")
    slot = gang.state.hands["red"][0]
    assert gang.code("play", {"card": slot, "opens": [gang.item("red", slot)]}) == "E_NOSUCHCARD"


@pytest.mark.parametrize("cards", [["ace", "ace", "crown", "dart"], ["ace", "bolt", "crown", "king"], ["ace"] * 4])
def test_row_37_a_stacked_deck_of_which_nothing_is_played_is_found_in_the_audit(cards: list[str]) -> None:
    gang = stacked(*cards)
    found = convicted(gang, "E_DECKFRAUD")
    assert "red-cards, epoch 1" in found.what


def test_row_37_a_missing_card() -> None:
    gang = Gang().go("cards", "red")
    honest = gang.refold()
    body = Author(honest, "red", key("red"), lambda n: b"", gang.vaults["red"]).seal(gang.ask).body
    for hashes in (body["hashes"][:3], [*body["hashes"], DEAD], []):
        assert gang.code("seal", {**body, "hashes": hashes}) == "E_OPENING"
    gang.write("seal", body)
    gang.go("act", "red")
    gang.resign()
    assert gang.verdict().word == "VALID"


def test_row_39_a_card_that_was_played_is_smuggled_back_into_the_pile() -> None:
    gang = Gang().go("act", "red")
    slot = gang.state.hands["red"][0]
    ace = gang.item("red", slot)["content"]
    gang.write("play", {"card": slot, "opens": [gang.item("red", slot)]})
    gang.go("act", "red", turn=3)
    here, pile = gang.events[:], gang.state.piles["red"]
    assert len(pile) == 1
    gang.vaults["red"].lies = {"red-cards/2": [ace]}  # type: ignore[attr-defined]
    gang.write("seal", gang.reseal_body("red-cards", pile))
    found = convicted(gang, "E_DECKFRAUD")
    assert "red-cards, epoch 2" in found.what
    twin = Gang()
    twin.events, twin.fold = here, twin.fresh()
    twin.fold = twin.refold()
    twin.vaults["red"].chosen, twin.vaults["blue"].chosen = (gang.vaults[one].chosen for one in ("red", "blue"))
    twin.write("seal", twin.reseal_body("red-cards", pile))
    twin.resign()
    assert twin.verdict().word == "VALID"


def holder_of_the_crown() -> Gang:
    """A game in which red has the crown when it is to act."""
    for number in range(40):
        gang = Gang(masters={"red": bytes([number]) * 32}).go("declare", "red")
        if "crown" in [gang.known("red")[slot] for slot in gang.state.hands["red"]]:
            return gang.go("act", "red")
    raise AssertionError("nobody ever draws the crown")


def test_row_64_a_compulsory_play_that_was_missed_is_found_in_the_audit() -> None:
    gang = holder_of_the_crown()
    concealed = gang.write("pass")  # a program that was altered signs it all the same
    assert [one.fact for one in gang.fold.obligations if one.seq == concealed.seq] == ["red does not hold the crown"]
    gang.go("act", "blue")
    assert gang.verdict().word == "VALID SO FAR"
    found = convicted(gang, "E_RULE")
    assert found.event == concealed.seq
    assert found.ids == ("9",)


def test_row_64_the_verdict_names_the_event_of_the_missed_play() -> None:
    gang = holder_of_the_crown()
    concealed = gang.write("pass")
    gang.go("act", "blue").write("resign")
    gang.go("disclose", "red")
    while (event := next_disclosure(gang)) is not None and takes(gang, event):
        gang.step()
    assert event is not None
    verdict = gang.verdict(gang.file() + event.line())
    assert verdict.line() == f"INVALID at event {concealed.seq}: E_RULE [9] whoever holds the crown must act"
    assert verdict.status == 1


def next_disclosure(gang: Gang) -> Event | None:
    """What the holder discloses next; None where somebody else is asked."""
    if gang.asked != "disclose" or gang.ask.seat != gang.fold.holder:
        return None
    assert isinstance(gang.ask.client, Disclose)
    return event_of(gang, "disclose", gang.vaults[gang.fold.holder].disclosure(gang.fold, gang.ask.client.name))


def takes(gang: Gang, event: Event) -> bool:
    try:
        return gang.refold().take(event)
    except Refused:
        return False


def event_of(gang: Gang, kind: str, body: Any) -> Event:
    return record.read_event(sign_line(key(gang.fold.holder), canon.encode(event_doc(gang, kind, body))))


def test_row_64_whoever_has_no_crown_passes_and_proves_it() -> None:
    for number in range(40):
        gang = Gang(masters={"red": bytes([number]) * 32}).go("act", "red")
        if "crown" not in [gang.known("red")[slot] for slot in gang.state.hands["red"]]:
            break
    gang.author().order(Pass())
    gang.go("act", "blue").resign()
    assert gang.verdict().word == "VALID"
    assert gang.fold.obligations == []


def test_row_64_a_list_of_another_length_answers_no_ask() -> None:
    """Secret options are one seal with as many slots as the rule has parts: neither more nor fewer."""
    gang = Gang().go("stock", "red")
    for count in (3, 5):
        body = {"epoch": 1, "hashes": [DEAD] * count, "name": "red-cup", "what": "purse"}
        assert gang.code("seal", body) == "E_OPENING"


# --- 38: what is sealed too late ---


def between() -> Gang:
    """Red has asked for the dice of the cup, and holds the baton: they are not out."""
    gang = Gang(wishes={"act": lambda gang, ask: gang.quiet(ask)}).go("roll", turn=1)
    gang.write("handover", gang.request_body() | {"next": "red"})
    assert gang.fold.holder == "red"
    return gang


def test_row_38_nothing_is_sealed_between_the_request_and_the_dice() -> None:
    gang = between()
    zones = {"red-cards": gang.state.piles, "red-cup": gang.state.cups, "red-values": gang.state.values}
    for name, zone in zones.items():
        assert gang.code("seal", gang.reseal_body(name, zone["red"])) == "E_BATCH", name
    choice = {"hashes": [DEAD], "name": "t2/hide#1", "what": "choice"}
    assert gang.code("seal", choice) == "E_BATCH"
    gang.step()
    assert gang.events[-1].kind == "resolve"


def test_row_38_a_reshuffle_comes_before_the_request_of_the_draw() -> None:
    """While it is due no dice can be asked for, and afterwards there is a batch of its own."""
    gang = Gang(wishes={"act": lambda gang, ask: gang.card(ask)})
    gang.go("reshuffle")
    assert gang.code("handover", gang.request_body()) == "E_OWED"
    number = gang.fold.requested
    gang.step()
    assert gang.fold.batch is None
    gang.go("roll")
    gang.step()
    gang.step()
    assert gang.fold.requested == number + 1


def test_row_38_under_open_dice_a_late_seal_waits_for_the_next_period() -> None:
    gang = Gang(policy="open").go("act", "red")
    cup = gang.state.cups["red"]
    gang.write("seal", gang.reseal_body("red-cup", cup))
    gang.author().order(gang.quiet(gang.ask))
    assert gang.asked == "roll"
    number = gang.fold.requested
    link = chain("red", links=LINKS)[number].hex()
    assert gang.code("resolve", {"batch": number, "link": link}) == "E_LATECOMMIT"
    gang.go("hide", "blue")
    assert gang.fold.requested == number + 1


def test_row_38_under_open_dice_what_was_sealed_before_is_drawn_from_at_once() -> None:
    gang = Gang(policy="open").go("act", "red")
    gang.author().order(gang.quiet(gang.ask))
    number = gang.fold.requested
    gang.write("resolve", {"batch": number, "link": chain("red", links=LINKS)[number].hex()})
    assert gang.asked == "chit"


# --- 40, 60, 62: chits, counters, cups ---


def test_row_40_chits_spent_twice_elsewhere_or_beyond_what_was_received() -> None:
    board = Board()
    board.order("chits supply 3", "assign supply: hill 1, river 2")
    known, purse = board.known("red"), board.fold.state.held.purses["red-supply"]
    rivers = [board.item("red", slot) for slot in purse.slots if known[slot] == "river"]
    hill = [board.item("red", slot) for slot in purse.slots if known[slot] == "hill"]
    river = {"area": "river", "purse": "supply"}
    assert board.refusal("spend", {**river, "count": 2, "opens": [rivers[0], rivers[0]]}).code == "E_OPENING"
    assert board.refusal("spend", {**river, "count": 3, "opens": [*rivers, *hill]}).code == "E_RULE"
    assert board.refusal("spend", {**river, "count": 3, "opens": rivers}).code == "E_RULE"
    invented = {**rivers[0], "slot": "red-supply/1/3"}
    assert board.refusal("spend", {**river, "count": 3, "opens": [*rivers, invented]}).code == "E_OPENING"
    board.author().write("spend", {**river, "count": 2, "opens": rivers})
    assert board.refusal("spend", {**river, "count": 1, "opens": rivers[:1]}).code == "E_OPENING"
    assert board.refusal("spend", {**river, "count": 1}).code == "E_RULE"


def men_of(gang: Gang, seat: str) -> list[str]:
    return [man for man in gang.state.men if man.startswith(f"{seat}-")]


def test_row_60_a_counter_that_is_not_in_that_place_or_not_ones_own() -> None:
    gang = Gang().go("act", "red")
    mine, theirs = men_of(gang, "red"), men_of(gang, "blue")
    item = gang.item("red", mine[0])
    far = {"foe": theirs[0], "man": mine[0], "opens": [item]}
    assert gang.code("strike", far) == "E_RULE"  # they stand at two ends
    assert gang.code("strike", {**far, "man": theirs[0], "opens": [gang.item("blue", theirs[0])]}) == "E_OPENING"
    assert gang.code("move", {"man": theirs[0], "place": "bridge"}) == "E_RULE"
    assert gang.code("move", {"man": "red-men/1/3", "place": "bridge"}) == "E_RULE"
    assert gang.code("move", {"man": mine[0], "place": "harbour"}) == "E_RULE"
    gang.write("move", {"man": mine[0], "place": "bridge"})


def test_row_60_a_counter_opened_as_another_unit() -> None:
    gang = Gang().go("act", "red")
    known = gang.known("red")
    spy = next(man for man in men_of(gang, "red") if known[man] == "spy")
    dummy = next(man for man in men_of(gang, "red") if known[man] == "dummy")
    gang.write("move", {"man": dummy, "place": "bridge"})
    gang.go("act", "blue")
    foe = men_of(gang, "blue")[0]
    gang.write("move", {"man": foe, "place": "bridge"})
    gang.go("act", "red")
    order, item = {"foe": foe, "man": dummy}, gang.item("red", dummy)
    assert gang.code("strike", {**order, "opens": [{**item, "content": "spy"}]}) == "E_OPENING"
    assert gang.code("strike", {**order, "opens": [{**gang.item("red", spy), "slot": dummy}]}) == "E_OPENING"
    assert gang.code("strike", {**order, "opens": [gang.item("red", spy)]}) == "E_RULE"  # the other one stays closed
    assert gang.code("strike", order) == "E_RULE"
    gang.write("strike", {**order, "opens": [item]})
    assert gang.ask.client == OpenSlots((foe,))


def test_row_60_a_counter_alone_in_its_place_is_not_sealed_anew() -> None:
    board = Board()
    board.order("counters units: 3rd Bn, dummy x2", "seal units")
    board.turn("red", "lay 3rd Bn at Jitra", "lay dummy at Kampar", "lay dummy at Kampar", "pass")
    board.turn("blue", "pass")
    alone = board.refusal("reshuffle_at", {"deck": "units", "place": "Jitra"})
    assert alone.code == "E_RULE"
    board.turn("red", "reshuffle units at Kampar", "pass")
    assert board.verdict().word == "VALID SO FAR"


def test_row_60_an_allowance_that_was_exceeded_is_found_in_the_audit() -> None:
    gang = Gang().go("act", "red")
    known = gang.known("red")
    dummy = next(man for man in men_of(gang, "red") if known[man] == "dummy")
    gone = gang.write("move", {"man": dummy, "place": "hill"})  # two steps are for a spy
    assert gang.fold.obligations[-1].fact == f"{dummy} is a spy"
    found = convicted(gang.go("act", "blue"), "E_RULE")
    assert (found.event, found.ids) == (gone.seq, ("6",))
    twin = Gang().go("act", "red")
    spy = next(man for man in men_of(twin, "red") if twin.known("red")[man] == "spy")
    twin.write("move", {"man": spy, "place": "hill"})
    twin.go("act", "blue").resign()
    assert twin.verdict().word == "VALID"


def greedy(gang: Gang, ask: Ask) -> Order:
    return gang.engine.orders["stock"](chits=("gold",) * 4)


def test_row_62_a_cup_is_not_filled_in_clear_nor_drawn_from_before_all_have_sealed() -> None:
    gang = Gang().go("stock", "red")
    assert gang.code("stock", {"chits": ["gold", "gold", "lead", "lead"]}) == "E_RULE"
    assert gang.code("handover", gang.request_body()) == "E_OWED"
    gang.step()
    gang.go("stock", "blue")
    assert gang.code("stock", {"chits": ["lead"] * 4}) == "E_RULE"
    assert gang.code("handover", gang.request_body()) == "E_OWED"
    gang.step()
    gang.write("handover", gang.request_body())


def test_row_62_a_drawn_chit_is_opened_by_its_owner_as_what_it_is() -> None:
    gang = Gang(wishes={"act": lambda gang, ask: gang.quiet(ask)}).go("chit")
    owner = gang.ask.seat
    other = "blue" if owner == "red" else "red"
    (drawn,) = gang.ask.client.slots  # type: ignore[union-attr]
    item = gang.item(owner, drawn)
    turned = {**item, "content": "lead" if item["content"] == "gold" else "gold"}
    foreign = gang.item(other, gang.state.cups[other][0])
    undrawn = gang.item(owner, next(slot for slot in gang.state.cups[owner] if slot != drawn))
    for wrong in (turned, foreign, {**foreign, "slot": drawn}, {**undrawn, "slot": drawn}):
        assert gang.code("open", {"items": [wrong]}) == "E_OPENING"
    assert gang.code("open", {"items": [undrawn]}) == "E_DECKFRAUD"  # what a purse's rules refuse
    gang.write("open", {"items": [item]})


def test_row_62_an_illegal_mix_comes_out_with_the_third_chit_of_gold() -> None:
    quiet = {"act": lambda gang, ask: gang.quiet(ask)}
    gang = Gang(wishes={"stock": greedy, **quiet})
    found = convicted(gang, "E_DECKFRAUD", gang.go)
    assert found.ids == ("5",)
    assert gang.asked in ("chit", "empty")
    honest = Gang(wishes=quiet)
    honest.go()
    assert honest.verdict().word == "VALID"


def test_row_62_an_illegal_mix_is_found_in_the_audit_once_a_chit_of_it_was_drawn() -> None:
    quiet = {"act": lambda gang, ask: gang.quiet(ask)}
    gang = Gang(wishes={"stock": greedy, **quiet}).go("act", "blue")
    first = next(event for event in gang.events if event.kind == "open" and "-cup/" in event.body["items"][0]["slot"])
    assert gang.verdict().word == "VALID SO FAR"
    found = convicted(gang, "E_DECKFRAUD")
    assert (found.event, found.ids) == (first.seq, ("5",))


# --- 41, 42, 43, 63: what nobody can find out ---


def test_row_41_trying_all_contents_finds_nothing() -> None:
    """Neither without the salt nor with that of an opening, and neither messages nor sizes say which it is."""
    sizes, words = set(), set()
    for place in PLACES:
        gang = Gang(wishes={"hide": lambda gang, ask, place=place: gang.engine.orders["hide"](place=place)})  # type: ignore
        gang.go("guess", "blue")
        hidden = next(event for event in gang.events if event.body.get("what") == "choice")
        sizes.add(len(hidden.raw))
        gang.step()
        gang.author().handover()
        raw = bytes.fromhex(gang.game.id)
        salts = [b"", bytes(32), *(bytes.fromhex(gang.item("red", slot)["salt"]) for slot in gang.state.hands["red"])]
        tried = {sealed.commitment(raw, "red", "t1/hide#1", salt, {"place": one}) for salt in salts for one in PLACES}
        assert hidden.body["hashes"][0] not in tried
        item = gang.item("red", "t1/hide#1")
        for wrong in (one for one in PLACES if one != place):
            told = gang.refusal("open", {"items": [{**item, "content": {"place": wrong}}]})
            words.add((told.code, told.what, told.hint))
    assert len(sizes) == 1
    assert len(words) == 1


def test_row_41_a_second_seal_after_an_undo_gives_nothing_away() -> None:
    gang = Gang().go("hide", "red")
    here = gang.fold.seq
    gang.step()
    first = gang.events[-1].body["hashes"][0]
    salt = gang.item("red", "t1/hide#1")["salt"]
    gang.undo(here)
    gang.go("cargo", "red")
    second = gang.item("red", "t1/hide#2")
    assert second["salt"] != salt
    assert gang.fold.slots.names["t1/hide#2"].epochs[0].hashes[0] != first
    raw, salts = bytes.fromhex(gang.game.id), (second["salt"], DEAD)
    tried = {
        sealed.commitment(raw, "red", name, bytes.fromhex(one), {"place": place})
        for one in salts
        for name in ("t1/hide#1", "t1/hide#2")
        for place in PLACES
    }
    assert first not in tried
    gang.write("open", {"items": [second]})


def searched(number: int = 1, **kwargs: Any) -> Gang:
    """Red has searched, the die has fallen, and red alone knows it."""
    keep = {"boast": lambda gang, ask: gang.engine.orders["keep"]()}
    gang = Gang(wishes={"act": lambda gang, ask: gang.engine.orders["search"](), **keep}, **kwargs)
    return gang.go("boast", "red", turn=number)


def test_row_42_no_link_reveals_a_private_roll() -> None:
    """With the same links and another list of values the die has another seed; the public fold has no number."""
    gang, other = searched(), searched(masters={"red": b"\x77" * 32})
    label = gang.state.found
    roll = gang.fold.private[label]
    assert roll.seed == other.fold.private[label].seed
    for one in (gang, other):
        assert label not in one.fold.known
        assert label not in one.known("blue")
        assert label in one.known("red")
    value = gang.item("red", roll.slot)["content"]
    assert value != other.item("red", roll.slot)["content"]
    seed = canon.H("pbem/v1/private", bytes.fromhex(gang.game.id), label, bytes.fromhex(value), roll.seed)
    assert gang.known("red")[label] == dice.roll(seed, label, (6,))
    assert seed != roll.seed


def test_row_63_a_private_roll_is_proved_by_its_own_value() -> None:
    gang = searched(number=3)
    label, proof = gang.state.found, gang.state.proof
    assert (label, proof) == ("t3/search#1", "red-values/1/1")
    (face,) = gang.known("red")[label]
    item, first = gang.item("red", proof), gang.item("red", "red-values/1/0")
    boast = {"number": face}
    assert gang.code("boast", boast) == "E_RULE"
    assert gang.code("boast", {**boast, "opens": [{**first, "slot": proof}]}) == "E_OPENING"
    assert gang.code("boast", {**boast, "opens": [{**item, "slot": "red-values/1/0"}]}) == "E_OPENING"
    assert gang.code("boast", {**boast, "opens": [{**item, "content": DEAD}]}) == "E_OPENING"
    assert gang.code("boast", {**boast, "opens": [{**item, "content": "x"}]}) == "E_OPENING"
    assert gang.code("boast", {**boast, "opens": [first]}) == "E_RULE"  # another roll's value, rightly opened
    assert gang.code("boast", {"number": 7 - face, "opens": [item]}) == "E_RULE"
    gang.write("boast", {**boast, "opens": [item]})
    assert gang.fold.known[label] == (face,)


def shape(gang: Gang) -> str:
    """The file with every hash, salt, link, signature and id replaced by its length."""
    return re.sub(r"[0-9a-f]{64,}", lambda found: f"<{len(found[0])}>", gang.file().decode())


def pages(gang: Gang, reader: str) -> tuple[str, str]:
    """What a reader's report says, as text and as a page."""
    known = gang.known(reader) if reader else gang.fold.known
    told = report.Report(
        engine="Smugglers",
        game="g",
        scenario="duel",
        game_id=gang.game.id,
        head=DEAD,
        seq=gang.fold.seq,
        event=gang.fold.seq,
        players=(),
        view=gang.engine.picture(gang.state, reader, known),
        words=gang.engine.words,
        policy="sealed",
        verdict="VALID SO FAR",
        provenance="",
        reader=reader,
        may_write=tuple(gang.engine.phrase(gang.state, reader, one, known) for one in orders(gang, reader, known)),
    )
    return report.text(told), report.html(told)


def orders(gang: Gang, reader: str, known: Mapping[str, Any]) -> list[Order]:
    return list(gang.engine.offers(gang.state, reader, known)) if reader else []


def test_row_43_two_games_that_differ_in_red_secrets_look_the_same_to_everybody_else() -> None:
    """At real folds; the contract test compares 200 positions of every engine (`check_engine`)."""
    games: list[Gang] = []
    for number in range(12):
        gang = Gang(
            masters={"red": bytes([number]) * 32},
            wishes={"hide": lambda gang, ask, number=number: gang.engine.orders["hide"](place=PLACES[number % 3])},  # type: ignore
        ).go("declare", "red")
        hand = [gang.known("red")[slot] for slot in gang.state.hands["red"]]
        if sum(CARDS[card] >= 3 for card in hand) == 1 and not any(hand == red_hand(one) for one in games):
            games.append(gang)
    games = games[:2]
    assert len(games) == 2
    for what, seat in (("declare", "blue"), ("guess", "blue")):
        for gang in games:
            gang.go(what, seat)
        for reader in ("", "blue"):
            assert len({pages(gang, reader) for gang in games}) == 1, reader
        assert len({pages(gang, "red") for gang in games}) == 2
        assert len({shape(gang) for gang in games}) == 1
        assert len({refusals(gang) for gang in games}) == 1
        assert len({gang.verdict().line().replace(gang.fold.head, "") for gang in games}) == 1
        assert len({gang.fold.digest() for gang in games}) == 1


def red_hand(gang: Gang) -> list[str]:
    return [gang.known("red")[slot] for slot in gang.state.hands["red"]]


def refusals(gang: Gang) -> tuple[tuple[str, str, str], ...]:
    """What blue is told when it tries things with red's slots."""
    slots = [*gang.state.hands["red"], *men_of(gang, "red"), *gang.state.cups["red"]][::3]
    tries = [("open", {"items": [{"content": "ace", "salt": DEAD, "slot": slot}]}) for slot in slots]
    tries += [("play", {"card": slots[0]}), ("guess", {"place": "hill", "more": 1})]
    told = [gang.refusal(kind, body) for kind, body in tries]
    return tuple((one.code, one.what, one.hint) for one in told)


# --- 44, 45: what is owed ---


def test_row_44_whoever_does_not_open_when_it_is_due_goes_nowhere() -> None:
    """He cannot hand over, order, seal or choose a default; the file names him, and the others may claim."""
    gang = cargo()
    item = gang.item("red", "t1/hide#1")
    assert gang.code("handover", gang.handover_body(next="blue")) == "E_NEXT"
    assert gang.code("pass", {}) == "E_RULE"
    assert gang.code("move", {"man": men_of(gang, "red")[0], "place": "bridge"}) == "E_RULE"
    assert gang.code("open", {"items": [{"slot": "t1/hide#1"}]}) == "E_OPENING"  # format 1 has no defaults
    assert gang.code("open", {"items": []}) == "E_OPENING"
    assert gang.code("play_on", {}) == "E_WINDOW"
    says = gang.author("blue").statement("claim", debtor="red", owes=gang.fold.seq + 1, days=30)
    verdict = gang.verdict(gang.file() + says.line())
    assert verdict.word == "VALID SO FAR"
    assert f"blue claims: red owes event {gang.fold.seq + 1} since" in verdict.line()
    gang.write("open", {"items": [item]})


def test_row_44_whoever_refuses_the_audit_leaves_facts_unproven() -> None:
    gang = Gang().go("act", "red")
    gang.write("resign")
    assert isinstance(gang.ask.client, Disclose)
    assert gang.code("handover", gang.handover_body(next=None)) == "E_NEXT"
    assert gang.code("handover", gang.handover_body(next="blue")) == "E_NEXT"
    assert gang.code("handover", gang.handover_body(owed=[], next=None)) == "E_OWED"
    body = gang.vaults["red"].disclosure(gang.fold, gang.ask.client.name)
    for change in ({"secret": DEAD}, {"contents": body["contents"][:-1]}, {"contents": body["contents"][::-1]}):
        assert gang.code("disclose", {**body, **change}) == "E_OPENING", change
    assert gang.code("disclose", {**body, "name": "blue-cards"}) == "E_OPENING"
    verdict = gang.verdict()
    assert verdict.word == "VALID SO FAR"
    assert any("facts await the audit" in remark for remark in verdict.remarks)
    says = gang.author("blue").statement("claim", debtor="red", owes=gang.fold.seq + 1, days=30)
    assert "blue claims: red owes event" in gang.verdict(gang.file() + says.line()).line()
    gang.go()
    assert gang.verdict().word == "VALID"


def test_row_44_there_is_no_audit_before_the_end() -> None:
    gang = Gang().go("act", "red")
    body = gang.vaults["red"].disclosure(gang.fold, "red-cards")
    assert gang.code("disclose", body) == "E_DUE"
    gang.resign()
    assert gang.verdict().word == "VALID"


def test_row_45_rules_that_drift_on_hidden_things_diverge() -> None:
    class Drifted(Smugglers):
        def position(self, s: Any) -> Mapping[str, Sequence[str]]:
            return {**super().position(s), "hands": []}

    gang = Gang().go("act", "red")
    drifted = Ruleset(Drifted(), Start("duel", {}, ("red", "blue"), 1, None))
    verdict = verify.verify(io.BytesIO(gang.file()), lambda game: drifted, workers=0)
    assert (verdict.word, verdict.code) == ("DIVERGED", "E_STATE")
    assert gang.code("handover", gang.handover_body(state=DEAD, next="blue")) == "E_STATE"
    assert gang.verdict().word == "VALID SO FAR"


# --- 54, 57: windows ---


def window() -> Gang:
    """Red has played a card; blue could react, and red holds the baton still."""
    gang = Gang().go("act", "red")
    slot = gang.state.hands["red"][0]
    gang.write("play", {"card": slot, "opens": [gang.item("red", slot)]})
    assert (gang.asked, gang.ask.window) == ("react", "counter")
    return gang


def played_on() -> Gang:
    """Red has played on over the window, and nothing is written behind it yet."""
    gang = window()
    gang.write("play_on")
    return gang


def countered(gang: Gang, **more: Any) -> canon.Doc:
    """Blue's reaction."""
    slot = gang.fold.windows[0].state.hands["blue"][0]
    at = {"at": gang.fold.windows[0].seq, "order": "counter", "fields": {"card": slot}}
    return {**at, "opens": [gang.item("blue", slot)], **more}


def test_row_57_nothing_is_learned_or_ended_behind_an_unanswered_window() -> None:
    gang = played_on()
    assert gang.asked == "roll"
    hand = gang.state.hands["red"][0]
    assert gang.code("handover", gang.request_body() | {"owed": ["react"], "next": "blue"}) == "E_WINDOW"
    assert gang.code("resolve", {"batch": 1, "slips": []}) == "E_WINDOW"
    assert gang.code("open", {"items": [gang.item("red", hand)]}) == "E_WINDOW"
    assert gang.code("play", {"card": hand, "opens": [gang.item("red", hand)]}) == "E_WINDOW"
    assert gang.code("resign", {}) == "E_WINDOW"
    assert gang.code("disclose", {"contents": [], "name": "red-cards", "secret": DEAD}) == "E_WINDOW"
    assert gang.code("agree", gang.with_consents("agree", {"result": "draw"})) == "E_WINDOW"
    says = gang.author("blue").statement("resign")
    carry = {"said": {"sig": says.sig.hex(), "statement": json.loads(says.raw)}}
    assert gang.code("carry", carry) == "E_WINDOW"
    assert gang.code("handover", gang.handover_body(owed=["ask"], next="blue")) == "E_OWED"
    assert gang.code("handover", gang.handover_body(next="red")) == "E_NEXT"
    gang.write("handover", gang.handover_body(next="blue"))


def test_row_57_only_the_owner_reacts_only_first_and_only_to_that_event() -> None:
    gang = played_on()
    body = countered(gang)
    assert gang.code("react", body) == "E_WINDOW"  # red itself
    gang.author().handover()
    for at in (body["at"] - 1, body["at"] + 1, 1):
        assert gang.code("react", {**body, "at": at}) == "E_WINDOW"
    late = played_on()
    late.author().handover()
    late.write("note", {"text": "let me think"})
    assert late.code("react", body) == "E_WINDOW"
    assert late.fold.windows == []
    gang.write("react", body)
    assert gang.state.discards["blue"] == [body["fields"]["card"]]
    assert gang.state.score["red"] == gang.refold().state.score["red"]
    assert gang.code("react", body) == "E_WINDOW"  # answered


def test_row_57_a_reaction_obeys_the_rules() -> None:
    gang = played_on()
    gang.author().handover()
    body = countered(gang)
    pile = gang.state.piles["blue"][0]
    assert gang.code("react", {**body, "fields": {"card": pile}, "opens": [gang.item("blue", pile)]}) == "E_RULE"
    assert gang.code("react", {name: body[name] for name in ("at", "order", "fields")}) == "E_RULE"  # not opened
    assert gang.code("react", {**body, "opens": [{**body["opens"][0], "salt": DEAD}]}) == "E_OPENING"
    assert gang.code("react", {**body, "order": "retreat"}) == "E_KIND"
    gang.write("react", body)


def test_row_57_a_window_that_was_asked_directly_or_waived() -> None:
    gang = window()
    gang.author().handover()
    slot = gang.state.hands["blue"][0]
    body = {"at": gang.fold.seq - 1, "order": "counter", "fields": {"card": slot}, "opens": [gang.item("blue", slot)]}
    assert gang.code("react", body) == "E_WINDOW"
    assert gang.code("waive", {"window": "counter", "on": False}) == "E_WINDOW"
    gang.write("counter", {"card": slot, "opens": body["opens"]})
    waiving = Gang().go("guess", "blue")
    waiving.write("waive", {"window": "counter", "on": True})
    assert waiving.code("waive", {"window": "counter", "on": True}) == "E_WINDOW"
    waiving.go("act", "red")
    card = waiving.state.hands["red"][0]
    waiving.write("play", {"card": card, "opens": [waiving.item("red", card)]})
    assert waiving.asked == "roll"
    assert waiving.code("play_on", {}) == "E_WINDOW"
    number = waiving.fold.seq
    waiving.go("act", "blue")
    assert waiving.code("react", {**body, "at": number}) == "E_WINDOW"


def test_row_57_no_window_stands_open_where_none_is_asked() -> None:
    gang = Gang().go("act", "red")
    assert gang.code("play_on", {}) == "E_WINDOW"
    gang.author().order(gang.quiet(gang.ask))
    assert gang.code("play_on", {}) == "E_WINDOW"


def test_row_54_a_statement_is_not_carried_past_an_unanswered_window() -> None:
    gang = played_on()
    says = gang.author("blue").statement("resign")
    carry = {"said": {"sig": says.sig.hex(), "statement": json.loads(says.raw)}}
    assert gang.code("carry", carry) == "E_WINDOW"
    gang.author().handover()
    assert gang.code("carry", carry, "blue") == "E_SAID"  # one's own: blue resigns by an event
    gang.write("resign")
    assert gang.fold.in_game == ["red"]


# --- 58, 59, 66: batches, labels, undo ---


def test_row_58_nothing_hidden_is_chosen_between_request_and_dice() -> None:
    gang = between()
    hand = gang.state.hands["red"][0]
    item = gang.item("red", hand)
    assert gang.code("open", {"items": [item]}) == "E_BATCH"
    assert gang.code("waive", {"window": "counter", "on": True}) == "E_BATCH"
    assert gang.code("seal", gang.reseal_body("red-cards", gang.state.hands["red"])) == "E_BATCH"
    assert gang.code("play", {"card": hand, "opens": [item]}) == "E_BATCH"
    assert gang.code("react", {"at": 1, "order": "counter", "fields": {"card": hand}}) == "E_WINDOW"
    gang.write("note", {"text": "waiting"})
    gang.go("chit")


class Foretold(Smugglers):
    """The toy that also says which draws follow the opening of a chit: they belong to the batch of the chit."""

    def pending(self, s: Any) -> tuple[Ask | Roll, ...]:
        first = super().pending(s)
        draws = [task for task in s.tasks[1:] if task[0] == "draw" and self.wanted(s, task[1]) > 0]
        if not s.tasks or s.tasks[0][0] != "chit" or any(len(s.piles[one]) < 2 for _, one in draws):
            return first
        rolls = (
            Roll(f"t{s.turn}/draw/{seat}", "1", draw=self.wanted(s, seat), pool=tuple(s.piles[seat]))
            for _, seat in draws
        )
        return (*first, *rolls)


def test_row_58_nothing_is_chosen_before_the_last_roll_of_a_batch() -> None:
    """The chit of the same batch is opened, as it must be; anything else would be chosen knowing the draw."""
    for seat in ("red", "blue"):
        gang = Gang(engine=Foretold(), wishes={"act": lambda gang, ask: gang.card(ask), "react": only_play_on})
        gang.go("chit")
        if gang.ask.seat == seat:
            break
    hand = gang.state.hands[gang.fold.holder][0]
    name = f"{gang.fold.holder}-cards"
    assert gang.fold.waits_for_chance()
    number = gang.fold.requested
    assert gang.code("open", {"items": [gang.item(gang.fold.holder, hand)]}) == "E_BATCH"
    assert gang.code("seal", gang.reseal_body(name, gang.state.piles[gang.fold.holder])) == "E_BATCH"
    assert gang.code("waive", {"window": "counter", "on": True}) == "E_BATCH"
    gang.step()
    assert gang.events[-1].kind == "open"
    assert gang.fold.requested == number
    assert gang.asked != "roll"  # the hand is filled by the same batch


def only_play_on(gang: Gang, ask: Ask) -> Order:
    return next(iter(gang.engine.offers(gang.state, ask.seat, gang.known(ask.seat))))


def test_row_59_labels_and_choices_are_counted_across_an_undo() -> None:
    gang = Gang().go("act", "red")
    here = gang.fold.seq
    for use in (1, 2, 3):
        gang.write("search")
        gang.go("boast", "red")
        assert gang.state.found == f"t1/search#{use}"
        gang.undo(here)
        gang.go("act", "red")
    assert gang.fold.labels["t1/search"] == 3
    used = [roll.slot for roll in gang.fold.private.values()]
    assert len(set(used)) == 3


def drawn_and_undone() -> Gang:
    """Red drew cards in the first round of draws, and all agreed to go back before that."""
    gang = Gang().go("roll")
    here = gang.fold.seq
    gang.go("declare", "red")
    assert gang.fold.draws
    gang.undo(here)
    return gang


def test_row_66_after_an_undo_a_new_epoch_is_due_before_anything_is_drawn_or_chosen() -> None:
    gang = drawn_and_undone()
    asked = gang.ask
    assert (asked.seat, asked.what, gang.fold.holder) == ("red", "reseal", "red")
    assert gang.code("waive", {"window": "counter", "on": True}) == "E_DUE"
    assert gang.code("declare", {"number": 1}) == "E_DUE"
    assert gang.code("seal", gang.reseal_body("red-men", men_of(gang, "red"))) == "E_DUE"
    assert gang.code("resign", {}) == "E_DUE"
    assert gang.code("handover", gang.request_body()) == "E_OWED"
    for few in (gang.state.piles["red"][:2], gang.state.piles["red"][::-1]):
        assert gang.code("seal", gang.reseal_body("red-cards", few)) == "E_DUE"  # the whole pile, as it is asked
    before = gang.known("red")
    gang.step()
    assert gang.state.piles["red"] == [f"red-cards/2/{number}" for number in range(4)]
    assert sorted(gang.known("red")[slot] for slot in gang.state.piles["red"]) == sorted(
        before[f"red-cards/1/{number}"] for number in range(4)
    )


class Bared(Smugglers):
    """The toy in which a seat may lay its whole pile open."""

    def refuse_opening(self, s: Any, seat: str, act: Any, known: Mapping[str, Any]) -> Any:
        mine = {slot for slot, _ in act.items} <= set(s.piles[seat])
        return None if mine else super().refuse_opening(s, seat, act, known)


def test_row_66_of_a_pile_that_lies_open_nothing_is_due() -> None:
    gang = Gang(engine=Bared(), wishes={"act": lambda gang, ask: gang.card(ask)}).go("act", "red")
    gang.write("open", {"items": [gang.item("red", slot) for slot in gang.state.piles["red"]]})
    here = gang.fold.seq
    gang.go("guess", "red")
    assert any(pool[0].startswith("red-cards/") and seq > here for seq, pool in gang.fold.draws)
    gang.undo(here)
    gang.go("act", "blue")


def test_row_66_a_batch_number_is_never_used_again() -> None:
    gang = drawn_and_undone()
    gang.go("roll")
    used = gang.fold.requested
    assert used == 1
    for number in (1, 3):
        link = chain("red", links=LINKS)[number].hex()
        body = gang.handover_body(next="blue", batch=number, link=link)
        assert gang.code("handover", body) == "E_BATCH"
    gang.step()
    assert gang.fold.requested == 2
    gang.go("declare", "red")
    assert [label for label in gang.fold.labels if label.startswith("t0/draw/red")] == ["t0/draw/red"]
    assert gang.fold.labels["t0/draw/red"] == 2


def test_row_66_there_is_no_undo_across_a_new_key() -> None:
    gang = Gang().go("act", "red")
    here = gang.fold.seq
    new = keys.SigningKey.from_seed(b"\x61" * 32)
    doc = {"game": gang.game.id, "new": new.public.hex(), "old": key("red").public.hex(), "seat": "red"}
    proof = new.sign(keys.REKEY, canon.encode(doc)).hex()
    gang.write("rekey", gang.with_consents("rekey", {"new": new.public.hex(), "proof": proof}))
    changed = gang.fold.seq
    for to, code in ((here, "E_UNDO"), (0, "E_UNDO"), (changed + 1, "E_UNDO")):
        body = gang.with_consents("undo", {"to": to})
        line = sign_line(new, canon.encode(event_doc(gang, "undo", body)))
        again = gang.refold()
        with pytest.raises(Refused, match=code):
            again.take(again.read(line))
    line = sign_line(new, canon.encode(event_doc(gang, "undo", gang.with_consents("undo", {"to": changed}))))
    again = gang.refold()
    assert again.take(again.read(line))


def test_row_66_there_is_no_undo_behind_the_audit() -> None:
    gang = Gang().go("act", "red")
    here = gang.fold.seq
    gang.write("resign")
    gang.step()
    assert gang.events[-1].kind == "disclose"
    assert gang.code("undo", gang.with_consents("undo", {"to": here})) == "E_UNDO"
    gang.go()
    assert gang.verdict().word == "VALID"


# --- a deck that allies share ---


def allies() -> Gang:
    return Gang(("red", "blue", "green")).go("cards", "red")


def test_a_shared_deck_goes_in_a_box_to_the_ally_and_to_nobody_else() -> None:
    gang = allies()
    body = Author(gang.refold(), "red", key("red"), lambda n: b"", gang.vaults["red"]).seal(gang.ask).body
    (box,) = body["boxes"]
    assert box["to"] == "green"
    plain = {name: value for name, value in body.items() if name != "boxes"}
    assert gang.code("seal", plain) == "E_OPENING"
    assert gang.code("seal", {**body, "boxes": [{**box, "to": "blue"}]}) == "E_OPENING"
    assert gang.code("seal", {**body, "boxes": [box, {**box, "to": "blue"}]}) == "E_OPENING"
    assert gang.code("seal", {**body, "boxes": [box, box]}) == "E_OPENING"
    gang.write("seal", body)
    slots = [f"red-cards/1/{number}" for number in range(4)]
    assert sorted(gang.known("green")[slot] for slot in slots) == sorted(CARDS)
    assert not any(slot in gang.known("blue") for slot in slots)
    raw = bytes.fromhex(gang.game.id)
    for reader in ("blue", "red"):
        private = sealed.box_key(master(reader))
        assert sealed.open_box(private, bytes.fromhex(box["data"]), game=raw, sender="red", to="green") is None
    private = sealed.box_key(master("green"))
    for sender, to in (("blue", "green"), ("red", "blue")):
        assert sealed.open_box(private, bytes.fromhex(box["data"]), game=raw, sender=sender, to=to) is None


def test_a_shared_deck_is_disclosed_once_for_all() -> None:
    gang = allies().go("act", "red")
    slot = gang.state.hands["red"][0]
    item = gang.item("green", slot)
    assert item == gang.item("red", slot)  # any seat of the team can open it
    gang.author().order(gang.quiet(gang.ask))
    gang.go("act", "blue")
    assert gang.code("open", {"items": [item]}) == "E_OPENING"  # blue is none of them
    gang.resign()
    assert gang.verdict().word == "VALID"


# --- 72: drafts ---


def test_row_72_what_is_not_signed_is_nowhere_in_the_game() -> None:
    """An order that is thought about, judged and dropped changes neither the fold nor the vault."""
    gang = Gang().go("hide", "red")
    before = (gang.file(), gang.fold.digest(), dict(gang.vaults["red"].chosen))
    thought = gang.fold.fork()
    vault = Vault("red", master("red"), dict(gang.vaults["red"].chosen))
    Author(thought, "red", key("red"), lambda n: b"", vault).seal(gang.ask, gang.engine.orders["hide"](place="hill"))
    assert (gang.file(), gang.fold.digest(), dict(gang.vaults["red"].chosen)) == before
    assert "t1/hide#1" not in gang.fold.slots.names
    gang.author().order(gang.engine.orders["hide"](place="bridge"))
    gang.go("act", "red")
    assert gang.state.last["red"] == "bridge"


# --- 46, 47, 71: keys and seats while something is hidden ---

NEW = keys.SigningKey.from_seed(b"\x61" * 32)


def key_body(gang: Gang, seat: str, field: str = "key", new: keys.SigningKey = NEW, **change: Any) -> canon.Doc:
    """A seat's next key, with its proof, before any consents."""
    doc = {"game": gang.game.id, "new": new.public.hex(), "old": gang.fold.keys[seat].raw.hex(), "seat": seat}
    body = {field: new.public.hex(), "proof": new.sign(keys.REKEY, canon.encode(doc)).hex()}
    return {**body, **({"seat": seat} if field == "key" else {}), **change}


def test_row_46_a_key_without_proof_or_consent_a_used_one_and_the_old_one() -> None:
    gang = Gang().go("act", "red")
    body = key_body(gang, "red", "new")
    assert gang.code("rekey", {**body, "consents": []}) == "E_CONSENT"
    for wrong in (
        {**body, "proof": "0" * 128},
        {**body, "proof": key("red").sign(keys.REKEY, b"{}").hex()},
        key_body(gang, "blue", "new"),
        key_body(gang, "red", "new", key("red")),
        key_body(gang, "red", "new", key("blue")),
    ):
        assert gang.code("rekey", gang.with_consents("rekey", wrong)) == "E_REKEY"
    act = gang.with_consents("rekey", body)
    gang.write("rekey", act)
    assert gang.code("rekey", act) == "E_SIG"
    assert gang.code("note", {"text": "the old key"}) == "E_SIG"
    line = sign_line(NEW, canon.encode(event_doc(gang, "rekey", gang.with_consents("rekey", body))))
    again = gang.refold()
    with pytest.raises(Refused, match="E_REKEY"):
        again.take(again.read(line))


def test_row_47_a_seat_whose_secrets_cannot_be_rebuilt_is_not_replaced() -> None:
    """A list of what is lost that is too short, too long or holds a choice or purse, and rules that say no."""
    gang = Gang().go("act", "red")
    closed = gang.fold.slots.closed("red")
    assert closed == ["red-cards", "red-cup", "red-men", "red-values"]
    chained = {"anchor": "ab" * 32, "links": 64}
    for lost in (closed, closed[:1], [*closed, "t1/hide#1"], closed[::-1]):
        body = key_body(gang, "red", **chained, lost=lost)
        line_body = {**body, "consents": []}
        assert gang.code("replace", line_body, "blue") == "E_REPLACE", lost


def test_row_47_a_transfer_changes_no_composition() -> None:
    """What is sealed anew has the slots, names and numbers of what it stands for; its contents the audit compares."""
    gang = Gang().go("act", "red")
    elsewhere = {**key_body(gang, "red"), "seat": "green"}
    assert gang.code("transfer", gang.with_consents("transfer", elsewhere)) == "E_REPLACE"
    gang.write("transfer", gang.with_consents("transfer", key_body(gang, "red")))
    vault = Vault("red", b"\x62" * 32, era=1, former={0: master("red")})
    author = Author(gang.fold, "red", NEW, lambda n: vault.link(gang.fold, n), vault, gang.events)
    author.write("rechain", {"anchor": "cd" * 32, "links": 64})
    first = gang.fold.core_due[0].client
    assert isinstance(first, Commit)
    slots, name = list(first.replaces), f"red-{first.name}"
    epoch = gang.fold.slots.names[name].next_epoch()
    good = {"epoch": epoch, "from": slots, "hashes": [DEAD] * len(slots), "name": name, "what": first.what}

    def taken(**change: Any) -> str:
        again = gang.refold()
        try:
            again.take(again.read(sign_line(NEW, canon.encode(event_doc(gang, "seal", {**good, **change})))))
        except Refused as error:
            return error.code
        return "taken"

    assert taken(hashes=[DEAD] * (len(slots) + 1)) == "E_OPENING"
    assert taken(hashes=[DEAD] * (len(slots) - 1)) == "E_OPENING"
    assert taken(what=next(one for one in ("deck", "purse", "private") if one != first.what)) == "E_OPENING"
    assert taken(epoch=epoch + 1) == "E_OPENING"
    assert taken(**{"from": slots[:-1], "hashes": [DEAD] * (len(slots) - 1)}) == "E_DUE"  # one keeps its old seal
    assert taken(**{"from": slots[::-1]}) == "E_DUE"
    assert taken(name="blue-cards") == "E_DUE"
    assert taken() == "taken"


def test_row_71_a_successor_makes_a_chain_and_seals_before_he_plays() -> None:
    gang = Gang().go("act", "red")
    body = gang.with_consents("transfer", key_body(gang, "red"))
    gang.write("transfer", body)
    assert {ask.seat for ask in gang.fold.core_due} == {"red"}
    again = {ask.client.name for ask in gang.fold.core_due if isinstance(ask.client, Commit)}
    assert again >= {"cards", "cup", "men", "values"}  # whatever has closed slots, after a chain
    vault = Vault("red", b"\x62" * 32, era=1, former={0: master("red")})
    vault.chosen = gang.vaults["red"].chosen
    gang.vaults["red"] = vault
    man = men_of(gang, "red")[0]
    tries: list[tuple[str, canon.Doc]] = [
        ("move", {"man": man, "place": "bridge"}),
        ("waive", {"window": "counter", "on": True}),
        ("resign", {}),
        ("seal", gang.reseal_body("red-men", men_of(gang, "red"))),
    ]
    for kind, fields in tries:
        line = sign_line(NEW, canon.encode(event_doc(gang, kind, fields)))
        again = gang.refold()
        with pytest.raises(Refused, match="E_DUE"):
            again.take(again.read(line))
    author = Author(gang.fold, "red", NEW, lambda n: vault.link(gang.fold, n), vault, gang.events)
    author.answer_client_asks()
    assert {event.kind for event in gang.events[-12:]} >= {"transfer", "rechain", "seal"}
    assert gang.fold.core_due == []
    mine = men_of(gang, "red")[0]
    author.write("move", {"man": mine, "place": "bridge"})


def test_row_71_nobody_is_dropped_without_the_third_seat() -> None:
    gang = Gang(("red", "blue", "green")).go("act", "red")
    fold = gang.fold
    place = (fold.head, fold.seq + 1)
    body = {"seat": "green"}
    sigs = {one: gang.author(one).consent("drop", body, *place).sig.hex() for one in ("blue", "green")}
    blue, green = ({"seat": one, "sig": sig} for one, sig in sigs.items())
    for consents in ([], [green], [blue, green], [{**green, "seat": "blue"}]):
        assert gang.code("drop", {**body, "consents": consents}) == "E_CONSENT"
    gang.write("drop", {**body, "consents": [blue]})
    assert fold.in_game == ["red", "blue"]


def test_a_box_with_a_wrong_secret_shows_the_ally_nothing_rather_than_wrong_cards() -> None:
    """Neither a secret of another deck nor a stacked deck: what does not give the public hashes is not known."""
    gang = allies()
    honest = Author(gang.refold(), "red", key("red"), lambda n: b"", gang.vaults["red"]).seal(gang.ask).body
    data = canon.encode({"name": "red-cards", "secret": "ab" * 32})
    public = sealed.box_public(sealed.box_key(master("green")))
    box = sealed.seal_box(public, data, game=bytes.fromhex(gang.game.id), sender="red", to="green")
    gang.write("seal", {**honest, "boxes": [{"data": box.hex(), "to": "green"}]})
    assert not any(slot.startswith("red-cards/") for slot in gang.known("green"))
    liar = Gang(("red", "blue", "green"), lies={"red-cards/1": ["ace"] * 4}).go("cards", "red")
    liar.step()
    liar.vaults["green"] = Vault("green", master("green"))
    assert not any(slot.startswith("red-cards/") for slot in liar.known("green"))
    assert list(liar.known("red").values()).count("ace") == 4
