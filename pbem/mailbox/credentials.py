"""Passwords and tokens: fetched when they are needed, from where the player keeps them, and never shown.

Whatever a server or program says is passed through `hide` before anybody reads it.
"""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from importlib import import_module
from typing import Final

from pbem.errors import Trouble
from pbem.mailbox.settings import Account

PATIENCE: Final = 120
"""Seconds that a command may take: it may have to ask the player something."""


@dataclass(frozen=True)
class Credential:
    """What to log in with; its text form shows nothing."""

    user: str
    secret: str = field(repr=False)
    token: bool = False

    def hide(self, text: str) -> str:
        """A text without the secret, should somebody have put it there."""
        return text.replace(self.secret, "(hidden)") if self.secret else text

    def xoauth2(self) -> str:
        """The words with which XOAUTH2 opens."""
        return f"user={self.user}\x01auth=Bearer {self.secret}\x01\x01"


def credential(account: Account, user: str) -> Credential:
    """The password or token of an account (`Trouble` where it cannot be had)."""
    if account.get("token_command"):
        return Credential(user, _printed("token_command", account.get("token_command")), token=True)
    if account.get("password_command"):
        return Credential(user, _printed("password_command", account.get("password_command")))
    if account.get("password_env"):
        return Credential(user, _from_environment(account.get("password_env")))
    if account.get("password_keyring"):
        return Credential(user, _from_keyring(account.get("password_keyring"), user))
    hint = "`pbem mail set password_command=...` (or password_env, password_keyring, token_command)"
    raise Trouble(f"nothing says where the password of {user} comes from", hint)


def _printed(key: str, command: str) -> str:
    """The first line that a command prints. What it says otherwise is not repeated: it may hold the secret."""
    try:
        done = subprocess.run(
            command, shell=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        raise Trouble(f"{key} did not end within {PATIENCE} seconds", "run it by hand to see why") from None
    except (OSError, ValueError):
        raise Trouble(f"{key} could not be started", "run it by hand to see why") from None
    if done.returncode:
        raise Trouble(f"{key} failed with status {done.returncode}", "run it by hand to see why")
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    return _usable(key, lines[0] if lines else "")


def _usable(key: str, secret: str) -> str:
    if not secret or not secret.isprintable():
        what = "token" if key == "token_command" else "password"
        raise Trouble(f"{key} gives no {what}", f"its first line must be the {what} alone")
    return secret


def _from_environment(name: str) -> str:
    if name not in os.environ:
        raise Trouble(f"password_env: the environment has no variable {name}", "set it, or choose password_command")
    return _usable("password_env", os.environ[name])


def _from_keyring(service: str, user: str) -> str:
    try:
        keyring = import_module("keyring")
    except ImportError:
        hint = "`pip install keyring`, or choose password_command"
        raise Trouble("password_keyring: the package keyring is not installed", hint) from None
    try:
        found = keyring.get_password(service, user)
    except Exception as error:  # a keyring may be locked, absent, or broken in ways of its own
        raise Trouble(f"password_keyring: {type(error).__name__}", "unlock the keyring and try again") from None
    if not found:
        hint = f"store it: keyring set {service} {user}"
        raise Trouble(f"password_keyring: nothing is stored under {service} for {user}", hint)
    return _usable("password_keyring", str(found))
