"""Rare acts that need everybody: made once, shown in words, consented to, and written by whoever holds the baton.

Sequence: somebody makes an act (`rekey`, `transfer`, `replace`, `drop`, `rechain`, `amend`, `heal`), which is a small
file; the others read it and consent, each by a statement that goes out with the next letter; whoever holds the baton,
or stands in for a vanished holder, writes the event with all consents in it. Undo and offers go the same way.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from pbem import appeals, canon, changes, charter, dice, keys, packet, papers, record, registry, sealed
from pbem.errors import Incomplete, PbemError, Refused, WrongUse
from pbem.home import Passphrase, Secret, new_master
from pbem.record import Event
from pbem.replay import Fold
from pbem.table import Table
from pbem.trial import Blank

SUFFIX: Final = ".act.json"
REMINDERS: Final = 2
"""Reminders before a claim, where a clock is given without them."""

KINDS: Final = frozenset({"agree", "undo", "heal", "amend", "rekey", "transfer", "replace", "rechain", "drop", "carry"})
"""Kinds of events that carry consents."""


@dataclass(frozen=True, slots=True)
class Act:
    """An event that needs consents, before it has them: what, at which place of which game, and who is to write it."""

    kind: str
    body: dict[str, Any]
    game: str
    prev: str
    seq: int
    by: str

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"{self.kind}-{self.game[:8]}-{self.seq:04}{SUFFIX}"

    def file(self, words: Sequence[str]) -> bytes:
        """The act as a file, with words for whoever opens it in an editor; nobody's program reads those."""
        doc = {**dataclasses.asdict(self), "v": 1, "words": list(words)}
        return canon.encode(doc) + b"\n"


class _Form(record.Strict):
    """An act file."""

    kind: str
    body: dict[str, Any]
    game: record.Hash
    prev: record.Hash
    seq: record.Positive
    by: record.SeatId
    v: int
    words: list[str]


def read(data: bytes) -> Act:
    """The act of a file (`WrongUse` where it is none)."""
    try:
        form = record.parse(_Form, canon.decode(data.strip()))
        if form.kind not in KINDS or "consents" in form.body:
            raise Refused("E_KIND", f"{form.kind[:40]!r} is no act that needs consents")
        record.parse(record.BODIES[form.kind], {**form.body, "consents": []})
    except Refused as error:
        hint = f"acts are files that end in {SUFFIX}; ask its maker for the file itself"
        raise WrongUse(f"this is no act: {error.what}", hint) from None
    return Act(form.kind, form.body, form.game, form.prev, form.seq, form.by)


def here(table: Table, kind: str, body: Mapping[str, Any]) -> Act:
    """An act at the place where the game stands."""
    fold = table.fold
    return Act(kind, dict(body), fold.game.id, fold.head, fold.seq + 1, writer(fold, kind, body))


# Who has to do with it ---------------------------------------------------------------------------------------------


def writer(fold: Fold, kind: str, body: Mapping[str, Any]) -> str:
    """The seat that writes the event: the holder, or who stands in for one that an act takes out of the game."""
    if kind in ("replace", "drop") and body.get("seat") == fold.holder:
        return next((seat for seat in fold.in_game if seat != fold.holder), "")
    return fold.holder


def parties(fold: Fold, act: Act) -> list[str]:
    """The seats whose consent is due, but for the writer."""
    absent = {act.by}
    if act.kind in ("replace", "drop"):
        absent.add(act.body["seat"])
    if act.kind == "carry":
        absent.add(act.body["said"]["statement"]["seat"])
    due = [seat for seat in fold.in_game if seat not in absent]
    if act.kind == "replace" and charter.WITNESS in fold.keys:
        due.append(charter.WITNESS)
    return sorted(due)


# What it means, in words -------------------------------------------------------------------------------------------


def words(table: Table, act: Act) -> list[str]:
    """What is agreed, line by line, and who may have seen dice that become void by it."""
    told = {
        "agree": _agree,
        "undo": _undo,
        "heal": _heal,
        "amend": _amend,
        "rekey": _rekey,
        "transfer": _transfer,
        "replace": _replace,
        "rechain": _rechain,
        "drop": _drop,
        "carry": _carry,
    }[act.kind](table.fold, act)
    return [*told, *seen(table, act)]


