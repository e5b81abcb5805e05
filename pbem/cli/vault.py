"""`pbem vault`: the secrets of a seat, locked, on paper, restored, handed on."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from pbem import agreement, log, moving, safe
from pbem.cli.common import GAME, home, say, seat_option, vault_passphrase
from pbem.errors import Trouble, WrongUse
from pbem.table import Table


@click.group()
def vault() -> None:
    """The secrets of a seat: its dice, its cards, what it sealed. Losing them loses the game; copy them to paper.

    \b
    pbem vault paper game.pbem
    pbem vault lock game.pbem
    """


@contextmanager
def _opened(game: Path, seat: str = "") -> Iterator[Table]:
    agreement.need_started(game)
    with Table.locked(game, home(), seat=seat, behind=True) as table:
        yield table


def _own_seat(table: Table, seat: str) -> str:
    """The seat whose secrets are meant; also one whose key is not here."""
    mine = table.room.seats()
    if not mine:
        raise WrongUse("no secrets of this game are on this machine", "`pbem vault restore --help`")
    if seat and seat not in mine:
        raise WrongUse(f"no secrets of {seat} are on this machine", f"there are those of {', '.join(mine)}")
    return seat or table.seat or mine[0]


def _new_passphrase() -> str:
    if any(name in os.environ for name in ("PBEM_VAULT_PASSPHRASE", "PBEM_PASSPHRASE", "PBEM_PASSPHRASE_COMMAND")):
        return vault_passphrase()
    return str(click.prompt("new passphrase", hide_input=True, confirmation_prompt=True, err=True))


@vault.command()
@GAME
@click.option("--seat", default="", metavar="SEAT", help="Whose secrets, if several seats are here.")
def lock(game: Path, seat: str) -> None:
    """Lock a seat's secrets with a passphrase: it is asked for whenever they are needed.

    \b
    pbem vault lock game.pbem
    """
    with _opened(game) as table:
        seat = _own_seat(table, seat)
        table.room.lock_vault(seat, _new_passphrase())
        say(f"the secrets of {seat} are locked; `pbem vault paper {game}` makes a copy for the day it is forgotten")


@vault.command()
@GAME
@click.option("--seat", default="", metavar="SEAT", help="Whose secrets, if several seats are here.")
def unlock(game: Path, seat: str) -> None:
    """Keep a seat's secrets without a passphrase again, readable for your account on this computer.

    \b
    pbem vault unlock game.pbem
    """
    with _opened(game) as table:
        seat = _own_seat(table, seat)
        table.room.unlock_vault(seat)
        say(f"the secrets of {seat} are not locked any more")


@vault.command()
@GAME
@click.option("--seat", default="", metavar="SEAT", help="Whose secrets, if several seats are here.")
def paper(game: Path, seat: str) -> None:
    """Print a seat's master secret: sixteen groups and a checksum, to be kept on paper in a safe place.

    \b
    pbem vault paper game.pbem
    """
    with _opened(game) as table:
        seat = _own_seat(table, seat)
        secret, _ = table.room.opened(seat)
        click.echo(safe.on_paper(bytes.fromhex(secret.master)))
        say(f"{seat} of game {table.fold.game.id[:8]}; whoever reads this knows your dice and cards of this game")


@vault.command()
@GAME
@click.option("--paper", "groups", required=True, metavar="GROUPS", help="The groups and the checksum, or - for input.")
@click.option("--seat", default="", metavar="SEAT", help="Your seat.")
@click.option("--key", "key_name", default="", metavar="NAME", help="Your key by name, if it is not found by itself.")
def restore(game: Path, groups: str, seat: str, key_name: str) -> None:
    """Make a seat's secrets anew from their paper copy. What you had sealed by choice and not opened is lost.

    \b
    pbem vault restore game.pbem --seat red --paper - < paper.txt
    """
    text = sys.stdin.read() if groups == "-" else groups
    master = safe.from_paper(text)
    with _opened(game) as table:
        seat = seat or _whose_paper(table, master)
        lost = moving.restore(table, seat, master, key_name)
        say(f"the secrets of {seat} are here again: dice chains, decks, private values")
        for name in lost:
            say(f"what you chose as {name} is lost: it cannot be opened any more")
    say(f"next: `pbem resume {game}`, because this machine does not know what was signed on the other one")


def _whose_paper(table: Table, master: bytes) -> str:
    fits = [seat for seat in table.fold.game.sealers() if moving.era_of(table.fold, seat, master) is not None]
    if not fits:
        raise WrongUse("this is not the master secret of any seat in this game", "is it the paper of another game?")
    return fits[0]


@vault.command()
@GAME
@click.option("--out", type=click.Path(path_type=Path), help="File to write; by default beside the game file.")
@click.option("--seat", default="", metavar="SEAT", help="Whose secrets, if several seats are here.")
def export(game: Path, out: Path | None, seat: str) -> None:
    """Write a seat's secrets to a locked file, for the player who takes the seat over or for another computer.

    \b
    pbem vault export game.pbem --out red.vault
    """
    with _opened(game) as table:
        seat = _own_seat(table, seat)
        target = out or game.parent / f"{table.fold.game.id[:8]}-{seat}{safe.SUFFIX}"
        if target.exists():
            raise Trouble(f"{target} exists already", "choose another name: --out FILE")
        log.write_atomic(target, moving.exported(table, seat, _new_passphrase()), private=True)
        click.echo(str(target))
        say("tell the passphrase by another way than the file")


@vault.command("import")
@GAME
@click.argument("exported", type=click.Path(path_type=Path))
def import_(game: Path, exported: Path) -> None:
    """Take in the secrets that a former player, or you on another computer, exported.

    \b
    pbem vault import game.pbem red.vault
    """
    try:
        data = exported.read_bytes()
    except OSError as error:
        raise Trouble(f"{exported}: {log.why(error)}", "give the file that `pbem vault export` wrote") from None
    with _opened(game) as table:
        seat = moving.take_in(table, data, vault_passphrase)
        say(f"the secrets of {seat} are taken in")


@vault.command()
@GAME
@click.option("--out", type=click.Path(path_type=Path), help="File to write; by default beside the game file.")
@seat_option
def chain(game: Path, out: Path | None, seat: str) -> None:
    """Write the dice chain of a seat for its responder, and no other secret.

    \b
    pbem vault chain game.pbem --out red.chain
    """
    with _opened(game) as table:
        seat = _own_seat(table, seat)
        target = out or game.parent / f"{table.fold.game.id[:8]}-{seat}.chain"
        doc = moving.chain_for(table, seat)
        log.write_atomic(target, json.dumps(doc, indent=1, sort_keys=True).encode() + b"\n", private=True)
        click.echo(str(target))
        say("on the responder: `pbem respond FILE --chain THIS-FILE`; whoever reads it can foresee dice")
