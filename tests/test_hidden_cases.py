"""Cases about hidden things: what is given, what the runner does by itself, what is told when it cannot."""

from __future__ import annotations

import tomllib

import pytest
from toy_hidden import Smugglers

from pbem import cases
from pbem.cases import Case

ENGINE = Smugglers()
HEAD = {"game": "smugglers", "id": "x", "clauses": ["1"], "gist": "."}

ACTING = """
given.set.tasks = ["00 act red", "01 cup -"]
given.set.hands = ["red-cards/1/0", "red-cards/1/1", "blue-cards/1/2"]
given.set.men = ["red-men/1/0 harbour", "red-men/1/1 harbour", "blue-men/1/0 harbour"]
given.set.cups = ["red-cup/1/0", "red-cup/1/1", "blue-cup/1/0"]
given.set.values = ["red-values/1/3"]
given.set.turn = ["round 1"]
[given.known.red]
"red-cards/1/0" = "bolt"
"red-cards/1/1" = "dart"
"red-men/1/0" = "spy"
"red-men/1/1" = "dummy"
"red-cup/1/0" = "gold"
"red-cup/1/1" = "lead"
"red-values/1/3" = "-"
[given.known.blue]
"blue-cards/1/2" = "ace"
"blue-men/1/0" = "dummy"
"blue-cup/1/0" = "lead"
"""
"""Round 1, red acts: bolt and dart in hand, a spy and a dummy in the harbour, where blue has a dummy."""

SEALED = """
given.set.tasks = ["00 guess blue", "01 act red"]
given.set.turn = ["round 1", "hidden t1/hide#1"]
given.set.last = ["red hill"]
"""
"""Round 1, red has hidden the cargo; the last time it was on the hill."""


def failures(text: str, given: str = "") -> list[str]:
    """What the runner says of a case: its own lines first, then the tables of where it begins."""
    return cases.run(Case.model_validate({**HEAD, **tomllib.loads(text + given)}), ENGINE)


STOCKED = '"red: stock gold lead lead gold", "blue: stock lead lead lead lead"'
DEALT = f'{STOCKED}, "draw t0/draw/red: red-cards/1/0 red-cards/1/3", "draw t0/draw/blue: ace bolt"'
"""Hands of ace and dart for red, ace and bolt for blue: decks lie in sorted order."""

