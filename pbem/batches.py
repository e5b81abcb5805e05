"""Batches of dice: asked for by a handover, fed by links, slips or a beacon, resolved into a seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem import beacon, canon, chance, checks, dice, keys, record
from pbem.api import Roll
from pbem.chance import Batch
from pbem.errors import Refused
from pbem.record import Event

if TYPE_CHECKING:
    from pbem.replay import Fold


# Asked for -------------------------------------------------------------------------------------------------------


def request(fold: Fold, event: Event, body: record.Handover) -> None:
    """What a handover asks of dice: the next batch with its link or beacon round, or nothing."""
    by_beacon = fold.policy == beacon.NAME
    if (body.link if by_beacon else body.beacon) is not None:
        raise Refused("E_OWED", "links and beacon rounds go with their own dice policy")
    if (body.batch is None) != (body.link is None and body.beacon is None):
        raise Refused("E_OWED", "batch and link, or batch and beacon round, go together")
    if body.batch is None:
        if fold.open_pair:
            fold.batch = None
        return
    if body.batch != fold.requested + 1:
        raise Refused("E_BATCH", f"the next batch is {fold.requested + 1}, not {body.batch}")
    if body.beacon is not None:
        _name_round(fold, event, body.batch, body.beacon, body.at)
    elif body.link is not None:
        _ask_slips(fold, event, body.batch, body.link)


def _name_round(fold: Fold, event: Event, number: int, named: record.Beacon, at: int | None) -> None:
    """A batch that waits for a beacon: its round is new, and future by all that the log can tell."""
    pinned = fold.game.charter.dice.beacon
    if pinned is None or named.chain != pinned.chain:
        raise Refused("E_BEACON", f"the charter does not name beacon chain {named.chain[:16]}")
    if named.round in fold.rounds_named:
        raise Refused("E_BEACON", f"round {named.round} was named before")
    if named.round <= fold.latest_round:
        raise Refused("E_BEACON", f"round {named.round} was public already: round {fold.latest_round} stands here")
    if at is None or beacon.network(named.chain).time(named.round) <= at:
        when = "no time is given" if at is None else f"its writer's clock showed {at}"
        raise Refused("E_BEACON", f"round {named.round} was not in the future: {when}")
    fold.rounds_named |= {named.round}
    fold.rounds_by_event = (*fold.rounds_by_event, (event.seq, named.round))
    fold.requested = number
    fold.batch = Batch(number, event.seat, event.id, (), {}, {}, {}, event.seq, round=named.round)


def _ask_slips(fold: Fold, event: Event, number: int, link: str) -> None:
    value = fold.chains[event.seat].accept(number, link)
    fold.requested = number
    contributors = fold.contributors(event.seat)
    slip_keys = {name: fold.slip_keys[name] for name in contributors}
    links = {event.seat: value}
    fold.batch = Batch(number, event.seat, event.id, contributors, links, slip_keys, dict(fold.chains), event.seq)


# Resolved --------------------------------------------------------------------------------------------------------


def resolve(fold: Fold, event: Event, body: record.Resolve) -> None:
    """The evidence for the batch that was asked for: its seed is known from here on."""
    checks.no_window(fold)
    checks.dice_first(fold, event)
    batch = _alone(fold, event, body) if fold.solitaire and fold.policy == "open" else _asked_batch(fold, body)
    if fold.policy == beacon.NAME:
        batch.seed = _by_round(fold, body, batch)
        return
    if fold.policy == "open":
        _own_link(fold, event, body, batch)
    else:
        _slips(fold, body, batch)
    batch.seed = dice.batch_seed(fold.raw_game, batch.number, batch.links)


def _by_round(fold: Fold, body: record.Resolve, batch: Batch) -> bytes:
    """The seed of a batch from the round that its request named, and no other."""
    pinned = fold.game.charter.dice.beacon
    if body.beacon is None or body.link is not None or body.slips is not None or pinned is None:
        raise Refused("E_OWED", "under beacon dice a resolve carries the round that was named and nothing else")
    if body.beacon.round != batch.round:
        raise Refused("E_BEACON", f"round {batch.round} was named for batch {batch.number}")
    value = _round(fold, pinned.chain, body.beacon)
    return beacon.seed(fold.raw_game, batch.number, pinned.chain, batch.round, value)


def _round(fold: Fold, chain: str, given: record.BeaconRound) -> bytes:
    """The value of a round, checked where this machine can; else it is counted, and no verdict is good."""
    net, evidence = beacon.network(chain), bytes.fromhex(given.sig)
    value = beacon.signature(net, evidence)
    if beacon.available() and not fold.checked:
        beacon.check(net, given.round, evidence)
    elif not beacon.available():
        fold.rounds_unchecked += 1
    fold.latest_round = max(fold.latest_round, given.round)
    return value


def _start(fold: Fold, body: record.Resolve) -> None:
    """A registered solitaire game: the first `resolve` brings the value of the round that the charter names."""
    start = fold.game.charter.dice.start
    if start is None or fold.start_value is not None:
        if body.beacon is not None:
            raise Refused("E_OWED", "a beacon round stands in the first resolve of a registered game only")
        return
    if body.beacon is None:
        raise Refused("E_OWED", f"the first resolve brings round {start.round}, which the charter names")
    if body.beacon.round != start.round:
        raise Refused("E_BEACON", f"the charter names round {start.round}")
    fold.start_value = _round(fold, start.chain, body.beacon)


def _alone(fold: Fold, event: Event, body: record.Resolve) -> Batch:
    """Solitaire: the resolve is the request."""
    if fold.rules is not None and not fold.needs_request():
        raise Refused("E_BATCH", "no dice are due")
    if body.batch != fold.requested + 1:
        raise Refused("E_BATCH", f"the next batch is {fold.requested + 1}, not {body.batch}")
    fold.requested = body.batch
    fold.batch = Batch(body.batch, event.seat, event.id, (event.seat,), {}, {}, dict(fold.chains), event.seq)
    return fold.batch


def _asked_batch(fold: Fold, body: record.Resolve) -> Batch:
    batch = fold.batch
    if batch is None or batch.seed is not None:
        raise Refused("E_BATCH", "no batch waits to be resolved")
    if body.batch != batch.number:
        raise Refused("E_BATCH", f"batch {batch.number} waits to be resolved, not {body.batch}")
    first = fold.asks[0] if fold.asks else None
    if fold.open_pair and fold.rules is not None:
        if not isinstance(first, Roll):
            raise Refused("E_BATCH", "no dice are due")
        if chance.late(fold, first):
            raise Refused("E_LATECOMMIT", "what is drawn from was sealed in this period", "hand over first")
    return batch


def _own_link(fold: Fold, event: Event, body: record.Resolve, batch: Batch) -> None:
    if body.link is None or body.slips is not None:
        raise Refused("E_OWED", "under open dice a resolve carries the writer's link and nothing else")
    _start(fold, body)
    if fold.start_value is not None:
        batch.links[beacon.NAME] = fold.start_value
    batch.links[event.seat] = batch.chains[event.seat].accept(batch.number, body.link)


def _slips(fold: Fold, body: record.Resolve, batch: Batch) -> None:
    if body.slips is None or body.link is not None or body.beacon is not None:
        raise Refused("E_OWED", "under sealed dice a resolve carries slips and nothing else")
    given = [slip.seat for slip in body.slips]
    wanted = [name for name in batch.contributors if name != batch.requester]
    if len(set(given)) != len(given):
        raise Refused("E_SLIP", "two slips of one seat")
    if given != wanted:
        raise Refused("E_CONTRIB", f"slips of {', '.join(given) or 'nobody'}, due are those of {', '.join(wanted)}")
    for slip in body.slips:
        check_slip(fold, batch, slip.seat, slip.link, bytes.fromhex(slip.sig))
        batch.links[slip.seat] = batch.chains[slip.seat].accept(batch.number, slip.link)


def check_slip(fold: Fold, batch: Batch, seat: str, link: str, sig: bytes) -> None:
    """A slip's signature, by the key that was in force at the request (`E_SLIP`)."""
    if fold.checked:
        return
    doc = record.slip_doc(batch=batch.number, game=fold.game.id, link=link, request=batch.request, seat=seat)
    try:
        batch.slip_keys[seat].check(keys.SLIP, canon.encode(doc), sig)
    except Refused:
        raise Refused("E_SLIP", f"the slip of {seat} does not fit the request of batch {batch.number}") from None
