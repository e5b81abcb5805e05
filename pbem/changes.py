"""Changes of keys, seats, chains and charter, and the repair of a broken game: core kinds that need everybody.

Each function takes a fold, an event and its body, like those of `kinds`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import Field

from pbem import canon, charter, checks, dice, keys, record, saying, sealed
from pbem.api import Amended, Ask, Commit, Illegal, Many, Note, Rechain, Resigned, Sealed, Slot, Start
from pbem.errors import Incomplete, Refused
from pbem.record import Event

if TYPE_CHECKING:
    from pbem.replay import Fold

AMENDABLE: Final = ("rules", "data", "tables", "options", "clock")


def proof_doc(*, game: str, seat: str, old: str, new: str) -> bytes:
    """What a new key signs to show that somebody holds it, under `rekey.v1@pbem`."""
    return canon.encode({"game": game, "new": new, "old": old, "seat": seat})


def _no_window_and_dice(fold: Fold, event: Event) -> None:
    checks.no_window(fold)
    checks.dice_first(fold, event)


def _enter_key(fold: Fold, seat: str, new: str, proof: str) -> None:
    """A key takes the place of a seat's old one: admissible, never used by any seat, and proved (`E_REKEY`)."""
    keys.admit(bytes.fromhex(new))
    if new in fold.used_keys:
        raise Refused("E_REKEY", "a key that some seat had before")
    key = keys.VerifyKey(bytes.fromhex(new))
    doc = proof_doc(game=fold.game.id, seat=seat, old=fold.keys[seat].raw.hex(), new=new)
    try:
        key.check(keys.REKEY, doc, bytes.fromhex(proof))
    except Refused:
        raise Refused("E_REKEY", "the new key does not sign for this seat of this game") from None
    fold.used_keys.add(new)
    fold.keys = {**fold.keys, seat: key}
    fold.key_changes += 1


def _enter_responder(fold: Fold, seat: str, responder: str | None) -> None:
    """Who signs slips from now on: the responder's key, or the seat's own."""
    if responder is None:
        fold.slip_keys = {**fold.slip_keys, seat: fold.keys[seat]}
        return
    keys.admit(bytes.fromhex(responder))
    if responder in fold.used_keys:
        raise Refused("E_REKEY", "a responder key that some seat had before")
    fold.used_keys.add(responder)
    fold.slip_keys = {**fold.slip_keys, seat: keys.VerifyKey(bytes.fromhex(responder))}


def rekey(fold: Fold, event: Event, body: record.Rekey) -> None:
    """The writer's next key, in force from the next event; it leaves a batch as it is."""
    saying.check_consents(fold, event, body.consents)
    _no_window_and_dice(fold, event)
    change_key(fold, event.seat, body.new, body.proof, body.responder)
    _settled(fold, event, Note("core/rekey", {"seat": event.seat}))


def change_key(fold: Fold, seat: str, new: str, proof: str, responder: str | None = None) -> None:
    """A rotation, by event or by a carried statement: a responder stays unless another one is named."""
    own_slips = fold.slip_keys[seat].raw == fold.keys[seat].raw
    _enter_key(fold, seat, new, proof)
    if responder is not None or own_slips:
        _enter_responder(fold, seat, responder)


def _settled(fold: Fold, event: Event, note: Note) -> None:
    """Nothing before this event can be undone any more."""
    fold.barrier = event.seq
    fold.tell(event.seq)(note)
    fold.look()


# Seats -----------------------------------------------------------------------------------------------------------


def transfer(fold: Fold, event: Event, body: record.Transfer) -> None:
    """A successor takes a seat: a new chain and new seals are due before anything else."""
    saying.check_consents(fold, event, body.consents)
    _no_window_and_dice(fold, event)
    _succeed(fold, event, body)
    fold.batch = None
    fold.core_due = [Ask(body.seat, "rechain", "", client=Rechain()), *_reseals(fold, body.seat)]
    _settled(fold, event, Note("core/transfer", {"seat": body.seat, "name": body.name or body.seat}))