def _agree(_: Fold, act: Act) -> list[str]:
    result = act.body["result"]
    return ["the game ends: " + {"draw": "a draw", "none": "no result"}.get(result, f"{result} has won")]


def _undo(fold: Fold, act: Act) -> list[str]:
    return [f"everything after event {act.body['to']} is undone; the events stay in the log, void"]


def _heal(fold: Fold, act: Act) -> list[str]:
    lines = [f"the game goes on from event {act.body['to']}; what came after it, on any machine, is void"]
    if act.body["lost"]:
        lines.append(f"{len(act.body['lost'])} events of another branch are given up, and prove no fork any more")
    return lines


def _amend(_: Fold, act: Act) -> list[str]:
    old = act.body["old"]
    return [line for name, new in sorted(act.body["new"].items()) for line in _changed(name, old[name], new)]


def _changed(name: str, old: Any, new: Any) -> list[str]:
    """One amended term, in words."""
    if name == "rules":
        return [f"the rules change from edition {old['version']} to edition {new['version']}"]
    if name == "data":
        return ["the components change: the numbers on maps, counters and charts"]
    if name == "tables":
        before, after = dict(old), dict(new)
        odd = sorted(one for one in before.keys() | after.keys() if before.get(one) != after.get(one))
        return [f"other components: {', '.join(odd)}"]
    if not new or not old:
        has = ", ".join(f"{part} {value}" for part, value in sorted((new or old).items()))
        return [f"{name}: {has} from then on; there was none" if new else f"{name}: none from then on; it was {has}"]
    return [
        f"{name}: {part} changes from {old.get(part)} to {new[part]}"
        for part in sorted(new)
        if old.get(part) != new[part]
    ]


def _mark(public: str) -> str:
    return keys.fingerprint(bytes.fromhex(public))


ASK_HIM: Final = "ask him by telephone or another mailbox whether he wants it: a thief could have made this act"


def _rekey(fold: Fold, act: Act) -> list[str]:
    told = f"{fold.holder} signs with another key from then on: {_mark(act.body['new'])}"
    return [told, *_by_responder(act.body), ASK_HIM]


def _by_responder(body: Mapping[str, Any]) -> list[str]:
    return [f"a responder releases the dice, with the key {_mark(body['responder'])}"] if "responder" in body else []


def _carry(_: Fold, act: Act) -> list[str]:
    says = record.statement_of(act.body["said"]["statement"])
    if not isinstance(says, record.RekeyStatement):
        return [f"what {says.seat} said is taken into the game"]
    return [f"{says.seat} signs with another key from then on: {_mark(says.new)}", ASK_HIM]


def _transfer(_: Fold, act: Act) -> list[str]:
    body = act.body
    who = body.get("name") or "a successor"
    return [
        f"{who} plays {body['seat']} from then on, with the key {_mark(body['key'])}",
        *_by_responder(body),
        "the successor gets new dice secrets and reseals what is hidden, so that the former player knows nothing of it",
    ]


def _replace(fold: Fold, act: Act) -> list[str]:
    body = act.body
    lines = [f"{body.get('name') or 'somebody else'} plays {body['seat']}, whose player has vanished"]
    lines += [f"his key: {_mark(body['key'])}", *_by_responder(body)]
    if body["lost"]:
        lines.append(f"lost with the vanished player and made anew: {', '.join(body['lost'])}")
    elif fold.slots.closed(body["seat"]):
        lines.append("nothing is lost: he says that he has the vanished player's secrets, and seals all anew")
    return lines


def _rechain(fold: Fold, act: Act) -> list[str]:
    return [f"{fold.holder} has another dice chain, of {act.body['links']} links, for batches not asked for yet"]


def _drop(_: Fold, act: Act) -> list[str]:
    return [f"{act.body['seat']}, whose player has vanished, leaves the game"]


def seen(table: Table, act: Act) -> list[str]:
    """Who may have seen dice that the act makes void: that is what a consent gives away."""
    fold, lines = table.fold, []
    if act.kind in ("undo", "heal"):
        by = {fold.seats[fold.ids.seat(seq)] for seq, note in table.story if note.label and seq > act.body["to"]}
        lines += [f"{seat} has seen these dice; agreeing means new ones" for seat in sorted(by)]
    waits = fold.batch is not None and fold.batch.seed is None and not fold.open_pair
    if waits and fold.batch is not None and act.kind in ("replace", "drop"):
        lines.append(f"dice batch {fold.batch.number} is void: the vanished seat may have seen these dice")
    elif waits and fold.batch is not None and act.kind in ("undo", "heal", "transfer", "amend"):
        lines.append(f"dice batch {fold.batch.number} is void: {fold.holder} may have seen these dice")
    return lines


