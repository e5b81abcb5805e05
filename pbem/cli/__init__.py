"""The command line: `pbem COMMAND`. Commands are loaded when they are called, so that help is quick."""

from __future__ import annotations

import io
import sys
from importlib import import_module
from typing import Any

import click

from pbem import __version__
from pbem.errors import PbemError, Refused, WrongUse

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("demo", "Play two short games through real mail files and look at the result."),
    "key": ("key", "Make, show and import identity keys."),
    "vault": ("vault", "Lock, copy and restore the secrets of a seat."),
    "new": ("play", "Propose a game, or start a solitaire one."),
    "join": ("play", "Take a seat you were invited to."),
    "status": ("look", "Whose decision it is, what is owed, what is missing."),
    "legal": ("look", "What may be ordered now, in the words you may type."),
    "odds": ("odds", "What may come of an order, before it is signed: every way the dice can fall."),
    "order": ("play", "Read orders and keep them in a draft; nothing is signed yet."),
    "play": ("play", "The same as a conversation: the board, the choices, a prompt."),
    "send": ("play", "Sign the draft and write the letter to the others."),
    "receive": ("play", "Take in letters: mail files, folders, mailboxes or standard input."),
    "respond": ("respond", "Release dice unattended: answer requests found in a folder."),
    "beacon": ("beacon", "Take in a round of a public beacon, where one makes the dice."),
    "show": ("look", "The report and map, now or at an earlier moment."),
    "replay": ("replay", "Go through a game event by event, here or on a page for a browser."),
    "verify": ("archive", "Check chain, signatures, dice and rules of game files."),
    "index": ("archive", "One page over a folder of games: players, results, verdicts, links."),
    "stats": ("stats", "The luck of the dice, by seat and kind of roll."),
    "audit": ("check", "Disclose what was sealed when the game is over, and say the verdict."),
    "compare": ("check", "Whether two files are one game, and where they part."),
    "export-sig": ("check", "One event's signature as a file for ssh-keygen."),
    "undo": ("play", "Ask the others to set the game back to an earlier event."),
    "offer": ("play", "Offer a draw or another end of the game by agreement."),
    "agree": ("play", "Accept what was offered or asked for."),
    "consent": ("rare", "Agree to an act that needs everybody: a file that somebody made with a command below."),
    "rekey": ("rare", "Go on with another signing key."),
    "transfer": ("rare", "Take over a seat from a player who hands it on."),
    "replace": ("rare", "Take the seat of a player who has vanished."),
    "drop": ("rare", "Go on without a vanished player, in a game of three or more."),
    "rechain": ("rare", "Make another dice chain, when one is used up or may be known to somebody."),
    "amend": ("rare", "Change options or the clock by consent of all."),
    "resume": ("rare", "After a restored backup: ask the others what was signed, and only read until they answer."),
    "heal": ("rare", "Mend a game whose copies have parted: go back to an event on all of them."),
    "resign": ("play", "Give up."),
    "claim": ("play", "Say that another seat has let the game rest."),
    "roll": ("play", "Short for an open-table roll: dice for a stated purpose."),
    "seal": ("play", "Short for sealing a text of your own at an open table."),
    "open": ("play", "Short for opening a text that you sealed."),
    "sync": ("mail", "Fetch and send mail for all games."),
    "mail": ("mail", "How mail leaves and arrives; test it."),
    "address": ("mail", "Who is mailed for which seat."),
    "resend": ("mail", "Mail again what the others may lack."),
    "request": ("mail", "Ask the others for what is missing here."),
    "rules": ("rules", "Engines, coverage of the rulebooks, component data, case files."),
}


class Commands(click.Group):
    """Names and short helps stand in a table; a command's module is imported when the command runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"pbem.cli.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, 3)
            hint = f" Did you mean: {', '.join(near)}?" if near else " `pbem --help` lists the commands."
            ctx.fail(f"No command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="pbem %(version)s")
def group() -> None:
    """Play board wargames by e-mail with signed moves, honest dice and nobody in the middle.

    \b
    pbem demo                             see it all in ten seconds
    pbem new battle-card-malaya           a solitaire game
    pbem new open-table --seat red        invite somebody to any wargame
    """


def main(args: list[str] | None = None) -> None:
    """Run the command line; the exit status is that of the documentation, and no traceback reaches a user."""
    for stream in (sys.stdout, sys.stderr):  # a terminal may know fewer letters than players do
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")  # an order with such a letter is refused by name
    sys.exit(run(args))


def run(args: list[str] | None = None) -> int:
    try:
        result: Any = group.main(args, prog_name="pbem", standalone_mode=False)
    except PbemError as error:
        complain(str(error), error.hint or _general_hint(error))
        return error.exit_status
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return 2
    except click.ClickException as error:
        complain(error.format_message(), _usage_hint(error))
        return 2
    except click.Abort:
        click.echo("stopped; nothing more was changed", err=True)
        return 130
    except BrokenPipeError:
        return _closed_pipe()
    except OSError as error:
        named = f"{error.filename}: " if error.filename else ""
        complain(f"{named}{(error.strerror or str(error)).lower()}", "choose another file or folder")
        return 4
    except Exception as error:
        return _our_bug(error)
    return result if isinstance(result, int) else 0


def complain(what: str, hint: str = "") -> None:
    """A refusal on standard error, with its hint."""
    from pbem.cli.common import say

    say(f"pbem: {what}")
    if hint:
        say(f"hint: {hint}")


def _general_hint(error: PbemError) -> str:
    """What to try where the refusal itself does not say."""
    if isinstance(error, Refused) and error.code != "E_RULE":
        return "`pbem verify FILE` judges the whole file; the other player has it too: `pbem send FILE --since 0`"
    if isinstance(error, WrongUse):
        return "`pbem status FILE` says how the game stands, `pbem COMMAND --help` what may be asked"
    return ""


def _usage_hint(error: click.ClickException) -> str:
    ctx = getattr(error, "ctx", None)
    return f"see `{ctx.command_path} --help`" if ctx is not None else ""


def _closed_pipe() -> int:
    """Whoever read our output has enough of it."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _our_bug(error: Exception) -> int:
    """Anything else is our bug: say so, keep the details in a file, change nothing."""
    import traceback

    from pbem import home, log

    details = "".join(traceback.format_exception(error))
    where = home.folder() / "crash.txt"
    try:
        log.write_atomic(where, details.encode("utf-8", "replace"), private=True)
        hint = f"details are in {where}; please report them"
    except (PbemError, OSError):
        hint = "please report what you did"
    complain(f"this is a bug of pbem, not your fault: {type(error).__name__}", hint)
    return 4