HOLDS = {
    "decks, hands, claims": (
        f"""play = [{DEALT}, "red: hide hill", "blue: guess hill", "red: play ace"]
        expect.notes = ["declared seat=red number=1", "found place=hill", "played seat=red card=ace"]
        expect.owes = ["red has 1 high cards", "blue has 1 high cards"]
        expect.pending = "blue: react" """,
        "",
    ),
    "what is given comes first": (
        f"""play = [{STOCKED}, "draw t0/draw/red: red-cards/1/0 red-cards/1/1", "draw t0/draw/blue: ace bolt"]
        given.known.red = {{ "red-cards/1/0" = "crown" }}
        expect.notes = "declared seat=red number=2"
        """,
        "",
    ),
    "a window passes": (
        'play = ["red: play bolt", "blue: play on"]\nexpect.has.score = "red 2"\nexpect.pending = "draw t1/cup"\n',
        ACTING,
    ),
    "a reaction": (
        'play = ["red: play bolt", "blue: counter ace"]\nexpect.lacks.score = "red 2"\n'
        'expect.pending = "draw t1/cup"\n',
        ACTING,
    ),
    "a drawn chit is opened by itself": (
        'play = ["red: pass", "draw t1/cup: gold"]\nexpect.has.faces = "red-cup/1/0 gold"\n',
        ACTING,
    ),
    "another seat's cards are not known": ('play = ["red: play ace"]\nexpect.refused = "unreadable"\n', ACTING),
    "an owner's limit is owed": (
        'play = ["red: move spy to hill"]\nexpect.owes = "red-men/1/0 is a spy"\nexpect.pending = "draw t1/cup"\n',
        ACTING,
    ),
    "an owner's limit is kept": (
        'play = ["red: move dummy to hill"]\nexpect.refused = "6"\nexpect.owes = []\n',
        ACTING,
    ),
    "nothing owed": (
        'play = ["red: move dummy to bridge"]\nexpect.owes = []\nexpect.pending = "draw t1/cup"\n',
        ACTING,
    ),
    "openings of both": (
        'play = ["red: strike spy on blue-men/1/0"]\nexpect.notes = "struck man=spy foe=dummy"\n'
        'expect.pending = "draw t1/cup"\n',
        ACTING,
    ),
    "a private roll, shown": (
        'play = ["red: search", "dice t1/search: 5", "red: boast 5"]\nexpect.has.score = "red 1"\n'
        'expect.pending = "draw t1/cup"\n',
        ACTING,
    ),
    "a private roll is known to its seat": (
        'play = ["red: search", "dice t1/search: 5", "red: boast 6"]\nexpect.refused = "8"\n',
        ACTING,
    ),
    "a private roll before the case": (
        'play = ["red: boast 5"]\nexpect.has.score = "red 1"\nexpect.pending = "draw t1/cup"\n'
        'given.known.red."t1/search#1" = [5]\ngiven.known.red."red-values/1/0" = "t1/search#1"\n',
        """
        given.set.tasks = ["00 boast red", "01 cup -"]
        given.set.cups = "red-cup/1/0"
        given.set.turn = ["round 1", "found t1/search#1 red-values/1/0"]
        """,
    ),
    "a choice is opened when it is due": (
        'play = ["blue: guess bridge"]\nexpect.pending = "red: act"\nexpect.notes = "found"\n'
        'given.known.red."t1/hide#1" = "hide bridge"\n',
        SEALED,
    ),
    "what is offered": ('expect.offers = "red: play bolt"\nexpect.not_offered = "red: move dummy to hill"\n', ACTING),
    "opened before": (
        'expect.has.turn = "round 1"\ngiven.opened."blue-men/1/0" = "dummy"\n',
        'given.set.men = "blue-men/1/0 hill"\ngiven.set.turn = "round 1"',
    ),
    "sealed anew": (
        'play = ["reseal red: red-men/1/0 red-men/1/1", "red: move spy to hill"]\n'
        'expect.set.men = ["red-men/2/0 harbour", "red-men/2/1 hill", "blue-men/1/0 harbour"]\n'
        'expect.pending = "draw t1/cup"\n',
        ACTING,
    ),
    "sealed anew in another order": (
        'play = ["reseal red: red-men/1/0 red-men/1/1", "red: move spy to hill"]\n'
        'expect.has.men = "red-men/2/0 hill"\nexpect.pending = "draw t1/cup"\n',
        ACTING.replace("[given.known.blue]", '"red-men/2/0" = "spy"\n[given.known.blue]'),
    ),
    "a seal refused": (
        'play = ["reseal red: red-cards/1/0 red-cards/1/9"]\nexpect.refused = "10"\n',
        'given.set.hands = "red-cards/1/0"\ngiven.set.piles = "red-cards/1/9"\ngiven.set.tasks = "00 act red"\n',
    ),
    "opened unasked": (
        'play = ["open red: red-cards/1/0", "red: play bolt"]\nexpect.has.faces = "red-cards/1/0 bolt"\n'
        'expect.pending = "blue: react"\n',
        ACTING,
    ),
    "an opening refused": ('play = ["open red: red-cup/1/0"]\nexpect.refused = "1"\nexpect.set.faces = []\n', ACTING),
    "an opened choice refused": (
        'play = ["blue: guess bridge"]\nexpect.refused = "2"\ngiven.known.red."t1/hide#1" = "hide hill"\n',
        SEALED,
    ),
    "an illegal cup": (
        'play = ["draw t6/cup: blue-cup/1/0"]\nexpect.refused = "5"\n',
        """
        given.set.tasks = "00 cup -"
        given.set.turn = "round 6"
        given.set.cups = ["red-cup/1/0", "red-cup/1/1", "red-cup/1/2", "blue-cup/1/0"]
        given.known.red = { "red-cup/1/0" = "gold", "red-cup/1/1" = "gold", "red-cup/1/2" = "gold" }
        given.known.blue = { "blue-cup/1/0" = "lead" }
        """,
    ),
    "an order to seal is judged": (
        'play = ["red: stock gold gold gold lead"]\nexpect.refused = "5"\nexpect.pending = "red: stock"\n',
        "",
    ),
    "an epoch is dealt from what it replaces": (
        'play = ["draw t1/draw/red: bolt", "red: hide hill"]\nexpect.pending = "blue: guess"\n',
        """
        given.set.tasks = ["0 reshuffle red red-cards/1/0 red-cards/1/1", "1 draw red", "2 hide red", "3 guess blue"]
        given.set.hands = "red-cards/1/2"
        given.set.discards = ["red-cards/1/0", "red-cards/1/1"]
        given.set.turn = "round 1"
        given.opened = { "red-cards/1/0" = "bolt", "red-cards/1/1" = "dart" }
        """,
    ),
}


