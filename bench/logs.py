"""Logs to measure with: two seats at the open table, fixed keys and chains, the same bytes on every machine."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import measure

from pbem import canon, charter, dice, keys, registry
from pbem.author import Author
from pbem.replay import Fold
from pbem.ruleset import full_options, rules_for

SEATS = ("red", "blue")
LINKS = 8192
ORDERS = 19_000
"""An open table takes a few more orders than that; a longer log is filled up with notes."""
ORDERS_EACH = 8
"""Orders of a half-turn."""

UNITS = ("1/18 Infantry", "2/18 Infantry", "C/4 Cavalry", "A/33 Artillery", "3rd Armoured", "7th Rifles")
PLACES = ("Hill 112", "the mill", "Sainte-Croix", "the ford", "0412", "0513", "the north road", "the wood")


def key(seat: str) -> keys.SigningKey:
    return keys.SigningKey.from_seed(canon.H("bench/key", seat))


def chain(seat: str, setup: str) -> list[bytes]:
    return dice.chain(dice.chain_id(bytes.fromhex(setup), seat, 1), canon.H("bench/chain", seat), LINKS)


def game(seats: int = 2, rules: str = "open-table", policy: str = "sealed") -> charter.Game:
    """A charter of the first scenario with so many seats."""
    engine = registry.engine(rules)
    edition = registry.ruleset(engine, engine.editions[-1])
    scenario = next(one for one in engine.scenarios() if len(one.seats) == seats)
    setup = canon.H("bench/setup", rules).hex()
    doc: canon.Doc = {
        "v": 1,
        "kind": "charter",
        "setup": setup,
        "rules": {"id": engine.id, "version": str(edition.number), "digest": edition.rules_digest},
        "data": edition.data,
        "scenario": scenario.id,
        "options": full_options(engine, scenario, {}),
        "dice": {"policy": policy, "contributors": "all_others", "expand": "hmac-sha256-64"},
        "seats": [
            {
                "seat": seat.id,
                "key": key(seat.id).public.hex(),
                "anchor": chain(seat.id, setup)[0].hex(),
                "links": LINKS,
                "nonce": canon.H("bench/nonce", seat.id).hex(),
            }
            for seat in scenario.seats
        ],
    }
    if edition.tables:
        doc["tables"] = [[name, digest] for name, digest in sorted(edition.tables)]
    return charter.make_game(doc)


def open_table(path: Path, events: int) -> Path:
    """A two-seat game under sealed dice, of that many events: half-turns as `half_turn` writes them."""
    match = game()
    fold = Fold(match, rules_for(match))
    rng = random.Random(1)
    chains = {seat: chain(seat, match.charter.setup) for seat in SEATS}
    notes = max(0, events - ORDERS) * ORDERS_EACH // ORDERS
    with path.open("wb") as out:
        out.write(match.line() + b"".join(charter.seal(key(seat), match, seat) for seat in SEATS))
        while fold.seq < events:
            author = Author(fold, fold.holder, key(fold.holder), chains[fold.holder].__getitem__)
            half_turn(author, rng, notes, events)
            out.writelines(event.line() for event in author.written)
            measure.say(f"writing a log: {fold.seq:,} of {events:,} events")
    return path


def half_turn(author: Author, rng: random.Random, notes: int, events: int) -> None:
    """The dice the other seat asked for, by this seat's slip; four moves, two rolls, a tally, notes, a pass;

    and the handover, with the link that asks for the dice. No more than that many events in all.
    """
    fold = author.fold
    if fold.batch is not None and fold.batch.seed is None:
        author.resolve()
    writers: list[Callable[[], object]] = [
        *[lambda: author.write("move", {"text": f"{rng.choice(UNITS)} to {rng.choice(PLACES)}"})] * 4,
        *[lambda: author.write("roll", {"dice": [6, 6], "purpose": f"attack on {rng.choice(PLACES)}"})] * 2,
        lambda: author.write("tally", {"name": f"{author.seat}-vp", "number": rng.randrange(60)}),
        *[lambda: author.note(f"{rng.choice(UNITS)} is out of supply, and it rains at {rng.choice(PLACES)}")] * notes,
        lambda: author.write("pass", {}),
        author.handover,
    ]
    for write in writers:
        if fold.seq < events:
            write()