def _succeed(fold: Fold, event: Event, body: record.Transfer) -> None:
    if body.seat not in fold.in_game:
        raise Refused("E_REPLACE", f"{body.seat} is not in the game")
    if body.name is not None:
        record.parse(_Named, {"name": body.name})
    _enter_key(fold, body.seat, body.key, body.proof)
    _enter_responder(fold, body.seat, body.responder)
    fold.era = {**fold.era, body.seat: fold.era[body.seat] + 1}
    if body.box is not None:
        fold.box_keys = {**fold.box_keys, body.seat: body.box}
    fold.players = {**fold.players, body.seat: body.name or body.seat}


class _Named(record.Strict):
    """The shown name of a successor, as in a charter entry."""

    name: charter.Name


def _reseals(fold: Fold, seat: str) -> list[Ask]:
    """A reseal of every hidden zone of a seat: what the leaver knows of it is worth nothing afterwards."""
    if fold.rules is None:
        return []
    due = []
    for name, sealing in sorted(fold.slots.names.items()):
        if sealing.seat != seat or sealing.what == "choice":
            continue
        for zone in _zones(fold, sealing):
            own = name.removeprefix(f"{seat}-")
            commit = Commit(_what(sealing), own, len(zone), (), tuple(zone), sealing.team[1:])
            due.append(Ask(seat, "reseal", "", client=commit))
    return due


def _zones(fold: Fold, sealing: sealed.Sealing) -> list[list[Slot]]:
    """Closed slots by the place they lie in: those the rules let be shuffled among each other."""
    zones: list[list[Slot]] = []
    for slot in _closed(fold, sealing):
        zone = next((one for one in zones if _together(fold, sealing, one[0], slot)), None)
        if zone is None:
            zones.append([slot])
        else:
            zone.append(slot)
    return zones


def _together(fold: Fold, sealing: sealed.Sealing, *pair: Slot) -> bool:
    if sealing.what == "private":
        return True
    fresh = tuple(sealed.slot_name(sealing.name, sealing.next_epoch(), number) for number in range(len(pair)))
    step = Sealed(sealing.seat, sealing.name, sealing.what, fresh, pair)
    return not isinstance(fold.engine.refuse(fold.state, sealing.seat, step, fold.known), Illegal)


def _what(sealing: sealed.Sealing) -> Literal["deck", "purse", "private"]:
    return "deck" if sealing.what == "deck" else "purse" if sealing.what == "purse" else "private"


def _closed(fold: Fold, sealing: sealed.Sealing) -> tuple[Slot, ...]:
    """Slots of a name that are in force and never opened."""
    gone = sealing.replaced()
    return tuple(slot for slot, _, _ in fold.slots.never_opened(sealing) if slot not in gone)


def replace(fold: Fold, event: Event, body: record.Replace) -> None:
    """A vanished player's seat is taken: fresh chain, fresh slots of the same public composition.

    With nothing lost his secrets were left with somebody, and the seat is sealed anew as after a transfer.
    """
    saying.check_consents(fold, event, body.consents, without=body.seat, witness=True)
    _no_window_and_dice(fold, event)
    if body.seat == event.seat:
        raise Refused("E_REPLACE", "nobody replaces himself")
    escrowed = not body.lost and bool(fold.slots.closed(body.seat))
    if fold.rules is not None and not escrowed and not fold.engine.replaceable(fold.state, body.seat):
        raise Refused("E_REPLACE", f"the hidden zones of {body.seat} cannot be rebuilt from what is public")
    if not escrowed:
        _check_lost(fold, body)
    _succeed(fold, event, body)
    enter_chain(fold, body.seat, body.anchor, body.links)
    fold.batch = None
    fold.core_due = _reseals(fold, body.seat) if escrowed else _rebuilt(fold, body.seat)
    _take_over(fold, event, body.seat)
    if len(fold.seats) == 2:
        by = f"{event.seat} and the witness" if charter.WITNESS in fold.keys else event.seat
        fold.on_their_word = (*fold.on_their_word, f"that {body.seat} vanished is the word of {by}")
    _settled(fold, event, Note("core/replace", {"seat": body.seat, "name": body.name or body.seat}))


def _check_lost(fold: Fold, body: record.Replace) -> None:
    """Everything closed of the seat is lost and named; only decks and private lists can be made anew."""
    closed = fold.slots.closed(body.seat)
    if list(body.lost) != closed:
        raise Refused("E_REPLACE", f"lost are {', '.join(closed) or 'no names'}")
    odd = [name for name in closed if fold.slots.names[name].what not in ("deck", "private")]
    if odd:
        raise Refused("E_REPLACE", f"what {body.seat} sealed as {odd[0]} was its own choice and cannot be rebuilt")


