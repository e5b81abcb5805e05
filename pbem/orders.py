"""What a seat does by the rules: its orders, and the seals and openings that come with them or alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from pbem import checks, record, sealed
from pbem.api import Ask, Commit, Opened, Order, Ordered, Sealed, Slot
from pbem.errors import Refused
from pbem.record import Event

if TYPE_CHECKING:
    from pbem.replay import Fold


# Orders ----------------------------------------------------------------------------------------------------------


def order_of(fold: Fold, kind: str, body: Mapping[str, Any]) -> Order:
    """The order of an event's kind and body (`E_KIND`, `E_FIELDS`)."""
    model = fold.engine.orders.get(kind)
    if model is None:
        raise Refused("E_KIND", f"no order {kind!r} in {fold.engine.id}")
    try:
        order = model.model_validate(body)
    except ValidationError as error:
        raise Refused("E_FIELDS", record.explain(error)) from None
    if order.body() != body:
        raise Refused("E_FIELDS", "the body is not the one way to write this order")
    return order


def order(fold: Fold, event: Event) -> None:
    """An event of a kind that is an order of the rules, with what it carries."""
    core = event.body.keys() & record.CORE_FIELDS
    if not core:
        _plain_order(fold, event, event.kind, event.body)
        return
    if "consents" in core:
        raise Refused("E_FIELDS", "field consents: not in an order")
    parts = record.parse(record.OrderParts, {name: event.body[name] for name in core})
    fold.keep_boxes(event, parts.boxes or ())
    fields = {name: value for name, value in event.body.items() if name not in core}
    _plain_order(fold, event, event.kind, fields, parts.opens or (), parts.seals or ())


def _plain_order(
    fold: Fold,
    event: Event,
    kind: str,
    fields: Mapping[str, Any],
    opens: Sequence[record.Item] = (),
    seals: Sequence[record.Seal] = (),
) -> None:
    if fold.rules is None:
        checks.dice_first(fold, event)
        fold.free_choice()
        open_and_seal(fold, event, opens, seals)
        return
    order = order_of(fold, kind, fields)
    if opens:
        checks.no_window(fold)
    checks.dice_first(fold, event)
    checks.may_choose(fold, event)
    checks.in_play(fold, event.seat)
    obey(fold, event, order, opens, seals)


def obey(
    fold: Fold,
    event: Event,
    order: Order,
    opens: Sequence[record.Item],
    seals: Sequence[record.Seal],
) -> None:
    """Openings and seals of an order, then the order: judged and applied."""
    first = fold.asks[0] if fold.asks else None
    if isinstance(first, Ask) and first.seat == event.seat and first.sealed == order.kind:
        raise Refused("E_RULE", f"{order.kind} is sealed here, not said in clear", ids=(first.clause,))
    open_and_seal(fold, event, opens, seals)
    fold.judge(event, order)
    fold.free_choice()
    fold.step(event.seq, Ordered(event.seat, order))


def open_and_seal(fold: Fold, event: Event, opens: Sequence[record.Item], seals: Sequence[record.Seal]) -> None:
    """What an order carries with it: openings first, then seals."""
    if opens:
        unseal(fold, event, opens)
    for one in seals:
        publish(fold, event, one)


# Sealing ---------------------------------------------------------------------------------------------------------


def seal(fold: Fold, event: Event, body: record.Seal) -> None:
    """A commitment that is asked for, or a reseal that the engine lets pass. A free choice: it closes the batch."""
    checks.dice_first(fold, event)
    checks.may_choose(fold, event)
    publish(fold, event, body)


def publish(fold: Fold, event: Event, body: record.Seal) -> None:
    """Enter the slots of a seal and let the rules know."""
    asked = _asked_seal(fold, event.seat, body) if fold.rules is not None else None
    sealing = fold.slots.names.get(body.name) or _new_sealing(fold, event.seat, body, asked)
    _check_seal(fold, event, body, sealing, asked)
    epoch = sealed.Epoch(
        sealing.next_epoch(),
        event.seq,
        tuple(body.hashes),
        tuple(body.replaces or ()),
        era=fold.era[event.seat],
        composition=_rebuilt_contents(asked, body),
    )
    slots = tuple(sealed.slot_name(body.name, epoch.number, n) for n in range(len(body.hashes)))
    step = Sealed(event.seat, body.name, body.what, slots, epoch.replaces)
    due = asked is not None and asked in fold.core_due
    if asked is None and fold.rules is not None:
        fold.judge(event, step)
    fold.slots.publish(sealing, epoch)
    if due:
        fold.core_due.remove(asked)  # type: ignore[arg-type]
    if asked is not None and asked.secret:
        fold.labels[asked.secret] += 1
    fold.free_choice()
    fold.step(event.seq, step)


def _rebuilt_contents(asked: Ask | None, body: record.Seal) -> tuple[str, ...]:
    """What a deck made anew in place of a lost one must hold."""
    commit = _commit_of(asked)
    return tuple(sorted(commit.contents)) if commit is not None and body.replaces else ()


def _asked_seal(fold: Fold, seat: str, body: record.Seal) -> Ask | None:
    """The ask that this seal answers: the first, if it is this seat's and wants it; None for a reseal of its own."""
    first = fold.asks[0] if fold.asks else None
    if not isinstance(first, Ask) or first.seat != seat:
        return None
    if first.secret:
        wanted = f"{first.secret}#{fold.labels[first.secret] + 1}"
        return first if (body.what, body.name) == ("choice", wanted) else None
    commit = first.client if isinstance(first.client, Commit) else first.fill
    if commit is None:
        return None
    wants = (commit.what, f"{seat}-{commit.name}", commit.count, tuple(commit.replaces))
    return first if wants == (body.what, body.name, len(body.hashes), tuple(body.replaces or ())) else None


