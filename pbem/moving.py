"""Secrets that move: to paper and back, to a successor, to a responder, to another computer.

A master secret is everything a seat derives: dice chains, arrangements of decks, private values, salts.
What its player chose (choices, chits, places of counters) stands beside it in the vault, and on no paper.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from pbem import charter, dice, safe, sealed
from pbem.errors import Trouble, WrongUse
from pbem.home import DEFAULT_KEY, Passphrase, Secret
from pbem.replay import Fold
from pbem.sealed import CHOICE_EPOCH
from pbem.table import Table


def era_of(fold: Fold, seat: str, master: bytes) -> int | None:
    """Which player of a seat a master secret belongs to, as far as the log tells; None where it fits none."""
    public = sealed.box_public(sealed.box_key(master)).hex()
    if fold.box_keys.get(seat) == public or _makes(fold, seat, master, fold.chain_no.get(seat, 1)):
        return fold.era.get(seat, 0)
    first = charter.chain_of(fold.game, seat)
    if first is not None and _chain(fold, seat, master, 1, first.links)[0] == first.value:
        return 0
    return None


def _chain(fold: Fold, seat: str, master: bytes, number: int, links: int) -> list[bytes]:
    chain_id = dice.chain_id(bytes.fromhex(fold.game.charter.setup), seat, number)
    return dice.chain(chain_id, dice.chain_end(master, number), links)


def _makes(fold: Fold, seat: str, master: bytes, number: int) -> bool:
    """Whether the chain in force comes from a master secret."""
    if seat not in fold.chains:
        return False
    check = fold.chains[seat].check
    return _chain(fold, seat, master, number, check.links)[check.index] == check.value


def restore(table: Table, seat: str, master: bytes, key_name: str = "") -> list[str]:
    """Put a master secret from paper in the place of a lost vault. What its player chose and sealed is lost: the names.

    The game must be `resume`d afterwards: this machine does not know what the lost one has signed.
    """
    fold, room = table.fold, table.room
    era = era_of(fold, seat, master)
    if era is None:
        raise WrongUse(
            f"this is not the master secret of {seat} in this game", "is it the paper of another seat or game?"
        )
    old = _readable(table, seat)
    chosen: dict[str, list[Any]] = {}
    if old is not None:
        if old[0].master == master.hex():
            raise WrongUse(f"the secrets of {seat} are here already", "nothing was changed")
        chosen = old[1]
    room.drop_seat(seat)
    links = fold.chains[seat].check.links
    secret = Secret(
        fold.game.charter.setup, seat, key_name or _key_name(table, seat), master.hex(), links, fold.game.id, era
    )
    room.add_secret(secret)
    room.keep(secret, chosen)
    room.remember(table.path.resolve(), game=fold.game.id)
    return sorted(_chosen_and_closed(fold, seat, chosen))


def _readable(table: Table, seat: str) -> tuple[Secret, dict[str, list[Any]]] | None:
    """What is left of a vault on this machine, if it can be read."""
    try:
        return table.room.opened(seat) if seat in table.room.seats() else None
    except (Trouble, ValueError):
        return None


def _key_name(table: Table, seat: str) -> str:
    wanted = table.fold.keys[seat].raw
    return next((name for name in table.home.key_names() if table.home.has_key(name, wanted)), DEFAULT_KEY)


def _chosen_and_closed(fold: Fold, seat: str, chosen: dict[str, list[Any]]) -> list[str]:
    """Names under which a seat sealed what it chose, with slots that are not opened, and whose contents are lost."""
    found = []
    for name in fold.slots.closed(seat):
        sealing = fold.slots.names[name]
        by_choice = sealing.what == "choice" or (sealing.what == "purse" and not sealing.composition)
        keys = [name if one.number == CHOICE_EPOCH else f"{name}/{one.number}" for one in sealing.epochs]
        if by_choice and not any(key in chosen for key in keys):
            found.append(name)
    return found


# To a successor ----------------------------------------------------------------------------------------------------


def exported(table: Table, seat: str, passphrase: str) -> bytes:
    """A seat's vault as a file for its successor, locked with a passphrase that is told him by another way."""
    secret, chosen = table.room.opened(seat)
    told = {"master": secret.master, "former": secret.former, "era": secret.era, "chosen": chosen}
    return safe.seal(safe.Lock.new(passphrase), secret.setup, seat, told)


def take_in(table: Table, data: bytes, ask: Passphrase) -> str:
    """Take in an exported vault of this game; its seat. Secrets that are here already stay."""
    setup, seat = table.fold.game.charter.setup, safe.whose(data)[1]
    told, _ = safe.unseal(data, setup, seat, ask)
    room = table.room
    try:
        era, master = int(told["era"]), bytes.fromhex(told["master"]).hex()
        masters = {**dict(told["former"]), str(era): master}
        chosen = dict(told["chosen"])
    except (KeyError, TypeError, ValueError):
        raise Trouble(*safe.DAMAGED) from None
    links = table.fold.chains[seat].check.links if seat in table.fold.chains else charter.DEFAULT_LINKS
    room.remember(table.path.resolve(), game=table.fold.game.id)
    if seat not in room.seats():
        masters.pop(str(era))
        made = Secret(setup, seat, DEFAULT_KEY, master, links, table.fold.game.id, era, masters)
        room.add_secret(made)
        room.keep(made, chosen)
        return seat
    own, mine = room.opened(seat)
    former = {name: one for name, one in {**masters, **own.former}.items() if name != str(own.era)}
    room.keep(dataclasses.replace(own, former=former), {**chosen, **mine})
    return seat


# To a responder ----------------------------------------------------------------------------------------------------


def chain_for(table: Table, seat: str) -> dict[str, Any]:
    """What a responder must have to release the links of a seat: the end of its dice chain, and no other secret."""
    fold = table.fold
    if seat not in fold.chains:
        raise WrongUse(f"{seat} has no dice chain in this game")
    secret, _ = table.room.opened(seat)
    number = fold.chain_no[seat]
    end = dice.chain_end(bytes.fromhex(secret.master), number)
    setup = fold.game.charter.setup
    return {"chain_no": number, "end": end.hex(), "game": fold.game.id, "seat": seat, "setup": setup}