def _rebuilt(fold: Fold, seat: str) -> list[Ask]:
    due = []
    for name in fold.slots.closed(seat):
        sealing = fold.slots.names[name]
        closed = _closed(fold, sealing)
        sealing.lost_before = fold.era[seat]
        if not closed:
            continue
        gone = sealing.replaced()
        out = Counter(
            fold.slots.opened[slot] for slot, _, _ in sealing.slots() if slot in fold.slots.opened and slot not in gone
        )
        left = tuple(sorted((Counter(sealing.composition) - out).elements()))
        own = name.removeprefix(f"{seat}-")
        contents = left if sealing.what == "deck" else ()
        due.append(Ask(seat, "rebuild", "", client=Commit(_what(sealing), own, len(closed), contents, closed)))
    return due


def _take_over(fold: Fold, event: Event, seat: str) -> None:
    """Where the named seat held the baton, the writer has it now."""
    if fold.holder == seat:
        fold.holder = event.seat


def drop(fold: Fold, event: Event, body: record.Drop) -> None:
    """A vanished seat leaves a game of three or more; the batch that waits for it is void."""
    saying.check_consents(fold, event, body.consents, without=body.seat)
    _no_window_and_dice(fold, event)
    if len(fold.in_game) < 3 or body.seat == event.seat or body.seat not in fold.in_game:
        raise Refused("E_REPLACE", f"{body.seat} cannot be dropped here")
    fold.batch = None
    fold.in_game.remove(body.seat)
    fold.dropped.add(body.seat)
    _take_over(fold, event, body.seat)
    fold.core_due = [ask for ask in fold.core_due if ask.seat != body.seat]
    fold.windows = [window for window in fold.windows if window.seat != body.seat]
    fold.step(event.seq, Resigned(body.seat))
    _settled(fold, event, Note("core/drop", {"seat": body.seat}))


# Chains ----------------------------------------------------------------------------------------------------------


def rechain(fold: Fold, event: Event, body: record.Rechain) -> None:
    """The writer's next dice chain; due after a transfer, otherwise with everybody's consent."""
    first = fold.core_due[0] if fold.core_due else None
    due = first is not None and first.seat == event.seat and isinstance(first.client, Rechain)
    if due:
        if body.consents is not None:
            raise Refused("E_CONSENT", "a chain that is due needs no consents")
        fold.core_due.pop(0)
    else:
        saying.check_consents(fold, event, body.consents or ())
    _no_window_and_dice(fold, event)
    enter_chain(fold, event.seat, body.anchor, body.links)
    _settled(fold, event, Note("core/rechain", {"seat": event.seat}))


def enter_chain(fold: Fold, seat: str, anchor: str, links: int) -> None:
    """A seat's next chain: its link 1 is for the next batch not yet requested."""
    if anchor in fold.used_anchors:
        raise Refused("E_SAMEANCHOR", "an anchor that stands in this game already")
    if not charter.MIN_LINKS <= links <= charter.MAX_LINKS:
        raise Refused("E_FIELDS", f"field links: between {charter.MIN_LINKS} and {charter.MAX_LINKS}")
    fold.used_anchors.add(anchor)
    number = fold.chain_no[seat] + 1
    chain_id = dice.chain_id(bytes.fromhex(fold.game.charter.setup), seat, number)
    fold.new_chain(seat, number, dice.ChainCheck(chain_id, links, bytes.fromhex(anchor)))


# The charter -----------------------------------------------------------------------------------------------------


ABSENT: Final[Mapping[str, Any]] = {"clock": {}, "tables": []}
"""How an amendment writes what the charter may lack and has not."""


