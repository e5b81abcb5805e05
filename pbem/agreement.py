"""From a proposal to a sealed charter: propose, join, take in entries, charter and seals.

Until the charter is there the game file holds `draft` and `entry` lines; then charter and seals, then events.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from pbem import beacon, canon, charter, dice, keys, log, registry, sealed
from pbem.errors import Incomplete, Refused, Trouble, WrongUse
from pbem.home import Home, Passphrase, Room, Secret, new_master
from pbem.packet import Packet
from pbem.ruleset import full_options, rules_for, scenario_of

SETUP_WORDS: Final = ("draft", "entry", "charter", "seal")


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the proposer decides. `edition` and components are those of this installation.

    `beacon` is a chain by name, the usual one if empty; `start_in` seconds from now is the round that a registered
    solitaire game begins with, 0 for none; `previous` the game id of the player's last one.
    """

    rules: str
    scenario: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    policy: str = ""
    days: int = 0
    reminders: int = 2
    links: int = charter.DEFAULT_LINKS
    components: Path | None = None
    witness: bool = False
    beacon: str = ""
    start_in: int = 0
    previous: str = ""


@dataclass(frozen=True, slots=True)
class Player:
    """Who takes a seat here: seat, shown name, key by name, and the public key of a responder in hex, if any."""

    seat: str
    key: str
    name: str = ""
    responder: str = ""


def propose(home: Home, path: Path, proposal: Proposal, player: Player, passphrase: Passphrase | None = None) -> bool:
    """Write a new game file: a draft, or in solitaire the sealed charter. True: the game may start."""
    if path.exists():
        raise Trouble(f"{path} exists already", "choose another name: --file NAME.pbem")
    doc, seats = _draft_doc(proposal)
    if player.seat not in seats:
        raise WrongUse(f"scenario {doc['scenario']} has no seat {player.seat!r}", f"seats: {', '.join(seats)}")
    secret, entry = _enter(home, doc["setup"], proposal.links, player)
    doc["seats"] = [entry if seat == player.seat else {"seat": seat} for seat in seats]
    room, folders = home.room(doc["setup"]), [proposal.components] if proposal.components else []
    if len(seats) == 1 and not proposal.witness:
        _found_alone(home, path, doc, secret, passphrase)
        room.remember(path, components=folders)
        return True
    draft = charter.make_draft(doc)
    room.add_secret(_bound(secret, draft.id))
    room.remember(path, draft=draft.id, components=folders)
    log.create(path, draft.line())
    return False


def _draft_doc(proposal: Proposal) -> tuple[canon.Doc, list[str]]:
    engine = registry.engine(proposal.rules)
    edition = registry.ruleset(engine, engine.editions[-1], proposal.components)
    scenario = scenario_of(engine, proposal.scenario or engine.scenarios()[0].id)
    seats = [seat.id for seat in scenario.seats]
    doc: canon.Doc = {
        "v": 1,
        "kind": "draft",
        "setup": secrets.token_hex(32),
        "rules": {"id": engine.id, "version": str(edition.number), "digest": edition.rules_digest},
        "data": edition.data,
        "scenario": scenario.id,
        "options": full_options(engine, scenario, proposal.options),
        "dice": {
            "policy": proposal.policy or ("open" if len(seats) == 1 and not proposal.witness else "sealed"),
            "contributors": "all_others",
            "expand": "hmac-sha256-64",
        },
    }
    if edition.tables:
        doc["tables"] = [[name, digest] for name, digest in sorted(edition.tables)]
    if proposal.witness:
        doc["witness"] = {}
    _name_beacon(doc, proposal)
    if proposal.days:
        doc["clock"] = {"days": proposal.days, "reminders": proposal.reminders}
    return doc, seats


def _name_beacon(doc: canon.Doc, proposal: Proposal) -> None:
    """The chain with its key where rounds make dice or start the game; the round it starts with; the game before."""
    if proposal.previous:
        doc["previous"] = proposal.previous
    if not proposal.start_in and doc["dice"]["policy"] != beacon.NAME:
        if proposal.beacon:
            raise WrongUse("a beacon chain goes with `--dice beacon` or with `--start-in`")
        return
    beacon.need()
    net = beacon.NETWORKS.get(proposal.beacon or "quicknet")
    if net is None:
        raise WrongUse(f"no beacon chain {proposal.beacon[:40]!r}", f"chains: {', '.join(beacon.NETWORKS)}")
    doc["dice"]["beacon"] = {"chain": net.chain, "key": net.key}
    if proposal.start_in:
        doc["dice"]["start"] = {"chain": net.chain, "round": net.round_at(int(time.time()) + proposal.start_in)}


