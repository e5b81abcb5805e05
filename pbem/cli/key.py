"""`pbem key`: identity keys."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from pbem import agent, keys, log
from pbem.cli.common import home, passphrase, say
from pbem.errors import Trouble, WrongUse
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
@click.argument("file", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
@click.option("--name", default=DEFAULT_KEY, show_default=True, help="What to call it on this machine.")
@click.option("--agent", "in_agent", is_flag=True, help="The key stays in the SSH agent, which signs with it.")
@click.option("--fingerprint", default="", help="Which key of the agent, where it holds several.")
def import_(file: Path | None, name: str, in_agent: bool, fingerprint: str) -> None:
    """Copy a private OpenSSH Ed25519 key (or `-` for standard input) into the application folder.

    A key with a passphrase keeps it. The file itself stays as it is. With --agent only the public half is copied,
    and the agent of SSH_AUTH_SOCK is asked for every signature.

    \b
    pbem key import ~/.ssh/id_games --name games
    pbem key import --agent --name games
    """
    if in_agent == (file is not None):
        raise WrongUse("give a private key, or --agent", "`pbem key import FILE` or `pbem key import --agent`")
    if file is None:
        public = _held(fingerprint)
        home().add_key(name, agent.AgentKey(public), None)
        click.echo(f"{keys.fingerprint(public)}")
        return
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


def _held(fingerprint: str) -> bytes:
    """The one key of the agent that is meant."""
    held = agent.listed()
    meant = [public for public, _ in held if fingerprint in ("", keys.fingerprint(public))]
    if len(meant) == 1:
        return meant[0]
    shown = "; ".join(f"{keys.fingerprint(public)} ({comment})" for public, comment in held[:8])
    what = "several Ed25519 keys" if len(meant) > 1 else "no such Ed25519 key" if held else "no Ed25519 key"
    raise WrongUse(f"the SSH agent holds {what}", f"--fingerprint: {shown}" if held else "`ssh-add` puts one there")
