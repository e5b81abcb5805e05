"""What the commands share: options, passphrases, opening games, writing answers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pbem import keys
from pbem.errors import Trouble, WrongUse
from pbem.home import Home

if TYPE_CHECKING:
    from pbem.table import Table
    from pbem.trial import Trial

F = TypeVar("F", bound=Callable[..., Any])

GAME = click.argument("game", metavar="FILE", type=click.Path(path_type=Path))


def seat_option(command: F) -> F:
    return click.option("--seat", default="", metavar="SEAT", help="The seat to act or look for, if you play several.")(
        command
    )


def components_option(command: F) -> F:
    return click.option(
        "--components",
        type=click.Path(path_type=Path, exists=True),
        help="Folder with your own corrected component data; both players must use the same.",
    )(command)


def json_option(command: F) -> F:
    return click.option("--json", "as_json", is_flag=True, help="Answer as JSON.")(command)


def key_option(command: F) -> F:
    return click.option("--key", "key_name", default="id", show_default=True, metavar="NAME", help="Your key by name.")(
        command
    )


def responder_option(command: F) -> F:
    return click.option(
        "--responder", default="", metavar="KEY", help="Key that releases your dice: its .pub file, or its name here."
    )(command)


def responder_key(place: Home, given: str) -> str:
    """The public key of a responder, in hex, from the file it mailed or by name; empty where none is named."""
    if not given:
        return ""
    path = Path(given)
    if path.suffix == ".pub":
        try:
            return keys.read_openssh_public(path.read_text("utf-8")).hex()
        except (OSError, UnicodeDecodeError):
            raise Trouble(f"{path} cannot be read", "give the .pub file of the responder's key") from None
    return place.public_key(given).hex()


def passphrase() -> str:
    """The passphrase of a key: from `PBEM_PASSPHRASE_COMMAND`, from `PBEM_PASSPHRASE`, or asked for."""
    command = os.environ.get("PBEM_PASSPHRASE_COMMAND")
    if command:
        done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Trouble("PBEM_PASSPHRASE_COMMAND failed", "run it by hand to see why")
        return done.stdout.rstrip("\r\n")
    if "PBEM_PASSPHRASE" in os.environ:
        return os.environ["PBEM_PASSPHRASE"]
    if not sys.stdin.isatty():
        raise Trouble("the key has a passphrase and nobody is there to ask", "set PBEM_PASSPHRASE_COMMAND")
    return str(click.prompt("passphrase", hide_input=True, err=True))


def vault_passphrase() -> str:
    """The passphrase of a vault: from `PBEM_VAULT_PASSPHRASE`, or the same way as that of a key."""
    if "PBEM_VAULT_PASSPHRASE" in os.environ:
        return os.environ["PBEM_VAULT_PASSPHRASE"]
    return passphrase()


def home() -> Home:
    return Home(ask=vault_passphrase)


def answer(doc: Any) -> None:
    """JSON on standard output, in UTF-8 whatever the terminal prefers."""
    click.echo(json.dumps(doc, indent=2, ensure_ascii=False).encode("utf-8", "backslashreplace"))


def say(text: str) -> None:
    """Talk, on standard error."""
    click.echo(shown(text), err=True)


def shown(text: str) -> str:
    """Text fit for a terminal: what could steer it, or turn the reading direction, becomes a question mark."""
    return "".join(char if char.isprintable() or char in "\n\t" else "?" for char in text)


def read_text(text: tuple[str, ...]) -> str:
    """Order text from the arguments (each one line) or, for `-`, from standard input."""
    if text == ("-",):
        return _decoded(sys.stdin.buffer.read())
    return "\n".join(text)


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        met = f"byte {error.start + 1} is 0x{data[error.start]:02x}"
        raise WrongUse(f"the orders are not in UTF-8: {met}", "save the file as UTF-8 and try again") from None


def statements(table: Table) -> list[str]:
    """What seats have said without the baton and still stands, in words."""
    from pbem import acts, papers, record, restored

    lines = []
    for one in papers.said(table):
        says = one.says
        if isinstance(says, record.Offer):
            result = says.result if says.result in ("draw", "none") else f"{says.result} has won"
            lines.append(f"{says.seat} offers to end the game: {result}; `pbem agree {table.path.name}` accepts")
        elif isinstance(says, record.AskUndo):
            seen = any(note.label and seq > says.to for seq, note in table.story)
            dice = " (the dice since then were seen; there will be new ones)" if seen else ""
            lines.append(f"{says.seat} asks to undo what came after event {says.to}{dice}")
            lines.append(f"`pbem agree {table.path.name}` consents, playing on declines")
        elif isinstance(says, record.ConsentStatement):
            what = "end the game so" if says.of == "agree" else says.of
            lines.append(f"{says.seat} consents to {what} by event {says.seq}")
        elif isinstance(says, record.ClaimStatement):
            lines.append(f"{says.seat} claims: {says.debtor} has owed event {says.owes} for {says.days} days")
        elif isinstance(says, record.ResignStatement):
            lines.append(f"{says.seat} has resigned")
    lines += acts.standing(table)
    for seat in restored.asked_heads(table):
        lines.append(f"{seat} asks what you have, its files were restored: `pbem send {table.path.name}` answers")
    return lines


def may_roll(table: Table, trial: Trial) -> bool:
    """Open dice are due after the draft: the seat may let them fall now."""
    from pbem.api import Roll

    fold = table.fold
    due = bool(trial.asks) and isinstance(trial.asks[0], Roll) and not trial.fold.dice_late()
    return fold.policy == "open" and fold.holder == table.seat and due


def out_file(path: Path, *inputs: Path) -> Path:
    """A path to write to that is none of the inputs."""
    for given in inputs:
        if path.resolve() == given.resolve():
            raise WrongUse(f"{path} is the file being read", "choose another name for the output")
    return path
