"""The account of a game: what is told to a reader about a position, gathered from the fold into a `Report`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pbem import beacon, dice, trust, verify
from pbem.api import Ask, Known, Note, Roll
from pbem.kinds import CORE_WORDS
from pbem.replay import Fold
from pbem.report import Player, Remark, Report

MENU: Final = 24
"""So many orders are worth listing one by one; beyond that their forms say more."""

Story = Sequence[tuple[int, Note]]


def report(
    fold: Fold,
    story: Story,
    *,
    reader: str = "",
    known: Known | None = None,
    since: int = 0,
    head: tuple[int, str] | None = None,
    file: str = "GAME.pbem",
    remark: str = "",
) -> Report:
    """The report on a fold for one reader; the story begins after event `since`.

    `known` is what the reader may see beside the public openings.
    `head` is the end of the file where the fold stands at an earlier event; `remark` replaces the verdict line.
    """
    known = fold.known if known is None else known
    rules = fold.rules
    if rules is None:
        raise AssertionError("a report needs the rules of its game")
    engine, start = rules.engine, rules.start
    scenario = next(one for one in engine.scenarios() if one.id == start.scenario)
    told = [(seq, note) for seq, note in story if seq > since and note.stem != "core/note"]
    outcome, level = fold.outcome(), trust.level(fold)
    last, head_id = head if head is not None else (fold.seq, fold.head)
    return Report(
        engine=engine.id,
        game=engine.title,
        scenario=scenario.title,
        game_id=fold.game.id,
        head=head_id,
        seq=last,
        event=fold.seq,
        players=tuple(Player(seat.id, seat.plays, fold.game.entry(seat.id).name or seat.id) for seat in scenario.seats),
        view=engine.picture(fold.state, reader, known),
        words={**CORE_WORDS, **engine.words},
        policy=fold.policy,
        policy_words=dice.POLICY_WORDS[level.name if level is not None else fold.policy],
        verdict=remark or verify.yes(fold).line(),
        provenance=provenance(start.components),
        story=tuple(told),
        decides=deciders(fold),
        owed=tuple(owed(fold)),
        may_write=tuple(menu(fold, reader, known)),
        reader=reader,
        trust=level.title if level is not None else "",
        remarks=tuple(
            Remark(seq, str(note.args["seat"]), str(note.args["text"]))
            for seq, note in story
            if seq > since and note.stem == "core/note"
        ),
        outcome=outcome.words if outcome is not None else "",
        position=engine.position(fold.state),
        file=file,
    )


def deciders(fold: Fold) -> tuple[str, ...]:
    """The seat that decides next, if the position asks one."""
    if fold.closed or not fold.asks:
        return ()
    first = fold.asks[0]
    return (first.seat,) if isinstance(first, Ask) else ()


def owed(fold: Fold) -> list[str]:
    """Who owes what, in words."""
    if fold.closed:
        return []
    if fold.windows and fold.holder == fold.windows[0].seat:
        passed = ", ".join(str(window.seq) for window in fold.windows if window.seat == fold.holder)
        return [f"{fold.holder}: a reaction to what passed at event {passed}, or anything else"]
    batch = fold.batch
    if batch is not None and batch.seed is None and not fold.open_pair:
        if fold.policy == beacon.NAME:
            return [f"{fold.holder}: event {fold.seq + 1}, beacon round {batch.round} for dice batch {batch.number}"]
        silent = [name for name in batch.contributors if name != batch.requester]
        return [f"{', '.join(silent)}: a slip for dice batch {batch.number}", f"{fold.holder}: event {fold.seq + 1}"]
    if not fold.asks:
        return [f"{fold.holder}: the closing handover"] if fold.holder else []
    first = fold.asks[0]
    if isinstance(first, Ask) and first.seat != fold.holder:
        return [f"{fold.holder}: event {fold.seq + 1}, the handover to {first.seat}"]
    what = "the dice" if isinstance(first, Roll) else f"{first.what.replace('_', ' ')} [{first.clause}]"
    return [f"{fold.holder}: event {fold.seq + 1}, {what}"]


def menu(fold: Fold, reader: str = "", known: Known | None = None) -> list[str]:
    """What may be written next, as it may be typed: each order where there are few, the forms where there are many."""
    seats = deciders(fold)
    if not seats or (reader and reader not in seats):
        return []
    engine, seen = fold.engine, fold.known if known is None else known
    offers = list(engine.offers(fold.state, seats[0], seen))
    window = isinstance(fold.asks[0], Ask) and bool(fold.asks[0].window)
    passing = ["play on"] if window else []
    if len(offers) <= MENU:
        return [*(engine.phrase(fold.state, seats[0], order, seen) for order in offers), *passing]
    kinds = Counter(order.kind for order in offers)
    forms = (f"{engine.orders[kind].form()}  ({many(count)})" for kind, count in kinds.items())
    return [*forms, *passing]


def many(count: int) -> str:
    """How many ways there are to give an order of a form."""
    return "1 way" if count == 1 else f"{count} ways"


def provenance(components: Any) -> str:
    """One line: how many rows of the data are printed, reported, reconstructed."""
    counts: Counter[str] = Counter()
    for table in components.tables():
        counts.update(table.provenance)
    if not counts:
        return ""
    rows = ", ".join(f"{counts[tag]} {tag}" for tag in ("printed", "reported", "reconstructed") if counts[tag])
    return f"component data by rows: {rows}"


def debts(fold: Fold) -> Mapping[str, Any]:
    """The state of a game for scripts."""
    first = fold.asks[0] if fold.asks else None
    return {
        "holder": fold.holder,
        "decides": list(deciders(fold)),
        "asks": "" if first is None else ("dice" if isinstance(first, Roll) else first.what),
        "owed": owed(fold),
        "over": fold.closed,
        "batches": fold.requested,
    }