def _new_sealing(fold: Fold, seat: str, body: record.Seal, asked: Ask | None) -> sealed.Sealing:
    if fold.rules is not None and asked is None:
        raise Refused("E_OPENING", f"nobody asks {seat} to seal {body.name[:60]}")
    commit = _commit_of(asked)
    share = commit.share if commit is not None else ()
    if fold.rules is None:
        share = tuple(box.to for box in body.boxes or ())
    team = (seat, *share)
    composition = tuple(sorted(commit.contents)) if commit is not None else ()
    return sealed.Sealing(body.name, body.what, seat, team, composition, asked.sealed if asked is not None else "")


def _commit_of(asked: Ask | None) -> Commit | None:
    if asked is None:
        return None
    return asked.client if isinstance(asked.client, Commit) else asked.fill


def _check_seal(fold: Fold, event: Event, body: record.Seal, sealing: sealed.Sealing, asked: Ask | None) -> None:
    seat, choice = event.seat, body.what == "choice"
    if sealing.seat != seat or sealing.what != body.what or (not choice and not body.name.startswith(f"{seat}-")):
        raise Refused("E_OPENING", f"{body.name[:60]} is not {seat}'s to seal as {body.what}")
    if choice and (body.epoch is not None or body.replaces is not None or len(body.hashes) != 1 or sealing.epochs):
        raise Refused("E_OPENING", "a choice has one slot and no epoch")
    if not choice and (body.epoch != sealing.next_epoch() or not 1 <= len(body.hashes) <= sealed.MAX_SLOTS):
        raise Refused("E_OPENING", f"the next epoch of {body.name[:60]} is {sealing.next_epoch()}, with a slot or more")
    if sealing.disclosed:
        raise Refused("E_OPENING", f"{body.name} is disclosed already")
    _check_replaced(fold, body)
    if fold.rules is not None and asked is None and not choice and len(body.hashes) != len(body.replaces or ()):
        raise Refused("E_OPENING", "a reseal has as many slots as it replaces")
    commit = _commit_of(asked)
    if commit is not None:
        told = [box.to for box in body.boxes or ()]
        if sorted(told) != sorted(commit.share):
            to = ", ".join(commit.share) or "nobody"
            raise Refused("E_OPENING", f"the secret of {body.name} goes in boxes to {to}")


def _check_replaced(fold: Fold, body: record.Seal) -> None:
    replaced = tuple(body.replaces or ())
    if len(set(replaced)) != len(replaced):
        raise Refused("E_OPENING", "a slot is replaced twice")
    for slot in replaced:
        owner, _, _ = fold.slots.of(slot)
        if owner.name != body.name or slot in owner.replaced():
            raise Refused("E_OPENING", f"{slot} cannot be replaced in {body.name[:60]}")


# Opening ---------------------------------------------------------------------------------------------------------


def open_(fold: Fold, event: Event, body: record.Open) -> None:
    """Openings: what is due leaves the batch as it is, any other is a free choice."""
    if fold.rules is None:
        unseal(fold, event, body.items)
        return
    checks.no_window(fold)
    checks.dice_first(fold, event)
    due = fold.due_opening(event.seat)
    slots = tuple(item.slot for item in body.items)
    if due and slots == due and _sealed_before_request(fold, slots):
        checks.nothing_due(fold, event)
        unseal(fold, event, body.items)
        return
    checks.may_choose(fold, event)
    unseal(fold, event, body.items)
    fold.free_choice()


def _sealed_before_request(fold: Fold, slots: Sequence[Slot]) -> bool:
    if fold.batch is None:
        return True
    return all(fold.slots.of(slot)[1].seq < fold.batch.seq for slot in slots)


def unseal(fold: Fold, event: Event, items: Sequence[record.Item]) -> None:
    """Check openings against their hashes, let the rules judge them, and apply them as one step."""
    if not items:
        raise Refused("E_OPENING", "nothing is opened")
    contents: list[tuple[Slot, Any]] = []
    order: Order | None = None
    for item in items:
        if item.content is None or item.salt is None:
            raise Refused("E_OPENING", f"{item.slot[:60]} lacks its content or salt", "format 1 has no defaults")
        sealing = fold.slots.check(event.seat, item.slot, item.content, item.salt)
        fold.enter(item.slot, item.content)
        contents.append((item.slot, item.content))
        if sealing.what == "choice" and fold.rules is not None:
            order = _opened_order(fold, sealing, item.content, len(items))
    if fold.rules is None:
        return
    what = fold.slots.of(items[0].slot)[0].what
    code = {"choice": "E_OPENED_ILLEGAL", "purse": "E_DECKFRAUD"}.get(what, "E_RULE")
    step = Opened(event.seat, tuple(contents), order)
    fold.judge(event, step, code)
    fold.step(event.seq, step)


def _opened_order(fold: Fold, sealing: sealed.Sealing, content: Any, many: int) -> Order:
    if many > 1:
        raise Refused("E_OPENING", "a choice is opened alone")
    try:
        return order_of(fold, sealing.kind, content)
    except Refused as error:
        raise Refused("E_OPENED_ILLEGAL", error.what) from None
