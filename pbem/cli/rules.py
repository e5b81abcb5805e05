"""`pbem rules`: engines, their rulebooks' coverage, their data, case files."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from pbem import log, registry, verify
from pbem.api import Engine, Note
from pbem.cli.common import answer, json_option, say
from pbem.cli.simulate import simulate
from pbem.errors import WrongUse
from pbem.replay import Listener
from pbem.ruleset import rules_for

components = click.option(
    "--components", type=click.Path(path_type=Path, exists=True), help="Folder with your own corrected component data."
)


@click.group()
def rules() -> None:
    """Engines, coverage of the rulebooks, component data, case files.

    \b
    pbem rules list
    pbem rules show open-table
    """


rules.add_command(simulate)


@rules.command("list")
@json_option
def list_(as_json: bool) -> None:
    """The games that can be played.

    \b
    pbem rules list
    """
    rows = []
    for name in registry.engines():
        engine = registry.engine(name)
        seats = sorted({len(scenario.seats) for scenario in engine.scenarios()})
        rows.append({"id": name, "title": engine.title, "seats": seats, "editions": list(engine.editions)})
    if as_json:
        answer(rows)
        return
    for row in rows:
        counts = row["seats"]
        span = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]}-{counts[-1]}"
        word = "seat " if counts == [1] else "seats"
        click.echo(f"{row['id']:<24} {span:>4} {word}  {row['title']}")


@rules.command()
@click.argument("game")
def show(game: str) -> None:
    """Scenarios, options and orders of a game, and where its data come from.

    \b
    pbem rules show battle-card-malaya
    """
    engine = registry.engine(game)
    edition = registry.ruleset(engine, engine.editions[-1])
    click.echo(f"{engine.title} ({engine.id}), edition {edition.number}")
    for scenario in engine.scenarios():
        seats = ", ".join(f"{seat.id} ({seat.plays})" if seat.plays else seat.id for seat in scenario.seats)
        click.echo(f"\nscenario {scenario.id}: {scenario.title}\n  {scenario.about}\n  seats: {seats}")
        for option in scenario.options:
            values = " | ".join(option.values) or "any text"
            click.echo(f"  option {option.name}={values} (default {option.default or 'empty'}) {option.about}")
    click.echo("\norders:")
    for order in engine.orders.values():
        click.echo(f"  {order.form():<40} {order.about}")
    click.echo(f"  {'note TEXT':<40} a note for everybody\n  {'resign':<40} give up")
    tables = edition.components.tables()
    if tables:
        click.echo("\ncomponent data:")
    for table in tables:
        rows = ", ".join(f"{count} {tag}" for tag, count in sorted(table.provenance.items()))
        click.echo(f"  {table.name:<16} {rows}")
    click.echo(f"\nrulings digest {edition.rules_digest[:16]}, data digest {edition.data[:16]}")


@rules.command()
@click.argument("game")
@click.option("--cases", type=click.Path(path_type=Path), default=Path("tests/cases"), help="Case files to count.")
@click.option("--games", type=click.Path(path_type=Path), default=Path("games"), help="Recorded games to count.")
@click.option("--all", "every", is_flag=True, help="List every clause.")
@json_option
def clauses(game: str, cases: Path, games: Path, every: bool, as_json: bool) -> None:
    """How much of the rulebook is listed, cited in code, tested by cases, and exercised by recorded games.

    \b
    pbem rules clauses battle-card-malaya --all
    """
    engine = registry.engine(game)
    ledger = registry.ledger(engine)
    cited = registry.cited(engine, ledger)
    tested = _tested(game, cases)
    exercised = _exercised(engine, games)
    rows = [
        {
            "id": clause.id,
            "status": clause.status,
            "gist": clause.gist,
            "cited": clause.id in cited,
            "cases": tested[clause.id],
            "exercised": exercised[clause.id],
        }
        for clause in ledger.values()
    ]
    if as_json:
        answer(rows)
        return
    if every:
        for row in rows:
            counts = f"cases {row['cases']:>3}  games {row['exercised']:>4}"
            click.echo(f"{row['id']:<12} {row['status']:<8} {counts}  {row['gist']}")
    by = Counter(str(row["status"]) for row in rows)
    click.echo(f"listed {len(rows)}: " + ", ".join(f"{count} {status}" for status, count in sorted(by.items())))
    click.echo(f"cited in code {sum(bool(row['cited']) for row in rows)}")
    click.echo(f"tested by cases {sum(bool(row['cases']) for row in rows)}")
    click.echo(f"exercised in games {sum(bool(row['exercised']) for row in rows)}")


def _tested(game: str, place: Path) -> Counter[str]:
    """Cases by clause."""
    from pbem import cases

    count: Counter[str] = Counter()
    if place.exists():
        for path in cases.case_files([place]):
            for case in cases.load(path):
                if case.game == game:
                    count.update(case.clauses)
    return count


def _exercised(engine: Engine, place: Path) -> Counter[str]:
    """Notes of recorded games by clause."""
    total: Counter[str] = Counter()
    for path in sorted(place.rglob(f"*{log.SUFFIX}")) if place.exists() else ():
        told: list[tuple[int, Note]] = []
        with log.open_for_reading(path) as stream:
            reading = verify.read(stream, rules_for, listener=_into(told))
        if reading.fold is not None and reading.fold.game.charter.rules.id == engine.id:
            for _, note in told:
                total.update(note.clauses)
    return total


def _into(told: list[tuple[int, Note]]) -> Listener:
    return lambda seq, note: told.append((seq, note))


@rules.command()
@click.argument("game")
@components
def check(game: str, components: Path | None) -> None:
    """Load a game's component data and run the checks a careful owner would make.

    \b
    pbem rules check battle-card-malaya
    pbem rules check battle-card-malaya --components ~/my-malaya
    """
    engine = registry.engine(game)
    for number in engine.editions:
        edition = registry.ruleset(engine, number, components)
        for name, digest in edition.tables:
            click.echo(f"edition {number}  {name:<16} {digest}")
        click.echo(f"edition {number}  {'all data':<16} {edition.data}")
    say(f"{engine.id}: the data agree with what is printed")


@rules.command("cases")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
def cases_(paths: tuple[Path, ...]) -> int:
    """Run case files: one line for each thing that is not as expected.

    \b
    pbem rules cases tests/cases
    """
    from pbem import cases

    results = list(cases.run_paths(paths))
    if not results:
        raise WrongUse("no cases in there", "case files end in .toml")
    for result in results:
        for line in result.lines():
            click.echo(line)
    bad = sum(not result.ok for result in results)
    good = len(results) - bad
    say(f"{good} case{'' if good == 1 else 's'} as expected, {bad} not")
    return 1 if bad else 0
