"""What the dice of a game were, by whom, for what, and what the rules made of them.

The rules are listened to while a file is folded: every public roll with its clause and the seat it fell for, the
results told of it, and by how much the same roll could have come out otherwise: for each way the dice can fall, the
rules are asked what they would have told.
"""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, Final

from pbem import charter, log, luck, verify
from pbem.annotated import undone
from pbem.api import Musters, Note, Ordered, Rolled, Scores, Step, Tell, silent
from pbem.replay import Fold, Ruleset
from pbem.ruleset import rules_for

FALLS: Final = 216
"""Ways of falling (three d6) up to which the rules are asked about every one."""
ROLLED: Final = "stats/rolled"


@dataclass(frozen=True, slots=True)
class Throw:
    """One public roll of dice: its event, the seat it fell for, clause, sides and faces, and what was told of it.

    `chances`: for each note stem that was possible, the share of falls that lead to it; empty where nobody asked.
    """

    seq: int
    seat: str
    clause: str
    label: str
    sides: tuple[int, ...]
    faces: tuple[int, ...]
    told: frozenset[str] = frozenset()
    chances: Mapping[str, Fraction] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """Dice as players write them: 2d6, d6+d10."""
        return "+".join(f"{n if n > 1 else ''}d{sides}" for sides, n in sorted(Counter(self.sides).items()))


@dataclass(slots=True)
class Heard:
    """What was heard of one game. `hidden`: rolls that only one seat sees; `points`, `strength`: by turn and side."""

    fold: Fold | None = None
    throws: list[Throw] = field(default_factory=list)
    hidden: int = 0
    draws: int = 0
    points: list[tuple[str, dict[str, Fraction]]] = field(default_factory=list)
    strength: list[tuple[str, dict[str, Fraction]]] = field(default_factory=list)


class Listening:
    """An engine that is listened to: `apply` does the same, and tells of each roll. A rehearsal tells nobody."""

    def __init__(self, engine: Any, seats: tuple[str, ...], heard: Heard, ask: bool) -> None:
        self._engine, self._seats, self._heard, self._ask = engine, seats, heard, ask
        self._seat = ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def apply(self, state: Any, step: Step, tell: Tell = silent) -> None:
        if tell is silent:
            self._engine.apply(state, step, tell)
            return
        if isinstance(step, Ordered):
            self._seat = step.seat
        chances = self._chances(state, step) if isinstance(step, Rolled) and self._ask else {}
        notes: list[Note] = []
        self._engine.apply(state, step, notes.append)
        for note in notes:
            tell(note)
        if isinstance(step, Rolled):
            self._roll(step, notes, chances, tell)
        self._score(state, notes)

    def _roll(self, step: Rolled, notes: list[Note], chances: dict[str, Fraction], tell: Tell) -> None:
        if not step.roll.dice:
            self._heard.draws += 1
        elif step.values is None:
            self._heard.hidden += 1
        else:
            named = [part for part in step.roll.stem.split("/") if part in self._seats]
            told = frozenset(note.stem for note in notes)
            seat = named[0] if named else self._seat
            self._heard.throws.append(
                Throw(0, seat, step.roll.clause, step.label, step.roll.dice, step.values, told, chances)
            )
            tell(Note(ROLLED, label=step.label))

    def _chances(self, state: Any, step: Rolled) -> dict[str, Fraction]:
        """The share of ways to fall that lead to each note; empty where there are too many ways."""
        dice = step.roll.dice
        if not dice or step.values is None or prod(dice) > FALLS:
            return {}
        found: Counter[str] = Counter()
        for faces in product(*(range(1, sides + 1) for sides in dice)):
            notes: list[Note] = []
            self._engine.apply(deepcopy(state), Rolled(step.label, step.roll, faces, step.slot), notes.append)
            found.update({note.stem for note in notes})
        return {stem: Fraction(count, prod(dice)) for stem, count in found.items()}

    def _score(self, state: Any, notes: list[Note]) -> None:
        turns = [note.anchor for note in notes if note.anchor and "." not in note.anchor]
        if turns and isinstance(self._engine, Scores):
            self._heard.points.append((turns[-1], dict(self._engine.points(state))))
        if turns and isinstance(self._engine, Musters):
            of = {side: Fraction(number) for side, number in self._engine.strength(state).items()}
            self._heard.strength.append((turns[-1], of))