@pytest.mark.parametrize(("text", "given"), HOLDS.values(), ids=HOLDS)
def test_a_case_that_holds(text: str, given: str) -> None:
    assert failures(text, given) == []


FAILS = {
    "owed": (
        'play = ["red: pass"]\nexpect.owes = []\nexpect.pending = "draw t1/cup"\n',
        ACTING,
        "expected to be owed: empty; met: red does not hold the crown",
    ),
    "an opened choice refused": (
        'play = ["blue: guess bridge"]\nexpect.pending = "red: act"\ngiven.known.red."t1/hide#1" = "hide hill"\n',
        SEALED,
        'expected "blue: guess bridge" to be accepted, met: refused by 2: hill was the last one too',
    ),
    "nobody knows the choice": (
        'play = ["blue: guess bridge"]\nexpect.pending = "red: act"\n',
        SEALED,
        "play line 1: met t1/hide#1 does not exist, so red cannot open it",
    ),
    "nobody knows the chit": (
        'play = ["draw t6/cup: red-cup/1/0"]\nexpect.pending = []\n',
        'given.set.tasks = "00 cup -"\ngiven.set.turn = "round 6"\ngiven.set.cups = "red-cup/1/0"',
        "play line 1: met nobody says what is in red-cup/1/0",
    ),
    "no window": (
        'play = ["red: play on"]\nexpect.pending = "red: act"\n',
        ACTING,
        "play line 1: expected a window that red could pass, met red: act",
    ),
    "given in vain": (
        'expect.pending = "red: stock"\ngiven.known.red = { "red-cards/2/0" = "ace" }\n',
        "",
        "given.known speaks of red-cards/2/0, which neither the position nor the play has brought",
    ),
    "given what the deck does not hold": (
        'expect.pending = "red: stock"\ngiven.known.red = { "red-cards/1/0" = "ace", "red-cards/1/1" = "ace" }\n',
        "",
        "before play: given.known puts ace into red-cards, which does not hold so many of it",
    ),
    "given two things": (
        'expect.pending = "red: stock"\n[given.known]\nred = { "red-cards/1/0" = "ace" }\n'
        'blue = { "red-cards/1/0" = "bolt" }',
        "",
        "given.known says two things of red-cards/1/0: ace and bolt",
    ),
    "no such seat": (
        'expect.pending = "red: stock"\ngiven.known.green = { "red-cards/1/0" = "ace" }\n',
        "",
        "given.known speaks of a seat green (seats: red, blue)",
    ),
    "another seat's slot": (
        'play = ["open red: blue-men/1/0"]\nexpect.refused = "1"\n',
        ACTING,
        "play line 1: met blue-men/1/0 is not red's to open",
    ),
    "open already": (
        'play = ["open red: red-cards/1/0", "open red: red-cards/1/0"]\nexpect.refused = "1"\n',
        ACTING,
        "play line 2: met red-cards/1/0 is open already",
    ),
    "not all of one name": (
        'play = ["reseal red: red-cards/1/0 red-men/1/0"]\nexpect.refused = "10"\n',
        ACTING,
        "play line 1: met only slots of one name of red can be sealed anew together",
    ),
    "drawn from elsewhere": (
        'play = ["red: pass", "draw t1/cup: ace"]\nexpect.pending = []\n',
        ACTING,
        "play line 2: expected draw t1/cup to name 1 of: blue-cup/1/0, red-cup/1/0, red-cup/1/1; met ace",
    ),
    "unknown option": (
        'play = ["amend r1: after"]\nexpect.pending = []\n',
        "",
        "play line 1: expected an option and one of its values, met r1: after",
    ),
}


@pytest.mark.parametrize(("text", "given", "told"), FAILS.values(), ids=FAILS)
def test_what_is_told(text: str, given: str, told: str) -> None:
    met = failures(text, given)
    assert [line for line in met if told in line], met