def _enter(home: Home, setup: str, links: int, player: Player) -> tuple[Secret, canon.Doc]:
    """A fresh master secret for one seat or the witness, and the entry that shows its public side."""
    master = new_master()
    chain_id = dice.chain_id(bytes.fromhex(setup), player.seat, 1)
    entry: canon.Doc = {
        "key": home.public_key(player.key).hex(),
        "anchor": dice.anchor(chain_id, dice.chain_end(master, 1), links).hex(),
        "links": links,
        "nonce": secrets.token_hex(32),
    }
    if player.seat != charter.WITNESS:
        entry |= {"seat": player.seat, "box": sealed.box_public(sealed.box_key(master)).hex()}
    if player.responder:
        entry["responder"] = player.responder
    if player.name:
        canon.check_text(player.name)
        entry["name"] = player.name
    return Secret(setup, player.seat, player.key, master.hex(), links, ""), entry


def _bound(secret: Secret, draft: str) -> Secret:
    return Secret(secret.setup, secret.seat, secret.key, secret.master, secret.links, draft)


def _found_alone(home: Home, path: Path, doc: canon.Doc, secret: Secret, passphrase: Passphrase | None) -> None:
    game = charter.make_game(dict(doc, kind="charter"))
    seal = charter.seal(home.key(secret.key, passphrase), game, secret.seat)
    room = home.room(doc["setup"])
    room.add_secret(_bound(secret, game.id))
    room.remember(path, game=game.id)
    log.create(path, game.line() + seal)


# Joining ---------------------------------------------------------------------------------------------------------


def invitation(packet: Packet) -> charter.Draft:
    """The draft in a packet; `WrongUse` where it holds none."""
    drafts = packet.of("draft")
    if len(drafts) != 1:
        raise WrongUse("this is no invitation", "`pbem receive` takes in moves; `pbem join` wants an invitation")
    return charter.read_draft(drafts[0])


def table_here(home: Home, draft: charter.Draft) -> Path | None:
    """The game file of a draft that lies on this machine already and waits for entries: one table, several seats."""
    kept = home.room(draft.doc["setup"]).where()
    start = beginning(kept) if kept is not None and kept.exists() else None
    return kept if start is not None and start.draft is not None and start.draft.id == draft.id else None


def join(
    home: Home,
    path: Path,
    packet: Packet,
    player: Player,
    *,
    components: Path | None = None,
    passphrase: Passphrase | None = None,
) -> None:
    """Take a seat of a draft. With two seats the charter is made and sealed at once, else an entry is kept.

    A draft that is on this machine already gets the entry in its own file, which `table_here` names.
    """
    draft = invitation(packet)
    room, folders = home.room(draft.doc["setup"]), [components] if components else []
    together = table_here(home, draft)
    if path.exists() and path != together:
        raise Trouble(f"{path} exists already", "choose another name: --file NAME.pbem")
    seat = _free_seat(draft, packet, player.seat)
    _understands(draft, components)
    key = home.key(player.key, passphrase)
    with room.lock():
        line = _joined_before(room, draft, seat)
        if line is None:
            line = _join_first(home, room, draft, replace(player, seat=seat), key)
    if together is not None:
        absorb(home, together, Packet(seat, draft.id, draft.id, (line,)), passphrase)
    elif len(draft.doc["seats"]) > 2 or draft.doc.get("witness") == {}:
        room.remember(path, draft=draft.id, components=folders)
        log.create(path, draft.line() + line)
    else:
        game = charter.merge(draft, [charter.read_entry(line, draft)])
        room.remember(path, draft=draft.id, game=game.id, components=folders)
        log.create(path, game.line() + charter.seal(key, game, seat))


def _free_seat(draft: charter.Draft, packet: Packet, wanted: str) -> str:
    """The seat to take: the one that is wanted, or the only one that is open."""
    taken = {charter.read_entry(line, draft).get("seat", charter.WITNESS) for line in packet.of("entry")}
    free = [seat for seat in draft.open_seats() if seat not in taken]
    hint = f"open seats: {', '.join(free) or 'none'}"
    if wanted and wanted not in free:
        raise WrongUse(f"seat {wanted} is not open", hint)
    if not wanted and len(free) != 1:
        raise WrongUse("name the seat you take: --seat SEAT" if free else "no seat is open", hint)
    return wanted or free[0]


