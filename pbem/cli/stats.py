"""The command that tells the luck of the dice."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from pbem import log
from pbem import stats as luck_of
from pbem.cli.archive import game_files
from pbem.cli.common import answer, components_option, json_option, out_file, say, shown
from pbem.errors import PbemError


@click.command(name="stats")
@click.argument("where", metavar="FILE or FOLDER", type=click.Path(path_type=Path))
@click.option("--html", "out", type=click.Path(path_type=Path), help="Write a page with plots to this file.")
@components_option
@json_option
def stats(where: Path, out: Path | None, components: Path | None, as_json: bool) -> int:
    """The luck of a game by seat and kind of roll, or all dice of a folder against equal faces.

    Probabilities are exact where they can be counted; nothing is called lucky or unlucky.

    \b
    pbem stats game.pbem
    pbem stats ~/games --json
    """
    paths, heard, skipped = game_files((where,)), [], []
    many = where.is_dir()
    with click.progressbar(paths, label="stats", file=sys.stderr, hidden=not sys.stderr.isatty() or not many) as bar:
        for path in bar:
            try:
                heard.append(luck_of.listen(path, components, ask=not many))
            except PbemError as error:
                if not many:
                    raise
                skipped.append({"file": str(path), "why": str(error)})
    doc = _folder(heard, skipped) if many else _game(where, heard[0])
    if out is not None:
        from pbem import report

        page = report.page("stats", s=doc, plots=_plots(heard), tables=_tables(doc), clean=report.clean)
        log.write_atomic(out_file(out, *paths), page.encode("utf-8", "replace"))
        say(f"{out}")
    elif as_json:
        answer(doc)
    else:
        for line in _lines(doc):
            click.echo(shown(line))
    return 0


def _game(path: Path, heard: luck_of.Heard) -> dict[str, Any]:
    fold = heard.fold
    return {
        "title": f"{fold.engine.title}: {path.name}" if fold is not None else path.name,
        "games": 1,
        "hidden_rolls": heard.hidden,
        "draws": heard.draws,
        "rolls": luck_of.by_kind(heard),
        "results": luck_of.by_result(heard),
        "faces": luck_of.faces([heard]),
        "answers": luck_of.answers(heard),
        "points": _by_turn(heard.points),
        "strength": _by_turn(heard.strength),
        "skipped": [],
    }


def _by_turn(rows: list[tuple[str, dict[str, Fraction]]]) -> list[dict[str, str]]:
    return [{"turn": turn, **{side: str(value) for side, value in of.items()}} for turn, of in rows]


def _folder(games: list[luck_of.Heard], skipped: list[dict[str, str]]) -> dict[str, Any]:
    return {
        "title": "All dice of a folder",
        "games": len(games),
        "hidden_rolls": sum(one.hidden for one in games),
        "draws": sum(one.draws for one in games),
        "faces": luck_of.faces(games),
        "skipped": skipped,
    }


HEADS = {
    "rolls": "Rolls: sum of all dice of a kind, and how often fair dice give this or less, this or more",
    "results": "Results that the dice decided, as the rules make them of every way the dice could fall",
    "faces": "All dice that fell, undone or not, against equal faces (chi-square; p: fair dice differ as much)",
    "points": "Points, turn by turn",
    "strength": "Strength on the board, turn by turn",
}


def _tables(doc: dict[str, Any]) -> list[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]:
    """Title, heads and rows of each table that has some."""
    made = []
    for name, title in HEADS.items():
        rows = doc.get(name)
        if rows:
            heads = list(dict.fromkeys(head for row in rows for head in row))
            cells = [tuple(_cell(row.get(head, "")) for head in heads) for row in rows]
            made.append((title, tuple(head.replace("_", " ") for head in heads), cells))
    waits = doc.get("answers")
    if waits:
        rows = [(seat, str(one["answers"]), _time(one["median"]), _time(one["longest"])) for seat, one in waits.items()]
        made.append(("Answers, as the letters claim", ("seat", "answers", "median", "longest"), rows))
    return made


def _cell(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _time(seconds: int) -> str:
    if seconds < 7200:
        return f"{seconds // 60} min"
    return f"{seconds / 3600:.1f} h" if seconds < 172_800 else f"{seconds / 86_400:.1f} days"


def _lines(doc: dict[str, Any]) -> list[str]:
    from pbem.report import table

    lines = [doc["title"], f"{doc['games']} game{'s' if doc['games'] != 1 else ''}; {_apart(doc)}"]
    for title, heads, rows in _tables(doc):
        lines += ["", title, *table({"columns": heads, "rows": rows}, 120).splitlines()]
    if "answers" in doc and not doc["answers"]:
        lines += ["", "answers: not in this log"]
    return lines + [f"left out: {one['file']}: {one['why']}" for one in doc["skipped"]]


def _apart(doc: dict[str, Any]) -> str:
    return f"{doc['hidden_rolls']} rolls that one seat alone saw and {doc['draws']} draws are not counted"


def _plots(games: list[luck_of.Heard]) -> list[Any]:
    from markupsafe import Markup

    from pbem import plots

    made = []
    for name, rows in (("points", games[0].points), ("strength", games[0].strength)) if len(games) == 1 else ():
        sides = sorted({side for _, of in rows for side in of})
        series = {side: [of.get(side, Fraction(0)) for _, of in rows] for side in sides}
        if rows:
            made.append(Markup(plots.lines(HEADS[name], [turn for turn, _ in rows], series)))
    return made