def listen(path: Path, components: Path | None = None, *, ask: bool = True) -> Heard:
    """A game file folded with an ear to its dice; with `ask`, the rules say what else each roll could have led to.

    Raises what stops the reading. Dice of events that were undone are kept in `throws`: they fell.
    """
    heard = Heard()

    def listened(game: charter.Game) -> Ruleset:
        return wrapped(rules_for(game, components), game.seats)

    def wrapped(rules: Ruleset, seats: tuple[str, ...]) -> Ruleset:
        engine: Any = Listening(rules.engine, seats, heard, ask)
        under = rules.under
        return Ruleset(engine, rules.start, (lambda terms: wrapped(under(terms), seats)) if under else None)

    def hear(seq: int, note: Note) -> None:
        if note.stem == ROLLED:
            heard.throws[-1] = replace(heard.throws[-1], seq=seq)

    with log.open_for_reading(path) as stream:
        reading = verify.read(stream, listened, listener=hear)
    trouble = reading.stopped or reading.unjudged
    if trouble is not None:
        raise trouble
    heard.throws = [one for one in heard.throws if one.seq]
    heard.fold = reading.fold
    return heard


# Tables ----------------------------------------------------------------------------------------------------------


def by_kind(heard: Heard) -> list[dict[str, Any]]:
    """For each seat, clause and kind of dice that stands: rolls, mean and expected total, tails of the sum of all."""
    groups: defaultdict[tuple[str, str, str], list[Throw]] = defaultdict(list)
    for throw in standing(heard):
        groups[throw.seat, throw.clause, throw.kind].append(throw)
    rows = []
    for (seat, clause, kind), throws in sorted(groups.items()):
        dice = Counter(sides for throw in throws for sides in throw.sides)
        total = sum(sum(throw.faces) for throw in throws)
        wanted = Fraction(sum((sides + 1) * number for sides, number in dice.items()), 2)
        rows.append(
            {
                "seat": seat or "-",
                "clause": clause,
                "dice": kind,
                "rolls": len(throws),
                "mean": _round(Fraction(total, len(throws))),
                "expected": _round(wanted / len(throws)),
                **_tails(luck.of_total(dice, total)),
            }
        )
    return rows


def by_result(heard: Heard) -> list[dict[str, Any]]:
    """For each seat, clause and result that the dice decided: how often it came, and was to be expected."""
    groups: defaultdict[tuple[str, str, str], list[tuple[bool, Fraction]]] = defaultdict(list)
    for throw in standing(heard):
        for stem, chance in throw.chances.items():
            groups[throw.seat, throw.clause, stem].append((stem in throw.told, chance))
    rows = []
    for (seat, clause, stem), met in sorted(groups.items()):
        if all(chance == 1 for _, chance in met):
            continue
        hits = sum(hit for hit, _ in met)
        wanted = sum((chance for _, chance in met), Fraction(0))
        row = {"seat": seat or "-", "clause": clause, "result": stem, "rolls": len(met), "came": hits}
        rows.append({**row, "expected": _round(wanted), **_tails(luck.of_hits([chance for _, chance in met], hits))})
    return rows


def faces(games: list[Heard]) -> list[dict[str, Any]]:
    """All public dice that fell, undone or not, by their size, against equal faces."""
    found: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for heard in games:
        for throw in heard.throws:
            for sides, face in zip(throw.sides, throw.faces, strict=True):
                found[sides][face] += 1
    rows = []
    for sides, counts in sorted(found.items()):
        test = luck.uniform(sides, counts)
        row = {"die": f"d{sides}", "dice": sum(test.counts), "faces": list(test.counts)}
        row |= {"chi_square": _round(test.square), "p": round(test.p, 4)}
        rows.append({**row, "p_from": [round(test.low, 4), round(test.high, 4)]} if test.few else row)
    return rows


def answers(heard: Heard) -> dict[str, dict[str, int]]:
    """Seconds between a handover and the answer to it, as the handovers claim: number, median, longest, by seat."""
    fold = heard.fold
    if fold is None or fold.past is None:
        return {}
    waits: defaultdict[str, list[int]] = defaultdict(list)
    last_seat, last_at = "", 0
    for event in fold.past(fold.seq):
        at = event.body.get("at") if event.kind == "handover" else None
        if isinstance(at, int) and at:
            if last_at and event.seat != last_seat and at >= last_at:
                waits[event.seat].append(at - last_at)
            last_seat, last_at = event.seat, at
    return {
        seat: {"answers": len(all_), "median": int(statistics.median(all_)), "longest": max(all_)}
        for seat, all_ in sorted(waits.items())
    }


def standing(heard: Heard) -> list[Throw]:
    """The rolls that were not undone."""
    return [one for one in heard.throws if heard.fold is None or not undone(heard.fold, one.seq)]


def _tails(tails: luck.Tails) -> dict[str, Any]:
    row: dict[str, Any] = {"or_less": _share(tails.less), "or_more": _share(tails.more)}
    if tails.low is not None and tails.high is not None:
        row["or_less_from"] = [round(tails.low[0], 4), round(tails.high[0], 4)]
        row["or_more_from"] = [round(tails.low[1], 4), round(tails.high[1], 4)]
    return row


def _share(value: Fraction) -> float:
    return float(f"{float(value):.4g}")


def _round(value: Fraction) -> float:
    return round(float(value), 2)