# Consent, or the event ---------------------------------------------------------------------------------------------


def asked(table: Table) -> Act | None:
    """The act that a seat has asked for in a letter at this point of the game."""
    found = appeals.asked(table)
    return here(table, *found) if found is not None else None


def check(table: Table, act: Act) -> None:
    """Whether the act fits the game as it stands and the rules would let it pass: nobody consents to what cannot be.

    A heal may speak of a branch that is not on this machine.
    """
    fold = table.fold
    if act.game != fold.game.id:
        raise Refused("E_GAME", "the act belongs to another game")
    if act.kind == "heal" and (act.prev, act.seq) != (fold.head, fold.seq + 1):
        _check_branch(table, act)
        return
    if (act.prev, act.seq) != (fold.head, fold.seq + 1):
        what = f"the act was made for event {act.seq}; the game stands at event {fold.seq}"
        raise Refused("E_CONSENT", what, "whoever made it makes it again, and nobody plays on meanwhile")
    by = writer(fold, act.kind, act.body)
    if act.by != by:
        raise Refused("E_CONSENT", f"the act is for {act.by} to write, and {by} writes the next event")
    trial = fold.fork()
    trial.rehearsal = True
    trial.take(_event(by, act, {**act.body, "consents": []}))


def _event(by: str, act: Act, body: Mapping[str, Any]) -> Event:
    key = cast("keys.SigningKey", Blank())
    return record.write_event(key, game=act.game, seq=act.seq, prev=act.prev, seat=by, kind=act.kind, body=body)


def consent(table: Table, act: Act, passphrase: Passphrase | None = None, *, seat: str = "") -> str:
    """Agree to an act: by a consent (""), or, for its writer, who has all consents, by the event: its kind.

    `Incomplete` names the seats whose consent is missing.
    """
    if act.kind != "replace" or charter.WITNESS not in table.room.seats():
        table.need_in_play()
    check(table, act)
    if act.kind == "heal" and (act.prev, act.seq) != (table.fold.head, table.fold.seq + 1):
        return _consent_to_branch(table, act, passphrase)
    by = act.by
    seat = seat or (by if by in table.local else table.seat or charter.WITNESS)
    author = table.author(passphrase, seat)
    if seat != by:
        if seat not in parties(table.fold, act):
            due = ", ".join(parties(table.fold, act)) or "nobody"
            raise WrongUse(f"{seat} is not asked for this act", f"consents are due of {due}")
        papers.say(table, author.consent(act.kind, act.body, act.prev, act.seq))
        return ""
    author.write(act.kind, {**act.body, "consents": consents(table, act)})
    table.finish_act(author, hand_over=act.kind == "agree")
    return act.kind


def given(table: Table, act: Act) -> dict[str, str]:
    """The consents to an act that are here: seat and signature."""
    hash_ = record.act_hash(act.body)
    return {
        one.says.seat: one.sig.hex()
        for one in (*papers.said(table), *(_refused_consents(table) if act.kind == "heal" else ()))
        if isinstance(one.says, record.ConsentStatement)
        and (one.says.act, one.says.of, one.says.prev, one.says.seq) == (hash_, act.kind, act.prev, act.seq)
    }


def consents(table: Table, act: Act) -> list[dict[str, str]]:
    """The consents of all who have to agree (`Incomplete` while one is missing)."""
    due, here_ = parties(table.fold, act), given(table, act)
    missing = [seat for seat in due if seat not in here_]
    if missing:
        how = "pbem agree FILE" if act.kind in ("agree", "undo") else "pbem consent FILE ACT"
        raise Incomplete(f"consent of {', '.join(missing)}", f"they write `{how}` and send it")
    return [{"seat": seat, "sig": here_[seat]} for seat in due]


def _refused_consents(table: Table) -> Iterator[record.Signed[record.Statement]]:
    """Consents that came with events of another branch: those were refused, the consents are meant."""
    for content in refused(table):
        for line in content.of("said"):
            with suppress(Refused):
                said = record.read_statement(line)
                table.fold.keys[said.says.seat].check(keys.STATEMENT, said.raw, said.sig)
                yield said


