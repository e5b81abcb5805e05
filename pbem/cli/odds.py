"""`pbem odds`: what may come of an order before it is signed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from pbem import agreement
from pbem.cli.common import GAME, answer, components_option, home, json_option, seat_option, shown
from pbem.errors import WrongUse
from pbem.odds import LIMIT, SAMPLES, Chance, Odds
from pbem.odds import odds as reckon
from pbem.table import Table

LISTED = 12
"""Outcomes that are listed, and twice as many sentences; the rest is counted."""
WIDEST = 1296
"""The largest denominator of a fraction that helps a reader: four dice."""


@click.command()
@GAME
@click.argument("orders", metavar="ORDER...", nargs=-1)
@click.option(
    "--samples",
    type=click.IntRange(100, 1_000_000),
    default=SAMPLES,
    show_default=True,
    help=f"Where dice can fall in more than {LIMIT:,} ways: so many are played.",
)
@seat_option
@components_option
@json_option
def odds(game: Path, orders: tuple[str, ...], samples: int, seat: str, components: Path | None, as_json: bool) -> int:
    """What may come of an order, by the engine itself: every way the dice can fall, up to the next free choice.

    Nothing is drafted or signed. Several ORDERs are given one after the other; a drafted one counts as given.
    What only another player knows is not used: what was assumed of it is said.

    \b
    pbem odds game.pbem "counterattack Kampar" "defend Kota"
    """
    agreement.need_started(game)
    table = Table.reading(game, home(), seat=seat, components=components)
    trial = table.trial(table.need_seat())
    if trial.waits() and orders and not trial.waits().startswith("dice"):
        raise WrongUse(f"{table.seat} has nothing to order now: {trial.waits()}", f"`pbem status {game}` says more")
    found = reckon(trial.fold, table.seat, trial.author.known(), orders, samples=samples)
    if as_json:
        answer(found.data())
    else:
        click.echo(shown("\n".join(lines(found))))
    return 0


def lines(found: Odds) -> Iterator[str]:
    """The odds as a player reads them."""
    ways = f"{found.ways:,} {'way' if found.ways == 1 else 'ways'}"
    yield f"every way the dice can fall: {ways}" if found.exact else f"{ways} of the dice, drawn at random"
    if all(not one.told for one in found.outcomes):
        yield "  chance decides nothing here that the rules tell apart"
    else:
        yield from _table(found.outcomes, found.exact, LISTED)
    if found.each:
        yield "each by itself:"
        yield from _table(found.each, found.exact, 2 * LISTED)
    yield "then:"
    yield from _table(found.stops, found.exact, LISTED)
    if found.assumed:
        yield "assumed:"
        yield from (f"  {one}" for one in found.assumed)


def _table(chances: Sequence[Chance], exact: bool, most: int) -> Iterator[str]:
    for one in chances[:most]:
        words = "; ".join(one.told) or "nothing of note"
        more = _fraction(one) if exact else f"({one.low:.1%} to {one.high:.1%})"
        yield f"  {float(one.share):6.1%}  {more:<16}  {words}"
    if chances[most:]:
        yield f"  {'':<6}  {'':<16}  and {len(chances) - most} rarer ones (`--json` has them)"


def _fraction(one: Chance) -> str:
    return str(one.share) if 1 < one.share.denominator <= WIDEST else ""
