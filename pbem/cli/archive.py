"""Commands over folders of games: verify, index."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from pbem import archive, log
from pbem.cli.common import answer, components_option, home, json_option, out_file, say, shown
from pbem.errors import PbemError, WrongUse
from pbem.home import Room


def scheduler_option(command: Any) -> Any:
    return click.option(
        "--scheduler", default="", metavar="ADDRESS", help="Work on this Dask cluster, such as tcp://host:8786."
    )(command)


def jobs_option(command: Any) -> Any:
    return click.option(
        "--jobs", type=click.IntRange(1, 61), default=None, help="Processes for several files; as many as processors."
    )(command)


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--finished", is_flag=True, help="Demand a finished game.")
@click.option("--repair", type=click.Path(path_type=Path), help="Copy the sound lines of a damaged file to this one.")
@click.option(
    "--receipts",
    "beside",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    metavar="LETTERS",
    help="Letters of others with receipts: a mail, mailbox or folder; repeatable.",
)
@click.option("--answer", "against", type=click.Path(path_type=Path), metavar="GAME", help="Game that answers a proof.")
@jobs_option
@scheduler_option
@components_option
@json_option
def verify(
    files: tuple[Path, ...],
    finished: bool,
    repair: Path | None,
    beside: tuple[Path, ...],
    against: Path | None,
    jobs: int | None,
    scheduler: str,
    components: Path | None,
    as_json: bool,
) -> int:
    """Check chain, signatures, dice and rules of game files and of all game files in folders.

    Nothing is asked of the network unless a cluster is named, and nothing is written.

    \b
    pbem verify game.pbem
    pbem verify ~/games --json
    cat game.pbem | pbem verify -
    """
    paths = game_files(files)
    if repair is not None:
        return _repair(paths, repair)
    if (beside or against) and (len(paths) != 1 or scheduler):
        raise WrongUse("--receipts and --answer take one file")
    pins = Pins()
    if len(paths) == 1 and not scheduler:
        rows: Iterable[archive.Row] = [pins.seen(_single(paths[0], components, beside, against))]
    else:
        rows = (pins.seen(row) for row in judged(paths, components, jobs, scheduler))
    tally = archive.Tally()
    said = _listed(rows) if as_json and len(paths) > 1 else rows
    for row in said:
        if finished and row["verdict"] == "VALID SO FAR":
            row["status"] = 3
        tally.add(row)
        if not as_json:
            _print(row, many=len(paths) > 1, finished=finished)
        elif len(paths) == 1:
            answer(row)
    if len(paths) > 1 and not as_json:
        click.echo(f"{len(paths)} files")
        for line in tally.lines():
            click.echo(shown(line))
    return tally.status


def game_files(places: tuple[Path, ...]) -> list[Path]:
    """Files as named and those in folders (`WrongUse` for a folder without any)."""
    paths: list[Path] = []
    for one in places:
        found = list(archive.find([one]))
        if not found:
            raise WrongUse(f"no game files in {one}", f"game files end in {log.SUFFIX}")
        paths += found
    return paths


def judged(paths: list[Path], components: Path | None, jobs: int | None, scheduler: str) -> Iterator[archive.Row]:
    """Rows in the order of the files, each as soon as all before it are there; a bar where somebody waits for it."""
    done = archive.rows(paths, components, workers=min(jobs or 0, len(paths)), scheduler=scheduler)
    hidden = not sys.stderr.isatty() or len(paths) < 4
    held = not hidden and sys.stdout.isatty()
    waiting: dict[int, archive.Row] = {}
    following = 0
    with click.progressbar(done, length=len(paths), label="verify", file=sys.stderr, hidden=hidden) as bar:
        for place, row in bar:
            waiting[place] = row
            while not held and following in waiting:
                yield waiting.pop(following)
                following += 1
    while following in waiting:
        yield waiting.pop(following)
        following += 1


def _single(path: Path, components: Path | None, beside: tuple[Path, ...], against: Path | None) -> archive.Row:
    """One file's row, with receipts beside a game, or against a fork proof the game that answers it."""
    if str(path) == "-":
        verdict, reading = archive.judge_bytes(sys.stdin.buffer.read(), components)
    else:
        verdict, reading = archive.judge(path, components)
    if against is not None:
        from pbem import evidence

        if verdict.word != "FORK" or reading.fold is not None or str(path) == "-":
            raise WrongUse(f"{path} is no file of a fork proof", "`pbem verify PROOF --answer GAME`")
        verdict = evidence.answered(path, against, components) or verdict
    if beside:
        from pbem import vouching

        verdict, odd = vouching.judge(verdict, reading, vouching.lines(beside))
        if odd:
            say(f"{odd} receipts are by no key of this game, and count for nothing")
    return archive.row(str(path), verdict, reading)