def propose(table: Table, act: Act, passphrase: Passphrase | None = None) -> None:
    """Try an act out, and consent to it at once where a seat here is asked for that."""
    check(table, act)
    fold = table.fold
    if fold.since_handover and fold.holder in table.local and not table.all_here() and act.kind != "heal":
        hint = f"`pbem send {table.path.name}` hands over first"
        raise WrongUse("the others do not have what was signed here since the last handover", hint)
    for seat in table.local:
        if seat in parties(fold, act) and act.by not in table.local:
            papers.say(table, table.author(passphrase, seat).consent(act.kind, act.body, act.prev, act.seq))


# Keys --------------------------------------------------------------------------------------------------------------


def rekey(table: Table, name: str, passphrase: Passphrase | None = None, *, responder: str = "") -> Act:
    """Another key for a seat here: an event of the holder's, or a statement that the holder takes into the chain.

    `responder`: the public key, in hex, that releases its dice from then on; only an event can name one.
    """
    seat, fold = table.need_seat(), table.fold
    new = table.home.key(name, passphrase)
    old = fold.keys[seat].raw.hex()
    body = {"new": new.public.hex(), "proof": _proof(fold, seat, new)}
    if fold.holder == seat:
        return here(table, "rekey", {**body, "responder": responder} if responder else body)
    if responder:
        raise WrongUse(f"{fold.holder} holds the baton", "a responder is named with the baton, in your own turn")
    said = table.author(passphrase, seat).statement("rekey", old=old, **body)
    return here(table, "carry", {"said": {"sig": said.sig.hex(), "statement": canon.decode(said.raw)}})


def _proof(fold: Fold, seat: str, new: keys.SigningKey) -> str:
    old = fold.keys[seat].raw.hex()
    doc = changes.proof_doc(game=fold.game.id, seat=seat, old=old, new=new.public.hex())
    return new.sign(keys.REKEY, doc).hex()


def rechain(table: Table, links: int = 0, passphrase: Passphrase | None = None) -> Act:
    """Another dice chain for the holder's seat, from its vault."""
    seat = table.need_seat()
    if table.fold.holder != seat:
        raise WrongUse(
            f"{table.fold.holder} holds the baton", "a new chain is written with the baton, in your own turn"
        )
    return here(table, "rechain", table.author(passphrase, seat).next_chain(links))


# Seats -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Who takes a seat over: his key by name here, the name shown, and the public key of his responder in hex.

    `escrowed`: he has the secrets of a vanished player, who had left them with somebody.
    """

    key: str
    shown: str = ""
    responder: str = ""
    escrowed: bool = False


def transfer(table: Table, seat: str, who: Newcomer, passphrase: Passphrase | None = None) -> Act:
    """A successor takes a seat; run on his machine, where his new secrets stay."""
    return here(table, "transfer", _successor(table, seat, who, passphrase)[0])


def replace(table: Table, seat: str, who: Newcomer, passphrase: Passphrase | None = None) -> Act:
    """Somebody takes the seat of a vanished player; run on his machine, where his new secrets stay."""
    body, master = _successor(table, seat, who, passphrase)
    fold = table.fold
    number, links = fold.chain_no[seat] + 1, fold.chains[seat].check.links
    chain_id = dice.chain_id(bytes.fromhex(fold.game.charter.setup), seat, number)
    anchor = dice.anchor(chain_id, dice.chain_end(master, number), links)
    more = {"anchor": anchor.hex(), "links": links, "lost": [] if who.escrowed else fold.slots.closed(seat)}
    return here(table, "replace", {**body, **more})


def _successor(table: Table, seat: str, who: Newcomer, passphrase: Passphrase | None) -> tuple[dict[str, Any], bytes]:
    """What a new player of a seat brings, and his master secret, which is stored before anything is mailed."""
    fold = table.fold
    if seat not in fold.in_game:
        raise WrongUse(f"no seat {seat[:40]!r} is in this game", f"seats: {', '.join(fold.in_game)}")
    key = table.home.key(who.key, passphrase)
    if key.public.hex() in fold.used_keys:
        hint = "make another one: `pbem key new --name NAME`, then `--key NAME`"
        raise Refused("E_REKEY", f"some seat of this game has had the key {who.key} already", hint)
    master = bytes.fromhex(_prepare(table, seat, who.key).master)
    body = {"box": sealed.box_public(sealed.box_key(master)).hex(), "key": key.public.hex(), "seat": seat}
    body["proof"] = _proof(fold, seat, key)
    if who.shown:
        canon.check_text(who.shown)
        body["name"] = who.shown
    if who.responder:
        body["responder"] = who.responder
    return body, master


def _prepare(table: Table, seat: str, name: str) -> Secret:
    """The secrets of the seat's next player. Those that were made for an earlier try of the same act stay."""
    fold, room = table.fold, table.room
    era = fold.era[seat] + 1
    room.remember(table.path.resolve(), game=fold.game.id)
    if seat in room.seats():
        old, chosen = room.opened(seat)
        if old.era == era and old.master:
            secret = dataclasses.replace(old, key=name)
        else:
            former = {**old.former, str(old.era): old.master} if old.master else old.former
            secret = dataclasses.replace(old, key=name, master=new_master().hex(), era=era, former=former)
        room.keep(secret, chosen)
        return secret
    links = fold.chains[seat].check.links
    secret = Secret(fold.game.charter.setup, seat, name, new_master().hex(), links, fold.game.id, era)
    room.add_secret(secret)
    return secret


