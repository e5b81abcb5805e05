"""Standing orders: decisions that a seat gives in advance, openly; `triggers` carries them out. [R70]

Each begins with `standing`; the rest is the order that it stands for, and when.
"""

from __future__ import annotations

from typing import ClassVar

from pbem.api import Many
from rules.glory_recalled.written import GloryOrder, Stack, Token


class StandingOrder(GloryOrder):
    """An order that is kept until its moment comes."""


class StandingPass(StandingOrder):
    kind: ClassVar[str] = "standing_pass"
    usage: ClassVar[str] = "standing pass"
    about: ClassVar[str] = "no more actions in this turn"


class StandingPassWhile(StandingOrder):
    kind: ClassVar[str] = "standing_pass_while"
    usage: ClassVar[str] = "standing pass while opponent passes"
    about: ClassVar[str] = "no action where the last action of the other side was a pass"


class StandingReact(StandingOrder):
    kind: ClassVar[str] = "standing_react"
    usage: ClassVar[str] = "standing react CARD on TRIGGER [box BOX] [road ROAD]"
    about: ClassVar[str] = "a green card, shown now, against the next action of that kind; any box where none is named"

    card: Token
    trigger: str
    box: Token | None = None
    road: Many[Token] = ()


class StandingNoReaction(StandingOrder):
    kind: ClassVar[str] = "standing_no_reaction"
    usage: ClassVar[str] = "standing no reaction [on TRIGGER] [limit NUMBER:limit]"
    about: ClassVar[str] = "let such actions happen, so many times or always"

    trigger: str | None = None
    limit: int | None = None


class StandingCards(StandingOrder):
    kind: ClassVar[str] = "standing_cards"
    usage: ClassVar[str] = "standing cards {CARD:cards} [in SPACE] [if behind NUMBER:behind]"
    about: ClassVar[str] = "cards, shown now, for the next combat there in which your total is so much lower"

    cards: Many[Token]
    space: Token | None = None
    behind: int | None = None


class StandingNoCards(StandingOrder):
    kind: ClassVar[str] = "standing_no_cards"
    usage: ClassVar[str] = "standing no cards [in SPACE] [unless behind NUMBER:behind]"
    about: ClassVar[str] = "no cards for combats there, unless your total is so much lower"

    space: Token | None = None
    behind: int | None = None


class StandingHits(StandingOrder):
    kind: ClassVar[str] = "standing_hits"
    usage: ClassVar[str] = "standing hits WAY [first STACK:first] [to {SPACE:to}]"
    about: ClassVar[str] = (
        "hits are taken by retreats, or by disruptions, rather than the other; these units first, to these spaces"
    )

    way: str
    first: Many[Token] = ()
    to: Many[Token] = ()


class StandingAdvance(StandingOrder):
    kind: ClassVar[str] = "standing_advance"
    usage: ClassVar[str] = "standing advance [in SPACE]"
    about: ClassVar[str] = "as many as may enter a space that is won, the main force and its leader first"

    space: Token | None = None


class StandingStay(StandingOrder):
    kind: ClassVar[str] = "standing_stay"
    usage: ClassVar[str] = "standing stay [in SPACE]"
    about: ClassVar[str] = "nobody enters a space that is won"

    space: Token | None = None


class StandingWave(StandingOrder):
    kind: ClassVar[str] = "standing_wave"
    usage: ClassVar[str] = "standing wave STACK:units in BOX"
    about: ClassVar[str] = "the second wave from this box, if the enemy still holds"

    units: Stack
    box: Token


class StandingNoWave(StandingOrder):
    kind: ClassVar[str] = "standing_no_wave"
    usage: ClassVar[str] = "standing no wave [in BOX]"
    about: ClassVar[str] = "no second wave"

    box: Token | None = None


class StandingDiscard(StandingOrder):
    kind: ClassVar[str] = "standing_discard"
    usage: ClassVar[str] = "standing discard {CARD:cards}"
    about: ClassVar[str] = "the first of these, unseen, where cards are over the limit; as far as they are still held"

    cards: Many[Token]


class DropStanding(GloryOrder):
    kind: ClassVar[str] = "drop_standing"
    usage: ClassVar[str] = "drop standing [NUMBER]"
    about: ClassVar[str] = "this standing order of yours, by its number in the report, or all of them"

    number: int | None = None


STANDING: tuple[type[StandingOrder], ...] = (
    *(StandingPass, StandingPassWhile, StandingReact, StandingNoReaction, StandingCards, StandingNoCards),
    *(StandingHits, StandingAdvance, StandingStay, StandingWave, StandingNoWave, StandingDiscard),
)