def _listed(rows: Iterable[archive.Row]) -> Iterator[archive.Row]:
    """The rows, each printed as an element of one JSON list when whoever takes it comes back for the next."""
    begun = False
    for row in rows:
        yield row
        text = json.dumps(row, indent=2, ensure_ascii=False).replace("\n", "\n  ")
        click.echo((("," if begun else "[") + "\n  " + text).encode("utf-8", "backslashreplace"), nl=False)
        begun = True
    click.echo(b"\n]" if begun else b"[]")


# An index -------------------------------------------------------------------------------------------------------


@click.command()
@click.argument("folders", metavar="FOLDER...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--html", "out", type=click.Path(path_type=Path), required=True, help="The page to write.")
@click.option("--title", default="Games", show_default=True, help="The heading of the page.")
@click.option("--replays", is_flag=True, help="Write a replay page of every sound game beside the index.")
@jobs_option
@scheduler_option
@components_option
def index(
    folders: tuple[Path, ...],
    out: Path,
    title: str,
    replays: bool,
    jobs: int | None,
    scheduler: str,
    components: Path | None,
) -> int:
    """One page over folders of games: players, results, dates, verdicts, and links to replay pages.

    A page NAME.html that lies beside the index, or beside NAME.pbem below it, is linked.

    \b
    pbem index ~/games --html ~/games/index.html
    pbem index ~/games --html ~/www/index.html --replays --title "Winter league"
    """
    from pbem import __version__, report

    paths = game_files(folders)
    tally, shelf, found = archive.Tally(), Shelf(out), list(judged(paths, components, jobs, scheduler))
    if replays:
        sound = [Path(row["file"]) for row in found if row["verdict"] in ("VALID", "VALID SO FAR")]
        shelf.fill(sound, components, jobs, scheduler)
    for row in found:
        tally.add(row)
    rows = [_entry(row, shelf.page(Path(row["file"]))) for row in found]
    table = [(word, count, report.clean(why)) for word, count, why in tally.table()]
    text = report.page("index", title=report.clean(title), rows=rows, tally=table, version=__version__)
    log.write_atomic(out_file(out, *paths), text.encode("utf-8", "replace"))
    say(f"{out}: {len(rows)} games")
    for line in tally.lines():
        say(line)
    return 0


def _entry(row: archive.Row, page: str) -> dict[str, Any]:
    """A line of the index, clean."""
    import datetime

    from pbem.report import clean

    about = row.get("about", {})
    last = about.get("last", 0)
    return {
        "file": clean(Path(row["file"]).name),
        "page": page,
        "title": clean(about.get("title", Path(row["file"]).name)),
        "scenario": clean(about.get("scenario", "")),
        "seats": [(clean(seat), clean(name)) for seat, name in about.get("seats", {}).items()],
        "result": clean(row.get("outcome", {}).get("words", "")),
        "seq": row["seq"],
        "last": f"{datetime.datetime.fromtimestamp(last, datetime.UTC):%Y-%m-%d}" if last else "",
        "verdict": row["verdict"],
        "cause": clean(row["cause"] if row["verdict"] != "INVALID" else f"{row['cause']} at event {row['event']}"),
    }


