"""Commands for rare acts that need everybody: consent, rekey, transfer, replace, drop, rechain, amend, heal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from pbem import acts, agreement, log, remedy, restored
from pbem.cli.common import (
    GAME,
    components_option,
    home,
    key_option,
    passphrase,
    responder_key,
    responder_option,
    say,
    seat_option,
)
from pbem.errors import Incomplete, Trouble, WrongUse
from pbem.ruleset import read_options
from pbem.table import Table

out_option = click.option(
    "--out", type=click.Path(path_type=Path), help="Act file to write; by default beside the game file."
)
name_option = click.option("--name", default="", help="The player's name as the others see it.")


@contextmanager
def _opened(game: Path, seat: str = "", components: Path | None = None) -> Iterator[Table]:
    agreement.need_started(game)
    with Table.locked(game, home(), seat=seat, components=components) as table:
        table.remember()
        yield table


def _write(table: Table, act: remedy.Act, out: Path | None) -> None:
    """Try the act, consent to it, write its file, and say what it means and who does what next."""
    remedy.propose(table, act, passphrase)
    words = remedy.words(table, act)
    target = out or table.path.parent / act.name
    log.write_atomic(target, act.file(words))
    acts.keep(table, act, act.file(words), own=True)
    click.echo(str(target))
    for line in words:
        say(line)
    say("next: " + _what_next(table, act, target))


def _what_next(table: Table, act: remedy.Act, target: Path) -> str:
    file, act_file = table.path.name, target.name
    by = act.by
    due = [seat for seat in remedy.parties(table.fold, act) if seat not in table.local]
    if not due and by in table.local:
        return f"`pbem consent {file} {act_file}` writes it; nobody else has to agree"
    mailed = f"`pbem send {file}` writes the letter with it (or mail {act_file} alone)"
    writes = f"you write it with `pbem consent {file}`" if by in table.local else f"{by} writes it in the same way"
    if not due:
        return f"{mailed}; {by} writes it with `pbem consent FILE`"
    agree = f"{', '.join(due)} agree{'s' if len(due) == 1 else ''} with `pbem consent FILE`"
    return f"{mailed}; {agree}, then {writes}; nobody plays on meanwhile"


@click.command()
@GAME
@click.argument("act", type=click.Path(path_type=Path), required=False)
@seat_option
@components_option
@click.option("--yes", is_flag=True, help="Do not ask.")
def consent(game: Path, act: Path | None, seat: str, components: Path | None, yes: bool) -> int:
    """Say in words what an act means, and agree to it; with the baton and everybody's consent, write it.

    Without ACT: what came with a letter, or what somebody has offered or asked for. ACT is a file, or its name where
    several came.

    \b
    pbem consent game.pbem rekey-1a2b3c4d-0012.act.json
    """
    with _opened(game, seat, components) as table:
        found = _meant(table, act)
        remedy.check(table, found)
        for line in remedy.words(table, found):
            click.echo(line)
        if not yes and not click.confirm("agree?", err=True):
            raise click.Abort
        done = remedy.consent(table, found, passphrase, seat=seat)
        say(f"event {table.fold.seq}: it is done" if done else "your consent is written")
        say(f"`pbem send {game.name}` writes the letter")
    return 0


def _meant(table: Table, act: Path | None) -> remedy.Act:
    """The act of a file, the one of that name that came with a letter, or the only one that waits."""
    waiting = {one.act.name: one.act for one in acts.live(table)}
    if act is not None:
        return waiting[str(act)] if str(act) in waiting and not act.exists() else _read(act)
    if len(waiting) > 1:
        raise WrongUse(f"{len(waiting)} acts wait", f"name one of {', '.join(waiting)}")
    found = next(iter(waiting.values()), None) or remedy.asked(table)
    if found is None:
        raise Incomplete("an act to agree to", "`pbem consent FILE ACT` names the file that its maker mailed")
    return found


def _read(path: Path) -> remedy.Act:
    try:
        return remedy.read(path.read_bytes())
    except OSError as error:
        raise Trouble(f"{path}: {log.why(error)}", "give the act file that its maker mailed") from None


def _act(make: Callable[[Table], remedy.Act], game: Path, seat: str, out: Path | None) -> None:
    with _opened(game, seat) as table:
        _write(table, make(table), out)


@click.command()
@GAME
@key_option
@responder_option
@out_option
@seat_option
def rekey(game: Path, key_name: str, responder: str, out: Path | None, seat: str) -> None:
    """Go on with another signing key, by consent of all: because it is time, or because somebody may have the old one.

    \b
    pbem key new --name second
    pbem rekey game.pbem --key second
    """
    named = responder_key(home(), responder)
    _act(lambda table: remedy.rekey(table, key_name, passphrase, responder=named), game, seat, out)


@click.command()
@GAME
@click.argument("taken", metavar="SEAT")
@key_option
@name_option
@responder_option
@out_option
def transfer(game: Path, taken: str, key_name: str, name: str, responder: str, out: Path | None) -> None:
    """Take over a seat from a player who hands it on. You run this, the successor, on your machine.

    The former player also gives you his vault: `pbem vault export` there, `pbem vault import` here.

    \b
    pbem transfer game.pbem red --key id --name Red
    """
    who = remedy.Newcomer(key_name, name, responder_key(home(), responder))
    _act(lambda table: remedy.transfer(table, taken, who, passphrase), game, "", out)


@click.command()
@GAME
@click.argument("taken", metavar="SEAT")
@key_option
@name_option
@responder_option
@click.option("--escrowed", is_flag=True, help="His secrets were left with somebody, and you have them.")
@out_option
def replace(game: Path, taken: str, key_name: str, name: str, responder: str, escrowed: bool, out: Path | None) -> None:
    """Take the seat of a player who has vanished with his secrets. You run this, on your machine.

    Where he had left them with the witness, say, as `pbem vault export` writes them, nothing is lost: --escrowed.

    \b
    pbem replace game.pbem red --key id --name Red
    """
    who = remedy.Newcomer(key_name, name, responder_key(home(), responder), escrowed)
    _act(lambda table: remedy.replace(table, taken, who, passphrase), game, "", out)


@click.command()
@GAME
@click.argument("gone", metavar="SEAT")
@out_option
@seat_option
def drop(game: Path, gone: str, out: Path | None, seat: str) -> None:
    """Go on without a vanished player, in a game of three or more.

    \b
    pbem drop game.pbem green
    """
    _act(lambda table: remedy.drop(table, gone), game, seat, out)


@click.command()
@GAME
@click.option("--links", type=click.IntRange(64, 65536), default=None, help="How many dice batches it is good for.")
@out_option
@seat_option
def rechain(game: Path, links: int | None, out: Path | None, seat: str) -> None:
    """Make another dice chain for your seat, when one is used up or may be known to somebody.

    \b
    pbem rechain game.pbem
    """
    _act(lambda table: remedy.rechain(table, links or 0, passphrase), game, seat, out)


@click.command()
@GAME
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the scenario; repeatable.")
@click.option("--days", type=click.IntRange(1, 3650), default=None, help="Days for an answer.")
@click.option("--reminders", type=click.IntRange(0, 100), default=None, help="Reminders before a claim.")
@click.option("--no-clock", is_flag=True, help="Play on without a clock.")
@click.option("--edition", type=click.IntRange(1), default=None, help="Another edition of the rules.")
@click.option(
    "--components",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder of corrected components to go on with; everybody needs the same.",
)
@out_option
@seat_option
def amend(
    game: Path, options: tuple[str, ...], days: int | None, reminders: int | None, no_clock: bool,
    edition: int | None, components: Path | None, out: Path | None, seat: str,
) -> None:  # fmt: skip
    """Change the clock, options, edition or components of a running game, if the rules can go on with them.

    \b
    pbem amend game.pbem --days 14
    pbem amend game.pbem --components ~/corrected
    """
    wishes = remedy.Wishes(read_options(options), days or 0, reminders, no_clock, edition or 0, components)
    _act(lambda table: remedy.amend(table, wishes), game, seat, out)


@click.command()
@GAME
@click.option("--to", type=click.IntRange(min=0), required=True, help="Back to the position after this event.")
@click.option("--burn", type=click.IntRange(min=0), default=None, help="Dice batches up to this one are used up.")
@out_option
@seat_option
def heal(game: Path, to: int, burn: int | None, out: Path | None, seat: str) -> None:
    """Mend a game whose copies have parted: two versions of a turn, or a letter that your rules refuse.

    It goes on with the branch on this machine, and with letters that were refused here and follow it.

    \b
    pbem heal game.pbem --to 41
    """
    _act(lambda table: remedy.heal(table, to, burn), game, seat, out)


@click.command()
@GAME
@seat_option
def resume(game: Path, seat: str) -> None:
    """After a restored backup, a copied folder or a new computer: ask the others what was signed.

    Nothing is signed here until every other seat has answered and its events are here.

    \b
    pbem resume game.pbem
    """
    agreement.need_started(game)
    with Table.locked(game, home(), seat=seat, behind=True) as table:
        restored.resume(table, restored.read_only(table) or "you asked for it", passphrase)
        if table.room.asking() is None:
            say("nobody else has to be asked: go on")
        else:
            say(f"only reading now: `pbem send {game}` mails the question, then take in the answers")