def drop(table: Table, seat: str) -> Act:
    """A vanished seat leaves a game of three or more."""
    return here(table, "drop", {"seat": seat})


# The charter -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wishes:
    """What an amendment is to change: options by name, the clock, the edition, the folder of components.

    `days` 0 leaves the clock as it is, `edition` 0 the edition; `no_clock` takes the clock away.
    """

    options: Mapping[str, str] = field(default_factory=dict)
    days: int = 0
    reminders: int | None = None
    no_clock: bool = False
    edition: int = 0
    components: Path | None = None


def amend(table: Table, wishes: Wishes) -> Act:
    """Other options, another clock or none, another edition, other components."""
    terms = table.fold.terms
    new: dict[str, Any] = {}
    if wishes.edition or wishes.components is not None:
        new |= _other_rules(table, wishes)
    if wishes.options:
        new["options"] = {**terms["options"], **wishes.options}
    if wishes.no_clock:
        new["clock"] = {}
    elif wishes.days or wishes.reminders is not None:
        new["clock"] = _other_clock(terms, wishes)
    old = {name: terms.get(name, changes.ABSENT.get(name)) for name in new}
    new = {name: value for name, value in new.items() if old[name] != value}
    if not new:
        raise WrongUse("nothing is to be changed", "--option NAME=VALUE, --days N; `pbem amend --help`")
    return here(table, "amend", {"new": new, "old": {name: old[name] for name in new}})


def _other_clock(terms: Mapping[str, Any], wishes: Wishes) -> dict[str, int]:
    """The clock in force with these changes; a game without one gets it by its days."""
    clock = dict(terms.get("clock", {"reminders": REMINDERS}))
    clock |= {"days": wishes.days} if wishes.days else {}
    clock |= {"reminders": wishes.reminders} if wishes.reminders is not None else {}
    if "days" not in clock:
        raise WrongUse("this game was begun without a clock", "--days N gives it one")
    return clock


def _other_rules(table: Table, wishes: Wishes) -> dict[str, Any]:
    """Rules, data and tables of another edition, or with components from another folder."""
    fold = table.fold
    folder = wishes.components or (table.folders[0] if table.folders else None)
    now = int(fold.terms["rules"]["version"])
    edition = registry.ruleset(fold.engine, wishes.edition or now, folder)
    if wishes.components is not None:
        table.folders.insert(0, wishes.components.resolve())
        table.room.remember(table.path.resolve(), components=[wishes.components])
    rules = {"digest": edition.rules_digest, "id": fold.engine.id, "version": str(edition.number)}
    tables = [list(pair) for pair in sorted(edition.tables)]
    return {"data": edition.data, "rules": rules, "tables": tables}


# Healing -----------------------------------------------------------------------------------------------------------


def refused(table: Table) -> list[packet.Packet]:
    """The packets of this game that were refused here and kept."""
    found = []
    for path in sorted((table.home.root / "refused").glob(f"*{packet.SUFFIX}")):
        with suppress(PbemError, OSError):
            content = packet.read(path.read_bytes())
            if content.game == table.fold.game.id:
                found.append(content)
    return found


