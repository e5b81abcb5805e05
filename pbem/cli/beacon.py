"""`pbem beacon`: take in a round of a public beacon, and let the dice fall."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pbem import agreement
from pbem.beacon import MAX_PASTED
from pbem.cli.advice import next_step, round_step
from pbem.cli.common import GAME, components_option, home, passphrase, say, seat_option
from pbem.errors import Refused, Trouble, WrongUse
from pbem.table import Table


@click.command()
@GAME
@click.argument("source", metavar="[ROUND]", required=False)
@seat_option
@components_option
def beacon(game: Path, source: str | None, seat: str, components: Path | None) -> int:
    """Take in the beacon round that the game waits for, check it offline, and let the dice fall.

    ROUND is a file with what the round's address shows, `-` for standard input, or the signature itself.
    Without it: which round is due, when it is public, and where it is found. Nothing here goes to the network.

    \b
    pbem beacon game.pbem
    pbem beacon game.pbem round.json
    """
    agreement.need_started(game)
    with Table.locked(game, home(), seat=seat, components=components) as table:
        table.remember()
        due = table.round_due()
        if due is None:
            raise WrongUse("the game waits for no beacon round", "`pbem status FILE` says what it waits for")
        if source is None:
            say(round_step(game.name, *due))
            return 3
        done = table.take_round(_pasted(source), passphrase)
        say(f"round {due[1]} of {due[0].name} is what its organisations signed")
        if done.events:
            say(f"event {table.fold.seq}: the dice are out; `pbem show {game}` shows them")
        say(f"next: {next_step(table)}")
    return 0


def _pasted(source: str) -> str:
    """The text of a round: from a file, standard input, or the argument where it is hex itself."""
    if len(source) >= 96 and all(char in "0123456789abcdefABCDEF" for char in source):
        return source
    try:
        if source == "-":
            data = sys.stdin.buffer.read(MAX_PASTED + 1)
        else:
            with Path(source).open("rb") as stream:
                data = stream.read(MAX_PASTED + 1)
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused("E_BEACON", f"{source} is no round: it is not text") from None
    except OSError as error:
        raise Trouble(f"{source}: {error.strerror}", "save what the round's address shows as a file") from None
