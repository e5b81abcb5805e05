"""How fast a log is verified, beside a plain loop that only checks form and signatures.

    PYTHONPATH=. python bench/verify_speed.py [--rounds N] [--json]

The floor reads the lines, checks the canonical form, hashes, and verifies the same signatures, events and slips,
with the same library in one thread; it knows no rules, dice or chain.
"""

from __future__ import annotations

import hashlib
import io
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

import logs
import measure
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from measure import Row

from pbem import account, canon, keys, packet, record, registry, report, verify
from pbem.api import NOTHING_KNOWN, Ask, Ordered, Rolled, Start, Step
from pbem.author import trial_values
from pbem.replay import Fold
from pbem.ruleset import full_options, rules_for

EVENTS = 20_000
LETTER = 1_000
FREE = 0.9
"""Two workers are judged only where one thread got so much of a processor: else no second one was free."""


def floor(data: bytes) -> int:
    """Signatures verified."""
    by = {seat: Ed25519PublicKey.from_public_bytes(logs.key(seat).public) for seat in logs.SEATS}
    count, request = 0, ""
    for line in io.BytesIO(data):
        if not line.startswith(b"pbem1 "):
            continue
        sig, raw = bytes.fromhex(line[6:134].decode()), line[135:-1]
        doc = canon.decode(raw)
        event_id = hashlib.sha256(b"pbem/v1/event\0" + raw).hexdigest()
        by[doc["seat"]].verify(sig, keys.to_be_signed(keys.EVENT, raw))
        count += 1
        body = doc["body"]
        if doc["kind"] == "handover":
            request = event_id
        for slip in body.get("slips", ()):
            says = {"batch": body["batch"], "game": doc["game"], "link": slip["link"]}
            raw = canon.encode(says | {"request": request, "seat": slip["seat"]})
            by[slip["seat"]].verify(bytes.fromhex(slip["sig"]), keys.to_be_signed(keys.SLIP, raw))
            count += 1
    return count


def signatures_alone(data: bytes) -> None:
    """As many checks of one signature as a log has events."""
    public, message = keys.VerifyKey(logs.key("red").public), b"x" * 400
    sig = logs.key("red").sign(keys.EVENT, message)
    for _ in range(data.count(b"\npbem1 ")):
        public.check(keys.EVENT, message, sig)


def whole(data: bytes, workers: int) -> verify.Verdict:
    verdict = verify.verify(io.BytesIO(data), rules_for, workers=workers)
    if verdict.word != "VALID SO FAR":
        raise SystemExit(verdict.line())
    return verdict


class Unsigned(keys.VerifyKey):
    """A key that takes every signature: what is left is the fold."""

    def check(self, namespace: str, message: bytes, signature: bytes) -> None:
        return


def unsigned_fold(data: bytes) -> int:
    """Everything but the signatures: form, chain, dice, links, rules. The seq of the head."""
    game = logs.game()
    fold = Fold(game, rules_for(game))
    fold.slip_keys = {seat: Unsigned(key.raw) for seat, key in fold.slip_keys.items()}
    for line in io.BytesIO(data):
        if line.startswith(b"pbem1 "):
            fold.take(record.read_event(line))
    return fold.seq


def speed(number: int) -> list[Row]:
    with TemporaryDirectory() as folder:
        data = logs.open_table(Path(folder) / "long.pbem", EVENTS).read_bytes()
    signatures = floor(data)
    times = measure.rounds(
        {
            "floor": lambda: floor(data),
            "serial": lambda: whole(data, 0),
            "two": lambda: whole(data, 2),
            "fold": lambda: unsigned_fold(data),
        },
        number,
    )
    rates = [
        Row(what, EVENTS / times.median(name), "events/s")
        for what, name in (
            ("floor: form and signatures in a plain loop", "floor"),
            ("verify, one thread", "serial"),
            ("verify, two workers ahead of the fold", "two"),
            ("the same without signatures", "fold"),
        )
    ]
    share = times.share("floor")
    two = Row("verify with two workers : floor", times.ratio("floor", "two"), "times as fast")
    return [
        Row("events", EVENTS, "events"),
        Row("signatures", signatures, "signatures"),
        *rates,
        Row("verify in one thread : floor", times.ratio("floor", "serial"), "times as fast"),
        Row("the same in processor time", times.cpu_ratio("floor", "serial"), "times as fast", ">= 0.7"),
        replace(two, target="> 1.0") if share > FREE else replace(two, what=f"{two.what} (busy: not judged)"),
        Row("share of a processor that the floor got", share, "of 1"),
    ]


# Rules beside a signature ------------------------------------------------------------------------------------------