def _joined_before(room: Room, draft: charter.Draft, seat: str) -> bytes | None:
    """The entry of a seat that was taken here and whose file never came to be, or is lost.

    A second entry would have other secrets, and the first, once mailed, could not be played any more.
    """
    line = room.entry(seat) if seat in room.seats() else None
    if line is None or room.secret(seat).draft != draft.id:
        return None
    kept = room.where()
    if kept is not None and kept.exists():
        hint = f"`pbem send {kept.name}` writes the answer again"
        raise WrongUse(f"the seat {seat} is yours already, in {kept}", hint)
    return line


def _join_first(home: Home, room: Room, draft: charter.Draft, player: Player, key: keys.SigningKey) -> bytes:
    links = max(entry.get("links", 0) for entry in draft.doc["seats"]) or charter.DEFAULT_LINKS
    secret, entry = _enter(home, draft.doc["setup"], links, player)
    if any(entry["key"] == other.get("key") for other in draft.doc["seats"]):
        raise Refused("E_SAMEKEY", hint="make another key for this seat: pbem key new --name NAME", event=0)
    line = charter.write_entry(key, draft, entry)
    room.add_secret(_bound(secret, draft.id))
    room.add_entry(player.seat, line)
    return line


def _understands(draft: charter.Draft, components: Path | None) -> None:
    """Refuse to join what this installation could not judge: rules, edition, components, scenario, options."""
    rules_for(charter.rehearsed(draft), components)


# The file before the first event -----------------------------------------------------------------------------------


@dataclass
class Beginning:
    """A game file that has no events yet."""

    path: Path
    draft: charter.Draft | None = None
    entries: list[bytes] = field(default_factory=list)
    game: charter.Game | None = None
    seals: dict[str, bytes] = field(default_factory=dict)

    @property
    def setup(self) -> str:
        if self.game is not None:
            return self.game.charter.setup
        if self.draft is not None:
            return str(self.draft.doc["setup"])
        raise AssertionError("a beginning has a draft or a charter")

    def missing(self) -> str:
        """What the game waits for before its first event, in the words of a verdict; empty when all seals are in."""
        if self.game is None:
            return f"entries of {', '.join(self.open_seats())}"
        due = [seat for seat in self.game.sealers() if seat not in self.seals]
        return f"seals of {', '.join(due)}" if due else ""

    def open_seats(self) -> list[str]:
        if self.draft is None:
            return []
        given = {charter.read_entry(line, self.draft).get("seat", charter.WITNESS) for line in self.entries}
        return [seat for seat in self.draft.open_seats() if seat not in given]

    def data(self) -> bytes:
        """The file's content."""
        if self.game is not None:
            seals = [self.seals[seat] for seat in self.game.sealers() if seat in self.seals]
            return self.game.line() + b"".join(seals)
        return (self.draft.line() if self.draft else b"") + b"".join(self.entries)


def beginning(path: Path) -> Beginning | None:
    """The file as a beginning; None when it has events already (or is none of ours: `verify` says what it is)."""
    found = Beginning(path)
    for line in _lines_of_setup(path):
        if line.startswith(b"draft "):
            found.draft = charter.read_draft(line)
        elif line.startswith(b"entry ") and found.draft:
            found.entries.append(line)
        elif line.startswith(b"charter ") and found.game is None:
            found.game = charter.read_charter(line)
        elif line.startswith(b"seal ") and found.game:
            found.seals[charter.read_seal(line, found.game)] = line
        else:
            return None
    return found if found.draft or found.game else None


def _lines_of_setup(path: Path) -> list[bytes]:
    """All lines of a file without events; none of one that has any, so that nothing in it is read twice."""
    lines = []
    with log.open_for_reading(path) as stream:
        for _, line in log.lines(stream):
            if line.startswith(b"pbem1 "):
                return []
            lines.append(line)
    return lines


def absorb(home: Home, path: Path, packet: Packet, passphrase: Passphrase | None = None) -> Beginning | None:
    """Take entries, charter and seals out of a packet, seal where this machine's seats agreed, and store the result.

    None where the game has begun meanwhile.
    """
    start = beginning(path)
    if start is None:
        return None
    room = home.room(start.setup)
    with room.lock():
        start = beginning(path)
        if start is None or not start.missing():
            return start
        before = start.data()
        _absorb(home, room, start, packet, passphrase)
        if start.data() != before:
            log.write_atomic(path, start.data())
    return start


