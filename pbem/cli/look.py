"""Commands that only look: status, legal, show."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from pbem import account, agreement, archive, log, restored, themes, verify
from pbem.cli.advice import first_step, next_step
from pbem.cli.common import (
    GAME,
    answer,
    components_option,
    home,
    json_option,
    out_file,
    seat_option,
    shown,
    statements,
)
from pbem.errors import PbemError, WrongUse
from pbem.replay import Fold
from pbem.ruleset import rules_for
from pbem.table import Table


@click.command()
@click.argument("where", metavar="[FILE or FOLDER]", type=click.Path(path_type=Path), default=".")
@seat_option
@components_option
@json_option
def status(where: Path, seat: str, components: Path | None, as_json: bool) -> int:
    """Whose decision it is, what is owed, what is missing.

    \b
    pbem status game.pbem
    pbem status ~/games --json
    """
    if where.is_dir():
        return _club(where, seat, components, as_json)
    row = _status(where, seat, components)
    if as_json:
        answer(row)
    else:
        _print_status(row)
    return 3 if row["state"].startswith("INCOMPLETE") else 0


def _club(folder: Path, seat: str, components: Path | None, as_json: bool) -> int:
    """All games of a folder, each as soon as it is read; one that cannot be read stops no other."""
    worst, rows = 0, []
    for path in archive.find([folder]):
        try:
            row = _status(path, seat, components)
            worst = worst or (3 if row["state"].startswith("INCOMPLETE") else 0)
        except PbemError as error:
            row = {"file": path.name, "seq": 0, "head": "", "owed": [], "state": str(error), "next": error.hint}
            worst = archive.worse(worst, error.exit_status if not isinstance(error, WrongUse) else 0)
        row["file"] = path.relative_to(folder).as_posix()
        rows.append(row)
        if not as_json:
            for number, line in enumerate(_standing(row)):
                click.echo(shown(("  " if number else "") + line))
    if not rows:
        raise WrongUse(f"no game files in {folder}", "`pbem new RULES` starts a game")
    if as_json:
        answer(rows)
    return worst


def _standing(row: dict[str, Any]) -> Iterator[str]:
    """A game in three lines: how far, what and who, whose decision."""
    if "game" not in row:
        yield f"{row['file']}: {row['state']}"
        if row["next"]:
            yield f"next: {row['next']}"
        return
    yield f"{row['file']}: {row['verdict']} up to event {row['seq']}{_since(row['since'], ', handed over')}"
    players = ", ".join(name if name == seat else f"{name} ({seat})" for seat, name in row["seats"].items())
    yield f"{row['title']}, {row['scenario']}: {players}"
    if row["outcome"]:
        yield f"result: {row['outcome']}"
    for debt in row["owed"]:
        yield f"waits for {debt}"
    yield from row["said"]


def _status(path: Path, seat: str, components: Path | None) -> dict[str, Any]:
    start = agreement.beginning(path)
    if start is not None and start.missing():
        return {
            "file": path.name,
            "seq": 0,
            "head": "",
            "owed": [],
            "state": f"INCOMPLETE: {start.missing()}",
            "next": first_step(home(), start),
        }
    table = Table.reading(path, home(), seat=seat, components=components)
    table.remember(looking=True)
    fold = table.fold
    state = "over" if fold.closed else "goes on"
    return {
        "file": path.name,
        "game": fold.game.id,
        "rules": fold.engine.id,
        "title": fold.engine.title,
        "scenario": fold.game.charter.scenario,
        "dice": fold.policy,
        "seats": {entry.seat: entry.name or entry.seat for entry in fold.game.charter.seats},
        "seat": table.seat,
        "seq": fold.seq,
        "head": fold.head,
        "state": state,
        "verdict": verify.yes(fold).word,
        "outcome": outcome.words if (outcome := fold.outcome()) else "",
        "draft": table.drafted() if table.seat else [],
        "since": table.since,
        "said": statements(table),
        "read_only": restored.read_only(table),
        "mail": _mail_stands(table),
        "next": next_step(table),
        **account.debts(fold),
    }


def _mail_stands(table: Table) -> list[str]:
    """Seat by seat, once mail was exchanged or an address is known; before that players mail by hand."""
    import time

    from pbem import addresses, correspondence, standing

    mails = correspondence.load(table.room)
    if not (mails.seats or addresses.book(table.room) or correspondence.gaps(table.room, table.fold.seq)):
        return []
    now = int(time.time())
    told = list(standing.lines(table.room, table.fold, now))
    late = standing.late(table, mails, now)
    if late is not None and late.due <= now:
        told.append(f"{late}: `pbem claim {table.path.name} --days {late.days}`")
    return told


def _print_status(row: dict[str, Any]) -> None:
    if "game" not in row:
        click.echo(f"{shown(row['file'])}: {row['state']}")
        click.echo(shown(f"next: {row['next']}"))
        return
    click.echo(f"{shown(row['file'])}: {row['title']}, {row['scenario']}, {row['dice']} dice")
    click.echo(f"event {row['seq']}, head {row['head'][:16]}")
    for seat, name in row["seats"].items():
        mine = " (you)" if seat == row["seat"] else ""
        click.echo(f"  {seat}: {name}{mine}{' holds the baton' if seat == row['holder'] else ''}")
    if row["outcome"]:
        click.echo(f"result: {row['outcome']}")
    for debt in row["owed"]:
        click.echo(f"owed by {debt}{_since(row['since'])}")
    if row["read_only"]:
        click.echo(f"read only: {row['read_only']}")
    for line in row["said"]:
        click.echo(line)
    for line in row["mail"]:
        click.echo(shown(line))
    if row["draft"]:
        click.echo("draft, not signed yet:")
        for number, line in enumerate(row["draft"], 1):
            click.echo(f"  {number} {line}")
    click.echo(shown(f"next: {row['next']}"))


def _since(at: int, word: str = " since") -> str:
    if not at:
        return ""
    import datetime

    return f"{word} {datetime.datetime.fromtimestamp(at, datetime.UTC):%Y-%m-%d %H:%M} UTC"


@click.command()
@GAME
@seat_option
@components_option
@json_option
def legal(game: Path, seat: str, components: Path | None, as_json: bool) -> int:
    """What may be ordered now, in the words you may type. Drafted orders count as given.

    \b
    pbem legal game.pbem
    """
    agreement.need_started(game)
    table = Table.reading(game, home(), seat=seat, components=components)
    trial = table.trial() if table.seat else None
    offers = [] if trial is None or trial.waits() else account.menu(trial.fold, trial.seat, trial.author.known())
    why = trial.waits() if trial is not None else "no seat of this game is played on this machine"
    if as_json:
        answer({"orders": offers, "waits": why})
        return 0
    for order in offers:
        click.echo(order)
    if why:
        click.echo(f"nothing to order now: {why}", err=True)
        return 3
    click.echo("note TEXT\nresign")
    return 0


@click.command()
@GAME
@click.option("--at", default="", metavar="EVENT", help="An event number, or a bookmark such as T3 or T3.battle.")
@seat_option
@click.option("--public", is_flag=True, help="What everybody may see.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "html", "svg", "png", "json", "annotated", "case"]),
    default="text",
    show_default=True,
)
@click.option("--html", "form", flag_value="html", help="Short for --format html.")
@click.option("--out", type=click.Path(path_type=Path), help="Write to this file instead of the screen.")
@click.option(
    "--scale", type=click.IntRange(1, 6), default=1, show_default=True, help="Dots of a PNG for one of the map."
)
@click.option("--map", "number", type=click.IntRange(1), default=1, show_default=True, help="Which map, of several.")
@click.option(
    "--theme",
    type=click.Choice(themes.THEMES),
    default="light",
    help="Maps for paper (print: black and white) or for a dark screen.",
)
@click.option("--annotated", "form", flag_value="annotated", help="The story, each line with what proves it.")
@click.option("--as-case", "form", flag_value="case", help="The position as a case file; with --seat, what it knows.")
@click.option("--since", type=click.IntRange(min=0), help="Tell the story from after this event.")
@components_option
def show(
    game: Path,
    at: str,
    seat: str,
    public: bool,
    form: str,
    out: Path | None,
    scale: int,
    number: int,
    theme: str,
    since: int | None,
    components: Path | None,
) -> None:
    """The report and map, now or at an earlier moment.

    \b
    pbem show game.pbem
    pbem show game.pbem --at T3.battle
    pbem show game.pbem --html --out report.html
    pbem show game.pbem --format png --scale 2 --theme print --out map.png
    pbem show game.pbem --as-case --at 40 --out position.toml
    """
    from pbem import pictures, report

    agreement.need_started(game)
    table = Table.reading(game, home(), seat=seat, components=components)
    if form in ("annotated", "case"):
        _put(_story(table, since) if form == "annotated" else _case(table, at, seat, components), out, game)
        return
    told = _report(table, at, "" if public else table.seat, since, components)
    maps = told.view.pictures
    if form in ("svg", "png") and not maps:
        raise WrongUse("this game has no map", "--format text or html")
    if form in ("svg", "png") and number > len(maps):
        raise WrongUse(f"no map {number}", f"maps here: {len(maps)}")

    def drawn() -> str:
        return themes.themed(report.svg(maps[number - 1], told.engine, templates=told.templates), theme)

    if form == "text" and out is None:
        click.echo(report.terminal(told, colour=sys.stdout.isatty()), nl=False)
        return
    made = {
        "text": lambda: report.text(told).encode(),
        "html": lambda: report.html(told, theme=theme).encode(),
        "svg": lambda: drawn().encode(),
        "png": lambda: pictures.png(drawn(), scale),
        "json": lambda: report.json_text(told).encode(),
    }[form]()
    if out is None and form == "png" and sys.stdout.isatty():
        raise WrongUse("a picture is no text for a terminal", "--out FILE.png")
    _put(made, out, game)


def _put(made: bytes, out: Path | None, game: Path) -> None:
    if out is None:
        click.echo(made, nl=False)  # UTF-8, as the text itself says
        return
    log.write_atomic(out_file(out, game), made)
    click.echo(f"{out}", err=True)


def _story(table: Table, since: int | None) -> bytes:
    from pbem import annotated

    story = [(seq, note) for seq, note in table.story if seq > (since or 0) or not since]
    return ("\n".join(annotated.lines(table.fold, story, table.path.name)) + "\n").encode()


def _case(table: Table, at: str, seat: str, components: Path | None) -> bytes:
    """The case of a position: what everybody may see, and what `seat` knows where it is named, at the head only."""
    from pbem import ascase

    if not at:
        known = table.known(seat) if seat else None
        return ascase.text(table.fold, seat=seat, known=known).encode()
    then, _ = _earlier(table, moment(table.story, at, table.fold.seq), components)
    return ascase.text(then).encode()


def _report(table: Table, at: str, reader: str, since: int | None, components: Path | None) -> Any:
    fold = table.fold
    if not at:
        first = table.last_look() if since is None else since
        seen, name = table.known(reader), table.path.name
        return account.report(fold, table.story, reader=reader, known=seen, since=first, file=name)
    seq = moment(table.story, at, fold.seq)
    then, story = _earlier(table, seq, components)
    first = max(0, seq - 1) if since is None else since
    words = f"event {seq} of {fold.seq}; the file is {verify.yes(fold).line()}"
    return account.report(
        then, story, reader=reader, since=first, head=(fold.seq, fold.head), file=table.path.name, remark=words
    )


def _earlier(table: Table, seq: int, components: Path | None) -> tuple[Fold, list[tuple[int, Any]]]:
    """The game as it stood after an event, with its story."""
    story: list[tuple[int, Any]] = []
    with log.open_for_reading(table.path) as stream:
        reading = verify.read(
            stream,
            lambda game: rules_for(game, components),
            listener=lambda number, note: story.append((number, note)),
            until=seq,
        )
    if reading.fold is None:
        raise AssertionError("the file was read a moment ago")
    return reading.fold, story


def moment(story: account.Story, at: str, last: int) -> int:
    """The event a bookmark or number names (`WrongUse` with the bookmarks there are)."""
    if at.isdecimal():
        if int(at) > last:
            raise WrongUse(f"no event {at[:20]}", f"the last one is {last}")
        return int(at)
    marks = {note.anchor: seq for seq, note in reversed(story) if note.anchor}
    if at not in marks:
        from difflib import get_close_matches

        near = get_close_matches(at, marks, 4) or sorted(marks)[:12]
        raise WrongUse(f"no bookmark {at[:40]!r}", f"bookmarks: {', '.join(near)}")
    return marks[at]