def branches(table: Table) -> list[list[Event]]:
    """What was refused here of this game and is well signed: the events of each kept packet from where it departs."""
    fold, found = table.fold, []
    for content in refused(table):
        with suppress(Refused):
            events = [record.read_event(line) for line in content.events]
            beyond = [one for one in events if one.seq > fold.seq or fold.ids.id(one.seq) != one.id]
            for event in beyond:
                fold.check_signature(event)
            if beyond and beyond[0].seq <= fold.seq + 1:  # what came too early is no branch
                found.append(beyond)
    return found


def following(fold: Fold, tails: Sequence[Sequence[Event]]) -> list[Event]:
    """The refused packet that goes on from the head of this machine, if there is one: the longest of them."""
    fits = [tail for tail in tails if tail[0].seq == fold.seq + 1 and tail[0].prev == fold.head]
    longest: list[Event] = []
    for tail in fits:
        longest = list(tail) if len(tail) > len(longest) else longest
    return longest


def heal(table: Table, to: int, burn: int | None = None) -> Act:
    """Back to an event before a fork or divergence. Goes on with this machine's branch, and what was refused of it."""
    fold = table.fold
    tails = branches(table)
    main = following(fold, tails)
    kept = {event.id for event in main}
    lost = sorted({event.id for tail in tails for event in tail} - kept)
    asked_for = [event.body["batch"] for tail in tails for event in tail if isinstance(event.body.get("batch"), int)]
    highest = max([fold.requested, *asked_for])
    if burn is not None and burn < highest:
        raise Refused("E_UNDO", f"batch {highest} was asked for on some branch: burn must be that or more")
    if not 0 <= to <= fold.seq:
        raise WrongUse(f"event {to} is not on this machine", f"name one from {fold.barrier} to {fold.seq}")
    if to < fold.barrier:
        raise Refused("E_UNDO", f"event {fold.barrier} cannot be undone, nor anything before it")
    body = {"burn": highest if burn is None else burn, "lost": lost, "to": to}
    if not main:
        return here(table, "heal", body)
    last = main[-1]
    return Act("heal", body, fold.game.id, last.id, last.seq + 1, str(last.body.get("next") or last.seat))


def _check_branch(table: Table, act: Act) -> None:
    """A heal on another branch: this machine's events after it are given up by name, or are what was refused here."""
    fold = table.fold
    if act.body["to"] < fold.barrier:
        raise Refused("E_UNDO", f"event {fold.barrier} cannot be undone, nor anything before it")
    if act.body["burn"] < fold.requested:
        raise Refused("E_UNDO", f"batch {fold.requested} was asked for here: burn must be that or more")
    if _before(table, act) or fold.head in act.body["lost"]:
        return
    what = f"the act follows event {act.seq - 1}, {act.prev[:16]}, which is not on this machine"
    raise Refused("E_CONSENT", what, "take in all letters first; or it was made before somebody played on")


def _before(table: Table, act: Act) -> list[Event]:
    """The refused events that a heal follows, if they are here."""
    for tail in branches(table):
        ids = [event.id for event in tail]
        if act.prev in ids:
            return tail[: ids.index(act.prev) + 1]
    return []


def _consent_to_branch(table: Table, act: Act, passphrase: Passphrase | None) -> str:
    """Consent to a heal that follows what this machine has not; or write it, after what was refused here."""
    if act.by not in table.local:
        _say_for_all(table, act, passphrase)
        return ""
    main = _before(table, act)
    if not main:
        hint = "ask for the whole log (`pbem send FILE --since 0`): it is refused here, and kept; then consent again"
        raise Incomplete(f"events up to {act.seq - 1} of the other branch", hint)
    body = {**act.body, "consents": consents(table, act)}
    key = table.author(passphrase, act.by).key
    event = record.write_event(key, game=act.game, seq=act.seq, prev=act.prev, seat=act.by, kind="heal", body=body)
    if not table.mend([*(one.line() for one in main), event.line()]):
        raise Refused("E_UNDO", "the heal does not repair what was refused here", "go back further: a smaller --to")
    table.go_on(act.by, passphrase)
    return "heal"


def _say_for_all(table: Table, act: Act, passphrase: Passphrase | None) -> None:
    for seat in table.local:
        if seat in table.fold.in_game:
            papers.say(table, table.author(passphrase, seat).consent("heal", act.body, act.prev, act.seq))
