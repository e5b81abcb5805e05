"""`pbem rules simulate`: bot against bot, without files."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from pbem import jobs as work
from pbem import simulate as games_of_bots
from pbem.cli.archive import scheduler_option
from pbem.cli.common import answer, json_option, say, shown
from pbem.ruleset import read_options
from pbem.simulate import Job, Played, Share, Spread, Summary


@click.command()
@click.argument("rules", metavar="RULES")
@click.option(
    "--scenario", "scenarios", multiple=True, help="One scenario; repeatable. All of them where none is named."
)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the scenario; repeatable.")
@click.option("--games", type=click.IntRange(1, 1_000_000), default=100, show_default=True, help="Of each scenario.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the first game; each has the next number.")
@click.option("--workers", type=click.IntRange(1, 61), default=None, help="Processes; as many as processors.")
@scheduler_option
@click.option(
    "--components", type=click.Path(path_type=Path, exists=True), help="Folder with your own corrected component data."
)
@json_option
def simulate(
    rules: str,
    scenarios: tuple[str, ...],
    options: tuple[str, ...],
    games: int,
    seed: int,
    workers: int | None,
    scheduler: str,
    components: Path | None,
    as_json: bool,
) -> int:
    """Let the game's bot play itself: who wins, how long it takes, and whether every game ends.

    Nothing is signed and no file is written. A game that cannot end, or breaks off, is a defect of the rules:
    its seed is named, so that the same game can be played again, and the exit status is 1.

    \b
    pbem rules simulate battle-card-malaya --games 200
    pbem rules simulate glory-recalled --scenario island --seed 7 --games 1
    """
    todo = games_of_bots.jobs(rules, scenarios, read_options(options), games=games, seed=seed, components=components)
    found = games_of_bots.summary(_played(todo, workers or 0, scheduler))
    if as_json:
        answer([one.data() for one in found])
    else:
        for number, one in enumerate(found):
            click.echo(("\n" if number else "") + shown("\n".join(lines(one))))
    for one in found:
        for bad in one.defects:
            say(f"defect in {one.scenario}: {bad.defect}")
            repeat = " ".join(f" --option {name}={value}" for name, value in bad.job.options)
            again = f"--scenario {one.scenario}{repeat} --seed {bad.job.seed} --games 1"
            say(f"hint: `pbem rules simulate {rules} {again}` plays it again")
    return 1 if any(one.defects for one in found) else 0


def _played(todo: list[Job], workers: int, scheduler: str) -> Iterator[Played]:
    """The games as they are done, with a bar where somebody waits for them."""
    done = work.run(games_of_bots.play, todo, workers=min(workers, len(todo)), scheduler=scheduler)
    hidden = not sys.stderr.isatty()
    with click.progressbar(done, length=len(todo), label="games", file=sys.stderr, hidden=hidden) as bar:
        for place, result in bar:
            yield games_of_bots.lost(todo[place], result.why) if isinstance(result, work.Lost) else result


def lines(one: Summary) -> Iterable[str]:
    """A summary as a player reads it."""
    yield f"{one.rules}, {one.scenario}: {one.games} games"
    for share in one.results:
        yield f"  {_name(share):<16} {share.games:>6}  {share.share:6.1%}  ({share.low:.1%} to {share.high:.1%})"
    spreads = [
        ("orders", one.orders),
        ("turns", one.turns),
        *((f"points {seat}", own) for seat, own in one.points.items()),
    ]
    for name, spread in spreads:
        if spread is not None:
            yield f"  {name:<16} {_spread(spread)}"
    for ending, count in one.endings.items():
        yield f"  {count:>6}  {ending}"
    if one.defects:
        yield f"  {len(one.defects)} games came to no end"


def _name(share: Share) -> str:
    return share.result if share.result in ("draw", "lost") else f"{share.result} wins"


def _spread(one: Spread) -> str:
    return f"{one.least:g} to {one.greatest:g}, median {one.median:g}, mean {one.mean:.1f}"