def amend(fold: Fold, event: Event, body: record.Amend) -> None:
    """Other rules, components, options or clock, by consent of all; the rules say whether the game can go on so."""
    saying.check_consents(fold, event, body.consents)
    _no_window_and_dice(fold, event)
    if not body.new or body.old.keys() != body.new.keys() or not body.new.keys() <= set(AMENDABLE):
        raise Refused("E_FIELDS", f"old and new name the same of {', '.join(AMENDABLE)}")
    for name, value in body.old.items():
        if canon.encode({"is": fold.terms.get(name, ABSENT.get(name, ""))}) != canon.encode({"is": value}):
            raise Refused("E_FIELDS", f"field old: {name} is something else in force")
    if body.old == body.new:
        raise Refused("E_FIELDS", "nothing would change")
    terms = {name: value for name, value in {**fold.terms, **body.new}.items() if value != ABSENT.get(name)}
    _check_terms(fold, terms, body.new)
    fold.batch = None
    if fold.rules is not None:
        _go_on_under(fold, event, terms, body.new)
    fold.terms = terms
    _settled(fold, event, Note("core/amend", {"what": ", ".join(sorted(body.new))}))


class _Terms(record.Strict):
    """The terms of a charter that may change, in the form that they have there."""

    rules: charter.Rules
    data: record.Hash
    tables: Many[Annotated[Many[str], Field(min_length=2, max_length=2)]] | None = None
    options: dict[str, str]
    clock: charter.Clock | None = None


def _check_terms(fold: Fold, terms: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    """Amended terms as a charter would have them, of the same game (`E_FIELDS`)."""
    said = record.parse(_Terms, dict(terms))
    if said.rules.id != fold.terms["rules"]["id"]:
        raise Refused("E_FIELDS", f"field rules: a game of {fold.terms['rules']['id']} stays one")
    if said.tables is not None and new.keys() & {"data", "tables"}:
        parts: list[canon.Part] = []
        for name, digest in sorted(said.tables):
            parts += [name, bytes.fromhex(record.parse(_Digest, {"digest": digest}).digest)]
        if canon.H("pbem/v1/data", *parts).hex() != said.data:
            raise Refused("E_FIELDS", "field tables: they are not those of data")


class _Digest(record.Strict):
    digest: record.Hash


def _go_on_under(fold: Fold, event: Event, terms: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    """The position under the new terms: converted where rules or components change, else by the options' own step.

    Without those rules or components here, nothing after this is judged.
    """
    if not new.keys() & {"rules", "data", "tables"}:
        if "options" in new:
            fold.judge(event, Amended(terms["options"]))
            fold.step(event.seq, Amended(terms["options"]))
        return
    convert: Callable[[Any, Start, Start], Any] | None = getattr(fold.engine, "convert", None)  # of a `Converts`
    if fold.rules is None or fold.rules.under is None or convert is None:
        changed = ", ".join(sorted(new.keys() - {"clock"}))
        raise Refused("E_RULE", f"these rules know no way to other {changed} in a running game", ids=())
    try:
        later = fold.rules.under(terms)
    except Incomplete as missing:
        if fold.rehearsal:
            raise
        fold.unjudged, fold.rules, fold.asks = missing, None, ()
        return
    state = convert(fold.state, fold.rules.start, later.start)
    if isinstance(state, Illegal):
        raise Refused("E_RULE", state.why, state.hint, ids=state.ids)
    fold.state, fold.rules = state, later


# Repair ----------------------------------------------------------------------------------------------------------


def heal(fold: Fold, event: Event, body: record.Heal) -> None:
    """Back to an event before a fork or divergence: what came after was not judged, and no dice of it count."""
    saying.check_consents(fold, event, body.consents)
    checks.dice_first(fold, event)
    if body.to >= event.seq:
        raise Refused("E_UNDO", f"event {body.to} is not behind this one")
    if body.to < fold.barrier:
        raise Refused("E_UNDO", f"event {fold.barrier} cannot be undone, nor anything before it")
    if body.burn < fold.requested:
        raise Refused("E_UNDO", f"batch {fold.requested} was requested here: burn must be that or more")
    fold.set_back(body.to)
    fold.went_back.append((event.seq, body.to))
    fold.requested = body.burn
    fold.lost_ids.update(body.lost)
    fold.batch = None
    _settled(fold, event, Note("core/heal", {"to": body.to}))


KINDS: Final[Mapping[str, Callable[[Any, Event, Any], None]]] = {
    "rekey": rekey,
    "transfer": transfer,
    "replace": replace,
    "drop": drop,
    "rechain": rechain,
    "amend": amend,
    "heal": heal,
}