def _absorb(home: Home, room: Room, start: Beginning, packet: Packet, passphrase: Passphrase | None) -> None:
    if start.game is None:
        _take_entries(start, packet)
        _take_charter(start, packet)
        if start.game is None and not start.open_seats() and proposed_here(start, room.seats()):
            assert start.draft is not None
            start.game = charter.merge(start.draft, [charter.read_entry(line, start.draft) for line in start.entries])
    if start.game is not None:
        _take_seals(start, packet)
        _seal_own(home, room, start, passphrase)
        room.remember(start.path, game=start.game.id)


def _take_entries(start: Beginning, packet: Packet) -> None:
    if start.draft is None:
        return
    for line in packet.of("entry"):
        seat = charter.read_entry(line, start.draft).get("seat", charter.WITNESS)
        if seat in start.open_seats():
            start.entries.append(line)
        elif line not in start.entries:
            raise Refused("E_DRAFT", f"two different players want the seat {seat}", "settle it between you", event=0)


def _take_charter(start: Beginning, packet: Packet) -> None:
    """A charter is taken only if it is the draft plus the entries that this machine knows."""
    if start.draft is None or not packet.of("charter"):
        return
    game = charter.read_charter(packet.of("charter")[0])
    charter.same_agreement(game, start.draft)
    for line in start.entries:
        entry = charter.read_entry(line, start.draft)
        whole: Any = canon.decode(game.raw)
        if entry not in (*whole["seats"], whole.get("witness")):
            raise Refused("E_DRAFT", f"the charter changes the entry of {entry.get('seat', charter.WITNESS)}", event=0)
    start.game = game


def _take_seals(start: Beginning, packet: Packet) -> None:
    if start.game is None:
        return
    for line in packet.of("charter"):
        if charter.read_charter(line).id != start.game.id:
            raise Refused("E_DRAFT", "the charter is not the one that was agreed", event=0)
    for line in packet.of("seal"):
        start.seals.setdefault(charter.read_seal(line, start.game), line)


def proposed_here(start: Beginning, seats: Sequence[str]) -> bool:
    """One of these seats is that of the proposer, whose entry came with the draft itself."""
    if start.draft is None:
        return False
    in_draft = {seat["seat"] for seat in start.draft.doc["seats"] if set(seat) != {"seat"}}
    return bool(in_draft & set(seats))


def _seal_own(home: Home, room: Room, start: Beginning, passphrase: Passphrase | None) -> None:
    if start.game is None:
        return
    for seat in room.seats():
        if seat in start.game.sealers() and seat not in start.seals:
            secret, _ = room.opened(seat)
            entry: Any = start.game.charter.witness if seat == charter.WITNESS else start.game.entry(seat)
            chain_id = dice.chain_id(bytes.fromhex(secret.setup), seat, 1)
            anchor = dice.anchor(chain_id, dice.chain_end(bytes.fromhex(secret.master), 1), secret.links)
            if entry.anchor != anchor.hex() or entry.key != home.public_key(secret.key).hex():
                raise Refused("E_DRAFT", f"the charter does not hold the entry of {seat} made here", event=0)
            start.seals[seat] = charter.seal(home.key(secret.key, passphrase), start.game, seat)


def setup_packet(home: Home, start: Beginning) -> Packet:
    """The letter about a game that has not begun: invitation, entry, or charter and seals."""
    room = home.room(start.setup)
    sender = next(iter(room.seats()), "")
    if start.game is None:
        if start.draft is None:
            raise AssertionError("a beginning has a draft or a charter")
        return Packet(sender, start.draft.id, start.draft.id, (start.draft.line(), *start.entries))
    lines: list[bytes] = []
    lines += [line for seat in room.seats() if (line := room.entry(seat)) is not None]
    lines += [start.game.line(), *(start.seals[seat] for seat in start.game.sealers() if seat in start.seals)]
    return Packet(sender, start.game.id, start.game.id, tuple(lines))


def need_started(path: Path) -> None:
    """Refuse what needs events to be possible: `Incomplete` while entries or seals are missing."""
    start = beginning(path)
    missing = start.missing() if start is not None else ""
    if missing:
        raise Incomplete(missing, "`pbem send` writes the letter that is due, `pbem receive` takes in the answer")
