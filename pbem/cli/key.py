"""`pbem key`: identity keys."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pbem import keys, log
from pbem.cli.common import home, passphrase, say
from pbem.errors import Trouble
from pbem.home import DEFAULT_KEY


@click.group()
def key() -> None:
    """Make, show and import identity keys.

    A key is an OpenSSH Ed25519 key. Use one that you made for playing, not your login key.

    \b
    pbem key new
    pbem key show
    """


@key.command()
@click.option("--name", default=DEFAULT_KEY, show_default=True, help="What to call it on this machine.")
@click.option("--passphrase/--no-passphrase", "locked", default=False, help="Ask for a passphrase to lock it with.")
def new(name: str, locked: bool) -> None:
    """Make a key.

    \b
    pbem key new
    pbem key new --name tournament --passphrase
    """
    words = click.prompt("new passphrase", hide_input=True, confirmation_prompt=True, err=True) if locked else None
    made = keys.SigningKey.new()
    path = home().add_key(name, made, words)
    say(f"key {name}: {path}")
    click.echo(f"{keys.fingerprint(made.public)}")


@key.command()
@click.option("--name", default=None, help="Only this key.")
def show(name: str | None) -> None:
    """List keys with their fingerprints, or one public key in full.

    \b
    pbem key show
    pbem key show --name id
    """
    place = home()
    if name is not None:
        click.echo(keys.openssh_public(place.public_key(name), f"pbem-{name}"))
        return
    names = place.key_names()
    if not names:
        raise Trouble("there is no key on this machine", "`pbem key new` makes one")
    for one in names:
        click.echo(f"{one:<20} {keys.fingerprint(place.public_key(one))}")


@key.command("import")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--name", default=DEFAULT_KEY, show_default=True, help="What to call it on this machine.")
def import_(file: Path, name: str) -> None:
    """Copy a private OpenSSH Ed25519 key (or `-` for standard input) into the application folder.

    A key with a passphrase keeps it. The file itself stays as it is.

    \b
    pbem key import ~/.ssh/id_games --name games
    """
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    except OSError as error:
        raise Trouble(f"{file}: {log.why(error)}", "give a private key in OpenSSH form, or - for input") from None
    words: list[str] = []

    def ask() -> str:
        words.append(passphrase())
        return words[-1]

    found = keys.read_private(data, ask)
    home().add_key(name, found, words[-1] if words else None)
    click.echo(f"{keys.fingerprint(found.public)}")
