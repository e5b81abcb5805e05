"""The address book: who is mailed for which seat. It stands in the application folder and never in a game file."""

from __future__ import annotations

import json
from typing import Any, Final

from pbem import log, mail
from pbem.errors import Trouble, WrongUse
from pbem.home import Room

FILE: Final = "addresses.json"


def book(room: Room) -> dict[str, str]:
    """Addresses by seat."""
    return {seat: at for seat, at in _read(room).get("seats", {}).items() if isinstance(at, str)}


def account(room: Room) -> str:
    """The mail account by which this game is played; empty for the first one."""
    return str(_read(room).get("account", ""))


def away(room: Room) -> dict[str, str]:
    """Until when a seat is away, as somebody noted it, by seat."""
    return {seat: day for seat, day in _read(room).get("away", {}).items() if isinstance(day, str)}


def set_address(room: Room, seat: str, address: str) -> None:
    """Note an address; an empty one removes it. Raises `Trouble` for what is none."""
    _set(room, "seats", seat, mail.address(address)[1] if address else "")


def set_away(room: Room, seat: str, day: str) -> None:
    _set(room, "away", seat, day)


def use_account(room: Room, name: str) -> None:
    _write(room, {**_read(room), "account": name})


def learn(room: Room, seat: str, address: str) -> bool:
    """Note the address a seat wrote from, if none is known yet."""
    if not address or seat in book(room) or seat in room.seats():
        return False
    set_address(room, seat, address)
    return True


def need(room: Room, seat: str) -> str:
    """The address of a seat (`WrongUse` where none is known)."""
    found = book(room).get(seat, "")
    if not found:
        raise WrongUse(f"no address of {seat} is known", f"`pbem address set FILE {seat} ADDRESS`")
    return found


def _set(room: Room, part: str, seat: str, value: str) -> None:
    doc = _read(room)
    entries = {**doc.get(part, {}), seat: value}
    _write(room, {**doc, part: {name: one for name, one in sorted(entries.items()) if one}})


def _write(room: Room, doc: dict[str, Any]) -> None:
    log.write_atomic(room.path / FILE, json.dumps(doc, indent=1, sort_keys=True).encode() + b"\n", private=True)


def _read(room: Room) -> dict[str, Any]:
    path = room.path / FILE
    try:
        doc = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        doc = None
    parts = doc if isinstance(doc, dict) else {"seats": None}
    if not all(isinstance(parts.get(part, {}), dict) for part in ("seats", "away")):
        raise Trouble(f"{path} is damaged", "remove it and set the addresses again: `pbem address set`")
    return parts