class Shelf:
    """Replay pages that an index can link to."""

    def __init__(self, out: Path) -> None:
        self.index = out.resolve()
        self.folder = self.index.parent
        self.written: dict[Path, Path] = {}
        self._taken: set[Path] = set()

    def fill(self, games: list[Path], components: Path | None, workers: int | None, scheduler: str) -> None:
        """A replay page of every game beside the index, side by side; one that cannot be made is named, not linked."""
        from pbem import jobs, replay_page

        pieces = (archive.piece(game, components, send=bool(scheduler)) for game in games)
        done = jobs.run(replay_page.made, pieces, workers=min(workers or 0, len(games)), scheduler=scheduler)
        places = [self._place(game) for game in games]
        hidden = not sys.stderr.isatty()
        with click.progressbar(done, length=len(games), label="pages", file=sys.stderr, hidden=hidden) as bar:
            for number, result in bar:
                text, why = ("", result.why) if isinstance(result, jobs.Lost) else result
                if why:
                    say(f"{games[number]}: no replay page: {why}")
                else:
                    log.write_atomic(places[number], text.encode("utf-8", "replace"))
                    self.written[games[number]] = places[number]

    def _place(self, game: Path) -> Path:
        """A file for the game's page that is nobody else's."""
        place, number = self.folder / f"{game.stem}.html", 1
        while place == self.index or place in self._taken:
            number += 1
            place = self.folder / f"{game.stem}-{number}.html"
        self._taken.add(place)
        return place

    def page(self, game: Path) -> str:
        """The address of the game's page as the index writes it; empty where there is none."""
        from urllib.parse import quote

        place = self._found(game)
        return quote(place.relative_to(self.folder).as_posix()) if place is not None else ""

    def _found(self, game: Path) -> Path | None:
        if game in self.written:
            return self.written[game]
        for place in (self.folder / f"{game.stem}.html", game.resolve().with_suffix(".html")):
            if place != self.index and place.is_file() and place.is_relative_to(self.folder):
                return place
        return None


class Pins:
    """What this machine has seen of its own games: the rooms are looked through once."""

    def __init__(self) -> None:
        self._rooms: dict[str, Room] | None = None

    def seen(self, row: archive.Row) -> archive.Row:
        """The row, with a remark where this machine has seen more of the game than the file holds."""
        if not row["game"]:
            return row
        if self._rooms is None:
            self._rooms = {name: room for room in home().rooms() for name in room.names()}
        room = self._rooms.get(row["game"])
        try:
            seen = room.pin().seq if room is not None else 0
        except PbemError:
            return row
        if seen <= row["seq"]:
            return row
        remark = f"this machine has seen event {seen} of this game: the file is older or another one"
        line = f"{row['line']}, {remark}" if row["verdict"].startswith("VALID") else row["line"]
        return {**row, "line": line, "remarks": [*row.get("remarks", ()), remark]}


def _print(row: archive.Row, *, many: bool, finished: bool) -> None:
    click.echo(shown(f"{row['file']}: {row['line']}" if many else row["line"]))
    if finished and row["verdict"] == "VALID SO FAR":
        say(f"{row['file']}: the game is not finished")
    if row.get("hint"):
        say(f"hint: {row['hint']}")


def _repair(paths: list[Path], copy: Path) -> int:
    if len(paths) != 1:
        raise WrongUse("--repair takes one file")
    sound = log.sound_lines(paths[0])
    if not sound.lost_bytes:
        say(f"{paths[0]}: nothing to repair, every line is whole")
        return 0
    log.create(out_file(copy, paths[0]), sound.data)
    say(f"{copy}: {sound.lines} whole lines; {sound.lost_bytes} bytes of the end are left out")
    return 0