def start(id: str) -> Start:
    engine = registry.engine(id)
    edition = registry.ruleset(engine, engine.editions[-1])
    scenario = engine.scenarios()[0]
    seats = tuple(seat.id for seat in scenario.seats)
    return Start(scenario.id, full_options(engine, scenario, {}), seats, edition.number, edition.components)


@dataclass
class Steps(Fold):
    """A fold that keeps what it asks the rules to apply."""

    steps: list[Step] = field(default_factory=list)

    def step(self, seq: int, step: Step) -> None:
        self.steps.append(step)
        super().step(seq, step)


def steps_of_log() -> list[Step]:
    """The steps of a log of the open table."""
    game = logs.game()
    fold = Steps(game, rules_for(game))
    with TemporaryDirectory() as folder, logs.open_table(Path(folder) / "steps.pbem", 2_000).open("rb") as stream:
        for line in stream:
            if line.startswith(b"pbem1 "):
                fold.take(fold.read(line))
    return fold.steps


def random_steps(id: str, most: int) -> list[Step]:
    """The steps of a random legal game."""
    engine, rng, steps = registry.engine(id), random.Random(1), list[Step]()
    state = engine.setup(start(id))
    while len(steps) < most and (asks := engine.pending(state)):
        first = asks[0]
        if isinstance(first, Ask):
            order = engine.sample(state, first, NOTHING_KNOWN, rng)
            steps.append(Ordered(first.seat, order))
        else:
            steps.append(Rolled(f"{first.stem}#{len(steps) + 1}", first, trial_values(first, rng)))
        engine.apply(state, steps[-1])
    return steps


def judge(id: str, setup: Start, steps: list[Step]) -> Any:
    """What a fold asks the engine: refuse and apply for every step, pending before it, position where a turn ends."""
    engine = registry.engine(id)
    state = engine.setup(setup)
    for step in steps:
        engine.pending(state)
        if isinstance(step, Ordered) and engine.refuse(state, step.seat, step.order, NOTHING_KNOWN) is not None:
            raise SystemExit(f"{id}: an order of its own is refused")
        engine.apply(state, step)
    return state


def rules(number: int) -> list[Row]:
    rows = []
    games = {"open-table": steps_of_log, "battle-card-malaya": lambda: random_steps("battle-card-malaya", 2_000)}
    for id, make in games.items():
        setup, steps = start(id), make()
        again = max(1, 2_000 // len(steps))
        times = measure.rounds(
            {
                "rules": repeated(lambda s=setup, of=steps, of_id=id: judge(of_id, s, of), again),
                "signature": lambda: signatures_alone(b"\npbem1 " * 1_000),
            },
            number,
        )
        each = times.median("rules") / (again * len(steps)) * 1e6
        one = times.median("signature") / 1_000 * 1e6
        rows += [
            Row(f"{id}: rules, each step", each, "microseconds"),
            Row("one signature check beside it", one, "microseconds"),
            Row(f"{id}: rules : signature", each / one, "of one check"),
        ]
    return rows


def repeated(do: Callable[[], object], times: int) -> Callable[[], None]:
    def all_of_them() -> None:
        for _ in range(times):
            do()

    return all_of_them


# Letters and reports -----------------------------------------------------------------------------------------------


def letters(number: int) -> list[Row]:
    with TemporaryDirectory() as folder:
        data = logs.open_table(Path(folder) / "letter.pbem", LETTER).read_bytes()
    lines = [line for line in io.BytesIO(data) if line.startswith(b"pbem1 ")]
    last = record.read_event(lines[-1])
    letter = packet.Packet("red", last.game, last.id, tuple(lines))
    file = packet.write(letter)
    pasted = packet.armor(file)
    times = measure.rounds(
        {
            "write": lambda: packet.write(letter),
            "read": lambda: packet.read(file),
            "armor": lambda: packet.armor(file),
            "unarmor": lambda: packet.unarmor(pasted),
        },
        number * 3,
    )
    names = {"write": "packet written", "read": "packet read", "armor": "packed for pasting", "unarmor": "unpacked"}
    return [
        Row(f"{what}, {LETTER:,} events", LETTER / times.median(name), "events/s") for name, what in names.items()
    ] + reports(number)


def reports(number: int) -> list[Row]:
    match = logs.game(1, "battle-card-malaya", "open")
    told = account.report(Fold(match, rules_for(match)), [], reader=match.seats[0])
    times = measure.rounds(
        {"text": lambda: report.text(told), "html": lambda: report.html(told)},
        number * 3,
    )
    return [
        Row("report with its map as text", times.median("text") * 1e3, "milliseconds"),
        Row("report with its map as HTML", times.median("html") * 1e3, "milliseconds"),
    ]


PARTS = {"Verification": speed, "Rules beside a signature": rules, "Letters and reports": letters}

if __name__ == "__main__":
    measure.command(__doc__, PARTS, 5)
