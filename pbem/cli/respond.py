"""`pbem respond`: release dice unattended."""

from __future__ import annotations

import time
from pathlib import Path

import click

from pbem import agreement, log
from pbem import respond as responding
from pbem.cli.common import home, passphrase, say
from pbem.errors import Trouble

EVERY = 20
"""Seconds between two looks into the folder."""


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--watch", "folder", type=click.Path(path_type=Path), help="Folder that letters come to.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for answers; by default `answers` in that folder.")
@click.option("--chain", "chain", type=click.Path(path_type=Path), help="Take in the dice chain of a seat first.")
@click.option("--once", is_flag=True, help="Look once instead of for ever.")
@click.option("--every", type=click.IntRange(1, 86400), default=EVERY, show_default=True, help="Seconds between looks.")
def respond(
    files: tuple[Path, ...], folder: Path | None, out: Path | None, chain: Path | None, once: bool, every: int
) -> None:
    """Answer dice requests that come to a folder, with slips, unattended: one slip a batch, for ever.

    The machine needs the game file, a key (`pbem key new`) that the charter lists as responder, and the dice chain,
    which `pbem vault chain game.pbem --out red.chain` writes on the player's machine.

    \b
    pbem respond game.pbem --chain red.chain --once
    pbem respond game.pbem --watch ~/Sync/pbem
    """
    place = home()
    for file in files:
        agreement.need_started(file)
    if chain is not None:
        say(f"releases for {responding.install(place, files[0], _read(chain))}")
    for file in files:
        say(f"{file.name}: releases for {', '.join(responding.released_here(place, file))}")
    target = out or (folder / "answers" if folder is not None else Path("answers"))
    one = responding.Responder(place, list(files), folder, target.resolve(), passphrase)
    while True:
        _tell(one.round())
        if once or folder is None:
            return
        time.sleep(every)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Trouble(f"{path}: {log.why(error)}", "give the file that `pbem vault chain` wrote") from None


def _tell(done: responding.Round) -> None:
    for problem in done.problems:
        say(problem)
    for path in (*done.answers, *done.proofs):
        click.echo(str(path))
